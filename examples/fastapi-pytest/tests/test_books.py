import pytest
from fastapi.testclient import TestClient

from main import app, books

client = TestClient(app)


@pytest.fixture(autouse=True)
def empty_library():
    books.clear()


@pytest.fixture
def momo():
    return client.post("/books", json={"title": "Momo", "pages": 304, "tags": ["time"]}).json()


def test_a_book_is_created(momo):
    assert momo == {"id": 1, "title": "Momo", "pages": 304, "tags": ["time"]}


@pytest.mark.parametrize("wrong", [{"pages": 304}, {"title": "", "pages": 304}, {"title": "Momo", "pages": 0}])
def test_a_wrong_book_is_refused(wrong):
    assert client.post("/books", json=wrong).status_code == 422


def test_books_are_found_by_their_titles(momo):
    assert client.get("/books", params={"title": "Mo"}).json() == [momo]
    assert client.get("/books", params={"title": "Krabat"}).json() == []


def test_the_limit_of_a_list_is_checked():
    assert client.get("/books?limit=0").status_code == 422


def test_a_book_is_read(momo):
    assert client.get("/books/1").json() == momo
    assert client.get("/books/2").status_code == 404
