"""How both sides play a combat whose chances are foretold.

Nobody adds guns, assault troops or markers to what has been declared; the unit of the highest
morale leads, of several the one with most steps; losses are taken where most steps are left. A
defender whose hit points come to half of what it takes to destroy him, or more, gives ground, as
few hexes as bring them below that; else he stands fast. Whoever may advance does so, into the hex
that was attacked.
"""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Choice, Event, Option, Procedure, Roll

from ..rules.c02_pieces import morale
from ..rules.c12_advance import ENOUGH, REST, Push
from ..rules.c12_declaration import GO_IN
from ..rules.c12_guns import CEASE
from ..rules.c12_lead import LeadAttack, LeadDefence
from ..rules.c12_losses import Pay
from ..rules.c12_odds import defenders
from ..rules.c12_orders import FAST, LEAVE, RELIEF, GiveGround
from ..rules.c12_reserves import ENOUGH as KEEP
from ..rules.c12_retreat import FallBack
from ..table.position import NOBODY, Table
from ..table.war import War


def best_lead(war: War, pos: Table, units: Mask) -> int:
    """Who leads: the highest morale, then most steps, then the first."""

    def worth(unit: int) -> tuple[int, int, int]:
        return morale(war, pos, unit), pos.steps[unit], -unit

    return max(bits(units), key=worth, default=NOBODY)


def own_loss(pos: Table, units: Mask) -> int:
    """Who loses a step: where most are left, the first of these."""
    return min(bits(units), key=lambda unit: (-pos.steps[unit], unit), default=NOBODY)


def bearable(war: War, pos: Table) -> int:
    """The most hit points for which the defender stands fast: under half of what destroys him."""
    whole = sum([war.price[unit] * pos.steps[unit] for unit in bits(defenders(war, pos))])
    return (whole - 1) // 2


def ground_given(war: War, pos: Table, limit: int) -> int:
    """How many hexes the defender gives up for the hit points that he owes."""
    excess = pos.hits[1] - bearable(war, pos)
    return min(max(-(-excess // RELIEF), 0), limit)


def by_default(war: War, pos: Table, choice: Choice) -> Option:
    """The default answer to a question of a combat."""
    options = list(choice.options)
    verbs = {option.verb for option in options}
    if GiveGround.verb in verbs:
        given = ground_given(war, pos, max(option.value for option in options))
        return Option(GiveGround.verb, value=given) if given else Option(FAST.verb)
    if FallBack.verb in verbs:
        return next(option for option in options if option.verb == FallBack.verb)
    if Pay.verb in verbs:
        return Option(Pay.verb, own_loss(pos, mask_of(option.unit for option in options)))
    if verbs <= LEADING:
        lead = best_lead(war, pos, mask_of(option.unit for option in options))
        return next(option for option in options if option.unit == lead)
    if Push.verb in verbs:
        return Option(REST.verb)
    declined = next((option for option in options if option.verb in DECLINING), None)
    return declined or options[0]


LEADING = {LeadAttack.verb, LeadDefence.verb}
DECLINING = {LEAVE.verb, CEASE.verb, GO_IN.verb, KEEP.verb, ENOUGH.verb}
"""What ends a step in which more could be done."""


def carry_out(war: War, pos: Table, procedure: Procedure, *dice: int) -> None:
    """Run a procedure on a position, both sides playing by default, with these dice."""
    falls, sent = iter(dice), None
    while True:
        try:
            told = procedure.send(sent)
        except StopIteration:
            return
        sent = None
        if isinstance(told, Choice):
            sent = by_default(war, pos, told)
        elif isinstance(told, Roll):
            sent = tuple([next(falls) for _ in told.sides])
        else:
            assert isinstance(told, Event)
