"""The command `replay`: read a saved match, or play it again and check every step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from apennine.cli.common import Packs, console, game_of
from apennine.cli.screen import (
    outcome_line,
    prompt_line,
    roll_line,
    story_lines,
    styled_entry,
)
from apennine.kernel import save
from apennine.kernel.decision import Choice
from apennine.kernel.dice import SeededDice
from apennine.kernel.game import REFEREE, Game
from apennine.kernel.log import Entry
from apennine.kernel.match import Match
from apennine.kernel.story import Teller


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")],
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Play it from the start and check every choice and all dice."
        ),
    ] = False,
    game: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Where its game is, if it is one of your own: a folder."),
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Show every choice, die and event, with its rule.")
    ] = False,
    pack: Packs = None,
) -> None:
    """Show the story of a saved match; or verify it, with exit code 1 if anything differs."""
    record = save.read(file)
    rules = game_of(record, game, pack or ())
    if verify:
        _verify(record, rules)
    elif record.header.seen_by:
        _show_account(record, rules)
    else:
        _show(record, save.open_record(record, rules), unfolded=steps)


def _show_head(record: save.Record, game: Game[Any]) -> None:
    out, header = console(), record.header
    out.print(Text(f"{game.title}, {header.scenario}", "bold"))
    switches = [key for key, on in header.options.items() if on]
    out.print(f"Optional rules: {', '.join(switches) if switches else 'none'}.")
    if game.packs:
        out.print(f"Packs: {', '.join(pack.name for pack in game.packs)}.")
    out.print(f"Saved by version {record.header.apennine}.")
    typer.echo(f"{_dice(record)}.")


def _show_log(log: Sequence[Entry], game: Game[Any]) -> None:
    width = len(str(len(log)))
    for number, entry in enumerate(log, start=1):
        console().print(Text.assemble((f"{number:>{width}}  ", "dim"), styled_entry(game, entry)))


def _show_account(record: save.Record, game: Game[Any]) -> None:
    """What one side saw of a match."""
    _show_head(record, game)
    console().print(f"This is what {record.header.seen_by} saw.")
    _show_log(save.entries_of(record, game), game)
    ending = save.ending_of(record, game)
    reason = ending.reason if ending else record.footer.outcome
    console().print(reason or "The game was not over.")


def _show(record: save.Record, match: Match[Any], *, unfolded: bool) -> None:
    out, game = console(), match.game
    _show_head(record, game)
    for note in match.notes:
        out.print(Text(note, "yellow"))
    entries = match.log[:] if unfolded else None
    for line in story_lines(game, Teller(match, REFEREE), 0, entries):
        out.print(line)
    outcome = match.outcome or save.ending_of(record, game)
    if outcome is not None:
        out.print(outcome_line(game, outcome))
    elif isinstance(match.decision, Choice):
        asked = match.decision
        out.print(prompt_line(game, asked.side, asked.prompt, asked.rule))
    elif match.decision is not None:
        out.print(roll_line(match.decision))


def _dice(record: save.Record) -> str:
    if record.header.dice == "hand":
        return "The dice were thrown by hand"
    return f"The dice were committed to as {record.header.commitment}"


def _verify(record: save.Record, game: Game[Any]) -> None:
    differences: list[str] = []
    header = record.header
    if header.seed and SeededDice(bytes.fromhex(header.seed)).commitment != header.commitment:
        differences.append("The seed of the dice is not the one that was committed to.")
    replayed = save.replay(record, game)
    if replayed.divergence is not None:
        differences.append(replayed.divergence)
    for note in save.changes_since(record, game):
        typer.echo(note, err=True)
    for difference in differences:
        typer.echo(difference)
    if differences:
        raise typer.Exit(1)
    typer.echo(f"{record.name}: all {replayed.checked} entries came out as recorded.")
    ending = save.ending_of(record, game)
    if ending is not None:
        typer.echo(f"Then the players ended the match: {ending.reason}")
    typer.echo(f"{_dice(record)}{'' if header.dice == 'hand' else ', and they are its dice'}.")
