"""Reach: the wave finds what a plain Dijkstra finds, and the words of terrain charts mean it."""

import heapq
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apennine.hexes import (
    NO_SIDES,
    Hex,
    Lattice,
    Mask,
    Numbering,
    Sides,
    bits,
    mask_of,
)
from apennine.mechanics.reach import WHOLE, Costs, Crossing, Reach, reach

# One way of taking a step: what it costs, whether it ends the move, whether it must be the first.
Way = tuple[int, bool, bool]
Ways = Callable[[Hex, Hex], list[Way]]


class Search(NamedTuple):
    """The parameters of one search, as plain sets."""

    start: Hex
    points: int
    blocked: frozenset[Hex]
    barred: frozenset[tuple[Hex, Hex]]
    stops: frozenset[Hex]
    apart: frozenset[Hex]
    leaving: tuple[frozenset[Hex], int]
    entering: tuple[frozenset[Hex], int]
    minimum: bool
    fresh: bool
    ends_not: frozenset[Hex]
    early: tuple[frozenset[Hex], int]
    area: frozenset[Hex] = frozenset()

    def run(self, lattice: Lattice, costs: Costs) -> Reach:
        return reach(
            costs,
            self.start,
            self.points,
            blocked=mask_of(self.blocked),
            barred=one_way_sides(lattice, self.barred) if self.barred else NO_SIDES,
            stops=mask_of(self.stops),
            apart=mask_of(self.apart),
            leaving=(mask_of(self.leaving[0]), self.leaving[1]),
            entering=(mask_of(self.entering[0]), self.entering[1]),
            minimum=self.minimum,
            fresh=self.fresh,
            ends_not=mask_of(self.ends_not),
            early=(mask_of(self.early[0]), self.early[1]),
            area=mask_of(self.area),
        )

    def arrivals(self, ways: Ways, a: Hex, b: Hex, spent: int) -> list[tuple[int, bool]]:
        """What a step from a to b leads to: all costs, each with whether the move may go on."""
        if b in self.blocked or (a, b) in self.barred or (a in self.apart and b in self.apart):
            return []
        first = self.fresh and a == self.start
        found: list[tuple[int, bool]] = []
        for price, ends, only_first in ways(a, b):
            if only_first and not first:
                continue
            if price == WHOLE:
                if self.points or self.minimum:
                    found.append((self.points, False))
                continue
            total = spent + price
            total += self.leaving[1] * (a in self.leaving[0])
            total += self.entering[1] * (b in self.entering[0])
            if total <= self.points:
                found.append((total, not ends and b not in self.stops))
            elif first and self.minimum:
                found.append((self.points, False))
        if b in self.early[0]:
            found = [arrival for arrival in found if arrival[0] <= self.early[1]]
        return found


def dijkstra(lattice: Lattice, ways: Ways, search: Search) -> dict[Hex, int]:
    """The least cost of every hex, found one hex at a time."""
    best: dict[tuple[Hex, bool], int] = {}
    queue: list[tuple[int, Hex, bool]] = [(0, search.start, True)]
    while queue:
        spent, hex, going = heapq.heappop(queue)
        if best.setdefault((hex, going), spent) < spent or not going:
            continue
        for beyond in lattice.neighbours(hex):
            for total, goes_on in search.arrivals(ways, hex, beyond, spent):
                if beyond != search.start and (beyond, goes_on) not in best:
                    heapq.heappush(queue, (total, beyond, goes_on))
    costs: dict[Hex, int] = {}
    for (hex, _), spent in best.items():
        costs[hex] = min(spent, costs.get(hex, spent))
    return costs


def price_of_path(ways: Ways, search: Search, path: list[Hex]) -> int:
    """The least that walking this very path costs, -1 if it cannot be walked."""
    options = [(0, True)]
    for a, b in pairwise(path):
        options = [
            arrival
            for spent, going in options
            if going
            for arrival in search.arrivals(ways, a, b, spent)
        ]
    return min((spent for spent, _ in options), default=-1)


def one_way_sides(lattice: Lattice, steps: frozenset[tuple[Hex, Hex]]) -> Sides:
    masks = [0] * 6
    for a, b in steps:
        masks[lattice.direction(a, b)] |= 1 << a
    a, b, c, d, e, f = masks
    return a, b, c, d, e, f


def both_ways(steps: frozenset[tuple[Hex, Hex]]) -> frozenset[tuple[Hex, Hex]]:
    return steps | {(b, a) for a, b in steps}


NUMBERINGS = [
    Numbering("columns", columns=(1, 5), rows=(1, 5), shifted="odd"),
    Numbering("columns", columns=(2, 7), rows=(3, 6), shifted="even", rows_grow="up"),
    Numbering("rows", columns=(1, 5), rows=(1, 5), shifted="even", code="RRCC"),
    Numbering("rows", columns=(1, 4), rows=(2, 7), shifted="odd", columns_grow="left"),
]
WINDING = ("0101", "0102", "0103", "0203", "0304", "0303", "0302", "0301", "0401", "0501", "0502")
SLANTED = ("A3", "A4", "B2", "B3", "B4", "C1", "C2", "C3", "D1", "D2", "E0", "E1", "E2", "F0", "F1")
MAPS = [
    *(Lattice(numbering) for numbering in NUMBERINGS),
    Lattice(NUMBERINGS[0], WINDING),
    Lattice(Numbering("oblique", columns=(0, 5), rows=(0, 4)), SLANTED),
]


@st.composite
def searches(draw: st.DrawFn, lattice: Lattice) -> Search:
    hexes = st.frozensets(st.sampled_from(list(lattice)), max_size=8)
    return Search(
        start=draw(st.sampled_from(list(lattice))),
        points=draw(st.integers(0, 12)),
        blocked=draw(hexes),
        barred=draw(steps_of(lattice, 6)),
        stops=draw(hexes),
        apart=draw(hexes),
        leaving=(draw(hexes), draw(st.integers(0, 4))),
        entering=(draw(hexes), draw(st.integers(0, 4))),
        minimum=draw(st.booleans()),
        fresh=draw(st.booleans()),
        ends_not=draw(hexes),
        early=(draw(hexes), draw(st.integers(0, 12))),
    )


def steps_of(lattice: Lattice, most: int) -> st.SearchStrategy[frozenset[tuple[Hex, Hex]]]:
    steps = [(a, b) for a in lattice for b in lattice.neighbours(a)]
    return st.frozensets(st.sampled_from(steps), max_size=most)


class Chart(NamedTuple):
    """A map with a terrain chart, hex by hex and step by step; costs in sixths of a point."""

    lattice: Lattice
    terrain: dict[Hex, int]
    extras: list[tuple[frozenset[tuple[Hex, Hex]], int]]
    flats: list[tuple[frozenset[tuple[Hex, Hex]], int]]
    first: frozenset[tuple[Hex, Hex]]
    whole: frozenset[tuple[Hex, Hex]]
    forbidden: frozenset[tuple[Hex, Hex]]
    halts: frozenset[Hex]

    def costs(self) -> Costs:
        enter: dict[int | Fraction, Mask] = {}
        for hex, price in self.terrain.items():
            point = Fraction(price, 6)
            enter[point] = enter.get(point, 0) | 1 << hex
        lattice = self.lattice
        return Costs.build(
            lattice,
            enter,
            extra=[(one_way_sides(lattice, s), Fraction(p, 6)) for s, p in self.extras],
            flat=[(one_way_sides(lattice, s), Fraction(p, 6)) for s, p in self.flats],
            first=one_way_sides(lattice, self.first),
            whole=one_way_sides(lattice, self.whole),
            forbidden=one_way_sides(lattice, self.forbidden),
            halts=mask_of(self.halts),
            scale=6,
        )

    def ways(self, a: Hex, b: Hex) -> list[Way]:
        step = (a, b)
        if step in self.forbidden:
            return []
        found = [(price, False, False) for steps, price in self.flats if step in steps]
        if b in self.terrain:
            if step in self.whole:
                found.append((WHOLE, True, True))
            else:
                price = self.terrain[b] + sum(p for steps, p in self.extras if step in steps)
                found.append((price, b in self.halts, step in self.first))
        return found


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    lattice = draw(st.sampled_from(MAPS))
    terrain = draw(
        st.lists(
            st.sampled_from([2, 3, 3, 4, 6, 12, None]), min_size=len(lattice), max_size=len(lattice)
        )
    )
    steps = steps_of(lattice, 10)
    flat_price, extra_price = st.integers(1, 3), st.integers(1, 4)
    return Chart(
        lattice,
        {hex: price for hex, price in zip(lattice, terrain) if price is not None},
        draw(st.lists(st.tuples(steps, extra_price), max_size=3)),
        draw(st.lists(st.tuples(steps.map(both_ways), flat_price), max_size=2)),
        draw(steps),
        draw(steps),
        draw(steps),
        draw(st.frozensets(st.sampled_from(list(lattice)), max_size=6)),
    )


def check_against_dijkstra(lattice: Lattice, costs: Costs, ways: Ways, search: Search) -> None:
    found = search.run(lattice, costs)
    expected = dijkstra(lattice, ways, search)
    assert {hex: found.cost(hex) for hex in lattice if found.cost(hex) >= 0} == expected
    assert found.reached == mask_of(expected)
    assert found.ends == mask_of(set(expected) - {search.start} - search.ends_not)
    assert [cost for cost, _ in found.levels] == sorted(set(expected.values()))
    assert all(expected[hex] == cost for cost, wave in found.levels for hex in bits(wave))
    for hex, cost in expected.items():
        path = found.path(hex)
        assert path[0] == search.start
        assert path[-1] == hex
        assert all(lattice.direction(a, b) >= 0 for a, b in pairwise(path))
        assert price_of_path(ways, search, path) == cost
    assert all(found.path(hex) == [] for hex in lattice if hex not in expected)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_steps_into_the_area_of_a_search_and_outside_it_agree_with_dijkstra(data: st.DataObject):
    lattice = data.draw(st.sampled_from(MAPS))
    hexes = st.frozensets(st.sampled_from(list(lattice)), max_size=12)
    marsh, area, bridges = data.draw(hexes), data.draw(hexes), data.draw(steps_of(lattice, 20))
    over = one_way_sides(lattice, bridges)
    dry = Crossing(
        without(lattice.all_sides, over), ((2, lattice.all),), mask_of(marsh), inside=over
    )
    costs = Costs(lattice, [dry, Crossing(NO_SIDES, ((5, lattice.all),), outside=over)])

    def ways(a: Hex, b: Hex) -> list[Way]:
        wet = (a, b) in bridges and b not in search.area
        return [(5, False, False) if wet else (2, b in marsh, False)]

    for inside in (area, frozenset[Hex]()):  # one after the other, with the same costs
        search = data.draw(searches(lattice))._replace(area=inside)
        check_against_dijkstra(lattice, costs, ways, search)


def test_a_bridge_leads_to_the_own_bank_only():
    river = along("0404", "0405")
    road = Crossing(without(PLAIN.all_sides, river), ((1, PLAIN.all),), inside=river)
    ford = Crossing(NO_SIDES, ((4, PLAIN.all),), outside=river)
    both, bank = Costs(PLAIN, [road, ford]), PLAIN.parse("0405")
    assert reach(both, START, 1, area=at("0405")).ends == PLAIN.ring(START, 1)
    assert reach(both, START, 1).ends == PLAIN.ring(START, 1) & ~(1 << bank)
    assert reach(both, START, 4, blocked=PLAIN.ring(START, 1) & ~(1 << bank)).cost(bank) == 4


def test_a_first_step_does_not_depend_on_an_area():
    with pytest.raises(ValueError, match="does not depend on the area"):
        Costs(PLAIN, [Crossing(NO_SIDES, ((1, PLAIN.all),), first=True, inside=PLAIN.all_sides)])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_on_any_terrain_chart_the_wave_agrees_with_dijkstra(data: st.DataObject):
    chart = data.draw(charts())
    search = data.draw(searches(chart.lattice))
    check_against_dijkstra(chart.lattice, chart.costs(), chart.ways, search)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_with_any_crossings_one_way_or_both_the_wave_agrees_with_dijkstra(data: st.DataObject):
    lattice = data.draw(st.sampled_from(MAPS))
    hexes = st.frozensets(st.sampled_from(list(lattice)), max_size=12)
    crossings = data.draw(
        st.lists(
            st.tuples(
                steps_of(lattice, 30),
                st.lists(st.tuples(st.integers(1, 5), hexes), max_size=3),
                hexes,
                st.booleans(),
            ),
            min_size=1,
            max_size=4,
        )
    )
    search = data.draw(searches(lattice))

    def ways(a: Hex, b: Hex) -> list[Way]:
        return [
            (cost, b in halts, first)
            for steps, entry, halts, first in crossings
            if (a, b) in steps
            for cost, members in entry
            if b in members
        ]

    costs = Costs(
        lattice,
        [
            Crossing(
                one_way_sides(lattice, steps),
                tuple((cost, mask_of(members)) for cost, members in entry),
                mask_of(halts),
                first,
            )
            for steps, entry, halts, first in crossings
        ],
    )
    check_against_dijkstra(lattice, costs, ways, search)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_same_search_gives_the_same_paths_every_time(data: st.DataObject):
    chart = data.draw(charts())
    search = data.draw(searches(chart.lattice))
    once = search.run(chart.lattice, chart.costs())
    again = search.run(chart.lattice, chart.costs())
    assert [once.path(hex) for hex in chart.lattice] == [again.path(hex) for hex in chart.lattice]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_what_one_search_has_worked_out_does_not_change_the_next(data: st.DataObject):
    chart = data.draw(charts())
    costs = chart.costs()
    first = data.draw(searches(chart.lattice))
    for search in (first, data.draw(searches(chart.lattice))._replace(start=first.start), first):
        check_against_dijkstra(chart.lattice, costs, chart.ways, search)


# The rest tells, on one small map, what each option means. Columns stand straight; odd ones lower.

PLAIN = Lattice(Numbering("columns", columns=(1, 7), rows=(1, 7)))


def at(*codes: str) -> Mask:
    return mask_of(PLAIN.parse(code) for code in codes)


def along(*codes: str) -> Sides:
    """The sides that a chain of hexes crosses."""
    chain = [PLAIN.parse(code) for code in codes]
    return PLAIN.sides(PLAIN.edge_between(a, b) for a, b in pairwise(chain))


def around(code: str) -> Sides:
    """All six sides of a hex."""
    hex = PLAIN.parse(code)
    return PLAIN.sides(PLAIN.edge(hex, d) for d in range(6))


def without(sides: Sides, gone: Sides) -> Sides:
    a, b, c, d, e, f = (has & ~lost for has, lost in zip(sides, gone))
    return a, b, c, d, e, f


OPEN = Costs.build(PLAIN, {1: PLAIN.all})
START = PLAIN.parse("0404")


def test_on_open_ground_a_unit_reaches_all_within_its_points_but_not_its_own_hex():
    found = reach(OPEN, START, 2)
    assert found.ends == PLAIN.disc(START, 2) & ~(1 << START)
    assert found.cost(START) == 0
    assert found.path(START) == [START]


def test_thirds_and_halves_of_a_point_are_exact():
    minor = along("0404", "0405", "0406")
    major = along("0404", "0403", "0402", "0401")
    costs = Costs.build(
        PLAIN, {1: PLAIN.all}, flat=[(minor, Fraction(1, 2)), (major, Fraction(1, 3))]
    )
    assert costs.scale == 6
    found = reach(costs, START, costs.ticks(1))
    assert costs.points(found.cost(PLAIN.parse("0401"))) == 1
    assert costs.points(found.cost(PLAIN.parse("0406"))) == 1
    assert costs.points(found.cost(PLAIN.parse("0402"))) == Fraction(2, 3)
    assert found.ends == at("0401", "0402", "0403", "0405", "0406") | PLAIN.ring(START, 1)


def test_points_that_are_no_whole_ticks_are_refused():
    with pytest.raises(ValueError, match="1/2 movement points are not a whole number of 1/1"):
        OPEN.ticks(Fraction(1, 2))


def test_extras_on_one_side_add_up_and_a_road_over_it_ignores_them_all():
    side = along("0404", "0405")
    dear = Costs.build(PLAIN, {2: PLAIN.all}, extra=[(side, 1), (side, 3)])
    assert reach(dear, START, 6).path(PLAIN.parse("0405")) != [START, PLAIN.parse("0405")]
    assert reach(dear, START, 6).cost(PLAIN.parse("0405")) == 4  # around the side
    bridged = Costs.build(PLAIN, {2: PLAIN.all}, extra=[(side, 1), (side, 3)], flat=[(side, 1)])
    assert reach(bridged, START, 6).cost(PLAIN.parse("0405")) == 1


def test_a_slope_costs_more_uphill_than_down():
    low, high = PLAIN.parse("0404"), PLAIN.parse("0403")
    uphill = one_way_sides(PLAIN, frozenset({(low, high)}))
    costs = Costs.build(PLAIN, {1: at("0403", "0404")}, extra=[(uphill, 2)])
    assert reach(costs, low, 5).cost(high) == 3
    assert reach(costs, high, 5).cost(low) == 1


def test_a_hex_without_a_cost_is_entered_by_road_only():
    closed = Costs.build(PLAIN, {1: PLAIN.all & ~at("0405")})
    assert not reach(closed, START, 3).ends & at("0405")
    road = Costs.build(PLAIN, {1: PLAIN.all & ~at("0405")}, flat=[(along("0404", "0405"), 1)])
    assert reach(road, START, 3).cost(PLAIN.parse("0405")) == 1


def test_a_forbidden_side_is_closed_even_to_the_road_over_it():
    wall = along("0404", "0405")
    costs = Costs.build(PLAIN, {1: PLAIN.all}, flat=[(wall, 1)], forbidden=wall)
    assert not reach(costs, START, 1).ends & at("0405")


def test_entering_a_stop_ends_the_move_but_starting_in_one_does_not():
    stops = at("0403", "0404")
    found = reach(OPEN, PLAIN.parse("0405"), 3, stops=at("0404") | PLAIN.ring(START, 1))
    assert not found.ends & at("0402")
    found = reach(OPEN, START, 2, stops=stops)
    assert found.ends & at("0403", "0405", "0406") == at("0403", "0405", "0406")
    assert not reach(OPEN, START, 2, stops=PLAIN.ring(START, 1)).ends & PLAIN.ring(START, 2)


def test_no_step_leads_from_one_zone_hex_to_another():
    zone = at("0404", "0403", "0405")
    found = reach(OPEN, START, 1, stops=zone, apart=zone)
    assert found.ends == PLAIN.ring(START, 1) & ~zone
    # With one hex free of the zone between them the second may be entered.
    assert reach(OPEN, START, 2, stops=zone, apart=zone).ends & zone == at("0403", "0405")


def test_the_ban_holds_on_later_steps_too_where_zones_do_not_stop():
    zone = at("0403", "0402", "0502", "0302", "0401")
    found = reach(OPEN, START, 2, apart=zone)
    assert found.cost(PLAIN.parse("0403")) == 1
    assert found.cost(PLAIN.parse("0402")) == -1


def test_leaving_a_zone_costs_extra_each_time():
    found = reach(OPEN, START, 4, leaving=(at("0404", "0403"), 2))
    assert found.cost(PLAIN.parse("0405")) == 3
    assert found.cost(PLAIN.parse("0406")) == 4


def test_entering_surcharges_count_on_roads_as_well():
    road = along("0404", "0405", "0406")
    costs = Costs.build(PLAIN, {3: PLAIN.all}, flat=[(road, 1)])
    assert reach(costs, START, 9, entering=(at("0405"), 1)).cost(PLAIN.parse("0406")) == 3


def test_one_step_is_always_allowed_however_much_it_costs_but_no_second():
    costs = Costs.build(PLAIN, {9: PLAIN.all})
    assert reach(costs, START, 4).ends == 0
    found = reach(costs, START, 4, minimum=True)
    assert found.ends == PLAIN.ring(START, 1)
    assert found.cost(PLAIN.parse("0405")) == 4
    assert found.path(PLAIN.parse("0405")) == [START, PLAIN.parse("0405")]
    assert reach(costs, START, 0, minimum=True).ends == PLAIN.ring(START, 1)


def test_the_minimum_waives_cost_and_nothing_else():
    zone = at("0404", "0403", "0405")
    costs = Costs.build(PLAIN, {9: PLAIN.all}, forbidden=around("0404"))
    assert reach(costs, START, 4, minimum=True).ends == 0
    costs = Costs.build(PLAIN, {9: PLAIN.all})
    found = reach(costs, START, 4, minimum=True, apart=zone, blocked=at("0303"))
    assert found.ends == PLAIN.ring(START, 1) & ~zone & ~at("0303")


def test_the_minimum_waives_the_toll_for_leaving_too():
    costs = Costs.build(PLAIN, {1: PLAIN.all & ~at("0405"), 2: at("0405")})
    found = reach(costs, START, 0, minimum=True, leaving=(at("0404"), 5))
    assert found.ends == PLAIN.ring(START, 1)


def test_a_crossing_for_everything_is_made_at_the_start_or_not_at_all():
    gorge = along("0404", "0405")
    costs = Costs.build(PLAIN, {1: PLAIN.all & ~PLAIN.ring(START, 1) | at("0405")}, whole=gorge)
    found = reach(costs, START, 8)
    assert found.ends == at("0405")
    assert found.cost(PLAIN.parse("0405")) == 8
    assert reach(costs, START, 0).ends == 0
    assert reach(costs, START, 8, fresh=False).ends == 0
    from_behind = reach(Costs.build(PLAIN, {1: PLAIN.all}, whole=gorge), PLAIN.parse("0403"), 2)
    assert not from_behind.ends & at("0405")


def test_a_crossing_for_the_first_step_only_lets_the_move_go_on():
    ridge = along("0404", "0405")
    costs = Costs.build(PLAIN, {1: at("0403", "0404", "0405", "0406")}, first=ridge)
    assert reach(costs, START, 2).ends == at("0403", "0405", "0406")
    assert reach(costs, PLAIN.parse("0403"), 2).ends == at("0404")
    assert reach(costs, START, 2, fresh=False).ends == at("0403")


def test_marsh_ends_the_move_unless_it_is_passed_by_road():
    column = ("0403", "0404", "0405", "0406")
    costs = Costs.build(PLAIN, {1: at(*column)}, halts=at("0405"))
    assert reach(costs, START, 5).ends == at("0403", "0405")
    costs = Costs.build(
        PLAIN, {1: at(*column)}, flat=[(along("0404", "0405"), 2)], halts=at("0405")
    )
    found = reach(costs, START, 5)
    assert found.ends == at("0403", "0405", "0406")
    # To stop in the marsh the cheap way will do; to go on, the road's price is paid.
    assert found.cost(PLAIN.parse("0405")) == 1
    assert found.cost(PLAIN.parse("0406")) == 3


# Two ways lead to 0405 for 2, through 0304 and through 0504, and on to 0406 for 3. Where only one
# of the two is a legal way on, the path must be that one.
FORK = at("0404", "0304", "0504", "0405", "0406")
WEST, EAST = "0304", "0504"


def way_to_0406(crossings: list[Crossing], **options: int) -> list[str]:
    gate = Crossing(along("0405", "0406"), ((1, PLAIN.all),))
    costs = Costs(PLAIN, crossings).without(along("0404", "0405")).without(around("0406"))
    costs = costs.with_crossings(gate)
    return [PLAIN.code(hex) for hex in reach(costs, START, 3, **options).path(PLAIN.parse("0406"))]


@pytest.mark.parametrize("legal", [WEST, EAST])
def test_a_path_passes_a_marsh_by_its_road_though_another_way_in_costs_the_same(legal: str):
    ground = Crossing(PLAIN.all_sides, ((1, FORK),), halts=at("0405"))
    road = Crossing(along(legal, "0405"), ((1, FORK),))
    assert way_to_0406([ground, road]) == ["0404", legal, "0405", "0406"]


@pytest.mark.parametrize("legal", [WEST, EAST])
def test_a_path_does_not_take_a_first_step_later_though_it_costs_the_same(legal: str):
    other = EAST if legal == WEST else WEST
    first = Crossing(along(other, "0405"), ((1, FORK),), first=True)
    ground = Crossing(without(PLAIN.all_sides, along(other, "0405")), ((1, FORK),))
    assert way_to_0406([first, ground]) == ["0404", legal, "0405", "0406"]


@pytest.mark.parametrize("legal", [WEST, EAST])
def test_a_path_does_not_step_from_zone_to_zone_though_it_costs_the_same(legal: str):
    other = EAST if legal == WEST else WEST
    ground = Crossing(PLAIN.all_sides, ((1, FORK),))
    assert way_to_0406([ground], apart=at(other, "0405")) == ["0404", legal, "0405", "0406"]


def test_a_path_of_a_unit_under_way_has_no_first_step_though_it_costs_the_same():
    first = Crossing(along("0404", "0405"), ((2, FORK),), first=True)
    ground = Crossing(without(PLAIN.all_sides, along("0404", "0405")), ((1, FORK & ~at(EAST)),))
    costs = Costs(PLAIN, [first, ground])
    target = PLAIN.parse("0405")
    assert reach(costs, START, 3).path(target) == [START, target]
    assert reach(costs, START, 3, fresh=False).path(target) == [START, PLAIN.parse(WEST), target]


def test_a_full_stack_may_be_passed_but_not_joined():
    found = reach(OPEN, START, 2, ends_not=PLAIN.ring(START, 1))
    assert found.ends == PLAIN.ring(START, 2)


def test_a_side_barred_for_this_search_only():
    found = reach(OPEN, START, 1, barred=along("0404", "0405"))
    assert found.ends == PLAIN.ring(START, 1) & ~at("0405")
    assert reach(OPEN, START, 1).ends == PLAIN.ring(START, 1)


def test_a_road_rate_that_depends_on_the_enemy_is_one_more_crossing():
    ground = Costs.build(PLAIN, {2: PLAIN.all}, scale=3)
    road = along("0407", "0406", "0405", "0404", "0403")
    near = PLAIN.disc(PLAIN.parse("0402"), 2)
    rates = Crossing(road, ((1, PLAIN.all & ~near), (3, near)))
    found = reach(ground.with_crossings(rates), PLAIN.parse("0407"), ground.ticks(3))
    assert found.cost(PLAIN.parse("0405")) == 2
    assert found.cost(PLAIN.parse("0404")) == 5
    assert found.cost(PLAIN.parse("0403")) == 8


def test_sides_on_the_edge_of_the_map_lead_nowhere():
    corner = PLAIN.parse("0101")
    edges = PLAIN.sides(PLAIN.edge(corner, d) for d in range(6))
    costs = Costs(PLAIN, [Crossing(edges, ((1, PLAIN.all),))])
    assert reach(costs, corner, 3).ends == mask_of(PLAIN.neighbours(corner))


@pytest.mark.parametrize("price", [0, -2])
def test_a_step_that_costs_nothing_is_refused(price: int):
    with pytest.raises(ValueError, match=f"at least one tick, not {price}"):
        Costs(PLAIN, [Crossing(PLAIN.all_sides, ((price, PLAIN.all),))])


def test_only_a_first_step_may_cost_everything():
    with pytest.raises(ValueError, match="at least one tick"):
        Costs(PLAIN, [Crossing(PLAIN.all_sides, ((WHOLE, PLAIN.all),))])


def test_a_search_from_nowhere_or_with_less_than_nothing_is_refused():
    with pytest.raises(ValueError, match="starts from a hex of the map, and -1 is none"):
        reach(OPEN, -1, 3)
    with pytest.raises(ValueError, match="allowance of 0 or more, not -1"):
        reach(OPEN, START, -1)


@example(6)
@given(st.integers(0, 8))
def test_out_of_reach_has_no_cost_and_no_path(points: int):
    found = reach(OPEN, PLAIN.parse("0101"), points)
    far = [hex for hex in PLAIN if PLAIN.distance(PLAIN.parse("0101"), hex) > points]
    assert all(found.cost(hex) == -1 and found.path(hex) == [] for hex in far)
