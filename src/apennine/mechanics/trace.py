"""Supply: which hexes a line joins to a source, how far they are from it, and who may draw on it.

A line runs from a unit's hex overland, hex by hex, and then perhaps along roads, to a source.
`Line` holds the rules of one kind of line as a game has them at this moment; `trace` finds all
hexes from which such a line exists, in one wave that starts at the sources; `in_supply` is for
those who need only the mask. Lines in stages are traces in stages: first the headquarters that a
source supplies, then the units that those headquarters supply. Sources with lines of different
lengths are traces joined with ``|``.

A line *enters* every hex but the one that it starts from. So a unit's own hex may be closed to
lines and the unit still be supplied from the hex beside it, and it does not count in the length.

Where a source can feed only so much, `assign` decides who draws on which.

>>> from apennine.hexes import HexSet, Lattice, Numbering
>>> map = Lattice(Numbering("columns", columns=(1, 6), rows=(1, 3)))
>>> at = map.parse
>>> wall = 1 << at("0301") | 1 << at("0302") | 1 << at("0303")
>>> print(HexSet(map, in_supply(map, 1 << at("0102"), Line(map.all_sides, blocked=wall))))
0101 0102 0103 0201 0202 0203 0301 0302 0303
>>> near = trace(map, 1 << at("0102"), Line(map.all_sides, limit=3))
>>> near.distance(at("0402")), near.distance(at("0602"))
(3, -1)
>>> [map.code(hex) for hex in near.line(at("0402"))]
['0402', '0302', '0203', '0102']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Sides, bits, first_bit


class Line(NamedTuple):
    """Where a line may run. All sides are open both ways.

    Overland:

    - `over`: the sides that it may cross.
    - `limit`: the most hexes that it may count; None for a line of any length.
    - `blocked`: hexes that it may not enter.
    - `apart`: it may not enter two of these hexes one after the other.
    - `weights`: pairs of a number and the hexes that count as so many.
    - `even`: sides, such as those under a road, that it may cross too, and over which any hex
      counts as one.
    - `first`: sides that it may cross too, but only on the step out of the unit's own hex.

    Then, if there are any `roads`, along their sides to a source, however far:

    - `road_blocked`: hexes that this part may neither begin in nor enter.
    """

    over: Sides
    limit: int | None = None
    blocked: Mask = 0
    apart: Mask = 0
    weights: tuple[tuple[int, Mask], ...] = ()
    even: Sides = NO_SIDES
    first: Sides = NO_SIDES
    roads: Sides = NO_SIDES
    road_blocked: Mask = 0


class Trace:
    """All hexes from which a line reaches one of some sources."""

    __slots__ = ("_lattice", "_live", "_rules", "_sources", "levels", "mask", "net")

    def __init__(
        self,
        lattice: Lattice,
        sources: Mask,
        rules: Line,
        net: Mask,
        levels: list[tuple[int, Mask]],
        live: dict[int, Mask],
    ) -> None:
        self._lattice = lattice
        self._sources = sources
        self._rules = rules
        self.net = net
        """The sources, and the hexes from which roads alone lead to one."""
        self.levels = levels
        """Each length of the overland part with the hexes that need it, the shortest first."""
        # The lengths from hexes that a line may run through, and not only start from.
        self._live = live
        self.mask: Mask = 0
        """The hexes from which a line exists: a unit in one of them is in supply."""
        for _, wave in levels:
            self.mask |= wave

    def within(self, length: int) -> Mask:
        """The hexes whose overland part has this length or less."""
        mask = 0
        for distance, wave in self.levels:
            if distance <= length:
                mask |= wave
        return mask

    def distance(self, hex: Hex) -> int:
        """The length of the shortest overland part from a hex, -1 if no line exists."""
        for distance, wave in self.levels:
            if wave >> hex & 1:
                return distance
        return -1

    def line(self, hex: Hex) -> list[Hex]:
        """The hexes of one line, from this hex to its source; empty if there is none.

        Its overland part is the shortest there is, and of several always the same one.
        """
        length = self.distance(hex)
        if length < 0:
            return []
        line = [hex]
        while length:
            hex, length = self._next(hex, length, own=len(line) == 1)
            line.append(hex)
        return line + self._road_from(hex)

    def _next(self, hex: Hex, length: int, own: bool) -> tuple[Hex, int]:
        """The hex that a line enters next, and the length that is left from there."""
        over, _, blocked, apart, weights, even, first, _, _ = self._rules
        for d in range(6):
            beyond = self._lattice.neighbour(hex, d)
            if beyond < 0 or blocked >> beyond & 1:
                continue
            if not own and apart >> hex & 1 and apart >> beyond & 1:
                continue
            steps: list[int] = []
            if over[d] >> hex & 1 or (own and first[d] >> hex & 1):
                steps.append(next((w for w, mask in weights if mask >> beyond & 1), 1))
            if even[d] >> hex & 1:
                steps.append(1)
            for step in steps:
                if self._live.get(length - step, 0) >> beyond & 1:
                    return beyond, length - step
        raise AssertionError(f"No line leads on from {self._lattice.code(hex)}.")

    def _road_from(self, hex: Hex) -> list[Hex]:
        """The hexes after this one on the shortest way along roads to a source."""
        if self._sources >> hex & 1:
            return []
        lattice, roads = self._lattice, self._rules.roads
        waves = [self._sources & ~self._rules.road_blocked]
        seen = waves[0]
        while not seen >> hex & 1:
            waves.append(lattice.cross(waves[-1], roads) & self.net & ~seen)
            seen |= waves[-1]
        way: list[Hex] = []
        for wave in waves[-2::-1]:
            hex = first_bit(lattice.cross(1 << hex, roads) & wave)
            way.append(hex)
        return way


def trace(lattice: Lattice, sources: Mask, rules: Line) -> Trace:
    """Find all hexes from which a line reaches a source, and the lengths of the lines."""
    over, limit, blocked, apart, weights, even, first, _, _ = rules
    net = _road_net(lattice, sources, rules)
    passable = lattice.all & ~blocked
    if not (weights or apart) and even is first is NO_SIDES:
        waves = _waves(lattice, net, passable, over, limit)
        return Trace(lattice, sources, rules, net, waves, dict(waves))
    groups = *weights, (1, lattice.all)
    # The wave runs backwards, from the sources, so a hex is paid for when the wave leaves it.
    # What is due at a length: hexes that the line runs on through, and hexes it only starts from.
    through: dict[int, Mask] = {0: net}
    starts: dict[int, Mask] = {}
    levels: list[tuple[int, Mask]] = []
    live: dict[int, Mask] = {}
    unfed = unrun = lattice.all
    length = 0

    def send(wave: Mask, sides: Sides, due: int) -> None:
        if limit is not None and due > limit:
            return
        tied = wave & apart
        if tied:
            reached = lattice.cross(tied, sides)
            starts[due] = starts.get(due, 0) | reached & apart
            sent = lattice.cross(wave ^ tied, sides) | reached & ~apart
        else:
            sent = lattice.cross(wave, sides)
        through[due] = through.get(due, 0) | sent

    while through or starts:
        wave = through.pop(length, 0) & unrun
        fed = (wave | starts.pop(length, 0)) & unfed
        if fed:
            unfed ^= fed
            levels.append((length, fed))
        if wave:
            unrun ^= wave
            live[length] = wave
            wave &= passable
            if even is not NO_SIDES:
                send(wave, even, length + 1)
            for weight, mask in groups:
                part = wave & mask
                if part:
                    wave ^= part
                    due = length + weight
                    send(part, over, due)
                    if first is not NO_SIDES and (limit is None or due <= limit):
                        starts[due] = starts.get(due, 0) | lattice.cross(part, first)
        length += 1
    return Trace(lattice, sources, rules, net, levels, live)


def _waves(
    lattice: Lattice, net: Mask, passable: Mask, over: Sides, limit: int | None
) -> list[tuple[int, Mask]]:
    """Each length with its hexes where every hex counts as one: most games, many times a turn."""
    waves: list[tuple[int, Mask]] = []
    wave, unseen = net, lattice.all
    while wave:
        unseen ^= wave
        waves.append((len(waves), wave))
        if limit is not None and len(waves) > limit:
            break
        wave = lattice.cross(wave & passable, over) & unseen
    return waves


def in_supply(lattice: Lattice, sources: Mask, rules: Line) -> Mask:
    """The hexes from which a line reaches a source: the mask of a `trace`."""
    if rules.limit is not None or rules.apart:
        return trace(lattice, sources, rules).mask
    # With no length to count one flood does it, in a third of the time.
    sides = _either(rules.over, rules.even)
    net = _road_net(lattice, sources, rules)
    through = lattice.flood_sides(net, lattice.all & ~rules.blocked, sides)
    return net | through | lattice.cross(through, _either(sides, rules.first))


def _either(some: Sides, others: Sides) -> Sides:
    """The sides that are in one of two sets."""
    if others is NO_SIDES:
        return some
    a, b, c, d, e, f = (x | y for x, y in zip(some, others))
    return a, b, c, d, e, f


def _road_net(lattice: Lattice, sources: Mask, rules: Line) -> Mask:
    """The sources, and the hexes from which roads alone lead to one."""
    sources &= lattice.all
    if rules.roads is NO_SIDES:
        return sources
    clear = lattice.all & ~rules.road_blocked
    return sources | lattice.flood_sides(sources, clear, rules.roads)


def feeders(fed: Sequence[Mask], hexes: Sequence[Hex]) -> tuple[int, ...]:
    """For every hex the sources that feed it: bit *i* is set if it is in the mask ``fed[i]``."""
    return tuple(
        sum(1 << source for source, mask in enumerate(fed) if mask >> hex & 1) for hex in hexes
    )


class Assignment(NamedTuple):
    """Who draws on which source.

    `bound` is a proven limit: nobody could feed more points. An assignment with `supplied` equal
    to it is one of the best.
    """

    source: tuple[int, ...]
    """For every consumer the source that feeds it, -1 if none does."""
    supplied: int
    bound: int

    @property
    def left(self) -> tuple[int, ...]:
        """The consumers that no source feeds."""
        return tuple(i for i, source in enumerate(self.source) if source < 0)


def assign(
    points: Sequence[int],
    feeders: Sequence[int],
    capacities: Sequence[int | None],
    effort: int = 20_000,
) -> Assignment:
    """Feed as many points as possible from sources that give only so much.

    Consumer *i* takes ``points[i]``, all from one of the sources in the bits of ``feeders[i]``.
    A capacity of None has no end. A limit that counts anew for another purpose, such as what may
    leave a port and what may come in, is another assignment.

    A greedy assignment is made first and compared with what could be fed if consumers could be
    split; in play that usually settles it. Otherwise all assignments are searched, equal states
    once only, and the result is exact. Should that take more than `effort` states, the greedy
    assignment stands, and `bound` says how far from the best it can be at most.

    >>> assign([3, 2, 2], [0b01, 0b11, 0b11], [4, 3])
    Assignment(source=(0, 1, -1), supplied=5, bound=5)
    """
    total = sum(points)
    room = tuple(total if capacity is None else capacity for capacity in capacities)
    bound = _divisible(points, feeders, room)
    # Big ones first, and of those the ones with the least choice.
    order = sorted(range(len(points)), key=lambda i: (-points[i], feeders[i].bit_count(), i))
    greedy = _Greedy(points, feeders, room)
    for i in order:
        greedy.feed(i)
    source = greedy.source
    supplied = sum(points[i] for i, fed_by in enumerate(source) if fed_by >= 0)
    if supplied < bound:
        # Those with the same choice one after the other: then sources are done with early.
        order.sort(key=lambda i: feeders[i])
        exact = _Search([points[i] for i in order], [feeders[i] for i in order], effort).best(room)
        if exact is not None:
            for i, fed_by in zip(order, exact):
                source[i] = fed_by
            supplied = bound = sum(points[i] for i, fed_by in enumerate(source) if fed_by >= 0)
    return Assignment(tuple(source), supplied, bound)


def _divisible(points: Sequence[int], feeders: Sequence[int], room: Sequence[int]) -> int:
    """What could be fed if consumers could be split: the least cut of the flow.

    Whatever set of sources one looks at, those who depend on it get no more than it has, and the
    others no more than they want. The least of these limits can be reached.
    """
    wants: dict[int, int] = {}
    for want, sources in zip(points, feeders):
        wants[sources] = wants.get(sources, 0) + want
    unions = {0}
    for sources in wants:
        unions |= {union | sources for union in unions}
    return min(
        sum(room[source] for source in bits(union))
        + sum(want for sources, want in wants.items() if sources & ~union)
        for union in unions
    )


class _Greedy:
    """Feeds one consumer after the other, moving those fed before to other sources to make room."""

    def __init__(self, points: Sequence[int], feeders: Sequence[int], room: Sequence[int]) -> None:
        self.points = points
        self.feeders = feeders
        self.left = list(room)
        self.source = [-1] * len(points)

    def feed(self, consumer: int, tried: int = 0) -> int:
        """Find a source, not among those tried, for a consumer; the sources tried by now."""
        want = self.points[consumer]
        open_to = self.feeders[consumer] & ~tried
        fitting = [j for j in bits(open_to) if self.left[j] >= want]
        if fitting:
            # The one that it fills up best.
            self._put(consumer, min(fitting, key=lambda j: self.left[j]))
            return tried
        for j in bits(open_to):
            if tried >> j & 1:
                continue
            tried |= 1 << j
            for other, fed_by in enumerate(self.source):
                if fed_by == j and self.left[j] + self.points[other] >= want:
                    tried = self.feed(other, tried)
                    if self.source[other] != j:
                        self.left[j] += self.points[other]
                        self._put(consumer, j)
                        return tried
        return tried

    def _put(self, consumer: int, source: int) -> None:
        self.source[consumer] = source
        self.left[source] -= self.points[consumer]


class _Search:
    """All ways to feed a row of consumers, each state of the sources looked at once."""

    def __init__(self, points: Sequence[int], feeders: Sequence[int], effort: int) -> None:
        self.points = points
        self.feeders = feeders
        self.effort = effort
        sources = range(max(feeders, default=0).bit_length())
        self.rest = [
            [sum(p for p, f in zip(points[i:], feeders[i:]) if f >> j & 1) for j in sources]
            for i in range(len(points))
        ]
        self.want = [sum(points[i:]) for i in range(len(points))]
        self.known: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}

    def best(self, room: tuple[int, ...]) -> list[int] | None:
        """The source of each consumer in an assignment that feeds most; None if out of effort."""
        self._most(0, room)
        if len(self.known) > self.effort:
            return None
        chosen: list[int] = []
        for i, want in enumerate(self.points):
            room = self._trimmed(i, room)
            _, source = self.known[i, room]
            chosen.append(source)
            room = self._after(room, source, want)
        return chosen

    def _most(self, i: int, room: tuple[int, ...]) -> int:
        """The most points that consumers from *i* on can get."""
        if i == len(self.points) or len(self.known) > self.effort:
            return 0
        room = self._trimmed(i, room)
        if (i, room) in self.known:
            return self.known[i, room][0]
        want = self.points[i]
        enough = min(self.want[i], sum(room))
        best = (-1, -1)
        for source in (*bits(self.feeders[i]), -1):
            if source >= 0 and room[source] < want:
                continue
            fed = self._most(i + 1, self._after(room, source, want))
            if source >= 0:
                fed += want
            if fed > best[0]:
                best = fed, source
                if fed == enough:
                    break
        self.known[i, room] = best
        return best[0]

    def _trimmed(self, i: int, room: tuple[int, ...]) -> tuple[int, ...]:
        """Room that nobody is left to fill does not tell two states apart."""
        return tuple(map(min, room, self.rest[i]))

    @staticmethod
    def _after(room: tuple[int, ...], source: int, want: int) -> tuple[int, ...]:
        if source < 0:
            return room
        return (*room[:source], room[source] - want, *room[source + 1 :])
