"""Chapter 5: combat, shot by shot, then hand to hand, then on into the next battle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, Roll, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from .field import Field, Table, in_mask
from .flight import eliminate, enter, flights, rout

DEPTH = 2
DEPTH_OF_PURSUIT = 3
CRUSHING = 4
"""The margin of a melee that costs two steps."""


def combat(field: Field, pos: Table) -> Procedure:  # 5.1
    """The active side attacks hex after hex."""
    while True:
        menu = Later(lambda: attack_menu(field, pos))
        option = yield Choice(pos.side, menu, "Attack", rule("5.1"), checkpoint=True)
        if option.verb == "done":
            break
        yield from battle(field, pos, option.hex)
    pos.fought = 0
    pos.phase = "advance"


def attack_menu(field: Field, pos: Table) -> Sequence[Option]:
    """The hexes that can be attacked, and the end of the phase."""
    return Menu(Over("attack", attackable(field, pos)), done())


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
        menu = Later(lambda: joining_menu(field, pos))
        option = yield Choice(pos.side, menu, "Who attacks?", rule("5.2"))
        if option.verb == "go":
            break
        joined |= 1 << option.unit
        pos.fought |= 1 << option.unit
        pos.battles[-1] = hex, joined


def joining_menu(field: Field, pos: Table) -> Sequence[Option]:
    """Units that can join, and the start of the battle as soon as two have."""
    hex, joined = pos.battles[-1]
    enough = joined.bit_count() >= 2
    return Menu(Among("join", joinable(field, pos), hex), done("go") if enough else [])


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
        option = yield Choice(side, Among("fire with", ready), "Who fires?", rule("5.3"))
        pos.firing = option.unit
        pos.to_fire &= ~(1 << option.unit)
        targets = Later(lambda: Among("at", theirs(field, pos)))
        option = yield Choice(side, targets, "Pick the target", rule("5.3"))
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
    refuges = field.refuges(pos, target)
    if refuges:
        menu = Later(lambda: Menu(done("stand"), Over("break off", refuges, target)))
        prompt = f"{field.names[target]} is hit"
        option = yield Choice(field.owner[target], menu, prompt, rule("5.4"))
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
        option = yield Choice(picker, Among("bleed", units), "Pick who bleeds", rule("5.5"))
        yield from lose_step(field, pos, option.unit, rule("5.5"))


def advances(field: Field, pos: Table) -> Procedure:  # 5.6
    """Into the hex if nobody is left in it, one by one, and on from there."""
    hex, _ = pos.battles[-1]
    while attacking(field, pos) and field.room(pos, pos.side) >> hex & 1:
        menu = Later(lambda: Menu(Among("advance", attacking(field, pos), hex), done("stay")))
        option = yield Choice(pos.side, menu, "Who advances?", rule("5.6"))
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
    targets = pursuable(field, pos)
    if targets:
        menu = Later(lambda: Menu(Over("press on", targets), done("hold")))
        option = yield Choice(pos.side, menu, "Press on?", rule("5.7"))
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
        menu = [Option("advance", unit, hex), Option("stay", unit)]
        prompt = f"Does {field.names[unit]} advance?"
        option = yield Choice(pos.side, menu, prompt, rule("5.8"), checkpoint=True)
        pos.advances.pop(0)
        if option.verb == "advance":
            pos.battles.append((hex, 1 << unit))
            yield from advance(field, pos, unit, hex)
            yield from pursuit(field, pos)
            pos.battles.pop()
    pos.phase = "end"
