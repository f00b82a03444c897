"""Bots: they think elsewhere, play at a pace, and can be hurried."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from apennine.server import runner
from apennine.server.app import make_app
from apennine.server.settings import PACES, Settings
from tests.server.playing import AGAINST_BOT, Player, begin
from tests.server.test_live import wire
from tests.server.test_processes import wait_for


def my_turn(player: Player) -> dict[str, Any] | None:
    state = player.state()
    return state if state["outcome"] or not state["decision"]["waiting"] else None


@pytest.mark.parametrize("bot", ["bot", "bot:greedy", "bot:random"])
def test_a_whole_game_against_a_bot(client: TestClient, bot: str):
    ann = begin(client, {"Allied": "me", "German": bot})
    assert ann.state()["seats"][1]["kind"] == "bot"
    for seed in range(400):
        state = wait_for(lambda: my_turn(ann))
        if state["outcome"]:
            break
        ann.play(1, seed)
    assert state["outcome"]
    assert any(entry.get("side") == "German" for entry in state["log"]["entries"])


def test_two_bots_play_each_other_to_the_end(client: TestClient):
    watcher = begin(client, {"Allied": "bot:random", "German": "bot:random"})
    wait_for(lambda: watcher.state()["outcome"], 60)


def test_bots_take_their_time_when_somebody_watches_and_can_be_hurried(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "PACES", PACES | {"slow": 30.0, "fast": 0.3})
    bots = {"Allied": "bot:random", "German": "bot:random"}
    made = begin(client, bots, pace="slow", public=True)
    ann = begin(client, AGAINST_BOT, pace="fast")
    with wire(ann) as live:
        wait_for(lambda: my_turn(ann))
        starts: list[float] = []
        seed = 0
        while len(starts) < 3:
            if not live.state["decision"]["waiting"]:
                ann.play(1, seed)
                seed += 1
            count = len(live.log)
            while len(live.log) == count:
                live.hear()
            if live.log[-1].get("side") == "German" and live.state["decision"]["waiting"]:
                starts.append(time.monotonic())
        assert starts[-1] - starts[0] > 0.25
    del made


def test_a_slow_bot_is_hurried_by_a_new_pace(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(runner, "PACES", PACES | {"slow": 60.0})
    ann = begin(client, AGAINST_BOT, pace="slow")
    wait_for(lambda: my_turn(ann))
    with wire(ann) as live:
        for seed in range(30):
            if live.state["decision"]["waiting"]:
                break
            ann.play(1, seed)
            live.until("state")
        time.sleep(0.5)
        waiting = ann.state()
        assert waiting["decision"]["waiting"], "the bot did not take its time"
        live.order("pace", pace="instant")
        wait_for(lambda: ann.state()["at"] != waiting["at"], 10)
        assert ann.state()["pace"] == "instant"


def test_a_bot_that_fails_does_not_stop_the_match(settings: Settings, monkeypatch: Any):
    """Its worker dies; another one takes over."""
    with TestClient(make_app(settings)) as client:
        ann = begin(client, AGAINST_BOT)
        wait_for(lambda: my_turn(ann))
        workers = client.app.state.workers
        for pool in workers._pools:
            for process in pool._processes.values():
                process.kill()
        for seed in range(20):
            state = wait_for(lambda: my_turn(ann))
            if state["outcome"]:
                break
            ann.play(1, seed)
        assert any(entry.get("side") == "German" for entry in state["log"]["entries"][-15:])


def test_a_match_that_waits_for_a_bot_is_woken_when_the_server_starts(settings: Settings):
    lazy = msgspec.structs.replace(settings, rooms=1)
    with TestClient(make_app(lazy)) as client:
        ann = begin(client, {"Allied": "bot:random", "German": "me"}, pace="instant")
        ann.act()
    with TestClient(make_app(lazy)) as client:
        ann.client = client
        wait_for(lambda: my_turn(ann))
