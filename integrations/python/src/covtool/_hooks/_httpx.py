"""Records httpx and httpx2, sync and async, and with them the test clients of Starlette and FastAPI."""

from __future__ import annotations

import functools
import sys
from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any

from .._changes import changed, is_asked
from .._recorder import RECORDER, CopiedIterator, Exchange, inside


def hook(module: ModuleType) -> None:
    package = module.__name__.partition(".")[0]
    types: Any = sys.modules[f"{package}._types"]
    content: Any = sys.modules[f"{package}._content"]

    class CopiedStream(types.SyncByteStream, types.AsyncByteStream):  # type: ignore[misc]
        """A request body that is noted while it is sent."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        def __iter__(self) -> Iterator[bytes]:
            return CopiedIterator(iter(self._stream), self._exchange.sent)

        def __aiter__(self) -> AsyncIterator[bytes]:
            return CopiedIterator(self._stream.__aiter__(), self._exchange.sent)

        def close(self) -> None:
            self._stream.close()

        async def aclose(self) -> None:
            await self._stream.aclose()

    class ReadStream(types.SyncByteStream):  # type: ignore[misc]
        """A response body that is noted while the test reads it."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        def __iter__(self) -> Iterator[bytes]:
            return CopiedIterator(iter(self._stream), self._exchange.received, self._exchange.end)

        def close(self) -> None:
            self._exchange.end(is_whole=False)
            self._stream.close()

    class AsyncReadStream(types.AsyncByteStream):  # type: ignore[misc]
        """A response body that is noted while the test reads it."""

        def __init__(self, stream: Any, exchange: Exchange) -> None:
            self._stream = stream
            self._exchange = exchange

        def __aiter__(self) -> AsyncIterator[bytes]:
            return CopiedIterator(self._stream.__aiter__(), self._exchange.received, self._exchange.end)

        async def aclose(self) -> None:
            self._exchange.end(is_whole=False)
            await self._stream.aclose()

    def begin(request: Any) -> tuple[Exchange | None, Any]:
        """Begins an exchange; the second value is the body if it was replaced."""
        try:
            if request.url.scheme not in ("http", "https"):
                return None, None  # a WebSocket
            exchange = RECORDER.begin(request.method, str(request.url), request.headers.raw)
            if exchange is None:
                return None, None
            if hasattr(request, "_content"):
                exchange.sent(request._content)
            elif isinstance(request.stream, content.ByteStream):
                for chunk in request.stream:
                    exchange.sent(chunk)
            else:
                stream = request.stream
                request.stream = CopiedStream(stream, exchange)
                return exchange, stream
            return exchange, None
        except Exception as error:
            RECORDER.fail(error)
            return None, None

    def restore(request: Any, stream: Any) -> None:
        if stream is not None and isinstance(request.stream, CopiedStream):
            request.stream = stream

    def change(exchange: Exchange, response: Any) -> None:
        """Replaces the response if `covtool mutate` asks for it."""
        try:
            answer = changed(exchange)
            if answer is not None:
                response.status_code, headers, response._content = answer
                response.headers = module.Headers(headers)
        except Exception as error:
            RECORDER.fail(error)

    def note(exchange: Exchange, response: Any, reader: Any) -> None:
        try:
            is_read = hasattr(response, "_content")
            exchange.answered(response.status_code, response.headers.raw, is_decoded=is_read)
            if is_read:
                exchange.received(response._content)
                exchange.end()
                if is_asked():
                    change(exchange, response)
            else:
                response.stream = reader(response.stream, exchange)
        except Exception as error:
            RECORDER.fail(error)

    send_single: Any = module.Client._send_single_request
    send_single_async: Any = module.AsyncClient._send_single_request

    @functools.wraps(send_single)
    def send(self: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        exchange, stream = begin(request)
        if exchange is None:
            return send_single(self, request, *args, **kwargs)
        token = inside.set(True)
        try:
            response = send_single(self, request, *args, **kwargs)
        except BaseException:
            exchange.end()
            raise
        finally:
            inside.reset(token)
            restore(request, stream)
        if is_asked(response.headers.get("content-type")):
            response.read()
        note(exchange, response, ReadStream)
        return response

    @functools.wraps(send_single_async)
    async def send_async(self: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        exchange, stream = begin(request)
        if exchange is None:
            return await send_single_async(self, request, *args, **kwargs)
        token = inside.set(True)
        try:
            response = await send_single_async(self, request, *args, **kwargs)
        except BaseException:
            exchange.end()
            raise
        finally:
            inside.reset(token)
            restore(request, stream)
        if is_asked(response.headers.get("content-type")):
            await response.aread()
        note(exchange, response, AsyncReadStream)
        return response

    client: Any = module.Client
    async_client: Any = module.AsyncClient
    client._send_single_request = send
    async_client._send_single_request = send_async
