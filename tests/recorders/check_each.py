"""Checks several folders in one process: its argument is a list of those of `conformance.py check`.

Prints what each check said and whether it found nothing wrong, as a list of pairs.
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
