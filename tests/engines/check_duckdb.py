"""Runs the DuckDB recipe on generated rows, and compares its hits with those of the ungrouped rows, byte for byte.

    python check_duckdb.py FOLDER PROGRAM DESCRIPTION

Prints a line of JSON for each check: its name, what went wrong (null if nothing), and a note.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb

RECIPE = Path(__file__).resolve().parent.parent.parent / "integrations" / "duckdb" / "weighted_lines.sql"
ROWS = 200_000
MADE = f"""
SELECT
  CASE i % 4 WHEN 0 THEN 'POST' ELSE 'GET' END AS method,
  '/api/v1/books/' || (i % 13) AS path,
  CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'page=' || (i % 5) END AS query,
  CASE WHEN i % 11 = 0 THEN NULL ELSE 200 + i % 3 END AS status,
  CASE WHEN i % 7 = 0 THEN NULL ELSE make_timestamp(1700000000000000 + i * 125000) END AS time,
  CASE WHEN i % 5 = 0 THEN NULL ELSE (i * 7919 % 1000003) / 1e6 END AS duration
FROM range({ROWS}) t(i)
"""
WRITTEN_OUT = """
SET enable_progress_bar = false;
COPY (
  SELECT
    {method: method, url: path || CASE WHEN coalesce(query, '') = '' THEN '' ELSE '?' || query END} AS request,
    CASE WHEN status IS NOT NULL THEN {status_code: status, elapsed: duration} END AS response,
    epoch(time) AS timestamp,
    {request_headers: 'none', request_body: false, response_headers: 'none', response_body: false} AS visibility
  FROM read_parquet(getvariable('logs'))
) TO '/dev/stdout' (FORMAT json)
"""


def lines_of(sql: str, logs: Path) -> bytes:
    """The output of a statement, run in its own process because its standard output can't be captured otherwise."""
    code = "import duckdb, sys; db = duckdb.connect(); [db.execute(sql) for sql in sys.argv[1:]]"
    # Progress is shown immediately, not after two seconds, so the recipe has to keep it out of its lines.
    statements = [f"SET VARIABLE logs = '{logs}'", "SET progress_bar_time = 1", sql]
    return subprocess.run([sys.executable, "-c", code, *statements], stdout=subprocess.PIPE, check=True).stdout


def main(folder: Path, program: str, schema: str) -> str:
    logs = folder / "rows.parquet"
    duckdb.sql(f"COPY ({MADE}) TO '{logs}'")
    grouped = lines_of(RECIPE.read_text(), logs)
    groups = grouped.count(b"\n")
    assert groups < ROWS / 20, groups

    def hits(lines: bytes) -> bytes:
        command = [program, "record-hits", schema]
        return subprocess.run(command, input=lines, capture_output=True, check=True).stdout

    actual, expected = hits(grouped), hits(lines_of(WRITTEN_OUT, logs))
    assert json.loads(expected)["recorded"] == ROWS
    assert actual == expected, f"{actual[:500]!r} instead of {expected[:500]!r}"
    return f"{ROWS:,} rows in {groups:,} groups"


if __name__ == "__main__":
    name = "the DuckDB recipe counts what its rows written out count"
    try:
        note, problem = main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]), None
    except Exception as error:  # the check reports any error
        note, problem = None, f"{type(error).__name__}: {error}"[:3000]
    print(f"RESULT {json.dumps({'name': name, 'problem': problem, 'note': note})}")
