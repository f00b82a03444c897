"""C9: isolation and supply, and the Capacity of ports and beachheads (C5B5, C5G)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, ask

from ..table.position import ALLIED, GERMAN, OPEN, Table
from ..table.war import War
from .b4d_stacking import load
from .b4e_zones import occupied, there, zone
from .b4f_steps import destroy


def line_hexes(war: War, pos: Table, side: int) -> Mask:
    """Where a supply line may run: free of enemies and of their zones of control (C9A3)."""
    enemy = 1 - side
    return war.ground.land & ~zone(war, pos, enemy) & ~occupied(war, pos, enemy)


@lru_cache(256)
def net(war: War, sources: Mask, free: Mask) -> Mask:
    """C9A2: the hexes from which a chain of free hexes leads to one of some sources."""
    return war.lattice.flood_sides(sources & free, free, war.ground.open)


@lru_cache(256)
def fed_hexes(war: War, sources: Mask, free: Mask) -> Mask:
    """C9A4: the hexes where units have a line: in the net, or next to it in an enemy zone."""
    lines = net(war, sources, free)
    return lines | war.lattice.cross(lines, war.ground.open)


def allied_sources(war: War, pos: Table) -> list[tuple[Mask, int]]:
    """C9C: ports and beachheads at work, Messina and Taranto, each with its Capacity.

    Two counters in one zone do not add up (C6D2); a port and the zone around it do.
    """
    ground = war.ground
    found = [
        (base.hexes & pos.friendly, base.capacity)
        for base, state in zip(ground.bases, pos.bases)
        if state == OPEN
    ]
    found += [
        (entry.edge, entry.capacity) for entry in ground.entries if pos.entries >> entry.place & 1
    ]
    return found


def eaters(war: War, pos: Table, side: int) -> Mask:
    """The units of a side on the map that need supply: not commandos, by their rule (D5B7)."""
    units = there(war, pos, side).units
    if side == ALLIED and units & war.italians:
        units &= ~(war.partisans | city_fed(war, pos))  # E10D5
    return units & ~war.commandos if pos.commandos else units


def city_fed(war: War, pos: Table) -> Mask:
    """E10B5b: Italians who changed sides live on a friendly major city to which they have a line.

    In the first turn they need nothing. Capacity does not matter.
    """
    units = war.defectors[0] | war.defectors[1]
    if pos.turn == 1:
        return units
    cities = war.ground.major_cities & pos.friendly
    fed = fed_hexes(war, cities, line_hexes(war, pos, ALLIED))
    return units & there(war, pos, ALLIED).among(fed)


def german_unfed(war: War, pos: Table) -> Mask:
    """C9B: the German units without a line to the northwest, north or northeast edge."""
    free = line_hexes(war, pos, GERMAN)
    fed = fed_hexes(war, war.german_edge(pos), free)
    present = there(war, pos, GERMAN)
    return eaters(war, pos, GERMAN) & ~present.among(fed)


class Larder:
    """Who of the Allies can draw on what: parts of the map that no line joins, and their Capacity.

    A unit may draw on all sources of the parts that it touches, and on several at once.
    """

    def __init__(self, war: War, pos: Table) -> None:
        self._war = war
        free = line_hexes(war, pos, ALLIED)
        parts: list[Mask] = []
        stores: list[int] = []
        for hexes, capacity in allied_sources(war, pos):
            reached = net(war, hexes, free)
            if not reached:
                continue
            joined = [n for n, part in enumerate(parts) if part & reached]
            if joined:
                # A beachhead may reach into two parts; then they feed as one.
                first = joined[0]
                for other in reversed(joined[1:]):
                    parts[first] |= parts.pop(other)
                    stores[first] += stores.pop(other)
                parts[first] |= reached
                stores[first] += capacity
            else:
                parts.append(reached)
                stores.append(capacity)
        self.stores = stores
        cross, sides = war.lattice.cross, war.ground.open
        self._fed = [part | cross(part, sides) for part in parts]
        self.free = free

    def touches(self, hex: int) -> int:
        """The parts on which a unit in a hex may draw, as bits."""
        found, bit = 0, 1
        for fed in self._fed:
            if fed >> hex & 1:
                found |= bit
            bit <<= 1
        return found

    def suffices(self, needs: dict[int, int]) -> bool:
        """Whether what units need, by the parts that they touch, can be had of all of them."""
        numbers = range(len(self.stores))
        for size in range(1, len(self.stores) + 1):
            for chosen in combinations(numbers, size):
                among = mask_of(chosen)
                asked = sum([load for touch, load in needs.items() if touch and not touch & ~among])
                if asked > sum([self.stores[n] for n in chosen]):
                    return False
        return True

    def needs(self, pos: Table, units: Mask) -> dict[int, int]:
        """By the parts that they touch, the stacking points of some units; 0 for those cut off."""
        found: dict[int, int] = {}
        for unit in bits(units):
            touch = self.touches(pos.hex[unit])
            found[touch] = found.get(touch, 0) + self._war.stacking[unit]
        return found


def with_room(war: War, pos: Table, units: Mask, hexes: Mask) -> Mask:
    """C5G7, C9C6: those of some hexes where the Capacity suffices for units that come ashore."""
    if pos.commandos:
        units &= ~war.commandos
    if not units or not hexes:
        return hexes
    larder = Larder(war, pos)
    needs = larder.needs(pos, eaters(war, pos, ALLIED) & ~units & ~pos.lift)
    points, found, known = load(war, units), 0, dict[int, bool]()
    for hex in bits(hexes):
        touch = larder.touches(hex)
        if touch not in known:
            more = {**needs, touch: needs.get(touch, 0) + points}
            known[touch] = touch != 0 and larder.suffices(more)
        found |= known[touch] << hex
    return found


def unsupplied(war: War, pos: Table, side: int) -> Mask:
    """The units of a side that have no supply now; of the Allies, those named as over Capacity."""
    if side == GERMAN:
        return german_unfed(war, pos)
    larder = Larder(war, pos)
    units = eaters(war, pos, ALLIED)
    cut = mask_of(unit for unit in bits(units) if not larder.touches(pos.hex[unit]))
    named = pos.over & units & ~cut
    fed = units & ~cut & ~named
    for unit in bits(named):  # C9C8b2: who was named is fed again only if there is enough
        if larder.suffices(larder.needs(pos, fed | 1 << unit)):
            fed |= 1 << unit
    return units & ~fed


def supply_begins(war: War, pos: Table) -> Procedure:
    """X7-9A1: who is supplied as his turn begins is so for all of it; the others are noted."""
    if pos.side == ALLIED:
        yield from name_the_hungry(war, pos)
    pos.unfed = unsupplied(war, pos, pos.side)


def supply_ends(war: War, pos: Table) -> Procedure:
    """C9A7, C9C10: who has ended two turns of his own in a row without supply is destroyed."""
    hungry = pos.unfed & unsupplied(war, pos, pos.side) & ~pos.lift  # C5E1
    mine = war.army[pos.side]
    starved = hungry & pos.hungry
    pos.hungry = pos.hungry & ~mine | hungry  # C9A8: who is fed again begins anew
    if pos.side == ALLIED:
        pos.over &= hungry
    for unit in bits(starved):
        yield from destroy(war, pos, unit, rule("C9A7"))
    pos.unfed = 0


def name_the_hungry(war: War, pos: Table) -> Procedure:
    """C9C8b1: units beyond Capacity are named until the rest can be supplied."""
    pos.over &= unsupplied(war, pos, ALLIED)
    while choice := over_capacity(war, pos):
        prompt = "Supply does not suffice for all: name a unit that goes without"
        yield from ask(war, pos, prompt, rule("C9C8b1"), GO_WITHOUT)
        del choice


def over_capacity(war: War, pos: Table) -> Mask:
    """The Allied units of which one must go without supply; none if there is enough."""
    larder = Larder(war, pos)
    units = eaters(war, pos, ALLIED) & ~pos.over
    needs = larder.needs(pos, units)
    if larder.suffices(needs):
        return 0
    short = 0
    for unit in bits(units):
        touch = larder.touches(pos.hex[unit])
        if touch and not larder.suffices({t: n for t, n in needs.items() if not t & ~touch}):
            short |= 1 << unit
    return short or mask_of(u for u in bits(units) if larder.touches(pos.hex[u]))


class GoWithout(Order[War, Table]):
    """C9C8b1: a unit is named that goes without supply."""

    verb, names = "go without", (UNIT,)
    when, rule = "Units are named when supply does not suffice for all", "C9C8b1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[ALLIED], "{unit} is no Allied unit", "C9C8b1"
        yield eaters(war, pos, ALLIED), "{unit} needs no supply", "C9C8b1"
        yield ~pos.over, "{unit} has been named already", "C9C8b2"
        yield over_capacity(war, pos), "{unit} draws on other supply", "C9C8b1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.over |= 1 << option.unit
        yield Event("is over capacity", option.unit, pos.hex[option.unit], rule="C9C8b1")


GO_WITHOUT = GoWithout()
