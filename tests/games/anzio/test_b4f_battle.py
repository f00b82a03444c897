"""B4F and B4H: the die, the losses and their order."""

import pytest

from apennine.games.anzio.rules.b4f_forecast import forecast
from apennine.games.anzio.rules.b4h_odds import explain, weigh
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    do,
    mask,
    names,
    number,
    rolls,
    steps,
    table,
    told,
    units,
)
from tests.games.anzio.fighting import HERE, attack, battle, combat, is_in, where

G = WAR.ground


@rule("anzio", "B4F1")
def test_a_battle_is_one_die_on_the_column_of_its_odds():
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", 3)
    assert [(entry.faces, entry.column) for entry in rolls(match)] == [((3,), "1-2")]


@rule("anzio", "B4F2a")
@pytest.mark.parametrize(
    ("die", "lost", "back"),
    [(1, {"45 US", "29 PzG"}, "29 PzG"), (2, set(), ""), (5, {"45 US"}, "45 US")],
)
def test_the_halves_of_a_cell_are_for_attacker_and_defender(die, lost, back):
    """1-2: A1 D1R, nothing, A1R."""
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", die)
    if back:
        assert names(match, "retreat") == {back}
        do(match, "retreat")
    assert set(told(match, "loses a step")) == lost


@rule("anzio", "B4F12")
def test_who_retreats_loses_and_retreats_first_otherwise_the_attacker():
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", 1)  # 1-2: A1 D1R
    assert told(match, "loses a step") == ["29 PzG"]
    assert match.decision.side == GERMAN
    do(match, "retreat")
    assert told(match, "loses a step") == ["29 PzG", "45 US"]
    match = battle(
        "231 Br, 45 US @ W51; Fras, 29 PzG @ W52 steps=2", "231 Br, 45 US", 1
    )  # 1-1: A1 D2R
    assert match.decision.side == GERMAN
    match = combat("231 Br, 168 Br @ W51; 65 Inf, Fras @ W52")
    match.force(1)
    attack(match, HERE, "231 Br", "168 Br")  # 1-3: A1 D1
    assert match.decision.side == ALLIED
    assert names(match, "lose a step") == {"231 Br", "168 Br"}
    do(match, "lose a step", "231 Br")
    assert match.decision.side == ALLIED  # the inverted counter may withdraw only after all losses
    assert not told(match, "retreats")


@rule("anzio", "B4F12")
def test_an_attacker_who_must_retreat_loses_before_the_defender_does():
    match = battle("231 Br, 168 Br @ W51; 94 Inf, Fras @ W52", "231 Br, 168 Br", 1)  # 1-4: A1R D1
    assert match.decision.side == ALLIED
    do(match, "lose a step", "231 Br")
    assert names(match, "retreat") == {"231 Br", "168 Br"}
    do(match, "retreat", "231 Br")
    do(match, "retreat", "168 Br")
    assert names(match, "lose a step") == {"94 Inf", "Fras"}


@rule("anzio", "B4H9a")
def test_losses_are_doubled_by_a_mountain_and_never_tripled():
    lattice = WAR.lattice
    for hex in bits(G.mountains & ~G.rivers.hexes):
        for near in bits(G.beside[hex] & ~G.rivers.hexes & ~G.mountains):
            if not G.high[lattice.direction(near, hex)] >> near & 1:
                a, b = lattice.code(near), lattice.code(hex)
                match = battle(f"45 US @ {a}; Fras @ {b}", "45 US", 3, b)  # 1-1, 3: A1, twice
                assert steps(match, "45 US") == 2
                return
    raise LookupError("The map has no such hexes.")


@rule("anzio", "B4H4")
def test_a_mountain_behind_a_river_triples():
    for hex in bits(G.mountains):
        for near in bits(G.beside[hex] & G.rivers.hexes):
            if not G.rivers.at[near] & G.rivers.at[hex]:
                a, b = WAR.lattice.code(near), WAR.lattice.code(hex)
                pos = table(f"45 US @ {a}; Fras @ {b}", "combat")
                found = weigh(WAR, pos, units("45 US"), mask(b))
                assert (found.defence, found.doubled) == (6, True)
                rows = forecast(WAR, pos, units("45 US"), mask(b), 3)
                assert [row.attacker for row in rows] == [2, 2, 2, 0, 4, 4]
                return
    raise LookupError("The map has no such hexes.")


@rule("anzio", "B4H1")
def test_a_city_by_itself_protects_nobody():
    pos = table("45 US @ W51; 29 PzG @ W52", "combat")
    city = next(
        (hex, near)
        for hex in bits(G.major_cities & ~G.mountains)
        for near in bits(G.beside[hex] & ~G.rivers.hexes)
    )
    pos.hex[number("29 PzG")], pos.hex[number("45 US")] = city
    assert weigh(WAR, pos, units("45 US"), 1 << city[0]).defence == 6


@rule("anzio", "B4F5", "B4F7")
def test_a_unit_is_one_counter_whose_stronger_faces_come_back():
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", 1)
    do(match, "retreat")
    pos = match.position
    unit = number("29 PzG")
    assert WAR.face(unit, pos.steps[unit]) == (3, 5)
    assert WAR.face(unit, pos.steps[unit] + 1) == (4, 6)  # what a replacement gives back
    assert pos.hex.count(pos.hex[unit]) == 1


@rule("anzio", "C12A1", "B4G7a")
def test_at_seven_to_one_the_defenders_are_destroyed_whatever_the_die():
    match = combat("1 Arm @ W51; 1076 Inf @ W52")  # 7 to 1
    attack(match, HERE, "1 Arm", dice=[6])
    assert where(match, "1076 Inf") == DESTROYED
    assert steps(match, "1 Arm") == 3
    do(match, "advance", "1 Arm", HERE)
    assert is_in(match, "1 Arm", HERE)


def test_the_forecast_names_losses_retreats_destruction_and_breakthrough():
    pos = table("1 Arm @ W51; Fras @ W52", "combat")  # 7 to 2
    rows = forecast(WAR, pos, units("1 Arm"), mask(HERE), 5)
    assert [row.surge for row in rows] == [2, 0, 0, 0, 0, 0]
    assert [row.destroyed for row in rows] == [True, True, False, False, False, False]
    assert [row.defender_retreats for row in rows] == [True] * 4 + [False] * 2


def test_the_lines_of_the_odds_add_up():
    pos = table("45 US, 4 Arm @ W51; Fras, Ers inf 1 @ W52", "combat")
    lines = explain(WAR, pos, units("45 US, 4 Arm"), mask(HERE))
    assert [(line.text, line.value) for line in lines] == [
        ("4 Arm", "2"),
        ("45 US", "5"),
        ("Defence of W52", "3"),
    ]


def test_nothing_of_a_battle_is_left_when_it_is_over():
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", 2)
    pos = match.position
    assert (pos.round, pos.targets, pos.attackers, pos.due, pos.surge) == (0, 0, 0, 0, 0)


@rule("anzio", "C12A1")
def test_at_seven_to_one_nobody_retreats_instead():
    match = combat("1 Arm @ W51; 36 US, 5 Br @ X51; NW 71, 1076 Inf @ W52")  # 14 to 2, four steps
    attack(match, HERE, "1 Arm", "36 US", "5 Br", dice=[6])  # A2 D2R
    assert [where(match, name) for name in ("NW 71", "1076 Inf")] == [DESTROYED, DESTROYED]


@rule("anzio", "C12A1")
def test_the_forecast_at_seven_to_one_is_destruction_whatever_the_steps():
    pos = table("1 Arm, 36 US, 5 Br @ W51; NW 71, 1076 Inf @ W52", "combat")  # 14 to 2, four steps
    rows = forecast(WAR, pos, units("1 Arm, 36 US, 5 Br"), mask(HERE), WAR.ladder.index("7-1"))
    assert all(row.destroyed for row in rows)
    rows = forecast(WAR, pos, units("1 Arm, 36 US, 5 Br"), mask(HERE), WAR.ladder.index("6-1"))
    assert [row.destroyed for row in rows] == [True, True, True, False, False, False]


@rule("anzio", "D3A5c", "D3A6")
def test_fire_of_either_side_is_used_up_by_a_battle():
    fields = {"supporting_fire": True, "fire": [0, 1, 0], "friendly": mask("K57"), "air": 1}
    match = combat("45 US @ W51; 29 PzG @ W52 guarded", **fields)
    do(match, "support", "45 US")
    assert match.position.backed == number("45 US")
    attack(match, HERE, "45 US", dice=[2])
    assert rolls(match)[0].column == "1-2"  # 6 to 7
    assert match.position.backed == -1
    assert not match.position.guarded


@rule("anzio", "C12A2")
def test_too_few_steps_for_any_die_are_told_as_destroyed():
    pos = table(f"1 Arm @ W51; Ers inf 1 @ {HERE}", "combat")
    rows = forecast(WAR, pos, units("1 Arm"), mask(HERE), WAR.ladder.index("4-1"))
    assert all(row.destroyed for row in rows)
