"""Records in the server, for tests whose client isn't recorded itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

from ._environ import environ_headers, environ_url
from ._recorder import RECORDER, Exchange, inside

StartResponse = Callable[..., Any]
Environ = dict[str, Any]
WsgiApp = Callable[[Environ, StartResponse], Iterable[bytes]]


class WsgiRecorder:
    """A WSGI application that records the requests and responses of another one::

        app.wsgi_app = WsgiRecorder(app.wsgi_app)

    It does nothing if ``COVTOOL_TRAFFIC`` isn't set, nor for requests of clients that record themselves.
    """

    def __init__(self, app: WsgiApp) -> None:
        self._app = app
        RECORDER.start()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        return record_call(self._app, environ, start_response, None if inside.get() else begin(environ))


def record_call(app: WsgiApp, environ: Environ, start_response: StartResponse, exchange: Exchange | None) -> Iterable[bytes]:
    """Calls an application, and records the exchange."""
    if exchange is None:
        return app(environ, start_response)
    sent = environ.get("wsgi.input")
    if isinstance(sent, BytesIO):
        exchange.sent(sent.getvalue()[sent.tell() :])
    elif sent is not None:
        environ["wsgi.input"] = _CopiedInput(sent, exchange)

    def start(status: str, headers: list[tuple[str, str]], *args: Any) -> Any:
        exchange.answered(int(status.split(" ", 1)[0]), headers)
        write = start_response(status, headers, *args)

        def copied(data: bytes) -> Any:
            exchange.received(data)
            return write(data)

        return copied

    try:
        chunks = app(environ, start)
    except BaseException:
        exchange.end()
        raise
    if isinstance(chunks, (list, tuple)):
        for chunk in chunks:
            exchange.received(chunk)
        exchange.end()
        return chunks
    return _CopiedOutput(chunks, exchange)


def begin(environ: Environ) -> Exchange | None:
    """Begins the exchange of a WSGI environment."""
    if not RECORDER.is_active:
        return None
    try:
        return RECORDER.begin(environ["REQUEST_METHOD"], environ_url(environ), environ_headers(environ))
    except Exception as error:
        RECORDER.fail(error)
        return None


class _CopiedInput:
    """A request body that is noted while the application reads it."""

    def __init__(self, stream: Any, exchange: Exchange) -> None:
        self._stream = stream
        self._exchange = exchange

    def read(self, *args: Any) -> Any:
        return self._noted(self._stream.read(*args))

    def readline(self, *args: Any) -> Any:
        return self._noted(self._stream.readline(*args))

    def readlines(self, *args: Any) -> Any:
        lines = self._stream.readlines(*args)
        for line in lines:
            self._exchange.sent(line)
        return lines

    def __iter__(self) -> Iterator[bytes]:
        for line in self._stream:
            yield self._noted(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _noted(self, data: Any) -> Any:
        self._exchange.sent(data)
        return data


class _CopiedOutput:
    """A response body that is noted while it is read."""

    def __init__(self, chunks: Iterable[bytes], exchange: Exchange) -> None:
        self._chunks = chunks
        self._iterator: Iterator[bytes] | None = None
        self._exchange = exchange

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._iterator is None:
            self._iterator = iter(self._chunks)
        try:
            chunk = next(self._iterator)
        except StopIteration:
            self._exchange.end()
            raise
        except BaseException:
            self._exchange.end(is_whole=False)
            raise
        self._exchange.received(chunk)
        return chunk

    def close(self) -> None:
        self._exchange.end(is_whole=False)
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()
