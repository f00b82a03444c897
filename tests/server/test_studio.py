"""Maps are drawn ahead, once, in a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from apennine.server import maps
from apennine.server.app import make_app
from apennine.server.settings import Settings
from tests.waiting import wait_for


@pytest.fixture
def ahead(settings: Settings, tmp_path: Path) -> Settings:
    """A server that draws ahead, with no map drawn yet."""
    return replace(settings, games=("crossing",), cache=str(tmp_path), draw_ahead=True)


def kept(folder: str) -> list[Path]:
    return list((Path(folder) / "maps").glob("*.msgpack"))


def test_a_map_is_drawn_before_anybody_asks(ahead: Settings):
    with TestClient(make_app(ahead)):
        wait_for(lambda: kept(ahead.cache))
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
