"""A match that was made from a save says so, and what others may join was played again first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from apennine.bots import RandomBot
from apennine.kernel import save
from apennine.kernel.log import Log, Snapshot
from apennine.kernel.match import Match
from apennine.server.app import make_app
from apennine.server.settings import Settings
from apennine.server.uploads import Upload, tell
from tests.contracts.playthroughs import load
from tests.server.playing import Player, begin

SAID = (
    "Ann (Allied) made this match from a save. What happened before was played again here and "
    "follows by the rules, but its dice were not thrown here."
)


def play(seed: int, steps: int) -> Match[Any]:
    match, bot = Match[Any](load("apennine.games.crossing"), seed=seed), RandomBot(seed)
    for _ in range(steps):
        if match.decision is not None:
            match.choose(bot(match.seat()))
    return match


def at_a_checkpoint(seed: int) -> Match[Any]:
    """A match in which nothing was done since its last checkpoint."""
    steps = 40
    while (match := play(seed, steps)).checkpoint.at != len(match.log) or match.outcome:
        steps -= 1
    return match


def honest() -> str:
    return save.dump(play(4, 30))


def chain(bodies: list[dict[str, Any]]) -> str:
    return "\n".join(save._chain(bodies)) + "\n"


def other_dice() -> str:
    """A save in which the dice fell as somebody would have liked them to."""
    match = play(4, 60)
    bodies = list(save._unchain(save.dump(match), "the save"))
    roll = next(body for body in bodies if "roll" in body)
    roll["roll"] = [
        1 + face % sides for face, sides in zip(roll["roll"], roll["sides"], strict=True)
    ]
    return chain(bodies)


def other_position() -> str:
    """A save that ends with a position which does not come of what it tells."""
    here, there = at_a_checkpoint(4), at_a_checkpoint(9)
    bodies = list(save._unchain(save.dump(here), "the save"))
    footer = list(save._unchain(save.dump(there), "the save"))[-1]
    bodies[-1] = footer | {"at": len(here.log)}
    return chain(bodies)


def other_moves() -> str:
    """A save from which a choice was taken out."""
    bodies = list(save._unchain(honest(), "the save"))
    chosen = next(number for number, body in enumerate(bodies) if number and "verb" in body)
    del bodies[chosen]
    bodies[-1]["at"] -= 1
    return chain(bodies)


def upload(client: TestClient, content: str, seats: str, name: str = "Ann") -> Any:
    return client.post("/api/saves", params={"seats": seats, "name": name}, content=content)


def test_everybody_who_comes_is_told_who_uploaded_it(client: TestClient):
    made = upload(client, honest(), "Allied=me,German=open").json()
    listed = next(row for row in client.get("/api/matches").json() if row["id"] == made["id"])
    assert listed["origin"] == SAID
    stranger = Player(client, made["id"], None)
    assert stranger.state()["notes"] == [SAID]
    token = stranger.post("join", {"side": "German", "name": "Bert"}).json()["token"]
    for who in (made["token"], token, made["watch"].partition("#")[2]):
        state = Player(client, made["id"], who).state()
        assert state["notes"] == [SAID]
        assert state["uploaded"]


def test_an_invitation_is_to_the_same(client: TestClient):
    made = upload(client, honest(), "Allied=me,German=invite").json()
    bert = Player(client, made["id"], made["links"]["German"].partition("#")[2])
    assert bert.state()["notes"] == [SAID]


def test_other_matches_say_nothing_of_the_kind(client: TestClient):
    ann = begin(client, {"Allied": "me", "German": "open"})
    assert ann.state()["notes"] == []
    assert not ann.state()["uploaded"]
    assert "origin" not in client.get("/api/matches").json()[0]


@pytest.mark.parametrize("forge", [other_dice, other_position, other_moves])
def test_what_does_not_follow_by_the_rules_is_for_nobody_else(
    client: TestClient, forge: Callable[[], str]
):
    text = forge()
    for seats in ("Allied=me,German=open", "Allied=me,German=invite"):
        refused = upload(client, text, seats)
        assert refused.status_code == 422
        assert "Others may join only what follows" in refused.json()["error"]
    assert client.get("/api/matches").json() == []


def test_alone_one_may_play_it_and_it_says_so(client: TestClient):
    answer = upload(client, other_position(), "Allied=me,German=bot:random")
    assert answer.status_code == 201
    made = answer.json()
    told = "Ann (Allied) made this match from a save. What happened before does not follow"
    for token in (made["token"], made["watch"].partition("#")[2]):
        assert Player(client, made["id"], token).state()["notes"][0].startswith(told)


def test_a_position_of_its_own_is_told_of(client: TestClient):
    match = at_a_checkpoint(4)
    base = Snapshot(0, match.position, 0)
    own = Match[Any].resume(
        match.game, match.scenario, match.options, match.seed, Log(), base, start=match.position
    )
    made = upload(client, save.dump(own), "Allied=me,German=open").json()
    assert Player(client, made["id"], None).state()["notes"] == [
        "Ann (Allied) made this match from a save. It began with a position of its own, which "
        "nobody has checked."
    ]


def test_who_has_no_name_is_told_by_his_side():
    upload = Upload("", ["German"], played=False, own_start=False, sound=True)
    assert tell(upload) == "Who plays German made this match from a save."
    nobody = msgspec.structs.replace(upload, sides=[])
    assert tell(nobody) == "Somebody made this match from a save."


def test_what_is_told_outlives_a_restart(settings: Settings, database: str):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        made = upload(client, honest(), "Allied=me,German=open").json()
    with TestClient(make_app(settings)) as client:
        assert Player(client, made["id"], made["token"]).state()["notes"] == [SAID]


def test_tables_of_the_first_version_are_brought_up_to_date(settings: Settings, database: str):
    settings = msgspec.structs.replace(settings, database=database)
    with TestClient(make_app(settings)) as client:
        ann = begin(client)
        before = ann.state()
    engine = create_engine(settings.url())
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE matches DROP COLUMN upload"))
        connection.execute(text("UPDATE about SET value = '1' WHERE key = 'schema'"))
    engine.dispose()
    with TestClient(make_app(settings)) as client:
        ann.client = client
        assert ann.state() == before
        made = upload(client, honest(), "Allied=me,German=open").json()
        assert Player(client, made["id"], made["token"]).state()["uploaded"]
