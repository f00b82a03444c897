"""Limits and headers."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient, WebSocketDisconnect

from apennine.server.app import make_app
from apennine.server.budgets import Buckets, Budget
from apennine.server.errors import Refused
from apennine.server.headers import POLICY
from apennine.server.limits import Limits
from apennine.server.settings import Settings, cache_folder, data_folder
from tests.server.playing import ALONE, begin


@pytest.mark.parametrize(
    "path", ["/api/games", "/healthz", "/nothing", "/symbols/infantry/corps.svg"]
)
def test_every_answer_has_the_headers_that_browsers_obey(client: TestClient, path: str):
    headers = client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline():
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert "default-src 'self'" in POLICY
    assert "frame-ancestors 'none'" in POLICY


def test_a_picture_with_its_own_style_may_use_it_and_nothing_else(client: TestClient):
    policy = client.get("/api/games/crossing/thumbnail.svg").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "sandbox" in policy


def test_states_are_not_kept_by_caches(client: TestClient):
    assert begin(client).get("state").headers["cache-control"] == "no-store"


def test_what_is_too_long_is_refused(client: TestClient):
    ann = begin(client)
    long = {"text": "x" * 100_000}
    assert ann.error("chat", long)[0] == 413
    answer = client.post("/api/saves", content="x" * (2 * 1024 * 1024 + 1))
    assert answer.status_code == 413


def limited(settings: Settings, limits: Limits) -> TestClient:
    return TestClient(make_app(msgspec.structs.replace(settings, limits=limits)))


def test_who_asks_too_often_must_wait(settings: Settings):
    with limited(settings, Limits(requests=5, requests_a_second=1e-6)) as client:
        answers = [client.get("/api/matches") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        assert "try again" in answers[-1].json()["error"]


def test_who_makes_too_many_matches_must_wait(settings: Settings):
    with limited(settings, Limits(matches=Budget(1000, 2))) as client:
        wanted = {"game": "crossing", "seats": ALONE}
        answers = [client.post("/api/matches", json=wanted) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_who_talks_too_much_must_wait(settings: Settings):
    with limited(settings, Limits(lines=2, lines_a_second=1e-6)) as client:
        ann = begin(client)
        answers = [ann.post("chat", {"text": "hello"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert len(ann.state()["chat"]["lines"]) == 2


def test_one_address_may_not_open_sockets_without_end(settings: Settings):
    with limited(settings, Limits(sockets=1)) as client:
        ann = begin(client)
        path = f"/api/matches/{ann.id}/live"
        with client.websocket_connect(path) as first:
            first.send_json({"token": ann.token})
            assert first.receive_json()["type"] == "state"
            with (
                pytest.raises(WebSocketDisconnect) as closed,
                client.websocket_connect(path) as second,
            ):
                second.receive_json()
            assert closed.value.code == 1013
            assert "too many matches open" in closed.value.reason


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch):
    now = [100.0]
    monkeypatch.setattr("apennine.server.budgets.time.monotonic", lambda: now[0])
    buckets = Buckets(2, 1.0, enforced=True)
    buckets.take("ann")
    buckets.take("ann")
    with pytest.raises(Refused, match="try again in 1 s"):
        buckets.take("ann")
    buckets.take("bert")
    now[0] += 1.0
    buckets.take("ann")
    with pytest.raises(Refused):
        buckets.take("ann")


def test_data_and_cache_lie_where_the_system_wants_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/x/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x/cache")
    assert data_folder() == Path("/x/data/apennine")
    assert cache_folder() == Path("/x/cache/apennine")
    monkeypatch.setattr("sys.platform", "darwin")
    assert data_folder() == Path.home() / "Library/Application Support/apennine"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", "/roaming")
    assert data_folder() == Path("/roaming/apennine")
