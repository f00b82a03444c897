"""What a report is made of, whichever way it is written down: headings, paragraphs, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Heading(NamedTuple):
    """A heading; level 1 is the title of the report."""

    level: int
    text: str


class Paragraph(NamedTuple):
    """A few sentences. What stands out comes before the rest, as a title within the line."""

    text: str
    title: str = ""


class Listing(NamedTuple):
    """Lines that stand below each other; each may begin with a title."""

    items: Sequence[tuple[str, str]]


class Grid(NamedTuple):
    """A table: its title, the names of its columns, its rows."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Picture(NamedTuple):
    """A drawing: the name of its file, the SVG, what it shows.

    A map shares its ground with the other maps of the report, so `svg` is only what lies on it.
    """

    name: str
    caption: str
    svg: str
    is_map: bool = False


Block = Heading | Paragraph | Listing | Grid | Picture
