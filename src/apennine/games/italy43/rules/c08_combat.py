"""Chapter 8: the Combat Phase."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order, Plain, ask
from apennine.mechanics.phrases import ATTACKED, FOUGHT

from ..table.position import NOWHERE, Table
from ..table.war import War
from .c02_pieces import occupied, there
from .c08_declaration import declare, end_battle
from .c08_odds import REGULAR, can_be_attacked, may_attack
from .c09_support import ATTACK, DEFENCE, declare_support
from .c10_results import resolve
from .c13_disorder import destroy_exposed
from .c14_advance import advance, is_under_way, press_on
from .c25_disengagement import DISENGAGE, DISENGAGE_ALL

END = Plain("end combat", FOUGHT, "8.1a")


def combat_begins(war: War, pos: Table) -> Procedure:
    """Units in Full Retreat that have not got away from the enemy are eliminated (13.3.2f)."""
    yield from destroy_exposed(war, pos)


def combat_phase(war: War, pos: Table) -> Procedure:
    """8.1: the active side declares and resolves its attacks one by one, in any order (8.1e)."""
    prompt = "Attack an enemy hex, or end your combat"
    while True:
        if is_under_way(pos):
            yield from press_on(war, pos)
            end_battle(pos)
        if pos.target == NOWHERE:
            orders = MENU if pos.disengagements else MENU[:1]
            chosen = yield from ask(war, pos, prompt, rule("8.1a"), *orders, END, checkpoint=True)
            if chosen.verb == END.verb:
                return
            if chosen.verb != Attack.verb:
                continue
        yield from declare(war, pos, REGULAR)
        yield from declare_support(war, pos, ATTACK)
        yield from declare_support(war, pos, DEFENCE)
        pos.attacked |= pos.attackers
        pos.defended |= there(war, pos, 1 - pos.side).stack(pos.target)
        verdict = yield from resolve(war, pos, REGULAR)
        yield from advance(war, pos, verdict)
        end_battle(pos)


class Attack(Order[War, Table]):
    """8.1: on an enemy hex that has not been attacked in this phase."""

    verb, names = "attack", (HEX,)
    when, rule, opens = ATTACKED, "8.1a", True

    def bars(self, war: War, pos: Table) -> Bars:
        enemies = occupied(war, pos, 1 - pos.side)
        yield enemies, "There is no enemy in {hex}", "8.1a"
        done = attacked_hexes(war, pos)
        yield ~done, "The units in {hex} have been attacked in this phase", "8.1b"
        near = war.lattice.dilate(occupied(war, pos, pos.side))
        yield near, "None of your units is next to {hex}", "8.1a"
        open_to = {h: may_attack(war, pos, h, REGULAR) for h in bits(enemies & near & ~done)}
        able = sum([1 << hex for hex, units in open_to.items() if units])
        yield able, "No unit next to {hex} may attack it", "8.1f"
        strong = [hex for hex in bits(able) if self._is_strong(war, pos, hex, open_to[hex])]
        yield sum([1 << hex for hex in strong]), "The odds would be worse than 1-3", "8.3.2a"

    def _is_strong(self, war: War, pos: Table, hex: int, units: Mask) -> bool:
        return can_be_attacked(war, pos, REGULAR, hex, 0, units)

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.target = option.hex


ATTACK_HEX = Attack()
MENU = ATTACK_HEX, DISENGAGE, DISENGAGE_ALL


def attacked_hexes(war: War, pos: Table) -> Mask:
    """8.1b: hexes whose units have been attacked in this phase and are still there.

    Those who have retreated to friends do not keep these from being attacked (12.5).
    """
    found, present = 0, there(war, pos, 1 - pos.side)
    for unit in bits(pos.defended & present.units):
        here = present.stack(pos.hex[unit])
        if not pos.retreated >> unit & 1 or not here & ~pos.defended:
            found |= 1 << pos.hex[unit]
    return found
