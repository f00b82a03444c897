"""Chapter 9: commands to attack (9.5), and the German move-fight and fight-move (9.6, 9.7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from ..table.position import ATTACK, FIGHT_MOVE, GERMAN, MOVE_FIGHT, Table
from ..table.war import War
from .c07_zones import on_map, there, those_in
from .c09_activation import Command, finish, ready
from .c09_points import afford
from .c11_supply import net
from .c13_battle import Fight, attackable, enemies, fight, prey


class Assault(Command):
    """What all commands share that end in a battle."""

    def tame(self, war: War, pos: Table) -> Bars:
        """Why a stack that is ready does not fight."""
        rebuilt = "The units in {hex} have had replacements, and do not attack in this turn"
        used, stacks = pos.acted | pos.rebuilt, there(war, pos, pos.side).stacks.items()
        fresh = mask_of(place for place, units in stacks if place >= 0 and units & ~used)
        yield fresh, rebuilt, "9.17d"
        yield 0, "Only corps support is ready in {hex}, and it never attacks alone", "13.5b"


class Attack(Assault):
    """9.5: a stack attacks one hex beside it."""

    verb, kind, called = "attack", ATTACK, "An attack"
    when, rule = "A stack is ordered to attack between two other commands of its side", "9.5a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield afford(war, pos, war.price[self.kind], self.called)
        stacks = ready(war, pos)
        yield stacks.units, self.idle
        yield ~war.boxes, "The units in {hex} are not on the map", "7.7a"
        yield stacks.fighters, self.tame
        targets = prey(war, pos, pos.side) & ~pos.attacked
        yield beside(war, targets), self.nobody_beside

    def nobody_beside(self, war: War, pos: Table) -> Bars:
        """Why there is nothing to attack from a hex."""
        there, targets = enemies(war, pos, pos.side), prey(war, pos, pos.side)
        yield war.lattice.dilate(there, 1), "No enemy is next to {hex}", "13.1a"
        wet = "Water lies between {hex} and the enemies next to it"
        yield beside(war, there), wet, "13.1c"
        spared = "The special forces keep Germans out of the only enemy hex next to {hex}"
        yield beside(war, targets), spared, "3.6d"
        yield 0, "Every enemy next to {hex} has been attacked in this phase already", "13.1b"

    def able(self, war: War, pos: Table) -> Mask:
        fighters = ready(war, pos).fighters & ~war.boxes
        return fighters and fighters & beside(war, prey(war, pos, pos.side) & ~pos.attacked)


class MoveFight(Assault):
    """9.6: Germans move, and attack at once."""

    verb, kind, called = "move-fight", MOVE_FIGHT, "A move-fight"
    when, rule = "Only the Germans have the move-fight, between two of their commands", "9.6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield afford(war, pos, war.price[self.kind], self.called)
        stacks = ready(war, pos)
        yield stacks.units, self.idle
        yield not pos.assaulted, ONE_ASSAULT, "9.6d"
        yield stacks.fighters, self.tame
        yield stacks.calm, self.in_trouble

    def in_trouble(self, war: War, pos: Table) -> Bars:
        """Why no move-fight starts in a hex."""
        supply = "A move-fight must start in overland supply, and {hex} has none"
        yield net(war, pos, GERMAN) | war.boxes, supply, "9.6b"
        zone = "A move-fight must start outside every Allied zone of control, and {hex} is in one"
        yield 0, zone, "9.6b"

    def able(self, war: War, pos: Table) -> Mask:
        stacks = ready(war, pos)
        return 0 if pos.assaulted else stacks.fighters & stacks.calm


class FightMove(Attack):
    """9.7: Germans attack, and those who take the hex whole go on."""

    verb, kind, called = "fight-move", FIGHT_MOVE, "A fight-move"
    when, rule = "Only the Germans have the fight-move, between two of their commands", "9.7a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield not pos.assaulted, ONE_ASSAULT, "9.6d"
        yield from super().bars(war, pos)
        supply = "A fight-move must start in overland supply, and {hex} has none"
        yield net(war, pos, GERMAN), supply, "9.7b"
        zone = "A fight-move must start in an Allied zone of control, and {hex} is in none"
        yield there(war, pos, 1 - pos.side).zone, zone, "9.7b"

    def able(self, war: War, pos: Table) -> Mask:
        able = 0 if pos.assaulted else super().able(war, pos) & ready(war, pos).enemy.zone
        return able and able & net(war, pos, GERMAN)


ONE_ASSAULT = "You have given your one move-fight or fight-move of this phase"


@lru_cache(64)
def beside(war: War, hexes: Mask) -> Mask:
    """The hexes from which these can be attacked (13.1)."""
    return war.lattice.cross(hexes, war.open)


def targets(war: War, pos: Table, origin: int) -> Bars:
    """13.1: the bars on what a stack attacks from its hex; together they leave `attackable`."""
    side, near = pos.side, war.lattice.disc(origin, 1) & ~(1 << origin)
    yield near, "{hex} is not next to the attackers", "13.1a"
    yield war.around[origin], "Water lies before {hex}, and nobody attacks across it", "13.1c"
    yield enemies(war, pos, side), "There is no enemy in {hex}", "13.1a"
    yield prey(war, pos, side), "The special forces keep Germans out of {hex}", "3.6d"
    yield ~pos.attacked, "{hex} has been attacked in this phase already", "13.1b"


class Target(Order[War, Table]):
    """9.5, 9.7: one hex is attacked; a fight-move that takes it whole goes on moving."""

    verb, names = "target", (HEX,)
    when, rule = "A target is picked when a stack has been ordered to attack", "9.5a"

    def bars(self, war: War, pos: Table) -> Bars:
        return targets(war, pos, pos.origin)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        won = yield from engage(war, pos, option.hex)
        if pos.order == FIGHT_MOVE and won:
            survivors = pos.force & those_in(war, pos, option.hex, pos.side)
            pos.fought = True
            pos.origin, pos.force, pos.waiting = option.hex, survivors, survivors
        else:
            finish(war, pos)


class StrikeWith(Order[War, Table]):
    """9.6c: units that moved together, and are together now, attack at once (9.6e).

    A division names its stack, and the target.
    """

    verb, names = "strike with", (UNIT, HEX)
    when, rule = "A move-fight strikes when its units have moved", "9.6c"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.force, "{unit} has not been ordered to move and fight", "9.6e"
        yield ~war.supports, "{unit} is corps support: a division leads the strike", "13.5b"
        here = mask_of(unit for unit in bits(pos.force) if on_map(war, pos, unit))
        yield here, "{unit} has not come onto the map", "9.6e"
        other = "Another division of the stack of {unit} leads its strike"
        yield mask_of(leads(war, pos).values()), other, "9.6e"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        return targets(war, pos, pos.hex[first])

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.origin = pos.hex[option.unit]
        pos.force &= those_in(war, pos, pos.origin, pos.side)
        yield from engage(war, pos, option.hex)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return [
            Option("strike with", unit, target)
            for hex, unit in sorted(leads(war, pos).items())
            for target in bits(attackable(war, pos, hex, pos.side))
        ]


def leads(war: War, pos: Table) -> dict[int, int]:
    """By hex, the division that names the strike of its stack."""
    fighters = [unit for unit in bits(pos.force & ~war.supports) if on_map(war, pos, unit)]
    return {pos.hex[unit]: unit for unit in reversed(fighters)}


ATTACK_COMMAND, MOVE_FIGHT_COMMAND, FIGHT_MOVE_COMMAND = Attack(), MoveFight(), FightMove()
TARGET, STRIKE_WITH = Target(), StrikeWith()
NO_STRIKE = Plain("no strike", "A move-fight may forgo its strike when it has moved", "9.6c")


def assault(war: War, pos: Table) -> Procedure:
    """9.5a: the stack that was ordered to attack is given its target."""
    prompt = "Which hex do you attack?"
    yield from ask(war, pos, prompt, "9.5a", TARGET, checkpoint=True)


def engage(war: War, pos: Table, target: int) -> Fight:
    """The battle for a hex, which may be attacked only once in a phase (13.1b)."""
    pos.target = target
    pos.attacked |= 1 << target
    return (yield from fight(war, pos))


def strike(war: War, pos: Table) -> Procedure:
    """9.6c: the attack that ends a move-fight, if there is anything to attack."""
    if STRIKE_WITH.menu(war, pos):
        prompt = "Does the move-fight attack now?"
        yield from ask(war, pos, prompt, "9.6c", STRIKE_WITH, NO_STRIKE, checkpoint=True)
    finish(war, pos)
