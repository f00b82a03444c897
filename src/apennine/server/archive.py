"""Where matches are looked back into: saves, replays, reports, in a process of its own.

The process reads matches from the database by itself and keeps a few of them, so that the thread
of the rules, which everybody's play waits for, has no part in it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
from sqlalchemy import Engine

from apennine.kernel import save
from apennine.kernel.game import REFEREE
from apennine.kernel.story import Told
from apennine.report import html_report
from apennine.server import rows, state
from apennine.server.budgets import too_much
from apennine.server.catalogue import Source
from apennine.server.clients import CLIENT
from apennine.server.errors import GONE, Refused
from apennine.server.limits import Limits
from apennine.server.room import Room
from apennine.server.state import Eyes
from apennine.server.storage import make_engine
from apennine.server.workers import Workers

T = TypeVar("T")
A = ParamSpec("A")

logger = logging.getLogger("apennine.server")

MOST_ROOMS = 12
"""Matches that the process keeps open."""
TOO_EARLY = "A report tells the secrets of all sides: it is written when the match is over."


class Place(NamedTuple):
    """Where a match is found."""

    database: str
    source: Source
    match: str


class Look(NamedTuple):
    """Who looks at a match: the sides that he holds, and the one that he asked to see as."""

    place: Place
    sides: tuple[int, ...]
    wanted: str | None


class Archive:
    """Has heavy work done elsewhere: one thing after the other, and clients take turns."""

    def __init__(self, database: str, catalogue: Mapping[str, Source], limits: Limits) -> None:
        self._database = database
        self._catalogue = catalogue
        self._limits = limits
        self._workers = Workers(1)
        self._uploads = Workers(1)
        """Apart: a file from outside may keep a process busy, and nobody looks back then."""

    async def run(self, job: Callable[A, T], *args: A.args, **more: A.kwargs) -> T:
        """Run a function in the process. Refused if the client waits for too much already."""
        return await self._run(self._workers, partial(job, *args, **more))

    async def take_in(self, job: Callable[A, T], *args: A.args, **more: A.kwargs) -> T:
        """The same for what somebody uploads."""
        return await self._run(self._uploads, partial(job, *args, **more))

    async def _run(self, workers: Workers, job: Callable[[], T]) -> T:
        self._admit(workers, CLIENT.get())
        try:
            return await workers.try_for(self._limits.work_seconds, "archive", job)
        except TimeoutError:
            logger.warning("Work for %s took too long, and was given up.", CLIENT.get())
            raise Refused(503, "This took too long, and was given up.") from None
        except BrokenProcessPool:
            logger.exception("Work for %s ended its process.", CLIENT.get())
            raise Refused(503, "This could not be worked out.") from None

    def _admit(self, workers: Workers, client: str) -> None:
        if not self._limits.enforced:
            return
        if workers.waiting(client) >= self._limits.waiting:
            raise too_much("What you asked for before is still being worked on", 2)
        if workers.waiting() >= self._limits.waiting_in_all:
            raise Refused(
                503,
                "Too many others wait for such a thing; try again in 10 s.",
                headers={"retry-after": "10"},
            )

    async def look(
        self,
        room: Room,
        sides: Sequence[int],
        wanted: str | None,
        job: Callable[Concatenate[Room, Eyes, A], T],
        *args: A.args,
        **more: A.kwargs,
    ) -> T:
        """Run a function on a match as it stands in the database."""
        look = Look(self._place(room), tuple(sides), wanted)
        return await self.run(_look, look, job, *args, **more)

    async def story(self, room: Room, side: int) -> tuple[int, Told]:
        """The story of a match as a side is told it, and after which action that was."""
        return await self.run(_story, self._place(room), side)

    def _place(self, room: Room) -> Place:
        return Place(self._database, self._catalogue[room.birth.game], room.id)

    def close(self) -> None:
        """End the processes."""
        self._workers.close()
        self._uploads.close()


# In the process.


_rooms: OrderedDict[str, Room] = OrderedDict()
_engine: Callable[[str], Engine] = cache(make_engine)


def _open(place: Place) -> Room:
    """A match as it stands in the database."""
    room = _rooms.pop(place.match, None)
    with _engine(place.database).connect() as connection:
        if room is None:
            stored = rows.load(connection, place.match)
            if stored is not None:
                room = Room(stored, place.source.game())
        else:
            found = rows.news(connection, place.match, room.n)
            if found is None:
                room = None
            elif found[0] > room.n:
                room.follow(*found)
    if room is None:
        raise Refused(404, GONE)
    _rooms[place.match] = room
    while len(_rooms) > MOST_ROOMS:
        _rooms.popitem(last=False)
    return room


def _look(
    look: Look,
    job: Callable[Concatenate[Room, Eyes, A], T],
    *args: A.args,
    **more: A.kwargs,
) -> T:
    room = _open(look.place)
    return job(room, state.eyes_back(room, look.sides, look.wanted), *args, **more)


def _story(place: Place, side: int) -> tuple[int, Told]:
    room = _open(place)
    return room.n, room.story(side).told()


# What can be looked for.


def moment(room: Room, eyes: Eyes, k: int, online: frozenset[int]) -> bytes:
    """A moment of the replay, as it is sent."""
    return msgspec.json.encode(state.moment(room, eyes, k, online))


def moments(room: Room, eyes: Eyes) -> bytes:
    """How long the replay is."""
    return msgspec.json.encode(state.moments(room, eyes))


def chronicle(room: Room, eyes: Eyes) -> bytes:
    """The story by chapters."""
    return msgspec.json.encode(state.chronicle(room, eyes))


def log(room: Room, eyes: Eyes, start: int, stop: int) -> bytes:
    """Entries of the log, from one number up to another, at most a thousand."""
    seen = room.seen(eyes.side)
    end = min(stop, len(seen), start + 1000)
    return msgspec.json.encode(state.log_part(room, seen, min(start, end), end))


def saved(room: Room, eyes: Eyes) -> tuple[str, str]:
    """The name and the text of a save.

    Whole, with the seed, when the game is over or nobody else plays; else what the seat may see.
    """
    if room.outcome is not None or room.alone(eyes.sides):
        return f"{room.game.key}.save", save.dump(room.match, resigned=room.resigned)
    name = room.game.sides[eyes.side] if eyes.side >= 0 else "spectator"
    return f"{room.game.key}-{name.lower()}.save", save.dump_seen(room.match, eyes.side)


def report(room: Room, eyes: Eyes) -> tuple[str, str]:
    """The name and the text of a report."""
    if room.outcome is None and not room.alone(eyes.sides):
        raise Refused(409, TOO_EARLY)
    ending = None if room.match.outcome else room.outcome
    return f"{room.game.key}-report.html", html_report(room.match, REFEREE, ending)
