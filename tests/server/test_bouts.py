"""Bots that play each other: how many, how long, and in whose way they are not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from apennine.server import runner
from apennine.server.app import make_app
from apennine.server.bouts import Bouts
from apennine.server.errors import Refused
from apennine.server.house import House
from apennine.server.limits import Limits
from apennine.server.settings import Settings
from apennine.server.workers import Workers
from tests.server.playing import AGAINST_BOT, Player, begin
from tests.server.test_heavy import wait_for_file
from tests.waiting import wait_for

BOTS = {"Allied": "bot:random", "German": "bot:random"}


@contextmanager
def held(client: TestClient, where: Workers, gate: Path) -> Iterator[None]:
    """Meanwhile no bot thinks in these processes."""
    assert client.portal is not None
    holding = client.portal.start_task_soon(where.run, "hold", wait_for_file, str(gate))
    wait_for(lambda: where._pools[0]._processes)
    try:
        yield
    finally:
        gate.touch()
        holding.result()


def limited(settings: Settings, **limits: Any) -> TestClient:
    return TestClient(make_app(msgspec.structs.replace(settings, limits=Limits(**limits))))


def ask_for(client: TestClient, seats: dict[str, str]) -> Any:
    return client.post("/api/matches", json={"game": "crossing", "seats": seats})


def test_one_client_has_a_few_matches_between_bots_at_a_time(settings: Settings, tmp_path: Path):
    with limited(settings, bot_matches=2) as client:
        house: House = client.app.state.house
        with held(client, house.spare, tmp_path / "go"):
            running = [ask_for(client, BOTS) for _ in range(2)]
            assert [answer.status_code for answer in running] == [201, 201]
            refused = ask_for(client, BOTS)
            assert refused.status_code == 429
            assert refused.json()["error"] == (
                "You have 2 matches between bots running already; try again when one is over."
            )
            assert int(refused.headers["retry-after"]) > 0
            assert ask_for(client, AGAINST_BOT).status_code == 201, "a person may always play"
            save = begin(client).get("save").text
            seats = ",".join(f"{side}={who}" for side, who in BOTS.items())
            uploaded = client.post("/api/saves", params={"seats": seats}, content=save)
            assert uploaded.status_code == 429
        for answer in running:
            made = Player(client, answer.json()["id"], answer.json()["token"])
            wait_for(lambda made=made: made.state()["outcome"])
        wait_for(lambda: not house.bouts._running)
        assert ask_for(client, BOTS).status_code == 201


def test_so_has_the_server():
    bouts = Bouts(Limits(bot_matches=2, bot_matches_in_all=3))
    for match, client in [("a", "ann"), ("b", "ann"), ("c", "bert")]:
        bouts.admit(match, client)
    with pytest.raises(Refused, match="The server has 3 matches"):
        bouts.admit("d", "cleo")
    bouts.end("a")
    bouts.admit("d", "cleo")
    bouts.admit("d", "cleo")  # it runs already


def test_a_match_that_could_not_be_kept_does_not_count(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    with limited(settings, bot_matches=1) as client:
        house: House = client.app.state.house
        with monkeypatch.context() as broken:
            broken.setattr("apennine.server.rows.create", lambda *_: 1 // 0)
            assert ask_for(client, BOTS).status_code == 503
        assert not house.bouts._running
        assert ask_for(client, BOTS).status_code == 201


def test_a_victims_bot_does_not_wait_for_bots_that_play_each_other(
    client: TestClient, tmp_path: Path
):
    """However many there are, and however long they think: it thinks somewhere else."""
    house: House = client.app.state.house
    with held(client, house.spare, tmp_path / "go"):
        for _ in range(5):
            ask_for(client, BOTS)
        wait_for(lambda: house.spare.waiting() == 5)
        ann = begin(client, AGAINST_BOT, pace="instant")
        wait_for(lambda: not ann.state()["decision"]["waiting"])
        assert any(entry.get("side") == "German" for entry in ann.state()["log"]["entries"])


def test_bots_stop_when_nobody_has_looked_for_long_and_go_on_when_somebody_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], time=lambda: now[0])
    monkeypatch.setattr(runner, "time", clock)
    monkeypatch.setattr("apennine.server.house.time", clock)
    monkeypatch.setattr("apennine.server.room.time", clock)
    with limited(settings, bot_matches=1) as client:
        house: House = client.app.state.house
        with held(client, house.spare, tmp_path / "go"):
            made = ask_for(client, BOTS).json()
            player = Player(client, made["id"], made["token"])
            now[0] += runner.ABANDONED + 1
        wait_for(lambda: made["id"] not in house.busy)
        room = house.rooms[made["id"]]
        assert room.outcome is None
        assert not house.bouts._running
        player.state()
        wait_for(lambda: player.state()["outcome"])


def test_a_match_between_bots_that_was_left_is_not_woken_by_a_start(
    settings: Settings, tmp_path: Path
):
    with TestClient(make_app(settings)) as client:
        house: House = client.app.state.house
        with held(client, house.spare, tmp_path / "go"):
            between_bots = ask_for(client, BOTS).json()["id"]
            storage, read = house.storage, runner.rows.waiting_for_bots
            assert client.portal.call(storage.read, read, 0.0) == [between_bots]
            assert client.portal.call(storage.read, read, 1e12) == []


def test_those_that_must_wait_are_played_when_others_are_over(settings: Settings):
    """After a start there may be more of them than may run at once."""
    with limited(settings, bot_matches=5, bot_matches_in_all=5) as client:
        made = [ask_for(client, BOTS).json() for _ in range(4)]
    with limited(settings, bot_matches=5, bot_matches_in_all=1) as client:
        for match in made:
            player = Player(client, match["id"], match["token"])
            wait_for(lambda player=player: player.state()["outcome"])
