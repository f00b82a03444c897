"""The start of the Allied command phase: tactical air, and the end-run."""

from __future__ import annotations

from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import Order, ask
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, NO_AIR_COVER, Table
from ..table.war import War
from . import c08_endrun as endrun
from . import c09_air as airpower
from .c04_victory import decide


class ActivateAir(Order[War, Table]):
    """9.9: tactical air for the whole game turn."""

    verb = "activate air"
    when, rule = "The Allies decide on their tactical air before their first command", "9.9a"
    opens = True

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.tac
        airpower.activate(war, pos)
        yield Event(f"tactical air is activated: {counted(pos.tac, 'unit')}", rule=rule("9.9b"))


class NoAir(Order[War, Table]):
    """None in this turn; after a launch the game is lost by that (8.14)."""

    verb = "no air"
    when, rule = ActivateAir.when, "9.9a"
    opens = True

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.german_tac = int(pos.army_entered)  # 9.10b
        if pos.launched:
            decide(pos, NO_AIR_COVER)


ACTIVATE_AIR, NO_AIR = ActivateAir(), NoAir()


def orders_phase(war: War, pos: Table) -> Procedure:
    """9.9a, 8.13: what is decided before any command; a launch includes tactical air."""
    if not pos.air_asked:
        prompt = "Activate your tactical air for this game turn?"
        orders = (ACTIVATE_AIR, NO_AIR, endrun.LAUNCH)
        yield from ask(war, pos, prompt, rule("9.9a"), *orders, side=ALLIED, checkpoint=True)
        pos.air_asked = True
    while pos.launching:
        yield from endrun.wave(war, pos)
