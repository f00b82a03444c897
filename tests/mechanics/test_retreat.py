"""Retreats: paths under priorities in order, as one list and hex by hex."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Numbering, Sides, bits, mask_of
from apennine.mechanics.retreat import (
    Path,
    Priority,
    Retreat,
    avoids,
    best_paths,
    ends_in,
    farther,
    next_steps,
    no_extra,
    toward,
)
from apennine.mechanics.trace import Line, trace
from apennine.mechanics.zoc import negated, zone

WINDING = ("0101", "0102", "0103", "0203", "0304", "0303", "0302", "0301", "0401", "0501", "0502")
MAPS = [
    Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5))),
    Lattice(Numbering("rows", columns=(1, 5), rows=(1, 4), shifted="even", rows_grow="up")),
    Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)), WINDING),
]


def crossed(lattice: Lattice, sides: Sides, a: Hex, b: Hex) -> bool:
    return bool(sides[lattice.direction(a, b)] >> a & 1)


def survived(terms: Retreat, path: Path) -> bool:
    """Whether a whole path, from the origin to its end, breaks no rule that kills."""
    lattice, entered = terms.lattice, path[1:]
    if not entered or len(set(path)) < len(path):
        return False
    if any(terms.blocked >> hex & 1 for hex in entered):
        return False
    if any(not crossed(lattice, terms.over, a, b) for a, b in pairwise(path)):
        return False
    if any(terms.apart >> a & 1 and terms.apart >> b & 1 for a, b in pairwise(entered)):
        return False
    fatal = terms.fatal
    if fatal is not None and any(fatal(path[:n]) for n in range(2, len(path) + 1)):
        return False
    if terms.ends_not >> path[-1] & 1:
        return False

    def halts(n: int) -> bool:
        a, b = path[n - 1], path[n]
        return bool(terms.must_end >> b & 1) or crossed(lattice, terms.must_end_over, a, b)

    length = len(entered)
    if any(halts(n) for n in range(1, length)):
        return False
    # Past the allowance each further hex must be one more escape from a hex to die in.
    if any(not terms.ends_not >> path[n] & 1 for n in range(terms.most, length)):
        return False
    early = (
        halts(length)
        or bool(terms.may_end >> path[-1] & 1)
        or crossed(lattice, terms.may_end_over, path[-2], path[-1])
    )
    return length <= terms.most + terms.extra and (length >= terms.least or early)


def broken(terms: Retreat, path: Path) -> tuple[int, ...]:
    return tuple(
        sum(p.step(path[:n]) for n in range(2, len(path) + 1)) + p.end(path)
        for p in terms.priorities
    )


def walks(lattice: Lattice, path: Path, longest: int) -> Iterator[Path]:
    """All paths without a hex twice that begin like this."""
    yield path
    if len(path) <= longest:
        for hex in lattice.neighbours(path[-1]):
            if hex not in path:
                yield from walks(lattice, (*path, hex), longest)


def naive_best(terms: Retreat, so_far: Path) -> set[Path]:
    longest = terms.most + terms.extra
    alive = [p for p in walks(terms.lattice, so_far, longest) if survived(terms, p)]
    best = min((broken(terms, path) for path in alive), default=())
    return {path for path in alive if broken(terms, path) == best}


@st.composite
def retreats(draw: st.DrawFn) -> Retreat:
    lattice = draw(st.sampled_from(MAPS))
    hexes = list(lattice)
    some = st.frozensets(st.sampled_from(hexes), max_size=7).map(mask_of)
    edges = sorted({lattice.edge(hex, d) for hex in hexes for d in range(6)})

    def sides(most: int) -> st.SearchStrategy[Sides]:
        return st.frozensets(st.sampled_from(edges), max_size=most).map(lattice.sides)

    a, b, c, d, e, f = (x & ~y for x, y in zip(lattice.all_sides, draw(sides(12))))
    origin = draw(st.sampled_from(hexes))
    least = draw(st.integers(1, 3))
    most = draw(st.integers(least, 3))
    measure = draw(st.lists(st.integers(-1, 4), min_size=len(hexes), max_size=len(hexes)))
    far = dict(zip(hexes, measure))
    unlucky = draw(st.none() | st.sampled_from(hexes))
    all_priorities = (
        farther(lattice, origin),
        toward(far.__getitem__),
        ends_in(draw(some)),
        avoids(draw(some)),
        no_extra(most),
    )
    return Retreat(
        lattice,
        origin,
        (a, b, c, d, e, f),
        least,
        most,
        blocked=draw(some),
        apart=draw(some),
        ends_not=draw(some),
        extra=draw(st.integers(0, 1)),
        may_end=draw(some),
        may_end_over=draw(sides(5)),
        must_end=draw(some),
        must_end_over=draw(sides(3)),
        fatal=None if unlucky is None else lambda path: path[-2] == unlucky,
        priorities=tuple(draw(st.permutations(all_priorities))[: draw(st.integers(0, 4))]),
    )


@settings(max_examples=100, deadline=None)
@given(retreats())
def test_the_best_paths_are_the_best_of_all_walks_that_are_survived(terms: Retreat):
    paths = best_paths(terms)
    assert len(set(paths)) == len(paths)
    assert set(paths) == naive_best(terms, (terms.origin,))


@settings(max_examples=60, deadline=None)
@given(retreats(), st.data())
def test_hex_by_hex_a_player_can_walk_all_best_paths_and_no_others(
    terms: Retreat, data: st.DataObject
):
    best = set(best_paths(terms))
    path: Path = (terms.origin,)
    while True:
        steps = next_steps(terms, path)
        assert steps.may_end == (path in best)
        assert set(bits(steps.hexes)) == {
            p[len(path)] for p in best if p[: len(path)] == path and p != path
        }
        if not steps.hexes or (steps.may_end and data.draw(st.booleans())):
            break
        path = (*path, data.draw(st.sampled_from(list(bits(steps.hexes)))))
    assert path in best or not best


@settings(max_examples=60, deadline=None)
@given(retreats(), st.data())
def test_after_any_beginning_the_best_that_is_left_is_found(terms: Retreat, data: st.DataObject):
    walked = sorted(naive_best(terms._replace(priorities=()), (terms.origin,)))
    if walked:
        path = data.draw(st.sampled_from(walked))
        so_far = path[: data.draw(st.integers(1, len(path)))]
        assert set(best_paths(terms, so_far)) == naive_best(terms, so_far)


def test_a_path_that_begins_elsewhere_is_refused():
    terms = Retreat(MAP, MAP.parse("0505"), MAP.all_sides, 2, 2)
    with pytest.raises(ValueError, match="begins with the hex that it leaves"):
        best_paths(terms, (MAP.parse("0504"),))


# The rules of one published game in miniature: a beaten unit retreats so many hexes; first it must
# avoid destruction, then each hex must be farther from where it was, then toward a source of
# supply, and last it must end in supply. Odd columns stand lower.

MAP = Lattice(Numbering("columns", columns=(1, 9), rows=(1, 9)))
HOME = "0505"


def at(*codes: str) -> Mask:
    return mask_of(MAP.parse(code) for code in codes)


def side(a: str, *others: str) -> Sides:
    return MAP.sides(MAP.edge_between(MAP.parse(a), MAP.parse(b)) for b in others)


def without(sides: Sides, gone: Sides) -> Sides:
    a, b, c, d, e, f = (has & ~lost for has, lost in zip(sides, gone))
    return a, b, c, d, e, f


def flight(
    length: int,
    *,
    enemies: Mask = 0,
    friends: Mask = 0,
    source: str = "0509",
    barred: Sides = NO_SIDES,
    closed: Mask = 0,
) -> Retreat:
    """A retreat from HOME under the rules above; friends cancel enemy zones where they stand."""
    felt = negated(zone(MAP, enemies), by=friends)
    line = Line(without(MAP.all_sides, barred), blocked=enemies | felt)
    supply = trace(MAP, at(source), line)
    origin = MAP.parse(HOME)
    return Retreat(
        MAP,
        origin,
        without(MAP.all_sides, barred),
        length,
        length,
        blocked=enemies | closed,
        apart=felt,
        ends_not=felt,
        extra=1,
        priorities=(
            no_extra(length),
            farther(MAP, origin),
            toward(supply.distance),
            ends_in(supply.mask),
        ),
    )


def ends(terms: Retreat) -> str:
    return " ".join(sorted({MAP.code(path[-1]) for path in best_paths(terms)}))


def paths(terms: Retreat) -> list[str]:
    return sorted(" ".join(MAP.code(hex) for hex in path[1:]) for path in best_paths(terms))


def test_each_hex_is_farther_from_the_old_one_and_nearer_to_the_source():
    assert paths(flight(2)) == ["0506 0507"]
    assert paths(flight(2, source="0905")) == ["0605 0704", "0605 0705", "0606 0705", "0606 0706"]


def test_to_get_farther_goes_before_the_way_to_the_source():
    # The way to the source in the north is shut, but one could slip by: 0406 and then 0405.
    north = at("0504", "0605", "0606", "0506")
    terms = flight(2, source="0501", closed=north, barred=side(HOME, "0405"))
    assert paths(terms) == ["0406 0305", "0406 0306", "0406 0407"]
    extra, away, homeward, supplied = terms.priorities
    contrary = terms._replace(priorities=(extra, homeward, away, supplied))
    assert paths(contrary) == ["0406 0405"]


def test_a_sidestep_is_taken_only_where_survival_asks_for_it():
    one_way_out = side(HOME, "0504", "0605", "0606", "0406", "0405")
    beyond = at("0507", "0607", "0407")
    assert paths(flight(2, closed=beyond | at("0606", "0406"), barred=one_way_out)) == []
    assert paths(flight(2, closed=beyond | at("0406"), barred=one_way_out)) == ["0506 0606"]
    assert paths(flight(2, closed=at("0507", "0407", "0406"), barred=one_way_out)) == ["0506 0607"]


def test_to_end_in_supply_decides_only_among_paths_that_keep_what_goes_before():
    origin = MAP.parse(HOME)
    terms = Retreat(MAP, origin, MAP.all_sides, 1, 1)
    supplied = ends_in(at("0406"))
    assert ends(terms._replace(priorities=(farther(MAP, origin), supplied))) == "0406"
    # Of two hexes none that is farther each time ends there, so it does not count any more.
    two = terms._replace(least=2, most=2, priorities=(farther(MAP, origin), supplied))
    assert {MAP.distance(origin, path[-1]) for path in best_paths(two)} == {2}
    assert ends(two._replace(priorities=(supplied,))) == "0406"


# A pocket: HOME has one way out, the corridor 0506 0507 0508 0509.
CORRIDOR = ("0506", "0507", "0508", "0509")
WALLS = MAP.all & ~at(HOME, *CORRIDOR)


def pocket(length: int, felt: Mask, friends: Mask = 0) -> Retreat:
    terms = flight(length, closed=WALLS)
    felt = negated(felt, by=friends)
    return terms._replace(apart=felt, ends_not=felt)


def test_a_unit_dies_if_its_only_way_out_is_held_or_barred_by_the_enemy():
    assert paths(pocket(1, 0)) == ["0506"]
    assert paths(pocket(1, 0)._replace(blocked=WALLS | at("0506"))) == []
    assert paths(pocket(1, 0)._replace(over=without(MAP.all_sides, side(HOME, "0506")))) == []


def test_two_zone_hexes_in_a_row_kill_unless_a_friend_stands_in_one_of_them():
    felt = at("0506", "0507")
    assert paths(pocket(3, felt)) == []
    assert paths(pocket(3, felt, friends=at("0507"))) == ["0506 0507 0508"]
    assert paths(pocket(3, felt, friends=at("0506"))) == ["0506 0507 0508"]


def test_one_zone_hex_on_the_way_does_not_kill():
    assert paths(pocket(2, at("0506"))) == ["0506 0507"]


def test_a_unit_that_must_leave_a_zone_has_not_entered_it():
    assert paths(pocket(2, at(HOME, "0506"))) == ["0506 0507"]


def test_to_end_in_a_zone_kills_but_one_extra_hex_may_save():
    assert paths(pocket(2, at("0507"))) == ["0506 0507 0508"]
    assert paths(pocket(4, at("0509"))) == []
    assert paths(pocket(2, at("0507"), friends=at("0507"))) == ["0506 0507"]


def test_the_extra_hex_does_not_save_from_two_zone_hexes_in_a_row():
    assert paths(pocket(2, at("0506", "0507"))) == []
    assert paths(pocket(2, at("0507", "0508"))) == []


def test_the_extra_hex_is_a_last_resort():
    # Ending at 0507 kills. One hex more along the corridor would do, but so does turning aside.
    terms = pocket(2, at("0507"))
    aside = terms._replace(blocked=WALLS & ~at("0407"))
    assert paths(aside) == ["0506 0407"]
    # If getting nearer to the source went first, the corridor and its extra hex would win.
    last = terms._replace(blocked=aside.blocked, priorities=(*aside.priorities[1:], no_extra(2)))
    assert paths(last) == ["0506 0507 0508"]


def test_between_two_enemies_a_unit_is_saved_by_a_friend_behind_it():
    # The enemies leave one gap, 0506 and then 0507, and have both in their zones.
    gap = {"enemies": at("0407", "0607"), "closed": at("0504", "0605", "0606", "0406", "0405")}
    assert paths(flight(2, **gap)) == []
    assert paths(flight(2, **gap, friends=at("0507"))) == ["0506 0507"]
    # Through the friend into the zone, and one hex more.
    assert paths(flight(2, **gap, friends=at("0506"))) == ["0506 0507 0508"]


def test_no_hex_is_entered_twice():
    dead_end = flight(3, closed=MAP.all & ~at(HOME, "0506", "0507"))
    assert paths(dead_end) == []


def test_off_the_map_lies_death_except_through_a_haven_that_ends_the_retreat_at_once():
    corner = Retreat(
        MAP, MAP.parse("0101"), MAP.all_sides, 4, 4, blocked=MAP.all & ~at("0101", "0102")
    )
    assert best_paths(corner) == []
    haven = corner._replace(must_end=at("0102"))
    assert [len(path) - 1 for path in best_paths(haven)] == [1]


def test_a_retreat_may_be_ended_early_in_a_strong_place_or_behind_a_ridge_but_need_not():
    town = pocket(3, 0)._replace(may_end=at("0506"))
    assert paths(town) == ["0506", "0506 0507 0508"]
    ridge = pocket(3, 0)._replace(may_end_over=side("0506", "0507"))
    assert paths(ridge) == ["0506 0507", "0506 0507 0508"]
    in_zone = pocket(3, at("0506"))._replace(may_end=at("0506"))
    assert paths(in_zone) == ["0506 0507 0508"]


def test_a_river_without_a_bridge_ends_the_retreat_behind_it():
    assert paths(pocket(3, 0)._replace(must_end_over=side("0506", "0507"))) == ["0506 0507"]


def test_between_one_and_so_many_hexes_is_the_owners_choice():
    choice = pocket(3, 0)._replace(least=1)
    assert paths(choice) == ["0506", "0506 0507", "0506 0507 0508"]
    assert next_steps(choice, (MAP.parse(HOME), MAP.parse("0506"))) == (at("0507"), True)


def test_empty_hexes_go_before_those_of_friends():
    friends = at("0506", "0406")
    terms = Retreat(MAP, MAP.parse(HOME), MAP.all_sides, 1, 1, blocked=at("0504", "0605", "0405"))
    assert len(best_paths(terms)) == 3
    assert ends(terms._replace(priorities=(avoids(friends),))) == "0606"
    crowded = terms._replace(blocked=terms.blocked | at("0606"), priorities=(avoids(friends),))
    assert ends(crowded) == "0406 0506"


@pytest.mark.parametrize(
    ("before", "now", "breaks"),
    [(3, 2, 0), (3, 3, 1), (3, 4, 1), (3, -1, 1), (-1, 4, 0), (-1, -1, 1)],
)
def test_toward_means_nearer_than_before_and_out_of_reach_is_farthest(
    before: int, now: int, breaks: int
):
    assert toward({7: before, 8: now}.__getitem__).step((7, 8)) == breaks


def test_what_masks_cannot_say_a_function_can():
    def turns_back(path: Path) -> bool:
        return len(path) > 2 and MAP.distance(path[0], path[-1]) < 2

    terms = Retreat(MAP, MAP.parse(HOME), MAP.all_sides, 2, 2)
    straight = terms._replace(fatal=turns_back)
    assert set(best_paths(straight)) == {p for p in best_paths(terms) if not turns_back(p)}
    assert len(best_paths(straight)) < len(best_paths(terms))


def test_a_worse_breach_of_one_priority_outweighs_any_of_a_lower():
    heavy = Priority(step=lambda path: 3 if path[-1] == MAP.parse("0506") else 0)
    light = Priority(step=lambda path: 0 if path[-1] == MAP.parse("0506") else 9)
    terms = Retreat(MAP, MAP.parse(HOME), MAP.all_sides, 1, 1)
    assert "0506" not in ends(terms._replace(priorities=(heavy, light))).split()
    assert ends(terms._replace(priorities=(light, heavy))) == "0506"
