"""The games that a server has: each as it comes, and once more with the packs laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from apennine import games
from apennine.kernel.game import Game
from apennine.kernel.pack import Pack, PackError, read_packs


class Source(NamedTuple):
    """Where a game is found, and the packs that are laid over it: small, and can be sent about.

    Packs are read once, when the server starts: matches under way do not change with the folder.
    """

    place: str
    """A key, or the folder of a game of one's own."""
    packs: tuple[Pack, ...] = ()

    def game(self) -> Game[Any]:
        """The game itself, made once in each process."""
        return games.get(self.place, self.packs)


def name_of(key: str, packs: Iterable[str] = ()) -> str:
    """What a server calls a game with these packs: it is kept with matches and stands in addresses.

    >>> name_of("italy1944", ["first-edition"])
    'italy1944+first-edition'
    """
    return "+".join((key, *packs))


def read_catalogue(places: Sequence[str], folders: Iterable[str]) -> dict[str, Source]:
    """By its name, every game in these places; then those for which there are packs, with them.

    Raises `PackError` if a pack does not fit, or is for a game that is not there.
    """
    sources = {games.get(place).key: Source(place) for place in places}
    packs = read_packs(folders)
    for pack in packs:
        if pack.game not in sources:
            served = ", ".join(sources)
            raise PackError(f"Pack {pack.name} is for {pack.game}; the games here are {served}.")
    for key, source in list(sources.items()):
        laid = tuple(pack for pack in packs if pack.game == key)
        if laid:
            corrected = Source(source.place, laid)
            corrected.game()  # a mistake is told now, not to the first who plays
            sources[name_of(key, (pack.name for pack in laid))] = corrected
    return sources
