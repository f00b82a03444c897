"""Chapter 2: plans. A barrage is planned in secret and turned up two turns later."""

from __future__ import annotations

from random import Random

from apennine.kernel.decision import Choice, Event, Later, Menu, Option, Over, Roll, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from .field import BLUE, BLUFF, PLANS_BEFORE, RED, Field, Slip, Table
from .flight import eliminate, flights, rout

BARRAGE = 3


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
    targets = Later(lambda: Menu(Over("aim", field.land), done("bluff")))
    prompt = "Plan a barrage, or bluff"
    aim = yield Choice(side, targets, prompt, rule("2.1"), checkpoint=True, secret=True)
    turns = Later(lambda: turns_to_name(pos, aim.hex))
    time = yield Choice(side, turns, "Name its turn", rule("2.1"), secret=True)
    pos.slips.append((side, pos.turn, aim.hex, time.value, 0))


def turns_to_name(pos: Table, hex: int) -> list[Option]:
    """The turn in which the plan will be turned up, and the one after."""
    first = pos.turn + PLANS_BEFORE
    return [Option("time", hex=hex, value=turn) for turn in (first, first + 1)]


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
