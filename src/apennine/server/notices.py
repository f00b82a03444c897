"""Hears what other processes on the same PostgreSQL have written."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine
from typing import Any

import psycopg

from apennine.server.house import House
from apennine.server.storage import CHANNEL

log = logging.getLogger("apennine.server")

PATIENCE = 1.0
"""Seconds until a lost connection is made again."""


class Notices:
    """A thread that listens on a connection of its own."""

    def __init__(self, house: House) -> None:
        self._house = house
        url = house.storage.engine.url.set(drivername="postgresql")
        self._url = url.render_as_string(hide_password=False)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="notices", daemon=True)

    async def open(self) -> None:
        """Start to listen."""
        self._thread.start()
        self._keep(self._house.keep_presence())
        await asyncio.to_thread(self._ready.wait, 10)

    async def close(self) -> None:
        """Listen no more."""
        self._stop.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.to_thread(self._thread.join)

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._loop.call_soon_threadsafe(self._catch_up_with_all)
                    self._ready.set()
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            self._loop.call_soon_threadsafe(self._hear, notice.payload)
            except psycopg.Error as error:
                log.warning("The connection that listens was lost: %s", error)
                self._stop.wait(PATIENCE)

    def _hear(self, payload: str) -> None:
        process, match, *words = payload.split(" ")
        if process == self._house.storage.process:
            return
        if words and words[0] == "online":
            self._house.hear_presence(process, match, words[1] if len(words) > 1 else "")
        else:
            self._keep(self._house.catch_up(match))

    def _catch_up_with_all(self) -> None:
        """What was said while nobody listened is in the database."""
        for id in list(self._house.rooms):
            self._keep(self._house.catch_up(id))

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
