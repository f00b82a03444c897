"""What else command points buy, and all that is decided away from the front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Option

from ..rules.c09_rear import cost
from .endrun import OUGHT, embark, end_run_orders, launch, send_more
from .german import german_line
from .judge import Judge, always
from .mind import Mind
from .orders import Order

STEP = 0.8
"""What a step is worth that comes back."""
REBORN = 1.1
"""The same of a unit from the dead pile, which must march up again."""
FORT = 0.75
"""What a fort at a threatened post is worth."""


def rear_orders(mind: Mind, options: Sequence[Option]) -> Iterator[Order]:
    """The commands that move nobody: steps, forts, air, the end-run."""
    war, prices = mind.war, mind.war.book.prices
    for option in options:
        match option.verb:
            case "replenish":
                price = cost(war, option.unit, "replenish")
                yield Order(option, step_worth(mind, option.unit), price)
            case "reclaim":
                worth = REBORN * war.fire[option.unit][1] / 5
                yield Order(option, worth, cost(war, option.unit, "reclaim"))
            case "ready the drop":
                site = drop_site(mind)
                yield Order(option, drop_worth(mind, site), prices.drop)
            case "airlift":
                yield Order(option, airlift_worth(mind, option.hex), prices.aerial_supply)
            case _:
                pass
    yield from end_run_orders(mind, options)
    yield from free_orders(mind, options)
    yield from fort_orders(mind, options)


def free_orders(mind: Mind, options: Sequence[Option]) -> Iterator[Order]:
    """A corps to be named, the drop of a division that stands ready."""
    for option in options:
        if option.verb == "name corps":
            units = mind.stacks[option.hex]
            if option.hex not in mind.pos.ports:
                yield Order(option, OUGHT + mind.power(units), 1)
    sites = mask_of(option.hex for option in options if option.verb == "drop")
    if sites:
        site = drop_site(mind)
        if site >= 0 and sites >> site & 1:
            yield Order(Option("drop", mind.war.airborne, site), 2.0, 1)


def step_worth(mind: Mind, unit: int) -> float:
    """A step for a division; less if it should rather attack, more near the enemy."""
    war, pos = mind.war, mind.pos
    worth = STEP * war.fire[unit][2] / 5.5
    hex = pos.hex[unit]
    if war.bit[hex] and mind.from_foe[hex] <= 2:
        worth *= 1.15
    return worth


def fort_orders(mind: Mind, options: Sequence[Option]) -> Iterator[Order]:
    """Forts for the posts of the line that the enemy is near."""
    sites = mask_of(o.hex for o in options if o.verb == "build fort")
    if not sites:
        return
    for hex in german_line(mind):
        if sites >> hex & 1 and mind.own.divisions[1] >> hex & 1:
            near = mind.from_foe[hex]
            worth = FORT if near <= 1 else FORT * 0.7 if near <= 3 else 0.1
            yield Order(Option("build fort", hex=hex), worth, mind.war.book.prices.fort)


def drop_site(mind: Mind) -> int:
    """Where the 82nd is wanted most: with friends near the enemy, on clear ground; -1: nowhere."""
    war, pos = mind.war, mind.pos
    best, most = -1, 0.0
    full = mind.own.divisions[3]
    for hex in bits(war.drop_zone & mind.own.divisions[1] & ~full & ~pos.forts):
        value = 1.0 - 0.2 * mind.from_foe[hex] + 0.2 * mind.threat(hex)
        if mind.beaches >> hex & 1:
            value += 0.5
        if value > most:
            best, most = hex, value
    return best


def drop_worth(mind: Mind, site: int) -> float:
    """A fresh division near the enemy, for the points that make it ready."""
    return 1.4 if site >= 0 and mind.from_foe[site] <= 3 else 0.0


def airlift_worth(mind: Mind, hex: int) -> float:
    """Supply from the air for a strong stack in contact."""
    units = mind.stacks.get(hex, 0)
    return 0.4 * mind.power(units) if mind.foe.zone >> hex & 1 else 0.0


def _interrupt_drop(mind: Mind, option: Option) -> float:
    """Between German commands: into a beach or a prize that is about to fall.

    On the first turn it costs nothing, so that the division drops before the chance is gone.
    """
    war, pos, hex = mind.war, mind.pos, option.hex
    guarded = mind.beaches | (war.prizes & pos.control if mind.tiber else 0)
    if not guarded >> hex & 1:
        return -1.0
    if pos.turn == 1 and pos.points <= war.book.prices.move:
        return 1.0 + mind.looming(hex)
    return mind.danger(hex, mind.stacks.get(hex, 0)) - 0.12


def _place(mind: Mind, option: Option) -> float:
    start = mind.war.board.parse(mind.war.roster[option.unit].start)
    return 5.0 - mind.war.lattice.distance(start, option.hex)


def _on_top(mind: Mind, option: Option) -> float:
    """The weakest division lies on top."""
    return 9.0 - mind.power(1 << option.unit)


def _shed(mind: Mind, option: Option) -> float:
    return 9.0 - mind.power(1 << option.unit)


def _withdraw(mind: Mind, option: Option) -> float:
    """The German names the strongest that he sees."""
    return mind.power(1 << option.unit)


def _assemble(mind: Mind, option: Option) -> float:
    return 1.0 + mind.power(1 << option.unit)


def _activate(mind: Mind, option: Option) -> float:
    """Aircraft are worth their point as soon as anybody is near the enemy."""
    del option
    if mind.pos.launched:
        return OUGHT
    if mind.pos.army_entered:
        return 2.0
    contact = mind.foe.zone & mind.own.occupied
    return 1.0 if contact else -0.5


REAR_VERBS = (
    *("replenish", "reclaim", "build fort", "airlift", "ready the drop", "name corps"),
    *("roll for the end-run", "reinforce the end-run", "send against the end-run"),
)
"""The commands that move nobody."""

REAR_JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "activate air": _activate,
        "no air": always(0.0),
        "launch the end-run": launch,
        "embark": embark,
        "reinforce the end-run": send_more,
        "send against the end-run": send_more,
        "send no more": always(-9.0),
        "plan no end-run": always(0.0),
        "plan the end-run": always(0.0),
        "drop": _interrupt_drop,
        "no drop now": always(0.0),
        "no drop this turn": always(-0.5),
        "historical set-up": always(OUGHT),
        "place": _place,
        "on top": _on_top,
        "shed": _shed,
        "withdraw": _withdraw,
        "assemble": _assemble,
        "assemble aircraft": always(0.5),
        "open Bari": always(1.0),
        "no port": always(0.0),
    }
)
