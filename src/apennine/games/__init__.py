"""The games: one package each. Found by key, or by the path of a folder of your own."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from apennine.board import Board, make_map, read_map
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.game import Game, GameError
from apennine.kernel.pack import MAP, Pack, PackError, lay, read_packs

T = TypeVar("T")

Maker = Callable[..., Game[Any]]
"""The function `game(packs)` of a game's package."""


def keys() -> list[str]:
    """The keys of the games that can be played, in alphabetical order.

    >>> "crossing" in keys()
    True
    """
    folders = (Path(place) for place in __path__)
    return sorted(found.parts[-2] for folder in folders for found in folder.glob("*/game.py"))


def get(key: str, packs: Iterable[Pack | Path | str] = ()) -> Game[Any]:
    """The game with this key; or, if `key` is the path of a folder, the game in that folder.

    Packs, as such or by their folders, are laid over its data in the order given. A game's package
    has a function `game(packs)` that makes it.
    """
    return _get(key, read_packs(packs))


@cache
def _get(key: str, packs: tuple[Pack, ...]) -> Game[Any]:
    make = _maker(key)
    if not packs:
        return make()
    if not inspect.signature(make).parameters:
        raise GameError(f"{key} takes no packs: its function game() has no argument for them.")
    return _blaming(lambda laid: _checked(make(laid)), packs)


@cache
def _maker(key: str) -> Maker:
    if key in keys():
        return importlib.import_module(f"{__name__}.{key}").game
    if "/" in key or "\\" in key or Path(key).is_dir():
        return _from_folder(Path(key))
    raise GameError(f"There is no game {key!r}; there are {', '.join(keys())}.")


def _blaming(make: Callable[[tuple[Pack, ...]], T], packs: tuple[Pack, ...]) -> T:
    """What is made with packs; whatever is wrong with it is put down to one of them."""
    try:
        return make(packs)
    except PackError:
        raise
    except (ValueError, LookupError) as error:
        *others, last = packs
        if others:
            _blaming(make, tuple(others))  # if one of these is to blame, that one is named
        if isinstance(error, LookupError):
            reason = f"Pack {last.name}: the game cannot do without {error}."
            raise PackError(reason) from error
        reasons = [f"Pack {last.name}, {line}" for line in str(error).splitlines()]
        raise PackError(*reasons) from error


def _checked(game: Game[Any]) -> Game[Any]:
    """The game, unless it finds fault with a position in which one of its scenarios starts."""
    options = game.check_options({})
    for scenario in game.scenarios:
        for fault in game.check(game.setup(scenario.key, options)):
            raise DataError(f"scenario {scenario.key}: {fault.sentence}")
    return game


def maps() -> list[str]:
    """The keys of all maps that come with Apennine, also of games that cannot be played yet."""
    folders = (Path(place) for place in __path__)
    return sorted(found.parts[-3] for folder in folders for found in folder.glob("*/data/map.toml"))


def board(key: str, packs: Iterable[Pack | Path | str] = ()) -> Board:
    """The map with this key, or of the game in a folder of one's own, with packs laid over it."""
    return _board(key, read_packs(packs))


@cache
def _board(key: str, packs: tuple[Pack, ...]) -> Board:
    if key not in maps() or (packs and key in keys()):
        return _get(key, packs).board
    folders = (Path(place) / key / "data" for place in __path__)
    data = next(folder for folder in folders if (folder / MAP).is_file())
    return _blaming(partial(_corrected_map, key, data), packs) if packs else read_map(data / MAP)


def _corrected_map(key: str, data: Path, packs: tuple[Pack, ...]) -> Board:
    file = lay(packs, key, data).files.get(MAP) or DataFile.open(data / MAP)
    return make_map(file.data)


def _from_folder(folder: Path) -> Maker:
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
    return module.game
