"""The pictures of a combat on the pages of the games: its prompt and its preview, as the terminal
shows them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from rich.console import Console

from apennine.cli.screen import preview_lines, prompt_line
from apennine.kernel.decision import Choice, Option
from apennine.kernel.match import Match

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def draw_combat(match: Match[Any], option: Option, title: str, name: str) -> None:
    """Draw what the active side is asked and what an option promises, to a file of that name."""
    decision, preview = match.decision, match.preview(option)
    assert isinstance(decision, Choice)
    assert preview is not None
    console = Console(record=True, width=72, file=io.StringIO())
    console.print(prompt_line(match.game, decision.side, decision.prompt, decision.rule))
    console.print(preview_lines(match.game, preview))
    svg = console.export_svg(title=title, unique_id="combat")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    path = PICTURES / f"{name}.svg"
    path.write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")
