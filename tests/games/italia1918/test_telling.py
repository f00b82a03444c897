"""What is shown of the table: view, previews, standing, overlays, warnings, schedule, story."""

from __future__ import annotations

from fractions import Fraction

import pytest

from apennine.games import get
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, Table
from apennine.kernel.decision import Option
from apennine.kernel.game import EVERYBODY, REFEREE, Preview
from apennine.kernel.match import Match
from apennine.kernel.story import Teller
from apennine.testing import rule
from tests.games.italia1918.drawing import SCENARIOS, WAR, at, codes, number, table, units
from tests.games.italia1918.fighting import battle

GAME = get("italia1918")
FIGHT = "4 ID, 33 ID @ W0507; 64 DF @ W0406; HQ 6 Armee @ W0508; CArt XVI K @ W0508"


def opening(scenario: str) -> Table:
    return Match(GAME, scenario, seed=1).position


def counter(pos: Table, name: str, side: int) -> dict[str, object]:
    return next(unit for unit in GAME.view(pos, side)["units"] if unit["name"] == name)


def lines(preview: Preview | None) -> dict[str, str]:
    assert preview
    return {line.text: line.value for line in preview.lines}


# The view.


def test_counters_show_their_factors_and_what_marks_them():
    pos = table("4 ID @ W0507; CArt XVI K @ W0508", disorganized=units("4 ID"))
    shown = counter(pos, "4 ID", ENTENTE)
    assert shown["factors"] == {"attack": 9, "defence": 10, "moves": 2, "morale": 4}
    assert (shown["hex"], shown["status"]) == ("W0507", ["disorganized"])
    gun = counter(pos, "CArt XVI K", ENTENTE)["factors"]
    assert gun == {"bombardment": 2, "range": 4, "moves": 3}


@rule("italia1918", "3.0c", "3.0e")
def test_a_hidden_detachment_shows_its_factors_to_its_owner_alone():
    pos = table("Alp 1 @ W0406", hidden=units("Alp 1"))
    whole = {"attack": 1, "defence": 2, "moves": 5, "morale": 5}
    assert counter(pos, "Alp 1", ENTENTE)["factors"] == whole
    assert counter(pos, "Alp 1", REFEREE)["factors"] == whole
    for side in (CENTRAL, EVERYBODY):
        seen = counter(pos, "Alp 1", side)["factors"]
        assert seen == {"attack": "?", "defence": "?", "moves": 5}


def test_the_view_has_the_units_of_the_scenario_alone():
    shown = {unit["name"] for unit in GAME.view(opening("grappa"), CENTRAL)["units"]}
    assert {"51 DF", "50 ID"} <= shown  # 50 ID is to come
    assert "332 US" not in shown


def test_a_combat_under_way_shows_guns_leads_hit_points_and_coordination():
    pos = battle(FIGHT, "W0406", "4 ID, 33 ID", guns=("CArt XVI K", ""))
    pos.hits, pos.grades = [2, 4], ["partial", "none"]
    shown = GAME.view(pos, ENTENTE)["battle"]
    assert shown["hex"] == "W0406"
    assert shown["bombarding"] == {"attacker": ["CArt XVI K"]}
    assert shown["leading"] == {"attacker": ["4 ID"], "defender": ["64 DF"]}
    assert shown["hit points"] == {"attacker": 2, "defender": 4}
    assert shown["coordination"]["attacker"] == "partial coordination"


def test_markers_show_pontoons_and_broken_bridges():
    pos = opening("albrecht")
    found = {marker["name"] for marker in GAME.view(pos, CENTRAL)["markers"]}
    assert {"PONT", "X"} <= found


# Previews.


def test_an_attack_is_foretold_with_all_who_can_come_and_all_guns():
    pos = table(FIGHT, phase="combat")
    preview = GAME.preview(pos, Option("attack", hex=at("W0406")))
    told = lines(preview)
    assert preview
    assert told["attack"] == "17"
    assert told["defence"] == "6"
    assert told["the attacker's bombardment"] == "column 2"
    assert preview.column == "4/1"  # 2/1, and two columns for the leads
    assert told["morale of the lead units"] == "+2"
    assert sum(chance.probability for chance in preview.chances) == 1
    assert "attacker: perfect coordination" in told
    assert told["the hex is taken"].endswith("%")


def test_who_is_named_and_which_guns_fire_change_what_is_foretold():
    pos = battle(FIGHT, "W0406", "4 ID")
    alone = lines(GAME.preview(pos, Option("guns ready")))
    assert "the attacker's bombardment" not in alone
    assert alone["attack"] == "9"
    both = lines(GAME.preview(pos, Option("attack with", number("33 ID"))))
    assert both["attack"] == "17"
    fired = lines(GAME.preview(pos, Option("fire with", number("CArt XVI K"))))
    assert fired["the attacker's bombardment"] == "column 2"


def test_ground_that_is_given_saves_three_hit_points_a_hex():
    pos = battle(FIGHT, "W0406", "4 ID")
    pos.hits = [2, 7]
    owed = [
        lines(GAME.preview(pos, Option("give ground", value=hexes)))["hit points to be paid"]
        for hexes in (1, 2)
    ]
    assert owed == ["4", "1"]
    assert lines(GAME.preview(pos, Option("stand fast")))["hit points to be paid"] == "7"


def test_engineers_and_disengagements_tell_their_chances():
    pos = table("4 ID @ W0507; 64 DF @ W0406", phase="disengagement", slipping=units("4 ID"))
    preview = GAME.preview(pos, Option("disengage with", number("4 ID")))
    assert preview
    assert {chance.result: chance.probability for chance in preview.chances} == {
        "3 hexes, led by the enemy, disorganized": Fraction(1, 3),
        "1 or 2 hexes": Fraction(1, 3),
        "1 to 3 hexes": Fraction(1, 3),
    }
    broken = GAME.preview(pos, Option("blow up", hex=0, value=0))
    assert broken
    assert broken.chances[0].probability == Fraction(4, 6)


# Standing, schedule, overlays, warnings, faults.


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_standing_says_who_would_win_and_what_is_missing(scenario: str):
    pos = opening(scenario)
    found = GAME.standing(pos, EVERYBODY)
    leading = WAR.theatres[pos.scenario].initiative
    assert found.goals[leading] == min(
        least for name, least in WAR.book.scenarios[pos.scenario].bands.items() if name != "draw"
    )
    if found.ahead == leading:
        assert found.missing[leading] == 0
    if found.ahead == 1 - leading:
        assert found.missing[leading] > 0
        assert found.missing[1 - leading] == 0
    assert "Points that are needed" in found.sentence
    assert found.prizes


def test_the_schedule_names_sequence_and_place():
    (posting, *_) = GAME.schedule(opening("grappa"), ENTENTE)
    assert (posting.turn, posting.text) == (17, "sequence 2, at HQ XIV Armee")


def test_overlays_show_zones_guns_and_reach():
    pos = table("4 ID @ W0507; CArt XVI K @ W0508; SturmB 1 @ W0507", hosts={"SturmB 1": "4 ID"})
    assert codes(GAME.overlay(pos, "zone", CENTRAL)) >= {"W0406", "W0506"}
    reach = GAME.overlay(pos, "reach", CENTRAL, number("4 ID"))
    assert reach == GAME.overlay(pos, "reach", CENTRAL, number("SturmB 1")) != 0
    assert "W0306" in codes(GAME.overlay(pos, "guns", CENTRAL, number("CArt XVI K")))


def test_warnings_name_who_would_starve_and_who_is_alone():
    pos = table("4 ID @ W0507; CArt I CdA @ W0405; 64 DF @ W0306")
    told = {warning.sentence for warning in GAME.warnings(pos, ENTENTE)}
    assert "CArt I CdA is alone near the enemy." in told


def test_a_position_with_a_fault_is_told_so():
    pos = table("4 ID @ W0507; 64 DF @ W0507", disorganized=units("4 ID"))
    pos.reorganizing = units("4 ID")
    told = [fault.sentence for fault in GAME.check(pos)]
    assert "Both sides are in W0507." in told
    assert "4 ID is in two states." in told


# The story.


def test_a_combat_is_told_in_one_line_with_both_coordinations():
    match = Match(GAME, "grappa", seed="story")
    wanted = ("activate", "begin the offensive", "end movement", "go on to combat")
    while match.position.phase != "combat":
        options = match.decision.options  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
        verbs = {option.verb for option in options}
        verb = next(verb for verb in wanted if verb in verbs)
        match.choose(next(option for option in options if option.verb == verb))
    match.choose(Option("attack", hex=at("W2026")))
    match.choose(Option("attack with", number("5 ID(G) LGR8")))
    match.choose(Option("attack with", number("5 ID(G) GR12")))
    match.choose(Option("go in"))
    while match.position.target >= 0:
        match.choose(match.decision.options[-1])  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    told = [p.text for p in Teller(match, REFEREE).passages if p.text.startswith("Attack")]
    assert len(told) == 1
    assert told[0].startswith("Attack on Monte Tomba (W2026)")
    assert "the attacker: " in told[0]
