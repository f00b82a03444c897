"""What clients may ask for, however they ask: the same checks for HTTP and for WebSockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from apennine.kernel.decision import Choice, Option
from apennine.server import fog, rows, state, uploads
from apennine.server.errors import Refused
from apennine.server.founding import hashed, new_secret
from apennine.server.house import House
from apennine.server.messages import (
    Act,
    Answer,
    Because,
    Foreseen,
    Hexes,
    Join,
    Joined,
    ListedMatch,
    ListedSeat,
    RawOption,
    Rename,
    RollBack,
    Say,
    SetPace,
    State,
    Throw,
    Ticket,
    Undo,
    Warned,
)
from apennine.server.room import Plan, Room
from apennine.server.rows import Listed
from apennine.server.state import Eyes

T = TypeVar("T")
A = ParamSpec("A")

STALE = "The match has gone on since you looked; look again."


class Guest(NamedTuple):
    """Somebody at a match: the sides that he holds."""

    room: Room
    sides: tuple[int, ...]


class Service:
    """All that a client may ask of this server's matches."""

    def __init__(self, house: House) -> None:
        self.house = house

    # Who may do what.

    async def guest(self, id: str, secret: str | None) -> Guest:
        """Who it is that holds this token; who has none may watch a public match."""
        if secret is None:
            room = await self.house.room(id)
            if not room.birth.public:
                raise Refused(401, "This match wants a token: open it by the link that you got.")
            self.house.visit(room)
            return Guest(room, ())
        token = await self.house.token(secret)
        if token is None or token.match != id:
            raise Refused(401, "This token is not one of this match.")
        room = await self.house.room(id)
        self.house.visit(room)
        for side in token.sides:
            if room.seats[side].kind == "invite":
                await self._welcome(room, side)
        return Guest(room, token.sides)

    async def _welcome(self, room: Room, side: int) -> None:
        """Who comes by an invitation takes the seat; another request of his may have done so."""
        try:
            await self.house.do(room, lambda room: room.arrive(side))
        except Refused as refused:
            if refused.status != 409:
                raise

    def eyes(self, guest: Guest, wanted: str | None = None) -> Eyes:
        """Through whose eyes a guest sees."""
        return state.eyes_of(guest.room, guest.sides, wanted)

    async def _look(self, guest: Guest, wanted: str | None, look: Callable[[Room, Eyes], T]) -> T:
        def looked() -> T:
            return look(guest.room, self.eyes(guest, wanted))

        return await self.house.rules(looked)

    async def state(self, guest: Guest, wanted: str | None = None) -> State:
        """The match as a guest sees it."""
        await self.house.tell(guest.room, self.eyes(guest, wanted).side)
        online = self.house.online(guest.room.id)
        return await self._look(
            guest, wanted, lambda room, eyes: state.whole_state(room, eyes, online)
        )

    async def act(self, guest: Guest, act: Act) -> None:
        """Take an option of the present menu."""
        option = Option(*act.option)
        await self._do(guest, lambda room: room.choose(guest.sides, option), act.at)

    async def throw(self, guest: Guest, throw: Throw) -> None:
        """Give dice that were thrown by hand."""
        await self._do(guest, lambda room: room.throw(guest.sides, throw.faces), throw.at)

    async def undo(self, guest: Guest, undo: Undo) -> None:
        """Take the last choice back."""
        await self._do(guest, lambda room: room.take_back(guest.sides), undo.at)

    async def roll_back(self, guest: Guest, wish: RollBack) -> None:
        """Go back, or ask to."""
        await self._do(
            guest,
            lambda room: room.roll_back(
                guest.sides, state.eyes_back(room, guest.sides, wish.as_).side, wish.to
            ),
        )

    async def answer(self, guest: Guest, answer: Answer) -> None:
        """Let another side go back, or not."""
        await self._do(guest, lambda room: room.answer(guest.sides, answer.accept))

    async def resign(self, guest: Guest) -> None:
        """Give up."""
        await self._do(guest, lambda room: room.resign(guest.sides))

    async def say(self, guest: Guest, line: Say) -> None:
        """Say something to all."""
        await self._do(guest, lambda room: room.say(guest.sides, line.text))

    async def rename(self, guest: Guest, wanted: Rename) -> None:
        """Take a name."""
        await self._do(guest, _renaming(guest.sides[:1], wanted.name))
        for side in guest.sides[1:]:
            await self._do(guest, _renaming((side,), wanted.name))

    async def set_pace(self, guest: Guest, wanted: SetPace) -> None:
        """Let the bots play more slowly or more quickly."""
        await self._do(guest, lambda room: room.set_pace(guest.sides, wanted.pace))

    async def join(self, id: str, join: Join) -> Joined:
        """Sit down at an open seat."""
        room = await self.house.room(id)
        side = state.side_number(room.game, join.side)
        secret = new_secret()
        await self.house.do(room, lambda room: room.join(side, join.name, hashed(secret)))
        return Joined(secret)

    async def _do(
        self, guest: Guest, planner: Callable[[Room], Plan], at: str | None = None
    ) -> None:
        online = self.house.online(guest.room.id)

        def planned(room: Room) -> Plan:
            if not guest.sides:
                raise Refused(403, "Who only watches cannot act.")
            if at is not None:
                self._check_fresh(room, guest, at, online)
            return planner(room)

        await self.house.do(guest.room, planned)

    def _check_fresh(self, room: Room, guest: Guest, at: str, online: frozenset[int]) -> None:
        """He who acts must have seen the present, through the eyes of any side that he holds."""
        for side in guest.sides:
            if state.picture(room, Eyes(guest.sides, side), online).state.at == at:
                return
        raise Refused(409, STALE)

    # Looking.

    async def preview(
        self, guest: Guest, option: RawOption, after: Sequence[RawOption] = ()
    ) -> Foreseen | None:
        """What an option of one's own menu would lead to, perhaps after others."""
        earlier = [Option(*step) for step in after]
        return await self._look(
            guest, None, lambda room, eyes: state.foresee(room, eyes, Option(*option), earlier)
        )

    async def why(self, guest: Guest, option: RawOption) -> Because:
        """Why an option is not in one's own menu."""
        return await self._look(
            guest, None, lambda room, eyes: _because(room, eyes, Option(*option))
        )

    async def overlay(
        self, guest: Guest, name: str, side: str | None, unit: str | None, wanted: str | None = None
    ) -> Hexes:
        """Hexes to show over the map."""
        return await self._look(
            guest, wanted, lambda room, eyes: state.overlay(room, eyes, name, side, unit)
        )

    async def warnings(self, guest: Guest) -> list[Warned]:
        """What the guest's side should look at."""
        return await self._look(guest, None, state.warnings)

    # Looking back, which takes long: it is done in the archive, and comes as it is sent.

    async def look_back(
        self,
        guest: Guest,
        wanted: str | None,
        job: Callable[Concatenate[Room, Eyes, A], T],
        *args: A.args,
        **more: A.kwargs,
    ) -> T:
        """Have a function of the archive look at a guest's match."""
        return await self.house.archive.look(guest.room, guest.sides, wanted, job, *args, **more)

    # Lists.

    async def listed(self) -> list[ListedMatch]:
        """The public matches."""
        found = await self.house.storage.read(rows.listed, None)
        return [row for line in found if (row := self._row(line)) is not None]

    async def mine(self, tickets: Sequence[Ticket]) -> list[ListedMatch]:
        """The matches that these tokens belong to."""
        held: dict[str, set[int]] = {}
        for ticket in tickets:
            token = await self.house.token(ticket.token)
            if token is not None and token.match == ticket.id:
                held.setdefault(ticket.id, set()).update(token.sides)
        if not held:
            return []
        found = await self.house.storage.read(rows.listed, list(held), len(held))
        result: list[ListedMatch] = []
        for line in found:
            row = self._row(line)
            if row is not None:
                sides = self.house.game(line.game).sides
                mine = held[line.id]
                row.my_sides = [sides[side] for side in sorted(mine)]
                row.your_turn = line.head.waiting in mine
                row.prompt = line.head.prompt
                result.append(row)
        return result

    def _row(self, line: Listed) -> ListedMatch | None:
        if line.game not in self.house.catalogue:
            return None
        game = self.house.game(line.game)
        return ListedMatch(
            id=line.id,
            game=line.game,
            title=game.title,
            scenario=line.scenario,
            turn=line.head.turn,
            seats=[
                ListedSeat(
                    game.sides[seat.side], cast("Any", seat.kind), seat.name, seat.kind != "open"
                )
                for seat in line.seats
            ],
            over=line.head.over,
            updated=line.head.updated,
            origin=uploads.tell(line.upload) if line.upload else "",
        )


def _because(room: Room, eyes: Eyes, option: Option) -> Because:
    decision = room.decision
    if not isinstance(decision, Choice) or decision.side not in eyes.sides:
        raise Refused(403, "It is not for you to choose now.")
    refusal = fog.why_not(room.match, option)
    if refusal is None:
        return Because("This can be done.", decision.rule)
    return Because(refusal.sentence, refusal.rule)


def _renaming(sides: Sequence[int], name: str) -> Callable[[Room], Plan]:
    return lambda room: room.rename(sides[0], name)
