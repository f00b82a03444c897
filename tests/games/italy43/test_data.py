"""The counters, charts and cards of Italy '43 against every number that the book reveals."""

from collections import Counter
from fractions import Fraction

import pytest

from apennine.games.italy43.rules.c02_pieces import elite, low
from apennine.games.italy43.rules.c06_zones import zone
from apennine.games.italy43.table.data import Cell, Stand
from apennine.games.italy43.table.position import ALLIED, GERMAN
from apennine.hexes import bits
from apennine.kernel.decision import Roll
from apennine.kernel.match import Match
from apennine.mechanics.tables import never_worse
from apennine.testing import rule
from tests.games.italy43.drawing import (
    GAME,
    WAR,
    asked,
    begin,
    codes,
    mask,
    number,
    price,
    refused,
    table,
    units,
)

BOOK, GROUND = WAR.book, WAR.ground
UNITS = {unit.name: unit for unit in BOOK.units}
CAMPAIGN = BOOK.setups["campaign"]
STARTS = {start.unit: start for start in CAMPAIGN.units}


def faces(name: str) -> list[str]:
    """What a counter shows, step by step, its Remnant last."""
    return [
        "-".join(map(str, (WAR.attack[u][s], WAR.strength[u][s], WAR.moves[u][s])))
        for u in (number(name),)
        for s in range(WAR.full[u], 0, -1)
    ]


# Players and pieces


@rule("italy43", "1.0")
def test_one_player_has_the_germans_and_the_other_all_allies():
    sides = {nation: entry.side for nation, entry in BOOK.nations.items()}
    allied = dict.fromkeys(("US", "Br", "FR", "IT"), "Allied")
    assert sides == {**allied, "Ge": "German"}
    match = begin("7/3 @ 2418; 15/3 @ 2419; 8/3PG @ 2512", "movement")
    assert asked(match).side == ALLIED
    assert refused(match, "move", "8/3PG").rule == "1.0"


@rule("italy43", "2.1")
def test_most_rolls_are_of_one_die():
    match = Match(GAME, position=table("7/3 @ 2418", "weather", GERMAN), dice_by_hand=True)
    assert isinstance(match.decision, Roll)
    assert match.decision.sides == (6,)
    one = BOOK.combat, BOOK.weather, BOOK.rally, BOOK.attrition, BOOK.disengagement
    for chart in (*one, BOOK.construction):
        assert (chart.lowest, chart.lowest + len(chart.rows) - 1) == (1, 6)
    assert BOOK.determined.cell(12) != BOOK.determined.cell(2)  # the sum of two


@rule("italy43", "2.2.1")
def test_a_hex_is_about_four_kilometres():
    assert "3.8 km" in WAR.board.scale
    assert set(BOOK.movement) == {"leg", "mechanised"}


@rule("italy43", "2.2.2a")
def test_mountains_are_sides_and_no_terrain_of_the_hexes_beside_them():
    d = WAR.lattice.direction(WAR.board.parse("1701"), WAR.board.parse("1801"))
    assert GROUND.mountains[d] >> WAR.board.parse("1701") & 1
    assert not mask("1701 1801") & GROUND.terrain("mountain")


@rule("italy43", "2.2.4")
def test_no_river_counts_in_benevento():
    hex = WAR.board.parse("3625")
    assert WAR.board.places["Benevento"].hexes == 1 << hex
    assert not any(GROUND.rivers[d] >> hex & 1 for d in range(6))


@rule("italy43", "5.2.3a")
def test_roads_run_on_through_cities():
    assert mask("2518") & GROUND.cities  # Capua
    assert price("131/7 @ 2517", "131/7", "2519") == pytest.approx(2 / 3)


@rule("italy43", "2.3.1", "2.3.2a")
def test_every_unit_has_a_defence_a_move_and_a_day_to_come():
    for unit, name in enumerate(WAR.names):
        assert all(WAR.strength[unit][1:]), name
        assert all(WAR.moves[unit][1:]), name
        assert (name in STARTS) or WAR.arrives[unit], name
        assert UNITS[name].size, name


@rule("italy43", "2.3.2b")
def test_quality_is_elite_normal_or_low():
    pos = table("504/82, 8/3PG, 7/3 @ 2418")
    assert elite(WAR, pos) & units("504/82, 8/3PG, 7/3") == units("504/82")
    assert low(WAR, pos) & units("504/82, 267/94, 7/3") == units("267/94")


@rule("italy43", "2.3.2c", "2.3.2e")
def test_cards_say_who_begins_reduced_frozen_or_on_garrison():
    pos = GAME.setup("campaign", GAME.check_options({}))
    for name, start in STARTS.items():
        assert WAR.full[number(name)] - pos.steps[number(name)] == start.reduced
    reduced = {name for name, start in STARTS.items() if start.reduced}
    assert reduced == {"II/104/15", "115/15", "2/HG"}
    assert pos.posted >> number("33/15") & 1
    assert pos.frozen >> number("33/15") & 1


@rule("italy43", "2.3.2f", "17.2a")
def test_artillery_has_a_range_one_step_and_no_stacking_value():
    for unit in bits(WAR.artillery):
        counter = WAR.roster[unit]
        assert counter.range > 0
        assert (counter.faces, counter.stacking) == (((0, 1, 5),), 0)
        assert not WAR.bonding >> unit & 1
    assert zone(WAR, table("3 ASU @ 2418"), ALLIED)


@rule("italy43", "2.3.2d")
def test_silhouettes_and_artillery_never_bond():
    assert not WAR.bonding & (WAR.silhouettes | WAR.artillery)
    assert WAR.bonding >> number("22/7") & 1


@rule("italy43", "2.3.3c")
def test_infantry_type():
    for name in ("7/3", "504/82", "325G/82", "85/5G", "9 Cdo", "1 Rgr", "1SSF", "131/7", "129/15"):
        assert WAR.infantry >> number(name) & 1, name
    assert not WAR.infantry & WAR.vehicles


@rule("italy43", "2.3.3e")
def test_only_tanks_have_a_tank_rating():
    for unit, counter in enumerate(WAR.roster):
        assert bool(counter.rating) is (counter.troops == "tank")
        assert bool(counter.rating) is bool(WAR.tanks >> unit & 1)
    assert UNITS["191 Tk"].rating == 3


@rule("italy43", "2.3.4")
def test_the_luftwaffe_is_german():
    luftwaffe = [unit for unit in BOOK.units if unit.branch == "Luftwaffe"]
    assert {"1/HG", "II/FJ3"} <= {unit.name for unit in luftwaffe}
    assert {unit.nation for unit in luftwaffe} == {"Ge"}


@rule("italy43", "2.3.5a", "2.3.5b")
def test_units_have_one_to_three_steps_the_third_a_remnant():
    assert set(WAR.full) == {1, 2, 3}
    for unit, counter in enumerate(WAR.roster):
        assert (WAR.full[unit] == 3) is bool(counter.remnant)


# Numbers of the book; those in brackets are lines of its text.


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("179/45", ["6-6-3", "4-4-3"]),  # [91-103]
        ("191 Tk", ["3-2-5"]),  # [105-117]
        ("504/82", ["5-6-3"]),  # the sample of an elite unit [133]
        ("128/46", ["5-7-3"]),  # [504]
    ],
)
def test_sample_counters(name: str, shown: list[str]):
    assert faces(name)[: len(shown)] == shown


def test_other_numbers_of_the_text():
    assert "1-3-3" in {face for name in WAR.names for face in faces(name)}  # low quality [135]
    assert faces("115/15")[-1] == "1-3-5"  # [729]
    assert [WAR.full[number(name)] for name in ("Reggio", "II/FJ3", "22/7")] == [1, 1, 3]  # [727]
    assert WAR.moves[number("33/15")][1] == 6  # [121]
    assert {WAR.strength[number(name)][1] for name in ("1 Rgr", "2/509")} == {2}  # [532]
    assert UNITS["22/7"].stacking + UNITS["131/7"].stacking > BOOK.limits.stack  # [1834]
    assert not UNITS["22/7"].silhouette  # [1832]
    assert WAR.attack[number("115 Pz/15")][2] == 5  # [946]
    assert WAR.strength[number("129R/29")][1] == 3  # Benevento [1666]


def test_how_many_there_are_of_some():
    assert len(WAR.names) == 117
    assert WAR.mountaineers.bit_count() == 7  # [1152]
    assert WAR.nebelwerfers.bit_count() == 2  # [1142]
    assert WAR.howitzers.bit_count() == 1
    british = [r.count for r in BOOK.remnants if r.kind.startswith("Br")]
    assert sum(british) == 3  # [1553]
    for formation in ("Darby", "23 Armd"):  # [484]
        assert sum(unit.formation == formation for unit in BOOK.units) == 3


@pytest.mark.parametrize(
    ("names", "sum_of"),
    [
        (("115/15", "Reggio", "II/FJ3"), 7),  # hex C [1617]
        (("129R/29",), 3),  # Benevento [1666]
    ],
)
def test_what_stands_where_the_example_adds_it_up(names: tuple[str, ...], sum_of: int):
    pos = GAME.setup("campaign", GAME.check_options({}))
    assert sum(WAR.strength[u][pos.steps[u]] for u in map(number, names)) == sum_of


def test_2706_to_amorosi_is_within_extended_movement():  # [1708, 1780]
    assert price("8/3PG @ 2706", "8/3PG", "3119", side=GERMAN) == pytest.approx(22 / 3)


@rule("italy43", "3.0a")
def test_the_schedule_of_the_first_turns():  # [1598-1611, 1639, 1730, 1763]
    def coming(turn: int, side: str) -> int:
        groups = [g for g in BOOK.arrivals if g.turn == turn and g.side == side]
        return sum(len(group.units) for group in groups)

    def leaving(turn: int) -> int:
        groups = (*BOOK.withdrawals, *BOOK.removals)
        return sum(len(g.units) for g in groups if g.turn == turn and g.side == "German")

    assert [coming(turn, "German") for turn in (1, 2, 3)] == [0, 0, 1]
    assert [leaving(turn) for turn in range(1, 8)] == [0, 0, 2, 1, 0, 0, 5]
    second = [u for g in BOOK.arrivals if g.turn == 2 for u in g.units]
    assert sum(UNITS[name].troops == "division" for name in second) == 5
    german, american, british = (BOOK.replacements[nation] for nation in ("Ge", "US", "Br"))
    assert [german["infantry"][turn] for turn in range(3)] == [0, 1, 1]
    for pools in (american, british):
        assert all(line[:2] == (0, 0) for line in pools.values())


# Charts


ORDER = ["A1", "EX", "A1/DR2", "DRX", "DR2", "A1/D1", "D1", "DR4", "DS"]


def test_better_odds_and_dice_are_never_worse():
    def worth(cell: Cell) -> int:
        return ORDER.index(cell.result)

    assert never_worse(BOOK.combat, BOOK.combat.columns, worth) == []
    for column in range(len(BOOK.combat.columns)):
        found = [worth(row[column]) for row in BOOK.combat.rows]
        assert found == sorted(found)


def test_results_that_the_book_tells():  # [1662, 1664, 1749]
    cell = BOOK.combat.cell
    assert cell(6, BOOK.combat.column("1-1")) == Cell("DR2", 2, "")
    assert cell(3, BOOK.combat.column("1-1")).result == "EX"
    assert cell(6, BOOK.combat.column("3-1")).result == "D1"
    two_to_one = Counter(row[BOOK.combat.column("2-1")].result for row in BOOK.combat.rows)
    assert two_to_one["A1"] + two_to_one["EX"] < 3  # most favour the attacker [1551]
    for row in BOOK.combat.rows:
        for outcome in row:
            assert (outcome.colour == "red") is (outcome.result in ("DS", "DR4"))


def test_a_determined_defence_is_never_worse_in_better_ground_or_with_higher_dice():
    def worth(stand: Stand) -> int:
        return stand.verdict != "F"  # a partial success stays for this time (11.5)

    assert never_worse(BOOK.determined, BOOK.determined.columns, worth) == []
    for column in range(3):
        found = [worth(row[column]) for row in BOOK.determined.rows]
        assert found == sorted(found)
    partial = {str(row[2]) for row in BOOK.determined.rows if row[2].verdict == "P"}
    assert partial == {"0/0 P", "1/0 P", "0/1 P", "1*/1 P"}  # [743]
    assert all(row[column].verdict != "P" for row in BOOK.determined.rows for column in (0, 1))


def test_movement_costs_that_the_book_tells():
    leg, mechanised = BOOK.movement["leg"], BOOK.movement["mechanised"]
    assert (leg.extended, mechanised.extended) == (2, 3)
    assert (leg.price("river"), mechanised.price("river")) == (1, 2)
    assert [mechanised.price(road) for road in ("major", "minor", "near")] == [
        Fraction(1, 3),
        Fraction(1, 2),
        1,
    ]


def test_victory_points_fit_the_goals():  # [1448, 1477]
    before_gustav = sum(
        worth for hex, worth in GROUND.prizes.items() if not GROUND.gustav >> hex & 1
    )
    assert before_gustav == 17
    assert sum(GROUND.prizes.values()) >= 20
    assert {"2504", "1908"} <= codes(GROUND.gustav)
    assert abs(BOOK.calendar.benchmarks[12] - 10) < BOOK.victory.margin
