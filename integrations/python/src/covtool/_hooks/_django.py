"""Records the test clients of Django and Django REST framework."""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any

from .._changes import changed, is_asked
from .._environ import quoted
from .._recorder import RECORDER, Exchange, inside
from ..asgi import begin as begin_scope
from ..wsgi import begin


def hook(module: ModuleType) -> None:
    handler: Any = module.ClientHandler
    original = handler.__call__

    @functools.wraps(original)
    def call(self: Any, environ: Any) -> Any:
        exchange = begin(environ)
        if exchange is None:
            return original(self, environ)
        _copy_payload(exchange, environ.get("wsgi.input"))
        _note_user(exchange, self)
        token = inside.set(True)
        try:
            response = original(self, environ)
        except BaseException:
            exchange.end()
            raise
        finally:
            inside.reset(token)
        _note(exchange, response)
        return response

    handler.__call__ = call

    async_handler: Any = module.AsyncClientHandler
    original_async = async_handler.__call__

    @functools.wraps(original_async)
    async def call_async(self: Any, scope: Any) -> Any:
        exchange = begin_scope(_as_sent(scope))
        if exchange is None:
            return await original_async(self, scope)
        _copy_payload(exchange, scope.get("_body_file"))
        _note_user(exchange, self)
        token = inside.set(True)
        try:
            response = await original_async(self, scope)
        except BaseException:
            exchange.end()
            raise
        finally:
            inside.reset(token)
        _note(exchange, response)
        return response

    async_handler.__call__ = call_async
    _watch_logins(module.ClientMixin)


def _watch_logins(client: Any) -> None:
    """Tells the handler of a client which user is logged in, also by `force_login`."""
    for name in ("_login", "_alogin", "logout", "alogout"):
        original = getattr(client, name, None)
        if original is not None:
            setattr(client, name, _noting_login(original))


def _noting_login(original: Any) -> Any:
    @functools.wraps(original)
    def noting(self: Any, *args: Any, **kwargs: Any) -> Any:
        # A call without a user is a logout.
        self.handler.covtool_user = args[0] if args else kwargs.get("user")
        return original(self, *args, **kwargs)

    return noting


def _note_user(exchange: Exchange, handler: Any) -> None:
    """Notes the user of `force_login`, or of REST framework's `force_authenticate`, by name."""
    try:
        user = getattr(handler, "_force_user", None) or getattr(handler, "covtool_user", None)
        if user is not None:
            exchange.sent_by(user.get_username())
    except Exception as error:
        RECORDER.fail(error)


def _as_sent(scope: Any) -> Any:
    """Returns a scope as a server would have it: the client decodes the path as Latin-1, and adds an empty cookie."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"cookie" or value]
    return {**scope, "headers": headers, "raw_path": quoted(scope["path"]).encode("ascii")}


def _copy_payload(exchange: Exchange, payload: Any) -> None:
    """Notes the body of a request, without reading it."""
    try:
        if payload is None:
            return
        content = getattr(payload, "_FakePayload__content", payload)
        if hasattr(content, "getvalue"):
            exchange.sent(content.getvalue())
        else:
            exchange.cut_request()
    except Exception as error:
        RECORDER.fail(error)


def _note(exchange: Exchange, response: Any) -> None:
    try:
        cookies = [("Set-Cookie", cookie.output(header="").strip()) for cookie in response.cookies.values()]
        exchange.answered(response.status_code, [*response.items(), *cookies])
        if not response.streaming:
            exchange.received(response.content)
            exchange.end()
            if is_asked():
                _change(exchange, response)
        elif getattr(response, "is_async", False):
            response.streaming_content = _read_async(response.streaming_content, exchange)
        else:
            response.streaming_content = _read(response.streaming_content, exchange)
    except Exception as error:
        RECORDER.fail(error)


def _change(exchange: Exchange, response: Any) -> None:
    """Replaces the response if `covtool mutate` asks for it; cookies stay."""
    answer = changed(exchange)
    if answer is None:
        return
    response.status_code, headers, response.content = answer
    for name in list(response.headers):
        del response.headers[name]
    for name, value in headers:
        if name.lower() != "set-cookie":
            response.headers[name] = value
    if hasattr(response, "data"):
        # Django REST framework keeps the data that it has rendered.
        response.data = json.loads(response.content or b"null")


def _read(chunks: Any, exchange: Exchange) -> Iterator[Any]:
    try:
        for chunk in chunks:
            exchange.received(chunk)
            yield chunk
        exchange.end()
    finally:
        exchange.end(is_whole=False)


async def _read_async(chunks: Any, exchange: Exchange) -> AsyncIterator[Any]:
    try:
        async for chunk in chunks:
            exchange.received(chunk)
            yield chunk
        exchange.end()
    finally:
        exchange.end(is_whole=False)
