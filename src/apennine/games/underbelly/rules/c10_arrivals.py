"""Chapters 8 and 10: what happens between turns, reinforcements and Allied withdrawals."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.data import DIE, OUTCOMES
from ..table.position import ALLIED, AWAY, COLUMN, GERMAN, GONE, OVERLAND, TIBER, UNDECIDED, Table
from ..table.war import FIFTH_PANZER, SECOND_SS, War
from .c04_victory import judge
from .c06_fog import hidden, order_stacks, veiled
from .c06_stacking import full_for, strangers
from .c07_zones import leave_map, lose_port, port_hexes, put, settle, there, those_among, those_in
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
        (die,) = yield Roll((DIE,), "Historical (1-5) or Watch on the Tiber (6-10)", "8.2")
        rolls = [war.book.outcomes[key].rolls for key in OUTCOMES]
        scenario = next(n for n, (low, high) in enumerate(rolls, 1) if low <= die <= high)
    pos.scenario = scenario
    outcome = war.outcomes[scenario]
    assert outcome
    pos.forts_left = war.book.forts.counters if outcome.forts else 0  # 8.4a
    yield Event(f"the scenario is {outcome.title}", rule="8.1a")
    put(war, pos, war.left_out[scenario], GONE)  # 8.3a, 8.3b, 8.4b, 8.4e
    yield from settle(war, pos)
    judge(war, pos)


def roll_for_corps(war: War, pos: Table) -> Procedure:
    """8.5: II SS Panzer Corps comes before Game Turn 3, 4 or at the latest 5."""
    chart, corps = war.book.second_ss, war.grouped[SECOND_SS]
    if not corps & those_in(war, pos, AWAY, GERMAN) or pos.turn not in chart.before:
        return
    most = chart.most[chart.before.index(pos.turn)]
    if most < DIE:
        (die,) = yield Roll((DIE,), f"II SS Panzer Corps, 1-{most}", "8.5a")
        if die > most:
            return
    put(war, pos, corps, war.tenth)
    yield Event("II SS Panzer Corps arrives", rule="8.5c")


def roll_for_army(war: War, pos: Table) -> Procedure:
    """8.7: so many units of 5th Panzer Army as half the die says go to its box."""
    chart = war.book.fifth_army
    missing = away(war, pos)
    if not missing or not (pos.turn in chart.before or pos.turn >= chart.every):
        return
    (die,) = yield Roll((DIE,), "units of 5th Panzer Army, half the die", "8.7a")
    pos.assembling = min(die // chart.divisor, missing)


def away(war: War, pos: Table) -> int:
    """How many of 5th Panzer Army are not in the box yet, the aircraft counted (8.7b)."""
    return absent(war, pos).bit_count() + (not pos.army_aircraft)


def absent(war: War, pos: Table) -> Mask:
    """The units of the army that are still elsewhere."""
    return those_in(war, pos, AWAY, GERMAN) & war.grouped[FIFTH_PANZER]


class Assemble(Order[War, Table]):
    """8.7a: a unit of 5th Panzer Army goes to its box."""

    verb, names = "assemble", (UNIT,)
    when, rule, opens = "5th Panzer Army assembles between two game turns", "8.7a", True

    def bars(self, war: War, pos: Table) -> Bars:
        other = "{unit} is not a unit of 5th Panzer Army"
        yield war.grouped[FIFTH_PANZER], other, "8.7a"
        yield absent(war, pos), "{unit} has assembled already", "8.7a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put(war, pos, 1 << option.unit, war.fifth)


class AssembleAircraft(Order[War, Table]):
    """8.7b: its aircraft are one unit more."""

    verb = "assemble aircraft"
    when, rule, opens = "5th Panzer Army assembles between two game turns", "8.7b", True

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
        yield from ask(war, pos, prompt, "8.7a", *orders, side=GERMAN, checkpoint=True)
        pos.assembling -= 1
        if not away(war, pos):
            pos.army_due = True  # 8.8a


def raid(war: War, pos: Table) -> Procedure:
    """11.11: one air raid on a port, in Game Turn 21, 22 or 23."""
    (die,) = yield Roll((DIE,), "air raid on a port, 1-5", "11.11a")
    name = war.book.raid.cell(die, pos.scenario - 1)
    if name not in war.port_names:
        return
    pos.raided = True  # 11.11d: also if it finds nothing
    number = war.port_names.index(name)
    hex = pos.ports[number]
    if hex < 0:
        yield Event("air raid fails", hex=war.ports[number], rule="11.11c")
        return
    yield Event("air raid", hex=hex, rule="11.11b")
    yield from lose_port(war, pos, hex, rule("11.11b"))
    yield from settle(war, pos)


def arrivals_phase(war: War, pos: Table) -> Procedure:
    """10.2, 10.3: units that are due go to their box; before that Allied units leave (10.4)."""
    if pos.side == ALLIED:
        yield from withdrawals(war, pos)
    for unit in war.due[pos.side].get(pos.turn, ()):
        if pos.hex[unit] == AWAY:
            put(war, pos, 1 << unit, war.box_of[unit])
            by = rule("10.2a") if pos.side else rule("10.3a")
            yield veiled(war, pos, Event("arrives", unit, rule=by))


@dataclass(slots=True)
class Withdraw(Order[War, Table]):
    """10.4b: the German names an Allied unit that leaves in place of another."""

    group: int

    verb, names = "withdraw", (UNIT,)
    when, rule, opens = "Units are withdrawn when the new ones arrive", "10.4b", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.units_of[ALLIED], "{unit} is German, and an Allied unit leaves", "10.4b"
        unseen = hidden(war, pos, GERMAN) & ~pos.tops
        yield ~unseen, "You cannot see where {unit} is", "6.9b"
        yield those_among(war, pos, war.land, ALLIED), "{unit} is not on the map", "10.4b"
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
    outcome = war.outcomes[pos.scenario]
    if outcome is None or not outcome.withdrawals:
        return
    orders = [order for order in war.book.withdrawals if order.turn == pos.turn]
    while pos.left < len(orders):
        unit = war.names.index(orders[pos.left].unit)
        hex = pos.hex[unit]
        if hex >= 0 and status(war, pos, hex, ALLIED) == OVERLAND:  # 10.4b: also in a box
            pos.left += 1
            yield from withdraw(war, pos, unit, rule("10.4a"))
        elif not substitutes(war, pos, war.group[unit]):
            pos.left += 1  # 10.4e
        else:
            prompt = f"{war.names[unit]} cannot be withdrawn: name another that you can see"
            other = Withdraw(war.group[unit])
            yield from ask(war, pos, prompt, "10.4b", other, side=GERMAN, checkpoint=True)
    while pos.shuffled:
        yield from order_stacks(war, pos)


def withdraw(war: War, pos: Table, unit: int, by: str) -> Procedure:
    """A unit leaves for good, whatever its strength (10.4c)."""
    yield Event("is withdrawn", unit, pos.hex[unit], rule=by)
    yield from leave_map(war, pos, 1 << unit, GONE)


def substitutes(war: War, pos: Table, group: int) -> Mask:
    """10.4b: units of a group on the map in overland supply, as far as the German sees."""
    return those_among(war, pos, net(war, pos, ALLIED), ALLIED) & war.grouped[group] & pos.tops


def entries(war: War, pos: Table) -> Mask:
    """The hexes in which the moving units can come onto the map from their box, and stay."""
    movers = pos.movers
    if pos.side == ALLIED:
        return port_hexes(war, pos) & ~full_for(war, pos, movers)  # 12.6
    doors = gates(war, pos, movers, pos.order)
    return war.enterable(war.paces(movers), pos.moves_left) & doors


def gates(war: War, pos: Table, units: Mask, order: int) -> Mask:
    """10.2: the hexes of row 10xx that are open to German units; a column shuns enemy zones."""
    enemy = there(war, pos, ALLIED)
    closed = enemy.occupied | full_for(war, pos, units) | strangers(war, pos, units)
    if order == COLUMN:
        closed |= enemy.zone  # 12.7b
    return war.north & ~closed


def is_corps_due(war: War, pos: Table) -> bool:
    """8.6: II SS Panzer Corps is in the box, and must enter before all else."""
    return not pos.ss_entered and any(pos.hex[unit] == war.tenth for unit in war.corps)


def is_bound(war: War, pos: Table) -> bool:
    """Whether the moving units are under orders to enter the map, and have not yet (8.6, 8.8)."""
    if pos.under_way or pos.side != GERMAN or war.bit[pos.origin]:
        return False
    return is_corps_due(war, pos) or is_army_entering(war, pos)


def is_army_entering(war: War, pos: Table) -> bool:
    """Whether the command under way brings 5th Panzer Army onto the map, as it must (8.8)."""
    return pos.army_due and pos.origin == war.fifth
