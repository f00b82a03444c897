"""What happened in a match, by turn and side: the facts that a report is written from.

Nothing here knows a game. Facts are those of the story, so a report for one side tells what that
side saw and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from apennine.hexes import Mask
from apennine.kernel.game import EVERYBODY, REFEREE, Game, Outcome, Standing
from apennine.kernel.log import Chosen
from apennine.kernel.match import Match
from apennine.kernel.scene import LOST, TURN, Loss, Move, Scene
from apennine.kernel.story import Passage, Teller
from apennine.kernel.words import describe_event, spot_name


class Fight(NamedTuple):
    """An attack that was fought out with dice."""

    place: int
    side: int
    """Who attacked."""
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    column: str
    """The column of the table in which it was fought out; "" if it was fought shot by shot."""
    dice: tuple[int, ...]
    losses: tuple[Loss, ...]
    fled: tuple[int, ...]
    """Defenders that left the place alive."""
    entered: bool
    """Attackers stand in the place now."""


@dataclass
class Section:
    """What one side did in a turn, and what came of it."""

    turn: int
    side: int
    arrivals: list[Move] = field(default_factory=list[Move])
    """Units that came onto the map, from beside it or out of a box."""
    moves: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    """By unit: the way that it went on the map, battles left out."""
    fights: list[Fight] = field(default_factory=list[Fight])
    rebuilt: list[int] = field(default_factory=list[int])
    """Units that got steps back."""
    wasted: list[Loss] = field(default_factory=list[Loss])
    """Losses outside of battle."""
    orders: list[str] = field(default_factory=list[str])
    """Other things that were ordered, each in a line of the story."""
    states: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """By what befell units without an order, such as "is out of supply": which units."""
    notes: list[str] = field(default_factory=list[str])
    """What else happened without an order."""
    gained: tuple[Mask, ...] = ()
    """By side: the hexes that it took."""
    nearer: int = 0
    """By how many hexes those who moved came nearer to the enemy, all together."""
    first: int = -1
    """The number of the first passage in which somebody moved or fought; -1: none did."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to tell."""
        told = (self.arrivals, self.moves, self.fights, self.rebuilt, self.wasted, self.orders)
        return not any((*told, self.states, self.notes)) and not any(self.gained)


OPENING = 0
"""As a turn: what came before anybody moved, the setting up and the first plans."""


class Turn(NamedTuple):
    """A turn: its name, what the sides did in it, and how things stood after it."""

    number: int
    name: str
    sections: Sequence[Section]
    position: Any
    """Where everything was when it ended. Look, do not touch."""
    standing: Standing
    lost: tuple[int, ...]
    """By side: the steps that it lost."""

    @property
    def spoken(self) -> str:
        """Its name within a sentence."""
        return re.sub(r"^T(?=he start$|urn \d)", "t", self.name)

    @property
    def fights(self) -> list[Fight]:
        """All that was fought out in it."""
        return [fight for section in self.sections for fight in section.fights]


class Death(NamedTuple):
    """A unit that left the game: where and in which turn."""

    unit: int
    hex: int
    turn: int


class Facts(NamedTuple):
    """A whole match."""

    game: Game[Any]
    scenario: str
    side: int
    """Through whose eyes it is told."""
    turns: Sequence[Turn]
    opening: Standing
    """How things stood at the start."""
    deaths: Sequence[Death]
    outcome: Outcome | None
    owners: dict[int, int]
    """By unit: its side."""

    def name_of(self, turn: int) -> str:
        """What a turn is called."""
        return next(each.name for each in self.turns if each.number == turn)


class Chronicler(Teller):
    """A teller who keeps the scenes of the story, and how things stood at the end of each turn."""

    def __init__(self, match: Match[Any], side: int) -> None:
        self.scenes: list[tuple[int, int, Scene]] = []
        """With the turn and the side to which each belongs."""
        self.ends: dict[int, Any] = {}
        self._opened = False
        super().__init__(match, side)

    def _tell(self, scene: Scene) -> None:
        super()._tell(scene)
        chapter = self.chapters[-1]
        moved = any(move.start >= 0 for move in scene.moves)
        self._opened = self._opened or moved or self.passages[-1].battle
        turn = chapter.turn if self._opened else OPENING
        self.scenes.append((turn, chapter.side, scene))
        self.ends[turn] = self.position.copy()


def gather(match: Match[Any], side: int = REFEREE, outcome: Outcome | None = None) -> Facts:
    """The facts of a match as a side saw it; `outcome`, if it was ended by resignation."""
    game = match.game
    teller = Chronicler(match, side)
    writer = _Writer(teller)
    for passage, (turn, mover, scene) in zip(teller.passages, teller.scenes, strict=True):
        # What a side does in another's turn, an interrupt, is its own doing.
        writer.add(passage, turn, mover if passage.by < 0 else passage.by, scene)
    looker = max(side, EVERYBODY)
    track: Sequence[str] = match.view(looker).get("track", ())
    turns = [
        Turn(
            number,
            _turn_name(track, number),
            _in_order(sections.values()),
            teller.ends[number],
            game.standing(teller.ends[number], looker),
            tuple(writer.lost[number]),
        )
        for number, sections in writer.turns.items()
    ]
    told = [turn for turn in turns if turn.sections]
    return Facts(
        game,
        match.scenario,
        side,
        told,
        game.standing(match.start, looker),
        writer.deaths,
        match.outcome or outcome,
        teller.owners,
    )


def _turn_name(track: Sequence[str], turn: int) -> str:
    """What a turn is called: as on the track, where that has more than numbers."""
    if turn == OPENING:
        return "The start"
    name = track[turn - 1] if turn <= len(track) else str(turn)
    return f"Turn {name}" if name.isdecimal() else name


def _in_order(sections: Iterable[Section]) -> list[Section]:
    """The side that moved first comes first, whoever was the first to place or to plan."""
    told = [section for section in sections if not section.is_empty]
    return sorted(told, key=lambda section: (section.first < 0, section.first))


class _Writer:
    """Sorts the scenes of the story into turns and sections."""

    def __init__(self, teller: Chronicler) -> None:
        self.game, self.owners = teller.game, teller.owners
        self.turns: dict[int, dict[int, Section]] = {}
        self.lost: dict[int, list[int]] = {}
        self.deaths: list[Death] = []

    def add(self, passage: Passage, turn: int, side: int, scene: Scene) -> None:
        sides = len(self.game.sides)
        sections = self.turns.setdefault(turn, {})
        section = sections.setdefault(side, Section(turn, side, gained=(0,) * sides))
        lost = self.lost.setdefault(turn, [0] * sides)
        for loss in scene.losses:
            if loss.unit in self.owners:
                lost[self.owners[loss.unit]] += loss.steps
            if loss.gone:
                self.deaths.append(Death(loss.unit, loss.hex, turn))
        before, after = scene.before.control, scene.after.control
        section.gained = tuple(
            (held | now & ~was) & now
            for held, was, now in zip(section.gained, before, after, strict=True)
        )
        if section.first < 0 and (passage.battle or any(move.start >= 0 for move in scene.moves)):
            section.first = passage.start
        if passage.battle:
            section.fights.append(self._fight(scene))
            return
        section.wasted += scene.losses
        self._moves(section, scene)
        known = ~(scene.before.unseen | scene.after.unseen)
        rebuilt = [
            unit
            for unit, (was, now) in enumerate(zip(scene.before.steps, scene.after.steps))
            if now > was > 0 and known >> unit & 1
        ]
        section.rebuilt += rebuilt
        if passage.quiet or scene.moves or scene.losses or rebuilt:
            return
        if scene.lead is None and not scene.rolls:
            self._happened(section, scene)
        elif _matters(scene):
            section.orders.append(passage.text)

    def _happened(self, section: Section, scene: Scene) -> None:
        """What came about by itself: by what it was where it befell units, else line by line."""
        for event in scene.events:
            if event.unit >= 0:
                section.states.setdefault(event.verb.replace("_", " "), []).append(event.unit)
            elif event.verb != TURN:
                section.notes.append(describe_event(self.game, event, spot_name))

    def _moves(self, section: Section, scene: Scene) -> None:
        is_box = self.game.board.is_box
        for move in scene.moves:
            if move.end < 0:
                continue
            if is_box(move.end):
                if move.start < 0:
                    section.arrivals.append(move)
            elif move.start < 0 or is_box(move.start):
                section.arrivals.append(move)
            else:
                section.nearer += self._nearer(scene, move)
                way = section.moves.get(move.unit, move.path[:1])
                section.moves[move.unit] = (*way, *move.path[1:])

    def _nearer(self, scene: Scene, move: Move) -> int:
        """By how many hexes a mover came nearer to the nearest enemy that is seen."""
        board, side = self.game.board, self.owners.get(move.unit)
        enemies = [
            hex
            for unit, hex in enumerate(scene.before.hex)
            if 0 <= hex < board.lattice.size
            and self.owners.get(unit, side) != side
            and not scene.before.unseen >> unit & 1
        ]
        far = board.lattice.distance
        before, after = (
            min((far(hex, enemy) for enemy in enemies), default=0) for hex in (move.start, move.end)
        )
        return before - after

    def _fight(self, scene: Scene) -> Fight:
        assert scene.lead is not None
        side, place = scene.lead.side, _target(scene)
        named = [
            entry.option.unit
            for entry in scene.entries
            if type(entry) is Chosen and entry.side == side
        ]
        attackers = [
            unit for unit in dict.fromkeys(named) if unit >= 0 and self.owners.get(unit) == side
        ]
        hidden = scene.before.unseen & scene.after.unseen
        defenders = [
            unit
            for unit, hex in enumerate(scene.before.hex)
            if hex == place and self.owners.get(unit, side) != side and not hidden >> unit & 1
        ]
        after = scene.after.hex
        roll = next((roll for roll in scene.rolls if roll.column), None)
        return Fight(
            place,
            side,
            tuple(attackers),
            tuple(defenders),
            roll.column if roll else "",
            roll.faces if roll else (),
            scene.losses,
            tuple(unit for unit in defenders if after[unit] not in (place, LOST)),
            any(hex == place and self.owners.get(unit) == side for unit, hex in enumerate(after)),
        )


def _target(scene: Scene) -> int:
    """Where a battle was: the hex that the last order before the dice names."""
    place = -1
    for entry in scene.entries:
        if type(entry) is Chosen and entry.option.hex >= 0:
            place = entry.option.hex
        elif place >= 0 and type(entry) is not Chosen:
            break
    return place


def _matters(scene: Scene) -> bool:
    """Whether an order that moved nobody is worth a line: not if a unit was only taken up."""
    lead = scene.lead
    if scene.rolls or any(event.verb != TURN for event in scene.events):
        return True
    # An order that names nothing passes something by.
    return lead is not None and lead.option.unit < 0 <= lead.option.hex
