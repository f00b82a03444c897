"""Maps are drawn ahead, once, in a process of their own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from apennine.server import maps
from apennine.server.app import make_app
from apennine.server.settings import Settings


@pytest.fixture
def ahead(settings: Settings, tmp_path: Path) -> Settings:
    """A server that draws ahead, with no map drawn yet."""
    return replace(settings, games=("crossing",), cache=str(tmp_path), draw_ahead=True)


def kept(folder: str) -> list[Path]:
    return list((Path(folder) / "maps").glob("*.msgpack"))


def test_a_map_is_drawn_before_anybody_asks(ahead: Settings):
    with TestClient(make_app(ahead)):
        end = time.monotonic() + 120
        while not kept(ahead.cache) and time.monotonic() < end:
            time.sleep(0.05)
    assert len(kept(ahead.cache)) == 1


def test_who_asks_while_it_is_drawn_gets_it_all_the_same(ahead: Settings):
    with TestClient(make_app(ahead)) as client:
        assert client.get("/api/games/crossing/board.svg").text.startswith("<svg")
        assert client.get("/api/games/crossing/thumbnail.svg").status_code == 200
    assert len(kept(ahead.cache)) == 1


def test_a_drawn_map_is_not_drawn_again(ahead: Settings, monkeypatch: pytest.MonkeyPatch):
    with TestClient(make_app(ahead)) as client:
        drawn = client.get("/api/games/crossing/board.svg").text
    monkeypatch.setattr("apennine.server.studio.Workers", None)
    monkeypatch.setattr(maps, "drawn", None)
    with TestClient(make_app(ahead)) as client:
        assert client.get("/api/games/crossing/board.svg").text == drawn
