"""Where maps are drawn: in a process of its own, ahead of the visitors who will ask for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from apennine.server import maps
from apennine.server.catalogue import Source
from apennine.server.maps import Drawn
from apennine.server.workers import Workers

log = logging.getLogger("apennine.server")


class Studio:
    """The drawn maps of a server's games. A large one takes seconds; a drawn one is kept."""

    def __init__(self, catalogue: Mapping[str, Source], folder: str) -> None:
        self._catalogue = catalogue
        self._folder = folder
        self._drawings: dict[str, asyncio.Task[Drawn]] = {}
        self._process: Workers | None = None
        self._ahead: asyncio.Task[None] | None = None

    async def map(self, key: str) -> Drawn:
        """The map of a game. It waits for the one that is being drawn, not for all the others."""
        drawing = self._drawings.get(key)
        if drawing is None:
            drawing = self._drawings[key] = asyncio.create_task(self._draw(key))
        try:
            return await asyncio.shield(drawing)
        except Exception:
            self._drawings.pop(key, None)  # the next who asks may have more luck
            raise

    def start(self) -> None:
        """Draw all maps that are not kept already, beside all else."""
        self._ahead = asyncio.create_task(self._draw_all())

    async def _draw_all(self) -> None:
        for key in self._catalogue:
            try:
                await self.map(key)
            except (
                Exception
            ):  # whoever asks for this map is told; the others are drawn all the same
                log.exception("The map of %s cannot be drawn.", key)
        self._dismiss()

    async def _draw(self, key: str) -> Drawn:
        source = self._catalogue[key]
        found = await asyncio.to_thread(maps.kept, source, self._folder)
        if found is not None:
            return found
        if self._process is None:
            self._process = Workers(1)
        return await self._process.run("maps", maps.drawn, source, self._folder)

    def _dismiss(self) -> None:
        """When all is drawn the process has nothing more to do."""
        if self._process is not None and all(task.done() for task in self._drawings.values()):
            self._process.close()
            self._process = None

    async def close(self) -> None:
        """Leave whatever is being drawn."""
        tasks: list[asyncio.Task[Any]] = [*self._drawings.values()]
        if self._ahead is not None:
            tasks.append(self._ahead)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._process is not None:
            self._process.close()
