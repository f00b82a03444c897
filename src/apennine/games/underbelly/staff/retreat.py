"""German units that leave the map: to meet an end-run, or because it demands their withdrawal."""

from __future__ import annotations

from apennine.hexes import bits

from ..rules.c09_points import is_open
from ..table.position import GERMAN
from ..table.war import TENTH
from .ground import distances, marches
from .mind import Goal, Mind
from .posts import Posts

REACTION = ((12, 8), (9, 6), (0, 4))
"""With so many divisions in play, so many steps are sent against an end-run."""
DUTY = 12.0
"""What it is worth to leave the map when that is due."""
SURE = 4
"""The roll that is reckoned with for a question mark where too little would lose the game."""
STAND_BY, ON_CALL = 6, 3.0
"""The steps that must be able to leave while an invasion is open, and what a way there is worth."""
DOORS = 8
"""So many of the nearest hexes of row 10xx are looked at."""


def reaction_due(mind: Mind) -> int:
    """The steps that should still march against the invasion (8.16)."""
    war, pos = mind.war, mind.pos
    if not is_open(pos):
        return 0
    divisions = [u for u in war.members[GERMAN] if not war.supports >> u & 1]
    boxes = (war.tenth, war.end_run)
    playing = [u for u in divisions if war.bit[pos.hex[u]] or pos.hex[u] in boxes]
    wanted = next(steps for least, steps in REACTION if len(playing) >= least)
    return wanted - sum(pos.steps[u] for u in war.members[GERMAN] if pos.hex[u] == war.end_run)


def wants_exit(mind: Mind) -> bool:
    """Whether Germans should leave the map: they owe steps, or an invasion must be met."""
    return mind.side == GERMAN and (mind.pos.owed > 0 or reaction_due(mind) > 0)


def can_leave(mind: Mind, unit: int) -> bool:
    """Whether a German on the map can be off it with one command: in column, if he may."""
    war, pos = mind.war, mind.pos
    here, foe = pos.hex[unit], mind.foe
    if not war.bit[here]:
        return False
    points = war.printed[unit] or SURE
    if not foe.zone >> here & 1:
        points *= war.book.march.column
    closed = (foe.occupied | foe.zone) & ~(1 << here)
    return marches(war, mind.pace(unit), war.north & ~closed, closed)[here] < points


def leave(posts: Posts) -> None:
    """As many go as the end-run demands: of those who can leave at once, whole stacks first."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    if not wants_exit(mind):
        return
    waiting = sum(pos.steps[u] for u in bits(war.grouped[TENTH]) if pos.hex[u] == war.tenth)
    wanted = pos.owed or reaction_due(mind) - waiting
    fields = [marches(war, mobility, war.north) for mobility in range(len(war.moving_as))]
    able = [u for u in posts.free if war.bit[pos.hex[u]] and (pos.owed or war.group[u] == TENTH)]
    near = {unit: (fields[war.mobility[unit]][pos.hex[unit]], unit) for unit in able}
    if pos.owed:  # a command for each stack: the largest, and none that would come too late
        prompt = {unit for unit in able if can_leave(mind, unit)}
        stacks: dict[int, int] = {}
        for unit in prompt:
            stacks[pos.hex[unit]] = stacks.get(pos.hex[unit], 0) + pos.steps[unit]
        order = sorted(
            able,
            key=lambda u: (u not in prompt, -stacks.get(pos.hex[u], 0), pos.hex[u], near[u]),
        )
    else:
        order = sorted(able, key=lambda u: near[u])
    for unit in order:
        if wanted <= 0:
            return
        _send_off(posts, unit, DUTY)
        wanted -= pos.steps[unit]


def stand_by(posts: Posts) -> None:
    """While an invasion is open, so many stay near the north that its demands can be met (8.18)."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    if not is_open(pos) or pos.owed:
        return
    units = [u for u in war.members[GERMAN] if war.bit[pos.hex[u]]]
    lacking = STAND_BY - sum(pos.steps[u] for u in units if can_leave(mind, u))
    free = [u for u in posts.free if u in units and not can_leave(mind, u)]
    field = distances(war, war.north)
    for unit in sorted(free, key=lambda u: (-war.printed[u], field[pos.hex[u]], u)):
        if lacking <= 0:
            return
        _send_off(posts, unit, ON_CALL)
        lacking -= pos.steps[unit]


def _send_off(posts: Posts, unit: int, weight: float) -> None:
    """A unit makes for the nearest hex of row 10xx that it can get to."""
    mind = posts.mind
    war, here = mind.war, mind.pos.hex[unit]
    closed = (mind.foe.occupied | mind.foe.zone) & ~(1 << here)
    doors = sorted(bits(war.north & ~closed), key=lambda h: (war.lattice.distance(here, h), h))
    door = min(
        doors[:DOORS], key=lambda h: marches(war, mind.pace(unit), 1 << h, closed)[here], default=-1
    )
    if door < 0:
        return
    posts.goals[unit] = Goal(door, weight)
    posts.free.discard(unit)
