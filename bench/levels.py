"""How often one level of a game beats another: `python -m bench.levels KEY [A B] [--games N]`.

Each pair of dice is played twice, with A on either side. Bots that look ahead think without a clock
here, so that the result does not depend on the machine.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

from apennine.games import get
from apennine.lab.selfplay import Series, play
from apennine.lab.statistics import share


def main() -> None:
    """Play, and tell the shares with their 95 % intervals as they come in."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("key")
    parser.add_argument("bots", nargs="*", default=["hard", "staff"])
    parser.add_argument("--scenario")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="levels")
    given = parser.parse_args()
    one, two = given.bots
    sides, begun = get(given.key).sides, process_time()
    won: list[list[bool]] = [[], []]
    for number in range(given.games // 2):
        for side in (0, 1):
            bots = (one, two) if side == 0 else (two, one)
            series = Series(given.key, given.scenario, bots=bots, seed=given.seed).checked()
            won[side].append(play(series, number).winner == side)
        told = [f"{name} {_told(won[side])}" for side, name in enumerate(sides)]
        seconds = (process_time() - begun) / (2 * number + 2)
        line = f"{one} against {two}: {_told(won[0] + won[1])}; as {', as '.join(told)}"
        sys.stdout.write(f"{line}; {seconds:.1f} s a game\n")
        sys.stdout.flush()


def _told(won: list[bool]) -> str:
    found = share(sum(won), len(won))
    return f"{sum(won)} of {len(won)} ({found.low:.0%} to {found.high:.0%})"


if __name__ == "__main__":
    main()
