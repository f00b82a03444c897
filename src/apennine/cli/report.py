"""The command `report`: a saved match written up as an after-action report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apennine.cli.common import Packs, game_of
from apennine.kernel import save
from apennine.kernel.game import REFEREE, GameError
from apennine.report import html_report, markdown_report


def report(
    file: Annotated[Path, typer.Argument(metavar="SAVE", help="A saved match.")],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="F", help="Write one page that needs no other file."),
    ] = None,
    md: Annotated[
        Path | None,
        typer.Option(
            "--md", metavar="F", help="Write Markdown, with its pictures in a folder F-maps."
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(metavar="S", help="Tell what this side saw; unless given, everything."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Where its game is, if it is one of your own: a folder."),
    ] = None,
    pack: Packs = None,
) -> None:
    """Write an after-action report of a saved match, with a map a turn, losses and graphs."""
    if html is None and md is None:
        raise GameError("Say where the report goes: --html FILE, --md FILE, or both.")
    record = save.read(file)
    rules = game_of(record, game, pack or ())
    if record.header.seen_by:
        raise GameError(
            f"{record.name} holds only what {record.header.seen_by} saw: "
            "a report is written from a whole save."
        )
    eyes = REFEREE if side is None else rules.side(side)
    match, ending = save.open_record(record, rules), save.ending_of(record, rules)
    if html is not None:
        html.write_text(html_report(match, eyes, ending), encoding="utf-8")
        typer.echo(f"Wrote {html}.")
    if md is not None:
        folder = md.with_name(f"{md.stem}-maps")
        text, pictures = markdown_report(match, folder.name, eyes, ending)
        folder.mkdir(exist_ok=True)
        for name, svg in pictures.items():
            (folder / name).write_text(svg, encoding="utf-8")
        md.write_text(text, encoding="utf-8")
        typer.echo(f"Wrote {md}, and {len(pictures)} pictures in {folder}.")
