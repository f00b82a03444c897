"""Chapter 12: movement."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Roll
from apennine.kernel.game import Procedure
from apennine.mechanics.reach import Costs, Reach, reach

from ..table.data import DIE
from ..table.position import ALLIED, COASTAL, COLUMN, GERMAN, MARCHES, UNSUPPLIED, Table
from ..table.war import CLIMBING, GB, War
from .c06_stacking import full_for, no_room, others, strangers
from .c07_zones import both, enter, port_hexes, put, sweep, there
from .c10_arrivals import entries


def is_hesitant(war: War, pos: Table) -> bool:
    """5.5: in the Historical Scenario the British are slow for a while."""
    return pos.turn in war.hesitant[pos.scenario]


def allowance(war: War, pos: Table, unit: int, die: int = 0) -> int:
    """The movement points of a unit under the present command.

    The printed factor, or the die of a question mark (2.12), doubled in column (12.7), halved for
    British hesitancy and again for want of supply (5.5c), then less one for each of the two Allied
    muddles (12.7d).
    """
    march = war.book.march
    points = war.printed[unit] or min(die, march.question_most)
    if pos.order == COLUMN:
        points *= march.column
    if war.group[unit] == GB and is_hesitant(war, pos):
        points //= 2
    if pos.supply in (COASTAL, UNSUPPLIED):
        points //= 2  # 11.5c, 11.6b
    if pos.mixed:
        points += march.mixed  # 6.4a
    if pos.crossed >> war.group[unit] & 1:
        points += march.cross_supplied  # 11.3b
    return max(points, 0)


def may_take(war: War, pos: Table) -> Mask:
    """The units that can be picked up now, alone or with those that are moving."""
    units = pos.waiting
    if pos.order == COLUMN and is_hesitant(war, pos):
        units &= ~war.grouped[GB]  # 5.5b
    if war.bit[pos.origin] or not pos.force:
        return units
    # From a box comes no more than one stack for a command (9.4c), of one German organisation.
    if pos.side == GERMAN:
        units &= war.grouped[war.group[first_bit(pos.force)]]
    return mask_of([u for u in bits(units) if war.stack_fits(pos.force | 1 << u)])


def pick_up(war: War, pos: Table, units: Mask) -> Procedure:
    """Units begin to move, or join those that do: the slowest sets the pace (12.4)."""
    for unit in bits(units):
        die = 0
        if not war.printed[unit]:
            (die,) = yield Roll((DIE,), f"movement of {war.names[unit]}", "2.12a")
        points = allowance(war, pos, unit, die)
        pos.moves_left = min(pos.moves_left, points) if pos.movers else points
        pos.movers |= 1 << unit
        pos.waiting &= ~(1 << unit)
        pos.force |= 1 << unit
        pos.acted |= 1 << unit


def put_down(pos: Table) -> None:
    """The move is over."""
    pos.movers = pos.moves_left = 0
    pos.under_way = pos.stopped = pos.landed = False


def here(pos: Table) -> int:
    """Where the moving units are."""
    return pos.hex[(pos.movers & -pos.movers).bit_length() - 1]


def costs(war: War, pos: Table) -> Costs:
    """What the moving units pay for terrain."""
    paces = war.paces(pos.movers)
    climbs = paces == CLIMBING and pos.order in MARCHES  # 12.10
    return war.costs(paces, not pos.landed, climbs and not pos.under_way)  # 10.3c


def march(war: War, pos: Table) -> Reach:
    """Where the moving units can go from here."""
    side, movers = pos.side, pos.movers
    there = both(war, pos)
    friends, enemy = there[side], there[1 - side]
    blocked = enemy.occupied | no_room(war, friends, movers)  # 12.3a, 6.2
    if side == GERMAN and pos.special_forces:
        blocked |= 1 << war.special_forces  # 3.6d
    zone = enemy.zone
    if pos.order == COLUMN:
        blocked |= zone  # 12.7b
    return reach(
        costs(war, pos),
        here(pos),
        pos.moves_left,
        blocked=blocked,
        stops=zone,  # 7.5a
        apart=zone,  # 7.5b, 7.5c
        fresh=not pos.under_way,
        ends_not=others(war, friends, movers) if side == GERMAN else 0,  # 6.6
    )


def passages(war: War, pos: Table) -> Mask:
    """The hexes of row 10xx with another organisation from which the moving units can go on."""
    movers, paces = pos.movers, war.paces(pos.movers)
    enemy = there(war, pos, ALLIED)
    closed = enemy.occupied | enemy.zone | full_for(war, pos, movers)
    found = 0
    for hex in bits(strangers(war, pos, movers) & war.enterable(paces, pos.moves_left) & ~closed):
        arrived = pos.copy()
        put(war, arrived, movers, hex)
        arrived.moves_left -= war.entry_cost(paces, hex)
        arrived.under_way = True
        if arrived.moves_left and march(war, arrived).ends:
            found |= 1 << hex
    return found


def has_room(war: War, pos: Table, units: Mask, order: int) -> bool:
    """Whether these units of a box can come onto the map together by an order."""
    there = pos.copy()
    there.order, there.movers = order, units
    best = war.book.march.question_most
    there.moves_left = min([allowance(war, there, unit, best) for unit in bits(units)])
    return bool(entries(war, there) or passages(war, there))


def after_step(war: War, pos: Table, hex: int) -> None:
    """An enemy zone ends the move (7.5a), and so does the last point."""
    if there(war, pos, 1 - pos.side).zone >> hex & 1:
        pos.stopped = True
    if pos.stopped or pos.moves_left <= 0:
        put_down(pos)


def walk(war: War, pos: Table, to: int, found: Reach) -> Procedure:
    """Hex by hex to the one named; the units may go on from there if nothing stops them."""
    pos.moves_left -= found.cost(to)
    pos.under_way = True
    if matters(war, pos, found, to):
        path = found.path(to)[1:]
        yield from enter(war, pos, pos.side, mask_of(path))
        yield from sweep(war, pos, pos.movers, path)
    else:
        put(war, pos, pos.movers, to)
    after_step(war, pos, to)


def matters(war: War, pos: Table, found: Reach, to: int) -> bool:
    """Whether it makes a difference which way the units take, and whence they come.

    Only markers and towns on the way do, towns that a passing zone would take, and those left to
    the enemy; nothing does that no way of this cost can come to, or next to.
    """
    enemy = there(war, pos, 1 - pos.side)
    reached = found.reached
    ours = pos.control if pos.side == ALLIED else war.towns & ~pos.control
    special = pos.special_forces << war.special_forces
    markers = pos.forts | special if pos.side == ALLIED else port_hexes(war, pos)
    foreign = war.towns & ~ours
    near = foreign & ~(enemy.zone | enemy.occupied) & war.lattice.dilate(reached)
    spots = (markers | foreign) & reached | near
    if spots:
        distance, start, length = war.lattice.distance, found.start, found.cost(to)
        for spot in bits(spots):
            detour = distance(start, spot) + distance(spot, to) - length
            if detour <= 0 or (detour <= 2 and near >> spot & 1):
                return True
    left = ours & enemy.zone
    return bool(left and left & war.lattice.disc(found.start, 1))
