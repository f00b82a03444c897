"""Chapter 3: set-up."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask
from apennine.mechanics.phrases import spelt

from ..table.data import OUTCOMES
from ..table.position import ALLIED, AWAY, GERMAN, UNDECIDED, Table
from ..table.war import War
from . import c09_air as airpower
from .c06_fog import order_stacks
from .c06_stacking import full_for
from .c07_zones import occupied, on_land, put, restack, settle, those_in


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


class Place(Order[War, Table]):
    """3.2d: each of three British units starts in the toe, where its owner likes."""

    verb, names, link = "place", (UNIT, HEX), "in"
    ranges = (UNIT, lambda war: war.free_setup), (HEX, lambda war: war.setup_hexes)
    when, rule, opens = "Units are set up before the first turn", "3.2d", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.free_setup, "The book says where {unit} begins: you have no choice", "3.2c"
        yield waiting(war, pos), "{unit} is {where it is} already", "3.2d"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        start, most = war.book.setup.british, spelt(war.book.setup.range)
        yield from on_land(war, "3.2f")
        far = f"{{unit}} starts at most {most} hexes from {start}, and {{hex}} is farther"
        yield war.setup_hexes, far, "3.2d"
        yield ~occupied(war, pos, GERMAN), "Germans are in {hex}", "3.2f"
        yield ~full_for(war, pos, 1 << first), "There is no room for {unit} in {hex}", "3.2f"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put(war, pos, 1 << option.unit, option.hex)


class SetUpAsInHistory(Order[War, Table]):
    """All three at once, if none has its place yet."""

    verb = "historical set-up"
    when, rule, opens = "Units are set up before the first turn", "3.2d", True

    def bars(self, war: War, pos: Table) -> Bars:
        untouched = waiting(war, pos) == war.free_setup
        yield untouched, "You have begun to place your units yourself", "3.2d"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for unit in bits(waiting(war, pos)):
            put(war, pos, 1 << unit, war.board.parse(war.roster[unit].start))
        pos.restacked, pos.shuffled = pos.shuffled, 0


PLACE, AS_IN_HISTORY = Place(), SetUpAsInHistory()


def setup_phase(war: War, pos: Table) -> Procedure:
    """3.2d: three British units are placed in the toe, as in history if one likes."""
    near, orders = war.book.setup.british, (PLACE, AS_IN_HISTORY)
    prompt = f"Place the British units of the toe, near {near}"
    while waiting(war, pos):
        yield from ask(war, pos, prompt, "3.2d", *orders, side=ALLIED, checkpoint=True)
    yield from settle(war, pos)
    while pos.shuffled:
        yield from order_stacks(war, pos)


def waiting(war: War, pos: Table) -> Mask:
    """The units that are still to be placed."""
    return war.free_setup & those_in(war, pos, AWAY, ALLIED)
