"""Measures counting at scale: DuckDB groups rows of a generated gateway log, and covtool counts the groups.

    python tests/bench/scale.py PROGRAM DESCRIPTION [PARTS [REQUESTS]]

It makes PARTS parts (default: 25) of REQUESTS requests each (default: 8,000,000, which group to about four million
rows), pipes each through one process of `covtool record-hits`, and merges the hits. Prints a line of JSON for each
part, and one for the sum: rows, requests, bytes, processor seconds, memory. docs/scale.md has the results.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Requests by number: a third has one of a few hundred URLs, the others have ids, a few of which are popular.
ROWS = """
COPY (
  WITH requests AS (
    SELECT
      i,
      hash(i * 2 + {part}) % 1000 AS kind,
      CAST(hash(i * 3 + {part}) % 5000000 AS BIGINT) AS large,
      hash(i * 5 + {part}) % 120 AS small
    FROM range({first}, {first} + {requests}) t(i)
  ), rows AS (
    SELECT
      CASE WHEN kind < 900 THEN 'GET' WHEN kind < 960 THEN 'POST' ELSE 'DELETE' END AS method,
      '/api/v1' || CASE
        WHEN kind < 330 THEN '/books?sort=-price&page=' || small
        WHEN kind < 700 THEN '/books/' || large
        WHEN kind < 880 THEN '/orders/' || large
        WHEN kind < 900 THEN '/internal/users/' || large
        WHEN kind < 960 THEN '/login'
        ELSE '/books/' || large
      END AS url,
      CASE WHEN kind % 50 = 0 THEN 503 WHEN kind % 20 = 0 THEN 404 WHEN kind >= 960 THEN 204 ELSE 200 END AS status,
      i, kind
    FROM requests
  )
  SELECT
    {{method: method, url: url}} AS request,
    {{status_code: status, elapsed_sum: sum(1000 + kind * 97) / 1e6, elapsed_max: max(1000 + kind * 97) / 1e6}} AS response,
    count(*) AS count, 1.7e9 + min(i) / 1000 AS first_at, 1.7e9 + max(i) / 1000 AS last_at,
    {{request_headers: 'none', request_body: false, response_headers: 'none', response_body: false}} AS visibility
  FROM rows GROUP BY method, url, status
) TO '/dev/stdout' (FORMAT json)
"""


def generate(part: int, requests: int) -> None:
    """Writes the rows of a part to standard output."""
    import duckdb

    database = duckdb.connect()
    database.execute("SET threads = 1; SET memory_limit = '3GB'; SET preserve_insertion_order = false; SET enable_progress_bar = false")
    database.execute(ROWS.format(part=part, first=part * requests, requests=requests))


def usage(process: subprocess.Popen[bytes]) -> tuple[float, int]:
    """Waits for a process. Returns its processor seconds and its peak memory in bytes."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{process.args} ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def count_part(program: str, schema: str, part: int, requests: int) -> tuple[dict[str, float], bytes]:
    """Counts one part. Returns the measurements and the hits."""
    start = time.monotonic()
    source = subprocess.Popen([sys.executable, __file__, "--generate", str(part), str(requests)], stdout=subprocess.PIPE)
    with tempfile.TemporaryFile() as hits:
        counting = subprocess.Popen([program, "record-hits", schema], stdin=subprocess.PIPE, stdout=hits)
        assert source.stdout is not None and counting.stdin is not None
        size = rows = 0
        while piece := source.stdout.read(1 << 20):
            size += len(piece)
            rows += piece.count(b"\n")
            counting.stdin.write(piece)
        counting.stdin.close()
        grouping, memory = usage(source)
        seconds, counting_memory = usage(counting)
        hits.seek(0)
        line = hits.read()
    return {
        "part": part,
        "rows": rows,
        "requests": requests,
        "bytes": size,
        "grouping_cpu_s": round(grouping, 1),
        "grouping_memory": memory,
        "counting_cpu_s": round(seconds, 1),
        "counting_memory": counting_memory,
        "hits_bytes": len(line),
        "elapsed_s": round(time.monotonic() - start, 1),
    }, line


def main() -> None:
    program, schema = sys.argv[1:3]
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    requests = int(sys.argv[4]) if len(sys.argv) > 4 else 8_000_000
    lines: list[bytes] = []
    measured: list[dict[str, float]] = []
    for part in range(parts):
        one, line = count_part(program, schema, part, requests)
        print(json.dumps(one), flush=True)
        measured.append(one)
        lines.append(line)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "parts.hits").write_bytes(b"".join(lines))
        merging = subprocess.Popen(
            [program, "merge", schema, f"{folder}/parts.hits", "-o", f"{folder}/sum.hits"], stderr=subprocess.DEVNULL
        )
        seconds, memory = usage(merging)
        size = Path(folder, "sum.hits").stat().st_size
    print(
        json.dumps(
            {
                "parts": parts,
                **{
                    name: round(sum(one[name] for one in measured), 1)
                    for name in ("rows", "requests", "bytes", "grouping_cpu_s", "counting_cpu_s", "elapsed_s")
                },
                "merging_cpu_s": round(seconds, 2),
                "merging_memory": memory,
                "hits_bytes": size,
            }
        )
    )


if __name__ == "__main__":
    if sys.argv[1] == "--generate":
        generate(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
