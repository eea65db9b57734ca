"""Sends the cases of the conformance set with each client that the recorder of Python supports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

from answers import Broken, asgi_app, chunks_of_request, django_views, flask_app, plain_body

Json = dict[str, Any]

Seen = tuple[int, list[tuple[str, str]], bytes] | None
"""Status, header fields and body that a test got; None if it didn't read all of them."""


def first_of(chunks: Any) -> None:
    next(iter(chunks))


class Requests:
    """requests, over sockets."""

    without = {"repeated-request"}

    def __init__(self, url: str) -> None:
        import requests

        self.url = url
        self.session = requests.Session()
        self.errors = (requests.ConnectionError,)

    def send(self, case: Json, request: Json) -> Seen:
        chunks = chunks_of_request(request)
        leaves = "read" in case
        response = self.session.request(
            request["method"],
            self.url + request["path"],
            headers=dict(request.get("headers", [])),
            data=iter(chunks) if chunks else plain_body(request) or None,
            allow_redirects=case.get("follow_redirects", False),
            stream=leaves,
        )
        if leaves:
            first_of(response.iter_content(5))
            response.close()
        return response.status_code, [*response.headers.items()], b"" if leaves else response.content


class Httpx:
    """httpx, over sockets."""

    without: set[str] = set()
    package = "httpx"

    def __init__(self, url: str) -> None:
        from importlib import import_module

        self.httpx: Any = import_module(self.package)
        self.client = self.httpx.Client(base_url=url)
        self.errors: Any = (self.httpx.RemoteProtocolError,)

    def send(self, case: Json, request: Json) -> Seen:
        chunks = chunks_of_request(request)
        with self.client.stream(
            request["method"],
            request["path"],
            headers=[tuple(pair) for pair in request.get("headers", [])],
            content=iter(chunks) if chunks else plain_body(request) or None,
            follow_redirects=case.get("follow_redirects", False),
        ) as response:
            if "read" in case:
                first_of(response.iter_raw())
                return None
            return response.status_code, response.headers.multi_items(), response.read()


class Httpx2(Httpx):
    """httpx2, over sockets."""

    package = "httpx2"


class HttpxAsync:
    """httpx with an async client, over sockets."""

    without: set[str] = set()

    def __init__(self, url: str) -> None:
        import ssl

        import httpx

        self.url = url
        # Creating a client takes longer than a request.
        self.context = ssl.create_default_context()
        self.errors: Any = (httpx.RemoteProtocolError,)

    def send(self, case: Json, request: Json) -> Seen:
        return asyncio.run(self._send(case, request))

    async def _send(self, case: Json, request: Json) -> Seen:
        import httpx

        chunks = chunks_of_request(request)

        async def upload() -> Any:
            for chunk in chunks or []:
                yield chunk

        async with httpx.AsyncClient(base_url=self.url, verify=self.context) as client, client.stream(
            request["method"],
            request["path"],
            headers=[tuple(pair) for pair in request.get("headers", [])],
            content=upload() if chunks else plain_body(request) or None,
            follow_redirects=case.get("follow_redirects", False),
        ) as response:
            if "read" in case:
                async for _chunk in response.aiter_raw():
                    return None
            return response.status_code, response.headers.multi_items(), await response.aread()


class Starlette(Httpx):
    """The test client of Starlette, which is also FastAPI's."""

    # It only returns complete responses.
    without = {"streams"}

    def __init__(self, url: str) -> None:
        from starlette.testclient import TestClient

        self.client = TestClient(asgi_app)
        self.errors = (Broken,)


class Aiohttp:
    """aiohttp, over sockets."""

    without = {"encoded-slash"}

    def __init__(self, url: str) -> None:
        import aiohttp

        self.url = url
        self.errors = (aiohttp.ServerDisconnectedError,)

    def send(self, case: Json, request: Json) -> Seen:
        return asyncio.run(self._send(case, request))

    async def _send(self, case: Json, request: Json) -> Seen:
        import aiohttp
        from multidict import CIMultiDict
        from yarl import URL

        chunks = chunks_of_request(request)

        async def upload() -> Any:
            for chunk in chunks or []:
                yield chunk

        async with aiohttp.ClientSession() as session, session.request(
            request["method"],
            URL(self.url + request["path"], encoded=True),
            headers=CIMultiDict(tuple(pair) for pair in request.get("headers", [])),
            data=upload() if chunks else plain_body(request) or None,
            allow_redirects=case.get("follow_redirects", False),
        ) as response:
            if "read" in case:
                await response.content.readany()
                return None
            return response.status, [*response.headers.items()], await response.read()


def header_pairs(response: Any) -> list[tuple[str, str]]:
    """The header fields of a Django response, including its cookies."""
    cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
    return [*response.headers.items(), *cookies]


class Django:
    """The test client of Django."""

    # It can't send a field twice, and WSGI doesn't distinguish %2F from a slash.
    # It returns the pieces of a stream when they come.
    without = {"repeated-request", "upload-streams", "encoded-slash", "held-streams"}
    errors = (Broken,)

    def __init__(self, url: str) -> None:
        from types import ModuleType

        import django
        from django.conf import settings
        from django.urls import re_path

        if not settings.configured:
            urls: Any = ModuleType("conformance_urls")
            urls.urlpatterns = [re_path("", django_views())]
            settings.configure(
                ROOT_URLCONF=urls, ALLOWED_HOSTS=["*"], DATA_UPLOAD_MAX_MEMORY_SIZE=None, SECRET_KEY="conformance"
            )
            django.setup()
        self.client = self.make_client()

    def make_client(self) -> Any:
        from django.test import Client

        return Client()

    def arguments(self, case: Json, request: Json) -> Any:
        headers = dict(request.get("headers", []))
        kind = headers.pop("Content-Type", "")
        self.client.cookies.clear()
        extra = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        arguments = (request["method"], request["path"], plain_body(request), kind)
        return arguments, extra

    def send(self, case: Json, request: Json) -> Seen:
        (method, path, body, kind), extra = self.arguments(case, request)
        if case.get("follow_redirects"):
            send: Any = getattr(self.client, method.lower())
            how = {"data": body, "content_type": kind} if kind else {}
            response = send(path, follow=True, **how, **extra)
        else:
            response = self.client.generic(method, path, body, kind, **extra)
        if getattr(response, "streaming", False):
            chunks = iter(response)
            next(chunks)
            if "read" not in case:
                list(chunks)
            else:
                response.close()
            return None
        return response.status_code, header_pairs(response), response.content


class DjangoRest(Django):
    """The test client of Django REST framework."""

    def make_client(self) -> Any:
        from rest_framework.test import APIClient

        return APIClient()


class DjangoAsync(Django):
    """The async test client of Django."""

    # It reads streams at once, and reads the bytes of a path as Latin-1.
    without = {"repeated-request", "upload-streams", "redirects", "encoded-slash", "streams", "path", "held-streams"}

    def make_client(self) -> Any:
        from django.test import AsyncClient

        return AsyncClient()

    def send(self, case: Json, request: Json) -> Seen:
        arguments, extra = self.arguments(case, request)
        names = {name.removeprefix("HTTP_").replace("_", "-").title(): value for name, value in extra.items()}

        async def run() -> Seen:
            response = await self.client.generic(*arguments, headers=names)
            if getattr(response, "streaming", False):
                async for _chunk in response:
                    if "read" in case:
                        response.close()
                        break
                return None
            return response.status_code, header_pairs(response), response.content

        return asyncio.run(run())


class Flask:
    """The test client of Flask."""

    # After a redirect it sends only the unread rest of the body, which is empty here.
    without = {"repeated-request", "upload-streams", "redirect-post"}
    errors = (Broken,)

    def __init__(self, url: str) -> None:
        self.app = flask_app()

    def send(self, case: Json, request: Json) -> Seen:
        client = self.app.test_client(use_cookies=False)
        response = client.open(
            request["path"],
            method=request["method"],
            headers=[tuple(pair) for pair in request.get("headers", [])],
            data=plain_body(request) or None,
            follow_redirects=case.get("follow_redirects", False),
        )
        if "read" in case:
            next(response.iter_encoded())
            response.close()
            return None
        return response.status_code, [*response.headers], response.get_data()


class AsgiMiddleware:
    """An application with the middleware for ASGI, called by a client that isn't recorded."""

    without = {"streams", "repeated-request", "redirects", "upload-streams"}
    errors = (Broken,)

    def __init__(self, url: str) -> None:
        from covtool import AsgiRecorder

        self.app = AsgiRecorder(asgi_app)

    def send(self, case: Json, request: Json) -> None:
        asyncio.run(self._send(request))

    async def _send(self, request: Json) -> None:
        path, _, query = request["path"].partition("?")
        headers = [(name.lower().encode(), value.encode()) for name, value in request.get("headers", [])]
        scope = {
            "type": "http",
            "method": request["method"],
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "server": ("127.0.0.1", 8000),
        }

        async def receive() -> Any:
            return {"type": "http.request", "body": plain_body(request)}

        async def send(message: Any) -> None:
            pass

        await self.app(scope, receive, send)


class WsgiMiddleware:
    """An application with the middleware for WSGI, called by a client that isn't recorded."""

    without = {"repeated-request", "redirects", "upload-streams"}
    errors = (Broken,)

    def __init__(self, url: str) -> None:
        from answers import wsgi_app
        from covtool import WsgiRecorder

        self.app = WsgiRecorder(wsgi_app)

    def send(self, case: Json, request: Json) -> None:
        from io import BufferedReader, BytesIO
        from urllib.parse import unquote_to_bytes

        path, _, query = request["path"].partition("?")
        body = plain_body(request)
        environ = {
            "REQUEST_METHOD": request["method"],
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "REQUEST_URI": request["path"],
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "wsgi.url_scheme": "http",
            "wsgi.input": BufferedReader(BytesIO(body)),
            "CONTENT_LENGTH": str(len(body)),
        }
        for name, value in request.get("headers", []):
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        with contextlib.suppress(StopIteration):
            chunks = self.app(environ, lambda status, headers, *rest: lambda data: None)
            iterator: Iterator[bytes] = iter(chunks)
            next(iterator)
            if "read" not in case:
                list(iterator)
            elif hasattr(chunks, "close"):
                chunks.close()


CLIENTS: dict[str, Any] = {
    client.__name__: client
    for client in (
        Requests, Httpx, Httpx2, HttpxAsync, Starlette, Aiohttp,
        Django, DjangoRest, DjangoAsync, Flask, AsgiMiddleware, WsgiMiddleware,
    )
}  # fmt: skip
