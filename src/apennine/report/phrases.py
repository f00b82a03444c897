"""Names, numbers and places in running text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from apennine.hexes import bits
from apennine.kernel.game import Game
from apennine.kernel.words import place_name, unit_name
from apennine.mechanics.phrases import listed, spelt

NEAR = 3
"""A hex without a town is told by the nearest one that is not farther than this."""
MOST = 6
"""So many names are given one by one; of more, the first ones and a number."""


def many(count: int, thing: str) -> str:
    """So many of something.

    >>> many(1, "step"), many(0, "unit"), many(20, "hex")
    ('one step', 'no units', '20 hexes')
    """
    plural = f"{thing}es" if thing.endswith("x") else f"{thing}s"
    return f"{spelt(count)} {thing if count == 1 else plural}"


def series(names: Sequence[str], most: int = MOST, rest: str = "more") -> str:
    """Names in a row, as one says them.

    >>> series(["1 AD", "US 3", "SSF"]), series(list("abcdefghi"))
    ('1 AD, US 3 and SSF', 'a, b, c, d, e and four more')
    """
    if len(names) > most:
        names = [*names[: most - 1], f"{spelt(len(names) - most + 1)} {rest}"]
    return listed(names)


def units(game: Game[Any], numbers: Iterable[int], most: int = MOST) -> str:
    """Units by their names."""
    return series([unit_name(game, unit) for unit in numbers], most)


def town(game: Game[Any], hex: int) -> str:
    """The name of the town in a hex; "" if there is none."""
    board = game.board
    if board.is_box(hex):
        return ""
    return next((place.name for place in board.places_at(hex)), "")


def spot(game: Game[Any], hex: int) -> str:
    """Where something is: "Cassino (2419)", "3018 near Sulmona", or the number alone."""
    board = game.board
    if board.is_box(hex):
        return place_name(game, hex)
    name, code = town(game, hex), board.code(hex)
    if name:
        return f"{name} ({code})"
    close = _nearest(game, hex)
    return f"{code} near {close}" if close else code


def _nearest(game: Game[Any], hex: int) -> str:
    far = game.board.lattice.distance
    towns = (
        (far(hex, at), place.name)
        for place in game.board.places.values()
        for at in bits(place.hexes)
    )
    distance, name = min(towns, default=(NEAR + 1, ""))
    return name if distance <= NEAR else ""


def sentence(text: str) -> str:
    """With a capital letter and a full stop.

    >>> sentence("they held"), sentence("Did they?")
    ('They held.', 'Did they?')
    """
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
