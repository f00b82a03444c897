"""Siege: `python -m bench.siege` lets one client do its worst while others play, and counts.

Each attack comes from an address of its own on loopback, with the server's limits as they are for
everybody; some others play on from their own addresses. Printed are the times of their moves (a
state asked for and an option taken; or, of a bot's answer, one step) quiet and under attack, by
turns, and how many of their requests failed. Both medians come from the same minutes of the same
machine, so that their ratio says something even if it is busy with other things.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from apennine.bots import RandomBot
from apennine.games import get
from apennine.kernel import save
from apennine.kernel.match import Match
from tests.server.serving import Server

RESULTS = Path(__file__).with_name("siege.json")
GAME = "italy1944"
ALONE = {"Allied": "me", "German": "me"}
AGAINST_BOT = {"Allied": "me", "German": "bot"}
BOTS = {"Allied": "bot", "German": "bot"}
ATTACKER = "127.0.0.9"
CONNECTIONS = 4
MOST_MATCHES = 60
"""That an attack makes."""


class Figures:
    """What the innocent saw, quiet (False) and under attack (True)."""

    def __init__(self) -> None:
        self.attacked = False
        self.moves: dict[bool, list[float]] = {False: [], True: []}
        self.failed: list[str] = []
        self.answers: dict[int, int] = {}
        """By status: how the attacker was answered."""
        self.match: tuple[str, dict[str, str]] | None = None
        """The attacker's long match."""

    def told(self) -> dict[str, Any]:
        quiet, loud = (median(times) * 1000 if times else 0.0 for times in self.moves.values())
        return {
            "moves quiet": len(self.moves[False]),
            "moves under attack": len(self.moves[True]),
            "median quiet, ms": round(quiet, 1),
            "median under attack, ms": round(loud, 1),
            "ratio": round(loud / quiet, 2) if quiet else 0.0,
            "innocent failures": len(self.failed),
            "first failures": self.failed[:3],
            "attacker answered": dict(sorted(self.answers.items())),
        }


def client_at(server: Server, address: str) -> httpx.AsyncClient:
    """A client that comes from this address."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(base_url=server.url, timeout=120, transport=transport)


def long_save(entries: int) -> str:
    """A match of random play that is at least so long, or over."""
    match, bot = Match[Any](get(GAME), seed=3), RandomBot(2)
    while match.decision is not None and len(match.log) < entries:
        match.choose(bot(match.seat()))
    return save.dump(match)


def forge(text: str, **header: Any) -> str:
    """The same save with other words in its first line, chained anew."""
    bodies = list(save._unchain(text, "the save"))
    bodies[0] |= header
    return "\n".join(save._chain(bodies)) + "\n"


async def play(server: Server, number: int, seats: dict[str, str], figures: Figures) -> None:
    """One innocent player: look, act, think; against a bot, measure how soon it has answered."""
    random, against_bot = Random(number), seats != ALONE
    async with client_at(server, f"127.0.0.{20 + number}") as client:
        while True:
            wanted = {"game": GAME, "seats": seats, "pace": "instant"}
            made = (await client.post("/api/matches", json=wanted)).json()
            path = f"/api/matches/{made['id']}"
            headers = {"authorization": f"Bearer {made['token']}"}
            over = False
            while not over:
                await asyncio.sleep(random.uniform(0.1, 0.3))
                attacked, start, steps = figures.attacked, perf_counter(), 1
                state = await client.get(f"{path}/state", headers=headers)
                if state.status_code != 200:
                    figures.failed.append(f"state {state.status_code}: {state.text[:100]}")
                    continue
                decision = state.json()["decision"]
                over = decision is None
                if over or decision["waiting"]:
                    continue
                menu = decision["options"]
                ending = [option for option in menu if max(option[1:3]) < 0]
                if against_bot and ending and random.random() < 0.5:
                    menu = ending  # so that it is the bot's turn soon
                body = {"at": state.json()["at"], "option": random.choice(menu)[:4]}
                acted = await client.post(f"{path}/act", headers=headers, json=body)
                if acted.status_code != 200:
                    figures.failed.append(f"act {acted.status_code}: {acted.text[:100]}")
                elif against_bot:
                    if not acted.json()["decision"]["waiting"]:
                        continue
                    before, start = length(acted), perf_counter()
                    while acted.json()["decision"] and acted.json()["decision"]["waiting"]:
                        await asyncio.sleep(0.02)
                        acted = await client.get(f"{path}/state", headers=headers)
                    # Its turns are long and short: what counts is the time of one step.
                    steps = max(1, length(acted) - before)
                if figures.attacked == attacked:
                    figures.moves[attacked].append((perf_counter() - start) / steps)


def length(state: httpx.Response) -> int:
    """How many entries of the log the player has seen."""
    log = state.json()["log"]
    return log["from"] + len(log["entries"])


Ask = Callable[[], Awaitable[httpx.Response]]


class Attacker:
    """Who does his worst, from one address."""

    def __init__(self, server: Server, client: httpx.AsyncClient, figures: Figures) -> None:
        self.server = server
        self.client = client
        self.figures = figures
        self.ready = asyncio.Event()
        """Set when what the attack needs is there, and it begins."""

    def count(self, status: int) -> None:
        self.figures.answers[status] = self.figures.answers.get(status, 0) + 1

    async def ask_for_ever(self, *asks: Ask) -> None:
        """Ask all these things at once, again and again."""

        async def again(ask: Ask) -> None:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    self.count((await ask()).status_code)
                await asyncio.sleep(0.01)

        self.ready.set()
        async with asyncio.TaskGroup() as group:
            for ask in asks:
                group.create_task(again(ask))

    async def long_match(self) -> tuple[str, dict[str, str]]:
        """The address of a long match, and the header that lets one in; made once an attack."""
        if self.figures.match is None:
            made = (await self.client.post("/api/saves", content=LONG)).json()
            headers = {"authorization": f"Bearer {made['token']}"}
            self.figures.match = f"/api/matches/{made['id']}", headers
        path, headers = self.figures.match
        await self.client.get(f"{path}/state", headers=headers)
        return path, headers


async def saving(attacker: Attacker) -> None:
    """Download the save of a long match again and again."""
    path, headers = await attacker.long_match()
    await attacker.ask_for_ever(
        *[lambda: attacker.client.get(f"{path}/save", headers=headers)] * CONNECTIONS
    )


async def replaying(attacker: Attacker) -> None:
    """Look at an old moment of a long match again and again."""
    path, headers = await attacker.long_match()
    await attacker.ask_for_ever(
        *[lambda: attacker.client.get(f"{path}/replay/1200", headers=headers)] * CONNECTIONS
    )


async def uploading(attacker: Attacker) -> None:
    """Upload a long save again and again."""
    await attacker.ask_for_ever(
        *[lambda: attacker.client.post("/api/saves", content=LONG)] * CONNECTIONS
    )


async def asking(attacker: Attacker) -> None:
    """Ask for the present of a long match in every way, as quickly as one is answered."""
    path, headers = await attacker.long_match()
    game = next(g for g in (await attacker.client.get("/api/games")).json() if g["key"] == GAME)
    paths = ["state", "warnings", "schedule", "chronicle", "log"]
    paths += [f"overlay?name={name}" for name in game["overlays"]]
    turns = cycle(paths)
    await attacker.ask_for_ever(
        *[lambda: attacker.client.get(f"{path}/{next(turns)}", headers=headers)] * CONNECTIONS
    )


async def fetching(attacker: Attacker) -> None:
    """Fetch maps, rules and the client's own files again and again."""
    book = f"/api/games/{GAME}"
    paths = [f"{book}/board.svg", f"{book}/board", f"{book}/rules", "/static/css/match.css", "/"]
    turns = cycle(paths)
    await attacker.ask_for_ever(*[lambda: attacker.client.get(next(turns))] * CONNECTIONS)


async def looking(attacker: Attacker) -> None:
    """Open and leave a long match again and again: its story is told anew each time."""
    path, headers = await attacker.long_match()
    address = attacker.server.url.replace("http", "ws") + f"{path}/live"
    hello = json.dumps({"token": headers["authorization"].partition(" ")[2]})

    async def come_and_go() -> None:
        while True:
            status = 0
            with contextlib.suppress(OSError, WebSocketException):
                async with connect(address, local_addr=(ATTACKER, 0), max_size=None) as wire:
                    await wire.send(hello)
                    await wire.recv()
                    status = 101
            attacker.count(status)
            await asyncio.sleep(0.01)

    attacker.ready.set()
    async with asyncio.TaskGroup() as group:
        for _ in range(CONNECTIONS):
            group.create_task(come_and_go())


async def poisoning(attacker: Attacker) -> None:
    """Write what a database cannot keep: numbers without end, names with a NUL."""
    client, forged = attacker.client, forge(SHORT, dice_since=2**70)
    made = (await client.post("/api/matches", json={"game": GAME, "seats": ALONE})).json()
    headers = {"authorization": f"Bearer {made['token']}"}
    path = f"/api/matches/{made['id']}"
    await client.post("/api/saves", content=forged)
    await attacker.ask_for_ever(
        lambda: client.post("/api/saves", content=forged),
        lambda: client.post(f"{path}/name", json={"name": "\0"}, headers=headers),
        lambda: client.post(f"{path}/chat", json={"text": "\0"}, headers=headers),
    )


async def flooding(attacker: Attacker) -> None:
    """Let bots play bots, in as many matches as one is given."""
    for _ in range(MOST_MATCHES):
        wanted = {"game": GAME, "seats": BOTS, "pace": "instant"}
        attacker.count((await attacker.client.post("/api/matches", json=wanted)).status_code)
    attacker.ready.set()
    await asyncio.Event().wait()


ATTACKS: dict[str, tuple[Callable[[Attacker], Awaitable[None]], dict[str, str]]] = {
    "poison": (poisoning, ALONE),
    "saves": (saving, ALONE),
    "replays": (replaying, ALONE),
    "uploads": (uploading, ALONE),
    "questions": (asking, ALONE),
    "files": (fetching, ALONE),
    "sockets": (looking, ALONE),
    "bots": (flooding, AGAINST_BOT),
}
LONG = SHORT = ""


async def besiege(name: str, args: Any) -> dict[str, Any]:
    """One attack, on a server of its own: quiet and loud by turns."""
    attack, seats = ATTACKS[name]
    figures = Figures()
    rounds = 1 if name == "bots" else args.rounds  # its matches play on when it has gone
    with tempfile.TemporaryDirectory() as folder:
        database = args.database or f"sqlite:///{folder}/matches.sqlite"
        with Server(database, Path(folder), limits=True) as server:
            players = [
                asyncio.create_task(play(server, number, seats, figures))
                for number in range(args.players)
            ]
            await asyncio.sleep(3)
            figures.moves[False].clear()
            for _ in range(rounds):
                figures.attacked = False
                await asyncio.sleep(args.seconds / rounds)
                async with client_at(server, ATTACKER) as client:
                    attacker = Attacker(server, client, figures)
                    attacking = asyncio.create_task(attack(attacker))
                    ready = asyncio.create_task(attacker.ready.wait())
                    await asyncio.wait((attacking, ready), return_when=asyncio.FIRST_COMPLETED)
                    figures.attacked = True
                    await asyncio.sleep(args.seconds / rounds)
                    figures.attacked = False
                    attacking.cancel()
                    (ended,) = await asyncio.gather(attacking, return_exceptions=True)
                    if isinstance(ended, Exception):
                        raise ended
            for player in players:
                player.cancel()
            for ended in await asyncio.gather(*players, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended
    return figures.told()


def main() -> None:
    """Run the attacks and print what came of them."""
    global LONG, SHORT
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS))
    parser.add_argument("--players", type=int, default=4, help="who play on meanwhile")
    parser.add_argument("--seconds", type=float, default=30.0, help="quiet, and as many loud")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database", default="", help="unless told, SQLite in a temporary folder")
    args = parser.parse_args()
    LONG, SHORT = long_save(1300), long_save(20)
    found: dict[str, Any] = {}
    for name in args.attacks:
        found[name] = asyncio.run(besiege(name, args))
        print(f"{name}: {ATTACKS[name][0].__doc__}")
        for what, value in found[name].items():
            print(f"  {what:26} {value}", flush=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if any(told["innocent failures"] for told in found.values()):
        sys.exit("Requests of the innocent failed.")


if __name__ == "__main__":
    main()
