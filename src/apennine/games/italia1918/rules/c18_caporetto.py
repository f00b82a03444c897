"""Scenario 1: what the Central Powers lay upon the Italian retreat, and reserves that thaw."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Event, Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order, Plain
from apennine.mechanics.asking import until

from ..table.position import CENTRAL, ENTENTE, Table
from ..table.war import War
from .c02_pieces import theatre, there, those_in
from .c05_zones import zone
from .c09_supply import command
from .c11_engineers import Work

HARASSING = "The Central Powers hamper the retreat as the Entente begins to move"
MOST = 3
"""The Refugee markers of a phase (S1.S10a)."""
MARKERS = 2
"""The Bridge Destroyed markers of the game (S1.S11a)."""
NEAR = 3
"""How near one of their units must be (S1.S10a, S1.S11a)."""


def harassment_phase(war: War, pos: Table) -> Procedure:
    """S1.S10, S1.S11: refugees on the roads, and bridges that go too early."""
    orders = [order for order in (CROWD, SABOTAGE) if order.in_season(war, pos)]
    if pos.side == ENTENTE and orders:
        prompt = "Hamper the enemy's retreat, or let him move"
        cited = rule("S1.S10a")
        yield from until(LET, war, pos, prompt, cited, *orders, checkpoint=True, side=CENTRAL)


class Crowd(Order[War, Table]):
    """S1.S10: refugees crowd the roads of a stack, which moves half as far in this phase."""

    verb, names, link = "send refugees", (HEX,), "to"
    when, rule = HARASSING, "S1.S10a"

    def in_season(self, war: War, pos: Table) -> bool:
        """Whether the turn has come."""
        return 0 < theatre(war, pos).scenario.refugees <= pos.turn

    def bars(self, war: War, pos: Table) -> Bars:
        own, enemy = there(war, pos, ENTENTE), there(war, pos, CENTRAL)
        yield (
            len({pos.hex[u] for u in bits(pos.refugees)}) < MOST,
            f"{MOST} stacks are hampered",
            "S1.S10a",
        )
        yield own.ground, "No unit of the enemy is in {hex}", "S1.S10a"
        crowded = sum([1 << hex for hex in {pos.hex[unit] for unit in bits(pos.refugees)}])
        yield ~crowded, "Refugees are in {hex} already", "S1.S10a"
        near = war.lattice.dilate(enemy.ground, NEAR)
        yield near, f"No unit of yours is within {NEAR} hexes of {{hex}}", "S1.S10a"
        yield ~zone(war, pos, CENTRAL), "{hex} is in a zone of yours", "S1.S10a"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.refugees |= those_in(war, pos, option.hex, ENTENTE)


class Sabotage(Work):
    """S1.S11: a bridge of the enemy is destroyed without a die."""

    verb, rule = "have blown up", "S1.S11a"
    when = HARASSING

    def in_season(self, war: War, pos: Table) -> bool:
        """Whether the turn has come, and a marker is left."""
        first = theatre(war, pos).scenario.sabotage
        return 0 < first <= pos.turn and pos.sabotaged < MARKERS

    def fit(self, war: War, pos: Table) -> Bars:
        used = -1 if pos.sabotaged < MARKERS else 0
        yield used, "Both markers have been used", "S1.S11a"
        yield ~pos.broken, "The bridge in {hex} is destroyed already", "11.2.5c"
        enemy = there(war, pos, CENTRAL).ground
        near = war.lattice.dilate(enemy, NEAR)
        yield (
            war.ground.with_ends(near, 1),
            f"No unit of yours is within {NEAR} hexes of {{hex}}",
            "S1.S11a",
        )
        ruled = command(war, pos, ENTENTE)
        yield war.ground.with_ends(ruled, 1), "No Italian headquarters commands {hex}", "S1.S11a"
        yield (
            war.ground.with_ends(~pos.control, 1),
            "The bridge in {hex} is not the enemy's",
            "S1.S11c",
        )
        yield ~war.ground.with_ends(enemy, 1), "Your own unit is at the bridge in {hex}", "S1.S11c"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.sabotaged += 1
        pos.broken |= 1 << option.value
        yield Event("the bridge is destroyed", hex=option.hex, rule=rule("S1.S11a"))


CROWD, SABOTAGE = Crowd(), Sabotage()
LET = Plain("let him move", HARASSING, "S1.S10a")
