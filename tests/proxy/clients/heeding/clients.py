"""Sends one request with each client, with the client's name as the path."""

import asyncio
import contextlib
import http.client
import sys
import urllib.request
from urllib.parse import quote, urlsplit

import aiohttp
import httpx
import httpx2
import requests
import urllib3


def by_http_client(url):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", parts.path)
    connection.getresponse().read()


def by_aiohttp(url, **options):
    async def ask():
        async with aiohttp.ClientSession(**options) as session, session.get(url) as answer:
            await answer.read()

    asyncio.run(ask())


CLIENTS = {
    "requests": requests.get,
    "httpx": httpx.get,
    "httpx2": httpx2.get,
    "urllib.request": lambda url: urllib.request.urlopen(url).read(),
    "aiohttp": by_aiohttp,
    "trust_env=True": lambda url: by_aiohttp(url, trust_env=True),
    "urllib3": lambda url: urllib3.request("GET", url, retries=False),
    "http.client": by_http_client,
}

for name, ask in CLIENTS.items():
    with contextlib.suppress(Exception):
        ask(f"{sys.argv[1]}/{quote(name)}")
