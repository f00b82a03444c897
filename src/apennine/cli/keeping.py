"""The commands `prune` and `backup`: look after the matches that a server keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apennine.kernel.game import GameError

Database = Annotated[
    str,
    typer.Option(
        metavar="URL", help="Where matches are kept, as for serve; unless told, the same place."
    ),
]


def prune(
    unplayed: Annotated[
        float,
        typer.Option(
            metavar="DAYS", min=0, help="Remove those that nobody has played after so many days."
        ),
    ] = 30.0,
    unfinished: Annotated[
        float | None,
        typer.Option(
            metavar="DAYS", min=0, help="Remove those that were left unfinished for so many days."
        ),
    ] = None,
    finished: Annotated[
        float | None,
        typer.Option(metavar="DAYS", min=0, help="Remove those that were over so many days ago."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many there are.")
    ] = False,
    database: Database = "",
) -> None:
    """Remove old matches from a server's database, while it runs or not."""
    try:
        from apennine.server.errors import StorageError
        from apennine.server.pruning import Ages, prune_database
        from apennine.server.settings import Settings
    except ImportError as error:
        raise _missing(error) from error
    ages = Ages(unplayed, unfinished, finished)
    try:
        found = prune_database(Settings(database=database).url(), ages, dry_run=dry_run)
    except StorageError as error:
        raise GameError(str(error)) from error
    kinds = ", ".join(f"{many} {kind}" for kind, many in found._asdict().items())
    verb = "would be removed" if dry_run else "removed"
    typer.echo(f"{sum(found)} matches {verb}: {kinds}.")


def backup(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL", help="A new file, or an empty database: postgresql://..."
        ),
    ],
    database: Database = "",
) -> None:
    """Copy all matches into a file, while the server runs or not."""
    try:
        from apennine.server.copying import back_up, copy_database
        from apennine.server.errors import StorageError
        from apennine.server.settings import Settings
    except ImportError as error:
        raise _missing(error) from error
    source = Settings(database=database).url()
    try:
        if "://" in target:
            many = copy_database(source, Settings(database=target).url())
        else:
            many = back_up(source, Path(target))
    except StorageError as error:
        raise GameError(str(error)) from error
    typer.echo(f"{many} matches are in {target.rpartition('@')[2]}.")


def _missing(error: ImportError) -> GameError:
    return GameError(
        f"The server needs {error.name}: install it with pip install 'apennine[server]'."
    )
