"""Stands before everything that is served over HTTP: knows the client, and holds it to its rate."""

from __future__ import annotations

import asyncio

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apennine.server.clients import CLIENT, client_of
from apennine.server.errors import Refused
from apennine.server.guard import PAUSE, Guard
from apennine.server.routes import failure


class Limiter:
    """Lets requests through as quickly as each client may make them."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(HTTPConnection(scope))
        CLIENT.set(client)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 429:
                await asyncio.sleep(PAUSE)
            await send(message)

        try:
            self._guard.requests.take(client)
        except Refused as refused:
            await failure(refused)(scope, receive, answer)
        else:
            await self._app(scope, receive, answer)
