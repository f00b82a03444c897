"""Chapter 12.2.6: Tactical Coordination."""

from __future__ import annotations

from collections.abc import Iterator

from apennine.hexes import Mask, bits
from apennine.mechanics.odds import Shift

from ..table.position import CENTRAL, Table
from ..table.war import War
from .c02_pieces import is_elite, morale, theatre, those_in, unready
from .c12_odds import defenders, doctrine, offensive_modifier
from .c15_bombardment import is_bruchmueller

PERFECT, PARTIAL, NONE, MISUNDERSTOOD = "perfect", "partial", "none", "misunderstood"
"""The results, the best first."""
ATTACKING, DEFENDING = 0, 1


def modifiers(war: War, pos: Table, role: int) -> Iterator[Shift]:
    """What changes the die of the attacker or of the defender (12.2.6)."""
    side = pos.side if role == ATTACKING else 1 - pos.side
    lead = pos.leads[role]
    cues = list(_common(war, pos, side, lead))
    if role == DEFENDING:
        cues += _defending(war, pos)
    else:
        cues += _attacking(war, pos)
    for name in cues:
        cue = war.book.coordination[name]
        value = cue.attacking if role == ATTACKING else cue.defending
        yield Shift(cue.title, value, cue.rule)
    taught = doctrine(war, pos, lead)
    if taught and (value := taught.attacking if role == ATTACKING else taught.defending):
        cited = "12.2.6i" if taught.columns else "12.2.6j"
        yield Shift("doctrine of the lead unit", value, cited)
    if role == ATTACKING and (bonus := offensive_modifier(war, pos)):
        yield Shift("offensive", bonus, "12.2.6m")


def _common(war: War, pos: Table, side: int, lead: int) -> Iterator[str]:
    if lead >= 0 and is_elite(war, pos, lead):
        yield "elite"
    above = [those_in(war, pos, pos.target, each) & war.aircraft for each in (side, 1 - side)]
    if above[0]:
        yield "own_air"
    if above[1]:
        yield "enemy_air"
    if is_mixed(war, pos, side):
        yield "mixed"


def _defending(war: War, pos: Table) -> Iterator[str]:
    if theatre(war, pos).trench_hexes >> pos.target & 1:
        yield "trench"
    if defenders(war, pos) & unready(pos):
        yield "disorganized"
    if is_bruchmueller(war, pos):
        yield "bruchmueller"


def _attacking(war: War, pos: Table) -> Iterator[str]:
    if pos.shock & ~war.arditi:  # 12.2.6l
        yield "assault"
    worst = min([morale(war, pos, unit) for unit in bits(pos.attackers)], default=4)
    if worst <= 3:
        yield f"morale_{worst}"


def is_mixed(war: War, pos: Table, side: int) -> bool:
    """Whether units or guns of several nations of the Entente fight side by side, with strain.

    The Central Powers are one nationality (S0.S6); the doctrine of Italy decides how well the
    Entente works together.
    """
    taught = theatre(war, pos).scenario.doctrines.get("It", "")
    if side == CENTRAL or war.book.doctrines[taught].cooperation == "full":
        return False
    attacking = side == pos.side
    fighters = pos.attackers if attacking else defenders(war, pos)
    together = fighters | pos.guns[0 if attacking else 1]
    return sum(bool(units & together) for units in war.nationals.values()) > 1


def grade(war: War, die: int, modifier: int) -> str:
    """The result of a die: natural 6 and 1 override what is added to them (12.2.6o, p, as)."""
    total = die + modifier
    results = war.book.results
    if die == 6:
        return PERFECT
    if die == 1:
        return MISUNDERSTOOD if total < results[NONE].least else NONE
    return next(name for name in RESULTS if total >= results[name].least)


RESULTS = (PERFECT, PARTIAL, NONE, MISUNDERSTOOD)


def retreat_limit(war: War, pos: Table, result: str) -> int:
    """How far the defender may retreat by his coordination (12.2.6r, s, w, ao).

    A hex less under Cadorna and Foch, or with a unit Disorganized or Reorganizing, or both.
    """
    most = war.book.results[result].retreat
    taught = doctrine(war, pos, pos.leads[DEFENDING])
    hampered = (taught is not None and taught.retreat < 0) or defenders(war, pos) & unready(pos)
    return max(most - bool(hampered), 0)


def within_three(war: War, pos: Table, units: Mask) -> Mask:
    """Those of some units that stand no more than three hexes from the attacked hex."""
    near = war.lattice.disc(pos.target, 3)
    return sum([1 << u for u in bits(units) if pos.hex[u] >= 0 and near >> pos.hex[u] & 1])
