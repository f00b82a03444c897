"""Chapter 6: stacking, and the two Allied groupings."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    HISTORICAL,
    NO_PORTS,
    TIBER,
    aims,
    allowance,
    asked,
    at,
    attack,
    begin,
    do,
    events,
    fight_in_vain,
    fight_out,
    hexes,
    is_crowded,
    march,
    mask,
    named,
    number,
    order,
    pass_on,
    reach,
    refused,
    seen,
    shoot_out,
    stack,
    steps,
    verbs,
    where,
)

MISS = 10

# 6.1 to 6.3: how many


@rule("underbelly", "6.1a")
def test_nobody_enters_a_hex_with_enemies():
    match = begin("US 36 @ 3309; XIV Pz @ 3409; 16 Pz @ 3211")
    assert not {"3409", "3211"} & reach(match, "3309")
    order(match, "move", "3309")
    assert refused(match, "go", hex="3409")
    dropping = begin("82 Abn @ available; XIV Pz @ 3409", tac_active=True, tac=1, drop_ready=True)
    assert "3408" in hexes(dropping, "drop")
    assert "3409" not in hexes(dropping, "drop")
    together = begin("US 36 @ 3309").position
    together.hex[number("XIV Pz")] = at("3309")
    assert "6.1a" in {fault.rule for fault in GAME.check(together)}


@rule("underbelly", "6.1b")
def test_units_in_a_box_go_singly_or_in_any_stack_that_is_allowed():
    match = begin("US 45, US 3, US 34, US 36, US VI, US II @ available")
    one = match.fork()
    order(one, "move", "available", "US 45")
    do(one, "come ashore", hex="2921")
    do(one, "halt")
    do(one, "done")
    assert stack(one, "2921") == {"US 45"}
    # With the next command others go, stacked: three divisions and one corps support unit.
    order(match, "move", "available", "US 45", "US 3", "US VI")
    assert named(match, "take along") == {"US 34", "US 36"}
    do(match, "take along", "US 34")
    assert "take along" not in verbs(match)
    do(match, "come ashore", hex="2921")
    assert stack(match, "2921") == {"US 45", "US 3", "US 34", "US VI"}
    assert stack(match, "available") == {"US 36", "US II"}


@rule("underbelly", "6.1c")
def test_every_unit_counts_as_one_reduced_or_not():
    match = begin("US 36 @ 3309; US 45, US 3, US 34 @ 3310 steps=1")
    assert "3310" not in reach(match, "3309")
    guns = begin("US 36, US VI @ 3309; US 45, US 3 @ 3310 steps=1")
    assert "3310" in reach(guns, "3309")


@rule("underbelly", "6.2")
def test_a_full_hex_cannot_even_be_passed():
    """South of Naples the one way out of 2723 is through 2722 or 2823."""
    closed = "46 Inf, 56 Inf, 5 Inf @ 2722; 1 C, 7 Arm, 78 Inf @ 2823"
    assert reach(begin(f"US 36 @ 2723; {closed}"), "2723") == set()
    ajar = closed.replace("46 Inf, ", "")
    assert "2722" in reach(begin(f"US 36 @ 2723; {ajar}"), "2723")
    assert "2622" in reach(begin(f"FX Mtn @ 2723; {ajar}"), "2723")


@rule("underbelly", "6.2")
def test_any_number_may_pass_one_after_the_other():
    closed = "56 Inf, 5 Inf @ 2722; 1 C, 7 Arm, 78 Inf @ 2823"
    match = begin(f"FX Mtn, US 36, US 45 @ 2723; {closed}")
    do(match, "move", hex="2723")
    # Together two are too many for 2722, but each alone finds room there.
    pair = match.fork()
    do(pair, "take", "FX Mtn")
    do(pair, "take along", "US 36")
    assert hexes(pair, "go") == set()
    do(match, "take", "FX Mtn")
    do(match, "go", hex="2622")
    do(match, "halt")
    do(match, "take", "US 36")
    do(match, "go", hex="2722")
    do(match, "go", hex="2721")
    do(match, "halt")
    do(match, "take", "US 45")
    assert "2722" in hexes(match, "go")


@rule("underbelly", "6.3a")
@pytest.mark.parametrize(("there", "room"), [("US 45, US 3", True), ("US 45, US 3, US 34", False)])
def test_a_hex_holds_three_divisions_and_a_fourth_unit_only_if_it_is_corps_support(
    there: str, room: bool
):
    assert ("3310" in reach(begin(f"US 36 @ 3309; {there} @ 3310"), "3309")) is room
    assert "3310" in reach(begin(f"US VI @ 3309; {there} @ 3310"), "3309")
    two = begin(f"US 36, FX Mtn @ 3309; {there} @ 3310")
    assert "3310" not in reach(two, "3309")
    germans = begin(f"16 Pz @ 3309; {GERMANS[there]} @ 3310", GERMAN)
    assert ("3310" in reach(germans, "3309")) is room


GERMANS = {"US 45, US 3": "HG, 15 PG", "US 45, US 3, US 34": "HG, 15 PG, 29 PG"}


@rule("underbelly", "6.3a")
def test_a_stack_of_four_divisions_is_found_out():
    match = begin("US 36, US 45, US 3, US 34 @ 3310")
    assert is_crowded(match) == {"3310"}
    assert is_crowded(begin("US 36, US 45, US 3, US VI @ 3310; 16 Pz, HG, XIV Pz @ 3211")) == set()


@rule("underbelly", "6.3b")
def test_a_hex_holds_one_corps_support_unit():
    match = begin("US VI @ 3309; US II @ 3310")
    assert "3310" not in reach(match, "3309")
    assert is_crowded(begin("US VI, US II @ 3310")) == {"3310"}
    assert "3309" in reach(begin("US VI @ 3309; US 36 @ 3310"), "3310")
    german = begin("II SS @ 3309; 1 SS @ 3311", GERMAN, **TIBER_TURN)
    assert "3309" in reach(german, "3311")
    guns = begin("LVIII Pz @ 3309; LI Mtn @ 3310", GERMAN, **TIBER_TURN)
    assert "3309" not in reach(guns, "3310")
    assert "3310" not in reach(guns, "3309")


# 6.4, 6.5: US and British units together


@rule("underbelly", "6.4a")
def test_units_of_a_mixed_stack_move_one_point_less():
    match = begin("US 36, 46 Inf, X Corps @ 3309; US 45, US 3 @ 3710; 56 Inf, 5 Inf @ 3208")
    assert allowance(match, "3309") == 7
    assert allowance(match, "3309", verb="column") == 15
    assert (allowance(match, "3710"), allowance(match, "3208")) == (8, 8)
    unmixed = begin("46 Inf, X Corps @ 3309")
    assert allowance(unmixed, "3309") == 8


def shots(counters: str, side: int = ALLIED) -> dict[str, int]:
    """What the units must roll in a battle between 3309 and 3409."""
    hexes = ("3309", "3409") if side == ALLIED else ("3409", "3309")
    return fight_in_vain(begin(counters, side), *hexes)


@rule("underbelly", "6.4b")
def test_units_of_a_mixed_stack_fire_at_one_less_in_attack_and_defence():
    """The 36th, the 34th and the 46th hit with 5, the corps artillery with 6."""
    alike = "US 36, US 34, US VI @ 3309; 16 Pz @ 3409"
    mixed = "US 36, 46 Inf, US VI @ 3309; 16 Pz @ 3409"
    for side in (ALLIED, GERMAN):
        assert shots(alike, side) == {"US 36": 5, "US 34": 5, "US VI": 6, "16 Pz": 7}
    assert shots(mixed) == {"US 36": 4, "US VI": 5, "16 Pz": 7}  # the 46th cannot join them
    assert shots(mixed, GERMAN) == {"US 36": 4, "46 Inf": 4, "US VI": 5, "16 Pz": 7}


@rule("underbelly", "6.4c")
def test_a_part_of_a_mixed_stack_pays_as_long_as_the_stack_is_mixed():
    match = begin("US 36, US 45, 46 Inf @ 3309; 16 Pz @ 3409")
    assert allowance(match, "3309", "US 36") == 7
    assert fight_in_vain(match, "3309", "3409", "US 36")["US 36"] == 4
    # The last of them pays too: the stack was mixed when the command was given.
    order(match, "move", "3309", "US 36", "US 45")
    do(match, "go", hex="3310")
    do(match, "halt")
    do(match, "take", "46 Inf")
    assert match.position.moves_left == 7
    alone = begin("US 36, US 45 @ 3310; 46 Inf @ 3309; 16 Pz @ 3409")
    assert allowance(alone, "3309") == 8
    assert fight_in_vain(alone, "3309", "3409")["46 Inf"] == 5


@rule("underbelly", "6.4c")
def test_units_pay_for_a_stack_that_is_mixed_with_others_who_have_acted():
    match = begin("46 Inf @ 3309; US 36 @ 3309 steps=1; US 45 @ 3310 steps=1; 16 Pz @ 3409")
    do(match, "replenish", "US 36")  # its action of this turn
    assert allowance(match, "3309") == 7
    assert fight_in_vain(match, "3309", "3409")["46 Inf"] == 4


@rule("underbelly", "6.4c")
def test_who_defends_a_hex_that_was_mixed_when_the_battle_began_pays_to_its_end():
    """The barrage kills the British division; the American one still fires at 5 less 1."""
    for steps_left, expected in ((2, 4), (1, 4)):
        counters = f"US 36 @ 3309; 46 Inf @ 3309 steps={steps_left}; 16 Pz, XIV Pz @ 3409"
        match = begin(counters, GERMAN)
        attack(match, "3409", "3309", dice=(1, *[MISS] * 8))
        do(match, "shell", "46 Inf")
        fight_out(match)
        assert aims(match)["US 36"] == expected
        assert ("46 Inf" in aims(match)) is (steps_left == 2)


@rule("underbelly", "6.5a")
@pytest.mark.parametrize("port", [True, False])
def test_in_a_port_mixed_units_move_and_fight_without_penalty(port: bool):
    fields = {} if port else {"ports": [-1, at("2921"), -2, -2, -2, -2], "switched": True}
    match = begin("US 36, 46 Inf @ 2822; 16 Pz, HG @ 2721", **fields)
    assert allowance(match, "2822", "US 36") == (8 if port else 7)
    found = fight_in_vain(match, "2822", "2721")
    assert found["US 36"] == (5 if port else 4)
    assert ("46 Inf" in found) is port
    defence = begin("US 36, 46 Inf @ 2822; 16 Pz, HG @ 2721", GERMAN, **fields)
    # 5, and 1 more for naval gunfire
    assert fight_in_vain(defence, "2721", "2822")["46 Inf"] == (6 if port else 5)


CORPS = "US 36, 46 Inf @ 3309; US 45, 56 Inf @ 3710; 16 Pz @ 3409"


@rule("underbelly", "6.5b")
def test_one_mixed_stack_may_be_named_the_multi_national_corps():
    match = begin(CORPS)
    assert hexes(match, "name corps") == {"3309", "3710"}
    do(match, "name corps", hex="3710")
    assert "name corps" not in verbs(match)
    assert (allowance(match, "3710"), allowance(match, "3309", "US 36")) == (8, 7)
    assert "multi-national corps" in seen(match, ALLIED, "US 45")["status"]
    assert fight_in_vain(match, "3309", "3409")["US 36"] == 4
    other = begin(CORPS)
    do(other, "name corps", hex="3309")
    assert fight_in_vain(other, "3309", "3409") == {"US 36": 5, "46 Inf": 5, "16 Pz": 7}


@rule("underbelly", "6.5b")
def test_the_corps_is_named_at_the_start_of_the_phase_or_not_at_all():
    match = begin(CORPS)
    march(match, "3710", "3711", units=["US 45"])
    assert "name corps" not in verbs(match)
    assert refused(match, "name corps", hex="3309")
    assert "name corps" not in verbs(begin("US 36 @ 3309; 46 Inf @ 3310"))
    assert "name corps" not in verbs(begin("US 36, 46 Inf @ 3309; 16 Pz @ 3409", GERMAN))


@rule("underbelly", "6.5c")
@pytest.mark.parametrize("unit", ["US 36", "46 Inf"])
def test_aircraft_and_ships_help_both_groupings_alike(unit: str):
    """Both hit with 5; one more for aircraft, and one more for ships off 3207."""
    for target, expected in (("3207", 7), ("3209", 6)):
        match = begin(f"{unit} @ 3208; 16 Pz @ {target}", tac_active=True, tac=1)
        attack(match, "3208", target, air="Allied", dice=(MISS,) * 4)
        fight_out(match)
        assert aims(match)[unit] == expected


@rule("underbelly", "6.5c")
def test_aircraft_and_ships_help_units_of_a_mixed_stack_too():
    """5, less 1 for the mixed stack, and 1 more each for aircraft and for ships off 3207."""
    match = begin("US 36, 46 Inf @ 3208; 16 Pz @ 3207", tac_active=True, tac=1)
    attack(match, "3208", "3207", "46 Inf", air="Allied", dice=(MISS,) * 4)
    fight_out(match)
    assert aims(match)["46 Inf"] == 6
    defence = begin("US 36, 46 Inf @ 3207; 16 Pz @ 3208", GERMAN, tac_active=True, tac=1)
    attack(defence, "3208", "3207", air="Allied", dice=(MISS,) * 6)
    fight_out(defence)
    assert (aims(defence)["US 36"], aims(defence)["46 Inf"]) == (6, 6)


@rule("underbelly", "6.5d", "6.5e")
def test_one_grouping_of_a_mixed_stack_attacks_and_the_other_cannot_join():
    match = begin("US 36, US 45, 46 Inf @ 3309; US 3 @ 3308; 56 Inf @ 3408; 16 Pz @ 3409")
    do(match, "attack", hex="3309")
    match.force(*[MISS] * 4)
    do(match, "attack with", "46 Inf")  # nobody is left to ask: the battle begins
    fight_out(match)
    assert set(aims(match)) == {"46 Inf", "16 Pz"}
    assert aims(match)["46 Inf"] == 4  # 5, less 1 though no American takes part
    # And nobody else attacks that hex in this phase, of whichever grouping.
    assert "attack" not in verbs(match)


@rule("underbelly", "6.5e")
def test_a_joint_attack_starts_from_a_port_and_guns_join_only_their_own_grouping():
    port = begin("US 36, 46 Inf @ 2822; 16 Pz, HG @ 2721")
    do(port, "attack", hex="2822")
    do(port, "attack with", "US 36")
    assert named(port, "attack with") == {"46 Inf"}
    # American guns have no American division here to attack with.
    guns = begin("US VI, 46 Inf, 56 Inf @ 3309; 16 Pz @ 3409")
    do(guns, "attack", hex="3309")
    assert named(guns, "attack with") == {"46 Inf", "56 Inf"}


@rule("underbelly", "6.5f")
def test_the_corps_is_one_only_as_long_as_its_units_stay_together():
    match = begin("US 36, 46 Inf, 56 Inf @ 3309; US 45 @ 3308; 16 Pz @ 3409")
    do(match, "name corps", hex="3309")
    split = match.fork()
    march(split, "3309", "3310", units=["56 Inf"])
    for after, expected in ((match, 5), (split, 4)):
        pass_on(after, until="command", side=GERMAN)
        assert fight_in_vain(after, "3409", "3309")["46 Inf"] == expected


@rule("underbelly", "6.5f")
def test_a_stranger_who_joins_the_corps_ends_it():
    match = begin("US 36, 46 Inf @ 3309; US 45 @ 3210; HG @ 1211")
    do(match, "name corps", hex="3309")
    assert allowance(match, "3309") == 8
    march(match, "3210", "3309")
    assert allowance(match, "3309") == 7


@rule("underbelly", "6.5f")
def test_the_dead_of_the_corps_do_not_end_it():
    match = begin("US 36, 46 Inf @ 3309; 56 Inf @ 3309 steps=1; 16 Pz @ 3409")
    do(match, "name corps", hex="3309")
    attack(match, "3309", "3409", dice=(1, *[MISS] * 5))
    fight_out(match, "56 Inf")
    assert where(match, "56 Inf") is None
    pass_on(match, until="command", side=GERMAN)
    assert fight_in_vain(match, "3409", "3309")["46 Inf"] == 5


@rule("underbelly", "6.5f")
def test_the_corps_lasts_to_the_next_allied_command_phase():
    match = begin("US 36, 46 Inf @ 3309; HG @ 1211")
    do(match, "name corps", hex="3309")
    pass_on(match, until="command", side=GERMAN)
    assert "multi-national corps" in seen(match, ALLIED, "US 36")["status"]
    pass_on(match, until="command", side=ALLIED)
    assert hexes(match, "name corps") == {"3309"}
    assert allowance(match, "3309") == 7


# 6.6: German organisations


@rule("underbelly", "6.6a", "6.6b")
def test_germans_pass_through_another_organisation_but_do_not_stop_there():
    match = begin("16 Pz @ 2310; 1 SS @ 2309; 14 Pz @ 2210; HG @ 2410", GERMAN, **TIBER_TURN)
    found = reach(match, "2310")
    assert not {"2309", "2210"} & found
    assert {"2308", "2209", "2410"} <= found
    # The one way to 2723 leads through the SS.
    through = begin("1 Para @ 2721; 1 SS @ 2722", GERMAN, special_forces=True, **TIBER_TURN)
    assert "2723" in reach(through, "2721")
    order(through, "move", "2721")
    assert refused(through, "go", hex="2722").rule == "6.6b"


TIBER_TURN = {"scenario": TIBER, "army_entered": True, "ss_entered": True}


@rule("underbelly", "6.6b")
def test_germans_do_not_retreat_onto_another_organisation():
    """Every other way is barred by Allied zones."""
    ring = "US 36 @ 3309; US 45 @ 3310; US 3 @ 3407; US 34 @ 3510"
    for friend, may in (("HG", True), ("1 SS", False)):
        match = begin(f"{ring}; 16 Pz, 29 PG @ 3409; {friend} @ 3508", **TIBER_TURN)
        attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, MISS))
        shoot_out(match, "16 Pz")
        assert ("retreat" in verbs(match)) is may


@rule("underbelly", "6.6b")
def test_germans_do_not_end_their_entry_on_another_organisation():
    match = begin("16 Pz @ tenth; 1 SS @ 1017; HG @ 1018", GERMAN, **TIBER_TURN)
    order(match, "move", "tenth")
    own = match.fork()
    do(own, "enter", hex="1018")
    assert "halt" in verbs(own)
    do(match, "enter", hex="1017")
    assert verbs(match) == {"go"}
    assert "1018" in hexes(match, "go")


@rule("underbelly", "6.6b")
def test_one_command_brings_no_two_organisations_out_of_a_box():
    """Units of the corps that were lost and rebuilt wait in the box of 10th Army."""
    match = begin("16 Pz, XIV Pz, 1 SS @ tenth", GERMAN, **TIBER_TURN)
    do(match, "move", hex="tenth")
    assert named(match, "take") == {"16 Pz", "XIV Pz", "1 SS"}
    assert "take all" not in verbs(match)
    do(match, "take", "16 Pz")
    assert named(match, "take along") == {"XIV Pz"}
    alike = begin("16 Pz, XIV Pz @ tenth", GERMAN, **TIBER_TURN)
    do(alike, "move", hex="tenth")
    assert "take all" in verbs(alike)


# 6.7, 6.8


@rule("underbelly", "6.7")
def test_markers_take_no_room():
    port = begin("US 36 @ 2822; US 45, US 3, US VI @ 2921")
    assert "2921" in reach(port, "2822")
    fort = begin("16 Pz @ 2310; HG, 15 PG, XIV Pz @ 2309", GERMAN, forts=mask("2309"))
    assert "2309" in reach(fort, "2310")
    aerial = begin("US 36 @ 3309; US 45, US 3, US VI @ 3310", airlift=at("3310"))
    assert "3310" in reach(aerial, "3309")
    full = begin("US 36, US 45, US 3, US VI @ 2921", airlift=at("2921"))
    assert is_crowded(full) == set()


@rule("underbelly", "6.8")
def test_the_owner_eliminates_what_is_too_much_and_no_more():
    match = begin("46 Inf, 56 Inf, 5 Inf, 1 C, X Corps, V Corps @ 3309; 16 Pz @ 1211", GERMAN)
    assert asked(match) == ALLIED
    assert named(match, "shed") == stack(match, "3309")
    do(match, "shed", "1 C")
    assert named(match, "shed") == {"X Corps", "V Corps"}
    do(match, "shed", "V Corps")
    assert stack(match, "3309") == {"46 Inf", "56 Inf", "5 Inf", "X Corps"}
    assert (steps(match, "1 C"), where(match, "1 C")) == (0, None)
    assert len(events(match, "is eliminated")) == 2
    assert "shed" not in verbs(match)


@rule("underbelly", "6.8")
def test_of_two_organisations_the_smaller_one_goes():
    match = begin("16 Pz, HG, 1 SS @ 2310; 29 PG, 2 SS @ 2410", GERMAN, **TIBER_TURN)
    assert asked(match) == GERMAN
    assert stack(match, "2310") == {"16 Pz", "HG"}  # the one way to lose but one unit
    assert named(match, "shed") == {"29 PG", "2 SS"}
    do(match, "shed", "29 PG")
    assert stack(match, "2410") == {"2 SS"}
    assert is_crowded(match) == set()


@rule("underbelly", "6.8")
def test_who_is_shed_out_of_supply_never_comes_back():
    for ports, barred in ((NO_PORTS, True), (None, False)):
        fields = {"ports": ports, "switched": True} if ports else {}
        match = begin("US 36, US 45, US 3, US 34 @ 3309; 16 Pz @ 1211", **fields)
        do(match, "shed", "US 34")
        assert bool(match.position.barred >> number("US 34") & 1) is barred
        assert match.position.scenario == HISTORICAL
