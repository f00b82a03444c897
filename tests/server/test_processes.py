"""Servers as users run them: killed, started again, and several on one PostgreSQL."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.server.playing import AGAINST_BOT, ALONE, INVITED, Player, begin, begin_with
from tests.server.serving import Server
from tests.waiting import LONGEST, wait_for


def client_of(server: Server) -> httpx.Client:
    return httpx.Client(base_url=server.url, timeout=LONGEST)


def test_what_was_acknowledged_survives_a_kill(database: str, tmp_path: Path):
    server = Server(database, tmp_path).start()
    try:
        with client_of(server) as client:
            matches = [begin(client, ALONE) for _ in range(4)]
            acknowledged: dict[str, dict[str, list[Any]]] = {player.id: {} for player in matches}
            stop = threading.Event()

            def play(player: Player, seed: int) -> None:
                with client_of(server) as own:
                    mine = Player(own, player.id, player.token)
                    while not stop.is_set():
                        try:
                            state = mine.play(1, seed)
                        except (httpx.TransportError, AssertionError):
                            return
                        acknowledged[player.id][state["as"]] = state["log"]["entries"]
                        seed += 1

            threads = [
                threading.Thread(target=play, args=(player, seed))
                for seed, player in enumerate(matches)
            ]
            for thread in threads:
                thread.start()
            wait_for(
                lambda: all(
                    len(next(iter(sides.values()), [])) > 5 for sides in acknowledged.values()
                )
            )
            server.kill()
            stop.set()
            for thread in threads:
                thread.join()
        server.start()
        with client_of(server) as client:
            for player in matches:
                player.client = client
                # All that was acknowledged is there; one action more may be, its answer lost.
                for side, entries in acknowledged[player.id].items():
                    now = player.state(**{"as": side})["log"]["entries"]
                    assert now[: len(entries)] == entries
    finally:
        server.stop()


def test_bots_go_on_after_a_restart(tmp_path: Path):
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    server = Server(database, tmp_path).start()
    try:
        with client_of(server) as client:
            ann = begin(client, AGAINST_BOT)
            wait_for(lambda: not ann.state()["decision"]["waiting"])
            server.kill()
        server.start()
        with client_of(server) as client:
            ann.client = client
            for _ in range(30):
                state = wait_for(
                    lambda: (s := ann.state())["outcome"] or (not s["decision"]["waiting"] and s)
                )
                if not isinstance(state, dict) or "decision" not in state:
                    break
                ann.play(1)
            sides = {entry.get("side") for entry in ann.state()["log"]["entries"]}
            assert sides >= {"Allied", "German"}
    finally:
        server.stop()


def test_no_worker_outlives_a_killed_server(tmp_path: Path):
    server = Server(f"sqlite:///{tmp_path / 'matches.sqlite'}", tmp_path).start()
    with client_of(server) as client:
        ann = begin(client, AGAINST_BOT)
        wait_for(lambda: not ann.state()["decision"]["waiting"])
    assert server.process is not None
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.is_file():
        server.stop()
        pytest.skip("this system does not tell the children of a process")
    workers = children.read_text().split()
    assert workers
    server.kill()
    wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def test_two_servers_on_one_postgresql_see_each_others_moves(new_postgres: str, tmp_path: Path):
    with (
        Server(new_postgres, tmp_path) as one,
        Server(new_postgres, tmp_path) as two,
        client_of(one) as first,
        client_of(two) as second,
    ):
        ann, guests = begin_with(first, INVITED)
        bert = guests["German"]
        bert.client = second
        address = f"{two.url.replace('http', 'ws')}/api/matches/{ann.id}/live"
        ann.state()
        with connect(address, open_timeout=LONGEST, ping_interval=None) as live:
            live.send(json.dumps({"token": bert.token}))

            def hear(kind: str) -> dict[str, Any]:
                while True:
                    message = json.loads(live.recv(timeout=LONGEST))
                    if message["type"] == kind:
                        return message

            state = hear("state")
            option = state["decision"]["options"][0][:4]
            live.send(json.dumps({"type": "act", "n": 1, "at": state["at"], "option": option}))
            assert hear("reply")["ok"]
            wait_for(lambda: not ann.state()["decision"]["waiting"])
            moved = ann.act()
            while (state := hear("state"))["view"]["units"] != moved["view"]["units"]:
                pass
            assert state["log"]["entries"]
            assert bert.state()["at"] == state["at"]
            ann.post("chat", {"text": "Hello over there"})
            assert hear("chat")["chat"]["lines"][0]["text"] == "Hello over there"
            wait_for(lambda: ann.state()["seats"][1]["online"])
        # Both act on the same state at once, each through a server of its own: one wins.
        alone = begin(first, ALONE)
        there = Player(second, alone.id, alone.token)
        for _ in range(8):
            state = wait_for(lambda: (s := alone.state())["at"] == there.state()["at"] and s)
            if state["decision"] is None:
                break
            body = {"at": state["at"], "option": state["decision"]["options"][0][:4]}
            with ThreadPoolExecutor(2) as both:
                answers = list(both.map(lambda who, b=body: who.post("act", b), (alone, there)))
            assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_only_one_process_plays_the_bots_of_a_match_and_another_takes_over(
    new_postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with Server(new_postgres, tmp_path) as one, Server(new_postgres, tmp_path) as two:
        with client_of(one) as first, client_of(two) as second:
            ann = begin(first, AGAINST_BOT)
            there = Player(second, ann.id, ann.token)
            for seed in range(12):
                wait_for(lambda: (s := there.state())["outcome"] or not s["decision"]["waiting"])
                there.play(1, seed)
            log = there.state()["log"]["entries"]
            assert {entry.get("side") for entry in log} >= {"Allied", "German"}
        one.stop()  # lets go of its bots
        with client_of(two) as second:
            there = Player(second, ann.id, ann.token)
            for seed in range(12):
                state = wait_for(
                    lambda: (s := there.state())["outcome"] or not s["decision"]["waiting"]
                )
                there.play(1, seed)
            assert state
