"""Where a match came from, if somebody uploaded it: told to everybody who comes to it."""

from __future__ import annotations

from typing import Any

import msgspec

from apennine.kernel import save
from apennine.kernel.game import Game


class Upload(msgspec.Struct, frozen=True):
    """A save that somebody made a match of."""

    by: str
    """His name, as he gave it."""
    sides: list[str]
    """The sides that he plays."""
    played: bool
    """Whether anything had been done in it."""
    own_start: bool
    """Whether it did not begin with the position of its scenario."""
    sound: bool
    """Whether all that it tells follows from its start by the rules."""


def find_fault(record: save.Record, game: Game[Any]) -> str:
    """Play all that a save tells from its start; the first difference, or nothing."""
    try:
        return save.replay(record, game).divergence or ""
    except Exception as error:  # made-up positions can break the rules in any way
        return f"{type(error).__name__}: {error}."


def tell(upload: Upload) -> str:
    """What everybody is told who comes to such a match."""
    sides = " and ".join(upload.sides)
    who = upload.by or (f"Who plays {sides}" if sides else "Somebody")
    if upload.by and sides:
        who = f"{upload.by} ({sides})"
    told = [f"{who} made this match from a save."]
    # Nothing is said of how much or what: that may be some side's secret.
    if not upload.sound:
        told.append("What happened before does not follow by the rules.")
    elif upload.played:
        told.append(
            "What happened before was played again here and follows by the rules, but its dice "
            "were not thrown here."
        )
    if upload.own_start:
        told.append("It began with a position of its own, which nobody has checked.")
    return " ".join(told)
