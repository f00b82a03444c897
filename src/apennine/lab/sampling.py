"""Games played between bots for what is learnt from them: positions, and who won.

They are kept in a file of lines, a game each, packed: what is measured in a position may change
without a game being played again, and a series that was broken off goes on where it was.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from apennine.games import get
from apennine.kernel.game import GameError
from apennine.kernel.match import Match, MatchError
from apennine.kernel.position import Position
from apennine.lab.selfplay import Series, leave_interrupts, start


class Sample(NamedTuple):
    """A game that came to its end."""

    scenario: str
    number: int
    winner: int
    """The side; -1: nobody."""
    positions: list[dict[str, Any]]
    """Those in which a side's turn began, as JSON values."""


def sample(series: Series, number: int) -> Sample:
    """Play game `number` of a checked series."""
    try:
        match, bots = start(series, number)
        positions = [match.position.to_json()]
        last = _moment(match)
        while match.decision:
            seat = match.seat()
            match.choose(bots[seat.side](seat))
            now = _moment(match)
            if now != last and match.decision:
                positions.append(match.position.to_json())
                last = now
    except MatchError as error:
        raise MatchError(f"Game {number} of seed {series.seed!r}: {error}") from error
    assert match.outcome is not None
    return Sample(match.scenario, number, match.outcome.winner, positions)


def _moment(match: Match[Any]) -> tuple[int, int]:
    return match.position.turn, match.position.side


def sampled(series: Series, path: Path, jobs: int = 1) -> Iterator[Sample]:
    """All games of a series: those that are in a file as they are, the others played and added."""
    series = series.checked()
    head = f"{series.key} {series.scenario} {','.join(series.bots)} {series.seed}"
    known = {found.number: found for found in read(path, head)}
    yield from (known[number] for number in sorted(known) if number < series.games)
    missing = [number for number in range(series.games) if number not in known]
    if not missing:
        return
    for found in _played(series, missing, jobs):
        line = json.dumps([head, *found], separators=(",", ":"))
        with gzip.open(path, "ab", compresslevel=6) as file:
            file.write(line.encode() + b"\n")
        yield found


def _played(series: Series, numbers: Sequence[int], jobs: int) -> Iterator[Sample]:
    if jobs == 1:
        yield from (sample(series, number) for number in numbers)
        return
    # Spawned, not forked: the same on every system, whatever threads the caller runs.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=leave_interrupts)
    try:
        yield from pool.map(partial(sample, series), numbers)
    finally:
        pool.shutdown(cancel_futures=True)


def read(path: Path, head: str) -> Iterator[Sample]:
    """The games of one series in a file; none if there is no file."""
    if not path.is_file():
        return
    with gzip.open(path, "rb") as file:
        try:
            for line in file:
                found = json.loads(line)
                if found[0] == head:
                    yield Sample(*found[1:])
        except EOFError:  # the power went while a game was being written: it is played again
            raise GameError(
                f"{path} ends in the middle of a game; take its last line away, or begin anew."
            ) from None


def positions(key: str, found: Sample) -> list[Position]:
    """The positions of a game, as its rules know them."""
    kind: type[Position] = get(key).position_type
    return [kind.from_json(data) for data in found.positions]
