"""Chapter 2: the pieces; who is where, and in what order, on which most other chapters rest."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.order import Bars
from apennine.mechanics.whereabouts import both as both
from apennine.mechanics.whereabouts import occupied as occupied
from apennine.mechanics.whereabouts import there as there
from apennine.mechanics.whereabouts import those_in as those_in
from apennine.mechanics.whereabouts import units_in as units_in

from ..table.position import AWAY, DEAD, GONE, LOST, WITHDRAWN, Table
from ..table.war import War


def unready(pos: Table) -> Mask:
    """The units that are not in Good Order: Disrupted or in Full Retreat (13.1.1)."""
    return pos.disrupted | pos.routed


def elite(war: War, pos: Table) -> Mask:
    """The elite units, as their counters or Remnants show it (2.3.2b)."""
    return war.elite[0] & ~pos.remnants | war.elite[1] & pos.remnants


def low(war: War, pos: Table) -> Mask:
    """The units of low quality (2.3.2b)."""
    return war.low[0] & ~pos.remnants | war.low[1] & pos.remnants


def mountaineers(war: War, pos: Table) -> Mask:
    """The mountain units; as Remnants they are so no longer (10.4.1b, 19.3)."""
    return war.mountaineers & ~pos.remnants


def formation_of(war: War, pos: Table, unit: int) -> int:
    """The formation of a unit, -1 if it is independent (8.4.2, 8.4.4)."""
    return war.formation[unit][pos.remnants >> unit & 1]


def sky(war: War, pos: Table) -> str:
    """The weather: clear, cloudy, rain or mud (23.1c)."""
    return war.skies[pos.weather]


def is_wet(war: War, pos: Table) -> bool:
    """Whether it rains, mud or not (5.9)."""
    return war.wet[pos.weather]


def in_the_field(war: War, pos: Table, side: int) -> Bars:
    """The bars on a unit that must be of a side and in a hex."""
    yield war.army[side], "{unit} belongs to the other side", "1.0"
    yield there(war, pos, side).units, off_the_map(war, pos, side)


def off_the_map(war: War, pos: Table, side: int) -> Bars:
    """Where else than in a hex a unit is."""
    present = there(war, pos, side)
    yield ~present.stack(AWAY), "{unit} has not come yet", "21.1.1"
    yield ~present.stack(LOST), "{unit} is eliminated", "10.3"
    yield ~present.stack(DEAD), "{unit} is eliminated for good", "16.5.6"
    yield ~present.stack(GONE), "{unit} has been removed", "22.2.1"
    yield ~present.stack(WITHDRAWN), "{unit} is withdrawn for a time", "22.1a"
    yield 0, "{unit} is in an entry area", "21.3c"
