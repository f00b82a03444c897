"""Weights: what a staff thinks of this and that, as objects that are handed in.

Nothing in the kit reads a number of its own. A game's weights are one frozen object made of these
and of its own; what a bot keeps for later belongs to the bot or to the ground, and never outlives
a change of weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

W = TypeVar("W", bound=msgspec.Struct)


class LineWeights(msgspec.Struct, frozen=True):
    """What a line costs, post by post; the cheapest one is held."""

    post: float = 1.0
    """A post on plain ground."""
    strong: float = 0.3
    """What a point of its ground takes off."""
    loss: float = 0.1
    """Each hex of ground that is given up for a post."""
    gaps: tuple[float, ...] = (0.0, 0.9, 2.5)
    """A link to the next post one, two, three hexes away; `math.inf`: not so."""
    offshore: float = 0.9
    """That the last post stands beside the shore and not on it."""
    hurry: float = 0.0
    """Each turn of marching to a post."""
    late: float = 0.0
    """That nobody is in a post within a turn."""
    moved: float = 0.0
    """That nobody stands in a post yet."""
    faced: float = 0.0
    """Each enemy hex beside a post."""
    key: float = 0.0
    """What a hex takes off that the line should hold."""
    spared: float = 12.0
    """A post that nobody can man."""
    least: float = 0.1
    """No post is cheaper than this."""


class FrontWeights(msgspec.Struct, frozen=True):
    """What is thought of lines one behind the other, against an enemy who makes for some exits."""

    line: LineWeights = LineWeights()
    depth: int = 7
    """How far behind its foremost post a line may run."""
    backs: tuple[int, ...] = (0, 2, 4, 7, 10)
    """How much farther back than can be lines are thought of."""
    length: float = 0.5
    """Each post: the fewer, the more units are left to back them."""
    unmanned: float = 4.0
    """A post for which there is nobody."""
    turn: float = 0.3
    """Each turn of marching to a post."""
    too_late: float = 2.5
    """A post that the enemy gets to before its garrison, and 1 for each turn of that."""
    enemy_pace: int = 12
    """The hexes that the enemy is expected to go in a turn."""
    open: float = 0.5
    """The share of a leak that a line costs if it is open tonight."""
    leak: float = 16.0
    """A leak, if it had no length."""
    leak_hex: float = 0.5
    """What each hex of its length takes off that."""
    long_leak: float = 4.0
    """And the least of any."""
    walked_out: float = 20.0
    """An enemy in an exit."""
    leaker: float = 0.0
    """Each enemy stack but the first that can get out."""
    raided: int = 14
    """How near to an exit an enemy with a free way counts as a raider, in hexes."""
    raid: int = 5
    """So many hexes ahead of all others one enemy stack is a raid and no front."""


class AimWeights(msgspec.Struct, frozen=True):
    """How long a staff keeps to what it has set its mind on."""

    hopeless: float = 0.0
    """An aim that is worth no more is dropped."""
    loyalty: float = 1.0
    """By how much another aim must be worth more to be taken instead."""
    patience: int = 3
    """So many turns without getting worth more, and it counts as any other."""
    whim: float = 0.0
    """How far apart in worth two aims may be for the bot's own taste to decide between them."""


class MarchWeights(msgspec.Struct, frozen=True):
    """What counts against a hex on the way to a goal, in the points of the march."""

    step: float = 0.5
    """The least headway that is worth a move."""
    exposed: float = 2.0
    """To stop next to the enemy without business there."""


def changed(weights: W, values: Mapping[str, Any]) -> W:
    """The weights with other values, each by its path: for trials and for bots of other tastes.

    >>> changed(LineWeights(), {"loss": 0.5, "gaps": [0, 1]}).gaps
    (0.0, 1.0)
    """
    types = {field.name: field.type for field in msgspec.structs.fields(weights)}
    for path, value in values.items():
        name, _, rest = path.partition(".")
        if name not in types:
            raise ValueError(f"There is no weight {path!r} in {type(weights).__name__}.")
        if rest:
            value = changed(getattr(weights, name), {rest: value})
        fit = msgspec.convert(value, types[name])
        weights = msgspec.structs.replace(weights, **{name: fit})
    return weights
