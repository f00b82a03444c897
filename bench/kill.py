"""Kill: `python -m bench.kill` kills a server under load again and again, and looks what is left.

Scripted clients play matches, alone and against bots. At a random moment the server is killed with
SIGKILL and started again. Every action that was acknowledged must be in its match, in order, with
at most one more that was under way; every match must open, and at the end each must replay from
its start without a difference.
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
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from apennine.games import get
from apennine.kernel import save
from tests.server.serving import Server

RESULTS = Path(__file__).with_name("kill.json")
SEATS = ({"Allied": "me", "German": "me"}, {"Allied": "me", "German": "bot:random"})


class Mine:
    """A match, and what its client knows to have been done there."""

    def __init__(self, number: int, made: dict[str, Any]) -> None:
        self.number = number
        self.id: str = made["id"]
        self.headers = {"authorization": f"Bearer {made['token']}"}
        self.token: str = made["token"]
        self.acknowledged: list[list[Any]] = []
        """The options whose acknowledgement has arrived."""
        self.lost: list[Any] | None = None
        """The option that was sent last, if nothing was heard of it."""


async def begin(client: httpx.AsyncClient, number: int) -> Mine:
    """A new match: every other one against a bot."""
    wanted = {"game": "crossing", "seats": SEATS[number % 2], "pace": "instant"}
    return Mine(number, (await client.post("/api/matches", json=wanted)).json())


async def play(server: Server, mine: Mine, random: Random) -> None:
    """Act until the server is gone or the game is over."""
    address = f"ws://127.0.0.1:{server.port}/api/matches/{mine.id}/live"
    try:
        async with connect(address, max_size=None) as wire:
            await wire.send(json.dumps({"token": mine.token}))
            free, state = True, None
            while True:
                message = json.loads(await wire.recv())
                if message["type"] == "state":
                    state = message
                elif message["type"] == "reply":
                    if message["ok"] and mine.lost is not None:
                        mine.acknowledged.append(mine.lost)
                    mine.lost, free = None, True
                decision = state["decision"] if state else None
                if free and state and decision and decision["options"]:
                    mine.lost, free = random.choice(decision["options"])[:4], False
                    order = {"type": "act", "n": 1, "at": state["at"], "option": mine.lost}
                    state = None
                    await wire.send(json.dumps(order))
    except (OSError, WebSocketException):
        return


def check(mine: Mine, text: str, people: set[str]) -> str:
    """What is wrong with a match that was saved after a kill; nothing, if it is as it must be."""
    game = get("crossing")
    record = save.parse(text)
    chosen = [
        [line["verb"], line.get("unit"), line.get("hex"), line.get("value", 0)]
        for line in record.entries
        if line.get("side") in people and not line.get("automatic")
    ]
    known = [_named(game, option) for option in mine.acknowledged]
    if chosen[: len(known)] != known:
        return f"match {mine.number} lost an acknowledged action: {len(known)} of them, {chosen=}"
    extra = chosen[len(known) :]
    if extra not in ([], [_named(game, mine.lost)] if mine.lost else []):
        return f"match {mine.number} has more than was sent: {extra}"
    if extra and mine.lost is not None:  # done, though nobody was told
        mine.acknowledged.append(mine.lost)
    mine.lost = None
    return ""


def _named(game: Any, option: list[Any]) -> list[Any]:
    verb, unit, hex, value = option
    name = game.units[unit] if unit >= 0 else None
    return [verb, name, game.board.code(hex) if hex >= 0 else None, value]


async def run(args: Any) -> dict[str, Any]:
    """Kill so many times; what came of it."""
    random = Random(args.seed)
    faults: list[str] = []
    matches: list[Mine] = []
    total = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(args.database or f"sqlite:///{folder / 'matches.sqlite'}", folder)
        try:
            for kill in range(args.kills + 1):
                server.start()
                async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
                    open_now: list[Mine] = []
                    for mine in matches:
                        path = f"/api/matches/{mine.id}"
                        state = await client.get(f"{path}/state", headers=mine.headers)
                        text = await client.get(f"{path}/save", headers=mine.headers)
                        if state.status_code != 200 or text.status_code != 200:
                            faults.append(f"match {mine.number} cannot be read: {state.text[:200]}")
                            continue
                        people = {"Allied"} if mine.number % 2 else {"Allied", "German"}
                        if fault := check(mine, text.text, people):
                            faults.append(f"kill {kill}: {fault}")
                        if state.json()["outcome"] is None:
                            open_now.append(mine)
                        else:
                            faults += _replayed(mine, text.text)
                            total += len(mine.acknowledged)
                    if kill == args.kills:
                        break
                    matches = open_now
                    while len(matches) < args.matches:
                        matches.append(await begin(client, kill * args.matches + len(matches)))
                players = [
                    asyncio.create_task(play(server, mine, Random(random.random())))
                    for mine in matches
                ]
                await asyncio.sleep(random.uniform(0.05, args.longest))
                server.kill()
                await asyncio.gather(*players)
        finally:
            server.stop()
    total += sum(len(mine.acknowledged) for mine in matches)
    return {"kills": args.kills, "actions acknowledged": total, "faults": faults}


def _replayed(mine: Mine, text: str) -> list[str]:
    """A finished match, played again from its start."""
    found = save.replay(save.parse(text), get("crossing"))
    return [f"match {mine.number} differs: {found.divergence}"] if found.divergence else []


def main() -> None:
    """Run it and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--longest", type=float, default=1.5, help="seconds until a kill")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--database", default="", help="unless told, SQLite in a temporary folder")
    args = parser.parse_args()
    start = perf_counter()
    figures = asyncio.run(run(args)) | {"seconds": round(perf_counter() - start)}
    print(json.dumps(figures, indent=1))
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if figures["faults"] or not figures["actions acknowledged"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
