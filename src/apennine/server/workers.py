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
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple, ParamSpec, TypeVar

from apennine.bots import Bot, make_bot
from apennine.kernel.decision import Option
from apennine.kernel.log import Entry, Log, Snapshot
from apennine.kernel.match import Match
from apennine.server.catalogue import Source

T = TypeVar("T")
A = ParamSpec("A")

MOST_BOTS = 2000
"""Bots that one process remembers."""


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
    """A few processes, each with its own queue."""

    def __init__(self, count: int) -> None:
        self._pools = [_start() for _ in range(count)]

    async def run(self, key: str, job: Callable[A, T], *args: A.args, **more: A.kwargs) -> T:
        """Run a function in the process that belongs to this key; begin again if it has died."""
        number = zlib.crc32(key.encode()) % len(self._pools)
        loop = asyncio.get_running_loop()
        for attempt in (0, 1):
            pool = self._pools[number]
            try:
                return await loop.run_in_executor(pool, partial(job, *args, **more))
            except BrokenProcessPool:
                if self._pools[number] is pool:
                    pool.shutdown(wait=False)
                    self._pools[number] = _start()
                if attempt:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the processes; what they think of is dropped."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            for process in list((pool._processes or {}).values()):  # pyright: ignore[reportPrivateUsage]
                process.terminate()


def _start() -> ProcessPoolExecutor:
    # Spawned, not forked: the server has threads.
    return ProcessPoolExecutor(1, get_context("spawn"), initializer=_settle_in)


def _settle_in() -> None:
    """Leave Ctrl-C to the server, give way to it, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(5)
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
        bot = make_bot(question.bot, question.seed, game)
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
