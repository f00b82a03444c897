"""Chapter 2: plans. A barrage is planned in secret and turned up two turns later."""

from __future__ import annotations

from random import Random

from apennine.hexes import mask_of
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, VALUE, Bars, Order, Plain, ask

from .field import BLUE, BLUFF, PLANS_BEFORE, RED, Field, Slip, Table
from .flight import eliminate, flights, rout

BARRAGE = 3


class Aim(Order[Field, Table]):
    """2.1: the hex of a barrage."""

    verb, names, opens = "aim", (HEX,), True
    when, rule = "Barrages are planned when a turn begins", "2.1"

    def bars(self, war: Field, pos: Table) -> Bars:
        yield war.land, "A barrage is aimed at a hex of dry land", "2.1"


class Time(Order[Field, Table]):
    """2.1: the turn of a barrage, or of a bluff, which has no hex."""

    verb = "time"
    when, rule = "A plan is given its turn when it is written", "2.1"

    __slots__ = ("hex", "names")

    def __init__(self, hex: int) -> None:
        self.hex = hex
        self.names = (VALUE,) if hex == BLUFF else (HEX, VALUE)

    def bars(self, war: Field, pos: Table) -> Bars:
        if self.hex == BLUFF:
            yield from self.then(war, pos, BLUFF)
        else:
            yield 1 << self.hex, "The plan is for another hex than {hex}", "2.1"

    def then(self, war: Field, pos: Table, first: int) -> Bars:
        soonest = pos.turn + PLANS_BEFORE
        sentence = f"The plan is for turn {soonest} or {soonest + 1}"
        yield mask_of((soonest, soonest + 1)), sentence, "2.1"


AIM = Aim()
BLUFFING = Plain("bluff", "Bluffs are written when a turn begins", "2.1")


def turning_up(field: Field, pos: Table) -> Procedure:  # 2.2
    """Plans written two turns ago are turned up, and those for this turn carried out."""
    for number, (side, written, hex, due, shown) in enumerate(pos.slips):
        if not shown and written == pos.turn - PLANS_BEFORE:
            pos.slips[number] = (side, written, hex, due, 1)
            verb = "plan" if hex != BLUFF else "bluff"
            yield Event(verb, hex=hex, value=due, rule=rule("2.2"), reveals=True)
            # Before the other side's plan is turned up: this barrage may already ask somebody.
        if due == pos.turn and hex != BLUFF:
            yield from barrage(field, pos, hex)
    pos.phase = "plan"


def barrage(field: Field, pos: Table, hex: int) -> Procedure:  # 2.3
    """Every unit in the hex or next to it may be routed; in the hex it loses a step too."""
    yield Event("barrage", hex=hex, rule=rule("2.3"))
    area = field.around[hex] | 1 << hex
    under_fire = [u for u, at in enumerate(pos.hex) if at >= 0 and area >> at & 1]
    for unit in under_fire:
        (face,) = yield Roll((6,), f"barrage on {field.names[unit]}", rule("2.3"))
        if face <= BARRAGE:
            if pos.hex[unit] == hex:
                pos.steps[unit] -= 1
            if not pos.steps[unit]:
                eliminate(pos, unit)
                yield Event("lost", unit, hex, rule=rule("2.3"))
            else:
                rout(field, pos, unit)
                yield Event("shelled", unit, pos.hex[unit], rule=rule("2.3"))
    yield from flights(field, pos)


def planning(field: Field, pos: Table) -> Procedure:  # 2.1
    """Each side writes a hex and a turn on a slip that is turned up before the game ends."""
    if pos.turn + PLANS_BEFORE <= pos.last_turn:
        for side in (RED, BLUE):
            if not any(slip[:2] == (side, pos.turn) for slip in pos.slips):
                yield from write_slip(field, pos, side)
    pos.side, pos.phase = RED, "recover"


def write_slip(field: Field, pos: Table, side: int) -> Procedure:
    """A bluff is asked for its turn too: how much is asked must not tell it from a plan."""
    prompt = "Plan a barrage, or bluff"
    aim = yield from ask(
        field, pos, prompt, rule("2.1"), AIM, BLUFFING, side=side, checkpoint=True, secret=True
    )
    time = yield from ask(
        field, pos, "Name its turn", rule("2.1"), Time(aim.hex), side=side, secret=True
    )
    pos.slips.append((side, pos.turn, aim.hex, time.value, 0))


def imagine(field: Field, pos: Table, side: int, random: Random, seen: Table) -> Table:
    """The same table with other plans where this side sees only the back of a slip."""
    shown = {slip[:2] for slip in seen.slips if slip[4]}
    land = [hex for hex in field.lattice if field.land >> hex & 1]

    def drawn(slip: Slip) -> Slip:
        if slip[0] == side or slip[:2] in shown:
            return slip
        first = slip[1] + PLANS_BEFORE
        return (*slip[:2], random.choice([BLUFF, *land]), random.choice([first, first + 1]), 0)

    other = pos.copy()
    other.slips = [drawn(slip) for slip in pos.slips]
    return other
