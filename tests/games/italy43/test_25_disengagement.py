"""Chapter 25.4, an option: disengagement."""

from typing import Any

import pytest

from apennine.games.italy43.rules import c25_disengagement
from apennine.games.italy43.table.position import GERMAN, Table
from apennine.hexes import first_bit
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    GAME,
    WAR,
    at,
    begin,
    do,
    hexes,
    names,
    number,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)


def combat(counters: str, **fields: Any) -> Match[Table]:
    """The German combat phase."""
    return begin(counters, "combat", GERMAN, **{"disengagements": True} | fields)


TOUCHING = "129/15, 8/3PG @ 2318; 7/3 @ 2319; 103/3PG @ 2314"


@rule("italy43", "25.4.3a", "3.0B3b")
def test_units_next_to_an_enemy_that_have_not_attacked_may_try():
    assert names(combat(TOUCHING), "disengage") == {"129/15", "8/3PG"}
    disrupted = TOUCHING.replace("2318", "2318 disrupted")
    assert names(combat(disrupted), "disengage") == {"129/15", "8/3PG"}
    match = combat(TOUCHING, attacked=units("129/15"), replaced=units("8/3PG"))
    assert "disengage" not in verbs(match)
    assert not verbs(combat(TOUCHING, disengagements=False)) & {"disengage", "disengage all"}


@rule("italy43", "25.0")
def test_each_option_is_a_switch_of_its_own_and_off_unless_asked_for():
    keys = [switch.key for switch in GAME.switches]
    assert keys == ["major_assaults", "half_effects", "pontoons", "disengagements"]
    assert not any(getattr(Match(GAME, seed=1).position, key) for key in keys)
    for key in keys:
        pos = Match(GAME, options={key: True}, seed=1).position
        assert [getattr(pos, each) for each in keys] == [each == key for each in keys]


@rule("italy43", "25.4.3a")
def test_who_tries_does_not_attack():
    match = combat(TOUCHING)
    match.force(1)
    do(match, "disengage", "8/3PG")
    assert match.position.attacked == units("8/3PG")
    assert names(match, "disengage") == {"129/15"}
    assert refused(match, "disengage", "8/3PG").rule == "25.4.3a"


@rule("italy43", "25.4.2a", "25.4.4a")
@pytest.mark.parametrize(("die", "moves", "lost"), [(2, False, 0), (3, True, 1), (4, True, 0)])
def test_the_table_says_whether_a_unit_gets_away(die: int, moves: bool, lost: int):
    match = combat("267/94 @ 2318; 7/3 @ 2319; 103/3PG @ 2314")
    unit = number("267/94")
    modifier = sum(
        int(line.value)
        for line in c25_disengagement.disengagement_lines(WAR, match.position, 1 << unit)
    )
    match.force(die - modifier)
    do(match, "disengage", "267/94")
    assert ("retreat" in verbs(match)) == moves
    assert steps(match, "267/94") == WAR.full[unit] - lost


@rule("italy43", "25.4.4a")
def test_it_goes_one_hex_or_two_and_is_disrupted():
    match = combat(TOUCHING)
    match.force(6)
    do(match, "disengage", "129/15")
    assert {"2217", "2317", "2216", "2316"} <= hexes(match, "retreat")
    do(match, "retreat", "129/15", "2317")
    assert match.position.hex[number("129/15")] == at("2317")
    assert match.position.disrupted == units("129/15")


@rule("italy43", "25.4.4a")
def test_who_was_disrupted_goes_into_full_retreat():
    match = combat(TOUCHING.replace("2318", "2318 disrupted"))
    match.force(6)
    do(match, "disengage", "129/15")
    do(match, "retreat", "129/15", "2316")
    assert match.position.routed == units("129/15")


@rule("italy43", "25.4.3b")
def test_a_stack_may_try_with_one_die_or_unit_by_unit():
    match = combat(TOUCHING)
    assert hexes(match, "disengage all") == {"2318"}
    assert refused(match, "disengage all", hex="2314").rule == "25.4.3b"  # one unit is no stack
    match.force(6)
    do(match, "disengage all", hex="2318")
    assert names(match, "retreat") == {"129/15", "8/3PG"}
    match = combat(TOUCHING, attacked=units("8/3PG"))
    assert "disengage all" not in verbs(match)
    assert names(match, "disengage") == {"129/15"}


@rule("italy43", "25.4.2b")
def test_modifiers_of_a_stack_need_all_for_a_plus_and_one_for_the_minus():
    def modifiers(stack: str) -> list[str]:
        pos = table(f"{stack} @ 2318")
        lines = c25_disengagement.disengagement_lines(WAR, pos, units(stack))
        return [f"{line.text} {line.value}" for line in lines]

    assert modifiers("131/7") == ["mechanised +1"]
    assert modifiers("7/3") == []
    assert modifiers("1 Rgr") == ["elite +1"]
    assert modifiers("1 Rgr, 7/3") == []
    assert modifiers("131/7, 7/3") == []
    low = WAR.names[first_bit(WAR.low[0] & ~WAR.mechanised)]
    assert modifiers(low) == ["low quality -1"]
    assert "low quality -1" in modifiers(f"131/7, {low}")


@rule("italy43", "25.4.4b")
def test_a_unit_that_would_not_survive_a_retreat_may_not_try():
    # As unit D of the example: bonds all round it.
    match = combat("129/15 @ 2318; 7/3 @ 2317; 15/3 @ 2418; 30/3 @ 2218")
    assert "disengage" not in verbs(match)
    assert refused(match, "disengage", "129/15").rule == "25.4.4b"


def test_the_example_of_the_book_a_breaks_the_bond_and_all_three_try():
    # A (I/104/15) stands in the bond, B (129/15) and C (8/3PG) beside it, D is shut in elsewhere.
    allies = "7/3 @ 2317; 15/3 @ 2319; 30/3 @ 2619; 133/34 @ 2720; 135/34 @ 2520"
    germans = "I/104/15, 129/15 @ 2318; 8/3PG @ 2418; II/104/15 @ 2620"
    match = combat(f"{germans}; {allies}")
    assert {"I/104/15", "129/15", "8/3PG"} <= names(match, "disengage")


@rule("italy43", "12.1.4b")
def test_who_disengages_into_a_full_hex_has_until_the_next_movement():
    full = "129/15, 8/3PG, I/104/15, II/104/15, III/104/15 @ 2316; 7/3 @ 2419"
    crowd = units("129/15, 8/3PG")
    match = begin(full, "combat ends", GERMAN, retreated=crowd)
    assert told(match, "is eliminated") == []
    assert "give up" in verbs(begin(full, "combat ends", GERMAN))


@rule("italy43", "25.4.3a")
def test_a_stack_tries_only_if_all_of_it_may():
    match = combat(TOUCHING, replaced=units("8/3PG"))
    assert refused(match, "disengage all", hex="2318").rule == "25.4.3a"


@rule("italy43", "S3.3.4a")
def test_nobody_disengages_so_that_formia_is_empty():
    alone = combat("129/15 @ 1706; 7/3 @ 1806; 8/3PG @ 2318; 15/3 @ 2319")
    assert refused(alone, "disengage", "129/15").rule == "S3.3.4a"
    pair = combat("129/15, I/104/15 @ 1706; 7/3 @ 1806")
    assert "129/15" in names(pair, "disengage")
    assert refused(pair, "disengage all", hex="1706").rule == "S3.3.4a"


@rule("italy43", "25.4.3a")
def test_only_own_units_that_need_not_stay_disengage():
    match = combat(TOUCHING, frozen=units("129/15"), posted=units("8/3PG"))
    for tied in ("129/15", "8/3PG"):
        assert refused(match, "disengage", tied).rule == "S3.3.4a"
    assert refused(match, "disengage", "7/3").rule == "1.0"
