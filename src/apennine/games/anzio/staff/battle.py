"""Battles: who attacks whom, losses, retreats, advances."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, NEVER, Judge, overall
from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option

from ..rules.b4e_duty import duty
from ..rules.c12_automatic import may_commit
from ..table.position import ALLIED, NOBODY
from .force import divide
from .mind import Mind

# The attack.


def division(mind: Mind) -> Mapping[int, int]:
    """By attacker, the hex that it attacks in this round; thought of anew after each battle."""
    war, pos = mind.war, mind.pos

    def think() -> Mapping[int, int]:
        found = duty(war, pos)
        return divide(mind, bits(found.free), found.open)

    key = pos.turn, pos.side, pos.round, pos.fought, pos.defended, tuple(pos.hex)
    return mind.plan.battles.get(key, think)


def force_for(mind: Mind, hex: int) -> Mask:
    """Those who are to attack a hex."""
    return mask_of(unit for unit, target in division(mind).items() if target == hex)


def attack(mind: Mind, option: Option) -> float:
    """The best battle first; in later rounds only if it pays."""
    force = force_for(mind, option.hex)
    if not force:
        return 20.0 if mind.pos.round == 1 else -1.0  # an automatic victory, or none of ours
    worth = mind.worth(mind.pos, force, 1 << option.hex)
    if mind.pos.round == 1:
        return 50.0 + worth
    return worth - mind.weights.good_enough[mind.side] - mind.weights.again


def attack_with(mind: Mind, option: Option) -> float:
    """All who were meant to."""
    pos = mind.pos
    if not force_for(mind, pos.targets.bit_length() - 1) >> option.unit & 1:
        return -1.0 + 0.01 * mind.attack(option.unit)
    return 10.0 + mind.attack(option.unit)


def support(mind: Mind) -> float:
    """If the factor lifts the column."""
    pos = mind.pos
    if not pos.attackers or pos.backed != NOBODY:
        return -1.0
    before, weight = mind.weigh_up(pos, pos.attackers, pos.targets)
    after = mind.war.ladder.odds(weight.attack + 1, max(weight.defence, 1)).shifted
    return 1.0 if after > before else -1.0


# Automatic victories.


def overwhelm(mind: Mind, option: Option) -> float:
    """Wherever victory is certain, as long as others who have not moved could make use of it."""
    war, pos = mind.war, mind.pos
    waiting = mind.own.units & ~(pos.moved | pos.soft | war.replacements)
    tried = mind.plan.tried.get((pos.turn, pos.side), set)
    if not waiting or bid(mind, option.hex) in tried:
        return -1.0
    return 400.0 - option.hex / 1000


def bid(mind: Mind, hex: int) -> tuple[int, Mask]:
    """A hex, and those who could win an automatic victory over it."""
    return hex, may_commit(mind.war, mind.pos, 1 << hex)


def commit(mind: Mind, option: Option) -> float:
    """Strong ones first, so that it takes few; nobody who must attack somebody else, too."""
    beside = mind.war.ground.beside[mind.pos.hex[option.unit]]
    others = (beside & mind.strong_foe & ~mind.pos.targets).bit_count()
    return 100.0 + mind.attack(option.unit) - 3.0 * others


# Losses and retreats.


def lose_step(mind: Mind, option: Option) -> float:
    """Who loses least by it; the last step of a unit is spared."""
    unit = option.unit
    steps = mind.pos.steps[unit]
    loss = mind.value(unit, steps) - mind.value(unit, steps - 1)
    return 100.0 - loss - (mind.weights.last_step if steps == 1 else 0.0)


def retreat(mind: Mind, option: Option) -> float:
    """Where it is safe and strong, with friends, and far if the unit cannot defend itself."""
    war, pos, hex, unit = mind.war, mind.pos, option.hex, option.unit
    if hex >= war.lattice.size:
        return 1.0
    soft = pos.soft >> unit & 1
    friends = mind.own.stack(hex) & ~pos.soft
    value = 10.0 + min(mind.from_foe[hex], 4) * (2.0 if soft and not friends else 0.7)
    value += mind.strong[hex] + 0.5 * bool(friends)
    value += 2.0 * (mind.fed >> hex & 1) + 1.0 * (mind.prizes >> hex & 1)
    toward = mind.staff.home[pos.hex[unit]] - mind.staff.home[hex]
    return value + 0.1 * (-toward if mind.side == ALLIED else toward)


def embark(mind: Mind, option: Option) -> float:
    """Who has no way by land, and nobody who could protect it."""
    friends = mind.own.stack(mind.pos.hex[option.unit]) & ~mind.pos.soft & ~mind.pos.retreating
    return -1.0 if friends else 5.0


# Advances.


def advance(mind: Mind, option: Option) -> float:
    """Forward if the new hex is better: nearer to the places, and not in danger."""
    unit, hex = option.unit, option.hex
    gain = standing_worth(mind, unit, hex) - standing_worth(mind, unit, mind.pos.hex[unit])
    return gain - mind.weights.reluctant[mind.side]


def standing_worth(mind: Mind, unit: int, hex: int) -> float:
    """How well a unit would stand in a hex after an advance."""
    weights, pos = mind.weights, mind.pos
    if hex >= mind.war.lattice.size:
        return -5.0
    others = mind.own.stack(hex) & ~(1 << unit)
    value = 3.0 * (mind.lacking >> hex & 1 and not others) + 0.3 * mind.strong[hex]
    if not mind.fed >> hex & 1 and not pos.vacated >> hex & 1:
        value -= 3.0
    risk = mind.risk(others | 1 << unit, hex)
    value -= weights.exposed * max(0.0, min(risk, 8.0) - weights.bearable)
    if mind.side == ALLIED:
        value -= 0.4 * mind.draw[hex]
    elif any(pos.bases[n] for n in mind.war.ground.base_at.get(hex, ())):
        value += weights.beach * bool(pos.friendly >> hex & 1)
    return value


BATTLE_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "attack": attack,
        "end combat": DONE,
        "attack with": attack_with,
        "also attack": NEVER,
        "support": overall(support),
        "fight": DONE,
        "fight at": NEVER,
        "lose a step": lose_step,
        "retreat": retreat,
        "embark": embark,
        "stay": DONE,
        "stand": DONE,
        "advance": advance,
        "go on": advance,
        "press on": advance,
        "end advance": DONE,
        "stop": DONE,
        "overwhelm": overwhelm,
        "also overwhelm": NEVER,
        "commit": commit,
        "claim victory": overall(lambda _: 500.0),
        "forgo": DONE,
    }
)
