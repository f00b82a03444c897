"""The game as the kernel knows it: rules, views, explanations, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType

from apennine.kernel.decision import Option
from apennine.kernel.game import (
    Fault,
    Game,
    Outcome,
    Preview,
    Procedure,
    Refusal,
    Scenario,
    Warning,
)
from apennine.kernel.pack import Pack

from .rules import c04_victory as victory
from .rules import c06_fog as fog
from .rules.c03_setup import set_up
from .rules.c05_sequence import play
from .staff.bot import StaffBot
from .table.book import read_book
from .table.data import SIDES
from .table.position import ORDERS, Table
from .table.war import War
from .telling import previews, warnings, words
from .telling.check import faults
from .telling.overlays import OVERLAYS
from .telling.view import view
from .telling.vocabulary import VOCABULARY


class Underbelly(Game[Table]):
    """Soft Underbelly."""

    key = "underbelly"
    title = "Soft Underbelly"
    summary = "The war in southern Italy, 1943: command points, a battle board, and Hitler's die."
    sides = SIDES
    length = "5 hours"
    difficulty = "medium"
    position_type = Table
    overlays = tuple(OVERLAYS)
    vocabulary = VOCABULARY
    links = MappingProxyType(
        {"place": "in", "on top": "in", "drop": "on", "exit": "from"}
        | dict.fromkeys(("go", "sail", "send bombers"), "to")
        | dict.fromkeys(ORDERS, "from")
    )
    numbers = MappingProxyType(
        {"plan the end-run": "for turn {}"}
        | dict.fromkeys(("fire at", "fire on", "shell", "bomb"), "({} or less hits)")
    )

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        book = read_book(self.board, *map(self.read_file, files))
        self.war = War(self.board, book)
        self.bots = MappingProxyType({"staff": partial(StaffBot, self.war)})
        self.units = self.war.names
        self.scenarios = [Scenario(s.key, s.title, s.summary, book.turns) for s in book.scenarios]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        del options
        number = [known.key for known in self.scenarios].index(scenario)
        return set_up(self.war, number)

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        return victory.outcome(pos)

    def why_not(self, pos: Table, option: Option) -> Refusal:
        return words.why_not(self.war, pos, option)

    def preview(self, pos: Table, option: Option) -> Preview | None:
        return previews.preview(self.war, pos, option)

    def warnings(self, pos: Table, side: int) -> list[Warning]:
        return warnings.warnings(self.war, pos, side)

    def overlay(self, pos: Table, name: str, side: int, unit: int = -1) -> int:
        known = OVERLAYS.get(name)
        return known(self.war, pos, side, unit) if known else super().overlay(pos, name, side, unit)

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        return fog.imagine(self.war, pos, side, random, seen)

    def view(self, pos: Table, side: int) -> dict[str, object]:
        return view(self.war, pos, side)

    def check(self, pos: Table) -> list[Fault]:
        return faults(self.war, pos)

    def score(self, pos: Table, side: int) -> float:
        """Towns, then steps: what each side has of what it fights for."""
        war = self.war
        worth = float(2 * pos.control.bit_count() - war.towns.bit_count())
        for unit, steps in enumerate(pos.steps):
            if pos.hex[unit] >= 0:
                fire = 0.2 * steps * war.fire[unit][steps]
                worth += -fire if war.side_of[unit] else fire
        return -worth if side else worth
