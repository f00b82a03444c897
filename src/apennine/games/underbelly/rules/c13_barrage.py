"""Chapter 13: the preparatory barrage, the second step of a battle (13.2/2), and bombs (13.6)."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import ask

from ..table.data import DIE
from ..table.position import Table
from ..table.war import War
from .c13_fire import Fire, attack_edge, cover, is_silent, shoot, standing
from .c13_losses import lose_step


class Shell(Fire):
    """13.2/2: a gun of the corps artillery fires at a defender."""

    __slots__ = ("gun",)
    verb = "shell"
    when, rule = "Corps artillery fires in the preparatory barrage", "13.2/2a"

    def __init__(self, enemies: Mask, gun: int) -> None:
        super().__init__(enemies)
        self.gun = gun

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        number = shell_number(war, pos, self.gun, target)
        # A gun that only rubble keeps from hitting has nothing to fire at (13.12b).
        return [number] if number > 0 else []

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        names = war.names
        by, number = rule("13.2/2c"), option.value
        hit = yield from shoot(names[self.gun], names[option.unit], number, by)
        if hit:
            yield from lose_step(war, pos, option.unit, pos.defence_supply, by)


class Bomb(Fire):
    """13.6: an unmodified roll; on a fort or a city a second one for rubble, hit or miss."""

    verb = "bomb"
    when, rule = "Heavy bombers that were sent fly in the preparatory barrage", "13.6a"
    spares_guns = False

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        return [war.book.bombers.hit]

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        bombers, target = war.book.bombers, option.unit
        hit = yield from shoot("Heavy bombers", war.names[target], bombers.hit, rule("13.6c"))
        if hit:
            yield from lose_step(war, pos, target, pos.defence_supply, rule("13.6c"))
        if leaves_rubble(war, pos):
            (face,) = yield Roll((DIE,), f"rubble, {bombers.rubble} or more", rule("13.6d"))
            if face >= bombers.rubble:
                pos.rubble = target
                yield Event("is in rubble", target, pos.target, rule=rule("13.6d"))


def barrage(war: War, pos: Table) -> Procedure:
    """13.2/2: corps artillery and heavy bombers fire once each, in the order of the attacker."""
    guns = [unit for unit in gunners(war, pos) if barrage_number(war, pos, unit) > 0]
    planes = [Bomb(pos.defenders)] if pos.bomber else []
    while True:
        orders = [*(Shell(pos.defenders, gun) for gun in guns[:1]), *planes]
        if not any(order.menu(war, pos) for order in orders):
            return
        prompt = "Choose a target of the barrage: a hit is the number in brackets or less"
        chosen = yield from ask(war, pos, prompt, rule("13.2/2a"), *orders)
        if chosen.verb == Bomb.verb:
            planes = []
        else:
            guns.pop(0)


def gunners(war: War, pos: Table) -> list[int]:
    """The attacker's corps support, unless it is out of supply (11.5a)."""
    guns = standing(pos, pos.attackers & war.supports)
    return [unit for unit in guns if not is_silent(war, unit, pos.supply)]


def barrage_number(war: War, pos: Table, gun: int) -> int:
    """What a gun must roll in the barrage; the terrain counts, rivers and aircraft do not."""
    return war.fire[gun][pos.steps[gun]] + attack_edge(war, pos, gun)


def shell_number(war: War, pos: Table, gun: int, target: int) -> int:
    """The same, if bombs have buried the target before."""
    number = barrage_number(war, pos, gun)
    return number - cover(war, gun) if target == pos.rubble else number


def leaves_rubble(war: War, pos: Table) -> bool:
    """13.6d: whether the target of the attack is a fort or a city."""
    return bool((pos.forts | war.cities) >> pos.target & 1)
