"""B4E: the combat phase: battles are declared and fought one by one, round by round (C14)."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, ask

from ..table.position import Table
from ..table.war import War
from .b4e_division import Duty
from .b4e_duty import (
    able,
    attackable,
    clear,
    current,
    duty,
    foes,
    joiners,
    next_round,
    prepare,
)
from .b4e_zones import attackers_in, doomed, occupied, strong_hexes
from .b4f_battle import fight
from .b4f_forecast import plight
from .b4h_odds import odds
from .c12_automatic import certain_at, claim_on, committed
from .d3_fire import SUPPORT

FIGHTING = "Battles are fought in the combat phase"
DECLARING = "Attackers are named for a battle that has been declared"


def combat_phase(war: War, pos: Table) -> Procedure:
    """B4E4, C14E: all battles of the active side, in an order of its choice, in rounds."""
    if not pos.round:
        yield from prepare(war, pos)
    while pos.round:
        if not pos.targets:
            yield from clear(war, pos)
        found = duty(war, pos)
        if pos.targets:
            orders = AttackWith(found), AlsoAttack(found), SUPPORT, Fight(found), FightAt(found)
            prompt = "Name the attackers, then fight"
            yield from ask(war, pos, prompt, rule("B4E9"), *orders, checkpoint=True)
        elif not attackable(pos, found):
            next_round(war, pos)
        else:
            owed = pos.round == 1 and (found.due or found.must or doomed(pos))
            end = () if owed else (EndCombat(found),)
            prompt = "Attack an enemy hex" + (", or end your combat" if end else "")
            yield from ask(war, pos, prompt, rule("B4E4"), Attack(found), *end, checkpoint=True)


@dataclass(slots=True)
class Attack(Order[War, Table]):
    """B4E4: a battle against a hex begins."""

    found: Duty

    verb, names = "attack", (HEX,)
    when, rule, opens = FIGHTING, "B4E4", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield occupied(war, pos, 1 - pos.side), "There is no enemy in {hex}", "B4E2"
        yield attackable(pos, current(war, pos, self.found)), self._shut

    def _shut(self, war: War, pos: Table) -> Bars:
        """Why no battle may begin there."""
        strong = strong_hexes(war, pos, 1 - pos.side)
        yield strong, "Nobody in {hex} has a defence factor", "C10C3"
        yield foes(war, pos) | doomed(pos), "Those in {hex} have been attacked already", "B4E11"
        by = "B4E2" if pos.round == 1 else "C14D4"
        yield current(war, pos, self.found).open, "No unit that may attack {hex} is next to it", by
        if pos.round == 1:
            yield 0, "After no battle for {hex} could all others fight who must", "B4E9"
        yield 0, "Somebody next to {hex} who has advanced could not attack as he must", "C14D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        claim = claim_on(pos, 1 << option.hex)
        pos.targets, pos.attackers = claim[:2] if claim else (1 << option.hex, 0)


@dataclass(slots=True)
class EndCombat(Order[War, Table]):
    """C14A2: no more battles in this round; there is no other then."""

    found: Duty

    verb = "end combat"
    when, rule = FIGHTING, "C14A2"

    def bars(self, war: War, pos: Table) -> Bars:
        found = current(war, pos, self.found)
        owed = found.must and found.can_divide()
        yield not owed, "Somebody who has advanced next to an attacked enemy must fight", "C14D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.fought |= pos.pool
        next_round(war, pos)


@dataclass(slots=True)
class AttackWith(Order[War, Table]):
    """B4E7: a unit next to all that is attacked joins the battle."""

    found: Duty

    verb, names = "attack with", (UNIT,)
    when, rule = DECLARING, "B4E7"

    def bars(self, war: War, pos: Table) -> Bars:
        found, targets = current(war, pos, self.found), pos.targets
        claim = claim_on(pos, targets)
        yield war.army[pos.side], "{unit} belongs to the other side", "B4E3"
        yield ~pos.attackers, "{unit} takes part already", "B4E10"
        yield able(war, pos), self._unable
        if claim:
            fit = joiners(war, pos, targets, found)
            yield fit, "{unit} is not next to this battle, or is needed elsewhere", "C12B3"
            return
        next_to = mask_of(u for u in bits(found.free) if found.near[u] & targets == targets)
        yield next_to, "{unit} is not next to all that is attacked", "B4E7"
        left = bits(next_to & ~pos.attackers)
        fit = mask_of(u for u in left if found.can_complete(pos.attackers | 1 << u, targets))
        yield fit, "Somebody who must fight, or be attacked, would be left without {unit}", "B4E9"

    def _unable(self, war: War, pos: Table) -> Bars:
        """Why a unit does not attack at all."""
        yield attackers_in(war, pos, -1 & war.army[pos.side]), "{unit} cannot attack", "C10B6"
        yield ~pos.fought, "{unit} has fought in this round", "B4E11"
        yield ~pos.rushed, "{unit} has used Strategic Movement, and does not fight", "B4C14b"
        yield ~committed(pos), "{unit} is committed to an automatic victory", "C12B2"
        yield 0, "{unit} has not advanced, or is not on the map", "C14D4"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


@dataclass(slots=True)
class AlsoAttack(Order[War, Table]):
    """B4E9: the same units attack another hex next to all of them in the same battle."""

    found: Duty

    verb, names = "also attack", (HEX,)
    when, rule = DECLARING, "B4E9"

    def bars(self, war: War, pos: Table) -> Bars:
        found, targets = current(war, pos, self.found), pos.targets
        yield claim_on(pos, targets) is None, "An automatic victory is fought as it is", "C12D"
        yield occupied(war, pos, 1 - pos.side), "There is no enemy in {hex}", "B4E2"
        yield found.open & ~targets, "Nobody is to be attacked in {hex} besides", "B4E9"
        common = found.open
        for unit in bits(pos.attackers):
            common &= found.near[unit]
        yield common, "Not all attackers are next to {hex}", "B4E7"
        left = bits(common & ~targets)
        fit = [h for h in left if found.can_complete(pos.attackers, targets | 1 << h)]
        yield mask_of(fit), "Somebody who must fight, or be attacked, would be left", "B4E9"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.targets |= 1 << option.hex


def column_of(war: War, pos: Table) -> int:
    """The column of the battle that is declared."""
    claim = claim_on(pos, pos.targets)
    return odds(war, pos, pos.attackers, pos.targets, claim[1] if claim else 0).column


@dataclass(slots=True)
class Fight(Order[War, Table]):
    """B4F1: the battle is fought at the odds that it has."""

    found: Duty

    verb = "fight"
    when, rule = DECLARING, "B4F1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.attackers > 0, "No attacker has been named", "B4E9"
        if claim_on(pos, pos.targets):
            return
        found = current(war, pos, self.found)
        strong = found.allowed(pos.attackers, pos.targets)
        yield strong, "The odds are worse than 1-4", "B4E12a"
        fits = found.fits(pos.attackers, pos.targets)
        rest = "Somebody who must fight could not, or an enemy would not be attacked"
        yield fits, rest, "B4E9" if pos.round == 1 else "C14D1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return give_battle(war, pos, column_of(war, pos))


@dataclass(slots=True)
class FightAt(Order[War, Table]):
    """B4E5b: the battle is fought on a lower column, by choice."""

    found: Duty

    verb, names, number = "fight at", (VALUE,), "column {}"
    ranges = ((VALUE, lambda war: range(len(war.book.combat.columns))),)
    when, rule = DECLARING, "B4E5b"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from Fight(self.found).bars(war, pos)
        lower = column_of(war, pos) if pos.attackers else 0
        yield (1 << lower) - 1, "That is not lower than the odds of this battle", "B4E5b"
        if claim_on(pos, pos.targets):
            those = plight(war, pos, pos.targets)
            sure = [c for c in range(lower) if certain_at(war, c, those).sure]
            yield mask_of(sure), "Victory would not be certain there", "C12D"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        return give_battle(war, pos, option.value)


def give_battle(war: War, pos: Table, column: int) -> Procedure:
    """The battle is fought; in later rounds, all next to its targets must fight too (C14D1)."""
    if pos.round > 1:
        found = duty(war, pos)
        beside = mask_of(u for u in bits(found.free) if found.near[u] & pos.targets)
        pos.joined |= beside & ~pos.attackers
    return fight(war, pos, column)
