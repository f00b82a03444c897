"""A match over HTTP: made, played, undone, given up, looked back at."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from apennine.cli import main
from apennine.server.app import make_app
from apennine.server.settings import Settings
from tests.server.playing import ALONE, GAMES, INVITED, Player, begin, begin_with, eager


def labels(state: dict[str, Any]) -> list[str]:
    return [entry["text"] for entry in state["log"]["entries"]]


def test_the_lobby_tells_of_every_game(client: TestClient):
    told = client.get("/api/games").json()
    assert [game["key"] for game in told] == list(GAMES)
    crossing = told[0]
    assert crossing["sides"] == ["Allied", "German"]
    assert crossing["bots"][0] == crossing["bot"]
    assert {"greedy", "random"} <= set(crossing["bots"])
    assert crossing["scenarios"][0]["turns"] > 0
    assert [switch["key"] for switch in crossing["switches"]] == ["boats"]


def test_a_match_begins_with_a_menu_and_the_hash_of_its_dice(client: TestClient):
    state = begin(client).state()
    assert state["you"] == ["Allied", "German"]
    assert state["as"] == state["decision"]["side"] == "German"
    assert state["decision"]["options"]
    assert len(state["commitment"]) == 64
    assert state["seed"] is None
    verb, unit, hex, value, text, _code, _name = state["decision"]["options"][0]
    assert isinstance(verb, str)
    assert [type(part) for part in (unit, hex, value)] == [int, int, int]
    assert text


def test_an_action_changes_the_state_and_its_mark(client: TestClient):
    ann = begin(client)
    before = ann.state()
    after = ann.act()
    assert after["at"] != before["at"]
    assert after["log"]["entries"][0]["kind"] == "hidden"
    assert ann.state() == after
    assert ann.state(**{"as": "German"})["log"]["entries"][0]["kind"] == "chosen"


def test_a_stale_action_is_refused_and_changes_nothing(client: TestClient):
    ann = begin(client)
    first = ann.state()
    ann.act()
    now = ann.state()
    option = first["decision"]["options"][0][:4]
    status, sentence = ann.error("act", {"at": first["at"], "option": option})
    assert status == 409
    assert "look again" in sentence
    assert ann.state() == now


def test_an_action_of_the_other_side_is_refused(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    bert = guests["German"]
    menu = bert.state()["decision"]["options"]
    seen = ann.state()
    assert seen["decision"]["options"] == []
    assert seen["decision"]["waiting"]
    status, sentence = ann.error("act", {"at": seen["at"], "option": menu[0][:4]})
    assert status == 403
    assert "German" in sentence
    assert bert.state()["decision"]["options"] == menu


def test_an_option_that_is_not_in_the_menu_is_refused_with_its_rule(client: TestClient):
    ann = begin(client)
    ann.act()
    seen = ann.state()
    answer = ann.post("act", {"at": seen["at"], "option": ["attack", -1, 0, 0]})
    assert answer.status_code == 422
    assert answer.json()["rule"]
    assert answer.json()["error"].endswith(".")
    assert ann.state() == seen


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"at": 1, "option": ["go", 0, 0, 0]},
        {"at": "x", "option": ["go", 0, 0]},
        {"at": "x", "option": ["go", 0, 0, 0, 0]},
        {"at": "x", "option": ["go", "0", 0, 0]},
        {"at": "x", "option": ["go", 0, 0, 0.5]},
        {"at": "x", "option": "go"},
        {"at": "x", "option": ["go", 0, 0, 0], "more": 1},
        {"at": "x" * 200, "option": ["go", 0, 0, 0]},
    ],
)
def test_a_malformed_action_is_refused(client: TestClient, body: Any):
    ann = begin(client)
    before = ann.state()
    status, _ = ann.error("act", body)
    assert status == 400
    assert ann.state() == before


def test_what_is_not_json_is_refused(client: TestClient):
    ann = begin(client)
    for body in (b"{", b"\xff\xfe", b"", b"null"):
        answer = client.post(f"/api/matches/{ann.id}/act", headers=ann.headers, content=body)
        assert answer.status_code == 400, body
        assert answer.json()["error"]


@pytest.mark.parametrize(
    "option",
    [
        ["go", 99999, 0, 0],
        ["go", 0, 99999, 0],
        ["go", -5, -5, 0],
        ["", -1, -1, 0],
        ["attack", -1, 10**15, 0],
        ["go", 0, 0, -(10**15)],
        ["x" * 5000, 0, 0, 0],
    ],
)
@pytest.mark.parametrize("game", ["crossing", "italy1944"])
def test_units_and_hexes_that_there_are_not_are_refused(
    client: TestClient, game: str, option: list[Any]
):
    ann = begin(client, game=game)
    seen = ann.state()
    answer = ann.post("act", {"at": seen["at"], "option": option})
    assert answer.status_code == 422, answer.text
    assert ann.post("why", {"option": option}).status_code == 200
    assert ann.state() == seen


def test_why_names_the_rule_that_forbids_something(client: TestClient):
    ann = begin(client)
    ann.act()
    told = ann.post("why", {"option": ["attack", -1, 3, 0]}).json()
    assert told["sentence"]
    assert told["rule"]
    allowed = ann.state()["decision"]["options"][0][:4]
    assert ann.post("why", {"option": allowed}).json()["sentence"] == "This can be done."


def test_the_last_choice_can_be_taken_back_and_the_state_is_as_before(client: TestClient):
    ann = begin(client)
    ann.act()
    before = ann.state()
    went = next(option for option in before["decision"]["options"] if option[0] == "move")
    after = ann.act(lambda _menu: went)
    assert after["may_undo"]
    undone = ann.post("undo", {"at": after["at"]})
    assert undone.status_code == 200
    assert undone.json() == before


def test_nothing_is_taken_back_behind_a_die(client: TestClient):
    ann = begin(client)
    state, pick = ann.state(), eager(5)
    while not any(entry["kind"] == "rolled" for entry in state["log"]["entries"]):
        state = ann.act(pick)
    assert not state["may_undo"]
    status, sentence = ann.error("undo", {"at": state["at"]})
    assert status == 409
    assert "a die" in sentence
    assert ann.state() == state


def test_who_plays_all_sides_goes_back_at_once_and_the_dice_come_up_anew(client: TestClient):
    ann = begin(client, seed="7")
    ann.play(90, seed=3)
    state = ann.state(**{"as": "German"})
    rolls = [entry for entry in state["log"]["entries"] if entry["kind"] == "rolled"]
    assert rolls
    k = rolls[0]["n"]
    ann.post("rollback", {"to": k, "as": "German"})
    back = ann.state(**{"as": "German"})
    assert len(back["log"]["entries"]) <= k
    assert labels(back) == labels(state)[: len(labels(back))]
    saved = ann.get("save").text
    assert '"spent"' in saved


def test_a_rollback_needs_the_other_side_and_is_gone_when_refused(client: TestClient):
    ann, guests = begin_with(client)
    bert = guests["German"]
    bert.act()
    before = ann.act()
    asked = ann.post("rollback", {"to": 0}).json()
    assert asked["rollback"]["yours"]
    assert asked["rollback"]["by"] == "Allied"
    assert asked["at"] == before["at"]
    seen = bert.state()["rollback"]
    assert not seen["yours"]
    assert seen["text"].startswith("Allied asks to go back")
    assert ann.error("rollback/answer", {"accept": True})[0] == 409
    assert bert.post("rollback/answer", {"accept": False}).json()["rollback"] is None
    assert bert.error("rollback/answer", {"accept": True})[0] == 409
    assert ann.state() == before


def test_a_rollback_that_is_agreed_to_goes_back(client: TestClient):
    ann, guests = begin_with(client)
    bert = guests["German"]
    start = bert.state()
    bert.act()
    ann.act()
    ann.post("rollback", {"to": 0})
    back = bert.post("rollback/answer", {"accept": True}).json()
    assert back["rollback"] is None
    assert back["decision"] == start["decision"]
    assert back["log"] == start["log"]


def test_a_rollback_to_nowhere_is_refused(client: TestClient):
    ann = begin(client)
    ann.act()
    count = len(ann.state()["log"]["entries"])
    assert ann.error("rollback", {"to": count})[0] == 422
    assert ann.error("rollback", {"to": -1})[0] == 400


def test_who_resigns_has_lost_and_the_seed_comes_to_light(client: TestClient):
    ann, guests = begin_with(client)
    guests["German"].act()
    over = ann.post("resign").json()
    assert over["outcome"] == {"winner": "German", "reason": "Allied resigns.", "rule": ""}
    assert over["decision"] is None
    assert over["seed"]
    assert guests["German"].state()["outcome"] == over["outcome"]
    for path, body in (
        ("resign", None),
        ("act", {"at": over["at"], "option": ["done", -1, -1, 0]}),
        ("undo", {"at": over["at"]}),
        ("rollback", {"to": 0}),
    ):
        assert ann.error(path, body)[0] == 409


def test_a_finished_match_can_be_verified_by_anybody_who_watched(
    client: TestClient, tmp_path: Any, capsys: pytest.CaptureFixture[str]
):
    ann, guests = begin_with(client, ALONE)
    first = ann.state()
    over = ann.play(2000)
    assert over["outcome"]["reason"]
    file = tmp_path / "match.save"
    file.write_text(guests["watch"].get("save").text)
    assert main(["replay", "--verify", str(file)]) == 0
    assert first["commitment"] in capsys.readouterr().out
    assert over["seed"] in file.read_text()


def test_the_replay_shows_every_moment_as_it_was_seen_then(client: TestClient):
    ann = begin(client)
    seen = [ann.state()]
    random = Random(2)
    for _ in range(12):
        seen.append(ann.act(random.choice))
    moments = ann.get("replay", **{"as": "Allied"}).json()
    assert moments["moments"] == len(ann.state(**{"as": "Allied"})["log"]["entries"])
    assert moments["labels"][0]["k"] == 0
    for state in seen:
        k = len(state["log"]["entries"])
        then = ann.get(f"replay/{k}", **{"as": state["as"]}).json()
        assert then["view"] == state["view"]
        assert then["log"] == state["log"]
    assert ann.get("replay/9999").status_code == 404


def test_parts_of_the_log_can_be_asked_for(client: TestClient):
    ann = begin(client)
    state = ann.play(30)
    entries = ann.state(**{"as": "Allied"})["log"]["entries"]
    part = ann.get("log", **{"from": 3, "to": 6, "as": "Allied"}).json()
    assert (part["from"], part["entries"]) == (3, entries[3:6])
    assert part["passages"][0]["to"] >= 3
    assert part["passages"][-1]["n"] < 6 <= part["passages"][-1]["to"]
    assert ann.get("log", **{"from": 9999}).json()["entries"] == []
    assert ann.get("log", **{"from": "x"}).status_code == 400
    assert state["log"]["from"] == 0


def test_a_preview_has_the_path_and_the_exact_chances(client: TestClient):
    ann = begin(client, seed="1")
    pick, kinds = eager(11), set[str]()
    for _ in range(60):
        state = ann.state()
        if state["decision"] is None:
            break
        for option in state["decision"]["options"][:6]:
            text = ",".join(map(str, option[:4]))
            told = ann.get("preview", option=text)
            assert told.status_code == 200
            shown = told.json()
            if shown and shown["path"]:
                kinds.add("path")
                assert shown["cost"]
            if shown and shown["chances"]:
                kinds.add("chances")
                assert sum(chance["probability"] for chance in shown["chances"]) == pytest.approx(1)
                assert all(chance["exact"] for chance in shown["chances"])
        ann.act(pick)
    assert kinds == {"path", "chances"}
    assert ann.get("preview", option="go").status_code == 400
    assert ann.get("preview", option="fly,1,2,0").status_code in (403, 422)


def test_overlays_are_sets_of_hexes(client: TestClient):
    ann = begin(client)
    ann.act()
    zone = ann.get("overlay", name="zone", side="German").json()["hexes"]
    assert zone
    unit = ann.state()["view"]["units"][0]["name"]
    assert ann.get("overlay", name="reach", unit=unit).json()["hexes"]
    for query in (
        {"name": "nonsense"},
        {"name": "zone", "side": "Swiss"},
        {"name": "zone", "unit": "x"},
    ):
        assert ann.get("overlay", **query).status_code == 422
    assert ann.get("overlay").status_code == 400


def test_what_changed_since_my_last_turn_is_told(client: TestClient):
    ann = begin(client)
    random = Random(4)
    turns = 0
    for _ in range(200):
        state = ann.act(random.choice)
        if state["outcome"] or turns > 3:
            break
        turns = len(ann.get("replay").json()["labels"])
        mine = ann.state(**{"as": "Allied"})
        if turns >= 3:
            hexes = {unit["hex"] for unit in mine["view"]["units"]}
            assert isinstance(mine["changed"], list)
            stand = {(unit["hex"], unit["side"]) for unit in mine["view"]["units"]}
            assert all((to, side) in stand and start != to for start, to, side in mine["came"])
            assert {to for _, to, _ in mine["came"]} <= set(mine["changed"])
            if set(mine["changed"]) & hexes and mine["came"]:
                return
    raise AssertionError("nothing ever changed")


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"game": "chess", "seats": ALONE}, 404),
        ({"game": "../crossing", "seats": ALONE}, 404),
        ({"game": "/tmp", "seats": ALONE}, 404),
        ({"game": "crossing", "seats": {}}, 422),
        ({"game": "crossing", "seats": {"Allied": "me"}}, 422),
        ({"game": "crossing", "seats": ALONE | {"Swiss": "me"}}, 422),
        ({"game": "crossing", "seats": {"Allied": "me", "German": "you"}}, 422),
        ({"game": "crossing", "seats": {"Allied": "me", "German": "bot:deep"}}, 422),
        ({"game": "crossing", "seats": ALONE, "scenario": "dusk"}, 422),
        ({"game": "crossing", "seats": ALONE, "options": {"tanks": True}}, 422),
        ({"game": "crossing", "seats": ALONE, "options": {"boats": "yes"}}, 400),
        ({"game": "crossing", "seats": INVITED, "seed": "7"}, 422),
        ({"game": "crossing", "seats": INVITED, "dice": "hand"}, 422),
        ({"game": "crossing", "seats": ALONE, "name": "x" * 41}, 400),
        ({"game": "crossing", "seats": ALONE, "pace": "sluggish"}, 400),
        ({"game": "crossing"}, 400),
    ],
)
def test_matches_that_cannot_be_made(client: TestClient, wanted: dict[str, Any], status: int):
    answer = client.post("/api/matches", json=wanted)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].endswith(".")
    assert client.get("/api/matches").json() == []


def test_the_same_seed_gives_the_same_match(client: TestClient):
    one, two = (begin(client, seed="ford").play(60) for _ in range(2))
    assert one["log"] == two["log"]
    assert one["commitment"] == two["commitment"]


def test_dice_can_be_thrown_by_hand(client: TestClient):
    ann = begin(client, dice="hand")
    state, pick = ann.state(), eager(1)
    while state["decision"]["kind"] != "roll":
        state = ann.act(pick)
    count = len(state["decision"]["dice"])
    assert state["commitment"] == ""
    assert ann.error("act", {"at": state["at"], "option": ["done", -1, -1, 0]})[0] == 409
    assert ann.error("roll", {"at": state["at"], "faces": [7] * count})[0] == 422
    assert ann.error("roll", {"at": state["at"], "faces": []})[0] == 422
    thrown = ann.post("roll", {"at": state["at"], "faces": [2] * count}).json()
    fell = [entry for entry in thrown["log"]["entries"] if entry["kind"] == "rolled"]
    assert fell[-1]["faces"] == [2] * count


def test_no_dice_are_taken_where_the_server_rolls(client: TestClient):
    ann = begin(client)
    assert ann.error("roll", {"at": ann.state()["at"], "faces": [6]})[0] == 409


def test_there_is_nothing_at_unknown_addresses(client: TestClient):
    for path in ("/api/nothing", "/api/games/chess/board", "/api/games/crossing/rules/99.9"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json()["error"]
    assert client.delete("/api/matches").status_code == 405
    assert Player(client, "nobody", None).get("state").status_code == 404


def test_a_rule_whose_number_has_a_stroke_in_it_is_found(settings: Settings):
    with TestClient(make_app(replace(settings, games=("underbelly",)))) as client:
        rule = client.get("/api/games/underbelly/rules/13.2%2F2c").json()
    assert rule["id"] == "13.2/2c"
    assert rule["obligation"]


def test_rules_charts_guide_and_map_of_a_game(client: TestClient):
    rows = client.get("/api/games/crossing/rules").json()
    one = client.get(f"/api/games/crossing/rules/{rows[3]['id']}").json()
    assert one == rows[3]
    assert one["obligation"]
    charts = client.get("/api/games/italy1944/charts").json()
    assert any(chart["reconstructed"] for chart in charts)
    assert all(len(row) == len(chart["columns"]) for chart in charts for row in chart["rows"])
    assert client.get("/api/games/crossing/guide").json()[0]["text"]
    board = client.get("/api/games/crossing/board").json()
    assert len(board["corners"]) == 6
    assert len({hex["i"] for hex in board["hexes"].values()}) == len(board["hexes"])
    assert all(
        board["left"] < hex["x"] < board["left"] + board["width"] for hex in board["hexes"].values()
    )
    svg = client.get("/api/games/crossing/board.svg")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "<style" not in svg.text
    assert " style=" not in svg.text
    css = client.get("/api/games/crossing/board.css")
    assert css.headers["content-type"].startswith("text/css")
    assert "data-theme" in css.text
    game = client.get("/api/games").json()[0]
    assert "immutable" in client.get(game["map"]).headers["cache-control"]
    tag = svg.headers["etag"]
    same = client.get("/api/games/crossing/board.svg", headers={"if-none-match": tag})
    assert same.status_code == 304
