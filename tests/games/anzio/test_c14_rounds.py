"""C14: second and later combats."""

from apennine.games.anzio.rules.b4e_duty import next_round
from apennine.games.anzio.table.position import ALLIED
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    do,
    hexes,
    mask,
    names,
    number,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.fighting import HERE, attack, combat, declare, is_in

FRONT = "1 Arm @ W51; Ers inf 1 @ W52"


@rule("anzio", "C14A1", "C14D4")
def test_who_does_not_advance_does_not_fight_again():
    match = combat("45 US, 36 US @ W51; Ers inf 1 @ W52; 29 PzG @ X52")
    attack(match, HERE, "45 US", "36 US", dice=[6])
    do(match, "lose a step", "45 US")
    do(match, "lose a step", "36 US")
    do(match, "advance", "45 US", HERE)
    do(match, "end advance")
    assert match.position.pool == units("45 US")
    do(match, "attack", hex="X52")
    assert refused(match, "attack with", "36 US").rule == "C14D4"


@rule("anzio", "C14A1")
def test_if_nobody_advances_the_phase_is_over():
    match = combat(f"{FRONT}; 29 PzG @ X52")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "end advance")
    assert match.decision is None


@rule("anzio", "C14A2")
def test_who_has_advanced_need_not_attack():
    match = combat(f"{FRONT}; 29 PzG @ X52; 65 Inf @ T40")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    assert verbs(match) == {"attack", "end combat"}
    assert refused(match, "attack", hex="T40").rule == "C14D4"
    do(match, "end combat")
    assert match.decision is None
    assert is_in(match, "1 Arm", HERE)


@rule("anzio", "C14A3")
def test_who_has_advanced_may_attack_again():
    match = combat(f"{FRONT}; 65 Inf @ X52")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    attack(match, "X52", "1 Arm", dice=[4])
    assert told(match, "fights") == ["1 Arm", "1 Arm"]


@rule("anzio", "C14C", "C14E")
def test_all_first_combats_come_before_any_second():
    match = combat(f"{FRONT}; 29 PzG @ X52; 56 Br @ N11; 92 Inf @ N12")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    assert match.position.round == 1
    assert match.position.targets == mask("N12")  # not X52, which can wait
    match.force(3)
    do(match, "fight")
    assert match.position.round == 2
    assert hexes(match, "attack") == {"X52"}


@rule("anzio", "C14D1")
def test_all_who_advanced_next_to_the_attacked_take_part():
    match = combat("45 US, 36 US @ W51; Ers inf 1 @ W52; 65 Inf @ W53")
    attack(match, HERE, "45 US", "36 US", dice=[6])
    do(match, "lose a step", "45 US")
    do(match, "lose a step", "36 US")
    do(match, "advance", "45 US", HERE)
    do(match, "advance", "36 US", HERE)
    do(match, "attack", hex="W53")
    do(match, "attack with", "45 US")
    assert match.position.attackers == units("45 US, 36 US")  # the other had to join


@rule("anzio", "C14D1")
def test_an_enemy_whom_those_next_to_him_cannot_attack_is_left_alone():
    match = combat(
        "1 Arm @ W51; 231 Br, 168 Br @ V51; Ers inf 1 @ W52; Ers inf 2 @ V52; HG, 15 PzG @ V53"
    )
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "end advance")
    attack(match, "V52", "231 Br", "168 Br", dice=[1])  # 2-1: A1 D2R, and two points
    do(match, "lose a step", "231 Br")
    do(match, "stand")
    do(match, "advance", "168 Br", "V52")
    # One factor against 17.
    assert match.decision is None
    assert is_in(match, "168 Br", "V52")


@rule("anzio", "C14D1")
def test_nobody_begins_an_attack_that_those_next_to_it_could_not_carry():
    match = combat(
        "1 Arm @ N11; 231 Br, 168 Br @ V51; Ers inf 1 @ N12; Ers inf 2 @ V52; "
        "HG, 15 PzG @ V53; 92 Inf @ N13"
    )
    attack(match, "N12", "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", "N12")
    attack(match, "V52", "231 Br", "168 Br", dice=[1])
    do(match, "lose a step", "231 Br")
    do(match, "stand")
    do(match, "advance", "168 Br", "V52")
    assert hexes(match, "attack") == {"N13"}
    assert refused(match, "attack", hex="V53").rule == "C14D1"


@rule("anzio", "C14D1")
def test_who_stands_next_to_an_enemy_that_was_attacked_fights_before_the_combat_ends():
    match = combat("45 US, 36 US @ W51; Ers inf 1 @ W52; 65 Inf @ W53; 92 Inf @ X52; 94 Inf @ V53")
    attack(match, HERE, "45 US", "36 US", dice=[6])
    for unit in ("45 US", "36 US"):
        do(match, "lose a step", unit)
    for unit in ("45 US", "36 US"):
        do(match, "advance", unit, HERE)
    assert "end combat" in verbs(match)
    do(match, "attack", hex="W53")
    do(match, "attack with", "45 US")
    match.force(4)
    do(match, "fight")
    while verb := verbs(match) & {"lose a step", "retreat", "end advance"}:
        do(match, min(verb - {"end advance"} or verb))
    assert hexes(match, "attack") == {"X52", "V53"}
    assert refused(match, "end combat").rule == "C14D1"


@rule("anzio", "C14D2")
def test_second_combats_are_divided_like_the_first():
    match = combat("45 US, 36 US @ W51; Ers inf 1 @ W52; 65 Inf @ W53; 92 Inf @ X52")
    attack(match, HERE, "45 US", "36 US", dice=[6])
    do(match, "lose a step", "45 US")
    do(match, "lose a step", "36 US")
    do(match, "advance", "45 US", HERE)
    do(match, "advance", "36 US", HERE)
    do(match, "attack", hex="W53")
    do(match, "attack with", "45 US")
    assert "fight" in verbs(match)  # 36 can attack X52
    match.force(4)
    do(match, "fight")
    while "retreat" in verbs(match) or "lose a step" in verbs(match):
        do(match, next(verb for verb in ("retreat", "lose a step") if verb in verbs(match)))
    if "end advance" in verbs(match):
        do(match, "end advance")
    assert match.position.joined == units("36 US")
    assert "end combat" not in verbs(match)
    assert match.position.targets == mask("X52")


@rule("anzio", "C14D3")
def test_who_advanced_elsewhere_need_not_fight():
    match = combat(f"{FRONT}; 65 Inf @ X52; 56 Br @ N11; Ers inf 2 @ N12; 92 Inf @ N13")
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    match.force(4)
    do(match, "fight")
    do(match, "advance", "56 Br", "N12")
    assert match.position.round == 2
    assert hexes(match, "attack") == {"X52", "N13"}
    attack(match, "X52", "1 Arm", dice=[3])
    while "end combat" not in verbs(match):
        do(match, next(v for v in ("retreat", "end advance", "lose a step") if v in verbs(match)))
    do(match, "end combat")
    assert match.position.hex[number("92 Inf")] >= 0


@rule("anzio", "C14E")
def test_a_defender_may_be_attacked_again_in_a_later_round():
    # W53 stands in the first round; who advances to W52 attacks it again.
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 3 PzG @ W53; 56 Br @ W54")
    declare(match, "W53", "56 Br")
    match.force(3)
    do(match, "fight")  # 1-1, 3: A1
    match.force(6)
    do(match, "fight")
    do(match, "advance", "1 Arm", HERE)
    assert match.position.round == 2
    assert "W53" in hexes(match, "attack")


@rule("anzio", "C14A2")
def test_who_has_not_fought_on_does_not_fight_in_the_round_after():
    match = combat(f"{FRONT}; 65 Inf @ X52; 45 US @ N11; Ers inf 2 @ N12; Ers inf 3 @ N13", ALLIED)
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", HERE)
    match.force(4)
    do(match, "fight")
    do(match, "advance", "45 US", "N12")
    attack(match, "N13", "45 US", dice=[4])
    do(match, "advance", "45 US", "N13")
    assert match.position.round == 2
    do(match, "end combat")  # 1 Arm could have attacked X52
    assert not match.position.pool >> number("1 Arm") & 1


@rule("anzio", "D9F")
def test_a_defender_who_has_retreated_may_do_so_again_in_the_next_round():
    pos = table("45 US @ W52; 29 PzG @ X52", "combat", round=1, forward=units("45 US"))
    pos.retreated = units("29 PzG, 5 Br")
    next_round(WAR, pos)
    assert pos.round == 2
    assert pos.retreated == units("5 Br")


@rule("anzio", "B4G7b")
def test_who_has_withdrawn_does_not_advance():
    match = combat("231 Br, 168 Br @ W51; Ers inf 1 @ W52")
    attack(match, HERE, "231 Br", "168 Br", dice=[1])  # 2-1: A1 D2R
    do(match, "lose a step", "231 Br")
    do(match, "retreat", "231 Br", "V52")
    assert names(match, "advance") == {"168 Br"}
