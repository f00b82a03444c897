"""All matches that are open in this process: loads them, changes them, tells those who watch."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, ParamSpec, Protocol, TypeVar

from apennine.kernel.game import Game
from apennine.server import rows
from apennine.server.archive import Archive
from apennine.server.bouts import Bouts
from apennine.server.errors import GONE, Conflict, Refused
from apennine.server.room import Plan, Room
from apennine.server.rows import Action, Token
from apennine.server.settings import Settings
from apennine.server.storage import Storage
from apennine.server.turns import Turns
from apennine.server.workers import Workers

T = TypeVar("T")
A = ParamSpec("A")

log = logging.getLogger("apennine.server")

IDLE = 15
MOST_TRIES = 20
"""How often an action is tried again when others write to the match at the same time."""
MOST_TOKENS = 10_000
MOST_TELLINGS = 3
MOST_TOLD = 32
"""Matches that nobody looks at and whose story is kept all the same."""
PRESENCE = 60.0
"""Seconds after which a process that says nothing is taken to have nobody online."""


class Watcher(Protocol):
    """Somebody who is told when a match changes."""

    sides: tuple[int, ...]
    tells: bool
    """Whether it shows the bots' turns to a player, at a pace of its own."""

    def stir(self) -> None:
        """Look at the match again soon."""
        ...


class House:
    """The matches of a server.

    Everything that touches a match runs in one thread, `rules`, one thing after the other: the
    loop that serves the clients never waits for rules, and no match changes while it is looked at.
    Clients take turns there; what takes long is done in the archive instead.
    """

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self.settings = settings
        self.storage = storage
        self.workers = Workers(settings.processes())
        """Where bots think for people."""
        self.spare = Workers(1, nice=IDLE)
        """Where bots think that play each other: it gives way to everything else."""
        self.catalogue = settings.catalogue()
        self.bouts = Bouts(settings.limits)
        self.archive = Archive(settings.url(), self.catalogue, settings.limits)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self.watchers: dict[str, set[Watcher]] = {}
        self.away: dict[str, dict[str, tuple[float, frozenset[int]]]] = {}
        """By match and process: the sides that are online elsewhere, and when we heard so."""
        self.busy: set[str] = set()
        """The matches whose bots are being played."""
        self.on_change: list[Callable[[Room], None]] = []
        """Called in the loop after every change of a room."""
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tokens: OrderedDict[bytes, Token] = OrderedDict()
        self._rules = Turns("rules")
        self._told: OrderedDict[str, Room] = OrderedDict()
        """The matches that were looked at last, and have their story."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def game(self, key: str) -> Game[Any]:
        """A game of the catalogue."""
        source = self.catalogue.get(key)
        if source is None:
            raise Refused(404, f"There is no game {key!r}; there are {', '.join(self.catalogue)}.")
        return source.game()

    async def rules(self, job: Callable[A, T], *args: A.args, **more: A.kwargs) -> T:
        """Run something in the thread of the rules."""
        return await asyncio.wrap_future(self._rules.submit(partial(job, *args, **more)))

    async def room(self, id: str) -> Room:
        """A match, from memory or from the database."""
        found = self.rooms.get(id)
        if found is not None:
            self.rooms.move_to_end(id)
            return found
        loading = self._loading.get(id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(id))
            self._loading[id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(loading)

    def visit(self, room: Room) -> None:
        """Somebody wants to see a match: bots that were left alone play on."""
        room.looked = time.monotonic()
        if room.bot_to_move is not None:
            for listener in self.on_change:
                listener(room)

    async def _load(self, id: str) -> Room:
        # Not every database can be asked for just anything.
        known = id.isascii() and id.isprintable()
        stored = await self.storage.read(rows.load, id) if known else None
        if stored is None:
            raise Refused(404, GONE)
        if stored.birth.game not in self.catalogue:
            key, *packs = stored.birth.game.split("+")
            laid = f" with the pack {' and '.join(packs)}" if packs else ""
            raise Refused(404, f"This server does not have the game {key!r}{laid}.")
        room = await self.rules(Room, stored, self.game(stored.birth.game))
        self.rooms[id] = room
        self._stir(room)
        self._tidy()
        return room

    async def tell(self, room: Room, side: int) -> None:
        """Have the story of a long match told in the archive, if it has to be told from the start.

        If the match goes on too quickly for that, whoever needs the story tells it.
        """
        async with room.telling:
            for _ in range(MOST_TELLINGS):
                if room.is_told(side):
                    break
                n, told = await self.archive.story(room, side)
                if await self.rules(room.take_story, n, told):
                    break
        self._told[room.id] = room
        self._told.move_to_end(room.id)
        for id in list(self._told)[: len(self._told) - MOST_TOLD]:
            if not self.watchers.get(id):
                self.spawn(self.rules(self._told.pop(id).forget))

    def _tidy(self) -> None:
        """Let go of the matches that were left alone for longest."""
        spare = len(self.rooms) - self.settings.rooms
        if spare > 0:
            for id in list(self.rooms):
                if spare <= 0:
                    break
                room = self.rooms[id]
                if not self.watchers.get(id) and not room.lock.locked() and id not in self.busy:
                    del self.rooms[id]
                    self._told.pop(id, None)
                    spare -= 1

    async def token(self, secret: str) -> Token | None:
        """What a token gives; None if it is none."""
        hash = sha256(secret.encode()).digest()
        found = self._tokens.get(hash)
        if found is None:
            found = await self.storage.read(rows.find_token, hash)
            if found is not None:
                self._tokens[hash] = found
                if len(self._tokens) > MOST_TOKENS:
                    self._tokens.popitem(last=False)
        return found

    async def do(self, room: Room, planner: Callable[[Room], Plan]) -> Plan:
        """Plan something, keep it, and only then let it happen. Refused if it may not be done.

        It is done to the end even if the client who asked for it goes away meanwhile.
        """
        return await asyncio.shield(self.spawn(self._do(room, planner)))

    async def _do(self, room: Room, planner: Callable[[Room], Plan]) -> Plan:
        async with room.lock:
            for _ in range(MOST_TRIES):
                plan = await self.rules(planner, room)
                try:
                    await self.storage.write(
                        room.id,
                        rows.append,
                        room.id,
                        plan.action,
                        plan.head,
                        plan.checkpoint,
                        plan.seat,
                        plan.token,
                    )
                except Conflict:
                    news = await self._catch_up(room)
                    if plan.action in news:  # kept after all, though the word of it was lost
                        return plan
                    continue
                await self.rules(room.take, plan)
                self._stir(room)
                if self.rooms.get(room.id) is not room:  # it left memory, and came back as another
                    self.spawn(self.catch_up(room.id))
                return plan
        raise Refused(503, "Too many want to change this match at once; please try again.")

    async def catch_up(self, id: str) -> None:
        """Another process wrote to a match."""
        room = self.rooms.get(id)
        if room is not None:
            async with room.lock:
                await self._catch_up(room)

    async def _catch_up(self, room: Room) -> Sequence[Action]:
        found = await self.storage.read(rows.news, room.id, room.n)
        if found is None:
            self.rooms.pop(room.id, None)
            raise Refused(404, GONE)
        n, head, seats, news = found
        if n > room.n:
            await self.rules(room.follow, n, head, seats, news)
            self._stir(room)
        return news

    def _stir(self, room: Room) -> None:
        for watcher in self.watchers.get(room.id, ()):
            watcher.stir()
        for listener in self.on_change:
            listener(room)

    # Who is there.

    def enter(self, room: Room, watcher: Watcher) -> None:
        """Somebody opens the match."""
        self.watchers.setdefault(room.id, set()).add(watcher)
        self.spawn(self._tell_presence(room))
        self._stir(room)

    def leave(self, room: Room, watcher: Watcher) -> None:
        """Somebody closes it. Waits for nothing, since his connection may be torn down."""
        there = self.watchers.get(room.id, set())
        there.discard(watcher)
        if not there:
            self.watchers.pop(room.id, None)
        self.spawn(self._tell_presence(room))
        self._stir(room)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something beside all else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def here(self, id: str) -> frozenset[int]:
        """The sides whose players look at a match in this process."""
        return frozenset(side for watcher in self.watchers.get(id, ()) for side in watcher.sides)

    def online(self, id: str) -> frozenset[int]:
        """The sides whose players look at a match now, in any process."""
        found = self.here(id)
        for _, sides in self.away.get(id, {}).values():
            found |= sides
        return found

    async def _tell_presence(self, room: Room) -> None:
        sides = ",".join(map(str, sorted(self.here(room.id))))
        await self.storage.tell(f"{room.id} online {sides}")

    async def keep_presence(self) -> None:
        """Say again and again who is here, and forget those of whom nothing more is heard."""
        while True:
            await asyncio.sleep(PRESENCE / 3)
            for id in list(self.watchers):
                await self._tell_presence(self.rooms[id])
            for id, processes in list(self.away.items()):
                late = time.monotonic() - PRESENCE
                heard = {name: told for name, told in processes.items() if told[0] > late}
                if len(heard) < len(processes):
                    self._hear_away(id, heard)

    def hear_presence(self, process: str, id: str, sides: str) -> None:
        """Another process tells who looks at a match there."""
        there = frozenset(int(side) for side in sides.split(",") if side)
        self._hear_away(id, self.away.get(id, {}) | {process: (time.monotonic(), there)})

    def _hear_away(self, id: str, heard: dict[str, tuple[float, frozenset[int]]]) -> None:
        heard = {process: told for process, told in heard.items() if told[1]}
        self.away.pop(id, None)
        if heard:
            self.away[id] = heard
        room = self.rooms.get(id)
        if room is not None:
            self._stir(room)

    async def close(self) -> None:
        """Finish what is under way, and stop."""
        self.archive.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._rules.close()
        self.workers.close()
        self.spare.close()
