from apennine.games.anzio.rules.c15_victory import cities_won, judgement, way_past_the_front
from apennine.games.anzio.table.position import ALLIED, GERMAN, OPEN, UNDER_WAY
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, base, mask, number, table

G = WAR.ground
FIVE = "N60 K57 M50 G52 X52"
"""Salerno, Napoli, Cassino, Terracina and Foggia."""
NAPOLI = base("Napoli", port=True)


def end(counters: str, friendly: str, *open_bases: int):
    pos = table(counters, "end", GERMAN, turn=15, friendly=mask(friendly))
    for each in open_bases or (NAPOLI,):
        pos.bases[each] = OPEN
    return pos


@rule("anzio", "C15A")
def test_nine_places_count():
    assert set(G.places["victory-i"]) == {
        *("Salerno", "Foggia", "Napoli", "Termoli", "Cassino", "Terracina", "Pescara", "Anzio"),
        "Roma",
    }


@rule("anzio", "C15B1")
def test_five_places_friendly_and_in_supply_win_for_the_allies():
    assert judgement(WAR, end("", FIVE))[::2] == (ALLIED, "C15B1")
    four = end("", FIVE.rpartition(" ")[0])
    assert len(cities_won(WAR, four)) == 4
    assert judgement(WAR, four)[2] != "C15B1"


@rule("anzio", "C15B1")
def test_roma_counts_once():
    assert cities_won(WAR, end("", "F45 F44 G44 K57")) == ["Roma", "Napoli"]


@rule("anzio", "C15B1", "C15B2")
def test_a_place_needs_a_line_and_may_itself_be_in_a_german_zone():
    assert "Cassino" in cities_won(WAR, end("15 PzG @ M49", FIVE))
    without = end("", FIVE)
    without.bases[NAPOLI] = 0
    assert cities_won(WAR, without) == []


@rule("anzio", "C15B2")
def test_a_port_in_a_german_zone_is_no_supply_of_its_own():
    assert "Napoli" not in cities_won(WAR, end("HG @ L57", "K57"))
    other = end("HG @ L57", "K57 J55", NAPOLI, base("Mondragone zone"))
    assert "Napoli" in cities_won(WAR, other)


@rule("anzio", "C15C")
def test_a_gap_in_the_german_front_wins_for_the_allies():
    pos = end("", "K57")
    assert judgement(WAR, pos)[::2] == (ALLIED, "C15C")
    pos = end("HG @ K56; 16 Pz @ L57; NW 71 @ J58", "K57")
    assert not way_past_the_front(WAR, pos)
    assert judgement(WAR, pos)[::2] == (GERMAN, "C15C2")


@rule("anzio", "C15C")
def test_a_line_past_the_front_begins_at_a_port_with_a_counter():
    pos = end("", "K57")
    pos.bases[NAPOLI] = UNDER_WAY
    assert not way_past_the_front(WAR, pos)


@rule("anzio", "C15C2")
def test_without_five_places_and_a_gap_the_germans_win():
    pos = end("HG @ L57; 16 Pz @ K56", "K57")
    winner, reason, _ = judgement(WAR, pos)
    assert winner == GERMAN
    assert reason == "The Allies hold 0 of the 5 places that they need."


@rule("anzio", "C15C")
def test_inverted_germans_block_no_line():
    closed = end("HG, 16 Pz @ L56; NW 71 @ J57", "K57")
    assert not way_past_the_front(WAR, closed)
    for name in ("HG", "16 Pz", "NW 71"):
        closed.steps[number(name)] = 1
        closed.soft |= 1 << number(name)
    assert way_past_the_front(WAR, closed)
