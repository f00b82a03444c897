from hypothesis import given
from hypothesis import strategies as st

from apennine.board.mistakes import Notes
from apennine.board.notation import Notation
from apennine.foundry.draft import chains, meeting
from apennine.foundry.write import grid_lines, run_text
from apennine.hexes import Lattice, Numbering, Sheet

LATTICE = Lattice(Numbering("columns", (10, 15), (10, 15), shifted="even"))
EDGES = LATTICE.edges(LATTICE.all_sides)


@given(st.lists(st.sampled_from(EDGES), min_size=1, max_size=25, unique=True), st.booleans())
def test_hexsides_sorted_into_runs_are_read_back_as_they_were(edges: list[int], directed: bool):
    runs = chains(LATTICE, edges)
    assert sorted(edge for run in runs for edge in run) == sorted(edges)
    toward = {edge: LATTICE.edge_hexes(edge)[edge % 2] for edge in edges} if directed else None
    for run in runs:
        notes = Notes("test")
        notation = Notation(LATTICE, notes)
        read, pairs = notation.run(run_text(LATTICE, "Rio", run, toward), "key", directed)
        assert notes.mistakes == []
        assert (read.name, list(read.edges)) == ("Rio", run)
        if toward:
            assert [pair.a for pair in pairs] == [toward[edge] for edge in run]


@given(st.sampled_from(EDGES))
def test_meeting_hexsides_meet_each_other(edge: int):
    assert all(edge in meeting(LATTICE, other) for other in meeting(LATTICE, edge))


def test_a_grid_stands_as_on_the_page():
    sheets = (Sheet("W", (1, 2)), Sheet("E", (1, 1), 2))
    numbering = Numbering(
        "rows", (1, 3), (1, 2), "RRCC", rows_grow="up", columns_grow="left", sheets=sheets
    )
    assert grid_lines(numbering, "rows") == (
        ["02", "01"],
        [["E0201", "W0202", "W0201"], ["E0101", "W0102", "W0101"]],
    )
    labels, _ = grid_lines(numbering, "columns")
    assert labels == ["E01", "W02", "W01"]
