"""Puts a server together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from apennine.server.errors import BROKEN, Refused
from apennine.server.guard import Guard
from apennine.server.headers import Headers
from apennine.server.house import House
from apennine.server.http import Api
from apennine.server.library import Library
from apennine.server.limiter import Limiter
from apennine.server.live import Live
from apennine.server.openapi import describe_api
from apennine.server.origins import Origins
from apennine.server.routes import JSON, failure, make_route
from apennine.server.runner import Runner
from apennine.server.service import Service
from apennine.server.settings import Settings
from apennine.server.storage import Storage
from apennine.server.sweeper import Sweeper
from apennine.server.webhook import Webhook


def make_app(settings: Settings) -> Starlette:
    """A server as an ASGI application; it opens its database when it starts."""
    storage = Storage(settings.url())
    house = House(settings, storage)
    service = Service(house)
    guard = Guard(settings.limits)
    live = Live(service, guard)
    library = Library(house)
    endpoints = [*library.endpoints(), *Api(service).endpoints()]
    described = describe_api(endpoints)
    document = msgspec.json.encode(described)
    web = Path(str(resources.files("apennine"))) / "web"

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncGenerator[None]:
        storage.open()
        runner = Runner(house)
        notices = None
        if storage.notifies:
            from apennine.server.notices import Notices  # its library may be missing elsewhere

            notices = Notices(house)
            await notices.open()
        runner.start()
        webhook = None
        if settings.webhook:
            webhook = Webhook(house, settings.webhook, settings.public_url)
            webhook.start()
        if settings.draw_ahead:
            library.studio.start()
        sweeper = Sweeper(house, settings.expire)
        if settings.expire:
            sweeper.start()
        yield
        await sweeper.close()
        if webhook is not None:
            await asyncio.to_thread(webhook.close)
        await library.studio.close()
        await runner.close()
        if notices is not None:
            await notices.close()
        await house.close()
        storage.close()

    async def openapi(_request: Request) -> Response:
        return Response(document, 200, media_type=JSON)

    def page(name: str) -> Route:
        async def serve(_request: Request) -> Response:
            file = web / name
            if not file.is_file():
                return failure(Refused(404, "This server was built without its client."))
            return FileResponse(file, headers={"cache-control": "no-cache"})

        path = "/" if name == "index.html" else "/match/{match}"
        return Route(path, serve, methods=["GET"])

    routes = [
        *(make_route(endpoint, guard) for endpoint in endpoints),
        Route("/api/openapi.json", openapi, methods=["GET"]),
        WebSocketRoute("/api/matches/{match}/live", live.serve),
        page("index.html"),
        page("match.html"),
        Mount("/static", _Static(directory=web, check_dir=False)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Headers),
            Middleware(Limiter, guard),
            Middleware(Origins, settings.hosts, settings.public_url),
            Middleware(GZipMiddleware, minimum_size=2000, compresslevel=5),
        ],
        exception_handlers={HTTPException: _not_served, 500: _broken},
        lifespan=life,
    )
    app.state.storage, app.state.house, app.state.openapi = storage, house, described
    return app


class _Static(StaticFiles):
    """The files of the client, asked for anew but not sent again while they are the same."""

    def file_response(self, *args: object, **more: object) -> Response:
        response = super().file_response(*args, **more)  # pyright: ignore[reportArgumentType]
        response.headers["cache-control"] = "no-cache"
        return response


async def _not_served(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {
        404: "There is nothing at this address.",
        405: "This address wants another method.",
    }
    sentence = sentences.get(error.status_code, f"{error.detail}.")
    return failure(Refused(error.status_code, sentence, headers=dict(error.headers or {})))


async def _broken(_request: Request, _error: Exception) -> Response:
    return failure(Refused(500, BROKEN))
