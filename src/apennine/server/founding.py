"""New matches: who sits where, the tokens that let them in, and what is kept first."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

from apennine.bots import bots_of, check_bot, title_of
from apennine.kernel.game import Game, GameError
from apennine.kernel.match import Match
from apennine.server import history, rows, state
from apennine.server.catalogue import name_of
from apennine.server.clients import CLIENT
from apennine.server.errors import Refused
from apennine.server.history import Turn
from apennine.server.house import House
from apennine.server.messages import MadeMatch, NewMatch
from apennine.server.plain import plain
from apennine.server.room import make_head
from apennine.server.rows import Action, Birth, Checkpoint, Head, SeatRow
from apennine.server.uploads import Upload


def new_secret() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """The name of a new match."""
    return secrets.token_urlsafe(12)


def hashed(secret: str) -> bytes:
    """What the server keeps of a token."""
    return sha256(secret.encode()).digest()


async def create(house: House, wanted: NewMatch) -> MadeMatch:
    """Make a match, with a token for the one who makes it and links for those invited."""
    game = house.game(wanted.game)
    seats = read_seats(game, wanted.seats, wanted.name)
    alone = all(seat.kind in ("person", "bot") for seat in seats)
    if not alone and (wanted.seed is not None or wanted.dice == "hand"):
        raise Refused(422, "Only who plays alone may choose the dice.")
    try:
        match = await house.rules(
            Match[Any],
            game,
            wanted.scenario,
            wanted.options,
            seed=wanted.seed,
            dice_by_hand=wanted.dice == "hand",
        )
    except GameError as error:
        raise Refused(422, str(error)) from None
    public = any(seat.kind == "open" for seat in seats)
    if wanted.public is not None:
        public = wanted.public
    begun = await house.rules(
        begin, match, new_id(), public=public, guided=wanted.guided, pace=wanted.pace
    )
    return await found(house, begun, seats)


async def found(house: House, begun: Begun, seats: Sequence[SeatRow]) -> MadeMatch:
    """Keep a new match, and give out its tokens."""
    id = begun.birth.id
    if not begun.head.over and all(seat.kind == "bot" for seat in seats):
        house.bouts.admit(id, CLIENT.get())
    try:
        return await _keep(house, begun, seats)
    except BaseException:
        house.bouts.end(id)
        raise


async def _keep(house: House, begun: Begun, seats: Sequence[SeatRow]) -> MadeMatch:
    id = begun.birth.id
    mine, watch = new_secret(), new_secret()
    invited = {seat.side: new_secret() for seat in seats if seat.kind == "invite"}
    held = tuple(seat.side for seat in seats if seat.kind == "person")
    tokens = [(hashed(mine), held), (hashed(watch), cast("tuple[int, ...]", ()))]
    tokens += [(hashed(secret), (side,)) for side, secret in invited.items()]
    await house.storage.write(
        id, rows.create, begun.birth, begun.head, seats, tokens, begun.actions, begun.checkpoint
    )
    waiting = begun.head.waiting
    if begun.checkpoint is None or (waiting >= 0 and seats[waiting].kind == "bot"):
        await house.room(id)  # a long one is opened when somebody comes
    sides = house.game(begun.birth.game).sides
    return MadeMatch(
        id=id,
        token=mine,
        links={sides[side]: f"/match/{id}#{secret}" for side, secret in invited.items()},
        watch=f"/match/{id}#{watch}",
    )


def read_seats(game: Game[Any], wanted: Mapping[str, str], name: str) -> list[SeatRow]:
    """The seats as they were asked for; Refused unless each side has one."""
    for side in wanted:
        state.side_number(game, side)
    missing = [side for side in game.sides if side not in wanted]
    if missing:
        raise Refused(422, f"Nobody is named for {', '.join(missing)}.")
    return [_seat(game, side, wanted[title], name) for side, title in enumerate(game.sides)]


def _seat(game: Game[Any], side: int, wanted: str, name: str) -> SeatRow:
    kind, _, bot = wanted.partition(":")
    if kind == "bot":
        bot = bot or bots_of(game)[0]
        try:
            name, _ = check_bot(bot, game)
        except GameError as error:
            raise Refused(422, str(error)) from None
        if name in game.on_trial:
            raise Refused(422, f"{game.title} offers no bot {name!r}: it is still on trial.")
        return SeatRow(side, "bot", bot, f"{title_of(bot)} bot")
    if wanted == "me":
        return SeatRow(side, "person", "", plain(name, "A name"))
    if wanted in ("invite", "open"):
        return SeatRow(side, wanted)
    raise Refused(422, f"A seat is me, bot, bot:NAME, invite or open, not {wanted!r}.")


class Begun(NamedTuple):
    """All that is kept of a new match, but for who plays."""

    birth: Birth
    head: Head
    actions: list[Action]
    checkpoint: Checkpoint | None


def begin(
    match: Match[Any],
    id: str,
    *,
    public: bool = False,
    guided: bool = False,
    pace: str = "normal",
    resigned: int | None = None,
    upload: Upload | None = None,
) -> Begun:
    """What is kept of a match at first; a side may have given up in it already."""
    game, position, now = match.game, match.position, time.time()
    own_start = match.start != game.setup(match.scenario, match.options)
    birth = Birth(
        id=id,
        game=name_of(game.key, (pack.name for pack in game.packs)),
        scenario=match.scenario,
        options=dict(match.options),
        seed=match.seed,
        dice_since=match.dice_since,
        start=json.dumps(match.start.to_json()) if own_start else None,
        bot_seed=secrets.randbits(30),
        guided=guided,
        public=public,
        created=now,
        upload=upload,
    )
    turn = Turn(len(match.log), position.turn, position.side)
    body = {"length": len(match.log), "turn": position.turn, "side": position.side}
    kept = history.checkpoint(0, [], [turn], match)
    entries = "" if kept else history.write_entries(match.log, game)
    first = Action(0, "begun", -1, 0, entries, match.spent, body, now)
    actions = [first]
    if resigned is not None and match.outcome is None:
        actions.append(Action(1, "resign", resigned, made=now))
    over = match.outcome is not None or len(actions) > 1
    return Begun(birth, make_head(match, over, now, pace), actions, kept)
