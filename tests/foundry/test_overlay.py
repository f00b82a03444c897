import tomllib
from pathlib import Path

import msgspec
import pytest

from apennine.board import Board, parse_map
from apennine.foundry.build import build
from apennine.foundry.mistakes import FoundryError
from apennine.foundry.recipe import Overlay, Recipe


def corrected(recipe: Recipe, geodata: Path, edit: str) -> Board:
    raw = tomllib.loads(f'[[edit]]\nwhy = "the book says so"\n{edit}')
    return parse_map(build(recipe, msgspec.convert(raw, Overlay), geodata, "valley").text)


def test_terrain_is_corrected_before_roads_are_laid(recipe: Recipe, geodata: Path):
    board = corrected(recipe, geodata, 'terrain = { lake = ["1516", "1616"] }')
    assert board.terrain_of(board.lattice.parse("1516")) == "lake"
    assert not board.road_hexes["road"] & board.terrain["lake"]


def test_hexsides_are_removed_added_and_replaced(recipe: Recipe, geodata: Path):
    board = corrected(
        recipe,
        geodata,
        'sides = { river = { remove = ["1716/1815"], replace = ["Fiume: 1414/1514,1413"],'
        ' add = ["Fosso: 1810/1811 1811/1911", "1510/1511"] } }',
    )
    runs = {run.name: run.edges for run in board.runs["river"]}
    assert len(runs["Fiume"]) == 2
    assert len(runs["Fosso"]) == 2
    assert board.sides["river"][3] >> board.lattice.parse("1510") & 1
    assert (
        board.lattice.edge_between(*map(board.lattice.parse, ("1716", "1815"))) not in runs["Rio"]
    )


def test_a_run_from_whose_middle_a_side_is_taken_falls_in_two(
    recipe: Recipe, geodata: Path, board: Board
):
    (run,) = [run for run in board.runs["river"] if run.name == "Fiume"]
    one, two = board.lattice.edge_hexes(run.edges[4])
    side = f"{board.lattice.code(one)}/{board.lattice.code(two)}"
    cut = corrected(recipe, geodata, f'sides = {{ river = {{ remove = ["{side}"] }} }}')
    pieces = [run for run in cut.runs["river"] if run.name == "Fiume"]
    assert [len(piece.edges) for piece in pieces] == [4, len(run.edges) - 5]


def test_steps_of_roads_are_removed_and_courses_added(recipe: Recipe, geodata: Path):
    board = corrected(
        recipe,
        geodata,
        'roads = { track = { remove = ["1412/1413"], add = ["1510..1512"] } }',
    )
    assert [len(course.hexes) for course in board.courses["track"]] == [3, 3]


def test_lines_are_replaced_as_a_whole(recipe: Recipe, geodata: Path):
    board = corrected(recipe, geodata, 'lines = { winter = { replace = ["1514>1413 1514>1513"] } }')
    assert sum(mask.bit_count() for mask in board.lines["winter"].over) == 2


def test_a_new_feature_needs_a_source(recipe: Recipe, geodata: Path):
    edit = 'sides = { pass = { add = ["1510/1511"] } }'
    with pytest.raises(FoundryError, match="needs a source"):
        corrected(recipe, geodata, edit)
    board = corrected(recipe, geodata, f'source = "book"\n{edit}')
    assert board.sources["sides.pass"].kind == "rulebook"


def test_numbers_are_corrected(recipe: Recipe, geodata: Path):
    board = corrected(recipe, geodata, 'numbers = { elevation = { "1510" = 777 } }')
    assert board.numbers["elevation"][board.lattice.parse("1510")] == 777


def test_places_are_added_changed_and_removed(recipe: Recipe, geodata: Path):
    board = corrected(
        recipe,
        geodata,
        'places = { add = [{ name = "Torre", hex = "1511" }], remove = ["Campo"],'
        ' change = { Borgo = { hex = "1717", numbers = { vp = 2 } } } }',
    )
    assert board.places["Torre"].hexes == 1 << board.lattice.parse("1511")
    assert "Campo" not in board.places
    assert board.places["Borgo"].hexes == 1 << board.lattice.parse("1717")
    assert dict(board.places["Borgo"].numbers) == {"vp": 2}
    assert board.places["Borgo"].kinds == {"town"}


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ('terrain = { swamp = "1510" }', "no terrain 'swamp'"),
        ('terrain = { clear = "9999" }', "9999"),
        ('sides = { river = { remove = ["1510/1511"] } }', "no 'river' on 1511/1510"),
        ('sides = { river = { replace = ["Nilo: 1510/1511"] } }', "no course 'Nilo'"),
        ('sides = { river = { add = ["1510/1512"] } }', "not neighbours"),
        ('roads = { road = { remove = ["1510/1511"] } }', "No 'road' leads over 1510/1511"),
        ('places = { remove = ["Atlantis"] }', "no place 'Atlantis'"),
        ('places = { change = { Atlantis = { hex = "1510" } } }', "no place 'Atlantis'"),
        ('places = { add = [{ name = "Torre" }] }', "a name and a hex"),
        ('numbers = { depth = { "1510" = 1 } }', "no numbers 'depth'"),
    ],
)
def test_a_correction_of_what_is_not_there_is_refused_with_its_reason(
    recipe: Recipe, geodata: Path, edit: str, complaint: str
):
    with pytest.raises(FoundryError, match=complaint):
        corrected(recipe, geodata, edit)
