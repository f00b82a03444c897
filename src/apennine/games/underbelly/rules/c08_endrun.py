"""Chapter 8: the end-run invasion, from the secret note to its end off the map (8.9 to 8.18)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Roll
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import UNIT, VALUE, Bars, Order, Plain, ask, what_stays
from apennine.mechanics.phrases import spelt
from apennine.mechanics.tables import Distribution

from ..table import position as ends
from ..table.data import DIE, EndRunModifier
from ..table.position import ALLIED, GERMAN, GONE, NOWHERE, TIBER, Table
from ..table.war import TENTH, War
from .c04_victory import decide
from .c07_zones import leave_map, port_hexes, put, those_among, those_in, zone
from .c09_air import ACTIVATE_AIR, NO_AIR, activate
from .c09_points import afford, is_open, roll_price

SUPPORT = 8
"""What a corps support unit counts in `launching`; a division counts one."""


# 8.9 to 8.12: the note


class Plan(Order[War, Table]):
    """8.10: the note names the turn of the launch."""

    verb, names = "plan the end-run", (VALUE,)
    ranges = ((VALUE, lambda war: turns(war)),)
    when, rule = "The note of the end-run is written once Watch on the Tiber is known", "8.10a"
    number = "for turn {}"

    def bars(self, war: War, pos: Table) -> Bars:
        plan = war.book.end_run
        span = f"{plan.first_turn} to {plan.last_turn}"
        yield mask_of(turns(war)), f"An end-run is planned for one of the turns {span}", "8.10a"


PLAN, PLAN_NONE = Plan(), Plain("plan no end-run", Plan.when, Plan.rule)


def plot_phase(war: War, pos: Table) -> Procedure:
    """8.10: once it is Watch on the Tiber the Allied player writes his note, and never again."""
    if pos.scenario != TIBER or pos.plot >= 0:
        return
    prompt = "Write the secret note: no end-run, or the turn in which it is launched"
    question = war, pos, prompt, rule("8.10a"), PLAN_NONE, PLAN
    chosen = yield from ask(*question, side=ALLIED, checkpoint=True, secret=True)
    pos.plot = chosen.value


def turns(war: War) -> range:
    """8.10a: the turns that the note may name."""
    return range(war.book.end_run.first_turn, war.book.end_run.last_turn + 1)


def imagine_plot(war: War, pos: Table, random: Random, seen: Table) -> None:
    """Another note in place of one that the German has not seen."""
    if pos.plot >= 0 and not (seen.launched or seen.verdict):
        pos.plot = random.choice([0, *turns(war)])


# 8.13: the launch


class Launch(Order[War, Table]):
    """8.13: the note is shown; the price includes that turn's tactical air (8.13c)."""

    verb, opens = "launch the end-run", True
    when, rule = "An end-run is launched before the first Allied command of its turn", "8.13a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.scenario == TIBER, "The end-run belongs to Watch on the Tiber", "8.9"
        yield not pos.launched, "The end-run has been launched already", "8.12b"
        yield pos.plot == pos.turn, "Your note does not name this turn", "8.11a"
        plan = war.book.end_run
        yield afford(war, pos, war.book.prices.launch, "The launch")
        ready, some = embarkable(war, pos), spelt(plan.divisions).capitalize()
        lacking = f"{some} full-strength divisions and a corps support unit must be able to sail"
        enough = (ready & ~war.supports).bit_count() >= plan.divisions
        enough &= (ready & war.supports).bit_count() >= plan.supports
        yield enough, f"{lacking}, and are not", "8.13a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        plan = war.book.end_run
        pos.points -= war.book.prices.launch
        pos.launched = pos.turn
        activate(war, pos)
        pos.launching = plan.divisions + SUPPORT * plan.supports
        yield Event("end-run is launched", rule="8.11a", reveals=True)


LAUNCH = Launch()


def embarkable(war: War, pos: Table) -> Mask:
    """The units that can sail now."""
    return what_stays(can_sail(war, pos))


def can_sail(war: War, pos: Table) -> Bars:
    """8.13b, 8.15c: the bars on all but full-strength units in the box, or in an open port."""
    yield war.units_of[ALLIED], "{unit} belongs to the other side", "9.4a"
    in_play = those_among(war, pos, war.land | war.boxes, ALLIED)
    yield in_play, "{unit} is not in play", "8.13b"
    sailed = those_in(war, pos, war.end_run, ALLIED)
    yield ~sailed, "{unit} has sailed already", "8.15d"
    full = mask_of(unit for unit in war.members[ALLIED] if pos.steps[unit] == war.full[unit])
    yield full, "{unit} is not at full strength, which the end-run demands", "8.15b"
    ports = port_hexes(war, pos)
    docked = those_among(war, pos, ports | 1 << war.available, ALLIED)
    yield docked, "{unit} is {where it is}: units sail from a port or the Available box", "8.13b"
    cut_off = those_among(war, pos, ports & zone(war, pos, GERMAN), ALLIED)
    yield ~cut_off, "{unit} is {where it is}, which a German zone of control closes", "8.13d"
    sealed = those_among(war, pos, pos.sealed, ALLIED)
    reached = "{unit} is {where it is}, where a German zone of control was when the turn began"
    yield ~sealed, reached, "8.15c"
    yield ~(pos.dropped and 1 << war.airborne), "{unit} never leaves the map", "12.9g"
    yield ~(pos.acted | pos.rebuilt), "{unit} has had its action in this turn", "9.18"


class Embark(Order[War, Table]):
    """8.13a: one unit of the first wave goes to the End-Run box."""

    verb, names = "embark", (UNIT,)
    when, rule = "The first wave sails when the end-run is launched", "8.13a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield from can_sail(war, pos)
        supports, divisions = divmod(pos.launching, SUPPORT)
        yield divisions > 0 or war.supports, "The first wave needs no more divisions", "8.13a"
        yield supports > 0 or ~war.supports, "The first wave needs no more corps support", "8.13a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.launching -= SUPPORT if war.supports >> option.unit & 1 else 1
        yield from embark(war, pos, option.unit)


EMBARK = Embark()


def embark(war: War, pos: Table, unit: int) -> Iterator[Event]:
    """A unit goes out of play into the End-Run box, where both sides see it (6.9d, 8.15d)."""
    pos.acted |= 1 << unit
    yield Event("joins the end-run", unit, rule="8.15d", reveals=True)
    yield from leave_map(war, pos, 1 << unit, war.end_run)


def orders_phase(war: War, pos: Table) -> Procedure:
    """9.9a, 8.13: what is decided before any command; a launch includes tactical air."""
    if not pos.air_asked:
        prompt = "Activate your tactical air for this game turn?"
        orders = (ACTIVATE_AIR, NO_AIR, LAUNCH)
        yield from ask(war, pos, prompt, "9.9a", *orders, side=ALLIED, checkpoint=True)
        pos.air_asked = True
    while pos.launching:
        prompt = "Send the first wave: four full-strength divisions and a corps support unit"
        yield from ask(war, pos, prompt, "8.13a", EMBARK, side=ALLIED, checkpoint=True)


# 8.15, 8.17: the Allied command phase after the launch


@dataclass(slots=True)
class Reinforce(Order[War, Table]):
    """8.15: one command sends the divisions of one hex, or of the box, after the first wave."""

    start: int = NOWHERE
    """Where those are whom the command has sent so far."""

    verb, names, needs = "reinforce the end-run", (UNIT,), "launched"
    when, rule, opens = "Divisions follow the first wave in the Allied command phase", "8.15a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield is_open(pos), "No end-run is under way", "8.15a"
        later = pos.launched < pos.turn
        yield later, "Reinforcements follow the first wave from the next turn on", "8.15a"
        most = war.book.end_run.reinforcements
        over = f"{spelt(most).capitalize()} divisions have followed the first wave, and no more may"
        yield pos.reinforced < most, over, "8.15a"
        if self.start == NOWHERE:
            yield afford(war, pos, war.book.prices.move, "A reinforcement")
        yield ~war.supports, "Only divisions reinforce the end-run", "8.15a"
        if self.start != NOWHERE:
            here = those_in(war, pos, self.start, ALLIED)
            alone = "One command sends the divisions of one place, and {unit} is {where it is}"
            yield here, alone, "8.15e"
        yield from can_sail(war, pos)
        fresh = mask_of(war.due[ALLIED].get(pos.turn, ()))
        yield ~fresh, "{unit} has only arrived in this turn, and waits for the next", "8.15c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        start = pos.hex[option.unit]
        if self.start == NOWHERE:
            pos.points -= war.book.prices.move
        pos.reinforced += 1
        yield from embark(war, pos, option.unit)
        others = Reinforce(start)
        if others.menu(war, pos):
            prompt = "Send another division with the same command?"
            yield from ask(war, pos, prompt, "8.15e", others, SEND_NO_MORE, side=ALLIED)


class RollForTheEndRun(Order[War, Table]):
    """8.17: one die on the End-Run table."""

    verb, needs = "roll for the end-run", "launched"
    when, rule, opens = "The Allies roll for the end-run in their command phase", "8.17a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield is_open(pos), "No end-run is under way that could be rolled for", "8.18a"
        later = pos.launched < pos.turn
        yield later, "The end-run is rolled for from the turn after its launch on", "8.17a"
        yield pos.rolled < pos.turn, "The end-run has been rolled for in this turn", "8.17a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= roll_price(war, pos)
        pos.rolled = pos.turn
        (face,) = yield Roll((DIE,), "the end-run invasion", "8.17a")
        final = face + shift(war, pos)
        result = war.book.end_run_table.cell(final)
        if result == "defeat":
            decide(pos, ends.INVASION_DEFEATED)
        elif result == "breakthrough":
            decide(pos, ends.INVASION_WINS)
        elif result != "undecided":  # 8.18: withdraw so many steps
            pos.settled = final
            pos.owed = int(result.removeprefix("withdraw "))
            pos.owed_by = pos.turn + war.book.end_run.deadline - 1
        yield Event(f"end-run: {result}", value=final, rule="8.17b")


SEND_NO_MORE = Plain(
    "send no more", "A command that sends units to the End-Run box ends when no more go", "8.15e"
)
ALLIED_ORDERS = (Reinforce(), RollForTheEndRun())


def modifiers(war: War, pos: Table) -> Iterator[tuple[EndRunModifier, int]]:
    """The lines beneath the End-Run table that count now, with what they are worth."""
    table = war.book.end_run_modifiers
    steps = sum(pos.steps[u] for u in war.members[GERMAN] if pos.hex[u] == war.end_run)
    bases = (war.bases & pos.control).bit_count()
    all_air = pos.tac_active and war.book.tactical[bases] == max(war.book.tactical)
    counted = {"reinforced": pos.reinforced, "air": all_air, "reaction": steps, "winter": pos.turn}
    for key, number in counted.items():
        if worth := table[key].worth(int(number)):
            yield table[key], worth


def shift(war: War, pos: Table) -> int:
    """What they come to."""
    return sum(worth for _, worth in modifiers(war, pos))


def chances(war: War, pos: Table) -> Distribution[str]:
    """The exact chance of each result of a roll now."""
    return war.book.end_run_table.chances(0, (DIE,), shift(war, pos))


# 8.16, 8.18: what the German does about it


@dataclass(slots=True)
class SendAgainst(Order[War, Table]):
    """8.16b: one move command sends a stack of 10th Army from its box to the End-Run box."""

    sent: Mask = 0
    """The units that the command has sent so far."""

    verb, names, needs = "send against the end-run", (UNIT,), "launched"
    when, rule, opens = "10th Army reacts to an end-run in the German command phase", "8.16a", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield is_open(pos), "No end-run is under way", "8.16a"
        if not self.sent:
            yield afford(war, pos, war.book.prices.move, "Sending a stack")
        army = war.grouped[TENTH]
        yield army, "Only 10th Army reacts to the end-run, and {unit} is not of it", "8.16a"
        here = those_in(war, pos, war.tenth, GERMAN)
        box = "units are sent from the box of 10th Army, or leave by row 10xx"
        yield here, f"{{unit}} is {{where it is}}: {box}", "8.16b"
        yield ~pos.acted, "{unit} has had its action in this turn", "9.18"
        room = mask_of(u for u in bits(here & army) if war.stack_fits(self.sent | 1 << u))
        yield room, "{unit} is too much for one stack", "8.16b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        """A German unit goes to the End-Run box for good (8.16c)."""
        unit = option.unit
        if not self.sent:
            pos.points -= war.book.prices.move
        pos.acted |= 1 << unit
        put(war, pos, 1 << unit, war.end_run)
        yield Event("marches against the end-run", unit, rule="8.16c")
        others = SendAgainst(self.sent | 1 << unit)
        if others.menu(war, pos):
            prompt = "Send another unit with the same command?"
            yield from ask(war, pos, prompt, "8.16b", others, SEND_NO_MORE, side=GERMAN)
        pos.drop_asked = False


GERMAN_ORDERS = (SendAgainst(),)


def has_left(war: War, pos: Table, units: Mask) -> Iterator[Event]:
    """German units have left the map: against the invasion, or as it demands (8.18b)."""
    owing = pos.owed > 0
    for unit in bits(units):
        if owing:
            pos.owed = max(0, pos.owed - pos.steps[unit])
            put(war, pos, 1 << unit, GONE)
            yield Event("is withdrawn", unit, value=pos.owed, rule="8.18b")
        else:
            yield Event("marches against the end-run", unit, rule="8.16c")


def end_of_german_phase(pos: Table) -> None:
    """8.18d: the German forfeits the game if he still owes steps at the deadline."""
    if pos.owed and pos.turn >= pos.owed_by:
        decide(pos, ends.STEPS_OWED)
