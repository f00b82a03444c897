"""Chapter 9: the command phase, in which points buy commands (9.1, 9.19)."""

from __future__ import annotations

from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, Asking, Bars, Order, ask
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, ATTACK, FIGHT_MOVE, GERMAN, MOVE_FIGHT, Table
from ..table.war import GB, US, War
from . import c08_endrun as endrun
from . import c09_air as airpower
from . import c09_rear as rear
from .c06_fog import LAY_ON_TOP, order_stacks
from .c06_stacking import overstacked, shed
from .c07_zones import there, those_in
from .c08_summons import ENTRIES, is_shut_out, summoned
from .c09_activation import COLUMN_COMMAND, MOVE_COMMAND, choose_movers, finish
from .c09_activation import begin as begin
from .c09_assaults import ATTACK_COMMAND, FIGHT_MOVE_COMMAND, MOVE_FIGHT_COMMAND, assault, strike
from .c09_points import may_end
from .c12_march import leg
from .c12_movement import may_take


class NameCorps(Order[War, Table]):
    """6.5b: one stack of both groups is the multi-national corps, which works together.

    It is an option of the first menu and no question of its own, which would tell the German
    that there is such a stack (6.9b).
    """

    verb, names, opens = "name corps", (HEX,), True
    when, rule = "The Allies name a multi-national corps before their first command", "6.5b"

    def bars(self, war: War, pos: Table) -> Bars:
        late = "The multi-national corps is named before the first command of the phase"
        yield not pos.corps_named, late, "6.5b"
        apart = "US and British units must be together in {hex} to be the multi-national corps"
        groups = there(war, pos, ALLIED).groups
        yield groups[US] & groups[GB], apart, "6.5b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.corps = those_in(war, pos, option.hex, ALLIED)
        yield Event("corps is named", hex=option.hex, rule="6.5b")


class End(Order[War, Table]):
    """No more commands are given: points that are left are lost (9.1a)."""

    verb = "end"
    when, rule, opens = "A side ends its turn when it is asked for a command", "9.19", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield may_end(pos), "Roll for the end-run before you end your turn", "8.17a"


ENDED = (Option("end"),)
NAME_CORPS, END = NameCorps(), End()
ALLIED_ORDERS = (
    *(NAME_CORPS, LAY_ON_TOP, MOVE_COMMAND, COLUMN_COMMAND, ATTACK_COMMAND),
    *(*rear.ALLIED_ORDERS, *airpower.ALLIED_ORDERS, *endrun.ALLIED_ORDERS, END),
)
GERMAN_ORDERS = (
    *(MOVE_COMMAND, MOVE_FIGHT_COMMAND, COLUMN_COMMAND, ATTACK_COMMAND, FIGHT_MOVE_COMMAND),
    *(*rear.GERMAN_ORDERS, *endrun.GERMAN_ORDERS, END),
)


def command_phase(war: War, pos: Table) -> Procedure:
    """9.19: commands in any order, one after the other, each decided when it is given."""
    while True:
        if pos.order:
            yield from carry_on(war, pos) or ()
        elif overstacked(war, pos):
            yield from shed(war, pos)
        elif pos.shuffled:
            yield from order_stacks(war, pos)
        elif pos.side == GERMAN and airpower.may_interrupt(war, pos):
            yield from airpower.interrupt(war, pos)  # 12.9d
        else:
            name, orders = "", ALLIED_ORDERS if pos.side == ALLIED else GERMAN_ORDERS
            if pos.side == GERMAN and (name := summoned(war, pos)):
                if is_shut_out(war, pos):
                    return
                orders = ENTRIES  # before all else (8.6, 8.8)
            points = f"({counted(pos.points, 'point')} left)"
            prompt = f"Give a command {points} or end your turn"
            if name:
                prompt = f"Bring {name} onto the map, before all else {points}"
            chosen = yield from ask(war, pos, prompt, "9.19", *orders, checkpoint=True)
            if chosen.verb == "end":
                break
            if chosen.verb != LAY_ON_TOP.verb:
                pos.corps_named = True
    if pos.side == GERMAN:
        endrun.end_of_german_phase(pos)
    else:
        pos.restacked = 0


def carry_on(war: War, pos: Table) -> Procedure | Asking | None:
    """The next step of the command under way; none if that was all."""
    if pos.order in (ATTACK, FIGHT_MOVE) and not pos.fought:
        return assault(war, pos)
    if pos.movers:
        return leg(war, pos)
    if units := may_take(war, pos):
        return choose_movers(war, pos, units)
    return strike(war, pos) if pos.order == MOVE_FIGHT else finish(war, pos)
