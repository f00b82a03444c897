"""How the bot fights a battle that is under way."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apennine.bots.staff.judge import DONE, Judge, always, overall
from apennine.kernel.decision import Option

from ..rules.c07_zones import force_in
from ..rules.c13_fire import standing
from ..table.position import ALLIED, GERMAN
from ..table.war import TENTH
from ..telling.battle_chances import TAKEN, average_losses, fought_on
from ..telling.default_play import Fighter, fire_lost
from ..telling.lineup import lineup, state
from .mind import Mind
from .odds import odds
from .worth import prize


def _battle_worth(mind: Mind, *, air: int, bombs: bool = False) -> float:
    """What the battle that is laid out is worth to the attacker."""
    war, there = mind.war, mind.pos.copy()
    there.air_support, there.bomber = air, bombs
    if not there.defenders:
        there.defenders = force_in(war, there, there.target, 1 - there.side)
    worth = prize(mind, there.target) if there.side == mind.side else 3.0
    if not there.defenders:
        return worth
    found = odds(lineup(war, there))
    return found.taken * worth + found.enemy - found.own


def _bombers(mind: Mind) -> float:
    air = ALLIED if mind.pos.tac else -1
    more = _battle_worth(mind, air=air, bombs=True) - _battle_worth(mind, air=air)
    return 50.0 if more >= mind.weights.bombs else -1.0


def _air(mind: Mind) -> float:
    """Aircraft, if they change enough; the more so if there are others left for later."""
    change = _battle_worth(mind, air=mind.side) - _battle_worth(mind, air=-1)
    gain = change if mind.pos.side == mind.side else -change
    return gain - mind.weights.cover


def _aim(mind: Mind, option: Option) -> float:
    """The attacker kills the weakest first, the defender hurts where it costs most fire."""
    pos, unit = mind.pos, option.unit
    numbers, steps = mind.war.fire[unit], pos.steps[unit]
    lost = fire_lost(Fighter(numbers[-1], numbers[1], steps), steps)
    if option.verb == "fire at" and mind.side == pos.side:
        return 100.0 - 20.0 * steps - (10.0 if unit == pos.rubble else 0.0) + option.value
    bonus = 5.0 if option.verb == "shell" else 0.0
    return 10.0 + lost + 0.1 * option.value + bonus


def _fire_on(_mind: Mind, option: Option) -> float:
    """The best shots first."""
    return 10.0 + option.value


def _break_off(mind: Mind) -> float:
    """Fighting on against a step that comes back."""
    pos = mind.pos
    ends = fought_on(lineup(mind.war, pos), state(mind.war, pos))
    win = sum(chance for end, chance in ends.items() if end.result == TAKEN)
    return 1.0 - float(win) * prize(mind, pos.target) - float(average_losses(ends)[1])


def _retreat(mind: Mind) -> float:
    """Only from a hex that is lost anyway, or that is not worth the last step in it."""
    left = sum(mind.pos.steps[u] for u in standing(mind.pos, mind.pos.defenders))
    return 1.0 if left == 0 else -1.0


def _recover(mind: Mind, option: Option) -> float:
    unit = option.unit
    steps = mind.pos.steps[unit]
    worth = float(mind.war.fire[unit][steps + 1])
    return worth + (1.5 if steps == 0 else 0.0)


def _retreat_to(mind: Mind, option: Option) -> float:
    """Towards home, to friends if the hex lets them hold together."""
    war = mind.war
    back = war.north if mind.side == GERMAN else mind.ports or war.prizes
    home = mind.ground.distances(back)
    friends = 1.0 if mind.own.occupied >> option.hex & 1 else 0.0
    supplied = 2.0 if mind.net >> option.hex & 1 else 0.0
    ground = 0.5 if war.terrain["mountain"] >> option.hex & 1 else 0.0
    return 50.0 - 0.3 * home[option.hex] + friends + supplied + ground


def _advance(mind: Mind, option: Option) -> float:
    """The Allies follow up, but leave a beach its garrison; the Germans only for a prize."""
    war, pos = mind.war, mind.pos
    unit, target, origin = option.unit, option.hex, pos.origin
    if mind.side == GERMAN:
        taken = pos.advanced & ~war.supports
        if prize(mind, target) >= 3.0:
            return 5.0 if not taken else 1.0
        keeps = mind.net >> target & 1 and mind.threat(target) < 2.5
        opens = mind.closing(origin, {unit: target}) < 0
        return 1.0 if keeps and not opens and war.group[unit] != TENTH else -1.0
    staying = force_in(war, pos, origin, ALLIED) & ~(1 << unit) & ~war.supports
    guarded = mind.beaches | mind.prizes
    if guarded >> origin & 1 and mind.power(staying) < min(2.4, 0.5 + mind.threat(origin)):
        return -1.0
    return 1.0 + mind.power(1 << unit)


BATTLE_JUDGES: Mapping[str, Judge[Mind]] = MappingProxyType(
    dict.fromkeys(("no air support", "cease fire", "fight on", "stand", "stay"), DONE)
    | dict.fromkeys(("shell", "bomb", "fire at"), _aim)
    | {
        "fight": always(0.5),
        "send bombers": overall(_bombers),
        "air support": overall(_air),
        "fire on": _fire_on,
        "break off": overall(_break_off),
        "retreat": overall(_retreat),
        "recover": _recover,
        "retreat to": _retreat_to,
        "advance": _advance,
    }
)
