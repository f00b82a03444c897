"""Chapter 6: combat, retreat and advance.

The drill's chart: 1 costs the attacker two steps, 2 each side one, 3 the defender two; 4 and 5 are
retreats of one and of two hexes; a 6 tells the column, from 2/0 on 1-2 to 0/2 on 4-1.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from msgspec.structs import replace

from apennine.games import get
from apennine.games.crossing.rules.c03_zones import on_map
from apennine.games.crossing.table.position import Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    Drill,
    asked,
    attack,
    combat,
    do,
    hexes,
    names,
    preview,
    steps,
    told,
    verbs,
    where,
)

WEST_GONE = 1


@rule("crossing", "6.1")
def test_the_active_side_attacks_the_enemy_hexes_next_to_its_units_as_it_likes():
    match = combat("1 Inf @ 0407; I Gren @ 0307; II Gren @ 0507; V Pz @ 0207")
    assert asked(match).side == ALLIED
    assert hexes(match, "attack") == {"0307", "0507"}
    assert "end combat" in verbs(match)
    do(match, "end combat")
    assert match.position.side == GERMAN


@rule("crossing", "6.1")
def test_a_unit_attacks_only_once():
    match = combat("1 Inf, 2 Inf @ 0407; 3 Inf @ 0607; I Gren @ 0307; II Gren @ 0507")
    attack(match, "0307", "1 Inf", "2 Inf", die=6)
    assert hexes(match, "attack") == {"0507"}
    match.force(1)
    do(match, "attack", hex="0507")
    # Only 3 Inf was left to attack, so nobody was asked.
    assert where(match, "3 Inf") == "lost"


@rule("crossing", "6.1")
def test_a_hex_is_attacked_only_once():
    # 3 Inf took no part and could attack either hex, but 0307 has had its battle.
    match = combat("1 Inf, 3 Inf @ 0407; 2 Inf @ 0406; I Gren @ 0307; II Gren @ 0508")
    attack(match, "0307", "1 Inf", "2 Inf", die=6)
    assert where(match, "I Gren") == "0307"
    assert hexes(match, "attack") == {"0508"}


@rule("crossing", "6.1")
def test_the_attackers_are_named_one_by_one_before_the_fight_is_ordered():
    match = combat("1 Inf, 2 Inf @ 0407; 3 Inf @ 0406; I Gren @ 0307")
    do(match, "attack", hex="0307")
    assert names(match, "attack with") == {"1 Inf", "2 Inf", "3 Inf"}
    assert "fight" not in verbs(match)
    do(match, "attack with", "2 Inf", "0307")
    assert names(match, "attack with") == {"1 Inf", "3 Inf"}
    assert "fight" in verbs(match)
    assert match.view(GERMAN)["battle"] == {"hex": "0307", "attackers": ["2 Inf"]}


@rule("crossing", "6.2")
def test_no_attack_leads_over_the_river():
    assert hexes(combat("1 Inf @ 0405; I Gren @ 0404"), "attack") == set()
    near = combat("1 Inf @ 0405; 2 Inf @ 0304; I Gren @ 0404")
    do(near, "attack", hex="0404")
    assert where(near, "1 Inf") == "0405"
    assert names(near, "attack with") == set()


@rule("crossing", "6.2")
def test_an_attack_may_lead_over_a_bridge_as_long_as_it_stands():
    assert hexes(combat("1 Inf @ 0305; I Gren @ 0304"), "attack") == {"0304"}
    assert hexes(combat("1 Inf @ 0305; I Gren @ 0304", blown=WEST_GONE), "attack") == set()


@rule("crossing", "6.3")
@pytest.mark.parametrize(
    ("attackers", "defenders", "column"),
    [
        ("1 Inf @ 0307", "I Gren, II Gren @ 0407", "1-2"),  # 4 to 8
        ("1 Inf @ 0307", "I Gren @ 0407; II Gren @ 0407 steps=1", "1-2"),  # 4 to 6
        ("1 Inf @ 0307", "I Gren @ 0407", "1-1"),
        ("1 Inf @ 0307; 6 Arm @ 0307 steps=1", "I Gren @ 0407", "1-1"),  # 7 to 4
        ("1 Inf, 6 Arm @ 0307", "I Gren @ 0407", "2-1"),  # 9 to 4
        ("1 Inf, 6 Arm @ 0307", "I Gren @ 0407; II Gren @ 0407 steps=1", "1-1"),  # 9 to 6
        ("1 Inf, 2 Inf @ 0307; 3 Inf @ 0406 steps=1", "I Gren @ 0407", "2-1"),  # 10 to 4
        ("1 Inf, 2 Inf @ 0307; 3 Inf @ 0406", "I Gren @ 0407", "3-1"),
        ("1 Inf, 2 Inf @ 0307; 3 Inf, 4 Inf @ 0406", "I Gren @ 0407", "4-1"),
        ("1 Inf, 2 Inf @ 0307; 3 Inf, 4 Inf @ 0406; 6 Arm @ 0408", "I Gren @ 0407", "4-1"),
    ],
)
def test_odds_are_rounded_for_the_defender_and_end_at_four_to_one(
    attackers: str, defenders: str, column: str
):
    match = combat(f"{attackers}; {defenders}; V Pz @ 0501")
    assert preview(match, "attack", hex="0407").column == column
    assert six(match, "0407") == column


def six(match: Match[Table], hex: str) -> str:
    """Attack with all that can; the column on which the attack was rolled, from a six."""
    columns = {"2/0": "1-2", "1/0": "1-1", "0/0": "2-1", "0/1": "3-1", "0/2": "4-1"}
    return columns[fight(match, hex, 6)]


def fight(match: Match[Table], hex: str, die: int) -> str:
    """Attack with all that can, in a fork; the result as it shows on the map."""
    fork = match.fork()
    fork.force(die)
    do(fork, "attack", hex=hex)
    while verbs(fork) & {"attack with", "fight", "lose a step", "retreat"}:
        fork.choose(asked(fork).options[0])
    attacker, defender = (strength(match, s) - strength(fork, s) for s in (ALLIED, GERMAN))
    gone = max(
        GAME.board.lattice.distance(match.position.hex[unit], fork.position.hex[unit])
        for unit in on_map(GAME.war, fork.position, GERMAN)
    )
    return f"{attacker}/{defender}" + (f" R{gone}" if gone else "")


def strength(match: Match[Table], side: int) -> int:
    return sum(steps(match, GAME.units[unit]) for unit in GAME.war.members[side])


@rule("crossing", "6.3")
def test_an_attack_needs_at_least_one_to_two():
    germans = "I Gren @ 0307; II Gren @ 0307 steps=1"
    assert hexes(combat(f"1 Inf @ 0407 steps=1; {germans}"), "attack") == set()
    assert hexes(combat(f"1 Inf @ 0407; {germans}"), "attack") == {"0307"}


@rule("crossing", "6.3")
def test_the_fight_is_not_on_before_the_attackers_named_are_enough():
    germans = "I Gren @ 0307; II Gren @ 0307 steps=1"
    match = combat(f"1 Inf @ 0407 steps=1; 2 Inf @ 0407; 3 Inf @ 0406; {germans}")
    do(match, "attack", hex="0307")
    do(match, "attack with", "1 Inf", "0307")
    assert "fight" not in verbs(match)
    do(match, "attack with", "2 Inf", "0307")
    assert "fight" in verbs(match)


@rule("crossing", "6.3")
def test_the_least_odds_are_judged_before_shifts():
    # 4 to 8 on a hill.
    match = combat("1 Inf @ 0207; I Gren, II Gren @ 0206")
    assert hexes(match, "attack") == {"0206"}
    assert six(match, "0206") == "1-2"


@rule("crossing", "6.4")
@pytest.mark.parametrize(
    ("counters", "target", "column"),
    [
        ("1 Inf, 2 Inf @ 0408; I Gren @ 0407", "0407", "2-1"),
        ("1 Inf, 2 Inf @ 0407; I Gren @ 0507", "0507", "1-1"),  # a town
        ("1 Inf, 2 Inf @ 0207; I Gren @ 0206", "0206", "1-1"),  # a hill
        ("1 Inf, 2 Inf @ 0305; I Gren @ 0304", "0304", "1-1"),  # over a bridge
        ("1 Inf, 2 Inf @ 0305; 3 Inf @ 0403; I Gren @ 0304", "0304", "3-1"),  # not all over it
        ("1 Inf, 2 Inf @ 0403; I Gren @ 0304", "0304", "2-1"),
    ],
)
def test_towns_hills_and_bridges_shift_one_column_left(counters: str, target: str, column: str):
    match = combat(f"{counters}; V Pz @ 0501")
    assert preview(match, "attack", hex=target).column == column
    assert six(match, target) == column


@rule("crossing", "6.4")
def test_germans_attack_over_the_bridge_at_a_shift_too():
    match = combat("I Gren, II Gren @ 0304; 1 Inf @ 0305", side=GERMAN)
    shown = preview(match, "attack", hex="0305")
    assert shown.lines[-1] == ("over the bridge", "-1", "6.4")
    assert shown.column == "1-1"


@rule("crossing", "6.5")
@pytest.mark.parametrize(
    ("counters", "column"),
    [
        ("1 Inf, 2 Inf @ 0307; I Gren @ 0407", "2-1"),
        ("1 Inf, 2 Inf @ 0307 cut; I Gren @ 0407", "1-1"),
        ("1 Inf @ 0307 cut; 2 Inf @ 0307; I Gren @ 0407", "1-1"),  # 6 to 4
        # Fractions are kept: 2 1/2 and 1 1/2 are 4 to 4, but 2 1/2 and 3 are less than 6.
        ("6 Arm @ 0307 cut; 7 Arm @ 0307 steps=1 cut; I Gren @ 0407", "1-1"),
        ("6 Arm @ 0307 cut; 7 Arm @ 0307 steps=1; I Gren @ 0407; II Gren @ 0407 steps=1", "1-2"),
    ],
)
def test_units_out_of_supply_attack_with_half_their_factor(counters: str, column: str):
    match = combat(f"{counters}; V Pz @ 0501")
    assert preview(match, "attack", hex="0407").column == column
    assert six(match, "0407") == column


@rule("crossing", "6.5")
def test_units_out_of_supply_defend_in_full():
    match = combat("1 Inf @ 0307; I Gren @ 0407 cut; V Pz @ 0501")
    assert six(match, "0407") == "1-1"


@rule("crossing", "6.6")
def test_each_side_chooses_who_of_its_units_in_the_battle_loses_the_attacker_first():
    bystanders = "3 Inf @ 0406; V Pz @ 0508"
    match = combat(f"1 Inf, 2 Inf @ 0307; 4 Inf @ 0408; I Gren, II Gren @ 0407; {bystanders}")
    attack(match, "0407", "1 Inf", "2 Inf", "4 Inf", die=2)
    assert asked(match).side == ALLIED
    assert names(match, "lose a step") == {"1 Inf", "2 Inf", "4 Inf"}
    do(match, "lose a step", "2 Inf")
    assert asked(match).side == GERMAN
    assert names(match, "lose a step") == {"I Gren", "II Gren"}
    do(match, "lose a step", "II Gren")
    left = {"1 Inf": 2, "2 Inf": 1, "3 Inf": 2, "4 Inf": 2, "I Gren": 2, "II Gren": 1, "V Pz": 2}
    assert {unit: steps(match, unit) for unit in left} == left


@rule("crossing", "6.6")
def test_a_unit_that_loses_its_last_step_is_out_of_the_game():
    match = combat("1 Inf @ 0307; 2 Inf @ 0307 steps=1; I Gren @ 0407")
    attack(match, "0407", "1 Inf", "2 Inf", die=1)
    do(match, "lose a step", "2 Inf")
    assert where(match, "2 Inf") == "lost"
    # The second step can only be the other's.
    assert steps(match, "1 Inf") == 1


@rule("crossing", "6.6")
def test_no_more_steps_are_lost_than_there_are():
    match = combat("1 Inf @ 0307; I Gren @ 0407 steps=1; II Gren @ 0508")
    attack(match, "0407", "1 Inf", die=3)
    assert (steps(match, "I Gren"), steps(match, "II Gren")) == (0, 2)


@rule("crossing", "6.7")
def test_the_owner_retreats_away_from_enemies_and_their_zones():
    # 0508 is the attacker's hex, 0408 and 0507 are in its zone.
    match = combat("1 Inf @ 0508; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=4)
    assert asked(match).side == GERMAN
    assert hexes(match, "retreat") == {"0406", "0307", "0308"}
    do(match, "retreat", "I Gren", "0307")
    assert where(match, "I Gren") == "0307"


@rule("crossing", "6.7")
def test_a_friend_makes_an_enemy_zone_safe():
    match = combat("1 Inf @ 0508; I Gren @ 0407; II Gren @ 0408")
    attack(match, "0407", "1 Inf", die=4)
    assert hexes(match, "retreat") == {"0406", "0307", "0308", "0408"}


@rule("crossing", "6.7")
def test_nobody_retreats_over_the_river_or_into_a_full_hex():
    match = combat("1 Inf @ 0406; I Gren @ 0405; II Gren @ 0501")
    attack(match, "0405", "1 Inf", die=4)
    assert where(match, "I Gren") == "0305"
    full = combat("1 Inf @ 0406; I Gren @ 0405; II Gren, III Gren @ 0305")
    attack(full, "0405", "1 Inf", die=4)
    assert where(full, "I Gren") == "lost"


@rule("crossing", "6.7")
def test_a_retreat_may_lead_over_a_standing_bridge():
    counters = "1 Inf @ 0306; I Gren @ 0305; II Gren @ 0501"
    match = combat(counters)
    attack(match, "0305", "1 Inf", die=4)
    assert where(match, "I Gren") == "0304"
    ruin = combat(counters, blown=WEST_GONE)
    attack(ruin, "0305", "1 Inf", die=4)
    assert where(ruin, "I Gren") == "lost"


@rule("crossing", "6.7")
def test_each_hex_of_a_long_retreat_is_farther_from_where_the_unit_stood():
    match = combat("1 Inf @ 0508; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=5)
    assert hexes(match, "retreat") == {"0406", "0307", "0308"}
    do(match, "retreat", "I Gren", "0307")
    assert hexes(match, "retreat") == {"0306", "0206", "0207"}
    do(match, "retreat", "I Gren", "0206")
    assert where(match, "I Gren") == "0206"


@rule("crossing", "6.7")
def test_no_long_retreat_begins_where_it_could_not_be_completed():
    # Beyond 0308 all is in the zone of 2 Inf.
    match = combat("1 Inf @ 0508; 2 Inf @ 0108; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=5)
    assert hexes(match, "retreat") == {"0406", "0307"}


@rule("crossing", "6.7")
def test_all_survivors_of_a_stack_retreat_each_its_own_way():
    match = combat("1 Inf @ 0508; I Gren, II Gren @ 0407")
    attack(match, "0407", "1 Inf", die=4)
    do(match, "retreat", "I Gren", "0307")
    do(match, "retreat", "II Gren", "0406")
    assert (where(match, "I Gren"), where(match, "II Gren")) == ("0307", "0406")


@rule("crossing", "6.8")
def test_a_unit_with_no_way_out_is_lost():
    match = combat("1 Inf @ 0308; 2 Inf @ 0507; I Gren @ 0407; II Gren @ 0501")
    attack(match, "0407", "1 Inf", "2 Inf", die=4)
    assert told(match, "is lost in retreat") == ["I Gren"]
    assert where(match, "I Gren") == "lost"


@rule("crossing", "6.8")
def test_a_unit_that_can_go_one_hex_of_two_is_lost_as_well():
    # 0908 is free, but from that corner one only comes into the zone of 2 Inf.
    counters = "1 Inf @ 0806; 2 Inf @ 0708; I Gren @ 0907; II Gren @ 0501"
    short = combat(counters)
    attack(short, "0907", "1 Inf", die=4)
    assert where(short, "I Gren") == "0908"
    long = combat(counters)
    attack(long, "0907", "1 Inf", die=5)
    assert where(long, "I Gren") == "lost"


@rule("crossing", "6.9")
def test_attackers_may_advance_into_the_hex_that_they_emptied():
    match = combat("1 Inf, 2 Inf @ 0508; 3 Inf @ 0408; I Gren @ 0407; II Gren @ 0501")
    attack(match, "0407", "1 Inf", "2 Inf", die=3)
    assert asked(match).side == ALLIED
    assert names(match, "advance") == {"1 Inf", "2 Inf"}
    do(match, "advance", "2 Inf", "0407")
    assert names(match, "advance") == {"1 Inf"}
    do(match, "stay")
    assert (where(match, "1 Inf"), where(match, "2 Inf")) == ("0508", "0407")


@rule("crossing", "6.9")
def test_the_hex_is_empty_after_a_retreat_too():
    match = combat("1 Inf @ 0508; I Gren @ 0407")
    attack(match, "0407", "1 Inf", die=4)
    do(match, "retreat", "I Gren", "0307")
    do(match, "advance", "1 Inf", "0407")
    assert where(match, "1 Inf") == "0407"


@rule("crossing", "6.9")
def test_nobody_advances_while_a_defender_stands():
    match = combat("1 Inf @ 0508; 2 Inf @ 0507; I Gren, II Gren @ 0407")
    attack(match, "0407", "1 Inf", "2 Inf", die=3)
    do(match, "lose a step", "I Gren")
    do(match, "lose a step", "I Gren")
    assert where(match, "I Gren") == "lost"
    assert "advance" not in verbs(match)


@rule("crossing", "6.9")
def test_who_died_attacking_does_not_advance():
    match = combat("1 Inf @ 0508 steps=1; 2 Inf @ 0507; I Gren @ 0407 steps=1; II Gren @ 0501")
    attack(match, "0407", "1 Inf", "2 Inf", die=2)
    do(match, "lose a step", "1 Inf")
    assert names(match, "advance") == {"2 Inf"}


def test_the_preview_of_an_attack_gives_the_factors_the_shifts_and_their_rules():
    match = combat("1 Inf @ 0305; 6 Arm @ 0305 cut; I Gren @ 0304; II Gren @ 0304 steps=1")
    shown = preview(match, "attack", hex="0304")
    assert [tuple(line) for line in shown.lines] == [
        ("attack", "13/2", "6.3"),
        ("defence", "6", "6.3"),
        ("odds", "1-1", "6.3"),
        ("over the bridge", "-1", "6.4"),
    ]
    assert shown.column == "1-2"


def test_the_preview_follows_the_attackers_as_they_are_named():
    match = combat("1 Inf, 2 Inf @ 0307; 3 Inf @ 0406; I Gren @ 0407")
    assert preview(match, "attack", hex="0407").column == "3-1"
    do(match, "attack", hex="0407")
    assert preview(match, "attack with", "1 Inf", "0407").column == "1-1"
    do(match, "attack with", "1 Inf", "0407")
    assert preview(match, "attack with", "2 Inf", "0407").column == "2-1"
    assert preview(match, "fight", hex="0407").column == "1-1"


PRINTED = Drill()
"""The combat chart of the real game, and counters that leave every result to be seen."""
PRINTED.war.combat = get("crossing").war.combat
FACES = {"Allied": ((4, 4), (1, 1)), "German": ((2, 2), (2, 2))}
PRINTED.war.roster = tuple(replace(unit, faces=FACES[unit.side]) for unit in PRINTED.war.roster)


@pytest.mark.parametrize(
    ("attackers", "column"),
    [
        ("1 Inf, 2 Inf @ 0508 steps=1", "1-2"),
        ("1 Inf @ 0508", "1-1"),
        ("1 Inf, 2 Inf @ 0508", "2-1"),
        ("1 Inf, 2 Inf @ 0508; 3 Inf @ 0408", "3-1"),
        ("1 Inf, 2 Inf @ 0508; 3 Inf, 4 Inf @ 0408", "4-1"),
    ],
)
def test_the_chances_of_the_preview_are_those_of_six_battles_one_for_each_face(
    attackers: str, column: str
):
    counters = f"{attackers}; 7 Arm @ 0908; I Gren, II Gren @ 0407"
    match = combat(counters, game=PRINTED)
    shown = preview(match, "attack", hex="0407")
    assert shown.column == column
    fought = Counter(fight(match, "0407", die) for die in range(1, 7))
    assert {result: Fraction(times, 6) for result, times in fought.items()} == {
        chance.result: chance.probability for chance in shown.chances
    }
