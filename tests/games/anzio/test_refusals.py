"""Every bar is told: what a player tries that a rule forbids is refused by just that rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.b4c_movement import movement_phase
from apennine.games.anzio.rules.b4d_stacking import relieve
from apennine.games.anzio.rules.c9_supply import name_the_hungry
from apennine.games.anzio.table.position import ALLIED, DESTROYED, DUE, GERMAN, OPEN, POOL
from apennine.hexes import bits, mask_of
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, base, do, mask, number, play, refused, table, units
from tests.games.anzio.fighting import HERE, attack, combat
from tests.games.anzio.playing import PLAYED, begin, pass_on
from tests.games.anzio.test_b4g_retreat import retreating
from tests.games.anzio.test_c5_sea import at_work, landing
from tests.games.anzio.test_c11_replacements import raising, rebuild
from tests.games.anzio.test_d5_commandos import raiding

Try = tuple[str, str, str]
"""A verb, a unit and a hex."""
G = WAR.ground
NAPOLI, TERMOLI = base("Napoli", port=True), base("Termoli zone")
LAKE = WAR.board.code(next(bits(G.passing)))
SHORE = WAR.board.code(next(bits(G.beside[WAR.lattice.parse(LAKE)] & G.stands)))
"""A lake with a road, and a hex from which one leads there."""
SEA = WAR.board.code(next(bits(G.sea & WAR.lattice.disc(WAR.lattice.parse("P68"), 2))))


def moving(counters: str, *orders: Try, side: int = ALLIED, **fields: Any) -> Match[Any]:
    """A movement phase after some orders."""
    return after(play(table(counters, side=side, **fields), movement_phase), *orders)


def after(match: Match[Any], *orders: Try) -> Match[Any]:
    for order in orders:
        do(match, *order)
    return match


def gone(place: int, unit: str) -> Match[Any]:
    """Somebody is neither on the map nor beside it."""
    pos = table("5 Br @ P70")
    pos.hex[number(unit)] = place
    return play(pos, movement_phase)


def open_but_german() -> Match[Any]:
    """A port operates, and its hex is German."""
    pos = table("5 Br @ Sicilia")
    pos.bases[NAPOLI] = OPEN
    return after(play(pos, movement_phase), ("move", "5 Br", ""))


def weary() -> Match[Any]:
    """A stack has come to a port with half a point left."""
    pos = table("5 Br @ K57", movers=units("5 Br"), points=1, under_way=True)
    for number_ in (NAPOLI, base("Salerno", port=True)):
        pos.bases[number_] = OPEN
        pos.friendly |= G.bases[number_].hexes
    return play(pos, movement_phase)


def beyond_the_edge(counters: str) -> Match[Any]:
    """A German unit waits beyond the northern edge."""
    pos = table(f"44 Inf @ Sicilia; {counters}", side=GERMAN)
    pos.hex[number("44 Inf")] = DUE
    return after(play(pos, movement_phase), ("move", "44 Inf", ""))


def spent() -> Match[Any]:
    """Messina has let out all that it can."""
    pos = table("5 Br @ Messina", entries=sum(1 << entry.place for entry in G.entries))
    pos.sailed[-2] = 8
    return after(play(pos, movement_phase), ("move", "5 Br", ""))


def guarded_beaches() -> Match[Any]:
    """Germans stand on every beach of a zone."""
    hexes = [WAR.board.code(hex) for hex in bits(G.bases[TERMOLI].hexes)]
    germans = ("29 PzG", "15 PzG", "26 Pz", "16 Pz", "65 Inf", "94 Inf", "44 Inf", "HG")
    guard = "; ".join(f"{unit} @ {hex}" for unit, hex in zip(germans, hexes))
    assert len(hexes) <= len(germans)
    return moving(f"5 Br @ Sicilia; {guard}", turn=1, ports=2)


def lifted() -> Match[Any]:
    """A point is left of an Initial Lift."""
    zone = base("Salerno zone")
    begun = {"turn": 1, "ports": 1, "invasions": 1, "invaded": 1, "zone": zone}
    return moving("5 Br, 168 Br @ Sicilia", lifted=G.bases[zone].lift - 1, **begun)


def overwhelming(counters: str = "1 Arm, 5 Br @ W51", *orders: Try, **fields: Any) -> Match[Any]:
    """An automatic victory is being established, over a replacement."""
    match = moving(f"{counters}; Ers inf 1 @ {HERE}", **fields)
    return after(match, ("overwhelm", "", HERE), *orders)


def declared(counters: str, **fields: Any) -> Match[Any]:
    """A battle has been declared, and nobody named."""
    return after(combat(counters, **fields), ("attack", "", HERE))


def just_won(
    counters: str = f"1 Arm @ W51; Fras @ {HERE}", die: int = 2, **fields: Any
) -> Match[Any]:
    """3-1 and a die of two: the defender loses all his steps, and none is missing."""
    match = combat(counters, **fields)
    attack(match, HERE, "1 Arm", dice=[die])
    return match


def losing() -> Match[Any]:
    """The attackers have to lose a step."""
    match = combat(f"45 US, 36 US @ W51; Ers inf 1 @ {HERE}; 56 Br @ N11; 92 Inf @ N12")
    attack(match, HERE, "45 US", "36 US", dice=[4])
    return match


def won(counters: str = "45 US, 36 US @ W51", *orders: Try, **fields: Any) -> Match[Any]:
    """A replacement has been destroyed, with points of breakthrough."""
    match = combat(f"{counters}; Ers inf 1 @ {HERE}; 56 Br @ N11; 92 Inf @ N12", **fields)
    attack(match, HERE, "45 US", "36 US", dice=[4])
    do(match, "lose a step", "45 US")
    return after(match, *orders)


def beaten(**fields: Any) -> Match[Any]:
    """A German unit must retreat, another one not."""
    return retreating("29 PzG @ P67; 65 Inf @ T60; 5 Br @ R67", "29 PzG", **fields)


def ending(counters: str = "5 Br @ P70; 29 PzG @ T60", **fields: Any) -> Match[Any]:
    """The last orders of the Allies."""
    return play(table(counters, "end", **fields), end_phase)


def rebuilding() -> Match[Any]:
    """Two units could be rebuilt."""
    worn = "5 Br @ P70 steps=2; 46 Br @ P68 steps=2"
    return rebuild(f"{worn}; Repl Br 1 @ P70; Repl Br 2 @ P68; 29 PzG @ T40")


def hungry(counters: str = "29 PzG @ T20", *bases: int) -> Match[Any]:
    """Termoli cannot feed all who draw on it."""
    many = "5 Br, 78 Br @ X46; 36 US, 45 US @ X47; 3 US, 34 US @ W47; 1 Arm, 56 Br @ W48"
    pos = table(f"{many}; 46 Br @ Sicilia; {counters}")
    for number_ in (TERMOLI, *bases):
        pos.bases[number_] = OPEN
        pos.friendly |= G.bases[number_].hexes
    return play(pos, name_the_hungry)


def hungry_elsewhere() -> Match[Any]:
    """The same, and a brigade in a beachhead that German zones cut off has plenty."""
    ring = "29 PzG @ L59; 15 PzG @ N57; 26 Pz @ P57; 16 Pz @ R58; 3 PzG @ R60; HG @ Q62"
    counters = f"231 Br @ N61; {ring}; 94 Inf @ O64; 65 Inf @ M65"
    return hungry(counters, base("Salerno zone"))


def beset() -> Match[Any]:
    """The Germans set up with an enemy in the country."""
    pos = begin().position.copy()
    pos.hex[number("5 Br")] = WAR.board.parse("Q15")
    return Match(PLAYED, position=pos, seed=1)


def deploying() -> Match[Any]:
    """The Germans set up."""
    return begin()


def invading(**options: bool) -> Match[Any]:
    """The first Allied movement phase, before the invasion."""
    match = begin("basic", **options)
    pass_on(match, until="movement")
    return match


def crowded() -> Match[Any]:
    """More units are in a hex than may be."""
    pos = table("5 Br, 36 US, 45 US, 1 Arm @ W51; 29 PzG @ T40")
    return play(pos, lambda war, pos: relieve(war, pos, ALLIED, mask("W51")))


def from_taranto() -> Match[Any]:
    """A brigade comes on over an edge that the Germans watch in part."""
    pos = table("5 Br @ Taranto; 29 PzG @ X62", entries=BOTH)
    return after(play(pos, movement_phase), UP)


def leaving(**fields: Any) -> Match[Any]:
    """A unit stands on the edge of Taranto; two points lead over it."""
    given: dict[str, Any] = {"movers": units("5 Br"), "moved": units("5 Br"), "points": 24}
    pos = table("5 Br @ Y61; 29 PzG @ T40", entries=BOTH, **given | fields)
    return play(pos, movement_phase)


def walled_in() -> Match[Any]:
    """All that could be reached lies in the zones of four divisions."""
    return moving("5 Br @ Q63; 29 PzG @ Q62; 15 PzG @ O65; 26 Pz @ S64; 16 Pz @ Q66", UP)


def besieged() -> Match[Any]:
    """A garrison with enemies all around, and a unit elsewhere, must retreat."""
    ring = "45 US @ W51; 36 US @ X51; 56 Br @ X52; 46 Br @ W53; 5 Br @ V53; 78 Br @ V52"
    fort = {"forts": True, "works": mask(HERE)}
    return retreating(f"29 PzG @ {HERE}; 65 Inf @ T60; {ring}", "29 PzG, 65 Inf", **fort)


def breaking_through() -> Match[Any]:
    """Armor has broken through."""
    match = combat(f"1 Arm @ W51; Ers inf 1 @ {HERE}; 56 Br @ N11; 92 Inf @ N12", armor=True)
    attack(match, HERE, "1 Arm", dice=[6])
    return after(match, ("advance", "1 Arm", HERE))


def claimed() -> Match[Any]:
    """The battle of an automatic victory, which others may join."""
    claims = ((mask(HERE), units("36 US"), 0),)
    counters = f"36 US, 45 US @ W51; 5 Br @ N11; Ers inf 1 @ {HERE}; 92 Inf @ N12"
    return after(combat(counters, claims=claims), ("attack", "", HERE))


def embarked() -> Match[Any]:
    """A brigade has been evacuated."""
    match = at_work("168 Br, 5 Br @ V42; 46 Br @ N61", base("Salerno zone"))
    return after(match, ("evacuate", "168 Br", ""))


def guarding() -> Match[Any]:
    """Factors are left at the end of the Allied turn."""
    return ending(supporting_fire=True, fire=[1, 3, 0])


BOTH = mask_of(entry.place for entry in G.entries)
TWO = "5 Br, 46 Br @ P70; 78 Br @ P68"
UP: Try = ("move", "5 Br", "")
FIELD = f"5 Br, 46 Br @ W51; 29 PzG @ {HERE}; 78 Br @ N11; 92 Inf @ N12"
CASES: list[tuple[str, str, Callable[[], Match[Any]], Try]] = [
    (
        "D1",
        "rule on commandos is not used",
        lambda: moving("2SS, 5 Br @ Sicilia; 29 PzG @ T60", invasions=1),
        ("raid", "2SS", "K53"),
    ),
    ("B4E14", "straight to another", walled_in, ("go", "5 Br", "P63")),
    ("B4E2", "bar the way", walled_in, ("go", "5 Br", "B35")),
    ("B4D3", "where too many are", crowded, ("give up", "29 PzG", "")),
    (
        "B4E2",
        "is next to it",
        lambda: combat(f"{FIELD}; 65 Inf @ T40"),
        ("attack", "", "T40"),
    ),
    (
        "B4E10",
        "takes part already",
        lambda: after(declared(FIELD), ("attack with", "5 Br", "")),
        ("attack with", "5 Br", ""),
    ),
    (
        "B4E12b",
        "have to be given up",
        lambda: combat(f"231 Br, 168 Br @ W51; HG, 15 PzG @ {HERE}; 5 Br @ N11; 92 Inf @ N12"),
        ("sacrifice", "5 Br", ""),
    ),
    ("C12B3", "not next to this battle", claimed, ("attack with", "5 Br", "")),
    (
        "C12A2",
        "may do them no harm",
        lambda: overwhelming("1 Arm, 5 Br @ W51", ("commit", "5 Br", "")),
        ("claim victory", "", ""),
    ),
    ("C2A2", "on no edge", lambda: beyond_the_edge("5 Br @ P70"), ("come on", "44 Inf", "A14")),
    ("C8D2", "on no edge", from_taranto, ("come on", "5 Br", "A12")),
    ("C8F", "not beyond this edge", leaving, ("leave", "5 Br", "Messina")),
    ("C8F", "too few points to leave", lambda: leaving(points=3), ("leave", "5 Br", "Taranto")),
    ("B4G4b", "no way on which", besieged, ("retreat", "29 PzG", "W50")),
    (
        "B4G3b0",
        "is survived",
        lambda: retreating("29 PzG @ U27; 5 Br @ U29", "29 PzG"),
        ("retreat", "29 PzG", "U25"),
    ),
    ("C13A", "breakthrough allows", won, ("advance", "45 US", "A12")),
    ("D4A2a", "but a road, or plain", breaking_through, ("press on", "1 Arm", "W49")),
    ("C5F12", "not friendly", lambda: ending(ports=1), ("build port", "", "K57")),
    ("D3A5a", "not yours", guarding, ("guard", "29 PzG", "")),
    ("D3D2", "not playable", guarding, ("interdict hex", "", SEA)),
    ("C7C4", "is at sea", embarked, ("come ashore", "5 Br", "N61")),
    # Movement.
    ("B4B1", "other side", lambda: moving("5 Br @ P70; 29 PzG @ T60"), ("move", "29 PzG", "")),
    ("B4C3", "has moved", lambda: moving(TWO, UP, ("halt", "5 Br", "")), UP),
    ("C5A1", "open the game", invading, ("move", "5 Br", "")),
    ("C2A2", "not come yet", lambda: moving("5 Br @ P70"), ("move", "46 Br", "")),
    ("C10A3", "destroyed", lambda: gone(DESTROYED, "46 Br"), ("move", "46 Br", "")),
    ("C11A12", "not used", lambda: gone(POOL, "Repl Br 1"), ("move", "Repl Br 1", "")),
    ("B4C3", "moving stack is", lambda: moving(TWO, UP), ("take along", "78 Br", "")),
    ("B4C3", "already", lambda: moving(TWO, UP), ("take along", "5 Br", "")),
    (
        "B4C3",
        "on its way",
        lambda: moving(TWO, UP, ("go", "5 Br", "Q69")),
        ("take along", "46 Br", ""),
    ),
    (
        "B4C7",
        "otherwise",
        lambda: moving("5 Br, Repl Br 1 @ P70", UP),
        ("take along", "Repl Br 1", ""),
    ),
    (
        "B4D1",
        "any hex",
        lambda: moving("5 Br, 36 US, 45 US @ P70", UP, ("take along", "36 US", "")),
        ("take along", "45 US", ""),
    ),
    ("B4C3", "already", lambda: moving(TWO, UP), ("go", "5 Br", "P70")),
    ("B4C9", "too far", lambda: moving(TWO, UP), ("go", "5 Br", "Q12")),
    (
        "B4C14b",
        "next to the enemy",
        lambda: moving("5 Br @ P70; 29 PzG @ R55", UP),
        ("go", "5 Br", "R56"),
    ),
    ("B2F1b", "Nobody stops", lambda: moving(f"5 Br @ {SHORE}", UP), ("go", "5 Br", LAKE)),
    ("B2F2b", "not playable", lambda: moving(TWO, UP), ("go", "5 Br", SEA)),
    # The sea and the edges.
    ("B4D4", "enemy is in", lambda: beyond_the_edge("5 Br @ K7"), ("come on", "44 Inf", "K7")),
    (
        "C8D1",
        "No edge",
        lambda: moving("168 Br @ Taranto", ("move", "168 Br", ""), turn=1, invasions=1),
        ("come on", "168 Br", "Y62"),
    ),
    ("B4C3", "leads", lambda: moving("5 Br, 46 Br @ Sicilia", UP), ("sail", "46 Br", "Messina")),
    (
        "B4C3",
        "leads",
        lambda: moving("168 Br, 231 Br @ Taranto", ("move", "168 Br", ""), turn=4),
        ("come on", "231 Br", "Y62"),
    ),
    ("B4C3", "leads", lambda: moving("5 Br, 46 Br @ Y62", UP), ("leave", "46 Br", "Taranto")),
    ("C8F", "No edge", lambda: moving(TWO, UP), ("leave", "5 Br", "Taranto")),
    ("C7B2", "there already", lambda: moving("5 Br @ Sicilia", UP), ("sail", "5 Br", "Sicilia")),
    ("C5G3", "is open in", lambda: moving("5 Br @ Sicilia", UP), ("sail", "5 Br", "K57")),
    ("C5G3", "not friendly", open_but_german, ("sail", "5 Br", "K57")),
    ("C7B6", "Too few points", weary, ("sail", "5 Br", "N60")),
    ("C7B7", "may still leave", spent, ("sail", "5 Br", "Sicilia")),
    (
        "C7C7",
        "cannot land",
        lambda: after(at_work("5 Br @ J55", NAPOLI), ("evacuate", "5 Br", "")),
        ("come ashore", "5 Br", "P70"),
    ),
    (
        "B4C13",
        "never moves by sea",
        lambda: moving("5 Br @ P70; 29 PzG @ T60"),
        ("evacuate", "29 PzG", ""),
    ),
    (
        "C7C2",
        "not on the map",
        lambda: moving("5 Br @ P70; 46 Br @ Sicilia"),
        ("evacuate", "46 Br", ""),
    ),
    ("C7C3", "could be evacuated", lambda: moving("5 Br @ R60"), ("evacuate", "5 Br", "")),
    (
        "C7B4",
        "been at sea",
        lambda: moving("5 Br, 46 Br @ J55", shipped=units("5 Br")),
        ("evacuate", "5 Br", ""),
    ),
    # Invasions and raids.
    (
        "C5A2",
        "no beach",
        lambda: moving("5 Br @ Sicilia", turn=1, ports=2),
        ("invade", "", "Q15"),
    ),
    ("C6F", "ready to land", lambda: moving("5 Br @ P70", turn=1, ports=2), ("invade", "", "N61")),
    ("B4D4", "every beach", guarded_beaches, ("invade", "", "X46")),
    (
        "D5C2",
        "have raided",
        lambda: moving("5 Br @ Sicilia", turn=8, invasions=1, ports=1, raids=1, commandos=True),
        ("invade", "", "N61"),
    ),
    (
        "B4C3",
        "has moved",
        lambda: after(landing("5 Br, 46 Br @ Sicilia"), ("land", "5 Br", "N61")),
        ("land", "5 Br", "N61"),
    ),
    ("C5B3", "Only 1", lifted, ("land", "5 Br", "N61")),
    ("C5C1", "from the shore", lambda: landing("5 Br, 46 Br @ Sicilia"), ("land", "5 Br", "Q58")),
    ("C5D2", "at sea", raiding, ("raid", "2SS", SEA)),
    ("D5A", "no commando", raiding, ("raid", "5 Br", "P68")),
    ("C5A1", "open the game", lambda: invading(commandos=True), ("raid", "2SS", "P68")),
    (
        "B4C3",
        "has moved",
        lambda: moving(
            "2SS, 5 Br @ Sicilia",
            ("move", "2SS", ""),
            ("halt", "2SS", ""),
            invasions=1,
            commandos=True,
        ),
        ("raid", "2SS", "P68"),
    ),
    # Automatic victories.
    (
        "C12B2",
        "another victory",
        lambda: after(
            overwhelming(
                "1 Arm @ W51; 45 US @ X49; Ers inf 2 @ X50",
                ("commit", "1 Arm", ""),
                ("claim victory", "", ""),
            ),
            ("overwhelm", "", "X50"),
        ),
        ("commit", "1 Arm", ""),
    ),
    (
        "C12A1",
        "No enemy",
        lambda: moving(f"1 Arm @ W51; Ers inf 1 @ {HERE}"),
        ("overwhelm", "", "Q12"),
    ),
    (
        "C12A1",
        "None of your units",
        lambda: moving("5 Br @ P70; 29 PzG @ T60"),
        ("overwhelm", "", "T60"),
    ),
    (
        "C12B1",
        "certain already",
        lambda: overwhelming(
            "1 Arm @ W51; 5 Br @ P70", ("commit", "1 Arm", ""), ("claim victory", "", "")
        ),
        ("overwhelm", "", HERE),
    ),
    ("C12A1", "other side", overwhelming, ("commit", "Ers inf 1", "")),
    (
        "C12B2",
        "committed already",
        lambda: overwhelming("1 Arm, 5 Br @ W51", ("commit", "1 Arm", "")),
        ("commit", "1 Arm", ""),
    ),
    (
        "B4E7",
        "cannot attack all",
        lambda: overwhelming("1 Arm @ W51; 5 Br @ P70"),
        ("commit", "5 Br", ""),
    ),
    (
        "B4C14b",
        "Strategic",
        lambda: overwhelming("1 Arm, 5 Br @ W51", rushed=units("5 Br")),
        ("commit", "5 Br", ""),
    ),
    ("C12A1", "Nobody is committed", overwhelming, ("claim victory", "", "")),
    (
        "B4E9",
        "by nobody",
        lambda: overwhelming("1 Arm @ W51; 65 Inf @ X51", ("commit", "1 Arm", "")),
        ("claim victory", "", ""),
    ),
    ("C12A1", "overwhelmed already", overwhelming, ("also overwhelm", "", HERE)),
    (
        "B4E7",
        "not all next",
        lambda: overwhelming("1 Arm @ W51; 5 Br @ N11; 92 Inf @ N12", ("commit", "1 Arm", "")),
        ("also overwhelm", "", "N12"),
    ),
    # Battles.
    (
        "B4E2",
        "no enemy",
        lambda: combat(FIELD),
        ("attack", "", "Q12"),
    ),
    (
        "C10C3",
        "defence factor",
        lambda: combat(
            "5 Br, 46 Br @ W51; 29 PzG @ W52; 78 Br @ N11; 92 Inf @ N12; 65 Inf @ T60 steps=1"
        ),
        ("attack", "", "T60"),
    ),
    (
        "B4E3",
        "other side",
        lambda: declared(FIELD),
        ("attack with", "29 PzG", ""),
    ),
    (
        "B4C14b",
        "Strategic",
        lambda: declared(
            "5 Br, 46 Br @ W51; 29 PzG @ W52; 78 Br @ N11; 92 Inf @ N12; 4 Ind @ P70",
            rushed=units("4 Ind"),
        ),
        ("attack with", "4 Ind", ""),
    ),
    (
        "B4E9",
        "No attacker",
        lambda: declared(FIELD),
        ("fight", "", ""),
    ),
    (
        "B4E12a",
        "worse than 1-4",
        lambda: after(
            declared("231 Br, 45 US, 5 Br @ W51; 1 Para @ W52; 78 Br @ N11; 92 Inf @ N12"),
            ("attack with", "231 Br", ""),
        ),
        ("fight", "", ""),
    ),
    (
        "B4E11",
        "has fought",
        lambda: after(
            combat(
                f"5 Br @ W51; 29 PzG @ {HERE}; 46 Br, 56 Br @ N11; 92 Inf @ N12; "
                "78 Br @ R60; 65 Inf @ R61",
                round=1,
                fought=units("5 Br"),
                due=mask("N12 R61"),
            ),
            ("attack", "", "N12"),
        ),
        ("attack with", "5 Br", ""),
    ),
    (
        "D3A3",
        "takes no part",
        lambda: declared(
            FIELD,
            supporting_fire=True,
            fire=[0, 3, 0],
            air=1,
        ),
        ("support", "78 Br", ""),
    ),
    (
        "D3A8",
        "No factor",
        lambda: after(declared(FIELD, supporting_fire=True), ("attack with", "5 Br", "")),
        ("support", "5 Br", ""),
    ),
    ("D1", "not used", lambda: declared(FIELD), ("support", "5 Br", "")),
    (
        "C10B6",
        "cannot attack",
        lambda: declared(f"{FIELD}; Repl Br 1 @ P70"),
        ("attack with", "Repl Br 1", ""),
    ),
    # Retreats and advances.
    (
        "D9C1",
        "does not have to",
        lambda: beaten(zone_retreat=True),
        ("break out alone", "65 Inf", ""),
    ),
    ("B4G1", "does not have to", beaten, ("retreat", "65 Inf", "T59")),
    ("B4G2a", "farther than two", beaten, ("retreat", "29 PzG", "T60")),
    ("B4G4b", "enemy zone", beaten, ("retreat", "29 PzG", "Q67")),
    ("B4G3a", "Nobody can be", beaten, ("retreat", "29 PzG", SEA)),
    ("C7A1", "no Allied unit", beaten, ("embark", "29 PzG", "")),
    ("D6C1", "not in a fort", lambda: beaten(forts=True), ("hold the fort", "29 PzG", "")),
    ("B4G1", "does not have to", lambda: beaten(forts=True), ("hold the fort", "65 Inf", "")),
    ("B4G7a", "is in W51 already", won, ("advance", "45 US", "W51")),
    ("B4G7b", "took no part", won, ("advance", "56 Br", HERE)),
    (
        "C14B",
        "advanced already",
        lambda: won("45 US, 36 US @ W51", ("advance", "45 US", "W54"), ("stop", "", "")),
        ("advance", "45 US", "W53"),
    ),
    (
        "C14B",
        "advances now",
        lambda: won("45 US, 36 US @ W51", ("advance", "45 US", HERE)),
        ("go on", "36 US", "W53"),
    ),
    (
        "D1",
        "not used",
        lambda: won("45 US, 36 US @ W51", ("advance", "45 US", HERE)),
        ("press on", "45 US", "W53"),
    ),
    (
        "D4A3",
        "no armor",
        lambda: won("45 US, 36 US @ W51", ("advance", "45 US", HERE), armor=True),
        ("press on", "45 US", "W53"),
    ),
    (
        "C14B",
        "advances now",
        lambda: won("45 US, 36 US @ W51", ("advance", "45 US", HERE), armor=True),
        ("press on", "36 US", "W53"),
    ),
    (
        "B4E2",
        "no enemy",
        lambda: declared(FIELD),
        ("also attack", "", "Q12"),
    ),
    (
        "C7C2",
        "could be evacuated",
        lambda: retreating("5 Br @ P70; 46 Br @ R60", "5 Br", side=GERMAN),
        ("embark", "5 Br", ""),
    ),
    ("B4G1", "does not have to", beaten, ("embark", "65 Inf", "")),
    ("B4G7a", "Only what", just_won, ("advance", "1 Arm", "W53")),
    ("B4F10", "takes no part", losing, ("lose a step", "56 Br", "")),
    (
        "C12B2",
        "committed to",
        lambda: after(
            combat(
                f"1 Arm @ W51; Ers inf 1 @ {HERE}; 5 Br, 46 Br @ N11; 92 Inf @ N12",
                claims=((mask(HERE), units("1 Arm"), 0),),
            ),
            ("attack", "", "N12"),
        ),
        ("attack with", "1 Arm", ""),
    ),
    (
        "B4D4",
        "Nobody may be",
        lambda: after(
            just_won(f"1 Arm @ W51; Ers inf 1 @ {HERE}; 65 Inf @ W55", die=4, armor=True),
            ("advance", "1 Arm", "W54"),
        ),
        ("press on", "1 Arm", "W55"),
    ),
    # Fire and forts.
    (
        "D3A8",
        "No factor",
        lambda: ending(supporting_fire=True),
        ("guard", "5 Br", ""),
    ),
    (
        "D3A9",
        "kept for",
        lambda: ending(supporting_fire=True, fire=[0, 3, 0], guarded=units("5 Br"), air=1),
        ("guard", "5 Br", ""),
    ),
    (
        "D3B3",
        "can guard",
        lambda: ending("5 Br @ R60; 29 PzG @ T60", supporting_fire=True, fire=[1, 0, 0]),
        ("guard", "5 Br", ""),
    ),
    ("D1", "not used", ending, ("interdict", "29 PzG", "")),
    ("D1", "not used", ending, ("interdict hex", "", "T60")),
    ("D1", "not used", ending, ("guard", "5 Br", "")),
    (
        "D3D1",
        "no German unit",
        lambda: ending(supporting_fire=True, fire=[1, 3, 0]),
        ("interdict", "65 Inf", ""),
    ),
    (
        "D3D7",
        "No factor",
        lambda: ending(supporting_fire=True),
        ("interdict hex", "", "T60"),
    ),
    ("D1", "not used", lambda: moving("29 PzG @ T60", side=GERMAN), ("build fort", "", "T58")),
    (
        "D6B1",
        "no fort counter",
        lambda: moving(
            "29 PzG @ T60",
            side=GERMAN,
            turn=4,
            forts=True,
            held=-1 & G.land,
            works=mask_of(list(bits(G.stands))[:13]),
        ),
        ("build fort", "", "T58"),
    ),
    (
        "D6B3",
        "not playable",
        lambda: moving("29 PzG @ T60", side=GERMAN, turn=4, forts=True, held=-1 & G.land),
        ("build fort", "", SEA),
    ),
    # Replacements and units given up.
    ("C11C3", "no German replacement", raising, ("raise", "29 PzG", "Q15")),
    ("C11A12", "Another counter", raising, ("raise", "Ers inf 2", "Q15")),
    ("C11C2", "no major city", raising, ("raise", "Ers inf 1", "G39")),
    (
        "B4F11",
        "other side",
        lambda: after(ending(), ("disband units", "", "")),
        ("disband", "29 PzG", ""),
    ),
    (
        "C2B2",
        "No more",
        lambda: after(raising(), ("raise", "Ers arm 1", "Q15")),
        ("raise", "Ers arm 2", "Q15"),
    ),
    ("C11A12", "on the table", lambda: raising("Ers inf 1 @ Q15"), ("raise", "Ers inf 1", "Q15")),
    ("C11A16", "itself a replacement", rebuilding, ("rebuild", "Repl Br 1", "")),
    ("C11A11", "other side", rebuilding, ("rebuild", "29 PzG", "")),
    ("C9C8b1", "no Allied unit", hungry, ("go without", "29 PzG", "")),
    ("C9C8b1", "needs no supply", hungry, ("go without", "46 Br", "")),
    (
        "C9C8b2",
        "named already",
        lambda: after(hungry(), ("go without", "5 Br", "")),
        ("go without", "5 Br", ""),
    ),
    ("C9C8b1", "other supply", hungry_elsewhere, ("go without", "231 Br", "")),
    (
        "C11C2",
        "not friendly",
        lambda: raising(friendly=mask("Q15")),
        ("raise", "Ers inf 1", "Q15"),
    ),
    # Setting up.
    ("B4D4", "enemy is in", beset, ("deploy", "16 Pz", "Q15")),
    ("B4D1", "no room", deploying, ("deploy", "16 Pz", "G39")),
    (
        "C16C",
        "its place already",
        lambda: after(deploying(), ("deploy", "16 Pz", "Q15")),
        ("deploy", "16 Pz", "Q14"),
    ),
    ("C16C", "other side", deploying, ("deploy", "5 Br", "Q15")),
    (
        "C16C",
        "have begun",
        lambda: after(deploying(), ("deploy", "16 Pz", "Q15")),
        ("historical deployment", "", ""),
    ),
    ("C2A2", "from the start", deploying, ("deploy", "65 Inf", "Q15")),
    ("B2F2b", "Nobody can be", deploying, ("deploy", "16 Pz", SEA)),
]


@pytest.mark.parametrize(
    ("by", "words", "make", "order"),
    [
        pytest.param(*case, marks=rule("anzio", case[0]), id=f"{case[0]}-{case[3][0]}-{case[1]}")
        for case in CASES
    ],
)
def test_what_a_rule_forbids_is_refused_by_that_rule(
    by: str, words: str, make: Callable[[], Match[Any]], order: Try
):
    found = refused(make(), *order)
    assert (found.rule, words in found.sentence) == (by, True), found
