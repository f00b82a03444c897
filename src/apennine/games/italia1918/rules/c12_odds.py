"""Chapter 12.2.4: the odds of a combat, factor by factor and column by column."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from apennine.hexes import Mask, Sides, bits
from apennine.mechanics.odds import Odds, Shift

from ..table.data import Doctrine
from ..table.position import CENTRAL, ENTENTE, Table
from ..table.war import War
from .c02_pieces import attack, defence, morale, offensive, theatre, there, those_in
from .c05_zones import zone
from .c11_markers import in_range


def defenders(war: War, pos: Table) -> Mask:
    """The combat units in the hex that is attacked: all of them take part (12.2.1b)."""
    return those_in(war, pos, pos.target, 1 - pos.side) & war.combat


def across(war: War, pos: Table, sides: Sides) -> Mask:
    """The attackers who attack over one of some hexsides."""
    found = 0
    for unit in bits(pos.attackers):
        d = war.lattice.direction(pos.hex[unit], pos.target)
        found |= (sides[d] >> pos.hex[unit] & 1) << unit
    return found


def attack_strength(war: War, pos: Table) -> Fraction:
    """The attack factors, each halved uphill and each halved over a major river (12.2.4k, n, x)."""
    factors, ground = war.book.factors, war.ground
    uphill, wet = across(war, pos, ground.uphill), across(war, pos, ground.major)
    total = Fraction(0)
    for unit in bits(pos.attackers):
        strength = Fraction(attack(war, pos, unit))
        if uphill >> unit & 1:
            strength *= Fraction(factors.crest)
        if wet >> unit & 1:
            strength *= Fraction(factors.river)
        total += strength
    return total


def defence_strength(war: War, pos: Table) -> Fraction:
    """The defence factors, times a city and times trenches, whoever dug them (12.2.4i, j, y)."""
    factors, here = war.book.factors, theatre(war, pos)
    total = Fraction(sum([defence(war, pos, unit) for unit in bits(defenders(war, pos))]))
    if war.ground.cities >> pos.target & 1:
        total *= factors.city
    if here.trench_hexes >> pos.target & 1:
        total *= factors.trench if pos.side == ENTENTE else here.entente_trench
    return total


def doctrine(war: War, pos: Table, unit: int) -> Doctrine | None:
    """The doctrine by which a unit of the Entente fights; the Central Powers have none (3.0f)."""
    if unit < 0 or war.side_of[unit] == CENTRAL:
        return None
    scenario, listed = theatre(war, pos).scenario, war.roster[unit]
    own = scenario.assault if listed.kind == "assault" and scenario.assault else ""
    name = own or scenario.doctrines.get(listed.nation, "")
    return war.book.doctrines[name] if name else None


def offensive_modifier(war: War, pos: Table) -> int:
    """The modifier of this sequence, if army artillery in Offensive mode reaches the hex.

    Whether it fires or not (12.2.4s), and once however many do (12.2.4z).
    """
    declared = offensive(war, pos)
    if not (declared and pos.offensive and in_range(war, pos) >> pos.target & 1):
        return 0
    return declared.modifiers[pos.sequence - 1]


def is_concentric(war: War, pos: Table) -> bool:
    """Whether all six hexes around are held or controlled, and no friend stands by (12.2.4t, u)."""
    if pos.rommel:
        return True  # S1.S9b
    side = pos.side
    around = [war.lattice.neighbour(pos.target, d) for d in range(6)]
    if min(around) < 0:
        return False  # 12.2.4ab
    ring = war.lattice.dilate(1 << pos.target) & ~(1 << pos.target)
    if ring & there(war, pos, 1 - side).combat:
        return False
    covered = there(war, pos, side).combat | zone(war, pos, side)
    return not ring & ~covered and not ring & ~theatre(war, pos).area


def shifts(war: War, pos: Table) -> Iterator[Shift]:
    """Every reason to leave the column of the strengths; all add up (12.2.4w)."""
    book, ground, target = war.book.shifts, war.ground, pos.target
    rough = ground.mountains | ground.high
    grounds = (("forest", ground.forest), ("mountain", rough), ("marsh", ground.marsh))
    for name, hexes in (*grounds, ("town", ground.towns)):
        if hexes >> target & 1:
            yield Shift(book[name].title, book[name].columns, book[name].rule)
    if across(war, pos, ground.minor) == pos.attackers:
        yield Shift(book["river"].title, book["river"].columns, book["river"].rule)
    if pos.shock:
        yield Shift(book["assault"].title, book["assault"].columns, book["assault"].rule)
    one, two = pos.leads
    if one >= 0 and two >= 0 and (gap := morale(war, pos, one) - morale(war, pos, two)):
        yield Shift("morale of the lead units", gap, "12.2.4p")
    if defenders(war, pos) & pos.hungry:
        yield Shift(book["hungry"].title, book["hungry"].columns, book["hungry"].rule)
    taught = doctrine(war, pos, one)
    if taught and taught.columns:
        yield Shift("doctrine of Cadorna and Foch", taught.columns, "12.2.4r")
    if bonus := offensive_modifier(war, pos):
        yield Shift("offensive", bonus, "12.2.4s")
    if is_concentric(war, pos):
        yield Shift(book["concentric"].title, book["concentric"].columns, book["concentric"].rule)


def odds(war: War, pos: Table) -> Odds:
    """The column of the combat under way; one that is virtual and below 1/2 cancels it."""
    strengths = attack_strength(war, pos), defence_strength(war, pos)
    return war.ladder.odds(*strengths, shifts(war, pos))
