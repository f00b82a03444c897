"""The commands that show what there is: `games`, `rules`, `map`."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from apennine.board import Board, draw_text, to_png
from apennine.cli.common import AsJson, Key, Packs, console, print_json, table
from apennine.foundry.draw import THEMES, draw
from apennine.games import board as map_of
from apennine.games import get, keys
from apennine.kernel.game import Game, GameError
from apennine.kernel.ledger import Coverage, Ledger, Row, coverage, proofs

Tests = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The folder of the tests that prove rules; ./tests if any."),
]


def games(as_json: AsJson = False) -> None:
    """List the games, their sides, scenarios and optional rules."""
    shelf = [get(key) for key in keys()]
    if as_json:
        print_json([_facts(game) for game in shelf])
        return
    out = console()
    for game in shelf:
        sides = " against ".join(game.sides)
        out.print(Text.assemble((game.key, "bold"), f": {game.title}, {sides}. {game.summary}"))
        listing = table("", "")
        listing.show_header = False
        for scenario in game.scenarios:
            summary = f"{scenario.title}, {scenario.turns} turns. {scenario.summary}"
            listing.add_row(f"  --scenario {scenario.key}", summary)
        for switch in game.switches:
            default = "on" if switch.default else "off"
            summary = f"{switch.title} [{switch.rule}]; {default} unless you say otherwise."
            listing.add_row(f"  --option {switch.key}=on|off", summary)
        out.print(listing)


def _facts(game: Game[Any]) -> dict[str, Any]:
    return {
        "key": game.key,
        "title": game.title,
        "summary": game.summary,
        "sides": list(game.sides),
        "units": len(game.units),
        "hexes": game.board.lattice.all.bit_count(),
        "scenarios": [scenario._asdict() for scenario in game.scenarios],
        "options": [switch._asdict() for switch in game.switches],
    }


def rules(
    key: Key,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="One rule, such as 6.4, or a chapter.")
    ] = None,
    show_coverage: Annotated[
        bool, typer.Option("--coverage", help="Count the rules that tests prove.")
    ] = False,
    show_charts: Annotated[
        bool, typer.Option("--charts", help="Show the charts, and where each comes from.")
    ] = False,
    tests: Tests = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """List the rules of a game, show one of them or the charts, or count what tests prove."""
    game = get(key, pack or ())
    ledger = game.ledger
    if show_charts:
        if id is not None or show_coverage:
            raise GameError("--charts shows all charts of a game: leave the rest away.")
        _show_charts(game, as_json)
    elif show_coverage:
        if id is not None:
            raise GameError("--coverage is about all rules of a game: leave the rule's id away.")
        _show_coverage(ledger, tests, as_json)
    elif id is None or id not in ledger:
        rows = list(ledger) if id is None else _chapter(ledger, id)
        if as_json:
            print_json([msgspec.to_builtins(row) for row in rows])
        else:
            _list_rules(rows)
    else:
        _show_rule(ledger, id, tests, as_json)


def _show_charts(game: Game[Any], as_json: bool) -> None:
    if as_json:
        print_json([chart._asdict() for chart in game.charts])
        return
    out = console()
    for chart in game.charts:
        rule = f" [{chart.rule}]" if chart.rule else ""
        mark = " (reconstructed)" if chart.reconstructed else ""
        out.print(Text.assemble((chart.title + rule, "bold"), (mark, "yellow")))
        out.print(Text(chart.source, "dim"))
        listing = table(*chart.columns)
        for row in chart.rows:
            listing.add_row(*row)
        out.print(listing)
        out.print()


def _chapter(ledger: Ledger, id: str) -> list[Row]:
    rows = [row for row in ledger if row.id.startswith(id.removesuffix(".") + ".")]
    if not rows:
        near = get_close_matches(id, [row.id for row in ledger], n=3, cutoff=0.5)
        hint = f"; near it are {', '.join(near)}" if near else ""
        raise GameError(f"{ledger.key} has no rule {id}{hint}.")
    return rows


def _list_rules(rows: list[Row]) -> None:
    listing = table("rule", "kind", "obligation")
    for row in rows:
        status = f" ({row.status})" if row.status else ""
        scope = "" if row.scope == "core" else f" ({row.scope})"
        listing.add_row(row.id, row.kind, row.obligation + scope + status)
    console().print(listing)


def _show_rule(ledger: Ledger, id: str, tests: Path | None, as_json: bool) -> None:
    row, proven = ledger[id], _proofs(ledger, tests).get(id, [])
    if as_json:
        print_json(msgspec.to_builtins(row) | {"tests": proven})
        return
    out = console()
    out.print(Text.assemble((f"{row.id}  ", "bold"), row.obligation))
    facts = {
        "scope": row.scope,
        "kind": row.kind,
        "needs": row.needs,
        "example": row.example,
        "status": row.status,
        "tests": "\n".join(proven),
    }
    listing = table("", "")
    listing.show_header = False
    for name, text in facts.items():
        if text and text != "-":
            listing.add_row(name, text)
    out.print(listing)


def _show_coverage(ledger: Ledger, tests: Path | None, as_json: bool) -> None:
    proven = _proofs(ledger, tests)
    count = coverage(ledger, proven)
    if as_json:
        print_json(msgspec.to_builtins(count))
    else:
        if count.missing:
            _list_rules([ledger[id] for id in count.missing])
        typer.echo(summary_line(count))
    unknown = [id for id in proven if id not in ledger]
    for id in unknown:
        typer.echo(f"{proven[id][0]} proves rule {id}, which is not in the ledger.", err=True)
    if unknown:
        raise typer.Exit(1)


def summary_line(count: Coverage) -> str:
    """Coverage in one line."""
    missing = f"{len(count.missing)} missing"
    opened = f" ({count.open} of them open)" if count.open else ""
    later = f", {count.later} of parts not built yet" if count.later else ""
    return (
        f"{count.key}: {count.tested} of {count.total} rules tested, "
        f"{count.exempt} exempt, {missing}{opened}{later}"
    )


def _proofs(ledger: Ledger, tests: Path | None) -> dict[str, list[str]]:
    if tests is None:
        tests = Path("tests")
        if not tests.is_dir():
            return {}
    elif not tests.is_dir():
        raise GameError(f"{tests} is not a folder of tests.")
    return proofs(tests.resolve(), ledger.key)


def map(
    key: Key,
    svg: Annotated[Path | None, typer.Option(metavar="F", help="Write an SVG picture.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="F", help="Write a PNG picture.")] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print the map; so without options.")
    ] = False,
    theme: Annotated[str, typer.Option(metavar="T", help=f"One of {', '.join(THEMES)}.")] = "light",
    pack: Packs = None,
) -> None:
    """Draw the map of a game as text, SVG or PNG."""
    if (svg is not None) + (png is not None) + text > 1:
        raise GameError("Only one of --svg, --png and --text can be had at a time.")
    board = map_of(key, pack or ())
    if svg is not None:
        svg.write_text(_picture(board, theme), encoding="utf-8")
    elif png is not None:
        try:
            picture = to_png(_picture(board, theme))
        except ImportError as error:  # it needs a library that not everybody has
            raise GameError(str(error)) from None
        png.write_bytes(picture)
    else:
        typer.echo(draw_text(board))


def _picture(board: Board, theme: str) -> str:
    try:
        return draw(board, theme=theme)
    except ValueError as error:
        raise GameError(str(error)) from None
