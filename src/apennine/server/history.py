"""From what is kept to a match in play, and from a match in play to what is kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from apennine.kernel.game import Game
from apennine.kernel.log import Entry, Log, Snapshot
from apennine.kernel.match import Match, RulesError
from apennine.kernel.position import PositionError
from apennine.kernel.save import read_entry, write_entry
from apennine.server.rows import Action, Birth, Checkpoint, Stored

CHUNK = 256
"""Entries of the log between two stored checkpoints: at least as many as the kernel packs."""


class Turn(NamedTuple):
    """When a side's turn began: the length of the log at its first decision."""

    length: int
    turn: int
    side: int


class Link(NamedTuple):
    """A stored checkpoint that holds entries of the present log: its number, and up to where."""

    n: int
    length: int


class History(NamedTuple):
    """A match and how it is kept."""

    match: Match[Any]
    links: list[Link]
    turns: list[Turn]


def write_entries(entries: Iterable[Entry], game: Game[Any]) -> str:
    """Entries as they are kept: readable, a line each, everything by name."""
    return "\n".join(json.dumps(write_entry(entry, game), ensure_ascii=False) for entry in entries)


def read_entries(text: str, game: Game[Any]) -> list[Entry]:
    """The inverse of `write_entries`."""
    return [read_entry(json.loads(line), game) for line in text.splitlines()]


def open_history(stored: Stored, game: Game[Any]) -> History:
    """The match that was stored, at its present moment."""
    birth = stored.birth
    start = _start(birth, game)
    log: Log[Any] = Log()
    bases = [Snapshot(0, start, 0)]
    links: list[Link] = []
    turns: list[Turn] = []
    spent = 0
    for kept in _chain(stored.checkpoints):
        log.extend(read_entries(zlib.decompress(kept.entries).decode(), game))
        try:
            position = game.position_type.from_json(json.loads(kept.position))
        except PositionError:
            pass  # of an older version: an earlier one will do, or the start
        else:
            bases.append(Snapshot(kept.at, position, kept.rolls))
        log.keep(bases[-1])
        links.append(Link(kept.n, kept.length))
        turns = [Turn(*turn) for turn in json.loads(kept.turns)]
        spent = kept.spent
    for action in stored.actions:
        if action.cut >= 0:
            log = _follow(log, action, game)
            links = [link for link in links if link.length <= action.cut]
            bases = [base for base in bases if base.at <= action.cut]
            turns = _turns_after(turns, action)
            spent = action.spent
    return History(_resume(birth, game, start, log, bases, spent), links, turns)


def follow(history: History, birth: Birth, news: Sequence[Action]) -> History:
    """The same match after actions that another process wrote."""
    match, links, turns = history
    game = match.game
    log = cast("Log[Any]", match.log)
    bases = [match.checkpoint, *log.snapshots(), Snapshot(0, match.start, 0)]
    spent = match.spent
    for action in news:
        if action.cut >= 0:
            log = _follow(log, action, game)
            links = [link for link in links if link.length <= action.cut]
            bases = [base for base in bases if base.at <= action.cut]
            turns = _turns_after(turns, action)
            spent = action.spent
    if log is match.log:
        return history
    return History(_resume(birth, game, match.start, log, bases[::-1], spent), links, turns)


def change(before: History, after: Match[Any]) -> tuple[int, Sequence[Entry], list[Turn]]:
    """What a step of the match did to its log: cut to this length, then these entries."""
    old, new = len(before.match.log), len(after.log)
    cut = min(old, new)
    entries = after.log[cut:]
    now = Turn(new, after.position.turn, after.position.side)
    return cut, entries, _began(before.turns, cut, now)


def checkpoint(
    n: int, links: Sequence[Link], turns: Sequence[Turn], match: Match[Any]
) -> Checkpoint | None:
    """The checkpoint to store with action n; None if the last one is near enough."""
    length = len(match.log)
    before = links[-1] if links else Link(-1, 0)
    if length - before.length < CHUNK:
        return None
    base = match.checkpoint
    return Checkpoint(
        n=n,
        before=before.n,
        start=before.length,
        length=length,
        entries=zlib.compress(
            write_entries(match.log[before.length : length], match.game).encode()
        ),
        at=base.at,
        rolls=base.rolls,
        position=json.dumps(base.position.to_json()),
        spent=match.spent,
        turns=json.dumps(list(turns)),
    )


def _start(birth: Birth, game: Game[Any]) -> Any:
    if birth.start is None:
        return game.setup(game.check_scenario(birth.scenario), game.check_options(birth.options))
    return game.position_type.from_json(json.loads(birth.start))


def _chain(checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    """The checkpoints that the last one stands on, the oldest first: not those taken back."""
    by_number = {kept.n: kept for kept in checkpoints}
    chain: list[Checkpoint] = []
    kept = checkpoints[-1] if checkpoints else None
    while kept is not None:
        chain.append(kept)
        kept = by_number.get(kept.before)
    return chain[::-1]


def _follow(log: Log[Any], action: Action, game: Game[Any]) -> Log[Any]:
    log = log.cut(action.cut) if action.cut < len(log) else log.fork()
    log.extend(read_entries(action.entries, game))
    return log


def _turns_after(turns: Sequence[Turn], action: Action) -> list[Turn]:
    now = Turn(action.body["length"], action.body["turn"], action.body["side"])
    return _began(turns, action.cut, now)


def _began(turns: Sequence[Turn], cut: int, now: Turn) -> list[Turn]:
    """The turns so far, with the one that has begun now if it is a new one."""
    kept = [turn for turn in turns if turn.length <= cut]
    if not kept or kept[-1][1:] != now[1:]:
        kept.append(now)
    return kept


def _resume(
    birth: Birth,
    game: Game[Any],
    start: Any,
    log: Log[Any],
    bases: Sequence[Snapshot[Any]],
    spent: int,
) -> Match[Any]:
    """Play on from the last checkpoint that still holds under the present rules."""
    first: RulesError | None = None
    for base in reversed(bases):
        try:
            match = _match(birth, game, start, log, base, spent)
        except RulesError as error:
            first = first or error
        else:
            return match
    # The rules no longer ask for what was answered: the match goes on where they still did.
    base = bases[-1]
    match = _match(birth, game, start, log.cut(base.at), base, spent)
    match.notes = (f"The match opens at its last checkpoint, since the rules changed: {first}",)
    return match


def _match(
    birth: Birth, game: Game[Any], start: Any, log: Log[Any], base: Snapshot[Any], spent: int
) -> Match[Any]:
    return Match[Any].resume(
        game,
        birth.scenario,
        birth.options,
        birth.seed,
        log.fork(),
        base,
        start=start,
        spent=spent,
        dice_since=birth.dice_since,
    )
