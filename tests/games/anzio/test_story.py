"""The story of Anzio: each order one line, each battle one block."""

from __future__ import annotations

from typing import Any

from apennine.games import get
from apennine.games.anzio.table.position import ALLIED
from apennine.kernel.match import Match
from apennine.kernel.story import Teller
from tests.games.anzio.drawing import SHORT, table
from tests.games.anzio.fighting import declare

GAME: Any = get("anzio")


def fought(counters: str, attackers: tuple[str, ...], die: int) -> list[str]:
    """The passages of a combat phase with one battle for Foggia's neighbour W52."""
    pos = table(counters, "combat", ALLIED)
    pos.round = 0
    match = Match(GAME, position=pos, seed=1)
    match.force(die)
    declare(match, "W52", *attackers)
    if "fight" in {option.verb for option in match.decision.options}:
        SHORT.do(match, "fight")
    while match.position.phase == "combat" and match.decision:
        verbs = {option.verb: option for option in match.decision.options}
        quiet = [verbs[v] for v in ("end advance", "stand", "end combat") if v in verbs]
        match.choose(quiet[0] if quiet else match.decision.options[0])
    teller = Teller(match, ALLIED)
    teller.read(match)
    return [passage.text for passage in teller.passages if passage.battle]


def test_a_battle_is_one_line_with_odds_die_result_and_what_came_of_it():
    (line,) = fought("56 Br, 36 US, 45 US @ W53; 29 PzG @ W52", ("56 Br", "36 US", "45 US"), 1)
    assert line.startswith("Attack on W52, 2-1: die 1, A1 D2R")
    assert "29 PzG" in line
    assert "loses 2 steps" in line or "lose" in line


def test_a_battle_that_was_the_only_choice_is_told_the_same_way():
    (line,) = fought("45 US @ W53; Ers inf 1 @ W52", ("45 US",), 3)
    assert line.startswith("Attack on W52, 5-1: die 3, A1 D3R")
    assert "Ers inf 1" in line
