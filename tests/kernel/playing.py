"""Short ways to play a match in tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.match import Match
from tests.kernel.toy import Toy

ROOT = Path(__file__).parent.parent.parent


def start(scenario: str = "short", seed: int = 7, **corrections: Any) -> Match[Any]:
    return Match(Toy(**corrections), scenario, seed=seed)


def step(match: Match[Any], random: Random) -> None:
    """Answer whatever is asked now at random."""
    decision = match.decision
    if isinstance(decision, Roll):
        match.roll(*(random.randint(1, sides) for sides in decision.sides))
    elif isinstance(decision, Choice):
        match.choose(random.choice(decision.options))


def play(match: Match[Any], count: int = 10**6, seed: int = 1) -> Match[Any]:
    """Answer at random this many times, or until the game is over."""
    random = Random(seed)
    for _ in range(count):
        if match.decision is None:
            break
        step(match, random)
    return match


def take(match: Match[Any], *texts: str) -> Match[Any]:
    """Choose by text: the verb, then `unit`, `hex` or `value` after `/`, `@` or `=`."""
    for text in texts:
        match.choose(option(match.game, text))
    return match


def option(game: Any, text: str) -> Option:
    """An option as `go/Red 1@H05` or `plan=2` writes it."""
    text, _, value = text.partition("=")
    text, _, hex = text.partition("@")
    verb, _, unit = text.partition("/")
    return Option(
        verb,
        game.unit(unit) if unit else -1,
        game.board.parse(hex) if hex else -1,
        int(value or 0),
    )


def present(match: Match[Any]) -> tuple[object, ...]:
    """All by which two matches could be told apart now."""
    return (
        match.digest,
        match.decision,
        match.outcome,
        list(match.log),
        match.checkpoint.at,
        match.checkpoint.position,
        match.checkpoint.rolls,
    )


def in_another_process(code: str) -> Any:
    """What this code, run in a fresh interpreter, leaves in `result`, by way of JSON."""
    script = f"import json\n{code}\nprint(json.dumps(result))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYTHONHASHSEED": "random"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
