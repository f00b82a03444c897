"""Kill: `python -m bench.kill` kills a server under load again and again, and looks what is left.

Scripted clients play matches, alone and against bots: they act, take back, go back to the start and
speak; others sit down at open seats. At a random moment the server is killed with SIGKILL and
started again. All that was acknowledged must be there, in order, with at most one thing more that
was under way; every match must open and, finished or not, replay from its start without a
difference.

This kills processes, not power: what the operating system was given to write survives the end of
the process that gave it, synced or not. What is left when the power goes, when a disk refuses a
write or when a database call fails is the matter of tests/server/test_power.py and test_poison.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from apennine.games import get
from apennine.kernel import save
from tests.server.serving import Server

RESULTS = Path(__file__).with_name("kill.json")
SEATS = ({"Allied": "me", "German": "me"}, {"Allied": "me", "German": "bot:random"})


Order = dict[str, Any]


class Mine:
    """A match, and what its client knows to have been done there."""

    def __init__(self, number: int, made: dict[str, Any]) -> None:
        self.number = number
        self.id: str = made["id"]
        self.headers = {"authorization": f"Bearer {made['token']}"}
        self.token: str = made["token"]
        self.chosen: list[list[Any]] = []
        """The options that were taken and stand, by what was acknowledged."""
        self.said: list[str] = []
        self.acknowledged: Counter[str] = Counter()
        self.lost: Order | None = None
        """The order that was sent last, if nothing was heard of it."""

    def after(self, order: Order | None) -> tuple[list[list[Any]], list[str]]:
        """What stands and what was said after an order."""
        match order:
            case {"type": "act", "option": option}:
                return [*self.chosen, option], self.said
            case {"type": "undo"}:
                return self.chosen[:-1], self.said
            case {"type": "rollback"}:
                return [], self.said
            case {"type": "chat", "text": text}:
                return self.chosen, [*self.said, text]
            case _:
                return self.chosen, self.said

    def take(self, order: Order) -> None:
        """An order was acknowledged."""
        self.chosen, self.said = self.after(order)
        self.acknowledged[order["type"]] += 1


class Sitter(NamedTuple):
    """Somebody who sat down at an open seat, and was told so."""

    id: str
    token: str
    said: bool
    """Whether he has said hello there, and was told so."""


async def begin(client: httpx.AsyncClient, number: int) -> Mine:
    """A new match: every other one against a bot."""
    wanted = {"game": "crossing", "seats": SEATS[number % 2], "pace": "instant"}
    return Mine(number, (await client.post("/api/matches", json=wanted)).json())


async def play(server: Server, mine: Mine, random: Random) -> None:
    """Give orders until the server is gone or the game is over."""
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
                        mine.take(mine.lost)
                    mine.lost, free = None, True
                decision = state["decision"] if state else None
                if free and state and decision and decision["options"]:
                    mine.lost, free = choose_order(mine, state, random), False
                    await wire.send(json.dumps(mine.lost))
                    if mine.lost["type"] != "chat":
                        state = None
    except (OSError, WebSocketException):
        return


def choose_order(mine: Mine, state: dict[str, Any], random: Random) -> Order:
    """Mostly an option; now and then a word, an undo, or all from the start."""
    kind, at = random.random(), {"n": 1, "at": state["at"]}
    if kind < 0.1:
        return {"type": "chat", "n": 1, "text": f"line {len(mine.said)}"}
    if kind < 0.2 and state["may_undo"]:
        return {"type": "undo", **at}
    if kind < 0.22 and state["may_roll_back"]:
        return {"type": "rollback", "n": 1, "to": 0}
    return {"type": "act", **at, "option": random.choice(state["decision"]["options"])[:4]}


async def sit_down(server: Server, sat: list[Sitter]) -> None:
    """Sit down at one open seat after the other until the server is gone."""
    wanted = {"game": "crossing", "seats": {"Allied": "me", "German": "open"}}
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            while True:
                id = (await client.post("/api/matches", json=wanted)).json()["id"]
                joined = await client.post(f"/api/matches/{id}/join", json={"side": "German"})
                token = joined.json()["token"]
                sat.append(Sitter(id, token, said=False))
                headers = {"authorization": f"Bearer {token}"}
                chat = f"/api/matches/{id}/chat"
                said = await client.post(chat, json={"text": "hello"}, headers=headers)
                if said.status_code == 200:
                    sat[-1] = Sitter(id, token, said=True)
    except httpx.TransportError:
        return


async def check_sitter(client: httpx.AsyncClient, sitter: Sitter) -> str:
    """What is wrong with a seat that was taken; nothing, if it is as it must be."""
    headers = {"authorization": f"Bearer {sitter.token}"}
    answer = await client.get(f"/api/matches/{sitter.id}/state", headers=headers)
    if answer.status_code != 200 or answer.json()["you"] != ["German"]:
        return f"a seat at {sitter.id} was lost: {answer.text[:200]}"
    lines = [line["text"] for line in answer.json()["chat"]["lines"]]
    if lines not in (["hello"], *([] if sitter.said else [[]])):
        return f"a line at {sitter.id} was lost: {lines}"
    return ""


def check(mine: Mine, text: str, lines: list[str], people: set[str]) -> str:
    """What is wrong with a match that was saved after a kill; nothing, if it is as it must be."""
    game = get("crossing")
    record = save.parse(text)
    found = [
        [line["verb"], line.get("unit"), line.get("hex"), line.get("value", 0)]
        for line in record.entries
        if line.get("side") in people and not line.get("automatic")
    ]
    for done in (None, mine.lost):
        chosen, said = mine.after(done)
        if found == [_named(game, option) for option in chosen] and lines == said:
            if done is not None:  # done, though nobody was told
                mine.take(done)
            mine.lost = None
            return ""
    return f"match {mine.number} is not as it was: {mine.lost=}, {mine.chosen=}, {found=}, {lines=}"


def _named(game: Any, option: list[Any]) -> list[Any]:
    verb, unit, hex, value = option
    name = game.units[unit] if unit >= 0 else None
    return [verb, name, game.board.code(hex) if hex >= 0 else None, value]


async def look(client: httpx.AsyncClient, mine: Mine) -> tuple[list[str], bool]:
    """What is wrong with a match after a kill, and whether it goes on."""
    path = f"/api/matches/{mine.id}"
    state = await client.get(f"{path}/state", headers=mine.headers)
    text = await client.get(f"{path}/save", headers=mine.headers)
    if state.status_code != 200 or text.status_code != 200:
        return [f"match {mine.number} cannot be read: {state.text[:200]}"], False
    people = {"Allied"} if mine.number % 2 else {"Allied", "German"}
    lines = [line["text"] for line in state.json()["chat"]["lines"]]
    fault = check(mine, text.text, lines, people)
    return [*filter(None, [fault]), *_replayed(mine, text.text)], state.json()["outcome"] is None


async def run(args: Any) -> dict[str, Any]:
    """Kill so many times; what came of it."""
    random = Random(args.seed)
    faults: list[str] = []
    matches: list[Mine] = []
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(args.database or f"sqlite:///{folder / 'matches.sqlite'}", folder)
        sat: list[Sitter] = []
        try:
            for kill in range(args.kills + 1):
                server.start()
                async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
                    open_now: list[Mine] = []
                    for mine in matches:
                        wrong, goes_on = await look(client, mine)
                        faults += [f"kill {kill}: {fault}" for fault in wrong]
                        if goes_on:
                            open_now.append(mine)
                        else:
                            total += mine.acknowledged
                    for sitter in sat:
                        if fault := await check_sitter(client, sitter):
                            faults.append(f"kill {kill}: {fault}")
                    total["join"] += len(sat)
                    matches, sat = open_now, []
                    if kill == args.kills:
                        break
                    while len(matches) < args.matches:
                        matches.append(await begin(client, kill * args.matches + len(matches)))
                players = [
                    asyncio.create_task(play(server, mine, Random(random.random())))
                    for mine in matches
                ]
                players.append(asyncio.create_task(sit_down(server, sat)))
                await asyncio.sleep(random.uniform(0.05, args.longest))
                server.kill()
                await asyncio.gather(*players)
        finally:
            server.stop()
    total.update(sum((mine.acknowledged for mine in matches), Counter[str]()))
    return {"kills": args.kills, "acknowledged": dict(sorted(total.items())), "faults": faults}


def _replayed(mine: Mine, text: str) -> list[str]:
    """A match, finished or not, played again from its start."""
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
    if figures["faults"] or not figures["acknowledged"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
