"""Chapter 10: air and naval support."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GERMAN,
    WAR,
    Table,
    announce,
    asked,
    attack,
    clash,
    declare,
    do,
    halt,
    march,
    mobile_attack,
    odds,
    offers,
    option,
    pass_on,
    pick,
    preview,
    shifts_of,
    verbs,
)

INLAND = "US 34 @ 1104; US 36 @ 1204; US 45 @ 1004; 356 ID @ 1105; 94 ID @ 1305"


def announced(counters: str = INLAND, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The first unit drawn attacks 1105, and its side is asked for support."""
    match = clash(counters, side, **fields)
    announce(match, "1105", counters.split(" @")[0])
    return match


def column(match: Match[Table], unit: str = "US 34", hex: str = "1105") -> str:
    return odds(match, hex, unit).label


@rule("italy1944", "10a")
def test_both_sides_have_aircraft_and_only_the_allies_ships_two_of_them():
    match = clash("US 34 @ 2521; 94 ID @ 2520")
    announce(match, "2520", "US 34")
    used = {ALLIED: {"air": 0, "naval": 0}, GERMAN: {"air": 0, "naval": 0}}
    while "no more support" in verbs(match):
        kinds = [verb.split()[0] for verb in sorted(verbs(match)) if verb != "no more support"]
        used[asked(match).side][kinds[0]] += 1
        do(match, f"{kinds[0]} support", hex="2520")
    aircraft = [sum(marker.side == side for marker in WAR.air) for side in ("Allied", "German")]
    assert used[ALLIED] == {"air": aircraft[ALLIED], "naval": 2}
    assert used[GERMAN] == {"air": aircraft[GERMAN], "naval": 0}
    assert min(aircraft) > 0


@rule("italy1944", "10.1a", "10.1d")
def test_the_attacker_may_support_his_attack_a_column_a_marker():
    match = announced()
    assert asked(match).side == ALLIED
    assert column(match) == "1:1"
    assert preview(match, "air support", hex="1105").column == "2:1"
    do(match, "air support", hex="1105")
    assert column(match) == "2:1"
    do(match, "air support", hex="1105")
    assert column(match) == "3:1"


@rule("italy1944", "10.1a", "10.1d")
def test_the_defender_may_support_his_defence_a_column_a_marker():
    match = announced()
    do(match, "no more support")
    assert asked(match).side == GERMAN
    assert preview(match, "air support", hex="1105").column == "1:2"
    match.force(6)
    do(match, "air support", hex="1105")  # the only German marker, so the battle is fought
    assert match.position.air == [0, 1]


@rule("italy1944", "10.1a")
def test_allied_ships_and_aircraft_support_a_defence():
    match = clash("94 ID @ 2520; US 34 @ 2521; US 36 @ 2620", GERMAN)
    announce(match, "2521", "94 ID")
    do(match, "no more support")
    assert asked(match).side == ALLIED
    assert verbs(match) == {"air support", "naval support", "no more support"}
    do(match, "naval support", hex="2521")
    assert shifts_of(match, "2521", "94 ID") == {"10.1d": -1}


@rule("italy1944", "10.1d")
def test_a_ship_is_worth_a_column_like_an_aircraft():
    match = clash("US 34 @ 2521; US 36 @ 2420; 94 ID @ 2520")
    announce(match, "2520", "US 34")
    do(match, "naval support", hex="2520")
    assert shifts_of(match, "2520", "US 34")["10.1d"] == 1
    do(match, "air support", hex="2520")
    assert shifts_of(match, "2520", "US 34")["10.1d"] == 2


@rule("italy1944", "10.1d")
def test_markers_cancel_one_for_one():
    match = announced()
    do(match, "air support", hex="1105")
    do(match, "no more support")
    shown = preview(match, "air support", hex="1105")
    assert shown.column == "1:1"
    assert "10.1d" not in [line.rule for line in shown.lines]


@rule("italy1944", "10.1b", "10.1g")
def test_a_marker_is_used_once_in_a_turn():
    match = clash(INLAND, air=[WAR.air_markers[ALLIED] - 2, 0])
    attack(match, "1105", "US 34", die=3, air=2)
    # All are spent: nobody asks again, and the German has one left.
    announce(match, "1105", "US 36")
    assert asked(match).side == GERMAN
    assert match.position.air[ALLIED] == WAR.air_markers[ALLIED]


@rule("italy1944", "10.1b", "10.1g")
def test_a_marker_serves_in_attack_or_in_defence_not_in_both():
    match = clash("94 ID @ 1104; 305 ID @ 1105; US 34 @ 1205; US 36 @ 1204")
    attack(match, "1105", "US 34", die=3, against=1)
    do(match, "end combat")
    pass_on(match, until="combat", side=GERMAN)
    announce(match, "1204", "94 ID")
    # The German marker was used in defence, so only the Allies are asked now.
    assert asked(match).side == ALLIED
    assert match.position.supporting == 1


@rule("italy1944", "10.1g")
def test_markers_spent_in_the_movement_phase_are_spent_and_come_back_next_turn():
    match = march("6 Arm, 5 C Arm @ 1104; 94 ID @ 1105; US 34 @ 1004; US 36 @ 2521; 356 ID @ 2520")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "1105", die=6, air=2, against=1)
    while "lose a step" in verbs(match):
        match.choose(offers(match)[0])
    halt(match)
    assert match.position.air == [2, 1]
    pass_on(match, until="combat", side=ALLIED)
    assert match.position.air == [2, 1]
    announce(match, "2520", "US 36")
    declare(match, naval=1)
    while "lose a step" in verbs(match):
        match.choose(offers(match)[0])
    assert match.position.naval == 1
    pass_on(match, until="plans")
    assert match.position.turn == 3
    assert (match.position.air, match.position.naval) == ([0, 0], 0)


@rule("italy1944", "10.1g")
@pytest.mark.parametrize("spent", [0, 1, 2])
def test_ships_that_fired_for_an_attack_do_not_fire_again_in_the_german_phase(spent: int):
    match = clash("US 34 @ 2521; 356 ID @ 2520; 94 ID @ 1004")
    attack(match, "2520", "US 34", die=4, naval=spent)
    while "lose a step" in verbs(match):
        match.choose(offers(match)[0])
    pass_on(match, until="combat", side=GERMAN)
    announce(match, "2521", "356 ID")
    do(match, "no more support")
    assert asked(match).side == ALLIED
    for _ in range(WAR.naval_markers - spent):
        do(match, "naval support", hex="2521")
    assert "naval support" not in verbs(match)


@rule("italy1944", "10.1g")
def test_a_marker_supports_units_of_any_nation():
    # Five Allied markers, American and British, and all may go to the French.
    match = announced("2 DIM @ 1104; US 36 @ 1204; 356 ID @ 1105; 94 ID @ 1305")
    for _ in range(5):
        do(match, "air support", hex="1105")
    assert match.position.air[ALLIED] == 5


@rule("italy1944", "10.1c", "10.1h")
def test_the_attacker_declares_first_and_adds_nothing_later():
    match = announced()
    assert (asked(match).side, asked(match).prompt) == (ALLIED, "Support your attack?")
    do(match, "air support", hex="1105")
    assert asked(match).side == ALLIED
    do(match, "no more support")
    assert (asked(match).side, asked(match).prompt) == (GERMAN, "Support your defence?")
    match.force(3)
    do(match, "air support", hex="1105")
    # The dice have fallen: nobody was asked again.
    assert match.position.supporting == -1
    assert match.position.support == [0, 0]
    assert verbs(match) != {"air support", "no more support"}


@rule("italy1944", "10.1e")
@pytest.mark.parametrize(("air", "columns"), [(1, 1), (2, 2), (3, 2), (5, 2)])
def test_at_most_two_markers_count(air: int, columns: int):
    match = announced()
    for _ in range(air):
        do(match, "air support", hex="1105")
    assert shifts_of(match, "1105", "US 34") == {"10.1d": columns}


@rule("italy1944", "10.1f", "10.1e")
@pytest.mark.parametrize(("air", "columns"), [(2, "+1"), (3, "+2"), (4, "+2")])
def test_markers_cancel_first_and_the_limit_is_on_the_rest(air: int, columns: str):
    match = announced()
    for _ in range(air):
        do(match, "air support", hex="1105")
    do(match, "no more support")
    against = preview(match, "air support", hex="1105")
    assert [line.value for line in against.lines if line.rule == "10.1d"] == [columns]


@rule("italy1944", "10.1e")
def test_at_most_two_count_for_the_defender_too():
    match = clash("94 ID @ 2520; US 34 @ 2521; US 36 @ 2620", GERMAN)
    announce(match, "2521", "94 ID")
    do(match, "no more support")
    for kind in ("air", "air", "naval", "naval"):
        do(match, f"{kind} support", hex="2521")
    assert shifts_of(match, "2521", "94 ID") == {"10.1d": -2}


@rule("italy1944", "10.1.1a")
def test_ships_support_only_units_on_the_coast():
    match = announced()
    assert verbs(match) == {"air support", "no more support"}
    inland = clash("94 ID @ 1104; US 34 @ 1105; US 36 @ 1205; 305 ID @ 1305", GERMAN)
    announce(inland, "1105", "94 ID")
    do(inland, "no more support")
    assert asked(inland).side == ALLIED
    assert verbs(inland) == {"air support", "no more support"}


@rule("italy1944", "10.1.1a", "10a")
def test_the_germans_have_no_ships():
    match = clash("94 ID @ 2521; US 34 @ 2420; 305 ID @ 2620", GERMAN)
    announce(match, "2420", "94 ID")
    assert asked(match).side == GERMAN
    assert option("naval support", hex="2420") not in offers(match)
    beach = clash("US 34 @ 2520; 94 ID @ 2521; US 36 @ 2620")
    announce(beach, "2521", "US 34")
    do(beach, "no more support")
    assert verbs(beach) == {"air support", "no more support"}


@rule("italy1944", "10.1.1b")
def test_one_attacker_on_the_coast_is_enough_and_the_target_does_not_matter():
    counters = "US 34 @ 2521; US 36 @ 2620; 94 ID @ 2520"
    both = clash(counters)
    announce(both, "2520", "US 34", "US 36")
    assert "naval support" in verbs(both)
    inland = clash(counters)
    announce(inland, "2520", "US 36")
    assert "naval support" not in verbs(inland)
    # A target on the coast is no help to attackers inland.
    coastal = clash("US 36 @ 2620; 94 ID @ 2521; US 45 @ 2520")
    announce(coastal, "2521", "US 36")
    assert "naval support" not in verbs(coastal)


@rule("italy1944", "10a", "10.1b")
def test_each_naval_marker_too_serves_once():
    match = clash("US 34 @ 2521; US 36 @ 2420; 94 ID @ 2520")
    attack(match, "2520", "US 34", die=3, naval=2)
    announce(match, "2520", "US 36")
    assert "naval support" not in verbs(match)
    assert match.position.naval == WAR.naval_markers == 2
