"""Battles: who attacks with whom, what supports it, losses, standing, retreats, advances."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, overall
from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Option

from ..rules.c02_pieces import formation_of, there
from ..rules.c04_stacking import overstacked
from ..rules.c08_odds import AUTOMATIC, BREAKTHROUGH, Assault, odds, reaches, weigh
from ..rules.c11_determined import bonus, modifiers
from ..table.position import ALLIED, NOBODY, Table
from ..telling.previews import kind_of
from .chances import NO_LEAD
from .force import Force
from .hold import need
from .mind import Mind

# The attack.


def attack(mind: Mind, option: Option) -> float:
    """What the attack is worth with the best of those who can join it."""
    found = mind.once("force", lambda: Force(mind)).lineup(option.hex)
    if found is None:
        return -1.0
    return found.worth - mind.weights.good_enough[mind.side]


def shatter(mind: Mind, option: Option) -> float:
    """Whoever can be shattered is, but not while a stack near him is too high on its way (4.4c)."""
    if overstacked(mind.war, mind.pos, mind.side) & mind.war.ground.beside[option.hex]:
        return -1.0
    return 50.0 if mind.once("force", lambda: Force(mind)).lineup(option.hex, AUTOMATIC) else -1.0


def declared(mind: Mind) -> Assault:
    """The attack that is being declared, thought of anew if it was not ours."""
    pos, kept = mind.pos, mind.plan.assault
    if kept and kept.target == pos.target and not pos.attackers & ~kept.attackers:
        return kept
    found = None if pos.attackers else Force(mind).lineup(pos.target, kind_of(pos))
    kept = found.assault if found else Assault(pos.target, pos.attackers or -1, pos.attackers or -1)
    mind.plan.assault = kept
    return kept


def attack_with(mind: Mind, option: Option) -> float:
    """All who were meant to."""
    return 10.0 + mind.attack(option.unit) if declared(mind).attackers >> option.unit & 1 else -1.0


def main_assault(mind: Mind, option: Option) -> float:
    """The formation that was meant: that of most of the force; else the strongest."""
    war, pos = mind.war, mind.pos
    own = formation_of(war, pos, option.unit)
    kin = [u for u in bits(pos.attackers) if own >= 0 and formation_of(war, pos, u) == own]
    force = mask_of(kin) | 1 << option.unit
    meant = declared(mind).force & force
    return float(sum(map(mind.attack, bits(force)))) + 100.0 * bool(meant == force)


def attach(mind: Mind, option: Option) -> float:
    """Whoever may be, those first who were meant to."""
    meant = declared(mind).force >> option.unit & 1
    return 1.0 + mind.attack(option.unit) + 10.0 * meant


# Support.


def shifted(mind: Mind, columns: int) -> float:
    """The battle under way as the attacker sees it, if it is shifted by so many columns."""
    war, pos = mind.war, mind.pos
    found = mind.once("odds", lambda: odds(war, pos, kind_of(pos)))
    return mind.worth(pos.target, found.shifted + columns, pos.side)


def support(mind: Mind, option: Option) -> float:
    """A shift, or a better stand, if it brings enough."""
    pos, weights = mind.pos, mind.weights
    least = weights.guns if option.verb == "fire" else weights.sorties
    if pos.lead != NOBODY:
        return steadied(mind) - least
    if option.unit >= 0 and mind.war.howitzers >> option.unit & 1:
        return 0.5
    if pos.side == mind.side:
        gain = max(shifted(mind, n) - shifted(mind, 0) for n in (1, 2))
    else:
        gain = shifted(mind, 0) - shifted(mind, -1)
    own = 0.02 * (option.unit >= 0 and bool(mind.war.divisional >> option.unit & 1))
    return gain - least + own


def steadied(mind: Mind) -> float:
    """What support adds to a determined defence."""
    return stand_worth(mind, 1) - stand_worth(mind, 0)


# Standing.


def stand_worth(mind: Mind, more: int) -> float:
    """What a determined defence is worth to the defender beside falling back."""
    war, pos, side = mind.war, mind.pos, mind.side
    hex, weights = pos.target, mind.weights
    stack = mind.stack(hex, side)
    if stack.lead > NO_LEAD:
        lead = pos.lead
        added = bonus(modifiers(war, pos, lead)) if lead != NOBODY else stack.lead - pos.orange
        stack = stack._replace(lead=added + more)
    promise = mind.staff.chances.stand(stack)
    points = mind.points(hex) if not (pos.control >> hex & 1) ^ (side == ALLIED) else 0
    value = weights.stand[side] + weights.point * points + 0.3 * mind.strong[hex]
    held = (1.0 - promise.falls) * value
    lost = mind.step(side) * promise.defender
    return held + 0.7 * promise.attacker - lost + 5.0 * stack.trapped


def lead(mind: Mind, option: Option) -> float:
    """The best modifier, then whoever has steps to lose, the weaker first."""
    war, pos, unit = mind.war, mind.pos, option.unit
    steps = pos.steps[unit]
    loss = mind.value(unit, steps) - mind.value(unit, steps - 1)
    return 3.0 * bonus(modifiers(war, pos, unit)) + min(steps, 2) - 0.2 * loss


def lose_step(mind: Mind, option: Option) -> float:
    """Of one's own who loses least, of the enemy's who loses most."""
    unit = option.unit
    steps = mind.pos.steps[unit]
    loss = mind.value(unit, steps) - mind.value(unit, steps - 1) + (1.0 if steps == 1 else 0.0)
    return loss if mind.war.side_of[unit] != mind.side else 100.0 - loss


def retreat(mind: Mind, option: Option) -> float:
    """Where it is safe and strong, with friends who are not too many."""
    war, pos, hex, side = mind.war, mind.pos, option.hex, mind.side
    if hex >= war.lattice.size:
        return 1.0
    friends = there(war, pos, side).stack(hex)
    value = 10.0 + min(mind.from_foe[hex], 4) + mind.strong[hex]
    if friends:
        value += 0.5
        fits = mind.once(("room", hex), lambda: Force(mind).room(option.unit, hex, friends))
        value -= 0.0 if fits else 3.0
    return value + 2.0 * (mind.points(hex) > 0)


def disengage(mind: Mind, option: Option) -> float:
    """Who is worn out; Germans also who are far too weak, where there is nothing to be held."""
    pos, whole = mind.pos, option.unit < 0
    hex = option.hex if whole else pos.hex[option.unit]
    units = mind.own.stack(hex) if whole else 1 << option.unit
    if mind.points(hex) or pos.forts >> hex & 1:
        return -1.0
    weak = all(map(mind.is_tired, bits(units)))
    if mind.side != ALLIED:
        weak |= 2 * sum(map(mind.defence, bits(mind.own.stack(hex)))) < need(mind, hex)
    return (0.3 if whole else 0.2) if weak else -1.0


# Advances.


def advance(mind: Mind, option: Option) -> float:
    """The Allies follow up, the Germans into what is worth points or stronger ground."""
    pos, unit, hex = mind.pos, option.unit, option.hex
    return gain_of(mind, unit, pos.hex[unit], hex)


def gain_of(mind: Mind, unit: int, here: int, hex: int) -> float:
    """How much better a hex is than another for a unit that advances."""
    if hex >= mind.war.lattice.size:
        return -5.0
    return place_worth(mind, unit, hex) - place_worth(mind, unit, here)


def place_worth(mind: Mind, unit: int, hex: int) -> float:
    """How well a unit would stand in a hex after an advance."""
    here = mind.pos.hex[unit]
    others = mind.own.stack(hex) & ~(1 << unit)
    guard = sum(map(mind.defence, bits(others)))
    value = 3.0 * mind.points(hex) * (mind.lacking >> hex & 1)
    value += 0.3 * mind.strong[hex]
    if not mind.supplied >> hex & 1 and hex != mind.pos.vacated:
        value -= 3.0
    if mind.side == ALLIED:
        value -= 0.4 * mind.draw(unit)[hex]
        value -= max(0.0, 0.8 - 0.1 * guard) if mind.zone >> hex & 1 else 0.0
        value += 1.0 if hex == mind.pos.vacated and not others else 0.0
    else:
        value -= 0.6 if hex != here else 0.0
        value -= 0.5 * ((mind.zone >> hex & 1) and guard < 3)
    return value


def spearhead(mind: Mind, option: Option) -> float:
    """Who could attack on from the vacated hex, if that is worth while."""
    goal = mind.once("drive", lambda: drive(mind))
    return 10.0 + mind.attack(option.unit) if goal >> option.unit & 1 else -1.0


def drive(mind: Mind) -> int:
    """The units of the best Breakthrough Combat from the vacated hex."""
    war, pos = mind.war, mind.pos
    group = pos.group
    imagined = pos.copy()
    force = Force(mind)
    here = there(war, pos, mind.side).stack(pos.vacated)
    for unit in sorted(bits(pos.advancers), key=lambda u: (-mind.attack(u), u)):
        if force.room(unit, pos.vacated, here | group) and mind.attack(unit):
            group |= 1 << unit
    if not group:
        return 0
    for unit in bits(group):
        imagined.hex[unit] = pos.vacated
    best = max((w for w, _ in blows(mind, imagined, group, pos.vacated)), default=-1.0)
    return group if best > mind.weights.push else 0


def blows(mind: Mind, pos: Table, group: int, origin: int) -> list[tuple[float, int]]:
    """The attacks that a group could make from a hex, each with its worth."""
    war = mind.war
    near = war.lattice.cross(1 << origin, war.ground.tracked) & mind.enemy
    found: list[tuple[float, int]] = []
    for target in bits(near):
        main = max(bits(group), key=lambda u: (mind.attack(u), u))
        own = formation_of(war, pos, main)
        kin = [u for u in bits(group) if own >= 0 and formation_of(war, pos, u) == own]
        force = mask_of(kin) | 1 << main | group & war.silhouettes
        found_odds = weigh(war, pos, BREAKTHROUGH, Assault(target, group, force))
        if reaches(war, BREAKTHROUGH, found_odds):
            found.append((mind.worth(target, found_odds.shifted, mind.side), target))
    return found


def break_through(mind: Mind, option: Option) -> float:
    """If the odds pay."""
    pos = mind.pos
    here = pos.hex[next(bits(pos.group))]
    worths = {target: worth for worth, target in blows(mind, pos, pos.group, here)}
    return worths.get(option.hex, -1.0) - mind.weights.push


def push(mind: Mind, option: Option) -> float:
    """The group goes on if every unit of it should."""
    unit = max(bits(mind.pos.group), key=mind.attack)
    return gain_of(mind, unit, mind.pos.hex[unit], option.hex) - 0.5


def enter(mind: Mind, option: Option) -> float:
    """Into a hex that a Breakthrough Combat has won."""
    unit = option.unit
    return gain_of(mind, unit, mind.pos.hex[unit], mind.pos.vacated) + 0.3


BATTLE_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "attack": attack,
        "shatter": shatter,
        "attack with": attack_with,
        "fight": DONE,
        "main assault": main_assault,
        "attach": attach,
        "assemble": DONE,
        "fly": support,
        "fire": support,
        "naval fire": support,
        "major assault": lambda _, option: 0.3 if option.value == 1 else 0.2,
        "take the die": lambda _, option: float(option.value),
        "stand": overall(lambda mind: stand_worth(mind, 0)),
        "fall back": DONE,
        "lead": lead,
        "lose a step": lose_step,
        "keep a remnant": GLADLY,
        "disband": NEVER,
        "give up": lambda mind, o: 100.0 - mind.value(o.unit, mind.pos.steps[o.unit]),
        "retreat": retreat,
        "advance": advance,
        "spearhead": spearhead,
        "turn round": NEVER,
        "break through": break_through,
        "push": push,
        "drop off": NEVER,
        "enter": enter,
        "leave out": lambda mind, o: 100.0 - mind.value(o.unit, mind.pos.steps[o.unit]),
        "disengage": disengage,
        "disengage all": disengage,
    }
)
