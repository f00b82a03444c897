"""One game of a series, played and told in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from apennine.kernel.decision import Choice
from apennine.kernel.log import Entry, Rolled
from apennine.kernel.match import Match, MatchError
from apennine.lab.selfplay import Series, start


class Record(NamedTuple):
    """One game that came to its end. `decisions` counts the choices of two or more options."""

    number: int
    winner: int
    reason: str
    decisions: int
    turns: int
    digest: str
    """Of the last moment: two games with the same digest went the same way."""
    detail: dict[str, Any]
    """Steps lost by turn and side, fights by hex, and by side the hexes that units went to."""


class Tally:
    """Watches a match, and counts."""

    def __init__(self, match: Match[Any]) -> None:
        game = match.game
        encoding = game.encoding
        self._sides = len(game.sides)
        self._owner = encoding.owners(game.war) if encoding else ()
        self.losses: dict[int, list[int]] = {}
        self.fights: Counter[int] = Counter()
        self.visits: list[Counter[int]] = [Counter() for _ in game.sides]
        self._fought: list[Rolled] = []
        self.turns = match.position.turn
        """The turn in which somebody was asked last."""
        self._look(match)
        match.watch(self)

    def _look(self, match: Match[Any]) -> None:
        pos = match.position
        self._places, self._steps = list(pos.hex), list(pos.steps)
        self._target = getattr(pos, "target", -1)
        self._turn = pos.turn

    def saw(self, match: Match[Any], entry: Entry) -> None:
        """A roll on a table, while a hex is attacked, is a fight for it."""
        del match
        if type(entry) is Rolled and entry.column:
            self._fought.append(entry)

    def count(self, match: Match[Any]) -> None:
        """What has changed since it was looked at last."""
        pos = match.position
        if self._fought:
            if self._target >= 0:
                self.fights[self._target] += 1
            self._fought.clear()
        if self._owner and pos.steps != self._steps:
            # What is chosen may end the turn, and it fell in that turn.
            row = self.losses.setdefault(self._turn, [0] * self._sides)
            for unit, (was, now) in enumerate(zip(self._steps, pos.steps, strict=True)):
                if now < was:
                    row[self._owner[unit]] += was - now
        if self._owner and pos.hex != self._places:
            for unit, (was, now) in enumerate(zip(self._places, pos.hex, strict=True)):
                if was != now and now >= 0:
                    self.visits[self._owner[unit]][now] += 1
        self.turns = self._turn
        self._look(match)

    @property
    def detail(self) -> dict[str, Any]:
        """All that was counted, ready for JSON."""
        return {
            "losses": {str(turn): row for turn, row in sorted(self.losses.items())},
            "fights": {str(hex): count for hex, count in sorted(self.fights.items())},
            "visits": [{str(h): n for h, n in sorted(each.items())} for each in self.visits],
        }


def play_one(series: Series, number: int) -> Record:
    """Play game `number` of a checked series to its end."""
    try:
        match, bots = start(series, number)
        tally, decisions = Tally(match), 0
        while isinstance(match.decision, Choice):
            seat = match.seat()
            match.choose(bots[seat.side](seat))
            decisions += 1
            tally.count(match)
    except MatchError as error:
        raise MatchError(f"Game {number} of seed {series.seed!r}: {error}") from error
    assert match.outcome is not None
    winner, reason, _ = match.outcome
    return Record(number, winner, reason, decisions, tally.turns, match.digest, tally.detail)


class Batch(NamedTuple):
    """Some games of one setting, handed out together."""

    setting: int
    series: Series
    numbers: Sequence[int]


def play_batch(batch: Batch) -> tuple[list[Record], float]:
    """Play a batch; the records, and the seconds that it took."""
    begun = perf_counter()
    records = [play_one(batch.series, number) for number in batch.numbers]
    return records, perf_counter() - begun
