"""D3: supporting fire: naval guns, tactical air support, and interdiction."""

from __future__ import annotations

from apennine.hexes import Mask, bits, mask_of
from apennine.kernel.decision import Event, Option, Procedure, Roll
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, VALUE, Bars, Order, Plain
from apennine.mechanics.asking import while_possible

from ..table.position import ALLIED, GERMAN, NOBODY, Table
from ..table.war import War
from .b4e_zones import attackers_in, there
from .d2_air import allied_sky
from .e13_support import sorties_of_turn
from .e15_invasions import latest

NAVAL, AIR, LUFTWAFFE = 0, 1, 2
"""The kinds of factors, as in `Table.fire`."""
KINDS = ("naval guns", "Allied aircraft", "German aircraft")
FIRING = "Supporting fire is for battles of one's own turn"
GUARDING = "Factors are kept for defence at the end of one's own turn"
INTERDICTING = "The Allies interdict at the end of their turn"


def load_guns(war: War, pos: Table) -> None:
    """D3A8, D3B1, D3C: the factors of a player-turn; what was kept from the last one is lost."""
    mine = war.army[pos.side]
    pos.guarded &= ~mine
    pos.naval_guarded &= ~mine
    pos.supported = 0
    pos.backed = NOBODY
    if pos.side == ALLIED:
        pos.slowed = pos.tied = pos.watched = pos.tried = pos.tried_hexes = 0  # D3D3
    if not pos.supporting_fire:
        return
    support, mud = war.book.support, war.in_mud(pos)
    if pos.side == ALLIED:
        pos.fire[NAVAL] = support.naval
        pos.fire[AIR] = 0 if mud else support.air  # D3C8
    else:
        pos.fire[LUFTWAFFE] = 0 if mud else _sorties(war, pos)


def _sorties(war: War, pos: Table) -> int:
    """D3C6, D3C7: more German factors in the turn of an invasion."""
    support = war.book.support
    if war.is_advanced(pos):
        return sorties_of_turn(war, pos)
    if not pos.invasions or pos.invaded != pos.turn:
        return support.german
    first = latest(war, pos).key == "first"
    return support.german_first if first else support.german_second


def kinds_of(side: int) -> tuple[int, ...]:
    """The kinds of factors of a side."""
    return (NAVAL, AIR) if side == ALLIED else (LUFTWAFFE,)


def left(pos: Table, side: int) -> int:
    """The factors that a side has left."""
    return sum([pos.fire[kind] for kind in kinds_of(side)])


# In attack.


def backed_by(war: War, pos: Table, unit: int) -> Mask:
    """The kinds of factors that may support a unit in the attack under way, as bits."""
    if war.side_of[unit] == GERMAN:
        return mask_of(kind for kind in (LUFTWAFFE,) if pos.fire[kind])
    found = 0
    if pos.fire[NAVAL] and pos.targets & war.ground.coast:  # D3B2
        found |= 1 << NAVAL
    if pos.fire[AIR] and allied_sky(war, pos) >> pos.hex[unit] & 1:  # D3C3
        found |= 1 << AIR
    return found


class Support(Order[War, Table]):
    """D3A3: a factor is added to the attack under way, for one of its units."""

    verb, names, number = "support", (UNIT, VALUE), "using {}"
    ranges = ((VALUE, range(3)),)
    when, rule, needs = FIRING, "D3A3", "supporting_fire"

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.supporting_fire, "Supporting fire is not used in this match", "D1"
        yield pos.backed == NOBODY, "A factor supports this attack already", "D3A9"
        yield pos.attackers, "{unit} takes no part in this attack", "D3A3"
        yield attackers_in(war, pos, pos.attackers), "{unit} has no attack factor", "D3A9a"
        yield ~pos.supported, "{unit} has been supported in this turn", "D3A6"
        yield left(pos, pos.side) > 0, "No factor is left", "D3A8"
        able = mask_of(unit for unit in bits(pos.attackers) if backed_by(war, pos, unit))
        yield able, "No factor that is left can support {unit}", "D3C3"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield backed_by(war, pos, first), "That cannot support {unit} here", "D3B2"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.fire[option.value] -= 1
        pos.backed = option.unit
        pos.supported |= 1 << option.unit
        yield Event("supporting fire", option.unit, pos.hex[option.unit], rule="D3A3")


SUPPORT = Support()


def attack_bonus(pos: Table, attackers: Mask) -> int:
    """D3A3, D3A11: what supporting fire adds to an attack, whatever the terrain does."""
    return int(pos.backed != NOBODY and attackers >> pos.backed & 1)


# In defence.


def guards_in(war: War, pos: Table, targets: Mask) -> Mask:
    """D3A5: the defenders of some hexes whom a factor helps now; a naval one on coasts (D3B3)."""
    if not pos.guarded:
        return 0
    present = there(war, pos, 1 - pos.side)
    inland = present.among(targets & ~war.ground.coast)
    return pos.guarded & present.among(targets) & ~pos.soft & ~(pos.naval_guarded & inland)


def defence_bonus(war: War, pos: Table, targets: Mask) -> int:
    """D3A9: at most one factor helps in a battle."""
    return min(guards_in(war, pos, targets).bit_count(), war.book.support.battle)


def fire_ends(war: War, pos: Table, targets: Mask) -> None:
    """D3A5c: with the first battle of who was guarded his factor is used; the attack's too."""
    attacked = there(war, pos, 1 - pos.side).among(targets)
    pos.guarded &= ~attacked
    pos.naval_guarded &= ~attacked
    pos.backed = NOBODY


def guarded_by(war: War, pos: Table, unit: int) -> Mask:
    """The kinds of factors that may be kept for a unit, as bits."""
    side, here = war.side_of[unit], pos.hex[unit]
    sky = allied_sky(war, pos) if side == ALLIED else -1
    if pos.weather:  # E13C4: nobody knows the weather of the next turn
        good = side == GERMAN or not war.in_mud(pos)
    else:
        good = not war.is_mud(served(war, pos))
    found = 0
    for kind in kinds_of(side):
        fits = war.ground.coast >> here & 1 if kind == NAVAL else good and sky >> here & 1
        if fits and pos.fire[kind]:
            found |= 1 << kind
    return found


def served(war: War, pos: Table) -> int:
    """The turn in which factors kept now would defend: of the Germans the next (D3C8)."""
    last = war.book.scenarios[pos.scenario].last
    return min(pos.turn + 1, last) if pos.side == GERMAN and pos.phase == "end" else pos.turn


class Guard(Order[War, Table]):
    """D3A5a: a factor is kept for a unit's defence in the enemy's turn, for all to know."""

    verb, names, number = "guard", (UNIT, VALUE), "using {}"
    ranges = ((VALUE, range(3)),)
    when, rule, needs, opens = GUARDING, "D3A5a", "supporting_fire", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.supporting_fire, "Supporting fire is not used in this match", "D1"
        yield left(pos, pos.side) > 0, "No factor is left", "D3A8"
        present = there(war, pos, pos.side)
        yield present.units, "{unit} is not on the map, or not yours", "D3A5a"
        yield ~pos.soft, "{unit} has no defence factor", "D3A9a"
        yield ~pos.guarded, "A factor is kept for {unit} already", "D3A9"
        able = present.units & ~pos.soft
        fits = mask_of(unit for unit in bits(able) if guarded_by(war, pos, unit))
        yield fits, "No factor that is left can guard {unit}", "D3B3"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield guarded_by(war, pos, first), "That cannot guard {unit} there", "D3B3"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.fire[option.value] -= 1
        pos.guarded |= 1 << option.unit
        if option.value == NAVAL:
            pos.naval_guarded |= 1 << option.unit


GUARD = Guard()
READY = Plain("begin the game", "The set-up ends before the first turn", "C16C")


def first_guard(war: War, pos: Table) -> Procedure:
    """D3C5: the Germans may keep a factor before the first invasion."""
    must = any(invasion.must for invasion in war.book.scenarios[pos.scenario].invasions)
    if pos.supporting_fire and must and pos.side == GERMAN:
        pos.fire[LUFTWAFFE] = war.book.support.german_start
        prompt = "Keep a factor for the defence of a unit"
        yield from while_possible(READY, war, pos, prompt, rule("D3C5"), GUARD)
        pos.fire[LUFTWAFFE] = 0


# Interdiction.


def price(war: War, unit: int) -> int:
    """D3D1b: the factors that it takes to interdict a unit."""
    return max(war.stacking[unit], 1)


def aim(war: War, pos: Table, hex: int) -> int:
    """D3D6: the factors that can be used against a hex: naval ones only on the shore."""
    naval = pos.fire[NAVAL] if (war.ground.coast | war.ground.ports) >> hex & 1 else 0
    return pos.fire[AIR] + naval


def spend(war: War, pos: Table, hex: int, factors: int) -> None:
    """Factors are used against a hex, naval ones first."""
    naval = min(pos.fire[NAVAL], factors) if (war.ground.coast | war.ground.ports) >> hex & 1 else 0
    pos.fire[NAVAL] -= naval
    pos.fire[AIR] -= factors - naval


class Interdict(Order[War, Table]):
    """D3D1: the Allies try to hamper a German unit in its next turn."""

    verb, names = "interdict", (UNIT,)
    when, rule, needs, opens = INTERDICTING, "D3D1", "supporting_fire", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.supporting_fire, "Supporting fire is not used in this match", "D1"
        present = there(war, pos, GERMAN)
        yield present.units, "{unit} is no German unit on the map", "D3D1"
        yield ~pos.tried, "{unit} has been tried in this turn", "D3D4"
        near = [u for u in bits(present.units) if aim(war, pos, pos.hex[u]) >= price(war, u)]
        yield mask_of(near), "Too few factors are left to interdict {unit}", "D3D1b"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        unit = option.unit
        spend(war, pos, pos.hex[unit], price(war, unit))
        pos.tried |= 1 << unit
        purpose = f"Interdiction of {war.names[unit]}"
        (die,) = yield Roll((6,), purpose, "D3D1c", "result")
        result = war.book.unit_interdiction.cell(die, 0)
        if result != "none":
            pos.tied |= 1 << unit
            if result == "half":
                pos.slowed |= 1 << unit
            yield Event("is interdicted", unit, pos.hex[unit], rule="D3D1c")


class InterdictHex(Order[War, Table]):
    """D3D2: the Allies try to close a hex to Strategic Movement, for a factor (D3D7)."""

    verb, names = "interdict hex", (HEX,)
    when, rule, needs, opens = INTERDICTING, "D3D2", "supporting_fire", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.supporting_fire, "Supporting fire is not used in this match", "D1"
        yield left(pos, ALLIED) > 0, "No factor is left", "D3D7"
        ground = war.ground
        yield ground.land, "{hex} is not playable", "D3D2"
        shore = ground.coast | ground.ports
        yield -1 if pos.fire[AIR] else shore, "Naval guns do not reach {hex}", "D3D6"
        yield ~pos.tried_hexes, "{hex} has been tried in this turn", "D3D4"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        hex = option.hex
        spend(war, pos, hex, 1)
        pos.tried_hexes |= 1 << hex
        purpose = f"Interdiction of {war.board.code(hex)}"
        (die,) = yield Roll((6,), purpose, "D3D2", "result")
        if war.book.hex_interdiction.cell(die, 0) != "none":
            pos.watched |= 1 << hex
            yield Event("hex interdicted", hex=hex, rule="D3D2")


INTERDICT, INTERDICT_HEX = Interdict(), InterdictHex()
