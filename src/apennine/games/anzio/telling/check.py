"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong, wrong_steps

from ..rules.b4d_stacking import overloaded
from ..rules.b4e_zones import defence_of, doomed, there
from ..table.data import SIDES
from ..table.position import (
    ADRIATIC,
    AFLOAT,
    ALLIED,
    AWAY,
    BROKEN,
    CLOSED,
    DESTROYED,
    DUE,
    GERMAN,
    LIGURIAN,
    OPEN,
    POOL,
    UNDER_WAY,
    WITHDRAWN,
    Table,
)
from ..table.war import War


def check(war: War, pos: Table) -> list[Fault]:
    """All faults, or one if the lists are too short to look on."""
    if any(len(track) != len(war.names) for track in (pos.hex, pos.steps, pos.bank)):
        return [Fault("The lists have not one item for each unit.")]
    bases = len(war.ground.bases)
    if any(len(track) < bases for track in (pos.bases, pos.landed, pos.sailed, pos.saved)):
        return [Fault("The lists have not one item for each port and beachhead.")]
    found = *check_units(war, pos), *check_map(war, pos), *check_order(war, pos)
    return showing.faults(war.board, war.names, pos.hex, found)


def check_units(war: War, pos: Table) -> Iterator[Wrong]:
    """Where units are, and how strong."""
    # E9J2: a regiment without a step is a cadre.
    steps = pos.steps[:]
    for unit in bits(war.cadres):
        steps[unit] = max(steps[unit], pos.hex[unit] != DESTROYED)
    yield from wrong_steps(pos.hex, steps, war.full, "B4F8a", (DESTROYED,))
    ground, on_map = war.ground, war.lattice.size
    boxes = mask_of((ground.sicilia, *(entry.place for entry in ground.entries)))
    for unit, place in enumerate(pos.hex):
        bit, side = 1 << unit, war.side_of[unit]
        if place >= on_map:
            allowed = side == ALLIED and boxes >> place & 1
        elif place >= 0:
            allowed = ground.stands >> place & 1
        else:
            allowed = place in (DESTROYED, AWAY, POOL, DUE, AFLOAT, WITHDRAWN)
            allowed |= side == GERMAN and place in (LIGURIAN, ADRIATIC, BROKEN)
        yield not allowed and bit, "{unit} is nowhere", "B2F2b"
        strange = place == POOL and not war.replacements & bit
        yield strange and bit, "{unit} is among the replacements, and is none", "C11A4"
        yield (place == DUE and side == ALLIED) and bit, "{unit} enters over no edge", "C2A2"
        odd = place >= 0 and bool(pos.soft & bit) == bool(defence_of(war, pos, unit))
        yield odd and bit, "{unit} is at odds with its defence factor", "C10C3"
    armies = [there(war, pos, side).occupied for side in (ALLIED, GERMAN)]
    both = armies[ALLIED] & armies[GERMAN] & ~doomed(pos)  # C12C
    yield both, "Both sides are in {hex}", "B4D4"
    for side in (ALLIED, GERMAN):
        crowded = [hex for hex in bits(armies[side]) if overloaded(war, pos, side, hex)]
        yield mask_of(crowded), "Too many units are in {hex}", "B4D1"


def check_map(war: War, pos: Table) -> Iterator[Wrong]:
    """Friendly hexes, ports, forts, and counters in hand."""
    ground = war.ground
    allied, german = (there(war, pos, side).occupied for side in (ALLIED, GERMAN))
    passed = doomed(pos)  # C12B1: others go through them
    if pos.turn == 1:  # E10B4e: not where there are Italians alone
        german_land = there(war, pos, ALLIED).among(allied & ~pos.friendly)
        allied &= pos.friendly | ~mask_of(pos.hex[u] for u in bits(german_land & war.italians))
    yield allied & ~pos.friendly & ~passed, "{hex} is Allied, and not friendly to the Allies", "C4a"
    yield german & pos.friendly & ~passed, "{hex} is German, and not friendly to the Germans", "C4a"
    yield pos.friendly & ~ground.land, "{hex} is friendly, and not playable", "B2F2b"
    yield pos.works & ~ground.stands, "The fort in {hex} stands nowhere", "D6B3"
    held = pos.works & deadly(war, pos)
    yield held, "The fort in {hex} has been passed by the Allies", "D6B8"
    for base, state in zip(ground.bases, pos.bases):
        known = state in (CLOSED, UNDER_WAY, OPEN)
        yield not known, f"The counter of {base.name} is in no state", "C5F2b"
        landing = state == UNDER_WAY and not base.is_port
        lost = state != CLOSED and not base.hexes & pos.friendly and not landing
        yield lost, f"{base.name} has a counter and no friendly hex", "C5G3"
    used = sum(state != CLOSED for state in pos.bases) + pos.ports
    yield used > war.book.limits.ports, "There are more port counters than the game has", "C1B3"
    most = war.book.limits.forts
    yield pos.works.bit_count() > most, "There are more forts than the game has", "D6B1"
    for name, left in zip((*SIDES, "German armor"), pos.credit):
        yield left < 0, f"{name} has fewer than no replacements", "C11A12"
    boxes = mask_of(entry.place for entry in ground.entries)
    yield bool(pos.entries & ~boxes), "A box is open that is none", "C8A"


def deadly(war: War, pos: Table) -> int:
    """The hexes with Allied units that have an attack factor."""
    stacks = there(war, pos, ALLIED).stacks.items()
    return mask_of(
        place
        for place, units in stacks
        if 0 <= place < war.lattice.size
        and any(war.faces[unit][pos.steps[unit]][0] for unit in bits(units))
    )


def check_order(war: War, pos: Table) -> Iterator[Wrong]:
    """The turn, and what one phase leaves to the next."""
    scenario = war.book.scenarios[pos.scenario]
    there_is = scenario.first <= pos.turn <= scenario.last
    yield not there_is, f"There is no turn {pos.turn}", "B4B1"
    aboard = mask_of(unit for unit, place in enumerate(pos.hex) if place == AFLOAT)
    yield aboard, "{unit} is still at sea", "C7C4"
    moving = pos.movers and pos.phase != "movement"
    yield bool(moving), "A stack is still moving", "B4C5"
    declaring = pos.phase in ("movement", "combat")  # C12 and B4E9
    fighting = pos.loss or pos.losers or (not declaring and (pos.targets or pos.attackers))
    yield bool(fighting or pos.retreating), "A battle is not finished", "B4E4"
    waits = pos.claims and pos.phase not in ("movement", "combat")
    yield bool(waits), "An Automatic Victory waits for its battle", "C12D"
