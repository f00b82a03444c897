"""The command `selfplay`: bots against bots, and what came of it."""

from __future__ import annotations

import os
import secrets
from time import perf_counter
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apennine.cli.common import (
    AsJson,
    Key,
    Packs,
    Scenario,
    Switches,
    console,
    print_json,
    read_switches,
    table,
)
from apennine.lab import BOTS, Series, Summary, run, summarise


def selfplay(
    key: Key,
    scenario: Scenario = None,
    option: Switches = None,
    pack: Packs = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help=f"A bot for each side, or one for all: {', '.join(BOTS)}, or the game's own.",
        ),
    ] = "random",
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many games to play.")] = 10,
    seed: Annotated[
        str | None,
        typer.Option(metavar="K", help="The same seed gives the same games, whatever the jobs."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="J", min=0, help="Processes to play in; 0: one a processor.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Let bots play against each other, and count wins, reasons and speed."""
    series = Series(
        key=key,
        scenario=scenario,
        options=read_switches(option),
        bots=tuple(name.strip() for name in bots.split(",")),
        games=games,
        seed=secrets.token_hex(4) if seed is None else seed,
        packs=tuple(pack or ()),
    ).checked()
    start = perf_counter()
    with _progress() as progress:
        played = progress.track(
            run(series, jobs or os.cpu_count() or 1), total=games, description=series.key
        )
        results = list(played)
    summary = summarise(series, results, perf_counter() - start)
    if as_json:
        print_json(msgspec.to_builtins(summary))
    else:
        _show(summary)


def _progress() -> Progress:
    """A bar on the screen that leaves no trace, in a file or a pipe least of all."""
    screen = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )


def _show(summary: Summary) -> None:
    out = console()
    out.print(
        f"{summary.key}, {summary.scenario}: {summary.games} games by "
        f"{' and '.join(summary.bots)}, seed {summary.seed}"
    )
    results = table("winner", "games", "share", "reason")
    for column in (1, 2):
        results.columns[column].justify = "right"
    for name, reasons in summary.reasons.items():
        for reason, count in reasons.items():
            results.add_row(name, str(count), f"{count / summary.games:.1%}", reason)
    out.print(results)
    out.print(
        f"{summary.decisions} decisions in {summary.seconds:.2f} s, "
        f"{summary.decisions_per_second:,.0f} a second; "
        f"a game takes {summary.mean_length:.1f} on average."
    )
