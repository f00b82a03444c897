"""Why not? The sentences behind refusals in battles and in the air."""

from __future__ import annotations

from apennine.hexes import bits
from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule
from apennine.mechanics.phrases import always

from ..rules import c13_battle as battle
from ..rules.c06_stacking import full_for, strangers
from ..rules.c07_zones import next_to, occupied, port_hexes, zone
from ..rules.c09_points import kept
from ..rules.c13_retreat import can_cross, exits, together
from ..table.phrases import names, place
from ..table.position import AERIAL, ALLIED, ATTACK, FIGHT_MOVE, GERMAN, NOWHERE, Table
from ..table.war import War
from .reasons import Reason, too_dear


def _target(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, place(war, option.hex)
    if pos.target != NOWHERE:
        return Refusal(f"{place(war, pos.target)} is being attacked now.", rule("9.5a"))
    if pos.order not in (ATTACK, FIGHT_MOVE) or pos.fought:
        return Refusal("Order a stack to attack before you pick its target.", rule("9.5a"))
    if pos.attacked >> hex & 1:
        return Refusal(f"{code} has been attacked in this phase already.", rule("13.1b"))
    if pos.side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6d"))
    near = war.lattice.distance(pos.origin, hex) == 1
    if near and not next_to(war, pos.origin) >> hex & 1:
        return Refusal(f"Water lies before {code}, and nobody attacks across it.", rule("13.1c"))
    if not near:
        return Refusal(
            f"{code} is not next to the attackers in {place(war, pos.origin)}.", rule("13.1a")
        )
    return Refusal(f"There is no enemy in {code}.", rule("13.1a"))


def _attack_with(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.target == NOWHERE:
        return Refusal("Order a stack to attack before you say who goes.", rule("9.5a"))
    if pos.defenders:
        return Refusal("The battle has begun, and nobody joins it now.", rule("13.2/1a"))
    if pos.attackers >> unit & 1:
        return Refusal(f"{name} takes part already.", rule("13.2/1a"))
    if not pos.force >> unit & 1:
        return Refusal(
            f"{name} is not among the units in {place(war, pos.origin)} that were ordered to "
            "attack.",
            rule("9.5b"),
        )
    if option.hex != pos.target:
        return Refusal(f"This attack is on {place(war, pos.target)}.", rule("9.5b"))
    if war.supports >> unit & 1 and not pos.attackers:
        return Refusal(
            f"{name} is corps support, and no division of its grouping is there to attack with.",
            rule("13.5b"),
        )
    return Refusal(
        f"{name} may not attack together with {names(war, bits(pos.attackers))}, of the other "
        "grouping.",
        rule("6.5d"),
    )


def _fight(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE:
        return Refusal("Order a stack to attack before you send it to fight.", rule("9.5a"))
    if pos.defenders:
        return Refusal("The battle is being fought already.", rule("13.2/1a"))
    if not pos.attackers & ~war.supports:
        return Refusal("Corps support never attacks alone: add a division.", rule("13.5b"))
    return Refusal(f"This attack is on {place(war, pos.target)}.", rule("9.5b"))


def _bombers(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.side != ALLIED:
        return Refusal("Only the Allies have heavy bombers.", rule("13.6a"))
    if pos.target == NOWHERE or pos.defenders:
        return Refusal(
            "Heavy bombers are sent while you say who attacks, before the battle begins.",
            rule("13.6a"),
        )
    if pos.bombed:
        return Refusal("The heavy bombers have flown in this phase already.", rule("13.6a"))
    if pos.german_tac:
        return Refusal("No heavy bombers fly while German aircraft are about.", rule("13.6b"))
    if not pos.tac_active:
        return Refusal(
            "Heavy bombers fly only in a turn for which you activated tactical air.", rule("9.13")
        )
    if pos.points - kept(war, pos) < war.book.prices.bombers:
        return too_dear(war, pos, war.book.prices.bombers, "Sending heavy bombers")
    return Refusal("Heavy bombers never attack alone: add a division first.", rule("13.6a"))


def _air(war: War, pos: Table, option: Option) -> Refusal:
    del war, option
    if pos.target == NOWHERE:
        return Refusal("There is no battle that aircraft could support.", rule("9.14c"))
    if pos.air_support >= 0:
        return Refusal(
            "Aircraft support this battle already, and there is no place for more.", rule("9.14a")
        )
    return Refusal("Aircraft are sent when the units are deployed, if any are left.", rule("9.14d"))


def _shot(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.target == NOWHERE or not pos.defenders:
        return Refusal("There is no battle in which a shot could be fired.", rule("13.2/1a"))
    if not (pos.attackers | pos.defenders) >> unit & 1:
        return Refusal(f"{name} is not on the Battle Board.", rule("13.3b"))
    if not pos.steps[unit]:
        return Refusal(f"{name} has been eliminated already.", rule("13.4"))
    firing = {war.side_of[firer] for firer, _ in pos.volley} or {pos.side}
    if war.side_of[unit] in firing:
        return Refusal(f"{name} is on the side that is firing.", rule("13.3b"))
    if war.supports >> unit & 1:
        return Refusal(f"{name} is safe as long as a division stands before it.", rule("13.5a"))
    if not pos.volley and option.verb == "fire at":
        return Refusal("No division is firing now.", rule("13.3a"))
    if pos.volley and option.verb != "fire at":
        return Refusal("The preparatory barrage is over.", rule("13.2/2a"))
    return Refusal(
        f"No shot at {name} hits on {option.value} or less: take a number from the menu.",
        rule("13.3a"),
    )


def _break_off(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE or not pos.defenders:
        return Refusal("There is no battle to break off.", rule("13.2/4a"))
    if battle.is_city(war, pos):
        return Refusal(
            f"{place(war, pos.target)} is a city, and an attack on one is never broken off.",
            rule("13.11"),
        )
    if any(war.side_of[firer] != pos.side for firer, _ in pos.volley):
        return Refusal("An attack is broken off only after the defensive fire.", rule("13.2/4a"))
    return Refusal(
        "Only an attacker who has just lost a step in the defensive fire breaks off.",
        rule("13.2/4b"),
    )


def _recover(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if unit not in pos.hits:
        return Refusal(f"{name} has lost no step that could come back.", rule("13.10d"))
    return Refusal(f"{name} gets no step back now.", rule("13.10c"))


def _retreat(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE:
        return Refusal("Nobody is under attack.", rule("13.2/6a"))
    if battle.is_city(war, pos):
        return Refusal(
            f"{place(war, pos.target)} is a city, and nobody retreats from one.", rule("13.11")
        )
    if pos.side == GERMAN and pos.target in pos.ports:
        return Refusal(
            f"Allied units never retreat from a port like {place(war, pos.target)}.",
            rule("13.2/6c"),
        )
    if not battle.may_retreat(war, pos):
        return Refusal(
            "In the turn of its drop nobody retreats from the hex of the 82nd.", rule("12.9j")
        )
    if pos.extra_hit:
        return Refusal("The attacker's extra hit has barred the retreat.", rule("13.10b"))
    if not pos.hits:
        return Refusal(
            "Only a defender who has just lost a step in the offensive fire retreats.",
            rule("13.2/6b"),
        )
    return Refusal("Not every survivor has a hex to retreat to.", rule("13.9/12"))


def _retreat_to(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, place(war, option.hex)
    if not pos.retreating:
        return Refusal("Nobody is retreating.", rule("13.2/8"))
    if war.lattice.distance(pos.target, hex) != 1:
        return Refusal(
            f"A retreat goes one hex, and {code} is not next to {place(war, pos.target)}.",
            rule("13.9/6"),
        )
    if not next_to(war, pos.target) >> hex & 1:
        return Refusal(f"Water lies before {code}, and nobody retreats over it.", rule("13.9/1"))
    if not exits(war, pos.target, pos.retreating) >> hex & 1:
        return Refusal(
            f"The hexside to {code} is blocked: only mountain units retreat over it.",
            rule("12.10d"),
        )
    side = 1 - pos.side
    if occupied(war, pos, pos.side) >> hex & 1:
        return Refusal(f"Enemies are in {code}.", rule("6.1a"))
    if side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6e"))
    if side == GERMAN and port_hexes(war, pos) >> hex & 1:
        return Refusal(f"No German retreats into the Allied port in {code}.", rule("13.9/2"))
    friends = occupied(war, pos, side) >> hex & 1
    if not friends and zone(war, pos, pos.side) >> hex & 1:
        return Refusal(
            f"{code} is in an enemy zone of control, and no friend is there.", rule("13.9/2")
        )
    if strangers(war, pos, pos.retreating) >> hex & 1:
        return Refusal(f"Another German organisation is in {code}.", rule("6.6b"))
    if friends and full_for(war, pos, pos.retreating) >> hex & 1:
        return Refusal(f"There is no room for the stack in {code}.", rule("13.9/3"))
    if friends and together(war, pos, pos.retreating):
        return Refusal(f"{code} is not empty, and there is a hex that is.", rule("13.9/4"))
    return Refusal(
        f"The stack stays together as long as one hex takes all of it, and {code} does not.",
        rule("13.9/5"),
    )


def _advance(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, war.names[option.unit]
    if pos.target == NOWHERE or not pos.attackers >> unit & 1:
        return Refusal(f"{name} is not one of the attackers.", rule("13.8a"))
    if occupied(war, pos, 1 - pos.side) >> pos.target & 1:
        return Refusal(f"{place(war, pos.target)} is still defended.", rule("13.2/9"))
    if war.supports >> unit & 1 and not pos.advanced & ~war.supports:
        return Refusal(f"{name} advances only after a division.", rule("13.8b"))
    if not exits(war, pos.origin, 1 << unit) >> pos.target & 1:
        return Refusal(
            f"The hexside to {place(war, pos.target)} is blocked: {name} is no mountain unit, and "
            "does not advance over it.",
            rule("12.10d"),
        )
    if not can_cross(war, pos, unit):
        return Refusal(
            f"The hexside to {place(war, pos.target)} is blocked, and no move-fight or fight-move "
            "leads over it.",
            rule("12.10b"),
        )
    if pos.supply == AERIAL:
        return Refusal(f"{name} lives on supply from the air, and may not move.", rule("11.7f"))
    return Refusal(f"{name} advances to {place(war, pos.target)}, if anywhere.", rule("13.8a"))


REASONS: dict[str, tuple[tuple[str, ...], str, Reason]] = {
    "target": (("command",), "h", _target),
    "attack with": (("command",), "uh", _attack_with),
    "fight": (("command",), "", _fight),
    "send bombers": (("command",), "", _bombers),
    "air support": (("command",), "", _air),
    "no air support": (("command",), "", _air),
    "shell": (("command",), "u", _shot),
    "bomb": (("command",), "u", _shot),
    "fire at": (("command",), "u", _shot),
    "fire on": (
        ("command",),
        "",
        always(
            "Shots go on only at a force that has just been wiped out, to bar its retreat.",
            rule("13.10a"),
        ),
    ),
    "cease fire": (
        ("command",),
        "",
        always(
            "You may cease fire only when the force you fire at has been wiped out.",
            rule("13.10a"),
        ),
    ),
    "break off": (("command",), "", _break_off),
    "fight on": (
        ("command",),
        "",
        always("This is not the moment to break off or fight on.", rule("13.2/4a")),
    ),
    "recover": (("command",), "u", _recover),
    "retreat": (("command",), "", _retreat),
    "stand": (
        ("command",),
        "",
        always("This is not the moment to retreat or stand.", rule("13.2/6a")),
    ),
    "retreat to": (("command",), "h", _retreat_to),
    "advance": (("command",), "uh", _advance),
    "stay": (("command",), "", always("No advance after combat is on offer.", rule("13.8a"))),
    "no drop now": (("command",), "", always("The 82nd is not about to drop.", rule("12.9d"))),
    "no drop this turn": (
        ("command",),
        "",
        always("The 82nd is not about to drop.", rule("12.9d")),
    ),
}
"""By verb: the phases in which it can come, what it names (unit, hex), and why it may not."""
IN_THE_AIR = frozenset(("airlift", "ready the drop", "drop", "no drop now", "no drop this turn"))
"""Verbs between two commands."""
EITHER_SIDE = frozenset(("shell", "bomb", "fire at", "recover", "drop", "ready the drop"))
"""Verbs that may name units of the side that does not act."""
