"""Battles of Italy '43 in a few words: declare, support, answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apennine.games.italy43.table.position import Table
from apennine.kernel.decision import Choice, Option, Roll
from apennine.kernel.match import Match
from tests.games.italy43.drawing import ALLIED, WAR, begin, do, names, number, offers, verbs

BYSTANDERS = "169/56 @ 2713; 85/5G @ 2712"
"""Who could attack each other elsewhere: so a phase goes on after the battle that matters."""
PASSIVE = ("hold fire", "assemble")


def combat(counters: str, side: int = ALLIED, **fields: Any) -> Match[Table]:
    """A combat phase; everybody is at full strength unless told otherwise."""
    fields = {"steps": list(WAR.full)} | fields
    return begin(f"{counters}; {BYSTANDERS}", "combat", side, **fields)


def attack(
    match: Match[Table],
    hex: str,
    *attackers: str,
    main: str = "",
    attached: Sequence[str] = (),
    dice: Sequence[int] = (),
) -> None:
    """Attack a hex with these units, or with all that may; stop where support is asked for."""
    match.force(*dice)
    do(match, "attack", hex=hex)
    while "attack with" in verbs(match):
        left = names(match, "attack with") & set(attackers or names(match, "attack with"))
        if not left:
            break
        do(match, "attack with", min(left))
    if "fight" in verbs(match):
        do(match, "fight")
    if "main assault" in verbs(match):
        do(match, "main assault", main)
    for name in attached:
        do(match, "attach", name)


def answer(match: Match[Table], *wanted: str | tuple[str, str]) -> None:
    """Give these answers in order; before each and at the end, hold fire and attach nothing."""
    for wish in wanted:
        verb, unit = wish if isinstance(wish, tuple) else (wish, "")
        _pass_on(match, verb)
        do(match, verb, unit)
    _pass_on(match, "")


def _pass_on(match: Match[Table], wanted: str) -> None:
    while wanted not in verbs(match):
        idle = [offer for offer in offers(match) if offer.verb in PASSIVE]
        if not idle:
            return
        match.choose(idle[0])


def finish(match: Match[Table]) -> None:
    """Answer whatever a battle asks with the first offer, until it is over."""
    while match.decision is not None and not verbs(match) & {"attack", "end combat"}:
        idle = [offer for offer in offers(match) if offer.verb in PASSIVE]
        match.choose((idle or offers(match))[0])


class Answers:
    """Runs a procedure with answers by verb; every other choice takes its first option."""

    def __init__(self, *wanted: tuple[str, str], dice: Sequence[int] = ()) -> None:
        self.wanted = list(wanted)
        self.dice = list(dice)
        self.rolls: list[str] = []

    def run(self, procedure: Any) -> Any:
        sent = None
        while True:
            try:
                told = procedure.send(sent)
            except StopIteration as stop:
                return stop.value
            sent = None
            if isinstance(told, Choice):
                sent = self._choose(told)
            elif isinstance(told, Roll):
                self.rolls.append(told.purpose)
                count = len(told.sides)
                sent, self.dice = tuple(self.dice[:count]), self.dice[count:]

    def _choose(self, choice: Choice) -> Option:
        options = list(choice.options)
        for wish in self.wanted:
            verb, unit = wish
            for option in options:
                if option.verb == verb and (not unit or option.unit == number(unit)):
                    self.wanted.remove(wish)
                    return option
        return options[0]
