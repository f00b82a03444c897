"""The order of battle and the report of a match, over HTTP."""

from __future__ import annotations

from starlette.testclient import TestClient

from tests.server.playing import ALONE, INVITED, begin, begin_with


def test_the_schedule_tells_by_the_names_of_turns_who_comes_and_goes(client: TestClient):
    told = begin(client, game="italy1944").get("schedule").json()
    first = told[0]
    assert (first["turn"], first["title"], first["side"], first["comes"]) == (
        2, "February", "Allied", True,
    )  # fmt: skip
    assert first["units"] == ["4 DMM"]
    leaves = next(line for line in told if line["units"] == ["56 Inf"] and not line["comes"])
    assert leaves["title"] == "March"
    assert leaves["text"].endswith("back in July")


def test_a_game_in_which_nobody_comes_or_goes_has_an_empty_schedule(client: TestClient):
    assert begin(client).get("schedule").json() == []


def test_who_plays_alone_may_have_a_report_at_any_time(client: TestClient):
    ann = begin(client, ALONE)
    ann.play(12)
    answer = ann.get("report")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "crossing-report.html" in answer.headers["content-disposition"]
    assert "The game was not over when this was written." in answer.text
    assert "lay the charge at" in answer.text


def test_a_report_keeps_the_secrets_until_the_match_is_over(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    bob, watcher = guests["German"], guests["watch"]
    for somebody in (ann, bob, watcher):
        answer = somebody.get("report")
        assert answer.status_code == 409
        assert "when the match is over" in answer.json()["error"]
    assert ann.post("resign").status_code == 200
    for somebody in (ann, bob, watcher):
        assert "German victory." in somebody.get("report").text
