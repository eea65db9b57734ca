from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

APP = """
from fastapi import FastAPI, HTTPException
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field

app = FastAPI(title="Books")

class Book(BaseModel):
    title: str = Field(min_length=1, max_length=20)

@app.get("/books")
def list_books(limit: int = 10) -> list[Book]:
    if limit == 13:
        raise ValueError("unlucky")
    return []

@app.post("/books", status_code=201)
def create(book: Book) -> Book:
    return book

client = TestClient(app)
"""

TESTS = """
import pytest
from app import client

class TestBooks:
    def test_list(self):
        assert client.get("/books?limit=1").json() == []

@pytest.mark.parametrize("title", ["Momo", "Krabat"])
def test_create(title):
    assert client.post("/books", json={"title": title}).status_code == 201
"""

Lines = Callable[[], list[Any]]


@pytest.fixture
def traffic(tmp_path: Path) -> Path:
    return tmp_path / "traffic"


@pytest.fixture
def lines(traffic: Path) -> Lines:
    """Reads the recorded exchanges of all processes."""

    def read() -> list[Any]:
        found = []
        for path in sorted(traffic.glob("*.ndjson")):
            head, *rest = [json.loads(line) for line in path.read_text().splitlines()]
            assert head["covtool"] == 1
            found += rest
        return found

    return read


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, traffic: Path) -> pytest.Pytester:
    """A project with an API and its tests, which record into `traffic`."""
    monkeypatch.setenv("COVTOOL_TRAFFIC", str(traffic))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(pytester.path), os.environ["PYTHONPATH"]]))
    # Searching all packages for plugins takes longer than a test.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(app=APP, test_books=TESTS)
    return pytester
