"""What is kept, on both databases: it comes back as it was, and only in one order."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, event, text
from starlette.testclient import TestClient

from apennine.bots import RandomBot
from apennine.kernel.match import Match
from apennine.server import founding, history, rows
from apennine.server.app import make_app
from apennine.server.errors import Conflict, StorageError
from apennine.server.history import open_history
from apennine.server.room import Room
from apennine.server.rows import Action, SeatRow, Stored
from apennine.server.settings import Settings
from apennine.server.storage import Storage
from tests.contracts.playthroughs import load
from tests.server.playing import Player, begin, begin_with
from tests.waiting import run

CHUNK = 80
SEATS = [SeatRow(0, "person"), SeatRow(1, "person")]


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    made = Storage(Settings(database=database).url())
    made.open()
    yield made
    made.close()


async def keep(storage: Storage, match: Match[Any], id: str = "m") -> Room:
    """A new match in the database, as a room."""
    birth, head, begun, kept = founding.begin(match, id)
    await storage.write(id, rows.create, birth, head, SEATS, [], begun, kept)
    return await reopen(storage, match, id)


async def reopen(storage: Storage, match: Match[Any], id: str = "m") -> Room:
    stored = await storage.read(rows.load, id)
    assert stored is not None
    return Room(stored, match.game)


async def do(storage: Storage, room: Room, plan: Callable[[Room], Any]) -> None:
    made = plan(room)
    await storage.write(room.id, rows.append, room.id, made.action, made.head, made.checkpoint)
    room.take(made)


def choose(room: Room, bot: Any) -> Any:
    seat = room.match.seat()
    return room.choose((seat.side,), bot(seat))


def same(one: Match[Any], other: Match[Any]) -> None:
    assert one.digest == other.digest
    assert list(one.log) == list(other.log)
    assert (one.seed, one.spent, one.dice_since) == (other.seed, other.spent, other.dice_since)
    assert one.decision == other.decision
    assert one.outcome == other.outcome


@pytest.mark.parametrize("module", ["apennine.games.crossing", "tests.torture"])
def test_a_match_comes_back_at_every_moment(storage: Storage, module: str):
    """Played, taken back and rolled back at random; opened again after each step."""

    async def story() -> None:
        match = Match[Any](load(module), seed=4)
        room = await keep(storage, match)
        random, bot = Random(8), RandomBot(8)
        for step in range(80):
            if room.match.decision is None:
                break
            side = room.match.seat().side
            if random.random() < 0.15 and room.may_take_back((0, 1)) is not None:
                await do(storage, room, lambda room: room.take_back((0, 1)))
            elif random.random() < 0.05 and len(room.seen(side)) > 1:
                k = random.randrange(len(room.seen(side)))
                await do(
                    storage, room, lambda room, k=k, side=side: room.roll_back((0, 1), side, k)
                )
            else:
                await do(storage, room, lambda room: choose(room, bot))
            if step % 4 == 0:
                again = await reopen(storage, match)
                same(again.match, room.match)
                assert again.history.turns == room.history.turns
                assert again.n == room.n

    run(story())


@pytest.fixture
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints after fewer entries, so that a match need not be long to have several."""
    monkeypatch.setattr(history, "CHUNK", CHUNK)


def test_a_long_match_opens_from_its_last_checkpoint(storage: Storage, short_chunks: None):
    """The actions before it are not even read; and the dice that come are the same ones."""

    async def story() -> None:
        match = Match[Any](load("apennine.games.italy1944"), seed=4)
        room, bot = await keep(storage, match), RandomBot(8)
        while len(room.match.log) < 3 * CHUNK:
            await do(storage, room, lambda room: choose(room, bot))
        stored = await storage.read(rows.load, "m")
        assert stored is not None
        assert len(stored.checkpoints) >= 2
        assert stored.checkpoints[-1].before == stored.checkpoints[-2].n
        assert len(stored.actions) < CHUNK
        again = open_history(stored, match.game).match
        same(again, room.match)
        for n in (0, 10, CHUNK, 2 * CHUNK + 7):
            same(again.at(n), room.match.at(n))
        twin = room.match.fork()
        for _ in range(20):
            option = bot(again.seat())
            again.choose(option)
            twin.choose(option)
        same(again, twin)

    run(story())


def test_after_a_rollback_behind_a_checkpoint_a_new_chain_begins(
    storage: Storage, short_chunks: None
):
    async def story() -> None:
        match = Match[Any](load("apennine.games.italy1944"), seed=4)
        room, bot = await keep(storage, match), RandomBot(8)

        async def play_to(length: int) -> None:
            while len(room.match.log) < length:
                await do(storage, room, lambda room: choose(room, bot))

        await play_to(2 * CHUNK + 20)
        old = list(room.match.log)
        side = room.match.seat().side
        k = room.seen(side).number(CHUNK + 30)
        await do(storage, room, lambda room: room.roll_back((0, 1), side, k))
        same((await reopen(storage, match)).match, room.match)
        await play_to(3 * CHUNK)
        again = (await reopen(storage, match)).match
        same(again, room.match)
        assert list(again.log)[:CHUNK] == old[:CHUNK]
        assert list(again.log)[: len(old)] != old
        nths = [entry.nth for entry in again.log if hasattr(entry, "nth")]
        assert nths == sorted(set(nths)), "a die came twice"

    run(story())


def test_the_action_with_the_same_number_is_refused_and_leaves_no_trace(storage: Storage):
    async def story() -> None:
        match = Match[Any](load("apennine.games.crossing"), seed=4)
        one = await keep(storage, match)
        two = await reopen(storage, match)
        options = list(one.match.seat().decision.options)
        await do(storage, one, lambda room: room.choose((1,), options[0]))
        with pytest.raises(Conflict):
            await do(storage, two, lambda room: room.choose((1,), options[1]))
        same((await reopen(storage, match)).match, one.match)
        n, head, seats, news = await storage.read(rows.news, "m", two.n)
        two.follow(n, head, seats, news)
        same(two.match, one.match)

    run(story())


def test_an_action_with_a_gap_before_it_is_refused(storage: Storage):
    async def story() -> None:
        room = await keep(storage, Match[Any](load("apennine.games.crossing"), seed=4))
        gap = Action(5, "chat", 0, body={"text": "hello", "name": ""})
        with pytest.raises(Conflict):
            await storage.write("m", rows.append, "m", gap, room.head)

    run(story())


def test_many_writers_at_once_get_one_order(storage: Storage):
    """Each tries again until its line is in; every line is there once."""

    async def story() -> None:
        match = Match[Any](load("apennine.games.crossing"), seed=4)
        await keep(storage, match)

        async def speak(name: int) -> None:
            room = await reopen(storage, match)
            while True:
                try:
                    return await do(storage, room, lambda room: room.say((0,), f"line {name}"))
                except Conflict:
                    n, head, seats, news = await storage.read(rows.news, "m", room.n)
                    room.follow(n, head, seats, news)

        await asyncio.gather(*map(speak, range(12)))
        room = await reopen(storage, match)
        assert sorted(line.text for line in room.chat) == sorted(f"line {k}" for k in range(12))
        assert room.n == 12

    run(story())


def test_one_bad_write_does_not_spoil_those_with_it(storage: Storage):
    async def story() -> None:
        game = load("apennine.games.crossing")
        rooms = [await keep(storage, Match[Any](game, seed=4), f"m{k}") for k in range(6)]
        plans = [room.say((0,), "hello") for room in rooms]
        plans[3] = plans[3]._replace(action=msgspec.structs.replace(plans[3].action, n=0))
        results = await asyncio.gather(
            *(
                storage.write(room.id, rows.append, room.id, plan.action, plan.head)
                for room, plan in zip(rooms, plans, strict=True)
            ),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [
            *[type(None)] * 3,
            Conflict,
            *[type(None)] * 2,
        ]
        for k, room in enumerate(rooms):
            again = await reopen(storage, room.match, room.id)
            assert len(again.chat) == (k != 3)

    run(story())


def test_a_match_is_the_same_after_the_server_was_started_again(database: str, settings: Settings):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        ann, guests = begin_with(client, {"Allied": "me", "German": "invite"}, name="Ann")
        bert = guests["German"]
        bert.act()
        ann.play(10)
        ann.post("chat", {"text": "Good evening!"})
        bert.post("rollback", {"to": 1})
        before = [ann.state(), bert.state(), guests["watch"].state()]
    with TestClient(make_app(settings)) as client:
        for player, then in zip((ann, bert, guests["watch"]), before, strict=True):
            player.client = client
            now = player.state()
            assert now == then
    assert before[0]["rollback"]
    assert before[0]["chat"]["lines"][0]["text"] == "Good evening!"


def test_a_resigned_match_stays_over(database: str, settings: Settings):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        ann = begin(client)
        over = ann.post("resign").json()["outcome"]
        made = client.post("/api/saves", content=ann.get("save").text).json()
    with TestClient(make_app(settings)) as client:
        for player in (ann, Player(client, made["id"], made["token"])):
            player.client = client
            assert player.state()["outcome"] == over


def test_tables_of_another_version_are_not_touched(database: str):
    url = Settings(database=database).url()
    first = Storage(url)
    first.open()
    first.close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE about SET value = '999' WHERE key = 'schema'"))
    engine.dispose()
    second = Storage(url)
    with pytest.raises(StorageError, match="tables of version 999"):
        second.open()
    second.close()


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite:////no/such/folder/x.db"])
def test_a_database_that_cannot_be_is_refused_with_a_sentence(url: str):
    with pytest.raises(StorageError, match=r"\.$"):
        Storage(url).open()


def test_a_full_disk_is_told_and_nothing_is_acknowledged(settings: Settings, tmp_path: Path):
    with TestClient(make_app(settings)) as client:
        ann = begin(client)
        ann.act()
        before = ann.state()
        file = tmp_path / "matches.sqlite"
        app_storage: Storage = client.app.state.storage
        full = {"on": True}

        def refuse(connection: Any) -> None:
            if full["on"]:
                connection.exec_driver_sql("PRAGMA max_page_count = 1")

        event.listen(app_storage.engine, "begin", refuse)
        answers = [ann.post("chat", {"text": "x" * 900}) for _ in range(40)]
        assert {answer.status_code for answer in answers} <= {200, 503}
        refused = [answer for answer in answers if answer.status_code == 503]
        assert refused, "the disk never got full"
        assert "cannot be written" in refused[0].json()["error"]
        said = sum(answer.status_code == 200 for answer in answers)
        now = ann.state()
        assert len(now["chat"]["lines"]) == said
        assert now["at"] == before["at"]
        full["on"] = False
        with sqlite3.connect(file) as connection:
            (kept,) = connection.execute(
                "SELECT count(*) FROM actions WHERE kind = 'chat'"
            ).fetchone()
        assert kept == said


def test_sqlite_writes_ahead_and_waits_for_the_disk(settings: Settings):
    storage = Storage(settings.url())
    storage.open()
    with storage.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    storage.close()


def test_rules_that_changed_open_the_match_at_its_last_checkpoint():
    """What the log holds is no longer asked for: the match goes on where the rules still hold."""
    match = Match[Any](load("apennine.games.crossing"), seed=4)
    birth, head, begun, _ = founding.begin(match, "m")
    room = Room(Stored(birth, 0, head, SEATS, [], begun, []), match.game)
    actions, bot = [*begun], RandomBot(3)
    for _ in range(12):
        plan = choose(room, bot)
        actions.append(plan.action)
        room.take(plan)
    broken = actions[-1].entries.replace('"verb": "', '"verb": "no longer ', 1)
    actions[-1] = msgspec.structs.replace(actions[-1], entries=broken)
    opened = history.open_history(Stored(birth, 12, head, SEATS, [], actions, []), match.game)
    assert opened.match.notes
    assert "rules changed" in opened.match.notes[0]
    assert opened.match.decision is not None
