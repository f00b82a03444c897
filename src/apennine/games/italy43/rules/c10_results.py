"""Chapter 10: the roll, its result, and the losses."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from apennine.hexes import Mask, first_bit, mask_of
from apennine.kernel.decision import Choice, Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import VALUE, Bars, Order, ask

from ..table.data import ADVANCES, Cell, Result
from ..table.position import Table
from ..table.war import War
from .c08_odds import assault_force, defending, is_shattering, odds
from .c09_support import end_support
from .c10_steps import lose_one
from .c11_determined import Battle, defenders, judged, run_if_exposed, stand_or_retreat
from .c11_determined import Verdict as Verdict
from .c12_retreat import ROUT, driven_back, retreat

SHATTERED = Cell("DS", ADVANCES["2+"], "red")
"""What 10-1 brings without a die (8.3.2d, 8.7.2c)."""


def resolve(war: War, pos: Table, kind: int) -> Battle:
    """8.3.1d: the die, losses, and what becomes of the defenders, down to their retreat."""
    pos.force, counted = assault_force(war, pos), defending(war, pos, pos.target, kind)
    outcome = yield from roll(war, pos, kind)
    result = war.book.results[outcome.result]
    number = list(war.book.results).index(outcome.result)
    yield Event("result", hex=pos.target, value=number, rule=result.rule)
    yield from losses(war, pos, result, counted)
    if not result.retreat:
        if result.defender:
            yield from run_if_exposed(war, pos)
        verdict = judged(war, pos, 0, True)  # 10.1i
    elif not defenders(war, pos):
        verdict = judged(war, pos, outcome.advance, False)  # 12.4
    elif result.retreat >= ROUT:
        yield from retreat(war, pos, defenders(war, pos), result.retreat, result.rule)
        verdict = judged(war, pos, outcome.advance, False)
    else:
        verdict = yield from stand_or_retreat(war, pos, kind, outcome)
    end_support(pos)
    pos.force = 0
    return verdict


def roll(war: War, pos: Table, kind: int) -> Generator[Choice | Roll | Event, Any, Cell]:
    """One die on the column; in a Major Assault the attacker takes one of several (25.1.2)."""
    found = odds(war, pos, kind)
    if is_shattering(war, found):
        return SHATTERED
    sides = (6,) * pos.dice
    dice = yield Roll(sides, "combat", rule("8.3.1d"), found.label, found.lines)
    die = dice[0]
    if len(set(dice)) > 1:
        prompt = "Take one of the dice"
        chosen = yield from ask(war, pos, prompt, rule("25.1.2"), TakeDie(mask_of(dice)))
        die = chosen.value
    return war.book.combat.cell(die, found.column)


@dataclass(slots=True)
class TakeDie(Order[War, Table]):
    """25.1.2: any one of the dice of a Major Assault."""

    dice: Mask

    verb, names = "take the die", (VALUE,)
    ranges = ((VALUE, range(1, 7)),)
    when, rule = "The attacker takes one of the dice of a Major Assault", "25.1.2"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.dice, "No die shows {value}", "25.1.2"


def losses(war: War, pos: Table, result: Result, counted: Mask) -> Procedure:
    """10.2: the steps that both sides lose; the defending player picks first (10.2.2d)."""
    side, enemy = pos.side, 1 - pos.side
    spared = spares(war, pos, result)
    if spared:
        pos.spared |= spared
        yield Event("ignores the loss", first_bit(spared), pos.target, rule=rule("19.2a"))
    hurt = result.defender > 0 and not spared
    if result.enemy_picks:  # 10.2.1
        if result.attacker:
            yield from lose_one(war, pos, pos.force, enemy, result.rule)
        if hurt:
            yield from lose_one(war, pos, losers(war, pos, counted), side, result.rule)
        return
    if hurt:
        yield from lose_one(war, pos, losers(war, pos, counted), enemy, result.rule)
    if result.attacker:
        yield from lose_one(war, pos, pos.force, side, result.rule)


def losers(war: War, pos: Table, counted: Mask) -> Mask:
    """10.2.2b: who counted in the defence; if nobody did, the others, but none that 12.5a bars."""
    return counted or defenders(war, pos) & ~driven_back(war, pos, pos.target)


def spares(war: War, pos: Table, result: Result) -> Mask:
    """19.2: reconnaissance alone in a hex ignores losses of the defender alone, D1 and DS."""
    here = defenders(war, pos)
    if result.defender and not result.attacker and not here & ~war.recon:
        return here
    return 0
