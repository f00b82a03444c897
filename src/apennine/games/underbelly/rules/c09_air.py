"""Tactical air (9.9 to 9.15), supply from the air (11.7), and the drop of the 82nd (12.9)."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask, what_stays
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, GERMAN, NO_AIR_COVER, Table
from ..table.war import War
from .c04_victory import decide
from .c06_stacking import full_for
from .c07_zones import occupied, place
from .c09_points import afford
from .c11_supply import net


def available(war: War, pos: Table) -> int:
    """The TAC units that bases in Allied hands give (9.9b); one stays with an end-run (8.14b)."""
    count = war.book.tactical[(war.bases & pos.control).bit_count()]
    if not pos.launched:
        return count
    return min(count, max(war.book.tactical) - war.book.end_run.aircraft)


def activate(war: War, pos: Table) -> None:
    """9.9: tactical air is active for this game turn."""
    pos.tac_active = True
    pos.tac = available(war, pos)


class ActivateAir(Order[War, Table]):
    """9.9: tactical air for the whole game turn."""

    verb, opens = "activate air", True
    when, rule = "The Allies decide on their tactical air before their first command", "9.9a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.tac
        activate(war, pos)
        yield Event(f"tactical air is activated: {counted(pos.tac, 'unit')}", rule="9.9b")


class NoAir(Order[War, Table]):
    """None in this turn; after a launch the game is lost by that (8.14)."""

    verb = "no air"
    when, rule, opens = ActivateAir.when, "9.9a", True

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.german_tac = int(pos.army_entered)  # 9.10b
        if pos.launched:
            decide(pos, NO_AIR_COVER)


ACTIVATE_AIR, NO_AIR = ActivateAir(), NoAir()


class Airlift(Order[War, Table]):
    """11.7: supply from the air for the units in one hex that have no overland line."""

    verb, names, opens, needs = "airlift", (HEX,), True, "tac_active"
    when, rule = "The Allies fly supplies in their command phase, and nobody else does", "11.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        active = "Supply comes from the air only in a turn for which you activated tactical air"
        yield pos.tac_active, active, "9.11"
        dropped = pos.dropped == pos.turn
        yield not dropped, "In the turn of its drop the 82nd takes the supply from the air", "11.7d"
        yield not pos.airlifted, "Supply from the air has been sent in this turn already", "9.11"
        yield afford(war, pos, war.book.prices.aerial_supply, "Supply from the air")
        yield occupied(war, pos, ALLIED), "No Allied unit is in {hex}", "11.7a"
        yield ~net(war, pos, ALLIED), "The units in {hex} have overland supply", "11.7a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.aerial_supply
        pos.airlift, pos.airlifted = option.hex, True
        yield Event("supply from the air", hex=option.hex, rule="11.7a")


class ReadyTheDrop(Order[War, Table]):
    """9.12: the 82nd in its box is made ready to drop in this game turn."""

    verb, names, needs = "ready the drop", (UNIT,), "tac_active"
    when, rule, opens = "A drop is paid for in the Allied command phase", "12.9b", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << war.airborne, "Only the 82nd drops from the air", "12.9a"
        yield not pos.dropped, "The 82nd has made its only drop", "9.12"
        active = "The 82nd drops only in a turn for which you activated tactical air"
        yield pos.tac_active, active, "9.12"
        yield not pos.drop_ready, "The 82nd is ready to drop already", "9.12"
        waits = pos.hex[war.airborne] == war.available
        yield waits, "The 82nd drops only from the Available box", "12.9a"
        yield ~pos.acted, "{unit} has had its action in this turn", "9.18"
        yield afford(war, pos, war.book.prices.drop, "A drop")

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.drop
        pos.drop_ready = True
        yield Event("is ready to drop", option.unit, rule="9.12")


class Drop(Order[War, Table]):
    """12.9: the drop always succeeds; its hex is supplied from the air in that turn (11.7d)."""

    verb, names, opens, needs = "drop", (UNIT, HEX), True, "drop_ready"
    implied = (UNIT,)
    when, rule = "The 82nd drops between two commands, once it has been made ready", "12.9d"
    link = "on"

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << war.airborne, "Only the 82nd drops from the air", "12.9a"
        yield not pos.dropped, "The 82nd has made its only drop", "12.9a"
        yield pos.drop_ready, "The 82nd has not been made ready to drop", "12.9a"
        flown = "The transports have flown supplies in this player turn, and drop nobody"
        yield pos.side == GERMAN or not pos.airlifted, flown, "11.7d"
        waits = pos.hex[war.airborne] == war.available
        yield waits, "The 82nd drops only from the Available box", "12.9a"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield war.drop_zone, "The 82nd drops on clear ground, which {hex} is not", "12.9c"
        yield ~occupied(war, pos, GERMAN), "The 82nd does not drop on the Germans in {hex}", "12.9c"
        yield ~pos.forts, "The 82nd does not drop on the German fort in {hex}", "12.9c"
        yield ~full_for(war, pos, 1 << first), "There is no room for the 82nd in {hex}", "12.9c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, hex = option.unit, option.hex
        pos.drop_ready = False
        pos.dropped = pos.turn
        pos.acted |= 1 << unit  # 12.9e
        pos.airlift, pos.airlifted = hex, True  # 11.7e: from elsewhere, if need be
        yield Event("drops", unit, hex, rule="12.9f", reveals=True)
        yield from place(war, pos, 1 << unit, hex)


def drop_sites(war: War, pos: Table) -> Mask:
    """Where the 82nd could drop."""
    return what_stays(DROP.then(war, pos, war.airborne))


AIRLIFT, READY_THE_DROP, DROP = Airlift(), ReadyTheDrop(), Drop()
ALLIED_ORDERS = (AIRLIFT, READY_THE_DROP, DROP)
_WHEN = "The Allies put off a drop when they are asked for it between two German commands"
NO_DROP_NOW = Plain("no drop now", _WHEN, "12.9d")
NO_DROP_THIS_TURN = Plain("no drop this turn", _WHEN, "12.9d")


def may_interrupt(war: War, pos: Table) -> bool:
    """Whether the Allied player is asked for the 82nd before the next German command."""
    if not pos.drop_ready or pos.drop_asked or pos.drop_waived:
        return False
    return pos.hex[war.airborne] == war.available


def interrupt(war: War, pos: Table) -> Procedure:
    """12.9d: between two German activations the Allied player may drop the 82nd.

    He may decline for now, or for the rest of the turn.
    """
    prompt, orders = "Drop the 82nd Airborne now?", (DROP, NO_DROP_NOW, NO_DROP_THIS_TURN)
    question = war, pos, prompt, rule("12.9d"), *orders
    chosen = yield from ask(*question, side=ALLIED, checkpoint=True)
    pos.drop_asked = chosen.verb == NO_DROP_NOW.verb
    pos.drop_waived = chosen.verb == NO_DROP_THIS_TURN.verb
