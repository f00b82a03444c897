from typing import Any

from apennine.games.anzio.rules.b4b_end import shelter_phase
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_zones import zone
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.c9_supply import unsupplied
from apennine.games.anzio.rules.c11_replacements import raising_phase, rebuilding_phase
from apennine.games.anzio.table.position import ALLIED, AWAY, DESTROYED, DUE, GERMAN, POOL, Table
from apennine.games.anzio.table.war import War
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    hexes,
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
from tests.games.anzio.playing import PLAYED, start

G = WAR.ground
REPLS = [f"Repl {nation} {n}" for nation in ("Br", "US") for n in (1, 2, 3)]
INF = [f"Ers inf {n}" for n in range(1, 7)]
ARM = [f"Ers arm {n}" for n in range(1, 4)]


def pool(pos: Table, *counters: str) -> Table:
    for name in counters or (*REPLS, *INF, *ARM):
        if pos.hex[number(name)] == AWAY:
            pos.hex[number(name)] = POOL
    return pos


def moves(war: War, pos: Table) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)
    yield from rebuilding_phase(war, pos)


# How they come.


@rule("anzio", "C1A3", "C11B1")
def test_two_replacements_a_week_come_to_sicilia():
    match = play(pool(table("", turn=2)), arrivals_phase)
    come = [name for name in REPLS if match.position.hex[number(name)] == G.sicilia]
    assert len(come) == 2
    assert match.position.credit[ALLIED] == 0


@rule("anzio", "C11A12")
def test_what_no_counter_is_there_for_is_kept():
    pos = pool(table(f"{', '.join(REPLS)} @ Sicilia", turn=2))
    pos = play(pos, arrivals_phase).position
    assert pos.credit[ALLIED] == 2
    pos.hex[number("Repl US 1")] = POOL
    pos.phase, pos.turn = "movement", 3
    pos = play(pos, arrivals_phase).position
    assert pos.hex[number("Repl US 1")] == G.sicilia
    assert pos.credit[ALLIED] == 3


@rule("anzio", "C2B2", "C2A4")
def test_the_track_gives_the_germans_infantry_and_then_armor_too():
    for turn, credit in ((1, [0, 0, 0]), (2, [0, 1, 0]), (5, [0, 1, 1]), (15, [0, 1, 0])):
        match = play(pool(table("", side=GERMAN, turn=turn)), arrivals_phase)
        assert match.position.credit == credit


def raising(counters: str = "", **fields: Any):
    pos = pool(table(counters, side=GERMAN, credit=[0, 1, 1], **fields))
    return play(pos, raising_phase)


@rule("anzio", "C11C2")
def test_german_replacements_appear_in_friendly_cities_in_supply():
    match = raising(friendly=mask("K57"))
    found = hexes(match, "raise")
    assert {"Q15", "F45"} <= found
    assert "K57" not in found
    assert refused(match, "raise", "Ers inf 1", "K57").rule == "C11C2"
    assert refused(match, "raise", "Ers inf 1", "G39").rule == "C11C2"
    do(match, "raise", "Ers inf 1", "Q15")
    assert names(match, "raise") == {"Ers arm 1"}
    assert refused(match, "raise", "Ers inf 2", "Q15").rule == "C2B2"
    do(match, "raise", "Ers arm 1", "Q15")
    assert match.position.credit == [0, 0, 0]


@rule("anzio", "C11C2")
def test_a_city_that_is_cut_off_gets_no_replacements():
    ring = "5 Br @ K55; 46 Br @ M56; 78 Br @ L59"
    assert refused(raising(ring), "raise", "Ers inf 1", "K57").rule in ("C11C2", "C2A5a")
    assert "K57" in hexes(raising("5 Br @ K55"), "raise")


@rule("anzio", "C2A5a")
def test_nothing_german_appears_in_an_allied_zone():
    match = raising("5 Br @ K56")
    assert refused(match, "raise", "Ers inf 1", "K57").rule == "C2A5a"
    pos = table("65 Inf @ Sicilia; 5 Br @ Q5", side=GERMAN)
    pos.hex[number("65 Inf")] = DUE
    match = play(pos, moves)
    do(match, "move", "65 Inf")
    held = G.beside[at("Q5")] & G.german_edge
    assert held
    assert not held & mask(" ".join(hexes(match, "come on")))


@rule("anzio", "C8J")
def test_taranto_raises_nobody():
    match = raising(entries=1 << at("Taranto"))
    assert "Taranto" not in hexes(match, "raise")
    assert refused(match, "raise", "Ers inf 1", "Taranto").rule == "C11C2"


# Rebuilding.


def rebuild(counters: str, side: int = ALLIED, **fields: Any):
    return play(table(counters, side=side, **fields), rebuilding_phase)


@rule("anzio", "C11A3")
def test_a_unit_gains_one_step_a_turn_however_many_are_with_it():
    match = rebuild(
        "45 US @ N61 steps=1; Repl US 1, Repl US 2 @ N61; 5 Br @ N62 steps=1; Repl Br 1 @ N62"
    )
    do(match, "rebuild", "45 US")
    assert steps(match, "45 US") == 2
    assert refused(match, "rebuild", "45 US", value=number("Repl US 2")).rule == "C11A3"
    do(match, "rebuild", "5 Br")
    assert steps(match, "5 Br") == 2
    assert not match.position.soft & units("5 Br, 45 US")


@rule("anzio", "C11A4")
def test_a_used_counter_goes_back_and_comes_again_with_the_next_turn():
    match = rebuild("45 US @ N61 steps=1; Repl US 1 @ N61; 5 Br @ N62 steps=1; Repl Br 1 @ N62")
    do(match, "rebuild", "45 US")
    assert match.position.hex[number("Repl US 1")] == POOL
    do(match, "rebuild", "5 Br")
    pos = match.position
    pos.phase, pos.turn = "movement", 4
    after = play(pos, arrivals_phase).position
    assert after.hex[number("Repl US 1")] == G.sicilia


@rule("anzio", "C11A6")
def test_the_enemy_must_be_three_hexes_away_even_inverted():
    for hex, able in (("P61", False), ("Q61", True)):
        pos = table(f"45 US @ N61 steps=1; Repl US 1 @ N61; 16 Pz @ {hex} steps=1")
        assert (play(pos, rebuilding_phase).decision is not None) is able
    match = rebuild(
        "45 US @ N61 steps=1; Repl US 1 @ N61; 16 Pz @ P61; 5 Br @ V42 steps=1; Repl Br 1 @ V42"
    )
    assert refused(match, "rebuild", "45 US", value=number("Repl US 1")).rule == "C11A6"


@rule("anzio", "C11A7", "C11A11")
def test_unit_and_replacement_may_come_by_different_moves_and_join_after_movement():
    match = play(table("45 US @ N62 steps=2; Repl US 1 @ N63"), moves)
    do(match, "move", "45 US")
    do(match, "go", hex="N61")
    do(match, "halt")
    do(match, "move", "Repl US 1")
    do(match, "go", hex="N61")
    assert "rebuild" not in verbs(match)
    if match.position.movers:
        do(match, "halt")
    do(match, "end movement")
    do(match, "rebuild", "45 US")
    assert steps(match, "45 US") == 3


@rule("anzio", "C11A9")
def test_nobody_rises_above_his_strongest_counter():
    match = rebuild("45 US @ N61; Repl US 1 @ N61; 5 Br @ N62 steps=1; Repl Br 1 @ N62")
    assert names(match, "rebuild") == {"5 Br"}
    assert refused(match, "rebuild", "45 US", value=number("Repl US 1")).rule == "C11A9"


@rule("anzio", "C11A10")
def test_a_replacement_counts_one_stacking_point():
    assert all(WAR.stacking[number(n)] == 1 for n in (*REPLS, *INF, *ARM))
    match = play(table("45 US, 36 US @ N61; Repl US 1 @ N62"), moves)
    do(match, "move", "Repl US 1")
    assert refused(match, "go", "Repl US 1", "N61").rule == "B4D1"
    match = play(table("45 US, 34 US @ N61; Repl US 1 @ N62"), moves)
    limit = WAR.stacking[number("45 US")] + WAR.stacking[number("34 US")]
    assert limit == 8
    match = play(table("45 US, 5 Br @ N61; Repl US 1 @ N62"), moves)
    do(match, "move", "Repl US 1")
    assert "N61" in hexes(match, "go")


@rule("anzio", "C11A13")
def test_only_counters_in_the_stack_rebuild():
    match = rebuild(
        "45 US @ N61 steps=1; Repl US 1 @ N62; 5 Br @ V42 steps=1; Repl Br 1 @ V42",
        credit=[9, 0, 0],
    )
    assert refused(match, "rebuild", "45 US", value=number("Repl US 1")).rule == "C11A13"


@rule("anzio", "C11A15")
def test_the_dead_are_not_rebuilt():
    pos = table("Repl US 1 @ N61; 5 Br @ V42 steps=1; Repl Br 1 @ V42")
    pos.hex[number("45 US")], pos.steps[number("45 US")] = DESTROYED, 0
    match = play(pos, rebuilding_phase)
    assert refused(match, "rebuild", "45 US", value=number("Repl US 1")).rule == "C11A15"


@rule("anzio", "C11A17", "C9A5")
def test_isolated_units_rebuild_and_move_as_others_do():
    pos = table("45 US @ Q62 steps=1; Repl US 1 @ Q62", turn=3)
    assert unsupplied(WAR, pos, ALLIED) == units("45 US, Repl US 1")
    match = play(pos, rebuilding_phase)
    do(match, "rebuild", "45 US")
    assert steps(match, "45 US") == 2
    pos = table("45 US @ Q62", turn=3, hungry=units("45 US"))
    match = play(pos, moves)
    do(match, "move", "45 US")
    assert (match.position.points, match.position.extra) == (24, 24)


@rule("anzio", "C11B2")
def test_allied_replacements_serve_every_nation():
    match = rebuild("1 Cdn @ N61 steps=1; Repl US 1 @ N61; 8 Ind @ V42 steps=1; Repl US 2 @ V42")
    assert names(match, "rebuild") == {"1 Cdn", "8 Ind"}


@rule("anzio", "C11B9")
def test_units_in_sicilia_rebuild_with_counters_there():
    match = rebuild("45 US, 5 Br @ Sicilia steps=1; Repl US 1, Repl US 2 @ Sicilia")
    do(match, "rebuild", "45 US")
    assert steps(match, "45 US") == 2
    without = table("45 US, 5 Br @ Sicilia steps=1; Repl US 1 @ N61")
    assert play(without, rebuilding_phase).decision is None


@rule("anzio", "C11C4")
def test_infantry_ersatz_rebuilds_panzergrenadiers_but_no_panzer():
    match = rebuild("15 PzG, 16 Pz @ G39 steps=1; Ers inf 1 @ G39", GERMAN)
    assert names(match, "rebuild") == {"15 PzG"}
    match = rebuild("16 Pz, 15 PzG @ G39 steps=1; Ers inf 1, Ers arm 1 @ G39", GERMAN)
    assert refused(match, "rebuild", "16 Pz", value=number("Ers inf 1")).rule == "C11C4"
    do(match, "rebuild", "16 Pz", value=number("Ers arm 1"))
    assert steps(match, "16 Pz") == 2


@rule("anzio", "C11C7", "C11C9")
def test_ersatz_defends_alone_with_one_factor_and_a_zone():
    pos = table("Ers inf 1 @ N61")
    assert WAR.face(number("Ers inf 1"), 1) == (0, 1)
    assert not pos.soft & units("Ers inf 1")
    assert zone(WAR, pos, GERMAN) >> at("N62") & 1


@rule("anzio", "C11B3b")
def test_who_is_left_without_defence_in_an_enemy_zone_may_retreat_at_the_end():
    match = play(table("Repl Br 1 @ Q62; 29 PzG @ R62"), shelter_phase)
    assert {"retreat", "stand"} <= verbs(match)
    do(match, "stand")
    assert told(match, "is destroyed") == ["Repl Br 1"]
    match = play(table("Repl Br 1 @ Q62; 29 PzG @ R62"), shelter_phase)
    away = min(hexes(match, "retreat"))
    do(match, "retreat", "Repl Br 1", away)
    assert match.position.hex[number("Repl Br 1")] == at(away)
    spent = table("Repl Br 1 @ Q62; 29 PzG @ R62", retreated=units("Repl Br 1"))
    assert told(play(spent, shelter_phase), "is destroyed") == ["Repl Br 1"]


@rule("anzio", "C11B3a")
def test_allied_replacements_alone_die_next_to_an_attacker():
    for stack, lost in (("Repl Br 1", ["Repl Br 1"]), ("Repl Br 1, 5 Br", [])):
        match = play(table(f"{stack} @ Q62; 29 PzG @ U62", side=GERMAN), moves)
        do(match, "move", "29 PzG")
        near = min(h for h in hexes(match, "go") if G.beside[at("Q62")] >> at(h) & 1)
        do(match, "go", hex=near)
        assert told(match, "is destroyed") == lost


@rule("anzio", "C11C3")
def test_the_counters_of_the_set_up():
    pos = start()
    assert sum(pos.hex[number(n)] == POOL for n in INF) == 4
    assert sum(pos.hex[number(n)] == POOL for n in ARM) == 1
    assert PLAYED.check(pos) == []
