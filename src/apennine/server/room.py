"""A match in memory: who sits there, what may be done to it, and what follows from it.

Nothing here waits or writes. A `Plan` is what would be done: it is kept first, then taken.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.dice import DiceError
from apennine.kernel.game import EVERYBODY, Game, Outcome
from apennine.kernel.log import Chosen, Entry
from apennine.kernel.match import Match, MatchError
from apennine.kernel.save import resignation
from apennine.kernel.story import Teller, Told
from apennine.kernel.view import seen_decision
from apennine.server import fog, history
from apennine.server.errors import Refused
from apennine.server.history import History, Link
from apennine.server.plain import plain
from apennine.server.rows import Action, Birth, Checkpoint, Head, SeatRow, Stored
from apennine.server.seen import SeenLog

SHORT = 64
"""Entries of a log whose story is told in no time."""


class Ask(NamedTuple):
    """A wish to go back to this length of the log. Any step of the match ends it."""

    side: int
    length: int
    accepted: frozenset[int]


class Said(NamedTuple):
    """A line of the chat."""

    name: str
    side: int
    text: str
    when: float


class Plan(NamedTuple):
    """Something that may be done to a room, and what is to be kept of it."""

    action: Action
    head: Head
    history: History | None = None
    checkpoint: Checkpoint | None = None
    seat: SeatRow | None = None
    token: tuple[bytes, tuple[int, ...]] | None = None


class Room:
    """A match that is open in this process."""

    def __init__(self, stored: Stored, game: Game[Any]) -> None:
        self.birth: Birth = stored.birth
        self.id = stored.birth.id
        self.game = game
        self.n = stored.n
        self.head = stored.head
        self.seats = stored.seats
        self.history = history.open_history(stored, game)
        self.chat = [_said(action) for action in stored.chat]
        self.ask: Ask | None = None
        self.resigned: int | None = None
        self.lock = asyncio.Lock()
        self.looked = time.monotonic()
        """When somebody last wanted to see it."""
        self.telling = asyncio.Lock()
        """Held while the story is told elsewhere."""
        self.pictures: dict[Any, Any] = {}
        """What is shown of the present, by who looks; forgotten at every change."""
        self._seen: dict[int, SeenLog] = {}
        self._stories: dict[int, Teller] = {}
        self._baselines: dict[int, tuple[int, dict[str, Any]]] = {}
        for action in stored.actions:
            self._hear(action)

    @property
    def match(self) -> Match[Any]:
        """The match as it stands. Look, do not touch: `fork` it."""
        return self.history.match

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, if it did: by the rules, or because somebody gave up."""
        if self.match.outcome is not None or self.resigned is None:
            return self.match.outcome
        return resignation(self.game, self.resigned)

    @property
    def decision(self) -> Choice | Roll | None:
        """What is asked now; None when the match is over."""
        return None if self.outcome else self.match.decision

    @property
    def bot_to_move(self) -> SeatRow | None:
        """The bot that must choose now."""
        decision = self.decision
        if isinstance(decision, Choice) and self.seats[decision.side].kind == "bot":
            return self.seats[decision.side]
        return None

    @property
    def only_bots(self) -> bool:
        """Whether bots play each other, and nobody else."""
        return all(seat.kind == "bot" for seat in self.seats)

    @property
    def people(self) -> set[int]:
        """The sides at which people sit."""
        return {seat.side for seat in self.seats if seat.kind == "person"}

    def alone(self, sides: Sequence[int]) -> bool:
        """Whether nobody plays but who holds these sides, and bots."""
        return bool(sides) and all(seat.kind == "bot" or seat.side in sides for seat in self.seats)

    def seen(self, side: int) -> SeenLog:
        """The log as a side sees it, up to the present."""
        found = self._seen.get(side)
        if found is None:
            found = self._seen[side] = SeenLog(side)
        found.read(self.match)
        return found

    def story(self, side: int) -> Teller:
        """The story as a side is told it, up to the present."""
        found = self._stories.get(side)
        if found is None:
            found = self._stories[side] = Teller(self.match, side)
        found.read(self.match)
        return found

    def is_told(self, side: int) -> bool:
        """Whether the story as a side is told it can be had quickly."""
        return side in self._stories or len(self.match.log) <= SHORT

    def take_story(self, n: int, told: Told) -> bool:
        """A story that was told elsewhere after action n; False if the match has gone on since."""
        if n == self.n:
            self._stories.setdefault(told.side, Teller.resume(self.match, told))
        return n == self.n

    def baseline(self, side: int) -> dict[str, Any] | None:
        """What a side saw at the end of its last turn; None before that."""
        turns = self.history.turns
        mine = [k for k, turn in enumerate(turns[:-1]) if turn.side == side]
        if not mine:
            return None
        length = turns[mine[-1] + 1].length
        known = self._baselines.get(side)
        if known is None or known[0] != length:
            view = self.match.at(length).view(side)
            known = self._baselines[side] = length, view
        return known[1]

    # What may be done.

    def choose(self, sides: Sequence[int], option: Option) -> Plan:
        """Take an option of the present menu for one of these sides."""
        decision = self.decision
        if decision is None:
            raise Refused(409, self._over())
        if not isinstance(decision, Choice):
            raise Refused(409, "The dice are asked for now, not a choice.")
        if decision.side not in sides:
            raise Refused(403, f"It is {self.game.sides[decision.side]} that must choose now.")
        refusal = None if option in decision.options else fog.why_not(self.match, option)
        if refusal is not None:
            raise Refused(422, refusal.sentence, refusal.rule)
        after = self.match.fork()
        after.choose(option)
        return self._step("chosen", decision.side, after)

    def throw(self, sides: Sequence[int], faces: Sequence[int]) -> Plan:
        """Give dice that were thrown by hand."""
        if not sides:
            raise Refused(403, "Who only watches cannot throw the dice.")
        if not isinstance(self.decision, Roll):
            raise Refused(409, "No dice are asked for now.")
        after = self.match.fork()
        try:
            after.roll(*faces)
        except DiceError as error:
            raise Refused(422, str(error)) from None
        return self._step("rolled", sides[0], after)

    def may_take_back(self, sides: Sequence[int]) -> int | None:
        """The side among these that may take its last choice back."""
        if self.outcome is not None:
            return None
        return next((side for side in sides if self.match.may_take_back(side)), None)

    def take_back(self, sides: Sequence[int]) -> Plan:
        """A player's undo."""
        side = self.may_take_back(sides)
        if side is None:
            raise Refused(
                409,
                "There is nothing that you may take back: a die, something revealed, or a choice "
                "of another side lies behind the present.",
            )
        after = self.match.fork()
        after.take_back(side)
        return self._step("undo", side, after)

    def may_roll_back(self, sides: Sequence[int]) -> bool:
        """Whether these sides may ask to go back."""
        free = self.resigned is None or self.alone(sides)
        return bool(sides) and free and len(self.match.log) > 0

    def roll_back(self, sides: Sequence[int], side: int, number: int) -> Plan:
        """Go back to when a side had seen so many entries; ask those who must agree first."""
        if not sides:
            raise Refused(403, "Who only watches cannot ask to go back.")
        if self.resigned is not None and not self.alone(sides):
            raise Refused(409, self._over())
        seen = self.seen(side)
        if number >= len(seen):
            raise Refused(422, f"The log has {len(seen)} entries, there is no moment {number}.")
        return self._agreed(Ask(side, seen.raw(number), frozenset(sides)))

    def answer(self, sides: Sequence[int], accept: bool) -> Plan:
        """Say yes or no to the other side's wish to go back."""
        if not sides:
            raise Refused(403, "Who only watches has no say in this.")
        if self.ask is None:
            raise Refused(409, "Nobody asks to go back now.")
        if not accept:  # who asked may think better of it too
            return self._plan("refuse", sides[0])
        if self.ask.accepted.issuperset(sides):
            raise Refused(409, "The answer is for the other side to give.")
        return self._agreed(self.ask._replace(accepted=self.ask.accepted | set(sides)))

    def _agreed(self, ask: Ask) -> Plan:
        if not ask.accepted.issuperset(self.people):
            body = {"length": ask.length, "accepted": sorted(ask.accepted)}
            return self._plan("ask", ask.side, body)
        after = self.match.fork()
        try:
            after.roll_back(ask.length)
        except MatchError as error:
            raise Refused(409, str(error)) from None
        return self._step("rollback", ask.side, after)

    def resign(self, sides: Sequence[int]) -> Plan:
        """Give up: the side that must decide, if several are held."""
        if not sides:
            raise Refused(403, "Who only watches cannot resign.")
        decision = self.decision
        if decision is None:
            raise Refused(409, self._over())
        side = sides[0]
        if isinstance(decision, Choice) and decision.side in sides:
            side = decision.side
        plan = self._plan("resign", side)
        head = self._head(self.match, over=True, visible=True)
        return plan._replace(head=head)

    def say(self, sides: Sequence[int], text: str) -> Plan:
        """Say something to all."""
        if not sides:
            raise Refused(403, "Who only watches cannot speak.")
        line = plain(text, "A line")
        if not line:
            raise Refused(422, "There is nothing to say in an empty line.")
        return self._plan("chat", sides[0], {"text": line, "name": self.seats[sides[0]].name})

    def rename(self, side: int, name: str) -> Plan:
        """Give a new name to who sits at this side."""
        seat = self.seats[side]
        named = SeatRow(side, seat.kind, seat.bot, plain(name, "A name"))
        return self._plan("name", side)._replace(seat=named)

    def arrive(self, side: int) -> Plan:
        """Somebody who was invited has come."""
        if self.seats[side].kind != "invite":
            raise Refused(409, f"The seat of {self.game.sides[side]} is taken.")
        return self._plan("join", side)._replace(
            seat=SeatRow(side, "person", "", self.seats[side].name)
        )

    def join(self, side: int, name: str, token: bytes) -> Plan:
        """Sit down at an open seat."""
        seat = self.seats[side]
        if seat.kind != "open":
            raise Refused(409, f"The seat of {self.game.sides[side]} is not open.")
        taken = SeatRow(side, "person", "", plain(name, "A name"))
        return self._plan("join", side)._replace(seat=taken, token=(token, (side,)))

    def set_pace(self, sides: Sequence[int], pace: str) -> Plan:
        """Let the bots play more slowly or more quickly."""
        if not sides:
            raise Refused(403, "Who only watches cannot set the pace.")
        plan = self._plan("pace", sides[0])
        head = self._head(self.match, over=self.head.over, visible=False, pace=pace)
        return plan._replace(head=head)

    def _plan(self, kind: str, side: int, body: dict[str, Any] | None = None) -> Plan:
        action = Action(self.n + 1, kind, side, body=body or {}, made=time.time())
        return Plan(action, self.head)

    def _step(self, kind: str, side: int, after: Match[Any]) -> Plan:
        cut, entries, turns = history.change(self.history, after)
        n, position = self.n + 1, after.position
        body = {"length": len(after.log), "turn": position.turn, "side": position.side}
        text = history.write_entries(entries, self.game)
        action = Action(n, kind, side, cut, text, after.spent, body, time.time())
        links = [link for link in self.history.links if link.length <= cut]
        kept = history.checkpoint(n, links, turns, after)
        if kept is not None:
            links.append(Link(n, kept.length))
        head = self._head(after, after.outcome is not None, visible=_shows(cut, entries, self))
        return Plan(action, head, History(after, links, turns), kept)

    def _head(self, match: Match[Any], over: bool, visible: bool, pace: str = "") -> Head:
        updated = time.time() if visible else self.head.updated
        return make_head(match, over, updated, pace or self.head.pace)

    def _over(self) -> str:
        assert self.outcome is not None
        return f"The game is over: {self.outcome.reason}"

    # What was done.

    def take(self, plan: Plan) -> None:
        """What was planned is kept now, so it holds."""
        if plan.history is not None:
            self._cut(plan.action.cut)
            self.history = plan.history
        if plan.seat is not None:
            self.seats = [plan.seat if seat.side == plan.seat.side else seat for seat in self.seats]
        if plan.action.kind == "chat":
            self.chat.append(_said(plan.action))
        self.head = plan.head
        self._hear(plan.action)
        self.n = plan.action.n
        self.pictures.clear()

    def follow(self, n: int, head: Head, seats: list[SeatRow], news: Sequence[Action]) -> None:
        """Another process wrote these actions."""
        cuts = [action.cut for action in news if action.cut >= 0]
        if cuts:
            followed = history.follow(self.history, self.birth, news)
            self._cut(min(*cuts, len(followed.match.log)))
            self.history = followed
        self.chat += [_said(action) for action in news if action.kind == "chat"]
        self.head, self.seats, self.n = head, seats, n
        for action in news:
            self._hear(action)
        self.pictures.clear()

    def _cut(self, length: int) -> None:
        for seen in self._seen.values():
            seen.cut(length, self.match)
        for story in self._stories.values():
            story.cut(length)

    def _hear(self, action: Action) -> None:
        """Wishes to go back and resignations are not in the match."""
        if action.kind == "ask":
            accepted = frozenset(action.body["accepted"])
            self.ask = Ask(action.side, action.body["length"], accepted)
        elif action.cut >= 0 or action.kind in ("refuse", "resign"):
            self.ask = None
        if action.kind == "resign":
            self.resigned = action.side
        elif action.cut >= 0:  # who plays alone has gone back to before it
            self.resigned = None

    def forget(self) -> None:
        """Let go of what can be made again."""
        self._seen.clear()
        self._stories.clear()
        self._baselines.clear()
        self.pictures.clear()


def make_head(match: Match[Any], over: bool, updated: float, pace: str) -> Head:
    """What lists show of a match."""
    decision = None if over else seen_decision(match, EVERYBODY)
    waiting, prompt = -1, ""
    if isinstance(decision, Choice):
        waiting, prompt = decision.side, decision.prompt
    elif isinstance(decision, Roll):
        waiting, prompt = match.position.side, f"Roll for {decision.purpose}"
    turn: int = match.view(EVERYBODY)["turn"]
    return Head(updated, turn, waiting, prompt, over, pace)


def _said(action: Action) -> Said:
    return Said(action.body["name"], action.side, action.body["text"], action.made)


def _shows(cut: int, entries: Sequence[Entry], room: Room) -> bool:
    """Whether all may know when this was: how often a side chooses in secret is its own."""
    if any(not (type(entry) is Chosen and entry.secret) for entry in entries):
        return True
    undone = room.match.log[cut:]
    return any(not (type(entry) is Chosen and entry.secret) for entry in undone)
