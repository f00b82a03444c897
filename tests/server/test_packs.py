"""Packs on a server: the corrected game stands beside the plain one, and matches remember it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from apennine import games
from apennine.cli import main
from apennine.kernel.pack import PackError
from apennine.kernel.save import parse, replay
from apennine.server.app import make_app
from apennine.server.settings import Settings
from tests.server.playing import ALONE, Player
from tests.waiting import wait_for

CORRECTED = "crossing+stronger"

COVER = """
name = "stronger"
title = "The Crossing, as printed"
game = "crossing"
source = "printed: the counters"
"""

UNITS = """
[[units]]
name = "1 Inf"
faces = [[9, 4], [2, 2]]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "stronger"
    folder.mkdir()
    (folder / "pack.toml").write_text(COVER, "utf-8")
    (folder / "units.toml").write_text(UNITS, "utf-8")
    return folder


@pytest.fixture
def serve(settings: Settings) -> Callable[..., Any]:
    """Starts a server with packs; the matches are those of the server before."""

    @contextmanager
    def start(*packs: Path) -> Iterator[TestClient]:
        laid = replace(settings, packs=tuple(map(str, packs)))
        with TestClient(make_app(laid)) as client:
            yield client

    return start


def begin(client: TestClient, game: str, seats: dict[str, str] = ALONE) -> Player:
    made = client.post("/api/matches", json={"game": game, "seats": seats, "pace": "instant"})
    assert made.status_code == 201, made.text
    return Player(client, made.json()["id"], made.json()["token"])


def attack(player: Player) -> int:
    units = {unit["name"]: unit for unit in player.state()["view"]["units"]}
    return units["1 Inf"]["factors"]["attack"]


def test_a_game_with_a_pack_is_offered_beside_the_plain_one(serve: Callable[..., Any], pack: Path):
    with serve(pack) as client:
        offered = {game["key"]: game for game in client.get("/api/games").json()}
        assert offered["crossing"]["packs"] == []
        assert offered[CORRECTED]["packs"] == [
            {
                "name": "stronger",
                "title": "The Crossing, as printed",
                "source": "printed: the counters",
            }
        ]
        assert offered[CORRECTED]["title"] == offered["crossing"]["title"]
        assert offered["italy1944"]["packs"] == []
        for place in (offered[CORRECTED]["map"], f"/api/games/{CORRECTED}/board"):
            assert client.get(place).status_code == 200


def test_a_match_is_played_with_the_numbers_that_were_chosen(serve: Callable[..., Any], pack: Path):
    with serve(pack) as client:
        assert attack(begin(client, CORRECTED)) == 9
        assert attack(begin(client, "crossing")) != 9


def test_the_bot_plays_with_the_same_numbers(serve: Callable[..., Any], pack: Path):
    with serve(pack) as client:
        ann = begin(client, CORRECTED, {"Allied": "bot:greedy", "German": "bot:greedy"})
        over = wait_for(lambda: state if (state := ann.state())["outcome"] else None)
        assert over["game"] == CORRECTED
        assert over["notes"] == []
        assert replay(parse(ann.get("save").text), games.get("crossing", [pack])).divergence is None


def test_a_match_opens_again_with_its_pack_and_not_without(serve: Callable[..., Any], pack: Path):
    with serve(pack) as client:
        ann, plain = begin(client, CORRECTED), begin(client, "crossing")
        ann.play(10)
        seen = ann.state()
    with serve(pack) as client:
        assert Player(client, ann.id, ann.token).state() == seen
        rows = client.post("/api/mine", json={"tokens": [{"id": ann.id, "token": ann.token}]})
        assert [row["game"] for row in rows.json()] == [CORRECTED]
    with serve() as client:
        answer = Player(client, ann.id, ann.token).get("state")
        assert answer.status_code == 404
        assert answer.json()["error"] == (
            "This server does not have the game 'crossing' with the pack stronger."
        )
        assert Player(client, plain.id, plain.token).get("state").status_code == 200


def test_a_save_becomes_a_match_with_the_same_pack(serve: Callable[..., Any], pack: Path):
    with serve(pack) as client:
        ann = begin(client, CORRECTED)
        ann.play(10)
        saved = ann.get("save").text
        made = client.post("/api/saves", content=saved).json()
        again = Player(client, made["id"], made["token"])
        assert attack(again) == 9
        assert again.state()["game"] == CORRECTED
    with serve() as client:
        refused = client.post("/api/saves", content=saved)
        assert refused.status_code == 422
        assert "the pack 'stronger'" in refused.json()["error"]


def test_a_pack_for_no_game_of_this_server_is_told_at_once(settings: Settings, pack: Path):
    (pack / "pack.toml").write_text(COVER.replace('"crossing"', '"chess"'), "utf-8")
    with pytest.raises(PackError, match="Pack stronger is for chess; the games here are crossing"):
        make_app(replace(settings, packs=(str(pack),)))


def test_a_pack_with_a_mistake_keeps_the_command_from_serving(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (pack / "units.toml").write_text(UNITS.replace("1 Inf", "1 Imf"), "utf-8")
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    assert main(["serve", "--no-open", "--database", database, "--pack", str(pack)]) == 2
    assert "perhaps '1 Inf' is meant" in capsys.readouterr().err
