"""What is read from the database and written to it: matches, seats, tokens, actions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, RowMapping, and_, exists, insert, or_, select, update

from apennine.server.errors import Conflict
from apennine.server.tables import actions, matches, seats, snapshots
from apennine.server.tables import tokens as token_table
from apennine.server.uploads import Upload


class Action(msgspec.Struct, frozen=True):
    """Something that was done in a match, as it is kept."""

    n: int
    kind: str
    side: int = -1
    cut: int = -1
    """The length to which the log was cut; -1 if this did not touch the log."""
    entries: str = ""
    """The entries that came after it, a line of JSON each."""
    spent: int = 0
    body: dict[str, Any] = {}
    made: float = 0.0


class Checkpoint(msgspec.Struct, frozen=True):
    """A stored snapshot of a match; see the table."""

    n: int
    before: int
    start: int
    length: int
    entries: bytes
    at: int
    rolls: int
    position: str
    spent: int
    turns: str


class Head(msgspec.Struct, frozen=True):
    """What lists show of a match without opening it."""

    updated: float
    turn: int
    waiting: int
    """The side that must decide; -1: nobody."""
    prompt: str
    over: bool
    pace: str


class Birth(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    id: str
    game: str
    scenario: str
    options: dict[str, bool]
    seed: bytes | None
    dice_since: int
    start: str | None
    bot_seed: int
    guided: bool
    public: bool
    created: float
    upload: Upload | None = None
    """The save that it was made of, if it was."""


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits at a side: a person, a bot, or nobody yet."""

    side: int
    kind: str
    bot: str = ""
    name: str = ""


class Token(NamedTuple):
    """What a token gives: the sides that its holder plays. None: he looks on."""

    match: str
    sides: tuple[int, ...]


class Stored(NamedTuple):
    """A match as the database has it."""

    birth: Birth
    n: int
    head: Head
    seats: list[SeatRow]
    checkpoints: list[Checkpoint]
    actions: list[Action]
    chat: list[Action]


class Listed(NamedTuple):
    """A line of a list of matches."""

    id: str
    game: str
    scenario: str
    head: Head
    seats: list[SeatRow]
    upload: Upload | None


def create(
    connection: Connection,
    birth: Birth,
    head: Head,
    sitting: Sequence[SeatRow],
    tokens: Sequence[tuple[bytes, tuple[int, ...]]],
    begun: Sequence[Action],
    checkpoint: Checkpoint | None,
) -> None:
    """Write a new match with its seats, its tokens and its first actions."""
    fixed = msgspec.structs.asdict(birth)
    fixed["options"] = _json(birth.options)
    fixed["upload"] = None if birth.upload is None else _json(birth.upload)
    values = fixed | msgspec.structs.asdict(head) | {"runner": "", "runner_until": 0.0}
    values["n"] = begun[-1].n
    connection.execute(insert(matches).values(**values))
    connection.execute(
        insert(seats), [{"match": birth.id} | msgspec.structs.asdict(seat) for seat in sitting]
    )
    for hash, sides in tokens:
        add_token(connection, birth.id, hash, sides)
    for action in begun:
        _insert_action(connection, birth.id, action)
    if checkpoint is not None:
        connection.execute(insert(snapshots).values(match=birth.id, **_dict(checkpoint)))


def append(
    connection: Connection,
    match: str,
    action: Action,
    head: Head,
    checkpoint: Checkpoint | None = None,
    seat: SeatRow | None = None,
    token: tuple[bytes, tuple[int, ...]] | None = None,
) -> None:
    """Add an action to a match. Conflict if another one has its number."""
    _insert_action(connection, match, action)
    moved = update(matches).where(matches.c.id == match, matches.c.n == action.n - 1)
    changed = connection.execute(moved.values(n=action.n, **_dict(head)))
    if changed.rowcount != 1:
        raise Conflict(f"Action {action.n} of {match} does not follow the last one.")
    if checkpoint is not None:
        connection.execute(insert(snapshots).values(match=match, **_dict(checkpoint)))
    if seat is not None:
        values = _dict(seat)
        side = values.pop("side")
        place = and_(seats.c.match == match, seats.c.side == side)
        connection.execute(update(seats).where(place).values(**values))
    if token is not None:
        add_token(connection, match, *token)


def add_token(connection: Connection, match: str, hash: bytes, sides: tuple[int, ...]) -> None:
    """Let the holder of a token sit at these sides of a match."""
    held = ",".join(map(str, sides))
    connection.execute(insert(token_table).values(hash=hash, match=match, sides=held))


def find_token(connection: Connection, hash: bytes) -> Token | None:
    """What a token gives."""
    wanted = select(token_table).where(token_table.c.hash == hash)
    row = connection.execute(wanted).mappings().first()
    if row is None:
        return None
    return Token(row["match"], tuple(int(side) for side in row["sides"].split(",") if side))


def load(connection: Connection, match: str) -> Stored | None:
    """A whole match: its checkpoints, and the actions since the last one."""
    row = connection.execute(select(matches).where(matches.c.id == match)).mappings().first()
    if row is None:
        return None
    kept = snapshots.c.match == match
    checkpoints = [
        Checkpoint(**{name: line[name] for name in Checkpoint.__struct_fields__})
        for line in connection.execute(
            select(snapshots).where(kept).order_by(snapshots.c.n)
        ).mappings()
    ]
    last = checkpoints[-1].n if checkpoints else -1
    fixed = {name: row[name] for name in Birth.__struct_fields__}
    fixed["options"] = msgspec.json.decode(row["options"])
    fixed["upload"] = _upload(row)
    return Stored(
        Birth(**fixed),
        row["n"],
        _head(row),
        load_seats(connection, match),
        checkpoints,
        since(connection, match, last),
        chat(connection, match),
    )


def since(connection: Connection, match: str, n: int) -> list[Action]:
    """The actions of a match after number n."""
    wanted = select(actions).where(actions.c.match == match, actions.c.n > n)
    rows = connection.execute(wanted.order_by(actions.c.n)).mappings()
    return [_action(row) for row in rows]


def chat(connection: Connection, match: str) -> list[Action]:
    """What was said in a match."""
    wanted = select(actions).where(actions.c.match == match, actions.c.kind == "chat")
    rows = connection.execute(wanted.order_by(actions.c.n)).mappings()
    return [_action(row) for row in rows]


def load_seats(connection: Connection, match: str) -> list[SeatRow]:
    """The seats of a match, in the order of its sides."""
    wanted = select(seats).where(seats.c.match == match).order_by(seats.c.side)
    return [_seat(row) for row in connection.execute(wanted).mappings()]


def news(
    connection: Connection, match: str, n: int
) -> tuple[int, Head, list[SeatRow], list[Action]] | None:
    """All that changed in a match since its action n; None if it is no longer kept."""
    row = connection.execute(select(matches).where(matches.c.id == match)).mappings().first()
    if row is None:
        return None
    return (
        row["n"],
        _head(row),
        load_seats(connection, match),
        since(connection, match, n),
    )


def listed(connection: Connection, ids: Sequence[str] | None, most: int = 100) -> list[Listed]:
    """The matches with these ids; or the public ones that can still be joined or watched."""
    wanted = select(matches).order_by(matches.c.updated.desc()).limit(most)
    if ids is None:
        wanted = wanted.where(matches.c.public)
    else:
        wanted = wanted.where(matches.c.id.in_(ids))
    rows = list(connection.execute(wanted).mappings())
    sitting: dict[str, list[SeatRow]] = {row["id"]: [] for row in rows}
    placed = select(seats).where(seats.c.match.in_(sitting)).order_by(seats.c.match, seats.c.side)
    for row in connection.execute(placed).mappings():
        sitting[row["match"]].append(_seat(row))
    return [
        Listed(
            row["id"],
            row["game"],
            row["scenario"],
            _head(row),
            sitting[row["id"]],
            _upload(row),
        )
        for row in rows
    ]


def waiting_for_bots(connection: Connection, since: float, most: int = 1000) -> list[str]:
    """The matches in which a bot must decide; of those between bots the ones played since then."""
    sitting = seats.alias()
    somebody = exists().where(sitting.c.match == matches.c.id, sitting.c.kind != "bot")
    wanted = (
        select(matches.c.id)
        .join(seats, and_(seats.c.match == matches.c.id, seats.c.side == matches.c.waiting))
        .where(~matches.c.over, seats.c.kind == "bot")
        .where(or_(somebody, matches.c.updated > since))
        .order_by(matches.c.updated.desc())
        .limit(most)
    )
    return list(connection.scalars(wanted))


def claim(connection: Connection, match: str, process: str, until: float) -> bool:
    """Whether this process now plays the bots of a match: no other one does at the moment."""
    free = or_(matches.c.runner == process, matches.c.runner_until < time.time())
    mine = update(matches).where(matches.c.id == match, free)
    return connection.execute(mine.values(runner=process, runner_until=until)).rowcount == 1


def release(connection: Connection, match: str, process: str) -> None:
    """Let others play the bots of a match."""
    mine = update(matches).where(matches.c.id == match, matches.c.runner == process)
    connection.execute(mine.values(runner="", runner_until=0.0))


def ping(connection: Connection) -> None:
    """Find out whether the database answers."""
    connection.execute(select(1))


def _insert_action(connection: Connection, match: str, action: Action) -> None:
    values = _dict(action)
    values["body"] = _json(action.body)
    connection.execute(insert(actions).values(match=match, **values))


def _action(row: RowMapping) -> Action:
    values = {name: row[name] for name in Action.__struct_fields__}
    values["body"] = msgspec.json.decode(row["body"])
    return Action(**values)


def _upload(row: RowMapping) -> Upload | None:
    text: str | None = row["upload"]
    return None if text is None else msgspec.json.decode(text, type=Upload)


def _seat(row: RowMapping) -> SeatRow:
    return SeatRow(row["side"], row["kind"], row["bot"], row["name"])


def _head(row: RowMapping) -> Head:
    return Head(**{name: row[name] for name in Head.__struct_fields__})


def _dict(record: msgspec.Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(record)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
