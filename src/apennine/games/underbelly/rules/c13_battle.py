"""Chapter 13: a battle in its nine steps (13.2)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from apennine.hexes import Mask, mask_of
from apennine.kernel.decision import Choice, Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, Plain, ask

from ..table.position import ALLIED, GERMAN, NOWHERE, OVERLAND, Table
from ..table.war import War
from .c07_zones import lose_port, occupied, place, port_hexes, revive, settle, there
from .c13_deployment import deploy, muster
from .c13_fire import (
    Fire,
    barrage,
    cover,
    defensive_volley,
    offensive_volley,
    shoot,
    standing,
    take_shot,
    volley,
)
from .c13_retreat import advance, advancers, can_retreat, retreat

Fight = Generator[Choice | Roll | Event, Any, bool]
"""A part of a battle that ends with an answer."""


def enemies(war: War, pos: Table, side: int) -> Mask:
    """The hexes with something to attack: for Germans also a port that nobody guards (11.12)."""
    manned = there(war, pos, 1 - side).occupied
    return manned | port_hexes(war, pos) if side == GERMAN else manned


def prey(war: War, pos: Table, side: int) -> Mask:
    """Of these, all that may be attacked: Germans keep off the special forces (3.6d)."""
    spared = side == GERMAN and pos.special_forces
    return enemies(war, pos, side) & ~(spared << war.special_forces)


def attackable(war: War, pos: Table, hex: int, side: int) -> Mask:
    """What a stack in this hex may attack: not twice in a phase, not over water (13.1)."""
    return war.around[hex] & prey(war, pos, side) & ~pos.attacked


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


def is_city(war: War, pos: Table) -> bool:
    """13.11: no breaking off and no retreat."""
    return bool(war.cities >> pos.target & 1)


BREAK_OFF = Plain(
    "break off",
    "An attack is broken off after defensive fire that cost it a step, and never on a city",
    "13.2/4a",
)
FIGHT_ON = Plain("fight on", "Who may break off may fight on instead", "13.2/4a")


def break_off(war: War, pos: Table) -> Fight:
    """13.2/4: an attacker who has lost a step may stop, and gets one of those steps back."""
    if not pos.hits or is_city(war, pos):
        return False
    if standing(pos, pos.attackers & ~war.supports):  # 13.2/4b: else he must
        prompt = "Break off and get one step back, or fight on?"
        chosen = yield from ask(war, pos, prompt, "13.2/4a", BREAK_OFF, FIGHT_ON)
        if chosen.verb == FIGHT_ON.verb:
            return False
    yield Event("attack is broken off", hex=pos.origin, rule="13.2/4a")
    yield from recover(war, pos, pos.side, mask_of(pos.hits), pos.origin)
    return True


@dataclass(slots=True)
class Recover(Order[War, Table]):
    """13.10d: the owner chooses which of the steps just lost comes back."""

    units: Mask
    hex: int

    verb, names = "recover", (UNIT,)
    when, rule = "A step comes back to those who break off or retreat", "13.10d"

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
    yield from ask(war, pos, prompt, "13.10d", order, side=side)


@dataclass(slots=True)
class FireOn(Order[War, Table]):
    """13.10a: a shot at a force that is gone, for the extra hit that bars its retreat."""

    less: int
    """What rubble takes off the shots."""

    verb, names, number = "fire on", (VALUE,), Fire.number
    ranges = Fire.ranges
    when, rule = "Shots that are left go on at a force that has just been wiped out", "13.10a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield mask_of(self.numbers(pos)), "No shot that is left hits on {value} or less", "13.10a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return [Option(self.verb, value=number) for number in self.numbers(pos)]

    def numbers(self, pos: Table) -> list[int]:
        """What the shots that are left must roll, the best first."""
        return sorted({number - self.less for _, number in pos.volley}, reverse=True)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        number, by = option.value, rule("13.10a")
        firer = take_shot(pos, number + self.less)
        pos.extra_hit = yield from shoot(war.names[firer], "those eliminated", number, by)
        if pos.extra_hit:
            yield Event("scores an extra hit", firer, pos.target, rule="13.10b")


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
        # Rubble shelters the dead as long as there is nobody else to fire at (13.6d).
        alone = pos.rubble >= 0 and pos.defenders == 1 << pos.rubble
        less = cover(war, pos.volley[0][0]) if alone else 0
        pos.volley = [shot for shot in pos.volley if shot[1] > less]
        if not pos.volley:
            return
        prompt = "All are hit: fire on, to bar the retreat that would save one?"
        chosen = yield from ask(war, pos, prompt, "13.10a", FireOn(less), CEASE_FIRE)
        if chosen.verb == CEASE_FIRE.verb:
            return


def rescuable(war: War, pos: Table) -> list[int]:
    """13.2/6: the units that a retreat could give a step back to, all finding a place (13.9/12)."""
    if not may_retreat(war, pos):
        return []
    alive = mask_of(standing(pos, pos.defenders))
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


RETREAT = Plain(
    "retreat",
    "Defenders retreat after offensive fire that cost them a step, if all of them find a hex, and "
    "from no city and no Allied port",
    "13.2/6a",
)
STAND = Plain("stand", "Who may retreat may stand instead", "13.2/6a")


def retreat_declaration(war: War, pos: Table) -> Procedure:
    """13.2/6: a defender who lost a step in step five may leave the hex and get one step back."""
    rescued = [] if pos.extra_hit else rescuable(war, pos)  # 13.10b
    if not rescued:
        return
    side = 1 - pos.side
    prompt = "Retreat and get one step back, or stand?"
    chosen = yield from ask(war, pos, prompt, "13.2/6a", RETREAT, STAND, side=side)
    if chosen.verb == STAND.verb:
        return
    yield Event("defenders retreat", hex=pos.target, rule="13.2/8")
    yield from recover(war, pos, side, mask_of(rescued), pos.target)
    pos.retreating |= mask_of(standing(pos, pos.defenders))


def seize_port(war: War, pos: Table) -> Procedure:
    """11.12: a port marker that nobody guards is destroyed, and the attackers advance."""
    yield from lose_port(war, pos, pos.target, rule("11.12"))
    while ready := advancers(war, pos):
        first = ready & -ready
        pos.advanced |= first
        yield from place(war, pos, first, pos.target)
