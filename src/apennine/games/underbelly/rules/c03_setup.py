"""Chapter 3: set-up."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Choice, Later, Menu, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import OUTCOMES
from ..table.position import ALLIED, AWAY, GERMAN, UNDECIDED, Table
from ..table.war import War
from . import c09_air as airpower
from .c06_fog import order_stacks
from .c06_stacking import full_for
from .c07_zones import occupied, put, restack, settle

HISTORICAL_SETUP = done("historical set-up")


def set_up(war: War, scenario: int) -> Table:
    """The table before the three free British units are placed; the same for all (3.1, 8.1b)."""
    key = war.book.scenarios[scenario].outcome
    pos = Table(
        phase="setup",
        side=ALLIED,
        agreed=OUTCOMES.index(key) + 1 if key else UNDECIDED,
        hex=[start_of(war, unit) for unit in range(len(war.roster))],
        steps=list(war.full),  # 3.1
        control=war.board.regions["allied"] & war.towns,  # 7.7f
        ports=[hex if port.start else AWAY for hex, port in zip(war.ports, war.book.ports)],
        drop_ready=True,  # 5.4b
        plot=-1,
    )
    here = occupied(war, pos, ALLIED)
    for hex in bits(here):
        restack(war, pos, hex)
    pos.control |= war.towns & here  # 7.7f; what zones give is settled when all are placed
    airpower.activate(war, pos)  # 5.4b
    return pos


def start_of(war: War, unit: int) -> int:
    """Where a counter begins: in a hex, in its box, or beside the map (3.2, 3.3)."""
    counter = war.roster[unit]
    if counter.available:
        return war.box_of[unit]
    if counter.start and not war.free_setup >> unit & 1:
        return war.board.parse(counter.start)
    return AWAY


def setup_phase(war: War, pos: Table) -> Procedure:
    """3.2d: three British units are placed in the toe, as in history if one likes."""
    while units := waiting(war, pos):
        chosen = yield Choice(
            ALLIED,
            Later(lambda units=units: placements(war, pos, units)),
            f"Place the British units of the toe, near {war.book.setup.british}",
            rule("3.2d"),
            checkpoint=True,
        )
        if chosen.verb == "place":
            put(war, pos, 1 << chosen.unit, chosen.hex)
        else:
            for unit in units:
                put(war, pos, 1 << unit, war.board.parse(war.roster[unit].start))
            pos.restacked, pos.shuffled = pos.shuffled, 0
    yield from settle(war, pos)
    while pos.shuffled:
        yield from order_stacks(war, pos)


def waiting(war: War, pos: Table) -> list[int]:
    """The units that are still to be placed."""
    return [unit for unit in bits(war.free_setup) if pos.hex[unit] == AWAY]


def placements(war: War, pos: Table, units: list[int]) -> Menu:
    """Each unit with the hexes that it may have; all as in history, if none has its place yet."""
    untouched = len(units) == war.free_setup.bit_count()
    return Menu(
        *(Over("place", sites(war, pos, unit), unit) for unit in units),
        HISTORICAL_SETUP if untouched else [],
    )


def sites(war: War, pos: Table, unit: int) -> Mask:
    """3.2f: land at most two hexes off, without Germans, within the stacking limit."""
    return war.setup_hexes & ~(occupied(war, pos, GERMAN) | full_for(war, pos, 1 << unit))
