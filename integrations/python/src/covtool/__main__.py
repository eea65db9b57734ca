"""Runs a program in Python whose requests are recorded: ``covtool run openapi.json -- python -m covtool -m unittest``."""

from __future__ import annotations

import functools
import os
import runpy
import sys
import unittest
from typing import Any

from ._hooks import install
from ._recorder import RECORDER, running_test

USAGE = """usage: python -m covtool -m MODULE [ARGUMENT …]
       python -m covtool FILE [ARGUMENT …]

Runs a module or a file, and records the requests that it sends, where COVTOOL_TRAFFIC names a folder:
    covtool run openapi.json -- python -m covtool -m unittest
    covtool run openapi.json -- python -m covtool manage.py test
pytest needs no such command, since it finds the plugin of covtool by itself."""


def name_tests() -> None:
    """Makes recorded requests carry the name of the running unittest test."""
    original = unittest.TestCase.run

    @functools.wraps(original)
    def run(self: unittest.TestCase, *args: Any, **kwargs: Any) -> Any:
        with running_test(self.id()):
            return original(self, *args, **kwargs)

    unittest.TestCase.run = run  # type: ignore[method-assign]


def main() -> None:
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    if is_module:
        del arguments[0]
    if not arguments or arguments[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    if install("unittest"):
        name_tests()
    sys.argv = arguments
    # As Python itself does.
    sys.path[0] = os.getcwd() if is_module else os.path.dirname(os.path.abspath(arguments[0]))
    try:
        if is_module:
            runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(arguments[0], run_name="__main__")
    finally:
        RECORDER.flush()
        if RECORDER.problem is not None:
            print(f"covtool: {RECORDER.problem}", file=sys.stderr)


if __name__ == "__main__":
    main()
