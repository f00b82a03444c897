"""A bot that knows the game: a judgement for every verb, and the option that it likes best.

The Allies mass where the odds pay and make for the towns worth points; the Germans hold the best
line from coast to coast and fall back to the next one when it breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

from ..rules.c04_zones import next_to, units_in, units_on_map
from ..rules.c09_combat import attack_factor, defence_factor, ready
from ..rules.c09_exploitation import beyond_reach, exploit_ends
from ..table.data import STACK
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from . import centre as bot_centre
from . import operations as bot_operations
from .force import Goals
from .ground import distances
from .mind import Mind
from .moves import plan
from .odds import attack_worth, battle_worth, hoped_column, keeps_ships, markers_left

GOOD_ENOUGH = 0.1
"""The least that an attack must be worth, in steps."""
MOBILE_ENOUGH = 0.5
"""The same for a mobile attack, which uses up the attackers before the combat phase."""
MARKER = (0.15, 0.3)
"""The least that a support marker must bring, by side: the German has but one."""


class StaffBot:
    """Plays either side of Italy 1944 by rules of thumb and exact chances."""

    def __init__(self, war: War, seed: int | None = None) -> None:
        self._war = war
        self._random = Random(seed)
        self._planned: tuple[object, Goals] | None = None

    def __call__(self, seat: Seat[Table]) -> Option:
        pos = seat.dream(self._random.getrandbits(30)).position
        mind = Mind(self._war, pos, seat.side, self._goals)
        return max(seat.decision.options, key=lambda option: JUDGES[option.verb](mind, option))

    def _goals(self, war: War, pos: Table) -> Goals:
        """The plan of a movement phase, made anew when the enemy is no longer where he was."""
        seen = [(u, pos.hex[u], pos.steps[u]) for u in units_on_map(war, pos, 1 - pos.side)]
        key = (pos.turn, pos.side, seen)
        if self._planned is None or self._planned[0] != key:
            self._planned = key, plan(war, pos)
        return self._planned[1]


def _never(mind: Mind, option: Option) -> float:
    del mind, option
    return -1.0


def _done(mind: Mind, option: Option) -> float:
    """To end a step: better than what is not worth while."""
    del mind, option
    return 0.0


def _gladly(mind: Mind, option: Option) -> float:
    del mind, option
    return 1.0


def _move(mind: Mind, option: Option) -> float:
    """Units whose goal has room first; who should stay is not picked up."""
    goal = mind.goals.get(option.unit, -1)
    if goal < 0 or goal == mind.pos.hex[option.unit]:
        return -1.0
    return 2.0 if len(units_in(mind.war, mind.pos, goal, mind.side)) < 4 else 1.0


def _go(mind: Mind, option: Option) -> float:
    """To the goal; if that cannot be had, nearer to it."""
    goal = mind.goals.get(option.unit, -1)
    here = mind.pos.hex[option.unit]
    if goal == option.hex:
        return 100.0
    if goal < 0 or goal == here:
        return -1.0
    away = distances(mind.war, 1 << goal)
    exposed = 2.0 if mind.from_enemy[option.hex] == 1 else 0.0
    return away[here] - away[option.hex] - 0.5 - exposed


def _take_along(mind: Mind, option: Option) -> float:
    """Units of one pace that go to the same hex go together: so tanks can attack on the move."""
    war, pos = mind.war, mind.pos
    lead, unit = first_bit(pos.movers), option.unit
    goal = mind.goals.get(unit, -1)
    if (
        goal in (-1, pos.hex[unit])
        or goal != mind.goals.get(lead)
        or war.pace[lead] != war.pace[unit]
    ):
        return -1.0
    together = len(units_in(war, pos, goal, mind.side)) + pos.movers.bit_count() + 1
    return 150.0 if together <= STACK else -1.0


def _mobile_attack(mind: Mind, option: Option) -> float:
    war, pos = mind.war, mind.pos
    units = tuple(bits(pos.movers))
    value = attack_worth(war, pos, option.hex, units)
    pays = value > MOBILE_ENOUGH and hoped_column(war, pos, option.hex, units) > 0
    return 200.0 + value if pays else -1.0


def _attack(mind: Mind, option: Option) -> float:
    """What the attack is worth with all that can join it; never in the worst column."""
    war, pos = mind.war, mind.pos
    units = ready(war, pos, option.hex)
    if hoped_column(war, pos, option.hex, units) <= 0:
        return -1.0
    return attack_worth(war, pos, option.hex, units) - GOOD_ENOUGH


def _attack_with(mind: Mind, option: Option) -> float:
    if option.unit not in mind.chosen_force:
        return -1.0
    return 1.0 + attack_factor(mind.war, mind.pos, option.unit)


def _support(mind: Mind, option: Option) -> float:
    """A marker, if the battle is worth enough more (or less, to the attacker) with it."""
    war, pos = mind.war, mind.pos
    before = battle_worth(war, pos)
    change = battle_worth(war, pos, 1) - before
    if not change and pos.side == mind.side and markers_left(war, pos, mind.side, coast=False) > 1:
        change = (battle_worth(war, pos, 2) - before) / 2  # one alone does not leave the column
    gain = change if pos.side == mind.side else -change
    value = gain - MARKER[mind.side]
    if option.verb == "naval support" and pos.side == ALLIED:
        return -1.0 if keeps_ships(war, pos) else value + 0.01
    return value


def _lose_step(mind: Mind, option: Option) -> float:
    """Who loses least of the factor that counts; tanks are spared, and last steps a little."""
    war, unit = mind.war, option.unit
    steps = mind.pos.steps[unit]
    factor = war.attack[unit] if mind.pos.side == mind.side else war.defence[unit]
    loss = float(factor[steps] - factor[steps - 1])
    return -loss - (1.0 if steps == 1 else 0.0) - (1.0 if war.tracks >> unit & 1 else 0.0)


def _advance(mind: Mind, option: Option) -> float:
    """The Allies follow up with three units, the Germans only into what is worth points."""
    war, pos, side = mind.war, mind.pos, mind.side
    here = pos.hex[option.unit]
    there = len(units_in(war, pos, option.hex, side))
    if here in pos.beaches and len(units_in(war, pos, here, side)) <= 2:
        return -1.0
    if side == GERMAN and not mind.lacking >> option.hex & 1:
        return -1.0
    if there >= (3 if side == ALLIED else 1):
        return -1.0
    return 1.0 + defence_factor(war, pos, option.unit)


def _raid(mind: Mind, hex: int) -> float:
    """What a fast unit would do by going to a hex: take a town, or overrun the centre."""
    war, pos = mind.war, mind.pos
    value = -0.2 * mind.draw[hex]
    if mind.lacking >> hex & 1:
        value += 8.0
    centre = pos.centre[1 - mind.side]
    if centre >= 0 and not units_in(war, pos, centre, 1 - mind.side):
        near = next_to(war, centre) | 1 << centre
        if near >> hex & 1:
            value += 15.0
    return value


def _best_raid(mind: Mind, here: int, ends: Mask) -> float:
    """How much better the best of some hexes is than where the unit is."""
    return max((_raid(mind, hex) for hex in bits(ends)), default=-99.0) - _raid(mind, here)


def _break_through(mind: Mind, option: Option) -> float:
    ends = beyond_reach(mind.war, mind.pos, option.unit).ends
    gain = _best_raid(mind, mind.pos.target, ends)
    return 50.0 + gain if gain > 2.0 else -1.0


def _exploit(mind: Mind, option: Option) -> float:
    ends = exploit_ends(mind.war, mind.pos, option.unit)
    gain = _best_raid(mind, mind.pos.hex[option.unit], ends)
    return gain if mind.side == ALLIED else gain - 4.0


def _raid_to(mind: Mind, option: Option) -> float:
    return _raid(mind, option.hex)


def _replace(mind: Mind, option: Option) -> float:
    """The step that adds most, where it is needed."""
    war, unit = mind.war, option.unit
    steps = mind.pos.steps[unit]
    gain = war.attack[unit][steps + 1] - war.attack[unit][steps]
    return 1.0 + gain + war.defence[unit][steps + 1] - war.defence[unit][steps]


def _rebuild(mind: Mind, option: Option) -> float:
    war, unit, steps = mind.war, option.unit, option.value
    return 0.8 * (war.attack[unit][steps] + war.defence[unit][steps]) / steps


def _to_the_front(mind: Mind, option: Option) -> float:
    """New units as near to the enemy as they can be placed; at a beach while it needs them."""
    war, pos, hex = mind.war, mind.pos, option.hex
    value = -float(mind.from_enemy[hex])
    if hex in pos.beaches:
        there = len(units_in(war, pos, hex, mind.side))
        value = 50.0 - there if there < 4 and war.halves[option.unit] == 2 else -20.0
    return value + 0.01 * mind.strength(option.unit)


def _withdraw(mind: Mind, option: Option) -> float:
    """The weakest goes; who is at the front is missed more."""
    war, pos, unit = mind.war, mind.pos, option.unit
    steps = pos.steps[unit]
    value = -float(war.attack[unit][steps] + war.defence[unit][steps])
    hex = pos.hex[unit]
    return value - 4.0 if hex != war.reserve and mind.from_enemy[hex] == 1 else value


def _deploy_at(mind: Mind, option: Option) -> float:
    """For a set-up unit by unit: where the unit stood in 1944, else near the front."""
    start = mind.war.start[option.unit]
    home = distances(mind.war, mind.war.home[1 - mind.side])
    return 100.0 if option.hex == start else -float(home[option.hex])


def _feed(mind: Mind, option: Option) -> float:
    return float(mind.strength(option.unit))


def _excess(mind: Mind, option: Option) -> float:
    return -float(mind.strength(option.unit))


JUDGES: Mapping[str, Callable[[Mind, Option], float]] = MappingProxyType(
    {
        "historical deployment": _gladly,
        "hold the rest in reserve": _never,
        "deploy": _done,
        "set up": _deploy_at,
        "place the centre": bot_centre.centre_start,
        "replace": _replace,
        "rebuild": _rebuild,
        "place": _to_the_front,
        "end replacements": _done,
        "bring on": _to_the_front,
        "withdraw": _withdraw,
        "send to reserve": bot_operations.send_to_reserve,
        "release": bot_operations.release,
        "end transfers": _done,
        "plan a landing": bot_operations.plan_landing,
        "plan an offensive": bot_operations.plan_offensive,
        "plan a bluff": bot_operations.plan_bluff,
        "plan nothing": _done,
        "land": bot_operations.land,
        "land with": bot_operations.land_with,
        "end landing": _done,
        "offensive": bot_operations.offensive,
        "commit": bot_operations.commit,
        "end commitment": _done,
        "no operation": _done,
        "move the centre": bot_centre.move_centre,
        "leave the centre": _done,
        "centre to": bot_centre.centre_to,
        "return the centre": bot_centre.return_centre,
        "wait for the centre": _done,
        "move": _move,
        "end movement": _done,
        "go": _go,
        "mobile attack": _mobile_attack,
        "take along": _take_along,
        "halt": _done,
        "attack": _attack,
        "end combat": _done,
        "attack with": _attack_with,
        "fight": _done,
        "air support": _support,
        "naval support": _support,
        "no more support": _done,
        "lose a step": _lose_step,
        "excess": _excess,
        "retreat": _gladly,
        "advance": _advance,
        "break through": _break_through,
        "break to": _raid_to,
        "stay": _done,
        "exploit": _exploit,
        "exploit to": _raid_to,
        "end exploitation": _done,
        "feed": _feed,
    }
)
