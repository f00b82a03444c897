"""Chapter 4: stacking, and what becomes of units that stand in a hex too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import NOBODY, Table
from ..table.war import War
from .c02_pieces import in_the_field, there, those_in
from .c06_steps import eliminate


def load(war: War, pos: Table, units: Mask) -> int:
    """What combat units count together: a division 3, or 2 if reduced, smaller ones 1 (4.0b).

    Detachments count nothing (4.0c), nor do supports (4.0d, 4.0e).
    """
    room, full, steps = war.room, war.full, pos.steps
    return sum([room[u][steps[u] < full[u]] for u in bits(units & war.combat)])


def homeless(war: War, units: Mask) -> Mask:
    """Assault troops among units of one hex that find no eligible unit of their own (4.0e).

    They are matched as well as can be: those with the fewest hosts choose first.
    """
    troops = sorted(
        bits(units & war.assault), key=lambda unit: (war.hosts[unit] & units).bit_count()
    )
    taken: dict[int, int] = {}
    return sum([1 << unit for unit in troops if not _settle(war, units, unit, taken, set())])


def _settle(war: War, units: Mask, unit: int, taken: dict[int, int], seen: set[int]) -> bool:
    """Find a host for assault troops, moving others to another one if need be."""
    for host in bits(war.hosts[unit] & units):
        if host not in seen:
            seen.add(host)
            if host not in taken or _settle(war, units, taken[host], taken, seen):
                taken[host] = unit
                return True
    return False


def fits(war: War, pos: Table, units: Mask) -> bool:
    """Whether units may stay together in one hex (4.0a)."""
    limits = war.book.limits
    return (
        load(war, pos, units) <= limits.stack
        and (units & war.detachments).bit_count() <= limits.detachments
        and not (units & war.assault and homeless(war, units))
    )


def overstacked(war: War, pos: Table, side: int) -> Mask:
    """The hexes that hold more of a side than may stay there."""
    return sum([1 << hex for hex in _over(war, pos, side)])


def _over(war: War, pos: Table, side: int) -> Iterator[int]:
    for place, units in there(war, pos, side).stacks.items():
        if place >= 0 and units & units - 1 and not fits(war, pos, units):
            yield place


def correct_stacking(war: War, pos: Table) -> Procedure:
    """4.0f: at the end of a phase its owner eliminates what stands in a hex too many."""
    for side in (pos.side, 1 - pos.side):
        while hexes := overstacked(war, pos, side):
            prompt = "Too many units are stacked: name one that is eliminated"
            yield from ask(war, pos, prompt, rule("4.0f"), GiveUp(side, hexes), side=side)


@dataclass(slots=True)
class GiveUp(Order[War, Table]):
    """4.0f: a unit of an overstacked hex is eliminated."""

    side: int
    hexes: Mask

    verb, names = "give up", (UNIT,)
    when, rule = "Units are given up where too many are stacked at the end of a phase", "4.0f"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.side)
        near = there(war, pos, self.side).among(self.hexes)
        yield near, "{unit} is in no hex with too many units", "4.0f"
        yield (
            surplus(war, pos, self.side, self.hexes),
            "Without {unit} nothing would be won",
            "4.0f",
        )

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return eliminate(war, pos, option.unit, rule("4.0f"))


def surplus(war: War, pos: Table, side: int, hexes: Mask) -> Mask:
    """The units of overstacked hexes that make them so: of the kind of which there are too many."""
    limits, found = war.book.limits, 0
    for hex in bits(hexes):
        units = those_in(war, pos, hex, side)
        if load(war, pos, units) > limits.stack:
            found |= units & war.combat & ~war.detachments
        elif (units & war.detachments).bit_count() > limits.detachments:
            found |= units & war.detachments
        else:
            found |= _extra(war, units)
    return found


def _extra(war: War, units: Mask) -> Mask:
    """The assault troops without one of which fewer would be homeless."""
    alone = homeless(war, units).bit_count()
    found = 0
    for unit in bits(units & war.assault):
        if homeless(war, units & ~(1 << unit)).bit_count() < alone:
            found |= 1 << unit
    return found


def settle_assault(war: War, pos: Table, hex: int, side: int) -> None:
    """Attach the assault troops of a hex whose host is not there to any eligible unit (11.3.2)."""
    units = those_in(war, pos, hex, side)
    for unit in bits(units & war.assault):
        host = pos.host[unit]
        if host < 0 or not units >> host & 1:
            taken = sum([1 << h for u, h in enumerate(pos.host) if h >= 0 and units >> u & 1])
            free = war.hosts[unit] & units & ~taken
            pos.host[unit] = (free & -free).bit_length() - 1 if free else NOBODY
