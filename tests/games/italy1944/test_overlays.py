"""Overlays that warn: who could be cut off or overrun, and by which way a unit is fed."""

from __future__ import annotations

from tests.games.italy1944.drawing import ALLIED, GAME, GERMAN, codes, table


def threatened(side: int, counters: str, **fields: str) -> set[str]:
    return codes(GAME.overlay(table("movement", side, counters, **fields), "threats", side))


def test_a_lone_brigade_before_an_army_corps_could_be_overrun():
    corps = "8 I @ 1104; 78 Inf @ 1104; 6 Arm @ 1104; 1 C @ 1104"
    assert "1105" in threatened(GERMAN, f"{corps}; Lehr @ 1105")
    assert "1105" not in threatened(GERMAN, "8 I @ 1104; 1 FJ @ 1105; 26 Pz @ 1105; 29 PG @ 1105")


def test_nobody_is_threatened_by_an_enemy_who_is_far_away():
    assert threatened(ALLIED, "US 34 @ 3322; 94 ID @ 1105") == set()


def test_a_unit_whose_way_home_the_enemy_could_close_is_threatened():
    alone = "US 34 @ 2519; 94 ID @ 2618; 15 PG @ 2620"
    assert "2519" in threatened(ALLIED, alone)


def test_the_line_of_one_unit_leads_from_it_to_what_feeds_it():
    pos = table("movement", ALLIED, "US 34 @ 3020; 94 ID @ 1105")
    everything = codes(GAME.overlay(pos, "supply", ALLIED))
    line = codes(GAME.overlay(pos, "supply", ALLIED, GAME.unit("US 34")))
    assert "3020" in line
    assert line < everything
    fed = pos.centre[ALLIED]
    assert GAME.board.code(fed) in line or line & codes(GAME.war.sources[ALLIED])
