"""Chapters 8.2 and 8.4: the attackers are named, the Main Assault Force, and what is attached."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bar, Bars, Order, ask
from apennine.mechanics.asking import until

from ..table.position import NOBODY, NOWHERE, Table
from ..table.war import War
from .c08_odds import (
    AUTOMATIC,
    REGULAR,
    attachable,
    can_be_attacked,
    can_fight,
    can_lead,
    formation,
    formations,
    joining,
    odds,
    reaches,
)

ATTACKING = "Attackers are named for a battle that has been declared"
SHORT = ("The odds would be worse than 1-3", "8.3.2a"), ("The odds would not be 10-1", "8.7.1a")
"""By whether it is an Automatic DS, what bars an attack that is too weak, and the rule."""


def declare(war: War, pos: Table, kind: int) -> Procedure:
    """Name the attackers of `pos.target`, then their Main Assault Force (8.4.1a)."""
    prompt = "Name the attackers, then fight"
    orders, last = AttackWith(kind), Fight(kind)
    asked = kind == REGULAR  # a movement phase is not taken up again in the middle of a battle
    yield from until(last, war, pos, prompt, rule("8.2a"), orders, checkpoint=asked)
    yield from appoint(war, pos, kind)


def appoint(war: War, pos: Table, kind: int) -> Procedure:
    """8.4: the Main Assault Force, if there is a choice, and its attachments."""
    mains = formations(war, pos, pos.attackers)
    if len(mains) == 1:
        pos.main = mains[0]
    else:
        prompt = "Name a unit of the formation that is the Main Assault Force"
        yield from ask(war, pos, prompt, rule("8.4.1a"), MainAssault(kind))
    prompt, attach, verb = "Attach a unit to the Main Assault Force?", Attach(kind), ""
    while verb != Assemble.verb and attach.menu(war, pos):
        orders = attach, Assemble(kind)
        verb = (yield from ask(war, pos, prompt, rule("8.4.3a"), *orders)).verb


def end_battle(pos: Table) -> None:
    """The battle is over."""
    pos.target, pos.attackers, pos.main, pos.attached = NOWHERE, 0, NOBODY, 0


def passing(bars: Bars) -> Generator[Bar, None, Mask]:
    """Some bars as they are, and what they leave together."""
    left = -1
    for bar in bars:
        yield bar
        if bar[0] is not True:
            left &= bar[0]
    return left


def short(kind: int) -> tuple[str, str]:
    """Why an attack is too weak."""
    return SHORT[kind == AUTOMATIC]


@dataclass(slots=True)
class Declaration(Order[War, Table]):
    """What names the attackers in a kind of combat that has been declared."""

    kind: int

    when = ATTACKING


class AttackWith(Declaration):
    """8.2a: a unit joins the attack, from any side."""

    __slots__ = ()
    verb, names = "attack with", (UNIT,)
    rule = "8.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        left = yield from passing(joining(war, pos, pos.target, self.kind))
        yield (
            sum([1 << u for u in bits(left) if self._serves(war, pos, u, left)]),
            *short(self.kind),
        )

    def _serves(self, war: War, pos: Table, unit: int, left: Mask) -> bool:
        """Whether with this unit, and others of its army, the attack can still be made."""
        named = pos.attackers | 1 << unit
        army = war.armies[war.army_of[unit]]
        return can_be_attacked(war, pos, self.kind, pos.target, named, left & army)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


class Fight(Declaration):
    """8.3.2a: as soon as those named are strong enough."""

    __slots__ = ()
    verb = "fight"
    rule = "8.3.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.attackers > 0, "No attacker has been named", "8.2a"
        strong = can_fight(war, pos, self.kind, pos.target, pos.attackers)
        yield strong, *short(self.kind)


class MainAssault(Declaration):
    """8.4.1a: a formation, or an independent unit, is the Main Assault Force."""

    __slots__ = ()
    verb, names = "main assault", (UNIT,)
    rule = "8.4.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.attackers, "{unit} does not take part in this attack", "8.4.1a"
        strong, target = 0, pos.target
        for main in formations(war, pos, pos.attackers):
            if can_lead(war, pos, self.kind, target, pos.attackers, main):
                strong |= formation(war, pos, main, pos.attackers)
        yield strong, *short(self.kind)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.main = option.unit


class Attach(Declaration):
    """8.4.3: a tank unit, and an infantry or reconnaissance unit, fight with the main force."""

    __slots__ = ()
    verb, names = "attach", (UNIT,)
    rule = "8.4.3a"

    def bars(self, war: War, pos: Table) -> Bars:
        named = pos.main, pos.attackers, pos.attached
        left = yield from passing(attachable(war, pos, *named))
        yield sum([1 << u for u in bits(left) if self._serves(war, pos, u)]), *short(self.kind)

    def _serves(self, war: War, pos: Table, unit: int) -> bool:
        attached = pos.attached | 1 << unit
        return can_lead(war, pos, self.kind, pos.target, pos.attackers, pos.main, attached)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attached |= 1 << option.unit


class Assemble(Declaration):
    """8.4.3: the Main Assault Force is complete, if it is strong enough so."""

    __slots__ = ()
    verb = "assemble"
    rule = "8.4.3a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield reaches(war, self.kind, odds(war, pos, self.kind)), *short(self.kind)
