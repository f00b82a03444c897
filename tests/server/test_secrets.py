"""What a side may not know never leaves the server for it, not by a byte."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from apennine.kernel.decision import Choice
from apennine.kernel.game import EVERYBODY, Game
from apennine.kernel.log import Chosen, Rolled
from apennine.kernel.match import Match
from apennine.kernel.view import seen_log
from apennine.server import fog, founding, state
from apennine.server.errors import Refused
from apennine.server.history import open_history
from apennine.server.room import Room
from apennine.server.rows import SeatRow, Stored
from apennine.server.state import Eyes
from tests.contracts.contracts import hides, imagined, sample
from tests.contracts.playthroughs import MODULES, load, moments

NOBODY: frozenset[int] = frozenset()
GAMES = [module for module in MODULES if module != "tests.kernel.toy"]
"""The toy has no units to show, and so no view for a client."""


@pytest.fixture(scope="module", params=GAMES, ids=lambda module: module.split(".")[-1])
def game(request: pytest.FixtureRequest) -> Game[Any]:
    return load(request.param)


def room_of(match: Match[Any]) -> Room:
    """A match as the server has it after it was loaded."""
    birth, head, begun, kept = founding.begin(match, "m")
    seats = [SeatRow(side, "person") for side in range(len(match.game.sides))]
    checkpoints = [kept] if kept else []
    room = Room(Stored(birth, 0, head, seats, checkpoints, begun, []), match.game)
    # The log may begin with choices of an imagined past, so the match itself is put in.
    room.history = open_history(Stored(birth, 0, head, seats, [], [], []), match.game)._replace(
        match=match
    )
    return room


def some(game: Game[Any], count: int) -> list[Match[Any]]:
    """Moments of random games, a few of each rule that asks something."""
    random = Random(game.key)
    found = [random.choice(these) for _, these in sorted(moments(game).items())]
    random.shuffle(found)
    return found[:count]


def everything(match: Match[Any], side: int) -> bytes:
    """All that a seat can get from the server, but for what tells the dice of a twin."""
    room = room_of(match)
    eyes = Eyes((side,) if side >= 0 else (), side)
    whole = state.whole_state(room, eyes, NOBODY)
    seen = room.seen(side)
    parts: list[Any] = [
        msgspec.structs.replace(whole, commitment="", seed=None),
        state.log_part(room, seen, 0, len(seen)),
        state.moments(room, eyes),
        state.chronicle(room, eyes),
        state.warnings(room, eyes),
    ]
    if isinstance(match.decision, Choice) and match.decision.side == side:
        parts += [state.foresee(room, eyes, o) for o in sample(match, Random(1), 4)]
    else:
        with pytest.raises(Refused):
            state.foresee(room, eyes, ("done", -1, -1, 0))  # pyright: ignore[reportArgumentType]
    if side >= 0:
        own = match.game.sides[side]
        parts += [state.overlay(room, eyes, name, own, None) for name in match.game.overlays]
    return msgspec.json.encode(parts)


def test_what_a_seat_is_sent_does_not_change_with_what_it_cannot_see(game: Game[Any]):
    random = Random(3)
    compared = different = 0
    for match in some(game, 25):
        for side in range(EVERYBODY, len(game.sides)):
            if hides(match, side):
                continue
            here = everything(match.fork(), side)
            for _ in range(2):
                twin = imagined(match, side, random)
                compared += 1
                different += twin.position.digest != match.position.digest
                assert everything(twin, side) == here
    assert compared > 20
    if fog.has_secrets(game):
        assert different, "no twin was ever different: nothing was tested"


def test_secret_choices_that_reveal_nothing_leave_the_same_payload(game: Game[Any]):
    """Whatever a side chooses in secret, and however often: the others get the same bytes."""
    secret = [
        match
        for these in moments(game).values()
        for match in these[:10]
        if isinstance(match.decision, Choice) and match.decision.secret
    ][:15]
    for match in secret:
        decision = match.decision
        assert isinstance(decision, Choice)
        seen: dict[int, set[bytes]] = {}
        for option in sample(match, Random(5), 6):
            after = match.fork()
            after.choose(option)
            news = after.log[len(match.log) :]
            if after.outcome or any(
                type(entry) is Rolled or getattr(entry, "reveals", False) for entry in news
            ):
                continue
            for side in range(EVERYBODY, len(game.sides)):
                if side != decision.side:
                    seen.setdefault(side, set()).add(everything(after, side))
        for payloads in seen.values():
            assert len(payloads) == 1
    if fog.has_secrets(game) and game.key in ("crossing", "italy1944", "torture"):
        assert secret


def test_the_seen_log_is_that_of_the_kernel_and_counts_what_is_seen_alone(game: Game[Any]):
    for match in some(game, 12):
        room = room_of(match.fork())
        for side in range(EVERYBODY, len(game.sides)):
            seen = room.seen(side)
            kernel = list(seen_log(match, side))
            assert len(seen) == len(kernel)
            told = seen.entries(room.match, 0, len(seen))
            assert [entry.n for entry in told] == list(range(len(kernel)))
            for entry, known in zip(told, kernel, strict=True):
                assert entry.rule == known.rule
                assert (entry.kind == "hidden") == (
                    type(known) is Chosen and known.option.verb == "hidden"
                )
            for number in range(0, len(seen), 7):
                assert seen.number(seen.raw(number)) == number


def test_the_mark_of_a_state_changes_if_and_only_if_the_payload_does(game: Game[Any]):
    """Followed through a game for every pair of eyes, secret choices of others included."""
    match = max(some(game, 30), key=lambda match: len(match.log))
    room = room_of(match.fork())
    looks: dict[int, dict[str, bytes]] = {}
    bot = Random(2)
    for _ in range(40):
        for side in range(EVERYBODY, len(game.sides)):
            eyes = Eyes((side,) if side >= 0 else (), side)
            whole = state.whole_state(room, eyes, NOBODY)
            payload = msgspec.json.encode(msgspec.structs.replace(whole, at=""))
            known = looks.setdefault(side, {})
            assert known.setdefault(whole.at, payload) == payload
            assert sum(value == payload for value in known.values()) == 1
        decision = room.decision
        if not isinstance(decision, Choice):
            break
        option = decision.options[bot.randrange(len(decision.options))]
        room.take(room.choose((decision.side,), option))


def test_why_and_overlays_about_the_enemy_come_from_what_the_side_may_know(game: Game[Any]):
    """For a game with secrets they are never computed from the real position."""
    for match in some(game, 8):
        for eyes in range(EVERYBODY, len(game.sides)):
            known = fog.known_position(match, eyes)
            if not fog.has_secrets(game):
                assert known is match.position
                continue
            assert known is not match.position
            if not hides(match, eyes):
                assert game.view(known, eyes) == match.view(eyes)
            for side in range(len(game.sides)):
                for name in game.overlays:
                    first = fog.overlay(match, eyes, name, side, -1)
                    assert fog.overlay(match, eyes, name, side, -1) == first


def test_neither_digests_nor_seeds_nor_raw_counts_are_sent_before_the_end(game: Game[Any]):
    for match in some(game, 10):
        if match.outcome is not None or match.seed is None:
            continue
        for side in range(EVERYBODY, len(game.sides)):
            text = everything(match.fork(), side).decode()
            assert match.seed.hex() not in text
            assert match.digest not in text
            assert match.position.digest not in text
