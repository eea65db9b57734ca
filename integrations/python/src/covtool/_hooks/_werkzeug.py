"""Records the test client of Werkzeug, on which Flask's is based."""

from __future__ import annotations

import functools
from http.client import responses
from types import ModuleType
from typing import Any

from .._changes import changed, is_asked
from .._recorder import RECORDER, Exchange, inside
from ..wsgi import begin, record_call


def hook(module: ModuleType) -> None:
    original: Any = module.run_wsgi_app

    @functools.wraps(original)
    def run_wsgi_app(app: Any, environ: Any, *args: Any, **kwargs: Any) -> Any:
        exchange = begin(environ)
        if exchange is None:
            return original(app, environ, *args, **kwargs)

        def recorded(environ: Any, start_response: Any) -> Any:
            return record_call(app, environ, start_response, exchange)

        token = inside.set(True)
        try:
            answer = original(recorded, environ, *args, **kwargs)
        finally:
            inside.reset(token)
        headers = answer[2]
        return _change(exchange, answer, type(headers)) if is_asked(headers.get("content-type")) else answer

    module.run_wsgi_app = run_wsgi_app  # type: ignore[attr-defined]


def _change(exchange: Exchange, answer: Any, headers_type: Any) -> Any:
    """Replaces the response if `covtool mutate` asks for it."""
    chunks, status, headers = answer
    body = list(chunks)
    if hasattr(chunks, "close"):
        chunks.close()
    try:
        given = changed(exchange)
        if given is not None:
            code, pairs, data = given
            return [data], f"{code} {responses.get(code, 'Changed')}", headers_type(pairs)
    except Exception as error:
        RECORDER.fail(error)
    return body, status, headers
