"""Records requests: every attempt of a session, including redirects."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .._changes import changed, is_asked
from .._recorder import RECORDER, Exchange, inside

_chain = threading.local()


def hook(module: ModuleType) -> None:
    session: Any = module.Session
    original = session.send

    @functools.wraps(original)
    def send(self: Any, request: Any, **kwargs: Any) -> Any:
        exchange = _begin(request)
        if exchange is None:
            return original(self, request, **kwargs)
        # A session also sends redirects through this function, before the first call returns.
        seen: list[Any] | None = getattr(_chain, "seen", None)
        is_first = seen is None
        if seen is None:
            seen = _chain.seen = []
        body = request.body
        is_copied = _copy_body(request, exchange)
        token = inside.set(True)
        try:
            response = original(self, request, **kwargs)
        except BaseException:
            exchange.end()
            raise
        finally:
            inside.reset(token)
            if is_copied:
                request.body = body
            if is_first:
                del _chain.seen
        _note(exchange, request, response, seen)
        return response

    session.send = send


def _begin(request: Any) -> Exchange | None:
    try:
        return RECORDER.begin(request.method, request.url, request.headers.items())
    except Exception as error:
        RECORDER.fail(error)
        return None


def _copy_body(request: Any, exchange: Exchange) -> bool:
    """Notes the body of a request; returns True if it was replaced by one that is noted while it is read."""
    body = request.body
    try:
        if body is None or isinstance(body, (bytes, bytearray, str)):
            exchange.sent(body)
        elif hasattr(body, "read") and hasattr(body, "seek") and hasattr(body, "tell"):
            start = body.tell()
            exchange.sent(body.read(RECORDER.body_limit + 1))
            body.seek(start)
        elif hasattr(body, "__next__"):
            request.body = _copied(body, exchange)
            return True
        elif hasattr(body, "__iter__") and not hasattr(body, "read"):
            for chunk in body:
                exchange.sent(chunk)
        else:
            exchange.cut_request()
    except Exception as error:
        RECORDER.fail(error)
    return False


def _copied(body: Any, exchange: Exchange) -> Iterator[Any]:
    for chunk in body:
        exchange.sent(chunk)
        yield chunk


def _note(exchange: Exchange, request: Any, response: Any, seen: list[Any]) -> None:
    try:
        # After redirects the response is the last one; the others are its history.
        answers = [answer for answer in (*response.history, response) if not any(answer is one for one in seen)]
        if not answers:
            exchange.end()
            return
        seen.extend(answers)
        _answer(exchange, answers[0])
        for answer in answers[1:]:
            # Authentication handlers send again by themselves.
            again = _begin(answer.request)
            if again is not None:
                _copy_body(answer.request, again)
                _answer(again, answer)
    except Exception as error:
        RECORDER.fail(error)


def _answer(exchange: Exchange, response: Any) -> None:
    raw = getattr(response, "raw", None)
    headers = getattr(raw, "headers", None) or response.headers
    encodings = [part.strip().lower() for part in (headers.get("content-encoding") or "").split(",")]
    known = getattr(raw, "CONTENT_DECODERS", ())
    exchange.answered(response.status_code, headers.items(), is_decoded=all(name in known for name in encodings))
    if is_asked(headers.get("content-type")):
        _ = response.content  # reads all of it, since it may be changed
    if response._content is not False:
        exchange.received(response._content)
        exchange.end()
        if is_asked():
            _change(exchange, response)
        return
    iter_content, close = response.iter_content, response.close

    def copied(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("decode_unicode") or len(args) > 1:
            # Decoded text is no longer what was sent.
            exchange.end(is_whole=False)
            return iter_content(*args, **kwargs)
        return _read(iter_content(*args, **kwargs), exchange)

    def closed() -> None:
        exchange.end(is_whole=False)
        close()

    response.iter_content, response.close = copied, closed


def _change(exchange: Exchange, response: Any) -> None:
    """Replaces the response if `covtool mutate` asks for it."""
    answer = changed(exchange)
    if answer is None:
        return
    response.status_code, headers, response._content = answer
    response.headers.clear()
    for name, value in headers:
        before = response.headers.get(name)
        response.headers[name] = value if before is None else f"{before}, {value}"


def _read(chunks: Any, exchange: Exchange) -> Iterator[Any]:
    for chunk in chunks:
        exchange.received(chunk)
        yield chunk
    exchange.end()
