"""Chapter 6: the fog of war (6.9), which hides Allied stacks from the German player."""

from __future__ import annotations

from random import Random

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Among, Choice, Later, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.phrases import place
from ..table.position import ALLIED, Table
from ..table.war import War
from . import c08_endrun as endrun
from .c07_zones import force_in


def order_stacks(war: War, pos: Table) -> Procedure:
    """6.9e: the Allied player says which division of a new stack lies on top."""
    hex = first_bit(pos.shuffled)
    chosen = yield Choice(
        ALLIED,
        Later(lambda: Among("on top", candidates(war, pos, hex), hex)),
        f"Which division lies on top in {place(war, hex)}, for the German to see?",
        rule("6.9e"),
        checkpoint=True,
    )
    lay_on_top(war, pos, chosen)


def reorderings(war: War, pos: Table) -> list[Among]:
    """6.9e: the divisions that may go on top of the stacks that have changed."""
    return [
        Among("on top", [u for u in candidates(war, pos, hex) if not pos.tops >> u & 1], hex)
        for hex in bits(pos.restacked)
    ]


def lay_on_top(war: War, pos: Table, chosen: Option) -> None:
    """One division of a stack goes on top of it, for good until the stack changes."""
    pos.tops = pos.tops & ~force_in(war, pos, chosen.hex, ALLIED) | 1 << chosen.unit
    pos.shuffled &= ~(1 << chosen.hex)
    pos.restacked &= ~(1 << chosen.hex)


def candidates(war: War, pos: Table, hex: int) -> list[int]:
    """The divisions of a stack: one of them is on top, since their zone of control shows."""
    return list(bits(force_in(war, pos, hex, ALLIED) & ~war.supports))


def hidden(war: War, pos: Table, side: int) -> Mask:
    """The Allied units that a side cannot tell: under the top of a stack, or in the box (6.9).

    Those on the Battle Board are seen (6.9b), and so is the End-Run box (6.9d).
    """
    if side == ALLIED:
        return 0
    mask = 0
    shown = pos.tops | pos.attackers | pos.defenders
    for unit in war.members[ALLIED]:
        place = pos.hex[unit]
        under = war.bit[place] and (not shown >> unit & 1 or pos.shuffled & war.bit[place])
        if under or place == war.available:
            mask |= 1 << unit
    return mask & ~(pos.attackers | pos.defenders)


def seen_units(war: War, pos: Table, hex: int, side: int) -> tuple[list[int], int]:
    """The Allied units in a hex that a side knows, and how many more there are."""
    here = force_in(war, pos, hex, ALLIED)
    unknown = here & hidden(war, pos, side)
    return list(bits(here & ~unknown)), unknown.bit_count()


def imagine(war: War, pos: Table, side: int, random: Random, seen: Table) -> Table:
    """Another position that this side could not tell from this one.

    Allied units that the German cannot see change places, divisions with divisions and corps
    support with corps support; so do the turns of a secret note (8.10).
    """
    other = pos.copy()
    if side == ALLIED:
        return other
    endrun.imagine_plot(war, other, random, seen)
    known = 1 << war.airborne
    for moment in (pos, seen):
        known |= moment.force | moment.attackers | moment.defenders
    unseen = hidden(war, pos, side) & hidden(war, seen, side) & ~known
    for unit in bits(unseen):
        if pos.hex[unit] != seen.hex[unit]:
            unseen &= ~(1 << unit)
    for kind in (unseen & war.supports, unseen & ~war.supports):
        units = list(bits(kind))
        places = units.copy()
        random.shuffle(places)
        _swap(pos, other, units, places)
    return other


def _swap(pos: Table, other: Table, units: list[int], places: list[int]) -> None:
    """Each unit takes the place, and all that was done there, of the other beside it."""
    everybody = mask_of(units)
    for unit, old in zip(units, places):
        other.hex[unit] = pos.hex[old]
    for name in ("acted", "rebuilt", "corps", "waiting", "tops"):
        before: int = getattr(pos, name)
        after: int = getattr(other, name) & ~everybody
        for unit, old in zip(units, places):
            after |= (before >> old & 1) << unit
        setattr(other, name, after)
