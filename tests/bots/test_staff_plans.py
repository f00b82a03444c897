"""The staff kit's posts, attacks, aims, marches and judges."""

from itertools import permutations
from math import inf
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.bots.staff.chances import Result, attack_worth
from apennine.bots.staff.judge import (
    DONE,
    GLADLY,
    JudgingBot,
    Kept,
    Shelf,
    decide,
    of_nearly_equal,
    overall,
    taste,
)
from apennine.bots.staff.march import THERE, best_end, headway, parties
from apennine.bots.staff.mass import Attack, Memory, converge, leanest, mass
from apennine.bots.staff.posts import (
    NEVER,
    Goal,
    Movers,
    Posts,
    draw_near,
    first_come,
    garrison,
    match,
    relieve,
    strengthen,
)
from apennine.bots.staff.weights import AimWeights, MarchWeights
from apennine.hexes import Mask
from apennine.kernel.decision import Option

MARCH = MarchWeights()


def two_at_most(unit: int, hex: int, there: Mask) -> bool:
    return there.bit_count() < 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=4))
def test_as_many_posts_are_manned_as_can_be(able: list[list[bool]]):
    """Against every way of giving the posts to units."""
    posts = range(len(able))

    def fit(unit: int, hex: int) -> float:
        return float(unit) if able[hex][unit] else NEVER

    found = match(posts, range(4), fit)
    assert len(set(found.values())) == len(found)
    assert all(able[hex][unit] for hex, unit in found.items())
    most = max(
        sum(able[hex][unit] for hex, unit in zip(posts, order, strict=False))
        for order in permutations(range(4))
    )
    assert len(found) == most


def test_a_garrison_takes_who_fits_best_and_no_more_than_there_is_room_for():
    posts = Posts([3, 1, 2], two_at_most)
    posts.settle(7, 10)
    garrison(posts, [10], lambda unit, _hex: unit, count=5)
    assert posts.goals == {3: Goal(10)}
    assert posts.free == [1, 2]
    assert (posts.count(10), posts.occupied()) == (2, 1 << 10)


def test_who_stands_in_a_post_stays_there():
    posts = Posts([0, 1], two_at_most)
    away = {(0, 10): 0, (0, 11): 1, (1, 10): 1, (1, 11): inf}
    first_come(posts, {10: 1.0, 11: 1.0}, lambda unit, hex: away[unit, hex], 0.1)
    assert {unit: goal.hex for unit, goal in posts.goals.items()} == {0: 10}
    assert posts.free == [1], "the other cannot get to the post that is left"


def test_what_others_have_shared_out_is_settled_here_too():
    posts, storm = Posts([0, 1, 2], two_at_most), Posts([1], two_at_most)
    posts.settle(7, 10)
    storm.send(1, 10)
    posts.take_over(storm)
    assert posts.free == [0, 2]
    assert posts.goals == {1: Goal(10)}
    assert not posts.room(0, 10)


def test_the_post_that_lacks_most_gets_the_next_unit():
    posts = Posts(range(5), two_at_most)
    strengthen(posts, {10: 10.0, 11: 3.0}, lambda unit, _hex: -unit, lambda _unit: 2.0, most=2)
    assert [posts.goals[unit].hex for unit in range(4)] == [10, 10, 11, 11]
    assert posts.free == [4]


def test_no_more_go_than_are_wanted_and_the_nearest_first():
    posts = Posts([0, 1, 2], two_at_most)
    first_come(posts, {3: 1.0, 4: 1.0, 5: 1.0}, lambda u, hex: float(u + hex), most=2)
    assert {u: goal.hex for u, goal in posts.goals.items()} == {0: 3, 1: 4}


def test_posts_are_relieved_until_they_lack_no_more_than_will_do():
    posts = Posts(range(6), two_at_most)
    lacking = {3: 2.5, 4: 1.5, 5: 0.4}

    def lack(hex: int) -> float:
        return lacking[hex] - posts.count(hex)

    def who(hex: int) -> int:
        return posts.best(hex, lambda unit, _hex: unit)

    relieve(posts, lacking, lack, who, lambda hex, lacks: 10 * hex + lacks, enough=0.45)
    assert posts.goals == {5: Goal(3, 32.5), 4: Goal(4, 41.5), 3: Goal(3, 31.5), 2: Goal(4, 40.5)}
    assert posts.free == [0, 1]


def test_who_is_left_goes_where_he_is_told_or_stays_free():
    posts = Posts([0, 1], two_at_most)
    draw_near(posts, lambda unit: 20 if unit else -1, 0.5)
    assert posts.goals == {1: Goal(20, 0.5)}
    assert posts.free == [0]


def test_attacks_are_chosen_by_worth_and_thought_over_when_units_are_gone():
    posts = Posts([0, 1, 2], two_at_most)

    def think(target: int) -> Attack | None:
        units = [u for u in posts.free if u in {50: (0, 1), 51: (1, 2)}[target]]
        if not units:
            return None
        goals = tuple((unit, target + 10) for unit in units)
        return Attack(len(units) + (target == 50), target, sum(1 << u for u in units), goals)

    chosen = mass(posts, [50, 51], think, least=0.5)
    assert [(attack.target, attack.worth) for attack in chosen] == [(50, 3), (51, 1)]
    assert {unit: goal.hex for unit, goal in posts.goals.items()} == {0: 60, 1: 60, 2: 61}
    fresh = Posts([0, 1, 2], two_at_most)
    posts = fresh
    assert [attack.target for attack in mass(fresh, [50, 51], think, most=1)] == [50]


def test_a_force_has_nobody_who_adds_nothing():
    strength = {1: 2, 2: 3, 3: 9}
    steps = leanest([1, 2, 3], lambda units: sum(strength[u] for u in units) // 4)
    assert steps == [2, 3]
    assert leanest([1, 2, 3], lambda _units: 0.0, must=1 << 2) == [2]


def aims(*rounds: dict[int, float], **weights: float) -> list[int]:
    memory = Memory()
    kept = AimWeights(**cast(Any, weights))
    return [memory.aim("main", turn, worths, kept) for turn, worths in enumerate(rounds)]


def test_an_aim_is_kept_though_another_is_a_little_better():
    assert aims({1: 5, 2: 4}, {1: 5, 2: 5.5}, {1: 4.6, 2: 5.5}) == [1, 1, 1]


def test_an_aim_is_dropped_when_it_is_done_or_hopeless_or_far_behind():
    assert aims({1: 5, 2: 4}, {2: 4}) == [1, 2]
    assert aims({1: 5, 2: 4}, {1: 0.0, 2: 0.5}) == [1, 2]
    assert aims({1: 5, 2: 4}, {1: 5, 2: 6.5}) == [1, 2]
    assert aims({1: 5}, {1: -1.0}) == [1, -1]
    assert aims({}) == [-1]


def test_an_aim_that_comes_to_nothing_for_turns_loses_its_privilege():
    still = {1: 5.0, 2: 5.5}
    assert aims({1: 5, 2: 4}, still, still, still, patience=3) == [1, 1, 1, 2]
    rising = ({1: 5.0 + turn, 2: 5.5 + turn} for turn in range(1, 6))
    assert aims({1: 5, 2: 4}, *rising, patience=3) == [1] * 6


def test_aims_of_another_match_are_forgotten():
    memory = Memory()
    assert memory.aim("main", 5, {1: 5, 2: 4}, AimWeights()) == 1
    assert memory.aim("main", 1, {1: 5, 2: 5.5}, AimWeights()) == 2


def test_taste_decides_between_aims_of_nearly_equal_worth_only():
    liking = {1: 0.0, 2: 1.0, 3: 1.0}
    memory, weights = Memory(), AimWeights(whim=1.0)
    assert memory.aim("main", 1, {1: 5, 2: 4.5, 3: 2}, weights, lambda t: liking[t]) == 2
    chosen = {
        Memory().aim("main", 1, {1: 5, 2: 4.9, 3: 3.0}, weights, lambda t, s=seed: taste(s, t))
        for seed in range(30)
    }
    assert chosen == {1, 2}


def test_a_taste_is_always_the_same_and_spread_over_the_seeds():
    assert taste(1, "landing", 7) == taste(1, "landing", 7)
    drawn = [taste(seed, "landing", 7) for seed in range(200)]
    assert 0.4 < sum(drawn) / 200 < 0.6
    assert all(0 <= value < 1 for value in drawn)


def test_of_nearly_equal_things_the_one_liked_most_is_taken():
    worths = {"a": 5.0, "b": 4.8, "c": 1.0}
    assert of_nearly_equal(worths, 0.5, {"a": 0, "b": 1, "c": 2}.__getitem__) == "b"
    assert of_nearly_equal(worths, 9.0, {"a": 0, "b": 1, "c": 2}.__getitem__) == "c"
    assert of_nearly_equal(worths, 9.0, lambda _thing: 0, least=5.0) is None


FIELD = [5, 4, 3, 2, 1, 0]
"""The way to hex 5 along a row of six."""


def test_a_move_is_liked_for_what_it_saves_and_most_for_the_goal():
    likes = [headway(FIELD, 0, there, 5, MARCH, zone=1 << 3) for there in range(6)]
    assert likes[5] == THERE
    assert likes[0] < 0 < likes[1]
    assert likes[4] > likes[2] > likes[3], "nobody stops next to the enemy without need"
    assert headway(FIELD, 5, 4, 5, MARCH) < 0, "who is there stays"
    assert headway(FIELD, 0, 4, -1, MARCH) < 0, "who has no goal stays"


def test_a_march_ends_nearest_to_its_goal_but_not_where_it_is_shunned():
    assert best_end(FIELD, 0, 5, 0b111110, MARCH) == (5, 0.0)
    assert best_end(FIELD, 0, 5, 0b001110, MARCH) == (3, 2.0)
    assert best_end(FIELD, 0, 5, 0b001110, MARCH, [(1 << 3, 9.0)]) == (2, 3.0)
    assert best_end(FIELD, 3, 5, 0b000110, MARCH)[0] == -1


def test_a_party_is_who_goes_to_one_hex_at_one_pace():
    goals = {0: Goal(7), 1: Goal(7), 2: Goal(7), 3: Goal(8), 4: Goal(3)}
    found = parties(goals, range(6), 3, lambda unit: unit == 2)
    assert found == [(7, 0b011), (7, 0b100), (8, 0b1000)]


def seat(*options: Option) -> Any:
    return SimpleNamespace(decision=SimpleNamespace(options=options))


def test_each_option_goes_to_the_judge_of_its_verb():
    stop, go, wave = Option("stop"), Option("go", unit=1, hex=4), Option("wave", unit=1)
    judges = {"stop": DONE, "go": lambda mind, option: mind + option.hex}
    bot = JudgingBot[int](lambda _seat: -5, judges)
    assert bot(seat(stop, go)) == stop
    assert JudgingBot[int](lambda _seat: 5, judges)(seat(stop, go)) == go
    assert bot(seat(wave, stop)) == stop, "what nobody has an opinion on is left alone"


def test_a_judge_may_look_at_the_position_alone():
    judges = {"go": overall(lambda mind: mind - 1.0), "stop": DONE}
    stop, go = Option("stop"), Option("go", unit=1, hex=4)
    assert decide(3, [stop, go], judges) == go
    assert decide(0, [stop, go], judges) == stop


def test_where_nobody_has_an_opinion_a_step_is_ended_if_it_can_be():
    assert decide(0, [Option("a", unit=1), Option("b")], {}) == Option("b")
    assert decide(0, [Option("a", unit=1), Option("a", unit=2)], {}) == Option("a", unit=1)
    assert decide(0, [Option("a", unit=1)], {}, GLADLY) == Option("a", unit=1)


def test_what_is_kept_is_made_anew_for_new_reasons_only():
    kept, made = Kept[int](), list[int]()

    def make() -> int:
        made.append(1)
        return len(made)

    assert [kept.get(reason, make) for reason in ("a", "a", "b", "a")] == [1, 1, 2, 3]


@pytest.mark.parametrize("hex", [10, 11])
def test_nobody_is_best_for_a_post_without_room(hex: int):
    posts = Posts([1], lambda _unit, hex, _there: hex == 10)
    assert posts.best(hex, lambda _unit, _hex: 1.0) == (1 if hex == 10 else -1)


def test_a_shelf_keeps_everything_until_there_is_too_much():
    shelf, made = Shelf(most=2), list[str]()

    def make() -> str:
        made.append("again")
        return made[-1]

    for reason in "abacabd":
        shelf.get(reason, make)
    assert len(made) == 4
    assert [shelf.get(reason, make) for reason in "ad"] == ["again"] * 2
    assert len(made) == 5, "a was cleared away to make room for d"


def test_somebody_walks_into_each_open_place_that_he_can_get_to():
    movers = Movers([0, 1, 2], two_at_most, {0: 0b0011, 1: 0b0110, 2: 0b0001})
    assert movers.within() == 0b0111
    movers.walk_in([0b0010, 0b1000, 0b0100])
    assert {unit: goal.hex for unit, goal in movers.goals.items()} == {0: 1, 1: 2}
    movers.settle(7, 0)
    movers.settle(8, 0)
    assert movers.ends(2) == []


def test_units_converge_on_a_target_until_they_are_enough():
    """Hexes 1 and 4 are opposite to each other; who is bound stays where he is."""
    reach = {0: 0b00010, 1: 0b10110, 2: 0b00110, 3: 0b11111}
    movers = Movers([1, 2, 3], two_at_most, reach)
    movers.settle(0, 1)

    def gathered(enough: float) -> tuple[dict[int, int], float]:
        return converge(
            movers,
            range(4),
            0b10110,
            lambda unit: 1 if unit == 0 else 0,
            lambda placed: 2.0 * len(placed) + (4 in placed.values()),
            enough,
            lambda used, hex: bool(used & 0b10) and hex == 4,
        )

    assert gathered(5) == ({0: 1, 1: 4}, 5.0)
    assert gathered(99) == ({0: 1, 1: 4, 2: 1, 3: 4}, 9.0)
    movers.settle(8, 4)
    movers.settle(9, 4)
    assert gathered(5) == ({0: 1, 1: 1, 2: 2}, 6.0), "there is no room in the hex opposite"


def test_what_was_aimed_at_in_the_turn_before_is_remembered():
    memory = Memory()
    assert memory.noted("attacks", 3) == {}
    memory.note("attacks", 3, {7: 1})
    assert memory.noted("attacks", 3) == {}, "that was this turn"
    memory.note("attacks", 3, {7: 1, 8: 2})
    assert memory.noted("attacks", 4) == {7: 1, 8: 2}
    memory.note("attacks", 4, {8: 2})
    assert memory.noted("attacks", 4) == {7: 1, 8: 2}
    assert memory.noted("other", 4) == {}


def test_an_attack_is_worth_what_the_chart_gives_less_what_it_costs():
    column = [Result(0.5, 1, 0), Result(0.5, 2, 3)]
    assert attack_worth(column, 3, 1.0, 0.5) == 0.5 * -0.5 + 0.5 * (3 - 1 + 1)
    assert attack_worth(column, 4, 1.0, 0.5) == 0.5 * -0.5 + 0.5 * (3 - 1)
    assert attack_worth(column, 2, 0.0, 0.5) == 0.5 * -0.5 + 0.5 * (2 - 1)
