"""Chapter 11: landings and general offensives, planned in secret."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from apennine.hexes import bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain, ask, what_stays
from apennine.mechanics.asking import until

from ..table.position import ALLIED, BLUFF, GERMAN, LANDING, NOWHERE, OFFENSIVE, Note, Table
from ..table.war import War
from .c04_zones import occupied, place
from .c05_stacking import full
from .c07_rrw import Place, beachheads
from .c12_reserve import leave_reserve, waiting_in_reserve

MOST = 2
"""Landings and general offensives in a game (11a)."""
GAP = 2
"""Turns from one operation to the next (11b)."""
LEAD = 2
"""Turns from writing a plan to its operation (11Pa)."""
FIRST_WAVE = 4
"""Half divisions that land with the beachhead (11Lc)."""
OFFENSIVE_RANGE = 8
"""How far from the centre or a supply hex an offensive may be, by plain distance (11Gb)."""
NOTES = 8
"""Notes that may be written in a turn (11Ic)."""

PLANNING = "Plans are written in the planning step"
LAUNCHING = "Landings and general offensives begin before the Allied units move"
END_PLANNING = Plain("end planning", PLANNING, "11Pa")
NO_OPERATION = Plain("no operation", LAUNCHING, "11Pe")
GOING_ASHORE = "The first wave goes ashore when its landing has been ordered"
END_LANDING = Plain("end landing", GOING_ASHORE, "11Lc")
COMMITTING = "The reserve is committed when a general offensive has been opened"
END_COMMITMENT = Plain("end commitment", COMMITTING, "11Gc")


def planning_phase(war: War, pos: Table) -> Procedure:
    """11P: the Allied player writes notes for later turns, as many as he likes (11Pc)."""
    if pos.turn + LEAD <= pos.last_turn:
        question = "Write a note, with a plan or a bluff, or end your planning", rule("11Pa")
        yield from until(END_PLANNING, war, pos, *question, WriteANote(), checkpoint=True)


class WriteANote(Order[War, Table]):
    """11Id: everybody sees that a note is written, and nothing tells a plan from a bluff."""

    verb = "write a note"
    when, rule, opens = PLANNING, "11Pa", True

    def bars(self, war: War, pos: Table) -> Bars:
        written = sum(note[3] == pos.turn for note in pos.notes)
        yield written < NOTES, f"{NOTES} notes are enough for one turn", "11Ic"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        prompt = "What does the note say? It is shown to the German in the turn that it is for"
        orders = PlanALanding(), PlanAnOffensive(), PlanABluff()
        yield from ask(war, pos, prompt, rule("11Pa"), *orders, secret=True)


class Plan(Order[War, Table]):
    """11Pa: a note for a later turn."""

    kind: int
    when, rule = PLANNING, "11Pa"
    ranges = ((VALUE, lambda war: range(1, len(war.months) + 1)),)
    number = "for turn {}"

    def bars(self, war: War, pos: Table) -> Bars:
        last, soonest = pos.last_turn, pos.turn + LEAD
        yield (2 << last) - 1, f"The game ends with turn {last}", "11Pa"
        yield -1 << soonest, f"A plan looks two turns ahead: to turn {soonest} or later", "11Pa"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.notes.append((self.kind, option.hex, option.value, pos.turn, 0))


class PlanABluff(Plan):
    """11Ia: for any later turn."""

    verb, names, kind = "plan a bluff", (VALUE,), BLUFF


class PlanAnOffensive(Plan):
    """11a, 11b: two operations in all, two turns apart; an offensive names no hex (11Pd)."""

    verb, names, kind = "plan an offensive", (VALUE,), OFFENSIVE
    rule = "11Pd"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from super().bars(war, pos)
        taken = operations(pos)
        few = len(taken) < MOST
        yield few, "Two operations are made or planned, and there is no third", "11a"
        close = mask_of(t for other in taken for t in range(other - GAP + 1, other + GAP))
        yield ~close, "Turn {value} is less than two turns from another operation", "11b"


class PlanALanding(PlanAnOffensive):
    """11Lb: a landing names its hex too."""

    verb, names, kind = "plan a landing", (VALUE, HEX), LANDING
    ranges = (*Plan.ranges, (HEX, lambda war: war.ports))

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield from beaches(war, pos)


def operations(pos: Table) -> list[int]:
    """The turns of operations that were made, or are planned for later; a bluff is none (11Ib)."""
    later = [turn for kind, _, turn, _, _ in pos.notes if kind != BLUFF and turn > pos.turn]
    return [*pos.launched, *later]


def beaches(war: War, pos: Table) -> Bars:
    """11Lb: the bars on a landing place; it is a town on the coast under German control."""
    yield war.ports, "{hex} is no landing place with a town on the coast", "11Lb"
    yield ~pos.control, "The Allies control {hex} already", "11Lb"


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


def launch(war: War, pos: Table) -> Procedure:
    """The player carries out what he planned, or lets it lapse (11Pe)."""
    note, made = due_note(pos), pos.launched  # two in all, two turns apart, one a turn
    allowed = len(made) < MOST and all(pos.turn - turn >= GAP for turn in made)  # 11a to 11c
    if not allowed or (note is None and pos.turn > 1):
        return
    order = Land()
    if note is None:  # 11T1a
        prompt, by = "Make a landing now, without a plan, or none", rule("11T1a")
    elif note[0] == LANDING:
        order = Land(note[1])
        bar = order.refusal(war, pos, Option(order.verb, hex=note[1]))
        if bar:
            yield Event("landing cancelled", hex=note[1], rule=bar.rule)  # 11Lb, 11Lh
            return
        prompt, by = "Make the landing that was planned, or let it lapse", rule("11La")
    else:
        order = Offensive()
        prompt, by = "Place the marker of the general offensive, or let it lapse", rule("11Ga")
    yield from ask(war, pos, prompt, by, order, NO_OPERATION, checkpoint=True)


def due_note(pos: Table) -> Note | None:
    """The operation that is planned for this turn."""
    return next((note for note in pos.notes if note[2] == pos.turn and note[0] != BLUFF), None)


@dataclass(slots=True)
class Land(Order[War, Table]):
    """11La, 11Lh: in the hex of the plan, if there is one; on no German unit."""

    planned: int = NOWHERE

    verb, names = "land", (HEX,)
    when, rule, opens = LAUNCHING, "11La", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from beaches(war, pos)
        yield ~occupied(war, pos, GERMAN), "German units stand in {hex}", "11Lh"
        yield ~beachheads(pos), "{hex} has a beachhead already", "11La"
        if self.planned != NOWHERE:
            yield 1 << self.planned, "{hex} is not the hex of the plan", "11La"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.beaches.append(option.hex)
        pos.intake.append(0)
        pos.quota = FIRST_WAVE
        pos.launched.append(pos.turn)


def landing(war: War, pos: Table) -> Procedure:
    """11Lc: up to 2 divisions of the reserve land with the beachhead."""
    prompt, orders = "Land up to two divisions from the reserve", (LandWith(), END_LANDING)
    while pos.quota:
        chosen = yield from ask(war, pos, prompt, rule("11Lc"), *orders, checkpoint=True)
        if chosen.verb == END_LANDING.verb:
            pos.quota = 0


class LandWith(Order[War, Table]):
    """11Lc: a unit of the reserve goes ashore with the beachhead."""

    verb, names = "land with", (HEX, UNIT)
    implied = (HEX,)
    when, rule = GOING_ASHORE, "11Lc"

    def bars(self, war: War, pos: Table) -> Bars:
        beach = pos.beaches[-1]
        yield 1 << beach, f"The first wave goes ashore in {war.board.code(beach)}", "11Lc"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield from waiting_in_reserve(war, pos, rule("11Lc"))
        yield not full(war, pos, ALLIED) >> first & 1, "{hex} holds four units already", "5a"
        few = mask_of(u for u in war.members[ALLIED] if war.halves[u] <= pos.quota)
        yield few, "{unit} is more than may still land with the first wave", "11Lc"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit, hex = option.unit, option.hex
        pos.quota -= war.halves[unit]
        leave_reserve(pos, unit)
        pos.landed |= 1 << unit
        return place(war, pos, unit, hex)


class Offensive(Order[War, Table]):
    """11Ga, 11Gb: the marker is placed."""

    verb, names = "offensive", (HEX,)
    when, rule, opens = LAUNCHING, "11Ga", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.control, "{hex} is not under Allied control", "11Ga"
        far = "{hex} is more than 8 hexes from the logistic centre and every supply hex"
        near = war.sources[ALLIED] | war.ground.bit[pos.centre[ALLIED]]
        yield war.lattice.dilate(near, OFFENSIVE_RANGE), far, "11Gb"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.offensive = option.hex
        pos.launched.append(pos.turn)


def commitment(war: War, pos: Table) -> Procedure:
    """11Gc: units of the reserve are placed in the marker's hex or next to it (11Gg)."""
    question = war, pos, "Commit units of the reserve to the offensive", rule("11Gc"), Commit()
    yield from until(END_COMMITMENT, *question, checkpoint=True)


class Commit(Order[War, Table]):
    """11Gc: one unit comes out of the reserve for the offensive."""

    verb, names = "commit", (UNIT,)
    when, rule, opens = COMMITTING, "11Gc", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from waiting_in_reserve(war, pos, rule("11Gc"))
        room = PlaceCommitted(war.members[ALLIED].start).menu(war, pos)
        yield len(room) > 0, "There is no room left at the marker of the offensive", "11Gc"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.transferred |= 1 << option.unit
        prompt = f"Where does {war.names[option.unit]} go?"
        yield from ask(war, pos, prompt, rule("11Gc"), PlaceCommitted(option.unit))


class PlaceCommitted(Place):
    """11Gc: in the marker's hex or next to it."""

    rule = "11Gc"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        near = war.beside[pos.offensive] | 1 << pos.offensive
        yield near, "{hex} is neither at nor next to the marker of the offensive", "11Gc"
        yield ~occupied(war, pos, GERMAN), "The enemy holds {hex}", "11Gc"
        yield pos.control, "{hex} is not under Allied control", "11Gc"
        yield ~full(war, pos, ALLIED), "{hex} holds four units already", "5a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        leave_reserve(pos, option.unit)
        return place(war, pos, option.unit, option.hex)


def imagine_notes(war: War, pos: Table, random: Random, seen: Table) -> None:
    """Other notes, as many and written when they were, in place of those not shown by now."""
    known = [(*note[:4], 1) in seen.notes for note in pos.notes]
    real, pos.notes = pos.notes, [note for note, told in zip(pos.notes, known) if told]
    sites = list(bits(what_stays(beaches(war, pos))))
    for number, note in enumerate(real):
        if known[number]:
            continue
        turn = random.randrange(max(note[3] + LEAD, seen.turn + 1), pos.last_turn + 1)
        taken = operations(pos)
        free = len(taken) < MOST and all(abs(turn - other) >= GAP for other in taken)
        kind = random.choice((LANDING, OFFENSIVE, BLUFF)) if free else BLUFF
        kind = BLUFF if kind == LANDING and not sites else kind
        hex = random.choice(sites) if kind == LANDING else NOWHERE
        pos.notes.insert(number, (kind, hex, turn, note[3], 0))
