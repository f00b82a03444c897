from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.table.position import DESTROYED, GERMAN, Table
from apennine.games.anzio.table.war import War
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.drawing import do, names, number, play, refused, table, told, verbs


def movement(war: War, pos: Table) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


@rule("anzio", "B4F11")
def test_units_are_disbanded_only_at_the_end_of_the_own_turn():
    counters = "5 Br @ Q62; 46 Br @ Sicilia; 16 Pz @ T60"
    assert "disband units" not in verbs(play(table(counters), movement))
    match = play(table(counters, "end"), end_phase)
    do(match, "disband units")
    assert names(match, "disband") == {"5 Br", "46 Br"}
    assert refused(match, "disband", "16 Pz").rule == "B4F11"
    do(match, "disband", "46 Br")
    assert told(match, "is destroyed") == ["46 Br"]
    assert match.position.hex[number("46 Br")] == DESTROYED
    german = play(table(counters, "end", GERMAN), end_phase)
    do(german, "disband units")
    do(german, "keep all units")
    assert "end turn" in verbs(german)
