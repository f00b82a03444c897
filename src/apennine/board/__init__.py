"""Maps: read from files that people can read and correct, checked, and drawn.

>>> board = parse_map('''
... format = 1
... title = "Ponte"
... sources.own = { kind = "design", text = "an example" }
...
... [lattice]
... source = "own"
... kind = "rows"
... code = "RRCC"
... shifted = "even"
... columns = [1, 3]
... rows = [1, 2]
...
... [terrain]
... source = "own"
... legend = { c = "clear", m = "mountain" }
... grid = \"\"\"
... 1  c c m
... 2   c m m
... \"\"\"
...
... [sides.river]
... source = "own"
... courses = ["Rio: 0101/0102,0201"]
... ''')
>>> board.terrain_of(board.parse("0103"))
'mountain'
>>> print(draw_text(board))
Ponte
<BLANKLINE>
0101  c c m  0103
0201   c m m  0203
<BLANKLINE>
c clear   m mountain
<BLANKLINE>
"""

from .grids import grid_rows
from .mapfile import make_map, parse_map, read_map
from .mistakes import MapError, Mistake
from .model import (
    Board,
    Box,
    Bridges,
    Course,
    Line,
    Place,
    Run,
    Source,
    SourceKind,
    Supply,
    Through,
)
from .svg import draw_svg, to_png
from .text import draw_text

__all__ = [
    "Board",
    "Box",
    "Bridges",
    "Course",
    "Line",
    "MapError",
    "Mistake",
    "Place",
    "Run",
    "Source",
    "SourceKind",
    "Supply",
    "Through",
    "draw_svg",
    "draw_text",
    "grid_rows",
    "make_map",
    "parse_map",
    "read_map",
    "to_png",
]
