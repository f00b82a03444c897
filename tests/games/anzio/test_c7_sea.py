from apennine.games.anzio.rules.b4e_zones import zone
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.c7_sea import can_evacuate
from apennine.games.anzio.rules.c8_edges import entry_edge, exit_edge
from apennine.games.anzio.rules.c9_supply import supply_begins, supply_ends, unsupplied
from apennine.games.anzio.table.position import GERMAN, OPEN, Table
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
    mask,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.test_c5_sea import at_work, movement

G = WAR.ground
ZONE, NAPOLI = base("Salerno zone"), base("Napoli", port=True)
MESSINA, TARANTO = G.entries


@rule("anzio", "C7B2")
def test_transfers_run_between_boxes_and_open_bases_out_of_german_zones():
    match = at_work("5 Br @ N61", ZONE, NAPOLI)
    do(match, "move", "5 Br")
    assert hexes(match, "sail") >= {"Sicilia", "Messina", "Taranto", "K57"}
    assert refused(match, "sail", "5 Br", "O67").rule == "C5G3"
    match = at_work("5 Br @ N61; 16 Pz @ L57", ZONE, NAPOLI)
    do(match, "move", "5 Br")
    assert refused(match, "sail", "5 Br", "K57").rule == "C7B2"
    match = at_work("5 Br @ N61; 16 Pz @ O61", ZONE)
    do(match, "move", "5 Br")
    assert refused(match, "sail", "5 Br", "Sicilia").rule == "C7B2"
    match = play(table("5 Br @ N61", friendly=mask("N61")), movement)
    do(match, "move", "5 Br")
    assert refused(match, "sail", "5 Br", "Sicilia").rule == "C7B2"


@rule("anzio", "C7B9")
def test_who_leaves_beyond_the_build_up_is_evacuated():
    match = at_work("5 Br, 46 Br @ N61; 36 US @ N62", ZONE)
    assert not can_evacuate(WAR, match.position, units("36 US"))
    for unit in ("5 Br", "46 Br"):
        do(match, "move", unit)
        do(match, "sail", hex="Sicilia")
    do(match, "evacuate", "36 US")  # two points of eight are left, and it has four
    assert steps(match, "36 US") == 1


@rule("anzio", "C7C4")
def test_the_evacuated_land_where_transfers_do():
    match = at_work("5 Br @ J55", NAPOLI)
    match.position.friendly |= mask("J55")
    do(match, "evacuate", "5 Br")
    assert hexes(match, "come ashore") == {"K57", "Sicilia"}
    do(match, "come ashore", "5 Br", "K57")
    assert match.position.hex[number("5 Br")] == at("K57")
    assert match.position.landed[NAPOLI] == 3


@rule("anzio", "C7C4", "C7C7")
def test_the_evacuated_also_land_in_messina_and_taranto_once_open_as_far_as_these_take_them_in():
    match = at_work("5 Br @ J55; 46 Br @ J56", NAPOLI)
    match.position.friendly |= mask("J55 J56")
    match.position.entries = 1 << MESSINA.place
    do(match, "evacuate", "5 Br")
    assert hexes(match, "come ashore") == {"K57", "Messina", "Sicilia"}
    do(match, "come ashore", "5 Br", "Messina")
    assert match.position.hex[number("5 Br")] == MESSINA.place
    match.position.landed[-2] = MESSINA.build_up
    do(match, "evacuate", "46 Br")
    assert hexes(match, "come ashore") == {"K57", "Sicilia"}


@rule("anzio", "C7C7")
def test_any_number_is_evacuated_but_build_up_binds_them_where_they_land():
    stack = "5 Br, 46 Br @ J55; 78 Br, 56 Br @ J56"
    pos = table(stack, friendly=mask("J55 J56 X46"))
    pos.bases[base("Termoli", port=True)] = OPEN  # takes in six points
    match = play(pos, movement)
    for unit in ("5 Br", "46 Br"):
        do(match, "evacuate", unit)
        do(match, "come ashore", unit, "X46")
    for unit in ("78 Br", "56 Br"):
        do(match, "evacuate", unit)
        assert match.position.hex[number(unit)] == G.sicilia
    assert told(match, "is evacuated") == ["5 Br", "46 Br", "78 Br", "56 Br"]


@rule("anzio", "C8C1")
def test_messina_and_taranto_take_all_nations_and_have_no_stacking_limit():
    pos = table("1 Cdn, 8 Ind @ Sicilia; 5 Br, 46 Br, 78 Br @ Messina", entries=1 << MESSINA.place)
    match = play(pos, movement)
    for unit in ("1 Cdn", "8 Ind"):
        do(match, "move", unit)
        do(match, "sail", hex="Messina")
    assert match.position.landed[-2] == 6
    pos = table("1 Cdn, 8 Ind, 2 NZ @ Sicilia", entries=1 << MESSINA.place)
    match = play(pos, movement)
    do(match, "move", "2 NZ")
    do(match, "sail", hex="Messina")
    do(match, "move", "1 Cdn")
    do(match, "sail", hex="Messina")
    assert match.position.landed[-2] == 8
    do(match, "move", "8 Ind")
    assert refused(match, "sail", "8 Ind", "Messina").rule == "C8C1"


@rule("anzio", "C8C3")
def test_no_zone_reaches_beyond_the_edge():
    pos = table("1 Para @ Y62; 5 Br @ Taranto")
    assert not zone(WAR, pos, GERMAN) >> TARANTO.place & 1
    match = play(pos, movement)
    do(match, "move", "5 Br")
    assert hexes(match, "come on")


@rule("anzio", "C8D2")
def test_who_comes_from_messina_enters_anywhere_in_the_south():
    match = play(table("5 Br @ Messina", entries=1 << MESSINA.place), movement)
    do(match, "move", "5 Br")
    assert hexes(match, "come on") == codes(G.region("messina-entry") & G.stands)


@rule("anzio", "C8I")
def test_the_allies_leave_over_the_whole_edge_before_they_may_enter_by_it():
    for turn in (1, 2, 3, 4):
        pos = table("", turn=turn)
        assert codes(exit_edge(pos, TARANTO)) == (
            {f"Y{n}" for n in range(46, 66)} if turn > 1 else set()
        )
    pos = table("168 Br @ Y50", turn=2)
    assert not entry_edge(WAR, pos, TARANTO) >> at("Y50") & 1
    match = play(pos, movement)
    do(match, "move", "168 Br")
    do(match, "leave", hex="Taranto")
    assert match.position.hex[number("168 Br")] == TARANTO.place


@rule("anzio", "C8H")
def test_germans_leave_over_no_southern_edge():
    match = play(table("1 Para @ Y62", side=GERMAN), movement)
    do(match, "move", "1 Para")
    assert "leave" not in verbs(match)


# Supply over turns.


def turn(war: War, pos: Table) -> Procedure:
    yield from supply_begins(war, pos)
    yield from supply_ends(war, pos)


@rule("anzio", "C9C9", "C9C10")
def test_who_is_withdrawn_in_the_second_turn_lives_and_who_is_not_dies():
    def second(war: War, pos: Table) -> Procedure:
        yield from supply_begins(war, pos)
        yield from movement(war, pos)
        yield from supply_ends(war, pos)

    def begin():
        pos = table(
            "5 Br @ N61; 46 Br @ Q62",
            hungry=units("5 Br, 46 Br"),
            over=units("5 Br"),
            friendly=mask("N61 Q62"),
        )
        return play(pos, second)

    match = begin()
    do(match, "end movement")
    assert told(match, "is destroyed") == ["5 Br", "46 Br"]
    match = begin()
    do(match, "evacuate", "5 Br")
    do(match, "end movement")
    assert told(match, "is destroyed") == ["46 Br"]


@rule("anzio", "C9C11")
def test_the_two_turns_may_have_different_causes():
    full = "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US, 168 Br @ N63"
    pos = table(full, friendly=G.bases[ZONE].hexes, hungry=units("168 Br"))  # cut off before
    pos.bases[ZONE] = OPEN
    match = play(pos, turn)
    do(match, "go without", "168 Br")
    assert told(match, "is destroyed") == ["168 Br"]


@rule("anzio", "C9A9", "X7-9A1")
def test_supply_is_asked_as_the_own_turn_begins_and_ends():
    base_ = table("29 PzG @ R70", "supply", GERMAN, hungry=units("29 PzG"))
    assert not play(base_, turn).position.hungry

    def cut_later(war: War, pos: Table) -> Procedure:
        yield from supply_begins(war, pos)
        for name, hex in (("5 Br", "Q68"), ("46 Br", "T67"), ("56 Br", "P70"), ("78 Br", "T70")):
            pos.hex[number(name)] = at(hex)
        for name, hex in (("36 US", "V66"), ("45 US", "N69")):
            pos.hex[number(name)] = at(hex)
        assert unsupplied(war, pos, GERMAN) == units("29 PzG")
        yield from supply_ends(war, pos)

    after = play(
        table("29 PzG @ R70", "supply", GERMAN, hungry=units("29 PzG")), cut_later
    ).position
    assert not after.hungry  # supplied as the turn began
    assert after.hex[number("29 PzG")] == at("R70")


@rule("anzio", "D7B1", "D7B2")
def test_foreigners_count_twice_as_they_come_but_not_in_messina():
    match = at_work("1 Cdn, 5 Br @ Sicilia", ZONE, nationalities=True)
    do(match, "move", "1 Cdn")
    do(match, "sail", hex="N61")
    assert match.position.landed[ZONE] == 6
    match = at_work("1 Cdn @ Sicilia; 5 Br @ N61", ZONE)
    do(match, "move", "1 Cdn")
    do(match, "sail", hex="N61")
    assert match.position.landed[ZONE] == 3
    match = at_work("1 Cdn, 5 Br @ Sicilia", ZONE, nationalities=True)
    do(match, "move", "1 Cdn")
    do(match, "sail", hex="Messina")
    assert match.position.landed[-2] == 3
    match = at_work("1 Cdn, 5 Br @ Sicilia", ZONE, nationalities=True, entered=units("1 Cdn"))
    do(match, "move", "1 Cdn")
    do(match, "sail", hex="N61")
    assert match.position.landed[ZONE] == 3


@rule("anzio", "C7B4")
def test_nobody_sails_twice_in_a_turn():
    match = at_work("5 Br @ Sicilia", NAPOLI)
    do(match, "move", "5 Br")
    do(match, "sail", hex="K57")
    assert match.position.points > 0
    assert "sail" not in verbs(match)
    assert refused(match, "sail", "5 Br", "Sicilia").rule == "C7B4"


@rule("anzio", "D7B1")
def test_who_stands_on_the_map_as_a_turn_begins_counts_once_from_then_on():
    pos = play(table("1 Cdn @ P70; 8 Ind @ Sicilia", nationalities=True), arrivals_phase).position
    assert pos.entered == units("1 Cdn")
