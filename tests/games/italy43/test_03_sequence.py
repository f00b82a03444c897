"""Chapter 3: the sequence of play."""

from collections.abc import Iterator

from apennine.games.italy43.rules.c03_sequence import follow
from apennine.games.italy43.table.position import ALLIED, GERMAN, Table
from apennine.testing import rule
from tests.games.italy43.drawing import GAME, WAR, table

BOOK = ("initial", "movement", "combat", "recovery", "supply")


def steps(pos: Table) -> Iterator[tuple[int, str, int]]:
    """The steps from here on, as if nothing happened in any of them."""
    while pos.phase != "over":
        yield pos.turn, pos.phase, pos.side
        list(follow(WAR, pos))


@rule("italy43", "3.0a")
def test_a_turn_is_weather_then_the_german_then_the_allied_player_turn_then_victory():
    phases = [(phase, side) for turn, phase, side in steps(start("campaign")) if turn == 2]
    kept = [step for step in phases if step[0] in (*BOOK, "weather", "victory")]
    own = [[(phase, side) for phase in BOOK] for side in (GERMAN, ALLIED)]
    assert kept == [("weather", GERMAN), *own[0], *own[1], ("victory", ALLIED)]


@rule("italy43", "3.0C")
def test_both_player_turns_have_the_same_phases():
    phases = [(phase, side) for turn, phase, side in steps(start("campaign")) if turn == 2]
    german, allied = ([p for p, side in phases if side == s] for s in (GERMAN, ALLIED))
    assert german[german.index("muster") :] == allied[allied.index("muster") : -1]


@rule("italy43", "3.0B3a")
def test_advances_of_automatic_ds_come_after_all_combats():
    phases = [phase for _, phase, _ in steps(start("volturno"))]
    assert phases.index("triumphs") == phases.index("combat") + 1


@rule("italy43", "S3.3.1", "S2.3.1")
def test_scenarios_open_with_the_german_player_turn():
    for key, turn in (("volturno", 1), ("bernhard", 13), ("campaign", 1)):
        first = next(steps(start(key)))
        assert first == (turn, "muster", GERMAN)
        weather = [t for t, phase, _ in steps(start(key)) if phase == "weather"]
        assert weather[0] == turn + 1


@rule("italy43", "3.0D")
def test_the_turn_goes_on_after_the_victory_check_to_the_last():
    for key, last in (("volturno", 7), ("bernhard", 32), ("campaign", 32)):
        *_, final = steps(start(key))
        assert final == (last, "victory", ALLIED)


def test_what_holds_for_a_phase_ends_with_it():
    pos = table(phase="combat ends", attacked=1, defended=2, retreated=4, spared=8)
    list(follow(WAR, pos))
    assert (pos.attacked, pos.defended, pos.retreated, pos.spared) == (0, 0, 0, 0)


def start(key: str) -> Table:
    return GAME.setup(key, GAME.check_options({}))
