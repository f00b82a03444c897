"""What players are shown before they decide in a battle or on the end-run: previews and views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Chance, Line, Preview
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import counted

from ..rules import c06_fog as fog
from ..rules import c08_endrun as endrun
from ..rules.c07_zones import force_in, is_mixed, occupied
from ..rules.c09_points import roll_price
from ..rules.c11_supply import crossed_groups, status
from ..rules.c13_battle import attackable, leaves_rubble, rescuable
from ..rules.c13_fire import Edge, attack_edges, defence_edges, is_silent, offensive_volley
from ..table.data import DIE, SIDES
from ..table.phrases import names, place
from ..table.position import ALLIED, GERMAN, NOWHERE, Table
from ..table.war import GB, US, War
from .drill import Drill, defender, in_line, lineup, lineup_against
from .forecast import (
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

RESULTS = {
    TAKEN: "the hex is taken",
    HELD: "the defender holds",
    BROKEN_OFF: "the attack is broken off",
}
PORT_FALLS = "the port marker is destroyed"
DEFAULT_PLAY = "if both sides fight by the default play"
"""The choices that the chances of a battle count on: see `doctrine`."""
VERBS = frozenset(
    (
        *("target", "strike with", "attack with", "fight", "send bombers"),
        *("air support", "no air support"),
        *("shell", "bomb", "fire at", "fire on", "fight on", "break off", "retreat"),
        "roll for the end-run",
    )
)
"""The options that `preview` has something to say about."""


def preview(war: War, pos: Table, option: Option) -> Preview | None:
    """The chances of a battle, of a shot, or of a roll for the end-run."""
    verb = option.verb
    if verb == "target":
        return preview_attack(war, pos, pos.origin, option.hex, pos.force)
    if verb == "strike with":
        origin = pos.hex[option.unit]
        force = pos.force & force_in(war, pos, origin, pos.side)
        return preview_attack(war, pos, origin, option.hex, force)
    if verb in ("attack with", "fight", "send bombers"):
        return _preview_muster(war, pos, option)
    if verb in ("air support", "no air support"):
        imagined = pos.copy()
        if verb == "air support":
            imagined.air_support = ALLIED if pos.tac_active else GERMAN
        return _preview_battle(war, imagined, lineup(war, imagined))
    if verb in ("shell", "bomb", "fire at", "fire on"):
        return _preview_shot(war, pos, option)
    if verb == "fight on":
        return _preview_offensive(war, pos)
    if verb in ("break off", "retreat"):
        return _preview_way_out(war, pos, verb)
    if verb == "roll for the end-run":
        return preview_end_run(war, pos)
    return None


def preview_attack(war: War, pos: Table, origin: int, target: int, units: Mask) -> Preview:
    """An attack that is not ordered yet, by these units of the side to act, without aircraft.

    Of a stack whose groupings may not attack together, the one with more divisions (6.5e).
    """
    imagined = pos.copy()
    imagined.origin, imagined.target = origin, target
    imagined.attackers = units
    imagined.supply = status(war, pos, origin, pos.side)
    imagined.crossed = crossed_groups(war, pos, origin) if pos.side == ALLIED else 0
    imagined.mixed = pos.side == ALLIED and is_mixed(war, pos, origin)
    if imagined.mixed:
        parties = [units & war.grouped[group] for group in (US, GB)]
        imagined.attackers = max(parties, key=lambda party: (party & ~war.supports).bit_count())
    return _preview_attack(war, imagined)


def preview_order(war: War, pos: Table, origin: int) -> Preview:
    """The attack that a stack can be ordered to make: its chances, or those on each target."""
    spent = pos.acted | pos.rebuilt
    units = force_in(war, pos, origin, pos.side) & ~spent
    targets = list(bits(attackable(war, pos, origin, pos.side)))
    found = [preview_attack(war, pos, origin, target, units) for target in targets]
    if len(found) == 1:
        line = Line("target", place(war, targets[0]), rule("9.5a"))
        return found[0]._replace(lines=(line, *found[0].lines))
    return Preview(
        lines=tuple(
            Line(f"attack on {place(war, target)}", _hope(seen), rule("9.5a"))
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


def _preview_muster(war: War, pos: Table, option: Option) -> Preview:
    """The battle with those named so far and this unit, or with the bombers."""
    imagined = pos.copy()
    if option.verb == "attack with":
        imagined.attackers |= 1 << option.unit
    elif option.verb == "send bombers":
        imagined.bomber = True
    found = _preview_attack(war, imagined)
    if option.verb == "send bombers":
        return found._replace(cost=counted(war.book.prices.bombers, "command point"))
    return found


def _preview_attack(war: War, asked: Table) -> Preview:
    """An attack before its deployment, on what the attacker can see."""
    pos = asked.copy()
    if not occupied(war, pos, 1 - pos.side) >> pos.target & 1:
        sure = Chance(PORT_FALLS, Fraction(1))
        return Preview(lines=(Line("nobody guards the port", "", rule("11.12")),), chances=(sure,))
    pos.defenders = force_in(war, pos, pos.target, 1 - pos.side)
    pos.defence_supply = status(war, pos, pos.target, 1 - pos.side)
    hidden = pos.defenders & fog.hidden(war, asked, pos.side)
    no_chances = not pos.attackers & ~war.supports  # 13.5b: guns alone cannot attack
    if no_chances and not hidden:
        return Preview(lines=tuple(_fire_lines(war, pos)))
    if not hidden:
        pos.defence_mixed = pos.side == GERMAN and is_mixed(war, pos, pos.target)
        return _preview_battle(war, pos, lineup(war, pos))
    # 6.9b: the German does not know what lies under the top unit.
    count = hidden.bit_count()
    pos.defenders &= ~hidden
    unseen = Line("units unseen, taken to be like the top one", str(count), rule("6.9b"))
    if no_chances or not pos.defenders:
        return Preview(lines=(unseen, *_fire_lines(war, pos)))
    tops = tuple(defender(war, pos, unit) for unit in in_line(war, pos.defenders))
    found = _preview_battle(war, pos, lineup_against(war, pos, tops * (count + 1)))
    return found._replace(lines=(unseen, *found.lines))


def _preview_battle(war: War, pos: Table, against: Lineup) -> Preview:
    """A battle as it is deployed: every number with its reasons, and the exact chances."""
    ends = forecast(against)
    attacker, defender = average_losses(ends)
    return Preview(
        lines=(
            *_fire_lines(war, pos),
            Line("steps that the attacker loses on average", _decimal(attacker), rule("13.4")),
            Line("steps that the defender loses on average", _decimal(defender), rule("13.4")),
        ),
        column=DEFAULT_PLAY,
        chances=_chances(ends),
    )


def _chances(ends: dict[End, Fraction]) -> tuple[Chance, ...]:
    return tuple(Chance(RESULTS[r], chance) for r, chance in summary(ends).items())


def _fire_lines(war: War, pos: Table) -> Iterator[Line]:
    """What each unit must roll, and why."""
    attack = {u: list(attack_edges(war, pos, u)) for u in in_line(war, pos.attackers)}
    yield from _side_lines(war, pos, "attack", attack, pos.supply)
    if pos.bomber:
        yield Line("heavy bombers", _needed(war.book.bombers.hit), rule("13.6c"))
        if leaves_rubble(war, pos):
            rubble = f"{war.book.bombers.rubble} or more"
            yield Line("heavy bombers: rubble for their target", rubble, rule("13.6d"))
    defence = {u: list(defence_edges(war, pos, u)) for u in in_line(war, pos.defenders)}
    yield from _side_lines(war, pos, "defence", defence, pos.defence_supply)


def _side_lines(
    war: War, pos: Table, role: str, edges: dict[int, list[Edge]], supply: int
) -> Iterator[Line]:
    for unit, reasons in edges.items():
        if is_silent(war, unit, supply):
            yield Line(f"{role}: {war.names[unit]}", "no fire", rule("11.5a"))
            continue
        printed = war.fire[unit][pos.steps[unit]]
        number = printed + sum(edge.value for edge in reasons)
        shots = f", {pos.steps[unit]} shots" if pos.steps[unit] > 1 else ""
        base = f" (printed {printed})" if reasons else ""
        yield Line(f"{role}: {war.names[unit]}{shots}", _needed(number) + base, rule("13.3a"))
    firing = [unit for unit in edges if not is_silent(war, unit, supply)]
    for edge in _distinct(edges[unit] for unit in firing):
        without = [unit for unit in firing if edge not in edges[unit]]
        but = f", not for {names(war, without)}" if without else ""
        yield Line(f"{role}: {edge.title}{but}", f"{edge.value:+d}", edge.rule)


def _distinct(edges: Iterable[list[Edge]]) -> list[Edge]:
    return list(dict.fromkeys(edge for reasons in edges for edge in reasons))


def _needed(number: int) -> str:
    return f"{number} or less" if number > 0 else "cannot hit"


def _decimal(number: Fraction) -> str:
    return f"{float(number):.2f}"


def _preview_shot(war: War, pos: Table, option: Option) -> Preview:
    """One shot: the number of the option, which counts everything."""
    hit = Fraction(min(option.value, DIE), DIE)
    by = rule("13.6c") if option.verb == "bomb" else rule("13.3a")
    whom = war.names[option.unit] if option.unit >= 0 else "those eliminated"
    lines = [Line(f"a shot at {whom}", _needed(option.value), by)]
    if option.unit >= 0 and option.unit == pos.rubble:
        modifier = war.book.modifiers["rubble"]
        lines.append(Line(modifier.title, f"{modifier.attack:+d}", modifier.rule))
    return Preview(lines=tuple(lines), chances=(Chance("hit", hit), Chance("miss", 1 - hit)))


def _preview_offensive(war: War, pos: Table) -> Preview:
    """The rest of a battle whose attacker does not break off: exact from here on."""
    drill = Drill(war, pos)
    return Preview(
        lines=tuple(_shot_lines(war, offensive_volley(war, pos))),
        column=DEFAULT_PLAY,
        chances=_chances(fought_on(drill.lineup, drill.state(pos))),
    )


def _shot_lines(war: War, shots: list[tuple[int, int]]) -> Iterator[Line]:
    """The shots that are left: who fires, how often, and what each must roll."""
    for (unit, number), count in Counter(shots).items():
        yield Line(f"{war.names[unit]}, {counted(count, 'shot')}", _needed(number), rule("13.2/5a"))
    if not shots:
        yield Line("shots left", "none", rule("13.2/5a"))


def _preview_way_out(war: War, pos: Table, verb: str) -> Preview:
    """What breaking off or a retreat gives back: one of the steps just lost (13.10d)."""
    units = dict.fromkeys(pos.hits)
    if verb == "retreat":
        units = dict.fromkeys(rescuable(war, pos))
    by = rule("13.2/4a") if verb == "break off" else rule("13.2/6a")
    lines = [Line("one step comes back", " or ".join(war.names[unit] for unit in units), by)]
    if verb == "retreat":
        lines.append(Line(f"{place(war, pos.target)}", "is given up", rule("13.2/8")))
    return Preview(lines=tuple(lines))


def preview_end_run(war: War, pos: Table) -> Preview:
    """The modifiers of the End-Run table, and the exact chance of each result (8.17)."""
    reasons = list(endrun.modifiers(war, pos))
    total = sum(worth for _, worth in reasons)
    chances: dict[str, Fraction] = {}
    for face in range(1, DIE + 1):
        result = war.book.end_run_table.cell(face + total)
        chances[result] = chances.get(result, Fraction(0)) + Fraction(1, DIE)
    price = roll_price(war, pos)
    return Preview(
        cost=counted(price, "command point") if price else "",
        lines=tuple(Line(line.title, f"{worth:+d}", line.rule) for line, worth in reasons),
        chances=tuple(Chance(result, chance) for result, chance in chances.items()),
    )


def battle_view(war: War, pos: Table) -> dict[str, object] | None:
    """The Battle Board, as both sides see it (6.9b: defenders once they are deployed)."""
    if pos.target == NOWHERE:
        return None
    called = war.names
    return {
        "hex": war.board.code(pos.target),
        "from": war.board.code(pos.origin),
        "attacker": SIDES[pos.side],
        "attackers": [called[unit] for unit in bits(pos.attackers)],
        "defenders": [called[unit] for unit in bits(pos.defenders)],
        "tactical air": SIDES[pos.air_support] if pos.air_support >= 0 else None,
        "heavy bombers": pos.bomber,
        "in rubble": called[pos.rubble] if pos.rubble >= 0 else None,
        "shots left": [[called[unit], number] for unit, number in pos.volley],
        "steps just lost": [called[unit] for unit in pos.hits],
        "extra hit": pos.extra_hit,
        "retreating": [called[unit] for unit in bits(pos.retreating)],
        "advanced": [called[unit] for unit in bits(pos.advanced)],
    }
