"""Requests over sockets for `covtool run`, `covtool proxy` and a vcrpy cassette, which must give the same counts."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Annotated, Any

import uvicorn
from fastapi import Body, Cookie, FastAPI, File, Form, Header, HTTPException, Response, UploadFile
from fastapi.responses import RedirectResponse, StreamingResponse
from pydantic import BaseModel, Field

app = FastAPI(title="Everything")


class Item(BaseModel):
    name: str = Field(min_length=2, max_length=10)
    price: float = Field(gt=0)
    tags: set[str] = set()


@app.get("/items")
def list_items(
    limit: Annotated[int, Header(ge=1)] = 5, q: str | None = None, session: Annotated[str | None, Cookie()] = None
) -> list[Item]:
    return [Item(name="Momo", price=1)] if q else []


@app.post("/items", status_code=201)
def create(item: Item, response: Response) -> Item:
    response.set_cookie("session", "abcdef")
    response.set_cookie("theme", "dark")
    response.headers["Location"] = "/items/1"
    return item


@app.put("/items/{item_id}")
def replace(item_id: int, item: Annotated[Item, Body()]) -> Item:
    if item_id > 9:
        raise HTTPException(404, "missing")
    return item


@app.post("/form")
def form(name: Annotated[str, Form(max_length=5)]) -> str:
    return name


@app.post("/files")
def files(file: Annotated[UploadFile, File()], note: Annotated[str, Form()] = "") -> int:
    return len(file.file.read())


@app.get("/old", status_code=307)
def old() -> RedirectResponse:
    return RedirectResponse("/items?q=moved")


@app.get("/stream")
def stream() -> StreamingResponse:
    return StreamingResponse((f'{{"n": {n}}}\n' for n in range(50)), media_type="application/x-ndjson")


@app.get("/text")
def text() -> Response:
    return Response("Jürgen".encode("latin-1"), media_type="text/plain; charset=iso-8859-1")


@app.get("/broken")
def broken() -> None:
    raise ValueError("unlucky")


def suite(base: str) -> None:
    import httpx
    import requests

    for session in (requests.Session(), httpx.Client(follow_redirects=True)):
        client: Any = session
        client.get(f"{base}/items")
        client.get(f"{base}/items?q=a%20b&limit=1&q=c", headers={"Limit": "0"})
        client.get(f"{base}/items", headers={"Limit": "3"}, cookies={"session": "xyz"})
        client.post(f"{base}/items", json={"name": "Momo", "price": 2.5, "tags": ["a", "b"]})
        client.post(f"{base}/items", json={"name": "M", "price": 0})
        client.post(f"{base}/items", data=b"{broken", headers={"Content-Type": "application/json"})
        client.put(f"{base}/items/3", json={"name": "Krabat", "price": 1})
        client.put(f"{base}/items/30", json={"name": "Krabat", "price": 1})
        client.put(f"{base}/items/x", json={})
        client.post(f"{base}/form", data={"name": "Mömo"})
        client.post(f"{base}/form", data={"name": "too long"})
        client.post(f"{base}/files", files={"file": ("a.bin", bytes(range(256)))}, data={"note": "n"})
        client.get(f"{base}/old")
        client.get(f"{base}/stream")
        client.get(f"{base}/text")
        # The server closes this connection without announcing it.
        client.get(f"{base}/broken", headers={"Connection": "close"})
        client.get(f"{base}/nowhere")
        client.delete(f"{base}/items")
        client.head(f"{base}/items")


if __name__ == "__main__":
    if sys.argv[1:] == ["describe"]:
        print(json.dumps(app.openapi()))
        sys.exit()
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    base = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    if sys.argv[1:2] == ["cassette"]:
        import vcr

        with vcr.use_cassette(sys.argv[2], record_mode="all"):
            suite(base)
    else:
        suite(base)
    server.should_exit = True
