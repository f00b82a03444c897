"""What can be read about a match as a whole: the order of battle, the after-action report."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.kernel import save
from apennine.kernel.game import REFEREE
from apennine.kernel.words import unit_name
from apennine.report import html_report
from apennine.server import state
from apennine.server.catalogue import Source
from apennine.server.errors import Refused
from apennine.server.messages import Scheduled
from apennine.server.room import Room
from apennine.server.service import Guest, Service

TOO_EARLY = "A report tells the secrets of all sides: it is written when the match is over."


async def schedule(service: Service, guest: Guest, wanted: str | None) -> list[Scheduled]:
    """Who comes and goes, as far as the seat may know."""

    def look() -> list[Scheduled]:
        room = guest.room
        return _schedule(room, state.eyes_of(room, guest.sides, wanted).side)

    return await service.house.rules(look)


def _schedule(room: Room, side: int) -> list[Scheduled]:
    game, match = room.game, room.match
    track: Sequence[str] = match.view(side).get("track", ())
    return [
        Scheduled(
            line.turn,
            state.turn_name(track, line.turn),
            game.sides[line.side],
            line.comes,
            [unit_name(game, unit) for unit in line.units],
            line.text,
            line.rule,
        )
        for line in game.schedule(match.position, side)
    ]


async def write(service: Service, guest: Guest) -> tuple[str, str]:
    """The name and the text of a report. It takes seconds, so it is written in a worker."""
    room, house = guest.room, service.house

    def record() -> str:
        if room.outcome is None and not room.alone(guest.sides):
            raise Refused(409, TOO_EARLY)
        return save.dump(room.match, resigned=room.resigned)

    text = await house.rules(record)
    source = house.catalogue[room.birth.game]
    page = await house.workers.run("reports", write_report, source, text)
    return f"{room.game.key}-report.html", page


def write_report(source: Source, text: str) -> str:
    """The report of a save. Runs in a worker."""
    record, game = save.parse(text), source.game()
    match = save.open_record(record, game)
    return html_report(match, REFEREE, save.ending_of(record, game))
