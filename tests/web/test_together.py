"""Several people at one table: who asks, who answers, who joins, who only watches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import expect

from apennine import games
from apennine.kernel.decision import Choice
from apennine.kernel.game import EVERYBODY
from apennine.kernel.match import Match
from apennine.kernel.save import dump

from .conftest import Server
from .rest import at_rest, saw

Seats = Callable[..., Any]

ENTRIES = "#log .entry"


def two_at_the_table(server: Server, sit_down: Seats, **more: object) -> tuple[Any, Any]:
    """The Allied and the German player; the charge is laid, and the Allies move."""
    made = server.match("crossing", ("me", "invite"), **more)
    allied = sit_down(made)
    german = sit_down({"id": made["id"], "token": made["links"]["German"].partition("#")[2]})
    at_rest(german).locator(".option").first.click(force=True)
    allied.wait_for_selector(".counter.glows")
    return at_rest(allied), at_rest(german)


def move(page: Any, unit: str, hex: str) -> None:
    at_rest(page).locator(f".counter[data-unit='{unit}']").click()
    at_rest(page).locator(f".option[data-hex='{hex}']").click(force=True)
    at_rest(page).wait_for_selector(".option", state="detached")


def ask_to_go_back(page: Any, to: int) -> None:
    """By the replay, as the guide says."""
    at_rest(page).keyboard.press("r")
    slider = page.locator("#replay-slider")
    slider.wait_for()
    back = page.get_by_role("button", name="Go back to here")
    expect(back).to_be_hidden()
    slider.fill(str(to))
    back.click()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_going_back_needs_the_other_players_word(server: Server, sit_down: Seats):
    allied, german = two_at_the_table(server, sit_down)
    move(allied, "6 Arm", "0305")
    moved = allied.locator(ENTRIES).count()
    expect(german.locator(ENTRIES)).to_have_count(moved)

    ask_to_go_back(allied, to=1)
    press(allied, "Ask to go back")
    expect(allied.locator("#rollback-note")).to_contain_text("Waiting for the answer")
    question = german.locator("dialog.rollback-dialog")
    expect(question).to_contain_text("Allied asks to go back to the moment before")
    press(german, "Refuse")
    saw(allied, "toast", "The answer is no")
    expect(allied.locator("#rollback-note")).to_be_hidden()
    expect(allied.locator(ENTRIES)).to_have_count(moved)

    # Who looks at the replay is asked all the same; who asks may think better of it.
    at_rest(german).keyboard.press("r")
    german.locator("#replay-slider").wait_for()
    ask_to_go_back(allied, to=0)
    press(allied, "Ask to go back")
    question.wait_for()
    press(allied, "Withdraw")
    expect(german.locator("dialog")).to_have_count(0)
    expect(german.locator("#rollback-note")).to_be_hidden()
    german.keyboard.press("Escape")

    ask_to_go_back(allied, to=1)
    press(allied, "Ask to go back")
    expect(allied.locator("#rollback-note")).to_contain_text("Waiting for the answer")
    press(german, "Agree")
    saw(allied, "toast", "The match has gone back.")
    for page in (allied, german):
        expect(page.locator(ENTRIES)).to_have_count(1)
    expect(allied.locator(".counter.glows[data-unit='6 Arm']")).to_be_visible()


def test_who_resigns_has_lost_and_both_are_told(server: Server, sit_down: Seats):
    allied, german = two_at_the_table(server, sit_down)
    german.keyboard.press("m")
    press(german, "Resign …")
    press(german, "Play on")
    expect(german.locator("dialog")).to_have_count(0)
    assert allied.locator("#prompt").get_attribute("data-mood") == "mine"
    german.keyboard.press("m")
    press(german, "Resign …")
    press(german, "Resign")
    for page, verdict in ((german, "You have lost."), (allied, "You have won.")):
        end = page.locator("dialog.end-dialog")
        expect(end.locator("h2")).to_have_text("Allied victory")
        expect(end).to_contain_text(f"{verdict} German resigns.")
        expect(end).to_contain_text(re.compile(r"Seed\s+[0-9a-f]{16}"))
    assert allied.locator(".counter.glows").count() == 0


def test_a_stranger_sits_down_at_an_open_seat(
    server: Server, sit_down: Seats, new_page: Callable[..., Any]
):
    made = server.match("crossing", ("me", "open"), name="Ann")
    allied, stranger = sit_down(made), new_page()
    expect(allied.locator("#prompt-line")).to_contain_text("has not arrived yet: German")
    stranger.goto(server.url)
    row = stranger.locator("#open .match-row", has_text="Allied: Ann").filter(
        has=stranger.get_by_role("button", name="Play German")
    )
    row.get_by_role("button", name="Play German").click()
    stranger.wait_for_selector("#prompt[data-mood=mine]")
    at_rest(stranger)
    expect(allied.locator("#prompt-line")).not_to_contain_text("has not arrived yet")
    expect(allied.locator("#seats")).to_contain_text("●")
    stranger.locator(".option").first.click(force=True)
    allied.wait_for_selector("#prompt[data-mood=mine]")
    stranger.goto(server.url)
    expect(stranger.locator("#mine .match-row")).to_contain_text("German: you")
    at_rest(stranger)
    assert row.count() == 0


def test_who_has_the_link_to_watch_sees_all_and_can_do_nothing(
    server: Server, sit_down: Seats, new_page: Callable[..., Any]
):
    made = server.match("crossing", seed="1")
    allied = sit_down(made)
    allied.wait_for_selector(".counter.glows")
    watcher = new_page()
    watcher.goto(server.url + made["watch"])
    at_rest(watcher)
    move(allied, "6 Arm", "0305")
    expect(watcher.locator("#log")).to_contain_text("Go 6 Arm to 0305")
    at_rest(watcher).locator(".counter[data-unit='1 Inf']").click()
    assert at_rest(watcher).locator(".option, .counter.glows, #prompt-buttons button").count() == 0
    expect(watcher.locator("#watching")).to_contain_text("You are watching")
    expect(allied.locator("#watching")).to_be_hidden()
    watcher.locator("#tab-chat").click()
    expect(watcher.locator("#chat-form")).to_be_hidden()
    watcher.keyboard.press("m")
    menu = watcher.locator("dialog.menu-dialog")
    assert "Resign" not in menu.inner_text()


def test_a_look_through_the_link_to_watch_does_not_cost_the_seat(server: Server, sit_down: Seats):
    made = server.match("crossing", seed="1")
    page = sit_down(made)
    page.wait_for_selector("#prompt[data-mood=mine]")
    page.goto("about:blank")
    page.goto(server.url + made["watch"])
    at_rest(page)
    for _ in range(2):
        assert page.locator("#prompt").get_attribute("data-mood") == "waiting"
        page.reload()
        at_rest(page)
    page.goto(server.url)
    page.locator(".match-row.your-turn a").click()
    page.wait_for_selector("#prompt[data-mood=mine]")


def test_dice_thrown_by_hand_are_told_to_the_referee(server: Server, sit_down: Seats):
    page = sit_down(server.match("crossing", ("me", "me"), dice="hand"))
    page.locator(".option").first.click(force=True)
    page.wait_for_selector(".counter.glows")
    for unit in ("6 Arm", "1 Inf"):
        move(page, unit, "0305")
    press(page, "End movement")
    at_rest(page).locator(".option[data-hex='0304']").click(force=True)
    press(page, "Attack with all 2")
    page.wait_for_selector(".dice-form")
    expect(page.locator("#prompt-line")).to_contain_text("Roll for")
    entries = page.locator(ENTRIES).count()
    tell = page.locator(".dice-form button")
    tell.click()
    assert page.locator(ENTRIES).count() == entries
    for die in page.locator(".dice-form select").all():
        die.select_option("5")
    tell.click()
    expect(page.locator(".dice-form")).to_have_count(0)
    expect(page.locator("#battle .landed")).to_have_count(1)
    assert "die 5" in page.locator("#log").inner_text()
    page.keyboard.press("s")
    assert "hash" not in page.locator("#situation").inner_text()


def nearly_won() -> str:
    """A save of The Crossing in which the Allies hold two of the three towns."""
    match, random = Match(games.get("crossing"), seed=31), Random(31)
    while not match.view(EVERYBODY)["warnings"]:
        assert isinstance(match.decision, Choice)
        match.choose(random.choice(match.decision.options))
    return dump(match)


def test_an_alert_tells_that_a_sudden_victory_is_near(server: Server, sit_down: Seats):
    with urlopen(Request(f"{server.url}/api/saves", nearly_won().encode())) as answer:
        page = sit_down(json.load(answer))
    alert = page.locator("#alerts p")
    expect(alert).to_contain_text("With one more town the Allies win at once.")
    press(page, "I see")
    expect(alert).to_have_count(0)
    entries = page.locator(ENTRIES).count()
    page.locator("#prompt-buttons .order").last.click()
    expect(page.locator(ENTRIES).nth(entries)).to_be_attached()
    at_rest(page)
    assert alert.count() == 0


def test_who_watches_a_table_with_a_free_seat_is_told_how_to_sit_down(
    server: Server, new_page: Callable[..., Any]
):
    made = server.match("crossing", ("me", "open"), name="Bea")
    watcher = new_page()
    watcher.goto(f"{server.url}/match/{made['id']}")
    note = watcher.locator("#watching")
    expect(note).to_contain_text("The seat of German is free")
    note.get_by_role("link", name="take it in the lobby").click()
    row = watcher.locator("#open .match-row", has_text="Allied: Bea")
    row.get_by_role("button", name="Play German").wait_for()
