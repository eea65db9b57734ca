"""Finds the program `covtool`, which reads the recording and writes the reports."""

from __future__ import annotations

import os
import shutil
import sysconfig

HOW_TO_GET_IT = (
    "The program covtool was not found. The wheels for Linux (glibc), macOS and Windows bring it: "
    "pip install --force-reinstall --only-binary covtool covtool. "
    "On other machines, npm install --global covtool puts it on the PATH."
)


def find_program() -> str | None:
    """Returns the path of the program: the one in the wheel, or else the one on the PATH."""
    scripts = sysconfig.get_path("scripts")
    return shutil.which("covtool", path=scripts) or shutil.which("covtool", path=os.environ.get("PATH"))
