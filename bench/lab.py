"""What learners and series of the lab are given a second: `python -m bench.lab`.

Absolute figures are those of this machine as busy as it is; ratios are of one run.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from apennine.adapters.pettingzoo import env
from apennine.games import get, keys
from apennine.kernel.match import Match
from apennine.lab.selfplay import Series
from apennine.lab.spec import Setting
from apennine.lab.store import Store
from apennine.lab.workers import Alone, Cluster, Crew, Pool, run

REPEATS = 20
STEPS = 3000
GAMES = 200


def encoding(key: str) -> tuple[float, float]:
    """Microseconds of a view and of its encoding, medians over the positions of random play."""
    game, random = get(key), Random(1)
    views: list[float] = []
    codes: list[float] = []
    match = Match(game, seed="bench")
    for _ in range(400):
        if match.decision is None:
            break
        match.choose(random.choice(match.decision.options))
        pos = match.position
        for side in range(len(game.sides)):
            for call, found in ((game.view, views), (game.encode, codes)):
                begun = process_time()
                for _ in range(REPEATS):
                    call(pos, side)
                found.append((process_time() - begun) / REPEATS * 1e6)
    return median(views), median(codes)


def steps(key: str) -> float:
    """Steps of a PettingZoo environment with mask and observation, a second of one core."""
    table, random = env(key), Random(1)
    seed = 1
    table.reset(seed=seed)
    begun, done = process_time(), 0
    while done < STEPS:
        seen, _, ended, cut, _ = table.last()
        if ended or cut:
            seed += 1
            table.reset(seed=seed)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        table.step(int(legal[int(random.random() * len(legal))]))
        done += 1
    return done / (process_time() - begun)


def series(crew: Crew) -> tuple[float, float]:
    """Seconds of the clock for a series by this crew, and what its games took by themselves."""
    settings = [Setting("all", Series("crossing", games=GAMES, seed="bench").checked())]
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "bench.sqlite")
        store.begin(settings, "bench")
        begun = perf_counter()
        inside = sum(seconds for _, _, seconds in run(store, settings, crew))
        return perf_counter() - begun, inside


def figures() -> list[tuple[str, float, str]]:
    """All figures but those of a cluster."""
    found: list[tuple[str, float, str]] = []
    for key in keys():
        if get(key).encoding is not None:
            view, code = encoding(key)
            found.append((f"{key}: encoding", code, "us"))
            found.append((f"{key}: view / encoding", view / code, "ratio"))
    for key in ("crossing", "italy1944"):
        found.append((f"{key}: PettingZoo", steps(key), "steps/s"))
    alone, inside = series(Alone())
    found.append(("series of The Crossing, one process", GAMES / alone, "games/s"))
    found.append(("its time outside of games", 1000 * (alone - inside) / GAMES, "ms/game"))
    two, inside = series(Pool(2))
    found.append(("series, two processes", GAMES / two, "games/s"))
    found.append(("efficiency of two processes, games alone", inside / (2 * two), "ratio"))
    return found


def cluster(workers: int) -> tuple[str, float, str]:
    """What a game costs more through Dask on loopback, with so many workers."""
    import distributed

    dask: Any = distributed
    with dask.LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as local:
        crew = Cluster(local.scheduler_address)
        seconds, inside = series(crew)
        crew.close()
    return f"Dask, {workers} workers: idle share", 1 - inside / (workers * seconds), "ratio"


def main() -> None:
    """Measure, and print."""
    for name, value, unit in (*figures(), *(cluster(n) for n in (1, 2, 4))):
        print(f"{name:48} {value:10,.2f} {unit}")


if __name__ == "__main__":
    main()
