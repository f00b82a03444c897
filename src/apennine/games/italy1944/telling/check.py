"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.game import Fault
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import shared_hexes, wrong_steps

from ..rules.c03_sequence import PHASES
from ..rules.c04_zones import occupied, on_map
from ..table.position import ALLIED, GERMAN, GONE, LANDING, LOST, NOWHERE, Table
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    if any(len(track) != len(war.names) for track in (pos.hex, pos.steps, pos.left, pos.entered)):
        return [Fault("The lists have not one item for each unit.")]
    return [*check_units(war, pos), *check_markers(war, pos), *check_order(war, pos)]


def check_units(war: War, pos: Table) -> Iterator[Fault]:
    """Where units are, and how strong."""
    yield from wrong_steps(war.names, pos.hex, pos.steps, war.full, rule("9.1d"))
    for unit, hex in enumerate(pos.hex):
        name, side = war.names[unit], war.side_of[unit]
        if on_map(war, pos, unit):
            if hex not in war.board.lattice or not war.land >> hex & 1:
                yield Fault(f"{name} is nowhere.", rule("8e"), unit)
            elif (pos.control >> hex & 1) != (side == ALLIED):
                yield Fault(f"{name} does not control its hex.", rule("8.1d"), unit, hex)
        elif hex == war.reserve and side != ALLIED:
            yield Fault(f"{name} is in the Allied reserve.", rule("12a"), unit)
        elif hex < GONE:
            yield Fault(f"{name} is nowhere.", rule("8e"), unit)
        if (hex == GONE) != (pos.left[unit] > 0):
            yield Fault(f"{name} is withdrawn by no order.", rule("7.3a"), unit)
        if hex == war.reserve and pos.entered[unit] < 0:
            yield Fault(f"{name} never went into the reserve.", rule("12c"), unit)
        if pos.cut >> unit & 1 and not on_map(war, pos, unit):
            yield Fault(f"{name} is marked off the map.", rule("6.3a"), unit)
    both = occupied(war, pos, ALLIED), occupied(war, pos, GERMAN)
    yield from shared_hexes(war.board, *both, rule("8e"))


def check_markers(war: War, pos: Table) -> Iterator[Fault]:
    """Logistic centres, beachheads, operations and plans."""
    for side, hex in enumerate(pos.centre):
        if hex >= 0 and not war.road_hexes >> hex & 1:
            yield Fault("A logistic centre is off the road.", rule("6.6b"), hex=hex)
        if hex >= 0 and occupied(war, pos, 1 - side) >> hex & 1:
            yield Fault("A logistic centre is with the enemy.", rule("9.6b"), hex=hex)
    if len(pos.beaches) != len(pos.intake) or len(pos.beaches) > len(pos.launched):
        yield Fault("There are more beachheads than landings.", rule("11La"))
    if pos.beaches.count(LOST) != pos.destroyed:
        yield Fault("The destroyed beachheads are miscounted.", rule("9.6c"))
    for hex in pos.beaches:
        if hex >= 0 and not war.ports >> hex & 1:
            yield Fault("A beachhead is at no town on the coast.", rule("11Lb"), hex=hex)
    if len(pos.launched) > 2 or any(
        later - turn < 2 for turn, later in zip(pos.launched, pos.launched[1:])
    ):
        yield Fault("Too many operations, or too close together.", rule("11b"))
    for kind, hex, turn, written, shown in pos.notes:
        if not written + 2 <= turn <= pos.last_turn or (shown and turn > pos.turn):
            yield Fault(f"A note of turn {written} is for turn {turn}.", rule("11Pa"))
        if (kind != LANDING) != (hex == NOWHERE):
            yield Fault("Only a landing names a hex.", rule("11Pd"), hex=hex)


def check_order(war: War, pos: Table) -> Iterator[Fault]:
    """The turn, the phase, and what one leaves to the next."""
    if pos.phase not in PHASES and pos.phase != "over":
        yield Fault(f"There is no phase {pos.phase!r}.", rule("3a"))
    if not 1 <= pos.turn <= pos.last_turn:
        yield Fault(f"There is no turn {pos.turn}.", rule("2b"))
    for number, nation in enumerate(war.nation_names):
        if pos.spent[number] > war.replacement_points(number, pos.turn):
            yield Fault(f"{nation} has spent more points than it has.", rule("7.1a"))
    if pos.supporting != -1 or any(pos.support) or pos.excess or pos.exploited:
        yield Fault("A battle is not finished.", rule("9d"))
    if pos.movers and pos.phase != "movement":
        yield Fault("A stack is still moving.", rule("3a"))
