"""The command `odds`: what an attack can come to, exactly, and what would change it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from apennine.cli.common import AsJson, Key, Packs, console, print_json, table
from apennine.games import get
from apennine.kernel import save
from apennine.kernel.game import Game, GameError
from apennine.mechanics.explorer import Explored, Outlook, from_match, from_nothing, sand_table

WIDE = 12


def odds(
    key: Key,
    attack: Annotated[
        int | None, typer.Option(metavar="N", help="The attacker's strength: --set attack=N.")
    ] = None,
    defence: Annotated[
        int | None, typer.Option(metavar="N", help="The defender's: --set defence=N.")
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=N",
            help="Anything on the sand table, as --set mud; repeat it. --list names all.",
        ),
    ] = None,
    attacker: Annotated[
        list[str] | None, typer.Option(metavar="UNIT", help="A unit that attacks; repeat it.")
    ] = None,
    defender: Annotated[
        list[str] | None, typer.Option(metavar="UNIT", help="A unit that defends; repeat it.")
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Tell what may be set, and do no more.")
    ] = False,
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

    Either of strengths, units and reasons put together from nothing (--attack, --defence,
    --attacker, --defender, --set), or of units in a saved match (--save, --target, --with).
    """
    game = get(key, pack or ())
    if listed:
        _list(game)
        return
    if file is not None:
        match = save.open_record(save.read(file), game)
        found = from_match(match, target, unit or [])
    else:
        values = dict(map(_value, given or []))
        values |= {"attack": attack} if attack is not None else {}
        values |= {"defence": defence} if defence is not None else {}
        if not values and not attacker:
            raise GameError("Say who attacks, --attack or --attacker, or in which match, --save.")
        found = from_nothing(game, values, attacker or [], defender or [])
    if as_json:
        print_json(_plain(found))
        return
    out = console()
    out.print(found.title)
    for line in found.lines:
        out.print(f"  {line.text} {line.value}" + (f" ({line.rule})" if line.rule else ""))
    shown = table("", "column", *found.results)
    shown.columns[0].no_wrap = True
    for row in (found.now, *found.others):
        shown.add_row(
            row.name, _brief(row.column), *(_percent(row, result) for result in found.results)
        )
    out.print(shown)


def _value(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    try:
        return name, int(number or 1)
    except ValueError:
        raise GameError(f"{text!r} sets nothing: write a name and a whole number.") from None


def _list(game: Game[Any]) -> None:
    found = sand_table(game)
    shown = table("name", "what it is", "from", "to", "rule")
    for knob in found.knobs(game.war):
        shown.add_row(knob.key, knob.title, str(knob.least), str(knob.most), knob.rule)
    console().print(shown)
    if found.note:
        console().print(found.note)


def _brief(column: str) -> str:
    """A column of a chart; words such as "by the default play" have no room in a table."""
    return column if len(column) <= WIDE else ""


def _percent(row: Outlook, result: str) -> str:
    chance = row.chances.get(result, Fraction(0))
    return f"{float(chance):.1%}" if chance else "-"


def _plain(found: Explored) -> dict[str, Any]:
    def row(each: Outlook) -> dict[str, Any]:
        chances = {result: str(chance) for result, chance in each.chances.items()}
        return {"name": each.name, "column": each.column, "chances": chances}

    return {
        "title": found.title,
        "lines": [line._asdict() for line in found.lines],
        "now": row(found.now),
        "others": [row(each) for each in found.others],
    }
