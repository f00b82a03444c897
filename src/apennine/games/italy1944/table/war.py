"""The war as the data files describe it: the ground, the units, the charts."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from math import lcm

from apennine.board import Board
from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.ground import Ground, common, less, union, within
from apennine.mechanics.odds import Ladder
from apennine.mechanics.reach import Costs, Crossing
from apennine.mechanics.roster import Nation, Roster, read_chart, read_place, refuse, strays
from apennine.mechanics.whereabouts import Lookout, Lookouts

from .data import (
    BARRIERS,
    SIDES,
    STACK,
    TERRAINS,
    Marker,
    Modifier,
    Pace,
    Prizes,
    Start,
    Troops,
    Unit,
    Withdrawal,
    read_result,
)
from .position import ALLIED, GERMAN

FOOT = 1
"""The pace of infantry as a set of paces, and that of logistic centres."""
OFF_ROAD = 1000
"""How much dearer a step is off the road, on the way home of a logistic centre."""


class War:
    """All that never changes in a match: the ground, the units, the charts."""

    def __init__(
        self, board: Board, units: DataFile, charts: DataFile, scenarios: DataFile
    ) -> None:
        self.board = board
        self.lattice = board.lattice
        self._read_charts(charts)
        self._read_ground()
        self._read_roster(units)
        self._read_works()
        self._check_schedule(charts)
        self.starts = scenarios.read("scenarios", tuple[Start, ...])
        self._check_starts(scenarios)
        self.costs = cache(self._costs)
        self.centre_costs = lru_cache(256)(self._centre_costs)
        self.entry = lru_cache(16)(self._entry)

    def _read_charts(self, charts: DataFile) -> None:
        self.combat = read_chart(charts, "combat", read_result)
        try:
            self.ladder = Ladder(self.combat.columns)
        except ValueError as error:
            raise charts.refuse(str(error)) from error
        self.dice = charts.read("combat.dice", tuple[int, ...])
        self.paces = charts.read("movement", dict[str, Pace])
        self.troops = charts.read("troops", dict[str, Troops])
        self.nations = charts.read("nations", dict[str, Nation])
        self.nation_names = tuple(self.nations)
        self.modifiers = charts.read("shifts", dict[str, Modifier])
        self.replacements = charts.read("replacements", dict[str, tuple[int, ...]])
        self.months = charts.read("turns.names", tuple[str, ...])
        self.gothic_turn = charts.read("turns.gothic", int)
        self.withdrawals = charts.read("schedule.withdrawals", tuple[Withdrawal, ...])
        self.air = charts.read("support.air", tuple[Marker, ...])
        self.naval = charts.read("support.naval", tuple[Marker, ...])
        self.prizes = charts.read("victory", Prizes)
        self.air_markers = [sum(m.side == side for m in self.air) for side in SIDES]
        self.naval_markers = len(self.naval)
        prices = [getattr(pace, n) for pace in self.paces.values() for n in (*TERRAINS, "road")]
        self.scale = lcm(2, *(Fraction(price).denominator for price in prices))
        """Ticks to a movement point."""

    def _read_ground(self) -> None:
        board, lattice = self.board, self.lattice
        self.home = (board.regions["allied"], board.regions["german"])
        """What each side controls at the start (3Sc)."""
        self.land = self.home[ALLIED] | self.home[GERMAN]
        """The ground of the campaign; islands and other coasts are scenery."""
        self.ground = Ground(board, self.land, BARRIERS)
        self.open = self.ground.open
        """The hexsides that units, zones and lines of communication cross."""
        self.beside = self.ground.beside
        """By hex, the hexes next to it over such sides."""
        self.zone, self.trace, self.net = self.ground.zone, self.ground.trace, self.ground.net
        """Zones of control (4a, 4d), and lines of communication (6d) with their lengths or not."""
        self.coast = board.regions["coast"] & self.land
        self.cities = board.kinds["city"] & self.land
        self.towns = (board.kinds["town"] | board.kinds["city"]) & self.land
        self.ports = self.coast & self.towns & board.kinds["landing"]
        """Where a landing may be made (11Lb)."""
        self.cassino = board.kinds["cassino"]
        self.prizes_on_map = tuple(
            (place.hexes, place.numbers["vp"])
            for place in board.places.values()
            if "vp" in place.kinds
        )
        self.sources = (
            board.supply["allied"].hexes & self.land,
            board.supply["german"].hexes & self.land,
        )
        self.roads = self.ground.roads("road")
        self.road_hexes = board.road_hexes["road"] & self.land
        self.river = self.ground.sides("river")
        beside = within(lattice, lattice.all), within(lattice, lattice.all & ~self.towns)
        self.bridges = common(self.river, union([board.roads["rail"], less(*beside)]))
        """8.1c: river sides with a railway, or with a town in one of the two hexes."""
        self.bridge_hexes = lattice.cross(lattice.all, self.bridges)
        self.reserve = board.box("reserve").location
        self.terrain = [board.terrain.get(name, 0) & self.land for name in TERRAINS]
        ways = (self.roads, 1), (self.open, OFF_ROAD)
        self.way_home = tuple(self.ground.spread(sources, ways) for sources in self.sources)
        """By side and hex, how far its sources are along roads; hexes off the road come dear."""
        self.south = [lattice.pixel(h)[1] if h in lattice else 0.0 for h in range(lattice.size)]
        """How far down the page a hex lies: the Allied edge is south, the German north (5.1b)."""

    def _read_roster(self, units: DataFile) -> None:
        self.roster = units.read("units", tuple[Unit, ...])
        listed = Roster(self.roster, SIDES, units)
        self.names, self.side_of = listed.names, listed.side_of
        self.members, self.army = listed.members, listed.armies
        refuse(units, strays(self.roster, self.nations))
        for unit in self.roster:
            self._check_unit(unit, units)
        hexes = [unit.start for unit in self.roster if unit.start not in ("", "reserve")]
        for hex in sorted(set(hexes)):
            if hexes.count(hex) > STACK:
                raise units.refuse(f"more than {STACK} units start in {hex}.")
        lookouts = [Lookout(self.ground.bit, members, STACK + 1) for members in self.members]
        self.lookouts = Lookouts(lookouts, lambda _, there: there)
        count = range(len(self.roster))
        self.nation = tuple(self.nation_names.index(unit.nation) for unit in self.roster)
        self.nationals = listed.each(lambda unit: unit.nation, self.nation_names)
        """The units of each nation as a set."""
        self.halves = tuple(2 if unit.size == "division" else 1 for unit in self.roster)
        """Half divisions, as beachheads count (6.7c, 6.7d)."""
        self.kind = tuple(
            (unit.nation, self.troops[unit.troops].counts_as, unit.size) for unit in self.roster
        )
        """What a withdrawal asks for (7.3c)."""
        self.of_kind = {
            kind: mask_of(u for u in count if self.kind[u] == kind) for kind in set(self.kind)
        }
        on_tracks = [self.troops[unit.troops].moves == "tracks" for unit in self.roster]
        self.tracks = mask_of(u for u in count if on_tracks[u])
        """Armoured and mechanised units."""
        french = [unit.nation == "FR" for unit in self.roster]
        self.pace = tuple(1 << (on_tracks[u] + 2 * french[u]) for u in count)
        """A bit for each way to pay for terrain: foot, tracks, French foot, French tracks (8.5)."""
        self.full = tuple(len(unit.faces) for unit in self.roster)
        faces = [((0, 0, 0), *reversed(unit.faces)) for unit in self.roster]
        self.attack = tuple(tuple(face[0] for face in track) for track in faces)
        """By unit and steps left."""
        self.defence = tuple(tuple(face[1] for face in track) for track in faces)
        self.moves = tuple(tuple(face[2] for face in track) for track in faces)
        self.at_start = listed.those(lambda unit: unit.arrives == 0)
        self.due = listed.by_turn(lambda unit: unit.arrives)
        """By side and turn, the units that arrive (7.2)."""
        self.start = tuple(
            self.board.parse(unit.start) if unit.start else -1 for unit in self.roster
        )

    def _check_unit(self, unit: Unit, file: DataFile) -> None:
        if unit.troops not in self.troops:
            raise file.refuse(f"{unit.name} is of unknown troops, {unit.troops!r}.")
        if not unit.faces:
            raise file.refuse(f"{unit.name} has no faces.")
        if bool(unit.start) != (unit.arrives == 0):
            raise file.refuse(f"{unit.name} needs a place to start if it does not arrive later.")
        if unit.start:
            fit = self.home[SIDES.index(unit.side)] | 1 << self.reserve
            if not fit >> read_place(self.board, unit.start, file, unit.name) & 1:
                raise file.refuse(f"{unit.name} starts in {unit.start}, which is not its side's.")

    def _read_works(self) -> None:
        """The fortified lines (9.4): hexsides, seen from the attacker's hex."""
        works = {key: line.over for key, line in self.board.lines.items() if any(line.over)}
        gothic = works.pop("gothic")
        self.gothic: Mask = self.lattice.cross(self.land, gothic)
        """The hexes of the Gothic line: those on the German side of its works (9.4h)."""
        self.works = (union(works.values()), union([*works.values(), gothic]))
        """The works without and with the Gothic line."""

    def _check_schedule(self, charts: DataFile) -> None:
        lacking = [f"movement.{pace}" for pace in ("foot", "tracks") if pace not in self.paces]
        lacking += [f"replacements.{n}" for n in self.nations if n not in self.replacements]
        if lacking:
            raise charts.refuse(f"{lacking[0]} is missing.")
        for name, troops in self.troops.items():
            if troops.moves not in self.paces:
                raise charts.refuse(f"troops.{name} moves on {troops.moves!r}, which is no pace.")
        for order in self.withdrawals:
            if order.unit not in self.names:
                raise charts.refuse(f"schedule.withdrawals: there is no unit {order.unit!r}.")

    def _check_starts(self, scenarios: DataFile) -> None:
        for start in self.starts:
            if not 1 <= start.turns <= len(self.months):
                raise scenarios.refuse(f"{start.key} has {start.turns} turns, but not their names.")
            if sorted(centre.side for centre in start.centres) != sorted(SIDES):
                raise scenarios.refuse(f"{start.key} needs one logistic centre a side.")
            for centre in start.centres:
                who = f"{start.key}: {centre.name}"
                hexes = [read_place(self.board, hex, scenarios, who) for hex in centre.hexes]
                fits = self.home[SIDES.index(centre.side)] & self.road_hexes
                if not hexes or mask_of(hexes) & ~fits:
                    raise scenarios.refuse(f"{who} starts off its side's roads.")

    def centre_hexes(self, scenario: int, side: int) -> Mask:
        """The designated hexes of a side's logistic centre (3Sd)."""
        centres = self.starts[scenario].centres
        centre = next(centre for centre in centres if centre.side == SIDES[side])
        return mask_of(map(self.board.parse, centre.hexes))

    def _entry(self, paces: int) -> tuple[list[tuple[int, Mask]], int, int]:
        """Ticks to enter each terrain, over a river and along a road: the dearest of some paces."""
        lines = [self.paces["tracks" if bit & 1 else "foot"] for bit in bits(paces)]
        french = [bit >= 2 for bit in bits(paces)]

        def dearest(name: str) -> int:
            climbed = "rough" if name == "mountain" else name  # 8.5
            prices = (getattr(p, climbed if climbs else name) for p, climbs in zip(lines, french))
            return max(map(self.ticks, prices))

        entry = [(dearest(name), mask) for name, mask in zip(TERRAINS, self.terrain)]
        return entry, dearest("river"), dearest("road")

    def replacement_points(self, nation: int, turn: int) -> int:
        """The points of a nation in a turn (7.1a)."""
        line = self.replacements[self.nation_names[nation]]
        return line[turn - 1] if turn <= len(line) else 0

    def ticks(self, points: float) -> int:
        """Movement points in ticks."""
        return int(Fraction(points) * self.scale)

    def _costs(self, paces: int) -> Costs:
        """The terrain chart for a stack of some paces; the area of a search are its own hexes.

        Bridges lead into those: the bank that it leaves is its own by then, for it has come there
        (8.1a, 8.1e). By road the road sets the price (8.3f).
        """
        entry, river, road = self.entry(paces)
        crossings: list[Crossing] = []
        for ways, prices in ((self.open, tuple(entry)), (self.roads, ((road, self.land),))):
            wet, bridged = common(ways, self.river), common(ways, self.bridges)
            forded = tuple((ticks + river, mask) for ticks, mask in prices)
            crossings += (
                Crossing(less(ways, wet), prices, inside=bridged),
                Crossing(less(wet, bridged), forded, outside=bridged),
            )
        return Costs(self.lattice, crossings, self.scale)

    def _centre_costs(self, own: Mask) -> Costs:
        """Roads alone (6.6b); a centre takes no hexes, so both banks of a bridge must be own."""
        wet = less(self.river, common(self.bridges, within(self.lattice, own)))
        _, river, road = self.entry(FOOT)
        dry, ford = less(self.roads, wet), common(self.roads, wet)
        ways = Crossing(dry, ((road, self.land),)), Crossing(ford, ((road + river, self.land),))
        return Costs(self.lattice, ways, self.scale)

    def price(self, paces: int, here: int, hex: int) -> int:
        """Ticks to enter a hex held by the enemy, whose bridges are of no use (8.2c)."""
        entry, river, _ = self.entry(paces)
        d = self.lattice.direction(here, hex)
        cost = next(ticks for ticks, mask in entry if mask >> hex & 1)
        return cost + river if self.river[d] >> here & 1 else cost
