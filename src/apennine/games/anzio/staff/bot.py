"""A bot that knows the game: a judgement for every verb, and the option that it likes best.

The Allies choose a beach and a force for it, mass where the odds pay and make for the places that
win; the Germans strike at a weak beachhead, else hold the best line that they can man.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, NEVER, Judge, JudgingBot, decide
from apennine.bots.staff.march import headway
from apennine.bots.staff.posts import Goals
from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

from ..rules.b4d_stacking import limit, load
from ..table.position import ALLIED, Table
from ..table.war import War
from .advance import advance
from .battle import BATTLE_JUDGES, bid
from .cards import CARD_JUDGES
from .force import Force
from .hold import hold
from .landing import come_on, invade, land, sail
from .mind import Mind, Plan, staff_of
from .rear import REAR_JUDGES
from .weights import USUAL, Weights


class StaffBot(JudgingBot[Mind]):
    """Plays either side of Anzio by rules of thumb and the chances of the table."""

    def __init__(self, war: War, seed: int | None = None, weights: Weights = USUAL) -> None:
        super().__init__(self._think, JUDGES)
        self._war = war
        self.heed(weights)
        self._plan = Plan(seed or 0)

    def heed(self, weights: Weights) -> None:
        """From now on weigh things like this; what was planned for later stays."""
        self._staff = staff_of(self._war, weights)

    def __call__(self, seat: Seat[Table]) -> Option:
        mind, options = self._think(seat), seat.decision.options
        lead = first_bit(mind.pos.movers) if mind.pos.movers else -1
        there = Option("go", lead, mind.goal(lead)) if lead >= 0 else None
        # Most moves lead straight to the goal: then the other hexes need no second look.
        chosen = there if there and there in options else decide(mind, options, JUDGES)
        now = mind.pos.turn, mind.pos.side
        if chosen.verb == "halt":  # who was put down without a step is not picked up again
            self._plan.tired.get(now, set).add(chosen.unit)
        elif chosen.verb == "overwhelm":  # nor is a victory tried again with the same units
            self._plan.tried.get(now, set).add(bid(mind, chosen.hex))
        return chosen

    def _think(self, seat: Seat[Table]) -> Mind:
        return Mind(self._staff, seat.dream(0).position, seat.side, self._plan, goals)


def plan(mind: Mind) -> Goals:
    """Where the units of the active side should go from here."""
    force = Force(mind)
    if mind.side == ALLIED:
        advance(force)
    else:
        hold(force)
    return force.goals


def goals(mind: Mind) -> Goals:
    """The plan of a movement phase, made anew when the enemy is no longer where he was."""
    pos = mind.pos
    seen = tuple((u, pos.hex[u], pos.steps[u]) for u in bits(mind.foe.units))
    key = pos.turn, pos.side, pos.zone, pos.claims, seen
    return mind.plan.goals.get(key, lambda: plan(mind))


def move(mind: Mind, option: Option) -> float:
    """Who has somewhere to go where there is room; fighters first, the strongest of all."""
    war, pos, unit = mind.war, mind.pos, option.unit
    to, here = mind.goal(unit), pos.hex[unit]
    if to in (-1, here) or unit in mind.plan.tired.get((pos.turn, pos.side), set):
        return -1.0
    value = 2.0 + 0.01 * mind.value(unit, pos.steps[unit])
    if to < war.lattice.size:
        units = mind.own.stack(to) | 1 << unit
        value -= 1.0 * (load(war, units) > limit(war, pos, mind.side, units))
    return value


def go(mind: Mind, option: Option) -> float:
    """To the goal; if that cannot be had, nearer to it, but next to no enemy."""
    unit = first_bit(mind.pos.movers)
    to, here = mind.goal(unit), mind.pos.hex[unit]
    if to >= mind.war.lattice.size:
        return -1.0
    if option.hex != to and mind.zone >> option.hex & 1:
        return -1.0
    field = mind.once(("way", to), lambda: mind.way(unit, 1 << to if to >= 0 else 0))
    return headway(field, here, option.hex, to, mind.weights.march)


JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        **REAR_JUDGES,
        **BATTLE_JUDGES,
        **CARD_JUDGES,
        "invade": invade,
        "land": land,
        "move": move,
        "go": go,
        "sail": sail,
        "come on": come_on,
        "leave": NEVER,
        "take along": NEVER,
        "halt": DONE,
        "end movement": DONE,
    }
)
