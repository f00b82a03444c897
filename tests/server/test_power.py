"""What is left when the power goes, and when a disk takes no more: all that was acknowledged.

A test cannot cut the power. What it can do is to make the files as they could lie on the disk then:
with all that had been synced when the last answer was given, and of what was written after that
some pages and not others. That SQLite syncs before it answers is its own promise in the mode in
which it is opened (`test_storage.py` holds that).
"""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from apennine.games import get
from apennine.kernel.match import Match
from apennine.server import rows
from apennine.server.app import make_app
from apennine.server.errors import StorageError
from apennine.server.house import House
from apennine.server.room import Room
from apennine.server.settings import Settings
from apennine.server.storage import Storage, make_engine
from tests.server.playing import Player, begin_with
from tests.server.test_storage import keep, reopen
from tests.waiting import run

FRAME_HEAD, WAL_HEAD = 24, 32


class Disk(NamedTuple):
    """The files of a database as they are when all was synced, and what they hold."""

    base: bytes
    wal: bytes
    holds: Any


def summary(room: Room) -> Any:
    """All of a match that was acknowledged."""
    seats = [(seat.kind, seat.name) for seat in room.seats]
    chat = [(said.name, said.text) for said in room.chat]
    return room.n, seats, chat, list(room.match.log), room.match.spent, room.ask, room.resigned


def read_back(folder: Path, base: bytes, wal: bytes, match: str) -> Any:
    """What a server finds after these files were left to it."""
    file = folder / "image.sqlite"
    for end, content in (("", base), ("-wal", wal), ("-shm", None)):
        path = file.with_name(file.name + end)
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_bytes(content)
    engine = make_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        stored = rows.load(connection, match)
    engine.dispose()
    assert stored is not None
    return summary(Room(stored, get("crossing")))


def story(ann: Player, guests: dict[str, Player]) -> Iterator[Callable[[], Any]]:
    """Moves, chat, undo, a name, a rollback asked for, refused and agreed to, a resignation."""
    bert = guests["German"]
    yield lambda: bert.post("name", {"name": "Bert"})
    yield lambda: bert.post("chat", {"text": "Good evening!"})
    for seed in range(6):
        yield lambda seed=seed: (bert if not bert.state()["decision"]["waiting"] else ann).play(
            1, seed
        )
    yield lambda: ann.post("chat", {"text": "x" * 900})
    for player in (ann, bert):
        if (seen := player.state())["may_undo"]:
            yield lambda player=player, at=seen["at"]: player.post("undo", {"at": at})
    yield lambda: bert.post("rollback", {"to": 1})
    yield lambda: ann.post("rollback/answer", {"accept": False})
    yield lambda: bert.post("rollback", {"to": 1})
    yield lambda: ann.post("rollback/answer", {"accept": True})
    yield lambda: bert.play(1, 9)
    yield lambda: ann.post("resign")


def record(settings: Settings, tmp_path: Path) -> tuple[str, list[Disk]]:
    """The files after each acknowledgement of a story."""
    file = tmp_path / "matches.sqlite"
    with TestClient(make_app(settings)) as client:
        house: House = client.app.state.house
        ann, guests = begin_with(client)
        disks: list[Disk] = []

        def keep_files() -> None:
            wal = file.with_name(f"{file.name}-wal").read_bytes()
            disks.append(Disk(file.read_bytes(), wal, summary(house.rooms[ann.id])))

        keep_files()
        guests["German"].state()  # he joins
        keep_files()
        for act in story(ann, guests):
            act()
            keep_files()
    return ann.id, disks


def images(before: Disk, after: Disk) -> Iterator[bytes]:
    """The log of writes as it may lie there if the power goes before the second one is synced."""
    assert after.base == before.base
    assert after.wal.startswith(before.wal), "the log of writes began anew"
    page = struct.unpack(">I", after.wal[8:12])[0]
    frame = FRAME_HEAD + page
    start, end = len(before.wal), len(after.wal)
    assert (start - WAL_HEAD) % frame == (end - WAL_HEAD) % frame == 0
    for cut in range(start, end, frame):
        yield after.wal[:cut]
        yield after.wal[: cut + frame // 2]
        lost = bytes(frame)
        yield after.wal[:cut] + lost + after.wal[cut + frame :]


def test_what_was_not_synced_may_be_lost_and_what_was_acknowledged_is_not(
    settings: Settings, tmp_path: Path
):
    match, disks = record(settings, tmp_path)
    with closing(sqlite3.connect(tmp_path / "matches.sqlite")) as connection:
        done = {kind for (kind,) in connection.execute("SELECT kind FROM actions")}
    assert done == {
        "begun", "join", "name", "chat", "chosen", "undo", "ask", "refuse", "rollback", "resign",
    }  # fmt: skip
    tried = 0
    for before, after in pairwise(disks):
        assert read_back(tmp_path, after.base, after.wal, match) == after.holds
        for wal in images(before, after):
            assert read_back(tmp_path, before.base, wal, match) == before.holds
            tried += 1
    assert tried > 60


# A disk that takes no more.


async def write_while_it_can(storage: Storage, room: Room, count: int) -> list[str]:
    """Write lines to the chat; those that were acknowledged."""
    said: list[str] = []
    for number in range(count):
        line = f"{room.n}.{number} " + "x" * 300
        plan = room.say((0,), line)
        try:
            await storage.write(room.id, rows.append, room.id, plan.action, plan.head)
        except StorageError:
            continue
        room.take(plan)
        said.append(line)
    return said


def fail_writes(database: str) -> None:
    """Let the disk refuse the first write, the second and so on; runs in a process of its own."""
    import resource

    async def story() -> None:
        storage = Storage(f"sqlite:///{database}")
        storage.open()
        match = Match[Any](get("crossing"), seed=4)
        room = await keep(storage, match)
        wal = Path(f"{database}-wal")
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        acknowledged: list[str] = []
        refused = 0
        for step in range(24):
            most = wal.stat().st_size + 1500 * step
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
            said = await write_while_it_can(storage, room, 4)
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            refused += 4 - len(said)
            acknowledged += said
            acknowledged += await write_while_it_can(storage, room, 1)
            again = await reopen(storage, match)
            assert [line.text for line in again.chat] == acknowledged, step
        storage.close()
        print(json.dumps([len(acknowledged), refused]))  # noqa: T201

    run(story())


@pytest.mark.skipif(
    importlib.util.find_spec("resource") is None, reason="this system does not bound files"
)
def test_whichever_write_the_disk_refuses_what_was_acknowledged_is_kept(tmp_path: Path):
    code = f"from tests.server.test_power import fail_writes; fail_writes({str(tmp_path / 'x')!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    acknowledged, refused = json.loads(done.stdout)
    assert acknowledged > 30
    assert refused > 10, "the disk hardly ever refused"
