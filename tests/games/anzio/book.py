"""The data files of Anzio, read as the game reads them."""

from importlib import resources

from apennine import games
from apennine.games.anzio.table import data
from apennine.games.anzio.table.book import read_book
from apennine.kernel.data import DataFile

BOARD = games.board("anzio")
DATA = resources.files(games) / "anzio" / "data"


def read(**changed: DataFile) -> data.Book:
    """The book, with some files in place of the game's."""
    names = ("units", "charts", "scenarios")
    files = [changed.get(name) or DataFile.open(DATA / f"{name}.toml") for name in names]
    return read_book(BOARD, *files)


BOOK = read()
UNITS = {unit.name: unit for unit in BOOK.units}


def factors(name: str) -> list[str]:
    """What the counters of a unit show, from full strength to the weakest."""
    return ["-".join(map(str, face)) for face in UNITS[name].faces]
