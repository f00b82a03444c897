"""Chapters 8 and 10: what happens between turns, reinforcements and Allied withdrawals."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.data import DIE, OUTCOMES
from ..table.position import ALLIED, AWAY, GERMAN, GONE, LOST, OVERLAND, TIBER, UNDECIDED, Table
from ..table.war import FIFTH_PANZER, SECOND_SS, War
from .c04_victory import judge
from .c06_fog import hidden, order_stacks
from .c07_zones import leave_map, lose_port, on_map, put, settle
from .c11_supply import net, status


def interlude_phase(war: War, pos: Table) -> Procedure:
    """The rolls just before a turn: the scenario, the German armies, the air raid."""
    if pos.scenario == UNDECIDED:
        yield from choose_scenario(war, pos)
    if pos.scenario == TIBER:
        yield from roll_for_corps(war, pos)
        yield from roll_for_army(war, pos)
    if pos.turn in war.book.raid_turns and not pos.raided:
        yield from raid(war, pos)


def choose_scenario(war: War, pos: Table) -> Procedure:
    """8.2: between Game Turns 1 and 2 a die decides, unless it was agreed before (8.1a)."""
    scenario = pos.agreed
    if scenario == UNDECIDED:
        (die,) = yield Roll((DIE,), "Historical (1-5) or Watch on the Tiber (6-10)", rule("8.2"))
        rolls = [war.book.outcomes[key].rolls for key in OUTCOMES]
        scenario = next(n for n, (low, high) in enumerate(rolls, 1) if low <= die <= high)
    pos.scenario = scenario
    outcome = war.outcome(scenario)
    assert outcome
    pos.forts_left = war.book.forts.counters if outcome.forts else 0  # 8.4a
    yield Event(f"the scenario is {outcome.title}", rule=rule("8.1a"))
    put(war, pos, war.left_out[scenario], GONE)  # 8.3a, 8.3b, 8.4b, 8.4e
    yield from settle(war, pos)
    judge(war, pos)


def roll_for_corps(war: War, pos: Table) -> Procedure:
    """8.5: II SS Panzer Corps comes before Game Turn 3, 4 or at the latest 5."""
    chart = war.book.second_ss
    corps = war.grouped[SECOND_SS]
    waits = [unit for unit in bits(corps) if pos.hex[unit] == AWAY]
    if not waits or pos.turn not in chart.before:
        return
    most = chart.most[chart.before.index(pos.turn)]
    if most < DIE:
        (die,) = yield Roll((DIE,), f"II SS Panzer Corps, 1-{most}", rule("8.5a"))
        if die > most:
            return
    put(war, pos, corps, war.tenth)
    yield Event("II SS Panzer Corps arrives", rule=rule("8.5c"))


def roll_for_army(war: War, pos: Table) -> Procedure:
    """8.7: so many units of 5th Panzer Army as half the die says go to its box."""
    chart = war.book.fifth_army
    missing = away(war, pos)
    if not missing or not (pos.turn in chart.before or pos.turn >= chart.every):
        return
    (die,) = yield Roll((DIE,), "units of 5th Panzer Army, half the die", rule("8.7a"))
    pos.assembling = min(die // chart.divisor, missing)


def away(war: War, pos: Table) -> int:
    """How many of 5th Panzer Army are not in the box yet, the aircraft counted (8.7b)."""
    return absent(war, pos).bit_count() + (not pos.army_aircraft)


def absent(war: War, pos: Table) -> Mask:
    """The units of the army that are still elsewhere."""
    return mask_of(unit for unit in bits(war.grouped[FIFTH_PANZER]) if pos.hex[unit] == AWAY)


class Assemble(Order[War, Table]):
    """8.7a: a unit of 5th Panzer Army goes to its box."""

    verb, names = "assemble", (UNIT,)
    when, rule = "5th Panzer Army assembles between two game turns", "8.7a"
    opens = True

    def bars(self, war: War, pos: Table) -> Bars:
        other = "{unit} is not a unit of 5th Panzer Army"
        yield war.grouped[FIFTH_PANZER], other, "8.7a"
        yield absent(war, pos), "{unit} has assembled already", "8.7a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put(war, pos, 1 << option.unit, war.fifth)


class AssembleAircraft(Order[War, Table]):
    """8.7b: its aircraft are one unit more."""

    verb = "assemble aircraft"
    when, rule = "5th Panzer Army assembles between two game turns", "8.7b"
    opens = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.army_aircraft, "The aircraft have assembled already", "8.7b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.army_aircraft = True


ASSEMBLE, ASSEMBLE_AIRCRAFT = Assemble(), AssembleAircraft()


def assembly_phase(war: War, pos: Table) -> Procedure:
    """8.7a: the German player says which units those are."""
    while pos.assembling:
        prompt = f"Move a unit of 5th Panzer Army into its box ({pos.assembling} to go)"
        orders = ASSEMBLE, ASSEMBLE_AIRCRAFT
        yield from ask(war, pos, prompt, rule("8.7a"), *orders, side=GERMAN, checkpoint=True)
        pos.assembling -= 1
        if not away(war, pos):
            pos.army_due = True  # 8.8a


def raid(war: War, pos: Table) -> Procedure:
    """11.11: one air raid on a port, in Game Turn 21, 22 or 23."""
    (die,) = yield Roll((DIE,), "air raid on a port, 1-5", rule("11.11a"))
    name = war.book.raid.cell(die, pos.scenario - 1)
    if name not in war.port_names:
        return
    pos.raided = True  # 11.11d: also if it finds nothing
    number = war.port_names.index(name)
    hex = pos.ports[number]
    if hex < 0:
        yield Event("air raid fails", hex=war.ports[number], rule=rule("11.11c"))
        return
    yield Event("air raid", hex=hex, rule=rule("11.11b"))
    yield from lose_port(war, pos, hex, rule("11.11b"))
    yield from settle(war, pos)


def arrivals_phase(war: War, pos: Table) -> Procedure:
    """10.2, 10.3: units that are due go to their box; before that Allied units leave (10.4)."""
    if pos.side == ALLIED:
        yield from withdrawals(war, pos)
    for unit in war.due[pos.side][pos.turn]:
        if pos.hex[unit] == AWAY:
            put(war, pos, 1 << unit, war.box_of[unit])
            yield Event("arrives", unit, rule=rule("10.2a") if pos.side else rule("10.3a"))


class Withdraw(Order[War, Table]):
    """10.4b: the German names an Allied unit that leaves in place of another."""

    verb, names = "withdraw", (UNIT,)
    when, rule = "Units are withdrawn when the new ones arrive", "10.4b"
    opens = True

    __slots__ = ("group",)

    def __init__(self, group: int) -> None:
        self.group = group

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.units_of[ALLIED], "{unit} is German, and an Allied unit leaves", "10.4b"
        unseen = hidden(war, pos, GERMAN) & ~pos.tops
        yield ~unseen, "You cannot see where {unit} is", "6.9b"
        present = mask_of(unit for unit in war.members[ALLIED] if on_map(war, pos, unit))
        yield present, "{unit} is not on the map", "10.4b"
        title = war.book.groups[war.group_names[self.group]].title
        other = f"A {title} unit must leave, and {{unit}} is none"
        yield war.grouped[self.group], other, "10.4b"
        hungry = "{unit} {where it is} has no overland supply, and cannot leave"
        yield substitutes(war, pos, self.group), hungry, "10.4b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.left += 1
        return withdraw(war, pos, option.unit, rule("10.4b"))


def withdrawals(war: War, pos: Table) -> Procedure:
    """10.4: in the Historical Scenario units leave by the record sheet, before all else."""
    outcome = war.outcome(pos.scenario)
    if outcome is None or not outcome.withdrawals:
        return
    orders = [order for order in war.book.withdrawals if order.turn == pos.turn]
    while pos.left < len(orders):
        unit = war.names.index(orders[pos.left].unit)
        if may_withdraw(war, pos, unit):
            pos.left += 1
            yield from withdraw(war, pos, unit, rule("10.4a"))
        elif not substitutes(war, pos, war.group[unit]):
            pos.left += 1  # 10.4e
        else:
            prompt = f"{war.names[unit]} cannot be withdrawn: name another that you can see"
            other = Withdraw(war.group[unit])
            yield from ask(war, pos, prompt, rule("10.4b"), other, side=GERMAN, checkpoint=True)
    while pos.shuffled:
        yield from order_stacks(war, pos)


def withdraw(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit leaves for good, whatever its strength (10.4c)."""
    yield Event("is withdrawn", unit, pos.hex[unit], rule=by)
    yield from leave_map(war, pos, 1 << unit, GONE)


def may_withdraw(war: War, pos: Table, unit: int) -> bool:
    """10.4b: in a box, or on the map in overland supply."""
    hex = pos.hex[unit]
    return hex not in (LOST, AWAY, GONE) and status(war, pos, hex, ALLIED) == OVERLAND


def substitutes(war: War, pos: Table, group: int) -> Mask:
    """10.4b: units of a group on the map in overland supply, as far as the German sees."""
    fed = net(war, pos, ALLIED)
    return mask_of(
        unit
        for unit in bits(war.grouped[group] & pos.tops)
        if on_map(war, pos, unit) and fed >> pos.hex[unit] & 1
    )
