from typing import Any

from apennine.games.anzio.rules.b4g_retreat import retreat, ways
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.hexes import bits, mask_of
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)

G = WAR.ground


def ends(counters: str, unit: str, **fields: Any) -> set[str]:
    """Where a unit may retreat to."""
    return codes(mask_of(ways(WAR, table(counters, "combat", **fields), number(unit))))


def retreating(counters: str, who: str, **fields: Any):
    pos = table(counters, "combat", **fields)
    return play(pos, lambda war, pos: retreat(war, pos, units(who), "B4G1"))


@rule("anzio", "B4G2a", "B4G2b")
def test_a_retreat_is_one_or_two_hexes_and_not_back_to_where_it_began():
    found = ends("29 PzG @ Q12", "29 PzG")
    assert "Q12" not in found
    assert {WAR.lattice.distance(at("Q12"), at(h)) for h in found} == {1, 2}
    match = retreating("29 PzG @ Q12", "29 PzG")
    assert refused(match, "retreat", "29 PzG", "Q12").rule == "B4G2b"


@rule("anzio", "B4G4b")
def test_a_retreat_neither_ends_in_nor_leads_through_an_enemy_zone():
    found = ends("29 PzG @ Q12; 5 Br @ Q10", "29 PzG")
    assert not found & codes(G.beside[at("Q10")])
    around = "5 Br @ Q10; 46 Br @ S11; 56 Br @ O13; 78 Br @ S12; 36 US @ O14; 45 US @ Q14"
    match = retreating(f"29 PzG @ Q12; {around}", "29 PzG")
    assert told(match, "is destroyed") == ["29 PzG"]
    assert match.position.hex[number("29 PzG")] == DESTROYED


@rule("anzio", "B4G3b5")
def test_a_retreat_does_not_cross_a_river_that_was_come_to_in_this_turn():
    bound = G.rivers.step(at("U27"), 0, WAR.lattice.direction(at("U27"), at("U26")))
    pos = table("29 PzG @ U26", "combat", GERMAN)
    assert "U25" in codes(mask_of(ways(WAR, pos, number("29 PzG"))))
    pos.bank[number("29 PzG")] = bound
    first = {WAR.lattice.code(way[0][0]) for way in ways(WAR, pos, number("29 PzG")).values()}
    assert "U25" not in first
    assert {"U27", "T27"} & first


@rule("anzio", "B4G3d")
def test_a_second_retreat_of_the_turn_remembers_the_river():
    match = retreating("29 PzG @ U27; 5 Br @ U29", "29 PzG", side=ALLIED)
    assert "U26" in hexes(match, "retreat")
    do(match, "retreat", "29 PzG", "U26")
    pos = match.position
    assert pos.bank[number("29 PzG")]
    assert "U25" not in {
        WAR.lattice.code(way[0][0]) for way in ways(WAR, pos, number("29 PzG")).values()
    }


def steep_hex() -> tuple[int, list[int], list[int]]:
    """A hex with sides all of High Apennine, the hexes behind these, and the others next to it."""
    for hex in bits(G.stands & ~G.rivers.hexes):
        near = list(bits(G.beside[hex]))
        high = [h for h in near if G.roadless_high[WAR.lattice.direction(hex, h)] >> hex & 1]
        if len(high) == 1 and len(near) == 6:
            return hex, high, [h for h in near if h not in high]
    raise LookupError("The map has no such hex.")


@rule("anzio", "B4G3c1", "D8B5")
def test_a_high_ridge_is_crossed_only_if_there_is_no_other_way():
    hex, high, _ = steep_hex()
    here = WAR.lattice.code(hex)
    first = [
        {way[0][0] for way in ways(WAR, pos, number("2 Mor")).values()}
        for pos in (
            table(f"2 Mor @ {here}", "combat", GERMAN),
            table(f"2 Mor @ {here}", "combat", GERMAN, mountain=True),
        )
    ]
    assert high[0] not in first[0]
    assert high[0] in first[1]


@rule("anzio", "B4G1", "B4G5")
def test_units_of_a_stack_retreat_each_on_a_way_of_its_own():
    match = retreating("29 PzG, 3 PzG @ Q12", "29 PzG, 3 PzG")
    do(match, "retreat", "29 PzG", "Q11")
    do(match, "retreat", "3 PzG", "R12")
    assert [match.position.hex[number(n)] for n in ("29 PzG", "3 PzG")] == [at("Q11"), at("R12")]


@rule("anzio", "C10C12")
def test_a_unit_in_retreat_destroys_unprotected_counters_that_it_comes_next_to():
    match = retreating("29 PzG @ S15; 5 Br @ S17 steps=1", "29 PzG")
    do(match, "retreat", "29 PzG", "S16")
    assert told(match, "is destroyed") == ["5 Br"]


@rule("anzio", "C7C5c", "B4G3a")
def test_allied_units_on_a_beach_are_evacuated_to_sicilia_in_the_german_turn():
    match = retreating("5 Br @ N61; 16 Pz @ O61", "5 Br", side=GERMAN)
    assert "embark" in verbs(match)
    do(match, "embark", "5 Br")
    assert match.position.hex[number("5 Br")] == G.sicilia
    assert steps(match, "5 Br") == 1


@rule("anzio", "C8F")
def test_allied_units_retreat_off_the_edge_to_taranto():
    match = retreating("168 Br @ Y62; 1 Para @ X62", "168 Br", side=GERMAN)
    assert "Taranto" in hexes(match, "retreat")


@rule("anzio", "C8H")
def test_germans_do_not_leave_over_that_edge():
    match = retreating("1 Para @ Y62; 168 Br @ X62", "1 Para")
    assert "Taranto" not in hexes(match, "retreat")
