"""The commands that look after a database: `prune` and `backup`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from apennine.cli import main
from apennine.server.app import make_app
from apennine.server.settings import Settings
from apennine.server.sweeper import Sweeper
from apennine.server.tables import metadata
from tests.server.playing import ALONE, INVITED, Player, begin, begin_with
from tests.waiting import wait_for

DAY = 86400.0


def age(database: str, days: dict[str, float]) -> None:
    """Let the last news of some matches be so old."""
    engine = create_engine(Settings(database=database).url())
    with engine.begin() as connection:
        for id, old in days.items():
            connection.execute(
                text("UPDATE matches SET updated = :then WHERE id = :id"),
                {"then": time.time() - old * DAY, "id": id},
            )
    engine.dispose()


def rows_of(database: str, match: str) -> int:
    """How many rows in all tables belong to a match."""
    engine = create_engine(Settings(database=database).url())
    with engine.connect() as connection:
        found = sum(
            connection.scalar(
                text(f"SELECT count(*) FROM {table.name} WHERE {column} = :id"), {"id": match}
            )
            for table in metadata.sorted_tables
            if (column := "id" if table.name == "matches" else "match") in table.c
        )
    engine.dispose()
    return found


def kept(client: TestClient, players: list[Player]) -> list[bool]:
    answers = [client.get(f"/api/matches/{p.id}/state", headers=p.headers) for p in players]
    return [answer.status_code == 200 for answer in answers]


@pytest.fixture
def on(settings: Settings, database: str) -> Settings:
    return msgspec.structs.replace(settings, database=database)


def make(client: TestClient) -> list[Player]:
    """An unplayed match, one between bots, an unfinished and a finished one."""
    bots = {"Allied": "bot:random", "German": "bot:random"}
    players = [begin(client, ALONE), begin(client, bots), begin(client), begin(client)]
    wait_for(lambda: players[1].state()["outcome"])
    players[2].play(3)
    assert players[3].post("resign").status_code == 200
    return players


@pytest.mark.parametrize(
    ("options", "stays"),
    [
        ([], [False, False, True, True]),
        (["--unplayed", "90"], [True, True, True, True]),
        (["--unfinished", "50"], [False, False, False, True]),
        (["--unfinished", "70", "--finished", "50"], [False, False, True, False]),
    ],
)
def test_what_is_old_enough_is_removed_with_all_that_belongs_to_it(
    on: Settings, options: list[str], stays: list[bool], capsys: pytest.CaptureFixture[str]
):
    with TestClient(make_app(on)) as client:
        players = make(client)
        new = make(client)
    age(on.database, {player.id: 60 for player in players})
    before = [rows_of(on.database, player.id) for player in players]
    command = ["prune", "--database", on.database, *options]
    assert main([*command, "--dry-run"]) == 0
    many = stays.count(False)
    assert capsys.readouterr().out.startswith(f"{many} matches would be removed: ")
    assert [rows_of(on.database, player.id) for player in players] == before
    assert main(command) == 0
    assert capsys.readouterr().out.startswith(f"{many} matches removed: ")
    assert [rows_of(on.database, player.id) > 0 for player in players] == stays
    with TestClient(make_app(on)) as client:
        assert kept(client, players) == stays
        assert kept(client, new) == [True] * 4


def test_who_looks_at_a_match_that_is_removed_is_told(on: Settings):
    """The command may run beside the server."""
    with TestClient(make_app(on)) as client:
        ann = begin(client)
        ann.state()
        age(on.database, {ann.id: 60})
        assert main(["prune", "--database", on.database]) == 0
        assert ann.post("chat", {"text": "hello"}).status_code == 404
        assert ann.get("state").status_code == 404
        assert rows_of(on.database, ann.id) == 0


def test_a_server_removes_what_nobody_has_played(settings: Settings):
    with TestClient(make_app(settings)) as client:
        played, unplayed, new = begin(client), begin(client), begin(client)
        played.play(2)
        age(settings.database, {played.id: 60, unplayed.id: 60})
        client.portal.call(Sweeper(client.app.state.house, 30).sweep)
        assert kept(client, [played, unplayed, new]) == [True, False, True]
    age(settings.database, {new.id: 60})
    with TestClient(make_app(msgspec.structs.replace(settings, expire=30))) as client:
        wait_for(lambda: kept(client, [played, new]) == [True, False])


def test_a_message_counts_as_play(settings: Settings):
    with TestClient(make_app(settings)) as client:
        ann, guests = begin_with(client, INVITED)
        guests["German"].state()
        age(settings.database, {ann.id: 60})
        assert main(["prune", "--database", settings.database]) == 0
        assert ann.get("state").status_code == 200


# Backup.


def there(client: TestClient, players: list[Player]) -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = []
    for player in players:
        player.client = client
        states.append(player.state())
    return states


def test_a_backup_is_a_database_that_a_server_can_serve(
    on: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "backup.sqlite"
    with TestClient(make_app(on)) as client:
        players = make(client)
        players[0].post("chat", {"text": "Good evening!"})
        before = there(client, players)
        assert main(["backup", str(file), "--database", on.database]) == 0  # while it runs
        players[0].act()  # is not in it
    assert f"4 matches are in {file}" in capsys.readouterr().out
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup.sqlite"]
    copy = msgspec.structs.replace(on, database=f"sqlite:///{file}")
    with TestClient(make_app(copy)) as client:
        assert there(client, players) == before
        assert players[0].act()


def test_a_backup_goes_into_postgresql_too(settings: Settings, new_postgres: str):
    with TestClient(make_app(settings)) as client:
        players = make(client)
        before = there(client, players)
    assert main(["backup", new_postgres, "--database", settings.database]) == 0
    with TestClient(make_app(msgspec.structs.replace(settings, database=new_postgres))) as client:
        assert there(client, players) == before


def test_a_backup_is_of_one_moment(on: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is written while it is made is in it altogether or not at all."""
    from apennine.server import copying

    with TestClient(make_app(on)) as client:
        ann = begin(client)
        real: Callable[..., None] = copying._copy

        def slow(table: Any, *connections: Any) -> None:
            real(table, *connections)
            ann.post("chat", {"text": f"after {table.name}"})

        monkeypatch.setattr(copying, "_copy", slow)
        file = tmp_path / "backup.sqlite"
        assert main(["backup", str(file), "--database", on.database]) == 0
        lines = [line["text"] for line in ann.state()["chat"]["lines"]]
    assert len(lines) > 3
    copy = msgspec.structs.replace(on, database=f"sqlite:///{file}")
    with TestClient(make_app(copy)) as client:
        (state,) = there(client, [ann])
        said = [line["text"] for line in state["chat"]["lines"]]
        assert said in ([], lines[:1])  # a snapshot is taken at the first look
        assert ann.act()


@pytest.mark.parametrize("command", [["prune"], ["backup", "new.sqlite"]])
def test_a_database_that_is_none_is_told_in_a_sentence(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    Path("empty.sqlite").touch()
    Path("text.sqlite").write_text("this is no database at all" * 100)
    for name, told in [
        ("sqlite:///nothing.sqlite", "There is no database nothing.sqlite."),
        ("sqlite:///empty.sqlite", "The database holds no matches of Apennine."),
        ("sqlite:///text.sqlite", "The database cannot be opened: file is not a database."),
        ("nonsense", "'nonsense' is not the URL of a database."),
    ]:
        assert main([*command, "--database", name]) == 2
        assert capsys.readouterr().err.strip() == told
    assert not Path("new.sqlite").exists()
    assert not Path("nothing.sqlite").exists()


def test_a_backup_overwrites_nothing(
    settings: Settings, tmp_path: Path, new_postgres: str, capsys: pytest.CaptureFixture[str]
):
    with TestClient(make_app(settings)) as client:
        begin(client)
    command = ["backup", "--database", settings.database]
    there = tmp_path / "there"
    there.write_text("mine")
    assert main([*command, str(there)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert there.read_text() == "mine"
    assert main([*command, str(tmp_path / "no" / "folder")]) == 2
    assert "There is no folder" in capsys.readouterr().err
    assert main([*command, new_postgres]) == 0
    assert main([*command, new_postgres]) == 2
    assert "must be empty" in capsys.readouterr().err
