"""Chapter 13: combat deployment, the first step of a battle (13.2/1), with its aircraft."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import first_bit
from apennine.kernel.decision import Each, Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import until

from ..table.data import SIDES
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c07_zones import is_mixed, those_in
from .c09_points import afford
from .c11_supply import status


class ToBattle(Order[War, Table]):
    """An order for the attack under way, which names its target."""

    names = (HEX,)

    def bars(self, war: War, pos: Table) -> Bars:
        yield 1 << pos.target, "This attack is on {target}", "9.5b"


class AttackWith(Order[War, Table]):
    """13.2/1: a unit of the force takes part in the attack."""

    verb, names = "attack with", (UNIT, HEX)
    implied = (HEX,)
    when, rule = "Who takes part is said when an attack begins", "13.2/1a"

    def bars(self, war: War, pos: Table) -> Bars:
        waiting = "{unit} is not among the units in {origin} that were ordered to attack"
        yield pos.force, waiting, "9.5b"
        yield ~pos.attackers, "{unit} takes part already", "13.2/1a"
        if not pos.mixed:
            return
        # US and British units attack together only from a port or as the multi-national corps.
        if pos.attackers:
            group = war.grouped[war.group[first_bit(pos.attackers)]]
            apart = "{unit} and {attackers} are of two groupings, which attack apart"
            yield group, apart, "6.5d"
        for group in war.grouped:
            if not group & pos.force & ~war.supports:
                alone = "No division of its grouping is there for {unit} to attack with"
                yield ~group, alone, "13.5b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield 1 << pos.target, "This attack is on {target}", "9.5b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.mixed:
            return self.left(war, pos)
        return Each(self.verb, pos.force & ~pos.attackers, pos.target)


class SendBombers(ToBattle):
    """13.6: heavy bombers for one Allied attack a phase, with tactical air active (9.13)."""

    verb, link = "send bombers", "to"
    when, rule = "The Allies send heavy bombers while they say who attacks", "13.6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        led = bool(pos.attackers & ~war.supports)
        yield led, "Heavy bombers never attack alone: add a division first", "13.6a"
        yield not pos.bombed, "The heavy bombers have flown in this phase already", "13.6a"
        free = not pos.german_tac
        yield free, "No heavy bombers fly while German aircraft are about", "13.6b"
        active = "Heavy bombers fly only in a turn for which you activated tactical air"
        yield pos.tac_active, active, "9.13"
        yield afford(war, pos, war.book.prices.bombers, "Sending heavy bombers")

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.bombers
        pos.bomber = pos.bombed = True
        yield Event("heavy bombers fly", hex=pos.target, rule="13.6a")


class BeginBattle(ToBattle):
    """13.2/1: all who take part have been named."""

    verb, when, rule = "fight", "A battle begins when all have been named who take part", "13.2/1a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        led = bool(pos.attackers & ~war.supports)
        yield led, "Nobody attacks without a division: add one", "13.5b"


ATTACK_WITH, SEND_BOMBERS, FIGHT = AttackWith(), SendBombers(), BeginBattle()


def muster(war: War, pos: Table) -> Procedure:
    """13.2/1: the attacker names who takes part, and pays for heavy bombers if he wants them."""
    orders = (ATTACK_WITH, SEND_BOMBERS) if pos.side == ALLIED else (ATTACK_WITH,)
    prompt = f"Who attacks {war.board.code(pos.target)}?"
    yield from until(FIGHT, war, pos, prompt, "13.2/1a", *orders)


AIR_SUPPORT = Plain(
    "air support", "Aircraft are sent when units deploy for a battle, one to each at most", "9.14d"
)
NO_AIR_SUPPORT = Plain("no air support", AIR_SUPPORT.when, "9.14d")


def deploy(war: War, pos: Table) -> Procedure:
    """13.2/1: all defenders take part, in the supply they have now (11.2b); then aircraft."""
    side, target = pos.side, pos.target
    pos.defenders = those_in(war, pos, target, 1 - side)
    pos.defence_supply = status(war, pos, target, 1 - side)
    pos.defence_mixed = side == GERMAN and is_mixed(war, pos, target)
    # 6.9b: here the German sees what lies under the top unit.
    yield Event("battle", hex=target, rule="13.2/1a", reveals=side == GERMAN)
    for owner, force in ((side, pos.attackers), (1 - side, pos.defenders)):
        aircraft = pos.tac if owner == ALLIED else pos.german_tac
        if aircraft and force & ~war.supports and pos.air_support < 0:  # 9.14a
            prompt = f"Does tactical air support the {'attack' if owner == side else 'defence'}?"
            offered = AIR_SUPPORT, NO_AIR_SUPPORT
            chosen = yield from ask(war, pos, prompt, "9.14d", *offered, side=owner)
            if chosen.verb == AIR_SUPPORT.verb:
                pos.air_support = owner
                if owner == ALLIED:
                    pos.tac -= 1
                else:
                    pos.german_tac -= 1
                whose = f"{SIDES[owner]} tactical air supports the battle"
                yield Event(whose, hex=target, rule="9.14c")
