"""Records in the server, for tests whose client isn't recorded itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote

from ._environ import host_and_port
from ._recorder import RECORDER, Exchange, inside

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class AsgiRecorder:
    """An ASGI application that records the requests and responses of another one::

        app = AsgiRecorder(app)
        app.add_middleware(AsgiRecorder)  # Starlette and FastAPI

    It does nothing if ``COVTOOL_TRAFFIC`` isn't set, nor for requests of clients that record themselves.
    """

    def __init__(self, app: AsgiApp) -> None:
        self._app = app
        RECORDER.start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = None if scope["type"] != "http" or inside.get() else begin(scope)
        if exchange is None:
            await self._app(scope, receive, send)
            return

        async def copied_receive() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                exchange.sent(message.get("body"))
            return message

        async def copied_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.answered(message["status"], message.get("headers", ()))
            elif message["type"] == "http.response.body":
                exchange.received(message.get("body"))
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                exchange.end()

        try:
            await self._app(scope, copied_receive, copied_send)
        finally:
            exchange.end(is_whole=False)


def begin(scope: Scope) -> Exchange | None:
    """Begins the exchange of an ASGI scope."""
    if not RECORDER.is_active:
        return None
    try:
        return RECORDER.begin(scope["method"], scope_url(scope), scope["headers"])
    except Exception as error:
        RECORDER.fail(error)
        return None


def scope_url(scope: Scope) -> str:
    """Returns the whole URL of an ASGI scope, with the path as it was sent if the server provides it."""
    scheme = scope.get("scheme", "http")
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"host"), None)
    if host is None:
        server = scope.get("server") or ("localhost", None)
        host = host_and_port(scheme, server[0], server[1])
    raw = scope.get("raw_path")
    path = raw.decode("latin-1").partition("?")[0] if raw else quote(scope["path"], safe="/:@!$&'()*+,;=~")
    query = scope.get("query_string") or b""
    text = query.decode("latin-1") if isinstance(query, bytes) else query
    return f"{scheme}://{host}{path or '/'}" + (f"?{text}" if text else "")
