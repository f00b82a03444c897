"""Measure everything, print a table, write `bench/results.json`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from apennine.games import get, keys
from apennine.kernel.match import Match
from apennine.mechanics.reach import reach
from apennine.mechanics.trace import Line, in_supply
from apennine.mechanics.zoc import zone
from bench import counts, lab, matches
from bench.clock import microseconds, microseconds_after
from bench.field import LATTICE, costs, hundred_units
from bench.play import chess_game, lean_chess_game, match_of, race
from tests.torture import deep_battle
from tests.torture import game as torture

RESULTS = Path(__file__).with_name("results.json")
SECONDS = 6.0


class Board:
    """The figures so far."""

    def __init__(self) -> None:
        self.figures: list[dict[str, Any]] = []
        self.ratios: dict[str, float] = {}

    def add(self, name: str, value: float, unit: str) -> None:
        self.figures.append({"name": name, "value": round(value, 2), "unit": unit})

    def show(self) -> None:
        table = Table("what", "value", "unit", title="Apennine bench")
        for figure in self.figures:
            table.add_row(figure["name"], f"{figure['value']:,}", figure["unit"])
        for name, value in self.ratios.items():
            table.add_row(name, f"{value:.2f}", "ratio")
        Console().print(table)

    def write(self) -> None:
        data = {"figures": self.figures, "ratios": self.ratios}
        RESULTS.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def measure_play(board: Board) -> None:
    """Each game against chess, in one run."""
    players = {"chess": chess_game, "chess, end not asked for": lean_chess_game}
    players |= {key: match_of(get(key)) for key in keys()}
    rates = race(players, SECONDS)
    for name, rate in rates.items():
        board.add(f"{name}: random play", rate.per_second, "decisions/s")
        board.add(f"{name}: games", rate.games / rate.seconds, "games/s")
        board.add(f"{name}: options", rate.options / rate.decisions, "options/decision")
    for key in keys():
        ratio = rates[key].per_second / rates["chess"].per_second
        board.ratios[f"{'tutorial' if key == 'crossing' else key}_vs_chess"] = round(ratio, 3)


def measure_forks(board: Board) -> None:
    """Copies and forks of the tutorial game and of the torture game's battle."""
    position = hundred_units()
    board.add("copy, 100 units", microseconds(position.copy), "us")
    board.add("position digest, 100 units", microseconds(lambda: position.digest), "us")
    match = Match(get("crossing"), seed=7)
    random = Random(3)
    while len(match.log) < 40 or not getattr(match.decision, "checkpoint", False):
        options = match.decision.options
        match.choose(options[int(random.random() * len(options))])
    board.add("match digest, crossing", microseconds(lambda: match.digest), "us")
    board.add("fork at a checkpoint", microseconds(match.fork), "us")
    option = match.decision.options[0]

    def warm() -> Match[Any]:
        fork = match.fork()
        _ = fork.position
        return fork

    original = microseconds_after(warm, lambda fork: fork.choose(option))
    forked = microseconds_after(match.fork, lambda fork: fork.choose(option))
    board.add("first choice on the original", original, "us")
    board.add("first choice on a fork, more by", forked - original, "us")
    deep = deep_battle(torture())

    def fork_deep() -> object:
        return deep.fork().position

    board.add("fork 20 inputs deep, position made", microseconds(fork_deep), "us")


def measure_matches(board: Board) -> None:
    """What a match of each game takes, and what of it can be counted."""
    for key in keys():
        game = get(key)
        for name, value, unit in (*matches.figures(game), *counts.figures(game)):
            board.add(f"{key}: {name}", value, unit)


def measure_learning(board: Board) -> None:
    """What learners and series of the lab are given a second."""
    for name, value, unit in lab.figures():
        board.add(name, value, unit)


def measure_mechanics(board: Board) -> None:
    """Whole-map work on 1,500 hexes."""
    chart = costs()
    start = LATTICE.parse("2516")
    enemies = sum(1 << hex for hex in LATTICE if hex % 37 == 0) & ~(1 << start)
    zones = zone(LATTICE, enemies)
    points = chart.ticks(8)
    edge = sum(1 << LATTICE.parse(f"{column:02}30") for column in range(1, 51))
    corner = 1 << LATTICE.parse("0101")
    board.add(
        "flood fill, 1,500 hexes", microseconds(lambda: LATTICE.flood(corner, LATTICE.all)), "us"
    )
    board.add("zone of 40 units, 1,500 hexes", microseconds(lambda: zone(LATTICE, enemies)), "us")
    board.add("reach, 8 points", microseconds(lambda: reach(chart, start, points)), "us")
    board.add(
        "reach, 8 points, enemies and zones",
        microseconds(
            lambda: reach(chart, start, points, blocked=enemies, stops=zones, apart=zones)
        ),
        "us",
    )
    line = Line(LATTICE.all_sides, blocked=enemies | zones)
    board.add("supply, 1,500 hexes", microseconds(lambda: in_supply(LATTICE, edge, line)), "us")


def main() -> None:
    """All measurements, in one run."""
    board = Board()
    measure_mechanics(board)
    measure_forks(board)
    measure_matches(board)
    measure_learning(board)
    measure_play(board)
    board.show()
    board.write()


if __name__ == "__main__":
    main()
