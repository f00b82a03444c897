"""Chapters 9.4 to 9.6, 11.3 and 17: what aircraft, artillery and ships add to a battle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, Plain
from apennine.mechanics.asking import while_possible

from ..table.position import AIR, ALLIED, NAVAL, NOBODY, Table
from ..table.war import War
from .c02_pieces import formation_of, in_the_field, those_in, unready

ATTACK, DEFENCE, STAND = 0, 1, 2
"""What is supported: the attack or the defence by a shift, or a determined defence (11.3)."""
PROMPTS = (
    "Support your attack?",
    "Support your defence?",
    "Support your determined defence?",
)

SUPPORTING = "Aircraft, artillery and ships support battles"
ENOUGH = Plain("hold fire", SUPPORTING, "8.3.1c")
MOST_DICE = 3
"""In a Major Assault (25.1.1)."""


def declare_support(war: War, pos: Table, role: int) -> Procedure:
    """8.3.1c, 11.3: what a side adds before the dice are rolled, the attacker first."""
    orders: list[Order[War, Table]] = [Fly(role), Fire(role), NavalFire(role)]
    if role == ATTACK and pos.major_assaults:
        orders.append(MajorAssault())
    side = supporter(pos, role)
    yield from while_possible(ENOUGH, war, pos, PROMPTS[role], rule("8.3.1c"), *orders, side=side)


def end_support(pos: Table) -> None:
    """A battle is over, and what supported it is spent."""
    pos.support, pos.defence = [0, NOBODY, NOBODY], [0, NOBODY]
    pos.howitzers, pos.dice, pos.stand = False, 1, NOBODY


def supporter(pos: Table, role: int) -> int:
    """The side that declares its support."""
    return pos.side if role == ATTACK else 1 - pos.side


def supported(war: War, pos: Table, role: int) -> Mask:
    """The units that are supported: the attackers, or all in the defender's hex."""
    if role == ATTACK:
        return pos.attackers
    return those_in(war, pos, pos.target, 1 - pos.side)


def armies(war: War, pos: Table, role: int) -> Mask:
    """The armies whose support may come, as bits: in a determined defence the Lead Unit's."""
    if role == STAND:
        return 1 << war.army_of[pos.lead]  # 11.3b
    return sum({1 << war.army_of[unit] for unit in bits(supported(war, pos, role))})


def is_free(pos: Table, role: int) -> tuple[bool, str, str]:
    """Whether the one place for artillery or ships of the defender is free: a bar (9.5.4b)."""
    if role == STAND:
        return pos.stand == NOBODY, "The determined defence has its support", "11.3a"
    return pos.defence[1] == NOBODY, "Artillery or ships support the defence already", "9.5.4b"


@dataclass(slots=True)
class Support(Order[War, Table]):
    """What comes to the help of a battle."""

    role: int

    when, rule = SUPPORTING, "8.3.1c"


class Fly(Support):
    """9.4: an Air marker of an army that fights here, one a battle."""

    __slots__ = ()
    verb, names, rule = "fly", (VALUE,), "9.4a"
    ranges = ((VALUE, lambda war: range(len(war.army_names))),)

    def bars(self, war: War, pos: Table) -> Bars:
        role = self.role
        yield supporter(pos, role) == ALLIED, "Only the Allies have aircraft", "9.4d"
        used = pos.support[0] or pos.defence[0]
        yield not used, "Aircraft have supported this battle already", "9.4c"
        if role == STAND:
            yield is_free(pos, role)
        yield pos.air, "That army has no aircraft ready", "9.4a"
        yield armies(war, pos, role), "None of that army's units are supported here", "9.4b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.air &= ~(1 << option.value)
        if self.role == ATTACK:
            pos.support[0] = 1
        elif self.role == DEFENCE:
            pos.defence[0] = 1
        else:
            pos.stand = AIR
        yield Event("aircraft support", hex=pos.target, value=option.value, rule="9.4a")


class NavalFire(Support):
    """9.6: the ships of the Allies, off the coast, as artillery of a corps."""

    __slots__ = ()
    verb, rule = "naval fire", "9.6a"

    def bars(self, war: War, pos: Table) -> Bars:
        role = self.role
        yield supporter(pos, role) == ALLIED, "Only the Allies have ships", "9.6a"
        yield pos.naval, "No ships are ready", "9.6a"
        reached = bool(war.ground.naval >> pos.target & 1)
        yield reached, "The battle is too far from the sea", "9.6b"
        if role == ATTACK:
            yield pos.support[2] == NOBODY, "Artillery of a corps supports the attack", "9.6c"
        else:
            yield is_free(pos, role)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.naval = False
        _place(pos, self.role, 2, NAVAL)
        yield Event("ships support", hex=pos.target, rule="9.6a")


class Fire(Support):
    """9.5: artillery of a division or a corps that is ready and in range."""

    __slots__ = ()
    verb, names, rule = "fire", (UNIT,), "9.5.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        role = self.role
        side = supporter(pos, role)
        yield war.army[side], "{unit} belongs to the other side", "1.0"
        yield war.artillery, "{unit} is no artillery", "17.1"
        yield from in_the_field(war, pos, side)
        yield pos.ready, "{unit} has fired", "17.5a"
        yield ~unready(pos), "{unit} is not in Good Order", "17.6.3a"
        guns = pos.ready & war.artillery & war.army[side] & ~unready(pos)
        yield in_range(war, pos, guns), "{unit} is too far from the battle", "17.4a"
        own = divisions(war, pos, supported(war, pos, role))
        kin = [u for u in bits(guns & war.divisional) if own >> formation_of(war, pos, u) & 1]
        of_them = sum([1 << u for u in kin])
        strange = "No unit of the division of {unit} is in this battle"
        yield ~war.divisional | of_them, strange, "11.3c" if role == STAND else "17.6.3b"
        allowed = armies(war, pos, role)
        in_army = sum([1 << u for u in bits(guns) if allowed >> war.army_of[u] & 1])
        yield in_army, "{unit} supports units of its own army only", _army_rule(role)
        if role == ATTACK:
            if pos.support[1] != NOBODY:
                yield ~war.divisional, "Artillery of a division supports the attack", "9.5.3"
            if pos.support[2] != NOBODY:
                heavy = war.corps | war.nebelwerfers
                yield ~heavy, "Artillery of a corps, or ships, support the attack", "9.5.3"
            yield ~war.howitzers | partners(war, pos), _no_howitzers(war, pos)
        else:
            yield ~war.howitzers, "{unit} gives neither a shift nor a bonus", "19.4a"
            yield is_free(pos, role)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        pos.ready &= ~(1 << unit)  # 17.1
        if war.howitzers >> unit & 1:
            pos.howitzers = True  # 19.4c
        else:
            _place(pos, self.role, 1 if war.divisional >> unit & 1 else 2, unit)
        yield Event("artillery supports", unit, pos.target, rule="17.1")


def _place(pos: Table, role: int, slot: int, what: int) -> None:
    if role == ATTACK:
        pos.support[slot] = what
    elif role == DEFENCE:
        pos.defence[1] = what
    else:
        pos.stand = what


def _army_rule(role: int) -> str:
    return "11.3b" if role == STAND else "9.5.2b"


def in_range(war: War, pos: Table, guns: Mask) -> Mask:
    """Those of some artillery units from which the defender's hex is in range (17.4).

    Any terrain and any units may lie between.
    """
    distance: Callable[[int, int], int] = war.lattice.distance
    target, found = pos.target, 0
    for unit in bits(guns):
        hex = pos.hex[unit]
        on_map = 0 <= hex < war.lattice.size
        if on_map and distance(hex, target) <= war.roster[unit].range:
            found |= 1 << unit
    return found


def divisions(war: War, pos: Table, units: Mask) -> Mask:
    """The formations of some units, as bits."""
    found = 0
    for unit in bits(units):
        own = formation_of(war, pos, unit)
        if own >= 0:
            found |= 1 << own
    return found


def partners(war: War, pos: Table) -> Mask:
    """The howitzers that are stacked with the US corps artillery that supports (19.4b)."""
    corps = pos.support[2]
    if not _is_american(war, corps):
        return 0
    return those_in(war, pos, pos.hex[corps], pos.side) & war.howitzers


def _is_american(war: War, corps: int) -> bool:
    return corps >= 0 and war.army_names[war.army_of[corps]] == "US"


def _no_howitzers(war: War, pos: Table) -> Bars:
    alone = "{unit} fires only along with corps artillery of the US Army"
    yield _is_american(war, pos.support[2]) or ~war.howitzers, alone, "19.4b"
    yield 0, "{unit} is not stacked with the corps artillery that fires", "19.4b"


class MajorAssault(Order[War, Table]):
    """25.1: more dice, of which the attacker takes one, for a supply point each."""

    verb, names = "major assault", (VALUE,)
    ranges = ((VALUE, range(1, MOST_DICE)),)
    when, rule = (
        "A Major Assault is declared with its support, in matches with that option",
        "25.1.1",
    )
    number = "with {} more dice"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.dice == 1, "This is a Major Assault already", "25.1.1"
        corps = pos.support[2]
        fires = corps >= 0 and war.corps >> corps & 1
        yield bool(fires), "Corps artillery must support a Major Assault", "25.1.3"
        yield (1 << MOST_DICE) - 2, "A Major Assault has one or two more dice", "25.1.1"
        paid = (2 << pos.supply[pos.side]) - 1
        yield paid, "Each more die costs a supply point", "25.1.1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.supply[pos.side] -= option.value
        pos.dice = 1 + option.value
        yield Event("major assault", hex=pos.target, value=option.value, rule="25.1.2")
