"""Whether a page may speak to this server: by the name it calls it, and by where it comes from.

A browser obeys any page, and a name can be made to lead to this machine: so a request must call the
server by a name of its own, and one that changes something must come from one of its own pages.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from apennine.server.errors import Refused
from apennine.server.routes import failure

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
FOREIGN = "Another page may not do this."


class Origins:
    """Lets through what is meant for this server and comes from its own pages, or from none."""

    def __init__(self, app: ASGIApp, names: Iterable[str], public_url: str) -> None:
        self._app = app
        self._public = public_url.rstrip("/")
        own = socket.gethostname().casefold()
        self._names = {"localhost", own, f"{own}.local", *(name.casefold() for name in names)}
        if self._public:
            self._names.add((urlsplit(self._public).hostname or "").casefold())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket, or refuse it."""
        if scope["type"] in ("http", "websocket"):
            refused = self._refuse(scope)
            if refused is not None and scope["type"] == "http":
                await failure(refused)(scope, receive, send)
                return
            if refused is not None:
                await WebSocketClose(1008, refused.sentence[:120])(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refuse(self, scope: Scope) -> Refused | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host and not self._is_own_name(host):
            name = _without_port(host)
            return Refused(
                421, f"This server is not called {name!r}; if it is, start it with --allow-host."
            )
        if scope["type"] == "http" and scope["method"] in SAFE:
            return None
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        foreign = origin is not None and not self._is_own_page(origin, host)
        if foreign or site in ("cross-site", "same-site"):
            return Refused(403, FOREIGN)
        return None

    def _is_own_name(self, host: str) -> bool:
        """An address is nobody's name; any other name must be one of the server's own."""
        name = _without_port(host)
        try:
            ip_address(name)
        except ValueError:
            return name in self._names
        return True

    def _is_own_page(self, origin: str, host: str) -> bool:
        if self._public and origin == self._public:
            return True
        return origin.partition("://")[2] == host


def _without_port(host: str) -> str:
    """The name in a Host header.

    >>> _without_port("[::1]:8000"), _without_port("Play.Example:80"), _without_port("::1")
    ('::1', 'play.example', '::1')
    """
    host = host.strip().casefold()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host if host.count(":") > 1 else host.partition(":")[0].removesuffix(".")
