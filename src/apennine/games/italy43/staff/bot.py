"""A bot that knows the game: a judgement for every verb, and the option that it likes best.

The Allies make for the places with points, mass a formation with its guns where the odds pay, and
rest who is worn out; the Germans hold the best line that they can man, fall back when it breaks,
and build their forts meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, NEVER, Judge, JudgingBot
from apennine.bots.staff.march import headway
from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

from ..rules.c07_bonds import bonds
from ..table.position import ALLIED, Table
from ..table.war import War
from .advance import advance
from .battle import BATTLE_JUDGES
from .force import Force
from .hold import hold
from .mind import Mind, Movement, Plan, staff_of
from .rear import REAR_JUDGES
from .weights import USUAL, Weights


class StaffBot(JudgingBot[Mind]):
    """Plays either side of Italy '43 by rules of thumb and the chances of the charts."""

    def __init__(self, war: War, seed: int | None = None, weights: Weights = USUAL) -> None:
        super().__init__(self._think, JUDGES)
        self._war = war
        self.heed(weights)
        self._plan = Plan(seed or 0)

    def heed(self, weights: Weights) -> None:
        """From now on weigh things like this; what was planned for later stays."""
        self._staff = staff_of(self._war, weights)

    def _think(self, seat: Seat[Table]) -> Mind:
        return Mind(self._staff, seat.dream(0).position, seat.side, self._plan)


def plan(mind: Mind) -> Movement:
    """Where the units of the active side should go from here."""
    force = Force(mind)
    if mind.side == ALLIED:
        advance(force)
    else:
        hold(force)
    return Movement(force.goals, force.trucks)


def movement(mind: Mind) -> Movement:
    """The plan of a movement phase, made anew when the enemy or his bonds have changed."""
    return mind.once("movement", lambda: _kept(mind))


def _kept(mind: Mind) -> Movement:
    pos = mind.pos
    seen = tuple((u, pos.hex[u], pos.steps[u]) for u in bits(mind.foe.units))
    held = bonds(mind.war, pos, 1 - mind.side)
    return mind.plan.movement.get((pos.turn, pos.side, seen, held), lambda: plan(mind))


def goal(mind: Mind, unit: int) -> int:
    """Where a unit should go; -1: nowhere."""
    found = movement(mind).goals.get(unit)
    return found.hex if found else -1


def move(mind: Mind, option: Option) -> float:
    """Who has somewhere to go: who breaks a bond first, so that the others can go through."""
    unit, here = option.unit, mind.pos.hex[option.unit]
    to = goal(mind, unit)
    if to in (-1, here):
        return -1.0
    return 2.0 + 0.001 * unit + bool(to < mind.war.lattice.size and mind.breaks >> to & 1)


def mover(mind: Mind) -> int:
    """For whom the stack in hand moves: it may have been taken up by somebody else."""
    units = list(bits(mind.pos.movers))
    return next((u for u in units if goal(mind, u) not in (-1, mind.pos.hex[u])), units[0])


def go(mind: Mind, option: Option) -> float:
    """To the goal; if that cannot be had, nearer to it."""
    unit = mover(mind)
    to, here = goal(mind, unit), mind.pos.hex[unit]
    field = mind.once(("way", to), lambda: mind.way(unit, 1 << to if to >= 0 else 0))
    return headway(field, here, option.hex, to, mind.weights.march, mind.zone)


def come_on(mind: Mind, option: Option) -> float:
    """By the edge hex that is nearest to the goal."""
    unit = mover(mind)
    to = goal(mind, unit)
    if to < 0:
        return -1.0
    return 1000.0 - mind.way(unit, 1 << to)[option.hex]


def load(mind: Mind, option: Option) -> float:
    """Who is to ride, before anybody moves."""
    rides = movement(mind).trucks >> option.unit & 1
    return 5.0 if rides and goal(mind, option.unit) not in (-1, mind.pos.hex[option.unit]) else -1.0


JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        **REAR_JUDGES,
        **BATTLE_JUDGES,
        "move": move,
        "go": go,
        "come on": come_on,
        "go off": NEVER,
        "transfer": NEVER,
        "take along": NEVER,
        "drop": NEVER,
        "halt": DONE,
        "load": load,
        "flee": NEVER,
    }
)
