"""Chapter 4: movement, what stops it, and what overwhelms on the way."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from apennine.hexes import mask_of
from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask

from .combat import DONE, At, fire
from .field import STACK, Field, Table, in_mask, steps_along
from .flight import eliminate, enter, flights

OVERWHELM = 4
HUSH = 1
"""The value of a pass that holds for the rest of the phase."""

Interrupt = Generator[Choice | Roll | Event, Any, tuple[bool, bool]]
"""Says whether a new round begins, and whether anybody was asked."""


class Activate(Order[Field, Table]):
    """4.1: a unit begins to move."""

    verb, names, opens = "activate", (UNIT,), True
    when, rule = "Units move one by one in the movement phase", "4.1"

    def bars(self, war: Field, pos: Table) -> Bars:
        units = war.of_side[pos.side]
        yield mask_of(units), "{unit} is not {side}'s", "1.1"
        yield mask_of(u for u in units if pos.hex[u] >= 0), "{unit} is lost", "1.3"
        yield ~pos.moved, "{unit} has moved already", "4.1"
        yield ~pos.routed, "{unit} is in rout", "4.1"
        there = mask_of(u for u in units if war.arrives[u] <= pos.turn or war.on_map(pos, u))
        yield there, "{unit} arrives in turn {arrival}", "4.5"
        free = mask_of(u for u in units if war.on_map(pos, u) or entries(war, pos, u))
        yield free, "No hex next to the camp has room for {unit}", "4.5"

    def effect(self, war: Field, pos: Table, option: Option) -> Procedure:
        return activation(war, pos, option.unit)


def closed(war: Field, pos: Table, side: int, id: str) -> Bars:
    """Where no unit of a side may end."""
    yield war.lattice.all, "This is not a hex of the map", id
    yield ~war.lake, "Hex {hex} is a lake", id
    yield ~war.held(pos, 1 - side), "Hex {hex} is held by the enemy", id
    yield ~war.full(pos, side), f"Hex {{hex}} has {STACK} units already", "4.6"


class Moving(Order[Field, Table]):
    """An order for the unit that moves."""

    names = (UNIT, HEX)

    def bars(self, war: Field, pos: Table) -> Bars:
        yield 1 << pos.mover, "{unit} is not the unit that moves now", self.rule


class Move(Moving):
    """4.2: it goes to a hex within reach."""

    verb = "move"
    when, rule = "A unit on the map moves when it is active", "4.2"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        yield war.on_map(pos, pos.mover), "{unit} is still in the camp", "4.5"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        yield war.reach(pos, first).ends, self.too_far(war, pos)

    def too_far(self, war: Field, pos: Table) -> Bars:
        """Why a hex is not within reach."""
        yield from closed(war, pos, pos.side, "4.2")
        yield 0, "{hex} is too far for {left} points", "4.2"


class Enter(Moving):
    """4.5: it comes out of its camp."""

    verb = "enter"
    when, rule = "A unit in the camp enters when it is active", "4.5"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        yield not war.on_map(pos, pos.mover), "{unit} is on the map already", "4.5"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        yield from closed(war, pos, pos.side, "4.5")
        yield war.camps[pos.side].hexes, "{hex} is not next to the camp", "4.5"

    def effect(self, war: Field, pos: Table, option: Option) -> Procedure:
        pos.left -= 2 if war.hill >> option.hex & 1 else 1
        enter(war, pos, option.unit, option.hex)
        yield Event("enters", option.unit, option.hex, rule=rule("4.5"))
        yield from flights(war, pos)


class Overwhelm(Moving):
    """4.3: it sweeps away who is hopelessly outnumbered."""

    verb = "overwhelm"
    when, rule = "A unit overwhelms when it is active", "4.3"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        yield war.on_map(pos, pos.mover), "{unit} is still in the camp", "4.3"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        sentence = f"{{hex}} is not outnumbered {OVERWHELM} to 1 next to it"
        yield overwhelmed(war, pos, first), sentence, "4.3"

    def effect(self, war: Field, pos: Table, option: Option) -> Procedure:
        return overwhelm(war, pos, option.unit, option.hex)


class React(Order[Field, Table]):
    """4.4: a unit fires at who has moved."""

    verb, names = "react", (UNIT,)
    when, rule = "Units react when an enemy has moved", "4.4"

    def bars(self, war: Field, pos: Table) -> Bars:
        units = war.of_side[1 - pos.side]
        reacting = mask_of(u for u in units if war.reacts[u])
        yield reacting, "{unit} is of no kind that reacts, or not of this side", "4.4"
        yield ~pos.reacted, "{unit} has reacted in this phase", "4.4"
        yield mask_of(u for u in units if war.on_map(pos, u)), "{unit} is not on the map", "4.4"
        yield ~pos.routed, "{unit} is in rout", "4.4"
        near = "No enemy that has moved is in range of {unit}"
        yield mask_of(ready_to_react(war, pos)), near, "4.4"


class Pass(Order[Field, Table]):
    """4.4: nobody reacts, now or in the rest of the phase."""

    verb, names = "pass", (VALUE,)
    when, rule = "The other side lets a move pass when it could react", "4.4"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield 1 | 1 << HUSH, "One passes once, or for the phase", "4.4"


ACTIVATE, MOVE, ENTER, OVERWHELMING = Activate(), Move(), Enter(), Overwhelm()
REACT, PASS = React(), Pass()
HALT = Plain("halt", "A unit halts when it is active", "4.2")


def movement(field: Field, pos: Table) -> Procedure:  # 4.1
    """The active side moves its units one by one; between them the other may react."""
    while True:
        again, asked = yield from reaction(field, pos)
        if again:
            continue
        # Asked after a pass that the position does not keep: no checkpoint then.
        option = yield from ask(
            field, pos, "Move a unit", rule("4.1"), ACTIVATE, DONE, checkpoint=not asked
        )
        if option.verb == DONE.verb:
            break
    pos.moved = pos.reacted = 0
    pos.silent = False
    pos.phase = "fight"


def entries(field: Field, pos: Table, unit: int) -> int:
    """Where a unit may come out of its camp."""
    side = field.owner[unit]
    return field.camps[side].hexes & field.room(pos, side)


def activation(field: Field, pos: Table, unit: int) -> Procedure:  # 4.2
    """One unit moves on until its points are spent, it halts, or it is stopped."""
    pos.moved |= 1 << unit
    pos.mover, pos.left = unit, field.moves[unit]
    prompt = f"Move {field.names[unit]}"
    orders = MOVE, ENTER, OVERWHELMING, HALT
    while pos.left and pos.hex[unit] >= 0 and not pos.routed >> unit & 1:
        option = yield from ask(field, pos, prompt, rule("4.2"), *orders)
        if option.verb == HALT.verb:
            break
        if option.verb == MOVE.verb:
            yield from walk(field, pos, unit, option.hex)
    pos.mover, pos.left = -1, 0


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
    option = yield from ask(
        field, pos, "Fire at who has moved", rule("4.4"), REACT, PASS, side=side, checkpoint=True
    )
    if option.verb == "pass":
        # A pass for the rest of the phase is kept, and a new round begins with it.
        pos.silent = option.value == HUSH
        return pos.silent, True
    pos.reacted |= 1 << option.unit
    pos.firing = option.unit
    at = At(moved_in_range(field, pos, option.unit))
    target = yield from ask(field, pos, "Pick the target", rule("4.4"), at, side=side)
    yield from fire(field, pos, target.unit)
    return True, True


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
