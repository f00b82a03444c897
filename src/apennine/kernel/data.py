"""The data files of a game: plain data with types laid on, and errors that say where."""

from __future__ import annotations

import tomllib
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, cast

import msgspec

_T = TypeVar("_T")


class DataError(ValueError):
    """What is wrong in which data file, in one sentence."""


class DataFile:
    """A data file as plain data; what does not fit is an error that names the file and the key.

    >>> file = DataFile("charts.toml", {"turns": {"source": "rulebook: 2", "last": 9}})
    >>> file.read("turns", dict[str, int])
    {'last': 9}
    >>> file.read("turns.last", str)
    Traceback (most recent call last):
    apennine.kernel.data.DataError: charts.toml: turns.last: Expected `str`, got `int`.
    """

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.name = name
        self.data = data

    @classmethod
    def open(cls, file: Traversable) -> DataFile:
        """Read a file as it stands, without any pack."""
        try:
            return cls(file.name, tomllib.loads(file.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise DataError(f"{file.name} cannot be read: {error}.") from error

    def read(self, key: str, kind: type[_T]) -> _T:
        """What stands under a key such as `schedule.withdrawals`, as its type."""
        value: Any = self.data
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise DataError(f"{self.name}: {key} is missing.")
            value = cast("dict[str, Any]", value)[part]
        try:
            return msgspec.convert(_without_source(value), kind)
        except msgspec.ValidationError as error:
            raise DataError(f"{self.name}: {key}: {error}.") from error

    def refuse(self, sentence: str) -> DataError:
        """An error about this file, for a game to raise."""
        return DataError(f"{self.name}: {sentence}")


def _without_source(value: Any) -> Any:
    """A table without the note of where it comes from, which none of its lines needs."""
    if not isinstance(value, dict):
        return value
    table = cast("dict[str, Any]", value)
    return {key: entry for key, entry in table.items() if key != "source"}
