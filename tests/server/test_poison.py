"""One write that goes wrong, however it goes wrong, harms no other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest
from sqlalchemy import event
from sqlalchemy.exc import DataError, OperationalError
from starlette.testclient import TestClient

from apennine.kernel import save
from apennine.kernel.match import Match
from apennine.server import rows
from apennine.server.app import make_app
from apennine.server.errors import StorageError
from apennine.server.plain import plain
from apennine.server.room import Room
from apennine.server.settings import Settings
from apennine.server.storage import Storage
from tests.contracts.playthroughs import load
from tests.server.playing import begin
from tests.server.test_storage import keep, reopen
from tests.waiting import run

MATCHES = ("a", "b", "c")
_CAUSE = Exception("the disk does not answer")
KINDS = [
    OverflowError("Python int too large to convert to SQLite INTEGER"),
    ValueError("A string literal cannot contain NUL (0x00) characters."),
    MemoryError(),
    OperationalError("INSERT", {}, _CAUSE),
    OperationalError("INSERT", {}, _CAUSE, connection_invalidated=True),
    DataError("INSERT", {}, _CAUSE),
]


@pytest.fixture
def storage(database: str) -> Iterator[Storage]:
    made = Storage(Settings(database=database).url())
    made.open()
    yield made
    made.close()


class Failing:
    """Lets the Nth call to the database fail: a statement, a savepoint, a commit."""

    def __init__(self, storage: Storage, nth: int, error: Exception) -> None:
        self.calls = 0
        self._nth, self._error = nth, error
        self._listeners = [
            (storage.engine, "before_cursor_execute", self._count),
            (storage.engine, "commit", self._count),
        ]

    def _count(self, *_: Any) -> None:
        if threading.current_thread().name == "writer":
            self.calls += 1
            if self.calls == self._nth:
                raise self._error

    def __enter__(self) -> Failing:
        for listener in self._listeners:
            event.listen(*listener)
        return self

    def __exit__(self, *_: object) -> None:
        for listener in self._listeners:
            event.remove(*listener)


async def say_in_all(storage: Storage, rooms: list[Room], line: str, **odd: Any) -> list[Any]:
    """Write a line to the chat of every match, all in one batch; what each was answered."""
    held, go = threading.Event(), threading.Event()

    def hold(_connection: Any) -> None:
        held.set()
        go.wait()

    holding = asyncio.create_task(storage.write("", hold))
    await asyncio.to_thread(held.wait)
    writes: list[asyncio.Task[Any]] = []
    for room in rooms:
        plan = room.say((0,), line)
        action = msgspec.structs.replace(plan.action, **odd.get(room.id, {}))
        writes.append(
            asyncio.create_task(
                storage.write(room.id, rows.append, room.id, action, plan.head, seat=plan.seat)
            )
        )
    while storage._jobs.qsize() < len(writes):
        await asyncio.sleep(0)
    go.set()
    await asyncio.gather(holding, return_exceptions=True)
    return await asyncio.gather(*writes, return_exceptions=True)


async def told(storage: Storage, match: Match[Any]) -> dict[str, tuple[int, list[str]]]:
    """By match: the number of its last action, and the lines of its chat."""
    found = [await reopen(storage, match, id) for id in MATCHES]
    return {room.id: (room.n, [said.text for said in room.chat]) for room in found}


@pytest.mark.parametrize("error", KINDS, ids=lambda error: f"{type(error).__name__}")
def test_whichever_call_fails_every_other_write_is_done(storage: Storage, error: Exception):
    async def story() -> None:
        match = Match[Any](load("apennine.games.crossing"), seed=4)
        rooms = [await keep(storage, match, id) for id in MATCHES]
        lines: dict[str, list[str]] = {id: [] for id in MATCHES}
        for nth in count(1):
            with Failing(storage, nth, error) as failing:
                answers = await say_in_all(storage, rooms, f"line {nth}")
            failed = [id for id, answer in zip(MATCHES, answers, strict=True) if answer is not None]
            assert len(failed) <= 1, (nth, answers)
            for id in set(MATCHES) - set(failed):
                lines[id].append(f"line {nth}")
            now = await told(storage, match)
            assert now == {id: (len(said), said) for id, said in lines.items()}, nth
            rooms = [await reopen(storage, match, id) for id in MATCHES]
            if failing.calls < nth:
                break
        assert nth > 10, "hardly a call was seen to fail"
        assert any(len(said) < nth for said in lines.values()), "nothing ever failed"

    run(story())


@pytest.mark.parametrize(
    "odd", [{"spent": 2**70}, {"kind": "\0"}, {"entries": "\ud800"}, {"side": "nobody"}]
)
def test_a_write_that_no_database_takes_fails_alone(storage: Storage, odd: dict[str, Any]):
    """Of the odd ones SQLite takes a NUL, PostgreSQL none: those that it takes are written."""

    async def story() -> None:
        match = Match[Any](load("apennine.games.crossing"), seed=4)
        rooms = [await keep(storage, match, id) for id in MATCHES]
        answers = await say_in_all(storage, rooms, "hello", b=odd)
        assert (answers[0], answers[2]) == (None, None)
        assert answers[1] is None or isinstance(answers[1], StorageError)

    run(story())


def test_a_write_whose_word_was_lost_is_not_done_twice(client: TestClient):
    """The transaction was kept, but the server heard of an error: it finds its own action there."""
    ann = begin(client)
    storage: Storage = client.app.state.storage
    real = storage._together
    lost: list[int] = []

    def together(batch: Any) -> Any:
        done = real(batch)
        if not lost:
            lost.append(len(done))
            raise OperationalError("COMMIT", {}, _CAUSE)
        return done

    storage._together = together
    assert ann.post("chat", {"text": "once"}).status_code == 200
    assert lost
    assert [line["text"] for line in ann.state()["chat"]["lines"]] == ["once"]
    ann.post("chat", {"text": "and again"})
    assert [line["text"] for line in ann.state()["chat"]["lines"]] == ["once", "and again"]


# What is refused before it comes to a database.


INVISIBLE = ["\0", "Ann\x1b[2J", "\u202eevil", "a\u2066b", "\u200fx", "Ann\u200b", "\x1c"]


def test_invisible_characters_are_refused(database: str, settings: Settings):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        ann = begin(client, {"Allied": "me", "German": "open"}, name="Ann")
        before = ann.state()
        for text in INVISIBLE:
            wanted = {"game": "crossing", "seats": {"Allied": "me", "German": "me"}, "name": text}
            refused = [
                client.post("/api/matches", json=wanted),
                ann.post("chat", {"text": f"hello {text}"}),
                ann.post("name", {"name": text}),
                ann.post("join", {"side": "German", "name": text}),
                client.post("/api/saves", params={"name": text}, content=saved()),
            ]
            assert [answer.status_code for answer in refused] == [422] * 5
            assert all("invisible character U+" in answer.json()["error"] for answer in refused)
        assert ann.state() == before


def test_other_scripts_and_signs_are_not():
    for text in ("Łukasz", "李", "\u0645\u06cc\u200c\u062e\u0648", "👩\u200d🚀", "a\tb\nc"):
        assert plain(text, "A name") == " ".join(text.split())


IMPOSSIBLE = ("%00", "a%00b", "%F0%9F%91%BB", "..%2f..%2fetc", "x" * 3000)


def test_a_match_that_cannot_be_is_just_not_there(database: str, settings: Settings):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        for path in (
            f"/api/matches/{id}/{what}" for id in IMPOSSIBLE for what in ("state", "save")
        ):
            assert client.get(path).status_code in (401, 404)
            token = {"authorization": b"Bearer \x80nobody"}
            assert client.get(path, headers=token).status_code in (401, 404)
        mine = {"tokens": [{"id": "\0", "token": "\0"}]}
        assert client.post("/api/mine", json=mine).json() == []


def saved() -> str:
    return save.dump(Match[Any](load("apennine.games.crossing"), seed=4))


def forge(text: str, first: dict[str, Any], last: dict[str, Any]) -> str:
    """A save with other words in its first and its last line, chained anew."""
    bodies = list(save._unchain(text, "the save"))
    bodies[0] |= first
    bodies[-1] |= last
    return "\n".join(save._chain(bodies)) + "\n"


@pytest.mark.parametrize("number", [-1, 2**31, 2**70])
@pytest.mark.parametrize("field", ["dice_since", "at", "rolls", "spent"])
def test_the_numbers_of_a_save_are_bounded(field: str, number: int):
    changes = {field: number}
    first, last = (changes, {}) if field == "dice_since" else ({}, changes)
    with pytest.raises(save.SaveError, match=field):
        save.parse(forge(saved(), first, last))


def test_deep_json_is_refused_with_a_sentence(client: TestClient):
    ann = begin(client)
    deep = "[" * 30_000
    headers = {**ann.headers, "content-type": "application/json"}
    for path in (f"/api/matches/{ann.id}/chat", "/api/matches", "/api/mine"):
        answer = client.post(path, content=deep, headers=headers)
        assert answer.status_code == 400
        assert set(answer.json()) == {"error"}
    answer = client.post("/api/saves", content=deep)
    assert answer.status_code == 422
