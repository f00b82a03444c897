"""Chapter 12.2: a combat from its dice to its end (steps 7 to 10)."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import ask

from ..table.position import ENTENTE, NOBODY, Table
from ..table.war import War
from .c02_pieces import attached, there
from .c10_weather import in_fog
from .c11_movement import ASSIGN
from .c12_advance import AFTER_ELIMINATION, advance, exploit
from .c12_coordination import (
    ATTACKING,
    DEFENDING,
    MISUNDERSTOOD,
    NONE,
    PERFECT,
    grade,
    modifiers,
    retreat_limit,
)
from .c12_declaration import ATTACK, CLOSE, declare
from .c12_guns import artillery
from .c12_lead import lead_units
from .c12_losses import Bill, asterisk, convert, repulse
from .c12_odds import defenders, doctrine, odds
from .c12_orders import confuse, extra_loss, give_ground, strip_markers
from .c12_reserves import bring_up_reserves
from .c12_retreat import abandon

ROLES = ("attacker", "defender")


@dataclass(slots=True)
class Clash:
    """What the dice of a combat have brought, until it is paid for."""

    held: Mask
    """The defenders when the dice fell."""
    hits: list[int]
    """The hit points of attacker and defender; the table shows them."""
    grades: list[str]
    """Their Tactical Coordination; the table shows it."""
    asterisk: bool = False
    fled: list[int] = field(default_factory=list[int])
    """How far each group of defenders has retreated."""


def combat_phase(war: War, pos: Table) -> Procedure:
    """12.1: attacks, one after the other, each resolved before the next is named (12.1b, 12.1c)."""
    verb = ""
    if pos.target >= 0:
        yield from fight_on(war, pos)
    while verb != CLOSE.verb:
        prompt = "Attack a hex, or end your combats"
        verb = (
            yield from ask(war, pos, prompt, rule("12.1b"), ATTACK, ASSIGN, CLOSE, checkpoint=True)
        ).verb
        if verb == ATTACK.verb:
            yield from fight(war, pos)


def fight(war: War, pos: Table, exploiting: bool = False) -> Procedure:
    """12.2a: the ten steps in their order, once a hex has been named."""
    yield from declare(war, pos)
    yield from artillery(war, pos, exploiting)
    yield from fight_on(war, pos, exploiting)


def fight_on(war: War, pos: Table, exploiting: bool = False) -> Procedure:
    """The rest of it, from the naming of the lead units, where a combat can be taken up."""
    yield from lead_units(war, pos)
    if pos.leads[ATTACKING] >= 0:
        yield from resolve(war, pos, exploiting)
    yield from abandon(war, pos, pos.target, 1 - pos.side)
    if exploiting:  # 14.1d
        pos.exploits = [left for each in pos.exploits if (left := each & ~pos.attackers)]
    pos.target, pos.attackers, pos.shock = -1, 0, 0
    pos.guns, pos.leads, pos.rommel = [0, 0], [NOBODY, NOBODY], False
    pos.hits, pos.grades = [0, 0], ["", ""]


def resolve(war: War, pos: Table, exploiting: bool) -> Procedure:
    """Steps 7 to 10; too poor odds cancel the attack (12.2.4d)."""
    held = defenders(war, pos)
    pos.hits, pos.grades = [0, 0], [NONE, NONE]
    clash = Clash(held, pos.hits, pos.grades)
    if held:
        found = odds(war, pos)
        if found.shifted < 0:
            yield Event("the attack is cancelled", hex=pos.target, rule=rule("12.2.4d"))
            yield from repulse(war, pos)
            return
        purpose = "combat: two white dice, the blue and the green"
        dice = yield Roll((6, 6, 6, 6), purpose, rule("12.2.5a"), found.label, found.lines)
        cell = war.book.combat.cell(dice[0] + dice[1], found.column)
        clash.hits[:] = hits(war, pos, cell.attacker, cell.defender)
        clash.asterisk = cell.asterisk
        owed = f"the attacker owes {clash.hits[0]} hit points, the defender {clash.hits[1]}"
        yield Event(owed, hex=pos.target, rule=rule("12.2.5a"))
        coloured = (dice[2], dice[3]) if pos.side == ENTENTE else (dice[3], dice[2])
    else:  # 12.2.2f: the bombardment has won, and only the attacker rolls
        (die,) = yield Roll((6,), "Tactical Coordination", rule("12.2.2f"))
        coloured = (die, 0)
    for role in (DEFENDING, ATTACKING) if held else (ATTACKING,):
        added = sum([shift.columns for shift in modifiers(war, pos, role)])
        clash.grades[role] = grade(war, coloured[role], added)
        told = f"the {ROLES[role]}: {war.book.results[clash.grades[role]].title}"
        yield Event(told, hex=pos.target, value=coloured[role] + added, rule=rule("12.2.6q"))
    yield from apply(war, pos, clash, exploiting)


def hits(war: War, pos: Table, attacker: int, defender: int) -> tuple[int, int]:
    """The hit points of the chart, changed by fog and by doctrine (12.2.5c to 12.2.5e)."""
    if in_fog(war, pos):
        attacker = max(attacker - 1, 0)  # 10.0g
    taught = doctrine(war, pos, pos.leads[ATTACKING])
    return attacker + (taught.losses if taught else 0), defender


def apply(war: War, pos: Table, clash: Clash, exploiting: bool) -> Procedure:
    """12.2.7a: coordination first, then losses, then what the attacker has won."""
    for role in (DEFENDING, ATTACKING):
        if clash.grades[role] == MISUNDERSTOOD:
            yield from confuse(war, pos, role, clash.held, clash.hits, clash.fled)
    if clash.grades[ATTACKING] in (NONE, MISUNDERSTOOD):
        yield from strip_markers(war, pos, rule("12.2.6z"))
    if limit := retreat_limit(war, pos, clash.grades[DEFENDING]):
        yield from give_ground(war, pos, limit, clash.hits, clash.fled)
    if pos.rommel and clash.fled:
        yield from extra_loss(war, pos, 1 - pos.side, clash.held, rule("S1.S9c"))
    defence = Bill(1 - pos.side, clash.held, max(clash.hits[DEFENDING], 0), pos.leads[DEFENDING])
    yield from convert(war, pos, defence)
    storm = pos.shock | attached(war, pos, pos.attackers) & war.stosstruppen
    attack = Bill(pos.side, pos.attackers, max(clash.hits[ATTACKING], 0), pos.leads[ATTACKING])
    attack.shock = storm & there(war, pos, pos.side).units
    yield from convert(war, pos, attack)
    if clash.asterisk:
        yield from asterisk(war, pos, pos.shock)
    yield from bring_up_reserves(war, pos, war.book.results[clash.grades[DEFENDING]].units)
    yield from abandon(war, pos, pos.target, 1 - pos.side)
    yield from win(war, pos, clash, exploiting)


def win(war: War, pos: Table, clash: Clash, exploiting: bool) -> Procedure:
    """What the attacker's coordination gives him: an advance, and markers (12.4, 14.0a)."""
    result = clash.grades[ATTACKING]
    markers = war.book.results[result].units
    if not markers:
        return
    far = 1
    if result == PERFECT:
        far = max(clash.fled, default=AFTER_ELIMINATION)
    yield from advance(war, pos, max(far, 1))
    if not exploiting:  # 14.1b
        yield from exploit(war, pos, markers)
