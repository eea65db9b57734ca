"""A small library of books, as a typical FastAPI project."""

from typing import Annotated

from fastapi import FastAPI, HTTPException, Query, Response
from pydantic import BaseModel, Field

app = FastAPI(title="Library", version="1.0.0")


class NewBook(BaseModel):
    title: str = Field(min_length=1, max_length=80, examples=["Momo"])
    pages: int = Field(ge=1, le=5000)
    tags: list[str] = Field(default=[], max_length=3)


class Book(NewBook):
    id: int


class Problem(BaseModel):
    detail: str


books: dict[int, Book] = {}


@app.get("/books")
def list_books(
    title: Annotated[str | None, Query(min_length=2)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> list[Book]:
    found = [book for book in books.values() if title is None or title in book.title]
    return found[:limit]


@app.post("/books", status_code=201)
def create_book(book: NewBook, response: Response) -> Book:
    created = Book(id=len(books) + 1, **book.model_dump())
    books[created.id] = created
    response.headers["Location"] = f"/books/{created.id}"
    return created


@app.get("/books/{book_id}", responses={404: {"model": Problem}})
def read_book(book_id: int) -> Book:
    if book_id not in books:
        raise HTTPException(404, "There is no such book.")
    return books[book_id]


@app.delete("/books/{book_id}", status_code=204, responses={404: {"model": Problem}})
def delete_book(book_id: int) -> None:
    if books.pop(book_id, None) is None:
        raise HTTPException(404, "There is no such book.")
