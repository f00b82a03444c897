"""The war as the data files describe it: the ground, the units, the charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from apennine.board import Board
from apennine.hexes import NO_SIDES, Mask, Sides, bits, mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.ground import Ground, common, into, less, union
from apennine.mechanics.reach import WHOLE, Costs, Crossing
from apennine.mechanics.roster import Roster
from apennine.mechanics.whereabouts import Lookout, Lookouts, Whereabouts

from .data import DIVISIONS, MOBILITIES, OUTCOMES, SIDES, SUPPORTS, TERRAINS, UNITS, Book
from .position import ALLIED, GERMAN

BARRIERS = ("lake", "sea", "strait")
"""Hexsides that nothing crosses (7.3, 11.3, 12.3), as far as the map has them."""
CLIMBING = 1
"""The paces of mountain units alone."""
US, GB, TENTH, SECOND_SS, FIFTH_PANZER = range(5)
"""The groups, in the order of the charts file (1.3, 1.4)."""
DIVISION, SUPPORT = "division", "support"
"""The kinds of units that are counted apart; a group is such a kind too, by its name."""


class Crowd(NamedTuple):
    """Where the units of a side are: sets of hexes."""

    occupied: Mask
    divisions: tuple[Mask, ...]
    """All hexes, then those with at least one, two, three divisions."""
    supports: Mask
    """The hexes with a corps support unit."""
    groups: tuple[Mask, ...]
    """By group, the hexes with a unit of it."""
    zone: Mask
    """The zone of control (7.1)."""
    illegal: Mask
    """The hexes with more units than may be there, or that may not be together (6.3, 6.6)."""
    stacks: Mapping[int, Mask]
    """By location, boxes included, the units that are there."""


class Ready(NamedTuple):
    """Where units of a side are that have not acted yet: sets of hexes and boxes."""

    units: Mask
    fighters: Mask
    """Those with a division that may attack."""
    calm: Mask
    """The hexes in overland supply and in no enemy zone, and the boxes (9.6b, 10.2d, 12.7a)."""
    enemy: Crowd


class War:
    """All that never changes in a match: the ground, the units, the charts."""

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.lattice = board.lattice
        self.book = book
        prices = book.prices
        self.price = (
            *(0, prices.move, prices.move),
            *(prices.attack, prices.move_fight, prices.fight_move),
        )
        """What each order costs (9.4 to 9.7)."""
        self.turns = range(1, book.turns + 1)
        self._read_ground()
        self._read_roster()
        self._read_places()
        self.lookouts = Lookouts([*map(self._lookout, (ALLIED, GERMAN))], self._crowd)
        self.ready: tuple[Sequence[Crowd], tuple[object, ...], list[int], Ready] | None = None
        """When it was last asked who has not acted yet: where all units were, what else it rests
        on, and the answer."""
        self.harbours = lru_cache(64)(self._harbours)
        self.costs = lru_cache(64)(self._costs)
        self.entry = lru_cache(8)(self._entry)

    def _read_ground(self) -> None:
        board = self.board
        self.land = board.regions["land"]
        ground = Ground(board, self.land, BARRIERS)
        self.open = ground.open
        """The hexsides with land on both banks, no lake and no sea: for zones, supply, attacks."""
        self.around = ground.beside
        """By hex, those next to it over such sides."""
        self.zone, self.net = ground.zone, ground.net
        """The zone of control of divisions (7.1, 7.3), and supply lines to some sources (11.3)."""
        self.blocked = ground.sides("blocked")
        """The hexsides that only mountain units cross (12.10)."""
        self.passable = less(self.open, self.blocked)
        self.river = ground.sides("river")
        self.roads = ground.roads("road")
        self.coast = board.regions["coast"] & self.land
        self.north = board.regions["north"] & self.land
        """Row 10xx: German entry and supply, and the way off the map."""
        self.cities = board.kinds["city"] & self.land
        self.towns = (board.kinds["town"] | board.kinds["city"]) & self.land
        self.terrain = {name: board.terrain.get(name, 0) & self.land for name in TERRAINS}
        self.road_ends = mask_of(
            course.hexes[place]
            for course in board.courses["road"]
            for place, way in ((0, course.enters), (-1, course.leaves))
            if way >= 0
        )
        """The hexes into which a road leads from beyond the map."""
        self.available = board.box("available").location
        self.tenth = board.box("tenth").location
        self.fifth = board.box("fifth").location
        self.end_run = board.box("end-run").location
        self.boxes = 1 << self.available | 1 << self.tenth | 1 << self.fifth | 1 << self.end_run
        self.bit = ground.bit
        """The mask of a location; empty for boxes and, at the end of the list, for no place."""

    def _read_roster(self) -> None:
        book, roster = self.book, self.book.units
        listed = Roster(roster, SIDES, DataFile(UNITS, {}))
        self.roster, self.names, self.side_of = roster, listed.names, listed.side_of
        self.members, self.units_of = listed.members, listed.armies
        self.spans = tuple((members.start, members.stop) for members in self.members)
        self.group_names = tuple(book.groups)
        self.group = tuple(self.group_names.index(unit.group) for unit in roster)
        self.grouped = listed.each(lambda unit: unit.group, self.group_names)
        """By group, its units."""
        self.corps = tuple(bits(self.grouped[SECOND_SS]))
        boxes = [self.board.box(group.box).location for group in book.groups.values()]
        self.box_of = tuple(boxes[group] for group in self.group)
        """The box where a unit waits."""
        numbers = range(len(roster))
        self.supports = listed.those(book.support)
        self.mobility = tuple(MOBILITIES.index(book.mobility(unit)) for unit in roster)
        self.moving_as = listed.each(book.mobility, MOBILITIES)
        self.mountaineers, _, self.mechanised = self.moving_as
        """The units of each mobility category."""
        self.full = tuple(unit.full for unit in roster)
        self.due = listed.by_turn(lambda unit: unit.arrives)
        """By side and turn, the units that arrive (10.2, 10.3)."""
        self.whole = [list(self.full[start:stop]) for start, stop in self.spans]
        """By side, the steps of its units at full strength."""
        self.fire = tuple((0, *reversed(unit.fire)) for unit in roster)
        """The to-hit number by unit and steps left (2.10)."""
        self.printed = tuple(unit.movement for unit in roster)
        """The movement factor; 0 for those that roll for it (2.12)."""
        self.airborne = self.names.index(DROPPING)
        self.free_setup = listed.those(lambda unit: unit.code.endswith("-2"))
        """The three British units whose owner chooses their hex (3.2)."""
        self.outcomes = (None, *(book.outcomes[key] for key in OUTCOMES))
        """What the die decides, in the order of UNDECIDED, HISTORICAL, TIBER."""
        self.hesitant = tuple(
            range(outcome.hesitancy[0], outcome.hesitancy[1] + 1)
            if outcome is not None and outcome.hesitancy
            else range(0)
            for outcome in self.outcomes
        )
        """By scenario, the turns in which the British are slow (5.5)."""
        strange = [
            [u.group not in book.outcomes[key].groups or u.only not in ("", key) for u in roster]
            for key in OUTCOMES
        ]
        self.left_out = (0, *(mask_of(compress(numbers, units)) for units in strange))
        """By scenario (none before the die), the units that have no part in it (8.3, 8.4)."""

    def _read_places(self) -> None:
        book, parse = self.book, self.board.parse
        self.special_forces = parse(book.setup.special_forces)
        self.setup_hexes = (
            self.lattice.disc(parse(book.setup.british), book.setup.range) & self.land
        )
        self.prizes = mask_of(map(parse, book.victory.prizes))
        """Naples and Taranto (4.2)."""
        self.beaches = mask_of(map(parse, book.victory.beaches))
        """Salerno and Paestum (4.1)."""
        self.bases = self.board.kinds["airbase"]
        """Naples and Foggia (9.9)."""
        self.ports = tuple(parse(port.hex) for port in book.ports)
        self.port_names = tuple(port.name for port in book.ports)
        self.port_group = tuple(self.group_names.index(port.group) for port in book.ports)
        flipped = next(port.becomes for port in book.ports if port.becomes)
        self.naples = self.port_names.index(flipped)
        self.bari = next(n for n, port in enumerate(book.ports) if port.opens)
        self.sources = self.board.supply["german"].hexes & self.land
        self.drop_zone = self.board.regions["drop-zone"] & self.land
        """Clear ground, towns and cities on it included (12.9c)."""
        self.fort_sites = self.board.regions["fort-sites"] & self.land
        """Neither cities nor marsh (9.8b)."""

    def _lookout(self, side: int) -> Lookout:
        everybody, supports = self.units_of[side], self.supports
        kinds = {
            DIVISION: (everybody & ~supports, DIVISIONS + 1),
            SUPPORT: (everybody & supports, SUPPORTS + 1),
            **{name: (group, 1) for name, group in zip(self.group_names, self.grouped)},
        }
        return Lookout(self.bit, self.members[side], 1, kinds)

    def _crowd(self, side: int, there: Whereabouts) -> Crowd:
        """What matters of the whereabouts of a side's units."""
        counts, guns = there.counts, there.starts[SUPPORT]
        divisions = counts[there.starts[DIVISION] : guns]
        groups = tuple(counts[there.starts[self.group_names[US]] :])
        illegal = divisions[DIVISIONS] | counts[guns + SUPPORTS]  # 6.3
        if side == GERMAN:  # 6.6
            seen = 0
            for hexes in groups:
                illegal |= seen & hexes
                seen |= hexes
        divided = self.land, *divisions[:DIVISIONS]
        zone = self.zone(divisions[0])
        return Crowd(there.occupied, divided, counts[guns], groups, zone, illegal, there.stacks)

    def _harbours(self, markers: tuple[int, ...]) -> tuple[Mask, Mask, Mask]:
        """The hexes with a port supply marker: of the US, of the British, of both."""
        masks = [0, 0]
        for hex, group in zip(markers, self.port_group):
            masks[group] |= self.bit[hex]
        american, british = masks
        return american, british, american | british

    def paces(self, units: Mask) -> int:
        """The mobilities of some units, as bits (2.11a)."""
        a, b, c = self.moving_as
        return bool(units & a) | bool(units & b) << 1 | bool(units & c) << 2

    def _costs(self, paces: int, roads: bool, climbs: bool) -> Costs:
        """The terrain chart for a stack of some mobilities, as bits: the dearest counts.

        With `climbs` all of them are mountain units that may cross blocked hexsides (12.10).
        """
        lines = [
            pace
            for number, pace in enumerate(map(self.book.movement.__getitem__, MOBILITIES))
            if paces >> number & 1
        ]
        offers: list[tuple[int, Sides]] = []
        river = max(pace.river for pace in lines)
        for name in TERRAINS:
            cost = max(getattr(pace, name) for pace in lines)
            ways = common(self.passable, into(self.lattice, self.terrain[name]))
            offers += (cost, less(ways, self.river)), (cost + river, common(ways, self.river))
        if roads:  # 12.8: also over rivers
            ways = common(self.roads, self.passable)
            offers.append((max(pace.road for pace in lines), ways))
        # Each step once, under its least cost: so a search can leave the dear ones alone.
        crossings: list[Crossing] = []
        seen = NO_SIDES
        for cost in sorted({cost for cost, _ in offers}):
            sides = less(union([ways for price, ways in offers if price == cost]), seen)
            crossings.append(Crossing(sides, ((cost, self.land),)))
            seen = union([seen, sides])
        if climbs:
            crossings.append(Crossing(self.blocked, ((WHOLE, self.land),), first=True))
        return Costs(self.lattice, crossings)

    def entry_cost(self, paces: int, hex: int) -> int:
        """The points to enter the map in a hex of row 10xx, by a road if one leads in (10.2)."""
        return next(cost for cost, mask in self.entry(paces) if mask >> hex & 1)

    def enterable(self, paces: int, points: int) -> Mask:
        """The hexes of row 10xx that can be entered for so many points."""
        mask = 0
        for cost, hexes in self.entry(paces):
            if cost <= points:
                mask |= hexes
        return mask

    def _entry(self, paces: int) -> tuple[tuple[int, Mask], ...]:
        """Points, and the hexes of row 10xx that cost them; no hex is named twice."""
        lines = [self.book.movement[name] for n, name in enumerate(MOBILITIES) if paces >> n & 1]
        roads = self.north & self.road_ends
        entry = [(max(pace.road for pace in lines), roads)]
        for name in TERRAINS:
            price = max(getattr(pace, name) for pace in lines)
            entry.append((price, self.terrain[name] & self.north & ~roads))
        return tuple(entry)

    def stack_fits(self, units: Mask) -> bool:
        """Whether so many units may be in one hex (6.3)."""
        supports = (units & self.supports).bit_count()
        return supports <= SUPPORTS and units.bit_count() - supports <= DIVISIONS

    def stacks_needed(self, units: Mask) -> int:
        """The fewest stacks that hold these units (6.3)."""
        supports = (units & self.supports).bit_count()
        divisions = units.bit_count() - supports
        return max(-(-divisions // DIVISIONS), -(-supports // SUPPORTS))


DROPPING = "82 Abn"
"""The only unit that drops from the air (12.9)."""
