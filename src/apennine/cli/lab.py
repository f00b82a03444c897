"""The commands `lab run`, `report`, `compare`, `export`, `outlook` and `workers`."""

from __future__ import annotations

import os
import threading
from datetime import date
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apennine.cli.common import AsJson, Key, console, print_json, table
from apennine.kernel.game import GameError
from apennine.lab import report as told
from apennine.lab.spec import read_spec
from apennine.lab.store import Store
from apennine.lab.workers import Alone, Cluster, Crew, Pool, run

lab = typer.Typer(help="Series of games, compared with error bars.", no_args_is_help=True)

Results = Annotated[Path, typer.Argument(metavar="FILE", help="The results of a series.")]


@lab.command("run")
def run_series(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="A file SPEC.toml: docs/lab.md.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the results go; SPEC.sqlite if not given."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="J", min=0, help="Processes to play in; 0: one a processor.")
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A Dask cluster to play on: tcp://host:8786."),
    ] = None,
) -> None:
    """Play what SPEC.toml says; what FILE has already is not played again."""
    settings, fingerprint = read_spec(spec)
    store = Store(out or spec.with_suffix(".sqlite"))
    store.begin(settings, fingerprint)
    total = sum(series.games for _, series in settings)
    played, begun = len(store.done()), perf_counter()
    crew: Crew
    if scheduler is not None:
        crew = Cluster(scheduler)
    else:
        jobs = jobs or os.cpu_count() or 1
        crew = Alone() if jobs == 1 else Pool(jobs)
    new = 0
    with _progress() as progress:
        bar = progress.add_task(spec.stem, total=total, completed=played, rate="")
        try:
            for _, records, _ in run(store, settings, crew):
                new += len(records)
                rate = f"{new / (perf_counter() - begun):.2f} games/s"
                progress.update(bar, advance=len(records), rate=rate)
        except KeyboardInterrupt:
            progress.stop()
            missing = total - played - new
            typer.echo(f"Stopped; {missing} games are missing. The same command goes on.", err=True)
            raise typer.Exit(130) from None
    seconds = perf_counter() - begun
    typer.echo(f"{total} games in {store.path}, {new} of them new, in {seconds:.1f} s.")
    _show(store, as_json=False)


def _progress() -> Progress:
    screen = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )


def _open(path: Path) -> Store:
    if not path.is_file():
        raise GameError(f"There is no file {path}.")
    return Store(path)


@lab.command("compare")
def compare(file: Results, as_json: AsJson = False) -> None:
    """Shares of wins with 95 % intervals, and each setting against the first one."""
    _show(_open(file), as_json)


def _show(store: Store, as_json: bool) -> None:
    settings = told.read(store)
    sides: tuple[str, ...] = _game(settings).sides
    rows: list[dict[str, Any]] = []
    for number, each in enumerate(settings):
        for side, name in enumerate(sides):
            row: dict[str, Any] = {
                "setting": each.name,
                "side": name,
                "games": len(each.records),
                "share": told.wins(each, side)._asdict(),
            }
            if number:
                found = told.compare(settings[0], each, side)
                row["against the first"] = found._asdict() | {"share": found.share._asdict()}
            rows.append(row)
    if as_json:
        print_json(rows)
        return
    shown = table("setting", "side", "games", "wins", "95 %", "more wins", "p")
    for row in rows:
        wins, other = row["share"], row.get("against the first")
        shown.add_row(
            row["setting"],
            row["side"],
            str(row["games"]),
            f"{wins['value']:.1%}",
            f"{wins['low']:.1%} to {wins['high']:.1%}",
            f"{other['share']['value']:+.1%}" if other else "",
            f"{other['p']:.3g}" if other else "",
        )
    console().print(shown)


def _game(settings: list[told.Told]) -> Any:
    from apennine.games import get

    if not settings:
        raise GameError("This file has no results.")
    return get(settings[0].series["key"])


@lab.command("report")
def report(
    file: Results,
    html: Annotated[Path, typer.Option("--html", metavar="F", help="The page to write.")],
    title: Annotated[str | None, typer.Option(metavar="T", help="Its title.")] = None,
) -> None:
    """One HTML page: shares with intervals, lengths, losses by turn, maps of fights and moves."""
    html.write_text(told.html_page(_open(file), title or file.stem), encoding="utf-8")
    typer.echo(f"Wrote {html}.")


@lab.command("export")
def export(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The file SPEC.toml of a series.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write into.")],
) -> None:
    """Write every decision of a series as Parquet: position, menu, choice, outcome, and a card."""
    from apennine.lab.export import write

    settings, _ = read_spec(spec)
    decisions = write(settings, out)
    typer.echo(f"Wrote {decisions} decisions into {out}.")


@lab.command("outlook")
def outlook(
    key: Key,
    games: Annotated[
        int, typer.Option(metavar="N", min=10, help="Games of each scenario, old and new.")
    ] = 200,
    seed: Annotated[str, typer.Option(metavar="S", help="Of the games.")] = "outlook",
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="S", help="Only this one; repeat it.")
    ] = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Who plays both sides.")] = "",
    samples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where games are kept; KEY.games.gz if not given."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What to write; the game's outlook.toml if not given."),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="J", min=1, help="Processes to play in.")] = 1,
) -> None:
    """Fit the chance to win on games between bots, and write it with how well it foretells."""
    from apennine.bots import bots_of
    from apennine.games import get
    from apennine.kernel.outlook import FILE, Fits
    from apennine.lab import outlook as fitting
    from apennine.lab.sampling import Sample, sampled
    from apennine.lab.selfplay import Series

    game = get(key)
    fitting.clues_of(game)
    bot = bot or bots_of(game)[0]
    keys = [game.check_scenario(name) for name in scenario or []]
    kept = samples or Path(f"{key}.games.gz")
    played: list[Sample] = []
    with _progress() as progress:
        for name in keys or [each.key for each in game.scenarios]:
            bar = progress.add_task(name, total=games, rate="")
            series = Series(key, name, bots=(bot,), games=games, seed=seed)
            for found in sampled(series, kept, jobs):
                played.append(found)
                progress.advance(bar)
    fits = [fitting.fit(name, told) for name, told in fitting.measured(game, played).items()]
    source = f"self-play: {games} games a scenario, seed {seed!r}, {bot} on both sides"
    target = out or Path(str(game.data / FILE))
    told = Fits(source, f"{date.today()}", tuple(fits))
    target.write_text(fitting.written(told), encoding="utf-8")
    shown = table("scenario", "games", "over", "AUC", "95 %", "off by")
    for fit in fits:
        for third in fit.thirds:
            shown.add_row(
                fit.scenario,
                str(third.games),
                f"{third.over:.0%}",
                f"{third.auc:.3f}",
                f"{third.low:.3f} to {third.high:.3f}",
                f"{third.off:.3f}",
            )
    console().print(shown)
    typer.echo(f"Wrote {target}.")


@lab.command("workers")
def workers(
    count: Annotated[int, typer.Argument(metavar="N", min=1, help="Processes to start.")],
    port: Annotated[int, typer.Option(metavar="P", help="Of the scheduler; 0: any free one.")] = 0,
) -> None:
    """Start a Dask scheduler and workers on this machine, until Ctrl-C."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise GameError(
            "Workers need the extra cluster: pip install 'apennine[cluster]'."
        ) from None
    with distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        scheduler_port=port,
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        typer.echo(f"apennine lab run SPEC.toml --scheduler {cluster.scheduler_address}")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            typer.echo("The workers are gone.", err=True)
