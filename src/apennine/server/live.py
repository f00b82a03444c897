"""The WebSocket of a match: pushes what a seat sees whenever that changes, and takes its orders."""

from __future__ import annotations

import asyncio
import logging
from array import array
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from apennine.server import state
from apennine.server.clients import CLIENT, client_of
from apennine.server.errors import BROKEN, Refused, StorageError
from apennine.server.guard import PAUSE, Guard
from apennine.server.messages import (
    Act,
    Answer,
    Because,
    ChatPart,
    Foreseen,
    Hexes,
    RawOption,
    RollBack,
    Say,
    SetPace,
    Sitting,
    State,
    Undo,
)
from apennine.server.service import Guest, Service
from apennine.server.state import Eyes

S = TypeVar("S", bound=Struct)

log = logging.getLogger("apennine.server")

MOST_WAITING = 10.0
"""Seconds for which a new socket may stay silent."""


NOT_TEXT = "Messages must be text."


class NotText(Exception):
    """A client sent bytes."""


class Hello(Struct, forbid_unknown_fields=True, rename={"as_": "as"}):
    """The first message of a client. Without a token, one watches a public match."""

    token: str | None = None
    as_: str | None = None
    tells: bool = False
    """It shows the bots' turns at a pace of its own: they need not wait for who plays here."""


class Order(Struct, forbid_unknown_fields=True, rename={"as_": "as"}):
    """Any later message of a client; the reply has the same `n`."""

    type: Literal[
        "act", "undo", "preview", "why", "overlay", "chat", "pace", "rollback", "answer", "as"
    ]
    n: int = 0
    at: str = ""
    option: RawOption = ("", -1, -1, 0)
    after: Annotated[list[RawOption], Meta(max_length=40)] = []
    """Of a preview: the options that are taken before it."""
    name: str = ""
    side: str | None = None
    unit: str | None = None
    text: str = ""
    pace: str = ""
    to: int = -1
    accept: bool = False
    as_: str | None = None


class Reply(Struct, omit_defaults=True, tag_field="type", tag="reply"):
    """The answer to an order."""

    n: int
    ok: bool
    status: int = 200
    error: str = ""
    rule: str = ""
    preview: Foreseen | None = None
    hexes: list[str] | None = None
    why: Because | None = None


class Failed(Struct, omit_defaults=True, tag_field="type", tag="error"):
    """Why a socket is closed."""

    error: str
    status: int


class Talk(Struct, tag_field="type", tag="chat"):
    """New lines of the chat."""

    chat: ChatPart


class Presence(Struct, tag_field="type", tag="presence"):
    """Somebody came or went."""

    seats: list[Sitting]


class Socket:
    """One open WebSocket: what its client has been sent, and what it must be sent next."""

    def __init__(self, service: Service, guest: Guest, wanted: str | None, tells: bool) -> None:
        self.guest = guest
        self.sides = guest.sides
        self.tells = tells and bool(guest.sides)
        self._service = service
        self._wanted = wanted
        self._stirred = asyncio.Event()
        self._telling = asyncio.Lock()
        self._eyes: Eyes | None = None
        self._mark = b""
        self._bare: bytes = b""
        self._from = 0
        self._known = array("Q")
        """Fingerprints of the entries of the log that the client has, from number `_from` on."""
        self._lines = 0

    def stir(self) -> None:
        """Look at the match again soon."""
        self._stirred.set()

    def look_as(self, wanted: str | None) -> None:
        """See through the eyes of another side that one holds."""
        state.eyes_of(self.guest.room, self.sides, wanted)
        self._wanted = wanted
        self.stir()

    async def stirred(self) -> None:
        """Wait until something may have changed."""
        await self._stirred.wait()

    async def tell(self, socket: WebSocket) -> None:
        """Send what has changed since the last time, often nothing."""
        async with self._telling:  # or a message could overtake an older one
            if not self._stirred.is_set():
                return
            self._stirred.clear()
            house = self._service.house
            room = self.guest.room
            eyes = state.eyes_of(room, self.sides, self._wanted)
            await house.tell(room, eyes.side)
            online = house.online(room.id)
            for message in await house.rules(self._news, online):
                await socket.send_text(message.decode())

    def _news(self, online: frozenset[int]) -> list[bytes]:
        room = self.guest.room
        eyes = state.eyes_of(room, self.sides, self._wanted)
        found = state.picture(room, eyes, online)
        messages: list[bytes] = []
        if found.mark != self._mark or eyes != self._eyes:
            if eyes == self._eyes and found.bare == self._bare:
                messages.append(_encode(Presence(found.state.seats)))
            else:
                messages.append(self._whole(eyes, found.state))
            self._bare = found.bare
            self._mark, self._eyes = found.mark, eyes
        if len(room.chat) > self._lines:
            messages.append(_encode(Talk(state.chat_part(room, self._lines))))
            self._lines = len(room.chat)
        return messages

    def _whole(self, eyes: Eyes, sent: State) -> bytes:
        """A state with the part of the log that the client does not have yet."""
        room = self.guest.room
        seen = room.seen(eyes.side)
        chat = sent.chat
        if self._eyes is None:
            chat = state.chat_part(room, 0)
            self._lines = len(room.chat)
        start = seen.common(self._from, self._known) if eyes == self._eyes else 0
        if start == self._from or len(seen) - start > state.TAIL:
            start = max(0, len(seen) - state.TAIL)
            self._from = start
        log = state.log_part(room, seen, start, len(seen))
        self._known = seen.chain[self._from :]
        if len(self._known) > 2 * state.TAIL:
            self._from = len(seen) - state.TAIL
            self._known = seen.chain[self._from :]
        return b'{"type":"state",' + _encode(replace(sent, log=log, chat=chat))[1:]


class Live:
    """Serves the WebSockets of all matches."""

    def __init__(self, service: Service, guard: Guard) -> None:
        self._service = service
        self._guard = guard
        self._orders: dict[str, Callable[[Socket, Order], Awaitable[Reply]]] = {
            "act": self._act,
            "undo": self._undo,
            "preview": self._preview,
            "why": self._why,
            "overlay": self._overlay,
            "chat": self._chat,
            "pace": self._pace,
            "rollback": self._roll_back,
            "answer": self._answer,
            "as": self._as,
        }

    async def serve(self, socket: WebSocket) -> None:
        """One WebSocket, from its first message to its end."""
        client = client_of(socket)
        CLIENT.set(client)
        try:
            self._guard.open_socket(client)
        except Refused as refused:
            await asyncio.sleep(PAUSE)
            await socket.close(1013, refused.sentence)
            return
        try:
            await socket.accept()
            with suppress(WebSocketDisconnect, RuntimeError):
                await self._welcome(socket, client)
        finally:
            self._guard.close_socket(client)

    async def _welcome(self, socket: WebSocket, client: str) -> None:
        try:
            text = await asyncio.wait_for(_receive(socket), MOST_WAITING)
            hello = _decode(text, Hello)
            guest = await self._service.guest(socket.path_params["match"], hello.token)
            state.eyes_of(guest.room, guest.sides, hello.as_)
            watcher = Socket(self._service, guest, hello.as_, hello.tells)
        except TimeoutError:
            await socket.close(1008, "Nothing was said.")
            return
        except NotText:
            await socket.close(1003, NOT_TEXT)
            return
        except Refused as refused:
            await _fail(socket, refused)
            return
        except StorageError as error:
            await _fail(socket, Refused(503, str(error)))
            return
        house = self._service.house
        house.enter(guest.room, watcher)
        pushing = asyncio.create_task(_push(socket, watcher))
        try:
            while True:
                text = await _receive(socket)
                self._guard.requests.take(client)
                reply = await self._obey(watcher, client, text)
                # Who hears that an order was taken has then seen what came of it.
                await watcher.tell(socket)
                await socket.send_text(reply.decode())
        except Refused as refused:
            await socket.close(1013, refused.sentence[:120])
        except NotText:
            await socket.close(1003, NOT_TEXT)
        finally:
            pushing.cancel()
            house.leave(guest.room, watcher)

    async def _obey(self, watcher: Socket, client: str, text: str) -> bytes:
        """Do what a message says, and tell how it went."""
        n = 0
        try:
            order = _decode(text, Order)
            n = order.n
            if order.type == "chat":
                self._guard.lines.take(client)
            reply = await self._orders[order.type](watcher, order)
        except Refused as refused:
            reply = Reply(n, False, refused.status, refused.sentence, refused.rule)
        except StorageError as error:
            reply = Reply(n, False, 503, str(error))
        except Exception:
            log.exception("An order could not be obeyed.")
            reply = Reply(n, False, 500, BROKEN)
        reply.n = n
        return _encode(reply)

    async def _act(self, watcher: Socket, order: Order) -> Reply:
        await self._service.act(watcher.guest, Act(order.at, order.option))
        return Reply(order.n, True)

    async def _undo(self, watcher: Socket, order: Order) -> Reply:
        await self._service.undo(watcher.guest, Undo(order.at))
        return Reply(order.n, True)

    async def _preview(self, watcher: Socket, order: Order) -> Reply:
        found = await self._service.preview(watcher.guest, order.option, order.after)
        return Reply(order.n, True, preview=found)

    async def _why(self, watcher: Socket, order: Order) -> Reply:
        found = await self._service.why(watcher.guest, order.option)
        return Reply(order.n, True, why=found)

    async def _overlay(self, watcher: Socket, order: Order) -> Reply:
        found: Hexes = await self._service.overlay(
            watcher.guest, order.name, order.side, order.unit, order.as_
        )
        return Reply(order.n, True, hexes=found.hexes)

    async def _chat(self, watcher: Socket, order: Order) -> Reply:
        await self._service.say(watcher.guest, _checked({"text": order.text}, Say))
        return Reply(order.n, True)

    async def _pace(self, watcher: Socket, order: Order) -> Reply:
        await self._service.set_pace(watcher.guest, _checked({"pace": order.pace}, SetPace))
        return Reply(order.n, True)

    async def _roll_back(self, watcher: Socket, order: Order) -> Reply:
        await self._service.roll_back(
            watcher.guest, _checked({"to": order.to, "as": order.as_}, RollBack)
        )
        return Reply(order.n, True)

    async def _answer(self, watcher: Socket, order: Order) -> Reply:
        await self._service.answer(watcher.guest, Answer(order.accept))
        return Reply(order.n, True)

    async def _as(self, watcher: Socket, order: Order) -> Reply:
        watcher.look_as(order.as_)
        return Reply(order.n, True)


async def _receive(socket: WebSocket) -> str:
    """The next message. Starlette's own way ends in a traceback if it is none of text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"], message.get("reason"))
    text: str | None = message.get("text")
    if text is None:
        raise NotText
    return text


async def _fail(socket: WebSocket, refused: Refused) -> None:
    await socket.send_text(_encode(Failed(refused.sentence, refused.status)).decode())
    await socket.close(4000 + refused.status, refused.sentence[:120])


async def _push(socket: WebSocket, watcher: Socket) -> None:
    """Send what is new for as long as the socket is open."""
    with suppress(WebSocketDisconnect, RuntimeError):
        try:
            while True:
                await watcher.stirred()
                await watcher.tell(socket)
        except Refused as refused:
            await socket.close(1013, refused.sentence[:120])


def _encode(message: Any) -> bytes:
    return msgspec.json.encode(message)


def _decode(text: str, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refused(400, f"The message is not as it should be: {error}.") from None


def _checked(values: dict[str, Any], kind: type[S]) -> S:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise Refused(400, f"The message is not as it should be: {error}.") from None
