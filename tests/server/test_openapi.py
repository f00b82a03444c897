"""The OpenAPI file: it is the server's own, and the server keeps to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi import checks
from starlette.testclient import TestClient

from tests.server.playing import AGAINST_BOT, ALONE, Player, begin
from tests.server.serving import Server
from tests.waiting import LONGEST

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]


OPERATIONS = [found.ok() for found in schemathesis.openapi.from_path(FILE).get_all_operations()]


class Served(NamedTuple):
    """A running server with matches in it."""

    server: Server
    players: list[Player]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    database = f"sqlite:///{folder / 'matches.sqlite'}"
    with (
        Server(database, folder) as server,
        httpx.Client(base_url=server.url, timeout=LONGEST) as client,
    ):
        yield Served(server, [begin(client, ALONE), begin(client, AGAINST_BOT, pace="instant")])


def test_the_file_in_the_documents_is_that_of_the_server(client: TestClient):
    served = client.get("/api/openapi.json").json()
    assert json.loads(FILE.read_text()) == served, (
        "write it anew: python -m apennine.server.openapi > docs/openapi.json"
    )


def test_every_address_says_what_it_takes_gives_and_refuses(client: TestClient):
    document = client.get("/api/openapi.json").json()
    names = [each["operationId"] for path in document["paths"].values() for each in path.values()]
    assert len(set(names)) == len(names)
    assert len(names) > 30
    for path, methods in document["paths"].items():
        for described in methods.values():
            assert described["summary"].endswith("."), path
            assert "429" in described["responses"]
            if "{match}" in path:
                assert "404" in described["responses"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_the_server_keeps_to_its_description(operation: Any, served: Served):
    """Whatever is asked, the answer has a status, a type and a shape that the file names.

    Half of the requests about a match or a game are about one that there is.
    """
    modes = schemathesis.GenerationMode
    asked = st.one_of(operation.as_strategy(generation_mode=mode) for mode in modes)

    @given(asked, st.booleans())
    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    def ask(case: Any, real: bool) -> None:
        if real and "{match}" in case.path:
            player = served.players[len(str(case.body)) % 2]
            case.path_parameters["match"] = player.id
            case.headers = {**(case.headers or {}), **player.headers}
        if real and "{key}" in case.path:
            case.path_parameters["key"] = "crossing"
        response = case.call(base_url=served.server.url, timeout=LONGEST)
        case.validate_response(response, checks=CHECKS)

    ask()


def test_what_players_get_is_as_described(served: Served):
    """The answers that no generated request gets: a match made, joined, played and taken back."""
    client = served.players[0].client
    described = {operation.label: operation for operation in OPERATIONS}

    def check(label: str, response: httpx.Response) -> Any:
        assert response.status_code in (200, 201), response.text
        described[label].validate_response(response)
        return response.json()

    wanted = {"game": "crossing", "seats": {"Allied": "me", "German": "open"}}
    made = check("POST /api/matches", client.post("/api/matches", json=wanted))
    ann, match = Player(client, made["id"], made["token"]), "/api/matches/{match}"
    joined = check(f"POST {match}/join", ann.post("join", {"side": "German"}))
    bert = Player(client, made["id"], joined["token"])
    for player in (bert, ann):
        seen = check(f"GET {match}/state", player.get("state"))
        option = seen["decision"]["options"][0][:4]
        text = ",".join(map(str, option))
        check(f"GET {match}/preview", player.get("preview", option=text))
        seen = check(f"POST {match}/act", player.post("act", {"at": seen["at"], "option": option}))
    check(f"POST {match}/why", ann.post("why", {"option": ["fly", 0, 0, 0]}))
    check(f"POST {match}/undo", ann.post("undo", {"at": seen["at"]}))
    check(f"POST {match}/rollback", ann.post("rollback", {"to": 0}))
    check(f"POST {match}/rollback/answer", bert.post("rollback/answer", {"accept": True}))
    check(f"GET {match}/overlay", ann.get("overlay", name="zone"))
    check(f"GET {match}/replay/{{k}}", ann.get("replay/0"))
    check(f"POST {match}/resign", bert.post("resign"))
    saved = client.post("/api/saves", content=ann.get("save").text)
    check("POST /api/saves", saved)
