"""Turns of speech that prompts, refusals and warnings share."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import listed

from .position import AERIAL, COASTAL, UNSUPPLIED
from .war import War

SUPPLY_NAMES = {
    COASTAL: "coastal supply",
    AERIAL: "supplied from the air",
    UNSUPPLIED: "out of supply",
}
SUPPLY_NOUNS = {COASTAL: "coastal supply", AERIAL: "supply from the air", UNSUPPLIED: "none"}
"""The same as what a stack has."""
SUPPLY_RULES = {COASTAL: rule("11.6b"), AERIAL: rule("11.7b"), UNSUPPLIED: rule("11.1a")}


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


def names(war: War, units: Iterable[int]) -> str:
    """Some units by name: "16 Pz, HG and 26 Pz"."""
    return listed([war.names[unit] for unit in units])
