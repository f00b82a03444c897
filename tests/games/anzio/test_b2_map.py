"""B2 and B3: what the map and the counters say."""

from itertools import pairwise

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4h_odds import is_halved, multiplier
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.c8_edges import crossing_price
from apennine.games.anzio.table.position import ALLIED, DUE, GERMAN
from apennine.games.anzio.table.war import SCALE
from apennine.hexes import bits
from apennine.kernel.decision import Procedure
from apennine.mechanics.ground import common, less, union
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    codes,
    do,
    hexes,
    march,
    mask,
    names,
    number,
    play,
    price,
    refused,
    table,
    units,
)
from tests.games.anzio.ground import side_of

G, BOARD, LATTICE = WAR.ground, WAR.board, WAR.lattice


def movement(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


@rule("anzio", "B2Aa")
def test_places_are_named_by_letter_and_number():
    places = BOARD.places
    assert codes(places["Napoli"].hexes) == {"K57"}
    assert codes(places["Bologna"].hexes) == {"Q15"}
    assert at("Y0") in LATTICE
    letters = {BOARD.code(h)[0] for h in bits(G.land)}
    assert letters == set("ABCDEFGHIJKLMNOPQRSTUVWXY")


@rule("anzio", "B2B1")
def test_every_side_between_land_hexes_has_a_kind_and_swamp_is_as_high():
    for d in range(6):
        crossed = G.plain[d] | G.rough[d] | G.high[d]
        assert not G.open[d] & ~crossed & ~G.all_roads[d]
    kinds = G.plain, G.rough, G.high
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not any(common(kinds[one], kinds[other]))
    here, there = side_of(less(G.swamp, G.all_roads))
    assert there in codes(march(f"5 Br @ {here}", "5 Br").ends)
    assert WAR.node[at(there), 0] in WAR.paths("good", climbs=False).climbs[WAR.node[at(here), 0]]


@rule("anzio", "B2B5")
def test_rivers_cross_two_sides_or_reach_the_sea_and_bridges_do_not_break_them():
    rivers = G.rivers
    assert rivers.hexes >> at("E22") & 1
    assert rivers.bridges >> at("E22") & 1
    for hex in bits(rivers.hexes):
        assert len(rivers.at[hex]) >= 1
    mouths = [h for h in bits(rivers.hexes & G.coast) if h not in rivers.stretches]
    assert all(rivers.at[h] for h in mouths)


@rule("anzio", "B2C1")
def test_mountains_double_defenders_and_cost_no_more_to_enter():
    assert G.mountains >> at("D12") & 1
    for hex in bits(G.mountains & ~G.rivers.hexes):
        near = [n for n in bits(G.beside[hex]) if not G.rivers.hexes >> n & 1]
        plain = [n for n in near if G.plain[LATTICE.direction(n, hex)] >> n & 1]
        if plain:
            here, there = BOARD.code(plain[0]), BOARD.code(hex)
            pos = table(f"5 Br @ {here}; 29 PzG @ {there}", "combat")
            assert multiplier(WAR, pos, units("5 Br"), hex) == 2
            assert price(f"5 Br @ {here}", "5 Br", there) <= 1
            return
    raise LookupError("no mountain beside a plain")


@rule("anzio", "B2C2")
def test_six_air_bases():
    assert codes(G.air_bases) == {"E23", "X52", "K57", "F45", "F44", "G44"}


@rule("anzio", "B2D3a", "B2D3b")
def test_bridges_are_where_roads_cross_and_in_cities_on_rivers_but_not_at_fiumicino():
    bridges = codes(G.rivers.bridges)
    assert {"E22", "F45", "S9"} <= bridges
    assert "D45" in codes(G.rivers.hexes)
    assert "D45" not in bridges


@rule("anzio", "B2D4")
def test_roads_go_on_through_cities():
    firenze = BOARD.places["Firenze"].hexes
    for hex in bits(firenze):
        ways = [d for d in range(6) if G.major[d] >> hex & 1]
        assert len(ways) >= 2
        here, there = (BOARD.code(LATTICE.neighbour(hex, d)) for d in (ways[0], ways[-1]))
        assert price(f"5 Br @ {here}", "5 Br", there) <= 1  # two sides of a major road


@rule("anzio", "B2D9")
def test_zones_are_stretches_of_beach():
    assert codes(G.bases[base("Genova zone")].hexes) == {"A14", "B14"}
    for number_ in range(len(G.bases)):
        if not G.bases[number_].is_port:
            assert not G.bases[number_].hexes & ~G.beaches


@rule("anzio", "B2E1")
def test_a_small_lake_is_no_obstacle():
    assert G.stands >> at("G40") & 1
    assert BOARD.terrain_of(at("G40")) in ("plain", "rough")
    assert len([d for d in range(6) if G.open[d] >> at("G40") & 1]) == 6


@rule("anzio", "B2E5", "B2F3")
def test_coastal_hexes_are_playable_unless_too_small():
    small = BOARD.regions["too-small"]
    assert small
    assert not small & G.land
    assert not G.coast & ~G.stands
    for hex in bits(small):
        match = play(table("5 Br @ N61"), movement)
        do(match, "move", "5 Br")
        assert refused(match, "go", "5 Br", BOARD.code(hex)).rule == "B2F2b"
        break


@rule("anzio", "B2F2a")
def test_partial_hexes_of_the_south_north_and_west_are_playable():
    south, north = "N74 P73 R72 T71", "A12 C11 E10 G9 I8 K7 M6 O5 Q4 U2 W1 Y0"
    playable = codes(G.stands)
    assert {*south.split(), *north.split(), "A13", "A14"} <= playable


@rule("anzio", "B2F2b")
def test_beyond_the_east_edge_nobody_goes():
    for hex in bits(G.land):
        if BOARD.code(hex)[0] == "Y":
            east = [LATTICE.neighbour(hex, d) for d in range(6)]
            beyond = [n for n in east if n >= 0 and BOARD.code(n)[0] not in "XY"]
            assert not any(G.land >> n & 1 for n in beyond)


@rule("anzio", "B2G1")
def test_sicilia_is_a_box_of_the_allies():
    box = BOARD.box("Sicilia")
    assert box.location == G.sicilia >= LATTICE.size
    match = play(table("5 Br @ Sicilia; 46 Br @ Messina"), movement)
    assert names(match, "move") == {"5 Br", "46 Br"}


@rule("anzio", "B3c")
def test_mountain_units_and_commandos_are_marked():
    assert {"5 Mtn", "3+4", "2 Mor", "1SSF"} <= {WAR.names[u] for u in bits(WAR.mountaineers)}
    commandos = {WAR.names[u] for u in bits(WAR.commandos)}
    assert commandos == {"2SS", "1SSF", "6615 Rgr", "82/504"}


@rule("anzio", "X3-2D6", "X3-2F1")
def test_sapri_is_a_port_and_garda_a_lake():
    sapri = G.bases[base("Sapri", port=True)]
    assert (codes(sapri.hexes), sapri.build_up, sapri.capacity) == ({"O67"}, 4, 10)
    assert not G.land & mask("T3 S4")


# Movement.


@rule("anzio", "B4C10")
def test_the_cheapest_of_what_a_side_holds_counts():
    mixed = common(G.major, union((G.rough, G.high)))
    here, there = side_of(mixed)
    assert price(f"5 Br @ {here}", "5 Br", there) == 0.5
    here, there = side_of(less(common(G.sides("plain-rough"), G.plain), G.all_roads))
    assert price(f"5 Br @ {here}", "5 Br", there) == 1


@rule("anzio", "B4C11g")
def test_a_move_mixes_roads_and_open_ground():
    found = march("5 Br @ Q12", "5 Br")
    costs = {found.near.cost(at(hex)) for hex in codes(found.ends) if found.near.cost(at(hex)) > 0}
    assert any(cost % SCALE for cost in costs)
    assert any(cost > 2 * SCALE and cost % SCALE == 0 for cost in costs)
    paths = [found.near.path(hex) for hex in bits(found.ends)]
    assert any(_mixed(path, at("Q12")) for path in paths)


def _mixed(path: list[int], here: int) -> bool:
    steps = [here, *(WAR.node_hex[node] for node in path)]
    on_road = [bool(G.all_roads[LATTICE.direction(a, b)] >> a & 1) for a, b in pairwise(steps)]
    return True in on_road and False in on_road


@rule("anzio", "B4C12a")
def test_a_river_on_a_side_costs_nothing_and_does_not_hide_its_swamp():
    beyond = LATTICE.neighbour(at("F50"), 1)
    assert G.high[1] >> at("F50") & 1
    assert G.rivers.hexes >> at("F50") & 1 or G.rivers.hexes >> beyond & 1
    edges = WAR.paths("good", climbs=False)
    for hex, stretch in G.rivers.stretches.items():
        for d in stretch.arms:
            if G.plain[d] >> hex & 1 and not G.all_roads[d] >> hex & 1:
                node = WAR.node[hex, 0]
                prices = {WAR.node_hex[t]: p for t, p in edges.edges[node]}
                assert prices[LATTICE.neighbour(hex, d)] == SCALE
                return


@rule("anzio", "B4C14d")
def test_a_ridge_takes_all_points_of_strategic_movement_too():
    for d in range(6):
        for hex in bits(G.roadless_high[d] & G.stands & ~G.rivers.hexes):
            beyond = LATTICE.neighbour(hex, d)
            far = march(f"5 Br @ {BOARD.code(hex)}", "5 Br", sm=True).far
            if far.cost(beyond) == far.points:  # no other way is shorter
                assert len(far.path(beyond)) == 1
                assert far.points == 48
                return
    raise LookupError("every ridge can be walked around")


# Those who come.


@rule("anzio", "C1A2")
def test_allied_units_come_to_sicilia_on_their_date_and_may_sail_at_once():
    pos = play(table("", turn=2), arrivals_phase).position
    come = {"3 US", "34 US", "7 Arm Br", "8 Ind"}
    assert all(pos.hex[number(n)] == G.sicilia for n in come)
    assert pos.hex[number("2 NZ")] != G.sicilia
    pos.phase = "movement"
    match = play(pos, movement)
    do(match, "move", "3 US")
    assert "Messina" in hexes(match, "sail")


@rule("anzio", "C2A2", "C2A5b")
def test_german_units_come_over_the_northern_edges_and_may_go_on_strategically():
    pos = play(table("", "arrivals", GERMAN, turn=5), arrivals_phase).position
    assert pos.hex[number("65 Inf")] == DUE
    pos.phase = "movement"
    match = play(pos, movement)
    do(match, "move", "65 Inf")
    assert match.position.extra == 16
    assert mask(" ".join(hexes(match, "come on"))) == G.german_edge & G.stands
    roads = [h for h in bits(G.german_edge) if G.exit_road(h) == "major"]
    assert roads
    assert crossing_price(WAR, match.position, roads[0], climbs=False) == 1
    do(match, "come on", hex=BOARD.code(roads[0]))
    assert (match.position.points, match.position.extra) == (15, 16)


@rule("anzio", "X3-2D1")
def test_a_road_does_not_smooth_a_ridge_for_those_who_attack_over_it():
    here, there = side_of(common(G.high, G.all_roads))
    pos = table(f"5 Br @ {here}; 29 PzG @ {there}", "combat", ALLIED)
    assert is_halved(WAR, pos, number("5 Br"), mask(there))
    assert price(f"5 Br @ {here}", "5 Br", there) <= 1
