"""The order of battle, the charts and the set-up of Soft Underbelly against book and map."""

import tomllib
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import apennine
from apennine.games import board
from apennine.games.underbelly.table.book import Book, read_book
from apennine.games.underbelly.table.data import Unit
from apennine.hexes import mask_of
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.ledger import Ledger
from apennine.mechanics.trace import Line, trace
from apennine.testing import rule

DATA = Path(apennine.__file__).parent / "games" / "underbelly" / "data"
FILES = ("units.toml", "charts.toml", "scenarios.toml")
KINDS = {"rulebook", "history", "geography", "reconstructed"}


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text("utf-8"))


MAP = board("underbelly")
RAW = {name: load(name) for name in FILES}
CHARTS, SCENARIOS = RAW["charts.toml"], RAW["scenarios.toml"]


def read(raw: dict[str, dict[str, Any]]) -> Book:
    return read_book(MAP, *(DataFile(name, raw[name]) for name in FILES))


BOOK = read(RAW)
UNITS = {unit.name: unit for unit in BOOK.units}
PORTS = {port.name: port for port in BOOK.ports}


def of_group(group: str) -> list[Unit]:
    return [unit for unit in BOOK.units if unit.group == group]


def starts(side: str) -> int:
    return mask_of(MAP.parse(u.start) for u in BOOK.units if u.side == side and u.start)


def zone(side: str) -> int:
    """The zone of control of the divisions that start on the map."""
    centres = [u for u in BOOK.units if u.side == side and u.start and not BOOK.support(u)]
    return MAP.lattice.neighbours_of(mask_of(MAP.parse(unit.start) for unit in centres)) | mask_of(
        MAP.parse(unit.start) for unit in centres
    )


# The order of battle


@rule("underbelly", "2.5")
def test_the_1st_armored_is_the_counter_that_the_book_shows():
    unit = UNITS["US 1 Arm"]
    assert unit.title == "1st Armored Division"
    assert (unit.fire[0], unit.full, unit.movement) == (7, 2, 8)
    assert (unit.side, unit.group, unit.arrives) == ("Allied", "US", 17)
    assert (unit.start, unit.available) == ("", False)


@rule("underbelly", "Errata")
@pytest.mark.parametrize("name", ["65 Inf", "76 Inf", "94 Inf", "305 Inf", "334 Inf"])
def test_five_infantry_divisions_move_4_and_go_on_foot(name: str):
    unit = UNITS[name]
    assert (unit.group, unit.troops, unit.movement) == ("10", "infantry", 4)
    assert BOOK.mobility(unit) == "foot"


@rule("underbelly", "1.3")
def test_every_german_unit_is_of_one_organisation():
    german = [unit for unit in BOOK.units if unit.side == "German"]
    counts = Counter(unit.group for unit in german)
    assert counts == {"10": 21, "2SS": 4, "5Pz": 14}
    assert [BOOK.groups[g].title for g in ("10", "2SS", "5Pz")] == [
        "10th Army",
        "II SS Panzer Corps",
        "5th Panzer Army",
    ]


@rule("underbelly", "1.4")
def test_every_allied_unit_is_us_or_british_and_the_french_are_us():
    counts = Counter(unit.group for unit in BOOK.units if unit.side == "Allied")
    assert counts == {"US": 9, "GB": 15}
    assert UNITS["FX Mtn"].group == "US"
    assert {UNITS[name].group for name in ("1 C", "5 C Arm", "4 I", "8 I", "2 NZ")} == {"GB"}


@rule("underbelly", "1.5a", "2.13a")
def test_corps_support_has_one_step_and_every_division_two():
    for unit in BOOK.units:
        assert unit.full == (1 if BOOK.support(unit) else 2)
        assert BOOK.support(unit) == (unit.troops == "support")
    assert sum(map(BOOK.support, BOOK.units)) == 12


@rule("underbelly", "1.5b")
@pytest.mark.parametrize("name", ["11 Flak", "FX Mtn"])
def test_two_corps_in_name_count_as_divisions(name: str):
    assert not BOOK.support(UNITS[name])
    assert UNITS[name].full == 2


@rule("underbelly", "2.13d")
def test_the_symbol_and_not_the_steps_makes_a_division():
    raw = deepcopy(RAW)
    [counter] = [u for u in raw["units.toml"]["units"] if u["name"] == "3 PG"]
    counter["fire"] = [5]
    [worn] = [unit for unit in read(raw).units if unit.name == "3 PG"]
    assert worn.full == 1
    assert not BOOK.support(worn)


@rule("underbelly", "2.6", "12.10c")
def test_the_parachute_divisions_are_mountain_troops_and_their_corps_is_not():
    assert [BOOK.mobility(UNITS[name]) for name in ("1 Para", "2 Para", "1P")] == [
        "mountain",
        "mountain",
        "mechanised",
    ]
    assert BOOK.support(UNITS["1P"])


def test_the_82nd_alone_is_airborne_beside_the_british_division_at_taranto():
    assert {u.name for u in BOOK.units if u.troops == "airborne"} == {"82 Abn", "1 Abn"}
    assert UNITS["82 Abn"].available
    assert UNITS["1 Abn"].start == "4108"


@rule("underbelly", "2.11a")
def test_every_unit_is_in_one_of_three_mobility_categories():
    for unit in BOOK.units:
        if BOOK.troops[unit.troops].mountain:
            assert BOOK.mobility(unit) == "mountain"
        elif unit.moves == 4:
            assert BOOK.mobility(unit) == "foot"
        else:
            assert unit.moves in (8, "?")
            assert BOOK.mobility(unit) == "mechanised"
    assert {"FX Mtn", "52 Mtn", "5 Mtn", "1 Mtn"} < {
        unit.name for unit in BOOK.units if BOOK.mobility(unit) == "mountain"
    }


def test_four_german_units_have_a_question_mark_three_of_them_corps_support():
    rolling = [unit for unit in BOOK.units if unit.moves == "?"]
    assert {unit.name for unit in rolling} == {"11 Flak", "XIV Pz", "LXXVI Pz", "1P"}
    assert {unit.group for unit in rolling} == {"10"}
    assert sum(map(BOOK.support, rolling)) == 3
    assert {BOOK.mobility(unit) for unit in rolling} == {"mechanised"}
    assert {unit.movement for unit in rolling} == {0}


@pytest.mark.parametrize(
    ("name", "group", "troops"),
    [
        ("82 Abn", "US", "airborne"),
        ("FX Mtn", "US", "mountain"),
        ("52 Mtn", "GB", "mountain"),
        ("1 Para", "10", "parachute"),
        ("2 Para", "10", "parachute"),
        ("1P", "10", "support"),
        ("11 Flak", "10", "flak"),
        ("HG", "10", "panzer"),
        ("24 Pz", "10", "panzer"),
        ("24 Pz SS", "2SS", "panzer"),
    ],
)
def test_the_units_that_the_book_names_are_there(name: str, group: str, troops: str):
    assert (UNITS[name].group, UNITS[name].troops) == (group, troops)


@pytest.mark.parametrize("letters", ["C", "FX", "HG", "I", "NZ", "Para", "Pz", "SS"])
def test_every_abbreviation_of_the_book_stands_for_some_unit(letters: str):
    assert any(letters in name.split() for name in UNITS)


def test_the_24th_panzer_is_in_one_organisation_a_scenario_and_the_52nd_in_one_scenario():
    only = {name: UNITS[name].only for name in ("24 Pz", "24 Pz SS", "52 Mtn")}
    assert only == {"24 Pz": "historical", "24 Pz SS": "wat", "52 Mtn": "wat"}
    assert {u.only for u in BOOK.units if u.group in ("US", "GB", "10")} == {
        "",
        "historical",
        "wat",
    }
    assert {u.only for g in ("2SS", "5Pz") for u in of_group(g)} == {"wat"}


@rule("underbelly", "8.6c")
def test_ii_ss_panzer_corps_fits_into_one_hex():
    assert Counter(map(BOOK.support, of_group("2SS"))) == {False: 3, True: 1}
    raw = deepcopy(RAW)
    for unit in raw["units.toml"]["units"]:
        if unit["name"] == "II SS":
            unit |= {"troops": "panzer", "fire": [7, 6]}
    with pytest.raises(DataError, match=r"II SS Panzer Corps does not fit into one hex\.$"):
        read(raw)


def test_5th_panzer_army_has_14_units_and_the_aircraft():
    planes = [plane for plane in BOOK.aircraft if plane.group == "5Pz"]
    assert len(of_group("5Pz")) + len(planes) == BOOK.fifth_army.units == 15
    assert len(planes) == 1


def test_5th_panzer_army_can_enter_with_six_command_points():
    army = Counter(map(BOOK.support, of_group("5Pz")))
    stacks = max(-(-army[False] // 3), army[True])
    assert stacks * BOOK.prices.move <= BOOK.command.german


@pytest.mark.parametrize("unit", BOOK.units, ids=lambda unit: unit.name)
def test_factors_fit_the_scale_of_the_book(unit: Unit):
    assert all(4 <= factor <= 8 for factor in unit.fire[:1])
    assert [full - worn for full, worn in pairwise(unit.fire)] in ([], [1])
    if BOOK.mobility(unit) == "mountain":
        assert unit.moves == 4


def test_the_leibstandarte_is_as_good_as_any_and_tanks_are_better_than_infantry():
    assert max(unit.fire[0] for unit in BOOK.units) == UNITS["1 SS"].fire[0]
    tanks = [u.fire[0] for u in BOOK.units if u.troops in ("armoured", "panzer")]
    foot = [u.fire[0] for u in BOOK.units if u.troops == "infantry"]
    assert sum(tanks) / len(tanks) > 1 + sum(foot) / len(foot)


# The set-up


@pytest.mark.parametrize("unit", BOOK.units, ids=lambda unit: unit.name)
def test_a_unit_starts_somewhere_or_arrives_later(unit: Unit):
    places = [bool(unit.start), unit.available, bool(unit.arrives), unit.code == ""]
    assert sum(places) == 1
    assert (unit.code == "") == (unit.group in ("2SS", "5Pz"))
    assert unit.arrives == 0 or 2 <= unit.arrives <= 23


def test_three_british_units_start_within_two_hexes_of_5322():
    free = [unit for unit in BOOK.units if unit.code == "5322-2"]
    assert len(free) == 3
    assert {unit.group for unit in free} == {"GB"}
    centre = MAP.parse("5322")
    assert all(MAP.lattice.distance(centre, MAP.parse(u.place)) <= 2 for u in free)
    assert (BOOK.setup.british, BOOK.setup.range) == ("5322", 2)


def test_fifth_army_landed_at_salerno_and_paestum():
    at = {unit.name: unit.start for unit in BOOK.units if unit.side == "Allied" and unit.start}
    assert {name for name, hex in at.items() if hex == "2822"} == {"46 Inf", "56 Inf", "X Corps"}
    assert {name for name, hex in at.items() if hex == "2921"} == {"US 36", "US VI"}


def test_both_sides_have_units_in_their_boxes_at_the_start():
    boxes = {(unit.name, BOOK.groups[unit.group].box) for unit in BOOK.units if unit.available}
    assert boxes == {("US 45", "available"), ("82 Abn", "available"), ("11 Flak", "tenth")}


def test_germans_start_outside_the_allied_toe_and_next_to_the_beaches():
    assert starts("German") & MAP.regions["allied"] == 0
    beaches = mask_of(map(MAP.parse, BOOK.victory.beaches))
    assert MAP.lattice.dilate(beaches) & starts("German")
    assert starts("German") & ~MAP.regions["land"] == 0


def test_every_allied_unit_on_the_map_has_a_port_by_land():
    ports = mask_of(MAP.parse(port.hex) for port in BOOK.ports if port.start)
    closed = ~MAP.regions["land"] | starts("German") | (zone("German") & ~starts("Allied"))
    found = trace(MAP.lattice, ports, Line(MAP.lattice.all_sides, blocked=closed))
    assert starts("Allied") & ~found.mask == 0


def test_every_german_unit_on_the_map_has_a_line_to_row_10():
    closed = ~MAP.regions["land"] | starts("Allied") | (zone("Allied") & ~starts("German"))
    found = trace(MAP.lattice, MAP.regions["north"], Line(MAP.lattice.all_sides, blocked=closed))
    assert starts("German") & ~found.mask == 0


@pytest.mark.parametrize(
    ("name", "hex", "group", "start"),
    [
        ("Salerno", "2822", "GB", True),
        ("Paestum", "2921", "US", True),
        ("Taranto", "4108", "GB", True),
        ("Reggio", "5328", "GB", True),
        ("Naples", "2522", "US", False),
        ("Bari", "3306", "GB", False),
    ],
)
def test_port_counters_lie_where_the_book_and_the_rulings_say(
    name: str, hex: str, group: str, start: bool
):
    port = PORTS[name]
    assert (port.hex, port.group, port.start) == (hex, group, start)
    assert MAP.kinds["port"] >> MAP.parse(hex) & 1


@rule("underbelly", "11.9f")
def test_the_american_counter_is_at_paestum_and_becomes_naples():
    assert {port.name for port in BOOK.ports if port.switch} == {"Salerno", "Paestum"}
    assert [port.name for port in BOOK.ports if port.becomes] == ["Paestum"]
    assert (PORTS["Paestum"].becomes, PORTS["Paestum"].group) == ("Naples", "US")
    assert (PORTS["Salerno"].group, PORTS["Reggio"].group) == ("GB", "GB")


def test_special_forces_stand_in_2823():
    assert BOOK.setup.special_forces == "2823"
    assert not starts("Allied") >> MAP.parse("2823") & 1


# The scenarios


def test_the_die_decides_evenly_unless_the_players_agree():
    assert {scenario.key: scenario.outcome for scenario in BOOK.scenarios} == {
        "campaign": "",
        "historical": "historical",
        "wat": "wat",
    }
    assert {key: outcome.rolls for key, outcome in BOOK.outcomes.items()} == {
        "historical": (1, 5),
        "wat": (6, 10),
    }


def test_forts_hesitancy_withdrawals_and_the_last_check_are_historical_alone():
    historical, wat = BOOK.outcomes["historical"], BOOK.outcomes["wat"]
    assert (historical.forts, historical.withdrawals, historical.final_check) == (True, True, True)
    assert (wat.forts, wat.withdrawals, wat.final_check) == (False, False, False)
    assert (historical.hesitancy, wat.hesitancy) == ((2, 5), ())
    assert set(wat.groups) - set(historical.groups) == {"2SS", "5Pz"}


@rule("underbelly", "1.2b")
def test_23_turns_of_2_to_15_days_run_to_the_end_of_the_year_and_get_longer():
    days = BOOK.calendar.days
    assert len(days) == BOOK.turns == len(BOOK.calendar.names) == 23
    assert (min(days), max(days)) == (2, 15)
    assert list(days) == sorted(days)
    assert sum(days) == 22 + 31 + 30 + 31  # 9 September to 31 December


def test_each_turn_is_named_after_its_days():
    months = {"September": 0, "October": 30, "November": 61, "December": 91}
    due = 9
    for name, days in zip(BOOK.calendar.names, BOOK.calendar.days, strict=True):
        first, last = name.split("-")
        month = last.split()[1]
        begins = int(first.split()[0]) + months[[*first.split(), month][1]]
        ends = int(last.split()[0]) + months[month]
        assert (begins, ends - begins + 1) == (due, days)
        due = ends + 1


def test_both_groupings_lose_units_to_england_after_they_came():
    leaving = {entry.unit: entry.turn for entry in BOOK.withdrawals}
    assert {UNITS[name].group for name in leaving} == {"US", "GB"}
    assert all(UNITS[name].arrives < turn <= 23 for name, turn in leaving.items())


def test_reinforcements_come_in_the_turns_of_history():
    arrivals = {u.name: u.arrives for u in BOOK.units if u.arrives}
    order = ["7 Arm", "US 3", "78 Inf", "8 I", "2 NZ", "US 1 Arm", "5 C Arm", "FX Mtn", "4 I"]
    assert [arrivals[name] for name in order] == sorted(arrivals[name] for name in order)
    order = ["3 PG", "65 Inf", "94 Inf", "305 Inf", "44 Inf", "334 Inf", "5 Mtn"]
    assert [arrivals[name] for name in order] == sorted(arrivals[name] for name in order)


def test_naples_must_open_by_the_end_of_turn_20_with_no_german_within_two_hexes():
    assert (BOOK.supply.clear, BOOK.supply.last_turn) == (2, 20)


def test_naples_and_taranto_and_the_beaches_decide():
    names = [MAP.places_at(MAP.parse(hex))[0].name for hex in BOOK.victory.prizes]
    names += [MAP.places_at(MAP.parse(hex))[0].name for hex in BOOK.victory.beaches]
    assert names == ["Naples", "Taranto", "Salerno", "Paestum"]
    assert BOOK.victory.first_turn == 2


# The charts


@pytest.mark.parametrize(
    ("mobility", "clear", "mountain", "road"),
    [("mountain", 1, 1, 1), ("foot", 1, 2, 1), ("mechanised", 1, 3, 1)],
)
def test_movement_costs_what_the_book_says(mobility: str, clear: int, mountain: int, road: int):
    pace = BOOK.movement[mobility]
    assert (pace.clear, pace.mountain, pace.road) == (clear, mountain, road)
    assert pace.clear < pace.marsh
    assert pace.blocked == ("all" if mobility == "mountain" else "never")


def test_mountain_troops_never_pay_more_than_others_nor_foot_more_than_wheels():
    paces = [BOOK.movement[name] for name in ("mountain", "foot", "mechanised")]
    for light, heavy in pairwise(paces):
        for price in ("clear", "mountain", "marsh", "road", "river"):
            assert getattr(light, price) <= getattr(heavy, price)


@pytest.mark.parametrize(
    ("name", "attack", "defence", "support", "support_defence"),
    [
        ("tac", 1, 1, 0, 0),
        ("naval", 1, 1, 0, 0),
        ("out_of_supply", -2, -1, 0, 0),
        ("coastal_supply", -1, 0, -1, 0),
        ("mixed", -1, -1, -1, -1),
        ("cross_supplied", -1, 0, -1, 0),
        ("rubble", -1, 0, -1, 0),
    ],
)
def test_to_hit_modifiers_are_those_of_the_book(
    name: str, attack: int, defence: int, support: int, support_defence: int
):
    modifier = BOOK.modifiers[name]
    assert (modifier.attack, modifier.defence) == (attack, defence)
    assert (modifier.support, modifier.support_defence) == (support, support_defence)


@pytest.mark.parametrize("name", ["mountain", "marsh", "city", "river", "fort"])
def test_ground_helps_the_defender_alone_and_a_river_does_not_stop_guns(name: str):
    modifier = BOOK.modifiers[name]
    assert modifier.attack < 0
    assert modifier.defence == modifier.support_defence == 0
    assert modifier.support == (0 if name == "river" else modifier.attack)


def test_a_city_shelters_more_than_open_country_ever_does():
    assert BOOK.modifiers["city"].attack < BOOK.modifiers["mountain"].attack


def test_no_ground_silences_a_full_division_but_all_of_it_together_may():
    worst = sum(BOOK.modifiers[name].attack for name in ("mountain", "fort", "river"))
    assert min(unit.fire[0] for unit in BOOK.units if unit.full == 2) + worst > 0


def test_every_modifier_names_a_rule_of_the_ledger():
    ledger = Ledger.read(DATA / "ledger.tsv")
    cited = [modifier.rule for modifier in BOOK.modifiers.values()]
    cited += [modifier.rule for modifier in BOOK.end_run_modifiers.values()]
    cited += [BOOK.second_ss.rule, BOOK.fifth_army.rule]
    assert [id for id in cited if id not in ledger] == []


def test_command_points_and_prices_are_those_of_the_book():
    assert (BOOK.command.allied, BOOK.command.german) == (7, 6)
    prices = BOOK.prices
    assert (prices.move, prices.attack, prices.move_fight, prices.fight_move) == (1, 2, 3, 3)
    assert (prices.fort, prices.tac, prices.aerial_supply) == (1, 1, 2)
    assert (prices.drop, prices.bombers) == (2, 2)
    assert (prices.allied_step, prices.allied_return) == (1, 2)
    assert (prices.german_foot, prices.german_mechanised) == (1, 2)
    assert (prices.launch, prices.resolve) == (3, 2)


def test_replacements_forts_and_rivers_begin_and_end_as_in_the_book():
    german = (BOOK.replacements.german_foot, BOOK.replacements.german_mechanised)
    assert (BOOK.replacements.first_turn, german) == (2, (1, 1))
    assert (BOOK.forts.counters, BOOK.forts.first_turn) == (14, 8)
    assert BOOK.river_grace == 3


def test_what_changes_movement_is_as_in_the_book():
    march = BOOK.march
    assert (march.question_most, march.column, march.landing, march.exit) == (8, 2, 2, 1)
    assert (march.mixed, march.cross_supplied) == (-1, -1)


def test_two_american_and_one_british_tactical_unit_one_bomber_one_german():
    air = Counter((plane.group, plane.kind) for plane in BOOK.aircraft)
    assert air == {
        ("US", "tactical"): 2,
        ("GB", "tactical"): 1,
        ("US", "heavy"): 1,
        ("5Pz", "tactical"): 1,
    }
    assert BOOK.tactical == (1, 2, 3)
    assert (BOOK.bombers.hit, BOOK.bombers.rubble) == (5, 6)


def test_the_ss_corps_comes_by_turn_5_at_the_latest():
    assert BOOK.second_ss.before == (3, 4, 5)
    assert BOOK.second_ss.most == (4, 8, 10)


def test_5th_panzer_army_is_rolled_for_before_turns_6_9_11_and_all_later_ones():
    army = BOOK.fifth_army
    assert (army.before, army.every, army.divisor) == ((6, 9), 11, 2)


def test_the_end_run_sails_from_turn_13_to_22_with_four_divisions():
    run = BOOK.end_run
    assert (run.first_turn, run.last_turn) == (13, 22)
    assert (run.divisions, run.supports, run.aircraft, run.reinforcements) == (4, 1, 1, 2)


@pytest.mark.parametrize(
    ("roll", "result"),
    [
        (-3, "defeat"),
        (1, "defeat"),
        (2, "undecided"),
        (7, "undecided"),
        (8, "withdraw 4"),
        (9, "withdraw 8"),
        (10, "breakthrough"),
        (13, "breakthrough"),
    ],
)
def test_the_end_run_table_has_the_bands_of_the_book(roll: int, result: str):
    assert BOOK.end_run_table.cell(roll) == result


def test_a_better_roll_never_hurts_the_end_run():
    worth = ["defeat", "undecided", "withdraw 4", "withdraw 8", "breakthrough"]
    cells = [worth.index(BOOK.end_run_table.cell(roll)) for roll in range(-5, 16)]
    assert cells == sorted(cells)
    even = BOOK.end_run_table.chances(0, (10,))
    assert even["breakthrough"] == even["defeat"] == Fraction(1, 10)


def test_end_run_modifiers_count_what_they_should():
    modifiers = BOOK.end_run_modifiers
    assert [modifiers["reinforced"].worth(divisions) for divisions in range(4)] == [0, 1, 2, 2]
    assert [modifiers["reaction"].worth(steps) for steps in range(5)] == [0, 0, -1, -1, -2]
    assert [modifiers["air"].worth(all_three) for all_three in (0, 1)] == [0, 1]
    assert [modifiers["winter"].worth(turn) for turn in (20, 21, 23)] == [0, -1, -1]


@pytest.mark.parametrize("outcome", ["historical", "wat"])
def test_a_raid_comes_on_1_to_5_and_hits_a_port(outcome: str):
    column = BOOK.raid.column(outcome)
    cells = [BOOK.raid.cell(roll, column) for roll in range(1, 11)]
    assert set(cells[:5]) <= set(PORTS)
    assert cells[5:] == ["none"] * 5
    assert BOOK.raid_turns == (21, 22, 23)


def test_the_raid_of_the_2nd_of_december_was_on_bari_in_turn_21():
    assert BOOK.raid.cell(1, BOOK.raid.column("historical")) == "Bari"
    assert BOOK.calendar.names[20] == "25 November-4 December"


# Where the numbers come from


@pytest.mark.parametrize("table", sorted(CHARTS))
def test_every_chart_says_where_it_comes_from(table: str):
    kind, _, text = CHARTS[table]["source"].partition(": ")
    assert kind in KINDS
    assert text


@pytest.mark.parametrize("table", ["movement", "end_run_table", "end_run_modifiers", "raid"])
def test_charts_that_are_not_in_the_book_are_marked_reconstructed(table: str):
    assert CHARTS[table]["source"].startswith("reconstructed: ")


@pytest.mark.parametrize("name", ["mountain", "marsh", "city", "river", "fort"])
def test_values_of_the_lost_terrain_chart_are_marked_reconstructed(name: str):
    assert BOOK.modifiers[name].source.startswith("reconstructed")


def test_units_scenarios_ports_and_schedules_say_where_they_come_from():
    sources = [RAW["units.toml"]["source"]]
    sources += [unit.source for unit in BOOK.units if unit.source]
    sources += [scenario.source for scenario in BOOK.scenarios]
    sources += [
        SCENARIOS[key]["source"]
        for key in ("outcomes", "turns", "ports", "supply", "setup", "withdrawals", "victory")
    ]
    assert {source.partition(": ")[0] for source in sources} <= KINDS


# Mistakes


def spoil(file: str, path: str, value: Any) -> dict[str, dict[str, Any]]:
    """The files with one value changed; `list.3.key` walks into lists, None takes a key out."""
    raw = deepcopy(RAW)
    *parts, last = path.split(".")
    place: Any = raw[file]
    for part in parts:
        place = place[int(part)] if isinstance(place, list) else place[part]
    if value is None:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return raw


@pytest.mark.parametrize(
    ("file", "path", "value", "sentence"),
    [
        ("units", "units.0.troops", "dragoons", "units: US 36 is of unknown troops, 'dragoons'."),
        ("units", "units.0.group", "10", "units: US 36 has no group of its side."),
        ("units", "units.0.fire", [11, 4], "units: US 36 needs one or two factors from 1 to 10."),
        ("units", "units.0.moves", 5, "units: US 36 moves 4, 8 or '?'."),
        ("units", "units.0.code", "24", "units: US 36 has an unknown code, '24'."),
        ("units", "units.0.code", "2922", "units: US 36: 2922 is the wrong sort of hex."),
        ("units", "units.0.code", "2821", "units: those of 2821 do not stack."),
        ("units", "units.0.only", "1812", "units: US 36 is only in an unknown scenario."),
        ("units", "units.0.place", "2921", "units: US 36 needs a place if its code is 5322-2."),
        ("units", "units.1.name", "US 36", "units: US 36 is there twice."),
        ("units", "units.12.place", "5021", "units: 5 Inf: 5021 is the wrong sort of hex."),
        ("charts", "march.column", 0, "march: Expected `int` >= 1 - at `$.column`."),
        ("charts", "modifiers.fort", None, "modifiers.fort is missing."),
        ("charts", "modifiers.mud", {}, "modifiers: Object missing required field `title`"),
        ("charts", "movement.foot.blocked", "some", "movement: Invalid enum value 'some'"),
        ("charts", "groups.10.box", "tent", "groups.10 has no side or no box of the map."),
        ("charts", "air.tactical", [1, 2, 4], "air.tactical asks for more aircraft than there"),
        ("charts", "second_ss.most", [4, 8, 9], "second_ss needs a roll for each turn, the last"),
        ("charts", "raid.rows.4", ["Bari", "Gaeta"], "raid.rows: Gaeta is no port."),
        ("charts", "end_run_table.rows.8", ["tea"], "end_run_table.rows.8"),
        ("charts", "fifth_army.units", 16, "units: 5th Panzer Army needs 15 units."),
        ("scenarios", "outcomes.wat.rolls", [5, 10], "outcomes: the rolls must be 1 to 10, each"),
        ("scenarios", "outcomes.wat.groups", ["IT"], "outcomes.wat has unknown groups or half a"),
        ("scenarios", "scenarios.1.outcome", "x", "scenarios: historical has an unknown outcome."),
        ("scenarios", "turns.days", [2], "turns: there are not as many days as names."),
        ("scenarios", "ports.list.0.hex", "2820", "ports: Salerno: 2820 is the wrong sort of hex."),
        ("charts", "modifiers.mountain.defence", 1, "modifiers.mountain has no effect on the fire"),
        ("charts", "modifiers.rubble.support_defence", -1, "modifiers.rubble has no effect on the"),
        ("scenarios", "ports.list.0.group", "10", "ports: Salerno is not of an Allied group."),
        ("scenarios", "ports.list.1.becomes", "Rome", "ports: Paestum cannot become Rome."),
        ("scenarios", "ports.list.5.opens", False, "ports: one must become another, and one must"),
        ("scenarios", "withdrawals.list.0.unit", "HG", "withdrawals: HG is not in play in that"),
        ("scenarios", "withdrawals.list.0.turn", 4, "withdrawals: 7 Arm is not in play in that"),
        ("scenarios", "victory.prizes", ["Rome"], "victory.prizes: "),
        ("scenarios", "setup.special_forces", "2824", "setup.special_forces: 2824 is the wrong"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_file_and_key(
    file: str, path: str, value: Any, sentence: str
):
    with pytest.raises(DataError) as caught:
        read(spoil(f"{file}.toml", path, value))
    where = "units" if path == "fifth_army.units" else file
    assert str(caught.value).startswith(f"{where}.toml: {sentence}")
    assert str(caught.value).count("\n") == 0


def test_a_unit_that_a_pack_adds_at_the_end_comes_with_its_own_side():
    raw = deepcopy(RAW)
    raw["units.toml"]["units"].append(
        {**raw["units.toml"]["units"][0], "name": "US 88", "code": "9"}
    )
    sides = [unit.side for unit in read(raw).units]
    assert sides == sorted(sides)
    assert sides.count("Allied") == 25
