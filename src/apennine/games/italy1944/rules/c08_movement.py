"""Chapter 8: movement and mobile attacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Among, Each, Option, Over, Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.phrases import MOVED, ON_THE_MOVE, PICKED_UP, counted
from apennine.mechanics.reach import reach

from ..table.data import STACK
from ..table.position import ALLIED, NOWHERE, Table
from ..table.war import War
from .c04_zones import (
    controlled,
    enter,
    in_the_field,
    occupied,
    there,
    those_in,
    units_in,
)
from .c05_stacking import at_least, full
from .c06_logistics import allowance
from .c08_march import March, find_march
from .c09_combat import battle

MOBILE_POINTS = 2
"""Points that a mobile attack costs beyond those of the hex (8.2c)."""

END = Plain("end movement", MOVED, "8a")


def movement_phase(war: War, pos: Table) -> Procedure:
    """8: the active side moves its stacks one after the other, leg by leg."""
    prompt = "Move a unit or stack, or end your movement"
    while True:
        if not pos.movers:
            chosen = yield from ask(war, pos, prompt, "8a", MOVE, END, checkpoint=True)
            if chosen.verb == END.verb:
                return
        legs = Go(None if pos.stopped else march(war, pos)), MOBILE_ATTACK, TAKE_ALONG, HALT
        where = f"Where does {stack_name(war, pos)} go?"
        yield from ask(war, pos, where, "8b", *legs, checkpoint=True)


class Move(Order[War, Table]):
    """8a: a unit that has not moved in this turn is picked up."""

    verb, names = "move", (UNIT,)
    when, rule, opens = PICKED_UP, "8a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield ~pos.moved, "{unit} has moved in this turn", "8a"

    def menu(self, war: War, pos: Table) -> Each:
        return Each(self.verb, unmoved(war, pos))

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


def unmoved(war: War, pos: Table) -> Mask:
    """The units that have not moved in this turn."""
    return there(war, pos, pos.side).units & ~pos.moved


def pick_up(war: War, pos: Table, unit: int) -> None:
    """A unit begins its move, or joins a stack that does (8d: the slowest sets the pace)."""
    first = not pos.movers
    points = allowance(war, pos, unit)
    pos.points = points if first else min(pos.points, points)
    pos.movers |= 1 << unit
    pos.moved |= 1 << unit
    pos.extra = pos.points if may_march(war, pos) else 0


def put_down(pos: Table) -> None:
    """The move is over; what never left its hex has not moved (8f)."""
    if not pos.under_way:
        pos.moved &= ~pos.movers
    pos.movers = pos.points = pos.extra = 0
    pos.under_way = pos.stopped = False


def may_march(war: War, pos: Table) -> bool:
    """8.3a, 8.3d: Allied units that do not start next to an enemy may move operationally."""
    if pos.side != ALLIED or pos.landed & pos.movers:  # 11Lf
        return False
    here = stack_hex(pos)
    return not war.beside[here] & occupied(war, pos, 1 - pos.side)


def stack_hex(pos: Table) -> int:
    """Where the moving stack is."""
    return pos.hex[first_bit(pos.movers)]


def march(war: War, pos: Table) -> March:
    """Where the moving stack can go from here."""
    side, movers = pos.side, pos.movers
    return find_march(
        war,
        war.costs(paces_of(war, movers)),
        stack_hex(pos),
        pos.points,
        pos.extra,
        not pos.under_way,
        controlled(war, pos, side),
        occupied(war, pos, 1 - side),
        at_least(war, pos, side, STACK + 1 - movers.bit_count()),
    )


def march_of(war: War, pos: Table, unit: int, crowded: Mask = 0) -> March:
    """Where a unit could go if its move began now, be it its side's turn or not."""
    side, points, asked = war.side_of[unit], allowance(war, pos, unit), pos.copy()
    asked.side, asked.movers = side, 1 << unit
    own, enemy = controlled(war, pos, side), occupied(war, pos, 1 - side)
    costs, extra = war.costs(war.pace[unit]), points if may_march(war, asked) else 0
    return find_march(war, costs, pos.hex[unit], points, extra, True, own, enemy, crowded)


def paces_of(war: War, movers: Mask) -> int:
    """The ways in which the units of a stack pay for terrain."""
    if not movers & movers - 1:
        return war.pace[first_bit(movers)]
    paces = 0
    for unit in bits(movers):
        paces |= war.pace[unit]
    return paces


def stack_name(war: War, pos: Table) -> str:
    """The moving units by name."""
    movers, names = pos.movers, war.names
    if not movers & movers - 1:
        return names[first_bit(movers)]
    return ", ".join([names[u] for u in bits(movers)])


class StackOrder(Order[War, Table]):
    """An order to the stack that moves, given to the first of its units."""

    when, rule = ON_THE_MOVE, "8a"

    def bars(self, war: War, pos: Table) -> Bars:
        lead = first_bit(pos.movers)
        yield war.army[pos.side], "{unit} belongs to the other side", "3a"
        yield 1 << lead, f"{war.names[lead]} leads the stack that moves, not {{unit}}", "8d"


@dataclass(slots=True)
class Go(StackOrder):
    """4.1, 8: the stack goes to a hex within reach, unless it had to stop."""

    found: March | None

    verb, names = "go", (UNIT, HEX)
    implied = (UNIT,)

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ~(1 << pos.hex[first]), "{movers are} in {hex} already, and may halt", "8a"
        found = self.found
        stop = "{movers have} entered an enemy zone of control and must stop"
        yield found is not None, stop, "4.1a"
        ends = found.ends if found else 0
        yield ends, self._out_of_reach(war, pos, pos.hex[first], ends)

    def _out_of_reach(self, war: War, pos: Table, here: int, ends: Mask) -> Bars:
        side, fresh = pos.side, not pos.under_way
        enemy, code = occupied(war, pos, 1 - side), war.board.code(here)
        yield war.land, "{hex} is no ground of this campaign", "8e"
        yield ~enemy, "The enemy holds {hex}", "8e"
        crowded = full(war, pos, side, pos.movers.bit_count())
        yield ~crowded, "{hex} would hold more than four units", "5a"
        beside, zone = war.lattice.ring(here, 1) & ~ends, war.zone(enemy)
        water = f"Water lies between {code} and {{hex}}, and no way within reach leads round it"
        yield ~beside | war.beside[here], water, "8.4b"
        both = f"Both {code} and {{hex}} are in enemy zones of control"
        close = beside & zone if zone >> here & 1 else 0
        yield ~close, f"{both}, and no step leads from one to another", "4.1c"
        costs, points = war.costs(paces_of(war, pos.movers)), pos.points + pos.extra
        free = partial(reach, costs, here, points, fresh=fresh, area=controlled(war, pos, side))
        past = free(blocked=enemy, stops=zone, apart=zone)
        near = "{hex} is next to an enemy, and only operational movement leads that far"
        yield ~(past.ends & zone) | ends if pos.extra else True, near, "8.3a"
        far = free(minimum=fresh).ends
        yield far | ends, f"{{hex}} is too far for {counted(points / war.scale, 'point')}", "8a"
        yield 0, "Enemies and their zones of control bar every way to {hex} within reach", "4.1a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Over(self.verb, self.found.ends if self.found else 0, first_bit(pos.movers))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        """Hex by hex to the one named; the stack may go on from there if nothing stops it."""
        assert self.found
        found, to = self.found, option.hex
        way = way_to(war, pos, found, to)
        pos.points -= found.cost(to)
        for unit in bits(pos.movers):
            pos.hex[unit] = to
        pos.under_way = True
        yield from enter(war, pos, pos.side, way)
        if found.zone >> to & 1:
            pos.stopped, pos.extra = True, 0
        over = pos.stopped or pos.points + pos.extra <= 0
        if over and not mobile_targets(war, pos):
            put_down(pos)


class MobileAttack(StackOrder):
    """8.2: a battle on the move."""

    verb, names, link = "mobile attack", (UNIT, HEX), "on"
    implied = (UNIT,)
    when, rule = "A stack picked up in the movement phase makes mobile attacks", "8.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        tracks, fed = not pos.movers & ~war.tracks, not pos.movers & pos.cut
        yield tracks, "Only armoured and mechanised units attack on the move", "8.2a"
        yield fed, "Units out of supply do not attack on the move", "6.3d"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        enemy, near = occupied(war, pos, 1 - pos.side), war.beside[pos.hex[first]]
        yield enemy, "There is no enemy in {hex}", "8.2c"
        yield near, "{hex} is not next to the moving stack", "8.2c"
        left = f"and the stack has {max(pos.points, 0) / war.scale:g} left"
        for hex in bits(enemy & near):
            price = mobile_price(war, pos, hex)
            cost = f"An attack on {{hex}} costs {counted(price / war.scale, 'point')}"
            yield price <= pos.points or ~(1 << hex), f"{cost}, {left}", "8.2c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Over(self.verb, mobile_targets(war, pos), first_bit(pos.movers))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        """8.2f: with support like any battle, and no breakthrough, whatever the excess (8.2g).

        If it empties the hex the stack goes in and may go on (8.2e, 8.2h, 8.2k). Its units do not
        attack again in the combat phase (8.2j).
        """
        hex = option.hex
        pos.points -= mobile_price(war, pos, hex)
        pos.under_way, pos.extra = True, 0
        pos.target, pos.attackers = hex, pos.movers
        yield from battle(war, pos)
        pos.target, pos.attackers = NOWHERE, 0
        pos.movers &= there(war, pos, pos.side).units
        if not pos.movers or units_in(war, pos, hex, 1 - pos.side):
            put_down(pos)
            return
        for unit in bits(pos.movers):
            pos.hex[unit] = hex
        pos.stopped = False  # 8.2i
        yield from enter(war, pos, pos.side, 1 << hex)


class TakeAlong(Order[War, Table]):
    """5a, 8d: a unit of the same hex joins the stack before that leaves."""

    verb, names = "take along", (UNIT,)
    when, rule = ON_THE_MOVE, "8d"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield not pos.under_way, "The stack is on its way already", "8d"
        here = those_in(war, pos, stack_hex(pos), pos.side)
        yield here, "{unit} is not in the hex of the moving stack", "8d"
        yield ~pos.movers, "{unit} moves with the stack already", "8d"
        yield ~pos.moved, "{unit} has moved in this turn", "8a"
        yield pos.movers.bit_count() < STACK, "No more than four units move as a stack", "5a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        count, hex, side = pos.movers.bit_count(), stack_hex(pos), pos.side
        full_or_alone = count >= STACK or not at_least(war, pos, side, count + 1) >> hex & 1
        if pos.under_way or full_or_alone:
            return ()
        here = units_in(war, pos, hex, side)
        return Among(self.verb, [u for u in here if not pos.moved >> u & 1])

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pick_up(war, pos, option.unit)


class Halt(StackOrder):
    """8a: the stack moves no farther."""

    verb, names = "halt", (UNIT,)
    implied = (UNIT,)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return (Option(self.verb, first_bit(pos.movers)),)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put_down(pos)


MOVE, MOBILE_ATTACK, TAKE_ALONG, HALT = Move(), MobileAttack(), TakeAlong(), Halt()


def way_to(war: War, pos: Table, found: March, to: int) -> Mask:
    """The hexes that the stack comes through.

    Where all that it could come through is the side's own, with no marker of the enemy beside it,
    the way there makes no difference and need not be found.
    """
    enemy = 1 - pos.side
    reached = found.on_the_way(to)
    if not reached & ~controlled(war, pos, pos.side):
        beside = war.zone(reached)
        bit, markers = war.ground.bit, pos.beaches if enemy == ALLIED else ()
        if not beside & bit[pos.centre[enemy]] | sum([beside & bit[hex] for hex in markers]):
            return 1 << to
    return mask_of(found.path(to)[1:])


def mobile_targets(war: War, pos: Table) -> Mask:
    """8.2a to 8.2c: enemies next to a stack of tracks in supply that has the points.

    Its units have begun the phase together, for only such can be taken along.
    """
    movers = pos.movers
    if movers & ~war.tracks or movers & pos.cut:  # 6.3d
        return 0
    here = stack_hex(pos)
    near = war.beside[here] & occupied(war, pos, 1 - pos.side)
    mask = 0
    for hex in bits(near):
        if mobile_price(war, pos, hex) <= pos.points:
            mask |= 1 << hex
    return mask


def mobile_price(war: War, pos: Table, hex: int) -> int:
    """8.2c: the cost of the hex and 2 points, in ticks."""
    paces = paces_of(war, pos.movers)
    return war.price(paces, stack_hex(pos), hex) + MOBILE_POINTS * war.scale
