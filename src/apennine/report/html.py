"""A report as one page of HTML that needs nothing else: no scripts, no files beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from .document import Block, Grid, Heading, Listing, Paragraph, Picture
from .maps import Atlas

STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #f3ecdc; color: #1e1a14;
  font: 1.05rem/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.2rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { margin: 2.6rem 0 .6rem; padding-top: .8rem; border-top: 2px solid #b9ab8c; }
h3 { margin: 1.4rem 0 .3rem; font-size: 1.1rem; }
p, li { max-width: 46rem; }
nav ul, .plain { list-style: none; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
a { color: #17457a; }
figure { margin: 1rem 0; }
figure svg { width: 100%; height: auto; display: block; border: 1px solid #b9ab8c; }
figcaption { font-size: .88rem; color: #4d4636; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0 1.4rem; }
caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #cfc3a8;
  vertical-align: top; }
@media print { body { background: #fff; } figure { break-inside: avoid; } }
"""


def to_html(blocks: Iterable[Block], atlas: Atlas) -> str:
    """The whole page."""
    made = list(blocks)
    title = next(block.text for block in made if isinstance(block, Heading))
    chapters = [block.text for block in made if isinstance(block, Heading) and block.level == 2]
    body = "\n".join(line for block in made for line in _block(block, atlas, chapters))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{atlas.ground}\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block, atlas: Atlas, chapters: list[str]) -> Iterator[str]:
    match block:
        case Heading(1, text):
            yield f"<h1>{escape(text)}</h1>"
            links = (
                f'<li><a href="#c{k}">{escape(name)}</a></li>' for k, name in enumerate(chapters)
            )
            yield f'<nav aria-label="Chapters"><ul>{"".join(links)}</ul></nav>'
        case Heading(2, text):
            yield f'<h2 id="c{chapters.index(text)}">{escape(text)}</h2>'
        case Heading(level, text):
            yield f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, title):
            strong = f"<strong>{escape(title)}</strong> " if title else ""
            yield f"<p>{strong}{escape(text)}</p>"
        case Listing(items):
            lines = (f"<li><strong>{escape(t)}.</strong> {escape(text)}</li>" for t, text in items)
            yield f'<ul class="plain">{"".join(lines)}</ul>'
        case Grid(title, columns, rows):
            head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
            body = "".join(
                f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
            )
            region = f'class="table" tabindex="0" role="region" aria-label="{escape(title)}"'
            yield (
                f"<div {region}><table>"
                f"<caption>{escape(title)}</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{body}</tbody></table></div>"
            )
        case Picture(_, caption, svg, is_map):
            drawn = atlas.in_page(svg, caption) if is_map else svg
            yield f"<figure>{drawn}<figcaption>{escape(caption)}.</figcaption></figure>"
