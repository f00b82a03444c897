"""Chapter 9: behind the front: German forts (9.8), and replacements (9.16, 9.17)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import compress
from operator import lt

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Name, Order

from ..table.position import ALLIED, GERMAN, HISTORICAL, LOST, Table
from ..table.war import War
from .c06_fog import veil, veiled
from .c07_zones import on_map, port_hexes, put, there, those_among, those_in
from .c09_points import afford, spendable, too_dear
from .c11_supply import net

# 9.8: forts


class BuildFort(Order[War, Table]):
    """9.8: a fort for a command point; it is no action of the units in its hex (9.8j)."""

    verb, names, needs = "build fort", (HEX,), "forts_left"
    when, rule, opens = "Only the Germans build forts, in their command phase", "9.8g", True

    def bars(self, war: War, pos: Table) -> Bars:
        forts = war.book.forts
        yield pos.scenario == HISTORICAL, "Forts are built in the Historical Scenario only", "8.4a"
        first = forts.first_turn
        yield pos.turn >= first, f"Forts are built from turn {first} on", "9.8a"
        yield pos.forts_left > 0, f"All {forts.counters} forts have been built", "9.8h"
        yield afford(war, pos, war.book.prices.fort, "A fort")
        yield from fort_sites(war, pos)

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.points -= war.book.prices.fort
        pos.forts |= 1 << option.hex
        pos.forts_left -= 1
        pos.drop_asked = False
        yield Event("fort is built", hex=option.hex, rule="9.8a")


def fort_sites(war: War, pos: Table) -> Bars:
    """Where a fort may stand: in supply, and in no Allied zone unless Germans are there."""
    yield war.fort_sites, "A fort stands on land, in no city and no marsh: not in {hex}", "9.8b"
    yield ~pos.forts, "{hex} has a fort already", "9.8h"
    allied = there(war, pos, ALLIED)
    yield ~allied.occupied, "Allied units are in {hex}", "9.8c"
    special = pos.special_forces << war.special_forces
    yield ~special, "The special forces keep Germans out of {hex}", "3.6d"
    yield ~port_hexes(war, pos), "An Allied port is at work in {hex}", "9.8c"
    yield net(war, pos, GERMAN), "No German supply line leads to {hex}", "9.8d"
    free = ~allied.zone | there(war, pos, GERMAN).occupied
    yield free, "{hex} is in an Allied zone of control, and no German is there", "9.8c"


# 9.16, 9.17: replacements


class Replacement(Order[War, Table]):
    """A step bought for a unit, German steps being rationed (9.17a)."""

    names, needs = (UNIT,), "points"
    when, rule, opens = "Replacements are bought in the command phase of their side", "9.16a", True

    def bars(self, war: War, pos: Table) -> Bars:
        # Seldom has anybody lost a step: that is looked at first, and told last.
        units = self.able(war, pos)
        yield units, self._unfit
        if units:
            yield from self.payable(war, pos)

    def menu(self, war: War, pos: Table) -> Sequence[Option]:
        return self.left(war, pos) if self.able(war, pos) else ()

    def able(self, war: War, pos: Table) -> Mask:
        """The units of the side that such a step is for, and reaches: what `fit` leaves."""
        raise NotImplementedError

    def fit(self, war: War, pos: Table) -> Bars:
        """The bars on all others of the side."""
        raise NotImplementedError

    def _unfit(self, war: War, pos: Table) -> Bars:
        yield from self.payable(war, pos)
        yield from self.fit(war, pos)

    def payable(self, war: War, pos: Table) -> Bars:
        """The bars on units for which there is no step, or too few points."""
        ration, side = war.book.replacements, pos.side
        points, first = spendable(war, pos), ration.first_turn
        if pos.turn < first:
            yield False, f"Replacements come only from turn {first} on", "9.16a"
        yield war.units_of[side], "{unit} belongs to the other side", "9.4a"
        for price, units in prices(war, side, self.verb):
            if points < price:
                yield ~units, partial(too_dear, price, "A step for {unit}")
        if side == ALLIED:
            return
        used = "{unit} is mechanised, and your mechanised step of this turn is used up"
        left = pos.mechanised_steps < ration.german_mechanised
        yield left or ~war.mechanised, used, "9.17a"
        used = "{unit} is non-mechanised, and your non-mechanised step of this turn is used up"
        yield pos.foot_steps < ration.german_foot or war.mechanised, used, "9.17a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure | None:
        unit = option.unit
        pos.points -= cost(war, unit, self.verb)
        if pos.side == GERMAN:
            pos.drop_asked = False
            if war.mechanised >> unit & 1:
                pos.mechanised_steps += 1
            else:
                pos.foot_steps += 1
        return None


def prices(war: War, side: int, verb: str) -> tuple[tuple[int, Mask], ...]:
    """What a step costs, and the units for which it does (9.16b, 9.16c, 9.17b)."""
    price, dear = war.book.prices, war.mechanised | war.supports
    if side == ALLIED:
        return ((price.allied_step if verb == Replenish.verb else price.allied_return, -1),)
    return (price.german_mechanised, dear), (price.german_foot, ~dear)


def cost(war: War, unit: int, verb: str) -> int:
    """What a step for a unit costs."""
    found = prices(war, war.side_of[unit], verb)
    return next(price for price, units in found if units >> unit & 1)


class Replenish(Replacement):
    """9.16b, 9.17b: a step for a reduced division in overland supply, on the map or in its box."""

    verb = "replenish"

    def able(self, war: War, pos: Table) -> Mask:
        units = reduced(war, pos)
        return units and fed(war, pos, units & ~used_up(pos, pos.side))

    def fit(self, war: War, pos: Table) -> Bars:
        yield reduced(war, pos), not_reduced
        yield ~used_up(pos, pos.side), "{unit} has had its action in this turn", "9.18"
        yield fed(war, pos, war.units_of[pos.side]), not_fed

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        super().effect(war, pos, option)
        unit = option.unit
        pos.steps[unit] += 1
        pos.rebuilt |= 1 << unit
        if pos.side == ALLIED or not on_map(war, pos, unit):
            pos.acted |= 1 << unit  # 9.16e; Germans on the map may still move (9.17d)
        by = rule("9.16b") if pos.side == ALLIED else rule("9.17b")
        yield veiled(war, pos, Event("is replenished", unit, pos.hex[unit], rule=by))

    def veil(self, war: War, pos: Table, option: Option) -> tuple[Name, ...]:
        """6.9b, 6.9c: the German sees the points that are spent, not who gets the step."""
        return veil(war, pos, option.unit)


def reduced(war: War, pos: Table) -> Mask:
    """The units of the side that have lost a step, and not the last."""
    start, stop = war.spans[pos.side]
    steps, whole = pos.steps[start:stop], war.whole[pos.side]
    if steps == whole:
        return 0
    hurt = compress(range(start, stop), map(lt, steps, whole))
    return mask_of([unit for unit in hurt if pos.steps[unit]])


def fed(war: War, pos: Table, units: Mask) -> Mask:
    """Those of the side's units that replacements reach: overland, or in their box (9.16g)."""
    if not units:
        return 0
    places, hexes = net(war, pos, pos.side) | war.boxes & ~(1 << war.end_run), pos.hex
    return mask_of([unit for unit in bits(units) if hexes[unit] >= 0 and places >> hexes[unit] & 1])


def not_reduced(war: War, pos: Table) -> Bars:
    """Why a unit of the side cannot be built up."""
    alive = ~those_in(war, pos, LOST, pos.side)
    yield alive, "{unit} is eliminated, and not reduced: it would have to be reclaimed", "9.16c"
    in_play = those_among(war, pos, war.land | war.boxes, pos.side)
    yield in_play, "{unit} is not in play", "9.16b"
    yield 0, "{unit} is at full strength", "9.16b"


def not_fed(war: War, pos: Table) -> Bars:
    """Why no step reaches a unit where it is."""
    sailed = those_among(war, pos, 1 << war.end_run, pos.side)
    by = "8.15d" if pos.side == ALLIED else "8.16c"
    yield ~sailed, "{unit} has gone to the End-Run box for good, and gets nothing more", by
    yield 0, "{unit} is {where it is} without overland supply, and gets no replacements", "9.16g"


def used_up(pos: Table, side: int) -> Mask:
    """The units that can get no step: 9.18; a German's regular move does not count (9.17d)."""
    acted = pos.acted & ~pos.marched if side == GERMAN else pos.acted
    return acted | pos.rebuilt


class Reclaim(Replacement):
    """9.16c, 9.17e: a unit comes back from the dead pile to its box, a division with one step."""

    verb = "reclaim"

    def able(self, war: War, pos: Table) -> Mask:
        gone = pos.barred | (pos.dropped and 1 << war.airborne)
        return those_in(war, pos, LOST, pos.side) & ~gone

    def fit(self, war: War, pos: Table) -> Bars:
        alive = "{unit} has not been eliminated: there is nothing to reclaim"
        yield those_in(war, pos, LOST, pos.side), alive, "9.16c"
        fell = "{unit} fell without overland supply, and is gone for good"
        yield ~pos.barred, fell, "9.16h"
        dropped = pos.dropped and 1 << war.airborne
        yield ~dropped, "{unit} has made its only drop, and does not come back", "12.9h"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        super().effect(war, pos, option)
        unit = option.unit
        pos.steps[unit] = 1
        pos.acted |= 1 << unit  # 9.16d, 9.16f, 9.17e
        put(war, pos, 1 << unit, war.box_of[unit])
        by = rule("9.16c") if pos.side == ALLIED else rule("9.17e")
        yield Event("comes back", unit, rule=by)


REPLENISH, RECLAIM = Replenish(), Reclaim()
ALLIED_ORDERS = (REPLENISH, RECLAIM)
GERMAN_ORDERS = (BuildFort(), REPLENISH, RECLAIM)
