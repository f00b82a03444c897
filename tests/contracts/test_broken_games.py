"""Each contract notices a game that breaks it: toys with one thing wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from apennine.hexes import bits
from apennine.kernel.decision import Among, Choice, Event, Menu, Option, Roll, done
from apennine.kernel.game import Chance, Fault, Outcome, Preview, Warning
from tests.contracts import contracts
from tests.contracts.playthroughs import playthrough
from tests.kernel.toy import OWN, Lanes, Toy


class EmptyMenu(Toy):
    def reveal(self, pos: Lanes) -> Any:
        yield Choice(1, [], "Salute", "4.2")


class SameOptionTwice(Toy):
    def moves(self, pos: Lanes) -> Menu:
        return Menu(super().moves(pos), done("end"))


class WrongCount(Toy):
    def moves(self, pos: Lanes) -> Menu:
        class Shorter(Menu):
            def __iter__(self) -> Iterator[Option]:
                return iter(list(super().__iter__())[1:])

        return Shorter(super().moves(pos))


class OptionThatRaises(Toy):
    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        yield from super().go(pos, unit, goal)
        if goal == 3:
            raise ValueError("no way")


class HexOffTheMap(Toy):
    def ends(self, pos: Lanes, unit: int) -> int:
        return super().ends(pos, unit) | 1 << 40

    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        return super().go(pos, unit, min(goal, pos.hex[unit]) if goal == 40 else goal)


class DiceOfItsOwn(Toy):
    """Rules that roll for themselves: no two matches are the same."""

    random = Random()

    def red_plan(self, pos: Lanes) -> Any:
        yield from super().red_plan(pos)
        pos.trail ^= self.random.getrandbits(64)


class RemembersInALocal(Toy):
    """The second menu of a phase depends on something that is not in the position."""

    def move(self, pos: Lanes) -> Any:
        said = False
        while True:
            menu = Menu(self.moves(pos), [] if said else [Option("speak")])
            chosen = yield Choice(pos.side, menu, "Move or speak", "3.1", checkpoint=True)
            if chosen.verb == "end":
                break
            if chosen.verb == "speak":
                said = True
            else:
                yield from self.go(pos, chosen.unit, chosen.hex)
        pos.moved = 0
        pos.side, pos.phase = (1, "move") if pos.side == 0 else (0, "reveal")


class TellsBeforeTheMenu(Toy):
    def red_plan(self, pos: Lanes) -> Any:
        yield Event("planning begins", rule="2.1")
        yield from super().red_plan(pos)


class ChangesBeforeTheMenu(Toy):
    def red_plan(self, pos: Lanes) -> Any:
        pos.trail += 1
        yield from super().red_plan(pos)


class SavesOtherTypes(Toy):
    """A tuple with names comes back from a save as one without."""

    class Shot(NamedTuple):
        unit: int
        hex: int

    def shot(self, pos: Lanes, unit: int) -> Any:
        going = yield from super().shot(pos, unit)
        pos.shots = [self.Shot(*shot) for shot in pos.shots]
        return going

    def move(self, pos: Lanes) -> Any:
        pos.shots = pos.shots or [self.Shot(0, 0)]
        yield from super().move(pos)


class CrowdedHex(Toy):
    def reveal(self, pos: Lanes) -> Any:
        pos.hex[0] = pos.hex[1] = 5
        yield from super().reveal(pos)


class LosesAUnit(Toy):
    def reveal(self, pos: Lanes) -> Any:
        yield from super().reveal(pos)
        pos.hex.pop()

    def check(self, pos: Lanes) -> list[Fault]:
        return []

    def moves(self, pos: Lanes) -> Menu:
        free = [u for u in bits(OWN[pos.side] & ~pos.moved) if u < len(pos.hex)]
        return Menu(Among("wait", free), done("end"))

    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        pos.moved |= 1 << unit
        yield Event("waits", unit, rule="3.1")

    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        return {}

    def outcome(self, pos: Lanes) -> Outcome | None:
        return Outcome(0, "Done.", "5.1") if pos.turn > 2 else None


class RollsByNoRule(Toy):
    def weather(self, pos: Lanes) -> Any:
        yield Roll((6,), "weather", "")
        pos.phase = "red_plan"


class AsksWithoutWords(Toy):
    def red_plan(self, pos: Lanes) -> Any:
        yield Choice(0, [Option("a"), Option("b")], " ", "2.1", checkpoint=True)
        pos.phase = "blue_plan"


class WarnsByNoRule(Toy):
    def warnings(self, pos: Lanes, side: int) -> list[Warning]:
        return [Warning("Beware.", "77")]


class ViewThatTouches(Toy):
    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        pos.trail |= 1 << 300
        return super().view(pos, side)


class ViewWithASet(Toy):
    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        return super().view(pos, side) | {"seen": {1, 2}}


class ViewWithNumbersAsKeys(Toy):
    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        return super().view(pos, side) | {"points": {0: 1}}


class ChancesThatAreTooMany(Toy):
    def preview(self, pos: Lanes, option: Option) -> Preview | None:
        return Preview(chances=(Chance("hit", 1), Chance("miss", 1)))


class ShowsThePlan(Toy):
    def view(self, pos: Lanes, side: int) -> dict[str, Any]:
        return super().view(pos, side) | {"plans": list(pos.plan)}


class MenuThatTells(Toy):
    """Blue's runners go farther if Red planned boldly."""

    def ends(self, pos: Lanes, unit: int) -> int:
        bold = pos.plan[0] == 3 and unit >= 2
        return super().ends(pos, unit) & ~(1 << pos.hex[unit] - 1 if bold else 0)


class LogThatTells(Toy):
    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        yield Event("whistles", unit, value=pos.plan[0], rule="3.1")
        yield from super().go(pos, unit, goal)


class LogThatNamesTheHidden(Toy):
    """Red cannot see one of Blue's runners, and is told who runs."""

    def unseen(self, pos: Lanes, side: int) -> int:
        return 0b0100 if side == 0 else 0


class AskedOnlyIfItMatters(Toy):
    """Whether Red had a choice shows what Red has planned."""

    def shot(self, pos: Lanes, unit: int) -> Any:
        going = yield from super().shot(pos, unit)
        menu = [Option("note"), *([Option("nod")] if pos.plan[0] == 2 else [])]
        yield Choice(0, menu, "Nod?", "3.5")
        return going

    def go(self, pos: Lanes, unit: int, goal: int) -> Any:
        yield from super().go(pos, unit, goal)
        menu = [Option("note"), *([Option("nod")] if pos.plan[0] == 2 else [])]
        yield Choice(0, menu, "Nod?", "3.5")


class PreviewThatTells(Toy):
    def preview(self, pos: Lanes, option: Option) -> Preview | None:
        return Preview(cost=str(pos.plan))


class SecretsInOnePhase(Toy):
    """Blue is asked right after Red, without a checkpoint between."""

    def blue_plan(self, pos: Lanes) -> Any:
        plans = [Option("plan", value=value) for value in (1, 2)]
        yield Choice(1, plans, "Plan in secret", "2.2", secret=True)
        pos.plan[1], pos.phase = 1, "move"


class SecretThatShows(Toy):
    """The dust of a bold plan is seen at once, and nothing says that it reveals something."""

    def red_plan(self, pos: Lanes) -> Any:
        yield from super().red_plan(pos)
        if pos.plan[0] == 3:
            yield Event("dust", rule="2.1")


class ImaginesTheImpossible(Toy):
    def imagine(self, pos: Lanes, side: int, random: Random, seen: Lanes) -> Lanes:
        other = super().imagine(pos, side, random, seen)
        other.hex[:2] = other.hex[2:]
        return other


class ImaginesOtherPlans(Toy):
    """A side that forgets its own plan dreams of matches which it can tell from its own."""

    def imagine(self, pos: Lanes, side: int, random: Random, seen: Lanes) -> Lanes:
        other = super().imagine(pos, side, random, seen)
        other.plan[side] = 3 - pos.plan[side]
        return other


class RemembersOutside(Toy):
    """What rules keep outside the position cannot be undone."""

    asked = 0

    def red_plan(self, pos: Lanes) -> Any:
        self.asked += 1
        plans = [Option("plan", value=value) for value in (1, 2, 3 + self.asked % 2)]
        yield Choice(0, plans, "Plan in secret", "2.1", checkpoint=True, secret=True)
        pos.phase = "blue_plan"


ASKED = contracts.somebody_is_asked_or_the_game_is_over
RESTARTED = contracts.a_restarted_phase_asks_the_same
CITED = contracts.everything_asked_and_told_cites_a_rule
LOOKED = contracts.looking_changes_nothing
SENT = contracts.what_a_side_is_sent_does_not_change_with_what_it_cannot_see

BROKEN: list[tuple[Callable[..., None], type[Toy], str]] = [
    (ASKED, EmptyMenu, "The rules offer no option"),
    (ASKED, SameOptionTwice, "an option is there twice"),
    (ASKED, WrongCount, "another length than it says"),
    (contracts.every_option_can_be_chosen, OptionThatRaises, "no way"),
    (contracts.every_option_has_names, HexOffTheMap, "'H40' is neither a hex nor a box"),
    (contracts.a_fork_and_its_original_agree, DiceOfItsOwn, "the fork went another way"),
    (contracts.undo_is_the_moment_before, RemembersOutside, "after undo it is not what it was"),
    (RESTARTED, RemembersInALocal, "the menu is another one"),
    (RESTARTED, TellsBeforeTheMenu, "comes before the menu"),
    (RESTARTED, ChangesBeforeTheMenu, "the position changes before the menu"),
    (contracts.saves_come_back, SavesOtherTypes, "the save opens as something else"),
    (contracts.saves_come_back, DiceOfItsOwn, "the opened match went another way"),
    (contracts.nothing_is_wrong_at_a_checkpoint, CrowdedHex, "H05 is crowded"),
    (contracts.units_are_conserved, LosesAUnit, "a list lost or won a unit"),
    (CITED, RollsByNoRule, "is no rule"),
    (CITED, AsksWithoutWords, "a question without words"),
    (CITED, WarnsByNoRule, "'77'"),
    (LOOKED, ViewThatTouches, "looking has changed the position"),
    (LOOKED, ViewWithASet, "the view is not plain JSON"),
    (LOOKED, ViewWithNumbersAsKeys, "the view is not plain JSON"),
    (LOOKED, ChancesThatAreTooMany, "do not make up one"),
    (
        contracts.no_secret_lies_between_a_checkpoint_and_a_choice,
        SecretsInOnePhase,
        "a secret since the last checkpoint",
    ),
    (SENT, ShowsThePlan, "what is sent tells a secret"),
    (SENT, MenuThatTells, "what is sent tells a secret"),
    (SENT, LogThatTells, "what is sent tells a secret"),
    (SENT, AskedOnlyIfItMatters, "what is sent tells a secret"),
    (SENT, PreviewThatTells, "a hint tells a secret"),
    (SENT, ImaginesTheImpossible, "something is wrong with an imagined position"),
    (
        contracts.the_log_names_nobody_whom_a_side_cannot_see,
        LogThatNamesTheHidden,
        "Blue 1 is named to a side that cannot see it",
    ),
    (
        contracts.secret_answers_that_reveal_nothing_look_alike,
        SecretThatShows,
        "secret answers look different",
    ),
    (
        contracts.dreams_ask_the_same_and_can_be_played_on,
        ImaginesOtherPlans,
        "the dream looks different",
    ),
]


def held(contract: Callable[..., None], game: Toy, games: int = 6) -> None:
    """The contract at every decision of a few random games."""
    for number in range(games):
        for k, match in enumerate(playthrough(game, number, 60)):
            contract(match.fork(), Random(k))


@pytest.mark.parametrize(
    ("contract", "broken", "sentence"),
    BROKEN,
    ids=[f"{contract.__name__}-{broken.__name__}" for contract, broken, _ in BROKEN],
)
def test_a_broken_game_is_noticed(contract: Callable[..., None], broken: type[Toy], sentence: str):
    with pytest.raises(Exception, match=re.escape(sentence)):
        held(contract, broken())


def test_a_sound_game_keeps_every_contract_at_every_decision():
    for contract in contracts.EVERY_MOMENT:
        held(contract, Toy(), games=2)
