"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong, wrong_steps

from ..rules.c03_sequence import PHASES
from ..rules.c04_zones import occupied, on_map
from ..table.position import ALLIED, GERMAN, GONE, LANDING, LOST, NOWHERE, Table
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    if any(len(track) != len(war.names) for track in (pos.hex, pos.steps, pos.left, pos.entered)):
        return [Fault("The lists have not one item for each unit.")]
    found = *check_units(war, pos), *check_markers(war, pos), *check_order(war, pos)
    return showing.faults(war.board, war.names, pos.hex, found)


def check_units(war: War, pos: Table) -> Iterator[Wrong]:
    """Where units are, and how strong."""
    yield from wrong_steps(pos.hex, pos.steps, war.full, "9.1d")
    for unit, hex in enumerate(pos.hex):
        bit, side, out = 1 << unit, war.side_of[unit], on_map(war, pos, unit)
        known = hex in war.board.lattice and bool(war.land >> hex & 1) if out else hex >= GONE
        yield not known and bit, "{unit} is nowhere", "8e"
        holds = not (out and known) or (pos.control >> hex & 1) == (side == ALLIED)
        yield not holds and bit, "{unit} does not control its hex", "8.1d"
        strange = hex == war.reserve and side != ALLIED
        yield strange and bit, "{unit} is in the Allied reserve", "12a"
        unbidden = (hex == GONE) != (pos.left[unit] > 0)
        yield unbidden and bit, "{unit} is withdrawn by no order", "7.3a"
        unseen = hex == war.reserve and pos.entered[unit] < 0
        yield unseen and bit, "{unit} never went into the reserve", "12c"
        yield not out and pos.cut & bit, "{unit} is marked off the map", "6.3a"
    both = occupied(war, pos, ALLIED) & occupied(war, pos, GERMAN)
    yield both, "Both sides are in {hex}", "8e"


def check_markers(war: War, pos: Table) -> Iterator[Wrong]:
    """Logistic centres, beachheads, operations and plans."""
    for side, hex in enumerate(pos.centre):
        centre = 1 << hex if hex >= 0 else 0
        yield centre & ~war.road_hexes, "A logistic centre is off the road in {hex}", "6.6b"
        lost = centre & occupied(war, pos, 1 - side)
        yield lost, "A logistic centre is with the enemy in {hex}", "9.6b"
    beaches = len(pos.beaches)
    many = beaches != len(pos.intake) or beaches > len(pos.launched)
    yield many, "There are more beachheads than landings", "11La"
    miscounted = pos.beaches.count(LOST) != pos.destroyed
    yield miscounted, "The destroyed beachheads are miscounted", "9.6c"
    for hex in pos.beaches:
        beach = 1 << hex if hex >= 0 else 0
        yield beach & ~war.ports, "The beachhead in {hex} is at no town on the coast", "11Lb"
    close = any(later - turn < 2 for turn, later in zip(pos.launched, pos.launched[1:]))
    hasty = close or len(pos.launched) > 2
    yield hasty, "Too many operations, or too close together", "11b"
    for kind, hex, turn, written, shown in pos.notes:
        late = not written + 2 <= turn <= pos.last_turn or (shown and turn > pos.turn)
        yield late, f"A note of turn {written} is for turn {turn}", "11Pa"
        yield (kind != LANDING) != (hex == NOWHERE), "Only a landing names a hex", "11Pd"


def check_order(war: War, pos: Table) -> Iterator[Wrong]:
    """The turn, the phase, and what one leaves to the next."""
    known = pos.phase in PHASES or pos.phase == "over"
    yield not known, f"There is no phase {pos.phase!r}", "3a"
    yield not 1 <= pos.turn <= pos.last_turn, f"There is no turn {pos.turn}", "2b"
    for number, nation in enumerate(war.nation_names):
        over = pos.spent[number] > war.replacement_points(number, pos.turn)
        yield over, f"{nation} has spent more points than it has", "7.1a"
    fighting = pos.supporting != -1 or any(pos.support) or pos.excess or pos.exploited
    yield bool(fighting), "A battle is not finished", "9d"
    late = pos.movers and pos.phase != "movement"
    yield late, "A stack is still moving", "3a"
