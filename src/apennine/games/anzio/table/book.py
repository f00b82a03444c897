"""The data files read all at once, and checked against each other and against the map.

So a mistake, in them or in a pack laid over them, is found when the game is made and not in the
middle of a match.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from apennine.board import Board
from apennine.hexes import mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.odds import Ladder
from apennine.mechanics.roster import Roster, known_unit, read_place, refuse, strays, twice
from apennine.mechanics.roster import read_book as read_files

from .data import (
    CARDS,
    DIRECTIONS,
    SECTIONS,
    SIDES,
    AlliedLine,
    Book,
    GermanLine,
    Scenario,
    Setup,
    Start,
)


def read_book(board: Board, units: DataFile, charts: DataFile, scenarios: DataFile) -> Book:
    """Read the three files; a mistake is a DataError, one sentence with the file and the key."""
    book = read_files(Book, units, charts, scenarios)
    checks = _Checks(board, book)
    refuse(charts, checks.charts())
    refuse(units, strays(book.units, book.nations), checks.units())
    refuse(scenarios, checks.scenarios(), checks.schedule())
    Roster(book.units, SIDES, units)
    refuse(scenarios, checks.cards())
    checks.setups(scenarios)
    return book


def muster(book: Book, scenario: Scenario) -> set[str]:
    """The names of all units that a scenario ever uses."""
    names = {start.unit for start in book.setups[scenario.setup].units}
    if scenario.advanced:
        return names | advanced_muster(book, scenario)
    for group in book.arrivals:
        if scenario.first <= group.turn <= scenario.last:
            names.update(group.units)
    if not scenario.invaded:
        names.update(chain.from_iterable(reaction.units for reaction in book.reactions))
    return names | _counters(book)


def advanced_muster(book: Book, scenario: Scenario) -> set[str]:
    """Those of the Advanced Game: of its sections of the Allied card, and of all German ones.

    The regiments of its divisions are among them.
    """
    sections = SECTIONS[: SECTIONS.index(scenario.advanced or "all") + 1]
    names = set[str]()
    for line in book.allied_card:
        if line.card in sections and line.turn <= scenario.last:
            names.update(line.units)
    for line in (*book.german_card, *book.german_reaction):
        if line.turn <= scenario.last:
            names.update(line.units)
    here = {start.unit for start in book.setups[scenario.setup].units} | names
    parts = (name for unit in book.units if unit.name in here for name in unit.regiments)
    return names.union(parts, _counters(book))


def _counters(book: Book) -> set[str]:
    return {unit.name for unit in book.units if unit.troops in _REPLACEMENTS}


_REPLACEMENTS = ("replacement", "ersatz", "armor ersatz")
"""Kinds that every scenario has: the counters that the calendar brings (C11B1, C11C3)."""


class _Checks:
    """What must fit together; the first thing that does not is refused."""

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.book = book
        self.named = {unit.name: unit for unit in book.units}
        boxes = mask_of(box.location for box in board.boxes)
        self.playable = board.regions["playable"] | boxes

    def charts(self) -> Iterator[str]:
        book = self.book
        columns = book.combat.columns
        if Ladder(columns).index(book.limits.least) != 0:
            yield f"limits.least is not the first column, {columns[0]}."
        if book.limits.automatic not in columns:
            yield f"limits.automatic: {book.limits.automatic} is no column of combat."
        for key, table in (
            ("combat", book.combat),
            ("unit-interdiction", book.unit_interdiction),
            ("hex-interdiction", book.hex_interdiction),
            ("direction", book.direction),
        ):
            if (table.lowest, len(table.rows)) != (1, 6):
                yield f"{key}.rows must be those of one die."
        if {cell for row in book.direction.rows for cell in row} != set(DIRECTIONS):
            yield f"direction.rows must have {', '.join(DIRECTIONS)}."
        if len(book.turns) != 79:
            yield f"calendar.list has {len(book.turns)} turns, not 79."
        if book.air.region not in self.board.regions:
            yield f"air.region: {book.air.region!r} is no region of the map."
        for key, nation in book.nations.items():
            if nation.side not in SIDES or not set(nation.kin) <= set(book.nations):
                yield f"nations.{key} has no side, or kin that are no nations."

    def units(self) -> Iterator[str]:
        book = self.book
        for unit in book.units:
            if unit.troops not in book.troops:
                yield f"units: {unit.name} is of unknown troops, {unit.troops!r}."
            if not unit.faces or len({moves for _, _, moves in unit.faces}) > 1:
                yield f"units: {unit.name} has no face, or not the same movement on all."
            if list(unit.faces) != sorted(unit.faces, reverse=True):
                yield f"units: {unit.name} does not grow weaker from face to face."
            for name in unit.regiments:
                if name not in self.named or self.named[name].inverted != "cadre":
                    yield f"units: {unit.name} has no regiment {name!r} with a cadre."
            if unit.growth and unit.growth.faces >= len(unit.faces):
                yield f"units: {unit.name} has no face left before it grows."

    def scenarios(self) -> Iterator[str]:
        book, board = self.book, self.board
        for scenario in book.scenarios:
            key = scenario.key
            if scenario.setup not in book.setups:
                yield f"scenarios: {key} has no set-up."
            if scenario.first > scenario.last:
                yield f"scenarios: {key} ends before it begins."
            kinds = {kind for place in board.places.values() for kind in place.kinds}
            for kind in (scenario.cities, *(z for i in scenario.invasions for z in i.zones)):
                if kind not in kinds:
                    yield f"scenarios: {key}: no place of the map is a {kind}."

    def schedule(self) -> Iterator[str]:
        book = self.book
        comes = [(name, group.side) for group in book.arrivals for name in group.units]
        comes += [(name, "German") for reaction in book.reactions for name in reaction.units]
        for name, side in comes:
            unit = self.named.get(name)
            if unit is None or unit.side != side:
                yield f"arrivals: {name} is no unit of the {side} side."
        yield from twice((name for name, _ in comes), "arrivals", "comes")

    def cards(self) -> Iterator[str]:
        """The cards of the Advanced Game."""
        book, board = self.book, self.board
        lines: list[tuple[str, AlliedLine | GermanLine]] = []
        lines += [("Allied", line) for line in book.allied_card]
        lines += [("German", line) for line in (*book.german_card, *book.german_reaction)]
        for side, line in lines:
            for name in (*line.units, *line.instead):
                unit = self.named.get(name)
                if unit is None or unit.side != side:
                    yield f"cards: {name} is no unit of the {side} side."
        for line in (*book.german_card, *book.german_reaction):
            if not line.cards or not set(line.cards) <= set(CARDS):
                yield f"cards: {line.units} is of no order of battle: {line.cards!r}."
            if line.event in ("garrison", "livorno", "relief", "corsica") and not line.at:
                yield f"cards: {line.units} has no post."
        for scenario in book.scenarios:
            if len(scenario.terms) not in (0, len(CARDS)):
                yield f"scenarios: {scenario.key} has not terms for each order of battle."
            if bool(scenario.advanced) != bool(scenario.terms):
                yield f"scenarios: {scenario.key} has terms, or sections, without the other."
        defection = book.defection
        for name in (*defection.garrison, *defection.others, *defection.airborne):
            if name not in self.named:
                yield f"defection: {name} is no unit."
        zones = {name for site in defection.sites for name in site.zones}
        places = {n for n, p in board.places.items() if "invasion-zone" in p.kinds}
        if zones != places or not set(defection.drop) <= places:
            yield "defection: the sites are not the invasion zones of the map."
        for name in (defection.target, *book.bonus):
            if name not in board.places:
                yield f"{name} is no place of the map."

    def setups(self, file: DataFile) -> None:
        for key, setup in self.book.setups.items():
            sides: dict[str, str] = {}
            for start in setup.units:
                self._start(start, f"setups.{key}", sides, file)
            for hex in setup.forts:
                read_place(self.board, hex, file, f"setups.{key}.forts", self.playable)
            for fault in self._known(setup):
                raise file.refuse(f"setups.{key}: {fault}")
            refuse(file, twice((start.unit for start in setup.units), f"setups.{key}"))

    def _start(self, start: Start, key: str, sides: dict[str, str], file: DataFile) -> None:
        unit = known_unit(self.named, start.unit, file, key)
        for place in (start.at, *start.hexes):
            read_place(self.board, place, file, f"{key}: {unit.name}", self.playable)
        if sides.setdefault(start.at, unit.side) != unit.side:
            raise file.refuse(f"{key}: both sides are in {start.at}.")
        if start.lost >= unit.steps:
            raise file.refuse(f"{key}: {unit.name} has no step left.")
        if bool(start.hexes) != (start.may == "listed"):
            raise file.refuse(f"{key}: {unit.name} needs hexes if and only if they are listed.")

    def _known(self, setup: Setup) -> Iterator[str]:
        regions = (*setup.friendly, setup.front, setup.behind, setup.beachhead)
        for name in filter(None, regions):
            if name not in self.board.regions:
                yield f"{name!r} is no region of the map."
        for name in setup.ports:
            place = self.board.places.get(name)
            if place is None or not {"port", "invasion-zone"} & set(place.kinds):
                yield f"{name!r} is no port and no zone of the map."
