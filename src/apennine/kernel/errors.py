"""What a match says when something cannot be."""

from __future__ import annotations

from apennine.kernel.decision import Option
from apennine.kernel.order import Refusal


class MatchError(Exception):
    """Something that cannot be asked of a match now. One sentence."""


class IllegalChoice(MatchError):
    """An option that is not in the menu; `refusal` has the sentence and the rule."""

    def __init__(self, option: Option, refusal: Refusal) -> None:
        self.option = option
        self.refusal = refusal
        rule = f" ({refusal.rule})" if refusal.rule else ""
        super().__init__(refusal.sentence.removesuffix(".") + rule + ".")


class RulesError(MatchError):
    """The rules themselves went wrong: a mistake in a game, never a player's."""
