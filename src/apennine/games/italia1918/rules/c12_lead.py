"""Chapter 12.2.3: the lead units (step 6 of a combat)."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, morale, there
from .c09_supply import command
from .c12_declaration import LEAST_MORALE, eligible
from .c12_losses import repulse
from .c12_odds import defenders

LEADING = "Lead units are named after the bombardments of a combat"


def lead_units(war: War, pos: Table) -> Procedure:
    """The attacker names his lead unit, then the defender (12.2.3a, 12.2.3j).

    If nobody can lead any more the attack is cancelled, at a price, and nobody is named.
    """
    pos.attackers &= there(war, pos, pos.side).units
    if not eligible(war, pos, pos.attackers):
        yield Event("the attack is cancelled", hex=pos.target, rule=rule("12.2.3e"))
        yield from repulse(war, pos)
        return
    prompt = "Name the unit that leads the attack"
    yield from ask(war, pos, prompt, rule("12.2.3a"), LeadAttack(), checkpoint=True)
    if held := defenders(war, pos):
        order, prompt = LeadDefence(held), "Name the unit that leads the defence"
        yield from ask(war, pos, prompt, rule("12.2.3l"), order, side=1 - pos.side)


class LeadAttack(Order[War, Table]):
    """12.2.3: an attacker of morale 4 or more, in good order and under command, leads."""

    verb, names = "lead the attack with", (UNIT,)
    when, rule = LEADING, "12.2.3a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield pos.attackers, "{unit} does not take part in the attack", "12.2.3a"
        brave = sum([1 << u for u in bits(pos.attackers) if morale(war, pos, u) >= LEAST_MORALE])
        yield brave, "The lead unit of an attack has a morale of 4 or more", "12.2.3b"
        yield ~(pos.disorganized | pos.reorganizing), "{unit} is Disorganized", "12.2.3c"
        near = there(war, pos, pos.side).among(command(war, pos, pos.side))
        yield near, "No headquarters commands {unit}", "12.2.3d"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.leads[0] = option.unit


@dataclass(slots=True)
class LeadDefence(Order[War, Table]):
    """12.2.3l: any of the defenders leads."""

    held: Mask

    verb, names = "lead the defence with", (UNIT,)
    when, rule = LEADING, "12.2.3l"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, 1 - pos.side)
        yield self.held, "{unit} is not in the attacked hex", "12.2.3a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.leads[1] = option.unit
