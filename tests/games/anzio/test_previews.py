"""Previews of Anzio: ways, odds, what each die brings, and the exact chances of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from apennine.games.anzio.rules.b4c_movement import movement_phase
from apennine.games.anzio.rules.b4e_zones import there
from apennine.games.anzio.rules.b4f_battle import fight
from apennine.games.anzio.rules.b4f_forecast import forecast
from apennine.games.anzio.rules.b4h_odds import odds
from apennine.games.anzio.table.position import ALLIED, GERMAN, Table
from apennine.games.anzio.telling.previews import PREVIEWS, battle, in_words, label
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option, Roll
from tests.games.anzio.drawing import WAR, at, do, mask, number, play, table, units
from tests.games.anzio.fighting import combat, declare

BATTLES = 10_000
PLAIN = "56 Br, 36 US, 45 US @ W53; 29 PzG @ W52"


def told(preview: Any) -> dict[str, str]:
    return {line.text: line.value for line in preview.lines}


def declared(
    counters: str, attackers: str, target: str, side: int = ALLIED, **fields: Any
) -> Table:
    pos = table(counters, "combat", side, **fields)
    pos.attackers, pos.targets, pos.round = units(attackers), mask(target), 1
    return pos


def test_a_battle_is_previewed_die_by_die():
    pos = table(PLAIN, "combat")
    found = battle(WAR, pos, units("56 Br, 36 US, 45 US"), mask("W52"))
    assert found.column == "2-1"
    lines = told(found)
    assert (lines["56 Br"], lines["Defence of W52"], lines["odds"]) == ("4", "6", "13 to 6")
    assert lines["die 1"] == "attackers lose 1; defenders lose 2 and retreat"
    assert lines["die 6"] == "attackers lose 3 and retreat"
    assert "automatic victory: not yet" in lines
    assert sum(chance.probability for chance in found.chances) == 1
    assert Fraction(1, 6) in {chance.probability for chance in found.chances}


def test_doubled_losses_and_their_reason_are_shown():
    pos = table("56 Br, 36 US, 45 US @ Q62; 29 PzG @ P62", "combat")
    assert WAR.ground.mountains >> at("P62") & 1
    lines = told(battle(WAR, pos, units("56 Br, 36 US, 45 US"), mask("P62")))
    assert lines["the attackers' losses"] == "doubled"
    assert lines["odds"] == "13 to 18"  # a mountain behind a river: tripled
    assert lines["die 5"] == "attackers lose 2 and retreat"


def test_an_automatic_victory_and_the_points_of_a_breakthrough_are_told():
    pos = table("56 Br, 36 US @ W53; Ers inf 1 @ W52", "combat")
    found = battle(WAR, pos, units("56 Br, 36 US"), mask("W52"))
    lines = told(found)
    assert found.column == "8-1"
    assert "automatic victory: yes" in lines
    assert lines["die 1"] == (
        "attackers lose 1; defenders are destroyed; breakthrough of 16 points"
    )


def test_a_lower_column_is_previewed_as_such():
    pos = declared(PLAIN, "56 Br, 36 US, 45 US", "W52")
    found = PREVIEWS["fight at"](WAR, pos, Option("fight at", value=WAR.ladder.index("1-2")))
    assert found.column == "1-2"


def test_previews_follow_what_is_declared():
    match = combat(PLAIN)
    if match.position.targets:
        declare(match, "W52", "56 Br")
    pos = match.position
    one = PREVIEWS["attack with"](WAR, pos, Option("attack with", number("45 US")))
    assert told(one)["45 US"] == "5"
    whole = PREVIEWS["attack"](
        WAR, table(PLAIN, "combat", round=1, due=mask("W52")), Option("attack", hex=at("W52"))
    )
    assert whole.column == "2-1"


def test_a_move_shows_its_way_its_price_and_whom_it_meets():
    match = play(table("56 Br @ X55; 29 PzG @ W52"), movement_phase)
    do(match, "move", "56 Br")
    found = PREVIEWS["go"](WAR, match.position, Option("go", number("56 Br"), at("W53")))
    assert found.path[0] == at("X55")
    assert found.path[-1] == at("W53")
    assert told(found)["must attack"] == "W52"
    assert "point" in found.cost


def test_results_have_short_and_long_words():
    pos = declared("56 Br @ W53; 29 PzG @ W52", "56 Br", "W52")
    dice = forecast(WAR, pos, pos.attackers, pos.targets, WAR.ladder.index("1-2"))
    assert [label(each) for each in dice] == ["A1 D1R", "-", "AR", "AR", "A1R", "A2R"]
    assert in_words(dice[1]) == "nothing"


# The chances, against battles that were fought.


def first_answer(choice: Choice) -> Option:
    """The stated default play: losses where the menu begins, the first retreat, no advance."""
    options = list(choice.options)
    plain = [o for o in options if o.verb in ("end advance", "stop", "stand")]
    return (plain or options)[0]


def fought(pos: Table, random: Random) -> tuple[int, int, bool]:
    """The steps that both sides have lost in the battle itself, and whether the hex was vacated."""
    attackers = pos.attackers
    column = odds(WAR, pos, attackers, pos.targets).column
    defenders = there(WAR, pos, 1 - pos.side).among(pos.targets)
    target = pos.targets
    before = list(pos.steps)
    procedure, sent = fight(WAR, pos, column), None
    while True:
        try:
            item = procedure.send(sent)
        except StopIteration:
            break
        sent = None
        if isinstance(item, Roll):
            sent = (random.randint(1, 6),)
        elif isinstance(item, Choice):
            sent = first_answer(item)
    lost = [sum(before[u] - pos.steps[u] for u in bits(side)) for side in (attackers, defenders)]
    left = there(WAR, pos, 1 - pos.side).occupied & target
    return lost[0], lost[1], not left


@pytest.mark.parametrize(
    ("counters", "attackers", "target", "side"),
    [
        ("56 Br, 36 US, 45 US @ Q62; 29 PzG @ P62", "56 Br, 36 US, 45 US", "P62", ALLIED),
        ("HG, 26 Pz @ W53; 56 Br @ W52", "HG, 26 Pz", "W52", GERMAN),
    ],
)
def test_the_chances_are_those_of_ten_thousand_battles(
    counters: str, attackers: str, target: str, side: int
):
    start = declared(counters, attackers, target, side)
    column = odds(WAR, start, start.attackers, start.targets).column
    dice = forecast(WAR, start, start.attackers, start.targets, column)
    held = sum(start.steps[u] for u in bits(there(WAR, start, 1 - side).among(start.targets)))
    expected: Counter[tuple[int, int, bool]] = Counter()
    for each in dice:
        theirs = held if each.destroyed else each.defender
        gone = each.destroyed or each.defender_retreats
        expected[each.attacker, min(theirs, held), gone] += 1
    random = Random("anzio")
    seen = Counter(fought(start.copy(), random) for _ in range(BATTLES))
    assert set(seen) == set(expected)
    for result, count in expected.items():
        assert abs(seen[result] / BATTLES - count / 6) < 0.02
