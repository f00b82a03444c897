"""Chapter 12.2.8: hit points."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_losses import Bill, asterisk, convert, repulse
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    do,
    names,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
)


def paying(
    counters: str,
    who: str,
    points: int,
    lead: str = "",
    shock: str = "",
    side: int = CENTRAL,
    **fields: Any,
) -> Match[Table]:
    """A side pays some hit points with some units."""
    pos = table(counters, side, **fields)
    chief = number(lead) if lead else -1
    troops = units(shock) if shock else 0
    bill = Bill(side, units(who), points, chief, troops)
    return play(pos, lambda war, pos: convert(war, pos, bill))


@rule("italia1918", "12.2.8o")
def test_the_books_second_example():
    match = paying("4 ID, AlpK Leib @ W0504", "4 ID, AlpK Leib", 2, lead="4 ID")
    assert steps(match, "AlpK Leib") == 1  # the division cannot pay, so the regiment must
    assert steps(match, "4 ID") == 3


@rule("italia1918", "12.2.8p", "12.2.8n")
def test_the_books_third_example():
    match = paying("4 ID, AlpK Leib @ W0504", "4 ID, AlpK Leib", 3, lead="AlpK Leib")
    assert steps(match, "AlpK Leib") == 1
    assert match.position.disorganized == units("AlpK Leib")


@rule("italia1918", "12.2.3i", "15.3.1e")
def test_the_example_of_the_stosstruppen():
    stack = "AlpK Leib, DJD 11, Stoss 1 @ W0504"
    match = paying(
        stack,
        "AlpK Leib, DJD 11",
        4,
        lead="AlpK Leib",
        shock="Stoss 1",
        hosts={"Stoss 1": "DJD 11"},
    )
    assert names(match, "lose a step") == {"AlpK Leib", "Stoss 1"}
    do(match, "lose a step", "Stoss 1")
    assert names(match, "lose a step") == {"AlpK Leib", "DJD 11"}
    do(match, "lose a step", "DJD 11")
    assert steps(match, "AlpK Leib") == 2
    assert match.position.hex[number("Stoss 1")] == LOST


@rule("italia1918", "12.2.8i", "12.2.3f")
def test_the_lead_unit_takes_the_first_loss():
    match = paying("4 ID, 13 SchD @ W0504", "4 ID, 13 SchD", 6, lead="13 SchD")
    assert steps(match, "13 SchD") == 2  # nobody was asked
    assert names(match, "lose a step") == {"4 ID", "13 SchD"}


@rule("italia1918", "12.2.8k", "12.2.3h", "15.3.2e")
def test_a_sturmbataillon_loses_first_and_not_in_place_of_the_lead_unit():
    stack = "4 ID, 13 SchD, SturmB 1 @ W0504"
    match = paying(
        stack, "4 ID, 13 SchD", 5, lead="4 ID", shock="SturmB 1", hosts={"SturmB 1": "13 SchD"}
    )
    assert told(match, "is eliminated") == ["SturmB 1"]
    assert steps(match, "4 ID") == 2
    assert steps(match, "13 SchD") == 3


@rule("italia1918", "12.2.8k", "15.3.3f")
def test_arditi_too_and_not_for_a_single_point():
    stack = "22 DF, Arditi 1 @ W0504"
    given: dict[str, Any] = {"lead": "22 DF", "shock": "Arditi 1", "side": ENTENTE}
    hosts = {"Arditi 1": "22 DF"}
    match = paying(stack, "22 DF", 2, **given, hosts=hosts)
    assert told(match, "is eliminated") == ["Arditi 1"]
    assert not match.position.disorganized
    small = paying(stack, "22 DF", 1, **given, hosts=hosts)
    assert told(small, "is eliminated") == []
    assert small.position.disorganized == units("22 DF")


@rule("italia1918", "12.2.8f")
def test_one_support_of_assault_troops_pays_and_no_more():
    stack = "4 ID, 3 ID/216, SturmB 1, SturmB 2 @ W0504"
    match = paying(
        stack,
        "4 ID, 3 ID/216",
        4,
        lead="4 ID",
        shock="SturmB 1, SturmB 2",
        hosts={"SturmB 1": "4 ID", "SturmB 2": "3 ID/216"},
    )
    do(match, "lose a step", "SturmB 1")
    assert told(match, "is eliminated") == ["SturmB 1"]
    assert match.position.disorganized  # two points are left, and buy no step


@rule("italia1918", "12.2.8l")
def test_in_defence_assault_troops_lose_last():
    stack = "4 ID, AlpK Leib, SturmB 1 @ W0504"
    match = paying(stack, "4 ID, AlpK Leib", 5, lead="4 ID", hosts={"SturmB 1": "4 ID"})
    assert told(match, "is eliminated") == []
    assert steps(match, "AlpK Leib") == 1
    alone = paying("4 ID, SturmB 1 @ W0504", "4 ID", 2, lead="4 ID", hosts={"SturmB 1": "4 ID"})
    assert told(alone, "is eliminated") == ["SturmB 1"]


@rule("italia1918", "12.2.8m", "12.2.8r")
def test_the_rest_goes_as_the_owner_likes_and_one_unit_may_be_wiped_out():
    match = paying("4 ID, 13 SchD, 3 ID/216 @ W0504", "4 ID, 13 SchD, 3 ID/216", 9, lead="4 ID")
    do(match, "lose a step", "4 ID")
    do(match, "lose a step", "4 ID")
    assert match.position.hex[number("4 ID")] == LOST
    assert steps(match, "13 SchD") == 3


@rule("italia1918", "12.2.8g", "12.2.8n")
def test_what_buys_no_step_disorganizes_the_lead_unit_first():
    match = paying("4 ID, 13 SchD, 33 ID @ W0504", "4 ID, 13 SchD, 33 ID", 2, lead="13 SchD")
    assert match.position.disorganized == units("13 SchD")
    assert names(match, "disorganize") == {"4 ID", "33 ID"}
    do(match, "disorganize", "33 ID")
    assert match.position.disorganized == units("13 SchD, 33 ID")


@rule("italia1918", "12.2.8n", "12.5e")
def test_one_point_disorganizes_one_unit_and_a_surplus_is_lost():
    match = paying("4 ID @ W0504", "4 ID", 2, lead="4 ID")
    assert match.position.disorganized == units("4 ID")
    assert match.outcome


@rule("italia1918", "15.2.2m", "15.2.2o")
def test_under_bombardment_the_owner_chooses_freely():
    match = paying("22 DF, 37 DF @ W0505", "22 DF, 37 DF", 3, side=ENTENTE)
    assert names(match, "lose a step") == {"22 DF", "37 DF"}
    assert refused(match, "lose a step", "4 ID").rule == "1.0a"


@rule("italia1918", "12.2.8q", "12.2.5b", "15.3.1d")
@pytest.mark.parametrize(("troops", "host"), [("Stoss 1", "AlpK Leib"), ("SturmB 1", "4 ID")])
def test_an_asterisk_kills_assault_troops_that_gave_the_column(troops: str, host: str):
    pos = table(f"{host}, {troops} @ W0504", hosts={troops: host})
    match = play(pos, lambda war, pos: asterisk(war, pos, units(troops)))
    assert told(match, "is eliminated") == [troops]
    none = play(pos, lambda war, pos: asterisk(war, pos, 0))
    assert told(none, "is eliminated") == []


@rule("italia1918", "15.3.2d", "15.3.3e")
def test_the_asterisk_finds_sturmbataillone_and_arditi():
    pos = table("22 DF, Arditi 1 @ W0504", ENTENTE, hosts={"Arditi 1": "22 DF"})
    match = play(pos, lambda war, pos: asterisk(war, pos, units("Arditi 1")))
    assert told(match, "is eliminated") == ["Arditi 1"]
    assert WAR.assault & units("SturmB 1, Arditi 1, Stoss 1") == units(
        "SturmB 1, Arditi 1, Stoss 1"
    )


@rule("italia1918", "12.2.4d", "12.2.3e")
def test_a_cancelled_attack_costs_three_steps_of_the_best():
    pos = table("4 ID, AlpK Leib @ W0504; 3 ID/216 @ W0404")
    pos.attackers = units("4 ID, AlpK Leib, 3 ID/216")
    match = play(pos, repulse)
    assert match.position.hex[number("AlpK Leib")] == LOST  # morale 6, both steps
    assert steps(match, "3 ID/216") == 1  # then morale 5
    assert steps(match, "4 ID") == 3


@rule("italia1918", "12.2.8h")
def test_the_regiments_of_a_display_division_take_its_losses():
    four = "1 Alpini, 5 Alpini, 9 Alpini, 10 Alpini"
    match = paying(f"{four} @ W0504", four, 4, side=ENTENTE, displayed=units(four))
    assert names(match, "lose a step") == set(four.split(", "))
    do(match, "lose a step", "5 Alpini")
    do(match, "lose a step", "5 Alpini")
    assert match.position.hex[number("5 Alpini")] == LOST
    assert match.position.displayed == units("1 Alpini, 9 Alpini, 10 Alpini")
