"""C11: replacements, how they come and whom they rebuild."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask
from apennine.mechanics.asking import while_possible

from ..table.position import ALLIED, DESTROYED, GERMAN, POOL, Table
from ..table.war import War
from .b4d_stacking import full_hexes
from .b4e_zones import occupied, soften, there, those_in, zone
from .c9_supply import fed_hexes, line_hexes

INFANTRY, ARMOR = 1, 2
"""German credits (C2B2); that of the Allies is 0."""
RAISING = "German replacements come as their movement phase begins"
REBUILDING = "Units are rebuilt as the movement phase ends"


def kind_of(war: War, unit: int) -> int:
    """The credit that a replacement counter is taken from."""
    if war.side_of[unit] == ALLIED:
        return ALLIED
    return ARMOR if war.rebuild_all >> unit & 1 else INFANTRY


def receive(war: War, pos: Table) -> Iterator[Event]:
    """C1A3, C2B2: the replacements of the turn; those of the Allies come to Sicilia at once.

    What no counter is there for is kept (C11A12).
    """
    week, credit = war.book.turns[pos.turn - 1], pos.credit
    pos.rebuilt = 0
    if pos.side == GERMAN:
        credit[INFANTRY] += week.infantry
        credit[ARMOR] += week.armor
        settle_debts(pos)
        return
    credit[ALLIED] += week.allied
    settle_debts(pos)
    for unit in bits(those_in(war, pos, POOL, ALLIED)):
        if not credit[ALLIED]:
            return
        credit[ALLIED] -= 1
        pos.hex[unit] = war.ground.sicilia
        yield Event("arrives", unit, war.ground.sicilia, rule="C11B1")


def settle_debts(pos: Table) -> None:
    """E4B2e: what is owed for units withdrawn understrength is paid before any come."""
    for kind, owed in enumerate(pos.debt):
        paid = min(owed, pos.credit[kind])
        pos.debt[kind] -= paid
        pos.credit[kind] -= paid


# German replacements.


def raising_phase(war: War, pos: Table) -> Procedure:
    """C11C2: ersatz units appear in cities; what is not taken is kept."""
    prompt, verb = "Bring replacements to a city, or keep them", ""
    while pos.side == GERMAN and verb != KEEP.verb and RAISE.menu(war, pos):
        verb = (yield from ask(war, pos, prompt, rule("C11C2"), RAISE, KEEP, checkpoint=True)).verb


def depots(war: War, pos: Table) -> Mask:
    """C11C2: friendly major cities, in supply and out of Allied zones of control."""
    free = line_hexes(war, pos, GERMAN)
    fed = fed_hexes(war, war.german_edge(pos), free)
    return war.ground.major_cities & ~pos.friendly & fed & free


class Raise(Order[War, Table]):
    """C11C2: an ersatz unit is put into a city; the counters of a kind are alike."""

    verb, names, link = "raise", (UNIT, HEX), "in"
    ranges = (
        (UNIT, lambda war: war.army[GERMAN] & war.replacements),
        (HEX, lambda war: war.ground.major_cities),
    )
    when, rule, opens = RAISING, "C11C2", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[GERMAN] & war.replacements, "{unit} is no German replacement", "C11C3"
        idle = those_in(war, pos, POOL, GERMAN) & war.replacements
        yield idle, "{unit} is on the table already", "C11A12"
        paid = mask_of(unit for unit in bits(idle) if pos.credit[kind_of(war, unit)])
        yield paid, "No more replacements of this kind have been received", "C2B2"
        firsts = {kind_of(war, unit): unit for unit in reversed(list(bits(idle)))}
        yield mask_of(firsts.values()), "Another counter of the kind comes first", "C11A12"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ground = war.ground
        yield ground.major_cities, "{hex} is no major city", "C11C2"
        yield ~pos.friendly, "{hex} is not friendly", "C11C2"
        held = zone(war, pos, ALLIED)
        yield ~held, "{hex} is in an Allied zone of control", "C2A5a"
        yield depots(war, pos), "{hex} is cut off from supply", "C11C2"
        crowded = full_hexes(war, pos, GERMAN, 1 << first)
        yield ~crowded, "There is no room in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.credit[kind_of(war, option.unit)] -= 1
        pos.hex[option.unit] = option.hex


RAISE = Raise()
KEEP = Plain("keep replacements", RAISING, "C11A12")


# Rebuilding.


def rebuilding_phase(war: War, pos: Table) -> Procedure:
    """C11A11: at the end of the movement phase units take the replacements stacked with them."""
    prompt = "Rebuild a unit with a replacement, or go on"
    yield from while_possible(DONE, war, pos, prompt, rule("C11A11"), REBUILD)


def strongest(war: War, pos: Table, unit: int) -> int:
    """C11A9: the steps of the strongest counter that a unit may have now."""
    growth = war.units[unit].growth
    return war.full[unit] - (growth.faces if growth and pos.turn < growth.turn else 0)


def quiet(war: War, pos: Table, side: int) -> Mask:
    """C11A6: where units rebuild: in hexes far enough from all enemies, and beside the map."""
    enemies = occupied(war, pos, 1 - side)
    near = enemies
    for _ in range(war.book.limits.rebuilding - 1):
        near = war.lattice.dilate(near)
    boxes = mask_of(box.location for box in war.board.boxes)
    return war.ground.stands & ~near | boxes


def helpers(war: War, pos: Table, unit: int) -> Mask:
    """The replacements with which a unit may be rebuilt now, one of each kind."""
    stack = those_in(war, pos, pos.hex[unit], war.side_of[unit]) & war.replacements
    found: dict[int, int] = {}
    for helper in bits(stack):
        if war.rebuild_all >> helper & 1 or not war.armor >> unit & 1:  # C11C4
            found.setdefault(kind_of(war, helper), helper)
    return mask_of(found.values())


def worn(war: War, pos: Table, side: int) -> Mask:
    """The units of a side, on the map or beside it, that have lost steps."""
    units = war.army[side] & ~war.replacements & ~war.italians  # E10A2b
    return mask_of(
        unit
        for unit in bits(units)
        if pos.hex[unit] >= 0 and pos.steps[unit] < strongest(war, pos, unit)
    )


class Rebuild(Order[War, Table]):
    """C11A3: a unit gains a step for a replacement that is stacked with it."""

    verb, names, number = "rebuild", (UNIT, VALUE), "using {}"
    ranges = ((VALUE, UNIT),)
    when, rule, opens = REBUILDING, "C11A11", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "C11A11"
        yield ~war.replacements, "{unit} is itself a replacement", "C11A16"
        yield ~war.italians, "Italians are never rebuilt", "E10A2b"
        table = mask_of(u for u in bits(war.army[pos.side]) if pos.hex[u] >= 0)
        yield table, "{unit} is not on the table", "C11A15"
        yield worn(war, pos, pos.side), "{unit} has no stronger counter", "C11A9"
        yield ~pos.rebuilt, "{unit} has gained a step in this turn", "C11A3"
        calm, present = quiet(war, pos, pos.side), there(war, pos, pos.side)
        far = sum([units for place, units in present.stacks.items() if calm >> max(place, 0) & 1])
        yield far, "An enemy is less than three hexes from {unit}", "C11A6"
        able = mask_of(u for u in bits(worn(war, pos, pos.side)) if helpers(war, pos, u))
        yield able, "No replacement for {unit} is stacked with it", "C11A13"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield helpers(war, pos, first), "That is no replacement for {unit} here", "C11C4"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        # C11A4: it comes back with a later turn's replacements; not all do (E8H).
        pos.hex[option.value] = DESTROYED if war.once >> option.value & 1 else POOL
        pos.steps[unit] += 1
        pos.rebuilt |= 1 << unit
        soften(war, pos, unit)
        pos.rebuilt |= war.kindred(pos, unit)  # E9G
        yield Event("gains a step", unit, pos.hex[unit], rule="C11A3")


REBUILD = Rebuild()
DONE = Plain("end rebuilding", REBUILDING, "C11A11")
