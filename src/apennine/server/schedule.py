"""Who comes and goes in a match, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.kernel.words import unit_name
from apennine.server import state
from apennine.server.messages import Scheduled
from apennine.server.room import Room
from apennine.server.service import Guest, Service


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
