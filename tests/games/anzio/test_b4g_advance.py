"""B4G7 to B4G9: advance after combat; and the rest of retreats."""

from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.b4g_retreat import retreat
from apennine.games.anzio.rules.b4g_ways import ways
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.hexes import bits, mask_of
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.fighting import AROUND, HERE, attack, battle, combat, declare, is_in

G, LATTICE = WAR.ground, WAR.lattice


@rule("anzio", "B4G7a", "B4G7b")
def test_only_those_who_attacked_may_occupy_what_the_defender_has_left():
    match = combat("45 US, 36 US @ W51; 56 Br @ N11; 92 Inf @ N12; Fras @ W52")
    attack(match, HERE, "45 US", "36 US", dice=[2])  # 4-1: A1 D3R
    do(match, "lose a step", "36 US")
    assert names(match, "advance") == {"45 US", "36 US"}
    assert hexes(match, "advance") >= {HERE}
    assert refused(match, "advance", "56 Br", HERE).rule == "B4G7b"


@rule("anzio", "B4G7a")
def test_no_more_may_advance_than_can_be_stacked():
    match = combat("45 US @ W51; 36 US @ X51; 56 Br @ X52; 3 PzG @ W52")
    attack(match, HERE, "45 US", "36 US", "56 Br", dice=[4])  # 13 to 4, 3-1: A1 DR
    do(match, "retreat")
    do(match, "lose a step", "45 US")
    do(match, "advance", "45 US", HERE)
    do(match, "advance", "36 US", HERE)
    assert "advance" not in verbs(match)


@rule("anzio", "B4G8", "B4C12d1")
def test_an_advance_crosses_rivers_and_ridges():
    rivers = G.rivers
    for hex in bits(rivers.hexes & ~rivers.bridges & G.stands):
        for d in range(6):
            near = LATTICE.neighbour(hex, d)
            if not G.open[d] >> hex & 1 or not G.stands >> near & 1:
                continue
            for bound in {WAR.node_bound[node] for node in WAR.nodes_of[hex]}:
                if rivers.step(hex, bound, d) == -1:
                    a, b = LATTICE.code(hex), LATTICE.code(near)
                    pos = table(f"1 Arm @ {a}; Ers inf 1 @ {b}", "combat")
                    pos.bank[number("1 Arm")] = bound
                    match = play(pos, combat_phase)
                    attack(match, b, "1 Arm", dice=[1])
                    do(match, "advance", "1 Arm", b)
                    assert match.position.hex[number("1 Arm")] == near
                    return
    raise LookupError("The map has no such side.")


@rule("anzio", "B4G9")
def test_a_defender_never_advances():
    match = battle("45 US @ W51; 29 PzG @ W52", "45 US", 4)  # 1-2: AR
    do(match, "retreat")
    assert match.decision is None
    match = combat("1 Arm @ W51; Fras @ W52; 29 PzG @ W53; 45 US @ W54")
    attack(match, HERE, "1 Arm", dice=[2])
    assert refused(match, "advance", "29 PzG", HERE).rule == "B4G9"


@rule("anzio", "B4G3c2")
def test_a_ridge_is_no_second_hex_of_a_retreat():
    for hex in bits(G.stands & ~G.rivers.hexes):
        near = list(bits(G.beside[hex]))
        easy = [h for h in near if not G.roadless_high[LATTICE.direction(hex, h)] >> hex & 1]
        for first in easy:
            for second in bits(G.beside[first] & ~G.beside[hex] & ~(1 << hex) & G.stands):
                d = LATTICE.direction(first, second)
                if not G.roadless_high[d] >> first & 1:
                    continue
                others = [h for h in bits(G.beside[second]) if h in near and h != first]
                if all(
                    G.roadless_high[LATTICE.direction(h, second)] >> h & 1 or h not in easy
                    for h in others
                ):
                    code = LATTICE.code(hex)
                    plain = ways(WAR, table(f"2 Mor @ {code}", "combat"), number("2 Mor"))
                    light = table(f"2 Mor @ {code}", "combat", mountain=True)
                    assert first in plain
                    assert second not in plain
                    assert second in ways(WAR, light, number("2 Mor"))
                    return
    raise LookupError("The map has no such hexes.")


@rule("anzio", "B4G3e")
def test_a_road_leads_a_retreat_over_a_ridge():
    for d in range(6):
        for hex in bits(G.high[d] & G.all_roads[d] & G.stands & ~G.rivers.hexes):
            beyond = LATTICE.neighbour(hex, d)
            if G.stands >> beyond & 1:
                pos = table(f"29 PzG @ {LATTICE.code(hex)}", "combat")
                assert len(ways(WAR, pos, number("29 PzG"))[beyond]) == 1
                return
    raise LookupError("The map has no such side.")


@rule("anzio", "B4G4a")
def test_mud_changes_no_retreat():
    good, mud = (table("29 PzG @ W52", "combat", turn=turn) for turn in (3, 6))
    assert not WAR.is_mud(3)
    assert WAR.is_mud(6)
    assert ways(WAR, good, number("29 PzG")) == ways(WAR, mud, number("29 PzG"))


@rule("anzio", "B4G4b2")
def test_a_friend_does_not_lift_an_enemy_zone_for_a_retreat():
    pos = table("29 PzG @ W52; 65 Inf @ W53; 45 US @ W54", "combat")
    assert at("W53") not in ways(WAR, pos, number("29 PzG"))
    pos = table("29 PzG @ W52; 65 Inf @ W53", "combat")
    assert at("W53") in ways(WAR, pos, number("29 PzG"))


@rule("anzio", "B4G4c")
def test_where_only_a_full_hex_is_left_the_owner_gives_units_up():
    open_field = table("29 PzG @ W52; 15 PzG, 16 Pz, 90 PzG @ V53", "combat", ALLIED)
    match = play(open_field, lambda war, pos: retreat(war, pos, units("29 PzG"), "B4G1"))
    assert refused(match, "retreat", "29 PzG", "V53").rule == "B4G4c"
    shut = mask(" ".join(AROUND)) & ~mask("V53")
    pos = table("29 PzG @ W52; 15 PzG, 16 Pz, 90 PzG @ V53", "combat", ALLIED)
    _close(pos, shut | (G.beside[at("V53")] & ~mask("W52")))
    match = play(pos, lambda war, pos: retreat(war, pos, units("29 PzG"), "B4G1"))
    assert told(match, "retreats") == ["29 PzG"]
    assert names(match, "give up") == {"29 PzG", "15 PzG", "16 Pz", "90 PzG"}
    do(match, "give up", "90 PzG")
    assert match.position.hex[number("90 PzG")] == DESTROYED


def _close(pos, hexes_) -> None:
    """Put Allied units where they keep everybody from hexes, without touching V53 itself."""
    free = ["45 US", "36 US", "56 Br", "46 Br", "5 Br", "78 Br", "3 US", "34 US", "1 Cdn", "8 Ind"]
    for hex, name in zip(bits(hexes_ & ~G.beside[at("V53")]), free):
        pos.hex[number(name)] = hex
    left = [n for n in free if pos.hex[number(n)] < 0]
    keep = mask("V53 W52")
    for hex in bits(hexes_ & G.beside[at("V53")]):
        for near in bits(G.beside[hex] & ~G.beside[at("V53")] & ~keep & G.stands):
            if left and near not in pos.hex:
                pos.hex[number(left.pop())] = near
                break


@rule("anzio", "B4G3d", "B4G3c1")
def test_each_retreat_over_a_ridge_is_judged_afresh():
    seen = 0
    for hex in bits(G.stands & ~G.rivers.hexes):
        near = list(bits(G.beside[hex] & G.stands))
        high = [h for h in near if G.roadless_high[LATTICE.direction(hex, h)] >> hex & 1]
        if not high or len(high) == len(near):
            continue
        pos = table(f"29 PzG @ {LATTICE.code(hex)}", "combat", GERMAN)
        shut = mask_of(h for h in near if h not in high)
        spare = iter(["45 US", "36 US", "56 Br", "46 Br", "5 Br", "78 Br"])
        for h in bits(shut):
            pos.hex[number(next(spare))] = h
        ends = ways(WAR, pos, number("29 PzG"))
        if ends:
            assert set(ends) <= set(high)
            assert all(len(way) == 1 for way in ends.values())
            seen += 1
    assert seen


def test_nothing_is_advanced_into_while_defenders_stay():
    match = combat("45 US @ W51; 29 PzG @ W52; 56 Br @ N11; 65 Inf @ N12")
    declare(match, HERE, "45 US")
    match.force(2)
    do(match, "fight")
    assert match.position.targets == mask("N12")
    assert is_in(match, "45 US", "W51")


@rule("anzio", "B4C12d1", "B4C12d2")
def test_an_advance_onto_a_river_leaves_the_far_bank_for_another_turn():
    rivers = G.rivers
    for hex in bits(rivers.hexes & ~rivers.bridges & G.stands & ~G.mountains):
        for d in range(6):
            near, across = (LATTICE.neighbour(hex, k) for k in (d, (d + 3) % 6))
            if min(near, across) < 0 or not (G.stands & ~rivers.hexes) >> near & 1:
                continue
            if not (G.plain[d] >> hex & 1 and G.plain[(d + 3) % 6] >> hex & 1):
                continue
            bound = rivers.step(near, 0, LATTICE.direction(near, hex))
            if rivers.step(hex, bound, (d + 3) % 6) != -1 or not G.stands >> across & 1:
                continue
            a, b, c = map(LATTICE.code, (near, hex, across))
            match = combat(f"1 Arm @ {a}; Ers inf 1 @ {b}")
            attack(match, b, "1 Arm", dice=[6])  # two points of breakthrough
            assert b in hexes(match, "advance")
            assert c not in hexes(match, "advance")
            do(match, "advance", "1 Arm", b)
            assert match.position.bank[number("1 Arm")] == bound
            return
    raise LookupError("The map has no such hex.")


@rule("anzio", "B4B5")
def test_nobody_has_to_advance_or_to_fight_on():
    match = combat("1 Arm @ W51; Ers inf 1 @ W52; 29 PzG @ X52")
    attack(match, HERE, "1 Arm", dice=[6])
    assert "end advance" in verbs(match)
    do(match, "advance", "1 Arm", HERE)
    do(match, "end combat")
    assert match.decision is None


@rule("anzio", "C5C5")
def test_who_has_landed_in_this_turn_breaks_through_as_any_other():
    match = combat("1 Arm @ W51 lift moved; Ers inf 1 @ W52")
    attack(match, HERE, "1 Arm", dice=[2])  # D6R: ten points
    far = [LATTICE.distance(at(HERE), at(code)) for code in hexes(match, "advance")]
    assert max(far) > WAR.book.landing.points
