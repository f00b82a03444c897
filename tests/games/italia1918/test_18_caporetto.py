"""Scenario 1, Caporetto: its own rules; chapter 11.4, Retreat mode, which only it has."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c07_sequence import go_on
from apennine.games.italia1918.rules.c08_offensives import declaration_phase, turn_begins
from apennine.games.italia1918.rules.c09_supply import check_units
from apennine.games.italia1918.rules.c11_flight import retreat_price, steadiness
from apennine.games.italia1918.rules.c11_march import allowance
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.rules.c12_combat import fight
from apennine.games.italia1918.rules.c12_declaration import combat_begins
from apennine.games.italia1918.rules.c12_odds import is_concentric, odds
from apennine.games.italia1918.rules.c14_adjustment import adjustment_phase
from apennine.games.italia1918.rules.c15_bombardment import is_bruchmueller, ready_guns
from apennine.games.italia1918.rules.c16_victory import retreat_tally, running
from apennine.games.italia1918.rules.c18_caporetto import harassment_phase
from apennine.games.italia1918.table.position import (
    CENTRAL,
    ENTENTE,
    EXITED,
    LOST,
    NOBODY,
    POOR,
    Table,
)
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    asked,
    at,
    begin,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)


def scene(counters: str, side: int = ENTENTE, turn: int = 3, **fields: Any) -> Table:
    """A position of Caporetto."""
    return table(counters, side, scenario="caporetto", turn=turn, **fields)


def moving(counters: str, side: int = ENTENTE, turn: int = 3, **fields: Any) -> Match[Table]:
    """A Movement Phase in it, with detachments far away that could move too."""
    far = "Geb 12 @ E3735" if side == CENTRAL else "Fant 4 @ E3508"
    pos = scene(f"{counters}; {far}", side, turn, **fields)
    return play(pos, movement_begins, movement_phase)


# The set-up


@rule("italia1918", "S1.A", "S1.I")
def test_caporetto_uses_its_whole_map_and_begins_as_history_had_it():
    area = WAR.theatres[1].area
    assert area == WAR.board.regions["caporetto"]
    pos = begin("caporetto")
    here = [u for u, hex in enumerate(pos.hex) if hex >= 0]
    assert all(area >> pos.hex[u] & 1 for u in here)
    assert pos.hex[number("CArt XXVII CdA")] == at("E2930")
    assert pos.hex[number("Depot Udine")] == at("E2720")
    assert any(pos.steps[u] < WAR.full[u] for u in here)


@rule("italia1918", "S1.S3")
def test_a_gun_is_given_to_bruchmueller_in_the_first_turn():
    guns = "AArt XIV A/1 @ E3829; AArt XIV A/2 @ E3133; 46 DF @ E3330"
    match = play(scene(guns, CENTRAL, 1), turn_begins, declaration_phase)
    do(match, "activate", "AArt XIV A/1")
    assert refused(match, "begin the offensive").rule == "S1.S3"
    assert refused(match, "give to Bruchmüller", "AArt XIV A/2").rule == "15.2.2h"
    do(match, "activate", "AArt XIV A/2")
    do(match, "give to Bruchmüller", "AArt XIV A/2")
    pos = match.position
    pos.target = at("E3330")
    assert is_bruchmueller(WAR, pos)
    pos.sequence = 2
    assert not is_bruchmueller(WAR, pos)
    later = play(scene(guns, CENTRAL, 2), turn_begins, declaration_phase)
    do(later, "activate", "AArt XIV A/1")
    assert "give to Bruchmüller" not in verbs(later)
    assert later.position.bruchmueller == NOBODY


@rule("italia1918", "S1.S6b")
def test_the_silent_guns_may_fire_once_the_central_powers_have_had_their_half():
    pos = begin("caporetto")
    pos.phase = "adjustment"
    pos.target = at("E3031")
    silent = units("CArt XXVII CdA")
    assert pos.silent == silent
    assert not ready_guns(WAR, pos, ENTENTE) & silent
    match = play(pos, adjustment_phase)
    match.position.target = at("E3031")
    assert ready_guns(WAR, match.position, ENTENTE) & silent


# Frozen reserves


FROZEN = "22 DF @ E2310; 37 DF @ E2318"


def frozen(**fields: Any) -> Any:
    """The markers of both divisions."""
    return [units("22 DF"), units("37 DF")]


@rule("italia1918", "S1.S8a")
def test_a_marker_comes_off_when_an_enemy_comes_next_to_it():
    match = moving(f"{FROZEN}; 4 ID @ E2313; 28 ID @ E2413", CENTRAL, 1, frozen=frozen())
    do(match, "move", "28 ID")
    do(match, "go", "28 ID", "E2414")
    do(match, "halt", "28 ID")
    assert match.position.frozen == frozen()
    near = moving("22 DF @ E2310; 37 DF @ E2318; 4 ID @ E2411", CENTRAL, 1, frozen=frozen())
    do(near, "move", "4 ID")
    do(near, "go", "4 ID", "E2410")
    assert near.position.frozen == [units("37 DF")]
    assert near.position.points == [0, 0]


@rule("italia1918", "S1.S8b", "S1.S13b")
def test_a_marker_comes_off_in_retreat_mode_and_costs_nothing():
    match = moving(FROZEN, frozen=frozen(), ordered=True)
    do(match, "retreat with", "22 DF")
    assert match.position.frozen == [units("37 DF")]
    assert match.position.fleeing == units("22 DF")
    assert match.position.points == [0, 0]
    do(match, "retreat with all")
    assert match.position.frozen == []
    assert match.position.fleeing == units("22 DF, 37 DF, Fant 4")


@rule("italia1918", "S1.S8c")
@pytest.mark.parametrize(("turn", "left"), [(2, 2), (3, 0)])
def test_all_markers_come_off_in_turn_3(turn: int, left: int):
    pos = scene(FROZEN, CENTRAL, turn, frozen=frozen())
    assert len(play(pos, turn_begins).position.frozen) == left


# Rommel


ATTACK = "AlpK Leib @ E3031; 46 DF @ E3030; 50 DF @ E2930; HQ XIV Armee @ E3131"


def storming(counters: str = ATTACK, **fields: Any) -> Match[Table]:
    """An attack on E3030."""
    pos = scene(counters, CENTRAL, 1, phase="combat", **fields)
    combat_begins(WAR, pos)
    pos.target = at("E3030")
    return play(pos, fight)


@rule("italia1918", "S1.S9a", "S1.S9b")
def test_rommel_makes_an_attack_of_the_alpenkorps_concentric_once():
    match = storming(f"{ATTACK}; 1 ID @ E3131")
    assert refused(match, "send Rommel").rule == "S1.S9a"  # nobody of the Alpenkorps yet
    do(match, "attack with", "AlpK Leib")
    assert not is_concentric(WAR, match.position)
    do(match, "send Rommel")
    assert match.position.rommel
    assert is_concentric(WAR, match.position)
    assert {s.rule for s in odds(WAR, match.position).shifts} >= {"12.2.4t"}
    assert "send Rommel" not in verbs(match)
    again = storming(f"{ATTACK}; 1 ID @ E3131", famous=True)
    do(again, "attack with", "AlpK Leib")
    assert refused(again, "send Rommel").rule == "S1.S9a"


# Refugees and sabotage


ROADS = "22 DF, 37 DF @ E2310; 48 DF @ E2315; 4 ID @ E2313"


def harassed(counters: str = ROADS, **fields: Any) -> Match[Table]:
    """What the Central Powers lay upon the retreat, and then the move of the Entente."""
    pos = scene(f"{counters}; HQ III Armata @ E2207", **fields)
    return play(pos, movement_begins, harassment_phase, movement_phase)


@rule("italia1918", "S1.S10a")
def test_refugees_hamper_stacks_near_the_enemy_but_out_of_his_zone():
    crowd = (
        "22 DF @ E2310; 48 DF @ E2312; 37 DF @ E2316; 54 DF @ E2415; 17 DF @ E2215; 4 ID @ E2313"
    )
    match = harassed(crowd)
    assert asked(match).side == CENTRAL
    assert hexes(match, "send refugees") == {"E2310", "E2316", "E2415", "E2215"}
    assert refused(match, "send refugees", hex="E2312").rule == "S1.S10a"  # in a zone
    for hex in ("E2310", "E2316", "E2415"):
        do(match, "send refugees", hex=hex)
    assert asked(match).side == ENTENTE  # three, no more


@rule("italia1918", "S1.S10a")
def test_refugees_come_from_turn_3():
    assert "send refugees" not in verbs(harassed(turn=2))
    assert "send refugees" in verbs(harassed(turn=3))
    calm = play(scene(ROADS, CENTRAL), movement_begins, harassment_phase)
    assert calm.outcome  # not as the Central Powers move


@rule("italia1918", "S1.S10b")
def test_refugees_halve_the_march_of_each_unit_of_the_stack():
    match = harassed()
    do(match, "send refugees", hex="E2310")
    do(match, "let him move")
    for unit in ("22 DF", "37 DF"):
        assert allowance(WAR, match.position, number(unit)) == 2 * WAR.scale
    do(match, "move", "22 DF")  # alone, and no quicker
    assert match.position.left == 2 * WAR.scale


@rule("italia1918", "S1.S10c")
def test_refugees_are_gone_after_the_movement_phase():
    pos = scene(ROADS, refugees=units("22 DF"))
    combat_begins(WAR, pos)
    assert not pos.refugees


BRIDGE = next(
    n for n, b in enumerate(WAR.ground.bridges) if b.ends == 1 << at("E2312") | 1 << at("E2313")
)


def threatened(match: Match[Table]) -> set[int]:
    """The bridges that may be destroyed."""
    return {option.value for option in asked(match).options if option.verb == "have blown up"}


@rule("italia1918", "S1.S11a")
def test_a_bridge_of_the_enemy_is_destroyed_without_a_die():
    match = harassed("22 DF @ E2310; 4 ID @ E2315", turn=2)
    assert BRIDGE in threatened(match)
    do(match, "have blown up", value=BRIDGE)
    assert match.position.broken == 1 << BRIDGE


@rule("italia1918", "S1.S11a", "S1.S11b")
def test_both_markers_may_be_used_at_once_from_turn_2():
    pos = begin("caporetto")
    pos.phase, pos.side, pos.turn = "harassment", ENTENTE, 2
    match = play(pos, harassment_phase)
    do(match, "have blown up")
    do(match, "have blown up")
    assert match.outcome
    assert match.position.sabotaged == match.position.broken.bit_count() == 2
    pos.turn = 1
    assert play(pos, harassment_phase).outcome


@rule("italia1918", "S1.S11a", "S1.S11c")
@pytest.mark.parametrize(
    ("counters", "control"),
    [
        ("22 DF @ E2310; 4 ID @ E2318", 0),  # no unit within three hexes
        ("22 DF @ E2310; 4 ID @ E2313", 0),  # his own unit is at the bridge
        ("22 DF @ E2310; 4 ID @ E2315", 1 << at("E2312") | 1 << at("E2313")),  # his own bridge
    ],
)
def test_which_bridges_are_not_destroyed_so(counters: str, control: int):
    match = harassed(counters, turn=2, control=control)
    assert BRIDGE not in threatened(match)


# Out of supply


@rule("italia1918", "S1.S12a")
@pytest.mark.parametrize(("turn", "die", "there"), [(2, 2, False), (4, 3, True), (1, None, True)])
def test_italians_newly_out_of_supply_may_fall_apart(turn: int, die: int | None, there: bool):
    ring = "4 ID @ E2307; 28 ID @ E2309; 13 SchD @ E2407; 33 ID @ E2408; 6 ID @ E2207; 1 ID @ E2208"
    pos = scene(f"22 DF @ E2308; {ring}", CENTRAL, turn)
    match = play(pos, lambda war, pos: check_units(war, pos, ENTENTE))
    if die:
        match.roll(die)
    unit = number("22 DF")
    assert (match.position.hex[unit] != LOST) is there
    assert bool(match.position.hungry >> unit & 1) is there


# The Retreat order


@rule("italia1918", "S1.V1b", "S1.V1c")
def test_the_depot_of_udine_counts_as_soon_as_it_is_captured():
    pos = scene("Depot Udine @ E2720; 4 ID @ E2721; Geb 12 @ E3735", CENTRAL)
    match = play(pos, movement_begins, movement_phase)
    do(match, "move", "4 ID")
    do(match, "go", "4 ID", "E2720")
    assert match.position.points == [2, 0]
    assert running(WAR, match.position) == 2 + 3  # and the town


@rule("italia1918", "S1.S13a")
def test_the_retreat_is_ordered_from_turn_2_before_anything_moves():
    assert refused(moving(FROZEN, turn=1), "order the retreat").rule == "S1.S13a"
    match = moving(FROZEN, turn=2)
    assert refused(match, "retreat with", "22 DF").rule == "S1.S13b"
    do(match, "order the retreat")
    assert match.position.ordered
    assert "retreat with" in verbs(match)
    assert "order the retreat" not in verbs(match)
    late = moving(FROZEN, turn=2)
    do(late, "move", "Fant 4")
    do(late, "go", "Fant 4")
    do(late, "halt", "Fant 4")
    assert refused(late, "order the retreat").rule == "11.4f"


@rule("italia1918", "S1.S14a", "S1.S14b", "S1.S14c")
@pytest.mark.parametrize(
    ("turn", "points", "price"), [(2, 14, 15), (2, 15, 10), (3, 2, 5), (3, 30, 5), (4, 2, 0)]
)
def test_what_the_order_costs(turn: int, points: int, price: int):
    match = moving(FROZEN, turn=turn, points=[points, 0])
    assert retreat_price(WAR, match.position) == price
    do(match, "order the retreat")
    assert match.position.points == [points + price, 0]


@rule("italia1918", "S1.S15")
def test_one_gun_a_sequence_is_taken_away_and_counts_as_gone():
    match = moving("CArt IV CdA @ E2310; CArt II CdA @ E2311; 22 DF @ E2315", ordered=True)
    assert refused(match, "take away", "22 DF").rule == "S1.S15"
    do(match, "take away", "CArt IV CdA")
    assert match.position.hex[number("CArt IV CdA")] == EXITED
    assert retreat_tally(WAR, match.position) == -2
    assert refused(match, "take away", "CArt II CdA").rule == "S1.S15"
    pos = match.position
    pos.offensive, pos.phase, pos.side, pos.sequence = True, "landing", CENTRAL, 1
    go_on(WAR, pos)
    assert not pos.evacuated


@rule("italia1918", "S1.V6")
def test_a_stack_leaves_the_map_from_a_hex_of_its_western_edge():
    match = moving("22 DF, Arditi 1 @ E2307; 37 DF @ E2310", hosts={"Arditi 1": "22 DF"})
    do(match, "move", "22 DF")
    do(match, "leave the map")
    assert told(match, "leaves the map") == ["22 DF", "Arditi 1"]
    assert match.position.hex[number("22 DF")] == EXITED
    do(match, "move", "37 DF")
    assert refused(match, "leave the map").rule == "S1.V6"


# Retreat mode (11.4)


@rule("italia1918", "11.4d")
def test_combat_units_headquarters_and_guns_retreat_even_in_an_enemy_zone():
    crowd = "22 DF, CArt IV CdA, HQ III Armata @ E2310; 37 DF @ E2312; 4 ID @ E2313"
    crowd += "; Depot Udine @ E2720"
    match = moving(crowd, ordered=True)
    assert names(match, "retreat with") == {
        "22 DF",
        "CArt IV CdA",
        "HQ III Armata",
        "37 DF",
        "Fant 4",
    }
    assert refused(match, "retreat with", "Depot Udine").rule == "11.4d"


@rule("italia1918", "11.4f")
@pytest.mark.parametrize(
    ("hex", "weather", "modifier"),
    [("E2309", 0, -1), ("E2311", 0, -3), ("E2310", 0, 1), ("E2407", 0, -1), ("E2407", POOR, 1)],
)
def test_roads_and_railways_help_to_leave_retreat_mode(hex: str, weather: int, modifier: int):
    assert steadiness(WAR, scene("22 DF @ E2310", weather=weather), at(hex)) == modifier


@rule("italia1918", "11.4f", "11.4h")
@pytest.mark.parametrize(("die", "steady"), [(2, True), (3, False)])
def test_a_unit_is_tested_once_in_a_phase_if_its_owner_likes(die: int, steady: bool):
    match = moving("22 DF @ E2309; 37 DF @ E2311", ordered=True, fleeing=units("22 DF, 37 DF"))
    do(match, "steady", "22 DF")
    match.roll(die)
    assert (match.position.fleeing == units("37 DF")) is steady
    assert names(match, "steady") == {"37 DF"}
    assert "22 DF" not in names(match, "retreat with")  # not again in this phase
