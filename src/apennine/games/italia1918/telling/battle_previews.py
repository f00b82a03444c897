"""A combat before it is fought: guns, odds, coordination, hit points, what comes of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from apennine.hexes import first_bit
from apennine.kernel.decision import Line
from apennine.kernel.game import Chance, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Odds
from apennine.mechanics.showing import imagined

from ..rules.c12_coordination import ATTACKING, DEFENDING, modifiers
from ..rules.c12_declaration import EXPLOITATION, able, next_to
from ..rules.c12_odds import defenders, odds
from ..rules.c15_bombardment import column, ready_guns, shelling
from ..table.position import NOBODY, Table
from ..table.war import War
from .battle_chances import Aftermath, Prospect, forecast, shells

ROLES = ("attacker", "defender")


def share(chance: Fraction) -> str:
    """A chance in hundreds.

    >>> share(Fraction(5, 18)), share(Fraction(1))
    ('28 %', '100 %')
    """
    return f"{float(chance):.0%}".replace("%", " %")


def mean(number: Fraction) -> str:
    """A number on average."""
    return f"{float(number):.2f}"


# What would be attacked with.


def with_everybody(war: War, pos: Table, target: int) -> Table:
    """The combat if all attacked a hex that can."""
    table = imagined(pos, target=target, shock=0, counter=0, rommel=False)
    table.guns, table.leads = [0, 0], [NOBODY, NOBODY]
    table.attackers = next_to(war, table, able(war, table), target)
    return table


def with_all_guns(war: War, pos: Table) -> Table:
    """The combat if both sides fired all guns that may, and none answered another.

    Of the attacker's army artillery in Offensive mode one gun takes part (12.2.2a); in exploitation
    his guns do not bombard (14.1c).
    """
    ours, theirs = (ready_guns(war, pos, side) for side in (pos.side, 1 - pos.side))
    if pos.phase == EXPLOITATION:
        ours = 0
    offensive = ours & pos.firing
    if offensive:
        ours = ours & ~offensive | 1 << first_bit(offensive)
    return imagined(pos, guns=[ours, theirs], counter=0)


# The preview.


def battle(war: War, pos: Table) -> Preview:
    """The combat as it is declared, to its end by default play."""
    if not pos.attackers or not defenders(war, pos):
        return Preview()
    lines = [line for role in (ATTACKING, DEFENDING) for line in guns(war, pos, role)]
    state = Aftermath(war, pos, pos).state
    label = ""
    if state.leads[ATTACKING] == NOBODY:
        lines.append(Line("nobody can lead the attack", "cancelled", rule("12.2.3e")))
    else:
        found = odds(war, state)
        label = found.label if found.shifted >= 0 else f"{found.shifted_label}: cancelled"
        lines += factors(war, state, found)
    seen = Prospect(forecast(war, pos))
    for role in (ATTACKING, DEFENDING):
        lines += coordination(war, state, seen, role)
    ours, theirs = seen.losses
    lines.append(Line("the hex is taken", share(seen.taken), rule("12.4b")))
    lines.append(Line("steps lost on average", f"{mean(ours)} for {mean(theirs)}", rule("6.0a")))
    chances = sorted(seen.hits.items(), key=lambda pair: -pair[1])
    return Preview(
        lines=tuple(lines),
        column=label,
        chances=tuple(Chance(name, chance) for name, chance in chances),
    )


def guns(war: War, pos: Table, role: int) -> Iterator[Line]:
    """The bombardment of a side, what changes its die, and what it brings on average."""
    place = column(war, pos, role)
    if place < 0:
        return
    title = f"the {ROLES[role]}'s bombardment"
    yield Line(title, f"column {war.book.bombardment.columns[place]}", rule("15.2.2i"))
    if role == ATTACKING:
        for each in shelling(war, pos):
            yield Line(each.name, f"{each.columns:+d}", each.rule)
    expected = shells(war, pos, role).mean(lambda points: points)
    yield Line("hit points on average", mean(expected), rule("15.2.2m"))


def factors(war: War, pos: Table, found: Odds) -> Iterator[Line]:
    """How the column is found before anybody is hit, each step with its rule."""
    names = [war.names[lead] if lead >= 0 else "nobody" for lead in pos.leads]
    yield Line("leading", f"{names[0]} against {names[1]}", rule("12.2.3a"))
    yield Line("attack", str(found.attack), rule("12.2.4a"))
    yield Line("defence", str(found.defence), rule("12.2.4a"))
    yield Line("odds", found.raw_label, rule("12.2.4b"))
    yield from found.lines


def coordination(war: War, pos: Table, seen: Prospect, role: int) -> Iterator[Line]:
    """What changes the coordination of a side, and the chance of each result."""
    for each in modifiers(war, pos, role):
        yield Line(f"{ROLES[role]}: {each.name}", f"{each.columns:+d}", each.rule)
    for grade, chance in seen.grades(role).items():
        if grade:
            title = war.book.results[grade].title
            yield Line(f"{ROLES[role]}: {title}", share(chance), rule("12.2.6q"))
