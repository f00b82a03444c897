"""Chapter 11.3: how supports move; 11.1.5: reinforcements."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c11_arrivals import arrivals_phase, expected
from apennine.games.italia1918.rules.c11_movement import movement_begins, movement_phase
from apennine.games.italia1918.rules.c12_combat import combat_phase
from apennine.games.italia1918.rules.c12_declaration import combat_begins
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    names,
    number,
    play,
    reach,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.italia1918.moving import go, halt, moving

# Artillery, headquarters


@rule("italia1918", "11.3.1a", "11.3.3c", "11.3.4b")
@pytest.mark.parametrize("support", ["CArt I CdA", "HQ I Armata", "Trucks"])
def test_supports_keep_out_of_enemy_zones_whoever_is_there(support: str):
    match = moving(f"{support} @ E2309; 22 DF @ E2311; 4 ID @ E2312", ENTENTE)
    do(match, "move", support)
    assert refused(match, "go", support, "E2311").rule == "11.3.1a"
    assert "E2310" in hexes(match, "go")


@rule("italia1918", "11.3.1d", "11.3.4a")
@pytest.mark.parametrize("support", ["CArt I CdA", "Trucks"])
def test_guns_and_trucks_need_bridges(support: str):
    def straight(start: str, end: str, **fields: Any) -> bool:
        found = reach(table(f"{support} @ {start}", ENTENTE, **fields), support)
        return found.path(at(end)) == [at(start), at(end)]

    assert not straight("W1221", "W1322")  # over the Brenta
    assert not straight("W0613", "W0714")  # over a minor river
    floats = [(ENTENTE, at("W1221"), WAR.lattice.direction(at("W1221"), at("W1322")))]
    assert not straight("W1221", "W1322", pontoons=floats)
    assert straight("E1605", "E1606")


@rule("italia1918", "11.3.1e", "11.3.3b", "11.3.4a")
@pytest.mark.parametrize("support", ["CArt I CdA", "HQ I Armata", "Trucks"])
def test_no_support_climbs_high_mountains(support: str):
    assert not reach(table(f"{support} @ W2110", ENTENTE), support).ends & WAR.ground.high


@rule("italia1918", "11.3.3a")
def test_headquarters_cross_rivers_like_combat_units():
    found = reach(table("HQ I Armata @ W1221", ENTENTE), "HQ I Armata")
    assert found.cost(at("W1322")) == found.points
    d = WAR.lattice.direction(at("W1221"), at("W1322"))
    floats = [(ENTENTE, at("W1221"), d)]
    pontoon = reach(table("HQ I Armata @ W1221", ENTENTE, pontoons=floats), "HQ I Armata")
    assert pontoon.cost(at("W1322")) == 2 * WAR.scale


@rule("italia1918", "11.3.1.1a", "11.3.1.2a")
def test_army_artillery_moves_in_bombardment_mode_only():
    match = moving("AArt 6 A @ E2310 firing; AArt 11 A/1, CArt II K @ E2312")
    assert refused(match, "move", "AArt 6 A").rule == "11.3.1.1a"
    assert {"AArt 11 A/1", "CArt II K"} <= names(match, "move")


@rule("italia1918", "11.3.5a", "S3.S5a")
def test_depots_and_the_amalfi_battery_do_not_move():
    match = moving("Depot Udine @ E2720; Amalfi @ E0402", ENTENTE)
    assert refused(match, "move", "Depot Udine").rule == "11.3.5a"
    assert refused(match, "move", "Amalfi").rule == "S3.S5a"


@rule("italia1918", "11.3.1.3a")
def test_barges_keep_to_marsh_and_coast_and_cross_rivers():
    found = codes(reach(table("Barges @ E0707", ENTENTE), "Barges").ends)
    assert found
    assert all(WAR.ground.afloat >> at(code) & 1 for code in found)
    assert "E0708" in found  # over the Piave


@rule("italia1918", "11.1.4a")
def test_there_is_no_movement_by_rail():
    rail = WAR.ground.rail[WAR.lattice.direction(at("E3034"), at("E3135"))]
    assert rail >> at("E3034") & 1
    assert WAR.ground.mountains >> at("E3135") & 1
    assert reach(table("4 ID @ E3034"), "4 ID").cost(at("E3135")) == 2 * WAR.scale


# Assault troops


@rule("italia1918", "11.3.2a")
def test_assault_troops_move_with_their_unit():
    pos = table("4 ID, 13 SchD, SturmB 1 @ E2310", hosts={"SturmB 1": "4 ID"})
    match = play(pos, movement_begins, movement_phase)
    assert refused(match, "move", "SturmB 1").rule == "11.3.2a"
    do(match, "move", "4 ID")
    assert match.position.left == 4 * WAR.scale
    do(match, "go", "4 ID", "E2311")
    assert match.position.hex[number("SturmB 1")] == at("E2311")


@rule("italia1918", "11.3.2b", "11.3.2c")
def test_they_may_go_over_to_another_unit_that_has_none():
    stack = "4 ID, 3 ID/216, SturmB 1, SturmB 2, AlpK Leib @ E2310"
    pos = table(stack, hosts={"SturmB 1": "4 ID", "SturmB 2": "3 ID/216"})
    match = play(pos, movement_begins, movement_phase)
    assert refused(match, "assign", "SturmB 1", value=number("3 ID/216")).rule == "11.3.2c"
    assert refused(match, "assign", "SturmB 1", value=number("AlpK Leib")).rule == "11.3.2a"
    pos = table("4 ID, 3 ID/216, SturmB 1 @ E2310", hosts={"SturmB 1": "4 ID"})
    match = play(pos, movement_begins, movement_phase)
    do(match, "assign", "SturmB 1", value=number("3 ID/216"))
    do(match, "move", "3 ID/216")
    assert match.position.movers == units("3 ID/216, SturmB 1")


@rule("italia1918", "11.3.2b")
def test_they_go_over_as_the_combat_phase_begins_too_and_not_after_the_first_attack():
    stack = "4 ID, 3 ID/216, SturmB 1 @ W0504; 64 DF @ W0505; HQ 6 Armee @ W0404"
    pos = table(stack, phase="combat", hosts={"SturmB 1": "4 ID"}, done=units("SturmB 1"))
    combat_begins(WAR, pos)
    match = play(pos, combat_phase)
    do(match, "assign", "SturmB 1", value=number("3 ID/216"))
    assert match.position.host[number("SturmB 1")] == number("3 ID/216")
    pos.struck = 1 << at("W0405")
    late = play(pos, combat_phase)
    assert refused(late, "assign", "SturmB 1", value=number("4 ID")).rule == "11.3.2b"


# Trucks


def trucked(cargo: str, extra: str = "") -> str:
    return f"Trucks, {cargo} @ E2312{extra}"


@rule("italia1918", "11.3.4a", "11.3.4d")
def test_trucks_have_15_points_and_half_prices_on_roads():
    found = reach(table("Trucks @ E2312", ENTENTE), "Trucks")
    assert found.points == 15 * WAR.scale
    assert found.cost(at("E2313")) == WAR.scale // 2


@rule("italia1918", "11.3.4.1a")
@pytest.mark.parametrize(
    ("cargo", "room"),
    [
        ("22 DF", True),
        ("CArt I CdA", True),
        ("Como Bde, Aosta Bde", True),
        ("3 Alpini, 4 Alpini, 5 Alpini, 6 Alpini", True),
        ("22 DF, 3 Alpini", False),
        ("Como Bde, Aosta Bde, Etna Bde", False),
        ("3 Alpini, 4 Alpini, 5 Alpini, 6 Alpini, 7 Alpini", False),
    ],
)
def test_what_trucks_carry(cargo: str, room: bool):
    match = moving(trucked(cargo), ENTENTE)
    do(match, "move", "Trucks")
    riders = cargo.split(", ")
    for rider in riders[:-1]:
        do(match, "load", rider)
    if room:
        do(match, "load", riders[-1])
    else:
        assert refused(match, "load", riders[-1]).rule == "11.3.4.1a"


@rule("italia1918", "15.4a", "11.3.4.1a")
def test_what_they_do_not_carry():
    match = moving(trucked("22 DF, 7 Div/20, Alp 1, HQ I Armata"), ENTENTE)
    do(match, "move", "Trucks")
    assert refused(match, "load", "HQ I Armata").rule == "15.4a"
    assert refused(match, "load", "7 Div/20").rule == "11.3.4.1a"
    assert refused(match, "load", "Alp 1").rule == "11.3.4.1a"
    assert {unit.side for unit in WAR.roster if unit.kind == "trucks"} == {"Entente"}


@rule("italia1918", "11.3.4.1b")
def test_one_support_of_assault_troops_rides_and_no_more():
    hosts = {"Arditi 1": "Como Bde", "Arditi 2": "Aosta Bde"}
    pos = table("Trucks, Como Bde, Aosta Bde, Arditi 1, Arditi 2 @ E2312", ENTENTE, hosts=hosts)
    match = play(pos, movement_begins, movement_phase)
    do(match, "move", "Trucks")
    do(match, "load", "Como Bde")
    assert match.position.loaded == units("Como Bde, Arditi 1")
    assert refused(match, "load", "Aosta Bde").rule == "11.3.4.1b"


@rule("italia1918", "11.3.4.1c")
def test_nobody_gets_in_on_the_way():
    match = moving("Trucks, 22 DF @ E2312; 3 Alpini @ E2313", ENTENTE)
    do(match, "move", "Trucks")
    assert refused(match, "load", "3 Alpini").rule == "11.3.4.1c"
    do(match, "go", "Trucks", "E2313")
    assert refused(match, "load", "3 Alpini").rule == "11.3.4.1c"


@rule("italia1918", "11.3.4.1d", "11.3.4.1e")
def test_a_stop_costs_five_points_however_many_get_out():
    match = moving(trucked("3 Alpini, 4 Alpini, 5 Alpini"), ENTENTE)
    do(match, "move", "Trucks")
    for rider in ("3 Alpini", "4 Alpini", "5 Alpini"):
        do(match, "load", rider)
    do(match, "go", "Trucks", "E2313")
    before = match.position.left
    do(match, "unload", "3 Alpini")
    assert match.position.left == before - 5 * WAR.scale
    do(match, "unload", "4 Alpini")
    assert match.position.left == before - 5 * WAR.scale
    do(match, "go", "Trucks", "E2314")
    pos = match.position
    assert pos.hex[number("4 Alpini")] == at("E2313")
    assert pos.hex[number("5 Alpini")] == at("E2314")
    halt(match, "Trucks")
    assert refused(match, "move", "3 Alpini").rule == "11.1.1a"
    assert refused(match, "move", "5 Alpini").rule in ("11.1.1a", "11.3.4.1e")


@rule("italia1918", "11.3.4.1g")
def test_units_may_stay_in_the_trucks():
    match = moving(trucked("22 DF"), ENTENTE)
    do(match, "move", "Trucks")
    do(match, "load", "22 DF")
    assert match.position.left == 15 * WAR.scale
    do(match, "go", "Trucks", "E2314")
    halt(match, "Trucks")
    assert match.position.loaded == units("22 DF")
    assert match.position.hex[number("22 DF")] == at("E2314")


# Reinforcements


@rule("italia1918", "11.1.5a", "S1.R1")
def test_reinforcements_come_in_their_turn_and_sequence():
    hq = "HQ XIV Armee @ E3034"
    early = table(hq, scenario="caporetto", turn=1, sequence=1)
    assert expected(WAR, early) == {}
    due = table(hq, scenario="caporetto", turn=1, sequence=2)
    assert {WAR.names[unit] for unit in expected(WAR, due)} == {"13 SchD"}
    match = play(due, arrivals_phase)
    do(match, "bring on", "13 SchD", "E3034")
    pos = match.position
    assert pos.hex[number("SturmB 6")] == at("E3034")
    assert pos.host[number("SturmB 6")] == number("13 SchD")
    assert told(match, "arrives") == ["13 SchD", "SturmB 6"]


@rule("italia1918", "11.1.5b")
def test_they_come_with_or_next_to_a_headquarters_on_a_road_or_railway():
    pos = table("HQ XIV Armee @ E3034", scenario="caporetto", turn=1, sequence=2)
    (places,) = expected(WAR, pos).values()
    assert codes(places) == codes(WAR.lattice.disc(at("E3034"), 1) & WAR.theatres[1].area)
    off = next(
        iter(
            codes(
                WAR.lattice.disc(at("E3233"), 3)
                & WAR.ground.mountains
                & ~WAR.ground.roaded
                & ~WAR.ground.rail_hexes
            )
        )
    )
    lost = table(f"HQ XIV Armee @ {off}", scenario="caporetto", turn=1, sequence=2)
    assert set(expected(WAR, lost).values()) == {0}
    other = table("HQ 10 Armee @ E3034", scenario="caporetto", turn=1, sequence=2)
    assert set(expected(WAR, other).values()) == {0}  # 13 SchD comes to 14th Army alone


@rule("italia1918", "11.1.5c", "11.1.5d")
def test_they_may_be_too_many_at_first_and_move_at_once():
    pos = table("HQ XIV Armee, 28 ID, 3 ID/216 @ E3034", scenario="caporetto", turn=1, sequence=2)
    match = play(pos, arrivals_phase, movement_begins, movement_phase)
    do(match, "bring on", "13 SchD", "E3034")
    assert "13 SchD" in names(match, "move")
    go(match, "13 SchD", "E3033")


@rule("italia1918", "11.1.5e")
def test_an_arrival_that_is_impossible_waits():
    pos = table("4 ID @ E3034", scenario="caporetto", turn=1, sequence=2)
    match = play(pos, arrivals_phase, movement_begins, movement_phase)
    assert "bring on" not in verbs(match)
    later = table("HQ XIV Armee @ E3034", scenario="caporetto", turn=1, sequence=3)
    assert {WAR.names[unit] for unit in expected(WAR, later)} == {"13 SchD"}
    held = table("HQ XIV Armee @ E3034; 22 DF @ E3033", scenario="caporetto", turn=1, sequence=2)
    (places,) = expected(WAR, held).values()
    assert "E3033" not in codes(places)


ARRIVALS = [
    ("grappa", 17, 2, CENTRAL, {"50 ID"}),
    ("caporetto", 1, 2, CENTRAL, {"13 SchD", "SturmB 6"}),
    ("caporetto", 2, 1, CENTRAL, {"4 ID", "SturmB 7"}),
    ("caporetto", 2, 2, CENTRAL, {"33 ID", "SturmB 8"}),
    ("caporetto", 1, 2, ENTENTE, {"7 Alpini", "8 Alpini"}),
    ("caporetto", 3, 1, ENTENTE, {"3 DC", "4 DC"}),
    ("albrecht", 25, 1, CENTRAL, {"12 rtSchD"}),
    ("albrecht", 25, 1, ENTENTE, {"1 DA/1", "1 DA/2", "1 DA/3", "22 DF", "37 DF"}),
    ("solstice", 25, 1, CENTRAL, {"12 rtSchD"}),
    ("solstice", 25, 1, ENTENTE, {"22 DF", "37 DF"}),
    ("vittorio", 32, 1, ENTENTE, {"15 Alpini"}),
]


def scheduled(scenario: str, side: int) -> list[tuple[int, int, set[str], str]]:
    theatre = next(t for t in WAR.theatres if t.scenario.key == scenario)
    groups = [g for g in theatre.arrivals if WAR.side_of[WAR.number[g.units[0]]] == side]
    return [(g.turn, g.sequence, set(g.units), g.at) for g in groups]


@rule("italia1918", "S0.R", "S1.R2a", "S1.R2b")
@pytest.mark.parametrize(("scenario", "turn", "sequence", "side", "who"), ARRIVALS[:5])
def test_the_arrivals_of_1917(scenario: str, turn: int, sequence: int, side: int, who: set[str]):
    assert (turn, sequence, who) in [group[:3] for group in scheduled(scenario, side)]


@rule("italia1918", "S1.R3b", "S3.Ra", "S3.Rb")
@pytest.mark.parametrize(("scenario", "turn", "sequence", "side", "who"), ARRIVALS[5:8])
def test_the_arrivals_of_albrecht(
    scenario: str, turn: int, sequence: int, side: int, who: set[str]
):
    assert (turn, sequence, who) in [group[:3] for group in scheduled(scenario, side)]


@rule("italia1918", "S4.Ra", "S4.Rb", "S5.R")
@pytest.mark.parametrize(("scenario", "turn", "sequence", "side", "who"), ARRIVALS[8:])
def test_the_arrivals_of_1918(scenario: str, turn: int, sequence: int, side: int, who: set[str]):
    assert (turn, sequence, who) in [group[:3] for group in scheduled(scenario, side)]


@rule("italia1918", "S1.R3a", "S1.R1", "S1.R2a")
def test_some_come_to_one_headquarters_and_others_to_any():
    central = {frozenset(who): at for _, _, who, at in scheduled("caporetto", CENTRAL)}
    assert sorted(central.values()) == ["", "HQ XIV Armee", "HQ XIV Armee"]
    assert central[frozenset({"33 ID", "SturmB 8"})] == ""
    entente = {turn: at for turn, _, _, at in scheduled("caporetto", ENTENTE)}
    assert entente == {1: "HQ II Armata", 3: ""}


def test_no_other_reinforcements_come():
    assert sum(len(theatre.arrivals) for theatre in WAR.theatres) == len(ARRIVALS)
