"""Lanes: the smallest game that asks everything of the kernel, and can be told to misbehave.

Two runners a side on a line of twelve hexes. Each turn: the weather (a die), a secret plan of each
side, the moves of each side (with an interrupt by the other one), and the plans are revealed.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any

from apennine.hexes import bits
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, Roll, done
from apennine.kernel.game import (
    Chance,
    Fault,
    Game,
    Outcome,
    Preview,
    Procedure,
    Scenario,
    Switch,
    Warning,
)
from apennine.kernel.ledger import Ledger, Row
from apennine.kernel.position import Position

LENGTH = 12
RESERVE = LENGTH
HOME = (2, 4, 7, 9)
OWN = (0b0011, 0b1100)
"""The units of each side."""
FAR = 80
"""The trail is kept this many bits up, so that it is too long for a machine word."""

RULES = {
    "1.1": "A die decides the weather of each turn.",
    "2.1": "Each side plans in secret.",
    "2.2": "Blue has a choice of plans in even turns only.",
    "3.1": "A runner goes up to two hexes, each once a turn.",
    "3.2": "No runner enters an occupied hex.",
    "3.3": "A runner next to an enemy may be sniped at.",
    "3.4": "Nine or more drives the runner off.",
    "3.5": "After a shot the runner goes on or stops.",
    "4.1": "Plans are revealed, and the higher one scores.",
    "4.2": "Blue salutes.",
    "5.1": "Most points at the end win.",
    "5.2": "Who has no runner left has lost at once.",
    "9.9": "Trouble.",
}


class LineBoard:
    """Twelve hexes in a row, and a box beside them."""

    boxes = ()

    def is_box(self, location: int) -> bool:
        return location == RESERVE

    def places_at(self, location: int) -> tuple[Any, ...]:
        return ()

    def code(self, location: int) -> str:
        return "Reserve" if location == RESERVE else f"H{location:02}"

    def parse(self, text: str) -> int:
        if text == "Reserve":
            return RESERVE
        if not (text[:1] == "H" and text[1:].isdecimal() and int(text[1:]) < LENGTH):
            raise ValueError(f"{text!r} is neither a hex nor a box of Lanes.")
        return int(text[1:])


@dataclass(slots=True, eq=False, kw_only=True)
class Lanes(Position):
    hex: list[int]
    plan: list[int]
    points: list[int]
    shots: list[tuple[int, int]]
    """Who was shot at, where: what lies on the table of this turn."""
    rain: bool = False
    moved: int = 0
    shown: bool = False
    trail: int = 0
    last_turn: int = 3
    mortal: bool = True
    keen: bool = False


class Toy(Game[Lanes]):
    key = "toy"
    title = "Lanes"
    summary = "Two runners a side on a line of hexes."
    sides = ("Red", "Blue")
    position_type = Lanes
    units = ("Red 1", "Red 2", "Blue 1", "Blue 2")
    scenarios = (
        Scenario("short", "Short", "Three turns.", 3),
        Scenario("long", "Long", "Forty turns; who is driven off comes back.", 40),
        Scenario("endless", "Endless", "As many turns as you like.", 9999),
        Scenario("trouble", "Trouble", "Rules that go wrong.", 1),
    )
    switches = (Switch("keen", "Runners go three hexes", "3.1"),)
    overlays = MappingProxyType({"reach": lambda game, pos, _, unit: game.reachable(pos, unit)})
    data_digest = "0" * 32
    ledger = Ledger("toy", [Row(id, "core", "-", text, "-", "-") for id, text in RULES.items()])

    reach = 2
    weather_dice: tuple[int, ...] = (6,)
    salutes: tuple[str, ...] = ("salute",)
    extra_event = False

    def __init__(self, **corrections: Any) -> None:
        self.board: Any = LineBoard()
        self.menus_built = 0
        for name, value in corrections.items():
            setattr(self, name, value)

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Lanes:
        turns = {known.key: known.turns for known in self.scenarios}[scenario]
        return Lanes(
            phase="trouble" if scenario == "trouble" else "weather",
            hex=list(HOME),
            plan=[0, 0],
            points=[0, 0],
            shots=[],
            last_turn=turns,
            mortal=scenario == "short",
            keen=options["keen"],
        )

    def phase(self, pos: Lanes) -> Procedure:
        return getattr(self, pos.phase)(pos)

    def weather(self, pos: Lanes) -> Procedure:
        yield Event("turn begins", value=pos.turn, rule="1.1")
        faces = yield Roll(self.weather_dice, "weather", "1.1")
        pos.rain = faces[0] == 1
        pos.phase = "red_plan"

    def red_plan(self, pos: Lanes) -> Procedure:
        plans = [Option("plan", value=value) for value in (1, 2, 3)]
        chosen = yield Choice(0, plans, "Plan in secret", "2.1", checkpoint=True, secret=True)
        pos.plan[0] = chosen.value
        pos.phase = "blue_plan"

    def blue_plan(self, pos: Lanes) -> Procedure:
        count = 1 if pos.turn % 2 else 2
        plans = [Option("plan", value=value + 1) for value in range(count)]
        chosen = yield Choice(1, plans, "Plan in secret", "2.2", checkpoint=True, secret=True)
        pos.plan[1] = chosen.value
        pos.phase = "move"

    def move(self, pos: Lanes) -> Procedure:
        while True:
            chosen = yield Choice(
                pos.side,
                Later(lambda: self.moves(pos)),
                "Move a runner, or end your moves",
                "3.1",
                checkpoint=True,
            )
            if chosen.verb == "end":
                break
            yield from self.go(pos, chosen.unit, chosen.hex)
        pos.moved = 0
        if pos.side == 0:
            pos.side = 1
        else:
            pos.side, pos.phase = 0, "reveal"

    def moves(self, pos: Lanes) -> Menu:
        self.menus_built += 1
        free = [u for u in bits(OWN[pos.side] & ~pos.moved) if pos.hex[u] < LENGTH]
        return Menu(*(Over("go", self.ends(pos, u), u) for u in free), done("end"))

    def ends(self, pos: Lanes, unit: int) -> int:
        """The hexes that a runner reaches without passing an occupied one."""
        mask = 0
        for step in (-1, 1):
            for far in range(1, self.reach + pos.keen + 1):
                hex = pos.hex[unit] + step * far
                if not 0 <= hex < LENGTH or hex in pos.hex:
                    break
                mask |= 1 << hex
        return mask

    def go(self, pos: Lanes, unit: int, goal: int) -> Procedure:
        pos.moved |= 1 << unit
        step = 1 if goal > pos.hex[unit] else -1
        while pos.hex[unit] != goal:
            pos.hex[unit] += step
            pos.trail |= 1 << FAR + pos.hex[unit]
            if self.extra_event:
                yield Event("steps", unit, pos.hex[unit], rule="3.1")
            if not (yield from self.shot(pos, unit)):
                return

    def shot(self, pos: Lanes, unit: int) -> Generator[Choice | Roll | Event, Any, bool]:
        """Whether the runner goes on."""
        here, enemies = pos.hex[unit], OWN[1 - pos.side]
        snipers = [u for u in bits(enemies) if abs(pos.hex[u] - here) == 1 and here < LENGTH]
        if not snipers:
            return True
        # The list is walked and shortened between the questions, as rules like to do.
        while snipers:
            menu = Menu(Among("snipe", snipers, here), done("hold"))
            chosen = yield Choice(1 - pos.side, menu, "Snipe at the runner?", "3.3")
            if chosen.verb == "hold":
                break
            snipers.remove(chosen.unit)
            pos.shots.append((unit, here))
            faces = yield Roll((6, 6), "sniping", "3.4")
            if sum(faces) >= 9 + pos.rain:
                pos.hex[unit] = RESERVE if pos.mortal else self.free_home(pos, unit)
                yield Event("driven off", unit, here, sum(faces), "3.4")
                # The game may be over with this; if not, there is nobody to go on.
                yield Choice(1 - pos.side, [Option("note", unit)], "Note it", "3.4")
                return False
        going = [Option("go on", unit), Option("stop", unit)]
        return (yield Choice(pos.side, going, "Go on or stop?", "3.5")).verb == "go on"

    def free_home(self, pos: Lanes, unit: int) -> int:
        homes = range(LENGTH) if unit < 2 else range(LENGTH - 1, -1, -1)
        return next(hex for hex in homes if hex not in pos.hex)

    def reveal(self, pos: Lanes) -> Procedure:
        pos.shown = True
        for side in (0, 1):
            yield Event("plan revealed", value=pos.plan[side], rule="4.1", reveals=True)
        salutes = [Option(verb) for verb in self.salutes]
        yield Choice(1, salutes, "Salute", "4.2")
        if pos.plan[0] != pos.plan[1]:
            pos.points[int(pos.plan[1] > pos.plan[0])] += 1
        pos.turn += 1
        if pos.turn <= pos.last_turn:
            pos.plan, pos.shots, pos.shown = [0, 0], [], False
        pos.phase = "weather"

    def trouble(self, pos: Lanes) -> Procedure:
        verbs = ("raise", "empty", "circle", "junk", "none", "fine")
        chosen = yield Choice(0, [Option(v) for v in verbs], "Trouble", "9.9", checkpoint=True)
        pos.trail |= 1
        yield Event("trouble begins", rule="9.9")
        yield Roll((6,), "trouble", "9.9")
        # A checkpoint on the way, so that more than the last answers must be taken back.
        yield Choice(0, [Option("onwards")], "There is one way", "9.9", checkpoint=True)
        pos.hex[0] = 7
        match chosen.verb:
            case "raise":
                raise ZeroDivisionError("the rules went wrong")
            case "empty":
                yield Choice(0, [], "Choose from nothing", "9.9")
            case "circle":
                while True:
                    yield Event("again", rule="9.9")
            case "junk":
                yield "junk"
            case "none":
                yield None
            case _:
                pos.hex[0], pos.trail, pos.phase = 0, 0, "weather"

    def outcome(self, pos: Lanes) -> Outcome | None:
        for side in (0, 1):
            if all(pos.hex[unit] == RESERVE for unit in bits(OWN[side])):
                return Outcome(1 - side, f"{self.sides[side]} has no runner left.", "5.2")
        if pos.turn > pos.last_turn:
            red, blue = pos.points
            winner = -1 if red == blue else int(blue > red)
            return Outcome(winner, f"{red} to {blue} points.", "5.1")
        return None

    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        plans = [
            plan if pos.shown or owner == side else None for owner, plan in enumerate(pos.plan)
        ]
        return {
            "turn": pos.turn,
            "units": {name: self.board.code(pos.hex[u]) for u, name in enumerate(self.units)},
            "plans": plans,
            "points": list(pos.points),
            "shots": [list(shot) for shot in pos.shots],
            "rain": pos.rain,
        }

    def imagine(self, pos: Lanes, side: int, random: Random, seen: Lanes) -> Lanes:
        other = pos.copy()
        for owner in (0, 1):
            if owner != side and pos.plan[owner] and not seen.shown:
                even = pos.turn % 2 == 0
                other.plan[owner] = random.randint(1, 3 if owner == 0 else 1 + even)
        return other

    def check(self, pos: Lanes) -> list[Fault]:
        faults: list[Fault] = []
        for unit, hex in enumerate(pos.hex):
            if not 0 <= hex <= RESERVE:
                faults.append(Fault(f"{self.units[unit]} is nowhere.", "", unit))
            elif hex < LENGTH and pos.hex.count(hex) > 1:
                faults.append(Fault(f"{self.board.code(hex)} is crowded.", "3.2", unit, hex))
        return faults

    def preview(self, pos: Lanes, option: Option) -> Preview | None:
        if option.verb == "go":
            low, high = sorted((pos.hex[option.unit], option.hex))
            return Preview(tuple(range(low, high + 1)), str(high - low))
        if option.verb == "snipe":
            hit = Fraction(6 if pos.rain else 10, 36)
            return Preview(chances=(Chance("driven off", hit), Chance("missed", 1 - hit)))
        return None

    @property
    def war(self) -> Toy:
        return self

    def reachable(self, pos: Lanes, unit: int) -> int:
        return self.ends(pos, unit) if unit >= 0 and pos.hex[unit] < LENGTH else 0

    def warnings(self, pos: Lanes, side: int) -> list[Warning]:
        return [
            Warning(f"{self.units[u]} is out of the game.", "3.4", u)
            for u in bits(OWN[side])
            if pos.hex[u] == RESERVE
        ]

    def score(self, pos: Lanes, side: int) -> float:
        return pos.points[side] - pos.points[1 - side]


def game() -> Toy:
    return Toy()
