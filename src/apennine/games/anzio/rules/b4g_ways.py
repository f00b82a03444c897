"""B4G2 to B4G4: where units can retreat to, and the sea as their last way out (C7C5)."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.order import UNIT, Bars, Order

from ..table.position import ALLIED, GERMAN, Table
from ..table.rivers import BARRED
from ..table.war import War
from .b4c_march import bounds
from .b4d_stacking import full_hexes
from .b4e_zones import ghosts, there
from .c7_sea import can_evacuate, evacuate
from .c8_edges import open_boxes

RETREATING = "Units retreat if a battle makes them"
Way = tuple[tuple[int, int], ...]
"""The hexes of a retreat in order, each with what binds the unit there."""


def ways(war: War, pos: Table, unit: int) -> dict[int, Way]:
    """B4G2, B4G3: by end, a way of one or two hexes on which a unit survives its retreat.

    Not back to where it began (B4G2b), into or through an enemy zone of control (B4G4b), or over a
    river (B4G3b). A side all of High Apennine is crossed only if nothing else is left, and ends the
    retreat (B4G3c); mountain units do not mind it (D8B5). Roads lead over both (B4G3e).
    """
    start = pos.hex[unit], pos.bank[unit]
    free = pos.mountain and war.mountaineers >> unit & 1 != 0
    on = bounds(war, pos, 1 << unit)
    ghost = 0
    if war.side_of[unit] == GERMAN:  # E10D8: partisans bar no retreat
        ghost = ghosts(war, there(war, pos, ALLIED))
    shut = on.enemies & ~ghost | on.zone | 1 << start[0]
    easy, steep = _steps(war, start, shut)
    if free:
        easy, steep = easy + steep, []
    found: dict[int, Way] = {}
    for first in easy:
        found.setdefault(first[0], (first,))
    for first in easy:
        beyond, high = _steps(war, first, shut)
        for second in beyond + high if free else beyond:
            found.setdefault(second[0], (first, second))
    for way in [way for way in found.values() if ghost >> way[-1][0] & 1]:
        for third in _steps(war, way[-1], shut | ghost)[0]:
            found.setdefault(third[0], (*way, third))
    for hex in bits(mask_of(found) & (war.ground.passing | ghost)):
        del found[hex]
    return found or {step[0]: (step,) for step in steep if not war.ground.passing >> step[0] & 1}


def _steps(
    war: War, here: tuple[int, int], shut: Mask
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where one step leads from a hex: over ordinary sides, and over those all of High Apennine."""
    easy: list[tuple[int, int]] = []
    steep: list[tuple[int, int]] = []
    ground, hex = war.ground, here[0]
    for d in range(6):
        if not ground.open[d] >> hex & 1:
            continue
        beyond = war.lattice.neighbour(hex, d)
        bound = ground.rivers.step(*here, d)
        if shut >> beyond & 1 or bound == BARRED:
            continue
        (steep if ground.roadless_high[d] >> hex & 1 else easy).append((beyond, bound))
    return easy, steep


def refuges(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit may end its retreat: where there is room, as long as there is such a place.

    Allied units may leave the map over the edges of Messina and Taranto (C8F).
    """
    ends = mask_of(ways(war, pos, unit))
    if war.side_of[unit] == ALLIED:
        ends |= open_boxes(war, pos, pos.hex[unit])
    roomy = ends & ~full_hexes(war, pos, war.side_of[unit], 1 << unit)
    return roomy or ends


class Embark(Order[War, Table]):
    """C7C5: an Allied unit that must retreat is evacuated instead."""

    verb, names = "embark", (UNIT,)
    when, rule = RETREATING, "C7C5c"

    def bars(self, war: War, pos: Table) -> Bars:
        going = pos.retreating | pos.withdrawing
        yield going, "{unit} does not have to retreat now", "B4G1"
        yield war.army[ALLIED], "{unit} is no Allied unit, and never moves by sea", "C7A1"
        afloat = can_evacuate(war, pos, going)
        yield afloat, "{unit} is not where it could be evacuated", "C7C2"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return evacuate(war, pos, option.unit)


EMBARK = Embark()
