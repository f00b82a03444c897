"""The cards of the Advanced Game, the choice of the German one, and victory by it."""

import pytest

from apennine.games.anzio.rules.c11_replacements import rebuilding_phase, strongest
from apennine.games.anzio.rules.c15_victory import judgement, other_goals, places_of, terms_of
from apennine.games.anzio.rules.e5_choice import choice_phase
from apennine.games.anzio.rules.e6_alarm import take_note
from apennine.games.anzio.table.book import muster
from apennine.games.anzio.table.position import (
    ALLIED,
    AWAY,
    BROKEN,
    DESTROYED,
    DUE,
    GERMAN,
    OPEN,
    WITHDRAWN,
)
from apennine.testing import rule
from tests.games.anzio.advanced import (
    MAXIMUM,
    REINFORCED,
    SCENARIOS,
    STANDARD,
    come,
    draw_cards,
    field,
    gone,
    place,
    turn_of,
)
from tests.games.anzio.book import factors
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    do,
    hexes,
    mask,
    number,
    play,
    units,
    verbs,
)
from tests.games.anzio.playing import begin, pass_on

G = WAR.ground
SICILIA = G.sicilia


# The Allied card.


@rule("anzio", "E4A")
def test_each_game_uses_its_section_of_the_card_and_those_before():
    sections = {key: SCENARIOS[key].advanced for key in SCENARIOS if SCENARIOS[key].advanced}
    assert sections == {"game-1": "southern", "game-2": "central", "game-3": "all"}
    one, two, three = (muster(WAR.book, SCENARIOS[f"game-{n}"]) for n in (1, 2, 3))
    assert "88 US" not in one
    assert "88 US" in two
    assert "88 US" in three
    assert "10 Mtn" not in two
    assert "10 Mtn" in three
    for game, arrived in (("game-2", set[str]()), ("game-3", {"2 Arm Bde"})):
        assert come(draw_cards(ALLIED, "June I 1944", game=game)) & {"2 Arm Bde"} == arrived


@rule("anzio", "E4B1")
def test_reinforcements_come_to_sicilia_and_may_go_on():
    match = draw_cards(ALLIED, "Mar I 1944")
    assert come(match) == {"88 US", "4 Br", "24 Gds"}
    assert place(match, "88 US") == SICILIA
    assert not match.position.moved & units("88 US")


@rule("anzio", "E4A4")
def test_the_first_capture_of_napoli_and_of_roma_brings_replacements_in_the_next_turn():
    pos = field("56 Br @ K57", "Oct I 1943", phase="cards")
    take_note(WAR, pos, number("56 Br"), mask("K57"))
    pos.hex[number("56 Br")] = DESTROYED  # even if it is lost again
    from apennine.games.anzio.rules.e4_cards import cards_phase

    match = play(pos, cards_phase)
    assert match.position.credit[ALLIED] == 2 + 4
    later = match.position
    later.phase, later.turn, later.credit[ALLIED] = "cards", later.turn + 1, 0
    take_note(WAR, later, number("46 Br"), mask("K57"))
    assert play(later, cards_phase).position.credit[ALLIED] == 2
    take_note(WAR, later, number("46 Br"), mask("F45"))
    assert play(later, cards_phase).position.credit[ALLIED] == 2 + 4


@rule("anzio", "E4A5a")
def test_the_corrections_of_the_card():
    pos = draw_cards(ALLIED, "Jan I 1944").position
    carp, first = number("3 Carp"), number("1 Fr")
    assert pos.hex[carp] == SICILIA
    assert factors("3 Carp")[WAR.full[carp] - pos.steps[carp]] == "3-4-12"
    assert factors("1 Fr")[0] == "4-5-12"
    assert draw_cards(ALLIED, "Apr II 1944").position.steps[first] == WAR.full[first]
    later = field("", "Feb II 1945")
    assert factors("5 Kres")[0] == "4-5-12"
    assert strongest(WAR, later, carp) == WAR.full[carp]


@rule("anzio", "E4A5b")
def test_the_substitute_of_march_comes_back_in_july():
    pair = ((number("46 Br"), number("5 Br")),)
    match = draw_cards(ALLIED, "July II 1944", "46 Br @ K57; 5 Br @ A14", proxies=pair)
    pos = match.position
    pos.hex[number("5 Br")] = pos.hex[number("56 Br")] = WITHDRAWN
    pos.phase = "cards"
    from apennine.games.anzio.rules.e4_cards import cards_phase

    match = play(pos, cards_phase)
    assert place(match, "5 Br") == place(match, "56 Br") == SICILIA
    assert place(match, "46 Br") == at("K57")


@rule("anzio", "E2A3")
def test_the_98th_comes_on_feb_i_and_nobody_on_jan_ii_1944():
    frozen = units("98 Inf")
    pos = draw_cards(GERMAN, "Feb I 1944", "98 Inf @ E23", frozen=frozen).position
    assert not pos.frozen & frozen
    for oob in (STANDARD, REINFORCED, MAXIMUM):
        assert not come(draw_cards(GERMAN, "Jan II 1944", oob=oob))
    assert not come(draw_cards(ALLIED, "Jan II 1944"))


@rule("anzio", "E7B1")
def test_two_more_replacements_come_on_feb_ii_1945():
    assert draw_cards(ALLIED, "Feb II 1945").position.credit[ALLIED] == 2 + 2
    assert draw_cards(ALLIED, "Feb I 1945").position.credit[ALLIED] == 1


def rebuilt(turn: str, steps: int) -> int:
    spot = "3 Carp, Repl Br 1 @ K57"
    pos = field(spot, turn, phase="rebuilding")
    pos.steps[number("3 Carp")] = steps
    match = play(pos, rebuilding_phase)
    if "rebuild" in verbs(match):
        do(match, "rebuild", "3 Carp", value=number("Repl Br 1"))
    return match.position.steps[number("3 Carp")]


@rule("anzio", "E7B2")
def test_the_poles_are_not_built_beyond_3_4_12_before_feb_ii_1945():
    full = WAR.full[number("3 Carp")]
    assert rebuilt("Feb I 1945", full - 1) == full - 1
    assert rebuilt("Feb I 1945", full - 2) == full - 1
    assert rebuilt("Feb II 1945", full - 1) == full


@rule("anzio", "E4C")
def test_the_choice_of_the_allied_card_fixes_the_length():
    assert [SCENARIOS[f"game-{n}"].last for n in (1, 2, 3)] == [15, 38, 79]


# The German card.


@rule("anzio", "E5A")
def test_german_units_are_those_dated_within_the_length_of_the_game():
    two, three = muster(WAR.book, SCENARIOS["game-2"]), muster(WAR.book, SCENARIOS["game-3"])
    assert "356 Inf" in two
    assert {"19 LW", "34 Inf", "Litt"} <= three - two
    line = next(
        line
        for line in WAR.book.german_card
        if line.event == "release" and line.units == ("356 Inf",)
    )
    assert WAR.week(line.turn) == "June III 1944"


@rule("anzio", "E5E")
def test_the_germans_choose_after_the_landing_and_the_defections_before_they_move():
    match = begin("game-1")
    pass_on(match, until="movement")
    assert match.position.oob == 0
    do(match, "invade", hex="N61")
    assert {e.verb for e in match.log if hasattr(e, "verb")} & {"disbands", "joins the Allies"}
    do(match, "land", "56 Br", "N61")
    pass_on(match, until="order of battle")
    assert match.position.side == GERMAN
    assert sorted(option.value for option in match.decision.options) == [1, 2, 3]
    do(match, "choose", value=REINFORCED)
    assert match.position.oob == REINFORCED
    assert match.position.phase == "movement"


def free_units(oob: int) -> set[str]:
    pos = field("", "Sept II 1943", GERMAN, "cards", oob=oob)
    pos.frozen = WAR.guards
    from apennine.games.anzio.rules.e4_cards import cards_phase

    left = play(pos, cards_phase).position.frozen
    return {WAR.names[u] for u in range(len(WAR.names)) if (WAR.guards & ~left) >> u & 1}


@rule("anzio", "E5B", "E8E3")
def test_the_stronger_orders_of_battle_free_more_from_the_start():
    assert free_units(STANDARD) == set()
    assert free_units(REINFORCED) == {"LAH", "24 Pz", "Doehla"}
    assert free_units(MAXIMUM) == {"LAH", "24 Pz", "Doehla", "R", "65 Inf"}


@rule("anzio", "E5C")
@pytest.mark.parametrize("key", ["game-1", "game-2", "game-3"])
def test_any_order_of_battle_goes_with_any_length(key: str):
    for value in (STANDARD, REINFORCED, MAXIMUM):
        pos = field("", "Sept II 1943", GERMAN, "order of battle", game=key, oob=0)
        match = play(pos, choice_phase)
        do(match, "choose", value=value)
        assert match.position.oob == value


@rule("anzio", "E5D1a")
def test_fourteen_units_of_kesselring_are_free_after_the_landing():
    match = begin("game-1")
    pass_on(match, until="movement")
    pos = match.position
    there = [u for u in range(len(WAR.names)) if WAR.army[GERMAN] >> u & 1 and pos.hex[u] >= 0]
    free = {WAR.names[u] for u in there if not pos.frozen >> u & 1}
    assert len(free) == 14
    assert sum(name.startswith("Ers") for name in free) == 4
    do(match, "invade", hex="N61")
    do(match, "land", "56 Br", "N61")
    pass_on(match, until="order of battle")
    do(match, "choose", value=STANDARD)
    assert {o.unit for o in match.decision.options if o.verb == "move"} >= {
        number(name) for name in free if WAR.board.code(pos.hex[number(name)]) != "N61"
    } - {number("2 Para")}


@rule("anzio", "E5D1b")
def test_16_pz_goes_anywhere_but_on_an_italian_who_may_defect():
    match = begin("game-1")
    open = hexes(match, "deploy", "16 Pz")
    assert {"O61", "K23", "Y46"} <= open
    assert not open & {"F45", "F44", "G44", "E46", "I44", "G45", "D43", "L56", "C19"}


@rule("anzio", "E5D1c")
def test_hg_may_be_deployed_in_regiments_over_its_three_hexes():
    match = begin("game-1")
    do(match, "deploy in regiments", "HG")
    for regiment, hex in (("HG/HG", "K57"), ("HG/1", "M55"), ("HG/2", "M58")):
        assert hexes(match, "deploy", regiment) == {"K57", "M55", "M58"}
        do(match, "deploy", regiment, hex)
    pos = match.position
    assert pos.hex[number("HG")] == BROKEN
    assert pos.hex[number("HG/1")] == at("M55")
    assert "HG" not in {WAR.names[o.unit] for o in match.decision.options if o.verb == "deploy"}


@rule("anzio", "E5D3")
def test_only_the_second_invasion_brings_german_units():
    second = turn_of("Dec I 1943")
    match = draw_cards(GERMAN, "Dec I 1943", second=second, invaded=second, invasions=3)
    assert {"92 Inf", "Repl Rep 1", "Repl Rep 2"} <= come(match)
    match = draw_cards(GERMAN, "Dec II 1943", second=second, invaded=second, invasions=3)
    assert {"715m", "60 PzG"} <= come(match)
    third = turn_of("Feb I 1944")
    match = draw_cards(GERMAN, "Feb I 1944", second=second, invaded=third, invasions=7)
    assert not come(match) & {"92 Inf", "715m", "60 PzG"}
    assert not come(draw_cards(GERMAN, "Nov IV 1943", invaded=1, invasions=1))


@rule("anzio", "E5D5")
def test_reinforcements_wait_beyond_the_edge_as_long_as_they_like():
    match = draw_cards(GERMAN, "Nov II 1943")
    assert {"5 Mtn", "3+4"} <= come(match)
    assert place(match, "5 Mtn") == DUE


@rule("anzio", "E5D5c")
def test_the_stronger_order_of_battle_prevails():
    early = draw_cards(GERMAN, "Sept IV 1943", oob=MAXIMUM)
    assert place(early, "162 Turco") == DUE
    assert not early.position.frozen & units("162 Turco")
    for oob in (STANDARD, REINFORCED):
        assert place(draw_cards(GERMAN, "Sept IV 1943", oob=oob), "162 Turco") == AWAY
        later = draw_cards(GERMAN, "Oct I 1943", oob=oob)
        assert place(later, "162 Turco") == DUE
        assert later.position.frozen & units("162 Turco")
    assert place(draw_cards(GERMAN, "Oct I 1943", oob=MAXIMUM), "162 Turco") == AWAY


@rule("anzio", "E8E2")
def test_18_pz_enters_on_sept_iv_with_the_maximum_alone():
    post = units("18 Pz")
    for oob in (STANDARD, REINFORCED, MAXIMUM):
        pos = draw_cards(GERMAN, "Sept IV 1943", "18 Pz @ R8", oob=oob, frozen=post).position
        assert bool(pos.frozen & post) == (oob != MAXIMUM)


@rule("anzio", "E10C2")
def test_monarchists_form_in_sicilia_and_enter_as_foreigners():
    match = draw_cards(ALLIED, "Dec I 1943")
    assert place(match, "1 Mot") == SICILIA
    assert WAR.foreign & units("1 Mot")
    assert not WAR.invaders & units("1 Mot")
    match = draw_cards(ALLIED, "Apr II 1944", "1 Mot @ N52")
    assert place(match, "CIL") == SICILIA
    assert gone(match) == {"1 Mot"}


# Victory.


def wins(game: str, oob: int, places: str, **fields) -> bool:
    """Whether the Allies win who hold places, in supply from Napoli."""
    bases = [0] * len(G.bases)
    bases[base("Napoli", port=True)] = OPEN
    held = mask(f"{places} K57")
    pos = field("", "Dec IV 1943", GERMAN, "end", game=game, oob=oob, bases=bases, **fields)
    pos.friendly = held | G.land & ~G.german_edge if fields.get("all") else held
    pos.hex[number("1 Para")] = at("T30")
    return judgement(WAR, pos)[0] == ALLIED


NINE_I = ("Salerno", "Foggia", "Termoli", "Cassino", "Terracina", "Pescara", "Anzio", "Roma")
NINE_II = ("Cassino", "Pescara", "Roma", "Perugia", "Ancona", "Livorno", "Firenze", "Rimini")
LINE = "1 Para @ I12; 26 Pz @ K12; 16 Pz @ M12; 15 PzG @ O12; 29 PzG @ Q12"


def hold(game: str, oob: int, names: tuple[str, ...], front: bool = True):
    """A position in which the Allies hold Napoli and other places, with a German line or none."""
    bases = [0] * len(G.bases)
    bases[base("Napoli", port=True)] = OPEN
    pos = field("", "Dec IV 1943", GERMAN, "end", game=game, oob=oob, bases=bases)
    found = WAR.board.places["Napoli"].hexes
    for name in names:
        found |= WAR.board.places[name].hexes
    pos.friendly = found
    if front:  # a German in every hex of the edge: no way past them
        for unit, hex in zip(_germans(), _bits(G.german_edge)):
            pos.hex[unit] = hex
    return pos


def _germans() -> list[int]:
    return [u for u in range(len(WAR.names)) if WAR.army[GERMAN] >> u & 1 and WAR.faces[u][-1][1]]


def _bits(hexes: int) -> list[int]:
    return [h for h in range(hexes.bit_length()) if hexes >> h & 1]


@rule("anzio", "E21E1")
@pytest.mark.parametrize(("oob", "needed"), [(STANDARD, 5), (REINFORCED, 4), (MAXIMUM, 2)])
def test_game_i_takes_five_four_or_two_of_the_nine_cities(oob: int, needed: int):
    assert set(places_of(WAR, hold("game-1", oob, ()))) == {"Napoli", *NINE_I}
    assert judgement(WAR, hold("game-1", oob, NINE_I[: needed - 1]))[0] == ALLIED
    assert judgement(WAR, hold("game-1", oob, NINE_I[: needed - 2]))[0] == GERMAN


@rule("anzio", "E21E2")
@pytest.mark.parametrize(("oob", "needed"), [(STANDARD, 7), (REINFORCED, 5), (MAXIMUM, 3)])
def test_game_ii_takes_seven_five_or_three_of_its_nine(oob: int, needed: int):
    assert set(places_of(WAR, hold("game-2", oob, ()))) == {"Napoli", *NINE_II}
    assert judgement(WAR, hold("game-2", oob, NINE_II[: needed - 1]))[0] == ALLIED
    assert judgement(WAR, hold("game-2", oob, NINE_II[: needed - 2]))[0] == GERMAN


@rule("anzio", "E21E3")
def test_the_germans_need_a_front_in_games_i_and_ii_and_not_in_iii():
    for game, winner in (("game-1", ALLIED), ("game-2", ALLIED), ("game-3", GERMAN)):
        assert judgement(WAR, hold(game, STANDARD, (), front=False))[0] == winner
        assert judgement(WAR, hold(game, STANDARD, ()))[0] == GERMAN


MAJOR = {
    *("Genova", "La Spezia", "Livorno", "Piacenza", "Brescia", "Verona", "Vicenza"),
    *("Mantova", "Modena", "Ferrara", "Bologna", "Firenze", "Roma", "Napoli"),
}


@rule("anzio", "E21E4")
def test_game_iii_takes_the_great_cities_by_the_order_of_battle():
    pos = hold("game-3", STANDARD, tuple(MAJOR - {"Brescia", "Vicenza"}))
    assert set(places_of(WAR, pos)) == MAJOR - {"Brescia", "Vicenza"}
    assert terms_of(WAR, pos).needed == 12
    assert other_goals(WAR, pos) == ["Brescia in a zone", "Vicenza in a zone"]
    assert judgement(WAR, pos)[0] == GERMAN
    pos.hex[number("56 Br")], pos.hex[number("46 Br")] = at("Q5"), at("X5")
    assert other_goals(WAR, pos) == []
    pos = hold("game-3", REINFORCED, ())
    assert set(places_of(WAR, pos)) == MAJOR - {"Piacenza", "Brescia", "Vicenza", "Genova"}
    assert (terms_of(WAR, pos).needed, other_goals(WAR, pos)) == (10, ["Genova isolated"])
    pos.hex[number("56 Br")] = at("A14")
    pos.friendly |= mask("A14")
    assert other_goals(WAR, pos) == []
    pos = hold("game-3", MAXIMUM, ())
    south = {"La Spezia", "Livorno", "Modena", "Ferrara", "Bologna", "Firenze", "Roma", "Napoli"}
    assert set(places_of(WAR, pos)) == south
    assert terms_of(WAR, pos).needed == len(south)


@rule("anzio", "E21E5")
def test_a_city_counts_in_a_german_zone_but_not_without_supply():
    pos = hold("game-1", MAXIMUM, ("Salerno",))
    assert judgement(WAR, pos)[0] == ALLIED
    pos.hex[number("1 Para")] = at("O60")  # Salerno is in its zone, with a line all the same
    assert judgement(WAR, pos)[0] == ALLIED
    pos.bases[base("Napoli", port=True)] = 0
    assert judgement(WAR, pos)[0] == GERMAN


@rule("anzio", "E21E6")
def test_units_that_are_released_do_not_change_the_order_of_battle():
    pos = hold("game-1", STANDARD, ())
    pos.hex[number("LAH")] = at("K8")
    pos.frozen = units("LAH")
    take_note(WAR, pos, number("56 Br"), mask("K10"))
    assert not pos.frozen
    assert terms_of(WAR, pos).needed == 5
