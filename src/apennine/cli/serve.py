"""The command `serve`: play in the browser, alone or with others."""

from __future__ import annotations

import threading
import time
import webbrowser
from typing import Annotated
from urllib.request import urlopen

import typer

from apennine.cli.common import Packs
from apennine.kernel.game import GameError


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets others in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.", min=0, max=65535)] = 8000,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where matches are kept: postgresql://..., or sqlite:///FILE; "
            "unless told, SQLite in your data directory.",
        ),
    ] = "",
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the lobby in the browser.")
    ] = False,
    public_url: Annotated[
        str, typer.Option(metavar="URL", help="How others reach it, if behind a proxy.")
    ] = "",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which browsers may call it; repeatable."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS", help="A proxy whose word on who its clients are counts; repeatable."
        ),
    ] = None,
    webhook: Annotated[
        str,
        typer.Option(metavar="URL", help="Post to this address when somebody away is to act."),
    ] = "",
    workers: Annotated[
        int, typer.Option(help="Processes in which bots think; 0: as the machine has cores.", min=0)
    ] = 0,
    limits: Annotated[
        bool,
        typer.Option("--limits/--no-limits", help="Whether to bound how much one client may ask."),
    ] = True,
    expire: Annotated[
        float,
        typer.Option(
            metavar="DAYS", help="Remove matches that nobody has played so long; 0: none.", min=0
        ),
    ] = 30.0,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N", help="Change a limit, such as saves=40/1000; repeatable."),
    ] = None,
    pack: Packs = None,
) -> None:
    """Serve all games to browsers, and keep the matches."""
    try:
        import uvicorn

        from apennine.server.app import make_app
        from apennine.server.connections import Connections, bounded, read_networks
        from apennine.server.errors import StorageError
        from apennine.server.limits import Limits, change_limits
        from apennine.server.settings import Settings
        from apennine.server.storage import Storage
        from apennine.server.webhook import check_address
    except ImportError as error:
        raise GameError(
            f"The server needs {error.name}: install it with pip install 'apennine[server]'."
        ) from error
    wrong = check_address(webhook) if webhook else ""
    if wrong:
        raise GameError(wrong)
    try:
        allowed = change_limits(Limits(enforced=limits), limit or ())
        proxies = read_networks(trusted_proxy or ())
    except ValueError as error:
        raise GameError(str(error)) from error
    settings = Settings(
        database=database,
        public_url=public_url,
        hosts=(host, *(allow_host or ())),
        webhook=webhook,
        workers=workers,
        limits=allowed,
        expire=expire,
        draw_ahead=True,
        packs=tuple(str(folder) for folder in pack or ()),
    )
    try:
        probe = Storage(settings.url())  # so that a wrong one is told in a sentence
        probe.open()
        probe.close()
        app = make_app(settings)
    except StorageError as error:
        raise GameError(str(error)) from error
    shown = (
        public_url or f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}/"
    )
    typer.echo(f"Apennine is at {shown} (Ctrl-C ends it).")
    if open_browser:
        threading.Thread(target=_open, args=(shown,), daemon=True).start()
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        http=bounded(Connections(allowed, proxies)),
        proxy_headers=bool(proxies),
        forwarded_allow_ips=[str(proxy) for proxy in proxies],
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        timeout_graceful_shutdown=3,
    )


def _open(url: str) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(100):
        try:
            with urlopen(f"{url.rstrip('/')}/healthz", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    webbrowser.open(url)
