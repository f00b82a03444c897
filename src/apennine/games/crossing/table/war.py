"""All that never changes in a match: the ground, the units, the charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from apennine.board import Board
from apennine.hexes import NO_SIDES, Sides
from apennine.kernel.data import DataFile
from apennine.mechanics.odds import Ladder
from apennine.mechanics.reach import Costs
from apennine.mechanics.roster import Roster, read_chart
from apennine.mechanics.zoc import zone

from .data import Pace, Start, Unit, read_result
from .position import NOBODY

SIDES = ("Allied", "German")
BRIDGES = ("west", "east")


class War:
    """The ground, the units and the charts, as the data files give them."""

    def __init__(self, board: Board, read: Callable[[str], DataFile]) -> None:
        self.board = board
        self.lattice = board.lattice
        charts, units = read("charts.toml"), read("units.toml")
        self.paces = charts.read("movement", dict[str, Pace])
        self.combat = read_chart(charts, "combat", read_result)
        self.ladder = Ladder(self.combat.columns)
        self.starts = read("scenarios.toml").read("scenarios", tuple[Start, ...])
        self.roster = units.read("units", tuple[Unit, ...])
        for unit in self.roster:
            if unit.kind not in self.paces:
                raise units.refuse(f"{unit.name} is of an unknown kind, {unit.kind!r}.")
        listed = Roster(self.roster, SIDES, units)
        self.names, self.side_of = listed.names, listed.side_of
        self.members, self.army = listed.members, listed.armies
        self.kind = [unit.kind for unit in self.roster]
        self.smaller_army = min(map(len, self.members))
        self.towns = board.kinds["objective"]
        self.edge = [board.supply[name].hexes for name in ("allied", "german")]
        self._find_bridges()

    def _find_bridges(self) -> None:
        """What the river lets through, by the bridges that are gone."""
        lattice = self.lattice
        spans = [lattice.edges(self.board.bridges[name].sides)[0] for name in BRIDGES]
        self._bridge_between = {
            ends: bridge
            for bridge, edge in enumerate(spans)
            for ends in (lattice.edge_hexes(edge), lattice.edge_hexes(edge)[::-1])
        }
        self.bridge_hex = [lattice.edge_hexes(edge)[0] for edge in spans]
        river = set(lattice.edges(self.board.sides["river"]))
        road = set(lattice.edges(self.board.roads["road"]))
        everything = set(lattice.edges(lattice.all_sides))
        self.unbridged: list[Sides] = []
        """By the bridges that are gone: river sides without a standing bridge."""
        self.passable: list[Sides] = []
        """All other sides."""
        self._roads: list[Sides] = []
        for blown in range(4):
            standing = {edge for b, edge in enumerate(spans) if not blown >> b & 1}
            closed = river - standing
            self.unbridged.append(lattice.sides(closed))
            self.passable.append(lattice.sides(everything - closed))
            self._roads.append(lattice.sides(road - closed))
        self.zone = lru_cache(4096)(self._zone)
        self.costs = cache(self._costs)
        self.ticks = self.costs("foot", 0, False).scale

    def _zone(self, units: int, blown: int) -> int:
        """The hexes that units in these hexes control (3.1)."""
        return zone(self.lattice, units, self.unbridged[blown])

    def _costs(self, kind: str, blown: int, boats: bool) -> Costs:
        """Chapter 4's chart for one kind of unit."""
        pace = self.paces[kind]
        water = self.unbridged[blown]
        river = pace.wade(boats)
        enter: dict[Any, int] = {}
        for name in ("clear", "hill", "town"):
            price = pace.price(name)
            enter[price] = enter.get(price, 0) | self.board.terrain[name]
        return Costs.build(
            self.lattice,
            enter,
            extra=[] if river is None else [(water, int(river))],  # 4.4
            forbidden=water if river is None else NO_SIDES,
            flat=[(self._roads[blown], pace.price("road"))],  # 4.3
            scale=2,
        )

    def bridge_between(self, a: int, b: int) -> int:
        return self._bridge_between.get((a, b), NOBODY)
