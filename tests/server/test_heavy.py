"""Heavy work is done beside play: in a process of its own, by turns, and within budgets."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient, WebSocketDisconnect

from apennine.server import archive, room
from apennine.server.app import make_app
from apennine.server.budgets import Budget, Spending
from apennine.server.clients import CLIENT
from apennine.server.errors import Refused
from apennine.server.guard import KINDS
from apennine.server.house import House
from apennine.server.limits import Limits
from apennine.server.settings import Settings
from apennine.server.turns import Turns
from apennine.server.workers import Workers
from tests.server.playing import ALONE, Player, begin
from tests.waiting import run, wait_for


def wait_for_file(file: str) -> None:
    """Runs in a process that is to be kept busy until there is such a file."""
    while not Path(file).exists():
        time.sleep(0.01)


@contextmanager
def busy_archive(client: TestClient, tmp_path: Path) -> Iterator[None]:
    """Meanwhile the archive does nothing of what it is asked for."""
    house: House = client.app.state.house
    gate = tmp_path / "go on"
    assert client.portal is not None
    held = client.portal.start_task_soon(house.archive.run, wait_for_file, str(gate))
    wait_for(lambda: house.archive._workers._pools[0]._processes)
    try:
        yield
    finally:
        gate.touch()
        held.result()


@contextmanager
def busy_rules(client: TestClient) -> Iterator[None]:
    """Meanwhile nobody's play goes on: the thread of the rules is taken."""
    house: House = client.app.state.house
    gate, taken = threading.Event(), threading.Event()

    def hold() -> None:
        taken.set()
        gate.wait()

    house._rules.submit(hold)
    taken.wait()
    try:
        yield
    finally:
        gate.set()


HEAVY = ["save", "report", "replay", "replay/3", "chronicle", "log"]


@pytest.mark.parametrize("path", HEAVY)
def test_looking_back_does_not_need_the_thread_that_serves_play(client: TestClient, path: str):
    ann = begin(client)
    ann.play(8)
    with busy_rules(client):
        assert ann.get(path).status_code == 200


def test_nor_does_an_upload(client: TestClient):
    ann = begin(client)
    ann.play(8)
    text = ann.get("save").text
    house: House = client.app.state.house
    before = dict(house.rooms)
    begun, seats = client.portal.call(
        house.archive.take_in, archive_receive, house.catalogue, text, "", "Ann"
    )
    assert begun.head.turn == ann.state()["view"]["turn"]
    assert [seat.kind for seat in seats] == ["person", "person"]
    assert house.rooms == before


def archive_receive(*args: Any) -> Any:
    from apennine.server.saves import receive

    return receive(*args)


def test_play_goes_on_while_heavy_work_waits(client: TestClient, tmp_path: Path):
    ann, bert = begin(client), begin(client)
    ann.play(4)
    with ThreadPoolExecutor(2) as others:
        with busy_archive(client, tmp_path):
            saving = others.submit(ann.get, "save")
            assert bert.play(6)["log"]["entries"]
            assert ann.act()
            assert not saving.done()
        assert saving.result().status_code == 200


def test_an_upload_that_takes_long_keeps_nobody_from_looking_back(
    client: TestClient, tmp_path: Path
):
    ann = begin(client)
    ann.play(4)
    house: House = client.app.state.house
    gate = tmp_path / "go on"
    assert client.portal is not None
    taking = client.portal.start_task_soon(house.archive.take_in, wait_for_file, str(gate))
    wait_for(lambda: house.archive._uploads._pools[0]._processes)
    assert ann.get("save").status_code == 200
    assert not taking.done()
    gate.touch()
    taking.result()


def test_what_is_looked_back_to_is_as_fresh_as_play(client: TestClient):
    """Undo and all: the archive follows the database."""
    ann = begin(client)
    for seed in range(6):
        ann.play(2, seed)
        state = ann.state()
        if state["may_undo"]:
            ann.post("undo", {"at": state["at"]})
        state = ann.state()
        moments = ann.get("replay").json()["moments"]
        assert moments == state["log"]["from"] + len(state["log"]["entries"])
        now = ann.get(f"replay/{moments}").json()
        assert now["view"] == state["view"]
        assert now["log"] == state["log"]


def test_the_story_of_a_long_match_is_told_elsewhere(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    ann = begin(client, game="italy1944")
    ann.play(60)
    told = [ann.state(**{"as": side}) for side in ("Allied", "German")]
    house: House = client.app.state.house
    monkeypatch.setattr(room, "SHORT", 0)
    monkeypatch.setattr(room.Teller, "__init__", None)  # none is told from the start here
    house.rooms[ann.id].forget()
    assert [ann.state(**{"as": side}) for side in ("Allied", "German")] == told
    assert ann.act()


def test_the_story_is_kept_when_the_last_who_looked_has_gone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    ann = begin(client)
    ann.play(8)
    ann.state()
    monkeypatch.setattr(room.Teller, "__init__", None)
    for _ in range(3):
        with client.websocket_connect(f"/api/matches/{ann.id}/live") as wire:
            wire.send_json({"token": ann.token})
            assert wire.receive_json()["log"]["passages"]


def test_only_the_stories_that_were_looked_at_last_are_kept(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("apennine.server.house.MOST_TOLD", 2)
    house: House = client.app.state.house
    players = [begin(client) for _ in range(4)]
    for player in players:
        player.play(3)
    wait_for(
        lambda: [bool(house.rooms[p.id]._stories) for p in players] == [False] * 2 + [True] * 2
    )


# By turns.


def held(turns: Turns) -> threading.Event:
    """Turns that do nothing more until the event is set."""
    taken, gate = threading.Event(), threading.Event()

    def hold() -> None:
        taken.set()
        gate.wait()

    turns.submit(hold)
    taken.wait()
    return gate


def submit_as(client: str, turns: Turns, work: Callable[[], Any]) -> None:
    def submit() -> None:
        CLIENT.set(client)
        turns.submit(work)

    copy_context().run(submit)


def test_clients_take_turns_however_much_one_of_them_wants():
    turns, done = Turns("test"), list[str]()
    gate = held(turns)
    for what in ("a1", "a2", "a3", "b1", "c1", "b2"):
        submit_as(what[0], turns, lambda what=what: done.append(what))
    assert (turns.waiting("a"), turns.waiting("b"), turns.waiting()) == (3, 2, 6)
    gate.set()
    turns.close()
    assert done == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_what_fails_does_not_end_the_turns_and_who_has_gone_is_passed_over():
    turns = Turns("test")
    gate = held(turns)
    failing = turns.submit(lambda: 1 // 0)
    gone = turns.submit(lambda: pytest.fail("nobody wants this any more"))
    last = turns.submit(lambda: "done")
    assert gone.cancel()
    gate.set()
    with pytest.raises(ZeroDivisionError):
        failing.result()
    assert last.result() == "done"
    turns.close()
    with pytest.raises(RuntimeError):
        turns.submit(lambda: None)


def test_work_that_never_ends_is_given_up_and_other_work_is_done():
    async def story() -> None:
        workers = Workers(1)
        try:
            first = await workers.run("k", os.getpid)
            with pytest.raises(TimeoutError):
                await workers.try_for(0.01, "k", wait_for_file, "/no/such/file")
            assert await workers.run("k", os.getpid) != first
        finally:
            workers.close()

    run(story())


def limited(settings: Settings, limits: Limits) -> TestClient:
    return TestClient(make_app(msgspec.structs.replace(settings, limits=limits)))


def test_who_waits_for_much_already_is_told_to_wait(settings: Settings, tmp_path: Path):
    with limited(settings, Limits(waiting=2)) as client, ThreadPoolExecutor(8) as others:
        ann = begin(client)
        house: House = client.app.state.house
        with busy_archive(client, tmp_path):
            asked = [others.submit(ann.get, "save") for _ in range(2)]
            wait_for(lambda: house.archive._workers.waiting("testclient") == 2)
            refused = ann.get("save")
            assert refused.status_code == 429
            assert "still being worked on" in refused.json()["error"]
            assert int(refused.headers["retry-after"]) > 0
            assert ann.act()
        assert [answer.result().status_code for answer in asked] == [200, 200]


def test_nobody_is_let_in_when_too_many_wait(settings: Settings, tmp_path: Path):
    with limited(settings, Limits(waiting_in_all=1)) as client, ThreadPoolExecutor(8) as others:
        ann = begin(client)
        house: House = client.app.state.house
        with busy_archive(client, tmp_path):
            asked = others.submit(ann.get, "save")
            wait_for(lambda: house.archive._workers.waiting() == 1)
            refused = ann.get("save")
            assert refused.status_code == 503
            assert refused.headers["retry-after"]
        assert asked.result().status_code == 200


# Within budgets.


def used_up(kind: str) -> Limits:
    return Limits(**{kind: Budget(1000, 2)})


@pytest.mark.parametrize(
    ("kind", "path"),
    [("saves", "save"), ("reports", "report"), ("replays", "replay/0"), ("replays", "log")],
)
def test_a_day_has_a_budget_for_each_kind_of_request(settings: Settings, kind: str, path: str):
    with limited(settings, used_up(kind)) as client:
        ann = begin(client)
        answers = [ann.get(path) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1].json() == {
            "error": f"That is too many {KINDS[kind]} for one day; try again in 12 h."
        }
        assert int(answers[-1].headers["retry-after"]) > 40_000
        assert ann.act(), "play has a budget of its own"


def test_uploads_and_sockets_have_one_too(settings: Settings):
    with limited(settings, used_up("uploads")) as client:
        answers = [client.post("/api/saves", content="x").status_code for _ in range(3)]
        assert answers == [422, 422, 429]
    with limited(settings, used_up("openings")) as client:
        ann = begin(client, ALONE)
        for _ in range(2):
            with client.websocket_connect(f"/api/matches/{ann.id}/live") as wire:
                wire.send_json({"token": ann.token})
                assert wire.receive_json()["type"] == "state"
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(f"/api/matches/{ann.id}/live"),
        ):
            pass
        assert (closed.value.code, closed.value.reason) == (
            1013, "That is too many connections for one day; try again in 12 h.",
        )  # fmt: skip


def test_what_is_asked_for_weighs_as_much_as_it_costs(settings: Settings):
    with limited(settings, Limits(replays=Budget(1000, 6))) as client:
        ann = begin(client)
        paths = ["chronicle", "replay/0", "replay/0"]
        assert [ann.get(path).status_code for path in paths] == [200, 200, 429]


def test_a_budget_comes_back_with_time_and_each_client_has_his_own(
    monkeypatch: pytest.MonkeyPatch,
):
    now = [0.0]
    monkeypatch.setattr("apennine.server.budgets.time.monotonic", lambda: now[0])
    spending = Spending("saves", Budget(2, 3))
    for _ in range(2):
        spending.take("ann")
    with pytest.raises(Refused, match="one minute; try again in 30 s"):
        spending.take("ann")
    spending.take("bert")
    now[0] = 30.0
    spending.take("ann")
    now[0] = 600.0
    with pytest.raises(Refused, match="one day; try again in 8 h"):
        spending.take("ann")
    now[0] = 30_000.0
    spending.take("ann")


def test_everything_that_is_served_counts_static_files_too(settings: Settings):
    with limited(settings, Limits(requests=3, requests_a_second=1e-6)) as client:
        paths = ["/", "/static/css/base.css", "/api/openapi.json", "/healthz", "/"]
        assert [client.get(path).status_code for path in paths][-2:] == [429, 429]


def test_maps_and_books_are_packed_once(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    paths = [f"/api/games/crossing/{name}" for name in ("board.svg", "board", "rules", "charts")]
    plain = {"accept-encoding": "identity"}
    first = [client.get(path) for path in paths]
    monkeypatch.setattr("gzip.compress", None)
    monkeypatch.setattr("gzip.GzipFile.write", None)  # by which the middleware packs
    again = [client.get(path) for path in paths]
    assert [one.content for one in first] == [other.content for other in again]
    assert {answer.headers["content-encoding"] for answer in again} == {"gzip"}
    monkeypatch.undo()
    assert [client.get(path, headers=plain).content for path in paths] == [
        answer.content for answer in first
    ]


def test_stories_and_states_agree_after_a_restart(settings: Settings):
    """A story that the archive told goes on here, through undo and all."""
    with TestClient(make_app(settings)) as client:
        ann = begin(client, game="italy1944")
        ann.play(100)
    with TestClient(make_app(settings)) as client:
        ann = Player(client, ann.id, ann.token)
        assert len(client.app.state.house.rooms) == 0
        state = ann.state()
        assert state["log"]["from"] == 0 or state["log"]["passages"]
        ann.play(20, seed=3)
        told = ann.state()["log"]
        client.app.state.house.rooms[ann.id].forget()
        assert ann.state()["log"] == told


def test_the_archive_says_that_a_match_is_not_there(client: TestClient):
    ann = begin(client)
    house: House = client.app.state.house
    place = house.archive._place(house.rooms[ann.id])
    with pytest.raises(Refused, match="no such match") as refused:
        archive._open(place._replace(match="nothing"))
    assert refused.value.status == 404
