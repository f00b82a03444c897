"""Chapter 9: combat, up to the losses; what follows them is in `exploitation`."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apennine.hexes import Mask, Sides, bits, mask_of, opposite
from apennine.kernel.decision import Among, Choice, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import until
from apennine.mechanics.odds import Odds, Shift
from apennine.mechanics.phrases import ATTACKED, FOUGHT

from ..table.data import Result
from ..table.position import ALLIED, NOWHERE, Table
from ..table.war import War
from .c04_zones import in_the_field, occupied, there, those_among, units_in
from .c05_stacking import fighting, lose_step, shed_excess
from .c06_logistics import is_moving_away, overextended
from .c09_exploitation import aftermath
from .c10_support import BattleOrder, declare_support, net_support

ATTACKING = "Attackers are named, and fight, after an attack on a hex is announced"
END = Plain("end combat", FOUGHT, "9d")


def combat_phase(war: War, pos: Table) -> Procedure:
    """9: the active side announces and resolves its attacks one by one (9a, 9d)."""
    prompt = "Attack an enemy hex, or end your combat"
    while True:
        if pos.target == NOWHERE:
            chosen = yield from ask(war, pos, prompt, rule("9a"), ATTACK, END, checkpoint=True)
            if chosen.verb == END.verb:
                return
        yield from gather(war, pos)
        pos.breakthrough = yield from battle(war, pos)
        yield from aftermath(war, pos)
        pos.target, pos.attackers, pos.breakthrough, pos.exploited = NOWHERE, 0, 0, 0


class Attack(Order[War, Table]):
    """9a, 9b: on an enemy hex next to a unit that has not attacked in this turn."""

    verb, names = "attack", (HEX,)
    when, rule, opens = ATTACKED, "9a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield occupied(war, pos, 1 - pos.side), "There is no enemy in {hex}", "9a"
        fresh = bits(there(war, pos, pos.side).units & ~pos.attacked)
        from_here = mask_of([pos.hex[unit] for unit in fresh])
        near = war.zone(from_here)
        yield near, self._out_of_touch(near | ~war.lattice.dilate(from_here))

    def _out_of_touch(self, dry: Mask) -> Bars:
        yield dry, "Water lies between {hex} and every unit that may still attack", "9f"
        yield 0, "No unit that may still attack is next to {hex}", "9b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.target = option.hex


def gather(war: War, pos: Table) -> Procedure:
    """The attackers are named one by one, until the attack is ordered."""
    prompt = "Name the attackers, then fight"
    yield from until(FIGHT, war, pos, prompt, rule("9e"), ATTACK_WITH, checkpoint=True)


class AttackWith(BattleOrder):
    """9e: a unit joins the attack, from any side."""

    verb, names = "attack with", (HEX, UNIT)
    implied = (HEX,)
    when, rule = ATTACKING, "9e"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        side, target = pos.side, pos.target
        yield from in_the_field(war, pos, side)
        yield ~pos.attackers, "{unit} is in this attack already", "9b"
        yield ~pos.attacked, "{unit} has attacked in this turn", "9b"
        beside = those_among(war, pos, war.lattice.ring(target, 1), side)
        yield beside, "{unit} is not next to {target}", "9a"
        near = those_among(war, pos, war.beside[target], side)
        yield near, "Water lies between {unit} and {target}", "9f"

    def menu(self, war: War, pos: Table) -> Among:
        return Among(self.verb, ready(war, pos, pos.target), pos.target)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


def ready(war: War, pos: Table, target: int) -> list[int]:
    """The units that may still join an attack on a hex, from any side of it (9e)."""
    members, near = war.members[pos.side], war.beside[target]
    busy = pos.attacked | pos.attackers
    places = zip(members, pos.hex[members.start : members.stop])
    return [u for u, hex in places if hex >= 0 and near >> hex & 1 and not busy >> u & 1]


class Fight(BattleOrder):
    """9e: as soon as anybody has joined."""

    verb = "fight"
    when, rule = ATTACKING, "9e"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        yield pos.attackers > 0, "No attacker has been named", "9e"


ATTACK, ATTACK_WITH, FIGHT = Attack(), AttackWith(), Fight()
Battle = Generator[Choice | Roll | Event, Any, int]


def battle(war: War, pos: Table) -> Battle:
    """9.1: support, odds, one die, losses. Returns the defender's losses beyond his steps."""
    target, enemy = pos.target, 1 - pos.side
    pos.attacked |= pos.attackers
    for unit in units_in(war, pos, target, enemy):
        pos.defended |= 1 << unit
    yield from shed_excess(war, pos, target, enemy)
    defenders = fighting(war, pos, target, enemy)
    yield from declare_support(war, pos)
    found = odds(war, pos, target, tuple(bits(pos.attackers)))
    (die,) = yield Roll(war.dice, "combat", rule("9.1b"), found.label, found.lines)
    result: Result = war.combat.cell(die, found.column)
    pos.support = [0, 0]
    lost = 10 * result.attacker + result.defender
    yield Event("result", hex=target, value=lost, rule=rule("9.1d"))
    yield from losses(war, pos, tuple(bits(pos.attackers)), result.attacker)
    steps = sum(pos.steps[u] for u in defenders)
    yield from losses(war, pos, defenders, result.defender)
    return max(0, result.defender - steps)


def losses(war: War, pos: Table, units: Sequence[int], count: int) -> Procedure:
    """9.1f: the owner takes so many steps from his units in the battle, as he likes."""
    if count >= sum(pos.steps[u] for u in units):
        for unit in units:
            while pos.steps[unit]:
                yield from lose_step(war, pos, unit, rule("9.1d"))
        return
    for _ in range(count):
        order, side = LoseAStep(units), war.side_of[units[0]]
        yield from ask(war, pos, "Choose who loses a step", rule("9.1f"), order, side=side)


@dataclass(slots=True)
class LoseAStep(Order[War, Table]):
    """9.1f: one of the units in the battle, as their owner likes."""

    units: Sequence[int]

    verb, names = "lose a step", (UNIT,)
    when, rule = "Steps are lost in battle", "9.1f"

    def bars(self, war: War, pos: Table) -> Bars:
        side = war.side_of[self.units[0]]
        yield war.army[side], "{unit} belongs to the other side", "3a"
        yield mask_of(self.units), "{unit} takes no part in this battle", "9.1f"
        yield there(war, pos, side).units, "{unit} is eliminated", "9.1d"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return lose_step(war, pos, option.unit, rule("9.1d"))


def attack_factor(war: War, pos: Table, unit: int) -> int:
    """6.3b, 6.3f: a unit out of supply has half its factor, fractions dropped."""
    return war.attack[unit][pos.steps[unit]] // (2 if pos.cut >> unit & 1 else 1)


def defence_factor(war: War, pos: Table, unit: int) -> int:
    """The same in defence."""
    return war.defence[unit][pos.steps[unit]] // (2 if pos.cut >> unit & 1 else 1)


def odds(war: War, pos: Table, target: int, attackers: Sequence[int]) -> Odds:
    """The odds of an attack as things stand, with everything that goes into them (9.1a, 9.1b)."""
    defenders = fighting(war, pos, target, 1 - pos.side)
    attack = sum(attack_factor(war, pos, u) for u in attackers)
    defence = sum(defence_factor(war, pos, u) for u in defenders)
    return war.ladder.odds(attack, defence, shifts(war, pos, target, attackers, defenders))


def shifts(
    war: War, pos: Table, target: int, attackers: Sequence[int], defenders: Sequence[int]
) -> Iterable[Shift]:
    """All reasons to shift the column, netted before the roll (9.1c)."""
    side, hexes = pos.side, [pos.hex[u] for u in attackers]
    yield from ground(war, pos, target, attackers)
    ours, theirs = overextended(war, pos, side, hexes), overextended(war, pos, 1 - side, [target])
    reasons = {
        "concentric": is_concentric(war, target, hexes),
        "long_attack": ours == 1,
        "longest_attack": ours > 1,
        "long_defence": theirs == 1,
        "longest_defence": theirs > 1,
        "centre_moves": is_moving_away(pos, side),
        "landed_attack": any(pos.landed >> u & 1 for u in attackers),
        "landed_defence": any(pos.landed >> u & 1 for u in defenders),
        "offensive": side == ALLIED and is_in_offensive(war, pos, hexes),
        "mobile_attack": pos.phase == "movement",
    }
    yield from shifts_for(war, reasons)
    yield from net_support(war, pos)


def shifts_for(war: War, reasons: Mapping[str, bool]) -> Iterable[Shift]:
    """The lines of the shift chart for which there is a reason."""
    for key, holds in reasons.items():
        if holds:
            yield war.modifiers[key].shift()


def ground(war: War, pos: Table, target: int, attackers: Sequence[int]) -> Iterable[Shift]:
    """Terrain, and what the Germans have built on it (9.4e)."""
    terrain, hexes = war.board.terrain_of(target), [pos.hex[u] for u in attackers]
    german = pos.side == ALLIED
    reasons = {
        terrain: terrain in war.modifiers,
        "city": bool(war.cities >> target & 1),
        "river": bool(hexes) and all(is_across(war, war.river, hex, target) for hex in hexes),
        "fortified": german and is_fortified(war, pos, target, attackers),
        "cassino": german and bool(war.cassino >> target & 1),
    }
    return shifts_for(war, reasons)


def is_across(war: War, sides: Sides, hex: int, target: int) -> bool:
    """Whether the side between two hexes has a feature, seen from the first."""
    return bool(sides[war.lattice.direction(hex, target)] >> hex & 1)


def works(war: War, pos: Table) -> Sides:
    """The fortified hexsides that count now (9.4b to 9.4d).

    Those of the Gothic line from turn 7 on, and never if Allied units were in it before.
    """
    return war.works[pos.turn >= war.gothic_turn and not pos.gothic]


def is_fortified(war: War, pos: Table, target: int, attackers: Sequence[int]) -> bool:
    """9.4f, 9.4i: not if more than half of the attacking factors come over plain hexsides."""
    sides = works(war, pos)
    over = [u for u in attackers if is_across(war, sides, pos.hex[u], target)]
    total, over_works = (sum(attack_factor(war, pos, u) for u in us) for us in (attackers, over))
    return bool(over) and 2 * over_works >= total


def is_concentric(war: War, target: int, hexes: Sequence[int]) -> bool:
    """9.5, 9.5b: attackers stand in two directly opposite neighbours."""
    directions = {war.lattice.direction(target, hex) for hex in hexes}
    return any(opposite(d) in directions for d in directions)


def is_in_offensive(war: War, pos: Table, hexes: Sequence[int]) -> bool:
    """11Gd, 11Ge: an attacker is in the hex of the offensive's marker or next to it."""
    if pos.offensive == NOWHERE:
        return False
    near = war.lattice.disc(pos.offensive, 1)
    return any(near >> hex & 1 for hex in hexes)
