"""What goes over the wire: every request and every answer, as typed structures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Name = Annotated[str, Meta(max_length=40)]
Line = Annotated[str, Meta(min_length=1, max_length=1000)]
Pace = Literal["slow", "normal", "fast", "instant"]
RawOption = tuple[str, int, int, int]
"""An option as the menu has it: verb, number of the unit, number of the hex, value; -1 is none."""


class Failure(Struct, omit_defaults=True):
    """Why a request was refused: one sentence, and the rule that refuses it if there is one."""

    error: str
    rule: str = ""


class LogEntry(Struct, omit_defaults=True):
    """One line of the log. Which fields there are depends on the kind."""

    n: int
    kind: Literal["chosen", "rolled", "event", "hidden"]
    text: str
    side: str = ""
    rule: str = ""
    hex: str = ""
    unit: str = ""
    faces: list[int] = []
    sides: list[int] = []
    purpose: str = ""
    column: str = ""
    """Of dice that are read from a table: the column."""
    lines: list[tuple[str, str, str]] = []
    """And why that one: what it was, its value, its rule."""


class ToldPassage(Struct, omit_defaults=True):
    """A passage of the story in one line; the entries from `n` up to `to` are its steps."""

    n: int
    to: int
    text: str
    side: str = ""
    quiet: bool = False
    places: list[str] = []
    """The codes of the hexes that the line names, and of some that it does not."""
    moves: list[tuple[str, list[str]]] = []
    """Who moved, and from where by which hexes to where."""
    losses: list[tuple[str, str, int, bool]] = []
    """Who lost steps: the unit, its side, how many, and whether it is gone."""
    taken: list[tuple[str, str]] = []
    """The hexes that have changed hands: which, and who holds them now."""
    battle: bool = False
    """Whether it was fought out by dice."""
    open: bool = False
    """Whether it is not over yet: it comes again when there is more of it."""


class ToldChapter(Struct):
    """The turn of a side, from entry `n` on, and what came of it so far."""

    n: int
    title: str
    side: str
    text: str
    points: dict[str, int] = {}
    """By side: what it had of what wins."""
    lost: dict[str, int] = {}
    """By side: the steps that it lost."""
    chances: dict[str, float] = {}
    """By side: its chance to win, 0 to 1, where the game gives one and the seat may know it."""


class Scheduled(Struct):
    """Who comes or goes in a turn."""

    turn: int
    title: str
    """What the turn is called."""
    side: str
    comes: bool
    units: list[str]
    text: str = ""
    rule: str = ""


class ToldRoll(Struct):
    """A roll against what could be expected of it: steps lost by the enemy beyond one's own."""

    n: int
    side: str
    text: str
    result: str
    gain: float
    expected: float


class Chronicle(Struct):
    """All chapters of the story, for a graph by turn; and how the dice fell."""

    chapters: list[ToldChapter]
    rolls: list[ToldRoll]


class SeenPart(Struct):
    """Entries of the log that the seat sees, from number `from` on, and the story of them.

    Passages and chapters that have begun before are there if they go on or end here.
    """

    from_: int = msgspec.field(name="from")
    entries: list[LogEntry]
    passages: list[ToldPassage] = []
    chapters: list[ToldChapter] = []


class ChatLine(Struct):
    """Something said between the seats."""

    n: int
    name: str
    side: str
    text: str
    when: float


class ChatPart(Struct):
    """Lines of the chat, from number `from` on."""

    from_: int = msgspec.field(name="from")
    lines: list[ChatLine]


class Sitting(Struct):
    """Who sits at a side."""

    side: str
    kind: Literal["person", "bot", "open", "invite"]
    name: str
    online: bool
    bot: str = ""


class Asked(Struct):
    """The decision that is due. Other sides' menus are empty."""

    side: str
    prompt: str
    rule: str
    kind: Literal["choice", "roll"]
    options: list[tuple[str, int, int, int, str, str | None, str | None]]
    """Verb, unit, hex and value, as they are sent back; then the words, the code and the name."""
    waiting: bool
    """Whether somebody else than this seat must act."""
    dice: list[int] = []
    """For a roll by hand: the sides of the dice that are asked for."""
    by_name: list[str] = []
    """Verbs of the menu that a mere click on a unit does not mean."""


class Ended(Struct):
    """How the game ended; no winner is a draw."""

    winner: str | None
    reason: str
    rule: str


class Stands(Struct):
    """Who is ahead: by side, what it has and what wins; `ahead` would win as things stand."""

    sentence: str
    rule: str
    ahead: str | None
    points: dict[str, int]
    goals: dict[str, int]
    prizes: list[tuple[str, int, str | None]] = []
    """Places that count: the hex, its worth, and who has it."""


class Warned(Struct):
    """What a side should look at before it goes on."""

    sentence: str
    rule: str
    unit: str | None
    hex: str | None


class Asking(Struct):
    """A wish to go back that waits for an answer."""

    by: str
    to: int
    text: str
    yours: bool
    """Whether this seat asked."""


class State(Struct):
    """A match as one seat sees it."""

    at: str
    id: str
    game: str
    title: str
    scenario: str
    options: dict[str, bool]
    sides: list[str]
    you: list[str]
    as_: str | None = msgspec.field(name="as")
    seats: list[Sitting]
    view: dict[str, Any]
    decision: Asked | None
    log: SeenPart
    changed: list[str]
    """Hexes that are not as they were when this side's last turn ended."""
    came: list[tuple[str, str, str]]
    """Since then: from where to where units went, and their side."""
    may_undo: bool
    may_roll_back: bool
    rollback: Asking | None
    warnings: list[Warned]
    alerts: list[str]
    standing: Stands | None
    outcome: Ended | None
    commitment: str
    seed: str | None
    pace: Pace
    guided: bool
    notes: list[str]
    """What everybody should know of the match; the first of one that was uploaded says by whom."""
    uploaded: bool
    chat: ChatPart


class NewMatch(Struct, forbid_unknown_fields=True):
    """A match to be made. A seat is "me", "bot", "bot:NAME", "invite" or "open"."""

    game: Annotated[str, Meta(max_length=100)]
    seats: dict[str, Annotated[str, Meta(max_length=60)]]
    scenario: Annotated[str, Meta(max_length=100)] | None = None
    options: dict[str, bool] = {}
    name: Name = ""
    seed: Annotated[str, Meta(max_length=100)] | None = None
    dice: Literal["seed", "hand"] = "seed"
    guided: bool = False
    public: bool | None = None
    """Whether anybody may find and watch it; unless told, if a seat is open."""
    pace: Pace = "normal"


class MadeMatch(Struct):
    """A match that was made: its links hold the tokens, which the server does not keep."""

    id: str
    token: str
    links: dict[str, str]
    watch: str


class Ticket(Struct, forbid_unknown_fields=True):
    """A match and a token for it."""

    id: Annotated[str, Meta(max_length=100)]
    token: Annotated[str, Meta(max_length=100)]


class Tickets(Struct, forbid_unknown_fields=True):
    """The matches that somebody holds tokens for."""

    tokens: Annotated[list[Ticket], Meta(max_length=200)]


class ListedSeat(Struct):
    """A seat in a list of matches."""

    side: str
    kind: Literal["person", "bot", "open", "invite"]
    name: str
    taken: bool


class ListedMatch(Struct, omit_defaults=True):
    """A match in a list."""

    id: str
    game: str
    title: str
    scenario: str
    turn: int
    seats: list[ListedSeat]
    over: bool
    updated: float
    my_sides: list[str] | UnsetType = UNSET
    your_turn: bool | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    origin: str = ""
    """Of a match that was made from a save: by whom."""


class Join(Struct, forbid_unknown_fields=True):
    """A wish to sit down at an open seat."""

    side: Annotated[str, Meta(max_length=100)]
    name: Name = ""


class Joined(Struct):
    """The token of a seat that was open."""

    token: str


class Rename(Struct, forbid_unknown_fields=True):
    """What somebody wants to be called."""

    name: Name


class Act(Struct, forbid_unknown_fields=True):
    """An option of the present menu, taken by somebody who has seen the state `at`."""

    at: Annotated[str, Meta(max_length=100)]
    option: RawOption


class Throw(Struct, forbid_unknown_fields=True):
    """Dice that were thrown by hand."""

    at: Annotated[str, Meta(max_length=100)]
    faces: Annotated[list[int], Meta(max_length=50)]


class Undo(Struct, forbid_unknown_fields=True):
    """A wish to take the last choice back."""

    at: Annotated[str, Meta(max_length=100)]


class RollBack(Struct, forbid_unknown_fields=True, rename={"as_": "as"}):
    """A wish to go back to when the seat had seen so many entries of the log."""

    to: Annotated[int, Meta(ge=0)]
    as_: str | None = None
    """By the count of which of the sides that one holds; unless told, of who must decide."""


class Answer(Struct, forbid_unknown_fields=True):
    """Whether the other side may go back."""

    accept: bool


class Say(Struct, forbid_unknown_fields=True):
    """A line for the chat."""

    text: Line


class SetPace(Struct, forbid_unknown_fields=True):
    """How quickly the bots play."""

    pace: Pace


class Nothing(Struct):
    """Nothing more needs to be said."""


class Why(Struct, forbid_unknown_fields=True):
    """An option that is not in the menu."""

    option: RawOption


class Because(Struct):
    """Why it is not there."""

    sentence: str
    rule: str


class PreviewLine(Struct):
    """A factor or a modifier."""

    text: str
    value: str
    rule: str


class PreviewChance(Struct):
    """A possible result."""

    result: str
    probability: float
    exact: str


class Foreseen(Struct):
    """What an option would lead to."""

    path: list[str]
    cost: str
    lines: list[PreviewLine]
    column: str
    chances: list[PreviewChance]
    final: bool
    """Whether dice fall as soon as it is chosen, so that it cannot be taken back."""


class Hexes(Struct):
    """A set of hexes to show over the map."""

    hexes: list[str]


class Label(Struct):
    """Where in a replay a side's turn began."""

    k: int
    text: str


class Moments(Struct):
    """How long a replay is: moments 0 to `moments`."""

    moments: int
    labels: list[Label]


class Health(Struct):
    """The server is up, and its database answers."""

    ok: bool
    version: str
