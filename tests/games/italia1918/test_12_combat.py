"""Chapter 12.2: whole combats, from the dice to the end."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_combat import fight, hits
from apennine.games.italia1918.rules.c12_declaration import combat_begins
from apennine.games.italia1918.rules.c12_orders import confuse, give_ground
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, POOR, Table
from apennine.kernel.decision import Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    asked,
    at,
    do,
    events,
    hexes,
    names,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)
from tests.games.italia1918.fighting import battle

HQ = "HQ 6 Armee @ W0404"


def clash(
    counters: str,
    side: int = CENTRAL,
    exploiting: bool = False,
    target: str = "W0505",
    **fields: Any,
) -> Match[Table]:
    """A combat for W0505; a lone attacker is named by itself."""
    reserves, exploits = fields.pop("reserves", []), fields.pop("exploits", [])
    pos = table(counters, side, phase="combat", **fields)
    combat_begins(WAR, pos)
    pos.target, pos.reserves, pos.exploits = at(target), reserves, exploits
    return play(pos, lambda war, pos: fight(war, pos, exploiting))


# 4 ID (9, morale 4) against 64 DF (6, morale 2): 1/1, two columns right: 3/1.
EVEN = f"4 ID @ W0504; 64 DF @ W0505; {HQ}"


@rule("italia1918", "2.3a", "12.2.5a")
def test_four_dice_are_thrown_at_once():
    match = clash(EVEN)
    assert isinstance(match.decision, Roll)
    assert match.decision.sides == (6, 6, 6, 6)
    assert match.decision.column == "3/1"
    match.roll(3, 4, 2, 2)  # 7: A2 D5, nobody coordinates
    assert steps(match, "4 ID") == 3
    assert steps(match, "64 DF") == 1
    assert match.position.disorganized == units("4 ID, 64 DF")  # five points: a step, and two more
    assert match.outcome


@rule("italia1918", "12.2.6a", "2.3a")
def test_the_blue_die_is_the_ententes_and_the_green_one_that_of_the_central_powers():
    match = clash(EVEN)
    match.roll(3, 4, 6, 2)  # blue 6: the defender coordinates perfectly
    assert asked(match).side == ENTENTE
    assert "give ground" in verbs(match)


@rule("italia1918", "12.2.4d")
def test_too_poor_odds_cancel_the_attack():
    match = clash(f"Geb 1, 55 ID/26 @ W0504; 22 DF, 3 Alpini @ W0505; {HQ}")
    do(match, "attack with", "55 ID/26")
    do(match, "go in")
    do(match, "lead the defence with", "22 DF")
    assert told(match, "is eliminated") == ["55 ID/26"]  # two steps are all it had
    assert [event.rule for event in events(match, "the attack is cancelled")] == ["12.2.4d"]


@rule("italia1918", "12.2.5c", "10.0g")
def test_fog_spares_the_side_with_the_initiative_a_point():
    foggy = battle(EVEN, "W0505", "4 ID", scenario="solstice", fog=True)
    assert hits(WAR, foggy, 3, 4) == (2, 4)
    assert hits(WAR, foggy, 0, 4) == (0, 4)
    other = battle(
        "22 DF @ W0504; 4 ID @ W0505", "W0505", "22 DF", side=ENTENTE, scenario="solstice", fog=True
    )
    assert hits(WAR, other, 3, 4) == (3, 4)


@rule("italia1918", "12.2.5d", "12.2.5e")
@pytest.mark.parametrize(("lead", "found"), [("23 DI/78", 2), ("22 DF", 0)])
def test_cadorna_costs_the_entente_two_points_more_in_attack(lead: str, found: int):
    pos = battle(f"{lead} @ W0504; 4 ID @ W0505", "W0505", lead, side=ENTENTE)
    assert hits(WAR, pos, 0, 3) == (found, 3)


# The defender's coordination


@rule("italia1918", "12.2.6r", "12.2.7a", "12.2.6ap")
def test_each_hex_of_retreat_saves_three_points():
    match = clash(EVEN)
    match.roll(3, 4, 6, 2)
    assert {offer.value for offer in asked(match).options if offer.verb == "give ground"} == {
        1,
        2,
        3,
    }
    do(match, "give ground", value=1)
    do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert steps(match, "64 DF") == 2  # one point is left of four
    assert match.position.disorganized & units("64 DF")
    assert match.position.hex[number("64 DF")] != at("W0505")


@rule("italia1918", "12.2.6w", "12.2.6q")
def test_partial_coordination_lets_him_go_two_or_stand():
    match = clash(EVEN)
    match.roll(3, 4, 4, 2)
    assert {offer.value for offer in asked(match).options if offer.verb == "give ground"} == {1, 2}
    do(match, "stand fast")
    assert steps(match, "64 DF") == 1


@rule("italia1918", "12.3m")
def test_a_retreat_that_is_impossible_is_not_offered():
    ring = "13 SchD @ W0506; 33 ID @ W0405; 28 ID @ W0604; 10 ID @ W0605; 1 ID @ W0404"
    pos = table(f"4 ID @ W0504; 64 DF @ W0505; {ring}", phase="combat")
    pos.target, pos.attackers = at("W0505"), units("4 ID")
    pos.leads = [number("4 ID"), number("64 DF")]
    assert play(pos, lambda war, pos: give_ground(war, pos, 3, [0, 0], [])).outcome


@rule("italia1918", "12.2.6t", "12.2.6x", "12.2.7c")
def test_after_his_losses_the_defender_brings_up_reserves():
    match = clash(f"{EVEN}; 22 DF @ W0507; 37 DF @ W0508; 48 DF @ W0509")
    match.roll(3, 4, 4, 2)
    do(match, "stand fast")
    assert steps(match, "64 DF") == 1  # his losses came first
    assert names(match, "bring up") == {"22 DF", "37 DF"}
    assert "W0505" not in hexes(match, "bring up", "37 DF")
    do(match, "bring up", "22 DF", "W0506")
    assert match.outcome  # partial: one unit


@rule("italia1918", "12.2.6u")
def test_nobody_is_brought_up_into_a_hex_that_is_lost():
    match = clash(f"4 ID @ W0504; Fant 1 @ W0505; 22 DF @ W0506; 37 DF @ W0508; {HQ}")
    match.roll(3, 4, 4, 2)
    do(match, "stand fast")
    assert match.position.hex[number("Fant 1")] == LOST
    assert "W0505" not in hexes(match, "bring up")


@rule("italia1918", "11.2.10f")
def test_frozen_reserves_are_not_brought_up():
    pos = table(f"{EVEN}; 22 DF @ W0507; 37 DF @ W0508", phase="combat")
    combat_begins(WAR, pos)
    pos.target, pos.frozen = at("W0505"), [units("22 DF")]
    match = play(pos, fight)
    match.roll(3, 4, 4, 2)
    do(match, "stand fast")
    assert names(match, "bring up") == {"37 DF"}
    assert refused(match, "bring up", "22 DF", "W0506").rule == "11.2.10f"


# The attacker's


@rule("italia1918", "12.2.6y", "12.2.7b")
def test_partial_coordination_gives_a_hex_and_a_marker():
    match = clash(f"4 ID @ W0504; Fant 1 @ W0505; {HQ}")
    match.roll(4, 5, 1, 4)  # A0 D8
    do(match, "advance", "4 ID")
    assert match.position.hex[number("4 ID")] == at("W0505")
    do(match, "exploit with", "4 ID")
    assert match.position.exploits == [units("4 ID")]


@rule("italia1918", "12.2.6v", "12.4d")
def test_perfect_coordination_gives_two_hexes_where_nobody_is_left():
    match = clash(f"4 ID @ W0504; Fant 1 @ W0505; {HQ}")
    match.roll(4, 5, 1, 6)
    do(match, "advance", "4 ID")
    do(match, "push on", hex="W0506")
    do(match, "exploit with", "4 ID")
    assert match.position.hex[number("4 ID")] == at("W0506")
    assert match.outcome


@rule("italia1918", "12.2.6v", "12.4c")
def test_and_as_many_as_the_defender_retreated():
    match = clash(f"4 ID @ W0504; 13 SchD @ W0604; 64 DF @ W0505; {HQ}")
    do(match, "attack with", "4 ID")
    do(match, "attack with", "13 SchD")
    do(match, "lead the attack with", "4 ID")
    match.roll(5, 6, 6, 6)  # 4/1: A0 D6
    do(match, "give ground", value=1)
    do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    do(match, "keep reserves back")
    do(match, "advance", "4 ID")
    assert names(match, "advance") == {"13 SchD"}  # 4 ID has gone as far as 64 DF


@rule("italia1918", "14.1b")
def test_in_exploitation_no_marker_is_won():
    match = clash(f"4 ID @ W0504; Fant 1 @ W0505; {HQ}", exploiting=True)
    match.roll(4, 5, 1, 4)
    do(match, "advance", "4 ID")
    assert match.outcome
    assert match.position.exploits == []


@rule("italia1918", "12.2.2f")
def test_a_bombardment_that_wins_leaves_only_the_attackers_coordination():
    match = clash(f"4 ID, AArt 6 A @ W0504; Fant 1 @ W0505; {HQ}")
    do(match, "fire with", "AArt 6 A")
    match.roll(6)
    assert isinstance(match.decision, Roll)
    assert match.decision.sides == (6,)
    match.roll(4)
    do(match, "advance", "4 ID")
    assert match.position.hex[number("4 ID")] == at("W0505")


@rule("italia1918", "12.2.6z", "12.2.6at")
def test_without_coordination_the_attacker_loses_a_marker():
    stack = f"{EVEN}; 13 SchD, 3 ID/216 @ W0603; 33 ID @ W0608; 64 HID @ W0601"
    marked = [units("13 SchD, 3 ID/216"), units("64 HID")]
    match = clash(stack, reserves=marked)
    match.roll(3, 4, 2, 2)
    assert asked(match).side == ENTENTE
    assert names(match, "strip") == {"13 SchD", "3 ID/216"}
    do(match, "strip", "13 SchD")
    assert match.position.reserves == [units("64 HID")]


# Misunderstood Orders: morale 2 leads nothing, so the attackers have one of morale 3 and 2.

POORLY = f"4 ID @ W0504; 63 ID @ W0604; 64 DF @ W0505; {HQ}"


def misunderstood(die: int, counters: str = POORLY, **fields: Any) -> Match[Table]:
    """The attacker, with a unit of morale 2, rolls 2 and misunderstands."""
    match = clash(counters, **fields)
    do(match, "attack with", "4 ID")
    do(match, "attack with", "63 ID")
    do(match, "go in") if "go in" in verbs(match) else None
    match.roll(3, 4, 2, 2)
    match.roll(die)
    return match


@rule("italia1918", "12.2.6aa", "12.2.6aj")
def test_stubborn_attacks_cost_the_attacker_a_step():
    match = misunderstood(3)
    assert names(match, "lose a step") == {"4 ID", "63 ID"}
    do(match, "lose a step", "63 ID")
    assert steps(match, "63 ID") == 1


@rule("italia1918", "12.2.6ah", "12.2.6ar")
def test_bitter_fighting_costs_both():
    match = misunderstood(1)
    assert steps(match, "64 DF") == 1
    do(match, "lose a step", "4 ID")
    assert steps(match, "4 ID") == 2


@rule("italia1918", "12.2.6ai")
def test_confusion_lets_the_defender_pick():
    match = misunderstood(2)
    assert asked(match).side == ENTENTE
    do(match, "disorganize", "4 ID")
    assert match.position.disorganized & units("4 ID")


@rule("italia1918", "12.2.6ak", "12.3k")
def test_panic_of_the_attacker_moves_one_unit_of_his_choice():
    match = misunderstood(4)
    do(match, "recoil with", "63 ID")
    do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert match.position.hex[number("63 ID")] != at("W0604")
    assert match.position.hex[number("4 ID")] == at("W0504")


@rule("italia1918", "12.2.6al")
def test_a_half_hearted_attack_spares_the_defender_three_points():
    match = misunderstood(5)
    assert steps(match, "64 DF") == 1 or match.position.disorganized & units("64 DF")
    assert steps(match, "64 DF") == 2


@rule("italia1918", "12.2.6am")
def test_counterorders_cost_a_second_marker():
    stack = f"{POORLY}; 13 SchD @ W0603; 33 ID @ W0502"
    match = misunderstood(6, stack, reserves=[units("13 SchD"), units("33 ID")])
    do(match, "strip", "13 SchD")
    do(match, "strip", "33 ID")
    assert match.position.reserves == []


# The defender misunderstands under Bruchmüller: two less, and Cadorna one.


def shelled(die: int, extra: str = "") -> Match[Table]:
    counters = f"4 ID @ E2316; 22 DF @ E2317; AArt XIV A/1, HQ XIV Armee @ E2315; {extra}"
    gun = number("AArt XIV A/1")
    match = clash(counters, target="E2317", scenario="caporetto", bruchmueller=gun, weather=POOR)
    if "guns ready" in verbs(match):
        do(match, "guns ready")
    match.roll(3, 4, 2, 3)
    match.roll(die)
    return match


@rule("italia1918", "12.2.6ab", "12.2.6ad")
@pytest.mark.parametrize(("die", "ours"), [(1, 1), (3, 0)])
def test_sacrifice_and_the_suicidal_counterattack(die: int, ours: int):
    match = shelled(die)
    lost = [event for event in events(match, "loses a step") if event.rule.startswith("12.2.6")]
    sides = [WAR.side_of[event.unit] for event in lost]
    assert sides.count(ENTENTE) == 1
    assert sides.count(CENTRAL) == ours


@rule("italia1918", "12.2.6ac")
def test_panic_of_the_defender_is_a_retreat_that_saves_nothing():
    match = shelled(2)
    before = steps(match, "22 DF")
    do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert match.position.hex[number("22 DF")] != at("E2317")
    assert before == 3


@rule("italia1918", "12.2.6ae")
def test_a_rout_spares_the_attacker_three_points():
    match = shelled(4)
    assert steps(match, "4 ID") == 3
    assert events(match, "misunderstood orders: rout")


@rule("italia1918", "12.2.6af")
def test_indecision_pins_the_defenders():
    assert shelled(5).position.pinned == units("22 DF")


@rule("italia1918", "12.2.6ag")
def test_misdirected_reserves_are_moved_by_the_attacker():
    match = shelled(6, "37 DF @ E2319; 48 DF @ E2322")
    assert asked(match).side == CENTRAL
    assert names(match, "misdirect") == {"37 DF"}
    assert refused(match, "misdirect", "48 DF", "E2323").rule == "12.2.6ag"
    do(match, "misdirect", "37 DF", "E2320")
    assert match.position.hex[number("37 DF")] == at("E2320")


@rule("italia1918", "S1.S9c")
def test_a_retreat_from_rommel_costs_a_step():
    match = clash(f"AlpK Leib @ W0504; 22 DF @ W0505; {HQ}", rommel=True)
    match.roll(3, 4, 6, 2)
    do(match, "give ground", value=3)
    while "fall back" in verbs(match):
        do(match, "fall back", hex=sorted(hexes(match, "fall back"))[0])
    assert any(event.rule == "S1.S9c" for event in events(match, "loses a step"))


@rule("italia1918", "12.2.1b")
def test_all_defenders_take_part_and_suffer():
    match = clash(f"4 ID, 13 SchD @ W0504; 64 DF, Fant 1 @ W0505; {HQ}")
    do(match, "attack with", "4 ID")
    do(match, "attack with", "13 SchD")
    do(match, "lead the attack with", "4 ID")
    assert names(match, "lead the defence with") == {"64 DF", "Fant 1"}
    do(match, "lead the defence with", "64 DF")
    match.roll(6, 6, 2, 2)
    assert steps(match, "64 DF") == 1  # the lead unit first
    assert names(match, "lose a step") == {"64 DF", "Fant 1"}


@rule("italia1918", "12.2.6aq")
def test_a_disorganized_unit_is_brought_up_half_of_half_its_way():
    match = clash(f"{EVEN}; 3 Alpini @ W0508 disorganized; 37 DF @ W0509")
    match.roll(3, 4, 4, 2)
    do(match, "stand fast")
    # Five points, halved to two, and half of those: one hex, while a fresh unit goes three.
    assert max(WAR.lattice.distance(at("W0508"), at(hex)) for hex in hexes(match, "bring up")) == 1
    fresh = clash(f"{EVEN}; 3 Alpini @ W0508; 37 DF @ W0509")
    fresh.roll(3, 4, 4, 2)
    do(fresh, "stand fast")
    assert max(WAR.lattice.distance(at("W0508"), at(hex)) for hex in hexes(fresh, "bring up")) == 3


@rule("italia1918", "12.2.7d", "2.3a")
def test_the_four_dice_are_thrown_once_and_only_misunderstood_orders_need_another():
    match = clash(EVEN)
    match.roll(3, 4, 3, 3)  # 64 DF coordinates in part, 4 ID too
    assert not isinstance(match.decision, Roll)
    confused = clash(f"{EVEN} disorganized", disorganized=units("64 DF"))
    confused.roll(3, 4, 1, 3)
    assert isinstance(confused.decision, Roll)
    assert confused.decision.sides == (6,)


@rule("italia1918", "11.3.4.1f")
def test_units_attacked_in_the_trucks_become_disorganized():
    counters = f"4 ID @ W0504; 37 DF, 64 DF, Trucks @ W0505; {HQ}"
    match = clash(counters, loaded=units("37 DF"))
    assert match.position.disorganized == units("37 DF")


@rule("italia1918", "15.3.1g", "12.2.8l")
def test_in_defence_stosstruppen_do_not_pay_for_the_lead_unit():
    stack = "22 DF, 37 DF, 48 DF @ W0504; DJD 11, AlpK Leib, Stoss 1 @ W0505; HQ I Armata @ W0404"
    match = clash(stack, ENTENTE, hosts={"Stoss 1": "DJD 11"})
    for unit in ("22 DF", "37 DF", "48 DF"):
        do(match, "attack with", unit)
    do(match, "lead the attack with", "22 DF")
    do(match, "lead the defence with", "DJD 11")
    match.roll(6, 6, 2, 2)
    do(match, "stand fast")  # 1/2: four points, and the lead unit pays unasked
    assert steps(match, "DJD 11") == 1
    assert match.position.hex[number("Stoss 1")] == at("W0505")
    assert names(match, "lose a step") == {"DJD 11", "AlpK Leib"}


@rule("italia1918", "12.2.6ai", "12.2.6ak")
@pytest.mark.parametrize("die", [2, 4])
def test_orders_misunderstood_by_an_attacker_that_is_lost_do_nothing(die: int):
    counters = f"Geb 1, 55 ID/26 @ W0504 steps=1; Fant 1 @ W0505; {HQ}"
    pos = table(counters, phase="combat")
    pos.target, pos.attackers = at("W0505"), units("Geb 1")
    pos.hex[number("Geb 1")] = LOST
    match = play(pos, lambda war, pos: confuse(war, pos, 0, units("Fant 1"), [0, 0], []))
    match.roll(die)
    assert match.outcome
