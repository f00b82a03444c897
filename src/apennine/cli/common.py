"""What several commands share: their arguments, and how they print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from apennine.games import get
from apennine.kernel.game import Game, GameError
from apennine.kernel.save import Record

Key = Annotated[str, typer.Argument(metavar="KEY", help="A game: its key, or its folder.")]
Scenario = Annotated[
    str | None, typer.Option(metavar="S", help="The scenario; the game's first one if not given.")
]
Switches = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=on|off", help="An optional rule; may be repeated."),
]
Packs = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack", metavar="DIR", help="A folder of corrections to the game's data; may be repeated."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def read_switches(given: list[str] | None) -> dict[str, bool]:
    """The optional rules as they were typed."""
    switches: dict[str, bool] = {}
    for text in given or []:
        key, _, value = text.partition("=")
        if value not in ("on", "off"):
            raise GameError(f"--option {text!r} must read KEY=on or KEY=off.")
        switches[key] = value == "on"
    return switches


def game_of(record: Record, key: str | None, packs: Sequence[Path]) -> Game[Any]:
    """The game of a saved match; `key` says where it is if it is not one of ours."""
    game = get(record.header.game if key is None else key, packs)
    if game.key != record.header.game:
        raise GameError(f"{record.name} is a match of {record.header.game}, not of {game.key}.")
    return game


def console() -> Console:
    """Where text goes. No markup: a rule such as [C7] stays what it is."""
    return Console(markup=False, highlight=False, emoji=False)


def print_json(data: Any) -> None:
    """Data for other programs, on standard output and without any decoration."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def table(*columns: str) -> Table:
    """A table in the style of all our tables."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made
