"""Chapter 4: movement, what stops it, and what overwhelms on the way."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, Roll, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from .combat import fire
from .field import Field, Table, in_mask, steps_along
from .flight import eliminate, enter, flights

OVERWHELM = 4
HUSH = 1
"""The value of a pass that holds for the rest of the phase."""

Interrupt = Generator[Choice | Roll | Event, Any, tuple[bool, bool]]
"""Says whether a new round begins, and whether anybody was asked."""


def movement(field: Field, pos: Table) -> Procedure:  # 4.1
    """The active side moves its units one by one; between them the other may react."""
    while True:
        again, asked = yield from reaction(field, pos)
        if again:
            continue
        menu = Later(lambda: movers_menu(field, pos))
        prompt = "Move a unit"
        # Asked after a pass that the position does not keep: no checkpoint then.
        option = yield Choice(pos.side, menu, prompt, rule("4.1"), checkpoint=not asked)
        if option.verb == "done":
            break
        yield from activation(field, pos, option.unit)
    pos.moved = pos.reacted = 0
    pos.silent = False
    pos.phase = "fight"


def movers_menu(field: Field, pos: Table) -> Sequence[Option]:
    """The units that may still move, and the end of the phase."""
    return Menu(Among("activate", movers(field, pos)), done())


def movers(field: Field, pos: Table) -> list[int]:
    """Steady units on the map, and those that have arrived in the camp."""
    units: list[int] = []
    for unit in field.of_side[pos.side]:
        if pos.hex[unit] < 0 or (pos.moved | pos.routed) >> unit & 1:
            continue
        if field.on_map(pos, unit) or (
            field.arrives[unit] <= pos.turn and entries(field, pos, unit)  # 4.5
        ):
            units.append(unit)
    return units


def entries(field: Field, pos: Table, unit: int) -> int:
    """Where a unit may come out of its camp."""
    side = field.owner[unit]
    return field.camps[side].hexes & field.room(pos, side)


def activation(field: Field, pos: Table, unit: int) -> Procedure:  # 4.2
    """One unit moves on until its points are spent, it halts, or it is stopped."""
    pos.moved |= 1 << unit
    pos.mover, pos.left = unit, field.moves[unit]
    side, prompt = pos.side, f"Move {field.names[unit]}"
    while pos.left and pos.hex[unit] >= 0 and not pos.routed >> unit & 1:
        option = yield Choice(side, Later(lambda: ways_on(field, pos)), prompt, rule("4.2"))
        if option.verb == "halt":
            break
        if option.verb == "overwhelm":
            yield from overwhelm(field, pos, unit, option.hex)
        elif option.verb == "enter":
            pos.left -= 2 if field.hill >> option.hex & 1 else 1
            enter(field, pos, unit, option.hex)
            yield Event("enters", unit, option.hex, rule=rule("4.5"))
            yield from flights(field, pos)
        else:
            yield from walk(field, pos, unit, option.hex)
    pos.mover, pos.left = -1, 0


def ways_on(field: Field, pos: Table) -> Sequence[Option]:
    """What the mover can do with the points that it has left."""
    unit = pos.mover
    if field.board.is_box(pos.hex[unit]):
        return Menu(Over("enter", entries(field, pos, unit), unit), done("halt"))
    return Menu(
        Over("move", field.reach(pos, unit).ends, unit),
        Over("overwhelm", overwhelmed(field, pos, unit), unit),
        done("halt"),
    )


def walk(field: Field, pos: Table, unit: int, to: int) -> Procedure:  # 4.2
    """Hex by hex to the one named, or to where something happens."""
    for hex, cost in steps_along(field.reach(pos, unit), to):
        pos.left -= cost
        enter(field, pos, unit, hex)
        if pos.startled:
            yield Event("stops", unit, hex, rule=rule("4.2"))
            yield from flights(field, pos)
            return


def overwhelmed(field: Field, pos: Table, unit: int) -> int:  # 4.3
    """The enemy hexes next to a unit that are hopelessly outnumbered."""
    side = field.owner[unit]
    mask = 0
    near = field.around[pos.hex[unit]] & field.held(pos, 1 - side)
    for hex in field.lattice.neighbours(pos.hex[unit]):
        if near >> hex & 1:
            attack = sum(field.strength(pos, u) for u in field.attackers(pos, side, hex))
            if attack >= OVERWHELM * field.defence(pos, hex):
                mask |= 1 << hex
    return mask


def overwhelm(field: Field, pos: Table, unit: int, hex: int) -> Procedure:  # 4.3
    """The enemies are gone at once; the advance waits for the end of the combat phase."""
    pos.left -= 1
    for enemy in field.units_in(pos, hex):
        eliminate(pos, enemy)
        yield Event("overwhelmed", enemy, hex, rule=rule("4.3"))
    pos.advances.append((unit, hex))


def reaction(field: Field, pos: Table) -> Interrupt:  # 4.4
    """The other side may fire at a unit that has moved."""
    if pos.silent or not ready_to_react(field, pos):
        return False, False
    side = 1 - pos.side
    menu = Later(lambda: reaction_menu(field, pos))
    option = yield Choice(side, menu, "Fire at who has moved", rule("4.4"), checkpoint=True)
    if option.verb == "pass":
        # A pass for the rest of the phase is kept, and a new round begins with it.
        pos.silent = option.value == HUSH
        return pos.silent, True
    pos.reacted |= 1 << option.unit
    pos.firing = option.unit
    targets = Later(lambda: Among("at", moved_in_range(field, pos, option.unit)))
    target = yield Choice(side, targets, "Pick the target", rule("4.4"))
    yield from fire(field, pos, target.unit)
    return True, True


def reaction_menu(field: Field, pos: Table) -> Sequence[Option]:
    """Who can react, and two ways to decline."""
    return Menu(Among("react", ready_to_react(field, pos)), done("pass"), done("pass", value=HUSH))


def ready_to_react(field: Field, pos: Table) -> list[int]:
    """The units of the side that does not move which have an enemy to fire at."""
    return [
        unit
        for unit in field.of_side[1 - pos.side]
        if field.reacts[unit]
        and not pos.reacted >> unit & 1
        and field.steady(pos, unit)
        and moved_in_range(field, pos, unit)
    ]


def moved_in_range(field: Field, pos: Table, unit: int) -> list[int]:
    """The units that have moved and that a unit can fire at."""
    area = field.lattice.disc(pos.hex[unit], field.range[unit])
    return [u for u in in_mask(pos.moved) if field.on_map(pos, u) and area >> pos.hex[u] & 1]
