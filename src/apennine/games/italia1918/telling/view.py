"""What lies on the table. Of hidden detachments the enemy and spectators see no factors (3.0c)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apennine.hexes import Mask, bits
from apennine.kernel.game import REFEREE
from apennine.mechanics.showing import markers, marks, named

from ..rules.c02_pieces import attack, bombards, defence, marked, morale, offensive, theatre
from ..rules.c08_offensives import sequences
from ..rules.c09_supply import hungry_troops
from ..rules.c10_weather import SKIES, in_fog
from ..rules.c11_march import allowance
from ..rules.c16_victory import total
from ..table.data import SIDES
from ..table.position import AVAILABLE, AWAY, EXITED, LOST, MISSIONS, Table
from ..table.war import War

OFF_THE_MAP = {
    LOST: "eliminated",
    AWAY: "to come",
    EXITED: "left by the west",
    AVAILABLE: "Available box",
    MISSIONS: "Missions box",
}
TROOPS = {"barges": "artillery", "battery": "artillery", "naval": "marine"}
"""Kinds whose symbol has another name."""
FORMATIONS = {
    "headquarters": "army",
    "army artillery": "army",
    "corps artillery": "corps",
    "stosstruppen": "battalion",
    "sturmbataillon": "battalion",
    "arditi": "battalion",
    "battery": "company",
    "barges": "company",
}
"""What supports are, which the book gives no size; air, trucks and depots have none."""


def view(war: War, pos: Table, side: int) -> dict[str, Any]:
    """All that a side (-1: a spectator) may see."""
    book, code, here = war.book, war.board.code, theatre(war, pos)
    fog = "Morning Fog, then " if in_fog(war, pos) else ""
    return {
        "turn": pos.turn,
        "track": [book.turns.get(str(turn), "") for turn in range(1, here.scenario.last + 1)],
        "phase": pos.phase,
        "side": SIDES[pos.side],
        "sequence": f"{pos.sequence} of {sequences(pos)}",
        "units": [view_unit(war, pos, unit, side) for unit in in_play(war, pos)],
        "markers": view_markers(war, pos),
        "weather": fog + SKIES[pos.weather],
        "offensive": view_offensive(war, pos),
        "points": {SIDES[here.initiative]: total(war, pos)},
        "points booked": dict(zip(SIDES, pos.points)),
        "doctrines": dict(here.scenario.doctrines),
        "frozen reserves": [named(war.names, units) for units in pos.frozen],
        "control": [code(hex) for hex in bits(pos.control & here.area)],
        "moving": view_movers(war, pos),
        "battle": view_battle(war, pos),
    }


def in_play(war: War, pos: Table) -> Iterator[int]:
    """The units of the scenario: of those away only who is to come."""
    here = theatre(war, pos)
    coming = {war.number[name] for group in here.arrivals for name in group.units}
    for unit, place in enumerate(pos.hex):
        if place != AWAY or unit in coming:
            yield unit


def view_offensive(war: War, pos: Table) -> str:
    """The modifiers of an offensive under way (8.0), the present one first."""
    declared = offensive(war, pos)
    if not (declared and pos.offensive):
        return "none"
    now, *later = declared.modifiers[pos.sequence - 1 :]
    return f"{now:+d} now" + (f", then {', '.join(f'{m:+d}' for m in later)}" if later else "")


def view_unit(war: War, pos: Table, unit: int, side: int) -> dict[str, Any]:
    """A counter as a side sees it."""
    counter, hex, book = war.roster[unit], pos.hex[unit], war.book
    return {
        "name": counter.name,
        "title": counter.title,
        "side": counter.side,
        "nation": book.nations[counter.nation].title,
        "troops": TROOPS.get(counter.kind, counter.kind),
        "size": counter.size or FORMATIONS.get(counter.kind, ""),
        "hex": war.board.code(hex) if hex >= 0 else None,
        "where": "on the map" if hex >= 0 else OFF_THE_MAP[hex],
        "steps": pos.steps[unit],
        "full": war.full[unit],
        "factors": view_factors(war, pos, unit, side),
        "status": view_status(war, pos, unit) if hex >= 0 else [],
    }


def view_factors(war: War, pos: Table, unit: int, side: int) -> dict[str, int | str]:
    """What a counter shows; of a hidden detachment of the enemy only how far it goes (3.0c)."""
    counter, points = war.roster[unit], allowance(war, pos, unit) // war.scale
    if war.combat >> unit & 1:
        if pos.hidden >> unit & 1 and side not in (war.side_of[unit], REFEREE):
            return {"attack": "?", "defence": "?", "moves": points}
        return {
            "attack": attack(war, pos, unit),
            "defence": defence(war, pos, unit),
            "moves": points,
            "morale": morale(war, pos, unit) if pos.steps[unit] else 0,
        }
    if war.artillery >> unit & 1:
        value = bombards(war, pos, unit)
        return {"bombardment": value, "range": counter.range, "moves": points}
    if war.headquarters >> unit & 1:
        return {"command radius": counter.value, "moves": points}
    if war.depots >> unit & 1:
        return {"points": counter.points}
    return {"moves": points} if war.trucks >> unit & 1 else {}


def view_status(war: War, pos: Table, unit: int) -> list[str]:
    """What marks a counter."""
    found = marks(
        unit,
        (
            ("disorganized", pos.disorganized),
            ("reorganizing", pos.reorganizing),
            ("out of supply", pos.hungry | hungry_troops(war, pos)),
            ("retreat mode", pos.fleeing),
            ("pinned", pos.pinned),
            ("hidden", pos.hidden),
            ("offensive mode", pos.firing),
            ("no firing", pos.silent),
            ("frozen reserve", marked(pos.frozen)),
            ("in reserve", marked(pos.reserves)),
            ("exploitation", marked(pos.exploits)),
            ("disengaging", pos.slipping),
            ("in trucks", pos.loaded),
            ("to be relieved", pos.relief),
            ("held up by refugees", pos.refugees),
            ("interdicting", pos.interdicting),
            ("observing", pos.observing),
            ("bombing", pos.bombing),
            ("counter-battery", pos.counter),
            ("moved", pos.done),
            ("attacked", pos.attacked),
        ),
    )
    host = pos.host[unit]
    return [*found, f"with {war.names[host]}"] if host >= 0 else found


def view_markers(war: War, pos: Table) -> list[dict[str, object]]:
    """Bridges of pontoons and bridges destroyed, the Bruchmüller marker."""
    lattice, code = war.lattice, war.board.code
    found: list[tuple[int, str, str, str | None]] = []
    for owner, hex, d in pos.pontoons:
        title = f"Pontoon bridge to {code(lattice.neighbour(hex, d))}"
        found.append((hex, "PONT", title, SIDES[owner]))
    for number in bits(pos.broken):
        one, two = lattice.edge_hexes(war.ground.bridges[number].edge)
        title = f"Bridge to {code(two)} over the {war.ground.bridges[number].river}, destroyed"
        found.append((one, "X", title, None))
    if pos.bruchmueller >= 0:
        gun = pos.bruchmueller
        title = "Bruchmüller bombardment"
        found.append((pos.hex[gun], "BRU", title, SIDES[war.side_of[gun]]))
    return markers(war.board, found)


def view_movers(war: War, pos: Table) -> dict[str, object] | None:
    """The stack that moves."""
    if not pos.movers:
        return None
    return {
        "units": named(war.names, pos.movers),
        "points": pos.left / war.scale,
        "forced march": pos.forced,
        "in the trucks": named(war.names, pos.loaded),
    }


def view_battle(war: War, pos: Table) -> dict[str, object] | None:
    """The combat under way."""
    if pos.target < 0:
        return None
    one, two = pos.guns
    results = war.book.results
    return {
        "hex": war.board.code(pos.target),
        "attacker": SIDES[pos.side],
        "attackers": named(war.names, pos.attackers),
        "storming": named(war.names, pos.shock),
        "bombarding": _sides(war, one & ~pos.counter, two & ~pos.counter),
        "counter-battery": _sides(war, one & pos.counter, two & pos.counter),
        "leading": _sides(war, *(1 << lead if lead >= 0 else 0 for lead in pos.leads)),
        "hit points": dict(zip(ROLES, pos.hits)) if any(pos.grades) else None,
        "coordination": {
            role: results[grade].title for role, grade in zip(ROLES, pos.grades) if grade
        },
        "rommel": pos.rommel,
    }


ROLES = ("attacker", "defender")


def _sides(war: War, attacker: Mask, defender: Mask) -> dict[str, list[str]]:
    both = zip(ROLES, (attacker, defender))
    return {role: named(war.names, units) for role, units in both if units}
