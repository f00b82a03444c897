"""What a side sees of the table, and the words that refusals borrow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.mechanics.showing import markers, named

from ..rules.c06_combat import odds, ready
from ..table.position import ALLIED, EAST, GERMAN, LOST, NOBODY, SPENT, UNLAID, WEST, Table
from ..table.war import BRIDGES, SIDES, War


def view(war: War, pos: Table, side: int) -> dict[str, Any]:
    """Everything but where the charge is, which only the Germans know (5.1)."""
    code = war.board.code
    charge = {UNLAID: "not laid", SPENT: "blown", WEST: "west", EAST: "east"}[pos.charge]
    return {
        "turn": pos.turn,
        "track": [str(turn) for turn in range(1, pos.last_turn + 1)],
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [counter(war, pos, unit) for unit in range(len(war.names))],
        "markers": markers(
            war.board, [(hex, "won", "Held by the Allies", "Allied") for hex in bits(pos.held)]
        ),
        "held": [code(hex) for hex in bits(pos.held)],
        "warnings": ["With one more town the Allies win at once."]
        if (war.towns & ~pos.held).bit_count() == 1
        else [],
        "blown": [name for b, name in enumerate(BRIDGES) if pos.blown >> b & 1],
        "charge": "hidden" if pos.charge in (WEST, EAST) and side != GERMAN else charge,
        "moving": None
        if pos.mover == NOBODY
        else {"units": [war.names[pos.mover]], "points": pos.left / war.ticks},
        "battle": None
        if pos.target == NOBODY
        else {
            "hex": code(pos.target),
            "attackers": named(war.names, pos.attackers),
        },
    }


def counter(war: War, pos: Table, unit: int) -> dict[str, Any]:
    """A counter and what lies on it."""
    printed, steps, hex = war.roster[unit], pos.steps[unit], pos.hex[unit]
    face = max(steps, 1)
    status = {"out of supply": pos.cut, "moved": pos.moved, "fought": pos.fought}
    return {
        "name": printed.name,
        "title": f"{printed.name} Battalion",
        "side": printed.side,
        "nation": "CW" if war.side_of[unit] == ALLIED else "GE",
        "troops": "armoured" if printed.kind == "tracks" else "infantry",
        "size": "battalion",
        "hex": war.board.code(hex) if hex != LOST else None,
        "where": "on the map" if hex != LOST else "eliminated",
        "steps": steps,
        "full": 2,
        "factors": {
            "attack": printed.attack(face),
            "defence": printed.defence(face),
            "moves": war.paces[printed.kind].points,
        },
        "status": [word for word, units in status.items() if units >> unit & 1],
    }


def against(war: War, pos: Table, target: int, units: Mask) -> str:
    """The factors of an attack, as they stand against each other."""
    found = odds(war, pos, target, bits(units))
    return f"{found.attack} against {found.defence}"


VOCABULARY: dict[str, Callable[[War, Table, Option], str]] = {
    "mover": lambda war, pos, _: war.names[pos.mover],
    "target": lambda war, pos, _: war.board.code(pos.target),
    "all against": lambda war, pos, option: against(
        war, pos, option.hex, ready(war, pos, option.hex)
    ),
    "named against": lambda war, pos, _: against(war, pos, pos.target, pos.attackers),
}
"""What the sentences of bars have in braces."""
