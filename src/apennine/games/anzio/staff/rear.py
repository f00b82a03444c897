"""Behind the front: set-up, replacements, ports, forts, fire, supply."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, GLADLY, NEVER, Judge, taste
from apennine.hexes import bits
from apennine.kernel.decision import Option

from ..rules.c16_setup import waiting
from .landing import capacity, come_ashore
from .mind import Mind

FEW = 4
"""So many units are deployed by taste; of more, history knows better."""


def deploy(mind: Mind, option: Option) -> float:
    """16 Pz behind a beach that few others guard, another one in every game; HG by taste."""
    war, pos, hex = mind.war, mind.pos, option.hex
    if len(mind.once("waiting", lambda: waiting(war, pos, mind.side))) > FEW:
        return -1.0
    if not war.armor >> option.unit & 1 or option.unit == war.number.get("HG"):
        return taste(mind.plan.seed, "deploy", option.unit, hex)
    return 1.0 + mind.once(("guard", hex), lambda: _guard_worth(mind, hex))


def _guard_worth(mind: Mind, hex: int) -> float:
    """How well a hex guards beaches: near one, with nobody else there, on a road."""
    ground, best = mind.war.ground, 0.0
    own = mind.ground.distances(mind.own.occupied)
    for base in ground.bases:
        if base.is_port or not {"basic-zone"} & set(base.kinds):
            continue
        away = mind.ground.distances(base.hexes)[hex]
        if away <= 2:
            alone = min(min(own[h] for h in bits(base.hexes)), 8)
            whim = 6.0 * taste(mind.plan.seed, "guard", base.name)
            best = max(best, 5.0 + 0.5 * alone + whim - abs(away - 1))
    return best + 0.1 * bool(any(sides >> hex & 1 for sides in ground.all_roads))


def raise_ersatz(mind: Mind, option: Option) -> float:
    """In the city that is nearest to the front, but not next to it."""
    away = mind.from_foe[option.hex]
    return 100.0 - away if away > mind.weights.rest else 1.0


def rebuild(mind: Mind, option: Option) -> float:
    """The step that adds most; armor ersatz is kept for armor."""
    war, pos, unit = mind.war, mind.pos, option.unit
    gain = mind.value(unit, pos.steps[unit] + 1) - mind.value(unit, pos.steps[unit])
    spared = war.rebuild_all >> option.value & 1 and not war.armor >> unit & 1
    return 10.0 + gain - 0.5 * bool(spared)


def build_port(mind: Mind, option: Option) -> float:
    """A port that feeds many; the last counter is kept while a second landing may come."""
    war, pos = mind.war, mind.pos
    bases = war.ground.bases
    base = next(bases[n] for n in war.ground.base_at[option.hex] if bases[n].is_port)
    if capacity(mind) - 2 * 20 >= mind.weights.enough_capacity:
        return -1.0
    safe = mind.from_foe[option.hex] > 1 or mind.own.stack(option.hex)
    return base.capacity / 10 - (1.0 if safe else 3.0) - 2.0 * (pos.ports < 2 and pos.turn > 7)


def build_fort(mind: Mind, option: Option) -> float:
    """On good ground in the line, where the enemy has not come yet."""
    hex, pos = option.hex, mind.pos
    away = mind.from_foe[hex]
    value = 2.0 * min(mind.strong[hex], 2.0) + 2.0 * (mind.prizes >> hex & 1)
    value += 1.0 * (mind.own.occupied >> hex & 1) - 0.3 * abs(away - 4)
    near = mind.war.lattice.disc(hex, 1) & pos.works
    return 10.0 + value - 3.0 * bool(near)


def guard(mind: Mind, option: Option) -> float:
    """Whoever is threatened most."""
    hex = mind.pos.hex[option.unit]
    stack = mind.guard(mind.own.stack(hex))
    return mind.threat(hex) / (stack + 1.0) if mind.from_foe[hex] <= 3 else -1.0


def interdict(mind: Mind, option: Option) -> float:
    """Strong units that are not at the front yet."""
    away = mind.ground.distances(mind.own.occupied)[mind.pos.hex[option.unit]]
    return mind.defence(option.unit) if away > 3 else -1.0


def evacuate(mind: Mind, option: Option) -> float:
    """Who starves at the end of this turn; and inverted counters that an enemy could catch."""
    pos, unit = mind.pos, option.unit
    starves = (pos.unfed & pos.hungry) >> unit & 1 and not mind.fed >> pos.hex[unit] & 1
    inverted = pos.soft >> unit & 1
    near = mind.from_foe[pos.hex[unit]] <= mind.weights.rest
    return 450.0 if starves or (inverted and near) else -1.0


def raid(mind: Mind, option: Option) -> float:
    """An open place that counts, if it is in supply as soon as it is taken."""
    hex = option.hex
    fed = mind.fed >> hex & 1 and not mind.zone >> hex & 1
    return 350.0 if fed and mind.lacking >> hex & 1 else -1.0


def weakest(mind: Mind, option: Option) -> float:
    """Of some units the one that is missed least."""
    return 100.0 - mind.value(option.unit, mind.pos.steps[option.unit])


REAR_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    {
        "deploy": deploy,
        "historical deployment": DONE,
        "begin the game": DONE,
        "raise": raise_ersatz,
        "keep replacements": DONE,
        "rebuild": rebuild,
        "end rebuilding": DONE,
        "build port": build_port,
        "build beachhead": NEVER,
        "build fort": build_fort,
        "guard": guard,
        "interdict": interdict,
        "interdict hex": NEVER,
        "disband units": NEVER,
        "disband": NEVER,
        "keep all units": GLADLY,
        "end turn": DONE,
        "go without": weakest,
        "give up": weakest,
        "sacrifice": weakest,
        "come ashore": come_ashore,
        "evacuate": evacuate,
        "raid": raid,
    }
)
