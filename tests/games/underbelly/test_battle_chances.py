"""The chances that a preview promises are those of battles fought by the default play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.games.underbelly.rules import c13_battle as battle
from apennine.games.underbelly.rules.c07_zones import those_in
from apennine.games.underbelly.rules.c11_supply import status
from apennine.games.underbelly.rules.c13_deployment import deploy
from apennine.games.underbelly.rules.c13_fire import offensive_volley
from apennine.games.underbelly.table.position import GERMAN, Table
from apennine.games.underbelly.telling.battle_chances import (
    BROKEN_OFF,
    HELD,
    TAKEN,
    End,
    Lineup,
    average_losses,
    forecast,
    summary,
)
from apennine.games.underbelly.telling.default_play import (
    Fighter,
    falls_back,
    fights_on,
    heaviest,
    weakest,
)
from apennine.games.underbelly.telling.lineup import in_line, lineup, state
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Event, Option, Roll, settled
from apennine.kernel.game import Preview
from tests.games.underbelly.skirmish import (
    WAR,
    at,
    attack,
    begin,
    do,
    fire,
    lines,
    mask,
    preview,
    table,
)


def deployed(pos: Table, origin: str, target: str, *, air: bool = False) -> Table:
    """The same position with a battle on the Battle Board, all units of a hex attacking."""
    side = pos.side
    pos.origin, pos.target = at(origin), at(target)
    pos.force = pos.attackers = those_in(WAR, pos, pos.origin, side)
    pos.supply = status(WAR, pos, pos.origin, side)
    procedure = deploy(WAR, pos)
    answer = None
    while True:
        try:
            item = procedure.send(answer)
        except StopIteration:
            return pos
        support = Option("air support" if air else "no air support")
        answer = support if type(item) is Choice else None


def by_default(pos: Table, fighters: Lineup, menu: Sequence[Option], side: int) -> Option:
    """What the default play makes of a question after the deployment."""
    left, verb = state(WAR, pos), menu[0].verb
    attackers, defenders = in_line(WAR, pos.attackers), in_line(WAR, pos.defenders)
    if verb in ("shell", "bomb"):
        verb = "shell" if any(option.verb == "shell" for option in menu) else "bomb"
        place = heaviest(fighters.defenders, left.defenders, support_too=verb == "bomb")
        target = defenders[place]
    elif verb == "fire at" and side == pos.side:
        target = defenders[weakest(fighters.defenders, left.defenders, left.rubble)]
    elif verb == "fire at":
        target = attackers[heaviest(fighters.attackers, left.attackers)]
    elif verb == "break off":
        shots = [number for _, number in offensive_volley(WAR, pos)]
        return Option("fight on" if fights_on(shots) else "break off")
    elif verb == "retreat":
        return Option("retreat" if falls_back(sum(left.defenders)) else "stand")
    else:
        # The best shot after a force that is gone, any unit to recover, any hex to retreat to,
        # anybody to advance: the chances do not hang on it.
        return menu[0]
    # The best shot at a target; the menu has it first.
    return next(option for option in menu if option.verb == verb and option.unit == target)


def play_battle(pos: Table, fighters: Lineup, random: Random) -> End:
    """Both sides by the default play, from the barrage to the retreat."""
    attackers, defenders = list(bits(pos.attackers)), list(bits(pos.defenders))
    before = list(pos.steps)
    procedure = battle.exchange_fire(WAR, pos)
    broken_off = False
    answer: Any = None
    while True:
        try:
            item = procedure.send(answer)
        except StopIteration:
            break
        answer = None
        if type(item) is Roll:
            answer = (random.randint(1, 10),)
        elif type(item) is Choice:
            answer = by_default(pos, fighters, settled(item.options), item.side)
        elif type(item) is Event:
            broken_off = broken_off or item.verb == "attack is broken off"
    left = any(pos.hex[unit] == pos.target for unit in defenders)
    result = BROKEN_OFF if broken_off else HELD if left else TAKEN
    lost = [sum(before[u] - pos.steps[u] for u in force) for force in (attackers, defenders)]
    return End(result, lost[0], lost[1])


FORT = {"forts": mask("3409"), "tac_active": True, "tac": 1, "bomber": True}
BATTLES = {
    "a fort under bombs": ("US 36, US 45, US VI @ 3309; 16 Pz, XIV Pz @ 3409", FORT),
    "a weak attack": ("US 36 @ 3309 steps=1; US 45 @ 3309; 16 Pz, 29 PG, XIV Pz @ 3409", {}),
    "with nowhere to go": (
        "US 36, US 45, US 3, US VI @ 3309; 16 Pz @ 3409; 5 Inf @ 3508; 1 C @ 3410",
        {},
    ),
    "corps support alone": ("US 36 @ 3309; XIV Pz @ 3409", {}),
}


def compare(pos: Table, count: int) -> None:
    """Play a battle so often, and hold every end of it against its chance."""
    fighters = lineup(WAR, pos)
    promised = forecast(fighters)
    random = Random(1943)
    found = Counter(play_battle(pos.copy(), fighters, random) for _ in range(count))
    assert set(found) <= set(promised)
    for end, chance in promised.items():
        spread = float(count * chance * (1 - chance)) ** 0.5
        assert abs(found[end] - count * chance) <= 4.5 * spread + 1, (end, found[end], chance)


def test_ten_thousand_battles_end_as_the_preview_says():
    pos = table("US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409")
    compare(deployed(pos, "3309", "3409"), 10_000)


@pytest.mark.parametrize("name", list(BATTLES))
def test_other_battles_end_as_the_preview_says(name: str):
    counters, fields = BATTLES[name]
    pos = deployed(table(counters, **fields), "3309", "3409", air="tac" in fields)
    compare(pos, 1_500)


def test_a_german_attack_on_a_city_ends_as_the_preview_says():
    counters = "HG, 15 PG, XIV Pz @ 2521; 46 Inf, US 36, X Corps @ 2522"
    compare(deployed(table(counters, GERMAN, switched=True), "2521", "2522"), 1_500)


def test_a_preview_shows_the_forecast_of_the_battle():
    counters = "US 36, US 45, US VI @ 3309; 16 Pz, 29 PG @ 3409"
    match = begin(counters)
    do(match, "attack", hex="3309")
    for unit in ("US 36", "US 45"):
        do(match, "attack with", unit)
    shown = preview(match, "attack with", "US VI")
    promised = summary(forecast(lineup(WAR, deployed(table(counters), "3309", "3409"))))
    assert [chance.probability for chance in shown.chances] == list(promised.values())
    assert sum(promised.values()) == 1
    assert lines(shown)["attack: US 36, 2 shots"] == "5 or less"
    assert lines(shown)["defence: 16 Pz, 2 shots"] == "7 or less"


def test_a_mixed_stack_is_previewed_with_the_grouping_that_can_attack():
    match = begin("US 36, 46 Inf, 56 Inf @ 3309; 16 Pz @ 3409; 29 PG @ 3410")
    do(match, "attack", hex="3309")
    shown = lines(preview(match, "target", hex="3409"))
    assert shown["attack: 46 Inf, 2 shots"] == "4 or less (printed 5)"
    assert "attack: US 36, 2 shots" not in shown


def test_the_chances_of_fighting_on_are_those_of_the_shots_that_are_left():
    match = begin("US 36, US 45 @ 3309; 16 Pz @ 3409 steps=1; US 3 @ 3508; US 34 @ 3410")
    attack(match, "3309", "3409", "US 36", "US 45", dice=(1,))
    fire(match, "US 36")
    shown = {chance.result: chance.probability for chance in preview(match, "fight on").chances}
    # One shot at 4 and two at 6; one hit is enough, for nobody can retreat.
    missed = Fraction(6, 10) * Fraction(4, 10) ** 2
    assert shown == {"the hex is taken": 1 - missed, "the defender holds": missed}


def test_one_division_against_another_by_hand():
    # One shot each of a reduced unit: the defender fires first.
    lineup = Lineup((Fighter(5, 4, 1),), (Fighter(6, 5, 1),))
    # Hit (1/2): the last division is gone, so the attack is broken off and the step comes back.
    # Missed: the attacker's 4 kills; nobody can retreat, so the hex is his.
    assert forecast(lineup) == {
        End(BROKEN_OFF, 0, 0): Fraction(1, 2),
        End(TAKEN, 0, 1): Fraction(1, 5),
        End(HELD, 0, 0): Fraction(3, 10),
    }
    # With a way out the defender saves the step, for the one shot that killed him was the last.
    assert forecast(lineup._replace(defenders=(Fighter(6, 5, 1, retreats=True),))) == {
        End(BROKEN_OFF, 0, 0): Fraction(1, 2),
        End(TAKEN, 0, 0): Fraction(1, 5),
        End(HELD, 0, 0): Fraction(3, 10),
    }
    # In a city there is neither.
    assert forecast(lineup._replace(city=True)) == {
        End(HELD, 1, 0): Fraction(1, 2),
        End(TAKEN, 0, 1): Fraction(1, 5),
        End(HELD, 0, 0): Fraction(3, 10),
    }


def test_a_second_shot_bars_the_retreat_of_a_force_that_is_gone():
    lineup = Lineup((Fighter(10, 10, 2),), (Fighter(0, 0, 1, retreats=True),))
    assert forecast(lineup) == {End(TAKEN, 0, 1): Fraction(1)}
    lineup = Lineup((Fighter(5, 5, 2),), (Fighter(0, 0, 1, retreats=True),))
    assert forecast(lineup) == {
        End(TAKEN, 0, 1): Fraction(1, 4),
        End(TAKEN, 0, 0): Fraction(1, 2),
        End(HELD, 0, 0): Fraction(1, 4),
    }


def test_bombs_on_a_fort_leave_rubble_half_the_time():
    # The bombers always hit here, the division needs a 1 and in rubble cannot hit at all.
    lineup = Lineup((Fighter(1, 1, 1),), (Fighter(0, 0, 2),), bombs=10, rubble=5, cover=1)
    assert forecast(lineup) == {
        End(TAKEN, 0, 2): Fraction(1, 20),
        End(HELD, 0, 1): Fraction(19, 20),
    }


FIGHTERS = st.builds(
    Fighter,
    full=st.integers(-1, 10),
    reduced=st.integers(-1, 9),
    steps=st.integers(1, 2),
    support=st.just(False),
    retreats=st.booleans(),
)
FORCES = st.lists(FIGHTERS, min_size=1, max_size=3).map(tuple)


@settings(max_examples=60, deadline=None)
@given(FORCES, FORCES, st.integers(0, 6), st.booleans(), st.booleans())
def test_chances_make_up_one_and_losses_fit_the_forces(
    attackers: tuple[Fighter, ...],
    defenders: tuple[Fighter, ...],
    barrage: int,
    bombers: bool,
    city: bool,
):
    lineup = Lineup(
        attackers, defenders, barrage, 5 if bombers else 0, 5 if bombers and city else 0, 1, city
    )
    ends = forecast(lineup)
    assert sum(ends.values()) == 1
    assert all(chance > 0 for chance in ends.values())
    for end in ends:
        assert 0 <= end.attacker <= sum(f.steps for f in attackers)
        assert 0 <= end.defender <= sum(f.steps for f in defenders)
        assert not (city and end.result == BROKEN_OFF)
    assert sum(summary(ends).values()) == 1
    assert all(loss >= 0 for loss in average_losses(ends))


def test_a_better_number_never_takes_the_hex_less_often():
    def taken(number: int) -> Fraction:
        lineup = Lineup(
            (Fighter(number, number - 1, 2),) * 2, (Fighter(5, 4, 2, retreats=True),) * 2, city=True
        )
        return summary(forecast(lineup)).get(TAKEN, Fraction(0))

    chances = [taken(number) for number in range(1, 11)]
    assert chances == sorted(chances)
    assert chances[-1] > chances[0]


def test_the_german_learns_no_more_from_a_preview_than_from_the_top_of_the_stack():
    shown: list[Preview] = []
    for beneath in ("US 45", "1 C"):
        match = begin(f"US 36, {beneath} @ 3309; 16 Pz, 29 PG @ 3409", GERMAN)
        do(match, "attack", hex="3409")
        found = preview(match, "attack with", "16 Pz")
        assert lines(found)["units unseen, taken to be like the top one"] == "1"
        shown.append(found)
    assert shown[0] == shown[1]
