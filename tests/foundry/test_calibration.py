import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apennine.foundry.calibration import Calibration, ControlPoint, misplaced
from apennine.foundry.mistakes import FoundryError
from apennine.hexes import Lattice, Numbering

COLUMNS = Lattice(Numbering("columns", (10, 30), (10, 30), shifted="even"))

# A coarse grid whose book contradicts the map by two to three hexes.
COARSE = Lattice(Numbering("columns", (10, 55), (1, 30), shifted="odd"))
COARSE_POINTS = [
    ControlPoint("Naples", 40.85, 14.27, "2522"),
    ControlPoint("Salerno", 40.68, 14.77, "2822"),
    ControlPoint("Paestum", 40.42, 15.0, "2921"),
    ControlPoint("Foggia", 41.46, 15.54, "2608"),
    ControlPoint("Bari", 41.12, 16.87, "3306"),
    ControlPoint("Taranto", 40.47, 17.24, "4108"),
    ControlPoint("Pizzo", 38.73, 16.16, "5122"),
]


def on_a_grid(code: str, lat: float = 0.0, lon: float = 0.0) -> ControlPoint:
    """A place where its hex lies on a north-up grid of 10 km, pushed by some degrees."""
    x, y = COLUMNS.pixel(COLUMNS.parse(code))
    return ControlPoint(code, 43.0 - 0.052 * y + lat, 12.0 + 0.07 * x + lon, code)


CORNERS = [on_a_grid(code) for code in ("1212", "2812", "1228", "2828")]


def test_a_coarse_grid_honours_every_control_point_and_does_not_fold():
    calibration = Calibration(COARSE, COARSE_POINTS)
    assert max(calibration.residuals) > 2
    assert list(misplaced(calibration, COARSE)) == []
    assert calibration.folds() == []


def test_a_place_well_inside_its_hex_is_not_moved():
    points = [*CORNERS, on_a_grid("2020", lat=0.015)]
    loose = Calibration(COLUMNS, points, slack=0.9)
    plain = Calibration(COLUMNS, [p._replace(fitted=True) for p in points], slack=0.98)
    there = np.array([42.4]), np.array([12.9])
    assert np.allclose(loose.to_page(*there), plain.to_page(*there), atol=1e-9)


def test_no_slack_pins_a_place_to_the_centre():
    off = on_a_grid("2020", lat=0.06)._replace(fitted=False)
    calibration = Calibration(COLUMNS, [*CORNERS, off], slack=0.0)
    x, y = calibration.to_page(np.array([off.lat]), np.array([off.lon]))[0]
    assert (x, y) == pytest.approx(COLUMNS.pixel(COLUMNS.parse("2020")), abs=0.03)


def test_a_similarity_keeps_the_shape_of_the_hexes():
    calibration = Calibration(COLUMNS, CORNERS, similarity=True)
    assert calibration.km_per_hex == pytest.approx(10.0, rel=0.03)
    assert abs(calibration.north) < 1.0


def test_places_that_change_places_fold_the_map():
    crossed = [on_a_grid("1915")._replace(hex="2115"), on_a_grid("2115")._replace(hex="1915")]
    calibration = Calibration(COLUMNS, [*CORNERS, *(p._replace(fitted=False) for p in crossed)])
    with pytest.raises(FoundryError, match="folds"):
        calibration.folds()


def test_control_points_in_one_line_are_refused():
    with pytest.raises(FoundryError, match="one line"):
        Calibration(COLUMNS, [on_a_grid(c) for c in ("1212", "1216", "1220")], similarity=True)


def test_too_few_control_points_are_refused():
    with pytest.raises(FoundryError, match="three control points"):
        Calibration(COLUMNS, CORNERS[:2], similarity=True)


def test_a_control_point_off_the_map_is_refused():
    with pytest.raises(FoundryError, match="Nowhere"):
        Calibration(COLUMNS, [*CORNERS, ControlPoint("Nowhere", 42.0, 12.0, "9999")])


push = st.floats(-0.06, 0.06)


@given(st.lists(st.tuples(push, push), min_size=3, max_size=3), st.floats(0.2, 0.9))
def test_there_and_back_again(pushes: list[tuple[float, float]], slack: float):
    moved = [on_a_grid(c, *p) for c, p in zip(("1616", "2424", "2018"), pushes)]
    calibration = Calibration(COLUMNS, [*CORNERS, *moved], slack=slack)
    assert list(misplaced(calibration, COLUMNS)) == []
    page = np.array([COLUMNS.pixel(hex) for hex in COLUMNS])
    assert np.allclose(calibration.to_page(*calibration.to_earth(page)), page, atol=1e-6)
