"""Chapters 10 and 12: where moving units go (10.2, 12.1 to 12.6)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option, Over
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, Asking, Bars, Order, ask, what_stays
from apennine.mechanics.phrases import counted
from apennine.mechanics.reach import Reach, reach

from ..table import position as ends
from ..table.position import ALLIED, ASSAULTS, COLUMN, GERMAN, GONE, MARCHES, MOVE, Table
from ..table.war import SECOND_SS, TENTH, War
from .c04_victory import decide
from .c06_stacking import full_for, strangers
from .c07_zones import leave_map, on_land, place, port_hexes, there
from .c08_endrun import has_left
from .c09_activation import TAKE_ALONG
from .c09_points import is_open
from .c10_arrivals import entries, is_army_entering, is_bound
from .c12_movement import after_step, costs, here, march, passages, put_down, walk


class Go(Order[War, Table]):
    """12.1a: hex by hex to any hex within reach; from there the units may go on."""

    verb, names, link = "go", (HEX,), "to"
    when, rule = "Moving units go from hex to hex once they are on the map", "12.1a"

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: Reach | None = None
        """What the menu of this question found, lest the walk looks for it again."""

    def bars(self, war: War, pos: Table) -> Bars:
        enemy = there(war, pos, 1 - pos.side)
        yield from on_land(war, "12.3b")
        yield ~(1 << here(pos)), "{movers have} got to {hex} already: halt there", "12.1a"
        beside = "Enemies are in {hex}: it can only be attacked, from a hex beside it"
        yield ~enemy.occupied, beside, "12.3a"
        if pos.side == GERMAN and pos.special_forces:
            forces = "The special forces keep Germans out of {hex}"
            yield ~(1 << war.special_forces), forces, "3.6d"
        yield ~full_for(war, pos, pos.movers), "There is no room for {movers} in {hex}", "6.3a"
        if pos.order == COLUMN:
            zone = "{hex} is in an enemy zone of control, which a column may not enter"
            yield ~enemy.zone, zone, "12.7b"
        found = march(war, pos)
        ends = found.ends | ways_out(war, pos, found)
        yield ends, self._too_far(war, pos, found, ends)

    def _too_far(self, war: War, pos: Table, found: Reach, ends: Mask) -> Bars:
        start, zone = found.start, there(war, pos, 1 - pos.side).zone
        beside = war.lattice.disc(start, 1) & ~ends
        yield ~beside | war.around[start], "Water lies between {here} and {hex}", "12.3b"
        if zone >> start & 1:
            both = (
                "{here} and {hex} are both in an enemy zone of control, and nobody goes straight "
                "from one to the other"
            )
            yield ~(beside & zone), both, "7.5b"
        blocked = ~(beside & war.lattice.cross(1 << start, war.blocked))
        side = "The hexside between {here} and {hex} is blocked"
        if pos.order in ASSAULTS:
            yield blocked, f"{side}, and no move-fight or fight-move crosses it", "12.10b"
        first = f"{side}: mountain units alone cross it, as the first step of their move"
        yield blocked, first, "12.10a"
        others = found.reached & strangers(war, pos, pos.movers) & ~ends
        passing = "Another German organisation is in {hex}: {movers} may pass there, and not stop"
        yield ~others, passing, "6.6b"
        points = counted(pos.moves_left, "movement point")
        way, fresh = (costs(war, pos), start, pos.moves_left), not pos.under_way
        far = f"{{hex}} is out of reach: {{movers have}} {points} left"
        yield reach(*way, fresh=fresh).ends | ends, far, "12.1a"
        foes = there(war, pos, 1 - pos.side).occupied | (zone if pos.order == COLUMN else 0)
        past = reach(*way, blocked=foes, stops=zone, apart=zone, fresh=fresh).ends
        yield ~past | ends, "Full stacks of yours bar every way to {hex} within reach", "6.2"
        yield 0, "Enemies and their zones of control bar every way to {hex} within reach", "7.5a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return walk(war, pos, option.hex, self._found or march(war, pos))

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        found = self._found = march(war, pos)
        return Over("go", found.ends | ways_out(war, pos, found))


class Exit(Order[War, Table]):
    """The map is left from row 10xx: Allies win by it, Germans go to the end-run (8.16)."""

    verb, names, link = "exit", (HEX,), "from"
    when, rule = "Units leave the map in a move that has brought them to row 10xx", "4.1c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << here(pos), "{movers have} not come to {hex}, but to {here}", "4.1c"
        yield war.north, "The map is left from row 10xx, and {hex} is not in it", "4.1c"
        yield from leavers(war, pos)
        enough = pos.moves_left >= war.book.march.exit
        yield enough, "Leaving the map takes more points than {movers have} left", "4.1c"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if war.north >> here(pos) & 1 else ()

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        units = pos.movers
        put_down(pos)
        if pos.side == ALLIED:
            yield from leave_map(war, pos, units, GONE)
            yield Event("leaves the map", first_bit(units), rule="4.1b")
            decide(pos, ends.ALLIED_EXIT)
        else:
            yield from leave_map(war, pos, units, war.end_run)
            yield from has_left(war, pos, units)


class Enter(Order[War, Table]):
    """10.2: Germans enter by row 10xx, which costs them the first hex."""

    verb, names = "enter", (HEX,)
    when, rule = "German units that move out of a box enter by row 10xx", "10.2a"

    def bars(self, war: War, pos: Table) -> Bars:
        movers, enemy = pos.movers, there(war, pos, ALLIED)
        yield war.north, "Germans enter by row 10xx, and {hex} is not in it", "10.2a"
        yield ~enemy.occupied, "Allied units are in {hex}", "12.3a"
        yield ~full_for(war, pos, movers), "There is no room for {movers} in {hex}", "6.3a"
        if pos.order == COLUMN:
            zone = "{hex} is in an Allied zone of control, which a column may not enter"
            yield ~enemy.zone, zone, "12.7b"
        points = counted(pos.moves_left, "movement point")
        few = f"{{movers have}} only {points}, too few to enter {{hex}}"
        yield war.enterable(war.paces(movers), pos.moves_left), few, "10.2b"
        alone = "Another German organisation is in {hex}, and {movers} could not go on from there"
        yield ~strangers(war, pos, movers) | passages(war, pos), alone, "6.6b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        hex, movers = option.hex, pos.movers
        pos.moves_left -= war.entry_cost(war.paces(movers), hex)
        pos.under_way = True
        if pos.order in MARCHES:
            pos.marched |= movers  # 9.17d
        if movers & war.grouped[SECOND_SS]:
            pos.ss_entered = True
        elif pos.origin == war.fifth and not pos.army_entered:
            pos.army_entered = True
            pos.german_tac = int(not pos.tac_active)  # 9.10d
        yield Event("enters the map", first_bit(movers), hex, rule="10.2a")
        yield from place(war, pos, movers, hex)
        after_step(war, pos, hex)


class ComeAshore(Order[War, Table]):
    """12.6: coming ashore takes half the allowance, and roads are of no use then (10.3)."""

    verb, names = "come ashore", (HEX,)
    when, rule = "Allied units that move out of the Available box come ashore in a port", "12.6b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield port_hexes(war, pos), "There is no Allied port marker in {hex}", "12.6b"
        room = ~full_for(war, pos, pos.movers)
        yield room, "There is no room for {movers} in {hex}", "6.3a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.moves_left //= war.book.march.landing
        pos.under_way = pos.landed = True
        yield Event("units come ashore", hex=option.hex, rule="10.3a")
        yield from place(war, pos, pos.movers, option.hex)
        after_step(war, pos, option.hex)


class Sail(Order[War, Table]):
    """12.5: Allied units in a port can be shipped to another one, for the whole move."""

    verb, names, link = "sail", (HEX,), "to"
    when, rule = "Only the Allies sail, from port to port, in a plain move", "12.5a"

    def bars(self, war: War, pos: Table) -> Bars:
        by_land = "{movers have} moved by land already, and a move by sea is a move of its own"
        yield not pos.under_way, by_land, "12.5a"
        yield pos.order == MOVE, "A column does not go by sea: order a plain move", "12.5a"
        start, ports = here(pos), port_hexes(war, pos)
        ships = "Ships go from one Allied port to another, and"
        yield bool(ports >> start & 1), f"{ships} {{here}} is none", "12.5a"
        yield ports, f"{ships} {{hex}} is none", "12.5a"
        yield ~(1 << start), "{movers have} to go to another port than {hex}", "12.5a"
        room = ~full_for(war, pos, pos.movers)
        yield room, "There is no room for {movers} in {hex}", "12.5b"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return () if pos.under_way else self.left(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        yield from place(war, pos, pos.movers, option.hex)
        put_down(pos)  # 12.5b


class Halt(Order[War, Table]):
    """The move is over, unless the units are under orders to enter or among strangers."""

    verb = "halt"
    when, rule = "Units halt when they have moved", "12.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        if pos.side == GERMAN and pos.under_way:
            among = strangers(war, pos, pos.movers) >> here(pos) & 1
            yield not among, "{movers have} to go on: another German organisation is here", "6.6b"
        elif pos.side == GERMAN:
            by = "8.8a" if is_army_entering(war, pos) else "8.6a"
            yield not is_bound(war, pos), "{movers have} to enter the map, and may not halt", by

    def effect(self, war: War, pos: Table, option: Option) -> None:
        put_down(pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return HALTED if pos.side == ALLIED else self.left(war, pos)


HALTED = (Option("halt"),)
EXIT, ENTER, COME_ASHORE, SAIL, HALT = Exit(), Enter(), ComeAshore(), Sail(), Halt()


def leavers(war: War, pos: Table) -> Bars:
    """The bars on moving units, and on orders, that do not leave the map."""
    if pos.side == GERMAN:
        idle = "Germans leave the map only to meet an end-run, or because they must after it"
        yield is_open(pos) or pos.owed > 0, idle, "10.5"
        if not pos.owed:
            strange = pos.movers & ~war.grouped[TENTH]
            yield not strange, "Only 10th Army reacts to the end-run", "8.16a"
        fighting = "Germans leave the map by a plain move or in column, not by an assault"
        yield pos.order in MARCHES, fighting, "8.16a"
    else:
        column = "A column may not leave the map: order a plain move"
        yield pos.order == MOVE, column, "4.1c"
        dropped = pos.dropped and pos.movers >> war.airborne & 1
        yield not dropped, "Once it has dropped the 82nd never leaves the map", "12.9g"


def ways_out(war: War, pos: Table, found: Reach) -> Mask:
    """The hexes of row 10xx with other Germans that units pass on their way off the map (6.6a)."""
    if pos.side == ALLIED or not pos.launched:
        return 0
    among = found.reached & war.north & strangers(war, pos, pos.movers) & ~(1 << found.start)
    among &= ~there(war, pos, ALLIED).zone  # 7.5a
    if not among or not what_stays(leavers(war, pos)):
        return 0
    most = pos.moves_left - war.book.march.exit
    return mask_of(hex for hex in bits(among) if found.cost(hex) <= most)


def doors(war: War, pos: Table) -> Mask:
    """Where the moving units can come onto the map; Germans also through others (6.6a)."""
    return entries(war, pos) | (passages(war, pos) if pos.side == GERMAN else 0)


def leg(war: War, pos: Table) -> Asking | None:
    """One leg of a move: go somewhere, take others along, leave the map, or halt."""
    allied = pos.side == ALLIED
    if war.bit[here(pos)]:
        prompt = "Where do the moving units go?"
        orders = (Go(), EXIT, TAKE_ALONG, SAIL, HALT) if allied else (Go(), EXIT, TAKE_ALONG, HALT)
    elif is_bound(war, pos) and not doors(war, pos):  # 8.6b, 8.8b
        corps = pos.movers & war.grouped[SECOND_SS]
        decide(pos, ends.CORPS_KEPT_BACK if corps else ends.ARMY_KEPT_BACK)
        return put_down(pos)
    else:
        prompt = "Where do the moving units come onto the map?"
        orders = (COME_ASHORE if allied else ENTER, TAKE_ALONG, HALT)
    return ask(war, pos, prompt, "12.1a", *orders, checkpoint=True)
