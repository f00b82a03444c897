"""Chapter 6: combat, retreat and advance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.odds import Odds, Shift
from apennine.mechanics.zoc import exerters, negated

from ..table.data import Result
from ..table.position import LOST, NOBODY, Table
from ..table.war import War
from .c03_zones import alive, enter, full, lose_step, occupied, units_at, units_in, zone

IN_COMBAT = "in the combat phase"
IN_BATTLE = "in a battle, after its die"


class Attack(Order[War, Table]):
    """6.1: a hex is named; who attacks it is asked next."""

    verb, names, opens = "attack", (HEX,), True
    when, rule = f"Hexes are attacked one after the other {IN_COMBAT}", "6.1"

    def bars(self, war: War, pos: Table) -> Bars:
        enemies = occupied(war, pos, 1 - pos.side)
        yield enemies, "There is no enemy in {hex}", "6.1"
        yield ~pos.attacked, "{hex} has been attacked in this phase", "6.1"
        fresh = mask_of(pos.hex[unit] for unit in bits(unused(war, pos)))
        near = war.zone(fresh, pos.blown) & enemies & ~pos.attacked
        yield near, "No unit that could attack is next to {hex}", "6.2"
        able = {hex: bits(ready(war, pos, hex)) for hex in bits(near)}
        strong = [hex for hex, units in able.items() if odds(war, pos, hex, units).raw >= 0]
        yield mask_of(strong), "{all against} in {hex} is less than 1-2", "6.3"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.target = option.hex


class AttackWith(Order[War, Table]):
    """6.1: a unit joins the attack."""

    verb, names = "attack with", (UNIT, HEX)
    implied = (HEX,)
    when, rule = f"Attackers are named {IN_COMBAT}, after the hex that they attack", "6.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "6.1"
        yield ~(pos.fought | pos.attackers), "{unit} attacks only once in a phase", "6.1"
        yield ready(war, pos, pos.target), "{unit} cannot attack into {target}", "6.2"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield 1 << pos.target, "The attack is on {target}", "6.1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


class Fight(Order[War, Table]):
    """6.3: the die is rolled, if those named so far are enough."""

    verb, names = "fight", (HEX,)
    implied = (HEX,)
    when, rule = f"A battle is fought {IN_COMBAT}, after its attackers are named", "6.1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.target, "The attack is on {target}", "6.1"
        enough = odds(war, pos, pos.target, bits(pos.attackers)).raw >= 0
        yield enough, "{named against} in {hex} is less than 1-2", "6.3"


class LoseStep(Order[War, Table]):
    """6.6: who takes the loss."""

    verb, names = "lose a step", (UNIT,)
    when, rule = f"Steps are lost {IN_BATTLE}", "6.6"

    __slots__ = ("units",)

    def __init__(self, units: Mask) -> None:
        self.units = units

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} is not one of those that lose a step now", "6.6"


class Retreat(Order[War, Table]):
    """6.7: one hex of a retreat."""

    verb, names = "retreat", (UNIT, HEX)
    implied = (UNIT,)
    when, rule = f"Defenders retreat {IN_BATTLE}", "6.7"

    __slots__ = ("length", "nth", "start", "unit")

    def __init__(self, unit: int, start: int, nth: int, length: int) -> None:
        self.unit = unit
        self.start = start
        self.nth = nth
        self.length = length

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << self.unit, "{unit} is not the one that retreats now", "6.7"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        lattice, hex, side = war.lattice, pos.hex[first], war.side_of[first]
        yield lattice.ring(hex, 1), "{hex} is not next to {unit}", "6.7"
        yield lattice.cross(1 << hex, war.passable[pos.blown]), "The river is in the way", "6.7"
        yield lattice.ring(self.start, self.nth), "{hex} is no farther from the battle", "6.7"
        yield ~occupied(war, pos, 1 - side), "An enemy is in {hex}", "6.7"
        yield ~deadly(war, pos, side, self.start), "{hex} is in an enemy zone of control", "6.7"
        if self.nth == self.length:
            yield ~full(war, pos, side), "{hex} is full: two units are there", "6.7"
        ways = ways_out(war, pos, side, hex, self.start, self.nth, self.length)
        yield ways, "From {hex} the retreat could not be finished", "6.7"


class Advance(Order[War, Table]):
    """6.9: an attacker goes in."""

    verb, names = "advance", (UNIT, HEX)
    implied = (HEX,)
    when, rule = f"Attackers advance {IN_BATTLE}, into the hex that it has emptied", "6.9"

    __slots__ = ("units",)

    def __init__(self, units: Mask) -> None:
        self.units = units

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} is not one of the attackers that could still advance", "6.9"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield 1 << pos.target, "The hex that was emptied is {target}", "6.9"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        enter(war, pos, option.unit, pos.target)


ATTACK, ATTACK_WITH, FIGHT = Attack(), AttackWith(), Fight()
END = Plain("end combat", f"Combat is ended {IN_COMBAT}, when no attack is under way", "6.1")
STAY = Plain("stay", f"Attackers stay where they are {IN_BATTLE}", "6.9")


def combat_phase(war: War, pos: Table) -> Procedure:
    """6.1: the active side attacks enemy hexes, one after the other."""
    while True:
        if pos.target == NOBODY:
            prompt = "Attack an enemy hex, or end your combat"
            chosen = yield from ask(war, pos, prompt, rule("6.1"), ATTACK, END, checkpoint=True)
            if chosen.verb == END.verb:
                break
        prompt, fights = "Name the attackers, then fight", False
        while not fights:
            orders = ATTACK_WITH, FIGHT
            chosen = yield from ask(war, pos, prompt, rule("6.1"), *orders, checkpoint=True)
            fights = chosen.verb == FIGHT.verb
        yield from battle(war, pos)
        pos.fought |= pos.attackers
        pos.attacked |= 1 << pos.target
        pos.attackers, pos.target = 0, NOBODY
    pos.phase = "end"


def unused(war: War, pos: Table) -> Mask:
    """The units that have not attacked in this phase (6.1)."""
    return alive(war, pos, pos.side) & ~(pos.fought | pos.attackers)


def ready(war: War, pos: Table, target: int) -> Mask:
    """The units that may still join an attack on this hex (6.2)."""
    own = occupied(war, pos, pos.side)
    near = exerters(war.lattice, target, own, war.unbridged[pos.blown])
    return units_at(war, pos, near, pos.side) & unused(war, pos)


def odds(war: War, pos: Table, target: int, attackers: Iterable[int]) -> Odds:
    """The odds of an attack, with everything that goes into them (6.3 to 6.5)."""
    attackers = list(attackers)
    attack: int | Fraction = 0
    for unit in attackers:
        factor = war.roster[unit].attack(pos.steps[unit])
        attack += Fraction(factor, 2) if pos.cut >> unit & 1 else factor  # 6.5
    defenders = units_in(war, pos, target, 1 - pos.side)
    defence = sum(war.roster[unit].defence(pos.steps[unit]) for unit in defenders)
    shifts: list[Shift] = []
    terrain = war.board.terrain_of(target)
    if terrain != "clear":
        shifts.append(Shift(terrain, -1, rule("6.4")))
    if attackers and all(war.bridge_between(pos.hex[u], target) >= 0 for u in attackers):
        shifts.append(Shift("over the bridge", -1, rule("6.4")))
    return war.ladder.odds(attack, defence, shifts)


def battle(war: War, pos: Table) -> Procedure:
    """One roll; then losses, retreat and advance."""
    target, attackers = pos.target, list(bits(pos.attackers))
    found = odds(war, pos, target, attackers)
    (die,) = yield Roll((6,), "combat", rule("6.3"), found.label, found.lines)
    result: Result = war.combat.cell(die, found.column)
    defenders = units_in(war, pos, target, 1 - pos.side)
    yield from losses(war, pos, attackers, result.attacker)
    yield from losses(war, pos, defenders, result.defender)
    for unit in defenders:
        if result.retreat and pos.hex[unit] != LOST:
            yield from retreat(war, pos, unit, result.retreat)
    yield from advance(war, pos, attackers)


def losses(war: War, pos: Table, units: Sequence[int], count: int) -> Procedure:
    """6.6: the owner picks a unit for each step."""
    for _ in range(count):
        alive = mask_of(unit for unit in units if pos.hex[unit] != LOST)
        if not alive:
            return
        side, prompt = war.side_of[units[0]], "Choose who loses a step"
        chosen = yield from ask(war, pos, prompt, rule("6.6"), LoseStep(alive), side=side)
        yield Event("loses a step", chosen.unit, pos.hex[chosen.unit], rule=rule("6.6"))
        lose_step(pos, chosen.unit)


def retreat(war: War, pos: Table, unit: int, length: int) -> Procedure:
    """6.7: hex by hex, each farther from the start; 6.8: who cannot, is lost."""
    start, side = pos.hex[unit], war.side_of[unit]
    for nth in range(1, length + 1):
        if not ways_out(war, pos, side, pos.hex[unit], start, nth, length):
            yield Event("is lost in retreat", unit, pos.hex[unit], rule=rule("6.8"))
            pos.hex[unit] = LOST
            return
        step, prompt = Retreat(unit, start, nth, length), f"Where does {war.names[unit]} retreat?"
        chosen = yield from ask(war, pos, prompt, rule("6.7"), step, side=side)
        enter(war, pos, unit, chosen.hex)


def deadly(war: War, pos: Table, side: int, start: int) -> Mask:
    """Enemy zones that no friend makes safe; those who retreat with a unit do not (6.7)."""
    friends = occupied(war, pos, side, besides=start)
    return negated(zone(war, pos, 1 - side), by=friends)


def ways_out(war: War, pos: Table, side: int, hex: int, start: int, nth: int, length: int) -> Mask:
    """The next hexes of a retreat from which the rest of it can still be made."""
    closed = occupied(war, pos, 1 - side) | deadly(war, pos, side, start)
    beside = war.lattice.cross(1 << hex, war.passable[pos.blown])
    ways = beside & war.lattice.ring(start, nth) & ~closed
    if nth == length:
        return ways & ~full(war, pos, side)
    for way in bits(ways):
        if not ways_out(war, pos, side, way, start, nth + 1, length):
            ways &= ~(1 << way)
    return ways


def advance(war: War, pos: Table, attackers: Sequence[int]) -> Procedure:
    """6.9: attackers may enter the hex that they emptied."""
    while not units_in(war, pos, pos.target, 1 - pos.side):
        able = mask_of(unit for unit in attackers if pos.hex[unit] not in (LOST, pos.target))
        if not able or full(war, pos, pos.side) >> pos.target & 1:
            return
        prompt = "Advance into the empty hex, or stay"
        chosen = yield from ask(war, pos, prompt, rule("6.9"), Advance(able), STAY)
        if chosen.verb == STAY.verb:
            return
