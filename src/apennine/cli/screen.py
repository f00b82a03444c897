"""What the terminal shows: the table, the menu, the log. Every function only draws.

Of a view, which is the game's own, three things are known here: `turn`, `phase` and `side` say
where we are; `units` lists units with `name`, `side` and `hex`; all else is shown as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from apennine.board import draw_text
from apennine.cli.common import table
from apennine.kernel.decision import Option, Roll
from apennine.kernel.game import Game, Outcome, Preview, Standing
from apennine.kernel.ledger import LedgerError
from apennine.kernel.log import Chosen, Entry, Rolled
from apennine.kernel.story import Chapter, Passage, Teller, steps
from apennine.kernel.words import describe, describe_entry

MARKS = "■□◆◇"
"""One for each side, in front of its counters on the map; the second row is for old terminals."""
PLAIN_MARKS = "#o*x"
COLOURS = ("bold bright_blue", "bold bright_red", "bold bright_yellow", "bold bright_magenta")

_FEW = 3
"""So many options that differ in their hex alone are still listed one to a line."""


def where_line(view: Mapping[str, Any]) -> Text:
    """Turn, phase and side, then whatever else lies on the table."""
    turn, phase, side = (str(view.get(name, "?")) for name in ("turn", "phase", "side"))
    text = Text.assemble((f"Turn {turn}, {phase} ({side})", "bold"))
    for name, value in view.items():
        nothing = value is False or value in (None, [], {}, "")
        if name not in ("turn", "track", "phase", "side", "units", "markers") and not nothing:
            text.append(f" · {name}: {_plain(value)}", "dim")
    return text


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value)
        return ", ".join(f"{name} {_plain(item)}" for name, item in items.items())
    if isinstance(value, list):
        things = cast("list[Any]", value)
        nested = any(isinstance(thing, Mapping) for thing in things)
        return ("; " if nested else ", ").join(map(_plain, things)) or "none"
    return str(value)


def prompt_line(game: Game[Any], side: int, prompt: str, rule: str) -> Text:
    """Who must do what, and by which rule."""
    colour = COLOURS[side % len(COLOURS)]
    return Text.assemble(
        (f"{game.sides[side]}: ", colour), (prompt, "bold"), (f" [{rule}]", "cyan")
    )


def roll_line(roll: Roll) -> Text:
    """Which dice somebody must throw, what for, and by which rule."""
    dice = ", ".join(f"1-{sides}" for sides in roll.sides)
    return Text.assemble(
        (f"Roll for {roll.purpose}", "bold"),
        (f" [{roll.rule}]", "cyan"),
        f": type the dice ({dice}).",
    )


def menu(game: Game[Any], options: Sequence[Option], view: Mapping[str, Any]) -> Table:
    """The options by number. Those that differ in nothing but their hex share a few lines."""
    listing = Table(box=None, pad_edge=False, show_header=False)
    listing.add_column(style="bold green", justify="right", no_wrap=True)
    listing.add_column(overflow="fold")
    stands = _unit_hexes(game, view)
    numbered = list(enumerate(options, start=1))
    for _, group in groupby(numbered, key=lambda item: _but_hex(item[1])):
        alike = list(group)
        if len(alike) <= _FEW or alike[0][1].hex < 0:
            for number, option in alike:
                listing.add_row(f"{number})", _with_place(game, option, stands))
            continue
        words = describe(game, alike[0][1])
        code = game.board.code(alike[0][1].hex)
        listing.add_row("", words[: words.rindex(code)].rstrip())
        places = [
            Text.assemble((f"{number}) ", "bold green"), _place(game, option.hex))
            for number, option in alike
        ]
        listing.add_row("", Columns(places, padding=(0, 3)))
    return listing


def _but_hex(option: Option) -> tuple[str, int, int, bool]:
    return option.verb, option.unit, option.value, option.hex < 0


def _place(game: Game[Any], hex: int) -> str:
    """A hex with the name of the place in it."""
    board = game.board
    names = [] if board.is_box(hex) else [place.name for place in board.places_at(hex)]
    return " ".join([board.code(hex), *names])


def _with_place(game: Game[Any], option: Option, stands: Mapping[int, int]) -> Text:
    """An option with what helps to find it: the name of its hex, and where its unit stands."""
    text = Text(describe(game, option))
    if option.hex >= 0:
        text.append(_place(game, option.hex).removeprefix(game.board.code(option.hex)), "dim")
    stand = stands.get(option.unit, option.hex)
    if stand != option.hex:
        text.append(f" (in {_place(game, stand)})", "dim")
    return text


def _unit_hexes(game: Game[Any], view: Mapping[str, Any]) -> dict[int, int]:
    """Where the units stand, as far as the view says it."""
    numbers = {name: number for number, name in enumerate(game.units)}
    return {
        numbers[unit["name"]]: game.board.parse(unit["hex"])
        for unit in view.get("units", ())
        if unit.get("hex") is not None and unit.get("name") in numbers
    }


def labels(
    game: Game[Any],
    view: Mapping[str, Any],
    options: Sequence[Option] = (),
    *,
    marks: str = MARKS,
    longest: int = 8,
) -> dict[int, str]:
    """A short label for each hex and box with counters, with options, or with both.

    It has the mark of the side, the first counter's name, cut where the label would grow too
    long, a plus if there are more, and the number of the option behind a `>`.
    """
    stacks: dict[int, list[tuple[str, str]]] = {}
    for unit in view.get("units", ()):
        if unit.get("hex") is not None:
            known = unit.get("side") in game.sides
            mark = marks[game.side(unit["side"]) % len(marks)] if known else "?"
            name = str(unit.get("name", "?")).replace(" ", "")
            stacks.setdefault(game.board.parse(unit["hex"]), []).append((mark, name))
    found = {hex: f">{number}" for hex, number in _numbers_by_hex(game, view, options).items()}
    for hex, stack in stacks.items():
        mark, name = stack[0]
        tail = "+" * (len(stack) > 1) + found.get(hex, "")
        found[hex] = mark + name[: max(1, longest - len(tail) - 1)] + tail
    return found


def _numbers_by_hex(
    game: Game[Any], view: Mapping[str, Any], options: Sequence[Option]
) -> dict[int, int]:
    """The number of the option at each hex: its own hex, or that of its unit.

    Where several options would stand, none does.
    """
    stands = _unit_hexes(game, view)
    own = Counter(option.hex for option in options)
    places = [
        option.hex if option.hex >= 0 and own[option.hex] == 1 else stands.get(option.unit, -1)
        for option in options
    ]
    crowd = Counter(places)
    return {hex: k for k, hex in enumerate(places, start=1) if hex >= 0 and crowd[hex] == 1}


def map_drawing(
    game: Game[Any],
    view: Mapping[str, Any],
    options: Sequence[Option] = (),
    *,
    width: int,
    marks: str = MARKS,
) -> Text | None:
    """The map with its counters, and with the numbers of options where their hexes are.

    The names of the counters are cut until the map fits the width; None if it never does.
    """
    for longest in range(8, 3, -1):
        units = labels(game, view, options, marks=marks, longest=longest)
        # The title, which the player knows, takes the first two lines.
        lines = draw_text(game.board, units).splitlines()[2:]
        if max(map(len, lines)) <= width:
            break
    else:
        return None
    key = "   ".join(f"{mark} {side}" for mark, side in zip(marks, game.sides, strict=False))
    drawing = Text("\n".join([*lines, key]), no_wrap=True)
    for mark, colour in zip(marks, COLOURS, strict=True):
        drawing.highlight_regex(rf"{re.escape(mark)}[^\s>]*", colour)
    drawing.highlight_regex(r">\d+", "bold green")
    return drawing


def units_table(view: Mapping[str, Any]) -> Table:
    """Every unit on the map, as it reads on its counter."""
    listing = table("name", "side", "hex", "steps", "factors", "status")
    for unit in view.get("units", ()):
        if unit.get("hex") is not None:
            factors = "-".join(map(str, unit.get("factors", {}).values()))
            status = ", ".join(unit.get("status", ()))
            steps = str(unit.get("steps", ""))
            listing.add_row(unit["name"], unit["side"], unit["hex"], steps, factors, status)
    return listing


def styled_entry(game: Game[Any], entry: Entry) -> Text:
    """An entry of the log: choices in the colour of their side, dice in their own."""
    text = Text(describe_entry(game, entry))
    match entry:
        case Chosen():
            text.stylize("dim" if entry.automatic else "")
            text.stylize(COLOURS[entry.side % len(COLOURS)], 0, len(game.sides[entry.side]) + 1)
        case Rolled():
            text.stylize("bold magenta")
        case _:
            text.stylize("yellow")
    return text


def chapter_line(game: Game[Any], teller: Teller, chapter: Chapter) -> Text:
    """Whose turn it was, and what came of it."""
    text = Text.assemble(
        (f"Turn {chapter.turn}: ", "bold"),
        (game.sides[chapter.side], COLOURS[chapter.side % len(COLOURS)]),
    )
    summary = teller.summary(chapter)
    return text.append(f" ({summary})", "dim") if summary else text


def passage_line(game: Game[Any], passage: Passage) -> Text:
    """An order carried out, in one line: a quiet one dim, all in the colour of their side."""
    style = "dim" if passage.quiet else ""
    if passage.by < 0:
        return Text(f"  {passage.text}", style or "yellow")
    who = (f"  {game.sides[passage.by]}: ", COLOURS[passage.by % len(COLOURS)])
    return Text.assemble(who, (passage.text, style))


def story_lines(
    game: Game[Any], teller: Teller, first: int, entries: Sequence[Entry] | None = None
) -> Iterator[Text]:
    """The story from passage number `first` on; with all entries, unfolded into its steps."""
    heads = {chapter.first: chapter for chapter in teller.chapters}
    for number, passage in enumerate(teller.passages[first:], first):
        if number in heads:
            yield chapter_line(game, teller, heads[number])
        yield passage_line(game, passage)
        for step in steps(game, entries[passage.start : passage.end]) if entries else ():
            yield Text(f"      {step}", "dim")


def standing_line(standing: Standing) -> Text:
    """Who is ahead."""
    return Text.assemble((standing.sentence, "italic"), (f" [{standing.rule}]", "cyan"))


def preview_lines(game: Game[Any], preview: Preview) -> Group:
    """Path and cost of a move; factors, modifiers and chances of a battle."""
    parts: list[RenderableType] = []
    if preview.path:
        parts.append("path " + " ".join(map(game.board.code, preview.path)))
    if preview.cost:
        parts.append(f"cost {preview.cost}")
    if preview.lines:
        factors = table("", "", "rule")
        for line in preview.lines:
            factors.add_row(line.text, line.value, line.rule)
        parts.append(factors)
    if preview.column:
        parts.append(f"column {preview.column}")
    if preview.chances:
        chances = table("result", "chance", "")
        for chance in preview.chances:
            share = f"{float(chance.probability):.1%}"
            chances.add_row(chance.result, share, str(chance.probability))
        parts.append(chances)
    return Group(*parts)


def outcome_line(game: Game[Any], outcome: Outcome) -> Text:
    """Who won, and why."""
    winner = f"{game.sides[outcome.winner]} wins" if outcome.winner >= 0 else "A draw"
    rule = f" [{outcome.rule}]" if outcome.rule else ""
    return Text.assemble((f"{winner}: ", "bold green"), outcome.reason, (rule, "cyan"))


def rule_text(game: Game[Any], id: str) -> str:
    """What a rule says; empty if the game keeps no such rule in its ledger."""
    try:
        return game.ledger[id].obligation
    except (KeyError, LedgerError):
        return ""
