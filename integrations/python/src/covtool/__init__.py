"""Records the HTTP requests of tests for covtool, which tells how much of an OpenAPI description they exercise.

The pytest plugin needs no line of code::

    covtool run openapi.json -- pytest

Recording happens where the environment variable ``COVTOOL_TRAFFIC`` names a folder, as it does in ``covtool run``, and
nowhere else.
"""

from __future__ import annotations

from ._hooks import install
from ._recorder import running_test
from .asgi import AsgiRecorder
from .wsgi import WsgiRecorder

__all__ = ["AsgiRecorder", "WsgiRecorder", "__version__", "install", "running_test"]

__version__ = "0.1.0"
