"""Chapter 5: the sequence of play, and the end of a game turn: ports, and the last judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import Order, Plain, ask
from apennine.kernel.sequence import Turn

from ..table import position as ends
from ..table.position import ALLIED, AWAY, GERMAN, GONE, NOWHERE, TIBER, Table
from ..table.war import War
from . import c03_setup, c08_endrun, c09_commands, c10_arrivals
from .c04_victory import decide
from .c07_zones import port_hexes, put, settle, take, there, those_in, zone
from .c11_supply import net

GERMAN_TURN = (("arrivals", GERMAN), ("command", GERMAN), ("end", GERMAN))
FIRST_TURN = Turn(("setup", ALLIED), *GERMAN_TURN)
"""5.4: the Allied player turn is over when his set-up is."""
OTHER_TURNS = Turn(
    ("interlude", GERMAN),
    ("assembly", GERMAN),
    ("plot", ALLIED),
    ("arrivals", ALLIED),
    ("orders", ALLIED),
    ("command", ALLIED),
    *GERMAN_TURN,
)


def play(war: War, pos: Table) -> Procedure:
    """5.2: run the present phase, then go on to the next one."""
    yield from PHASES[pos.phase](war, pos)
    yield from follow(war, pos)


def follow(war: War, pos: Table) -> Iterator[Event]:
    """Set what comes after the present phase."""
    if (FIRST_TURN if pos.turn == 1 else OTHER_TURNS).go_on(pos):
        if pos.phase == "orders" or (pos.phase, pos.side) == ("command", GERMAN):
            begin_player_turn(war, pos)
        return
    if pos.verdict:
        return
    end_turn(pos)
    pos.turn += 1
    OTHER_TURNS.begin(pos)
    yield Event("turn", value=pos.turn, rule="5.3")


def begin_player_turn(war: War, pos: Table) -> None:
    """9.2, 9.3: new command points; none are carried over (9.1a)."""
    command = war.book.command
    pos.points = command.allied if pos.side == ALLIED else command.german
    pos.acted = pos.rebuilt = pos.marched = pos.attacked = 0
    pos.assaulted = pos.bombed = pos.drop_asked = False
    if pos.side == ALLIED:
        pos.airlift = NOWHERE  # 11.7b
        pos.corps, pos.corps_named = 0, False  # 6.5f
        pos.sealed = port_hexes(war, pos) & zone(war, pos, GERMAN)  # 8.15c


def end_turn(pos: Table) -> None:
    """What holds for one game turn ends with it."""
    pos.tac = pos.german_tac = 0
    pos.tac_active = pos.air_asked = False  # 9.9f
    pos.airlifted = pos.drop_ready = pos.drop_waived = False  # 12.9b
    pos.mechanised_steps = pos.foot_steps = pos.left = 0


# The end of a game turn


def end_phase(war: War, pos: Table) -> Procedure:
    """What is judged when the German player turn is over (5.3)."""
    if not pos.switched and is_clear(war, pos, war.ports[war.naples]):  # 11.9
        yield from switch(war, pos)
    if pos.ports[war.bari] == AWAY and is_clear(war, pos, war.ports[war.bari]):  # 11.10b
        orders, prompt = (OPEN_BARI, NO_PORT), "Open the port of Bari?"
        yield from ask(war, pos, prompt, "11.10", *orders, side=ALLIED, checkpoint=True)
    if pos.turn == war.book.supply.last_turn and not pos.switched:
        decide(pos, ends.NO_SWITCH)  # 4.1f, 4.2h
    if pos.turn == war.book.turns:
        yield from last_judgement(war, pos)


def is_clear(war: War, pos: Table, hex: int) -> bool:
    """Whether a town is Allied, and no German unit within two hexes of it (11.9d, 11.9e)."""
    near = war.lattice.disc(hex, war.book.supply.clear)
    return bool(pos.control >> hex & 1) and not there(war, pos, GERMAN).occupied & near


def switch(war: War, pos: Table) -> Procedure:
    """11.9: Salerno and Paestum close, Naples opens; the special forces leave (3.6a).

    A counter that was eliminated before cannot be flipped: it never comes back (9.16i).
    """
    pos.switched = True
    pos.special_forces = False
    yield Event("the beaches close", hex=war.ports[war.naples], rule="11.9a")
    for number, port in enumerate(war.book.ports):
        if port.switch and pos.ports[number] >= 0:
            pos.ports[number] = GONE
            if port.becomes:
                pos.ports[war.naples] = war.ports[war.naples]
                yield Event("Naples is open", hex=war.ports[war.naples], rule="11.9a")
    yield from settle(war, pos)


class OpenBari(Order[War, Table]):
    """11.10: the Allied player places the port marker of Bari."""

    verb, opens = "open Bari", True
    when = "The port of Bari is opened at the end of a turn that has left no German near it"
    rule = "11.10"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.ports[war.bari] = war.ports[war.bari]
        yield Event("Bari is open", hex=war.ports[war.bari], rule="11.10")


OPEN_BARI, NO_PORT = OpenBari(), Plain("no port", OpenBari.when, OpenBari.rule)


def last_judgement(war: War, pos: Table) -> Procedure:
    """4.1, 4.2: the end of Game Turn 23."""
    outcome = war.outcomes[pos.scenario]
    if outcome and outcome.final_check:  # 4.2g: not in Watch on the Tiber
        yield from final_check(war, pos)
    if pos.scenario == TIBER:
        if war.prizes & ~pos.control:
            decide(pos, ends.NOTHING_WON)  # 4.2f
        else:
            decide(pos, ends.JOINED if are_joined(war, pos) else ends.APART)  # 4.2d
    else:
        decide(pos, ends.GERMANS_HOLD)  # 4.1e


def final_check(war: War, pos: Table) -> Procedure:
    """4.1d: unsupplied Germans are removed; their hexes and zones fall to the Allies (4.1h).

    No other German stands in them: he would share his supply with his neighbours.
    """
    german = there(war, pos, GERMAN)
    starving = german.occupied & ~net(war, pos, GERMAN)
    fallen = starving | war.lattice.cross(starving & german.divisions[1], war.open)
    for hex in bits(starving):
        units = those_in(war, pos, hex, GERMAN)
        yield Event("Germans are cut off", hex=hex, value=units.bit_count(), rule="4.1d")
        put(war, pos, units, GONE)
    yield from take(war, pos, fallen, 0)


def are_joined(war: War, pos: Table) -> bool:
    """4.3: a way from Naples to Taranto free of Germans and of their zones.

    Allied units cancel the zones; blocked hexsides, seas and lakes cannot be crossed.
    """
    return bool(line(war, pos) & war.prizes == war.prizes)


def line(war: War, pos: Table) -> Mask:
    """The hexes that a line of communications from the first prize reaches (4.3a)."""
    german = there(war, pos, GERMAN)
    free = war.land & ~(german.occupied | german.zone & ~there(war, pos, ALLIED).occupied)
    first = war.prizes & -war.prizes
    return war.lattice.flood_sides(first, free, war.passable)


PHASES: dict[str, Callable[[War, Table], Procedure]] = {
    "setup": c03_setup.setup_phase,
    "interlude": c10_arrivals.interlude_phase,
    "assembly": c10_arrivals.assembly_phase,
    "plot": c08_endrun.plot_phase,
    "arrivals": c10_arrivals.arrivals_phase,
    "orders": c08_endrun.orders_phase,
    "command": c09_commands.command_phase,
    "end": end_phase,
}
