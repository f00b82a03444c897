"""The game as the kernel sees it: data, set-up, views, explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any

from apennine.hexes import NO_SIDES, Sides, bits, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.game import (
    Chance,
    Fault,
    Game,
    Line,
    Outcome,
    Preview,
    Procedure,
    Refusal,
    Scenario,
    Switch,
    Warning,
)
from apennine.kernel.ledger import rule
from apennine.kernel.pack import Pack
from apennine.mechanics.odds import Ladder
from apennine.mechanics.reach import Costs
from apennine.mechanics.tables import read_table
from apennine.mechanics.zoc import zone

from .combat import odds, ready
from .data import Pace, Start, Unit, read_result
from .movement import BRIDGES, allowance, reach_of
from .position import ALLIED, EAST, GERMAN, LOST, NOBODY, SPENT, UNLAID, WEST, Table
from .sequence import PHASES, outcome
from .supply import line, supplied
from .words import why_not

STACK = 2


class Crossing(Game[Table]):
    """The Crossing."""

    key = "crossing"
    title = "The Crossing"
    summary = "A tutorial: seven battalions, a river, two bridges, and a charge under one of them."
    sides = ("Allied", "German")
    length = "15 minutes"
    difficulty = "easy"
    position_type = Table
    switches = (Switch("boats", "Assault boats", "4.8"),)
    overlays = ("zone", "supply", "reach", "held", "threats")

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        charts, units = self.read_file("charts.toml"), self.read_file("units.toml")
        self.paces = charts.read("movement", dict[str, Pace])
        self.combat = read_table("combat", charts.data["combat"], read_result)
        self.ladder = Ladder(self.combat.columns)
        self.roster = units.read("units", tuple[Unit, ...])
        for unit in self.roster:
            if unit.kind not in self.paces:
                raise units.refuse(f"{unit.name} is of an unknown kind, {unit.kind!r}.")
        self.starts = self.read_file("scenarios.toml").read("scenarios", tuple[Start, ...])
        self.scenarios = [Scenario(s.key, s.title, s.summary, s.turns) for s in self.starts]
        self.units = [unit.name for unit in self.roster]
        self.kind = [unit.kind for unit in self.roster]
        self.side_of = [self.side(unit.side) for unit in self.roster]
        self.members = [
            [u for u, owner in enumerate(self.side_of) if owner == side]
            for side in (ALLIED, GERMAN)
        ]
        self.smaller_army = min(map(len, self.members))
        self.towns = self.board.kinds["objective"]
        self.edge = [self.board.supply[name].hexes for name in ("allied", "german")]
        self._find_bridges()

    def _find_bridges(self) -> None:
        """What the river lets through, by the bridges that are gone."""
        lattice = self.board.lattice
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
        self._unbridged: list[Sides] = []
        self._passable: list[Sides] = []
        self._roads: list[Sides] = []
        for blown in range(4):
            standing = {edge for b, edge in enumerate(spans) if not blown >> b & 1}
            closed = river - standing
            self._unbridged.append(lattice.sides(closed))
            self._passable.append(lattice.sides(everything - closed))
            self._roads.append(lattice.sides(road - closed))
        self._zone = lru_cache(4096)(self._make_zone)
        self._costs = cache(self._make_costs)
        self.ticks = self._costs("foot", 0, False).scale

    def _make_zone(self, units: int, blown: int) -> int:
        return zone(self.board.lattice, units, self._unbridged[blown])

    def _make_costs(self, kind: str, blown: int, boats: bool) -> Costs:
        """Chapter 4's chart for one kind of unit."""
        pace = self.paces[kind]
        water = self._unbridged[blown]
        river = pace.boats if boats else pace.river
        enter: dict[Any, int] = {}
        for name in ("clear", "hill", "town"):
            price = pace.price(name)
            enter[price] = enter.get(price, 0) | self.board.terrain[name]
        return Costs.build(
            self.board.lattice,
            enter,
            extra=[] if river is None else [(water, int(river))],  # 4.4
            forbidden=water if river is None else NO_SIDES,
            flat=[(self._roads[blown], pace.price("road"))],  # 4.3
            scale=2,
        )

    def costs(self, pos: Table, unit: int) -> Costs:
        return self._costs(self.kind[unit], pos.blown, pos.boats)

    def unbridged(self, pos: Table) -> Sides:
        """River sides without a standing bridge."""
        return self._unbridged[pos.blown]

    def passable(self, pos: Table) -> Sides:
        """All other sides."""
        return self._passable[pos.blown]

    def bridge_between(self, a: int, b: int) -> int:
        return self._bridge_between.get((a, b), NOBODY)

    def place(self, hex: int) -> str:
        return self.board.code(hex) if hex in self.board.lattice else "that place"

    def on_map(self, pos: Table, side: int) -> list[int]:
        return [unit for unit in self.members[side] if pos.hex[unit] != LOST]

    def units_in(self, pos: Table, hex: int, side: int | None = None) -> list[int]:
        members = range(len(self.units)) if side is None else self.members[side]
        return [unit for unit in members if pos.hex[unit] == hex]

    def occupied(self, pos: Table, side: int, besides: int = LOST) -> int:
        """The hexes with units of a side, one hex left out if asked for."""
        mask = 0
        for unit in self.members[side]:
            hex = pos.hex[unit]
            if hex >= 0 and hex != besides:
                mask |= 1 << hex
        return mask

    def zone(self, pos: Table, side: int) -> int:
        """The zone of control of a side (3.1)."""
        return self._zone(self.occupied(pos, side), pos.blown)

    def full(self, pos: Table, side: int) -> int:
        """The hexes that hold two units of a side, as many as may stay there (2.1)."""
        once = twice = 0
        for unit in self.members[side]:
            if pos.hex[unit] != LOST:
                bit = 1 << pos.hex[unit]
                twice |= once & bit
                once |= bit
        return twice

    def enter(self, pos: Table, unit: int, hex: int) -> None:
        """A unit comes into a hex; a town is then its side's (8.1)."""
        pos.hex[unit] = hex
        town = self.towns & 1 << hex
        pos.held = pos.held | town if self.side_of[unit] == ALLIED else pos.held & ~town

    def lose_step(self, pos: Table, unit: int) -> None:
        pos.steps[unit] -= 1
        if pos.steps[unit] == 0:
            pos.hex[unit] = LOST

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        start = next(start for start in self.starts if start.key == scenario)
        return Table(
            phase="charge",
            side=ALLIED,
            hex=[self.board.parse(unit.start) for unit in self.roster],
            steps=[2] * len(self.roster),
            last_turn=start.turns,
            towns_to_win=start.towns,
            boats=options["boats"],
        )

    def phase(self, pos: Table) -> Procedure:
        return PHASES[pos.phase](self, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        return outcome(self, pos)

    def why_not(self, pos: Table, option: Option) -> Refusal:
        return why_not(self, pos, option)

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        code = self.board.code
        charge = {UNLAID: "not laid", SPENT: "blown", WEST: "west", EAST: "east"}[pos.charge]
        return {
            "turn": pos.turn,
            "track": [str(turn) for turn in range(1, pos.last_turn + 1)],
            "phase": pos.phase,
            "side": self.sides[pos.side],
            "units": [self._view_unit(pos, unit) for unit in range(len(self.units))],
            "markers": [
                {"hex": code(hex), "name": "won", "title": "Held by the Allies", "side": "Allied"}
                for hex in bits(pos.held)
            ],
            "held": [code(hex) for hex in bits(pos.held)],
            "warnings": ["With one more town the Allies win at once."]
            if (self.towns & ~pos.held).bit_count() == 1
            else [],
            "blown": [name for b, name in enumerate(BRIDGES) if pos.blown >> b & 1],
            "charge": "hidden" if pos.charge in (WEST, EAST) and side != GERMAN else charge,
            "moving": None
            if pos.mover == NOBODY
            else {"units": [self.units[pos.mover]], "points": pos.left / self.ticks},
            "battle": None
            if pos.target == NOBODY
            else {
                "hex": code(pos.target),
                "attackers": [self.units[unit] for unit in bits(pos.attackers)],
            },
        }

    def _view_unit(self, pos: Table, unit: int) -> dict[str, Any]:
        """A counter and what lies on it."""
        counter, steps, hex = self.roster[unit], pos.steps[unit], pos.hex[unit]
        face = max(steps, 1)
        status = {"out of supply": pos.cut, "moved": pos.moved, "fought": pos.fought}
        return {
            "name": counter.name,
            "title": f"{counter.name} Battalion",
            "side": counter.side,
            "nation": "CW" if self.side_of[unit] == ALLIED else "GE",
            "troops": "armoured" if counter.kind == "tracks" else "infantry",
            "size": "battalion",
            "hex": self.board.code(hex) if hex != LOST else None,
            "where": "on the map" if hex != LOST else "eliminated",
            "steps": steps,
            "full": 2,
            "factors": {
                "attack": counter.attack(face),
                "defence": counter.defence(face),
                "moves": self.paces[counter.kind].points,
            },
            "status": [word for word, units in status.items() if units >> unit & 1],
        }

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        other = pos.copy()
        if side != GERMAN and pos.charge in (WEST, EAST) and seen.charge != SPENT:
            other.charge = random.choice((WEST, EAST))
        return other

    def check(self, pos: Table) -> list[Fault]:
        faults: list[Fault] = []
        for unit, hex in enumerate(pos.hex):
            name = self.units[unit]
            if hex == LOST:
                continue
            if hex not in self.board.lattice:
                faults.append(Fault(f"{name} is nowhere.", unit=unit))
            if not 1 <= pos.steps[unit] <= 2:
                faults.append(Fault(f"{name} has {pos.steps[unit]} steps.", unit=unit, hex=hex))
        for side in (ALLIED, GERMAN):
            for hex in bits(self.occupied(pos, side) & self.board.lattice.all):
                code = self.board.code(hex)
                if len(self.units_in(pos, hex, side)) > STACK and pos.mover == NOBODY:
                    faults.append(Fault(f"Too many units are in {code}.", rule("2.1"), hex=hex))
                if side == ALLIED and self.units_in(pos, hex, GERMAN):
                    faults.append(Fault(f"Both sides are in {code}.", rule("4.5"), hex=hex))
        return faults

    def preview(self, pos: Table, option: Option) -> Preview | None:
        if option.verb == "go":
            found = reach_of(self, pos, option.unit, pos.left)
            cost = found.cost(option.hex) / self.ticks
            words = f"{cost:g} point" if cost == 1 else f"{cost:g} points"
            return Preview(path=tuple(found.path(option.hex)), cost=words)
        if option.verb in ("attack", "attack with", "fight"):
            units = list(bits(pos.attackers))
            if option.verb == "attack":
                units = ready(self, pos, option.hex)
            elif option.verb == "attack with":
                units.append(option.unit)
            return self._preview_attack(pos, option.hex, units)
        return None

    def _preview_attack(self, pos: Table, target: int, units: list[int]) -> Preview:
        found = odds(self, pos, target, units)
        lines = [
            Line("attack", str(found.attack), rule("6.3")),
            Line("defence", str(found.defence), rule("6.3")),
            Line("odds", found.raw_label, rule("6.3")),
            *(Line(shift.name, f"{shift.columns:+d}", shift.rule) for shift in found.shifts),
        ]
        chances = self.combat.chances(found.column, (6,))
        return Preview(
            lines=tuple(lines),
            column=found.label,
            chances=tuple(Chance(str(result), chance) for result, chance in chances.items()),
        )

    def warnings(self, pos: Table, side: int) -> list[Warning]:
        lines = supplied(self, pos, side)
        cut = [unit for unit in self.on_map(pos, side) if not lines >> pos.hex[unit] & 1]
        sentence = "{} would be out of supply now."
        return [
            Warning(sentence.format(self.units[unit]), rule("7.1"), unit, pos.hex[unit])
            for unit in cut
        ]

    def overlay(self, pos: Table, name: str, side: int, unit: int = NOBODY) -> int:
        if name == "zone":
            return self.zone(pos, side)
        if name == "supply":
            return supplied(self, pos, side) if unit == NOBODY else mask_of(line(self, pos, unit))
        if name == "threats":
            return self._threats(pos, side)
        if name == "held":
            return pos.held if side == ALLIED else self.towns & ~pos.held
        if name == "reach" and unit != NOBODY and pos.hex[unit] != LOST:
            points = pos.left if unit == pos.mover else allowance(self, pos, unit)
            return reach_of(self, pos, unit, points).ends
        return 0 if name == "reach" else super().overlay(pos, name, side, unit)

    def _threats(self, pos: Table, side: int) -> int:
        """The hexes whose units the enemy could cut off in one move, if it came where it can."""
        lattice, own, near = self.board.lattice, self.occupied(pos, side), 0
        for unit in self.on_map(pos, 1 - side):
            ends = reach_of(self, pos, unit, allowance(self, pos, unit)).ends
            near |= ends | 1 << pos.hex[unit]
        free = lattice.all & ~(near | self._zone(near, pos.blown) & ~own)
        fed = lattice.flood_sides(self.edge[side] & free, free, self.passable(pos))
        return own & supplied(self, pos, side) & ~fed

    def score(self, pos: Table, side: int) -> float:
        """Towns, then steps, then how near the Allies are to the towns they lack."""
        distance = self.board.lattice.distance
        worth = 6.0 * pos.held.bit_count()
        for unit, hex in enumerate(pos.hex):
            if hex == LOST:
                continue
            ally = self.side_of[unit] == ALLIED
            worth += pos.steps[unit] if ally else -pos.steps[unit]
            goals = self.towns & ~pos.held if ally else self.towns
            if goals:
                near = 0.2 * min(distance(hex, town) for town in bits(goals))
                worth -= near if ally else -near
        return worth if side == ALLIED else -worth
