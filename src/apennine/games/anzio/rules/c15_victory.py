"""C15: victory."""

from __future__ import annotations

from apennine.hexes import Mask

from ..table.data import Terms
from ..table.position import ALLIED, GERMAN, OPEN, Table
from ..table.war import War
from .b4e_zones import strong_hexes, zone
from .c9_supply import allied_sources, fed_hexes, line_hexes


def cities_won(war: War, pos: Table) -> list[str]:
    """C15B: the places that count, friendly to the Allies and in their supply.

    One hex of Roma is enough, and more do not count. A line runs from the hex itself, which may be
    in a German zone of control; a port there is no source of its own (C15B2).
    """
    sources = 0
    for hexes, _ in allied_sources(war, pos):
        sources |= hexes
    fed = fed_hexes(war, sources, line_hexes(war, pos, ALLIED))
    places = places_of(war, pos)
    return [name for name, hexes in places.items() if hexes & pos.friendly & fed]


def terms_of(war: War, pos: Table) -> Terms:
    """E21E: what the Allies need, in the Advanced Game against the German order of battle.

    Before that is chosen the Standard one counts; who is released changes nothing (E21E6).
    """
    scenario = war.book.scenarios[pos.scenario]
    return scenario.terms[max(pos.oob - 1, 0)] if scenario.terms else Terms(needed=scenario.needed)


def places_of(war: War, pos: Table) -> dict[str, Mask]:
    """C15A, E21E: the places that count, each with its hexes."""
    places = war.ground.places[war.book.scenarios[pos.scenario].cities]
    besides = terms_of(war, pos).besides
    return {name: hexes for name, hexes in places.items() if name not in besides}


def other_goals(war: War, pos: Table) -> list[str]:
    """E21E4: what else the Allies still lack: places to be reached, or to be cut off."""
    terms = terms_of(war, pos)
    if not (terms.reached or terms.isolated):
        return []
    places = war.ground.places[war.book.scenarios[pos.scenario].cities]
    held = zone(war, pos, ALLIED) | pos.friendly
    found = [f"{name} in a zone" for name in terms.reached if not places[name] & held]
    fed = fed_hexes(war, war.german_edge(pos), line_hexes(war, pos, GERMAN))
    cut = ~fed | pos.friendly
    found += [f"{name} isolated" for name in terms.isolated if not places[name] & cut]
    return found


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
    return found & war.german_edge(pos)


def has_front(war: War, pos: Table) -> bool:
    """E21E3: whether the Germans must keep a front to the end: not in Game III."""
    return war.book.scenarios[pos.scenario].front


def judgement(war: War, pos: Table) -> tuple[int, str, str]:
    """C15B, C15C: who has won as the last German turn ends, why, and by which rule."""
    won, needed = cities_won(war, pos), terms_of(war, pos).needed
    lacking = other_goals(war, pos)
    if len(won) >= needed and not lacking:
        return ALLIED, f"The Allies hold {len(won)} of the places: {', '.join(won)}.", "C15B1"
    if has_front(war, pos) and way_past_the_front(war, pos):
        return ALLIED, "The German front has a gap through which the Allies can march.", "C15C"
    reason = f"The Allies hold {len(won)} of the {needed} places that they need."
    if lacking:
        reason = f"The Allies hold {len(won)} of {needed} places, and lack {', '.join(lacking)}."
    return GERMAN, reason, "C15C2"


def score(war: War, pos: Table, side: int) -> float:
    """How far a side is ahead in places that count; a gap in the front is as good as all."""
    points = len(cities_won(war, pos)) - terms_of(war, pos).needed + 0.5
    return points if side == ALLIED else -points
