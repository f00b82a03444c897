"""What the board shows, and what hands can do on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import DESK, PHONE, Server
from .rest import at_rest, saw


@pytest.fixture
def crossing(server: Server, sit_down: Callable[..., Any]) -> Any:
    """The tutorial game at the first move of the Allies."""
    page = sit_down(server.match("crossing", seed="1"))
    page.wait_for_selector(".counter.glows")
    return page


def view_of(page: Any) -> tuple[float, float, float]:
    """Where the map lies: x, y and scale."""
    numbers = page.evaluate("""() => {
      const style = getComputedStyle(document.querySelector('.world'));
      const matrix = new DOMMatrix(style.transform);
      return [matrix.e, matrix.f, matrix.a];
    }""")
    return tuple(numbers)


SCALE = "new DOMMatrix(getComputedStyle(document.querySelector('.world')).transform).a"


def order(page: Any, unit: str, hex: str) -> None:
    at_rest(page).locator(f".counter[data-unit='{unit}']").click()
    at_rest(page).locator(f".option[data-hex='{hex}']").click(force=True)
    at_rest(page).wait_for_selector(".option", state="detached")


def test_the_map_is_dragged_and_zoomed_without_being_drawn_again(crossing: Any):
    page = crossing
    page.evaluate("""() => {
      window.changes = 0;
      const watch = new MutationObserver(list => { window.changes += list.length; });
      watch.observe(document.querySelector('.world'), {childList: true, subtree: true});
    }""")
    x, y, scale = view_of(page)
    page.mouse.move(150, 500)
    page.mouse.down()
    page.mouse.move(250, 540, steps=4)
    page.mouse.up()
    at_rest(page)
    assert view_of(page) == pytest.approx((x + 100, y + 40, scale), abs=1)
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"scale => {SCALE} > scale * 1.1", arg=scale)
    at_rest(page)
    assert page.evaluate("window.changes") == 0
    page.keyboard.press("0")
    at_rest(page)
    assert view_of(page) == pytest.approx((x, y, scale), abs=1)


def test_two_fingers_zoom(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("crossing"), PHONE)
    page.wait_for_selector(".counter.glows")
    before = view_of(page)[2]
    line = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (150, 300), (240, 300))
    for wide in range(0, 60, 10):
        touch("touchMove", (150 - wide, 300), (240 + wide, 300))
    touch("touchEnd")
    page.wait_for_function(f"before => {SCALE} > before * 1.5", arg=before)


def test_a_move_shows_its_path_and_cost_before_it_is_made(crossing: Any):
    page = crossing
    page.locator(".counter[data-unit='6 Arm']").click()
    at_rest(page).locator(".option[data-hex='0305']").hover(force=True)
    page.wait_for_selector(".path")
    assert "point" in page.locator(".cost-tag").text_content()
    assert page.locator("#log .entry").count() == 2


def test_a_hex_out_of_reach_says_why(crossing: Any):
    page = crossing
    page.locator(".counter[data-unit='6 Arm']").click()
    at_rest(page).wait_for_selector(".option")
    spot = page.locator("#hex-0103").evaluate(
        "hex => { const box = hex.getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; }"
    )
    page.mouse.click(*spot)
    saw(page, "toast", "enemy")
    saw(page, "toast", "(rule 4.5)")


def test_orders_under_a_card_are_brought_into_sight(server: Server, sit_down: Callable[..., Any]):
    page = sit_down(server.match("italy1944", guided=True, seed="1"))
    page.get_by_role("button", name="Historical deployment").click()
    page.wait_for_function("() => document.querySelectorAll('.option').length === 3")
    page.wait_for_function("""() => [...document.querySelectorAll('.option')].some(one => {
      const box = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    })""")


def far_from_the_orders(page: Any) -> Any:
    """Looks so closely at the upper edge of the map that no order is in sight; the chip then."""
    for _ in range(7):
        page.keyboard.press("+")
    for _ in range(30):
        page.keyboard.press("ArrowUp")
    at_rest(page)
    chip = page.locator(".beyond-chip[data-edge=bottom]")
    chip.wait_for()
    return chip


ORDERS_IN_SIGHT = """() => [...document.querySelectorAll('.counter.glows')].some(one => {
  const box = one.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return document.elementFromPoint(x, y)?.closest('.counter.glows');
})"""


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_orders_out_of_sight_are_pointed_at_and_shown_on_demand(
    server: Server, sit_down: Callable[..., Any], device: dict[str, Any]
):
    page = sit_down(server.match("crossing", seed="1"), device)
    page.wait_for_selector(".counter.glows")
    page.keyboard.press("0")
    at_rest(page)
    assert page.locator(".beyond-chip").filter(visible=True).count() == 0
    chip = far_from_the_orders(page)
    assert not page.evaluate(ORDERS_IN_SIGHT)
    assert "out of sight, below" in chip.get_attribute("aria-label")
    covered = page.evaluate("""() => [...document.querySelectorAll('.beyond-chip')].filter(chip => {
      const {left, right, top, bottom} = chip.getBoundingClientRect();
      const corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
      const seen = corners.map(([x, y]) => document.elementsFromPoint(x, y)).flat();
      return seen.some(one => one.matches('.card, .prompt, .side, .board-tools, .tray'));
    }).length""")
    assert covered == 0
    if device is PHONE:
        chip.tap()
    else:
        chip.click()
    page.wait_for_function(ORDERS_IN_SIGHT)


def test_orders_out_of_sight_are_shown_by_a_key_and_get_the_focus(crossing: Any):
    page = crossing
    far_from_the_orders(page)
    page.keyboard.press("v")
    page.wait_for_function("() => document.activeElement.matches('.counter.glows')")
    page.wait_for_function(ORDERS_IN_SIGHT)


def test_an_undone_move_is_as_if_it_had_never_been(crossing: Any):
    page = crossing
    place = "el => el.style.transform"
    counter = page.locator(".counter[data-unit='6 Arm']")
    home, entries = counter.evaluate(place), page.locator("#log .entry").count()
    order(page, "6 Arm", "0305")
    assert counter.evaluate(place) != home
    page.get_by_role("button", name="Undo").click()
    at_rest(page)
    assert counter.evaluate(place) == home
    assert page.locator("#log .entry").count() == entries


def test_a_battle_shows_every_modifier_and_the_exact_chances(crossing: Any):
    page = crossing
    for unit in ("6 Arm", "1 Inf"):
        order(page, unit, "0305")
    page.get_by_role("button", name="End movement").click()
    at_rest(page).locator(".option[data-hex='0304']").hover(force=True)
    page.wait_for_selector("#preview .chances")
    card = page.locator("#preview")
    assert "Over the bridge" in card.inner_text()
    exact = card.locator(".exact").all_inner_texts()
    assert sum(int(top) / int(low) for top, low in (one.split("/") for one in exact)) == (
        pytest.approx(1)
    )
    rule = card.locator(".rule-chip").first
    rule.click()
    page.locator(".rule-card h3").wait_for()
    assert len(page.locator(".rule-card p").first.inner_text()) > 20


def test_who_attacks_is_asked_once_and_the_odds_stay_in_sight(crossing: Any):
    page = crossing
    for unit in ("6 Arm", "1 Inf"):
        order(page, unit, "0305")
    assert not page.locator("#battle").is_visible()
    page.get_by_role("button", name="End movement").click()
    at_rest(page).locator(".option[data-hex='0304']").click(force=True)
    page.locator("#fight", has_text="Attack with all 2").wait_for()
    at_rest(page)
    page.locator("#preview h2", has_text="Attack with all 2 at 0304").wait_for()
    assert page.locator(".in-hand-unit[aria-pressed=true]").count() == 2
    # Nobody is shown twice, and nothing is cut off.
    assert not page.locator("#battle").is_visible()
    assert page.locator("#dock").evaluate("it => it.scrollHeight <= it.clientHeight")
    on_top = page.locator(".counter-layer .counter.glows").last
    name = on_top.get_attribute("data-unit")
    on_top.click()
    page.locator("#fight", has_text="Attack with 1 of 2").wait_for()
    assert page.locator(f".in-hand-unit[data-name='{name}']").get_attribute("aria-pressed") == (
        "false"
    )


def test_where_dice_fall_at_once_the_first_click_shows_their_chances(crossing: Any):
    page = crossing
    order(page, "4 Inf", "0705")
    page.get_by_role("button", name="End movement").click()
    before = at_rest(page).locator("#log").get_attribute("data-end")
    page.locator(".option[data-hex='0704']").click(force=True)
    card = at_rest(page).locator("#preview")
    assert card.locator(".chances").is_visible()
    card.get_by_role("button", name="Not yet").click()
    assert at_rest(page).locator("#log").get_attribute("data-end") == before
    # A button that means the same asks in the same way.
    page.locator("#prompt-buttons .order", has_text="Attack 0704").click()
    at_rest(page)
    assert page.locator("#log").get_attribute("data-end") == before
    card.get_by_role("button", name="Attack 0704").click()
    page.locator("#battle .read-result").wait_for()


def test_a_name_under_a_counter_is_written_once_where_it_can_be_read(crossing: Any):
    page = crossing
    assert page.locator(".name-layer text", has_text="Monteverde").count() == 1
    expect(page.locator("#layer-names .label", has_text="Monteverde")).to_be_hidden()
    # Nobody stands there, and nobody's counter reaches it.
    assert page.locator(".name-layer text", has_text="Borgo").count() == 0
    expect(page.locator("#layer-names .label", has_text="Borgo")).to_be_visible()


def test_counters_in_a_hex_that_can_be_chosen_glow_with_it(crossing: Any):
    page = crossing
    for unit in ("6 Arm", "1 Inf"):
        order(page, unit, "0305")
    page.get_by_role("button", name="End movement").click()
    at_rest(page).wait_for_selector(".option[data-hex='0304']")
    there = page.locator(".counter-layer .counter.in-reach")
    assert there.count() > 0
    there.last.click()
    page.locator("#preview h2", has_text="Attack with all 2 at 0304").wait_for()


def test_a_stack_fans_out_by_a_key_and_folds_when_the_pointer_leaves(crossing: Any):
    page = crossing
    for unit in ("6 Arm", "1 Inf"):
        order(page, unit, "0305")
    page.mouse.move(10, 300)
    page.locator(".counter[data-unit='6 Arm']").hover()
    at_rest(page)
    assert page.locator(".fan").count() == 0
    page.keyboard.press("f")
    page.wait_for_selector(".fan")
    assert page.locator(".fan .counter").count() == 2
    page.mouse.move(10, 300)
    page.wait_for_selector(".fan", state="detached")


def test_a_finger_aims_first_and_orders_with_the_second_tap(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.match("crossing"), PHONE)
    page.locator(".counter.glows[data-unit='6 Arm']").tap()
    page.wait_for_selector(".option")
    at_rest(page)
    entries = page.locator("#log .entry").count()
    hex = page.locator(".option[data-hex='0407']")
    hex.tap(force=True)
    page.wait_for_selector("#preview footer")
    at_rest(page)
    assert page.locator("#log .entry").count() == entries
    page.locator("#preview footer .primary").tap()
    page.wait_for_selector(".option", state="detached")


def test_overlays_lie_over_the_map(crossing: Any):
    page = crossing
    page.keyboard.press("o")
    page.get_by_role("button", name="zone, German").click()
    page.wait_for_selector(".area.side-1")
    page.get_by_role("button", name="zone, German").click()
    page.wait_for_selector(".area", state="detached")


def test_the_replay_goes_to_any_moment_and_back(crossing: Any):
    page = crossing
    order(page, "6 Arm", "0305")
    now = page.locator(".counter[data-unit='6 Arm']").evaluate("el => el.style.transform")
    page.keyboard.press("r")
    page.wait_for_selector("#replay:not([hidden])")
    page.get_by_role("button", name="To the beginning").click()
    page.wait_for_function("() => document.querySelectorAll('#log .entry').length === 0")
    then = page.locator(".counter[data-unit='6 Arm']").evaluate("el => el.style.transform")
    assert then != now
    assert at_rest(page).locator(".option, .counter.glows").count() == 0
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function("() => document.querySelectorAll('#log .entry').length > 2")
    page.keyboard.press("Escape")
    page.wait_for_selector("#replay", state="hidden")
    assert page.locator(".counter.glows").count() > 0


def test_two_players_see_each_other_move_and_talk(
    server: Server, sit_down: Callable[..., Any], new_page: Callable[..., Any]
):
    made = server.match("crossing", ("invite", "me"))
    german, allied = sit_down(made), new_page()
    allied.goto(server.url + made["links"]["Allied"])
    at_rest(allied)
    assert "#" not in allied.url
    at_rest(german).locator(".option").first.click(force=True)
    allied.wait_for_selector(".counter.glows")
    assert "secret" in allied.locator("#log").inner_text()
    at_rest(allied).locator(".counter.glows").first.click()
    german.wait_for_function("() => document.querySelectorAll('#log .entry').length >= 2")
    allied.locator("#tab-chat").click()
    allied.locator("#chat-text").fill("<img src=x onerror=alert(1)> & good luck")
    allied.keyboard.press("Enter")
    german.locator("#tab-chat").click()
    line = german.locator("#chat-lines li")
    line.wait_for()
    assert "<img src=x onerror=alert(1)> & good luck" in line.inner_text()
    assert german.locator("#chat-lines img").count() == 0


def test_a_save_is_downloaded_and_opened_as_a_new_match(
    server: Server, crossing: Any, tmp_path: Path
):
    page = crossing
    order(page, "6 Arm", "0305")
    page.keyboard.press("m")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download a save").click()
    file = tmp_path / "match.save"
    download.value.save_as(file)
    assert json.loads(file.read_text("utf-8").splitlines()[0])["game"] == "crossing"
    page.goto(server.url)
    page.wait_for_selector(".match-row.your-turn")
    page.locator("#upload").set_input_files(file)
    page.locator("dialog select").select_option(index=1)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**/match/*")
    at_rest(page)
    assert "Go 6 Arm to 0305" in page.locator("#log").inner_text()


def test_a_link_that_leads_nowhere_says_so(server: Server, new_page: Callable[..., Any]):
    page = new_page()
    page.goto(f"{server.url}/match/nothing#here")
    page.wait_for_selector("#offline:not([hidden])")
    assert "match" in page.locator("#offline").inner_text().lower()
