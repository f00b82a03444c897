"""The odds explorer: attacks from nothing and in one's own match, on the screen."""

# Playwright leaves some of its types out.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from apennine.games import get
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match
from apennine.mechanics.explorer import from_match, from_nothing, targets

from .conftest import DESK, PHONE, Server
from .rest import at_rest
from .test_access import faults

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


def shown(page: Any) -> dict[str, str]:
    """The exact chances that are on the screen, by result."""
    rows = at_rest(page).locator(".odds-told .chances tbody tr").all()
    return {row.locator("th").inner_text(): row.get_attribute("title") for row in rows}


def told(chances: Any) -> dict[str, str]:
    return {result: str(chance) for result, chance in chances.items()}


@DEVICES
def test_an_attack_is_put_together_from_nothing(
    device: dict[str, Any], server: Server, new_page: Callable[..., Any]
):
    game = get("underbelly")
    page = new_page(device)
    page.goto(server.url)
    page.get_by_role("button", name="Odds of an attack in Soft Underbelly").click()
    expect(page.locator(".odds-refused")).to_contain_text("Guns alone cannot attack")
    for unit in ("US 36", "US 45"):
        page.get_by_label("Attackers", exact=True).first.select_option(unit)
    page.get_by_label("Defenders", exact=True).first.select_option("71 Inf")
    plain = from_nothing(game, {}, ["US 36", "US 45"], ["71 Inf"])
    assert shown(page) == told(plain.now.chances)
    page.get_by_label("Mountain").check()
    hills = from_nothing(game, {"attack mountain": 1}, ["US 36", "US 45"], ["71 Inf"])
    assert shown(page) == told(hills.now.chances) != told(plain.now.chances)
    names = page.locator(".odds-others tbody th").all_inner_texts()
    assert {"As it stands", "Without mountain", "Without US 36"} < set(names)
    assert faults(page, ".odds-dialog") == []
    page.get_by_role("button", name="Take US 36 off").click()
    one = from_nothing(game, {"attack mountain": 1}, ["US 45"], ["71 Inf"])
    assert shown(page) == told(one.now.chances)


def attack_of_two() -> tuple[Match[Any], str, list[str]]:
    """A match in which two units may attack a hex, the hex, and who may."""
    game = get("crossing")
    for seed in range(200):
        match, random = Match(game, seed=seed), Random(seed)
        for _ in range(200):
            if not isinstance(match.decision, Choice):
                break
            for hex in targets(match):
                found = from_match(match, game.board.code(hex), [])
                if len(found.able) > 1:
                    return match, game.board.code(hex), [game.units[unit] for unit in found.able]
            options = match.decision.options
            match.choose(options[int(random.random() * len(options))])
    raise AssertionError("no attack of two came up")


@DEVICES
def test_an_attack_of_ones_own_match_tells_what_a_unit_more_would_change(
    device: dict[str, Any], server: Server, sit_down: Callable[..., Any]
):
    match, target, units = attack_of_two()
    page = sit_down(server.upload(match), device)
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Odds", exact=True).click()
    page.get_by_label("What is attacked").select_option(target)
    assert shown(page) == told(from_match(match, target, []).now.chances)
    for unit in units[1:]:
        page.get_by_label(unit, exact=True).uncheck()
    alone = from_match(match, target, units[:1])
    assert shown(page) == told(alone.now.chances)
    names = page.locator(".odds-others tbody th").all_inner_texts()
    assert f"With {units[1]} too" in names
    assert faults(page, ".odds-dialog") == []
    page.get_by_label("From nothing").check()
    expect(page.get_by_label("Attackers", exact=True).first).to_be_visible()
