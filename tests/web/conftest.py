"""A server, a browser and pages of it. Without Chromium the tests here are skipped, loudly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from apennine import games
from apennine.kernel.match import Match
from apennine.kernel.save import dump
from tests.server.serving import homes
from tests.waiting import LONGEST, hold_port, wait_for

from .rest import GUARD, WITNESS, at_rest

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


SERVE = """
import sys
from apennine.cli import main
sys.exit(main(["serve", "--no-open", "--no-limits", *sys.argv[1:]]))
"""

# The other side's turn is told at once unless a test wants to see it told.
AT_ONCE = """
if (location.protocol.startsWith('http')) localStorage.setItem('apennine.prefs', JSON.stringify(
  {pace: 'at once', ...JSON.parse(localStorage.getItem('apennine.prefs') ?? '{}')}));
"""


class Server:
    """A server of our own, with matches of its own; started with more options if need be."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._port = hold_port()
        port = self._port.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-c", SERVE, "--port", str(port), *more]
        self._file = folder / "server.log"
        self._log = self._file.open("w")
        self._process = subprocess.Popen(
            command, env=os.environ | homes(folder), stdout=self._log, stderr=self._log
        )
        wait_for(self._answers)

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError(self._file.read_text("utf-8"))
        try:
            urlopen(f"{self.url}/healthz").close()
        except URLError:
            return False
        return True

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

    def upload(self, match: Match[Any]) -> Any:
        """A match that goes on from this one, with all its seats for whoever opens it."""
        with urlopen(Request(f"{self.url}/api/saves", dump(match).encode())) as answer:
            return json.load(answer)

    def close(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait(LONGEST)
        self._log.close()
        self._port.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("The client must be tested in CI: install Chromium.")
        pytest.skip("NO CHROMIUM: NOTHING OF THE BROWSER CLIENT WAS TESTED.")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=GUARD)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=GUARD)
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
        context.set_default_timeout(GUARD)
        context.add_init_script(WITNESS)
        context.add_init_script(AT_ONCE)
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
    """Opens a match at the seat of whoever made it; waits until the board lies there at rest."""

    def sit(made: Any, device: dict[str, Any] = DESK, theme: str = "light", **more: Any) -> Any:
        page = new_page(device, theme, **more)
        page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
        return at_rest(page)

    return sit
