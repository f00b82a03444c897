"""What lies on the table, for both sides to see: the game has no secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apennine.hexes import bits
from apennine.mechanics.showing import markers, named

from ..rules.c02_pieces import sky
from ..rules.c05_areas import friendly_areas
from ..rules.c24_victory import benchmark, score
from ..table.data import SIDES, SPACES
from ..table.position import AIR, AWAY, DEAD, GONE, LOST, NAVAL, NOBODY, NOWHERE, WITHDRAWN, Table
from ..table.war import War

OFF_THE_MAP = {
    LOST: "eliminated",
    DEAD: "eliminated for good",
    AWAY: "to come",
    GONE: "removed",
    WITHDRAWN: "withdrawn",
}


SIZES = {"II": "battalion", "III": "regiment", "X": "brigade", "XX": "division", "XXX": "corps"}
"""The marks of sizes on counters (2.3.2f), in words."""


def view(war: War, pos: Table, _side: int) -> dict[str, Any]:
    """All that anybody may see."""
    book, code = war.book, war.board.code
    return {
        "turn": pos.turn,
        "track": list(book.calendar.names[: pos.last_turn]),
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "units": [view_unit(war, pos, unit) for unit in range(len(war.names))],
        "markers": view_markers(war, pos),
        "weather": f"{book.track[SPACES[pos.weather]].title} ({SPACES[pos.weather]})",
        "sky": sky(war, pos),
        "points": {"Allied": score(war, pos), "mark": benchmark(war, pos.turn)},
        "supply points": dict(zip(SIDES, pos.supply)),
        "air support": [name for army, name in enumerate(war.army_names) if pos.air >> army & 1],
        "naval support": pos.naval,
        "replacements left": {
            f"{nation} {kind}": left
            for (nation, kind), left in zip(war.pools, pos.due)
            if left and pos.phase == "initial"
        },
        "allied control": [code(hex) for hex in bits(pos.control)],
        "allied areas": list(friendly_areas(war, pos, 0)),
        "moving": view_movers(war, pos),
        "automatic DS": [
            {"hex": code(hex), "units": named(war.names, units)} for hex, units in pos.triumphs
        ],
        "battle": view_battle(war, pos),
    }


def view_unit(war: War, pos: Table, unit: int) -> dict[str, Any]:
    """A counter, or the Remnant that stands for it."""
    counter, hex, steps = war.roster[unit], pos.hex[unit], pos.steps[unit]
    on_map = 0 <= hex < war.lattice.size
    where = "on the map" if on_map else OFF_THE_MAP.get(hex) or war.ground.area_names[hex]
    factors: dict[str, int] = {
        "attack": war.attack[unit][steps],
        "defence": war.strength[unit][steps],
        "moves": war.moves[unit][steps],
        "stacking": war.stacking[unit][pos.remnants >> unit & 1],
    }
    if counter.range:
        factors["range"] = counter.range
    if war.tanks >> unit & 1:
        factors["tank rating"] = counter.rating
    return {
        "name": counter.name,
        "title": counter.title,
        "side": SIDES[war.side_of[unit]],
        "nation": counter.nation,
        "troops": arm(war, unit),
        "size": SIZES[counter.size.strip("[]").removesuffix("(-)")],
        "hex": war.board.code(hex) if on_map else None,
        "where": where,
        "steps": steps,
        "full": war.full[unit],
        "factors": factors,
        "status": list(view_status(war, pos, unit)) if hex >= 0 else [],
    }


def arm(war: War, unit: int) -> str:
    """The kind of troops that a symbol shows."""
    kind = war.roster[unit].troops
    if war.artillery >> unit & 1:
        return "artillery"
    return "mountain" if war.book.troops[kind].mountain else kind


def view_status(war: War, pos: Table, unit: int) -> Iterator[str]:
    """What marks a counter."""
    marks = (
        ("disrupted", pos.disrupted),
        ("full retreat", pos.routed),
        ("remnant", pos.remnants),
        ("isolated", pos.isolated),
        ("out of supply", pos.hungry & ~pos.isolated),
        ("ready", pos.ready),
        ("fired", war.artillery & ~pos.ready),
        ("replacement", pos.replaced),
        ("in trucks", pos.trucked),
        ("half effectiveness", pos.halved),
        ("frozen", pos.frozen),
        ("garrison", pos.posted),
        ("moved", pos.moved),
        ("attacked", pos.attacked),
        ("retreated", pos.retreated),
    )
    for word, units in marks:
        if units >> unit & 1:
            yield word


def view_markers(war: War, pos: Table) -> list[dict[str, object]]:
    """Fortifications, under construction or completed, and Battle markers."""
    german = SIDES[1]
    found: list[tuple[int, str, str, str]] = []
    for hexes, name, title in (
        (pos.works, "L1?", "Fortification under construction"),
        (pos.forts & ~pos.strongholds & ~pos.upgrades, "L1", "Fortification of level 1"),
        (pos.upgrades, "L2?", "Level 2 under construction"),
        (pos.strongholds, "L2", "Fortification of level 2"),
        (pos.battles & ~pos.second_battles, "B1", "Battle, first marker"),
        (pos.second_battles, "B2", "Battle, second marker"),
    ):
        found += [(hex, name, title, german) for hex in bits(hexes)]
    return markers(war.board, found)


def view_movers(war: War, pos: Table) -> dict[str, object] | None:
    """The stack that moves."""
    if not pos.movers:
        return None
    points = max(pos.points, pos.points + pos.extra) / war.scale if pos.points >= 0 else 0
    return {
        "units": named(war.names, pos.movers),
        "points": points,
        "hexes of tactical movement": max(pos.strides, 0),
    }


def view_battle(war: War, pos: Table) -> dict[str, object] | None:
    """The battle under way, or the advance from it."""
    if pos.target == NOWHERE:
        return None
    names = war.names
    force = named(names, pos.attackers)
    return {
        "hex": war.board.code(pos.target),
        "attacker": SIDES[pos.side],
        "attackers": force,
        "main assault": names[pos.main] if pos.main != NOBODY else None,
        "attached": named(names, pos.attached),
        "support": {
            "attacker": ["air"] * pos.support[0]
            + [gun(war, each) for each in pos.support[1:] if each != NOBODY],
            "defender": ["air"] * pos.defence[0]
            + [gun(war, each) for each in pos.defence[1:] if each != NOBODY],
        },
        "lead": names[pos.lead] if pos.lead != NOBODY else None,
        "stand": gun(war, pos.stand) if pos.stand != NOBODY else None,
        "dice": pos.dice,
        "breakthrough": bool(pos.outer),
        "retreating": named(names, pos.retreating),
        "advancing": named(names, pos.advancers | pos.group),
    }


def gun(war: War, support: int) -> str:
    """What supports: artillery by name, aircraft, or ships."""
    return {NAVAL: "naval", AIR: "air"}.get(support) or war.names[support]
