"""Asks covtool for replacements of responses while `covtool mutate` runs: see docs/protocol.md."""

from __future__ import annotations

import json
import os
import re
from binascii import a2b_base64
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from ._recorder import Exchange, Headers

_encode = json.JSONEncoder(separators=(",", ":")).encode


_STREAMS = re.compile(
    r"(?i)text/event-stream|multipart/x-mixed-replace|application/(stream\+json|(x-|[^;]+\+)?(ndjson|json-?l|json-seq))"
)
"""Media types of responses that may have no end, so that waiting for it could take for ever."""


def is_asked(content_type: str | None = None) -> bool:
    """True if `covtool mutate` runs the tests, and may change a response of this media type that isn't read yet."""
    is_stream = content_type is not None and _STREAMS.match(content_type) is not None
    return bool(os.environ.get("COVTOOL_CHANGES")) and not is_stream


def changed(exchange: Exchange) -> tuple[int, Headers, bytes] | None:
    """Returns status, header fields and body of the replacement; None if the response stays unchanged."""
    status, data = _ask("", exchange.line())
    if status != 200:
        return None
    answer = json.loads(data)
    headers = [(str(name), str(value)) for name, value in answer["headers"]]
    return answer["status_code"], headers, a2b_base64(answer["body_base64"])


def tell_outcome(test: dict[str, Any], is_passed: bool) -> None:
    """Reports to covtool whether a test has passed."""
    _ask("/outcome", {"test": test, "outcome": "passed" if is_passed else "failed"})


def _ask(path: str, message: dict[str, Any]) -> tuple[int, bytes]:
    url = urlsplit(os.environ["COVTOOL_CHANGES"])
    # Configured proxies are only for the requests of tests, so this connection uses none.
    connection = HTTPConnection(url.hostname or "", url.port, timeout=30)
    try:
        connection.request("POST", url.path + path, _encode(message).encode("ascii"))
        response = connection.getresponse()
        return response.status, response.read()
    except OSError:
        return 0, b""  # covtool has ended, and nothing is changed any more
    finally:
        connection.close()
