"""D8: mountain units."""

from fractions import Fraction

from apennine.games.anzio.rules.b4c_march import reach
from apennine.games.anzio.rules.b4d_stacking import limit
from apennine.games.anzio.rules.b4h_odds import weigh
from apennine.games.anzio.rules.c5_invasion import landing_reach
from apennine.games.anzio.table.position import ALLIED
from apennine.games.anzio.table.war import GOOD, SCALE
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, at, march, mask, number, price, table, units

G, LATTICE = WAR.ground, WAR.lattice


def ridges() -> tuple[str, str, str]:
    """Three hexes in a row with sides all of High Apennine between them and no way around."""
    for hex in bits(G.stands & ~G.rivers.hexes):
        for first in bits(_behind(hex)):
            for second in bits(_behind(first) & ~(1 << hex)):
                a, b, c = map(LATTICE.code, (hex, first, second))
                if LATTICE.distance(hex, second) == 2 and not _easy(a, b) and not _easy(a, c):
                    return a, b, c
    raise LookupError("The map has no such hexes.")


def _easy(here: str, there: str) -> bool:
    """Whether another way than over a ridge leads from one hex to another for eight points."""
    node = WAR.node[at(here), 0]
    ways = reach(WAR, [(node, 0)], 8 * SCALE, GOOD, True, 0, 0, 0)
    return bool(ways.ends >> at(there) & 1)


def _behind(hex: int) -> int:
    found = 0
    for d in range(6):
        if G.roadless_high[d] >> hex & 1:
            found |= 1 << LATTICE.neighbour(hex, d) & G.stands & ~G.rivers.hexes
    return found


@rule("anzio", "D8A2")
def test_the_special_service_force_stacks_with_both_its_nations_and_invades():
    pos = table("", nationalities=True)
    most, mixed = WAR.book.limits.stack, WAR.book.limits.mixed
    for names, found in (
        ("1SSF, 45 US", most),
        ("1SSF, 1 Cdn", most),
        ("45 US, 1 Cdn", mixed),
        ("1SSF, 45 US, 1 Cdn", mixed),
        ("1SSF, 5 Br", mixed),
    ):
        assert limit(WAR, pos, ALLIED, units(names)) == found
    assert WAR.invaders >> number("1SSF") & 1
    assert not WAR.invaders >> number("1 Cdn") & 1
    basic = {"2 Mor", "3 Alg", "1SSF"}
    assert all(WAR.mountaineers >> number(name) & 1 for name in basic)


@rule("anzio", "D8B3")
def test_they_pay_half_their_points_for_a_ridge_and_half_of_the_half_if_interdicted():
    a, b, c = ridges()
    # 8 points: a ridge costs 4, and half of the points are left for more.
    assert price(f"2 Mor @ {a}", "2 Mor", b, mountain=True) == 4
    assert 4 < price(f"2 Mor @ {a}", "2 Mor", c, mountain=True) <= 8
    assert price(f"2 Mor @ {a}", "2 Mor", c) == -1
    slowed = march(f"5 Mtn @ {a} slowed", "5 Mtn", side=1, mountain=True).near
    assert slowed.cost(at(b)) == 2 * SCALE


@rule("anzio", "D8B7")
def test_their_prices_hold_as_they_land():
    for zone in [place for place, each in enumerate(G.bases) if not each.is_port]:
        pos = table("1SSF, 231 Br @ Sicilia", zone=zone, mountain=True)
        light = landing_reach(WAR, pos, number("1SSF")).ends
        heavy = landing_reach(WAR, pos, number("231 Br")).ends
        assert heavy & ~light == 0
        if light & ~heavy:
            pos.mountain = False
            assert landing_reach(WAR, pos, number("1SSF")).ends == heavy
            return
    raise LookupError("No zone of the map has a ridge or rough ground near its beaches.")


@rule("anzio", "D8C2", "D8C1")
def test_defenders_keep_every_other_advantage_against_them():
    for hex in bits(G.mountains & ~G.rivers.hexes):
        for near in bits(_behind(hex)):
            a, b = LATTICE.code(near), LATTICE.code(hex)
            pos = table(f"2 Mor @ {a}; 29 PzG @ {b}", "combat", mountain=True)
            found = weigh(WAR, pos, units("2 Mor"), mask(b))
            assert (found.attack, found.defence, found.doubled) == (3, 12, True)
            pos.mountain = False
            assert weigh(WAR, pos, units("2 Mor"), mask(b)).attack == Fraction(3, 2)
            return
    raise LookupError("The map has no such hexes.")
