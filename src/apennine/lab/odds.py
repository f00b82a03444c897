"""Odds explored: the exact chances of an attack, and of the attacks next to it.

From nothing, two strengths and a shift are read on the combat table of a game. From a moment of a
match, the attack is put together by the orders of the game itself, on a fork, and told by the
preview of the order that fights it: so every rule of the game counts, and none is written twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, cast

from apennine.kernel.decision import Choice, Option
from apennine.kernel.game import Game, GameError, Preview
from apennine.kernel.match import Match
from apennine.mechanics.odds import HOPELESS, Ladder
from apennine.mechanics.tables import Table

AROUND = 3
"""Columns to either side that are shown beside the one asked for."""
TARGET, JOIN = "attack", "attack with"
"""The verbs by which games put an attack together."""


class Outlook(NamedTuple):
    """An attack: its column, and the exact chance of each result."""

    name: str
    column: str
    chances: Mapping[str, Fraction]


class Explored(NamedTuple):
    """The attack that was asked for, how its column was found, and what would change it."""

    title: str
    lines: tuple[str, ...]
    now: Outlook
    others: tuple[Outlook, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """All results that may come up, in the order in which they are met."""
        rows = (self.now, *self.others)
        return tuple(dict.fromkeys(result for row in rows for result in row.chances))


def from_strengths(
    game: Game[Any], attack: str | None, defence: str | None, shift: int = 0
) -> Explored:
    """Two strengths on the game's combat table."""
    ladder, chart, dice = _table(game)
    strong, weak = _strength(attack, "--attack"), _strength(defence, "--defence")
    raw = ladder.column(strong, weak)
    if raw == HOPELESS:
        raise GameError("An attack needs some strength.")

    def outlook(name: str, column: int) -> Outlook:
        printed = ladder.clamp(column)
        chances = chart.chances(printed, dice)
        told = {str(result): chance for result, chance in chances.items()}
        return Outlook(name, ladder.label(printed), told)

    start = ladder.shift(raw, shift)
    others = [
        outlook(f"{abs(by)} {'right' if by > 0 else 'left'}", ladder.shift(raw, shift + by))
        for by in range(-AROUND, AROUND + 1)
        if by
    ]
    lines = [f"{strong} to {weak} is {ladder.label(raw)}"]
    if shift:
        lines.append(f"{abs(shift)} {'right' if shift > 0 else 'left'}: {ladder.label(start)}")
    return Explored(
        f"{game.title}: {strong} against {weak}", tuple(lines), outlook("so", start), tuple(others)
    )


def _table(game: Game[Any]) -> tuple[Ladder, Table[Any], tuple[int, ...]]:
    ladder, chart = getattr(game.war, "ladder", None), getattr(game.war, "combat", None)
    if not isinstance(ladder, Ladder) or not isinstance(chart, Table):
        raise GameError(
            f"{game.title} has no combat table of odds: explore an attack of a saved match."
        )
    dice = cast("tuple[int, ...]", getattr(game.war, "dice", (6,)))
    return ladder, cast("Table[Any]", chart), dice


def _strength(text: str | None, name: str) -> int | Fraction:
    if text is None:
        raise GameError("Give two strengths, --attack and --defence, or a saved match, --save.")
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise GameError(
            f"{name} {text!r} is no strength: write a number such as 12 or 7/2."
        ) from None
    if value < 0:
        raise GameError(f"{name} {text!r} is less than nothing.")
    return int(value) if value.denominator == 1 else value


def from_match(match: Match[Any], target: str | None, units: Sequence[str]) -> Explored:
    """An attack by these units, or by all that may join it, at the present moment of a match."""
    game = match.game
    if target is None:
        raise GameError("Say what is attacked: --target HEX.")
    hex = game.board.parse(target)
    attack = _find(match, TARGET, hex=hex)
    if attack is None:
        decision = match.decision
        asked = decision.prompt if isinstance(decision, Choice) else "nothing"
        raise GameError(f"{target} cannot be attacked now; what is asked is: {asked}.")
    fork = match.fork(seed=0)
    fork.choose(attack)
    # Who alone can attack has joined already, and may have fought.
    able = [option.unit for option in _options(fork) if option.verb == JOIN]
    wanted = [game.unit(name) for name in units]
    for unit in wanted:
        if unit not in able:
            raise GameError(f"{game.units[unit]} cannot join the attack on {target}.")
    named = wanted or able
    if not named:
        preview = _told(match, match.preview(attack))
        return Explored(f"{game.title}: {target}", _lines(preview), _outlook("so", preview), ())

    def prospect(force: Sequence[int]) -> Preview:
        other = fork.fork(seed=0)
        for unit in force[:-1]:
            _join(other, unit)
        last = _find(other, JOIN, unit=force[-1])
        return _told(other, other.preview(last) if last is not None else None)

    preview = prospect(named)
    others = [
        _outlook(f"with {game.units[unit]} too", prospect([*named, unit]))
        for unit in able
        if unit not in named
    ]
    others += [
        _outlook(f"without {game.units[unit]}", prospect([each for each in named if each != unit]))
        for unit in named
        if len(named) > 1
    ]
    names = " and ".join(game.units[unit] for unit in named)
    title = f"{game.title}: {names} against {target}"
    return Explored(title, _lines(preview), _outlook("so", preview), tuple(others))


def _options(match: Match[Any]) -> Sequence[Option]:
    return match.decision.options if isinstance(match.decision, Choice) else ()


def _find(match: Match[Any], verb: str, unit: int = -1, hex: int = -1) -> Option | None:
    for option in _options(match):
        if option.verb == verb and unit in (-1, option.unit) and hex in (-1, option.hex):
            return option
    return None


def _join(match: Match[Any], unit: int) -> None:
    option = _find(match, JOIN, unit=unit)
    if option is None:
        raise GameError(f"{match.game.units[unit]} cannot join so small an attack.")
    match.choose(option)


def _told(match: Match[Any], preview: Preview | None) -> Preview:
    if preview is None or not preview.chances:
        raise GameError(f"{match.game.title} tells no chances of this attack.")
    return preview


def _lines(preview: Preview) -> tuple[str, ...]:
    return tuple(
        f"{line.text} {line.value}" + (f" ({line.rule})" if line.rule else "")
        for line in preview.lines
    )


def _outlook(name: str, preview: Preview) -> Outlook:
    chances = {chance.result: chance.probability for chance in preview.chances}
    return Outlook(name, preview.column, chances)
