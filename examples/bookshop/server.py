"""The bookshop's server: pip install fastapi uvicorn python-multipart, then uvicorn server:app --port 8901."""


import gzip
import hashlib
from datetime import date, datetime, timezone
from enum import Enum
from typing import Annotated, Literal, Optional, Union
from uuid import UUID, uuid4

from fastapi import (Body, Cookie, Depends, FastAPI, File, Form, Header, HTTPException, Path,
                     Query, Request, Response, UploadFile, WebSocket)
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from fastapi.security import HTTPBasic, HTTPBasicCredentials
from pydantic import BaseModel, ConfigDict, Field

api = FastAPI(
    root_path_in_servers=False,
    title="Bookshop", version="1.4.0",
    description="Books, covers, orders and sessions.",
    servers=[{"url": "http://127.0.0.1:8901/api/v1", "description": "local"},
             {"url": "http://{host}:{port}/api/v1", "description": "templated",
              "variables": {"host": {"default": "localhost"},
                            "port": {"default": "8901", "enum": ["8901", "8902"]}}}],
)
api.add_middleware(GZipMiddleware, minimum_size=1200)
api.add_middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"])

P = "/api/v1"  # the path prefix of the API


class Genre(str, Enum):
    novel = "novel"
    poetry = "poetry"
    science = "science"
    comic = "comic"


class Problem(BaseModel):
    type: str = "about:blank"
    title: str
    status: int = Field(ge=100, le=599)
    detail: Optional[str] = None


class PrintFormat(BaseModel):
    kind: Literal["print"]
    pages: int = Field(ge=1, le=5000)
    hardcover: bool = False


class EbookFormat(BaseModel):
    kind: Literal["ebook"]
    file_type: Literal["epub", "pdf", "mobi"] = "epub"
    size_kb: Optional[float] = Field(default=None, gt=0)


class AudioFormat(BaseModel):
    kind: Literal["audio"]
    minutes: int = Field(ge=1, multiple_of=1)
    narrators: list[str] = Field(min_length=1, max_length=4)


class Person(BaseModel):
    name: str = Field(min_length=1, max_length=80, examples=["Stanisław Lem"])
    born: Optional[date] = None


class BookIn(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{
            "title": "Solaris", "genre": "science", "price": 12.5, "isbn": "9788308049051",
            "authors": [{"name": "Stanisław Lem", "born": "1921-09-12"}],
            "format": {"kind": "print", "pages": 224, "hardcover": True},
            "tags": ["classic"], "notes": None}]})
    title: str = Field(min_length=1, max_length=120)
    genre: Genre = Genre.novel
    price: float = Field(ge=0, lt=10000)
    isbn: str = Field(pattern=r"^97[89]\d{10}$")
    authors: list[Person] = Field(min_length=1, max_length=5)
    format: Annotated[Union[PrintFormat, EbookFormat, AudioFormat], Field(discriminator="kind")]
    tags: set[str] = Field(default_factory=set, max_length=8)
    notes: Optional[str] = None
    shelf: Union[int, Literal["storage"], None] = None
    extra: dict[str, Union[int, str]] = Field(default_factory=dict)


class Book(BookIn):
    model_config = ConfigDict(extra="ignore")
    id: int
    added: datetime


class BookPatch(BaseModel):
    title: Optional[str] = Field(default=None, min_length=1, max_length=120)
    price: Optional[float] = Field(default=None, ge=0, lt=10000)
    notes: Optional[str] = None


class OrderLine(BaseModel):
    book_id: int = Field(ge=1)
    quantity: int = Field(default=1, ge=1, le=99)


class Card(BaseModel):
    method: Literal["card"]
    last4: str = Field(pattern=r"^\d{4}$")


class Invoice(BaseModel):
    method: Literal["invoice"]
    email: str = Field(pattern=r"^[^@\s]+@[^@\s]+$", examples=["ann@example.org"])


class OrderIn(BaseModel):
    lines: list[OrderLine] = Field(min_length=1, max_length=20)
    payment: Union[Card, Invoice]
    gift_note: Optional[str] = Field(default=None, max_length=200)


BOOKS: dict[int, dict] = {}
COVERS: dict[int, tuple[str, bytes]] = {}
ORDERS: dict[UUID, dict] = {}


def seed() -> None:
    rows = [("Solaris", "science", 12.5, "9788308049051", "Stanisław Lem"),
            ("Пикник на обочине", "science", 9.9, "9785170862344", "Аркадий Стругацкий"),
            ("Brev från nollpunkten", "poetry", 21, "9789100123456", "Åsa Ek"),
            ("雪国", "novel", 8, "9784101001012", "川端康成")]
    for n, (t, g, p, i, a) in enumerate(rows, 1):
        BOOKS[n] = {"id": n, "title": t, "genre": g, "price": p, "isbn": i,
                    "authors": [{"name": a, "born": None}],
                    "format": {"kind": "print", "pages": 200 + n, "hardcover": False},
                    "tags": ["classic"], "notes": None, "shelf": n, "extra": {},
                    "added": "2024-05-0%dT10:00:00Z" % n}


seed()
NOT_FOUND = {404: {"model": Problem, "description": "No such thing"}}
ANY = {"default": {"model": Problem, "description": "Any other answer"}}
BOOM = {"5XX": {"model": Problem, "description": "Our fault"}}


def problem(status: int, title: str) -> JSONResponse:
    return JSONResponse({"type": "about:blank", "title": title, "status": status, "detail": None},
                        status_code=status, media_type="application/problem+json")


@api.get("/books", tags=["books"], operation_id="listBooks", response_model=list[Book],
         responses={**ANY})
def list_books(
    response: Response,
    genre: Annotated[list[Genre], Query(description="Any of these")] = [],
    min_price: Annotated[Optional[float], Query(ge=0, le=9999)] = None,
    max_price: Annotated[Optional[float], Query(ge=0, le=9999)] = None,
    sort: Annotated[Literal["title", "-title", "price", "-price"], Query()] = "title",
    page: Annotated[int, Query(ge=1, le=100, examples=[1, 2])] = 1,
    isbn: Annotated[Optional[str], Query(pattern=r"^97[89]\d{0,10}$")] = None,
    q: Annotated[Optional[str], Query(min_length=2, max_length=40, openapi_examples={
        "word": {"value": "lem", "summary": "one word"},
        "utf8": {"value": "пикник", "summary": "not ASCII"}})] = None,
    in_stock: Annotated[Optional[bool], Query(deprecated=True)] = None,
    x_request_id: Annotated[Optional[str], Header(pattern=r"^[0-9a-f-]{8,36}$")] = None,
    session: Annotated[Optional[str], Cookie(min_length=8)] = None,
):
    got = [b for b in BOOKS.values()
           if (not genre or b["genre"] in [g.value for g in genre])
           and (min_price is None or b["price"] >= min_price)
           and (max_price is None or b["price"] <= max_price)
           and (q is None or q.lower() in (b["title"] + b["authors"][0]["name"]).lower())
           and (isbn is None or b["isbn"].startswith(isbn))]
    key = sort.lstrip("-")
    got.sort(key=lambda b: b[key], reverse=sort.startswith("-"))
    response.headers["X-Total-Count"] = str(len(got))
    response.headers.append("Set-Cookie", "seen=1; Path=/")
    response.headers.append("Set-Cookie", "page=%d; Path=/; HttpOnly" % page)
    return got[(page - 1) * 20: page * 20]


@api.post("/books", tags=["books"], operation_id="addBook", status_code=201,
          response_model=Book,
          responses={409: {"model": Problem, "description": "ISBN already known"}, **ANY})
def add_book(book: BookIn, response: Response):
    if any(b["isbn"] == book.isbn for b in BOOKS.values()):
        return problem(409, "ISBN already known")
    n = max(BOOKS, default=0) + 1
    BOOKS[n] = {**book.model_dump(mode="json"), "id": n,
                "added": datetime.now(timezone.utc).isoformat()}
    response.headers["Location"] = f"{P}/books/{n}"
    return BOOKS[n]


BookId = Annotated[int, Path(ge=1, le=999999, description="Number of a book", examples=[1])]


@api.get("/books/{book_id}", tags=["books"], operation_id="getBook", response_model=Book,
         responses={**NOT_FOUND, 304: {"description": "Not modified"}})
def get_book(book_id: BookId, if_none_match: Annotated[Optional[str], Header()] = None):
    if book_id not in BOOKS:
        return problem(404, "No such book")
    tag = '"%s"' % hashlib.md5(repr(BOOKS[book_id]).encode()).hexdigest()[:8]
    if if_none_match == tag:
        return Response(status_code=304, headers={"ETag": tag})
    return JSONResponse(BOOKS[book_id], headers={"ETag": tag})


@api.put("/books/{book_id}", tags=["books"], operation_id="replaceBook",
         response_model=Book, responses=NOT_FOUND)
def replace_book(book_id: BookId, book: BookIn):
    if book_id not in BOOKS:
        return problem(404, "No such book")
    BOOKS[book_id].update(book.model_dump(mode="json"))
    return BOOKS[book_id]


@api.patch("/books/{book_id}", tags=["books"], operation_id="patchBook",
           response_model=Book, responses=NOT_FOUND)
def patch_book(book_id: BookId, patch: Annotated[BookPatch, Body(openapi_examples={
        "price": {"value": {"price": 7.25}}, "clear": {"value": {"notes": None}}})]):
    if book_id not in BOOKS:
        return problem(404, "No such book")
    BOOKS[book_id].update(patch.model_dump(exclude_unset=True))
    return BOOKS[book_id]


@api.delete("/books/{book_id}", tags=["books"], operation_id="removeBook", status_code=204,
            responses=NOT_FOUND)
def remove_book(book_id: BookId):
    if book_id not in BOOKS:
        return problem(404, "No such book")
    del BOOKS[book_id]
    return Response(status_code=204)


@api.post("/books/{book_id}/cover", tags=["covers"], operation_id="putCover",
          status_code=201, responses=NOT_FOUND)
async def put_cover(
    book_id: BookId,
    picture: Annotated[UploadFile, File(description="PNG or JPEG")],
    caption: Annotated[Optional[str], Form(max_length=60)] = None,
    kind: Annotated[Literal["front", "back"], Form()] = "front",
):
    if book_id not in BOOKS:
        return problem(404, "No such book")
    data = await picture.read()
    COVERS[book_id] = (picture.content_type or "application/octet-stream", data)
    return {"bytes": len(data), "name": picture.filename, "caption": caption, "kind": kind}


@api.get("/books/{book_id}/cover", tags=["covers"], operation_id="getCover",
         response_class=Response,
         responses={200: {"content": {"image/png": {"schema": {"type": "string",
                                                                "format": "binary"}}}},
                    **NOT_FOUND})
def get_cover(book_id: BookId):
    if book_id not in COVERS:
        return problem(404, "No cover")
    kind, data = COVERS[book_id]
    return Response(data, media_type=kind)


@api.post("/login", tags=["session"], operation_id="login",
          responses={401: {"model": Problem, "description": "Wrong"}})
def login(
    response: Response,
    username: Annotated[str, Form(min_length=1, max_length=30)],
    password: Annotated[str, Form(min_length=4)],
    remember: Annotated[bool, Form()] = False,
    scope: Annotated[list[Literal["read", "write", "admin"]], Form()] = ["read"],
):
    if password == "wrong":
        return problem(401, "Wrong name or password")
    response.set_cookie("session", "s-0123456789abcdef", httponly=True)
    return {"user": username, "scope": scope, "remember": remember}


@api.get("/me", tags=["session"], operation_id="whoAmI",
         responses={401: {"model": Problem, "description": "Not signed in"}})
def me(who: Annotated[HTTPBasicCredentials, Depends(HTTPBasic(auto_error=True))]):
    return {"user": who.username}


@api.post("/orders", tags=["orders"], operation_id="placeOrder", status_code=202,
          responses={**NOT_FOUND, **BOOM})
def place_order(order: OrderIn, idempotency_key: Annotated[UUID, Header()]):
    for line in order.lines:
        if line.book_id == 666:
            return problem(503, "Warehouse is closed")
        if line.book_id not in BOOKS:
            return problem(404, "No such book")
    oid = uuid4()
    ORDERS[oid] = {"id": str(oid), "state": "new", **order.model_dump(mode="json")}
    return ORDERS[oid]


@api.get("/orders/{order_id}", tags=["orders"], operation_id="getOrder", responses=NOT_FOUND)
def get_order(order_id: UUID, expand: Annotated[Optional[list[Literal["lines", "payment"]]],
                                                 Query()] = None):
    if order_id not in ORDERS:
        return problem(404, "No such order")
    return ORDERS[order_id]


@api.post("/books/{book_id}/review", tags=["books"], operation_id="addReview",
          status_code=201, responses=NOT_FOUND, openapi_extra={"requestBody": {
              "required": True, "content": {"text/plain": {
                  "schema": {"type": "string", "minLength": 3}, "example": "Great."}}}})
async def add_review(book_id: BookId, request: Request):
    text = (await request.body()).decode("utf-8", "replace")
    if book_id not in BOOKS:
        return problem(404, "No such book")
    return {"characters": len(text)}


@api.get("/export/{year}-{month}.{ext}", tags=["export"], operation_id="export",
         response_class=PlainTextResponse,
         responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}})
def export(year: Annotated[int, Path(ge=1990, le=2100)], month: Annotated[int, Path(ge=1, le=12)],
           ext: Literal["csv", "txt"]):
    body = "id,title,price\n" + "".join(f"{b['id']},{b['title']},{b['price']}\n"
                                          for b in BOOKS.values()) * 12
    return PlainTextResponse(body, media_type="text/csv" if ext == "csv" else "text/plain")


@api.get("/old-books", tags=["books"], operation_id="oldBooks", status_code=307,
         deprecated=True, response_class=RedirectResponse)
def old_books():
    return RedirectResponse(P + "/books?sort=-price", status_code=307)


@api.get("/broken", tags=["export"], operation_id="broken", responses=BOOM)
def broken():
    return problem(500, "On purpose")


@api.get("/health", include_in_schema=False)
def health():
    return {"ok": True}


@api.websocket("/ws")
async def ws(sock: WebSocket):
    await sock.accept()
    await sock.send_text(await sock.receive_text())
    await sock.close()


app = FastAPI(openapi_url=None)
app.mount(P, api)
