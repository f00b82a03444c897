"""A battle on the map as a forecast sees it, and the default play of `doctrine` as answers."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Choice, Option

from ..rules.c13_battle import (
    BREAK_OFF,
    FIGHT_ON,
    RETREAT,
    STAND,
    barrage_number,
    gunners,
    is_city,
    leaves_rubble,
    may_retreat,
)
from ..rules.c13_fire import attack_edge, defence_edge, is_silent, offensive_volley, standing
from ..rules.c13_retreat import can_retreat
from ..table.data import DIE
from ..table.position import Table
from ..table.war import War
from .default_play import Fighter, falls_back, fights_on, heaviest, weakest
from .forecast import Lineup, State


def in_line(war: War, units: Mask) -> list[int]:
    """Units in the order of a lineup: divisions by their numbers, then corps support."""
    return [*bits(units & ~war.supports), *bits(units & war.supports)]


def fighter(war: War, pos: Table, unit: int, edge: int, *, retreats: bool = False) -> Fighter:
    """A unit with what its shots must roll, two steps and one."""
    numbers = war.fire[unit]
    support = bool(war.supports >> unit & 1)
    return Fighter(numbers[-1] + edge, numbers[1] + edge, pos.steps[unit], support, retreats)


def attacker(war: War, pos: Table, unit: int) -> Fighter:
    """An attacker of the battle under way."""
    return fighter(war, pos, unit, attack_edge(war, pos, unit))


def defender(war: War, pos: Table, unit: int) -> Fighter:
    """A defender of the battle under way; corps support out of supply is silent (11.5a)."""
    edge = defence_edge(war, pos, unit)
    if is_silent(war, unit, pos.defence_supply):
        edge = -DIE
    return fighter(war, pos, unit, edge, retreats=may_leave(war, pos, unit))


def may_leave(war: War, pos: Table, unit: int) -> bool:
    """Whether a defender, the last of his force, has a hex to retreat to."""
    return may_retreat(war, pos) and can_retreat(war, pos, 1 << unit)


def lineup(war: War, pos: Table) -> Lineup:
    """The battle that is deployed in this position."""
    defenders = tuple(defender(war, pos, unit) for unit in in_line(war, pos.defenders))
    return lineup_against(war, pos, defenders)


def lineup_against(war: War, pos: Table, defenders: tuple[Fighter, ...]) -> Lineup:
    """The attackers of this position against defenders that are given."""
    guns = gunners(war, pos)
    bombers = war.book.bombers
    ruins = pos.bomber and leaves_rubble(war, pos)
    return Lineup(
        tuple(attacker(war, pos, unit) for unit in in_line(war, pos.attackers)),
        defenders,
        barrage=max(0, barrage_number(war, pos, guns[0])) if guns else 0,
        bombs=bombers.hit if pos.bomber else 0,
        rubble=DIE + 1 - bombers.rubble if ruins else 0,
        cover=-war.book.modifiers["rubble"].attack,
        city=is_city(war, pos),
    )


class Drill:
    """Plays a battle by the doctrine, for both sides, from its deployment on."""

    def __init__(self, war: War, pos: Table) -> None:
        self.war = war
        self.lineup = lineup(war, pos)
        self.attackers = in_line(war, pos.attackers)
        self.defenders = in_line(war, pos.defenders)

    def state(self, pos: Table) -> State:
        """The steps that are left, as a forecast counts them."""
        rubble = self.defenders.index(pos.rubble) if pos.rubble >= 0 else -1
        return State(
            tuple(pos.steps[unit] for unit in self.attackers),
            tuple(pos.steps[unit] for unit in self.defenders),
            rubble,
        )

    def answer(self, pos: Table, choice: Choice) -> Option:
        """What the doctrine makes of a question after the deployment."""
        verb = choice.options[0].verb
        if verb in ("shell", "bomb"):
            return self._barrage(pos, choice)
        if verb == "fire at":
            return self._shot(pos, choice)
        if verb == "break off":
            shots = [number for _, number in offensive_volley(self.war, pos)]
            return Option((FIGHT_ON if fights_on(shots) else BREAK_OFF).verb)
        if verb == "retreat":
            gone = falls_back(len(standing(pos, pos.defenders)))
            return Option((RETREAT if gone else STAND).verb)
        # The best shot after a force that is gone, any unit to recover, any hex to retreat to,
        # anybody to advance: the chances do not hang on it.
        return choice.options[0]

    def _barrage(self, pos: Table, choice: Choice) -> Option:
        steps = self.state(pos).defenders
        verb = "shell" if any(option.verb == "shell" for option in choice.options) else "bomb"
        place = heaviest(self.lineup.defenders, steps, support_too=verb == "bomb")
        return _aim(choice, verb, self.defenders[place])

    def _shot(self, pos: Table, choice: Choice) -> Option:
        state = self.state(pos)
        if choice.side == pos.side:
            place = weakest(self.lineup.defenders, state.defenders, state.rubble)
            return _aim(choice, "fire at", self.defenders[place])
        place = heaviest(self.lineup.attackers, state.attackers)
        return _aim(choice, "fire at", self.attackers[place])


def _aim(choice: Choice, verb: str, target: int) -> Option:
    """The best shot at a target; the menu has it first."""
    return next(o for o in choice.options if o.verb == verb and o.unit == target)
