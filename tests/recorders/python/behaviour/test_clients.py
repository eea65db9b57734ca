"""Tests of recording clients in this process, and of what it must not change."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import aiohttp
import covtool
import httpx
import pytest
import requests
import werkzeug.test
from covtool import AsgiRecorder, WsgiRecorder, install, running_test
from covtool._environ import environ_headers
from covtool._recorder import RECORDER


@pytest.fixture(autouse=True)
def recording(traffic: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COVTOOL_TRAFFIC", str(traffic))
    assert install("test")
    yield
    RECORDER.stop()
    RECORDER.problem = None


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stream_type = "text/event-stream"

    def do_POST(self) -> None:
        if self.path == "/events":
            self.send_response(200)
            self.send_header("Content-Type", self.stream_type)
            self.end_headers()
            self.wfile.write(b"data: 1\n\n")
            return
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while (size := int(self.rfile.readline(), 16)) > 0:
                body += self.rfile.read(size + 2)[:-2]
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_allowed = self.path != "/digest" or "Authorization" in self.headers
        self.send_response(200 if is_allowed else 401)
        if not is_allowed:
            self.send_header("WWW-Authenticate", 'Digest realm="r", nonce="n", qop="auth"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_an_open_file_is_uploaded_from_its_position_and_recorded(url: str, lines: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"from a file")
    with path.open("rb") as file:
        file.read(5)
        assert requests.post(url, data=file, timeout=9).content == b"a file"
    assert [line["request"]["body"] for line in lines()] == ["a file"]


def test_a_generator_is_uploaded_piece_by_piece_and_the_request_keeps_it(url: str, lines: Any) -> None:
    pieces = (piece for piece in [b"a", b"b"])
    response = requests.post(url, data=pieces, timeout=9)
    assert response.content == b"ab"
    assert response.request.body is pieces
    assert [line["request"]["body"] for line in lines()] == ["ab"]


def test_each_attempt_of_an_authorization_is_a_line(url: str, lines: Any) -> None:
    auth = requests.auth.HTTPDigestAuth("user", "password")
    assert requests.post(f"{url}/digest", data=b"x", auth=auth, timeout=9).status_code == 200
    assert [line["response"]["status_code"] for line in lines()] == [401, 200]
    assert [line["request"]["body"] for line in lines()] == ["x", "x"]


def test_the_decoded_text_of_a_response_is_the_same_as_without_recording(url: str) -> None:
    with requests.post(url, data="ü\n€".encode(), stream=True, timeout=9) as response:
        response.encoding = "utf-8"
        assert list(response.iter_lines(decode_unicode=True)) == ["ü", "€"]


def test_a_stream_stays_lazy(lines: Any) -> None:
    made: list[int] = []

    class Body(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            for n in range(3):
                made.append(n)
                yield b"%d" % n

    transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Body()))
    with httpx.Client(transport=transport) as client, client.stream("GET", "http://a/") as response:
        assert made == []
        chunks = response.iter_raw()
        assert next(chunks) == b"0"
        assert made == [0]
        assert lines() == []
    assert [line["response"]["body_truncated"] for line in lines()] == [True]


def test_a_stream_that_is_not_read_to_its_end_leaves_no_generator_open(lines: Any) -> None:
    made: list[Any] = []

    class Parts(httpx.AsyncByteStream):
        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> bytes:
            return b"part"

    class Refusing(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            sys.set_asyncgen_hooks(firstiter=made.append)
            assert isinstance(request.stream, httpx.AsyncByteStream)
            assert await request.stream.__aiter__().__anext__() == b"part"
            return httpx.Response(413, stream=Parts())

    async def send() -> None:
        async with httpx.AsyncClient(transport=Refusing()) as client:
            async with client.stream("POST", "http://a/", content=Parts()) as response:
                assert await response.stream.__aiter__().__anext__() == b"part"  # type: ignore[union-attr]

    asyncio.run(send())
    # Folders around the project may have the name of the package.
    package = os.path.dirname(covtool.__file__)
    assert [one for one in made if one.ag_code.co_filename.startswith(package + os.sep)] == []
    (line,) = lines()
    assert line["request"]["body"] == "part"
    assert line["response"]["body_truncated"] is True


async def _first_of_aiohttp(url: str) -> bytes:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return await response.content.read(3)


async def _first_of_async_httpx(url: str) -> bytes:
    async with httpx.AsyncClient(timeout=3) as client, client.stream("GET", url) as response:
        return await anext(response.aiter_raw(3))


@pytest.mark.parametrize(
    "kind",
    ["text/event-stream", "application/jsonl", "application/x-json-lines", "application/geo+json-seq", "multipart/x-mixed-replace"],
)
def test_a_stream_without_an_end_is_not_changed(kind: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVTOOL_CHANGES", "http://127.0.0.1:9/key")
    monkeypatch.setattr(Echo, "stream_type", kind)
    events = f"{url}/events"
    with requests.get(events, stream=True, timeout=3) as response:
        assert next(response.iter_content(3)) == b"dat"
    with httpx.stream("GET", events, timeout=3) as answer:
        assert next(answer.iter_raw(3)) == b"dat"
    assert asyncio.run(_first_of_async_httpx(events)) == b"dat"
    assert asyncio.run(asyncio.wait_for(_first_of_aiohttp(events), 3)) == b"dat"

    def app(environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", kind)])
        yield b"dat"
        raise AssertionError("read to its end")

    assert next(iter(werkzeug.test.Client(app).get("/").response)) == b"dat"


def test_functions_that_a_test_replaces_are_not_called(monkeypatch: pytest.MonkeyPatch, lines: Any) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("called by the recorder")

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [])
        return [b"ok"]

    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/a", "SERVER_NAME": "localhost", "wsgi.url_scheme": "http"}
    with monkeypatch.context() as patch:
        for module, name in ((json, "dumps"), (os, "write"), (time, "time"), (time, "perf_counter")):
            patch.setattr(module, name, fail)
        assert WsgiRecorder(app)(environ, lambda *args: None) == [b"ok"]
    assert RECORDER.problem is None
    assert [line["request"]["url"] for line in lines()] == ["http://localhost/a"]


def test_a_response_that_nobody_reads_is_written_at_the_end(url: str, lines: Any) -> None:
    response = requests.post(url, data=b"unread", stream=True, timeout=9)
    RECORDER.flush()
    assert [line["response"]["body_truncated"] for line in lines()] == [True]
    assert response.content == b"unread"
    assert len(lines()) == 1


def test_bodies_over_the_limit_and_unwanted_bodies_are_not_recorded(
    url: str, lines: Any, traffic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RECORDER.stop()
    monkeypatch.setenv("COVTOOL_BODY_LIMIT", "3")
    (traffic / "no-response-bodies").touch()
    install("test")
    requests.post(url, data=b"abcd", timeout=9)
    requests.post(url, data=b"abc", timeout=9)
    assert [(line["request"].get("body"), line["request"].get("body_truncated")) for line in lines()] == [
        (None, True),
        ("abc", None),
    ]
    assert all("body" not in line["response"] and "body_truncated" not in line["response"] for line in lines())


def test_a_limit_that_is_no_number_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("²", "1k", "-1"):
        RECORDER.stop()
        monkeypatch.setenv("COVTOOL_BODY_LIMIT", limit)
        assert install("test")
        assert RECORDER.body_limit == 1 << 20


def test_a_forked_process_writes_its_own_file(url: str, lines: Any, traffic: Path) -> None:
    requests.post(url, data=b"parent", timeout=9)
    child = os.fork()
    if child == 0:
        requests.post(url, data=b"child", timeout=9)
        os._exit(0)
    os.waitpid(child, 0)
    assert sorted(line["request"]["body"] for line in lines()) == ["child", "parent"]
    assert len(list(traffic.glob("*.ndjson"))) == 2


def test_a_recorder_that_fails_warns_once_and_the_request_succeeds(
    url: str, monkeypatch: pytest.MonkeyPatch, lines: Any
) -> None:
    def fail(*args: Any) -> None:
        raise RuntimeError("wrong")

    monkeypatch.setattr("covtool._recorder.text_pairs", fail)
    assert requests.post(url, data=b"x", timeout=9).content == b"x"
    assert requests.post(url, data=b"y", timeout=9).content == b"y"
    assert RECORDER.problem is not None and RECORDER.problem.endswith("RuntimeError: wrong.")
    assert lines() == []


def test_middleware_leaves_requests_to_clients_that_record(lines: Any) -> None:
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from werkzeug.test import Client

    api = FastAPI()
    api.add_middleware(AsgiRecorder)
    assert TestClient(api).get("/none").status_code == 404

    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    with running_test("named", "tests/a.py", 3):
        assert Client(WsgiRecorder(app)).post("/", data=b"x").data == b"x"
    assert [line["response"]["status_code"] for line in lines()] == [404, 200]
    assert lines()[1]["test"] == {"name": "named", "file": "tests/a.py", "line": 3}


def test_a_body_that_the_application_leaves_unread_is_truncated_and_lists_stay_lists(lines: Any) -> None:
    def app(environ: Any, start_response: Any) -> Any:
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/a",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "CONTENT_LENGTH": "5",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BufferedReader(io.BytesIO(b"12345")),  # type: ignore[arg-type]
    }
    # Servers read the length of lists.
    assert WsgiRecorder(app)(environ, lambda *args: None) == [b"ok"]
    (line,) = lines()
    assert line["request"]["url"] == "http://localhost/a"
    assert line["request"]["body_truncated"] is True
    assert line["response"]["body"] == "ok"


def test_the_empty_cookie_that_a_client_adds_is_not_sent() -> None:
    assert environ_headers({"HTTP_COOKIE": "", "HTTP_X_EMPTY": ""}) == [("X-Empty", "")]
    assert environ_headers({"HTTP_COOKIE": "a=1"}) == [("Cookie", "a=1")]
