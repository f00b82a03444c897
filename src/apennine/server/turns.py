"""A thread that does one thing after the other, and lets those who want something take turns."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from apennine.server.clients import CLIENT

T = TypeVar("T")


class Turns:
    """Does what clients want: one thing of each, then one of each again.

    However much one client wants at once, another waits for one thing of it and no more.
    """

    def __init__(self, name: str) -> None:
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()
        """By client, whose turn comes first at the front."""
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something done in the name of the client for whom this is called."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("Nothing more is done here.")
            self._waiting.setdefault(CLIENT.get(), deque()).append((work, future))
            self._changed.notify()
        return future

    def waiting(self, client: str | None = None) -> int:
        """How much a client waits for, or all of them."""
        with self._changed:
            if client is not None:
                return len(self._waiting.get(client, ()))
            return sum(map(len, self._waiting.values()))

    def close(self, *, drop: bool = False) -> None:
        """Do what is waiting, or drop it, and nothing more."""
        with self._changed:
            self._closed = True
            if drop:
                for queue in self._waiting.values():
                    for _, future in queue:
                        future.cancel()
                self._waiting.clear()
            self._changed.notify()
        if not drop:
            self._thread.join()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            work, future = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            del work, future, job

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            client, queue = self._waiting.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._waiting[client] = queue
            return job


_Job = tuple[Callable[[], Any], "Future[Any]"]
