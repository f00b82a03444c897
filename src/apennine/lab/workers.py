"""Series over one process, many, or a cluster: the same records, whoever plays them.

Work is handed out in batches of a few seconds by what games have cost so far. What a worker that
dies had in hand is handed out again; nothing is kept before its batch is whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Protocol

from apennine.kernel.game import GameError
from apennine.lab.games import Batch, Record, play_batch
from apennine.lab.selfplay import leave_interrupts
from apennine.lab.spec import Setting
from apennine.lab.store import Store

SECONDS = 2.0
"""What a batch should take: long against handing it out, short against losing it."""
LARGEST = 64
MOST_DEATHS = 5
"""Workers that may die without a batch being finished, before the series gives up."""

Result = tuple[Batch, list[Record], float]


class Crew(Protocol):
    """Whoever plays batches."""

    size: int
    """How many at a time."""

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        """Play what `next_batch` hands out, until there is no more; results as they come."""
        ...


def run(
    store: Store, settings: Sequence[Setting], crew: Crew
) -> Iterator[tuple[int, list[Record], float]]:
    """Play what is missing in the file, and keep it; yields what was kept."""
    done = store.done()
    missing = deque(
        (setting, number)
        for number in range(max(series.games for _, series in settings))
        for setting, (_, series) in enumerate(settings)
        if number < series.games and (setting, number) not in done
    )
    # One line for each setting: settings may differ in what their games cost.
    waiting = {n: deque(k for s, k in missing if s == n) for n in range(len(settings))}
    costs: dict[int, float] = {}

    def next_batch() -> Batch | None:
        for setting, numbers in sorted(waiting.items(), key=lambda item: -len(item[1])):
            if numbers:
                cost = costs.get(setting)
                fits = 1 if cost is None else int(SECONDS / max(cost, 1e-6))
                fair = 1 + len(numbers) // (2 * crew.size)
                size = max(1, min(fits, fair, LARGEST, len(numbers)))
                taken = [numbers.popleft() for _ in range(size)]
                return Batch(setting, settings[setting].series, taken)
        return None

    for batch, records, seconds in crew.play(next_batch):
        each = seconds / len(records)
        costs[batch.setting] = 0.5 * (costs.get(batch.setting, each) + each)
        store.add(batch.setting, records)
        yield batch.setting, records, seconds


class Alone:
    """This process."""

    size = 1

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        while (batch := next_batch()) is not None:
            yield batch, *play_batch(batch)


class Pool:
    """Some processes of this machine; one that is killed is replaced."""

    def __init__(self, size: int) -> None:
        self.size = size

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        again: deque[Batch] = deque()
        deaths = 0
        while True:
            # Spawned, not forked: the same on every system, whatever threads the caller runs.
            pool = ProcessPoolExecutor(
                self.size, get_context("spawn"), initializer=leave_interrupts
            )
            running: dict[Future[Any], Batch] = {}
            try:
                while True:
                    while len(running) < self.size + 1:
                        batch = again.popleft() if again else next_batch()
                        if batch is None:
                            break
                        again.appendleft(batch)  # not in hand before it is handed out
                        future = pool.submit(play_batch, batch)
                        running[future] = again.popleft()
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        records, seconds = future.result()
                        deaths = 0
                        yield running.pop(future), records, seconds
            except BrokenProcessPool:
                deaths += 1
                if deaths > MOST_DEATHS:
                    raise GameError(f"Workers died {deaths} times without an end.") from None
                for future, batch in running.items():
                    if future.done() and future.exception() is None:
                        yield batch, *future.result()
                    else:
                        again.append(batch)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError:
            raise GameError(
                "A cluster needs the extra cluster: pip install 'apennine[cluster]'."
            ) from None
        try:
            self._client: Any = self._dask.Client(address, timeout="20s")
        except OSError as error:
            raise GameError(f"No scheduler answers at {address}: {error}.") from None
        self.size = max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def play(self, next_batch: Callable[[], Batch | None]) -> Iterator[Result]:
        complete: Any = self._dask.as_completed([])
        running: dict[Any, Batch] = {}

        def hand_out() -> None:
            while len(running) < 2 * self.size and (batch := next_batch()) is not None:
                # Dask itself hands out again what a worker that died had in hand.
                future = self._client.submit(play_batch, batch, pure=False, retries=MOST_DEATHS)
                running[future] = batch
                complete.add(future)

        hand_out()
        with suppress(StopIteration):
            while running:
                future = next(complete)
                records, seconds = future.result()
                yield running.pop(future), records, seconds
                hand_out()

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        self._client.close()
