"""Sends all cases by the client that CONFORMANCE_CLIENT names, to the server at CONFORMANCE_URL."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from answers import CASES, numbered, plain_body
from clients import CLIENTS

from conformance import CHANGES  # noqa: E402

Client = CLIENTS[os.environ["CONFORMANCE_CLIENT"]]
SENT = CHANGES if "COVTOOL_CHANGES" in os.environ else CASES
TIMES = int(os.environ.get("CONFORMANCE_TIMES", "10000"))


@pytest.fixture(scope="module")
def client() -> Any:
    return Client(os.environ.get("CONFORMANCE_URL", ""))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in SENT])
def test_case(case: Any, client: Any) -> None:
    needs = {case["id"], *case.get("needs", [])} & {*Client.without, *os.environ.get("CONFORMANCE_WITHOUT", "").split(",")}
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
    """Compares what a test got with what it has to get while covtool changes answers."""
    status, headers, body = seen
    wanted = case.get("changed", case["exchanges"][0]["response"])
    assert (status, body) == (wanted["status_code"], plain_body(wanted))

    def value(fields: Any, name: str) -> str:
        return ", ".join(value for key, value in fields if key.lower() == name.lower())

    for name, _ in wanted.get("headers", []):
        assert value(headers, name) == value(wanted["headers"], name)
    assert not any(value(headers, name) for name in case.get("absent", []))
