"""What must be answered first: the questions that come between a player and his next order."""

from __future__ import annotations

from apennine.hexes import bits, first_bit
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules.c03_setup import waiting
from ..rules.c06_stacking import overstacked
from ..rules.c08_endrun import SUPPORT
from ..rules.c09_air import may_interrupt
from ..rules.c10_entry import is_corps_due
from ..table.phrases import names, place
from ..table.position import ATTACK, FIGHT_MOVE, GERMAN, NO_ORDER, NOWHERE, Table
from ..table.war import War
from .battle_words import IN_THE_AIR
from .battle_words import REASONS as BATTLE
from .march_words import REASONS as MARCH

IN_BATTLE = BATTLE.keys() - IN_THE_AIR
UNDER_WAY = MARCH.keys() | IN_BATTLE
"""The verbs that carry out a command which has been given."""
NOT_YET = ("attack", "fight-move", "replenish", "reclaim", "send against the end-run")
"""What waits for units that must enter the map (8.6, 8.8)."""
DROPPING = ("drop", "no drop now", "no drop this turn")


def first(war: War, pos: Table, verb: str) -> Refusal | None:
    """The question that must be answered before an order with this verb, if there is one."""
    if pos.phase == "orders" and pos.launching and verb != "embark":
        supports, divisions = divmod(pos.launching, SUPPORT)
        lack = [counted(divisions, "division")] if divisions else []
        lack += ["a corps support unit"] if supports else []
        return Refusal(
            f"First send the rest of the first wave: {' and '.join(lack)}.", rule("8.13a")
        )
    if pos.phase == "setup" and pos.shuffled and not waiting(war, pos):
        return None if verb == "on top" else _top(war, pos)
    if pos.phase != "command":
        return None
    if pos.order != NO_ORDER:
        return _command(war, pos, verb)
    if crowded := overstacked(war, pos):
        where = place(war, first_bit(crowded))
        return (
            None
            if verb == "shed"
            else Refusal(
                f"First say who is eliminated in {where}, where too many units are.", rule("6.8")
            )
        )
    if pos.shuffled:
        return None if verb == "on top" else _top(war, pos)
    if pos.side == GERMAN and may_interrupt(war, pos) and verb not in DROPPING:
        return Refusal("First say whether the 82nd Airborne drops now.", rule("12.9d"))
    if pos.side == GERMAN and verb in NOT_YET:
        return summons(war, pos)
    return None


def summons(war: War, pos: Table) -> Refusal | None:
    """Hitler's orders to enter the map at once, as long as they stand (8.6, 8.8)."""
    if is_corps_due(war, pos):
        name, by = "II SS Panzer Corps", rule("8.6a")
    elif pos.army_due:
        name, by = "5th Panzer Army", rule("8.8a")
    else:
        return None
    return Refusal(f"{name} must enter the map before you do anything else.", by)


def _top(war: War, pos: Table) -> Refusal:
    where = place(war, first_bit(pos.shuffled))
    return Refusal(
        f"First say which division lies on top in {where}, for the German to see.", rule("6.9e")
    )


def _command(war: War, pos: Table, verb: str) -> Refusal | None:
    """The command under way, unless the verb may belong to it."""
    if pos.target != NOWHERE:
        if verb in IN_BATTLE:
            return None
        return Refusal(f"First fight out the battle for {place(war, pos.target)}.", rule("13.2/1a"))
    if verb in UNDER_WAY:
        return None
    where = place(war, pos.origin)
    if pos.order in (ATTACK, FIGHT_MOVE) and not pos.fought:
        what = f"say which hex the units in {where} attack"
    elif pos.movers:
        what = f"finish the move of {names(war, bits(pos.movers))}"
    elif pos.waiting:
        what = f"say which units in {where} move, or that you are done"
    else:
        what = "say whether the units that moved attack"
    return Refusal(f"First {what}.", rule("9.19"))
