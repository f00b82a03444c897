"""Saves: a match as a file that somebody may have, and a file as a new match."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from apennine.kernel import save
from apennine.kernel.dice import make_seed
from apennine.kernel.match import Match
from apennine.server import state
from apennine.server.catalogue import Source, name_of
from apennine.server.errors import Refused
from apennine.server.founding import found, read_seats
from apennine.server.messages import MadeMatch
from apennine.server.service import Guest, Service


async def download(service: Service, guest: Guest, wanted: str | None) -> tuple[str, str]:
    """The name and the text of a save.

    Whole, with the seed, when the game is over or nobody else plays; else what the seat may see.
    """

    def write() -> tuple[str, str]:
        room = guest.room
        eyes = state.eyes_of(room, guest.sides, wanted)
        if room.outcome is not None or room.alone(guest.sides):
            return f"{room.game.key}.save", save.dump(room.match, resigned=room.resigned)
        name = room.game.sides[eyes.side] if eyes.side >= 0 else "spectator"
        return f"{room.game.key}-{name.lower()}.save", save.dump_seen(room.match, eyes.side)

    return await service.house.rules(write)


async def upload(service: Service, text: str, seats: str, name: str) -> MadeMatch:
    """Make a match of a save. Other players get dice that nobody has seen."""
    house = service.house
    # Whatever such a file holds is first tried in a process that may fail.
    sentence = await house.workers.run("saves", try_save, house.catalogue, text)
    if sentence:
        raise Refused(422, sentence)
    record = await asyncio.to_thread(save.parse, text)
    game = house.game(_name_here(record))
    sitting = read_seats(game, read_seating(game.sides, seats), name)
    match: Match[Any] = await house.rules(save.open_record, record, game)
    if any(seat.kind not in ("person", "bot") for seat in sitting):
        match = await house.rules(match.fork, make_seed())
    public = any(seat.kind == "open" for seat in sitting)
    ended = record.footer.ended
    resigned = None if ended is None else game.side(ended.side)
    return await found(house, match, sitting, public=public, resigned=resigned)


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


def try_save(catalogue: Mapping[str, Source], text: str) -> str:
    """What is wrong with a save, as a sentence; empty if it can be played on. Runs in a worker."""
    try:
        record = save.parse(text)
        if record.header.game not in catalogue:
            return f"This server does not have the game {record.header.game!r}."
        # Without its packs the game itself says which one is missing.
        source = catalogue.get(_name_here(record)) or catalogue[record.header.game]
        game = source.game()
        match = save.open_record(record, game)
        positions = (match.start, match.checkpoint.position)
        faults = [fault.sentence for pos in positions for fault in game.check(pos)]
        if faults:
            return f"The save holds a position that cannot be: {' '.join(faults)}"
        for side in range(-1, len(game.sides)):
            match.view(side)
    except save.SaveError as error:
        return str(error)
    except Exception as error:
        # A made-up position can break the rules in any way; here that is the file's fault.
        return f"The save cannot be played on: {type(error).__name__}: {error}."
    return ""
