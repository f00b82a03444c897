"""What else command points buy, and all that is decided away from the front."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from apennine.bots.staff.command import Command
from apennine.bots.staff.ground import best_hex
from apennine.bots.staff.judge import DONE, GLADLY, Judge, always, overall, taste
from apennine.kernel.decision import Option

from ..rules.c09_rear import cost
from .endrun import embark, is_promising, wants_exit
from .goals import german_line
from .mind import Mind


def rear_orders(mind: Mind, options: Sequence[Option]) -> Iterator[Command]:
    """The commands that move nobody: steps, forts, air, the end-run."""
    for option in options:
        if option.verb in REAR_WORTHS:
            worth, price = REAR_WORTHS[option.verb](mind, option)
            if worth > 0:
                yield Command(option, worth, price)


def _replenish(mind: Mind, option: Option) -> tuple[float, int]:
    """A step for a division; it is worth more near the enemy."""
    war, hex = mind.war, mind.pos.hex[option.unit]
    near = 1.15 if war.bit[hex] and mind.from_foe[hex] <= 2 else 1.0
    worth = near * mind.weights.step_back * war.fire[option.unit][2] / 5.5
    return worth, cost(war, option.unit, option.verb)


def _reclaim(mind: Mind, option: Option) -> tuple[float, int]:
    worth = mind.weights.reborn * mind.war.fire[option.unit][1] / 5
    return worth, cost(mind.war, option.unit, option.verb)


def _build_fort(mind: Mind, option: Option) -> tuple[float, int]:
    """Forts for the posts of the line that the enemy is near."""
    hex, near = option.hex, mind.from_foe[option.hex]
    worth = mind.weights.fort * (1.0 if near <= 1 else 0.7 if near <= 3 else 0.15)
    held = mind.own.divisions[1] >> hex & 1 and hex in german_line(mind)
    return worth if held else 0.0, mind.war.book.prices.fort


def _airlift(mind: Mind, option: Option) -> tuple[float, int]:
    """Supply from the air for a strong stack in contact."""
    units = mind.stacks.get(option.hex, 0) if mind.foe.zone >> option.hex & 1 else 0
    return 0.4 * mind.power(units), mind.war.book.prices.aerial_supply


def _name_corps(mind: Mind, option: Option) -> tuple[float, int]:
    ashore = option.hex not in mind.pos.ports
    return ashore * (mind.weights.ought + mind.power(mind.stacks[option.hex])), 1


def _reinforce(mind: Mind, option: Option) -> tuple[float, int]:
    """Reinforcements for the end-run go before the die is rolled."""
    liking = embark(mind, option)
    return (liking > -5.0) * (mind.weights.ought + 6.0 + liking), mind.war.book.prices.move


def _send_against(mind: Mind, _option: Option) -> tuple[float, int]:
    return wants_exit(mind) * mind.weights.ought, mind.war.book.prices.move


def drop_site(mind: Mind) -> int:
    """Where the 82nd is wanted most: with friends near the enemy, on clear ground; -1: nowhere."""
    sites = mind.war.drop_zone & mind.own.divisions[1] & ~mind.own.divisions[3] & ~mind.pos.forts

    def value(hex: int) -> float:
        wanted = 1.0 - 0.2 * mind.from_foe[hex] + 0.2 * mind.threat(hex)
        return wanted + 0.5 * (mind.beaches >> hex & 1)

    return best_hex(sites, value, 0.0)


def _ready_the_drop(mind: Mind, _option: Option) -> tuple[float, int]:
    """A fresh division near the enemy, for the points that make it ready."""
    site = drop_site(mind)
    near = site >= 0 and mind.from_foe[site] <= 3
    return 1.4 * near, mind.war.book.prices.drop


REAR_WORTHS: Mapping[str, Callable[[Mind, Option], tuple[float, int]]] = {
    "roll for the end-run": lambda mind, _: (mind.weights.ought, 1),
    "reinforce the end-run": _reinforce,
    "send against the end-run": _send_against,
    "replenish": _replenish,
    "reclaim": _reclaim,
    "build fort": _build_fort,
    "airlift": _airlift,
    "name corps": _name_corps,
    "ready the drop": _ready_the_drop,
    "drop": lambda mind, option: (2.0 * (option.hex == drop_site(mind)), 1),
}
"""For every command that moves nobody, what it is worth and what it costs."""


def _interrupt_drop(mind: Mind, option: Option) -> float:
    """Between German commands: into a beach or a prize that is about to fall.

    On the first turn it costs nothing, so that the division drops before the chance is gone.
    """
    war, pos, hex = mind.war, mind.pos, option.hex
    if not (mind.beaches | mind.prizes) >> hex & 1:
        return -1.0
    if pos.turn == 1 and pos.points <= war.book.prices.move:
        return 1.0 + mind.threat(hex)
    return mind.peril(hex, mind.stacks.get(hex, 0)) - 0.3


def _place(mind: Mind, option: Option) -> float:
    start = mind.war.board.parse(mind.war.roster[option.unit].start)
    return 5.0 - mind.war.lattice.distance(start, option.hex)


def _plan(mind: Mind, option: Option) -> float:
    """The note names a turn of the bot's own taste."""
    liked = option.value in mind.weights.notes
    return taste(mind.plan.seed, "note", option.value) if liked else -1.0


def _activate(mind: Mind) -> float:
    """Aircraft are worth their point as soon as anybody is near the enemy."""
    if mind.pos.launched:
        return mind.weights.ought
    return 1.0 if mind.pos.army_entered or mind.foe.zone & mind.own.occupied else -0.5


REAR_JUDGES: Mapping[str, Judge[Mind]] = {
    **dict.fromkeys(("no air", "plan no end-run", "no drop now", "no port"), DONE),
    # The weakest lies on top and is shed; the strongest is assembled first, and the German names
    # the strongest of those that he sees to be withdrawn.
    **dict.fromkeys(("on top", "shed"), lambda mind, o: 9.0 - mind.power(1 << o.unit)),
    **dict.fromkeys(("withdraw", "assemble"), lambda mind, o: 1.0 + mind.power(1 << o.unit)),
    "reinforce the end-run": embark,
    "send against the end-run": overall(lambda mind: 1.0 if wants_exit(mind) else -10.0),
    "activate air": overall(_activate),
    "launch the end-run": overall(lambda mind: 1.0 if is_promising(mind) else -1.0),
    "embark": embark,
    "send no more": always(-9.0),
    "plan the end-run": _plan,
    "drop": _interrupt_drop,
    "no drop this turn": always(-0.5),
    "historical set-up": always(9.0),
    "place": _place,
    "assemble aircraft": always(0.5),
    "open Bari": GLADLY,
}
