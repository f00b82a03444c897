"""The game as the kernel sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import (
    Fault,
    Game,
    Outcome,
    Preview,
    Procedure,
    Refusal,
    Scenario,
    Standing,
    Switch,
    Warning,
)
from apennine.kernel.ledger import rule
from apennine.kernel.pack import Pack

from .rules import c13_victory as victory
from .rules.c03_sequence import PHASES, play
from .rules.c03_setup import set_up
from .rules.c04_zones import controlled, occupied, on_map, units_on_map
from .rules.c11_operations import imagine_notes
from .rules.c12_reserve import imagine_reserve
from .staff.bot import StaffBot
from .table.data import SIDES
from .table.position import ALLIED, AWAY, GERMAN, GONE, LANDING, LOST, NOWHERE, Note, Table
from .table.war import War
from .telling import advice, words
from .telling.standing import standing

PLANS = ("landing", "offensive", "no landing")


class Italy1944(Game[Table]):
    """Italy 1944."""

    key = "italy1944"
    title = "Italy 1944"
    summary = "From the Gustav Line to the Gothic Line: the Italian campaign in nine monthly turns."
    sides = SIDES
    length = "3 hours"
    difficulty = "medium"
    position_type = Table
    switches = (
        Switch("centre", "No supply while the logistic centre is cut off", "6.1d", True),
        Switch("long_lines", "Lines of more than 8 hexes put units out of supply", "6.1e"),
    )
    overlays = advice.OVERLAYS
    links = MappingProxyType({"set up": "in", "place": "in", "mobile attack": "on"})
    numbers = MappingProxyType(
        dict.fromkeys(("plan a landing", "plan an offensive", "plan a bluff"), "for turn {}")
    )

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        self.bots = MappingProxyType({"staff": partial(StaffBot, self.war)})
        self.scenarios = [Scenario(s.key, s.title, s.summary, s.turns) for s in self.war.starts]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [start.key for start in self.war.starts].index(scenario)
        return set_up(self.war, number, options["centre"], options["long_lines"])

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        return victory.outcome(self.war, pos)

    def why_not(self, pos: Table, option: Option) -> Refusal:
        return words.why_not(self.war, pos, option)

    def preview(self, pos: Table, option: Option) -> Preview | None:
        return advice.preview(self.war, pos, option)

    def warnings(self, pos: Table, side: int) -> list[Warning]:
        return advice.warnings(self.war, pos, side)

    def overlay(self, pos: Table, name: str, side: int, unit: int = -1) -> int:
        found = advice.overlay(self.war, pos, name, side, unit)
        return super().overlay(pos, name, side, unit) if found is None else found

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        other = pos.copy()
        if side != ALLIED:
            imagine_notes(self.war, other, random, seen)
            imagine_reserve(self.war, other, random, seen)
        return other

    def unseen(self, pos: Table, side: int) -> int:
        """What is in the reserve, withdrawn, or kept for the start, only the Allies see (12b)."""
        if side == ALLIED:
            return 0
        war, mask = self.war, 0
        for unit, hex in enumerate(pos.hex):
            off = hex in (war.reserve, GONE) or (hex == AWAY and war.at_start >> unit & 1)
            if off and war.side_of[unit] == ALLIED:
                mask |= 1 << unit
        return mask

    def standing(self, pos: Table, side: int) -> Standing:
        del side
        return standing(self.war, pos)

    def control(self, pos: Table, side: int) -> int:
        return controlled(self.war, pos, side)

    def view(self, pos: Table, side: int) -> dict[str, Any]:
        war, code, unseen = self.war, self.board.code, self.unseen(pos, side)
        return {
            "turn": pos.turn,
            "track": list(war.months[: pos.last_turn]),
            "phase": pos.phase,
            "side": self.sides[pos.side],
            "units": [self._view_unit(pos, unseen, unit) for unit in range(len(war.names))],
            "markers": self._view_markers(pos),
            "warnings": victory.alarms(war, pos),
            "moving centres": [name for s, name in enumerate(SIDES) if pos.moving_centres >> s & 1],
            "beachheads destroyed": pos.destroyed,
            "allied control": [code(hex) for hex in bits(pos.control)],
            "gothic hexes entered": [code(hex) for hex in bits(pos.gothic)],
            "points": {name: victory.points(war, pos, s) for s, name in enumerate(SIDES)},
            "replacements left": {
                nation: war.replacement_points(number, pos.turn) - pos.spent[number]
                for number, nation in enumerate(war.nation_names)
            },
            "operations": list(pos.launched),
            "notes": [self._view_note(note) for note in pos.notes if note[4] or side == ALLIED],
            "air used": dict(zip(SIDES, pos.air)),
            "naval used": pos.naval,
            "moving": {
                "units": [war.names[unit] for unit in bits(pos.movers)],
                "points": max(pos.points, pos.points + pos.extra) / war.scale,
            }
            if pos.movers
            else None,
            "battle": advice.battle_view(war, pos),
        }

    def _view_unit(self, pos: Table, unseen: int, unit: int) -> dict[str, Any]:
        """A counter; what is in the reserve only the Allies see (12b)."""
        war, hex, steps = self.war, pos.hex[unit], pos.steps[unit]
        where = {LOST: "eliminated", AWAY: "to come", GONE: "withdrawn"}.get(hex, "on the map")
        if hex == war.reserve:
            where = "reserve"
        if unseen >> unit & 1:
            where = "off the map"
        status = (
            ("out of supply", pos.cut),
            ("moved", pos.moved),
            ("attacked", pos.attacked),
            ("just landed", pos.landed),
        )
        return {
            "name": war.names[unit],
            "title": war.roster[unit].title,
            "side": SIDES[war.side_of[unit]],
            "nation": war.roster[unit].nation,
            "troops": war.roster[unit].troops,
            "size": war.roster[unit].size,
            "hex": self.board.code(hex) if on_map(war, pos, unit) else None,
            "where": where,
            "steps": steps,
            "full": war.full[unit],
            "factors": {
                "attack": war.attack[unit][steps],
                "defence": war.defence[unit][steps],
                "moves": war.moves[unit][steps],
            },
            "status": [word for word, units in status if units >> unit & 1],
        }

    def _view_markers(self, pos: Table) -> list[dict[str, Any]]:
        found = [
            (hex, "LC", f"{side} logistic centre", side) for side, hex in zip(SIDES, pos.centre)
        ]
        found += [(hex, "BH", "Beachhead", "Allied") for hex in pos.beaches]
        found.append((pos.offensive, "OFF", "General offensive", "Allied"))
        return [
            {"hex": self.board.code(hex), "name": name, "title": title, "side": side}
            for hex, name, title, side in found
            if hex >= 0
        ]

    def _view_note(self, note: Note) -> dict[str, Any]:
        kind, hex, turn, written, shown = note
        return {
            "plan": PLANS[kind],
            "hex": self.board.code(hex) if hex != NOWHERE else None,
            "turn": turn,
            "written": written,
            "shown": bool(shown),
        }

    def check(self, pos: Table) -> list[Fault]:
        if (
            not len(pos.hex)
            == len(pos.steps)
            == len(pos.left)
            == len(pos.entered)
            == len(self.units)
        ):
            return [Fault("The lists have not one item for each unit.")]
        return [*self._check_units(pos), *self._check_markers(pos), *self._check_order(pos)]

    def _check_units(self, pos: Table) -> Iterator[Fault]:
        war = self.war
        for unit, hex in enumerate(pos.hex):
            name, steps = war.names[unit], pos.steps[unit]
            side = war.side_of[unit]
            if not 0 <= steps <= war.full[unit] or (hex == LOST) != (steps == 0):
                yield Fault(f"{name} has {steps} steps.", rule("9.1d"), unit)
            if on_map(war, pos, unit):
                if hex not in self.board.lattice or not war.land >> hex & 1:
                    yield Fault(f"{name} is nowhere.", rule("8e"), unit)
                elif (pos.control >> hex & 1) != (side == ALLIED):
                    yield Fault(f"{name} does not control its hex.", rule("8.1d"), unit, hex)
            elif hex == war.reserve and side != ALLIED:
                yield Fault(f"{name} is in the Allied reserve.", rule("12a"), unit)
            elif hex < GONE:
                yield Fault(f"{name} is nowhere.", rule("8e"), unit)
            if (hex == GONE) != (pos.left[unit] > 0):
                yield Fault(f"{name} is withdrawn by no order.", rule("7.3a"), unit)
            if hex == war.reserve and pos.entered[unit] < 0:
                yield Fault(f"{name} never went into the reserve.", rule("12c"), unit)
            if pos.cut >> unit & 1 and not on_map(war, pos, unit):
                yield Fault(f"{name} is marked off the map.", rule("6.3a"), unit)
        for hex in bits(occupied(war, pos, ALLIED) & occupied(war, pos, GERMAN)):
            yield Fault(f"Both sides are in {self.board.code(hex)}.", rule("8e"), hex=hex)

    def _check_markers(self, pos: Table) -> Iterator[Fault]:
        war = self.war
        for side, hex in enumerate(pos.centre):
            if hex >= 0 and not war.road_hexes >> hex & 1:
                yield Fault("A logistic centre is off the road.", rule("6.6b"), hex=hex)
            if hex >= 0 and occupied(war, pos, 1 - side) >> hex & 1:
                yield Fault("A logistic centre is with the enemy.", rule("9.6b"), hex=hex)
        if len(pos.beaches) != len(pos.intake) or len(pos.beaches) > len(pos.launched):
            yield Fault("There are more beachheads than landings.", rule("11La"))
        if pos.beaches.count(LOST) != pos.destroyed:
            yield Fault("The destroyed beachheads are miscounted.", rule("9.6c"))
        for hex in pos.beaches:
            if hex >= 0 and not war.ports >> hex & 1:
                yield Fault("A beachhead is at no town on the coast.", rule("11Lb"), hex=hex)
        if len(pos.launched) > 2 or any(
            later - turn < 2 for turn, later in zip(pos.launched, pos.launched[1:])
        ):
            yield Fault("Too many operations, or too close together.", rule("11b"))
        for kind, hex, turn, written, shown in pos.notes:
            if not written + 2 <= turn <= pos.last_turn or (shown and turn > pos.turn):
                yield Fault(f"A note of turn {written} is for turn {turn}.", rule("11Pa"))
            if (kind != LANDING) != (hex == NOWHERE):
                yield Fault("Only a landing names a hex.", rule("11Pd"), hex=hex)

    def _check_order(self, pos: Table) -> Iterator[Fault]:
        war = self.war
        if pos.phase not in PHASES and pos.phase != "over":
            yield Fault(f"There is no phase {pos.phase!r}.", rule("3a"))
        if not 1 <= pos.turn <= pos.last_turn:
            yield Fault(f"There is no turn {pos.turn}.", rule("2b"))
        for number, nation in enumerate(war.nation_names):
            if pos.spent[number] > war.replacement_points(number, pos.turn):
                yield Fault(f"{nation} has spent more points than it has.", rule("7.1a"))
        if pos.supporting != -1 or any(pos.support) or pos.excess or pos.exploited:
            yield Fault("A battle is not finished.", rule("9d"))
        if pos.movers and pos.phase != "movement":
            yield Fault("A stack is still moving.", rule("3a"))

    def score(self, pos: Table, side: int) -> float:
        """Points, then steps, then how near each side's units are to what they lack."""
        war = self.war
        worth = float(victory.points(war, pos, ALLIED) - victory.points(war, pos, GERMAN))
        for unit in units_on_map(war, pos, ALLIED):
            worth += 0.1 * war.attack[unit][pos.steps[unit]]
        for unit in units_on_map(war, pos, GERMAN):
            worth -= 0.1 * war.defence[unit][pos.steps[unit]]
        return worth if side == ALLIED else -worth
