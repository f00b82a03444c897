"""What players are shown before they decide in a battle, or roll for the end-run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Line, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted
from apennine.mechanics.showing import chances, imagined
from apennine.mechanics.tables import Distribution

from ..rules import c06_fog as fog
from ..rules import c08_endrun as endrun
from ..rules.c07_zones import is_mixed, occupied, those_in
from ..rules.c09_points import roll_price
from ..rules.c11_supply import crossed_groups, status
from ..rules.c13_battle import attackable, rescuable
from ..rules.c13_fire import Edge, edges, is_silent, leaves_rubble, offensive_volley
from ..table.data import DIE
from ..table.phrases import names, place
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import GB, US, War
from .battle_chances import (
    BROKEN_OFF,
    HELD,
    TAKEN,
    End,
    Lineup,
    average_losses,
    forecast,
    fought_on,
    summary,
)
from .lineup import fighter, in_line, lineup, lineup_against, state

RESULTS = {
    TAKEN: "the hex is taken",
    HELD: "the defender holds",
    BROKEN_OFF: "the attack is broken off",
}
PORT_FALLS = "the port marker is destroyed"
DEFAULT_PLAY = "if both sides fight by the default play"
"""The choices that the chances of a battle count on: see `default_play`."""


# Before the deployment


def of_command(war: War, pos: Table, origin: int) -> Preview:
    """The attack that a stack can be ordered to make: its chances, or those on each target."""
    spent = pos.acted | pos.rebuilt
    units = those_in(war, pos, origin, pos.side) & ~spent
    targets = list(bits(attackable(war, pos, origin, pos.side)))
    found = [_attack(war, pos, origin, target, units) for target in targets]
    if len(found) == 1:
        line = Line("target", place(war, targets[0]), "9.5a")
        return found[0]._replace(lines=(line, *found[0].lines))
    return Preview(
        lines=tuple(
            Line(f"attack on {place(war, target)}", _hope(seen), "9.5a")
            for target, seen in zip(targets, found, strict=True)
        ),
        column=DEFAULT_PLAY,
    )


def _hope(found: Preview) -> str:
    """What an attack promises, in a few words."""
    for chance in found.chances:
        if chance.result in (RESULTS[TAKEN], PORT_FALLS):
            return f"{chance.result}: {float(chance.probability):.0%}"
    return "no chance to take the hex"


def _strike(war: War, pos: Table, option: Option) -> Preview:
    origin = pos.hex[option.unit]
    force = pos.force & those_in(war, pos, origin, pos.side)
    return _attack(war, pos, origin, option.hex, force)


def _attack(war: War, pos: Table, origin: int, target: int, units: Mask) -> Preview:
    """An attack that is not ordered yet, by these units of the side to act, without aircraft.

    Of a stack whose groupings may not attack together, the one with more divisions (6.5e).
    """
    asked = imagined(pos, origin=origin, target=target, attackers=units)
    asked.supply = status(war, pos, origin, pos.side)
    if pos.side == ALLIED:
        asked.crossed, asked.mixed = crossed_groups(war, pos, origin), is_mixed(war, pos, origin)
        if asked.mixed:
            parties = [units & war.grouped[group] for group in (US, GB)]
            asked.attackers = max(parties, key=lambda party: (party & ~war.supports).bit_count())
    return _before(war, asked)


def _attack_with(war: War, pos: Table, option: Option) -> Preview:
    """The battle with those named so far and this unit."""
    return _before(war, imagined(pos, attackers=pos.attackers | 1 << option.unit))


def _bombers(war: War, pos: Table, _: Option) -> Preview:
    price = counted(war.book.prices.bombers, "command point")
    return _before(war, imagined(pos, bomber=True))._replace(cost=price)


def _before(war: War, asked: Table) -> Preview:
    """An attack before its deployment, on what the attacker can see."""
    target, enemy = asked.target, 1 - asked.side
    if not occupied(war, asked, enemy) >> target & 1:
        sure = Chance(PORT_FALLS, Fraction(1))
        return Preview(lines=(Line("nobody guards the port", "", "11.12"),), chances=(sure,))
    pos = imagined(asked, defenders=those_in(war, asked, target, enemy))
    pos.defence_supply = status(war, pos, target, enemy)
    hidden = pos.defenders & fog.hidden(war, asked, pos.side)
    no_chances = not pos.attackers & ~war.supports  # 13.5b: guns alone cannot attack
    if no_chances and not hidden:
        return Preview(lines=tuple(_fire_lines(war, pos)))
    if not hidden:
        pos.defence_mixed = pos.side == GERMAN and is_mixed(war, pos, pos.target)
        return _deployed(war, pos, lineup(war, pos))
    # 6.9b: the German does not know what lies under the top unit.
    count = hidden.bit_count()
    pos.defenders &= ~hidden
    unseen = Line("units unseen, taken to be like the top one", str(count), "6.9b")
    if no_chances or not pos.defenders:
        return Preview(lines=(unseen, *_fire_lines(war, pos)))
    tops = tuple(fighter(war, pos, unit) for unit in in_line(war, pos.defenders))
    found = _deployed(war, pos, lineup_against(war, pos, tops * (count + 1)))
    return found._replace(lines=(unseen, *found.lines))


# The battle as it is deployed


def _air_support(war: War, pos: Table, option: Option) -> Preview:
    owner = ALLIED if pos.tac_active else GERMAN
    asked = imagined(pos, air_support=owner if option.verb == "air support" else -1)
    return _deployed(war, asked, lineup(war, asked))


def _deployed(war: War, pos: Table, against: Lineup) -> Preview:
    """A battle as it is deployed: every number with its reasons, and the exact chances."""
    return foretold(forecast(against), _fire_lines(war, pos))


def foretold(ends: Distribution[End], lines: Iterable[Line]) -> Preview:
    """How a battle may end, and what it costs on average."""
    attacker, defender = average_losses(ends)
    return Preview(
        lines=(
            *lines,
            Line("steps that the attacker loses on average", f"{float(attacker):.2f}", "13.4"),
            Line("steps that the defender loses on average", f"{float(defender):.2f}", "13.4"),
        ),
        column=DEFAULT_PLAY,
        chances=_chances(ends),
    )


def _chances(ends: Distribution[End]) -> tuple[Chance, ...]:
    return chances({RESULTS[result]: chance for result, chance in summary(ends).items()})


def _fire_lines(war: War, pos: Table) -> Iterator[Line]:
    """What each unit must roll, and why."""
    yield from _side_lines(war, pos, "attack", pos.attackers, pos.supply)
    if pos.bomber:
        yield Line("heavy bombers", _needed(war.book.bombers.hit), "13.6c")
        if leaves_rubble(war, pos):
            rubble = f"{war.book.bombers.rubble} or more"
            yield Line("heavy bombers: rubble for their target", rubble, "13.6d")
    yield from _side_lines(war, pos, "defence", pos.defenders, pos.defence_supply)


def _side_lines(war: War, pos: Table, role: str, units: Mask, supply: int) -> Iterator[Line]:
    firing: dict[int, list[Edge]] = {}
    for unit in in_line(war, units):
        if is_silent(war, unit, supply):
            yield Line(f"{role}: {war.names[unit]}", "no fire", "11.5a")
            continue
        reasons = firing[unit] = list(edges(war, pos, unit))
        printed = war.fire[unit][pos.steps[unit]]
        number = printed + sum(edge.value for edge in reasons)
        shots = f", {pos.steps[unit]} shots" if pos.steps[unit] > 1 else ""
        base = f" (printed {printed})" if reasons else ""
        yield Line(f"{role}: {war.names[unit]}{shots}", _needed(number) + base, "13.3a")
    for edge in dict.fromkeys(edge for reasons in firing.values() for edge in reasons):
        without = [unit for unit, reasons in firing.items() if edge not in reasons]
        but = f", not for {names(war, without)}" if without else ""
        yield Line(f"{role}: {edge.title}{but}", f"{edge.value:+d}", edge.rule)


def _needed(number: int) -> str:
    return f"{number} or less" if number > 0 else "cannot hit"


def _shot(war: War, pos: Table, option: Option) -> Preview:
    """One shot: the number of the option, which counts everything."""
    hit = Fraction(min(option.value, DIE), DIE)
    by = rule("13.6c") if option.verb == "bomb" else rule("13.3a")
    whom = war.names[option.unit] if option.unit >= 0 else "those eliminated"
    lines = [Line(f"a shot at {whom}", _needed(option.value), by)]
    if option.unit >= 0 and option.unit == pos.rubble:
        modifier = war.book.modifiers["rubble"]
        lines.append(Line(modifier.title, f"{modifier.attack:+d}", modifier.rule))
    return Preview(lines=tuple(lines), chances=(Chance("hit", hit), Chance("miss", 1 - hit)))


def _fight_on(war: War, pos: Table, _: Option) -> Preview:
    """The rest of a battle whose attacker does not break off: exact from here on."""
    lines = [
        Line(f"{war.names[unit]}, {counted(count, 'shot')}", _needed(number), "13.2/5a")
        for (unit, number), count in Counter(offensive_volley(war, pos)).items()
    ]
    return Preview(
        lines=tuple(lines) or (Line("shots left", "none", "13.2/5a"),),
        column=DEFAULT_PLAY,
        chances=_chances(fought_on(lineup(war, pos), state(war, pos))),
    )


def _way_out(war: War, pos: Table, option: Option) -> Preview:
    """What breaking off or a retreat gives back: one of the steps just lost (13.10d)."""
    retreats = option.verb == "retreat"
    units = dict.fromkeys(rescuable(war, pos) if retreats else pos.hits)
    by = rule("13.2/6a") if retreats else rule("13.2/4a")
    back = Line("one step comes back", " or ".join(war.names[unit] for unit in units), by)
    given_up = Line(place(war, pos.target), "is given up", "13.2/8")
    return Preview(lines=(back, given_up) if retreats else (back,))


def _end_run(war: War, pos: Table, _: Option) -> Preview:
    """The modifiers of the End-Run table, and the exact chance of each result (8.17)."""
    reasons, price = endrun.modifiers(war, pos), roll_price(war, pos)
    return Preview(
        cost=counted(price, "command point") if price else "",
        lines=tuple(Line(line.title, f"{worth:+d}", line.rule) for line, worth in reasons),
        chances=chances(endrun.chances(war, pos)),
    )


PREVIEWS: Mapping[str, Callable[[War, Table, Option], Preview]] = MappingProxyType(
    {
        "target": lambda war, pos, o: _attack(war, pos, pos.origin, o.hex, pos.force),
        "strike with": _strike,
        "attack with": _attack_with,
        "send bombers": _bombers,
        "fight": lambda war, pos, _: _before(war, pos),
        **dict.fromkeys(("air support", "no air support"), _air_support),
        **dict.fromkeys(("shell", "bomb", "fire at", "fire on"), _shot),
        "fight on": _fight_on,
        **dict.fromkeys(("break off", "retreat"), _way_out),
        "roll for the end-run": _end_run,
    }
)
"""By verb, all that has something to say."""
