"""Lines across the map: what they cost, who gets past them, and how a gap is shut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from apennine.hexes import Mask, bits, mask_of

from .ground import FAR, Ground
from .posts import Fit, Movers
from .weights import LineWeights

Line = Sequence[int]
"""The posts of a line, from one end to the other."""
Manned = Mapping[int, int]
"""Posts with the unit of each."""


def closed_by(ground: Ground, posts: Mask) -> Mask:
    """The hexes that units in some posts shut: theirs and those next to them."""
    return posts | ground.around(posts)


def walked(ground: Ground, walkers: Mask, closed: Mask) -> Mask:
    """Where walkers could get to, however far, past closed hexes; where they are, too."""
    return ground.flood(walkers, ground.land & ~closed | walkers)


def leaks(ground: Ground, walkers: Mask, closed: Mask, exits: Mask) -> Mask:
    """The exits that some walker could get to past closed hexes, not being there already."""
    return walked(ground, walkers, closed) & exits & ~walkers


def leak_length(ground: Ground, walkers: Mask, closed: Mask, exits: Mask) -> int:
    """The hexes from the first walker to an exit past closed ones: 0 in an exit, FAR if shut.

    Where a walker is may be closed; the exit and what lies between may not.
    """
    if exits & walkers:
        return 0
    free = ground.land & ~closed
    wave = seen = exits & free
    length = 1
    while wave:
        wave = ground.around(wave)
        if wave & walkers:
            return length
        wave &= free & ~seen
        seen |= wave
        length += 1
    return FAR


def prices(
    ground: Ground,
    hexes: Mask,
    weights: LineWeights,
    strong: Sequence[float],
    given_up: Sequence[float],
    *,
    soon: Sequence[float] | None = None,
    enemy: Mask = 0,
    keys: Mask = 0,
    spared: Mask = 0,
) -> dict[int, float]:
    """What a post in each of some hexes costs, for `ground.chain`.

    By hex: how `strong` the ground is, how much is `given_up` by a post there, and how `soon`
    somebody can be there, in turns. `keys` are hexes to be held, `spared` those that cannot be.
    """
    found: dict[int, float] = {}
    for hex in bits(hexes):
        cost = weights.post - weights.strong * strong[hex] + weights.loss * given_up[hex]
        if soon is not None:
            turns = soon[hex]
            cost += weights.hurry * turns
            cost += weights.late if turns > 1 else weights.moved if turns else 0.0
        if weights.faced:
            cost += weights.faced * (ground.links[hex][0] & enemy).bit_count()
        if keys >> hex & 1:
            cost -= weights.key
        found[hex] = max(weights.least, cost) + (weights.spared if spared >> hex & 1 else 0.0)
    return found


def manned_lines(
    draw: Callable[[Mask], Line], man: Callable[[Line], Manned], tries: int
) -> Iterator[tuple[Line, Manned]]:
    """Lines that are looked for until one can be manned, each with those who can man it.

    `draw` finds a line that shuns some hexes: those for which there was nobody before.
    """
    shunned = 0
    for _ in range(tries):
        line = draw(shunned)
        manned = man(line)
        yield line, manned
        missing = mask_of(hex for hex in line if hex not in manned)
        if not missing:
            return
        shunned |= missing


def wall(ground: Ground, loose: Mask, main: Mask) -> Mask:
    """Hexes from loose units to the main body, so that a line must go round both."""
    away = ground.distances(main)
    found = 0
    for hex in bits(loose):
        if away[hex] < FAR:
            near = min(bits(main), key=lambda h: (ground.lattice.distance(h, hex), h))
            found |= mask_of(ground.lattice.line(hex, near))
    return closed_by(ground, found)


def best_plug(
    ground: Ground, walkers: Mask, held: Mask, exits: Mask, sites: Mask, least: int = 3
) -> int:
    """The site from which one more unit shuts off most of the ground that leaks to some exits.

    -1 if nothing leaks, or if no site takes off more than `least` hexes.
    """
    reached = walked(ground, walkers, closed_by(ground, held))
    if not reached & exits:
        return -1
    best, most = -1, reached.bit_count() - least
    for hex in bits(sites & ground.around(reached) & ~held):
        left = walked(ground, walkers, closed_by(ground, held | 1 << hex)).bit_count()
        if left < most:
            best, most = hex, left
    return best


def shut(ground: Ground, posts: Movers, walkers: Mask, exits: Mask, fit: Fit) -> list[int]:
    """Send units into whatever gaps are left, as long as anybody can go there; their hexes."""
    found: list[int] = []
    while True:
        hex = best_plug(ground, walkers, posts.occupied(), exits, posts.within())
        unit = posts.best(hex, fit) if hex >= 0 else -1
        if unit < 0:
            return found
        posts.send(unit, hex)
        found.append(hex)
