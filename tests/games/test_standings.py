"""Who is ahead, in every game that can say it."""

from __future__ import annotations

from apennine.games.underbelly.table.position import HISTORICAL, TIBER
from apennine.hexes import bits
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from tests.games.crossing import drawing as crossing
from tests.games.italy1944 import drawing as italy
from tests.games.underbelly import drawing as underbelly

ALLIED, GERMAN = 0, 1


def test_the_allies_of_the_crossing_lack_towns():
    match = Match(crossing.GAME, seed=1)
    found = crossing.GAME.standing(match.position, ALLIED)
    assert found.sentence == "The Allies hold 0 of 3 towns; they need 2 at the end and lack 2."
    assert (found.points, found.goals, found.missing) == ((0, 3), (2, 2), (2, 0))
    assert (found.ahead, found.rule) == (GERMAN, "8.3")


def test_the_allies_of_italy_1944_must_lead_by_forty():
    match = Match(italy.GAME, seed=1)
    found = italy.GAME.standing(match.position, GERMAN)
    allied, german = found.points
    assert found.goals[ALLIED] == german + 40
    assert found.missing == (german + 40 - allied, 0)
    assert found.sentence == (
        f"Victory points: Allied {allied}, German {german}. "
        f"The Allies must lead by 40 at the end and lack {found.missing[ALLIED]}."
    )
    pos = match.position.copy()
    pos.control = italy.WAR.land
    found = italy.GAME.standing(pos, GERMAN)
    assert (found.ahead, found.missing[ALLIED]) == (ALLIED, 0)
    assert found.missing[GERMAN] == found.points[ALLIED] - 40 + 1
    assert italy.GAME.control(pos, GERMAN) == 0


def test_the_places_that_count_are_named_with_their_worth_and_who_has_them():
    match = Match(italy.GAME, seed=1)
    found = italy.GAME.standing(match.position, GERMAN)
    for side in (ALLIED, GERMAN):
        held = [prize.worth for prize in found.prizes if prize.holder == side]
        assert sum(held) == found.points[side]
    rome = next(prize for prize in found.prizes if italy.WAR.board.code(prize.hex) == "2419")
    assert rome.holder == GERMAN
    pos = Match(underbelly.GAME, seed=1).position.copy()
    pos.scenario = TIBER
    prizes = underbelly.GAME.standing(pos, GERMAN).prizes
    assert [prize.hex for prize in prizes] == list(bits(underbelly.WAR.prizes))
    assert {prize.worth for prize in prizes} == {1}


def test_soft_underbelly_is_about_towns_or_about_naples_and_taranto():
    game, war = underbelly.GAME, underbelly.WAR
    pos = Match(game, seed=1).position.copy()
    assert game.standing(pos, GERMAN).sentence.endswith("The die of turn 2 decides what wins.")
    assert game.standing(pos, GERMAN).ahead == EVERYBODY
    pos.scenario = HISTORICAL
    found = game.standing(pos, GERMAN)
    assert found.goals == (war.towns.bit_count(), 1)
    assert found.sentence.endswith("Naples must be an Allied port by the end of turn 20.")
    assert found.ahead == GERMAN
    pos.scenario = TIBER
    pos.control = pos.control & ~war.prizes | war.prizes & -war.prizes
    found = game.standing(pos, ALLIED)
    assert (found.points, found.goals, found.ahead) == ((1, 1), (2, 2), EVERYBODY)
    pos.control &= ~war.prizes
    assert game.standing(pos, ALLIED).ahead == GERMAN
    pos.control |= war.prizes
    assert game.standing(pos, ALLIED).points == (2, 0)
