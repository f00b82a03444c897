"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong, wrong_steps

from ..rules.c02_pieces import occupied, there
from ..rules.c03_sequence import PHASES
from ..rules.c05_areas import friendly_areas
from ..rules.c10_steps import used
from ..table.data import SIDES
from ..table.position import ALLIED, DEAD, GERMAN, GONE, LOST, NOWHERE, Table
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    if any(len(track) != len(war.names) for track in (pos.hex, pos.steps)):
        return [Fault("The lists have not one item for each unit.")]
    found = *check_units(war, pos), *check_marks(war, pos), *check_order(war, pos)
    return showing.faults(war.board, war.names, pos.hex, found)


def check_units(war: War, pos: Table) -> Iterator[Wrong]:
    """Where units are, and how strong."""
    removed = mask_of(unit for unit, hex in enumerate(pos.hex) if hex == GONE)
    for units, sentence, by in wrong_steps(pos.hex, pos.steps, war.full, "10.3", (LOST, DEAD)):
        yield units & ~removed, sentence, by  # 22.2.2: some of these were eliminated before
    land, on_map = war.ground.land, war.lattice.size
    for unit, hex in enumerate(pos.hex):
        bit, side = 1 << unit, war.side_of[unit]
        third = war.full[unit] == 3 and pos.steps[unit] == 1
        odd = third != bool(pos.remnants & bit) and hex != GONE  # of these it is back (22.2.1)
        yield odd and bit, "{unit} is at odds with its Remnant", "10.4.1a"
        lost = hex < DEAD or (0 <= hex < on_map and not (hex in war.lattice and land >> hex & 1))
        yield lost and bit, "{unit} is nowhere", "5.1e"
        areas = friendly_areas(war, pos, side) if hex >= on_map else ()
        strange = hex >= on_map and war.ground.area_names.get(hex) not in areas
        yield strange and bit, "{unit} is in an area of the enemy", "21.2.1"
    for number, kind in enumerate(war.remnant_kinds):
        many = used(war, pos, number) > war.remnant_counts[number]
        yield many, f"There are too many Remnants of {kind}", "10.4.2b"
    both = occupied(war, pos, ALLIED) & occupied(war, pos, GERMAN)
    yield both, "Both sides are in {hex}", "5.1e"


def check_marks(war: War, pos: Table) -> Iterator[Wrong]:
    """Markers of units and of hexes, and those of tracks."""
    yield pos.disrupted & pos.routed, "{unit} is in two states", "13.1.1a"
    yield pos.isolated & ~pos.hungry, "{unit} is isolated and supplied", "16.5.1b"
    yield pos.ready & ~war.artillery, "{unit} has no Ready side", "17.5a"
    marked = pos.disrupted | pos.routed | pos.hungry | pos.trucked
    out = mask_of(unit for unit in bits(marked) if pos.hex[unit] < 0)
    yield out, "{unit} is marked off the map", "13.1.1a"
    yield pos.works & pos.forts, "The fortification in {hex} is built and is not", "18.1.1"
    high, both = pos.upgrades | pos.strongholds, pos.upgrades & pos.strongholds
    yield high & ~pos.forts | both, "The level 2 in {hex} has no level 1 below it", "18.1.2"
    first, second = war.book.limits.forts
    ones = pos.works | pos.forts & ~pos.strongholds
    many = ones.bit_count() > first or high.bit_count() > second
    yield many, "There are more fortifications than counters", "18.1.3a"
    invaded = (pos.works | pos.forts) & occupied(war, pos, ALLIED)
    yield invaded, "An Allied unit is in the fortification in {hex}", "18.2.3"
    turned = pos.second_battles & ~pos.battles
    yield turned, "The Battle marker of {hex} is turned and not there", "11.5.3a"
    for side, name in enumerate(SIDES):
        points = pos.supply[side]
        rich = not 0 <= points <= war.book.limits.supply
        yield rich, f"{name} has {points} supply points", "23.3.1b"
        held = occupied(war, pos, side) & war.ground.held
        lost = held & (~pos.control if side == ALLIED else pos.control)
        yield lost, "Who is in the city of {hex} does not control it", "16.3.4a"


def check_order(war: War, pos: Table) -> Iterator[Wrong]:
    """The turn, the phase, and what one leaves to the next."""
    known = pos.phase in PHASES or pos.phase == "over"
    yield not known, f"There is no phase {pos.phase!r}", "3.0a"
    first = war.book.scenarios[pos.scenario].first
    yield not first <= pos.turn <= pos.last_turn, f"There is no turn {pos.turn}", "3.0D"
    moving = pos.movers & ~there(war, pos, pos.side).units and pos.phase != "movement"
    yield moving, "A stack is still moving", "5.1d"
    advancing = pos.vacated != NOWHERE or pos.group
    fighting = (
        pos.retreating or pos.outer or (advancing and pos.phase not in ("combat", "triumphs"))
    )
    yield bool(fighting), "A battle is not finished", "8.3.1f"
