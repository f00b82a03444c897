"""Real servers in processes of their own, for tests and benchmarks that kill them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import LONGEST, hold_port, wait_for


def homes(folder: Path) -> dict[str, str]:
    """Lets a server keep its data in a folder, and its maps in the one that tests share, if any."""
    maps = os.environ.get("DRAWN_MAPS", str(folder))
    return {"XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": maps}


class Server:
    """`apennine serve` as users start it."""

    def __init__(
        self, database: str, folder: Path, port: int = 0, *more: str, limits: bool = False
    ) -> None:
        self.database = database
        self.folder = folder
        self._held = None if port else hold_port()
        self.port = self._held.getsockname()[1] if self._held else port
        self.url = f"http://127.0.0.1:{self.port}"
        self.more = more if limits else ("--no-limits", *more)
        self.process: subprocess.Popen[Any] | None = None

    def start(self) -> Server:
        command = [sys.executable, "-m", "apennine", "serve", "--no-open"]
        command += ["--port", str(self.port), "--database", self.database, *self.more]
        with (self.folder / f"server-{self.port}.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | homes(self.folder), stdout=log, stderr=log
            )
        wait_for(self._answers)
        return self

    def _answers(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(f"The server did not start; see {self.folder}.")
        try:
            return httpx.get(f"{self.url}/healthz", timeout=LONGEST).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """At once: the process can do nothing about it. The system and its disks go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(LONGEST)
        if self._held is not None:
            self._held.close()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
