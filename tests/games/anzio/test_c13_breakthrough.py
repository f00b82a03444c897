"""C13, D4 and D8: breakthrough after a battle."""

from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.c13_breakthrough import beyond
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.games.anzio.table.war import SCALE
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    codes,
    do,
    found,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    table,
    told,
    verbs,
)
from tests.games.anzio.fighting import HERE, attack, combat, is_in, where

G, LATTICE = WAR.ground, WAR.lattice


def surging(counters: str, unit: str, hex: str, points: int, **fields):
    """Where a unit breaks through to from a hex with so many points."""
    pos = table(counters, "combat", surge=points * SCALE, **fields)
    who = number(unit)
    return beyond(WAR, pos, who, at(hex), 0, points * SCALE)


@rule("anzio", "C13A", "C13B1")
def test_each_step_too_many_gives_two_points_after_the_advance():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52")  # 7-1 die 4: A1 D4R, three too many
    attack(match, HERE, "1 Arm", dice=[4])
    assert match.position.surge == 6 * SCALE
    assert {HERE, "W53", "W54"} <= hexes(match, "advance")
    far = [at(code) for code in hexes(match, "advance")]
    assert max(LATTICE.distance(at(HERE), hex) for hex in far) == 6
    match = combat("1 Arm @ W51; Fras @ W52")  # 3-1 die 2: D2R, just enough
    attack(match, HERE, "1 Arm", dice=[2])
    assert match.position.surge == 0
    assert hexes(match, "advance") == {HERE}


@rule("anzio", "C13B1", "C14B")
def test_it_is_used_unit_by_unit_before_the_next_battle():
    match = combat("45 US, 36 US @ W51; Ers inf 1 @ W52; 56 Br @ N11; 92 Inf @ N12")
    attack(match, HERE, "45 US", "36 US", dice=[4])  # 9-1: A1 D5R
    do(match, "lose a step", "45 US")
    do(match, "advance", "45 US", "W54")
    do(match, "stop")
    assert names(match, "advance") == {"36 US"}
    assert "attack" not in verbs(match)
    do(match, "end advance")
    assert match.position.targets == mask("N12")


@rule("anzio", "C13B2")
def test_who_enters_an_enemy_zone_stops_there():
    # X54 holds W54 and W55: from W52 on, W53 is free, W54 is the end.
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 29 PzG @ X54")
    attack(match, HERE, "1 Arm", dice=[2])  # D6R: five too many
    do(match, "advance", "1 Arm", "W54")
    assert "go on" not in verbs(match)
    # If the first hex is in a zone, there is no breakthrough at all.
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 29 PzG @ W53")
    attack(match, HERE, "1 Arm", dice=[2])
    assert hexes(match, "advance") == {HERE}


@rule("anzio", "C13C")
def test_ordinary_battles_give_it_too():
    match = combat("45 US @ W51; Ers inf 1 @ W52")
    match.force(1)
    do(match, "fight at", value=4)  # 2-1: A1 D2R against one step
    assert match.position.surge == 2 * SCALE
    assert "W53" in hexes(match, "advance")


@rule("anzio", "C13D")
def test_unprotected_counters_give_none_but_a_stack_that_held_others_does():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 65 Inf @ W53 steps=1; 29 PzG @ N12; 56 Br @ N11")
    attack(match, HERE, "1 Arm", dice=[6])  # D2R against one step: 2 points
    do(match, "advance", "1 Arm", HERE)
    assert where(match, "65 Inf") == DESTROYED
    assert match.position.points == 2 * SCALE  # nothing for the inverted counter
    match = combat("1 Arm, 231 Br @ W51; Ers inf 1 @ W52; 65 Inf @ W52 steps=1")
    attack(match, HERE, "1 Arm", "231 Br", dice=[5])  # 8-1, D3R against two steps
    assert match.position.surge == 2 * SCALE


@rule("anzio", "C13E1")
def test_every_road_costs_a_point():
    for d in range(6):
        for hex in bits(G.major[d] & G.stands & ~G.rivers.hexes):
            if G.stands >> LATTICE.neighbour(hex, d) & 1:
                next_hex = LATTICE.neighbour(hex, d)
                reached = surging("45 US @ W51", "45 US", LATTICE.code(hex), 2)
                assert reached.cost(next_hex) == SCALE
                return
    raise LookupError("The map has no such road.")


def ridge() -> tuple[str, int]:
    """A hex and one behind a side all of High Apennine, which no easier way leads to."""
    for hex in bits(G.stands & ~G.rivers.hexes):
        for d in range(6):
            near = LATTICE.neighbour(hex, d)
            if not G.roadless_high[d] >> hex & 1 or not G.stands >> near & 1:
                continue
            around = surging("45 US @ W51", "45 US", LATTICE.code(hex), 7)
            if near != -1 and not around.ends >> near & 1:
                return LATTICE.code(hex), near
    raise LookupError("The map has no such side.")


@rule("anzio", "C13E2")
def test_a_ridge_takes_all_points_and_at_least_eight():
    here, near = ridge()
    assert not surging("45 US @ W51", "45 US", here, 7).ends >> near & 1
    reached = surging("45 US @ W51", "45 US", here, 8)
    assert reached.ends >> near & 1
    assert reached.cost(near) == 8 * SCALE


@rule("anzio", "C13E3")
def test_advance_and_breakthrough_may_each_cross_a_ridge():
    for hex in bits(G.stands & ~G.rivers.hexes & ~G.mountains):
        behind = [
            LATTICE.neighbour(hex, d)
            for d in range(6)
            if G.roadless_high[d] >> hex & 1 and G.stands >> LATTICE.neighbour(hex, d) & 1
        ]
        if (
            len(behind) < 2
            or surging("45 US @ W51", "45 US", LATTICE.code(hex), 7).ends >> behind[1] & 1
        ):
            continue
        a, b, c = map(LATTICE.code, (behind[0], hex, behind[1]))
        match = combat(f"1 Arm, 6615 Rgr, 442 US @ {a}; Ers inf 1 @ {b}")
        attack(match, b, "1 Arm", "6615 Rgr", "442 US", dice=[2])  # 11 halved: 5-1, D4R
        assert match.position.surge == 6 * SCALE
        do(match, "lose a step", "1 Arm")
        assert b in hexes(match, "advance")
        assert c not in hexes(match, "advance")
        match = combat(f"1 Arm, 6615 Rgr, 442 US @ {a}; Ers inf 1 @ {b}")
        attack(match, b, "1 Arm", "6615 Rgr", "442 US", dice=[1])  # D5R: 8 points
        do(match, "lose a step", "1 Arm")
        assert c in hexes(match, "advance")
        return
    raise LookupError("The map has no such hexes.")


@rule("anzio", "C13E4")
def test_mud_makes_it_dearer_but_not_the_ridge():
    good, mud = (surging("45 US @ W51", "45 US", HERE, 2, turn=turn) for turn in (3, 6))
    assert (good.cost(at("W53")), mud.cost(at("W53"))) in ((SCALE, 2 * SCALE), (SCALE, SCALE))
    assert mud.ends.bit_count() < good.ends.bit_count()
    here, near = ridge()
    assert surging("45 US @ W51", "45 US", here, 8, turn=6).cost(near) == 8 * SCALE


@rule("anzio", "C13E5")
def test_neither_strategic_movement_nor_interdiction_changes_it():
    free = surging("16 Pz @ W51", "16 Pz", HERE, 4, side=GERMAN)
    slowed = surging("16 Pz @ W51 slowed tied", "16 Pz", HERE, 4, side=GERMAN)
    assert free.ends == slowed.ends
    far = max(LATTICE.distance(at(HERE), hex) for hex in bits(free.ends))
    assert far == 4


@rule("anzio", "C13F")
def test_more_than_fit_in_the_first_hex_pass_through_it():
    match = combat("45 US, 36 US @ W51; 1 Arm @ X51; Ers inf 1 @ W52")
    attack(match, HERE, "45 US", "36 US", "1 Arm", dice=[4])
    do(match, "lose a step", "45 US")
    for name, hex in (("45 US", HERE), ("36 US", HERE)):
        do(match, "advance", name, hex)
        if "stop" in verbs(match):
            do(match, "stop")
    assert refused(match, "advance", "1 Arm", HERE).rule == "B4D1"
    do(match, "advance", "1 Arm", "W53")
    assert is_in(match, "1 Arm", "W53")


@rule("anzio", "C13G", "C14E")
def test_advance_breakthrough_and_combat_go_on_as_long_as_there_are_enemies():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; Ers inf 2 @ W54; Ers inf 3 @ W55")
    attack(match, HERE, "1 Arm", dice=[4])
    do(match, "advance", "1 Arm", "W53")
    assert match.position.round == 2
    attack(match, "W54", "1 Arm", dice=[4])
    do(match, "advance", "1 Arm", "W54")
    assert match.position.round == 3
    attack(match, "W55", "1 Arm", dice=[4])
    assert told(match, "is destroyed") == ["Ers inf 1", "Ers inf 2", "Ers inf 3"]


@rule("anzio", "C13E7", "C13B2")
def test_it_never_leads_from_one_enemy_zone_straight_to_another():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 29 PzG @ X54; 65 Inf @ U55")
    attack(match, HERE, "1 Arm", dice=[2])
    held = G.beside[at("X54")] | G.beside[at("U55")]
    ends = mask(" ".join(hexes(match, "advance")))
    for hex in bits(ends & held):
        assert G.beside[hex] & ~held & (ends | mask(HERE))


# Armor (D4) and mountain units (D8).


@rule("anzio", "D4A2")
def test_armor_goes_a_hex_farther_after_a_breakthrough():
    for fields, presses in (({"armor": True}, True), ({"armor": False}, False)):
        match = combat("1 Arm, 45 US @ W51; Ers inf 1 @ W52", **fields)
        attack(match, HERE, "1 Arm", "45 US", dice=[6])  # 9-1: A2 D3R, 4 points
        do(match, "lose a step", "45 US")
        do(match, "lose a step", "45 US")
        do(match, "advance", "1 Arm", "W56")
        assert ("press on" in verbs(match)) is presses
        if presses:
            end = min(hexes(match, "press on"))
            do(match, "press on", "1 Arm", end)
            assert is_in(match, "1 Arm", end)
            assert "press on" not in verbs(match)
            do(match, "advance", "45 US", "W53")
            assert "press on" not in verbs(match)


@rule("anzio", "D4A2")
def test_without_a_breakthrough_armor_stays_too():
    match = combat("1 Arm @ W51; Fras @ W52", armor=True)
    attack(match, HERE, "1 Arm", dice=[2])
    do(match, "advance", "1 Arm", HERE)
    assert "press on" not in verbs(match)


@rule("anzio", "D4A2a")
def test_that_hex_lies_behind_plain_or_a_road_and_in_mud_a_road():
    for turn, sides in ((3, (G.plain, G.all_roads)), (6, (G.all_roads,))):
        match = combat("1 Arm @ W51; Ers inf 1 @ W52", armor=True, turn=turn)
        attack(match, HERE, "1 Arm", dice=[6])
        do(match, "advance", "1 Arm", HERE)
        allowed = {
            LATTICE.code(LATTICE.neighbour(at(HERE), d))
            for d in range(6)
            if any(kind[d] >> at(HERE) & 1 for kind in sides)
        }
        assert hexes(match, "press on") == allowed


@rule("anzio", "D4A2c")
def test_nor_does_it_lead_from_zone_to_zone():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 29 PzG @ W54", armor=True)
    attack(match, HERE, "1 Arm", dice=[6])
    do(match, "advance", "1 Arm", "W53")
    pressed = hexes(match, "press on")
    assert pressed
    assert not mask(" ".join(pressed)) & G.beside[at("W54")]
    assert refused(match, "press on", "1 Arm", "X53").rule == "D4A2c"


@rule("anzio", "D8B4")
def test_mountain_units_pay_half_for_a_ridge_and_at_least_four():
    here, near = ridge()
    reached = surging("2 Mor @ W51", "2 Mor", here, 4, mountain=True)
    assert reached.cost(near) == 4 * SCALE
    reached = surging("2 Mor @ W51", "2 Mor", here, 10, mountain=True)
    assert reached.cost(near) == 5 * SCALE
    assert not surging("2 Mor @ W51", "2 Mor", here, 2, mountain=True).ends >> near & 1


def test_going_on_uses_what_is_left():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52")
    attack(match, HERE, "1 Arm", dice=[6])  # 2 points
    do(match, "advance", "1 Arm", "W53")
    assert match.position.points == SCALE
    assert codes(mask(" ".join(hexes(match, "go on")))) >= {"W54"}
    do(match, "go on", "1 Arm", "W54")
    assert match.decision is None


def test_units_that_advance_make_the_ground_theirs():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52", friendly=0)
    attack(match, HERE, "1 Arm", dice=[4])
    do(match, "advance", "1 Arm", "W54")
    assert match.position.friendly & mask("W52 W54") == mask("W52 W54")
    assert found(match, "go on")


def test_a_match_is_the_combat_phase():
    assert play(table("", "combat", ALLIED), combat_phase).decision is None
