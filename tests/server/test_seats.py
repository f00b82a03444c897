"""Who may sit, look and speak."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.playing import AGAINST_BOT, ALONE, INVITED, Player, begin, begin_with

OPEN = {"Allied": "me", "German": "open"}


def test_an_open_seat_is_listed_and_taken_once(client: TestClient):
    ann = begin(client, OPEN, name="Ann")
    (row,) = client.get("/api/matches").json()
    assert row["id"] == ann.id
    assert [(seat["kind"], seat["taken"]) for seat in row["seats"]] == [
        ("person", True),
        ("open", False),
    ]
    stranger = Player(client, ann.id, None)
    token = stranger.post("join", {"side": "German", "name": "Bert"}).json()["token"]
    bert = Player(client, ann.id, token)
    assert bert.state()["you"] == ["German"]
    assert [seat["name"] for seat in bert.state()["seats"]] == ["Ann", "Bert"]
    assert stranger.error("join", {"side": "German"})[0] == 409
    assert stranger.error("join", {"side": "Allied"})[0] == 409
    assert stranger.error("join", {"side": "Swiss"})[0] == 422
    assert Player(client, "nobody", None).error("join", {"side": "German"})[0] == 404
    bert.act()


def test_private_matches_are_neither_listed_nor_seen_by_strangers(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    assert client.get("/api/matches").json() == []
    stranger = Player(client, ann.id, None)
    for path in ("state", "replay", "replay/0", "save", "log", "warnings"):
        assert stranger.get(path).status_code == 401
    other = begin(client)
    for token in ("", "x", other.token, guests["watch"].token + "x", "ä"):
        wrong = Player(client, ann.id, None)
        answer = client.get(
            f"/api/matches/{ann.id}/state",
            headers={"authorization": f"Bearer {token}".encode()},
        )
        assert answer.status_code == 401, token
        assert wrong.get("state").status_code == 401
    assert (
        client.get(f"/api/matches/{ann.id}/state", headers={"authorization": "Basic x"}).status_code
        == 401
    )


def test_anybody_may_watch_a_public_match_and_do_nothing(client: TestClient):
    ann = begin(client, ALONE, public=True)
    stranger = Player(client, ann.id, None)
    state = stranger.state()
    assert state["you"] == []
    assert state["decision"]["options"] == []
    assert state["decision"]["waiting"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("act", {"at": "", "option": ["done", -1, -1, 0]}),
        ("undo", {"at": ""}),
        ("roll", {"at": "", "faces": [1]}),
        ("rollback", {"to": 0}),
        ("rollback/answer", {"accept": True}),
        ("resign", None),
        ("chat", {"text": "hello"}),
        ("name", {"name": "Carl"}),
        ("pace", {"pace": "fast"}),
        ("why", {"option": ["done", -1, -1, 0]}),
    ],
)
def test_a_spectator_can_do_nothing(client: TestClient, path: str, body: Any):
    ann, guests = begin_with(client, ALONE)
    ann.act()
    before = ann.state()
    assert guests["watch"].error(path, body)[0] == 403
    assert ann.state() == before


def test_one_may_not_look_through_eyes_that_one_does_not_hold(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    for path in ("state", "replay", "replay/0", "log", "save"):
        assert ann.get(path, **{"as": "German"}).status_code == 403
        assert guests["watch"].get(path, **{"as": "German"}).status_code == 403
        assert ann.get(path, **{"as": "Swiss"}).status_code == 422


def test_when_a_match_is_over_one_may_look_back_through_any_eyes(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    ann.post("resign")
    for path in ("replay", "replay/0"):
        for guest in (ann, guests["watch"]):
            assert guest.get(path, **{"as": "German"}).status_code == 200
            assert guest.get(path, **{"as": "Swiss"}).status_code == 422
    # What is played on, should it be, is seen through one's own eyes.
    assert ann.get("state", **{"as": "German"}).status_code == 403


def test_an_invited_player_has_the_seat_when_he_comes(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    kinds = [seat["kind"] for seat in ann.state()["seats"]]
    assert kinds == ["person", "invite"]
    guests["German"].state()
    assert [seat["kind"] for seat in ann.state()["seats"]] == ["person", "person"]
    stranger = Player(client, ann.id, None)
    assert stranger.error("join", {"side": "German"})[0] == 409


def test_names_and_chat_are_kept_as_they_are_and_bounded(client: TestClient):
    ann = begin(client, ALONE)
    name = "<script>alert(1)</script>"
    ann.post("name", {"name": f"  {name}  "})
    assert {seat["name"] for seat in ann.state()["seats"]} == {name}
    answer = ann.get("state")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert ann.error("name", {"name": "x" * 41})[0] == 400
    assert ann.error("chat", {"text": ""})[0] == 400
    assert ann.error("chat", {"text": "   "})[0] == 422
    assert ann.error("chat", {"text": "x" * 1001})[0] == 400


def test_tokens_are_kept_hashed(client: TestClient, tmp_path: Path):
    ann, guests = begin_with(client, INVITED)
    tokens = [ann.token, guests["German"].token, guests["watch"].token]
    assert len({*tokens}) == 3
    assert all(token is not None and len(token) >= 43 for token in tokens)
    with sqlite3.connect(tmp_path / "matches.sqlite") as connection:
        dump = "\n".join(connection.iterdump())
    for token in tokens:
        assert token not in dump


def test_my_matches_tell_whose_turn_it_is(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    bert = guests["German"]
    tickets = {"tokens": [{"id": ann.id, "token": ann.token}]}
    (row,) = client.post("/api/mine", json=tickets).json()
    assert (row["my_sides"], row["your_turn"]) == (["Allied"], False)
    bert.act()
    (row,) = client.post("/api/mine", json=tickets).json()
    assert row["your_turn"]
    assert row["prompt"]
    wrong = [{"id": ann.id, "token": "x"}, {"id": "x", "token": ann.token}]
    assert client.post("/api/mine", json={"tokens": wrong}).json() == []
    assert client.post("/api/mine", json={"tokens": []}).json() == []
    assert client.post("/api/mine", json={"tokens": wrong * 101}).status_code == 400


def test_a_save_before_the_end_holds_no_more_than_the_seat_may_see(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    from apennine.cli import main

    ann, guests = begin_with(client, INVITED)
    bert = guests["German"]
    laid = bert.state()["decision"]["options"][0]
    bert.act(lambda menu: menu[0])
    ann.play(5)
    mine, theirs = ann.get("save").text, bert.get("save").text
    assert '"seed": "' not in mine.splitlines()[0].replace('"dice": "seed"', "")
    assert '"snapshot": {}' in mine
    assert f'"verb": "{laid[0]}"' in theirs
    assert f'"verb": "{laid[0]}"' not in mine
    assert '"verb": "hidden"' in mine
    file = tmp_path / "mine.save"
    file.write_text(mine)
    assert main(["replay", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "what Allied saw" in shown
    assert "chooses in secret" in shown
    assert main(["replay", "--verify", str(file)]) == 2
    assert "can be read, but not played on" in capsys.readouterr().err
    answer = client.post("/api/saves", content=mine)
    assert answer.status_code == 422
    assert "not played on" in answer.json()["error"]


@pytest.mark.parametrize("seats", [ALONE, AGAINST_BOT])
def test_who_plays_alone_gets_the_whole_save_at_any_time_and_can_go_on_with_it(
    client: TestClient, seats: dict[str, str]
):
    ann = begin(client, ALONE, seed="3")
    ann.play(15)
    text = ann.get("save").text
    answer = client.post("/api/saves", content=text)
    assert answer.status_code == 201, answer.text
    again = Player(client, answer.json()["id"], answer.json()["token"])
    one, two = ann.state(), again.state()
    for key in ("view", "decision", "log", "commitment", "at"):
        assert one[key] == two[key]
    assert ann.play(20, seed=9)["log"] == again.play(20, seed=9)["log"]


def test_an_uploaded_match_with_another_player_gets_new_dice(client: TestClient):
    ann = begin(client, ALONE, seed="3")
    ann.play(15)
    text = ann.get("save").text
    seats = '{"Allied": "me", "German": "invite"}'
    for wanted in ("Allied=me,German=invite", seats):
        answer = client.post("/api/saves", content=text, params={"seats": wanted})
        made = answer.json()
    assert list(made["links"]) == ["German"]
    again = Player(client, made["id"], made["token"])
    assert again.state()["commitment"] != ann.state()["commitment"]
    assert again.state()["view"] == ann.state(**{"as": "Allied"})["view"]


def test_the_save_of_a_match_that_was_resigned_says_so_wherever_it_is_opened(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    from apennine.cli import main

    ann, guests = begin_with(client, INVITED)
    guests["German"].act()
    over = ann.post("resign").json()
    text = guests["watch"].get("save").text
    file = tmp_path / "given-up.save"
    file.write_text(text)
    assert main(["replay", str(file)]) == 0
    assert "German wins: Allied resigns." in capsys.readouterr().out
    assert main(["replay", "--verify", str(file)]) == 0
    assert "Then the players ended the match: Allied resigns." in capsys.readouterr().out
    answer = client.post("/api/saves", content=text, params={"seats": "Allied=me,German=bot"})
    again = Player(client, answer.json()["id"], answer.json()["token"])
    uploaded = again.state()
    assert uploaded["outcome"] == over["outcome"]
    assert uploaded["decision"] is None
    assert again.get("save").text == text


def test_who_plays_alone_may_go_back_to_before_a_resignation_and_go_on(client: TestClient):
    ann = begin(client, ALONE, seed="3")
    before = ann.play(15)
    ann.post("resign")
    made = client.post("/api/saves", content=ann.get("save").text).json()
    again = Player(client, made["id"], made["token"])
    assert again.state()["may_roll_back"]
    back = again.post("rollback", {"to": len(before["log"]["entries"]) - 1}).json()
    assert back["outcome"] is None
    assert back["decision"] is not None
    assert '"ended"' not in again.get("save").text


@pytest.mark.parametrize(
    ("seats", "status"),
    [
        ("{", 400),
        ('{"Allied": 1}', 400),
        ('{"Allied": "me"}', 422),
        ("Allied=me", 422),
        ("nonsense", 400),
        ("Allied=me,German=you", 422),
        ("Swiss=me", 422),
    ],
)
def test_an_upload_with_impossible_seats_is_refused(client: TestClient, seats: str, status: int):
    text = begin(client, ALONE).get("save").text
    assert client.post(f"/api/saves?seats={seats}", content=text).status_code == status


def test_files_that_are_no_saves_are_refused(client: TestClient):
    good = begin(client, ALONE, seed="1").get("save").text
    lines = good.splitlines()
    for text in (
        "",
        "hello",
        "{}",
        good[:-30],
        "\n".join(lines[:-1]),
        good.replace("dawn", "dusk"),
    ):
        answer = client.post("/api/saves", content=text)
        assert answer.status_code == 422, text[:50]
        assert answer.json()["error"].endswith(".")
    assert client.post("/api/saves", content=b"\xff\xff").status_code == 400
