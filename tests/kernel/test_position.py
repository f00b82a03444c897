from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.kernel.position import Position, PositionError
from tests.kernel.playing import in_another_process

Hexes = list[int]

WORDS = st.integers(-(1 << 130), 1 << 130)
SHORT = st.integers(-9, 9)


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    hex: list[int]
    boards: Hexes
    """A list by another name is a list all the same."""
    front: int = 0
    name: str = ""
    night: bool = False
    queue: list[tuple[int, str]]
    fixed: tuple[int, ...] = ()


TABLES = st.builds(
    Table,
    turn=SHORT,
    phase=st.text(),
    side=SHORT,
    hex=st.lists(SHORT),
    boards=st.lists(WORDS),
    front=WORDS,
    name=st.text(),
    night=st.booleans(),
    queue=st.lists(st.tuples(SHORT, st.sampled_from(["a", "b"]))),
    fixed=st.lists(WORDS).map(tuple),
)

CHANGES: list[Callable[[Table], None]] = [
    lambda table: setattr(table, "turn", table.turn + 1),
    lambda table: table.hex.append(1),
    lambda table: table.boards.append(1),
    lambda table: setattr(table, "front", table.front ^ 1 << 99),
    lambda table: setattr(table, "night", not table.night),
    lambda table: table.queue.append((1, "c")),
    lambda table: setattr(table, "fixed", (*table.fixed, 1)),
]


@given(TABLES)
def test_a_copy_is_equal_and_has_the_same_digest(table: Table):
    copy = table.copy()
    assert copy == table
    assert copy is not table
    assert copy.digest == table.digest


@given(TABLES, st.sampled_from(CHANGES))
def test_a_change_of_the_copy_shows_in_the_copy_alone(table: Table, change: Callable[..., None]):
    before = table.digest
    copy = table.copy()
    change(copy)
    assert copy != table
    assert copy.digest != before
    assert table.digest == before


@given(TABLES)
def test_a_position_comes_back_from_json_the_same_to_the_type_of_each_value(table: Table):
    import json

    again = Table.from_json(json.loads(json.dumps(table.to_json())))
    assert repr(again.state()) == repr(table.state())


def test_bitboards_are_written_in_hexadecimal_and_small_numbers_as_they_are():
    table = Table(hex=[3], boards=[1 << 60], queue=[])
    assert table.to_json()["hex"] == [3]
    assert table.to_json()["boards"] == ["0x1000000000000000"]


def test_positions_of_different_games_are_not_equal():
    other = make_dataclass("Other", [("hex", "list[int]")], bases=(Position,), slots=True, eq=False)
    assert Table(hex=[], boards=[], queue=[]) != other(hex=[])


def test_a_position_cannot_be_put_into_a_set_because_it_changes():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Table(hex=[], boards=[], queue=[]))


def test_a_snapshot_that_does_not_fit_names_every_field_that_is_wrong():
    data = Table(hex=[1], boards=[], queue=[]).to_json()
    del data["queue"]
    data |= {"hex": "everywhere", "side": 1.5, "weather": 3}
    with pytest.raises(PositionError) as error:
        Table.from_json(data)
    sentence = str(error.value)
    for part in ("queue is missing", "weather is unknown", "hex: ", "side: 1.5"):
        assert part in sentence


@pytest.mark.parametrize(
    "kind",
    [
        dict[int, int],
        "set[int]",
        "float",
        "list[list[int]]",
        "tuple[list[int], ...]",
        "list[int] | None",
        "list[dict[str, int]]",
    ],
)
def test_a_field_that_a_copy_would_share_is_refused_by_name(kind: Any):
    bad: Any = make_dataclass("Bad", [("odd", kind)], bases=(Position,), slots=True, eq=False)
    with pytest.raises(TypeError, match=r"Bad\.odd: .* cannot be in a position"):
        bad(odd=None).copy()


def test_the_digest_is_the_same_in_another_process():
    table = Table(turn=3, phase="move", hex=[1, 2], boards=[1 << 99], queue=[(1, "a")])
    assert table.digest == in_another_process(
        "from tests.kernel.test_position import Table\n"
        "result = Table(turn=3, phase='move', hex=[1, 2], boards=[1 << 99],"
        " queue=[(1, 'a')]).digest"
    )
