"""Chapter 5: the stack that moves, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Procedure
from apennine.kernel.order import Bars, Order
from apennine.mechanics.phrases import ON_THE_MOVE

from ..table.position import Table
from ..table.war import War
from .c02_pieces import occupied, those_in, unready
from .c05_control import enter, is_news
from .c05_march import Bounds, March, Step, cheapest, find_march, means, step
from .c12_retreat import scare
from .c13_disorder import disrupt
from .c25_options import shake_off, wear


def stack_place(pos: Table) -> int:
    """The hex or entry area of the stack that moves."""
    return pos.hex[first_bit(pos.movers)]


def stack_name(war: War, pos: Table) -> str:
    """Its units by name."""
    return _names(war, pos.movers)


@lru_cache(256)
def _names(war: War, units: Mask) -> str:
    return ", ".join([war.names[unit] for unit in bits(units)])


def pick_up(war: War, pos: Table, unit: int) -> None:
    """A unit begins its move, or joins a stack that does."""
    pos.movers |= 1 << unit
    pos.moved |= 1 << unit
    pos.points, pos.extra, pos.strides = means(war, pos, pos.movers)


def settle(war: War, pos: Table, units: Mask) -> None:
    """Units of the stack stay. Artillery that has gone more than two hexes is Disrupted (17.3b)."""
    guns = units & war.artillery & ~unready(pos)
    if pos.strides < 0 and guns:
        disrupt(pos, guns)
    if pos.half_effects:
        shake_off(war, pos, units)
    pos.movers &= ~units


def put_down(war: War, pos: Table) -> None:
    """The move is over."""
    settle(war, pos, pos.movers)
    pos.movers = pos.points = pos.extra = pos.strides = 0
    pos.under_way = pos.stopped = False


def march(war: War, pos: Table) -> March:
    """Where the stack can go from its hex."""
    here = stack_place(pos)
    spend = pos.points, pos.extra, pos.strides
    return find_march(war, pos, pos.movers, here, *spend, not pos.under_way)


def pay(pos: Table, on: Bounds, hex: int, made: Step) -> None:
    """The stack has made a step: what is left of its points and of its Tactical Movement.

    A move is of every kind that its way so far has been open to (5.4c). Points come first, then
    those of Extended Movement, which leads neither into a zone (5.3a) nor next to enemies in Full
    Retreat (13.3.3).
    """
    pos.under_way = True
    pos.strides = pos.strides - 1 if made.strides and pos.strides > 0 else -1
    left = pos.points - made.price if pos.points >= 0 and made.price >= 0 else None
    if (on.zone | on.shy) >> hex & 1:
        pos.extra = 0
    if left is None or left + pos.extra < 0:
        pos.points, pos.extra = -1, 0
    else:
        pos.points, pos.extra = max(left, 0), pos.extra + min(left, 0)
    pos.stopped = bool(on.zone >> hex & 1) or made.halts  # 6.2a, 5.1f


def toll(war: War, pos: Table, on: Bounds, here: int) -> int:
    """6.2b: what it costs to leave an enemy zone of control; nothing in Full Retreat (13.3.2b).

    A stack pays if one of its units does (5.1b).
    """
    return war.leaving if on.zone >> here & 1 and pos.movers & ~pos.routed else 0


def march_to(war: War, pos: Table, found: March, hex: int) -> Procedure:
    """The stack goes to a hex within its reach."""
    stepwise = pos.half_effects or pos.routed & war.army[1 - pos.side]
    if not (stepwise or war.ground.marsh >> hex & 1 or found.is_close(hex)):
        cost, crossed = found.crossed(hex)
        if not is_news(war, pos, pos.side, crossed):
            # So far off, and past nothing that would hear of it, whichever way it takes.
            pay(pos, found.on, hex, Step(cost, False, False))
            yield from arrive(war, pos, hex, 0)
            rest(war, pos)
            return
    path, cost = found.way(hex, bool(pos.movers & war.artillery))
    if cost < 0 or stepwise:
        yield from walk(war, pos, found.on, path)
        return
    # Nothing happens on the way, so that it is paid for at once.
    on, steps = found.on, pairwise(path)
    near = pos.strides >= len(path) - 1 and all(
        cheapest(on.tactics, a, b, a == path[0] and not pos.under_way) for a, b in steps
    )
    halts = False
    if war.ground.marsh >> hex & 1:
        halts = step(on, path[-2], hex, len(path) == 2 and not pos.under_way, False).halts
    pos.strides -= len(path) - 2
    pay(pos, on, hex, Step(cost, halts, near))
    yield from arrive(war, pos, hex, mask_of(path[1:]))
    rest(war, pos)


def walk(war: War, pos: Table, on: Bounds, path: Sequence[int]) -> Procedure:
    """Hex by hex; where enemies give way the stack stops, and may go on otherwise (13.3.2d).

    Nothing else on the way changes what its steps cost: enemies stay where they are.
    """
    shaky = pos.routed & war.army[1 - pos.side]
    for here, hex in pairwise(path):
        made = step(on, here, hex, not pos.under_way, pos.strides > 0)
        if on.zone >> here & 1 and made.price >= 0:
            made = made._replace(price=made.price + toll(war, pos, on, here))
        if pos.half_effects:
            wear(war, pos, pos.movers, here, hex)
        pay(pos, on, hex, made)
        if shaky:
            yield from arrive(war, pos, hex, 1 << hex)
            if occupied(war, pos, 1 - pos.side) != on.enemies or not pos.movers:
                break
    if not shaky:
        yield from arrive(war, pos, path[-1], mask_of(path[1:]))
    rest(war, pos)


def arrive(war: War, pos: Table, hex: int, entered: Mask) -> Procedure:
    """The stack has come into a hex, through all that it has entered, with all that follows."""
    side, places = pos.side, pos.hex
    for unit in bits(pos.movers):
        places[unit] = hex
    if entered and is_news(war, pos, side, entered):
        yield from enter(war, pos, side, entered)
    if pos.routed & war.army[1 - side]:
        yield from scare(war, pos, hex, side)
        pos.movers &= those_in(war, pos, hex, side)  # 13.3.2d drives own units too


def rest(war: War, pos: Table) -> None:
    """The move is over where nothing is left to go on with."""
    spent = pos.points + pos.extra <= 0 and pos.strides <= 0
    if not pos.movers or pos.stopped or spent:
        put_down(war, pos)


class StackOrder(Order[War, Table]):
    """An order to the stack that moves, given to the first of its units."""

    when, rule = ON_THE_MOVE, "5.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0"
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "5.1d"
