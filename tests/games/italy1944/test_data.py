"""The order of battle, the charts and the set-up of Italy 1944 against the book and the map."""

import re
import tomllib
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import apennine
from apennine.games import board
from apennine.hexes import bits, mask_of
from apennine.kernel.ledger import Ledger
from apennine.mechanics.odds import Ladder, Shift
from apennine.mechanics.tables import Table, never_worse, read_table
from apennine.mechanics.trace import Line, trace
from apennine.testing import rule

DATA = Path(apennine.__file__).parent / "games" / "italy1944" / "data"


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text("utf-8"))


MAP = board("italy1944")
UNITS: list[dict[str, Any]] = read("units.toml")["units"]
CHARTS = read("charts.toml")
[CAMPAIGN] = read("scenarios.toml")["scenarios"]
BY_NAME = {unit["name"]: unit for unit in UNITS}
TURNS = range(1, 10)
KINDS = {"rulebook", "history", "geography", "reconstructed"}

Result = tuple[int, int]


def read_result(text: str) -> Result:
    attacker, defender = map(int, text.split("/"))
    return attacker, defender


@pytest.fixture(scope="module")
def combat() -> Table[Result]:
    return read_table("combat", CHARTS["combat"], read_result)


def kind_of(unit: dict[str, Any]) -> str:
    return CHARTS["troops"][unit["troops"]]["counts_as"]


def on_map(side: str) -> list[dict[str, Any]]:
    return [u for u in UNITS if u["side"] == side and u["start"] not in ("", "reserve")]


def starts(side: str) -> int:
    return mask_of(MAP.parse(unit["start"]) for unit in on_map(side))


# The order of battle


@pytest.mark.parametrize("name", ["6 Arm", "5 C Arm"])
def test_the_armoured_divisions_of_example_3_have_the_factors_of_the_book(name: str):
    unit = BY_NAME[name]
    assert unit["faces"][0] == [22, 20, 12]
    assert (unit["nation"], unit["troops"], unit["size"]) == ("CW", "armoured", "division")


def test_the_356th_is_7_9_8_with_one_step_lost():
    unit = BY_NAME["356 ID"]
    assert len(unit["faces"]) == 2
    assert unit["faces"][1] == [7, 9, 8]
    assert (unit["side"], unit["troops"]) == ("German", "infantry")


@pytest.mark.parametrize("name", ["US 1 Arm", "1 Arm"])
def test_either_1st_armoured_division_has_the_12_points_of_the_exploitation_example(name: str):
    assert BY_NAME[name]["troops"] == "armoured"
    assert {face[2] for face in BY_NAME[name]["faces"]} == {12}


@pytest.mark.parametrize(
    ("name", "nation", "troops", "size"),
    [
        ("168 ID", "GE", "infantry", "division"),
        ("44 HD", "GE", "infantry", "division"),
        ("4 FJ", "GE", "parachute", "division"),
        ("HG", "GE", "armoured", "division"),
        ("162 T", "GE", "infantry", "division"),
        ("SSF", "US", "commando", "brigade"),
        ("2 DIM", "FR", "infantry", "division"),
        ("3 DIA", "FR", "infantry", "division"),
        ("1 DMI", "FR", "mechanised", "division"),
        ("4 DMM", "FR", "mountain", "division"),
        ("1 Goum", "FR", "mountain", "brigade"),
        ("3 Goum", "FR", "mountain", "brigade"),
        ("4 Goum", "FR", "mountain", "brigade"),
        ("2 NZ", "CW", "infantry", "division"),
        ("6 SA", "CW", "armoured", "division"),
        ("RM", "IT", "mechanised", "brigade"),
        ("Ut", "IT", "infantry", "division"),
        ("Ne", "IT", "parachute", "division"),
    ],
)
def test_the_units_that_the_book_names_are_there(name: str, nation: str, troops: str, size: str):
    unit = BY_NAME[name]
    assert (unit["nation"], unit["troops"], unit["size"]) == (nation, troops, size)


@pytest.mark.parametrize("letters", ["FJ", "GJ", "J", "LS", "R", "SS", "T", "G", "I", "C", "NZ"])
def test_every_abbreviation_of_the_book_stands_for_some_unit(letters: str):
    assert any(letters in name.split() for name in BY_NAME)


@rule("italy1944", "14a")
def test_the_three_polish_units_enter_in_april():
    poles = {u["title"]: u["arrives"] for u in UNITS if u["nation"] == "PL"}
    assert poles == {
        "3rd Carpathian Infantry Division": 4,
        "5th Kresowa Infantry Division": 4,
        "2nd Warsaw Armoured Brigade": 4,
    }


@rule("italy1944", "14c")
def test_only_the_motorised_group_is_italian_before_april():
    assert {u["name"]: u["arrives"] for u in UNITS if u["nation"] == "IT"} == {
        "RM": 0,
        "Ut": 4,
        "Ne": 4,
    }


@rule("italy1944", "14b")
def test_no_brazilian_republican_or_partisan_stands_in_for_another():
    """By name, so that nobody takes the place of another unit of his side."""
    of = {nation: {u["name"] for u in UNITS if u["nation"] == nation} for nation in ("US", "GE")}
    assert of["US"] == {
        *("US 3", "US 34", "US 36", "US 45", "US 85", "US 88", "US 91", "US 1 Arm"),
        *("US 370", "US 442", "504 Para", "Rangers", "SSF"),
    }
    assert of["GE"] == {
        *("15 PG", "3 PG", "29 PG", "90 PG", "16 SS", "26 Pz", "HG", "504 Pz", "508 Pz"),
        *("1 FJ", "4 FJ", "5 GJ", "42 J", "114 J", "19 LS", "20 LS", "162 T", "Lehr", "44 HD"),
        *("34 ID", "65 ID", "71 ID", "92 ID", "94 ID", "98 ID", "148 R", "168 ID", "232 R"),
        *("278 ID", "305 ID", "334 ID", "356 ID", "362 ID", "715 ID"),
    }
    titles = " ".join(u["title"] for u in UNITS)
    assert not re.search("Brazil|Republic|Partisan|Monterosa|San Marco|Littorio", titles)


@rule("italy1944", "1.4a", "14b")
def test_every_nation_has_its_units_and_there_are_no_others():
    counts = Counter((unit["side"], unit["nation"]) for unit in UNITS)
    assert counts == {
        ("German", "GE"): 34,
        ("Allied", "US"): 13,
        ("Allied", "CW"): 26,
        ("Allied", "FR"): 7,
        ("Allied", "PL"): 3,
        ("Allied", "IT"): 3,
    }
    nations = {key: value for key, value in CHARTS["nations"].items() if key != "source"}
    assert {(value["side"], key) for key, value in nations.items()} == set(counts)


@rule("italy1944", "1.4b")
def test_units_are_of_the_sizes_and_kinds_of_the_unit_key():
    assert {unit["size"] for unit in UNITS} == {"division", "brigade", "battalion"}
    troops = {key for key in CHARTS["troops"] if key != "source"}
    assert {unit["troops"] for unit in UNITS} == troops
    tracked = {key for key in troops if CHARTS["troops"][key]["moves"] == "tracks"}
    assert tracked == {"mechanised", "armoured"}


def test_no_two_units_have_the_same_name():
    assert len(BY_NAME) == len(UNITS)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["name"])
def test_factors_fit_the_scale_of_the_book(unit: dict[str, Any]):
    points = {"armoured": 12, "mechanised": 10}.get(unit["troops"], 8)
    assert {face[2] for face in unit["faces"]} == {points}
    assert len(unit["faces"]) == (2 if unit["size"] == "division" else 1)
    assert all(factor > 0 for face in unit["faces"] for factor in face)
    for full, worn in pairwise(unit["faces"]):
        assert worn[0] < full[0]
        assert worn[1] < full[1]


# The set-up


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["name"])
def test_a_unit_starts_on_the_map_or_arrives_later(unit: dict[str, Any]):
    if unit["arrives"]:
        assert unit["arrives"] in range(2, 10)
        assert unit["start"] == ""
    elif unit["start"] == "reserve":
        assert unit["side"] == "Allied"
        assert MAP.is_box(MAP.parse("reserve"))
    else:
        own = MAP.regions[unit["side"].lower()] & MAP.regions["land"]
        assert own >> MAP.parse(unit["start"]) & 1


def test_no_hex_starts_with_more_than_four_units():
    stacks = Counter(unit["start"] for side in ("German", "Allied") for unit in on_map(side))
    assert [hex for hex, count in stacks.items() if count > 4] == []


def test_both_armies_hold_the_whole_front():
    lattice, land = MAP.lattice, MAP.regions["land"]
    german, allied = MAP.regions["german"], MAP.regions["allied"]
    front = MAP.lines["front"].sides
    touching = mask_of(hex for mask in front for hex in bits(mask)) & land
    assert touching & german == starts("German") & touching & german
    assert touching & allied == starts("Allied") & touching & allied
    assert lattice.dilate(starts("German")) & starts("Allied")


def test_anzio_lies_open_and_two_divisions_wait_to_land():
    anzio = MAP.places["Anzio"].hexes
    assert anzio & MAP.regions["german"] & MAP.kinds["landing"]
    assert not anzio & starts("German")
    waiting = Counter(u["size"] for u in UNITS if u["start"] == "reserve")
    assert waiting["division"] >= 2


@pytest.mark.parametrize("side", ["German", "Allied"])
def test_every_unit_is_within_8_hexes_of_its_centre_at_the_front(side: str):
    enemy = "Allied" if side == "German" else "German"
    lattice, land = MAP.lattice, MAP.regions["land"]
    closed = ~land | starts(enemy) | (lattice.dilate(starts(enemy)) & ~starts(side))
    [centre] = [c for c in CAMPAIGN["centres"] if c["side"] == side]
    lines = Line(lattice.all_sides, blocked=closed)
    found = trace(lattice, 1 << MAP.parse(centre["hexes"][0]), lines)
    front = lattice.dilate(starts(enemy)) & starts(side)
    assert front & ~found.within(8) == 0
    source = trace(lattice, MAP.supply[side.lower()].hexes, lines)
    assert all(source.mask >> MAP.parse(hex) & 1 for hex in centre["hexes"])


@pytest.mark.parametrize("centre", CAMPAIGN["centres"], ids=lambda centre: centre["side"])
def test_logistic_centres_start_on_roads_of_their_own_side(centre: dict[str, Any]):
    own = MAP.regions[centre["side"].lower()] & MAP.road_hexes["road"]
    assert mask_of(map(MAP.parse, centre["hexes"])) & ~own == 0


def test_the_campaign_has_nine_turns_and_a_centre_a_side():
    assert CAMPAIGN["turns"] == len(CHARTS["turns"]["names"]) == len(TURNS)
    assert sorted(centre["side"] for centre in CAMPAIGN["centres"]) == ["Allied", "German"]


# The charts


def test_better_odds_are_never_worse_on_any_roll(combat: Table[Result]):
    assert never_worse(combat, combat.columns, lambda cell: cell[1] - cell[0]) == []


def test_better_odds_never_cost_more_nor_hurt_less_on_average(combat: Table[Result]):
    assert never_worse(combat, combat.columns, lambda cell: -cell[0], (6,)) == []
    assert never_worse(combat, combat.columns, lambda cell: cell[1], (6,)) == []


def test_each_column_is_worth_half_a_step_or_a_little_more(combat: Table[Result]):
    net = [
        combat.chances(column, (6,)).mean(lambda cell: cell[1] - cell[0])
        for column in range(len(combat.columns))
    ]
    assert {right - left for left, right in pairwise(net)} == {Fraction(1, 2), Fraction(2, 3)}


def test_the_best_columns_take_six_steps_at_the_price_of_one(combat: Table[Result]):
    assert max(cell[1] for row in combat.rows for cell in row) == 6
    for label in ("6:1", "7:1+"):
        assert combat.chances(combat.column(label), (6,))[(1, 6)] > 0


def test_one_for_two_occurs_on_three_to_one(combat: Table[Result]):
    assert combat.chances(combat.column("3:1"), (6,))[(1, 2)] > 0


def test_example_3_is_rolled_on_three_to_one():
    shifts = CHARTS["shifts"]
    used = [shifts["mobile_attack"], shifts["support_attack"]]
    odds = Ladder(CHARTS["combat"]["columns"]).odds(
        sum(BY_NAME[name]["faces"][0][0] for name in ("6 Arm", "5 C Arm")),
        BY_NAME["356 ID"]["faces"][1][1],
        [Shift(shift["title"], shift["columns"], shift["rule"]) for shift in used],
    )
    assert (odds.raw_label, odds.label) == ("4:1", "3:1")


def test_movement_has_a_price_for_every_terrain_and_the_prices_of_the_book():
    land = set(MAP.terrain) - {"sea"}
    for pace in ("foot", "tracks"):
        prices = CHARTS["movement"][pace]
        assert set(prices) == land | {"road", "river"}
        assert prices["road"] == 0.5
        assert prices["road"] < prices["clear"] < prices["rough"] < prices["mountain"]
    assert CHARTS["movement"]["tracks"]["clear"] == 1


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("mobile_attack", -2),
        ("mountain", -2),
        ("cassino", -2),
        ("fortified", -1),
        ("concentric", 1),
        ("long_attack", -1),
        ("long_defence", 1),
        ("longest_attack", -2),
        ("longest_defence", 1),
        ("centre_moves", -3),
        ("landed_attack", -1),
        ("landed_defence", 1),
        ("offensive", 1),
        ("support_attack", 1),
        ("support_defence", -1),
    ],
)
def test_shifts_are_those_of_the_book(name: str, columns: int):
    assert CHARTS["shifts"][name]["columns"] == columns


def test_every_shift_names_a_rule_of_the_ledger():
    ledger = Ledger.read(DATA / "ledger.tsv")
    shifts = [shift for key, shift in CHARTS["shifts"].items() if key != "source"]
    assert [shift["rule"] for shift in shifts if shift["rule"] not in ledger] == []


def test_no_shift_but_support_is_capped():
    shifts = [shift for key, shift in CHARTS["shifts"].items() if key != "source"]
    assert {shift["title"] for shift in shifts if "most" in shift} == {
        "air and naval support, attacker",
        "air and naval support, defender",
    }
    assert {shift.get("most", 2) for shift in shifts} == {2}


@pytest.mark.parametrize("nation", ["GE", "US", "CW", "FR", "PL", "IT"])
def test_replacements_come_every_turn_but_the_first_and_only_where_there_are_units(nation: str):
    steps = CHARTS["replacements"][nation]
    assert len(steps) == len(TURNS)
    assert steps[0] == 0
    first = min(unit["arrives"] for unit in UNITS if unit["nation"] == nation)
    assert not any(steps[: max(first - 1, 0)])
    assert all(step >= 0 for step in steps)
    assert any(steps)


@rule("italy1944", "10a")
def test_both_sides_have_air_markers_and_the_allies_two_naval_ones():
    air = Counter(marker["side"] for marker in CHARTS["support"]["air"])
    assert air["Allied"] > 2
    assert air["German"] >= 1
    assert any(m["nation"] == "CW" for m in CHARTS["support"]["air"])
    assert [marker["side"] for marker in CHARTS["support"]["naval"]] == ["Allied", "Allied"]
    names = [m["name"] for kind in ("air", "naval") for m in CHARTS["support"][kind]]
    assert len(set(names)) == len(names)


# The schedule


def test_everything_scheduled_falls_within_the_nine_turns():
    assert {unit["arrives"] for unit in UNITS} - {0} <= set(TURNS[1:])
    for leaving in CHARTS["schedule"]["withdrawals"]:
        assert leaving["turn"] in TURNS[1:]
        assert leaving["turn"] < leaving.get("returns", 10)
        assert leaving.get("returns", 9) in TURNS
    assert CHARTS["turns"]["gothic"] == 7


def test_every_withdrawal_has_a_candidate_whoever_was_chosen_before():
    gone: list[tuple[str, str, str]] = []
    for leaving in sorted(CHARTS["schedule"]["withdrawals"], key=lambda entry: entry["turn"]):
        like = (leaving["nation"], leaving["counts_as"], leaving["size"])
        there = [
            unit["name"]
            for unit in UNITS
            if (unit["nation"], kind_of(unit), unit["size"]) == like
            and unit["arrives"] <= leaving["turn"]
        ]
        assert leaving["unit"] in there
        assert len(there) > gone.count(like)
        gone.append(like)


def test_nobody_leaves_twice():
    leaving = [entry["unit"] for entry in CHARTS["schedule"]["withdrawals"]]
    assert len(set(leaving)) == len(leaving)


def test_one_german_infantry_division_leaves_in_august():
    [leaving] = [
        entry
        for entry in CHARTS["schedule"]["withdrawals"]
        if (entry["nation"], entry["counts_as"]) == ("GE", "infantry")
        and entry["size"] == "division"
    ]
    assert (leaving["turn"], leaving["unit"]) == (8, "168 ID")


def test_the_french_and_vi_corps_leave_for_the_south_of_france_in_summer():
    leaving = {entry["unit"]: entry["turn"] for entry in CHARTS["schedule"]["withdrawals"]}
    french = {unit["name"] for unit in UNITS if unit["nation"] == "FR"}
    assert french <= set(leaving)
    assert {leaving[name] for name in french} == {7, 8}
    assert [leaving[name] for name in ("US 3", "US 36", "US 45", "SSF")] == [7, 7, 7, 7]


# Victory


def test_the_towns_are_worth_80_points_in_all():
    points = {place.name: place.numbers["vp"] for place in MAP.places.values() if place.numbers}
    assert points.pop("Rome") == 15
    assert points.pop("Bologna") == 10
    assert set(points.values()) == {5}
    assert sum(points.values()) == 55


def test_points_and_thresholds_are_those_of_the_book():
    victory = CHARTS["victory"]
    assert (victory["beachhead"], victory["gothic_points"], victory["gothic_hexes"]) == (10, 10, 3)
    assert (victory["win"], victory["strategic"]) == (40, 50)


# Where the numbers come from


@pytest.mark.parametrize("table", sorted(CHARTS))
def test_every_chart_says_where_it_comes_from(table: str):
    kind, _, text = CHARTS[table]["source"].partition(": ")
    assert kind in KINDS
    assert text


@pytest.mark.parametrize("table", ["combat", "movement", "replacements", "support"])
def test_charts_that_are_not_in_the_book_are_marked_reconstructed(table: str):
    assert CHARTS[table]["source"].startswith("reconstructed: ")


def test_the_order_of_battle_and_the_scenario_say_where_they_come_from():
    sources = [read("units.toml")["source"], CAMPAIGN["source"]]
    sources += [unit["source"] for unit in UNITS if "source" in unit]
    assert {source.partition(": ")[0] for source in sources} <= KINDS
