"""C12: automatic victories, established in movement and fought out in combat."""

from __future__ import annotations

from typing import NamedTuple

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import DESTROYED, Claim, Table
from ..table.war import War
from .b4e_zones import around, attackers_in, doomed, strong_hexes, there
from .b4f_forecast import Plight, annihilates, plight
from .b4h_odds import is_allowed, odds

OPENING = "Automatic victories are established in the movement phase, when no stack is on the move"
COMMITTING = "Units are committed when a hex to overwhelm was named in the movement phase"


class Certainty(NamedTuple):
    """Whether an attack is an automatic victory."""

    sure: bool
    trap: bool
    """It rests on the defenders having no retreat (C12A2c, C12A2d)."""
    sentence: str
    """Why, or why not yet."""
    rule: str


def certainty(
    war: War, pos: Table, attackers: Mask, targets: Mask, witnesses: Mask = 0
) -> Certainty:
    """C12A: whether these attackers destroy all in these hexes for certain."""
    if not attackers or not is_allowed(war, pos, attackers, targets):
        return Certainty(False, False, "The odds are worse than 1-4", "B4E12a")
    found = odds(war, pos, attackers, targets, witnesses)
    if any(not row.defender and not row.defender_retreats for row in war.rows[found.column]):
        return Certainty(False, False, f"At {found.label} a die may do them no harm", "C12A2")
    return certain_at(war, found.column, plight(war, pos, targets))


def certain_at(war: War, column: int, those: Plight) -> Certainty:
    """The same of a column: all six dice must destroy all steps, in whatever way."""
    label, automatic = war.ladder.label(column), war.book.limits.automatic
    if column >= war.ladder.index(automatic):
        return Certainty(True, False, f"{label} destroys them whatever the die", "C12A1")
    row = war.rows[column]
    least = min([outcome.defender for outcome in row])
    if least >= those.steps:
        sentence = f"At {label} they lose all their {those.steps} steps for certain"
        return Certainty(True, False, sentence, "C12A2")
    if all(annihilates(war, column, outcome, those) for outcome in row):
        sentence = f"At {label} they are destroyed, since no way out is left"
        return Certainty(True, True, sentence, "C12A2c")
    missing = f"{label} is not {automatic}, and takes {least} of their {those.steps} steps at least"
    if those.escapes and all(outcome.defender_retreats for outcome in row):
        missing = f"At {label} they must retreat, but they still can"
    return Certainty(False, False, missing, "C12A2")


# In the movement phase.


def committed(pos: Table) -> Mask:
    """C12B2: the units that have established automatic victories."""
    found = 0
    for _, units, _ in pos.claims:
        found |= units
    return found


def claim_on(pos: Table, targets: Mask) -> Claim | None:
    """The automatic victory over some hexes, if it waits for its battle."""
    return next((claim for claim in pos.claims if claim[0] & targets), None)


def drop_claim(pos: Table, targets: Mask) -> None:
    """Its battle is fought."""
    pos.claims = tuple(claim for claim in pos.claims if not claim[0] & targets)


def may_commit(war: War, pos: Table, targets: Mask) -> Mask:
    """The units that can take part in an automatic victory over some hexes from where they are."""
    beside = war.ground.beside
    near = there(war, pos, pos.side).among(around(war, targets & -targets))
    near = mask_of(u for u in bits(near) if beside[pos.hex[u]] & targets == targets)
    return attackers_in(war, pos, near & ~pos.rushed & ~committed(pos))


def blockers(war: War, pos: Table) -> Mask:
    """C12A2c: the units that keep the defenders of an automatic victory from retreating.

    Those without whom, as the last with a zone of control in their hex, there would be a way out.
    """
    found, side = 0, pos.side
    for hexes, _, trap in pos.claims:
        if not trap or plight(war, pos, hexes).escapes:
            continue
        near = around(war, around(war, around(war, hexes)))
        present = there(war, pos, side)
        for hex in bits(near & present.occupied):
            able = present.stacks[hex] & ~pos.soft
            if able and not able & able - 1 and _frees(war, pos, first_bit(able), hexes):
                found |= able
    return found


def _frees(war: War, pos: Table, unit: int, hexes: Mask) -> bool:
    """Whether defenders could escape if a unit were not there."""
    here, pos.hex[unit] = pos.hex[unit], DESTROYED
    try:
        return bool(plight(war, pos, hexes).escapes)
    finally:
        pos.hex[unit] = here


def must_hold(war: War, pos: Table) -> Bars:
    """The bars of automatic victories on units that are to move."""
    if pos.claims:
        held = "{unit} must hold its place until an automatic victory is fought out"
        yield ~committed(pos), held, "C12B2"
        blocked = "{unit} keeps the defenders of an automatic victory from retreating"
        yield ~blockers(war, pos), blocked, "C12A2c"


class Overwhelm(Order[War, Table]):
    """C12A: the units next to a hex are to win an automatic victory over it."""

    verb, names = "overwhelm", (HEX,)
    when, rule, opens = OPENING, "C12A2", True

    def bars(self, war: War, pos: Table) -> Bars:
        enemies = strong_hexes(war, pos, 1 - pos.side)
        yield enemies | doomed(pos), "No enemy with a defence factor is in {hex}", "C12A1"
        yield ~doomed(pos), "An automatic victory over {hex} is certain already", "C12B1"
        beside = around(war, there(war, pos, pos.side).occupied) & enemies
        near = {hex: may_commit(war, pos, 1 << hex) for hex in bits(beside)}
        met = mask_of(hex for hex, units in near.items() if units)
        yield met, "None of your units next to {hex} can attack it", "C12A1"
        sure = [hex for hex in bits(met) if certainty(war, pos, near[hex], 1 << hex).sure]
        yield mask_of(sure), lambda war, pos: self._doubts(war, pos, met)

    def _doubts(self, war: War, pos: Table, hexes: Mask) -> Bars:
        """Why victory is not certain yet."""
        for hex in bits(hexes):
            found = certainty(war, pos, may_commit(war, pos, 1 << hex), 1 << hex)
            yield -1 if found.sure else ~(1 << hex), found.sentence, found.rule
        yield 0, "Victory over {hex} is not certain", "C12A2"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.targets = 1 << option.hex


def overwhelm(war: War, pos: Table) -> Procedure:
    """The units that take part are named, and no others, until victory is certain."""
    prompt = "Commit units until victory is certain"
    yield from ask(
        war, pos, prompt, rule("C12A2"), COMMIT, ALSO_OVERWHELM, CLAIM, FORGO, checkpoint=True
    )


class Commit(Order[War, Table]):
    """C12B2: a unit takes part in an automatic victory, and must hold its place for it."""

    verb, names = "commit", (UNIT,)
    when, rule = COMMITTING, "C12B2"

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "C12A1"
        yield ~pos.attackers, "{unit} is committed already", "C12B2"
        yield ~committed(pos), "{unit} is committed to another victory", "C12B2"
        yield ~pos.rushed, "{unit} has used Strategic Movement, and does not fight", "B4C14b"
        able = may_commit(war, pos, pos.targets)
        yield able, "{unit} cannot attack all that is to be overwhelmed", "B4E7"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.attackers |= 1 << option.unit


class AlsoOverwhelm(Order[War, Table]):
    """B4E9: one victory over several hexes, next to all who take part."""

    verb, names = "also overwhelm", (HEX,)
    when, rule = COMMITTING, "C12A2"

    def bars(self, war: War, pos: Table) -> Bars:
        yield strong_hexes(war, pos, 1 - pos.side), "There is nobody to overwhelm in {hex}", "C12A1"
        yield ~pos.targets, "{hex} is to be overwhelmed already", "C12A1"
        shared = mask_of(
            hex
            for hex in bits(around(war, there(war, pos, pos.side).occupied))
            if _serve(war, pos, pos.targets | 1 << hex)
        )
        yield shared, "Those who take part are not all next to {hex}", "B4E7"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.targets |= 1 << option.hex


def _serve(war: War, pos: Table, targets: Mask) -> bool:
    able = may_commit(war, pos, targets)
    return bool(able) and not pos.attackers & ~able


class ClaimVictory(Order[War, Table]):
    """C12B: victory is certain; the defenders and their zones are ignored from now on."""

    verb = "claim victory"
    when, rule = COMMITTING, "C12B1"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.attackers > 0, "Nobody is committed yet", "C12A1"
        found = certainty(war, pos, pos.attackers, pos.targets)
        yield found.sure, found.sentence, found.rule
        left = unmet(war, pos)
        yield not left, "An enemy next to those who take part would be attacked by nobody", "B4E9"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        units, targets = pos.attackers, pos.targets
        trap = certainty(war, pos, units, targets).trap
        pos.claims = (*pos.claims, (targets, units, int(trap)))
        pos.moved |= units
        pos.targets = pos.attackers = 0
        for hex in bits(targets):
            yield Event("overwhelms", first_bit(units), hex, rule="C12B1")


def unmet(war: War, pos: Table) -> Mask:
    """B4E9: the enemies next to committed units whom neither they nor others could attack."""
    side, beside = pos.side, war.ground.beside
    met = 0
    for unit in bits(pos.attackers):
        met |= beside[pos.hex[unit]]
    met &= strong_hexes(war, pos, 1 - side) & ~pos.targets
    others = there(war, pos, side).units & ~pos.attackers & ~committed(pos) & ~pos.rushed
    for unit in bits(attackers_in(war, pos, others)):
        met &= ~beside[pos.hex[unit]]
    return met


OVERWHELM, COMMIT, ALSO_OVERWHELM = Overwhelm(), Commit(), AlsoOverwhelm()
CLAIM = ClaimVictory()


class Forgo(Order[War, Table]):
    """B4E3: the victory is not claimed; units may move on and others come up."""

    verb, when, rule = "forgo", COMMITTING, "C12B1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.targets = pos.attackers = 0


FORGO = Forgo()
