"""Chapter 12.2.2: artillery is committed and bombards (steps 2 to 5 of a combat)."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Line, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain
from apennine.mechanics.asking import while_possible

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field
from .c12_losses import Bill, convert
from .c12_odds import defenders
from .c15_bombardment import column, hit_points, may_counter, ready_guns, shelling, spare_guns

FIRING = "Artillery is committed in a combat"


def artillery(war: War, pos: Table, exploiting: bool = False) -> Procedure:
    """Steps 2 to 5: the attacker's guns, the defender's, the attacker's answer, the bombardments.

    In exploitation the attacker has only corps artillery, and only for Counter-battery (14.1c).
    """
    attacker, defender = pos.side, 1 - pos.side
    own = Fire(attacker, 0, war.corps_guns if exploiting else war.artillery)
    prompt = "Commit artillery to the attack"
    yield from while_possible(CEASE, war, pos, prompt, rule("12.2.2b"), own, side=attacker)
    if exploiting:
        pos.counter |= pos.guns[0]
    theirs = Fire(defender, 1, war.artillery), Counter(defender, 1)
    prompt = "Commit artillery to the defence, and Counter-battery fire"
    yield from while_possible(CEASE, war, pos, prompt, rule("12.2.2b"), *theirs, side=defender)
    if not exploiting:
        answer = Counter(attacker, 0)
        prompt = "Turn corps artillery to Counter-battery fire"
        yield from while_possible(CEASE, war, pos, prompt, rule("12.2.2b"), answer, side=attacker)
    for gun in bits(pos.guns[0] | pos.guns[1]):
        pos.shots[gun] += 1
    for role in (0, 1):  # 15.2.2l
        yield from bombard(war, pos, role)


def bombard(war: War, pos: Table, role: int) -> Procedure:
    """15.2.2: one side's bombardment, if anything is left of it; its victims pay at once."""
    place = column(war, pos, role)
    if place < 0:
        return
    changes = list(shelling(war, pos)) if role == 0 else []
    lines = tuple(Line(each.name, f"{each.columns:+d}", each.rule) for each in changes)
    label = war.book.bombardment.columns[place]
    whose = "the attacker's bombardment" if role == 0 else "the defender's bombardment"
    (die,) = yield Roll((6,), whose, rule("15.2.2i"), label, lines)
    points = hit_points(war, pos, role, die)
    yield Event("hit points", hex=pos.target, value=points, rule=rule("15.2.2m"))
    victims = defenders(war, pos) if role == 0 else pos.attackers
    side = 1 - pos.side if role == 0 else pos.side
    yield from convert(war, pos, Bill(side, victims, points))


@dataclass(slots=True)
class Fire(Order[War, Table]):
    """12.2.2a: a support of artillery takes part, to bombard."""

    side: int
    role: int
    kinds: Mask

    verb, names = "fire with", (UNIT,)
    when, rule = FIRING, "12.2.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.side)
        yield war.artillery, "{unit} is no artillery", "15.2.2a"
        yield self.kinds, "In exploitation only corps artillery helps, by Counter-battery", "14.1c"
        yield ~pos.guns[self.role], "{unit} takes part already", "12.2.2a"
        yield ~pos.silent, "{unit} has a No Firing marker", "S1.S6a"
        yield (
            ready_guns(war, pos, self.side),
            "{unit} does not reach, or has fired enough",
            "15.2.2b",
        )
        twice = pos.firing if pos.firing & pos.guns[self.role] else 0
        yield ~twice, "One support in Offensive mode takes part in a combat, no more", "12.2.2a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.guns[self.role] |= 1 << option.unit


@dataclass(slots=True)
class Counter(Order[War, Table]):
    """12.2.2b: corps artillery that takes part turns to Counter-battery fire."""

    side: int
    role: int

    verb, names = "counter with", (UNIT,)
    when, rule = FIRING, "12.2.2b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, self.side)
        yield pos.guns[self.role], "{unit} does not take part in this combat", "12.2.2b"
        yield may_counter(war, -1), "Only corps artillery fires Counter-battery", "12.2.2d"
        yield ~pos.counter, "{unit} fires Counter-battery already", "12.2.2b"
        kept = self.role == 1 or spare_guns(war, pos) > 0
        yield kept, "As many must bombard as the defender has in Counter-battery", "12.2.2c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.counter |= 1 << option.unit


CEASE = Plain("guns ready", FIRING, "12.2.2b")
