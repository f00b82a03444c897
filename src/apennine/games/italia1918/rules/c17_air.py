"""Chapter 17: who has the sky, and what air supports do there."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, nth_bit
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask

from ..table.position import AVAILABLE, ENTENTE, MISSIONS, Table
from ..table.war import War
from .c02_pieces import theatre, there
from .c10_weather import may_fly

FLYING = "Air supports are placed before anything moves"
MOST = 2
"""The supports of a side in a hex (17.1g)."""
HOME = 2
"""A die up to this brings a support back to the Missions box (17.1i)."""


# The Air Superiority Phase


def superiority_phase(war: War, pos: Table) -> Procedure:
    """17.1c, 17.1d: supports come home, and a die, or a claim, gives the sky to one side."""
    if not pos.flying:
        return
    for side in (0, 1):
        for unit in bits(there(war, pos, side).stack(MISSIONS)):
            pos.hex[unit] = AVAILABLE
    if may_claim(war, pos):
        prompt = "Claim air superiority in this turn, once in the game, or let the die decide"
        yield from ask(war, pos, prompt, rule("S3.S6a"), CLAIM, ROLL, side=ENTENTE)
        if there(war, pos, ENTENTE).stack(MISSIONS):
            return
    (die,) = yield Roll((6,), "air superiority", rule("17.1d"))
    table = war.book.superiority
    total = die + squadrons(war, pos)
    side = war.sides.index(table.cell(total, table.column("side")))
    count = int(table.cell(total, table.column("supports")))
    yield Event("air superiority", value=side, rule=rule("17.1d"))
    for _ in range(count):  # 17.1e
        free = there(war, pos, side).stack(AVAILABLE)
        if not free:
            return
        drawn = 1
        if free & free - 1:
            (drawn,) = yield Roll((free.bit_count(),), "which air support", rule("17.1e"))
        unit = nth_bit(free, drawn - 1)
        pos.hex[unit] = MISSIONS
        yield Event("is ready to fly", unit, rule=rule("17.1e"))


def squadrons(war: War, pos: Table) -> int:
    """What changes the die in this turn."""
    book = war.book.squadrons
    return next(m for t, m in zip(book.turns[::-1], book.modifiers[::-1]) if pos.turn >= t)


def may_claim(war: War, pos: Table) -> bool:
    """Whether the Entente may claim the sky: once, in the turns of its scenario (S3.S6a)."""
    turns = theatre(war, pos).scenario.superiority
    return bool(turns and turns[0] <= pos.turn <= turns[1] and not (pos.claimed or pos.gathered))


class Claim(Order[War, Table]):
    """S3.S6a, S4.S5a, S5.S4: the Entente takes the sky with all its supports."""

    verb = "claim the sky"
    when, rule = "Air superiority is claimed before its die is thrown", "S3.S6a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield may_claim(war, pos), "The Entente may not claim it now", "S3.S6a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.claimed = True
        for unit in bits(there(war, pos, ENTENTE).stack(AVAILABLE)):
            pos.hex[unit] = MISSIONS


# Missions


def missions_phase(war: War, pos: Table) -> Procedure:
    """17.1h: who has the sky sends supports out as a Movement Phase begins, his or the enemy's."""
    for side in (0, 1):
        if there(war, pos, side).stack(MISSIONS) and may_fly(war, pos):
            prompt = "Send air supports on missions"
            yield from _send(war, pos, prompt, side)


def _send(war: War, pos: Table, prompt: str, side: int) -> Procedure:
    verb = ""
    orders = Interdict(side), Observe(side), Raid(side), Strike(side), STAY
    while verb != STAY.verb and there(war, pos, side).stack(MISSIONS):
        asked = ask(war, pos, prompt, rule("17.1h"), *orders, side=side, checkpoint=True)
        verb = (yield from asked).verb


@dataclass
class Mission(Order[War, Table]):
    """A support flies to a hex (17.1g)."""

    side: int

    names, link = (UNIT, HEX), "over"
    when = FLYING

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[self.side], "{unit} belongs to the other side", "1.0a"
        yield war.aircraft, "{unit} is no air support", "17.1g"
        ready = there(war, pos, self.side).stack(MISSIONS)
        yield ready, "{unit} is not in the Missions box", "17.1f"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield theatre(war, pos).area, "{hex} is outside the playing area", "SC.b"
        yield within_command(war, pos, self.side), "No headquarters commands {hex}", "17.1g"
        full = sum([1 << hex for hex, n in above(war, pos, self.side).items() if n >= MOST])
        yield ~full, f"{MOST} air supports are over {{hex}}", "17.1g"
        yield from self.fit(war, pos)

    def fit(self, war: War, pos: Table) -> Bars:
        """What the mission asks of a hex."""
        del war, pos
        yield from ()

    def effect(self, war: War, pos: Table, option: Option) -> Procedure | None:
        pos.hex[option.unit] = option.hex


def within_command(war: War, pos: Table, side: int) -> Mask:
    """The hexes within the Command Radius of a headquarters, as the crow flies (17.1g)."""
    found = 0
    for staff in bits(there(war, pos, side).units & war.headquarters):
        found |= war.lattice.disc(pos.hex[staff], war.roster[staff].value)
    return found


def above(war: War, pos: Table, side: int) -> dict[int, int]:
    """By hex, how many air supports of a side are over it."""
    found: dict[int, int] = {}
    for unit in bits(there(war, pos, side).units & war.aircraft):
        found[pos.hex[unit]] = found.get(pos.hex[unit], 0) + 1
    return found


def over(pos: Table, supports: Mask) -> Mask:
    """The hexes that some air supports are over."""
    found = 0
    for unit in bits(supports):
        if pos.hex[unit] >= 0:
            found |= 1 << pos.hex[unit]
    return found


class Interdict(Mission):
    """17.2a: enemies enter the hex for a point more, and lose a step if they retreat into it."""

    verb, rule = "interdict with", "17.2a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex
        pos.interdicting |= 1 << option.unit


class Observe(Mission):
    """17.2b: an observer over units helps its guns there."""

    verb, rule = "observe with", "17.2b"

    def fit(self, war: War, pos: Table) -> Bars:
        held = there(war, pos, 0).ground | there(war, pos, 1).ground
        yield held, "No unit is in {hex}", "17.2b"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex
        pos.observing |= 1 << option.unit


class Raid(Mission):
    """17.2c: a bomber goes with an observer, and adds its rating to a bombardment."""

    verb, rule = "bomb with", "17.2c"

    def fit(self, war: War, pos: Table) -> Bars:
        own = over(pos, pos.observing & war.army[self.side])
        yield own, "No observer of yours is over {hex}", "17.2c"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex
        pos.bombing |= 1 << option.unit


class Strike(Mission):
    """S3.S7, S4.S5b: an air support tries to destroy a pontoon bridge."""

    verb, rule = "strike with", "S3.S7a"

    def bars(self, war: War, pos: Table) -> Bars:
        able = theatre(war, pos).scenario.strikes and self.side == ENTENTE
        yield able, "No bridges are bombed in this scenario", "S3.S7a"
        yield pos.side == ENTENTE, "Bridges are bombed as the Entente begins to move", "S3.S7a"
        yield from super().bars(war, pos)

    def fit(self, war: War, pos: Table) -> Bars:
        bridges = 0
        for owner, hex, _ in pos.pontoons:
            bridges |= (owner != ENTENTE) << hex
        yield bridges, "No pontoon bridge of the enemy is in {hex}", "S3.S7a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.hex[option.unit] = option.hex
        works = war.book.engineering["strike"]
        guarded = there(war, pos, 1 - ENTENTE).ground >> option.hex & 1
        (die,) = yield Roll((6,), "attack on a pontoon bridge", rule("S3.S7b"))
        hit = die + works.enemy * guarded <= works.target
        if hit:
            first = next(b for b in pos.pontoons if b[0] != ENTENTE and b[1] == option.hex)
            pos.pontoons = [bridge for bridge in pos.pontoons if bridge is not first]
        story = "the pontoon bridge is destroyed" if hit else "the pontoon bridge stands"
        yield Event(story, hex=option.hex, value=die, rule=rule("S3.S7b"))


def landing_phase(war: War, pos: Table) -> Procedure:
    """17.1i, 17.1k: at the end of the sequence each support comes home, and may be ready again."""
    for side in (0, 1):
        for unit in bits(there(war, pos, side).units & war.aircraft):
            (die,) = yield Roll((6,), "air support comes home", rule("17.1i"))
            pos.hex[unit] = MISSIONS if die <= HOME else AVAILABLE
            yield Event("comes home", unit, value=die, rule=rule("17.1i"))
    pos.interdicting = pos.observing = pos.bombing = 0


CLAIM = Claim()
ROLL = Plain("let the die decide", "Air superiority is claimed before its die is thrown", "17.1d")
STAY = Plain("no more missions", FLYING, "17.1h")
