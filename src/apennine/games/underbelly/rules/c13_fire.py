"""Chapter 13: the fire of a battle: what a shot must roll, whom it may hit, what a hit does."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, ask

from ..table.data import DIE
from ..table.position import ALLIED, COASTAL, GERMAN, UNSUPPLIED, Table
from ..table.war import War
from .c07_zones import lose_step


class Edge(NamedTuple):
    """A reason to change the number that a unit must roll (13.12a)."""

    title: str
    value: int
    rule: str


def edges(war: War, pos: Table, unit: int) -> Iterator[Edge]:
    """What changes the fire of a unit on the Battle Board (13.12)."""
    attacks, support = war.side_of[unit] == pos.side, bool(war.supports >> unit & 1)
    for key in reasons(war, pos, unit, attacks):
        modifier = war.book.modifiers[key]
        if value := modifier.change(attacks, support):
            yield Edge(modifier.title, value, modifier.rule)


def reasons(war: War, pos: Table, unit: int, attacks: bool) -> Iterator[str]:
    """The lines of the chart that it answers to; the ground troubles attackers alone (13.13b)."""
    target, side = pos.target, war.side_of[unit]
    if attacks:
        for terrain in ("mountain", "marsh"):
            if war.terrain[terrain] >> target & 1:
                yield terrain
        if war.cities >> target & 1:
            yield "city"
        if is_over_river(war, pos):
            yield "river"
        if side == ALLIED and pos.forts >> target & 1:
            yield "fort"
    if side == ALLIED and war.coast >> target & 1:
        yield "naval"
    if pos.air_support == side:
        yield "tac"
    supply = pos.supply if attacks else pos.defence_supply
    if supply == UNSUPPLIED:
        yield "out_of_supply"
    elif supply == COASTAL:
        yield "coastal_supply"
    if attacks and pos.crossed >> war.group[unit] & 1:
        yield "cross_supplied"
    if pos.mixed if attacks else pos.defence_mixed:
        yield "mixed"


def is_over_river(war: War, pos: Table) -> bool:
    """Whether a river counts between the attacker and his target (13.13a, 13.14)."""
    if pos.side == GERMAN and pos.turn <= war.book.river_grace:
        return False
    return bool(war.river[war.lattice.direction(pos.origin, pos.target)] >> pos.origin & 1)


def edge(war: War, pos: Table, unit: int) -> int:
    """The sum of what changes the fire of a unit."""
    return sum(edge.value for edge in edges(war, pos, unit))


def is_silent(war: War, unit: int, supply: int) -> bool:
    """11.5a: corps support does not fire when out of supply."""
    return supply == UNSUPPLIED and bool(war.supports >> unit & 1)


def cover(war: War, firer: int) -> int:
    """What rubble takes off the number of a shot (13.6d)."""
    modifier = war.book.modifiers["rubble"]
    return -(modifier.support if war.supports >> firer & 1 else modifier.attack)


def standing(pos: Table, units: Mask) -> list[int]:
    """Those of some units on the Battle Board that still have a step."""
    steps = pos.steps
    return [unit for unit in bits(units) if steps[unit]]


def targets(war: War, pos: Table, units: Mask) -> list[int]:
    """Whom a ground unit may fire at: divisions, corps support when none is left (13.5a)."""
    alive = standing(pos, units)
    return [unit for unit in alive if not war.supports >> unit & 1] or alive


def defensive_volley(war: War, pos: Table) -> list[tuple[int, int]]:
    """Step three: every defender fires that has supplies to do so (11.5a)."""
    firing = standing(pos, pos.defenders)
    return shots(war, pos, [u for u in firing if not is_silent(war, u, pos.defence_supply)])


def offensive_volley(war: War, pos: Table) -> list[tuple[int, int]]:
    """Step five: the attacker's divisions fire; his corps support has had its barrage."""
    return shots(war, pos, standing(pos, pos.attackers & ~war.supports))


def shots(war: War, pos: Table, units: Sequence[int]) -> list[tuple[int, int]]:
    """As many shots of each unit as it has steps, with what they must roll (13.3a)."""
    found: list[tuple[int, int]] = []
    for unit in units:
        number = war.fire[unit][pos.steps[unit]] + edge(war, pos, unit)
        if number > 0:  # 13.12b
            found += [(unit, number)] * pos.steps[unit]
    return found


@dataclass(slots=True)
class Fire(Order[War, Table]):
    """A shot at one of the enemies on the Battle Board, which hits on a number or less (13.3)."""

    enemies: Mask

    names, number = (UNIT, VALUE), "({} or less hits)"
    ranges = ((VALUE, range(1, 11)),)
    spares_guns = True
    """Whether corps support is out of harm behind divisions (13.5a)."""

    def bars(self, war: War, pos: Table) -> Bars:
        yield self.enemies, "{unit} is not among those who are fired at", "13.3b"
        alive = mask_of(standing(pos, self.enemies))
        yield alive, "{unit} has been eliminated already", "13.4"
        if self.spares_guns and alive & ~war.supports:
            yield ~war.supports, "{unit} is safe as long as a division stands before it", "13.5a"
        if pos.rubble >= 0 and not self.hits_on(war, pos, pos.rubble):
            yield ~(1 << pos.rubble), "No shot hits {unit} through the rubble", "13.12b"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        numbers = mask_of(self.hits_on(war, pos, first))
        yield numbers, "No shot at {unit} hits on {value} or less", "13.3a"

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        """The numbers on which a shot at a target could hit, the best first."""
        raise NotImplementedError


class FireAt(Fire):
    """13.3b: every target with every number that a shot of the volley at it could need.

    Units that need the same number fire alike, so which of them fires first makes no difference.
    """

    verb = "fire at"
    when, rule = "Divisions fire one shot after the other in steps three and five", "13.3b"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        numbers = sorted({number for _, number in pos.volley}, reverse=True)
        less = rubble_cover(war, pos)
        return [
            Option("fire at", unit, -1, number - less if unit == pos.rubble else number)
            for unit in targets(war, pos, self.enemies)
            for number in numbers
            if number > less or unit != pos.rubble
        ]

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        less = rubble_cover(war, pos) if target == pos.rubble else 0
        return sorted({n - less for _, n in pos.volley if n > less}, reverse=True)


def rubble_cover(war: War, pos: Table) -> int:
    """What rubble takes off the shots of this step."""
    return cover(war, pos.volley[0][0]) if pos.rubble >= 0 and pos.volley else 0


def volley(war: War, pos: Table, side: int, enemies: Mask, by: str) -> Procedure:
    """A side fires the shots of `pos.volley`, one at a time, each at a target of its choice.

    Ends when the shots are spent or nobody is left to fire at; every step lost is in `pos.hits`.
    """
    pos.hits = []
    state = pos.defence_supply if side == pos.side else pos.supply
    fire = FireAt(enemies)
    while pos.volley:
        aims = targets(war, pos, enemies)
        if not aims:
            return
        less = rubble_cover(war, pos)
        if aims == [pos.rubble]:
            pos.volley = [shot for shot in pos.volley if shot[1] > less]  # 13.12b
            if not pos.volley:
                return
        prompt = "Choose a target: the shot hits on the number in brackets or less"
        chosen = yield from ask(war, pos, prompt, by, fire, side=side)
        target, needed = chosen.unit, chosen.value
        number = needed + less if target == pos.rubble else needed
        firer = take_shot(pos, number)
        hit = yield from shoot(war.names[firer], war.names[target], needed, by)
        if hit:
            pos.hits.append(target)
            yield from lose_step(war, pos, target, state, by)


def take_shot(pos: Table, number: int) -> int:
    """Spend a shot that needs this number; returns who fires it."""
    for place, (unit, needed) in enumerate(pos.volley):
        if needed == number:
            del pos.volley[place]
            return unit
    raise ValueError(f"No shot of this volley needs {number}.")


def shoot(who: str, whom: str, number: int, by: str) -> Generator[Roll, Any, bool]:
    """13.3a: one die for one shot; returns whether it hits."""
    (face,) = yield Roll((DIE,), f"{who} at {whom}, {number} or less", by)
    return face <= number


@dataclass(slots=True)
class Shell(Fire):
    """13.2/2: a gun of the corps artillery fires at a defender."""

    gun: int

    verb, when, rule = "shell", "Corps artillery fires in the preparatory barrage", "13.2/2a"

    def hits_on(self, war: War, pos: Table, target: int) -> Sequence[int]:
        number = barrage_number(war, pos, self.gun)
        if target == pos.rubble:  # bombs have buried it before
            number -= cover(war, self.gun)
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
            (face,) = yield Roll((DIE,), f"rubble, {bombers.rubble} or more", "13.6d")
            if face >= bombers.rubble:
                pos.rubble = target
                yield Event("is in rubble", target, pos.target, rule="13.6d")


def barrage(war: War, pos: Table) -> Procedure:
    """13.2/2: corps artillery and heavy bombers fire once each, in the order of the attacker."""
    guns = [unit for unit in gunners(war, pos) if barrage_number(war, pos, unit) > 0]
    planes = [Bomb(pos.defenders)] if pos.bomber else []
    while True:
        orders = [*(Shell(pos.defenders, gun) for gun in guns[:1]), *planes]
        if not any(order.menu(war, pos) for order in orders):
            return
        prompt = "Choose a target of the barrage: a hit is the number in brackets or less"
        chosen = yield from ask(war, pos, prompt, "13.2/2a", *orders)
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
    return war.fire[gun][pos.steps[gun]] + edge(war, pos, gun)


def leaves_rubble(war: War, pos: Table) -> bool:
    """13.6d: whether the target of the attack is a fort or a city."""
    return bool((pos.forts | war.cities) >> pos.target & 1)
