"""What a request can get back instead of an answer: a status and one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BROKEN = "Something went wrong in the server; it has been written down."
GONE = "There is no such match."


class Refused(Exception):
    """A request that is not met. Nothing has changed."""

    def __init__(
        self,
        status: int,
        sentence: str,
        rule: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status = status
        self.sentence = sentence
        self.rule = rule
        self.headers = dict(headers or {})
        super().__init__(sentence)

    def __reduce__(self) -> tuple[Any, ...]:
        """It may come from another process."""
        return Refused, (self.status, self.sentence, self.rule, self.headers)


class StorageError(Exception):
    """The database did not take what it was given: a full disk, a lost connection."""


class Conflict(StorageError):
    """Somebody else wrote the action with this number first."""
