"""Chapter 6: combat, retreat and advance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from apennine.hexes import bits
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Option, Over, Roll, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.mechanics.odds import Odds, Shift
from apennine.mechanics.zoc import exerters, negated

from .data import Result
from .position import LOST, NOBODY, Table

if TYPE_CHECKING:
    from .game import Crossing

END = done("end combat")


def combat_phase(game: Crossing, pos: Table) -> Procedure:
    """6.1: the active side attacks enemy hexes, one after the other."""
    while True:
        if pos.target == NOBODY:
            chosen = yield Choice(
                pos.side,
                Later(lambda: Menu(Over("attack", targets(game, pos)), END)),
                "Attack an enemy hex, or end your combat",
                rule("6.1"),
                checkpoint=True,
            )
            if chosen.verb == "end combat":
                break
            pos.target = chosen.hex
        yield from gather(game, pos)
        yield from battle(game, pos)
        pos.fought |= pos.attackers
        pos.attacked |= 1 << pos.target
        pos.attackers, pos.target = 0, NOBODY
    pos.phase = "end"


def ready(game: Crossing, pos: Table, target: int) -> list[int]:
    """The units that may still join an attack on this hex (6.2)."""
    near = exerters(game.board.lattice, target, game.occupied(pos, pos.side), game.unbridged(pos))
    busy = pos.fought | pos.attackers
    return [u for u in game.on_map(pos, pos.side) if near >> pos.hex[u] & 1 and not busy >> u & 1]


def targets(game: Crossing, pos: Table) -> int:
    """The hexes that can be attacked with at least the minimum odds (6.3)."""
    enemies = game.occupied(pos, 1 - pos.side) & game.zone(pos, pos.side) & ~pos.attacked
    mask = 0
    for hex in bits(enemies):
        if odds(game, pos, hex, ready(game, pos, hex)).raw >= 0:
            mask |= 1 << hex
    return mask


def gather(game: Crossing, pos: Table) -> Procedure:
    """The attackers are named one by one, until the attack is ordered or nobody is left."""
    while True:

        def menu() -> Menu:
            more = Among("attack with", ready(game, pos, pos.target), pos.target)
            enough = odds(game, pos, pos.target, bits(pos.attackers)).raw >= 0
            return Menu(more, [Option("fight", hex=pos.target)] if enough else [])

        chosen = yield Choice(
            pos.side, Later(menu), "Name the attackers, then fight", rule("6.1"), checkpoint=True
        )
        if chosen.verb == "fight":
            return
        pos.attackers |= 1 << chosen.unit


def odds(game: Crossing, pos: Table, target: int, attackers: Iterable[int]) -> Odds:
    """The odds of an attack, with everything that goes into them (6.3 to 6.5)."""
    attackers = list(attackers)
    attack: int | Fraction = 0
    for unit in attackers:
        factor = game.roster[unit].attack(pos.steps[unit])
        attack += Fraction(factor, 2) if pos.cut >> unit & 1 else factor  # 6.5
    defence = sum(game.roster[u].defence(pos.steps[u]) for u in game.units_in(pos, target))
    shifts: list[Shift] = []
    terrain = game.board.terrain_of(target)
    if terrain != "clear":
        shifts.append(Shift(terrain, -1, rule("6.4")))
    if attackers and all(game.bridge_between(pos.hex[u], target) >= 0 for u in attackers):
        shifts.append(Shift("over the bridge", -1, rule("6.4")))
    return game.ladder.odds(attack, defence, shifts)


def battle(game: Crossing, pos: Table) -> Procedure:
    """One roll; then losses, retreat and advance."""
    target, attackers = pos.target, list(bits(pos.attackers))
    column = odds(game, pos, target, attackers).column
    (die,) = yield Roll((6,), "combat", rule("6.3"))
    result: Result = game.combat.cell(die, column)
    defenders = game.units_in(pos, target)
    yield from losses(game, pos, attackers, result.attacker)
    yield from losses(game, pos, defenders, result.defender)
    for unit in defenders:
        if result.retreat and pos.hex[unit] != LOST:
            yield from retreat(game, pos, unit, result.retreat)
    yield from advance(game, pos, attackers)


def losses(game: Crossing, pos: Table, units: Sequence[int], count: int) -> Procedure:
    """6.6: the owner picks a unit for each step."""
    for _ in range(count):
        alive = [unit for unit in units if pos.hex[unit] != LOST]
        if not alive:
            return
        chosen = yield Choice(
            game.side_of[alive[0]],
            Among("lose a step", alive),
            "Choose who loses a step",
            rule("6.6"),
        )
        yield Event("loses a step", chosen.unit, pos.hex[chosen.unit], rule=rule("6.6"))
        game.lose_step(pos, chosen.unit)


def retreat(game: Crossing, pos: Table, unit: int, length: int) -> Procedure:
    """6.7: hex by hex, each farther from the start; 6.8: who cannot, is lost."""
    start = pos.hex[unit]
    for nth in range(1, length + 1):
        ways = ways_out(game, pos, unit, pos.hex[unit], start, nth, length)
        if not ways:
            yield Event("is lost in retreat", unit, pos.hex[unit], rule=rule("6.8"))
            pos.hex[unit] = LOST
            return
        chosen = yield Choice(
            game.side_of[unit],
            Over("retreat", ways, unit),
            f"Where does {game.units[unit]} retreat?",
            rule("6.7"),
        )
        game.enter(pos, unit, chosen.hex)


def ways_out(
    game: Crossing, pos: Table, unit: int, hex: int, start: int, nth: int, length: int
) -> int:
    """The next hexes of a retreat from which the rest of it can still be made."""
    lattice, side = game.board.lattice, game.side_of[unit]
    friends = game.occupied(pos, side, besides=start)
    deadly = game.occupied(pos, 1 - side) | negated(game.zone(pos, 1 - side), by=friends)
    ways = lattice.cross(1 << hex, game.passable(pos)) & lattice.ring(start, nth) & ~deadly
    if nth == length:
        return ways & ~game.full(pos, side)
    for way in bits(ways):
        if not ways_out(game, pos, unit, way, start, nth + 1, length):
            ways &= ~(1 << way)
    return ways


def advance(game: Crossing, pos: Table, attackers: Sequence[int]) -> Procedure:
    """6.9: attackers may enter the hex that they emptied."""
    while not game.units_in(pos, pos.target, 1 - pos.side):
        able = [u for u in attackers if pos.hex[u] not in (LOST, pos.target)]
        if not able or game.full(pos, pos.side) >> pos.target & 1:
            return
        chosen = yield Choice(
            pos.side,
            Menu(Among("advance", able, pos.target), done("stay")),
            "Advance into the empty hex, or stay",
            rule("6.9"),
        )
        if chosen.verb == "stay":
            return
        game.enter(pos, chosen.unit, pos.target)
