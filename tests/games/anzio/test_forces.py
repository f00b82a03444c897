"""The counters and cards of Anzio against every number that the book gives."""

from collections import Counter

import pytest

from apennine.games.anzio.table.book import muster
from apennine.kernel.data import DataError, DataFile
from apennine.testing import rule
from tests.games.anzio.book import BOARD, BOOK, DATA, UNITS, factors, read

SETUPS = BOOK.setups
SCENARIOS = {scenario.key: scenario for scenario in BOOK.scenarios}
STARTS = {start.unit: start for start in SETUPS["basic"].units}


def strengths(names: list[str]) -> Counter[str]:
    return Counter(factors(name)[0] for name in names)


def listed(text: str) -> Counter[str]:
    return Counter(text.split())


def arriving(turn: int, side: str) -> list[str]:
    return [
        name
        for group in BOOK.arrivals
        if (group.turn, group.side) == (turn, side)
        for name in group.units
    ]


# The Allied card of the Basic Game

ALLIED_START = """
    4-5-12 3-4-12 3-4-12 3-4-12 3-3-12 2-1-12 2-1-12 1-1-12 1-1-12 0-0-12 0-0-12 0-0-12
    1-1-12 5-6-12 2-1-12 4-5-12 5-6-12 1-1-12 1-1-12 1-1-12 2-2-12 0-0-12 0-0-12 0-0-12
"""


@rule("anzio", "C1A1")
def test_the_allied_start_list_waits_in_sicilia():
    allied = [name for name in STARTS if UNITS[name].side == "Allied"]
    assert strengths(allied) == listed(ALLIED_START)
    assert {STARTS[name].at for name in allied} == {"Sicilia"}
    assert not any(STARTS[name].lost for name in STARTS)


ALLIED_ARRIVALS = {
    2: "5-6-12 4-5-12 5-5-12 3-4-12",
    5: "6-6-12",
    9: "7-7-12",
    11: "2-2-12",
    13: "4-5-12 1-1-12 3-4-8 1-1-8",
    14: "3-4-12",
}


@pytest.mark.parametrize("turn", range(1, 16))
def test_allied_reinforcements_of_1943(turn: int):
    assert strengths(arriving(turn, "Allied")) == listed(ALLIED_ARRIVALS.get(turn, ""))


ALLIED_ROWS = {
    "Br": """
        4-5-12/2-3-12 4-5-12/2-3-12 3-4-12/2-3-12 3-4-12/2-3-12 3-4-12/2-3-12 3-3-12/2-2-12
        0-0-12 0-0-12 0-0-12 1-1-12 1-1-12 1-1-12 1-1-12 2-1-12 2-1-12 5-5-12/4-4-12/2-2-12
    """,
    "US": """
        5-6-12/4-5-12/2-3-12 5-6-12/4-5-12/2-3-12 4-5-12/3-4-12/2-3-12 4-5-12/3-4-12/2-3-12
        7-7-12/5-5-12/4-4-12/2-2-12 1-1-12 1-1-12 1-1-12 2-2-12 0-0-12 0-0-12 0-0-12
    """,
    "US/Cdn": "2-2-12",
    "Cdn": "5-6-12/4-5-12/2-3-12 2-1-12",
    "Ind": "3-4-12/2-3-12 3-4-12/2-3-12",
    "Fr": "3-4-8/2-3-8/1-2-8 1-1-8",
    "NZ": "6-6-12/5-5-12/4-4-12/2-2-12",
}


@rule("anzio", "B3a")
@pytest.mark.parametrize("nation", ALLIED_ROWS)
def test_the_allied_organization_chart(nation: str):
    names = muster(BOOK, SCENARIOS["basic"])
    rows = ["/".join(factors(name)) for name in names if UNITS[name].nation == nation]
    assert Counter(rows) == listed(ALLIED_ROWS[nation])


# The German card of the Basic Game

GERMAN_START = {
    "1 Para": ("X52", 3, "6-10-12 5-9-12 4-7-12 3-6-12 2-4-12 1-3-12"),
    "15 PzG": ("J52", 3, "6-9-12 5-8-12 4-7-12 3-5-12 2-4-12"),
    "26 Pz": ("R70", 3, "5-6-12 4-5-12 3-4-12 2-3-12"),
    "29 PzG": ("Q62", 2, "4-6-12 3-5-12 2-3-12"),
    "16 Pz": ("", 3, "5-6-12 4-5-12 3-4-12 2-3-12"),
    "HG": ("K57", 3, "7-8-12 6-7-12 4-5-12 3-4-12 2-3-12"),
    "NW 71": ("K57", 1, "1-1-8"),
    "Fras": ("G46", 1, "1-2-12"),
    "2 Para": ("E47", 3, "6-9-12 5-8-12 4-7-12 3-5-12 2-4-12"),
    "3 PzG": ("G39", 2, "3-4-12 2-3-12"),
    "Ers arm 1": ("G39", 1, "0-1-12"),
    "Ers arm 2": ("G39", 1, "0-1-12"),
    "Ers inf 1": ("G39", 1, "0-1-8"),
    "Ers inf 2": ("G39", 1, "0-1-8"),
}


@pytest.mark.parametrize("name", GERMAN_START)
def test_a_german_unit_starts_where_the_card_has_it(name: str):
    at, stacking, faces = GERMAN_START[name]
    start = STARTS[name]
    assert (factors(name), UNITS[name].stacking) == (faces.split(), stacking)
    if name == "16 Pz":
        assert start.may == "anywhere"
    elif name in ("HG", "NW 71"):
        assert (start.may, set(start.hexes)) == ("listed", {"K57", "M55", "M58"})
    else:
        assert (start.at, start.may) == (at, "fixed")


def test_fourteen_german_units_start():
    assert {name for name in STARTS if UNITS[name].side == "German"} == set(GERMAN_START)


GERMAN_ARRIVALS = {
    5: "2-3-8",
    6: "4-6-8 3-5-8",
    7: "3-5-8",
    9: "2-4-8 1-1-8",
    12: "3-5-8",
}


@pytest.mark.parametrize("turn", range(1, 16))
def test_german_reinforcements_of_1943(turn: int):
    assert strengths(arriving(turn, "German")) == listed(GERMAN_ARRIVALS.get(turn, ""))


@pytest.mark.parametrize(("delay", "units"), [(0, "4-6-8 2-3-8"), (1, "3-4-12 3-5-12")])
def test_the_second_invasion_brings_four_divisions(delay: int, units: str):
    (reaction,) = [each for each in BOOK.reactions if each.delay == delay]
    assert strengths(list(reaction.units)) == listed(units)


@pytest.mark.parametrize(
    ("name", "stacking", "faces"),
    [
        ("65 Inf", 2, "2-3-8 1-2-8"),
        ("92 Inf", 2, "2-3-8 1-2-8"),
        ("44 Inf", 3, "4-6-8 3-5-8 2-3-8"),
        ("76 Inf", 3, "4-6-8 3-5-8 2-3-8"),
        ("94 Inf", 3, "3-5-8 2-4-8 1-2-8"),
        ("305 Inf", 3, "3-5-8 2-4-8 1-2-8"),
        ("334 Inf", 3, "3-5-8 2-4-8 1-2-8"),
        ("5 Mtn", 2, "2-4-8 1-3-8"),
        ("3+4", 1, "1-1-8"),
        ("715m", 2, "3-4-12 2-3-12 1-2-12"),
        ("60 PzG", 2, "3-5-12 2-3-12 1-2-12"),
    ],
)
def test_the_german_organization_chart(name: str, stacking: int, faces: str):
    assert (factors(name), UNITS[name].stacking) == (faces.split(), stacking)


# Steps


def test_the_weakest_counter_is_a_step_more_when_inverted():
    assert UNITS["1 Para"].steps == 7
    assert UNITS["231 Br"].steps == 2
    for unit in BOOK.units:
        replaces = BOOK.troops[unit.troops].rebuilds
        assert not (replaces and unit.inverted != "none"), unit.name


def test_all_units_of_the_basic_game_are_combat_units_or_replacements():
    for name in muster(BOOK, SCENARIOS["basic"]):
        unit = UNITS[name]
        replaces = BOOK.troops[unit.troops].rebuilds
        assert unit.inverted == ("none" if replaces else "step"), name


def test_movement_is_the_same_on_all_counters_of_a_unit():
    for unit in BOOK.units:
        assert len({moves for _, _, moves in unit.faces}) == 1, unit.name
        attacks, defences, _ = zip(*unit.faces)
        assert list(attacks) == sorted(attacks, reverse=True), unit.name
        assert list(defences) == sorted(defences, reverse=True), unit.name


@rule("anzio", "C11C3")
def test_so_many_replacement_counters_there_are():
    kinds = Counter((unit.troops, *unit.faces[0]) for unit in BOOK.units)
    assert kinds["replacement", 0, 0, 12] == 6
    assert kinds["armor ersatz", 0, 1, 12] == 3
    german = [u for u in BOOK.units if u.troops == "ersatz" and u.nation == "Ge"]
    assert len(german) == 6
    assert {unit.faces[0] for unit in german} == {(0, 1, 8)}


def test_infantry_ersatz_rebuilds_no_armor():
    assert BOOK.troops["armor ersatz"].rebuilds == "all"
    assert BOOK.troops["ersatz"].rebuilds == "not armor"
    assert BOOK.troops["replacement"].rebuilds == "all"


# Special units


@rule("anzio", "D5A")
def test_the_commandos():
    assert {u.name for u in BOOK.units if u.commando} == {"2SS", "1SSF", "6615 Rgr", "82/504"}


@rule("anzio", "D8A3")
def test_mountain_units_of_the_basic_game():
    names = {n for n in muster(BOOK, SCENARIOS["basic"]) if UNITS[n].mountain}
    assert names == {"2 Mor", "MT 4", "1SSF", "5 Mtn", "3+4"}
    assert BOOK.nations["US/Cdn"].kin == ("US", "Cdn")
    assert set(arriving(9, "German")) == {"5 Mtn", "3+4"}


@rule("anzio", "D4A3")
def test_armor():
    names = muster(BOOK, SCENARIOS["basic"])
    armor = {name for name in names if BOOK.troops[UNITS[name].troops].armor}
    german = {name for name in armor if UNITS[name].side == "German"}
    assert german == {"16 Pz", "26 Pz", "HG"}
    assert {"7 Arm Br", "1 Arm", "4 Arm", "23 Arm", "1 Cdn Arm", "2 NZ"} == armor - german


def test_only_british_and_americans_invade():
    assert {key for key, nation in BOOK.nations.items() if nation.invades} == {"Br", "US", "US/Cdn"}


def test_stacking_numbers_that_the_rules_name():
    assert UNITS["1 Cdn"].stacking == 3  # D7B
    assert UNITS["7 Arm Br"].stacking + UNITS["6 Arm"].stacking == 10  # addendum 13-22
    assert sum(UNITS[f"82/{n}"].stacking for n in (504, 505, 325)) == 3  # E10
    assert max(u.stacking for u in BOOK.units if u.side == "Allied") == 5
    assert max(u.stacking for u in BOOK.units if u.side == "German") == 3


def test_napoli_feeds_the_whole_army_of_the_basic_game():
    names = muster(BOOK, SCENARIOS["basic"])
    points = sum(UNITS[name].stacking for name in names if UNITS[name].side == "Allied")
    assert points <= BOARD.places["Napoli"].numbers["cap"] == 100


def test_regiments_add_up_to_their_division():
    divisions = [unit for unit in BOOK.units if unit.regiments]
    assert len(divisions) == 7
    for division in divisions:
        parts = [UNITS[name] for name in division.regiments]
        attack, defence, moves = division.faces[0]
        assert sum(part.faces[0][0] for part in parts) == attack, division.name
        assert division.stacking == sum(part.stacking for part in parts)
        assert {part.faces[0][2] for part in parts} == {moves}
        assert sum(part.faces[0][1] for part in parts) == defence, division.name


# Set-ups


def stacks(key: str) -> Counter[str]:
    points: Counter[str] = Counter()
    for start in SETUPS[key].units:
        points[start.at] += UNITS[start.unit].stacking
    return points


@pytest.mark.parametrize("key", SETUPS)
def test_no_stack_of_a_set_up_is_too_high(key: str):
    boxes = {box.name for box in BOARD.boxes}
    assert [at for at, points in stacks(key).items() if points > 8 and at not in boxes] == []


@pytest.mark.parametrize("key", ["gustav", "shingle", "diadem"])
def test_the_armies_of_1944_stand_on_their_sides_of_the_front(key: str):
    setup = SETUPS[key]
    allied = 0
    for name in setup.friendly:
        allied |= BOARD.regions[name]
    for start in setup.units:
        hex = BOARD.parse(start.at)
        if not BOARD.is_box(hex):
            assert (UNITS[start.unit].side == "Allied") == bool(allied >> hex & 1), start.unit


@pytest.mark.parametrize("key", ["gustav", "shingle", "diadem"])
def test_no_allied_unit_of_1944_starts_in_a_german_zone(key: str):
    german = 0
    for start in SETUPS[key].units:
        unit = UNITS[start.unit]
        if unit.side == "German" and unit.faces[0][1]:
            german |= 1 << BOARD.parse(start.at)
    zone = BOARD.lattice.neighbours_of(german)
    for start in SETUPS[key].units:
        hex = BOARD.parse(start.at)
        if UNITS[start.unit].side == "Allied" and not BOARD.is_box(hex):
            assert not zone >> hex & 1, start.unit


def test_four_german_units_and_the_ersatz_are_free_in_shingle():
    setup = SETUPS["shingle"]
    front, north = BOARD.regions[setup.front], BOARD.regions[setup.behind]
    free = 0
    for start in setup.units:
        unit = UNITS[start.unit]
        if unit.side == "German":
            assert (front if start.may == "front" else north) >> BOARD.parse(start.at) & 1
            free += start.may == "north" and not BOOK.troops[unit.troops].rebuilds
    assert free == setup.north == 4


def test_eight_reserves_and_a_beachhead_of_56_points_in_diadem():
    setup = SETUPS["diadem"]
    reserves = [start for start in setup.units if start.may == "reserve"]
    assert (len(reserves), setup.forward, setup.points) == (8, 2, 56)
    front, behind = BOARD.regions[setup.front], BOARD.regions[setup.behind]
    for start in reserves:
        assert (behind & ~front) >> BOARD.parse(start.at) & 1, start.unit
    landed = BOARD.regions[setup.beachhead]
    within = [s for s in setup.units if landed >> BOARD.parse(s.at) & 1]
    assert 0 < sum(UNITS[start.unit].stacking for start in within) <= 56


@pytest.mark.parametrize(
    ("key", "first", "last"),
    [
        ("basic", "Sept II 1943", "Dec IV 1943"),
        ("gustav", "Jan I 1944", "June III 1944"),
        ("shingle", "Jan IV 1944", "June III 1944"),
        ("diadem", "May II 1944", "June III 1944"),
    ],
)
def test_scenarios_have_their_dates(key: str, first: str, last: str):
    scenario = SCENARIOS[key]
    assert BOOK.turns[scenario.first - 1].name == first
    assert BOOK.turns[scenario.last - 1].name == last


def test_the_second_invasion_of_the_basic_game():
    first, second = SCENARIOS["basic"].invasions
    assert (first.first, first.last, first.percent, first.must) == (1, 1, 100, True)
    names = [BOOK.turns[turn - 1].name for turn in (second.first, second.last)]
    assert (names, second.percent, second.must) == (["Nov I 1943", "Dec IV 1943"], 75, False)


# Mistakes


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("units", 'name = "15 PzG"', 'name = "29 PzG"', "29 PzG is there twice"),
        ("units", 'nation = "NZ"', 'nation = "XY"', "2 NZ is of no nation of its side"),
        ("units", "[4, 7, 12], [3, 6, 12]", "[3, 6, 12], [4, 7, 12]", "1 Para does not grow"),
        ("charts", 'least = "1-4"', 'least = "1-3"', "limits.least is not the first column"),
        ("charts", '"A1R D1"', '"B1"', "not written like"),
        ("scenarios", 'at = "X52"', 'at = "A80"', "1 Para: A80 is the wrong sort of hex"),
        ("scenarios", '"Salerno zone"', '"Ostiglia"', "'Ostiglia' is no port and no zone"),
        (
            "scenarios",
            'units = ["2 NZ"]',
            'units = ["65 Inf"]',
            "65 Inf is no unit of the Allied side",
        ),
    ],
)
def test_a_mistake_in_the_files_is_told(file: str, old: str, new: str, told: str, tmp_path):
    text = (DATA / f"{file}.toml").read_text(encoding="utf-8")
    assert old in text
    changed = tmp_path / f"{file}.toml"
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=told):
        read(**{file: DataFile.open(changed)})


@rule("anzio", "S-GUSTAV")
def test_4_para_takes_the_place_of_2_para_and_never_stands_beside_it():
    came = {name for group in BOOK.arrivals for name in group.units}
    for setup in SETUPS.values():
        there = {start.unit for start in setup.units} | came
        assert not {"2 Para", "4 Para"} <= there
