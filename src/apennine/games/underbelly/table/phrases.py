"""Turns of speech that prompts, refusals and warnings share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option

from .position import Table
from .war import War

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def place(war: War, hex: int) -> str:
    """A hex or box as players call it: "Salerno (2822)", "2821", "the box of 10th Army"."""
    boxes = {
        war.available: "the Available box",
        war.tenth: "the box of 10th Army",
        war.fifth: "the box of 5th Panzer Army",
        war.end_run: "the End-Run box",
    }
    if hex in boxes:
        return boxes[hex]
    code = war.board.code(hex)
    name = town(war, hex)
    return f"{name} ({code})" if name else code


def town(war: War, hex: int) -> str:
    """The name of a place on the map; empty if the hex has none."""
    return next((place.name for place in war.board.places_at(hex)), "")


def listed(words: Sequence[str]) -> str:
    """Words with commas and an "and": "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def names(war: War, units: Iterable[int]) -> str:
    """Some units by name: "16 Pz, HG and 26 Pz"."""
    return listed([war.names[unit] for unit in units])


def spelt(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _hex(war: War, pos: Table, option: Option) -> str:
    del pos
    return place(war, option.hex)


def _where(war: War, pos: Table, option: Option) -> str:
    hex = pos.hex[option.unit]
    return f"in {place(war, hex)}" if hex >= 0 else "not in play"


def _movers(war: War, pos: Table, option: Option) -> str:
    del option
    return names(war, bits(pos.movers))


def _movers_have(war: War, pos: Table, option: Option) -> str:
    has = "have" if pos.movers & pos.movers - 1 else "has"
    return f"{_movers(war, pos, option)} {has}"


def _here(war: War, pos: Table, option: Option) -> str:
    del option
    return place(war, pos.hex[first_bit(pos.movers)])


def _origin(war: War, pos: Table, option: Option) -> str:
    del option
    return place(war, pos.origin)


VOCABULARY = {
    "hex": _hex,
    "where": _where,  # the unit that is named: "in Salerno (2822)", "not in play"
    "movers": _movers,
    "movers have": _movers_have,  # "16 Pz has", "16 Pz and HG have"
    "here": _here,  # where the moving units are
    "origin": _origin,  # where the command was given
}
"""What the sentences of this game's orders may hold in braces."""
