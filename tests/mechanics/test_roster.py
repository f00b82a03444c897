"""The units of a game and the readers of its data files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from apennine.games.crossing.game import Crossing
from apennine.kernel.data import DataError, DataFile
from apennine.mechanics.roster import Entry, Roster, read_book, read_chart, read_place, where

BOARD = Crossing().board


class Battalion(Entry, frozen=True):
    name: str
    side: str
    kind: str = "foot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    units: tuple[Battalion, ...] = where("units.toml")
    prices: dict[str, int] = where("charts.toml", names=("move", "attack"))
    last: int = where("charts.toml", "turns.last")


def line(name: str, side: str = "Red", **more: Any) -> dict[str, Any]:
    return {"name": name, "side": side, **more}


def files(*units: dict[str, Any], **charts: Any) -> tuple[DataFile, DataFile]:
    charts = {"prices": {"move": 1, "attack": 2}, "turns": {"last": 9}} | charts
    return DataFile("units.toml", {"units": list(units)}), DataFile("charts.toml", charts)


def roster(*lines: dict[str, Any]) -> Roster[Battalion]:
    units, charts = files(*lines)
    return Roster(read_book(Book, units, charts).units, ("Red", "Blue"), units)


def test_a_book_has_what_each_field_says_where_to_read():
    book = read_book(Book, *files(line("1", source="history: 1943")))
    assert book.units[0].source == "history: 1943"
    assert (book.prices, book.last) == ({"move": 1, "attack": 2}, 9)


@pytest.mark.parametrize(
    ("charts", "sentence"),
    [
        ({"prices": {"move": 1}}, "charts.toml: prices.attack is missing."),
        (
            {"prices": {"move": 1, "attack": 1, "fly": 3}},
            "charts.toml: prices.fly is unknown.",
        ),
        ({"turns": {"last": "nine"}}, "charts.toml: turns.last: Expected `int`, got `str`."),
        ({"turns": {}}, "charts.toml: turns.last is missing."),
    ],
)
def test_what_does_not_fit_is_refused_with_its_file_and_key(charts: Any, sentence: str):
    with pytest.raises(DataError) as error:
        read_book(Book, *files(line("1"), **charts))
    assert str(error.value) == sentence


def test_a_roster_knows_its_sides_and_kinds():
    found = roster(line("1"), line("2", kind="tracks"), line("I", "Blue"))
    assert found.names == ("1", "2", "I")
    assert found.side_of == (0, 0, 1)
    assert (found.members, found.armies) == ((range(2), range(2, 3)), (0b011, 0b100))
    assert found.those(lambda unit: unit.kind == "foot") == 0b101
    assert found.each(lambda unit: unit.kind, ("tracks", "foot", "sea")) == (0b010, 0b101, 0)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([line("1"), line("1", "Blue")], "units.toml: units: 1 is there twice."),
        ([line("1", "Green")], "units.toml: units: 1 is of no side: 'Green'."),
        (
            [line("1"), line("I", "Blue"), line("2")],
            "units.toml: units: those of the Red side do not stand together.",
        ),
    ],
)
def test_a_roster_that_is_muddled_is_refused(lines: list[dict[str, Any]], sentence: str):
    with pytest.raises(DataError) as error:
        roster(*lines)
    assert str(error.value) == sentence


def test_a_place_is_read_by_its_code_and_must_be_among_those_that_fit():
    file = DataFile("units.toml", {})
    hex = read_place(BOARD, "0304", file, "1 Inf")
    assert BOARD.code(hex) == "0304"
    with pytest.raises(DataError, match=r"^units.toml: 1 Inf: 0304 is the wrong sort of hex\.$"):
        read_place(BOARD, "0304", file, "1 Inf", ~(1 << hex))
    with pytest.raises(DataError, match=r"^units.toml: 1 Inf: "):
        read_place(BOARD, "9999", file, "1 Inf")


def test_a_chart_with_a_mistake_names_it():
    with pytest.raises(DataError, match="combat"):
        read_chart(DataFile("charts.toml", {}), "combat", str)


def test_units_are_found_by_side_and_turn():
    listed = roster(line("1", kind="2"), line("2", kind="0"), line("I", "Blue", kind="1"))
    assert listed.by_turn(lambda unit: int(unit.kind)) == ({2: (0,)}, {1: (2,)})
