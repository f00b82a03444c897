"""Why not? The sentences behind refusals in battles and in the air."""

from __future__ import annotations

from collections.abc import Callable

from apennine.kernel.decision import Option
from apennine.kernel.game import Refusal
from apennine.kernel.ledger import rule

from . import battle
from .budget import kept
from .position import ALLIED, GERMAN, NOWHERE, Table
from .retreat import exits, together
from .stacking import full_for
from .war import War
from .zones import next_to, occupied, zone

Reason = Callable[[War, Table, Option], Refusal]


def _name(war: War, unit: int) -> str:
    return war.names[unit]


def _code(war: War, hex: int) -> str:
    return war.board.code(hex)


def _always(sentence: str, by: str) -> Reason:
    def reason(war: War, pos: Table, option: Option) -> Refusal:
        del war, pos, option
        return Refusal(sentence, by)

    return reason


def _too_dear(price: int, what: str) -> Refusal:
    return Refusal(f"{what} {price} command points, and you have too few.", rule("9.1b"))


def _target(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if pos.origin == NOWHERE or pos.target != NOWHERE:
        return Refusal("Order a stack to attack before you pick its target.", rule("9.5a"))
    if pos.attacked >> hex & 1:
        return Refusal(f"{code} has been attacked in this phase already.", rule("13.1b"))
    if pos.side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6d"))
    near = war.lattice.distance(pos.origin, hex) == 1
    if near and not next_to(war, pos.origin) >> hex & 1:
        return Refusal(f"Nobody attacks {code} across the water.", rule("13.1c"))
    if not near:
        return Refusal(
            f"{code} is not next to the attackers in {_code(war, pos.origin)}.", rule("13.1a")
        )
    return Refusal(f"There is no enemy in {code}.", rule("13.1a"))


def _attack_with(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, _name(war, option.unit)
    if pos.target == NOWHERE:
        return Refusal("Order a stack to attack before you say who goes.", rule("9.5a"))
    if pos.defenders:
        return Refusal("The battle has begun, and nobody joins it now.", rule("13.2/1a"))
    if pos.attackers >> unit & 1:
        return Refusal(f"{name} takes part already.", rule("13.2/1a"))
    if not pos.force >> unit & 1:
        return Refusal(f"{name} is not in the stack that you ordered to attack.", rule("9.5b"))
    if option.hex != pos.target:
        return Refusal(f"This attack goes against {_code(war, pos.target)}.", rule("9.5b"))
    if war.supports >> unit & 1 and not pos.attackers:
        return Refusal(f"No division of its own grouping could lead {name}.", rule("13.5b"))
    return Refusal(
        f"{name} may not attack together with units of the other grouping.", rule("6.5d")
    )


def _fight(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE:
        return Refusal("Order a stack to attack before you send it to fight.", rule("9.5a"))
    if pos.defenders:
        return Refusal("The battle is being fought already.", rule("13.2/1a"))
    if not pos.attackers & ~war.supports:
        return Refusal("Corps support never attacks alone: add a division.", rule("13.5b"))
    return Refusal(f"This attack goes against {_code(war, pos.target)}.", rule("9.5b"))


def _bombers(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.side != ALLIED:
        return Refusal("Only the Allies have heavy bombers.", rule("13.6a"))
    if pos.target == NOWHERE or pos.defenders:
        return Refusal(
            "Bombers are sent while you say who attacks, before the battle begins.", rule("13.6a")
        )
    if pos.bombed:
        return Refusal("The heavy bombers have flown in this phase already.", rule("13.6a"))
    if pos.german_tac:
        return Refusal("No bombers fly while German aircraft are about.", rule("13.6b"))
    if not pos.tac_active:
        return Refusal("No bombers fly in a turn without your tactical air.", rule("9.13"))
    if pos.points - kept(war, pos) < war.book.prices.bombers:
        return _too_dear(war.book.prices.bombers, "Heavy bombers take")
    return Refusal("Bombers never attack alone: add a division.", rule("13.6a"))


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
    unit, name = option.unit, _name(war, option.unit)
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
    return Refusal(f"No shot at {name} needs {option.value} or less.", rule("13.3a"))


def _break_off(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE or not pos.defenders:
        return Refusal("There is no battle to break off.", rule("13.2/4a"))
    if battle.is_city(war, pos):
        return Refusal("An attack on a city is never broken off.", rule("13.11"))
    if any(war.side_of[firer] != pos.side for firer, _ in pos.volley):
        return Refusal("An attack is broken off only after the defensive fire.", rule("13.2/4a"))
    return Refusal(
        "Only an attacker who has just lost a step in the defensive fire breaks off.",
        rule("13.2/4b"),
    )


def _recover(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, _name(war, option.unit)
    if unit not in pos.hits:
        return Refusal(f"{name} has lost no step that could come back.", rule("13.10d"))
    return Refusal(f"{name} gets no step back now.", rule("13.10c"))


def _retreat(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.target == NOWHERE:
        return Refusal("Nobody is under attack.", rule("13.2/6a"))
    if battle.is_city(war, pos):
        return Refusal("A city is held to the last: nobody retreats from it.", rule("13.11"))
    if pos.side == GERMAN and pos.target in pos.ports:
        return Refusal("Allied units never retreat from their port.", rule("13.2/6c"))
    if not battle.may_retreat(war, pos):
        return Refusal("The 82nd stands its ground in the turn of its drop.", rule("12.9j"))
    if pos.extra_hit:
        return Refusal("The extra hit leaves nobody time to retreat.", rule("13.10b"))
    if not pos.hits:
        return Refusal(
            "Only a defender who has just lost a step in the offensive fire retreats.",
            rule("13.2/6b"),
        )
    return Refusal("There is no hex for every survivor to retreat to.", rule("13.9/12"))


def _retreat_to(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if not pos.retreating:
        return Refusal("Nobody is retreating.", rule("13.2/8"))
    if war.lattice.distance(pos.target, hex) != 1:
        return Refusal(f"A retreat goes one hex, and {code} is not next to it.", rule("13.9/6"))
    if not next_to(war, pos.target) >> hex & 1:
        return Refusal(f"Nobody retreats to {code} across the water.", rule("13.9/1"))
    if not exits(war, pos.target, pos.retreating) >> hex & 1:
        return Refusal(
            f"Only mountain units could retreat over the ridge to {code}.", rule("12.10d")
        )
    side = 1 - pos.side
    if side == GERMAN and pos.special_forces and hex == war.special_forces:
        return Refusal(f"The special forces keep Germans out of {code}.", rule("3.6e"))
    friends = occupied(war, pos, side) >> hex & 1
    if not friends and zone(war, pos, pos.side) >> hex & 1:
        return Refusal(
            f"{code} is in an enemy zone of control, and no friend is there.", rule("13.9/2")
        )
    if friends and full_for(war, pos, pos.retreating) >> hex & 1:
        return Refusal(f"There is no room for the stack in {code}.", rule("13.9/3"))
    if friends and together(war, pos, pos.retreating):
        return Refusal(f"{code} is not empty, and there is a hex that is.", rule("13.9/4"))
    return Refusal(f"The stack would have to part to retreat to {code}.", rule("13.9/5"))


def _advance(war: War, pos: Table, option: Option) -> Refusal:
    unit, name = option.unit, _name(war, option.unit)
    if pos.target == NOWHERE or not pos.attackers >> unit & 1:
        return Refusal(f"{name} is not one of the attackers.", rule("13.8a"))
    if occupied(war, pos, 1 - pos.side) >> pos.target & 1:
        return Refusal(f"{_code(war, pos.target)} is still defended.", rule("13.2/9"))
    if war.supports >> unit & 1 and not pos.advanced & ~war.supports:
        return Refusal(f"{name} advances only after a division.", rule("13.8b"))
    if not exits(war, pos.origin, 1 << unit) >> pos.target & 1:
        return Refusal(f"{name} cannot cross the ridge: only mountain units can.", rule("12.10d"))
    return Refusal(f"{name} cannot advance to {_code(war, option.hex)}.", rule("13.8a"))


def _airlift(war: War, pos: Table, option: Option) -> Refusal:
    code = _code(war, option.hex)
    if not pos.tac_active:
        return Refusal("Transports do not fly in a turn without your tactical air.", rule("9.11"))
    if pos.dropped == pos.turn:
        return Refusal("The transports fly for the 82nd in this turn.", rule("11.7d"))
    if pos.airlifted:
        return Refusal("The transports have flown in this turn already.", rule("9.11"))
    if pos.points - kept(war, pos) < war.book.prices.aerial_supply:
        return _too_dear(war.book.prices.aerial_supply, "Supply from the air takes")
    if not occupied(war, pos, ALLIED) >> option.hex & 1:
        return Refusal(f"No Allied unit is in {code}.", rule("11.7a"))
    return Refusal(f"The units in {code} are supplied over land.", rule("11.7a"))


def _ready_drop(war: War, pos: Table, option: Option) -> Refusal:
    del option
    if pos.dropped:
        return Refusal("The 82nd has made its only drop.", rule("9.12"))
    if not pos.tac_active:
        return Refusal("Nobody drops in a turn without your tactical air.", rule("9.12"))
    if pos.drop_ready:
        return Refusal("The 82nd is ready to drop already.", rule("9.12"))
    if pos.hex[war.airborne] != war.available:
        return Refusal("The 82nd drops only from the Available box.", rule("12.9a"))
    return _too_dear(war.book.prices.drop, "A drop takes")


def _drop(war: War, pos: Table, option: Option) -> Refusal:
    hex, code = option.hex, _code(war, option.hex)
    if option.unit != war.airborne:
        return Refusal("Only the 82nd drops from the air.", rule("12.9a"))
    if pos.dropped:
        return Refusal("The 82nd has made its only drop.", rule("12.9a"))
    if not pos.drop_ready:
        return Refusal("The 82nd has not been made ready to drop.", rule("12.9a"))
    if not war.drop_zone >> hex & 1:
        return Refusal(f"The 82nd drops on clear ground, and {code} is none.", rule("12.9c"))
    if (occupied(war, pos, GERMAN) | pos.forts) >> hex & 1:
        return Refusal(
            f"The 82nd does not drop on the Germans or their fort in {code}.", rule("12.9c")
        )
    if full_for(war, pos, 1 << option.unit) >> hex & 1:
        return Refusal(f"There is no room for the 82nd in {code}.", rule("12.9c"))
    return Refusal("The 82nd drops between two commands, not during one.", rule("12.9d"))


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
        _always("You fire on only when every defender is gone.", rule("13.10a")),
    ),
    "cease fire": (
        ("command",),
        "",
        _always("The fire goes on as long as a defender stands.", rule("13.10a")),
    ),
    "break off": (("command",), "", _break_off),
    "fight on": (
        ("command",),
        "",
        _always("Nobody asks whether the attack goes on.", rule("13.2/4a")),
    ),
    "recover": (("command",), "u", _recover),
    "retreat": (("command",), "", _retreat),
    "stand": (("command",), "", _always("Nobody asks the defenders to retreat.", rule("13.2/6a"))),
    "retreat to": (("command",), "uh", _retreat_to),
    "advance": (("command",), "uh", _advance),
    "stay": (("command",), "", _always("There is no empty hex to advance into.", rule("13.8a"))),
    "airlift": (("command",), "h", _airlift),
    "ready the drop": (("command",), "u", _ready_drop),
    "drop": (("command",), "uh", _drop),
    "no drop now": (("command",), "", _always("Nobody asks about the drop now.", rule("12.9d"))),
    "no drop this turn": (
        ("command",),
        "",
        _always("Nobody asks about the drop now.", rule("12.9d")),
    ),
}
"""By verb: the phases in which it can come, what it names (unit, hex), and why it may not."""
EITHER_SIDE = frozenset(
    ("shell", "bomb", "fire at", "recover", "retreat to", "drop", "ready the drop")
)
"""Verbs that may name units of the side that does not act."""
