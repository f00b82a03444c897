"""A report from its title to its tables, as blocks that can be written down in any way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apennine.kernel.game import EVERYBODY, REFEREE
from apennine.kernel.words import unit_name

from . import graphs
from .document import Block, Grid, Heading, Listing, Paragraph, Picture
from .facts import OPENING, Facts, Fight, Turn
from .maps import Atlas
from .phrases import many, sentence, series, spot
from .prose import Writer

MAP_KEY = (
    "Counters show the steps that stand in a hex, arrows who came from where, "
    "bursts where there was fighting"
)
SCALE = 4
"""Points that together grow or shrink by more than this from one turn to the next count
something else."""
HARDEST = 3
"""So many battles are named as the costliest."""


def compose(facts: Facts, atlas: Atlas) -> Iterator[Block]:
    """All blocks of a report, in order."""
    writer = Writer(facts)
    yield Heading(1, title(facts))
    yield Paragraph(viewpoint(facts))
    yield Heading(2, "The outcome")
    yield from _outcome(facts)
    if facts.turns:
        yield Heading(2, "The course of events")
        yield Listing([(t.name, writer.headline(t)) for t in facts.turns if t.number != OPENING])
        yield from _graphs(facts)
    for turn in facts.turns:
        yield from _turn(facts, turn, writer, atlas)
    yield from _losses(facts)


def title(facts: Facts) -> str:
    """The name of the game and of what was played."""
    scenario = next((s.title for s in facts.game.scenarios if s.key == facts.scenario), "")
    return ": ".join(dict.fromkeys(filter(None, (facts.game.title, scenario))))


def viewpoint(facts: Facts) -> str:
    """What the report is, and who could see what it tells."""
    sides = facts.game.sides
    played = [turn.spoken for turn in facts.turns if turn.number != OPENING]
    span = f", {played[0]} to {played[-1]}" if len(played) > 1 else ""
    if facts.side == REFEREE:
        seen = "It tells everything, the secrets of all sides included."
    elif facts.side == EVERYBODY:
        seen = "It tells what a spectator could see."
    else:
        seen = f"It tells what the {sides[facts.side]} side could see."
    return f"After-action report{span}, {series(list(sides))}. {seen}"


def _outcome(facts: Facts) -> Iterator[Block]:
    sides, outcome = facts.game.sides, facts.outcome
    if outcome is None:
        yield Paragraph("The game was not over when this was written.")
    else:
        who = f"{sides[outcome.winner]} victory." if outcome.winner >= 0 else "A draw."
        rule = f" (rule {outcome.rule})" if outcome.rule else ""
        yield Paragraph(f"{sentence(outcome.reason).removesuffix('.')}{rule}.", who)
    fights = [fight for turn in facts.turns for fight in turn.fights]
    lost = [sum(turn.lost[side] for turn in facts.turns) for side in range(len(sides))]
    cost = series([many(steps, f"{name} step") for steps, name in zip(lost, sides)])
    dead = series(
        [
            many(len([d for d in facts.deaths if facts.owners.get(d.unit) == side]), f"{name} unit")
            for side, name in enumerate(sides)
        ]
    )
    played = [turn for turn in facts.turns if turn.number != OPENING]
    verb = "was" if len(fights) == 1 else "were"
    yield Paragraph(
        f"In {many(len(played), 'turn')} {many(len(fights), 'battle')} {verb} fought. "
        f"{sentence(f'{cost} were lost, and {dead} destroyed')}"
    )
    hardest = sorted(
        ((turn, fight) for turn in facts.turns for fight in turn.fights),
        key=lambda pair: -_steps(pair[1]),
    )[:HARDEST]
    costly = [(turn, fight) for turn, fight in hardest if _steps(fight) > 1]
    if costly:
        told = [
            f"{spot(facts.game, fight.place)} ({turn.name}, {many(_steps(fight), 'step')})"
            for turn, fight in costly
        ]
        one = (
            "The costliest battle was that of"
            if len(told) == 1
            else "The costliest battles were those of"
        )
        yield Paragraph(f"{one} {series(told)}.")


def _steps(fight: Fight) -> int:
    return sum(loss.steps for loss in fight.losses)


def _graphs(facts: Facts) -> Iterator[Block]:
    sides = facts.game.sides
    played = [turn for turn in facts.turns if turn.number != OPENING]
    names = [turn.name.removeprefix("Turn ") for turn in played]
    points = _comparable([facts.opening.points, *(turn.standing.points for turn in played)])
    if len(points) > 1:
        caption = "How the sides stood at the end of each turn"
        dates = ["start", *names][-len(points) :]
        yield Picture("standing", caption, graphs.lines(caption, sides, dates, points))
    if facts.side == REFEREE and len(chances := _chances(facts, played)) > 1:
        caption = "The chance to win at the end of each turn, in per cent"
        yield Picture("chances", caption, graphs.lines(caption, sides, names, chances))
    if played:
        caption = "Steps lost in each turn"
        lost = [turn.lost for turn in played]
        yield Picture("losses", caption, graphs.bars(caption, sides, names, lost))


def _chances(facts: Facts, turns: Sequence[Turn]) -> list[list[int]]:
    """By turn and side, in per cent; empty in a game that gives none."""
    sides = range(len(facts.game.sides))
    found = [[facts.game.outlook(turn.position, side) for side in sides] for turn in turns]
    told = [[round(100 * chance) for chance in row if chance is not None] for row in found]
    return told if all(len(row) == len(sides) for row in told) else []


def _comparable(points: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The last points that count the same: a game may decide under way what wins.

    >>> _comparable([(8, 45), (9, 44), (1, 1), (2, 0)])
    [(1, 1), (2, 0)]
    """
    kept: list[tuple[int, ...]] = []
    for row in reversed(points):
        total, later = sum(row), sum(kept[-1]) if kept else sum(row)
        if not row or total > SCALE * later or later > SCALE * total:
            break
        kept.append(row)
    return kept[::-1]


def _turn(facts: Facts, turn: Turn, writer: Writer, atlas: Atlas) -> Iterator[Block]:
    yield Heading(2, turn.name)
    if turn.number != OPENING:
        yield Paragraph(writer.headline(turn))
    caption = f"The map at the end of {turn.spoken}. {MAP_KEY}"
    yield Picture(f"map-{turn.number:02}", caption, atlas.layers(turn), is_map=True)
    for section in turn.sections:
        paragraphs = list(writer.section(section))
        if paragraphs:
            yield Heading(3, f"{facts.game.sides[section.side]} operations")
            yield from paragraphs
    if turn.standing.sentence and turn.number != OPENING:
        yield Paragraph(turn.standing.sentence, f"At the end of {turn.spoken}:")


def _losses(facts: Facts) -> Iterator[Block]:
    sides = facts.game.sides
    yield Heading(2, "Losses")
    columns = ["Turn", *(f"{name}: steps" for name in sides)]
    scored = any(turn.standing.points for turn in facts.turns)
    if scored:
        columns += [f"{name}: standing" for name in sides]
    rows = [
        [turn.name, *map(str, turn.lost), *(map(str, turn.standing.points) if scored else ())]
        for turn in facts.turns
        if turn.number != OPENING
    ]
    rows.append(
        ["All", *(str(sum(turn.lost[side] for turn in facts.turns)) for side in range(len(sides)))]
        + [""] * (len(sides) if scored else 0)
    )
    yield Grid("Steps lost by turn", columns, rows)
    for side, name in enumerate(sides):
        dead = [death for death in facts.deaths if facts.owners.get(death.unit) == side]
        if dead:
            yield Grid(
                f"{name} units destroyed",
                ["Unit", "Where", "When"],
                [
                    [
                        unit_name(facts.game, death.unit),
                        spot(facts.game, death.hex) if death.hex >= 0 else "off the map",
                        facts.name_of(death.turn),
                    ]
                    for death in dead
                ],
            )
