"""The picture of a combat on the page of the game: `python -m tests.games.italia1918.picture`."""

from __future__ import annotations

from apennine.games import get
from apennine.kernel.match import Match
from apennine.testing import Shorthand
from tests.games.picturing import draw_combat


def main() -> None:
    """Three regiments of the 5th Division against Monte Tomba, before the guns are named."""
    game = get("italia1918")
    short = Shorthand(game, ("end movement", "go on to combat"))
    match = Match(game, "grappa", seed="picture")
    while match.position.phase != "combat":
        verbs = short.verbs(match)
        wanted = ("activate", "begin the offensive", "end movement", "go on to combat")
        verb = next(verb for verb in wanted if verb in verbs)
        match.choose(next(o for o in match.decision.options if o.verb == verb))
    short.do(match, "attack", hex="W2026")
    for unit in ("5 ID(G) LGR8", "5 ID(G) GR12"):
        short.do(match, "attack with", unit)
    option = short.option("attack with", "5 ID(G) IR52")
    draw_combat(match, option, "An attack on Monte Tomba", "italia1918-combat")


if __name__ == "__main__":
    main()
