"""A match: a position in play. Drives the rules, keeps the log, forks, undoes, travels in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from apennine.kernel.decision import Choice, Event, Option, Roll, new_choice, settled
from apennine.kernel.dice import Faces, SeededDice, check_faces, make_seed
from apennine.kernel.errors import IllegalChoice, MatchError, RulesError
from apennine.kernel.game import Fault, Game, Outcome, Preview, Procedure, Warning
from apennine.kernel.log import Entry, Log, Rolled, Snapshot, new_chosen, new_rolled
from apennine.kernel.order import Offer, Refusal
from apennine.kernel.position import Position
from apennine.kernel.refusal import refuse
from apennine.kernel.replay import (
    answers,
    feed,
    is_asked,
    last_own_moment,
    moment_before,
    rolls_after,
    snapshots,
    was_asked,
)
from apennine.kernel.seat import Seat

__all__ = [
    "IllegalChoice",
    "Match",
    "MatchError",
    "RulesError",
    "Seat",
    "Watcher",
    "is_asked",
]

P = TypeVar("P", bound=Position)

MOST_STEPS = 100_000
"""Rolls, events and forced choices in a row before the rules are taken to run in a circle."""


class Watcher(Protocol):
    """An object that sees every entry of a match as it is made, without touching it."""

    def saw(self, match: Match[Any], entry: Entry) -> None:
        """Called once for each entry, after the step that made it is complete."""
        ...


class Match(Generic[P]):
    """A position in play.

    `decision` is what is asked now: a Choice; a Roll, only when the dice are given by hand;
    or None when the game is over. `outcome` then says who won and why.

    What happened since the last checkpoint is kept as the answers given since then, so that
    a fork shares everything and plays those few answers again when it is first used.
    """

    __slots__ = (
        "_base",
        "_dice",
        "_dice_since",
        "_fed",
        "_floor",
        "_forced",
        "_log",
        "_outcome",
        "_position",
        "_procedure",
        "_redo",
        "_rolls",
        "_start",
        "_watchers",
        "decision",
        "game",
        "notes",
        "options",
        "scenario",
    )

    game: Game[P]
    scenario: str
    options: Mapping[str, bool]
    notes: tuple[str, ...]
    decision: Choice | Roll | None
    """What is asked now; None when the game is over. Look, do not touch."""
    _dice: SeededDice | None
    _dice_since: int
    _log: Log[P]
    _start: Snapshot[P]
    _base: Snapshot[P]
    _fed: list[Option | Faces]
    _rolls: int
    _floor: int
    _forced: Faces
    _position: P | None
    _procedure: Procedure | None
    _outcome: Outcome | None
    _redo: list[Match[P]]
    _watchers: list[Watcher]

    def __init__(
        self,
        game: Game[P],
        scenario: str | None = None,
        options: Mapping[str, bool] | None = None,
        *,
        seed: int | str | bytes | None = None,
        dice_by_hand: bool = False,
        position: P | None = None,
    ) -> None:
        """Start a match of a game.

        The dice come from the seed (a new secret one if none is given), or from `roll` if
        they are thrown by hand. A `position` other than the scenario's must be a checkpoint.
        """
        self.game = game
        self.scenario = game.check_scenario(scenario)
        self.options = game.check_options(options or {})
        self.notes = ()
        self._dice = None if dice_by_hand else SeededDice(make_seed(seed))
        self._log = Log()
        if position is None:
            position = game.setup(self.scenario, self.options)
        self._start = self._base = Snapshot(0, position.copy(), 0)
        self._fed = []
        self._rolls = self._floor = self._dice_since = 0
        self._forced = ()
        self._redo = []
        self._watchers = []
        self.decision = None
        self._outcome = None
        self._position = position.copy()
        self._procedure = game.phase(self._position)
        self._advance(None)

    @classmethod
    def resume(
        cls,
        game: Game[P],
        scenario: str,
        options: Mapping[str, bool],
        seed: bytes | None,
        log: Log[P],
        snapshot: Snapshot[P],
        *,
        start: P | None = None,
        spent: int = 0,
        dice_since: int = 0,
    ) -> Match[P]:
        """A match from its log, played on from one of its checkpoints. No seed: hand dice.

        `start` is the position in which it began, if not the scenario's; `spent` and
        `dice_since` are the properties of those names. Raises RulesError if the rules no
        longer ask for what the log holds after the checkpoint.
        """
        match: Match[P] = cls.__new__(cls)
        match.game = game
        match.scenario = game.check_scenario(scenario)
        match.options = game.check_options(options)
        match.notes = ()
        match._dice = None if seed is None else SeededDice(seed)
        match._log = log
        if start is None:
            start = game.setup(match.scenario, match.options)
        match._start = Snapshot(0, start, 0)
        match._floor = spent
        match._dice_since = dice_since
        match._forced = ()
        match._redo = []
        match._watchers = []
        match._recall(snapshot, check=True)
        return match

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._outcome

    @property
    def log(self) -> Sequence[Entry]:
        """All that was chosen, rolled and told so far. Do not change it."""
        return self._log

    @property
    def position(self) -> P:
        """The position itself: look, do not touch. `position.copy()` is yours to change."""
        if self._position is None:
            self._thaw()
        assert self._position is not None
        return self._position

    @property
    def checkpoint(self) -> Snapshot[P]:
        """The last checkpoint, from which the present can be played again."""
        return self._base

    @property
    def start(self) -> P:
        """The position in which the match began. Look, do not touch."""
        return self._start.position

    @property
    def spent(self) -> int:
        """Rolls below this number were used up before a roll-back and never come again."""
        return self._floor

    @property
    def dice_since(self) -> int:
        """Rolls below this number came from other dice, those of the match it was forked from."""
        return self._dice_since

    @property
    def commitment(self) -> str:
        """The hash of the seed, to be published before the first roll; empty for hand dice."""
        return self._dice.commitment if self._dice else ""

    @property
    def seed(self) -> bytes | None:
        """The seed of the dice. Whoever knows it knows every roll to come."""
        return self._dice.seed if self._dice else None

    @property
    def digest(self) -> str:
        """A fingerprint of the present, secrets included: equal in every process."""
        present = repr((self.game.key, self.position.state(), self._fed))
        return blake2b(present.encode(), digest_size=16).hexdigest()

    def choose(self, option: Option) -> None:
        """Take one of the options of the present choice.

        All or nothing: an option that is not in the menu raises IllegalChoice, with the rule
        that forbids it, and should the rules raise, the match is as it was before.
        """
        decision = self.decision
        if type(decision) is not Choice:
            raise MatchError(self._not_a_choice())
        side, options, _, rule, _, secret = decision
        # Whoever picks from an offer by number brings back the very option that he was given.
        if type(options) is not Offer or option is not options.given:
            refusal = None if option in options else self.why_not(option)
            if refusal is not None:
                raise IllegalChoice(option, refusal)
        veiled = option.verb in self.game.veiled
        veil = _veil(decision, self.position, option) if veiled else ()
        self._advance(option, new_chosen((side, option, rule, secret, False, veil)))

    def roll(self, *faces: int) -> None:
        """Give the dice that are asked for, in a match whose dice are thrown by hand."""
        decision = self.decision
        if not isinstance(decision, Roll):
            raise MatchError("No dice are asked for now.")
        check_faces(faces, decision.sides)
        self._advance(faces, self._rolled(decision, faces, given=True))

    def force(self, *faces: int) -> None:
        """Fix the next dice, in the order in which they will be rolled. For tests and study.

        Without faces, those that were fixed and not yet rolled are forgotten.
        """
        self._forced = (*self._forced, *faces) if faces else ()

    def fork(self, seed: int | str | bytes | None = None) -> Match[P]:
        """A match that goes on from here on its own: the same dice to come, or new ones.

        Watchers stay with the original.
        """
        other = object.__new__(type(self))
        other.game = self.game
        other.scenario = self.scenario
        other.options = self.options
        other.notes = self.notes
        other._dice = self._dice if seed is None else SeededDice(make_seed(seed))
        other._dice_since = self._dice_since if seed is None else self._rolls
        other._log = self._log.fork()
        other._start = self._start
        other._base = self._base
        other._fed = self._fed[:]
        other._rolls = self._rolls
        other._floor = self._floor
        other._forced = self._forced
        other._position = None
        other._procedure = None
        other.decision = self.decision
        other._outcome = self._outcome
        other._redo = []
        other._watchers = []
        return other

    def undo(self) -> None:
        """Go back to the decision before this one, over dice and revelations too."""
        moment = moment_before(self._log, dice_by_hand=self._dice is None)
        if moment is None:
            raise MatchError("There is nothing to undo.")
        self._go_back(moment)

    def redo(self) -> None:
        """Do again what was undone last."""
        if not self._redo:
            raise MatchError("There is nothing to redo.")
        redo = self._redo[:-1]
        self._become(self._redo[-1])
        self._redo = redo

    def may_take_back(self, side: int) -> bool:
        """Whether `take_back` would do something for this side."""
        return last_own_moment(self._log, side) is not None

    def take_back(self, side: int) -> None:
        """A player's undo: never behind a die, a revelation, or another side's choice."""
        moment = last_own_moment(self._log, side)
        if moment is None:
            raise MatchError(
                f"{self.game.sides[side]} can take nothing back: a die, something revealed, or "
                "a choice of the other side lies behind the present."
            )
        self._go_back(moment)

    def at(self, n: int) -> Match[P]:
        """The match as it stood at its last decision with at most n entries in the log.

        Before the first decision there is none: then it is the first one.
        """
        if not 0 <= n <= len(self._log):
            raise MatchError(f"The log has {len(self._log)} entries, there is no moment {n}.")
        if n == len(self._log):
            return self.fork()
        by_hand = self._dice is None
        past = self._log.cut(n + 1)
        moment = moment_before(past, dice_by_hand=by_hand)
        if moment is None:
            past = self._log
            asked = (k for k, e in enumerate(past) if was_asked(e, dice_by_hand=by_hand))
            moment = next(asked, None)
        return self.fork() if moment is None else self._restore(past.cut(moment))

    def roll_back(self, n: int) -> None:
        """Go back as `at(n)` does, by agreement of the players: no die comes up twice."""
        rolls = self._rolls
        self._become(self.at(n))
        self._rolls = self._floor = rolls
        self._redo = []

    def seat(self) -> Seat[P]:
        """All that a bot gets: what the side that must choose now may know."""
        if not isinstance(self.decision, Choice):
            raise MatchError(self._not_a_choice())
        return Seat(self, self.decision)

    def watch(self, watcher: Watcher) -> None:
        """Tell this watcher of every entry from now on."""
        self._watchers.append(watcher)

    def view(self, side: int) -> dict[str, Any]:
        """What a side (-1: a spectator) may see."""
        return self.game.view(self.position, side)

    def preview(self, option: Option) -> Preview | None:
        """What an option of the present menu would lead to."""
        return self.game.preview(self.position, option)

    def why_not(self, option: Option) -> Refusal | None:
        """Why an option is not in the present menu: the sentence and the rule; None if it is."""
        decision = self.decision
        if not isinstance(decision, Choice):
            raise MatchError(self._not_a_choice())
        if option in decision.options:
            return None
        return refuse(self.game, self.position, decision, option)

    def warnings(self, side: int) -> list[Warning]:
        """What a side should look at before it goes on."""
        return self.game.warnings(self.position, side)

    def check(self) -> list[Fault]:
        """Everything that is wrong with the position."""
        return self.game.check(self.position)

    def save(self, path: str | Path) -> None:
        """Write the match to a file, from which `apennine.load` opens it again."""
        from apennine.kernel.save import dump

        Path(path).write_text(dump(self), encoding="utf-8")

    def _advance(self, answer: Option | Faces | None, entry: Entry | None = None) -> None:
        """Give the rules an answer and run them until somebody must be asked again."""
        procedure = self._procedure or self._thaw()
        pos = self._position
        assert pos is not None
        game, log, fed = self.game, self._log, self._fed
        before = (self._base, fed, len(fed), self._rolls, self._forced)
        made: list[Entry] = []
        outcome = None
        try:
            if answer is not None and entry is not None:
                fed.append(answer)
                made.append(entry)
                self._rolls += type(entry) is Rolled
            for _ in range(MOST_STEPS):
                ended = False
                try:
                    item = procedure.send(answer)
                except StopIteration:
                    item, ended = None, True
                answer = None
                if type(item) is Event:
                    made.append(item)
                    continue
                outcome = game.outcome(pos)
                if outcome is not None:
                    item = None
                    break
                if ended:
                    procedure = game.phase(pos)
                elif type(item) is Choice:
                    if item.checkpoint:
                        self._base = Snapshot(log.length + len(made), pos.copy(), self._rolls)
                        self._fed = fed = []
                    options = item.options
                    if type(options) is Offer:
                        options.settle()
                        count = options.size
                    else:
                        item = _settled(item)
                        count = len(item.options)
                    if count > 1:
                        break
                    if count == 0:
                        raise RulesError(f"The rules offer no option: {item.prompt} ({item.rule})")
                    answer = item.options[0]
                    fed.append(answer)
                    veil = _veil(item, pos, answer) if answer.verb in game.veiled else ()
                    made.append(new_chosen((item.side, answer, item.rule, item.secret, True, veil)))
                elif type(item) is Roll:
                    rolled = self._next_roll(item)
                    if rolled is None:
                        break
                    self._rolls += 1
                    answer = rolled.faces
                    fed.append(answer)
                    made.append(rolled)
                else:
                    raise RulesError(f"The rules yielded {item!r}, which nobody can answer.")
            else:
                raise RulesError(f"The rules of {game.title} run in a circle in {pos.phase!r}.")
        except BaseException:
            self._base, self._fed, count, self._rolls, self._forced = before
            del self._fed[count:]
            self._procedure = self._position = None
            raise
        self._procedure = procedure
        self.decision = item
        self._outcome = outcome
        self._redo = []
        log.extend(made)
        if self._base.at >= log.due:
            log.keep(self._base)
        if self._watchers:
            for entry in made:
                for watcher in self._watchers:
                    watcher.saw(self, entry)

    def _next_roll(self, roll: Roll) -> Rolled | None:
        """The next dice; None if somebody must give them by hand."""
        if self._forced:
            count = len(roll.sides)
            faces, self._forced = self._forced[:count], self._forced[count:]
            check_faces(faces, roll.sides)
            return self._rolled(roll, faces, given=True)
        if self._dice is None:
            return None
        return self._rolled(roll, self._dice.roll(self._rolls, roll.sides), given=False)

    def _rolled(self, roll: Roll, faces: Faces, *, given: bool) -> Rolled:
        sides, purpose, rule, column, lines = roll
        return new_rolled((faces, sides, purpose, rule, self._rolls, given, column, lines))

    def _thaw(self) -> Procedure:
        """Make the position and the procedure of the present from the last checkpoint."""
        pos = self._base.position.copy()
        procedure = feed(self.game, pos, self._fed).procedure
        self._position = pos
        self._procedure = procedure
        return procedure

    def _restore(self, log: Log[P]) -> Match[P]:
        """The match as it stood when this, a part of it, was all of its log; somebody was asked."""
        other = self.fork()
        other._log = log
        base = self._base
        other._recall(base if base.at <= log.length else next(log.snapshots(), self._start))
        return other

    def _recall(self, snapshot: Snapshot[P], *, check: bool = False) -> None:
        """Play the log again from a checkpoint of its own.

        To `check` is to raise RulesError if the rules do not ask for what the log holds.
        """
        pos = snapshot.position.copy()
        log = self._log
        log.keep(snapshot)
        entries = log[snapshot.at :]
        if not entries:
            self._base, self._fed = snapshot, []
            self._rolls = max(self._floor, snapshot.rolls)
            self._position, self._procedure = pos, self.game.phase(pos)
            self._advance(None)
            return
        procedure, item, met = feed(self.game, pos, answers(entries), mark=True, check=check)
        if item is not None and not is_asked(item, dice_by_hand=self._dice is None):
            raise RulesError("The rules no longer ask for what was answered next.")
        for found in snapshots(snapshot, entries, met):
            log.keep(found)
            snapshot = found
        entries = log[snapshot.at :]
        self._base = snapshot
        self._fed = list(answers(entries))
        self._rolls = max(self._floor, rolls_after(entries, snapshot.rolls))
        self._position = pos
        self._procedure = procedure
        self.decision = _settled(item) if type(item) is Choice else item
        self._outcome = None if item is not None else self.game.outcome(pos)

    def _dreamt(self, imagined: P, seed: int) -> Match[P]:
        """This match on an imagined position: a fork that remembers nothing older."""
        other = self.fork(seed)
        base = self._base
        other._start = other._base = Snapshot(0, imagined, base.rolls)
        other._forced = ()
        other._log = Log(self._log[base.at :])
        return other

    def _become(self, other: Match[P]) -> None:
        """Take over all of another match but its watchers."""
        for name in Match.__slots__:
            if name != "_watchers":
                setattr(self, name, getattr(other, name))

    def _go_back(self, moment: int) -> None:
        present = self.fork()
        redo = [*self._redo, present]
        self._become(self._restore(self._log.cut(moment)))
        self._redo = redo

    def _not_a_choice(self) -> str:
        if self._outcome is not None:
            return f"The game is over: {self._outcome.reason}"
        return "The dice are asked for now, not a choice."


def _settled(choice: Choice) -> Choice:
    """The choice with a menu that stays as it is, whatever the rules do with their list."""
    side, options, prompt, rule, checkpoint, secret = choice
    menu = settled(options)
    if menu is options:
        return choice
    return new_choice((side, menu, prompt, rule, checkpoint, secret))


def _veil(choice: Choice, pos: Position, option: Option) -> tuple[str, ...]:
    """What of a choice the other sides do not see."""
    offer = choice.options
    if type(offer) is Offer:
        verb = option.verb
        for order in offer.orders:
            if order.verb == verb:
                return order.veil(offer.war, pos, option)
    return ()
