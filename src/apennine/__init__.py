"""Apennine plays hex-and-counter wargames of the Italian front, rules enforced.

>>> import apennine
>>> from apennine.bots import RandomBot
>>> match, bot = apennine.new("crossing", seed=7), RandomBot(seed=1)
>>> while match.decision:
...     match.choose(bot(match.seat()))
>>> match.outcome.winner in (0, 1)
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apennine.release import __version__

if TYPE_CHECKING:
    from apennine.kernel.match import Match
    from apennine.kernel.pack import Pack

__all__ = ["__version__", "load", "new"]


def new(
    game: str,
    scenario: str | None = None,
    options: Mapping[str, bool] | None = None,
    *,
    seed: int | str | bytes | None = None,
    dice_by_hand: bool = False,
    packs: Iterable[Pack | Path | str] = (),
) -> Match[Any]:
    """Start a match of a game, given by its key or by the path of its folder.

    `packs` are folders of corrections, laid over the game's data in this order.
    """
    from apennine.games import get
    from apennine.kernel.match import Match

    return Match(get(game, packs), scenario, options, seed=seed, dice_by_hand=dice_by_hand)


def load(path: str | Path, packs: Iterable[Pack | Path | str] = ()) -> Match[Any]:
    """Open a saved match, with the packs that it was played with.

    Its `notes` say if it could not be opened quite as it was.
    """
    from apennine.games import get
    from apennine.kernel.save import open_record, read

    record = read(path)
    return open_record(record, get(record.header.game, packs))
