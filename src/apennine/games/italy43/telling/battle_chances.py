"""The exact chances of a battle, determined defence included, when both sides play by default.

By default nobody adds support to what has been declared; an owner takes a loss where most steps are
left, an enemy where fewest are; Remnants are kept; the attacker takes the highest of several dice;
defenders who may stand do so, led by the unit with the best modifier, then with the most steps. Who
could retreat at all is judged as things are before the battle.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Choice, Procedure
from apennine.mechanics.odds import Odds
from apennine.mechanics.tables import Distribution, certain, distribution

from ..rules.c08_odds import assault_force, defending, is_shattering, odds
from ..rules.c10_results import SHATTERED, losers, spares
from ..rules.c10_steps import eliminate, lose_step
from ..rules.c11_determined import (
    DICE,
    FAILED,
    RETREAT,
    absorbs,
    bonus,
    column,
    defenders,
    leaders,
    modifiers,
    unmark_battle,
)
from ..rules.c12_retreat import is_trapped
from ..table.data import Cell, Stand
from ..table.position import AWAY, NOBODY, Table
from ..table.war import War


class Fate(NamedTuple):
    """How a hex fares: whether it is lost, and the steps that each side has lost for it."""

    lost: bool
    attacker: int
    defender: int


class End(NamedTuple):
    """How a battle ends: the result of the first dice, and what came of it."""

    outcome: Cell
    stood: bool
    """Whether a determined defence was made."""
    fate: Fate


# Default play.


def own_loss(pos: Table, units: Mask) -> int:
    """Whom an owner lets lose a step: where most are left, the first of these."""
    return min(_alive(pos, units), key=lambda unit: (-pos.steps[unit], unit), default=NOBODY)


def enemy_loss(pos: Table, units: Mask) -> int:
    """Whom an enemy lets lose a step: where fewest are left, the first of these."""
    return min(_alive(pos, units), key=lambda unit: (pos.steps[unit], unit), default=NOBODY)


def _alive(pos: Table, units: Mask) -> Iterable[int]:
    return [unit for unit in bits(units) if pos.steps[unit]]


def best_lead(war: War, pos: Table, kind: int) -> int:
    """Who leads a determined defence: the best modifier, then most steps, then the first."""

    def worth(unit: int) -> tuple[int, int, int]:
        return bonus(modifiers(war, pos, unit)), pos.steps[unit], -unit

    return max(bits(leaders(war, pos, kind)), key=worth, default=NOBODY)


# The battle.


def forecast(war: War, pos: Table, kind: int, trapped: Trapped | None = None) -> Distribution[End]:
    """Every end of the battle under way, with its chance."""
    stuck, first = trapped or Trapped(war, pos), results(war, pos, odds(war, pos, kind))
    return first.chain(lambda outcome: after(war, pos, kind, outcome, stuck))


def results(war: War, pos: Table, found: Odds) -> Distribution[Cell]:
    """What the dice of the attack bring; nothing is rolled at 10-1 (8.3.2d)."""
    if is_shattering(war, found):
        return certain(SHATTERED)
    chart = war.book.combat
    return distribution((6,) * pos.dice, lambda dice: chart.cell(max(dice), found.column))


class Trapped:
    """Who could not retreat so many hexes, as things are before a battle."""

    def __init__(self, war: War, pos: Table) -> None:
        self._war = war
        self._pos = pos
        self._known: dict[tuple[int, int], bool] = {}

    def among(self, units: Mask, hexes: int) -> Mask:
        """Those of some units who could not."""
        return sum([1 << unit for unit in bits(units) if self._is(unit, hexes)])

    def _is(self, unit: int, hexes: int) -> bool:
        key = unit, hexes
        if key not in self._known:
            self._known[key] = is_trapped(self._war, self._pos, unit, hexes)
        return self._known[key]


def after(war: War, pos: Table, kind: int, outcome: Cell, trapped: Trapped) -> Distribution[End]:
    """What comes of a result (10.1)."""
    scratch = aftermath(war, pos, kind, outcome)
    result = war.book.results[outcome.result]
    here = defenders(war, scratch)
    if result.retreat and here:
        if may_stand(war, scratch, kind, outcome):
            ends = stand(war, scratch, kind, trapped)
            before = _spent(war, pos, scratch)
            return ends.map(lambda fate: End(outcome, True, _sum(before, fate)))
        stuck = trapped.among(here, result.retreat)
        _destroy(scratch, stuck)
        _leave(scratch, here & ~stuck)
    elif not here & ~scratch.routed:
        _leave(scratch, here)  # 13.3.2e
    return certain(End(outcome, False, _spent(war, pos, scratch)))


def may_stand(war: War, pos: Table, kind: int, outcome: Cell) -> bool:
    """Whether a determined defence may follow a result (11.1a, 11.2.2b)."""
    if not war.book.results[outcome.result].retreat or outcome.colour == "red":
        return False
    return best_lead(war, pos, kind) != NOBODY


def aftermath(war: War, pos: Table, kind: int, outcome: Cell) -> Table:
    """The position once both sides have taken the losses of a result by default (10.2)."""
    scratch, result = pos.copy(), war.book.results[outcome.result]
    scratch.orange = outcome.colour == "orange"
    scratch.force, counted = assault_force(war, pos), defending(war, pos, pos.target, kind)
    spared = spares(war, scratch, result)
    scratch.spared |= spared
    pick = enemy_loss if result.enemy_picks else own_loss
    if result.defender and not spared:
        _lose(war, scratch, pick(scratch, losers(war, scratch, counted)))
    if result.attacker:
        _lose(war, scratch, pick(scratch, scratch.force))
    return scratch


# Determined defence (11).


def stand(war: War, pos: Table, kind: int, trapped: Trapped | None = None) -> Distribution[Fate]:
    """How a determined defence in this position ends, led by `pos.lead` or else the best unit.

    The losses are those of the defence alone.
    """
    return _roll_on(war, pos, pos, kind, trapped or Trapped(war, pos), False, False)


def _roll_on(
    war: War, start: Table, pos: Table, kind: int, trapped: Trapped, again: bool, forced: bool
) -> Distribution[Fate]:
    """One roll, and those that follow if the defenders cannot retreat (11.4.3)."""
    if not leaders(war, pos, kind) >> max(pos.lead, 0) & 1 or pos.lead == NOBODY:
        pos = pos.copy()
        pos.lead = best_lead(war, pos, kind)
        if pos.lead == NOBODY:
            _destroy(pos, defenders(war, pos))  # 11.4.3e
            return certain(_spent(war, start, pos))

    def read(found: Stand) -> Stand:
        failed = again and (found.verdict == "F" or (forced and found.verdict == "P"))
        return FAILED if failed else found

    # Cells that come to the same are followed once: else long defences take long.
    cells = stands(war, pos, pos.lead).map(read)
    return cells.chain(lambda found: _outcome(war, start, pos, kind, trapped, found, forced))


def _outcome(
    war: War, start: Table, pos: Table, kind: int, trapped: Trapped, found: Stand, forced: bool
) -> Distribution[Fate]:
    pos = pos.copy()
    if found.lead:
        _lose(war, pos, pos.lead)
    if found.attacker:
        pick = enemy_loss if found.enemy_picks else own_loss
        _lose(war, pos, pick(pos, pos.force))
    if found.verdict == "H" or (found.verdict == "P" and absorbs(war, pos)):
        here = defenders(war, pos)
        if not here & ~pos.routed:
            _leave(pos, here)
        return certain(_spent(war, start, pos))
    if found.verdict == "P":
        forced = True
        unmark_battle(pos)
    here = defenders(war, pos)
    stuck = trapped.among(here, RETREAT)
    _leave(pos, here & ~stuck)
    if stuck >> pos.lead & 1 and not found.lead and not forced:
        _lose(war, pos, pos.lead)
    if not defenders(war, pos):
        return certain(_spent(war, start, pos))
    return _roll_on(war, start, pos, kind, trapped, True, forced)


def stands(war: War, pos: Table, lead: int) -> Distribution[Stand]:
    """The chance of each cell of the determined defence table, a unit leading."""
    table, at = war.book.determined, column(war, pos, pos.target)
    added = bonus(modifiers(war, pos, lead))
    if not pos.howitzers:
        return distribution(DICE, lambda dice: table.cell(sum(dice) + added, at))
    one = distribution((6,), lambda dice: dice[0]).chain(_shelled)
    both = one.chain(lambda first: one.map(lambda second: first + second))
    return both.map(lambda total: table.cell(total + added, at))


def _shelled(face: int) -> Distribution[int]:
    """A 6 is rolled again, once (19.4b)."""
    return distribution((6,), lambda dice: dice[0]) if face == 6 else certain(face)


# On a scratch position.


def _lose(war: War, pos: Table, unit: int) -> None:
    if unit != NOBODY:
        _run(lose_step(war, pos, unit, ""))


def _run(procedure: Procedure) -> None:
    """Carry a procedure out; whatever it asks, the first answer is the default."""
    sent = None
    while True:
        try:
            told = procedure.send(sent)
        except StopIteration:
            return
        sent = told.options[0] if isinstance(told, Choice) else None


def _leave(pos: Table, units: Mask) -> None:
    for unit in bits(units):
        pos.hex[unit] = AWAY


def _destroy(pos: Table, units: Mask) -> None:
    for unit in bits(units):
        _run(eliminate(pos, unit, ""))


def _spent(war: War, before: Table, pos: Table) -> Fate:
    """What has become of the hex since, and the steps that have been lost."""
    lost = [0, 0]
    for unit in bits(before.attackers | defenders(war, before)):
        lost[war.side_of[unit] != before.side] += before.steps[unit] - pos.steps[unit]
    return Fate(not defenders(war, pos), lost[0], lost[1])


def _sum(one: Fate, two: Fate) -> Fate:
    return Fate(two.lost, one.attacker + two.attacker, one.defender + two.defender)


def average(found: Distribution[Fate]) -> tuple[Fraction, Fraction, Fraction]:
    """The chance that the hex is lost, and the steps that each side loses on average."""
    return (
        found.chance(lambda fate: fate.lost),
        found.mean(lambda fate: fate.attacker),
        found.mean(lambda fate: fate.defender),
    )
