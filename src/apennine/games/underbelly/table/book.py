"""The data files read all at once, and checked against each other and against the map.

So a mistake, in them or in a pack laid over them, is found when the game is made and not in the
middle of a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from apennine.board import Board
from apennine.hexes import HexError, Mask
from apennine.kernel.data import DataError, DataFile
from apennine.mechanics.tables import Table, TableError, read_table

from .data import (
    ATTACK_ONLY,
    DIE,
    DIVISIONS,
    END_RUN_MODIFIERS,
    GROUPS,
    MOBILITIES,
    MODIFIERS,
    OUTCOMES,
    SIDES,
    SUPPORTS,
    Aircraft,
    Bombers,
    Calendar,
    Command,
    EndRun,
    EndRunModifier,
    FifthArmy,
    Forts,
    Group,
    March,
    Modifier,
    Outcome,
    Pace,
    Port,
    Prices,
    Replacements,
    Scenario,
    SecondSS,
    Setup,
    Supply,
    Troops,
    Unit,
    Victory,
    Withdrawal,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """All that the data files say."""

    units: tuple[Unit, ...]
    groups: dict[str, Group]
    troops: dict[str, Troops]
    movement: dict[str, Pace]
    march: March
    modifiers: dict[str, Modifier]
    bombers: Bombers
    command: Command
    prices: Prices
    replacements: Replacements
    forts: Forts
    tactical: tuple[int, ...]
    aircraft: tuple[Aircraft, ...]
    river_grace: int
    """Up to this turn rivers do not trouble a German attack (13.14)."""
    second_ss: SecondSS
    fifth_army: FifthArmy
    end_run: EndRun
    end_run_table: Table[str]
    end_run_modifiers: dict[str, EndRunModifier]
    raid: Table[str]
    raid_turns: tuple[int, ...]
    scenarios: tuple[Scenario, ...]
    outcomes: dict[str, Outcome]
    calendar: Calendar
    ports: tuple[Port, ...]
    supply: Supply
    setup: Setup
    withdrawals: tuple[Withdrawal, ...]
    victory: Victory

    @property
    def turns(self) -> int:
        """How many there are."""
        return len(self.calendar.names)

    def mobility(self, unit: Unit) -> str:
        """The mobility category of a unit (2.11a)."""
        if self.troops[unit.troops].mountain:
            return "mountain"
        return "foot" if unit.moves == 4 else "mechanised"

    def support(self, unit: Unit) -> bool:
        """Whether it is a corps support unit and no division (1.5a)."""
        return self.troops[unit.troops].support


def read_book(board: Board, units: DataFile, charts: DataFile, scenarios: DataFile) -> Book:
    """Read the three files; a mistake is a DataError, one sentence with the file and the key."""
    book = Book(
        units=_by_side(units.read("units", tuple[Unit, ...])),
        groups=_complete(charts, "groups", dict[str, Group], GROUPS),
        troops=charts.read("troops", dict[str, Troops]),
        movement=_complete(charts, "movement", dict[str, Pace], MOBILITIES),
        march=charts.read("march", March),
        modifiers=_complete(charts, "modifiers", dict[str, Modifier], MODIFIERS),
        bombers=charts.read("bombers", Bombers),
        command=charts.read("command", Command),
        prices=charts.read("prices", Prices),
        replacements=charts.read("replacements", Replacements),
        forts=charts.read("forts", Forts),
        tactical=charts.read("air.tactical", tuple[int, int, int]),
        aircraft=charts.read("air.units", tuple[Aircraft, ...]),
        river_grace=charts.read("rivers.german_until", int),
        second_ss=charts.read("second_ss", SecondSS),
        fifth_army=charts.read("fifth_army", FifthArmy),
        end_run=charts.read("end_run", EndRun),
        end_run_table=_table(charts, "end_run_table", read_end_run),
        end_run_modifiers=_complete(
            charts, "end_run_modifiers", dict[str, EndRunModifier], END_RUN_MODIFIERS
        ),
        raid=_table(charts, "raid", str),
        raid_turns=charts.read("raids.turns", tuple[int, ...]),
        scenarios=scenarios.read("scenarios", tuple[Scenario, ...]),
        outcomes=_complete(scenarios, "outcomes", dict[str, Outcome], OUTCOMES),
        calendar=scenarios.read("turns", Calendar),
        ports=scenarios.read("ports.list", tuple[Port, ...]),
        supply=scenarios.read("supply", Supply),
        setup=scenarios.read("setup", Setup),
        withdrawals=scenarios.read("withdrawals.list", tuple[Withdrawal, ...]),
        victory=scenarios.read("victory", Victory),
    )
    checks = _Checks(board, book)
    checks.charts(charts)
    checks.scenarios(scenarios)
    checks.roster(units)
    return book


def _by_side(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The Allies first, whatever a pack adds at the end."""
    return tuple(sorted(units, key=lambda unit: unit.side))


def read_end_run(text: str) -> str:
    """A cell of the end-run table: `defeat`, `undecided`, `breakthrough` or `withdraw 4` steps."""
    word, _, steps = text.partition(" ")
    if text in ("defeat", "undecided", "breakthrough") or (
        word == "withdraw" and steps.isdecimal()
    ):
        return text
    raise ValueError(f"{text!r} is no result of an end-run")


def _complete(
    file: DataFile, key: str, kind: type[dict[str, _T]], names: Iterable[str]
) -> dict[str, _T]:
    """A table that must have an entry for each of these names, and no others."""
    table = file.read(key, kind)
    for name in sorted(set(names) ^ set(table)):
        raise file.refuse(f"{key}.{name} is {'unknown' if name in table else 'missing'}.")
    return table


def _table(file: DataFile, key: str, cell: Callable[[str], str]) -> Table[str]:
    try:
        return read_table(key, file.data.get(key), cell, file.name)
    except TableError as error:
        raise DataError(error.mistakes[0]) from error


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
        rolls = [roll for each in book.outcomes.values() for roll in _span(each.rolls)]
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
            self._hex(hex, self.land, file, key)
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
            self._hex(port.hex, self.board.regions["coast"], file, f"ports: {port.name}")
            group = self.book.groups.get(port.group)
            if group is None or group.side != "Allied":
                raise file.refuse(f"ports: {port.name} is not of an Allied group.")
            if port.becomes and (port.becomes not in names or not port.switch):
                raise file.refuse(f"ports: {port.name} cannot become {port.becomes}.")
        if sum(bool(port.becomes) for port in ports) != 1 or sum(port.opens for port in ports) != 1:
            raise file.refuse("ports: one must become another, and one must open later.")

    def roster(self, file: DataFile) -> None:
        book = self.book
        names = Counter(unit.name for unit in book.units)
        if twice := [name for name, count in names.items() if count > 1]:
            raise file.refuse(f"units: {twice[0]} is there twice.")
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
            self._hex(unit.start, within, file, f"units: {name}")

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

    def _hex(self, code: str, among: Mask, file: DataFile, key: str) -> None:
        try:
            hex = self.board.parse(code)
        except HexError as error:
            raise file.refuse(f"{key}: {error}") from error
        if not among >> hex & 1:
            raise file.refuse(f"{key}: {code} is the wrong sort of hex.")


def _span(rolls: tuple[int, int]) -> range:
    return range(rolls[0], rolls[1] + 1)
