"""The chance to win on the screen: in the situation of a match, and at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apennine.games import get
from apennine.lab.selfplay import Series, start

from .conftest import Server
from .rest import at_rest


def test_the_graph_of_a_match_that_is_over_tells_the_chance_to_win_by_turn(
    server: Server, sit_down: Callable[..., Any]
):
    game = get("italy1944")
    match, bots = start(Series("italy1944", bots=("staff",), seed="graph").checked(), 0)
    january = 0.0
    while match.decision:
        seat = match.seat()
        if match.position.turn == 1:
            january = game.outlook(match.position, 0) or 0.0
        match.choose(bots[seat.side](seat))
    assert 0.0 < january < 1.0
    page = sit_down(server.upload(match))
    figure = page.locator(".end-dialog figure.graph", has_text="Chance to win, in per cent")
    rows = figure.locator("table tbody tr")
    assert rows.count() == game.scenarios[0].turns
    for row in rows.all():
        cells = [cell.inner_text() for cell in row.locator("td").all()]
        chances = [int(cell) for cell in cells]
        assert all(0 <= chance <= 100 for chance in chances)
    last = rows.last.locator("td").all_inner_texts()
    assert match.outcome is not None
    assert last == ["100" if match.outcome.winner == 0 else "0"]
    at_rest(page).get_by_role("button", name="Close", exact=True).first.click()
    page.get_by_role("tab", name="Situation").click()
    assert at_rest(page).locator("#standing-panel figure.graph").count() == 3
