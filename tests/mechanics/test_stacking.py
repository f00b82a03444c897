"""Stacking: points and classes counted by hex, room for newcomers, hexes with too many."""

from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.hexes import bits, mask_of
from apennine.mechanics.stacking import Limit, loads, overfull, room

HEXES = 6
EVERYWHERE = (1 << HEXES) - 1


def fits(limit: Limit, stack: list[int]) -> bool:
    """Whether a stack keeps a limit, by the words of the rule."""
    free = [limit.points[unit] for unit in stack if unit in limit.one_free]
    return sum(limit.points[unit] for unit in stack) - max(free, default=0) <= limit.most


@st.composite
def armies(draw: st.DrawFn) -> tuple[list[int], list[Limit], list[int]]:
    hexes = draw(st.lists(st.integers(-1, HEXES - 1), min_size=1, max_size=10))
    units = len(hexes)
    limits = draw(
        st.lists(
            st.builds(
                Limit,
                st.integers(0, 6),
                st.lists(st.integers(-1, 4), min_size=units, max_size=units),
                # Only units that count something can have it waived.
                st.just(()),
            ),
            min_size=1,
            max_size=3,
        )
    )
    free = draw(st.frozensets(st.integers(0, units - 1), max_size=4))
    points = [abs(p) if unit in free else p for unit, p in enumerate(limits[0].points)]
    limits[0] = Limit(limits[0].most, points, free)
    newcomers = draw(st.lists(st.integers(0, units - 1), unique=True, max_size=3))
    return hexes, limits, newcomers


@settings(max_examples=60, deadline=None)
@given(armies())
def test_overfull_hexes_are_those_whose_stack_breaks_a_limit(
    army: tuple[list[int], list[Limit], list[int]],
):
    hexes, limits, _ = army
    units = range(len(hexes))
    expected = {
        hex
        for hex in range(HEXES)
        for limit in limits
        if not fits(limit, [unit for unit in units if hexes[unit] == hex])
    }
    assert set(bits(overfull(hexes, limits, units))) == expected


@settings(max_examples=60, deadline=None)
@given(armies())
def test_there_is_room_where_the_stack_with_the_newcomers_breaks_no_limit(
    army: tuple[list[int], list[Limit], list[int]],
):
    hexes, limits, newcomers = army
    units = range(len(hexes))
    expected = {
        hex
        for hex in range(HEXES)
        if all(
            fits(limit, [u for u in units if hexes[u] == hex and u not in newcomers] + newcomers)
            for limit in limits
        )
    }
    assert set(bits(room(hexes, limits, newcomers, units, EVERYWHERE))) == expected
    some = 0b101010
    assert room(hexes, limits, newcomers, units, some) == mask_of(expected) & some


def test_points_are_summed_by_location_and_units_nowhere_count_nothing():
    hexes = [3, 3, -1, 5, 40]
    assert loads(hexes, Limit(8, [2, 3, 4, 1, 1]), range(5)) == {3: 5, 5: 1, 40: 1}
    assert loads(hexes, Limit(8, [2, 3, 4, 1, 1]), [0, 3]) == {3: 2, 5: 1}


def test_four_units_of_which_three_may_be_divisions_and_one_a_support():
    division, support = [1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]
    limits = [Limit(4, [1] * 6), Limit(3, division), Limit(1, support)]
    hexes = [0, 0, 0, 1, 0, 1]
    assert overfull(hexes, limits, range(6)) == 0
    assert room(hexes, limits, [3], range(6), 0b111) == 0b110
    assert room(hexes, limits, [5], range(6), 0b111) == 0b110
    assert overfull([0, 0, 0, 0, 1, 1], limits, range(6)) == 0b11


def test_units_of_no_points_join_any_stack_but_only_so_many_of_a_class():
    points, detachment = [3, 1, 0, 0, 0], [0, 0, 1, 1, 1]
    limits = [Limit(4, points), Limit(2, detachment)]
    hexes = [0, 0, 0, 0, 1]
    assert room(hexes, limits, [4], range(5), 0b111) == 0b110
    assert room([0, 0, 0, 2, 1], limits, [4], range(5), 0b111) == 0b111


def test_the_first_of_a_class_in_each_hex_is_free_and_each_further_one_counts():
    points, tanks = [4, 2, 1, 1, 1], frozenset({2, 3, 4})
    limit = Limit(6, points, tanks)
    assert loads([0, 0, 0, 1, 1], limit, range(5)) == {0: 6, 1: 1}
    assert room([0, 0, 1, 1, 1], [limit], [2], range(5), 0b11) == 0b11
    assert room([0, 0, 0, 1, 1], [limit], [3], range(5), 0b11) == 0b10
    assert overfull([0, 0, 0, 0, 1], [limit], range(5)) == 0b01


def test_where_they_differ_the_dearest_of_the_class_is_the_free_one():
    limit = Limit(6, [3, 1, 2], one_free=frozenset({0, 1}))
    assert loads([0, 0, 0], limit, range(3)) == {0: 3}


def test_supports_that_need_a_carrier_each():
    carriers_make_room = Limit(0, [-1, -1, 1, 1, 1])
    hexes = [0, 1, 0, 1, 5]
    assert overfull(hexes, [carriers_make_room], range(5)) == 1 << 5
    assert room([0, 1, 0, -1, 5], [carriers_make_room], [3], range(5), EVERYWHERE) == 0b10


def test_newcomers_together_may_be_too_much_for_an_empty_hex():
    limit = Limit(4, [3, 3])
    assert room([-1, -1], [limit], [0], range(2), EVERYWHERE) == EVERYWHERE
    assert room([-1, -1], [limit], [0, 1], range(2), EVERYWHERE) == 0
