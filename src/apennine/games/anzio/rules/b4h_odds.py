"""B4H and B4E5: strengths, what terrain does to them, and the odds."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from apennine.hexes import Mask, Sides, bits
from apennine.kernel.decision import Line
from apennine.mechanics.odds import Odds, Shift

from ..table.position import GERMAN, Table
from ..table.war import War
from .b4e_zones import attack_of, defence_of, there
from .d2_air import air_columns
from .d3_fire import attack_bonus, defence_bonus
from .e13_support import STRIKE_COLUMNS, forts_count, strikes_on


class Weight(NamedTuple):
    """What a battle is fought with."""

    attack: Fraction
    defence: int
    doubled: bool
    """A defender is doubled or tripled, by more than High Apennine: attackers lose twice (B4H9)."""


def has_side(war: War, sides: Sides, here: int, there: int) -> bool:
    """Whether the side between two neighbours is one of some; inside a hex there is none."""
    return here != there and bool(sides[war.lattice.direction(here, there)] >> here & 1)


def from_forts(war: War, pos: Table, attackers: Mask) -> bool:
    """D6D: whether all attackers are Germans in forts; one who is not spoils it (D6D5)."""
    if not pos.works or not forts_count(pos) or attackers & ~war.army[GERMAN]:
        return False
    return all(pos.works >> pos.hex[unit] & 1 for unit in bits(attackers))


def is_halved(war: War, pos: Table, unit: int, targets: Mask) -> bool:
    """B4H7a: whether a unit strikes over sides all of High Apennine or swamp, and no other.

    Mountain units are never halved (D8C1). A road does not matter here (X3-2D1).
    """
    if pos.mountain and war.mountaineers >> unit & 1:
        return False
    high, here = war.ground.high, pos.hex[unit]
    return all(has_side(war, high, here, hex) for hex in bits(targets))


def attack_halves(war: War, pos: Table, unit: int, targets: Mask) -> int:
    """Twice what a unit adds to an attack on some hexes: fractions are kept (B4H8)."""
    factor, ground = attack_of(war, pos, unit), war.ground
    if pos.armor and war.armor >> unit & 1:  # D4A1a: before halving (D4A1b)
        here = pos.hex[unit]
        factor -= any(
            has_side(war, ground.rough, here, hex) or has_side(war, ground.high, here, hex)
            for hex in bits(targets)
        )
    return factor if is_halved(war, pos, unit, targets) else 2 * factor


def attack_factor(war: War, pos: Table, unit: int, targets: Mask) -> Fraction:
    """What a unit adds to an attack on some hexes."""
    return Fraction(attack_halves(war, pos, unit, targets), 2)


def has_river(war: War, pos: Table, attackers: Mask, hex: int) -> bool:
    """B4H3, B4H5, B4H6: whether rivers double the defenders of a hex.

    All attackers must be on rivers, and none on the defender's river alone.
    """
    rivers = war.ground.rivers
    places = {pos.hex[unit] for unit in bits(attackers)}
    if any(not rivers.hexes >> place & 1 for place in places):
        return False
    here = rivers.at[hex]
    return not any(rivers.at[place] <= here for place in places)


def multiplier(war: War, pos: Table, attackers: Mask, hex: int) -> int:
    """B4H2 to B4H4: a mountain doubles, a river doubles, both triple."""
    mountain = war.ground.mountains >> hex & 1
    return 1 + mountain + has_river(war, pos, attackers, hex)


def behind_high(war: War, pos: Table, attackers: Mask, targets: Mask, hex: int) -> bool:
    """B4H7b: whether a hex is doubled because an attacker of several hexes is not halved for it."""
    if not targets & targets - 1:
        return False
    for unit in bits(attackers):
        if pos.mountain and war.mountaineers >> unit & 1:
            continue
        mixed = not is_halved(war, pos, unit, targets)
        if mixed and has_side(war, war.ground.high, pos.hex[unit], hex):
            return True
    return False


def weigh(war: War, pos: Table, attackers: Mask, targets: Mask, witnesses: Mask = 0) -> Weight:
    """The strengths of a battle.

    `witnesses` are the attackers on whom the advantages of terrain rest, if not all: those who
    established an Automatic Victory (C12B3). Supporting fire comes after terrain (D3A11).
    """
    enemy = 1 - pos.side
    forts = from_forts(war, pos, attackers)
    if forts:  # D6D2: neither bonus nor penalty
        halves = 2 * sum([attack_of(war, pos, unit) for unit in bits(attackers)])
    else:
        halves = sum([attack_halves(war, pos, unit, targets) for unit in bits(attackers)])
    defence, doubled, seen = 0, False, witnesses or attackers
    for hex in bits(targets):
        stack = there(war, pos, enemy).stack(hex)
        basic = sum([defence_of(war, pos, unit) for unit in bits(stack)])  # B4E8
        if forts:
            defence += basic
            continue
        times = multiplier(war, pos, seen, hex)
        doubled |= times > 1
        high = behind_high(war, pos, seen, targets, hex)
        defence += basic * times * (1 + high)
    attack = Fraction(halves, 2) + attack_bonus(pos, attackers)
    return Weight(attack, defence + defence_bonus(war, pos, targets), doubled)


def odds(war: War, pos: Table, attackers: Mask, targets: Mask, witnesses: Mask = 0) -> Odds:
    """B4E5: the column of a battle, rounded for the defender; beyond the last it is the last."""
    weight = weigh(war, pos, attackers, targets, witnesses)
    columns = air_columns(war, pos, attackers)
    shifts = [Shift("air superiority", columns, "D2C1")] if columns else []
    if strikes_on(war, pos, targets):
        shifts.append(Shift("Air Strike", STRIKE_COLUMNS, "E14D"))
    return war.ladder.odds(weight.attack, weight.defence, shifts)


def is_allowed(war: War, pos: Table, attackers: Mask, targets: Mask) -> bool:
    """B4E12a: whether the odds are 1-4 or better; from forts they need not be (D6D4)."""
    if from_forts(war, pos, attackers):
        return True
    return odds(war, pos, attackers, targets).shifted >= war.ladder.index(war.book.limits.least)


def explain(
    war: War, pos: Table, attackers: Mask, targets: Mask, witnesses: Mask = 0
) -> tuple[Line, ...]:
    """How the strengths of a battle come about, line by line."""
    lines: list[Line] = []
    forts = from_forts(war, pos, attackers)
    for unit in bits(attackers):
        basic = attack_of(war, pos, unit)
        counted = Fraction(basic) if forts else attack_factor(war, pos, unit, targets)
        by = "B4E5a" if counted == basic else "B4H7a" if 2 * counted == basic else "D4A1a"
        lines.append(Line(war.names[unit], told(counted), by))
    if bonus := attack_bonus(pos, attackers):
        lines.append(Line("Supporting fire", f"+{bonus}", "D3A3"))
    seen, enemy = witnesses or attackers, there(war, pos, 1 - pos.side)
    for hex in bits(targets):
        basic = sum([defence_of(war, pos, unit) for unit in bits(enemy.stack(hex))])
        code = war.board.code(hex)
        lines.append(Line(f"Defence of {code}", f"{basic}", "B4E8"))
        if forts:
            continue
        if war.ground.mountains >> hex & 1:
            lines.append(Line(f"Mountain in {code}", "+x1", "B4H2"))
        if has_river(war, pos, seen, hex):
            lines.append(Line("All attackers on rivers", "+x1", "B4H3"))
        if behind_high(war, pos, seen, targets, hex):
            lines.append(Line(f"{code} behind High Apennine", "x2", "B4H7b"))
    if bonus := defence_bonus(war, pos, targets):
        lines.append(Line("Fire in defence", f"+{bonus}", "D3A5a"))
    return (*lines, *odds(war, pos, attackers, targets, witnesses).lines)


def told(factor: Fraction) -> str:
    """A factor with its half.

    >>> told(Fraction(5, 2)), told(Fraction(1, 2)), told(Fraction(3))
    ('2 1/2', '1/2', '3')
    """
    whole, half = divmod(factor, 1)
    return " ".join([*([str(whole)] if whole or not half else []), *(["1/2"] if half else [])])
