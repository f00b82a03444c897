"""Chapter 23: the weather phase."""

from typing import Any

import pytest

from apennine.games.italy43.rules.c23_weather import port
from apennine.games.italy43.table.data import SPACES
from apennine.games.italy43.table.position import GERMAN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import GAME, WAR, do, names, table, units, verbs

BR, US = (1 << WAR.army_names.index(army) for army in ("Br", "US"))


GUNS = "71 NW @ 2201; 3 ASU @ 2124"
MORE_GUNS = "71 NW @ 2201 ready; HG ASU, XIV ASU @ 2202; 3 ASU, VI ASU @ 2124; 45 ASU @ S1"


def weather(die: int, space: str, counters: str = GUNS, **fields: Any) -> Match[Table]:
    """A match after a weather roll with the marker in a space before."""
    given: dict[str, Any] = {"supply": [0, 1], "control": 0, "weather": SPACES.index(space)}
    pos = table(counters, "weather", GERMAN, **given | fields)
    match = Match(GAME, position=pos, dice_by_hand=True)
    match.roll(die)
    return match


@rule("italy43", "23.1a", "23.1b")
@pytest.mark.parametrize(("die", "space"), [(1, "C"), (2, "D"), (4, "D"), (5, "E"), (6, "E")])
def test_the_marker_moves_none_one_or_two_spaces(die: int, space: str):
    assert weather(die, "C").position.weather == SPACES.index(space)


@rule("italy43", "23.1a")
def test_after_f_comes_a():
    assert weather(3, "F").position.weather == SPACES.index("A")
    assert weather(5, "F").position.weather == SPACES.index("B")


@rule("italy43", "23.1c")
def test_the_weather_of_the_spaces():
    assert WAR.skies == ("clear", "clear", "cloudy", "cloudy", "rain", "mud")


AIR = [("A", BR | US), ("B", BR | US), ("C", US), ("D", BR), ("E", 0), ("F", 0)]


@rule("italy43", "23.2a", "23.2c")
@pytest.mark.parametrize(("space", "air"), AIR)
def test_air_markers_by_space_whatever_was_left_of_them(space: str, air: int):
    for before in (0, BR | US):
        assert weather(1, space, air=before).position.air == air


@rule("italy43", "23.2b")
@pytest.mark.parametrize("space", SPACES)
def test_the_naval_marker_is_ready_in_a_and_b(space: str):
    assert weather(1, space, naval=True).position.naval is (space in "AB")


GAINS = [("A", 2, 1), ("B", 2, 1), ("C", 2, 2), ("D", 2, 2), ("E", 0, 1), ("F", 0, 1)]


@rule("italy43", "23.3.1a")
@pytest.mark.parametrize(("space", "allied", "german"), GAINS)
def test_supply_points_by_the_space_where_the_marker_lands(space: str, allied: int, german: int):
    assert weather(1, space).position.supply == [allied, 1 + german]


@rule("italy43", "23.3.1b")
def test_nobody_keeps_more_than_19():
    assert weather(1, "C", supply=[18, 19]).position.supply == [19, 19]


@rule("italy43", "23.3.2", "S2.3.4")
def test_the_port_of_naples_adds_one_from_turn_14_and_two_from_turn_24():
    assert [port(WAR, turn) for turn in (1, 13, 14, 23, 24, 32)] == [0, 0, 1, 1, 2, 2]
    assert weather(1, "E", turn=24).position.supply == [2, 2]
    assert weather(1, "E", turn=14, scenario="bernhard").position.supply == [1, 2]


@rule("italy43", "23.3.3", "3.0A1")
@pytest.mark.parametrize(("die", "flips"), [(1, False), (2, True), (4, True), (5, False)])
def test_only_a_roll_of_2_to_4_readies_a_nebelwerfer(die: int, flips: bool):
    match = weather(die, "C")
    assert ("flip" in verbs(match)) is flips
    assert match.position.supply[0] >= 2 or die >= 5  # supply points come before
    if flips:
        assert names(match, "flip") == {"71 NW"}
        do(match, "flip", "71 NW")


PAST_F = [(3, "F", True), (5, "F", True), (5, "E", True), (3, "E", False)]


@rule("italy43", "23.3.4a")
@pytest.mark.parametrize(("die", "space", "bonus"), PAST_F)
def test_past_f_division_artillery_is_readied_even_if_a_is_skipped(
    die: int, space: str, bonus: bool
):
    ready = weather(die, space, MORE_GUNS).position.ready & ~units("71 NW")
    assert ready == (units("HG ASU, 3 ASU, 45 ASU") if bonus else 0)


@rule("italy43", "23.3.4b")
def test_but_no_corps_nobody_eliminated_and_nobody_who_comes_in_this_turn():
    match = weather(5, "F", MORE_GUNS, lost="46 Br ASU", turn=2)
    assert not match.position.ready & units("XIV ASU, VI ASU, 46 Br ASU, 56 Br ASU")


@rule("italy43", "23.4a")
def test_the_weather_of_turns_2_and_3_of_the_example():
    # Line 1682: from E a 3 leads to F; no Allied points, one German, one Nebelwerfer.
    match = weather(3, "E")
    assert match.position.weather == SPACES.index("F")
    assert match.position.supply == [0, 2]
    assert "flip" in verbs(match)
    # Line 1757: a 5 leads on to B; two Allied points, all air and ships, no flip.
    match = weather(5, "F")
    assert match.position.supply == [2, 2]
    assert (match.position.air, match.position.naval) == (BR | US, True)
    assert "flip" not in verbs(match)
