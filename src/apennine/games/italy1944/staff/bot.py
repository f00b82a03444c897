"""A bot that knows the game: a judgement for every verb, and the option that it likes best.

The Allies mass where the odds pay and make for the towns worth points; the Germans hold the best
line from coast to coast and fall back to the next one when it breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, JudgingBot, Kept, overall
from apennine.bots.staff.march import headway
from apennine.bots.staff.mass import Memory
from apennine.bots.staff.posts import Goals
from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.match import Seat

from ..rules.c04_zones import units_in, units_on_map
from ..rules.c06_logistics import supplied
from ..rules.c09_combat import ATTACK, ready
from ..rules.c09_exploitation import Exploitation, beyond_reach
from ..table.data import STACK
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from . import centre, odds, operations
from .advance import plan
from .mind import Mind, staff_of
from .weights import USUAL, Weights


class StaffBot(JudgingBot[Mind]):
    """Plays either side of Italy 1944 by rules of thumb and exact chances."""

    def __init__(self, war: War, seed: int | None = None, weights: Weights = USUAL) -> None:
        super().__init__(self._think, JUDGES)
        self._war = war
        self.heed(weights)
        self._seed = seed or 0
        self._planned, self._memory = Kept[Goals](), Memory()
        self._let_go = Kept[set[int]]()

    def heed(self, weights: Weights) -> None:
        """From now on weigh things like this; what was planned for later stays."""
        self._staff = staff_of(self._war, weights)

    def __call__(self, seat: Seat[Table]) -> Option:
        chosen = super().__call__(seat)
        if chosen.verb == "halt":  # who was let go without a step is not picked up again
            self._let_go_in(seat.dream(0).position).add(chosen.unit)
        return chosen

    def _let_go_in(self, pos: Table) -> set[int]:
        return self._let_go.get((pos.turn, pos.side), set)

    def _think(self, seat: Seat[Table]) -> Mind:
        pos = seat.dream(0).position
        tired = mask_of(self._let_go_in(pos))
        return Mind(self._staff, pos, seat.side, self._goals, self._memory, self._seed, tired)

    def _goals(self, mind: Mind) -> Goals:
        """The plan of a movement phase, made anew when the enemy is no longer where he was."""
        war, pos = mind.war, mind.pos
        seen = tuple((u, pos.hex[u], pos.steps[u]) for u in units_on_map(war, pos, 1 - pos.side))
        return self._planned.get((pos.turn, pos.side, seen), lambda: plan(mind))


def _move(mind: Mind, option: Option) -> float:
    """Units whose goal has room first; who should stay is not picked up."""
    goal = mind.goal(option.unit)
    if goal < 0 or goal == mind.pos.hex[option.unit] or mind.tired >> option.unit & 1:
        return -1.0
    return 2.0 if mind.count(goal) < STACK else 1.0


def _go(mind: Mind, option: Option) -> float:
    """To the goal; if that cannot be had, nearer to it."""
    goal, here = mind.goal(option.unit), mind.pos.hex[option.unit]
    away = mind.ground.distances(1 << goal if goal >= 0 else 0)
    return headway(away, here, option.hex, goal, mind.weights.march, mind.zone)


def _take_along(mind: Mind, option: Option) -> float:
    """Units of one pace that go to the same hex go together: so tanks can attack on the move."""
    war, pos = mind.war, mind.pos
    lead, unit = first_bit(pos.movers), option.unit
    goal = mind.goal(unit)
    if goal in (-1, pos.hex[unit]) or goal != mind.goal(lead) or war.pace[lead] != war.pace[unit]:
        return -1.0
    return 150.0 if mind.count(goal) + pos.movers.bit_count() < STACK else -1.0


def _mobile_attack(mind: Mind, option: Option) -> float:
    units = tuple(bits(mind.pos.movers))
    value = odds.attack_worth(mind, option.hex, units)
    pays = value > mind.weights.mobile_enough and odds.hoped_column(mind, option.hex, units) > 0
    return 200.0 + value if pays else -1.0


def _attack(mind: Mind, option: Option) -> float:
    """What the attack is worth with all that can join it; never in the worst column."""
    units = ready(mind.war, mind.pos, option.hex)
    if odds.hoped_column(mind, option.hex, units) <= 0:
        return -1.0
    return odds.attack_worth(mind, option.hex, units) - mind.weights.good_enough


def _attack_with(mind: Mind, option: Option) -> float:
    chosen = mind.once("force", lambda: mask_of(odds.force(mind, mind.pos.target)))
    return 1.0 + mind.attack(option.unit) if chosen >> option.unit & 1 else -1.0


def _support(mind: Mind, option: Option) -> float:
    """A marker, if the battle is worth enough more (or less, to the attacker) with it."""
    pos = mind.pos
    before = odds.battle_worth(mind)
    change = odds.battle_worth(mind, 1) - before
    if not change and pos.side == mind.side and odds.markers_left(mind, mind.side, coast=False) > 1:
        change = (odds.battle_worth(mind, 2) - before) / 2  # one alone does not leave the column
    gain = change if pos.side == mind.side else -change
    value = gain - _marker(mind)
    if option.verb == "naval support" and pos.side == ALLIED:
        return -1.0 if odds.keeps_ships(mind) else value + 0.01
    return value


def _marker(mind: Mind) -> float:
    """The least that a marker must bring: little if there are more than battles to come."""
    spare = odds.markers_left(mind, mind.side, coast=False) - odds.MOST_SUPPORT
    more = len(ATTACK.menu(mind.war, mind.pos))
    return mind.weights.spare_marker if spare >= more else mind.weights.marker[mind.side]


def _lose_step(mind: Mind, option: Option) -> float:
    """Who loses least of the factor that counts; tanks are spared, and last steps a little."""
    war, unit = mind.war, option.unit
    steps = mind.pos.steps[unit]
    factor = war.attack[unit] if mind.pos.side == mind.side else war.defence[unit]
    loss = float(factor[steps] - factor[steps - 1])
    return -loss - (1.0 if steps == 1 else 0.0) - (1.0 if war.tracks >> unit & 1 else 0.0)


def _advance(mind: Mind, option: Option) -> float:
    """The Allies follow up with three units, the Germans only into what is worth points."""
    german, here = mind.side == GERMAN, mind.pos.hex[option.unit]
    needed = here in mind.pos.beaches and mind.count(here) <= 2
    worthless = german and not mind.lacking >> option.hex & 1
    enough = mind.count(option.hex) >= (1 if german else 3)
    return -1.0 if needed or worthless or enough else 1.0 + mind.defence(option.unit)


def _raid(mind: Mind, unit: int, hex: int) -> float:
    """What a fast unit does in a hex: takes a town, overruns the centre, cuts lines of supply."""
    war, pos, enemy, weights = mind.war, mind.pos, 1 - mind.side, mind.weights
    value = weights.severed * severed(mind, unit, hex) - 0.2 * mind.draw[hex]
    if mind.lacking >> hex & 1:
        value += weights.raided_town
    target = pos.centre[enemy]
    if target >= 0 and not units_in(war, pos, target, enemy):
        near = war.beside[target] | 1 << target
        value += weights.raided_centre * (near >> hex & 1)
    return value


def severed(mind: Mind, unit: int, hex: int) -> int:
    """The enemy steps that would have no line of supply any more if a unit stood in a hex."""
    war, enemy = mind.war, 1 - mind.side
    before = mind.once("supply", lambda: supplied(war, mind.pos, enemy))

    def steps() -> int:
        there = mind.pos.copy()
        there.hex[unit] = hex
        lost = before & ~supplied(war, there, enemy)
        units = units_on_map(war, there, enemy) if lost else ()
        return sum(there.steps[u] for u in units if lost >> there.hex[u] & 1)

    return mind.once(f"severed from {hex}", steps)  # whoever goes there leaves a gap that is ours


def _best_raid(mind: Mind, unit: int, here: int, ends: Mask) -> float:
    """How much better the best of some hexes is than another."""
    best = max((_raid(mind, unit, hex) for hex in bits(ends)), default=-99.0)
    return best - _raid(mind, unit, here)


def _break_through(mind: Mind, option: Option) -> float:
    ends = beyond_reach(mind.war, mind.pos, option.unit).ends
    gain = _best_raid(mind, option.unit, mind.pos.target, ends)
    return 50.0 + gain if gain > mind.weights.raid[mind.side] else -1.0


def _exploit(mind: Mind, option: Option) -> float:
    unit, ends = option.unit, Exploitation(mind.war, mind.pos, option.unit).ends
    gain = _best_raid(mind, unit, mind.pos.hex[unit], ends)
    return gain if mind.side == ALLIED else gain - mind.weights.raid[GERMAN]


def _replace(mind: Mind, option: Option) -> float:
    """The step that adds most, where it is needed."""
    unit, steps = option.unit, mind.pos.steps[option.unit]
    return 1.0 + mind.factors(unit, steps + 1) - mind.factors(unit, steps)


def _rebuild(mind: Mind, option: Option) -> float:
    return 0.8 * mind.factors(option.unit, option.value) / option.value


def _to_the_front(mind: Mind, option: Option) -> float:
    """New units as near to the enemy as they can be placed; at a beach while it needs them."""
    war, pos, hex = mind.war, mind.pos, option.hex
    value = -float(mind.from_foe[hex])
    if hex in pos.beaches:
        there = mind.count(hex)
        value = 50.0 - there if there < 4 and war.halves[option.unit] == 2 else -20.0
    return value + 0.01 * mind.strength(option.unit)


def _withdraw(mind: Mind, option: Option) -> float:
    """The weakest goes; who is at the front is missed more."""
    unit, hex = option.unit, mind.pos.hex[option.unit]
    at_the_front = hex != mind.war.reserve and mind.from_foe[hex] == 1
    return -float(mind.factors(unit, mind.pos.steps[unit])) - 4.0 * at_the_front


def _deploy_at(mind: Mind, option: Option) -> float:
    """For a set-up unit by unit: where the unit stood in 1944, else near the front."""
    start = mind.war.start[option.unit]
    home = mind.ground.distances(mind.war.home[1 - mind.side])
    return 100.0 if option.hex == start else -float(home[option.hex])


JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {  # what only ends a step is not listed
        "historical deployment": GLADLY,
        "hold the rest in reserve": NEVER,
        "deploy": DONE,
        "set up": _deploy_at,
        "place the centre": centre.centre_start,
        "replace": _replace,
        "rebuild": _rebuild,
        "place": _to_the_front,
        "bring on": _to_the_front,
        "withdraw": _withdraw,
        "send to reserve": operations.send_to_reserve,
        "release": operations.release,
        "write a note": overall(operations.write_note),
        "plan a landing": operations.plan_landing,
        "plan an offensive": operations.plan_offensive,
        "plan a bluff": operations.plan_bluff,
        "land": operations.land,
        "land with": operations.land_with,
        "offensive": operations.offensive,
        "commit": operations.commit,
        "move the centre": overall(centre.move_centre),
        "centre to": lambda mind, option: centre.centre_gain(mind, option.hex),
        "return the centre": centre.return_centre,
        "move": _move,
        "go": _go,
        "mobile attack": _mobile_attack,
        "take along": _take_along,
        "halt": DONE,
        "attack": _attack,
        "attack with": _attack_with,
        "fight": DONE,
        "air support": _support,
        "naval support": _support,
        "lose a step": _lose_step,
        "excess": lambda mind, option: -mind.strength(option.unit),
        "retreat": GLADLY,
        "advance": _advance,
        "break through": _break_through,
        "break to": lambda mind, option: _raid(mind, option.unit, option.hex),
        "exploit": _exploit,
        "exploit to": lambda mind, option: _raid(mind, option.unit, option.hex),
        "feed": lambda mind, option: mind.strength(option.unit),
    }
)
