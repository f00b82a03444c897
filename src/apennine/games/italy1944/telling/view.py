"""What a side may see of the table."""

from __future__ import annotations

from typing import Any

from apennine.hexes import Mask, bits
from apennine.mechanics.showing import markers, marks, named

from ..rules.c04_zones import on_map, those_in
from ..rules.c10_support import ATTACKER, DEFENDER
from ..rules.c13_victory import alarms, points
from ..table.data import SIDES
from ..table.position import ALLIED, AWAY, GONE, LOST, NOWHERE, Note, Table
from ..table.war import War

PLANS = ("landing", "offensive", "no landing")


def view(war: War, pos: Table, side: int) -> dict[str, Any]:
    """All that a side (-1: a spectator) may see."""
    code, hidden = war.board.code, unseen(war, pos, side)
    return {
        "turn": pos.turn,
        "track": list(war.months[: pos.last_turn]),
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [view_unit(war, pos, hidden, unit) for unit in range(len(war.names))],
        "markers": view_markers(war, pos),
        "warnings": alarms(war, pos),
        "moving centres": [name for s, name in enumerate(SIDES) if pos.moving_centres >> s & 1],
        "beachheads destroyed": pos.destroyed,
        "allied control": [code(hex) for hex in bits(pos.control)],
        "gothic hexes entered": [code(hex) for hex in bits(pos.gothic)],
        "points": {name: points(war, pos, s) for s, name in enumerate(SIDES)},
        "replacements left": {
            nation: war.replacement_points(number, pos.turn) - pos.spent[number]
            for number, nation in enumerate(war.nation_names)
        },
        "operations": list(pos.launched),
        "notes": [view_note(war, note) for note in pos.notes if note[4] or side == ALLIED],
        "notes waiting": sum(not note[4] for note in pos.notes),
        "air used": dict(zip(SIDES, pos.air)),
        "naval used": pos.naval,
        "moving": {
            "units": named(war.names, pos.movers),
            "points": max(pos.points, pos.points + pos.extra) / war.scale,
        }
        if pos.movers
        else None,
        "battle": view_battle(war, pos),
    }


def unseen(war: War, pos: Table, side: int) -> Mask:
    """What is in the reserve, withdrawn, or kept for the start, only the Allies see (12b)."""
    if side == ALLIED:
        return 0
    off = those_in(war, pos, war.reserve, ALLIED) | those_in(war, pos, GONE, ALLIED)
    return off | those_in(war, pos, AWAY, ALLIED) & war.at_start


def view_unit(war: War, pos: Table, hidden: Mask, unit: int) -> dict[str, Any]:
    """A counter; of those that are hidden it is not told where they are."""
    hex, steps = pos.hex[unit], pos.steps[unit]
    off = {LOST: "eliminated", AWAY: "to come", GONE: "withdrawn", war.reserve: "reserve"}
    where = "off the map" if hidden >> unit & 1 else off.get(hex, "on the map")
    status = (
        ("out of supply", pos.cut),
        ("moved", pos.moved),
        ("attacked", pos.attacked),
        ("just landed", pos.landed),
    )
    return {
        "name": war.names[unit],
        "title": war.roster[unit].title,
        "side": SIDES[war.side_of[unit]],
        "nation": war.roster[unit].nation,
        "troops": war.roster[unit].troops,
        "size": war.roster[unit].size,
        "hex": war.board.code(hex) if on_map(war, pos, unit) else None,
        "where": where,
        "steps": steps,
        "full": war.full[unit],
        "factors": {
            "attack": war.attack[unit][steps],
            "defence": war.defence[unit][steps],
            "moves": war.moves[unit][steps],
        },
        "status": marks(unit, status),
    }


def view_markers(war: War, pos: Table) -> list[dict[str, object]]:
    """Logistic centres, beachheads, the marker of an offensive."""
    found = [(hex, "LC", f"{side} logistic centre", side) for side, hex in zip(SIDES, pos.centre)]
    found += [(hex, "BH", "Beachhead", "Allied") for hex in pos.beaches]
    found.append((pos.offensive, "OFF", "General offensive", "Allied"))
    return markers(war.board, found)


def view_note(war: War, note: Note) -> dict[str, Any]:
    """A plan, to those who may read it."""
    kind, hex, turn, written, shown = note
    return {
        "plan": PLANS[kind],
        "hex": war.board.code(hex) if hex != NOWHERE else None,
        "turn": turn,
        "written": written,
        "shown": bool(shown),
    }


def view_battle(war: War, pos: Table) -> dict[str, object] | None:
    """The battle under way."""
    if pos.target == NOWHERE:
        return None
    return {
        "hex": war.board.code(pos.target),
        "attacker": SIDES[pos.side],
        "attackers": named(war.names, pos.attackers),
        "support": {"attacker": pos.support[ATTACKER], "defender": pos.support[DEFENDER]},
        "breakthrough": pos.breakthrough,
    }
