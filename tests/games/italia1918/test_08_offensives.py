"""Chapters 3, 8 and 14.3: offensives, hidden detachments, the adjustment of markers."""

import pytest

from apennine.games.italia1918.rules.c03_detachments import reveal
from apennine.games.italia1918.rules.c08_offensives import (
    declaration_phase,
    sequences,
    turn_begins,
)
from apennine.games.italia1918.rules.c14_adjustment import adjust_markers
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    SCENARIOS,
    WAR,
    do,
    events,
    names,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.italia1918.moving import working

GUNS = "AArt XIV A/1 @ E3829; AArt XIV A/2 @ E3133; AArt 11 A/1 @ E2035; CArt I K @ E3730"


def declaring(scenario: str, turn: int, guns: str = GUNS, side: int = CENTRAL) -> Match[Table]:
    pos = table(guns, side, scenario=scenario, turn=turn)
    return play(pos, turn_begins, declaration_phase)


@rule("italia1918", "8.0a", "S1.S2a")
def test_an_offensive_that_the_scenario_demands_is_declared():
    match = declaring("caporetto", 1)
    assert match.position.offensive
    assert names(match, "activate") == {"AArt XIV A/1", "AArt XIV A/2", "AArt 11 A/1"}
    quiet = declaring("caporetto", 4)
    assert not quiet.position.offensive
    assert quiet.outcome  # nobody is asked


@rule("italia1918", "8.0b", "S1.S2d", "S0.S2b")
@pytest.mark.parametrize(
    ("scenario", "turn", "count"),
    [("caporetto", 1, 3), ("caporetto", 4, 1), ("grappa", 17, 3), ("grappa", 18, 1)],
)
def test_an_offensive_adds_two_sequences(scenario: str, turn: int, count: int):
    pos = table(scenario=scenario, turn=turn)
    assert sequences(play(pos, turn_begins).position) == count


@rule("italia1918", "S0.L", "S1.L", "S2.L")
def test_how_long_the_scenarios_of_1917_and_radetzky_last():
    def lengths(key: str) -> list[int]:
        scenario = WAR.theatres[SCENARIOS.index(key)].scenario
        turns = range(scenario.first, scenario.last + 1)
        begun = [play(table(scenario=key, turn=turn), turn_begins).position for turn in turns]
        return [sequences(pos) for pos in begun]

    assert lengths("grappa") == [3, 1]
    assert lengths("caporetto") == [3, 3, 3, 1]
    assert lengths("radetzky") == [3]


@rule("italia1918", "8.0c", "8.0f", "7.0g")
def test_the_number_of_guns_is_a_ceiling_and_one_is_needed():
    match = declaring("caporetto", 2)
    assert "begin the offensive" not in verbs(match)
    assert refused(match, "begin the offensive").rule == "8.0f"
    assert refused(match, "activate", "CArt I K").rule == "3.0j"
    do(match, "activate", "AArt XIV A/1")
    assert "begin the offensive" in verbs(match)
    do(match, "activate", "AArt XIV A/2")
    assert match.outcome  # two are enough, so nothing else is left to do
    assert match.position.firing == units("AArt XIV A/1, AArt XIV A/2")


@rule("italia1918", "8.0f", "S1.S2c", "S3.S1d")
@pytest.mark.parametrize(("scenario", "turn"), [("caporetto", 3), ("albrecht", 26)])
def test_one_gun_and_no_more_in_some_turns(scenario: str, turn: int):
    guns = GUNS if scenario == "caporetto" else "AArt 6 A @ W2033; AArt Isonzo A @ E1502"
    match = declaring(scenario, turn, guns)
    do(match, "activate", sorted(names(match, "activate"))[0])
    assert match.position.firing.bit_count() == 1
    assert match.outcome


@rule("italia1918", "8.0e", "15.2.3b")
def test_guns_go_back_to_bombardment_mode_with_the_turn():
    pos = table(GUNS, scenario="caporetto", turn=4, firing=units("AArt XIV A/1"), offensive=True)
    assert play(pos, turn_begins).position.firing == 0


ITALIANS = "AArt IV Armata @ W1824; AArt VIII Armata @ W1631; AArt X Armata @ E1101"


@rule("italia1918", "S5.S1b", "S5.S1c", "S5.S1d")
@pytest.mark.parametrize("turn", [31, 32, 33])
def test_the_gun_of_w1824_must_be_among_them(turn: int):
    match = declaring("vittorio", turn, ITALIANS, ENTENTE)
    do(match, "activate", "AArt VIII Armata")
    assert "begin the offensive" not in verbs(match)
    if turn == 31:  # two guns, and one of them is still wanting
        assert match.position.firing == units("AArt VIII Armata, AArt IV Armata")
    else:
        assert refused(match, "begin the offensive").rule == "8.0f"


@rule("italia1918", "S5.S1f")
def test_if_that_gun_is_lost_nothing_is_demanded():
    match = declaring("vittorio", 31, "AArt VIII Armata @ W1631; AArt X Armata @ E1101", ENTENTE)
    do(match, "activate", "AArt VIII Armata")
    do(match, "begin the offensive")
    assert match.outcome


@rule("italia1918", "S5.S1e")
def test_in_the_last_turn_one_gun_must_be_on_the_west_map():
    east = "AArt II Armata @ E1101; AArt III Armata @ E1102; AArt VI Armata @ E1103"
    match = declaring("vittorio", 34, f"{east}; AArt X Armata @ W1631", ENTENTE)
    do(match, "activate", "AArt II Armata")
    assert refused(match, "begin the offensive").rule == "S5.S1e"
    do(match, "activate", "AArt III Armata")
    assert match.position.firing == units("AArt II Armata, AArt III Armata, AArt X Armata")


# Detachments


@rule("italia1918", "3.0c")
def test_a_detachment_outside_enemy_zones_hides():
    match = working("Geb 1, 4 ID @ W0504; Geb 2 @ W0506; 22 DF @ W0507")
    assert names(match, "hide") == {"Geb 1"}
    assert refused(match, "hide", "4 ID").rule == "3.0c"
    assert refused(match, "hide", "Geb 2").rule == "3.0c"
    do(match, "hide", "Geb 1")
    assert match.position.hidden == units("Geb 1")


@rule("italia1918", "3.0d")
def test_only_combat_brings_it_to_light():
    pos = table("Geb 1 @ W0504; Geb 2 @ W0506", hidden=units("Geb 1, Geb 2"))
    match = play(pos, lambda _, pos: reveal(pos, units("Geb 1")))
    assert told(match, "shows its factors") == ["Geb 1"]
    assert match.position.hidden == units("Geb 2")
    assert events(match, "shows its factors")[0].reveals


# Markers


@rule("italia1918", "14.3a")
def test_the_markers_of_both_sides_are_adjusted():
    pos = table("4 ID @ W0504; 22 DF @ W0508; 13 SchD @ W0511")
    pos.reorganizing, pos.disorganized = units("4 ID, 22 DF"), units("13 SchD")
    pos.reserves, pos.exploits = [units("4 ID")], [units("13 SchD")]
    pos.slipping, pos.pinned = units("22 DF"), units("22 DF")
    adjust_markers(WAR, pos)
    assert (pos.reorganizing, pos.disorganized) == (units("13 SchD"), 0)
    assert (pos.reserves, pos.exploits, pos.slipping, pos.pinned) == ([], [], 0, 0)


@rule("italia1918", "14.3b", "12.5g")
def test_the_books_french_division_marches_and_rallies():
    pos = table("23 DI/78 @ W0504", ENTENTE, disorganized=units("23 DI/78"))
    adjust_markers(WAR, pos)
    assert pos.reorganizing == units("23 DI/78")
    near = table("23 DI/78 @ W0504; 4 ID @ W0505", reorganizing=units("23 DI/78"))
    adjust_markers(WAR, near)
    assert near.reorganizing == units("23 DI/78")  # an enemy is beside it
    far = table("23 DI/78 @ W0504; 4 ID @ W0506", reorganizing=units("23 DI/78"))
    adjust_markers(WAR, far)
    assert far.reorganizing == 0


@rule("italia1918", "14.3c")
def test_a_friend_in_the_hex_does_not_help_it_rally():
    pos = table("23 DI/78, 22 DF @ W0504; 4 ID @ W0505", reorganizing=units("23 DI/78"))
    adjust_markers(WAR, pos)
    assert pos.reorganizing == units("23 DI/78")


@rule("italia1918", "11.2.10e")
def test_frozen_reserves_stay_frozen():
    pos = table("22 DF @ W0504")
    pos.frozen = [units("22 DF")]
    adjust_markers(WAR, pos)
    assert pos.frozen == [units("22 DF")]
