"""Combats: what is attacked and by whom, guns, leads, losses, retreats, advances, markers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, always
from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.mechanics.showing import imagined

from ..rules.c02_pieces import bombards, morale, those_in, unready
from ..rules.c04_stacking import fits
from ..rules.c05_zones import zone
from ..rules.c11_march import with_troops
from ..rules.c12_declaration import able, next_to
from ..rules.c12_odds import defenders
from ..rules.c12_orders import RELIEF
from ..rules.c15_bombardment import column, shelling, strength
from ..table.position import Table
from .force import Force
from .mind import Assault, Mind
from .plans import ground_factor

# The attack.


def lineup(mind: Mind, target: int) -> tuple[Assault, float] | None:
    """The best attack on a hex with who stands beside it, thought of once for its reasons."""
    war, pos = mind.war, mind.pos
    around = next_to(war, pos, able(war, pos), target)
    foes = those_in(war, pos, target, 1 - pos.side)
    steps = tuple([pos.steps[unit] for unit in bits(around | foes)])
    fired = tuple(pos.shots[unit] for unit in bits(war.artillery & mind.own.units))
    key = target, around, foes, steps, unready(pos), fired, pos.turn, pos.sequence, pos.phase

    def think() -> tuple[Assault, float] | None:
        found = mind.once("force", lambda: Force(mind)).lineup(target)
        return (found[0], found[1]) if found else None

    return mind.plan.shelf.get(key, think)


def attack(mind: Mind, option: Option) -> float:
    """What the attack is worth beyond the least."""
    found = lineup(mind, option.hex)
    return found[1] - mind.weights.least[not mind.leads] if found else -1.0


def declared(mind: Mind) -> Assault:
    """The attack that is being declared, thought of anew if it was not ours."""
    pos, kept = mind.pos, mind.plan.assault
    begun = bool(pos.attackers)
    if begun and kept and kept.target == pos.target and not pos.attackers & ~kept.attackers:
        return kept
    found = None if begun else lineup(mind, pos.target)
    kept = found[0] if found else Assault(pos.target, -1, -1)
    mind.plan.assault = kept
    return kept


def attack_with(mind: Mind, option: Option) -> float:
    """All who were meant to."""
    meant = declared(mind).attackers >> option.unit & 1
    return 10.0 + mind.strength(option.unit) if meant else -1.0


def storm(mind: Mind, option: Option) -> float:
    """The assault troops that were meant, once all attackers are named."""
    return 0.5 if declared(mind).shock >> option.unit & 1 else -1.0


# Guns.


def shelled(mind: Mind, table: Table) -> tuple[float, float]:
    """The hit points that both bombardments bring on average."""
    changes = sum([shift.columns for shift in shelling(mind.war, table)])
    chances, war = mind.staff.chances, mind.war
    ours = chances.shells(column(war, table, 0), changes)
    return ours, chances.shells(column(war, table, 1), 0)


def gain(mind: Mind, table: Table) -> float:
    """What the bombardments are worth to the side: its own less the enemy's."""
    attacker, defender = shelled(mind, table)
    return attacker - defender if mind.pos.side == mind.side else defender - attacker


def fire(mind: Mind, option: Option) -> float:
    """A gun that brings enough; the weak ones first, and those that may fire again."""
    pos, war = mind.pos, mind.war
    role = int(pos.side != mind.side)
    before = mind.once("guns", lambda: gain(mind, pos))
    guns = list(pos.guns)
    guns[role] |= 1 << option.unit
    more = gain(mind, imagined(pos, guns=guns)) - before
    if pos.phase == "exploitation" and not role:
        return 0.3 if strength(war, pos, 1) > 0 else -1.0
    again = 0.5 if pos.firing >> option.unit & 1 and not role else 0.0
    if role and column(war, pos, 1) < 0 and column(war, pos, 0) >= 0:
        more = max(more, 0.2)  # the first gun of a defence may answer, if it does not hit
    if not role:
        more += 0.05 * bombards(war, pos, option.unit)  # the next gun may make the column
    return more + again - mind.weights.gun


def counter(mind: Mind, option: Option) -> float:
    """A gun that takes more from the enemy's bombardment than it would bring."""
    pos = mind.pos
    before = mind.once("guns", lambda: gain(mind, pos))
    return gain(mind, imagined(pos, counter=pos.counter | 1 << option.unit)) - before - 0.01


# Leads and losses.


def lead(mind: Mind, option: Option) -> float:
    """Morale first; then whom the step that the lead pays costs least."""
    unit, pos = option.unit, mind.pos
    steps = pos.steps[unit]
    loss = value(mind, unit, steps) - value(mind, unit, steps - 1)
    return 6.0 * morale(mind.war, pos, unit) - 0.5 * loss


def value(mind: Mind, unit: int, steps: int) -> float:
    """What a unit with so many steps is worth; a full one may advance, and attack as such."""
    attack, defence, _, spirit = mind.war.faces[unit][steps] if steps else (0, 0, 0, 0)
    whole = 1.5 * (steps == mind.war.full[unit])
    return attack + defence + spirit + 2.0 * bool(steps) + whole


def lose_step(mind: Mind, option: Option) -> float:
    """Who loses least by it."""
    unit, steps = option.unit, mind.pos.steps[option.unit]
    if not mind.war.combat >> unit & 1:
        return 97.0
    return 100.0 - value(mind, unit, steps) + value(mind, unit, steps - 1)


def tire(mind: Mind, option: Option) -> float:
    """Who is worth least to the side now; of the enemy who is worth most."""
    worth = value(mind, option.unit, mind.pos.steps[option.unit])
    return worth if mind.war.side_of[option.unit] != mind.side else 50.0 - worth


# Retreats.


def pays(mind: Mind, points: int, hexes: int) -> float:
    """What so many hit points cost the defenders after a retreat of so many hexes."""
    units = defenders(mind.war, mind.pos)
    owed = max(points - RELIEF * hexes, 0)
    lost = float(min(owed, mind.cost(units)))
    if owed >= mind.cost(units):
        lost += 2.0  # nobody is left to hold anything
    if hexes > 1:
        lost += mind.weights.tired * units.bit_count()
    return lost


def give_ground(mind: Mind, option: Option) -> float:
    """So many hexes, against the hit points that they save and the hex that is lost."""
    return _worth_of_going(mind, option.value) - _worth_of_going(mind, 0)


def _worth_of_going(mind: Mind, hexes: int) -> float:
    pos, target = mind.pos, mind.pos.target
    points = pos.hits[1]
    if not hexes:
        units = defenders(mind.war, pos)
        holds = points < mind.cost(units)
        hex_worth = mind.points(target) + mind.weights.stand * ground_factor(mind, target) / 2
        return hex_worth * holds - pays(mind, points, 0)
    way = mind.weights.zone * bool(exits(mind, target) == 0)
    return -pays(mind, points, hexes) - way


def exits(mind: Mind, hex: int) -> Mask:
    """Where somebody could go back without loss."""
    beside = mind.war.lattice.cross(1 << hex, mind.war.ground.open) & mind.here.area
    return beside & ~mind.foe.closed & ~(mind.zone & ~mind.own.ground)


def fall_back(mind: Mind, option: Option) -> float:
    """The own way to good ground that is not threatened; the enemy's into the bad."""
    war, hex = mind.war, option.hex
    own = war.side_of[option.unit] == mind.side
    against = zone(war, mind.pos, war.side_of[option.unit] ^ 1)
    worth = 20.0 - 4.0 * (against >> hex & 1) + 0.5 * ground_factor(mind, hex)
    worth += 0.4 * min(mind.from_foe[hex], 3) if own else 0.0
    friends = those_in(war, mind.pos, hex, war.side_of[option.unit]) & war.combat
    worth -= 0.3 * friends.bit_count()
    if mind.commanded >> hex & 1:
        worth += 1.0
    return worth if own else 40.0 - worth


# Advances and markers.


def advance(mind: Mind, option: Option) -> float:
    """Into a hex that is worth it, but not everybody."""
    pos, unit, target = mind.pos, option.unit, mind.pos.target
    inside = those_in(mind.war, pos, target, mind.side) & mind.war.combat
    if not mind.leads and mind.points(target) <= mind.weights.ground + 0.1:
        return -1.0
    left = those_in(mind.war, pos, pos.hex[unit], mind.side) & mind.war.combat & ~(1 << unit)
    need = 1.0 if not inside else 0.6 if inside.bit_count() < 2 else 0.2
    leaves = 0.8 if not left and mind.zone >> pos.hex[unit] & 1 else 0.0
    need += 0.5 * (mind.beyond >> target & 1)
    return need + 0.02 * mind.guard(unit) - leaves


def push_on(mind: Mind, option: Option) -> float:
    """On, towards what the side lacks."""
    here = mind.pos.target
    if not mind.leads:
        return -1.0
    ahead = mind.draw[here] - mind.draw[option.hex]
    got = 2.0 if mind.lacking >> option.hex & 1 else 0.0
    got += 1.5 * (mind.beyond >> option.hex & 1)
    return ahead + got - 0.5 - 0.5 * (mind.zone >> option.hex & 1)


def exploit(mind: Mind, option: Option) -> float:
    """The strongest."""
    return 1.0 + mind.strength(option.unit)


def bring_up(mind: Mind, option: Option) -> float:
    """Into the hex that was attacked if it is thin, or into a gap beside it."""
    pos, unit, hex = mind.pos, option.unit, option.hex
    distance, here = mind.war.lattice.distance, pos.hex[unit]
    inside = sum(map(mind.guard, bits(those_in(mind.war, pos, hex, mind.side) & mind.war.combat)))
    units = those_in(mind.war, pos, hex, mind.side)
    if not fits(mind.war, pos, units | with_troops(mind.war, pos, unit)):
        return -1.0
    if distance(hex, pos.target) > 1 or distance(here, pos.target) <= distance(hex, pos.target):
        return -1.0
    alone = not those_in(mind.war, pos, here, mind.side) & mind.war.combat & ~(1 << unit)
    worth = 1.2 + 0.2 * mind.points(hex) + 0.3 * ground_factor(mind, hex) - 0.1 * inside
    return worth - 1.0 * (alone and mind.points(here) > 1.0)


def strip(mind: Mind, option: Option) -> float:
    """The strongest that is marked."""
    return 1.0 + mind.strength(option.unit)


def misdirect(mind: Mind, option: Option) -> float:
    """An enemy out of what he holds."""
    pos, unit = mind.pos, option.unit
    held = those_in(mind.war, pos, pos.hex[unit], 1 - mind.side) & mind.war.combat
    alone = not held & ~(1 << unit)
    before = mind.points(pos.hex[unit]) * alone
    return before - mind.points(option.hex) * 0.5 + mind.draw[option.hex] * 0.01


def give_up(mind: Mind, option: Option) -> float:
    """Whoever is worth least."""
    return 100.0 - value(mind, option.unit, mind.pos.steps[option.unit])


BATTLE_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "attack": attack,
        "attack with": attack_with,
        "storm with": storm,
        "go in": DONE,
        "fire with": fire,
        "counter with": counter,
        "guns ready": DONE,
        "lead the attack with": lead,
        "lead the defence with": lead,
        "lose a step": lose_step,
        "disorganize": tire,
        "give up": give_up,
        "give ground": give_ground,
        "stand fast": DONE,
        "fall back": fall_back,
        "stand": always(19.0),  # out of the enemy's zone, on good ground
        "split off": NEVER,
        "recoil with": give_up,
        "advance": advance,
        "push on": push_on,
        "hold": DONE,
        "exploit with": exploit,
        "stand down": NEVER,
        "bring up": bring_up,
        "strip": strip,
        "misdirect": misdirect,
        "activate": lambda mind, option: activate(mind, option.unit),
        "give to Bruchmüller": lambda mind, option: activate(mind, option.unit),
        "disengage with": GLADLY,
    }
)


def activate(mind: Mind, unit: int) -> float:
    """The guns in whose range most can be won."""
    hex = mind.pos.hex[unit]
    near = mind.war.lattice.disc(hex, mind.war.roster[unit].range)
    worth = sum(mind.points(each) for each in bits(near & mind.enemy))
    ours = mind.own.among(near) & mind.war.combat
    return 1.0 + 0.2 * worth + 0.02 * sum(map(mind.strength, bits(ours)))
