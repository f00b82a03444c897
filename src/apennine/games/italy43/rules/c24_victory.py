"""Chapter 24: victory points, automatic victory, and how scenarios end (S1.2, S2.2, S3.2)."""

from __future__ import annotations

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, DEAD, GERMAN, LOST, Table
from ..table.war import War
from .c02_pieces import there
from .c16_supply import supplied_hexes

UNDECIDED, ALLIED_AHEAD, GERMAN_AHEAD, ALLIED_GOAL, GERMAN_GOAL = range(5)
"""How a game ends: by an automatic victory, or by the points at the end of the last turn."""


def victory_phase(war: War, pos: Table) -> Procedure:
    """3.0D: count the points, and see whether somebody has won."""
    pos.score = score(war, pos)
    yield Event("victory points", value=max(pos.score, 0), rule=rule("24.1.1a"))
    pos.verdict = judge(war, pos)


def score(war: War, pos: Table) -> int:
    """The Allied victory points now (24.1.1a)."""
    return hex_points(war, pos) + unit_points(war, pos)


def hex_points(war: War, pos: Table) -> int:
    """24.1.1b: places that the Allies control and that have a Line of Supply."""
    counted = pos.control & supplied_hexes(war, pos, ALLIED)
    return sum(worth for hex, worth in war.ground.prizes.items() if counted >> hex & 1)


def unit_points(war: War, pos: Table) -> int:
    """24.1.2: critical units that are eliminated, those lost by isolation among them (16.5.6)."""
    lost = [
        there(war, pos, side).stack(LOST) | there(war, pos, side).stack(DEAD) for side in (0, 1)
    ]
    own = lost[ALLIED] & (war.airborne | war.artillery)
    return (lost[GERMAN] & war.artillery).bit_count() - own.bit_count()


def benchmark(war: War, turn: int) -> int:
    """The points that the Allies should have in a turn (24.2.1)."""
    return war.book.calendar.benchmarks[turn - 1]


def judge(war: War, pos: Table) -> int:
    """24.2.1: far enough above or below the benchmark, or enough anyhow; then the last turn."""
    victory, mark = war.book.victory, benchmark(war, pos.turn)
    if pos.turn >= victory.first_turn:
        if pos.score >= min(mark + victory.margin, victory.most):
            return ALLIED_AHEAD
        if pos.score <= mark - victory.margin:
            return GERMAN_AHEAD
    if pos.turn < pos.last_turn:
        return UNDECIDED
    wins = war.book.scenarios[pos.scenario].wins
    return ALLIED_GOAL if pos.score >= wins else GERMAN_GOAL


def judgement(war: War, pos: Table) -> tuple[int, str] | None:
    """Who has won and why, once somebody has."""
    if not pos.verdict:
        return None
    winner = ALLIED if pos.verdict in (ALLIED_AHEAD, ALLIED_GOAL) else GERMAN
    points = counted(pos.score, "point")
    if pos.verdict in (ALLIED_GOAL, GERMAN_GOAL):
        wins = war.book.scenarios[pos.scenario].wins
        return winner, f"At the end the Allies have {points}, and need {wins}."
    mark = benchmark(war, pos.turn)
    return winner, f"The Allies have {points} in turn {pos.turn}, whose mark is {mark}."
