"""Runs the Spark job on generated logs, with faults, and compares its hits with those of one process, byte for byte.

    python check_spark.py FOLDER PROGRAM DESCRIPTION

Prints a line of JSON for each check: its name, what went wrong (null if nothing), and a note.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOB = HERE.parent.parent / "integrations" / "spark" / "covtool_spark.py"
sys.path.insert(0, str(JOB.parent))

import covtool_spark as job  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402
from write_log import write_log  # noqa: E402

LINES = int(os.environ.get("COVTOOL_SPARK_LINES", "400000"))
FEWER = LINES // 10
PARTITIONS = 16

FOLDER, PROGRAM, SCHEMA = Path(sys.argv[1]), sys.argv[2], sys.argv[3]


def check(name: str, what: Callable[[], str | None]) -> None:
    """Runs a check, which fails with an exception, and prints the result."""
    start = time.monotonic()
    try:
        note, problem = what(), None
    except Exception as error:  # the check reports any error
        note, problem = None, f"{type(error).__name__}: {error}"[:3000]
    seconds = f"{time.monotonic() - start:.0f} s"
    text = json.dumps({"name": name, "problem": problem, "note": f"{note}, {seconds}" if note else seconds})
    print(f"RESULT {text}", flush=True)


def one_process(lines: Path) -> str:
    """The hits from a single process that reads all lines."""
    with lines.open("rb") as file:
        return (
            subprocess.run(
                [PROGRAM, "record-hits", SCHEMA],
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            .stdout.decode()
            .rstrip("\n")
        )


def flaky(*faults: str) -> tuple[job.Covtool, Path]:
    """covtool with these faults, and the folder that records the faults that have happened."""
    flags = FOLDER / f"flags-{'-'.join(faults)}"
    flags.mkdir()
    program = FOLDER / f"covtool-{'-'.join(faults)}"
    program.write_text(
        "#!/bin/sh\n"
        f"export FLAKY='{','.join(faults)}' FLAKY_FOLDER='{flags}' FLAKY_PROGRAM='{PROGRAM}'\n"
        f"exec '{sys.executable}' '{HERE / 'flaky_covtool.py'}' \"$@\"\n"
    )
    program.chmod(0o755)
    return job.Covtool(str(program), job.read_description(SCHEMA, None)), flags


RELIABLE = job.Covtool(PROGRAM, job.read_description(SCHEMA, None))


def total(hits: list[str]) -> str:
    return RELIABLE.merge(hits, schema=SCHEMA)


def same(actual: str, expected: str) -> None:
    if actual != expected:
        raise AssertionError(f"The hits differ: {actual[:300]} … instead of {expected[:300]} …")


def session(master: str) -> SparkSession:
    spark = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(FOLDER / "warehouse"))
        .getOrCreate()
    )
    spark.sparkContext.addPyFile(str(JOB))
    return spark


def dealt(spark: SparkSession, log: Path, partitions: int = PARTITIONS) -> DataFrame:
    return spark.read.text(str(log)).repartition(partitions, "value")


def main() -> None:
    log, less = FOLDER / "gateway.log", FOLDER / "less.log"
    write_log(log, LINES, seed=1)
    write_log(less, FEWER, seed=2)
    expected, expected_less = one_process(log), one_process(less)
    # Four attempts for each task: a local master makes only one otherwise.
    spark = session("local[2,4]")

    def whole() -> str:
        covtool, flags = flaky("killed", "late")
        same(total(job.count_with_rdds(dealt(spark, log), covtool)), expected)
        happened = sorted(path.name for path in flags.iterdir())
        assert happened == ["killed", "late"], happened
        return f"{LINES:,} lines, {PARTITIONS} partitions"

    check("Spark counts what one process counts; one process was killed midway, one task ran twice", whole)

    def orders() -> str:
        parts = dealt(spark, less).rdd.mapPartitions(lambda rows: [RELIABLE.record(row[0] for row in rows)]).collect()
        assert len(parts) == PARTITIONS
        chance = random.Random(3)
        for _ in range(3):
            chance.shuffle(parts)
            cut = chance.randrange(1, PARTITIONS - 1)
            same(total([RELIABLE.merge(parts[:cut]), *parts[cut:]]), expected_less)
        return "3 orders"

    check("partitions add up in any order, in any groups", orders)

    def grouped() -> str:
        rows = spark.range(FEWER).select(
            F.expr("element_at(array('GET', 'GET', 'POST', 'DELETE'), int(id % 4) + 1)").alias("verb"),
            F.expr("concat('/api/v1/books/', id % 13)").alias("path"),
            F.expr("concat('page=', id % 5)").alias("query"),
            F.expr("if(id % 11 = 0, null, 200 + int(id % 3))").alias("status"),
            F.expr("if(id % 7 = 0, null, 1.7e9 + id / 8)").alias("timestamp"),
            F.expr("if(id % 5 = 0, null, (id * 7919 % 1000003) / 1e6)").alias("seconds"),
        )
        rows.write.parquet(str(FOLDER / "rows"))
        unseen = '{"request_headers":"none","request_body":false,"response_headers":"none","response_body":false}'
        lines = rows.select(
            F.expr(
                "to_json(struct(struct(verb AS method, concat(path, '?', query) AS url) AS request,"
                " if(status IS NULL, null, struct(status AS status_code, seconds AS elapsed)) AS response,"
                f" timestamp, from_json('{unseen}', 'request_headers string, request_body boolean,"
                " response_headers string, response_body boolean') AS visibility))"
            )
        )
        Path(FOLDER, "rows.jsonl").write_text("\n".join(row[0] for row in lines.collect()))
        given = job.arguments().parse_args(
            ["--schema", SCHEMA, "--input", str(FOLDER / "rows"), "--output", "-", "--format", "parquet"]
            + ["--column", "method=verb", "--column", "url=concat(path, '?', query)", "--column", "elapsed=seconds"]
            + ["--partitions", "5"]
        )
        groups = job.read_lines(spark, given)
        number = groups.count()
        assert number < FEWER / 3, number
        same(total(job.count_with_rdds(groups, RELIABLE)), one_process(FOLDER / "rows.jsonl"))
        return f"{FEWER:,} rows in {number:,} groups"

    check("rows of Parquet, grouped to counts, are what their lines are", grouped)

    def zoneless() -> None:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        seconds = "1.7e9 + id * 0.25"
        kinds = {
            "seconds": seconds,
            "timestamp": f"timestamp_micros(bigint(({seconds}) * 1e6))",
            "timestamp_ntz": f"cast(timestamp_micros(bigint(({seconds}) * 1e6)) AS timestamp_ntz)",
            "text of a timestamp": f"string(timestamp_micros(bigint(({seconds}) * 1e6)))",
            "text with a zone": f"concat(replace(timestamp_micros(bigint(({seconds}) * 1e6)), ' ', 'T'), 'Z')",
            "text of seconds": f"string({seconds})",
        }
        for kind, expression in kinds.items():
            columns = {"method": "'GET'", "url": "'/books'", "timestamp": expression}
            [row] = job.weighted_lines(spark.range(9), columns).collect()
            line = json.loads(row[0])
            times = [line["first_at"], line["last_at"], line["count"]]
            assert times == [1.7e9, 1.7e9 + 2, 9], (kind, times)

    check("times are numbers, timestamps with a zone or without one, and text of these", zoneless)

    def referring() -> None:
        folder = FOLDER / "description"
        (folder / "parts").mkdir(parents=True)
        (folder / "openapi.yaml").write_text(
            "openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths:\n  /books: { $ref: parts/books.yaml }\n"
        )
        (folder / "parts" / "books.yaml").write_text("get: { responses: { 200: { description: Books } } }\n")
        travelling = job.read_description(str(folder / "openapi.yaml"), str(folder))
        (folder / "parts" / "books.yaml").unlink()
        hits = job.Covtool(PROGRAM, travelling).record(['{"request": {"method": "GET", "url": "/books"}}'])
        assert json.loads(hits)["matched"] == 1, hits

    check("a description takes the files along that it refers to", referring)

    def failing() -> None:
        broken = job.Covtool(PROGRAM, job.Description("none.yaml", {"none.yaml": b"paths: {}"}))
        try:
            job.count_with_rdds(spark.createDataFrame([("x",)], "value string"), broken)
        except Exception as error:  # Spark wraps it
            assert "covtool record-hits ended with 1." in str(error) and "Cannot load" in str(error), error
            return
        raise AssertionError("A description that is none was taken.")

    check("a job whose covtool fails says what covtool said", failing)
    spark.stop()

    def submitted() -> None:
        output = FOLDER / "submitted.hits"
        project = FOLDER / "project"
        project.mkdir()
        (project / "covtool.yaml").write_text("basePath: /elsewhere\n")
        subprocess.run(
            [str(Path(sys.executable).parent / "spark-submit"), "--master", "local[2]", str(JOB)]
            + ["--schema", SCHEMA, "--input", str(less), "--output", str(output), "--engine", "arrow"]
            + ["--covtool", PROGRAM, "--partitions", "4"],
            check=True,
            capture_output=True,
            cwd=project,
        )
        same(output.read_text().rstrip("\n"), expected_less)

    check("spark-submit runs it, with mapInArrow too, whatever config file is there", submitted)

    def executor() -> None:
        cluster = session("local-cluster[2,1,1024]")
        try:
            covtool, flags = flaky("executor")
            same(total(job.count_with_rdds(dealt(cluster, less, 6), covtool)), expected_less)
            assert [path.name for path in flags.iterdir()] == ["executor"]
        finally:
            cluster.stop()

    check("an executor that is killed midway changes nothing", executor)


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main()
