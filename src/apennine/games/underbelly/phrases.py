"""Turns of speech that prompts, refusals and warnings share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from .budget import kept
from .position import Table
from .war import War

Reason = Callable[[War, Table, Option], Refusal]
"""What stands against an option that is not in the menu."""

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


def too_dear(war: War, pos: Table, price: int, what: str = "That") -> Refusal:
    """9.1b: the points that are left do not do; some may be kept for the end-run (8.17c)."""
    reserved = kept(war, pos)
    has = f"you have {pos.points or 'none'} left"
    if reserved:
        has = f"{reserved} of your {pos.points} are kept for the end-run roll"
    return Refusal(f"{what} takes {counted(price, 'command point')}, and {has}.", rule("9.1b"))
