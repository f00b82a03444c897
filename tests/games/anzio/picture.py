"""The picture of a combat in docs/games/anzio.md: `python -m tests.games.anzio.picture`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from apennine.cli.screen import preview_lines, prompt_line
from apennine.games import get
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.anzio.drawing import at, table

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "anzio-combat.svg"


def main() -> None:
    """Three divisions against 29 Panzergrenadier in the hills behind Salerno, before the die."""
    game = get("anzio")
    names = ("56 Br", "36 US", "45 US")
    drawn = table("56 Br, 36 US @ Q61; 45 US @ Q62; 29 PzG @ P62", "combat")
    drawn.round = 0
    match = Match(game, position=drawn, seed=1)
    decision = match.decision
    assert isinstance(decision, Choice)
    if "attack" in {option.verb for option in decision.options}:
        match.choose(Option("attack", hex=at("P62")))
    for name in names:
        option = Option("attack with", game.unit(name))
        if isinstance(match.decision, Choice) and option in match.decision.options:
            match.choose(option)
    decision = match.decision
    assert isinstance(decision, Choice)
    console = Console(record=True, width=84, file=io.StringIO())
    console.print(prompt_line(game, decision.side, decision.prompt, decision.rule))
    preview = match.preview(Option("fight"))
    assert preview is not None
    console.print(preview_lines(game, preview))
    svg = console.export_svg(title="An attack in the hills behind Salerno", unique_id="combat")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    PICTURE.write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")


if __name__ == "__main__":
    main()
