"""Chapter 13: a battle in its nine steps (13.2)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from apennine.hexes import Mask, first_bit, mask_of
from apennine.kernel.decision import Choice, Each, Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask

from ..table.data import DIE, SIDES
from ..table.position import ALLIED, GERMAN, NOWHERE, OVERLAND, Table
from ..table.war import War
from .c07_zones import force_in, is_mixed, lose_port, next_to, occupied, place, port_hexes, settle
from .c09_points import spendable, too_dear
from .c11_supply import status
from .c13_fire import (
    Fire,
    attack_edge,
    cover,
    defensive_volley,
    is_silent,
    offensive_volley,
    shoot,
    standing,
    take_shot,
    volley,
)
from .c13_losses import lose_step, revive
from .c13_retreat import advance, advancers, can_retreat, retreat

Fight = Generator[Choice | Roll | Event, Any, bool]
"""A part of a battle that ends with an answer."""


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


class AttackWith(Order[War, Table]):
    """13.2/1: a unit of the force takes part in the attack."""

    verb, names = "attack with", (UNIT, HEX)
    when, rule = "Who takes part is said when an attack begins", "13.2/1a"

    def bars(self, war: War, pos: Table) -> Bars:
        waiting = "{unit} is not among the units in {origin} that were ordered to attack"
        yield pos.force, waiting, "9.5b"
        yield ~pos.attackers, "{unit} takes part already", "13.2/1a"
        if not pos.mixed:
            return
        # US and British units attack together only from a port or as the multi-national corps.
        if pos.attackers:
            group = war.grouped[war.group[first_bit(pos.attackers)]]
            apart = "{unit} and {attackers} are of two groupings, which attack apart"
            yield group, apart, "6.5d"
        for group in war.grouped:
            if not group & pos.force & ~war.supports:
                alone = "No division of its grouping is there for {unit} to attack with"
                yield ~group, alone, "13.5b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield 1 << pos.target, "This attack is on {target}", "9.5b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return (
            self.left(war, pos)
            if pos.mixed
            else Each(self.verb, pos.force & ~pos.attackers, pos.target)
        )


class SendBombers(Order[War, Table]):
    """13.6: heavy bombers for one Allied attack a phase, with tactical air active (9.13)."""

    verb, names = "send bombers", (HEX,)
    when, rule = "The Allies send heavy bombers while they say who attacks", "13.6a"
    link = "to"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.target, "This attack is on {target}", "9.5b"
        led = bool(pos.attackers & ~war.supports)
        yield led, "Heavy bombers never attack alone: add a division first", "13.6a"
        yield not pos.bombed, "The heavy bombers have flown in this phase already", "13.6a"
        free = not pos.german_tac
        yield free, "No heavy bombers fly while German aircraft are about", "13.6b"
        active = "Heavy bombers fly only in a turn for which you activated tactical air"
        yield pos.tac_active, active, "9.13"
        price = war.book.prices.bombers
        enough = spendable(war, pos) >= price
        yield enough, too_dear(war, pos, price, "Sending heavy bombers")

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.bombers
        pos.bomber = pos.bombed = True
        yield Event("heavy bombers fly", hex=pos.target, rule=rule("13.6a"))


class BeginBattle(Order[War, Table]):
    """13.2/1: all who take part have been named."""

    verb, names = "fight", (HEX,)
    when, rule = "A battle begins when all have been named who take part", "13.2/1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.target, "This attack is on {target}", "9.5b"
        led = bool(pos.attackers & ~war.supports)
        yield led, "Nobody attacks without a division: add one", "13.5b"


ATTACK_WITH, SEND_BOMBERS, FIGHT = AttackWith(), SendBombers(), BeginBattle()


def muster(war: War, pos: Table) -> Procedure:
    """13.2/1: the attacker names who takes part, and pays for heavy bombers if he wants them."""
    orders = (ATTACK_WITH, FIGHT)
    if pos.side == ALLIED:
        orders = (ATTACK_WITH, SEND_BOMBERS, FIGHT)
    prompt = f"Who attacks {war.board.code(pos.target)}?"
    verb = ""
    while verb != FIGHT.verb:
        verb = (yield from ask(war, pos, prompt, rule("13.2/1a"), *orders)).verb


AIR_SUPPORT = Plain("air support", "Aircraft are sent when the units are deployed", "9.14d")
NO_AIR_SUPPORT = Plain("no air support", AIR_SUPPORT.when, "9.14d")


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
            offered = AIR_SUPPORT, NO_AIR_SUPPORT
            chosen = yield from ask(war, pos, prompt, rule("9.14d"), *offered, side=owner)
            if chosen.verb == AIR_SUPPORT.verb:
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


class Shell(Fire):
    """13.2/2: a gun of the corps artillery fires at a defender."""

    __slots__ = ("gun",)
    verb = "shell"
    when, rule = "Corps artillery fires in the preparatory barrage", "13.2/2a"

    def __init__(self, enemies: Mask, gun: int) -> None:
        super().__init__(enemies)
        self.gun = gun

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        number = shell_number(war, pos, self.gun, target)
        # A gun that only rubble keeps from hitting has nothing to fire at (13.12b).
        return [number] if number > 0 else []

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        names = war.names
        by, number = rule("13.2/2c"), option.value
        hit = yield from shoot(names[self.gun], names[option.unit], number, by)
        if hit:
            yield from lose_step(war, pos, option.unit, pos.defence_supply, by)


class Bomb(Fire):
    """13.6: an unmodified roll; on a fort or a city a second one for rubble, hit or miss."""

    verb = "bomb"
    when, rule = "Heavy bombers that were sent fly in the preparatory barrage", "13.6a"
    spares_guns = False

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        return [war.book.bombers.hit]

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        bombers, target = war.book.bombers, option.unit
        hit = yield from shoot("Heavy bombers", war.names[target], bombers.hit, rule("13.6c"))
        if hit:
            yield from lose_step(war, pos, target, pos.defence_supply, rule("13.6c"))
        if leaves_rubble(war, pos):
            (face,) = yield Roll((DIE,), f"rubble, {bombers.rubble} or more", rule("13.6d"))
            if face >= bombers.rubble:
                pos.rubble = target
                yield Event("is in rubble", target, pos.target, rule=rule("13.6d"))


def barrage(war: War, pos: Table) -> Procedure:
    """13.2/2: corps artillery and heavy bombers fire once each, in the order of the attacker."""
    guns = [unit for unit in gunners(war, pos) if barrage_number(war, pos, unit) > 0]
    planes = [Bomb(pos.defenders)] if pos.bomber else []
    while True:
        orders = [*(Shell(pos.defenders, gun) for gun in guns[:1]), *planes]
        if not any(order.menu(war, pos) for order in orders):
            return
        prompt = "Choose a target of the barrage: a hit is the number in brackets or less"
        chosen = yield from ask(war, pos, prompt, rule("13.2/2a"), *orders)
        if chosen.verb == Bomb.verb:
            planes = []
        else:
            guns.pop(0)


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


def leaves_rubble(war: War, pos: Table) -> bool:
    """13.6d: whether the target of the attack is a fort or a city."""
    return bool((pos.forts | war.cities) >> pos.target & 1)


def is_city(war: War, pos: Table) -> bool:
    """13.11: no breaking off and no retreat."""
    return bool(war.cities >> pos.target & 1)


BREAK_OFF = Plain("break off", "An attack is broken off only after the defensive fire", "13.2/4a")
FIGHT_ON = Plain("fight on", "Who may break off may fight on instead", "13.2/4a")


def break_off(war: War, pos: Table) -> Fight:
    """13.2/4: an attacker who has lost a step may stop, and gets one of those steps back."""
    if not pos.hits or is_city(war, pos):
        return False
    if standing(pos, pos.attackers & ~war.supports):  # 13.2/4b: else he must
        prompt = "Break off and get one step back, or fight on?"
        chosen = yield from ask(war, pos, prompt, rule("13.2/4a"), BREAK_OFF, FIGHT_ON)
        if chosen.verb == FIGHT_ON.verb:
            return False
    yield Event("attack is broken off", hex=pos.origin, rule=rule("13.2/4a"))
    yield from recover(war, pos, pos.side, mask_of(pos.hits), pos.origin)
    return True


class Recover(Order[War, Table]):
    """13.10d: the owner chooses which of the steps just lost comes back."""

    __slots__ = ("hex", "units")
    verb, names = "recover", (UNIT,)
    when, rule = "A step comes back to those who break off or retreat", "13.10d"

    def __init__(self, units: Mask, hex: int) -> None:
        self.units = units
        self.hex = hex

    def bars(self, war: War, pos: Table) -> Bars:
        hit = "{unit} has not lost a step in the fire just now"
        yield mask_of(pos.hits), hit, "13.10d"
        yield self.units, self.lost_for_good(war, pos)

    def lost_for_good(self, war: War, pos: Table) -> Bars:
        """Why a retreat does not save a step that it could have saved."""
        firm = 1 << war.airborne if pos.dropped == pos.turn else 0
        yield ~firm, "{unit} would have to stay in the turn of its drop", "12.9e"
        yield 0, "{unit} would leave somebody without a hex to retreat to", "13.9/12"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield from revive(war, pos, option.unit, self.hex)


def recover(war: War, pos: Table, side: int, units: Mask, hex: int) -> Procedure:
    """13.10c: one step comes back."""
    order, prompt = Recover(units, hex), "Which unit gets a step back?"
    yield from ask(war, pos, prompt, rule("13.10d"), order, side=side)


class FireOn(Order[War, Table]):
    """13.10a: a shot at a force that is gone, for the extra hit that bars its retreat."""

    __slots__ = ("less",)
    verb, names = "fire on", (VALUE,)
    when, rule = "Shots that are left go on at a force that has just been wiped out", "13.10a"
    number = Fire.number

    def __init__(self, less: int) -> None:
        self.less = less
        """What rubble takes off the shots."""

    def bars(self, war: War, pos: Table) -> Bars:
        yield mask_of(self.numbers(pos)), "No shot that is left hits on {value} or less", "13.10a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return [Option(self.verb, value=number) for number in self.numbers(pos)]

    def numbers(self, pos: Table) -> list[int]:
        """What the shots that are left must roll, the best first."""
        return sorted({number - self.less for _, number in pos.volley}, reverse=True)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        firer = take_shot(pos, option.value + self.less)
        pos.extra_hit = yield from shoot(
            war.names[firer], "those eliminated", option.value, rule("13.10a")
        )
        if pos.extra_hit:
            yield Event("scores an extra hit", firer, pos.target, rule=rule("13.10b"))


CEASE_FIRE = Plain(
    "cease fire", "The attacker may cease fire when the force he fires at has gone", "13.10a"
)


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
        prompt = "All are hit: fire on, to bar the retreat that would save one?"
        chosen = yield from ask(war, pos, prompt, rule("13.10a"), FireOn(less), CEASE_FIRE)
        if chosen.verb == CEASE_FIRE.verb:
            return


def extra_cover(war: War, pos: Table) -> int:
    """Rubble shelters the dead as long as there is nobody else to fire at (13.6d)."""
    alone = pos.rubble >= 0 and pos.defenders == 1 << pos.rubble
    return cover(war, pos.volley[0][0]) if alone else 0


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


RETREAT = Plain("retreat", "Defenders retreat only after the offensive fire", "13.2/6a")
STAND = Plain("stand", "Who may retreat may stand instead", "13.2/6a")


def retreat_declaration(war: War, pos: Table) -> Procedure:
    """13.2/6: a defender who lost a step in step five may leave the hex and get one step back."""
    rescued = [] if pos.extra_hit else rescuable(war, pos)  # 13.10b
    if not rescued:
        return
    side = 1 - pos.side
    prompt = "Retreat and get one step back, or stand?"
    chosen = yield from ask(war, pos, prompt, rule("13.2/6a"), RETREAT, STAND, side=side)
    if chosen.verb == STAND.verb:
        return
    yield Event("defenders retreat", hex=pos.target, rule=rule("13.2/8"))
    yield from recover(war, pos, side, mask_of(rescued), pos.target)
    for unit in standing(pos, pos.defenders):
        pos.retreating |= 1 << unit


def seize_port(war: War, pos: Table) -> Procedure:
    """11.12: a port marker that nobody guards is destroyed, and the attackers advance."""
    yield from lose_port(war, pos, pos.target, rule("11.12"))
    while ready := advancers(war, pos):
        pos.advanced |= 1 << ready[0]
        yield from place(war, pos, 1 << ready[0], pos.target)
