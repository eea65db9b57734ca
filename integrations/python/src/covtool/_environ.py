"""Reads URL and header fields from a WSGI environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ._recorder import Headers


def environ_url(environ: Mapping[str, Any]) -> str:
    """Returns the whole URL. WSGI decodes the path, so its percent-encoding may differ; the query is as it was sent."""
    scheme = environ.get("wsgi.url_scheme", "http")
    host = environ.get("HTTP_HOST") or host_and_port(
        scheme, environ.get("SERVER_NAME", "localhost"), environ.get("SERVER_PORT")
    )
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    encoded = quote(path.encode("latin-1", "replace"), safe="/:@!$&'()*+,;=~") or "/"
    query = environ.get("QUERY_STRING", "")
    return f"{scheme}://{host}{encoded}" + (f"?{query}" if query else "")


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
