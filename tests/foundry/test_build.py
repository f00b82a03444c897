from itertools import pairwise
from pathlib import Path

import pytest

from apennine.board import Board, parse_map
from apennine.foundry.build import build
from apennine.foundry.check import check_board
from apennine.foundry.mistakes import FoundryError
from apennine.foundry.paths import Corners
from apennine.foundry.recipe import (
    LakeRecipe,
    Overlay,
    PlaceRecipe,
    Recipe,
    River,
    RiverClass,
    Route,
    Rule,
    SidesRecipe,
    SideTerrainRecipe,
)
from apennine.foundry.weaving import weaves
from apennine.hexes import HexSet


def built(recipe: Recipe, geodata: Path, overlay: Overlay | None = None) -> Board:
    return parse_map(build(recipe, overlay or Overlay(), geodata, "valley").text)


def codes(board: Board, hexes: tuple[int, ...]) -> list[str]:
    return [board.lattice.code(hex) for hex in hexes]


def test_a_road_keeps_to_its_bank_if_bridges_cost_something(
    recipe: Recipe, geodata: Path, board: Board
):
    (weave,) = weaves(board, recipe)
    assert str(weave) == "Via Nuova crosses the river Fiume at 1716/1715 and again at 1715/1814."
    recipe.roads[0].bridge = {"river": 3.0}
    assert weaves(built(recipe, geodata), recipe) == []


def test_a_road_does_not_cross_what_the_map_does_not_have(recipe: Recipe, geodata: Path):
    recipe.roads[0].bridge = {"canal": 1.0}
    with pytest.raises(FoundryError, match="cross 'canal', which no hexside has"):
        built(recipe, geodata)


def test_building_twice_gives_the_same_bytes(recipe: Recipe, geodata: Path, text: str):
    assert build(recipe, Overlay(), geodata, "valley").text == text


def test_the_map_is_sound(board: Board, recipe: Recipe):
    assert check_board(board, recipe) == []


def test_the_rock_off_the_coast_drowns_and_a_named_island_does_not(
    recipe: Recipe, geodata: Path, board: Board
):
    assert len(board.lattice.components(board.lattice.all & ~board.terrain["sea"])) == 1
    recipe.terrain.land = 0.03
    recipe.terrain.islands = ["1016"]
    islands = built(recipe, geodata).terrain["sea"]
    assert not islands >> board.lattice.parse("1016") & 1


def test_a_river_follows_its_bends_from_the_mountains_to_the_sea(board: Board):
    (fiume,) = [run for run in board.runs["river"] if run.name == "Fiume"]
    corners = Corners(board.lattice)
    walked = [set(corners.ends[edge]) for edge in fiume.edges]
    assert all(a & b for a, b in pairwise(walked))
    assert len(set().union(*walked)) == len(walked) + 1  # no corner twice
    south = board.lattice.parse("1615")
    assert any(south in board.lattice.edge_hexes(edge) for edge in fiume.edges)
    mouth = walked[-1] - walked[-2]
    assert any(board.terrain["sea"] >> h & 1 for c in mouth for h in corners.hexes[c])


def test_a_tributary_ends_at_a_corner_of_its_river(board: Board):
    corners = Corners(board.lattice)
    fiume, rio = (
        {c for e in run.edges for c in corners.ends[e]}
        for run in sorted(board.runs["river"], key=lambda run: run.name)
    )
    assert len(fiume & rio) == 1


def test_rivers_can_run_through_hexes(recipe: Recipe, geodata: Path):
    recipe.allowed.weaves = []
    recipe.rivers = [RiverClass("river", "survey", "through", take=["Fiume", "Rio"])]
    board = built(recipe, geodata)
    fiume, rio = board.through["river"].courses
    assert board.terrain_of(fiume.hexes[-1]) == "sea"
    assert board.terrain_of(fiume.hexes[-2]) == "clear"
    assert rio.hexes[-1] in fiume.hexes
    assert board.through["river"].headwaters.bit_count() == 2
    assert check_board(board, recipe) == []


def test_a_river_can_become_a_major_one_on_its_way(recipe: Recipe, geodata: Path):
    bend = (42.25, 12.95)
    recipe.rivers = [
        RiverClass("major-river", "survey", take=[River("Fiume", start=bend)]),
        RiverClass("minor-river", "survey", take=[River("Fiume", end=bend)]),
    ]
    board = built(recipe, geodata)
    assert board.runs["major-river"]
    assert board.runs["minor-river"]
    assert check_board(board, recipe) == []


def test_rivers_are_taken_by_the_size_of_their_basin(recipe: Recipe, geodata: Path):
    recipe.rivers = [RiverClass("river", "survey", min_basin=500, min_sides=1)]
    assert {run.name for run in built(recipe, geodata).runs["river"]} == {"Fiume"}


def test_a_river_drawn_by_hand_is_laid(recipe: Recipe, geodata: Path):
    drawn = River("Canale", points=[(42.1, 12.85), (42.1, 12.5)])
    recipe.rivers = [RiverClass("canal", "survey", take=[drawn])]
    (canal,) = built(recipe, geodata).runs["canal"]
    assert canal.name == "Canale"


def test_a_road_leads_from_place_to_place_near_its_line(board: Board):
    (road,) = board.courses["road"]
    chain = codes(board, road.hexes)
    assert (chain[0], chain[-1]) == ("1415", "1812")
    assert "1716" in chain
    assert len(chain) <= 9
    assert not any(board.terrain["sea"] >> hex & 1 for hex in road.hexes)


def test_a_railway_keeps_to_the_lines_open_in_its_year(recipe: Recipe, geodata: Path):
    def hexes(year: int) -> HexSet:
        recipe.roads[2].year = year
        recipe.roads[2].routes = [Route(["Porto", "Monte"], follow="rails")]
        board = built(recipe, geodata)
        return HexSet(board.lattice, board.road_hexes["rail"])

    assert "1616" in hexes(1890)
    assert "1616" not in hexes(1910)


def test_a_net_joins_neighbours_by_real_roads_and_leaves_motorways_alone(board: Board):
    (track,) = board.courses["track"]
    assert codes(board, track.hexes) == ["1412", "1413", "1414", "1415"]


def test_a_road_leaves_the_map_over_the_side_it_names(recipe: Recipe, geodata: Path):
    recipe.roads[0].routes.append(Route(["Borgo", "1918 (S)"], name="Sud"))
    (_, south) = built(recipe, geodata).courses["road"]
    assert south.leaves == 3


@pytest.mark.parametrize(
    ("via", "complaint"),
    [
        (["Porto", "Atlantis"], "neither a place nor a hex"),
        (["Porto", "1010"], "which is water"),
        (["Porto", "1716 (S)"], "no edge of the map"),
        (["Porto", "1918 (X)"], "no direction 'X'"),
        (["Porto"], "two places at least"),
    ],
)
def test_a_road_to_nowhere_is_refused(
    recipe: Recipe, geodata: Path, via: list[str], complaint: str
):
    recipe.roads[0].routes = [Route(via, name="Via Vecchia")]
    with pytest.raises(FoundryError, match=f"Via Vecchia.*{complaint}"):
        build(recipe, Overlay(), geodata, "valley")


def test_roads_may_be_shown_in_some_terrain_only(recipe: Recipe, geodata: Path):
    recipe.roads = recipe.roads[:1]
    recipe.roads[0].within = ["mountain"]
    recipe.roads[0].routes = [Route(["Porto", "1912"], name="Passo")]
    board = built(recipe, geodata)
    (kept,) = board.courses["road"]
    assert "mountain" in {board.terrain_of(hex) for hex in kept.hexes}
    assert len(kept.hexes) == 2


def test_a_town_in_the_sea_moves_to_the_shore(recipe: Recipe, geodata: Path):
    recipe.places.entries.append(PlaceRecipe("Faro", at=(42.5, 12.47)))
    result = build(recipe, Overlay(), geodata, "valley")
    board = parse_map(result.text)
    assert board.places["Faro"].hexes & ~board.terrain["sea"]
    assert any("Faro was moved" in note for note in result.notes)


def test_an_unknown_place_is_refused(recipe: Recipe, geodata: Path):
    recipe.places.entries.append(PlaceRecipe("Atlantis"))
    with pytest.raises(FoundryError, match="'Atlantis' is not in the data"):
        build(recipe, Overlay(), geodata, "valley")


def test_steep_hexsides_are_written_uphill(recipe: Recipe, geodata: Path):
    recipe.sides = [SidesRecipe("crest", "survey", ["step >= 240"], directed=True)]
    board = built(recipe, geodata)
    heights = board.numbers["elevation"]
    found = 0
    for d, hexes in enumerate(board.over["crest"]):
        for code in HexSet(board.lattice, hexes):
            low = board.lattice.parse(code)
            assert heights[low] < heights[board.lattice.neighbour(low, d)]
            found += 1
    assert found > 5


def test_small_pieces_of_a_hexside_feature_are_dropped(recipe: Recipe, geodata: Path):
    recipe.sides = [SidesRecipe("ridge", "survey", ["mean >= 900"], min_run=100)]
    assert "ridge" not in built(recipe, geodata).sides


def test_every_hexside_can_have_a_terrain(recipe: Recipe, geodata: Path):
    legend = {"w": "water", "p": "plain", "r": "rough"}
    rules = [Rule("water", ["wet >= 2"]), Rule("rough", ["mean >= 400"]), Rule("plain")]
    recipe.side_terrain = SideTerrainRecipe("survey", legend, rules)
    board = built(recipe, geodata)
    for d, inner in enumerate(board.lattice.all_sides):
        named = [board.sides[name][d] for name in legend.values()]
        assert named[0] | named[1] | named[2] == inner
        assert sum(mask.bit_count() for mask in named) == inner.bit_count()


def test_a_small_lake_is_shown_on_the_nearest_hexside(recipe: Recipe, geodata: Path):
    recipe.lakes = [LakeRecipe("Lago", "lake-side", "survey", "L. Piccolo")]
    (run,) = built(recipe, geodata).runs["lake-side"]
    assert (run.name, len(run.edges)) == ("L. Piccolo", 1)


def test_a_line_parts_the_land_and_faces_the_attacker(board: Board):
    line = board.lines["winter"]
    south = [code for d in range(6) for code in HexSet(board.lattice, line.over[d])]
    assert "1414" in south  # written from the right hand of a line drawn eastward
    assert "1413" not in south


def test_the_sheet_is_cut_to_its_extent(recipe: Recipe, geodata: Path):
    recipe.extent.hexes = ["all", "not block 1018 1918"]
    recipe.extent.sea_margin = 1
    recipe.map.pop("supply")
    lattice = built(recipe, geodata).lattice
    found = {lattice.code(hex) for hex in lattice}
    assert "1917" in found
    assert not found & {"1918", "1012"}


def test_small_patches_of_a_terrain_are_merged(recipe: Recipe, geodata: Path):
    recipe.terrain.min_patch = {"mountain": 50}
    assert not built(recipe, geodata).terrain["mountain"]


def test_terrain_that_no_rule_fits_is_told(recipe: Recipe, geodata: Path):
    recipe.terrain.rules = recipe.terrain.rules[:2]
    with pytest.raises(FoundryError, match="No rule of the terrain fits"):
        build(recipe, Overlay(), geodata, "valley")
