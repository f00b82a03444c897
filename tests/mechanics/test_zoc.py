"""Zones of control: which hexes a unit dominates, for whom, and who controls what."""

from hypothesis import given, settings
from hypothesis import strategies as st

from apennine.hexes import Lattice, Mask, Numbering, Sides, bits, mask_of, opposite
from apennine.mechanics.zoc import controlled, exerters, negated, uncontested, zone

WINDING = ("0101", "0102", "0103", "0203", "0304", "0303", "0302", "0301", "0401", "0501", "0502")
MAPS = [
    Lattice(Numbering("columns", columns=(1, 7), rows=(1, 7))),
    Lattice(Numbering("rows", columns=(1, 6), rows=(1, 5), shifted="even", rows_grow="up")),
    Lattice(Numbering("columns", columns=(1, 5), rows=(1, 5)), WINDING),
]
MAP = MAPS[0]


def at(*codes: str) -> Mask:
    return mask_of(MAP.parse(code) for code in codes)


def side(a: str, b: str) -> Sides:
    return MAP.sides([MAP.edge_between(MAP.parse(a), MAP.parse(b))])


@st.composite
def situations(draw: st.DrawFn) -> tuple[Lattice, frozenset[int], Sides]:
    lattice = draw(st.sampled_from(MAPS))
    units = draw(st.frozensets(st.sampled_from(list(lattice)), max_size=6))
    edges = [lattice.edge(hex, d) for hex in lattice for d in range(6)]
    return lattice, units, lattice.sides(draw(st.lists(st.sampled_from(edges), max_size=20)))


@settings(max_examples=50, deadline=None)
@given(situations())
def test_a_zone_is_the_neighbours_that_no_blocked_side_parts_from_a_unit(
    situation: tuple[Lattice, frozenset[int], Sides],
):
    lattice, units, blocked = situation
    assert set(bits(zone(lattice, mask_of(units), blocked))) == {
        lattice.neighbour(unit, d)
        for unit in units
        for d in range(6)
        if lattice.neighbour(unit, d) >= 0 and not blocked[d] >> unit & 1
    }
    assert zone(lattice, mask_of(units)) == mask_of(
        hex for unit in units for hex in lattice.neighbours(unit)
    )


@settings(max_examples=50, deadline=None)
@given(situations())
def test_a_hex_is_in_a_zone_exactly_if_somebody_exerts_it_there(
    situation: tuple[Lattice, frozenset[int], Sides],
):
    lattice, units, blocked = situation
    dominated = zone(lattice, mask_of(units), blocked)
    for hex in lattice:
        there = exerters(lattice, hex, mask_of(units), blocked)
        assert bool(there) == bool(dominated >> hex & 1)
        for unit in bits(there):
            assert unit in units
            assert not blocked[opposite(lattice.direction(unit, hex))] >> hex & 1


def test_of_two_units_side_by_side_each_stands_in_the_zone_of_the_other():
    assert zone(MAP, at("0404", "0405")) & at("0404", "0405") == at("0404", "0405")
    assert not zone(MAP, at("0404")) & at("0404")


def test_units_whose_zones_stop_at_different_sides_have_their_zones_joined():
    ridge = side("0404", "0403")
    foot, wheels = at("0202"), at("0404")
    both = zone(MAP, foot) | zone(MAP, wheels, ridge)
    assert not both & at("0403")
    assert zone(MAP, foot | wheels) & at("0403")


def test_friends_cancel_a_zone_for_one_purpose_and_not_for_another():
    enemy, friend, fleeing = at("0404"), at("0403"), at("0405")
    for_movement = zone(MAP, enemy)
    for_supply = negated(for_movement, by=friend | fleeing)
    for_retreat = negated(for_movement, by=friend)
    assert for_movement & at("0403", "0405") == at("0403", "0405")
    assert for_supply & at("0403", "0405") == 0
    assert for_retreat & at("0403", "0405") == at("0405")


def test_a_zone_gives_control_only_where_the_other_side_has_neither_zone_nor_unit():
    ours, theirs = at("0404"), at("0402")
    guns_without_zone = at("0405")
    held = uncontested(zone(MAP, ours), zone(MAP, theirs), theirs | guns_without_zone)
    assert held == zone(MAP, ours) & ~at("0403", "0405")


def test_a_contested_hex_stays_with_its_last_owner_until_one_side_is_gone():
    ours, theirs = at("0404"), at("0402")
    between = at("0403")

    def control(before: Mask, ours: Mask, theirs: Mask) -> Mask:
        gained = ours | uncontested(zone(MAP, ours), zone(MAP, theirs), theirs)
        lost = theirs | uncontested(zone(MAP, theirs), zone(MAP, ours), ours)
        return controlled(before, gained, lost)

    assert control(0, ours, theirs) & between == 0
    assert control(between, ours, theirs) & between == between
    assert control(0, ours, 0) & between == between
    assert control(between, 0, theirs) & between == 0
