"""What a player will want to know before it hurts."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule

from ..rules.b4c_march import find_march, gait
from ..rules.b4d_stacking import load
from ..rules.b4e_zones import deadly_hexes, there, weak_hexes
from ..rules.b4g_retreat import refuges
from ..rules.c7_sea import can_evacuate
from ..rules.c9_supply import unsupplied
from ..rules.c15_victory import cities_won, has_front, terms_of, way_past_the_front
from ..table.position import ALLIED, GERMAN, Table
from ..table.rivers import FREE
from ..table.war import War

SOON = 3
"""Turns before the end from which its terms are told."""


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    if side < 0:
        return []
    return [
        *starving(war, pos, side),
        *defenceless(war, pos, side),
        *trapped(war, pos, side),
        *ending(war, pos, side),
    ]


def starving(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units without supply now: in a first turn of it, or about to be destroyed (C9A7)."""
    short = unsupplied(war, pos, side) & ~pos.lift  # C5E: who has just landed needs none yet
    for unit in bits(short):
        name, second = war.names[unit], pos.hungry >> unit & 1
        if second:
            sentence = f"{name} will be destroyed at the end of its turn unless it is supplied."
        else:
            sentence = f"{name} is out of supply; two turns of that in a row destroy it."
        yield Warning(sentence, rule("C9A7"), unit, pos.hex[unit])
    if side == ALLIED and (over := pos.over & short):
        points = load(war, over)
        sentence = f"{points} stacking points are over Capacity: ship them out or open a port."
        yield Warning(sentence, rule("C9C8b1"))


def defenceless(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Inverted counters and Allied replacements that an enemy could destroy in passing (C10C3)."""
    weak = weak_hexes(war, pos, side)
    if not weak:
        return
    reached = visited(war, pos, 1 - side)
    for hex in bits(weak):
        if war.ground.beside[hex] & reached:
            units = there(war, pos, side).stack(hex)
            who = ", ".join([war.names[unit] for unit in bits(units)])
            here = war.board.code(hex)
            sentence = f"An enemy who passes {here} destroys {who}: nobody defends there."
            yield Warning(sentence, rule("C10C3"), -1, hex)


def visited(war: War, pos: Table, side: int) -> int:
    """The hexes that units of a side with an attack factor could pass if it moved now."""
    asked = pos.copy()
    asked.side, asked.claims, asked.movers = side, (), 0
    found = deadly_hexes(war, asked, side)
    for hex in bits(found):
        unit = next(
            unit
            for unit in bits(there(war, pos, side).stack(hex))
            if war.faces[unit][pos.steps[unit]][0]
        )
        how = gait(war, asked, unit)
        node, points = war.node[hex, FREE], how.allowance
        found |= find_march(war, asked, how, node, points, points, True, 1 << unit).ends
    return found


def trapped(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Units next to the enemy that no retreat would save (B4G4b)."""
    near = 0
    for hex in bits(deadly_hexes(war, pos, 1 - side)):
        near |= war.ground.beside[hex]
    units = there(war, pos, side).among(near) & ~pos.soft
    saved = can_evacuate(war, pos, units) if side == ALLIED else 0
    lost = mask_of(unit for unit in bits(units & ~saved) if not refuges(war, pos, unit))
    for unit in bits(lost):
        sentence = f"{war.names[unit]} has no retreat: a result that asks for one destroys it."
        yield Warning(sentence, rule("B4G4b"), unit, pos.hex[unit])


def ending(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """The last turns: what decides, and whether the German front has a gap (C15)."""
    scenario = war.book.scenarios[pos.scenario]
    left = scenario.last - pos.turn
    if left >= SOON:
        return
    when = "This is the last turn" if not left else f"{left + 1} turns are left"
    lack = terms_of(war, pos).needed - len(cities_won(war, pos))
    gap = way_past_the_front(war, pos) if has_front(war, pos) else 0
    if side == GERMAN and gap:
        hex = next(bits(gap))
        sentence = f"{when}, and a way past your front leads to {war.board.code(hex)}."
        yield Warning(sentence, rule("C15C"), -1, hex)
    elif side == ALLIED and lack > 0 and not gap:
        places = "place" if lack == 1 else "places"
        yield Warning(f"{when}, and you lack {lack} {places}.", rule("C15B1"))
