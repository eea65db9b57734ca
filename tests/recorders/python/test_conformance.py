"""Sends all cases by the client that CONFORMANCE_CLIENT names, to the server at CONFORMANCE_URL."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from answers import CASES, numbered
from clients import CLIENTS

Client = CLIENTS[os.environ["CONFORMANCE_CLIENT"]]
TIMES = int(os.environ.get("CONFORMANCE_TIMES", "10000"))


@pytest.fixture(scope="module")
def client() -> Any:
    return Client(os.environ.get("CONFORMANCE_URL", ""))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
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
        client.send(case, first["request"])
        return

    def send(n: int) -> None:
        client.send(case, numbered(first["request"], n))

    if "parallel" in case:
        with ThreadPoolExecutor(case["parallel"]) as pool:
            list(pool.map(send, range(case["times"])))
    else:
        for n in range(case["times"]):
            send(n)
