"""Chapter 6: lines of communication, supply, logistic centres and beachheads."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.italy1944.rules.c06_logistics import lines_to, overextended
from apennine.games.italy1944.table.position import LANDING
from apennine.kernel.log import Chosen
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Match,
    Table,
    added,
    announce,
    asked,
    at,
    attack,
    begin,
    codes,
    combat,
    cut,
    do,
    factors,
    go,
    hexes,
    idle,
    markers,
    mobile_attack,
    movement,
    names,
    next_turn,
    pass_on,
    pick,
    picked,
    points,
    preview,
    refused,
    shifts,
    shifts_of,
    steps,
    table,
    told,
    turn_end,
    verbs,
    where,
    with_points,
)

# Enemies north and south of a unit look on all hexes around it.
TRAP = "US 34 @ 3619; 94 ID @ 3618; 71 ID @ 3620"
GERMAN_TRAP = "94 ID @ 1505; US 34 @ 1504; US 36 @ 1506"
# The same on a supply source.
TRAP_ON_SOURCE = "US 34 @ 3923; 94 ID @ 3922; 71 ID @ 3924"
GERMAN_TRAP_ON_SOURCE = "94 ID @ 1104; US 34 @ 1105"


def supplied(counters: str, side: int, **fields: Any) -> set[str]:
    """The hexes from which units of a side are in supply."""
    return codes(GAME.overlay(table("movement", side, counters, **fields), "supply", side))


def stretched(match: Match[Table], hex: str) -> dict[str, int]:
    """The columns that lines of communication cost, if all who can attack this hex do."""
    lines = preview(match, "attack", hex=hex).lines
    return added(
        (line.text.partition("'")[0], int(line.value))
        for line in lines
        if "line of communication" in line.text
    )


def moved_centre(counters: str, to: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A movement phase before which the centre of the side has moved."""
    match = begin("centre", side, counters, **fields)
    do(match, "move the centre")
    do(match, "centre to", hex=to)
    return match


# Lines of communication


@rule("italy1944", "6a")
def test_a_line_leads_past_enemies_and_their_zones():
    assert cut(turn_end("US 34 @ 3619; 94 ID @ 3618")) == set()
    assert cut(turn_end(TRAP)) == {"US 34"}


@rule("italy1944", "6a")
def test_a_line_does_not_lead_through_an_enemy_even_to_a_friend_behind_him():
    match = turn_end(f"{TRAP}; 2 DIM @ 3621")
    assert "US 34" in cut(match)
    assert "2 DIM" not in cut(match)


@rule("italy1944", "6b")
@pytest.mark.parametrize(
    ("trap", "friend", "side"),
    [(TRAP, "2 DIM @ 3720", ALLIED), (GERMAN_TRAP, "71 ID @ 1405", GERMAN)],
)
def test_a_friend_in_an_enemy_zone_lets_a_line_through(trap: str, friend: str, side: int):
    hex = ("3619", "1505")[side]
    assert hex not in supplied(trap, side)
    assert hex in supplied(f"{trap}; {friend}", side)


@rule("italy1944", "6d")
def test_a_line_crosses_any_ground_but_no_lake():
    # Allied zones leave 94 ID no way out but over Lake Bolsena, to 2117, which is in supply.
    counters = "94 ID @ 2116; US 34 @ 2115; 2 DIM @ 2316; 78 Inf @ 1916"
    assert "2117" in supplied(counters, GERMAN)
    assert cut(turn_end(counters)) == {"94 ID"}
    # In the mountains, with rivers on all sides.
    assert cut(turn_end("US 34 @ 2817; 94 ID @ 1105")) == set()


@rule("italy1944", "6d")
def test_a_line_does_not_lead_over_the_sea():
    assert supplied("", GERMAN) | supplied("", ALLIED) <= codes(WAR.land)


@rule("italy1944", "6d")
def test_all_hexes_of_a_line_count_but_the_one_it_starts_from():
    # From 2520 to the centre in 3322 is 8 hexes, from 2419 it is 9.
    assert GAME.board.lattice.distance(at("2520"), at("3322")) == 8
    assert stretched(combat("US 34 @ 2520; 94 ID @ 2420", centres="3322 -"), "2420") == {}
    assert stretched(combat("US 34 @ 2419; 94 ID @ 2420", centres="3322 -"), "2420") != {}


# Who is in supply


@rule("italy1944", "6.1a")
def test_a_german_unit_traces_to_the_centre_or_to_a_source_hex():
    # 3020 is 7 hexes from the centre and farther from the northern edge.
    assert stretched(combat("94 ID @ 3020; US 34 @ 3121", GERMAN), "3121") == {}
    # 94 ID reaches nothing but the source that it stands on.
    assert cut(turn_end(GERMAN_TRAP_ON_SOURCE)) == set()
    assert "94 ID" in cut(turn_end(GERMAN_TRAP))


@rule("italy1944", "6.1a")
def test_a_german_source_feeds_nobody_while_the_centre_is_cut_off():
    match = turn_end(f"{GERMAN_TRAP}; 71 ID @ 1004", centres="3322 1505")
    assert {"94 ID", "71 ID"} <= cut(match)


@rule("italy1944", "6.2a")
def test_an_allied_unit_traces_to_the_centre_or_to_the_southern_end_of_the_map():
    assert stretched(combat("US 34 @ 2619; 94 ID @ 2520", centres="3322 -"), "2520") == {}
    # US 34 reaches nothing but the source that it stands on.
    assert "US 34" not in cut(turn_end(TRAP_ON_SOURCE))
    assert "US 34" in cut(turn_end(TRAP))


@rule("italy1944", "6.2a")
def test_an_allied_source_feeds_nobody_while_the_centre_is_cut_off():
    match = turn_end(f"{TRAP}; 2 DIM @ 3923", centres="3619 2418")
    assert {"US 34", "2 DIM"} <= cut(match)


@rule("italy1944", "6.1b")
def test_germans_with_a_line_over_8_hexes_suffer_in_battle_and_those_with_no_centre_lose_supply():
    match = combat("94 ID @ 2416; US 34 @ 2417", centres="- 1711")
    assert stretched(match, "2416") == {"defender": 1}
    assert cut(turn_end("94 ID @ 2416", centres="3322 1711")) == set()
    assert cut(turn_end("94 ID @ 2416", centres="3322 -")) == {"94 ID"}


@rule("italy1944", "6.2b")
def test_allies_with_a_line_over_8_hexes_suffer_in_battle_and_those_with_no_centre_lose_supply():
    match = combat("US 34 @ 2419; 94 ID @ 2420", centres="3322 -")
    assert stretched(match, "2420") == {"attacker": -1}
    assert cut(turn_end("US 34 @ 2419")) == set()
    assert cut(turn_end("US 34 @ 2419; 78 Inf @ 2521", centres="- 2418", beaches="2521")) == set()
    assert cut(turn_end("US 34 @ 2219; 78 Inf @ 2521", centres="- 2418", beaches="2521")) == {
        "US 34"
    }


@rule("italy1944", "6.1c")
def test_a_centre_may_be_any_number_of_hexes_from_its_source():
    assert cut(turn_end("US 34 @ 2419", centres="2419 1711")) == set()
    assert cut(turn_end("94 ID @ 3323; 71 ID @ 3222", centres="3924 3323")) == set()


@rule("italy1944", "6.1c")
@pytest.mark.parametrize(("friends", "fed"), [("", False), ("; 2 DIM @ 3720", True)])
def test_a_centre_among_enemy_zones_is_cut_off_unless_a_friend_opens_a_way(friends: str, fed: bool):
    match = turn_end(f"{TRAP}{friends}", centres="3619 2418")
    assert ("US 34" not in cut(match)) is fed
    warned = [w.rule for w in GAME.warnings(match.position, ALLIED)]
    assert ("6.1c" not in warned) is fed


@rule("italy1944", "6.1d")
@pytest.mark.parametrize("ruling", [True, False])
@pytest.mark.parametrize(
    ("counters", "centres", "rear", "trapped"),
    [
        (f"{TRAP}; 2 DIM @ 3923", "3619 2418", "2 DIM", "US 34"),
        (f"{GERMAN_TRAP}; 71 ID @ 1004", "3322 1505", "71 ID", "94 ID"),
    ],
)
def test_while_the_centre_is_cut_off_nobody_is_in_supply_unless_that_ruling_is_off(
    counters: str, centres: str, rear: str, trapped: str, ruling: bool
):
    match = turn_end(counters, centres=centres, options={"centre": ruling})
    assert trapped in cut(match)
    assert (rear in cut(match)) is ruling


@rule("italy1944", "6.1d")
@pytest.mark.parametrize("ruling", [True, False])
def test_with_the_centre_off_the_map_it_is_the_same_and_beachheads_feed_on(ruling: bool):
    counters = "US 34 @ 3923; 78 Inf @ 2521; 94 ID @ 2419"
    match = turn_end(counters, centres="- 2418", beaches="2521", options={"centre": ruling})
    assert cut(match) == ({"US 34"} if ruling else set())


@rule("italy1944", "6.1e")
@pytest.mark.parametrize("switch", [False, True])
def test_a_line_over_8_hexes_does_not_put_units_out_of_supply_unless_that_is_switched_on(
    switch: bool,
):
    counters = "US 34 @ 2419; 2 DIM @ 2520; 94 ID @ 1813"
    match = turn_end(counters, centres="3322 1607", options={"long_lines": switch})
    assert cut(match) == ({"US 34"} if switch else set())


@rule("italy1944", "6.2c")
def test_allies_may_trace_to_a_beachhead_and_germans_may_not():
    counters = "US 34 @ 2521; 94 ID @ 2520"
    assert cut(turn_end(counters, centres="- -")) == {"US 34", "94 ID"}
    assert cut(turn_end(counters, centres="- -", beaches="2521")) == {"94 ID"}


# Out of supply


@rule("italy1944", "6.3a")
def test_a_unit_is_marked_only_in_the_supply_check_at_the_end_of_the_turn():
    match = begin("movement", ALLIED, TRAP)
    assert cut(match) == set()
    pass_on(match, until="combat", side=ALLIED)
    assert factors(match, "3618") == (18, 18)  # it fights on at full strength
    pass_on(match, until="combat", side=GERMAN)
    assert cut(match) == set()
    do(match, "end combat")
    assert cut(match) == {"US 34"}
    assert told(match, "is out of supply") == ["US 34"]


@rule("italy1944", "6.3b")
def test_a_marked_unit_fights_at_half_strength():
    match = combat("US 34 @ 1105 cut; 94 ID @ 1205 cut")
    assert factors(match, "1205") == (9, 9)
    match = combat("US 34 @ 1105; 94 ID @ 1205 cut")
    assert factors(match, "1205") == (18, 9)


@rule("italy1944", "6.3b", "6.3f")
def test_each_marked_unit_is_halved_by_itself_in_attack_and_in_defence():
    worn = "94 ID @ 1105 steps=1 cut; 71 ID @ 1105 steps=1 cut; 305 ID @ 1105 steps=1 cut"
    # 7, 8 and 7 to attack are 3, 4 and 3; 9, 10 and 9 to defend are 4, 5 and 4.
    assert factors(combat(f"{worn}; US 34 @ 1205", GERMAN), "1205") == (10, 18)
    assert factors(combat(f"{worn}; US 34 @ 1205"), "1105") == (18, 13)
    # Friends with supply are not halved.
    assert factors(combat(f"{worn}; 26 Pz @ 1204; US 34 @ 1205", GERMAN), "1205") == (32, 18)


@rule("italy1944", "6.3c")
@pytest.mark.parametrize(("unit", "allowed"), [("26 Pz", 6), ("90 PG", 5), ("94 ID", 8)])
def test_tanks_and_mechanised_infantry_out_of_supply_have_half_their_points(
    unit: str, allowed: int
):
    match = movement(f"{unit} @ 1105 cut; 71 ID @ 2419", GERMAN)
    assert points(picked(match, unit)) == allowed
    full = {"26 Pz": 12, "90 PG": 10, "94 ID": 8}[unit]
    assert points(picked(movement(f"{unit} @ 1105", GERMAN), unit)) == full


@rule("italy1944", "6.3c")
@pytest.mark.parametrize(("printed", "allowed"), [(11, 5), (9, 4), (1, 0)])
def test_of_an_odd_number_of_points_the_fraction_is_dropped_for_want_of_supply(
    monkeypatch: pytest.MonkeyPatch, printed: int, allowed: int
):
    with_points(monkeypatch, "90 PG", printed)
    assert points(picked(movement("90 PG @ 1105", GERMAN), "90 PG")) == printed
    assert points(picked(movement("90 PG @ 1105 cut", GERMAN), "90 PG")) == allowed


@rule("italy1944", "6.3d")
@pytest.mark.parametrize("unit", ["26 Pz", "90 PG"])
def test_out_of_supply_nobody_attacks_on_the_move(unit: str):
    match = picked(movement(f"{unit} @ 1105; US 34 @ 1205", GERMAN), unit)
    assert "1205" in hexes(match, "mobile attack")
    match = picked(movement(f"{unit} @ 1105 cut; US 34 @ 1205", GERMAN), unit)
    assert "mobile attack" not in verbs(match)
    assert refused(match, "mobile attack", unit, "1205").rule == "6.3d"


@rule("italy1944", "6.3e")
def test_nobody_dies_for_want_of_supply():
    match = begin("movement", ALLIED, f"{TRAP}; SSF @ 3619", turn=2)
    for turn in (3, 4, 5):
        next_turn(match)
        assert match.position.turn == turn
        assert cut(match) >= {"US 34", "SSF"}
    assert (where(match, "US 34"), steps(match, "US 34")) == ("3619", 2)
    assert (where(match, "SSF"), steps(match, "SSF")) == ("3619", 1)


# Lines that are too long


@rule("italy1944", "6.4a")
@pytest.mark.parametrize(
    ("hex", "target", "columns"),
    [("2520", "2420", {}), ("2419", "2420", {"attacker": -1}), ("2119", "2118", {"attacker": -1})],
)
def test_an_attacker_with_a_line_of_9_to_12_hexes_loses_a_column(
    hex: str, target: str, columns: dict[str, int]
):
    match = combat(f"US 34 @ {hex}; 94 ID @ {target}", centres="3322 -")
    assert stretched(match, target) == columns


@rule("italy1944", "6.4a")
@pytest.mark.parametrize(
    ("hex", "attacker", "columns"),
    [("2415", "2416", {}), ("2416", "2417", {"defender": 1}), ("2419", "2420", {"defender": 1})],
)
def test_against_a_defender_with_a_line_of_9_to_12_hexes_the_attacker_gains_one(
    hex: str, attacker: str, columns: dict[str, int]
):
    match = combat(f"94 ID @ {hex}; US 34 @ {attacker}", centres="- 1711")
    assert stretched(match, hex) == columns
    assert shifts(match, hex).get("6.4a", 0) == sum(columns.values())


@rule("italy1944", "6.4b")
def test_over_12_hexes_an_attacker_loses_two_columns():
    match = combat("US 34 @ 2119; 94 ID @ 2118", centres="3322 -")
    assert lines_to(WAR, match.position, ALLIED, 1 << at("3322")).distance(at("2119")) == 12
    assert stretched(match, "2118") == {"attacker": -1}
    match = combat("US 34 @ 2017; 94 ID @ 1917", centres="3322 -")
    assert stretched(match, "1917") == {"attacker": -2}
    assert shifts(match, "1917")["6.4b"] == -2


@rule("italy1944", "6.4b")
def test_over_12_hexes_a_defender_still_loses_only_one():
    match = combat("94 ID @ 2420; US 34 @ 2521", centres="- 1711")
    assert stretched(match, "2420") == {"defender": 1}
    assert shifts(match, "2420")["6.4b"] == 1


@rule("italy1944", "6.4c")
def test_the_longest_line_of_the_attackers_counts_once():
    # 8 and 9 hexes, then 12 and 13.
    match = combat("US 34 @ 2520; 2 DIM @ 2419; 94 ID @ 2420", centres="3322 -")
    assert stretched(match, "2420") == {"attacker": -1}
    match = combat("US 34 @ 2118; 2 DIM, 3 DIA @ 2017; 94 ID @ 2117", centres="3322 -")
    assert stretched(match, "2117") == {"attacker": -2}


@rule("italy1944", "6.4c", "6.6k")
def test_lines_are_measured_when_the_battle_is_fought():
    # The centre comes nearer in the same turn, and feeds from where it is.
    match = begin("centre", ALLIED, "US 34 @ 2419; 94 ID @ 2420", centres="3322 1711")
    assert overextended(WAR, match.position, ALLIED, [at("2419")])
    do(match, "move the centre")
    do(match, "centre to", hex="3121")
    do(match, "end movement")
    assert "2419" in codes(GAME.overlay(match.position, "supply", ALLIED))
    assert "attacker" not in stretched(match, "2420")
    assert shifts(match, "2420")["6.6f"] == -3


@rule("italy1944", "6.4d")
def test_a_line_to_a_source_counts_if_it_is_shorter_than_that_to_the_centre():
    match = combat("US 34 @ 3822; 94 ID @ 3823", centres="2419 -")
    assert GAME.board.lattice.distance(at("3822"), at("2419")) > 12
    assert stretched(match, "3823") == {}
    # 94 ID stands on a source of the north; the way to its centre is open, but long.
    match = combat("94 ID @ 1004; US 34 @ 1105", GERMAN)
    assert lines_to(WAR, match.position, GERMAN, 1 << at("2418")).distance(at("1004")) > 12
    assert "attacker" not in stretched(match, "1105")


# The supply check


@rule("italy1944", "6.5a")
def test_both_sides_are_checked_at_the_end_of_the_turn():
    counters = f"{TRAP}; 305 ID @ 1505; 78 Inf @ 1504; 4 I @ 1506; 2 DIM @ 3322; 1 FJ @ 2419"
    match = turn_end(counters)
    assert {"US 34", "305 ID"} <= cut(match)
    assert not {"2 DIM", "1 FJ"} & cut(match)
    assert {"US 34", "305 ID"} <= {*told(match, "is out of supply")}


@rule("italy1944", "6.5a")
def test_a_unit_that_is_marked_already_is_not_told_of_again():
    match = turn_end(TRAP.replace("3619", "3619 cut"))
    assert cut(match) == {"US 34"}
    assert told(match, "is out of supply") == []


@rule("italy1944", "6.5b")
def test_a_marker_is_taken_off_whoever_can_trace_again():
    match = turn_end("US 34 @ 3322 cut; 94 ID @ 2419 cut; 78 Inf @ 2521 cut", beaches="2521")
    assert cut(match) == set()
    assert {*told(match, "is in supply again")} == {"US 34", "94 ID", "78 Inf"}


# Logistic centres


@rule("italy1944", "6.6a")
def test_each_side_has_one_logistic_centre():
    (campaign,) = WAR.starts
    assert {(centre.side, centre.title) for centre in campaign.centres} == {
        ("German", "Army Group C"),
        ("Allied", "15th Army Group"),
    }
    match = begin("centres", GERMAN, "US 34 @ 3322; 94 ID @ 2419", turn=1)
    for hex in ("2418", "3322"):
        assert verbs(match) == {"place the centre"}
        do(match, "place the centre", hex=hex)
    assert "place the centre" not in verbs(match)
    assert markers(match, "LC") == {"Allied": "3322", "German": "2418"}


@rule("italy1944", "6.6a")
def test_the_centre_of_the_other_side_feeds_nobody():
    # The German centre is next to US 34, its own one 9 hexes away; and the other way round.
    match = combat("US 34 @ 2419; 94 ID @ 2420")
    assert stretched(match, "2420")["attacker"] == -1
    match = combat("94 ID @ 3222; US 34 @ 3322", GERMAN, centres="3323 1711")
    assert stretched(match, "3322")["attacker"] == -2


@rule("italy1944", "6.6b")
def test_a_centre_moves_along_roads_alone():
    match = begin("centre", ALLIED, "US 34 @ 3322; 94 ID @ 2419")
    do(match, "move the centre")
    assert hexes(match, "centre to") <= codes(WAR.road_hexes)
    assert refused(match, "centre to", hex="3321").rule == "6.6b"
    # Naples is next to Caserta, but the road there goes by Capua.
    assert preview(match, "centre to", hex="3323").cost == "1 point"
    way = [GAME.board.code(hex) for hex in preview(match, "centre to", hex="3323").path]
    assert len(way) == 3


@rule("italy1944", "6.6c")
def test_towards_its_sources_a_centre_moves_without_penalty():
    match = moved_centre("6 Arm, US 34 @ 2520; 94 ID @ 2420", "3522", centres="3322 -")
    assert match.view(ALLIED)["moving centres"] == []
    assert points(picked(match, "6 Arm")) == 12
    assert points(picked(match, "US 34")) == 8
    do(match, "end movement")
    assert "6.6f" not in shifts(match, "2420")


@rule("italy1944", "6.6d")
@pytest.mark.parametrize(("unit", "before"), [("6 Arm", 12), ("RM", 10)])
def test_while_the_centre_moves_away_tanks_and_mechanised_units_have_2_points(
    unit: str, before: int
):
    counters = f"{unit}, US 34 @ 3222; 94 ID @ 2419; 26 Pz @ 2319"
    assert points(picked(movement(counters), unit)) == before
    match = moved_centre(counters, "3121")
    assert points(picked(match, unit)) == 2
    # Those of the other side do not suffer.
    pass_on(match, until="movement", side=GERMAN)
    assert points(picked(match, "26 Pz")) == 12


@rule("italy1944", "6.6d", "6.6e")
def test_the_same_holds_for_the_german_centre():
    match = moved_centre("26 Pz, 94 ID @ 1105; US 34 @ 3322", "2419", GERMAN)
    assert points(picked(match, "26 Pz")) == 2
    assert points(picked(match, "94 ID")) == 4


@rule("italy1944", "6.6e")
@pytest.mark.parametrize("unit", ["US 34", "SSF", "4 DMM"])
def test_while_the_centre_moves_away_infantry_has_half_its_points(unit: str):
    counters = f"{unit}, 78 Inf @ 3222; 94 ID @ 2419"
    assert points(picked(movement(counters), unit)) == 8
    assert points(picked(moved_centre(counters, "3121"), unit)) == 4


@rule("italy1944", "6.6e")
@pytest.mark.parametrize(("printed", "allowed"), [(9, 4), (7, 3), (1, 0)])
def test_of_an_odd_number_of_points_the_fraction_is_dropped_while_the_centre_moves_away(
    monkeypatch: pytest.MonkeyPatch, printed: int, allowed: int
):
    with_points(monkeypatch, "US 34", printed)
    counters = "US 34, 78 Inf @ 3222; 94 ID @ 2419"
    assert points(picked(movement(counters), "US 34")) == printed
    assert points(picked(moved_centre(counters, "3121"), "US 34")) == allowed


@rule("italy1944", "6.6f")
def test_while_the_centre_moves_away_every_attack_loses_three_columns_on_top_of_all_others():
    counters = "US 34 @ 2419; 94 ID @ 2420; 78 Inf @ 3122; 71 ID @ 3021"
    plain = combat(counters, centres="3322 -")
    moving = combat(counters, centres="3322 -", moving_centres=1 << ALLIED)
    for hex in ("2420", "3021"):
        assert "6.6f" not in shifts(plain, hex)
        assert shifts(moving, hex) == shifts(plain, hex) | {"6.6f": -3}
    # The enemy's attacks do not suffer.
    match = combat(counters, GERMAN, moving_centres=1 << ALLIED)
    assert "6.6f" not in shifts(match, "2419")


@rule("italy1944", "6.6f")
@pytest.mark.parametrize(("to", "columns"), [("3121", -3), ("3522", 0)])
def test_the_three_columns_are_for_the_turn_in_which_the_centre_moves_away(to: str, columns: int):
    match = moved_centre("US 34 @ 1105; 94 ID @ 1205; 78 Inf @ 3122", to)
    do(match, "end movement")
    assert shifts(match, "1205").get("6.6f", 0) == columns


def air_markers(match: Match[Table], hex: str, unit: str) -> int:
    """How many air markers the attacker can use in one battle."""
    announce(match, hex, unit)
    side, count = match.position.side, 0
    while "air support" in verbs(match) and asked(match).side == side:
        do(match, "air support", hex=hex)
        count += 1
    return count


@rule("italy1944", "6.6g")
def test_while_their_centre_moves_away_the_allies_have_two_air_markers():
    counters = "US 34 @ 1105; 94 ID @ 1205"
    allied, german = 1 << ALLIED, 1 << GERMAN
    every = sum(marker.side == "Allied" for marker in WAR.air)
    assert every > 2
    assert air_markers(combat(counters), "1205", "US 34") == every
    assert air_markers(combat(counters, moving_centres=allied), "1205", "US 34") == 2
    # One was used before, and none of this is for the German.
    match = combat(counters, moving_centres=allied, air=[1, 0])
    assert air_markers(match, "1205", "US 34") == 1
    assert air_markers(combat(counters, moving_centres=german), "1205", "US 34") == every
    assert air_markers(combat(counters, GERMAN, moving_centres=german), "1105", "94 ID") == 1


@rule("italy1944", "6.6g", "6.6l")
def test_they_have_no_more_of_them_when_the_germans_attack_in_the_same_turn():
    match = moved_centre("US 34 @ 1105; 94 ID @ 1205; 78 Inf @ 3122", "3121")
    pass_on(match, until="combat", side=GERMAN)
    announce(match, "1105", "94 ID")
    do(match, "no more support")
    for _ in range(2):
        assert asked(match).side == ALLIED
        do(match, "air support", hex="1105")
    assert "air support" not in verbs(match)


@rule("italy1944", "6.6h")
def test_a_centre_that_moves_away_is_flipped_and_has_8_points():
    match = begin("centre", ALLIED, "US 34 @ 3322; 94 ID @ 2419", centres="3924 2418")
    do(match, "move the centre")
    costs = {
        hex: float(preview(match, "centre to", hex=hex).cost.split()[0])
        for hex in hexes(match, "centre to")
    }
    assert costs["3222"] < 7 < max(costs.values()) <= 8
    assert refused(match, "centre to", hex="2620").rule == "6.6h"
    # Near enough, but over the Garigliano, whose far bank is German.
    assert refused(match, "centre to", hex="2720").rule == "8.1a"
    do(match, "centre to", hex="3222")
    assert match.view(GERMAN)["moving centres"] == ["Allied"]
    assert match.position.centre[ALLIED] == at("3222")


@rule("italy1944", "6.6i")
def test_a_move_of_the_centre_is_announced_before_any_unit_moves():
    match = begin("centre", ALLIED, "US 34 @ 3222; 94 ID @ 2419")
    assert refused(match, "move", "US 34").sentence.startswith("Units are picked up one after")
    assert verbs(match) == {"move the centre", "leave the centre"}
    do(match, "leave the centre")
    assert "move" in verbs(match)
    assert refused(match, "move the centre") == (
        "A logistic centre moves before the units of its side do. "
        "Asked now: Move a unit or stack, or end your movement.",
        "6.6i",
    )
    # The German is asked at the start of his own phase, before anything else.
    do(match, "end movement")
    pass_on(match, until="centre", side=GERMAN)
    assert asked(match).side == GERMAN
    assert "move the centre" in verbs(match)
    assert {entry.side for entry in match.log if isinstance(entry, Chosen)} == {ALLIED}


@rule("italy1944", "6.6j")
@pytest.mark.parametrize(
    ("to", "away"),
    [
        ("3121", True),  # up the Via Casilina
        ("3222", False),  # down to Capua
        ("3420", False),  # north, but nearer to Foggia by road
        ("3221", False),  # neither nearer nor farther
    ],
)
def test_away_is_what_is_farther_from_the_sources_by_road(to: str, away: bool):
    match = moved_centre("US 34 @ 3322; 94 ID @ 2419", to)
    assert match.view(ALLIED)["moving centres"] == (["Allied"] if away else [])


@rule("italy1944", "6.6j")
def test_towards_the_sources_too_a_centre_has_8_points_at_half_a_point_a_road_hex():
    match = begin("centre", GERMAN, "94 ID @ 2419; US 34 @ 3322")
    do(match, "move the centre")
    assert preview(match, "centre to", hex="2318").cost == "0.5 points"
    assert preview(match, "centre to", hex="1710").cost == "8 points"
    assert refused(match, "centre to", hex="1706").rule == "6.6h"


@rule("italy1944", "6.6k", "6.6l")
def test_the_penalties_last_for_the_whole_turn_and_end_with_it():
    match = moved_centre("6 Arm @ 3222; US 34 @ 1105; 94 ID @ 1205", "3121")
    phases: list[tuple[str, int]] = []
    while match.position.turn == 2:
        phases.append((match.position.phase, match.position.side))
        assert match.view(ALLIED)["moving centres"] == ["Allied"]
        if phases[-1] == ("combat", ALLIED):
            assert shifts(match, "1205")["6.6f"] == -3
        idle(match)
    assert {("movement", ALLIED), ("combat", ALLIED), ("combat", GERMAN)} <= {*phases}
    assert match.view(ALLIED)["moving centres"] == []
    pass_on(match, until="movement", side=ALLIED)
    assert points(picked(match, "6 Arm")) == 12


@rule("italy1944", "6.6k")
def test_a_centre_feeds_from_the_hex_it_has_moved_to():
    # US 34 is 9 hexes from 3322 and 6 from 3020.
    match = moved_centre("US 34, 78 Inf @ 2419", "3020", options={"long_lines": True})
    next_turn(match)
    assert match.position.centre[ALLIED] == at("3020")
    assert cut(match) == set()


@rule("italy1944", "6.6l")
def test_the_penalties_bind_mobile_attacks_too():
    counters = "6 Arm, 23 AB @ 1105; 94 ID @ 1205"
    match = picked(movement(counters), "6 Arm")
    assert "mobile attack" in verbs(match)
    # With 2 points nobody pays for a hex and 2 more.
    match = picked(movement(counters, moving_centres=1 << ALLIED), "6 Arm")
    assert "mobile attack" not in verbs(match)
    # And if somebody could, he would lose the three columns on top of the two.
    columns = shifts_of(match, "1205", "6 Arm")
    assert (columns["6.6f"], columns["8.2d"]) == (-3, -2)


@rule("italy1944", "6.6m")
@pytest.mark.parametrize("escort", ["", "; 78 Inf @ 3121"])
def test_a_centre_goes_next_to_an_enemy_only_to_a_friend_and_stops_there(escort: str):
    # 94 ID in 3020 looks on 3121, 3120 and 3021.
    match = begin("centre", ALLIED, f"US 34 @ 3221; 94 ID @ 3020{escort}")
    do(match, "move the centre")
    reached = hexes(match, "centre to")
    assert "3221" in reached
    assert ("3121" in reached) is bool(escort)
    if not escort:
        assert refused(match, "centre to", hex="3121").rule == "6.6m"


@rule("italy1944", "6.6m")
def test_beside_an_enemy_a_centre_does_not_go_on():
    # Friends are in 3121 and beyond, in 3120; the other road there is long.
    match = begin("centre", ALLIED, "US 34 @ 3121; 78 Inf @ 3120; 94 ID @ 3020")
    do(match, "move the centre")
    way = [GAME.board.code(hex) for hex in preview(match, "centre to", hex="3120").path]
    assert "3121" not in way


# Example 1 of the book


@rule("italy1944", "6.6h", "6.6i", "6.2b")
def test_example_1_the_centre_follows_the_armies_beyond_rome_in_june():
    counters = "6 Arm, 78 Inf @ 2318; 94 ID @ 2317"
    match = begin("centre", ALLIED, counters, turn=6, centres="3322 1711")
    before = combat(counters, turn=6, centres="3322 1711")
    assert stretched(before, "2317")["attacker"] == -1  # north of Rome, over 8 hexes
    do(match, "move the centre")
    do(match, "centre to", hex="3020")
    assert match.view(GERMAN)["moving centres"] == ["Allied"]
    assert points(picked(match, "6 Arm")) == 2
    assert points(picked(match, "78 Inf")) == 4
    do(match, "end movement")
    assert shifts(match, "2317")["6.6f"] == -3
    assert "attacker" not in stretched(match, "2317")


# Beachheads


@rule("italy1944", "6.7a")
def test_after_two_landings_there_is_no_third():
    one = begin("plans", ALLIED, "US 34 @ 3322", turn=4, launched=[1])
    do(one, "write a note")
    assert "plan a landing" in verbs(one)
    two = begin("plans", ALLIED, "US 34 @ 3322", turn=4, launched=[1, 3])
    do(two, "write a note")
    assert not {"plan a landing", "plan an offensive"} & verbs(two)
    assert refused(two, "plan a landing", hex="2119", value=6).rule == "11a"


@rule("italy1944", "6.7a")
@pytest.mark.parametrize(("launched", "asked_for"), [([1], True), ([1, 3], False)])
def test_a_third_landing_is_not_made_even_if_it_was_planned(launched: list[int], asked_for: bool):
    note = (LANDING, at("2119"), 6, 2, 1)
    match = begin("operations", ALLIED, "US 34 @ 3322", turn=6, launched=launched, notes=[note])
    assert ("land" in verbs(match)) is asked_for


LANDED = "US 3, 1 Inf @ 2521; US 45 @ 2520"
SHORE = {"centres": "- 2418", "beaches": "2521"}
"""The Allies have no centre, so that all they have are beachheads."""


@rule("italy1944", "6.7b")
def test_a_beachhead_feeds_units_as_a_centre_does():
    assert cut(turn_end(LANDED, **SHORE)) == set()
    assert cut(turn_end(LANDED, centres="- 2418")) == {"US 3", "1 Inf", "US 45"}


@rule("italy1944", "6.7b")
def test_a_line_to_a_beachhead_is_free_of_enemies_and_their_zones_too():
    assert cut(turn_end("US 3 @ 2521; US 45 @ 2419; 94 ID @ 2620", **SHORE)) == set()
    assert "US 45" in cut(turn_end("US 3 @ 2521; US 45 @ 2419; 94 ID @ 2520", **SHORE))


@rule("italy1944", "6.7c")
@pytest.mark.parametrize(
    ("more", "enough"),
    [
        ("US 1 Arm, 56 Inf @ 2420", True),  # 5 divisions
        ("US 1 Arm, SSF, 2 Cdo @ 2420", True),  # 4 divisions and 2 brigades
        ("US 1 Arm, 56 Inf, 46 Inf @ 2420", False),
        ("US 1 Arm, 56 Inf, SSF @ 2420", False),
    ],
)
def test_a_beachhead_feeds_five_divisions_and_a_brigade_is_half_of_one(more: str, enough: bool):
    match = turn_end(f"{LANDED}; {more}", **SHORE)
    assert ("feed" not in verbs(match)) is enough
    if enough:
        assert cut(match) == set()


@rule("italy1944", "6.7c")
def test_two_beachheads_feed_twice_as_many_but_each_only_its_own():
    both = {"centres": "- 2418", "beaches": "2521 2119"}
    six = "US 3, 1 Inf, US 45, US 1 Arm @ 2521; 56 Inf, 46 Inf @ {}"
    assert "feed" in verbs(turn_end(six.format("2420"), **both))
    assert cut(turn_end(six.format("2119"), **both)) == set()


@rule("italy1944", "6.7d")
def test_the_allied_player_says_who_is_fed():
    match = turn_end(f"{LANDED}; US 1 Arm, 56 Inf, 46 Inf @ 2420", **SHORE)
    assert asked(match).side == ALLIED
    everybody = ["US 3", "1 Inf", "US 45", "US 1 Arm", "56 Inf", "46 Inf"]
    assert names(match, "feed") == set(everybody)
    for unit in everybody[1:]:
        do(match, "feed", unit)
    assert cut(match) == {"US 3"}


@rule("italy1944", "6.7d")
def test_who_has_another_line_is_not_counted():
    match = turn_end(f"{LANDED}; US 1 Arm, 56 Inf, 46 Inf @ 2420", beaches="2521")
    assert "feed" not in verbs(match)
    assert (match.position.turn, cut(match)) == (3, set())
    assert told(match, "is out of supply") == []


@rule("italy1944", "6.7d")
def test_whatever_is_smaller_than_a_division_counts_half():
    sizes = {(unit.size, WAR.halves[u]) for u, unit in enumerate(WAR.roster)}
    assert sizes == {("division", 2), ("brigade", 1), ("battalion", 1)}


@rule("italy1944", "6.7e")
def test_a_beachhead_never_moves():
    match = begin("centre", ALLIED, "US 3 @ 2521; 94 ID @ 1105", beaches="2521")
    do(match, "leave the centre")
    go(match, "2520", "US 3")
    do(match, "halt", "US 3")
    next_turn(match)
    assert markers(match, "BH") == {"Allied": "2521"}


ASHORE = "6 Arm, 5 C Arm @ 2521; 356 ID @ 2520 steps=1"


@rule("italy1944", "6.7e")
def test_a_beachhead_stays_when_its_units_attack_on_the_move():
    match = movement(ASHORE, beaches="2521")
    pick(match, "6 Arm", "5 C Arm")
    mobile_attack(match, "2520", die=6, air=2)
    assert where(match, "6 Arm") == where(match, "5 C Arm") == "2520"
    assert markers(match, "BH") == {"Allied": "2521"}


@rule("italy1944", "6.7e")
@pytest.mark.parametrize("last", ["advance", "break through", "exploit"])
def test_a_beachhead_stays_when_its_units_advance_break_through_or_exploit(last: str):
    match = combat(f"{ASHORE}; 6 SA @ 2521", beaches="2521")
    attack(match, "2520", "6 Arm", "5 C Arm", die=6, air=2)
    do(match, "advance", "6 Arm", "2520")
    if last == "break through":
        do(match, "break through", "5 C Arm")
        do(match, "break to", "5 C Arm", "2620")
    if last == "exploit":
        do(match, "stay")
        do(match, "exploit", "6 SA")
        do(match, "exploit to", "6 SA", "2620")
    assert where(match, "6 Arm") == "2520"
    assert markers(match, "BH") == {"Allied": "2521"}


@rule("italy1944", "6.7e")
def test_a_beachhead_stays_when_its_units_go_into_the_reserve():
    match = begin("reserve", ALLIED, "US 3 @ 2521; US 34 @ 3322; 94 ID @ 1105", beaches="2521")
    do(match, "send to reserve", "US 3")
    assert markers(match, "BH") == {"Allied": "2521"}


@rule("italy1944", "6.7e")
def test_a_beachhead_stays_when_a_unit_too_many_retreats_from_it():
    five = "US 34, 78 Inf, 2 DIM, PL 3 C, US 36"
    match = combat(f"{five} @ 2521; 94 ID @ 2520", GERMAN, beaches="2521")
    announce(match, "2521", "94 ID")
    do(match, "excess", "US 34")
    assert where(match, "US 34") != "2521"
    assert markers(match, "BH") == {"Allied": "2521"}


@rule("italy1944", "6.7f")
@pytest.mark.parametrize(("hex", "fed"), [("2520", True), ("2419", True), ("2319", False)])
def test_a_line_to_a_beachhead_has_two_hexes_at_most(hex: str, fed: bool):
    match = turn_end(f"US 3 @ 2521; US 45 @ {hex}", **SHORE)
    assert ("US 45" not in cut(match)) is fed


@rule("italy1944", "6.7g")
def test_a_beachhead_needs_no_line_to_anything():
    # Enemies on all sides, and no centre.
    match = turn_end("US 3 @ 2521; 94 ID @ 2520; 71 ID @ 2621; 305 ID @ 2420", **SHORE)
    assert "US 3" not in cut(match)


@rule("italy1944", "6.7g")
def test_at_a_beachhead_no_line_is_too_long():
    counters = "US 3 @ 2119; 94 ID @ 2118"
    assert stretched(combat(counters, centres="3322 -"), "2118") == {"attacker": -1}
    assert stretched(combat(counters, centres="3322 -", beaches="2119"), "2118") == {}
    # Two hexes away as well, but not three.
    counters = "US 3 @ 2219; US 45 @ {}; 94 ID @ {}"
    near = combat(counters.format("2319", "2318"), centres="3322 -", beaches="2119")
    assert stretched(near, "2318") == {}
    far = combat(counters.format("2419", "2418"), centres="3322 -", beaches="2119")
    assert stretched(far, "2418") == {"attacker": -1}
