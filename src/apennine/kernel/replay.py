"""Playing again what a log holds: from a checkpoint, with the answers that were given since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll
from apennine.kernel.dice import Faces
from apennine.kernel.errors import RulesError
from apennine.kernel.game import Game
from apennine.kernel.log import SPACING, Chosen, Entry, Rolled, Snapshot
from apennine.kernel.position import Position

P = TypeVar("P", bound=Position)


class Fed(NamedTuple, Generic[P]):
    """Where recorded answers have led.

    - `item`: what is asked after the last answer; None if the game is over.
    - `met`: the last checkpoint on the way, and before it some that are far enough apart to keep:
      how many answers came before each, and the position.
    """

    procedure: Procedure
    item: Choice | Roll | None
    met: Sequence[tuple[int, P]] = ()


def feed(
    game: Game[P],
    pos: P,
    answers: Iterable[Option | Faces],
    *,
    mark: bool = False,
    check: bool = False,
) -> Fed[P]:
    """Play recorded answers on a position.

    To `mark` is to note the checkpoints on the way. To `check` is to build every menu and look for
    the answer in it; otherwise no menu is built here.
    """
    procedure = game.phase(pos)
    feed = iter(answers)
    following = next(feed, None)
    answer: Option | Faces | None = None
    met: list[tuple[int, P]] = []
    given = 0
    while True:
        try:
            item = procedure.send(answer)
        except StopIteration:
            if game.outcome(pos) is not None:
                _check_all_fed(following)
                return Fed(procedure, None, met)
            procedure = game.phase(pos)
            answer = None
            continue
        answer = None
        if isinstance(item, Event):
            continue
        if (mark or check) and game.outcome(pos) is not None:
            _check_all_fed(following)
            return Fed(procedure, None, met)
        if mark and type(item) is Choice and item.checkpoint:
            if len(met) > 1 and met[-1][0] - met[-2][0] < SPACING:
                met.pop()
            met.append((given, pos.copy()))
        if following is None:
            return Fed(procedure, item, met)
        if check:
            _check_answer(item, following)
        answer = following
        following = next(feed, None)
        given += 1


def snapshots(
    before: Snapshot[P], entries: Sequence[Entry], met: Sequence[tuple[int, P]]
) -> list[Snapshot[P]]:
    """The checkpoints that were met when the entries after another one were played again."""
    # Counted in answers, not in events: corrected rules may tell of more or of fewer.
    places = [k for k, entry in enumerate(entries) if type(entry) is not Event]
    found: list[Snapshot[P]] = []
    at, rolls = 0, before.rolls
    for given, position in met:
        place = places[given] if given < len(places) else len(entries)
        rolls = rolls_after(entries[at:place], rolls)
        at = place
        found.append(Snapshot(before.at + at, position, rolls))
    return found


def answers(entries: Iterable[Entry]) -> Iterator[Option | Faces]:
    """What the rules were answered: the choices and the dice."""
    for entry in entries:
        if type(entry) is Chosen:
            yield entry.option
        elif type(entry) is Rolled:
            yield entry.faces


def rolls_after(entries: Sequence[Entry], rolls: int) -> int:
    """The number of the next roll after these entries, if it was `rolls` before them."""
    return max((entry.nth + 1 for entry in entries if type(entry) is Rolled), default=rolls)


def is_asked(item: Choice | Roll, *, dice_by_hand: bool) -> bool:
    """Whether somebody must be asked for this: the match itself takes a single option."""
    return len(item.options) > 1 if type(item) is Choice else dice_by_hand


def was_asked(entry: Entry, *, dice_by_hand: bool) -> bool:
    """Whether somebody was really asked for this entry, so that one can go back to it."""
    return not entry.automatic if type(entry) is Chosen else type(entry) is Rolled and dice_by_hand


def moment_before(entries: Sequence[Entry], *, dice_by_hand: bool) -> int | None:
    """How many entries there were when somebody was asked for the last time."""
    moment = len(entries)
    for entry in reversed(entries):
        moment -= 1
        if was_asked(entry, dice_by_hand=dice_by_hand):
            return moment
    return None


def last_own_moment(entries: Sequence[Entry], side: int) -> int | None:
    """The last choice that this side may take back; other sides' secrets do not show."""
    moment = len(entries)
    for entry in reversed(entries):
        moment -= 1
        match entry:
            case Rolled() | Event(reveals=True):
                return None
            case Chosen() if entry.side != side and (entry.secret or not entry.automatic):
                return None
            case Chosen(automatic=False):
                return moment
            case _:
                pass
    return None


def _check_all_fed(following: Option | Faces | None) -> None:
    if following is not None:
        raise RulesError("The game is over before the last of the recorded answers.")


def _check_answer(item: Choice | Roll | Event, answer: Option | Faces) -> None:
    if isinstance(answer, Option):
        if type(item) is not Choice:
            raise RulesError(f"The rules ask for dice where {answer.verb!r} was chosen.")
        if answer not in item.options:
            raise RulesError(f"The rules no longer offer {answer.verb!r} ({item.rule}).")
    elif type(item) is not Roll or len(item.sides) != len(answer):
        raise RulesError("The rules do not ask for the dice that were rolled.")
