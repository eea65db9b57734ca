"""Sends all cases with each client in CONFORMANCE_CLIENTS to the server at CONFORMANCE_SERVER.

CONFORMANCE_MANY names the only client that sends ten thousand requests.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from answers import CASES, numbered, plain_body
from clients import CLIENTS

from conformance import CHANGES  # noqa: E402

SENT = CHANGES if "COVTOOL_CHANGES" in os.environ else CASES


@pytest.fixture(scope="module", params=os.environ["CONFORMANCE_CLIENTS"].split(","))
def client(request: Any) -> Any:
    return CLIENTS[request.param](os.environ.get("CONFORMANCE_SERVER", ""))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in SENT])
def test_case(case: Any, client: Any) -> None:
    name = type(client).__name__
    without = {*client.without, *os.environ.get("CONFORMANCE_WITHOUT", "").split(",")}
    if os.environ.get("CONFORMANCE_MANY", name) != name:
        without.add("many")
    needs = {case["id"], *case.get("needs", [])} & without
    if needs:
        pytest.skip(f"needs {needs}")
    first = case["exchanges"][0]
    if "response" not in first:
        with pytest.raises(client.errors):
            client.send(case, first["request"])
        return
    if "times" not in case:
        seen = client.send(case, first["request"])
        if SENT is CHANGES:
            check(case, seen)
        return

    def send(n: int) -> None:
        client.send(case, numbered(first["request"], n))

    if "parallel" in case:
        with ThreadPoolExecutor(case["parallel"]) as pool:
            list(pool.map(send, range(case["times"])))
    else:
        for n in range(case["times"]):
            send(n)


def check(case: Any, seen: Any) -> None:
    """Checks that a test gets the response as covtool changes it."""
    status, headers, body = seen
    wanted = case.get("changed", case["exchanges"][0]["response"])
    assert (status, body) == (wanted["status_code"], plain_body(wanted))

    def value(fields: Any, name: str) -> str:
        return ", ".join(value for key, value in fields if key.lower() == name.lower())

    for name, _ in wanted.get("headers", []):
        assert value(headers, name) == value(wanted["headers"], name)
    assert not any(value(headers, name) for name in case.get("absent", []))
