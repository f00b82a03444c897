"""Chapters 2 and 3: the map, the counters, the scenarios that the data files hold."""

from collections import Counter

import pytest

from apennine.games.italia1918.rules.c02_pieces import is_elite, morale
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE
from apennine.games.italia1918.telling.view import view_factors
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.italia1918.drawing import SCENARIOS, WAR, at, codes, mask, number, table

LATTICE, GROUND, BOOK = WAR.lattice, WAR.ground, WAR.book
KINDS = {unit.name: BOOK.kinds[unit.kind] for unit in WAR.roster}


def shown(name: str, steps: int = 0) -> str:
    """What a counter shows, as the book writes it."""
    unit = number(name)
    a, d, m, morale = WAR.faces[unit][steps or WAR.full[unit]]
    return f"{a}-{d}-{m}/{morale}"


@rule("italia1918", "1.0a")
def test_two_sides_by_nationality():
    sides = {nation: BOOK.nations[nation].side for nation in BOOK.nations}
    assert {n for n, side in sides.items() if side == "Central Powers"} == {"AH", "Ge"}
    assert {n for n, side in sides.items() if side == "Entente"} == {"It", "Fr", "Br", "US"}
    assert all(unit.side == sides[unit.nation] for unit in WAR.roster)


@rule("italia1918", "2.1c", "2.1g")
def test_the_letter_tells_the_sheets_apart_and_2720_is_eastern():
    assert at("W2720") != at("E2720")
    assert GROUND.kind("depot") == 1 << at("E2720")
    assert {"W2024", "W2026", "W1714", "W1920", "W1922"} <= codes(GROUND.kind("objective"))


@rule("italia1918", "2.1d")
def test_nothing_is_west_of_the_adige():
    beyond = WAR.board.terrain["beyond"]
    assert not beyond & GROUND.land
    assert not LATTICE.cross(GROUND.land, GROUND.open) & beyond
    assert all(not theatre.area & beyond for theatre in WAR.theatres)


@rule("italia1918", "2.1f")
def test_a_hex_has_one_terrain():
    masks = list(GROUND.by_name.values())
    assert sum(m.bit_count() for m in masks) == GROUND.land.bit_count()
    assert GROUND.forest & GROUND.mountains == 0


@rule("italia1918", "2.2a")
def test_units_have_the_tags_that_scenarios_ask_for():
    tags = {(unit.nation, unit.tag) for unit in WAR.roster if unit.tag}
    assert {("AH", "Austrian"), ("AH", "Hungarian"), ("AH", "Bosnian"), ("Ge", "Bavarian")} <= tags
    assert {("It", "Alpini"), ("It", "Bersaglieri"), ("It", "Czech")} <= tags
    assert ("Fr", "Chasseurs Alpins") in tags
    hungarians = [unit.name for unit in WAR.roster if unit.tag == "Hungarian"]
    assert {"41 HID", "11 HKD", "39 HIBrig"} <= set(hungarians)
    assert "33 ID" not in hungarians


@rule("italia1918", "2.2.1a", "2.2.2a")
def test_infantry_of_every_kind_fights_and_all_else_supports():
    combat = {kind for kind, entry in BOOK.kinds.items() if entry.combat}
    assert combat == {"infantry", "cavalry", "mountain", "assault", "naval"}
    supports = set(BOOK.kinds) - combat
    assert supports == {
        *("headquarters", "army artillery", "corps artillery", "barges", "battery"),
        *("stosstruppen", "sturmbataillon", "arditi", "air", "depot", "trucks"),
    }
    assert WAR.combat & WAR.supports == 0
    assert (WAR.combat | WAR.supports).bit_count() == len(WAR.roster)


@rule("italia1918", "2.2.1d")
def test_the_size_drives_stacking_and_prices():
    assert {unit.size for unit in WAR.roster if unit.faces} == set(BOOK.sizes)
    assert BOOK.sizes["division"].stacking == (3, 2)


@rule("italia1918", "3.0b")
def test_detachments_are_small_and_have_one_step():
    found = [WAR.roster[unit] for unit in bits(WAR.detachments)]
    assert {(unit.nation, unit.tag) for unit in found} == {
        ("AH", "Austrian"),
        ("It", "Alpini"),
        ("It", "Bersaglieri"),
        ("It", ""),
    }
    assert all(unit.full == 1 for unit in found)


@rule("italia1918", "3.0h")
@pytest.mark.parametrize(
    ("unit", "elite"),
    [
        ("AlpK Leib", True),
        ("3 ID/216", True),
        ("Alp 1", True),
        ("2 Bers", False),
        ("Como Bde", False),
        ("4 ID", False),
        ("Geb 1", False),
    ],
)
def test_only_small_units_of_high_morale_are_elite(unit: str, elite: bool):
    assert is_elite(WAR, table(), number(unit)) == elite


@rule("italia1918", "3.0l")
def test_three_kinds_of_assault_troops():
    kinds = {kind for kind, entry in BOOK.kinds.items() if entry.assault}
    assert kinds == {"stosstruppen", "sturmbataillon", "arditi"} == set(BOOK.attaching)


@rule("italia1918", "3.0m")
def test_the_cadorna_line_is_a_chain_from_the_mountains_to_the_sea():
    line = WAR.board.lines["cadorna"].hexes
    assert mask("W1707 W1712 W1812 W1813 W1914 W1921 W2021 W2027") & ~line == 0
    assert len(LATTICE.components(line)) == 1
    sea = WAR.board.terrain["sea"] | WAR.board.terrain["lagoon"]
    assert LATTICE.dilate(line) & sea


@rule("italia1918", "3.0g", "3.0f")
def test_the_italian_doctrine_fixes_the_trenches_of_all_the_entente():
    factors = {t.scenario.key: t.entente_trench for t in WAR.theatres}
    assert factors == {
        "grappa": 2,
        "caporetto": 2,
        "radetzky": 3,
        "albrecht": 3,
        "solstice": 3,
        "vittorio": 3,
    }
    assert WAR.theatres[0].scenario.doctrines == {"It": "Evolving", "Fr": "Cadorna/Foch"}


@rule("italia1918", "11.1.3c")
def test_a_road_over_a_river_is_a_bridge():
    bridge = GROUND.bridges[GROUND.bridge_at[LATTICE.edge_between(at("E1605"), at("E1606"))]]
    assert (bridge.river, bridge.major, bridge.road) == ("Livenza", True, True)
    assert codes(bridge.ends) == {"E1605", "E1606"}


@rule("italia1918", "11.2.5h")
def test_a_road_and_a_railway_over_one_side_are_one_bridge():
    both = LATTICE.edge_between(at("E1301"), at("E1401"))
    assert sum(bridge.edge == both for bridge in GROUND.bridges) == 1


# The counters that the book prints.


@rule("italia1918", "S5.I2", "S5.I3", "S5.I4")
@pytest.mark.parametrize(
    ("unit", "values"),
    [
        *(("13 SchD", "8-9-4/4"), ("4 ID", "9-10-4/4"), ("33 ID", "8-9-4/4")),
        *(("7 Alpini", "3-4-5/5"), ("8 Alpini", "4-5-5/5"), ("15 Alpini", "4-5-5/5")),
        *(("3 DC", "1-2-5/2"), ("4 DC", "1-2-5/2"), ("12 rtSchD", "5-6-4/3")),
        *(("22 DF", "7-10-4/4"), ("37 DF", "7-9-4/4")),
        *(("2 Bers", "2-2-5/4"), ("3 Bers", "2-2-5/4"), ("8 Bers", "3-4-5/5")),
        *(("13 Bers", "3-3-5/5"), ("1 Alpini", "5-6-5/5"), ("5 Alpini", "3-4-5/5")),
        *(("9 Alpini", "4-5-5/5"), ("10 Alpini", "4-5-5/5"), ("6 Alpini", "4-5-5/5")),
        *(("13 Alpini", "2-3-5/5"), ("17 Alpini", "3-3-5/4"), ("20 Alpini", "2-3-5/4")),
    ],
)
def test_printed_values(unit: str, values: str):
    assert shown(unit) == values


def displays() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for start in WAR.theatres[5].starts:
        if start.display:
            found.setdefault(start.display, set()).add(start.unit)
    return found


@rule("italia1918", "3.0o", "S5.I2", "S5.I3")
def test_the_regiments_of_the_displays():
    assert displays() == {
        "23 DF": {"2 Bers", "3 Bers", "8 Bers", "13 Bers"},
        "52 DF": {"1 Alpini", "5 Alpini", "9 Alpini", "10 Alpini"},
        "80 DF": {"6 Alpini", "13 Alpini", "17 Alpini", "20 Alpini"},
    }
    where = {start.unit: start.hex for start in WAR.theatres[5].starts}
    arditi = Counter(where[unit] for unit in where if unit.startswith("Arditi"))
    for members in displays().values():
        (hex,) = {where[unit] for unit in members}
        assert arditi[hex] == 1


@rule("italia1918", "S3.R2")
def test_37_df_is_of_morale_4_in_every_scenario():
    assert WAR.full[number("37 DF")] == 3


def test_trucks_have_15_points_and_artillery_the_values_of_the_example():
    assert WAR.roster[number("Trucks")].moves == 15
    assert WAR.roster[number("AArt 6 A")].value == 3
    assert WAR.roster[number("CArt II K")].value == 2


# The morale of units in Retreat mode.


@rule("italia1918", "11.4b")
def test_retreat_mode_lowers_morale_but_never_below_2():
    fleeing = -1
    assert morale(WAR, table(fleeing=fleeing), number("4 ID")) == 3
    assert morale(WAR, table(fleeing=fleeing), number("3 DC")) == 2
    assert morale(WAR, table(), number("4 ID")) == 4


# The scenarios.


@rule("italia1918", "3.0a", "S5.S1a", "S1.S1")
def test_each_scenario_names_the_side_with_the_initiative():
    found = {t.scenario.key: t.initiative for t in WAR.theatres}
    assert found == dict.fromkeys(SCENARIOS[:-1], CENTRAL) | {"vittorio": ENTENTE}


def turns(key: str) -> list[int]:
    scenario = WAR.theatres[SCENARIOS.index(key)].scenario
    return list(range(scenario.first, scenario.last + 1))


@rule("italia1918", "2.4a")
def test_a_turn_is_three_days():
    assert BOOK.turns["1"] == "24-26 October 1917"
    assert BOOK.turns["17"] == "11-13 December 1917"
    assert BOOK.turns["34"] == "2-4 November 1918"
    assert turns("caporetto") == [1, 2, 3, 4]
    assert turns("radetzky") == [24]


def offensives(key: str) -> dict[int, tuple[tuple[int, ...], int]]:
    found = WAR.theatres[SCENARIOS.index(key)].offensives
    return {turn: (entry.modifiers, entry.supports) for turn, entry in found.items()}


def test_some_turns_have_no_offensive():
    assert 18 not in offensives("grappa")
    assert 4 not in offensives("caporetto")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("grappa", {17: ((2, 1, 0), 1)}),
        ("caporetto", {1: ((3, 2, 1), 2), 2: ((1, 0, 0), 2), 3: ((1, 0, 0), 1)}),
        ("radetzky", {24: ((2, 1, 0), 2)}),
        ("albrecht", {24: ((2, 2, 1), 2), 25: ((1, 1, 0), 2), 26: ((1, 0, 0), 1)}),
        ("solstice", {24: ((2, 1, 0), 4), 25: ((1, 1, 0), 2), 26: ((1, 0, 0), 1)}),
        (
            "vittorio",
            {31: ((2, 1, 0), 2), 32: ((3, 2, 1), 4), 33: ((2, 1, 0), 4), 34: ((1, 0, 0), 3)},
        ),
    ],
)
def test_the_offensives_of_the_scenarios(
    key: str, expected: dict[int, tuple[tuple[int, ...], int]]
):
    assert offensives(key) == expected


def test_the_gun_of_w1824_must_be_among_those_of_vittorio_veneto():
    theatre = WAR.theatres[5]
    (gun,) = theatre.offensives[31].guns
    assert {start.hex for start in theatre.starts if start.unit == gun} == {"W1824"}
    assert theatre.offensives[34].west == 1


@rule("italia1918", "3.0e", "3.0c")
def test_a_hidden_detachment_shows_the_enemy_how_far_it_goes_and_no_more():
    pos = table("Fant 1 @ W0505 hidden; 4 ID @ W0508")
    unit = number("Fant 1")
    assert view_factors(WAR, pos, unit, CENTRAL) == {"attack": "?", "defence": "?", "moves": 5}
    own = view_factors(WAR, pos, unit, ENTENTE)
    assert {"attack", "defence", "morale"} <= set(own)
    pos.hidden = 0
    assert view_factors(WAR, pos, unit, CENTRAL) == own
