"""Odds explored for the screen: on the sand table of a game, or in a match as a player sees it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from apennine.kernel.decision import Choice
from apennine.kernel.game import GameError
from apennine.mechanics.explorer import (
    Explored,
    Outlook,
    from_match,
    from_nothing,
    sand_table,
    targets,
)
from apennine.server.catalogue import Source
from apennine.server.errors import Refused
from apennine.server.messages import PreviewChance, PreviewLine
from apennine.server.room import Room
from apennine.server.state import Eyes


class SandKnob(Struct):
    """Something that may be set on a sand table."""

    key: str
    title: str
    group: str
    least: int
    most: int
    usual: int
    rule: str


class SandTroop(Struct):
    """A unit that may be put there."""

    name: str
    side: str


class SandTable(Struct):
    """What an attack may be put together from."""

    knobs: list[SandKnob]
    troops: list[SandTroop]
    note: str


class AskOdds(Struct, forbid_unknown_fields=True):
    """An attack on the sand table."""

    values: dict[str, int] = {}
    attackers: list[str] = []
    defenders: list[str] = []


class AskAttack(Struct, forbid_unknown_fields=True):
    """An attack in a match: what is attacked, and who attacks; all who can, if nobody is named."""

    target: str = ""
    units: list[str] = []


class OddsRow(Struct):
    """An attack and the exact chance of each result."""

    name: str
    column: str
    chances: list[PreviewChance]


class Odds(Struct):
    """An attack, how its chances come about, and what would change it."""

    title: str
    lines: list[PreviewLine]
    now: OddsRow | None
    others: list[OddsRow]
    able: list[str] = []
    """In a match: who may join the attack."""
    named: list[str] = []
    """Those of them that do."""
    targets: list[str] = []
    """What can be attacked."""
    refused: str = ""
    """Why there is no such attack; then there is nothing else."""


def lay(source: Source) -> SandTable:
    """The sand table of a game."""
    game = source.game()
    try:
        table = sand_table(game)
    except GameError as error:
        raise Refused(404, str(error)) from None
    return SandTable(
        [
            SandKnob(knob.key, knob.title, knob.group, knob.least, knob.most, knob.usual, knob.rule)
            for knob in table.knobs(game.war)
        ],
        [SandTroop(troop.name, game.sides[troop.side]) for troop in table.troops(game.war)],
        table.note,
    )


def on_table(source: Source, asked: AskOdds) -> Odds:
    """The chances of an attack put together from nothing."""
    game = source.game()
    try:
        found = from_nothing(game, asked.values, asked.attackers, asked.defenders)
    except GameError as error:
        return Odds(game.title, [], None, [], refused=str(error))
    return _told(found)


def in_match(room: Room, eyes: Eyes, asked: AskAttack) -> Odds:
    """The chances of an attack of one's own: in a dream, so that nothing hidden is told."""
    decision, game = room.decision, room.game
    if not isinstance(decision, Choice) or decision.side not in eyes.sides:
        raise Refused(403, "It is not for you to choose now.")
    dream = room.match.seat().dream(0)
    aims = [game.board.code(hex) for hex in targets(dream)]
    if not asked.target:
        return Odds(game.title, [], None, [], targets=aims)
    try:
        found = from_match(dream, asked.target, asked.units)
    except GameError as error:
        return Odds(game.title, [], None, [], targets=aims, refused=str(error))
    except ValueError as error:
        raise Refused(422, str(error)) from None
    odds = _told(found)
    odds.able, odds.named = ([game.units[unit] for unit in some] for some in found[4:])
    odds.targets = aims
    return odds


def _told(found: Explored) -> Odds:
    lines = [PreviewLine(*line) for line in found.lines]
    return Odds(found.title, lines, _row(found.now), [*map(_row, found.others)])


def _row(row: Outlook) -> OddsRow:
    return OddsRow(row.name, row.column, list(_chances(row)))


def _chances(row: Outlook) -> Iterable[PreviewChance]:
    for result, chance in row.chances.items():
        yield PreviewChance(result, float(chance), str(chance))
