"""Finds the program `covtool`, which reads what was recorded and makes the reports."""

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
    """The path of the program: what the wheel brought, else what is on the PATH."""
    scripts = sysconfig.get_path("scripts")
    return shutil.which("covtool", path=scripts) or shutil.which("covtool", path=os.environ.get("PATH"))
