"""Chapter 13: retreat (13.9) and advance (13.8) after combat."""

from __future__ import annotations

from dataclasses import dataclass

from apennine.hexes import Mask, bits, first_bit, mask_of
from apennine.kernel.decision import Event, Option
from apennine.kernel.game import Procedure
from apennine.kernel.order import HEX, UNIT, Bars, Order, Plain, ask
from apennine.mechanics.asking import while_possible

from ..table.data import DIVISIONS, SUPPORTS
from ..table.position import AERIAL, ASSAULTS, GERMAN, Table
from ..table.war import War
from .c06_stacking import full_for, strangers
from .c07_zones import occupied, place, port_hexes, there, zone
from .c13_fire import standing


def exits(war: War, hex: int, units: Mask) -> Mask:
    """The hexes that units may step to after combat: over blocked sides only mountain units."""
    if units & ~war.mountaineers:  # 12.10d
        return war.lattice.cross(1 << hex, war.passable)
    return war.around[hex]  # 13.9/1


def refuges(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes to which these defenders may retreat together, friends' places left out of room.

    No enemy and no enemy zone without a friend who cancels it (13.9/2), no organisation of others
    (6.6b); and as long as an empty hex is open to them, none with friends (13.9/4).
    """
    side = 1 - pos.side
    here = exits(war, pos.target, units)
    friends = occupied(war, pos, side) & ~(1 << pos.target)
    barred = occupied(war, pos, pos.side)
    if side == GERMAN:
        # 7.7d: only a move or an advance takes a port; 3.6e
        barred |= port_hexes(war, pos) | pos.special_forces << war.special_forces
    free = here & ~barred & ~friends & ~zone(war, pos, pos.side)
    if free:
        return free
    return here & friends & ~barred & ~strangers(war, pos, units)


@dataclass(slots=True)
class RetreatTo(Order[War, Table]):
    """13.9: those who retreat next go one hex, so that the others still find a place."""

    movers: Mask

    verb, names = "retreat to", (HEX,)
    when, rule = "Defenders retreat at the end of a battle, if they chose to", "13.2/8"

    def bars(self, war: War, pos: Table) -> Bars:
        yield havens(war, pos, self.movers), self.no_haven(war, pos)

    def no_haven(self, war: War, pos: Table) -> Bars:
        """Why they cannot go to a hex."""
        movers, side, target = self.movers, 1 - pos.side, pos.target
        beside = war.lattice.disc(target, 1) & ~(1 << target)
        yield beside, "A retreat goes one hex, and {hex} is not next to {target}", "13.9/6"
        yield war.around[target], "Water lies before {hex}, and nobody retreats over it", "13.9/1"
        blocked = "The hexside to {hex} is blocked: only mountain units retreat over it"
        yield exits(war, target, movers), blocked, "12.10d"
        yield ~occupied(war, pos, pos.side), "Enemies are in {hex}", "6.1a"
        if side == GERMAN:
            special = pos.special_forces << war.special_forces
            yield ~special, "The special forces keep Germans out of {hex}", "3.6e"
            port = "No German retreats into the Allied port in {hex}"
            yield ~port_hexes(war, pos), port, "13.9/2"
        friends = occupied(war, pos, side)
        controlled = "{hex} is in an enemy zone of control, and no friend is there"
        yield ~zone(war, pos, pos.side) | friends, controlled, "13.9/2"
        yield ~strangers(war, pos, movers), "Another German organisation is in {hex}", "6.6b"
        empty = not refuges(war, pos, movers) & friends
        yield not empty or ~friends, "{hex} is not empty, and there is a hex that is", "13.9/4"
        room = "There is no room in {hex} for those who retreat"
        yield ~full_for(war, pos, movers), room, "13.9/3"
        yield 0, "With {hex} taken not all of the others would find a place", "13.9/12"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.retreating &= ~self.movers
        yield from place(war, pos, self.movers, option.hex)


def together(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes that take the whole stack (13.9/3, 13.9/5)."""
    return refuges(war, pos, units) & ~full_for(war, pos, units)


def can_retreat(war: War, pos: Table, units: Mask) -> bool:
    """13.9/7, 13.9/12: whether every one of these units has a legal hex."""
    return bool(together(war, pos, units)) or splits(war, pos, units)


def splits(war: War, pos: Table, units: Mask) -> bool:
    """Whether the units, each for itself, can all be placed."""
    friends = there(war, pos, 1 - pos.side)
    room: dict[int, list[int]] = {}
    ways: list[tuple[int, Mask]] = []
    for unit in bits(units):
        mask = refuges(war, pos, 1 << unit)
        ways.append((int(war.supports >> unit & 1), mask))
        for hex in bits(mask):
            divisions = sum(level >> hex & 1 for level in friends.divisions[1:])
            room[hex] = [DIVISIONS - divisions, SUPPORTS - (friends.supports >> hex & 1)]
    return _placed(ways, room)


def _placed(ways: list[tuple[int, Mask]], room: dict[int, list[int]]) -> bool:
    if not ways:
        return True
    kind, mask = ways[0]
    for hex in bits(mask):
        if room[hex][kind] > 0:
            room[hex][kind] -= 1
            fits = _placed(ways[1:], room)
            room[hex][kind] += 1
            if fits:
                return True
    return False


def retreat(war: War, pos: Table) -> Procedure:
    """13.2/8: all survivors leave, together if one hex takes them all, else one by one."""
    side = 1 - pos.side
    while pos.retreating:
        whole = together(war, pos, pos.retreating)
        movers = pos.retreating if whole else pos.retreating & -pos.retreating
        name = "the stack" if movers & movers - 1 else war.names[first_bit(movers)]
        prompt = f"Where does {name} retreat?"
        yield from ask(war, pos, prompt, "13.9/5", RetreatTo(movers), side=side)


def havens(war: War, pos: Table, movers: Mask) -> Mask:
    """Where those who retreat next may go, so that the others still find a place."""
    mask = together(war, pos, movers)
    rest = pos.retreating & ~movers
    if not rest:
        return mask
    found = 0
    for hex in bits(mask):
        tried = pos.copy()
        tried.hex[first_bit(movers)] = hex
        if splits(war, tried, rest):
            found |= 1 << hex
    return found


class Advance(Order[War, Table]):
    """13.8: a surviving attacker takes the hex."""

    verb, names = "advance", (UNIT, HEX)
    implied = (HEX,)
    when, rule = "Attackers advance into a hex that their battle has cleared", "13.8a"

    def bars(self, war: War, pos: Table) -> Bars:
        yield advancers(war, pos), self.not_ready(war, pos)

    def not_ready(self, war: War, pos: Table) -> Bars:
        """Why a unit does not advance."""
        yield pos.attackers, "{unit} is not one of the attackers", "13.8a"
        yield ~pos.advanced, "{unit} has advanced already", "13.8a"
        yield mask_of(standing(pos, pos.attackers)), "{unit} has been eliminated", "13.8a"
        led = bool(pos.advanced & ~war.supports)
        yield led or ~war.supports, "{unit} advances only after a division", "13.8b"
        # No move-fight or fight-move asks for an advance over a blocked side (12.10b).
        yield 0, "Only mountain units advance over the blocked side of {target}", "12.10d"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        yield 1 << pos.target, "{unit} advances to {target}, if anywhere", "13.8a"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        pos.advanced |= 1 << option.unit
        yield Event("advances", option.unit, pos.target, rule="13.8a")
        yield from place(war, pos, 1 << option.unit, pos.target)


ADVANCE = Advance()
STAY = Plain("stay", "Attackers who do not advance stay where they are", "13.8a")


def advance(war: War, pos: Table) -> Procedure:
    """13.2/9: any of the surviving attackers may take the hex, one after the other."""
    prompt = f"Who advances to {war.board.code(pos.target)}?"
    yield from while_possible(STAY, war, pos, prompt, "13.8a", ADVANCE)


def advancers(war: War, pos: Table) -> Mask:
    """The attackers who can still advance: corps support only after a division (13.8b).

    Not those who live by air supply (11.7f), nor over a blocked hexside but for mountain units.
    """
    if pos.supply == AERIAL:
        return 0
    waiting = pos.attackers & ~pos.advanced
    if not pos.advanced & ~war.supports:
        waiting &= ~war.supports
    # 12.10b: no move-fight or fight-move crosses a ridge, not even by mountain units.
    climbs = 0 if pos.order in ASSAULTS else war.mountaineers
    open = war.lattice.cross(1 << pos.origin, war.passable) >> pos.target & 1
    return mask_of(standing(pos, waiting if open else waiting & climbs))
