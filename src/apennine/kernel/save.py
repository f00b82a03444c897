"""Saves: one readable JSON-lines file, each line chained to the one before by a hash."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec

from apennine.kernel.decision import Choice, Event, Line, Option, Roll
from apennine.kernel.dice import SeededDice
from apennine.kernel.game import EVERYBODY, Game, Outcome
from apennine.kernel.log import VEILED, Chosen, Entry, Log, Rolled, Snapshot
from apennine.kernel.match import Match, RulesError, is_asked
from apennine.kernel.position import Position, PositionError
from apennine.kernel.refusal import refuse
from apennine.kernel.view import seen_log
from apennine.kernel.words import UNSEEN
from apennine.release import __version__

P = TypeVar("P", bound=Position)

FORMAT = 1
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A number of entries or rolls, as any database and any other program can keep it."""


class SaveError(ValueError):
    """A save that cannot be opened. One sentence, with the file and the line."""


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what was played, with which data, rules and dice.

    `start` is there only if the match did not begin with the scenario's own position, and
    `dice_since` only if rolls before that number came from other dice than the seed's. `seen_by`
    names the side whose account this is: the seed and all that it could not see are left out.
    """

    apennine: str
    format: int
    game: str
    data: str
    packs: list[str]
    scenario: str
    options: dict[str, bool]
    dice: str
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    commitment: str = ""
    start: dict[str, Any] | None = None
    dice_since: Count = 0
    seen_by: str = ""


class Ended(msgspec.Struct, forbid_unknown_fields=True):
    """How the players ended a match that the rules had not ended."""

    by: Literal["resignation"]
    side: str


class Footer(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The last line: the last checkpoint, the digest of the present, and how the game ended.

    `spent` is the number of rolls that were used up before the last roll-back. `outcome` is the
    reason that the rules gave; where they gave none, `ended` may say that a side gave up.
    """

    snapshot: dict[str, Any]
    at: Count
    rolls: Count
    digest: str
    spent: Count = 0
    outcome: str = ""
    ended: Ended | None = None


class Record(NamedTuple):
    """A save as it was read: nothing is played yet, but every line is known to be unchanged."""

    name: str
    header: Header
    entries: list[dict[str, Any]]
    footer: Footer


class Replay(NamedTuple):
    """What came of playing a record from its start.

    `divergence` is the first difference, as a sentence; the match then stands at the last
    checkpoint before it. None: everything came out as recorded.
    """

    match: Match[Any]
    checked: int
    divergence: str | None


def dump(match: Match[Any], *, resigned: int | None = None) -> str:
    """A match as the text of a save; `resigned` is the side that gave up, if one did."""
    return "\n".join(_chain(_lines(match, resigned))) + "\n"


def dump_seen(match: Match[Any], side: int) -> str:
    """What a side (-1: a spectator) saw of a match, as a text that can be read but not played on.

    It has the form of a save, without the seed, the position and what others chose in secret.
    """
    header = _header(match)
    header.seed, header.start = "", None
    header.seen_by = match.game.sides[side] if side >= 0 else "a spectator"
    outcome = match.outcome.reason if match.outcome else ""
    footer = Footer(snapshot={}, at=0, rolls=0, digest="", outcome=outcome)
    entries = (write_entry(entry, match.game) for entry in seen_log(match, side))
    bodies = chain([msgspec.to_builtins(header)], entries, [msgspec.to_builtins(footer)])
    return "\n".join(_chain(bodies)) + "\n"


def read(path: str | Path) -> Record:
    """Read a save and check every line, without playing anything."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SaveError(f"{path} cannot be read: {reason}.") from None
    return parse(text, path.name)


def parse(text: str, name: str = "the save") -> Record:
    """Check the text of a save and take it apart."""
    if not text.strip():
        raise SaveError(f"{name} is empty.")
    bodies = list(_unchain(text, name))
    header = _convert(bodies[0], Header, name, 1)
    if header.format != FORMAT:
        raise SaveError(
            f"{name} has save format {header.format}, from version {header.apennine}; "
            f"this version reads format {FORMAT}."
        )
    if len(bodies) < 2 or "snapshot" not in bodies[-1]:
        raise SaveError(f"{name} was cut off after line {len(bodies)}: it has no snapshot line.")
    footer = _convert(bodies[-1], Footer, name, len(bodies))
    if footer.at > len(bodies) - 2:
        raise SaveError(f"{name}, line {len(bodies)}: the snapshot is later than the log.")
    if footer.ended and footer.outcome:
        raise SaveError(
            f"{name}, line {len(bodies)}: {footer.ended.side} cannot have resigned, for the game "
            f"was over: {footer.outcome}"
        )
    return Record(name, header, bodies[1:-1], footer)


def open_record(record: Record, game: Game[P]) -> Match[P]:
    """The match of a record, opened at its snapshot and played on to the present.

    If the rules or the position have changed since so that this cannot be done, the match
    opens at the last checkpoint that still holds, and its `notes` say so. They also tell of a
    resignation, which is no part of the rules: the match itself could go on.
    """
    notes = changes_since(record, game)
    _check_whole(record)
    entries = entries_of(record, game)
    ending = ending_of(record, game)
    try:
        position = game.position_type.from_json(record.footer.snapshot)
    except PositionError as error:
        replayed = replay(record, game)
        notes.append(f"{error} It was played again from the start. {replayed.divergence or ''}")
        match = replayed.match
    else:
        snapshot = Snapshot(record.footer.at, position, record.footer.rolls)
        try:
            match = _match(record, game, entries, snapshot)
        except RulesError as error:
            match = _match(record, game, entries[: snapshot.at], snapshot)
            notes.append(f"{record.name} opens at its last checkpoint: {error}")
    if ending is not None and match.outcome is None:
        notes.append(f"The players ended this match: {ending.reason}")
    match.notes = tuple(note.strip() for note in notes)
    return match


def ending_of(record: Record, game: Game[Any]) -> Outcome | None:
    """How the players ended the match of a record, if they did and not the rules."""
    ended = record.footer.ended
    if ended is None:
        return None
    if ended.side not in game.sides:
        raise SaveError(
            f"{record.name}, line {len(record.entries) + 2}: {ended.side!r} cannot have resigned, "
            f"for {game.title} has the sides {', '.join(game.sides)}."
        )
    return resignation(game, game.sides.index(ended.side))


def resignation(game: Game[Any], side: int) -> Outcome:
    """How a match ends in which this side gives up: the other has won, if there is but one."""
    others = [other for other in range(len(game.sides)) if other != side]
    return Outcome(others[0] if len(others) == 1 else EVERYBODY, f"{game.sides[side]} resigns.")


def changes_since(record: Record, game: Game[Any]) -> list[str]:
    """How the data of a game differ from those that the match was played with, a sentence each.

    Raises `SaveError` if the match was played with other packs than are laid over the game.
    """
    saved = [label.partition(" ")[0] for label in record.header.packs]
    laid = [pack.name for pack in game.packs]
    for name in saved:
        if name not in laid:
            raise SaveError(
                f"{record.name} was played with the pack {name!r}, which is not laid over "
                f"{game.title}: give its folder, with --pack or as one of the packs."
            )
    for name in laid:
        if name not in saved:
            raise SaveError(f"{record.name} was played without the pack {name!r}: leave it away.")
    if saved != laid:
        raise SaveError(f"{record.name} was played with its packs in the order {', '.join(saved)}.")
    changed = [pack.name for pack in game.packs if pack.label not in record.header.packs]
    if changed:
        return [f"The pack {name!r} has changed since {record.name} was saved." for name in changed]
    if record.header.data != game.data_digest:
        return [f"The data of {game.title} have changed since {record.name} was saved."]
    return []


def replay(record: Record, game: Game[P]) -> Replay:
    """Play a record from its start over the present rules, and find the first difference.

    Raises `SaveError`, as `changes_since` does, if it was played with other packs.
    """
    changes_since(record, game)
    _check_whole(record)
    entries = entries_of(record, game)
    ending_of(record, game)
    tape = _Tape(record, game, entries)
    divergence = tape.play()
    if divergence is None:
        match = _match(record, game, entries, tape.checkpoint)
        if match.digest != record.footer.digest:
            divergence = "The last position is not the one that was saved."
    else:
        divergence = f"Entry {tape.at + 1} (line {tape.at + 2}): {divergence}"
        match = _match(record, game, entries[: tape.checkpoint.at], tape.checkpoint)
    return Replay(match, tape.at, divergence)


def _check_whole(record: Record) -> None:
    if record.header.seen_by:
        raise SaveError(
            f"{record.name} is what {record.header.seen_by} saw of a match: it can be read, but "
            "not played on or verified."
        )


class _Tape:
    """Recorded entries, played against the rules one by one."""

    def __init__(self, record: Record, game: Game[Any], entries: Sequence[Entry]) -> None:
        header = record.header
        self.game = game
        self.entries = entries
        self.outcome = record.footer.outcome
        self.dice = SeededDice(bytes.fromhex(header.seed)) if header.seed else None
        self.dice_since = header.dice_since
        self.at = 0
        self.nth = -1
        pos = _start(record, game)
        if pos is None:
            options = game.check_options(header.options)
            pos = game.setup(game.check_scenario(header.scenario), options)
        self.checkpoint: Snapshot[Any] = Snapshot(0, pos, 0)
        self.pos = pos.copy()

    def play(self) -> str | None:
        """The first difference between the record and the rules, or None."""
        game, pos, entries = self.game, self.pos, self.entries
        procedure = game.phase(pos)
        answer: Any = None
        while True:
            ended = False
            try:
                item = procedure.send(answer)
            except StopIteration:
                item, ended = None, True
            answer = None
            if not isinstance(item, Event):
                over = game.outcome(pos)
                if self.at == len(entries) and (over or not ended):
                    return self._compare_end(item, over)
                if over:
                    return "the game is over before this by the present rules."
                if ended:
                    procedure = game.phase(pos)
                    continue
            if self.at == len(entries):
                return f"the rules now tell of {item!r} after the end of the record."
            entry = entries[self.at]
            difference = self._compare(item, entry)
            if difference is not None:
                return difference
            self.at += 1
            if type(entry) is Chosen:
                answer = entry.option
            elif type(entry) is Rolled:
                answer = entry.faces

    def _compare_end(self, item: Choice | Roll | None, over: Outcome | None) -> str | None:
        reason = over.reason if over else ""
        if reason != self.outcome:
            return f"the outcome was {self.outcome or 'open'!r} and is now {reason or 'open'!r}."
        if item is None or over or is_asked(item, dice_by_hand=self.dice is None):
            return None
        return f"the rules now go on without asking ({item.rule})."

    def _compare(self, item: Choice | Roll | Event | None, entry: Entry) -> str | None:
        match item, entry:
            case Event(), Event():
                same = item[:6] == entry[:6]  # saves from before events had a veil have none
                return None if same else f"the rules now tell of {item}, not {entry}."
            case Choice(), Chosen():
                if item.checkpoint:
                    self.checkpoint = Snapshot(self.at, self.pos.copy(), self.nth + 1)
                if item.side != entry.side:
                    return f"the choice is now {self.game.sides[item.side]}'s ({item.rule})."
                if entry.option not in item.options:
                    why = refuse(self.game, self.pos, item, entry.option)
                    return f"this is no longer allowed: {why.sentence} ({why.rule})"
                if entry.automatic != (len(item.options) == 1):
                    return f"there are now {len(item.options)} options ({item.rule})."
                return None
            case Roll(), Rolled():
                return self._compare_dice(item, entry)
            case _:
                return f"the rules now ask for {type(item).__name__} where {entry} is recorded."

    def _compare_dice(self, roll: Roll, entry: Rolled) -> str | None:
        if roll.sides != entry.sides:
            return f"the rules now roll dice of {roll.sides} sides ({roll.rule})."
        if entry.nth <= self.nth:
            return f"roll number {entry.nth} comes twice."
        self.nth = entry.nth
        if self.dice and not entry.given and entry.nth >= self.dice_since:
            faces = self.dice.roll(entry.nth, entry.sides)
            if faces != entry.faces:
                return f"the dice {entry.faces} are not those of the seed, {faces}."
        return None


def _match(
    record: Record, game: Game[P], entries: Sequence[Entry], snapshot: Snapshot[P]
) -> Match[P]:
    header = record.header
    log: Log[P] = Log(entries)
    seed = bytes.fromhex(header.seed) if header.dice == "seed" else None
    return Match[P].resume(
        game,
        header.scenario,
        header.options,
        seed,
        log,
        snapshot,
        start=_start(record, game),
        spent=record.footer.spent,
        dice_since=header.dice_since,
    )


def _start(record: Record, game: Game[P]) -> P | None:
    """The position in which the match began; None: that of its scenario."""
    if record.header.start is None:
        return None
    try:
        return game.position_type.from_json(record.header.start)
    except PositionError as error:
        raise SaveError(f"{record.name}, line 1: {error}") from None


def _header(match: Match[Any]) -> Header:
    game = match.game
    own_start = match.start != game.setup(match.scenario, match.options)
    return Header(
        apennine=__version__,
        format=FORMAT,
        game=game.key,
        data=game.data_digest,
        packs=[pack.label for pack in game.packs],
        scenario=match.scenario,
        options=dict(match.options),
        dice="hand" if match.seed is None else "seed",
        seed=match.seed.hex() if match.seed else "",
        commitment=match.commitment,
        start=match.start.to_json() if own_start else None,
        dice_since=match.dice_since,
    )


def _lines(match: Match[Any], resigned: int | None) -> Iterator[dict[str, Any]]:
    game = match.game
    yield msgspec.to_builtins(_header(match))
    for entry in match.log:
        yield write_entry(entry, game)
    base = match.checkpoint
    ended = None
    if resigned is not None and match.outcome is None:
        ended = Ended("resignation", game.sides[resigned])
    footer = Footer(
        snapshot=base.position.to_json(),
        at=base.at,
        rolls=base.rolls,
        digest=match.digest,
        spent=match.spent,
        outcome=match.outcome.reason if match.outcome else "",
        ended=ended,
    )
    yield msgspec.to_builtins(footer)


def write_entry(entry: Entry, game: Game[Any]) -> dict[str, Any]:
    """An entry of a log as a save has it: sides, units and places by name."""
    if type(entry) is Rolled:
        line: dict[str, Any] = {
            "roll": entry.faces,
            "sides": entry.sides,
            "for": entry.purpose,
            "rule": entry.rule,
            "nth": entry.nth,
        }
        if entry.given:
            line["given"] = True
        if entry.column:
            line["column"] = entry.column
        if entry.lines:
            line["lines"] = [list(each) for each in entry.lines]
        return line
    if type(entry) is Chosen:
        line = {"side": game.sides[entry.side]} | _write_what(entry.option, game)
        line["rule"] = entry.rule
        for flag in ("secret", "automatic"):
            if getattr(entry, flag):
                line[flag] = True
        if entry.veil:
            line["veil"] = list(entry.veil)
        return line
    assert type(entry) is Event
    line = {"event": entry.verb} | _write_what(entry, game) | {"rule": entry.rule}
    del line["verb"]
    if entry.reveals:
        line["reveals"] = True
    if entry.veil:
        line |= {"veil": list(entry.veil), "owner": game.sides[entry.owner]}
    return line


def _write_what(what: Option | Event, game: Game[Any]) -> dict[str, Any]:
    """Units and places by name, where they have one."""
    line: dict[str, Any] = {"verb": what.verb}
    if what.unit >= 0:
        line["unit"] = game.units[what.unit] if what.unit < len(game.units) else what.unit
    if what.hex >= 0:
        line["hex"] = game.board.code(what.hex)
    if what.value:
        line["value"] = what.value
    return line | {
        name: UNSEEN for name in ("unit", "hex", "value") if getattr(what, name) == VEILED
    }


def entries_of(record: Record, game: Game[Any]) -> list[Entry]:
    """The log of a record."""
    entries: list[Entry] = []
    for number, line in enumerate(record.entries, start=2):
        try:
            entries.append(read_entry(dict(line), game))
        except (KeyError, TypeError, ValueError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise SaveError(f"{record.name}, line {number}: {reason.removesuffix('.')}.") from None
    return entries


def read_entry(line: dict[str, Any], game: Game[Any]) -> Entry:
    """The inverse of `write_entry`; KeyError, TypeError or ValueError if it is none."""
    if "roll" in line:
        return Rolled(
            tuple(line["roll"]),
            tuple(line["sides"]),
            line["for"],
            line["rule"],
            msgspec.convert(line["nth"], Count),
            line.get("given", False),
            line.get("column", ""),
            tuple(Line(*each) for each in line.get("lines", ())),
        )
    unit = line.get("unit", -1)
    if isinstance(unit, str):
        unit = VEILED if unit == UNSEEN else game.unit(unit)
    hex = line.get("hex", -1)
    if isinstance(hex, str):
        hex = VEILED if hex == UNSEEN else game.board.parse(hex)
    value, rule, veil = line.get("value", 0), line["rule"], tuple(line.get("veil", ()))
    if value == UNSEEN:
        value = VEILED
    if "event" in line:
        owner = game.side(line["owner"]) if "owner" in line else -1
        reveals = line.get("reveals", False)
        return Event(line["event"], unit, hex, value, rule, reveals, veil, owner)
    return Chosen(
        game.side(line["side"]),
        Option(line["verb"], unit, hex, value),
        rule,
        line.get("secret", False),
        line.get("automatic", False),
        veil,
    )


def _link(chain: str, body: str) -> str:
    return blake2b((chain + body).encode(), digest_size=12).hexdigest()


def _text(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)


def _chain(bodies: Iterable[dict[str, Any]]) -> Iterator[str]:
    link = ""
    for body in bodies:
        link = _link(link, _text(body))
        yield _text(body | {"chain": link})


def _unchain(text: str, name: str) -> Iterator[dict[str, Any]]:
    chain = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        try:
            body = json.loads(line)
        except ValueError:
            raise SaveError(f"{name}, line {number}: this is not a JSON object.") from None
        if not isinstance(body, dict) or "chain" not in body:
            raise SaveError(f"{name}, line {number}: this is not a line of a save.")
        claimed: Any = body.pop("chain")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        chain = _link(chain, _text(body))  # pyright: ignore[reportUnknownArgumentType]
        if chain != claimed:
            raise SaveError(f"{name}, line {number}: the line was changed after it was saved.")
        yield body


S = TypeVar("S", bound=msgspec.Struct)


def _convert(body: dict[str, Any], kind: type[S], name: str, number: int) -> S:
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise SaveError(f"{name}, line {number}: {error}.") from None
