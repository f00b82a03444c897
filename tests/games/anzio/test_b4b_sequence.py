from collections.abc import Iterator

from apennine.games.anzio.rules.b4b_sequence import follow
from apennine.games.anzio.table.position import ALLIED, GERMAN, Table
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, at, do, number, refused, verbs
from tests.games.anzio.playing import next_turn, open_basic, pass_on, start


def steps(pos: Table) -> Iterator[tuple[int, str, int]]:
    """The steps from here on, as if nothing happened in any of them."""
    while pos.phase != "over":
        yield pos.turn, pos.phase, pos.side
        list(follow(WAR, pos))


@rule("anzio", "B4B1", "B4B2")
def test_a_turn_is_allied_movement_and_combat_then_german():
    told = [(phase, side) for turn, phase, side in steps(start()) if turn == 2]
    book = [step for step in told if step[0] in ("movement", "combat")]
    assert book == [(p, side) for side in (ALLIED, GERMAN) for p in ("movement", "combat")]


@rule("anzio", "C1B1")
def test_the_basic_game_has_fifteen_turns():
    assert {turn for turn, _, _ in steps(start())} == set(range(1, 16))
    assert WAR.week(1), WAR.week(15) == ("Sept II 1943", "Dec IV 1943")


@rule("anzio", "B4C2")
def test_reinforcements_and_replacements_come_before_the_movement():
    match = open_basic()
    pass_on(match, until="movement", side=GERMAN)
    pass_on(match, until="movement", side=ALLIED)
    assert match.position.turn == 2
    assert match.position.hex[number("3 US")] == at("Sicilia")
    told = [phase for _, phase, side in steps(start()) if side == GERMAN]
    assert told.index("arrivals") < told.index("replacements") < told.index("movement")


@rule("anzio", "B4C5")
def test_who_has_ended_his_movement_moves_no_more():
    match = open_basic()
    do(match, "end movement")
    assert refused(match, "move", "46 Br").sentence.startswith("Units are picked up one after")


@rule("anzio", "C2A1b")
def test_after_the_invasion_all_german_units_may_be_used():
    match = open_basic()
    pass_on(match, until="movement", side=GERMAN)
    movers = {option.unit for option in match.decision.options if option.verb == "move"}
    assert movers == {
        u for u in range(len(WAR.units)) if WAR.army[GERMAN] >> u & 1 and match.position.hex[u] >= 0
    }
    assert len(movers) == 14


def test_a_game_ends_after_the_last_german_turn():
    match = open_basic()
    match.position.turn = 15
    next_turn(match)
    assert match.outcome is not None
    assert verbs(match) == set()
