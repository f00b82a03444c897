"""Short ways to look at matches and to play on from them."""

from __future__ import annotations

import pytest

from apennine.kernel.decision import Option
from apennine.kernel.match import IllegalChoice, Match
from apennine.testing import Shorthand
from tests.kernel.toy import Toy

TOY = Toy()
SHORT = Shorthand(TOY, idle=("end", "hold"))


def moving() -> Match:
    """A match in which Red moves its runners."""
    match = Match(TOY, seed=1)
    SHORT.pass_on(match, until="move", side=0)
    return match


def test_units_and_places_are_named():
    assert SHORT.number("Blue 1") == 2
    assert SHORT.units("Red 1, Blue 1") == 0b101
    assert SHORT.mask("H01 H03") == 0b1010
    assert SHORT.option("go", "Red 2", "H03") == Option("go", 1, 3)


def test_what_is_asked_is_read_by_verbs_units_and_hexes():
    match = moving()
    assert SHORT.asked(match).side == 0
    assert SHORT.verbs(match) == {"go", "end"}
    assert SHORT.names(match, "go") == {"Red 1", "Red 2"}
    assert SHORT.hexes(match, "go", "Red 1") < SHORT.hexes(match, "go")


def test_an_order_takes_the_first_offer_with_what_is_named():
    match = moving()
    first = next(o for o in SHORT.offers(match) if (o.verb, o.unit) == ("go", 1))
    SHORT.do(match, "go", "Red 2")
    assert match.position.hex[1] == first.hex
    with pytest.raises(IllegalChoice):
        SHORT.do(match, "fly", "Red 1")


def test_what_is_refused_changes_nothing_and_what_is_not_fails():
    match = moving()
    assert SHORT.refused(match, "go", "Red 1", "H11").sentence
    with pytest.raises(AssertionError, match="is not refused"):
        SHORT.refused(match, "end")


def test_a_preview_is_that_of_an_offer():
    match = moving()
    (hex, *_) = sorted(SHORT.hexes(match, "go", "Red 2"))
    assert SHORT.preview(match, "go", "Red 2", hex).cost
    with pytest.raises(AssertionError, match="is not offered"):
        SHORT.preview(match, "go", "Red 2", "H11")


def test_one_can_stay_idle_to_a_phase_or_a_turn():
    match = moving()
    SHORT.next_turn(match)
    assert match.position.turn == 2
    assert [event.value for event in SHORT.events(match, "turn begins")] == [1, 2]
    assert len(SHORT.rolls(match)) == 2
    with pytest.raises(AssertionError, match="never comes"):
        SHORT.pass_on(Match(TOY, "endless", seed=1), until="dinner")
