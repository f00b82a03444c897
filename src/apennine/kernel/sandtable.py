"""The sand table of a game: an attack put together from nothing, and what it would come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from apennine.kernel.game import Preview

NONE: Mapping[str, int] = MappingProxyType({})


class Knob(NamedTuple):
    """Something that may be set: a strength, a count, or a reason that holds or does not."""

    key: str
    title: str
    group: str
    """The heading that it stands under."""
    most: int = 1
    least: int = 0
    usual: int = 0
    rule: str = ""
    tries: tuple[int, ...] = (-1, 1)
    """By how much more or less is tried, to tell what it would change."""


class Troop(NamedTuple):
    """A unit that may be put on the table: what it adds, by knob, on either side of an attack."""

    name: str
    side: int
    attacking: Mapping[str, int] = NONE
    defending: Mapping[str, int] = NONE


class SandTable(NamedTuple):
    """What may be set, who may be put there, and the chances of what is there; all of the war."""

    knobs: Callable[[Any], Sequence[Knob]]
    troops: Callable[[Any], Sequence[Troop]]
    look: Callable[[Any, Mapping[str, Any]], Preview]
    """What the attack comes to, given a number for every knob."""
    shifted: Callable[[Any, str, int], Preview] | None = None
    """What stands so many columns beside another one, given by its label, if it has columns."""
    note: str = ""
    """What it leaves aside."""
