"""Tactical air (9.9 to 9.15), supply from the air (11.7), and the drop of the 82nd (12.9)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import Choice, Event, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c06_stacking import full_for
from .c07_zones import occupied, place
from .c09_points import kept
from .c11_supply import net

ALLIED_VERBS = frozenset(("airlift", "ready the drop", "drop"))
NOT_NOW, NOT_THIS_TURN = done("no drop now"), done("no drop this turn")


def bases(war: War, pos: Table) -> int:
    """Naples and Foggia, as far as the Allies control them (9.9b)."""
    return (war.bases & pos.control).bit_count()


def available(war: War, pos: Table) -> int:
    """The TAC units that activation gives; one of them stays with an end-run (8.14b)."""
    count = war.book.tactical[bases(war, pos)]
    if not pos.launched:
        return count
    return min(count, max(war.book.tactical) - war.book.end_run.aircraft)


def activate(war: War, pos: Table) -> None:
    """9.9: tactical air is active for this game turn."""
    pos.tac_active = True
    pos.tac = available(war, pos)


def allied_options(war: War, pos: Table) -> list[Sequence[Option]]:
    """What the Allied player can buy from his air force in the command phase."""
    menus: list[Sequence[Option]] = []
    points, prices = pos.points - kept(war, pos), war.book.prices
    if pos.tac_active and points >= prices.aerial_supply and not pos.airlifted:
        menus.append(Over("airlift", starving(war, pos)))
    if may_ready(war, pos) and points >= prices.drop:
        menus.append([Option("ready the drop", war.airborne)])
    if pos.drop_ready and pos.hex[war.airborne] == war.available and not pos.airlifted:  # 11.7d
        menus.append(Over("drop", drop_sites(war, pos), war.airborne))
    return menus


def allied_order(war: War, pos: Table, option: Option) -> Procedure:
    """Carry out one of those options."""
    if option.verb == "drop":
        yield from drop(war, pos, option.hex)
    elif option.verb == "ready the drop":
        pos.points -= war.book.prices.drop
        pos.drop_ready = True
        yield Event("is ready to drop", war.airborne, rule=rule("9.12"))
    else:
        pos.points -= war.book.prices.aerial_supply
        pos.airlift, pos.airlifted = option.hex, True
        yield Event("supply from the air", hex=option.hex, rule=rule("11.7a"))


def starving(war: War, pos: Table) -> Mask:
    """11.7a: the hexes with Allied units that have no overland line."""
    return occupied(war, pos, ALLIED) & ~net(war, pos, ALLIED)


def may_ready(war: War, pos: Table) -> bool:
    """9.12: the 82nd is in the box, and has not dropped yet."""
    waits = pos.hex[war.airborne] == war.available
    fresh = not pos.drop_ready and not pos.dropped
    return pos.tac_active and waits and fresh and not pos.acted >> war.airborne & 1


def drop_sites(war: War, pos: Table) -> Mask:
    """12.9c: clear hexes without Germans or a fort, and with room."""
    taken = occupied(war, pos, GERMAN) | pos.forts
    return war.drop_zone & ~taken & ~full_for(war, pos, 1 << war.airborne)


def drop(war: War, pos: Table, hex: int) -> Procedure:
    """12.9: the drop always succeeds; its hex is supplied from the air in that turn (11.7d)."""
    unit = war.airborne
    pos.drop_ready = False
    pos.dropped = pos.turn
    pos.acted |= 1 << unit  # 12.9e
    pos.airlift, pos.airlifted = hex, True  # 11.7e: from elsewhere, if need be
    yield Event("drops", unit, hex, rule=rule("12.9f"), reveals=True)
    yield from place(war, pos, 1 << unit, hex)


def interrupt(war: War, pos: Table) -> Procedure:
    """12.9d: between two German activations the Allied player may drop the 82nd.

    He may decline for now, or for the rest of the turn.
    """
    chosen = yield Choice(
        ALLIED,
        Later(
            lambda: Menu(Over("drop", drop_sites(war, pos), war.airborne), NOT_NOW, NOT_THIS_TURN)
        ),
        "Drop the 82nd Airborne now?",
        rule("12.9d"),
        checkpoint=True,
    )
    if chosen.verb == "drop":
        yield from drop(war, pos, chosen.hex)
    elif chosen.verb == "no drop now":
        pos.drop_asked = True
    else:
        pos.drop_waived = True
