"""A bot that knows the game: it gives the command that brings most for its points.

The Allies hold the beaches, mass full stacks against the weakest Germans on the way to Naples and
the north, run for the map's edge when a gap opens, and sail on the end-run when all else fails; the
Germans hold the best line from sea to sea, and attack where the odds pay. What a side cannot see is
guessed from what it can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apennine.bots.staff.command import Command
from apennine.bots.staff.ground import FAR
from apennine.bots.staff.judge import DONE, Judge, JudgingBot, overall
from apennine.bots.staff.march import THERE, headway
from apennine.hexes import bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.ledger import rule
from apennine.kernel.match import Seat

from ..rules.c09_commands import ENDED
from ..table.position import ALLIED, ORDERS, Table
from ..table.war import War
from .battle import BATTLE_JUDGES
from .endrun import wants_exit
from .goals import plan
from .mind import Mind, Plan, staff_of
from .orders import thought_of
from .rear import REAR_JUDGES, REAR_WORTHS
from .sight import sighted
from .weights import USUAL, Weights

COMMAND = rule("9.19")
"""The rule that every menu of commands cites."""


class StaffBot(JudgingBot[Mind]):
    """Plays either side of Soft Underbelly by rules of thumb and quick odds."""

    def __init__(self, war: War, seed: int | None = None, weights: Weights = USUAL) -> None:
        super().__init__(self._think, JUDGES)
        self._war = war
        self.heed(weights)
        self._plan = Plan(seed or 0)

    def heed(self, weights: Weights) -> None:
        """From now on weigh things like this; what was planned for later stays."""
        self._staff = staff_of(self._war, weights)

    def __call__(self, seat: Seat[Table]) -> Option:
        if seat.decision.rule == COMMAND:
            return self._command(self._think(seat), tuple(seat.decision.options))
        return super().__call__(seat)

    def _think(self, seat: Seat[Table]) -> Mind:
        pos = sighted(self._staff.war, seat.dream(0).position, seat.side)
        return Mind(self._staff, pos, seat.side, self._plan)

    def _command(self, mind: Mind, options: Sequence[Option]) -> Option:
        """The command with the best rate, or the end of the phase."""
        best = max(thought_of(mind, options, plan(mind)), key=lambda o: o.rate, default=None)
        mind.plan.order = best
        if best and (best.rate >= mind.weights.least or ENDED[0] not in options):
            return best.option
        return options[-1]  # which ends the phase, if that is allowed


def under_way(mind: Mind) -> Command:
    """The command that is being carried out, thought of anew if it was not ours."""
    pos, order = mind.pos, mind.plan.order
    ours = order and ORDERS.get(order.option.verb) == pos.order
    # The attack of a move-fight begins where its move has ended.
    if order and ours and pos.origin in (order.option.hex, *order.goals.values()):
        return order
    goals = plan(mind)
    ends = {u: goals[u].hex for u in bits(pos.force | pos.waiting) if u in goals}
    return Command(Option("", hex=pos.origin), 0.0, 1, ends, -1, pos.force)


def _aim(mind: Mind, unit: int) -> int:
    """Where the command under way takes a unit; -1 if nowhere."""
    return under_way(mind).goals.get(unit, -1)


def _way(mind: Mind) -> tuple[int, int, Sequence[int]]:
    """Where the moving units are, where they should go (-1: nowhere), and the way there by hex."""
    lead = first_bit(mind.pos.movers)
    aim = _aim(mind, lead)
    return mind.pos.hex[lead], aim, mind.way(lead, 1 << aim if aim >= 0 else 0)


def _leaves(mind: Mind) -> bool:
    """Whether the side wants to leave the map: the Allies win by it, Germans meet an end-run."""
    return mind.side == ALLIED or wants_exit(mind)


def _take(mind: Mind, option: Option) -> float:
    """Who has somewhere to go."""
    aim, here = _aim(mind, option.unit), mind.pos.hex[option.unit]
    out = mind.war.bit[here] & mind.war.north and _leaves(mind)
    if aim < 0 or (aim == here and not out):
        return -1.0
    return 1.0 + mind.power(1 << option.unit)


def _take_all(mind: Mind) -> float:
    """If all go to the same hex."""
    aims = {_aim(mind, unit) for unit in bits(mind.pos.waiting)}
    return 50.0 if len(aims) == 1 and -1 not in aims else -2.0


def _take_along(mind: Mind, option: Option) -> float:
    aim = _aim(mind, option.unit)
    return 200.0 if aim >= 0 and aim == _way(mind)[1] else -3.0


def _go(mind: Mind, option: Option) -> float:
    """To the hex that was meant; if it cannot be had, as near to it as is safe."""
    here, aim, field = _way(mind)
    return headway(field, here, option.hex, aim, mind.weights.march, mind.foe.zone)


def _attack_with(mind: Mind, option: Option) -> float:
    """All who were meant to; alone or with others who can hit."""
    meant = under_way(mind).force >> option.unit & 1
    if not meant and mind.pos.attackers & ~mind.war.supports:
        return -1.0
    return 100.0 + mind.power(1 << option.unit)


JUDGES: Mapping[str, Judge[Mind]] = {
    **BATTLE_JUDGES,
    **REAR_JUDGES,
    **dict.fromkeys(("done", "halt", "no strike"), DONE),
    # By the door nearest to the goal; by sea only to the port that was meant.
    **dict.fromkeys(("enter", "come ashore"), lambda mind, o: FAR + 1.0 - _way(mind)[2][o.hex]),
    **dict.fromkeys(
        ("target", "strike with"), lambda mind, o: 2.0 * (o.hex == under_way(mind).target) - 1.0
    ),
    "take": _take,
    "take all": overall(_take_all),
    "take along": _take_along,
    "go": _go,
    "sail": lambda mind, option: THERE + 1.0 if _way(mind)[1] == option.hex else -2.0,
    "exit": overall(lambda mind: 500.0 if _leaves(mind) else -5.0),
    "attack with": _attack_with,
}
"""For every verb but the commands, how much an option is liked."""
VERBS = frozenset((*JUDGES, *ORDERS, *REAR_WORTHS, ENDED[0].verb))
"""All that the bot has an opinion on."""
