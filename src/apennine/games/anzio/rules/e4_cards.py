"""E4, E5 and E7: the cards of the Advanced Game: who comes, and when."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.kernel.decision import Event, Procedure
from apennine.kernel.ledger import rule

from ..table.data import CARDS, SECTIONS, AlliedLine, GermanLine
from ..table.position import (
    ADRIATIC,
    ALLIED,
    AWAY,
    DESTROYED,
    DUE,
    LIGURIAN,
    PAID,
    TAKEN,
    WITHDRAWN,
    Table,
)
from ..table.war import War
from .b4e_zones import soften
from .c1_arrivals import open_turn
from .c11_replacements import strongest
from .e6_posts import is_threatened, relieve_roma, send_to_livorno, settle_corsica, swap_brigade
from .e10_italians import hold_ground
from .e10_partisans import rise

SEPT_III = 2


def cards_phase(war: War, pos: Table) -> Procedure:
    """E4B1, E5D5: who comes at the start of a player-turn, and what else it begins with."""
    if pos.side == ALLIED:
        yield from allied_dates(war, pos)
        pay_bonuses(war, pos)
    else:
        yield from german_dates(war, pos)
    yield from open_turn(war, pos)
    if pos.side == ALLIED:
        yield from rise(war, pos)


def allied_lines(war: War, pos: Table) -> Iterator[AlliedLine]:
    """E4A: the dates of a turn in the sections of the card that the game uses."""
    last = SECTIONS.index(war.book.scenarios[pos.scenario].advanced or SECTIONS[0])
    for line in war.book.allied_card:
        if line.turn == pos.turn and SECTIONS.index(line.card) <= last:
            yield line


def german_lines(war: War, pos: Table) -> Iterator[GermanLine]:
    """E5B: the dates of a turn in the chosen order of battle.

    And what the second invasion brings; later ones bring nothing (E5D3).
    """
    card = CARDS[max(pos.oob - 1, 0)]
    for line in war.book.german_card:
        now = line.turn == pos.turn or (line.event == "exchange" and line.turn < pos.turn)  # E6C6
        if now and card in line.cards and _in_time(pos, line):
            yield line
    if pos.second:
        for line in war.book.german_reaction:
            if line.turn == pos.turn - pos.second and card in line.cards:
                yield line


def _in_time(pos: Table, line: GermanLine) -> bool:
    """E8D3, E8E4b: dates that a second invasion puts off."""
    early = 0 < pos.second <= line.by
    return not line.if_second or early == (line.if_second == "early")


# The Allies.


def allied_dates(war: War, pos: Table) -> Procedure:
    """E4B1: reinforcements come to Sicilia, where they are free to go on at once."""
    if pos.turn == SEPT_III:
        hold_ground(war, pos)
    for line in allied_lines(war, pos):
        for name in line.units:
            unit = war.number[name]
            if line.event in ("arrive", "exchange") and pos.hex[unit] == AWAY:
                yield from _land_in_sicilia(war, pos, unit)
            if line.event == "return":
                yield from _return(war, pos, unit)
        if line.event == "exchange":
            for name in line.instead:
                old = war.number[name]
                if pos.hex[old] != DESTROYED:
                    pos.hex[old] = WITHDRAWN
                    yield Event("is withdrawn", old, rule="E4B1")
        pos.credit[ALLIED] += line.number  # E7B1


def _land_in_sicilia(war: War, pos: Table, unit: int) -> Iterator[Event]:
    if war.partisans >> unit & 1:
        return  # E10D2: they rise where they like
    pos.hex[unit] = war.ground.sicilia
    pos.steps[unit] = strongest(war, pos, unit)
    soften(war, pos, unit)
    yield Event("arrives", unit, war.ground.sicilia, rule="E4B1")


def _return(war: War, pos: Table, unit: int) -> Iterator[Event]:
    """E4A5b: who was withdrawn comes back, a substitute in the place of the unit."""
    who = dict(pos.proxies).get(unit, unit)
    if pos.hex[who] == WITHDRAWN:
        yield from _land_in_sicilia(war, pos, who)


def pay_bonuses(war: War, pos: Table) -> None:
    """E4A4: replacements for the first capture of Napoli and of Roma, in the turn after it."""
    for number, bonus in enumerate(war.book.bonus.values()):
        taken, paid = 1 << TAKEN + number, 1 << PAID + number
        if pos.marks & taken and not pos.marks & paid:
            pos.credit[ALLIED] += bonus
            pos.marks |= paid


# The Germans.


def german_dates(war: War, pos: Table) -> Procedure:
    """E5D5: who comes enters over the edge on this turn or later, garrisons go to their cities."""
    for line in german_lines(war, pos):
        units = [war.number[name] for name in line.units]
        match line.event:
            case "arrive" | "garrison":
                yield from _muster(war, pos, units, line.event == "garrison")
            case "release":
                yield from _muster(war, pos, units, False)
                for unit in units:
                    pos.frozen &= ~war.whole(unit)  # E6B3, E5D5c
            case "leave":
                yield from _leave_posts(war, pos, units)
            case "command":
                for unit in units:
                    pos.hex[unit] = LIGURIAN if line.to == "Ligurian" else ADRIATIC
                    yield Event("joins a Command", unit, rule=rule("E8G1"))
            case "corsica":
                yield from settle_corsica(war, pos, units)
            case "exchange":
                yield from swap_brigade(war, pos, units[0], war.number[line.instead[0]])
            case "relief":
                yield from relieve_roma(war, pos, units[0], war.number[line.instead[0]])
            case "livorno":
                others = [war.number[name] for name in line.instead]
                yield from send_to_livorno(war, pos, units[0], others)
            case "withdraw":
                pass  # in a phase of its own, after supply is known


def _muster(war: War, pos: Table, units: list[int], garrison: bool) -> Iterator[Event]:
    for unit in units:
        if pos.hex[unit] == AWAY:
            pos.hex[unit] = DUE
            if garrison and not is_threatened(war, pos, unit):
                pos.frozen |= 1 << unit  # E5D5b
            yield Event("arrives", unit, rule="E5D5")


def _leave_posts(war: War, pos: Table, units: list[int]) -> Iterator[Event]:
    """E6B2: garrisons that leave the game; not those that have been freed (E6B6)."""
    for unit in units:
        who = war.keeper(pos, unit)
        for part in war.parts_on_table(pos, who):
            if pos.frozen >> part & 1:
                pos.hex[part] = WITHDRAWN
                yield Event("is withdrawn", part, rule="E6B2")
        pos.frozen &= ~war.whole(who)
