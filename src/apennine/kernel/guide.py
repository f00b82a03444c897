"""A guided first game: hints that are told when their moment comes for the first time."""

from __future__ import annotations

from importlib.resources.abc import Traversable

import msgspec


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One hint: told once, when its phase or its verb is first asked of the player.

    Without phase and verb it is told at the very start. `side` limits it to one side.
    """

    title: str
    text: str
    rule: str = ""
    phase: str = ""
    verb: str = ""
    side: str = ""


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hints of a game, in the order in which a newcomer wants them."""

    hints: list[Hint]


class GuideError(ValueError):
    """A guide that cannot be read. One sentence."""


def read_guide(file: Traversable) -> list[Hint]:
    """The hints in a guide file; none if the game has no such file."""
    if not file.is_file():
        return []
    try:
        return msgspec.toml.decode(file.read_bytes(), type=Guide).hints
    except msgspec.DecodeError as error:
        raise GuideError(f"{file.name}: {error}.") from None
