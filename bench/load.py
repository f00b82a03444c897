"""Load: many matches at once, played by scripted clients over WebSockets on loopback.

`python -m bench.load` starts a server of its own, lets every client play one match against a bot,
and prints actions a second, the time of an action (to its acknowledgement and to the new state) and
the memory of a match. A client thinks for a while before it acts, as a person does; `--think 0` is
a storm. The clients share the machine with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from tests.server.serving import Server

RESULTS = Path(__file__).with_name("load.json")


class Asked(msgspec.Struct):
    """The part of a decision that a scripted client reads."""

    waiting: bool
    options: list[list[Any]]


class Seen(msgspec.Struct):
    """The part of a message that a scripted client reads."""

    type: str
    at: str = ""
    decision: Asked | None = None
    outcome: Any = None
    ok: bool = True
    error: str = ""


DECODER = msgspec.json.Decoder(Seen)


class Figures:
    """What all clients saw together."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.shown: list[float] = []
        self.pushed = 0
        self.finished = 0
        self.refused: list[str] = []
        self.measuring = False


async def new_match(client: httpx.AsyncClient, game: str, pace: str) -> tuple[str, str]:
    """A match of the first side against bots: its id and token."""
    sides = next(g["sides"] for g in (await client.get("/api/games")).json() if g["key"] == game)
    seats = {side: "me" if number == 0 else "bot" for number, side in enumerate(sides)}
    wanted = {"game": game, "seats": seats, "pace": pace}
    made = (await client.post("/api/matches", json=wanted)).json()
    return made["id"], made["token"]


async def play(
    server: Server, client: httpx.AsyncClient, game: str, seed: int, args: Any, figures: Figures
) -> None:
    """One scripted player: match after match until it is called off."""
    random = Random(seed)
    await asyncio.sleep(random.random() * max(args.think, 0.5))
    while True:
        id, token = await new_match(client, game, args.pace)
        address = f"ws://127.0.0.1:{server.port}/api/matches/{id}/live"
        async with connect(address, max_size=None, compression=None) as wire:
            await wire.send(json.dumps({"token": token}))
            await play_match(wire, random, args.think, figures)


async def play_match(wire: Any, random: Random, think: float, figures: Figures) -> None:
    """One match to its end: wait for the turn, think, act."""
    sent, waiting, state = 0.0, False, None
    due: float | None = None
    while True:
        now = perf_counter()
        try:
            left = None if due is None else max(0.0, due - now)
            message = DECODER.decode(await asyncio.wait_for(wire.recv(), left))
        except TimeoutError:
            assert state is not None
            assert state.decision is not None
            option = random.choice(state.decision.options)[:4]
            order = {"type": "act", "n": 1, "at": state.at, "option": option}
            sent, waiting, due = perf_counter(), True, None
            await wire.send(msgspec.json.encode(order).decode())
            continue
        took = perf_counter() - sent
        if message.type == "reply":
            if figures.measuring:
                figures.acknowledged.append(took)
                if not message.ok:
                    figures.refused.append(message.error)
        elif message.type == "state":
            state = message
            if figures.measuring:
                figures.pushed += 1
                if waiting:
                    figures.shown.append(took)
            waiting = False
            if state.outcome is not None:
                figures.finished += 1
                return
            mine = state.decision is not None and not state.decision.waiting
            due = perf_counter() + think * (0.5 + random.random()) if mine else None


def memory(server: Server) -> float:
    """The resident memory of the server process alone, in MB."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def run(args: Any) -> dict[str, Any]:
    """Play for a while, and count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = args.database or f"sqlite:///{folder / 'matches.sqlite'}"
        with Server(database, folder) as server:
            figures = Figures()
            limits = httpx.Limits(max_connections=20)
            async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as client:
                for game in args.games:
                    await new_match(client, game, args.pace)  # its rules are loaded by now
                before = memory(server)
                players = [
                    asyncio.create_task(
                        play(server, client, args.games[n % len(args.games)], n, args, figures)
                    )
                    for n in range(args.matches)
                ]
                await asyncio.sleep(args.warm)
                figures.measuring = True
                start = perf_counter()
                await asyncio.sleep(args.seconds)
                seconds = perf_counter() - start
                figures.measuring = False
                after = memory(server)
                for player in players:
                    player.cancel()
                ended = await asyncio.gather(*players, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error
    return {
        "matches at once": args.matches,
        "games": args.games,
        "think, s": args.think,
        "seconds": round(seconds, 1),
        "actions a second": round(len(figures.acknowledged) / seconds, 1),
        "states pushed a second": round(figures.pushed / seconds, 1),
        "acknowledged, median ms": quantile(figures.acknowledged, 0.5),
        "acknowledged, 99th percentile ms": quantile(figures.acknowledged, 0.99),
        "new state, median ms": quantile(figures.shown, 0.5),
        "new state, 99th percentile ms": quantile(figures.shown, 0.99),
        "refused": len(figures.refused),
        "matches finished": figures.finished,
        "server memory before, MB": round(before, 1),
        "server memory after, MB": round(after, 1),
        "memory a match, MB": round((after - before) / args.matches, 3),
    }


def quantile(times: list[float], share: float) -> float:
    """That share of the times is no longer than this, in milliseconds."""
    if not times:
        return 0.0
    return round(sorted(times)[int(share * (len(times) - 1))] * 1000, 1)


def main() -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--warm", type=float, default=10.0, help="seconds before it is measured")
    parser.add_argument("--think", type=float, default=2.0, help="mean seconds before an action")
    parser.add_argument("--pace", default="normal", help="of the bots")
    parser.add_argument("--games", nargs="+", default=["crossing", "italy1944"])
    parser.add_argument("--database", default="", help="unless told, SQLite in a temporary folder")
    args = parser.parse_args()
    figures = asyncio.run(run(args))
    for name, value in figures.items():
        print(f"{name:34} {value}")
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if figures["refused"]:
        sys.exit("Some actions were refused: the clients and the server do not agree.")


if __name__ == "__main__":
    main()
