"""Chapter 12: retreats; and those of units in Full Retreat when an enemy comes near (13.3.2d)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from apennine.hexes import Mask, Sides, bits, first_bit, mask_of
from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask
from apennine.mechanics.ground import common, into, less
from apennine.mechanics.retreat import (
    Path,
    Retreat,
    best_paths,
    ends_in,
    farther,
    no_extra,
    toward,
)

from ..table.position import ALLIED, Table
from ..table.war import War
from .c02_pieces import both, is_wet, mountaineers, occupied, there, those_in
from .c05_areas import friendly_areas, friendly_sections
from .c05_control import controlled, drive_out, enter, newsworthy
from .c06_zones import zone
from .c07_bonds import Bonds, bonds
from .c10_steps import eliminate
from .c13_disorder import disrupt, exposed, rout
from .c16_supply import supplied_hexes

EXTRA = 1
"""Hexes that a unit may go farther to be saved (12.2e)."""
FLIGHT = 2
"""Hexes that units in Full Retreat go when an enemy comes next to them (13.3.2d)."""
ROUT = 4
"""Hexes of a retreat that ends in Full Retreat (10.1)."""


# The way of a retreat.


class Errand(NamedTuple):
    """What makes units retreat: how far, and what becomes of them."""

    most: int
    """The hexes of the retreat."""
    least: int
    """The same, unless the owner may stop before (25.4.4a)."""
    by: str
    """The rule."""
    mark: Callable[[Table, Mask], None]
    """How it leaves them: Disrupted, or in Full Retreat (13.1)."""


Kind = tuple[bool, bool, bool]
"""What makes a difference to a retreat: whether a unit is in Full Retreat, a vehicle, climbs."""


class Country(NamedTuple):
    """What the retreats of a side have in common, whoever retreats."""

    bonds: Bonds
    """Those of the enemy."""
    over: Sides
    """The hexsides that units on foot survive crossing."""
    blocked: Mask
    """Hexes that nobody survives entering."""
    hostile: Mask
    """Enemy cities, which units in Full Retreat do not enter (13.3.2c)."""
    dangerous: Mask
    """The enemy zone of control, but where friends stand (12.2d)."""
    shelters: Mask
    """Cities and fortifications, in which a retreat may end early (12.1.2)."""
    sources: Mask
    supplied: Mask
    havens: tuple[tuple[int, Mask], ...]
    """The entry areas that take in the units of a side, with the hexes next to them (21.3d)."""
    ways: dict[tuple[Path, int, int, Kind], list[Path]]
    """What has been found out: where units of a kind go from a way so far, and how many hexes."""


def country(war: War, pos: Table, side: int) -> Country:
    """The country of a side's retreats, looked at again only if something in it has changed."""
    here, enemies = both(war, pos) if side == 0 else reversed(both(war, pos))
    order = pos.disrupted, pos.routed, pos.retreated | pos.retreating
    state = pos.control, pos.forts, pos.turn, pos.weather, pos.pontoons
    known = war.retreats_known[side]
    if known:
        friends, foes, *seen, found = known
        if friends is here and foes is enemies and seen == [order, state]:
            return found
    enemy, ground = 1 - side, war.ground
    closed, cities = bonds(war, pos, enemy), ground.cities
    blocked = enemies.occupied | closed.hexes  # 12.2a
    blocked |= ground.eighth_army & ~friendly_sections(war, pos, side)  # 5.8.2b, 5.8.3
    shelters = cities & controlled(war, pos, side)
    found = Country(
        closed,
        less(ground.open, closed.sides),
        blocked,
        cities & controlled(war, pos, enemy),
        zone(war, pos, enemy) & ~steady_friends(war, pos, side),
        shelters if side == ALLIED else shelters | pos.forts,
        sources(war, pos, side),
        supplied_hexes(war, pos, side),
        havens(war, pos, side),
        {},
    )
    war.retreats_known[side] = here, enemies, order, state, found
    return found


def kind_of(war: War, pos: Table, unit: int) -> Kind:
    """What a unit is on a retreat."""
    mark = 1 << unit
    climbs = mountaineers(war, pos)
    return mark & pos.routed > 0, mark & war.vehicles > 0, mark & climbs > 0


def terms(war: War, pos: Table, unit: int, errand: Errand, origin: int) -> Retreat:
    """What a retreat of a unit survives, and what it must do beyond that if it can (12.1, 12.2)."""
    side = war.side_of[unit]
    land = country(war, pos, side)
    blocked, over, supplied = land.blocked, land.over, land.supplied
    flees, drives, climbs = kind_of(war, pos, unit)
    if flees:
        blocked |= land.hostile
    if drives:
        over = less(_bridged(war, pos, side), land.bonds.sides)
    if climbs:
        supplied = supplied_hexes(war, pos, side, mountain=True)
    hexes = errand.least, errand.most
    ground = land.dangerous, land.shelters, land.sources
    return _terms(war, origin, over, hexes, blocked, *ground, supplied)


@lru_cache(512)
def _terms(
    war: War,
    origin: int,
    over: Sides,
    hexes: tuple[int, int],
    blocked: Mask,
    dangerous: Mask,
    shelters: Mask,
    sources: Mask,
    supplied: Mask,
) -> Retreat:
    least, most = hexes
    far = _from_sources(war, sources)
    return Retreat(
        war.lattice,
        origin,
        over,
        least,
        most,
        blocked=blocked,
        apart=dangerous,  # 12.2b
        ends_not=dangerous,
        extra=EXTRA,
        may_end=shelters,  # 12.1.2
        may_end_over=war.ground.mountains,
        priorities=(  # 12.1.3
            no_extra(most),
            farther(war.lattice, origin),
            toward(far.__getitem__),
            ends_in(supplied),
        ),
    )


def _bridged(war: War, pos: Table, side: int) -> Sides:
    """The hexsides that vehicles survive crossing; rivers and mountains harm them alone (12.3).

    They need bridges over major rivers, and over all when it rains (12.3.1a); a Pontoon Bridge is
    one if it is dry (25.3c).
    """
    ground = war.ground
    if is_wet(war, pos):
        return ground.wet_vehicle_sides
    if not pos.pontoons:
        return ground.dry_vehicle_sides
    closed = common(ground.unbridged, ground.major_rivers)
    closed = less(closed, common(closed, into(war.lattice, occupied(war, pos, side))))
    return less(ground.vehicle_sides, closed)


def steady_friends(war: War, pos: Table, side: int) -> Mask:
    """The hexes with units that neither retreat nor have done so in this phase (12.2d)."""
    present, shaken = there(war, pos, side), pos.retreated | pos.retreating
    found = present.occupied
    for unit in bits(shaken & present.units):
        hex = pos.hex[unit]
        if not present.stacks[hex] & ~shaken:
            found &= ~(1 << hex)
    return found


def sources(war: War, pos: Table, side: int) -> Mask:
    """The hexes of supply sources, or next to entry areas that are such (16.2)."""
    found = war.ground.naples & pos.control if side == ALLIED else 0
    for name in friendly_areas(war, pos, side):
        found |= war.ground.edge[name]
    return found


@lru_cache(64)
def _from_sources(war: War, sources: Mask) -> list[int]:
    return war.ground.spread(sources, ((war.ground.open, 1),))


@lru_cache(1024)
def _paths(terms: Retreat, so_far: Path, havens: tuple[tuple[int, Mask], ...]) -> list[Path]:
    """The best paths of a retreat, those into entry areas included, which end it (12.2f)."""
    found = best_paths(terms, so_far)
    for area, edge in havens:
        # The last hex on the map must leave one more for the step into the area.
        before = terms._replace(
            least=0, most=terms.most - 1, ends_not=~edge, extra=0, may_end=edge, apart=terms.apart
        )
        ends = [so_far] if edge >> so_far[-1] & 1 else []
        found += [(*path, area) for path in (ends or best_paths(before, so_far))]
    if not havens or not found:
        return found
    least = min(_broken(terms, path) for path in found)
    return [path for path in found if _broken(terms, path) == least]


def _broken(terms: Retreat, path: Path) -> tuple[int, ...]:
    """How often a path breaks each of the guidelines; the step into an area breaks none."""
    on_map = path[:-1] if path[-1] >= terms.lattice.size else path
    prefixes = [on_map[:length] for length in range(2, len(on_map) + 1)]
    steps = [[each.step(prefix) for prefix in prefixes] for each in terms.priorities]
    ends = [each.end(on_map) if on_map == path else 0 for each in terms.priorities]
    return tuple(sum(broken) + end for broken, end in zip(steps, ends))


def havens(war: War, pos: Table, side: int) -> tuple[tuple[int, Mask], ...]:
    """The entry areas that take in the units of a side, with the hexes next to them (21.3d)."""
    ground = war.ground
    return tuple((ground.areas[name], ground.edge[name]) for name in friendly_areas(war, pos, side))


def ways(war: War, pos: Table, unit: int, errand: Errand, so_far: Path = ()) -> list[Path]:
    """The ways on which a unit may retreat, from where it is; none if it is eliminated."""
    so_far = so_far or (pos.hex[unit],)
    land = country(war, pos, war.side_of[unit])
    key = so_far, errand.least, errand.most, kind_of(war, pos, unit)
    found = land.ways.get(key)
    if found is None:
        rules = terms(war, pos, unit, errand, so_far[0])
        found = land.ways[key] = _paths(rules, so_far, land.havens)
    return found


def is_trapped(war: War, pos: Table, unit: int, hexes: int) -> bool:
    """Whether a retreat of so many hexes, by a result of combat, eliminates a unit."""
    if driven_back(war, pos, pos.hex[unit]) >> unit & 1:
        return True
    return not ways(war, pos, unit, Errand(hexes, hexes, "", disrupt))


def driven_back(war: War, pos: Table, hex: int) -> Mask:
    """12.5: units that came into a friend's hex by a retreat of this phase, if it is attacked.

    Not if it is attacked by Breakthrough Combat (15.3a).
    """
    if pos.outer or pos.phase != "combat":
        return 0
    here = there(war, pos, 1 - pos.side).stack(hex)
    return here & pos.retreated if here & ~pos.retreated else 0


# Retreats.


def retreat(war: War, pos: Table, units: Mask, hexes: int, by: str) -> Procedure:
    """12.1: a result of combat or an Automatic DS makes units retreat.

    They become Disrupted, or go into Full Retreat if they go four hexes (13.1.2). Who has been
    driven into their hex before is eliminated (12.5b).
    """
    for unit in bits(units):
        if driven_back(war, pos, pos.hex[unit]) >> unit & 1:
            units &= ~(1 << unit)
            yield from eliminate(pos, unit, rule("12.5b"))
    yield from drive_out(war, pos, units)
    mark = rout if hexes >= ROUT else disrupt
    yield from fall_back(war, pos, units, Errand(hexes, hexes, by, mark))


def fall_back(war: War, pos: Table, units: Mask, errand: Errand) -> Procedure:
    """Units leave their hex one by one, as their owner likes (12.1.5)."""
    pos.retreating |= units
    distance, pos.distance = pos.distance, errand.most
    while waiting := units & pos.retreating:
        trapped = [unit for unit in bits(waiting) if not ways(war, pos, unit, errand)]
        for unit in trapped:
            pos.retreating &= ~(1 << unit)
            yield from eliminate(pos, unit, rule("12.2g"))
        if waiting := units & pos.retreating:
            side = war.side_of[first_bit(waiting)]
            prompt = f"Retreat {errand.most} hexes"
            order = RetreatTo(waiting, errand)
            yield from ask(war, pos, prompt, rule("12.1.1"), order, side=side)
    pos.distance = distance


@dataclass(slots=True)
class RetreatTo(Order[War, Table]):
    """12.1: a unit retreats to where its owner says, by the best way there is."""

    waiting: Mask
    errand: Errand
    so_far: Path = ()

    verb, names = "retreat", (UNIT, HEX)
    when, rule = (
        "Units retreat if a result of combat, or an enemy come near, makes them",
        "12.1.1",
    )

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.waiting, "{unit} does not have to retreat now", "12.1.1"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        ends = mask_of(path[-1] for path in ways(war, pos, first, self.errand, self.so_far))
        yield ends, self.no_refuge(war, pos, first)

    def no_refuge(self, war: War, pos: Table, unit: int) -> Bars:
        """Why a retreat cannot end in a hex."""
        side, most = war.side_of[unit], self.errand.most
        origin = self.so_far[0] if self.so_far else pos.hex[unit]
        rules = terms(war, pos, unit, self.errand, origin)
        areas = mask_of(area for area, _ in havens(war, pos, side))
        on_map = (1 << war.lattice.size) - 1
        yield on_map | areas, "{hex} is an entry area of the enemy", "21.3d"
        near = war.lattice.disc(origin, most + EXTRA)
        yield near | areas, f"{{hex}} is farther than {most} hexes", "12.1.1"
        yield ~occupied(war, pos, 1 - side), "Enemies are in {hex}", "12.2a"
        yield ~bonds(war, pos, 1 - side).hexes, "{hex} is in an enemy ZOC Bond", "7.2b"
        lost = "{hex} is land of the 8th Army zone that the enemy holds"
        yield ~(war.ground.eighth_army & rules.blocked), lost, "5.8.2b"
        yield ~rules.blocked, "{unit} is in Full Retreat, and the enemy holds {hex}", "13.3.2c"
        zones = "{hex} is in an enemy zone of control, and no steady friend is there"
        yield ~rules.ends_not, zones, "12.2d"
        free = rules._replace(priorities=())
        so_far = self.so_far or (origin,)
        survived = _paths(free, so_far, havens(war, pos, side))
        yield mask_of(path[-1] for path in survived), "No way to {hex} is survived", "12.2b"
        better = "Another way leads farther off or nearer to supply than that to {hex}"
        yield 0, better, "12.1.3b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return withdraw_to(war, pos, option.unit, option.hex, self)


def withdraw_to(war: War, pos: Table, unit: int, end: int, order: RetreatTo) -> Procedure:
    """A unit goes its way hex by hex; enemies in Full Retreat that it meets run (13.3.2d).

    They may be in its way afterwards: then its owner says anew where it goes.
    """
    side, errand = war.side_of[unit], order.errand
    so_far: Path = order.so_far or (pos.hex[unit],)
    found, enemies = ways(war, pos, unit, errand, so_far), war.span[1 - side]
    known = [path for path in found if path[-1] == end]
    wanted: Path = yield from pick_way(war, pos, unit, known, len(so_far))
    seen = pos.hex[enemies]
    while so_far[-1] != end or len(so_far) == 1:
        if pos.hex[enemies] != seen:
            seen = pos.hex[enemies]
            found = ways(war, pos, unit, errand, so_far)
        if not found:
            pos.retreating &= ~(1 << unit)
            yield from eliminate(pos, unit, rule("12.2g"))
            return
        if not found.count(wanted):
            to_end = [path for path in found if path[-1] == end]
            if to_end:
                wanted = to_end[0]
            elif all(path == so_far for path in found):
                break
            else:
                prompt = f"Where does {war.names[unit]} retreat now?"
                again = RetreatTo(1 << unit, errand, so_far)
                yield from ask(war, pos, prompt, rule("12.1.1"), again, side=side)
                return
        so_far = wanted[: len(so_far) + 1]
        yield from step(war, pos, unit, so_far[-1])
    arrive(pos, unit, errand)
    yield Event("retreats", unit, pos.hex[unit], rule=errand.by)


def pick_way(
    war: War, pos: Table, unit: int, ways: Sequence[Path], entered: int
) -> Generator[Choice | Roll | Event, Any, Path]:
    """12.1.1, 14.3: the way on which its owner leads a unit, of several with the same end.

    Asked hex by hex, and only where ways differ in what they lead through.
    """
    if len(ways) == 1:
        return ways[0]
    side = war.side_of[unit]
    told = matters(war, pos, side)
    different = {mask_of(way) & told: way for way in reversed(ways)}  # the first of each
    ways = list(different.values())
    while len(ways) > 1:
        nexts = mask_of(way[entered] for way in ways)
        if nexts & nexts - 1:
            prompt = f"By what way does {war.names[unit]} go?"
            chosen = yield from ask(war, pos, prompt, rule("12.1.1"), ByWayOf(nexts), side=side)
            ways = [way for way in ways if way[entered] == chosen.hex]
        entered += 1
    return ways[0]


def matters(war: War, pos: Table, side: int) -> Mask:
    """The hexes where it makes a difference that units of a side come through.

    There they take, raze or free something, or enemies run from them (13.3.2d).
    """
    found = newsworthy(war, pos, side)
    for unit in bits(exposed(war, pos, 1 - side)):
        found |= war.ground.beside[pos.hex[unit]]
    return found


@dataclass(slots=True)
class ByWayOf(Order[War, Table]):
    """12.1.1, 14.3: the owner names the next hex of a retreat or an advance."""

    hexes: Mask

    verb, names, rule = "by way of", (HEX,), "12.1.1"
    when = "The next hex is named where it matters by what way a unit retreats or advances"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.hexes, "No way to where the unit goes leads over {hex} next", "12.1.1"


def arrive(pos: Table, unit: int, errand: Errand) -> None:
    """A retreat is over: the unit is marked (13.1.2), and has retreated in this phase (12.2d)."""
    mark = 1 << unit
    pos.retreating &= ~mark
    pos.retreated |= mark
    errand.mark(pos, mark)


def step(war: War, pos: Table, unit: int, hex: int) -> Procedure:
    """A unit goes one hex, by a retreat or an advance."""
    pos.hex[unit] = hex
    if hex < war.lattice.size:
        yield from enter(war, pos, war.side_of[unit], 1 << hex)
        yield from scare(war, pos, hex, war.side_of[unit])


# Units in Full Retreat (13.3.2).


def scare(war: War, pos: Table, hex: int, side: int) -> Procedure:
    """13.3.2d: a unit of a side has come into a hex: exposed enemies in Full Retreat run from it.

    Each stack retreats two hexes at once; then the unit goes on.
    """
    if not pos.routed & war.army[1 - side]:
        return
    for place in bits(war.ground.beside[hex]):
        # Those who were there may be gone by now, and others come.
        here = those_in(war, pos, place, 1 - side)
        if here and not here & ~pos.routed:  # as `exposed`
            yield from run(war, pos, here & ~pos.retreating)


def run(war: War, pos: Table, units: Mask) -> Procedure:
    """Units in Full Retreat go two hexes (13.3.2d, 13.3.2e), which harms them no more (13.3.2h)."""
    if units:
        yield from fall_back(war, pos, units, Errand(FLIGHT, FLIGHT, rule("13.3.2d"), rout))
