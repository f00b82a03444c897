"""Golden playthroughs and tables of menu counts: `python -m tests.contracts.golden` rewrites them.

Both are read by people: the difference that a change makes to them says what it changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apennine.kernel.decision import Choice, Event
from apennine.kernel.game import Game
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.kernel.words import describe_entry
from tests.contracts.playthroughs import REGISTERED, EagerBot, load

FOLDER = Path(__file__).parent.parent / "golden"
MODULES = [*REGISTERED, "tests.torture"]
MEANT = "If this change is meant, `make golden` rewrites the file."

SEED = 1944
MOST_DECISIONS = 3000
TABLE_SEEDS = (1, 2, 3)
EVERY = 4
"""Of the checkpoints of a game, each fourth is a line of the table."""
MOST_LINES = 40
SMALL = 60
"""Menus up to this length are counted to depth 2."""


def play(game: Game[Any], seed: int) -> Iterator[Match[Any]]:
    """One match, at each of its decisions and at its end."""
    match, bot = Match(game, seed=seed), EagerBot(seed)
    for _ in range(MOST_DECISIONS):
        yield match
        if not isinstance(match.decision, Choice):
            return
        match.choose(bot(match.seat()))


def story(game: Game[Any]) -> str:
    """A whole game in words: choices with the length of their menus, dice, events, rules."""
    lines = [f"{game.title}, {Match(game, seed=SEED).scenario}, seed {SEED}"]
    told, asked, where = 0, None, None
    for match in play(game, SEED):
        for number, entry in enumerate(match.log[told:], told + 1):
            text = describe_entry(game, entry)
            if type(entry) is Chosen and not entry.automatic:
                text += f" of {asked}"
            mark = " *" if type(entry) is Event else "  "
            lines.append(f"{number:5}{mark} {text}{' (automatic)' if is_automatic(entry) else ''}")
        told = len(match.log)
        if isinstance(match.decision, Choice):
            asked, pos = len(match.decision.options), match.position
            if where != (where := (pos.turn, pos.phase, pos.side)):
                lines += ["", f"Turn {pos.turn}, {pos.phase}, {game.sides[pos.side]}"]
        elif match.outcome:
            winner = game.sides[match.outcome.winner] if match.outcome.winner >= 0 else "Nobody"
            lines += ["", f"{winner} wins: {match.outcome.reason} [{match.outcome.rule}]"]
    return "\n".join(lines) + "\n"


def is_automatic(entry: Any) -> bool:
    return type(entry) is Chosen and entry.automatic


def menus(game: Game[Any]) -> str:
    """A line for each checkpoint: how long its menu is, by verb, and how long the next ones are."""
    rows = ["seed\tentry\tturn\tphase\tside\toptions\tdepth 2\tby verb"]
    for seed in TABLE_SEEDS:
        checkpoints = 0
        for match in play(game, seed):
            decision, pos = match.decision, match.position
            if not isinstance(decision, Choice) or not decision.checkpoint:
                continue
            checkpoints += 1
            if checkpoints > EVERY * MOST_LINES:
                break
            if checkpoints % EVERY == 1:
                verbs = Counter(option.verb for option in decision.options)
                row = [
                    seed,
                    len(match.log),
                    pos.turn,
                    pos.phase,
                    game.sides[decision.side],
                    len(decision.options),
                    leaves(match),
                    ", ".join(f"{verb} {count}" for verb, count in sorted(verbs.items())),
                ]
                rows.append("\t".join(map(str, row)))
    return "\n".join(rows) + "\n"


def leaves(match: Match[Any]) -> int | str:
    """The options of all decisions that this one leads to; the end of the game counts as one."""
    assert isinstance(match.decision, Choice)
    if len(match.decision.options) > SMALL:
        return "-"
    count = 0
    for option in match.decision.options:
        fork = match.fork()
        fork.choose(option)
        count += len(fork.decision.options) if isinstance(fork.decision, Choice) else 1
    return count


FILES = {".txt": story, "-menus.tsv": menus}
"""By the end of the name: what a golden file of a game should hold."""


def path(game: Game[Any], end: str) -> Path:
    return FOLDER / f"{game.key}{end}"


def rewrite() -> None:
    FOLDER.mkdir(exist_ok=True)
    for module in MODULES:
        game = load(module)
        for end, told in FILES.items():
            path(game, end).write_text(told(game), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
