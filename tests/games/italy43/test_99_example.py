"""The extended example of play, as far as its text tells it; the pictures are lost.

The tracks run in one match from the set-up. Where units stand in the battles is our own: the places
fit every number, terrain and word of the text.
"""

from apennine.games.italy43.table.data import SPACES
from apennine.games.italy43.table.position import GERMAN, Table
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from tests.games.italy43.drawing import (
    ALLIED,
    GAME,
    MUD,
    RAIN,
    SHORT,
    WAR,
    at,
    begin,
    do,
    names,
    number,
    refused,
    steps,
    told,
    units,
    verbs,
)


def rolls(match: Match[Table]) -> list[tuple[str, tuple[int, ...]]]:
    """The columns and dice of the battles so far."""
    return [(roll.column, roll.faces) for roll in SHORT.rolls(match) if roll.column]


def phase(match: Match[Table], name: str, side: int) -> None:
    """Do nothing more until a phase of a side asks something."""
    SHORT.pass_on(match, until=name, side=side)


def test_the_tracks_of_the_first_three_turns():
    match = Match(GAME, "campaign", {"disengagements": True}, seed="example")
    pos = match.position
    # Turn 1: no weather phase; nine German units may not move.
    assert (pos.turn, pos.phase, pos.side) == (1, "initial", GERMAN)
    assert pos.frozen.bit_count() == 9
    assert pos.supply == [0, 1]
    do(match, "ready", "XIV ASU")
    assert match.position.supply[GERMAN] == 0
    assert match.position.ready & units("XIV ASU")
    do(match, "start a fortification", hex="1908")  # on the Gustav Line
    assert "start a fortification" not in verbs(match)
    phase(match, "movement", GERMAN)
    assert refused(match, "move", "8/3PG").rule == "S3.3.2"
    # The recon unit goes to the flank by Tactical Movement; three units meet in a city.
    for unit in ("115/15", "Reggio", "II/FJ3"):
        do(match, "move", unit)
        do(match, "go", hex="2220")
        if "halt" in verbs(match):
            do(match, "halt")
    assert {match.position.hex[number(u)] for u in ("115/15", "Reggio", "II/FJ3")} == {at("2220")}
    phase(match, "movement", ALLIED)
    pos = match.position
    assert pos.supply[ALLIED] == 0
    assert {pos.hex[number(u)] for u in ("201/56", "40 RTR")} == {at("S1")}
    assert pos.hex[number("133/34")] == at("S2")
    assert refused(match, "move", "504/82").rule == "S3.3.5a"
    assert pos.hungry == 0  # all Germans were in supply

    # Turn 2: a 3 moves the weather to F, rain and mud, and readies a Nebelwerfer.
    match.force(3)
    while match.position.turn == 1:
        SHORT.idle(match)
    pos = match.position
    assert SPACES[pos.weather] == "F"
    assert pos.supply == [0, 1]
    assert not pos.hungry
    phase(match, "initial", GERMAN)
    pos = match.position
    assert not pos.frozen & units("8/3PG, 103/3PG")
    # One infantry replacement: for a battalion of the 15th, not for paratroops or reconnaissance.
    assert {"II/104/15", "115/15"} <= names(match, "replace")
    assert not {"II/FJ3", "HG Rcn"} & names(match, "replace")
    do(match, "replace", "II/104/15")
    assert steps(match, "II/104/15") == WAR.full[number("II/104/15")]
    do(match, "start a fortification", hex="2105")
    phase(match, "movement", GERMAN)
    assert match.position.supply[GERMAN] == 1  # saved
    phase(match, "movement", ALLIED)
    pos = match.position
    assert not pos.replaced  # the marker has come off
    artillery = units("46 Br ASU, 56 Br ASU, 7 Br ASU, 3 ASU, 45 ASU")
    assert {pos.hex[number(u)] for u in ("46 Br ASU", "56 Br ASU", "7 Br ASU")} == {at("S1")}
    assert not pos.ready & artillery  # five, on their Fired side
    assert pos.hex[number("157/45")] == pos.hex[number("751 Tk")] == at("S2")

    # Turn 3: a 5 moves it two spaces, past A to B; all division artillery is ready again.
    match.force(5)
    while match.position.turn == 2:
        SHORT.idle(match)
    pos = match.position
    assert SPACES[pos.weather] == "B"
    assert pos.supply == [2, 2]
    assert pos.ready & artillery == artillery
    assert pos.naval
    assert pos.air.bit_count() == 2
    assert not pos.flips
    assert pos.hex[number("29/3PG")] == at("N2")
    assert "remove" in verbs(match) or not {"II/FJ3", "III/FJ3"} & _on_map(pos)


def _on_map(pos: Table) -> set[str]:
    return {WAR.names[unit] for unit, hex in enumerate(pos.hex) if hex >= 0}


def fight(
    match: Match[Table], hex: str, attackers: str, main: str, attached: str, die: int
) -> None:
    """Declare an attack up to the support, or to the fall of the die if there is none."""
    match.force(die)
    do(match, "attack", hex=hex)
    for name in attackers.split(", "):
        if name in names(match, "attack with"):
            do(match, "attack with", name)
    if "fight" in verbs(match):
        do(match, "fight")
    if "main assault" in verbs(match):
        do(match, "main assault", main)
    if "attach" in verbs(match):
        do(match, "attach", attached)
        if "assemble" in verbs(match):
            do(match, "assemble")


def test_turn_1_x_seventh_armoured_against_the_ridge():
    counters = """
        131/7, 167/56 @ 2623; 22/7, 11H/7 @ 2722; 169/56 @ 2622
        2/HG @ 2723 steps=2; Pz/HG @ 2723; 71 NW @ 2721"""
    match = begin(counters, "combat", weather=RAIN, ready=units("71 NW"))
    fight(match, "2723", "131/7, 167/56, 22/7, 11H/7, 169/56", "131/7", "167/56", 6)
    # 21 is capped at 20; the tank is not doubled in the hills: 10. The Nebelwerfer shifts one left.
    do(match, "fire", "71 NW")
    assert rolls(match) == [("1-1", (6,))]
    assert not match.position.ready & units("71 NW")
    do(match, "fall back")
    while "retreat" in verbs(match):
        SHORT.idle(match)
    assert set(told(match, "retreats")) == {"2/HG", "Pz/HG"}
    assert match.position.advance == 2


def test_turn_1_y_third_division_over_the_mountains():
    counters = "7/3, 15/3, 601 TD @ 2824; 30/3 @ 2724; II/9/26 @ 2823"
    match = begin(counters, "combat", weather=RAIN)
    assert "601 TD" in names_of_attack(match, "2823")  # by the pass
    fight(match, "2823", "7/3, 15/3, 601 TD, 30/3", "7/3", "601 TD", 3)
    assert rolls(match) == [("1-1", (3,))]  # 10 to 6, and EX
    assert match.decision is not None
    # The German picks the Allied loss, an infantry regiment; his own unit is reduced.
    assert isinstance(match.decision, Choice)
    assert match.decision.side == GERMAN
    do(match, "lose a step", "7/3")
    assert steps(match, "7/3") == 2
    assert steps(match, "II/9/26") == 1
    assert told(match, "retreats") == []


def names_of_attack(match: Match[Table], hex: str) -> set[str]:
    """Who could attack a hex."""
    fork = match.fork()
    do(fork, "attack", hex=hex)
    return names(fork, "attack with")


def test_turn_1_z_benevento_could_be_attacked_at_1_1():
    match = begin("179/45, 191 Tk @ 3726; 129R/29 @ 3625", "combat", weather=RAIN)
    fight(match, "3625", "179/45, 191 Tk", "179/45", "191 Tk", 1)
    assert rolls(match)[0][0] == "1-1"  # 9 to 6


def test_turn_2_a_the_reconnaissance_unit_ignores_its_loss():
    counters = "22/7, 11H/7, 40 RTR @ 2020; HG Rcn @ 1920"
    match = begin(counters, "combat", weather=MUD)
    fight(match, "1920", "22/7, 11H/7, 40 RTR", "22/7", "40 RTR", 6)
    assert rolls(match) == [("3-1", (6,))]  # mud and tanks cancel each other
    assert steps(match, "HG Rcn") == 1
    assert told(match, "ignores the loss") == ["HG Rcn"]
    while "fall back" in verbs(match):
        do(match, "fall back")
    do(match, "retreat", "HG Rcn", "1918")
    assert match.position.disrupted == units("HG Rcn")


def test_turn_3_a_removed_unit_in_the_eliminated_box_forfeits_the_replacement():
    counters = "III/FJ3 @ 2518; XIV ASU @ 2415; 115/15 @ 2316 steps=2"
    match = begin(counters, "muster", GERMAN, turn=3, lost="II/FJ3", weather=1)
    assert sum(match.position.due) == 1
    assert refused(match, "replace", "115/15").rule == "22.2.2a"
    do(match, "remove")
    assert sum(match.position.due) == 0


def test_turn_3_b_two_units_and_a_tank_disengage_as_one_group():
    counters = "115/15, II/FJ3 @ 2221; StuG/HG @ 2221; HG ASU @ 2219; 167/56 @ 2322"
    match = begin(counters, "combat", GERMAN, weather=1, disengagements=True, ready=units("HG ASU"))
    assert {"attack", "disengage", "disengage all"} <= verbs(match)
    match.force(6)
    do(match, "disengage all", hex="2221")
    for unit in ("115/15", "II/FJ3", "StuG/HG"):
        if unit in names(match, "retreat"):
            do(match, "retreat", unit)
    assert set(told(match, "retreats")) == {"115/15", "II/FJ3", "StuG/HG"}
