"""E10: the Italian army; E11 and E12: mountain units and the drop on Roma."""

import pytest

from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_zones import deadly_hexes
from apennine.games.anzio.rules.b4f_steps import lose_steps, remove
from apennine.games.anzio.rules.c4_friendly import claim_hexes
from apennine.games.anzio.rules.c8_edges import edge_of
from apennine.games.anzio.rules.c11_replacements import helpers, worn
from apennine.games.anzio.rules.e4_cards import cards_phase
from apennine.games.anzio.table.position import ALLIED, DESTROYED, DUE, GERMAN, POOL
from apennine.kernel.decision import Procedure
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.anzio.advanced import SCENARIOS, come, draw_cards, field, place
from tests.games.anzio.drawing import (
    WAR,
    Field,
    at,
    codes,
    do,
    events,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    rolls,
    units,
    verbs,
)
from tests.games.anzio.playing import begin, pass_on

G = WAR.ground
ROMA = ("G di S", "Ariete", "Piave", "Piac", "Cent", "Sassari")
OTHERS = ("L di T", "Pas", "AG", "Coast 1", "Coast 2")
STANDING = "; ".join(
    f"{start.unit} @ {start.at}"
    for start in WAR.book.setups["advanced"].units
    if start.unit in (*ROMA, *OTHERS)
)
FORCE = "36 US, 82/504, 82/505, 82/325 @ Sicilia"


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def landing(hex: str, die: int, counters: str = STANDING, drop: bool = False) -> Match:
    """The first landing, with one die for all Italians."""
    pos = field(f"{counters}; {FORCE}", "Sept II 1943", oob=0, ports=2)
    match = Match(Field(moves, WAR), position=pos, dice_by_hand=True)
    do(match, "invade", hex=hex)
    if "no drop" in verbs(match) if hasattr(match.decision, "options") else False:
        do(match, "drop on Roma" if drop else "no drop")
    while not hasattr(match.decision, "options"):
        match.roll(die)
    return match


def joined(match: Match) -> set[str]:
    return {WAR.names[event.unit] for event in events(match, "joins the Allies")}


@rule("anzio", "E10B1")
def test_of_the_italians_only_the_185th_stays_with_the_germans():
    match = begin("game-1")
    pass_on(match, until="movement")
    there = {
        WAR.names[u]
        for u in range(len(WAR.names))
        if WAR.italians >> u & 1 and match.position.hex[u] >= 0
    }
    assert there == {*ROMA, *OTHERS, "185 Nembo"}
    assert WAR.army[GERMAN] & units("185 Nembo")
    match = landing("N61", 6)
    for name in (*ROMA, *OTHERS):
        assert place(match, name) == DESTROYED
    assert len(events(match, "disbands")) == len(ROMA) + len(OTHERS)


@rule("anzio", "E10B2")
def test_a_die_is_rolled_for_each_after_the_landing_is_known_and_before_any_combat():
    match = landing("K57", 3)
    assert len(rolls(match)) == len(ROMA) + len(OTHERS)
    assert match.position.phase == "movement"
    assert {event.rule for event in events(match, "invasion")} == {"C5A1"}


@rule("anzio", "E10B2a")
@pytest.mark.parametrize("hex", ["N61", "V40", "W45", "V21"])
def test_with_salerno_or_the_east_coast_the_garrison_of_roma_joins_on_1_to_4(hex: str):
    assert joined(landing(hex, 4)) == set(ROMA)
    assert joined(landing(hex, 5)) == set()


@rule("anzio", "E10B2b")
@pytest.mark.parametrize("hex", ["K57", "J54", "G52"])
def test_with_napoli_mondragone_or_terracina_on_1_to_5_and_others_on_1_to_2(hex: str):
    assert joined(landing(hex, 2)) == {*ROMA, *OTHERS}
    assert joined(landing(hex, 5)) == set(ROMA)
    assert joined(landing(hex, 6)) == set()


@rule("anzio", "E10B2c")
@pytest.mark.parametrize("hex", ["E48", "C42", "B33", "D27", "E22", "A14"])
def test_with_roma_or_north_of_it_all_of_roma_and_others_on_1_to_4(hex: str):
    free = STANDING.replace("Coast 2 @ D27", "Coast 2 @ D28")
    assert joined(landing(hex, 4, free)) == {*ROMA, *OTHERS}
    assert joined(landing(hex, 5, free)) == set(ROMA)


@rule("anzio", "E10B2d", "E12A")
@pytest.mark.parametrize("hex", ["E48", "C42"])
def test_with_a_drop_of_the_82nd_on_roma_all_join(hex: str):
    match = landing(hex, 6, drop=True)
    assert joined(match) == {*ROMA, *OTHERS}
    assert not rolls(match)


@rule("anzio", "E12A")
def test_the_drop_goes_with_a_landing_at_roma_or_civitavecchia_and_takes_all_three():
    pos = field(f"{STANDING}; {FORCE}", "Sept II 1943", oob=0, ports=2)
    for hex, asked in (("E48", True), ("C42", True), ("N61", False), ("G52", False)):
        match = Match(Field(moves, WAR), position=pos, dice_by_hand=True)
        do(match, "invade", hex=hex)
        assert (hasattr(match.decision, "options") and "no drop" in verbs(match)) == asked
    pos.hex[number("82/325")] = at("K57")
    match = Match(Field(moves, WAR), position=pos, dice_by_hand=True)
    do(match, "invade", hex="E48")
    assert not hasattr(match.decision, "options")


@rule("anzio", "E12C", "E12D")
def test_a_regiment_drops_on_each_hex_of_roma_and_may_go_on_one_hex():
    match = landing("E48", 6, drop=True)
    assert hexes(match, "drop", "82/504") == {"F45", "F44", "G44"}
    do(match, "drop", "82/504", "F45")
    assert hexes(match, "drop", "82/505") == {"F44", "G44"}
    do(match, "drop", "82/505", "F44")
    assert place(match, "82/325") == at("G44")  # the last one
    near = hexes(match, "go on", "82/504")
    assert near
    assert all(WAR.lattice.distance(at(hex), at("F45")) == 1 for hex in near)
    do(match, "go on", "82/504", "E46")
    do(match, "stay where they are")
    do(match, "stay where they are")
    pos = match.position
    assert pos.lifted == 0
    assert pos.moved & units("82/504, 82/505, 82/325")
    assert pos.friendly >> at("F45") & 1
    assert {o.unit for o in match.decision.options if o.verb == "land"} == {number("36 US")}


# What they may do.


@rule("anzio", "E10A2a")
def test_italians_take_losses_first():
    pos = field("G di S, 56 Br @ K57", phase="combat")
    both = units("G di S, 56 Br")

    def scene(war, pos) -> Procedure:
        yield from lose_steps(war, pos, both, 2, ALLIED)

    match = play(pos, scene)
    assert place(match, "G di S") == DESTROYED
    assert match.position.steps[number("56 Br")] == WAR.full[number("56 Br")] - 1
    pos = field("185 Nembo, 1 Para @ K57", phase="combat")
    those = units("185 Nembo, 1 Para")

    def german(war, pos) -> Procedure:
        yield from lose_steps(war, pos, those, 1, GERMAN)

    assert place(play(pos, german), "185 Nembo") == DESTROYED


@rule("anzio", "E10A2b")
def test_italians_are_never_rebuilt():
    pos = field("CIL, Repl Br 1 @ K57", "May I 1944", phase="rebuilding")
    pos.steps[number("CIL")] = 0
    assert not worn(WAR, pos, ALLIED) & units("CIL")


@rule("anzio", "E10A2c")
def test_italians_have_one_step_and_no_inverted_counter():
    for unit in range(len(WAR.names)):
        if WAR.italians >> unit & 1:
            assert WAR.full[unit] == 1
            assert not WAR.inverts >> unit & 1


@rule("anzio", "E10B2e")
def test_italians_may_be_disbanded_at_the_end_of_an_allied_turn():
    match = play(field("G di S @ F45; 56 Br @ K57", phase="end"), end_phase)
    do(match, "disband units")
    do(match, "disband", "G di S")
    assert place(match, "G di S") == DESTROYED


@rule("anzio", "E10B3")
def test_italians_do_not_move_in_the_first_turn():
    first = play(field("G di S @ F45; 56 Br @ K57", "Sept II 1943", invasions=1, invaded=1), moves)
    assert names(first, "move") == {"56 Br"}
    assert refused(first, "move", "G di S").rule == "E10B3"
    later = play(field("G di S @ F45; 56 Br @ K57", "Sept III 1943"), moves)
    assert names(later, "move") == {"56 Br", "G di S"}


@rule("anzio", "E10B4b")
def test_germans_who_start_next_to_italians_do_not_move_strategically():
    from apennine.games.anzio.rules.b4c_movement import strategic

    pos = field("2 Para @ E47; 1 Para @ T40; Piac @ E46", "Sept II 1943", GERMAN)
    match = play(pos, moves)
    assert not strategic(match.position, number("2 Para"))
    assert strategic(match.position, number("1 Para"))


@rule("anzio", "E10B4c")
def test_invaders_pass_through_italians_and_stop_with_them_within_the_limits():
    pos = field("Coast 1 @ N61; 36 US @ Sicilia", "Sept II 1943", oob=0, ports=2)
    match = Match(Field(moves, WAR), position=pos, dice_by_hand=True)
    do(match, "invade", hex="N61")
    match.position.hex[number("Coast 1")] = at("N61")
    match.position.steps[number("Coast 1")] = 1
    found = hexes(match, "land", "36 US")
    assert "N61" in found
    assert any(WAR.lattice.distance(at(hex), at("N61")) >= 1 for hex in found)


@rule("anzio", "E10B4e")
def test_italians_make_hexes_friendly_from_the_second_turn_on():
    pos = field("G di S @ F45; 56 Br @ N61", "Sept II 1943")
    claim_hexes(WAR, pos, number("G di S"), mask("F45 F46"))
    assert not pos.friendly
    claim_hexes(WAR, pos, number("56 Br"), mask("N61"))
    assert codes(pos.friendly) == {"N61"}
    pos.turn, pos.phase = 2, "cards"
    later = play(pos, cards_phase).position
    assert later.friendly >> at("F45") & 1
    claim_hexes(WAR, later, number("G di S"), mask("F46"))
    assert later.friendly >> at("F46") & 1


@rule("anzio", "E10B4h")
def test_germans_do_not_go_where_italians_are():
    match = play(field("2 Para @ E47; Sassari @ G45", "Sept III 1943", GERMAN), moves)
    do(match, "move", "2 Para")
    assert "G45" not in hexes(match, "go", "2 Para")
    assert refused(match, "go", "2 Para", "G45").rule == "B4D4"


@rule("anzio", "E10B4j")
def test_italians_without_an_attack_factor_are_like_ersatz():
    pos = field("L di T @ W52; 56 Br @ W40", phase="combat")
    assert not deadly_hexes(WAR, pos, ALLIED) >> at("W52") & 1
    from apennine.games.anzio.rules.b4e_combat import combat_phase

    pos = field("L di T @ W52; 1 Para @ W53; 56 Br @ W40", phase="combat")
    assert place(play(pos, combat_phase), "L di T") == DESTROYED


@rule("anzio", "E10E2")
def test_republicans_enter_over_the_edge_and_are_fed_like_germans():
    match = draw_cards(GERMAN, "Nov I 1944")
    assert {"Litt", "GNR", "BN 1"} <= come(match)
    assert place(match, "GNR") == DUE
    assert WAR.army[GERMAN] & units("GNR")
    pos = match.position
    pos.movers = units("GNR")
    assert edge_of(WAR, pos) == WAR.german_edge(pos)
    from apennine.games.anzio.rules.c9_supply import german_unfed

    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    assert german_unfed(WAR, field(f"GNR @ F49; {ring}", "Nov II 1944")) == units("GNR")


@rule("anzio", "E10E3", "E8H")
def test_republican_and_foreign_replacements_serve_once():
    pos = field("Repl Rep 1, 65 Inf, 26 Pz @ T20", "Jan I 1944", phase="rebuilding")
    for name in ("65 Inf", "26 Pz"):
        pos.steps[number(name)] -= 1
    assert helpers(WAR, pos, number("65 Inf")) == units("Repl Rep 1")
    assert not helpers(WAR, pos, number("26 Pz"))
    assert WAR.helpless & units("Repl Rep 1")
    for name in ("Repl Rep 1", "Czech 1", "Slov 2"):
        remove(WAR, pos, number(name))
        assert pos.hex[number(name)] == DESTROYED
    remove(WAR, pos, number("Ers inf 1"))
    assert pos.hex[number("Ers inf 1")] == POOL


# Mountain units.


def climbers(side: int) -> set[str]:
    return {
        WAR.names[u] for u in range(len(WAR.names)) if (WAR.mountaineers & WAR.army[side]) >> u & 1
    }


@rule("anzio", "E11B")
def test_the_allied_mountain_units():
    french = {unit.name for unit in WAR.units if unit.nation == "Fr" and unit.faces[0][2] == 8}
    assert climbers(ALLIED) == {"10 Mtn", "1SSF", "GK", "52 Mtn", "AG", "28G", "36G"} | french
    assert len(french) == 8


@rule("anzio", "E11C")
def test_the_german_mountain_units():
    assert climbers(GERMAN) == {"3+4", "5 Mtn", "Doehla"}
    assert SCENARIOS["game-1"].advanced
