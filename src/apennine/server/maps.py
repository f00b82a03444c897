"""Drawn maps for clients: the drawing, its style sheet, where its hexes lie, a small one.

A drawing takes seconds for a large map, so it is made once, in a worker, and kept in a folder.
"""

from __future__ import annotations

import re
from hashlib import sha256
from html import unescape
from importlib import resources
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import msgspec

from apennine import __version__
from apennine.board import Board
from apennine.foundry.draw import draw
from apennine.foundry.draw.page import Page
from apennine.kernel.charts import RECONSTRUCTED
from apennine.kernel.game import Game
from apennine.server.books import BoardInfo, BoxInfo, HexInfo
from apennine.server.catalogue import Source
from apennine.server.packed import pack

_STYLE = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_VIEW = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
_BOX = re.compile(r'data-box="([^"]*)"><rect class="box"([^>]*)/>')
_NUMBER = re.compile(r'(\w+)="(-?[\d.]+)"')
_SMALL = ("sea", "terrain", "rivers", "water", "roads", "lines", "places")


class Drawn(NamedTuple):
    """A map as it is served: each part packed."""

    svg: bytes
    """Without a style of its own: the content security policy wants that apart."""
    css: bytes
    thumbnail: bytes
    """A picture by itself, with its style in it."""
    board: bytes
    """Where things lie, as JSON."""


def version(game: Game[Any]) -> str:
    """A fingerprint of a map and of the code that draws it."""
    digest = sha256(f"{__version__} {game.key} {game.data_digest}".encode())
    code = resources.files("apennine.foundry") / "draw"
    for file in sorted(code.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:16]


def kept(source: Source, folder: str) -> Drawn | None:
    """The map of a game from the folder of drawn maps; None if it is not there."""
    file = _file(source.game(), folder)
    return msgspec.msgpack.decode(file.read_bytes(), type=Drawn) if file.is_file() else None


def drawn(source: Source, folder: str) -> Drawn:
    """The map of a game, drawn now and kept in the folder of drawn maps. Runs in a worker."""
    game = source.game()
    made = _draw(game)
    place = _file(game, folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and moved there: another process may read it at any moment.
    with NamedTemporaryFile(dir=place.parent, delete=False) as file:
        file.write(msgspec.msgpack.encode(made))
    Path(file.name).replace(place)
    return made


def _file(game: Game[Any], folder: str) -> Path:
    return Path(folder) / "maps" / f"{game.key}-{version(game)}.msgpack"


def _draw(game: Game[Any]) -> Drawn:
    svg = draw(game.board)
    found = _STYLE.search(svg)
    css = found[1] if found else ""
    small = draw(game.board, codes=False, legend=False, relief=False, layers=_SMALL, size=6)
    info = msgspec.json.encode(_info(game, svg))
    bare = _STYLE.sub("", svg, count=1)
    return Drawn(*map(pack, (bare.encode(), unescape(css).encode(), small.encode(), info)))


def _info(game: Game[Any], svg: str) -> BoardInfo:
    board, page = game.board, Page(game.board)
    view = _VIEW.search(svg)
    assert view is not None
    left, top, width, height = map(float, view.groups())
    some = next(iter(board.lattice))
    x, y = page.centre(some)
    corners = [(round(cx - x, 2), round(cy - y, 2)) for cx, cy in page.outline(some)]
    return BoardInfo(
        left=left,
        top=top,
        width=width,
        height=height,
        corners=corners,
        hexes={board.code(hex): _hex(board, page, hex) for hex in board.lattice},
        boxes=_boxes(board, svg),
        overlays=list(game.overlays),
        reconstructed=[
            f"{name}: {source}"
            for name, source in board.sources.items()
            if source.kind == RECONSTRUCTED
        ],
    )


def _hex(board: Board, page: Page, hex: int) -> HexInfo:
    x, y = page.centre(hex)
    names = [place.name for place in board.places_at(hex)]
    return HexInfo(hex, round(x, 2), round(y, 2), board.terrain_of(hex), ", ".join(names))


def _boxes(board: Board, svg: str) -> list[BoxInfo]:
    """The boxes that the drawing shows."""
    found: list[BoxInfo] = []
    for name, shape in _BOX.findall(svg):
        box = board.box(unescape(name))
        at = {key: float(value) for key, value in _NUMBER.findall(shape)}
        x, y, width, height = (at[key] for key in ("x", "y", "width", "height"))
        found.append(BoxInfo(box.name, box.title, box.location, x, y, width, height))
    return found
