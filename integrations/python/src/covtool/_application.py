"""Gets the description that an application generates, such as one of FastAPI."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

_SCRIPT = """
import importlib, json, sys
module, name = sys.argv[1].split(":")
sys.path[:0] = sys.argv[2:]
try:
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not hasattr(found, "openapi") and callable(found):
        found = found()  # a function that makes the application
    print("\\n" + json.dumps(found.openapi()))
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])  # some errors go on for several lines
"""


def is_application(name: str) -> bool:
    """True for MODULE:NAME."""
    return re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", name) is not None


def describe(application: str, folders: Sequence[str]) -> str:
    """Returns the description of an application. It is imported in another process: tests may prepare their import.

    :param application: MODULE:NAME.
    :param folders: The folders to search first for modules.
    :raises ValueError: If there is none, with a sentence for the user.
    """
    ended = subprocess.run(
        [sys.executable, "-c", _SCRIPT, application, *folders], capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        reason = (ended.stderr.strip().splitlines() or ["it ended early"])[-1]
        raise ValueError(f"{application} has no description: {reason}. Name a file, a URL or an application of FastAPI.")
    text = ended.stdout.strip().splitlines()[-1]
    json.loads(text)
    return text
