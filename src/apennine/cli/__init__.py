"""The command line `apennine`.

Exit codes: 0, all went well; 1, a check failed; 2, the command was given something wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from apennine import __version__
from apennine.board import MapError
from apennine.cli import catalogue, keeping, odds, pack, play, replay, report, selfplay, serve
from apennine.cli.lab import lab
from apennine.hexes import HexError
from apennine.kernel.data import DataError
from apennine.kernel.dice import DiceError
from apennine.kernel.game import GameError
from apennine.kernel.ledger import LedgerError
from apennine.kernel.match import MatchError
from apennine.kernel.position import PositionError
from apennine.kernel.save import SaveError

MISTAKES = (
    DataError,
    DiceError,
    GameError,
    HexError,
    LedgerError,
    MapError,
    PositionError,
    SaveError,
)
"""What a command may be given wrong: each error is a sentence that says it all."""

app = typer.Typer(
    name="apennine",
    help="Play hex-and-counter wargames of the Italian front, rules enforced.",
    epilog="KEY is the key of a game, or the path of a folder with a game of your own.",
    add_completion=False,
)
for command in (
    play.play,
    catalogue.games,
    catalogue.rules,
    catalogue.map,
    selfplay.selfplay,
    odds.odds,
    replay.replay,
    report.report,
    pack.pack,
    serve.serve,
    keeping.prune,
    keeping.backup,
):
    app.command()(command)

app.add_typer(lab, name="lab")


def main(args: Sequence[str] | None = None) -> int:
    """Run one command, given as on the command line, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # an old terminal shows ? for what it lacks
    try:
        code: Any = app(args, prog_name="apennine", standalone_mode=False)
    except MISTAKES as error:
        return _complain(str(error))
    except MatchError as error:  # nobody's mistake but the rules'
        return _complain(str(error), code=1)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}." if error.filename else str(error))
    except typer.Abort:
        return 130
    except Exception as error:
        # The class of Typer's complaints about the command line differs between its versions.
        message: Callable[[], str] | None = getattr(error, "format_message", None)
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        path: str = context.command_path if context is not None else "apennine"
        return _complain(f"{message().removesuffix('.')}. See `{path} --help`.")
    return int(code or 0)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version of Apennine.")
    ] = False,
) -> None:
    """Play hex-and-counter wargames of the Italian front, rules enforced."""
    if version:
        typer.echo(f"apennine {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _complain(sentence: str, code: int = 2) -> int:
    typer.echo(sentence, err=True)
    return code
