"""A battle put together from nothing: divisions and guns on the Battle Board (chapter 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apennine.kernel.decision import Line
from apennine.kernel.game import GameError, Preview
from apennine.kernel.ledger import rule
from apennine.kernel.sandtable import Knob, SandTable, Troop

from ..table.data import ATTACK_ONLY, DIE
from ..table.war import War
from .battle_chances import Lineup, forecast
from .battle_previews import foretold
from .default_play import Fighter

ATTACK, DEFENCE = "attack", "defence"
MOST = 6
"""More divisions of a kind than a stack holds (6.2)."""
BOMBERS, WAY_OUT = "bombers", "way out"
OUT_OF_SUPPLY, CITY, FORT, RUBBLE = "out_of_supply", "city", "fort", "rubble"


def _kind(war: War, unit: int) -> str:
    """Units that fire alike are one kind: what they roll at full strength, and reduced."""
    fire = war.fire[unit]
    if war.supports >> unit & 1:
        return f"guns {fire[1]}"
    return f"{fire[-1]}/{fire[1]}"


def _kinds(war: War) -> Mapping[str, int]:
    """A unit of each kind, the weakest kind first."""
    found = {_kind(war, unit): unit for unit in range(len(war.names))}
    return dict(sorted(found.items()))


def knobs(war: War) -> Sequence[Knob]:
    """Who is there, and every line of the chart of modifiers for who answers to it."""
    found = list[Knob]()
    for role, group in ((ATTACK, "Attackers"), (DEFENCE, "Defenders")):
        for kind, unit in _kinds(war).items():
            guns = war.supports >> unit & 1
            title = f"corps support, {war.fire[unit][1]}" if guns else f"divisions, fire {kind}"
            found.append(Knob(f"{role} {kind}", f"{title} ({role})", group, 1 if guns else MOST))
    for key, modifier in war.book.modifiers.items():
        if key == RUBBLE:  # which the bombers leave, or do not
            continue
        for role in (ATTACK,) if key in ATTACK_ONLY else (ATTACK, DEFENCE):
            title = modifier.title if key in ATTACK_ONLY else f"{modifier.title} ({role})"
            found.append(Knob(f"{role} {key}", title, "What changes the fire", rule=modifier.rule))
    found.append(Knob(BOMBERS, "heavy bombers", "What changes the fire", rule=rule("13.6c")))
    way = "the defender has a hex to retreat to"
    return *found, Knob(WAY_OUT, way, "The ground", usual=1, rule=rule("13.9/7"))


def troops(war: War) -> Sequence[Troop]:
    """All units, at full strength."""
    kinds = [_kind(war, unit) for unit in range(len(war.names))]
    return [
        Troop(name, war.side_of[unit], {f"{ATTACK} {kind}": 1}, {f"{DEFENCE} {kind}": 1})
        for unit, (name, kind) in enumerate(zip(war.names, kinds, strict=True))
    ]


def look(war: War, values: Mapping[str, int]) -> Preview:
    """The exact chances of the battle, by the default play of both sides."""
    sides = [_fighters(war, values, attacks) for attacks in (True, False)]
    if not any(not fighter.support for fighter in sides[0]):
        raise GameError("Guns alone cannot attack (13.5b): put a division there.")
    if not sides[1]:
        raise GameError("Nobody defends.")
    guns = [unit for kind, unit in _kinds(war).items() if values.get(f"{ATTACK} {kind}")]
    guns = [unit for unit in guns if war.supports >> unit & 1]
    supplied = not values[f"{ATTACK} {OUT_OF_SUPPLY}"]  # 11.5a
    bombers, ruins = war.book.bombers, values[f"{ATTACK} {FORT}"] or values[f"{ATTACK} {CITY}"]
    lineup = Lineup(
        tuple(sides[0]),
        tuple(sides[1]),
        barrage=max(0, war.fire[guns[0]][1] + _change(war, values, True, True))
        if guns and supplied
        else 0,
        bombs=bombers.hit if values[BOMBERS] else 0,
        rubble=DIE + 1 - bombers.rubble if values[BOMBERS] and ruins else 0,
        cover=-war.book.modifiers[RUBBLE].attack,
        city=bool(values[f"{ATTACK} {CITY}"]),
    )
    return foretold(forecast(lineup), list(_lines(war, values)))


def _change(war: War, values: Mapping[str, int], attacks: bool, support: bool) -> int:
    """What the lines that hold change in the fire of a division, or of corps support."""
    role = ATTACK if attacks else DEFENCE
    modifiers = war.book.modifiers.items()
    return sum(m.change(attacks, support) for key, m in modifiers if values.get(f"{role} {key}"))


def _fighters(war: War, values: Mapping[str, int], attacks: bool) -> list[Fighter]:
    """The units of a side, divisions first."""
    role, found = ATTACK if attacks else DEFENCE, list[Fighter]()
    silent = bool(values[f"{role} {OUT_OF_SUPPLY}"])
    kinds = sorted(_kinds(war).items(), key=lambda pair: war.supports >> pair[1] & 1)
    for kind, unit in kinds:
        support = bool(war.supports >> unit & 1)
        more = -DIE if support and silent else _change(war, values, attacks, support)
        full, reduced = war.fire[unit][-1] + more, war.fire[unit][1] + more
        retreats = not attacks and bool(values[WAY_OUT]) and not values[f"{ATTACK} {CITY}"]
        one = Fighter(full, reduced, war.full[unit], support, retreats)
        found += [one] * values[f"{role} {kind}"]
    return found


def _lines(war: War, values: Mapping[str, int]) -> Iterator[Line]:
    """What each kind must roll, and why."""
    for attacks, role in ((True, ATTACK), (False, DEFENCE)):
        for kind, unit in _kinds(war).items():
            if count := values[f"{role} {kind}"]:
                number = war.fire[unit][-1]
                number += _change(war, values, attacks, bool(war.supports >> unit & 1))
                words = f"{number} or less" if number > 0 else "cannot hit"
                yield Line(f"{role}: {count} of {kind}", words, rule("13.3a"))
        for key, modifier in war.book.modifiers.items():
            if values.get(f"{role} {key}"):
                change = modifier.change(attacks, False)
                yield Line(f"{role}: {modifier.title}", f"{change:+d}", modifier.rule)


SAND_TABLE = SandTable(knobs, troops, look)
