"""Keeps clients within bounds."""

from __future__ import annotations

from apennine.server.budgets import Buckets, Spending
from apennine.server.errors import Refused
from apennine.server.limits import Limits

PAUSE = 0.25
"""Seconds that somebody waits who is told that he asks too much: so he asks less."""
KINDS = {
    "matches": "new matches",
    "uploads": "uploads",
    "saves": "saves",
    "reports": "reports",
    "replays": "looks back",
    "openings": "connections",
}
"""The kinds of requests that have a budget, and what a refusal calls them."""


class Guard:
    """The limits of a server, and what clients have had of them."""

    def __init__(self, limits: Limits) -> None:
        on = limits.enforced
        self.limits = limits
        self.requests = Buckets(limits.requests, limits.requests_a_second, enforced=on)
        self.lines = Buckets(limits.lines, limits.lines_a_second, enforced=on)
        self._budgets = {
            kind: Spending(words, getattr(limits, kind), enforced=on)
            for kind, words in KINDS.items()
        }
        self._sockets: dict[str, int] = {}

    def spend(self, client: str, kind: str, cost: float = 1.0) -> None:
        """Take from the budget of a kind of request; Refused if it is spent."""
        self._budgets[kind].take(client, cost)

    def open_socket(self, client: str) -> None:
        """Refused if this client has too many sockets open, or opens them too often."""
        if self.limits.enforced and self._sockets.get(client, 0) >= self.limits.sockets:
            raise Refused(429, "This address has too many matches open at once.")
        if self.limits.enforced and sum(self._sockets.values()) >= self.limits.sockets_in_all:
            raise Refused(503, "The server has too many matches open at once; try again soon.")
        self.spend(client, "openings")
        self._sockets[client] = self._sockets.get(client, 0) + 1

    def close_socket(self, client: str) -> None:
        """The client has one socket less."""
        left = self._sockets[client] - 1
        if left:
            self._sockets[client] = left
        else:
            del self._sockets[client]
