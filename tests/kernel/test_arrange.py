from __future__ import annotations

from typing import Any

import pytest

from apennine.kernel.game import GameError
from apennine.kernel.match import Match
from apennine.testing import arrange
from tests.kernel.playing import take
from tests.kernel.toy import RESERVE, Lanes, LineBoard, Toy

GAME = Toy()


def test_counters_stand_where_they_are_drawn_and_the_others_are_gone():
    pos = arrange(GAME, "Red 1 @ H05; Blue 2 @ H07", others="Reserve", phase="move", side=1)
    assert pos.hex == [5, RESERVE, RESERVE, 7]
    assert (pos.phase, pos.side, pos.turn) == ("move", 1, 1)


def test_a_drawing_may_have_lines_comments_and_several_counters_in_a_place():
    pos = arrange(
        GAME,
        """
        Red 1, Blue 1 @ Reserve     # out of the game
        Red 2 @ H03
        """,
        others=None,
    )
    assert pos.hex == [RESERVE, 3, RESERVE, 9]


def test_a_mark_with_a_value_sets_an_item_of_a_list_and_a_bare_one_sets_a_bit():
    pos = arrange(GAME, "Red 1, Blue 2 @ Reserve moved hex=4", others=12, where="hex", check=False)
    assert pos.moved == 0b1001
    assert pos.hex == [4, 12, 12, 4]


def test_fields_are_set_by_name():
    pos = arrange(GAME, "", others=None, scenario="endless", turn=5, plan=[2, 1])
    assert (pos.turn, pos.plan, pos.last_turn) == (5, [2, 1], 9999)


def test_a_match_begins_with_what_was_drawn_and_the_dice_are_forced_in_one_line():
    pos = arrange(GAME, "Red 1 @ H05; Blue 1 @ H07", others="Reserve", phase="move")
    match = Match(GAME, position=pos)
    match.force(6, 6)
    take(match, "go/Red 1@H06", "snipe/Blue 1@H06")
    assert match.outcome.reason == "Red has no runner left."


def test_the_name_of_a_place_may_have_several_words():
    class Wide(LineBoard):
        def parse(self, text: str) -> int:
            return RESERVE if text == "Red Reserve" else super().parse(text)

    pos = arrange(Toy(board=Wide()), "Red 1 @ Red Reserve moved", others=None)
    assert (pos.hex[0], pos.moved) == (RESERVE, 1)


@pytest.mark.parametrize(
    ("drawing", "fields", "kind", "sentence"),
    [
        ("Red 1 H05", {}, ValueError, "'Red 1 H05' does not say where"),
        ("Red 9 @ H05", {}, GameError, "Lanes has no unit called 'Red 9'"),
        ("Red 1 @ H99", {}, ValueError, "'H99' is neither a hex nor a box of Lanes"),
        ("Red 1 @", {}, ValueError, "'' is neither a hex nor a box of Lanes"),
        ("Red 1 @ H05 mud", {}, ValueError, "Lanes has no field 'mud'; it has turn, phase"),
        ("Red 1 @ H05 plan=1", {}, ValueError, "Lanes.plan is not a list with an item for each"),
        ("Red 1 @ H05 shots", {}, ValueError, "Lanes.shots is not a mask of units"),
        ("", {"mud": 3}, ValueError, "Lanes has no field 'mud'"),
        ("Red 1, Red 2 @ H05", {}, ValueError, "finds fault with this position: H05 is crowded."),
    ],
)
def test_a_drawing_that_does_not_read_is_refused_in_a_sentence(
    drawing: str, fields: dict[str, Any], kind: type[Exception], sentence: str
):
    with pytest.raises(kind) as error:
        arrange(GAME, drawing, others=None, **fields)
    assert sentence in str(error.value)


def test_a_position_that_is_wrong_on_purpose_can_be_had():
    pos = arrange(GAME, "Red 1, Red 2 @ H05", others=None, check=False)
    assert isinstance(pos, Lanes)
    assert len(GAME.check(pos)) == 2
