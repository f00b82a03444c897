"""Copies all matches from one database to another: a backup, or a move to PostgreSQL and back.

What is copied is one moment of the database, whatever is written to it meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Table, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from apennine.server.errors import StorageError
from apennine.server.storage import make_engine, open_existing, reason
from apennine.server.tables import about, matches, metadata

CHUNK = 200
"""Rows that are held in memory at once."""


def back_up(source: str, file: Path) -> int:
    """Copy a database into a new file of SQLite; how many matches there were.

    The file has its name when all is in it and was looked at again, and not before.
    """
    if file.exists():
        raise StorageError(f"{file} is there already: name a file that is not.")
    if not file.absolute().parent.is_dir():
        raise StorageError(f"There is no folder {file.absolute().parent} for the backup.")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        copied = copy_database(source, f"sqlite:///{part.absolute()}")
        part.replace(file)
    finally:
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm"))):
            left.unlink(missing_ok=True)
    return copied


def copy_database(source: str, target: str) -> int:
    """Copy all matches into an empty database; how many there were."""
    here, there = open_existing(source), make_engine(target)
    isolation = "REPEATABLE READ" if here.dialect.name == "postgresql" else None
    options = {"isolation_level": isolation} if isolation else {}
    writing = there.execution_options(writes=True)
    try:
        with (
            here.connect().execution_options(**options) as reading,
            writing.begin() as connection,
        ):
            _check_empty(connection)
            metadata.create_all(connection)
            for table in metadata.sorted_tables:
                _copy(table, reading, connection)
            kept = _count(matches, connection)
        there.dispose()
        if there.url.database and there.dialect.name == "sqlite":
            _settle(there.url.database)
    except SQLAlchemyError as error:
        raise StorageError(f"The database cannot be copied: {reason(error)}.") from error
    finally:
        here.dispose()
        there.dispose()
    return kept


def _check_empty(connection: Connection) -> None:
    if inspect(connection).has_table(about.name):
        raise StorageError("The database to copy to must be empty, and holds matches already.")


def _copy(table: Table, reading: Connection, writing: Connection) -> None:
    rows = reading.execution_options(yield_per=CHUNK).execute(select(table)).mappings()
    for some in rows.partitions():
        writing.execute(insert(table), [dict(row) for row in some])
    if _count(table, writing) != _count(table, reading):
        raise StorageError(f"Not all of the table {table.name} was copied.")


def _count(table: Table, connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _settle(file: str) -> None:
    """Let all of an SQLite database be in its one file, and look whether it is sound."""
    with closing(sqlite3.connect(file)) as connection:
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
        if sound != "ok":
            raise StorageError(f"The copy is not sound: {sound}.")
        connection.execute("PRAGMA journal_mode=DELETE")
