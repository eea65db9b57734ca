"""Tests what conformance.py reports about correct lines, and about lines with one mistake."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conformance import CASES, BODY_LIMIT, check, exchanges_of, plain_body, sent_headers

Json = dict[str, Any]


def message_of(expected: Json) -> Json:
    body = plain_body(expected)
    message: Json = {"headers": [list(pair) for pair in expected.get("headers", [])]}
    if len(body) > BODY_LIMIT or expected.get("truncated"):
        return {**message, "body_truncated": True}
    return {**message, "body_base64": base64.b64encode(body).decode()}


def right_lines() -> list[Json]:
    lines = []
    for case in CASES:
        if case["id"] in ("many", "parallel"):
            continue
        for exchange in exchanges_of(case):
            request = exchange["request"]
            line: Json = {
                "request": {
                    "method": request["method"],
                    "url": "http://localhost" + request["path"],
                    **message_of(request),
                },
                "timestamp": 1.7e9,
                "test": {"name": f"test[{case['id']}]"},
            }
            if "response" in exchange:
                response = exchange["response"]
                line["response"] = {"status_code": response["status_code"], **message_of(response)}
            lines.append(line)
    return lines


def told(folder: Path, lines: list[Json], head: Any = {"covtool": 1, "recorder": "x 1"}) -> list[str]:  # noqa: B006
    texts = [json.dumps(line) for line in ([head] if head else []) + lines]
    (folder / "traffic-1-a.ndjson").write_text("".join(text + "\n" for text in texts))
    return check(folder, with_tests=True, without=frozenset({"many", "parallel"}))[0]


def test_right_lines_have_no_problems(tmp_path: Path) -> None:
    assert told(tmp_path, right_lines()) == []


def changed(where: str, change: Callable[[Json], object]) -> Any:
    def lines() -> list[Json]:
        all_lines = copy.deepcopy(right_lines())
        change(next(line for line in all_lines if where in line["request"]["url"]))
        return all_lines

    return lines


def as_text(message: Json) -> None:
    message["body"] = base64.b64decode(message.pop("body_base64")).decode("latin-1")


WRONG = {
    "one line twice": lambda: [*right_lines(), right_lines()[0]],
    "one line missing": lambda: right_lines()[1:],
    "a request of nobody": lambda: [*right_lines(), {"request": {"method": "GET", "url": "http://a/b"}}],
    "a status": changed("/json", lambda line: line["response"].update(status_code=200)),
    "a query": changed("/query", lambda line: line["request"].update(url="http://localhost/query?q=a b")),
    "no host": changed("/head", lambda line: line["request"].update(url="/head")),
    "a body missing": changed("/json", lambda line: line["request"].pop("body_base64")),
    "a body cut": changed("/json", lambda line: line["response"].update(body_truncated=True)),
    "a body that is too long": changed("/large", lambda line: line["response"].pop("body_truncated")),
    "multipart as text": changed("/multipart", lambda line: as_text(line["request"])),
    "another charset as text": changed("/charset", lambda line: as_text(line["response"])),
    "gzip that isn't": changed(
        "/gzip", lambda line: line["response"]["headers"].append(["Content-Encoding", "gzip"])
    ),
    "cookies joined": changed(
        "/repeated-answer",
        lambda line: line["response"].update(headers=[["Set-Cookie", "a=1; Path=/only, b=2; Path=/only"]]),
    ),
    "headers as an object": changed("/json", lambda line: line["request"].update(headers={})),
    "secrets masked": changed("/credentials", lambda line: line["request"].update(headers=[["Authorization", "***"]])),
    "no response": changed("/server-error", lambda line: line.pop("response")),
    "a response that never came": changed("/broken", lambda line: line.update(response={"status_code": 200})),
    "no time": changed("/json", lambda line: line.pop("timestamp")),
    "another test": changed("/json", lambda line: line.update(test={"name": "test[query]"})),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_lines_have_one_problem(name: str, tmp_path: Path) -> None:
    assert len(told(tmp_path, WRONG[name]())) >= 1


def test_a_file_begins_with_its_recorder(tmp_path: Path) -> None:
    assert "first line" in told(tmp_path, right_lines(), None)[0]
    assert "first line" in told(tmp_path, right_lines(), {"covtool": 2, "recorder": "x"})[0]


def test_parts_that_a_recorder_cannot_see_are_not_compared(tmp_path: Path) -> None:
    lines = right_lines()
    for line in lines:
        line["request"].pop("headers")
        line["request"].pop("body_base64", None)
    head = {"covtool": 1, "recorder": "x", "shows": {"request_headers": "none", "request_body": False}}
    assert told(tmp_path, lines, head) == []


def test_sent_headers_name_the_encoding() -> None:
    assert sent_headers({"gzip": True, "headers": [["A", "b"]]}) == [("A", "b"), ("Content-Encoding", "gzip")]
