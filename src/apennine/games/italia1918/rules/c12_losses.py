"""Chapter 12.2.8: hit points become step losses and disorganisation."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import Table
from ..table.war import War
from .c02_pieces import attached, in_the_field, morale, there, unready
from .c06_steps import disorganize, eliminate, lose_step

COSTING = "Hit points are converted in a combat or bombardment"
PENALTY = 3
"""The steps that a cancelled attack costs (12.2.3e, 12.2.4d)."""


@dataclass(slots=True)
class Bill:
    """Hit points that a side pays: who may, and in what order."""

    side: int
    units: Mask
    """The combat units that take part."""
    points: int
    lead: int = -1
    """Its lead unit; nobody under bombardment (15.2.2o)."""
    shock: Mask = 0
    """Assault troops that it used in its attack; none in defence or under bombardment."""
    led: bool = False
    """The lead unit has had its loss, or Stosstruppen in its stead."""
    spent: bool = False
    """A support of assault troops has taken its one loss (12.2.8f)."""

    def here(self, war: War, pos: Table) -> Mask:
        """Those of its units that are still there."""
        return self.units & there(war, pos, self.side).units

    def payers(self, war: War, pos: Table) -> Mask:
        """Who may lose the next step: one must while anybody can (12.2.8m)."""
        troops = self.shock & there(war, pos, self.side).units
        first = troops & ~war.stosstruppen
        price = war.price
        if first and not self.spent and self.points >= ASSAULT:
            return first  # 12.2.8k
        elite = 0 if self.spent or self.points < ASSAULT else troops & war.stosstruppen
        alive = self.here(war, pos)
        lead = 1 << self.lead if self.lead >= 0 and alive >> self.lead & 1 else 0
        if lead and not self.led and price[self.lead] <= self.points:
            return lead | elite  # 12.2.8i, 15.3.1e
        able = sum([1 << unit for unit in bits(alive) if price[unit] <= self.points])
        if able or elite:
            return able | elite
        return self._last(war, pos, alive)

    def _last(self, war: War, pos: Table, alive: Mask) -> Mask:
        """In defence and under bombardment assault troops lose when nobody else can (12.2.8l)."""
        if self.shock or self.spent or self.points < ASSAULT:
            return 0
        return attached(war, pos, alive)


ASSAULT = 2
"""The hit points of a step of assault troops (12.2.8f)."""


def convert(war: War, pos: Table, bill: Bill) -> Procedure:
    """Step losses as long as hit points buy any, then disorganisation; what is left is lost."""
    while payers := bill.payers(war, pos):
        prompt = f"Who loses a step? {bill.points} hit points are left"
        order = Pay(bill.side, payers)
        chosen = yield from ask(war, pos, prompt, rule("12.2.8m"), order, side=bill.side)
        unit = chosen.unit
        bill.points -= war.price[unit]
        if war.assault >> unit & 1:
            bill.spent = True
            bill.led |= bool(war.stosstruppen >> unit & 1)
        bill.led |= unit == bill.lead
        yield from lose_step(war, pos, unit, rule("12.2.8m"))
    while bill.points and (fresh := bill.here(war, pos) & ~unready(pos)):
        lead = fresh & 1 << bill.lead if bill.lead >= 0 else 0
        prompt = f"Who is disorganized? {bill.points} hit points are left"
        order = Tire(bill.side, lead or fresh)
        chosen = yield from ask(war, pos, prompt, rule("12.2.8n"), order, side=bill.side)
        bill.points -= 1  # 12.2.8g
        disorganize(war, pos, 1 << chosen.unit)
        yield Event("is disorganized", chosen.unit, pos.hex[chosen.unit], rule=rule("12.2.8n"))
    bill.points = 0


def asterisk(war: War, pos: Table, shock: Mask) -> Procedure:
    """12.2.8q: an asterisk kills assault troops that gave the column, on top of all else."""
    left = shock & there(war, pos, pos.side).units
    if left:
        yield from eliminate(war, pos, (left & -left).bit_length() - 1, rule("12.2.5b"))


def repulse(war: War, pos: Table) -> Procedure:
    """12.2.3e, 12.2.4d: a cancelled attack loses three steps from its units of highest morale."""
    for _ in range(PENALTY):
        left = pos.attackers & there(war, pos, pos.side).units
        best = max([morale(war, pos, unit) for unit in bits(left)], default=0)
        ablest = sum([1 << u for u in bits(left) if morale(war, pos, u) == best])
        if not ablest:
            return
        prompt = "The attack is cancelled: who of the best loses a step?"
        chosen = yield from ask(war, pos, prompt, rule("12.2.4d"), Pay(pos.side, ablest))
        yield from lose_step(war, pos, chosen.unit, rule("12.2.4d"))


@dataclass(slots=True)
class Pay(Order[War, Table]):
    """12.2.8: a unit loses a step."""

    side: int
    payers: Mask

    verb, names = "lose a step", (UNIT,)
    when, rule = COSTING, "12.2.8m"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.side)
        yield (
            self.payers,
            "{unit} does not pay now: others come first, or it costs too much",
            "12.2.8m",
        )


@dataclass(slots=True)
class Tire(Order[War, Table]):
    """12.2.8n: a unit becomes Disorganized, the lead unit first."""

    side: int
    payers: Mask

    verb, names = "disorganize", (UNIT,)
    when, rule = COSTING, "12.2.8n"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.side)
        yield self.payers, "{unit} does not pay now: the lead unit is the first", "12.2.8n"
