"""The pytest plugin: records requests if ``covtool run`` runs pytest, or writes the report itself (``--covtool``)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from typing import Any

import pytest

from ._application import describe, is_application
from ._changes import is_asked, tell_outcome
from ._hooks import install
from ._program import HOW_TO_GET_IT, find_program
from ._recorder import RECORDER

_PROBLEM = "covtool_problem"

_failed: set[str] = set()
"""The ids of the tests that have failed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("covtool", "coverage of an OpenAPI description")
    group.addoption(
        "--covtool",
        metavar="DESCRIPTION",
        help="Measure how much of this OpenAPI description the tests exercise: a file, a URL, "
        "or an application of FastAPI as MODULE:NAME.",
    )
    group.addoption(
        "--covtool-fail-under",
        metavar="PERCENT",
        type=float,
        help="Fail if a dimension is covered to less than this, with --covtool.",
    )
    group.addoption(
        "--covtool-format",
        metavar="FORMAT[=FILE]",
        action="append",
        default=[],
        help="Also write this report, with --covtool: html, json=coverage.json, …",
    )
    group.addoption(
        "--covtool-option",
        metavar="OPTION",
        action="append",
        default=[],
        help="Pass an option on to covtool report, with --covtool: --covtool-option=--base-path=/v1",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    description = config.getoption("covtool")
    # Inside `covtool run` and `covtool mutate`, the tests record for that command, whose thresholds decide alone.
    folder = os.environ.get("COVTOOL_TRAFFIC", "")
    is_inside = os.path.basename(folder).startswith("covtool-run-") and os.path.isdir(folder)
    if description is None or hasattr(config, "workerinput") or is_inside:
        needless = [name for name in ("fail_under", "format", "option") if config.getoption(f"covtool_{name}")]
        if needless and description is None:
            raise pytest.UsageError(f"--covtool-{needless[0].replace('_', '-')} needs --covtool DESCRIPTION.")
        install("pytest")
        return
    made = None
    if "://" not in description and not os.path.isfile(description):
        if not is_application(description):
            raise pytest.UsageError(
                f"--covtool: There is no file {description}. Name an OpenAPI description: a file or URL, "
                "or an application of FastAPI: --covtool main:app"
            )
        try:
            made = describe(description, [str(config.rootpath), *map(str, config.getini("pythonpath"))])
        except ValueError as error:
            raise pytest.UsageError(f"--covtool: {error}") from None
    program = find_program()
    if program is None:
        raise pytest.UsageError(f"--covtool: {HOW_TO_GET_IT}")
    if made is None and "://" not in description:
        _check(program, description)
    config.pluginmanager.register(_Report(config, program, description, made), "covtool-report")
    install("pytest")


def _check(program: str, path: str) -> None:
    """Refuses a description that can't be loaded: tests that run for minutes would be measured in vain."""
    try:
        ended = subprocess.run(
            [program, "record-hits", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError:
        return  # the report says why
    problem = ended.stderr.removeprefix("Error: ").partition("\n")[0]
    if ended.returncode == 1:
        raise pytest.UsageError(f"--covtool: {problem}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if not RECORDER.is_active:
        return (yield)
    path, line, _ = item.location
    test: dict[str, Any] = {"name": item.nodeid, "file": path.replace(os.sep, "/")}
    if line is not None:
        test["line"] = line + 1
    RECORDER.test = test
    _failed.discard(item.nodeid)
    try:
        return (yield)
    finally:
        RECORDER.test = None
        if is_asked():
            tell_outcome(test, item.nodeid not in _failed)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _failed.add(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    RECORDER.flush()
    output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
    if output is not None and RECORDER.problem is not None:
        output[_PROBLEM] = RECORDER.problem


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    RECORDER.problem = RECORDER.problem or getattr(node, "workeroutput", {}).get(_PROBLEM)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if RECORDER.problem is not None:
        terminalreporter.write_line(f"covtool: {RECORDER.problem}", yellow=True)


class _Report:
    """Runs the program after the tests. Only the process that the user started has this plugin, not the workers."""

    def __init__(self, config: pytest.Config, program: str, description: str, made: str | None) -> None:
        self._config = config
        self._program = program
        self._description = description
        self._made = made
        self._own: str | None = None
        # A folder that the user named is kept.
        folder = os.environ.get("COVTOOL_TRAFFIC")
        if not folder:
            # By this name, the program knows that the folder will be deleted, and names it in no command.
            folder = self._own = os.environ["COVTOOL_TRAFFIC"] = tempfile.mkdtemp(prefix="covtool-run-pytest-")
        self._folder = folder
        self._output = ""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        RECORDER.stop()
        option = self._config.getoption
        formats = ["text", *option("covtool_format")]
        command = [self._program, "report", self._path(), self._folder, *(f"--format={name}" for name in formats)]
        if option("covtool_fail_under") is not None:
            command.append(f"--fail-under={option('covtool_fail_under'):g}")
        command += option("covtool_option")
        try:
            ended = subprocess.run(
                command,
                cwd=self._config.invocation_params.dir,  # tests may have changed the working directory
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
            self._output = "\n".join(text for text in (ended.stdout.rstrip(), ended.stderr.rstrip()) if text)
            code = ended.returncode
        except OSError as error:
            self._output, code = f"covtool: Cannot run {self._program}: {error.strerror}.", 2
        if code != 0 and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _path(self) -> str:
        """Returns the path of the description. What an application made is kept: reports and commands name it."""
        if self._made is None:
            return self._description
        start = self._config.invocation_params.dir
        cache = getattr(self._config, "cache", None)
        try:
            folder = cache.mkdir("covtool") if cache is not None else tempfile.mkdtemp(prefix="covtool-description-")
        except OSError:  # a project that can't be written to
            folder = tempfile.mkdtemp(prefix="covtool-description-")
        path = os.path.join(folder, "openapi.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._made)
        return path.removeprefix(os.path.join(start, ""))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("covtool")
        terminalreporter.write_line(self._output)

    def pytest_unconfigure(self) -> None:
        if self._own is not None:
            os.environ.pop("COVTOOL_TRAFFIC", None)
            shutil.rmtree(self._own, ignore_errors=True)
