"""E9: what a division is worth as regiments, and the other way round."""

from __future__ import annotations

from itertools import product

from apennine.hexes import bits

from ..table.position import AWAY, BROKEN, Table
from ..table.war import War
from .b4e_zones import soften


def as_regiments(war: War, division: int, steps: int) -> tuple[int, ...] | None:
    """E9E, E9H, E9K: the steps of its regiments, the strongest that gain neither factors nor steps.

    A full division gives full regiments. A regiment that is not used has -1; one with none is a
    cadre. None if a division is too weak to be anything but itself.
    """
    parts = war.regiments[division]
    if steps == war.full[division]:
        return tuple(war.full[part] for part in parts)
    attack, defence = war.faces[division][steps]
    best: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    for each in product(*[range(-1, war.full[part] + 1) for part in parts]):
        used = [(part, left) for part, left in zip(parts, each) if left >= 0]
        if not used:
            continue
        sums = [sum(war.faces[part][left][k] for part, left in used) for k in (0, 1)]
        total = sum(left for _, left in used)
        if sums[0] <= attack and sums[1] <= defence and total <= steps:
            worth = sum(sums), total, -len(used)
            if best is None or worth >= best[0]:
                best = worth, each
    return best[1] if best else None


def as_division(war: War, pos: Table, division: int) -> int:
    """E9D1, E9E: the steps of a division made of its regiments; 0 if they are not enough."""
    parts = [part for part in war.regiments[division] if pos.hex[part] >= 0]
    if all(pos.hex[p] >= 0 and pos.steps[p] == war.full[p] for p in war.regiments[division]):
        return war.full[division]
    attack, defence = (sum([war.faces[part][pos.steps[part]][k] for part in parts]) for k in (0, 1))
    total = sum(pos.steps[part] for part in parts)
    for steps in range(min(total, war.full[division]), 0, -1):
        most = war.faces[division][steps]
        if most[0] <= attack and most[1] <= defence:
            return steps
    return 0


def gather(war: War, pos: Table, division: int) -> None:
    """A division that is broken up is one again, where one of its regiments is."""
    if pos.hex[division] != BROKEN:
        return
    parts = war.parts_on_table(pos, division)
    steps, here = max(as_division(war, pos, division), 1), pos.hex[parts[0]]
    join(war, pos, division, steps, here)


def join(war: War, pos: Table, division: int, steps: int, place: int) -> None:
    """E9C: the division takes the place of its regiments."""
    parts = war.regiments[division]
    duty = 0
    for part in parts:
        duty |= pos.frozen >> part & 1
        pos.frozen &= ~(1 << part)
        pos.hex[part], pos.steps[part] = AWAY, war.full[part]
        soften(war, pos, part)
    pos.hex[division], pos.steps[division] = place, steps
    pos.frozen |= duty << division
    soften(war, pos, division)


def part(war: War, pos: Table, division: int, steps: tuple[int, ...]) -> list[int]:
    """E9C: the regiments take the place of their division."""
    place, used = pos.hex[division], list[int]()
    duty = pos.frozen >> division & 1
    pos.frozen &= ~(1 << division)
    for regiment, left in zip(war.regiments[division], steps):
        if left >= 0:
            pos.hex[regiment], pos.steps[regiment] = place, left
            pos.bank[regiment] = pos.bank[division]
            pos.frozen |= duty << regiment
            soften(war, pos, regiment)
            used.append(regiment)
    pos.hex[division] = BROKEN
    return used


def broken(war: War, pos: Table) -> list[int]:
    """The divisions that are on the table as regiments."""
    return [division for division in war.regiments if pos.hex[division] == BROKEN]


def those_left(war: War, pos: Table, division: int) -> list[int]:
    """The regiments of a division that are on the table."""
    return [u for u in bits(war.whole(division)) if u != division and pos.hex[u] >= 0]
