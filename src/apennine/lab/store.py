"""The results of a series, in one SQLite file that is complete at every moment.

Each game is a row under its setting and number, so that nothing is counted twice: a series that was
broken off goes on with the games that are missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from apennine.kernel.data import DataError
from apennine.lab.games import Record
from apennine.lab.spec import Setting

TABLES = """
create table if not exists about (name text primary key, value text);
create table if not exists setting (number integer primary key, name text, series text);
create table if not exists played (
    setting integer, number integer, winner integer, reason text, decisions integer,
    turns integer, digest text, detail text, primary key (setting, number)
) without rowid;
"""


class StoreError(DataError):
    """A file that holds something else. One sentence."""


class Store:
    """The file with the results of a series."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(path)
        try:
            self._db.executescript(TABLES)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} is no file of results: {error}.") from None

    def begin(self, settings: Sequence[Setting], fingerprint: str) -> None:
        """Write down what is played; StoreError if the file has results of other settings."""
        known = self.about("fingerprint")
        if known and known != fingerprint:
            raise StoreError(
                f"{self.path} holds the results of other settings, or of other data: "
                "give another file, or remove it."
            )
        with self._db:
            self._db.execute(
                "insert or replace into about values ('fingerprint', ?)", [fingerprint]
            )
            for number, (name, series) in enumerate(settings):
                told = {
                    "key": series.key,
                    "scenario": series.scenario,
                    "options": dict(series.options or {}),
                    "bots": list(series.bots),
                    "games": series.games,
                    "seed": series.seed,
                    "packs": [getattr(pack, "label", str(pack)) for pack in series.packs],
                }
                self._db.execute(
                    "insert or replace into setting values (?, ?, ?)",
                    [number, name, msgspec.json.encode(told).decode()],
                )

    def about(self, name: str) -> str | None:
        """A word about the whole file."""
        row = self._db.execute("select value from about where name = ?", [name]).fetchone()
        return row[0] if row else None

    def settings(self) -> list[tuple[str, dict[str, Any]]]:
        """The settings by name, and what each plays."""
        rows = self._db.execute("select name, series from setting order by number")
        return [(name, msgspec.json.decode(series)) for name, series in rows]

    def done(self) -> set[tuple[int, int]]:
        """The games that were played, each by its setting and number."""
        return set(self._db.execute("select setting, number from played"))

    def add(self, setting: int, records: Iterable[Record]) -> None:
        """Keep some games: all of them or, if the power fails, none."""
        with self._db:
            self._db.executemany(
                "insert or ignore into played values (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (setting, *record[:6], msgspec.json.encode(record.detail).decode())
                    for record in records
                ],
            )

    def records(self, setting: int) -> list[Record]:
        """The games of a setting in their order."""
        rows = self._db.execute(
            "select number, winner, reason, decisions, turns, digest, detail from played "
            "where setting = ? order by number",
            [setting],
        )
        return [Record._make((*row[:6], msgspec.json.decode(row[6]))) for row in rows]

    def close(self) -> None:
        """Leave the file."""
        self._db.close()
