"""Nobody is shut out: axe-core finds no serious fault, and the keyboard does everything."""

# Playwright leaves some of its types out.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.waiting import wait_for

from .conftest import DESK, PHONE, Server
from .rest import at_rest


def faults(page: Any, within: str = "") -> list[str]:
    """What axe-core calls serious or critical, with the elements; on the page or in a part of it.

    The drawing of the map is left out: to axe it is one picture with a thousand parts.
    """
    from axe_playwright_python.sync_playwright import Axe

    part = {"include": [[within]]} if within else {"exclude": [[".sheet"]]}
    found = Axe().run(at_rest(page), part).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:120]}: {node['failureSummary'][:300]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("device", "theme"), [(DESK, "light"), (PHONE, "dark")])
def test_the_lobby_has_no_serious_fault(
    device: dict[str, Any], theme: str, server: Server, new_page: Callable[..., Any]
):
    page = new_page(device, theme)
    page.goto(server.url)
    assert faults(page) == []
    page.locator(".game .more").first.click()
    assert faults(page) == []


@pytest.mark.parametrize("theme", ["dark", "contrast"])
def test_every_theme_can_be_read(theme: str, server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing", guided=True))
    page.evaluate("theme => localStorage.setItem('apennine.prefs', JSON.stringify({theme}))", theme)
    page.reload()
    at_rest(page).wait_for_selector("#prompt[data-mood=mine]")
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert faults(page) == []
    page.keyboard.press("m")
    assert faults(page) == []


@pytest.mark.parametrize(("device", "theme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_match_has_no_serious_fault_on_any_panel(
    device: dict[str, Any], theme: str, server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("crossing", guided=True), device, theme)
    page.wait_for_selector("#prompt[data-mood=mine]")
    page.locator(".counter.glows").first.focus()
    assert faults(page) == []
    page.locator("#hint .primary").click()
    for panel in ("orders", "units", "situation", "chat"):
        page.locator(f"#tab-{panel}").click()
        assert faults(page) == [], panel
    page.keyboard.press("Escape")
    for key in ("o", "?", "m", "t"):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        assert faults(page) == [], key
        page.keyboard.press("Escape")


def test_a_game_is_played_with_the_keyboard_alone(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing"))
    page.wait_for_selector("#prompt[data-mood=mine]")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    unit = page.evaluate("document.activeElement.dataset.unit")
    assert unit
    assert "attack" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    at_rest(page).wait_for_selector(".option")
    assert unit in page.locator("#prompt-line").inner_text()
    page.keyboard.press("n")
    page.wait_for_selector("#preview:not([hidden])")
    assert "point" in page.locator("#preview").inner_text()
    page.keyboard.press("Enter")
    at_rest(page)
    assert page.locator("#log .entry").count() >= 3
    assert page.evaluate("document.activeElement.matches('.counter.glows')")
    page.keyboard.press("u")
    at_rest(page)
    entries = page.locator("#log .entry").count()
    page.keyboard.press("1")
    at_rest(page)
    assert page.locator("#log .entry").count() > entries


def test_a_dialog_keeps_the_focus_and_the_page_behind_it_out_of_reach(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("crossing"))
    page.wait_for_selector("#prompt[data-mood=mine]")
    page.locator("#menu-button").focus()
    page.keyboard.press("m")
    page.wait_for_selector("dialog.menu-dialog[open]")
    page.get_by_role("button", name="Resign …").click()
    top = page.locator("dialog[open]").last
    expect(top.locator("h2")).to_have_text("Resign?")
    inside = "dialog => dialog.contains(document.activeElement)"
    for key in ["Tab"] * 6 + ["Shift+Tab"] * 6:
        page.keyboard.press(key)
        assert top.evaluate(inside), key
    page.evaluate("document.querySelector('.counter.glows').focus()")
    assert top.evaluate(inside)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "menu-button"
    page.keyboard.press("m")
    x, y = page.locator(".counter.glows").first.evaluate(
        "one => { const box = one.getBoundingClientRect(); return [box.x + 9, box.y + 9]; }"
    )
    page.mouse.click(x, y)
    expect(page.locator("dialog")).to_have_count(0)
    assert page.locator(".counter.picked").count() == 0


def test_a_dialog_opens_and_closes_without_styling_the_map_anew(
    browser: Any, server: Server, sit_down: Callable[..., Any]
):
    """As a modal dialog of the browser's own would: it makes every part of the page inert."""
    page = sit_down(server.match("crossing"), reduced_motion="reduce")
    page.wait_for_selector("#prompt[data-mood=mine]")
    page.keyboard.press("Escape")
    at_rest(page)
    events: list[dict[str, Any]] = []
    complete: list[Any] = []
    line = browser.new_browser_cdp_session()
    line.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    line.on("Tracing.tracingComplete", lambda told: complete.append(told))
    wanted = {"includedCategories": ["blink", "devtools.timeline"]}
    line.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": wanted})
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    line.send("Tracing.end")
    # Any question to the page lets what the browser has to tell come in.
    wait_for(lambda: page.title() and complete)
    counters = [event.get("args", {}).get("counters", {}) for event in events]
    styled = [counted["elementsStyled"] for counted in counters if "elementsStyled" in counted]
    assert sum(styled) > 0
    assert sum(styled) < page.evaluate("document.querySelectorAll('.world *').length") / 2


def test_what_happens_is_said_to_those_who_do_not_see(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing"))
    page.wait_for_selector("#prompt[data-mood=mine]")
    said = page.locator("[aria-live]")
    said.filter(has_text="Move a unit").wait_for(state="attached")
    page.locator(".counter.glows").first.click()
    said.filter(has_text="Where does").wait_for(state="attached")


def test_less_motion_stands_still(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing"), reduced_motion="reduce")
    page.wait_for_selector(".counter.glows")
    lengths = page.evaluate(
        "() => document.getAnimations().map(a => a.effect.getComputedTiming().duration)"
    )
    assert all(length < 1 for length in lengths)
