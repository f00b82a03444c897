from apennine.games.anzio.rules.b4b_end import end_phase, settle
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.c5_ports import besiege
from apennine.games.anzio.rules.c7_sea import intake
from apennine.games.anzio.rules.c9_supply import supply_begins, supply_ends, unsupplied
from apennine.games.anzio.table.position import ALLIED, CLOSED, GERMAN, OPEN, UNDER_WAY
from apennine.games.anzio.table.war import SCALE
from apennine.kernel.decision import Procedure
from apennine.mechanics.ground import union
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
    told,
    units,
    verbs,
)
from tests.games.anzio.ground import side_of
from tests.games.anzio.playing import open_basic, pass_on
from tests.games.anzio.test_c5_sea import at_work, landing, movement

G = WAR.ground
ZONE, SALERNO, NAPOLI = base("Salerno zone"), base("Salerno", port=True), base("Napoli", port=True)
SAPRI = base("Sapri", port=True)


def last_orders(counters: str = "", friendly: str = "", **fields):
    """The end of an Allied turn, with a port counter in hand."""
    pos = table(counters, "end", **{"ports": 1, "friendly": mask(friendly)} | fields)
    for hex in pos.hex:
        if 0 <= hex < WAR.lattice.size and pos.side == ALLIED:
            pos.friendly |= 1 << hex
    return play(pos, end_phase)


@rule("anzio", "C1B3")
def test_two_port_counters_at_the_start_and_two_in_november():
    got = {turn: play(table("", turn=turn), arrivals_phase).position.ports for turn in range(1, 16)}
    assert {turn: n for turn, n in got.items() if n} == {1: 2, 8: 2}


@rule("anzio", "C5F2a", "C5F2c")
def test_construction_takes_a_counter_and_is_declared_at_the_end_of_the_turn():
    match = last_orders(friendly="K57 N60")
    assert hexes(match, "build port") == {"K57", "N60"}
    do(match, "build port", hex="K57")
    assert (match.position.ports, match.position.bases[NAPOLI]) == (0, UNDER_WAY)
    assert told(match, "construction")
    assert refused(match, "build port", hex="N60").rule == "C5F2a"
    pos = table("5 Br @ K57", friendly=mask("K57"))
    assert intake(WAR, pos, NAPOLI) == 0
    assert unsupplied(WAR, pos, ALLIED) == units("5 Br")


@rule("anzio", "C5F4a")
def test_a_counter_works_before_the_movement_of_the_next_turn():
    pos = table("", friendly=mask("K57"))
    pos.bases[NAPOLI] = UNDER_WAY
    after = play(pos, arrivals_phase).position
    assert after.bases[NAPOLI] == OPEN
    assert intake(WAR, after, NAPOLI) == 24
    match = open_basic()
    assert match.position.bases[ZONE] == UNDER_WAY
    pass_on(match, until="movement", side=GERMAN)
    assert match.position.bases[ZONE] == UNDER_WAY


@rule("anzio", "C5F4b")
def test_no_port_is_built_in_a_german_zone():
    match = last_orders("16 Pz @ L57", friendly="K57 N60")
    assert refused(match, "build port", hex="K57").rule == "C5F4b"
    assert hexes(match, "build port") == {"N60"}


@rule("anzio", "C5F4c")
def test_a_port_taken_in_this_turn_can_be_built_at_once():
    pos = table("5 Br @ P66", "movement", ports=1)

    def turn(war, pos) -> Procedure:
        yield from movement_begins(war, pos)
        yield from movement_phase(war, pos)
        pos.phase = "end"
        yield from end_phase(war, pos)

    match = play(pos, turn)
    do(match, "move", "5 Br")
    do(match, "go", hex="O67")
    if match.position.movers:
        do(match, "halt")
    do(match, "end movement")
    do(match, "build port", hex="O67")
    assert match.position.bases[SAPRI] == UNDER_WAY


@rule("anzio", "C5F6a")
def test_a_beachhead_is_lost_on_its_first_turn_if_all_of_it_is_in_german_zones():
    def german(counters: str, state: int):
        pos = table(counters, "settling", GERMAN, friendly=mask("N61"))
        pos.bases[ZONE] = state
        return play(pos, besiege).position.bases[ZONE]

    assert german("5 Br @ N61; 16 Pz @ O61", UNDER_WAY) == CLOSED
    assert german("5 Br @ N61; 16 Pz @ Q61", UNDER_WAY) == UNDER_WAY
    assert german("5 Br @ N61; 16 Pz @ O61", OPEN) == OPEN
    pos = table("5 Br @ N61; 16 Pz @ Q61", "movement", GERMAN, friendly=mask("N61"))
    pos.bases[ZONE] = UNDER_WAY
    match = play(pos, movement)
    do(match, "move", "16 Pz")
    do(match, "go", hex="O61")
    assert match.position.bases[ZONE] == CLOSED


@rule("anzio", "C5F6b")
def test_later_a_beachhead_is_lost_only_with_all_its_hexes():
    held = sorted(codes(G.bases[ZONE].hexes))
    pos = table("16 Pz @ P61", "movement", GERMAN, friendly=mask(" ".join(held[:2])))
    pos.bases[ZONE] = OPEN
    match = play(pos, movement)
    do(match, "move", "16 Pz")
    do(match, "go", hex=held[0])
    assert match.position.bases[ZONE] == OPEN
    do(match, "go", hex=held[1])
    assert match.position.bases[ZONE] == CLOSED
    assert told(match, "port lost")


@rule("anzio", "C5F7", "C5B2")
def test_a_beachhead_is_what_is_friendly_of_its_zone_and_grows_again():
    pos = table("5 Br @ Sicilia; 46 Br @ N62")
    pos.bases[ZONE] = OPEN
    pos.friendly = mask("N62")
    match = play(pos, movement)
    do(match, "move", "5 Br")
    assert hexes(match, "sail") & codes(G.bases[ZONE].hexes) == {"N62"}
    do(match, "halt")
    do(match, "move", "46 Br")
    do(match, "go", hex="N61")
    match.position.moved = 0
    if match.position.movers:
        do(match, "halt")
    match.position.moved = 0
    pos = match.position
    pos.phase = "movement"
    match = play(pos, movement)
    do(match, "move", "5 Br")
    assert hexes(match, "sail") & codes(G.bases[ZONE].hexes) >= {"N61", "N62"}


@rule("anzio", "C5F8")
def test_a_lost_port_opens_again_only_with_another_counter():
    assert "build port" in verbs(last_orders(friendly="K57", ports=1))
    match = last_orders(friendly="K57", ports=0)
    assert refused(match, "build port", hex="K57").rule == "C5F2a"


@rule("anzio", "C5F10")
def test_no_port_need_be_opened():
    match = last_orders(friendly="K57")
    do(match, "end turn")
    assert match.position.ports == 1
    assert match.outcome


@rule("anzio", "C5F11")
def test_a_counter_stays_where_it_is():
    pos = table("", "end", ports=1, friendly=mask("K57 N60"))
    pos.bases[NAPOLI] = OPEN
    match = play(pos, end_phase)
    assert refused(match, "build port", hex="K57").rule == "C5F11"
    assert verbs(match) == {"build port", "build beachhead", "disband units", "end turn"}


@rule("anzio", "C5F12", "C5F14")
def test_ports_and_zones_taken_by_land_can_be_opened():
    match = last_orders(friendly="O67 W46 G39")
    assert hexes(match, "build port") == {"O67"}
    assert refused(match, "build port", hex="G39").rule == "C5F14"
    do(match, "build beachhead", hex="W46")
    assert match.position.bases[base("Termoli zone")] == UNDER_WAY


@rule("anzio", "C5F13")
def test_sicilia_messina_and_taranto_need_no_counter():
    match = play(table("5 Br, 46 Br, 168 Br @ Sicilia", ports=0), movement)
    for unit, place in (("5 Br", "Messina"), ("168 Br", "Taranto")):
        do(match, "move", unit)
        do(match, "sail", hex=place)
    assert match.position.hex[number("5 Br")] == at("Messina")
    assert match.position.hex[number("168 Br")] == at("Taranto")


@rule("anzio", "C5F2b", "C6C")
def test_a_counter_in_hand_serves_the_second_invasion_or_a_port():
    match = play(table("56 Br @ Sicilia", turn=8, ports=1, invasions=1), movement)
    do(match, "invade", hex="E49")
    assert match.position.ports == 0
    assert "build port" in verbs(last_orders(friendly="K57", turn=8))


@rule("anzio", "C5G1")
def test_port_and_beachhead_take_in_both_through_one_hex():
    here = "N60"
    assert G.bases[ZONE].hexes & G.bases[SALERNO].hexes == mask(here)
    alone = at_work("5 Br, 46 Br, 78 Br, 56 Br, 36 US @ Sicilia", ZONE)
    assert fill(alone, here) == 6  # of 8 points of the zone, units of three
    both = at_work("5 Br, 46 Br, 78 Br, 56 Br, 36 US @ Sicilia", ZONE, SALERNO)
    assert fill(both, here) == 16


def fill(match, hex: str) -> int:
    """Bring in all that may come through a hex, each unit going on from it."""
    points = 0
    for name in ("5 Br", "46 Br", "78 Br", "56 Br", "36 US"):
        do(match, "move", name)
        if hex in hexes(match, "sail"):
            do(match, "sail", hex=hex)
            points += WAR.stacking[number(name)]
            do(match, "go", hex=max(hexes(match, "go")))
        if match.position.movers:
            do(match, "halt")
    return points


@rule("anzio", "C5G2")
def test_build_up_may_be_of_any_nation():
    match = at_work("1 Cdn, 8 Ind @ Sicilia", ZONE)
    do(match, "move", "1 Cdn")
    assert "N61" in hexes(match, "sail")


@rule("anzio", "C5G6")
def test_build_up_is_kept_for_one_turn_and_no_more():
    def ends(saved: int, landed: int) -> int:
        pos = table("", "settling", friendly=G.bases[ZONE].hexes)
        pos.bases[ZONE] = OPEN
        pos.saved[ZONE], pos.landed[ZONE] = saved, landed
        return play(pos, settle).position.saved[ZONE]

    assert ends(0, 3) == 5
    assert ends(8, 0) == 8
    assert ends(8, 10) == 6


@rule("anzio", "C5G7")
def test_what_a_base_could_have_fed_is_not_kept():
    full = "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US @ N63"
    pos = table(f"{full}; 168 Br @ Sicilia", friendly=G.bases[ZONE].hexes)
    pos.bases[ZONE] = OPEN
    pos.saved[ZONE] = 8
    match = play(pos, movement)
    do(match, "move", "168 Br")
    assert refused(match, "sail", "168 Br", "N61").rule == "C9C6"


# The turn of a landing.


@rule("anzio", "C5C3")
def test_beyond_the_beach_roads_and_plain_cost_one_point_and_rough_two():
    edges = WAR.paths("lift", climbs=False).edges
    for sides, without, points in (
        (G.major, None, 1),
        (G.minor, None, 1),
        (G.plain, G.all_roads, 1),
        (G.rough, union((G.all_roads, G.plain)), 2),
    ):
        here, there = side_of(sides, without)
        steps = dict(edges[WAR.node[at(here), 0]])
        assert steps[WAR.node[at(there), 0]] == points * SCALE


@rule("anzio", "C5C4")
def test_the_lift_crosses_no_swamp():
    here, there = side_of(G.roadless_high)
    node, beyond = WAR.node[at(here), 0], WAR.node[at(there), 0]
    assert beyond in WAR.paths("good", climbs=False).climbs[node]
    assert beyond not in WAR.paths("lift", climbs=False).climbs[node]
    assert beyond not in dict(WAR.paths("lift", climbs=False).edges[node])


@rule("anzio", "C5C6", "C1A1")
def test_the_force_is_any_mix_of_what_is_there():
    match = landing("56 Br, 36 US, 4 Arm, 82/505, 6615 Rgr @ Sicilia")
    assert names(match, "land") == {"56 Br", "36 US", "4 Arm", "82/505", "6615 Rgr"}
    do(match, "land", "82/505", "N61")
    do(match, "land", "4 Arm", "N62")
    assert match.position.lifted == 1 + WAR.stacking[number("4 Arm")]


@rule("anzio", "C5E1")
def test_the_lift_needs_no_supply_on_its_turn():
    def turn(war, pos) -> Procedure:
        yield from supply_begins(war, pos)
        yield from supply_ends(war, pos)

    pos = table("5 Br @ N61", lift=units("5 Br"))
    assert not play(pos, turn).position.hungry
    assert play(table("5 Br @ N61"), turn).position.hungry == units("5 Br")


# The second invasion.


@rule("anzio", "C6A")
def test_there_is_one_further_invasion_and_no_third():
    match = play(table("56 Br, 46 Br @ Sicilia", turn=9, ports=2, invasions=1), movement)
    do(match, "invade", hex="E49")
    do(match, "land", "56 Br", "E49")
    assert refused(match, "invade", hex="N61").rule == "C6A"
    match = play(table("56 Br @ Sicilia", turn=10, ports=2, invasions=3), movement)
    assert refused(match, "invade", hex="N61").rule == "C6B"


@rule("anzio", "C6D2")
def test_a_zone_with_a_counter_may_be_invaded_and_takes_in_no_more():
    pos = table("56 Br @ Sicilia; 5 Br @ N63", turn=8, ports=1, invasions=1, friendly=mask("N63"))
    pos.bases[ZONE] = OPEN
    match = play(pos, movement)
    do(match, "invade", hex="N61")
    assert match.position.ports == 0
    assert match.position.bases[ZONE] == OPEN
    assert intake(WAR, match.position, ZONE) == G.bases[ZONE].build_up


@rule("anzio", "C6F")
def test_the_second_force_starts_in_a_box_or_an_open_port_within_its_build_up():
    pos = table(
        "56 Br @ K57; 46 Br @ N61; 5 Br @ Messina; 78 Br @ Sicilia", turn=8, ports=1, invasions=1
    )
    pos.bases[NAPOLI] = OPEN
    pos.friendly = mask("K57 N61")
    pos.entries = 1 << at("Messina")
    match = play(pos, movement)
    do(match, "invade", hex="E49")
    assert names(match, "land") == {"56 Br", "5 Br", "78 Br"}
    assert refused(match, "land", "46 Br", "E49").rule == "C6F"
    match.position.sailed[NAPOLI] = 22
    again = play(match.position, movement_phase)
    assert refused(again, "land", "56 Br", "E49").rule == "C6F"
