"""Proof by play: `python -m bench.proof` plays every game through and writes `bench/proof.json`.

A thousand random games with the position checked at every checkpoint, two hundred between the
game's own bots (the greedy ones if it has none), and a hundred of a bot against a random one on
each side. Fewer with `--games N`, one game with its key.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from apennine.bots import RandomBot
from apennine.games import get, keys
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from apennine.lab.selfplay import Series, run, summarise

RESULTS = Path(__file__).with_name("proof.json")
JOBS = os.cpu_count() or 1


def random_game(key: str, seed: int) -> int:
    """Play one random game to its end, check every checkpoint, and count the decisions."""
    game = get(key)
    match = Match(game, seed=seed)
    bot = RandomBot(seed, by_verb=seed % 2 == 0)
    decisions = 0
    while isinstance(match.decision, Choice):
        if match.decision.checkpoint:
            faults = match.check()
            assert not faults, f"{key}, seed {seed}, entry {len(match.log)}: {faults}"
        match.choose(bot(match.seat()))
        decisions += 1
    assert match.outcome is not None
    return decisions


def prove(key: str, games: int) -> dict[str, Any]:
    """What came of all the games of one key."""
    own = next(iter(get(key).bots), "greedy")
    with ProcessPoolExecutor(JOBS) as pool:
        lengths = list(pool.map(partial(random_game, key), range(games), chunksize=8))
    figures: dict[str, Any] = {"random": {"games": games, "decisions": sum(lengths)}}
    for name, bots, share in (
        ("bots", (own, own), 5),
        ("first side against random", (own, "random"), 10),
        ("second side against random", ("random", own), 10),
    ):
        series = Series(key, bots=bots, games=max(1, games // share))
        start = perf_counter()
        summary = summarise(series, run(series, JOBS), perf_counter() - start)
        figures[name] = {
            "bots": summary.bots,
            "games": summary.games,
            "wins": summary.wins,
            "draws": summary.draws,
            "mean_length": summary.mean_length,
        }
    return figures


def main() -> None:
    """Prove the games named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=keys())
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    figures = {key: prove(key, asked.games) for key in asked.keys}
    print(json.dumps(figures, indent=1))
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
