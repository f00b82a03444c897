"""The scenarios: their length, their playing area, the initiative."""

import pytest

from apennine.games.italia1918.rules.c08_offensives import sequences, turn_begins
from apennine.games.italia1918.table.position import CENTRAL
from apennine.testing import rule
from tests.games.italia1918.drawing import SCENARIOS, WAR, begin, mask, play, table


def lengths(key: str) -> list[int]:
    """The Operational Sequences of each turn."""
    scenario = WAR.theatres[SCENARIOS.index(key)].scenario
    turns = range(scenario.first, scenario.last + 1)
    return [sequences(play(table(scenario=key, turn=t), turn_begins).position) for t in turns]


@rule("italia1918", "S3.L", "S4.L", "S5.L")
def test_every_turn_of_june_and_of_october_1918_has_an_offensive():
    assert lengths("albrecht") == lengths("solstice") == [3, 3, 3]
    assert lengths("vittorio") == [3, 3, 3, 3]
    assert [begin(key).turn for key in SCENARIOS] == [17, 1, 24, 24, 24, 31]


AREAS = [
    ("grappa", "W2024 W2026 W2527", "W1921 W2028"),
    ("albrecht", "W2528 E2510 W0128 E1210", "W2628 E2610 W2527 E2511"),
    ("solstice", "W2810 E2837 W0113", "W2910 E2937"),
    ("vittorio", "W3914 E3937 W0113 W2709", "W2708"),
]


@rule("italia1918", "S0.A", "S3.A")
@pytest.mark.parametrize(("key", "within", "without"), AREAS[:2])
def test_the_areas_of_the_grappa_and_of_albrecht(key: str, within: str, without: str):
    area = WAR.theatres[SCENARIOS.index(key)].area
    assert mask(within) & ~area == 0
    assert mask(without) & area == 0


@rule("italia1918", "S4.A", "S5.A")
@pytest.mark.parametrize(("key", "within", "without"), AREAS[2:])
def test_the_areas_of_the_solstice_and_of_vittorio_veneto(key: str, within: str, without: str):
    area = WAR.theatres[SCENARIOS.index(key)].area
    assert mask(within) & ~area == 0
    assert mask(without) & area == 0


@rule("italia1918", "S2.S1a", "S3.S1a", "S4.S1a")
def test_the_central_powers_begin_in_june():
    for key in ("radetzky", "albrecht", "solstice"):
        assert begin(key).side == CENTRAL
