"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Fault
from apennine.kernel.ledger import rule

from ..rules.c02_pieces import occupied, there
from ..rules.c03_sequence import PHASES
from ..rules.c05_areas import friendly_areas
from ..rules.c10_steps import used
from ..table.data import SIDES
from ..table.position import ALLIED, DEAD, GERMAN, LOST, NOWHERE, Table
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    if any(len(track) != len(war.names) for track in (pos.hex, pos.steps)):
        return [Fault("The lists have not one item for each unit.")]
    return [*check_units(war, pos), *check_marks(war, pos), *check_order(war, pos)]


def check_units(war: War, pos: Table) -> Iterator[Fault]:
    """Where units are, and how strong."""
    land, on_map = war.ground.land, war.lattice.size
    for unit, (hex, steps) in enumerate(zip(pos.hex, pos.steps, strict=True)):
        name, side = war.names[unit], war.side_of[unit]
        if not 0 <= steps <= war.full[unit] or (hex in (LOST, DEAD)) != (steps == 0):
            yield Fault(f"{name} has {steps} steps.", rule("10.3"), unit)
        third = war.full[unit] == 3 and steps == 1
        if third != bool(pos.remnants >> unit & 1):
            yield Fault(f"{name} is at odds with its Remnant.", rule("10.4.1a"), unit)
        if hex < DEAD or (0 <= hex < on_map and not (hex in war.lattice and land >> hex & 1)):
            yield Fault(f"{name} is nowhere.", rule("5.1e"), unit)
        elif hex >= on_map and war.ground.area_names.get(hex) not in friendly_areas(war, pos, side):
            yield Fault(f"{name} is in an area of the enemy.", rule("21.2.1"), unit)
    for number, kind in enumerate(war.remnant_kinds):
        if used(war, pos, number) > war.remnant_counts[number]:
            yield Fault(f"There are too many Remnants of {kind}.", rule("10.4.2b"))
    for hex in bits(occupied(war, pos, ALLIED) & occupied(war, pos, GERMAN)):
        yield Fault(f"Both sides are in {war.board.code(hex)}.", rule("5.1e"), hex=hex)


def check_marks(war: War, pos: Table) -> Iterator[Fault]:
    """Markers of units and of hexes, and those of tracks."""
    for unit in bits(pos.disrupted & pos.routed):
        yield Fault(f"{war.names[unit]} is in two states.", rule("13.1.1a"), unit)
    for unit in bits(pos.isolated & ~pos.hungry):
        yield Fault(f"{war.names[unit]} is isolated and supplied.", rule("16.5.1b"), unit)
    for unit in bits(pos.ready & ~war.artillery):
        yield Fault(f"{war.names[unit]} has no Ready side.", rule("17.5a"), unit)
    for unit in bits(pos.disrupted | pos.routed | pos.hungry | pos.trucked):
        if pos.hex[unit] < 0:
            yield Fault(f"{war.names[unit]} is marked off the map.", rule("13.1.1a"), unit)
    for hex in bits(pos.works & pos.forts):
        yield Fault("A fortification is built and is not.", rule("18.1.1"), hex=hex)
    for hex in bits((pos.upgrades | pos.strongholds) & ~pos.forts | pos.upgrades & pos.strongholds):
        yield Fault("A level 2 has no level 1 below it.", rule("18.1.2"), hex=hex)
    first, second = war.book.limits.forts
    ones = pos.works | pos.forts & ~pos.strongholds
    if ones.bit_count() > first or (pos.upgrades | pos.strongholds).bit_count() > second:
        yield Fault("There are more fortifications than counters.", rule("18.1.3a"))
    for hex in bits((pos.works | pos.forts) & occupied(war, pos, ALLIED)):
        yield Fault("An Allied unit is in a fortification.", rule("18.2.3"), hex=hex)
    for hex in bits(pos.second_battles & ~pos.battles):
        yield Fault("A Battle marker is turned and not there.", rule("11.5.3a"), hex=hex)
    for side, name in enumerate(SIDES):
        if not 0 <= pos.supply[side] <= war.book.limits.supply:
            yield Fault(f"{name} has {pos.supply[side]} supply points.", rule("23.3.1b"))
        held = occupied(war, pos, side) & war.ground.held
        for hex in bits(held & (~pos.control if side == ALLIED else pos.control)):
            yield Fault("Who is in a city does not control it.", rule("16.3.4a"), hex=hex)


def check_order(war: War, pos: Table) -> Iterator[Fault]:
    """The turn, the phase, and what one leaves to the next."""
    if pos.phase not in PHASES and pos.phase != "over":
        yield Fault(f"There is no phase {pos.phase!r}.", rule("3.0a"))
    first = war.book.scenarios[pos.scenario].first
    if not first <= pos.turn <= pos.last_turn:
        yield Fault(f"There is no turn {pos.turn}.", rule("3.0D"))
    if pos.movers & ~there(war, pos, pos.side).units and pos.phase != "movement":
        yield Fault("A stack is still moving.", rule("5.1d"))
    if pos.retreating or pos.outer or pos.vacated != NOWHERE or pos.group:
        yield Fault("A battle is not finished.", rule("8.3.1f"))
