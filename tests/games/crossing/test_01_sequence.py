"""Chapter 1: the order of play."""

from __future__ import annotations

from apennine.kernel.decision import Event
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.crossing.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    asked,
    begin,
    combat,
    do,
    hexes,
    mask,
    names,
    pass_by,
    supply,
)


def diary(match: Match) -> list[str]:
    """What was chosen and told, automatic choices included."""
    lines: list[str] = []
    for entry in match.log:
        if isinstance(entry, Chosen):
            lines.append(f"{GAME.sides[entry.side]}: {entry.option.verb}")
        elif isinstance(entry, Event):
            lines.append(f"{entry.verb} {entry.value or GAME.units[entry.unit]}")
    return lines


@rule("crossing", "1.1")
def test_each_half_is_supply_then_movement_then_combat_and_the_allied_half_comes_first():
    # With both bridges gone, each unit is out of supply beyond the river, which its own supply
    # phase finds out.
    match = supply("1 Inf @ 0101; I Gren @ 0908", blown=3)
    pass_by(match, halves=2)
    assert diary(match)[:6] == [
        "out of supply 1 Inf",
        "Allied: end movement",
        "Allied: end combat",
        "out of supply I Gren",
        "German: end movement",
        "German: end combat",
    ]


def test_nobody_moves_in_the_other_sides_half():
    match = begin("movement", GERMAN, "1 Inf @ 0407; I Gren @ 0507")
    assert asked(match).side == GERMAN
    assert names(match, "move") == {"I Gren"}


@rule("crossing", "1.2")
def test_the_turn_marker_moves_on_after_the_german_half_and_not_before():
    match = combat("1 Inf @ 0407; I Gren @ 0507", turn=2)
    do(match, "end combat")
    assert (match.position.turn, match.position.side) == (2, GERMAN)
    pass_by(match)
    assert (match.position.turn, match.position.side) == (3, ALLIED)
    assert "turn 3" in diary(match)


@rule("crossing", "1.2")
def test_the_game_lasts_as_many_turns_as_the_scenario_says():
    match = Match(GAME, seed=1)
    match.choose(asked(match).options[0])
    turns: list[int] = []
    for _ in range(8):
        turns.append(match.position.turn)
        assert match.outcome is None
        pass_by(match)
    assert turns == [1, 1, 2, 2, 3, 3, 4, 4]
    assert match.outcome is not None


def test_what_was_done_in_one_half_is_forgotten_in_the_next():
    everything = {"moved": 0b1111, "fought": 0b1111, "attacked": mask("0407 0507")}
    match = begin("combat", GERMAN, "1 Inf @ 0407; I Gren @ 0507", **everything)
    assert names(match, "move") == {"1 Inf"}
    do(match, "end movement")
    assert hexes(match, "attack") == {"0507"}
