"""Chapter 9: command points, and the commands that they buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Choice, Event, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..table.position import (
    AERIAL,
    ALLIED,
    ATTACK,
    COLUMN,
    FIGHT_MOVE,
    GERMAN,
    MOVE,
    MOVE_FIGHT,
    NO_ORDER,
    NOWHERE,
    ORDERS,
    OVERLAND,
    Table,
)
from ..table.war import SECOND_SS, US, War
from . import c08_endrun as endrun
from . import c09_air as airpower
from . import c09_rear as rear
from .c06_fog import LAY_ON_TOP, order_stacks
from .c06_stacking import overstacked, shed
from .c07_zones import crowd, force_in, is_mixed, mixed_stacks, on_map, port_hexes
from .c08_summons import entry_orders, is_shut_out
from .c09_points import may_end, spendable
from .c10_entry import is_corps_due
from .c11_supply import crossed_groups, net, status
from .c12_march import choose_movers, leg
from .c12_movement import is_hesitant, may_take, put_down
from .c13_battle import Fight, attackable, fight

END = done("end")
NO_STRIKE = done("no strike")


def pay(pos: Table, points: int) -> None:
    """9.1b: nobody spends what he does not have."""
    assert 0 <= points <= pos.points
    pos.points -= points


def command_phase(war: War, pos: Table) -> Procedure:
    """9.19: commands in any order, one after the other, each decided when it is given."""
    while True:
        if pos.order:
            yield from carry_on(war, pos)
        elif overstacked(war, pos):
            yield from shed(war, pos)
        elif pos.shuffled:
            yield from order_stacks(war, pos)
        elif pos.side == GERMAN and airpower.may_interrupt(war, pos):
            yield from airpower.interrupt(war, pos)  # 12.9d
        else:
            if pos.side == GERMAN and is_shut_out(war, pos):
                return
            chosen = yield Choice(
                pos.side,
                Later(lambda: menu(war, pos)),
                f"Give a command ({counted(pos.points, 'point')} left) or end your turn",
                rule("9.19"),
                checkpoint=True,
            )
            if chosen.verb == "end":
                break
            yield from command(war, pos, chosen)
    if pos.side == GERMAN:
        endrun.end_of_german_phase(pos)
    else:
        pos.restacked = 0


REAR = {
    order.verb: order
    for order in (
        *(*rear.GERMAN_ORDERS, *airpower.ALLIED_ORDERS),
        *(*endrun.ALLIED_ORDERS, *endrun.GERMAN_ORDERS),
    )
}


def command(war: War, pos: Table, chosen: Option) -> Procedure:
    """A command is given."""
    verb = chosen.verb
    if verb == "on top":
        LAY_ON_TOP.effect(war, pos, chosen)
        return
    pos.corps_named = True
    if verb == "name corps":
        pos.corps = force_in(war, pos, chosen.hex, ALLIED)
        yield Event("corps is named", hex=chosen.hex, rule=rule("6.5b"))
    elif verb in ORDERS:
        begin(war, pos, ORDERS[verb], chosen.hex)
    else:
        yield from REAR[verb].effect(war, pos, chosen)


class Ready(NamedTuple):
    """Where units are that have not acted yet: sets of hexes and boxes."""

    units: Mask
    fighters: Mask
    """Those with a division that may attack."""


def ready(war: War, pos: Table) -> Ready:
    """The stacks of the active side that can be given a command (9.18)."""
    acted, tame = pos.acted, war.supports | pos.rebuilt
    if pos.hex[war.airborne] == war.available:
        acted |= 1 << war.airborne  # 12.9a: it only drops
    units = fighters = 0
    for place, stack in crowd(war, pos, pos.side).stacks.items():
        idle = stack & ~acted
        if idle and place >= 0:
            units |= 1 << place
            if idle & ~tame:
                fighters |= 1 << place
    closed = 1 << war.end_run
    if not pos.army_entered:
        closed |= 1 << war.fifth  # 8.8d
    return Ready(units & ~closed, fighters & ~closed)


def menu(war: War, pos: Table) -> Menu:
    """All that the active side can do with its points."""
    return allied_menu(war, pos) if pos.side == ALLIED else german_menu(war, pos)


def allied_menu(war: War, pos: Table) -> Menu:
    """9.3 to 9.5, 9.9 to 9.13, 9.16, 8.15, 8.17; before all else the multi-national corps."""
    points = spendable(war, pos)
    parts: list[Sequence[Option]] = []
    mixed = 0 if pos.corps_named else mixed_stacks(war, pos)
    if mixed:
        parts.append(Over("name corps", mixed))
    parts.append(LAY_ON_TOP.menu(war, pos))
    if points > 0:
        stacks = ready(war, pos)
        parts += movements(war, pos, stacks, points)
        parts += attacks(war, pos, stacks, points)
    for orders in (rear.ALLIED_ORDERS, airpower.ALLIED_ORDERS, endrun.ALLIED_ORDERS):
        parts += [order.menu(war, pos) for order in orders]
    if may_end(pos):
        parts.append(END)
    return Menu(*parts)


def german_menu(war: War, pos: Table) -> Menu:
    """9.2, 9.4 to 9.8, 9.17, 8.16; but first the entries that Hitler has ordered (8.6, 8.8)."""
    points = pos.points
    if is_corps_due(war, pos):
        return Menu(entry_orders(war, pos, war.tenth))
    if pos.army_due:
        return Menu(entry_orders(war, pos, war.fifth))
    parts: list[Sequence[Option]] = []
    if points > 0:
        stacks = ready(war, pos)
        parts += movements(war, pos, stacks, points)
        parts += attacks(war, pos, stacks, points)
    parts += [order.menu(war, pos) for order in (*rear.GERMAN_ORDERS, *endrun.GERMAN_ORDERS)]
    return Menu(*parts, END)


def movements(war: War, pos: Table, stacks: Ready, points: int) -> list[Sequence[Option]]:
    """Regular moves, also in column (9.4, 12.7), and the German move-fight (9.6)."""
    prices = war.book.prices
    if points < prices.move:
        return []
    movable = stacks.units
    if pos.side == ALLIED:
        airlift = pos.airlift
        if airlift != NOWHERE and status(war, pos, airlift, ALLIED) == AERIAL:
            movable &= ~(1 << airlift)  # 11.7c
        if not port_hexes(war, pos):
            movable &= ~(1 << war.available)  # 12.6b
    parts: list[Sequence[Option]] = [Over("move", movable)]
    calm = steady(war, pos)
    marchable = movable & calm
    if pos.side == ALLIED:
        marchable &= ~(1 << war.available)  # 10.3c
        if is_hesitant(war, pos):
            quick = bits(war.grouped[US] & ~pos.acted)  # 5.5b
            marchable &= mask_of(pos.hex[unit] for unit in quick if on_map(war, pos, unit))
    elif points >= prices.move_fight and not pos.assaulted:
        parts.append(Over("move-fight", stacks.fighters & calm))
    if marchable:
        parts.append(Over("column", marchable))
    return parts


def steady(war: War, pos: Table) -> Mask:
    """Hexes in overland supply and in no enemy zone, and the boxes (9.6b, 10.2d, 12.7a)."""
    side = pos.side
    return net(war, pos, side) & ~crowd(war, pos, 1 - side).zone | war.boxes


def attacks(war: War, pos: Table, stacks: Ready, points: int) -> list[Sequence[Option]]:
    """Regular attacks (9.5), and the German fight-move (9.7)."""
    prices = war.book.prices
    if points < prices.attack:
        return []
    side = pos.side
    enemy = crowd(war, pos, 1 - side)
    targets = enemy.occupied
    if side == GERMAN:
        targets |= port_hexes(war, pos)  # 11.12
        if pos.special_forces:
            targets &= ~(1 << war.special_forces)
    fighters = stacks.fighters & war.lattice.cross(targets & ~pos.attacked, war.open)
    if not fighters:
        return []
    parts: list[Sequence[Option]] = [Over("attack", fighters)]
    if side == GERMAN and points >= prices.fight_move and not pos.assaulted:
        parts.append(Over("fight-move", fighters & net(war, pos, side) & enemy.zone))
    return parts


def begin(war: War, pos: Table, order: int, hex: int) -> None:
    """A stack is activated; its supply is judged now, for the whole command (11.2a)."""
    side = pos.side
    pay(pos, war.price[order])
    pos.order, pos.origin = order, hex
    units = force_in(war, pos, hex, side) & ~pos.acted
    if order in (ATTACK, MOVE_FIGHT, FIGHT_MOVE):
        units &= ~pos.rebuilt  # 9.17d: only a regular move
    if order in (MOVE_FIGHT, FIGHT_MOVE):
        pos.assaulted = True
    if war.bit[hex]:
        pos.force = units
        pos.acted |= units  # 9.4d
        if side == GERMAN and order in (MOVE, COLUMN):
            pos.marched |= units
        pos.supply = status(war, pos, hex, side)
        if side == ALLIED:
            pos.mixed = is_mixed(war, pos, hex)
            pos.crossed = crossed_groups(war, pos, hex)
    elif side == ALLIED:
        units &= ~(1 << war.airborne)
    elif is_corps_due(war, pos):
        units &= war.grouped[SECOND_SS]
    if order in (MOVE, COLUMN, MOVE_FIGHT):
        pos.waiting = units


def finish(war: War, pos: Table) -> None:
    """The command is carried out."""
    put_down(pos)
    pos.order, pos.origin, pos.supply = NO_ORDER, NOWHERE, OVERLAND
    pos.force = pos.waiting = pos.crossed = 0
    pos.mixed = pos.fought = pos.drop_asked = False
    if pos.army_due and not force_in(war, pos, war.fifth, GERMAN):
        pos.army_due = False


def carry_on(war: War, pos: Table) -> Procedure:
    """The next step of the command under way."""
    if pos.order in (ATTACK, FIGHT_MOVE) and not pos.fought:
        yield from assault(war, pos)
    elif pos.movers:
        yield from leg(war, pos)
    elif may_take(war, pos):
        yield from choose_movers(war, pos)
    elif pos.order == MOVE_FIGHT:
        yield from strike(war, pos)
    else:
        finish(war, pos)


def assault(war: War, pos: Table) -> Procedure:
    """9.5, 9.7: one hex is attacked; a fight-move that takes it whole goes on moving."""
    chosen = yield Choice(
        pos.side,
        Later(lambda: Over("target", attackable(war, pos, pos.origin, pos.side))),
        "Which hex do you attack?",
        rule("9.5a"),
        checkpoint=True,
    )
    won = yield from engage(war, pos, chosen.hex)
    if pos.order == FIGHT_MOVE and won:
        survivors = pos.force & force_in(war, pos, chosen.hex, pos.side)
        pos.fought = True
        pos.origin, pos.force, pos.waiting = chosen.hex, survivors, survivors
    else:
        finish(war, pos)


def engage(war: War, pos: Table, target: int) -> Fight:
    """The battle for a hex, which may be attacked only once in a phase (13.1b)."""
    pos.target = target
    pos.attacked |= 1 << target
    return (yield from fight(war, pos))


def strike(war: War, pos: Table) -> Procedure:
    """9.6c: units that moved together, and are together now, attack at once (9.6e)."""
    options = strikes(war, pos)
    if not options:
        finish(war, pos)
        return
    chosen = yield Choice(
        pos.side,
        Later(lambda: Menu(options, NO_STRIKE)),
        "Does the move-fight attack now?",
        rule("9.6c"),
        checkpoint=True,
    )
    if chosen.verb == "strike with":
        lead: int = chosen.unit
        pos.origin = pos.hex[lead]
        pos.force &= force_in(war, pos, pos.origin, pos.side)
        yield from engage(war, pos, chosen.hex)
    finish(war, pos)


def strikes(war: War, pos: Table) -> list[Option]:
    """The attacks that a move-fight can end with: a division names its stack, and the target."""
    fighters = [unit for unit in bits(pos.force & ~war.supports) if war.bit[pos.hex[unit]]]
    leads = {pos.hex[unit]: unit for unit in reversed(fighters)}
    return [
        Option("strike with", unit, target)
        for hex, unit in sorted(leads.items())
        for target in bits(attackable(war, pos, hex, pos.side))
    ]
