"""Chapter 13: a battle in its nine steps (13.2)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import DIE, SIDES
from ..table.position import ALLIED, GERMAN, NOWHERE, OVERLAND, Table
from ..table.war import War
from .c07_zones import force_in, is_mixed, lose_port, next_to, occupied, place, port_hexes, settle
from .c09_points import kept
from .c11_supply import status
from .c13_fire import (
    attack_edge,
    cover,
    defensive_volley,
    is_silent,
    offensive_volley,
    shoot,
    standing,
    targets,
    volley,
)
from .c13_losses import lose_step, revive
from .c13_retreat import advance, advancers, can_retreat, retreat

Fight = Generator[Choice | Roll | Event, Any, bool]
"""A part of a battle that ends with an answer."""

BREAK_OFF, FIGHT_ON = Option("break off"), Option("fight on")
RETREAT, STAND = Option("retreat"), Option("stand")
AIR, NO_AIR = Option("air support"), Option("no air support")
CEASE_FIRE = Option("cease fire")


def attackable(war: War, pos: Table, hex: int, side: int) -> Mask:
    """The hexes that a stack in this one may attack (13.1).

    Not twice in a phase (13.1b), not over sea or lake (13.1c). A German may also attack a port
    marker that nobody guards (11.12), but never the hex of the special forces (3.6d).
    """
    enemies = occupied(war, pos, 1 - side)
    if side == GERMAN:
        enemies |= port_hexes(war, pos)
        if pos.special_forces:
            enemies &= ~(1 << war.special_forces)
    return next_to(war, hex) & enemies & ~pos.attacked


def fight(war: War, pos: Table) -> Fight:
    """The attack on `pos.target` that `pos.force` has been ordered to make from `pos.origin`.

    Returns whether all survivors of that force have advanced: those left out forfeit the move of
    a fight-move command (9.7c, 9.7e).
    """
    yield from muster(war, pos)
    if occupied(war, pos, 1 - pos.side) >> pos.target & 1:
        yield from deploy(war, pos)
        beaten = yield from exchange_fire(war, pos)
        if beaten:
            yield from advance(war, pos)
    else:
        yield from seize_port(war, pos)
    left = standing(pos, pos.force)
    won = bool(left) and all(pos.hex[unit] == pos.target for unit in left)
    clear_board(pos)
    return won


def clear_board(pos: Table) -> None:
    """13.2/7: everything is taken off the Battle Board."""
    pos.target = NOWHERE
    pos.attackers = pos.defenders = pos.retreating = pos.advanced = 0
    pos.air_support = pos.rubble = -1
    pos.bomber = pos.extra_hit = pos.defence_mixed = False
    pos.defence_supply = OVERLAND
    pos.volley, pos.hits = [], []


# Step one: combat deployment


def muster(war: War, pos: Table) -> Procedure:
    """13.2/1: the attacker names who takes part, and pays for heavy bombers if he wants them."""
    while True:
        chosen = yield Choice(
            pos.side,
            Later(lambda: muster_menu(war, pos)),
            f"Who attacks {war.board.code(pos.target)}?",
            rule("13.2/1a"),
        )
        if chosen.verb == "fight":
            return
        if chosen.verb == "send bombers":
            pos.points -= war.book.prices.bombers
            pos.bomber = pos.bombed = True
            yield Event("heavy bombers fly", hex=pos.target, rule=rule("13.6a"))
        else:
            pos.attackers |= 1 << chosen.unit


def muster_menu(war: War, pos: Table) -> Sequence[Option]:
    """Those who can still join, the bombers, and the order to fight once a division has joined."""
    target = pos.target
    menu = Menu(Among("attack with", recruits(war, pos), target))
    if not pos.attackers & ~war.supports:  # 13.5b
        return menu
    bombers = [Option("send bombers", hex=target)] if may_bomb(war, pos) else []
    return Menu(menu, bombers, [Option("fight", hex=target)])


def recruits(war: War, pos: Table) -> list[int]:
    """The units of the force that may join the attack.

    US and British units attack together only from a port or as the multi-national corps (6.5d).
    """
    waiting = pos.force & ~pos.attackers
    if not pos.mixed:
        return list(bits(waiting))
    if pos.attackers:
        return list(bits(waiting & war.grouped[war.group[first_bit(pos.attackers)]]))
    able = pos.force & ~war.supports
    return [unit for unit in bits(waiting) if able & war.grouped[war.group[unit]]]


def may_bomb(war: War, pos: Table) -> bool:
    """13.6: one Allied attack a phase, on German units, with tactical air active."""
    return (
        pos.side == ALLIED
        and not pos.bombed
        and pos.tac_active  # 9.13, and so no German aircraft is about (13.6b)
        and pos.points - kept(war, pos) >= war.book.prices.bombers
    )


def deploy(war: War, pos: Table) -> Procedure:
    """13.2/1: all defenders take part, in the supply they have now (11.2b); then aircraft."""
    side, target = pos.side, pos.target
    pos.defenders = force_in(war, pos, target, 1 - side)
    pos.defence_supply = status(war, pos, target, 1 - side)
    pos.defence_mixed = side == GERMAN and is_mixed(war, pos, target)
    # 6.9b: here the German sees what lies under the top unit.
    yield Event("battle", hex=target, rule=rule("13.2/1a"), reveals=side == GERMAN)
    for owner, force in ((side, pos.attackers), (1 - side, pos.defenders)):
        aircraft = pos.tac if owner == ALLIED else pos.german_tac
        if aircraft and force & ~war.supports and pos.air_support < 0:  # 9.14a
            prompt = f"Does tactical air support the {'attack' if owner == side else 'defence'}?"
            chosen = yield Choice(owner, (AIR, NO_AIR), prompt, rule("9.14d"))
            if chosen == AIR:
                pos.air_support = owner
                if owner == ALLIED:
                    pos.tac -= 1
                else:
                    pos.german_tac -= 1
                whose = f"{SIDES[owner]} tactical air supports the battle"
                yield Event(whose, hex=target, rule=rule("9.14c"))


# Steps two to six


def exchange_fire(war: War, pos: Table) -> Fight:
    """The fire of both sides. Returns whether the hex is free for an advance."""
    yield from barrage(war, pos)
    broken_off = False
    if standing(pos, pos.defenders):
        pos.volley = defensive_volley(war, pos)
        yield from volley(war, pos, 1 - pos.side, pos.attackers, rule("13.2/3a"))
        broken_off = yield from break_off(war, pos)
        if not broken_off:
            yield from offensive_fire(war, pos)
            yield from retreat_declaration(war, pos)
    pos.volley = []
    if pos.retreating:
        yield from retreat(war, pos)
    elif not standing(pos, pos.defenders):  # 13.7
        yield from lose_port(war, pos, pos.target, rule("13.7"))
    yield from settle(war, pos, force=True)
    return not broken_off and not occupied(war, pos, 1 - pos.side) >> pos.target & 1


def barrage(war: War, pos: Table) -> Procedure:
    """13.2/2: corps artillery and heavy bombers fire once each, in the order of the attacker."""
    guns = [unit for unit in gunners(war, pos) if barrage_number(war, pos, unit) > 0]
    bombs = pos.bomber
    while guns or bombs:
        aims = targets(war, pos, pos.defenders)
        # A gun that only rubble keeps from hitting has nothing to fire at (13.12b).
        shells = [unit for unit in aims if guns and shell_number(war, pos, guns[0], unit) > 0]
        prey = standing(pos, pos.defenders) if bombs else []
        if not shells and not prey:
            return
        chosen = yield Choice(
            pos.side,
            Later(
                lambda guns=guns, shells=shells, prey=prey: [
                    *(Option("shell", u, -1, shell_number(war, pos, guns[0], u)) for u in shells),
                    *(Option("bomb", u, -1, war.book.bombers.hit) for u in prey),
                ]
            ),
            "Choose a target of the barrage: a hit is the number in brackets or less",
            rule("13.2/2a"),
        )
        target: int = chosen.unit
        if chosen.verb == "bomb":
            bombs = False
            yield from bomb(war, pos, target)
        else:
            gun = guns.pop(0)
            hit = yield from shoot(war.names[gun], war.names[target], chosen.value, rule("13.2/2c"))
            if hit:
                yield from lose_step(war, pos, target, pos.defence_supply, rule("13.2/2c"))


def gunners(war: War, pos: Table) -> list[int]:
    """The attacker's corps support, unless it is out of supply (11.5a)."""
    guns = standing(pos, pos.attackers & war.supports)
    return [unit for unit in guns if not is_silent(war, unit, pos.supply)]


def barrage_number(war: War, pos: Table, gun: int) -> int:
    """What a gun must roll in the barrage; the terrain counts, rivers and aircraft do not."""
    return war.fire[gun][pos.steps[gun]] + attack_edge(war, pos, gun)


def shell_number(war: War, pos: Table, gun: int, target: int) -> int:
    """The same, if bombs have buried the target before."""
    number = barrage_number(war, pos, gun)
    return number - cover(war, gun) if target == pos.rubble else number


def bomb(war: War, pos: Table, target: int) -> Procedure:
    """13.6: an unmodified roll; on a fort or a city a second one for rubble, hit or miss."""
    bombers = war.book.bombers
    hit = yield from shoot("Heavy bombers", war.names[target], bombers.hit, rule("13.6c"))
    if hit:
        yield from lose_step(war, pos, target, pos.defence_supply, rule("13.6c"))
    if leaves_rubble(war, pos):
        (face,) = yield Roll((DIE,), f"rubble, {bombers.rubble} or more", rule("13.6d"))
        if face >= bombers.rubble:
            pos.rubble = target
            yield Event("is in rubble", target, pos.target, rule=rule("13.6d"))


def leaves_rubble(war: War, pos: Table) -> bool:
    """13.6d: whether the target of the attack is a fort or a city."""
    return bool((pos.forts | war.cities) >> pos.target & 1)


def is_city(war: War, pos: Table) -> bool:
    """13.11: no breaking off and no retreat."""
    return bool(war.cities >> pos.target & 1)


def break_off(war: War, pos: Table) -> Fight:
    """13.2/4: an attacker who has lost a step may stop, and gets one of those steps back."""
    if not pos.hits or is_city(war, pos):
        return False
    if standing(pos, pos.attackers & ~war.supports):  # 13.2/4b: else he must
        chosen = yield Choice(
            pos.side,
            (BREAK_OFF, FIGHT_ON),
            "Break off and get one step back, or fight on?",
            rule("13.2/4a"),
        )
        if chosen == FIGHT_ON:
            return False
    yield Event("attack is broken off", hex=pos.origin, rule=rule("13.2/4a"))
    yield from recover(war, pos, pos.side, sorted(set(pos.hits)), pos.origin)
    return True


def recover(war: War, pos: Table, side: int, units: Sequence[int], hex: int) -> Procedure:
    """13.10d: the owner chooses which of the steps just lost comes back."""
    chosen = yield Choice(
        side, Among("recover", units), "Which unit gets a step back?", rule("13.10d")
    )
    yield from revive(war, pos, chosen.unit, hex)


def offensive_fire(war: War, pos: Table) -> Procedure:
    """13.2/5: the attacker's divisions fire; at a force that is gone, for an extra hit (13.10)."""
    pos.volley = offensive_volley(war, pos)
    yield from volley(war, pos, pos.side, pos.defenders, rule("13.2/5a"))
    if standing(pos, pos.defenders) or not rescuable(war, pos):
        return
    while pos.volley and not pos.extra_hit:
        less = extra_cover(war, pos)
        pos.volley = [shot for shot in pos.volley if shot[1] > less]
        if not pos.volley:
            return
        chosen = yield Choice(
            pos.side,
            Later(lambda less=less: extra_menu(pos, less)),
            "All are hit: fire on, to bar the retreat that would save one?",
            rule("13.10a"),
        )
        if chosen == CEASE_FIRE:
            return
        firer = next(u for u, number in pos.volley if number == chosen.value + less)
        pos.volley.remove((firer, chosen.value + less))
        pos.extra_hit = yield from shoot(
            war.names[firer], "those eliminated", chosen.value, rule("13.10a")
        )
        if pos.extra_hit:
            yield Event("scores an extra hit", firer, pos.target, rule=rule("13.10b"))


def extra_cover(war: War, pos: Table) -> int:
    """Rubble shelters the dead as long as there is nobody else to fire at (13.6d)."""
    alone = pos.rubble >= 0 and pos.defenders == 1 << pos.rubble
    return cover(war, pos.volley[0][0]) if alone else 0


def extra_menu(pos: Table, less: int) -> list[Option]:
    """One option for each number that is left, and the end of the fire."""
    numbers = sorted({number - less for _, number in pos.volley}, reverse=True)
    return [*(Option("fire on", value=number) for number in numbers), CEASE_FIRE]


def rescuable(war: War, pos: Table) -> list[int]:
    """13.2/6: the units that a retreat could give a step back to, all finding a place (13.9/12)."""
    if not may_retreat(war, pos):
        return []
    alive = 0
    for unit in standing(pos, pos.defenders):
        alive |= 1 << unit
    firm = war.airborne if pos.dropped == pos.turn else -1  # 12.9e: brought back it would stay
    # 13.2/6b: only the units that were hit in step five.
    struck = sorted(set(pos.hits) - {firm})
    return [unit for unit in struck if can_retreat(war, pos, alive | 1 << unit)]


def may_retreat(war: War, pos: Table) -> bool:
    """Not from a city (13.11), not from an Allied port (13.2/6c), not on the turn of a drop."""
    if is_city(war, pos):
        return False
    if pos.side == ALLIED:
        return True
    dropped = pos.dropped == pos.turn and pos.defenders >> war.airborne & 1
    stands = dropped and pos.steps[war.airborne]
    return pos.target not in pos.ports and not stands  # 12.9j


def retreat_declaration(war: War, pos: Table) -> Procedure:
    """13.2/6: a defender who lost a step in step five may leave the hex and get one step back."""
    rescued = [] if pos.extra_hit else rescuable(war, pos)  # 13.10b
    if not rescued:
        return
    side = 1 - pos.side
    chosen = yield Choice(
        side, (RETREAT, STAND), "Retreat and get one step back, or stand?", rule("13.2/6a")
    )
    if chosen == STAND:
        return
    yield Event("defenders retreat", hex=pos.target, rule=rule("13.2/8"))
    yield from recover(war, pos, side, rescued, pos.target)
    for unit in standing(pos, pos.defenders):
        pos.retreating |= 1 << unit


def seize_port(war: War, pos: Table) -> Procedure:
    """11.12: a port marker that nobody guards is destroyed, and the attackers advance."""
    yield from lose_port(war, pos, pos.target, rule("11.12"))
    while ready := advancers(war, pos):
        pos.advanced |= 1 << ready[0]
        yield from place(war, pos, 1 << ready[0], pos.target)
