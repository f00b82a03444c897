"""C5F: port counters: construction, opening, loss; and C5G6: Build-Up that is kept."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import first_bit
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.order import HEX, Bars, Order

from ..table.position import CLOSED, GERMAN, OPEN, UNDER_WAY, Table
from ..table.war import War
from .b4e_zones import zone
from .c4_friendly import close_base
from .e2_calendar import new_counters

BUILDING = "Construction is declared at the end of the Allied turn"


def finish_ports(war: War, pos: Table) -> Iterator[Event]:
    """C1B3, C5F4a: new counters come, and what was built in the last turn begins to operate."""
    pos.ports += new_counters(war, pos)
    for number, state in enumerate(pos.bases):
        if state == UNDER_WAY:
            pos.bases[number] = OPEN
            yield Event("opens", hex=mark(war, pos, number), value=number, rule="C5F4a")
    pos.fresh = 0


def mark(war: War, pos: Table, number: int) -> int:
    """The hex by which a base is told: a friendly one, if there is any."""
    hexes = war.ground.bases[number].hexes
    return first_bit(hexes & pos.friendly or hexes)


def keep_build_up(war: War, pos: Table) -> None:
    """C5G6: as the Allied turn ends, what was not used of its Build-Up is kept for the next."""
    for number, base in enumerate(war.ground.bases):
        left = base.build_up + pos.saved[number] - pos.landed[number]
        pos.saved[number] = min(base.build_up, left) if pos.bases[number] == OPEN else 0


def besiege(war: War, pos: Table) -> Procedure:
    """C5F5a, C5F6a: at the end of the German turn, counters laid in this turn may be lost.

    A port's, if the port is in a German zone of control; that of a beachhead, if all of it is.
    """
    held = zone(war, pos, GERMAN)
    for number, state in enumerate(pos.bases):
        hexes = war.ground.bases[number].hexes & pos.friendly
        if state == UNDER_WAY and not hexes & ~held:
            yield from close_base(war, pos, number)


class BuildPort(Order[War, Table]):
    """C5F2c: a port is under construction; it operates from the next Allied turn."""

    verb, names = "build port", (HEX,)
    when, rule, opens = BUILDING, "C5F2c", True
    is_port = True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.ports > 0, "There is no port counter left", "C5F2a"
        ground, kind = war.ground, "port" if self.is_port else "beach of an invasion zone"
        yield ground.ports if self.is_port else ground.zones, f"{{hex}} is no {kind}", "C5F14"
        closed = 0
        for base, state in zip(ground.bases, pos.bases):
            if base.is_port == self.is_port and state == CLOSED:
                closed |= base.hexes
        yield closed, "There is a counter already", "C5F11"
        yield pos.friendly, "{hex} is not friendly", "C5F12"
        yield ~pos.italian, "Italians open no ports", "E10B4f"
        yield ~zone(war, pos, GERMAN), "{hex} is in a German zone of control", "C5F4b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        number = next(
            n for n in war.ground.base_at[option.hex] if war.ground.bases[n].is_port == self.is_port
        )
        pos.ports -= 1
        pos.bases[number] = UNDER_WAY
        pos.fresh |= 1 << number
        yield Event("construction", hex=option.hex, rule="C5F2c")


class OpenBeachhead(BuildPort):
    """C5F12: so is the beachhead of a zone that was taken by land, or lost before (C5F8)."""

    verb = "build beachhead"
    is_port = False


BUILD_PORT, BUILD_BEACHHEAD = BuildPort(), OpenBeachhead()
