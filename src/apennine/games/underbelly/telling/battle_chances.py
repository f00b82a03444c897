"""The exact chances of a battle (13.2) when both sides fight by the `default_play`.

Nothing here knows the map or the position: a `Lineup` holds the numbers that the units must roll,
and the forecast follows every die.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from apennine.mechanics.tables import Distribution, certain

from .default_play import Fighter, falls_back, fights_on, heaviest, weakest

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
    extra: bool = False
    """The defenders are gone, and were hit once more (13.10a)."""


Shot = Callable[[State], tuple[int, State, State]]
"""The number to roll and the states after a hit and a miss; 0 where nobody fires."""


@lru_cache(512)
def forecast(lineup: Lineup) -> Distribution[End]:
    """Every end of a battle with its chance."""
    before = State(_steps(lineup.attackers), _steps(lineup.defenders))
    defence = (partial(_defensive, lineup, nth) for nth in range(sum(before.defenders)))
    fired = _fired(before, [*_barrage(lineup), *defence])
    return fired.chain(partial(_second_half, lineup))


def summary(ends: Distribution[End]) -> dict[str, Fraction]:
    """The chances of the three results, losses left aside."""
    chances = ends.map(lambda end: end.result)
    return {result: chances[result] for result in (TAKEN, HELD, BROKEN_OFF) if result in chances}


def average_losses(ends: Distribution[End]) -> tuple[Fraction, Fraction]:
    """The steps that the attacker and the defender lose on average."""
    return ends.mean(lambda end: end.attacker), ends.mean(lambda end: end.defender)


def _fired(before: State, shots: Sequence[Shot]) -> Distribution[State]:
    """The states after some shots, fired one after the other.

    They are counted in whole numbers as long as dice fall: every die multiplies all of them by its
    ten faces.
    """
    ways = {before: 1}
    for shot in shots:
        later: dict[State, int] = {}
        for state, count in ways.items():
            number, hit, miss = shot(state)
            hits = max(0, min(number, FACES))
            if hits:
                later[hit] = later.get(hit, 0) + hits * count
            if hits < FACES:
                later[miss] = later.get(miss, 0) + (FACES - hits) * count
        ways = later
    every = FACES ** len(shots)
    return Distribution({state: Fraction(count, every) for state, count in ways.items()})


def _steps(fighters: Iterable[Fighter]) -> tuple[int, ...]:
    return tuple(fighter.steps for fighter in fighters)


def _less(steps: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*steps[:place], steps[place] - 1, *steps[place + 1 :])


def _barrage(lineup: Lineup) -> Iterator[Shot]:
    """Step two: the guns, then the bombers and their rubble."""
    defenders = lineup.defenders

    def guns(state: State) -> tuple[int, State, State]:
        target = heaviest(defenders, state.defenders)
        return lineup.barrage, state._replace(defenders=_less(state.defenders, target)), state

    def bombs(state: State) -> tuple[int, State, State]:
        target = heaviest(defenders, state.defenders, support_too=True)
        if target < 0:
            return 0, state, state
        aimed = state._replace(rubble=target) if lineup.rubble else state
        return lineup.bombs, aimed._replace(defenders=_less(state.defenders, target)), aimed

    if lineup.barrage > 0:
        yield guns
    if lineup.bombs:
        yield bombs
        if lineup.rubble:
            yield lambda state: (lineup.rubble, state, state._replace(rubble=-1))


def _numbers(fighters: Iterable[Fighter], steps: tuple[int, ...]) -> list[int]:
    """The shots of a side, the best first; those that cannot hit are not fired (13.12b)."""
    found = [f.number(left) for f, left in zip(fighters, steps) for _ in range(left)]
    return sorted((number for number in found if number > 0), reverse=True)


def _defensive(lineup: Lineup, nth: int, state: State) -> tuple[int, State, State]:
    """Step three: each shot at the division whose loss would cost the attacker most fire."""
    numbers = _numbers(lineup.defenders, state.defenders)
    target = heaviest(lineup.attackers, state.attackers)
    if nth >= len(numbers) or target < 0:
        return 0, state, state
    return numbers[nth], state._replace(attackers=_less(state.attackers, target)), state


def _second_half(lineup: Lineup, state: State) -> Distribution[End]:
    """Steps four to six, once the defender has fired."""
    lost, taken = _lost(lineup, state)
    if not any(state.defenders):  # 13.2/10: a hex emptied by the barrage is taken at once
        return certain(End(TAKEN, lost, taken))
    divisions = any(left for f, left in zip(lineup.attackers, state.attackers) if not f.support)
    if lost and not lineup.city and not (divisions and fights_on(_offensive_shots(lineup, state))):
        return certain(End(BROKEN_OFF, lost - 1, taken))
    return fought_on(lineup, state)


def fought_on(lineup: Lineup, state: State) -> Distribution[End]:
    """Steps five and six of a battle, when the attacker does not break off."""
    lost, taken = _lost(lineup, state)
    defenders = tuple(f._replace(steps=0) for f in lineup.defenders)
    shots, fresh = _offensive_shots(lineup, state), state._replace(attackers=())
    found = _offensive(shots, defenders, fresh, lineup.cover, lineup.city)
    return Distribution({End(e.result, lost, taken + e.defender): found[e] for e in found})


def _lost(lineup: Lineup, state: State) -> tuple[int, int]:
    """The steps that the attacker and the defender have lost so far."""
    before = sum(_steps(lineup.attackers)), sum(_steps(lineup.defenders))
    return before[0] - sum(state.attackers), before[1] - sum(state.defenders)


def _offensive_shots(lineup: Lineup, state: State) -> tuple[int, ...]:
    """The shots of step five; corps support has had its say in the barrage."""
    silent = {"full": 0, "reduced": 0}
    firing = (f._replace(**silent) if f.support else f for f in lineup.attackers)
    return tuple(_numbers(firing, state.attackers))


@lru_cache(4096)
def _offensive(
    shots: tuple[int, ...], defenders: tuple[Fighter, ...], before: State, cover: int, city: bool
) -> Distribution[End]:
    """Steps five and six: the result, and the steps that they cost the defender in the end."""
    able = zip(defenders, before.defenders)
    rescue = not city and any(left and f.retreats for f, left in able)

    def shot(number: int, state: State) -> tuple[int, State, State]:
        target = weakest(defenders, state.defenders, state.rubble)
        if target >= 0:
            hit = state._replace(defenders=_less(state.defenders, target))
            covered = target == state.rubble
        elif rescue and not state.extra:
            hit, covered = state._replace(extra=True), state.rubble >= 0 and len(defenders) == 1
        else:
            return 0, state, state
        return number - cover if covered else number, hit, state

    def end(state: State) -> End:
        alive = sum(state.defenders)
        saved = int(not state.extra and rescue and falls_back(alive))
        return End(HELD if alive else TAKEN, 0, sum(before.defenders) - alive - saved)

    return _fired(before, [partial(shot, number) for number in shots]).map(end)
