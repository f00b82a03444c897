"""Chapters 2 and 3: the pieces; who is where, and in what state, on which all chapters rest."""

from __future__ import annotations

from collections.abc import Iterable

from apennine.hexes import Mask, bits
from apennine.kernel.order import Bars
from apennine.mechanics.whereabouts import there as there
from apennine.mechanics.whereabouts import those_in as those_in

from ..table.data import Offensive
from ..table.position import AVAILABLE, AWAY, CENTRAL, EXITED, LOST, MISSIONS, POOR, Table
from ..table.war import Theatre, War

LEAST_FLEEING = 2
"""Retreat mode lowers morale no further (11.4b)."""
ELITE = 5
"""The least morale of elite units (3.0h)."""


def theatre(war: War, pos: Table) -> Theatre:
    """What the scenario makes of the map."""
    return war.theatres[pos.scenario]


def offensive(war: War, pos: Table) -> Offensive | None:
    """The offensive that the scenario has for this turn, by option another one (8.0, S4.S6b)."""
    here = theatre(war, pos)
    return (here.gathered if pos.gathered else here.offensives).get(pos.turn)


def is_poor(pos: Table) -> bool:
    """Whether the weather is Poor, after fog or not (10.0d, 10.0e)."""
    return pos.weather == POOR


def unready(pos: Table) -> Mask:
    """Units that are Disorganized or Reorganizing, which is the same in play (12.5h)."""
    return pos.disorganized | pos.reorganizing


def attack(war: War, pos: Table, unit: int) -> int:
    """The attack factor that a counter shows."""
    return war.faces[unit][pos.steps[unit]][0]


def defence(war: War, pos: Table, unit: int) -> int:
    """The defence factor that a counter shows."""
    return war.faces[unit][pos.steps[unit]][1]


def morale(war: War, pos: Table, unit: int) -> int:
    """The morale of a unit, one less in Retreat mode, but never under 2 (11.4b)."""
    shown = war.faces[unit][pos.steps[unit]][3]
    return max(shown - 1, LEAST_FLEEING) if pos.fleeing >> unit & 1 else shown


def is_elite(war: War, pos: Table, unit: int) -> bool:
    """A regiment, brigade or detachment of morale 5 or 6 (3.0h)."""
    small = (war.regiments | war.brigades | war.detachments) >> unit & 1
    return bool(small) and morale(war, pos, unit) >= ELITE


def bombards(war: War, pos: Table, unit: int) -> int:
    """The bombardment factor of artillery, one less in Retreat mode, but never under 1 (11.4c)."""
    value = war.roster[unit].value
    return max(value - 1, 1) if pos.fleeing >> unit & 1 else value


def full_strength(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some combat units that have lost no step."""
    found = 0
    for unit in bits(units & war.combat):
        if pos.steps[unit] == war.full[unit]:
            found |= 1 << unit
    return found


def attached(war: War, pos: Table, units: Mask) -> Mask:
    """The assault troops that are attached to any of some units (11.3.2a)."""
    hosts, found = pos.host, 0
    for support in war.troops:
        host = hosts[support]
        if host >= 0 and units >> host & 1:
            found |= 1 << support
    return found


def storms(war: War, pos: Table, unit: int) -> bool:
    """A regiment or brigade of the Central Powers with storm troops (12.4f, 12.2.6an)."""
    small = (war.regiments | war.brigades) & war.army[CENTRAL]
    return bool(small >> unit & 1 and attached(war, pos, 1 << unit))


def marked(markers: Iterable[Mask]) -> Mask:
    """The units under any of some markers."""
    found = 0
    for units in markers:
        found |= units
    return found


def frozen(pos: Table) -> Mask:
    """The units under the scenario's Reserves markers, which neither move nor attack (11.2.10a)."""
    return marked(pos.frozen)


def in_the_field(war: War, pos: Table, side: int) -> Bars:
    """The bars on a unit that must be of a side and in a hex."""
    yield war.army[side], "{unit} belongs to the other side", "1.0a"
    yield there(war, pos, side).units, off_the_map(war, pos, side)


def off_the_map(war: War, pos: Table, side: int) -> Bars:
    """Where else than in a hex a unit is."""
    present = there(war, pos, side)
    yield ~present.stack(AWAY), "{unit} has not come, or is not in this scenario", "11.1.5a"
    yield ~present.stack(LOST), "{unit} is eliminated", "6.0a"
    yield ~present.stack(EXITED), "{unit} has left the map by its western edge", "S1.V3"
    boxes = present.stack(AVAILABLE) | present.stack(MISSIONS)
    yield ~boxes, "{unit} is an air support that is not on a mission", "17.1f"
    yield 0, "{unit} is nowhere", "SC.c"
