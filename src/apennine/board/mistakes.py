"""Mistakes in a map file: gathered while reading, told all at once."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple


class Mistake(NamedTuple):
    """One thing that is wrong with a map file, and where."""

    file: str
    key: str
    hex: str
    text: str

    def __str__(self) -> str:
        where = [self.file, self.key, f"hex {self.hex}" if self.hex else ""]
        return ": ".join([*filter(None, where), self.text])


class MapError(ValueError):
    """A map file that cannot be used; `mistakes` has all that is wrong with it."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))


class Notes:
    """The mistakes found so far in one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.mistakes: list[Mistake] = []
        self._spoilt: set[str] = set()

    def add(self, key: str, text: str, hex: str = "") -> None:
        """Note a mistake under a key of the file, at a hex if it concerns one."""
        mistake = Mistake(self.file, key, hex, text)
        if mistake not in self.mistakes:
            self.mistakes.append(mistake)

    def unknown(self, key: str, lead: str, name: str, known: Iterable[str]) -> None:
        """Note a name that the map does not know, with the name that was probably meant."""
        if name in self._spoilt:
            return
        near = get_close_matches(name, list(known), n=1)
        hint = f"; perhaps {near[0]!r} is meant" if near else ""
        self.add(key, f"{lead} {name!r}{hint}.")

    def spoil(self, name: str) -> None:
        """Remember a table that could not be read, so that nobody is told that it is not there."""
        self._spoilt.add(name)
