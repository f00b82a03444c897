"""Processes of their own for what takes long: bots that think, saves that are checked, maps.

A bot stays in one process for as long as its match is played there, so that it can remember.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple, ParamSpec, TypeVar

from apennine.bots import SECONDS, Bot, make_bot
from apennine.kernel.decision import Option
from apennine.kernel.log import Entry, Log, Snapshot
from apennine.kernel.match import Match
from apennine.server.catalogue import Source
from apennine.server.turns import Turns

T = TypeVar("T")
A = ParamSpec("A")

MOST_BOTS = 2000
"""Bots that one process remembers."""
NICE = 5
"""By how much the processes give way to the server itself."""


class Question(NamedTuple):
    """A decision that a bot must take: the last checkpoint and what happened since."""

    match: str
    source: Source
    scenario: str
    options: dict[str, bool]
    position: Any
    entries: list[Entry]
    side: int
    bot: str
    seed: int


class Workers:
    """A few processes; in each one thing is done after the other, and clients take turns."""

    def __init__(self, count: int, nice: int = NICE) -> None:
        self._nice = nice
        self._pools = [_start(nice) for _ in range(count)]
        self._turns = [Turns(f"worker {number}") for number in range(count)]
        self._closed = False

    async def run(self, key: str, job: Callable[A, T], *args: A.args, **more: A.kwargs) -> T:
        """Run a function in the process that belongs to this key; begin again if it has died."""
        return await self._submit(key, partial(job, *args, **more), None)

    async def try_for(
        self, seconds: float, key: str, job: Callable[A, T], *args: A.args, **more: A.kwargs
    ) -> T:
        """The same, but TimeoutError if it takes longer; the process then starts anew."""
        return await self._submit(key, partial(job, *args, **more), seconds)

    async def _submit(self, key: str, job: Callable[[], T], seconds: float | None) -> T:
        number = zlib.crc32(key.encode()) % len(self._pools)
        future = self._turns[number].submit(partial(self._do, number, job, seconds))
        return await asyncio.wrap_future(future)

    def _do(self, number: int, job: Callable[[], T], seconds: float | None) -> T:
        for attempt in (0, 1):
            pool = self._pools[number]
            try:
                return pool.submit(job).result(seconds)
            except (BrokenProcessPool, FutureTimeout) as error:
                _end(pool)
                if self._closed:
                    raise
                self._pools[number] = _start(self._nice)
                if attempt or isinstance(error, FutureTimeout):
                    raise
        raise AssertionError

    def waiting(self, client: str | None = None) -> int:
        """How much a client waits for here, or all of them."""
        return sum(turns.waiting(client) for turns in self._turns)

    def close(self) -> None:
        """End the processes; what they think of is dropped."""
        self._closed = True
        for turns in self._turns:
            turns.close(drop=True)
        for pool in self._pools:
            _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())  # pyright: ignore[reportPrivateUsage]
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def _start(nice: int) -> ProcessPoolExecutor:
    # Spawned, not forked: the server has threads.
    return ProcessPoolExecutor(1, get_context("spawn"), initializer=_settle_in, initargs=(nice,))


def _settle_in(nice: int) -> None:
    """Leave Ctrl-C to the server, give way to it, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(nice)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=leave, daemon=True).start()


_bots: OrderedDict[tuple[str, int, str], Bot] = OrderedDict()


def think(question: Question) -> Option:
    """What a bot decides. Runs in a worker, which knows neither the dice nor the log before."""
    game = question.source.game()
    key = (question.match, question.side, question.bot)
    bot = _bots.pop(key, None)
    if bot is None:
        bot = make_bot(question.bot, question.seed, game, SECONDS)
    _bots[key] = bot
    while len(_bots) > MOST_BOTS:
        _bots.popitem(last=False)
    log: Log[Any] = Log(question.entries)
    match = Match[Any].resume(
        game,
        question.scenario,
        question.options,
        None,
        log,
        Snapshot(0, question.position, 0),
        start=question.position,
    )
    return bot(match.seat())
