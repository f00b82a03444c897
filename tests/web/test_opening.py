"""What is in sight at first, and what stays in sight while cards take room from the map."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from apennine import games
from apennine.kernel.match import Match

from .conftest import DESK, PHONE, Server
from .hands import Hands
from .rest import at_rest

DEVICES = {"desk": DESK, "phone": PHONE}
READABLE = 40
"""Pixels that a counter is wide, at least."""

# The width of the widest counter, the part of the free board that the map covers, and how many of
# one's own counters are in sight.
_SEEN = """side => {
  const box = one => one.getBoundingClientRect();
  const board = box(document.querySelector('#board'));
  const small = innerWidth < 760;
  const right = small ? board.right : box(document.querySelector('#side')).left;
  const sheet = box(document.querySelector('.world'));
  const wide = Math.min(sheet.right, right) - Math.max(sheet.left, board.left);
  const high = Math.min(sheet.bottom, board.bottom) - Math.max(sheet.top, board.top);
  const faces = [...document.querySelectorAll('.counter-layer .counter .counter-face')].map(box);
  const inside = faces.filter(face => face.left > board.left && face.right < right
    && face.top > board.top && face.bottom < board.bottom);
  return [Math.max(...faces.map(face => face.width)),
    wide * high / ((right - board.left) * board.height), inside.length];
}"""


def press(page: Any, words: str) -> None:
    at_rest(page).locator("#prompt-buttons .order", has_text=words).click()
    at_rest(page)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("key", games.keys())
def test_a_match_opens_on_ones_own_front_near_enough_to_read(
    key: str, device: str, server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match(key, seed="1"), DEVICES[device])
    page.wait_for_selector("#prompt[data-mood=mine]")
    wide, covered, inside = at_rest(page).evaluate(_SEEN)
    assert wide >= READABLE
    assert covered > 2 / 3 or key == "crossing"  # Its map is small, and lies there as a whole.
    assert inside > 0


@pytest.mark.parametrize("device", DEVICES)
def test_who_has_deployed_sees_his_front_whatever_was_told_meanwhile(
    device: str, server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy1944", seed="1"), DEVICES[device])
    page.evaluate("localStorage.setItem('apennine.prefs', JSON.stringify({pace: 'fast'}))")
    page.reload()
    press(page, "Historical deployment")
    page.locator("#prompt-line", has_text="Place your logistic centre").wait_for()
    wide, _, inside = at_rest(page).evaluate(_SEEN)
    assert wide >= READABLE
    assert inside > 5


def test_a_unit_that_was_named_to_be_placed_is_let_go_by_escape(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy1944", seed="1"))
    page.wait_for_selector("#prompt[data-mood=mine]")
    asked = at_rest(page).locator("#prompt-line").inner_text()
    page.locator("#tray .unit-card").first.click()
    at_rest(page).locator("#prompt-line", has_text="Where does").wait_for()
    page.keyboard.press("Escape")
    assert at_rest(page).locator("#prompt-line").inner_text() == asked


def test_on_a_phone_the_hex_that_is_asked_about_stays_in_sight_above_its_card(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy1944", seed="1"), PHONE, reduced_motion="reduce")
    press(page, "Historical deployment")
    at_rest(page).locator(".option").first.press("Enter")
    for words in ("End planning", "No operation", "Leave the centre", "End movement"):
        press(page, words)
    warned = page.locator("dialog.warning-dialog footer .primary")
    if warned.count():
        warned.click()
    hands = Hands(page, seed=1, touch=True)
    target = at_rest(page).locator(".option[data-hex='3021']")
    hands.point(target)
    at_rest(page)
    # The chances and the button are there without scrolling, and the hex is not under them.
    for shown in ("#preview footer .primary", "#preview .chances"):
        assert page.locator(shown).evaluate(
            "it => it.getBoundingClientRect().bottom <= innerHeight"
        )
    board = page.locator("#board").bounding_box()
    hex = target.bounding_box()
    assert board["y"] < hex["y"] + hex["height"] / 2 < board["y"] + board["height"]


def test_in_italy_43_all_adjacent_attack_and_those_to_be_left_out_are_in_sight(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy43", seed="1"), reduced_motion="reduce")
    page.wait_for_selector("#prompt[data-mood=mine]")
    # What most can do is meant by a click, what they could do besides is offered instead.
    hands = Hands(page, seed=1)
    hands.point(at_rest(page).locator(".counter-layer .counter.glows[data-unit='191 Tk']"))
    at_rest(page).locator(".instead .button", has_text="Flee").wait_for()
    assert page.locator("#chooser").is_hidden()
    page.keyboard.press("Escape")
    press(page, "End movement")
    warned = page.locator("dialog.warning-dialog footer .primary")
    if warned.count():
        warned.click()
    hands.point(at_rest(page).locator(".option[data-hex='3625']"))
    at_rest(page).locator("#fight", has_text="Attack with all 2").wait_for()
    page.locator("#preview .chances").wait_for()
    box = at_rest(page).locator("#in-hand").bounding_box()
    assert box["y"] + box["height"] <= DESK["viewport"]["height"]
    page.locator("#fight").click()
    assert at_rest(page).locator("#battle .parties .battle-unit").count() == 3


def test_in_anzio_all_adjacent_attack_the_hex_that_is_lit(
    server: Server, sit_down: Callable[..., Any]
):
    match, random = Match(games.get("anzio"), "basic", seed=1), Random(1)
    while len(match.decision.options) < 2 or {one.verb for one in match.decision.options} != {
        "attack with"
    }:
        match.choose(random.choice(match.decision.options))
    attackers = len(match.decision.options)
    page = sit_down(server.upload(match), reduced_motion="reduce")
    page.locator("#fight", has_text=f"Attack with all {attackers}").wait_for()
    assert at_rest(page).locator(".battle-layer .battle-hex").count() == 1
    page.locator("#fight").click()
    parties = at_rest(page).locator("#battle .parties section")
    assert parties.first.locator(".battle-unit").count() == attackers
    assert parties.last.locator(".battle-unit").count() > 0
