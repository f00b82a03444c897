"""The exact chances of a combat, bombardments included, when both sides play by default.

`default_play` says what that is. Nothing is sampled: every fall of the dice is followed by the
rules themselves, each state that several falls lead to but once.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from apennine.hexes import Mask, bits
from apennine.mechanics.tables import Distribution, distribution

from ..rules.c02_pieces import attached, there
from ..rules.c12_advance import fresh
from ..rules.c12_combat import hits
from ..rules.c12_coordination import (
    ATTACKING,
    DEFENDING,
    MISUNDERSTOOD,
    NONE,
    grade,
    modifiers,
    retreat_limit,
)
from ..rules.c12_declaration import eligible
from ..rules.c12_losses import Bill, asterisk, convert, repulse
from ..rules.c12_odds import defenders, odds
from ..rules.c12_orders import confuse, extra_loss, give_ground
from ..rules.c15_bombardment import column, hit_points
from ..table.data import Cell
from ..table.position import Table
from ..table.war import War
from .default_play import best_lead, carry_out

CANCELLED, SHELLED = "cancelled", "shelled out"
"""What stands for the hit points of a combat whose attack is cancelled, or has nobody to meet."""


class Fate(NamedTuple):
    """How a combat ends: whether the attacker has the hex, and the steps that both have lost."""

    taken: bool
    attacker: int
    defender: int


class End(NamedTuple):
    """The hit points of both sides, the coordination of both, and what came of them."""

    hits: str
    grades: tuple[str, str]
    fate: Fate


class Clash(NamedTuple):
    """What the dice of a combat have brought."""

    cell: Cell
    """The hit points of both sides, changed by fog and doctrine."""
    grades: tuple[str, str]


def forecast(war: War, pos: Table) -> Distribution[End]:
    """Every end of the combat as it is declared, bombardments included, with its chance."""
    found: Distribution[End] = Distribution()
    for state, chance in bombarded(war, pos):
        for end, share in Aftermath(war, pos, state).ends().items():
            found[end] = found.get(end, Fraction(0)) + chance * share
    return found


# Bombardment (12.2.2).


def shells(war: War, pos: Table, role: int) -> Distribution[int]:
    """The hit points of a side's bombardment."""
    if column(war, pos, role) < 0:
        return distribution((6,), lambda _: 0)
    return distribution((6,), lambda dice: hit_points(war, pos, role, dice[0]))


def bombarded(war: War, pos: Table) -> list[tuple[Table, Fraction]]:
    """What the bombardments leave of both sides, each different state once."""
    states = [(pos, Fraction(1))]
    for role in (0, 1):
        states = [after for state, chance in states for after in _shell(war, state, role, chance)]
    merged: dict[tuple[tuple[int, ...], int], tuple[Table, Fraction]] = {}
    for state, chance in states:
        key = tuple(state.steps), state.disorganized
        known = merged.get(key)
        merged[key] = (known[0], known[1] + chance) if known else (state, chance)
    return list(merged.values())


def _shell(war: War, pos: Table, role: int, chance: Fraction) -> Iterator[tuple[Table, Fraction]]:
    victims, side = (pos.attackers, pos.side) if role else (defenders(war, pos), 1 - pos.side)
    for points, share in shells(war, pos, role).items():
        state = pos.copy()
        if points:
            carry_out(war, state, convert(war, state, Bill(side, victims, points)))
        yield state, chance * share


# From the lead units to the end.


class Aftermath:
    """What comes of a combat once it has been bombarded.

    The sides suffer apart from each other, unless orders are misunderstood; so each is followed for
    its own hit points alone, and the two are put together.
    """

    def __init__(self, war: War, start: Table, state: Table) -> None:
        self.war, self.start = war, start
        self.state = state = state.copy()
        side = state.side
        state.attackers &= there(war, state, side).units
        leaders = eligible(war, state, state.attackers)
        self.held = defenders(war, state)
        state.leads = [
            best_lead(war, state, leaders),
            best_lead(war, state, self.held),
        ]
        self.sides = [self._fighters(start.attackers), self._fighters(defenders(war, start))]
        """All whose steps count, the assault troops with them too."""
        self._before: dict[tuple[bool, bool], list[tuple[Table, Fraction]]] = {}
        self._defences: dict[tuple[int, int, int], tuple[bool, int]] = {}
        self._attacks: dict[tuple[int, int, bool], tuple[bool, int]] = {}

    def _fighters(self, units: Mask) -> Mask:
        return units | attached(self.war, self.start, units)

    def _lost(self, pos: Table, role: int) -> int:
        """The steps that a side has lost since the combat began."""
        before = self.start.steps
        return sum([before[unit] - pos.steps[unit] for unit in bits(self.sides[role])])

    def ends(self) -> Distribution[End]:
        """Every end, with its chance."""
        war, state = self.war, self.state
        if state.leads[ATTACKING] < 0:
            return self._repulsed()
        if not self.held:
            clashes = self.grades(ATTACKING).map(lambda own: Clash(Cell(0, 0), (own, NONE)))
            return clashes.chain(self._follow)
        found = odds(war, state)
        if found.shifted < 0:
            return self._repulsed()
        chart = war.book.combat

        def read(dice: tuple[int, ...]) -> Cell:
            cell = chart.cell(sum(dice), found.column)
            return Cell(*hits(war, state, cell.attacker, cell.defender), cell.asterisk)

        cells, own, theirs = distribution((6, 6), read), *map(self.grades, (ATTACKING, DEFENDING))
        graded = own.chain(lambda one: theirs.map(lambda two: (one, two)))
        clashes = cells.chain(lambda cell: graded.map(lambda pair: Clash(cell, pair)))
        return clashes.chain(self._follow)

    def grades(self, role: int) -> Distribution[str]:
        """The Tactical Coordination of a side."""
        added = sum([shift.columns for shift in modifiers(self.war, self.state, role)])
        return distribution((6,), lambda dice: grade(self.war, dice[0], added))

    def _repulsed(self) -> Distribution[End]:
        pos = self.state.copy()
        carry_out(self.war, pos, repulse(self.war, pos))
        fate = Fate(False, self._lost(pos, ATTACKING), self._lost(pos, DEFENDING))
        return Distribution({End(CANCELLED, ("", ""), fate): Fraction(1)})

    def _follow(self, clash: Clash) -> Distribution[End]:
        cell, (own, theirs) = clash
        text = f"A{cell.attacker} D{cell.defender}" if self.held else SHELLED
        found: Distribution[End] = Distribution()
        wrong = (own == MISUNDERSTOOD, theirs == MISUNDERSTOOD)
        limit = retreat_limit(self.war, self.state, theirs)
        goes_on = bool(self.war.book.results[own].units)
        for number, (before, chance) in enumerate(self.before(wrong)):
            place = wrong[0] * 100 + wrong[1] * 200 + number
            vacated, theirs_lost = self._defend(place, before, cell.defender, limit)
            advances, ours_lost = self._attack(place, before, cell.attacker, cell.asterisk)
            fate = Fate(vacated and advances and goes_on, ours_lost, theirs_lost)
            end = End(text, clash.grades, fate)
            found[end] = found.get(end, Fraction(0)) + chance
        return found

    def before(self, wrong: tuple[bool, bool]) -> list[tuple[Table, Fraction]]:
        """What Misunderstood Orders of attacker and defender leave, each state once.

        The hit points of the states are what is to be added to those of the chart.
        """
        if wrong not in self._before:
            self._before[wrong] = self._confused(wrong)
        return self._before[wrong]

    def _confused(self, wrong: tuple[bool, bool]) -> list[tuple[Table, Fraction]]:
        start = self.state.copy()
        start.hits = [0, 0]
        states = [(start, Fraction(1))]
        for role in (DEFENDING, ATTACKING):
            if wrong[role]:
                states = [
                    (self._confuse(state, role, die), chance / 6)
                    for state, chance in states
                    for die in range(1, 7)
                ]
        merged: dict[object, tuple[Table, Fraction]] = {}
        for state, chance in states:
            key = tuple(state.steps), tuple(state.hex), tuple(state.hits), state.disorganized
            known = merged.get(key)
            merged[key] = (known[0], known[1] + chance) if known else (state, chance)
        return list(merged.values())

    def _confuse(self, state: Table, role: int, die: int) -> Table:
        pos = state.copy()
        fled: list[int] = []
        carry_out(self.war, pos, confuse(self.war, pos, role, self.held, pos.hits, fled), die)
        return pos

    def _defend(self, place: int, before: Table, points: int, limit: int) -> tuple[bool, int]:
        """Whether the defenders have left the hex, or are no more, and their losses."""
        key = place, points, limit
        if key not in self._defences:
            war, pos = self.war, before.copy()
            side, fled = 1 - pos.side, list[int]()
            pos.hits[DEFENDING] += points
            if limit:
                carry_out(war, pos, give_ground(war, pos, limit, pos.hits, fled))
            if pos.rommel and fled:
                carry_out(war, pos, extra_loss(war, pos, side, self.held, ""))
            owed = max(pos.hits[DEFENDING], 0)
            bill = Bill(side, self.held, owed, pos.leads[DEFENDING])
            carry_out(war, pos, convert(war, pos, bill))
            self._defences[key] = not defenders(war, pos), self._lost(pos, DEFENDING)
        return self._defences[key]

    def _attack(self, place: int, before: Table, points: int, star: bool) -> tuple[bool, int]:
        """Whether any attacker can advance after his losses, and these."""
        key = place, points, star
        if key not in self._attacks:
            war, pos = self.war, before.copy()
            owed = max(pos.hits[ATTACKING] + points, 0)
            bill = Bill(pos.side, pos.attackers, owed, pos.leads[ATTACKING])
            storm = pos.shock | attached(war, pos, pos.attackers) & war.stosstruppen
            bill.shock = storm & there(war, pos, pos.side).units
            carry_out(war, pos, convert(war, pos, bill))
            if star:
                carry_out(war, pos, asterisk(war, pos, pos.shock))
            self._attacks[key] = bool(fresh(war, pos)), self._lost(pos, ATTACKING)
        return self._attacks[key]


class Prospect:
    """What a forecast says, part by part."""

    def __init__(self, ends: Distribution[End]) -> None:
        self.ends = ends

    @cached_property
    def hits(self) -> Distribution[str]:
        """The hit points of both sides."""
        return self.ends.map(lambda end: end.hits)

    def grades(self, role: int) -> Distribution[str]:
        """The coordination of a side; "" if its die does not fall."""
        return self.ends.map(lambda end: end.grades[role])

    @cached_property
    def taken(self) -> Fraction:
        """The chance that the attacker has the hex in the end."""
        return self.ends.chance(lambda end: end.fate.taken)

    @cached_property
    def losses(self) -> tuple[Fraction, Fraction]:
        """The steps that attacker and defender lose on average."""
        attacker = self.ends.mean(lambda end: end.fate.attacker)
        return attacker, self.ends.mean(lambda end: end.fate.defender)
