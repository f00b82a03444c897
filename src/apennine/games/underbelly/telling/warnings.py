"""How the game could end before long, told to both sides (4.1, 4.2, 8.6 to 8.18, 11.9).

Only a danger that stands on the board: something in reach of a unit in this player turn or the
next, or a deadline at most two turns away. A side is told what it can see, and no more (6.9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from apennine.hexes import bits
from apennine.kernel.game import Warning
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted, listed, spelt
from apennine.mechanics.showing import imagined

from ..rules import c08_endrun as endrun
from ..rules.c05_sequence import are_joined, is_clear
from ..rules.c06_fog import hidden
from ..rules.c07_zones import port_hexes, there, those_in, units_in
from ..rules.c09_points import is_open, roll_due
from ..rules.c10_arrivals import gates, is_corps_due
from ..rules.c11_supply import net, status
from ..table.phrases import SUPPLY_NOUNS, SUPPLY_RULES, names, place, town
from ..table.position import ALLIED, GERMAN, HISTORICAL, MOVE, TIBER, UNDECIDED, UNSUPPLIED, Table
from ..table.war import SECOND_SS, War
from .outlook import Outlook

Alarm = Callable[[War, Table, Outlook], Iterator[Warning]]
SOON = 2
"""How many turns ahead a deadline is told."""


def alarms(war: War, pos: Table, side: int) -> list[Warning]:
    """All that a side (-1: a spectator) is to know of a sudden end."""
    if pos.verdict or pos.phase == "setup":
        return []
    outlook = Outlook(war, pos, hidden(war, pos, side))
    return [found for alarm in ALARMS for found in alarm(war, pos, outlook)]


def warnings(war: War, pos: Table, side: int) -> list[Warning]:
    """What a player will want to know before it hurts; first what could end the game."""
    if pos.phase == "setup":
        return []
    return [*alarms(war, pos, side), *duties(war, pos, side), *hungry(war, pos, side)]


def hungry(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Stacks that are not in overland supply."""
    for hex in bits(there(war, pos, side).occupied & ~net(war, pos, side)):
        state = status(war, pos, hex, side)
        what = "are out of supply" if state == UNSUPPLIED else f"have only {SUPPLY_NOUNS[state]}"
        yield Warning(f"The units in {place(war, hex)} {what}.", SUPPLY_RULES[state], hex=hex)


def duties(war: War, pos: Table, side: int) -> Iterator[Warning]:
    """Allied ports without a garrison; what the German player must do before all else."""
    if side == ALLIED:
        for hex in bits(port_hexes(war, pos) & ~there(war, pos, ALLIED).occupied):
            port = f"Nobody guards the port of {place(war, hex)}"
            yield Warning(f"{port}: a German who enters destroys it.", "7.7d", hex=hex)
        return
    if is_corps_due(war, pos):
        yield Warning("II SS Panzer Corps must enter the map first of all.", "8.6a")
    if pos.army_due:
        yield Warning("All of 5th Panzer Army must enter the map in this turn.", "8.8a")


# Who stands where


def whereabouts(war: War, pos: Table, units: Sequence[int], hex: int) -> str:
    """Who threatens a hex: "16 Pz is two hexes away, and 2 more units can come too"."""
    nearest = units[0]
    if not war.bit[pos.hex[nearest]]:
        text = f"{war.names[nearest]} can drop there"
    elif (far := war.lattice.distance(pos.hex[nearest], hex)) == 1:
        text = f"{war.names[nearest]} is next to it"
    else:
        text = f"{war.names[nearest]} is {spelt(far)} hexes away"
    if len(units) > 1:
        text += f", and {counted(len(units) - 1, 'more unit')} can come too"
    return text


def threats(outlook: Outlook, hexes: Sequence[int], side: int) -> list[str]:
    """Who could take each of some hexes; nothing unless all of them could fall."""
    found: list[str] = []
    for hex in hexes:
        units = outlook.takers(hex, side)
        if not units:
            return []
        found.append(whereabouts(outlook.war, outlook.pos, units, hex))
    return found


def first_of(war: War, units: Sequence[int]) -> str:
    """Some units by name, not more than two: "US 36, US 45 and 3 more"."""
    return names(war, units[:2]) + (f" and {len(units) - 2} more" if len(units) > 2 else "")


def deadline(pos: Table, last: int) -> str:
    """A turn, and how far off it is: "turn 20 (two turns from now)"."""
    left = last - pos.turn
    when = ("this one", "the next")[left] if left < SOON else f"{spelt(left)} turns from now"
    return f"turn {last} ({when})"


# Chapter 4: ground


def beaches(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """4.1g, 4.2b: Salerno and Paestum, until Naples is open."""
    if pos.switched:
        return
    for hex in bits(war.beaches & pos.control):
        name = place(war, hex)
        if pos.target == hex and pos.side == GERMAN:
            sentence = f"{name} is under attack: a German who enters it wins the game."
            yield Warning(sentence, "4.1g", hex=hex)
        elif units := outlook.takers(hex, GERMAN):
            near = whereabouts(war, pos, units, hex)
            guard = "" if there(war, pos, ALLIED).occupied >> hex & 1 else " Nobody guards it."
            sentence = f"A German who enters {name} wins the game: {near}.{guard}"
            yield Warning(sentence, "4.1g", hex=hex)


def prizes(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """4.2a: Naples and Taranto in Watch on the Tiber, which the die may still bring."""
    known = pos.scenario or pos.agreed
    if known == HISTORICAL:
        return
    held = list(bits(war.prizes & pos.control))
    near = threats(outlook, held, GERMAN)
    if not near:
        return
    case = ", if the die brings Watch on the Tiber" if known == UNDECIDED else ""
    if len(held) == 1:
        (lost,) = bits(war.prizes & ~pos.control)
        what = f"The Germans hold {town(war, lost)} and win the game if they take"
        sentence = f"{what} {place(war, held[0])} too{case}: {near[0]}."
    else:
        one, other = (town(war, hex) for hex in held)
        what = f"The Germans win the game if they take both {one} and {other}{case}"
        sentence = f"{what}; {one}: {near[0]}; {other}: {near[1]}."
    yield Warning(sentence, "4.2a", hex=held[0])


def towns(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """4.1a: the last German towns of the Historical Scenario."""
    left = list(bits(war.towns & ~pos.control))
    few = len(left) <= war.book.command.allied
    if pos.scenario != HISTORICAL or not outlook.has_turn(ALLIED) or not few:
        return
    near = threats(outlook, left, ALLIED)
    if not near:
        return
    if len(left) == 1:
        sentence = f"If {place(war, left[0])} falls the Allies hold every town and win: {near[0]}."
    else:
        which = listed([place(war, hex) for hex in left])
        sentence = f"The Allies win when they hold every town, and can reach the last: {which}."
    yield Warning(sentence, "4.1a", hex=left[0])


def exits(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """4.1b, 4.2e: Allied units that can leave the map to the north."""
    if units := outlook.leavers():
        by = rule("4.2e") if pos.scenario == TIBER else rule("4.1b")
        sentence = "An Allied unit that leaves the map in the north wins the game"
        yield Warning(f"{sentence}: {first_of(war, units)} can.", by, units[0], pos.hex[units[0]])


# 4.1, 4.2, 11.9: deadlines


def naples(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """11.9c, 4.2h: the port of Naples must be open by the end of turn 20."""
    last, hex = war.book.supply.last_turn, war.ports[war.naples]
    if pos.switched or not last - SOON <= pos.turn <= last:
        return
    if is_clear(war, pos, hex):
        if pos.turn == last and (units := outlook.near_naples(hex)):
            sentence = (
                "A German within two hexes of Naples at the end of this turn keeps its port "
                f"closed and wins the game: {first_of(war, units)} can come so near."
            )
            yield Warning(sentence, "11.9c", hex=hex)
        return
    near = war.lattice.disc(hex, war.book.supply.clear) & there(war, pos, GERMAN).occupied
    who = [unit for place in bits(near) for unit in units_in(war, pos, place, GERMAN)]
    why = f"{names(war, who)} {'is' if len(who) == 1 else 'are'} within two hexes of it"
    sentence = (
        f"The Germans win if Naples is not an Allied port by the end of {deadline(pos, last)}"
    )
    yield Warning(f"{sentence}: {why if who else 'the town is German'}.", "11.9c", hex=hex)


def last_turns(war: War, pos: Table, _: Outlook) -> Iterator[Warning]:
    """4.1e, 4.2d, 4.2f: what the end of the game would bring as things stand."""
    last = war.book.turns
    if pos.turn < last - 1 or pos.scenario == UNDECIDED:
        return
    when = f"The game ends with {deadline(pos, last)}"
    if pos.scenario == HISTORICAL:
        left = (war.towns & ~pos.control).bit_count()
        sentence = f"{when}: the Germans win if a town is theirs then, and {spelt(left)} of them "
        yield Warning(sentence + ("is." if left == 1 else "are."), "4.1e")
        return
    lost = [place(war, hex) for hex in bits(war.prizes & ~pos.control)]
    if lost:
        sentence = f"{when}: it would be a draw now, since {listed(lost)} "
        yield Warning(sentence + f"{'is' if len(lost) == 1 else 'are'} German.", "4.2f")
    else:
        now = "it would be a draw now, since no line joins Naples and Taranto"
        if are_joined(war, pos):
            now = "the Allies would win now, since Naples and Taranto are joined"
        yield Warning(f"{when}: {now}.", "4.2d")


# Chapter 8: Hitler's orders and the end-run


def entries(war: War, pos: Table, _: Outlook) -> Iterator[Warning]:
    """8.6b, 8.8b: an army that must enter the map, and may find row 10xx closed."""
    corps = those_in(war, pos, war.tenth, GERMAN) & war.grouped[SECOND_SS]
    army = those_in(war, pos, war.fifth, GERMAN)
    for name, due, units, by in (
        ("II SS Panzer Corps", is_corps_due(war, pos), corps, rule("8.6b")),
        ("5th Panzer Army", pos.army_due, army, rule("8.8b")),
    ):
        if not due or not units:
            continue
        needed = war.stacks_needed(units)
        first = units if needed == 1 else units & -units
        free = gates(war, pos, first, MOVE).bit_count()
        if free <= needed:
            sentence = (
                f"{name} must enter the map in the German turn, or the Allies win: it comes in "
                f"{counted(needed, 'stack')}, and {spelt(free)} of the hexes of row 10xx "
                f"{'is' if free == 1 else 'are'} open to it."
            )
            yield Warning(sentence, by)


def air_cover(_: War, pos: Table, __: Outlook) -> Iterator[Warning]:
    """8.14: an end-run that was launched must be covered from the air in every turn."""
    if pos.launched and pos.turn > pos.launched and pos.side == ALLIED and not pos.air_asked:
        sentence = "The Allies lose the game if they do not activate their tactical air this turn."
        yield Warning(sentence, "8.14")


def invasion(war: War, pos: Table, outlook: Outlook) -> Iterator[Warning]:
    """8.17e: the roll for the end-run, in this Allied player turn or the next."""
    if not is_open(pos) or (pos.side == ALLIED and not roll_due(pos)):
        return
    if not outlook.has_turn(ALLIED):
        return
    asked = imagined(pos, turn=pos.turn + (pos.side == GERMAN))
    results = endrun.chances(war, asked)
    chances = [
        f"{chance.numerator} in {chance.denominator} that {who} win"
        for result, who in (("breakthrough", "the Allies"), ("defeat", "the Germans"))
        if (chance := results.get(result))
    ]
    if chances:
        when = "this turn's" if pos.side == ALLIED else "the next"
        sentence = f"The end-run may decide the game with {when} roll: {listed(chances)}."
        yield Warning(sentence, "8.17e")


def steps_owed(_: War, pos: Table, __: Outlook) -> Iterator[Warning]:
    """8.18d: what the Germans must withdraw after a stalemate."""
    if pos.owed:
        sentence = (
            f"The Germans lose the game unless {counted(pos.owed, 'more step')} of theirs "
            f"leave the map by the end of {deadline(pos, pos.owed_by)}."
        )
        yield Warning(sentence, "8.18d")


ALARMS: tuple[Alarm, ...] = (
    *(beaches, prizes, towns, exits),
    *(naples, last_turns),
    *(entries, air_cover, invasion, steps_owed),
)
