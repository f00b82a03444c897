"""Chapters 0 to 2, and who is meant by a side: shifts, dice, sides, months."""

from __future__ import annotations

import pytest

from apennine.kernel.log import Rolled
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GERMAN,
    WAR,
    begin,
    combat,
    do,
    names,
    picked,
    preview,
    steps,
    support,
    turn_end,
    verbs,
)

ONE_OF_EACH_NATION = "US 34 @ 1004; 78 Inf @ 1104; 2 DIM @ 1005; PL 3 C @ 1105; RM @ 1204"
FRONT_IN_THE_PLAIN = "6 Arm @ 1104; 26 Pz @ 1105"


@rule("italy1944", "0a")
def test_a_shift_to_the_right_is_a_better_column_and_one_to_the_left_a_worse_one():
    match = combat(FRONT_IN_THE_PLAIN)
    assert preview(match, "attack", hex="1105").column == "1:1"
    do(match, "attack", hex="1105")
    assert preview(match, "air support", hex="1105").column == "2:1"
    support(match, "air", "air")
    # The defender's marker takes one of the two columns back.
    assert preview(match, "no more support").column == "3:1"
    assert preview(match, "air support", hex="1105").column == "2:1"


@rule("italy1944", "0a")
@pytest.mark.parametrize(
    ("markers", "left"),
    # A six is 0/1 at 1:1, 1/2 at 2:1 and 0/2 at 3:1.
    [([], (2, 1)), (["air"], (1, 0)), (["air", "air"], (2, 0))],
)
def test_the_die_is_read_in_the_shifted_column(markers: list[str], left: tuple[int, int]):
    match = combat(FRONT_IN_THE_PLAIN, air=[0, 1])
    match.force(6)
    do(match, "attack", hex="1105")
    support(match, *markers)
    assert (steps(match, "6 Arm"), steps(match, "26 Pz")) == left


@rule("italy1944", "0b")
def test_every_roll_is_of_one_die_with_six_faces():
    match = combat(FRONT_IN_THE_PLAIN, air=list(WAR.air_markers))
    do(match, "attack", hex="1105")
    rolls = [entry for entry in match.log if isinstance(entry, Rolled)]
    assert [len(roll.faces) for roll in rolls] == [1]
    # Every row of the 1:1 column comes up with the same chance.
    results = preview(combat(FRONT_IN_THE_PLAIN), "attack", hex="1105").chances
    sixths = {chance.result: chance.probability * 6 for chance in results}
    assert sixths == {"2/0": 1, "1/0": 2, "1/1": 2, "0/1": 1}


@rule("italy1944", "2b")
@pytest.mark.parametrize(
    ("turn", "month"), [(1, "January"), (6, "June"), (7, "July"), (8, "August"), (9, "September")]
)
def test_a_turn_is_a_month_of_1944(turn: int, month: str):
    match = begin("movement", ALLIED, "US 34 @ 3322", turn=turn)
    assert match.view(GERMAN)["track"][turn - 1] == month


@rule("italy1944", "2b")
def test_after_august_comes_september_and_after_september_the_end():
    match = turn_end("US 34 @ 3322", turn=8)
    assert (match.position.turn, match.outcome) == (9, None)
    match = turn_end("US 34 @ 3322", turn=9)
    assert match.outcome is not None
    assert match.decision is None


@rule("italy1944", "3d")
def test_units_of_all_five_allied_nations_move_in_the_allied_phase():
    match = begin("movement", ALLIED, f"{ONE_OF_EACH_NATION}; 94 ID @ 2419")
    assert names(match, "move") == {"US 34", "78 Inf", "2 DIM", "PL 3 C", "RM"}


@rule("italy1944", "3c")
def test_every_german_unit_and_no_other_moves_in_the_german_phase():
    # The Italians of this game are on the Allied side.
    match = begin("movement", GERMAN, f"{ONE_OF_EACH_NATION}; 94 ID, 16 SS, 162 T @ 2419")
    assert names(match, "move") == {"94 ID", "16 SS", "162 T"}


@rule("italy1944", "1.4a")
def test_every_people_of_the_commonwealth_is_of_one_nation_and_every_axis_unit_german():
    units = begin("movement", ALLIED, "US 34 @ 3322").view(ALLIED)["units"]
    nations = {unit["name"]: unit["nation"] for unit in units}
    british_canadian_indian = {nations[name] for name in ("78 Inf", "1 C", "4 I")}
    others = {nations[name] for name in ("2 NZ", "6 SA", "201 G")}
    assert british_canadian_indian == others == {"CW"}
    assert [nations[name] for name in ("SSF", "2 DIM", "PL 3 C", "Ut")] == ["US", "FR", "PL", "IT"]
    assert {unit["nation"] for unit in units if unit["side"] == "German"} == {"GE"}


@rule("italy1944", "1.4b")
@pytest.mark.parametrize(
    ("unit", "tank_class"),
    [
        *(("26 Pz", True), ("90 PG", True), ("508 Pz", True)),
        *(("94 ID", False), ("114 J", False), ("1 FJ", False), ("5 GJ", False), ("Lehr", False)),
    ],
)
def test_only_armour_and_mechanised_infantry_attack_on_the_move(unit: str, tank_class: bool):
    match = begin("movement", GERMAN, f"{unit}, 71 ID @ 1105; Rangers @ 1205")
    assert ("mobile attack" in verbs(picked(match, unit))) is tank_class
