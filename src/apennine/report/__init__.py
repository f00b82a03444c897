"""After-action reports: the story of a match in prose, with a map a turn, losses and graphs.

>>> from apennine.games import get
>>> from apennine.kernel.match import Match
>>> html_report(Match(get("crossing"), seed="an example")).splitlines()[0]
'<!doctype html>'
"""

from __future__ import annotations

from typing import Any

from apennine.kernel.game import REFEREE, Outcome
from apennine.kernel.match import Match

from .book import compose
from .facts import Facts, gather
from .html import to_html
from .maps import Atlas
from .markdown import to_markdown

__all__ = ["Facts", "gather", "html_report", "markdown_report"]


def html_report(match: Match[Any], side: int = REFEREE, outcome: Outcome | None = None) -> str:
    """The report of a match as one page, as a side saw it (-1: a spectator).

    `outcome` is that of a match which ended off the table, by resignation.
    """
    facts = gather(match, side, outcome)
    atlas = Atlas(facts)
    return to_html(compose(facts, atlas), atlas)


def markdown_report(
    match: Match[Any], folder: str, side: int = REFEREE, outcome: Outcome | None = None
) -> tuple[str, dict[str, str]]:
    """The report as Markdown, and its pictures by the names of their files in `folder`."""
    facts = gather(match, side, outcome)
    atlas = Atlas(facts)
    return to_markdown(compose(facts, atlas), atlas, folder)
