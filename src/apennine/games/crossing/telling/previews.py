"""What an order would lead to, and how good a position looks."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import attack, way

from ..rules.c04_movement import reach_of
from ..rules.c06_combat import odds, ready
from ..table.position import ALLIED, LOST, Table
from ..table.war import War


def preview(war: War, pos: Table, option: Option) -> Preview | None:
    """The way and its cost, or the odds and the chances."""
    match option.verb:
        case "go":
            return way(reach_of(war, pos, option.unit, pos.left), option.hex, war.ticks)
        case "attack":
            return preview_attack(war, pos, option.hex, ready(war, pos, option.hex))
        case "attack with":
            return preview_attack(war, pos, option.hex, pos.attackers | 1 << option.unit)
        case "fight":
            return preview_attack(war, pos, option.hex, pos.attackers)
        case _:
            return None


def preview_attack(war: War, pos: Table, target: int, units: int) -> Preview:
    """6.3: factors, shifts, column, and the exact chance of each result."""
    return attack(odds(war, pos, target, bits(units)), war.combat, (6,), rule("6.3"))


def score(war: War, pos: Table, side: int) -> float:
    """Towns, then steps, then how near the Allies are to the towns they lack."""
    distance = war.lattice.distance
    worth = 6.0 * pos.held.bit_count()
    for unit, hex in enumerate(pos.hex):
        if hex == LOST:
            continue
        ally = war.side_of[unit] == ALLIED
        worth += pos.steps[unit] if ally else -pos.steps[unit]
        goals = war.towns & ~pos.held if ally else war.towns
        if goals:
            near = 0.2 * min(distance(hex, town) for town in bits(goals))
            worth -= near if ally else -near
    return worth if side == ALLIED else -worth
