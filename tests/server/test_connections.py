"""Connections, names and origins: what a server lets in at all."""

from __future__ import annotations

import logging
import select
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from starlette.testclient import TestClient, WebSocketDisconnect

from apennine.cli import main
from apennine.server.app import make_app
from apennine.server.connections import Connections, read_networks
from apennine.server.limits import Limits
from apennine.server.settings import Settings
from apennine.server.storage import Storage
from tests.server.playing import begin
from tests.server.serving import Server
from tests.waiting import LONGEST, wait_for


def serve(folder: Path, *more: str) -> Server:
    database = f"sqlite:///{folder / 'matches.sqlite'}"
    return Server(database, folder, 0, *more, limits=True)


def call(server: Server, text: str) -> socket.socket:
    """A connection on which some text was sent."""
    made = socket.create_connection(("127.0.0.1", server.port), LONGEST)
    made.sendall(text.replace("\n", "\r\n").encode())
    return made


def read(connection: socket.socket) -> bytes:
    """All that is answered until the server hangs up."""
    found = b""
    while True:
        try:
            part = connection.recv(4096)
        except ConnectionResetError:
            return found
        if not part:
            return found
        found += part


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits for nobody."""
    limits = ["--limit", "header_seconds=0.3", "--limit", "body_seconds=0.3"]
    with serve(tmp_path_factory.mktemp("hasty"), *limits) as server:
        yield server


HOST = "Host: localhost\n"


@pytest.mark.parametrize("text", ["", "GET / HTTP/1.1\n", f"GET /healthz HTTP/1.1\n{HOST}X: "])
def test_who_does_not_say_what_he_wants_is_not_waited_for(hasty: Server, text: str):
    with closing(call(hasty, text)) as slow:
        assert read(slow) == b""


def test_nor_when_he_was_answered_before(hasty: Server):
    with closing(call(hasty, f"GET /healthz HTTP/1.1\n{HOST}\nGET /heal")) as slow:
        answer = read(slow)
    assert answer.count(b"HTTP/1.1") == 1
    assert b" 200 " in answer


def test_nor_for_the_rest_of_a_request(hasty: Server):
    head = f"POST /api/mine HTTP/1.1\n{HOST}Content-Length: 10\n\n"
    with closing(call(hasty, head + "{")) as slow:
        answer = read(slow)
    assert b" 408 " in answer
    assert b"did not arrive in time" in answer


def test_who_goes_in_the_middle_of_a_request_is_no_error_of_the_server(client: TestClient):
    came = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    path, headers = "/api/mine", [(b"host", b"localhost"), (b"content-length", b"10")]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": headers, "client": ("127.0.0.1", 1), "scheme": "http"}
    told: list[Any] = []

    async def receive() -> Any:
        return came.pop(0)

    async def send(message: Any) -> None:
        told.append(message)

    client.portal.call(client.app, scope, receive, send)
    assert told[0]["status"] == 400
    assert not came


def test_a_client_has_so_many_connections_and_no_more(tmp_path: Path):
    with serve(tmp_path, "--limit", "connections=5", "--limit", "header_seconds=600") as server:
        held = [call(server, "GET /") for _ in range(12)]

        def answered() -> list[socket.socket]:
            return select.select(held, [], [], 0)[0]

        wait_for(lambda: len(answered()) >= 12 - 5)
        told = [read(connection) for connection in answered()]
        assert all(b" 503 " in answer for answer in told)
        assert b"This address has too many connections open." in told[0]
        for connection in held:
            connection.close()
        wait_for(lambda: _answers(server))


def _answers(server: Server) -> bool:
    try:
        return httpx.get(f"{server.url}/healthz", timeout=LONGEST).status_code == 200
    except httpx.TransportError:
        return False


def test_connections_are_counted_for_each_client_and_in_all():
    counts = Connections(
        Limits(connections=2, connections_in_all=4), read_networks(["10.1.0.0/16"])
    )
    assert [counts.admit("192.0.2.1") for _ in range(2)] == ["", ""]
    assert "This address" in counts.admit("192.0.2.1")
    assert counts.admit("192.0.2.2") == ""
    assert counts.admit("10.1.2.3") == ""
    assert "The server" in counts.admit("10.1.2.3")
    counts.release("192.0.2.1")
    assert counts.admit("10.1.2.3") == "", "a proxy brings many clients"
    for host in ("10.1.2.3", "10.1.2.3", "192.0.2.1", "192.0.2.2"):
        counts.release(host)
    assert counts._open == {}


# Whose word counts.


def far(server: Server, name: str) -> int:
    headers = {"x-forwarded-for": name}
    return httpx.get(f"{server.url}/healthz", headers=headers, timeout=LONGEST).status_code


@pytest.mark.parametrize("trusted", [(), ("--trusted-proxy", "127.0.0.1")])
def test_a_clients_word_on_who_he_is_counts_only_from_a_trusted_proxy(
    tmp_path: Path, trusted: tuple[str, ...]
):
    few = ["--limit", "requests=60", "--limit", "requests_a_second=0.000001"]
    with serve(tmp_path, *few, *trusted) as server:
        answers = [far(server, f"192.0.2.{number}") for number in range(50)]
        more = 0
        while more < 100 and far(server, "192.0.2.200") == 200:
            more += 1
        assert answers == [200] * 50
        assert (more == 60) == bool(trusted), "the requests of all were counted together"


def test_a_proxy_that_is_no_address_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]):
    for wrong in ("*", "everybody", "10.0.0.1/8"):
        assert main(["serve", "--no-open", "--trusted-proxy", wrong]) == 2
        assert "A trusted proxy is an address or a network" in capsys.readouterr().err


# What it is called, and from where.


@pytest.mark.parametrize(
    "host", ["testserver", "TestServer:80", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"]
)
def test_its_own_names_and_any_address_are_answered(client: TestClient, host: str):
    assert client.get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example"])
def test_another_name_is_not(client: TestClient, host: str):
    answer = client.get("/api/games", headers={"host": host})
    assert answer.status_code == 421
    assert "--allow-host" in answer.json()["error"]
    assert answer.headers["content-security-policy"]
    ann = begin(client)
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"/api/matches/{ann.id}/live", headers={"host": host}),
    ):
        pass
    assert closed.value.code == 1008


def test_a_public_address_names_the_server_too(settings: Settings):
    public = msgspec.structs.replace(settings, public_url="https://play.example/")
    with TestClient(make_app(public)) as client:
        assert client.get("/", headers={"host": "play.example"}).status_code == 200
        own = {"host": "127.0.0.1:8000", "origin": "https://play.example"}
        assert client.post("/api/mine", json={"tokens": []}, headers=own).status_code == 200


FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_page_can_change_nothing(client: TestClient, headers: dict[str, str]):
    """A form or a script elsewhere may send text without asking first."""
    simple = headers | {"content-type": "text/plain"}
    ann = begin(client)
    for path in ("/api/matches", "/api/saves", "/api/mine", f"/api/matches/{ann.id}/join"):
        answer = client.post(path, content="{}", headers=simple)
        assert answer.status_code == 403
        assert answer.json() == {"error": "Another page may not do this."}
    assert client.get("/api/games", headers=headers).status_code == 200


def test_its_own_pages_and_programs_can(client: TestClient):
    for headers in (
        {},
        {"origin": "http://testserver"},
        {"origin": "http://testserver", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
    ):
        answer = client.post("/api/mine", json={"tokens": []}, headers=headers)
        assert answer.status_code == 200


# Sockets.


def read_on(wire: Any) -> None:
    while True:
        wire.receive_json()


def test_bytes_end_a_socket_with_a_word_and_no_traceback(
    client: TestClient, caplog: pytest.LogCaptureFixture
):
    ann = begin(client)
    for greeted in (False, True):
        with client.websocket_connect(f"/api/matches/{ann.id}/live") as wire:
            if greeted:
                wire.send_json({"token": ann.token})
                assert wire.receive_json()["type"] == "state"
            wire.send_bytes(b"\x00\x01")
            with pytest.raises(WebSocketDisconnect) as closed:
                read_on(wire)
            assert closed.value.code == 1003
            assert closed.value.reason == "Messages must be text."
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_database_that_does_not_answer_ends_a_socket_with_a_word(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    ann = begin(client)
    monkeypatch.setattr("apennine.server.rows.find_token", lambda *_: 1 // 0)
    storage: Storage = client.app.state.storage
    monkeypatch.setattr(storage, "engine", Storage("sqlite:////no/such/folder/x.db").engine)
    with client.websocket_connect(f"/api/matches/{ann.id}/live") as wire:
        wire.send_json({"token": ann.token})
        assert wire.receive_json()["status"] == 503


def test_all_sockets_are_counted_too(settings: Settings):
    limits = Limits(sockets_in_all=1)
    with TestClient(make_app(msgspec.structs.replace(settings, limits=limits))) as client:
        ann = begin(client)
        path = f"/api/matches/{ann.id}/live"
        with client.websocket_connect(path) as first:
            first.send_json({"token": ann.token})
            assert first.receive_json()["type"] == "state"
            with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect(path):
                pass
            assert closed.value.code == 1013


# One server to a file.


def test_a_second_server_on_one_file_is_refused_in_a_sentence(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command = ["serve", "--no-open", "--port", "0", "--database", settings.database]
    with TestClient(make_app(settings)) as client:
        ann = begin(client)
        assert main(command) == 2
        complaint = capsys.readouterr().err
        assert complaint == (
            f"Another server uses {tmp_path / 'matches.sqlite'} already; "
            "several servers need PostgreSQL.\n"
        )
        assert ann.act()
    with TestClient(make_app(settings)) as client:  # the first has gone
        ann.client = client
        assert ann.act()
