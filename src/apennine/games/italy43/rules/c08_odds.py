"""Chapters 8 and 9: who may attack, the strengths, and the column with every shift.

All of this only looks: the battle itself and what is shown of it before come from the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from apennine.hexes import Mask, bits
from apennine.kernel.order import Bars, what_stays
from apennine.mechanics.odds import Odds, Shift

from ..table.position import NAVAL, NOBODY, Table
from ..table.war import War
from .c02_pieces import (
    elite,
    formation_of,
    in_the_field,
    is_wet,
    low,
    mountaineers,
    sky,
    there,
    those_in,
    unready,
)
from .c05_areas import closed_land

REGULAR, AUTOMATIC, BREAKTHROUGH = 0, 1, 2
"""Kinds of combat: of the Combat Phase (8.1), Automatic DS (8.7), Breakthrough Combat (15)."""


class Assault(NamedTuple):
    """An attack as it is weighed: the hex, who attacks it, and who of them at full strength."""

    target: int
    attackers: Mask
    force: Mask
    """The Main Assault Force with its attachments (8.4)."""


# Who attacks (8.1, 8.2).


def may_attack(war: War, pos: Table, target: int, kind: int) -> Mask:
    """The units that may join an attack on a hex, beside those who have."""
    return what_stays(joining(war, pos, target, kind))


def joining(war: War, pos: Table, target: int, kind: int) -> Bars:
    """The bars on a unit that would join an attack on a hex."""
    side, ground = pos.side, war.ground
    present = there(war, pos, side)
    yield from in_the_field(war, pos, side)
    near = present.among(ground.beside[target])
    yield near, _out_of_touch(present.among(war.lattice.ring(target, 1)), near)
    yield ~pos.attackers, "{unit} is in this attack already", "8.1b"
    if kind == BREAKTHROUGH:
        yield pos.group, "{unit} is not in the Breakthrough Group", "15.2.2a"
        along = present.among(war.lattice.cross(1 << target, ground.tracked))
        yield along, "Only a road or a pass leads a Breakthrough Combat there", "15.2.6c"
    else:
        yield ~pos.attacked, "{unit} has attacked already, or may not attack again", "8.1b"
    yield ~war.artillery, "{unit} has no Attack Strength, it only supports", "17.7a"
    yield ~unready(pos), "{unit} is not in Good Order", "13.2.1b"
    yield ~pos.trucked, "{unit} is in trucks and may not attack", "5.7c"
    yield ~pos.replaced, "{unit} has taken a replacement and may not attack", "20.4b"
    yield ~beside_replaced(war, pos), "A unit in its hex has taken a replacement", "20.4c"
    shut = closed_land(war, pos, side) >> target & 1
    yield not shut, "That hex may not be entered, so it may not be attacked", "8.1f"
    yield from _over_sides(war, pos, target)
    if pos.attackers:
        army = war.armies[war.army_of[(pos.attackers & -pos.attackers).bit_length() - 1]]
        yield army, "British units attack only with British units", "8.6.1a"


def _out_of_touch(around: Mask, near: Mask) -> Bars:
    yield near | ~around, "The sea lies between {unit} and the hex that is attacked", "8.1f"
    yield 0, "{unit} is not next to the hex that is attacked", "8.1a"


def _over_sides(war: War, pos: Table, target: int) -> Bars:
    """What a unit may not cross when it moves it may not attack over (8.1f)."""
    ground, cross, hex = war.ground, war.lattice.cross, 1 << target
    present = there(war, pos, pos.side)
    way = present.among(cross(hex, ground.vehicle_sides))
    needs = "{unit} needs a road or a pass to attack over the mountains"
    yield way | ~war.vehicles, needs, "9.7c"
    if is_wet(war, pos):
        bridged = present.among(cross(hex, ground.wet_vehicle_sides))
        yield (
            bridged | ~war.vehicles,
            "In rain {unit} needs a bridge to attack over a river",
            "23.4a",
        )
    if pos.halved:
        high = present.among(cross(hex, ground.mountains)) & pos.halved
        yield ~high, "{unit} is at half effectiveness, not over mountains", "25.2e"
        wet = present.among(cross(hex, ground.rivers)) & pos.halved & war.vehicles
        yield ~wet, "{unit} is at half effectiveness, not over a river", "25.2e"


def beside_replaced(war: War, pos: Table) -> Mask:
    """The units of the side in hexes with a Replacement marker (20.4c)."""
    found, present = 0, there(war, pos, pos.side)
    for unit in bits(pos.replaced & war.army[pos.side]):
        found |= present.stack(pos.hex[unit])
    return found


# The Main Assault Force (8.4).


def assault_force(war: War, pos: Table) -> Mask:
    """The attackers at full strength: the formation of the main unit, and its attachments."""
    if pos.main == NOBODY:
        return 0
    return formation(war, pos, pos.main, pos.attackers) | pos.attached


def formation(war: War, pos: Table, main: int, attackers: Mask) -> Mask:
    """The attackers of a unit's formation; an independent one is alone (8.4.2, 8.4.4c)."""
    own = formation_of(war, pos, main)
    if own < 0:
        return 1 << main
    return sum([1 << u for u in bits(attackers) if formation_of(war, pos, u) == own])


def formations(war: War, pos: Table, attackers: Mask) -> list[int]:
    """A unit of each formation among some attackers, and every independent one."""
    found, left = list[int](), attackers
    while left:
        main = (left & -left).bit_length() - 1
        found.append(main)
        left &= ~formation(war, pos, main, attackers)
    return found


def attachable(war: War, pos: Table, main: int, attackers: Mask, attached: Mask) -> Bars:
    """The bars on an attachment to the formation of a unit (8.4.3)."""
    own = formation(war, pos, main, attackers)
    yield attackers, "{unit} does not take part in this attack", "8.4.3a"
    yield ~(own | attached), "{unit} is in the Main Assault Force already", "8.4.3a"
    foot = war.infantry | war.recon
    fit = war.silhouettes | foot
    yield fit, "Only a silhouetted tank, infantry or reconnaissance may be attached", "8.4.3a"
    if attached & war.silhouettes:
        yield ~war.silhouettes, "A tank unit is attached already", "8.4.3a"
    if attached & foot:
        yield ~foot, "An infantry or reconnaissance unit is attached already", "8.4.3a"
    present = there(war, pos, pos.side)
    with_it = present.among(sum({1 << pos.hex[unit] for unit in bits(own)}))
    yield with_it, "{unit} is not stacked with a unit of the Main Assault Force", "8.4.3b"
    nation = war.roster[main].nation
    kin = war.nationals[nation] | war.nationals["US"]
    if nation != "US":
        yield kin, "French and Italian units are attached only to American ones", "8.6.2c"


def forces(war: War, pos: Table, main: int, attackers: Mask, attached: Mask = 0) -> Iterator[Mask]:
    """Every Main Assault Force of a unit's formation, with what is attached and may yet be."""
    own = formation(war, pos, main, attackers)
    yield own | attached
    for unit in bits(what_stays(attachable(war, pos, main, attackers, attached))):
        yield own | attached | 1 << unit
        more = attachable(war, pos, main, attackers, attached | 1 << unit)
        for other in bits(what_stays(more) & -(2 << unit)):
            yield own | attached | 1 << unit | 1 << other


# Strengths (8.5, 9.1, 9.7, 9.8).


def attack_strength(war: War, pos: Table, unit: int, target: int, force: Mask) -> int:
    """What an attacker counts; a strength is never halved more than once (9.1a)."""
    printed = war.attack[unit][pos.steps[unit]]
    return (printed + 1) // 2 if is_halved(war, pos, unit, target, force) else printed


def is_halved(war: War, pos: Table, unit: int, target: int, force: Mask) -> bool:
    """9.1d: the reasons to halve an attacker."""
    bit, ground, hex = 1 << unit, war.ground, pos.hex[unit]
    if bit & ~force or bit & (pos.hungry | pos.halved):  # 8.4.1b, 16.4b, 25.2c
        return True
    d = war.lattice.direction(hex, target)
    if ground.major_rivers[d] >> hex & 1:  # 9.7h
        return True
    if bit & war.vehicles and (ground.rivers[d] | ground.marsh) >> hex & 1:  # 9.7e, 9.7g
        return True
    return bool(ground.mountains[d] >> hex & 1 and bit & ~mountaineers(war, pos))  # 9.7b, 19.3b


def attack_total(war: War, pos: Table, assault: Assault) -> int:
    """The attack, no more than twenty points of it (8.5)."""
    target, attackers, force = assault
    total = sum([attack_strength(war, pos, unit, target, force) for unit in bits(attackers)])
    return min(total, war.book.limits.strength)


def obstructed(war: War, pos: Table, unit: int, target: int) -> bool:
    """Whether a unit attacks over a river or mountains, or out of a marsh (9.7, 9.3.3b)."""
    ground, hex = war.ground, pos.hex[unit]
    d = war.lattice.direction(hex, target)
    return bool((ground.rivers[d] | ground.mountains[d] | ground.marsh) >> hex & 1)


def defending(war: War, pos: Table, target: int, kind: int) -> Mask:
    """The units that count in the defence of a hex, all as one (8.1d).

    Not those in Full Retreat (13.3.2g), not those that have retreated to their friends in this
    phase, unless it is Breakthrough Combat (12.5a, 12.5c), not those over the stacking limit there
    (15.3b); artillery only if it is alone (9.8a).
    """
    units = those_in(war, pos, target, 1 - pos.side)
    count = units & ~pos.routed
    if kind == REGULAR and units & ~pos.retreated:
        count &= ~pos.retreated
    if kind == BREAKTHROUGH:
        count &= ~pos.excess
    return count & ~war.artillery or count


def defence_strength(war: War, pos: Table, unit: int, target: int, hindered: bool) -> int:
    """What a defender counts: doubled once, halved once, or neither (9.1).

    `hindered`: every attacker comes over a river or mountains or out of a marsh (9.7d, f, i, j).
    """
    bit, printed = 1 << unit, war.strength[unit][pos.steps[unit]]
    rough = war.ground.rough >> target & 1 and bit & ~(war.silhouettes | war.artillery)  # 9.7a
    doubled, halved = bool(rough or hindered), bool(bit & pos.disrupted)  # 9.1e
    if doubled == halved:
        return printed  # 9.1c
    return 2 * printed if doubled else (printed + 1) // 2


def defence_total(war: War, pos: Table, target: int, kind: int, attackers: Mask) -> int:
    """The defence, no more than twenty points of it (8.5)."""
    hindered = attackers > 0 and all(obstructed(war, pos, unit, target) for unit in bits(attackers))
    counting = defending(war, pos, target, kind)
    each = [defence_strength(war, pos, u, target, hindered) for u in bits(counting)]
    total = max(each, default=0) if counting & war.artillery else sum(each)  # 9.8b
    return min(total, war.book.limits.strength)


# Odds and shifts (8.3, 9.2 to 9.6).


def odds(war: War, pos: Table, kind: int) -> Odds:
    """The odds of the battle under way, with everything that goes into them."""
    assault = Assault(pos.target, pos.attackers, assault_force(war, pos))
    return weigh(war, pos, kind, assault, tuple(support_shifts(war, pos, kind)))


def weigh(
    war: War, pos: Table, kind: int, assault: Assault, support: tuple[Shift, ...] = ()
) -> Odds:
    """The odds of an attack, with support if there is any (8.3.1)."""
    attack = attack_total(war, pos, assault)
    defence = defence_total(war, pos, assault.target, kind, assault.attackers)
    return war.ladder.odds(attack, defence, (*shifts(war, pos, kind, assault), *support))


def shift(war: War, key: str) -> Shift:
    """A line of the shift chart."""
    return war.book.shifts[key].shift()


def shifts(war: War, pos: Table, kind: int, assault: Assault) -> Iterator[Shift]:
    """What quality, tanks, fortifications and mud do (8.3.1c)."""
    target, attackers, force = assault
    if is_elite(war, pos, force):
        yield shift(war, "elite")
    if attackers and not attackers & ~low(war, pos):
        yield shift(war, "low")
    yield from tank_shift(war, pos, kind, assault)
    if pos.forts >> target & 1:
        yield shift(war, "fort_2" if pos.strongholds >> target & 1 else "fort_1")
    if sky(war, pos) == "mud":
        yield shift(war, "mud")


def is_elite(war: War, pos: Table, force: Mask) -> bool:
    """9.2.1: most units of the force are elite, or elite infantry is with tanks in it."""
    best = force & elite(war, pos)
    if 2 * best.bit_count() > force.bit_count():
        return True
    return bool(best & war.infantry and force & war.tanks)


def tank_shift(war: War, pos: Table, kind: int, assault: Assault) -> Iterator[Shift]:
    """9.3: the better tanks, of the force and of the defender, on open ground (9.3.3)."""
    target, _, force = assault
    ground = war.ground
    if (ground.rough | ground.marsh | pos.forts) >> target & 1:
        return
    defenders = those_in(war, pos, target, 1 - pos.side) & war.tanks & ~pos.routed  # 13.2.2
    if kind == BREAKTHROUGH:
        defenders &= ~pos.excess
    theirs = max([rating(war, pos, unit) for unit in bits(defenders)], default=0)
    tanks = list(bits(force & war.tanks))
    free = [u for u in tanks if not obstructed(war, pos, u, target)]
    ours = max([rating(war, pos, u) - (war.destroyers >> u & 1) for u in free], default=0)
    if free and ours > theirs:
        yield shift(war, "tanks")
    elif ours < theirs and len(free) == len(tanks):
        yield shift(war, "enemy_tanks")


def rating(war: War, pos: Table, unit: int) -> int:
    """The Tank Rating of a unit, or of its Remnant."""
    return war.rating[unit][pos.remnants >> unit & 1]


def support_shifts(war: War, pos: Table, kind: int) -> Iterator[Shift]:
    """What both sides have declared; none but in regular combat (8.7.1b, 15.2.7a)."""
    if kind != REGULAR:
        return
    air, division, corps = pos.support
    if air:
        yield shift(war, "air")
    if division != NOBODY:
        yield shift(war, "division")
    if corps != NOBODY:
        yield shift(war, "naval" if corps == NAVAL else "corps")
    air, guns = pos.defence
    if air:
        yield shift(war, "enemy_air")
    if guns != NOBODY:
        yield shift(war, "enemy_naval" if guns == NAVAL else "enemy_artillery")


# What an attack must reach (8.3.2, 8.7.1).


def reaches(war: War, kind: int, found: Odds) -> bool:
    """Whether an attack may be made: 1-3 before shifts, or 10-1 after them for an Automatic DS."""
    if kind == AUTOMATIC:
        return is_shattering(war, found)
    return found.raw >= war.ladder.index(war.book.limits.least)


def is_shattering(war: War, found: Odds) -> bool:
    """8.3.2d: 10-1 or more after shifts needs no die."""
    return found.shifted >= war.ladder.index(war.book.limits.shattered)


def can_fight(war: War, pos: Table, kind: int, target: int, attackers: Mask) -> bool:
    """Whether just these attackers reach what they must with some Main Assault Force."""
    if not attackers:
        return False
    if kind != AUTOMATIC and _is_enough(war, pos, kind, target, attackers):
        return True
    mains = formations(war, pos, attackers)
    return any(can_lead(war, pos, kind, target, attackers, main) for main in mains)


def can_lead(
    war: War, pos: Table, kind: int, target: int, attackers: Mask, main: int, attached: Mask = 0
) -> bool:
    """Whether they do with a unit's formation as Main Assault Force, and what may be attached."""
    return any(
        reaches(war, kind, weigh(war, pos, kind, Assault(target, attackers, force)))
        for force in forces(war, pos, main, attackers, attached)
    )


def _is_enough(war: War, pos: Table, kind: int, target: int, attackers: Mask) -> bool:
    """A quick test: the odds suffice even if everybody is halved."""
    attack = attack_total(war, pos, Assault(target, attackers, 0))
    defence = defence_total(war, pos, target, kind, attackers)
    return war.ladder.column(attack, defence) >= war.ladder.index(war.book.limits.least)


def can_be_attacked(war: War, pos: Table, kind: int, target: int, named: Mask, more: Mask) -> bool:
    """Whether some of `more` beside those named could reach what they must, all of one army."""
    sets = gatherings(war, pos, kind, named, more)
    return any(can_fight(war, pos, kind, target, attackers) for attackers in sets)


def gatherings(war: War, pos: Table, kind: int, named: Mask, more: Mask) -> Iterator[Mask]:
    """The strongest sets of attackers that those named can still become, all of one army."""
    for army in war.armies:
        every = named | more & army
        if named & ~army or not every:
            continue
        yield every
        if kind == AUTOMATIC:
            yield from _choicest(war, pos, named, every)


def _choicest(war: War, pos: Table, named: Mask, every: Mask) -> Iterator[Mask]:
    """For an Automatic DS: without such of a formation as would outnumber its elite units."""
    for main in formations(war, pos, every):
        own = formation(war, pos, main, every)
        plain = own & ~elite(war, pos)
        spare = sorted(bits(plain & ~named), key=lambda u: war.attack[u][pos.steps[u]])
        surplus = plain.bit_count() - (own & elite(war, pos)).bit_count() + 1
        if 0 < surplus <= len(spare):
            yield every & ~sum([1 << unit for unit in spare[:surplus]])
