"""Odds explored: the exact chances of an attack, and of the attacks next to it.

From nothing, an attack is put together on the sand table of its game. From a moment of a match it
is put together by the orders of the game itself, on a fork, and told by the preview of the order
that fights it: so every rule of the game counts, and none is written twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from apennine.kernel.decision import Choice, Line, Option
from apennine.kernel.game import Game, GameError, Preview
from apennine.kernel.log import Rolled
from apennine.kernel.match import Match
from apennine.kernel.sandtable import Knob, SandTable, Troop

BEGINS, AIMS, JOINS, FIGHTS = ("attack", "strike with"), "target", "attack with", "fight"
"""The verbs by which games put an attack together: with a hex that is attacked, or from which."""
AROUND = (-3, -2, -1, 1, 2, 3)


class Outlook(NamedTuple):
    """An attack: its column, and the exact chance of each result."""

    name: str
    column: str
    chances: Mapping[str, Fraction]


class Explored(NamedTuple):
    """The attack that was asked for, how its chances come about, and what would change it."""

    title: str
    lines: tuple[Line, ...]
    now: Outlook
    others: tuple[Outlook, ...]
    able: tuple[int, ...] = ()
    """In a match: all units that may join it."""
    named: tuple[int, ...] = ()
    """Those of them that do."""

    @property
    def results(self) -> tuple[str, ...]:
        """All results that may come up, in the order in which they are met."""
        rows = (self.now, *self.others)
        return tuple(dict.fromkeys(result for row in rows for result in row.chances))


# From nothing.


def sand_table(game: Game[Any]) -> SandTable:
    """The sand table of a game; GameError if it has none."""
    if game.sand_table is None:
        raise GameError(f"{game.title} has no sand table: explore an attack of a saved match.")
    return game.sand_table


def from_nothing(
    game: Game[Any],
    values: Mapping[str, int],
    attackers: Sequence[str] = (),
    defenders: Sequence[str] = (),
) -> Explored:
    """An attack with these values of the knobs, and with what these units add to them."""
    table, war = sand_table(game), game.war
    knobs = {knob.key: knob for knob in table.knobs(war)}
    for key in values:
        if key not in knobs:
            raise GameError(f"{game.title} has nothing called {key!r}; it has {', '.join(knobs)}.")
    known = {troop.name: troop for troop in table.troops(war)}
    added = [
        (name, _adds(game, known, name, attacks))
        for attacks, names in ((True, attackers), (False, defenders))
        for name in names
    ]
    if attackers and defenders:
        sides = {known[name].side for name in attackers}, {known[name].side for name in defenders}
        if sides[0] & sides[1]:
            raise GameError("The same side cannot attack and defend.")
    total = _sum(knobs, values, [adds for _, adds in added])
    now = _looked(game, knobs, "so", total)

    def others() -> Iterator[Outlook]:
        for nth, (name, _) in enumerate(added):
            fewer = [adds for place, (_, adds) in enumerate(added) if place != nth]
            less = _sum(knobs, values, fewer)
            if less != total:
                yield from _tried(game, knobs, f"without {name}", less)
        for knob in knobs.values():
            for by in knob.tries:
                name = _change(knob, by, total[knob.key])
                yield from _tried(game, knobs, name, total | {knob.key: total[knob.key] + by})

    preview = table.look(war, total)
    title = f"{game.title}: {' and '.join(attackers) or 'an attack'}"
    title += f" against {' and '.join(defenders)}" if defenders else ""
    return Explored(title, preview.lines, now, tuple(others()))


def _adds(
    game: Game[Any], known: Mapping[str, Troop], name: str, attacks: bool
) -> Mapping[str, int]:
    if name not in known:
        raise GameError(f"{game.title} has no unit called {name!r} on its sand table.")
    troop = known[name]
    adds = troop.attacking if attacks else troop.defending
    if not any(adds.values()):
        raise GameError(f"{name} cannot {'attack' if attacks else 'defend'}.")
    return adds


def _sum(
    knobs: Mapping[str, Knob], values: Mapping[str, int], added: Sequence[Mapping[str, int]]
) -> dict[str, int]:
    """A value for every knob: what units add, and what is set; else as it usually is."""
    counted = Counter[str]()
    for adds in added:
        counted.update(adds)
    return {
        key: counted[key] + values.get(key, 0) if key in counted else values.get(key, knob.usual)
        for key, knob in knobs.items()
    }


def _looked(
    game: Game[Any], knobs: Mapping[str, Knob], name: str, values: Mapping[str, int]
) -> Outlook:
    for key, knob in knobs.items():
        if not knob.least <= values[key] <= knob.most:
            raise GameError(
                f"{knob.title}: {values[key]} is not between {knob.least} and {knob.most}."
            )
    return _outlook(name, sand_table(game).look(game.war, values))


def _tried(
    game: Game[Any], knobs: Mapping[str, Knob], name: str, values: Mapping[str, int]
) -> Iterator[Outlook]:
    """The attack with other values, if there is such a one."""
    try:
        yield _looked(game, knobs, name, values)
    except GameError:
        return


def _change(knob: Knob, by: int, value: int) -> str:
    """What a change of a knob is called.

    >>> (
    ...     _change(Knob("river", "across a river", "", 1), -1, 1),
    ...     _change(Knob("a", "guns", "", 4), 1, 0),
    ... )
    ('without across a river', 'guns +1')
    """
    if knob.least == 0 and knob.most == 1:
        return f"{'without' if value else 'with'} {knob.title}"
    return f"{knob.title} {by:+d}"


# From a match.


def targets(match: Match[Any]) -> list[int]:
    """The hexes that can be attacked at the present moment of a match."""
    return sorted({hex for _, hex in _beginnings(match)})


def _beginnings(match: Match[Any]) -> Iterator[tuple[tuple[Option, ...], int]]:
    """The orders by which attacks begin, each with the hex that is attacked."""
    for option in _options(match):
        if option.verb not in BEGINS:
            continue
        fork = match.fork(seed=0)
        fork.choose(option)
        aims = [each for each in _options(fork) if each.verb == AIMS]
        if aims:
            yield from (((option, aim), aim.hex) for aim in aims)
        elif getattr(fork.position, "target", -1) >= 0:
            yield (option,), fork.position.target
        else:
            yield (option,), option.hex


def from_match(match: Match[Any], target: str | None, units: Sequence[str]) -> Explored:
    """An attack by these units, or by all that may join it, at the present moment of a match."""
    game = match.game
    if target is None:
        raise GameError("Say what is attacked: --target HEX.")
    hex = game.board.parse(target)
    begun = next((orders for orders, aim in _beginnings(match) if aim == hex), None)
    if begun is None:
        decision = match.decision
        asked = decision.prompt if isinstance(decision, Choice) else "nothing"
        raise GameError(f"{target} cannot be attacked now; what is asked is: {asked}.")
    fork, before = match.fork(seed=0), match
    for order in begun:
        before = fork.fork()
        fork.choose(order)
    # Who alone can attack has joined already, and may have fought.
    able = [option.unit for option in _options(fork) if option.verb == JOINS]
    wanted = [game.unit(name) for name in units]
    for unit in wanted:
        if unit not in able:
            raise GameError(f"{game.units[unit]} cannot join the attack on {target}.")
    if not able:
        preview = _told(match, before.preview(begun[-1]))
        others = tuple(_beside(game, preview))
        return Explored(f"{game.title}: {target}", preview.lines, _outlook("so", preview), others)
    preview, named, joined = _joined(fork, wanted or able)
    told = _told(match, preview)
    names = " and ".join(game.units[unit] for unit in named)
    rows = (*_more_or_fewer(fork, able, named), *_supported(joined), *_beside(game, told))
    title = f"{game.title}: {names} against {target}"
    now = _outlook("so", told)
    return Explored(title, told.lines, now, rows, tuple(able), tuple(named))


def _joined(
    match: Match[Any], units: Sequence[int]
) -> tuple[Preview | None, list[int], Match[Any]]:
    """The attack with these units, those of them who may join, and the match when they have."""
    fork, preview, named = match.fork(seed=0), None, list[int]()
    for unit in units:
        option = next((o for o in _options(fork) if (o.verb, o.unit) == (JOINS, unit)), None)
        if option is not None:
            preview = fork.preview(option)
            fork.choose(option)
            named.append(unit)
    return preview, named, fork


def _more_or_fewer(
    fork: Match[Any], able: Sequence[int], named: Sequence[int]
) -> Iterator[Outlook]:
    """What one more unit would change, or one fewer."""
    for unit in able:
        name = fork.game.units[unit]
        if unit in named:
            force = [each for each in named if each != unit]
            words = f"without {name}"
        else:
            force, words = [*named, unit], f"with {name} too"
        preview, joined, _ = _joined(fork, force)
        if preview is not None and preview.chances and joined == force:
            yield _outlook(words, preview)


def _supported(match: Match[Any]) -> Iterator[Outlook]:
    """What each support would change that the attacker may call for before a die is thrown."""
    side = match.decision.side if isinstance(match.decision, Choice) else -1
    fights = next((option for option in _options(match) if option.verb == FIGHTS), None)
    if fights is not None:
        match = match.fork(seed=0)
        length = len(match.log)
        match.choose(fights)
        if any(type(entry) is Rolled for entry in match.log[length:]):
            return
    if not isinstance(match.decision, Choice) or match.decision.side != side:
        return
    seen = set[tuple[object, ...]]()
    for option in match.decision.options:
        if option.verb in (JOINS, FIGHTS) or option == Option(option.verb):
            continue
        preview = match.preview(option)
        if preview is not None and preview.chances:
            words = match.game.units[option.unit] if option.unit >= 0 else ""
            row = _outlook(f"with {option.verb}{words and f': {words}'}", preview)
            told = (option.verb, row.column, *row.chances.items())
            if told not in seen:  # ten ships that do the same are told once
                seen.add(told)
                yield row


def _beside(game: Game[Any], preview: Preview) -> Iterator[Outlook]:
    """What a shift of columns is worth, in a game that has columns."""
    table = game.sand_table
    if table is None or table.shifted is None or not preview.column:
        return
    for by in AROUND:
        yield _outlook(f"columns {by:+d}", table.shifted(game.war, preview.column, by))


def _options(match: Match[Any]) -> Sequence[Option]:
    return match.decision.options if isinstance(match.decision, Choice) else ()


def _told(match: Match[Any], preview: Preview | None) -> Preview:
    if preview is None or not preview.chances:
        raise GameError(f"{match.game.title} tells no chances of this attack.")
    return preview


def _outlook(name: str, preview: Preview) -> Outlook:
    chances = {chance.result: chance.probability for chance in preview.chances}
    return Outlook(name, preview.column, chances)
