"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong, wrong_steps

from ..rules.c02_pieces import marked, theatre, there
from ..rules.c07_sequence import PHASES
from ..table.position import AWAY, LOST, MISSIONS, NOBODY, Table
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    tracks = pos.hex, pos.steps, pos.host, pos.shots
    if any(len(track) != len(war.names) for track in tracks):
        return [Fault("The lists have not one item for each unit.")]
    found = *check_units(war, pos), *check_marks(war, pos), *check_order(war, pos)
    return showing.faults(war.board, war.names, pos.hex, found)


def check_units(war: War, pos: Table) -> Iterator[Wrong]:
    """Where units are, and how strong."""
    stepped = war.combat | war.assault
    for units, sentence, by in wrong_steps(pos.hex, pos.steps, war.full, "6.0a", (LOST,)):
        yield units & stepped, sentence, by
    ground = theatre(war, pos).area | war.ground.afloat
    for unit, hex in enumerate(pos.hex):
        lost = hex < MISSIONS or (hex >= 0 and not ground >> hex & 1)
        yield lost << unit, "{unit} is nowhere", "SC.b"
        host = pos.host[unit]
        apart = host != NOBODY and pos.hex[host] != hex
        yield apart << unit, "{unit} is not where its unit is", "11.3.2a"
    one, two = (there(war, pos, side).closed for side in (0, 1))
    yield one & two, "Both sides are in {hex}", "11.1.1g"


def check_marks(war: War, pos: Table) -> Iterator[Wrong]:
    """Markers of units."""
    yield pos.disorganized & pos.reorganizing, "{unit} is in two states", "12.5h"
    yield pos.hidden & ~war.detachments, "{unit} has no hidden side", "3.0c"
    yield pos.firing & ~war.army_guns, "{unit} has no Offensive mode", "8.0c"
    several = marked(pos.frozen) | marked(pos.reserves) | marked(pos.exploits)
    carried = several | pos.disorganized | pos.reorganizing | pos.hungry | pos.fleeing
    carried |= pos.hidden | pos.slipping | pos.pinned | pos.silent
    out = mask_of(unit for unit in bits(carried) if pos.hex[unit] < 0 and pos.hex[unit] != AWAY)
    yield out, "{unit} is marked off the map", "6.0a"
    many = [sum(owner == side for owner, _, _ in pos.pontoons) for side in (0, 1)]
    yield max(many) > war.book.limits.pontoons, "A side has too many pontoon bridges", "11.2.4i"


def check_order(war: War, pos: Table) -> Iterator[Wrong]:
    """The turn and the phase, and what one leaves to the next."""
    scenario = theatre(war, pos).scenario
    known = pos.phase in PHASES or pos.phase == "over"
    yield not known, f"There is no phase {pos.phase!r}", "7.0a"
    yield not scenario.first <= pos.turn <= scenario.last, f"There is no turn {pos.turn}", "7.0a"
    moving = pos.movers and pos.phase not in ("movement", "pursuit")
    yield bool(moving), "A stack is still moving", "11.1.1f"
    fighting = pos.target >= 0 and pos.phase not in ("combat", "exploitation")
    yield fighting, "A combat is not finished", "12.2a"
