"""What players are shown before they decide: previews, warnings, overlays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Line, Preview, Warning
from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Odds

from ..rules.c04_zones import (
    bridges,
    controlled,
    next_to,
    occupied,
    on_map,
    units_in,
    units_on_map,
    zone,
    zone_of,
)
from ..rules.c05_stacking import fighting, full, overstacked
from ..rules.c06_logistics import (
    BEACH_LINE,
    allowance,
    away,
    by_beaches,
    centre_in_supply,
    centre_reach,
    lines,
    lines_to,
    supplied,
)
from ..rules.c08_movement import find_march, march, may_march, mobile_price
from ..rules.c09_combat import attack_factor, defence_factor, ground, odds, ready, works
from ..rules.c09_exploitation import beyond_reach, exploit_path, half_allowance
from ..rules.c10_support import ATTACKER, DEFENDER
from ..table.data import SIDES, STACK
from ..table.position import ALLIED, NOWHERE, Table
from ..table.war import War

AVERAGE = 4
"""The roll by which a threat is judged."""
OVERLAYS = ("zone", "supply", "reach", "control", "fort lines", "threats")


def preview(war: War, pos: Table, option: Option) -> Preview | None:
    """The way and cost of a move, or the chances of a battle."""
    unit, hex = option.unit, option.hex
    if option.verb == "go":
        found = march(war, pos)
        lines = (Line("operational movement", "x2", rule("8.3b")),)
        return Preview(
            path=tuple(found.path(hex)),
            cost=points_text(war, found.cost(hex)),
            lines=lines if found.is_operational(hex) else (),
        )
    if option.verb == "break to":
        found = beyond_reach(war, pos, unit)
        return Preview(path=tuple(found.path(hex)), cost=points_text(war, found.cost(hex)))
    if option.verb == "exploit to":
        path = tuple(exploit_path(war, pos, unit, hex))
        return Preview(path=path, cost=f"of {points_text(war, half_allowance(war, pos, unit))}")
    if option.verb == "centre to":
        return preview_centre(war, pos, hex)
    if option.verb in BATTLES:
        return preview_battle(war, pos, option)
    return None


BATTLES = (
    "attack",
    "attack with",
    "fight",
    "mobile attack",
    "air support",
    "naval support",
    "no more support",
)


def points_text(war: War, ticks: int) -> str:
    """Ticks as movement points."""
    points = ticks / war.scale
    return f"{points:g} point" if points == 1 else f"{points:g} points"


def preview_centre(war: War, pos: Table, hex: int) -> Preview:
    """The way of a logistic centre, and what it brings upon its side."""
    found = centre_reach(war, pos, pos.side)
    lines: list[Line] = []
    if away(war, pos.side, pos.centre[pos.side], hex):
        lines = [
            Line("armoured and mechanised units have", "2 points", rule("6.6d")),
            Line("infantry has", "half its points", rule("6.6e")),
            Line("every attack", "-3", rule("6.6f")),
        ]
        if pos.side == ALLIED:
            lines.append(Line("air markers", "2", rule("6.6g")))
    else:
        lines = [Line("towards the sources", "no penalty", rule("6.6c"))]
    path = tuple(found.path(hex))
    return Preview(path=path, cost=points_text(war, found.cost(hex)), lines=tuple(lines))


def preview_battle(war: War, pos: Table, option: Option) -> Preview:
    """The odds if nobody adds more support, and the exact chance of each result.

    For a hex as target all that could attack are counted, for a unit those named and this one.
    """
    imagined, target = pos, pos.target
    units = list(bits(pos.attackers))
    cost = ""
    if option.verb == "attack":
        target = option.hex
        units = ready(war, pos, target)
    elif option.verb == "attack with":
        units.append(option.unit)
    elif option.verb == "mobile attack":
        target, units = option.hex, list(bits(pos.movers))
        cost = points_text(war, mobile_price(war, pos, target))
    elif option.verb in ("air support", "naval support"):
        imagined = pos.copy()
        imagined.support[pos.supporting] += 1
    found = odds(war, imagined, target, units)
    chances = war.combat.chances(found.column, war.dice)
    return Preview(
        cost=cost,
        lines=tuple(odds_lines(found)),
        column=found.label,
        chances=tuple(Chance(str(result), chance) for result, chance in chances.items()),
    )


def odds_lines(found: Odds) -> Iterator[Line]:
    """The factors and every shift with its rule."""
    yield Line("attack", str(found.attack), rule("9.1a"))
    yield Line("defence", str(found.defence), rule("9.1a"))
    yield Line("odds", found.raw_label, rule("9.1a"))
    for shift in found.shifts:
        yield Line(shift.name, f"{shift.columns:+d}", shift.rule)
    if found.column != found.shifted:
        yield Line("the chart ends at", found.label, rule("9.1f"))


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts."""
    return [
        *_hungry(war, pos, side),
        *_exposed(war, pos, side),
        *_crowded(war, pos, side),
    ]


def _hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    if pos.phase in ("deploy", "centres"):
        return
    if pos.centre[side] >= 0 and not centre_in_supply(war, pos, side):
        hex = pos.centre[side]
        yield Warning("Your logistic centre is cut off from its sources.", rule("6.1c"), hex=hex)
    fed = supplied(war, pos, side) | by_beaches(war, pos, side)
    for unit in units_on_map(war, pos, side):
        if not fed >> pos.hex[unit] & 1:
            sentence = f"{war.names[unit]} would be out of supply now."
            yield Warning(sentence, rule("6.3a"), unit, pos.hex[unit])


def _exposed(war: War, pos: Table, side: int) -> Iterator[Warning]:
    centre = pos.centre[side]
    alone = centre >= 0 and not units_in(war, pos, centre, side)
    if alone and threats(war, pos, 1 - side) >> centre & 1:
        yield Warning("Your logistic centre has no escort.", rule("9.6b"), hex=centre)
    if side == ALLIED:
        for beach in pos.beaches:
            if beach >= 0 and not units_in(war, pos, beach, ALLIED):
                yield Warning("The beachhead has no escort.", rule("9.6b"), hex=beach)


def _crowded(war: War, pos: Table, side: int) -> Iterator[Warning]:
    for hex in bits(overstacked(war, pos, side)):
        sentence = f"More than four units are in {war.board.code(hex)}."
        yield Warning(sentence, rule("5.1a"), hex=hex)


def overlay(war: War, pos: Table, name: str, side: int, unit: int) -> Mask | None:
    """A set of hexes to show over the map; None if there is no such overlay."""
    if name == "zone":
        return zone(war, pos, side)
    if name == "supply":
        if pos.phase in ("deploy", "centres"):
            return 0
        if unit >= 0:
            return supply_line(war, pos, unit) if on_map(war, pos, unit) else 0
        return supplied(war, pos, side) | by_beaches(war, pos, side)
    if name == "control":
        return controlled(war, pos, side)
    if name == "fort lines":
        return war.lattice.cross(war.land, works(war, pos))
    if name == "threats":
        return threats(war, pos, side)
    if name == "reach":
        return reach_of(war, pos, unit) if unit >= 0 and on_map(war, pos, unit) else 0
    return None


def reach_of(war: War, pos: Table, unit: int) -> Mask:
    """Where a unit could go if its move began now."""
    side, points = war.side_of[unit], allowance(war, pos, unit)
    enemy = occupied(war, pos, 1 - side)
    asked = pos.copy()
    asked.side, asked.movers = side, 1 << unit
    return find_march(
        war,
        war.pace[unit],
        bridges(war, pos, side),
        pos.hex[unit],
        points,
        points if may_march(war, asked) else 0,
        True,
        enemy,
        full(war, pos, side),
    ).ends


def supply_line(war: War, pos: Table, unit: int) -> Mask:
    """The hexes of a unit's line of communication, to a beachhead if that is what feeds it."""
    side, hex = war.side_of[unit], pos.hex[unit]
    found = lines(war, pos, side)
    if not found.mask >> hex & 1 and side == ALLIED:
        for beach in pos.beaches:
            if beach >= 0 and lines_to(war, pos, side, 1 << beach).within(BEACH_LINE) >> hex & 1:
                found = lines_to(war, pos, side, 1 << beach)
    return mask_of(found.line(hex))


def threats(war: War, pos: Table, side: int) -> Mask:
    """The hexes whose units the enemy could cut off or overrun next turn.

    Cut off: no line would be left if the enemy came wherever its units can come. Overrun: those
    that can come next to it would take all its steps with a roll of 4, terrain counted.
    """
    foe, own = 1 - side, occupied(war, pos, side)
    ends = {u: reach_of(war, pos, u) | 1 << pos.hex[u] for u in units_on_map(war, pos, foe)}
    near = 0
    for mask in ends.values():
        near |= mask
    sources = war.sources[side]
    if pos.centre[side] >= 0 and centre_in_supply(war, pos, side):
        sources |= 1 << pos.centre[side]
    fed = war.trace(near | zone_of(war, near) & ~own, sources).mask | by_beaches(war, pos, side)
    found = own & supplied(war, pos, side) & ~fed
    for hex in bits(own & ~found):
        if could_overrun(war, pos, hex, side, [u for u in ends if ends[u] & next_to(war, hex)]):
            found |= 1 << hex
    return found


def could_overrun(war: War, pos: Table, hex: int, side: int, attackers: Sequence[int]) -> bool:
    """Whether these units, as many as have room around a hex, would take all steps in it."""
    defenders = fighting(war, pos, hex, side)
    room = STACK * (next_to(war, hex) & war.land & ~occupied(war, pos, side)).bit_count()
    factors = sorted((attack_factor(war, pos, u) for u in attackers), reverse=True)
    defence = sum(defence_factor(war, pos, u) for u in defenders)
    asked = pos.copy()
    asked.side, asked.phase = 1 - side, "combat"
    found = war.ladder.odds(sum(factors[:room]), defence, ground(war, asked, hex, ()))
    lost = war.combat.cell(AVERAGE, found.column).defender
    return lost >= sum(pos.steps[u] for u in defenders)


def battle_view(war: War, pos: Table) -> dict[str, object] | None:
    """The battle under way."""
    if pos.target == NOWHERE:
        return None
    return {
        "hex": war.board.code(pos.target),
        "attacker": SIDES[pos.side],
        "attackers": [war.names[u] for u in bits(pos.attackers)],
        "support": {"attacker": pos.support[ATTACKER], "defender": pos.support[DEFENDER]},
        "breakthrough": pos.breakthrough,
    }
