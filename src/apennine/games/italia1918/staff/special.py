"""What scenarios and the air add: missions, the Retreat order, refugees, hunger, silence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import GLADLY, NEVER, Judge, always
from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..rules.c02_pieces import there
from ..table.position import ENTENTE
from .mind import Mind
from .plans import ground_factor, threat

# The air


def observe(mind: Mind, option: Option) -> float:
    """Over the hex that the side will attack, or over its own that is most in danger."""
    hex, war = option.hex, mind.war
    if mind.leads:
        if not mind.enemy >> hex & 1:
            return -1.0
        beside = mind.own.among(war.lattice.dilate(1 << hex)) & war.combat
        ours = sum(map(mind.strength, bits(beside)))
        foes = mind.foe.among(1 << hex) & war.combat
        theirs = sum([war.faces[unit][mind.pos.steps[unit]][1] for unit in bits(foes)])
        reach = 1.5 if mind.offensive >> hex & 1 else 1.0
        return 1.0 + 0.3 * mind.points(hex) + reach * ours / (1 + theirs * _cover(mind, hex))
    if not mind.own.combat >> hex & 1:
        return -1.0
    held = sum(map(mind.guard, bits(mind.own.among(1 << hex) & war.combat)))
    danger = threat(mind, hex) / (1 + held * ground_factor(mind, hex))
    return 1.0 + 0.3 * mind.points(hex) + danger


def _cover(mind: Mind, hex: int) -> float:
    """What the ground makes of an enemy's defence."""
    here = mind.here
    if not here.trench_hexes >> hex & 1:
        return 1.0
    return float(here.entente_trench if not mind.side else mind.war.book.factors.trench)


def strike(mind: Mind, option: Option) -> float:
    """A pontoon bridge, better one that nobody guards."""
    guarded = there(mind.war, mind.pos, 1 - mind.side).ground >> option.hex & 1
    return 3.0 - guarded


# The retreat behind the Tagliamento


def order_retreat(mind: Mind, option: Option) -> float:
    """In time for the army to get away, once it costs little."""
    del option
    return 5.0 if mind.pos.turn >= mind.weights.retreat else -1.0


def take_away(mind: Mind, option: Option) -> float:
    """The gun that is farthest from the edge."""
    return 6.0 + 0.1 * mind.home[mind.pos.hex[option.unit]]


def leave(mind: Mind, option: Option) -> float:
    """Whoever retreats."""
    del option
    return 200.0 if mind.flees else -1.0


def slip(mind: Mind, option: Option) -> float:
    """Under the Retreat order everybody who can; else nobody gives his trench away."""
    del option
    return 1.0 if mind.flees else -1.0


# What hampers the enemy


def hamper(mind: Mind, option: Option) -> float:
    """The stacks with most units."""
    units = there(mind.war, mind.pos, ENTENTE).stack(option.hex)
    return 1.0 + (units & mind.war.combat).bit_count()


def starve(mind: Mind, option: Option) -> float:
    """The strongest, if it is near."""
    steps = mind.pos.steps[option.unit]
    return 1.0 + mind.war.faces[option.unit][steps][1]


def silence(mind: Mind, option: Option) -> float:
    """One's own weakest gun, the enemy's strongest."""
    value = mind.war.roster[option.unit].value
    return float(value if mind.war.side_of[option.unit] != mind.side else 10 - value)


SPECIAL_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "claim the sky": GLADLY,
        "observe with": observe,
        "bomb with": always(0.9),
        "interdict with": NEVER,
        "strike with": strike,
        "order the retreat": order_retreat,
        "retreat with all": always(4.0),
        "retreat with": always(3.0),
        "take away": take_away,
        "steady": NEVER,
        "leave the map": leave,
        "prepare to disengage": slip,
        "send Rommel": GLADLY,
        "send refugees": hamper,
        "have blown up": NEVER,
        "starve": starve,
        "silence": silence,
        "swap": NEVER,
        "display the division": GLADLY,
        "place": GLADLY,
    }
)
