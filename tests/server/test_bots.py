"""Bots: they think elsewhere, play at a pace, and can be hurried."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from apennine.server import app, runner
from apennine.server.app import make_app
from apennine.server.house import House
from apennine.server.settings import PACES, Settings
from tests.server.playing import AGAINST_BOT, Player, begin
from tests.server.test_live import wire
from tests.waiting import wait_for

SLOW = 1e6
"""Seconds between two choices of a slow bot here: no test takes so long."""


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
    wait_for(lambda: watcher.state()["outcome"])


class Slow:
    """Bots that are slow by a clock which stands still unless a test moves it on."""

    def __init__(self) -> None:
        self.now = 0.0
        self._runner: runner.Runner | None = None

    def make(self, house: House) -> runner.Runner:
        self._runner = runner.Runner(house)
        return self._runner

    def waits(self, player: Player) -> bool:
        """Whether the bot of a match has made up its mind, looked at the clock, and waits."""
        assert self._runner is not None
        hurry = self._runner._hurry.get(player.id)
        return hurry is not None and not hurry.is_set()

    def pass_by(self, seconds: float, player: Player) -> None:
        """Let time pass, and something happen in the match, so that its bot looks at the clock."""
        self.now += seconds
        player.post("chat", {"text": "tick"})


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    monkeypatch.setattr(runner, "PACES", PACES | {"slow": SLOW})
    monkeypatch.setattr(runner, "time", SimpleNamespace(monotonic=lambda: made.now))
    monkeypatch.setattr(app, "Runner", made.make)
    return made


def choices(player: Player, side: str) -> int:
    entries = player.state()["log"]["entries"]
    return sum(entry["kind"] == "chosen" and entry["side"] == side for entry in entries)


def to_the_bot(player: Player) -> int:
    """Play until it is for the bot to choose; how often it has chosen so far."""
    wait_for(lambda: my_turn(player))
    assert player.play(200)["decision"]["waiting"]
    return choices(player, "German")


def test_the_paces_can_be_told_apart():
    assert PACES["slow"] > PACES["normal"] > PACES["fast"] > PACES["instant"] == 0
    assert PACES["slow"] >= 1


def test_bots_take_their_time_when_somebody_watches(slow: Slow, client: TestClient):
    ann = begin(client, AGAINST_BOT, pace="slow")
    with wire(ann):
        before = to_the_bot(ann)
        wait_for(lambda: slow.waits(ann))
        slow.pass_by(SLOW - 1, ann)
        wait_for(lambda: slow.waits(ann))
        assert choices(ann, "German") == before
        slow.pass_by(1, ann)
        wait_for(lambda: choices(ann, "German") > before)


def test_bots_do_not_wait_for_a_player_who_is_told_their_turn_by_his_own_client(
    slow: Slow, client: TestClient
):
    ann = begin(client, AGAINST_BOT, pace="slow")
    with wire(ann, tells=True):
        before = to_the_bot(ann)
        wait_for(lambda: choices(ann, "German") > before)


def test_bots_wait_for_nobody_when_nobody_watches(slow: Slow, client: TestClient):
    bots = {"Allied": "bot:random", "German": "bot:random"}
    made = begin(client, bots, pace="slow", public=True)
    wait_for(lambda: made.state()["outcome"])


def test_a_slow_bot_is_hurried_by_a_new_pace(slow: Slow, client: TestClient):
    ann = begin(client, AGAINST_BOT, pace="slow")
    with wire(ann) as live:
        before = to_the_bot(ann)
        wait_for(lambda: slow.waits(ann))
        assert live.order("pace", pace="instant")["ok"]
        wait_for(lambda: choices(ann, "German") > before)
        assert ann.state()["pace"] == "instant"


def test_a_bot_that_fails_does_not_stop_the_match(settings: Settings, monkeypatch: Any):
    """Its worker dies; another one takes over."""
    with TestClient(make_app(settings)) as client:
        ann = begin(client, AGAINST_BOT)
        wait_for(lambda: my_turn(ann))
        workers = client.app.state.house.workers
        for pool in workers._pools:
            for process in pool._processes.values():
                process.kill()
        before = choices(ann, "German")
        for seed in range(400):
            state = wait_for(lambda: my_turn(ann))
            if state["outcome"] or choices(ann, "German") > before:
                break
            ann.play(1, seed)
        assert choices(ann, "German") > before


def test_a_match_that_waits_for_a_bot_is_woken_when_the_server_starts(settings: Settings):
    lazy = msgspec.structs.replace(settings, rooms=1)
    with TestClient(make_app(lazy)) as client:
        ann = begin(client, {"Allied": "bot:random", "German": "me"}, pace="instant")
        ann.act()
    with TestClient(make_app(lazy)) as client:
        ann.client = client
        wait_for(lambda: my_turn(ann))
