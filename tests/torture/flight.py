"""Chapter 3: flight. Who is in rout runs when an enemy comes near, and may carry others along."""

from __future__ import annotations

from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from .field import DEAD, Field, Table

PANIC = 3
BAY = 5


class Flee(Order[Field, Table]):
    """3.2: a unit in rout runs."""

    verb, names = "flee", (UNIT, HEX)
    when, rule = "Units in rout flee when an enemy comes near", "3.2"

    __slots__ = ("runner",)

    def __init__(self, runner: int) -> None:
        self.runner = runner

    def bars(self, war: Field, pos: Table) -> Bars:
        yield 1 << self.runner, "{unit} is not the one that runs now", "3.2"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        refuges = war.refuges(pos, first)
        yield refuges, "{unit} goes to the next hex that is free, or to a camp that is near", "3.2"


def enter(field: Field, pos: Table, unit: int, hex: int) -> None:
    """Put a unit into a hex; every enemy in rout next to it is startled."""
    pos.hex[unit] = hex
    if pos.routed and hex < field.lattice.size:
        near = field.around[hex]
        for enemy in field.of_side[1 - field.owner[unit]]:  # 3.1
            if pos.routed >> enemy & 1 and pos.hex[enemy] >= 0 and near >> pos.hex[enemy] & 1:
                pos.startled.append((enemy, unit))


def rout(field: Field, pos: Table, unit: int, by: int = -1) -> None:
    """Put a unit in rout; if an enemy is near it is startled at once."""
    pos.routed |= 1 << unit
    if field.next_to_enemy(pos, unit):
        pos.startled.append((unit, by))


def eliminate(pos: Table, unit: int) -> None:
    """Take a unit off the table."""
    pos.hex[unit] = DEAD
    pos.steps[unit] = 0
    pos.routed &= ~(1 << unit)


def flights(field: Field, pos: Table) -> Procedure:  # 3.1
    """All who were startled flee, one after the other, and startle others."""
    while pos.startled:
        unit, by = pos.startled.pop(0)
        # Since it was startled it may have died, rallied, or got away.
        in_rout = field.on_map(pos, unit) and pos.routed >> unit & 1
        if not in_rout or not field.next_to_enemy(pos, unit):
            continue
        if pos.fled >> unit & 1:
            hex = pos.hex[unit]
            eliminate(pos, unit)
            yield Event("disperses", unit, hex, rule=rule("3.4"))
            continue
        pos.fled |= 1 << unit
        if field.refuges(pos, unit):
            yield from flight(field, pos, unit)
        else:
            yield from last_stand(field, pos, unit, by)
    pos.fled = 0


def flight(field: Field, pos: Table, unit: int) -> Procedure:  # 3.2
    """The owner picks the hex; friends in it may panic."""
    prompt, owner = f"{field.names[unit]} must flee", field.owner[unit]
    option = yield from ask(field, pos, prompt, rule("3.2"), Flee(unit), side=owner)
    friends = [] if field.board.is_box(option.hex) else field.units_in(pos, option.hex)
    enter(field, pos, unit, option.hex)
    yield Event("flees", unit, option.hex, rule=rule("3.2"))
    for friend in friends:
        if field.steady(pos, friend):
            (face,) = yield Roll((6,), f"panic of {field.names[friend]}", rule("3.3"))
            if face <= PANIC:
                rout(field, pos, friend)
                yield Event("panics", friend, pos.hex[friend], rule=rule("3.3"))


def last_stand(field: Field, pos: Table, unit: int, by: int) -> Procedure:  # 3.5
    """A unit that cannot flee gives up, or turns on the one that startled it."""
    hex = pos.hex[unit]
    (face,) = yield Roll((6,), f"last stand of {field.names[unit]}", rule("3.5"))
    if face < BAY:
        eliminate(pos, unit)
        yield Event("gives up", unit, hex, rule=rule("3.5"))
        return
    pos.routed &= ~(1 << unit)
    yield Event("turns at bay", unit, hex, rule=rule("3.5"))
    if by >= 0 and field.steady(pos, by) and field.around[hex] >> pos.hex[by] & 1:
        rout(field, pos, by, unit)
        yield Event("routed", by, pos.hex[by], rule=rule("3.5"))
