"""The Allied front: a line before the ports from sea to sea, and a ring round a beachhead."""

from __future__ import annotations

from math import inf

from apennine.bots.staff.line import closed_by, walked
from apennine.bots.staff.posts import relieve
from apennine.hexes import Mask, bits, mask_of

from .force import Force
from .lines import Front, choose_line, need, ring_ends
from .mind import Mind


def screen(force: Force) -> None:
    """Shut off the ports and places behind us, if it can be done, and back the posts."""
    mind = force.mind
    posts: list[int] = []
    for front in fronts(mind):
        if not reached(force, front) & front.exits:
            continue  # those who attack and those who guard places shut it already
        manned = choose_line(force, front)
        after = force.occupied() | mask_of(manned)
        if walked(mind.ground, front.walkers, closed_by(mind.ground, after)) & front.exits:
            continue  # a line with a hole is none: then everybody is more use elsewhere
        for hex, unit in manned.items():
            if unit in force.free:
                force.send(unit, hex)
        posts += manned
    wanted = {hex: need(mind, hex) for hex in posts}

    def lack(hex: int) -> float:
        return wanted[hex] - mind.guard(force.held.get(hex, 0))

    relieve(force, posts, lack, lambda hex: force.best(hex, force.fit), lambda _, lacking: lacking)


def reached(force: Force, front: Front) -> Mask:
    """Where the enemies of a front could walk past all who have their places."""
    ground = force.mind.ground
    return walked(ground, front.walkers, closed_by(ground, force.occupied() & ground.land))


def fronts(mind: Mind) -> list[Front]:
    """One from sea to sea before the ports in the south, and one round each beachhead."""
    body = main_force(mind)
    if not body:
        return []
    home, (west, east) = mind.staff.home, mind.staff.shores
    near = mind.war.lattice.dilate(body, 2)

    def south(shore: Mask) -> Mask:
        limit = max((home[hex] for hex in bits(shore & near)), default=-inf)
        return mask_of(hex for hex in bits(shore) if home[hex] > limit)

    ends = south(west), south(east)
    rear = behind(mind, body)
    found = [_front(mind, "front", body, ends, mind.bases & rear)] if mind.bases & rear else []
    for number, base in enumerate(clusters(mind, mind.bases & ~rear)):
        found.append(_front(mind, f"ring {number}", mind.strong_foe, ring_ends(mind, base), base))
    return found


def _front(mind: Mind, name: str, body: Mask, ends: tuple[Mask, Mask], exits: Mask) -> Front:
    ours = [hexes for hexes in mind.places.values() if hexes & mind.pos.friendly]
    keys = mind.prizes & mind.pos.friendly
    return Front(name, body, body, ends, exits, keys, ours, mind.weights.closeness)


def main_force(mind: Mind) -> Mask:
    """The Germans who make a front: those who are many, near each other."""
    lattice, least = mind.war.lattice, mind.weights.raiders
    stacks = dict.fromkeys(bits(mind.strong_foe), 0)
    for hex, factor in mind.strikers:
        if hex in stacks:
            stacks[hex] += factor
    found = 0
    for part in lattice.components(lattice.dilate(mind.strong_foe, 2)):
        those = part & mind.strong_foe
        if sum(stacks[hex] for hex in bits(those)) >= least:
            found |= those
    return found


def behind(mind: Mind, body: Mask) -> Mask:
    """The land south of the Germans of a front: what is nearer to the south than they are."""
    home = mind.staff.home
    far = max(home[hex] for hex in bits(body))
    shut = closed_by(mind.ground, body)
    south = mask_of(hex for hex in bits(mind.ground.land & ~shut) if home[hex] > far)
    return mind.ground.flood(south, mind.ground.land & ~shut)


def clusters(mind: Mind, bases: Mask) -> list[Mask]:
    """Ports and beaches that one ring can go round."""
    lattice = mind.war.lattice
    return [part & bases for part in lattice.components(lattice.dilate(bases, 2)) if part & bases]
