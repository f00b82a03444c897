"""Chapter 7: replacements, reinforcements and withdrawals."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import SIDES, Withdrawal
from ..table.position import ALLIED, AWAY, GONE, LOST, Table, with_item
from ..table.war import War
from .c04_zones import enter, occupied, units_on_map, zone_of
from .c05_stacking import full, room_around
from .c06_logistics import LONG, beach_lines, centre_in_supply, lines_to

INTAKE = 2
"""What a beachhead takes in a turn: a division counts 2, a brigade or a replacement 1 (11Ld)."""

END = done("end replacements")


def replacements_phase(war: War, pos: Table) -> Procedure:
    """7.1: points restore steps; what is not spent is lost (7.1f)."""
    while True:
        chosen = yield Choice(
            pos.side,
            Later(lambda: _replacements(war, pos)),
            "Spend replacement points: restore a unit, rebuild one, or end",
            rule("7.1b"),
            checkpoint=True,
        )
        if chosen.verb == "end replacements":
            return
        if chosen.verb == "replace":
            replace(war, pos, chosen.unit)
        else:
            yield from rebuild(war, pos, chosen.unit, chosen.value)


def replace(war: War, pos: Table, unit: int) -> None:
    """A reduced unit gets a step, from its centre or else over a beach (11Lj)."""
    if not centre_near(war, pos, pos.side) >> pos.hex[unit] & 1:
        pos.intake[beach_for(war, pos, pos.hex[unit], 1)] += 1
    pay(war, pos, unit, 1)


def rebuild(war: War, pos: Table, unit: int, steps: int) -> Procedure:
    """An eliminated unit comes back with one step, or with all at once (7.1i)."""
    place = yield Choice(
        pos.side,
        Later(lambda: Over("place", rebuilding_sites(war, pos, pos.side), unit)),
        f"Where does {war.names[unit]} come back?",
        rule("7.1d"),
    )
    pay(war, pos, unit, steps)
    pos.hex[unit] = place.hex
    yield from enter(war, pos, pos.side, 1 << place.hex)


def _replacements(war: War, pos: Table) -> Menu:
    rebuilding = [
        Option("rebuild", unit, value=steps)
        for unit in rebuildable(war, pos, pos.side)
        for steps in range(1, min(war.full[unit], points_left(war, pos, unit)) + 1)  # 7.1i
    ]
    return Menu(Among("replace", replaceable(war, pos, pos.side)), rebuilding, END)


def points_left(war: War, pos: Table, unit: int) -> int:
    """The points of a unit's own nation that are not yet spent (7.1a, 7.1g, 7.1h)."""
    nation = war.nation[unit]
    return war.replacement_points(nation, pos.turn) - pos.spent[nation]


def pay(war: War, pos: Table, unit: int, steps: int) -> None:
    """A point a step (7.1b)."""
    pos.spent[war.nation[unit]] += steps
    pos.steps[unit] += steps


def replaceable(war: War, pos: Table, side: int) -> list[int]:
    """Reduced units for which there is a point, near the centre or at a beachhead (7.1c, 11Lj).

    Units in the reserve are too far from everything (12g).
    """
    reduced = [
        u
        for u in units_on_map(war, pos, side)
        if pos.steps[u] < war.full[u] and points_left(war, pos, u) > 0
    ]
    if not reduced:
        return reduced
    near = centre_near(war, pos, side)
    return [
        u
        for u in reduced
        if near >> pos.hex[u] & 1 or (side == ALLIED and beach_for(war, pos, pos.hex[u], 1) >= 0)
    ]


def centre_near(war: War, pos: Table, side: int) -> Mask:
    """The hexes with a line of at most 8 hexes to the side's own centre (7.1c)."""
    centre = pos.centre[side]
    return lines_to(war, pos, side, 1 << centre).within(LONG) if centre >= 0 else 0


def beach_for(war: War, pos: Table, hex: int, halves: int) -> int:
    """The beachhead with most room that a hex traces to and that takes in so much; -1: none."""
    best, room = -1, halves - 1
    for number, near in enumerate(beach_lines(war, pos)):
        left = INTAKE - pos.intake[number]
        if near >> hex & 1 and left > room:
            best, room = number, left
    return best


def rebuildable(war: War, pos: Table, side: int) -> list[int]:
    """Eliminated units for which there are points and a place."""
    lost = [u for u in war.members[side] if pos.hex[u] == LOST and points_left(war, pos, u) > 0]
    return lost if lost and rebuilding_sites(war, pos, side) else []


def rebuilding_sites(war: War, pos: Table, side: int) -> Mask:
    """On or next to a source, or the centre if that can trace to one (7.1d, 7.1k, 7.2b)."""
    sites = war.sources[side] & ~occupied(war, pos, 1 - side)
    if centre_in_supply(war, pos, side):
        sites |= 1 << pos.centre[side]
    return room_around(war, pos, sites | zone_of(war, sites), side)


def reinforcements_phase(war: War, pos: Table) -> Procedure:
    """7.2: units that are due are placed on supply hexes; who finds no room waits (7.2c)."""
    while any(arrival_sites(war, pos, u) for u in due(war, pos, pos.side)):
        chosen = yield Choice(
            pos.side,
            Later(lambda: arrivals(war, pos)),
            "Bring on your reinforcements",
            rule("7.2a"),
            checkpoint=True,
        )
        unit: int = chosen.unit
        pos.left = with_item(pos.left, unit, 0)
        pos.entered = with_item(pos.entered, unit, -1)
        pos.hex[unit] = chosen.hex
        if chosen.hex in pos.beaches:
            come_ashore(war, pos, unit, chosen.hex)
        yield from enter(war, pos, pos.side, 1 << chosen.hex)


def arrivals(war: War, pos: Table) -> Menu:
    """Who may arrive where."""
    units = due(war, pos, pos.side)
    return Menu(*(Over("bring on", arrival_sites(war, pos, unit), unit) for unit in units))


def due(war: War, pos: Table, side: int) -> list[int]:
    """The units of a side that should have come by now, or should come back (7.2a, 7.2c)."""
    found: list[int] = []
    for unit in war.members[side]:
        if pos.hex[unit] == AWAY:
            if 0 < war.roster[unit].arrives <= pos.turn:
                found.append(unit)
        elif pos.hex[unit] == GONE:
            order = war.withdrawals[pos.left[unit] - 1]
            if 0 < order.returns <= pos.turn:
                found.append(unit)
    return found


def arrival_sites(war: War, pos: Table, unit: int) -> Mask:
    """A supply hex of the side, or a beachhead that can take the unit in (11Ld)."""
    side = war.side_of[unit]
    sites = war.sources[side]
    if side == ALLIED:
        sites |= landing_places(war, pos, unit)
    return sites & ~occupied(war, pos, 1 - side) & ~full(war, pos, side)


def landing_places(war: War, pos: Table, unit: int) -> Mask:
    """The beachheads that can still take this unit in in this turn (11Ld)."""
    mask = 0
    for number, beach in enumerate(pos.beaches):
        if beach >= 0 and pos.intake[number] + war.halves[unit] <= INTAKE:
            mask |= 1 << beach
    return mask


def come_ashore(war: War, pos: Table, unit: int, hex: int) -> None:
    """A unit is placed at a beachhead: it counts there, and has just landed (11Li)."""
    pos.intake[pos.beaches.index(hex)] += war.halves[unit]
    pos.landed |= 1 << unit


def withdrawals_phase(war: War, pos: Table) -> Procedure:
    """7.3: units leave as the schedule says; the owner picks who of the kind (7.3f).

    What is taken from the Allied reserve leaves unseen (12b), so the choice is secret, and what
    leaves the map is told.
    """
    for number, order in enumerate(war.withdrawals, 1):
        if order.turn != pos.turn or war.nations[order.nation].side != SIDES[pos.side]:
            continue
        if number in pos.left:
            continue
        matching = withdrawable(war, pos, order)
        if not matching:
            continue  # 7.3g
        chosen = yield Choice(
            pos.side,
            Among("withdraw", matching),
            f"Withdraw one unit: {order.counts_as}, {order.size}, "
            f"{war.nations[order.nation].title} (in 1944 it was {order.unit})",
            rule("7.3a"),
            checkpoint=True,
            secret=pos.side == ALLIED,
        )
        unit: int = chosen.unit
        hex = pos.hex[unit]
        pos.hex[unit], pos.left = GONE, with_item(pos.left, unit, number)
        pos.cut &= ~(1 << unit)
        if hex != war.reserve:
            yield Event("leaves the map", unit, hex, rule=rule("7.3a"), reveals=True)


def withdrawable(war: War, pos: Table, order: Withdrawal) -> Sequence[int]:
    """Units of the kind in the reserve, or with a line to a supply hex (7.3b to 7.3d, 7.3g)."""
    side = SIDES.index(war.nations[order.nation].side)
    matching = [
        u
        for u in war.members[side]
        if pos.hex[u] >= 0
        and war.roster[u].nation == order.nation
        and war.roster[u].size == order.size
        and war.counts_as[u] == order.counts_as
    ]
    if not matching:
        return matching
    free = lines_to(war, pos, side, war.sources[side]).mask
    return [u for u in matching if pos.hex[u] == war.reserve or free >> pos.hex[u] & 1]
