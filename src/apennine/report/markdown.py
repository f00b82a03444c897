"""A report as Markdown. Its pictures are files of their own: every reader shows those."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .document import Block, Grid, Heading, Listing, Paragraph, Picture
from .maps import Atlas


def to_markdown(blocks: Iterable[Block], atlas: Atlas, folder: str) -> tuple[str, dict[str, str]]:
    """The text, and the pictures by the names of their files in the folder."""
    lines: list[str] = []
    pictures: dict[str, str] = {}
    for block in blocks:
        if isinstance(block, Picture):
            svg = atlas.alone(block.svg, block.caption) if block.is_map else block.svg
            pictures[f"{block.name}.svg"] = svg
            lines.append(f"![{_plain(block.caption)}](<{folder}/{block.name}.svg>)")
        else:
            lines += _block(block)
        lines.append("")
    return "\n".join(lines).rstrip() + "\n", pictures


def _block(block: Heading | Paragraph | Listing | Grid) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f"{'#' * level} {_plain(text)}"
        case Paragraph(text, title):
            yield (f"**{_plain(title)}** " if title else "") + _plain(text)
        case Listing(items):
            for title, text in items:
                yield f"- **{_plain(title)}.** {_plain(text)}"
        case Grid(title, columns, rows):
            yield f"**{_plain(title)}**"
            yield ""
            yield f"| {' | '.join(map(_plain, columns))} |"
            yield f"|{'---|' * len(columns)}"
            for row in rows:
                yield f"| {' | '.join(map(_plain, row))} |"


def _plain(text: str) -> str:
    """Text in which nothing is taken for a sign of Markdown."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return text
