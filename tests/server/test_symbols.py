"""The NATO symbols on the counters."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from apennine.games import get, keys
from apennine.server.symbols import ARMS, LETTERED, MOST_KEPT, SAME, SIZES, symbol

SVG = "{http://www.w3.org/2000/svg}"


BEHIND_THE_LINES = {"air", "depot", "trucks"}
"""What a game counts in points and not in formations."""


def test_every_unit_of_every_game_has_a_symbol_of_its_own_arm():
    for key in keys():
        game = get(key)
        position = game.setup(game.check_scenario(None), game.check_options({}))
        for unit in game.view(position, 0)["units"]:
            known = {*ARMS, *SAME, *LETTERED}
            arm = unit["troops"].casefold().replace(" ", "-")
            assert arm in known, f"{key}: {unit['name']} is {unit['troops']}"
            sizeless = "replacement" in arm or "ersatz" in arm or arm in BEHIND_THE_LINES
            assert sizeless or unit["size"] in SIZES, f"{key}: {unit['name']} is a {unit['size']}"


@pytest.mark.parametrize("troops", sorted({*ARMS, *SAME, *LETTERED, "balloon corps", ""}))
@pytest.mark.parametrize("size", ["", "division", "battalion"])
def test_a_symbol_is_a_picture_that_needs_no_style(troops: str, size: str):
    picture = ElementTree.fromstring(symbol(troops, size))
    assert picture.tag == f"{SVG}svg"
    text = symbol(troops, size)
    assert "style" not in text
    assert not re.search(r"#[0-9a-f]{3}", text)


def test_arms_and_sizes_are_told_apart():
    assert len({symbol(arm, "division") for arm in ARMS}) == len(ARMS)
    assert symbol("infantry", "division") != symbol("infantry", "brigade")


def test_an_unknown_kind_shows_its_initials_and_nothing_that_could_run():
    assert ">BC</text>" in symbol("balloon corps", "battalion")
    assert "<script" not in symbol("<script>alert(1)</script>", "<b>")


def test_what_anybody_may_ask_for_is_not_all_kept(client: TestClient):
    for number in range(MOST_KEPT + 50):
        symbol(f"kind {number}", "division")
    assert symbol.cache_info().currsize <= MOST_KEPT
    assert client.get("/symbols/infantry/division.svg").status_code == 200
    assert client.get(f"/symbols/{'x' * 100}/division.svg").status_code == 404
