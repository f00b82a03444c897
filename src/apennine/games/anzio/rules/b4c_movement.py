"""B4C: the movement phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option, Over, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask
from apennine.mechanics.phrases import MOVED, ON_THE_MOVE, PICKED_UP, counted

from ..table.position import ALLIED, DUE, GERMAN, Table
from ..table.rivers import FREE
from ..table.war import SCALE, War
from .b4c_march import March, bounds, find_march, gait, pace_of, reach, stack_place
from .b4d_stacking import fits_a_hex, fits_into, full_hexes
from .b4e_zones import off_the_map, there, those_in, zone
from .c4_friendly import claim_hexes, come_into, goes_quietly
from .c5_invasion import INVADE, INVADE_WITH_LESS, LAND, owes_invasion
from .c7_evacuation import EVACUATE
from .c7_sea import SAIL, places_at_sea
from .c8_edges import COME_ON, LEAVE
from .c12_automatic import OVERWHELM, committed, must_hold, overwhelm
from .d5_commandos import RAID
from .d6_building import BUILD_FORT
from .e6_posts import away_from_post, leash, on_guard
from .e8_commands import JOIN_COMMAND, commanded, posted
from .e9_regiments import BREAK_UP, COMBINE, keep_points
from .e10_italians import held_back
from .e13_support import STRIKE
from .e19_edges import GO_OFF


def movement_begins(war: War, pos: Table) -> Procedure:
    """B4C14b: who starts next to the enemy; and rivers bind nobody any more (B4C12b2)."""
    pos.engaged = there(war, pos, pos.side).among(zone(war, pos, 1 - pos.side))
    pos.moved = pos.shipped = pos.rushed = pos.movers = pos.lift = 0
    pos.claims = pos.leftover = ()
    pos.reformed = 0
    pos.bank[:] = [FREE] * len(pos.bank)
    return
    yield


def movement_phase(war: War, pos: Table) -> Procedure:
    """B4C3: any, all or none of the units move, one stack after the other."""
    while True:
        if pos.targets:
            yield from overwhelm(war, pos)
            continue
        if not pos.movers:
            orders: list[Order[War, Table]] = [MOVE, OVERWHELM]
            # Only the Allies come by sea (B4C13), only the Germans build forts (D6A1).
            orders += [INVADE, LAND, RAID, EVACUATE] if pos.side == ALLIED else [BUILD_FORT]
            if war.is_advanced(pos):
                more = (INVADE_WITH_LESS, STRIKE) if pos.side == ALLIED else (BREAK_UP, COMBINE)
                orders += more
            prompt = "Move a unit, or end your movement"
            chosen = yield from ask(war, pos, prompt, rule("B4C3"), *orders, END, checkpoint=True)
            if chosen.verb == END.verb:
                return
            continue
        prompt = f"Where does {war.names_of(pos.movers)} go?"
        yield from ask(war, pos, prompt, rule("B4C9"), *ways(war, pos), checkpoint=True)


def ways(war: War, pos: Table) -> tuple[Order[War, Table], ...]:
    """What the stack that moves may do."""
    here = stack_place(pos)
    if here < 0 or here >= war.lattice.size:
        orders = (COME_ON, TAKE_ALONG, HALT)
        return (SAIL, *orders) if here >= war.lattice.size else orders
    go = Go(march(war, pos))
    if pos.side == ALLIED:
        return go, SAIL, LEAVE, TAKE_ALONG, HALT
    if war.is_advanced(pos):
        return go, TAKE_ALONG, BREAK_UP, GO_OFF, JOIN_COMMAND, HALT
    return go, TAKE_ALONG, HALT


def march(war: War, pos: Table) -> March:
    """Where the stack can go from its hex."""
    lead = first_bit(pos.movers)
    node = war.node[pos.hex[lead], pos.bank[lead]]
    fresh = not pos.under_way
    how = gait(war, pos, lead)
    return find_march(war, pos, how, node, pos.points, pos.extra, fresh, pos.movers)


# Orders.


def may_move(war: War, pos: Table) -> Bars:
    """The bars on a unit that is to move, on the map or beside it."""
    side = pos.side
    present = there(war, pos, side)
    yield war.army[side], "{unit} belongs to the other side", "B4B1"
    yield not owes_invasion(war, pos), "The Allies open the game with an invasion", "C5A1"
    aside = places_at_sea(war, pos) if side == ALLIED else present.stack(DUE) | posted(war, pos)
    yield ~commanded(war, pos) | aside, "Enough units must stay in the Command", "E8G7"
    yield present.units | aside, off_the_map(war, pos, side, aside)
    yield from must_hold(war, pos)
    if war.is_advanced(pos):
        yield ~on_guard(war, pos), "{unit} is on garrison duty, and stays", "E6B1"
        yield ~held_back(war, pos), "Italians do not move in the first turn", "E10B3"
    yield ~pos.moved, "{unit} has moved in this turn", "B4C3"


class Move(Order[War, Table]):
    """B4C3: a unit that has not moved yet is picked up."""

    verb, names = "move", (UNIT,)
    when, rule, opens = PICKED_UP, "B4C3", True

    def bars(self, war: War, pos: Table) -> Bars:
        return may_move(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


def pick_up(war: War, pos: Table, unit: int) -> None:
    """A unit begins its move, with the points that it has."""
    how = gait(war, pos, unit)
    pos.movers |= 1 << unit
    pos.moved |= 1 << unit
    pos.points = how.allowance
    pos.extra = how.allowance * (war.book.limits.strategic - 1) if strategic(pos, unit) else 0
    pos.under_way = False
    for part, points, extra in pos.leftover:  # E9D: it goes on as what it has become
        if part == unit:
            pos.points, pos.extra, pos.under_way = points, extra, True
            pos.leftover = tuple(each for each in pos.leftover if each[0] != unit)


def strategic(pos: Table, unit: int) -> bool:
    """B4C14: whether a unit may use Strategic Movement.

    Not if it started in an enemy zone (B4C14b), has come by sea or over an edge of the board
    (B4C14c, C7B4, C8E), or is interdicted (D3D1c).
    """
    return not (pos.engaged | pos.shipped | pos.slowed | pos.tied) >> unit & 1


class TakeAlong(Order[War, Table]):
    """B4C3: a unit of the same place that moves alike joins the stack before that leaves."""

    verb, names = "take along", (UNIT,)
    when, rule = ON_THE_MOVE, "B4C3"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.under_way, "The stack is on its way already", "B4C3"
        lead = first_bit(pos.movers)
        here = those_in(war, pos, pos.hex[lead], pos.side)
        yield here | ~war.army[pos.side], "{unit} is not where the moving stack is", "B4C3"
        yield ~pos.movers, "{unit} moves with the stack already", "B4C3"
        yield from may_move(war, pos)
        how = gait(war, pos, lead), strategic(pos, lead)
        alike = [
            unit
            for unit in bits(here & ~pos.movers)
            if (gait(war, pos, unit), strategic(pos, unit)) == how
        ]
        yield mask_of(alike), "{unit} moves otherwise than the stack", "B4C7"
        most = [u for u in alike if fits_a_hex(war, pos, pos.side, pos.movers | 1 << u)]
        yield mask_of(most), "With {unit} the stack would be too large for any hex", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.movers |= 1 << option.unit
        pos.moved |= 1 << option.unit


class StackOrder(Order[War, Table]):
    """An order to the stack that moves, given to the first of its units."""

    when, rule = ON_THE_MOVE, "B4C3"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "B4C3"


@dataclass(slots=True)
class Go(StackOrder):
    """B4C9: the stack goes to a hex within reach."""

    found: March

    verb, names = "go", (UNIT, HEX)
    implied = (UNIT,)

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ~(1 << pos.hex[first]), "The stack is in {hex} already, and may halt", "B4C3"
        ends = self.found.ends
        yield ends, self._out_of_reach(war, pos, first)
        if pos.frozen & pos.movers:
            yield leash(war, pos, pos.movers), "A garrison goes nowhere but to its post", "E6B1"
        if war.partisans & pos.movers:
            yield ~pos.works, "Partisans do not stop on a fort", "E10D9"
        crowded = full_hexes(war, pos, pos.side, pos.movers)
        yield ~crowded, "There is no room for the stack in {hex}", "B4D1"

    def _out_of_reach(self, war: War, pos: Table, lead: int) -> Bars:
        ground, on = war.ground, bounds(war, pos, pos.movers)
        yield ground.land, "{hex} is not playable", "B2F2b"
        yield ~ground.passing, "Nobody stops in the lake", "B2F1b"
        yield ~on.enemies, "The enemy is in {hex}", "B4D4"
        soft = pos.soft >> lead & 1 != 0
        yield ~on.zone if soft else -1, "{unit} may not enter an enemy zone of control", "C10B2a"
        most = pos.points + pos.extra
        free, points = find_free(war, pos, lead, most), counted(most / SCALE, "point")
        yield free | self.found.ends, f"{{hex}} is too far for {points}", "B4C9"
        starts = on.zone >> pos.hex[lead] & 1 != 0
        both = "From an enemy zone of control nobody goes straight to another"
        yield ~on.zone if starts else -1, both, "B4E14"
        near = find_free(war, pos, lead, pos.points)
        yield ~on.zone | near, "By Strategic Movement nobody goes next to the enemy", "B4C14b"
        yield 0, "Enemies and their zones of control bar the way to {hex}", "B4E2"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        ends = self.found.ends
        if ends:
            ends &= ~full_hexes(war, pos, pos.side, pos.movers)
            if pos.frozen & pos.movers:
                ends &= leash(war, pos, pos.movers)
            if war.partisans & pos.movers:
                ends &= ~pos.works
        return Over(self.verb, ends, first_bit(pos.movers))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        nodes, cost = self.found.path(option.hex)
        return walk(war, pos, nodes, cost)


def find_free(war: War, pos: Table, lead: int, points: int) -> Mask:
    """Where a unit could go if there were no enemies."""
    how = gait(war, pos, lead)
    node = war.node[pos.hex[lead], pos.bank[lead]]
    climb = how.allowance // 2 if how.climbs else (0 if pos.under_way else points)
    if points <= 0:
        return 0
    return reach(war, [(node, 0)], points, pace_of(war, pos), how.climbs, 0, 0, climb).ends


def walk(war: War, pos: Table, nodes: Sequence[int], cost: int) -> Procedure:
    """The stack goes its way hex by hex; enemies without defence that it meets die (C10C4)."""
    through = mask_of([war.node_hex[node] for node in nodes])
    if goes_quietly(war, pos, first_bit(pos.movers), through):
        place(war, pos, pos.movers, nodes[-1])
        claim_hexes(war, pos, first_bit(pos.movers), through)
    else:
        for node in nodes:
            yield from step(war, pos, pos.movers, node)
    pos.under_way = True
    if cost > pos.points:
        pos.rushed |= pos.movers  # B4C14b
    pos.extra -= max(cost - pos.points, 0)
    pos.points = max(pos.points - cost, 0)
    end_if_spent(war, pos)


def step(war: War, pos: Table, units: Mask, node: int) -> Procedure:
    """Units go on to a node."""
    place(war, pos, units, node)
    # All of a stack are alike in what they do to a hex.
    yield from come_into(war, pos, first_bit(units), war.node_hex[node])


def place(war: War, pos: Table, units: Mask, node: int) -> None:
    """Units are at a node now."""
    hex, bound = war.node_hex[node], war.node_bound[node]
    for unit in (first_bit(units),) if not units & units - 1 else bits(units):
        pos.hex[unit], pos.bank[unit] = hex, bound


def end_if_spent(war: War, pos: Table) -> None:
    """The move is over where nothing is left to go on with: in an enemy zone (B4E2), or no way."""
    here = stack_place(pos)
    stopped = zone(war, pos, 1 - pos.side) >> here & 1
    if stopped or pos.points + pos.extra <= 0 or not march(war, pos).ends:
        put_down(pos)


def put_down(pos: Table) -> None:
    """The move is over."""
    pos.movers = pos.points = pos.extra = 0
    pos.under_way = False


class Halt(StackOrder):
    """B4C3: the stack moves no farther."""

    verb, names = "halt", (UNIT,)

    def bars(self, war: War, pos: Table) -> Bars:
        yield from StackOrder.bars(self, war, pos)
        fits = not pos.under_way or fits_into(war, pos, pos.side, pos.movers, stack_place(pos))
        yield fits, "Too many units would be here", "B4D1"
        away = away_from_post(war, pos) & pos.movers if pos.frozen & pos.movers else 0
        goes = Go(march(war, pos)).menu(war, pos) if away else ()
        yield not goes, "A garrison goes on to its post", "E6B4"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        keep_points(war, pos)
        put_down(pos)


class End(Order[War, Table]):
    """B4C5: no more units move; all movement comes before the first battle."""

    verb = "end movement"
    when, rule = MOVED, "B4C5"

    def bars(self, war: War, pos: Table) -> Bars:
        owed = owes_invasion(war, pos)
        yield not owed, "The Allies open the game with an invasion", "C5A1"
        if pos.frozen and pos.side == GERMAN:
            yield not strays(war, pos), "A garrison must go on to its post first", "E6B4"


def strays(war: War, pos: Table) -> Mask:
    """E6B4: garrisons away from their post that must go there and can, and have not moved yet."""
    found = 0
    for unit in bits(away_from_post(war, pos) & ~pos.moved & ~committed(pos)):
        found |= bool(homeward(war, pos, unit)) << unit
    return found


def homeward(war: War, pos: Table, unit: int) -> Mask:
    """Where a garrison could go that is nearer to its post."""
    how = gait(war, pos, unit)
    node = war.node[pos.hex[unit], pos.bank[unit]]
    extra = how.allowance * (war.book.limits.strategic - 1) if strategic(pos, unit) else 0
    found = find_march(war, pos, how, node, how.allowance, extra, True, 1 << unit).ends
    return found & leash(war, pos, 1 << unit) & ~full_hexes(war, pos, pos.side, 1 << unit)


MOVE, TAKE_ALONG, HALT, END = Move(), TakeAlong(), Halt(), End()
