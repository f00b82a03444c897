"""Steps, with a miniature after italia1918 12.2.8: hit points, prices, and who pays first."""

import itertools
from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.mechanics.steps import (
    MARK,
    STEP,
    Duty,
    Loss,
    Payment,
    Pool,
    Target,
    Track,
    lose,
    pay,
    payments,
    regain,
    without,
)

LARGE, SMALL, GUARD, CREW = 1, 2, 3, 4


def large(steps: int = 3) -> Target:
    return Target(LARGE, steps, price=3, markable=True)


def small(steps: int = 2, unit: int = SMALL) -> Target:
    return Target(unit, steps, price=2, markable=True)


def shock(unit: int, rank: int = 0) -> Target:
    """A support of one step that cannot be marked; one of them may be lost in a battle."""
    return Target(unit, 1, price=2, rank=rank, group="shock")


def hits(points: int, *targets: Target, lead: int = 0, duties: Iterable[Duty] = ()) -> Pool:
    duties = tuple(duties) or ((Duty(lead),) if lead else ())
    return Pool(points, targets, duties, mark_price=1, mark_first=(lead,) if lead else ())


def menu(pool: Pool) -> list[tuple[str, int]]:
    return [(payment.kind, payment.unit) for payment in payments(pool)]


def settle(pool: Pool, *picks: tuple[str, int]) -> Pool:
    """Pay as picked, and whatever else there is no choice about."""
    for kind, unit in picks:
        pool = pay(pool, next(p for p in payments(pool) if (p.kind, p.unit) == (kind, unit)))
    while len(only := payments(pool)) == 1:
        pool = pay(pool, only[0])
    return pool


def steps_left(pool: Pool) -> dict[int, int]:
    return {target.unit: target.steps for target in pool.targets}


def marked(pool: Pool, before: Pool) -> set[int]:
    now = {target.unit for target in pool.targets if target.markable}
    return {target.unit for target in before.targets if target.markable} - now


def test_a_two_sided_counter_has_a_full_and_a_reduced_face():
    track = Track(((6, 6), (4, 4)))
    assert track.full == 2
    assert [track.face(steps) for steps in (2, 1, 0)] == [(6, 6), (4, 4), None]
    assert not track.is_face_down(1)


def test_a_unit_of_several_counters_ends_face_down():
    track = Track(("6-9", "5-8", "4-7"), face_down=True)
    assert track.full == 4
    assert [track.face(steps) for steps in (4, 3, 2, 1, 0)] == ["6-9", "5-8", "4-7", None, None]
    assert [track.is_face_down(steps) for steps in (4, 3, 2, 1, 0)] == [
        *(False, False, False, True, False)
    ]


def test_a_single_counter_that_turns_over_still_has_two_steps():
    track = Track(("1-2",), face_down=True)
    assert track.full == 2
    assert track.face(2) == "1-2"
    assert track.is_face_down(1)


def test_a_unit_cannot_have_more_steps_than_faces_or_fewer_than_none():
    track = Track(("8-9", "4-5"))
    with pytest.raises(ValueError, match="of 2 steps cannot have 3"):
        track.face(3)
    with pytest.raises(ValueError, match="of 2 steps cannot have -1"):
        track.face(-1)


@given(st.integers(0, 9), st.integers(0, 20))
def test_losses_take_what_there_is_and_the_rest_is_excess(steps: int, losses: int):
    loss = lose(steps, losses)
    assert loss.left + loss.taken == steps
    assert loss.taken + loss.excess == losses
    assert loss.left == 0 or loss.excess == 0


def test_steps_given_back_stop_at_full_strength():
    assert lose(2, 1) == Loss(left=1, taken=1, excess=0)
    assert regain(1, 1, full=2) == 2
    assert regain(1, 5, full=2) == 2


def test_what_the_lead_cannot_pay_a_cheaper_unit_must():
    """12.2.8o: two points on a large lead and a small unit cost the small one a step."""
    pool = hits(2, large(), small(), lead=LARGE)
    assert menu(pool) == [(STEP, SMALL)]
    assert steps_left(settle(pool)) == {LARGE: 3, SMALL: 1}


def test_the_remainder_marks_the_lead_that_has_just_lost_a_step():
    """12.2.8p: three points on a large unit and a small lead."""
    pool = hits(3, large(), small(), lead=SMALL)
    assert menu(pool) == [(STEP, SMALL)]
    end = settle(pool)
    assert steps_left(end) == {LARGE: 3, SMALL: 1}
    assert marked(end, pool) == {SMALL}
    assert end.points == 0


def test_the_first_loss_falls_on_the_lead_and_the_next_where_the_owner_likes():
    """12.2.8i."""
    pool = hits(7, large(), small(), lead=LARGE)
    assert menu(pool) == [(STEP, LARGE)]
    assert menu(settle(pool, (STEP, LARGE))) == [(STEP, LARGE), (STEP, SMALL)]


def test_a_unit_may_be_wiped_out_before_others_lose_anything():
    """12.2.8m."""
    pool = hits(4, large(), small())
    end = settle(pool, (STEP, SMALL), (STEP, SMALL))
    assert steps_left(end) == {LARGE: 3, SMALL: 0}
    assert payments(end) == ()


def test_points_that_can_buy_a_step_may_not_be_spent_on_marks():
    """12.2.8m: the last two points must take the small unit's step."""
    pool = hits(5, large(), small(), lead=LARGE)
    after_lead = pay(pool, Payment(STEP, LARGE, 3))
    assert menu(after_lead) == [(STEP, SMALL)]
    with pytest.raises(ValueError, match="Unit 1 may not pay 1 for a mark now"):
        pay(after_lead, Payment(MARK, LARGE, 1))


def test_what_is_left_marks_a_surviving_lead_first_then_others_and_then_vanishes():
    """12.2.8n."""
    pool = hits(5, large(steps=1), Target(5, 2, price=6, markable=True), small(1), lead=LARGE)
    pool = pool._replace(targets=tuple(t._replace(price=6) for t in pool.targets))
    assert menu(pool) == [(MARK, LARGE)]
    after_lead = settle(pool)
    assert menu(after_lead) == [(MARK, 5), (MARK, SMALL)]
    end = settle(after_lead, (MARK, 5), (MARK, SMALL))
    assert marked(end, pool) == {LARGE, SMALL, 5}
    assert (end.points, payments(end)) == (2, ())


def test_a_lead_that_died_is_not_marked():
    """12.2.8n: only a survivor can be."""
    pool = hits(3, large(), small(1), lead=SMALL)
    end = settle(pool)
    assert steps_left(end)[SMALL] == 0
    assert marked(end, pool) == {LARGE}


def test_a_unit_marked_before_takes_no_second_mark():
    pool = hits(1, large()._replace(markable=False), small(), lead=LARGE)
    assert menu(pool) == [(MARK, SMALL)]


def test_buying_fewer_steps_than_possible_is_legal_if_the_rest_buys_none():
    """12.2.8r: four points buy two small steps, or one large step and a mark."""
    pool = hits(4, large(), small())
    dear = settle(pool, (STEP, LARGE))
    assert menu(dear) == [(MARK, LARGE), (MARK, SMALL)]
    cheap = settle(pool, (STEP, SMALL), (STEP, SMALL))
    assert (steps_left(dear), steps_left(cheap)) == (
        {LARGE: 2, SMALL: 2},
        {LARGE: 3, SMALL: 0},
    )


def test_a_vanguard_takes_the_first_loss_and_the_lead_the_second():
    """12.2.8k."""
    pool = hits(9, large(), small(), shock(GUARD), duties=[Duty(GUARD), Duty(LARGE)])
    assert menu(pool) == [(STEP, GUARD)]
    after = pay(pool, Payment(STEP, GUARD, 2))
    assert menu(after) == [(STEP, LARGE)]
    assert menu(pay(after, Payment(STEP, LARGE, 3))) == [(STEP, LARGE), (STEP, SMALL)]


def test_a_vanguard_too_dear_leaves_the_first_loss_to_the_lead():
    """12.2.8j: it takes the first loss only if the points reach its price."""
    dear = Target(GUARD, 1, price=4)
    pool = hits(3, small(), dear, duties=[Duty(GUARD), Duty(SMALL)])
    assert menu(pool) == [(STEP, SMALL)]


def test_a_substitute_may_take_the_first_loss_and_the_next_is_free():
    """12.2.3i: four points on two small units, one of them with a support to sacrifice."""
    pool = hits(4, small(), small(unit=5), shock(GUARD), lead=SMALL, duties=[Duty(SMALL, (GUARD,))])
    assert menu(pool) == [(STEP, SMALL), (STEP, GUARD)]
    after = settle(pool, (STEP, GUARD))
    assert menu(after) == [(STEP, SMALL), (STEP, 5)]
    assert steps_left(settle(after, (STEP, 5))) == {SMALL: 2, 5: 1, GUARD: 0}


def test_a_substitute_is_not_bound_when_the_lead_could_not_pay():
    pool = hits(2, large(), small(), shock(GUARD), duties=[Duty(LARGE, (GUARD,))])
    assert menu(pool) == [(STEP, SMALL), (STEP, GUARD)]


def test_only_one_of_a_group_may_be_lost():
    """12.2.8f."""
    pool = hits(6, small(), shock(GUARD), shock(CREW))
    after = pay(pool, Payment(STEP, CREW, 2))
    assert menu(after) == [(STEP, SMALL)]
    end = settle(after)
    assert steps_left(end) == {SMALL: 0, GUARD: 1, CREW: 0}


def test_the_last_rank_pays_when_nobody_else_can():
    """12.2.8l: a support in defence is the last to lose a step."""
    pool = hits(4, small(1), shock(GUARD, rank=1))
    assert menu(pool) == [(STEP, SMALL)]
    assert menu(pay(pool, Payment(STEP, SMALL, 2))) == [(STEP, GUARD)]
    assert menu(hits(2, large(), shock(GUARD, rank=1))) == [(STEP, GUARD)]


def test_the_last_rank_is_marked_last_too():
    """12.2.8j."""
    heavy = Target(GUARD, 1, price=9, rank=1, markable=True)
    pool = hits(2, large(), heavy)
    assert menu(pool) == [(MARK, LARGE)]
    assert menu(pay(pool, Payment(MARK, LARGE, 1))) == [(MARK, GUARD)]


def test_without_a_price_there_are_no_marks():
    assert payments(Pool(2, (large(),))) == ()


def test_a_unit_lost_for_another_reason_leaves_the_pool():
    pool = without(hits(4, small(), shock(GUARD)), GUARD)
    assert menu(pool) == [(STEP, SMALL)]


def test_plain_step_losses_are_a_pool_of_price_one_with_its_excess():
    """Three steps from a stack in which one unit may only go when the others are gone."""
    pool = Pool(4, (Target(1, 2, 1), Target(2, 1, 1), Target(3, 2, 1, rank=1)))
    assert menu(pool) == [(STEP, 1), (STEP, 2)]
    end = settle(pool, (STEP, 1), (STEP, 1), (STEP, 2))
    assert steps_left(end) == {1: 0, 2: 0, 3: 1}
    assert settle(Pool(9, pool.targets), (STEP, 2), (STEP, 1)).points == 4


def test_a_pool_is_plain_data_that_survives_a_save():
    pool = hits(7, large(), small(), shock(GUARD), lead=LARGE)
    assert msgspec.json.decode(msgspec.json.encode(pool), type=Pool) == pool


targets = st.builds(
    Target,
    unit=st.just(0),
    steps=st.integers(0, 3),
    price=st.integers(1, 4),
    rank=st.integers(0, 1),
    group=st.sampled_from(["", "shock"]),
    markable=st.booleans(),
)
stacks = st.lists(targets, max_size=5).map(
    lambda stack: tuple(target._replace(unit=unit) for unit, target in enumerate(stack))
)


@given(st.integers(0, 14), stacks, st.lists(st.integers(0, 4), max_size=2), st.data())
def test_whatever_is_picked_the_points_are_settled_legally(
    points: int, stack: tuple[Target, ...], firsts: list[int], data: st.DataObject
):
    pool = Pool(points, stack, tuple(map(Duty, firsts)), mark_price=1, mark_first=(0,))
    paid: list[Payment] = []
    while options := payments(pool):
        assert len(set(options)) == len(options)
        paid.append(data.draw(st.sampled_from(options)))
        pool = pay(pool, paid[-1])
        assert pool.points >= 0
    assert points - pool.points == sum(payment.price for payment in paid)
    kinds = [payment.kind for payment in paid]
    assert kinds == sorted(kinds, key=[STEP, MARK].index)
    grouped = [p for p in paid if p.kind == STEP and stack[p.unit].group]
    assert len(grouped) <= 1
    for before, after in zip(stack, pool.targets, strict=True):
        lost = sum((p.kind, p.unit) == (STEP, before.unit) for p in paid)
        assert after.steps == before.steps - lost >= 0
        assert not after.steps or after.price > pool.points or (before.group and grouped)
        assert not (after.steps and after.markable and pool.points)


def endings(pool: Pool) -> set[tuple[int, ...]]:
    """Steps left to each unit, over all ways to pay."""
    if not (steps := [payment for payment in payments(pool) if payment.kind == STEP]):
        return {tuple(target.steps for target in pool.targets)}
    return set[tuple[int, ...]]().union(*(endings(pay(pool, step)) for step in steps))


@given(
    st.integers(0, 8),
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=3),
    st.booleans(),
)
def test_picking_one_by_one_reaches_every_legal_allotment_and_no_other(
    points: int, stack: list[tuple[int, int]], led: bool
):
    """12.2.8r, against all allotments written out: the rest may not buy one more step."""
    members = tuple(Target(unit, steps, price) for unit, (steps, price) in enumerate(stack))
    lead_pays = led and members[0].steps and members[0].price <= points
    legal: set[tuple[int, ...]] = set()
    for lost in itertools.product(*(range(target.steps + 1) for target in members)):
        rest = points - sum(n * target.price for n, target in zip(lost, members, strict=True))
        left = tuple(target.steps - n for n, target in zip(lost, members, strict=True))
        more = any(n and target.price <= rest for n, target in zip(left, members, strict=True))
        if rest >= 0 and not more and (lost[0] or not lead_pays):
            legal.add(left)
    assert endings(Pool(points, members, (Duty(0),) if led else ())) == legal
