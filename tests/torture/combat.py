"""Chapter 5: combat, shot by shot, then hand to hand, then on into the next battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from apennine.hexes import Mask, mask_of
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from .field import Field, Table, in_mask
from .flight import Flee, eliminate, enter, flights, rout

DEPTH = 2
DEPTH_OF_PURSUIT = 3
CRUSHING = 4
"""The margin of a melee that costs two steps."""


class Attack(Order[Field, Table]):
    """5.1: a hex is attacked."""

    verb, names, opens = "attack", (HEX,), True
    when, rule = "Hexes are attacked in the combat phase", "5.1"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield war.held(pos, 1 - pos.side), "There is no enemy in {hex}", "5.1"
        near = "No steady unit that has not fought is next to {hex}"
        yield attackable(war, pos), near, "5.1"


class Join(Order[Field, Table]):
    """5.2: a unit joins the battle."""

    verb, names = "join", (UNIT, HEX)
    when, rule = "Units join a battle when it begins", "5.2"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield mask_of(war.of_side[pos.side]), "{unit} is not {side}'s", "1.1"
        yield ~pos.routed, "{unit} is in rout", "5.2"
        near = "{unit} is not next to the hex, or has fought"
        yield mask_of(joinable(war, pos)), near, "5.2"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        yield 1 << pos.battles[-1][0], "The battle is for another hex than {hex}", "5.2"


class Go(Order[Field, Table]):
    """5.2: the battle begins."""

    verb, when, rule = "go", "A battle goes on as soon as two units have joined it", "5.2"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield pos.battles[-1][1].bit_count() >= 2, "Two units must have joined", "5.2"


class OneOf(Order[Field, Table]):
    """An order for one of some units."""

    names = (UNIT,)
    sentence: str

    __slots__ = ("units",)

    def __init__(self, units: Iterable[int]) -> None:
        self.units: Mask = mask_of(units)

    def bars(self, war: Field, pos: Table) -> Bars:
        yield self.units, self.sentence, self.rule


class FireWith(OneOf):
    """5.3: who fires next."""

    verb, when, rule = "fire with", "Units fire one after the other in a battle", "5.3"
    sentence = "{unit} is not one of those that can still fire"


class At(OneOf):
    """5.3: the target of a shot."""

    verb, when, rule = "at", "A target is picked for each shot", "5.3"
    sentence = "{unit} cannot be fired at now"


class Bleed(OneOf):
    """5.5: who loses a step."""

    verb, when, rule = "bleed", "Units bleed after a melee", "5.5"
    sentence = "{unit} did not lose this melee"


class BreakOff(Flee):
    """5.4: a unit that was hit runs instead."""

    verb = "break off"
    when, rule = "A unit breaks off when it was hit", "5.4"


class Advance(Order[Field, Table]):
    """5.6, 5.8: a unit takes the hex."""

    verb, names = "advance", (UNIT, HEX)
    when, rule = "Units advance after a battle, or at the end if they overwhelmed", "5.6"

    __slots__ = ("hex", "units")

    def __init__(self, units: Iterable[int], hex: int) -> None:
        self.units: Mask = mask_of(units)
        self.hex = hex

    def bars(self, war: Field, pos: Table) -> Bars:
        yield self.units, "{unit} has no advance to make", "5.6"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        yield 1 << self.hex, "The advance leads to another hex than {hex}", "5.6"


class StayBehind(OneOf):
    """5.8: a unit waives the advance that it is owed."""

    verb, when, rule = "stay", "A unit stays where it could advance", "5.8"
    sentence = "{unit} is owed no advance now"


class PressOn(Order[Field, Table]):
    """5.7: the battle leads to the next."""

    verb, names = "press on", (HEX,)
    when, rule = "Who has advanced may press on", "5.7"

    def bars(self, war: Field, pos: Table) -> Bars:
        pursued = "Only an enemy next to the hex just taken can be pursued"
        yield pursuable(war, pos), pursued, "5.7"


ATTACK, JOIN, GO, PRESS_ON = Attack(), Join(), Go(), PressOn()
DONE = Plain("done", "A phase of moves or attacks is ended by its side", "1.1")
STAND = Plain("stand", "A unit stands when it was hit", "5.4")
STAY = Plain("stay", StayBehind.when, "5.6")
HOLD = Plain("hold", "Who has advanced may hold", "5.7")


def combat(field: Field, pos: Table) -> Procedure:  # 5.1
    """The active side attacks hex after hex."""
    while True:
        option = yield from ask(field, pos, "Attack", rule("5.1"), ATTACK, DONE, checkpoint=True)
        if option.verb == "done":
            break
        yield from battle(field, pos, option.hex)
    pos.fought = 0
    pos.phase = "advance"


def attackable(field: Field, pos: Table) -> int:
    """Enemy hexes next to a steady unit that has not fought."""
    mask = 0
    for unit in field.of_side[pos.side]:
        if field.steady(pos, unit) and not pos.fought >> unit & 1:
            mask |= field.around[pos.hex[unit]]
    return mask & field.held(pos, 1 - pos.side)


def battle(field: Field, pos: Table, hex: int) -> Procedure:  # 5.1
    """A battle for one hex, and all that its advances lead to."""
    pos.battles.append((hex, 0))
    yield from joining(field, pos)
    yield from shots(field, pos, pos.side, attacking, defending)
    yield from shots(field, pos, 1 - pos.side, defending, attacking)
    yield from melee(field, pos)
    yield from advances(field, pos)
    pos.battles.pop()


def joining(field: Field, pos: Table) -> Procedure:  # 5.2
    """The attackers are named one by one."""
    hex, joined = pos.battles[-1]
    while joinable(field, pos):
        option = yield from ask(field, pos, "Who attacks?", rule("5.2"), JOIN, GO)
        if option.verb == "go":
            break
        joined |= 1 << option.unit
        pos.fought |= 1 << option.unit
        pos.battles[-1] = hex, joined


def joinable(field: Field, pos: Table) -> list[int]:
    """Those next to the hex that have not fought; in a pursuit, those who have advanced."""
    hex, joined = pos.battles[-1]
    near = [u for u in field.attackers(pos, pos.side, hex) if not joined >> u & 1]
    if len(pos.battles) > 1:
        taken = pos.battles[-2][0]
        return [u for u in near if pos.hex[u] == taken]
    return [u for u in near if not pos.fought >> u & 1]


def attacking(field: Field, pos: Table) -> list[int]:
    """The attackers who are still there and in order."""
    hex, joined = pos.battles[-1]
    near = field.around[hex]
    return [u for u in in_mask(joined) if field.steady(pos, u) and near >> pos.hex[u] & 1]


def defending(field: Field, pos: Table) -> list[int]:
    """The defenders who are still there, in order or not."""
    # When they have gone one of ours may have fled into the hex.
    units = field.units_in(pos, pos.battles[-1][0])
    return [u for u in units if field.owner[u] != pos.side]


Present = Callable[[Field, Table], list[int]]


def shots(field: Field, pos: Table, side: int, ours: Present, theirs: Present) -> Procedure:
    """Each steady unit of a side fires once; the side picks the order and the targets."""
    pos.to_fire = sum(1 << u for u in ours(field, pos) if field.steady(pos, u))
    while pos.to_fire:
        ready = [u for u in ours(field, pos) if pos.to_fire >> u & 1 and field.steady(pos, u)]
        if not ready or not theirs(field, pos):
            break
        option = yield from ask(field, pos, "Who fires?", rule("5.3"), FireWith(ready), side=side)
        pos.firing = option.unit
        pos.to_fire &= ~(1 << option.unit)
        at = At(theirs(field, pos))
        option = yield from ask(field, pos, "Pick the target", rule("5.3"), at, side=side)
        yield from fire(field, pos, option.unit)
    pos.to_fire = 0


def hits_on(field: Field, pos: Table, shooter: int, target: int) -> int:  # 5.3
    """The highest face that hits."""
    shelter = field.hill >> pos.hex[target] & 1
    return pos.steps[shooter] + 1 + (field.range[shooter] > 1) - shelter


def fire(field: Field, pos: Table, target: int) -> Procedure:  # 5.4
    """One shot; who is hit and lives may break off instead of losing the step."""
    shooter, pos.firing = pos.firing, -1
    highest = hits_on(field, pos, shooter, target)
    (face,) = yield Roll((6,), f"shot at {field.names[target]}", rule("5.3"))
    if face > highest:
        yield Event("misses", shooter, value=target, rule=rule("5.3"))
        return
    yield from lose_step(field, pos, target, rule("5.3"))
    if pos.hex[target] < 0 or pos.routed >> target & 1:
        return
    if field.refuges(pos, target):
        prompt, owner = f"{field.names[target]} is hit", field.owner[target]
        option = yield from ask(
            field, pos, prompt, rule("5.4"), STAND, BreakOff(target), side=owner
        )
        if option.verb == "break off":
            pos.steps[target] += 1
            pos.routed |= 1 << target
            enter(field, pos, target, option.hex)
            yield Event("breaks off", target, option.hex, rule=rule("5.4"))
            yield from flights(field, pos)


def lose_step(field: Field, pos: Table, unit: int, by: str) -> Procedure:
    """Take a step off a unit, and the unit off the table with its last one."""
    hex = pos.hex[unit]
    pos.steps[unit] -= 1
    yield Event("loses a step", unit, hex, rule=by)
    if not pos.steps[unit]:
        eliminate(pos, unit)
        yield Event("lost", unit, hex, rule=by)


def melee(field: Field, pos: Table) -> Procedure:  # 5.5
    """Who is left fights hand to hand; the opponent picks who bleeds."""
    if not attacking(field, pos) or not defending(field, pos):
        return
    attack = sum(field.strength(pos, u) for u in attacking(field, pos))
    defence = field.defence(pos, pos.battles[-1][0])
    for_attack, for_defence = yield Roll((6, 6), "melee", rule("5.5"))
    margin = attack + for_attack - defence - for_defence
    steps = 1 + (abs(margin) >= CRUSHING)
    if margin >= 0:
        yield from losses(field, pos, defending, pos.side, steps)
    if margin <= 0:
        yield from losses(field, pos, attacking, 1 - pos.side, steps)
    if margin > 0:
        beaten_by = next(iter(attacking(field, pos)), -1)
        for unit in defending(field, pos):
            rout(field, pos, unit, beaten_by)
            yield Event("routed", unit, pos.hex[unit], rule=rule("5.5"))
        yield from flights(field, pos)


def losses(field: Field, pos: Table, present: Present, picker: int, steps: int) -> Procedure:  # 5.5
    """Step by step from units that the opponent picks."""
    for _ in range(steps):
        units = present(field, pos)
        if not units:
            return
        option = yield from ask(
            field, pos, "Pick who bleeds", rule("5.5"), Bleed(units), side=picker
        )
        yield from lose_step(field, pos, option.unit, rule("5.5"))


def advances(field: Field, pos: Table) -> Procedure:  # 5.6
    """Into the hex if nobody is left in it, one by one, and on from there."""
    hex, _ = pos.battles[-1]
    while attacking(field, pos) and field.room(pos, pos.side) >> hex & 1:
        able = Advance(attacking(field, pos), hex)
        option = yield from ask(field, pos, "Who advances?", rule("5.6"), able, STAY)
        if option.verb == "stay":
            break
        yield from advance(field, pos, option.unit, hex)
    yield from pursuit(field, pos)


def advance(field: Field, pos: Table, unit: int, hex: int) -> Procedure:
    """One unit takes the hex, which may set off flights."""
    enter(field, pos, unit, hex)
    yield Event("advances", unit, hex, rule=rule("5.6"))
    yield from flights(field, pos)


def pursuit(field: Field, pos: Table) -> Procedure:  # 5.7
    """Who has advanced may start another battle, as deep as the rules allow."""
    if len(pos.battles) >= (DEPTH_OF_PURSUIT if pos.pursuit else DEPTH):
        return
    if pursuable(field, pos):
        option = yield from ask(field, pos, "Press on?", rule("5.7"), PRESS_ON, HOLD)
        if option.verb == "press on":
            yield Event("presses on", hex=option.hex, value=len(pos.battles), rule=rule("5.7"))
            yield from battle(field, pos, option.hex)


def pursuable(field: Field, pos: Table) -> int:
    """Enemy hexes next to the one taken, if one of ours is in it and in order."""
    hex, _ = pos.battles[-1]
    taken = any(pos.hex[u] == hex and field.steady(pos, u) for u in field.of_side[pos.side])
    if not taken:
        return 0
    return field.around[hex] & field.held(pos, 1 - pos.side)


def owed_advances(field: Field, pos: Table) -> Procedure:  # 5.8
    """Advances owed for overwhelming, in the order in which they were earned."""
    while pos.advances:
        unit, hex = pos.advances[0]
        # Since it earned the advance it may have died, run or gone elsewhere.
        if unit not in field.attackers(pos, pos.side, hex) or not (
            field.room(pos, pos.side) >> hex & 1
        ):
            pos.advances.pop(0)
            continue
        orders = Advance([unit], hex), StayBehind([unit])
        prompt = f"Does {field.names[unit]} advance?"
        option = yield from ask(field, pos, prompt, rule("5.8"), *orders, checkpoint=True)
        pos.advances.pop(0)
        if option.verb == "advance":
            pos.battles.append((hex, 1 << unit))
            yield from advance(field, pos, unit, hex)
            yield from pursuit(field, pos)
            pos.battles.pop()
    pos.phase = "end"
