"""A server, a browser and pages of it. Without Chromium the tests here are skipped, loudly."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from apennine import games

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


class Server:
    """A server of our own, with matches of its own; started with more options if need be."""

    def __init__(self, folder: Path, *more: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        homes = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME")}
        command = ["-m", "apennine", "serve", "--no-open", "--no-limits", "--port", str(port)]
        command += more
        self._log = (folder / "server.log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, *command], env=os.environ | homes, stdout=self._log, stderr=self._log
        )
        for _ in range(600):
            try:
                urlopen(f"{self.url}/healthz").close()
                return
            except URLError:
                time.sleep(0.1)
        raise RuntimeError((folder / "server.log").read_text("utf-8"))

    def post(self, path: str, body: object) -> Any:
        """What the server answers to a request."""
        data = json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        with urlopen(Request(self.url + path, data, kind)) as answer:
            return json.load(answer)

    def match(self, key: str, seats: tuple[str, ...] = ("me", "bot"), **more: object) -> Any:
        """A new match, with the seats in the order of the sides."""
        wanted = dict(zip(games.get(key).sides, seats, strict=True))
        return self.post("/api/matches", {"game": key, "seats": wanted, "pace": "instant", **more})

    def close(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait(20)
        self._log.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("The client must be tested in CI: install Chromium.")
        pytest.skip("NO CHROMIUM: NOTHING OF THE BROWSER CLIENT WAS TESTED.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page, as a browser of its own; whatever it complains of is a failure."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def make(device: dict[str, Any] = DESK, theme: str = "light", **more: Any) -> Any:
        context = browser.new_context(color_scheme=theme, **device, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def sit_down(server: Server, new_page: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a match at the seat of whoever made it; waits until the board is there."""

    def sit(made: Any, device: dict[str, Any] = DESK, theme: str = "light", **more: Any) -> Any:
        page = new_page(device, theme, **more)
        page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
        page.wait_for_selector("body.ready", timeout=60_000)
        return page

    return sit
