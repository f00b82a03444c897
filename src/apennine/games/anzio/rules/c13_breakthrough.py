"""B4G7 and C13: advance into what the defenders have left, and breakthrough beyond it."""

from __future__ import annotations

from typing import NamedTuple

from apennine.hexes import Mask, Sides, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Offer, Order, Plain, ask
from apennine.mechanics.asking import while_possible

from ..table.position import Table
from ..table.rivers import BARRED, FREE
from ..table.war import SCALE, SURGE, SURGE_MUD, War
from .b4c_march import Reach, bounds, reach
from .b4d_stacking import full_hexes
from .b4e_zones import occupied, there
from .c4_friendly import come_into

ADVANCING = "Attackers advance after a battle that has emptied the hex of the defenders"
END_ADVANCE = Plain("end advance", ADVANCING, "C14A1")
STOP = Plain("stop", ADVANCING, "C13B1")


class Leap(NamedTuple):
    """A way from where a unit stands into a hex that is left, and on from there."""

    hex: int
    bound: int
    """What binds it there (B4C12d2)."""
    beyond: Reach | None
    """Where it may break through to; None if it has no points, or must stop (C13B2)."""


def advance(war: War, pos: Table) -> Procedure:
    """B4G7a, C14B: who took part may advance, unit by unit, before the next battle."""
    if pos.vacated:
        pos.advancing = pos.attackers & there(war, pos, pos.side).units & ~pos.retreated
        prompt = "Advance a unit, or end the advance"
        yield from while_possible(END_ADVANCE, war, pos, prompt, rule("B4G7a"), ADVANCE)
    pos.advancing = pos.vacated = pos.surge = 0


def leaps(war: War, pos: Table, unit: int) -> list[Leap]:
    """How a unit may advance into each hex that is left: over whatever lies between (B4G8)."""
    here = pos.hex[unit]
    near = (war.ground.beside[here] | 1 << here) & pos.vacated
    if pos.soft >> unit & 1:
        near &= ~bounds(war, pos, 1 << unit).zone  # C10B2a
    found: list[Leap] = []
    for hex in bits(near):
        bound = pos.bank[unit] if hex == here else bank_after(war, pos, unit, hex)
        found.append(Leap(hex, bound, beyond(war, pos, unit, hex, bound, pos.surge)))
    return found


def bank_after(war: War, pos: Table, unit: int, hex: int) -> int:
    """What binds a unit that advances into a hex next to it, whatever river it crosses."""
    here, rivers = pos.hex[unit], war.ground.rivers
    d = war.lattice.direction(here, hex)
    bound = rivers.step(here, pos.bank[unit], d)
    return rivers.step(here, FREE, d) if bound == BARRED else bound


def beyond(war: War, pos: Table, unit: int, hex: int, bound: int, points: int) -> Reach | None:
    """C13E: where a unit may break through to from a hex; never strategically (C13E5).

    Not at all if that is in an enemy zone of control (C13B2).
    """
    on = bounds(war, pos, 1 << unit)
    if points <= 0 or on.zone >> hex & 1:
        return None
    climbs = pos.mountain and war.mountaineers >> unit & 1 != 0
    pace = SURGE_MUD if war.in_mud(pos) else SURGE  # C13E4
    least = (war.book.mountain if climbs else war.book.movement)[pace].least * SCALE
    if climbs:
        climb = max(pos.surge // 2, least)  # D8B4
    else:
        climb = points if points == pos.surge >= least else 0  # C13E2
    shut = on.enemies | on.zone if pos.soft >> unit & 1 else on.enemies
    start = [(war.node[hex, bound], 0)]
    return reach(war, start, points, pace, climbs, shut & ~(1 << hex), on.zone, climb)


def ends_of(war: War, pos: Table, unit: int, found: list[Leap]) -> Mask:
    """Where an advance may end: where there is room, counted only there (C13F)."""
    ends = 0
    for leap in found:
        ends |= 1 << leap.hex
        if leap.beyond:
            ends |= leap.beyond.ends
    ends &= ~war.ground.passing & ~(1 << pos.hex[unit])
    return ends & ~full_hexes(war, pos, pos.side, 1 << unit)


class Advance(Order[War, Table]):
    """B4G7a: a unit enters a hex that the defenders have left, or breaks through beyond (C13)."""

    verb, names = "advance", (UNIT, HEX)
    when, rule = ADVANCING, "B4G7a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "Defenders never advance", "B4G9"
        yield ~(pos.attackers & pos.retreated), "{unit} has retreated", "B4G7b"
        yield pos.attackers, "{unit} took no part in this battle", "B4G7b"
        yield pos.advancing, "{unit} has advanced already", "C14B"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        found = leaps(war, pos, first)
        yield ends_of(war, pos, first, found), self._no_way(war, pos, first, found)

    def _no_way(self, war: War, pos: Table, unit: int, found: list[Leap]) -> Bars:
        yield ~(1 << pos.hex[unit]), "{unit} is in {hex} already", "B4G7a"
        first = mask_of(leap.hex for leap in found)
        reached = first
        for leap in found:
            reached |= leap.beyond.ends if leap.beyond else 0
        near = war.ground.beside[pos.hex[unit]]
        if not pos.surge:
            yield pos.vacated, "Only what the defenders have left is occupied", "B4G7a"
        soft = pos.soft >> unit & 1
        yield first | ~(near & pos.vacated) if soft else -1, "{unit} may not enter {hex}", "C10B2a"
        far = "{hex} is beyond what the breakthrough allows"
        yield reached, far if pos.surge else "{unit} is not next to {hex}", "C13A"
        yield ~war.ground.passing, "Nobody stops in the lake", "B2F1b"
        yield 0, "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return advance_to(war, pos, option.unit, option.hex)


def advance_to(war: War, pos: Table, unit: int, end: int) -> Procedure:
    """A unit goes into a hex that is left, and on; then it may go on as long as it can."""
    bit = 1 << unit
    found = [leap for leap in leaps(war, pos, unit) if _leads(leap, end)]
    leap = min(found, key=lambda each: _cost(each, end))
    pos.advancing &= ~bit
    pos.forward |= bit
    pos.spoils = 0
    if leap.hex != pos.hex[unit]:
        yield from stride(war, pos, unit, leap.hex, leap.bound)
    if leap.hex != end and leap.beyond:
        for node in leap.beyond.path(end):
            yield from stride(war, pos, unit, war.node_hex[node], war.node_bound[node])
    yield Event("advances", unit, pos.hex[unit], rule=rule("B4G7a"))
    pos.movers, pos.points = bit, pos.surge - _cost(leap, end)
    yield from run_on(war, pos, unit)
    pos.movers = pos.points = pos.spoils = 0


def run_on(war: War, pos: Table, unit: int) -> Procedure:
    """A unit that has advanced goes on as long as it can and its owner likes."""
    orders: tuple[Order[War, Table], ...] = (GO_ON, PRESS_ON, STOP)
    prompt = f"Does {war.names[unit]} go on?"
    while len(offer := Offer(war, pos, orders)) > 1:
        chosen = yield from ask(war, pos, prompt, rule("C13B1"), offer=offer)
        if chosen.verb == STOP.verb:
            return
        if chosen.verb == PRESS_ON.verb:
            orders = (GO_ON, STOP)  # D4A2: one hex


def _leads(leap: Leap, end: int) -> bool:
    return leap.hex == end or (leap.beyond is not None and bool(leap.beyond.ends >> end & 1))


def _cost(leap: Leap, end: int) -> int:
    return 0 if leap.hex == end or leap.beyond is None else leap.beyond.cost(end)


def stride(war: War, pos: Table, unit: int, hex: int, bound: int) -> Procedure:
    """A unit comes into a hex; what it empties by that it may occupy too (B4G7b)."""
    enemy = 1 - pos.side
    before = occupied(war, pos, enemy)
    pos.hex[unit], pos.bank[unit] = hex, bound
    yield from come_into(war, pos, unit, hex)
    pos.spoils |= before & ~occupied(war, pos, enemy)
    pos.spoils &= ~(1 << hex)


def farther(war: War, pos: Table, unit: int) -> Reach | None:
    """Where a unit that has advanced goes on with the points that it has left."""
    return beyond(war, pos, unit, pos.hex[unit], pos.bank[unit], pos.points)


class GoOn(Order[War, Table]):
    """C13B1: a unit that has advanced uses more of its breakthrough, or takes what it emptied."""

    verb, names = "go on", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = ADVANCING, "C13B1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.movers, "{unit} is not the one that advances now", "C14B"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here = pos.hex[first]
        found, spoils = farther(war, pos, first), self._spoils(war, pos, first)
        ends = (found.ends if found else 0) & ~war.ground.passing | spoils
        yield ends & ~(1 << here), "{hex} is beyond what is left of the breakthrough", "C13B2"
        yield ~full_hexes(war, pos, pos.side, 1 << first), "There is no room in {hex}", "B4D1"

    def _spoils(self, war: War, pos: Table, unit: int) -> Mask:
        """B4G7b: hexes next to it that it has emptied."""
        return pos.spoils & war.ground.beside[pos.hex[unit]]

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, end = option.unit, option.hex
        found = farther(war, pos, unit)
        if found and found.ends >> end & 1:
            pos.points -= found.cost(end)
            for node in found.path(end):
                yield from stride(war, pos, unit, war.node_hex[node], war.node_bound[node])
        else:
            yield from stride(war, pos, unit, end, bank_after(war, pos, unit, end))
        yield Event("advances", unit, end, rule=rule("C13B1"))


class PressOn(Order[War, Table]):
    """D4A2: after a breakthrough, armor goes one hex farther."""

    verb, names = "press on", (UNIT, HEX)
    implied = (UNIT,)
    when, rule, needs = ADVANCING, "D4A2", "armor"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.armor, "The rule on armor is not used in this match", "D1"
        yield pos.movers, "{unit} is not the one that advances now", "C14B"
        yield pos.surge > 0, "There was no breakthrough", "D4A2"
        yield war.armor, "{unit} is no armor", "D4A3"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        here, on = pos.hex[first], bounds(war, pos, 1 << first)
        near = mask_of(hex for hex, _ in self._steps(war, pos, first))
        yield near, "Nothing but a road, or plain in good weather, leads there", "D4A2a"
        yield ~(on.enemies | war.ground.passing), "Nobody may be in {hex}", "B4D4"
        both = "From an enemy zone of control nobody goes straight to another"
        yield ~on.zone if on.zone >> here & 1 else -1, both, "D4A2c"
        yield ~full_hexes(war, pos, pos.side, 1 << first), "There is no room in {hex}", "B4D1"

    def _steps(self, war: War, pos: Table, unit: int) -> list[tuple[int, int]]:
        """The hexes behind sides with a road or, in good weather, plain; and what binds there."""
        ground, here = war.ground, pos.hex[unit]
        kinds: list[Sides] = [ground.all_roads]
        if not war.in_mud(pos):
            kinds.append(ground.plain)
        found: list[tuple[int, int]] = []
        for d in range(6):
            if any(sides[d] >> here & 1 for sides in kinds):
                bound = ground.rivers.step(here, pos.bank[unit], d)
                if bound != BARRED:
                    found.append((war.lattice.neighbour(here, d), bound))
        return found

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        bound = dict(self._steps(war, pos, unit))[option.hex]
        pos.points = pos.spoils = 0
        yield from stride(war, pos, unit, option.hex, bound)
        yield Event("advances", unit, option.hex, rule=rule("D4A2"))


ADVANCE, GO_ON, PRESS_ON = Advance(), GoOn(), PressOn()
