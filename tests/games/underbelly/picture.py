"""The picture of a combat in docs/games/underbelly.md.

Drawn by `python -m tests.games.underbelly.picture`.
"""

from __future__ import annotations

from apennine.kernel.decision import Choice, Option
from tests.games.picturing import draw_combat
from tests.games.underbelly.skirmish import at, begin, number

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
    fight = Option("fight", hex=at("2720"))
    draw_combat(match, fight, "X Corps before Naples", "underbelly-combat")


if __name__ == "__main__":
    main()
