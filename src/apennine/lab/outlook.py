"""The fit of an outlook: what the clues of positions have to do with how games ended.

A logistic regression, by Newton's method, on the clues and on each clue times the part of the game
that is over. What holds weights back (L2) is chosen by games left out. Games are left out whole:
the positions of one game have the same end, so that half of them would tell the other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from apennine.kernel.game import Game, GameError
from apennine.kernel.outlook import Clues, Fit, Fits, Third
from apennine.lab.sampling import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

HOLDS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""How strongly weights may be held back."""
FOLDS = 5
STEPS = 30
THIRDS = (1 / 3, 2 / 3)
GROUPS = 5
DIGITS = 6


class Told(NamedTuple):
    """Positions of one scenario in figures, all games one after the other."""

    clues: Array
    game: NDArray[np.int64]
    """By position, the number of its game."""
    won: Array
    """By position: 1 if the first side won, 0.5 a draw."""
    names: Sequence[str]

    def those(self, chosen: NDArray[np.bool_]) -> Told:
        """Some of the positions."""
        return Told(self.clues[chosen], self.game[chosen], self.won[chosen], self.names)

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(set(self.game.tolist()))


def clues_of(game: Game[Any]) -> Clues:
    """What the outlook of a game is read off; GameError if there is nothing to fit."""
    if game.clues is None:
        raise GameError(f"{game.title} tells no clues of its positions.")
    if len(game.sides) != 2:
        raise GameError(f"{game.title} has {len(game.sides)} sides; an outlook is of two.")
    return game.clues


def measured(game: Game[Any], samples: Sequence[Sample]) -> dict[str, Told]:
    """The clues of all positions, by scenario; a game may be of two, one after the other."""
    import numpy as np

    clues = clues_of(game)
    rows: dict[str, list[tuple[int, float, Sequence[float]]]] = {}
    for number, sample in enumerate(samples):
        won = {0: 1.0, 1: 0.0}.get(sample.winner, 0.5)
        for data in sample.positions:
            pos = game.position_type.from_json(data)
            row = number, won, clues.tell(game.war, pos)
            rows.setdefault(clues.scenario(game.war, pos), []).append(row)
    return {
        scenario: Told(
            np.array([row[2] for row in found], float),
            np.array([row[0] for row in found]),
            np.array([row[1] for row in found], float),
            clues.names,
        )
        for scenario, found in rows.items()
    }


def fit(scenario: str, told: Told) -> Fit:
    """What the clues weigh, and how well such fits foretell games that they have not seen."""
    import numpy as np

    if not 0 < told.won.min() + told.won.max() < 2:
        raise GameError(f"All games of {scenario!r} ended alike: there is nothing to learn.")
    foretold = np.zeros(len(told.won))
    for out in folds(told):
        known = told.those(~out)
        foretold[out] = chances(solve(known, choose(known)), told.those(out))
    base, weights = solve(told, choose(told))
    count = len(told.names)
    pairs = zip(weights[:count].tolist(), weights[count:].tolist(), strict=True)
    return Fit(
        scenario,
        told.games,
        _rounded(base),
        {
            name: (_rounded(start), _rounded(more))
            for name, (start, more) in zip(told.names, pairs, strict=True)
        },
        # A scenario that goes over into others is foretold by theirs.
        tuple(each for over in THIRDS if (each := third(told, foretold, over)).games),
    )


def folds(told: Told) -> Iterator[NDArray[np.bool_]]:
    """The positions that are left out in turn: whole games, of each end as many in every fold."""
    import numpy as np

    numbers, first = np.unique(told.game, return_index=True)
    ranked = numbers[np.lexsort((numbers, told.won[first]))]
    for fold in range(min(FOLDS, len(numbers))):
        yield np.isin(told.game, ranked[fold::FOLDS])


def choose(told: Told) -> float:
    """How strongly to hold weights back: so that games left out are foretold best."""
    import numpy as np

    losses = dict.fromkeys(HOLDS, 0.0)
    for out in folds(told):
        known, left = told.those(~out), told.those(out)
        share = _shares(left)
        for hold in HOLDS:
            found = np.clip(chances(solve(known, hold), left), 1e-6, 1 - 1e-6)
            loss = left.won * np.log(found) + (1 - left.won) * np.log(1 - found)
            losses[hold] -= float((share * loss).sum())
    return min(losses, key=lambda hold: (losses[hold], hold))


def terms(told: Told) -> Array:
    """The clues, and each times the part of the game that is over."""
    import numpy as np

    return np.hstack([told.clues, told.clues * told.clues[:, :1]])


def _shares(told: Told) -> Array:
    """A weight for each position: every game counts the same, however long it is."""
    import numpy as np

    _, place, count = np.unique(told.game, return_inverse=True, return_counts=True)
    return 1.0 / count[place]


def solve(told: Told, hold: float) -> tuple[float, Array]:
    """The base and the weights of all terms, in their own units."""
    import numpy as np

    found = terms(told)
    mean, spread = found.mean(axis=0), found.std(axis=0)
    spread[spread < 1e-9] = np.inf  # what never changes weighs nothing
    scaled = np.hstack([np.ones((len(found), 1)), (found - mean) / spread])
    # A game counts as a few looks, since its positions are not independent of each other.
    share = _shares(told) * 4.0
    back = np.full(scaled.shape[1], hold)
    back[0] = 1e-6
    beta = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(scaled @ beta, -30, 30)))
        slope = scaled.T @ (share * (told.won - chance)) - back * beta
        bend = scaled.T @ (scaled * (share * chance * (1 - chance))[:, None]) + np.diag(back)
        step = np.linalg.solve(bend, slope)
        beta += step
        if float(np.abs(step).max()) < 1e-8:
            break
    weights = beta[1:] / spread
    return float(beta[0] - weights @ mean), weights


def chances(solved: tuple[float, Array], told: Told) -> Array:
    """The first side's chances."""
    import numpy as np

    base, weights = solved
    return 1.0 / (1.0 + np.exp(-np.clip(base + terms(told) @ weights, -30, 30)))


def third(told: Told, foretold: Array, over: float) -> Third:
    """How well games were foretold at a moment, from the position of each that is nearest to it."""
    import numpy as np

    found: list[tuple[float, float]] = []
    for number in np.unique(told.game):
        at = np.flatnonzero(told.game == number)
        nearest = at[np.abs(told.clues[at, 0] - over).argmin()]
        if abs(told.clues[nearest, 0] - over) < 0.1:
            found.append((float(foretold[nearest]), float(told.won[nearest])))
    won = [chance for chance, end in found if end == 1.0]
    lost = [chance for chance, end in found if end == 0.0]
    auc = area(won, lost)
    low, high = interval(auc, len(won), len(lost))
    figures = (over, auc, low, high, off(found))
    over, auc, low, high, away = (round(figure, 3) for figure in figures)
    return Third(over, len(won) + len(lost), auc, low, high, away)


def area(won: Sequence[float], lost: Sequence[float]) -> float:
    """How often one of the first is above one of the second; ties count half.

    >>> area([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    if not won or not lost:
        return 0.5
    pairs = [(one > two) + 0.5 * (one == two) for one in won for two in lost]
    return sum(pairs) / len(pairs)


def interval(auc: float, won: int, lost: int) -> tuple[float, float]:
    """The 95 % interval of an area, by Hanley and McNeil."""
    if not won or not lost:
        return 0.0, 1.0
    one, two = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    square = auc * (1 - auc) + (won - 1) * (one - auc * auc) + (lost - 1) * (two - auc * auc)
    wide = 1.96 * (max(square, 0.0) / (won * lost)) ** 0.5
    return max(0.0, auc - wide), min(1.0, auc + wide)


def off(found: Sequence[tuple[float, float]]) -> float:
    """How far chances and shares of wins are apart on average, in groups of nearly equal chances.

    >>> off([(0.1, 0.0), (0.3, 0.0), (0.6, 1.0), (0.7, 1.0), (0.9, 1.0)])
    0.24
    """
    if not found:
        return 0.0
    ranked, total = sorted(found), 0.0
    size = max(1, -(-len(ranked) // GROUPS))
    for start in range(0, len(ranked), size):
        group = ranked[start : start + size]
        total += abs(sum(chance for chance, _ in group) - sum(end for _, end in group))
    return round(total / len(ranked), 6)


def _rounded(number: float) -> float:
    """To so many digits, wherever its point is."""
    return float(f"{number:.{DIGITS}g}")


def written(fits: Fits) -> str:
    """The file `outlook.toml`."""
    lines = [
        "# The chance of the first side to win, by what the clues of a position weigh.",
        "# `apennine lab outlook` makes this file anew: docs/lab.md.",
        f"source = {_text(fits.source)}",
        f"date = {_text(fits.date)}",
    ]
    for each in fits.fits:
        lines += ["", "[[fits]]", f"scenario = {_text(each.scenario)}", f"games = {each.games}"]
        lines += [f"base = {each.base!r}", "thirds = ["]
        for moment in each.thirds:
            known: Mapping[str, float] = {
                name: getattr(moment, name) for name in moment.__struct_fields__
            }
            fields = ", ".join(f"{name} = {value!r}" for name, value in known.items())
            lines.append(f"  {{ {fields} }},")
        lines += ["]", "", "[fits.weights]"]
        lines += [
            f"{_text(name)} = [{start!r}, {more!r}]" for name, (start, more) in each.weights.items()
        ]
    return "\n".join([*lines, ""])


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
