"""Matches in which bots play each other: how many run at once, and for whom."""

from __future__ import annotations

from apennine.server.errors import Refused
from apennine.server.limits import Limits

WAIT = 60
"""Seconds after which somebody may ask again whether there is room for another one."""


class Bouts:
    """The matches between bots that are being played."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._running: dict[str, str] = {}
        """By match: the client for whom it is played; empty for those that a start woke."""

    def admit(self, match: str, client: str) -> None:
        """Let a new match run; Refused if too many do."""
        if not self.begin(match, client):
            mine = sum(other == client for other in self._running.values())
            whose = "You have" if mine >= self._limits.bot_matches else "The server has"
            many = mine if mine >= self._limits.bot_matches else len(self._running)
            raise Refused(
                429,
                f"{whose} {many} matches between bots running already; try again when one is over.",
                headers={"retry-after": str(WAIT)},
            )

    def begin(self, match: str, client: str) -> bool:
        """Whether a match may run now; if so, it counts until it ends."""
        if match in self._running:
            return True
        limits = self._limits
        mine = sum(other == client for other in self._running.values()) if client else 0
        full = mine >= limits.bot_matches or len(self._running) >= limits.bot_matches_in_all
        if limits.enforced and full:
            return False
        self._running[match] = client
        return True

    def end(self, match: str) -> None:
        """A match is over, or is played no longer."""
        self._running.pop(match, None)
