"""The command `odds`: what an attack can come to, exactly, and what would change it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from apennine.cli.common import AsJson, Key, Packs, console, print_json, table
from apennine.games import get
from apennine.kernel import save
from apennine.lab.odds import Explored, Outlook, from_match, from_strengths


def odds(
    key: Key,
    attack: Annotated[
        str | None, typer.Option(metavar="N", help="The attacker's strength, as 12 or 7/2.")
    ] = None,
    defence: Annotated[str | None, typer.Option(metavar="N", help="The defender's.")] = None,
    shift: Annotated[
        int, typer.Option(metavar="N", help="Columns to the right; to the left if less than 0.")
    ] = 0,
    file: Annotated[
        Path | None, typer.Option("--save", metavar="SAVE", help="A saved match to attack in.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="HEX", help="In a saved match: what is attacked.")
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="UNIT", help="In a saved match: an attacker; repeat it."),
    ] = None,
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """The exact chances of an attack, what each shift is worth, what one more unit would change.

    Either of two strengths (--attack, --defence, --shift) on the combat table of a game, or of
    units in a saved match (--save, --target, --with).
    """
    game = get(key, pack or ())
    if file is not None:
        match = save.open_record(save.read(file), game)
        found = from_match(match, target, unit or [])
    else:
        found = from_strengths(game, attack, defence, shift)
    if as_json:
        print_json(_plain(found))
        return
    out = console()
    out.print(found.title)
    for line in found.lines:
        out.print(f"  {line}")
    shown = table("", "column", *found.results)
    for row in (found.now, *found.others):
        shown.add_row(row.name, row.column, *(_percent(row, result) for result in found.results))
    out.print(shown)


def _percent(row: Outlook, result: str) -> str:
    chance = row.chances.get(result, Fraction(0))
    return f"{float(chance):.1%}" if chance else "-"


def _plain(found: Explored) -> dict[str, Any]:
    def row(each: Outlook) -> dict[str, Any]:
        chances = {result: str(chance) for result, chance in each.chances.items()}
        return {"name": each.name, "column": each.column, "chances": chances}

    return {
        "title": found.title,
        "lines": list(found.lines),
        "now": row(found.now),
        "others": [row(each) for each in found.others],
    }
