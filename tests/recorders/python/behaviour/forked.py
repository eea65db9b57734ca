"""Runs pytest in forks of a process that has imported slow modules that no recorder patches.

Each line of input is a run: its arguments, folder, variables, and files for standard output and standard error. It
prints the exit code of each.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

import fastapi  # noqa: F401
import pytest


def main() -> int:
    for line in sys.stdin:
        run = json.loads(line)
        child = os.fork()
        if child == 0:
            for descriptor, path in ((0, os.devnull), (1, run["out"]), (2, run["err"])):
                os.dup2(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), descriptor)
            os.chdir(run["folder"])
            os.environ.clear()
            os.environ.update(run["variables"])
            sys.path[0] = run["folder"]
            sys.argv[1:] = run["arguments"]
            importlib.invalidate_caches()
            return pytest.console_main()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
