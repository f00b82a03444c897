"""B4B: what ends a player-turn: the last orders of a side, and what is settled after them."""

from __future__ import annotations

from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import Order, Plain, ask
from apennine.mechanics.asking import until

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .b4f_steps import DISBAND
from .c5_ports import BUILD_BEACHHEAD, BUILD_PORT, besiege, keep_build_up
from .c10_inverted import destroy_exposed, exposed, withdraw
from .d2_air import note_bases
from .d3_fire import GUARD, INTERDICT, INTERDICT_HEX
from .e8_commands import watch_entries
from .e13_support import keep_sorties
from .e16_ports import DISMANTLE

ENDING = "Units are disbanded as a player-turn ends, after its combat"


class GiveUpUnits(Order[War, Table]):
    """B4F11: a player looks through his units for one to disband."""

    verb, when, rule = "disband units", ENDING, "B4F11"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        prompt = "Disband a unit, or keep them all"
        yield from ask(war, pos, prompt, rule("B4F11"), DISBAND, KEEP_ALL)


GIVE_UP = GiveUpUnits()
KEEP_ALL = Plain("keep all units", ENDING, "B4F11")
END_TURN = Plain("end turn", "A player-turn ends after its combat", "B4B2")


def shelter_phase(war: War, pos: Table) -> Procedure:
    """C11B3b: who is left without defence in an enemy zone may retreat, if he has not yet.

    Those who stay next to an enemy with an attack factor are destroyed (C10B7).
    """
    yield from withdraw(war, pos, exposed(war, pos, pos.side), pos.side)
    yield from destroy_exposed(war, pos, pos.side)
    pos.retreated = 0


def end_phase(war: War, pos: Table) -> Procedure:
    """B4B2: the last orders: construction (C5F2c), factors kept (D3A5a), units given up."""
    orders = (GUARD, GIVE_UP)
    if pos.side == ALLIED:  # the Germans build no ports, and do not interdict (D3D5)
        orders = (BUILD_PORT, BUILD_BEACHHEAD, GUARD, INTERDICT, INTERDICT_HEX, GIVE_UP)
        if war.is_advanced(pos):
            orders += (DISMANTLE,)
    prompt = "Give your last orders, or end your turn"
    yield from until(END_TURN, war, pos, prompt, rule("B4B2"), *orders, checkpoint=True)


def settle(war: War, pos: Table) -> Procedure:
    """What is noted as a player-turn is over."""
    if pos.side == GERMAN:
        keep_sorties(war, pos)
        yield from watch_entries(war, pos)
        yield from besiege(war, pos)
        note_bases(war, pos)
        return
    keep_build_up(war, pos)
    pos.held = war.ground.land & ~pos.friendly  # D6B3
