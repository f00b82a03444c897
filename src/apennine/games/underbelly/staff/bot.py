"""A bot that knows the game: it gives the command that brings most for its points.

The Allies hold the beaches, mass full stacks against the weakest Germans on the way to Naples and
the north, run for the map's edge when a gap opens, and sail on the end-run when all else fails; the
Germans hold the best line from sea to sea, and attack where the odds pay. What a side cannot see is
guessed from what it can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from apennine.hexes import bits, first_bit, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.ledger import rule
from apennine.kernel.match import Seat

from ..rules.c09_commands import ENDED as END
from ..table.position import ALLIED, MOVE_FIGHT, ORDERS, Table
from ..table.war import War
from .battle import BATTLE_JUDGES
from .endrun import NOTES
from .goals import goals
from .ground import FAR, marches, survey
from .judge import Judge
from .mind import Goal, Mind, manpower
from .orders import GOOD, LEAST, Order, attacks, barriers, moves, rushes, strikes
from .rear import REAR_JUDGES, REAR_VERBS, rear_orders
from .retreat import wants_exit
from .sight import sighted

COMMAND = rule("9.19")
"""The rule that every menu of commands cites."""
ENDED = END[0]
JUDGES: Mapping[str, Judge] = MappingProxyType({**BATTLE_JUDGES, **REAR_JUDGES})
"""For every verb but the commands and their marches, how much an option is liked."""


class StaffBot:
    """Plays either side of Soft Underbelly by rules of thumb and quick odds."""

    def __init__(self, war: War, seed: int | None = None) -> None:
        self._note = Random(seed).choice(NOTES)
        self._war = war
        survey(war)
        self._order: Order | None = None
        self._manned: tuple[object, tuple[tuple[int, int], ...]] = None, ()
        self._plan: tuple[object, dict[int, Goal]] = None, {}

    def __call__(self, seat: Seat[Table]) -> Option:
        pos = sighted(self._war, seat.dream(0).position, seat.side)
        if self._manned[0] != (pos.turn, pos.side):
            self._manned = (pos.turn, pos.side), manpower(self._war, pos)
        mind = Mind(self._war, pos, seat.side, self._manned[1])
        options = tuple(seat.decision.options)
        if options[0].verb == "plan no end-run":
            return Option("plan the end-run", value=self._note)
        if seat.decision.rule == COMMAND:
            return self._command(mind, options)
        if options[0].verb in MARCHES or options[-1].verb in MARCHES:
            order = self._under_way(mind)
            return max(options, key=lambda option: MARCHES[option.verb](mind, option, order))
        return max(options, key=lambda option: JUDGES[option.verb](mind, option))

    def _command(self, mind: Mind, options: Sequence[Option]) -> Option:
        """The command with the best rate, or the end of the phase."""
        thought = orders(mind, options, self._goals(mind))
        best = max(thought, key=lambda order: order.rate, default=None)
        self._order = best
        if ENDED not in options:
            return best.option if best else options[0]
        return best.option if best and best.rate >= LEAST else ENDED

    def _goals(self, mind: Mind) -> dict[int, Goal]:
        """The plan of the player turn; a new one when the enemy or the units at hand change."""
        pos, foe = mind.pos, mind.foe
        alive = mask_of(unit for units in mind.stacks.values() for unit in bits(units))
        basis = pos.turn, mind.side, foe.occupied, foe.divisions, alive, pos.owed, pos.launched
        if self._plan[0] != basis:
            self._plan = basis, goals(mind)
        return self._plan[1]

    def _under_way(self, mind: Mind) -> Order:
        """The command that is being carried out, thought of anew if it was not ours."""
        pos, order = mind.pos, self._order
        # The attack of a move-fight begins where its move has ended.
        same = order and (order.option.hex == pos.origin or pos.order == MOVE_FIGHT)
        if order and same and ORDERS.get(order.option.verb) == pos.order:
            return order
        wanted = self._goals(mind)
        ends = {u: wanted[u].hex for u in bits(pos.force | pos.waiting) if u in wanted}
        self._order = Order(Option(_verb(pos.order), hex=pos.origin), 0.0, 1, ends, -1, pos.force)
        return self._order


def _verb(order: int) -> str:
    return next((verb for verb, number in ORDERS.items() if number == order), "move")


def orders(
    mind: Mind, options: Sequence[Option], wanted: dict[int, Goal] | None = None
) -> Iterator[Order]:
    """All commands of a menu that are worth a thought."""
    places: dict[str, int] = {}
    for option in options:
        if option.verb in ORDERS:
            places[option.verb] = places.get(option.verb, 0) | 1 << option.hex
    poised = 0
    for order in attacks(mind, places.get("attack", 0)):
        poised |= (order.gain >= GOOD) << order.option.hex
        yield order
    for order in strikes(mind, places.get("move-fight", 0)):
        poised |= (order.gain >= GOOD) << order.option.hex
        yield order
    if "move" in places or "column" in places:
        wanted = goals(mind) if wanted is None else wanted
        for verb in ("move", "column"):
            hexes = places.get(verb, 0)
            yield from rushes(mind, verb, hexes)
            yield from moves(mind, wanted, verb, hexes & ~poised)
            yield from barriers(mind, verb, hexes)
    yield from rear_orders(mind, options)


# The steps of a march and of the order to attack


March = Callable[[Mind, Option, Order], float]
"""How well an option serves the command that is being carried out."""


def _take(mind: Mind, option: Option, order: Order) -> float:
    """Who has somewhere to go."""
    goal, here = order.goals.get(option.unit, -1), mind.pos.hex[option.unit]
    leaving = mind.side == ALLIED or wants_exit(mind)
    leaves = leaving and mind.war.bit[here] & mind.war.north
    if goal < 0 or (goal == here and not leaves):
        return -1.0
    return 1.0 + mind.power(1 << option.unit)


def _take_all(mind: Mind, option: Option, order: Order) -> float:
    """If all go to the same hex."""
    del option
    pos = mind.pos
    goals = {order.goals.get(unit, -1) for unit in bits(pos.waiting)}
    return 50.0 if len(goals) == 1 and -1 not in goals else -2.0


def _take_along(mind: Mind, option: Option, order: Order) -> float:
    pos = mind.pos
    goal = order.goals.get(option.unit, -1)
    lead = first_bit(pos.movers)
    return 200.0 if goal >= 0 and goal == order.goals.get(lead, -2) else -3.0


def _go(mind: Mind, option: Option, order: Order) -> float:
    """To the hex that was meant; if it cannot be had, as near to it as is safe."""
    war, pos = mind.war, mind.pos
    lead = first_bit(pos.movers)
    goal = order.goals.get(lead, -1)
    if goal < 0:
        return -2.0
    if goal == option.hex:
        return 100.0
    here = pos.hex[lead]
    if here == goal:
        return -2.0
    field = marches(war, war.mobility[lead], 1 << goal)
    exposed = 3.0 if mind.foe.zone >> option.hex & 1 else 0.0
    return min(FAR, field[here]) - field[option.hex] - exposed - 0.5


def _come_on(mind: Mind, option: Option, order: Order) -> float:
    """The door nearest to the goal."""
    war = mind.war
    lead = first_bit(mind.pos.movers)
    goal = order.goals.get(lead, -1)
    if goal < 0:
        return 1.0
    return 100.0 - marches(war, war.mobility[lead], 1 << goal)[option.hex]


def _sail(mind: Mind, option: Option, order: Order) -> float:
    """By sea, if the way by land is much longer."""
    war = mind.war
    lead = first_bit(mind.pos.movers)
    goal = order.goals.get(lead, -1)
    if goal == option.hex:
        return 101.0
    if goal < 0:
        return -2.0
    field = marches(war, war.mobility[lead], 1 << goal)
    return field[mind.pos.hex[lead]] - field[option.hex] - 8.0


def _exit(mind: Mind, option: Option, order: Order) -> float:
    """The Allies win by it; the Germans only as the end-run demands."""
    del option, order
    return 500.0 if mind.side == ALLIED or wants_exit(mind) else -5.0


def _target(mind: Mind, option: Option, order: Order) -> float:
    del mind
    return 1.0 if option.hex == order.target else 0.0


def _attack_with(mind: Mind, option: Option, order: Order) -> float:
    """All who were meant to; alone or with others who can hit."""
    if not order.force >> option.unit & 1 and mind.pos.attackers & ~mind.war.supports:
        return -1.0
    return 100.0 + mind.power(1 << option.unit)


def _strike(mind: Mind, option: Option, order: Order) -> float:
    del mind
    return 1.0 if option.hex == order.target else -1.0


def _nothing(mind: Mind, option: Option, order: Order) -> float:
    del mind, option, order
    return 0.0


def _muster(judge: Judge) -> March:
    def judged(mind: Mind, option: Option, order: Order) -> float:
        del order
        return judge(mind, option)

    return judged


MARCHES: Mapping[str, March] = MappingProxyType(
    {
        "take": _take,
        "take all": _take_all,
        "take along": _take_along,
        "done": _nothing,
        "go": _go,
        "enter": _come_on,
        "come ashore": _come_on,
        "sail": _sail,
        "exit": _exit,
        "halt": _nothing,
        "target": _target,
        "attack with": _attack_with,
        "send bombers": _muster(JUDGES["send bombers"]),
        "fight": _muster(JUDGES["fight"]),
        "strike with": _strike,
        "no strike": _nothing,
    }
)
"""For every verb of a command under way, how well an option serves it."""

VERBS = frozenset((*JUDGES, *MARCHES, *ORDERS, *REAR_VERBS, ENDED.verb))
"""All that the bot has an opinion on."""
