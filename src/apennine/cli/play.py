"""The command `play`: a match in the terminal, both sides or one against a bot."""

from __future__ import annotations

import secrets
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from apennine.bots import SECONDS, Bot
from apennine.cli.common import Packs, Scenario, Switches, console, game_of, read_switches
from apennine.cli.session import Session
from apennine.games import get
from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from apennine.kernel.save import open_record, read
from apennine.lab import BOTS, make_bot


def play(
    key: Annotated[
        str | None,
        typer.Argument(metavar="KEY", help="A game: its key, or its folder; else crossing."),
    ] = None,
    scenario: Scenario = None,
    option: Switches = None,
    pack: Packs = None,
    seed: Annotated[
        str | None, typer.Option(metavar="K", help="The same seed gives the same dice.")
    ] = None,
    versus: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="BOT",
            help=f"Play against a bot: {', '.join(BOTS)}, or one of the game's own: "
            "easy, staff (normal), hard (not for every game).",
        ),
    ] = None,
    think: Annotated[
        float, typer.Option(metavar="S", min=0.1, help="Seconds that hard thinks before a turn.")
    ] = SECONDS,
    as_side: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SIDE",
            help="The side that you play against the bot.",
        ),
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved match.")
    ] = None,
    dice_by_hand: Annotated[
        bool, typer.Option("--dice-by-hand", help="Throw the dice on your table and type them.")
    ] = False,
) -> None:
    """Play in the terminal: both sides, or one against a bot."""
    if load is not None:
        if scenario or option or seed or dice_by_hand:
            raise GameError("--load goes on with a match as it was begun: leave its options away.")
        record = read(load)
        match = open_record(record, game_of(record, key, pack or ()))
    else:
        game, switches = get(key or "crossing", pack or ()), read_switches(option)
        match = Match(game, scenario, switches, seed=seed, dice_by_hand=dice_by_hand)
    sides = range(len(match.game.sides))
    bots: dict[int, Bot] = {}
    if versus is not None or as_side is not None:
        own = 0 if as_side is None else match.game.side(as_side)
        # With a seed, the bots are part of what it repeats.
        random = Random(secrets.randbits(64) if seed is None else seed)
        for side in sides:
            bot = make_bot(versus or "greedy", random.getrandbits(30), match.game, think)
            if side != own:
                bots[side] = bot
    Session(match, bots, console(), file=load).run()
