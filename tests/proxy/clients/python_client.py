"""Sends the session with requests or httpx, which take proxy and certificates from the environment.

    python3 python_client.py requests|httpx|httpx2 http://localhost:1234 requests.json
"""

import base64
import hashlib
import json
import sys

library, base, path = sys.argv[1:]
with open(path) as file:
    session = json.load(file)


def answer(response):
    fields = response.headers.multi_items() if library != "requests" else (
        [(name, value) for name, value in response.raw.headers.items()]
    )
    return {
        "status": response.status_code,
        "headers": [[name.lower(), value] for name, value in fields],
        "length": len(response.content),
        "version": getattr(response, "http_version", ""),
        "sha": hashlib.sha256(response.content).hexdigest(),
    }


if library == "requests":
    import requests

    client = requests.Session()
    options = {}
else:
    import httpx

    client = httpx.Client(http2=library == "httpx2", timeout=60)
    options = {"follow_redirects": True}

answers = []
for request in session:
    body = request.get("body")
    answers.append(answer(client.request(
        request["method"],
        base + request["path"],
        headers=request.get("headers"),
        **{"data" if library == "requests" else "content": body and base64.b64decode(body)},
        **({"allow_redirects": True} if library == "requests" else options),
    )))
client.close()
print(json.dumps(answers))
