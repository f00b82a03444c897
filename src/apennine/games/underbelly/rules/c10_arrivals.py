"""Chapters 8 and 10: what happens between turns, reinforcements and Allied withdrawals."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import DIE, OUTCOMES
from ..table.position import ALLIED, AWAY, GERMAN, GONE, LOST, OVERLAND, TIBER, UNDECIDED, Table
from ..table.war import FIFTH_PANZER, SECOND_SS, War
from .c04_victory import judge
from .c06_fog import order_stacks
from .c07_zones import leave_map, lose_port, on_map, put, settle
from .c11_supply import net, status

ASSEMBLE_AIRCRAFT = Option("assemble aircraft")


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
    absent = away(war, pos)
    if not absent or not (pos.turn in chart.before or pos.turn >= chart.every):
        return
    (die,) = yield Roll((DIE,), "units of 5th Panzer Army, half the die", rule("8.7a"))
    pos.assembling = min(die // chart.divisor, absent)


def away(war: War, pos: Table) -> int:
    """How many of 5th Panzer Army are not in the box yet, the aircraft counted (8.7b)."""
    units = sum(pos.hex[unit] == AWAY for unit in bits(war.grouped[FIFTH_PANZER]))
    return units + (not pos.army_aircraft)


def assembly_phase(war: War, pos: Table) -> Procedure:
    """8.7a: the German player says which units those are."""
    while pos.assembling:
        chosen = yield Choice(
            GERMAN,
            Later(lambda: assembly_menu(war, pos)),
            f"Move a unit of 5th Panzer Army into its box ({pos.assembling} to go)",
            rule("8.7a"),
            checkpoint=True,
        )
        pos.assembling -= 1
        if chosen == ASSEMBLE_AIRCRAFT:
            pos.army_aircraft = True
        else:
            put(war, pos, 1 << chosen.unit, war.fifth)
        if not away(war, pos):
            pos.army_due = True  # 8.8a


def assembly_menu(war: War, pos: Table) -> Menu:
    """The units of the army that are still elsewhere."""
    units = [unit for unit in bits(war.grouped[FIFTH_PANZER]) if pos.hex[unit] == AWAY]
    return Menu(Among("assemble", units), [] if pos.army_aircraft else [ASSEMBLE_AIRCRAFT])


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
        elif not substitutes(war, pos, unit):
            pos.left += 1  # 10.4e
        else:
            chosen = yield Choice(
                GERMAN,
                Later(lambda unit=unit: Among("withdraw", substitutes(war, pos, unit))),
                f"{war.names[unit]} cannot be withdrawn: name another that you can see",
                rule("10.4b"),
                checkpoint=True,
            )
            pos.left += 1
            yield from withdraw(war, pos, chosen.unit, rule("10.4b"))
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


def substitutes(war: War, pos: Table, unit: int) -> list[int]:
    """10.4b: units of the same group on the map in overland supply, as far as the German sees."""
    fed = net(war, pos, ALLIED)
    return [
        other
        for other in bits(war.grouped[war.group[unit]] & pos.tops)
        if on_map(war, pos, other) and fed >> pos.hex[other] & 1
    ]
