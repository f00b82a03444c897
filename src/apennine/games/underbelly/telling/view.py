"""What a side may see of a position (6.9)."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits
from apennine.mechanics.showing import markers, marks, named

from ..rules.c06_fog import hidden
from ..rules.c07_zones import on_map
from ..rules.c11_supply import crossed_groups
from ..rules.c11_supply import status as supply
from ..table.data import SIDES
from ..table.phrases import SUPPLY_NAMES
from ..table.position import (
    ALLIED,
    AWAY,
    GONE,
    LOST,
    NO_ORDER,
    NOWHERE,
    OVERLAND,
    UNDECIDED,
    Table,
)
from ..table.war import War
from .warnings import alarms

ORDER_NAMES = ("", "move", "column movement", "attack", "move-fight", "fight-move")
OFF_THE_MAP = {LOST: "eliminated", AWAY: "to come", GONE: "out of play"}
UNKNOWN = "?"


def view(war: War, pos: Table, side: int) -> dict[str, object]:
    """The table as this side (-1: a spectator) sees it, as plain data."""
    unseen, outcome = hidden(war, pos, side), war.outcomes[pos.scenario or pos.agreed]
    known = [unit for unit in range(len(war.names)) if not unseen >> unit & 1]
    known.sort(key=lambda unit: pos.tops >> unit & 1)  # who lies on top of a stack comes last
    dropped = f"dropped in turn {pos.dropped}" if pos.dropped else ""
    army = "must enter now" if pos.army_due else "not assembled"
    return {
        "turn": pos.turn,
        "track": list(war.book.calendar.names),
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [*_unknown(war, pos, unseen), *(_unit(war, pos, unit) for unit in known)],
        "markers": _markers(war, pos),
        "battle": _battle(war, pos),
        "moving": _moving(war, pos, side, unseen),
        "warnings": [f"{each.sentence} [{each.rule}]" for each in alarms(war, pos, side)],
        "scenario": outcome.title if outcome else "not decided yet",
        "command points": pos.points,
        "towns": {
            "Allied": pos.control.bit_count(),
            "German": (war.towns & ~pos.control).bit_count(),
        },
        "Allied towns": [war.board.code(hex) for hex in bits(pos.control)],
        "Naples is an Allied port": pos.switched,
        "tactical air": {"Allied": pos.tac, "German": pos.german_tac},
        "Allied air activated": pos.tac_active,
        "82nd Airborne": dropped or ("ready to drop" if pos.drop_ready else "not ready"),
        "forts left": pos.forts_left,
        "5th Panzer Army": "on the map" if pos.army_entered else army,
        "end-run": _end_run(pos),
        "secret note": _note(pos, side),
    }


def _unit(war: War, pos: Table, unit: int) -> dict[str, object]:
    counter, hex, steps = war.roster[unit], pos.hex[unit], pos.steps[unit]
    status = (
        ("has acted", pos.acted),
        ("replenished", pos.rebuilt),
        ("multi-national corps", pos.corps),
    )
    here, code = on_map(war, pos, unit), war.board.code(hex) if hex >= 0 else OFF_THE_MAP[hex]
    return {
        "name": counter.name,
        "title": counter.title,
        "side": counter.side,
        "nation": counter.group,
        "troops": counter.troops,
        "size": "corps" if war.supports >> unit & 1 else "division",
        "hex": code if here else None,
        "where": "on the map" if here else code,
        "steps": steps,
        "full": war.full[unit],
        "factors": {"fire": war.fire[unit][steps], "moves": counter.moves},
        "status": [*_supply(war, pos, unit, hex), *marks(unit, status)] if here else [],
    }


def _supply(war: War, pos: Table, unit: int, hex: int) -> Iterator[str]:
    side = war.side_of[unit]
    state = supply(war, pos, hex, side)
    if state != OVERLAND:
        yield SUPPLY_NAMES[state]
    elif side == ALLIED and crossed_groups(war, pos, hex) >> war.group[unit] & 1:
        yield "supplied by the other grouping"


def _unknown(war: War, pos: Table, unseen: Mask) -> list[dict[str, object]]:
    """A question mark for each unit under the top of an Allied stack (6.9b)."""
    hexes = sorted(pos.hex[unit] for unit in bits(unseen) if on_map(war, pos, unit))
    blank = dict.fromkeys(("nation", "troops", "size"), "") | dict.fromkeys(("steps", "full"), 0)
    who = {"name": UNKNOWN, "title": "Unknown unit", "side": SIDES[ALLIED], "where": "on the map"}
    return [
        {**who, **blank, "hex": war.board.code(hex), "factors": {}, "status": []} for hex in hexes
    ]


def _markers(war: War, pos: Table) -> list[dict[str, object]]:
    allied, german = SIDES
    found = [
        (hex, "PORT", f"Port of {name} ({war.group_names[group]})", allied)
        for hex, name, group in zip(pos.ports, war.port_names, war.port_group)
    ]
    if pos.special_forces:
        found.append((war.special_forces, "SF", "Anglo-American Special Forces", allied))
    found.append((pos.airlift, "AIR", "Aerial supply", allied))
    found += [(hex, "FORT", "Fortification", german) for hex in bits(pos.forts)]
    return markers(war.board, found)


def _battle(war: War, pos: Table) -> dict[str, object] | None:
    """The Battle Board, as both sides see it (6.9b: defenders once they are deployed)."""
    if pos.target == NOWHERE:
        return None
    called = war.names
    return {
        "hex": war.board.code(pos.target),
        "from": war.board.code(pos.origin),
        "attacker": SIDES[pos.side],
        "attackers": named(called, pos.attackers),
        "defenders": named(called, pos.defenders),
        "tactical air": SIDES[pos.air_support] if pos.air_support >= 0 else None,
        "heavy bombers": pos.bomber,
        "in rubble": called[pos.rubble] if pos.rubble >= 0 else None,
        "shots left": [[called[unit], number] for unit, number in pos.volley],
        "steps just lost": [called[unit] for unit in pos.hits],
        "extra hit": pos.extra_hit,
        "retreating": named(called, pos.retreating),
        "advanced": named(called, pos.advanced),
    }


def _moving(war: War, pos: Table, side: int, unseen: Mask) -> dict[str, object] | None:
    """The command under way; how far Allied units can still go tells with whom they were (6.4a)."""
    if pos.order == NO_ORDER:
        return None
    movers = named(war.names, pos.movers & ~unseen)
    shown: dict[str, object] = {
        "order": ORDER_NAMES[pos.order],
        "from": war.board.code(pos.origin) if pos.origin != NOWHERE else None,
        "units": movers + [UNKNOWN] * (pos.movers & unseen).bit_count(),
    }
    if pos.side != ALLIED or side == ALLIED:
        shown["points"] = pos.moves_left
    return shown


def _end_run(pos: Table) -> str:
    if not pos.launched:
        return "not launched"
    if pos.owed:
        return f"stalemate; the Germans owe {pos.owed} steps"
    return "stalemate" if pos.settled else f"under way since turn {pos.launched}"


def _note(pos: Table, side: int) -> str:
    """8.10b: both see that there is a note; what it says only its writer, until the launch."""
    if pos.scenario == UNDECIDED or pos.plot < 0:
        return "none"
    if side != ALLIED and not pos.launched and not pos.verdict:
        return "face down"
    return f"end-run in turn {pos.plot}" if pos.plot else "no end-run"
