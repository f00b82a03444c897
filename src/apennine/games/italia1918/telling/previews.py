"""What an order would lead to: the way of a move, the chances of a die, a whole combat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

from apennine.kernel.decision import Line, Option
from apennine.kernel.game import Chance, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import imagined, way
from apennine.mechanics.tables import distribution

from ..rules.c02_pieces import unready
from ..rules.c11_engineers import pontoon_modifier, rebuilding_modifier
from ..rules.c11_march import PURSUIT
from ..rules.c11_movement import march, place_of
from ..rules.c12_coordination import DEFENDING
from ..rules.c12_orders import RELIEF
from ..rules.c13_disengagement import marked_with, modifiers
from ..table.position import Table
from ..table.war import War
from .battle_previews import battle, with_all_guns, with_everybody

Show = Callable[[War, Table, Option], Preview | None]


# Ways.


def go(war: War, pos: Table, option: Option) -> Preview:
    """The way of the stack, and what it costs."""
    lines: list[Line] = []
    if pos.forced:
        lines.append(Line("forced march", "tires the stack in an offensive", rule("11.2.6b")))
    if pos.movers & unready(pos):
        lines.append(Line("disorganized", "half of the allowance", rule("12.5b")))
    if pos.phase == PURSUIT:
        lines.append(Line("exploitation movement", "", rule("14.2a")))
    return way(march(war, pos), option.hex, war.scale, lines)


# Dice.


def work(target: int, modifier: int, done: str, by: str, why: str = "modifier") -> Preview:
    """A die that must not be more than a number, with a modifier."""
    works = distribution((6,), lambda dice: dice[0] + modifier <= target)
    chance = works.get(True, Fraction(0))
    lines = (Line(why, f"{modifier:+d}", by),) if modifier else ()
    chances = (Chance(done, chance), Chance("nothing", 1 - chance))
    return Preview(lines=lines, column=f"{target} or less", chances=chances)


def bridge(war: War, pos: Table, option: Option) -> Preview:
    """A pontoon bridge (11.2.4)."""
    modifier = pontoon_modifier(war, pos, place_of(pos), option.hex)
    target = war.book.engineering["pontoon"].target
    return work(target, modifier, "a bridge", rule("11.2.4f"), "enemies, river, weather, friend")


def demolish(war: War, pos: Table, option: Option) -> Preview:
    """A bridge that is blown up (11.2.5c)."""
    surprise = war.book.surprise
    river = war.ground.bridges[option.value].river
    caught = river == surprise.river and pos.turn == surprise.turn
    target = war.book.engineering["demolition"].target
    modifier = surprise.modifier if caught else 0
    return work(target, modifier, "destroyed", rule("11.2.5d"), "surprise on the Isonzo")


def rebuild(war: War, pos: Table, option: Option) -> Preview:
    """A bridge that is rebuilt (11.2.5g)."""
    modifier = rebuilding_modifier(war, pos, option.value)
    target = war.book.engineering["rebuilding"].target
    return work(target, modifier, "rebuilt", rule("11.2.5i"), "enemy zone, river, weather")


def destroy(war: War, pos: Table, option: Option) -> Preview:
    """A depot that is blown up (15.5.1)."""
    del pos, option
    return work(war.book.engineering["depot"].target, 0, "destroyed", rule("15.5.1b"))


def disengage(war: War, pos: Table, option: Option) -> Preview:
    """What the die of a disengagement may bring (13.0)."""
    changes = list(modifiers(war, pos, option.unit))
    stack = marked_with(war, pos, option.unit)
    table = war.book.disengagement
    column = "Retreat mode" if stack & pos.fleeing else "otherwise"
    added = sum([change.columns for change in changes])
    found = table.chances(table.column(column), (6,), added)
    lines = tuple(Line(each.name, f"{each.columns:+d}", each.rule) for each in changes)
    chances = tuple(Chance(MEANINGS[cell], chance) for cell, chance in found.items())
    return Preview(lines=lines, column=column, chances=chances)


MEANINGS = {
    "*r1": "a step lost, 1 hex",
    "R3": "3 hexes, led by the enemy, disorganized",
    "r2": "1 or 2 hexes",
    "r3": "1 to 3 hexes",
    "r4": "1 to 4 hexes",
}
"""The results of disengagement in words."""


# Combats.


def attack(war: War, pos: Table, option: Option) -> Preview:
    """If all that can attack the hex do, and both sides fire all guns that reach it."""
    return battle(war, with_all_guns(war, with_everybody(war, pos, option.hex)))


def attack_with(war: War, pos: Table, option: Option) -> Preview:
    """If those named and this one attack, and both sides fire all guns."""
    attackers = pos.attackers | 1 << option.unit
    return battle(war, with_all_guns(war, imagined(pos, attackers=attackers)))


def storm(war: War, pos: Table, option: Option) -> Preview:
    """With assault troops for a column."""
    return battle(war, with_all_guns(war, imagined(pos, shock=pos.shock | 1 << option.unit)))


def go_in(war: War, pos: Table, option: Option) -> Preview:
    """If those named attack."""
    del option
    return battle(war, with_all_guns(war, pos))


def fire(war: War, pos: Table, option: Option) -> Preview:
    """With this gun and those that are committed, and no more."""
    guns = list(pos.guns)
    guns[war.side_of[option.unit] != pos.side] |= 1 << option.unit
    return battle(war, imagined(pos, guns=guns))


def counter(war: War, pos: Table, option: Option) -> Preview:
    """With this gun in Counter-battery fire."""
    return battle(war, imagined(pos, counter=pos.counter | 1 << option.unit))


def as_it_is(war: War, pos: Table, option: Option) -> Preview:
    """With the guns that are committed."""
    del option
    return battle(war, pos)


def stand(war: War, pos: Table, option: Option) -> Preview:
    """What is owed if the defenders go back so far, or stand."""
    del war
    hexes = option.value
    owed = max(pos.hits[DEFENDING] - RELIEF * hexes, 0)
    line = Line("hit points to be paid", str(owed), rule("12.2.6r"))
    more = Line("two hexes or more tire", "disorganized", rule("12.3i"))
    return Preview(lines=(line, more) if hexes > 1 else (line,))


PREVIEWS: Mapping[str, Show] = MappingProxyType(
    {
        "go": go,
        "bridge the river": bridge,
        "blow up": demolish,
        "rebuild": rebuild,
        "destroy": destroy,
        "disengage with": disengage,
        "attack": attack,
        "attack with": attack_with,
        "storm with": storm,
        "go in": go_in,
        "fire with": fire,
        "counter with": counter,
        "guns ready": as_it_is,
        "give ground": stand,
        "stand fast": stand,
    }
)
