"""What lies on the table, for both sides to see: the game has no secrets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from apennine.hexes import bits, first_bit
from apennine.mechanics.showing import markers, marks, named

from ..rules.b4e_zones import attack_of, defence_of, is_inverted
from ..rules.b4h_odds import odds
from ..rules.c7_sea import intake
from ..rules.c15_victory import cities_won, terms_of
from ..rules.e5_choice import ORDERS_OF_BATTLE
from ..table.book import muster
from ..table.data import SIDES
from ..table.position import (
    ADRIATIC,
    AFLOAT,
    AWAY,
    BROKEN,
    CLOSED,
    DESTROYED,
    DUE,
    LIGURIAN,
    NOBODY,
    NOWHERE,
    OPEN,
    POOL,
    WITHDRAWN,
    Table,
)
from ..table.war import SCALE, War

OFF_THE_MAP = {
    DESTROYED: "eliminated",
    AWAY: "to come",
    POOL: "replacements not used",
    DUE: "waits to enter over the edge",
    AFLOAT: "at sea",
    WITHDRAWN: "withdrawn to another front",
    LIGURIAN: "in the Ligurian Command",
    ADRIATIC: "in the Adriatic Command",
    BROKEN: "broken up into regiments",
}
SIZES = {"II": "battalion", "III": "regiment", "X": "brigade", "XX": "division", "": ""}
"""The marks of sizes on counters (B3), in words."""
FIRE = ("Allied naval", "Allied air", "German air")


def view(war: War, pos: Table, _side: int) -> dict[str, Any]:
    """All that anybody may see."""
    book = war.book
    scenario = book.scenarios[pos.scenario]
    return {
        "turn": pos.turn,
        "track": [week.name for week in book.turns[: scenario.last]],
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [view_unit(war, pos, unit) for unit in in_play(war, pos)],
        "markers": view_markers(war, pos),
        "weather": "mud" if war.in_mud(pos) else "good",
        "places": cities_won(war, pos),
        "places needed": terms_of(war, pos).needed,
        "port counters": pos.ports,
        "ports": list(view_bases(war, pos)),
        "boxes": list(view_entries(war, pos)),
        "initial lift": view_lift(war, pos),
        "replacements": dict(
            zip(("Allied", "German infantry", "German armor"), pos.credit, strict=True)
        ),
        "supporting fire": (
            dict(zip(FIRE, pos.fire, strict=True)) if pos.supporting_fire else None
        ),
        "forts": [war.board.code(hex) for hex in bits(pos.works)],
        "moving": view_movers(war, pos),
        "order of battle": ORDERS_OF_BATTLE[pos.oob] or None,
        "replacements owed": (
            dict(zip(("Allied", "German infantry", "German armor"), pos.debt, strict=True))
            if any(pos.debt)
            else None
        ),
        "automatic victories": [
            {
                "hexes": [war.board.code(hex) for hex in bits(hexes)],
                "units": named(war.names, units),
                "rests on a trap": bool(trap),
            }
            for hexes, units, trap in pos.claims
        ],
        "battle": view_battle(war, pos),
    }


def in_play(war: War, pos: Table) -> Iterator[int]:
    """The units that a scenario uses: not the counters of games that it knows nothing of."""
    cast = members(war, pos.scenario)
    for unit, place in enumerate(pos.hex):
        if place != AWAY or war.names[unit] in cast:
            yield unit


@lru_cache(16)
def members(war: War, scenario: int) -> frozenset[str]:
    """The names of all units that a scenario ever uses."""
    return frozenset(muster(war.book, war.book.scenarios[scenario]))


def view_unit(war: War, pos: Table, unit: int) -> dict[str, Any]:
    """A counter at its present strength."""
    counter, place = war.units[unit], pos.hex[unit]
    on_map = 0 <= place < war.lattice.size
    where = "on the map" if on_map else OFF_THE_MAP.get(place) or war.board.code(place)
    return {
        "name": counter.name,
        "title": counter.title,
        "side": SIDES[war.side_of[unit]],
        "nation": war.book.nations[counter.nation].title,
        "troops": counter.troops,
        "size": SIZES[counter.size],
        "hex": war.board.code(place) if on_map else None,
        "where": where,
        "steps": pos.steps[unit],
        "full": war.full[unit],
        "factors": {
            "attack": attack_of(war, pos, unit),
            "defence": defence_of(war, pos, unit),
            "moves": war.allowance[unit] // SCALE,
            "stacking": war.stacking[unit],
        },
        "status": list(view_status(war, pos, unit)) if place >= 0 else [],
    }


def view_status(war: War, pos: Table, unit: int) -> Iterator[str]:
    """What marks a counter."""
    if is_inverted(war, pos, unit):
        yield "inverted"
    if pos.commandos and war.commandos >> unit & 1:
        yield "commando"
    if pos.mountain and war.mountaineers >> unit & 1:
        yield "mountain"
    yield from marks(
        unit,
        (
            ("on garrison duty", pos.frozen),
            ("over capacity", pos.over),
            ("a turn without supply", pos.hungry & ~pos.over),
            ("supporting fire in defence", pos.guarded),
            ("half movement", pos.slowed),
            ("no Strategic Movement", pos.tied | pos.slowed),
            ("moved", pos.moved if war.side_of[unit] == pos.side else 0),
            ("attacked", pos.fought),
            ("advanced", pos.forward),
        ),
    )


def view_markers(war: War, pos: Table) -> list[dict[str, object]]:
    """Ports and beachheads, forts, interdicted hexes."""
    allied, german = SIDES
    found: list[tuple[int, str, str, str]] = []
    for base, state in zip(war.ground.bases, pos.bases, strict=True):
        if state == CLOSED:
            continue
        ready = state == OPEN
        kind = "Port" if base.is_port else "Beachhead"
        name = ("P" if base.is_port else "B") + ("" if ready else "?")
        title = f"{kind} of {base.name.removesuffix(' zone')}"
        title += f", Capacity {base.capacity}" if ready else " under construction"
        found.append((first_bit(base.hexes & pos.friendly or base.hexes), name, title, allied))
    found += [(hex, "F", "Fort", german) for hex in bits(pos.works)]
    found += [(hex, "I", "Interdicted hex", allied) for hex in bits(pos.watched)]
    return markers(war.board, found)


def view_bases(war: War, pos: Table) -> Iterator[dict[str, object]]:
    """The ports and beachheads with a counter: Capacity, and the Build-Up that is left."""
    for number, (base, state) in enumerate(zip(war.ground.bases, pos.bases, strict=True)):
        if state != CLOSED:
            yield {
                "name": base.name,
                "operating": state == OPEN,
                "capacity": base.capacity,
                "build-up": base.build_up,
                "build-up left": intake(war, pos, number),
            }


def view_entries(war: War, pos: Table) -> Iterator[dict[str, object]]:
    """Messina and Taranto."""
    for entry in war.ground.entries:
        is_open = bool(pos.entries >> entry.place & 1)
        yield {"name": entry.name, "open": is_open, "capacity": entry.capacity}


def view_lift(war: War, pos: Table) -> dict[str, object] | None:
    """The invasion of this turn, if there is one."""
    if pos.zone == NOWHERE:
        return None
    return {"zone": war.ground.bases[pos.zone].name, "landed": pos.lifted}


def view_movers(war: War, pos: Table) -> dict[str, object] | None:
    """The stack that moves."""
    if not pos.movers:
        return None
    return {
        "units": named(war.names, pos.movers),
        "points": max(pos.points, 0) / SCALE,
        "more by Strategic Movement": max(pos.extra, 0) / SCALE,
    }


def view_battle(war: War, pos: Table) -> dict[str, object] | None:
    """The battle under way, with what is still to be lost, and who falls back or advances."""
    if not pos.targets and not pos.retreating and not pos.advancing:
        return None
    force = pos.attackers
    names = war.names
    # Without defenders it is about the hexes that they have left, or where they fall back.
    left = list(bits(pos.targets or pos.vacated))
    about = left or [pos.hex[unit] for unit in bits(pos.retreating | pos.advancing)]
    hexes = [war.board.code(hex) for hex in about]
    return {
        "hex": hexes[0],
        "hexes": hexes,
        "attacker": SIDES[pos.side],
        "attackers": named(names, force),
        "round": pos.round,
        "odds": odds(war, pos, force, pos.targets).label if force and pos.targets else None,
        "supported": names[pos.backed] if pos.backed != NOBODY else None,
        "steps to lose": pos.loss,
        "among": named(names, pos.losers),
        "retreating": named(names, pos.retreating),
        "vacated": [war.board.code(hex) for hex in bits(pos.vacated)],
        "advancing": named(names, pos.advancing),
        "breakthrough points": pos.surge / SCALE,
    }
