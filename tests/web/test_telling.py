"""The other side's turn as a player is told it: passage by passage, at a pace, and summed up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.server.playing import Player
from tests.waiting import LONGEST, wait_for

from .conftest import DESK, PHONE, Server
from .rest import at_rest

CAPTION = "#caption p"
WAYS = ".trail-way"
MOVES = 3


@pytest.fixture
def told(server: Server, new_page: Callable[..., Any]) -> Callable[..., Any]:
    """A page of The Crossing, the others' turn told as the preferences say; the Allies may move."""

    def sit(pace: str, device: dict[str, Any] = DESK, **more: Any) -> Any:
        page = new_page(device, **more)
        wanted = json.dumps({"pace": pace, "hints": "off"})
        page.add_init_script(f"localStorage.setItem('apennine.prefs', JSON.stringify({wanted}))")
        made = server.match("crossing", ("me", "invite"))
        client = httpx.Client(base_url=server.url, timeout=LONGEST)
        page.german = Player(client, made["id"], made["links"]["German"].partition("#")[2])
        page.german.act()
        page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
        page.wait_for_selector("#prompt[data-mood=mine]")
        return at_rest(page)

    return sit


def hand_over(page: Any) -> None:
    """Nobody is in touch: with the movement the turn is over; then the German moves three units."""
    page.get_by_role("button", name="End movement", exact=True).click()
    wait_for(lambda: not page.german.state()["decision"]["waiting"])
    moved: list[Any] = []

    def pick(menu: list[Any]) -> Any:
        goes = [option for option in menu if option[0] == "go"]
        moves = [option for option in menu if option[0] == "move"]
        if moves and len(moved) < MOVES:
            moved.append(moves[0])
            return moves[0]
        return goes[0] if goes else menu[-1]

    while not page.german.state()["decision"]["waiting"]:
        page.german.act(pick)


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_others_turn_is_told_step_by_step_and_summed_up(
    told: Callable[..., Any], device: dict[str, Any]
):
    page = told("step by step", device)
    hand_over(page)
    steps = 0
    while at_rest(page).locator("#prompt").get_attribute("data-mood") != "mine":
        page.wait_for_selector("#prompt-buttons button:has-text('Next'), #prompt[data-mood=mine]")
        step = page.get_by_role("button", name="Next", exact=True)
        if not step.count():
            continue
        expect(page.locator(CAPTION)).to_contain_text("German: ")
        assert page.locator(".counter.glows").count() == 0, "no order while it is told"
        steps += 1
        step.click()
    card = page.locator("#summary")
    expect(card.locator("h2")).to_contain_text("German: ")
    expect(page.locator(CAPTION)).to_be_hidden()
    assert steps >= MOVES
    # Every move that was told has left its arrow, which stays until the first order.
    assert page.locator(WAYS).count() > 0
    # "What changed" shows from where the others came, too.
    page.keyboard.press("d")
    assert at_rest(page).locator(".changed-layer .trail-way").count() > 0
    assert page.locator(".changed-layer .vacated").count() > 0
    page.keyboard.press("d")
    expect(page.locator(".changed-layer .trail-way")).to_have_count(0)
    card.get_by_text("What happened").click()
    lines = card.locator(".told-line")
    assert lines.count() == steps >= page.locator(WAYS).count()
    at_rest(page).get_by_role("button", name="End movement").click()
    expect(card).to_be_hidden()
    expect(page.locator(WAYS)).to_have_count(0)


@pytest.mark.parametrize(("pace", "most"), [("normal", 15_000), ("fast", 5_000)])
def test_however_much_the_others_do_the_telling_keeps_within_its_time(
    new_page: Callable[..., Any], server: Server, pace: str, most: int
):
    page = new_page()
    page.goto(server.url)
    # A clock that goes on by what was planned alone, and one of a machine half as fast.
    for turn in ("m", "b", "mmb", "m" * 40 + "b" * 10, "mb" * 300):
        for known in (0, 8, 1000):
            for late in (1, 2):
                lengths = page.evaluate(_PACED, [pace, turn, known, late])
                assert sum(lengths) < most / late
                assert all(length == 0 or length >= 30 for length in lengths)
                assert lengths[0] > 0
    # Nothing is cut short that there is time for.
    assert page.evaluate(_PACED, [pace, "mmb", 8, 1])[0] == {"normal": 520, "fast": 200}[pace]


# How long each passage of a turn of moves and battles is shown, with so many known to follow.
_PACED = """async ([pace, turn, known, late]) => {
  const {makePace} = await import('/static/js/pace.js');
  let now = 0;
  const paced = makePace(() => now);
  const passages = [...turn].map(kind => ({battle: kind === 'b'}));
  return passages.map((passage, i) => {
    paced.start();
    const ms = paced.length(pace, passage, passages.slice(i + 1, i + 1 + known));
    now += ms * late;
    paced.stop();
    now += 5000;  // waiting for the other side's next order takes nothing from it
    return ms;
  });
}"""


def test_who_is_in_a_hurry_is_told_the_rest_at_once_and_can_watch_it_again(
    told: Callable[..., Any],
):
    page = told("step by step")
    hand_over(page)
    page.get_by_role("button", name="Next", exact=True).wait_for()
    page.get_by_role("button", name="Hurry").click()
    page.wait_for_selector("#prompt[data-mood=mine]")
    ways = at_rest(page).locator(WAYS).count()
    standing = page.locator(".counter-layer .counter").evaluate_all(_PLACES)
    page.get_by_role("button", name="Watch again").click()
    page.get_by_role("button", name="Next", exact=True).wait_for()
    assert page.locator(WAYS).count() < ways, "the arrows come anew"
    assert page.locator(".counter.glows").count() == 0
    page.get_by_role("button", name="Hurry").click()
    expect(page.locator("#summary")).to_be_visible()
    assert at_rest(page).locator(WAYS).count() == ways
    assert page.locator(".counter-layer .counter").evaluate_all(_PLACES) == standing
    assert page.locator(".counter.glows").count() > 0


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_paced_telling_ends_with_the_same_board_whether_it_glides_or_not(
    told: Callable[..., Any], motion: str
):
    page = told("fast", reduced_motion=motion)
    hand_over(page)
    page.wait_for_selector("#summary:not([hidden])")
    state = page.locator(".counter-layer .counter").evaluate_all(_PLACES)
    page.reload()
    page.wait_for_selector("#prompt[data-mood=mine]")
    again = at_rest(page).locator(".counter-layer .counter").evaluate_all(_PLACES)
    assert sorted(state) == sorted(again)


_PLACES = "all => all.map(one => one.dataset.unit + one.style.transform)"
