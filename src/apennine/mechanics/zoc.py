"""Zones of control: the hexes that units dominate without standing in them.

A zone is a mask, so the rules of a game combine zones with the signs of set arithmetic. Units
whose zones stop at different sides get a zone each, and the zones are joined: ``zone(map, foot) |
zone(map, tanks, mountains)``. Units without a zone are left out of `exerting`. Whether friendly
units cancel an enemy zone in their own hex depends on the purpose: many games say yes for supply
and retreat, and no for movement, so each purpose has its own mask, made by `negated`.

>>> from apennine.hexes import HexSet, Lattice, Numbering
>>> map = Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)))
>>> enemy, friend = 1 << map.parse("0303"), 1 << map.parse("0302")
>>> stops = zone(map, enemy)
>>> cuts_supply = negated(stops, by=friend)
>>> print(HexSet(map, stops))
0203 0204 0302 0304 0403 0404
>>> print(HexSet(map, cuts_supply))
0203 0204 0304 0403 0404
"""

from __future__ import annotations

from apennine.hexes import NO_SIDES, Hex, Lattice, Mask, Sides


def zone(lattice: Lattice, exerting: Mask, blocked: Sides = NO_SIDES) -> Mask:
    """The hexes next to an exerting hex, except across blocked sides.

    Occupied hexes count too: of two exerting units side by side, each stands in the other's zone.
    """
    if blocked is NO_SIDES:
        return lattice.cross(exerting, lattice.all_sides)
    a, b, c, d, e, f = blocked
    return lattice.cross(exerting, (~a, ~b, ~c, ~d, ~e, ~f))


def negated(zone: Mask, by: Mask) -> Mask:
    """A zone as it is felt where the units in `by` cancel it in their own hexes.

    For a retreat, `by` usually leaves out the units that are retreating themselves.
    """
    return zone & ~by


def exerters(lattice: Lattice, hex: Hex, exerting: Mask, blocked: Sides = NO_SIDES) -> Mask:
    """Which of the exerting hexes have this hex in their zone."""
    return zone(lattice, 1 << hex, blocked) & exerting


def uncontested(zone: Mask, opposing_zone: Mask, opposing_units: Mask = 0) -> Mask:
    """The part of a side's zone where the other side has neither zone nor units."""
    return zone & ~opposing_zone & ~opposing_units


def controlled(before: Mask, gained: Mask, lost: Mask) -> Mask:
    """What a side controls now; a hex that nobody has gained since keeps its last owner.

    `gained` and `lost` are the hexes that either side holds at this moment, by units or by an
    uncontested zone.

    >>> bin(controlled(before=0b0110, gained=0b1000, lost=0b0010))
    '0b1100'
    """
    return before & ~lost | gained
