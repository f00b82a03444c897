"""B4E: who fights whom."""

from apennine.games.anzio.rules.b4e_duty import duty, prepare
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    found,
    hexes,
    mask,
    names,
    number,
    refused,
    rolls,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.fighting import AROUND, COLUMNS, combat, declare, is_in

# The example of G5: red and black alternate along a column, and two stand apart.
RED = "45 US @ W50; 5 Br @ W52; 36 US @ W54; 56 Br @ N12"
BLACK = "65 Inf @ W51; 3 PzG @ W53; 92 Inf @ N11"


@rule("anzio", "B4E9")
def test_red_may_divide_his_units_as_the_example_does():
    for battles in (
        (("W51", "45 US"), ("W53", "5 Br", "36 US")),
        (("W51", "45 US", "5 Br"), ("W53", "36 US")),
    ):
        match = combat(f"{RED}; {BLACK}")
        for hex, *attackers in battles:
            declare(match, hex, *attackers)
            match.force(4)
            do(match, "fight at", value=0)  # AR: the attackers lose nothing, and retreat
            while verbs(match) == {"retreat"}:
                do(match, "retreat")
        declare(match, "N11", "56 Br")
        assert verbs(match) >= {"fight"}


@rule("anzio", "B4E9")
def test_black_may_divide_his_units_as_the_example_does():
    match = combat(f"{RED}; {BLACK}", GERMAN)
    declare(match, "W50", "65 Inf")
    do(match, "fight")
    match = combat(f"{RED}; {BLACK}", GERMAN)
    declare(match, "W52", "3 PzG")
    assert match.position.targets == mask("W52 W54")  # one unit must attack both hexes
    assert "fight" in verbs(match)


@rule("anzio", "B4E9")
def test_nobody_who_must_fight_is_left_over_and_no_enemy_unattacked():
    match = combat("45 US, 231 Br @ W50; 5 Br @ W52; 36 US @ W54; 65 Inf @ W51; 3 PzG @ W53")
    do(match, "attack", hex="W51")
    do(match, "attack with", "5 Br")
    # Those in W50 have nobody else to attack: they must join before the battle is fought.
    assert verbs(match) == {"attack with"}
    assert refused(match, "fight").rule == "B4E9"
    do(match, "attack with", "45 US")
    assert match.position.attackers == units("5 Br, 45 US, 231 Br")
    assert "fight" in verbs(match)
    match = combat("45 US, 5 Br @ W52; 65 Inf @ W51; 92 Inf @ W53")
    declare(match, "W51", "45 US", "5 Br")
    assert match.position.targets == mask("W51 W53")  # W53 would be attacked by nobody


@rule("anzio", "B4E6", "B4E10")
def test_units_of_one_hex_may_fight_in_different_battles_but_each_in_one():
    match = combat("45 US, 5 Br @ W52; 65 Inf @ W51; 92 Inf @ W53")
    do(match, "attack", hex="W51")
    do(match, "attack with", "45 US")
    match.force(3)
    do(match, "fight")  # 1-1, 3: A1
    assert match.position.fought >> number("45 US") & 1
    assert match.position.attackers == units("5 Br")
    assert match.position.targets == mask("W53")
    assert refused(match, "attack with", "45 US").rule == "B4E11"


@rule("anzio", "B4E11")
def test_nobody_is_attacked_twice_in_a_round():
    match = combat("45 US @ W51; 5 Br @ W53; 29 PzG @ W52; 92 Inf @ W54; 65 Inf @ N12; 56 Br @ N11")
    declare(match, "W52", "45 US")
    match.force(4)
    do(match, "fight")  # 1-2, 4: AR
    do(match, "retreat")
    assert refused(match, "attack", hex="W52").rule == "B4E11"
    assert hexes(match, "attack") == {"W54", "N12"}


@rule("anzio", "B4E7")
def test_units_of_several_hexes_attack_one_if_all_are_next_to_it():
    match = combat("45 US @ W51; 5 Br @ W53; 36 US @ W54; 29 PzG @ W52; 65 Inf @ X53")
    do(match, "attack", hex="W52")
    assert "36 US" not in names(match, "attack with")
    assert refused(match, "attack with", "36 US").rule == "B4E7"
    do(match, "attack with", "45 US")
    do(match, "attack with", "5 Br")
    assert match.position.attackers == units("45 US, 5 Br")


@rule("anzio", "B4E7")
def test_several_hexes_are_attacked_together_only_by_units_next_to_all_of_them():
    match = combat("45 US @ W52; 5 Br @ W54; 65 Inf @ W51; 92 Inf @ W53")
    declare(match, "W53", "5 Br")
    assert "also attack" not in verbs(match)
    assert refused(match, "also attack", hex="W51").rule == "B4E7"


@rule("anzio", "B4E3")
def test_the_active_side_attacks_whatever_the_odds():
    for side, attacker, target in ((ALLIED, "45 US", "W52"), (GERMAN, "29 PzG", "W51")):
        match = combat("45 US @ W51; 29 PzG @ W52", side)
        assert match.position.attackers == units(attacker)
        assert match.position.targets == mask(target)


@rule("anzio", "B4E4")
def test_battles_come_in_any_order_and_each_is_finished_before_the_next():
    match = combat("45 US @ W51; 29 PzG @ W52; 56 Br @ N11; 65 Inf @ N12")
    assert hexes(match, "attack") == {"W52", "N12"}
    match.force(1)
    declare(match, "N12", "56 Br")
    do(match, "fight")  # 1-1, 1: A1 D2R
    assert told(match, "loses a step") == ["65 Inf"]  # who retreats is first, and loses
    do(match, "retreat")
    assert told(match, "loses a step") == ["65 Inf", "56 Br"]
    do(match, "end advance")
    assert match.position.targets == mask("W52")


@rule("anzio", "B4E5b")
def test_a_lower_column_may_be_chosen_but_no_higher_one():
    match = combat("45 US @ W51; 65 Inf @ W52")
    offered = {COLUMNS[option.value] for option in found(match, "fight at")}
    assert offered == {"1-4", "1-3", "1-2"}  # 5 to 3 is 1-1
    assert refused(match, "fight at", value=3).rule == "B4E5b"
    match.force(3)
    do(match, "fight at", value=1)
    assert rolls(match)[0].column == "1-3"


@rule("anzio", "B4E12b")
def test_a_unit_that_cannot_reach_one_to_four_is_eliminated_before_any_battle():
    match = combat("231 Br @ W51; 29 PzG @ W52; 45 US @ N11; 65 Inf @ N12")
    assert told(match, "cannot attack") == ["231 Br"]
    assert match.position.hex[number("231 Br")] == DESTROYED
    assert not rolls(match)
    match = combat("231 Br @ W51; 45 US @ W53; 29 PzG @ W52")  # with others it attacks
    assert not told(match, "cannot attack")


@rule("anzio", "B4E12b")
def test_as_few_as_possible_are_given_up_and_the_owner_chooses():
    # 2 factors against 9 on one hex and 3 on the other: 1-5 on the first, whoever attacks it.
    match = combat("231 Br, 168 Br @ W52; 2 Para @ W51; 65 Inf @ W53")
    assert names(match, "sacrifice") == {"231 Br", "168 Br"}
    do(match, "sacrifice", "168 Br")
    assert told(match, "cannot attack")[0] == "168 Br"


@rule("anzio", "B4E12a")
def test_who_is_just_strong_enough_alone_is_kept_from_elsewhere():
    # 1 to 2 and 2 to 8: if the stronger joined the weaker, nobody could attack W53.
    match = combat("231 Br @ X51; 4 Arm @ W52; Fras @ W51; HG @ W53; 45 US @ N11; 65 Inf @ N12")
    do(match, "attack", hex="W51")
    assert match.position.attackers == units("231 Br")
    assert refused(match, "attack with", "4 Arm").rule == "B4E9"


@rule("anzio", "B4E2a", "B4E9")
def test_a_barrier_side_keeps_enemies_from_fighting():
    match = combat("5 Br @ J58; 29 PzG @ I58")
    assert match.decision is None
    assert not match.position.fought


@rule("anzio", "B4E15", "B4G8")
def test_an_advance_leads_from_one_enemy_zone_straight_into_another():
    # 3-1, 4: A1 DR; W51, which is left, and W52, which is entered, are in zones of X51 and X52.
    match = combat("1 Arm @ W51; Fras @ W52; 29 PzG @ X51; 65 Inf @ X52; 56 Br @ X50")
    declare(match, "W52", "1 Arm")
    match.force(4)
    do(match, "fight")
    do(match, "retreat", "Fras")
    do(match, "advance", "1 Arm", "W52")
    assert is_in(match, "1 Arm", "W52")


@rule("anzio", "C11C8", "C10B2b")
def test_who_cannot_attack_in_a_stack_that_must_is_destroyed_before():
    match = combat("29 PzG, Ers inf 1 @ W52; 65 Inf @ W53 steps=1; 45 US @ W51", GERMAN)
    assert told(match, "is destroyed") == ["Ers inf 1"]
    match = combat("29 PzG, 65 Inf @ W52; 45 US @ W51", GERMAN)
    assert not told(match, "is destroyed")
    pos = table("29 PzG, 65 Inf @ W52; 45 US @ W51", "combat", GERMAN)
    pos.steps[number("65 Inf")] = 1
    pos.soft |= units("65 Inf")
    for _ in prepare(WAR, pos):
        pass
    assert pos.hex[number("65 Inf")] == DESTROYED


@rule("anzio", "B4E12b")
def test_those_who_can_fight_elsewhere_are_not_given_up_for_others_who_cannot():
    # At N15 two factors could attack either of two sixes at 1-4, but not both, nor one of them.
    weak = "231 Br, 168 Br @ N15; 29 PzG @ O14; 90 PzG @ O15"
    match = combat(f"45 US @ N9; 65 Inf @ O8; {weak}; 36 US @ N22; 3 PzG @ O21")
    assert match.decision
    assert {o.unit for o in match.decision.options} == {number("231 Br"), number("168 Br")}
    do(match, "sacrifice", "231 Br")
    assert told(match, "is destroyed") == ["231 Br", "168 Br"]
    assert verbs(match) == {"attack"}


@rule("anzio", "B4B4")
def test_who_is_next_to_the_enemy_must_fight():
    match = combat("45 US @ W51; 29 PzG @ W52")
    assert verbs(match) == {"fight", "fight at"}
    assert "end combat" not in verbs(match)


def test_a_long_front_is_divided_at_once():
    """A line of stacks against another: the look-ahead stays small."""
    allied = [
        "45 US",
        "36 US",
        "3 US",
        "34 US",
        "56 Br",
        "5 Br",
        "46 Br",
        "78 Br",
        "1 Cdn",
        "8 Ind",
        "231 Br",
        "168 Br",
    ]
    german = [
        "29 PzG",
        "90 PzG",
        "15 PzG",
        "26 Pz",
        "16 Pz",
        "3 PzG",
        "65 Inf",
        "94 Inf",
        "305 Inf",
        "44 Inf",
        "76 Inf",
        "71 Inf",
    ]
    counters = "; ".join(
        [f"{allied[n]}, {allied[n + 1]} @ N{8 + n}" for n in range(0, 8, 2)]
        + [f"{german[n]} @ O{7 + n}" for n in range(9)]
    )
    found = duty(WAR, _begun(counters))
    assert found.must
    assert found.can_divide()


def _begun(counters: str):
    pos = table(counters, "combat")
    for _ in prepare(WAR, pos):
        pass
    return pos


def test_all_hexes_of_the_field_lie_on_plain_ground():
    ground = WAR.ground
    around = mask(" ".join(AROUND)) | mask("W52")
    assert not around & (ground.rivers.hexes | ground.mountains)
    assert all(ground.plain[d] >> at("W52") & 1 for d in range(6))
