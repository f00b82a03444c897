"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits
from apennine.kernel.game import Fault
from apennine.kernel.ledger import rule
from apennine.mechanics.showing import shared_hexes, wrong_steps

from ..rules.c05_sequence import FIRST_TURN, OTHER_TURNS
from ..rules.c07_zones import crowd, force_in, on_map
from ..table.position import (
    ALLIED,
    AWAY,
    GERMAN,
    GONE,
    HISTORICAL,
    LOST,
    NO_ORDER,
    NOWHERE,
    TIBER,
    UNDECIDED,
    Table,
)
from ..table.war import FIFTH_PANZER, War


def faults(war: War, pos: Table) -> list[Fault]:
    """Every fault, in the order of the rules; nothing at a checkpoint."""
    if not len(pos.hex) == len(pos.steps) == len(war.names):
        return [Fault("The lists have not one item for each unit.")]
    return [
        *_sequence(war, pos),
        *_units(war, pos),
        *_stacks(war, pos),
        *_towns(war, pos),
        *_markers(war, pos),
        *_commands(war, pos),
        *_end_run(war, pos),
    ]


def _sequence(war: War, pos: Table) -> Iterator[Fault]:
    if not 1 <= pos.turn <= war.book.turns:
        yield Fault(f"There is no turn {pos.turn}.", rule("5.3"))
    elif (pos.phase, pos.side) not in (FIRST_TURN.steps if pos.turn == 1 else OTHER_TURNS.steps):
        yield Fault(f"Turn {pos.turn} has no phase {pos.phase!r} of this side.", rule("5.2"))
    between = pos.phase == "interlude"
    if (pos.scenario == UNDECIDED) != (pos.turn == 1) and not between:
        yield Fault("The scenario is settled between Game Turns 1 and 2.", rule("8.1a"))
    if pos.agreed not in (UNDECIDED, HISTORICAL, TIBER) or (
        pos.agreed and pos.scenario not in (UNDECIDED, pos.agreed)
    ):
        yield Fault("Another scenario than the one agreed on is played.", rule("8.1a"))


def _units(war: War, pos: Table) -> Iterator[Fault]:
    yield from wrong_steps(war.names, pos.hex, pos.steps, war.full, rule("2.13a"))
    for unit, hex in enumerate(pos.hex):
        name = war.names[unit]
        if hex in (LOST, AWAY, GONE):
            continue
        if war.bit[hex]:
            if not war.land >> hex & 1:
                yield Fault(f"{name} is in the sea.", rule("12.3b"), unit, hex)
        elif hex not in (war.box_of[unit], war.end_run):
            yield Fault(f"{name} is in a box that is not its own.", rule("10.2a"), unit)
        if pos.scenario and war.left_out[pos.scenario] >> unit & 1:
            yield Fault(f"{name} has no part in this scenario.", rule("8.3a"), unit)
    if pos.barred & ~war.units_of[ALLIED] & ~war.units_of[GERMAN]:
        yield Fault("Units are barred that do not exist.", rule("9.16h"))
    if (pos.hex[war.airborne] >= 0 and on_map(war, pos, war.airborne)) and not pos.dropped:
        yield Fault("The 82nd is on the map without a drop.", rule("12.9a"), war.airborne)
    waits = force_in(war, pos, war.fifth, GERMAN)
    out = [u for u in bits(war.grouped[FIFTH_PANZER] & ~waits) if pos.hex[u] not in (AWAY, GONE)]
    if out and not pos.army_entered:
        yield Fault("Units of 5th Panzer Army have left their box too soon.", rule("8.8d"), out[0])


def _stacks(war: War, pos: Table) -> Iterator[Fault]:
    allied, german = crowd(war, pos, ALLIED), crowd(war, pos, GERMAN)
    yield from shared_hexes(war.board, allied.occupied, german.occupied, rule("6.1a"))
    settled = pos.order == NO_ORDER and pos.phase != "command"
    for hex in bits((allied.illegal | german.illegal) if settled else 0):
        yield Fault(f"The stack in {war.board.code(hex)} is not allowed.", rule("6.3a"), hex=hex)
    for hex in bits(allied.occupied):
        top = force_in(war, pos, hex, ALLIED) & pos.tops
        if top.bit_count() != 1 or (allied.divisions[1] >> hex & 1 and top & war.supports):
            yield Fault(f"No unit lies on top in {war.board.code(hex)}.", rule("6.9e"), hex=hex)
    if pos.tops & ~war.units_of[ALLIED] or any(not on_map(war, pos, u) for u in bits(pos.tops)):
        yield Fault("A unit off the map lies on top of a stack.", rule("6.9e"))
    if (pos.shuffled | pos.restacked) & ~allied.occupied:
        yield Fault("A stack has changed where there is none.", rule("6.9e"))


def _towns(war: War, pos: Table) -> Iterator[Fault]:
    if pos.control & ~war.towns:
        yield Fault("Only towns and cities are controlled.", rule("7.7g"))
    if pos.phase == "setup":
        return
    for hex in bits(war.towns & crowd(war, pos, ALLIED).occupied & ~pos.control):
        yield Fault(f"{war.board.code(hex)} has Allied units.", rule("7.7h"), hex=hex)
    for hex in bits(pos.control & crowd(war, pos, GERMAN).occupied):
        yield Fault(f"{war.board.code(hex)} has German units.", rule("7.7h"), hex=hex)


def _markers(war: War, pos: Table) -> Iterator[Fault]:
    german = crowd(war, pos, GERMAN).occupied
    for number, hex in enumerate(pos.ports):
        name = war.port_names[number]
        if hex not in (AWAY, LOST, GONE, war.ports[number]):
            yield Fault(f"The marker of {name} is elsewhere.", rule("11.9a"), hex=hex)
        elif hex >= 0 and german >> hex & 1:
            yield Fault(f"Germans are in the port of {name}.", rule("7.7d"), hex=hex)
    if pos.ports[war.naples] >= 0 and not pos.switched:
        yield Fault("Naples is open before the switch.", rule("11.9a"))
    if pos.special_forces and (german | crowd(war, pos, ALLIED).occupied) >> war.special_forces & 1:
        yield Fault("Units are in the hex of the special forces.", rule("3.6d"))
    if pos.forts & ~war.fort_sites or pos.forts & crowd(war, pos, ALLIED).occupied:
        yield Fault("A fort is where none can be.", rule("9.8b"))
    most = war.book.forts.counters if pos.scenario == HISTORICAL else 0
    if pos.forts.bit_count() + pos.forts_left > most or pos.forts_left < 0:
        yield Fault("There are more forts than counters.", rule("9.8h"))
    if pos.airlift != NOWHERE and not war.bit[pos.airlift]:
        yield Fault("The aerial supply marker is off the map.", rule("11.7a"))


def _commands(war: War, pos: Table) -> Iterator[Fault]:
    command = war.book.command
    most = command.german if pos.side == GERMAN else command.allied
    if pos.phase in ("orders", "command") and not 0 <= pos.points <= most:
        yield Fault(f"{pos.points} command points are left.", rule("9.1b"))
    if pos.order != NO_ORDER and pos.phase != "command":
        yield Fault("A command is under way in another phase.", rule("9.19"))
    if pos.movers & ~pos.force or (pos.order == NO_ORDER and (pos.force or pos.waiting)):
        yield Fault("Units move without a command.", rule("9.4a"))
    if pos.target != NOWHERE or pos.attackers or pos.defenders or pos.volley or pos.hits:
        yield Fault("A battle is not finished.", rule("13.4"))
    if not 0 <= pos.tac <= max(war.book.tactical) or pos.german_tac not in (0, 1):
        yield Fault("There are more aircraft than counters.", rule("9.9b"))
    if pos.tac and pos.german_tac:
        yield Fault("Both sides have tactical air.", rule("9.14a"))
    ration = war.book.replacements
    if pos.mechanised_steps > ration.german_mechanised or pos.foot_steps > ration.german_foot:
        yield Fault("The Germans have taken too many replacements.", rule("9.17a"))


def _end_run(war: War, pos: Table) -> Iterator[Fault]:
    plan = war.book.end_run
    turns = range(plan.first_turn, plan.last_turn + 1)
    if pos.plot not in (-1, 0, *turns) or (pos.plot >= 0 and pos.scenario != TIBER):
        yield Fault("The secret note cannot say that.", rule("8.10a"))
    if pos.launched not in (0, pos.plot):
        yield Fault("The end-run was launched in another turn than planned.", rule("8.12b"))
    sent = force_in(war, pos, war.end_run, ALLIED)
    divisions = (sent & ~war.supports).bit_count()
    most = plan.divisions + plan.reinforcements
    if divisions > most or (sent & war.supports).bit_count() > plan.supports:
        yield Fault("The End-Run box holds too many Allied units.", rule("8.15b"))
    if sent and not pos.launched:
        yield Fault("Units are on an end-run that was not launched.", rule("8.13a"))
