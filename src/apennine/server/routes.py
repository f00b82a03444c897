"""The addresses of the server: what each takes and gives, from which OpenAPI is written too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from apennine.server.clients import CLIENT
from apennine.server.errors import Refused, StorageError
from apennine.server.guard import Guard
from apennine.server.messages import Failure

JSON = "application/json"
SVG = "image/svg+xml"
CSS = "text/css"
TEXT = "text/plain"
HTML = "text/html"


class Query(NamedTuple):
    """A parameter in the address."""

    about: str
    type: Any = str
    required: bool = False


class Call:
    """A request, as a handler sees it."""

    def __init__(self, request: Request, body: Any, query: Mapping[str, Any], guard: Guard) -> None:
        self.request = request
        self.path: Mapping[str, Any] = request.path_params
        self.body = body
        self.query = query
        self.guard = guard
        self.token = read_token(request.headers.get("authorization"))
        self.client = CLIENT.get()


Handler = Callable[[Call], Awaitable[Any]]


class Endpoint(NamedTuple):
    """One thing that can be asked for. A handler that gives a `Response` says all itself."""

    method: str
    path: str
    handler: Handler
    about: str
    gives: Any
    takes: Any = None
    query: Mapping[str, Query] = {}
    status: int = 200
    refusals: tuple[int, ...] = ()
    kind: str = JSON
    """The media type of the answer."""
    body_kind: str = JSON
    most: int = 0
    """The longest body, in bytes; 0: the usual limit."""
    token: bool = False
    """Whether it belongs to a match and takes a token."""
    budget: str = ""
    """The kind of request whose budget it takes from, beside that of all requests."""
    cost: float = 1.0
    """How much it takes."""


def read_token(header: str | None) -> str | None:
    """The token of an Authorization header; None if there is none."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.casefold() != "bearer" or not token.strip():
        raise Refused(401, "The header Authorization must read: Bearer TOKEN.")
    return token.strip()


def make_route(endpoint: Endpoint, guard: Guard) -> Route:
    """The address of an endpoint, as Starlette wants it."""

    async def serve(request: Request) -> Response:
        try:
            if endpoint.budget:
                guard.spend(CLIENT.get(), endpoint.budget, endpoint.cost)
            body = await _read_body(request, endpoint, guard)
            call = Call(request, body, _read_query(request, endpoint), guard)
            made = await endpoint.handler(call)
        except Refused as refused:
            return failure(refused)
        except StorageError as error:
            return failure(Refused(503, str(error)))
        if isinstance(made, Response):
            return made
        return Response(msgspec.json.encode(made), endpoint.status, media_type=JSON)

    return Route(endpoint.path, serve, methods=[endpoint.method])


def failure(refused: Refused) -> Response:
    """A refusal as an answer."""
    body = msgspec.json.encode(Failure(refused.sentence, refused.rule))
    return Response(body, refused.status, refused.headers, JSON)


async def _read_body(request: Request, endpoint: Endpoint, guard: Guard) -> Any:
    if endpoint.takes is None:
        return None
    most = endpoint.most or guard.limits.body
    data = bytearray()
    try:
        async with asyncio.timeout(guard.limits.body_seconds):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise Refused(413, f"The request is too long; at most {most} bytes are read.")
    except TimeoutError:
        raise Refused(408, "The request did not arrive in time.") from None
    except ClientDisconnect:  # nobody is there to hear it, and nothing went wrong here
        raise Refused(400, "The request broke off.") from None
    if endpoint.body_kind != JSON:
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise Refused(400, "The request is not text in UTF-8.") from None
    try:
        return msgspec.json.decode(data, type=endpoint.takes)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, f"The request is not as it should be: {error}.") from None


def _read_query(request: Request, endpoint: Endpoint) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, query in endpoint.query.items():
        text = request.query_params.get(name)
        if text is None:
            if query.required:
                raise Refused(400, f"The address lacks {name}=...")
            values[name] = None
            continue
        try:
            values[name] = msgspec.convert(text, query.type, strict=False)
        except msgspec.ValidationError as error:
            raise Refused(400, f"{name} is not as it should be: {error}.") from None
    return values
