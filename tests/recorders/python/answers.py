"""Applications of all frameworks that send the responses of the conformance set."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "conformance"))

from conformance import ANSWERS, CASES, Json, chunks_of, numbered, plain_body, sent_body, sent_headers  # noqa: E402

class Broken(Exception):
    """Raised by an application where a server would close the connection."""


def answer_to(method: str, target: str) -> Json:
    answer = ANSWERS[method, target]
    if answer is None:
        raise Broken
    return answer


def chunks_of_request(request: Json) -> list[bytes] | None:
    return chunks_of(request) if "chunks" in request else None


def pieces(method: str, answer: Json) -> list[bytes]:
    if "chunks" in answer:
        return chunks_of(answer)
    return [] if method == "HEAD" else [sent_body(answer)]


async def asgi_app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body", False):
        pass
    query = scope["query_string"].decode()
    # Older versions of Starlette's test client include the query in the path.
    target = scope["raw_path"].decode().partition("?")[0] + (f"?{query}" if query else "")
    answer = answer_to(scope["method"], target)
    headers = [(name.lower().encode(), value.encode()) for name, value in sent_headers(answer)]
    if "chunks" not in answer and answer["status_code"] != 204:
        headers.append((b"content-length", str(len(sent_body(answer))).encode()))
    await send({"type": "http.response.start", "status": answer["status_code"], "headers": headers})
    for piece in pieces(scope["method"], answer):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def target_of(environ: Any) -> str:
    from urllib.parse import quote, unquote_to_bytes

    decoded = environ["PATH_INFO"].encode("latin-1")
    path = environ.get("REQUEST_URI", "").partition("?")[0]
    # After a redirect, Werkzeug's client leaves REQUEST_URI as it was.
    if unquote_to_bytes(path) != decoded:
        path = quote(decoded, safe="/:@!$&'()*+,;=~")
    return path + (f"?{environ['QUERY_STRING']}" if environ.get("QUERY_STRING") else "")


def wsgi_app(environ: Any, start_response: Any) -> Any:
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    method = environ["REQUEST_METHOD"]
    answer = answer_to(method, target_of(environ))
    headers = sent_headers(answer)
    if "chunks" not in answer and answer["status_code"] != 204:
        headers.append(("Content-Length", str(len(sent_body(answer)))))
    start_response(f"{answer['status_code']} Status", headers)
    return (piece for piece in pieces(method, answer)) if "chunks" in answer else pieces(method, answer)


def flask_app() -> Any:
    from flask import Flask, Response, request

    app = Flask(__name__)
    app.testing = True

    @app.route("/<path:path>", methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], provide_automatic_options=False)
    def answer(path: str) -> Response:
        request.get_data()
        answer = answer_to(request.method, target_of(request.environ))
        body = iter(pieces(request.method, answer)) if "chunks" in answer else sent_body(answer)
        response = Response(body, answer["status_code"])
        del response.headers["Content-Type"]
        for name, value in sent_headers(answer):
            response.headers.add(name, value)
        return response

    return app


def django_views() -> Any:
    from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

    def answer(request: HttpRequest) -> Any:
        request.body  # noqa: B018
        assert request.method is not None
        query = request.META["QUERY_STRING"]
        from urllib.parse import quote

        path = quote(request.path, safe="/:@!$&'()*+,;=~")
        answer = answer_to(request.method, path + (f"?{query}" if query else ""))
        response: Any = (
            StreamingHttpResponse(iter(pieces(request.method, answer)), status=answer["status_code"])
            if "chunks" in answer
            else HttpResponse(sent_body(answer), status=answer["status_code"])
        )
        del response["Content-Type"]
        for name, value in sent_headers(answer):
            if name == "Set-Cookie":
                key, rest = value.split(";")[0].split("=", 1)
                response.set_cookie(key, rest, path="/only")
            elif name in response:
                response[name] += f", {value}"
            else:
                response[name] = value
        if "Location" in response:
            response.url = response["Location"]  # as HttpResponseRedirect has it
        return response

    return answer
