"""The exact chances of combats, against thousands that were played by default."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from apennine.games.italia1918.rules.c02_pieces import attached
from apennine.games.italia1918.rules.c12_combat import resolve
from apennine.games.italia1918.rules.c12_guns import bombard
from apennine.games.italia1918.rules.c12_lead import lead_units
from apennine.games.italia1918.rules.c12_odds import defenders
from apennine.games.italia1918.rules.c12_retreat import abandon
from apennine.games.italia1918.table.position import ENTENTE, Table
from apennine.games.italia1918.telling.battle_chances import (
    CANCELLED,
    SHELLED,
    End,
    Fate,
    Prospect,
    bombarded,
    forecast,
    shells,
)
from apennine.games.italia1918.telling.default_play import (
    bearable,
    best_lead,
    by_default,
    ground_given,
)
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Procedure, Roll
from tests.games.italia1918.drawing import WAR, number, units
from tests.games.italia1918.fighting import battle

HQ = "HQ 6 Armee @ W0508"
EVEN = f"4 ID @ W0507; 64 DF @ W0406; {HQ}"
STACKS = f"4 ID, 55 ID/26 @ W0507; 33 ID @ W0407; 64 DF, 3 Alpini @ W0406; {HQ}"
OURS, THEIRS = "CArt XVI K, CArt VII K, AArt 6 A", "CArt I CdA, CArt II CdA"
GUNS = f"{STACKS}; {OURS} @ W0508; {THEIRS} @ W0306"


def from_guns_on(pos: Table) -> Procedure:
    """A combat from its bombardments to its end."""
    for role in (0, 1):
        yield from bombard(WAR, pos, role)
    yield from lead_units(WAR, pos)
    if pos.leads[0] >= 0:
        yield from resolve(WAR, pos, False)
    yield from abandon(WAR, pos, pos.target, 1 - pos.side)


def play(pos: Table, random: Random) -> End:
    """The combat is fought with chance dice, both sides playing by default."""
    sides, before = (pos.attackers, defenders(WAR, pos)), list(pos.steps)
    fighters = [side | attached(WAR, pos, side) for side in sides]
    procedure, sent, hits = from_guns_on(pos), None, SHELLED
    while True:
        try:
            told = procedure.send(sent)
        except StopIteration:
            break
        sent = None
        if isinstance(told, Roll):
            sent = tuple(random.randint(1, sides) for sides in told.sides)
        elif isinstance(told, Choice):
            sent = by_default(WAR, pos, told)
        elif "owes" in told.verb:
            hits = f"A{pos.hits[0]} D{pos.hits[1]}"
        elif "cancelled" in told.verb:
            hits = CANCELLED
    grades = ("", "") if hits == CANCELLED else (pos.grades[0], pos.grades[1])
    ours, theirs = (sum(before[u] - pos.steps[u] for u in bits(units)) for units in fighters)
    taken = any(pos.hex[unit] == pos.target for unit in bits(sides[0]))
    return End(hits, grades, Fate(taken, ours, theirs))


CASES = {
    "one against one": battle(EVEN, "W0406", "4 ID"),
    "in the morning fog": battle(EVEN, "W0406", "4 ID", scenario="solstice", fog=True),
    "stacks": battle(STACKS, "W0406", "4 ID, 55 ID/26, 33 ID"),
    "storm troops": battle(
        f"{STACKS}; SturmB 1 @ W0507",
        "W0406",
        "55 ID/26, 4 ID",
        hosts={"SturmB 1": "55 ID/26"},
        shock=units("SturmB 1"),
    ),
    "guns on both sides": battle(
        GUNS,
        "W0406",
        "4 ID, 55 ID/26, 33 ID",
        guns=(OURS, THEIRS),
        counter=units("CArt II CdA, CArt VII K"),
    ),
    "shelled out": battle(
        f"4 ID @ W0507; Fant 1 @ W0406; {OURS} @ W0508; {HQ}", "W0406", "4 ID", guns=(OURS, "")
    ),
    "misunderstood by both": battle(
        "22 DF, 64 DF @ W0406; 50 ID, 33 ID @ W0507; HQ VI Armata @ W0306",
        "W0507",
        "22 DF, 64 DF",
        side=ENTENTE,
        disorganized=units("33 ID"),
    ),
    "hopeless": battle(f"55 ID/26 @ W0507; 64 DF, 22 DF @ W0406; {HQ}", "W0406", "55 ID/26"),
    "nearly trapped": battle(
        f"4 ID @ W0507; 33 ID @ W0307; 50 ID @ W0405; 64 DF @ W0406; {HQ}", "W0406", "4 ID, 33 ID"
    ),
}
SAMPLE, BATTLES = 500, 10_000


def compare(name: str, battles: int) -> None:
    pos = CASES[name]
    before = pos.state()
    chances, random = forecast(WAR, pos), Random(name)
    assert pos.state() == before, "a forecast changes the position"
    assert sum(chances.values()) == 1
    seen = Counter(play(pos.copy(), random) for _ in range(battles))
    assert set(seen) <= set(chances)
    for end, chance in chances.items():
        p = float(chance)
        expected = battles * p
        if min(expected, battles - expected) > 5:
            assert abs(seen[end] - expected) < 5 * (expected * (1 - p)) ** 0.5, (end, p)


@pytest.mark.parametrize("name", CASES)
def test_chances_are_those_of_combats_that_are_played(name: str):
    compare(name, SAMPLE)


def test_a_combat_is_a_few_parts_and_its_cases_have_what_they_are_called_for():
    def prospect(name: str) -> Prospect:
        return Prospect(forecast(WAR, CASES[name]))

    assert set(prospect("hopeless").hits) == {CANCELLED}
    assert SHELLED in prospect("shelled out").hits
    for role in (0, 1):
        assert prospect("misunderstood by both").grades(role)["misunderstood"] > 0
    guns = CASES["guns on both sides"]
    assert len(bombarded(WAR, guns)) > 1
    assert all(sum(shells(WAR, guns, role).values()) == 1 for role in (0, 1))
    assert prospect("guns on both sides").taken > prospect("stacks").taken


def test_the_lead_has_morale_first_and_then_steps():
    pos = CASES["stacks"]
    assert best_lead(WAR, pos, units("4 ID, 55 ID/26")) == number("55 ID/26")
    assert best_lead(WAR, pos, units("4 ID, 33 ID")) == number("4 ID")
    assert best_lead(WAR, pos, units("64 DF, 3 Alpini")) == number("3 Alpini")


def test_a_defender_gives_ground_when_half_of_him_is_at_stake():
    pos = CASES["one against one"].copy()  # 64 DF has two steps at three hit points each
    assert bearable(WAR, pos) == 2
    for points, hexes in ((2, 0), (3, 1), (5, 1), (6, 2), (12, 2)):
        pos.hits = [0, points]
        assert ground_given(WAR, pos, 2) == hexes


@pytest.mark.proof
@pytest.mark.parametrize("name", CASES)
def test_chances_are_those_of_10_000_combats(name: str):
    compare(name, BATTLES)
