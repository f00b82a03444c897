"""A bot that knows the game: a judgement for every verb, and the option that it likes best.

Who has the initiative masses guns and units where the odds pay, keeps reserves behind the break and
sends them through it; who has not shuts what is open, mans what is threatened, gives ground where
hit points would cost more, and strikes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, JudgingBot
from apennine.bots.staff.march import headway
from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

from ..table.position import Table
from ..table.war import War
from .battle import BATTLE_JUDGES
from .mind import Mind, Movement, Plan, staff_of
from .plans import plan
from .rear import REAR_JUDGES
from .special import SPECIAL_JUDGES
from .weights import USUAL, Weights


class StaffBot(JudgingBot[Mind]):
    """Plays either side of Italia 1917-1918 by rules of thumb and the averages of the charts."""

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


def movement(mind: Mind) -> Movement:
    """The plan of a movement phase, made anew when the enemy has changed."""
    pos = mind.pos
    seen = tuple((u, pos.hex[u], pos.steps[u]) for u in bits(mind.foe.units))
    key = pos.turn, pos.sequence, pos.phase, pos.side, tuple(pos.pontoons), seen
    return mind.plan.movement.get(key, lambda: plan(mind))


def goal(mind: Mind, unit: int) -> int:
    """Where a unit should go; -1: nowhere."""
    found = movement(mind).goals.get(unit)
    return found.hex if found else -1


def move(mind: Mind, option: Option) -> float:
    """Who has somewhere to go; those first who are wanted most."""
    unit, here = option.unit, mind.pos.hex[option.unit]
    if mind.flees and mind.here.gates >> here & 1:
        return 3.0
    to = goal(mind, unit)
    if to in (-1, here):
        return -1.0
    return 1.0 + 0.01 * movement(mind).goals[unit].weight + 0.0001 * unit


def relieve(mind: Mind, option: Option) -> float:
    """Who is to come into order while another holds his hex."""
    return 5.0 if movement(mind).relieved >> option.unit & 1 else -1.0


def go(mind: Mind, option: Option) -> float:
    """To the goal; if that cannot be had, nearer to it."""
    unit = first_bit(mind.pos.movers & ~mind.war.assault)
    to, here = goal(mind, unit), mind.pos.hex[unit]
    field = mind.ground.distances(1 << to) if to >= 0 else mind.ground.distances(mind.enemy)
    return headway(field, here, option.hex, to, mind.weights.march, mind.zone)


def reserve(mind: Mind, option: Option) -> float:
    """Who was kept back for it."""
    fresh = mind.offensive >> mind.pos.hex[option.unit] & 1
    return 1.0 + mind.strength(option.unit) if fresh and mind.leads else -1.0


JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        **REAR_JUDGES,
        **BATTLE_JUDGES,
        **SPECIAL_JUDGES,
        "move": move,
        "go": go,
        "take along": NEVER,
        "halt": DONE,
        "force the march": NEVER,
        "give up to cover": NEVER,
        "relieve": relieve,
        "assign": NEVER,
        "load": NEVER,
        "unload": GLADLY,
        "put in reserve": reserve,
    }
)
