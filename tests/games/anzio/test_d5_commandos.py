from typing import Any

from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.c5_invasion import ashore, commando_shores
from apennine.games.anzio.rules.c7_sea import landings
from apennine.games.anzio.table.position import CLOSED, DUE, GERMAN, OPEN
from apennine.games.anzio.table.war import SCALE
from apennine.hexes import first_bit
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    codes,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    table,
    units,
    verbs,
)
from tests.games.anzio.test_c5_sea import landing, movement

G = WAR.ground
NORTH = G.middle_north


def raiding(counters: str = "2SS, 5 Br @ Sicilia", **fields: Any):
    given: dict[str, Any] = {"turn": 3, "invasions": 1, "commandos": True}
    return play(table(counters, **given | fields), movement)


@rule("anzio", "D5B1")
def test_commandos_land_on_any_shore_of_the_coast_that_is_invaded():
    west = hexes(landing("2SS, 5 Br @ Sicilia", commandos=True), "land", "2SS")
    assert {"P68", "J55", "I53"} <= west
    assert not west & codes(G.region("east-coast") & ~G.region("west-coast"))
    east = hexes(landing("2SS, 5 Br @ Sicilia", "X46", commandos=True), "land", "2SS")
    gulf = codes(G.region("east-coast") & G.region("west-coast"))
    assert {"V42", "W46"} <= east
    assert west & gulf
    assert east & gulf
    assert not east & {"P68", "J55"}
    plain = hexes(landing("2SS, 5 Br @ Sicilia"), "land", "2SS")
    assert not plain & {"P68", "J55"}


@rule("anzio", "D5B2")
def test_not_north_of_the_middle_fold_but_anywhere_in_the_roma_zone_of_a_second_invasion():
    pos = landing("2SS, 5 Br @ Sicilia", commandos=True).position
    assert not commando_shores(WAR, pos, raid=False) & NORTH
    match = landing("2SS, 5 Br @ Sicilia", "G52", turn=8, invasions=1, commandos=True)
    roma = G.bases[base("Roma zone")].hexes
    shores = commando_shores(WAR, match.position, raid=False)
    assert roma & NORTH
    assert shores & NORTH == roma & NORTH
    assert codes(roma) <= hexes(match, "land", "2SS")
    east = landing("2SS, 5 Br @ Sicilia", "X46", turn=8, invasions=1, commandos=True).position
    assert not commando_shores(WAR, east, raid=False) & roma


@rule("anzio", "D5B3")
def test_commandos_count_against_the_lift_wherever_they_land():
    match = landing("2SS, 5 Br @ Sicilia", commandos=True)
    do(match, "land", "2SS", "P68")
    assert match.position.lifted == 1


@rule("anzio", "D5B4")
def test_commandos_have_four_points():
    shores = G.bases[base("Salerno zone")].hexes
    three, four = (ashore(WAR, shores, 0, 0, False, commando) for commando in (False, True))
    assert (three.points, four.points) == (3 * SCALE, 4 * SCALE)
    assert three.ends < four.ends


@rule("anzio", "D5B5")
def test_rough_shores_cost_two_points_and_swamps_all():
    swamp, rough = mask("W14"), 1 << first_bit(G.rough_shore)
    for shore, points in ((swamp, 4), (rough, 2), (mask("N61"), 1)):
        found = ashore(WAR, shore, 0, 0, False, True)
        assert found.cost(first_bit(shore)) == points * SCALE
    assert ashore(WAR, swamp, 0, 0, False, True).ends == swamp


@rule("anzio", "D5B6")
def test_once_ashore_a_road_costs_a_point_a_hexside():
    pace = WAR.book.movement["lift"]
    assert (pace.price("major"), pace.price("minor")) == (1, 1)
    shores = G.bases[base("Salerno zone")].hexes
    found = ashore(WAR, shores, 0, 0, False, True)
    roads = [
        (hex, WAR.lattice.neighbour(hex, d))
        for hex in range(WAR.lattice.size)
        if shores >> hex & 1
        for d in range(6)
        if G.major[d] >> hex & 1
    ]
    inland = [there for _, there in roads if not shores >> there & 1]
    assert inland
    assert all(found.cost(there) == 2 * SCALE for there in inland)


@rule("anzio", "D5B8")
def test_a_beach_of_another_zone_takes_in_nobody_without_its_own_counter():
    match = landing("2SS, 56 Br, 5 Br @ Sicilia", commandos=True)
    do(match, "land", "2SS", "G52")
    do(match, "land", "56 Br", "N61")
    pos = match.position
    pos.bases[base("Salerno zone")] = OPEN
    found = landings(WAR, pos, units("5 Br"), transfer=False)
    assert found >> at("N61") & 1
    assert not found >> at("G52") & 1
    assert pos.bases[base("Terracina zone")] == CLOSED


@rule("anzio", "D5B9", "D5C5")
def test_commandos_open_a_port_outside_the_zone():
    match = raiding(ports=1)
    do(match, "raid", "2SS", "O67")
    pos = match.position
    pos.phase = "end"
    end = play(pos, end_phase)
    do(end, "build port", hex="O67")
    end.position.bases[base("Sapri", port=True)] = OPEN
    assert landings(WAR, end.position, units("168 Br"), transfer=False) >> at("O67") & 1


@rule("anzio", "D5C1")
def test_raids_stay_south_of_the_middle_fold():
    assert not commando_shores(WAR, raiding().position, raid=True) & NORTH
    assert refused(raiding(), "raid", "2SS", "V22").rule == "D5C1"
    assert {"N61", "X46", "P68"} <= hexes(raiding(), "raid")


@rule("anzio", "D5C2")
def test_one_commando_raids_in_a_turn_without_an_invasion():
    match = raiding("2SS, 6615 Rgr, 5 Br @ Sicilia")
    assert names(match, "raid") == {"2SS", "6615 Rgr"}
    assert refused(match, "raid", "5 Br", "N61").rule == "D5A"
    do(match, "raid", "2SS", "P68")
    assert refused(match, "raid", "6615 Rgr", "N61").rule == "D5C2"
    match = landing("2SS, 5 Br @ Sicilia", commandos=True)
    do(match, "land", "5 Br", "N61")
    assert refused(match, "raid", "2SS", "P68").rule == "D5C2"
    assert "raid" not in verbs(raiding(commandos=False))


@rule("anzio", "D5C3")
def test_a_raid_brings_the_germans_nothing_and_takes_no_lift():
    match = raiding(turn=9, supporting_fire=True)
    do(match, "raid", "2SS", "P68")
    pos = match.position
    assert (pos.invasions, pos.lifted, pos.ports) == (1, 0, 0)
    pos.side, pos.phase = GERMAN, "arrivals"
    after = play(pos, arrivals_phase).position
    assert all(after.hex[number(n)] != DUE for n in ("76 Inf", "92 Inf"))


@rule("anzio", "D5C6")
def test_a_raider_starts_as_invaders_do_and_mud_does_not_slow_it():
    assert refused(raiding("2SS @ Q62; 5 Br @ Sicilia"), "raid", "2SS", "P68").rule == "D5C6"
    good, mud = (hexes(raiding(turn=turn), "raid") for turn in (3, 6))
    assert good == mud


@rule("anzio", "C2A3")
def test_the_second_invasion_brings_reaction_units_at_once_and_a_turn_later():
    nobody: set[str] = set()
    for turn, come in ((8, {"76 Inf", "92 Inf"}), (9, {"715m", "60 PzG"}), (10, nobody)):
        pos = table("", "arrivals", GERMAN, turn=turn, invasions=3, invaded=8)
        after = play(pos, arrivals_phase).position
        due = {WAR.names[u] for u, place in enumerate(after.hex) if place == DUE}
        assert due & {"76 Inf", "92 Inf", "715m", "60 PzG"} == come
    first = table("", "arrivals", GERMAN, turn=1, invasions=1, invaded=1)
    assert DUE not in play(first, arrivals_phase).position.hex
