"""The picture of a combat in docs/games/italy43.md: `python -m tests.games.italy43.picture`."""

from __future__ import annotations

from tests.games.italy43.drawing import SHORT, do, units
from tests.games.italy43.fighting import attack, combat
from tests.games.picturing import draw_combat

DRAWN = (
    "141/36, 143/36, 753 Tk @ 2707; 142/36 @ 2807; 36 ASU, II ASU @ 2809;"
    " 15/29 @ 2706; 29 ASU @ 2704"
)


def main() -> None:
    """The 36th Division against San Pietro, with its guns and those of the corps."""
    match = combat(DRAWN, turn=26, ready=units("36 ASU, II ASU"))
    attack(match, "2706", main="141/36", attached=["753 Tk"])
    do(match, "fire", "36 ASU")
    guns = SHORT.option("fire", "II ASU")
    draw_combat(match, guns, "An attack on San Pietro", "italy43-combat")


if __name__ == "__main__":
    main()
