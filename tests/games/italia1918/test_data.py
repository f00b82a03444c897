"""The data files: the charts against what the book reveals, the set-ups, and clear errors."""

# pyright: basic

from pathlib import Path
from typing import Any

import pytest

from apennine.games.italia1918.rules.c04_stacking import overstacked
from apennine.games.italia1918.rules.c05_zones import zone
from apennine.games.italia1918.rules.c09_supply import linked, supplied
from apennine.games.italia1918.table.book import read_book
from apennine.games.italia1918.table.position import AVAILABLE, CENTRAL, ENTENTE
from apennine.hexes import bits, mask_of
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.ledger import Ledger, citations, proofs
from apennine.mechanics.tables import never_worse
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    DATA,
    GAME,
    KEY,
    SCENARIOS,
    WAR,
    at,
    begin,
    codes,
    number,
    read_file,
    units,
)

BOOK = WAR.book


# The charts


BOMBARDMENT = """
    0 0 1 1 2 2
    0 0 1 2 2 2
    0 1 2 2 3 3
    0 1 3 3 3 3
    1 2 3 3 4 4
    1 2 4 4 4 5
    2 3 5 5 5 6
    3 3 5 5 6 6
"""


@rule("italia1918", "15.2.2q")
def test_the_bombardment_table_is_that_of_the_book():
    rows = [[int(cell) for cell in line.split()] for line in BOMBARDMENT.strip().splitlines()]
    for die, row in enumerate(rows):
        assert [BOOK.bombardment.cell(die, column) for column in range(6)] == row
    assert BOOK.bombardment.cell(-3, 5) == 2
    assert BOOK.bombardment.cell(9, 0) == 3


def test_better_odds_are_never_worse_in_the_combat_chart():
    columns = BOOK.combat.columns
    assert never_worse(BOOK.combat, columns, lambda cell: cell.defender) == []
    assert never_worse(BOOK.combat, columns, lambda cell: -cell.attacker) == []
    assert never_worse(BOOK.combat, columns, lambda cell: -cell.asterisk) == []


def test_the_combat_chart_has_all_that_the_book_reveals():
    assert BOOK.combat.columns[0] == "1/2"
    assert "6/1" in BOOK.combat.columns
    cells = [cell for row in BOOK.combat.rows for cell in row]
    assert {2, 3, 4} <= {cell.attacker for cell in cells}
    assert any(cell.asterisk for cell in cells)
    assert max(cell.defender for cell in cells) >= 9


def test_more_guns_never_do_less():
    columns = BOOK.bombardment.columns
    assert never_worse(BOOK.bombardment, columns, lambda points: points) == []


@rule("italia1918", "13.0e", "13.0k")
@pytest.mark.parametrize(
    ("die", "result", "in_flight"),
    [(-2, "*r1", "*r1"), (1, "R3", "R3"), (4, "r2", "r2"), (6, "r3", "r3"), (7, "r3", "r4")],
)
def test_the_disengagement_table(die: int, result: str, in_flight: str):
    table = BOOK.disengagement
    assert table.cell(die, table.column("otherwise")) == result
    assert table.cell(die, table.column("Retreat mode")) == in_flight


@rule("italia1918", "S5.S6b")
@pytest.mark.parametrize(
    ("die", "guns"), [(2, (0, 0)), (3, (1, 0)), (4, (0, 1)), (5, (2, 0)), (6, (1, 1))]
)
def test_the_table_of_silent_guns(die: int, guns: tuple[int, int]):
    assert (BOOK.silence.cell(die, 0), BOOK.silence.cell(die, 1)) == guns


@rule("italia1918", "12.2.8a", "12.2.8b", "12.2.8d")
@pytest.mark.parametrize(
    ("unit", "price"),
    [
        ("AlpK 1", 2),
        ("Geb 1", 2),
        ("7 Div/20", 2),
        ("3 ID/216", 3),
        ("Como Bde", 3),
        ("332 US", 3),
    ],
)
def test_the_price_of_a_step_of_small_units(unit: str, price: int):
    assert WAR.price[number(unit)] == price


@rule("italia1918", "12.2.8c", "12.2.8s")
def test_the_price_of_a_step_of_divisions_and_of_french_regiments():
    assert WAR.price[number("4 ID")] == 3
    assert WAR.price[number("23 DI/78")] == 2
    assert WAR.price[number("Stoss 1")] == 2
    assert WAR.price[number("AArt 6 A")] == 0


# The set-ups


@pytest.mark.parametrize("key", SCENARIOS)
def test_every_scenario_begins_in_order(key: str):
    pos = begin(key)
    theatre = WAR.theatres[pos.scenario]
    for side in (CENTRAL, ENTENTE):
        assert overstacked(WAR, pos, side) == 0
        enemy = zone(WAR, pos, 1 - side)
        fed, line = supplied(WAR, pos, side), linked(WAR, pos, side)
        for unit in WAR.members[side]:
            hex, name = pos.hex[unit], WAR.names[unit]
            if hex < 0:
                continue
            afloat = WAR.barges >> unit & 1
            assert (theatre.area | (WAR.ground.afloat if afloat else 0)) >> hex & 1, name
            assert bool(pos.control >> hex & 1) == (side == CENTRAL), name
            assert fed >> hex & 1, f"{name} is out of supply"
            if WAR.headquarters >> unit & 1:
                assert line >> hex & 1, f"{name} has no line"
                assert (WAR.ground.roaded | WAR.ground.rail_hexes) >> hex & 1, name
            if WAR.supports >> unit & 1 and not (WAR.assault | WAR.depots) >> unit & 1:
                assert not enemy >> hex & 1, f"{name} is in an enemy zone"
                assert not WAR.ground.high >> hex & 1, name
            if WAR.assault >> unit & 1:
                assert pos.host[unit] >= 0, f"{name} has no host"
                assert pos.hex[pos.host[unit]] == hex


EMPTY = {"grappa": "W1929 W1829 W1830", "albrecht": "W2128", "vittorio": "E0907 E0708"}
"""Trenches that nobody holds at the start, for nobody is opposite."""


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_trenches_are_manned(key: str):
    pos = begin(key)
    theatre = WAR.theatres[pos.scenario]
    for side in (CENTRAL, ENTENTE):
        held = mask_of(pos.hex[u] for u in bits(WAR.combat & WAR.army[side]) if pos.hex[u] >= 0)
        assert codes(theatre.trenches[side] & ~held) <= set(EMPTY.get(key, "").split())


@rule("italia1918", "SC.c", "S0.I")
def test_units_begin_in_the_state_of_the_set_up():
    pos = begin("grappa")
    reduced = {
        WAR.names[u]
        for u in range(len(WAR.roster))
        if pos.hex[u] >= 0 and pos.steps[u] < WAR.full[u]
    }
    assert reduced == {"94 ID", "DJD 13", "22 SchD/43"}
    tired = {WAR.names[u] for u in bits(pos.disorganized)}
    assert tired == {"DJD 13", "22 SchD/43"}
    assert pos.hex[number("50 ID")] < 0


@rule("italia1918", "S2.I", "S3.I1")
def test_who_is_reduced_in_june():
    def reduced(key: str, side: int) -> set[str]:
        pos = begin(key)
        return {
            WAR.names[u]
            for u in WAR.members[side]
            if pos.hex[u] >= 0 and pos.steps[u] < WAR.full[u]
        }

    assert reduced("radetzky", CENTRAL) == {"16 ID"}
    assert reduced("radetzky", ENTENTE) == set()
    assert reduced("albrecht", CENTRAL) == set()
    assert len(reduced("albrecht", ENTENTE)) == 17


@rule("italia1918", "S4.I1", "S4.I2")
def test_the_solstice_uses_all_units_of_june_and_trucks_if_wanted():
    placed = {
        key: {start.unit: start.hex for start in WAR.theatres[SCENARIOS.index(key)].starts}
        for key in ("radetzky", "albrecht", "solstice")
    }
    assert placed["solstice"].items() >= placed["radetzky"].items() | placed["albrecht"].items()
    assert len(placed["solstice"]) > len(placed["radetzky"].keys() | placed["albrecht"].keys())
    (trucks,) = [start for start in WAR.theatres[4].starts if start.optional]
    assert (trucks.unit, trucks.hex) == ("Trucks", "W0422")
    assert placed["solstice"]["1 DA/1"] == "W0422"


@rule("italia1918", "S2.S4a", "S1.S7a", "S3.S4a")
def test_the_frozen_reserves():
    def frozen(key: str) -> list[set[str]]:
        return [{WAR.names[u] for u in bits(marker)} for marker in begin(key).frozen]

    pos = begin("radetzky")
    assert {codes(1 << pos.hex[u]).pop() for marker in pos.frozen for u in bits(marker)} == {
        "W1226",
        "W1227",
    }
    assert len(frozen("caporetto")) == 16
    assert {"54 DF", "Girgenti Bde"} in frozen("albrecht")
    assert all(len(marker) <= 2 for key in SCENARIOS for marker in frozen(key))


@rule("italia1918", "S3.I2", "S4.I3", "S3.I3")
@pytest.mark.parametrize("key", ["albrecht", "solstice", "vittorio"])
def test_the_bridges_of_the_lower_piave_are_down(key: str):
    bridges = WAR.ground.bridges
    down = {WAR.board.code(hex) for n in bits(begin(key).broken) for hex in bits(bridges[n].ends)}
    assert {bridges[n].river for n in bits(begin(key).broken)} == {"Piave"}
    assert {"W1635", "E1301", "E1202", "E1003", "E0707"} <= down
    assert begin("radetzky").broken == 0


@rule("italia1918", "17.1a")
def test_air_supports_begin_in_their_boxes():
    counts = {
        key: [
            sum(begin(key).hex[u] == AVAILABLE for u in WAR.members[side])
            for side in (CENTRAL, ENTENTE)
        ]
        for key in SCENARIOS
    }
    assert [entente for _, entente in counts.values()] == [0, 2, 2, 2, 4, 5]


def test_badoglios_guns_are_silent_at_first():
    pos = begin("caporetto")
    (gun,) = bits(pos.silent)
    assert pos.hex[gun] == at("E2930")
    assert WAR.corps_guns >> gun & 1


def test_the_elite_divisions_and_guns_that_the_what_if_needs_are_there():
    pos = begin("solstice")
    guns = [u for u in bits(WAR.army_guns & WAR.army[CENTRAL]) if pos.hex[u] >= 0]
    assert len(guns) == 4
    brigades = units("3 ID/216, 55 ID/26, 44 SchD/44")
    assert all(pos.hex[u] >= 0 for u in bits(brigades))


# The ledger


def test_every_rule_that_is_cited_or_claimed_is_in_the_ledger():
    ledger = Ledger.read(Path(str(DATA)) / "ledger.tsv")
    here = Path(__file__).parent
    cited = {citation.id for citation in citations(Path(str(DATA)).parent)}
    claimed = set(proofs(here, KEY))
    assert (cited | claimed) - {row.id for row in ledger} == set()
    assert len(ledger) == 707


# Clear errors


def broken(name: str, change: Any) -> str:
    """What is said of a data file in which something has been changed."""
    files = {each: read_file(each) for each in ("units", "charts", "scenarios")}
    change(files[name].data)
    files[name] = DataFile(f"{name}.toml", files[name].data)
    with pytest.raises(DataError) as error:
        read_book(GAME.board, *files.values())
    return str(error.value)


def unit_named(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(unit for unit in data["units"] if unit["name"] == name)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: unit_named(d, "4 ID").update(nation="It"), "4 ID is of no nation of its side"),
        (lambda d: unit_named(d, "4 ID").update(kind="elephants"), "of no kind"),
        (lambda d: unit_named(d, "4 ID").update(size="corps"), "of no size"),
        (lambda d: unit_named(d, "4 ID").update(faces=[[1, 1, 4, 4]]), "needs two faces"),
        (lambda d: unit_named(d, "4 ID").update(faces=[[1, 1, 4, 5]] * 2), "morale over 4"),
        (lambda d: unit_named(d, "Stoss 1").update(size="regiment"), "neither faces nor size"),
        (lambda d: unit_named(d, "CArt II K").update(range=0), "without a value or a range"),
        (lambda d: d["units"].append(unit_named(d, "4 DC")), "4 DC is there twice"),
    ],
)
def test_a_wrong_counter_is_refused(change: Any, said: str):
    assert said in broken("units", change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda d: d["kinds"]["trucks"].update(pace="wings"),
            "kinds.trucks moves at no known pace",
        ),
        (lambda d: d["attaching"].pop("arditi"), "attaching must have"),
        (lambda d: d["squadrons"].update(turns=[1]), "squadrons"),
        (lambda d: d["combat"]["rows"].update({"7": ["A1"]}), "combat"),
    ],
)
def test_a_wrong_chart_is_refused(change: Any, said: str):
    assert said in broken("charts", change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["scenarios"][0].update(setup="x"), "grappa has no set-up 'x'"),
        (lambda d: d["scenarios"][0].update(area="x"), "no such front or area"),
        (lambda d: d["scenarios"][0].update(initiative="x"), "needs a side with the initiative"),
        (lambda d: d["scenarios"][0]["doctrines"].update(It="x"), "x is no doctrine"),
        (lambda d: d["scenarios"][0].update(broken="x"), "x are no bridges"),
        (lambda d: d["scenarios"][0].update(last=20), "turn 19 has no name"),
        (lambda d: d["offensives"]["list"][0].update(turn=3), "turn 3 is not in grappa"),
        (lambda d: d["offensives"]["list"][0].update(guns=["4 ID"]), "4 ID is no army artillery"),
        (lambda d: d["arrivals"]["list"][0].update(units=["x"]), "there is no unit 'x'"),
        (lambda d: d["arrivals"]["list"][0].update(units=["4 ID", "4 DC"]), "of both sides"),
        (lambda d: d["setups"]["grappa"]["units"][0].update(hex="W0101"), "W0101"),
        (lambda d: d["setups"]["grappa"]["units"][0].update(hex=""), "needs a hex"),
        (lambda d: d["setups"]["grappa"]["units"][0].update(unit="x"), "there is no unit 'x'"),
        (lambda d: d["setups"]["grappa"]["units"][0].update(hex="W2024"), "both sides are in"),
        (lambda d: d["setups"]["june"]["pontoons"][0].update(to="E0701"), "leads to no hex beside"),
    ],
)
def test_a_wrong_scenario_is_refused(change: Any, said: str):
    assert said in broken("scenarios", change)
