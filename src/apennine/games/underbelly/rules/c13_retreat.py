"""Chapter 13: retreat (13.9) and advance (13.8) after combat."""

from __future__ import annotations

from apennine.hexes import Mask, bits, first_bit
from apennine.kernel.decision import Among, Choice, Event, Later, Menu, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.data import DIVISIONS, SUPPORTS
from ..table.position import AERIAL, FIGHT_MOVE, GERMAN, MOVE_FIGHT, Table
from ..table.war import War
from .c06_stacking import full_for, strangers
from .c07_zones import crowd, next_to, occupied, place, port_hexes, zone
from .c13_fire import standing

STAY = done("stay")


def exits(war: War, hex: int, units: Mask) -> Mask:
    """The hexes that units may step to after combat: over blocked sides only mountain units."""
    if units & ~war.mountaineers:  # 12.10d
        return war.lattice.cross(1 << hex, war.passable)
    return next_to(war, hex)  # 13.9/1


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
        barred |= port_hexes(war, pos)  # 7.7d: only a move or an advance takes one
        if pos.special_forces:
            barred |= 1 << war.special_forces  # 3.6e
    free = here & ~barred & ~friends & ~zone(war, pos, pos.side)
    if free:
        return free
    return here & friends & ~barred & ~strangers(war, pos, units)


def together(war: War, pos: Table, units: Mask) -> Mask:
    """The hexes that take the whole stack (13.9/3, 13.9/5)."""
    return refuges(war, pos, units) & ~full_for(war, pos, units)


def can_retreat(war: War, pos: Table, units: Mask) -> bool:
    """13.9/7, 13.9/12: whether every one of these units has a legal hex."""
    return bool(together(war, pos, units)) or splits(war, pos, units)


def splits(war: War, pos: Table, units: Mask) -> bool:
    """Whether the units, each for itself, can all be placed."""
    friends = crowd(war, pos, 1 - pos.side)
    room: dict[int, list[int]] = {}
    ways: list[tuple[int, Mask]] = []
    for unit in bits(units):
        mask = refuges(war, pos, 1 << unit)
        ways.append((int(war.supports >> unit & 1), mask))
        for hex in bits(mask):
            there = sum(level >> hex & 1 for level in friends.divisions[1:])
            room[hex] = [DIVISIONS - there, SUPPORTS - (friends.supports >> hex & 1)]
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
        lead = first_bit(movers)
        name = "the stack" if movers & movers - 1 else war.names[lead]
        chosen = yield Choice(
            side,
            Later(lambda m=movers: Over("retreat to", havens(war, pos, m))),
            f"Where does {name} retreat?",
            rule("13.9/5"),
        )
        pos.retreating &= ~movers
        yield from place(war, pos, movers, chosen.hex)


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


def advance(war: War, pos: Table) -> Procedure:
    """13.2/9: any of the surviving attackers may take the hex, one after the other."""
    while True:
        ready = advancers(war, pos)
        if not ready:
            return
        chosen = yield Choice(
            pos.side,
            Later(lambda ready=ready: Menu(Among("advance", ready, pos.target), STAY)),
            f"Who advances to {war.board.code(pos.target)}?",
            rule("13.8a"),
        )
        if chosen.verb == "stay":
            return
        pos.advanced |= 1 << chosen.unit
        yield Event("advances", chosen.unit, pos.target, rule=rule("13.8a"))
        yield from place(war, pos, 1 << chosen.unit, pos.target)


def advancers(war: War, pos: Table) -> list[int]:
    """The attackers who can still advance: corps support only after a division (13.8b).

    Not those who live by air supply (11.7f), nor over a blocked hexside but for mountain units.
    """
    if pos.supply == AERIAL:
        return []
    led = pos.advanced & ~war.supports
    waiting = pos.attackers & ~pos.advanced
    return [
        unit
        for unit in standing(pos, waiting if led else waiting & ~war.supports)
        if can_cross(war, pos, unit)
    ]


def can_cross(war: War, pos: Table, unit: int) -> bool:
    """Whether an attacker may step into the hex: no move-fight or fight-move crosses a ridge."""
    if pos.order in (MOVE_FIGHT, FIGHT_MOVE):  # 12.10b
        ways = war.lattice.cross(1 << pos.origin, war.passable)
    else:
        ways = exits(war, pos.origin, 1 << unit)
    return bool(ways >> pos.target & 1)
