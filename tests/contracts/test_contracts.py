"""Every contract between a game and the kernel, held to every game that is registered."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.kernel.decision import Choice
from apennine.kernel.game import Game
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from tests.contracts import contracts
from tests.contracts.playthroughs import moments, playthrough, ways_to_begin
from tests.kernel.playing import in_another_process

Contract = Callable[[Match[Any], Random], None]


@pytest.mark.parametrize("contract", contracts.EVERY_MOMENT, ids=lambda contract: contract.__name__)
@given(data=st.data())
@settings(max_examples=40)
def test_contract(contract: Contract, game: Game[Any], data: st.DataObject):
    rule = data.draw(st.sampled_from(sorted(moments(game))), "rule")
    match = data.draw(st.sampled_from(moments(game)[rule]), "moment").fork()
    contract(match, Random(data.draw(st.integers(0, 2**32), "seed")))


def test_every_scenario_begins_with_every_optional_rule(game: Game[Any]):
    for scenario, options in ways_to_begin(game):
        match = Match(game, scenario, options, seed=1)
        assert match.check() == []
        assert match.decision is not None
        for side in contracts.everybody(match):
            contracts.plain(match.view(side))


def test_names_of_units_sides_scenarios_and_switches_are_told_apart(game: Game[Any]):
    for names in (
        game.units,
        [side.casefold() for side in game.sides],
        [scenario.key for scenario in game.scenarios],
        [switch.key for switch in game.switches],
        game.overlays,
    ):
        assert len(set(names)) == len(names)
    assert all([game.key, game.title, game.summary, *game.sides, *game.units])
    assert all(switch.rule in game.ledger for switch in game.switches)


def test_the_same_seed_gives_the_same_game_in_another_process(module: str, game: Game[Any]):
    here = [match.digest for match in playthrough(game, 3, 200)]
    assert len(set(here)) > 10
    assert here == in_another_process(
        "from tests.contracts.playthroughs import load, playthrough\n"
        f"result = [match.digest for match in playthrough(load({module!r}), 3, 200)]"
    )


def test_a_random_game_comes_to_its_end(game: Game[Any]):
    assert playthrough(game, 0, most=20_000)[-1].outcome is not None


def test_where_there_are_secrets_others_can_imagine_them_otherwise(game: Game[Any]):
    """Else the contract that nothing leaks would prove nothing."""
    otherwise = kept = False
    for match in chain.from_iterable(moments(game).values()):
        decision = match.decision
        if isinstance(decision, Choice) and decision.secret:
            kept = True
        for side in range(len(game.sides)):
            base = match.checkpoint.position
            other = game.imagine(base, side, Random(len(match.log)), match.position)
            otherwise |= other != base
    assert otherwise or not kept


def test_both_sides_are_asked_and_something_is_rolled(game: Game[Any]):
    """The random games are long enough for the contracts to mean something."""
    forks = playthrough(game, 0)
    asked = {entry.side for entry in forks[-1].log if type(entry) is Chosen}
    assert asked == set(range(len(game.sides)))
