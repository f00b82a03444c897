"""Positions of Italy 1944 from a few counters, and short ways to play on from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from apennine.games.italy1944.game import Italy1944
from apennine.games.italy1944.rules import c09_combat as battles
from apennine.games.italy1944.rules.c04_zones import occupied, units_in
from apennine.games.italy1944.table.data import read_result
from apennine.games.italy1944.table.position import ALLIED, AWAY, GERMAN, LOST, Table
from apennine.hexes import first_bit, mask_of
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.mechanics.odds import Odds
from apennine.mechanics.tables import read_table
from apennine.testing import Shorthand, arrange

COLUMNS = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1+"]
ROWS = """
    3/0 2/0 2/0 1/0 1/0 1/1 1/1 0/1 1/2
    2/0 2/0 1/0 1/0 1/1 1/1 0/1 1/2 0/2
    2/0 1/0 1/0 1/1 1/1 0/1 1/2 0/2 1/3
    1/0 1/0 1/1 1/1 0/1 1/2 0/2 1/3 0/3
    1/0 1/1 1/1 0/1 1/2 0/2 1/3 0/3 0/3
    1/1 1/1 0/1 1/2 0/2 1/3 0/3 0/3 0/4
"""
GAME = Italy1944()
"""With a combat chart of its own, so that no story hangs on the balance."""
WAR = GAME.war
WAR.combat = read_table(
    "combat",
    {
        "source": "design: for tests",
        "columns": COLUMNS,
        "rows": {str(die): row.split() for die, row in enumerate(ROWS.strip().splitlines(), 1)},
    },
    read_result,
)
CENTRES = "3322 2418"
"""Where the logistic centres are unless told otherwise: Caserta, and below Monte Soratte."""
LAUNCHED = [1, 3]
"""When the landings were made of the beachheads that are drawn."""
IDLE = (
    *("historical deployment", "wait for the centre", "end replacements", "end transfers"),
    *("end planning", "no operation", "end landing", "end commitment", "leave the centre"),
    *("halt", "end movement", "no more support", "stay", "end exploitation", "end combat"),
)
SHORT = Shorthand(GAME, IDLE)
at, mask, codes, number, option = SHORT.at, SHORT.mask, SHORT.codes, SHORT.number, SHORT.option
do, offers, asked, verbs, hexes = SHORT.do, SHORT.offers, SHORT.asked, SHORT.verbs, SHORT.hexes
names, refused, preview, steps = SHORT.names, SHORT.refused, SHORT.preview, SHORT.steps
idle, pass_on, next_turn = SHORT.idle, SHORT.pass_on, SHORT.next_turn
told, events = SHORT.told, SHORT.events


def table(
    phase: str,
    side: int,
    counters: str = "",
    *,
    centres: str = CENTRES,
    beaches: str = "",
    lost: str = "",
    allied: str = "",
    german: str = "",
    options: Mapping[str, bool] | None = None,
    check: bool = True,
    **fields: Any,
) -> Table:
    """A position with these counters, in turn 2 unless told otherwise; nobody else has come yet.

    `centres` are the Allied and the German one, `-` if it is eliminated; if none are given there
    are no lines of communication, so nothing hangs on their length. The units in `lost` are
    eliminated. Each side controls its side of the front of January, the hexes where its units are,
    its beachheads, and those named in `allied` or `german`.
    """
    landings = [at(code) for code in beaches.split()]
    given = {
        "turn": 2,
        "centre": [LOST if code == "-" else at(code) for code in centres.split()] or [AWAY, AWAY],
        "beaches": landings,
        "intake": [0] * len(landings),
        "launched": LAUNCHED[: len(landings)],
    }
    pos = arrange(
        GAME,
        counters,
        options=options,
        others=AWAY,
        check=False,
        phase=phase,
        side=side,
        **given | fields,
    )
    for name in filter(None, map(str.strip, lost.split(","))):
        pos.hex[number(name)], pos.steps[number(name)] = LOST, 0
    pos.control |= mask(allied) | mask_of(landings) | occupied(WAR, pos, ALLIED)
    pos.control &= ~(mask(german) | occupied(WAR, pos, GERMAN))
    in_box = units_in(WAR, pos, WAR.reserve, ALLIED)
    pos.entered = tuple(max(t, 0) if u in in_box else t for u, t in enumerate(pos.entered))
    faults = [fault.sentence for fault in GAME.check(pos)] if check else []
    assert not faults, faults
    return pos


def begin(phase: str, side: int, counters: str = "", **fields: Any) -> Match[Table]:
    """A match that begins with these counters alone."""
    return Match(GAME, position=table(phase, side, counters, **fields), seed=1)


def movement(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("movement", side, counters, **fields)


def combat(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    return begin("combat", side, counters, **fields)


def turn_end(counters: str, **fields: Any) -> Match[Table]:
    """The supply check, after which the next turn begins."""
    return begin("end", ALLIED, counters, **fields)


def picked(match: Match[Table], *units: str) -> Match[Table]:
    """A fork in which these units were picked to move together."""
    fork = match.fork()
    for place, unit in enumerate(units):
        do(fork, "take along" if place else "move", unit)
    return fork


def reach(match: Match[Table], *units: str) -> set[str]:
    """Where units that move together may go."""
    return hexes(picked(match, *units), "go")


def go(match: Match[Table], hex: str, *units: str) -> None:
    """Pick units, which begin in the same hex, and move them together."""
    for place, unit in enumerate(units):
        do(match, "take along" if place else "move", unit)
    match.choose(next(o for o in offers(match) if (o.verb, o.hex) == ("go", at(hex))))


def halt(match: Match[Table]) -> None:
    """End the move under way, unless it is over anyway."""
    if "halt" in verbs(match):
        match.choose(next(o for o in offers(match) if o.verb == "halt"))


def price(match: Match[Table], unit: str, hex: str) -> float:
    """What a unit would pay to go there."""
    fork = picked(match, unit)
    return float(preview(fork, "go", unit, hex).cost.split()[0])


def shifts(match: Match[Table], hex: str) -> dict[str, int]:
    """The columns, by the rule that gives them, if all who can attack this hex do."""
    shown = preview(match, "attack", hex=hex)
    return added((line.rule, int(line.value)) for line in shown.lines if line.value[0] in "+-")


def added(columns: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Columns by their reason; what is given twice shows."""
    total: dict[str, int] = {}
    for reason, count in columns:
        total[reason] = total.get(reason, 0) + count
    return total


def factors(match: Match[Table], hex: str) -> tuple[int, int]:
    """Attack against defence if all who can attack this hex do."""
    shown = {line.text: line.value for line in preview(match, "attack", hex=hex).lines}
    return int(shown["attack"]), int(shown["defence"])


def support(match: Match[Table], *kinds: str) -> None:
    """Declare markers, "air" or "naval", and end the declaration if there could be more."""
    for kind in kinds:
        do(match, f"{kind} support", hex=GAME.board.code(match.position.target))
    if "no more support" in verbs(match):
        do(match, "no more support")


def attack(match: Match[Table], hex: str, *units: str, die: int, **markers: int) -> None:
    """Attack a hex with just these units, and with so much support as `declare` is told of.

    Stops where losses are to be chosen, or what to do after them.
    """
    match.force(die)
    announce(match, hex, *units)
    declare(match, **markers)


def announce(match: Match[Table], hex: str, *units: str) -> None:
    """Announce an attack on a hex by just these units; who alone can attack is never asked for."""
    before = len(match.log)
    do(match, "attack", hex=hex)
    for order in (*(option("attack with", unit, hex) for unit in units), option("fight", hex=hex)):
        if order in offers(match):
            match.choose(order)
    took_part = {
        GAME.units[entry.option.unit]
        for entry in match.log[before:]
        if isinstance(entry, Chosen) and entry.option.verb == "attack with"
    }
    assert took_part == set(units)


def declare(
    match: Match[Table], *, air: int = 0, naval: int = 0, against: int = 0, ships: int = 0
) -> None:
    """So many markers of the attacker, air and naval, then so many of the defender."""
    for role, planes, vessels in ((0, air, naval), (1, against, ships)):
        for verb, count in (("air support", planes), ("naval support", vessels)):
            for _ in range(count):
                assert match.position.supporting == role
                do(match, verb, hex=GAME.board.code(match.position.target))
        if match.position.supporting == role and option("no more support") in offers(match):
            do(match, "no more support")


def markers(match: Match[Table], name: str) -> dict[str, str]:
    """The hexes of the markers with this name that lie on the map for all to see, by side."""
    shown = match.view(GERMAN)["markers"]
    return {marker["side"]: marker["hex"] for marker in shown if marker["name"] == name}


def where(match: Match[Table], unit: str) -> str:
    """The hex of a unit, "reserve", or what became of it."""
    shown = match.view(ALLIED)["units"][number(unit)]
    return shown["hex"] or shown["where"]


def cut(match: Match[Table]) -> set[str]:
    """The units that are marked as out of supply."""
    return {name for u, name in enumerate(GAME.units) if match.position.cut >> u & 1}


def march(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A movement phase without logistic centres."""
    return movement(counters, side, **{"centres": ""} | fields)


def clash(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A combat phase without logistic centres."""
    return combat(counters, side, **{"centres": ""} | fields)


def set_of(*units: str) -> int:
    """A set of units."""
    return mask_of(map(number, units))


def lead(match: Match[Table]) -> str:
    """The unit in whose name a moving stack gets its orders."""
    return GAME.units[first_bit(match.position.movers)]


def pick(match: Match[Table], *units: str) -> None:
    """Pick up a unit, or a stack."""
    for place, unit in enumerate(units):
        do(match, "take along" if place else "move", unit)


def go_on(match: Match[Table], hex: str) -> None:
    """The stack that is moving goes to a hex."""
    do(match, "go", lead(match), hex)


def points(match: Match[Table]) -> float:
    """The points that the moving stack has left, operational movement left aside."""
    return match.position.points / WAR.scale


def with_points(monkeypatch: pytest.MonkeyPatch, unit: str, points: int) -> None:
    """Give a unit so many movement points: all counters of the game have an even number."""
    changed = list(WAR.moves)
    changed[number(unit)] = tuple(points for _ in changed[number(unit)])
    monkeypatch.setattr(WAR, "moves", tuple(changed))


def mobile_attack(match: Match[Table], hex: str, *, die: int, **markers: int) -> None:
    """The stack that is moving attacks a hex, with so much support as `declare` is told of."""
    match.force(die)
    do(match, "mobile attack", lead(match), hex)
    declare(match, **markers)


def odds(match: Match[Table], hex: str, *units: str) -> Odds:
    """The odds of an attack by these units, as things stand."""
    return battles.odds(WAR, match.position, at(hex), [number(unit) for unit in units])


def shifts_of(match: Match[Table], hex: str, *units: str) -> dict[str, int]:
    """The columns of an attack by these units, by the rule that gives them."""
    return added((shift.rule, shift.columns) for shift in odds(match, hex, *units).shifts)


def results(match: Match[Table]) -> list[str]:
    """The results of the battles so far, as the chart has them: the attacker's losses first."""
    return ["{}/{}".format(*divmod(event.value, 10)) for event in events(match, "result")]
