"""Chapter 6: the fog of war."""

from __future__ import annotations

import pytest

from apennine.kernel.game import EVERYBODY
from apennine.kernel.save import dump_seen
from apennine.kernel.story import Teller
from apennine.kernel.view import seen_log
from apennine.kernel.words import describe_entry
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    TIBER,
    asked,
    attack,
    begin,
    do,
    faces,
    fight_out,
    fresh,
    halt,
    idle,
    march,
    named,
    order,
    pass_on,
    seen,
    verbs,
)
from tests.games.underbelly.tracker import track

MISS = 10


def names(match, side: int) -> set[str]:
    """Every unit that a side can tell."""
    return {unit["name"] for unit in match.view(side)["units"]} - {"?"}


@rule("underbelly", "6.9a")
def test_the_allies_see_every_german_stack_and_box():
    match = begin("16 Pz, HG, XIV Pz @ 2310; 3 PG, 11 Flak @ tenth; US 36, US 3 @ 3309", GERMAN)
    assert faces(match, ALLIED, "2310") == ["16 Pz", "HG", "XIV Pz"]
    assert faces(match, ALLIED, "3309") == ["US 3", "US 36"]  # and his own, of course
    assert (
        seen(match, ALLIED, "3 PG")["where"] == seen(match, ALLIED, "11 Flak")["where"] == "tenth"
    )
    army = begin("1 Pz, 9 SS @ fifth; US 36 @ 3309", GERMAN, scenario=TIBER, ss_entered=True)
    assert seen(army, ALLIED, "9 SS")["where"] == "fifth"
    assert seen(army, ALLIED, "9 SS")["steps"] == 2


STACK = "US 36, US 45, US VI @ 3309; 46 Inf @ 3310; 16 Pz, HG @ 3409; 29 PG @ 2211"


@rule("underbelly", "6.9b")
def test_the_german_sees_only_the_top_of_an_allied_stack():
    match = begin(STACK, GERMAN)
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 36"]
    assert faces(match, ALLIED, "3309") == ["US 36", "US 45", "US VI"]
    assert faces(match, GERMAN, "3310") == ["46 Inf"]
    assert not {"US 45", "US VI"} & names(match, GERMAN)


@rule("underbelly", "6.9b")
def test_when_he_has_declared_an_attack_he_sees_who_deploys():
    match = begin(STACK, GERMAN)
    do(match, "attack", hex="3409")
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 36"]  # he has not said whom he attacks
    do(match, "attack with", "16 Pz")
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 36"]  # still before the deployment
    do(match, "fight")
    assert faces(match, GERMAN, "3309") == ["US 36", "US 45", "US VI"]
    match.force(*[MISS] * 9)
    fight_out(match)
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 36"]  # afterwards the fog comes back


@rule("underbelly", "6.9b")
def test_allied_attackers_show_themselves_on_the_battle_board():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz, HG @ 3409")
    attack(match, "3309", "3409", "US 45")
    assert faces(match, GERMAN, "3309") == ["?", "US 36", "US 45"]


@rule("underbelly", "6.9b")
def test_how_far_the_top_unit_can_go_does_not_tell_who_lies_below():
    """A point less would tell that a British unit is with the American one (6.4a)."""
    for counters, points in (("US 36, US 45 @ 3309", 8), ("US 36, 46 Inf @ 3309", 7)):
        match = begin(f"{counters}; 16 Pz @ 2211")
        order(match, "move", "3309", "US 36")
        assert match.view(ALLIED)["moving"]["points"] == points
        assert match.view(GERMAN)["moving"]["units"] == ["US 36"]
        assert "points" not in match.view(GERMAN)["moving"]
    german = begin("16 Pz @ 2211; US 36 @ 3309", GERMAN)
    order(german, "move", "2211")
    assert german.view(ALLIED)["moving"]["points"] == german.view(GERMAN)["moving"]["points"] == 8


@rule("underbelly", "6.9c")
def test_the_german_never_sees_the_allied_box():
    match = begin("US 45, US 3, US VI, 82 Abn @ available; US 36 @ 3309; 16 Pz @ 3409", GERMAN)
    assert not {"US 45", "US 3", "US VI", "82 Abn"} & names(match, GERMAN)
    assert {"US 45", "US 3", "US VI", "82 Abn"} <= names(match, ALLIED)
    start = fresh()
    idle(start)
    assert not {"US 45", "82 Abn"} & names(start, GERMAN)


@rule("underbelly", "6.9d")
def test_both_see_the_end_run_box():
    match = begin(
        "US 36, US 45, US VI, 3 PG @ end-run; 16 Pz @ 2310",
        GERMAN,
        scenario=TIBER,
        turn=14,
        plot=13,
        launched=13,
    )
    for side in (ALLIED, GERMAN):
        for name in ("US 36", "US 45", "US VI", "3 PG"):
            assert seen(match, side, name)["where"] == "end-run"


@rule("underbelly", "6.9e")
def test_who_lay_on_top_stays_there_and_the_allied_player_may_have_it_otherwise_once():
    match = begin("US 36, US VI @ 3309; US 45 @ 3308; 16 Pz @ 2211")
    march(match, "3308", "3309")
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 36"]
    assert named(match, "on top") == {"US 45"}  # a division, for its zone shows
    points = match.position.points
    other = match.fork()
    do(match, "on top", "US 45")
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 45"]
    assert match.position.points == points
    assert "on top" not in verbs(match)
    pass_on(other, until="command", side=GERMAN)
    pass_on(other, until="command", side=ALLIED)
    assert "on top" not in verbs(other)  # a turn later it is too late


@rule("underbelly", "6.9e")
def test_a_stack_of_which_nothing_was_seen_shows_what_the_allied_player_says():
    match = begin("US 36, US 45, US 3, US VI @ 3309; 16 Pz @ 2211")
    assert faces(match, GERMAN, "3309") == ["?", "?", "?", "US 36"]
    order(match, "move", "3309", "US 36")
    do(match, "go", hex="3409")
    halt(match)
    assert asked(match) == ALLIED
    assert verbs(match) == {"on top"}
    assert named(match, "on top") == {"US 45", "US 3"}
    assert faces(match, GERMAN, "3309") == ["?", "?", "?"]  # until he has chosen
    do(match, "on top", "US 3")
    assert faces(match, GERMAN, "3309") == ["?", "?", "US 3"]


@rule("underbelly", "6.9e")
def test_of_what_lies_below_the_german_knows_only_how_many_there_are():
    match = begin("US 36, US 45, US VI @ 3309; US 3, US II @ 3308; 16 Pz @ 2211", GERMAN)
    hidden = [unit for unit in match.view(GERMAN)["units"] if unit["name"] == "?"]
    assert sorted(unit["hex"] for unit in hidden) == ["3308", "3309", "3309"]
    for unit in hidden:
        told = {name: value for name, value in unit.items() if value}
        assert set(told) == {"name", "title", "side", "hex", "where"}
        assert told["title"] == "Unknown unit"
    assert "on top" not in verbs(match)
    guns = begin("US II, FX Mtn @ 3309; 16 Pz @ 2211", GERMAN)
    assert faces(guns, GERMAN, "3309") == ["?", "FX Mtn"]  # a division lies on corps support


@rule("underbelly", "6.9e")
def test_the_german_is_not_told_who_is_picked_up_from_below():
    match = begin("US 36, US 45, US VI @ 3309; 16 Pz @ 2211")
    order(match, "move", "3309", "US 45")
    told = [describe_entry(match.game, entry) for entry in seen_log(match, GERMAN)]
    assert "Allied: take ? [9.4b]" in told
    assert not any("US 45" in line for line in told)
    do(match, "go", hex="3408")
    halt(match)
    assert Teller(match, ALLIED).passages[0].text == "US 45: 3309 to 3408"
    assert Teller(match, GERMAN).passages[0].text == "Move from 3309; US 45 seen at 3408"
    top = begin("US 36, US 45, US VI @ 3309; 16 Pz @ 2211")
    order(top, "move", "3309", "US 36")
    assert "Allied: take US 36 [9.4b]" in [
        describe_entry(top.game, entry) for entry in seen_log(top, GERMAN)
    ]


def log(match, side: int) -> list[str]:
    """The log as a side reads it."""
    return [describe_entry(match.game, entry) for entry in seen_log(match, side)]


@rule("underbelly", "6.9b", "9.16b")
@pytest.mark.parametrize(
    ("place", "name"), [("3309", "3309"), ("available", "Allied Available Units")]
)
def test_the_german_is_not_told_who_of_the_hidden_gets_a_step(place: str, name: str):
    match = begin(f"US 36 @ 3309; US 45 @ {place} steps=1; 16 Pz @ 2211")
    do(match, "replenish", "US 45")
    assert "Allied: replenish US 45 [9.19]" in log(match, ALLIED)
    for side in (GERMAN, EVERYBODY):
        assert log(match, side)[:2] == [
            "Allied: replenish ? [9.19]",
            f"? is replenished at {name} [9.16b]",
        ]
        assert "US 45" not in dump_seen(match, side)
        assert "US 45" not in " ".join(passage.text for passage in Teller(match, side).passages)
    top = begin("US 36 @ 3309 steps=1; US 45 @ 3308; 16 Pz @ 2211")
    do(top, "replenish", "US 36")
    assert "US 36 is replenished at 3309 [9.16b]" in log(top, GERMAN)


@rule("underbelly", "6.9c")
def test_the_german_is_not_told_who_comes_into_the_allied_box():
    match = begin("US 36 @ 3309; 16 Pz @ 2211", GERMAN, turn=4)
    pass_on(match, until="command", side=ALLIED)
    came = [line for line in log(match, ALLIED) if "arrives" in line]
    assert came
    for side in (GERMAN, EVERYBODY):
        assert [line for line in log(match, side) if "arrives" in line] == (
            ["? arrives [10.3a]"] * len(came)
        )
    german = begin("US 36 @ 3309; 16 Pz @ 2211", turn=4)
    pass_on(german, until="command", side=GERMAN)
    open_arrivals = [line for line in log(german, ALLIED) if "arrives" in line]
    assert open_arrivals == [line for line in log(german, GERMAN) if "arrives" in line]
    assert not any(line.startswith("?") for line in open_arrivals)


@rule("underbelly", "6.9b", "6.9c")
def test_who_keeps_a_list_of_the_hidden_learns_nothing_from_the_log():
    """His list is no better than that of one who only watches the table."""
    found = track(GAME, "wat", 3, most=600)
    assert found.watcher.hidden > 50
    assert found.german.right <= found.watcher.right
    assert found.spectator.right <= found.watcher.right
    assert found.spy.right > found.watcher.right  # names would have told him more


@pytest.mark.proof
@pytest.mark.parametrize("scenario", ["wat", "historical"])
def test_nor_does_he_in_whole_games(scenario: str):
    found = [track(GAME, scenario, seed, most=100_000) for seed in range(100, 108)]
    german, spectator, watcher, spy = (sum(s.right for s in each) for each in zip(*found))
    assert sum(one.watcher.hidden for one in found) > 400
    assert max(german, spectator) <= watcher < spy
