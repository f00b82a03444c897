"""Chapter 10.3 and 10.4: step losses and Remnants."""

from apennine.games.italy43.rules import c10_steps
from apennine.games.italy43.rules.c02_pieces import elite, formation_of, mountaineers
from apennine.games.italy43.table.position import LOST, Table
from apennine.kernel.decision import Choice, Option
from apennine.testing import rule
from tests.games.italy43.drawing import WAR, number, table, units


def lose(pos: Table, name: str, answer: str = "") -> list[str]:
    """A unit loses a step; the verbs that its owner was offered."""
    procedure, sent, offered = c10_steps.lose_step(WAR, pos, number(name), "10.3"), None, []
    while True:
        try:
            told = procedure.send(sent)
        except StopIteration:
            return offered
        sent = None
        if isinstance(told, Choice):
            offered = [option.verb for option in told.options]
            sent = Option(answer, number(name))


@rule("italy43", "10.3")
def test_a_step_lost_flips_a_unit_and_the_last_one_eliminates_it():
    pos = table("100/34 @ 2318")
    assert lose(pos, "100/34") == []
    assert pos.steps[number("100/34")] == 1
    lose(pos, "100/34")
    assert pos.hex[number("100/34")] == LOST


@rule("italy43", "10.4.1a", "10.4.2a")
def test_the_second_loss_of_three_steps_may_leave_a_remnant():
    pos = table("7/3 @ 2318 steps=2")
    assert lose(pos, "7/3", "keep a remnant") == ["keep a remnant", "disband"]
    assert pos.remnants == units("7/3")
    assert WAR.attack[number("7/3")][pos.steps[number("7/3")]] == 2
    pos = table("7/3 @ 2318 steps=2")
    lose(pos, "7/3", "disband")
    assert pos.hex[number("7/3")] == LOST
    assert not pos.remnants


@rule("italy43", "10.4.2b")
def test_without_a_free_remnant_the_unit_is_eliminated():
    pos = table("505/82 @ 2123 steps=1; 504/82 @ 2124 steps=2")
    assert lose(pos, "504/82") == []
    assert pos.hex[number("504/82")] == LOST


@rule("italy43", "10.4.3")
def test_an_eliminated_remnant_is_free_again():
    pos = table("505/82 @ 2123 steps=1; 504/82 @ 2124 steps=2")
    lose(pos, "505/82")
    assert lose(pos, "504/82", "keep a remnant") == ["keep a remnant", "disband"]


@rule("italy43", "10.4.1b", "8.4.4b")
def test_a_remnant_has_the_marks_of_its_own_counter():
    pos = table("1SSF @ 2318 steps=1; 504/82 @ 2319 steps=1; 7/3 @ 2320 steps=1")
    assert not mountaineers(WAR, pos) & units("1SSF")
    assert elite(WAR, pos) & units("1SSF, 504/82") == units("504/82")
    assert formation_of(WAR, pos, number("7/3")) == -1
    assert formation_of(WAR, pos, number("504/82")) >= 0
