"""Chapter 18: fortifications, as they are built and removed."""

from __future__ import annotations

from collections.abc import Sequence

from apennine.hexes import Mask
from apennine.kernel.decision import NONE, Event, Option, Over, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, Bars, Order
from apennine.mechanics.phrases import counted

from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War
from .c02_pieces import occupied
from .c05_control import remove_fort
from .c06_zones import zone
from .c16_supply import supplied_hexes

BUILDING = "Fortifications are built in the German initial phase"


def level_1(pos: Table) -> Mask:
    """The hexes with a marker of level 1, under construction or completed."""
    return pos.works | pos.forts & ~pos.strongholds


def site(war: War, pos: Table) -> Bars:
    """What every start and every completion needs of a hex (18.1.3)."""
    scenario = war.book.scenarios[pos.scenario]
    yield scenario.forts, "There are no fortifications in this scenario", "S1.3.2"
    yield pos.side == GERMAN, "Only the German side builds fortifications", "3.0B1b"
    yield not pos.built, "A fortification has been started or completed in this turn", "18.1.1"
    yield war.ground.land, "{hex} is at sea", "18.1.1"
    enemies = occupied(war, pos, ALLIED)
    yield ~enemies, "The enemy is in {hex}", "18.1.1"
    yield ~(pos.control & war.ground.held), "The Allies control {hex}", "18.2.1b"
    yield ~pos.battles, "{hex} is fought for: there is a Battle marker", "18.1.3d"
    manned = ~zone(war, pos, ALLIED) | occupied(war, pos, GERMAN)
    yield manned, "{hex} is in an enemy zone of control with no German unit in it", "18.1.3c"
    yield supplied_hexes(war, pos, GERMAN), "No German supply reaches {hex}", "18.1.3b"


class Build(Order[War, Table]):
    """A start or a completion: one of them a turn, with a die if an enemy is near."""

    names, link = (HEX,), "in"
    when, rule = BUILDING, "18.1.1"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.built = True
        bit = 1 << option.hex
        if war.lattice.dilate(bit) & occupied(war, pos, ALLIED):
            (die,) = yield Roll((6,), "construction next to the enemy", rule("18.1.4"))
            if war.book.construction.cell(die) != "yes":
                yield Event("the construction fails", hex=option.hex, rule=rule("18.1.4"))
                return
        self.carry_out(war, pos, bit)

    def carry_out(self, war: War, pos: Table, hex: Mask) -> None:
        """Place or flip the marker."""
        raise NotImplementedError


class Start(Build):
    """18.1.1, 18.1.2: a fortification of level 1, or one of level 2 on top of it, is started."""

    verb, opens = "start a fortification", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from site(war, pos)
        first, second = war.book.limits.forts
        yield ~pos.works, "A fortification is under construction in {hex}", "18.1.1"
        yield (
            ~(pos.strongholds | pos.upgrades),
            "{hex} has level 2, or work on it, already",
            "18.1.2",
        )
        behind = ~pos.forts | war.ground.gustav
        yield behind, "Level 2 is built only on or behind the Gustav Line", "18.1.3f"
        twice = (pos.strongholds | pos.upgrades).bit_count() < second
        yield twice or ~pos.forts, f"There are only {second} markers of level 2", "18.1.3a"
        once = level_1(pos).bit_count() < first
        yield once or pos.forts, f"There are only {first} markers of level 1", "18.1.3a"

    def carry_out(self, war: War, pos: Table, hex: Mask) -> None:
        if pos.forts & hex:
            pos.upgrades |= hex
            return
        pos.works |= hex
        pos.planned |= level_1(pos).bit_count() >= war.book.limits.forts[0]  # 18.1.3g


class Complete(Build):
    """18.1.1: a fortification under construction is completed."""

    verb, opens = "complete the fortification", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield from site(war, pos)
        yield pos.works | pos.upgrades, "No fortification is under construction in {hex}", "18.1.1"
        started = counted(level_1(pos).bit_count(), "fortification")
        gate = f"All of level 1 must be started before one is completed, and {started} stand so far"
        yield pos.planned or pos.upgrades, gate, "18.1.3e"

    def carry_out(self, war: War, pos: Table, hex: Mask) -> None:
        pos.strongholds |= pos.upgrades & hex  # the marker of level 1 is free again (18.1.2)
        pos.upgrades &= ~hex
        pos.forts |= hex
        pos.works &= ~hex


class Raze(Order[War, Table]):
    """18.2.3: the owner takes a marker away, in his own turn."""

    verb, names, link = "raze", (HEX,), "in"
    when, rule = "Fortifications are razed in the German turn", "18.2.3"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.side == GERMAN, "Only the German side has fortifications", "18.2.3"
        yield pos.works | pos.forts, "There is no fortification in {hex}", "18.2.3"

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return Over(self.verb, pos.works | pos.forts) if pos.side == GERMAN else NONE

    def effect(self, war: War, pos: Table, option: Option) -> None:
        remove_fort(war, pos, 1 << option.hex)


START, COMPLETE, RAZE = Start(), Complete(), Raze()
