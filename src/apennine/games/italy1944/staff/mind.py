"""One decision of the bot: the position as its side knows it, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from apennine.hexes import Mask, mask_of

from ..rules.c04_zones import controlled, occupied, units_in, units_on_map
from ..table.position import ALLIED, LANDING, Table
from ..table.war import War
from .force import Force, Goals
from .ground import distances, front, objectives, pull
from .line import choose_line, open_ground
from .odds import force

SHELTER = 2
"""How far behind the German line it must be at least."""
WAVES = 3
"""Divisions that are kept in the reserve for a landing that is planned."""


class Mind:
    """One decision: the position as the side knows it, and what follows from it."""

    def __init__(
        self, war: War, pos: Table, side: int, planned: Callable[[War, Table], Goals]
    ) -> None:
        self.war, self.pos, self.side = war, pos, side
        self._planned = planned

    @cached_property
    def goals(self) -> Goals:
        return self._planned(self.war, self.pos)

    @cached_property
    def enemy(self) -> Mask:
        return occupied(self.war, self.pos, 1 - self.side)

    @cached_property
    def from_enemy(self) -> list[int]:
        """By hex, how far the nearest enemy is."""
        return distances(self.war, self.enemy)

    @cached_property
    def draw(self) -> list[float]:
        """By hex, how far the objectives are."""
        return pull(self.war, objectives(self.war, self.pos, self.side))

    @cached_property
    def lacking(self) -> Mask:
        """The towns worth points that the enemy controls."""
        held = controlled(self.war, self.pos, 1 - self.side)
        mask = 0
        for hexes, _ in self.war.prizes_on_map:
            mask |= hexes & held
        return mask

    @cached_property
    def from_front(self) -> list[int]:
        """By hex, how far what the Allies hold in one piece is."""
        return distances(self.war, front(self.war, self.pos))

    @cached_property
    def landing_planned(self) -> bool:
        """Whether a landing is written down for this turn or a later one."""
        pos = self.pos
        return any(
            kind == LANDING and turn >= pos.turn and turn not in pos.launched
            for kind, _, turn, _, _ in pos.notes
        )

    @cached_property
    def kept(self) -> Mask:
        """The divisions of the reserve that wait for a landing."""
        if not self.landing_planned:
            return 0
        waiting = units_in(self.war, self.pos, self.war.reserve, ALLIED)
        divisions = [u for u in waiting if self.war.halves[u] == 2]
        return mask_of(sorted(divisions, key=lambda u: (-self.strength(u), u))[:WAVES])

    @cached_property
    def sheltered(self) -> Mask:
        """Where a German centre is out of harm's way: well behind the line that will be held."""
        war, posts = self.war, mask_of(choose_line(Force(self.war, self.pos)))
        front = open_ground(war, self.enemy, posts) | posts
        return war.land & ~war.lattice.dilate(front, SHELTER)

    @cached_property
    def chosen_force(self) -> list[int]:
        return force(self.war, self.pos, self.pos.target)

    @cached_property
    def at_the_front(self) -> list[int]:
        """The hexes of the side's units that are near the enemy."""
        units = units_on_map(self.war, self.pos, self.side)
        hexes = [self.pos.hex[u] for u in units]
        return [hex for hex in hexes if self.from_enemy[hex] <= 3] or hexes

    def strength(self, unit: int) -> int:
        """The attack and defence factors of a unit at full strength."""
        full = self.war.full[unit]
        return self.war.attack[unit][full] + self.war.defence[unit][full]
