from collections.abc import Callable
from itertools import pairwise

import pytest

from apennine.board import Board, parse_map
from apennine.foundry.check import check_board
from apennine.foundry.recipe import AllowedWeave, Fact, Recipe
from apennine.foundry.weaving import weaves
from apennine.hexes import Hex


def cells(text: str, code: str, letter: str) -> str:
    """The map with another letter in the terrain grid."""
    lines = text.split("\n")
    start = lines.index("[terrain]")
    row = next(i for i in range(start, len(lines)) if lines[i].startswith(f"{code[2:]} "))
    words = lines[row].split()
    words[1 + int(code[:2]) - 10] = letter
    lines[row] = " ".join(words)
    return "\n".join(lines)


def swapped(old: str, new: str) -> Callable[[str], str]:
    def plant(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return plant


FAULTS = {
    "a town in another hex": (
        swapped('name = "Porto", at = "1415"', 'name = "Porto", at = "1416"'),
        "control: Porto is in 1416, not in 1415.",
    ),
    "a stray land hex": (
        lambda text: cells(text, "1013", "c"),
        "land: 1013: a stray land hex that the recipe does not list.",
    ),
    "an island": (
        lambda text: cells(cells(text, "1013", "c"), "1014", "c"),
        "land: 1013, 1014: an island that the recipe does not list.",
    ),
    "a stray sea hex": (
        lambda text: cells(text, "1712", "~"),
        "land: 1712: a stray sea hex that the recipe does not list.",
    ),
    "a road in the sea": (
        swapped('"1412 1413 1414 1415"', '"1412 1413 1414 1415", "1414 1314 1315 1415"'),
        "roads: The track runs into water at 1314, 1315.",
    ),
    "a road apart": (
        swapped('"1412 1413 1414 1415"', '"1412 1413 1414 1415", "1510 1511"'),
        "roads: The track at 1510, 1511 hangs together with no other.",
    ),
    "a river that ends on land": (
        swapped('"Rio: ', '"Fosso: 1512/1511,1611", "Rio: '),
        "rivers: Fosso: no sea, lake, edge of the map or other river is reached.",
    ),
    "a river in a circle": (
        swapped('"Rio: ', '"Gorgo: 1512/1511,1611,1612,1513,1412,1411", "Rio: '),
        "rivers: Gorgo closes a loop at ",
    ),
    "a town in the sea": (
        swapped('name = "Campo", at = "1412"', 'name = "Campo", at = "1212"'),
        "places: Campo lies in the sea at 1212.",
    ),
    "a hex that is not what the book says": (
        lambda text: cells(text, "1415", "m"),
        "facts: 1415 is mountain, not clear. (rule 3)",
    ),
    "a file that cannot be read": (swapped('"1412 1413', '"1412 1713'), "jumps"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named(text: str, recipe: Recipe, fault: str, tmp_path):
    plant, sentence = FAULTS[fault]
    path = tmp_path / "map.toml"
    path.write_text(plant(text), encoding="utf-8")
    from apennine.foundry.check import check_map

    assert any(sentence in str(found) for found in check_map(path, recipe))


def test_a_warp_that_folds_is_named(text: str, recipe: Recipe):
    recipe.control[2].hex = "1018"
    faults = check_board(parse_map(text), recipe)
    assert any(fault.check == "control" and "folds" in fault.text for fault in faults)


def test_counts_out_of_their_bands_are_named(text: str, recipe: Recipe):
    recipe.bands = {"mountain": (30, 40)}
    (fault,) = check_board(parse_map(text), recipe)
    assert "30 to 40 are expected" in fault.text


def test_what_is_allowed_is_no_fault(text: str, recipe: Recipe):
    island = cells(text, "1013", "c")
    assert check_board(parse_map(island), recipe)
    recipe.allowed.islands = ["1013"]
    assert check_board(parse_map(island), recipe) == []


WEAVING = '"1412 1413 1414 1415", "Strada: 1414 1514 1515 1516"'


def weaving(text: str) -> Board:
    """The map with a road that runs to and fro over the Fiume."""
    board = parse_map(text.replace('"1412 1413 1414 1415"', WEAVING))
    river = {e for run in board.runs["river"] if run.name == "Fiume" for e in run.edges}
    course = next(c for c in board.courses["track"] if c.name == "Strada")
    steps = [board.lattice.edge_between(a, b) in river for a, b in pairwise(course.hexes)]
    assert steps.count(True) == 2
    return board


def test_a_road_that_crosses_a_river_and_soon_crosses_it_back_is_named(text: str, recipe: Recipe):
    fault = next(f for f in check_board(weaving(text), recipe) if f.text.startswith("Strada"))
    assert fault.text.startswith("Strada crosses the river Fiume at 1414/1514 and again at ")


def test_a_road_may_weave_where_the_recipe_says_why(text: str, recipe: Recipe):
    board = weaving(text)
    weave = next(found for found in weaves(board, recipe) if found.road == "Strada")
    at = " ".join(weave.sites)
    recipe.allowed.weaves.append(AllowedWeave("Strada", "Fiume", at, "it does"))
    assert check_board(board, recipe) == []
    faults = check_board(parse_map(text), recipe)
    assert [fault.text.startswith("Strada does not weave over the river") for fault in faults] == [
        True,
        True,
    ]


def test_the_pieces_of_a_road_are_looked_at_together(text: str, recipe: Recipe):
    whole = weaving(text)
    a, b, c, d = (whole.lattice.code(hex) for hex in road_of(whole))
    cut = text.replace('"1412 1413 1414 1415"', f'"Strada: {a} {b}", "Strada: {d} {c} {b}"')
    assert "Strada" in {weave.road for weave in weaves(parse_map(cut), recipe)}


def road_of(board: Board) -> tuple[Hex, ...]:
    return next(c.hexes for c in board.courses["track"] if c.name == "Strada")


@pytest.mark.parametrize(
    ("fact", "complaint"),
    [
        (
            Fact("x", hex="1415", terrain=["mountain", "lake"]),
            "1415 is clear, not mountain or lake.",
        ),
        (Fact("x", hex="1416", place="Porto"), "Porto is not in 1416."),
        (Fact("x", hex="1416", kind="town"), "1416 has no town."),
        (Fact("x", hex="1410", road="road"), "1410 has no road."),
        (Fact("x", hex="1415", no_road="road"), "1415 has a road, against the book."),
        (Fact("x", hex="1815", coastal=True), "1815 is not on the coast."),
        (Fact("x", hex="1415", coastal=False), "1415 is on the coast."),
        (Fact("x", side="1510/1511", has="river"), "1510/1511 has no river."),
        (Fact("x", side="1816/1917", lacks="river"), "1816/1917 has a river, against the book."),
        (Fact("x", side="1816/1917", run="Fiume"), "Fiume does not run along 1816/1917."),
        (Fact("x", side="1510/1511", road="road"), "No road leads over 1510/1511."),
        (Fact("x", side="1415/1516", no_road="road"), "A road leads over 1415/1516"),
        (Fact("x", side="1510/1511", line="winter"), "1510/1511 is not on the line winter."),
        (Fact("x", neighbours="1510 1511 1513"), "1511 and 1513 are not neighbours."),
        (Fact("x", apart=("1510", "1513", 2)), "1510 and 1513 are 3 hexes apart, not 2."),
        (Fact("x", hex="9999", terrain="clear"), "9999"),
        (Fact("x", hex="1415", place="Atlantis"), "knows nothing called 'Atlantis'"),
    ],
)
def test_a_fact_that_does_not_hold_is_told(text: str, recipe: Recipe, fact: Fact, complaint: str):
    recipe.facts = [fact]
    faults = [str(fault) for fault in check_board(parse_map(text), recipe)]
    assert any(complaint in fault for fault in faults)
