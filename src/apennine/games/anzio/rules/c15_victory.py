"""C15: victory."""

from __future__ import annotations

from apennine.hexes import Mask

from ..table.position import ALLIED, GERMAN, OPEN, Table
from ..table.war import War
from .b4e_zones import strong_hexes, zone
from .c9_supply import allied_sources, fed_hexes, line_hexes


def cities_won(war: War, pos: Table) -> list[str]:
    """C15B: the places that count, friendly to the Allies and in their supply.

    One hex of Roma is enough, and more do not count. A line runs from the hex itself, which may be
    in a German zone of control; a port there is no source of its own (C15B2).
    """
    scenario = war.book.scenarios[pos.scenario]
    sources = 0
    for hexes, _ in allied_sources(war, pos):
        sources |= hexes
    fed = fed_hexes(war, sources, line_hexes(war, pos, ALLIED))
    places = war.ground.places[scenario.cities]
    return [name for name, hexes in places.items() if hexes & pos.friendly & fed]


def way_past_the_front(war: War, pos: Table) -> Mask:
    """C15C: the hexes of the German edge to which a line leads from a port counter.

    It is free of German units with a defence factor and of their zones; inverted counters do not
    block it, and the edge counts even where the Allies hold it.
    """
    ports = 0
    for base, state in zip(war.ground.bases, pos.bases):
        ports |= base.hexes & pos.friendly if state == OPEN else 0
    free = war.ground.land & ~zone(war, pos, GERMAN) & ~strong_hexes(war, pos, GERMAN)
    found = war.lattice.flood_sides(ports & free, free, war.ground.open)
    return found & war.ground.german_edge


def judgement(war: War, pos: Table) -> tuple[int, str, str]:
    """C15B, C15C: who has won as the last German turn ends, why, and by which rule."""
    won, needed = cities_won(war, pos), war.book.scenarios[pos.scenario].needed
    if len(won) >= needed:
        return ALLIED, f"The Allies hold {len(won)} of the places: {', '.join(won)}.", "C15B1"
    if way_past_the_front(war, pos):
        return ALLIED, "The German front has a gap through which the Allies can march.", "C15C"
    reason = f"The Allies hold {len(won)} of the {needed} places that they need."
    return GERMAN, reason, "C15C2"


def score(war: War, pos: Table, side: int) -> float:
    """How far a side is ahead in places that count; a gap in the front is as good as all."""
    scenario = war.book.scenarios[pos.scenario]
    points = len(cities_won(war, pos)) - scenario.needed + 0.5
    return points if side == ALLIED else -points
