"""Chapter 12.2.6: what coordination, or the want of it, does to both sides."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask

from ..table.position import Table
from ..table.war import War
from .c02_pieces import in_the_field, theatre, there
from .c05_zones import zone
from .c06_steps import disorganize, lose_step
from .c12_coordination import ATTACKING, DEFENDING, within_three
from .c12_losses import Pay, Tire
from .c12_odds import defenders
from .c12_retreat import Retreat, ways_back, withdraw

COORDINATING = "Tactical Coordination is carried out in a combat"
RELIEF = 3
"""Hit points that a hex of retreat, a rout or a half-hearted attack takes off (12.2.6)."""


def extra_loss(war: War, pos: Table, side: int, units: Mask, cited: str) -> Procedure:
    """12.2.6ar: a step more, of any unit that takes part, as its owner likes."""
    left = units & there(war, pos, side).units
    if left:
        prompt = "A further step is lost: whose?"
        chosen = yield from ask(war, pos, prompt, cited, Pay(side, left), side=side)
        yield from lose_step(war, pos, chosen.unit, cited)


def confuse(
    war: War, pos: Table, role: int, held: Mask, hits: list[int], fled: list[int]
) -> Procedure:
    """12.2.6aa: Misunderstood Orders, by a further die on the list of the side concerned."""
    (die,) = yield Roll((6,), "Misunderstood Orders", rule("12.2.6aa"))
    table = war.book.misunderstood
    result = table.cell(die, table.column("defender" if role == DEFENDING else "attacker"))
    yield Event(f"misunderstood orders: {result}", hex=pos.target, value=die, rule=rule("12.2.6aa"))
    attacker, defender = pos.side, 1 - pos.side
    match result, role:
        case "sacrifice" | "bitter fighting", _:
            yield from extra_loss(war, pos, defender, held, rule("12.2.6ab"))
            yield from extra_loss(war, pos, attacker, pos.attackers, rule("12.2.6ah"))
        case "suicidal counterattack", _:
            yield from extra_loss(war, pos, defender, held, rule("12.2.6ad"))
        case "stubborn attacks", _:
            yield from extra_loss(war, pos, attacker, pos.attackers, rule("12.2.6aj"))
        case "rout", _:
            hits[ATTACKING] -= RELIEF
        case "half-hearted attack", _:
            hits[DEFENDING] -= RELIEF
        case "indecision", _:
            pos.pinned |= defenders(war, pos)
        case "counterorders", _:
            yield from strip_markers(war, pos, rule("12.2.6am"))
        case "confusion", _:
            yield from _confusion(war, pos)
        case "misdirected reserves", _:
            yield from _misdirect(war, pos)
        case "panic", 1:
            group = Retreat(defender, defenders(war, pos), 1, 1, defender, lengths=fled)
            yield from withdraw(war, pos, group)
        case _:
            yield from _recoil(war, pos)


def _confusion(war: War, pos: Table) -> Procedure:
    """12.2.6ai: the defender picks an attacker that becomes Disorganized."""
    left = pos.attackers & there(war, pos, pos.side).units
    if not left:
        return
    prompt, order = "Which attacker becomes Disorganized?", Tire(pos.side, left)
    chosen = yield from ask(war, pos, prompt, rule("12.2.6ai"), order, side=1 - pos.side)
    disorganize(war, pos, 1 << chosen.unit)


def _recoil(war: War, pos: Table) -> Procedure:
    """12.2.6ak, 12.3k: one attacker of his owner's choice retreats a hex, and no other."""
    left = pos.attackers & there(war, pos, pos.side).units
    if not left:
        return
    prompt = "Which of your attackers retreats?"
    chosen = yield from ask(war, pos, prompt, rule("12.2.6ak"), Recoil(left))
    yield from withdraw(war, pos, Retreat(pos.side, 1 << chosen.unit, 1, 1, pos.side))


@dataclass(slots=True)
class Recoil(Order[War, Table]):
    """12.2.6ak: an attacker retreats."""

    attackers: Mask

    verb, names = "recoil with", (UNIT,)
    when, rule = COORDINATING, "12.2.6ak"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield self.attackers, "{unit} does not attack", "12.2.6ak"


def _misdirect(war: War, pos: Table) -> Procedure:
    """12.2.6ag: the attacker moves one unit of the defender a hex."""
    prompt = "Move one of the enemy's units a hex, or leave them"
    yield from ask(war, pos, prompt, rule("12.2.6ag"), MISDIRECT, LEAVE)


class Misdirect(Order[War, Table]):
    """12.2.6ag: a unit of the defender near by, in no zone of the attacker, goes astray."""

    verb, names = "misdirect", (UNIT, HEX)
    when, rule = COORDINATING, "12.2.6ag"

    def bars(self, war: War, pos: Table) -> Bars:
        defender = 1 - pos.side
        yield from in_the_field(war, pos, defender)
        yield war.combat, "{unit} is a support", "12.2.6ag"
        near = within_three(war, pos, war.army[defender])
        yield near, "{unit} is farther than three hexes from the combat", "12.2.6ag"
        quiet = there(war, pos, defender).among(~zone(war, pos, pos.side))
        yield quiet, "{unit} is in a zone of the attacker", "12.2.6ag"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        beside = war.lattice.cross(1 << pos.hex[first], war.ground.open)
        yield beside, "{hex} is not next to {unit}", "12.2.6ag"
        yield theatre(war, pos).area, "{hex} is outside the playing area", "SC.b"
        yield ~there(war, pos, pos.side).closed, "Your own units are in {hex}", "11.1.1g"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for support, host in enumerate(pos.host):
            if host == option.unit:
                pos.hex[support] = option.hex
        pos.hex[option.unit] = option.hex


# Markers that the defender takes off


def strip_markers(war: War, pos: Table, cited: str) -> Procedure:
    """12.2.6z: the defender may take a Reserves or Exploitation marker off the attacker's units."""
    if strippable(war, pos):
        prompt = "Take a marker off the attacker's units, or leave them"
        yield from ask(war, pos, prompt, cited, STRIP, LEAVE, side=1 - pos.side)


def strippable(war: War, pos: Table) -> Mask:
    """The attacker's marked units within three hexes of the combat (12.2.6at)."""
    marked = sum(pos.reserves) | sum(pos.exploits)
    return within_three(war, pos, marked & war.army[pos.side])


class Strip(Order[War, Table]):
    """12.2.6z: the marker of a unit goes, and with it that of all who share it."""

    verb, names = "strip", (UNIT,)
    when, rule = COORDINATING, "12.2.6z"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from in_the_field(war, pos, pos.side)
        yield sum(pos.reserves) | sum(pos.exploits), "{unit} has no such marker", "12.2.6z"
        yield strippable(war, pos), "{unit} is farther than three hexes away", "12.2.6at"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        bit = 1 << option.unit
        pos.reserves = [marker for marker in pos.reserves if not marker & bit]
        pos.exploits = [marker for marker in pos.exploits if not marker & bit]


# The defender's retreat


def give_ground(war: War, pos: Table, limit: int, hits: list[int], fled: list[int]) -> Procedure:
    """12.2.6r, w: the defender may retreat, and each hex that all complete saves hit points."""
    held, side = defenders(war, pos), 1 - pos.side
    group = Retreat(side, held, 1, limit, side)
    if not held or not ways_back(war, pos, group):
        return  # 12.3m: what is impossible cannot be chosen
    prompt = "Retreat so many hexes, or stand fast"
    chosen = yield from ask(war, pos, prompt, rule("12.2.6r"), GiveGround(limit), FAST, side=side)
    if chosen.verb == FAST.verb:
        return
    lengths: list[int] = []
    yield from withdraw(war, pos, Retreat(side, held, 1, chosen.value, side, lengths=lengths))
    fled += lengths
    saved = min([min(far, chosen.value) for far in lengths], default=0)  # 12.2.6ap, 12.3n
    hits[DEFENDING] -= RELIEF * saved


@dataclass(slots=True)
class GiveGround(Order[War, Table]):
    """12.2.6r: the defenders retreat up to so many hexes."""

    limit: int

    verb, names, number = "give ground", (VALUE,), "{} hexes"
    ranges = ((VALUE, range(1, 10)),)
    when, rule = COORDINATING, "12.2.6r"

    def bars(self, war: War, pos: Table) -> Bars:
        allowed = (2 << self.limit) - 2
        yield allowed, f"Coordination allows {self.limit} hexes", "12.2.6s"


LEAVE, FAST = Plain("leave", COORDINATING, "12.2.6q"), Plain("stand fast", COORDINATING, "12.2.6q")
MISDIRECT, STRIP = Misdirect(), Strip()
