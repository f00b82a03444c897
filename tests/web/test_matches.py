"""Matches played in the browser against the bot: a sample here, whole ones by `make proof`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from .conftest import DESK, PHONE, Server
from .matches import Player, Table, sit_down

told = logging.getLogger(__name__)
"""What a whole match took: `--log-cli-level=info` shows it."""

WHOLE = [
    Table("underbelly", "campaign", "Allied"),
    Table("underbelly", "historical", "German"),
    Table("underbelly", "wat", "Allied"),
    Table("italy1944", "campaign", "Allied"),
    Table("italy43", "volturno", "Allied"),
    Table("italy43", "bernhard", "German"),
    Table("italy43", "campaign", "Allied"),
    Table("anzio", "basic", "Allied"),
    Table("anzio", "shingle", "German"),
    Table("anzio", "diadem", "Allied"),
    Table("italia1918", "grappa", "Central Powers"),
    Table("italia1918", "radetzky", "Entente"),
    Table("crossing", "dawn", "German"),
]


@pytest.fixture
def open_page(new_page: Callable[..., Any]) -> Iterator[Callable[..., Page]]:
    """Makes a page on which nothing glides; a request that fails on it is a failure."""
    failures: list[str] = []

    def hear(answer: Response) -> None:
        if not answer.ok and answer.status != 304:
            failures.append(f"{answer.status} {answer.url}")

    def make(device: dict[str, Any] = DESK) -> Page:
        page: Page = new_page(device, reduced_motion="reduce")
        page.on("response", hear)
        return page

    yield make
    assert failures == []


def read_the_end(player: Player) -> None:
    """The end screen says who has won and why; the replay begins at the beginning."""
    page, outcome = player.page, player.match.outcome
    assert outcome is not None
    end = page.locator("dialog.end-dialog")
    winner = player.game.sides[outcome.winner] if outcome.winner >= 0 else None
    expect(end.locator("h2")).to_have_text(f"{winner} victory" if winner else "A draw")
    expect(end.locator(".verdict-reason")).to_contain_text(outcome.reason)
    if winner:
        won = "You have won." if outcome.winner == player.side else "You have lost."
        expect(end.locator(".verdict-reason")).to_contain_text(won)
    end.get_by_role("button", name="Watch it again").click()
    page.locator("#replay:not([hidden])").wait_for()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator("#log .entry")).to_have_count(0)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("#log .entry").last).to_be_attached()


@pytest.mark.parametrize(("device", "orders"), [(DESK, 12), (PHONE, 10)], ids=["desk", "phone"])
def test_the_first_orders_of_soft_underbelly_are_given_by_clicking(
    device: dict[str, Any], orders: int, server: Server, open_page: Callable[..., Page]
):
    page, table = open_page(device), Table("underbelly", "wat", "Allied")
    sit_down(page, server.url, table)
    player = Player(page, table, "staff", touch=device is PHONE)
    assert player.play(orders) == "mine"
    assert player.orders == orders
    assert player.clicks >= orders


@pytest.mark.proof
@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("table", WHOLE, ids=lambda table: f"{table.game}-{table.scenario}")
def test_a_whole_match_against_the_bot_is_played_by_clicks_or_taps(
    table: Table, device: dict[str, Any], server: Server, open_page: Callable[..., Page]
):
    page = open_page(device)
    sit_down(page, server.url, table)
    adviser = "staff" if table.game != "crossing" else "greedy"
    player = Player(page, table, adviser, touch=device is PHONE)
    assert player.play() == "over"
    assert player.orders > 20
    told.info("%d orders, %d clicks: %s", player.orders, player.clicks, player.by)
    assert player.slips == []
    read_the_end(player)
