"""Reads URL and header fields from a WSGI environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from ._recorder import Headers


def environ_url(environ: Mapping[str, Any]) -> str:
    """Returns the whole URL. Where the environment has only the decoded path, its percent-encoding may differ."""
    scheme = environ.get("wsgi.url_scheme", "http")
    host = environ.get("HTTP_HOST") or host_and_port(
        scheme, environ.get("SERVER_NAME", "localhost"), environ.get("SERVER_PORT")
    )
    query = environ.get("QUERY_STRING", "")
    return f"{scheme}://{host}{_path(environ) or '/'}" + (f"?{query}" if query else "")


def _path(environ: Mapping[str, Any]) -> str:
    script = quoted(environ.get("SCRIPT_NAME", ""))
    path = script + quoted(environ.get("PATH_INFO", ""))
    # Most servers, and Werkzeug's client, have the path as it was sent, too, with SCRIPT_NAME or without. After a
    # redirect, the client has that of the first request.
    sent = quoted((environ.get("REQUEST_URI") or environ.get("RAW_URI", "")).partition("?")[0], "%")
    same = (one for one in (sent, script + sent) if unquote_to_bytes(one) == unquote_to_bytes(path))
    return next(same, path)


def quoted(text: str, safe: str = "") -> str:
    """Percent-encodes a path that a server or a client decoded as Latin-1."""
    return quote(text.encode("latin-1", "replace"), safe="/:@!$&'()*+,;=~" + safe)


def host_and_port(scheme: str, host: str, port: object) -> str:
    """Returns the host of a URL, with the port unless it is the scheme's default."""
    text = "" if port is None else str(port)
    return host if text in ("", {"http": "80", "https": "443"}.get(scheme)) else f"{host}:{text}"


def environ_headers(environ: Mapping[str, Any]) -> Headers:
    pairs = [
        (_field_name(name[5:]), str(value))
        for name, value in environ.items()
        if name.startswith("HTTP_")
        and isinstance(value, str)
        and (value or name != "HTTP_COOKIE")  # Django's client adds it
    ]
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        value = environ.get(name)
        if value not in (None, ""):
            pairs.append((_field_name(name), str(value)))
    return pairs


def _field_name(name: str) -> str:
    return name.replace("_", "-").title()
