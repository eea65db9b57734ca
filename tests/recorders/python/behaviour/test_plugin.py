"""Tests of the pytest plugin, each in its own process."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import APP


@functools.cache
def forking() -> Any:
    """The process whose forks run pytest. It ends at the end of its input, which this process closes on exit."""
    program = [sys.executable, str(Path(__file__).with_name("forked.py"))]
    return subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def arguments_of(args: tuple[str, ...]) -> list[str]:
    plugins = ["covtool.pytest_plugin", *(["xdist.plugin"] if "-n" in args else [])]
    plugins += [] if "--cache-clear" in args else ["no:cacheprovider"]
    return [*(f"-p{name}" for name in plugins), "-W", "error", *args]


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    out, err = project.path / "out", project.path / "err"
    for path in (out, err):
        path.write_text("")
    one = {"arguments": arguments_of(args), "folder": str(project.path), "variables": {**os.environ}}
    forking().stdin.write(json.dumps({**one, "out": str(out), "err": str(err)}) + "\n")
    forking().stdin.flush()
    code = int(forking().stdout.readline())
    return pytest.RunResult(code, out.read_text().splitlines(), err.read_text().splitlines(), 0)


@functools.cache
def description() -> bytes:
    """The description of the application that all projects have."""
    code = f"{APP}\nimport json\nprint(json.dumps(app.openapi()))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout


def describe(project: pytest.Pytester) -> None:
    (project.path / "openapi.json").write_bytes(description())


def names(lines: Any) -> list[tuple[str, str, int]]:
    return [(line["test"]["name"], line["test"]["file"], line["test"]["line"]) for line in lines()]


def test_requests_are_recorded_with_their_tests(project: pytest.Pytester, lines: Any, traffic: Path) -> None:
    # All other runs start as forks of a process that has imported a lot.
    project.runpytest_subprocess(*arguments_of(())).assert_outcomes(passed=3)
    assert names(lines) == [
        ("test_books.py::TestBooks::test_list", "test_books.py", 5),
        ("test_books.py::test_create[Momo]", "test_books.py", 8),
        ("test_books.py::test_create[Krabat]", "test_books.py", 8),
    ]
    assert stat.S_IMODE(traffic.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in traffic.iterdir()} == {0o600}


def test_nothing_is_recorded_or_changed_without_a_folder(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COVTOOL_TRAFFIC")
    project.makepyfile(
        test_books="""
        import sys
        import requests

        def test_untouched():
            assert requests.Session.send.__module__ == "requests.sessions"
            assert not hasattr(requests.Session.send, "__wrapped__")
            assert not any(type(finder).__module__.startswith("covtool") for finder in sys.meta_path)
        """
    )
    run(project).assert_outcomes(passed=1)


def test_xdist_workers_record_and_the_lines_of_a_killed_worker_are_kept(project: pytest.Pytester, lines: Any) -> None:
    run(project, "-n", "2").assert_outcomes(passed=3)
    assert len(names(lines)) == 3
    project.makepyfile(
        test_end="""
        import os
        from app import client

        def test_end():
            client.get("/books?limit=99")
            os._exit(1)
        """
    )
    run(project, "-n", "1", "--max-worker-restart", "0", "test_end.py").assert_outcomes(failed=1)
    assert [line["test"]["name"] for line in lines() if "limit=99" in line["request"]["url"]] == ["test_end.py::test_end"]


def test_async_tests_are_named_and_their_clients_recorded(project: pytest.Pytester, lines: Any) -> None:
    project.makepyfile(
        test_books="""
        import pytest

        @pytest.mark.asyncio
        async def test_async():
            import httpx  # after the plugin has started
            from app import app

            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://books") as client:
                assert (await client.get("/books")).json() == []
        """
    )
    project.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    run(project, "-p", "pytest_asyncio.plugin").assert_outcomes(passed=1)
    assert [(line["request"]["url"], line["test"]["name"]) for line in lines()] == [
        ("http://books/books", "test_books.py::test_async")
    ]


def test_an_exception_reaches_the_test_and_is_recorded_as_a_response(project: pytest.Pytester, lines: Any) -> None:
    project.makepyfile(
        test_books="""
        import pytest
        from app import client

        def test_raises():
            with pytest.raises(ValueError, match="unlucky"):
                client.get("/books?limit=13")
        """
    )
    run(project).assert_outcomes(passed=1)
    # In this case, older versions of Starlette have no response.
    assert [line.get("response", {}).get("status_code", 500) for line in lines()] == [500]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_folder_without_write_permission_gives_one_warning_at_the_end(
    project: pytest.Pytester, traffic: Path, workers: list[str]
) -> None:
    traffic.write_text("a file")
    result = run(project, *workers)
    result.assert_outcomes(passed=3)
    told = [line for line in result.outlines if line.startswith("covtool:")]
    assert len(told) == 1
    assert re.match(r"covtool: Process \d+ could not record all requests in .*traffic: File exists\.$", told[0])


def test_a_full_disk_gives_one_warning_and_a_note_for_covtool(project: pytest.Pytester, lines: Any, traffic: Path) -> None:
    project.makepyfile(
        test_books="""
        import errno, os
        from app import client

        def test_full(monkeypatch):
            write = os.write
            system = "covtool._recorder._System.write"
            client.get("/books?limit=1")

            def full(file, data):
                if b"testserver" in data:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return write(file, data)

            monkeypatch.setattr(system, staticmethod(full))
            assert client.get("/books?limit=2").status_code == 200
            assert client.get("/books?limit=3").status_code == 200
        """
    )
    result = run(project)
    result.assert_outcomes(passed=1)
    assert sum(line.startswith("covtool:") for line in result.outlines) == 1
    assert len(lines()) == 1
    (problem,) = [json.loads(line) for path in traffic.glob("*.problems") for line in path.read_text().splitlines()]
    assert problem.endswith("No space left on device.")


def test_the_plugin_reports_in_the_summary_and_fails_below_a_threshold(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COVTOOL_TRAFFIC")
    describe(project)
    well = run(project, "--covtool", "openapi.json", "--covtool-format", "json=coverage.json", "-n", "2")
    assert well.ret == 0
    well.stdout.fnmatch_lines(["*= covtool =*", "Operations *100%*2 of 2*", "*POST /books*"])
    report = json.loads((project.path / "coverage.json").read_text())
    assert sorted(report["tests"])[0] == "test_books.py::TestBooks::test_list"
    well.stdout.no_fnmatch_line("*covtool-run-*")
    well.stdout.fnmatch_lines(["[#] More: covtool suggest openapi.json"])

    project.makepyfile(conftest="import os\n\ndef pytest_runtest_teardown():\n    os.chdir('/')")
    short = run(project, "--covtool", "openapi.json", "--covtool-fail-under", "95")
    short.assert_outcomes(passed=3)
    assert short.ret == 1
    short.stdout.fnmatch_lines(["*hreshold* not met:*", "*is below 95%*"])


def test_inside_covtool_run_the_plugin_only_records(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    describe(project)
    folder = tmp_path / "covtool-run-1-2-other-a"
    folder.mkdir()
    monkeypatch.setenv("COVTOOL_TRAFFIC", str(folder))
    inside = run(project, "--covtool", "openapi.json", "--covtool-fail-under", "100", "--covtool-format", "json=a.json")
    inside.assert_outcomes(passed=3)
    assert inside.ret == 0
    inside.stdout.no_fnmatch_line("*= covtool =*")
    assert list(folder.glob("*.ndjson"))
    assert not (project.path / "a.json").exists()


def test_an_application_is_its_own_description(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COVTOOL_TRAFFIC")
    named = run(project, "--covtool", "app:app", "--covtool-format", "markdown=report.md", "--cache-clear")
    assert named.ret == 0
    made = ".pytest_cache/d/covtool/openapi.json"
    named.stdout.fnmatch_lines([f"OpenAPI * {made}", "Operations *100%*2 of 2*", f"# More: covtool suggest {made}"])
    assert (project.path / made).is_file()
    assert f"covtool suggest {made}\n" in (project.path / "report.md").read_text()
    project.makepyfile(shop="import app\n\ndef make():\n    print('made')\n    return app.app")
    assert run(project, "--covtool", "shop:make").ret == 0
    assert run(project, "--covtool", "app:app").ret == 0
    project.makepyfile(failing="raise ValueError('two\\nlines')")
    for name, reason in [
        ("app:shop", "has no attribute 'shop'"),
        ("nothing:app", "No module named 'nothing'"),
        ("failing:app", "ValueError: two. Name"),
    ]:
        wrong = run(project, "--covtool", name)
        assert wrong.ret == 4
        wrong.stderr.fnmatch_lines([f"*--covtool: {name} has no description: *{reason}*"])


def test_a_failing_test_keeps_its_own_exit_code(project: pytest.Pytester) -> None:
    describe(project)
    project.makepyfile(test_books="def test_wrong():\n    assert False")
    assert run(project, "--covtool", "openapi.json").ret == 1
    assert run(project, "--covtool", "openapi.json", "nothing.py").ret == 4


def test_bad_options_are_errors_before_the_first_test(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = run(project, "--covtool", "api.json")
    assert missing.ret == 4
    missing.stderr.fnmatch_lines(["*There is no file api.json. Name an OpenAPI description*"])
    alone = run(project, "--covtool-fail-under", "80")
    assert alone.ret == 4
    alone.stderr.fnmatch_lines(["*--covtool-fail-under needs --covtool DESCRIPTION.*"])
    (project.path / "openapi.json").write_text("Starting\n{}")
    broken = run(project, "--covtool", "openapi.json")
    assert broken.ret == 4
    broken.stderr.fnmatch_lines(["ERROR: --covtool: Cannot load openapi.json: *"])
    describe(project)
    monkeypatch.setenv("PATH", "")
    without = run(project, "--covtool", "openapi.json")
    assert without.ret == 4
    without.stderr.fnmatch_lines(["*The program covtool was not found.*"])


def test_unittest_records_with_names(project: pytest.Pytester, lines: Any) -> None:
    project.makepyfile(
        test_books="""
        import unittest
        from app import client

        class Books(unittest.TestCase):
            def test_list(self):
                self.assertEqual(client.get("/books").status_code, 200)
        """
    )
    result = project.run(sys.executable, "-m", "covtool", "-m", "unittest", "-q")
    assert result.ret == 0
    assert [line["test"]["name"] for line in lines()] == ["test_books.Books.test_list"]


def test_scripts_run_as_in_python(project: pytest.Pytester, lines: Any) -> None:
    project.makepyfile(
        script="""
        import sys
        from app import client
        assert __name__ == "__main__" and sys.argv == ["script.py", "--limit"]
        client.get("/books")
        sys.exit(3)
        """
    )
    assert project.run(sys.executable, "-m", "covtool", "script.py", "--limit").ret == 3
    assert len(lines()) == 1
    usage = project.run(sys.executable, "-m", "covtool")
    assert usage.ret == 2
    usage.stderr.fnmatch_lines(["usage: python -m covtool -m MODULE*"])
