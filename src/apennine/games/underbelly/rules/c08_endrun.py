"""Chapter 8: the end-run invasion, from the secret note to its end off the map (8.9 to 8.18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Roll, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import DIE, EndRunModifier
from ..table.position import (
    ALLIED,
    GERMAN,
    GONE,
    INVASION_DEFEATED,
    INVASION_WINS,
    STEPS_OWED,
    TIBER,
    Table,
)
from ..table.war import TENTH, War
from .c04_victory import decide
from .c07_zones import leave_map, port_hexes, put, zone
from .c09_air import activate
from .c09_points import is_open, kept, roll_due, roll_price

ALLIED_VERBS = frozenset(("reinforce the end-run", "roll for the end-run"))
GERMAN_VERBS = frozenset(("send against the end-run",))
NO_MORE = done("send no more")
SUPPORT = 8
"""What a corps support unit counts in `launching`; a division counts one."""


# 8.9 to 8.12: the note


def plot_phase(war: War, pos: Table) -> Procedure:
    """8.10: once it is Watch on the Tiber the Allied player writes his note, and never again."""
    if pos.scenario != TIBER or pos.plot >= 0:
        return
    chosen = yield Choice(
        ALLIED,
        Later(lambda: notes(war)),
        "Write the secret note: no end-run, or the turn in which it is launched",
        rule("8.10a"),
        checkpoint=True,
        secret=True,
    )
    pos.plot = chosen.value


def notes(war: War) -> list[Option]:
    """All that the note may say."""
    turns = range(war.book.end_run.first_turn, war.book.end_run.last_turn + 1)
    return [Option("plan no end-run"), *(Option("plan the end-run", value=t) for t in turns)]


def imagine_plot(war: War, pos: Table, random: Random, seen: Table) -> None:
    """Another note in place of one that the German has not seen."""
    if pos.plot >= 0 and not (seen.launched or seen.verdict):
        pos.plot = random.choice(notes(war)).value


# 8.13: the launch


def opening(war: War, pos: Table) -> list[Option]:
    """8.11: what the note adds to the first question of the Allied command phase, if it is due."""
    due = pos.scenario == TIBER and pos.plot == pos.turn and not pos.launched
    if not due or pos.points < war.book.prices.launch:
        return []
    ready = embarkable(war, pos)
    divisions = (ready & ~war.supports).bit_count()
    supports = (ready & war.supports).bit_count()
    plan = war.book.end_run
    if divisions < plan.divisions or supports < plan.supports:
        return []
    return [Option("launch the end-run")]


def embarkable(war: War, pos: Table) -> Mask:
    """8.13b, 8.15c: full-strength units in the box, or in a port that no German zone reaches.

    Nor may one have reached it when the player turn began. Not who has acted in this phase, and
    not the 82nd once it has dropped (12.9g).
    """
    ports = port_hexes(war, pos) & ~(zone(war, pos, GERMAN) | pos.sealed)  # 8.13d
    mask = 0
    for unit in war.members[ALLIED]:
        hex = pos.hex[unit]
        waits = hex == war.available or (hex >= 0 and ports >> hex & 1)
        if waits and pos.steps[unit] == war.full[unit]:
            mask |= 1 << unit
    if pos.dropped:
        mask &= ~(1 << war.airborne)
    return mask & ~pos.acted & ~pos.rebuilt


def launch(war: War, pos: Table) -> Iterator[Event]:
    """8.13: the note is shown; the price includes that turn's tactical air (8.13c)."""
    plan = war.book.end_run
    pos.points -= war.book.prices.launch
    pos.launched = pos.turn
    activate(war, pos)
    pos.launching = plan.divisions + SUPPORT * plan.supports
    yield Event("end-run is launched", rule=rule("8.11a"), reveals=True)


def wave(war: War, pos: Table) -> Procedure:
    """8.13a: one unit of the first wave goes to the End-Run box."""
    chosen = yield Choice(
        ALLIED,
        Later(lambda: Among("embark", first_wave(war, pos))),
        "Send the first wave: four full-strength divisions and a corps support unit",
        rule("8.13a"),
        checkpoint=True,
    )
    unit: int = chosen.unit
    pos.launching -= SUPPORT if war.supports >> unit & 1 else 1
    yield from embark(war, pos, unit)


def first_wave(war: War, pos: Table) -> list[int]:
    """The units that the wave still lacks."""
    ready = embarkable(war, pos)
    supports, divisions = divmod(pos.launching, SUPPORT)
    if not divisions:
        ready &= war.supports
    if not supports:
        ready &= ~war.supports
    return list(bits(ready))


def embark(war: War, pos: Table, unit: int) -> Iterator[Event]:
    """A unit goes out of play into the End-Run box, where both sides see it (6.9d, 8.15d)."""
    pos.acted |= 1 << unit
    yield Event("joins the end-run", unit, rule=rule("8.15d"), reveals=True)
    yield from leave_map(war, pos, 1 << unit, war.end_run)


# 8.15, 8.17: the Allied command phase after the launch


def allied_options(war: War, pos: Table) -> list[Sequence[Option]]:
    """Reinforcements for the invasion, and the roll."""
    if not is_open(pos) or pos.launched == pos.turn:
        return []
    menus: list[Sequence[Option]] = []
    if pos.points - kept(war, pos) >= war.book.prices.move:
        menus.append(Among("reinforce the end-run", reinforcements(war, pos)))
    if roll_due(pos):
        menus.append([Option("roll for the end-run")])
    return menus


def allied_order(war: War, pos: Table, option: Option) -> Procedure:
    """Carry out one of those options."""
    if option.verb == "roll for the end-run":
        yield from resolve(war, pos)
    else:
        yield from reinforce(war, pos, option.unit)


def reinforcements(war: War, pos: Table) -> list[int]:
    """8.15: the divisions that may be sent after the first wave."""
    if pos.reinforced >= war.book.end_run.reinforcements:
        return []
    fresh = mask_of(war.due[ALLIED][pos.turn])  # 8.15c: they did not start the turn here
    return list(bits(embarkable(war, pos) & ~war.supports & ~fresh))


def reinforce(war: War, pos: Table, unit: int) -> Procedure:
    """8.15e: one command sends the divisions of one hex, or of the box."""
    place = pos.hex[unit]
    pos.points -= war.book.prices.move
    pos.reinforced += 1
    yield from embark(war, pos, unit)
    while others := [u for u in reinforcements(war, pos) if pos.hex[u] == place]:
        chosen = yield Choice(
            ALLIED,
            Later(lambda others=others: Menu(Among("reinforce the end-run", others), NO_MORE)),
            "Send another division with the same command?",
            rule("8.15e"),
        )
        if chosen.verb == "send no more":
            return
        pos.reinforced += 1
        yield from embark(war, pos, chosen.unit)


def modifiers(war: War, pos: Table) -> Iterator[tuple[EndRunModifier, int]]:
    """The lines beneath the End-Run table that count now, with what they are worth."""
    table = war.book.end_run_modifiers
    steps = sum(pos.steps[u] for u in war.members[GERMAN] if pos.hex[u] == war.end_run)
    bases = (war.bases & pos.control).bit_count()
    all_air = pos.tac_active and war.book.tactical[bases] == max(war.book.tactical)
    counted = {
        "reinforced": pos.reinforced,
        "air": int(all_air),
        "reaction": steps,
        "winter": pos.turn,
    }
    for key, number in counted.items():
        worth = table[key].worth(number)
        if worth:
            yield table[key], worth


def resolve(war: War, pos: Table) -> Procedure:
    """8.17: one die on the End-Run table."""
    pos.points -= roll_price(war, pos)
    pos.rolled = pos.turn
    (face,) = yield Roll((DIE,), "the end-run invasion", rule("8.17a"))
    final = face + sum(worth for _, worth in modifiers(war, pos))
    result = war.book.end_run_table.cell(final)
    if result == "defeat":
        decide(pos, INVASION_DEFEATED)
    elif result == "breakthrough":
        decide(pos, INVASION_WINS)
    elif result != "undecided":  # 8.18: withdraw so many steps
        pos.settled = final
        pos.owed = int(result.removeprefix("withdraw "))
        pos.owed_by = pos.turn + war.book.end_run.deadline - 1
    yield Event(f"end-run: {result}", value=final, rule=rule("8.17b"))


# 8.16, 8.18: what the German does about it


def german_options(war: War, pos: Table) -> list[Sequence[Option]]:
    """8.16b: units of 10th Army in its box may go straight to the End-Run box."""
    if not is_open(pos) or pos.points < war.book.prices.move:
        return []
    return [Among("send against the end-run", transfers(war, pos, 0))]


def transfers(war: War, pos: Table, sent: Mask) -> list[int]:
    """The units of 10th Army in its box that fit into a stack with those already sent."""
    return [
        unit
        for unit in bits(war.grouped[TENTH] & ~pos.acted)
        if pos.hex[unit] == war.tenth and war.stack_fits(sent | 1 << unit)
    ]


def german_order(war: War, pos: Table, option: Option) -> Procedure:
    """One move command sends a stack from box to box."""
    pos.points -= war.book.prices.move
    sent = 1 << option.unit
    yield from transfer(war, pos, option.unit)
    while others := transfers(war, pos, sent):
        chosen = yield Choice(
            GERMAN,
            Later(lambda others=others: Menu(Among("send against the end-run", others), NO_MORE)),
            "Send another unit with the same command?",
            rule("8.16b"),
        )
        if chosen.verb == "send no more":
            return
        sent |= 1 << chosen.unit
        yield from transfer(war, pos, chosen.unit)


def transfer(war: War, pos: Table, unit: int) -> Iterator[Event]:
    """A German unit goes to the End-Run box for good (8.16c)."""
    pos.acted |= 1 << unit
    put(war, pos, 1 << unit, war.end_run)
    yield Event("marches against the end-run", unit, rule=rule("8.16c"))


def may_exit(war: War, pos: Table, unit: int) -> bool:
    """Whether a German unit may leave the map from row 10xx (8.16a, 8.18b, 10.5)."""
    if pos.owed:
        return True
    return is_open(pos) and war.group[unit] == TENTH


def has_left(war: War, pos: Table, units: Mask) -> Iterator[Event]:
    """German units have left the map: against the invasion, or as it demands (8.18b)."""
    owing = pos.owed > 0
    for unit in bits(units):
        if owing:
            pos.owed = max(0, pos.owed - pos.steps[unit])
            put(war, pos, 1 << unit, GONE)
            yield Event("is withdrawn", unit, value=pos.owed, rule=rule("8.18b"))
        else:
            yield Event("marches against the end-run", unit, rule=rule("8.16c"))


def end_of_german_phase(pos: Table) -> None:
    """8.18d: the German forfeits the game if he still owes steps at the deadline."""
    if pos.owed and pos.turn >= pos.owed_by:
        decide(pos, STEPS_OWED)
