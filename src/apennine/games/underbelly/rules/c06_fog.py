"""Chapter 6: the fog of war (6.9), which hides Allied stacks from the German player."""

from __future__ import annotations

from random import Random

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Name, Order, ask

from ..table.phrases import place
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from . import c08_endrun as endrun
from .c07_zones import those_in


class LayOnTop(Order[War, Table]):
    """6.9e: one division of a stack that has changed goes on top of it, for the German to see."""

    verb, names, link = "on top", (HEX, UNIT), "in"
    implied = (HEX,)  # where the unit is
    when, rule, opens = "A stack shows a new top when its Allied units have changed", "6.9e", True

    def bars(self, war: War, pos: Table) -> Bars:
        if pos.shuffled:
            asked = place(war, first_bit(pos.shuffled))
            other = f"The question is who lies on top in {asked}, and not in {{hex}}"
            yield pos.shuffled & -pos.shuffled, other, "6.9e"
        else:
            same = "The stack in {hex} has not changed since its top was chosen"
            yield pos.restacked, same, "6.9e"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield those_in(war, pos, first, ALLIED), "{unit} is not in {hex}", "6.9e"
        guns = "{unit} is corps support: a division lies on top where there is one"
        yield ~war.supports, guns, "6.9e"
        if not pos.shuffled:
            yield ~pos.tops, "{unit} lies on top already", "6.9e"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.tops = pos.tops & ~those_in(war, pos, option.hex, ALLIED) | 1 << option.unit
        pos.shuffled &= ~(1 << option.hex)
        pos.restacked &= ~(1 << option.hex)


LAY_ON_TOP = LayOnTop()


def order_stacks(war: War, pos: Table) -> Procedure:
    """6.9e: the Allied player says which division of a new stack lies on top."""
    where = place(war, first_bit(pos.shuffled))
    prompt = f"Which division lies on top in {where}, for the German to see?"
    yield from ask(war, pos, prompt, "6.9e", LAY_ON_TOP, side=ALLIED, checkpoint=True)


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


def veil(war: War, pos: Table, unit: int) -> tuple[Name, ...]:
    """What of an order or an event the German is not told, nor a spectator: who it was (6.9)."""
    own = war.side_of[unit] == GERMAN
    return () if own or not hidden(war, pos, GERMAN) >> unit & 1 else (UNIT,)


def veiled(war: War, pos: Table, event: Event) -> Event:
    """An event that names a unit, for the log: whom the German cannot see he is not told."""
    hides = veil(war, pos, event.unit)
    return event._replace(veil=hides, owner=ALLIED) if hides else event


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
