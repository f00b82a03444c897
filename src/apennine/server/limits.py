"""What a server allows its clients; each limit has a name by which an operator changes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from apennine.server.budgets import Budget

Many = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(gt=0)]


class Limits(msgspec.Struct, frozen=True):
    """How much one client may ask for, and all of them together.

    A budget is so much in a minute and so much in a day; `tests/server/test_limits.py` holds that
    docs/server.md tells of each.
    """

    requests: Amount = 600
    """Requests and orders at once."""
    requests_a_second: Amount = 50
    lines: Amount = 8
    """Lines of chat at once."""
    lines_a_second: Amount = 0.5
    matches: Budget = Budget(30, 500)
    """New matches, from saves too."""
    uploads: Budget = Budget(10, 200)
    saves: Budget = Budget(20, 500)
    """Saves that are downloaded."""
    reports: Budget = Budget(6, 100)
    replays: Budget = Budget(600, 20_000)
    """Moments of a replay; a part of the log is one too, a chronicle is five."""
    openings: Budget = Budget(90, 5_000)
    """WebSockets that are opened."""
    bot_matches: Many = 3
    """Matches between bots that run for one client."""
    bot_matches_in_all: Many = 12
    waiting: Many = 8
    """Heavy requests of one client that may wait; one of them is worked on."""
    waiting_in_all: Many = 64
    sockets: Many = 50
    """Open WebSockets of one client."""
    sockets_in_all: Many = 1000
    connections: Many = 100
    """Connections of one client, without its WebSockets."""
    connections_in_all: Many = 1000
    header_seconds: Amount = 10
    """Within which the headers of a request must arrive."""
    body_seconds: Amount = 60
    """Within which the rest must."""
    body: Many = 64 * 1024
    """Bytes of a request."""
    save: Many = 2 * 1024 * 1024
    """Bytes of a save that is uploaded."""
    work_seconds: Amount = 60
    """After which heavy work is given up."""
    enforced: bool = True
    """Whether rates and budgets hold; sizes and times always do."""


def change_limits(limits: Limits, wishes: Iterable[str]) -> Limits:
    """The limits with changes such as `sockets=100` or `saves=40/1000`; ValueError, a sentence.

    >>> change_limits(Limits(), ["sockets=7", "saves=2/30"]).saves
    Budget(a_minute=2.0, a_day=30.0)
    """
    known = {field.name: field.type for field in msgspec.structs.fields(Limits)}
    del known["enforced"]
    values: dict[str, Any] = {}
    for wish in wishes:
        name, equals, text = wish.partition("=")
        if not equals or name not in known:
            raise ValueError(f"A limit reads NAME=NUMBER, and the names are {', '.join(known)}.")
        try:
            values[name] = _read(text, known[name])
        except (ValueError, msgspec.ValidationError):
            how = "A/B, for a minute and a day" if known[name] is Budget else "a number above 0"
            raise ValueError(f"The limit {name} is {how}, not {text!r}.") from None
    return msgspec.structs.replace(limits, **values)


def _read(text: str, kind: Any) -> Any:
    if kind is not Budget:
        return msgspec.convert(text, kind, strict=False)
    minute, day = (msgspec.convert(part, Amount, strict=False) for part in text.split("/"))
    return Budget(minute, day)
