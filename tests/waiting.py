"""Tests wait for what must happen, however long a busy machine takes.

The only time that counts is `LONGEST`: it measures nothing, it ends a test that would hang.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 600.0
"""Seconds after which what has not happened never will."""


def wait_for(holds: Callable[[], T]) -> T:
    """What `holds` gives, as soon as it gives something."""
    end = time.monotonic() + LONGEST
    while not (found := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"It did not happen in {LONGEST:g} s.")
        time.sleep(0.02)
    return found


def run(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to, in a thread of its own.

    The browser of other tests keeps a loop running in this one, in which no second one may start.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def hold_port() -> socket.socket:
    """A port of our own: nobody else is given it while this socket, which does not listen, is open.

    A server that reuses addresses, as ours does, can listen there all the same.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held
