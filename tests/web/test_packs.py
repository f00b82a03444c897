"""The lobby of a server with packs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from .conftest import Server

COVER = """
name = "stronger"
title = "The Crossing, as printed"
game = "crossing"
source = "printed: the counters"
"""
UNITS = """
[[units]]
name = "1 Inf"
faces = [[9, 4], [2, 2]]
"""


def test_the_lobby_shows_the_pack_and_the_board_its_numbers(
    tmp_path: Path, new_page: Callable[..., Any]
):
    pack = tmp_path / "stronger"
    pack.mkdir()
    (pack / "pack.toml").write_text(COVER, "utf-8")
    (pack / "units.toml").write_text(UNITS, "utf-8")
    server = Server(tmp_path, "--pack", str(pack))
    try:
        page = new_page()
        page.goto(server.url)
        plain = page.locator(".game[data-game=crossing]")
        corrected = page.locator(".game[data-game='crossing+stronger']")
        expect(corrected).to_contain_text("With the pack The Crossing, as printed")
        expect(plain).not_to_contain_text("With the pack")
        corrected.get_by_role("button", name="Allied").click()
        page.wait_for_selector("body.ready")
        expect(page.locator("#scenario")).to_contain_text("The Crossing, as printed")
        factors = page.locator(".counter-layer .counter[data-unit='1 Inf'] .counter-factors")
        expect(factors).to_have_text("9-4-3")
        page.locator("a.brand").click()
        expect(page.locator("#mine .match-row")).to_contain_text("The Crossing, as printed")
        page.close()
    finally:
        server.close()
