"""What an order would lead to: the way and cost of a move, or the chances of a battle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Line, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics import showing
from apennine.mechanics.phrases import counted
from apennine.mechanics.showing import way

from ..rules.c06_logistics import away, centre_reach
from ..rules.c08_movement import march, mobile_price
from ..rules.c09_combat import odds, ready
from ..rules.c09_exploitation import Exploitation, beyond_reach, half_allowance
from ..table.position import ALLIED, Table
from ..table.war import War


def points_text(war: War, ticks: int) -> str:
    """Ticks as movement points."""
    return counted(ticks / war.scale, "point")


def go(war: War, pos: Table, option: Option) -> Preview:
    """The way of a stack."""
    found, hex = march(war, pos), option.hex
    lines = (Line("operational movement", "x2", rule("8.3b")),)
    return way(found, hex, war.scale, lines if found.is_operational(hex) else ())


def exploit_to(war: War, pos: Table, option: Option) -> Preview:
    """The way through the gap."""
    found = Exploitation(war, pos, option.unit)
    half = points_text(war, half_allowance(war, pos, option.unit))
    return way(found, option.hex, war.scale, (Line("half its allowance", half, rule("9.3h")),))


def centre_to(war: War, pos: Table, option: Option) -> Preview:
    """The way of a logistic centre, and what it brings upon its side."""
    found, hex = centre_reach(war, pos, pos.side), option.hex
    if away(war, pos.side, pos.centre[pos.side], hex):
        lines = [
            Line("armoured and mechanised units have", "2 points", rule("6.6d")),
            Line("infantry has", "half its points", rule("6.6e")),
            Line("every attack", "-3", rule("6.6f")),
        ]
        if pos.side == ALLIED:
            lines.append(Line("air markers", "2", rule("6.6g")))
    else:
        lines = [Line("towards the sources", "no penalty", rule("6.6c"))]
    return way(found, hex, war.scale, lines)


def mobile_attack(war: War, pos: Table, option: Option) -> Preview:
    """If the moving stack attacks."""
    cost = points_text(war, mobile_price(war, pos, option.hex))
    return battle(war, pos, option.hex, list(bits(pos.movers)), cost)


def support(war: War, pos: Table, option: Option) -> Preview:
    """With one marker more."""
    del option
    imagined = pos.copy()
    imagined.support[pos.supporting] += 1
    return as_it_is(war, imagined)


def as_it_is(war: War, pos: Table) -> Preview:
    """With those who are in it, and nothing more."""
    return battle(war, pos, pos.target, list(bits(pos.attackers)))


def battle(war: War, pos: Table, target: int, units: Sequence[int], cost: str = "") -> Preview:
    """The odds if nobody adds more support, and the exact chance of each result."""
    found = odds(war, pos, target, units)
    return showing.attack(found, war.combat, war.dice, rule("9.1a"), cost, end=rule("9.1f"))


PREVIEWS: dict[str, Callable[[War, Table, Option], Preview]] = {
    "go": go,
    "break to": lambda war, pos, o: way(beyond_reach(war, pos, o.unit), o.hex, war.scale),
    "exploit to": exploit_to,
    "centre to": centre_to,
    "attack": lambda war, pos, o: battle(war, pos, o.hex, ready(war, pos, o.hex)),
    "attack with": lambda war, pos, o: battle(war, pos, pos.target, [*bits(pos.attackers), o.unit]),
    "fight": lambda war, pos, _: as_it_is(war, pos),
    "mobile attack": mobile_attack,
    "air support": support,
    "naval support": support,
    "no more support": lambda war, pos, _: as_it_is(war, pos),
}
