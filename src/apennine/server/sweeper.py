"""Removes matches that were never played, now and then, while a server runs."""

from __future__ import annotations

import asyncio
import logging

from apennine.server.errors import StorageError
from apennine.server.house import House
from apennine.server.pruning import Ages, prune

log = logging.getLogger("apennine.server")

PAUSE = 6 * 3600.0
"""Seconds between two sweeps."""


class Sweeper:
    """Sweeps when a server starts, and every few hours."""

    def __init__(self, house: House, days: float) -> None:
        self._house = house
        self._ages = Ages(unplayed=days)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while True:
            try:
                await self.sweep()
            except StorageError as error:
                log.warning("Old matches are not removed now: %s", error)
            await asyncio.sleep(PAUSE)

    async def sweep(self) -> None:
        """Remove what is old enough."""
        gone = await self._house.storage.write("", prune, self._ages)
        for id in gone:
            self._house.rooms.pop(id, None)
        if gone:
            log.info("%d matches were removed that nobody had played.", len(gone))

    async def close(self) -> None:
        """Sweep no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
