"""The games: one package each. Found by key, or by the path of a folder of your own."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

from apennine.board import Board, read_map
from apennine.kernel.game import Game, GameError


def keys() -> list[str]:
    """The keys of the games that come with Apennine, in alphabetical order.

    >>> "crossing" in keys()
    True
    """
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


@cache
def get(key: str) -> Game[Any]:
    """The game with this key; or, if `key` is the path of a folder, the game in that folder.

    A game's package has a function `game()` that makes it.
    """
    if key in keys():
        return importlib.import_module(f"{__name__}.{key}").game()
    if "/" in key or "\\" in key or Path(key).is_dir():
        return _from_folder(Path(key))
    raise GameError(f"There is no game {key!r}; there are {', '.join(keys())}.")


def maps() -> list[str]:
    """The keys of all maps that come with Apennine, also of games that cannot be played yet."""
    folders = (Path(place) for place in __path__)
    return sorted(found.parts[-3] for folder in folders for found in folder.glob("*/data/map.toml"))


@cache
def board(key: str) -> Board:
    """The map with this key, or of the game in a folder of one's own."""
    if key in maps():
        found = (Path(place) / key / "data" / "map.toml" for place in __path__)
        return read_map(next(file for file in found if file.is_file()))
    return get(key).board


def _from_folder(folder: Path) -> Game[Any]:
    start = folder / "__init__.py"
    if not start.is_file():
        raise GameError(f"{folder} is not the folder of a game: it has no __init__.py.")
    name = folder.resolve().name
    places = [str(folder.resolve())]
    spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise GameError(f"{folder} cannot be loaded as a Python package.")
    for loaded in [known for known in sys.modules if f"{known}.".startswith(f"{name}.")]:
        del sys.modules[loaded]  # of another folder with the same name
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, "game"):
        raise GameError(f"{start} has no function game() that makes the game.")
    made: Game[Any] = module.game()
    return made
