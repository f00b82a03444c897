"""The command `pack`: check a pack, and list what it changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from apennine.cli.common import AsJson, console, print_json
from apennine.games import get
from apennine.kernel.charts import Chart
from apennine.kernel.laying import Change
from apennine.kernel.pack import read_packs


def pack(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of packs, laid in this order.")
    ],
    game: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Their game, if it is one of your own: its folder."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check packs against their game, and list every value that they change."""
    packs = read_packs(folders)
    laid = get(game or packs[0].game, packs)
    if as_json:
        print_json([change._asdict() for change in laid.corrections])
        return
    out = console()
    for one in packs:
        own = [change for change in laid.corrections if change.pack == one.name]
        out.print(Text.assemble((one.name, "bold"), f": {one.title}, for {one.game}."))
        for file in dict.fromkeys(change.file for change in own):
            out.print(Text(file, "bold"))
            for change in own:
                if change.file == file:
                    out.print(f"  {_line(change)}", soft_wrap=True)
        out.print(_count(own))
    for chart in laid.charts:
        if chart.reconstructed and _is_corrected(chart, laid.corrections):
            out.print(
                f"{chart.title} still says that it is reconstructed: "
                "give the table a source when all its numbers are the printed ones.",
                soft_wrap=True,
            )


def _line(change: Change) -> str:
    """A change in one line, with values much as a data file writes them."""
    if change.now is None:
        return f"{change.key}: removed"
    if change.was is None:
        return f"{change.key}: added, {_text(change.now)}"
    return f"{change.key}: {_text(change.was)} -> {_text(change.now)}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _count(changes: list[Change]) -> str:
    added = sum(change.was is None for change in changes)
    removed = sum(change.now is None for change in changes)
    changed = len(changes) - added - removed
    return f"It fits: {changed} changed, {added} added, {removed} removed."


def _is_corrected(chart: Chart, changes: Sequence[Change]) -> bool:
    """Whether a pack has changed a value of the table that a chart shows."""
    table = chart.key.split()[0]
    keys = [change.key for change in changes if change.file == "charts.toml"]
    return any(f"{key}.".startswith(f"{table}.") for key in keys)
