from apennine.games.anzio.rules.b4d_stacking import relieve
from apennine.games.anzio.rules.b4e_zones import attack_of, defence_of, zone
from apennine.games.anzio.rules.b4f_steps import lose_step, lose_steps
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN, POOL
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    codes,
    do,
    names,
    number,
    play,
    refused,
    steps,
    table,
    units,
)


def losing(counters: str, who: str, count: int, side: int = GERMAN):
    pos = table(counters)
    return play(pos, lambda war, pos: lose_steps(war, pos, units(who), count, side))


@rule("anzio", "B4F4", "B4F6")
def test_a_step_lost_is_the_next_weaker_counter_with_the_same_size_and_points():
    match = losing("1 Para @ X52", "1 Para", 1)
    unit = number("1 Para")
    assert attack_of(WAR, match.position, unit) == 5
    assert defence_of(WAR, match.position, unit) == 9


@rule("anzio", "B4F8a", "B4F8b")
def test_after_the_weakest_counter_come_the_inverted_one_and_the_end():
    match = losing("1 Para @ X52", "1 Para", 6)
    assert steps(match, "1 Para") == 1
    assert match.position.soft >> number("1 Para") & 1
    match = losing("1 Para @ X52", "1 Para", 7)
    assert match.position.hex[number("1 Para")] == DESTROYED


@rule("anzio", "B4F9")
def test_a_unit_with_one_counter_has_two_steps():
    match = losing("231 Br @ X52", "231 Br", 1, ALLIED)
    assert steps(match, "231 Br") == 1
    assert match.position.hex[number("231 Br")] == at("X52")


@rule("anzio", "B4F10")
def test_the_owner_shares_out_the_loss():
    match = losing("1 Para, 29 PzG @ X52", "1 Para, 29 PzG", 2)
    assert names(match, "lose a step") == {"1 Para", "29 PzG"}
    do(match, "lose a step", "29 PzG")
    do(match, "lose a step", "29 PzG")
    assert (steps(match, "1 Para"), steps(match, "29 PzG")) == (7, 2)


@rule("anzio", "C11B5")
def test_allied_replacements_are_lost_last():
    match = losing("231 Br, Repl Br 1 @ X52", "231 Br, Repl Br 1", 2, ALLIED)
    assert steps(match, "231 Br") == 0
    match = losing("5 Br, 46 Br, Repl Br 1 @ X52", "5 Br, 46 Br, Repl Br 1", 2, ALLIED)
    assert refused(match, "lose a step", "Repl Br 1").rule == "C11B5"


@rule("anzio", "C11A5", "C11A16")
def test_a_replacement_counter_lost_is_used_again_and_has_no_inverted_side():
    match = losing("Ers inf 1 @ X52", "Ers inf 1", 1)
    assert match.position.hex[number("Ers inf 1")] == POOL


@rule("anzio", "C10B3", "C11B4")
def test_inverted_counters_and_allied_replacements_have_no_zone():
    pos = table("29 PzG @ Q62 steps=1; Repl Br 1 @ X52")
    assert not zone(WAR, pos, GERMAN)
    assert not zone(WAR, pos, ALLIED)
    pos = table("29 PzG @ Q62 steps=1; 26 Pz @ Q62")
    assert zone(WAR, pos, GERMAN) >> at("Q63") & 1


@rule("anzio", "B4E2b", "C5D3")
def test_zones_cross_rivers_and_end_at_the_sea():
    held = zone(WAR, table("29 PzG @ U26"), GERMAN)
    assert {"U25", "U27"} <= codes(held)
    assert not zone(WAR, table("29 PzG @ N61"), GERMAN) & WAR.ground.sea


@rule("anzio", "B4D3")
def test_who_is_stacked_too_high_is_given_up_by_choice():
    pos = table("5 Br, 46 Br, 56 Br @ Q62")
    match = play(pos, lambda war, pos: relieve(war, pos, ALLIED, 1 << at("Q62")))
    assert names(match, "give up") == {"5 Br", "46 Br", "56 Br"}
    do(match, "give up", "46 Br")
    assert match.position.hex[number("46 Br")] == DESTROYED
    assert match.decision is None


@rule("anzio", "C10A3")
def test_a_unit_whose_inverted_counter_is_lost_is_out_for_good():
    pos = table("29 PzG @ Q62 steps=1")
    match = play(pos, lambda war, pos: lose_step(war, pos, number("29 PzG"), "C10A3"))
    assert match.position.hex[number("29 PzG")] == DESTROYED
