"""Why an option is not in the menu: the bar that shuts it out, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game
from apennine.kernel.order import NOTHING, Offer, Order, Refusal
from apennine.kernel.position import Position
from apennine.kernel.words import place_name, unit_name


def refuse(game: Game[Any], pos: Position, decision: Choice, option: Option) -> Refusal:
    """Why an option is not among those of a decision in this position."""
    offer = decision.options
    if not isinstance(offer, Offer):
        return Refusal("That is not one of the options.", decision.rule)
    order = offer.order(option.verb)
    if order is None:
        known = game.verbs.get(option.verb)
        if known is None:
            return Refusal(f"There is no order {option.verb!r} in {game.title}.", decision.rule)
        return Refusal(_ended(f"{known.when}. Asked now: {decision.prompt}"), known.rule)
    sentence = _misnamed(game, order, option)
    if sentence:
        return Refusal(sentence, order.rule)
    refusal = order.refusal(offer.war, pos, option)
    if refusal is None:
        raise AssertionError(f"No bar shuts out {option}, which is not in the menu.")
    said = refusal.sentence.format_map(Words(game, offer.war, pos, option))
    return Refusal(_ended(said[:1].upper() + said[1:]), refusal.rule)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def _misnamed(game: Game[Any], order: Order[Any, Any], option: Option) -> str:
    """What is wrong with the names that an option gives, whatever the position."""
    for name, nothing in NOTHING.items():
        number: int = getattr(option, name)
        if name not in order.names:
            if number != nothing:
                return f"The order {option.verb!r} names no {name}."
        elif name == "value":
            if number < 0:
                return f"The order {option.verb!r} must name a number that is not negative."
        elif not (0 <= number < len(game.units) if name == "unit" else number in game.board):
            return f"The order {option.verb!r} must name a {name} of the game."
    return ""


class Words(Mapping[str, str]):
    """What a sentence may hold in braces: the names of an option, and the game's own phrases.

    A game may have its own phrase for a name too: "Salerno (2822)" for a hex.
    """

    def __init__(self, game: Game[Any], war: Any, pos: Position, option: Option) -> None:
        self._game = game
        self._war = war
        self._pos = pos
        self._option = option

    def __getitem__(self, word: str) -> str:
        option, vocabulary = self._option, self._game.vocabulary
        if word in vocabulary:
            return vocabulary[word](self._war, self._pos, option)
        if word == "unit":
            return unit_name(self._game, option.unit)
        if word == "hex":
            return place_name(self._game, option.hex)
        if word == "value":
            return str(option.value)
        raise KeyError(word)

    def __iter__(self) -> Iterator[str]:
        return iter({**NOTHING, **self._game.vocabulary})

    def __len__(self) -> int:
        return len({**NOTHING, **self._game.vocabulary})
