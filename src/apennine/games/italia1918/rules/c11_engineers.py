"""Chapter 11.2: pontoon bridges, and bridges destroyed and rebuilt; 15.5.1: depots blown up."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import NONE, Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, is_poor, there
from .c05_zones import zone
from .c06_steps import eliminate
from .c09_supply import command, float_sides

WORKING = "Bridges are blown up and rebuilt once movement is over"


# Pontoon bridges (11.2.4)


class Bridge(Order[War, Table]):
    """11.2.4: a unit of the moving stack tries to bridge the river before a hex."""

    verb, names, link = "bridge the river", (HEX,), "to"
    when, rule = "A combat unit next to a river bridges it as it moves", "11.2.4a"

    def bars(self, war: War, pos: Table) -> Bars:
        fighters = pos.movers & war.combat
        yield fighters != 0, "Only combat units build pontoon bridges", "11.2.4a"
        yield not pos.stopped, "The stack has stopped", "11.2.1a"
        yield not pos.forced, "The stack is on a forced march", "11.2.6a"
        yield pos.left >= war.scale, "An attempt costs a movement point", "11.2.4a"
        limits = war.book.limits
        own = sum(owner == pos.side for owner, _, _ in pos.pontoons)
        most = f"A side has no more than {limits.pontoons} pontoon bridges"
        yield own < limits.pontoons, most, "11.2.4i"
        yield builder(war, pos) >= 0, "Every unit of the stack has tried twice", "11.2.4h"
        here = pos.hex[first_bit(pos.movers)]
        wet = war.ground.wet(pos.broken, float_sides(war, pos, pos.side))
        yield (
            war.lattice.cross(1 << here, wet),
            "No unbridged river is on the way to {hex}",
            "11.2.4a",
        )
        yield ~exhausted(war, pos, here), "The river to {hex} has been tried twice", "11.2.4h"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        if pos.stopped or pos.left < war.scale or not pos.movers & war.combat:
            return NONE
        beside = war.ground.beside_rivers >> pos.hex[first_bit(pos.movers)] & 1
        return self.left(war, pos) if beside else NONE

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        lattice, here = war.lattice, pos.hex[first_bit(pos.movers)]
        d = lattice.direction(here, option.hex)
        modifier = pontoon_modifier(war, pos, here, option.hex)
        pos.left -= war.scale
        pos.tries.append((builder(war, pos), lattice.edge(here, d)))
        (die,) = yield Roll((6,), "pontoon bridge", rule("11.2.4a"))
        built = die + modifier <= war.book.engineering["pontoon"].target
        if built:
            pos.pontoons.append((pos.side, here, d))
        story = "a pontoon bridge is built" if built else "the pontoon bridge fails"
        yield Event(story, hex=here, value=die + modifier, rule=rule("11.2.4f"))


def builder(war: War, pos: Table) -> int:
    """The combat unit of the moving stack with the fewest attempts; -1 if all have made two."""
    tried = dict.fromkeys(bits(pos.movers & war.combat), 0)
    for unit, _ in pos.tries:
        if unit in tried:
            tried[unit] += 1
    unit = min(tried, key=lambda unit: (tried[unit], unit), default=-1)
    return unit if unit >= 0 and tried[unit] < war.book.limits.tries else -1


def exhausted(war: War, pos: Table, here: int) -> Mask:
    """The hexes across sides of a hex that have been tried as often as may be (11.2.4h)."""
    found = 0
    for d in range(6) if pos.tries else ():
        edge = war.lattice.edge(here, d)
        if sum(tried == edge for _, tried in pos.tries) >= war.book.limits.tries:
            found |= 1 << war.lattice.neighbour(here, d)
    return found


def pontoon_modifier(war: War, pos: Table, here: int, beyond: int) -> int:
    """What changes the die (11.2.4b to 11.2.4e)."""
    works, side = war.book.engineering["pontoon"], pos.side
    close = war.lattice.disc(here, works.near) & there(war, pos, 1 - side).ground
    wide = war.ground.major[war.lattice.direction(here, beyond)] >> here & 1
    friend = there(war, pos, side).ground >> beyond & 1
    return (
        works.enemy * bool(close)
        + works.major * wide
        + works.poor * is_poor(pos)
        + works.friend * friend
    )


def sink_pontoons(war: War, pos: Table, hex: int) -> None:
    """11.2.4m: enemy pontoon bridges in empty hexes next to a unit that ends its move are lost."""
    near = war.lattice.dilate(1 << hex)
    held = there(war, pos, 1 - pos.side).ground
    pos.pontoons = [
        bridge
        for bridge in pos.pontoons
        if bridge[0] == pos.side or not near >> bridge[1] & 1 or held >> bridge[1] & 1
    ]


class TakeUp(Order[War, Table]):
    """11.2.4j: the owner takes a pontoon bridge up, before his units move."""

    verb, names, link, needs = "take up the bridge", (HEX,), "in", "pontoons"
    when, rule = "Pontoon bridges are taken up before units move and as markers go", "11.2.4j"

    def bars(self, war: War, pos: Table) -> Bars:
        yield (
            not pos.started or pos.phase == "adjustment",
            "A unit has moved already in this phase",
            "11.2.4j",
        )
        own = 0
        for owner, hex, _ in pos.pontoons:
            own |= (owner == pos.side) << hex
        yield own, "No pontoon bridge of yours lies in {hex}", "11.2.4j"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        number = pos.pontoons.index(
            next(b for b in pos.pontoons if b[:2] == (pos.side, option.hex))
        )
        del pos.pontoons[number]


# Bridges (11.2.5)


class Work(Order[War, Table]):
    """Work on a bridge: named by one end, and by its number."""

    names, number = (HEX, VALUE), "bridge {}"
    ranges = ((VALUE, lambda war: range(len(war.ground.bridges))),)
    when = WORKING

    def fit(self, war: War, pos: Table) -> Bars:
        """The bars on bridges, as numbers."""
        raise NotImplementedError

    def bars(self, war: War, pos: Table) -> Bars:
        left = -1
        for kept, *_ in self.fit(war, pos):
            left &= int(kept)
        yield (
            war.ground.named_at(_all(war)),
            "{hex} is not the end by which a bridge is named",
            "11.2.5a",
        )
        yield war.ground.named_at(left & _all(war)), self._why(war, pos)

    def _why(self, war: War, pos: Table) -> Bars:
        for bar in self.fit(war, pos):
            kept = int(bar[0]) & _all(war)
            if len(bar) == 3:
                yield war.ground.named_at(kept), bar[1], bar[2]
        yield 0, "Each bridge of {hex} lacks something else", "11.2.5a"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        left = _all(war)
        for kept, *_ in self.fit(war, pos):
            left &= int(kept)
            if not left:
                return NONE
        named = sorted([(first_bit(war.ground.bridges[n].ends), n) for n in bits(left)])
        return tuple([Option(self.verb, hex=hex, value=n) for hex, n in named])

    def then(self, war: War, pos: Table, first: int) -> Bars:
        mine = war.ground.named_by.get(first, 0)
        yield mine, "That bridge is named by another hex", "11.2.5a"
        yield from self.fit(war, pos)


def _all(war: War) -> Mask:
    return (1 << len(war.ground.bridges)) - 1


class Demolish(Work):
    """11.2.5: a bridge near the enemy, in reach of a headquarters, is blown up."""

    verb, rule = "blow up", "11.2.5b"

    def fit(self, war: War, pos: Table) -> Bars:
        works = war.book.engineering["demolition"]
        yield ~pos.broken, "The bridge in {hex} is destroyed already", "11.2.5c"
        yield ~pos.worked, "The bridge in {hex} has been tried in this phase", "11.2.5j"
        near = war.lattice.dilate(there(war, pos, 1 - pos.side).ground, works.near)
        yield (
            war.ground.with_ends(near, 1),
            f"No enemy is within {works.near} hexes of {{hex}}",
            "11.2.5b",
        )
        mine = command(war, pos, pos.side)
        yield war.ground.with_ends(mine, 1), "No headquarters commands {hex}", "11.2.5b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        bridge, works = war.ground.bridges[option.value], war.book.engineering["demolition"]
        surprise = war.book.surprise
        caught = bridge.river == surprise.river and pos.turn == surprise.turn  # 11.2.5d
        modifier = surprise.modifier if caught else 0
        pos.worked |= 1 << option.value
        (die,) = yield Roll((6,), "demolition", rule("11.2.5c"))
        if die + modifier <= works.target:
            pos.broken |= 1 << option.value
            yield Event("the bridge is destroyed", hex=option.hex, rule=rule("11.2.5c"))
        else:
            yield Event("the bridge stands", hex=option.hex, rule=rule("11.2.5c"))


class Rebuild(Work):
    """11.2.5: a destroyed bridge with a friend on one end is rebuilt."""

    verb, rule = "rebuild", "11.2.5e"

    def fit(self, war: War, pos: Table) -> Bars:
        side = pos.side
        yield pos.broken, "The bridge in {hex} is not destroyed", "11.2.5e"
        yield ~pos.worked, "The bridge in {hex} has been tried in this phase", "11.2.5j"
        own = there(war, pos, side).ground
        yield war.ground.with_ends(own, 1), "No unit of yours is at the bridge in {hex}", "11.2.5e"
        safe = own | ~zone(war, pos, 1 - side)
        yield (
            war.ground.with_ends(safe, 2),
            "The other end is in an enemy zone and held by nobody",
            "11.2.5e",
        )
        yield (
            war.ground.with_ends(command(war, pos, side), 2),
            "Both ends must be under command",
            "11.2.5f",
        )

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        works = war.book.engineering["rebuilding"]
        modifier = rebuilding_modifier(war, pos, option.value)
        pos.worked |= 1 << option.value
        (die,) = yield Roll((6,), "rebuilding", rule("11.2.5g"))
        if die + modifier <= works.target:
            pos.broken &= ~(1 << option.value)
            yield Event("the bridge is rebuilt", hex=option.hex, rule=rule("11.2.5g"))
        else:
            yield Event("the bridge stays destroyed", hex=option.hex, rule=rule("11.2.5g"))


def rebuilding_modifier(war: War, pos: Table, number: int) -> int:
    """What changes the die (11.2.5i): a zone, though a friend is there, a wide river, weather."""
    works, bridge = war.book.engineering["rebuilding"], war.ground.bridges[number]
    exposed = bool(bridge.ends & zone(war, pos, 1 - pos.side))
    return works.zone * exposed + works.major * bridge.major + works.poor * is_poor(pos)


# Depots (15.5.1)


class BlowUp(Order[War, Table]):
    """15.5.1: a depot near the enemy is destroyed by its owner, who has one attempt."""

    verb, names = "destroy", (UNIT,)
    when, rule = "Depots are destroyed once movement is over", "15.5.1d"

    def bars(self, war: War, pos: Table) -> Bars:
        works = war.book.engineering["depot"]
        yield from in_the_field(war, pos, pos.side)
        yield war.depots, "{unit} is no depot", "15.5.1a"
        yield ~pos.tried, "There was one attempt to destroy {unit}, and it failed", "15.5.1a"
        near = war.lattice.dilate(there(war, pos, 1 - pos.side).ground, works.near)
        present = there(war, pos, pos.side)
        yield present.among(near), f"No enemy is within {works.near} hexes of {{unit}}", "15.5.1a"
        mine = command(war, pos, pos.side)
        yield present.among(mine), "No headquarters commands {unit}", "15.5.1a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        (die,) = yield Roll((6,), "demolition", rule("15.5.1b"))
        if die <= war.book.engineering["depot"].target:
            yield from eliminate(war, pos, option.unit, rule("15.5.1b"))
        else:
            pos.tried |= 1 << option.unit
            yield Event("does not blow up", option.unit, pos.hex[option.unit], rule=rule("15.5.1c"))


BRIDGE, TAKE_UP = Bridge(), TakeUp()
DEMOLISH, REBUILD, BLOW_UP = Demolish(), Rebuild(), BlowUp()
