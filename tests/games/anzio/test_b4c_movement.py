from itertools import pairwise

from apennine.games.anzio.rules.b4c_march import reach
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.table.position import GERMAN, Table
from apennine.games.anzio.table.war import War
from apennine.hexes import bits
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    march,
    names,
    number,
    play,
    price,
    refused,
    steps,
    table,
    told,
)
from tests.games.anzio.ground import side_of

G = WAR.ground
MUD_TURN = 6


def movement(war: War, pos: Table) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


@rule("anzio", "B4C11a")
def test_any_plain_on_a_side_costs_a_point():
    a, b = side_of(G.plain, without=G.all_roads)
    assert price(f"5 Br @ {a}", "5 Br", b) == 1


@rule("anzio", "B4C11b", "B4C9")
def test_a_side_all_rough_costs_two_points():
    a, b = side_of(G.rough, without=G.all_roads)
    assert price(f"5 Br @ {a}", "5 Br", b) == 2


@rule("anzio", "B4C11c")
def test_a_side_all_high_takes_all_points_and_only_as_the_first_step():
    a, b = side_of(G.high, without=G.all_roads)
    start = [(WAR.node[at(a), 0], 0)]
    for points in (1, 24):
        found = reach(WAR, start, points, "good", False, 0, 0, points)
        assert found.ends >> at(b) & 1
    assert reach(WAR, start, 1, "good", False, 0, 0, 1).cost(at(b)) == 1
    assert not reach(WAR, start, 1, "good", False, 0, 0, 0).ends >> at(b) & 1


@rule("anzio", "B4C11d")
def test_a_major_road_costs_half_a_point_whatever_else_is_there():
    a, b = side_of(G.major)
    assert price(f"5 Br @ {a}", "5 Br", b) == 0.5


@rule("anzio", "B4C11e", "B4C11f")
def test_a_minor_road_costs_a_point_over_rough_ground():
    sides = tuple(x & y for x, y in zip(G.minor, G.rough))
    a, b = side_of(sides)
    assert price(f"5 Br @ {a}", "5 Br", b) == 1


@rule("anzio", "C3a")
def test_mud_doubles_the_cost_of_plain_and_rough():
    a, b = side_of(G.plain, without=G.all_roads)
    c, d = side_of(G.rough, without=G.all_roads)
    near, far = price(f"5 Br @ {a}", "5 Br", b), price(f"5 Br @ {c}", "5 Br", d)
    muddy = (
        price(f"5 Br @ {a}", "5 Br", b, turn=MUD_TURN),
        price(f"5 Br @ {c}", "5 Br", d, turn=MUD_TURN),
    )
    assert (near, far) == (1, 2)
    assert muddy[0] == 2
    assert muddy[1] > far


@rule("anzio", "C3b")
def test_mud_leaves_roads_as_they_are():
    a, b = side_of(G.major)
    assert price(f"5 Br @ {a}", "5 Br", b, turn=MUD_TURN) == 0.5


@rule("anzio", "B4C14a")
def test_strategic_movement_doubles_the_points():
    assert march("5 Br @ R70", "5 Br", sm=True).far.points == 48
    assert march("65 Inf @ R70", "65 Inf", side=GERMAN, sm=True).far.points == 32


@rule("anzio", "B4C14b")
def test_strategic_movement_enters_no_enemy_zone():
    found = march("5 Br @ R70; 15 PzG @ N59", "5 Br", sm=True)
    held = WAR.ground.beside[at("N59")]
    assert found.far.ends
    assert not found.far.ends & held


@rule("anzio", "B4C14b", "B4E13")
def test_who_starts_next_to_the_enemy_moves_away_but_not_strategically():
    match = play(table("5 Br @ Q62; 29 PzG @ Q61"), movement)
    do(match, "move", "5 Br")
    assert match.position.extra == 0
    assert hexes(match, "go")


@rule("anzio", "B4E2")
def test_a_unit_stops_as_it_enters_an_enemy_zone():
    match = play(table("5 Br @ R70; 29 PzG @ Q62"), movement)
    do(match, "move", "5 Br")
    entered = min(h for h in codes(G.beside[at("Q62")]) if h in hexes(match, "go"))
    do(match, "go", hex=entered)
    assert not match.position.movers
    beyond = march("5 Br @ R70; 29 PzG @ Q62", "5 Br").near
    for hex in bits(beyond.ends & G.beside[at("Q62")]):
        assert all(not G.beside[at("Q62")] >> WAR.node_hex[n] & 1 for n in beyond.path(hex)[:-1])


@rule("anzio", "B4E14")
def test_nobody_goes_straight_from_one_enemy_zone_to_another():
    match = play(table("5 Br @ Q63; 29 PzG @ Q62"), movement)
    do(match, "move", "5 Br")
    both = G.beside[at("Q62")] & G.beside[at("Q63")]
    straight = codes(both & ~(1 << at("Q62")))
    direct = {h for h in straight if h in hexes(match, "go")}
    pos = match.position
    for hex in direct:  # round about perhaps, never straight
        how = march("5 Br @ Q63; 29 PzG @ Q62", "5 Br").near
        assert len(how.path(at(hex))) > 1
    assert pos.engaged >> number("5 Br") & 1


@rule("anzio", "B4D4")
def test_the_hex_of_an_enemy_is_closed():
    match = play(table("5 Br @ R70; 29 PzG @ Q69"), movement)
    do(match, "move", "5 Br")
    assert refused(match, "go", "5 Br", "Q69").rule == "B4D4"


@rule("anzio", "B4D1", "B4D2")
def test_eight_points_may_stop_in_a_hex_and_any_number_pass():
    full = "46 Br, 56 Br @ Q70; 4 Arm @ Q70"  # 3 + 3 + 2
    match = play(table(f"5 Br @ R70; {full}"), movement)
    do(match, "move", "5 Br")
    assert refused(match, "go", "5 Br", "Q70").rule == "B4D1"
    assert "Q69" in hexes(match, "go")


@rule("anzio", "D7A")
def test_a_stack_of_several_nations_holds_seven_points_if_the_rule_is_used():
    counters = "1 Cdn @ R70; 56 Br, 4 Arm @ Q70"  # 3 beside 3 + 2
    for switch, offered in ((False, True), (True, False)):
        match = play(table(counters, nationalities=switch), movement)
        do(match, "move", "1 Cdn")
        assert ("Q70" in hexes(match, "go")) is offered


@rule("anzio", "C10C4", "C10C5")
def test_a_unit_that_passes_destroys_unprotected_inverted_counters_and_goes_on():
    match = play(table("5 Br @ R70; 29 PzG @ Q67 steps=1"), movement)
    do(match, "move", "5 Br")
    do(match, "go", hex="Q66")
    assert told(match, "is destroyed") == ["29 PzG"]
    assert match.position.hex[number("5 Br")] == at("Q66")


@rule("anzio", "C10B2a")
def test_an_inverted_counter_never_enters_the_zone_of_a_unit_with_a_defence_factor():
    near = march("5 Br @ R70 steps=1; 29 PzG @ Q66", "5 Br").near
    assert not near.ends & G.beside[at("Q66")]
    match = play(table("5 Br @ R70 steps=1; 29 PzG @ Q68"), movement)
    do(match, "move", "5 Br")
    assert refused(match, "go", "5 Br", "Q69").rule == "C10B2a"


@rule("anzio", "C11B7")
def test_allied_replacements_keep_out_of_zones_and_hinder_nobody():
    assert not march("Repl Br 1 @ R70; 29 PzG @ Q66", "Repl Br 1").near.ends & G.beside[at("Q66")]
    assert "Q69" in codes(march("26 Pz @ R70; Repl Br 1 @ Q68", "26 Pz", side=GERMAN).near.ends)


@rule("anzio", "C11C9")
def test_ersatz_stop_the_enemy_but_destroy_nobody():
    match = play(table("Ers inf 1 @ R70; 5 Br @ Q67 steps=1", side=GERMAN), movement)
    do(match, "move", "Ers inf 1")
    do(match, "go", hex="Q68")
    assert steps(match, "5 Br") == 1
    near, held = march("5 Br @ R70; Ers inf 1 @ Q67", "5 Br").near, G.beside[at("Q67")]
    for hex in bits(near.ends):
        assert all(not held >> WAR.node_hex[n] & 1 for n in near.path(hex)[:-1])


@rule("anzio", "C4a")
def test_hexes_passed_through_become_friendly():
    match = play(table("5 Br @ R70"), movement)
    do(match, "move", "5 Br")
    do(match, "go", hex="Q66")
    assert match.position.friendly >> at("Q68") & 1


@rule("anzio", "B4C3", "B4C7")
def test_units_that_move_alike_go_together_and_others_do_not():
    match = play(table("5 Br, 46 Br @ R70; 2 Mor @ R70"), movement)
    do(match, "move", "5 Br")
    assert names(match, "take along") == {"46 Br"}
    do(match, "take along", "46 Br")
    do(match, "go", hex="Q68")
    assert {match.position.hex[number(n)] for n in ("5 Br", "46 Br")} == {at("Q68")}


@rule("anzio", "B4C12b1")
def test_a_way_never_leads_over_a_river_that_it_came_to_in_the_same_turn():
    found = march("5 Br @ U27", "5 Br").near
    for hex in bits(found.ends):
        path = [WAR.lattice.code(WAR.node_hex[node]) for node in found.path(hex)]
        assert ("U26", "U25") not in pairwise(["U27", *path])


@rule("anzio", "B4C12b2")
def test_a_river_binds_nobody_any_more_in_his_next_turn():
    bound = G.rivers.step(at("U27"), 0, WAR.lattice.direction(at("U27"), at("U26")))
    pos = table("5 Br @ U26")
    pos.bank[number("5 Br")] = bound
    assert bound
    match = play(pos, movement)
    do(match, "move", "5 Br")
    do(match, "go", hex="U25")
    assert match.position.points == 24 - 2  # a point; on the bank where it was it goes round


@rule("anzio", "D8B1")
def test_mountain_units_treat_rough_as_plain_if_the_rule_is_used():
    a, b = side_of(G.rough, without=G.all_roads)
    assert price(f"2 Mor @ {a}", "2 Mor", b) == 2
    assert price(f"2 Mor @ {a}", "2 Mor", b, mountain=True) == 1
