"""B4D: stacking, wherever units come to a hex: by land, by sea, over an edge, after battles."""

from __future__ import annotations

from apennine.games.anzio.table.position import ALLIED, DUE, GERMAN
from apennine.testing import rule
from tests.games.anzio.drawing import base, do, hexes, number, play, refused, table
from tests.games.anzio.fighting import HERE, attack, combat
from tests.games.anzio.test_c5_sea import at_work, landing, movement
from tests.games.anzio.test_c11_replacements import raising
from tests.games.anzio.test_d5_commandos import raiding

FULL = {ALLIED: "36 US, 45 US", GERMAN: "15 PzG, 26 Pz, 65 Inf"}
"""Eight points of a side."""


@rule("anzio", "B4D1", "B4D2")
def test_nobody_lands_where_eight_points_stand():
    match = landing(f"5 Br @ Sicilia; {FULL[ALLIED]} @ N61")
    assert "N62" in hexes(match, "land")
    assert refused(match, "land", "5 Br", "N61").rule == "B4D1"
    match = raiding(f"2SS @ Sicilia; {FULL[ALLIED]} @ P68")
    assert "P68" not in hexes(match, "raid")
    assert refused(match, "raid", "2SS", "P68").rule == "B4D1"


@rule("anzio", "B4D1")
def test_nobody_sails_to_a_full_port():
    napoli = base("Napoli", port=True)
    match = at_work(f"5 Br @ Sicilia; {FULL[ALLIED]} @ K57", napoli)
    do(match, "move", "5 Br")
    assert refused(match, "sail", "5 Br", "K57").rule == "B4D1"


@rule("anzio", "B4D1")
def test_nobody_comes_over_the_edge_into_a_full_hex():
    pos = table(f"44 Inf @ Sicilia; {FULL[GERMAN]} @ K7", side=GERMAN)
    pos.hex[number("44 Inf")] = DUE
    match = play(pos, movement)
    do(match, "move", "44 Inf")
    assert "L7" in hexes(match, "come on")
    assert refused(match, "come on", "44 Inf", "K7").rule == "B4D1"


@rule("anzio", "B4D1")
def test_no_replacement_comes_to_a_full_city():
    match = raising(f"{FULL[GERMAN]} @ Q15")
    assert "F45" in hexes(match, "raise")
    assert refused(match, "raise", "Ers inf 1", "Q15").rule == "B4D1"


@rule("anzio", "B4D1")
def test_a_breakthrough_does_not_end_in_a_full_hex():
    match = combat(f"1 Arm @ W51; Ers inf 1 @ W52; {FULL[ALLIED]} @ W54", armor=True)
    attack(match, HERE, "1 Arm", dice=[4])
    do(match, "advance", "1 Arm", "W53")
    assert refused(match, "go on", "1 Arm", "W54").rule == "B4D1"
    assert refused(match, "press on", "1 Arm", "W54").rule == "B4D1"
    assert hexes(match, "press on")
