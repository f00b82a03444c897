"""Chapter 7: the sequence of play, from the first phase of a scenario to its last."""

from itertools import groupby

import pytest

from apennine.games.italia1918.rules.c04_stacking import overstacked
from apennine.games.italia1918.rules.c07_sequence import OPERATIONS, go_on, play
from apennine.games.italia1918.rules.c08_offensives import sequences, turn_begins
from apennine.games.italia1918.rules.c11_markers import works_phase
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.rules.c14_exploitation import exploitation_phase, pursuit_phase
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    SCENARIOS,
    WAR,
    at,
    begin,
    do,
    events,
    names,
    table,
    verbs,
)
from tests.games.italia1918.drawing import play as procedures

Moment = tuple[int, int, str, int]


def course(key: str) -> list[Moment]:
    """The turn, sequence, phase and side of every phase of a scenario."""
    pos, found = begin(key), []
    while pos.phase != "over":
        if pos.phase == "turn":
            pos.sequence = 1
            pos.offensive = pos.turn in WAR.theatres[pos.scenario].offensives
        found.append((pos.turn, pos.sequence, pos.phase, pos.side))
        go_on(WAR, pos)
    return found


COURSES = {key: course(key) for key in SCENARIOS}


def phases(key: str, turn: int, sequence: int) -> list[str]:
    """The phases of an Operational Sequence and of what stands around it."""
    return [p for t, s, p, _ in COURSES[key] if (t, s) == (turn, sequence)]


@rule("italia1918", "7.0a", "S0.S2b")
def test_a_turn_has_an_administrative_sequence_one_or_three_others_and_the_points():
    turns = {
        turn: [(sequence, phase) for _, sequence, phase, _ in moments]
        for turn, moments in groupby(COURSES["grappa"], key=lambda moment: moment[0])
    }
    assert turns[17][2] == (1, "turn")  # after the choices of both sides
    assert [s for s, phase in turns[17] if phase == "weather"] == [1, 2, 3]
    assert [s for s, phase in turns[18] if phase == "weather"] == [1]
    assert turns[17][-1] == (3, "victory")
    assert turns[18][-1] == (1, "victory")


@rule("italia1918", "7.0b")
def test_the_administrative_sequence_is_offensives_supply_and_air():
    found = phases("solstice", 25, 1)
    shown = [phase for phase in found if phase in ("offensives", "supply", "air", "weather")]
    assert shown == ["offensives", "supply", "air", "weather"]


@rule("italia1918", "7.0c")
@pytest.mark.parametrize(("key", "first"), [("caporetto", CENTRAL), ("vittorio", ENTENTE)])
def test_the_side_with_the_initiative_goes_first_through_its_phases(key: str, first: int):
    turn = COURSES[key][2][0]
    sides = [(p, side) for t, s, p, side in COURSES[key] if (t, s) == (turn, 2)]
    weather = sides.index(("weather", first))
    order = [("movement", "combat", "disengagement", "exploitation")] * 2
    found = [each for each in sides[weather:] if each[0] in order[0]]
    assert found == [(phase, side) for side in (first, 1 - first) for phase in order[0]]


@rule("italia1918", "7.0d", "7.0e")
def test_all_sequences_of_an_offensive_are_alike_but_supply_and_air_come_once():
    second, third = phases("caporetto", 1, 2), phases("caporetto", 1, 3)
    assert second == [phase for phase in third if phase != "victory"]
    assert "weather" in second
    assert all(second.count(phase) == 2 for phase in OPERATIONS)
    whole = [phase for turn, _, phase, _ in COURSES["caporetto"] if turn == 1]
    assert whole.count("supply") == whole.count("air") == 1


@rule("italia1918", "7.0f", "16.0a")
def test_points_are_told_after_each_turn_and_the_last_ends_the_game():
    pos = begin("caporetto")
    pos.turn, pos.phase, pos.sequence = 3, "victory", 3
    pos.points[CENTRAL] = 7
    match = procedures(pos, play)
    assert events(match, "points")[0].value == 7  # no objective has been taken yet
    pos.phase = "victory"
    go_on(WAR, pos)
    assert (pos.turn, pos.phase) == (4, "turn")
    pos.phase = "victory"
    go_on(WAR, pos)
    assert pos.phase == "over"


@rule("italia1918", "S0.S1", "S5.S9")
def test_the_last_sequence_of_vittorio_veneto_ends_with_the_movement_of_the_entente():
    end = [(phase, side) for t, s, phase, side in COURSES["vittorio"] if (t, s) == (34, 3)]
    assert end[-2:] == [("works", ENTENTE), ("victory", ENTENTE)]
    assert ("combat", ENTENTE) not in end
    assert ("movement", CENTRAL) not in end
    assert COURSES["grappa"][-2][3] == CENTRAL  # who has the initiative there


@rule("italia1918", "11.0a", "11.3.6a", "SOP.b")
def test_air_supports_come_before_reinforcements_and_these_before_anything_moves():
    order = [OPERATIONS.index(p) for p in ("missions", "arrivals", "movement", "works", "combat")]
    assert order == sorted(order)


@rule("italia1918", "11.3.1.1d", "14.0g")
def test_guns_move_after_the_moves_of_exploitation_and_before_the_markers():
    order = [
        OPERATIONS.index(phase) for phase in ("exploitation", "pursuit", "batteries", "adjustment")
    ]
    assert order == list(range(order[0], order[0] + 4))
    match = procedures(table("4 ID @ E2308"), exploitation_phase, pursuit_phase)
    assert match.outcome  # nobody is marked, and nothing is asked


@rule("italia1918", "S0.S2a", "S1.S2b", "S2.S1b")
def test_the_offensives_of_the_first_scenarios():
    by_key = dict(zip(SCENARIOS, WAR.theatres))
    assert by_key["grappa"].offensives[17].modifiers == (2, 1, 0)
    assert by_key["grappa"].offensives[17].supports == 1
    assert by_key["caporetto"].offensives[2].modifiers == (1, 0, 0)
    assert by_key["caporetto"].offensives[2].supports == 2
    assert by_key["radetzky"].offensives[24].modifiers == (2, 1, 0)
    assert by_key["radetzky"].offensives[24].supports == 2


@rule("italia1918", "S3.S1b", "S3.S1c")
def test_the_offensives_of_albrecht():
    theatre = WAR.theatres[SCENARIOS.index("albrecht")]
    found = [(o.modifiers, o.supports) for o in theatre.offensives.values()]
    assert found == [((2, 2, 1), 2), ((1, 1, 0), 2), ((1, 0, 0), 1)]


@rule("italia1918", "S4.S1b", "S4.S1c", "S4.S1d")
def test_the_offensives_of_the_solstice():
    theatre = WAR.theatres[SCENARIOS.index("solstice")]
    found = [(o.modifiers, o.supports) for o in theatre.offensives.values()]
    assert found == [((2, 1, 0), 4), ((1, 1, 0), 2), ((1, 0, 0), 1)]


@rule("italia1918", "SC.a")
@pytest.mark.parametrize("key", SCENARIOS)
def test_each_scenario_lasts_as_long_as_it_says(key: str):
    scenario = WAR.theatres[SCENARIOS.index(key)].scenario
    turns = sorted({turn for turn, *_ in COURSES[key]})
    assert turns == list(range(scenario.first, scenario.last + 1))


@rule("italia1918", "SOP.a")
def test_only_an_offensive_gives_the_guns_behind_which_reserves_wait():
    quiet = procedures(table(turn=18, scenario="grappa"), turn_begins).position
    assert (quiet.firing, sequences(quiet)) == (0, 1)
    counters = "4 ID @ W2325; AArt XIV A/1 @ W2424; 17 DF @ W1925"
    pos = table(counters, scenario="grappa", turn=18)
    assert "put in reserve" not in verbs(procedures(pos, works_phase))
    armed = table(counters.replace("W2424", "W2424 firing"), scenario="grappa", turn=17)
    match = procedures(armed, works_phase)
    do(match, "put in reserve", "4 ID")
    assert match.position.reserves


@rule("italia1918", "4.0g")
def test_too_many_may_be_together_until_the_phase_ends():
    pos = table("4 ID @ E2310; 13 SchD @ E2311; 28 ID @ E2411")
    match = procedures(pos, movement_begins, movement_phase)
    do(match, "move", "4 ID")
    do(match, "go", "4 ID", "E2311")
    assert overstacked(WAR, match.position, CENTRAL) == 1 << at("E2311")
    assert "go" in verbs(match)  # nobody is given up on the way
    do(match, "halt", "4 ID")
    do(match, "end movement")
    assert match.outcome
    late = match.position.copy()
    late.phase = "works"
    over = procedures(late, play)
    assert names(over, "give up") == {"4 ID", "13 SchD"}
