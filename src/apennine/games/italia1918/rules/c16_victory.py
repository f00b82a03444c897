"""Chapter 16 and the scenarios: what has been won, and by whom."""

from __future__ import annotations

from typing import NamedTuple

from apennine.hexes import Mask, bits

from ..table.position import CENTRAL, EXITED, Table
from ..table.war import War
from .c02_pieces import full_strength, theatre, there
from .c09_supply import command, linked, supplied

LEVELS = ("draw", "Tactical", "Operational", "Strategic")
"""From the lowest to the highest."""
BEATEN = -1
"""The number of no level: the other side has won."""
STRONG = 4
"""The morale of divisions that count more (S1.V2b, S5.V2)."""


class Verdict(NamedTuple):
    """What the side with the initiative has reached: the number of a level, why, and the rule."""

    level: int
    reason: str
    rule: str = "16.0a"


# Points


def held(war: War, pos: Table, side: int) -> Mask:
    """The hexes that a side controls (S0.V6)."""
    return pos.control if side == CENTRAL else war.lattice.all & ~pos.control


def prizes(war: War, pos: Table) -> int:
    """The points for objective hexes, live (S1.V1a, S1.V1c, S5.V1a)."""
    here = theatre(war, pos)
    own = held(war, pos, here.initiative) & ~cut_off(war, pos)
    return sum(worth for hex, worth in here.prizes.items() if own >> hex & 1)


def cut_off(war: War, pos: Table) -> Mask:
    """The hexes whose bridges lie destroyed: as prizes they do not count (S3.V2b, S5.V1b)."""
    found = 0
    if theatre(war, pos).scenario.bridges:
        for number in bits(pos.broken):
            found |= war.ground.bridges[number].ends
    return found


def trench_points(war: War, pos: Table) -> int:
    """A point for each of the enemy's trench hexes that is held (S0.V3, S2.V3)."""
    here = theatre(war, pos)
    if not here.scenario.trenches:
        return 0
    return (here.trenches[1 - here.initiative] & held(war, pos, here.initiative)).bit_count()


def points_behind(war: War, pos: Table) -> int:
    """Units behind the enemy's trenches, in supply or not (S3.V3, S4.V2b, S4.V2c)."""
    here = theatre(war, pos)
    if not here.scenario.behind:
        return 0
    side = here.initiative
    present = there(war, pos, side)
    beyond = present.among(here.behind)
    sound = full_strength(war, pos, beyond & present.among(commanded(war, pos, side)))
    lost = beyond & (war.combat | war.artillery) & in_need(war, pos, side)
    return sound.bit_count() - lost.bit_count()


def in_need(war: War, pos: Table, side: int) -> Mask:
    """The units without a line of supply now: lines are traced afresh (9.2f).

    A headquarters gives none if it has none itself: in a Supply Phase it would have to go (9.1e).
    """
    present = there(war, pos, side)
    joined = linked(war, pos, side)
    staffs = present.among(joined) & war.headquarters
    fed = present.among(supplied(war, pos, side, staffs)) & ~war.headquarters
    return present.units & ~(fed | staffs)


def worth(war: War, pos: Table, unit: int) -> int:
    """What a unit counts at the end, cut off or away (S1.V2b, S1.V2c, S5.V2)."""
    bit = 1 << unit
    if bit & (war.artillery | war.headquarters):
        return 2
    if bit & war.divisions:
        strong = war.faces[unit][war.full[unit]][3] == STRONG
        return 2 if strong and pos.steps[unit] == war.full[unit] else 1
    return 1 if bit & (war.brigades | war.regiments) else 0


def tally(war: War, pos: Table) -> int:
    """What is counted once, at the end of the scenario."""
    match theatre(war, pos).scenario.tally:
        case "retreat":
            return retreat_tally(war, pos)
        case "isolated":
            return isolated_tally(war, pos)
        case _:
            return 0


def retreat_tally(war: War, pos: Table) -> int:
    """Italians left east of the Tagliamento, less those who have left by the west (S1.V2, S1.V3).

    Those in the east count only if a unit beyond the river is in supply (S1.V2a, S1.V6).
    """
    italians, regions = war.nationals["It"], war.board.regions
    enemy, own = there(war, pos, 1 - CENTRAL), there(war, pos, CENTRAL)
    west = regions["west-of-tagliamento"] & commanded(war, pos, CENTRAL)
    caught = italians & enemy.among(regions["east-of-tagliamento"])
    across = own.among(west) & war.combat
    total = sum([worth(war, pos, unit) for unit in bits(caught)]) if across else 0
    return total - sum([worth(war, pos, unit) for unit in bits(enemy.stack(EXITED))])


def isolated_tally(war: War, pos: Table) -> int:
    """Austro-Hungarian units that can trace no line of supply (S5.V2)."""
    lost = in_need(war, pos, CENTRAL) & war.nationals["AH"]
    return sum([worth(war, pos, unit) for unit in bits(lost)])


def running(war: War, pos: Table) -> int:
    """The points as they stand in the course of play, without what is counted at the end."""
    return pos.points[theatre(war, pos).initiative] + prizes(war, pos)


def total(war: War, pos: Table) -> int:
    """The points as if the scenario ended now."""
    more = trench_points(war, pos) + points_behind(war, pos) + tally(war, pos)
    return running(war, pos) + more


# Levels


def commanded(war: War, pos: Table, side: int) -> Mask:
    """The hexes with a line to a headquarters that is in supply, or to the scenario's (S0.V1)."""
    here = theatre(war, pos)
    seat = here.seats[side]
    present = there(war, pos, side)
    staffs = present.among(linked(war, pos, side)) & war.headquarters
    if seat >= 0:
        staffs = present.units & 1 << seat
    return command(war, pos, side, staffs)


def in_line(war: War, pos: Table, side: int) -> Mask:
    """The hexes where a side's combat units stand with such a line."""
    return there(war, pos, side).combat & commanded(war, pos, side)


def verdict(war: War, pos: Table) -> Verdict:
    """What the side with the initiative has reached, as if the scenario ended now."""
    found = won_on_the_ground(war, pos) or won_by_points(war, pos)
    if found.level > 0 and (why := lowered(war, pos)):
        lower = found.level - 1  # S0.V5
        return Verdict(lower, f"{found.reason}; but {why}", found.rule)
    return found


def won_on_the_ground(war: War, pos: Table) -> Verdict | None:
    """A level that hexes give, whatever the points."""
    here = theatre(war, pos)
    scenario, side = here.scenario, here.initiative
    line = in_line(war, pos, side)
    strategic = LEVELS.index("Strategic")
    if scenario.breakout and line & here.behind & war.ground.clear:
        return Verdict(strategic, "a unit in supply stands in the plain behind the trenches")
    goal = scenario.goal
    if goal and (line & here.goal).bit_count() >= goal.needed:
        taken = " and ".join([name_of(war, hex) for hex in bits(line & here.goal)])
        return Verdict(LEVELS.index(goal.level), f"units in supply hold {taken}")
    rough = war.ground.mountains | war.ground.high
    if scenario.heights and (line & here.behind & rough).bit_count() >= scenario.heights:
        reason = f"units in supply hold {scenario.heights} mountains behind the trenches"
        return Verdict(LEVELS.index("Operational"), reason)
    return None


def won_by_points(war: War, pos: Table) -> Verdict:
    """The level of the points."""
    points = total(war, pos)
    bands = theatre(war, pos).scenario.bands
    level = max(
        (LEVELS.index(name) for name, least in bands.items() if points >= least), default=BEATEN
    )
    return Verdict(level, f"{points} points")


def lowered(war: War, pos: Table) -> str:
    """Why the level is one lower, if it is (S0.V4, S2.V4, S5.V4)."""
    here = theatre(war, pos)
    side = here.initiative
    if here.scenario.trenches and in_line(war, pos, 1 - side) & here.trenches[side]:
        return "the enemy holds one of its trenches"
    capital = here.capital
    if capital >= 0 and not held(war, pos, side) >> capital & 1:
        return f"{name_of(war, capital)} is not taken"
    return ""


def name_of(war: War, hex: int) -> str:
    """A hex by its place, or by its number if it has none."""
    places = war.board.places_at(hex)
    return places[0].name if places else war.board.code(hex)


def judgement(war: War, pos: Table) -> tuple[int, str]:
    """The winner and the reason, as a sentence."""
    found, side = verdict(war, pos), theatre(war, pos).initiative
    if found.level == 0:
        return -1, f"A draw: {found.reason}."
    if found.level < 0:
        return 1 - side, f"Victory of the {war.sides[1 - side]}: the other side has {found.reason}."
    return side, f"{LEVELS[found.level]} victory of the {war.sides[side]}: {found.reason}."
