"""E4B2 and E5D6: units that are withdrawn to other fronts, and what is owed for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import ALLIED, AWAY, DESTROYED, GERMAN, POOL, WITHDRAWN, Table
from ..table.rivers import FREE
from ..table.war import War
from .b4c_march import find_march, gait
from .b4e_zones import soften, there
from .c7_sea import entry_outlet, evacuation_hexes, outlet
from .c9_supply import allied_sources, fed_hexes, german_unfed, line_hexes
from .c11_replacements import ARMOR, INFANTRY, kind_of, settle_debts, strongest
from .e4_cards import allied_lines, german_lines

MOST_ARMOR = 2
"""Armor replacements that may be owed (E5D6b)."""


class Recall(NamedTuple):
    """Somebody who is to be withdrawn, and who may be instead."""

    unit: int
    instead: tuple[int, ...]


def recalls(war: War, pos: Table) -> Iterator[Recall]:
    """The withdrawals of this player-turn."""
    number = war.number
    if pos.side == ALLIED:
        for line in allied_lines(war, pos):
            if line.event == "withdraw":
                yield Recall(number[line.units[0]], tuple(number[n] for n in line.instead))
        return
    for line in german_lines(war, pos):
        if line.event == "withdraw":
            unit = war.keeper(pos, number[line.units[0]])
            parts = war.whole(unit)
            if line.entered and (pos.frozen & parts or pos.hex[unit] == WITHDRAWN):
                continue  # E8D2, E8E4b: garrisons, and who has left as one
            yield Recall(unit, tuple(number[n] for n in line.instead))


def withdrawals_phase(war: War, pos: Table) -> Procedure:
    """E4B2: before anything moves; first the parts of divisions that could not leave before."""
    if pos.side == GERMAN:
        yield from leave_late(war, pos)
    for recall in recalls(war, pos):
        yield from withdraw(war, pos, recall)
        yield from pay(war, pos)


def isolated(war: War, pos: Table, side: int) -> Mask:
    """E4B2b: the units on the map without a line of supply; Capacity does not matter.

    Allied ones that can reach a beach are not isolated (E4B2d).
    """
    if side == GERMAN:
        return german_unfed(war, pos)
    sources = 0
    for hexes, _ in allied_sources(war, pos):
        sources |= hexes
    present = there(war, pos, ALLIED)
    cut = present.units & ~present.among(fed_hexes(war, sources, line_hexes(war, pos, ALLIED)))
    return mask_of(unit for unit in bits(cut) if not reaches_beach(war, pos, unit))


def reaches_beach(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit is on, or can come to, a beach from which it could be evacuated."""
    how, here = gait(war, pos, unit), pos.hex[unit]
    node = war.node[here, FREE]
    found = find_march(war, pos, how, node, how.allowance, 0, True, 1 << unit).ends
    return bool((found | 1 << here) & evacuation_hexes(war, pos))


# Who goes.


def withdraw(war: War, pos: Table, recall: Recall) -> Procedure:
    """E4B2a to c: the unit, else a substitute, else replacements for all its steps."""
    side = war.side_of[recall.unit]
    if not has_come(war, pos, recall.unit):
        return
    cut = isolated(war, pos, side)
    parts = mask_of(war.parts_on_table(pos, recall.unit))
    if any(can_leave(war, pos, unit) for unit in bits(parts & ~cut)):
        pos.owing |= parts & cut
        yield from take_away(war, pos, recall.unit, parts & ~cut)
        if parts & cut:
            pos.hex[recall.unit] = WITHDRAWN  # E9I: the rest of it is all that there will be
        return
    able = mask_of(u for u in recall.instead if is_able(war, pos, u, cut))
    if not able:
        yield Event("cannot be withdrawn", recall.unit, rule="E4B2c")
        owe(war, pos, recall.unit, war.full[recall.unit])
        return
    prompt = f"{war.names[recall.unit]} cannot be withdrawn: who goes instead?"
    chosen = yield from ask(war, pos, prompt, rule("E4B2b"), GoInstead(able), side=side)
    pos.proxies += ((recall.unit, chosen.unit),)
    yield from take_away(war, pos, chosen.unit, mask_of(war.parts_on_table(pos, chosen.unit)))


def has_come(war: War, pos: Table, unit: int) -> bool:
    """Whether a unit has ever been in the game: else nobody goes for it."""
    return pos.hex[unit] != AWAY or unit in war.division


def is_able(war: War, pos: Table, unit: int, cut: Mask) -> bool:
    """Whether a substitute is there, free to move and not isolated."""
    parts = mask_of(war.parts_on_table(pos, unit))
    free = parts and not parts & (cut | pos.frozen)
    return bool(free) and all(can_leave(war, pos, part) for part in bits(parts))


def can_leave(war: War, pos: Table, unit: int) -> bool:
    """E4B2a: whether a unit can be taken away: through a port, or over a beach, inverted."""
    if not on_the_map(war, pos, unit):
        return True
    return bool(way_out(war, pos, unit)) or bool(
        war.inverts >> unit & 1 and reaches_beach(war, pos, unit)
    )


def way_out(war: War, pos: Table, unit: int) -> tuple[int, int] | None:
    """A port to which a unit has a line, and with Build-Up: its account, and what is left."""
    points, found = war.stacking[unit], list[tuple[int, int]]()
    free, bit = line_hexes(war, pos, ALLIED), 1 << pos.hex[unit]
    ground = war.ground
    for number, base in enumerate(ground.bases):
        left = outlet(war, pos, number)
        if left >= points and bit & fed_hexes(war, base.hexes & pos.friendly, free):
            found.append((left, number))
    for number, entry in enumerate(ground.entries):
        left = entry_outlet(war, pos, entry)
        open = pos.entries >> entry.place & 1
        if open and left >= points and bit & fed_hexes(war, entry.edge, free):
            found.append((left, len(ground.bases) + number))
    if not found:
        return None
    left, slot = max(found)
    return slot, left


def take_away(war: War, pos: Table, unit: int, parts: Mask) -> Procedure:
    """Units are lifted from where they stand; what they lack in steps is owed (E4B2e)."""
    full, left = strongest(war, pos, unit), 0
    for part in bits(parts):
        left += steps_taken(war, pos, part)
        yield from lift(war, pos, part)
    if unit in war.regiments and not parts >> unit & 1:
        full = sum(war.full[part] for part in war.regiments[unit])
        full -= sum(war.full[p] for p in war.regiments[unit] if pos.owing >> p & 1)
        pos.hex[unit] = WITHDRAWN
    owe(war, pos, unit, max(full - left, 0))


def on_the_map(war: War, pos: Table, unit: int) -> bool:
    """Whether an Allied unit must be shipped away: not if it is in a box."""
    return war.side_of[unit] == ALLIED and 0 <= pos.hex[unit] < war.lattice.size


def steps_taken(war: War, pos: Table, unit: int) -> int:
    """The steps with which a unit leaves: over a beach it is an inverted counter (E4B2a)."""
    if on_the_map(war, pos, unit) and not way_out(war, pos, unit):
        return 1
    return pos.steps[unit]


def lift(war: War, pos: Table, unit: int) -> Iterator[Event]:
    """A unit leaves, and uses the Build-Up of a port (E4B2a)."""
    here = pos.hex[unit]
    way = way_out(war, pos, unit) if on_the_map(war, pos, unit) else None
    if way:
        pos.sailed[way[0]] += war.stacking[unit]
    pos.hex[unit], pos.bank[unit], pos.steps[unit] = WITHDRAWN, FREE, war.full[unit]
    pos.frozen &= ~(1 << unit)
    soften(war, pos, unit)
    yield Event("is withdrawn", unit, here if here >= 0 else -1, rule="E4B2")


@dataclass(slots=True)
class GoInstead(Order[War, Table]):
    """E4B2b: the owner names the substitute."""

    units: Mask

    verb, names = "withdraw", (UNIT,)
    when, rule = "Another unit is withdrawn for one that is isolated or destroyed", "E4B2b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.units, "{unit} is no substitute, or isolated, or on garrison duty", "E4B2b"


def leave_late(war: War, pos: Table) -> Procedure:
    """E9I: parts of a withdrawn division leave when they can; for those destroyed one owes."""
    cut = isolated(war, pos, GERMAN)
    for unit in bits(pos.owing):
        if pos.hex[unit] == DESTROYED:
            owe(war, pos, unit, war.full[unit])
        elif cut >> unit & 1:
            continue
        else:
            owe(war, pos, unit, war.full[unit] - steps_taken(war, pos, unit))
            yield from lift(war, pos, unit)
        pos.owing &= ~(1 << unit)
    yield from pay(war, pos)


# What is owed.


def owe(war: War, pos: Table, unit: int, steps: int) -> None:
    """E4B2e, E5D6b: for pure armor the Germans owe armor alone."""
    if war.side_of[unit] == ALLIED:
        pos.debt[ALLIED] += steps
    else:
        pos.debt[ARMOR if war.armor >> unit & 1 else INFANTRY] += steps


class HandOver(Order[War, Table]):
    """E4B2e: a replacement counter on the table pays for a step."""

    verb, names = "hand over", (UNIT,)
    when, rule = "Replacements pay for the steps that withdrawn units lack", "E4B2e"

    def bars(self, war: War, pos: Table) -> Bars:
        yield payers(war, pos), "{unit} is no replacement that could pay for this", "E4B2e"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        kind = kind_of(war, option.unit)
        owed = kind if pos.debt[kind] else ARMOR
        pos.debt[owed] -= 1
        pos.hex[option.unit] = POOL


HAND_OVER = HandOver()


def payers(war: War, pos: Table) -> Mask:
    """The counters on the table that pay for what is owed now.

    Infantry pays for armor as far as more than two are owed (E5D6b).
    """
    found = 0
    for unit in bits(war.replacements & war.army[pos.side] & ~war.once):
        if pos.hex[unit] < 0:
            continue
        kind = kind_of(war, unit)
        if pos.debt[kind] or (kind == INFANTRY and pos.debt[ARMOR] > MOST_ARMOR):
            found |= 1 << unit
    return found


def pay(war: War, pos: Table) -> Procedure:
    """E4B2e: at once, from what is kept, then from the table; the rest is owed."""
    settle_debts(pos)
    over = min(pos.debt[ARMOR] - MOST_ARMOR, pos.credit[INFANTRY])
    if over > 0:  # E5D6b
        pos.debt[ARMOR] -= over
        pos.credit[INFANTRY] -= over
    while payers(war, pos):
        prompt = "Which replacement pays for a step that is owed?"
        yield from ask(war, pos, prompt, rule("E4B2e"), HAND_OVER)
