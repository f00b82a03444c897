"""Draws maps as they might be printed: `draw(board)` gives SVG, `board.to_png` a picture of it."""

from .drawing import draw
from .page import RADIUS
from .pictures import small_png
from .sheet import LAYERS
from .themes import THEMES

__all__ = ["LAYERS", "RADIUS", "THEMES", "draw", "small_png"]
