"""Every rule that code cites or a test claims to prove is a row of that game's ledger."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from apennine.games import get, keys
from apennine.kernel.ledger import citations, coverage, proofs

TESTS = Path(__file__).parent


@pytest.mark.parametrize("key", keys())
def test_every_citation_in_the_code_of_a_game_names_a_row(key: str):
    cited = citations(Path(str(resources.files(f"apennine.games.{key}"))))
    assert cited
    assert [c for c in cited if c.id not in get(key).ledger] == []


@pytest.mark.parametrize("key", keys())
def test_every_marker_in_the_tests_names_a_row_and_no_row_is_left_out(key: str):
    ledger = get(key).ledger
    proven = proofs(TESTS, key)
    assert [id for id in proven if id not in ledger] == []
    count = coverage(ledger, proven)
    assert count.missing == []
    assert count.exempt * 10 < count.total - count.later


@pytest.mark.parametrize("key", keys())
def test_only_rows_of_parts_that_a_game_has_not_built_are_left_for_later(key: str):
    game = get(key)
    assert {row.scope for row in game.ledger if row.later} == set(game.unbuilt)
