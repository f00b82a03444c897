"""Keeps matches: an append-only log of actions, checkpoints, seats and tokens, on any SQL database.

Everything here is blocking; `Storage` runs it in threads. Writes go through one thread that commits
many at once: an action is acknowledged when the transaction that holds it is on disk. A write that
fails, however it fails, fails alone.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from apennine.server.errors import Conflict, StorageError
from apennine.server.sole import claim
from apennine.server.tables import SCHEMA, about, metadata

T = TypeVar("T")
A = ParamSpec("A")

log = logging.getLogger("apennine.server")

MOST_AT_ONCE = 64
"""Writes to one transaction."""
CHANNEL = "apennine"
"""On which PostgreSQL's processes tell each other of new actions."""


class Storage:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self._writing = self.engine.execution_options(writes=True)
        self.notifies = self.engine.dialect.name == "postgresql"
        self.process = f"{time.time_ns():x}-{threading.get_ident():x}"
        """The name of this process among those that share the database."""
        self._readers = ThreadPoolExecutor(2, "reader")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)
        self._closed = False
        self._sole: sqlite3.Connection | None = None
        """What keeps other servers from a database in a file."""

    def open(self) -> None:
        """Make the tables if there are none, and start to write.

        StorageError if the database cannot be used, or if another server uses it that may not.
        """
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        try:
            if file:
                self._sole = claim(file)
            with self._writing.begin() as connection:
                if self.notifies:  # two processes that start at once must not both make tables
                    connection.execute(text("SELECT pg_advisory_xact_lock(7223201)"))
                metadata.create_all(connection)
                if connection.scalar(select(func.count()).select_from(about)) == 0:
                    connection.execute(insert(about).values(key="schema", value=str(SCHEMA)))
                _upgrade(connection)
                _check_version(connection)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StorageError(f"The database cannot be opened: {reason(error)}.") from error
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        if not self._closed:
            self._closed = True
            if self._writer.is_alive():
                self._jobs.put(None)
                self._writer.join()
            self._readers.shutdown()
            self.engine.dispose()
            if self._sole is not None:
                self._sole.close()

    async def read(
        self, job: Callable[Concatenate[Connection, A], T], *args: A.args, **more: A.kwargs
    ) -> T:
        """Run a function that reads, on a connection of its own."""

        def run() -> T:
            try:
                with self.engine.connect() as connection:
                    return job(connection, *args, **more)
            except SQLAlchemyError as error:
                raise StorageError(f"The database cannot be read: {reason(error)}.") from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def write(
        self,
        match: str,
        job: Callable[Concatenate[Connection, A], T],
        *args: A.args,
        **more: A.kwargs,
    ) -> T:
        """Run a function that writes to a match; when this returns, the write is on disk."""
        if self._closed:
            raise StorageError("The server is closing.")
        made = _Job(match, lambda connection: job(connection, *args, **more))
        self._jobs.put(made)
        return await asyncio.wrap_future(made.future)

    def _write(self) -> None:
        while True:
            first = self._jobs.get()
            batch: list[_Job] = []
            last = first is None
            if first is not None:
                batch.append(first)
            while not last and len(batch) < MOST_AT_ONCE:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                last = job is None
                if job is not None:
                    batch.append(job)
            if batch:
                self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[_Job]) -> None:
        """Write a batch; each of its writes is done, or told why not, whatever befalls another."""
        # From here on nobody can call a write off; one whose client has gone already is left out.
        batch = [job for job in batch if job.future.set_running_or_notify_cancel()]
        # In the order of matches, so that two processes never wait for each other in a ring.
        batch.sort(key=lambda job: job.match)
        try:
            done = self._together(batch)
        except Exception as error:
            # Something broke the transaction that all of them shared: each now gets its own.
            if len(batch) > 1:
                log.warning("Of %d writes none was kept at once: %s", len(batch), reason(error))
            done = [self._alone(job) for job in batch]
        for job, result, error in done:
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)

    def _together(self, batch: list[_Job]) -> list[_Done]:
        """One transaction for all, a savepoint for each. Raises if the transaction is lost."""
        done: list[_Done] = []
        with self._writing.begin() as connection:
            for job in batch:
                # Whatever a savepoint itself raises ends the transaction: what lies in it then
                # is not known for certain.
                savepoint = connection.begin_nested()
                try:
                    result = job.run(connection)
                except Exception as error:
                    savepoint.rollback()
                    if connection.invalidated:
                        raise
                    done.append((job, None, _failure(error)))
                else:
                    savepoint.commit()
                    done.append((job, result, None))
            self._notify(connection, {job.match for job, _, error in done if error is None})
        return done

    def _alone(self, job: _Job) -> _Done:
        try:
            with self._writing.begin() as connection:
                result = job.run(connection)
                self._notify(connection, {job.match})
        except Exception as error:
            return job, None, _failure(error)
        return job, result, None

    def _notify(self, connection: Connection, told: set[str]) -> None:
        for match in told if self.notifies else ():
            payload = f"{self.process} {match}"
            connection.execute(select(func.pg_notify(CHANNEL, payload)))

    async def tell(self, payload: str) -> None:
        """Tell the other processes something that is not kept."""
        if self.notifies:
            await self.write("", _say, f"{self.process} {payload}")


class _Job:
    def __init__(self, match: str, run: Callable[[Connection], Any]) -> None:
        self.match = match
        self.run = run
        self.future: Future[Any] = Future()


_Done = tuple[_Job, Any, Exception | None]
"""A write, what it gave, and why it was not done."""


def _failure(error: Exception) -> Exception:
    """What whoever asked for a write is told of an error."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError):
        return Conflict(reason(error))
    if not isinstance(error, SQLAlchemyError):
        log.error("A write went wrong.", exc_info=error)
    return StorageError(f"The database cannot be written: {reason(error)}.")


def _say(connection: Connection, payload: str) -> None:
    connection.execute(select(func.pg_notify(CHANNEL, payload)))


def make_engine(url: str) -> Engine:
    """A pool of connections to a database; StorageError if there can be none at this URL."""
    try:
        kind = make_url(url).get_backend_name()
    except SQLAlchemyError as error:
        raise StorageError(f"{url!r} is not the URL of a database.") from error
    if kind not in ("sqlite", "postgresql"):
        raise StorageError(f"The database must be SQLite or PostgreSQL, not {kind}.")
    if kind == "postgresql":
        try:
            return create_engine(url, pool_size=4, max_overflow=2, pool_pre_ping=True)
        except ModuleNotFoundError as error:
            raise StorageError(
                f"PostgreSQL needs {error.name}: install it with pip install 'apennine[postgres]'."
            ) from error
    engine = create_engine(url, connect_args={"timeout": 30})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def open_existing(url: str) -> Engine:
    """The same for a database that has matches in it already; StorageError if it has no tables."""
    engine = make_engine(url)
    file = engine.url.database if engine.dialect.name == "sqlite" else None
    if file is not None and not Path(file).is_file():
        raise StorageError(f"There is no database {file}.")
    try:
        found = inspect(engine).has_table(about.name)
    except SQLAlchemyError as error:
        raise StorageError(f"The database cannot be opened: {reason(error)}.") from error
    if not found:
        raise StorageError("The database holds no matches of Apennine.")
    with engine.connect() as connection:
        _check_version(connection)
    return engine


def _upgrade(connection: Connection) -> None:
    """Bring tables of an earlier version up to this one."""
    kept = select(about.c.value).where(about.c.key == "schema")
    if connection.scalar(kept) == "1":  # did not know where matches came from
        connection.execute(text("ALTER TABLE matches ADD COLUMN upload TEXT"))
        connection.execute(update(about).where(about.c.key == "schema").values(value="2"))


def _check_version(connection: Connection) -> None:
    kept = connection.scalar(select(about.c.value).where(about.c.key == "schema"))
    if kept != str(SCHEMA):
        raise StorageError(
            f"The database has tables of version {kept}, and this server needs version {SCHEMA}."
        )


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own transactions do not know savepoints: we begin and commit ourselves.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def reason(error: Exception) -> str:
    """What went wrong, in the words of the database."""
    origin = getattr(error, "orig", None) or error
    return str(origin).strip().partition("\n")[0].removesuffix(".") or type(origin).__name__
