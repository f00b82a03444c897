"""E8G to E8I, E16, E18 and E19: Commands, ersatz divisions, ports, the seas and the edges."""

from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4g_retreat import retreat
from apennine.games.anzio.rules.c7_sea import evacuate
from apennine.games.anzio.rules.e8_commands import command_edge, watch_entries
from apennine.games.anzio.rules.e8_replacements import reinforcing_phase
from apennine.games.anzio.rules.e9_regiments import refitting_phase
from apennine.games.anzio.table.position import (
    ADRIATIC,
    ALLIED,
    DESTROYED,
    DUE,
    GERMAN,
    LIGURIAN,
    OPEN,
    POOL,
    WITHDRAWN,
    Table,
)
from apennine.kernel.decision import Procedure
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.anzio.advanced import draw_cards, field, place
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
    units,
    verbs,
)

G = WAR.ground
LIGURIANS = ("34 Inf", "148 Inf", "42 Jaeger", "MR")
ADRIATICS = ("157 Mtn", "188 Mtn", "232 Inf", "SM")


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def commands(counters: str = "", turn: str = "Oct I 1944", more: tuple[str, ...] = (), **fields):
    """A position with both Commands at their eight points, and more in the Ligurian one."""
    pos = field(counters, turn, GERMAN, **fields)
    for name in (*LIGURIANS, *more):
        pos.hex[number(name)] = LIGURIAN
    for name in ADRIATICS:
        pos.hex[number(name)] = ADRIATIC
    return pos


# Commands.


@rule("anzio", "E8G1")
def test_nine_units_are_stationed_beyond_the_edges():
    pos = draw_cards(GERMAN, "Sept I 1944").position
    for turn in ("Sept II 1944", "Oct I 1944"):
        later = draw_cards(GERMAN, turn).position
        for unit, hex in enumerate(later.hex):
            if hex in (LIGURIAN, ADRIATIC):
                pos.hex[unit] = hex
    found = {WAR.names[u]: hex for u, hex in enumerate(pos.hex) if hex in (LIGURIAN, ADRIATIC)}
    assert len(found) == 9
    assert {name for name, hex in found.items() if hex == ADRIATIC} == set(ADRIATICS)


@rule("anzio", "E8G2")
def test_units_go_from_the_map_to_a_command_and_back_from_sept_i_1944():
    match = play(commands("65 Inf @ B12; 1 Para @ T30"), moves)
    do(match, "move", "65 Inf")
    do(match, "join the Command", "65 Inf")
    assert place(match, "65 Inf") == LIGURIAN
    pos = commands("1 Para @ T30", more=("65 Inf",))
    match = play(pos, moves)
    do(match, "move", "65 Inf")
    assert hexes(match, "come on", "65 Inf") == {"A13"}
    early = field("65 Inf @ B12; 1 Para @ T30", "Aug IV 1944", GERMAN)
    match = play(early, moves)
    do(match, "move", "65 Inf")
    assert "join the Command" not in verbs(match)


@rule("anzio", "E8G3", "E8G5")
def test_a_command_enters_at_the_nearest_edge_hex_that_the_allies_leave_free():
    pos = commands()
    assert codes(command_edge(WAR, pos, LIGURIAN)) == {"A13"}
    assert codes(command_edge(WAR, pos, ADRIATIC)) == {"Y7"}
    pos.hex[number("56 Br")] = at("A14")
    assert codes(command_edge(WAR, pos, LIGURIAN)) == {"A12"}
    pos.hex[number("5 Br")] = at("Y7")
    assert codes(command_edge(WAR, pos, ADRIATIC)) == {"Y5"}
    match = play(commands("65 Inf @ A13; 1 Para @ T30; 56 Br @ A14"), moves)
    do(match, "move", "65 Inf")
    assert refused(match, "join the Command", "65 Inf").rule == "E8G5"


@rule("anzio", "E8G7")
def test_eight_points_of_units_with_a_defence_factor_stay_in_each():
    match = play(commands("1 Para @ T30; 26 Pz @ T31"), moves)
    assert names(match, "move") == {"1 Para", "26 Pz"}
    assert refused(match, "move", "34 Inf").rule == "E8G7"
    match = play(commands("1 Para @ T30", more=("65 Inf",)), moves)
    assert names(match, "move") == {"1 Para", "65 Inf", *LIGURIANS}
    pos = commands("1 Para @ T30", more=("65 Inf",))
    pos.steps[number("65 Inf")] = 1  # an inverted counter does not count
    pos.soft |= units("65 Inf")
    assert names(play(pos, moves), "move") == {"1 Para", "65 Inf"}
    pos = commands("1 Para @ T30", more=("Ers inf 1", "Repl Rep 1", "Ers inf 2"))
    pos.soft |= units("Repl Rep 1")
    found = names(play(pos, moves), "move")
    assert {"Ers inf 1", "Repl Rep 1", "34 Inf"} <= found  # ersatz counts, replacements do not
    pos.hex[number("Ers inf 1")] = pos.hex[number("Ers inf 2")] = POOL
    assert "34 Inf" not in names(play(pos, moves), "move")


@rule("anzio", "E8G6")
def test_a_command_sealed_for_two_german_turns_is_destroyed():
    pos = commands()
    allied = [
        u for u in range(len(WAR.names)) if WAR.army[ALLIED] >> u & 1 and not pos.soft >> u & 1
    ]
    for unit, hex in zip(allied, WAR.command_edges[1]):
        pos.hex[unit] = hex
    for turns, left in ((1, len(ADRIATICS)), (2, 0)):
        for _ in watch_entries(WAR, pos):
            pass
        assert sum(hex == ADRIATIC for hex in pos.hex) == left
        assert pos.commands == [0, turns]
    assert sum(hex == LIGURIAN for hex in pos.hex) == len(LIGURIANS)
    assert {pos.hex[number(name)] for name in ADRIATICS} == {DESTROYED}
    again = commands("1 Para @ T30")
    again.commands[1] = 1
    for _ in watch_entries(WAR, again):
        pass
    assert again.commands == [0, 0]


@rule("anzio", "E8G8")
def test_units_in_a_command_are_rebuilt_without_a_counter():
    pos = commands(credit=[0, 1, 0], more=("65 Inf",))
    pos.phase = "refitting"
    pos.steps[number("65 Inf")] = pos.steps[number("34 Inf")] = 2
    match = play(pos, refitting_phase)
    assert names(match, "refit") == {"65 Inf", "34 Inf"}
    do(match, "refit", "34 Inf")
    assert match.position.steps[number("34 Inf")] == 3
    assert match.position.credit[1] == 0


# Replacements.


def raising(counters: str, **fields) -> Match[Table]:
    pos = field(counters, "Oct II 1944", GERMAN, "reinforcing", **fields)
    return play(pos, reinforcing_phase)


@rule("anzio", "E8I")
def test_an_ersatz_division_becomes_three_replacements_or_two():
    for steps, credit in ((2, 3), (1, 2)):
        pos = field("Schl @ T20; Wild @ T22", "Oct II 1944", GERMAN, "reinforcing")
        pos.steps[number("Schl")] = steps
        match = play(pos, reinforcing_phase)
        do(match, "dissolve", "Schl")
        assert match.position.credit[1] == credit
        assert place(match, "Schl") == WITHDRAWN
    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    assert names(raising(f"Schl @ F49; Wild @ T22; {ring}"), "dissolve") == {"Wild"}


@rule("anzio", "E5D5a")
def test_replacements_come_over_the_edge_or_into_a_city():
    pos = field("", "Oct II 1944", GERMAN, "reinforcing", credit=[0, 1, 0])
    for n in range(1, 7):
        pos.hex[number(f"Ers inf {n}")] = POOL
    match = play(pos, reinforcing_phase)
    assert {"call up", "raise"} <= verbs(match)
    do(match, "call up", "Ers inf 1")
    assert place(match, "Ers inf 1") == DUE
    assert match.position.credit[1] == 0


@rule("anzio", "E8H")
def test_czechs_and_slovaks_come_over_the_edge_or_into_a_city_once():
    pos = draw_cards(GERMAN, "Oct II 1944").position
    assert pos.hex[number("Czech 1")] == pos.hex[number("Slov 2")] == DUE
    pos.phase = "reinforcing"
    match = play(pos, reinforcing_phase)
    assert "Q15" in hexes(match, "quarter", "Czech 1")
    do(match, "quarter", "Czech 1", "Q15")
    assert place(match, "Czech 1") == at("Q15")
    assert not WAR.once & units("Ers inf 1")


# Ports and seas.


@rule("anzio", "E16A")
def test_a_port_may_be_dismantled_and_its_counter_is_not_kept():
    bases = [0] * len(G.bases)
    bases[base("Napoli", port=True)] = OPEN
    pos = field("56 Br @ K57", "Sept I 1944", phase="end", bases=bases, friendly=G.land)
    match = play(pos, end_phase)
    do(match, "dismantle", hex="K57")
    assert match.position.bases == [0] * len(G.bases)
    assert match.position.ports == 0


def sailing(counters: str, unit: str, **fields) -> set[str]:
    """Where a unit may sail that has been picked up, all ports being open."""
    bases = [OPEN if b.is_port else 0 for b in G.bases]
    pos = field(counters, "Sept III 1944", bases=bases, friendly=G.land, **fields)
    pos.entries = sum(1 << entry.place for entry in G.entries)
    match = play(pos, moves)
    do(match, "move", unit)
    return hexes(match, "sail", unit)


@rule("anzio", "E18A")
def test_the_three_seas():
    from apennine.games.anzio.rules.e18_seas import seas

    west, south, east = seas(WAR)
    for hex in ("A14", "D24", "D50", "I53", "J58"):
        assert west >> at(hex) & 1
    for hex in ("K57", "N60", "O67", "N74"):
        assert south >> at(hex) & 1
    for hex in ("Y46", "V40", "Y27", "Y13"):
        assert east >> at(hex) & 1
    assert south >> G.sicilia & 1
    messina, taranto = (entry.place for entry in G.entries)
    assert south >> messina & 1
    assert east >> taranto & 1
    assert not west & east


@rule("anzio", "E18B")
def test_nobody_sails_from_the_first_sea_to_the_third_in_a_turn():
    west = sailing("56 Br @ A14; 5 Br @ K57", "56 Br")
    assert {"K57", "D50"} <= west
    assert not west & {"V40", "Y27", "Taranto"}
    east = sailing("56 Br @ V40; 5 Br @ K57", "56 Br")
    assert {"K57", "Y27"} <= east
    assert not east & {"A14", "D50"}
    middle = sailing("56 Br @ K57; 5 Br @ N60", "56 Br")
    assert {"A14", "V40"} <= middle


@rule("anzio", "E18B")
def test_nor_does_an_evacuation_or_an_invasion():
    bases = [OPEN if b.is_port else 0 for b in G.bases]
    pos = field("56 Br @ D26", "Sept III 1944", bases=bases, friendly=G.land)

    def scene(war, pos) -> Procedure:
        yield from evacuate(war, pos, number("56 Br"))

    shores = hexes(play(pos, scene), "come ashore")
    assert {"K57", "D50"} <= shores
    assert not shores & {"V40", "Y27"}
    given = {"ports": 2, "invaded": 1, "invasions": 1, "bases": bases, "friendly": G.land}
    pos = field("36 US @ A14; 45 US @ Sicilia", "Sept III 1944", **given)
    match = play(pos, moves)
    do(match, "invade", hex="V21")
    assert {o.unit for o in match.decision.options if o.verb == "land"} == {number("45 US")}


# The edges.


@rule("anzio", "E19A")
def test_germans_seal_the_southern_entries_with_zones_also_of_ersatz():
    from apennine.games.anzio.rules.b4e_zones import zone

    pos = field("Ers inf 1 @ Q71; Repl Rep 1 @ N73", "Oct II 1943")
    pos.hex[number("26 Pz")], pos.steps[number("26 Pz")] = at("U68"), 1
    pos.soft |= units("26 Pz, Repl Rep 1")
    held = zone(WAR, pos, GERMAN)
    assert held >> at("Q72") & 1
    assert not held >> at("N74") & 1
    assert not held >> at("U69") & 1


@rule("anzio", "E19B1")
def test_germans_leave_over_the_northern_edges_and_come_back_in_a_later_turn():
    match = play(field("65 Inf @ U2; 1 Para @ T30", "Oct I 1943", GERMAN), moves)
    do(match, "move", "65 Inf")
    do(match, "leave the map", "65 Inf")
    assert place(match, "65 Inf") == DUE
    assert "65 Inf" not in names(match, "move")
    pos = match.position
    pos.turn += 1
    again = play(pos, moves)
    do(again, "move", "65 Inf")
    assert hexes(again, "come on", "65 Inf")


def falling_back(counters: str, unit: str, side: int) -> Match[Table]:
    pos = field(counters, "Oct I 1943", 1 - side, "combat")
    those = units(unit)

    def scene(war, pos) -> Procedure:
        yield from retreat(war, pos, those, "B4G1")

    return play(pos, scene)


@rule("anzio", "E19B1", "E19B2")
def test_germans_retreat_off_the_map_and_allies_there_are_destroyed():
    ring = "56 Br @ T4; 5 Br @ V3; 46 Br @ T3; 36 US @ V2"
    ring = "56 Br @ U4; 5 Br @ V3"
    match = falling_back(f"65 Inf, 1 Para @ U2; {ring}", "65 Inf, 1 Para", GERMAN)
    do(match, "retreat off the map", "65 Inf")
    assert place(match, "65 Inf") == DUE
    wall = "65 Inf @ S4; 92 Inf @ U3; 94 Inf @ W2"
    match = falling_back(f"56 Br @ U2; {wall}", "56 Br", ALLIED)
    assert place(match, "56 Br") == DESTROYED
    assert mask("U2") & G.german_edge
