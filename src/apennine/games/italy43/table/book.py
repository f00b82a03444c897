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

from .data import SIDES, SPACES, Book, Group


def read_book(board: Board, units: DataFile, charts: DataFile, scenarios: DataFile) -> Book:
    """Read the three files; a mistake is a DataError, one sentence with the file and the key."""
    book = read_files(Book, units, charts, scenarios)
    checks = _Checks(board, book)
    refuse(charts, checks.charts())
    refuse(units, strays(book.units, book.nations), checks.units(), checks.remnants())
    Roster(book.units, SIDES, units)
    checks.setups(scenarios)
    refuse(scenarios, checks.schedule())
    return book


class _Checks:
    """What must fit together; the first thing that does not is refused."""

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.book = book
        self.land = board.regions["land"]
        self.named = {unit.name: unit for unit in book.units}

    def charts(self) -> Iterator[str]:
        book = self.book
        turns = len(book.calendar.names)
        if len(book.calendar.benchmarks) != turns:
            yield "turns: there are not as many benchmarks as names."
        ladder = Ladder(book.combat.columns)
        if ladder.index(book.limits.least) != 0:
            yield f"limits.least is not the first column, {book.combat.columns[0]}."
        for cell in {cell.result for row in book.combat.rows for cell in row}:
            if cell not in book.results:
                yield f"combat.rows: {cell} is no result."
        if book.determined.columns != ("clear", "other", "city"):
            yield "determined.columns must be clear, other and city."
        for nation, pools in book.replacements.items():
            if nation not in book.nations:
                yield f"replacements.{nation} is no nation."
            for kind, line in pools.items():
                if len(line) != turns:
                    yield f"replacements.{nation}.{kind} has {len(line)} turns, not {turns}."
        for key, section in book.sections.items():
            known = section.region in self.board.regions
            if not known or section.next not in ("", *book.sections):
                yield f"sections.{key} has no region or no section after it."
        for army in book.air:
            if army not in {nation.army for nation in book.nations.values()}:
                yield f"air.{army} is no army."
        if len(book.port.turns) != len(book.port.points):
            yield "port: there are not as many points as turns."

    def units(self) -> Iterator[str]:
        book = self.book
        kinds = {remnant.kind for remnant in book.remnants}
        for unit in book.units:
            if unit.troops not in book.troops:
                yield f"units: {unit.name} is of unknown troops, {unit.troops!r}."
            if unit.formation and unit.formation not in book.formations:
                yield f"units: {unit.name} is of no formation, {unit.formation!r}."
            if unit.remnant and (unit.remnant not in kinds or len(unit.faces) != 2):
                yield f"units: {unit.name} has no such remnant, or not two faces before it."
            if not 1 <= len(unit.faces) <= 2:
                yield f"units: {unit.name} needs one or two faces."
            if bool(unit.range) != book.troops[unit.troops].artillery:
                yield f"units: {unit.name} needs a range if and only if it is artillery."
            if (unit.troops == "tank") != bool(unit.rating):
                yield f"units: {unit.name} needs a rating if and only if it is of tanks."

    def remnants(self) -> Iterator[str]:
        yield from twice((remnant.kind for remnant in self.book.remnants), "remnants")
        for remnant in self.book.remnants:
            if remnant.troops not in self.book.troops:
                yield f"remnants: {remnant.kind} is of unknown troops."

    def setups(self, file: DataFile) -> None:
        book = self.book
        for key, setup in book.setups.items():
            if setup.weather not in SPACES:
                raise file.refuse(f"setups.{key}: {setup.weather!r} is no space of the track.")
            sides: dict[str, str] = {}
            for start in setup.units:
                unit = known_unit(self.named, start.unit, file, f"setups.{key}")
                read_place(self.board, start.hex, file, f"setups.{key}: {unit.name}", self.land)
                if sides.setdefault(start.hex, unit.side) != unit.side:
                    raise file.refuse(f"setups.{key}: both sides are in {start.hex}.")
                if start.reduced and len(unit.faces) < 2:
                    raise file.refuse(f"setups.{key}: {unit.name} has no second step.")
            for hex in (*setup.allied, *(site.hex for site in setup.forts)):
                read_place(self.board, hex, file, f"setups.{key}", self.land)
            for name in (*setup.frozen, *setup.held, *setup.garrison):
                if name not in {start.unit for start in setup.units}:
                    raise file.refuse(f"setups.{key}: {name} is not in the set-up.")
        for scenario in book.scenarios:
            if scenario.setup not in book.setups:
                raise file.refuse(f"scenarios: {scenario.key} has no set-up.")
            if not scenario.first <= scenario.last <= len(book.calendar.names):
                raise file.refuse(f"scenarios: {scenario.key} has turns without names.")

    def schedule(self) -> Iterator[str]:
        book = self.book
        lists = (("arrivals", book.arrivals), ("withdrawals", book.withdrawals))
        for key, groups in (*lists, ("removals", book.removals)):
            for group in groups:
                for name in group.units:
                    unit = self.named.get(name)
                    if unit is None or unit.side != group.side:
                        yield f"{key}: {name} is no unit of the {group.side} side."
                if key != "removals" and not self._known_places(group):
                    yield f"{key}: {group.at!r} is neither an area, Naples nor a hex."
                if key == "withdrawals" and group.returns <= group.turn:
                    yield f"{key}: {', '.join(group.units)} return before they leave."
        arrive = (name for group in book.arrivals for name in group.units)
        yield from twice(arrive, "arrivals", "comes")
        orders = book.orders
        for name in (orders.formia, orders.coast.unit, orders.naples.unit):
            if name not in self.named:
                yield f"orders: there is no unit {name!r}."

    def _known_places(self, group: Group) -> bool:
        places = areas(group.at)
        boxes = {box.name for box in self.board.boxes}
        codes = {self.board.code(hex) for hex in self.board.lattice}
        return places == ("Naples",) or all(place in boxes | codes for place in places)


def areas(text: str) -> tuple[str, ...]:
    """The entry areas of a code.

    >>> areas("N2-4"), areas("S1"), areas("1706")
    (('N2', 'N3', 'N4'), ('S1',), ('1706',))
    """
    first, dash, last = text.partition("-")
    if not dash:
        return (text,)
    edge, start = first[:1], int(first[1:])
    return tuple(f"{edge}{number}" for number in range(start, int(last) + 1))
