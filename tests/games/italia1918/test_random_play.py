"""Random games of all scenarios, from set-up to a declared winner."""

from random import Random

import pytest

from apennine.games.italia1918.rules.c07_sequence import play
from apennine.games.italia1918.rules.c16_victory import judgement
from apennine.games.italia1918.table.position import Table
from apennine.hexes import bits
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Outcome
from apennine.kernel.match import Match
from tests.games.italia1918.drawing import SCENARIOS, WAR, Field


class Whole(Field):
    """The whole game, without what tells of it."""

    def phase(self, pos: Table) -> Procedure:
        return play(WAR, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        return Outcome(*judgement(WAR, pos)) if pos.phase == "over" else None


GAME = Whole(None, WAR)


def faults(pos: Table) -> list[str]:
    """What can never be: enemies in one hex, units without steps, assault troops without a host."""
    found: list[str] = []
    ground = ~WAR.aircraft
    places = [{pos.hex[u] for u in WAR.members[s] if ground >> u & 1} for s in (0, 1)]
    both = {hex for hex in places[0] & places[1] if hex >= 0}
    found += [f"both sides are in {WAR.board.code(hex)}" for hex in both]
    for unit, hex in enumerate(pos.hex):
        if hex < 0:
            continue
        if WAR.combat >> unit & 1 and not 0 < pos.steps[unit] <= WAR.full[unit]:
            found.append(f"{WAR.names[unit]} has {pos.steps[unit]} steps")
        if WAR.assault >> unit & 1 and pos.hex[pos.host[unit]] != hex:
            found.append(f"{WAR.names[unit]} is with nobody")
    marked = pos.hungry | pos.disorganized | pos.fleeing | pos.pinned
    found += [f"{WAR.names[u]} is a ghost" for u in bits(marked) if pos.hex[u] < 0]
    return found


@pytest.mark.parametrize("key", SCENARIOS)
def test_a_random_game_comes_to_a_declared_end(key: str):
    match, random = Match(GAME, key, seed=3), Random(3)
    while match.decision:
        options = match.decision.options
        match.choose(options[random.randrange(len(options))])
        assert not match.decision or not match.decision.checkpoint or not faults(match.position)
    assert match.outcome
    assert match.outcome.reason
