"""Plays the bots: asks a worker what they decide, and takes it at a pace that one can follow."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any

from apennine.kernel.decision import Choice
from apennine.server import rows
from apennine.server.clients import CLIENT
from apennine.server.errors import Refused, StorageError
from apennine.server.house import House
from apennine.server.room import Room
from apennine.server.settings import PACES
from apennine.server.workers import Question, think

log = logging.getLogger("apennine.server")

LEASE = 10.0
"""Seconds for which a process may play the bots of a match without saying so again."""
PATIENCE = 2.0
"""Seconds until a process that may not play them asks again, or one that failed tries again."""


ABANDONED = 3600.0
"""Seconds after which bots that play each other stop, if nobody wants to see it."""


class Runner:
    """The bots of all matches that are open in this process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._waking: asyncio.Task[None] | None = None
        self._claims: dict[str, float] = {}
        self._hurry: dict[str, asyncio.Event] = {}
        self._shown: dict[str, float] = {}
        """By match: when something was last to be seen there."""
        self._parked: dict[str, None] = {}
        """Matches between bots that may run when others are over."""
        house.on_change.append(self.look)

    def look(self, room: Room) -> None:
        """A room has changed: perhaps a bot must act, or act sooner."""
        if room.id in self._hurry:
            self._hurry[room.id].set()
        if room.bot_to_move is None or room.id in self._tasks:
            return
        if room.only_bots and (self._is_abandoned(room) or not self._admit(room)):
            return
        self._start(room.id, self._play(room))

    def _is_abandoned(self, room: Room) -> bool:
        """Whether nobody has looked at a match for long, and nobody does now."""
        watched = bool(self._house.watchers.get(room.id))
        return not watched and time.monotonic() - room.looked > ABANDONED

    def _admit(self, room: Room) -> bool:
        """Whether another match between bots may be played now; if not, it waits in a row."""
        admitted = self._house.bouts.begin(room.id, CLIENT.get())
        if admitted:
            self._parked.pop(room.id, None)
        else:
            self._parked[room.id] = None
        return admitted

    def start(self) -> None:
        """Open the matches that wait for a bot, as after a restart."""
        self._waking = asyncio.create_task(self._wake())

    async def _wake(self) -> None:
        since = time.time() - ABANDONED
        for id in await self._house.storage.read(rows.waiting_for_bots, since):
            try:
                await self._house.room(id)
            except Exception:  # one match that is broken must not keep the others asleep
                log.exception("Match %s cannot be opened.", id)

    async def close(self) -> None:
        """Stop, and let other processes play them."""
        tasks = [*self._tasks.values(), *([self._waking] if self._waking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for id in list(self._claims):
            await self._release(id)

    def _start(self, id: str, playing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(playing, name=f"bots of {id}")
        self._tasks[id] = task
        self._house.busy.add(id)
        task.add_done_callback(lambda done: self._ended(id, done))

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(id, None)
        self._hurry.pop(id, None)
        self._house.bouts.end(id)
        self._house.busy.discard(id)
        if not task.cancelled():
            self._look_at_parked()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("The bots of match %s stopped.", id, exc_info=error)
            return
        room = self._house.rooms.get(id)
        if room is not None and not task.cancelled():
            self.look(room)

    def _look_at_parked(self) -> None:
        """One match between bots less: perhaps another one may be played."""
        for id in list(self._parked):
            room = self._house.rooms.get(id)
            if room is None:
                del self._parked[id]
            else:
                self.look(room)

    async def _play(self, room: Room) -> None:
        """Play until somebody else must decide."""
        while (seat := room.bot_to_move) is not None:
            if room.only_bots and self._is_abandoned(room):
                break
            if not await self._claim(room.id):
                await asyncio.sleep(PATIENCE)
                continue
            try:
                await self._decide(room, seat.side, seat.bot)
            except (Refused, StorageError) as error:
                log.warning("A bot of match %s has to try again: %s", room.id, error)
                await asyncio.sleep(PATIENCE)
        self._shown.pop(room.id, None)

    async def _decide(self, room: Room, side: int, bot: str) -> None:
        match = room.match
        decision = match.decision
        assert isinstance(decision, Choice)
        question = await self._house.rules(self._question, room, side, bot)
        workers = self._house.spare if room.only_bots else self._house.workers
        try:
            option = await workers.run(room.id, think, question)
        except Exception:
            # One bot's mistake must not leave a player waiting for ever.
            log.exception("Bot %s failed in match %s; a random choice is taken.", bot, room.id)
            option = await workers.run(room.id, think, question._replace(bot="random"))
        if not decision.secret:  # how long a secret takes would tell how many choices it is
            await self._wait(room)
        if room.match is match and room.bot_to_move is not None:
            await self._house.do(room, lambda room: room.choose((side,), option))
            self._shown[room.id] = time.monotonic()

    def _question(self, room: Room, side: int, bot: str) -> Question:
        match, base = room.match, room.match.checkpoint
        return Question(
            room.id,
            self._house.catalogue[room.birth.game],
            match.scenario,
            dict(match.options),
            base.position,
            list(match.log[base.at :]),
            side,
            bot,
            room.birth.bot_seed + side,
        )

    async def _wait(self, room: Room) -> None:
        """Give those who watch the time to see the last choice."""
        hurry = self._hurry.setdefault(room.id, asyncio.Event())
        last = self._shown.get(room.id, time.monotonic())
        match = room.match
        while self._hold_up(room) and room.match is match:
            left = last + PACES[room.head.pace] - time.monotonic()
            if left <= 0:
                return
            hurry.clear()
            try:
                await asyncio.wait_for(hurry.wait(), left)
            except TimeoutError:
                return

    def _hold_up(self, room: Room) -> bool:
        """Whether somebody sees things as they come; a player's screen tells them by itself."""
        watchers = self._house.watchers.get(room.id, ())
        return bool(watchers) and not any(watcher.tells for watcher in watchers)

    async def _claim(self, id: str) -> bool:
        """Whether this process may play the bots of a match."""
        if not self._house.storage.notifies:
            return True  # SQLite is one server's own
        now = time.time()
        if self._claims.get(id, 0.0) > now + LEASE / 2:
            return True
        storage = self._house.storage
        until = now + LEASE
        mine = await storage.write(id, rows.claim, id, storage.process, until)
        self._claims = {other: end for other, end in self._claims.items() if end > now}
        if mine:
            self._claims[id] = until
        return mine

    async def _release(self, id: str) -> None:
        del self._claims[id]
        storage = self._house.storage
        await storage.write(id, rows.release, id, storage.process)
