"""The picture of a combat in docs/games/italy1944.md: `python -m tests.games.italy1944.picture`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from apennine.cli.screen import preview_lines, prompt_line
from apennine.games import get
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match
from tests.games.italy1944.drawing import at, combat

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "italy1944-combat.svg"


def main() -> None:
    """Two divisions against the paratroopers in Cassino, before the dice."""
    game = get("italy1944")
    drawn = combat("4 I, 2 NZ @ 3121; 1 FJ @ 3020")
    match = Match(game, position=drawn.position, seed=1)
    match.choose(Option("attack", hex=at("3020")))
    for name in ("4 I", "2 NZ"):
        match.choose(Option("attack with", game.unit(name), at("3020")))
    decision = match.decision
    assert isinstance(decision, Choice)
    console = Console(record=True, width=72, file=io.StringIO())
    console.print(prompt_line(game, decision.side, decision.prompt, decision.rule))
    preview = match.preview(Option("fight", hex=at("3020")))
    assert preview is not None
    console.print(preview_lines(game, preview))
    svg = console.export_svg(title="An attack on Cassino", unique_id="combat")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    PICTURE.write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")


if __name__ == "__main__":
    main()
