"""Whole games and whole turns, played by clicking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from apennine import games

from .conftest import DESK, PHONE, Server
from .hands import Hands, play

DEVICES = {"desk": (DESK, "light"), "phone": (PHONE, "dark")}


def test_two_clicks_from_the_lobby_one_plays_the_bot(server: Server, new_page: Callable[..., Any]):
    page = new_page()
    page.goto(server.url)
    page.locator(".game[data-game=crossing]").get_by_role("button", name="Allied").click()
    page.wait_for_selector("body.ready")
    page.wait_for_selector("#prompt[data-mood=mine]")
    assert "Greedy" in page.locator("#seats").inner_text()
    expect(page.locator("#hint")).to_be_visible()
    page.locator(".counter.glows").first.click()
    page.wait_for_selector(".option")


def test_the_tutorial_game_is_played_to_its_end_by_clicking(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("crossing", guided=True, seed="1"))
    hands = Hands(page, seed=4, eager=4)
    assert play(hands) == "over"
    assert hands.orders > 20
    end = page.locator("dialog.end-dialog")
    assert "victory" in end.locator("h2").inner_text()
    end.get_by_role("button", name="Watch it again").click()
    page.wait_for_selector("#replay:not([hidden])")
    page.wait_for_function("() => document.querySelectorAll('#log .entry').length > 20")


def test_what_stands_badly_is_told_before_a_turn_ends_and_before_no_other_order(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("underbelly", scenario="historical", seed="1"))
    dialog = page.locator("dialog.warning-dialog")
    for order in ("Historical set-up", "No drop this turn", "No air"):
        page.locator("#prompt-buttons .order", has_text=order).click()
        if order == "Historical set-up":
            page.wait_for_selector("#warnings-button:not([hidden])")
    end = page.locator("#prompt-buttons .order", has_text="End")
    end.wait_for()
    assert dialog.count() == 0
    end.click()
    assert dialog.locator("h2").inner_text() == "Before you end your turn"
    dialog.get_by_role("button", name="Look again").click()
    dialog.wait_for(state="detached")
    assert end.is_visible()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("key", games.keys())
def test_a_full_turn_of_every_game_is_played_by_clicking(
    key: str, device: str, server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match(key, seed="1"), *DEVICES[device])
    hands = Hands(page, seed=7, touch=device == "phone", eager=1)
    assert play(hands, turns=1) in ("turn", "over")
    # The Allies of Soft Underbelly only land in their first turn.
    assert hands.orders >= (2 if key == "underbelly" else 3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
