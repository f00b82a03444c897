"""The game as the kernel knows it: rules, views, explanations, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType

from apennine.kernel import game as kernel
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.game import Game, Scenario
from apennine.kernel.pack import Pack

from .rules import c03_setup, c04_victory, c06_fog
from .rules.c05_sequence import EVERY_ORDER, play
from .staff.bot import StaffBot
from .table.book import read_book
from .table.data import SIDES
from .table.position import Table
from .table.war import War
from .telling import previews, warnings
from .telling.check import faults
from .telling.overlays import OVERLAYS
from .telling.schedule import schedule
from .telling.story import TALES, VOCABULARY, standing
from .telling.view import view


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
    orders, vocabulary, tales = EVERY_ORDER, VOCABULARY, TALES

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
        return c03_setup.set_up(self.war, number)

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> kernel.Outcome | None:
        return c04_victory.outcome(pos) if pos.verdict else None

    def preview(self, pos: Table, option: Option) -> kernel.Preview | None:
        return previews.preview(self.war, pos, option)

    def warnings(self, pos: Table, side: int) -> list[kernel.Warning]:
        return warnings.warnings(self.war, pos, side)

    def overlay(self, pos: Table, name: str, side: int, unit: int = -1) -> int:
        known = OVERLAYS.get(name)
        return known(self.war, pos, side, unit) if known else super().overlay(pos, name, side, unit)

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        return c06_fog.imagine(self.war, pos, side, random, seen)

    def unseen(self, pos: Table, side: int) -> int:
        return c06_fog.hidden(self.war, pos, side)

    def standing(self, pos: Table, side: int) -> kernel.Standing:
        del side
        return standing(self.war, pos)

    def schedule(self, pos: Table, side: int) -> list[kernel.Posting]:
        del side
        return schedule(self.war, pos)

    def control(self, pos: Table, side: int) -> int:
        return self.war.towns & ~pos.control if side else pos.control

    def view(self, pos: Table, side: int) -> dict[str, object]:
        return view(self.war, pos, side)

    def check(self, pos: Table) -> list[kernel.Fault]:
        return faults(self.war, pos)

    def score(self, pos: Table, side: int) -> float:
        return c04_victory.score(self.war, pos, side)
