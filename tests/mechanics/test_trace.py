"""Supply lines: the wave finds what walking each line finds; capacities are shared out exactly."""

import heapq
from itertools import pairwise, product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Numbering, Sides, mask_of
from apennine.mechanics.trace import Line, assign, feeders, in_supply, trace
from apennine.mechanics.zoc import negated, zone

WINDING = ("0101", "0102", "0103", "0203", "0304", "0303", "0302", "0301", "0401", "0501", "0502")
MAPS = [
    Lattice(Numbering("columns", columns=(1, 6), rows=(1, 5))),
    Lattice(Numbering("rows", columns=(1, 5), rows=(1, 6), shifted="even", rows_grow="up")),
    Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)), WINDING),
]


class Rules(NamedTuple):
    """The rules of a line as plain sets; sides are pairs of hexes, both ways."""

    over: frozenset[tuple[Hex, Hex]]
    limit: int | None
    blocked: frozenset[Hex]
    apart: frozenset[Hex]
    weights: dict[Hex, int]
    even: frozenset[tuple[Hex, Hex]]
    first: frozenset[tuple[Hex, Hex]]
    roads: frozenset[tuple[Hex, Hex]]
    road_blocked: frozenset[Hex]

    def line(self, lattice: Lattice) -> Line:
        return Line(
            sides(lattice, self.over),
            self.limit,
            mask_of(self.blocked),
            mask_of(self.apart),
            tuple(
                (weight, mask_of(hex for hex, w in self.weights.items() if w == weight))
                for weight in sorted(set(self.weights.values()))
            ),
            sides(lattice, self.even),
            sides(lattice, self.first),
            sides(lattice, self.roads),
            mask_of(self.road_blocked),
        )

    def steps(self, a: Hex, b: Hex, own: bool) -> list[int]:
        """What the step of a line from a to b may count, if it is allowed."""
        if b in self.blocked or (not own and a in self.apart and b in self.apart):
            return []
        counts: list[int] = []
        if (a, b) in self.over or (own and (a, b) in self.first):
            counts.append(self.weights.get(b, 1))
        if (a, b) in self.even:
            counts.append(1)
        return counts


def sides(lattice: Lattice, pairs: frozenset[tuple[Hex, Hex]]) -> Sides:
    if not pairs:
        return NO_SIDES
    return lattice.sides(lattice.edge_between(a, b) for a, b in pairs)


def road_net(lattice: Lattice, sources: frozenset[Hex], rules: Rules) -> set[Hex]:
    net = set(sources)
    queue = [hex for hex in sources if hex not in rules.road_blocked]
    while queue:
        hex = queue.pop()
        for beyond in lattice.neighbours(hex):
            if (hex, beyond) in rules.roads and not (beyond in net or beyond in rules.road_blocked):
                net.add(beyond)
                queue.append(beyond)
    return net


def shortest(lattice: Lattice, rules: Rules, net: set[Hex], unit: Hex) -> int:
    """The length of the shortest line from one hex, walked from that hex."""
    queue = [(0, unit, True)]
    done: set[tuple[Hex, bool]] = set()
    while queue:
        length, hex, own = heapq.heappop(queue)
        if hex in net:
            return length
        if (hex, own) in done:
            continue
        done.add((hex, own))
        for beyond in lattice.neighbours(hex):
            for count in rules.steps(hex, beyond, own):
                if rules.limit is None or length + count <= rules.limit:
                    heapq.heappush(queue, (length + count, beyond, False))
    return -1


@st.composite
def situations(draw: st.DrawFn) -> tuple[Lattice, frozenset[Hex], Rules]:
    lattice = draw(st.sampled_from(MAPS))
    hexes = list(lattice)
    some = st.frozensets(st.sampled_from(hexes), max_size=8)
    joined = [(a, b) for a in hexes for b in lattice.neighbours(a)]

    def pairs(most: int) -> st.SearchStrategy[frozenset[tuple[Hex, Hex]]]:
        return st.frozensets(st.sampled_from(joined), max_size=most).map(
            lambda chosen: chosen | {(b, a) for a, b in chosen}
        )

    closed = draw(pairs(25))
    only_first = st.frozensets(st.sampled_from(sorted(closed or joined)), max_size=6)
    rules = Rules(
        over=frozenset(joined) - closed,
        limit=draw(st.none() | st.integers(0, 6)),
        blocked=draw(some),
        apart=draw(some),
        weights=draw(st.dictionaries(st.sampled_from(hexes), st.integers(2, 3), max_size=8)),
        even=draw(pairs(6)),
        first=draw(only_first.map(lambda chosen: chosen | {(b, a) for a, b in chosen})),
        roads=draw(pairs(8)),
        road_blocked=draw(some),
    )
    return lattice, draw(st.frozensets(st.sampled_from(hexes), max_size=3)), rules


@settings(max_examples=80, deadline=None)
@given(situations())
def test_the_wave_from_the_sources_agrees_with_walking_every_line(
    situation: tuple[Lattice, frozenset[Hex], Rules],
):
    lattice, sources, rules = situation
    found = trace(lattice, mask_of(sources), rules.line(lattice))
    net = road_net(lattice, sources, rules)
    expected = {hex: shortest(lattice, rules, net, hex) for hex in lattice}
    assert found.net == mask_of(net)
    assert {hex: found.distance(hex) for hex in lattice} == expected
    assert found.mask == mask_of(hex for hex, length in expected.items() if length >= 0)
    assert found.within(2) == mask_of(hex for hex, length in expected.items() if 0 <= length <= 2)
    assert [length for length, _ in found.levels] == sorted(set(expected.values()) - {-1})


@settings(max_examples=60, deadline=None)
@given(situations())
def test_every_line_shown_is_one_that_the_rules_allow_and_of_the_length_claimed(
    situation: tuple[Lattice, frozenset[Hex], Rules],
):
    lattice, sources, rules = situation
    found = trace(lattice, mask_of(sources), rules.line(lattice))
    net = road_net(lattice, sources, rules)
    for hex in lattice:
        line = found.line(hex)
        if found.distance(hex) < 0:
            assert line == []
            continue
        assert line[0] == hex
        assert line[-1] in sources
        lengths = {0}
        overland = next(i for i, step in enumerate(line) if step in net)
        for i, (a, b) in enumerate(pairwise(line[: overland + 1])):
            lengths = {n + count for n in lengths for count in rules.steps(a, b, own=i == 0)}
        assert found.distance(hex) in lengths
        road = line[overland:]
        assert all(step in rules.roads for step in pairwise(road))
        assert len(road) == 1 or not rules.road_blocked & set(road)


@settings(max_examples=50, deadline=None)
@given(situations())
def test_the_quick_mask_is_the_mask_of_the_trace(
    situation: tuple[Lattice, frozenset[Hex], Rules],
):
    lattice, sources, rules = situation
    for variant in (rules, rules._replace(limit=None, apart=frozenset())):
        line = variant.line(lattice)
        fed = in_supply(lattice, mask_of(sources), line)
        assert fed == trace(lattice, mask_of(sources), line).mask


# What the rules mean, on one small map.

MAP = Lattice(Numbering("columns", columns=(1, 9), rows=(1, 5)))
SOURCE = "0103"


def at(*codes: str) -> Mask:
    return mask_of(MAP.parse(code) for code in codes)


def along(*codes: str) -> Sides:
    chain = [MAP.parse(code) for code in codes]
    return MAP.sides(MAP.edge_between(a, b) for a, b in pairwise(chain))


def without(sides: Sides, gone: Sides) -> Sides:
    a, b, c, d, e, f = (has & ~lost for has, lost in zip(sides, gone))
    return a, b, c, d, e, f


def fed(rules: Line, *codes: str) -> str:
    """Which of these hexes are in supply."""
    mask = in_supply(MAP, at(SOURCE), rules)
    return " ".join(code for code in codes if mask & at(code))


OPEN = Line(MAP.all_sides)


def test_the_units_own_hex_may_be_closed_but_not_one_that_the_line_must_enter():
    column = at("0301", "0302", "0303", "0304", "0305")
    assert fed(OPEN._replace(blocked=column), "0203", "0303", "0403") == "0203 0303"


def test_enemy_zones_cut_a_line_unless_a_friend_holds_the_hex():
    enemies = at("0301", "0305")
    friend = at("0303")
    felt = negated(zone(MAP, enemies), by=friend)
    assert zone(MAP, enemies) & at("0302", "0304") == at("0302", "0304")
    assert fed(OPEN._replace(blocked=enemies | felt), "0503") == "0503"
    shut = enemies | zone(MAP, enemies) | friend
    assert fed(OPEN._replace(blocked=shut), "0503") == ""


def test_two_zone_hexes_in_a_row_cut_a_line_and_one_does_not():
    one, two = (
        at("0301", "0302", "0303", "0304", "0305"),
        at("0401", "0402", "0403", "0404", "0405"),
    )
    assert fed(OPEN._replace(apart=one), "0603") == "0603"
    # The unit in the second of the two has entered nothing yet, so only those beyond are cut off.
    assert fed(OPEN._replace(apart=one | two), "0303", "0403", "0503") == "0303 0403"


def test_hexes_that_count_double_shorten_a_line_unless_it_comes_by_road():
    corridor = at(SOURCE, "0203", "0303", "0403", "0503")
    rules = Line(MAP.all_sides, limit=4, blocked=MAP.all & ~corridor, weights=((2, at("0303")),))
    assert fed(rules, "0403", "0503") == "0403"
    rules = rules._replace(even=along("0303", "0403"))
    assert fed(rules, "0403", "0503") == "0403 0503"


def test_overland_first_and_then_as_far_as_the_road_goes():
    road = along("0103", "0203", "0302", "0402", "0501", "0601")
    rules = Line(MAP.all_sides, limit=2, roads=road)
    found = trace(MAP, at(SOURCE), rules)
    assert found.distance(MAP.parse("0601")) == 0
    assert found.distance(MAP.parse("0603")) == 2
    assert found.distance(MAP.parse("0604")) == -1
    assert [MAP.code(hex) for hex in found.line(MAP.parse("0602"))] == [
        *("0602", "0601", "0501", "0402", "0302", "0203", "0103")
    ]


def test_a_road_is_cut_where_it_may_not_be_used_though_overland_lines_may_pass():
    road = along("0103", "0203", "0302", "0402", "0501", "0601")
    rules = Line(MAP.all_sides, limit=2, roads=road, road_blocked=at("0302"))
    found = trace(MAP, at(SOURCE), rules)
    assert found.net == at("0103", "0203")
    assert found.distance(MAP.parse("0302")) == 1
    assert found.distance(MAP.parse("0601")) == -1


def test_some_sides_are_crossed_only_on_the_way_out_of_the_units_own_hex():
    ridge = MAP.sides(
        MAP.edge_between(a, b)
        for a in MAP
        for b in MAP.neighbours(a)
        if MAP.axial(a)[0] == 3 and MAP.axial(b)[0] == 4
    )
    over = without(MAP.all_sides, ridge)
    assert fed(Line(over), "0403", "0503") == "0403"
    assert fed(Line(over, first=ridge), "0403", "0503", "0603") == "0403 0503"


def test_wherever_the_ridge_is_a_line_crosses_it_on_the_first_step_or_not_at_all():
    at_once = 0
    for edge in MAP.edges(MAP.all_sides):
        ridge = MAP.sides([edge])
        found = trace(MAP, at(SOURCE), Line(without(MAP.all_sides, ridge), first=ridge))
        for line in map(found.line, MAP):
            over = [n for n, step in enumerate(pairwise(line)) if MAP.edge_between(*step) == edge]
            assert over in ([], [0])
            at_once += len(over)
    assert at_once


def test_a_line_shown_avoids_roads_and_sources_that_may_not_be_used():
    ring = along("0103", "0203", "0302", "0402", "0501", "0502", "0403", "0303", "0203")
    rules = Line(MAP.all_sides, limit=0, roads=ring, road_blocked=at("0402"))
    found = trace(MAP, at(SOURCE), rules)
    assert [MAP.code(hex) for hex in found.line(MAP.parse("0501"))] == [
        *("0501", "0502", "0403", "0303", "0203", "0103")
    ]
    two_sources = trace(MAP, at(SOURCE, "0402"), rules)
    assert two_sources.line(MAP.parse("0501"))[-1] == MAP.parse(SOURCE)


def test_lengths_tell_who_is_beyond_eight_hexes_of_a_source():
    found = trace(MAP, at("0901"), OPEN)
    assert found.within(7) & at("0101", "0201") == at("0201")
    assert found.distance(MAP.parse("0101")) == 8
    assert found.mask == MAP.all


def test_lines_in_stages_run_from_the_source_to_a_headquarters_and_on_to_the_units():
    near, far = at("0303"), at("0803")
    cut = at(*(f"07{row:02}" for row in range(1, 6)))
    supplied = in_supply(MAP, at(SOURCE), OPEN._replace(blocked=cut)) & (near | far)
    assert supplied == near
    units = in_supply(MAP, supplied, OPEN._replace(limit=3, blocked=cut))
    assert units & at("0603", "0803") == at("0603")


def test_without_a_source_nobody_is_in_supply():
    assert in_supply(MAP, 0, OPEN) == 0
    assert trace(MAP, 0, OPEN).levels == []
    assert trace(MAP, 0, OPEN).line(MAP.parse("0101")) == []


# Sources that can give only so much.


@st.composite
def shortages(draw: st.DrawFn) -> tuple[list[int], list[int], list[int | None]]:
    sources = draw(st.integers(1, 3))
    units = draw(st.integers(0, 6))
    points = draw(st.lists(st.integers(0, 5), min_size=units, max_size=units))
    reach = st.integers(0, (1 << sources) - 1)
    feeders = draw(st.lists(reach, min_size=units, max_size=units))
    capacity = st.none() | st.integers(0, 9)
    return points, feeders, draw(st.lists(capacity, min_size=sources, max_size=sources))


def most_points(points: list[int], feeders: list[int], capacities: list[int | None]) -> int:
    """The best of all assignments, each of them tried."""
    best = 0
    choices = [[-1, *(j for j in range(len(capacities)) if f >> j & 1)] for f in feeders]
    for sources in product(*choices):
        if keeps_limits(points, feeders, capacities, sources):
            best = max(best, sum(p for p, source in zip(points, sources) if source >= 0))
    return best


def keeps_limits(
    points: list[int],
    feeders: list[int],
    capacities: list[int | None],
    sources: tuple[int, ...],
) -> bool:
    for j, capacity in enumerate(capacities):
        if capacity is not None and sum(p for p, s in zip(points, sources) if s == j) > capacity:
            return False
    return all(source < 0 or f >> source & 1 for f, source in zip(feeders, sources))


@settings(max_examples=100, deadline=None)
@given(shortages())
def test_as_many_points_are_fed_as_by_the_best_of_all_assignments(
    shortage: tuple[list[int], list[int], list[int | None]],
):
    points, feeders, capacities = shortage
    found = assign(points, feeders, capacities)
    assert keeps_limits(points, feeders, capacities, found.source)
    assert found.supplied == sum(p for p, s in zip(points, found.source) if s >= 0)
    assert found.supplied == found.bound == most_points(points, feeders, capacities)
    assert found.left == tuple(i for i, source in enumerate(found.source) if source < 0)


@settings(max_examples=60, deadline=None)
@given(shortages())
def test_with_no_effort_the_greedy_answer_still_keeps_the_limits_and_the_bound_is_true(
    shortage: tuple[list[int], list[int], list[int | None]],
):
    points, feeders, capacities = shortage
    found = assign(points, feeders, capacities, effort=0)
    assert keeps_limits(points, feeders, capacities, found.source)
    assert found.supplied <= most_points(points, feeders, capacities) <= found.bound


@settings(max_examples=60, deadline=None)
@given(shortages(), st.integers(1, 3))
def test_among_equals_no_search_is_needed_because_those_fed_before_make_room(
    shortage: tuple[list[int], list[int], list[int | None]], size: int
):
    _, feeders, capacities = shortage
    points = [size] * len(feeders)
    whole = [None if c is None else c // size * size for c in capacities]
    found = assign(points, feeders, whole, effort=0)
    assert found.supplied == found.bound == most_points(points, feeders, whole)


def test_those_fed_before_move_on_to_other_sources_one_after_the_other():
    # The first takes source 0 and the second 1; the third and the fourth can use 0 only.
    points, feeders = [3, 3, 2, 1], [0b011, 0b110, 0b001, 0b001]
    found = assign(points, feeders, [3, 3, 4], effort=0)
    assert found.source == (1, 2, 0, 0)
    assert found.supplied == found.bound == 9


def test_greed_alone_would_fail_where_the_search_does_not():
    # Big ones first puts the 5 into the source of 8, where no 4 fits any more; better is 4 + 4.
    points, feeders, capacities = [5, 4, 4, 3], [0b01, 0b01, 0b01, 0b10], [8, 3]
    hasty = assign(points, feeders, capacities, effort=0)
    assert (hasty.supplied, hasty.bound) == (8, 11)
    best = assign(points, feeders, capacities)
    assert best.supplied == best.bound == 11
    assert best.left == (0,)


def test_a_whole_army_with_a_dozen_sources_is_settled_exactly():
    points = [1 + i % 4 for i in range(60)]
    feeders = [0b111 << (i % 10) for i in range(60)]
    found = assign(points, feeders, [11] * 12)
    # The sources hold 132, but whole units of these sizes cannot fill them to the last point.
    assert found.supplied == found.bound == 131


def test_who_can_be_fed_by_whom_is_read_from_the_masks():
    west, east = at("0101", "0201"), at("0201", "0301")
    hexes = [MAP.parse(code) for code in ("0101", "0201", "0301", "0401")]
    assert feeders([west, east], hexes) == (0b01, 0b11, 0b10, 0b00)


@pytest.mark.parametrize("in_zone", [False, True])
def test_a_port_in_an_enemy_zone_feeds_nobody_and_units_turn_to_the_next(in_zone: bool):
    ports = [at("0103"), at("0903")]
    enemy = at("0104") if in_zone else 0
    closed = enemy | zone(MAP, enemy)
    units = [MAP.parse("0303"), MAP.parse("0403"), MAP.parse("0503")]
    fed = [in_supply(MAP, port & ~closed, OPEN._replace(blocked=closed)) for port in ports]
    found = assign([3, 3, 3], feeders(fed, units), [6, 6])
    assert len(found.left) == (1 if in_zone else 0)
    assert set(found.source) - {-1} == ({1} if in_zone else {0, 1})


def test_what_leaves_a_port_and_what_enters_it_are_limited_by_the_same_figure_each_for_itself():
    # Two ports of 12 and 8 points, and an island without a limit. Nine units sail in one turn.
    south, north, island = 0, 1, 2
    figures = [12, 8, None]
    sailing = [  # points, from, to any of
        *[(3, south, (north, island))] * 3,
        *[(3, south, (island,))] * 2,
        *[(2, north, (south,))] * 3,
        (12, island, (south, north)),
    ]
    points = [size for size, _, _ in sailing]
    outward = assign(points, [1 << home for _, home, _ in sailing], figures)
    # 15 points want to leave the south, which lets 12 go; one unit of 3 cannot.
    assert [points[i] for i in outward.left] == [3]
    sailors = [i for i, port in enumerate(outward.source) if port >= 0]
    inward = assign(
        [points[i] for i in sailors],
        [sum(1 << port for port in sailing[i][2]) for i in sailors],
        figures,
    )
    # Though 12 left the south, 12 more may enter it: the big unit, or the three from the north.
    into_south = sum(points[i] for i, port in zip(sailors, inward.source) if port == south)
    assert into_south == 12
    # The three from the north are the ones turned away; taking them in would shut out 12 points.
    assert {sailing[sailors[i]] for i in inward.left} == {(2, north, (south,))}
    assert inward.supplied == inward.bound
