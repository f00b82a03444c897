"""Chapter 14: Advance After Combat, and those that Automatic DS have earned (8.7.2)."""

from __future__ import annotations

from itertools import pairwise

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, what_stays
from apennine.mechanics.asking import while_possible

from ..table.position import NOWHERE, Table
from ..table.war import War
from .c02_pieces import there
from .c04_stacking import crowded
from .c10_results import Verdict
from .c12_retreat import pick_way
from .c14_strides import FAR, can_advance, ends, limit, must_stop, routes, stride, strides, ways_to
from .c15_breakthrough import breakthrough

WHEN = "Attackers advance after a combat that has driven the defender from his hex"
STAY = Plain("stay", WHEN, "14.1a")


def triumphs_phase(war: War, pos: Table) -> Procedure:
    """8.7.2: after all combats come the advances of Automatic DS, as far as a DS gives."""
    while pos.triumphs or is_under_way(pos):
        if is_under_way(pos):
            yield from press_on(war, pos)
        else:
            pos.target, pos.attackers = pos.triumphs.pop(0)
            yield from advance(war, pos, Verdict(True, FAR, False))
        pos.target, pos.attackers = NOWHERE, 0


def advance(war: War, pos: Table, verdict: Verdict) -> Procedure:
    """14.1: whoever took part in an attack may advance from it, a Breakthrough Group first.

    An eliminated defender reduces nothing (12.4).
    """
    if not verdict.vacated or not verdict.advance:
        return
    pos.vacated, pos.advance, pos.limited = pos.target, verdict.advance, verdict.limited
    pos.advancers = able(war, pos, pos.attackers)
    yield from press_on(war, pos)


def is_under_way(pos: Table) -> bool:
    """Whether a phase is taken up again in the middle of an advance."""
    return pos.vacated != NOWHERE


def press_on(war: War, pos: Table) -> Procedure:
    """The advance, from where it stands to its end."""
    yield from breakthrough(war, pos)
    yield from follow_up(war, pos)
    pos.vacated, pos.advance, pos.limited, pos.advancers = NOWHERE, 0, False, 0
    pos.halted = False


def able(war: War, pos: Table, units: Mask) -> Mask:
    """The units that may advance: no artillery (17.2d), nobody who must stay (S3.3, 20.4b)."""
    tied = war.artillery | pos.frozen | pos.posted | pos.replaced
    return units & there(war, pos, pos.side).units & ~tied


def follow_up(war: War, pos: Table) -> Procedure:
    """The units advance one by one, in any order and any direction (14.3)."""
    prompt = f"Advance from {war.board.code(pos.vacated)}?"
    yield from while_possible(STAY, war, pos, prompt, rule("14.1a"), ADVANCE, checkpoint=True)


class Advance(Order[War, Table]):
    """14.1: a unit advances to a hex, hex by hex on the shortest way unless its owner cares."""

    verb, names = "advance", (UNIT, HEX)
    when, rule = WHEN, "14.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield there(war, pos, pos.side).units, "{unit} is not on the map", "14.1a"
        yield able(war, pos, -1), "{unit} may not leave its hex now", "14.1a"
        yield pos.advancers, "{unit} has no advance to make", "14.1a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ends(war, pos, first), self.no_way(war, pos, first)

    def is_open(self, war: War, pos: Table) -> bool:
        return any(can_advance(war, pos, u) for u in bits(what_stays(self.bars(war, pos))))

    def no_way(self, war: War, pos: Table, unit: int) -> Bars:
        """Why a hex is out of an advance."""
        here, hexes = pos.hex[unit], limit(war, pos, unit)
        found = mask_of(routes(war, pos, unit)) & ~(1 << here)
        yield ~(1 << here), "{unit} is in {hex} already", "14.1a"
        full = crowded(war, pos, pos.side, 1 << unit, found)
        yield ~full, "There is no room for {unit} in {hex}", "14.1c"
        on_map = (1 << war.lattice.size) - 1
        near = war.lattice.disc(here, hexes) | ~on_map
        yield near, f"{{hex}} is more than {hexes} hexes away", "14.2.1"
        closed = war.lattice.disc(here, 1) & ~found
        yield ~closed, first_step(war, pos, unit, here, closed)
        yield found, "No way that an advance may take leads to {hex}", "14.5a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return advance_to(war, pos, option.unit, option.hex)


def first_step(war: War, pos: Table, unit: int, here: int, closed: Mask) -> Bars:
    """What bars some hexes next to a unit; it says nothing of others."""
    for bar in strides(war, pos, unit, here, 0):
        assert len(bar) == 3
        yield bar[0] | ~closed, bar[1], bar[2]


ADVANCE = Advance()


def advance_to(war: War, pos: Table, unit: int, end: int) -> Procedure:
    """A unit goes hex by hex; enemies run from it, but none into its way (13.3.2d, 12.2d)."""
    pos.advancers &= ~(1 << unit)
    way = yield from pick_way(war, pos, unit, ways_to(war, pos, unit, end), 1)
    for here, hex in pairwise(way):
        halts = must_stop(war, pos, unit, here, hex)
        yield from stride(war, pos, unit, hex)
        if halts or pos.hex[unit] != hex:
            break
    yield Event("advances", unit, pos.hex[unit], rule=rule("14.1a"))
