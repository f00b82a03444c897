"""What is shown of the table: view, standing, overlays, warnings, schedule, faults."""

from apennine.games.italy43.table.position import AWAY, GERMAN, GONE, LOST
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from apennine.kernel.words import describe, understand
from apennine.testing import rule
from tests.games.italy43.drawing import (
    ALLIED,
    GAME,
    WAR,
    at,
    begin,
    codes,
    do,
    march,
    mask,
    number,
    table,
    units,
)


def test_a_view_shows_counters_with_their_marks_and_the_tracks():
    pos = table("7/3 @ 2318 disrupted; 3 ASU @ S1; 504/82 @ 2123 steps=1", ready=units("3 ASU"))
    view = GAME.view(pos, ALLIED)
    shown = {unit["name"]: unit for unit in view["units"]}
    assert shown["7/3"]["hex"] == "2318"
    assert shown["7/3"]["status"] == ["disrupted"]
    assert (shown["3 ASU"]["hex"], shown["3 ASU"]["where"]) == (None, "S1")
    assert "ready" in shown["3 ASU"]["status"]
    assert "remnant" in shown["504/82"]["status"]
    assert shown["8/3PG"]["where"] == "to come"
    assert view["weather"] == "Clear (A)"
    assert view["battle"] is None


def test_markers_show_forts_and_battles():
    both = mask("1908 2020")
    pos = table("", works=mask("2105"), forts=both, strongholds=mask("1908"), battles=mask("2020"))
    found = {(m["hex"], m["name"]) for m in GAME.view(pos, GERMAN)["markers"]}
    assert found == {("2105", "L1?"), ("1908", "L2"), ("2020", "L1"), ("2020", "B1")}


def test_the_standing_names_the_points_the_goal_and_the_mark():
    match = Match(GAME, "volturno", seed=1)
    found = GAME.standing(match.position, ALLIED)
    assert found.goals[ALLIED] == 7
    assert found.ahead == GERMAN
    assert f"lack {7 - found.points[ALLIED]}" in found.sentence
    assert {prize.holder for prize in found.prizes} == {GERMAN}


def test_overlays_show_zones_bonds_supply_and_reach():
    pos = table("7/3 @ 2318; 15/3 @ 2320")
    assert "2319" in codes(GAME.overlay(pos, "bonds", ALLIED))
    assert "2319" in codes(GAME.overlay(pos, "zone", ALLIED))
    assert GAME.overlay(pos, "bonds", GERMAN) == 0
    assert "2318" in codes(GAME.overlay(pos, "supply", ALLIED))
    assert "2316" not in codes(GAME.overlay(pos, "reach", ALLIED))
    assert "2319" in codes(GAME.overlay(pos, "reach", ALLIED, number("7/3")))


def test_warnings_tell_of_hunger_crowds_flight_and_traps():
    pos = table(
        """7/3, 15/3, 30/3 @ 2320
        8/3PG @ 2318 routed; 129/15 @ 2518; 133/34 @ 2317; 135/34 @ 2418; 168/34 @ 2218"""
    )
    assert "2320" in next(warning.sentence for warning in GAME.warnings(pos, ALLIED))
    found = {warning.rule for warning in GAME.warnings(pos, GERMAN)}
    assert {"13.3.2f", "12.2a"} <= found


def test_the_schedule_tells_who_comes_and_goes_within_the_scenario():
    match = Match(GAME, "volturno", seed=1)
    lines = GAME.schedule(match.position, ALLIED)
    assert {line.turn for line in lines} <= set(range(1, 8))
    gone = {WAR.names[unit] for line in lines if not line.comes for unit in line.units}
    assert {"II/FJ3", "III/FJ3", "129R/29"} <= gone


def test_a_preview_of_a_move_tells_its_way_and_price():
    match = begin("7/3 @ 2520", "movement")
    do(match, "move", "7/3")
    found = match.preview(Option("go", hex=at("2417")))
    assert found
    assert found.path[0] == at("2520")
    assert found.path[-1] == at("2417")
    assert found.cost == "3 points"


def test_faults_of_a_position_are_named():
    assert GAME.check(Match(GAME, "campaign", seed=1).position) == []
    pos = table("7/3 @ 2318 disrupted routed; 8/3PG @ 2318", retreating=1)
    sentences = [fault.sentence for fault in GAME.check(pos)]
    assert "7/3 is in two states." in sentences
    assert "Both sides are in 2318." in sentences
    assert "A battle is not finished." in sentences


def test_units_without_steps_are_eliminated_or_were_so_before_they_were_removed():
    pos = table("7/3 @ 2318; 22/7 @ 2222")
    for place, wrong in ((at("2318"), True), (AWAY, True), (LOST, False), (GONE, False)):
        pos.hex[number("7/3")], pos.steps[number("7/3")] = place, 0
        found = [fault.sentence for fault in GAME.check(pos)]
        assert ("7/3 has 0 steps." in found) == wrong


@rule("italy43", "11.5.3b")
def test_both_sides_are_never_in_one_city_or_fort():
    for hexes in ({}, {"forts": mask("2220")}):
        found = march("7/3 @ 2321; 8/3PG @ 2220", "7/3", **hexes)
        assert not found.ends >> at("2220") & 1
        pos = table("7/3, 8/3PG @ 2220", **hexes)
        assert "Both sides are in 2220." in [fault.sentence for fault in GAME.check(pos)]


def test_air_markers_and_replacements_are_named_and_not_numbered():
    named = {
        Option("fly", value=0): "fly (United States)",
        Option("fly", value=1): "fly (British)",
        Option("replace", number("7/3"), value=3): "replace 7/3 (United States infantry)",
        Option("replace", number("8/3PG"), value=0): "replace 8/3PG (German infantry)",
    }
    assert {option: describe(GAME, option) for option in named} == named
    assert [understand(GAME, words) for words in named.values()] == list(named)
