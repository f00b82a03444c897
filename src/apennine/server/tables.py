"""The tables of the database, the same for SQLite and PostgreSQL."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

SCHEMA = 2
"""The version of the tables, kept in the database itself."""

metadata = MetaData()

about = Table("about", metadata, Column("key", Text, primary_key=True), Column("value", Text))

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    # What never changes.
    Column("game", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", LargeBinary),
    Column("dice_since", Integer, nullable=False),
    Column("start", Text),
    Column("bot_seed", Integer, nullable=False),
    Column("guided", Boolean, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("upload", Text),
    # The head: what lists show without opening the match. Follows the last action.
    Column("n", Integer, nullable=False),
    Column("updated", Double, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("waiting", Integer, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("pace", Text, nullable=False),
    # Which process plays the bots, and until when it may be trusted to.
    Column("runner", Text, nullable=False),
    Column("runner_until", Double, nullable=False),
    Index("matches_listed", "public", "over", "updated"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", Text, nullable=False),
    Column("side", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("bot", Text, nullable=False),
    Column("name", Text, nullable=False),
    PrimaryKeyConstraint("match", "side"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("match", Text, nullable=False, index=True),
    Column("sides", Text, nullable=False),
)

# Append-only. `cut` and `entries` are what the action did to the log of the match: the length to
# which the log was cut first, and the entries that came after it.
actions = Table(
    "actions",
    metadata,
    Column("match", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("side", Integer, nullable=False),
    Column("cut", Integer, nullable=False),
    Column("entries", Text, nullable=False),
    Column("spent", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("made", Double, nullable=False),
    PrimaryKeyConstraint("match", "n"),
    Index("actions_of_a_kind", "match", "kind"),
)

# A checkpoint of the match after action `n`, with the entries of the log from `start` to `length`;
# those before are with the snapshot `before`.
snapshots = Table(
    "snapshots",
    metadata,
    Column("match", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("before", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("entries", LargeBinary, nullable=False),
    Column("at", Integer, nullable=False),
    Column("rolls", Integer, nullable=False),
    Column("position", Text, nullable=False),
    Column("spent", Integer, nullable=False),
    Column("turns", Text, nullable=False),
    PrimaryKeyConstraint("match", "n"),
)
