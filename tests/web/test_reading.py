"""What a player reads: the battle that was fought, the log, how he stands, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from apennine import games
from apennine.bots import make_bot
from apennine.kernel.decision import Choice
from apennine.kernel.match import Match

from .conftest import DESK, PHONE, Server
from .rest import at_rest

Seats = Callable[..., Any]


def played(until: Callable[[Match[Any]], bool]) -> Match[Any]:
    """A match of The Crossing at random, the side that fights among the options preferred."""
    match, random = Match(games.get("crossing"), seed=31), Random(31)
    while not until(match):
        assert isinstance(match.decision, Choice)
        options = list(match.decision.options)
        fights = ("attack", "attack with", "fight")
        attacks = [option for option in options if option.verb in fights]
        match.choose(random.choice(attacks or options))
    return match


def may_fight(match: Match[Any]) -> bool:
    return isinstance(match.decision, Choice) and any(
        option.verb == "fight" for option in match.decision.options
    )


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_a_battle_lights_its_column_lands_its_die_and_stays_until_put_away(
    server: Server, sit_down: Seats, device: dict[str, Any]
):
    match = played(may_fight)
    page = sit_down(server.upload(match), device)
    page.locator("#prompt-buttons [data-verb=fight]").click()
    card = page.locator("#battle")
    result = card.locator(".read-result")
    expect(result).to_have_text(re.compile(r"^\d/\d( R\d)?: .+ loses .+, .+ loses .+"))
    lit = card.locator("thead .lit").inner_text()
    landed = card.locator(".landed")
    assert landed.count() == 1
    assert landed.locator(".lit").inner_text() == result.inner_text().partition(":")[0]
    column = card.locator(".odds strong").inner_text()
    assert column == lit
    # The charts light the same column, and only that one.
    at_rest(page).keyboard.press("t")
    heads = page.locator("dialog.charts-dialog thead .lit")
    expect(heads).to_have_text([column])
    page.keyboard.press("Escape")
    at_rest(page).get_by_role("button", name="Put the battle away").click()
    expect(card.locator(".result")).to_have_count(0)


def test_the_log_can_be_sifted_searched_and_seen_as_it_was(server: Server, sit_down: Seats):
    match = played(lambda match: match.outcome is not None)
    page = sit_down(server.upload(match))
    page.locator("dialog.end-dialog").wait_for()
    page.keyboard.press("Escape")
    lines = page.locator("#log .passage")
    everything = at_rest(page).locator("#log .passage").count()
    page.locator("#log-filter").select_option("battles")
    battles = page.locator("#log .passage.battle").count()
    assert 0 < battles == lines.count() < everything
    words = lines.first.locator(".words").first.inner_text()
    page.locator("#log-search").fill(words[:24])
    assert 0 < lines.count() <= battles
    for line in lines.all():
        expect(line).to_contain_text(words[:24])
    if lines.first.locator("details:not([open])").count():
        lines.first.locator("summary").click()
    expect(lines.first.locator(".lit-table")).to_be_visible()
    lines.first.get_by_role("button", name="See the moment").click()
    slider = page.locator("#replay-slider")
    expect(slider).to_be_visible()
    assert int(at_rest(page).locator("#replay-slider").input_value()) < len(match.log)


def test_the_end_tells_why_what_it_cost_and_how_the_dice_fell_and_can_be_tried_again(
    server: Server, sit_down: Seats
):
    match = played(lambda match: match.outcome is not None)
    page = sit_down(server.upload(match))
    end = page.locator("dialog.end-dialog")
    assert match.outcome is not None
    expect(end).to_contain_text(match.outcome.reason)
    expect(end).to_contain_text(re.compile(r"Steps lost: Allied \d+, German \d+"))
    assert end.locator(".graph").count() == 2
    expect(end.locator(".luck li").first).to_contain_text(re.compile(r"(Allied|German), \d/\d"))
    assert end.get_by_role("button", name="Write report").count() == 1
    turns = end.locator("option").count()
    assert turns > 2
    end.locator("select").select_option(index=1)
    end.get_by_role("button", name="Try again").click()
    expect(end).to_have_count(0)
    expect(page.locator("#prompt")).to_have_attribute("data-mood", "mine")


def test_a_rematch_is_a_new_match_with_the_same_seats(server: Server, sit_down: Seats):
    page = sit_down(server.upload(played(lambda match: match.outcome is not None)))
    before = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda address: address.partition("#")[0] != before.partition("#")[0])
    page.wait_for_selector("#prompt[data-mood=mine]")
    assert at_rest(page).locator("#log .passage").count() < 3


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_standing_is_in_sight_and_opens_the_graph_by_turn(
    server: Server, sit_down: Seats, device: dict[str, Any]
):
    page = sit_down(server.match("italy1944", ("me", "me")), device)
    strip = page.locator("#strip")
    expect(strip).to_contain_text(re.compile(r"Allied\s*\d+.*German\s*\d+", re.DOTALL))
    strip.click()
    panel = page.locator("#standing-panel")
    expect(panel).to_contain_text("The Allies must lead by 40")
    expect(panel).to_contain_text("of the 110 that win")


def test_who_defends_is_told_what_a_result_costs_whom(server: Server, sit_down: Seats):
    game = games.get("italy1944")
    match, bots = Match(game, seed=1), [make_bot("staff", side, game) for side in (0, 1)]
    while not asked_to_defend(match):
        match.choose(bots[match.decision.side](match.seat()))
    attacker, defender = game.sides[1 - match.decision.side], game.sides[match.decision.side]
    page = sit_down(server.upload(match), reduced_motion="reduce")
    for line in page.locator("#preview .chances tbody th").all():
        attack, defence = re.findall(r"\d+", line.evaluate("line => line.firstChild.textContent"))
        expect(line.locator(".meaning")).to_have_text(
            f"{attacker} \u2212{attack}, {defender} \u2212{defence}"
        )
    expect(page.locator("#preview .meaning").first).to_be_visible()


def asked_to_defend(match: Match[Any]) -> bool:
    assert isinstance(match.decision, Choice)
    battle = match.view(match.decision.side)["battle"]
    return bool(battle) and battle["attacker"] != match.game.sides[match.decision.side]
