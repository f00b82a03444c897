"""The staff kit's ground and lines, held against naive models on small maps."""

from heapq import heappop, heappush
from itertools import pairwise
from math import inf
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.bots.staff.front import Front, Man
from apennine.bots.staff.ground import (
    FAR,
    Ground,
    Lane,
    arrivals,
    best_hex,
    chain,
    rims,
    ways_back,
)
from apennine.bots.staff.line import (
    best_plug,
    closed_by,
    leak_length,
    leaks,
    manned_lines,
    prices,
    shut,
    wall,
)
from apennine.bots.staff.posts import Movers
from apennine.bots.staff.scene import Places, Scene, moved
from apennine.bots.staff.weights import FrontWeights, LineWeights, changed
from apennine.hexes import Lattice, Mask, Numbering, Sides, bits, mask_of

LATTICE = Lattice(Numbering("columns", columns=(1, 7), rows=(1, 7)))
HEXES = list(bits(LATTICE.all))
masks = st.sets(st.sampled_from(HEXES)).map(mask_of)


class Pace(NamedTuple):
    sides: Sides
    entry: tuple[tuple[int, Mask], ...]


def hexes(*codes: str) -> Mask:
    return mask_of(LATTICE.parse(code) for code in codes)


def column(number: int) -> Mask:
    return hexes(*(f"{number:02}{row:02}" for row in range(1, 8)))


ROUGH = column(3) | column(5)
FOOT = Pace(LATTICE.all_sides, ((1, LATTICE.all & ~ROUGH), (3, ROUGH)))
PLAIN = Ground(LATTICE, LATTICE.all, LATTICE.all_sides, {"foot": ways_back(LATTICE, [FOOT])})


def naive_marches(goals: Mask, closed: Mask, lanes: tuple[Lane, ...]) -> list[int]:
    """What each hex pays to the nearest goal, by relaxing every step until nothing changes."""
    found = [FAR] * LATTICE.size
    for hex in bits(goals):
        found[hex] = 0
    again = True
    while again:
        again = False
        for hex in HEXES:
            if closed >> hex & 1 and not goals >> hex & 1:
                continue
            steps = [(there, 3 if ROUGH >> there & 1 else 1) for there in LATTICE.neighbours(hex)]
            for lane in lanes:
                if lane.ports >> hex & 1:
                    steps += [(port, lane.price) for port in bits(lane.ports)]
            for there, price in steps:
                if found[there] + price < found[hex]:
                    found[hex] = found[there] + price
                    again = True
    return found


@settings(max_examples=40, deadline=None)
@given(masks, masks, masks, st.integers(1, 4))
def test_marches_cost_what_a_naive_search_finds(goals: Mask, closed: Mask, ports: Mask, price: int):
    lanes = (Lane(ports & ~closed, price),)
    assert list(PLAIN.marches("foot", goals, closed, lanes)) == naive_marches(goals, closed, lanes)
    assert list(PLAIN.marches("foot", goals, closed)) == naive_marches(goals, closed, ())


@settings(max_examples=40, deadline=None)
@given(masks)
def test_on_open_ground_a_distance_is_that_of_the_lattice(sources: Mask):
    field = PLAIN.distances(sources)
    for hex in HEXES:
        near = min((LATTICE.distance(hex, there) for there in bits(sources)), default=FAR)
        assert field[hex] == near


def test_a_distance_goes_round_closed_hexes_and_over_sea_lanes():
    start, end = LATTICE.parse("0104"), LATTICE.parse("0704")
    shut = column(4)
    assert PLAIN.distances(1 << start)[end] == 6
    assert PLAIN.distances(1 << start, shut)[end] == FAR
    lane = Lane(hexes("0204", "0604"), 2)
    assert PLAIN.distances(1 << start, shut, (lane,))[end] == 1 + 2 + 1


def test_a_step_that_takes_the_whole_turn_costs_what_the_game_says():
    steep = Pace(LATTICE.all_sides, ((-1, LATTICE.all),))
    ground = Ground(
        LATTICE, LATTICE.all, LATTICE.all_sides, {0: ways_back(LATTICE, [steep], whole=4)}
    )
    assert ground.marches(0, hexes("0101"))[LATTICE.parse("0103")] == 8


def test_the_first_of_several_units_to_arrive_counts():
    units = [(LATTICE.parse("0101"), "foot", 2), (LATTICE.parse("0107"), "foot", 1)]
    turns = arrivals(PLAIN, units)
    assert turns[LATTICE.parse("0103")] == 1
    assert turns[LATTICE.parse("0106")] == 1
    assert turns[LATTICE.parse("0107")] == 0


def test_the_rims_of_a_block_are_its_left_and_its_right():
    coast = column(1) | column(7)
    assert rims(PLAIN, coast, 0) == (column(1), column(7))
    low, high = rims(PLAIN, column(4), 0)
    assert low == high == column(4), "who is in the middle belongs to both"


def naive_chain(
    price: dict[int, float], ends: tuple[Mask, Mask], gaps: tuple[float, ...], offshore: float
) -> float:
    """What the cheapest chain costs: a plain Dijkstra over hexes and their plain distances."""

    def edge(end: Mask, hex: int) -> float:
        near = min((LATTICE.distance(hex, there) for there in bits(end)), default=FAR)
        return 0.0 if near == 0 else offshore if near == 1 else inf

    queue = [(cost + edge(ends[0], hex), hex) for hex, cost in price.items()]
    queue.sort()
    done: set[int] = set()
    best = inf
    while queue:
        cost, hex = heappop(queue)
        if hex in done or cost == inf:
            continue
        done.add(hex)
        best = min(best, cost + edge(ends[1], hex))
        for there, more in price.items():
            reach = LATTICE.distance(hex, there)
            if 1 <= reach <= 3:
                heappush(queue, (cost + more + gaps[reach - 1], there))
    return best


def cost_of(
    line: list[int],
    price: dict[int, float],
    ends: tuple[Mask, Mask],
    gaps: tuple[float, ...],
    offshore: float,
) -> float:
    """What a chain costs that runs from the second end back to the first."""
    total = sum(price[hex] for hex in line)
    total += sum(gaps[LATTICE.distance(a, b) - 1] for a, b in pairwise(line))
    return total + sum(
        0.0 if end >> hex & 1 else offshore
        for end, hex in zip(ends, (line[-1], line[0]), strict=True)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([(0.0, 0.9, 2.5), (inf, 0.0, 0.9), (0.5, 0.2, inf), (1.0, 1.0, 1.0)]),
)
def test_a_chain_is_as_cheap_as_a_naive_search_finds(seed: int, gaps: tuple[float, ...]):
    random = Random(seed)
    price = {hex: random.uniform(0.1, 3.0) for hex in HEXES if random.random() < 0.7}
    ends = column(1), column(7)
    line = chain(PLAIN, price, ends, gaps, 0.6)
    least = naive_chain(price, ends, gaps, 0.6)
    if line:
        assert cost_of(line, price, ends, gaps, 0.6) == pytest.approx(least)
    else:
        assert least == inf


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_nobody_walks_through_a_chain_whatever_its_gaps(seed: int):
    """Up to two hexes between posts are in their zones, and so is the beach beside the last."""
    random = Random(seed)
    price = {hex: random.uniform(0.1, 3.0) for hex in HEXES}
    line = chain(PLAIN, price, (column(1), column(7)), (0.0, 0.9, 2.5), 0.6)
    closed = closed_by(PLAIN, mask_of(line))
    south = hexes(*(f"{c:02}07" for c in range(1, 8)))
    assert not leaks(PLAIN, south & ~closed, closed, hexes(*(f"{c:02}01" for c in range(1, 8))))


def test_no_hole_of_a_chain_has_an_enemy_in_it():
    posts = {LATTICE.parse(code): 1.0 for code in ("0104", "0404", "0704")}
    ends = column(1), column(7)
    gaps = (inf, inf, 0.0)
    assert sorted(chain(PLAIN, posts, ends, gaps, 0.6)) == sorted(posts)
    assert chain(PLAIN, posts, ends, gaps, 0.6, enemy=hexes("0204", "0304")) == []


def test_a_leak_is_a_way_past_all_posts_and_has_a_length():
    walker, exits = hexes("0407"), hexes(*(f"{c:02}01" for c in range(1, 8)))
    shut = closed_by(PLAIN, hexes("0204", "0404", "0604"))
    assert not leaks(PLAIN, walker, shut, exits)
    assert leak_length(PLAIN, walker, shut, exits) == FAR
    open_line = closed_by(PLAIN, hexes("0204"))
    assert leaks(PLAIN, walker, open_line, exits)
    assert leak_length(PLAIN, walker, open_line, exits) == 6
    assert leak_length(PLAIN, exits, 0, exits) == 0


def test_a_gap_is_shut_where_one_unit_shuts_it():
    walker, exits = hexes("0407"), hexes(*(f"{c:02}01" for c in range(1, 8)))
    held = hexes("0204", "0404")
    plug = best_plug(PLAIN, walker, held, exits, PLAIN.land)
    assert plug >= 0
    assert not leaks(PLAIN, walker, closed_by(PLAIN, held | 1 << plug), exits)
    assert best_plug(PLAIN, walker, held | 1 << plug, exits, PLAIN.land) == -1, "nothing leaks"
    assert best_plug(PLAIN, walker, held, exits, 0) == -1, "nobody can go anywhere"


def test_a_post_is_cheaper_on_strong_ground_and_dearer_where_nobody_gets_to():
    weights = LineWeights(post=2.0, strong=0.5, loss=0.25, late=1.0, faced=0.5, key=0.7)
    zero = [0.0] * LATTICE.size
    plain, strong, spared, key, late = HEXES[:5]
    ground = list(zero)
    ground[strong] = 2.0
    soon = list(zero)
    soon[late] = 2.0
    found = prices(
        PLAIN,
        mask_of(HEXES[:5]),
        weights,
        ground,
        zero,
        soon=soon,
        keys=1 << key,
        spared=1 << spared,
    )
    assert found == pytest.approx({plain: 2.0, strong: 1.0, spared: 14.0, key: 1.3, late: 3.0})


def test_lines_are_drawn_until_one_can_be_manned():
    drawn: list[Mask] = []

    def draw(shunned: Mask) -> list[int]:
        drawn.append(shunned)
        return [hex for hex in (1, 2, 3) if not shunned >> hex & 1]

    found = list(manned_lines(draw, lambda line: {hex: 9 for hex in line if hex != 2}, tries=5))
    assert [line for line, _ in found] == [[1, 2, 3], [1, 3]]
    assert drawn == [0, 1 << 2]


def test_a_wall_joins_a_loose_unit_to_its_main_body():
    loose, main = hexes("0401"), hexes("0406", "0407")
    found = wall(PLAIN, loose, main)
    assert hexes("0401", "0402", "0403", "0404", "0405") & ~found == 0


def test_the_best_hex_is_the_first_of_the_highest():
    assert best_hex(0b1110, lambda hex: -abs(hex - 2)) == 2
    assert best_hex(0b1110, lambda _hex: 1.0) == 1
    assert best_hex(0b1110, lambda _hex: 1.0, least=1.0) == -1


def test_weights_are_changed_by_name_and_nothing_else_is():
    weights = changed(LineWeights(), {"loss": 0.5})
    assert weights == LineWeights(loss=0.5)
    with pytest.raises(ValueError, match="no weight 'lost'"):
        changed(LineWeights(), {"lost": 0.5})


def row(number: int) -> Mask:
    return hexes(*(f"{column:02}{number:02}" for column in range(1, 8)))


@settings(max_examples=30, deadline=None)
@given(masks, masks, st.integers(0, 4))
def test_what_spreads_enters_every_hex_but_passes_only_some(seeds: Mask, through: Mask, hexes: int):
    found = PLAIN.spread(seeds, hexes, through)
    for hex in HEXES:
        ways = [PLAIN.distances(1 << hex, ~through & ~seeds)[seed] for seed in bits(seeds)]
        assert found >> hex & 1 == (min(ways, default=FAR) <= hexes)


def test_the_rim_of_the_land_has_water_or_the_edge_beside_it():
    rim = PLAIN.rim
    assert row(1) & ~rim == column(1) & ~rim == 0
    assert not rim & hexes("0404", "0203", "0605")
    island = Ground(LATTICE, LATTICE.all & ~hexes("0404"), LATTICE.all_sides)
    assert island.rim >> LATTICE.parse("0403") & 1


def test_the_nearest_door_is_found_past_what_is_closed():
    here, doors = LATTICE.parse("0404"), hexes("0401", "0407", "0704")
    assert PLAIN.door("foot", here, doors, 0) == (3, LATTICE.parse("0401"))
    assert PLAIN.door("foot", here, doors, hexes("0401")) == (3, LATTICE.parse("0407"))
    assert PLAIN.door("foot", here, doors, row(3) | row(5)) == (5, LATTICE.parse("0704"))
    assert PLAIN.door("foot", here, doors, doors) == (FAR, -1)


def test_a_rich_goal_pulls_from_farther_away():
    near, far = hexes("0101"), hexes("0107")
    found = PLAIN.pull([(near, 0.0), (far, 10.0)], 0.2)
    assert found[LATTICE.parse("0101")] == 0
    assert found[LATTICE.parse("0102")] == 1
    assert found[LATTICE.parse("0104")] == 3 - 2
    assert found[LATTICE.parse("0107")] == -2


def test_gaps_are_shut_while_anybody_can_get_there():
    walker, exits = hexes("0407"), row(1)
    movers = Movers([0, 1], lambda _unit, _hex, there: not there, {0: row(4), 1: row(4)})
    movers.settle(5, LATTICE.parse("0204"))
    movers.settle(6, LATTICE.parse("0404"))
    found = shut(PLAIN, movers, walker, exits, lambda unit, _hex: unit)
    assert [movers.goals[1].hex] == found
    assert movers.free == [0], "nothing leaks any more"
    assert not leaks(PLAIN, walker, closed_by(PLAIN, movers.occupied()), exits)


def front(orders: int = 9, **weights: object) -> Front:
    line = LineWeights(gaps=(inf, 0.0, 0.9), hurry=1.0)
    terms = changed(FrontWeights(line=line), weights)
    return Front(PLAIN, row(1), (column(1), column(7)), terms, orders)


def men(*codes: str, tonight: Mask = LATTICE.all) -> tuple[Man, ...]:
    return tuple(Man(u, LATTICE.parse(c), "foot", 3, tonight) for u, c in enumerate(codes))


FLAT = [0.0] * LATTICE.size


def test_a_leak_is_worse_the_shorter_it_is_and_worst_in_the_exit():
    held = front()
    near, far = (held.leak(hexes(code), 0) for code in ("0403", "0407"))
    assert held.leak(hexes("0401"), LATTICE.all) > near > far > 0
    assert held.leak(hexes("0407"), hexes("0204", "0404", "0604")) == 0


def test_the_best_line_bars_the_way_and_gives_up_no_more_ground_than_it_must():
    enemy = hexes("0207", "0407", "0607")
    garrison = men("0204", "0404", "0604", "0201")
    shallow = front().best(enemy, garrison, FLAT, 0, lambda _line, back: 9.0 * back)
    assert front().leak(enemy, mask_of(shallow)) == 0
    deep = front().best(enemy, garrison, FLAT, 0, lambda _line, back: -9.0 * back)
    home = front().home
    assert sum(home[hex] for hex in shallow) / len(shallow) > sum(home[h] for h in deep) / len(deep)
    assert front().best(enemy, garrison, FLAT, 0, lambda *_: 0.0) == front().best(
        enemy, garrison, FLAT, 0, lambda *_: 0.0
    )


def test_posts_go_to_those_who_are_there_first_and_newcomers_enter_by_the_exits():
    held = front()
    box = Man(9, LATTICE.size + 3, "foot", 3)
    line = tuple(LATTICE.parse(code) for code in ("0102", "0404"))
    sent = held.share_out(line, (*men("0404"), box))
    assert [(turns, man.unit, post) for turns, man, post in sent] == [
        (0, 0, line[1]),
        (pytest.approx((1 + 1) / 3), 9, line[0]),
    ]


def test_by_tonight_no_more_have_marched_than_there_are_orders():
    line = tuple(LATTICE.parse(code) for code in ("0103", "0403"))
    garrison = men("0104", "0404")
    assert front(orders=2).tonight(line, garrison) == mask_of(line)
    assert front(orders=1).tonight(line, garrison).bit_count() == 2
    assert front(orders=0).tonight(line, garrison) == hexes("0104", "0404")
    assert front().tonight(line, men("0104", "0404", tonight=0)) == hexes("0104", "0404")


def test_who_is_kept_from_a_post_by_the_enemy_is_not_counted_on_tonight():
    """He is nearer to it than the other, who can get there."""
    line, post = (LATTICE.parse("0403"),), hexes("0403")
    near, far = men("0404", "0405", tonight=0)
    assert front().share_out(line, (near, far))[0][1] == near
    able = far._replace(tonight=post)
    assert front().share_out(line, (near, able))[0][1:] == (able, line[0])
    assert front().tonight(line, (near, able)) == post | hexes("0404")
    assert front().tonight(line, (near, far)) == hexes("0404", "0405")


def test_a_line_is_worse_without_men_and_if_the_enemy_is_there_first():
    enemy = hexes("0407")
    line = tuple(LATTICE.parse(code) for code in ("0204", "0404", "0604"))
    manned = front().holding(enemy, line, men("0204", "0404", "0604"))
    one_short = front().holding(enemy, line, men("0204", "0404"))
    late = front().holding(enemy, line, men("0204", "0404", "0601"))
    assert manned < late
    assert manned < one_short
    assert front(orders=0).holding(enemy, line, men("0204", "0404", "0601")) > late


def test_one_stack_far_ahead_is_a_raid_and_no_front():
    held = front(raid=2)
    assert held.main_body([LATTICE.parse(c) for c in ("0402", "0406", "0606")]) == hexes(
        "0406", "0606"
    )
    assert held.main_body([LATTICE.parse(c) for c in ("0405", "0406")]) == hexes("0405", "0406")


def test_a_hex_that_is_barred_shuts_itself_and_nothing_beside_it():
    posts, gap = hexes("0104", "0204", "0604", "0704"), hexes("0404")
    held, walker = front(), hexes("0407")
    assert held.leak(walker, posts, gap) == 0
    assert held.leak(walker, posts & ~hexes("0204"), gap) > 0
    assert held.leak(walker, posts) > 0


def test_each_further_stack_that_gets_out_makes_a_leak_worse():
    two = hexes("0207", "0607")
    assert front().leak(two, 0) == front(leaker=1.5).leak(two, 0) - 1.5
    assert front(leaker=1.5).leak(two, row(4)) == 0


def test_raiders_have_a_free_way_to_a_near_exit_and_doors_are_where_it_begins():
    held, posts = front(raided=2), hexes("0104", "0304", "0504", "0704")
    assert held.raiders(hexes("0402", "0406"), posts) == hexes("0402")
    assert held.doors(hexes("0402"), posts) == PLAIN.around(hexes("0402")) & held.free(posts)
    assert held.doors(hexes("0407"), posts) == 0


def test_a_scene_knows_how_far_either_side_gets():
    own = Places(row(4), PLAIN.around(row(4)))
    foe = Places(hexes("0407"), PLAIN.around(hexes("0407")))
    scene = Scene(PLAIN, own, foe)
    assert scene.from_foe[LATTICE.parse("0405")] == 2
    assert not scene.roamed(9) & row(4), "zones stop him"
    assert not scene.within & foe.zone & ~own.occupied
    assert scene.within & row(1) == row(1)
    assert Scene(PLAIN, Places(0, 0), foe).within == 0
    assert Scene(PLAIN, Places(0, 0), foe, entries=row(1)).within & row(1) == row(1)


def test_a_move_changes_the_stack_that_is_left_and_those_that_are_joined():
    stacks = {3: 0b111, 5: 0b1000}
    assert moved(stacks, 3, {0: 5, 2: 6}) == {3: 0b010, 5: 0b1001, 6: 0b100}
    assert moved(stacks, 3, {0: 3}) == {3: 0b111}
