"""A seat at a match: all that a bot gets."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game, Preview
from apennine.kernel.position import Position

if TYPE_CHECKING:
    from apennine.kernel.match import Match

P = TypeVar("P", bound=Position)


class Seat(Generic[P]):
    """All that a bot gets: what one side may know, and dreams of what might be.

    A bot is anything that takes a seat and returns one of `seat.decision.options`.
    """

    __slots__ = ("_match", "decision")

    def __init__(self, match: Match[P], decision: Choice) -> None:
        self._match = match
        self.decision = decision

    @property
    def game(self) -> Game[P]:
        """The game that is played."""
        return self._match.game

    @property
    def side(self) -> int:
        """The side that must choose."""
        return self.decision.side

    @property
    def moment(self) -> tuple[int, int]:
        """The turn, and the side whose player turn it is; all can see that."""
        pos = self._match.position
        return pos.turn, pos.side

    def view(self) -> dict[str, Any]:
        """What this side sees."""
        return self._match.view(self.side)

    def preview(self, option: Option) -> Preview | None:
        """What an option would lead to."""
        return self._match.preview(option)

    def dream(self, seed: int) -> Match[P]:
        """A match that this side could not tell from the real one, with dice of its own."""
        match = self._match
        base = match.checkpoint
        imagined = self.game.imagine(base.position, self.side, Random(seed), match.position)
        return match._dreamt(imagined, seed)  # pyright: ignore[reportPrivateUsage]
