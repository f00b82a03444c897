"""The webhook: one call when somebody who is away must act, and nothing that holds up play."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from apennine.cli import main
from apennine.server.app import make_app
from apennine.server.settings import Settings
from apennine.server.webhook import check_address
from tests.server.playing import AGAINST_BOT, ALONE, INVITED, begin, begin_with
from tests.waiting import wait_for


class Receiver:
    """A program that hears calls on the loopback, and may be told to answer badly."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.status = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                receiver.calls.append(json.loads(self.rfile.read(length)))
                self.send_response(receiver.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def called(settings: Settings, receiver: Receiver) -> Iterator[TestClient]:
    told = replace(settings, webhook=receiver.url, public_url="https://play.example/")
    with TestClient(make_app(told)) as client:
        yield client


def test_who_is_away_and_must_act_is_told_of_once(called: TestClient, receiver: Receiver):
    ann, guests = begin_with(called, INVITED)
    wait_for(lambda: receiver.calls)
    assert receiver.calls[0] == {
        "match": ann.id,
        "game": "crossing",
        "title": "The Crossing",
        "side": "German",
        "name": "",
        "turn": 1,
        "prompt": "German makes a secret choice",
        "url": f"https://play.example/match/{ann.id}",
        "n": 0,
    }
    guests["German"].act()
    wait_for(lambda: len(receiver.calls) > 1)
    ann.act()
    ann.act()
    # A match made later is told of after everything that was due before it.
    other, _ = begin_with(called, INVITED)
    wait_for(lambda: receiver.calls[-1]["match"] == other.id)
    assert [call["side"] for call in receiver.calls] == ["German", "Allied", "German"]


def test_a_call_holds_no_token(called: TestClient, receiver: Receiver):
    ann, guests = begin_with(called, INVITED)
    wait_for(lambda: receiver.calls)
    secrets = [ann.token, *(guest.token for guest in guests.values())]
    assert not [secret for secret in secrets if secret and secret in json.dumps(receiver.calls)]


def test_bots_are_not_called(called: TestClient, receiver: Receiver):
    begin(called, AGAINST_BOT)
    later = begin(called, ALONE)
    wait_for(lambda: [call for call in receiver.calls if call["match"] == later.id])
    assert {call["side"] for call in receiver.calls if call["match"] != later.id} <= {"Allied"}


@pytest.mark.parametrize("status", [0, 500])
def test_a_receiver_that_fails_costs_a_line_in_the_log_and_nothing_else(
    status: int, settings: Settings, receiver: Receiver, caplog: pytest.LogCaptureFixture
):
    receiver.status = status or 204
    address = receiver.url if status else "http://127.0.0.1:9/nobody"
    with (
        caplog.at_level(logging.WARNING, "apennine.server"),
        TestClient(make_app(replace(settings, webhook=address))) as client,
    ):
        ann = begin(client, ALONE)
        wait_for(lambda: "The webhook was not told" in caplog.text)
        assert ann.act()["decision"]
    lines = [record.getMessage() for record in caplog.records]
    assert not [line for line in lines if "\n" in line or "Traceback" in line]


def test_an_address_that_is_none_is_refused_at_the_start(capsys: pytest.CaptureFixture[str]):
    assert main(["serve", "--no-open", "--webhook", "file:///etc/passwd"]) == 2
    assert "must be an address such as https://host/path" in capsys.readouterr().err
    assert check_address("http://[::1]:8080/x") == ""
    assert check_address("http://host:99999/") != ""
