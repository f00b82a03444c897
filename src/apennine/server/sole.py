"""Lets one server alone use a database in a file."""

from __future__ import annotations

import sqlite3

from apennine.server.errors import StorageError


def claim(file: str) -> sqlite3.Connection:
    """Hold a database for one server until the connection is closed or the process has gone.

    What is locked is a file beside the database, which others may go on reading and copying.
    """
    connection = sqlite3.connect(
        f"{file}.lock", timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if "locked" not in str(error):
            raise StorageError(f"The database cannot be opened: {error}.") from error
        raise StorageError(
            f"Another server uses {file} already; several servers need PostgreSQL."
        ) from None
    return connection
