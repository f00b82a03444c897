from typing import Any

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.c7_sea import evacuation_hexes, intake, outlet
from apennine.games.anzio.table.position import CLOSED, GERMAN, NOWHERE, OPEN, UNDER_WAY, Table
from apennine.games.anzio.table.war import War
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    codes,
    do,
    hexes,
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

G = WAR.ground
SALERNO = G.bases[base("Salerno zone")]


def movement(war: War, pos: Table) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def landing(counters: str, hex: str = "N61", **fields: Any):
    """An invasion at the zone of a hex has begun."""
    match = play(table(counters, **dict[str, Any]({"turn": 1, "ports": 2}) | fields), movement)
    do(match, "invade", hex=hex)
    return match


def at_work(counters: str, *bases: int, **fields: Any):
    """A movement phase with some ports or beachheads that operate."""
    pos = table(counters, **fields)
    for number_ in bases:
        pos.bases[number_] = OPEN
        pos.friendly |= G.bases[number_].hexes
    return play(pos, movement)


@rule("anzio", "C5A1")
def test_the_game_opens_with_an_invasion():
    match = play(table("56 Br, 46 Br @ Sicilia", turn=1, ports=2), movement)
    assert refused(match, "end movement").rule == "C5A1"
    do(match, "invade", hex="N61")
    assert refused(match, "end movement").rule == "C5A1"
    do(match, "land", "56 Br", "N61")
    assert "end movement" in verbs(match)


@rule("anzio", "C5A2")
def test_the_first_invasion_goes_to_a_zone_south_of_the_middle_fold():
    match = play(table("56 Br @ Sicilia", turn=1, ports=2), movement)
    assert refused(match, "invade", hex="E49").rule == "C5A2"
    assert refused(match, "invade", hex="V22").rule == "C5A2"
    assert {"N61", "X46", "G52"} <= hexes(match, "invade")


@rule("anzio", "C6B", "C6D1")
def test_the_second_invasion_comes_from_nov_i_and_may_go_to_the_roma_zone():
    for turn, offered in ((7, False), (8, True), (15, True)):
        match = play(table("56 Br @ Sicilia", turn=turn, ports=1, invasions=1), movement)
        assert ("E49" in hexes(match, "invade")) is offered
    match = play(table("56 Br @ Sicilia", turn=9, ports=1, invasions=3), movement)
    assert refused(match, "invade", hex="E49").rule == "C6B"


@rule("anzio", "C5F9")
def test_an_invasion_takes_a_port_counter_for_its_beachhead():
    match = landing("56 Br @ Sicilia")
    assert match.position.ports == 1
    assert match.position.bases[base("Salerno zone")] == UNDER_WAY
    match = play(table("56 Br, 46 Br @ Sicilia", turn=1, ports=0), movement)
    assert refused(match, "invade", hex="N61").rule == "C5F9"


@rule("anzio", "C5A3")
def test_only_british_and_us_units_invade():
    match = landing("56 Br, 36 US, 1 Cdn @ Sicilia")
    assert names(match, "land") == {"56 Br", "36 US"}
    assert refused(match, "land", "1 Cdn", "N61").rule == "C5A3"


@rule("anzio", "C5B3", "C5B6")
def test_the_initial_lift_is_counted_in_stacking_points():
    match = landing("56 Br, 5 Br, 46 Br, 78 Br, 36 US, 45 US @ Sicilia")
    for unit, hex in (
        ("36 US", "N60"),
        ("45 US", "N61"),
        ("56 Br", "N62"),
        ("5 Br", "N63"),
        ("46 Br", "N62"),
    ):
        do(match, "land", unit, hex)
    assert match.position.lifted == 17
    do(match, "land", "78 Br", "N63")
    assert match.position.lifted == SALERNO.lift == 20


@rule("anzio", "C6E")
def test_the_second_lift_is_three_quarters_rounded_up():
    match = landing("36 US, 45 US, 34 US, 3 US @ Sicilia", "V41", turn=8, invasions=1)
    for unit, hex in (("36 US", "V41"), ("45 US", "V42")):
        do(match, "land", unit, hex)
    assert names(match, "land") == set()
    assert "3 stacking points" in refused(match, "land", "34 US", "U40").sentence


@rule("anzio", "C5C1", "C5C2")
def test_the_lift_has_three_points_and_pays_one_for_the_beach():
    match = landing("56 Br @ Sicilia")
    found = hexes(match, "land")
    assert codes(SALERNO.hexes) <= found
    far = max(min(WAR.lattice.distance(at(h), at(b)) for b in codes(SALERNO.hexes)) for h in found)
    assert far == 2


@rule("anzio", "C5D2")
def test_nobody_stays_at_sea():
    match = landing("56 Br @ Sicilia")
    assert refused(match, "land", "56 Br", "L62").rule == "C5D2"


@rule("anzio", "C5D1")
def test_a_landing_unit_stops_in_an_enemy_zone():
    found = hexes(landing("56 Br @ Sicilia; 16 Pz @ O62"), "land")
    free = hexes(landing("56 Br @ Sicilia"), "land")
    behind = {h for h in free - found if h != "O62"}
    assert behind


@rule("anzio", "C10C11")
def test_the_allies_land_right_through_an_inverted_counter():
    match = landing("56 Br @ Sicilia; 16 Pz @ N61 steps=1")
    do(match, "land", "56 Br", "N61")
    assert told(match, "is destroyed") == ["16 Pz"]


@rule("anzio", "C7B7")
def test_build_up_limits_what_leaves_by_sea():
    match = at_work("5 Br, 46 Br @ N61; 78 Br @ N62", base("Salerno zone"))
    for unit in ("5 Br", "46 Br"):
        do(match, "move", unit)
        do(match, "sail", hex="Sicilia")
    do(match, "move", "78 Br")
    assert refused(match, "sail", "78 Br", "Sicilia").rule == "C7B2"


@rule("anzio", "C5B4")
def test_build_up_limits_what_comes_by_sea():
    match = at_work("5 Br, 46 Br, 78 Br @ Sicilia", base("Salerno zone"))
    for unit in ("5 Br", "46 Br"):
        do(match, "move", unit)
        do(match, "sail", hex="N61")
        do(match, "halt")
    do(match, "move", "78 Br")
    assert intake(WAR, match.position, base("Salerno zone")) == 2
    assert refused(match, "sail", "78 Br", "N62").rule == "C5B4"


@rule("anzio", "C5G6")
def test_build_up_of_the_turn_before_may_be_used():
    match = at_work("5 Br @ Sicilia", base("Salerno zone"))
    assert intake(WAR, match.position, base("Salerno zone")) == 8
    match.position.saved[base("Salerno zone")] = 8
    assert intake(WAR, match.position, base("Salerno zone")) == 16


@rule("anzio", "C7B8")
def test_what_leaves_takes_nothing_of_what_comes():
    match = at_work("5 Br @ N61", base("Salerno zone"))
    do(match, "move", "5 Br")
    do(match, "sail", hex="Sicilia")
    assert outlet(WAR, match.position, base("Salerno zone")) == 5
    assert intake(WAR, match.position, base("Salerno zone")) == 8


@rule("anzio", "C5G3")
def test_build_up_needs_a_friendly_hex_of_a_base_that_operates():
    match = play(table("5 Br @ Sicilia"), movement)
    do(match, "move", "5 Br")
    assert refused(match, "sail", "5 Br", "N61").rule == "C5G3"


@rule("anzio", "C7B5", "C7B6")
def test_after_the_first_hex_for_a_point_a_unit_goes_on_inland():
    match = at_work("5 Br @ Sicilia", base("Salerno zone"))
    do(match, "move", "5 Br")
    do(match, "sail", hex="N61")
    assert (match.position.points, match.position.extra) == (22, 0)
    assert hexes(match, "go")


@rule("anzio", "C7B4", "B4C14c")
def test_who_comes_by_sea_does_not_move_strategically():
    match = at_work("5 Br @ Sicilia", base("Salerno zone"))
    do(match, "move", "5 Br")
    assert match.position.extra == 24
    do(match, "sail", hex="N61")
    assert match.position.extra == 0


@rule("anzio", "C5G4")
def test_build_up_into_a_german_zone_stops_at_once():
    match = at_work("5 Br @ Sicilia; 16 Pz @ O61", base("Salerno zone"))
    do(match, "move", "5 Br")
    landed = min(h for h in hexes(match, "sail") if G.beside[at("O61")] >> at(h) & 1)
    do(match, "sail", hex=landed)
    assert not match.position.movers


@rule("anzio", "C9C6")
def test_nobody_is_brought_in_whom_the_capacity_does_not_feed():
    here = (
        "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US @ N63"  # 24 of 24 points
    )
    match = at_work(f"{here}; 168 Br @ Sicilia", base("Salerno zone"))
    do(match, "move", "168 Br")
    assert refused(match, "sail", "168 Br", "N61").rule == "C9C6"
    match = at_work(f"{here}; 168 Br @ Sicilia", base("Salerno zone"), base("Salerno", port=True))
    do(match, "move", "168 Br")
    do(match, "sail", hex="N61")


@rule("anzio", "C5E1")
def test_who_landed_in_this_turn_takes_nothing_of_what_others_are_fed_with():
    for fresh in ("34 US", "168 Br"):  # of those ashore, and not
        match = at_work(
            "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US @ N63; "
            "168 Br @ Sicilia",
            base("Salerno zone"),
        )
        match.position.lift = units(fresh)
        do(match, "move", "168 Br")
        assert ("N61" in hexes(match, "sail")) is (fresh == "34 US")


@rule("anzio", "C9C6")
def test_nor_does_who_was_evacuated_land_where_nothing_would_feed_him():
    for last, landed in (("4 Arm", True), ("34 US", False)):  # 23 and 24 of 24 points
        match = at_work(
            f"56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; {last} @ N63; "
            "168 Br @ V42",
            base("Salerno zone"),
        )
        do(match, "evacuate", "168 Br")
        assert ("come ashore" in verbs(match)) is landed
        assert (match.position.hex[number("168 Br")] == G.sicilia) is not landed


@rule("anzio", "C7C2", "C7C3")
def test_units_are_evacuated_from_beaches_without_a_counter_and_not_from_coasts():
    pos = table("5 Br @ N61")
    assert evacuation_hexes(WAR, pos) >> at("N61") & 1
    assert not evacuation_hexes(WAR, pos) >> at("C15") & 1
    pos.bases[base("Salerno zone")] = OPEN
    pos.friendly |= SALERNO.hexes
    assert not evacuation_hexes(WAR, pos) >> at("N61") & 1


@rule("anzio", "C7C6")
def test_who_is_evacuated_becomes_an_inverted_counter():
    match = play(table("5 Br @ N61; Repl Br 1 @ N61"), movement)
    assert refused(match, "evacuate", "Repl Br 1").rule == "C7C6"
    do(match, "evacuate", "5 Br")
    assert steps(match, "5 Br") == 1
    assert match.position.hex[number("5 Br")] == G.sicilia


@rule("anzio", "B4C13", "C7A1")
def test_germans_never_move_by_sea():
    match = play(table("16 Pz @ N61; 5 Br @ R70", side=GERMAN), movement)
    assert verbs(match) == {"move", "end movement"}


@rule("anzio", "C8A", "C8D1")
def test_messina_is_opened_and_left_a_turn_later():
    match = play(table("5 Br @ Sicilia"), movement)
    do(match, "move", "5 Br")
    do(match, "sail", hex="Messina")
    assert match.position.entries >> at("Messina") & 1
    assert "move" not in verbs(match)


@rule("anzio", "C8C2")
def test_the_lift_limits_who_comes_to_taranto_as_it_is_opened():
    match = play(table("5 Br, 168 Br, 231 Br @ Sicilia"), movement)
    do(match, "move", "5 Br")
    do(match, "sail", hex="Taranto")
    do(match, "move", "168 Br")
    do(match, "sail", hex="Taranto")
    do(match, "move", "231 Br")
    assert refused(match, "sail", "231 Br", "Taranto").rule == "C8C1"


@rule("anzio", "C8D3")
def test_the_edge_of_taranto_widens_from_week_to_week():
    for turn, most in ((2, "Y60"), (3, "Y56"), (4, "Y46")):
        match = play(table("168 Br @ Taranto", turn=turn), movement)
        do(match, "move", "168 Br")
        assert min(hexes(match, "come on")) == most


@rule("anzio", "C8K")
def test_nobody_comes_from_an_edge_into_a_german_zone():
    match = play(table("168 Br @ Taranto; 1 Para @ X62"), movement)
    do(match, "move", "168 Br")
    held = codes(G.beside[at("X62")]) & {f"Y{n}" for n in range(56, 66)}
    assert held
    assert not held & hexes(match, "come on")
    assert refused(match, "come on", "168 Br", min(held)).rule == "C8K"


@rule("anzio", "C8E")
def test_who_comes_from_an_edge_does_not_move_strategically():
    match = play(table("168 Br @ Taranto"), movement)
    do(match, "move", "168 Br")
    do(match, "come on", hex="Y62")
    assert match.position.extra == 0


@rule("anzio", "C8F", "C8G")
def test_allied_units_leave_over_the_edge_and_end_their_turn():
    match = play(table("168 Br @ Y62"), movement)
    do(match, "move", "168 Br")
    do(match, "leave", hex="Taranto")
    assert match.position.hex[number("168 Br")] == at("Taranto")
    assert "move" not in verbs(match)


@rule("anzio", "C5F5a")
def test_a_port_under_construction_is_lost_in_a_german_zone():
    pos = table("16 Pz @ R70", side=GERMAN, friendly=1 << at("O67"))
    pos.bases[base("Sapri", port=True)] = UNDER_WAY
    match = play(pos, movement)
    do(match, "move", "16 Pz")
    do(match, "go", hex="P67")
    assert match.position.bases[base("Sapri", port=True)] == CLOSED


@rule("anzio", "C5F5b")
def test_a_finished_port_is_lost_only_with_its_hex():
    pos = table("16 Pz @ R70", side=GERMAN, friendly=1 << at("O67"))
    pos.bases[base("Sapri", port=True)] = OPEN
    match = play(pos, movement)
    do(match, "move", "16 Pz")
    do(match, "go", hex="P67")
    assert match.position.bases[base("Sapri", port=True)] == OPEN
    do(match, "go", hex="O67")
    assert match.position.bases[base("Sapri", port=True)] == CLOSED
    assert match.position.zone == NOWHERE


@rule("anzio", "C5A1")
def test_nobody_lands_unless_an_invasion_has_begun():
    match = play(table("5 Br @ Sicilia", invasions=1), movement)
    assert "land" not in verbs(match)
    assert refused(match, "land", "5 Br", "N61").rule == "C5A1"
