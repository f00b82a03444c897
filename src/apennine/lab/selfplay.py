"""Self-play: a series of matches between bots, in one process or in many, with one result.

>>> series = Series("crossing", bots=("random",), games=2, seed="7")
>>> summary = summarise(series, run(series), seconds=1.0)
>>> summary.games, sum(summary.wins.values()) + summary.draws
(2, 2)
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from apennine.bots import Bot, make_bot
from apennine.games import get
from apennine.kernel.game import EVERYBODY, GameError
from apennine.kernel.match import Match, MatchError
from apennine.kernel.pack import Pack, read_packs


class Series(NamedTuple):
    """What is to be played: match number n of a series is the same wherever it is played."""

    key: str
    """The key of the game, or the path of its folder."""
    scenario: str | None = None
    options: Mapping[str, bool] | None = None
    bots: tuple[str, ...] = ("random",)
    """One bot a side; or one that plays every side."""
    games: int = 10
    seed: str = "0"
    packs: tuple[Pack | Path | str, ...] = ()
    """Packs, or their folders, that are laid over the game."""

    def checked(self) -> Series:
        """The series with every default filled in; GameError if it cannot be played."""
        packs = read_packs(self.packs)
        game = get(self.key, packs)
        bots = self.bots * len(game.sides) if len(self.bots) == 1 else self.bots
        if len(bots) != len(game.sides):
            raise GameError(
                f"{game.title} has {len(game.sides)} sides, but {len(bots)} bots are named."
            )
        for name in bots:
            make_bot(name, 0, game)
        return self._replace(
            scenario=game.check_scenario(self.scenario),
            options=game.check_options(self.options or {}),
            bots=bots,
            packs=packs,
        )


class Played(NamedTuple):
    """One match that came to its end. `decisions` counts the choices of two or more options."""

    winner: int
    reason: str
    decisions: int


class Summary(msgspec.Struct, frozen=True):
    """What a series came to."""

    key: str
    scenario: str
    bots: list[str]
    seed: str
    games: int
    decisions: int
    """All choices with two or more options."""
    seconds: float
    decisions_per_second: float
    wins: dict[str, int]
    """By the name of the side."""
    draws: int
    reasons: dict[str, dict[str, int]]
    """By the name of the winner, or "draw": how often each reason ended a game."""
    mean_length: float
    """Decisions to a game."""


def start(series: Series, number: int) -> tuple[Match[Any], list[Bot]]:
    """Match `number` of a checked series before its first decision, and the bots of its sides."""
    game = get(series.key, series.packs)
    seeds = [_seed(series, number, name, side) for side, name in enumerate(series.bots)]
    bots = [make_bot(name, seed, game) for name, seed in zip(series.bots, seeds, strict=True)]
    dice = f"{series.seed}/{number}"
    return Match(game, series.scenario, series.options, seed=dice), bots


def play(series: Series, number: int) -> Played:
    """Play match `number` of a checked series to its end."""
    try:
        match, bots = start(series, number)
        decisions = 0
        while match.decision:
            seat = match.seat()
            match.choose(bots[seat.side](seat))
            decisions += 1
    except MatchError as error:
        # Made anew, since not every MatchError survives the way back from another process.
        raise MatchError(f"Match {number} of seed {series.seed!r}: {error}") from error
    assert match.outcome is not None
    return Played(match.outcome.winner, match.outcome.reason, decisions)


def run(series: Series, jobs: int = 1) -> Iterator[Played]:
    """Play all matches of a series in so many processes; the results come in order."""
    series = series.checked()
    if jobs == 1:
        yield from (play(series, number) for number in range(series.games))
        return
    # Spawned, not forked: the same on every system, whatever threads the caller runs.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=leave_interrupts)
    try:
        chunk = max(1, min(32, series.games // (8 * jobs)))
        yield from pool.map(partial(play, series), range(series.games), chunksize=chunk)
    finally:
        pool.shutdown(cancel_futures=True)


def summarise(series: Series, played: Iterable[Played], seconds: float) -> Summary:
    """Count up what was played, in the time that it took."""
    series = series.checked()
    game = get(series.key, series.packs)
    sides = game.sides
    results = list(played)
    wins = Counter(result.winner for result in results)
    reasons: dict[str, Counter[str]] = {}
    for result in results:
        name = sides[result.winner] if result.winner >= 0 else "draw"
        reasons.setdefault(name, Counter())[result.reason] += 1
    decisions = sum(result.decisions for result in results)
    return Summary(
        key=game.key,
        scenario=series.scenario or "",
        bots=list(series.bots),
        seed=series.seed,
        games=len(results),
        decisions=decisions,
        seconds=round(seconds, 3),
        decisions_per_second=round(decisions / seconds, 1) if seconds else 0.0,
        wins={name: wins[side] for side, name in enumerate(sides)},
        draws=wins[EVERYBODY],
        reasons={name: dict(counts.most_common()) for name, counts in sorted(reasons.items())},
        mean_length=round(decisions / len(results), 1) if results else 0.0,
    )


def _seed(series: Series, number: int, name: str, side: int) -> int:
    """A seed for one bot in one match, equal in every process."""
    text = f"{series.seed}/{number}/{side}/{name}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def leave_interrupts() -> None:
    """Ctrl-C is for the process that the user started; it ends its helpers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
