"""Chapter 16 and the victory conditions of the scenarios."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c16_victory import (
    isolated_tally,
    judgement,
    points_behind,
    prizes,
    retreat_tally,
    running,
    total,
    trench_points,
    verdict,
    won_by_points,
)
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, EXITED, Table
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.italia1918.drawing import SCENARIOS, WAR, at, begin, mask, number, table

STRATEGIC, OPERATIONAL, TACTICAL, DRAW, BEATEN = 3, 2, 1, 0, -1


def theatre(key: str) -> Any:
    """What a scenario makes of the map."""
    return WAR.theatres[SCENARIOS.index(key)]


def ends(key: str, counters: str = "", points: int = 0, taken: str = "", **fields: Any) -> Table:
    """A position at the end of a scenario, with a few hexes taken and points booked."""
    pos = table(counters, theatre(key).initiative, scenario=key, **fields)
    if theatre(key).initiative == CENTRAL:
        pos.control |= mask(taken)
    else:
        pos.control &= ~mask(taken)
    pos.points[theatre(key).initiative] = points
    return pos


def level(key: str, counters: str = "", points: int = 0, taken: str = "", **fields: Any) -> int:
    """The level that has been reached."""
    return verdict(WAR, ends(key, counters, points, taken, **fields)).level


@rule("italia1918", "S0.V6", "S1.V1c")
@pytest.mark.parametrize("key", SCENARIOS)
def test_every_scenario_begins_with_no_points(key: str):
    assert running(WAR, begin(key)) == total(WAR, begin(key)) == 0


# Monte Grappa and Radetzky


STAFF = "HQ XIV Armee @ W2527"
WAY = "4 ID @ W2426; 28 ID @ W2326"


@rule("italia1918", "S0.V1")
def test_a_unit_in_the_plain_in_line_with_its_army_wins_the_grappa():
    assert level("grappa", f"{STAFF}; 4 ID @ W1827") == STRATEGIC
    assert level("grappa", f"{STAFF}; 4 ID @ W1926") < OPERATIONAL  # a mountain
    cut = "22 DF @ W1927; 37 DF @ W1826; 48 DF @ W1727; 54 DF @ W1926; 17 DF @ W1828; 15 DF @ W2026"
    assert level("grappa", f"{STAFF}; 4 ID @ W1827; {cut}") < OPERATIONAL
    assert level("grappa", "HQ 11 Armee @ W2527; 4 ID @ W1827") < OPERATIONAL  # no other staff


@rule("italia1918", "S0.V2")
def test_the_two_summits_give_an_operational_victory():
    both = f"{STAFF}; 4 ID @ W2024; 28 ID @ W2026"
    assert level("grappa", both) == OPERATIONAL
    assert level("grappa", f"{STAFF}; 4 ID @ W2024") < OPERATIONAL
    assert level("grappa", "4 ID @ W2024; 28 ID @ W2026") < OPERATIONAL  # nobody commands them


TRENCHES = "W2022 W2126 W2027 W1928 W1929 W1829"
"""None of them has crosses."""


@rule("italia1918", "S0.V3")
@pytest.mark.parametrize(("count", "found"), [(6, TACTICAL), (5, DRAW), (4, BEATEN)])
def test_trench_hexes_and_crosses_decide_the_rest(count: int, found: int):
    taken = " ".join(TRENCHES.split()[:count])
    assert trench_points(WAR, ends("grappa", taken=taken)) == count
    assert level("grappa", taken=taken) == found


@rule("italia1918", "S0.V7")
def test_a_trench_hex_with_crosses_counts_for_both():
    pos = ends("grappa", taken="W2024")
    assert (trench_points(WAR, pos), prizes(WAR, pos), total(WAR, pos)) == (1, 2, 3)


@rule("italia1918", "S0.V4", "S0.V5")
def test_an_enemy_in_a_trench_lowers_the_level():
    foe = "HQ IV Armata @ W1824; 17 DF @ W2123; 15 DF @ W2022"
    assert level("grappa", f"{STAFF}; {foe}; 4 ID @ W1827") == OPERATIONAL
    assert level("grappa", f"{STAFF}; {foe}; 4 ID @ W2024; 28 ID @ W2026") == TACTICAL
    assert level("grappa", f"{STAFF}; {foe}", taken=TRENCHES) == DRAW
    assert level("grappa", f"{STAFF}; {foe}") == BEATEN  # a defeat is left alone
    other = foe.replace("IV Armata", "I Armata")
    assert level("grappa", f"{STAFF}; {other}", taken=TRENCHES) == TACTICAL


JUNE = "HQ 11 Armee @ W2317"


@rule("italia1918", "S2.V1")
def test_a_unit_in_the_plain_wins_radetzky():
    assert level("radetzky", f"{JUNE}; 4 ID @ W1519") == STRATEGIC
    assert level("radetzky", "4 ID @ W1519") == BEATEN  # no headquarters
    assert level("radetzky", f"{JUNE}; 4 ID @ W1519", points=9) == STRATEGIC


@rule("italia1918", "S2.V2a")
def test_three_mountains_behind_the_trenches_give_an_operational_victory():
    three = f"{JUNE}; 4 ID @ W1719; 28 ID @ W1718; 13 SchD @ W1820"
    assert level("radetzky", three) == OPERATIONAL
    assert level("radetzky", three.replace("W1820", "W1818")) < OPERATIONAL  # two of them


@rule("italia1918", "S2.V2b")
@pytest.mark.parametrize(
    ("places", "found"),
    [(("W1920", "W1922"), OPERATIONAL), (("W1714", "W2024"), OPERATIONAL), (("W1920",), BEATEN)],
)
def test_two_of_four_hexes_give_an_operational_victory(places: tuple[str, ...], found: int):
    troops = "; ".join(f"{unit} @ {hex}" for unit, hex in zip(("4 ID", "28 ID"), places))
    assert level("radetzky", f"HQ 11 Armee @ W2318; {troops}") == found


@rule("italia1918", "S2.V3")
@pytest.mark.parametrize(("points", "found"), [(0, TACTICAL), (-1, DRAW), (-2, BEATEN)])
def test_trenches_crosses_and_reserves_decide_the_rest_of_radetzky(points: int, found: int):
    # W1922 is a trench with three crosses.
    assert level("radetzky", points=points, taken="W1922") == found
    assert total(WAR, ends("radetzky", points=points, taken="W1922")) == points + 4


@rule("italia1918", "S2.V4")
def test_an_entente_unit_in_a_trench_lowers_the_level_of_radetzky():
    foe = "HQ VI Armata @ W1618; 17 DF @ W1916"
    assert level("radetzky", f"{JUNE}; {foe}; 4 ID @ W1519") == OPERATIONAL
    assert level("radetzky", f"{JUNE}; 17 DF @ W1916; 4 ID @ W1519") == STRATEGIC  # no staff


# Caporetto


@rule("italia1918", "S1.V1a")
def test_crosses_count_while_the_hex_is_held():
    pos = ends("caporetto", taken="E2720 E2824")
    assert running(WAR, pos) == 3 + 2
    pos.control &= ~mask("E2824")
    assert running(WAR, pos) == 3


BEYOND = "4 ID @ E2410; HQ XIV Armee @ E2611; 28 ID @ E2613"
CAUGHT = """
    CArt IV CdA @ E2020; HQ III Armata @ E1920; 22 DF @ E2021; 37 DF @ E2120 steps=2; 64 DF @ E2019;
    3 Alpini @ E1919; Como Bde @ E1918 steps=1; Fant 1 @ E1917; Arditi 1 @ E2021
    """


@rule("italia1918", "S1.V2a")
def test_italians_count_only_if_a_unit_in_line_is_beyond_the_tagliamento():
    east = "22 DF @ E2120"
    there = ends("caporetto", f"{BEYOND}; {east}")
    assert there.hex[number("4 ID")] in list(bits(WAR.board.regions["west-of-tagliamento"]))
    assert retreat_tally(WAR, there) == 2
    assert retreat_tally(WAR, ends("caporetto", f"4 ID @ E2410; {east}")) == 0  # no line
    assert retreat_tally(WAR, ends("caporetto", f"HQ XIV Armee @ E2611; {east}")) == 0


@rule("italia1918", "S1.V2b", "S1.V2c")
def test_what_italians_in_the_east_count():
    pos = ends("caporetto", f"{BEYOND}; {CAUGHT}")
    assert retreat_tally(WAR, pos) == 2 + 2 + 2 + 1 + 1 + 1 + 1  # detachment and Arditi: nothing


@rule("italia1918", "S1.V3", "S1.V6")
def test_who_has_left_the_map_counts_for_the_entente_in_any_case():
    pos = ends("caporetto", "22 DF @ E2120", points=5)
    for unit in ("37 DF", "64 DF", "CArt IV CdA"):
        pos.hex[number(unit)] = EXITED
    assert retreat_tally(WAR, pos) == -(2 + 1 + 2)
    assert total(WAR, pos) == 0


@rule("italia1918", "S1.V4", "S1.V5")
@pytest.mark.parametrize(
    ("points", "found"),
    [
        (41, STRATEGIC),
        (40, OPERATIONAL),
        (15, OPERATIONAL),
        (14, TACTICAL),
        (-20, TACTICAL),
        (-21, BEATEN),
    ],
)
def test_the_bands_of_caporetto(points: int, found: int):
    assert level("caporetto", points=points) == found


# Albrecht and the Solstice


EAST = "HQ Isonzo A @ E1407"


@rule("italia1918", "S3.V1")
@pytest.mark.parametrize("place", ["W1234", "W0534", "W0336"])
def test_one_great_town_wins_albrecht(place: str):
    staff = "HQ Isonzo A @ W1037"
    assert level("albrecht", f"{staff}; 4 ID @ {place}") == STRATEGIC
    assert level("albrecht", f"4 ID @ {place}") < STRATEGIC  # no line to a headquarters


@rule("italia1918", "S3.V2a")
def test_crosses_reserves_and_the_battery_add_up():
    assert total(WAR, ends("albrecht", points=2, taken="E1301 E1202")) == 2 + 3 + 3


@rule("italia1918", "S3.V2b", "S4.V2a")
@pytest.mark.parametrize("key", ["albrecht", "solstice"])
def test_a_hex_whose_bridge_is_destroyed_does_not_count(key: str):
    assert prizes(WAR, ends(key, taken="E1301")) == 3
    number_of = next(n for n, b in enumerate(WAR.ground.bridges) if b.ends >> at("E1301") & 1)
    assert prizes(WAR, ends(key, taken="E1301", broken=1 << number_of)) == 0


@rule("italia1918", "S3.V3a", "S4.V2b")
@pytest.mark.parametrize("key", ["albrecht", "solstice"])
def test_whole_units_in_line_behind_the_trenches_count(key: str):
    behind = f"{EAST}; 4 ID @ E1001; 28 ID @ E1001 steps=2; CArt IV K @ E1001"
    assert points_behind(WAR, ends(key, behind)) == 1
    assert points_behind(WAR, ends("radetzky", "4 ID @ W1719")) == 0


@rule("italia1918", "S3.V3b", "S4.V2c")
@pytest.mark.parametrize("key", ["albrecht", "solstice"])
def test_units_without_a_line_behind_the_trenches_count_against(key: str):
    ring = (
        "22 DF @ W0937; 37 DF @ W1137; 48 DF @ W1036; 54 DF @ W1038; 17 DF @ W0938; 15 DF @ W1138"
    )
    lost = f"4 ID @ W1037; 28 ID @ W1037 steps=2; CArt IV K @ W1037; {ring}"
    assert points_behind(WAR, ends(key, lost)) == -3


@rule("italia1918", "S3.V3c")
def test_a_trench_hex_is_not_behind_the_trenches():
    here = theatre("albrecht")
    assert not here.behind & here.trenches[ENTENTE]
    assert here.behind >> at("E1001") & 1
    assert not here.behind & here.central


@rule("italia1918", "S3.V4")
@pytest.mark.parametrize(
    ("points", "found"), [(16, OPERATIONAL), (15, TACTICAL), (10, TACTICAL), (9, BEATEN)]
)
def test_the_bands_of_albrecht(points: int, found: int):
    assert level("albrecht", points=points) == found


@rule("italia1918", "S4.V1")
@pytest.mark.parametrize(
    ("places", "found"),
    [(("W1314", "W1317", "W1623"), STRATEGIC), (("W1629", "W1732"), BEATEN)],
)
def test_three_of_eight_towns_win_the_solstice(places: tuple[str, ...], found: int):
    troops = zip(("4 ID", "28 ID", "13 SchD"), places)
    staffs = "HQ 11 Armee @ W1619; HQ 6 Armee @ W2031"
    counters = "; ".join(f"{unit} @ {hex}" for unit, hex in troops)
    pos = ends("solstice", f"{staffs}; {counters}", points=-9)
    assert verdict(WAR, pos).level == found


@rule("italia1918", "S4.V3")
@pytest.mark.parametrize(
    ("points", "found"), [(21, OPERATIONAL), (20, TACTICAL), (15, TACTICAL), (14, BEATEN)]
)
def test_the_bands_of_the_solstice(points: int, found: int):
    assert level("solstice", points=points) == found


# Vittorio Veneto


@rule("italia1918", "S5.V1a", "S5.V1b")
def test_cockades_count_while_the_hex_is_held_and_its_bridges_stand():
    pos = ends("vittorio", taken="W2436 W2036 W2527")
    assert running(WAR, pos) == 4 + 3 + 3
    pos.control |= mask("W2436")
    assert running(WAR, pos) == 6
    bridge = next(n for n, b in enumerate(WAR.ground.bridges) if b.ends >> at("W2036") & 1)
    pos.broken = 1 << bridge
    assert running(WAR, pos) == 3


@rule("italia1918", "S5.V5")
def test_the_cockades_are_thirty_nine_in_all():
    assert sum(theatre("vittorio").prizes.values()) == 39


ISLAND = "22 DF @ E2307; 37 DF @ E2309; 48 DF @ E2407; 54 DF @ E2408; 17 DF @ E2207; 15 DF @ E2208"


@rule("italia1918", "S5.V2")
@pytest.mark.parametrize(
    ("unit", "worth"),
    [
        ("4 ID @ E2308", 2),
        ("4 ID @ E2308 steps=2", 1),
        ("53 ID @ E2308", 1),
        ("53 ID @ E2308 steps=1", 1),
        ("55 ID/26 @ E2308 steps=1", 1),
        ("CArt IV K @ E2308", 2),
        ("HQ 6 Armee @ E2308", 2),
        ("Geb 1 @ E2308", 0),
    ],
)
def test_what_isolated_units_count(unit: str, worth: int):
    assert isolated_tally(WAR, ends("vittorio", f"{unit}; {ISLAND}")) == worth
    assert isolated_tally(WAR, ends("vittorio", unit)) == 0


@rule("italia1918", "9.2f", "S5.V2")
def test_at_the_end_a_headquarters_without_a_line_supplies_nobody():
    pos = ends("vittorio", f"4 ID, HQ 6 Armee @ E2308; {ISLAND}")
    assert isolated_tally(WAR, pos) == 4
    assert not pos.hungry


@rule("italia1918", "S5.V3")
@pytest.mark.parametrize(
    ("points", "found"),
    [
        (51, STRATEGIC),
        (50, OPERATIONAL),
        (41, OPERATIONAL),
        (31, TACTICAL),
        (25, DRAW),
        (24, BEATEN),
    ],
)
def test_the_bands_of_vittorio_veneto(points: int, found: int):
    pos = ends("vittorio", points=points - 5, taken="W2709")
    assert won_by_points(WAR, pos).level == verdict(WAR, pos).level == found


@rule("italia1918", "S5.V4", "S0.V5")
@pytest.mark.parametrize(
    ("points", "found"), [(51, OPERATIONAL), (31, DRAW), (25, DRAW), (24, BEATEN)]
)
def test_without_trento_the_level_is_one_lower(points: int, found: int):
    assert level("vittorio", points=points) == found


def test_the_judgement_is_a_sentence():
    assert judgement(WAR, ends("albrecht", points=16)) == (
        CENTRAL,
        "Operational victory of the Central Powers: 16 points.",
    )
    winner, reason = judgement(WAR, ends("albrecht", points=9))
    assert winner == ENTENTE
    assert reason == "Victory of the Entente: the other side has 9 points."
    assert judgement(WAR, ends("vittorio", points=31))[0] == -1
