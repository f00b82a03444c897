"""Chapter 3: the sequence of play and the set-up."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from apennine.games.italy1944.table.position import Table
from apennine.kernel.decision import Event
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    asked,
    begin,
    codes,
    do,
    hexes,
    markers,
    names,
    option,
    pass_on,
    refused,
    turn_end,
    verbs,
    where,
)

FRONT_GERMAN = {"3015", "3016", "3017", "3018", "3019", "3020", "3021"}
FRONT_ALLIED = {"3116", "3117", "3118", "3119", "3120", "3121", "3122"}


def diary(match: Match[Table]) -> list[str]:
    """What was chosen and told, automatic choices included."""
    lines: list[str] = []
    for entry in match.log:
        if isinstance(entry, Chosen):
            lines.append(f"{GAME.sides[entry.side]}: {entry.option.verb}")
        elif isinstance(entry, Event):
            lines.append(entry.verb)
    return lines


def at_start(side: int) -> list[str]:
    return [GAME.units[u] for u in WAR.members[side] if WAR.at_start >> u & 1]


def deployed_by_hand(match: Match[Table], units: Iterable[str]) -> None:
    """Put units where they stood in January 1944, one by one."""
    for unit in units:
        if option("deploy", unit) in asked(match).options:  # the last one is never asked for
            do(match, "deploy", unit)
        do(match, "set up", unit, GAME.board.code(WAR.start[GAME.unit(unit)]))


def ready_for_centres() -> Match[Table]:
    match = Match(GAME, seed=1)
    do(match, "historical deployment")
    do(match, "historical deployment")
    return match


# A turn

# In August units come and go on either side. US 34 is cut off in the plain.
AUGUST = "US 34 @ 1105; 78 Inf @ 3322; 94 ID @ 1005; 71 ID @ 1205; 1 FJ @ 1104"


@rule("italy1944", "3a")
def test_a_turn_is_rrw_then_allied_then_german_movement_and_combat_then_the_supply_check():
    match = begin("replacements", ALLIED, f"{AUGUST}; 90 PG @ 2818", turn=8)
    pass_on(match, until="combat", side=GERMAN)
    do(match, "end combat")
    told = [line for line in diary(match) if line != "leaves the map"]
    assert [line for line, before in zip(told, ["", *told]) if line != before] == [
        "Allied: end replacements",
        "Allied: bring on",
        "Allied: withdraw",
        "Allied: end transfers",
        "German: end replacements",
        "German: bring on",
        "German: withdraw",
        "Allied: leave the centre",
        "Allied: end movement",
        "Allied: end combat",
        "German: leave the centre",
        "German: end movement",
        "German: end combat",
        "is out of supply",
        "turn",
        "Allied: end replacements",
    ]


@rule("italy1944", "3a")
@pytest.mark.parametrize(
    ("phase", "side", "order"),
    [
        ("movement", ALLIED, "attack"),
        ("combat", ALLIED, "move"),
        ("movement", GERMAN, "attack"),
        ("combat", GERMAN, "move"),
    ],
)
def test_units_move_only_in_movement_and_attack_only_in_combat(phase: str, side: int, order: str):
    match = begin(phase, side, "US 34 @ 1105; 94 ID @ 1005")
    own, enemy = (("US 34", "1005"), ("94 ID", "1105"))[side]
    names_it = ("", enemy) if order == "attack" else (own, "")
    assert order not in verbs(match)
    phase_of_it = (
        "Hexes are attacked one after the other in the combat"
        if order == "attack"
        else "Units are picked up one after the other in the movement"
    )
    assert refused(match, order, *names_it).sentence.startswith(f"{phase_of_it} phase. Asked now: ")


@rule("italy1944", "3b")
def test_the_allied_player_finishes_his_rrw_phase_before_the_german_begins_his():
    match = turn_end(AUGUST, turn=7)
    assert match.position.turn == 8
    pass_on(match, until="centre")
    assert {"Allied: withdraw", "German: withdraw"} <= {*diary(match)}
    sides = [line.partition(":")[0] for line in diary(match) if ":" in line]
    assert set(sides) == {"Allied", "German"}
    assert sides == sorted(sides)


@rule("italy1944", "3b")
def test_allied_units_are_checked_for_supply_before_german_ones():
    match = turn_end("US 34 @ 1105; 94 ID @ 3923", centres="- -")
    marked = [GAME.units[e.unit] for e in match.log if isinstance(e, Event) and e.unit >= 0]
    assert marked == ["US 34", "94 ID"]


# Turn 1


@rule("italy1944", "3T1")
def test_turn_1_has_no_rrw_phase_and_the_next_one_has():
    match = ready_for_centres()
    pass_on(match, until="combat", side=GERMAN)
    first = diary(match)
    assert not {"Allied: end replacements", "Allied: bring on", "Allied: end transfers"} & {*first}
    assert not {"German: end replacements", "German: bring on"} & {*first}
    assert first.index("German: place the centre") < first.index("Allied: end movement")
    do(match, "end combat")
    assert match.position.turn == 2
    pass_on(match, until="movement")
    assert {"Allied: end replacements", "German: end replacements"} <= {*diary(match)}


# Set-up


@rule("italy1944", "3Sa")
def test_the_german_deploys_all_his_units_before_the_allied_player_deploys_any():
    match = Match(GAME, seed=1)
    for unit in at_start(GERMAN):
        assert asked(match).side == GERMAN
        deployed_by_hand(match, [unit])
    assert asked(match).side == ALLIED
    assert names(match, "deploy") == {*at_start(ALLIED)}
    assert where(match, "94 ID") == "3021"


@rule("italy1944", "3Sa")
def test_who_arrives_later_is_not_deployed():
    match = Match(GAME, seed=1)
    assert "114 J" not in names(match, "deploy")
    assert refused(match, "deploy", "114 J").rule == "7.2a"
    do(match, "historical deployment")
    assert "PL 3 C" not in names(match, "deploy")


def test_the_historical_deployment_is_for_those_who_have_deployed_nobody_yet():
    match = Match(GAME, seed=1)
    deployed_by_hand(match, ["94 ID"])
    assert "historical deployment" not in verbs(match)
    assert refused(match, "historical deployment").rule == "3Sa"


@rule("italy1944", "3Sb")
def test_each_allied_unit_goes_on_the_map_or_into_the_reserve():
    match = Match(GAME, seed=1)
    assert refused(match, "hold the rest in reserve").rule == "3Sb"  # the German has none
    do(match, "historical deployment")
    deployed_by_hand(match, ["US 34", "78 Inf"])
    do(match, "hold the rest in reserve")
    assert where(match, "US 34") == "3121"
    assert where(match, "78 Inf") == "3119"
    others = {where(match, unit) for unit in at_start(ALLIED) if unit not in ("US 34", "78 Inf")}
    assert others == {"reserve"}
    assert match.check() == []


@rule("italy1944", "3Sb")
def test_a_unit_held_for_the_landing_in_1944_may_go_on_the_map_instead():
    match = Match(GAME, seed=1)
    do(match, "historical deployment")
    do(match, "deploy", "US 3")
    do(match, "set up", "US 3", "3323")
    assert where(match, "US 3") == "3323"


@rule("italy1944", "3Sc")
def test_units_deploy_anywhere_on_their_side_of_the_front_line():
    match = Match(GAME, seed=1)
    do(match, "deploy", "94 ID")
    german = hexes(match, "set up")
    assert FRONT_GERMAN | {"0804", "2419", "2521"} <= german
    assert not german & FRONT_ALLIED
    assert refused(match, "set up", "94 ID", "3121").rule == "3Sc"
    match = Match(GAME, seed=1)
    do(match, "historical deployment")
    do(match, "deploy", "US 34")
    allied = hexes(match, "set up")
    assert FRONT_ALLIED | {"3323", "3924"} <= allied
    assert not allied & german
    assert german | allied == codes(WAR.land)


@rule("italy1944", "3Sd")
def test_after_deployment_the_centres_go_to_their_designated_hexes():
    match = ready_for_centres()
    assert verbs(match) == {"place the centre"}
    assert hexes(match, "place the centre") == {"2418", "2416", "2217"}
    assert refused(match, "place the centre", hex="2419").rule == "3Sd"
    do(match, "place the centre", hex="2416")
    assert hexes(match, "place the centre") == {"3322", "3323", "3421"}
    do(match, "place the centre", hex="3323")
    assert markers(match, "LC") == {"Allied": "3323", "German": "2416"}
    assert "place the centre" not in verbs(match)


@rule("italy1944", "3Se")
def test_the_german_centre_is_placed_first():
    match = ready_for_centres()
    assert asked(match).side == GERMAN
    do(match, "place the centre", hex="2418")
    assert asked(match).side == ALLIED


@rule("italy1944", "3Se")
def test_no_more_than_four_units_are_deployed_in_a_hex():
    match = Match(GAME, seed=1)
    for unit in ("94 ID", "15 PG", "44 HD", "5 GJ"):
        do(match, "deploy", unit)
        assert "2419" in hexes(match, "set up")
        do(match, "set up", unit, "2419")
    do(match, "deploy", "305 ID")
    assert option("set up", "305 ID", "2419") not in asked(match).options
    assert refused(match, "set up", "305 ID", "2419").rule == "3Se"
