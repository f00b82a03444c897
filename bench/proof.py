"""Proof by play: `python -m bench.proof` plays every game through and adds to `bench/proof.json`.

For each scenario: a thousand random games with the position checked at every checkpoint, two
hundred between the game's own bots (the greedy ones if it has none), and a hundred of a bot
against a random one on each side. Beside who won it says how long the rules and the bots took for
a decision, in time of one core, so that other work on the machine counts little. Fewer with
`--games N`, one game with its key; figures of games that were not asked for stay in the file.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from apennine.bots import RandomBot
from apennine.games import get, keys
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from apennine.lab.selfplay import Played, Series, start, summarise

RESULTS = Path(__file__).with_name("proof.json")
JOBS = os.cpu_count() or 1


class Clock(NamedTuple):
    """How long decisions took on one core: how many, all together, and the longest one."""

    decisions: int = 0
    seconds: float = 0.0
    worst: float = 0.0

    def and_(self, seconds: float) -> Clock:
        return Clock(self.decisions + 1, self.seconds + seconds, max(self.worst, seconds))

    def figures(self) -> dict[str, float]:
        mean = self.seconds / self.decisions if self.decisions else 0.0
        return {"mean, ms": round(1000 * mean, 3), "worst, ms": round(1000 * self.worst, 1)}


def together(clocks: Sequence[Clock]) -> Clock:
    """Several clocks as one."""
    return Clock(
        sum(clock.decisions for clock in clocks),
        sum(clock.seconds for clock in clocks),
        max((clock.worst for clock in clocks), default=0.0),
    )


def random_game(key: str, scenario: str, seed: int) -> Clock:
    """Play one random game to its end, check every checkpoint, and time the rules."""
    match = Match(get(key), scenario, seed=seed)
    bot = RandomBot(seed, by_verb=seed % 2 == 0)
    clock = Clock()
    while isinstance(match.decision, Choice):
        if match.decision.checkpoint:
            faults = match.check()
            assert not faults, f"{key} {scenario}, seed {seed}, entry {len(match.log)}: {faults}"
        option = bot(match.seat())
        begun = process_time()
        match.choose(option)
        _ = match.decision
        clock = clock.and_(process_time() - begun)
    assert match.outcome is not None
    return clock


def bot_game(series: Series, number: int) -> tuple[Played, list[Clock]]:
    """Play one match of a checked series to its end, with a clock for each side's bot."""
    match, bots = start(series, number)
    clocks = [Clock() for _ in bots]
    while match.decision:
        seat = match.seat()
        begun = process_time()
        option = bots[seat.side](seat)
        clocks[seat.side] = clocks[seat.side].and_(process_time() - begun)
        match.choose(option)
    assert match.outcome is not None
    decisions = sum(clock.decisions for clock in clocks)
    return Played(match.outcome.winner, match.outcome.reason, decisions), clocks


def prove_series(series: Series, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """Who won, why, and how long each bot thought."""
    series = series.checked()
    games = list(pool.map(partial(bot_game, series), range(series.games), chunksize=2))
    summary = summarise(series, [played for played, _ in games], 0.0)
    thought = {
        f"{bot} ({side})": together([clocks[number] for _, clocks in games]).figures()
        for number, (bot, side) in enumerate(zip(series.bots, get(series.key).sides, strict=True))
    }
    return {
        "games": summary.games,
        "wins": summary.wins,
        "draws": summary.draws,
        "reasons": summary.reasons,
        "mean length": summary.mean_length,
        "a decision": thought,
    }


def prove(key: str, scenario: str, games: int, pool: ProcessPoolExecutor) -> dict[str, Any]:
    """What came of all the games of one scenario."""
    own = next(iter(get(key).bots), "greedy")
    clocks = list(pool.map(partial(random_game, key, scenario), range(games), chunksize=8))
    rules = together(clocks)
    figures: dict[str, Any] = {
        "random": {"games": games, "decisions": rules.decisions, "a decision": rules.figures()}
    }
    for name, bots, share in (
        ("bots", (own, own), 5),
        ("first side against random", (own, "random"), 10),
        ("second side against random", ("random", own), 10),
    ):
        series = Series(key, scenario, bots=bots, games=max(1, games // share), seed="proof")
        figures[name] = prove_series(series, pool)
    return figures


def main() -> None:
    """Prove the games named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=keys())
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    with ProcessPoolExecutor(JOBS) as pool:
        for key in asked.keys:
            known[key] = {
                scenario.key: prove(key, scenario.key, asked.games, pool)
                for scenario in get(key).scenarios
            }
            print(json.dumps({key: known[key]}, indent=1))
            RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
