"""B4F: a battle is fought: the die, losses, retreats, and what they leave to advance into."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Event, Procedure, Roll
from apennine.kernel.ledger import rule

from ..table.position import Table
from ..table.war import SCALE, War
from .b4e_zones import occupied, there
from .b4f_forecast import Plight, attacker_loss, plight, surge_of
from .b4f_steps import destroy, lose_steps
from .b4g_retreat import retreat
from .b4h_odds import explain, weigh
from .c10_inverted import destroy_exposed, exposed, withdraw
from .c12_automatic import claim_on, drop_claim
from .c13_breakthrough import advance
from .d3_fire import fire_ends


def fight(war: War, pos: Table, column: int) -> Procedure:
    """B4F1: the battle under way is fought on a column, to its end (B4E4)."""
    attackers, targets, side = pos.attackers, pos.targets, pos.side
    claim = claim_on(pos, targets)
    witnesses = claim[1] if claim else 0
    weight, those = weigh(war, pos, attackers, targets, witnesses), plight(war, pos, targets)
    pos.fought |= attackers
    pos.defended |= those.units
    pos.due &= ~targets
    lines = explain(war, pos, attackers, targets, witnesses)
    label = war.ladder.label(column)
    dice: tuple[int, ...] = yield Roll((6,), "combat", rule("B4F1"), label, lines)
    fire_ends(war, pos, targets)
    die = dice[0]
    outcome = war.rows[column][die - 1]
    sure = claim is not None or column >= war.ladder.index(war.book.limits.automatic)
    yield Event("fights", first_bit(attackers), first_bit(targets), die, rule("B4F2a"))
    pos.surge, pos.broken = surge_of(war, outcome, those), 0
    drop_claim(pos, targets)
    before = occupied(war, pos, 1 - side)
    lost = attacker_loss(outcome, weight)

    def attack() -> Procedure:
        yield from lose(war, pos, attackers, lost, side)
        if outcome.attacker_retreats:
            yield from retreat(war, pos, _left(war, pos, attackers), rule("B4G1"))

    def defend() -> Procedure:
        if sure:
            yield from wipe_out(war, pos, those)
            return
        yield from lose(war, pos, those.units, outcome.defender, 1 - side)
        if outcome.defender_retreats:
            yield from retreat(war, pos, _left(war, pos, those.units), rule("B4G1"))

    halves = (defend, attack) if outcome.defender_retreats else (attack, defend)
    for half in halves:  # B4F12: who retreats goes first
        yield from half()
    yield from aftermath(war, pos, those.units, attackers, outcome.defender_retreats)
    pos.vacated = before & ~occupied(war, pos, 1 - side) & _reached(war, pos, attackers, targets)
    yield from advance(war, pos)
    yield from destroy_exposed(war, pos, 1 - side)
    yield from withdraw(war, pos, exposed(war, pos, side), side, attackers)
    yield from destroy_exposed(war, pos, side)
    pos.targets = pos.attackers = pos.broken = 0


def _left(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some units that are still on the map."""
    return units & (there(war, pos, 0).units | there(war, pos, 1).units)


def _reached(war: War, pos: Table, attackers: Mask, targets: Mask) -> Mask:
    """B4G7b: what the attackers could empty: their targets, and hexes next to them."""
    found = targets
    for unit in bits(_left(war, pos, attackers)):
        found |= war.ground.beside[pos.hex[unit]]
    return found


def lose(war: War, pos: Table, units: Mask, steps: int, side: int) -> Procedure:
    """B4F4: a side loses steps among some units; all of them, if it has no more."""
    units = _left(war, pos, units)
    worth = sum([pos.steps[unit] for unit in bits(units)])
    if steps == worth and units & war.cadres:  # E9J2: their cadres are left
        yield from lose_steps(war, pos, units, steps, side)
    elif steps >= worth:
        for unit in bits(units):
            yield from destroy(war, pos, unit, rule("B4F4"))
    else:
        yield from lose_steps(war, pos, units, steps, side)


def wipe_out(war: War, pos: Table, those: Plight) -> Procedure:
    """C12A1: all defenders are destroyed, whatever the table says."""
    for unit in bits(_left(war, pos, those.units)):
        yield from destroy(war, pos, unit, rule("C12A1"))


def aftermath(
    war: War, pos: Table, defenders: Mask, attackers: Mask, defender_first: bool
) -> Procedure:
    """C10B7, C10C8: who has no defence factor left may withdraw; who stays unprotected dies."""
    side = pos.side
    parts = [(attackers, side), (defenders, 1 - side)]
    for units, owner in parts[::-1] if defender_first else parts:
        yield from withdraw(war, pos, units, owner, 0 if owner == side else units)
    for owner in (side, 1 - side):
        yield from destroy_exposed(war, pos, owner)
    broken = pos.broken & war.army[1 - side]
    if broken and not _left(war, pos, broken):  # D9D7
        pos.surge = max(pos.surge, war.book.limits.breakthrough * SCALE)
