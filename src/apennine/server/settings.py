"""What a server is told when it starts: where it keeps things, and what it allows."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from apennine import games
from apennine.server.catalogue import Source, read_catalogue
from apennine.server.limits import Limits

PACES: Mapping[str, float] = {"slow": 2.0, "normal": 0.8, "fast": 0.2, "instant": 0.0}
"""Seconds between two visible choices of a bot, by the name of the pace."""


class Settings(msgspec.Struct, frozen=True):
    """One server process."""

    database: str = ""
    """A URL for SQLAlchemy; empty: SQLite in the user's data directory."""
    games: tuple[str, ...] = ()
    """Keys of games, or folders with games of one's own; empty: all that come with Apennine."""
    packs: tuple[str, ...] = ()
    """Folders of corrections; each game that they are for can be played with them and without."""
    workers: int = 0
    """Processes in which bots think; 0: one for each core but one, and at least one."""
    rooms: int = 128
    """Matches that nobody looks at and that stay in memory all the same."""
    public_url: str = ""
    hosts: tuple[str, ...] = ()
    """Names by which browsers may call the server, beside its own and any address."""
    webhook: str = ""
    """An address that is called when a side is to act; empty: none."""
    limits: Limits = Limits()
    expire: float = 0.0
    """Days after which a match that nobody has played is removed; 0: never."""
    cache: str = ""
    """Where drawn maps are kept; empty: the user's cache directory."""
    draw_ahead: bool = False
    """Whether maps are drawn when the server starts, so that no visitor waits for one."""

    def url(self) -> str:
        """The database as SQLAlchemy wants it."""
        if not self.database:
            folder = data_folder()
            folder.mkdir(parents=True, exist_ok=True)
            return f"sqlite:///{folder / 'matches.sqlite'}"
        for scheme in ("postgres://", "postgresql://"):
            if self.database.startswith(scheme):
                return "postgresql+psycopg://" + self.database.removeprefix(scheme)
        return self.database

    def catalogue(self) -> dict[str, Source]:
        """By its name on this server, each game that can be played."""
        return read_catalogue(self.games or tuple(games.keys()), self.packs)

    def cache_folder(self) -> Path:
        """The folder for what can be made again."""
        return Path(self.cache) if self.cache else cache_folder()

    def processes(self) -> int:
        """How many worker processes there are."""
        return self.workers or max(1, (os.cpu_count() or 2) - 1)


def data_folder() -> Path:
    """Where this user's data belong on this system."""
    return _folder("XDG_DATA_HOME", ".local/share", "APPDATA", "Library/Application Support")


def cache_folder() -> Path:
    """Where this system keeps what can be made again."""
    return _folder("XDG_CACHE_HOME", ".cache", "LOCALAPPDATA", "Library/Caches")


def _folder(unix: str, unix_default: str, windows: str, mac: str) -> Path:
    if sys.platform == "win32":
        base = Path(os.environ.get(windows) or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / mac
    else:
        base = Path(os.environ.get(unix) or Path.home() / unix_default)
    return base / "apennine"
