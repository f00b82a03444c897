"""A second reading of chapter 13: the nine steps of a battle, to hold against the engine.

`Board.play` asks for a die with `DIE` and for a choice with the side and all that it may choose
from: triples of verb, unit and number. It is told what was rolled or chosen.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import product
from typing import Any

from apennine.games.underbelly.table.position import ALLIED, COASTAL, GERMAN, UNSUPPLIED, Table
from tests.games.underbelly.reading import (
    GROUND,
    GROUP,
    GUNS,
    KIND,
    NEXT,
    RIDGES,
    RIVERS,
    SIDE,
    Reading,
)
from tests.games.underbelly.skirmish import WAR

DIE = "die"
Shot = tuple[str, int, int]
Play = Generator[Any, Any, None]


def either(one: str, other: str) -> set[Shot]:
    return {(one, -1, 0), (other, -1, 0)}


class Board:
    """The Battle Board when the attackers have been named, before anybody has fired."""

    def __init__(self, pos: Table, attackers: Sequence[int], bomber: bool) -> None:
        self.pos, self.book = pos, Reading(pos)
        self.side, self.target = pos.side, pos.target
        self.attackers, self.defenders = list(attackers), list(self.book.stacks[pos.target])
        self.bomber = bomber
        self.steps = list(pos.steps)
        self.fed = self.book.supply(pos.target, 1 - pos.side)
        self.mixed = pos.side == GERMAN and self.book.is_mixed(pos.target)
        self.city = bool(WAR.cities >> pos.target & 1)
        self.fort = bool(pos.forts >> pos.target & 1)
        self.coast = bool(WAR.coast >> pos.target & 1)
        self.air = self.rubble = -1
        self.broken_off = self.retreats = False

    def alive(self, units: Sequence[int]) -> list[int]:
        return [unit for unit in units if self.steps[unit]]

    def front(self, units: Sequence[int]) -> list[int]:
        """13.5: whom ground units may fire at."""
        alive = self.alive(units)
        return [unit for unit in alive if unit not in GUNS] or alive

    def attack(self, unit: int) -> int:
        """13.12, 13.13: what an attacker must roll."""
        pos, number = self.pos, WAR.fire[unit][self.steps[unit]]
        number -= (GROUND[self.target] in ("mountain", "marsh")) + 2 * self.city
        number -= self.fort and self.side == ALLIED
        number -= pos.mixed + (pos.crossed >> WAR.group[unit] & 1) + (pos.supply == COASTAL)
        if unit in GUNS:
            return number
        spared = self.side == GERMAN and pos.turn <= 3
        number -= (pos.origin, self.target) in RIVERS and not spared
        number += (self.side == ALLIED and self.coast) + (self.air == self.side)
        return number - 2 * (pos.supply == UNSUPPLIED)

    def defence(self, unit: int) -> int:
        number = WAR.fire[unit][self.steps[unit]] - self.mixed
        if unit in GUNS:
            return number
        number += (self.side == GERMAN and self.coast) + (self.air == 1 - self.side)
        return number - (self.fed == UNSUPPLIED)

    def play(self) -> Play:
        yield from self.fly()
        yield from self.barrage()
        if self.alive(self.defenders):
            yield from self.defend()
            if not self.broken_off:
                yield from self.fire()

    def fly(self) -> Play:
        """9.14: an aircraft of the attacker, or else one of the defender."""
        sides = ((self.side, self.attackers), (1 - self.side, self.defenders))
        for owner, force in sides:
            aircraft = self.pos.tac if owner == ALLIED else self.pos.german_tac
            if aircraft and self.air < 0 and not GUNS.issuperset(force):
                chosen = yield owner, either("air support", "no air support")
                if chosen.verb == "air support":
                    self.air = owner

    def barrage(self) -> Play:
        """Step two."""
        silent = self.pos.supply == UNSUPPLIED
        guns = [u for u in self.alive(self.attackers) if u in GUNS and not silent]
        bombs = self.bomber
        while True:
            shots: set[Shot] = set()
            for gun in guns:
                shots |= {("shell", u, self.attack(gun)) for u in self.front(self.defenders)}
            menu = self.sheltered(shots)
            if bombs:
                menu |= {("bomb", unit, 5) for unit in self.alive(self.defenders)}
            if not menu:
                return
            chosen = yield self.side, menu
            self.hurt(chosen, (yield DIE))
            if chosen.verb == "shell":
                guns = []
                continue
            bombs = False
            if (self.fort or self.city) and (yield DIE) >= 6:
                self.rubble = chosen.unit

    def sheltered(self, shots: set[Shot]) -> set[Shot]:
        """13.6: rubble takes one off; 13.12: nobody fires what cannot hit."""
        less = {(verb, unit, number - (unit == self.rubble)) for verb, unit, number in shots}
        return {shot for shot in less if shot[2] > 0}

    def hurt(self, shot: Any, face: int) -> bool:
        hit = face <= shot.value
        self.steps[shot.unit] -= hit
        return hit

    def volley(self, side: int, numbers: list[int], foes: list[int]) -> Play:
        """Shot after shot; who lost a step is returned, and the numbers left stay in the list."""
        struck: list[int] = []
        while numbers and self.alive(foes):
            shots = {("fire at", unit, number) for unit in self.front(foes) for number in numbers}
            menu = self.sheltered(shots)
            if not menu:
                numbers.clear()
                break
            chosen = yield side, menu
            numbers.remove(chosen.value + (chosen.unit == self.rubble))
            if self.hurt(chosen, (yield DIE)):
                struck.append(chosen.unit)
        return struck

    def defend(self) -> Play:
        """Steps three and four."""
        silent = GUNS if self.fed == UNSUPPLIED else set[int]()
        firing = [unit for unit in self.alive(self.defenders) if unit not in silent]
        numbers = [self.defence(unit) for unit in firing for _ in range(self.steps[unit])]
        numbers = [number for number in numbers if number > 0]
        struck = yield from self.volley(1 - self.side, numbers, self.attackers)
        if not struck or self.city:
            return
        self.broken_off = GUNS.issuperset(self.alive(self.attackers))
        if not self.broken_off:
            chosen = yield self.side, either("break off", "fight on")
            self.broken_off = chosen.verb == "break off"
        if self.broken_off:
            yield from self.recover(self.side, struck)

    def recover(self, side: int, struck: Sequence[int]) -> Play:
        chosen = yield side, {("recover", unit, 0) for unit in struck}
        self.steps[chosen.unit] += 1

    def fire(self) -> Play:
        """Steps five and six."""
        firing = [unit for unit in self.alive(self.attackers) if unit not in GUNS]
        numbers = [self.attack(unit) for unit in firing for _ in range(self.steps[unit])]
        numbers = [number for number in numbers if number > 0]
        struck = yield from self.volley(self.side, numbers, self.defenders)
        saved = self.saved(struck)
        if saved and not self.alive(self.defenders) and (yield from self.overkill(numbers)):
            return
        if not saved:
            return
        chosen = yield 1 - self.side, either("retreat", "stand")
        if chosen.verb == "retreat":
            self.retreats = True
            yield from self.recover(1 - self.side, saved)

    def overkill(self, numbers: list[int]) -> Play:
        """13.10: whether a shot at the dead hits."""
        less = self.rubble >= 0 and self.defenders == [self.rubble]
        left = [number - less for number in numbers if number > less]
        while left:
            chosen = yield self.side, {("fire on", -1, n) for n in left} | {("cease fire", -1, 0)}
            if chosen.verb == "cease fire":
                return False
            left.remove(chosen.value)
            if (yield DIE) <= chosen.value:
                return True
        return False

    def saved(self, struck: Sequence[int]) -> list[int]:
        """Who may get a step back by a retreat for which all find a place (13.2/6, 13.9)."""
        pos, port = self.pos, self.target in self.book.ports
        if self.city or (self.side == GERMAN and port):
            return []
        alive = set(self.alive(self.defenders))
        leaving = [(unit, alive | {unit}) for unit in sorted(set(struck))]
        if pos.dropped == pos.turn:
            leaving = [(unit, all_) for unit, all_ in leaving if WAR.airborne not in all_]
        return [unit for unit, all_ in leaving if self.finds_room(sorted(all_))]

    def finds_room(self, units: list[int]) -> bool:
        room = self.book.has_room
        if any(room(hex, units) for hex in self.refuges(units)):
            return True
        for places in product(*(self.refuges([unit]) for unit in units)):
            parties = [(hex, [u for u, h in zip(units, places) if h == hex]) for hex in set(places)]
            if all(room(hex, party) for hex, party in parties):
                return True
        return False

    def refuges(self, units: list[int]) -> list[int]:
        """13.9/1 to 13.9/4: the empty hexes, or those of friends if there is none."""
        book, side = self.book, 1 - self.side
        posts = {h: self.alive(book.stacks[h]) for h in book.held[self.side]}
        zone = {
            near for h, stack in posts.items() if not GUNS.issuperset(stack) for near in NEXT[h]
        }
        climbs = all(KIND[unit] == "mountain" for unit in units)
        closed = {hex for hex, stack in posts.items() if stack}
        closed |= set(book.ports) if side == GERMAN else set()
        closed |= {hex for hex in NEXT[self.target] if book.is_barred(hex, side)}
        closed |= {hex for a, hex in RIDGES if a == self.target and not climbs}
        ways = [hex for hex in NEXT[self.target] if hex not in closed]
        empty = [hex for hex in ways if hex not in zone | book.held[side]]
        friends = [hex for hex in ways if hex in book.held[side]]
        if side == GERMAN:
            own = {GROUP[unit] for unit in units}
            friends = [h for h in friends if {GROUP[unit] for unit in book.stacks[h]} == own]
        return empty or friends

    def advancers(self, where: Sequence[int]) -> set[int]:
        """13.8: who may step into the hex now; `where` are the hexes of all units."""
        inside = [unit for unit in self.attackers if where[unit] == self.target]
        ready = {unit for unit in self.alive(self.attackers) if unit not in inside}
        if GUNS.issuperset(inside):
            ready -= GUNS
        if (self.pos.origin, self.target) in RIDGES:
            ready = {unit for unit in ready if KIND[unit] == "mountain"}
        return ready

    def dead(self) -> list[int]:
        return [u for u in (*self.attackers, *self.defenders) if not self.steps[u]]

    def is_gone_for_good(self, unit: int) -> bool:
        """9.16: eliminated without overland supply."""
        return bool(self.pos.supply if SIDE[unit] == self.side else self.fed)
