"""The conformance set for recorders: a server with every shape of exchange, and a check of what a recorder wrote.

    python3 conformance.py serve [--port 8901]      prints its address, and runs until it is ended
    python3 conformance.py check FOLDER [--tests] [--changes] [--without NEED,NEED]
    python3 conformance.py change FOLDER            prints the address for COVTOOL_CHANGES, and stores its requests

README.md beside it tells how to use it. It needs Python 3.10 or later and nothing else.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import socket
import sys
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]

SET: Json = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))

CASES: list[Json] = SET["cases"]

CHANGES: list[Json] = SET["changes"]
"""The cases in which a test gets a changed response."""

BODY_LIMIT = 1 << 20

LOCK = threading.Lock()


def numbered(value: Any, n: int) -> Any:
    """A part of a repeated case, with the number of the repetition filled in."""
    if isinstance(value, str):
        return value.replace("{n}", str(n))
    if isinstance(value, list):
        return [numbered(item, n) for item in value]
    return {name: numbered(item, n) for name, item in value.items()} if isinstance(value, dict) else value


def chunks_of(message: Json) -> list[bytes]:
    """The pieces in which a body is sent."""
    return [(piece if isinstance(piece, str) else piece[0] * piece[1]).encode() for piece in message["chunks"]]


def plain_body(message: Json) -> bytes:
    """The bytes of a case's body before compression."""
    if "body_base64" in message:
        return base64.b64decode(message["body_base64"])
    if "repeat" in message:
        text, times = message["repeat"]
        return (text * times).encode()
    if "chunks" in message:
        return b"".join(chunks_of(message))
    return message.get("body", "").encode()


def sent_body(message: Json) -> bytes:
    """The bytes of a body as they are sent."""
    body = plain_body(message)
    return gzip.compress(body, mtime=0) if message.get("gzip") else body


def sent_headers(message: Json) -> list[tuple[str, str]]:
    """The header fields as they are sent, without the length."""
    headers = [(name, value) for name, value in message.get("headers", [])]
    return [*headers, ("Content-Encoding", "gzip")] if message.get("gzip") else headers


def exchanges_of(case: Json) -> Iterator[Json]:
    """All exchanges of a case; those of a repeated case may be sent in any order."""
    for n in range(case.get("times", 1)):
        for exchange in case["exchanges"]:
            yield numbered(exchange, n) if "times" in case else exchange


ANSWERS: dict[tuple[str, str], Json | None] = {
    (exchange["request"]["method"], exchange["request"]["path"]): exchange.get("response")
    for case in [*CASES, *CHANGES]
    for exchange in exchanges_of(case)
}
"""The response by method and target; None if the connection breaks instead."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise, responses in several pieces would wait for acknowledgements.
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self) -> None:
        self.read_body()
        key = (self.command, self.path)
        if key not in ANSWERS:
            self.send_answer({"status_code": 418, "body": f"No case has {self.command} {self.path}."})
            return
        response = ANSWERS[key]
        if response is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.send_answer(response)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer

    def read_body(self) -> None:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while (size := int(self.rfile.readline().split(b";")[0], 16)) > 0:
                self.rfile.read(size + 2)
            self.rfile.readline()
        else:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def send_answer(self, response: Json) -> None:
        self.send_response_only(response["status_code"])
        for name, value in sent_headers(response):
            self.send_header(name, value)
        chunks = chunks_of(response) if "chunks" in response else None
        if chunks is not None:
            self.send_header("Transfer-Encoding", "chunked")
        elif response["status_code"] != 204:
            self.send_header("Content-Length", str(len(sent_body(response))))
        self.end_headers()
        try:
            for data in chunks or []:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
            if chunks is not None:
                self.wfile.write(b"0\r\n\r\n")
            elif self.command != "HEAD":
                self.wfile.write(sent_body(response))
            self.wfile.flush()
        except OSError:
            self.close_connection = True  # the client has left

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


KEY = "/key-of-the-conformance-set"


class Changer(Handler):
    """Answers a recorder's questions, and stores them. Requests without the key get a 404."""

    folder = Path()

    def answer(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.command != "POST" or self.path not in (KEY, f"{KEY}/outcome"):
            self.send_answer({"status_code": 404})
            return
        # Only asked.ndjson matches *.ndjson, so that it is read like the recorder's own lines.
        name = "asked.ndjson" if self.path == KEY else "outcomes.json"
        with LOCK, (self.folder / name).open("ab") as file:
            if name == "asked.ndjson" and file.tell() == 0:
                file.write(b'{"covtool": 1, "recorder": "what was asked"}\n')
            file.write(data.rstrip() + b"\n")
        self.send_answer(self.change(json.loads(data)) if name == "asked.ndjson" else {"status_code": 204})

    do_GET = do_POST = answer

    def change(self, line: Json) -> Json:
        asked = (line["request"]["method"], target_of(line["request"]["url"]))
        for case in CHANGES:
            request = case["exchanges"][0]["request"]
            if (request["method"], request["path"]) != asked:
                continue
            if "refused" in case:
                return {"status_code": 500, "body": '{"status_code": 200, "headers": [], "body_base64": ""}'}
            if "changed" in case:
                changed = case["changed"]
                body = base64.b64encode(plain_body(changed)).decode()
                answer = {"status_code": changed["status_code"], "headers": changed["headers"], "body_base64": body}
                return {"status_code": 200, "headers": [["Content-Type", "application/json"]], "body": json.dumps(answer)}
        return {"status_code": 204}


def serve(port: int = 0) -> Server:
    """A server with the responses of the cases, once `serve_forever()` is called."""
    return Server(("127.0.0.1", port), Handler)


# Checks of lines.


def read_folder(folder: Path, problems: list[str]) -> list[Json]:
    """The lines with exchanges, each with `shows` from the first line of its file."""
    lines: list[Json] = []
    files = sorted(folder.glob("*.ndjson"))
    if not files:
        problems.append(f"{folder} has no file *.ndjson")
    for path in files:
        head, *rest = path.read_bytes().split(b"\n")
        if rest[-1:] != [b""]:
            problems.append(f"{path.name}: the last line doesn't end")
        try:
            first = json.loads(head)
        except ValueError:
            first = None
        if not isinstance(first, dict) or first.get("covtool") != 1 or not isinstance(first.get("recorder"), str):
            problems.append(f'{path.name}: the first line is not {{"covtool": 1, "recorder": …}}')
            continue
        for number, text in enumerate(rest[:-1], 2):
            try:
                line = json.loads(text)
                lines.append({**line, "shows": first.get("shows", {}), "at": f"{path.name}:{number}"})
            except ValueError:
                problems.append(f"{path.name}:{number} is no JSON")
    return lines


def target_of(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def values_of(headers: Any, name: str) -> list[str]:
    return [value for key, value in headers if key.lower() == name.lower()]


def header_problems(expected: Json, message: Json) -> Iterator[str]:
    headers = message.get("headers")
    if not isinstance(headers, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in headers
    ):
        yield "headers is not a list of pairs of strings"
        return
    for name in dict.fromkeys(name for name, _ in expected.get("headers", [])):
        wanted, found = values_of(expected["headers"], name), values_of(headers, name)
        # Except for Set-Cookie, fields joined with commas are equal. Servers may leave out the space after a semicolon.
        if found != wanted and (name == "Set-Cookie" or joined(found) != joined(wanted)):
            yield f"{name} is {found} instead of {wanted}"


def joined(values: list[str]) -> str:
    return ", ".join(values).replace("; ", ";")


def recorded_body(message: Json) -> bytes | None:
    if "body_base64" in message:
        return base64.b64decode(message["body_base64"], validate=True)
    return message["body"].encode() if isinstance(message.get("body"), str) else None


def means_other(headers: Any) -> bool:
    """True if the header fields mean that a body's bytes aren't UTF-8 text."""
    types = " ".join(values_of(headers, "Content-Type")).lower()
    charset = types.partition("charset=")[2].strip('"')
    return types.startswith("multipart/") or (charset != "" and not charset.startswith("utf-8"))


def body_problems(expected: Json, message: Json) -> Iterator[str]:
    body = recorded_body(message)
    wanted = plain_body(expected)
    if expected.get("truncated"):
        if message.get("body_truncated") is not True:
            yield "body_truncated is not true"
        if body is not None and not wanted.startswith(body):
            yield "the body is not the beginning of what was sent"
        return
    if message.get("body_truncated"):
        yield "body_truncated is true, and all of it was there"
    headers = message.get("headers", [])
    if "body" in message and "body_base64" in message:
        yield "body and body_base64 are both there"
    if "body" in message and (b"\0" in wanted or wanted.startswith(b"\xef\xbb\xbf") or means_other(headers)):
        yield "the body is written as text, and its text doesn't mean the same"
    encoding = values_of(headers, "Content-Encoding")
    try:
        if encoding and body:
            if "body" in message:
                yield "the body is written as text, with the header field Content-Encoding"
            body = zlib.decompress(body, 47)
    except zlib.error:
        yield f"the body isn't what Content-Encoding ({encoding[0]}) says"
        return
    if body is None and wanted == b"":
        return
    if body != wanted:
        yield f"the body is {describe(body)} instead of {describe(wanted)}"


def describe(body: bytes | None) -> str:
    if body is None:
        return "missing"
    return repr(body) if len(body) <= 60 else f"{len(body)} bytes that begin with {body[:40]!r}"


def line_problems(exchange: Json, line: Json, test: str | None) -> Iterator[str]:
    shows: Json = line["shows"]
    request, response = line["request"], line.get("response")
    if not urlsplit(request["url"]).scheme.startswith("http") or not urlsplit(request["url"]).netloc:
        yield f"request.url is {request['url']}, which has no host"
    if shows.get("request_headers", "all") == "all":
        yield from (f"request: {problem}" for problem in header_problems(exchange["request"], request))
    if shows.get("request_body", True):
        yield from (f"request: {problem}" for problem in body_problems(exchange["request"], request))
    expected = exchange.get("response")
    if expected is None:
        # Some frameworks turn an error that reaches the test into a response.
        if response is not None and response.get("status_code") != 500:
            yield "there is a response, and none came"
    elif not isinstance(response, dict):
        yield "there is no response"
    else:
        yield from (f"response: {problem}" for problem in response_problems(expected, response, shows))
    if shows.get("time", True) and not (isinstance(line.get("timestamp"), (int, float)) and line["timestamp"] > 1.6e9):
        yield f"timestamp is {line.get('timestamp')} instead of seconds since 1970"
    if test is not None:
        named = line.get("test")
        if not names_case(named, test):
            yield f"test is {named}, and the name of the test has {test}"


def response_problems(expected: Json, response: Json, shows: Json) -> Iterator[str]:
    if shows.get("status", True) and response.get("status_code") != expected["status_code"]:
        yield f"status_code is {response.get('status_code')} instead of {expected['status_code']}"
    if shows.get("response_headers", "all") == "all":
        yield from header_problems(expected, response)
    if shows.get("response_body", True):
        yield from body_problems(expected, response)
    elapsed = response.get("elapsed")
    if elapsed is not None and not (isinstance(elapsed, (int, float)) and 0 <= elapsed < 600):
        yield f"elapsed is {elapsed}"


def outcome_problems(folder: Path, cases: list[Json]) -> Iterator[str]:
    """Problems of the reported outcomes; all tests pass."""
    path = folder / "outcomes.json"
    told = [json.loads(text) for text in path.read_text("utf-8").splitlines()] if path.exists() else []
    for case in cases:
        outcomes = [each.get("outcome") for each in told if names_case(each.get("test"), case["id"])]
        if not outcomes or {*outcomes} != {"passed"}:
            yield f"{case['id']}: the outcome of its test was told as {outcomes} instead of passed"


def names_case(test: Any, id: str) -> bool:
    name = test.get("name") if isinstance(test, dict) else test
    return isinstance(name, str) and id in name


def check(
    folder: Path, with_tests: bool = False, without: frozenset[str] = frozenset(), cases: list[Json] = CASES
) -> tuple[list[str], list[str]]:
    """Compares a recorder's lines with the cases. Returns problems and skipped cases, as sentences."""
    problems: list[str] = []
    left_out: list[str] = []
    found: dict[tuple[str, str], list[Json]] = defaultdict(list)
    for line in read_folder(folder, problems):
        request = line.get("request")
        if isinstance(request, dict) and isinstance(request.get("url"), str):
            found[request.get("method", ""), target_of(request["url"])].append(line)
        else:
            problems.append(f"{line['at']} has no request with a url")
    for case in cases:
        needs = without.intersection([case["id"], *case.get("needs", [])])
        if needs:
            left_out.append(f"{case['id']}: needs {', '.join(sorted(needs))}")
        in_case: dict[str, int] = {}
        for exchange in exchanges_of(case):
            key = (exchange["request"]["method"], exchange["request"]["path"])
            lines = found.pop(key, [])
            if needs:
                continue
            told = [] if len(lines) == 1 else [f"{len(lines)} lines instead of 1"]
            for line in lines:
                told += line_problems(exchange, line, case["id"] if with_tests else None)
            for problem in told:
                in_case.setdefault(f"{' '.join(key)}: {problem}", 0)
        shown = list(in_case)[:5]
        problems += [f"{case['id']}: {problem}" for problem in shown]
        if len(in_case) > len(shown):
            problems.append(f"{case['id']}: {len(in_case) - len(shown)} more like these")
    for (method, target), lines in found.items():
        problems.append(f"{lines[0]['at']}: no case sends {method} {target}")
    if with_tests and cases is CHANGES:
        problems += outcome_problems(folder, [case for case in cases if not without.intersection([case["id"], *case.get("needs", [])])])
    return problems, left_out


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="The conformance set for recorders of covtool.")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="answer as the cases say")
    serving.add_argument("--port", type=int, default=0)
    checking = commands.add_parser("check", help="check the lines in a folder")
    checking.add_argument("folder", type=Path)
    checking.add_argument("--tests", action="store_true", help="each line names a test that has the id of its case")
    checking.add_argument("--changes", action="store_true", help="the lines are what `change` was asked")
    checking.add_argument("--without", default="", help="needs, or ids of cases, to leave out")
    changing = commands.add_parser("change", help="answer what recorders ask")
    changing.add_argument("folder", type=Path)
    args = parser.parse_args(arguments)
    if args.command in ("serve", "change"):
        if args.command == "serve":
            server, path = serve(args.port), ""
        else:
            Changer.folder = args.folder
            server, path = Server(("127.0.0.1", 0), Changer), KEY
        print(f"http://127.0.0.1:{server.server_port}{path}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
        return 0
    without = frozenset(filter(None, args.without.split(",")))
    all_cases = CHANGES if args.changes else CASES
    problems, left_out = check(args.folder, args.tests, without, all_cases)
    for problem in problems:
        print(f"not ok: {problem}")
    for case in left_out:
        print(f"left out: {case}")
    cases = len(all_cases) - len(left_out)
    print(f"{cases} cases, {'no problems' if not problems else f'{len(problems)} problems'}, {len(left_out)} left out")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
