from pathlib import Path

import pytest

from apennine.foundry.calibration import calibrate
from apennine.foundry.geodata import Geodata, Window
from apennine.foundry.lattices import whole_lattice
from apennine.foundry.mistakes import FoundryError
from apennine.foundry.recipe import Recipe, Rule
from apennine.foundry.sample import HEX_STATS, Condition, HexSurvey, Rules, SideSurvey

ITALY = Window(41.5, 12.0, 43.0, 13.6)


@pytest.fixture
def survey(recipe: Recipe, geodata: Path):
    lattice = whole_lattice(recipe)
    calibration = calibrate(recipe, lattice)
    data = Geodata(geodata, ITALY)
    hexes = HexSurvey(lattice, calibration, data).stats
    sides = SideSurvey(
        lattice, calibration, data, hexes, lambda hex: hexes[lattice.code(hex)]["land"] < 0.4
    )
    return lattice, hexes, sides


def test_every_statistic_that_is_described_is_taken(survey):
    _, hexes, _ = survey
    assert set(hexes["1415"]) == set(HEX_STATS)


def test_sea_land_and_coast_have_their_shares_of_land(survey):
    _, hexes, _ = survey
    assert hexes["1015"]["land"] == 0
    assert hexes["1815"]["land"] == 1
    assert 0 < hexes["1314"]["land"] < 1


def test_the_ground_rises_to_the_east_as_the_data_says(survey):
    _, hexes, _ = survey
    assert hexes["1515"]["elevation"] == pytest.approx(20, abs=1)
    assert hexes["1515"]["flat"] == 1
    east = hexes["1911"]
    assert east["low"] < east["floor"] < east["middle"] < east["high"] <= east["peak"]
    assert east["relief"] == pytest.approx(east["high"] - east["low"])
    assert east["elevation"] == pytest.approx((east["lon"] - 12.9) * 3000, abs=40)


def test_marshes_before_their_drainage_count(survey):
    _, hexes, _ = survey
    assert max(hexes[code]["marsh"] for code in hexes) > 0.5


def test_a_hexside_knows_its_step_and_the_water_beside_it(survey):
    lattice, hexes, sides = survey
    steep = sides.stats[lattice.edge_between(lattice.parse("1911"), lattice.parse("1811"))]
    assert steep["step"] == pytest.approx(hexes["1911"]["elevation"] - hexes["1811"]["elevation"])
    assert steep["min.elevation"] == hexes["1811"]["elevation"]
    wet = {stats["wet"] for stats in sides.stats.values()}
    assert wet == {0.0, 1.0, 2.0}


def test_the_first_rule_that_fits_names_a_hex():
    rules = Rules(
        [Rule("high", ["peak > 900"]), Rule("hill", ["peak > 100"]), Rule("low")], HEX_STATS
    )
    assert [rules.name({"peak": p}) for p in (1000.0, 900.0, 0.0)] == ["high", "hill", "low"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("relief = 3", "not a condition"), ("height >= 3", "no statistic 'height'")],
)
def test_a_condition_that_makes_no_sense_is_refused(text: str, complaint: str):
    with pytest.raises(FoundryError, match=complaint):
        Condition(text, HEX_STATS)


def test_a_directory_that_lacks_a_file_says_which(tmp_path: Path):
    with pytest.raises(FoundryError, match=r"rivers\.geojson: The geographic data lacks"):
        _ = Geodata(tmp_path, ITALY).rivers
