"""How the bot fights a battle that is under way."""

from __future__ import annotations

from collections.abc import Mapping

from apennine.bots.staff.judge import DONE, Judge, always, overall
from apennine.kernel.decision import Option
from apennine.mechanics.showing import imagined

from ..rules.c07_zones import those_in
from ..rules.c13_fire import standing
from ..table.position import ALLIED, GERMAN
from ..table.war import TENTH
from ..telling.battle_chances import TAKEN, average_losses, fought_on
from ..telling.default_play import Fighter, fire_lost
from ..telling.lineup import lineup, state
from .mind import Mind, odds


def _battle_worth(mind: Mind, *, air: int, bombs: bool = False) -> float:
    """What the battle that is laid out is worth to the attacker."""
    war, there = mind.war, imagined(mind.pos, air_support=air, bomber=bombs)
    there.defenders = there.defenders or those_in(war, there, there.target, 1 - there.side)
    worth = mind.prize(there.target) if there.side == mind.side else 3.0
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


def _break_off(mind: Mind) -> float:
    """Fighting on against a step that comes back."""
    pos = mind.pos
    ends = fought_on(lineup(mind.war, pos), state(mind.war, pos))
    win = sum(chance for end, chance in ends.items() if end.result == TAKEN)
    return 1.0 - float(win) * mind.prize(pos.target) - float(average_losses(ends)[1])


def _recover(mind: Mind, option: Option) -> float:
    steps = mind.pos.steps[option.unit]
    return mind.war.fire[option.unit][steps + 1] + 1.5 * (not steps)


def _retreat_to(mind: Mind, option: Option) -> float:
    """Towards home, to friends if the hex lets them hold together."""
    war = mind.war
    back = war.north if mind.side == GERMAN else mind.ports or war.prizes
    liked = ((mind.own.occupied, 1.0), (mind.net, 2.0), (war.terrain["mountain"], 0.5))
    found = sum(worth for hexes, worth in liked if hexes >> option.hex & 1)
    return 50.0 + found - 0.3 * mind.ground.distances(back)[option.hex]


def _advance(mind: Mind, option: Option) -> float:
    """The Allies follow up, but leave a beach its garrison; the Germans only for a prize."""
    war, pos = mind.war, mind.pos
    unit, target, origin = option.unit, option.hex, pos.origin
    if mind.side == GERMAN:
        taken = pos.advanced & ~war.supports
        if mind.prize(target) >= 3.0:
            return 5.0 if not taken else 1.0
        keeps = mind.net >> target & 1 and mind.threat(target) < 2.5
        opens = mind.closing(origin, {unit: target}) < 0
        return 1.0 if keeps and not opens and war.group[unit] != TENTH else -1.0
    staying = those_in(war, pos, origin, ALLIED) & ~(1 << unit) & ~war.supports
    guarded = mind.beaches | mind.prizes
    if guarded >> origin & 1 and mind.power(staying) < min(2.4, 0.5 + mind.threat(origin)):
        return -1.0
    return 1.0 + mind.power(1 << unit)


BATTLE_JUDGES: Mapping[str, Judge[Mind]] = {
    **dict.fromkeys(("no air support", "cease fire", "fight on", "stand", "stay"), DONE),
    **dict.fromkeys(("shell", "bomb", "fire at"), _aim),
    "fight": always(0.5),
    "send bombers": overall(_bombers),
    "air support": overall(_air),
    "fire on": lambda _, option: 10.0 + option.value,  # the best shots first
    "break off": overall(_break_off),
    # Only from a hex that is lost anyway.
    "retreat": overall(lambda mind: -1.0 if standing(mind.pos, mind.pos.defenders) else 1.0),
    "recover": _recover,
    "retreat to": _retreat_to,
    "advance": _advance,
}
