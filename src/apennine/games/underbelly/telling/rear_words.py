"""Why not? The sentences behind refusals of replacements and forts."""

from __future__ import annotations

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from ..rules import c09_replacements as replacements
from ..rules.c07_zones import occupied, zone
from ..rules.c09_points import kept
from ..rules.c11_supply import net
from ..table.phrases import place
from ..table.position import ALLIED, GERMAN, HISTORICAL, LOST, Table
from ..table.war import War
from .reasons import Reason, too_dear


def _fort(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, place(war, option.hex)
    if pos.side == ALLIED:
        return Refusal("The Allies build no forts.", rule("9.8g"))
    if pos.scenario != HISTORICAL:
        return Refusal("Forts are built in the Historical Scenario only.", rule("8.4a"))
    if pos.turn < war.book.forts.first_turn:
        return Refusal(f"Forts are built from turn {war.book.forts.first_turn} on.", rule("9.8a"))
    if not pos.forts_left:
        return Refusal(f"All {war.book.forts.counters} forts have been built.", rule("9.8h"))
    if pos.points < war.book.prices.fort:
        return too_dear(war, pos, war.book.prices.fort, "A fort")
    if pos.forts >> hex & 1:
        return Refusal(f"{code} has a fort already.", rule("9.8h"))
    if not war.fort_sites >> hex & 1:
        return Refusal(
            f"A fort stands on land, in no city and no marsh: not in {code}.", rule("9.8b")
        )
    if occupied(war, pos, ALLIED) >> hex & 1:
        return Refusal(f"Allied units are in {code}.", rule("9.8c"))
    if not net(war, pos, GERMAN) >> hex & 1:
        return Refusal(f"No German supply line leads to {code}.", rule("9.8d"))
    if zone(war, pos, ALLIED) >> hex & 1:
        return Refusal(
            f"{code} is in an Allied zone of control, and no German is there.", rule("9.8c")
        )
    return Refusal(f"No fort can be built in {code} now.", rule("9.8a"))


def _replenish(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    refused = _no_replacement(war, pos, option)
    if refused:
        return refused
    if pos.hex[unit] == LOST:
        return Refusal(f"{name} is eliminated: reclaim it instead.", rule("9.16c"))
    if pos.hex[unit] < 0:
        return Refusal(f"{name} is not in play.", rule("9.16b"))
    if pos.steps[unit] == war.full[unit]:
        return Refusal(f"{name} is at full strength.", rule("9.16b"))
    if replacements.used_up(pos, pos.side) >> unit & 1:
        return Refusal(f"{name} has had its action in this turn.", rule("9.18"))
    where = place(war, pos.hex[unit])
    return Refusal(
        f"{name} has no overland supply in {where}, and so no replacements.", rule("9.16g")
    )


def _reclaim(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    refused = _no_replacement(war, pos, option)
    if refused:
        return refused
    if pos.hex[unit] != LOST:
        return Refusal(
            f"{name} has not been eliminated: there is nothing to reclaim.", rule("9.16c")
        )
    if pos.barred >> unit & 1:
        return Refusal(f"{name} fell without overland supply, and is gone for good.", rule("9.16h"))
    return Refusal(f"{name} has made its only drop, and does not come back.", rule("12.9h"))


def _no_replacement(war: War, pos: Table, option: Option) -> Refusal | None:
    """What stands against any replacement for a unit."""
    unit, verb = option.unit, option.verb
    if not replacements.has_begun(war, pos):
        first = war.book.replacements.first_turn
        return Refusal(f"Replacements come only from turn {first} on.", rule("9.16a"))
    price = replacements.cost(war, unit, verb)
    if pos.points - kept(war, pos) < price:
        return too_dear(war, pos, price, f"A step for {war.names[unit]}")
    if pos.side == GERMAN and not replacements.is_rationed(war, pos, unit):
        kind = "mechanised" if war.mechanised >> unit & 1 else "non-mechanised"
        return Refusal(
            f"{war.names[unit]} is {kind}, and your {kind} step of this turn is used up.",
            rule("9.17a"),
        )
    return None


REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "build fort": (("command",), "h", _fort),
    "replenish": (("command",), "u", _replenish),
    "reclaim": (("command",), "u", _reclaim),
}
"""By verb: the phases that know it, what it names (unit, hex), and why it may not be."""
