"""What a side is sent: its view, the decision, the log and its undo, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apennine.kernel.decision import Choice, Event, Roll
from apennine.kernel.log import HIDDEN, VEILED, Chosen, Entry, Rolled
from apennine.kernel.match import Match


def seen_log(
    match: Match[Any], side: int, since: int = 0, until: int | None = None
) -> Iterator[Entry]:
    """The log, or a part of it, as a side (-1: a spectator) sees it.

    A run of secret choices of another side is one hidden entry, however long it was and
    whether there was anything to choose: its length is a secret too.
    """
    hiding = -1
    for entry in match.log[since:until]:
        if type(entry) is Chosen and entry.secret and entry.side != side:
            if hiding != entry.side:
                yield Chosen(entry.side, HIDDEN, entry.rule, secret=True)
            hiding = entry.side
        else:
            hiding = -1
            yield seen_entry(entry, side)


def seen_entry(entry: Entry, side: int) -> Entry:
    """An entry that was not made in secret, as a side sees it: what is veiled from it is gone."""
    if type(entry) is Chosen and entry.veil and entry.side != side:
        hidden = dict.fromkeys(entry.veil, VEILED)
        return entry._replace(option=entry.option._replace(**hidden))
    if type(entry) is Event and entry.veil and entry.owner != side:
        return entry._replace(**dict.fromkeys(entry.veil, VEILED))
    return entry


def seen_decision(match: Match[Any], side: int) -> Choice | Roll | None:
    """The decision as a side sees it: another side's menu is empty, its secret prompt plain."""
    decision = match.decision
    if not isinstance(decision, Choice) or decision.side == side:
        return decision
    name = match.game.sides[decision.side]
    prompt = f"{name} makes a secret choice" if decision.secret else decision.prompt
    return decision._replace(options=(), prompt=prompt)


def sent(match: Match[Any], side: int) -> dict[str, Any]:
    """All that a side is sent, as JSON-able data."""
    decision = seen_decision(match, side)
    outcome = match.outcome
    return {
        "view": match.view(side),
        "decision": None if decision is None else _plain(decision),
        "log": [_plain(entry) for entry in seen_log(match, side)],
        "may_take_back": side >= 0 and match.may_take_back(side),
        "outcome": None if outcome is None else outcome._asdict(),
        "commitment": match.commitment,
        "seed": match.seed.hex() if outcome is not None and match.seed is not None else None,
    }


def _plain(item: Choice | Roll | Chosen | Rolled | Event) -> dict[str, Any]:
    data = {"is": type(item).__name__} | item._asdict()
    if type(item) is Choice:
        data["options"] = [list(option) for option in item.options]
        del data["checkpoint"]
    elif type(item) is Chosen:
        data["option"] = list(item.option)
    return data
