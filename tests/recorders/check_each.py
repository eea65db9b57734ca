"""Checks several folders in one process. Its argument is a JSON list of arguments of `conformance.py check`.

Prints a list of pairs: the output of each check, and whether it passed.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "conformance"))

from conformance import main  # noqa: E402

checked = []
for arguments in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = main(["check", *arguments])
    checked.append((said.getvalue(), code == 0))
print(json.dumps(checked))
