"""The test client of Werkzeug, and so that of Flask."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from .._recorder import inside
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
            return original(recorded, environ, *args, **kwargs)
        finally:
            inside.reset(token)

    module.run_wsgi_app = run_wsgi_app  # type: ignore[attr-defined]
