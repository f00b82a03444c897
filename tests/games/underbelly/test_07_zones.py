"""Chapter 7: zones of control, and control of hexes."""

from __future__ import annotations

from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GERMAN,
    NO_PORTS,
    at,
    attack,
    begin,
    do,
    hexes,
    is_supplied,
    markers,
    mask,
    order,
    pass_on,
    reach,
    refused,
    seen,
    shoot_out,
    verbs,
    where,
    zone,
)

MISS = 10
AROUND_3309 = {"3308", "3409", "3410", "3310", "3210", "3209"}

# 7.1 to 7.4: who has a zone, and where


@rule("underbelly", "7.1")
def test_a_division_has_a_zone_in_the_six_hexes_around_it():
    match = begin("US 36 @ 3309; 16 Pz @ 2310")
    assert zone(match, ALLIED) == AROUND_3309
    assert zone(match, GERMAN) == {"2309", "2410", "2411", "2311", "2211", "2210"}


@rule("underbelly", "7.1")
def test_a_zone_stops_movement_retreat_and_supply():
    walker = begin("1 Abn @ 3409; 16 Pz @ 3507; XIV Pz @ 3308", ports=NO_PORTS, switched=True)
    assert "3307" not in reach(walker, "3409")  # beyond 3408, which is in the zone
    order(walker, "move", "3409")
    do(walker, "go", hex="3408")
    assert walker.position.movers == 0
    starving = begin("46 Inf @ 2822; 5 Inf @ 2723; 16 Pz @ 2722")
    assert not is_supplied(starving, "5 Inf")
    assert is_supplied(begin("46 Inf @ 2822; 5 Inf @ 2723; XIV Pz @ 2722"), "5 Inf")
    ring = "US 36, US 45 @ 3309; US 3 @ 3407; US 34 @ 3510; 46 Inf @ 3310; 56 Inf @ 3608"
    trapped = begin(f"{ring}; 16 Pz, HG @ 3409")
    attack(trapped, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(trapped)
    assert "retreat" not in verbs(trapped)


@rule("underbelly", "7.2a")
def test_ports_forts_and_corps_support_have_no_zone():
    match = begin("US VI @ 3309; XIV Pz @ 2310", forts=mask("2211"), airlift=at("3710"))
    assert markers(match, "PORT")
    assert (zone(match, ALLIED), zone(match, GERMAN)) == (set(), set())
    # So they stop nobody: a German passes beside Taranto, the 1st Airborne beside guns and a fort.
    passing = begin("16 Pz @ 4106; US 36 @ 2522", GERMAN)
    assert {"4107", "4108"} <= reach(passing, "4106")
    order(passing, "move", "4106")
    do(passing, "go", hex="4107")
    assert passing.position.movers
    for fort in ("", "3507"):
        guns = "LXXVI Pz @ 3507; XIV Pz @ 3308"
        allied = begin(f"1 Abn @ 3409; {guns}", ports=NO_PORTS, switched=True, forts=mask(fort))
        assert "3307" in reach(allied, "3409")


@rule("underbelly", "7.2b")
def test_they_do_not_weaken_the_zone_of_a_division_beside_them():
    match = begin("US 36, US VI @ 3309; 46 Inf, X Corps @ 2822", airlift=at("3309"))
    assert zone(match, ALLIED) >= AROUND_3309
    assert {"2821", "2722", "2721", "2823"} <= zone(match, ALLIED)
    german = begin("16 Pz, XIV Pz @ 3309", GERMAN, forts=mask("3309"))
    assert zone(german, GERMAN) == AROUND_3309
    # Both ways out of 2723 lead beside the port of Salerno, and the division there stops them.
    halted = begin("46 Inf, X Corps @ 2822; 1 Para @ 2723", GERMAN)
    assert reach(halted, "2723") == {"2722", "2823"}


@rule("underbelly", "7.3a")
def test_no_zone_crosses_the_lake_between_5019_and_4918():
    """The book's example; nor does one reach out to sea."""
    match = begin("US 36 @ 5019; 16 Pz @ 4918")
    assert "4918" not in zone(match, ALLIED)
    assert "5019" not in zone(match, GERMAN)
    assert zone(match, ALLIED) == {"5018", "5118", "5119", "5020", "4919"}
    coast = begin("46 Inf @ 2822")
    assert zone(coast, ALLIED) == {"2821", "2921", "2823", "2722", "2721"}


@rule("underbelly", "7.3b")
def test_rivers_and_blocked_hexsides_do_not_limit_a_zone():
    match = begin("US 36 @ 2818; 16 Pz @ 2211")
    assert {"2817", "2918"} <= zone(match, ALLIED)  # blocked
    assert {"2917", "2718", "2717"} <= zone(match, ALLIED)  # rivers
    assert len(zone(match, GERMAN)) == 6


@rule("underbelly", "7.3c")
def test_want_of_supply_does_not_weaken_a_zone():
    cut = begin("US 36 @ 3309", ports=NO_PORTS, switched=True)
    assert "out of supply" in seen(cut, ALLIED, "US 36")["status"]
    assert zone(cut, ALLIED) == AROUND_3309
    aerial = begin("US 36 @ 3309; US VI @ 3710", ports=NO_PORTS, switched=True, airlift=at("3309"))
    assert "supplied from the air" in seen(aerial, ALLIED, "US 36")["status"]
    assert zone(aerial, ALLIED) == AROUND_3309
    coastal = begin("US 36 @ 3207", ports=NO_PORTS, switched=True)
    assert "coastal supply" in seen(coastal, ALLIED, "US 36")["status"]
    assert zone(coastal, ALLIED) == {"3306", "3307", "3208", "3107"}
    german = begin("16 Pz @ 2310; US 36 @ 2409; US 45 @ 2412; US 3 @ 2110", GERMAN)
    assert "out of supply" in seen(german, GERMAN, "16 Pz")["status"]
    assert len(zone(german, GERMAN)) == 6
    # And it stops those who come into it, here in 3408 on the way to 3307.
    guns = "US VI @ 3308; X Corps @ 3309"
    for enemy, stops in (("78 Inf", True), ("V Corps", False)):
        walker = begin(
            f"94 Inf @ 3409; {enemy} @ 3507; {guns}", GERMAN, ports=NO_PORTS, switched=True
        )
        assert "out of supply" in seen(walker, ALLIED, enemy)["status"]
        assert ("3307" not in reach(walker, "3409")) is stops


@rule("underbelly", "7.3d")
def test_many_zones_are_as_one_and_both_sides_may_overlap():
    one = begin("US 36 @ 3309; 16 Pz @ 3409")
    many = begin("US 36, US 45, US 3 @ 3309; US 34 @ 3310; 16 Pz @ 3409")
    assert zone(one, ALLIED) & zone(one, GERMAN) == {"3308", "3410"}
    # A German who comes next to one division or to four has to halt in the same way.
    for match in (one, many):
        german = match.fork()
        pass_on(german, until="command", side=GERMAN)
        assert "3508" in reach(german, "3409")
    alone = begin("US 36 @ 2723; 16 Pz @ 2721")
    there = begin("US 36 @ 2723; 16 Pz, HG, 15 PG @ 2721")
    assert reach(alone, "2723") == reach(there, "2723")


@rule("underbelly", "7.3d")
def test_a_zone_is_not_weakened_by_one_of_the_other_side():
    """3408 is in the zones of both sides, and stops the 1st Airborne on its way to 3307."""
    counters = "1 Abn @ 3409; US 36 @ 3406; 16 Pz @ 3507; XIV Pz @ 3308"
    match = begin(counters, ports=NO_PORTS, switched=True)
    assert "3408" in zone(match, ALLIED) & zone(match, GERMAN)
    assert "3408" in reach(match, "3409")
    assert "3307" not in reach(match, "3409")
    # Nor is 2823 open for supply because an Allied zone is there as well.
    cut = begin("46 Inf @ 2822; 5 Inf @ 2723; 16 Pz @ 2722")
    assert "2823" in zone(cut, ALLIED) & zone(cut, GERMAN)
    assert not is_supplied(cut, "5 Inf")


@rule("underbelly", "7.4")
def test_a_friendly_unit_opens_a_zone_for_supply():
    cut = begin("46 Inf @ 2822; 5 Inf @ 2723; 16 Pz @ 2722")
    assert not is_supplied(cut, "5 Inf")
    for friend in ("56 Inf", "X Corps"):  # any ground unit will do
        match = begin(f"46 Inf @ 2822; {friend} @ 2823; 5 Inf @ 2723; 16 Pz @ 2722")
        assert is_supplied(match, "5 Inf")


# 7.5, 7.6: zones and movement, retreat, advance


@rule("underbelly", "7.5a")
def test_a_move_ends_in_the_first_enemy_zone():
    """From 2723 there are two ways on, and both come into the zone of the 16th Panzer."""
    match = begin("FX Mtn @ 2723; 16 Pz @ 2721")
    assert reach(match, "2723") == {"2722", "2823", "2822"}
    order(match, "move", "2723")
    do(match, "go", hex="2823")
    assert match.position.movers  # no zone yet: it can go on
    do(match, "go", hex="2822")
    assert (match.position.movers, where(match, "FX Mtn")) == (0, "2822")
    # With two points the 1st Airborne could pass 3408, if nobody had a zone there.
    for enemy, stops in (("16 Pz", True), ("LXXVI Pz", False)):
        counters = f"1 Abn @ 3409; {enemy} @ 3507; XIV Pz @ 3308"
        passing = begin(counters, ports=NO_PORTS, switched=True)
        assert "3408" in reach(passing, "3409")
        assert ("3307" not in reach(passing, "3409")) is stops
    free = begin("FX Mtn @ 2723; XIV Pz @ 2721")
    assert {"2621", "2921"} <= reach(free, "2723")
    # The same for a German on foot between Allied guns.
    for enemy, stops in (("78 Inf", True), ("V Corps", False)):
        german = begin(f"94 Inf @ 3409; {enemy} @ 3507; US VI @ 3308; X Corps @ 3309", GERMAN)
        assert "3408" in reach(german, "3409")
        assert ("3307" not in reach(german, "3409")) is stops


@rule("underbelly", "7.5a")
def test_germans_who_enter_the_map_or_land_in_a_zone_stop_there():
    match = begin("16 Pz @ tenth; US 36 @ 1117", GERMAN)
    order(match, "move", "tenth")
    do(match, "enter", hex="1017")
    assert match.position.movers == 0
    farther = begin("16 Pz @ tenth; US 36 @ 1120", GERMAN)
    order(farther, "move", "tenth")
    do(farther, "enter", hex="1017")
    assert hexes(farther, "go")


@rule("underbelly", "7.5b")
def test_who_begins_in_a_zone_leaves_only_to_a_hex_without_one():
    """2722, 2622 and 2822 are in the zone of 2721; artillery without one bars 2823."""
    match = begin("FX Mtn @ 2722; 16 Pz @ 2721; XIV Pz @ 2823")
    assert reach(match, "2722") == {"2723"}
    way_round = begin("FX Mtn @ 2722; 16 Pz @ 2721")
    assert reach(way_round, "2722") == {"2723", "2823", "2822"}  # and stops in the next zone
    order(way_round, "move", "2722")
    do(way_round, "go", hex="2822")
    assert way_round.position.movers == 0


@rule("underbelly", "7.5c")
def test_friends_do_not_open_a_zone_for_movement():
    match = begin("FX Mtn @ 2722; 46 Inf @ 2822; 56 Inf @ 2622; 16 Pz @ 2721; XIV Pz @ 2823")
    assert reach(match, "2722") == {"2723"}
    order(match, "move", "2722")
    assert refused(match, "go", hex="2822")
    passing = begin("FX Mtn @ 2823; 46 Inf @ 2822; 16 Pz @ 2721; XIV Pz @ 2722")
    order(passing, "move", "2823")
    do(passing, "go", hex="2822")
    assert passing.position.movers == 0  # it stops with its friend


@rule("underbelly", "7.6a")
def test_a_retreat_into_an_enemy_zone_needs_a_friend_there():
    """The 16th leaves the zone of its attackers freely; all around are Allied zones."""
    ring = "US 36, US 45 @ 3309; US 3 @ 3407; US 34 @ 3510; 46 Inf @ 3310; 56 Inf @ 3608"
    for friend, ways in (("", set()), ("; 29 PG @ 3509", {"3509"}), ("; XIV Pz @ 3509", {"3509"})):
        match = begin(f"{ring}; 16 Pz, HG @ 3409{friend}")
        attack(match, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
        shoot_out(match, "HG")
        assert ("retreat" in verbs(match)) is bool(ways)
        if ways:
            do(match, "retreat")
            assert where(match, "16 Pz") in ways
    open_field = begin("US 36, US 45 @ 3309; 16 Pz, HG @ 3409")
    attack(open_field, "3309", "3409", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(open_field, "HG")
    do(open_field, "retreat")
    assert hexes(open_field, "retreat to") == {"3408", "3508", "3509"} - zone(open_field, ALLIED)


@rule("underbelly", "7.6b")
def test_zones_do_not_hinder_an_advance():
    match = begin("US 36, US 45 @ 3309; XIV Pz @ 3409; 16 Pz @ 3408; HG @ 3509")
    assert "3409" in zone(match, GERMAN)
    attack(match, "3309", "3409", dice=(MISS, 1, 1))
    while "advance" not in verbs(match):
        do(match, "fire on" if "fire on" in verbs(match) else "fire at")
    do(match, "advance", "US 36")
    assert where(match, "US 36") == "3409"


@rule("underbelly", "7.7a")
def test_zones_reach_neither_into_boxes_nor_off_the_map():
    waiting = begin("US 45 @ available; 16 Pz @ tenth; US 36 @ 1010", GERMAN)
    assert zone(waiting, GERMAN) == set()
    assert zone(waiting, ALLIED) == {"1109", "1110", "1011"}
    # An Allied division at the edge does not bind those in the box: they may even form a column.
    assert hexes(waiting, "column") == {"tenth"}
