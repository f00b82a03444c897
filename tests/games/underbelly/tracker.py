"""A German who keeps a list: from the set-up and his log alone, where is each hidden Allied unit?

He follows every stack that moves. Where he is not told who went he guesses among those whom he
believes there, so he is right by chance now and then; more than that the log must not tell him.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from apennine.games.underbelly.game import Underbelly
from apennine.games.underbelly.rules.c06_fog import hidden
from apennine.games.underbelly.rules.c07_zones import on_map
from apennine.games.underbelly.table.position import ALLIED, GERMAN, ORDERS, Table
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Event, Option
from apennine.kernel.game import EVERYBODY
from apennine.kernel.log import VEILED, Chosen, Entry
from apennine.kernel.match import Match
from apennine.kernel.view import seen_log

NOWHERE = -1
WAYS = ("go", "enter", "come ashore", "sail")


class Score(NamedTuple):
    """Hidden units on the map, those that the tracker placed, and those that he placed rightly."""

    hidden: int = 0
    placed: int = 0
    right: int = 0

    def plus(self, other: Score) -> Score:
        return Score(*(one + more for one, more in zip(self, other, strict=True)))


class Tracker:
    """Where he believes the Allied units to be."""

    def __init__(self, game: Underbelly, start: Table) -> None:
        self.war = game.war
        self.where = {unit: start.hex[unit] for unit in game.war.members[ALLIED]}
        self.turn = start.turn
        self.origin = self.target = NOWHERE
        self.movers: list[int] = []
        self.gone = False
        """The movers have set out: whoever is taken next begins another move."""
        self.random = Random(0)

    def read(self, entries: Iterable[Entry]) -> None:
        """Go on with what the log tells."""
        for entry in entries:
            if type(entry) is Event:
                self.hear(entry)
            elif type(entry) is Chosen:
                if entry.side == ALLIED:
                    self.follow(entry.option.verb, entry.option.unit, entry.option.hex)
                elif entry.option.verb in ("target", "fight"):
                    self.target = entry.option.hex

    def at(self, place: int) -> list[int]:
        """Whom he believes in a place."""
        return [unit for unit, where in self.where.items() if where == place]

    def hear(self, event: Event) -> None:
        """What happened."""
        verb, unit = event.verb, event.unit
        if verb == "turn":
            self.turn = event.value
        elif verb == "battle":
            self.target = event.hex
        elif verb == "arrives" and unit == VEILED:  # the schedule lies open
            for due in self.war.due[ALLIED].get(self.turn, ()):
                self.where[due] = self.war.available
        elif unit in self.where:
            if verb in ("arrives", "comes back"):
                self.where[unit] = self.war.available
            elif verb in ("is eliminated", "is withdrawn", "joins the end-run"):
                self.where[unit] = NOWHERE
            elif event.hex >= 0:
                self.where[unit] = event.hex

    def follow(self, verb: str, unit: int, hex: int) -> None:
        """What the Allied player did."""
        if verb in ORDERS:
            self.origin, self.movers, self.gone = hex, [], False
        elif verb in ("take", "take along"):
            if self.gone:
                self.movers, self.gone = [], False
            others = [each for each in self.at(self.origin) if each not in self.movers]
            if unit == VEILED and others:
                unit = self.random.choice(others)
            if unit >= 0:
                self.movers.append(unit)
        elif verb in WAYS or (verb == "retreat to" and self.target != NOWHERE):
            if verb == "retreat to":
                self.movers = self.at(self.target)
            for each in self.movers or self.at(self.origin):
                self.where[each] = hex
            self.gone = True
        elif verb in ("place", "on top", "advance", "drop"):
            self.where[unit] = hex
        elif verb in ("attack with", "strike with"):
            self.where[unit] = self.origin

    def score(self, pos: Table) -> Score:
        """How he does."""
        war = self.war
        unseen = [unit for unit in bits(hidden(war, pos, GERMAN)) if on_map(war, pos, unit)]
        placed = [unit for unit in unseen if self.where[unit] >= 0 and war.bit[self.where[unit]]]
        right = sum(self.where[unit] == pos.hex[unit] for unit in placed)
        return Score(len(unseen), len(placed), right)


def veiled_by_sight(entries: Iterable[Entry], unseen: int) -> list[Entry]:
    """The whole log with every name taken out that cannot be seen on the table.

    Who drops is known, since nobody else does (12.9a).
    """
    told: list[Entry] = []
    for entry in entries:
        what = entry.option if type(entry) is Chosen else entry
        if type(what) in (Event, Option) and what.unit >= 0 and unseen >> what.unit & 1:
            covered = what if what.verb in ("drop", "drops") else what._replace(unit=VEILED)
            entry = entry._replace(option=covered) if type(entry) is Chosen else covered
        told.append(entry)
    return told


class Trackers(NamedTuple):
    """How some who follow the same match do."""

    german: Score
    """Who reads the German log."""
    spectator: Score
    """Who reads what spectators are told."""
    watcher: Score
    """Who sees the counters on the table and what is done with them, and no name that is hidden
    before and after: what he finds out comes from the set-up, the public arrivals, and chance."""
    spy: Score
    """Who reads the Allied log."""


def track(game: Underbelly, scenario: str, seed: int, most: int) -> Trackers:
    """A match of the game's own bots of so many decisions at most, followed from turn to turn."""
    match = Match(game, scenario, seed=seed)
    trackers = [Tracker(game, match.start) for _ in Trackers._fields]
    scores = [Score()] * len(trackers)
    bots = [game.bots["staff"](seed) for seed in (1, 2)]
    turn = 1
    for _ in range(most):
        if not isinstance(match.decision, Choice):
            break
        before, at = hidden(game.war, match.position, GERMAN), len(match.log)
        match.choose(bots[match.decision.side](match.seat()))
        pos, news = match.position, list(seen_log(match, ALLIED, at))
        arrivals = sum(1 << e.unit for e in news if type(e) is Event and e.verb == "arrives")
        unseen = hidden(game.war, pos, GERMAN) & (before | arrivals)
        logs = seen_log(match, GERMAN, at), seen_log(match, EVERYBODY, at)
        for tracker, told in zip(trackers, (*logs, veiled_by_sight(news, unseen), news)):
            tracker.read(told)
        if pos.turn != turn:
            turn = pos.turn
            scores = [s.plus(t.score(pos)) for s, t in zip(scores, trackers)]
    return Trackers(*scores)
