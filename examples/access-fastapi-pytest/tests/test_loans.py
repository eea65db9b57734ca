from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from main import app

client = TestClient(app)
KEYS = {path.name: path.read_text().strip() for path in Path(__file__).parent.parent.glob("keys/*")}


def send(name, method, url, json=None):
    headers = {} if name is None else {"X-Api-Key": KEYS[name]}
    return client.request(method, url, headers=headers, json=json)


def borrow(name):
    response = send(name, "POST", "/loans", {"book": "Momo"})
    assert response.status_code == 201
    return f"/loans/{response.json()['id']}"


def test_readers_borrow():
    borrow("ann")
    borrow("ben")
    assert send(None, "POST", "/loans", {"book": "Momo"}).status_code == 401
    for name in ["lea", "root"]:
        assert send(name, "POST", "/loans", {"book": "Momo"}).status_code == 403


def test_loans_are_shown():
    loan = borrow("ann")
    for name in ["ann", "ben", "lea", "root"]:
        assert send(name, "GET", loan).status_code < 500
    assert send(None, "GET", loan).status_code == 401
    assert send("lea", "GET", "/loans/99").status_code == 404


@pytest.mark.parametrize("name", ["ann", "lea", "root"])
def test_books_are_given_back(name):
    loan = borrow("ann")
    assert send("ben", "DELETE", loan).status_code == 403
    assert send(None, "DELETE", loan).status_code == 401
    assert send(name, "DELETE", loan).status_code == 204
    assert send("lea", "DELETE", "/loans/99").status_code == 404


def test_staff_counts_loans():
    for name in ["ann", "lea", "root"]:
        send(name, "GET", "/reports/loans")
    assert send(None, "GET", "/reports/loans").status_code == 401


def test_staff_removes_readers():
    for name in ["lea", "root"]:
        send(name, "DELETE", "/readers/zoe")
    assert send("ann", "DELETE", "/readers/ben").status_code == 403
    assert send(None, "DELETE", "/readers/ben").status_code == 401
