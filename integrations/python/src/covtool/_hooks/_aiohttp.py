"""Records the client of aiohttp, and with it the test client."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from .._changes import changed, is_asked
from .._recorder import RECORDER, Exchange

_reading: dict[int, tuple[Any, Exchange]] = {}
"""Streams that are being read, with their exchanges, by the identity of the stream."""


def hook(module: ModuleType) -> None:
    session: Any = module.ClientSession
    original = session.__init__

    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if RECORDER.is_active:
            try:
                kwargs["trace_configs"] = [*(kwargs.get("trace_configs") or ()), _trace_config()]
            except Exception as error:
                RECORDER.fail(error)
        original(self, *args, **kwargs)

    session.__init__ = __init__

    streams: Any = sys.modules["aiohttp.streams"].StreamReader
    read_chunk = streams._read_nowait_chunk

    @functools.wraps(read_chunk)
    def _read_nowait_chunk(self: Any, n: int) -> Any:
        data = read_chunk(self, n)
        if _reading:
            reading = _reading.get(id(self))
            if reading is not None:
                reading[1].received(data)
        return data

    streams._read_nowait_chunk = _read_nowait_chunk


def _trace_config() -> Any:
    """Returns the callbacks for each request of a session. A request and its redirects share one `context`."""
    config: Any = sys.modules["aiohttp.tracing"].TraceConfig()
    config.on_request_start.append(_on_start)
    config.on_request_headers_sent.append(_on_headers)
    config.on_request_chunk_sent.append(_on_chunk)
    config.on_request_redirect.append(_on_answer)
    config.on_request_end.append(_on_answer)
    config.on_request_exception.append(_on_exception)
    return config


async def _on_start(session: Any, context: Any, params: Any) -> None:
    context.exchange = RECORDER.begin(params.method, str(params.url), params.headers.items())


async def _on_headers(session: Any, context: Any, params: Any) -> None:
    try:
        exchange: Exchange | None = context.exchange
        if exchange is None:
            # After a redirect.
            context.exchange = RECORDER.begin(params.method, str(params.url), params.headers.items())
        else:
            exchange.sent_to(str(params.url), params.headers.items())
    except Exception as error:
        RECORDER.fail(error)


async def _on_chunk(session: Any, context: Any, params: Any) -> None:
    if context.exchange is not None:
        context.exchange.sent(params.chunk)


async def _on_exception(session: Any, context: Any, params: Any) -> None:
    if context.exchange is not None:
        context.exchange.end()


async def _on_answer(session: Any, context: Any, params: Any) -> None:
    exchange: Exchange | None = context.exchange
    if exchange is None:
        return
    context.exchange = None
    try:
        response = params.response
        exchange.answered(response.status, response.raw_headers, is_decoded=getattr(session, "auto_decompress", True))
        stream = response.content
        _reading[id(stream)] = (stream, exchange)

        def arrived() -> None:
            # What the test hasn't read yet is in the buffer.
            _reading.pop(id(stream), None)
            offset = getattr(stream, "_buffer_offset", 0)
            for chunk in getattr(stream, "_buffer", ()):
                exchange.received(chunk[offset:])
                offset = 0
            exchange.end()

        stream.on_eof(arrived)
        if is_asked(response.content_type):
            await _change(exchange, response)
    except Exception as error:
        RECORDER.fail(error)


async def _change(exchange: Exchange, response: Any) -> None:
    """Replaces the response if `covtool mutate` asks for it."""
    await response.read()
    answer = changed(exchange)
    if answer is None:
        return
    response.status, headers, response._body = answer
    multidict: Any = sys.modules["multidict"]
    response._headers = multidict.CIMultiDictProxy(multidict.CIMultiDict(headers))
    response._raw_headers = tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers)
    response._cache.clear()  # header fields that were read before are cached there
