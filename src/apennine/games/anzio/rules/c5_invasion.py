"""C5 and C6: invasions, and the Initial Lift."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Menu, Option, Over, Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order

from ..table.data import Invasion
from ..table.position import ALLIED, CLOSED, NOWHERE, UNDER_WAY, Table
from ..table.rivers import FREE
from ..table.terrain import WEST, Base
from ..table.war import LIFT, SCALE, War
from .b4c_march import Reach, reach
from .b4d_stacking import full_hexes
from .b4e_zones import strong_hexes, zone
from .c4_friendly import come_into
from .c7_sea import can_put_to_sea, charge_departure
from .e6_posts import leave_livorno
from .e10_italians import italy_chooses
from .e15_invasions import chances, latest, note_second
from .e18_seas import within_a_voyage

LANDING = "Units land in the movement phase of an invasion"


def invasion_of_turn(war: War, pos: Table) -> tuple[int, Invasion] | None:
    """The invasion that may be made in this turn, and its number in the scenario (C5A1, C6B).

    Of two that may be it is the one with the greater lift.
    """
    found = chances(war, pos)
    return max(found, key=lambda each: each[1].percent) if found else None


def zones_of(war: War, invasion: Invasion) -> Iterator[tuple[int, Base]]:
    """C5A2, C6D1: the zones at which an invasion may be made."""
    for number, base in enumerate(war.ground.bases):
        if not base.is_port and any(kind in base.kinds for kind in invasion.zones):
            yield number, base


def lift_of(war: War, pos: Table) -> int:
    """C5B3, C6E: the stacking points that may land, a share of what is printed, rounded up."""
    percent = latest(war, pos).percent
    return -(-war.ground.bases[pos.zone].lift * percent // 100)


class Invade(Order[War, Table]):
    """C5A: an invasion begins at the zone of a beach hex, with a port counter for it (C5F9)."""

    verb, names = "invade", (HEX,)
    when, rule, opens = "Invasions begin in the Allied movement phase", "C5A1", True

    def bars(self, war: War, pos: Table) -> Bars:
        found = self.chance(war, pos)
        yield pos.invaded != pos.turn, "An invasion is under way already", "C6A"
        yield not pos.raids, "Commandos have raided in this turn", "D5C2"
        yield found is not None, "No invasion may be made in this turn", "C6B"
        yield pos.ports > 0, "There is no port counter for the beachhead", "C5F9"
        zones = [base.hexes for _, base in zones_of(war, found[1])] if found else []
        ready = can_put_to_sea(war, pos) & war.invaders & ~pos.moved
        yield ready != 0, "No unit is ready to land", "C6F"
        yield war.ground.zones, "{hex} is no beach of an invasion zone", "C5A2"
        yield sum(zones), "{hex} is in a zone that may not be invaded now", "C5A2"
        held = strong_hexes(war, pos, 1 - pos.side)
        blocked = [zone for zone in zones if not zone & ~held]
        yield ~sum(blocked), "The enemy stands on every beach of the zone", "B4D4"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        found = self.chance(war, pos)
        assert found
        number, invasion = found
        zones = zones_of(war, invasion)
        pos.zone = next(n for n, base in zones if base.hexes >> option.hex & 1)
        pos.invasions |= 1 << number
        pos.invaded, pos.lifted, pos.wave = pos.turn, 0, number
        note_second(pos)
        leave_livorno(war, pos)
        pos.ports -= 1
        pos.fire[0] = 0  # D3B1: no naval guns in the turn of an invasion
        if pos.bases[pos.zone] == CLOSED:  # C6D2: a second counter adds nothing
            pos.bases[pos.zone] = UNDER_WAY
            pos.fresh |= 1 << pos.zone
        yield Event("invasion", hex=option.hex, rule="C5A1")
        if invasion.must and war.is_advanced(pos):
            yield from italy_chooses(war, pos)

    def chance(self, war: War, pos: Table) -> tuple[int, Invasion] | None:
        """Which of the invasions of the turn this is."""
        return invasion_of_turn(war, pos)


class InvadeWithLess(Invade):
    """E15G: of two invasions of a period, the one with the lesser lift is made first."""

    verb = "invade with less"
    rule = "E15G"

    def chance(self, war: War, pos: Table) -> tuple[int, Invasion] | None:
        found = chances(war, pos)
        return min(found, key=lambda each: each[1].percent) if len(found) > 1 else None


@lru_cache(64)
def ashore(
    war: War, shores: Mask, held: Mask, stops: Mask, climbs: bool, commando: bool = False
) -> Reach:
    """C5C: where the Initial Lift comes: a beach for a point, then on with what is left.

    Commandos have more points (D5B4), and pay for other shores what their ground costs (D5B5).
    """
    landing, ground = war.book.landing, war.ground
    points = (landing.commando if commando else landing.points) * SCALE
    prices = [
        (ground.beaches, int(landing.beach) * SCALE),
        (ground.rough_shore, int(landing.rough) * SCALE),
    ]
    starts: list[tuple[int, int]] = []
    for hex in bits(shores & ~held):
        price = next((price for hexes, price in prices if hexes >> hex & 1), points)
        starts.append((war.node[hex, FREE], price))
    return reach(war, starts, points, LIFT, climbs, held, stops, points // 2 if climbs else 0)


def landing_reach(war: War, pos: Table, unit: int, raid: bool = False) -> Reach:
    """Where a unit of the Initial Lift, or a raider, may land."""
    enemy = 1 - pos.side
    held, stops = strong_hexes(war, pos, enemy), zone(war, pos, enemy)
    climbs = pos.mountain and war.mountaineers >> unit & 1 != 0  # D8B7
    if pos.soft >> unit & 1:
        held |= stops
    if pos.commandos and war.commandos >> unit & 1:
        return ashore(war, commando_shores(war, pos, raid), held, stops, climbs, True)
    return ashore(war, war.ground.bases[pos.zone].hexes, held, stops, climbs)


def commando_shores(war: War, pos: Table, raid: bool) -> Mask:
    """D5B1, D5B2: where commandos land: any shore of the coast that is invaded, in a raid of both.

    Not north of the middle fold (D5C1), but anywhere in the Roma zone in a second invasion.
    """
    ground = war.ground
    south = ground.coast if war.is_advanced(pos) else ground.coast & ~ground.middle_north  # E17A
    if raid:
        return south
    base = ground.bases[pos.zone]
    coast = ground.region("west-coast" if base.coast & WEST else "east-coast")
    shores = south & coast
    invasions = war.book.scenarios[pos.scenario].invasions
    for number in bits(pos.invasions):
        for _, other in zones_of(war, invasions[number]):
            if other.coast & base.coast:
                shores |= other.hexes
    return shores


def may_land(war: War, pos: Table) -> Bars:
    """The bars on a unit of the Initial Lift."""
    yield pos.zone != NOWHERE, "No invasion is under way", "C5A1"
    yield war.invaders, "{unit} is neither British nor of the US, and never invades", "C5A3"
    yield ~pos.moved, "{unit} has moved in this turn", "B4C3"
    yield can_put_to_sea(war, pos), "{unit} is not where it could put to sea", "C6F"
    left = lift_of(war, pos) - pos.lifted
    small = mask_of(u for u in bits(war.invaders) if war.stacking[u] <= left)
    yield small, f"Only {left} stacking points are left of the Initial Lift", "C5B3"
    if war.is_advanced(pos):
        beach = war.ground.bases[pos.zone].hexes
        near = [u for u in bits(war.invaders) if within_a_voyage(war, pos, pos.hex[u]) & beach]
        yield mask_of(near), "{unit} is too far by sea for one turn", "E18B"


class Land(Order[War, Table]):
    """C5C: a unit of the Initial Lift comes ashore, with three points."""

    verb, names = "land", (UNIT, HEX)
    when, rule, opens = LANDING, "C5C1", True

    def bars(self, war: War, pos: Table) -> Bars:
        return may_land(war, pos)

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield ~war.ground.sea, "Nobody can be at sea", "C5D2"
        found = landing_reach(war, pos, first).ends & ~war.ground.passing
        yield found, "{hex} cannot be reached from the shore in the turn of a landing", "C5C1"
        crowded = full_hexes(war, pos, pos.side, 1 << first)
        yield ~crowded, "There is no room for {unit} in {hex}", "B4D1"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.zone == NOWHERE:
            return ()
        left = -1
        for bar in may_land(war, pos):
            left &= bar[0] if bar[0] is not True else -1
        parts: list[Over] = []
        room: dict[int, Mask] = {}
        for unit in bits(left):
            # Without nationalities room depends on the size alone.
            key = unit if pos.nationalities else war.stacking[unit]
            if key not in room:
                room[key] = ~full_hexes(war, pos, pos.side, 1 << unit)
            ends = landing_reach(war, pos, unit).ends & ~war.ground.passing & room[key]
            if ends:
                parts.append(Over(self.verb, ends, unit))
        return Menu(*parts)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        found = landing_reach(war, pos, unit)
        charge_departure(war, pos, 1 << unit)
        pos.lifted += war.stacking[unit]
        yield from disembark(war, pos, unit, found.path(option.hex))


def disembark(war: War, pos: Table, unit: int, nodes: Sequence[int]) -> Procedure:
    """A unit comes ashore and goes on as far as it may; its move is over."""
    bit = 1 << unit
    pos.moved |= bit
    pos.shipped |= bit
    pos.lift |= bit
    for node in nodes:
        pos.hex[unit], pos.bank[unit] = war.node_hex[node], war.node_bound[node]
        yield from come_into(war, pos, unit, war.node_hex[node])


INVADE, INVADE_WITH_LESS, LAND = Invade(), InvadeWithLess(), Land()


def owes_invasion(war: War, pos: Table) -> bool:
    """C5A1: whether the Allies must invade before all else, or land somebody now that they do."""
    if pos.side != ALLIED:
        return False
    if pos.zone != NOWHERE:
        return not pos.lifted and len(LAND.menu(war, pos)) > 0
    found = invasion_of_turn(war, pos)
    return found is not None and found[1].must and len(INVADE.menu(war, pos)) > 0
