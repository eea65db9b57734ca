"""Writes exchanges as lines for covtool, in the format of docs/protocol.md."""

from __future__ import annotations

import atexit
import functools
import json
import os
import secrets
import threading
import time
from binascii import b2a_base64
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec

P = ParamSpec("P")

DEFAULT_BODY_LIMIT = 1 << 20

Headers = list[tuple[str, str]]


class _System:
    """Functions as they were on import, since tests may replace those of `json`, `os` and `time`."""

    encode = json.JSONEncoder(separators=(",", ":")).encode
    now = staticmethod(time.time)
    tick = staticmethod(time.perf_counter)
    getpid = staticmethod(os.getpid)
    open = staticmethod(os.open)
    write = staticmethod(os.write)


inside: ContextVar[bool] = ContextVar("covtool_inside", default=False)
"""True while a recorded client sends a request: an application in this process must not record it again."""


class Body:
    """Copies a body as it passes, up to a limit."""

    __slots__ = ("_chunks", "_limit", "_size", "is_cut")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._chunks: list[bytes] = []
        self._size = 0
        self.is_cut = False

    def add(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size <= self._limit:
            self._chunks.append(bytes(chunk))
        else:
            self.is_cut = True
            self._chunks.clear()

    @property
    def size(self) -> int:
        """The number of bytes that have passed, including those beyond the limit."""
        return self._size

    def add_to(self, message: dict[str, Any], headers: Headers) -> None:
        """Adds the body to a request or response of a line."""
        if self.is_cut:
            message["body_truncated"] = True
            return
        data = b"".join(self._chunks)
        text = _text_of(data, headers)
        if text is None:
            message["body_base64"] = b2a_base64(data, newline=False).decode("ascii")
        else:
            message["body"] = text


def _text_of(data: bytes, headers: Headers) -> str | None:
    """Returns a body as text; None if the bytes can't be restored from it."""
    if not data:
        return ""
    for name, value in headers:
        lower = name.lower()
        if lower == "content-encoding":
            return None
        if lower == "content-type":
            kind = value.lower()
            charset = kind.partition("charset=")[2].lstrip('"')
            if kind.startswith("multipart/") or (charset and not charset.startswith(("utf-8", "utf8"))):
                return None
    if b"\0" in data or data.startswith(b"\xef\xbb\xbf"):
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _guarded(method: Callable[P, None]) -> Callable[P, None]:
    """Makes a method that never raises: an exception in it ends recording, and the test goes on."""

    @functools.wraps(method)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(*args, **kwargs)
        except Exception as error:
            RECORDER.fail(error)

    return guarded


class Exchange:
    """A request and its response, as they are exchanged. The methods that note something never raise."""

    __slots__ = (
        "_elapsed",
        "_identity",
        "_is_done",
        "_method",
        "_request",
        "_request_headers",
        "_response",
        "_response_headers",
        "_started",
        "_status",
        "_test",
        "_timestamp",
        "_url",
        "__weakref__",
    )

    def __init__(self, method: str, url: str, headers: Iterable[tuple[Any, Any]]) -> None:
        self._timestamp = _System.now()
        self._started = _System.tick()
        self._elapsed: float | None = None
        self._method = method
        self._url = url
        self._request_headers = text_pairs(headers)
        self._request = Body(RECORDER.body_limit)
        self._status: int | None = None
        self._response_headers: Headers = []
        self._response = Body(RECORDER.body_limit)
        self._test = RECORDER.test
        self._identity = ""
        self._is_done = False

    @property
    def is_done(self) -> bool:
        """True once its line is written."""
        return self._is_done

    @_guarded
    def sent(self, body: Any) -> None:
        """Adds a part of the body of the request: bytes, or text that is sent as UTF-8."""
        if body:
            self._request.add(body.encode("utf-8") if isinstance(body, str) else body)

    @_guarded
    def cut_request(self) -> None:
        """Notes that the body of the request can't be seen completely."""
        self._request.is_cut = True

    @_guarded
    def sent_to(self, url: str, headers: Iterable[tuple[Any, Any]]) -> None:
        """Replaces URL and header fields by those that were sent."""
        self._url = url
        self._request_headers = text_pairs(headers)

    @_guarded
    def answered(self, status: int, headers: Iterable[tuple[Any, Any]], is_decoded: bool = False) -> None:
        """Notes status and header fields of the response, without Content-Encoding if the body is seen decoded."""
        self._elapsed = _System.tick() - self._started
        self._status = int(status)
        pairs = text_pairs(headers)
        self._response_headers = [pair for pair in pairs if pair[0].lower() != "content-encoding"] if is_decoded else pairs

    @_guarded
    def sent_by(self, tag: Any) -> None:
        """Notes the sender of the request, for tests that name a user instead of sending credentials."""
        self._identity = str(tag)

    @_guarded
    def received(self, chunk: Any) -> None:
        """Adds a part of the body of the response: bytes, or text that is sent as UTF-8."""
        if self._is_done or not chunk:
            return
        self._response.add(chunk.encode("utf-8") if isinstance(chunk, str) else chunk)

    @property
    def has_all(self) -> bool:
        """True if the body of the response has the length of its Content-Length."""
        return _length_of(self._response_headers) == self._response.size

    @_guarded
    def end(self, is_whole: bool = True) -> None:
        """Writes the line, once."""
        if self._is_done:
            return
        self._is_done = True
        RECORDER.forget(self)
        if not is_whole and not self.has_all and self._may_have_body:
            self._response.is_cut = True
        # An application may not read the whole request.
        if _length_of(self._request_headers) > self._request.size:
            self._request.is_cut = True
        if is_whole and self._status is not None:
            self._elapsed = _System.tick() - self._started
        RECORDER.write(self.line())

    @property
    def _may_have_body(self) -> bool:
        return self._method.upper() != "HEAD" and self._status not in (204, 304)

    def line(self) -> dict[str, Any]:
        """Returns the line of the exchange."""
        request: dict[str, Any] = {"method": self._method, "url": self._url, "headers": self._request_headers}
        if self._request.size > 0 or self._request.is_cut:
            self._request.add_to(request, self._request_headers)
        line: dict[str, Any] = {"request": request}
        if self._status is not None:
            response: dict[str, Any] = {
                "status_code": self._status,
                "elapsed": self._elapsed,
                "headers": self._response_headers,
            }
            if RECORDER.keeps_response_bodies:
                self._response.add_to(response, self._response_headers)
            line["response"] = response
        line["timestamp"] = self._timestamp
        if self._test is not None:
            line["test"] = self._test
        if self._identity:
            line["identity"] = self._identity
        return line


class CopiedIterator:
    """Iterates over the parts of a body, and notes them. Unlike a generator, it needn't be closed."""

    def __init__(self, parts: Any, note: Callable[[Any], None], end: Callable[[], None] | None = None) -> None:
        self._parts = parts
        self._note = note
        self._end = end

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            part = next(self._parts)
        except StopIteration:
            if self._end is not None:
                self._end()
            raise
        self._note(part)
        return part

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            part = await self._parts.__anext__()
        except StopAsyncIteration:
            if self._end is not None:
                self._end()
            raise
        self._note(part)
        return part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parts, name)


def _length_of(headers: Headers) -> int:
    """Returns the Content-Length; -1 if there is none."""
    for name, value in headers:
        if name.lower() == "content-length" and value.isdigit():
            return int(value)
    return -1


def text_pairs(headers: Iterable[tuple[Any, Any]]) -> Headers:
    """Returns header fields as text: bytes are decoded as Latin-1, as in HTTP."""
    return [(_text(name), _text(value)) for name, value in headers]


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


class Recorder:
    """Appends lines to the file of this process in the folder of a run. Without a folder it does nothing."""

    def __init__(self) -> None:
        self.name = "python"
        self.test: dict[str, Any] | None = None
        self.body_limit = DEFAULT_BODY_LIMIT
        self.keeps_response_bodies = True
        self.problem: str | None = None
        self._folder: str | None = None
        self._file: int | None = None
        self._path = ""
        self._lock = threading.Lock()
        # Exchanges whose response is still being read, in the order of their requests.
        self._open: dict[Exchange, None] = {}

    @property
    def is_active(self) -> bool:
        """True if exchanges are to be recorded."""
        return self._folder is not None

    def start(self, name: str | None = None) -> bool:
        """Begins to record if the environment asks for it. Returns True if requests are recorded."""
        if name is not None:
            self.name = name
        if self._folder is not None:
            return True
        if self.problem is not None:
            return False
        folder = os.environ.get("COVTOOL_TRAFFIC")
        if not folder:
            return False
        self._folder = os.path.abspath(folder)
        limit = os.environ.get("COVTOOL_BODY_LIMIT", "")
        self.body_limit = int(limit) if limit.isdecimal() else DEFAULT_BODY_LIMIT
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            self.keeps_response_bodies = not os.path.exists(os.path.join(self._folder, "no-response-bodies"))
            with self._lock:
                self._begin_file()
        except OSError as error:
            self.fail(error)
        return self._folder is not None

    def stop(self) -> None:
        """Writes the open exchanges, and ends recording."""
        self.flush()
        with self._lock:
            self._folder = None
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def begin(self, method: str, url: str, headers: Iterable[tuple[Any, Any]]) -> Exchange | None:
        """Begins an exchange; returns None if nothing is recorded."""
        if self._folder is None:
            return None
        try:
            exchange = Exchange(method, url, headers)
            with self._lock:
                self._open[exchange] = None
            return exchange
        except Exception as error:
            self.fail(error)
            return None

    def forget(self, exchange: Exchange) -> None:
        """Removes an exchange from the open ones."""
        with self._lock:
            self._open.pop(exchange, None)

    def flush(self) -> None:
        """Writes the exchanges whose responses have not been read to the end."""
        for exchange in list(self._open):
            exchange.end(is_whole=False)

    def write(self, line: dict[str, Any]) -> None:
        """Appends a line with a single system call."""
        if self._folder is None:
            return
        data = (_System.encode(line) + "\n").encode("ascii")
        with self._lock:
            file = self._begin_file() if self._file is None else self._file
            if _System.write(file, data) != len(data):
                raise OSError(f"There is no room left in {self._folder}")

    def fail(self, error: BaseException) -> None:
        """Ends recording in this process, and keeps the first reason, which is printed at the end."""
        if self.problem is not None:
            return
        reason = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
        where = f" in {self._folder}" if isinstance(error, OSError) else ""
        self.problem = f"Process {_System.getpid()} could not record all requests{where}: {reason}."
        folder, self._folder = self._folder, None
        self._open.clear()
        if folder is None:
            return
        try:
            path = self._path or os.path.join(folder, f"traffic-{_System.getpid()}-{secrets.token_hex(8)}.ndjson")
            with open(path.removesuffix("ndjson") + "problems", "a", encoding="utf-8") as file:
                file.write(_System.encode(self.problem) + "\n")
        except OSError:
            pass  # the problem is printed at the end all the same

    def after_fork(self) -> None:
        """Makes a forked process write a file of its own."""
        self._lock = threading.Lock()
        self._open.clear()
        self._file = None

    def _begin_file(self) -> int:
        from . import __version__

        assert self._folder is not None
        self._path = os.path.join(self._folder, f"traffic-{_System.getpid()}-{secrets.token_hex(8)}.ndjson")
        file = self._file = _System.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        head = {"covtool": 1, "recorder": f"{self.name} {__version__}"}
        _System.write(file, (_System.encode(head) + "\n").encode("ascii"))
        return file


RECORDER = Recorder()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=RECORDER.after_fork)
atexit.register(RECORDER.flush)


@contextmanager
def running_test(name: str, file: str | None = None, line: int | None = None) -> Iterator[None]:
    """Names the test that sends the requests within a block, for test runners without a plugin of covtool.

    :param file: The path of the test from the working directory.
    :param line: The line on which the test begins, counted from 1.
    """
    test: dict[str, Any] = {"name": name}
    if file is not None:
        test["file"] = file.replace(os.sep, "/")
    if line is not None:
        test["line"] = line
    before, RECORDER.test = RECORDER.test, test
    try:
        yield
    finally:
        RECORDER.test = before
