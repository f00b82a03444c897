"""What a player reads and looks back at: rules, order of battle, replay, report; sound, notice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from apennine.games import get

from .conftest import DESK, PHONE, Server
from .rest import at_rest
from .test_access import faults

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


def play_on(server: Server, made: Any, orders: int) -> None:
    """Give so many orders, the last one of each menu, as another program would."""
    at = f"{server.url}/api/matches/{made['id']}"
    headers = {"Authorization": f"Bearer {made['token']}", "Content-Type": "application/json"}
    for _ in range(orders):
        with urlopen(Request(f"{at}/state", headers=headers)) as answer:
            state = json.load(answer)
        wanted = {"at": state["at"], "option": state["decision"]["options"][-1][:4]}
        urlopen(Request(f"{at}/act", json.dumps(wanted).encode(), headers)).close()


def open_from(page: Any, device: dict[str, Any], name: str) -> None:
    """By the button of the top bar; on a phone by the menu."""
    if device is PHONE:
        page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name=name, exact=True).last.click()


@DEVICES
def test_the_rulebook_has_every_rule_and_finds_them(
    device: dict[str, Any], server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy1944", ("me", "me")), device)
    open_from(page, device, "Rulebook")
    page.wait_for_selector(".book-dialog")
    ledger = get("italy1944").ledger
    rules = page.locator(".book-rules li")
    assert [rule.get_attribute("data-rule") for rule in rules.all()] == [row.id for row in ledger]
    assert faults(page) == []
    page.locator("#book-filter").fill("8.3b")
    expect(page.locator(".book-rules li:visible")).to_have_count(
        sum("8.3b" in f"{row.id} {row.obligation}" for row in ledger)
    )
    page.locator("#book-filter").fill("no such words as these")
    expect(page.locator(".book-text [role=status]")).to_have_text(f"0 of {len(ledger)} rules")
    assert page.locator(".book-charts details").count() == len(get("italy1944").charts)


def test_rules_that_are_numbered_with_letters_have_their_chapters(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("anzio", ("me", "me")))
    open_from(page, DESK, "Rulebook")
    page.wait_for_selector(".book-dialog")
    chapters = page.locator(".book-chapter").evaluate_all(
        "all => all.map(one => one.dataset.chapter)"
    )
    assert {"B4", "C12", "D3", "E15"} <= set(chapters)
    assert len(chapters) == len(set(chapters))


def test_a_rules_chip_leads_into_the_rulebook(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing", seed="1"))
    chip = page.locator("#prompt .rule-chip").first
    number = chip.inner_text()
    chip.click()
    page.get_by_role("button", name="In the rulebook").click()
    page.wait_for_selector(".book-dialog")
    expect(page.locator(".book-rules .meant")).to_have_attribute("data-rule", number)
    expect(page.locator(".book-rules .meant")).to_be_in_viewport()


@DEVICES
def test_the_order_of_battle_shows_who_comes_and_goes_and_who_is_away(
    device: dict[str, Any], server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("italy1944", ("me", "me")), device)
    open_from(page, device, "Order of battle")
    page.wait_for_selector(".oob-dialog")
    march = page.locator(".oob tbody tr", has=page.get_by_role("rowheader", name="March"))
    goes = march.locator("td").nth(1)
    assert "Rangers" in goes.inner_text()
    assert goes.locator(".counter-picture").count() == 3
    assert page.locator(".oob-dialog section.side-1 details").count() > 0
    assert faults(page) == []


@DEVICES
def test_the_replay_has_chapters_and_goes_to_them(
    device: dict[str, Any], server: Server, sit_down: Callable[..., Any]
):
    made = server.match("crossing", ("me", "me"), seed="1")
    play_on(server, made, 2)
    page = sit_down(made, device)
    open_from(page, device, "Replay")
    at_rest(page).wait_for_selector("#replay:not([hidden])")
    expect(page.locator(".replay-chapter").first).to_have_attribute("title", "1: Allied")
    assert faults(page) == []
    # As wide as the bar, which is as wide as the board.
    bar, slider = (page.locator(at).bounding_box() for at in ("#replay", "#replay-slider"))
    assert bar
    assert slider
    assert slider["width"] > 0.9 * bar["width"]
    page.evaluate("document.querySelector('.replay-chapter').click()")
    at_rest(page)
    assert page.locator("#replay-slider").input_value() == "0"
    page.locator("#replay select").first.select_option("Allied")
    at_rest(page)
    expect(page.locator("#replay select").first).to_have_value("Allied")
    # The slider has the focus, and yet the keys of the page are heard.
    page.locator("#replay-slider").focus()
    page.keyboard.press(".")
    expect(page.locator("#replay-slider")).to_have_value("1")
    page.keyboard.press("r")
    expect(page.locator("#replay")).to_be_hidden()


def test_a_match_can_be_tried_again_from_a_moment_and_stays_as_it_is(
    server: Server, sit_down: Callable[..., Any]
):
    made = server.match("crossing", ("me", "me"), seed="1")
    first = sit_down(made).locator("#prompt-line").inner_text()
    play_on(server, made, 2)
    page = sit_down(made)
    before = page.locator("#prompt-line").inner_text()
    assert before != first
    page.keyboard.press("r")
    at_rest(page).wait_for_selector("#replay:not([hidden])")
    page.evaluate("document.querySelector('.replay-chapter').click()")
    at_rest(page)
    page.get_by_role("button", name="Try from here …").click()
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url(lambda address: "/match/" in address and made["id"] not in address)
    at_rest(page)
    expect(page.locator("#prompt-line")).to_have_text(first, use_inner_text=True)
    page.goto(f"{server.url}/match/{made['id']}")
    assert at_rest(page).locator("#prompt-line").inner_text() == before


def test_a_report_is_written_from_the_menu(
    server: Server, sit_down: Callable[..., Any], tmp_path: Path
):
    page = sit_down(server.match("crossing", ("me", "me"), seed="1"))
    page.keyboard.press("m")
    with page.expect_download() as download:
        page.get_by_role("button", name="Write a report").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    assert "After-action report" in file.read_text("utf-8")


HEARD = """
window.sounded = [];
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.sounded.push(this.constructor.name);
  return start.apply(this, when);
};
"""
AWAY = """
window.notes = [];
window.Notification = class { static permission = 'granted';
  constructor(title) { window.notes.push(title); } };
Object.defineProperty(document, 'hidden', {get: () => Boolean(window.away)});
"""


@pytest.mark.parametrize("sound", ["on", "off"])
def test_the_browser_sounds_when_it_is_asked_to(
    sound: str, server: Server, new_page: Callable[..., Any]
):
    page = new_page()
    wanted = json.dumps({"sound": sound, "pace": "at once"})
    page.add_init_script(f"localStorage.setItem('apennine.prefs', JSON.stringify({wanted}))")
    page.add_init_script(HEARD)
    made = server.match("crossing", seed="1")
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    page.wait_for_selector("#prompt[data-mood=mine]")
    at_rest(page)
    page.get_by_role("button", name="End movement", exact=True).click()
    page.wait_for_function("() => /turn 2/i.test(document.querySelector('#phase').textContent)")
    page.wait_for_selector("#prompt[data-mood=mine]")
    at_rest(page)
    tones = page.evaluate("window.sounded.filter(name => name === 'OscillatorNode').length")
    assert tones >= 2 if sound == "on" else tones == 0


def test_who_looks_elsewhere_is_told_by_the_title_and_on_the_desktop(
    server: Server, new_page: Callable[..., Any]
):
    page = new_page()
    wanted = json.dumps({"notice": "desktop", "pace": "at once"})
    page.add_init_script(f"localStorage.setItem('apennine.prefs', JSON.stringify({wanted}))")
    page.add_init_script(AWAY)
    made = server.match("crossing", seed="1")
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    page.wait_for_selector("#prompt[data-mood=mine]")
    at_rest(page)
    page.evaluate("window.away = true")
    page.get_by_role("button", name="End movement", exact=True).click()
    page.wait_for_function("() => document.title.startsWith('● Allied to act')")
    assert page.evaluate("window.notes") == ["The Crossing: Allied to act"]
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.title() == "The Crossing · Apennine"
