"""The start of the Allied command phase: tactical air, and the end-run."""

from __future__ import annotations

from apennine.kernel.decision import Choice, Event, Later, Menu, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, NO_AIR_COVER, Table
from ..table.war import War
from . import c08_endrun as endrun
from . import c09_air as airpower
from .c04_victory import decide

ACTIVATE, NO_AIR = Option("activate air"), Option("no air")


def orders_phase(war: War, pos: Table) -> Procedure:
    """9.9a, 8.13: what is decided before any command is given."""
    if not pos.air_asked:
        yield from air_decision(war, pos)
    while pos.launching:
        yield from endrun.wave(war, pos)


def air_decision(war: War, pos: Table) -> Procedure:
    """9.9a: tactical air for the whole game turn, or none; the launch of an end-run includes it.

    After a launch the air must be activated, or the game is lost (8.14).
    """
    chosen = yield Choice(
        ALLIED,
        Later(lambda: Menu([ACTIVATE, NO_AIR], endrun.LAUNCH.menu(war, pos))),
        "Activate your tactical air for this game turn?",
        rule("9.9a"),
        checkpoint=True,
    )
    pos.air_asked = True
    if chosen == ACTIVATE:
        pos.points -= war.book.prices.tac
        airpower.activate(war, pos)
        yield Event(f"tactical air is activated: {counted(pos.tac, 'unit')}", rule=rule("9.9b"))
    elif chosen == NO_AIR:
        pos.german_tac = int(pos.army_entered)  # 9.10b
        if pos.launched:
            decide(pos, NO_AIR_COVER)
    else:
        yield from endrun.LAUNCH.effect(war, pos, chosen)
