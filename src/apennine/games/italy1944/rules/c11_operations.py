"""Chapter 11: landings and general offensives, planned in secret."""

from __future__ import annotations

from random import Random

from apennine.hexes import Mask
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import STACK
from ..table.position import ALLIED, BLUFF, GERMAN, LANDING, NOWHERE, OFFENSIVE, Note, Table
from ..table.war import War
from .c04_zones import enter, next_to, occupied, units_in
from .c05_stacking import full
from .c12_reserve import in_reserve, leave_reserve

MOST = 2
"""Landings and general offensives in a game (11a)."""
GAP = 2
"""Turns from one operation to the next (11b)."""
LEAD = 2
"""Turns from writing a plan to its operation (11Pa)."""
FIRST_WAVE = 4
"""Half divisions that land with the beachhead (11Lc)."""
OFFENSIVE_RANGE = 8
"""How far from the centre or a supply hex an offensive may be (11Gb)."""

NOTHING = done("plan nothing")
NO_OPERATION = done("no operation")
END_LANDING = done("end landing")
END_COMMITMENT = done("end commitment")


def planning_phase(war: War, pos: Table) -> Procedure:
    """11P: the Allied player writes one note a turn, or none (11Pc).

    One secret question whatever the answer, so that nothing tells a plan from a bluff.
    """
    if pos.turn + LEAD > pos.last_turn:
        return
    chosen = yield Choice(
        ALLIED,
        Later(lambda: plans(war, pos)),
        "Write a plan for a later turn, or a bluff, or nothing",
        rule("11Pa"),
        checkpoint=True,
        secret=True,
    )
    if chosen.verb != "plan nothing":
        kind = KINDS[chosen.verb]
        pos.notes.append((kind, chosen.hex, chosen.value, pos.turn, 0))


KINDS = {"plan a landing": LANDING, "plan an offensive": OFFENSIVE, "plan a bluff": BLUFF}


def plans(war: War, pos: Table) -> Menu:
    """All notes that may be written now (11Pa, 11Pd, 11Ia)."""
    possible = turns_for(pos)
    later = range(pos.turn + LEAD, pos.last_turn + 1)
    return Menu(
        *(Over("plan a landing", beaches(war, pos), value=turn) for turn in possible),
        [Option("plan an offensive", value=turn) for turn in possible],
        [Option("plan a bluff", value=turn) for turn in later],
        NOTHING,
    )


def turns_for(pos: Table) -> list[int]:
    """The turns that an operation can be planned for: two turns ahead, two apart, two in all."""
    taken = [*pos.launched, *(note[2] for note in pos.notes if is_pending(pos, note))]
    if len(taken) >= MOST:
        return []
    later = range(pos.turn + LEAD, pos.last_turn + 1)
    return [turn for turn in later if all(abs(turn - other) >= GAP for other in taken)]


def is_pending(pos: Table, note: Note) -> bool:
    """Whether a note speaks of an operation that is still to come; a bluff is none (11Ib)."""
    kind, _, turn, _, _ = note
    return kind != BLUFF and turn > pos.turn


def beaches(war: War, pos: Table) -> Mask:
    """11Lb: coastal hexes with a town under German control."""
    return war.ports & ~pos.control


def disclosure_phase(war: War, pos: Table) -> Procedure:
    """11Pb: at the start of their turn plans are shown to the German player."""
    del war
    for number, (kind, hex, turn, written, shown) in enumerate(pos.notes):
        if turn == pos.turn and not shown:
            pos.notes[number] = (kind, hex, turn, written, 1)
            verb = ("landing planned", "offensive planned", "no landing")[kind]
            by = rule("11Ia") if kind == BLUFF else rule("11Pb")
            yield Event(verb, hex=hex, rule=by, reveals=True)


def operations_phase(war: War, pos: Table) -> Procedure:
    """What was planned for this turn is carried out at the start of the Allied movement."""
    if pos.turn not in pos.launched:
        yield from launch(war, pos)
    if pos.turn not in pos.launched:
        return
    if pos.offensive != NOWHERE:
        yield from commitment(war, pos)
    else:
        yield from landing(war, pos)


def may_launch(pos: Table) -> bool:
    """Two operations a game, two turns apart, one a turn (11a, 11b, 11c)."""
    return len(pos.launched) < MOST and all(pos.turn - turn >= GAP for turn in pos.launched)


def launch(war: War, pos: Table) -> Procedure:
    """The player carries out what he planned, or lets it lapse (11Pe)."""
    if not may_launch(pos):
        return
    if pos.turn == 1:  # 11T1a
        sites = Later(lambda: Menu(Over("land", landing_sites(war, pos)), NO_OPERATION))
        prompt, by = "Make a landing now, without a plan, or none", rule("11T1a")
    else:
        note = due_note(pos)
        if note is None:
            return
        if note[0] == LANDING:
            hex = note[1]
            if not landing_sites(war, pos) >> hex & 1:
                yield Event("landing cancelled", hex=hex, rule=rule("11Lh"))
                return
            sites = Menu([Option("land", hex=hex)], NO_OPERATION)
            prompt, by = "Make the landing that was planned, or let it lapse", rule("11La")
        else:
            sites = Later(lambda: Menu(Over("offensive", offensive_sites(war, pos)), NO_OPERATION))
            prompt, by = "Place the marker of the general offensive, or let it lapse", rule("11Ga")
    chosen = yield Choice(ALLIED, sites, prompt, by, checkpoint=True)
    if chosen.verb == "land":
        pos.beaches.append(chosen.hex)
        pos.intake.append(0)
        pos.quota = FIRST_WAVE
    elif chosen.verb == "offensive":
        pos.offensive = chosen.hex
    else:
        return
    pos.launched.append(pos.turn)


def due_note(pos: Table) -> Note | None:
    """The operation that is planned for this turn."""
    for note in pos.notes:
        if note[2] == pos.turn and note[0] != BLUFF:
            return note
    return None


def landing_sites(war: War, pos: Table) -> Mask:
    """Where a landing can be made now: on no German unit (11Lh), with no beachhead there yet."""
    taken = 0
    for beach in pos.beaches:
        if beach >= 0:
            taken |= 1 << beach
    return beaches(war, pos) & ~occupied(war, pos, GERMAN) & ~taken


def landing(war: War, pos: Table) -> Procedure:
    """11Lc: up to 2 divisions of the reserve land with the beachhead."""
    beach = pos.beaches[-1]
    while pos.quota:
        chosen = yield Choice(
            ALLIED,
            Later(lambda: Menu(Among("land with", first_wave(war, pos), beach), END_LANDING)),
            "Land up to two divisions from the reserve",
            rule("11Lc"),
            checkpoint=True,
        )
        if chosen.verb == "end landing":
            break
        unit: int = chosen.unit
        pos.quota -= war.halves[unit]
        leave_reserve(pos, unit, beach)
        pos.landed |= 1 << unit
        yield from enter(war, pos, ALLIED, 1 << beach)
    pos.quota = 0


def first_wave(war: War, pos: Table) -> list[int]:
    """The units of the reserve that may still land."""
    if len(units_in(war, pos, pos.beaches[-1], ALLIED)) >= STACK:
        return []
    return [u for u in in_reserve(war, pos) if war.halves[u] <= pos.quota]


def offensive_sites(war: War, pos: Table) -> Mask:
    """11Gb: Allied hexes within 8 of the centre or of an Allied supply hex, by plain distance."""
    near = war.sources[ALLIED]
    if pos.centre[ALLIED] >= 0:
        near |= 1 << pos.centre[ALLIED]
    return war.lattice.dilate(near, OFFENSIVE_RANGE) & pos.control


def commitment(war: War, pos: Table) -> Procedure:
    """11Gc: units of the reserve are placed in the marker's hex or next to it (11Gg)."""
    while True:
        chosen = yield Choice(
            ALLIED,
            Later(lambda: Menu(Among("commit", committable(war, pos)), END_COMMITMENT)),
            "Commit units of the reserve to the offensive",
            rule("11Gc"),
            checkpoint=True,
        )
        if chosen.verb == "end commitment":
            return
        yield from commit(war, pos, chosen.unit)


def commit(war: War, pos: Table, unit: int) -> Procedure:
    """One unit comes out of the reserve for the offensive."""
    pos.transferred |= 1 << unit
    place = yield Choice(
        ALLIED,
        Later(lambda: Over("place", commitment_sites(war, pos), unit)),
        f"Where does {war.names[unit]} go?",
        rule("11Gc"),
    )
    leave_reserve(pos, unit, place.hex)
    yield from enter(war, pos, ALLIED, 1 << place.hex)


def committable(war: War, pos: Table) -> list[int]:
    """The units of the reserve, while there is room for one."""
    return in_reserve(war, pos) if commitment_sites(war, pos) else []


def commitment_sites(war: War, pos: Table) -> Mask:
    """The marker's hex and Allied hexes next to it that have room."""
    near = next_to(war, pos.offensive) | 1 << pos.offensive
    return near & pos.control & ~occupied(war, pos, GERMAN) & ~full(war, pos, ALLIED)


def imagine_notes(war: War, pos: Table, random: Random, seen: Table) -> None:
    """Other notes in place of those that the German has not seen."""
    pos.notes = [note for note in pos.notes if is_known(note, seen)]
    for written in range(1, pos.turn + has_planned(pos)):
        later = [t for t in range(written + LEAD, pos.last_turn + 1) if t > seen.turn]
        if not later or random.random() < 0.5:
            continue
        turn = random.choice(later)
        taken = [*pos.launched, *(note[2] for note in pos.notes if is_pending(pos, note))]
        free = len(taken) < MOST and all(abs(turn - other) >= GAP for other in taken)
        kind = random.choice((LANDING, OFFENSIVE, BLUFF)) if free else BLUFF
        sites = [hex for hex in war.lattice if beaches(war, pos) >> hex & 1]
        if kind == LANDING and not sites:
            kind = BLUFF
        hex = random.choice(sites) if kind == LANDING else NOWHERE
        pos.notes.append((kind, hex, turn, written, 0))


def has_planned(pos: Table) -> bool:
    """Whether this turn's planning phase is over."""
    return pos.side != ALLIED or pos.phase not in BEFORE_PLANNING


BEFORE_PLANNING = ("return", "replacements", "reinforcements", "withdrawals", "reserve", "plans")


def is_known(note: Note, seen: Table) -> bool:
    """Whether the German has been shown a note by now."""
    return (*note[:4], 1) in seen.notes
