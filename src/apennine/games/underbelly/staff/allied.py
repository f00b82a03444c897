"""What the Allies want: beaches and prizes held, towns taken, full stacks for the attack."""

from __future__ import annotations

from apennine.hexes import bits

from .axes import prepare
from .endrun import gather
from .ground import marches
from .mind import Goal, Mind
from .posts import Posts, ready

GARRISON, BEACHHEAD = 1.6, 2.2
"""The most that a garrison needs, in hits of a volley, and that of a beach."""
LAST_PRIZE = 3.0
"""The same of a prize whose loss loses the game."""
NEAR_TOWN, FAR_TOWN, TOWNS = 0.8, 2.5, 2
"""How many turns off a town is that is sent for, one of weight, and for how many at once."""
RUN = 3.0
"""A way out of the map that is no longer than so many turns is taken."""


def allied_goals(mind: Mind) -> dict[int, Goal]:
    """Garrisons, a run for the north, towns that nobody holds, then attacks."""
    posts = Posts(mind, ready(mind))
    run_north(posts, latest=1.0)
    gather(posts)
    garrisons(posts)
    run_north(posts)
    seize_towns(posts)
    prepare(posts, sorted(mind.enemies))
    return posts.goals


def run_north(posts: Posts, *, latest: float = RUN) -> None:
    """A unit that can get off the map before the enemy shuts the way goes."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    closed = mind.foe.occupied | mind.foe.zone
    best: tuple[float, int] | None = None
    for unit in sorted(posts.free):
        hex = pos.hex[unit]
        if not war.bit[hex]:
            continue
        if pos.dropped and unit == war.airborne:
            continue
        away = marches(war, mind.pace(unit), war.north & ~closed, closed)[hex]
        turns = (away + 1) / war.printed[unit]
        if turns <= latest and (best is None or turns < best[0]):
            best = turns, unit
    if best:
        turns, unit = best
        field = marches(war, mind.pace(unit), war.north & ~closed, closed)
        exits = [hex for hex in bits(war.north) if field[hex] == 0]
        there = min(exits, key=lambda h: war.lattice.distance(h, pos.hex[unit]))
        posts.send(unit, there, 8.0 / max(turns, 0.5))


def garrisons(posts: Posts) -> None:
    """Who must not leave: the beaches before Naples is open, the prizes, ports in danger."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    places: dict[int, float] = {}
    guarded = mind.beaches or 1 << war.ports[war.naples] & mind.ports
    if mind.tiber:
        guarded |= war.prizes & pos.control
    for hex in bits(guarded | mind.ports):
        if guarded >> hex & 1 or mind.roamed & (war.around[hex] | 1 << hex):
            if mind.vital >> hex & 1:
                need = max(0.8 * mind.threat(hex), 0.6 * mind.looming(hex))
                places[hex] = 0.3 + min(BEACHHEAD if mind.beaches >> hex & 1 else LAST_PRIZE, need)
            else:
                places[hex] = 0.3 + min(GARRISON, 0.5 * mind.threat(hex))
    order = sorted(places, key=lambda h: -places[h])
    for hex in order:  # somebody everywhere before anybody is doubled
        unit = posts.best(hex, latest=4.0)
        if unit >= 0:
            posts.send(unit, hex, 2.0 + places[hex])
    for hex in order:
        while posts.strength(hex) < places[hex]:
            unit = posts.best(hex, latest=4.0)
            if unit < 0:
                break
            posts.send(unit, hex, 2.0 + places[hex])
        unit = posts.best(hex, support=True, latest=2.0)
        if unit >= 0 and places[hex] > 1.0 and mind.pos.hex[unit] == hex:
            posts.send(unit, hex, 0.5)


def seize_towns(posts: Posts) -> None:
    """German towns with an open way to them: first those with an airfield, and Naples."""
    mind = posts.mind
    war, pos = mind.war, mind.pos
    free = war.land & ~(mind.foe.occupied | mind.foe.zone)
    weighty = war.bases | war.prizes
    away: list[tuple[float, int, int]] = []
    for town in bits(war.towns & ~pos.control & free):
        region = war.lattice.flood_sides(1 << town, free, war.open)
        region |= war.lattice.cross(region, war.open)
        latest = FAR_TOWN if weighty >> town & 1 else NEAR_TOWN
        for unit in posts.free:
            if war.bit[pos.hex[unit]] & region and not war.supports >> unit & 1:
                turns = mind.turns(unit, town)
                if turns <= latest:
                    away.append((turns - latest, unit, town))
    sent: set[int] = set()
    for _, unit, town in sorted(away):
        if unit in posts.free and town not in sent and len(sent) < TOWNS:
            posts.send(unit, town, 1.2 if weighty >> town & 1 else 0.6)
            sent.add(town)
