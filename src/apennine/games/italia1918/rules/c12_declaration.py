"""Chapters 12.1 and 12.2.1: an attack is declared (step 1 of a combat)."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain
from apennine.mechanics.asking import until

from ..table.position import CENTRAL, NOBODY, Table
from ..table.war import War
from .c02_pieces import attached, frozen, in_the_field, marked, morale, theatre, there, unready
from .c03_detachments import reveal
from .c06_steps import disorganize
from .c09_supply import command
from .c12_odds import defenders

ATTACKING = "Attacks are declared one after the other in the Combat Phase"
EXPLOITATION = "exploitation"
"""The phase of exploitation combats (14.1)."""
LEAST_MORALE = 4
"""Of the attacker's lead unit (12.2.3b)."""


def combat_begins(war: War, pos: Table) -> None:
    """A Combat or Exploitation Phase begins: who has attacked or fired, and where, is forgotten."""
    pos.attacked = pos.struck = pos.counter = 0  # 15.2.2f
    pos.shots = [0] * len(war.roster)  # 15.2.2g, 15.2.2p
    pos.target = -1
    pos.refugees = 0  # S1.S10c
    pos.done = 0


def able(war: War, pos: Table) -> Mask:
    """The units of the side that may attack (12.1f, 9.2a, 11.2.7b, 11.2.10a, 12.5c)."""
    barred = pos.attacked | unready(pos) | pos.hungry | pos.slipping | frozen(pos) | pos.loaded
    if pos.phase == EXPLOITATION:
        barred |= ~marked(pos.exploits)  # 14.1f
    return there(war, pos, pos.side).units & war.combat & ~barred


def next_to(war: War, pos: Table, units: Mask, hex: int) -> Mask:
    """Those of some units that are beside a hex."""
    near = war.lattice.dilate(1 << hex)
    return sum([1 << unit for unit in bits(units) if near >> pos.hex[unit] & 1])


def eligible(war: War, pos: Table, units: Mask) -> Mask:
    """Who could lead an attack: morale 4, in good order, under command (12.2.3b to 12.2.3d)."""
    commanded = command(war, pos, pos.side)
    found = 0
    for unit in bits(units & ~unready(pos)):
        leads = morale(war, pos, unit) >= LEAST_MORALE and commanded >> pos.hex[unit] & 1
        found |= leads << unit
    return found


def targets(war: War, pos: Table) -> tuple[Mask, Mask]:
    """The hexes beside units that may attack, and those beside units that could lead (12.2.3m)."""
    fit = able(war, pos)
    hexes = [0, 0]
    for n, units in enumerate((fit, eligible(war, pos, fit))):
        for unit in bits(units):
            hexes[n] |= war.lattice.dilate(1 << pos.hex[unit])
    return hexes[0], hexes[1]


class Attack(Order[War, Table]):
    """12.2.1: a hex is attacked, with all the enemies in it."""

    verb, names, link = "attack", (HEX,), ""
    when, rule, opens = ATTACKING, "12.1b", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield there(war, pos, 1 - pos.side).combat, "No enemy combat unit is in {hex}", "12.1a"
        yield ~pos.struck, "{hex} has been attacked in this phase", "12.1d"
        near, led = targets(war, pos)
        yield near, "No unit that may attack is next to {hex}", "12.1a"
        yield led, "No unit next to {hex} could lead the attack", "12.2.3m"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.target = option.hex
        pos.attackers = pos.shock = pos.counter = 0
        pos.guns, pos.leads = [0, 0], [NOBODY, NOBODY]


class AttackWith(Order[War, Table]):
    """12.2.1a: a unit next to the hex takes part."""

    verb, names = "attack with", (UNIT,)
    when, rule = ATTACKING, "12.2.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield war.combat, "{unit} is a support", "12.1e"
        yield ~pos.attackers, "{unit} attacks already", "12.2.1a"
        yield ~pos.attacked, "{unit} has attacked in this phase", "12.1f"
        yield ~unready(pos), "{unit} is Disorganized or Reorganizing", "12.5c"
        yield ~pos.hungry, "{unit} is out of supply", "9.2a"
        yield ~pos.slipping, "{unit} has a Disengagement marker", "11.2.7b"
        yield ~frozen(pos), "{unit} is a reserve of the High Command", "11.2.10a"
        yield ~pos.loaded, "{unit} is in the trucks", "11.3.4.1e"
        if pos.phase == EXPLOITATION:
            yield marked(pos.exploits), "{unit} has no Exploitation marker", "14.1f"
        fit = there(war, pos, pos.side).units & war.combat
        yield next_to(war, pos, fit, pos.target), "{unit} is not next to the attacked hex", "12.1a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


class Storm(Order[War, Table]):
    """12.2.4o: assault troops of an attacker are used for a column."""

    verb, names = "storm with", (UNIT,)
    when, rule = ATTACKING, "12.2.4o"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.assault, "{unit} is not of assault troops", "12.2.4o"
        yield attached(war, pos, pos.attackers), "{unit} is with no unit that attacks", "12.2.8f"
        yield ~pos.shock, "{unit} storms already", "12.2.4o"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.shock |= 1 << option.unit


class Rommel(Order[War, Table]):
    """S1.S9: once a game the Alpenkorps attacks with Rommel, which makes it concentric."""

    verb = "send Rommel"
    when, rule = ATTACKING, "S1.S9a"

    def bars(self, war: War, pos: Table) -> Bars:
        division = theatre(war, pos).scenario.rommel
        yield division != "" and pos.side == CENTRAL, "Rommel is not in this scenario", "S1.S9a"
        yield not pos.famous, "Rommel has attacked", "S1.S9a"
        own = war.listed.those(lambda unit: unit.division == division)
        yield pos.attackers & own != 0, "No unit of the Alpenkorps attacks", "S1.S9a"
        yield defenders(war, pos) & ~war.nationals["It"] == 0, "He attacks Italians", "S1.S9a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.rommel = pos.famous = True


class GoIn(Order[War, Table]):
    """12.2.1a: the attackers are named, and nothing changes that any more."""

    verb = "go in"
    when, rule = ATTACKING, "12.2.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        led = eligible(war, pos, pos.attackers) != 0
        yield led, "None of the attackers could lead the attack", "12.2.3m"


def declare(war: War, pos: Table) -> Procedure:
    """Step 1, once a hex is named: who attacks it; then hidden detachments show themselves."""
    prompt = "Name the units that attack"
    yield from until(GO_IN, war, pos, prompt, rule("12.2.1a"), ATTACK_WITH, STORM, ROMMEL)
    pos.attacked |= pos.attackers
    pos.struck |= 1 << pos.target
    yield Event("is attacked", hex=pos.target, rule=rule("12.2.1a"))
    yield from reveal(pos, pos.attackers | defenders(war, pos))
    disorganize(war, pos, defenders(war, pos) & pos.loaded)  # 11.3.4.1f


CLOSE = Plain("end combat", ATTACKING, "12.1e")
ATTACK, ATTACK_WITH, STORM, GO_IN = Attack(), AttackWith(), Storm(), GoIn()
ROMMEL = Rommel()
