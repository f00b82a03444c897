"""E6 and E8A to E8C: garrisons, how they are released, and the divisions with ways of their own."""

import pytest

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.c4_friendly import claim_hexes
from apennine.games.anzio.rules.e4_cards import cards_phase
from apennine.games.anzio.rules.e6_posts import leash, on_guard, roused
from apennine.games.anzio.table.position import (
    ALLIED,
    AWAY,
    DESTROYED,
    DUE,
    GERMAN,
    LIVORNO_NEAR,
    WITHDRAWN,
)
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.advanced import (
    MAXIMUM,
    REINFORCED,
    STANDARD,
    asks,
    come,
    draw_cards,
    field,
    gone,
    place,
    turn_of,
)
from tests.games.anzio.drawing import (
    WAR,
    at,
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
from tests.games.anzio.playing import PLAYED, begin, pass_on

G = WAR.ground
FIRENZE = "24 Pz @ L23"


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def guarding(counters: str, guards: str, turn: str = "Sept III 1943", **fields):
    """The German movement with some units on garrison duty."""
    return play(
        field(counters, turn, GERMAN, frozen=units(guards) if guards else 0, **fields), moves
    )


def walks(pos, unit: str, *path: str) -> None:
    """An Allied unit goes through hexes."""
    claim_hexes(WAR, pos, number(unit), mask(" ".join(path)))


@rule("anzio", "E5D2", "E6A")
def test_rommels_units_and_those_bound_for_a_city_are_garrisons():
    match = begin("game-1")
    pos = match.position
    start = {WAR.names[u] for u in range(len(WAR.names)) if pos.frozen >> u & 1}
    assert start == {
        *("LAH", "R", "24 Pz", "18 Pz", "Doehla", "2 Para"),
        *("94 Inf", "305 Inf", "65 Inf", "44 Inf"),
    }
    match = draw_cards(GERMAN, "Nov II 1943")
    bound = {name for name in come(match) if match.position.frozen >> number(name) & 1}
    assert bound == {"334 Inf", "362 Inf", "155 Inf", "98 Inf", "371 Inf", "356 Inf"}


@rule("anzio", "E6B1")
def test_a_garrison_stays_until_it_is_released():
    match = guarding(f"{FIRENZE}; 1 Para @ T40", "24 Pz")
    assert names(match, "move") == {"1 Para"}
    assert refused(match, "move", "24 Pz").rule == "E6B1"
    assert names(guarding(f"{FIRENZE}; 1 Para @ T40", ""), "move") == {"1 Para", "24 Pz"}


@rule("anzio", "E5D5b")
def test_a_reinforcement_with_a_city_goes_straight_there():
    pos = field("", "Oct I 1943", GERMAN, frozen=units("162 Turco"))
    pos.hex[number("162 Turco")] = DUE
    match = play(pos, moves)
    do(match, "move", "162 Turco")
    do(match, "come on", "162 Turco", "U2")
    post = mask("Q15")
    away = WAR.lattice.distance(at("U2"), at("Q15"))
    assert all(
        WAR.lattice.distance(at(hex), at("Q15")) < away for hex in hexes(match, "go", "162 Turco")
    )
    assert "Q15" in hexes(match, "go", "162 Turco")
    assert refused(match, "go", "162 Turco", "W2").rule == "E6B1"
    do(match, "go", "162 Turco", "Q15")
    assert on_guard(WAR, match.position) == units("162 Turco")
    assert post == WAR.posts[number("162 Turco")].hexes
    later = draw_cards(GERMAN, "July I 1944", "162 Turco @ Q15", frozen=units("162 Turco"))
    assert not later.position.frozen


@rule("anzio", "E6B2")
def test_a_garrison_with_a_date_is_removed_from_its_city():
    match = draw_cards(GERMAN, "Nov II 1943", FIRENZE, frozen=units("24 Pz"))
    assert "24 Pz" in gone(match)
    assert place(match, "24 Pz") == WITHDRAWN


@rule("anzio", "E6B3")
def test_a_garrison_listed_again_is_released_where_it_stands():
    match = draw_cards(GERMAN, "Oct II 1943", "65 Inf @ L12", frozen=units("65 Inf"))
    assert not match.position.frozen
    assert place(match, "65 Inf") == at("L12")


@rule("anzio", "E6B4")
def test_an_italian_within_ten_hexes_draws_a_garrison_out_and_it_must_return():
    match = guarding(f"{FIRENZE}; AG @ L28", "24 Pz")
    assert "24 Pz" in names(match, "move")
    do(match, "move", "24 Pz")
    found = hexes(match, "go", "24 Pz")
    assert all(WAR.lattice.distance(at(hex), at("L23")) <= 10 for hex in found)
    assert not found & codes(G.land & ~WAR.lattice.disc(at("L23"), 10))
    gone_far = field(
        "24 Pz @ L28; 1 Para @ T40; AG @ A60", "Sept III 1943", GERMAN, frozen=units("24 Pz")
    )
    assert not roused(WAR, gone_far)
    back = leash(WAR, gone_far, units("24 Pz"))
    assert at("L23") in [h for h in range(back.bit_length()) if back >> h & 1]
    assert not back >> at("L29") & 1
    match = play(gone_far, moves)
    assert refused(match, "end movement").rule == "E6B4"
    do(match, "move", "24 Pz")
    do(match, "go", "24 Pz", "L23")
    assert "end movement" in verbs(match) or match.decision is None


@rule("anzio", "E6B5", "E6B5b")
def test_allies_within_ten_hexes_release_a_garrison_even_in_passing():
    pos = field(f"{FIRENZE}; 56 Br @ V31", "Oct I 1943", frozen=units("24 Pz"))
    walks(pos, "56 Br", "V30", "V31")
    assert pos.frozen
    walks(pos, "AG", "V21")  # an Italian
    assert pos.frozen
    walks(pos, "56 Br", "V22", "V21", "V31")  # Rimini, and away again
    assert WAR.lattice.distance(at("V21"), at("L23")) == 10
    assert not pos.frozen


@rule("anzio", "E6B5a")
def test_a_garrison_that_is_away_is_released_by_who_comes_near_its_post():
    pos = field("24 Pz @ L28; AG @ L30; 56 Br @ V31", "Oct I 1943", frozen=units("24 Pz"))
    walks(pos, "56 Br", "L36")  # near the division, not near Firenze
    assert pos.frozen
    walks(pos, "56 Br", "L33")
    assert not pos.frozen
    assert pos.hex[number("24 Pz")] == at("L28")


@rule("anzio", "E6B5")
def test_a_garrison_that_comes_when_allies_are_near_its_city_is_free():
    near, far = (
        draw_cards(GERMAN, "Nov II 1943", f"56 Br @ {hex}").position for hex in ("C22", "C30")
    )
    assert far.frozen & units("334 Inf")
    assert not near.frozen & units("334 Inf")
    italian = draw_cards(GERMAN, "Nov II 1943", "AG @ C19").position
    assert italian.frozen & units("334 Inf")


# Livorno.


def corsica(counters: str = "", turn: str = "Sept IV 1943", **fields):
    return draw_cards(GERMAN, turn, counters, **fields)


@rule("anzio", "E6C1", "E6C4")
def test_the_units_from_corsica_come_to_livorno_and_guard_it():
    match = corsica()
    assert hexes(match, "station") == {"D24", "D25"}
    do(match, "station", hex="D24")
    assert place(match, "90 PzG") == place(match, "SS RF") == at("D24")
    assert match.position.frozen == units("90 PzG, SS RF")


@rule("anzio", "E6C2")
def test_else_they_come_to_genova_or_la_spezia_or_over_the_edge_on_oct_i():
    lost = mask("D24 D25")
    match = corsica(friendly=lost)
    assert hexes(match, "station") == {"A14", "C19"}
    do(match, "station", hex="C19")
    assert not match.position.frozen
    nowhere = corsica(friendly=lost | mask("A14 C19"))
    assert place(nowhere, "90 PzG") == AWAY
    pos = nowhere.position
    pos.turn, pos.phase = turn_of("Oct I 1943"), "cards"
    match = play(pos, cards_phase)
    assert place(match, "90 PzG") == place(match, "SS RF") == DUE
    assert not match.position.frozen & units("90 PzG, SS RF")


@rule("anzio", "E6C5")
def test_released_at_once_they_do_not_move_strategically_in_that_turn():
    from apennine.games.anzio.rules.b4c_movement import strategic

    match = corsica("56 Br @ D31")
    do(match, "station", hex="D24")
    assert not match.position.frozen
    assert not strategic(match.position, number("90 PzG"))
    late = draw_cards(GERMAN, "Oct I 1943")
    assert strategic(late.position, number("90 PzG"))


@rule("anzio", "E6C6")
def test_the_16_ss_takes_the_place_of_its_brigade():
    post = units("SS RF")
    match = draw_cards(GERMAN, "Dec I 1943", "SS RF @ D24", frozen=post)
    assert place(match, "16 SS RF") == at("D24")
    assert place(match, "SS RF") == WITHDRAWN
    assert not match.position.frozen & units("SS RF, 16 SS RF")
    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    waiting = draw_cards(GERMAN, "Dec I 1943", f"SS RF @ F49; {ring}")
    assert place(waiting, "SS RF") == at("F49")
    assert place(waiting, "16 SS RF") == AWAY
    pos = waiting.position
    pos.turn, pos.phase = pos.turn + 1, "cards"
    for name in ("56 Br", "5 Br", "46 Br", "36 US"):
        pos.hex[number(name)] = AWAY
    assert place(play(pos, cards_phase), "16 SS RF") == at("F49")
    lost = field("", "Dec I 1943", GERMAN, "cards")
    lost.hex[number("SS RF")] = DESTROYED
    match = play(lost, cards_phase)
    assert place(match, "16 SS RF") == DUE
    unit = number("16 SS RF")
    assert match.position.steps[unit] == WAR.full[unit] - 2


# HG.


def january(counters: str = "HG @ L40", **fields):
    return draw_cards(GERMAN, "Jan II 1944", counters, **fields)


@rule("anzio", "E8A2")
def test_hg_is_lifted_to_livorno_and_guards_it():
    match = january()
    assert hexes(match, "station") == {"D24", "D25"}
    do(match, "station", hex="D25")
    assert place(match, "HG") == at("D25")
    assert match.position.frozen == units("HG")


@rule("anzio", "E8A1")
def test_hg_stays_if_the_allies_have_landed_again_or_come_near_livorno():
    assert place(january(second=10, invaded=10, invasions=3), "HG") == at("L40")
    assert place(january(marks=LIVORNO_NEAR), "HG") == at("L40")
    pos = field("HG @ L40", "Dec I 1943")
    walks(pos, "56 Br", "D40")
    assert WAR.lattice.distance(at("D40"), at("D25")) == 15
    assert pos.marks & LIVORNO_NEAR
    from tests.games.anzio.test_e4_withdrawals import leavers

    assert leavers("July IV 1944", "HG @ T20") == {"HG"}


@rule("anzio", "E8A3")
def test_hg_leaves_livorno_on_feb_ii():
    guard = {"frozen": units("HG"), "heir": number("HG")}
    assert gone(draw_cards(GERMAN, "Feb II 1944", "HG @ D24", **guard)) == {"HG"}
    assert not gone(draw_cards(GERMAN, "Feb II 1944", "HG @ D24"))


@rule("anzio", "E8A4")
def test_a_landing_or_allies_near_livorno_free_hg_again():
    guard = {"frozen": units("HG"), "heir": number("HG")}
    pos = field("HG @ D24", "Jan III 1944", **guard)
    walks(pos, "56 Br", "D41")
    assert pos.frozen
    walks(pos, "56 Br", "D40")
    assert not pos.frozen
    given = {"ports": 2, "invaded": 1, "invasions": 1, **guard}
    pos = field("HG @ D24; 36 US @ Sicilia", "Jan III 1944", ALLIED, **given)
    match = play(pos, moves)
    do(match, "invade", hex="N61")
    assert not match.position.frozen


@rule("anzio", "E8A5")
def test_for_an_isolated_hg_a_substitute_follows_its_dates():
    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    match = january(f"HG @ F49; {ring}; 16 Pz @ T20; 26 Pz @ T22")
    assert names(match, "send to Livorno") == {"16 Pz", "26 Pz"}
    do(match, "send to Livorno", "26 Pz")
    do(match, "station", hex="D24")
    pos = match.position
    assert (pos.heir, pos.frozen) == (number("26 Pz"), units("26 Pz"))
    pos.turn, pos.phase = turn_of("Feb II 1944"), "cards"
    assert gone(play(pos, cards_phase)) == {"26 Pz"}


@rule("anzio", "E8A6")
def test_hg_and_its_panzer_regiment_are_pure_armor_its_grenadiers_are_not():
    assert WAR.armor & units("HG, HG/HG") == units("HG, HG/HG")
    assert not WAR.armor & units("HG/1, HG/2")


# Roma and Genova.


@rule("anzio", "E8B1")
def test_2_para_starts_at_practica_and_moves_to_roma():
    match = begin("game-1")
    pass_on(match, until="movement")
    assert place_of(match, "2 Para") == "E47"
    post = WAR.posts[number("2 Para")].hexes
    assert codes(post) == {"F45", "F44", "G44"}
    match = guarding("2 Para @ E47; 1 Para @ T40", "2 Para", "Sept II 1943")
    do(match, "move", "2 Para")
    assert hexes(match, "go", "2 Para") >= {"F45"}
    assert refused(match, "halt", "2 Para").rule == "E6B4"


def place_of(match, unit: str) -> str:
    return PLAYED.board.code(match.position.hex[number(unit)])


def new_year(**fields):
    return draw_cards(GERMAN, "Jan I 1944", fields.pop("counters", "2 Para @ F45"), **fields)


@rule("anzio", "E8B2")
def test_4_para_relieves_2_para_if_that_stood_guard_to_the_end():
    match = new_year(frozen=units("2 Para"))
    assert place(match, "2 Para") == WITHDRAWN
    assert place(match, "4 Para") == at("F45")
    assert match.position.frozen & units("4 Para")
    lost = field("", "Jan I 1944", GERMAN, "cards", frozen=units("2 Para"))
    lost.hex[number("2 Para")] = DESTROYED
    match = play(lost, cards_phase)
    assert place(match, "4 Para") == DUE
    assert match.position.steps[number("4 Para")] == WAR.full[number("4 Para")]
    lost.frozen = 0
    assert place(play(lost, cards_phase), "4 Para") == AWAY


@rule("anzio", "E8B3")
def test_allies_within_eleven_hexes_of_roma_free_2_para_for_good():
    pos = field("2 Para @ F45", "Oct I 1943", frozen=units("2 Para"))
    near = next(
        h
        for h in range(G.land.bit_length())
        if G.land >> h & 1
        and min(WAR.lattice.distance(h, at(r)) for r in ("F45", "G44")) == 11
        and WAR.lattice.distance(h, at("F44")) >= 11
    )
    walks(pos, "56 Br", "K57")
    assert pos.frozen
    claim_hexes(WAR, pos, number("56 Br"), 1 << near)
    assert not pos.frozen
    match = new_year()
    assert place(match, "2 Para") == at("F45")
    assert place(match, "4 Para") == AWAY


@rule("anzio", "E8C1")
def test_the_135th_goes_to_genova_and_reacts_at_five_hexes():
    match = draw_cards(GERMAN, "Sept I 1944")
    assert place(match, "135 Fest") == DUE
    assert match.position.frozen & units("135 Fest")
    post = WAR.posts[number("135 Fest")]
    assert codes(post.hexes) == {"A14"}
    assert post.alarm == WAR.lattice.disc(at("A14"), 5)


@rule("anzio", "E3C")
def test_seven_divisions_have_regiments():
    found = {WAR.names[u]: [WAR.names[p] for p in parts] for u, parts in WAR.regiments.items()}
    assert found == {
        "1 Para": ["1/1", "1/3", "1/4"],
        "2 Para": ["2/2", "2/5", "2/6"],
        "4 Para": ["12 Sturm", "4/11", "4/10"],
        "HG": ["HG/HG", "HG/1", "HG/2"],
        "15 PzG": ["15/129", "15/115", "15/104"],
        "29 PzG": ["29/15", "29/71"],
        "90 PzG": ["90/200", "90/361"],
    }


@pytest.mark.parametrize("oob", [STANDARD, REINFORCED, MAXIMUM])
def test_nobody_is_asked_more_than_the_cards_ask(oob: int):
    for turn in range(1, 80):
        match = draw_cards(GERMAN, WAR.week(turn), oob=oob)
        assert not asks(match) or verbs(match) == {"station"}
