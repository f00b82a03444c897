"""Real servers in processes of their own, for tests and benchmarks that kill them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`apennine serve` as users start it."""

    def __init__(self, database: str, folder: Path, port: int = 0, *more: str) -> None:
        self.database = database
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.more = more
        self.process: subprocess.Popen[Any] | None = None

    def start(self) -> Server:
        folder = {"XDG_DATA_HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder)}
        command = [sys.executable, "-m", "apennine", "serve", "--no-open", "--no-limits"]
        command += ["--port", str(self.port), "--database", self.database, *self.more]
        with (self.folder / f"server-{self.port}.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | folder, stdout=log, stderr=log
            )
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return self
            except httpx.TransportError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"The server did not start; see {log.name}.")

    def kill(self) -> None:
        """As a power cut would, for all that the process can do about it."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
