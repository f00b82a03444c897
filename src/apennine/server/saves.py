"""A save that somebody uploads, as a new match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from apennine.kernel import save
from apennine.kernel.dice import make_seed
from apennine.kernel.game import Game
from apennine.kernel.match import Match
from apennine.server.catalogue import Source, name_of
from apennine.server.errors import Refused
from apennine.server.founding import Begun, begin, found, new_id, read_seats
from apennine.server.house import House
from apennine.server.messages import MadeMatch
from apennine.server.plain import plain
from apennine.server.rows import SeatRow
from apennine.server.uploads import Upload, find_fault

UNSOUND = (
    "Others may join only what follows from its start by the rules, and this save does not: play "
    "it alone or against bots."
)


async def upload(house: House, text: str, seats: str, name: str) -> MadeMatch:
    """Make a match of a save. Other players get dice that nobody has seen."""
    begun, sitting = await house.archive.take_in(receive, house.catalogue, text, seats, name)
    return await found(house, begun, sitting)


def receive(
    catalogue: Mapping[str, Source], text: str, seats: str, name: str
) -> tuple[Begun, list[SeatRow]]:
    """What is to be kept of a save, and who is to play; Refused if it cannot be played on.

    Runs in a process that may fail, whatever such a file holds.
    """
    try:
        record = save.parse(text)
        game = _game_of(record, catalogue)
        match = save.open_record(record, game)
        _check(match)
    except save.SaveError as error:
        raise Refused(422, str(error)) from None
    except Refused:
        raise
    except Exception as error:
        # A made-up position can break the rules in any way; here that is the file's fault.
        sentence = f"The save cannot be played on: {type(error).__name__}: {error}."
        raise Refused(422, sentence) from None
    sitting = read_seats(game, read_seating(game.sides, seats), name)
    fault = find_fault(record, game)
    if any(seat.kind not in ("person", "bot") for seat in sitting):
        if fault:
            raise Refused(422, f"{UNSOUND} {fault}")
        match = match.fork(make_seed())
    upload = Upload(
        by=plain(name, "A name"),
        sides=[game.sides[seat.side] for seat in sitting if seat.kind == "person"],
        played=bool(record.entries),
        own_start=record.header.start is not None,
        sound=not fault,
    )
    public = any(seat.kind == "open" for seat in sitting)
    ended = record.footer.ended
    resigned = None if ended is None else game.side(ended.side)
    begun = begin(match, new_id(), public=public, resigned=resigned, upload=upload)
    return begun, sitting


def read_seating(sides: tuple[str, ...], text: str) -> dict[str, str]:
    """Seats as an address has them: Allied=me,German=bot:staff, or JSON. Empty: all are mine."""
    if not text:
        return dict.fromkeys(sides, "me")
    if text.startswith("{"):
        try:
            return msgspec.json.decode(text, type=dict[str, str])
        except msgspec.MsgspecError as error:
            raise Refused(400, f"seats is not as it should be: {error}.") from None
    seating: dict[str, str] = {}
    for part in text.split(","):
        side, equals, wanted = part.partition("=")
        if not equals:
            raise Refused(400, "seats must read SIDE=me,SIDE=bot and so on.")
        seating[side] = wanted
    return seating


def _name_here(record: save.Record) -> str:
    """What a server calls the game of a save, with the packs that it was played with."""
    return name_of(record.header.game, (label.partition(" ")[0] for label in record.header.packs))


def _game_of(record: save.Record, catalogue: Mapping[str, Source]) -> Game[Any]:
    if record.header.game not in catalogue:
        raise Refused(422, f"This server does not have the game {record.header.game!r}.")
    # Without its packs the game itself says which one is missing.
    source = catalogue.get(_name_here(record)) or catalogue[record.header.game]
    return source.game()


def _check(match: Match[Any]) -> None:
    """Refused if the match holds a position that cannot be; any error if it cannot be shown."""
    game = match.game
    positions = (match.start, match.checkpoint.position)
    faults = [fault.sentence for pos in positions for fault in game.check(pos)]
    if faults:
        raise Refused(422, f"The save holds a position that cannot be: {' '.join(faults)}")
    for side in range(-1, len(game.sides)):
        match.view(side)
