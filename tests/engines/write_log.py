"""Writes an access log in Combined Log Format like a gateway of the bookshop, reproducibly for a seed."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

START = datetime(2026, 11, 1, tzinfo=timezone.utc)
KINDS = (
    ("GET", "/books?genre=novel&sort=-price&page={small}", 200),
    ("GET", "/books/{large}", 200),
    ("GET", "/books/{large}", 503),
    ("GET", "/orders/{large}", 404),
    ("GET", "/books?q=lem&max_price={small}", 200),
    ("DELETE", "/books/{large}", 204),
    ("GET", "/internal/users/{large}/export", 200),
    ("POST", "/login", 401),
    ("GET", "/me", 200),
    # One line in ten thousand is truncated, as on a full disk.
    ("GET", "/books", 0),
)
WEIGHTS = (2000, 2000, 100, 1500, 1500, 400, 300, 1200, 999, 1)
STEP = 20_000


def write_log(path: Path, lines: int, seed: int) -> None:
    """Writes this many lines."""
    chance = random.Random(seed)
    with path.open("w", encoding="ascii") as file:
        for first in range(0, lines, STEP):
            moment = (START + timedelta(seconds=first // 50)).strftime("%d/%b/%Y:%H:%M:%S +0000")
            number = min(STEP, lines - first)
            kinds = chance.choices(KINDS, WEIGHTS, k=number)
            small = chance.choices(range(1, 130), k=number)
            large = chance.choices(range(1, 100_000), k=number)
            file.writelines(
                f'203.0.113.9 - - [{moment}] "{method} /api/v1{url.format(small=few, large=many)} HTTP/1.1" {status} 512 "-" "app/4"\n'
                if status > 0
                else f'203.0.113.9 - - [{moment}] "{method} /api\n'
                for (method, url, status), few, many in zip(kinds, small, large)
            )
