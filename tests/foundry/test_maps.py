import pytest

from apennine.board import read_map
from apennine.foundry.check import check_map
from apennine.foundry.recipe import RECIPES, map_path, read_overlay, read_recipe

KEYS = sorted(path.stem for path in RECIPES.glob("*.toml") if not path.stem.endswith("-overlay"))


@pytest.mark.parametrize("key", KEYS)
def test_the_built_map_is_sound(key: str):
    assert [str(fault) for fault in check_map(map_path(key), read_recipe(key))] == []


@pytest.mark.parametrize("key", KEYS)
def test_every_place_of_the_book_lies_in_the_hex_that_the_book_names(key: str):
    board = read_map(map_path(key))
    for control in read_recipe(key).control:
        if control.by == "book":
            hex = board.lattice.parse(control.hex)
            places = board.places.get(control.place)
            assert places is None or places.hexes >> hex & 1, control.place


@pytest.mark.parametrize("key", KEYS)
def test_every_correction_by_hand_says_why(key: str):
    assert all(edit.why.strip() for edit in read_overlay(key).edit)


@pytest.mark.parametrize("key", KEYS)
def test_the_map_credits_its_sources(key: str):
    credits = " ".join(read_map(map_path(key)).credits)
    for name in ("OpenStreetMap", "ODbL", "GeoNames", "Viewfinder Panoramas", "Ciccarelli"):
        assert name in credits


def test_italy_1944_has_the_points_of_the_book():
    board = read_map(map_path("italy1944"))
    points = {
        name: place.numbers["vp"] for name, place in board.places.items() if "vp" in place.numbers
    }
    assert points.pop("Rome") == 15
    assert points.pop("Bologna") == 10
    assert set(points.values()) == {5}
    assert len(points) == 11


def test_italy_1944_supplies_both_sides_by_road():
    board = read_map(map_path("italy1944"))
    lattice, land = board.lattice, board.regions["land"]
    for side, source in board.supply.items():
        net = lattice.flood_sides(source.hexes, land, board.roads["road"])
        assert net >> lattice.parse("3020") & 1, side


def test_italy_1944_is_parted_by_the_front():
    board = read_map(map_path("italy1944"))
    german, allied = board.regions["german"], board.regions["allied"]
    assert german & allied == 0
    assert german | allied == board.regions["land"]
