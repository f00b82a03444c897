"""Chapter 15: the Breakthrough Group, which fights once more during its advance."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask, what_stays
from apennine.mechanics.asking import while_possible

from ..table.position import NOBODY, NOWHERE, Table
from ..table.war import War
from .c02_pieces import occupied, there, those_in
from .c04_stacking import correct_stacking, crowded, fits, load
from .c08_declaration import appoint
from .c08_odds import BREAKTHROUGH, can_fight, may_attack
from .c10_results import Verdict, resolve
from .c14_strides import FAR, ground_bars, limit, must_stop, stride, strides

FORMING = "A Breakthrough Group is formed from attackers that may advance two hexes"
MOVING = "A Breakthrough Group advances before the other attackers do"
SET_OUT = Plain("set out", FORMING, "15.2.1a")
STOP = Plain("stop", MOVING, "15.2.1a")


def breakthrough(war: War, pos: Table) -> Procedure:
    """15.2.1: one stack is the group; it advances and fights before the others advance.

    A phase that is taken up again may find it led already, or at its end.
    """
    if pos.limited or pos.advance < FAR - 1 or has_ended(pos):  # 15.1a
        return
    if not pos.strides_left:
        pos.pushed = False
        prompt = "Name the units of a Breakthrough Group"
        orders = Spearhead(), TurnRound()
        asked = prompt, rule("15.2.1a"), *orders
        yield from while_possible(SET_OUT, war, pos, *asked, checkpoint=True)
        pos.strides_left = pos.advance - 1  # 15.2.3, 15.2.5
    prompt = "Lead the Breakthrough Group"
    orders = BreakThrough(), Push(), DropOff()
    yield from while_possible(STOP, war, pos, prompt, rule("15.2.1a"), *orders, checkpoint=True)
    pos.group, pos.strides_left, pos.halted = 0, 0, True


def has_ended(pos: Table) -> bool:
    """Whether the group of this advance is as far as it comes, and the others follow."""
    return pos.halted and not pos.group


def place_of(pos: Table) -> int:
    """The hex of the group, NOWHERE if there is none."""
    return pos.hex[first_bit(pos.group)] if pos.group else NOWHERE


def used(pos: Table) -> int:
    """The hexes that the group has spent, on turning round too."""
    return pos.advance - pos.strides_left


def fresh(pos: Table) -> Bars:
    """The bars on a unit that is to join the group."""
    yield pos.advancers | pos.group, "{unit} has no advance to make", "15.2.2b"
    yield ~pos.group, "{unit} is in the Breakthrough Group already", "15.2.3"


class Spearhead(Order[War, Table]):
    """15.2.3: a unit joins the group in the vacated hex, for one hex of its advance."""

    verb, names = "spearhead", (UNIT,)
    when, rule = FORMING, "15.2.3"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from fresh(pos)
        here = place_of(pos)
        formed = here in (NOWHERE, pos.vacated)
        yield formed, "The Breakthrough Group has turned round", "15.2.2a"
        yield _with_far(war, pos, FAR - 1), "{unit} may not advance two hexes", "15.1a"
        yield from entering(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        _join(pos, option.unit)
        yield from stride(war, pos, option.unit, pos.vacated)
        yield Event("advances", option.unit, pos.hex[option.unit], rule=rule("15.2.3"))


def entering(war: War, pos: Table) -> Bars:
    """The bars on a unit that goes into the vacated hex with its first step."""
    into, here = 1 << pos.vacated, those_in(war, pos, pos.vacated, pos.side)
    free = room = 0
    for unit in bits(pos.advancers):
        if what_stays(strides(war, pos, unit, pos.hex[unit], 0)) & into:
            free |= 1 << unit
            room |= fits(war, pos, here | 1 << unit) << unit
    yield free, "{unit} may not enter the hex", "14.5a"
    yield room, "There is no room for {unit} in the hex", "14.1c"


class TurnRound(Order[War, Table]):
    """15.2.5: a unit is of a group that stays out of the vacated hex, which costs it one hex."""

    verb, names = "turn round", (UNIT,)
    when, rule = FORMING, "15.2.5"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from fresh(pos)
        # It must turn, go a hex, and have one for the fight.
        far = "{unit} could not turn round, advance and fight within its advance"
        yield _with_far(war, pos, FAR), far, "15.2.5"
        here = place_of(pos)
        stack = -1 if here == NOWHERE else those_in(war, pos, here, pos.side)
        yield stack, "{unit} is not in the hex of the Breakthrough Group", "15.2.2a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        _join(pos, option.unit)


def _join(pos: Table, unit: int) -> None:
    pos.group |= 1 << unit
    pos.advancers &= ~(1 << unit)


def _with_far(war: War, pos: Table, hexes: int) -> Mask:
    """The units that may still advance, and so many hexes."""
    return sum([1 << u for u in bits(pos.advancers) if limit(war, pos, u) >= hexes])


class Push(Order[War, Table]):
    """15.2.1: the group goes one hex on."""

    verb, names = "push", (HEX,)
    when, rule = MOVING, "15.2.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.group > 0, "There is no Breakthrough Group", "15.2.2a"
        yield pos.strides_left > 0, "The Breakthrough Group has no hexes left", "14.2.1"
        yield not pos.halted, "The Breakthrough Group has had to stop", "14.4.1b"
        here, spent = place_of(pos), used(pos)
        for unit in bits(pos.group):
            yield limit(war, pos, unit) > spent, "Not all of it may advance so far", "14.2.2"
            yield from strides(war, pos, unit, here, spent)
        full = crowded(war, pos, pos.side, pos.group, war.ground.beside[here])
        if pos.strides_left > 1:
            last = [hex for hex in bits(full) if self._stops(war, pos, here, hex)]
            full = sum([1 << hex for hex in last])
        yield ~full, "There is no room in {hex} for the Breakthrough Group", "14.1c"

    def _stops(self, war: War, pos: Table, here: int, hex: int) -> bool:
        return any(must_stop(war, pos, unit, here, hex) for unit in bits(pos.group))

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        here, hex = place_of(pos), option.hex
        pos.halted = self._stops(war, pos, here, hex)
        pos.strides_left -= 1
        pos.pushed = True
        for unit in bits(pos.group):
            yield from stride(war, pos, unit, hex)
            yield Event("advances", unit, hex, rule=rule("15.2.1a"))


class DropOff(Order[War, Table]):
    """15.2.4: a unit stays behind and ends its advance."""

    verb, names = "drop off", (UNIT,)
    when, rule = MOVING, "15.2.4"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.group, "{unit} is not in the Breakthrough Group", "15.2.4"
        more = pos.group & pos.group - 1 > 0
        yield more, "{unit} is all of the Breakthrough Group", "15.2.4"
        yield pos.strides_left > 0, "The Breakthrough Group goes no farther", "15.2.4"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.group &= ~(1 << option.unit)


class BreakThrough(Order[War, Table]):
    """15.2.6: the group attacks a hex that it has moved next to, for one hex of its advance."""

    verb, names = "break through", (HEX,)
    when, rule = MOVING, "15.2.6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.group > 0, "There is no Breakthrough Group", "15.2.2a"
        here, spent = place_of(pos), used(pos)
        yield war.ground.beside[here], "{hex} is not next to the Breakthrough Group", "15.2.6a"
        yield occupied(war, pos, 1 - pos.side), "No enemy is in {hex}", "15.2.6a"
        moved = pos.pushed or here == pos.vacated
        yield moved, "The Breakthrough Group must have moved next to the enemy", "15.2.6a"
        yield pos.strides_left > 0, "The Breakthrough Group has no hex left for it", "15.2.6d"
        tracked = war.lattice.cross(1 << here, war.ground.tracked)
        along = "Over mountains and rivers only a road or a pass leads to {hex}"
        yield tracked, along, "15.2.6c"
        for unit in bits(pos.group):
            yield limit(war, pos, unit) > spent, "Not all of it may advance so far", "15.2.6d"
            yield from ground_bars(war, pos, unit, here, spent)
        strong = 0
        for hex in bits(war.ground.beside[here] & occupied(war, pos, 1 - pos.side)):
            attackers = _attackers(war, pos, hex)
            strong |= can_fight(war, pos, BREAKTHROUGH, hex, attackers) << hex
        yield strong, "The odds against {hex} would be worse than 1-3", "8.3.2a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return breakthrough_combat(war, pos, option.hex)


def _attackers(war: War, pos: Table, hex: int) -> Mask:
    """Those of the group who may attack a hex; they have done so before (15.1b)."""
    before, pos.attackers = pos.attackers, 0
    found = may_attack(war, pos, hex, BREAKTHROUGH)
    pos.attackers = before
    return found


def breakthrough_combat(war: War, pos: Table, hex: int) -> Procedure:
    """15.2.7: a battle within the advance. Won, the group may enter the hex; it ends the advance.

    Lost, it ends where it attacked from (15.2.8).
    """
    yield from correct_stacking(war, pos, 1 << place_of(pos))  # 4.4b
    attackers = _attackers(war, pos, hex)
    pos.outer = ((pos.vacated, pos.attackers, pos.main, pos.advance, 0, pos.advancers),)
    attached, pos.attached = pos.attached, 0
    pos.target, pos.attackers, pos.main = hex, attackers, NOBODY
    pos.strides_left = 0
    yield Event("breaks through", first_bit(pos.group), hex, rule=rule("15.2.6a"))
    yield from appoint(war, pos, BREAKTHROUGH)
    yield from leave_out(war, pos)
    verdict = yield from resolve(war, pos, BREAKTHROUGH)
    pos.excess = 0
    yield from enter_for_free(war, pos, verdict)
    ((pos.vacated, pos.attackers, pos.main, pos.advance, _, pos.advancers),) = pos.outer
    pos.target, pos.attached, pos.limited, pos.outer = pos.vacated, attached, False, ()


def enter_for_free(war: War, pos: Table, verdict: Verdict) -> Procedure:
    """15.2.1c: units of the group go into the hex that the defender has lost, and stop."""
    if not verdict.vacated:
        return
    pos.vacated, pos.advance, pos.limited = pos.target, 1, True
    pos.advancers = pos.group & there(war, pos, pos.side).units
    prompt = f"Enter {war.board.code(pos.target)}?"
    yield from while_possible(STOP, war, pos, prompt, rule("15.2.1c"), EnterHex())


class EnterHex(Order[War, Table]):
    """15.2.1c: a unit of a group that has won goes into the hex."""

    verb, names = "enter", (UNIT,)
    when, rule = "A Breakthrough Group that has won may enter the hex that it attacked", "15.2.1c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.advancers, "{unit} is not of the group, or has entered already", "15.2.1c"
        yield from entering(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.advancers &= ~(1 << option.unit)
        yield from stride(war, pos, option.unit, pos.vacated)
        yield Event("advances", option.unit, pos.hex[option.unit], rule=rule("15.2.1c"))


def leave_out(war: War, pos: Table) -> Procedure:
    """15.3b: of defenders over the stacking limit, their owner says who does not count."""
    side = 1 - pos.side
    while not fits(war, pos, those_in(war, pos, pos.target, side) & ~pos.excess):
        prompt = "Name a unit over the stacking limit that does not count in the defence"
        yield from ask(war, pos, prompt, rule("15.3b"), LeaveOut(), side=side)


@dataclass(slots=True)
class LeaveOut(Order[War, Table]):
    """15.3b: a unit in excess of the stacking limit adds nothing to the defence."""

    verb, names = "leave out", (UNIT,)
    when, rule = "Units over the stacking limit are left out of a Breakthrough Combat", "15.3b"

    def bars(self, war: War, pos: Table) -> Bars:
        here = those_in(war, pos, pos.target, 1 - pos.side)
        yield here, "{unit} does not defend the hex", "15.3b"
        yield ~pos.excess, "{unit} is left out already", "15.3b"
        left = here & ~pos.excess
        whole = load(war, pos, left)
        idle = [u for u in bits(left) if load(war, pos, left & ~(1 << u)) == whole]
        yield ~sum(1 << u for u in idle), "Without {unit} the stack would count no less", "15.3b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.excess |= 1 << option.unit
