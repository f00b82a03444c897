"""Invasions and the sea: where to land, with whom, and who follows by which port."""

from __future__ import annotations

from apennine.bots.staff.judge import taste
from apennine.bots.staff.posts import Goal
from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option

from ..rules.b4d_stacking import load
from ..rules.b4e_zones import there
from ..rules.c5_invasion import invasion_of_turn
from ..rules.c7_sea import can_put_to_sea, entry_intake
from ..table.position import ALLIED, OPEN
from ..table.terrain import Base
from .force import Force
from .mind import Mind

REACH = 7
"""Hexes from a beach within which places and enemies count."""


def base_at(mind: Mind, hex: int) -> Base:
    """The invasion zone of a beach."""
    bases = mind.war.ground.bases
    numbers = mind.war.ground.base_at[hex]
    return next(bases[n] for n in numbers if not bases[n].is_port)


def beach_worth(mind: Mind, base: Base) -> float:
    """What speaks for a landing: places near by, room, and few enemies; and the bot's taste."""
    return mind.once(("beach", base.name), lambda: _beach_worth(mind, base))


def _beach_worth(mind: Mind, base: Base) -> float:
    weights, away = mind.weights, mind.ground.distances(base.hexes)
    value = 0.15 * base.lift + 0.1 * base.build_up + 0.03 * base.capacity
    for hexes in mind.places.values():
        near = min(away[hex] for hex in bits(hexes))
        if hexes & mind.lacking and near <= REACH:
            value += weights.near_place * (1.0 - near / (REACH + 2))
    for unit in bits(mind.foe.units):
        near = away[mind.pos.hex[unit]]
        value -= weights.foe_near * mind.defence(unit) * (near <= 2)
        value -= weights.foe_strikes * mind.attack(unit) * max(0.0, 1.0 - near / (2 * REACH))
    return value + weights.whim * taste(mind.plan.seed, "beach", base.name)


def invade(mind: Mind, option: Option) -> float:
    """The best beach; a second landing only where it is worth while and enough can go."""
    found = invasion_of_turn(mind.war, mind.pos)
    base = base_at(mind, option.hex)
    value = beach_worth(mind, base)
    behind = mind.ground.distances(mind.own.occupied)[option.hex] >= 4
    useful = behind and not base.hexes & mind.pos.friendly
    if found and found[1].must:
        return 1000.0 + value if useful else 500.0 + value
    ready = load(mind.war, ready_to_land(mind))
    wanted = useful and ready >= mind.weights.least_lift and value > mind.weights.second
    return 1000.0 + value if wanted else -1.0


def ready_to_land(mind: Mind) -> Mask:
    """The units that could land: in Sicilia, or in a port away from the enemy."""
    war, pos = mind.war, mind.pos
    found = can_put_to_sea(war, pos) & war.invaders & ~(war.replacements | pos.soft)
    return mask_of(
        unit
        for unit in bits(found)
        if pos.hex[unit] >= war.lattice.size or mind.from_foe[pos.hex[unit]] > 3
    )


def land(mind: Mind, option: Option) -> float:
    """As it was planned; and if there is no plan, somebody must."""
    goal = mind.goal(option.unit)
    if goal == option.hex:
        return 600.0 + mind.value(option.unit, mind.pos.steps[option.unit])
    return 0.5 if not mind.pos.lifted else -1.0


# The sea.


def ship(force: Force) -> None:
    """Who is left in Sicilia goes to Messina and Taranto, as far as supply will last."""
    mind = force.mind
    war, pos = mind.war, mind.pos
    if mind.side != ALLIED:
        return
    room = {
        entry.place: entry_intake(war, pos, entry)
        for entry in war.ground.entries
        if entry.name == "Taranto" or pos.turn <= mind.weights.messina
    }
    spare = capacity(mind) - load(war, mind.own.units)
    waiting = [u for u in force.free if pos.hex[u] == war.ground.sicilia]
    kept = kept_back(mind)
    for unit in sorted(waiting, key=lambda u: (-mind.value(u, pos.steps[u]), u)):
        size = war.stacking[unit]
        able = [p for p, left in room.items() if left >= size]
        if not able or spare < size or (kept | war.replacements | pos.soft) >> unit & 1:
            continue
        place = max(able, key=lambda p: (room[p], p))
        room[place] -= size
        spare -= size
        force.goals[unit] = Goal(place)
        force.free.remove(unit)


def capacity(mind: Mind) -> int:
    """The stacking points that all ports at work, Messina and Taranto can supply."""
    war, pos = mind.war, mind.pos
    bases = zip(war.ground.bases, pos.bases)
    total = sum([base.capacity for base, state in bases if state == OPEN])
    return total + sum([entry.capacity for entry in war.ground.entries])


def kept_back(mind: Mind) -> Mask:
    """Divisions that wait in Sicilia for a second landing, if this bot means to make one."""
    war, pos, weights = mind.war, mind.pos, mind.weights
    scenario = war.book.scenarios[pos.scenario]
    second = next((i for i in scenario.invasions if i.key == "second"), None)
    made = second is None or pos.turn > second.last or pos.invaded >= second.first
    if made or second is None or pos.turn + weights.saving < second.first:
        return 0
    if taste(pos.scenario + mind.plan.seed, "second landing") > weights.second_chance:
        return 0
    found, points = 0, 0
    waiting = there(war, pos, ALLIED).stack(war.ground.sicilia) & war.invaders
    for unit in sorted(
        bits(waiting & ~war.replacements), key=lambda u: (-mind.landing_value(u), u)
    ):
        if points < weights.least_lift + 4:
            found |= 1 << unit
            points += war.stacking[unit]
    return found


def sail(mind: Mind, option: Option) -> float:
    """To the box that was meant, or to the shore that is nearest to the goal."""
    war, pos = mind.war, mind.pos
    unit = first_bit(pos.movers)
    goal, here = mind.goal(unit), pos.hex[unit]
    if option.hex == goal:
        return 500.0
    if option.hex >= war.lattice.size:
        return -1.0
    if goal < 0 or goal >= war.lattice.size or here < war.lattice.size:
        return -1.0
    return 300.0 - mind.way(unit, 1 << goal)[option.hex]


def come_on(mind: Mind, option: Option) -> float:
    """By the edge hex that is nearest to the goal."""
    unit = first_bit(mind.pos.movers)
    goal = mind.goal(unit)
    if not 0 <= goal < mind.war.lattice.size:
        return -1.0
    return 1000.0 - mind.way(unit, 1 << goal)[option.hex]


def come_ashore(mind: Mind, option: Option) -> float:
    """Evacuated units rest in Sicilia."""
    return 1.0 if option.hex == mind.war.ground.sicilia else 0.0
