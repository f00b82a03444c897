"""The data files read all at once, and checked against each other and against the map.

So a mistake, in them or in a pack laid over them, is found when the game is made and not in the
middle of a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from apennine.board import Board
from apennine.kernel.data import DataFile
from apennine.mechanics.roster import Roster, read_place
from apennine.mechanics.roster import read_book as read_files

from .data import ATTACK_ONLY, DIE, DIVISIONS, GROUPS, OUTCOMES, SIDES, SUPPORTS, Book, Unit


def read_book(board: Board, units: DataFile, charts: DataFile, scenarios: DataFile) -> Book:
    """Read the three files; a mistake is a DataError, one sentence with the file and the key."""
    book = read_files(Book, units, charts, scenarios)
    # The Allies first, whatever a pack adds at the end.
    book = replace(book, units=tuple(sorted(book.units, key=lambda unit: unit.side)))
    checks = _Checks(board, book)
    checks.charts(charts)
    checks.scenarios(scenarios)
    checks.roster(units)
    return book


class _Checks:
    """What must fit together; the first thing that does not is refused."""

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.book = book
        self.land = board.regions["land"]

    def charts(self, file: DataFile) -> None:
        book = self.book
        boxes = {box.name for box in self.board.boxes}
        for name, group in book.groups.items():
            if group.side not in SIDES or group.box not in boxes:
                raise file.refuse(f"groups.{name} has no side or no box of the map.")
        for plane in book.aircraft:
            group = book.groups.get(plane.group)
            if group is None or group.side != plane.side:
                raise file.refuse(f"air.units: {plane.name} is in no group of its side.")
        kinds = Counter((plane.side, plane.kind) for plane in book.aircraft)
        if max(book.tactical) > kinds["Allied", "tactical"]:
            raise file.refuse("air.tactical asks for more aircraft than there are.")
        if (kinds["German", "tactical"], kinds["Allied", "heavy"]) != (1, 1):
            raise file.refuse("air.units needs one German unit and one of heavy bombers.")
        for name in ATTACK_ONLY:
            modifier = book.modifiers[name]
            if modifier.defence or modifier.support_defence:
                raise file.refuse(f"modifiers.{name} has no effect on the fire of a defender.")
        corps = book.second_ss
        if len(corps.before) != len(corps.most) or corps.most[-1:] != (DIE,):
            raise file.refuse(f"second_ss needs a roll for each turn, the last of them {DIE}.")
        if book.raid.columns != OUTCOMES:
            raise file.refuse(f"raid.columns must be {' and '.join(OUTCOMES)}.")
        ports = {port.name for port in book.ports} | {"none"}
        for cell in {cell for row in book.raid.rows for cell in row} - ports:
            raise file.refuse(f"raid.rows: {cell} is no port.")

    def scenarios(self, file: DataFile) -> None:
        book = self.book
        for scenario in book.scenarios:
            if scenario.outcome and scenario.outcome not in OUTCOMES:
                raise file.refuse(f"scenarios: {scenario.key} has an unknown outcome.")
        spans = (each.rolls for each in book.outcomes.values())
        rolls = [roll for first, last in spans for roll in range(first, last + 1)]
        if sorted(rolls) != list(range(1, DIE + 1)):
            raise file.refuse(f"outcomes: the rolls must be 1 to {DIE}, each once.")
        for name, outcome in book.outcomes.items():
            if not set(outcome.groups) <= set(GROUPS) or len(outcome.hesitancy) not in (0, 2):
                raise file.refuse(f"outcomes.{name} has unknown groups or half a hesitancy.")
        if len(book.calendar.days) != book.turns:
            raise file.refuse("turns: there are not as many days as names.")
        self._ports(file)
        named = [("setup.special_forces", book.setup.special_forces)]
        named += [("setup.british", book.setup.british)]
        named += [("victory.prizes", hex) for hex in book.victory.prizes]
        named += [("victory.beaches", hex) for hex in book.victory.beaches]
        for key, hex in named:
            read_place(self.board, hex, file, key, self.land)
        allied = {unit.name: unit for unit in book.units if unit.side == "Allied"}
        for leaving in book.withdrawals:
            unit = allied.get(leaving.unit)
            if unit is None or not unit.arrives < leaving.turn <= book.turns:
                raise file.refuse(f"withdrawals: {leaving.unit} is not in play in that turn.")

    def _ports(self, file: DataFile) -> None:
        ports = self.book.ports
        names = [port.name for port in ports]
        if len(set(names)) < len(names):
            raise file.refuse("ports: two have the same name.")
        for port in ports:
            read_place(
                self.board, port.hex, file, f"ports: {port.name}", self.board.regions["coast"]
            )
            group = self.book.groups.get(port.group)
            if group is None or group.side != "Allied":
                raise file.refuse(f"ports: {port.name} is not of an Allied group.")
            if port.becomes and (port.becomes not in names or not port.switch):
                raise file.refuse(f"ports: {port.name} cannot become {port.becomes}.")
        if sum(bool(port.becomes) for port in ports) != 1 or sum(port.opens for port in ports) != 1:
            raise file.refuse("ports: one must become another, and one must open later.")

    def roster(self, file: DataFile) -> None:
        book = self.book
        Roster(book.units, SIDES, file)
        for unit in book.units:
            self._unit(unit, file)
        self._starts(file)
        corps = [unit for unit in book.units if unit.group == "2SS"]
        if not self._stacks(corps):
            raise file.refuse("units: II SS Panzer Corps does not fit into one hex.")
        army = sum(unit.group == "5Pz" for unit in book.units) + 1  # the aircraft counts
        if army != book.fifth_army.units:
            raise file.refuse(f"units: 5th Panzer Army needs {book.fifth_army.units - 1} units.")

    def _unit(self, unit: Unit, file: DataFile) -> None:
        book, name = self.book, unit.name
        group = book.groups.get(unit.group)
        if group is None or group.side != unit.side:
            raise file.refuse(f"units: {name} has no group of its side.")
        if unit.troops not in book.troops:
            raise file.refuse(f"units: {name} is of unknown troops, {unit.troops!r}.")
        if unit.full not in (1, 2) or not all(1 <= factor <= DIE for factor in unit.fire):
            raise file.refuse(f"units: {name} needs one or two factors from 1 to {DIE}.")
        if unit.moves not in (4, 8, "?"):
            raise file.refuse(f"units: {name} moves 4, 8 or '?'.")
        if unit.only not in ("", *OUTCOMES):
            raise file.refuse(f"units: {name} is only in an unknown scenario.")
        aside = unit.group in ("2SS", "5Pz")
        if aside != (unit.code == ""):
            raise file.refuse(f"units: {name} needs a code, but for those that wait aside.")
        free = f"{book.setup.british}-{book.setup.range}"
        if not (aside or unit.available or unit.start or 0 < unit.arrives <= book.turns):
            raise file.refuse(f"units: {name} has an unknown code, {unit.code!r}.")
        if bool(unit.place) != (unit.code == free):
            raise file.refuse(f"units: {name} needs a place if its code is {free}.")
        if unit.start:
            within = self.land
            if unit.place:
                centre = self.board.parse(book.setup.british)
                within &= self.board.lattice.disc(centre, book.setup.range)
            read_place(self.board, unit.start, file, f"units: {name}", within)

    def _starts(self, file: DataFile) -> None:
        stacks: dict[str, list[Unit]] = {}
        for unit in self.book.units:
            if unit.start:
                stacks.setdefault(unit.start, []).append(unit)
        for hex, stack in stacks.items():
            if len({unit.side for unit in stack}) > 1 or not self._stacks(stack):
                raise file.refuse(f"units: those of {hex} do not stack.")

    def _stacks(self, units: Sequence[Unit]) -> bool:
        """Whether they may be in one hex (6.3a, 6.3b)."""
        supports = sum(self.book.support(unit) for unit in units)
        return supports <= SUPPORTS and len(units) - supports <= DIVISIONS
