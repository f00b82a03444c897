"""E9: divisions are broken up into regiments, and regiments combined into divisions."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import BROKEN, GERMAN, Table
from ..table.war import War
from .b4d_stacking import full_hexes
from .c11_replacements import DONE, REBUILD
from .c12_automatic import committed
from .e8_commands import REFIT
from .e9_forms import as_division, as_regiments, join, part, those_left

REFORMING = "Divisions and regiments are exchanged in the German movement phase"
"""And while units are rebuilt as it ends (E9F)."""


def marks_of(pos: Table, units: Mask) -> tuple[bool, ...]:
    """What holds of any of some units in this turn, and passes on to those they become."""
    return tuple(bool(mask & units) for mask in _turn_marks(pos))


def _turn_marks(pos: Table) -> tuple[Mask, ...]:
    return (
        pos.engaged,
        pos.shipped,
        pos.rushed,
        pos.slowed,
        pos.tied,
        pos.rebuilt,
        pos.unfed,
        (pos.hungry),
    )


def pass_on(pos: Table, marks: tuple[bool, ...], units: Mask) -> None:
    """Units take over the marks of those whose place they take."""
    names = ("engaged", "shipped", "rushed", "slowed", "tied", "rebuilt", "unfed", "hungry")
    for name, holds in zip(names, marks, strict=True):
        if holds:
            setattr(pos, name, getattr(pos, name) | units)


def on_the_map(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is in a hex."""
    return 0 <= pos.hex[unit] < war.lattice.size


def whole_divisions(war: War, pos: Table) -> Mask:
    """The divisions on the map that have regiments."""
    return mask_of(u for u in war.regiments if on_the_map(war, pos, u))


def reforms(war: War, pos: Table) -> bool:
    """E9D4: whether forms may change now: in the German movement, and as it ends."""
    phase = pos.phase in ("movement", "refitting")
    return war.is_advanced(pos) and pos.side == GERMAN and phase


class BreakUp(Order[War, Table]):
    """E9D2: a division becomes its regiments, each with what is left of its movement."""

    verb, names = "break up", (UNIT,)
    when, rule, opens = REFORMING, "E9D2", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield reforms(war, pos), "Forms do not change now", "E9D4"
        yield mask_of(war.regiments), "{unit} has no regiments", "E9C"
        yield whole_divisions(war, pos), "{unit} is not on the map as a division", "E9C"
        if pos.movers:
            alone = not pos.movers & pos.movers - 1
            yield pos.movers if alone else 0, "{unit} does not move alone", "E9D2"
        yield ~pos.reformed, "{unit} has been broken up in this turn", "E9D4"
        yield ~committed(pos), "{unit} has a part in an automatic victory", "C12B2"
        able = [u for u in bits(whole_divisions(war, pos)) if fits(war, pos, u)]
        yield mask_of(able), "{unit} is too weak to be broken up", "E9E"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        division = option.unit
        steps = as_regiments(war, division, pos.steps[division])
        assert steps
        marks, bit = marks_of(pos, 1 << division), 1 << division
        moving, idle = bool(pos.movers), bool(pos.moved & bit)
        rest = pos.points, pos.extra
        left = [each for each in pos.leftover if each[0] != division]
        if not moving:
            rest = next(((p, e) for u, p, e in pos.leftover if u == division), (0, 0))
            idle &= rest == (0, 0)
        parts = part(war, pos, division, steps)
        units = mask_of(parts)
        pass_on(pos, marks, units)
        pos.reformed |= bit
        pos.movers = pos.points = pos.extra = 0
        under_way, pos.under_way = pos.under_way, False
        if moving and not under_way:
            idle = False  # it had only been picked up
        elif moving or rest != (0, 0):
            left += [(unit, rest[0], rest[1]) for unit in parts]
            idle = False
        pos.moved = pos.moved & ~units | (units if idle else 0)
        pos.leftover = tuple(left)
        yield Event("is broken up", division, pos.hex[parts[0]], rule="E9D2")


def fits(war: War, pos: Table, division: int) -> bool:
    """Whether a division can be broken up, and its regiments have room where it is."""
    steps = as_regiments(war, division, pos.steps[division])
    if steps is None:
        return False
    points = sum([war.stacking[r] for r, n in zip(war.regiments[division], steps) if n >= 0])
    return points <= war.stacking[division]


class Combine(Order[War, Table]):
    """E9D1: regiments that are all in one hex become their division, and may go on as such."""

    verb, names = "combine", (UNIT,)
    when, rule, opens = REFORMING, "E9D1", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield reforms(war, pos), "Forms do not change now", "E9D4"
        yield mask_of(war.regiments), "{unit} has no regiments", "E9C"
        broken = mask_of(u for u in war.regiments if pos.hex[u] == BROKEN)
        yield broken, "{unit} is not in regiments", "E9C"
        yield not pos.movers, "A stack is on the move", "B4C3"
        once = [u for u in bits(broken) if not pos.reformed >> war.regiments[u][0] & 1]
        yield mask_of(once), "{unit} has been combined in this turn", "E9D4"
        busy = [u for u in once if not mask_of(war.regiments[u]) & committed(pos)]
        yield mask_of(busy), "A regiment has a part in an automatic victory", "C12B2"
        met = [u for u in busy if len({pos.hex[p] for p in those_left(war, pos, u)}) == 1]
        yield mask_of(met), "The regiments of {unit} are not all in one hex", "E9D1"
        strong = [u for u in met if as_division(war, pos, u)]
        yield mask_of(strong), "What is left of {unit} is no division", "E9E"
        roomy = [u for u in strong if self._has_room(war, pos, u)]
        yield mask_of(roomy), "There is no room for {unit}", "B4D1"

    def _has_room(self, war: War, pos: Table, division: int) -> bool:
        parts = those_left(war, pos, division)
        apart = pos.copy()
        for unit in parts:
            apart.hex[unit] = BROKEN
        return not full_hexes(war, apart, GERMAN, 1 << division) >> pos.hex[parts[0]] & 1

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        division = option.unit
        parts = those_left(war, pos, division)
        units, bit, here = mask_of(parts), 1 << division, pos.hex[parts[0]]
        marks, steps = marks_of(pos, units), as_division(war, pos, division)
        points, extra = min(_left(war, pos, unit) for unit in parts)
        fresh = not pos.moved & units and not any(u in parts for u, _, _ in pos.leftover)
        bank = next((pos.bank[u] for u in parts if pos.bank[u]), 0)
        join(war, pos, division, steps, here)
        pos.bank[division] = bank
        pass_on(pos, marks, bit)
        pos.reformed |= 1 << war.regiments[division][0]
        pos.leftover = tuple(each for each in pos.leftover if not units >> each[0] & 1)
        pos.moved &= ~(units | bit)
        if not fresh:
            if points + extra > 0:
                pos.leftover += ((division, points, extra),)
            else:
                pos.moved |= bit
        yield Event("is combined", division, here, rule="E9D1")


def _left(war: War, pos: Table, unit: int) -> tuple[int, int]:
    """The half points that a regiment has left: all, what it kept, or none."""
    for each, points, extra in pos.leftover:
        if each == unit:
            return points, extra
    full = war.allowance[unit] * (1 if not pos.slowed >> unit & 1 else 0)
    return (0, 0) if pos.moved >> unit & 1 else (full, 0)


def keep_points(war: War, pos: Table) -> None:
    """E9D1: a regiment that halts keeps its points, in case it is combined."""
    if pos.movers & war.cadres and pos.under_way and pos.points + pos.extra > 0:
        pos.leftover += tuple(
            (unit, pos.points, pos.extra) for unit in bits(pos.movers & war.cadres)
        )


BREAK_UP, COMBINE = BreakUp(), Combine()


def refitting_phase(war: War, pos: Table) -> Procedure:
    """C11A11, E9F: units are rebuilt as movement ends, and who has been may change form then."""
    prompt = "Rebuild a unit with a replacement, or go on"
    verb = ""
    while verb != DONE.verb:
        orders: tuple[Order[War, Table], ...] = (REBUILD, REFIT)
        if pos.rebuilt & (mask_of(war.regiments) | war.cadres):
            orders += (BREAK_UP, COMBINE)
        if not any(order.is_open(war, pos) for order in orders):
            return
        verb = (yield from ask(war, pos, prompt, rule("C11A11"), *orders, DONE)).verb
