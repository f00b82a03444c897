"""The war as the data files describe it: the ground, the units, the charts, the scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import lcm

from apennine.board import Board
from apennine.hexes import NO_SIDES, Mask, Sides, bits, first_bit, mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.ground import common, less, union
from apennine.mechanics.odds import Ladder
from apennine.mechanics.reach import Costs, Crossing
from apennine.mechanics.roster import Roster
from apennine.mechanics.whereabouts import Lookout, Lookouts, Whereabouts
from apennine.mechanics.zoc import zone

from .book import read_book
from .data import PACES, SIDES, TERRAINS, Host, Unit
from .position import ENTENTE, NOBODY
from .terrain import Terrain
from .whereabouts import COMBAT, FIRM, GROUND, Presence

NO_FACE = (0, 0, 0, 0)


class Theatre:
    """What a scenario makes of the map and of the rules."""

    def __init__(self, war: War, number: int) -> None:
        book, ground = war.book, war.ground
        self.scenario = scenario = book.scenarios[number]
        self.area: Mask = war.board.regions[scenario.area]
        """The hexes that are played on (SC.b)."""
        self.beyond: Mask = war.lattice.all & ~self.area
        self.trenches = tuple(trench & self.area for trench in ground.trenches[scenario.front])
        """By side, the hexes with its trenches."""
        self.trench_hexes = self.trenches[0] | self.trenches[1]
        self.dug = self.trench_hexes | ground.craters
        """Hexes with trenches or craters, which do not add up (2.1b)."""
        self.initiative = SIDES.index(scenario.initiative)
        sources = [0, 0]
        for side, regions in scenario.sources.items():
            for region in regions:
                sources[SIDES.index(side)] |= war.board.regions[region] & self.area
        if scenario.venezia:
            sources[ENTENTE] |= war.board.supply["venezia"].hexes
        self.sources = tuple(sources)
        """By side, its sources of supply at the edges, and Venezia (9.1)."""
        edges = (
            war.lattice.edges(war.board.bridges[scenario.broken].sides) if scenario.broken else ()
        )
        self.broken = ground.numbered(edge for edge in edges if edge in ground.bridge_at)
        """The bridges that lie destroyed at the start, by number."""
        behind = war.board.regions[f"central-powers-{scenario.front}"]
        self.central = behind & self.area
        """What the Central Powers control at the start (S0.V6)."""
        setup, part = book.setups[scenario.setup], scenario.part
        self.starts = tuple(s for s in setup.units if not part or part in s.parts)
        self.spare = {war.number[s.unit]: war.board.parse(s.hex) for s in self.starts if s.optional}
        """The units that their owner may place at the start, with their hexes."""
        stands = {start.unit for start in self.starts}
        self.displayed = war.listed.those(
            lambda unit: unit.division == scenario.display != "" and unit.name in stands
        )
        """The regiments that a display division may stand for (S2.S5)."""
        self.gates: Mask = war.board.regions[scenario.exit] if scenario.exit else 0
        """The hexes from which Italian units leave the map (S1.V6)."""
        self.pontoons = tuple(p for p in setup.pontoons if not part or part in p.parts)
        declared = [each for each in book.offensives if each.scenario == scenario.key]
        self.offensives = {each.turn: each for each in declared if not each.gathered}
        """By turn, the offensives that must be declared (8.0)."""
        self.gathered = self.offensives | {each.turn: each for each in declared if each.gathered}
        """The same if the Central Powers gather their means in one sector (S4.S6b)."""
        self.arrivals = tuple(a for a in book.arrivals if a.scenario == scenario.key)
        self.prizes = {
            first_bit(place.hexes): place.numbers[scenario.prizes]
            for place in war.board.places.values()
            if scenario.prizes in place.numbers and place.hexes & self.area
        }
        """By objective hex, its points (16.0)."""
        self.behind: Mask = self.area & war.board.regions.get(f"behind-entente-{scenario.front}", 0)
        """The hexes behind the trenches of the Entente (S3.V3c)."""
        self.goal = (
            mask_of(war.board.parse(hex) for hex in scenario.goal.hexes) if scenario.goal else 0
        )
        self.seats = tuple(war.number.get(scenario.seats.get(side, ""), NOBODY) for side in SIDES)
        """By side, the headquarters to which lines are traced at the end; NOBODY: any (S0.V1)."""
        self.capital = war.board.parse(scenario.capital) if scenario.capital else NOBODY
        """The hex without which the level is one lower, or NOBODY (S5.V4)."""
        doctrine = scenario.doctrines.get("It", "")
        self.entente_trench = book.doctrines[doctrine].trench
        """What trenches make of the defence of the Entente, by the doctrine of Italy (3.0g)."""


class War:
    """All that never changes in a match."""

    def __init__(
        self, board: Board, units: DataFile, charts: DataFile, scenarios: DataFile
    ) -> None:
        self.board = board
        self.lattice = board.lattice
        self.sides = SIDES
        self.book = read_book(board, units, charts, scenarios)
        self.ground = Terrain(board)
        self.ladder = Ladder(self.book.combat.columns)
        self._read_roster(units)
        self.theatres = tuple(Theatre(self, number) for number in range(len(self.book.scenarios)))
        """By scenario."""
        self._read_prices()
        self.costs = lru_cache(512)(self._costs)
        self.fixed_costs = lru_cache(256)(self._fixed_costs)
        self.entry = lru_cache(32)(self._entry)
        self.road_costs = lru_cache(64)(self._road_costs)
        lookouts = [Lookout(self.ground.bit, m, 1, self._counted(m)) for m in self.members]
        self.lookouts = Lookouts[Presence](lookouts, self._presence)

    # Units.

    def _read_roster(self, file: DataFile) -> None:
        book = self.book
        self.listed = listed = Roster(book.units, SIDES, file)
        self.roster = roster = listed.units
        self.names, self.members = listed.names, listed.members
        self.side_of, self.army = listed.side_of, listed.armies
        self.number = {name: unit for unit, name in enumerate(listed.names)}
        kinds = book.kinds
        self.combat = listed.those(lambda unit: kinds[unit.kind].combat)
        self.artillery = listed.those(lambda unit: kinds[unit.kind].artillery)
        self.assault = listed.those(lambda unit: kinds[unit.kind].assault)
        """Assault troops, which are supports (15.3)."""
        self.troops = tuple(bits(self.assault))
        self.supports = listed.those(lambda unit: not kinds[unit.kind].combat)
        by_kind = dict(zip(kinds, listed.each(lambda unit: unit.kind, kinds)))
        self.army_guns, self.corps_guns = by_kind["army artillery"], by_kind["corps artillery"]
        self.barges, self.batteries = by_kind["barges"], by_kind["battery"]
        self.headquarters, self.trucks = by_kind["headquarters"], by_kind["trucks"]
        self.depots, self.aircraft = by_kind["depot"], by_kind["air"]
        self.fixed = self.assault | self.aircraft | self.batteries | self.depots
        """Who never moves by himself."""
        self.columns = self.supports & ~self.assault
        """Supports that march, and not by forced marches (11.2.6a)."""
        self.cavalry = by_kind["cavalry"]
        self.arditi, self.stosstruppen = by_kind["arditi"], by_kind["stosstruppen"]
        self.mountaineers = by_kind["mountain"]
        self.hungarians = listed.those(lambda unit: unit.tag == "Hungarian")
        sizes = tuple(book.sizes)
        by_size = dict(zip(sizes, listed.each(lambda unit: unit.size, sizes)))
        self.divisions, self.brigades = by_size["division"], by_size["brigade"]
        self.regiments, self.detachments = by_size["regiment"], by_size["detachment"]
        nations = tuple(book.nations)
        self.nationals = dict(zip(nations, listed.each(lambda unit: unit.nation, nations)))
        """By nation, its units."""
        self.full = tuple(self._steps(unit) for unit in roster)
        room = {name: size.stacking for name, size in book.sizes.items()}
        self.room = tuple(room.get(unit.size, (0, 0)) for unit in roster)
        """By unit: what it counts in a stack, whole and reduced (4.0b)."""
        self.faces = tuple(_faces(unit) for unit in roster)
        """By unit and steps left: attack, defence, movement and morale."""
        self.pace = tuple(kinds[unit.kind].pace for unit in roster)
        self.hosts = tuple(self._hosts(book.attaching.get(unit.kind, ())) for unit in roster)
        """By unit: whom it may be attached to, if it is of assault troops (15.3)."""
        self.price = tuple(self._price(unit) for unit in roster)
        """By unit: the hit points of a step (12.2.8); 0 if it has none."""

    def _steps(self, unit: Unit) -> int:
        return 1 if self.book.kinds[unit.kind].assault else unit.full

    def _hosts(self, hosts: tuple[Host, ...]) -> Mask:
        return self.listed.those(
            lambda unit: any(
                (unit.nation, unit.size) == (host.nation, host.size)
                and (not host.morale or unit.faces[0][3] in host.morale)
                for host in hosts
            )
        )

    def _price(self, unit: Unit) -> int:
        if self.book.kinds[unit.kind].assault:
            return ASSAULT_PRICE
        size = self.book.sizes.get(unit.size)
        return size.prices.get(unit.nation, size.price) if size else 0

    def _counted(self, members: range) -> dict[str, tuple[Mask, int]]:
        own = mask_of(members)
        firm = own & ~(self.aircraft | self.depots)
        return {
            COMBAT: (own & self.combat, 2),
            GROUND: (own & ~self.aircraft, 1),
            FIRM: (firm, 1),
        }

    def _presence(self, side: int, there: Whereabouts) -> Presence:
        del side
        combat = there.at_least(1, COMBAT)
        return Presence(
            there.units,
            there.stacks,
            combat,
            there.at_least(1, GROUND),
            there.at_least(1, FIRM),
            zone(self.lattice, combat),
        )

    # Movement (11).

    def _read_prices(self) -> None:
        book = self.book
        prices = [
            price
            for pace in book.movement.values()
            for name in (*TERRAINS, "dug", "crest", "river")
            if (price := pace.price(name)) is not None
        ]
        roads = Fraction(book.march.road), Fraction(book.march.fast_road)
        self.scale = lcm(*(price.denominator for price in (*prices, *roads)))
        """Ticks to a movement point."""

    def ticks(self, points: int | str | Fraction) -> int:
        """Movement points in ticks."""
        if isinstance(points, int):
            return points * self.scale
        return int(Fraction(points) * self.scale)

    def _costs(
        self,
        pace: str,
        fast: bool,
        dry: bool,
        dug: Mask,
        broken: Mask,
        floats: Sides = NO_SIDES,
        watched: Mask = 0,
    ) -> Costs:
        """What steps cost units of a pace.

        `fast` units have half the price on roads (11.3.4d), minor roads are roads while it is
        `dry` (11.1.3d), `dug` are trenches and craters, `broken` the bridges that are destroyed by
        number, `floats` the hexsides of own pontoon bridges, `watched` hexes under interdiction.
        """
        costs = self.fixed_costs(pace, fast, dry, dug, broken)
        if floats is not NO_SIDES:
            costs = costs.with_crossings(*self._afloat(pace, dug, broken, floats))
        if watched:
            costs = costs.surcharged(watched, self.ticks(self.book.march.interdiction))
        return costs

    def _fixed_costs(self, pace: str, fast: bool, dry: bool, dug: Mask, broken: Mask) -> Costs:
        """The same without what is on the map for a while: pontoon bridges, interdiction."""
        ground, march, line = self.ground, self.book.march, self.book.movement[pace]
        if pace == PACES[-1]:
            return Costs.build(self.lattice, {1: ground.afloat}, scale=self.scale)
        down = ground.over(broken)
        road = union((ground.road, ground.minor_road)) if dry else ground.road
        road = less(road, common(down, ground.rivers))
        standing = less(ground.bridged, down)
        wheeled = union((ground.road, ground.minor_road))
        by_rail = less(common(standing, ground.major), wheeled)
        wide, narrow = less(ground.major, standing), less(ground.minor, standing)
        shut = less(self.lattice.all_sides, ground.open)
        extra = [(by_rail, Fraction(march.rail_bridge))]
        if crest := line.price("crest"):
            extra.append((ground.uphill, crest))
        river, whole = line.price("river"), NO_SIDES
        if river is None:
            shut = union((shut, wide, narrow))  # guns and trucks need a bridge (11.3.1d, 11.3.4a)
        else:
            extra.append((narrow, river))
            whole = wide
        return Costs.build(
            self.lattice,
            self.entry(pace, dug),
            extra=extra,
            flat=[(road, Fraction(march.fast_road if fast else march.road))],
            whole=whole,
            forbidden=shut,
            scale=self.scale,
        )

    def _afloat(self, pace: str, dug: Mask, broken: Mask, floats: Sides) -> Iterator[Crossing]:
        """How pontoon bridges are crossed; guns and trucks do not use them (11.3.1d, 11.3.4a)."""
        ground, line, toll = self.ground, self.book.movement[pace], self.book.march.pontoon
        if line.price("river") is None:
            return
        standing, crest = less(ground.bridged, ground.over(broken)), line.price("crest") or 0
        over = common(less(floats, standing), ground.open)
        for rivers, price in ((ground.minor, 0), (ground.major, Fraction(toll))):
            sides = common(over, rivers)
            steep = common(sides, ground.uphill)
            for part, more in ((less(sides, steep), price), (steep, price + crest)):
                if any(part):
                    entry = self.entry(pace, dug).items()
                    yield Crossing(part, tuple((self.ticks(p + more), h) for p, h in entry))

    def _entry(self, pace: str, dug: Mask) -> dict[int | Fraction, Mask]:
        """What it costs to enter hexes off the road; trenches and craters add once (2.1b)."""
        line, found = self.book.movement[pace], dict[int | Fraction, Mask]()
        more = line.price("dug") or Fraction(0)
        for name in TERRAINS:
            price = line.price(name)
            if price is not None:
                hexes = self.ground.by_name[name]
                for cost, mask in ((price, hexes & ~dug), (price + more, hexes & dug)):
                    found[cost] = found.get(cost, 0) | mask
        return found

    def _road_costs(self, dry: bool, broken: Mask) -> Costs:
        """What steps cost along roads and nowhere else, for forced marches (11.2.6a)."""
        ground = self.ground
        road = union((ground.road, ground.minor_road)) if dry else ground.road
        road = less(road, common(ground.over(broken), ground.rivers))
        price = Fraction(self.book.march.road)
        return Costs.build(self.lattice, {}, flat=[(road, price)], scale=self.scale)


ASSAULT_PRICE = 2
"""The hit points of assault troops (12.2.8f)."""


def _faces(unit: Unit) -> tuple[tuple[int, int, int, int], ...]:
    """By steps, from none to all; the third step of a strong division shows the same (6.0c)."""
    if not unit.faces:
        return (NO_FACE, NO_FACE)
    full, *rest = unit.faces
    reduced = rest[0] if rest else full
    return (NO_FACE, *([reduced] * (unit.full - 1)), full)
