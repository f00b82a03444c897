"""Tells an address of the host's choosing that a side is to act: for games played over days.

Another program makes a mail or a message of it. It is called from a thread of its own, from a
bounded queue: a slow or broken receiver costs calls, never time at the table.
"""

from __future__ import annotations

import logging
import queue
import threading
from http.client import HTTPException
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

from apennine.server.house import House
from apennine.server.room import Room

log = logging.getLogger("apennine.server")

MOST = 200
"""Calls that may wait; more are dropped."""
PATIENCE = 10.0
"""Seconds until a receiver that says nothing is given up."""
MOST_MATCHES = 10_000


class Call(msgspec.Struct):
    """What is sent: somebody is to act."""

    match: str
    game: str
    title: str
    side: str
    name: str
    """Of the player, if he has given one."""
    turn: int
    prompt: str
    """What is asked, as a spectator reads it."""
    url: str
    """The match without anybody's token; empty if the server does not know how it is reached."""
    n: int
    """Grows with the match: a call that was heard already can be told by it."""


class Webhook:
    """Listens to the matches of a house and calls one address."""

    def __init__(self, house: House, address: str, public_url: str) -> None:
        self._house = house
        self._address = address
        self._public_url = public_url.rstrip("/")
        self._told: dict[str, int] = {}
        """By match: the side of which the last call was, -1 if none was due."""
        self._calls: queue.Queue[Call | None] = queue.Queue(MOST)
        self._thread = threading.Thread(target=self._work, name="webhook", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._house.on_change.append(self.hear)
        self._thread.start()

    def close(self) -> None:
        """Listen no more; what still waits is dropped."""
        self._house.on_change.remove(self.hear)
        while not self._calls.empty():
            self._calls.get_nowait()
        self._calls.put(None)
        self._thread.join(PATIENCE)

    def hear(self, room: Room) -> None:
        """A match has changed; this waits for nothing."""
        side = self._due(room)
        known = self._told.pop(room.id, None)
        self._told[room.id] = side
        if len(self._told) > MOST_MATCHES:
            del self._told[next(iter(self._told))]
        # A match that comes from the database was told of before it left memory.
        if side < 0 or side == known or (known is None and room.n > 0):
            return
        try:
            self._calls.put_nowait(self._call(room, side))
        except queue.Full:
            log.warning("The webhook is too slow; a call about match %s is dropped.", room.id)

    def _due(self, room: Room) -> int:
        """The side that is to act and does not look; -1 if there is none such."""
        side = -1 if room.head.over else room.head.waiting
        if side < 0 or room.seats[side].kind == "bot" or side in self._house.online(room.id):
            return -1
        return side

    def _call(self, room: Room, side: int) -> Call:
        return Call(
            room.id,
            room.game.key,
            room.game.title,
            room.game.sides[side],
            room.seats[side].name,
            room.head.turn,
            room.head.prompt,
            f"{self._public_url}/match/{room.id}" if self._public_url else "",
            room.n,
        )

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            fault = send(self._address, call)
            if fault:
                log.warning("The webhook was not told of match %s: %s", call.match, fault)


def send(address: str, call: Call) -> str:
    """Post a call; what went wrong, in a few words, or nothing."""
    headers = {"content-type": "application/json", "user-agent": "apennine"}
    try:
        with urlopen(Request(address, msgspec.json.encode(call), headers), timeout=PATIENCE):
            return ""
    except (OSError, HTTPException, ValueError) as error:
        return " ".join(str(error).split()) or type(error).__name__


def check_address(address: str) -> str:
    """What is wrong with the address of a webhook, as a sentence; empty if nothing is."""
    try:
        parts = urlsplit(address)
        well = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        well = False
    return "" if well else f"--webhook {address!r} must be an address such as https://host/path."
