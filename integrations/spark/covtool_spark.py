"""Counts API traffic on Apache Spark: any amount of it becomes one line of covtool's hits.

    spark-submit covtool_spark.py --schema openapi.yaml --input 's3a://logs/2026/*.gz' --output traffic.hits
    covtool report openapi.yaml traffic.hits

Each partition is piped through one process of `covtool record-hits`, which loads the description once; the lines
that come out are added up by `covtool merge -`. Hits add up in any order, and Spark takes the result of each partition
once, so retries and speculative duplicates of tasks change nothing.
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, Row, SparkSession

# The number of hits that one process merges: each start of a process loads the description.
MERGED_TOGETHER = 16
# The approximate size of the pieces in which lines are written to a process, in bytes.
PIECE = 1 << 16
# The number of characters that an error repeats from the end of a failed process's output.
LONGEST_ERROR = 2000

# The number of processes that add up the results of `mapInArrow`, before the driver adds up theirs.
MERGERS = 8

# The properties of a row that columns can provide.
FIELDS = ("method", "url", "status", "timestamp", "elapsed", "count")


@dataclass(frozen=True)
class Description:
    """A description that travels with the job: a URL, or files with their contents."""

    # The name of the description among the files, or its URL.
    name: str
    files: Mapping[str, bytes]

    def place(self) -> str:
        """Writes the files to a folder of this process, once; returns the path of the description."""
        if not self.files:
            return self.name
        folder = _FOLDERS.get(self._key())
        if folder is None:
            folder = tempfile.mkdtemp(prefix="covtool-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            for name, content in self.files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            _FOLDERS[self._key()] = folder
        return str(Path(folder, self.name))

    def _key(self) -> str:
        digest = hashlib.sha256(self.name.encode())
        for name, content in sorted(self.files.items()):
            digest.update(f"\0{name}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()


# The folders of descriptions in this process, by a key of their contents.
_FOLDERS: dict[str, str] = {}


def read_description(path: str, folder: str | None) -> Description:
    """Reads a description, with the JSON and YAML files of a folder that it refers to."""
    if re.match(r"https?://", path):
        return Description(path, {})
    if folder is None:
        return Description(Path(path).name, {Path(path).name: Path(path).read_bytes()})
    root = Path(folder).resolve()
    files = {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and file.suffix in (".json", ".yaml", ".yml")
    }
    name = Path(path).resolve().relative_to(root).as_posix()
    return Description(name, {**files, name: Path(path).read_bytes()})


@dataclass(frozen=True)
class Covtool:
    """Runs covtool, which counts a partition or adds up hits, on any machine that has the program."""

    program: str
    description: Description
    # Options of both commands, such as `--base-path /v1`.
    options: Sequence[str] = ()
    # Options of reading alone, such as `--log-format`.
    record_options: Sequence[str] = ()

    def record(self, lines: Iterable[str]) -> str:
        """Counts lines of traffic; without lines, returns empty hits."""
        command = ("record-hits", self.description.place(), *self.options, *self.record_options)
        return self._run(command, lines)

    def merge(self, hits: Iterable[str], schema: str | None = None) -> str:
        """Adds up hits. `schema` is the name of the description in the sum (default: its path here)."""
        place = self.description.place() if schema is None else schema
        return self._run(("merge", place, "-", "--output", "-", *self.options), hits)

    def _run(self, arguments: Sequence[str], lines: Iterable[str]) -> str:
        # covtool writes to standard output only after it has read all of standard input, so neither process waits for
        # the other; standard error goes to a file for the same reason.
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                # Whichever machine and folder it runs in, all parts are counted alike.
                (self.program, *arguments, "--no-config"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                env={**os.environ, "NO_COLOR": "1"},
            )
            assert process.stdin is not None and process.stdout is not None
            try:
                try:
                    for piece in _pieces(lines):
                        process.stdin.write(piece)
                    process.stdin.close()
                except BrokenPipeError:
                    pass  # the process ended early, and its output says why
                result = process.stdout.read()
                code = process.wait()
            except BaseException:
                process.kill()
                process.wait()
                raise
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
        if code != 0:
            shown = text[-LONGEST_ERROR:] or "It said nothing."
            raise RuntimeError(f"covtool {arguments[0]} ended with {code}. {shown}")
        for line in text.splitlines():
            if line.startswith("Warning:"):
                print(line, file=sys.stderr)
        return result.decode().rstrip("\n")


def _pieces(lines: Iterable[str]) -> Iterator[bytes]:
    gathered: list[bytes] = []
    size = 0
    for line in lines:
        encoded = line.encode("utf-8", "replace")
        gathered.append(encoded)
        size += len(encoded) + 1
        if size >= PIECE:
            yield b"\n".join(gathered) + b"\n"
            gathered, size = [], 0
    if gathered:
        yield b"\n".join(gathered) + b"\n"


def weighted_lines(rows: DataFrame, columns: Mapping[str, str]) -> DataFrame:
    """Groups equal rows, and writes each group as a line of a traffic file with its `count`.

    `columns` has a Spark SQL expression for some of FIELDS, at least for `method` and `url`. Rows that differ only in
    time are in one group, which keeps the first and the last time, the longest duration and the sum of durations. The
    sum is in whole microseconds, so that it doesn't depend on the order in which Spark adds.
    """
    from pyspark.sql import functions as F

    value: dict[str, Column] = {name: F.expr(text) for name, text in columns.items()}
    if "timestamp" in value:
        value["timestamp"] = _seconds(rows, columns["timestamp"])
    keys = [value[name].alias(name) for name in ("method", "url", "status") if name in value]
    # Rows without a time or without a duration are in other groups than rows with one.
    keys += [value[name].isNotNull().alias(f"has_{name}") for name in ("timestamp", "elapsed") if name in value]
    count = value["count"].cast("long") if "count" in value else F.lit(1).cast("long")
    sums = [F.sum(count).alias("count")]
    if "timestamp" in value:
        sums += [F.min(value["timestamp"]).alias("first_at"), F.max(value["timestamp"]).alias("last_at")]
    if "elapsed" in value:
        micros = F.round(value["elapsed"].cast("double") * 1e6).cast("long")
        sums += [F.sum(micros * count).alias("elapsed_sum"), F.max(micros).alias("elapsed_max")]
    groups = rows.groupBy(*keys).agg(*sums)
    return groups.select(F.to_json(_interaction(groups.columns)).alias("value"))


def _seconds(rows: DataFrame, expression: str) -> Column:
    """Converts numbers, timestamps, or text of either, to seconds since 1970. The default zone is the session's."""
    from pyspark.sql import functions as F

    kind = rows.select(F.expr(expression).alias("time")).schema["time"].dataType.typeName()
    if kind == "string":
        return F.expr(
            f"coalesce(try_cast(({expression}) AS double), cast(try_cast(({expression}) AS timestamp) AS double))"
        )
    # A timestamp without a zone can't be cast to a number.
    moment = F.expr(expression)
    return (moment.cast("timestamp") if kind == "timestamp_ntz" else moment).cast("double")


def _interaction(columns: Sequence[str]) -> Column:
    """Converts a group to an interaction of a traffic file; null values are left out."""
    from pyspark.sql import functions as F

    parts = [F.struct("method", "url").alias("request")]
    if "status" in columns:
        response = [F.col("status").cast("int").alias("status_code")]
        response += [
            (F.col(name) / F.lit(1e6)).alias(name) for name in ("elapsed_sum", "elapsed_max") if name in columns
        ]
        parts.append(F.when(F.col("status").isNotNull(), F.struct(*response)).alias("response"))
    parts += [F.col(name) for name in ("count", "first_at", "last_at") if name in columns]
    unseen = [F.lit("none").alias("request_headers"), F.lit("none").alias("response_headers")]
    unseen += [F.lit(False).alias("request_body"), F.lit(False).alias("response_body")]
    parts.append(F.struct(*unseen).alias("visibility"))
    return F.struct(*parts)


def count_with_rdds(lines: DataFrame, covtool: Covtool) -> list[str]:
    """Counts lines (the first column) with `mapPartitions` and `treeReduce`; returns a few lines of hits."""

    def record(rows: Iterable[Row]) -> Iterable[list[str]]:
        yield [covtool.record(row[0] for row in rows)]

    def add(one: list[str], other: list[str]) -> list[str]:
        both = one + other
        return [covtool.merge(both)] if len(both) >= MERGED_TOGETHER else both

    parts = lines.rdd.mapPartitions(record)
    return parts.treeReduce(add) if parts.getNumPartitions() > 0 else []


def count_with_arrow(lines: DataFrame, covtool: Covtool) -> list[str]:
    """Does the same with `mapInArrow`, for platforms without RDDs, such as those behind Spark Connect."""
    import pyarrow

    def through(
        process: Callable[[Iterable[str]], str],
    ) -> Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
        def run(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            texts = (text for batch in batches for text in batch.column(0).to_pylist())
            result = process(texts)
            if result != "":
                yield pyarrow.RecordBatch.from_pydict({"value": [result]})

        return run

    def merge(texts: Iterable[str]) -> str:
        hits = list(texts)
        return covtool.merge(hits) if hits else ""

    parts = lines.mapInArrow(through(covtool.record), "value string")
    merged = parts.repartition(MERGERS).mapInArrow(through(merge), "value string")
    return [row[0] for row in merged.collect()]


def read_lines(spark: SparkSession, given: argparse.Namespace) -> DataFrame:
    """Reads the lines to count: text unchanged, rows of JSON and Parquet grouped."""
    if given.format == "text":
        lines = spark.read.text(given.input)
        # Lines are distributed by their contents, so that a recomputed partition has the same lines.
        return lines if given.partitions is None else lines.repartition(given.partitions, "value")
    rows = spark.read.format(given.format).load(given.input)
    columns = {name: f"`{name}`" for name in FIELDS if name in rows.columns}
    columns.update(given.column)
    missing = [name for name in ("method", "url") if name not in columns]
    if missing:
        raise SystemExit(
            f"No column has the {' and the '.join(missing)} of requests. Columns: {', '.join(rows.columns)}. "
            f"Say which, as in --column '{missing[0]}=EXPRESSION'."
        )
    if given.partitions is not None:
        spark.conf.set("spark.sql.shuffle.partitions", str(given.partitions))
        # Fewer, larger partitions would leave processors idle: counting takes longer than grouping.
        spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    return weighted_lines(rows, columns)


def _column(text: str) -> tuple[str, str]:
    name, equals, expression = text.partition("=")
    if equals == "" or name not in FIELDS or expression.strip() == "":
        raise argparse.ArgumentTypeError(f"expected NAME=EXPRESSION with one of {', '.join(FIELDS)}, but got {text!r}")
    return name, expression


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="covtool_spark.py", description="Count API traffic of any size as one line of covtool's hits."
    )
    add = parser.add_argument
    add("--schema", required=True, help="OpenAPI description: a file of the driver, or an http(s) URL")
    add("--schema-folder", metavar="DIR", help="folder of files that the description refers to")
    add("--input", required=True, action="append", help="files, folders or patterns, as Spark reads them; repeatable")
    add("--output", required=True, metavar="PATH", help="file of the driver for the hits; - for standard output")
    add("--format", choices=("text", "json", "parquet"), default="text", help="text: lines of traffic or access logs")
    add(
        "--column",
        action="append",
        default=[],
        type=_column,
        metavar="NAME=EXPRESSION",
        help=f"of json and parquet: Spark SQL for one of {', '.join(FIELDS)} (default: the column of that name)",
    )
    add("--partitions", type=int, metavar="N", help="parts to count (default: as Spark divides the input)")
    add("--engine", choices=("rdd", "arrow"), default="rdd", help="arrow: for platforms without RDDs")
    add("--covtool", default="covtool", metavar="PATH", help="the program, on every machine (default: covtool)")
    add(
        "--option",
        action="append",
        default=[],
        metavar="TEXT",
        help="option of covtool, as in --option=--base-path=/v1",
    )
    add("--record-option", action="append", default=[], metavar="TEXT", help="option of covtool record-hits alone")
    return parser


def main(given: argparse.Namespace) -> None:
    from pyspark.sql import SparkSession

    covtool = Covtool(
        program=given.covtool,
        description=read_description(given.schema, given.schema_folder),
        options=tuple(given.option),
        record_options=tuple(given.record_option),
    )
    # Times without a zone are in UTC, whichever zone the machine is in.
    spark = SparkSession.builder.appName("covtool").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    try:
        lines = read_lines(spark, given)
        count = count_with_arrow if given.engine == "arrow" else count_with_rdds
        hits = count(lines, covtool)
    finally:
        spark.stop()
    # The last merge is done here, so that the description has the name that the user gave it.
    total = covtool.merge(hits or [covtool.record([])], schema=given.schema)
    if given.output == "-":
        print(total)
        return
    part = f"{given.output}.part"
    Path(part).write_text(f"{total}\n", encoding="utf-8")
    os.replace(part, given.output)


if __name__ == "__main__":
    main(arguments().parse_args())
