"""What an order would lead to: the way of a move; the column of a battle and its exact chances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from apennine.hexes import Mask
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Chance, Line, Preview
from apennine.kernel.ledger import rule
from apennine.kernel.order import Order
from apennine.mechanics.odds import Odds
from apennine.mechanics.phrases import counted
from apennine.mechanics.tables import Distribution

from ..rules.c05_stack import march
from ..rules.c08_odds import (
    AUTOMATIC,
    BREAKTHROUGH,
    REGULAR,
    Assault,
    forces,
    formation,
    formations,
    gatherings,
    is_shattering,
    may_attack,
    odds,
    reaches,
    weigh,
)
from ..rules.c09_support import ATTACK, DEFENCE, STAND, Fire, Fly, MajorAssault, NavalFire
from ..rules.c11_determined import column, modifiers
from ..rules.c14_strides import limit, routes
from ..table.position import NOBODY, Table
from ..table.war import War
from .battle_chances import Fate, Trapped, aftermath, average, best_lead, forecast, may_stand, stand


def kind_of(pos: Table) -> int:
    """The kind of the battle under way, or of the one that could begin now."""
    if pos.outer or pos.group:
        return BREAKTHROUGH
    return AUTOMATIC if pos.phase == "movement" else REGULAR


# Ways.


def go(war: War, pos: Table, option: Option) -> Preview:
    """The way of a stack, and what it costs by the kind of movement that leads there."""
    found, hex = march(war, pos), option.hex
    path = tuple(found.path(hex, bool(pos.movers & war.artillery)))
    if found.is_ordinary(hex):
        return Preview(path, counted(found.cost(hex) / war.scale, "point"))
    if found.near and found.near.ends >> hex & 1:
        tactical = Line("Tactical Movement", f"{len(path) - 1} of {pos.strides}", rule("5.4a"))
        return Preview(path, "2 hexes" if len(path) > 2 else "1 hex", (tactical,))
    extended = Line("Extended Movement", "into no enemy zone", rule("5.3a"))
    return Preview(path, counted(found.cost(hex) / war.scale, "point"), (extended,))


def advance(war: War, pos: Table, option: Option) -> Preview:
    """The way of a unit after combat."""
    path = routes(war, pos, option.unit)[option.hex]
    return Preview(path=path, cost=f"{len(path) - 1} of {limit(war, pos, option.unit)} hexes")


# Attacks.


def battle(war: War, pos: Table, kind: int) -> Preview:
    """The battle as it is declared: factors, shifts, column, results and what comes of them."""
    found = odds(war, pos, kind)
    lines = list(factors(war, found))
    if not reaches(war, REGULAR, found):
        return Preview(lines=tuple(lines), column=found.label)
    trapped = Trapped(war, pos)
    ends = forecast(war, pos, kind, trapped)
    outcomes = ends.map(lambda end: end.outcome)
    for outcome in outcomes:
        scratch = aftermath(war, pos, kind, outcome)
        if may_stand(war, scratch, kind, outcome):
            lines.append(stand_line(war, scratch, kind, trapped, f"{outcome}: "))
    fates: Distribution[Fate] = ends.map(lambda end: end.fate)
    lost, ours, theirs = average(fates)
    lines.append(Line("the hex falls", share(lost), rule("8.3.1f")))
    lines.append(Line("steps lost on average", f"{mean(ours)} for {mean(theirs)}", rule("10.3")))
    chances = tuple(Chance(str(outcome), chance) for outcome, chance in outcomes.items())
    return Preview(lines=tuple(lines), column=found.label, chances=chances)


def factors(war: War, found: Odds) -> Iterator[Line]:
    """How the column is found, each step with its rule."""
    yield Line("attack", str(found.attack), rule("8.3.1a"))
    yield Line("defence", str(found.defence), rule("8.3.1a"))
    yield Line("odds", found.raw_label, rule("8.3.1a"))
    yield from found.lines
    if is_shattering(war, found):
        yield Line("no die is needed", found.shifted_label, rule("8.3.2d"))
    elif found.column != found.shifted:
        end = rule("8.3.2b") if found.column > found.shifted else rule("8.3.2c")
        yield Line("the chart ends at", found.label, end)


def stand_line(war: War, pos: Table, kind: int, trapped: Trapped, result: str = "") -> Line:
    """The chance that a determined defence holds with the best Lead Unit, and what it costs."""
    lead = pos.lead if pos.lead != NOBODY else best_lead(war, pos, kind)
    lost, ours, theirs = average(stand(war, pos, kind, trapped))
    text = f"{result}{war.names[lead]} holds, losing {mean(theirs)} and costing {mean(ours)} steps"
    return Line(text, share(1 - lost), rule("11.2.1d"))


def share(chance: Fraction) -> str:
    """A chance as a fraction and in words of a hundred.

    >>> share(Fraction(5, 18)), share(Fraction(1))
    ('5/18 (28 %)', '1 (100 %)')
    """
    return f"{chance} ({float(chance):.0%})".replace("%", " %")


def mean(steps: Fraction) -> str:
    """Steps on average."""
    return f"{float(steps):.2f}"


# What would be attacked with.


def imagined(war: War, pos: Table, kind: int, target: int, attackers: Mask) -> Table:
    """The battle if these units attacked, with the Main Assault Force that weighs most."""

    def worth(found: tuple[int, Mask]) -> tuple[int, int, int]:
        _, force = found
        odds = weigh(war, pos, kind, Assault(target, attackers, force))
        return odds.shifted, int(odds.attack), -force.bit_count()

    table = pos.copy()
    table.target, table.attackers = target, attackers
    mains = formations(war, pos, attackers)
    choices = [(main, f) for main in mains for f in forces(war, pos, main, attackers)]
    if choices:
        table.main, force = max(choices, key=worth)
        table.attached = force & ~formation(war, pos, table.main, attackers)
    return table


def strongest(war: War, pos: Table, kind: int, target: int) -> Table:
    """The battle for a hex if the best of all gatherings of those who may attack it did."""
    bare = pos.copy()
    bare.attackers = 0
    more = may_attack(war, bare, target, kind)
    tables = [imagined(war, bare, kind, target, g) for g in gatherings(war, bare, kind, 0, more)]
    return max(tables, key=lambda table: odds(war, table, kind).shifted)


def attack(war: War, pos: Table, option: Option) -> Preview:
    """If all that could attack the hex do, those of the army that is stronger there."""
    kind = kind_of(pos)
    return battle(war, strongest(war, pos, kind, option.hex), kind)


def attack_with(war: War, pos: Table, option: Option) -> Preview:
    """If those named and this one attack."""
    kind = kind_of(pos)
    return battle(war, imagined(war, pos, kind, pos.target, pos.attackers | 1 << option.unit), kind)


def fight(war: War, pos: Table, option: Option) -> Preview:
    """If those named attack."""
    del option
    kind = kind_of(pos)
    return battle(war, imagined(war, pos, kind, pos.target, pos.attackers), kind)


def main_assault(war: War, pos: Table, option: Option) -> Preview:
    """With the formation of a unit as Main Assault Force, and nothing attached."""
    table = pos.copy()
    table.main = option.unit
    return battle(war, table, kind_of(pos))


def attach(war: War, pos: Table, option: Option) -> Preview:
    """With a unit attached."""
    table = pos.copy()
    table.attached |= 1 << option.unit
    return battle(war, table, kind_of(pos))


# Support, and the stand.


def as_it_is(war: War, pos: Table, option: Option) -> Preview:
    """With what has been declared, and nothing more."""
    del option
    return standing(war, pos) if pos.lead != NOBODY else battle(war, pos, kind_of(pos))


def supported(order: Callable[[int], Order[War, Table]]) -> Callable[..., Preview]:
    """With what an order adds."""

    def show(war: War, pos: Table, option: Option) -> Preview:
        role = STAND if pos.lead != NOBODY else ATTACK if is_attacker(war, pos, option) else DEFENCE
        table = pos.copy()
        effect = order(role).effect(war, table, option)
        for told in effect or ():
            assert isinstance(told, Event), "support asks for nothing"
        return as_it_is(war, table, option)

    return show


def is_attacker(war: War, pos: Table, option: Option) -> bool:
    """Whether support is the attacker's: guns by their side; only the Allies fly and sail."""
    side = war.side_of[option.unit] if option.unit >= 0 else 0
    return side == pos.side


def lead(war: War, pos: Table, option: Option) -> Preview:
    """With a unit as Lead Unit."""
    table = pos.copy()
    table.lead = option.unit
    return standing(war, table)


def stand_fast(war: War, pos: Table, option: Option) -> Preview:
    """With the best Lead Unit."""
    del option
    table = pos.copy()
    table.lead = best_lead(war, pos, kind_of(pos))
    return standing(war, table)


def standing(war: War, pos: Table) -> Preview:
    """The determined defence that is about to be rolled."""
    kind, trapped = kind_of(pos), Trapped(war, pos)
    ends = stand(war, pos, kind, trapped)
    lines = [*modifiers(war, pos, pos.lead), stand_line(war, pos, kind, trapped)]
    chances = [
        Chance(f"{'lost' if fate.lost else 'held'}, {fate.attacker} to {fate.defender}", chance)
        for fate, chance in sorted(ends.items())
    ]
    name = war.book.determined.columns[column(war, pos, pos.target)]
    return Preview(lines=tuple(lines), column=name, chances=tuple(chances))


PREVIEWS: dict[str, Callable[[War, Table, Option], Preview]] = {
    "go": go,
    "advance": advance,
    "attack": attack,
    "shatter": attack,
    "break through": attack,
    "attack with": attack_with,
    "fight": fight,
    "main assault": main_assault,
    "attach": attach,
    "assemble": as_it_is,
    "fly": supported(Fly),
    "fire": supported(Fire),
    "naval fire": supported(NavalFire),
    "major assault": supported(lambda _: MajorAssault()),
    "hold fire": as_it_is,
    "stand": stand_fast,
    "lead": lead,
}
