"""The war as the data files describe it: the ground, the units, the charts, the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from apennine.board import Board
from apennine.hexes import Mask, Sides, bits, mask_of
from apennine.kernel.data import DataFile
from apennine.mechanics.odds import Ladder
from apennine.mechanics.roster import Roster
from apennine.mechanics.whereabouts import Lookout, Lookouts, Whereabouts

from .book import read_book
from .data import SIDES, Outcome
from .position import ADRIATIC, ALLIED, DUE, LIGURIAN, MUD_WEATHER, Table
from .rivers import BARRED, FREE
from .terrain import Terrain

LATE_EDGE = 39
"""June IV 1944: from then on German supply comes by the north-east alone (E20A)."""
SCALE = 2
"""Movement is counted in half points (B4C11d)."""
TRAIL = " off the roads"
"""Added to a line of the terrain chart for those who use no roads (E10D4)."""
ITALIAN = ("It", "Rep")
"""The nationalities of Italians, on both sides."""
GOOD, MUD, LIFT, SURGE, SURGE_MUD = "good", "mud", "lift", "breakthrough", "breakthrough-mud"
"""The lines of the terrain chart."""


Step: TypeAlias = "tuple[int, int, Sequence[Step], int]"
"""A step to a node: the node, what it costs in half points, the steps that may follow it, and the
node where it begins."""


class Paths(NamedTuple):
    """The map as a net for one line of the terrain chart.

    A *node* is a hex and what binds a unit in it (`rivers`): most hexes are one node, those with a
    river several. So the banks of rivers are part of every way.
    """

    edges: Sequence[tuple[tuple[int, int], ...]]
    """By node: where steps lead, and what they cost in half points."""
    climbs: Sequence[tuple[int, ...]]
    """By node: where steps over sides all of High Apennine lead."""
    steps: Sequence[Sequence[Step]]
    """By node: the steps of `edges`. None is followed by one that is not worth its detour: to where
    a single step leads from where it began, for no more."""


class Post(NamedTuple):
    """Where a garrison stands (E6)."""

    hexes: Mask
    alarm: Mask
    """Allies who come there release it (E6B5)."""


class Front(NamedTuple):
    """What the enemy meets of a side: its units with a defence factor, and their zone."""

    there: Whereabouts
    soft: Mask
    """Its units on the map without one."""
    weak: Mask
    """The hexes where it has no others."""
    strong: Mask
    """All other hexes where it has units."""
    zone: Mask
    """Their zone of control."""


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
        self.rows: tuple[tuple[Outcome, ...], ...] = tuple(
            tuple(self.book.combat.cell(die, column) for die in range(1, 7))
            for column in range(len(self.ladder))
        )
        """By column of the Step Reduction Table, the results of the six dice."""
        self._read_roster(units)
        self._read_advanced()
        self._read_nodes()
        self._paths: dict[tuple[str, bool], Paths] = {}
        self.reach_base = lru_cache(64)(self._reach_base)
        lookouts = [Lookout(self.ground.bit, members, 1) for members in self.roster.members]
        self.lookouts = Lookouts(lookouts, lambda _, there: there)
        self.fronts: list[Front | None] = [None] * len(SIDES)
        """By side, its front when it was last asked for."""
        self.marched: tuple[tuple[object, ...], object] = (), None
        """The last question of where somebody can go, and the answer."""

    # Units.

    def _read_roster(self, file: DataFile) -> None:
        book = self.book
        self.roster = roster = Roster(book.units, SIDES, file)
        self.units, self.names = roster.units, roster.names
        self.side_of, self.army = roster.side_of, roster.armies
        self.number = {name: unit for unit, name in enumerate(roster.names)}
        troops = book.troops
        self.full = tuple(unit.steps for unit in roster.units)
        self.faces = tuple(_faces(unit.faces, unit.inverted == "step") for unit in roster.units)
        """By unit and steps: attack, defence and movement points."""
        self.stacking = tuple(unit.stacking for unit in roster.units)
        self.allowance = tuple(unit.faces[0][2] * SCALE for unit in roster.units)
        self.armor = roster.those(lambda unit: troops[unit.troops].armor)
        self.mountaineers = roster.those(lambda unit: unit.mountain)
        self.commandos = roster.those(lambda unit: unit.commando)
        self.replacements = roster.those(lambda unit: troops[unit.troops].rebuilds)
        self.rebuild_all = roster.those(lambda unit: troops[unit.troops].rebuilds == "all")
        self.once = roster.those(lambda unit: troops[unit.troops].once)
        """Replacements that serve but once (E8H)."""
        self.inverts = roster.those(lambda unit: unit.inverted == "step")
        self.invaders = roster.those(
            lambda unit: book.nations[unit.nation].invades and not unit.foreign
        )
        """Units that may land in an invasion (C5A3)."""
        self.foreign = self.army[ALLIED] & ~self.invaders
        nations = sorted({name for nation in book.nations.values() for name in nation.kin})
        self.kin = tuple(
            mask_of(nations.index(name) for name in book.nations[unit.nation].kin)
            for unit in roster.units
        )
        """By unit, the nationalities that it counts as, as bits (D7A, D8A2)."""
        self.toothless = roster.those(lambda unit: unit.faces[0][0] == 0)
        """Units without an attack factor even at full strength."""
        self.helpless = roster.those(lambda unit: unit.faces[0][1] == 0)
        """Units without a defence factor even face up: Allied replacements (C11B3)."""

    # The Advanced Game.

    def _read_advanced(self) -> None:
        """Garrisons and their posts, divisions and their regiments, Italians."""
        book, board, number = self.book, self.board, self.number
        self._advanced = frozenset(n for n, s in enumerate(book.scenarios) if s.advanced)
        self.regiments = {
            number[unit.name]: tuple(number[name] for name in unit.regiments)
            for unit in book.units
            if unit.regiments
        }
        """By division, its regiments (E9)."""
        self.division = {part: whole for whole, parts in self.regiments.items() for part in parts}
        self.cadres = mask_of(self.division)
        self.posts: dict[int, Post] = {}
        """By garrison, its post; regiments have that of their division (E6)."""
        self.roamer, self.livorno = -1, Post(0, 0)
        for line in book.german_card:
            if line.at:
                hexes = mask_of(map(board.parse, line.at))
                post = Post(hexes, self.lattice.dilate(hexes, line.radius))
                if line.event == "livorno":
                    self.roamer, self.livorno = number[line.units[0]], post
                for name in line.units:
                    for unit in bits(self.whole(number[name])):
                        self.posts.setdefault(unit, post)
        self.guards = mask_of(
            number[name]
            for line in book.german_card
            if (line.turn, line.event) == (1, "garrison")
            for name in line.units
        )
        """The garrisons of the first turn (E5D2)."""
        roster = self.roster
        self.italians = roster.those(lambda unit: unit.nation in ITALIAN) & ~self.replacements
        self.partisans = roster.those(lambda unit: unit.troops == "partisan")
        groups = book.defection
        self.defectors = tuple(
            mask_of(number[name] for name in names) for names in (groups.garrison, groups.others)
        )
        """Italians who may change sides: the garrison of Roma, and all others (E10B2)."""
        self.cities = {name: board.places[name].hexes for name in book.bonus}
        self.worth = {u: unit.worth for u, unit in enumerate(roster.units) if unit.worth}
        """By ersatz division, the replacements for which it may be exchanged (E8I)."""
        self.command_edges = tuple(
            sorted(bits(self.ground.region(name)), key=lambda hex: self._from_west(hex))
            for name in ("ligurian-entry", "adriatic-entry")
        )
        """By Command, the hexes where its units enter, the first one first (E8G3)."""

    def _from_west(self, hex: int) -> tuple[int, int]:
        column, row = self.lattice.axial(hex)
        return column, -row

    def whole(self, unit: int) -> Mask:
        """A unit with its regiments, or those of the division that it is part of."""
        unit = self.division.get(unit, unit)
        return 1 << unit | mask_of(self.regiments.get(unit, ()))

    def kindred(self, pos: Table, unit: int) -> Mask:
        """E9G: who takes no replacement any more as a unit has: a division stands for all of it."""
        return self.whole(unit) if unit in self.regiments else 1 << unit

    def parts_on_table(self, pos: Table, unit: int) -> list[int]:
        """A unit, or the regiments of a division that is broken up, as far as they are there."""
        on = (DUE, LIGURIAN, ADRIATIC)
        return [u for u in bits(self.whole(unit)) if pos.hex[u] >= 0 or pos.hex[u] in on]

    def keeper(self, pos: Table, unit: int) -> int:
        """Who follows the dates of a unit: another one for the guard of Livorno (E8A5)."""
        return pos.heir if unit == self.roamer and pos.heir >= 0 else unit

    def post_of(self, pos: Table, unit: int) -> Post:
        """The post of a garrison."""
        if pos.heir >= 0 and self.whole(pos.heir) >> unit & 1:
            return self.livorno
        return self.posts[unit]

    def face(self, unit: int, steps: int) -> tuple[int, int]:
        """Attack and defence factor of a unit with so many steps; none of an inverted counter."""
        return self.faces[unit][steps]

    def names_of(self, units: Mask) -> str:
        """The names of some units, one after the other."""
        if units & units - 1:
            return ", ".join([self.names[unit] for unit in bits(units)])
        return self.names[units.bit_length() - 1]

    # Ways.

    def _read_nodes(self) -> None:
        """Number the hexes, and river hexes once for each way in which units come to be in them."""
        ground, lattice = self.ground, self.lattice
        node = {(hex, FREE): hex for hex in range(lattice.size)}
        waiting = [(hex, FREE) for hex in bits(ground.land)]
        seen: set[tuple[int, int]] = set()
        steps: list[tuple[tuple[int, int], int, tuple[int, int]]] = []
        for each in waiting:
            if each in seen:
                continue
            seen.add(each)
            node.setdefault(each, len(node))
            for d in range(6):
                if ground.open[d] >> each[0] & 1:
                    bound = ground.rivers.step(*each, d)
                    if bound != BARRED:
                        beyond = lattice.neighbour(each[0], d), bound
                        waiting.append(beyond)
                        steps.append((each, d, beyond))
        self.node = node
        """By hex and what binds a unit there, its node: free in it, that has the hex's number."""
        self.node_hex: Sequence[int] = [hex for hex, _ in node]
        self.node_bound = [bound for _, bound in node]
        """By node, what binds a unit there."""
        self.bound_hexes = self.node_hex[: lattice.size - 1 : -1]
        """The hexes of the nodes where something binds, from the last to the first."""
        self._links: list[list[tuple[int, int]]] = [[] for _ in node]
        """By node, the directions in which one may leave it, and the nodes where they lead."""
        for each, d, beyond in steps:
            self._links[node[each]].append((d, node[beyond]))
        self.nodes_of: dict[int, tuple[int, ...]] = {}
        for (hex, _), number in node.items():
            if hex in lattice:
                self.nodes_of[hex] = (*self.nodes_of.get(hex, ()), number)

    def paths(self, pace: str, climbs: bool) -> Paths:
        """The net for a line of the terrain chart, for mountain units or others."""
        found = self._paths.get((pace, climbs))
        if found is None:
            found = self._paths[pace, climbs] = self._read_paths(pace, climbs)
        return found

    def _read_paths(self, pace: str, climbs: bool) -> Paths:
        ground, trail = self.ground, pace.endswith(TRAIL)
        chart = (self.book.mountain if climbs else self.book.movement)[pace.removesuffix(TRAIL)]
        roads = (("major", ground.major), ("minor", ground.minor))
        prices = [
            (sides, int(chart.price(name) * SCALE))
            for name, sides in (
                *(() if trail else roads),
                ("plain", ground.plain),
                ("rough", ground.rough),
            )
        ]
        edges: list[tuple[tuple[int, int], ...]] = []
        steep: list[tuple[int, ...]] = []
        cheapest = self._cheapest(prices)
        for hex, links in zip(self.node_hex, self._links):
            costs = cheapest.get(hex, NO_PRICES)
            edges.append(tuple([(target, costs[d]) for d, target in links if costs[d]]))
            over = tuple([target for d, target in links if not costs[d]])
            if trail:  # no road leads them through a lake
                over = tuple([t for t in over if not ground.passing >> self.node_hex[t] & 1])
            steep.append(over if chart.high != "no" else ())
        return Paths(tuple(edges), tuple(steep), _steps(edges))

    def _cheapest(self, prices: Sequence[tuple[Sides, int]]) -> dict[int, list[int]]:
        """B4C10: by hex and direction, the least of the prices of a side; 0 if it has none."""
        found = {hex: [0] * 6 for hex in bits(self.ground.land)}
        for sides, price in sorted(prices, key=lambda each: -each[1]):
            for d in range(6):
                for hex in bits(sides[d] & self.ground.land):
                    found[hex][d] = price
        return found

    def _reach_base(
        self, blocked: Mask, stops: Mask, least: int
    ) -> tuple[bytearray, int, bytearray]:
        """What searches among the same enemies start from: closed nodes, and where one halts.

        By node one more than is left there of the points, the same as one number, and the halts.
        Closed nodes have more than anybody ever has; a halt is worth it only with so much left.
        """
        rest = bytearray(len(self.node_hex))
        halts = bytearray(len(rest))
        for hex in bits(stops & self.ground.land):
            for node in self.nodes_of[hex]:
                halts[node] = 1
                rest[node] = least
        for hex in bits(blocked & self.ground.land):
            for node in self.nodes_of[hex]:
                rest[node] = CLOSED_NODE
        return rest, int.from_bytes(rest, "little"), halts

    # The schedule.

    def week(self, turn: int) -> str:
        """The name of a turn."""
        return self.book.turns[turn - 1].name

    def is_mud(self, turn: int) -> bool:
        """Whether a turn is one of mud on the track of the Basic Game (C1B2)."""
        return self.book.turns[turn - 1].mud

    def in_mud(self, pos: Table) -> bool:
        """Whether there is mud now: by the track, or as it was rolled (E2A4)."""
        if pos.weather:
            return pos.weather == MUD_WEATHER
        return self.book.turns[pos.turn - 1].mud

    def is_advanced(self, pos: Table) -> bool:
        """Whether this is a scenario of the Advanced Game."""
        return pos.scenario in self._advanced

    def german_edge(self, pos: Table) -> Mask:
        """C9B, E20A: the hexes from which German supply and reinforcements come."""
        late = pos.turn >= LATE_EDGE and pos.scenario in self._advanced
        return self.ground.late_edge if late else self.ground.german_edge


NO_PRICES = (0,) * 6
CLOSED_NODE = 255
"""What stands for the points left in nodes that a search may not enter."""


def _steps(edges: Sequence[Sequence[tuple[int, int]]]) -> Sequence[Sequence[Step]]:
    """All steps between nodes, each with those that may follow it."""
    after: dict[tuple[int, int], list[Step]] = {
        (node, target): [] for node, ways in enumerate(edges) for target, _ in ways
    }
    step: dict[tuple[int, int], Step] = {
        (node, target): (target, price, after[node, target], node)
        for node, ways in enumerate(edges)
        for target, price in ways
    }
    direct = [dict(ways) for ways in edges]
    for (node, middle), following in after.items():
        at_once = direct[node]
        for target, price in edges[middle]:
            dear = at_once[middle] + price
            if target != node and at_once.get(target, dear + 1) > dear:
                following.append(step[middle, target])
    return [[step[node, target] for target, _ in ways] for node, ways in enumerate(edges)]


def _faces(faces: Sequence[tuple[int, int, int]], inverted: bool) -> tuple[tuple[int, int], ...]:
    """By steps, from none to all: attack and defence."""
    shown = [(attack, defence) for attack, defence, _ in reversed(faces)]
    return ((0, 0), *([(0, 0)] if inverted else []), *shown)
