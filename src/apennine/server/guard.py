"""Keeps clients within bounds: headers that browsers obey, and buckets that run dry."""

from __future__ import annotations

import time
from collections import OrderedDict
from math import ceil

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apennine.server.errors import Refused
from apennine.server.settings import Limits

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PICTURE_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
"""For a picture that has its style in it: nothing can run there."""
MOST_BUCKETS = 20_000


class Headers:
    """Adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, and put the headers on its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, add)


class Buckets:
    """One bucket a client: a request takes a token out, time puts them back."""

    def __init__(self, size: float, refill: float, *, enforced: bool) -> None:
        self._size = size
        self._refill = refill
        self._enforced = enforced
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> None:
        """Refused if this client has asked for too much."""
        if not self._enforced:
            return
        now = time.monotonic()
        level, then = self._levels.pop(client, (self._size, now))
        level = min(self._size, level + (now - then) * self._refill)
        if level < 1:
            self._levels[client] = (level, now)
            wait = ceil((1 - level) / self._refill)
            raise Refused(
                429,
                f"That is too much at once; try again in {wait} s.",
                headers={"retry-after": str(wait)},
            )
        self._levels[client] = (level - 1, now)
        if len(self._levels) > MOST_BUCKETS:
            self._levels.popitem(last=False)


class Guard:
    """The limits of a server."""

    def __init__(self, limits: Limits) -> None:
        on = limits.enforced
        self.limits = limits
        self.requests = Buckets(limits.requests, limits.requests_a_second, enforced=on)
        self.matches = Buckets(limits.matches, limits.matches_a_second, enforced=on)
        self.lines = Buckets(limits.lines, limits.lines_a_second, enforced=on)
        self._sockets: dict[str, int] = {}

    def open_socket(self, address: str) -> None:
        """Refused if this address has too many sockets open."""
        if self.limits.enforced and self._sockets.get(address, 0) >= self.limits.sockets:
            raise Refused(429, "This address has too many matches open at once.")
        self._sockets[address] = self._sockets.get(address, 0) + 1

    def close_socket(self, address: str) -> None:
        """The address has one socket less."""
        left = self._sockets[address] - 1
        if left:
            self._sockets[address] = left
        else:
            del self._sockets[address]
