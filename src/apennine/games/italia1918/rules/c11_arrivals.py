"""Chapter 11.1.5: reinforcements."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.data import Arrival
from ..table.position import AWAY, Table
from ..table.war import War
from .c02_pieces import theatre, there, those_in
from .c04_stacking import settle_assault
from .c05_zones import zone


def arrivals_phase(war: War, pos: Table) -> Procedure:
    """11.1.5a: what is due comes before any unit moves; what finds no place waits (11.1.5e)."""
    while True:
        due = {unit: hexes for unit, hexes in expected(war, pos).items() if hexes}
        if not due:
            return
        prompt = "Bring on a reinforcement"
        yield from ask(war, pos, prompt, rule("11.1.5a"), BringOn(due))


def expected(war: War, pos: Table) -> dict[int, Mask]:
    """By unit that is due now or was delayed, the hexes where it may come."""
    found: dict[int, Mask] = {}
    for group in theatre(war, pos).arrivals:
        if (group.turn, group.sequence) > (pos.turn, pos.sequence):
            continue
        for name in group.units:
            unit = war.number[name]
            if (
                war.side_of[unit] == pos.side
                and pos.hex[unit] == AWAY
                and not war.assault >> unit & 1
            ):
                found[unit] = places(war, pos, group, unit)
    return found


def places(war: War, pos: Table, group: Arrival, unit: int) -> Mask:
    """With or next to a headquarters on a road or railway, where it could be (11.1.5b, 11.1.5e)."""
    ground, enemy = war.ground, 1 - pos.side
    named = 1 << war.number[group.at] if group.at else war.headquarters
    ways = ground.roaded | ground.rail_hexes
    near = 0
    for staff in bits(there(war, pos, pos.side).units & named):
        if ways >> pos.hex[staff] & 1:
            here = 1 << pos.hex[staff]
            near |= here | war.lattice.cross(here, ground.open)
    free = theatre(war, pos).area & ~there(war, pos, enemy).closed
    return near & free & ~(0 if war.combat >> unit & 1 else zone(war, pos, enemy))


@dataclass(slots=True)
class BringOn(Order[War, Table]):
    """11.1.5: a reinforcement comes, its assault troops with it."""

    due: dict[int, Mask]

    verb, names, link = "bring on", (UNIT, HEX), "in"
    when, rule, opens = "Reinforcements come as a Movement Phase begins", "11.1.5a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "1.0a"
        yield those_in(war, pos, AWAY, pos.side), "{unit} is here already, or lost", "11.1.5a"
        yield sum([1 << unit for unit in self.due]), "{unit} does not come now", "11.1.5a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield (
            self.due[first],
            "{hex} is neither with nor next to a headquarters that can take it in",
            "11.1.5b",
        )

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        group = next(g for g in theatre(war, pos).arrivals if war.names[option.unit] in g.units)
        escort = [war.number[name] for name in group.units]
        troops = [u for u in escort if war.assault >> u & 1 and war.hosts[u] >> option.unit & 1]
        for unit in (option.unit, *troops):
            pos.hex[unit], pos.steps[unit] = option.hex, war.full[unit]
            yield Event("arrives", unit, option.hex, rule=rule("11.1.5a"))
        settle_assault(war, pos, option.hex, pos.side)
