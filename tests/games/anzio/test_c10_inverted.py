"""C10 and C11B: inverted counters and replacements in battle."""

from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.b4e_duty import prepare
from apennine.games.anzio.rules.c4_friendly import come_into
from apennine.games.anzio.rules.c10_inverted import exposed, may_withdraw
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN, POOL
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    march,
    mask,
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
from tests.games.anzio.fighting import HERE, attack, battle, combat, declare, is_in, where


@rule("anzio", "C10A1")
def test_combat_units_have_an_inverted_form_and_replacements_have_none():
    for name, inverted in (
        ("45 US", True),
        ("231 Br", True),
        ("Ers inf 1", False),
        ("Repl Br 1", False),
    ):
        assert bool(WAR.inverts >> number(name) & 1) == inverted
        unit = WAR.units[number(name)]
        assert WAR.full[number(name)] == len(unit.faces) + inverted


@rule("anzio", "C10A4")
def test_an_inverted_counter_keeps_its_points_and_its_size():
    # 231 has 12 points and one stacking point, whichever side is up.
    whole, inverted = (march(f"231 Br @ W52 steps={n}", "231 Br") for n in (2, 1))
    assert whole.ends == inverted.ends
    assert WAR.allowance[number("231 Br")] == 24
    assert WAR.stacking[number("231 Br")] == 1


@rule("anzio", "C10A6", "C10B7")
def test_attackers_who_end_a_battle_inverted_may_retreat_without_a_result():
    match = battle("231 Br @ W51; NW 71 @ W52", "231 Br", 3)  # 1-1: A1
    assert told(match, "is inverted") == ["231 Br"]
    assert names(match, "retreat") == {"231 Br"}
    do(match, "retreat", "231 Br", "W49")
    assert is_in(match, "231 Br", "W49")
    assert not told(match, "is destroyed")


@rule("anzio", "C10B7")
def test_inverted_attackers_who_stand_alone_next_to_the_enemy_are_destroyed():
    match = battle("231 Br @ W51; NW 71 @ W52", "231 Br", 3)
    do(match, "stand")
    assert where(match, "231 Br") == DESTROYED


@rule("anzio", "C10B8")
def test_an_inverted_attacker_may_leave_a_stack_that_stays():
    match = combat("231 Br, 168 Br @ W51; NW 71 @ W52")
    attack(match, HERE, "231 Br", "168 Br", dice=[4])  # 2-1: A1
    do(match, "lose a step", "231 Br")
    assert names(match, "retreat") == {"231 Br"}
    do(match, "retreat", "231 Br")
    assert is_in(match, "168 Br", "W51")
    assert not is_in(match, "231 Br", "W51")


@rule("anzio", "C10B8")
def test_or_stay_with_it():
    match = combat("231 Br, 168 Br @ W51; NW 71 @ W52")
    attack(match, HERE, "231 Br", "168 Br", dice=[4])
    do(match, "lose a step", "231 Br")
    do(match, "stand")
    assert is_in(match, "231 Br", "W51")


@rule("anzio", "C10B6")
def test_what_a_battle_inverts_may_be_its_next_loss():
    match = combat("231 Br, 168 Br @ W51; NW 71 @ W52")
    attack(match, HERE, "231 Br", "168 Br", dice=[5])  # 2-1: A2R
    do(match, "lose a step", "231 Br")
    assert names(match, "lose a step") == {"231 Br", "168 Br"}
    do(match, "lose a step", "231 Br")
    assert where(match, "231 Br") == DESTROYED
    assert steps(match, "168 Br") == 2


@rule("anzio", "C10C2")
def test_a_defended_stack_loses_its_inverted_counters_in_any_order():
    match = combat("1 Arm @ W51; 65 Inf @ W52; Fras @ W52 steps=1")
    attack(match, HERE, "1 Arm", dice=[1])  # 7 to 3 is 2-1: A1 D2R
    assert names(match, "lose a step") == {"65 Inf", "Fras"}
    do(match, "lose a step", "Fras")
    assert where(match, "Fras") == DESTROYED
    assert steps(match, "65 Inf") == 2


@rule("anzio", "C10C8")
def test_defenders_who_end_a_battle_inverted_may_retreat_without_a_result():
    match = battle("36 US @ W51; NW 71 @ W52", "36 US", 6)  # 4-1: A2 D1
    assert told(match, "is inverted") == ["NW 71"]
    assert match.decision.side == GERMAN
    assert names(match, "retreat") == {"NW 71"}
    do(match, "stand")
    assert where(match, "NW 71") == DESTROYED


@rule("anzio", "C10C9")
def test_a_defender_may_retreat_his_inverted_counters_alone():
    match = combat("45 US @ W51; 36 US @ X51; 1 Arm @ X52; 3 PzG @ W52; NW 71 @ W52 steps=1")
    attack(match, HERE, "45 US", "36 US", "1 Arm", dice=[6])  # 16 to 4: A2 D1
    do(match, "lose a step", "1 Arm")
    do(match, "lose a step", "1 Arm")
    do(match, "lose a step", "3 PzG")
    assert names(match, "retreat") == {"NW 71"}
    do(match, "retreat", "NW 71")
    assert is_in(match, "3 PzG", HERE)


@rule("anzio", "C10C10")
def test_the_attacker_may_enter_what_inverted_counters_have_left():
    match = battle("36 US @ W51; NW 71 @ W52", "36 US", 6)
    do(match, "retreat", "NW 71", "W54")
    assert verbs(match) == {"advance", "end advance"}
    do(match, "advance", "36 US", HERE)
    assert is_in(match, "36 US", HERE)


@rule("anzio", "C10C3", "C10C6")
def test_one_unit_destroys_all_unprotected_counters_around_it():
    pos = table(
        "45 US @ W52; 65 Inf @ W51 steps=1; 29 PzG @ W53 steps=1; Fras @ X51 steps=1; 3 PzG @ X51",
        "combat",
    )
    for _ in come_into(WAR, pos, number("45 US"), at(HERE)):
        pass
    assert [pos.hex[number(n)] for n in ("65 Inf", "29 PzG")] == [DESTROYED, DESTROYED]
    assert pos.hex[number("Fras")] == at("X51")  # protected


@rule("anzio", "C10B4", "C10B5")
def test_an_inverted_counter_destroys_nobody_and_stays_next_to_who_cannot_attack():
    pos = table("45 US @ W52 steps=1; 65 Inf @ W51 steps=1; Ers inf 1 @ W53", "combat")
    for _ in come_into(WAR, pos, number("45 US"), at(HERE)):
        pass
    assert pos.hex[number("65 Inf")] == at("W51")
    assert not exposed(WAR, pos, ALLIED)
    assert not exposed(WAR, pos, GERMAN)
    for _ in prepare(WAR, pos):
        pass
    assert pos.hex[number("45 US")] == at(HERE)
    found = march("45 US @ W52 steps=1; 65 Inf @ W50 steps=1", "45 US")
    assert not found.ends >> at("W50") & 1


@rule("anzio", "C10C12")
def test_an_advance_destroys_what_it_comes_next_to():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 65 Inf @ W53 steps=1")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    assert "65 Inf" in told(match, "is destroyed")


@rule("anzio", "B4G7b")
def test_what_an_advance_has_emptied_it_may_occupy():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 65 Inf @ W53 steps=1; 29 PzG @ X52")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    # W53 is in the zone of X52, as W52 is: it is taken all the same, if one likes.
    assert refused(match, "go on", "1 Arm", "W51").rule == "C13B2"
    do(match, "go on", "1 Arm", "W53")
    assert is_in(match, "1 Arm", "W53")


@rule("anzio", "C11B6")
def test_replacements_that_survive_alone_may_retreat_or_die():
    match = combat("29 PzG, 3 PzG @ W51; 231 Br, Repl Br 1 @ W52", GERMAN)
    declare(match, HERE, "29 PzG", "3 PzG")
    match.force(6)
    do(match, "fight at", value=6)  # 4-1: A2 D1
    do(match, "lose a step", "29 PzG")
    do(match, "lose a step", "29 PzG")
    assert told(match, "is inverted") == ["231 Br"]
    assert names(match, "retreat") == {"231 Br", "Repl Br 1"}
    do(match, "retreat", "231 Br")
    do(match, "stand")
    assert where(match, "Repl Br 1") == POOL
    pos = table("Repl Br 1, 231 Br @ W52; 29 PzG @ W51", "combat", GERMAN)
    assert not may_withdraw(WAR, pos, units("Repl Br 1"))
    pos.hex[number("231 Br")] = DESTROYED
    assert may_withdraw(WAR, pos, units("Repl Br 1")) == units("Repl Br 1")


@rule("anzio", "D9F")
def test_nobody_withdraws_who_has_retreated_already():
    pos = table("231 Br @ W52 steps=1; 29 PzG @ W54", "combat")
    assert may_withdraw(WAR, pos, units("231 Br"))
    pos.retreated = units("231 Br")
    assert not may_withdraw(WAR, pos, units("231 Br"))


@rule("anzio", "C7C5a", "C7C5d")
def test_allied_attackers_embark_from_a_beach_after_the_battle_and_its_losses():
    match = combat("45 US @ N61; 29 PzG @ O61")
    attack(match, "O61", "45 US", dice=[5])  # A1R
    assert steps(match, "45 US") == 3
    assert "embark" in verbs(match)
    match = combat("45 US @ N61; 29 PzG @ O61")
    attack(match, "O61", "45 US", dice=[2])
    assert match.decision.side == ALLIED
    do(match, "embark", "45 US")
    assert steps(match, "45 US") == 1


@rule("anzio", "C7C5c", "C7C5d")
def test_allied_defenders_embark_to_sicilia_after_their_losses_even_without_a_retreat():
    match = combat("45 US @ N61; 16 Pz, 29 PzG @ O61", GERMAN)
    attack(match, "N61", "16 Pz", "29 PzG", dice=[2])
    assert match.decision.side == ALLIED
    assert match.position.hex[number("45 US")] == at("N61")
    while "embark" not in verbs(match):
        do(match, "lose a step")
    do(match, "embark", "45 US")
    assert match.position.hex[number("45 US")] == WAR.ground.sicilia


def test_an_exposed_counter_of_the_active_side_is_gone_before_its_battles():
    match = play(table("65 Inf @ W52 steps=1; 45 US @ W51", "combat", GERMAN), combat_phase)
    assert told(match, "is destroyed") == ["65 Inf"]
    assert not mask("W52") & match.position.targets


@rule("anzio", "C10B2a", "C12B1")
def test_an_inverted_counter_neither_advances_into_a_zone_nor_enters_the_hex_of_the_defeated():
    match = combat("231 Br, 168 Br @ W51; Ers inf 1 @ W52; 65 Inf @ W53")
    attack(match, HERE, "231 Br", "168 Br", dice=[1])  # 2-1: A1 D2R
    do(match, "lose a step", "231 Br")
    do(match, "stand")
    assert names(match, "advance") == {"168 Br"}
    claims = ((mask(HERE), units("1 Arm"), 0),)
    counters = "1 Arm @ W51; 1076 Inf @ W52; 231 Br @ V51 steps="
    soft, whole = (march(f"{counters}{n}", "231 Br", claims=claims).ends for n in (1, 2))
    assert whole >> at(HERE) & 1
    assert not soft >> at(HERE) & 1
