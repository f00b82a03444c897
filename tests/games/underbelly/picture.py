"""The picture of a combat in docs/games/underbelly.md.

Drawn by `python -m tests.games.underbelly.picture`.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from apennine.cli.screen import preview_lines, prompt_line
from apennine.kernel.decision import Choice, Option
from tests.games.underbelly.skirmish import GAME, at, begin, number

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "underbelly-combat.svg"
FORCE = ("46 Inf", "56 Inf", "7 Arm", "X Corps")


def main() -> None:
    """X Corps against the Hermann Göring Division in the mountains before Naples."""
    match = begin("46 Inf, 56 Inf, 7 Arm, X Corps @ 2721; HG @ 2720", tac=1, tac_active=True)
    match.choose(Option("attack", hex=at("2721")))
    decision = match.decision
    assert isinstance(decision, Choice)
    if decision.options[0].verb == "target":
        match.choose(Option("target", hex=at("2720")))
    for name in FORCE:
        match.choose(Option("attack with", number(name), at("2720")))
    decision = match.decision
    assert isinstance(decision, Choice)
    console = Console(record=True, width=72, file=io.StringIO())
    console.print(prompt_line(GAME, decision.side, decision.prompt, decision.rule))
    preview = match.preview(Option("fight", hex=at("2720")))
    assert preview is not None
    console.print(preview_lines(GAME, preview))
    svg = console.export_svg(title="X Corps before Naples", unique_id="combat")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    PICTURE.write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")


if __name__ == "__main__":
    main()
