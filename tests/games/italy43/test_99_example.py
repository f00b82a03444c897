"""The extended example of play: one match from the set-up, move by move, as its text tells it.

The pictures are lost. Where the text says who moved and why but not whereto, the places are our
own: they fit every number, terrain and word of it. What must have happened though nobody tells it
(a parachute battalion is in the Eliminated Box in turn 3) is our own too, and said so.
"""

from apennine.games.italy43.table.data import SPACES
from apennine.games.italy43.table.position import GERMAN, GONE, LOST, Table
from apennine.hexes import bits
from apennine.kernel.log import Rolled
from apennine.kernel.match import Match
from tests.games.italy43.drawing import (
    ALLIED,
    GAME,
    SHORT,
    WAR,
    at,
    begin,
    do,
    hexes,
    names,
    number,
    refused,
    steps,
    told,
    units,
    verbs,
)


def battles(match: Match[Table]) -> list[Rolled]:
    """The dice of the battles so far."""
    return [roll for roll in SHORT.rolls(match) if roll.column]


def last_battle(match: Match[Table]) -> tuple[str, tuple[int, ...]]:
    """The column and the dice of the last battle."""
    roll = battles(match)[-1]
    return roll.column, roll.faces


def phase(match: Match[Table], name: str, side: int) -> None:
    """Do nothing more until a phase of a side asks something."""
    SHORT.pass_on(match, until=name, side=side)


def next_turn(match: Match[Table], weather: int) -> None:
    """Go on to the weather phase of the next turn, and let this die fall."""
    turn = match.position.turn
    match.force(weather)
    while match.position.turn == turn:
        SHORT.idle(match)


def where(match: Match[Table], *stack: str) -> set[str]:
    return {WAR.board.code(match.position.hex[number(name)]) for name in stack}


def move(match: Match[Table], hex: str, *each: str, by: str = "") -> None:
    """Units go to a hex one by one, from an entry area by an edge hex."""
    for name in each:
        do(match, "move", name)
        if by:
            do(match, "come on", hex=by)
        do(match, "go", hex=hex)
        if match.position.movers:
            do(match, "halt")
    assert where(match, *each) == {hex}


def attack(match: Match[Table], hex: str, attackers: list[str], attached: str, die: int) -> None:
    """Declare an attack, the first unit leading it, up to the support or to the die."""
    match.force(die)
    do(match, "attack", hex=hex)
    for name in attackers:
        if name in names(match, "attack with"):
            do(match, "attack with", name)
    if "fight" in verbs(match):
        do(match, "fight")
    if "main assault" in verbs(match):
        do(match, "main assault", attackers[0])
    if "attach" in verbs(match):
        do(match, "attach", attached)
        if "assemble" in verbs(match):
            do(match, "assemble")


def pull_back(match: Match[Table]) -> None:
    """Retreat as the first options have it."""
    while "retreat" in verbs(match):
        SHORT.idle(match)


def test_the_extended_example_of_play():
    match = Match(GAME, "campaign", {"disengagements": True}, seed="example")
    german_turn_1(match)
    allied_turn_1(match)
    german_turn_2(match)
    allied_turn_2(match)
    german_turn_3(match)


def german_turn_1(match: Match[Table]) -> None:
    # No weather phase; nine German units may not move.
    pos = match.position
    assert (pos.turn, pos.phase, pos.side) == (1, "initial", GERMAN)
    assert pos.frozen.bit_count() == 9
    assert not {"bring on", "remove", "withdraw", "replace"} & verbs(match)
    assert pos.supply == [0, 1]
    do(match, "ready", "XIV ASU")
    assert match.position.supply[GERMAN] == 0
    do(match, "start a fortification", hex="1908")  # on the Gustav Line
    assert WAR.ground.gustav >> at("1908") & 1
    assert "start a fortification" not in verbs(match)
    phase(match, "movement", GERMAN)
    assert refused(match, "move", "8/3PG").rule == "S3.3.2"
    move(match, "2022", "HG Rcn")  # A: by Tactical Movement to a hill on the flank
    assert WAR.ground.hills >> at("2022") & 1
    move(match, "2520", "III/FJ3")  # B: behind the line
    move(match, "2220", "115/15", "Reggio", "II/FJ3")  # C: in a city, 7 points doubled to 14
    trio = [number(name) for name in ("115/15", "Reggio", "II/FJ3")]
    assert sum(WAR.strength[unit][match.position.steps[unit]] for unit in trio) == 7
    assert WAR.ground.cities >> at("2220") & 1
    move(match, "2521", "1/HG", "StuG/HG")  # D: behind the canal
    move(match, "2724", "2/HG", "Pz/HG")  # E: on the ridge
    move(match, "2621", "71 NW")
    move(match, "3224", "I/67/26", "II/67/26")  # F: two units of 26 Pz to the east
    move(match, "3024", "II/9/26")
    phase(match, "movement", ALLIED)
    assert match.position.hungry == 0  # all in supply


def allied_turn_1(match: Match[Table]) -> None:
    assert match.position.supply[ALLIED] == 0  # rain
    phase(match, "movement", ALLIED)
    assert where(match, "201/56", "40 RTR") == {"S1"}
    assert where(match, "133/34") == {"S2"}
    assert refused(match, "move", "504/82").rule == "S3.3.5a"
    # A: the 46th cannot reach the Germans by ordinary movement, nor by Extended Movement.
    for unit, hex in (("128/46", "2223"), ("138/46", "2224"), ("139/46", "2225")):
        fork = match.fork()
        do(fork, "move", unit)
        assert not hexes(fork, "go") & {"2221", "2121", "2321"}
        move(match, hex, unit)
    move(match, "2425", "46R/46", by="2430")
    # B: the 7th and parts of the 56th engage the stack on the ridge; the 3rd goes forward.
    move(match, "2725", "131/7", "167/56")
    move(match, "2624", "22/7", "11H/7")
    move(match, "2824", "169/56")
    move(match, "3026", "7/3", "15/3", "601 TD")
    move(match, "2925", "30/3")
    move(match, "3229", "133/34", by="3230")  # C: between the 3rd and the 45th
    phase(match, "combat", ALLIED)
    # X: 21 is capped at 20; the tank is not doubled in the hills: 10. The Nebelwerfer shifts left.
    attack(match, "2724", ["131/7", "22/7", "11H/7", "167/56", "169/56"], "167/56", 6)
    do(match, "fire", "71 NW")
    assert last_battle(match) == ("1-1", (6,))
    assert [line.text for line in battles(match)[-1].lines] == ["artillery of the defender"]
    assert not match.position.ready & units("71 NW")
    do(match, "fall back")
    pull_back(match)
    assert set(told(match, "retreats")) == {"2/HG", "Pz/HG"}
    assert match.position.disrupted == units("2/HG, Pz/HG")
    assert match.position.advance == 2
    do(match, "set out")
    do(match, "advance", "22/7", "2525")
    do(match, "advance", "11H/7", "2525")
    do(match, "stay")
    # Y: all are halved over the mountains, the vehicles come by the pass: 10 to 6, and EX.
    attack(match, "3025", ["7/3", "15/3", "30/3", "601 TD"], "601 TD", 3)
    assert last_battle(match) == ("1-1", (3,))
    assert SHORT.asked(match).side == GERMAN  # he picks one of the infantry regiments
    do(match, "lose a step", "7/3")
    assert (steps(match, "7/3"), steps(match, "I/9/26")) == (2, 1)
    assert set(told(match, "retreats")) == {"2/HG", "Pz/HG"}
    # Z: Benevento could be attacked at 9 to 6, and is not.
    fork = match.fork()
    attack(fork, "3625", ["179/45", "191 Tk"], "191 Tk", 1)
    assert last_battle(fork)[0] == "1-1"


def german_turn_2(match: Match[Table]) -> None:
    # A 3 moves the weather to F, rain and mud, and readies a Nebelwerfer.
    next_turn(match, 3)
    assert not match.position.hungry  # all Allied units were in supply
    assert SPACES[match.position.weather] == "F"
    assert match.position.supply == [0, 1]
    do(match, "flip", "71 NW")
    phase(match, "initial", GERMAN)
    assert not match.position.frozen & units("8/3PG, 103/3PG")
    assert not {"bring on", "remove", "withdraw"} & verbs(match)
    # One infantry replacement: for a battalion of the 15th, not for paratroops or reconnaissance.
    assert {"II/104/15", "I/9/26"} <= names(match, "replace")
    assert not {"II/FJ3", "HG Rcn"} & names(match, "replace")
    do(match, "replace", "II/104/15")
    assert steps(match, "II/104/15") == WAR.full[number("II/104/15")]
    do(match, "start a fortification", hex="2105")
    phase(match, "movement", GERMAN)
    assert match.position.supply[GERMAN] == 1  # saved
    assert refused(match, "move", "II/104/15").rule == "S3.3.3a"  # A: frozen
    move(match, "1920", "HG Rcn")
    move(match, "2320", "115/15", "Reggio", "II/FJ3")  # B, C, D: pulled back
    move(match, "2420", "1/HG", "StuG/HG")
    move(match, "2620", "Pz/HG")
    move(match, "2921", "2/HG")
    move(match, "2619", "71 NW")
    move(match, "2622", "III/FJ3")  # our own
    move(match, "3024", "I/9/26")  # E: the reduced unit backs up one hex
    move(match, "3119", "8/3PG", "103/3PG")  # F: rushed down
    move(match, "3223", "I/67/26", "II/67/26")  # G: one hex back
    phase(match, "movement", ALLIED)
    assert not match.position.replaced  # the marker has come off
    assert not match.position.disrupted  # both have recovered, away from the enemy
    assert match.position.supply[GERMAN] == 1


def allied_turn_2(match: Match[Table]) -> None:
    phase(match, "movement", ALLIED)
    assert where(match, "46 Br ASU", "56 Br ASU", "7 Br ASU") == {"S1"}
    assert where(match, "3 ASU", "45 ASU", "157/45", "180/45", "751 Tk") == {"S2"}
    assert not match.position.ready & ARTILLERY  # five, on their Fired side
    move(match, "2020", "22/7", "11H/7", "46R/46")  # A: into the plain
    move(match, "2623", "131/7", "167/56")
    move(match, "2321", "128/46")
    phase(match, "combat", ALLIED)
    # A: 10 to 3; mud and tanks cancel each other. Reconnaissance ignores the loss and retreats.
    attack(match, "1920", ["22/7", "11H/7", "46R/46"], "46R/46", 6)
    do(match, "hold fire")
    assert last_battle(match) == ("3-1", (6,))
    assert {line.text: line.value for line in battles(match)[-1].lines} == {
        "tanks": "+1",
        "rain and mud": "-1",
    }
    assert told(match, "ignores the loss") == ["HG Rcn"]
    do(match, "retreat", "HG Rcn", "1918")
    assert match.position.disrupted == units("HG Rcn")
    assert steps(match, "HG Rcn") == 1
    do(match, "set out")
    do(match, "stay")
    # Our own: III/FJ3 is lost, as it is in the Eliminated Box in turn 3.
    attack(match, "2622", ["131/7", "167/56"], "167/56", 5)
    do(match, "hold fire")
    assert match.position.hex[number("III/FJ3")] == LOST


def german_turn_3(match: Match[Table]) -> None:
    # A 5 moves the weather two spaces, past A to B: all division artillery is ready again.
    next_turn(match, 5)
    pos = match.position
    assert SPACES[pos.weather] == "B"
    assert pos.supply == [2, 2]
    assert pos.ready & ARTILLERY == ARTILLERY
    assert pos.naval
    assert [WAR.army_names[army] for army in bits(pos.air)] == ["US", "Br"]
    assert not pos.flips
    assert where(match, "29/3PG") == {"N2"}
    # Two units are removed; one is in the Eliminated Box, so the one replacement is forfeited.
    assert sum(pos.due) == 1
    assert refused(match, "replace", "I/9/26").rule == "22.2.2a"
    do(match, "remove")
    assert sum(match.position.due) == 0
    assert {match.position.hex[number(name)] for name in ("II/FJ3", "III/FJ3")} == {GONE}
    phase(match, "movement", GERMAN)
    assert match.position.supply[GERMAN] == 2
    move(match, "2420", "115/15", "Reggio")  # B: stopped after one hex, with the tank battalion
    assert "1918" in where(match, "HG Rcn")
    move(match, "2518", "1/HG")  # C: back to Capua by Extended Movement
    assert WAR.board.places["Capua"].hexes == 1 << at("2518")
    phase(match, "combat", GERMAN)
    assert {"attack", "disengage", "disengage all"} <= verbs(match)
    match.force(6)
    do(match, "disengage all", hex="2420")
    pull_back(match)
    assert {"115/15", "Reggio", "StuG/HG"} <= set(told(match, "retreats"))
    assert "2420" not in where(match, "115/15", "Reggio", "StuG/HG")


ARTILLERY = units("46 Br ASU, 56 Br ASU, 7 Br ASU, 3 ASU, 45 ASU")


def test_turn_3_b_could_have_attacked_at_3_1():
    # 6 to 7, with shifts for tanks, elite troops and artillery.
    counters = "115/15, Reggio, StuG/HG @ 1920; HG ASU @ 1918; 128/46 @ 2020"
    match = begin(counters, "combat", GERMAN, weather=1, ready=units("HG ASU"))
    attack(match, "2020", ["115/15", "Reggio", "StuG/HG"], "StuG/HG", 1)
    do(match, "fire", "HG ASU")
    while "hold fire" in verbs(match):
        do(match, "hold fire")
    assert last_battle(match)[0] == "3-1"
