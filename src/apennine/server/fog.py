"""Answers about a match that cannot tell one side what it may not know.

Rules that explain and overlays look at the whole position. For a game with secrets they are given
one that the asking side could not tell from the real one instead.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from random import Random
from typing import Any

from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match, Seat
from apennine.kernel.order import Refusal

_ANY = Choice(0, (), "", "")
_SECRET = secrets.token_bytes(32)


def has_secrets(game: Game[Any]) -> bool:
    """Whether a side of this game may not know something of the position."""
    return type(game).imagine is not Game[Any].imagine


def known_position(match: Match[Any], side: int) -> Any:
    """A position that this side (-1: a spectator) could not tell from the present one."""
    game = match.game
    if not has_secrets(game):
        return match.position
    base = match.checkpoint
    if any(
        type(entry) is Chosen and entry.secret and entry.side != side
        for entry in match.log[base.at :]
    ):
        # The answers since the checkpoint hold secrets: what was known then must do.
        return game.imagine(base.position, side, Random(_seed(match, side)), match.position)
    return Seat(match, _ANY._replace(side=side)).dream(_seed(match, side)).position


def _seed(match: Match[Any], side: int) -> int:
    """A seed that nobody can guess, since from a known one the truth could be reckoned back.

    The same as long as nothing happens, so that what is shown does not flicker.
    """
    told = blake2b(f"{side} {match.digest}".encode(), key=_SECRET, digest_size=7)
    return int.from_bytes(told.digest())


def why_not(match: Match[Any], option: Option) -> Refusal | None:
    """Why an option is not in the present menu, as far as the side that must choose may know."""
    if has_secrets(match.game):
        seat = match.seat()
        match = seat.dream(_seed(match, seat.side))
    return match.why_not(option)


def overlay(match: Match[Any], eyes: int, name: str, side: int, unit: int) -> int:
    """The hexes of an overlay about `side`, as far as the side `eyes` may know."""
    own = eyes == side and (unit < 0 or _is_own(match, eyes, unit))
    pos = match.position if own else known_position(match, eyes)
    return match.game.overlay(pos, name, side, unit)


def _is_own(match: Match[Any], side: int, unit: int) -> bool:
    name, owner = match.game.units[unit], match.game.sides[side]
    units: list[dict[str, Any]] = match.view(side)["units"]
    return any(seen.get("name") == name and seen.get("side") == owner for seen in units)
