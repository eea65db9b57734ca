"""Records the HTTP requests of tests for covtool, which measures how much of an OpenAPI description they exercise.

The pytest plugin needs no code::

    covtool run openapi.json -- pytest

Requests are recorded only if the environment variable ``COVTOOL_TRAFFIC`` names a folder, as it does in
``covtool run``.
"""

from __future__ import annotations

from ._hooks import install
from ._recorder import running_test
from .asgi import AsgiRecorder
from .wsgi import WsgiRecorder

__all__ = ["AsgiRecorder", "WsgiRecorder", "__version__", "install", "running_test"]

__version__ = "0.1.0"
