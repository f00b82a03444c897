"""Players for tests: each holds a token and asks the server for something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import httpx
from starlette.testclient import TestClient

GAMES = ("crossing", "italy1944")
"""The games that most tests serve."""
ALONE = {"Allied": "me", "German": "me"}
INVITED = {"Allied": "me", "German": "invite"}
AGAINST_BOT = {"Allied": "me", "German": "bot:random"}


def eager(seed: int) -> Callable[[list[Any]], Any]:
    """Picks options that do something, mostly: so that there are battles."""
    random = Random(seed)

    def pick(menu: list[Any]) -> Any:
        fights = [option for option in menu if option[0] in ("attack", "attack with", "fight")]
        doing = [option for option in menu if option[1] >= 0 or option[2] >= 0]
        if fights and random.random() < 0.9:
            return random.choice(fights)
        return random.choice(doing if doing and random.random() < 0.8 else menu)

    return pick


class Player:
    """Somebody with a token of a match; without one, a stranger."""

    def __init__(self, client: TestClient | httpx.Client, id: str, token: str | None) -> None:
        self.client = client
        self.id = id
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(
            f"/api/matches/{self.id}/{path}", headers=self.headers, params=query or None
        )

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.client.post(f"/api/matches/{self.id}/{path}", headers=self.headers, json=body)

    def state(self, **query: Any) -> dict[str, Any]:
        answer = self.get("state", **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, pick: Callable[[list[Any]], Any] | None = None) -> dict[str, Any]:
        """Take an option of the present menu: the first one, or the one picked."""
        seen = self.state()
        options = seen["decision"]["options"]
        option = (pick or (lambda menu: menu[0]))(options)
        answer = self.post("act", {"at": seen["at"], "option": option[:4]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play(self, steps: int, seed: int = 1) -> dict[str, Any]:
        """Take options of the player's own menus eagerly, until the game or his turn is over."""
        pick = eager(seed)
        seen = self.state()
        for _ in range(steps):
            decision = seen["decision"]
            if decision is None or decision["waiting"]:
                break
            option = pick(decision["options"])
            answer = self.post("act", {"at": seen["at"], "option": option[:4]})
            assert answer.status_code == 200, answer.text
            seen = answer.json()
        return seen

    def error(self, path: str, body: Any = None) -> tuple[int, str]:
        """What is answered to something that is refused."""
        answer = self.post(path, body)
        assert answer.status_code >= 400, answer.text
        assert set(answer.json()) <= {"error", "rule"}
        return answer.status_code, answer.json()["error"]


def begin(
    client: TestClient | httpx.Client,
    seats: Mapping[str, str] = ALONE,
    game: str = "crossing",
    **more: Any,
) -> Player:
    """A new match, and who made it."""
    player, _ = begin_with(client, seats, game, **more)
    return player


def begin_with(
    client: TestClient | httpx.Client,
    seats: Mapping[str, str] = INVITED,
    game: str = "crossing",
    **more: Any,
) -> tuple[Player, dict[str, Player]]:
    """A new match, who made it, and those who come by the links: by side, and "watch"."""
    answer = client.post("/api/matches", json={"game": game, "seats": dict(seats)} | more)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    guests = {
        name: Player(client, made["id"], link.partition("#")[2])
        for name, link in (made["links"] | {"watch": made["watch"]}).items()
    }
    return Player(client, made["id"], made["token"]), guests
