"""What only the Advanced Game asks: orders of battle, drops, garrisons, withdrawals, strikes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, overall, taste
from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..rules.e13_support import strike_period
from .landing import invade
from .mind import Mind
from .rear import raise_ersatz, weakest


def order_of_battle(mind: Mind, option: Option) -> float:
    """Another one in every game: each is as good as its terms."""
    return taste(mind.plan.seed, "order of battle", option.value)


def air_strike(mind: Mind) -> float:
    """Where the front is dense; in the last weeks of the period at any rate."""
    period = strike_period(mind.pos)
    near = sum([mind.from_foe[mind.pos.hex[unit]] <= 3 for unit in bits(mind.own.units)])
    late = period is not None and period[1] - mind.pos.turn <= 2
    return 900.0 if near >= (4 if late else 10) else -1.0


def invade_with_less(mind: Mind, option: Option) -> float:
    """The greater lift goes first."""
    return invade(mind, option) - 50.0


def station(mind: Mind, option: Option) -> float:
    """Where there is room for more."""
    return 10.0 - mind.own.stack(option.hex).bit_count()


def rise(mind: Mind, option: Option) -> float:
    """Behind the German front, out of reach: there they undo rivers and draw garrisons out."""
    away = mind.from_foe[option.hex]
    return 10.0 - abs(away - 2) + 0.1 * mind.strong[option.hex]


CARD_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "choose": order_of_battle,
        "deploy in regiments": NEVER,
        "invade with less": invade_with_less,
        "air strike": overall(air_strike),
        "drop on Roma": NEVER,
        "no drop": DONE,
        "station": station,
        "send to Livorno": weakest,
        "withdraw": weakest,
        "hand over": weakest,
        "rise": rise,
        "quarter": raise_ersatz,
        "refit": GLADLY,
        "call up": NEVER,
        "dissolve": NEVER,
        "break up": NEVER,
        "combine": GLADLY,
        "join the Command": NEVER,
        "leave the map": NEVER,
        "retreat off the map": DONE,
        "dismantle": NEVER,
    }
)
