"""The story of a match: what people read, one passage for each order that was carried out.

The log is the record, entry by entry. The story is cut where the rules ask for an opening order or
a phase ends, and tells what a side saw between two cuts. What was asked says where a passage ends,
not what was answered: so an answer given in secret cannot slip into the passage before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple, cast

from apennine.hexes import bits
from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll
from apennine.kernel.dice import Faces
from apennine.kernel.errors import RulesError
from apennine.kernel.game import REFEREE, Game
from apennine.kernel.log import HIDDEN, Chosen, Entry, Log, Rolled, Snapshot
from apennine.kernel.luck import Fall, fall_of
from apennine.kernel.match import Match
from apennine.kernel.order import Offer
from apennine.kernel.scene import Loss, Move, Scene, Sight, capital, look
from apennine.kernel.view import seen_entry, seen_log
from apennine.kernel.words import describe_entry

_NUMBERS = re.compile(r"\d+")
UNPLAYED = "the rules have changed and do not take these answers any more, so they are told as one"
"""What a passage says that stands for more than one order."""
KEPT = 16
"""Of the last so many passages the beginning is kept, and of every so many before them."""


class Passage(NamedTuple):
    """One order carried out, or what happened without one, in one line.

    `start` and `end` count the entries that the side has seen, as `seen_log` gives them: they are
    the steps into which the line unfolds.
    """

    start: int
    end: int
    phase: str
    by: int
    """The side whose order it was; -1 if nobody chose."""
    text: str
    moves: tuple[Move, ...]
    losses: tuple[Loss, ...]
    places: tuple[int, ...]
    """The hexes and boxes that it is about."""
    quiet: bool
    """Nothing came of it: somebody passed."""
    taken: tuple[tuple[int, int], ...]
    """The hexes that have changed hands: which, and who holds them now."""
    battle: bool
    """It was fought out by dice: on a table, or shot by shot."""


class Chapter(NamedTuple):
    """The turn of a side: its passages, from number `first` on, and what came of them."""

    turn: int
    side: int
    start: int
    """The number of its first entry."""
    first: int
    """The number of its first passage."""
    held: tuple[int, ...]
    """By side: the hexes that it held before."""
    holds: tuple[int, ...]
    """By side: the hexes that it holds after the last passage."""
    lost: tuple[int, ...]
    """By side: the steps that it lost."""
    begun: bool
    """Whether somebody has chosen in it; until then it is not certain whose turn it tells of."""
    points: tuple[int, ...] = ()
    """By side: what it had of what wins after the last passage; empty if the game does not say."""
    chances: tuple[tuple[int, float], ...] = ()
    """By side: its chance to win then, if the game gives one; only the referee knows the others."""

    def gained(self, side: int) -> int:
        """The hexes that a side holds now and did not hold before."""
        return self.holds[side] & ~self.held[side]


class Fallen(NamedTuple):
    """A roll of a battle: its number among the entries that the side has seen, and how it fell."""

    number: int
    side: int
    """Who rolled."""
    text: str
    """The passage that it belongs to."""
    fall: Fall


class _Mark(NamedTuple):
    """A cut from which the rest can be told again."""

    serial: int
    length: int
    """Entries of the log before it."""
    number: int
    """Entries that the side had seen before it."""
    hiding: int
    position: Any
    passages: int
    chapters: int
    chapter: Sequence[Chapter]
    """The last chapter as it was, if there was one."""


class Told(NamedTuple):
    """A story as far as its last cut: plain data, from which another process can go on telling."""

    side: int
    passages: list[Passage]
    chapters: list[Chapter]
    owners: dict[int, int]
    marks: list[_Mark]


class Teller:
    """Tells the story of a match to a side (-1: a spectator, REFEREE: who may see everything).

    It plays the recorded answers on a position of its own, so `read` costs what is new and no more.
    """

    def __init__(self, match: Match[Any], side: int, since: Snapshot[Any] | None = None) -> None:
        self.game: Game[Any] = match.game
        self.side = side
        self.passages: list[Passage] = []
        self.chapters: list[Chapter] = []
        self.owners = _owners(match)
        """By unit: its side."""
        self._marks: list[_Mark] = []
        self._serial = 0
        base = since or Snapshot(0, match.start, 0)
        self._resume(_Mark(0, base.at, 0, -1, base.position, 0, 0, ()))
        self.read(match)

    def told(self) -> Told:
        """The story without what came after its last cut."""
        mark = self._marks[-1]
        chapters = self.chapters[: mark.chapters]
        chapters[-1:] = mark.chapter
        return Told(
            self.side, self.passages[: mark.passages], chapters, self.owners, self._marks[:]
        )

    @classmethod
    def resume(cls, match: Match[Any], told: Told) -> Teller:
        """Go on telling where another teller of the same match stopped."""
        made = cls.__new__(cls)
        made.game = match.game
        made.side, made.owners = told.side, told.owners
        made.passages, made.chapters = told.passages[:], told.chapters[:]
        made._marks = told.marks[:]
        mark = made._marks.pop()
        made._serial = mark.serial
        made._resume(mark)
        made.read(match)
        return made

    def read(self, match: Match[Any]) -> None:
        """Go on to the present of a match whose log begins with what was read before."""
        if len(match.log) == self._length and self._told:
            return
        self._forget_open()
        if self._lost:
            self._skip(match)
        while not self._lost:
            try:
                self._play(match.log[self._length :])
                break
            except Exception:  # changed rules may fail on an old answer in any way; it is told
                self._skip(match)
        self._tell_open()

    def cut(self, length: int) -> None:
        """Forget what came after so many entries of the log: it was taken back."""
        if length >= self._length:
            return
        while self._marks[-1].length > length:
            self._marks.pop()
        mark = self._marks.pop()
        del self.passages[mark.passages :]
        del self.chapters[mark.chapters :]
        self.chapters[-1:] = mark.chapter
        self._resume(mark)

    def at(self, match: Match[Any]) -> Teller:
        """The story as it was told at an earlier moment of the match, which is this one."""
        if len(match.log) == self._length:
            return self
        other = copy(self)
        other.passages, other.chapters = self.passages[:], self.chapters[:]
        other._marks = self._marks[:]
        other.cut(len(match.log))
        other.read(match)
        return other

    @property
    def under_way(self) -> bool:
        """Whether the last passage is not over yet."""
        return bool(self._entries)

    @property
    def position(self) -> Any:
        """Where the story has come to. Look, do not touch."""
        return self._pos

    def moves(self, chapter: Chapter) -> list[Move]:
        """The moves of a chapter, one a unit, from where it began to where it came."""
        k = self.chapters.index(chapter)
        end = self.chapters[k + 1].first if k + 1 < len(self.chapters) else len(self.passages)
        paths: dict[int, tuple[int, ...]] = {}
        for passage in self.passages[chapter.first : end]:
            for move in passage.moves:
                before = paths.get(move.unit, move.path[:1])
                paths[move.unit] = (*before, *move.path[1:])
        return [Move(unit, path) for unit, path in paths.items()]

    def summary(self, chapter: Chapter) -> str:
        """What came of a chapter: the hexes that were gained, the steps that were lost."""
        names = self.game.sides
        gains = [
            f"{name} {count}"
            for side, name in enumerate(names)
            if (count := chapter.gained(side).bit_count())
        ]
        lost = [f"{name} {steps}" for name, steps in zip(names, chapter.lost) if steps]
        parts = [("hexes gained", gains), ("steps lost", lost)]
        return "; ".join(f"{what}: {', '.join(told)}" for what, told in parts if told)

    # The recorded answers, played again.

    def _resume(self, mark: _Mark) -> None:
        self._marks.append(mark)
        self._pos: Any = mark.position.copy()
        self._procedure: Procedure = self.game.phase(self._pos)
        self._item: Choice | Roll | None = None
        self._prompt: str | None = None
        self._length = mark.length
        self._number = mark.number
        self._hiding = mark.hiding
        self._told = False
        self._lost = False
        self._closed: tuple[int, int, Sequence[Chapter]] | None = None
        """What had been told before the passage that is under way."""
        self._begin(look(self.game, self._pos, self.side))

    def _play(self, entries: Sequence[Entry]) -> None:
        """Give the rules the answers that were given, and read the log along with them."""
        game, at, end = self.game, 0, len(entries)
        answer: Option | Faces | None = None
        while True:
            if self._item is None:
                try:
                    item = self._procedure.send(answer)
                except StopIteration:
                    answer = None
                    self._cut(restarts=True)
                    if at == end and game.outcome(self._pos) is not None:
                        return
                    self._procedure, self._prompt = game.phase(self._pos), None
                    continue
                answer = None
                if isinstance(item, Event):
                    # Told from the log: corrected rules may tell of more or of fewer.
                    if at < end and type(entries[at]) is Event:
                        self._add(entries[at])
                        at += 1
                    continue
                if isinstance(item, Choice) and self._opens(item):
                    self._cut(restarts=item.checkpoint)
                self._item = item
            while at < end and type(entries[at]) is Event:
                self._add(entries[at])
                at += 1
            if at == end:
                return
            entry = entries[at]
            at += 1
            if not _fits(self._item, entry):
                raise RulesError("The rules ask for something else than what was answered.")
            self._add(entry)
            if type(entry) is Chosen:
                self._stop()
                if entry.option.hex >= 0:  # what is answered under way leads nowhere by itself
                    self._asked = self._pos.copy(), entry
                answer = entry.option
            elif type(entry) is Rolled:
                answer = entry.faces
            self._item = None

    def _opens(self, choice: Choice) -> bool:
        """Whether a question is for an order that begins something of its own.

        Rules that do not ask by orders: the first checkpoint of a phase is its menu.
        """
        offer = choice.options
        if type(offer) is Offer:
            return any(order.opens for order in offer.orders)
        if not choice.checkpoint:
            return False
        prompt = _NUMBERS.sub("", choice.prompt)
        if self._prompt is None:
            self._prompt = prompt
        return prompt == self._prompt

    def _skip(self, match: Match[Any]) -> None:
        """Go on from the next kept checkpoint: what came before it is one passage that says so."""
        self._unplayed, self._asked = True, None
        log = cast("Log[Any]", match.log)
        later = [kept for kept in (match.checkpoint, *log.snapshots()) if kept.at > self._length]
        self._lost = not later
        for entry in log[self._length : later[-1].at if later else len(log)]:
            self._add(entry)
        self._pos = later[-1].position.copy() if later else match.position.copy()
        if later:
            self._procedure, self._item, self._prompt = self.game.phase(self._pos), None, None
            self._cut(restarts=True)

    # Cutting and telling.

    def _begin(self, sight: Sight) -> None:
        """A new passage begins here."""
        pos = self._pos
        self._before = sight
        self._when = pos.turn, pos.side, pos.phase
        self._first = self._number
        self._entries: list[Entry] = []
        self._stops: list[tuple[int, int]] = []
        self._last = sight.hex
        self._asked: tuple[Any, Chosen] | None = None
        """The last order that names a hex, and the position in which it was given."""
        self._unplayed = False

    def _add(self, entry: Entry) -> None:
        """An entry of the log, as the side sees it: a run of others' secrets is one."""
        self._length += 1
        if self.side != REFEREE:
            if type(entry) is Chosen and entry.secret and entry.side != self.side:
                if self._hiding == entry.side:
                    return
                self._hiding = entry.side
                entry = Chosen(entry.side, HIDDEN, entry.rule, secret=True)
            else:
                self._hiding = -1
                entry = seen_entry(entry, self.side)
        self._entries.append(entry)
        self._number += 1

    def _stop(self) -> None:
        """Somebody is asked, or a passage ends: a unit that is elsewhere now has come there."""
        hexes = getattr(self._pos, "hex", ())
        if all(map(int.__eq__, hexes, self._last)):
            return
        unseen = 0 if self.side == REFEREE else self.game.unseen(self._pos, self.side)
        way = self._way(unseen)
        for unit, (hex, last) in enumerate(zip(hexes, self._last, strict=True)):
            if hex != last and hex >= 0 and not unseen >> unit & 1:
                if last in way and hex in way:  # perhaps a part of it: somebody was asked under way
                    passed = way[way.index(last) + 1 : way.index(hex)]
                    self._stops += [(unit, between) for between in passed]
                self._stops.append((unit, hex))
        self._last = tuple(hexes)

    def _way(self, unseen: int) -> tuple[int, ...]:
        """The hexes by which the last order led, if everybody at the map could see that.

        What lies hidden on the map may have turned the mover aside: then only he knows the way.
        """
        if self._asked is None:
            return ()
        pos, order = self._asked
        mine = self.side in (REFEREE, order.side)
        is_box = self.game.board.is_box
        hidden = any(
            hex >= 0 and not is_box(hex) for hex in (pos.hex[unit] for unit in bits(unseen))
        )
        if not mine and (order.secret or order.veil or hidden):
            return ()
        found = self.game.preview(pos, order.option)
        return () if found is None else tuple(found.path)

    def _cut(self, *, restarts: bool) -> None:
        """A passage ends here; from here the story can be told again if the phase `restarts`."""
        self._stop()
        sight = look(self.game, self._pos, self.side)
        scene = self._scene(sight)
        if self._entries:
            self._tell(scene)
        elif scene.moves or scene.losses:
            return  # what has no entry that the side sees is told with the next one
        self._begin(sight)
        if restarts:
            self._mark()

    def _scene(self, sight: Sight) -> Scene:
        return Scene(self.game, self._before, sight, tuple(self._entries), self._stops)

    def _tell(self, scene: Scene) -> None:
        turn, side, phase = self._when
        lead = scene.lead
        if lead is None:
            # What nobody chose belongs to what follows: a turn begins with the word that it does.
            turn, side = self._pos.turn, self._pos.side
        chapters = self.chapters
        if not chapters or (chapters[-1][:2] != (turn, side) and chapters[-1].begun):
            control, nothing = scene.before.control, (0,) * len(self.game.sides)
            where = self._first, len(self.passages)
            chapters.append(Chapter(turn, side, *where, control, control, nothing, begun=False))
        lost = list(chapters[-1].lost)
        for loss in scene.losses:
            if loss.unit in self.owners:
                lost[self.owners[loss.unit]] += loss.steps
        chapters[-1] = chapters[-1]._replace(
            turn=turn,
            side=side,
            holds=scene.after.control,
            lost=tuple(lost),
            begun=lead is not None or chapters[-1].begun,
            points=self.game.standing(self._pos, self.side).points,
            chances=self._chances(),
        )
        self.passages.append(
            Passage(
                self._first,
                self._number,
                phase,
                -1 if lead is None else lead.side,
                capital(f"{UNPLAYED}: {scene.outline()}") if self._unplayed else scene.text(),
                scene.moves,
                scene.losses,
                scene.places,
                scene.is_quiet,
                scene.taken,
                scene.is_battle,
            )
        )

    def _chances(self) -> tuple[tuple[int, float], ...]:
        game, pos = self.game, self._pos
        eyes = [s for s in range(len(game.sides)) if self.side in (s, REFEREE)]
        found = [(side, game.outlook(pos, side)) for side in eyes]
        return tuple((side, chance) for side, chance in found if chance is not None)

    def _mark(self) -> None:
        marks = self._marks
        if marks[-1].length == self._length:
            marks.pop()
        self._serial += 1
        marks.append(
            _Mark(
                *(self._serial, self._length, self._number, self._hiding, self._pos.copy()),
                *(len(self.passages), len(self.chapters), self.chapters[-1:]),
            )
        )
        if len(marks) > KEPT + 1 and marks[-KEPT - 1].serial % KEPT:
            del marks[-KEPT - 1]

    def _tell_open(self) -> None:
        """Tell the passage that is under way as far as it has come; it is told anew later."""
        self._told = True
        self._closed = len(self.passages), len(self.chapters), self.chapters[-1:]
        if self._entries:
            self._stop()
            self._tell(self._scene(look(self.game, self._pos, self.side)))

    def _forget_open(self) -> None:
        if self._closed is not None:
            passages, chapters, last = self._closed
            del self.passages[passages:]
            del self.chapters[chapters:]
            self.chapters[len(self.chapters) - len(last) :] = last
            self._closed = None


def _fits(item: Choice | Roll, entry: Entry) -> bool:
    """Whether an answer is of the kind that is asked for: to look into menus would take long."""
    if type(item) is Roll:
        return type(entry) is Rolled and item.sides == entry.sides
    if type(item) is not Choice or type(entry) is not Chosen or item.side != entry.side:
        return False
    offer = item.options
    return type(offer) is not Offer or offer.order(entry.option.verb) is not None


def falls(teller: Teller, match: Match[Any]) -> list[Fallen]:
    """All rolls of battles whose odds are known, by who rolled them."""
    game, found = teller.game, list[Fallen]()
    entries = list(match.log if teller.side == REFEREE else seen_log(match, teller.side))
    for passage in teller.passages:
        if not passage.battle:
            continue
        for number in range(passage.start, passage.end):
            roll = entries[number]
            fall = fall_of(game, roll) if type(roll) is Rolled else None
            if fall is not None:
                side = _shooter(teller, entries[number])
                found.append(Fallen(number, passage.by if side < 0 else side, passage.text, fall))
    return found


def _shooter(teller: Teller, roll: Entry) -> int:
    """The side of the unit with whose name the purpose of a roll begins; -1 if it names none."""
    assert type(roll) is Rolled
    who, at, _ = roll.purpose.partition(" at ")
    return teller.owners.get(teller.game.unit(who), -1) if at and who in teller.game.units else -1


def steps(game: Game[Any], entries: Sequence[Entry]) -> list[str]:
    """The entries of a passage in words: what was chosen, each die with its shifts, events."""
    told: list[str] = []
    for entry in entries:
        told.append(describe_entry(game, entry))
        if type(entry) is Rolled:
            told += [
                f"  {line.text} {line.value}" + (f" [{line.rule}]" if line.rule else "")
                for line in entry.lines
            ]
    return told


def _owners(match: Match[Any]) -> dict[int, int]:
    """By unit: its side, as the sides' own views have it."""
    game, owners = match.game, dict[int, int]()
    numbers = {name: number for number, name in enumerate(game.units)}
    for side, name in enumerate(game.sides):
        units: list[dict[str, Any]] = game.view(match.start, side)["units"]
        for unit in units:
            if "side" in unit and unit["side"] == name and unit["name"] in numbers:
                owners[numbers[unit["name"]]] = side
    return owners
