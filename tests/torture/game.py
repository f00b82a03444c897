"""The game as the kernel sees it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from random import Random
from types import MappingProxyType
from typing import Any

from apennine.board import read_map
from apennine.kernel.decision import Option
from apennine.kernel.game import (
    Fault,
    Game,
    Outcome,
    Preview,
    Procedure,
    Scenario,
    Switch,
    Warning,
)
from apennine.kernel.order import orders_in

from . import combat, flight, movement, plans, referee, sequence
from .field import SIDES, Field, Table, read_scenarios


class Torture(Game[Table]):
    """Everything that is hard for the kernel, in one small game."""

    key = "torture"
    title = "Two Lakes"
    summary = "Sixteen units who run, pursue and plan in secret between two lakes."
    sides = SIDES
    position_type = Table
    switches = (Switch("pursuit", "Relentless pursuit", "5.7"),)
    overlays = MappingProxyType(  # the hexes next to steady enemies
        {"danger": lambda field, pos, side, _: field.feared(pos, 1 - side)}
    )
    orders = orders_in(plans, flight, movement, combat)
    vocabulary = referee.VOCABULARY

    def __init__(self) -> None:
        with resources.as_file(self.data / "map.toml") as path:
            self.board = read_map(path)
        self.war = self.field = Field(self.board, self.data / "units.toml")
        self.units = self.field.names
        self._tables = read_scenarios(self.data / "scenarios.toml")
        self.scenarios = tuple(
            Scenario(key, table.title, table.summary, table.turns)
            for key, table in self._tables.items()
        )

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        table = self._tables[scenario]
        return Table(
            phase="reveal",
            last_turn=table.turns,
            limit=table.limit,
            pursuit=options["pursuit"],
            **self.field.deploy(table.at),
        )

    def phase(self, pos: Table) -> Procedure:
        return sequence.PHASES[pos.phase](self.field, pos)

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        return referee.view(self.field, pos, side)

    def outcome(self, pos: Table) -> Outcome | None:
        return sequence.outcome(self.field, pos)

    def check(self, pos: Table) -> list[Fault]:
        return referee.check(self.field, pos)

    def preview(self, pos: Table, option: Option) -> Preview | None:
        return referee.preview(self.field, pos, option)

    def warnings(self, pos: Table, side: int) -> list[Warning]:
        return referee.warnings(self.field, pos, side)

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        return plans.imagine(self.field, pos, side, random, seen)

    def score(self, pos: Table, side: int) -> float:
        return referee.score(self.field, pos, side)
