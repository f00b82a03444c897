"""The war as the data files describe it: the ground, the units, the charts, the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import Any

from apennine.board import Board
from apennine.hexes import NO_SIDES, Mask, Sides, bits, mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.ground import common, less, union
from apennine.mechanics.odds import Ladder
from apennine.mechanics.reach import Costs, Crossing
from apennine.mechanics.roster import Roster
from apennine.mechanics.whereabouts import Lookout, Lookouts, Whereabouts

from .book import areas, read_book
from .data import SIDES, SPACES, Group
from .position import ALLIED, AWAY, DEAD, GERMAN, GONE, LOST, NOWHERE, WITHDRAWN
from .terrain import NO_LINKS, Links, Terrain
from .whereabouts import BOND, BOND_FOOT, FOOT, SILHOUETTES, Presence, new_presence

LEG, MECHANISED, VEHICLE = 0, 1, 2
"""How units move: on foot (and not in trucks); mechanised infantry; vehicles (2.3.3)."""
NOWHERES = (LOST, AWAY, GONE, WITHDRAWN, DEAD)
PACES = ("leg", "mechanised", "mechanised")
"""By class, its line of the terrain chart."""


class War:
    """All that never changes in a match."""

    def __init__(
        self, board: Board, units: DataFile, charts: DataFile, scenarios: DataFile
    ) -> None:
        self.board = board
        self.lattice = board.lattice
        self.sides = SIDES
        self.book = read_book(board, units, charts, scenarios)
        self.ground = Terrain(board, self.book.sections)
        self.ladder = Ladder(self.book.combat.columns)
        self.skies = tuple(self.book.track[space].sky for space in SPACES)
        """By space of the weather track, the weather (23.1c)."""
        self.wet = tuple(sky in ("rain", "mud") for sky in self.skies)
        """By space, whether it rains, mud or not (5.9)."""
        self._allied_boxes = board.supply["allied"].boxes
        self._read_roster(units)
        self._read_faces()
        self._read_schedule()
        self._read_prices()
        lookouts = [Lookout(self.ground.bit, m, 1, self._counted(m)) for m in self.members]
        self.lookouts = Lookouts(lookouts, self._presence)
        self.costs = lru_cache(256)(self._costs)
        self.tactics = lru_cache(256)(self._tactics)
        self.places = lru_cache(64)(self._places)
        """Where a group comes: the hexes of Naples, one hex, or entry areas."""
        self.near = lru_cache(256)(self._near)
        self.zone = lru_cache(1024)(self._zone)
        self.anchors = lru_cache(64)(self._anchors)
        self.friendly = lru_cache(128)(self._friendly)
        self.friendly_areas = lru_cache(128)(self._friendly_areas)
        self.friendly_ground = lru_cache(128)(self._friendly_ground)
        # By side, what was worked out last, and from what: see `c05_march`, `c06_zones`,
        # `c07_bonds`, `c08_automatic` and `c12_retreat`. A position that does not agree has it
        # worked out again.
        self.weak_known: list[Any] = [None, None]
        self.zones_known: list[Any] = [None, None]
        self.bonds_known: list[Any] = [None, None]
        self.enemies_known: list[Any] = [None, None]
        self.retreats_known: list[Any] = [None, None]

    # Units.

    def _read_roster(self, file: DataFile) -> None:
        book = self.book
        listed = Roster(book.units, SIDES, file)
        self.roster, self.names = listed.units, listed.names
        self.side_of, self.members, self.army = listed.side_of, listed.members, listed.armies
        self.span = tuple(slice(units.start, units.stop) for units in self.members)
        """By side, where its units are in a list of all."""
        self.number = {name: unit for unit, name in enumerate(self.names)}
        troops = [book.troops[unit.troops] for unit in self.roster]
        count = range(len(self.roster))
        self.mechanised = mask_of(u for u in count if troops[u].mechanised)
        self.vehicles = mask_of(u for u in count if troops[u].vehicle)
        self.infantry = mask_of(u for u in count if troops[u].infantry)
        """Infantry Type (2.3.3c)."""
        self.artillery = mask_of(u for u in count if troops[u].artillery)
        """All ASUs: of divisions and corps, Nebelwerfers, the heavy howitzers (17.1)."""
        kinds = "division", "corps", "nebelwerfer", "howitzer", "recon"
        of = dict(zip(kinds, listed.each(lambda unit: unit.troops, kinds)))
        self.divisional, self.corps, self.nebelwerfers = (of[kind] for kind in kinds[:3])
        self.howitzers, self.recon = of["howitzer"], of["recon"]
        self.silhouettes = listed.those(lambda unit: unit.silhouette)
        self.tanks = listed.those(lambda unit: unit.rating)
        self.destroyers = listed.those(lambda unit: unit.destroyer)
        """Tank destroyers (9.3.4)."""
        self.bonding = self.army[ALLIED] | self.army[GERMAN]
        self.bonding &= ~(self.silhouettes | self.artillery)
        """Units without the white outline (7.1c)."""
        self.airborne = listed.those(
            lambda unit: unit.troops in ("parachute", "glider") and unit.size == "III"
        )
        """Parachute and glider regiments (24.1.2a)."""
        nations = tuple(book.nations)
        self.nationals = dict(zip(nations, listed.each(lambda unit: unit.nation, nations)))
        """By nation, its units."""
        self.army_names = tuple(dict.fromkeys(nation.army for nation in book.nations.values()))
        self.army_of = tuple(
            self.army_names.index(book.nations[unit.nation].army) for unit in self.roster
        )
        """By unit, its army: US, British or German (8.6)."""
        self.armies = listed.each(lambda unit: book.nations[unit.nation].army, self.army_names)
        self.formation_names = tuple(book.formations)
        self.class_of = tuple(
            VEHICLE if t.vehicle else MECHANISED if t.mechanised else LEG for t in troops
        )
        self.of_class = tuple(
            mask_of(u for u in count if self.class_of[u] == kind)
            for kind in (LEG, MECHANISED, VEHICLE)
        )

    def _read_faces(self) -> None:
        """What a counter shows, by unit and steps left: a Remnant may differ from its parent."""
        book = self.book
        remnants = {remnant.kind: remnant for remnant in book.remnants}
        self.remnant_kinds = tuple(remnants)
        self.remnant_counts = tuple(remnant.count for remnant in book.remnants)
        self.remnant_kind = tuple(
            self.remnant_kinds.index(unit.remnant) if unit.remnant else -1 for unit in self.roster
        )
        self.of_remnant = tuple(
            mask_of(u for u, kind in enumerate(self.remnant_kind) if kind == number)
            for number in range(len(remnants))
        )
        """By kind of Remnant, the units that it can stand for (10.4.1)."""
        self.full = tuple(unit.full for unit in self.roster)
        third = [remnants.get(unit.remnant) for unit in self.roster]
        faces = [
            ((0, 0, 0), *([last.face] if last else []), *reversed(unit.faces))
            for unit, last in zip(self.roster, third)
        ]
        self.attack = tuple(tuple(face[0] for face in track) for track in faces)
        """By unit and steps left."""
        self.strength = tuple(tuple(face[1] for face in track) for track in faces)
        """Defence Strength by unit and steps left."""
        self.moves = tuple(tuple(face[2] for face in track) for track in faces)
        count = range(len(self.roster))
        # Each of these is a pair: for counters themselves, and for units as Remnants.
        self.elite = (
            mask_of(u for u in count if self.roster[u].quality == "elite"),
            mask_of(u for u in count if (last := third[u]) and last.quality == "elite"),
        )
        self.low = (
            mask_of(u for u in count if self.roster[u].quality == "low"),
            mask_of(u for u in count if (last := third[u]) and last.quality == "low"),
        )
        self.mountaineers = mask_of(u for u in count if book.troops[self.roster[u].troops].mountain)
        """Mountain units; their Remnants have no special abilities (10.4.1b)."""
        names = self.formation_names
        self.formation = tuple(
            (
                names.index(unit.formation) if unit.formation else -1,
                names.index(last.formation) if last and last.formation else -1,
            )
            for unit, last in zip(self.roster, third)
        )
        """By unit, its formation and that of its Remnant; -1 for independent ones (8.4.4)."""
        self.stacking = tuple(
            (unit.stacking, last.stacking if last else unit.stacking)
            for unit, last in zip(self.roster, third)
        )
        """By unit, its stacking value and that of its Remnant."""
        self.rating = tuple(
            (unit.rating, last.rating if last else unit.rating)
            for unit, last in zip(self.roster, third)
        )
        """By unit, its Tank Rating and that of its Remnant (9.3)."""

    def _read_schedule(self) -> None:
        book, count = self.book, len(self.roster)
        self.arrives = [0] * count
        """By unit, the turn in which it first comes; 0 if it is there from the start."""
        self.comes_at: list[Group | None] = [None] * count
        for group in book.arrivals:
            for name in group.units:
                self.arrives[self.number[name]] = group.turn
                self.comes_at[self.number[name]] = group
        orders = book.orders
        self.coast = 1 << self.number[orders.coast.unit]
        """The reconnaissance unit in Formia (S3.3.3)."""
        self.held = mask_of(self.number[name] for s in book.setups.values() for name in s.held)
        """Units that may not move on turn 1 (S3.3.2)."""
        post = self.comes_at[self.number[orders.formia]]
        self.formia = self.board.parse(post.at) if post else NOWHERE
        """Where a German unit must always be (S3.3.4)."""
        self.pools = tuple(
            (nation, kind) for nation, kinds in book.replacements.items() for kind in kinds
        )
        """The kinds of replacements that there are, by nation (20.1)."""
        self.incoming = tuple(
            line for kinds in book.replacements.values() for line in kinds.values()
        )
        """By pool, the replacements of each turn."""
        self.served = tuple(
            mask_of(u for u in range(count) if self._serves(u, nation, kind))
            for nation, kind in self.pools
        )
        """By pool, the units that it serves (20.1.2, 20.1.3)."""

    def _serves(self, unit: int, nation: str, kind: str) -> bool:
        counter = self.roster[unit]
        if counter.nation != nation:
            return False
        wants = counter.replaced or self.book.troops[counter.troops].replaced
        # Special replacements may be used as infantry ones (20.1.2b).
        return kind == "any" or kind in wants or (kind == "special" and "infantry" in wants)

    def _places(self, group: Group) -> Mask:
        codes = areas(group.at)
        return self.ground.naples if codes == ("Naples",) else mask_of(map(self.board.parse, codes))

    # Who is where.

    def _counted(self, members: range) -> dict[str, tuple[Mask, int]]:
        own = mask_of(members)
        foot = own & ~self.vehicles
        return {
            FOOT: (foot, 1),
            BOND: (own & self.bonding, 1),
            BOND_FOOT: (foot & self.bonding, 1),
            SILHOUETTES: (own & self.silhouettes, 2),
        }

    def _presence(self, side: int, there: Whereabouts) -> Presence:
        occupied, units, stacks, counts, starts = there
        off_map = self.army[side] & ~units
        for nowhere in NOWHERES:
            off_map &= ~stacks.get(nowhere, 0)
        return new_presence(
            (
                occupied,
                units,
                stacks,
                counts[starts[FOOT]],
                counts[starts[BOND]],
                counts[starts[BOND_FOOT]],
                off_map,
            )
        )

    def _zone(self, foot: Mask, vehicles: Mask) -> Mask:
        """The zone of units in some hexes: that of vehicles needs a way over mountains (6.1)."""
        ground, cross = self.ground, self.lattice.cross
        return cross(foot, ground.open) | cross(vehicles, ground.vehicle_sides)

    def _friendly(self, side: int, turn: int) -> tuple[str, ...]:
        """The entry areas of a side in a turn (5.8.1, 21.2.1)."""
        sections = self.book.sections
        allied = {key for key, each in sections.items() if each.turn and turn >= each.turn}
        allied |= {box.name for box in self.board.boxes if box.location in self._allied_boxes}
        return tuple(name for name in self.ground.areas if (name in allied) == (side == ALLIED))

    def _friendly_areas(self, side: int, turn: int) -> Mask:
        """The same by their locations."""
        return mask_of(self.ground.areas[name] for name in self.friendly(side, turn))

    def _friendly_ground(self, side: int, turn: int) -> Mask:
        """The hexes of the 8th Army zone in sections of a side (5.8.1)."""
        areas, found = self.friendly(side, turn), 0
        for key, hexes in self.ground.sections.items():
            if key in areas:
                found |= hexes
        return found

    def _anchors(self, names: tuple[str, ...], vehicles: bool) -> tuple[Links, ...]:
        """By direction, the links of Hexside Bonds with any of some entry areas (7.5)."""
        of = self.ground.vehicle_anchors if vehicles else self.ground.anchors
        joined = [NO_LINKS] * 6
        for name in names:
            joined = [links.joined(more) for links, more in zip(joined, of[name])]
        return tuple(joined)

    # Movement (5).

    def _read_prices(self) -> None:
        paces = self.book.movement.values()
        names = "clear", "hill", "city", "marsh", "major", "minor", "near", "river", "pass_"
        prices = [pace.price(name) for pace in paces for name in names]
        self.scale = lcm(*(price.denominator for price in prices))
        """Ticks to a movement point."""
        self.leaving = self.ticks(self.book.march.leaving)
        """What it costs to leave an enemy zone of control (6.2b)."""
        self.extended = tuple(self.ticks(self.book.movement[name].extended) for name in PACES)
        """By class, what Extended Movement adds (5.3)."""
        self.ticks_of = tuple(tuple(map(self.ticks, track)) for track in self.moves)
        """By unit and steps left, its movement allowance in ticks."""

    def ticks(self, points: int | Fraction) -> int:
        """Movement points in ticks."""
        return int(points * self.scale)

    def price(self, kinds: int, name: str) -> int:
        """An entry of the terrain chart for a stack of some classes: the dearest of theirs."""
        lines = [self.book.movement[PACES[kind]] for kind in bits(kinds)]
        return self.ticks(max(pace.price(name) for pace in lines))

    def entry_price(self, kinds: int, hex: int, near: Mask, exits: Mask) -> tuple[int, bool]:
        """What it costs to come into a hex from an entry area, and whether one must halt (21.1.3a).

        By its terrain, or by the road if that is cheaper.
        """
        ground, bit = self.ground, 1 << hex
        kinds_of_ground = (
            ("clear", ground.clear),
            ("hill", ground.hills),
            ("city", ground.cities),
            ("marsh", ground.marsh),
        )
        ways = [
            (self.price(kinds, name), name == "marsh")
            for name, hexes in kinds_of_ground
            if hexes & bit
        ]
        if exits & bit:
            road = "major" if ground.major_exits & bit else "minor"
            ways.append((self.price(kinds, "near" if near & bit else road), False))
        return min(ways)

    def _near(self, enemies: Mask) -> Mask:
        """The hexes where roads are slow: within two hexes of an enemy (5.2.2)."""
        return self.lattice.dilate(enemies, self.book.march.close)

    def _costs(self, kinds: int, wet: bool, floats: Sides = NO_SIDES) -> Costs:
        """What steps cost a stack of some classes: by ordinary or Extended Movement.

        The dearest price of all counts (5.1b). Mountain sides without road or pass and major rivers
        without a bridge are crossed only by Tactical Movement (5.5c, 5.6a). When it is wet vehicles
        need bridges (5.9). Major rivers that `floats` bridge are like minor ones (25.3b). The area
        of a search is where roads are slow (5.2.2).
        """
        ground, price = self.ground, partial(self.price, kinds)
        entry = (
            (price("clear"), ground.clear),
            (price("hill"), ground.hills),
            (price("city"), ground.cities),
            (price("marsh"), ground.marsh),
        )
        rivers = union((common(ground.minor_rivers, ground.unbridged), floats))
        plain = less(less(ground.open, ground.mountains), ground.unbridged)
        passes = less(ground.passes, ground.unbridged)
        crossings = [
            Crossing(plain, entry, ground.marsh),
            Crossing(passes, _dearer(entry, price("pass_")), ground.marsh),
        ]
        if not (wet and kinds >> VEHICLE & 1):
            over = less(rivers, ground.mountains)
            crossings.append(Crossing(over, _dearer(entry, price("river")), ground.marsh))
        for roads, name in ((ground.major_roads, "major"), (ground.minor_roads, "minor")):
            crossings += (
                Crossing(NO_SIDES, ((price(name), ground.land),), outside=roads),
                Crossing(NO_SIDES, ((price("near"), ground.land),), inside=roads),
            )
        return Costs(self.lattice, crossings, self.scale)

    def _tactics(self, kinds: int, climbs: bool, wet: bool, floats: Sides = NO_SIDES) -> Costs:
        """Tactical Movement: every hex is one tick (5.4).

        Mountain sides and major rivers may be its first step (5.5c, 5.6a), mountains any step of
        units that climb (19.3a); vehicles keep to roads and passes over mountains (5.6b) and, when
        it is wet, to bridges (5.9). Over `floats` any step leads (25.3b).
        """
        ground = self.ground
        land, halts = ((1, ground.land),), ground.marsh
        first, closed = common(ground.major_rivers, ground.unbridged), NO_SIDES
        if kinds >> VEHICLE & 1:
            closed = union((ground.trackless, ground.unbridged if wet else NO_SIDES))
        elif not climbs:
            first = union((first, ground.trackless))
        first = less(less(first, closed), floats)
        anyhow = less(less(ground.open, closed), first)
        crossings = [
            Crossing(anyhow, land, halts),
            Crossing(first, land, halts, first=True),
            Crossing(ground.all_roads, land),
        ]
        return Costs(self.lattice, crossings)


def _dearer(entry: Sequence[tuple[int, Mask]], ticks: int) -> tuple[tuple[int, Mask], ...]:
    return tuple((cost + ticks, hexes) for cost, hexes in entry)
