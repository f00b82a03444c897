"""Chapter 11: landings and general offensives."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from apennine.games.italy1944.table.position import BLUFF, LANDING, NOWHERE, OFFENSIVE, Note
from apennine.hexes import mask_of
from apennine.kernel.decision import Event
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.kernel.story import Teller
from apennine.kernel.view import HIDDEN, seen_decision, seen_log
from apennine.testing import rule
from tests.games.italy1944.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    WAR,
    Table,
    announce,
    asked,
    at,
    attack,
    begin,
    clash,
    codes,
    do,
    events,
    go,
    halt,
    hexes,
    march,
    markers,
    mask,
    mobile_attack,
    names,
    offers,
    option,
    pass_on,
    picked,
    points,
    reach,
    refused,
    set_of,
    shifts_of,
    steps,
    verbs,
    where,
    with_points,
)

FRONT = "US 34 @ 3323; 94 ID @ 3020"
RESERVE = "US 3, US 45, US 1 Arm, 504 Para, Rangers, 1 Inf, 24 G, 2 Cdo @ reserve"


def landing(hex: str, turn: int, written: int = 1, shown: int = 0) -> Note:
    return LANDING, at(hex), turn, written, shown


def offensive(turn: int, written: int = 1, shown: int = 0) -> Note:
    return OFFENSIVE, NOWHERE, turn, written, shown


def bluff(turn: int, written: int = 1, shown: int = 0) -> Note:
    return BLUFF, NOWHERE, turn, written, shown


def planning(turn: int, **fields: Any) -> Match[Table]:
    """A note is being written in this turn."""
    match = begin("plans", ALLIED, FRONT, turn=turn, **fields)
    do(match, "write a note")
    return match


def turns(match: Match[Table], verb: str) -> set[int]:
    """The turns that the menu offers with a verb."""
    return {offer.value for offer in offers(match) if offer.verb == verb}


def due(*notes: Note, turn: int = 4, counters: str = "", **fields: Any) -> Match[Table]:
    """The start of an Allied movement phase with these notes."""
    drawn = f"{FRONT}; {RESERVE}; {counters}"
    return begin("operations", ALLIED, drawn, turn=turn, notes=list(notes), **fields)


def landed(**fields: Any) -> Match[Table]:
    """The landing at Anzio has been made in turn 4, and the first wave may go ashore."""
    match = due(landing("2521", 4, shown=1), **fields)
    do(match, "land", hex="2521")
    return match


def started(hex: str = "3122", **fields: Any) -> Match[Table]:
    """A general offensive of turn 4 has been opened, and the reserve may be committed."""
    match = due(offensive(4, shown=1), **fields)
    do(match, "offensive", hex=hex)
    return match


# How many, and when


@rule("italy1944", "11a")
@pytest.mark.parametrize(
    ("launched", "notes"),
    [([1, 3], []), ([1], [offensive(6, 3)]), ([], [offensive(6, 3), landing("2521", 8, 4)])],
)
def test_two_operations_in_a_game_are_all(launched: list[int], notes: list[Note]):
    match = planning(5, launched=launched, notes=notes)
    assert verbs(match) == {"plan a bluff"}
    one = planning(5, launched=[1])
    assert {"plan a landing", "plan an offensive"} <= verbs(one)


@rule("italy1944", "11a")
def test_the_two_may_be_of_either_kind():
    for note in (landing("2521", 5, 3), offensive(5, 3)):
        match = planning(4, notes=[note])
        assert {"plan a landing", "plan an offensive"} <= verbs(match)


@rule("italy1944", "11a")
def test_a_third_one_is_not_carried_out():
    match = due(landing("2521", 8, 3, 1), turn=8, launched=[3, 5])
    assert match.position.phase != "operations"
    assert match.position.launched == [3, 5]


@rule("italy1944", "11b")
def test_operations_are_two_turns_apart():
    match = planning(2, notes=[offensive(5)])
    assert turns(match, "plan an offensive") == turns(match, "plan a landing") == {7, 8, 9}
    after = planning(2, launched=[1])
    assert turns(after, "plan an offensive") == set(range(4, 10))


@rule("italy1944", "11b")
@pytest.mark.parametrize(("turn", "able"), [(4, False), (5, True)])
def test_no_operation_is_launched_in_the_turn_after_another(turn: int, able: bool):
    match = due(landing("2521", turn, 2, 1), turn=turn, launched=[3])
    assert ("land" in verbs(match)) is able


@rule("italy1944", "11c")
def test_there_is_only_one_operation_in_a_turn():
    match = due(landing("2521", 4, 1, 1), offensive(4, 2, 1))
    do(match, "land", hex="2521")
    do(match, "end landing")
    assert match.position.phase != "operations"
    assert match.position.launched == [4]
    assert match.position.offensive == NOWHERE
    assert 5 not in turns(planning(3, notes=[landing("2521", 5, 2)]), "plan an offensive")


# Plans


@rule("italy1944", "11Pa")
@pytest.mark.parametrize("turn", [1, 2, 5, 7])
def test_a_plan_is_written_at_least_two_turns_ahead(turn: int):
    match = planning(turn)
    for verb in ("plan a landing", "plan an offensive", "plan a bluff"):
        assert turns(match, verb) == set(range(turn + 2, 10))
    do(match, "plan a landing", hex="2521", value=turn + 2)
    assert match.position.notes == [landing("2521", turn + 2, turn)]


@rule("italy1944", "11Pa")
@pytest.mark.parametrize("turn", [8, 9])
def test_in_the_last_two_turns_there_is_nothing_left_to_plan(turn: int):
    assert begin("plans", ALLIED, FRONT, turn=turn).position.phase != "plans"


@rule("italy1944", "11Pa")
def test_without_a_plan_there_is_no_operation():
    assert due(turn=4).position.phase != "operations"
    assert due(landing("2521", 5, 2)).position.phase != "operations"


@rule("italy1944", "11Pb")
def test_the_german_player_does_not_see_what_is_written():
    match = planning(2)
    assert asked(match).secret
    hidden = seen_decision(match, GERMAN)
    assert hidden is not None
    other = match.fork()
    do(match, "plan a landing", hex="2521", value=4)
    do(other, "plan a bluff", value=7)
    for viewer in (GERMAN, EVERYBODY):
        assert match.view(viewer)["notes"] == []
        assert match.view(viewer) == other.view(viewer)
        assert list(seen_log(match, viewer)) == list(seen_log(other, viewer))
        assert HIDDEN in [getattr(entry, "option", None) for entry in seen_log(match, viewer)]
    [note] = match.view(ALLIED)["notes"]
    assert (note["plan"], note["hex"], note["turn"]) == ("landing", "2521", 4)


@rule("italy1944", "11Pb")
def test_the_plan_is_shown_at_the_start_of_its_turn():
    notes = [landing("2521", 5, 2), offensive(7, 3)]
    match = begin("end", ALLIED, FRONT, turn=4, notes=notes)
    assert match.position.turn == 5
    [event] = events(match, "landing planned")
    assert event == Event("landing planned", hex=at("2521"), rule="11Pb", reveals=True)
    # Before anything else is asked in that turn; and of the other plan nothing is told.
    assert match.log.index(event) == 1
    [note] = match.view(GERMAN)["notes"]
    assert (note["plan"], note["hex"], note["turn"]) == ("landing", "2521", 5)
    assert events(match, "offensive planned") == []


@rule("italy1944", "11Pb")
def test_an_offensive_too_is_shown_at_the_start_of_its_turn():
    match = begin("end", ALLIED, FRONT, turn=4, notes=[offensive(5, 3)])
    assert len(events(match, "offensive planned")) == 1
    assert [note["plan"] for note in match.view(GERMAN)["notes"]] == ["offensive"]


@rule("italy1944", "11Pc")
def test_plans_are_written_in_the_rrw_phase_and_in_turn_1_as_the_allied_phase_begins():
    match = Match(GAME, seed=1)
    pass_on(match, until="plans")
    assert match.position.turn == 1
    do(match, "end planning")
    assert (match.position.phase, match.position.side) == ("operations", ALLIED)
    later = begin("reserve", ALLIED, FRONT, turn=2)
    do(later, "end transfers")
    assert later.position.phase == "plans"
    do(later, "end planning")
    # What is left of the RRW phase is the German part, and then the Allied phase begins.
    pass_on(later, until="centre")
    assert (later.position.turn, later.position.side) == (2, ALLIED)


@rule("italy1944", "11Pd")
def test_only_a_landing_names_a_hex_and_several_plans_may_be_pending():
    match = planning(1)
    assert {offer.hex for offer in offers(match) if offer.verb == "plan an offensive"} == {NOWHERE}
    assert all(offer.hex >= 0 for offer in offers(match) if offer.verb == "plan a landing")
    do(match, "plan an offensive", value=4)
    second = planning(2, notes=[offensive(4)])
    do(second, "plan a landing", hex="2521", value=6)
    assert second.position.notes == [offensive(4), landing("2521", 6, 2)]


@rule("italy1944", "11Pe")
def test_a_plan_cannot_be_changed():
    match = planning(2, notes=[landing("2521", 4)])
    orders = {"plan a landing", "plan an offensive", "plan a bluff"}
    assert verbs(match) == orders
    for order in offers(match):
        if order.verb != "plan a landing" or order.hex == at("2119"):
            (after := match.fork()).choose(order)
            # The note stays, whatever is written beside it, and nothing else is due near it.
            assert after.position.notes[0] == landing("2521", 4)
            assert order.value >= 6 or order.verb == "plan a bluff"
    at_its_turn = due(landing("2521", 4, shown=1))
    assert hexes(at_its_turn, "land") == {"2521"}


@rule("italy1944", "11Pe")
@pytest.mark.parametrize("note", [landing("2521", 4, shown=1), offensive(4, shown=1)])
def test_a_plan_may_be_left_to_lapse_and_uses_up_nothing(note: Note):
    match = due(note)
    do(match, "no operation")
    assert match.position.launched == []
    assert match.position.phase == "centre"
    # The next plan may be for the turn after next, as if there had been none.
    after = planning(5, notes=[note])
    assert turns(after, "plan a landing") == {7, 8, 9}
    # Nor do two of them count.
    two = planning(7, notes=[note, landing("2119", 6, 3, 1)])
    assert turns(two, "plan a landing") == turns(two, "plan an offensive") == {9}


@rule("italy1944", "11Ia")
def test_a_bluff_is_shown_as_such_at_its_turn():
    match = planning(2)
    do(match, "plan a bluff", value=4)
    assert match.position.notes == [bluff(4, 2)]
    shown = begin("end", ALLIED, FRONT, turn=3, notes=[bluff(4, 2)])
    [event] = events(shown, "no landing")
    assert (event.rule, event.reveals) == ("11Ia", True)
    assert [note["plan"] for note in shown.view(GERMAN)["notes"]] == ["no landing"]
    # Nothing comes of it.
    assert due(bluff(4, 2, 1)).position.phase != "operations"


@rule("italy1944", "11Ib")
def test_bluffs_count_for_nothing():
    match = planning(3, notes=[bluff(5), bluff(6, 2)])
    assert turns(match, "plan an offensive") == set(range(5, 10))
    fought = due(bluff(3, 1, 1), landing("2521", 4, 2, 1))
    assert "land" in verbs(fought)
    # Nor does it when it is shown.
    shown = begin("end", ALLIED, FRONT, turn=3, notes=[bluff(4, 2)])
    assert len(events(shown, "no landing")) == 1
    pass_on(shown, until="plans")
    assert (shown.position.turn, shown.position.launched) == (4, [])
    do(shown, "write a note")
    assert turns(shown, "plan an offensive") == set(range(6, 10))


@rule("italy1944", "11Ic")
def test_a_bluff_does_not_shut_out_a_plan_for_the_same_turn():
    match = planning(1)
    do(match, "plan a bluff", value=3)
    do(match, "write a note")
    do(match, "plan a landing", hex="2521", value=3)
    do(match, "write a note")
    do(match, "plan an offensive", value=5)
    assert match.position.notes == [bluff(3), landing("2521", 3), offensive(5)]
    assert match.position.phase == "plans"


@rule("italy1944", "11Id")
def test_everybody_sees_that_notes_are_written_and_nobody_what_they_say():
    match = planning(1)
    do(match, "plan a bluff", value=3)
    other = planning(1)
    do(other, "plan a landing", hex="2521", value=5)
    for viewer in (GERMAN, EVERYBODY):
        assert match.view(viewer)["notes waiting"] == 1
        assert match.view(viewer) == other.view(viewer)
        written = [getattr(entry, "option", None) for entry in seen_log(match, viewer)]
        assert [chosen for chosen in written if chosen] == [option("write a note"), HIDDEN]
        assert Teller(match, viewer).passages == Teller(other, viewer).passages
        assert Teller(match, viewer).passages[0].text == "A note is written"
    assert Teller(other, ALLIED).passages[0].text == (
        "A note: plan a landing at Anzio (2521) for turn 5"
    )
    imagined = [GAME.imagine(match.position, GERMAN, Random(n), match.position) for n in range(40)]
    assert all(len(pos.notes) == 1 and pos.notes[0][3] == 1 for pos in imagined)
    assert {pos.notes[0][0] for pos in imagined} == {LANDING, OFFENSIVE, BLUFF}


@rule("italy1944", "11Ic")
def test_eight_notes_are_enough_for_a_turn():
    match = planning(2, notes=[bluff(5, 1)])
    for turn in (4, 5, 6, 7, 8, 9, 9):
        do(match, "plan a bluff", value=turn)
        do(match, "write a note")
    do(match, "plan a bluff", value=9)
    assert match.position.phase != "plans"
    assert len(match.position.notes) == 9


@rule("italy1944", "11Ib", "11Lh")
def test_a_landing_on_german_units_is_cancelled_and_counts_for_nothing():
    match = due(landing("2521", 4, shown=1), counters="356 ID @ 2521")
    [event] = events(match, "landing cancelled")
    assert (event.hex, event.rule) == (at("2521"), "11Lh")
    assert match.position.phase != "operations"
    assert (match.position.beaches, match.position.launched) == ([], [])


# Landings


@rule("italy1944", "11La")
def test_a_landing_puts_a_beachhead_in_the_written_hex_before_units_move():
    match = landed()
    assert match.position.beaches == [at("2521")]
    assert match.position.launched == [4]
    assert markers(match, "BH") == {"Allied": "2521"}
    do(match, "end landing")
    pass_on(match, until="movement")
    assert match.position.side == ALLIED


@rule("italy1944", "11Lb")
def test_one_lands_at_towns_on_the_coast_that_the_enemy_controls():
    match = planning(2)
    towns = WAR.board.kinds["town"] | WAR.board.kinds["city"]
    german = WAR.land & ~match.position.control
    offered = {offer.hex for offer in offers(match) if offer.verb == "plan a landing"}
    assert not mask_of(offered) & ~(WAR.board.regions["coast"] & towns & german)
    assert {"2521", "2119", "2209"} <= hexes(match, "plan a landing")
    assert not {"3323", "2419", "2621"} & hexes(match, "plan a landing")


@rule("italy1944", "11Lb")
def test_an_inland_town_is_no_landing_place_though_its_hex_touches_the_sea():
    match, forli = planning(2), "2008"
    assert WAR.coast & WAR.towns & mask(forli)
    assert forli not in hexes(match, "plan a landing")
    assert refused(match, "plan a landing", hex=forli, value=4).rule == "11Lb"


@rule("italy1944", "11Lb")
def test_no_landing_is_planned_where_the_allies_are_already():
    taken = planning(2, allied="2521")
    assert "2521" not in hexes(taken, "plan a landing")


@rule("italy1944", "11Lb")
def test_a_hex_that_became_allied_since_is_no_place_to_land():
    match = due(landing("2521", 4, shown=1), allied="2521")
    [event] = events(match, "landing cancelled")
    assert (event.hex, event.rule) == (at("2521"), "11Lb")
    assert match.position.beaches == []


@rule("italy1944", "11Lc")
def test_two_divisions_of_the_reserve_land_with_the_beachhead():
    match = landed()
    in_box = {"US 3", "US 45", "US 1 Arm", "504 Para", "Rangers", "1 Inf", "24 G", "2 Cdo"}
    assert names(match, "land with") == in_box
    do(match, "land with", "US 3", "2521")
    assert where(match, "US 3") == "2521"
    assert match.position.control >> at("2521") & 1
    do(match, "land with", "1 Inf", "2521")
    assert match.position.phase != "operations"
    assert where(match, "US 45") == "reserve"


@rule("italy1944", "11Lc")
def test_two_brigades_are_a_division():
    match = landed()
    for unit in ("504 Para", "Rangers"):
        do(match, "land with", unit, "2521")
    assert {"US 3", "24 G"} <= names(match, "land with")
    do(match, "land with", "24 G", "2521")
    # Half a division is left.
    assert names(match, "land with") == {"2 Cdo"}
    do(match, "land with", "2 Cdo", "2521")
    assert match.position.phase != "operations"


@rule("italy1944", "11Lc")
def test_fewer_may_land():
    match = landed()
    do(match, "land with", "US 3", "2521")
    do(match, "end landing")
    assert where(match, "US 45") == "reserve"
    assert match.position.quota == 0


BEACH = "US 36 @ 2521 steps=1; US 34 @ 2620 steps=1; SSF @ 2521"


@rule("italy1944", "11Ld", "12f")
def test_on_a_later_turn_a_beachhead_takes_in_one_division():
    match = begin("reserve", ALLIED, f"{BEACH}; {RESERVE}", beaches="2521", turn=3)
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    for unit in ("US 45", "24 G"):
        do(fork := match.fork(), "release", unit)
        assert "2521" not in hexes(fork, "place")


@rule("italy1944", "11Ld")
def test_or_two_brigades_which_are_as_much():
    match = begin("reserve", ALLIED, f"US 36 @ 2521; {RESERVE}", beaches="2521", turn=3)
    for unit in ("24 G", "2 Cdo"):
        do(match, "release", unit)
        do(match, "place", unit, "2521")
    do(match, "release", "Rangers")
    assert "2521" not in hexes(match, "place")


@rule("italy1944", "11Ld", "11Lj")
def test_or_two_replacement_points_for_units_that_trace_to_it():
    # The centre is far away, behind the front.
    reduced = "US 36 @ 2521 steps=1; US 34 @ 2620 steps=1; US 3 @ 2521 steps=1"
    match = begin(
        "replacements", ALLIED, f"{reduced}; 94 ID @ 3020", beaches="2521", centres="3719 2418"
    )
    assert names(match, "replace") == {"US 36", "US 34", "US 3"}
    do(match, "replace", "US 36")
    do(match, "replace", "US 34")
    assert (steps(match, "US 36"), steps(match, "US 34")) == (2, 2)
    assert match.position.intake == [2]


@rule("italy1944", "11Ld")
def test_two_points_are_all_though_the_nations_have_more():
    reduced = "US 36 @ 2521 steps=1; 1 C @ 2620 steps=1; 8 I @ 2521 steps=1"
    match = begin(
        "replacements", ALLIED, f"{reduced}; 94 ID @ 3020", beaches="2521", centres="3719 2418"
    )
    do(match, "replace", "1 C")
    do(match, "replace", "8 I")
    assert names(match, "replace") == set()
    assert match.position.spent[WAR.nation_names.index("US")] == 0


@rule("italy1944", "11Ld")
def test_or_a_brigade_and_a_point():
    match = begin(
        "replacements",
        ALLIED,
        f"{BEACH}; {RESERVE}; 94 ID @ 3020",
        beaches="2521",
        centres="3719 2418",
    )
    do(match, "replace", "US 36")
    pass_on(match, until="reserve")
    do(fork := match.fork(), "release", "US 3")
    assert "2521" not in hexes(fork, "place")
    do(match, "release", "24 G")
    do(match, "place", "24 G", "2521")
    assert where(match, "24 G") == "2521"
    do(match, "release", "2 Cdo")
    assert "2521" not in hexes(match, "place")


@rule("italy1944", "11Ld")
def test_every_turn_the_beachhead_takes_in_as_much_again():
    match = begin("reserve", ALLIED, f"US 36 @ 2521; {RESERVE}; 94 ID @ 3020", beaches="2521")
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    pass_on(match, until="movement")
    pass_on(match, until="reinforcements")
    assert match.position.turn == 3
    assert "2521" in hexes(match, "bring on", "US 88")


@rule("italy1944", "11Lj")
def test_replacements_over_the_beach_are_of_the_units_own_nation():
    # There are no Polish points in turn 4, and no others serve.
    match = begin(
        "replacements",
        ALLIED,
        "PL 3 C @ 2521 steps=1; US 36 @ 2521 steps=1; 94 ID @ 3020",
        beaches="2521",
        centres="3719 2418",
        turn=4,
    )
    assert names(match, "replace") == {"US 36"}


@rule("italy1944", "11Lj")
def test_without_a_line_to_the_beachhead_there_are_no_points_over_it():
    match = begin(
        "replacements",
        ALLIED,
        "US 36 @ 2521 steps=1; US 34 @ 2721 steps=1; US 3 @ 2821 steps=1; 94 ID @ 3020",
        beaches="2521",
        centres="3719 2418",
    )
    assert names(match, "replace") == {"US 36", "US 34"}


@rule("italy1944", "11Le", "11Li")
def test_units_just_landed_attack_and_defend_a_column_worse():
    match = landed(counters="356 ID @ 2520")
    do(match, "land with", "US 3", "2521")
    do(match, "land with", "1 Inf", "2521")
    pass_on(match, until="combat", side=ALLIED)
    assert shifts_of(match, "2520", "US 3")["11Le"] == -1
    do(match, "end combat")
    pass_on(match, until="combat", side=GERMAN)
    assert shifts_of(match, "2521", "356 ID")["11Le"] == +1


@rule("italy1944", "11Le")
def test_the_shift_is_given_once_if_any_of_the_units_has_just_landed():
    counters = "US 3, US 45 @ 2521; US 36 @ 2620; 356 ID @ 2520"
    match = clash(counters, beaches="2521", landed=set_of("US 3", "US 45"))
    assert shifts_of(match, "2520", "US 3", "US 45", "US 36")["11Le"] == -1
    assert "11Le" not in shifts_of(match, "2520", "US 36")


@rule("italy1944", "11Lf")
@pytest.mark.parametrize(("unit", "allowance"), [("US 3", 4), ("US 1 Arm", 6), ("43 Gurkha", 5)])
def test_units_just_landed_have_half_their_points_and_do_not_move_operationally(
    unit: str, allowance: int
):
    counters = f"{unit}, US 36 @ 2521"
    match = march(counters, beaches="2521", landed=set_of(unit), turn=4)
    fork = picked(match, unit)
    assert points(fork) == allowance
    assert fork.position.extra == 0
    assert picked(match, "US 36").position.extra > 0
    assert reach(match, unit) < reach(march(counters, beaches="2521", turn=4), unit)


@rule("italy1944", "11Lf")
@pytest.mark.parametrize(("printed", "allowed"), [(9, 4), (7, 3), (1, 0)])
def test_of_an_odd_number_of_points_the_fraction_is_dropped_after_a_landing(
    monkeypatch: pytest.MonkeyPatch, printed: int, allowed: int
):
    with_points(monkeypatch, "US 3", printed)
    match = march("US 3, US 36 @ 2521", beaches="2521", landed=set_of("US 3"), turn=4)
    assert points(picked(match, "US 3")) == allowed


@rule("italy1944", "11Lg")
def test_units_just_landed_have_the_support_of_ships_and_aircraft():
    match = march("US 3, US 36 @ 2521; 356 ID @ 2520", beaches="2521", landed=set_of("US 3"))
    pass_on(match, until="combat", side=ALLIED)
    announce(match, "2520", "US 3")
    assert verbs(match) == {"air support", "naval support", "no more support"}
    defence = begin(
        "combat",
        GERMAN,
        "US 3 @ 2521; 356 ID @ 2520",
        beaches="2521",
        landed=set_of("US 3"),
    )
    announce(defence, "2521", "356 ID")
    do(defence, "no more support")
    assert asked(defence).side == ALLIED
    assert {"air support", "naval support"} <= verbs(defence)


@rule("italy1944", "11Li")
def test_the_penalties_bind_later_arrivals_too_and_end_with_the_turn():
    match = begin("reserve", ALLIED, f"US 36 @ 2521; {RESERVE}; 94 ID @ 3020", beaches="2521")
    do(match, "release", "US 3")
    do(match, "place", "US 3", "2521")
    assert match.position.landed == set_of("US 3")
    pass_on(match, until="movement")
    assert points(picked(match, "US 3")) == 4
    pass_on(match, until="plans")
    assert match.position.turn == 3
    pass_on(match, until="movement")
    assert not match.position.landed & set_of("US 3")
    assert points(picked(match, "US 3")) == 8


@rule("italy1944", "11Li")
def test_reinforcements_over_the_beach_have_just_landed():
    match = begin("reinforcements", ALLIED, "US 36 @ 2521", beaches="2521", turn=2)
    assert option("bring on", "4 DMM", "2521") in offers(match)
    do(match, "bring on", "4 DMM", "2521")
    assert match.position.landed == set_of("4 DMM")


@rule("italy1944", "11Lh")
def test_an_empty_hex_next_to_germans_may_be_landed_on():
    match = due(landing("2521", 4, shown=1), counters="356 ID @ 2520")
    assert hexes(match, "land") == {"2521"}


# Turn 1


@rule("italy1944", "11T1a")
def test_in_turn_1_a_landing_needs_no_plan():
    match = due(turn=1)
    assert verbs(match) == {"land", "no operation"}
    assert {"2521", "2119", "2922"} <= hexes(match, "land")
    do(match, "land", hex="2521")
    assert match.position.beaches == [at("2521")]
    assert match.position.launched == [1]


@rule("italy1944", "11T1a", "11Lh")
def test_it_is_made_where_no_german_unit_is():
    assert "2521" not in hexes(due(turn=1, counters="356 ID @ 2521"), "land")


@rule("italy1944", "11T1b")
def test_without_it_there_is_no_operation_before_turn_3():
    match = due(turn=1)
    do(match, "no operation")
    assert match.position.launched == []
    assert due(turn=2).position.phase != "operations"
    assert min(turns(planning(1), "plan a landing") | turns(planning(1), "plan an offensive")) == 3


@rule("italy1944", "11T1c")
def test_turn_1_has_no_offensive_and_turn_2_no_operation_at_all():
    assert "offensive" not in verbs(due(turn=1))
    assert due(turn=2, launched=[1], beaches="2521").position.phase != "operations"
    assert refused(planning(1), "plan an offensive", value=2).rule == "11Pa"
    # Even a note for turn 2, were there one, would come too soon after turn 1.
    for note in (landing("2119", 2, 0, 1), offensive(2, 0, 1)):
        assert due(note, turn=2).position.phase == "operations"
        assert due(note, turn=2, launched=[1], beaches="2521").position.phase != "operations"


# General offensives


@rule("italy1944", "11Ga")
def test_an_offensive_opens_the_allied_movement_in_an_allied_hex():
    match = due(offensive(4, shown=1))
    assert match.position.moved == 0
    assert verbs(match) == {"offensive", "no operation"}
    offered = hexes(match, "offensive")
    assert "3122" in offered
    assert not {"3021", "2922"} & offered  # near enough, but German
    do(match, "offensive", hex="3122")
    assert match.position.offensive == at("3122")
    assert match.position.launched == [4]
    do(match, "end commitment")
    assert (match.position.phase, match.position.side) == ("centre", ALLIED)


@rule("italy1944", "11Gb", "11Gf")
def test_the_marker_is_within_8_hexes_of_the_centre_or_a_supply_hex_as_the_crow_flies():
    # The Allies hold everything; the centre is at Foggia.
    everything = " ".join(codes(WAR.land & ~(1 << at("3020"))))
    match = due(offensive(4, shown=1), allied=everything, centres="3719 2418")
    distance = WAR.lattice.distance
    near = (at("3719"), *map(at, codes(WAR.sources[ALLIED])))
    expected = {
        code for code in everything.split() if min(distance(at(code), hex) for hex in near) <= 8
    }
    assert hexes(match, "offensive") == expected
    assert "2520" not in expected
    # Germans all around it, who let no line through, make no difference.
    ring = "305 ID @ 3217; 334 ID @ 3319; 356 ID @ 3119"
    encircled = due(offensive(4, shown=1), counters=ring, centres="3719 2418")
    assert "3218" in hexes(encircled, "offensive")


@rule("italy1944", "11Gb")
def test_without_a_centre_the_supply_hexes_serve():
    match = due(offensive(4, shown=1), centres="- 2418", allied="2914")
    assert "3116" in hexes(match, "offensive")
    assert "2914" not in hexes(match, "offensive")
    with_centre = due(offensive(4, shown=1), centres="3116 2418", allied="2914")
    assert "2914" in hexes(with_centre, "offensive")


@rule("italy1944", "11Gc")
def test_the_reserve_is_committed_to_the_marker_or_next_to_it():
    match = started("3122")
    assert "US 1 Arm" in names(match, "commit")
    do(match, "commit", "US 3")
    # Not the German hexes across the Garigliano.
    assert hexes(match, "place") == {"3122", "3121", "3221", "3222"}
    do(match, "place", "US 3", "3122")
    for unit in ("US 45", "1 Inf", "24 G"):
        do(match, "commit", unit)
        do(match, "place", unit, "3122")
    # As many as one likes, but four to a hex.
    do(match, "commit", "2 Cdo")
    assert hexes(match, "place") == {"3121", "3221", "3222"}
    do(match, "place", "2 Cdo", "3121")
    assert where(match, "2 Cdo") == "3121"
    assert "commit" in verbs(match)


ATTACK = "US 34 @ 1104; US 36 @ 1004; 356 ID @ 1105"


def in_offensive(hex: str, counters: str = ATTACK, **fields: Any) -> Match[Table]:
    """A combat phase with the marker of an offensive in a hex."""
    fields = {"centres": "", "offensive": at(hex), "launched": [2]} | fields
    return begin("combat", ALLIED, counters, **fields)


@rule("italy1944", "11Gd", "11Ge")
@pytest.mark.parametrize(
    ("marker", "columns"), [("1204", 1), ("1104", 1), ("1304", 0), ("0904", 0), ("1205", 0)]
)
def test_units_next_to_the_marker_or_with_it_attack_with_a_column_more(marker: str, columns: int):
    match = in_offensive(marker)
    assert shifts_of(match, "1105", "US 34").get("11Gd", 0) == columns


@rule("italy1944", "11Ge")
def test_one_attacker_near_the_marker_is_enough_and_the_shift_is_given_once():
    match = in_offensive("1204")
    assert shifts_of(match, "1105", "US 34", "US 36") == {"11Gd": 1}
    assert shifts_of(match, "1105", "US 36") == {}
    both = in_offensive("1104")
    assert shifts_of(both, "1105", "US 34", "US 36") == {"11Gd": 1}


@rule("italy1944", "11Ge")
def test_mobile_attacks_have_the_shift_too():
    match = march(
        "6 Arm @ 0804; 356 ID @ 1105",
        offensive=at("0904"),
        launched=[2],
    )
    # 1004 is next to the marker: what counts is where the attack is made from.
    go(match, "1004", "6 Arm")
    assert shifts_of(match, "1105", "6 Arm") == {"11Gd": 1, "8.2d": -2}
    mobile_attack(match, "1105", die=3)


@rule("italy1944", "11Gd")
def test_germans_have_nothing_of_it():
    match = begin(
        "combat",
        GERMAN,
        "94 ID @ 1104; US 34 @ 1105",
        centres="",
        offensive=at("1204"),
        launched=[2],
    )
    assert shifts_of(match, "1105", "94 ID") == {}


@rule("italy1944", "11Gf")
def test_the_marker_leaves_at_the_end_of_the_turn():
    match = started()
    do(match, "end commitment")
    pass_on(match, until="movement", side=GERMAN)
    assert match.position.offensive == at("3122")
    pass_on(match, until="plans")
    assert match.position.turn == 5
    assert match.position.offensive == NOWHERE


@rule("italy1944", "11Gg")
def test_units_committed_move_and_attack_like_any_others():
    match = started(counters="356 ID @ 2922")
    do(match, "commit", "US 1 Arm")
    do(match, "place", "US 1 Arm", "3122")
    do(match, "commit", "US 3")
    do(match, "place", "US 3", "3222")
    do(match, "end commitment")
    assert match.position.landed == 0
    pass_on(match, until="movement")
    assert {"US 1 Arm", "US 3"} <= names(match, "move")
    assert points(picked(match, "US 1 Arm")) == 12
    assert picked(match, "US 3").position.extra > 0  # operational movement as well
    go(match, "3021", "US 1 Arm")
    halt(match)
    pass_on(match, until="combat", side=ALLIED)
    shifts = shifts_of(match, "2922", "US 1 Arm")
    assert "11Le" not in shifts
    assert shifts["11Gd"] == 1
    attack(match, "2922", "US 1 Arm", die=1)


def test_what_the_german_player_imagines_he_could_not_tell_from_the_truth():
    match = planning(3, notes=[landing("2521", 5, 2), bluff(3, 1, 1)])
    pos = match.position
    before = pos.copy()
    dreams = [GAME.imagine(pos, GERMAN, Random(seed), pos) for seed in range(30)]
    assert all(GAME.view(dream, GERMAN) == GAME.view(pos, GERMAN) for dream in dreams)
    assert all(not GAME.check(dream) for dream in dreams)
    assert len({str(dream.notes) for dream in dreams}) > 3
    assert all(bluff(3, 1, 1) in dream.notes for dream in dreams)
    assert GAME.imagine(pos, ALLIED, Random(1), pos) == pos == before


def test_a_second_landing_does_not_go_where_the_first_one_was():
    again = due(landing("2521", 3, 1, 1), turn=3, beaches="2521", german="2521")
    assert events(again, "landing cancelled")
