"""The data files read all at once, and checked against each other and against the map.

So a mistake, in them or in a pack laid over them, is found when the game is made and not in the
middle of a match.
"""

from __future__ import annotations

from collections.abc import Iterator

from apennine.board import Board
from apennine.kernel.data import DataFile
from apennine.mechanics.odds import Ladder
from apennine.mechanics.roster import Roster, known_unit, read_place, refuse, strays, twice
from apennine.mechanics.roster import read_book as read_files

from .data import SIDES, Book, Scenario, Setup, Unit
from .terrain import FRONTS


def read_book(board: Board, units: DataFile, charts: DataFile, scenarios: DataFile) -> Book:
    """Read the three files; a mistake is a DataError, one sentence with the file and the key."""
    book = read_files(Book, units, charts, scenarios)
    checks = _Checks(board, book)
    refuse(charts, checks.charts())
    refuse(units, strays(book.units, book.nations), checks.units())
    refuse(scenarios, checks.scenarios(), checks.schedule())
    Roster(book.units, SIDES, units)
    for key, setup in book.setups.items():
        checks.setup(key, setup, scenarios)
    return book


class _Checks:
    """What must fit together; the first thing that does not is refused."""

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.book = book
        self.named = {unit.name: unit for unit in book.units}

    def charts(self) -> Iterator[str]:
        book = self.book
        Ladder(book.combat.columns)
        for name, kind in book.kinds.items():
            if kind.pace not in book.movement:
                yield f"kinds.{name} moves at no known pace."
        assault = {name for name, kind in book.kinds.items() if kind.assault}
        if assault != set(book.attaching):
            yield "attaching must have an entry for each kind of assault troops."
        if len(book.squadrons.turns) != len(book.squadrons.modifiers):
            yield "squadrons: there are not as many modifiers as turns."

    def units(self) -> Iterator[str]:
        book = self.book
        for unit in book.units:
            kind = book.kinds.get(unit.kind)
            if kind is None:
                yield f"units: {unit.name} is of no kind, {unit.kind!r}."
            elif kind.combat:
                yield from self._combat(unit)
            elif unit.faces or unit.size:
                yield f"units: {unit.name} is a support and has neither faces nor size."
            elif kind.artillery and not (unit.value and unit.range):
                yield f"units: {unit.name} is artillery without a value or a range."

    def _combat(self, unit: Unit) -> Iterator[str]:
        if unit.size not in self.book.sizes:
            yield f"units: {unit.name} is of no size, {unit.size!r}."
        elif len(unit.faces) != (1 if unit.size == "detachment" else 2):
            yield f"units: {unit.name} needs two faces, or one if it is a detachment."
        elif unit.size == "division" and unit.faces[0][3] > 4:
            yield f"units: {unit.name} is a division of a morale over 4."

    def scenarios(self) -> Iterator[str]:
        book, board = self.book, self.board
        for each in book.scenarios:
            name = f"scenarios: {each.key}"
            if each.setup not in book.setups:
                yield f"{name} has no set-up {each.setup!r}."
            if each.front not in FRONTS or each.area not in board.regions:
                yield f"{name} has no such front or area."
            if each.initiative not in SIDES or set(each.sources) != set(SIDES):
                yield f"{name} needs a side with the initiative, and sources for both."
            for region in (region for regions in each.sources.values() for region in regions):
                if region not in board.regions:
                    yield f"{name}: {region} is no region of the map."
            for doctrine in (*each.doctrines.values(), *([each.assault] if each.assault else [])):
                if doctrine not in book.doctrines:
                    yield f"{name}: {doctrine} is no doctrine."
            if each.broken and each.broken not in board.bridges:
                yield f"{name}: {each.broken} are no bridges of the map."
            for turn in range(each.first, each.last + 1):
                if str(turn) not in book.turns:
                    yield f"{name}: turn {turn} has no name."

    def schedule(self) -> Iterator[str]:
        keys = {each.key: each for each in self.book.scenarios}
        for offensive in self.book.offensives:
            if not _in_time(keys.get(offensive.scenario), offensive.turn):
                yield f"offensives: turn {offensive.turn} is not in {offensive.scenario}."
            for name in offensive.guns:
                if name not in self.named or self.named[name].kind != "army artillery":
                    yield f"offensives: {name} is no army artillery."
        for group in self.book.arrivals:
            if not _in_time(keys.get(group.scenario), group.turn):
                yield f"arrivals: turn {group.turn} is not in {group.scenario}."
            for name in (*group.units, *([group.at] if group.at else [])):
                if name not in self.named:
                    yield f"arrivals: there is no unit {name!r}."
            if len({self.named[name].side for name in group.units if name in self.named}) > 1:
                yield f"arrivals: {', '.join(group.units)} are of both sides."

    def setup(self, key: str, setup: Setup, file: DataFile) -> None:
        """Every unit once, on ground of its own, and nobody with an enemy."""
        land = self.board.regions["land"] | self.board.regions["barges"]
        sides: dict[str, str] = {}
        refuse(file, twice((start.unit for start in setup.units), f"setups.{key}"))
        for start in setup.units:
            unit = known_unit(self.named, start.unit, file, f"setups.{key}")
            if bool(start.hex) == (unit.kind == "air"):
                raise file.refuse(f"setups.{key}: {unit.name} needs a hex, unless it flies.")
            if start.reduced and unit.full < 2:
                raise file.refuse(f"setups.{key}: {unit.name} has no second step.")
            if start.hex:
                read_place(self.board, start.hex, file, f"setups.{key}: {unit.name}", land)
                if sides.setdefault(start.hex, unit.side) != unit.side:
                    raise file.refuse(f"setups.{key}: both sides are in {start.hex}.")
        for ferry in setup.pontoons:
            where = f"setups.{key}: the pontoon bridge in {ferry.hex}"
            ends = [read_place(self.board, hex, file, where, land) for hex in (ferry.hex, ferry.to)]
            if ferry.side not in SIDES or self.board.lattice.direction(*ends) < 0:
                raise file.refuse(f"{where} has no side, or leads to no hex beside it.")


def _in_time(scenario: Scenario | None, turn: int) -> bool:
    return scenario is not None and scenario.first <= turn <= scenario.last
