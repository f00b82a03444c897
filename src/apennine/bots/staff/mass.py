"""Attacks that are prepared: what is attacked, from where, by whom; and aims kept over turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from apennine.hexes import Mask, bits

from .posts import Movers, Posts
from .weights import AimWeights


class Attack(NamedTuple):
    """An attack that could be made: what it is worth, on what, by whom, and who must go where."""

    worth: float
    target: int
    force: Mask
    """All that would take part."""
    goals: tuple[tuple[int, int], ...] = ()
    """Those of them who must go somewhere first, each with the hex."""


def sharing(one: Attack, chosen: Attack) -> bool:
    """Whether an attack must be thought over since its units are wanted for another."""
    return bool(one.force & chosen.force)


def mass(
    posts: Posts,
    targets: Iterable[int],
    think: Callable[[int], Attack | None],
    *,
    least: float = 0.0,
    most: int = 99,
    weight: Callable[[Attack], float] = lambda attack: attack.worth,
    stale: Callable[[Attack, Attack], bool] = sharing,
    took: Callable[[Attack], None] | None = None,
) -> list[Attack]:
    """Choose the attacks that promise most, one after the other, and send who is needed.

    `think` is the best attack on a target with who is free; it is asked again when `stale` says
    that an attack chosen meanwhile has changed things for it. `took` hears of each that is chosen.
    """
    thought = {target: think(target) for target in targets}
    chosen: list[Attack] = []
    while len(chosen) < most:
        able = [attack for attack in thought.values() if attack and attack.worth > least]
        if not able:
            break
        best = max(able, key=lambda attack: (attack.worth, -attack.target))
        for unit, hex in best.goals:
            posts.send(unit, hex, weight(best))
        chosen.append(best)
        if took:
            took(best)
        del thought[best.target]
        for target, attack in thought.items():
            if attack and stale(attack, best):
                thought[target] = think(target)
    return chosen


def leanest(
    units: Sequence[int], worth: Callable[[Sequence[int]], float], must: Mask = 0
) -> list[int]:
    """The units without those who add nothing: give the weakest first.

    It stops at the first who would be missed, since any stronger one would be missed as much.
    """
    kept = list(units)
    full = worth(kept)
    for unit in units:
        fewer = [u for u in kept if u != unit]
        if must >> unit & 1 or not fewer:
            continue
        if worth(fewer) < full:
            break
        kept = fewer
    return kept


def converge(
    posts: Movers,
    units: Iterable[int],
    near: Mask,
    here: Callable[[int], int],
    measure: Callable[[Mapping[int, int]], float],
    enough: float,
    opposite: Callable[[Mask, int], bool],
) -> tuple[dict[int, int], float]:
    """Units one after the other into the hexes near a target, until they are enough.

    Who is free goes opposite to the others if that is better, else where others are, else stays
    where he is; who is not is taken where he will be. `measure` says what those with their hexes
    come to.
    """
    placed: dict[int, int] = {}
    coming: dict[int, Mask] = {}
    used, found = 0, 0.0

    def liking(here: int, used: Mask, there: int) -> float:
        joined = 1.0 + (used >> there & 1) + 2.0 * (there == here)
        return joined + 1.5 if used and opposite(used, there) else joined

    for unit in units:
        hex = here(unit)
        if unit in posts.free:
            ends = bits(posts.reach[unit] & near)
            able = [end for end in ends if posts.room(unit, end, coming.get(end, 0))]
            hex = max(able, key=partial(liking, hex, used), default=-1)
            if hex < 0:
                continue
            coming[hex] = coming.get(hex, 0) | 1 << unit
        used |= 1 << hex
        placed[unit] = hex
        found = measure(placed)
        if found >= enough:
            break
    return placed, found


class Aim(NamedTuple):
    """What a staff has set its mind on."""

    target: int
    since: int
    """The turn in which it was chosen."""
    worth: float
    """The most that it has been worth."""
    raised: int
    """The turn in which it was worth that first."""


class Memory:
    """The aims of a side, by name, kept over the turns of one match.

    Who has none, since he takes over in the middle, just chooses anew.
    """

    def __init__(self) -> None:
        self.aims: dict[str, Aim] = {}
        self._notes: dict[str, tuple[int, Mapping[int, int], Mapping[int, int]]] = {}

    def note(self, name: str, turn: int, places: Mapping[int, int]) -> None:
        """Remember where units were to go in a turn."""
        self._notes[name] = turn, places, self.noted(name, turn)

    def noted(self, name: str, turn: int) -> Mapping[int, int]:
        """Where they were to go before this turn, when anything was noted last."""
        last, places, before = self._notes.get(name, (0, {}, {}))
        return before if last == turn else places

    def aim(
        self,
        name: str,
        turn: int,
        worths: Mapping[int, float],
        weights: AimWeights,
        taste: Callable[[int], float] | None = None,
    ) -> int:
        """The target that a side keeps to, or a new one; -1 if none is worth while.

        `worths` are the targets that could be had and their worth now: one that is no longer among
        them is done with. `taste`, from 0 to 1, decides between targets of nearly equal worth.
        """
        old = self.aims.get(name)
        if old and old.since > turn:
            old = None  # another match, or a turn taken back
        liked = {t: weights.whim * taste(t) if taste else 0.0 for t in worths}
        best = max(worths, key=lambda t: (worths[t] + liked[t], worths[t], -t), default=-1)
        if old and old.target in worths:
            worth = worths[old.target]
            slow = turn - old.raised >= weights.patience
            rival = worths[best] - (0.0 if slow else weights.loyalty)
            if worth > weights.hopeless and worth >= rival:
                if worth > old.worth:
                    old = old._replace(worth=worth, raised=turn)
                self.aims[name] = old
                return old.target
        if best < 0 or worths[best] <= weights.hopeless:
            self.aims.pop(name, None)
            return -1
        self.aims[name] = Aim(best, turn, worths[best], turn)
        return best
