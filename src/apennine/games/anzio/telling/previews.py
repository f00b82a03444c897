"""What an order would lead to: the way of a move; the odds of a battle and what each die brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Line, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted
from apennine.mechanics.showing import imagined

from ..rules.b4c_march import bounds
from ..rules.b4c_movement import march
from ..rules.b4e_duty import duty
from ..rules.b4f_forecast import Prospect, forecast
from ..rules.b4h_odds import explain, odds, told, weigh
from ..rules.c5_invasion import landing_reach
from ..rules.c12_automatic import certainty, claim_on, may_commit
from ..rules.c13_breakthrough import leaps
from ..table.position import Table
from ..table.war import SCALE, War

# Ways.


def go(war: War, pos: Table, option: Option) -> Preview:
    """The way of a stack, what it costs, and whom it will have to fight."""
    found = march(war, pos)
    nodes, cost = found.path(option.hex)
    here = pos.hex[first_bit(pos.movers)]
    path = here, *(war.node_hex[node] for node in nodes)
    lines = [*fights(war, pos, pos.movers, option.hex)]
    if cost > pos.points:
        lines.append(Line("Strategic Movement", "next to no enemy", rule("B4C14b")))
    if pos.bank and war.ground.rivers.hexes >> option.hex & 1:
        bound = war.node_bound[nodes[-1]] if nodes else 0
        if bound:
            lines.append(Line("the river", "can be crossed from the next turn on", rule("B4C12b1")))
    return Preview(path, counted(cost / SCALE, "point"), tuple(lines))


def fights(war: War, pos: Table, movers: Mask, hex: int) -> Iterator[Line]:
    """The enemies whom units will have to attack from a hex."""
    on = bounds(war, pos, movers)
    for enemy in bits(war.ground.beside[hex] & on.enemies if on.zone >> hex & 1 else 0):
        yield Line("must attack", war.board.code(enemy), rule("B4E2"))


def land(war: War, pos: Table, option: Option) -> Preview:
    """The way from the beach."""
    found = landing_reach(war, pos, option.unit)
    path = tuple(war.node_hex[node] for node in found.path(option.hex))
    cost = counted(found.cost(option.hex) / SCALE, "point")
    return Preview(path, cost, tuple(fights(war, pos, 1 << option.unit, option.hex)))


# Battles.


def battle(
    war: War, pos: Table, attackers: Mask, targets: Mask, witnesses: Mask = 0, lower: int = -1
) -> Preview:
    """A battle: strengths and odds, what each die brings, whether victory is automatic.

    `lower` is a column that the attacker has chosen instead of that of the odds (B4E5d).
    """
    if not attackers or not targets:
        return Preview()
    found = odds(war, pos, attackers, targets, witnesses)
    weight = weigh(war, pos, attackers, targets, witnesses)
    column = found.column if lower < 0 else lower
    lines = list(explain(war, pos, attackers, targets, witnesses))
    lines.append(Line("odds", f"{told(weight.attack)} to {weight.defence}", rule("B4E5a")))
    if weight.doubled:
        lines.append(Line("the attackers' losses", "doubled", rule("B4H9a")))
    if found.shifted < 0 and weight.defence:
        lines.append(Line("worse than", war.book.limits.least, rule("B4E12a")))
    dice = forecast(war, pos, attackers, targets, column, witnesses)
    for die, prospect in enumerate(dice, 1):
        lines.append(Line(f"die {die}", in_words(prospect), rule("B4F2a")))
    sure = certainty(war, pos, attackers, targets, witnesses)
    verdict = "yes" if sure.sure else "not yet"
    lines.append(Line(f"automatic victory: {verdict}", sure.sentence, sure.rule))
    return Preview(lines=tuple(lines), column=war.ladder.label(column), chances=chances(dice))


def chances(dice: tuple[Prospect, ...]) -> tuple[Chance, ...]:
    """The exact chance of each result: so many of the six dice."""
    found: dict[str, int] = {}
    for prospect in dice:
        text = label(prospect)
        found[text] = found.get(text, 0) + 1
    return tuple(Chance(text, Fraction(count, len(dice))) for text, count in found.items())


def label(prospect: Prospect) -> str:
    """A result in short: "A2 D3R", "A1 D destroyed +4"."""
    attacker = f"A{prospect.attacker or ''}{'R' * prospect.attacker_retreats}"
    if prospect.destroyed:
        defender = "D destroyed"
    else:
        defender = f"D{prospect.defender or ''}{'R' * prospect.defender_retreats}"
    halves = [half for half in (attacker, defender) if len(half) > 1]
    surge = [f"+{prospect.surge}"] if prospect.surge else []
    return " ".join([*halves, *surge]) or "-"


def in_words(prospect: Prospect) -> str:
    """A result in words: "attackers lose 2; defenders lose 1 and retreat"."""
    parts: list[str] = []
    if text := _fate(prospect.attacker, prospect.attacker_retreats):
        parts.append(f"attackers {text}")
    if prospect.destroyed:
        parts.append("defenders are destroyed")
    elif text := _fate(prospect.defender, prospect.defender_retreats):
        parts.append(f"defenders {text}")
    if prospect.surge:
        parts.append(f"breakthrough of {counted(prospect.surge, 'point')}")
    return "; ".join(parts) or "nothing"


def _fate(steps: int, retreats: bool) -> str:
    lost = [f"lose {steps}"] if steps else []
    return " and ".join([*lost, *(["retreat"] if retreats else [])])


def overwhelm(war: War, pos: Table, option: Option) -> Preview:
    """If all who can do attack a hex from where they stand."""
    targets = 1 << option.hex
    return battle(war, pos, may_commit(war, pos, targets), targets)


def commit(war: War, pos: Table, option: Option) -> Preview:
    """With one more unit."""
    return battle(war, pos, pos.attackers | 1 << option.unit, pos.targets)


def declared(war: War, pos: Table, force: Mask, lower: int = -1) -> Preview:
    """The battle that has been declared, fought by some units."""
    claim = claim_on(pos, pos.targets)
    return battle(war, pos, force, pos.targets, claim[1] if claim else 0, lower)


def as_declared(war: War, pos: Table, option: Option) -> Preview:
    """With those who have been named."""
    del option
    return declared(war, pos, pos.attackers)


def attack(war: War, pos: Table, option: Option) -> Preview:
    """If all who can do attack a hex, or as an automatic victory was claimed."""
    targets = 1 << option.hex
    claim = claim_on(pos, targets)
    if claim:
        return battle(war, pos, claim[1], claim[0], claim[1])
    free = duty(war, pos).near.items()
    return battle(war, pos, mask_of(unit for unit, near in free if near & targets), targets)


def attack_with(war: War, pos: Table, option: Option) -> Preview:
    """With one more unit."""
    return declared(war, pos, pos.attackers | 1 << option.unit)


def also_attack(war: War, pos: Table, option: Option) -> Preview:
    """With one more hex."""
    return battle(war, pos, pos.attackers, pos.targets | 1 << option.hex)


def fight_at(war: War, pos: Table, option: Option) -> Preview:
    """On a lower column."""
    return declared(war, pos, pos.attackers, option.value)


def support(war: War, pos: Table, option: Option) -> Preview:
    """With a factor of supporting fire."""
    return declared(war, imagined(pos, backed=option.unit), pos.attackers)


def advance(war: War, pos: Table, option: Option) -> Preview:
    """The way of a unit into what was left, and beyond it."""
    unit, end = option.unit, option.hex
    path = [pos.hex[unit]]
    for leap in leaps(war, pos, unit):
        ends = leap.beyond.ends if leap.beyond else 0
        if leap.hex == end or ends >> end & 1:
            path += [leap.hex] * (leap.hex != path[0])
            if leap.hex != end and leap.beyond:
                path += [war.node_hex[node] for node in leap.beyond.path(end)]
            break
    return Preview(tuple(path), "", tuple(fights(war, pos, 1 << unit, end)))


PREVIEWS: dict[str, Callable[[War, Table, Option], Preview]] = {
    "go": go,
    "land": land,
    "overwhelm": overwhelm,
    "commit": commit,
    "claim victory": as_declared,
    "attack": attack,
    "attack with": attack_with,
    "also attack": also_attack,
    "support": support,
    "fight": as_declared,
    "fight at": fight_at,
    "advance": advance,
}
