"""The exact chances of battles, against 10,000 battles that were played by default."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from apennine.games.italy43.rules.c08_odds import REGULAR, assault_force
from apennine.games.italy43.rules.c10_results import resolve
from apennine.games.italy43.rules.c11_determined import defenders
from apennine.games.italy43.table.position import GERMAN, NOBODY, Table
from apennine.games.italy43.telling.battle_chances import (
    Fate,
    best_lead,
    enemy_loss,
    forecast,
    own_loss,
    stands,
)
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option, Roll
from tests.games.italy43.drawing import ALLIED, WAR, at, mask, number, table, units

BATTLES = 10_000
AROUND = "15/3 @ 2120; 30/3 @ 2121; 141/36 @ 2021; 142/36 @ 1921; 143/36 @ 1920"
CITY = "7/3, 15/3 @ 2419; 577/305, II/FJ3 @ 2519"
SHUT_IN = "128/46 @ 2518; 138/46 @ 2618; 139/46 @ 2619; 131/7 @ 2520; 167/56 @ 2418"


def declared(
    counters: str, target: str, attackers: str, side: int = ALLIED, **fields: Any
) -> Table:
    """A battle with its attackers named, the first of them in the main force."""
    full: dict[str, Any] = {"steps": list(WAR.full)}
    pos = table(counters, "combat", side, **full | fields)
    pos.target, pos.attackers = at(target), units(attackers)
    pos.main = number(attackers.split(",")[0])
    return pos


def play(pos: Table, random: Random) -> tuple[str, Fate]:
    """The battle is fought with chance dice, both sides playing by default."""
    result, before = "", {u: pos.steps[u] for u in bits(pos.attackers | defenders(WAR, pos))}
    procedure, sent = resolve(WAR, pos, REGULAR), None
    while True:
        try:
            told = procedure.send(sent)
        except StopIteration as stop:
            verdict = stop.value
            break
        sent = None
        if isinstance(told, Roll):
            sent = tuple(random.randint(1, sides) for sides in told.sides)
        elif isinstance(told, Choice):
            sent = by_default(pos, told)
        elif told.verb == "result":
            result = list(WAR.book.results)[told.value]
    lost = [0, 0]
    for unit, steps in before.items():
        lost[WAR.side_of[unit] != pos.side] += steps - pos.steps[unit]
    return result, Fate(verdict.vacated, lost[0], lost[1])


def by_default(pos: Table, choice: Choice) -> Option:
    options = list(choice.options)
    verb = options[0].verb
    if verb == "lose a step":
        named = sum(1 << option.unit for option in options)
        own = WAR.army[choice.side] & named
        unit = own_loss(pos, named) if own else enemy_loss(pos, named)
        return Option(verb, unit)
    if verb == "lead":
        return Option(verb, best_lead(WAR, pos, REGULAR))
    if verb == "take the die":
        return max(options, key=lambda option: option.value)
    return next((o for o in options if o.verb == "hold fire"), options[0])


def expected(pos: Table) -> dict[tuple[str, Fate], Fraction]:
    return forecast(WAR, pos, REGULAR).map(lambda end: (end.outcome.result, end.fate))


CASES = {
    "open ground": declared("7/3, 15/3 @ 2019; 129/15, II/FJ3, Pz/HG @ 2020", "2020", "7/3, 15/3"),
    "trapped": declared(f"7/3 @ 2019; 577/305 @ 2020; {AROUND}", "2020", "7/3, 15/3"),
    "trapped battalions": declared(
        f"7/3 @ 2019; II/FJ3, Reggio @ 2020; HG ASU @ 2020; {AROUND}", "2020", "7/3"
    ),
    "city": declared(CITY, "2519", "7/3, 15/3"),
    "city that has given way": declared(
        f"{CITY}; {SHUT_IN}", "2519", "7/3, 15/3", battles=mask("2519")
    ),
    "howitzers": declared("7/3 @ 2019; 129/15 @ 2020", "2020", "7/3", howitzers=True),
    "reconnaissance": declared("22/7 @ 1920; 131/7 @ 1921; HG Rcn @ 2020", "2020", "22/7, 131/7"),
    "major assault": declared("7/3 @ 2019; 129/15 @ 2020", "2020", "7/3", dice=3),
    "worn attackers": declared("II/FJ3 @ 2019; 2/509, 1 Rgr @ 2020", "2020", "II/FJ3", side=GERMAN),
}


@pytest.mark.parametrize("name", CASES)
def test_chances_are_those_of_10_000_battles(name: str):
    pos = CASES[name]
    chances, random = expected(pos), Random(name)
    assert sum(chances.values()) == 1
    seen = Counter(play(pos.copy(), random) for _ in range(BATTLES))
    assert set(seen) <= set(chances)
    for end, chance in chances.items():
        p = float(chance)
        off = abs(seen[end] - BATTLES * p) / (BATTLES * p * (1 - p)) ** 0.5 if p < 1 else 0
        assert off < 4.5, (end, p, seen[end] / BATTLES)


def test_the_best_lead_is_elite_and_then_strong():
    pos = declared("7/3 @ 2019; 577/305, II/FJ3, I/104/15, 267/94 @ 2020", "2020", "7/3")
    assert best_lead(WAR, pos, REGULAR) == number("I/104/15")
    pos.disrupted = units("I/104/15, II/FJ3")
    assert best_lead(WAR, pos, REGULAR) == number("577/305")
    pos.disrupted |= units("577/305, 267/94")
    assert best_lead(WAR, pos, REGULAR) == NOBODY


def test_a_clear_hex_holds_in_15_of_36_and_the_howitzers_make_it_harder():
    pos = declared("7/3 @ 2019; 577/305 @ 2020", "2020", "7/3")
    holds = stands(WAR, pos, number("577/305")).chance(lambda cell: cell.verdict == "H")
    assert holds == Fraction(15, 36)
    pos.howitzers = True
    shelled = stands(WAR, pos, number("577/305")).chance(lambda cell: cell.verdict == "H")
    assert shelled < holds


def test_a_forecast_leaves_the_position_alone():
    pos = CASES["trapped"]
    before = pos.copy()
    forecast(WAR, pos, REGULAR)
    assert pos.state() == before.state()
    assert assault_force(WAR, pos) == units("7/3, 15/3")
