"""Removes matches that nobody will miss: never played, or old by an operator's word."""

from __future__ import annotations

import time
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, false, func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from apennine.server.errors import StorageError
from apennine.server.storage import open_existing, reason
from apennine.server.tables import actions, matches, seats, snapshots, tokens

DAY = 86400.0


class Ages(NamedTuple):
    """After how many days without anything new a match is removed; None: never."""

    unplayed: float | None = None
    """One in which no person has done anything since it was made."""
    unfinished: float | None = None
    finished: float | None = None


class Pruned(NamedTuple):
    """How many matches there were of each kind."""

    unplayed: int
    unfinished: int
    finished: int


def prune_database(url: str, ages: Ages, *, dry_run: bool = False) -> Pruned:
    """Remove old matches from a database, or only count them; how many there were of each kind."""
    engine = open_existing(url)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            found = count(connection, ages)
            if not dry_run:
                prune(connection, ages)
    except SQLAlchemyError as error:
        raise StorageError(f"The database cannot be pruned: {reason(error)}.") from error
    finally:
        engine.dispose()
    return found


def count(connection: Connection, ages: Ages) -> Pruned:
    """How many matches would be removed now."""
    found = [
        connection.scalar(select(func.count()).select_from(matches).where(kind)) or 0
        for kind in _kinds(ages)
    ]
    return Pruned(*found)


def prune(connection: Connection, ages: Ages) -> list[str]:
    """Remove them, with all that belongs to them; which ones they were.

    The rows of the matches go first: one that is played on at the same moment is not old any more.
    """
    gone = delete(matches).where(or_(*_kinds(ages))).returning(matches.c.id)
    ids = list(connection.scalars(gone))
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        for table in (actions, snapshots, seats, tokens):
            connection.execute(delete(table).where(table.c.match.in_(some)))
    return ids


def _kinds(ages: Ages) -> tuple[ColumnElement[bool], ...]:
    """Which matches are old enough, for each kind; none is of two kinds."""
    person = exists().where(
        actions.c.match == matches.c.id,
        actions.c.n > 0,
        seats.c.match == matches.c.id,
        seats.c.side == actions.c.side,
        seats.c.kind != "bot",
    )
    return (
        and_(~person, _older(ages.unplayed)),
        and_(person, ~matches.c.over, _older(ages.unfinished)),
        and_(person, matches.c.over, _older(ages.finished)),
    )


def _older(days: float | None) -> ColumnElement[bool]:
    return false() if days is None else matches.c.updated < time.time() - days * DAY
