from typing import Any

from apennine.games.anzio.rules.c9_supply import supply_begins, supply_ends, unsupplied
from apennine.games.anzio.table.position import ALLIED, AWAY, GERMAN, OPEN, Table
from apennine.games.anzio.table.war import War
from apennine.hexes import mask_of
from apennine.kernel.decision import Procedure
from apennine.kernel.match import Match
from apennine.testing import arrange, rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    do,
    mask,
    number,
    play,
    refused,
    table,
    told,
    units,
)
from tests.games.anzio.playing import PLAYED
from tests.games.anzio.playing import SHORT as PASSING

G = WAR.ground


def turn(war: War, pos: Table) -> Procedure:
    yield from supply_begins(war, pos)
    yield from supply_ends(war, pos)


def beachhead(counters: str, *bases: int, **fields: Any):
    pos = table(counters, **fields)
    for each in bases or (base("Salerno zone"),):
        pos.bases[each] = OPEN
        pos.friendly |= G.bases[each].hexes
    return pos


@rule("anzio", "C9B", "C9A2")
def test_germans_trace_to_the_northern_edge_however_far():
    assert not unsupplied(WAR, table("29 PzG @ Q62"), GERMAN)


@rule("anzio", "C9A1", "C9A3")
def test_a_ring_of_zones_isolates():
    pos = table("29 PzG @ R70; 5 Br @ Q68; 46 Br @ T67; 56 Br @ P70; 78 Br @ T70; 36 US @ V66")
    cut = unsupplied(WAR, pos, GERMAN)
    assert cut == units("29 PzG")
    pos.hex[number("46 Br")] = at("V68")
    pos.hex[number("78 Br")] = at("V68")
    pos.hex[number("36 US")] = at("V68")
    assert not unsupplied(WAR, pos, GERMAN)


@rule("anzio", "C9A4")
def test_the_hex_of_the_unit_itself_may_be_in_an_enemy_zone():
    assert not unsupplied(WAR, table("29 PzG @ Q62; 5 Br @ Q63"), GERMAN)


@rule("anzio", "C9A7", "C9A7b")
def test_who_ends_two_turns_without_supply_is_destroyed():
    counters = "5 Br @ Q62"  # no base operates
    pos = table(counters)
    match = play(pos, turn)
    assert match.position.hungry == units("5 Br")
    assert match.position.hex[number("5 Br")] == at("Q62")
    again = table(counters, hungry=units("5 Br"))
    assert told(play(again, turn), "is destroyed") == ["5 Br"]


@rule("anzio", "C9A7")
def test_who_is_cut_off_in_oct_i_must_be_reached_before_the_allies_move_in_oct_iii():
    ring = "5 Br @ Q68; 46 Br @ T67; 56 Br @ P70; 78 Br @ T70; 36 US @ V66"
    for relieved in (False, True):
        pos = arrange(
            PLAYED,
            f"29 PzG @ R70; {ring}",
            others=AWAY,
            turn=4,
            phase="movement",
            side=ALLIED,
            invasions=1,
            friendly=mask("Q68 T67 P70 T70 V66"),
            entries=mask_of(entry.place for entry in G.entries),
        )
        match: Match[Table] = Match(PLAYED, position=pos, seed=1)
        assert WAR.week(pos.turn) == "Oct I 1943"
        PASSING.next_turn(match)
        assert match.position.hungry == units("29 PzG")
        PASSING.pass_on(match, until="movement", side=ALLIED)
        if relieved:
            PASSING.do(match, "move", "46 Br")
            PASSING.do(match, "go", "46 Br", "V68")
        PASSING.next_turn(match)
        assert (match.position.turn, match.position.side) == (6, ALLIED)
        assert told(match, "is destroyed") == ([] if relieved else ["29 PzG"])


@rule("anzio", "C9A8")
def test_who_is_fed_in_time_begins_anew():
    match = play(beachhead("5 Br @ N61", hungry=units("5 Br")), turn)
    assert not match.position.hungry


@rule("anzio", "C9C1", "C5B5")
def test_a_base_feeds_as_many_points_as_its_capacity():
    full = "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US @ N63"  # 24 of 24
    assert play(beachhead(full), turn).decision is None
    match = play(beachhead(f"{full}; 168 Br @ N63"), turn)
    assert match.decision is not None


@rule("anzio", "C9C8b1", "C9C8b2")
def test_who_goes_without_is_named_and_stays_named():
    full = "56 Br, 5 Br @ N60; 46 Br, 78 Br @ N61; 36 US, 45 US @ N62; 34 US, 168 Br @ N63"
    match = play(beachhead(full), turn)
    assert refused(match, "go without", "29 PzG").rule == "C9C8b1"
    do(match, "go without", "168 Br")
    assert match.position.over == units("168 Br")
    assert match.position.hungry == units("168 Br")


@rule("anzio", "C9C5", "C9C4")
def test_messina_feeds_units_that_reach_its_edge():
    pos = table("5 Br @ R70", entries=1 << at("Messina"))
    assert not unsupplied(WAR, pos, ALLIED)
    assert unsupplied(WAR, table("5 Br @ R70"), ALLIED) == units("5 Br")


@rule("anzio", "D5B7")
def test_commandos_need_no_supply_if_their_rule_is_used():
    assert unsupplied(WAR, table("2SS @ Q62"), ALLIED) == units("2SS")
    assert not unsupplied(WAR, table("2SS @ Q62", commandos=True), ALLIED)


@rule("anzio", "C5G5")
def test_a_beach_in_a_german_zone_feeds_nobody_through_it():
    pos = beachhead("5 Br @ O67; 16 Pz @ N64", base("Sapri", port=True))
    assert not unsupplied(WAR, pos, ALLIED)
    pos.hex[number("16 Pz")] = at("P67")
    assert unsupplied(WAR, pos, ALLIED) == units("5 Br")
