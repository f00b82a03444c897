"""The exact chances of a battle (13.2) when both sides fight by the `default_play`.

Nothing here knows the map or the position: a `Lineup` holds the numbers that the units must roll,
and the forecast follows every die. A layer maps each state to its weight; every shot multiplies
the weights by the ten faces of its die, so all weights of a layer have one denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from .default_play import Fighter, falls_back, fights_on, heaviest, weakest

_S = TypeVar("_S")
_N = TypeVar("_N", int, Fraction)

FACES = 10

TAKEN, HELD, BROKEN_OFF = "taken", "held", "broken off"


class Lineup(NamedTuple):
    """Two forces on the Battle Board.

    Divisions stand in the order of their numbers; a corps support unit, if there is one, last.
    """

    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    barrage: int = 0
    """What the attacker's corps support must roll in step two; 0 if none may fire."""
    bombs: int = 0
    """What the heavy bombers must roll; 0 if they stay away (13.6c)."""
    rubble: int = 0
    """The faces of their second die that leave rubble; 0 where it is not rolled (13.6d)."""
    cover: int = 0
    """What rubble takes off the number of a shot (13.6d)."""
    city: bool = False
    """Neither breaking off nor retreat (13.11)."""


class End(NamedTuple):
    """How a battle ends: what becomes of the hex, and the steps that each side has lost."""

    result: str
    attacker: int
    defender: int


class State(NamedTuple):
    """Steps left by unit, and which defender is in rubble (-1: none)."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    rubble: int = -1


Layer = dict[State, int]
Shot = Callable[[State], tuple[int, State, State] | None]
"""The number to roll and the states after a hit and a miss; None where nobody fires."""


@lru_cache(512)
def forecast(lineup: Lineup) -> dict[End, Fraction]:
    """Every end of a battle with its chance."""
    ends: dict[End, Fraction] = {}
    dice = 0
    before = State(_steps(lineup.attackers), _steps(lineup.defenders))
    layer: Layer = {before: 1}
    for shot in _barrage(lineup):
        layer, dice = _after(layer, shot), dice + 1
    most = sum(_steps(lineup.defenders))
    open_battles: Layer = {}
    for state, weight in layer.items():
        if any(state.defenders):
            open_battles[state] = weight
        else:  # 13.2/10: a hex emptied by the barrage is taken at once
            _add(ends, End(TAKEN, 0, most), Fraction(weight, FACES**dice))
    for nth in range(most):
        open_battles = _after(open_battles, _defensive(lineup, nth))
    dice += most
    for state, weight in open_battles.items():
        chance = Fraction(weight, FACES**dice)
        for end, share in _second_half(lineup, state).items():
            _add(ends, end, chance * share)
    return ends


def summary(ends: dict[End, Fraction]) -> dict[str, Fraction]:
    """The chances of the three results, losses left aside."""
    chances: dict[str, Fraction] = {}
    for end, chance in ends.items():
        _add(chances, end.result, chance)
    return {result: chances[result] for result in (TAKEN, HELD, BROKEN_OFF) if result in chances}


def average_losses(ends: dict[End, Fraction]) -> tuple[Fraction, Fraction]:
    """The steps that the attacker and the defender lose on average."""
    attacker = sum((chance * end.attacker for end, chance in ends.items()), Fraction(0))
    defender = sum((chance * end.defender for end, chance in ends.items()), Fraction(0))
    return attacker, defender


def _steps(fighters: Iterable[Fighter]) -> tuple[int, ...]:
    return tuple(fighter.steps for fighter in fighters)


def _add(sums: dict[_S, _N], key: _S, more: _N) -> None:
    sums[key] = sums[key] + more if key in sums else more


def _after(layer: Layer, shot: Shot) -> Layer:
    """The layer one die later."""
    later: Layer = {}
    for state, weight in layer.items():
        found = shot(state)
        if found is None:
            _add(later, state, FACES * weight)
        else:
            number, hit, miss = found
            _roll(later, weight, number, hit, miss)
    return later


def _roll(later: dict[_S, int], weight: int, number: int, hit: _S, miss: _S) -> None:
    """The ten faces of a die that hits with a number or less."""
    hits = max(0, min(number, FACES))
    if hits:
        _add(later, hit, hits * weight)
    if hits < FACES:
        _add(later, miss, (FACES - hits) * weight)


def _less(steps: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*steps[:place], steps[place] - 1, *steps[place + 1 :])


def _barrage(lineup: Lineup) -> Iterable[Shot]:
    """Step two: the guns, then the bombers and their rubble."""
    defenders = lineup.defenders

    def guns(state: State) -> tuple[int, State, State] | None:
        target = heaviest(defenders, state.defenders)
        if target < 0:
            return None
        return lineup.barrage, state._replace(defenders=_less(state.defenders, target)), state

    def bombs(state: State) -> tuple[int, State, State] | None:
        target = heaviest(defenders, state.defenders, support_too=True)
        if target < 0:
            return None
        aimed = state._replace(rubble=target) if lineup.rubble else state
        return lineup.bombs, aimed._replace(defenders=_less(state.defenders, target)), aimed

    def rubble(state: State) -> tuple[int, State, State] | None:
        if state.rubble < 0:
            return None
        return lineup.rubble, state, state._replace(rubble=-1)

    if lineup.barrage > 0:
        yield guns
    if lineup.bombs:
        yield bombs
        if lineup.rubble:
            yield rubble


def _numbers(fighters: tuple[Fighter, ...], steps: tuple[int, ...]) -> list[int]:
    """The shots of a side, the best first; those that cannot hit are not fired (13.12b)."""
    found = [f.number(left) for f, left in zip(fighters, steps) for _ in range(left)]
    return sorted((number for number in found if number > 0), reverse=True)


def _defensive(lineup: Lineup, nth: int) -> Shot:
    """Step three: each shot at the division whose loss would cost the attacker most fire."""

    def shot(state: State) -> tuple[int, State, State] | None:
        numbers = _numbers(lineup.defenders, state.defenders)
        target = heaviest(lineup.attackers, state.attackers)
        if nth >= len(numbers) or target < 0:
            return None
        return numbers[nth], state._replace(attackers=_less(state.attackers, target)), state

    return shot


def _second_half(lineup: Lineup, state: State) -> dict[End, Fraction]:
    """Steps four to six, once the defender has fired."""
    lost, taken = _lost(lineup, state)
    divisions = any(left for f, left in zip(lineup.attackers, state.attackers) if not f.support)
    if lost and not lineup.city and not (divisions and fights_on(_offensive_shots(lineup, state))):
        return {End(BROKEN_OFF, lost - 1, taken): Fraction(1)}
    return fought_on(lineup, state)


def fought_on(lineup: Lineup, state: State) -> dict[End, Fraction]:
    """Steps five and six of a battle, when the attacker does not break off."""
    lost, taken = _lost(lineup, state)
    found = _offensive(
        _offensive_shots(lineup, state),
        tuple(f._replace(steps=0) for f in lineup.defenders),
        state.defenders,
        state.rubble,
        lineup.cover,
        lineup.city,
    )
    return {End(result, lost, taken + more): chance for (result, more), chance in found.items()}


def _lost(lineup: Lineup, state: State) -> tuple[int, int]:
    """The steps that the attacker and the defender have lost so far."""
    before = sum(_steps(lineup.attackers)), sum(_steps(lineup.defenders))
    return before[0] - sum(state.attackers), before[1] - sum(state.defenders)


def _offensive_shots(lineup: Lineup, state: State) -> tuple[int, ...]:
    """The shots of step five; corps support has had its say in the barrage."""
    return tuple(_numbers(tuple(map(_silenced, lineup.attackers)), state.attackers))


def _silenced(fighter: Fighter) -> Fighter:
    return fighter._replace(full=0, reduced=0) if fighter.support else fighter


@lru_cache(4096)
def _offensive(
    shots: tuple[int, ...],
    defenders: tuple[Fighter, ...],
    steps: tuple[int, ...],
    rubble: int,
    cover: int,
    city: bool,
) -> dict[tuple[str, int], Fraction]:
    """Steps five and six: the result, and the steps that they cost the defender in the end."""
    rescue = not city and any(left and f.retreats for f, left in zip(defenders, steps))
    layer: dict[tuple[tuple[int, ...], bool], int] = {(steps, False): 1}
    for number in shots:
        later: dict[tuple[tuple[int, ...], bool], int] = {}
        for (left, extra), weight in layer.items():
            target = weakest(defenders, left, rubble)
            if target < 0 and (extra or not rescue):
                _add(later, (left, extra), FACES * weight)
                continue
            hit = (_less(left, target), False) if target >= 0 else (left, True)
            covered = target == rubble if target >= 0 else rubble >= 0 and len(defenders) == 1
            _roll(later, weight, number - cover if covered else number, hit, (left, extra))
        layer = later
    before, ends = sum(steps), dict[tuple[str, int], Fraction]()
    for (left, extra), weight in layer.items():
        alive = sum(left)
        result = HELD if alive else TAKEN
        saved = int(not extra and rescue and falls_back(alive))
        _add(ends, (result, before - alive - saved), Fraction(weight, FACES ** len(shots)))
    return ends
