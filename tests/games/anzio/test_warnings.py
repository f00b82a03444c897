"""Warnings: what a player will want to know before it hurts."""

from apennine.games.anzio.table.position import ALLIED, GERMAN, OPEN
from apennine.games.anzio.telling.warnings import warnings
from tests.games.anzio.drawing import WAR, at, base, table, units

SALERNO = base("Salerno zone")


def ashore(counters: str = "", **fields):
    pos = table(counters, **fields)
    pos.bases[SALERNO] = OPEN
    pos.friendly |= WAR.ground.bases[SALERNO].hexes
    return pos


def told(pos, side: int = ALLIED) -> dict[str, str]:
    return {warning.rule: warning.sentence for warning in warnings(WAR, pos, side)}


def test_units_out_of_supply_are_told_of_and_those_about_to_starve():
    pos = table("56 Br @ Q62")
    assert "two turns" in told(pos)["C9A7"]
    pos.hungry = units("56 Br")
    assert "will be destroyed" in told(pos)["C9A7"]
    assert "C9A7" not in told(ashore("56 Br @ N60"))
    assert "C9A7" not in told(table("56 Br @ Q62", lift=units("56 Br")))  # it has just landed


def test_units_over_capacity_are_counted():
    counters = (
        "36 US, 45 US @ N60; 46 Br, 56 Br @ O60; 5 Br, 78 Br @ O61; "
        "34 US, 3 US @ N61; 8 Ind, 1 Br @ O62"
    )
    pos = ashore(counters, over=units("1 Br"))
    assert "3 stacking points are over Capacity" in told(pos)["C9C8b1"]


def test_inverted_counters_in_reach_of_the_enemy_are_in_danger():
    pos = ashore("56 Br @ N60 steps=1; 16 Pz @ N55")
    found = next(w for w in warnings(WAR, pos, ALLIED) if w.rule == "C10C3")
    assert found.hex == at("N60")
    assert "56 Br" in found.sentence
    assert "C10C3" not in told(ashore("56 Br @ N60 steps=1; 5 Br @ N60; 16 Pz @ N55"))
    assert "C10C3" not in told(ashore("56 Br @ N60 steps=1; 16 Pz @ A14"))
    assert "C10C3" not in told(ashore("56 Br @ N60 steps=1; Ers inf 1 @ N55"))  # no attack factor


def test_who_has_no_retreat_is_told_so():
    ring = "16 Pz @ Q62; 5 Br @ Q61; 46 Br @ P63; 56 Br @ R62; 78 Br @ Q63"
    assert "no retreat" in told(table(ring), GERMAN)["B4G4b"]
    assert "B4G4b" not in told(table("16 Pz @ Q62; 5 Br @ Q61"), GERMAN)


def test_the_end_and_a_gap_in_the_front_are_foretold():
    pos = ashore("56 Br @ N60; 16 Pz @ Q15", turn=15)
    assert "last turn" in told(pos, GERMAN)["C15C"]
    assert "C15C" not in told(ashore("56 Br @ N60; 16 Pz @ Q15", turn=5), GERMAN)
    line = (
        "16 Pz @ N57; HG @ P57; 1 Para @ R55; 15 PzG @ T54; 2 Para @ V52; 26 Pz @ X50; "
        "29 PzG @ L57; 3 PzG @ K57"
    )
    assert "you lack 4 places" in told(ashore(f"56 Br @ N60; {line}", turn=14))["C15B1"]
