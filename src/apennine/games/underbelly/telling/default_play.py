"""How both sides fight a battle unless told otherwise: the play that forecasts count on.

- The barrage and the defender fire at the division whose loss of a step costs its side most fire,
  the heavy bombers at any such unit; the guns of a barrage fire before the bombers.
- The attacker fires at the weakest division first, at one out of rubble rather than in it.
- Each side fires its best shots first, and a shot that cannot hit is not fired.
- The attacker breaks off when the shots that he has left cannot be expected to hit once; the step
  that he gets back is worth more then.
- The attacker goes on firing at a force that is gone as long as that can bar its retreat.
- The defender retreats only when nobody would be left in the hex: a step saved for nothing.

Among equals the unit that comes first in the lists is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Fighter(NamedTuple):
    """A unit on the Battle Board as the dice see it."""

    full: int
    """The number to roll with two steps; the only one of a corps support unit is `reduced`."""
    reduced: int
    steps: int
    support: bool = False
    """Corps support: no target while a division stands (13.5a)."""
    retreats: bool = False
    """It has a hex to retreat to (13.9)."""

    def number(self, steps: int) -> int:
        """What a shot must roll with so many steps left; 0 or less cannot hit (13.12b)."""
        return self.full if steps > 1 else self.reduced


def fire_lost(fighter: Fighter, steps: int) -> int:
    """The fire, in tenths of a hit, that the loss of a step costs a unit."""
    last = max(fighter.reduced, 0)
    return 2 * max(fighter.full, 0) - last if steps > 1 else last


def heaviest(
    fighters: Sequence[Fighter], steps: Sequence[int], *, support_too: bool = False
) -> int:
    """The unit whose loss of a step costs most fire; -1 if nobody can be aimed at."""
    best, most = -1, -1
    for place in targets(fighters, steps, support_too=support_too):
        cost = fire_lost(fighters[place], steps[place])
        if cost > most:
            best, most = place, cost
    return best


def weakest(fighters: Sequence[Fighter], steps: Sequence[int], rubble: int = -1) -> int:
    """The unit with the fewest steps, out of rubble if there is a choice; -1 if there is none."""
    found = targets(fighters, steps)
    return min(found, key=lambda place: (steps[place], place == rubble), default=-1)


def targets(
    fighters: Sequence[Fighter], steps: Sequence[int], *, support_too: bool = False
) -> list[int]:
    """Whom a ground unit may fire at: divisions, and corps support when none is left (13.5a)."""
    alive = [place for place, left in enumerate(steps) if left]
    divisions = [place for place in alive if not fighters[place].support]
    return alive if support_too or not divisions else divisions


def fights_on(shots: Sequence[int]) -> bool:
    """Whether the attacker, having lost a step, fires rather than breaks off."""
    return sum(min(number, 10) for number in shots) >= 10


def falls_back(survivors: int) -> bool:
    """Whether the defender, having lost a step, gives up the hex to get it back."""
    return survivors == 0
