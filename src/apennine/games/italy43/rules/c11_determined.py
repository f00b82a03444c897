"""Chapter 11: determined defence."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Choice, Event, Line, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, Bars, Order, Plain, ask

from ..table.data import Cell, Stand
from ..table.position import NOBODY, Table
from ..table.war import War
from .c02_pieces import elite, low, those_in, unready
from .c08_odds import BREAKTHROUGH
from .c09_support import STAND, declare_support
from .c10_steps import lose_one, lose_step
from .c12_retreat import is_trapped, retreat, run

DICE = (6, 6)
"""11.2.1d."""
FAILED = Stand(0, 1, "F")
"""What failures count as when the defenders cannot retreat (11.4.3c)."""
RETREAT = 2
"""Hexes of the retreats that a determined defence can cancel (10.1)."""
LIMITED = 1
"""Hexes of a Limited Advance (14.2.3)."""
TELLING = {"H": "holds", "P": "holds in part", "F": "cannot hold"}
"""How the verdicts of a roll are told (11.4.1)."""
STANDING = "Defenders who would retreat may try to hold their hex"
FALL_BACK = Plain("fall back", STANDING, "11.1a")


class Verdict(NamedTuple):
    """How a battle leaves the hex: whether it is empty, and how far the attackers may advance."""

    vacated: bool
    advance: int
    """3 stands for 2+."""
    limited: bool
    """Only into the vacated hex (14.2.3)."""


Battle = Generator[Choice | Roll | Event, Any, Verdict]


def defenders(war: War, pos: Table) -> Mask:
    """All units in the hex that is attacked."""
    return those_in(war, pos, pos.target, 1 - pos.side)


def judged(war: War, pos: Table, advance: int, limited: bool) -> Verdict:
    """The verdict on the hex as it is now: without defenders it is open to an advance."""
    if defenders(war, pos):
        return Verdict(False, 0, False)
    return Verdict(True, LIMITED if limited else advance, limited)


def stand_or_retreat(war: War, pos: Table, kind: int, outcome: Cell) -> Battle:
    """11.1: the survivors retreat, or try to hold and so cancel the retreat."""
    hexes, side = war.book.results[outcome.result].retreat, 1 - pos.side
    prompt = f"Retreat {hexes} hexes, or make a determined defence?"
    orders = StandFast(kind, outcome.colour), FALL_BACK
    pos.orange = outcome.colour == "orange"
    chosen = yield from ask(war, pos, prompt, rule("11.1a"), *orders, side=side)
    if chosen.verb == StandFast.verb:
        verdict = yield from determined_defence(war, pos, kind, outcome.advance)
    else:
        yield from retreat(war, pos, defenders(war, pos), hexes, rule("10.1e"))
        verdict = judged(war, pos, outcome.advance, False)
    pos.lead, pos.orange = NOBODY, False
    return verdict


def leaders(war: War, pos: Table, kind: int) -> Mask:
    """11.2.3b: those who may lead a determined defence.

    Neither artillery nor units out of order; no reconnaissance that has ignored a loss (19.2d), and
    nobody over the stacking limit (15.3b).
    """
    found = defenders(war, pos) & ~(unready(pos) | war.artillery | pos.spared)
    return found & ~pos.excess if kind == BREAKTHROUGH else found


@dataclass(slots=True)
class StandFast(Order[War, Table]):
    """11.1a: unless the result forbids it, or nobody can lead."""

    kind: int
    colour: str

    verb = "stand"
    when, rule = STANDING, "11.1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.colour != "red", "This result allows no determined defence", "11.2.2b"
        spared = not pos.spared & defenders(war, pos) or bool(leaders(war, pos, self.kind))
        yield spared, "Reconnaissance that has ignored a loss must retreat", "19.2d"
        able = bool(leaders(war, pos, self.kind))
        yield able, "No unit there could lead a determined defence", "11.2.3b"


def determined_defence(war: War, pos: Table, kind: int, advance: int) -> Battle:
    """11.2 to 11.5: one roll; more if the defenders cannot retreat, until they hold or die."""
    yield from name_lead(war, pos, kind)
    yield from declare_support(war, pos, STAND)  # 11.3; serves every roll (11.4.3d)
    again = forced = False
    while True:
        found = yield from roll(war, pos)
        if again and (found.verdict == "F" or (forced and found.verdict == "P")):
            found = FAILED  # 11.4.3c, 11.5.2c
        yield from take_losses(war, pos, found)
        if found.verdict == "H" or (found.verdict == "P" and absorbs(war, pos)):
            yield from run_if_exposed(war, pos)
            return judged(war, pos, LIMITED, True)  # 11.4.2
        if found.verdict == "P":
            forced = True  # 11.5.2b
            unmark_battle(pos)
        yield from give_way(war, pos, spent=found.lead > 0 or forced)
        if not defenders(war, pos) or not (yield from has_lead(war, pos, kind)):
            return judged(war, pos, advance, forced)
        again = True


def give_way(war: War, pos: Table, spent: bool) -> Procedure:
    """11.4.3a: who can retreat must; if the Lead Unit cannot it loses a step, unless it has."""
    free = [u for u in bits(defenders(war, pos)) if not is_trapped(war, pos, u, RETREAT)]
    if free:
        yield from retreat(war, pos, sum([1 << u for u in free]), RETREAT, rule("11.4.3a"))
    if not spent and defenders(war, pos) >> pos.lead & 1:
        yield from lose_step(war, pos, pos.lead, rule("11.4.3b"))


def has_lead(war: War, pos: Table, kind: int) -> Generator[Choice | Roll | Event, Any, bool]:
    """11.4.3e: another unit leads if the Lead Unit is gone; if none can, those left are lost."""
    if leaders(war, pos, kind) >> pos.lead & 1:
        return True
    if leaders(war, pos, kind):
        yield from name_lead(war, pos, kind)
        return True
    yield from retreat(war, pos, defenders(war, pos), RETREAT, rule("11.4.3e"))
    return False


def run_if_exposed(war: War, pos: Table) -> Procedure:
    """13.3.2e: if none but units in Full Retreat are left in the hex, they run."""
    here = defenders(war, pos)
    if not here & ~pos.routed:
        yield from run(war, pos, here)


# The Lead Unit and the roll (11.2).


def name_lead(war: War, pos: Table, kind: int) -> Procedure:
    """11.2.1b: the defender names the Lead Unit."""
    prompt = "Name the unit that leads the determined defence"
    yield from ask(war, pos, prompt, rule("11.2.1b"), Lead(kind), side=1 - pos.side)


@dataclass(slots=True)
class Lead(Order[War, Table]):
    """11.2.3: its quality counts, and it takes the losses."""

    kind: int

    verb, names = "lead", (UNIT,)
    when, rule = "A unit leads a determined defence", "11.2.1b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield defenders(war, pos), "{unit} does not defend the hex", "11.2.1b"
        yield ~war.artillery, "{unit} is artillery and cannot lead", "11.2.3b"
        yield ~unready(pos), "{unit} is not in Good Order", "11.2.3b"
        yield ~pos.spared, "{unit} has ignored a loss in this phase", "19.2d"
        if self.kind == BREAKTHROUGH:
            yield ~pos.excess, "{unit} is over the stacking limit", "15.3b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.lead = option.unit


def modifiers(war: War, pos: Table, lead: int) -> tuple[Line, ...]:
    """11.2.4: what is added to the dice if a unit leads, each with its rule."""
    found: list[Line] = []
    if elite(war, pos) >> lead & 1:
        found.append(Line("elite lead unit", "+1", rule("11.2.4a")))
    if low(war, pos) >> lead & 1:
        found.append(Line("lead unit of low quality", "-1", rule("11.2.4a")))
    if pos.orange:
        found.append(Line("orange result", "-1", rule("11.2.2a")))
    if pos.stand != NOBODY:
        found.append(Line("support", "+1", rule("11.3a")))
    return tuple(found)


def bonus(lines: Iterable[Line]) -> int:
    """What modifiers come to."""
    return sum(int(line.value) for line in lines)


def column(war: War, pos: Table, hex: int) -> int:
    """11.2.1c: cities and fortifications, clear ground without a town, everything else."""
    ground, bit = war.ground, 1 << hex
    if bit & (ground.cities | pos.forts):
        name = "city"
    else:
        name = "clear" if bit & ground.clear & ~ground.towns else "other"
    return war.book.determined.column(name)


def roll(war: War, pos: Table) -> Generator[Choice | Roll | Event, Any, Stand]:
    """11.2.1d: two dice; the heavy howitzers make every 6 be rolled again, once (19.4b)."""
    table = war.book.determined
    lines = modifiers(war, pos, pos.lead)
    at = column(war, pos, pos.target)
    label = table.columns[at]
    dice = yield Roll(DICE, "determined defence", rule("11.2.1d"), label, lines)
    sixes = dice.count(6) if pos.howitzers else 0
    total = sum(dice) - 6 * sixes
    if sixes:
        dice = yield Roll((6,) * sixes, "heavy howitzers", rule("19.4b"), label, lines)
        total += sum(dice)
    found = table.cell(total + bonus(lines), at)
    yield Event(TELLING[found.verdict], pos.lead, pos.target, rule=rule("11.4.1a"))
    return found


def take_losses(war: War, pos: Table, found: Stand) -> Procedure:
    """11.4.1: the Lead Unit's step, and one of the Main Assault Force.

    The attacker picks his own loss, but the defender that of 1* (11.4.1c, 11.4.1d).
    """
    if found.lead:
        yield from lose_step(war, pos, pos.lead, rule("11.2.3a"))
    if found.attacker:
        picker = 1 - pos.side if found.enemy_picks else pos.side
        by = rule("11.4.1c") if found.enemy_picks else rule("11.4.1d")
        yield from lose_one(war, pos, pos.force, picker, by)


# Battle markers (11.5).


def capacity(war: War, pos: Table, hex: int) -> int:
    """How many Partial Successes a hex takes: two if it is a major city or a fort of level 2.

    The better of city and fortification counts (11.5.3c).
    """
    return 2 if (war.ground.major_cities | pos.strongholds) >> hex & 1 else 1


def taken(pos: Table, hex: int) -> int:
    """The number on the Battle marker in a hex, 0 if there is none."""
    return (pos.battles >> hex & 1) + (pos.second_battles >> hex & 1)


def absorbs(war: War, pos: Table) -> bool:
    """11.5.2a, 11.5.3a: whether the hex takes a Partial Success; if so it is marked."""
    hex, bit = pos.target, 1 << pos.target
    if taken(pos, hex) >= capacity(war, pos, hex):
        return False
    if defenders(war, pos):
        pos.second_battles |= pos.battles & bit
        pos.battles |= bit
    return True


def unmark_battle(pos: Table) -> None:
    """11.5.2b: the defenders must leave, and the Battle marker is removed."""
    pos.battles &= ~(1 << pos.target)
    pos.second_battles &= ~(1 << pos.target)
