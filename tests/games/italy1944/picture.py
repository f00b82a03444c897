"""The picture of a combat in docs/games/italy1944.md: `python -m tests.games.italy1944.picture`."""

from __future__ import annotations

from apennine.games import get
from apennine.kernel.decision import Option
from apennine.kernel.match import Match
from tests.games.italy1944.drawing import at, combat
from tests.games.picturing import draw_combat


def main() -> None:
    """Two divisions against the paratroopers in Cassino, before the dice."""
    game = get("italy1944")
    drawn = combat("4 I, 2 NZ @ 3121; 1 FJ @ 3020")
    match = Match(game, position=drawn.position, seed=1)
    match.choose(Option("attack", hex=at("3020")))
    for name in ("4 I", "2 NZ"):
        match.choose(Option("attack with", game.unit(name), at("3020")))
    fight = Option("fight", hex=at("3020"))
    draw_combat(match, fight, "An attack on Cassino", "italy1944-combat")


if __name__ == "__main__":
    main()
