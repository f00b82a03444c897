"""How many clicks it takes: stacks are moved and battles fought, and the page counts the clicks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from apennine import games
from apennine.kernel.match import Match

from .conftest import Server
from .hands import FOCUS
from .rest import at_rest

MOST = 50
"""Clicks for a turn of Italy 1944 in which 20 units move one hex and 4 battles have 5 attackers."""

# The free hexes next to a place that can be chosen and clicked.
_NEXT = """place => {
  const at = one => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const hexes = [...document.querySelectorAll('.option:not(.faint)')];
  if (hexes.length === 0) return [];
  const [x, y] = at(document.querySelector(`#hex-${place}`));
  const wide = hexes[0].getBoundingClientRect().width;
  return hexes.map(at).filter(([hx, hy]) => Math.hypot(hx - x, hy - y) < wide * 1.3
    && document.elementFromPoint(hx, hy)?.matches('.option'));
}"""

# The units on top of the stacks that can be ordered, where they stand, and where to click.
_STACKS = """() => [...document.querySelectorAll('.counter-layer .counter.glows:not(.under)')].map(
  one => {
    const box = one.querySelector('.counter-face').getBoundingClientRect();
    const spot = [box.left + box.width / 2, box.top + box.height / 2];
    const place = one.getAttribute('aria-label').match(/ in (\\d{4})/)?.[1];
    return [one.dataset.unit, place, spot, one.contains(document.elementFromPoint(...spot))];
  }).filter(([, place, , seen]) => place && seen)"""


def clicks(page: Any) -> int:
    return page.evaluate("window.witness.clicks")


def press(page: Any, words: str) -> None:
    at_rest(page).locator("#prompt-buttons .order", has_text=words).click()
    at_rest(page)


def click(page: Any, spot: list[float]) -> None:
    page.mouse.click(*spot)
    at_rest(page)


@pytest.fixture
def italy(server: Server, sit_down: Callable[..., Any]) -> Any:
    """The Allies of January 1944, about to move."""
    page = sit_down(server.match("italy1944", seed="1"), reduced_motion="reduce")
    press(page, "Historical deployment")
    at_rest(page).locator(".option").first.press("Enter")
    for words in ("End planning", "No operation", "Leave the centre"):
        press(page, words)
    page.keyboard.press("h")
    return at_rest(page)


def move_a_stack(page: Any, done: set[str]) -> tuple[int, int]:
    """Move some stack one hex: how many units that were, and how many clicks."""
    for unit, place, spot, _ in page.evaluate(_STACKS):
        if unit in done:
            continue
        done.add(unit)
        start = clicks(page)
        click(page, spot)
        units = max(1, page.locator(".in-hand-unit[aria-pressed=true]").count())
        if free := page.evaluate(_NEXT, place):
            click(page, free[0])
            return units, clicks(page) - start
        page.keyboard.press("Escape")
        at_rest(page)
    raise AssertionError("No stack is left that could move one hex.")


def fight(page: Any, hex: str) -> int:
    """Attack a hex with five units; how many clicks that took up to the dice."""
    start = clicks(page)
    click(page, page.locator(f".option[data-hex='{hex}']").evaluate(_MIDDLE))
    for unit in page.locator(".in-hand-unit").all()[5:]:
        unit.click()
        at_rest(page)
    page.locator("#fight", has_text="5").click()
    press(page, "No more support")
    return clicks(page) - start


_MIDDLE = """it => {
  const box = it.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def test_a_turn_of_italy_1944_takes_at_most_fifty_clicks(italy: Any):
    page, moved, spent, done = italy, 0, 0, set[str]()
    while moved < 20:
        units, took = move_a_stack(page, done)
        moved, spent = moved + units, spent + took
    # Back to where they were, for the battles: one undo for each stack.
    for _ in range(spent // 2):
        page.locator("#undo").click()
        at_rest(page)
    start = clicks(page)
    press(page, "End movement")
    warned = page.locator("dialog.warning-dialog footer .primary")
    if warned.count():
        warned.click()
    spent += clicks(page) - start
    # Nobody stands so that five could attack four hexes: the first two, all in and two left out.
    spent += 2 * (fight(page, "3019") + fight(page, "3021"))
    assert spent + 1 <= MOST


def test_the_card_of_a_battle_gives_way_to_the_next(italy: Any):
    page = italy
    press(page, "End movement")
    warned = page.locator("dialog.warning-dialog footer .primary")
    if warned.count():
        warned.click()
        at_rest(page)
    fight(page, "3019")
    steps = page.locator("#battle .fight-steps")
    expect(steps).to_have_count(1)
    click(page, page.locator(".option[data-hex='3021']").evaluate(_MIDDLE))
    expect(steps).to_have_count(0)


def landed() -> Match[Any]:
    """Soft Underbelly when the Allies, who have only landed, may give their first commands."""
    match = Match(games.get("underbelly"), "historical", seed=1)
    while not (match.position.turn == 2 and match.decision.prompt.startswith("Give a command")):
        options = list(match.decision.options)
        ready = [option for option in options if "historical" in option.verb]
        match.choose(ready[0] if ready else options[-1])
    return match


def test_a_stack_of_soft_underbelly_moves_in_two_clicks(
    server: Server, sit_down: Callable[..., Any]
):
    page = sit_down(server.upload(landed()), reduced_motion="reduce")
    # What the alerts and the question say lies beside the map, and over no counter.
    assert page.locator("#alerts p").count() > 0
    page.locator(".option[data-hex='5122']").evaluate(FOCUS)
    assert at_rest(page).evaluate(_COVERED) == []
    start = clicks(page)
    click(page, page.locator(".counter-layer .counter[data-unit='XIII Corps']").evaluate(_MIDDLE))
    names = page.locator(".in-hand-unit[aria-pressed=true]").evaluate_all(_NAMES)
    assert sorted(names) == ["5 Inf", "XIII Corps"]
    click(page, page.evaluate(_NEXT, "5122")[0])
    assert clicks(page) - start == 2
    assert page.locator(".counter-layer .on-the-move").count() == 0
    for name in names:
        unit = page.locator(f".counter-layer .counter[data-unit='{name}']")
        assert "in 5122" not in unit.get_attribute("aria-label")


_NAMES = "all => all.map(one => one.dataset.name)"

# The counters that can be ordered and lie where the map is free, and yet under something else.
_COVERED = """() => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  const [left, top, right, bottom] = [box('.board-tools').right, box('#prompt').bottom,
    Math.min(box('#side').left, innerWidth), box('#board').bottom];
  const asked = '.counter-layer .counter:is(.glows, .in-reach):not(.under)';
  return [...document.querySelectorAll(asked)].filter(one => {
    const face = one.querySelector('.counter-face').getBoundingClientRect();
    const [x, y] = [face.left + face.width / 2, face.top + face.height / 2];
    const free = x > left && y > top && x < right && y < bottom;
    return free && !document.elementFromPoint(x, y)?.closest('.pieces');
  }).map(one => one.dataset.unit);
}"""


def test_a_stack_in_hand_is_let_go_by_escape_by_another_and_by_a_drop_out_of_reach(italy: Any):
    page = italy
    before = page.locator("#log .entry").count()
    (_, _, first, _), (other, _, second, _) = page.evaluate(_STACKS)[:2]
    click(page, first)
    assert page.locator(".counter-layer .on-the-move").count() > 0
    page.keyboard.press("Escape")
    at_rest(page)
    assert page.locator("#log .entry").count() == before
    assert page.locator(".counter-layer .on-the-move").count() == 0
    click(page, first)
    click(page, second)
    if (instead := page.locator("#chooser button", has_text="instead")).count():
        instead.click()
        at_rest(page)
    assert page.locator(f".counter-layer .on-the-move[data-unit='{other}']").count() == 1
    page.keyboard.press("Escape")
    at_rest(page)
    page.mouse.move(*first)
    page.mouse.down()
    page.mouse.move(first[0] + 40, first[1], steps=3)
    page.mouse.move(200, 700, steps=3)
    page.mouse.up()
    at_rest(page)
    assert page.locator("#log .entry").count() == before


def test_a_stack_is_dragged_to_where_it_goes(italy: Any):
    page = italy
    unit, place, spot, _ = next(one for one in page.evaluate(_STACKS) if one[0] == "SSF")
    page.mouse.move(*spot)
    page.mouse.down()
    page.mouse.move(spot[0] + 20, spot[1] + 8, steps=3)
    at_rest(page)
    to = page.evaluate(_NEXT, place)[0]
    page.mouse.move(*to, steps=4)
    page.mouse.up()
    at_rest(page)
    words = page.locator(f".counter-layer .counter[data-unit='{unit}']").get_attribute("aria-label")
    assert f"in {place}" not in words
    assert page.locator(".counter-layer .on-the-move").count() == 0


def test_a_unit_is_left_out_of_the_stack_by_another_click(italy: Any):
    page = italy
    spot = next(one for one in page.evaluate(_STACKS) if one[0] == "SSF")[2]
    click(page, spot)
    page.locator(".in-hand-unit[data-name='US 36']").click()
    at_rest(page)
    assert page.locator(".counter-layer .on-the-move").count() == 2
    page.locator(".in-hand-unit[data-name='US 36']").click()
    at_rest(page)
    assert page.locator(".counter-layer .on-the-move").count() == 3


def test_a_click_never_gives_an_order_that_costs_too_much(
    server: Server, sit_down: Callable[..., Any]
):
    # The units of 15 PG can do nothing in the first turn but flee; those of HG can move or flee.
    match = Match(games.get("italy43"), "volturno", seed="1")
    match.choose(match.decision.options[0])
    orders = {option.verb for option in match.decision.options}
    assert {"move", "flee"} <= orders
    page = sit_down(server.upload(match), reduced_motion="reduce")
    names = {name for name, *_ in page.evaluate(_STACKS)}
    spots = {name: spot for name, _, spot, _ in page.evaluate(_STACKS)}
    able = [one.unit for one in match.decision.options if one.verb == "move"]
    units = match.game.units
    pinned = sorted(name for name in names if units.index(name) not in able)
    before = page.locator("#log .entry").count()
    for unit in pinned[:2]:
        click(page, spots[unit])
        expect(page.locator(".chooser-list button")).to_have_count(1)
        expect(page.locator(".chooser-list button")).to_contain_text("lee")
        page.keyboard.press("Escape")
        at_rest(page)
    assert page.locator("#log .entry").count() == before
    free = sorted(names - set(pinned))[0]
    click(page, spots[free])
    expect(page.locator("#in-hand")).to_contain_text("Flee")
