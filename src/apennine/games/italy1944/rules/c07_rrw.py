"""Chapter 7: replacements, reinforcements and withdrawals."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask
from apennine.mechanics.asking import until
from apennine.mechanics.phrases import counted

from ..table.data import SIDES
from ..table.position import ALLIED, AWAY, GONE, LOST, Table, with_item
from ..table.war import War
from .c04_zones import Whither, in_the_field, occupied, place, there, those_among, those_in
from .c05_stacking import full
from .c06_logistics import EXPOSED, LONG, beach_lines, by_beaches, centre_in_supply, lines_to

INTAKE = 2
"""What a beachhead takes in a turn: a division counts 2, a brigade or a replacement 1 (11Ld)."""

REPLENISHING = "Units are replenished and rebuilt in the replacement step"
END = Plain("end replacements", REPLENISHING, "7.1f")


def replacements_phase(war: War, pos: Table) -> Procedure:
    """7.1: points restore steps; what is not spent is lost (7.1f)."""
    prompt, orders = "Spend replacement points: restore a unit, rebuild one, or end", RESTORING
    yield from until(END, war, pos, prompt, rule("7.1b"), *orders, checkpoint=True)


class Replace(Order[War, Table]):
    """7.1c, 11Lj: a reduced unit gets a step, from its centre or else over a beach."""

    verb, names = "replace", (UNIT,)
    when, rule, opens = REPLENISHING, "7.1b", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield war.army[side], "{unit} belongs to the other side", "3a"
        boxed = those_in(war, pos, war.reserve, side)
        yield ~boxed, "No replacements reach {unit} in the reserve", "12g"
        yield from in_the_field(war, pos, side)
        reduced = mask_of([u for u in war.members[side] if pos.steps[u] < war.full[u]])
        yield reduced, "{unit} is at full strength", "7.1b"
        yield with_points(war, pos), "No {nation} replacement points are left", "7.1g"
        near = centre_near(war, pos, side) | shores_with_room(war, pos, side)
        yield those_among(war, pos, near, side), self._too_far(war, pos, side)

    def _too_far(self, war: War, pos: Table, side: int) -> Bars:
        ashore = those_among(war, pos, by_beaches(war, pos, side), side)
        near = those_among(war, pos, centre_near(war, pos, side), side)
        room = those_among(war, pos, shores_with_room(war, pos, side), side)
        yield ~ashore | near | room, "The beachhead of {unit} takes in no more in this turn", "11Ld"
        yield 0, "{unit} has no line of at most 8 hexes to its logistic centre", "7.1c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        hex = pos.hex[option.unit]
        if not centre_near(war, pos, pos.side) >> hex & 1:
            pos.intake[beach_for(war, pos, hex)] += 1
        pay(war, pos, option.unit, 1)


class Rebuild(Order[War, Table]):
    """7.1d, 7.1i: an eliminated unit comes back with one step, or with all at once."""

    verb, names = "rebuild", (UNIT, VALUE)
    ranges = ((VALUE, lambda war: range(1, max(war.full) + 1)),)
    when, rule, opens = REPLENISHING, "7.1b", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield war.army[side], "{unit} belongs to the other side", "3a"
        lost = those_in(war, pos, LOST, side)
        yield lost, "{unit} is not eliminated, so it needs no rebuilding", "7.1b"
        yield with_points(war, pos), "No {nation} replacement points are left", "7.1g"
        sites = PlaceRebuilt(war.members[side].start, 1).menu(war, pos)
        yield len(sites) > 0, "No hex where {unit} could come back has room", "7.1k"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        steps, left = war.full[first], points_left(war, pos, first)
        all_of_it = f"{{unit}} has only {counted(steps, 'step')} at full strength"
        yield (2 << steps) - 1, all_of_it, "7.1i"
        yield ~1, "{unit} comes back with one step or more", "7.1i"
        dear = "{unit} would cost {value} {nation} points at such strength, more than the"
        yield (2 << left) - 1, f"{dear} {left} left", "7.1g"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        prompt = f"Where does {war.names[option.unit]} come back?"
        order = PlaceRebuilt(option.unit, option.value)
        yield from ask(war, pos, prompt, rule("7.1d"), order)


RESTORING = Replace(), Rebuild()


class Place(Whither):
    """The second half of three orders: where a unit goes that comes to the map."""

    verb, link = "place", "in"
    when, rule = "Units are placed when they are rebuilt, released or committed", "7.1d"


@dataclass(slots=True)
class PlaceRebuilt(Place):
    """7.1d, 7.1k, 7.2b: at or next to a source, or the centre if that can trace to one."""

    steps: int

    def then(self, war: War, pos: Table, first: int) -> Bars:
        side = pos.side
        enemy, own = occupied(war, pos, 1 - side), occupied(war, pos, side)
        sites = war.sources[side] & ~enemy
        if centre_in_supply(war, pos, side):
            sites |= 1 << pos.centre[side]
        near = sites | war.zone(sites)
        yield near, "{hex} is neither at nor next to a supply hex or a centre in supply", "7.1d"
        yield ~enemy, "The enemy holds {hex}", "7.1k"
        yield ~full(war, pos, side), "{hex} holds four units already", "7.1k"
        yield ~war.zone(enemy) | own, EXPOSED, "7.1k"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pay(war, pos, option.unit, self.steps)
        return place(war, pos, option.unit, option.hex)


def points_left(war: War, pos: Table, unit: int) -> int:
    """The points of a unit's own nation that are not yet spent (7.1a, 7.1g, 7.1h)."""
    nation = war.nation[unit]
    return war.replacement_points(nation, pos.turn) - pos.spent[nation]


def with_points(war: War, pos: Table) -> Mask:
    """The units for which there is a point."""
    found = 0
    for nation, units in enumerate(war.nationals):
        if war.replacement_points(nation, pos.turn) > pos.spent[nation]:
            found |= units
    return found


def pay(war: War, pos: Table, unit: int, steps: int) -> None:
    """A point a step (7.1b)."""
    pos.spent[war.nation[unit]] += steps
    pos.steps[unit] += steps


def centre_near(war: War, pos: Table, side: int) -> Mask:
    """The hexes with a line of at most 8 hexes to the side's own centre (7.1c)."""
    centre = pos.centre[side]
    return lines_to(war, pos, side, 1 << centre).within(LONG) if centre >= 0 else 0


def shores_with_room(war: War, pos: Table, side: int) -> Mask:
    """The hexes with a line to a beachhead that can still take in a replacement (11Ld, 11Lj)."""
    near = by_beaches(war, pos, side)
    return near and mask_of(hex for hex in bits(near) if beach_for(war, pos, hex) >= 0)


def beach_for(war: War, pos: Table, hex: int) -> int:
    """The beachhead with most room that a hex traces to and that takes in something; -1: none."""
    best, room = -1, 0
    for number, near in enumerate(beach_lines(war, pos)):
        left = INTAKE - pos.intake[number]
        if near >> hex & 1 and left > room:
            best, room = number, left
    return best


def reinforcements_phase(war: War, pos: Table) -> Procedure:
    """7.2: units that are due are placed on supply hexes; who finds no room waits (7.2c)."""
    prompt, order = "Bring on your reinforcements", BringOn()
    while order.menu(war, pos):
        yield from ask(war, pos, prompt, rule("7.2a"), order, checkpoint=True)


class BringOn(Order[War, Table]):
    """7.2a, 11Ld: a unit that is due is placed on a supply hex or a beachhead."""

    verb, names = "bring on", (UNIT, HEX)
    ranges = ((HEX, lambda war: war.sources[0] | war.sources[1] | war.ports),)
    when, rule, opens = "Reinforcements arrive in the reinforcement step", "7.2a", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield war.army[side], "{unit} belongs to the other side", "3a"
        coming = mask_of(due(war, pos, side))
        late = those_in(war, pos, AWAY, side) & ~war.at_start & ~coming
        yield coming, self._not_due(late)

    def _not_due(self, late: Mask) -> Bars:
        yield ~late, "{unit} arrives only in turn {arrival}", "7.2a"
        yield 0, "{unit} is not among your reinforcements now", "7.2a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        side = pos.side
        sources, beaches = war.sources[side], beachheads(pos) if side == ALLIED else 0
        yield sources | beaches, "{hex} is no supply hex of yours and no beachhead", "7.2a"
        open = sources | landing_places(war, pos, first)
        yield open, "The beachhead in {hex} does not take in {unit} too in this turn", "11Ld"
        yield ~occupied(war, pos, 1 - side), "The enemy holds {hex}", "7.2c"
        yield ~full(war, pos, side), "There is no room for {unit} in {hex}", "7.2c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.left = with_item(pos.left, option.unit, 0)
        pos.entered = with_item(pos.entered, option.unit, -1)
        return come_on(war, pos, option.unit, option.hex)


def come_on(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit comes to the map; at a beachhead it counts, and has just landed (11Li)."""
    if hex in pos.beaches:
        pos.intake[pos.beaches.index(hex)] += war.halves[unit]
        pos.landed |= 1 << unit
    return place(war, pos, unit, hex)


def due(war: War, pos: Table, side: int) -> list[int]:
    """The units of a side that should have come by now, or should come back (7.2a, 7.2c)."""
    coming = [(unit, war.roster[unit].arrives) for unit in bits(those_in(war, pos, AWAY, side))]
    for unit in bits(those_in(war, pos, GONE, side)):
        coming.append((unit, war.withdrawals[pos.left[unit] - 1].returns))
    return sorted(unit for unit, turn in coming if 0 < turn <= pos.turn)


def beachheads(pos: Table) -> Mask:
    """The hexes with a beachhead."""
    return mask_of(beach for beach in pos.beaches if beach >= 0)


def landing_places(war: War, pos: Table, unit: int) -> Mask:
    """The beachheads that can still take this unit in in this turn (11Ld)."""
    fits = INTAKE - war.halves[unit]
    return mask_of(b for b, taken in zip(pos.beaches, pos.intake) if b >= 0 and taken <= fits)


def withdrawals_phase(war: War, pos: Table) -> Procedure:
    """7.3: units leave as the schedule says; the owner picks who of the kind (7.3f).

    What is taken from the Allied reserve leaves unseen (12b), so the choice is secret, and what
    leaves the map is told.
    """
    for number, row in enumerate(war.withdrawals, 1):
        nation = war.nations[row.nation]
        if row.turn != pos.turn or nation.side != SIDES[pos.side] or number in pos.left:
            continue
        order = Withdraw((row.nation, row.counts_as, row.size), number)
        if not order.menu(war, pos):
            continue  # 7.3g
        prompt = (
            f"Withdraw one unit: {row.counts_as}, {row.size}, {nation.title} "
            f"(in 1944 it was {row.unit})"
        )
        secret = pos.side == ALLIED
        yield from ask(war, pos, prompt, rule("7.3a"), order, checkpoint=True, secret=secret)


@dataclass(slots=True)
class Withdraw(Order[War, Table]):
    """7.3b to 7.3d: a unit of the kind, out of the reserve or with a line to a supply hex."""

    kind: tuple[str, str, str]
    row: int

    verb, names = "withdraw", (UNIT,)
    when, rule, opens = "Units are withdrawn in the withdrawal step", "7.3a", True

    def bars(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield war.army[side], "{unit} belongs to the other side", "3a"
        boxed = those_in(war, pos, war.reserve, side)
        here = there(war, pos, side).units | boxed
        yield here, "{unit} is not there to be withdrawn", "7.3b"
        kind = war.of_kind.get(self.kind, 0)
        yield kind, "{unit} is not of the nation, size and kind that must leave", "7.3c"
        free = lines_to(war, pos, side, war.sources[side]).mask
        open = those_among(war, pos, free, side) | boxed
        yield open, "No free line leads from {unit} to a supply hex", "7.3b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, hex = option.unit, pos.hex[option.unit]
        pos.hex[unit], pos.left = GONE, with_item(pos.left, unit, self.row)
        pos.cut &= ~(1 << unit)
        if hex != war.reserve:
            yield Event("leaves the map", unit, hex, rule=rule("7.3a"), reveals=True)
