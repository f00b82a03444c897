"""The contracts of what learners are given: numbers for options, and for what a side sees."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from apennine.games import keys
from apennine.kernel.decision import Choice
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.kernel.position import Position

CHANGES = 12
"""Ways to change a position that are tried at one moment."""


def every_option_has_a_number_of_its_own(match: Match[Any], random: Random) -> None:
    """No option falls outside of the schema, and no two of a menu have the same numbers."""
    game = match.game
    if not isinstance(match.decision, Choice) or game.key not in keys():
        return
    options = list(match.decision.options)
    schema = game.schema
    numbers = {schema.numbers(option): option for option in options}
    assert len(numbers) == len(options), "two options of one menu have the same numbers"
    assert all(0 <= number < schema.size for known in numbers for number in known)
    known = random.choice(list(numbers))
    option = numbers[known]
    assert all(schema.describe(number).startswith(option.verb) for number in known)
    # Whoever gives the numbers one after the other comes to this option and no other.
    first = schema.numbered(options)
    found = first[known[0]] if known[0] in first else first[known[-1]]
    assert found == option or schema.numbered(options, known[0])[known[-1]] == option


def changed(match: Match[Any], random: Random) -> tuple[Position, str]:
    """The position with one field that is another, of those that say something now.

    What marks a unit that is not on the map is nothing that anybody could be told; and the last
    turn, which never changes, is told as the length of the turn track.
    """
    pos, board = match.position, match.game.board
    places = getattr(pos, "hex", ())
    other = pos.copy()

    def counts(unit: int) -> bool:
        return unit >= len(places) or (places[unit] >= 0 and not board.is_box(places[unit]))

    said = [
        name
        for name, value in pos.state().items()
        if isinstance(value, int | list) and value not in (0, -1, []) and name != "last_turn"
    ]
    name = random.choice(said)
    value = getattr(other, name)
    if isinstance(value, list):
        items = cast("list[Any]", value)
        some = [n for n, each in enumerate(items) if isinstance(each, int) and each > 0]
        at = random.choice([n for n in some if len(items) != len(places) or counts(n)] or [-1])
        if at >= 0:
            items[at] += random.choice([1, -1])
    elif isinstance(value, bool):
        setattr(other, name, not value)
    elif value > 0:
        bit = random.randrange(value.bit_length())
        if counts(bit):
            setattr(other, name, random.choice([value & ~(1 << bit), value - 1]))
    return other, name


def what_is_encoded_is_no_more_than_the_view(match: Match[Any], random: Random) -> None:
    """Of two positions that look the same, the numbers are the same too."""
    game, pos = match.game, match.position
    if game.encoding is None:
        return
    sides = range(EVERYBODY, len(game.sides))
    views = {side: game.view(pos, side) for side in sides}
    codes = {side: game.encode(pos, side) for side in sides}
    for code in codes.values():
        assert len(code) == game.encoder.size
    for _ in range(CHANGES):
        other, name = changed(match, random)
        for side in sides:
            try:
                same = game.view(other, side) == views[side]
            except Exception:  # no such position can be shown
                continue
            if same:
                assert game.encode(other, side) == codes[side], f"{name} is encoded and not shown"


def the_clues_of_its_outlook_are_in_everybodys_sight(match: Match[Any], random: Random) -> None:
    """They are the same in all that any side can imagine, so that no chance tells a secret."""
    game, base = match.game, match.checkpoint.position
    clues = game.clues
    if clues is None:
        return
    told = list(clues.tell(game.war, base))
    assert len(told) == len(clues.names) == len(set(clues.names))
    assert -0.01 <= told[0] <= 1.01, f"{told[0]} of the game is over"
    for side in range(len(game.sides)):
        other = game.imagine(base, side, random, match.position)
        found = dict(zip(clues.names, clues.tell(game.war, other), strict=True))
        assert found == dict(zip(clues.names, told, strict=True))
        assert clues.scenario(game.war, other) == clues.scenario(game.war, base)
        one, two = game.outlook(other, 0), game.outlook(other, 1)
        assert one is None or two is None or abs(one + two - 1.0) < 1e-12


LEARNING = [
    every_option_has_a_number_of_its_own,
    what_is_encoded_is_no_more_than_the_view,
    the_clues_of_its_outlook_are_in_everybodys_sight,
]
