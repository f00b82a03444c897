"""Everything that can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import bits, mask_of
from apennine.kernel.game import Fault
from apennine.mechanics import showing
from apennine.mechanics.showing import Wrong, wrong_steps

from ..rules.c05_sequence import FIRST_TURN, OTHER_TURNS
from ..rules.c07_zones import both, on_map, those_among, those_in
from ..rules.c08_endrun import turns
from ..table.position import ALLIED, AWAY, GERMAN, GONE, HISTORICAL, TIBER, Table
from ..table.war import FIFTH_PANZER, War


def faults(war: War, pos: Table) -> list[Fault]:
    """Every fault, in the order of the rules; nothing at a checkpoint."""
    if not len(pos.hex) == len(pos.steps) == len(war.names):
        return [Fault("The lists have not one item for each unit.")]
    parts = _sequence, _units, _stacks, _towns, _markers, _commands, _end_run
    found = (wrong for part in parts for wrong in part(war, pos))
    return showing.faults(war.board, war.names, pos.hex, found)


def _sequence(war: War, pos: Table) -> Iterator[Wrong]:
    steps = FIRST_TURN.steps if pos.turn == 1 else OTHER_TURNS.steps
    yield pos.turn not in war.turns, f"There is no turn {pos.turn}", "5.3"
    step = pos.phase, pos.side
    yield step not in steps, f"Turn {pos.turn} has no phase {pos.phase!r} of this side", "5.2"
    settled = bool(pos.scenario) == (pos.turn > 1) or pos.phase == "interlude"
    yield not settled, "The scenario is settled between Game Turns 1 and 2", "8.1a"
    possible = (pos.scenario,) if pos.scenario else (HISTORICAL, TIBER)
    agreed = not pos.agreed or pos.agreed in possible
    yield not agreed, "Another scenario than the one agreed on is played", "8.1a"


def _units(war: War, pos: Table) -> Iterator[Wrong]:
    yield from wrong_steps(pos.hex, pos.steps, war.full, "2.13a")
    here = mask_of(unit for unit, hex in enumerate(pos.hex) if hex >= 0)
    out = mask_of(unit for unit in bits(here) if on_map(war, pos, unit))
    wet = mask_of(unit for unit in bits(out) if not war.land >> pos.hex[unit] & 1)
    yield wet, "{unit} is in the sea", "12.3b"
    boxed = bits(here & ~out)
    astray = (unit for unit in boxed if pos.hex[unit] not in (war.box_of[unit], war.end_run))
    yield mask_of(astray), "{unit} is in a box that is not its own", "10.2a"
    yield here & war.left_out[pos.scenario], "{unit} has no part in this scenario", "8.3a"
    everybody = war.units_of[ALLIED] | war.units_of[GERMAN]
    yield pos.barred & ~everybody, "Units are barred that do not exist", "9.16h"
    flown = 0 if pos.dropped else 1 << war.airborne
    yield out & flown, "{unit} is on the map without a drop", "12.9a"
    army = war.grouped[FIFTH_PANZER] & ~those_in(war, pos, war.fifth, GERMAN)
    left = mask_of(unit for unit in bits(army) if pos.hex[unit] not in (AWAY, GONE))
    soon = 0 if pos.army_entered else left
    yield soon, "{unit} of 5th Panzer Army has left its box too soon", "8.8d"


def _stacks(war: War, pos: Table) -> Iterator[Wrong]:
    allied, german = both(war, pos)
    yield allied.occupied & german.occupied, "Both sides are in {hex}", "6.1a"
    settled = not pos.order and pos.phase != "command"
    illegal = allied.illegal | german.illegal if settled else 0
    yield illegal, "The stack in {hex} is not allowed", "6.3a"
    bare = 0
    for hex in bits(allied.occupied):
        units = those_in(war, pos, hex, ALLIED)
        top = units & pos.tops
        if top.bit_count() != 1 or not top & (units & ~war.supports or units):
            bare |= 1 << hex
    yield bare, "No unit lies on top in {hex}", "6.9e"
    on_land = those_among(war, pos, war.land, ALLIED)
    yield pos.tops & ~on_land, "A unit off the map lies on top of a stack", "6.9e"
    changed = pos.shuffled | pos.restacked
    yield changed & ~allied.occupied, "A stack has changed where there is none", "6.9e"


def _towns(war: War, pos: Table) -> Iterator[Wrong]:
    yield pos.control & ~war.towns, "Only towns and cities are controlled", "7.7g"
    if pos.phase != "setup":
        allied, german = both(war, pos)
        yield war.towns & allied.occupied & ~pos.control, "{hex} has Allied units", "7.7h"
        yield pos.control & german.occupied, "{hex} has German units", "7.7h"


def _markers(war: War, pos: Table) -> Iterator[Wrong]:
    allied, german = (there.occupied for there in both(war, pos))
    for name, home, hex in zip(war.port_names, war.ports, pos.ports):
        yield hex >= 0 and hex != home, f"The marker of {name} is elsewhere", "11.9a"
        yield hex == home and german >> hex & 1, f"Germans are in the port of {name}", "7.7d"
    early = pos.ports[war.naples] >= 0 and not pos.switched
    yield early, "Naples is open before the switch", "11.9a"
    special = pos.special_forces << war.special_forces
    yield special & (german | allied), "Units are in the hex of the special forces", "3.6d"
    yield pos.forts & (~war.fort_sites | allied), "A fort is in {hex}, where none can be", "9.8b"
    most = war.book.forts.counters if pos.scenario == HISTORICAL else 0
    many = not 0 <= pos.forts_left <= most - pos.forts.bit_count()
    yield many, "There are more forts than counters", "9.8h"
    astray = pos.airlift >= 0 and not war.bit[pos.airlift]
    yield astray, "The aerial supply marker is off the map", "11.7a"


def _commands(war: War, pos: Table) -> Iterator[Wrong]:
    most = war.book.command.german if pos.side == GERMAN else war.book.command.allied
    bad = pos.phase in ("orders", "command") and not 0 <= pos.points <= most
    yield bad, f"{pos.points} command points are left", "9.1b"
    late = pos.order > 0 and pos.phase != "command"
    yield late, "A command is under way in another phase", "9.19"
    unbidden = pos.movers & ~pos.force or (0 if pos.order else pos.force | pos.waiting)
    yield unbidden, "Units move without a command", "9.4a"
    deployed = pos.target >= 0 or pos.attackers or pos.defenders or pos.volley or pos.hits
    yield bool(deployed), "A battle is not finished", "13.4"
    aircraft = 0 <= pos.tac <= max(war.book.tactical) and pos.german_tac in (0, 1)
    yield not aircraft, "There are more aircraft than counters", "9.9b"
    yield pos.tac > 0 and pos.german_tac > 0, "Both sides have tactical air", "9.14a"
    ration = war.book.replacements
    fed = pos.mechanised_steps > ration.german_mechanised or pos.foot_steps > ration.german_foot
    yield fed, "The Germans have taken too many replacements", "9.17a"


def _end_run(war: War, pos: Table) -> Iterator[Wrong]:
    plan, note = war.book.end_run, pos.plot
    odd = note not in (-1, 0, *turns(war)) or (note >= 0 and pos.scenario != TIBER)
    yield odd, "The secret note cannot say that", "8.10a"
    other = pos.launched not in (0, note)
    yield other, "The end-run was launched in another turn than planned", "8.12b"
    sent = those_in(war, pos, war.end_run, ALLIED)
    supports = (sent & war.supports).bit_count()
    divisions = sent.bit_count() - supports
    many = divisions > plan.divisions + plan.reinforcements or supports > plan.supports
    yield many, "The End-Run box holds too many Allied units", "8.15b"
    early = sent and not pos.launched
    yield early, "Units are on an end-run that was not launched", "8.13a"
