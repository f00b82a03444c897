from fractions import Fraction
from typing import Any

from apennine.games.anzio.rules.b4h_odds import explain, is_allowed, odds, weigh
from apennine.games.anzio.table.position import GERMAN
from apennine.hexes import Sides, bits
from apennine.mechanics.ground import union
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, mask, table, units

G = WAR.ground
CALM = G.stands & ~G.mountains
MOUNTAIN = G.mountains & ~G.rivers.hexes
NO_HIGH = union((G.plain, G.rough))


def pair(sides: Sides, target: int = CALM, without: Sides | None = None) -> tuple[str, str]:
    """An attacker's and a defender's hex with such a side between them, the latter in a set."""
    lattice = WAR.lattice
    for d in range(6):
        left = sides[d] & ~(without[d] if without else 0)
        for hex in bits(left & CALM & ~G.rivers.hexes):
            beyond = lattice.neighbour(hex, d)
            if target >> beyond & 1 and not G.rivers.hexes >> beyond & 1:
                return lattice.code(hex), lattice.code(beyond)
    raise LookupError("The map has no such side.")


def battle(attackers: str, target: str, counters: str, **fields: Any):
    pos = table(counters, "combat", **fields)
    return weigh(WAR, pos, units(attackers), mask(target))


def column(attackers: str, target: str, counters: str, **fields: Any) -> str:
    pos = table(counters, "combat", **fields)
    return odds(WAR, pos, units(attackers), mask(target)).label


@rule("anzio", "B4E5a")
def test_odds_are_rounded_for_the_defender():
    ladder = WAR.ladder
    found = [ladder.label(ladder.column(a, d)) for a, d in ((26, 9), (2, 5), (4, 3))]
    assert found == ["2-1", "1-3", "1-1"]
    a, b = pair(G.plain)
    assert column("5 Br", b, f"5 Br @ {a}; 29 PzG @ {b} steps=2") == "1-1"  # 3 to 3
    assert column("5 Br", b, f"5 Br @ {a}; 29 PzG @ {b}") == "1-2"  # 3 to 6


@rule("anzio", "B4E5c")
def test_beyond_the_last_column_the_last_is_used():
    a, b = pair(G.plain)
    assert column("1 Arm, 45 US", b, f"1 Arm @ {a}; 45 US @ {a}; Ers inf 1 @ {b}") == "9-1"


@rule("anzio", "B4E8")
def test_all_units_in_a_hex_defend_together():
    a, b = pair(G.plain)
    assert battle("5 Br", b, f"5 Br @ {a}; 29 PzG, Ers inf 1 @ {b}").defence == 7


@rule("anzio", "B4H2", "B4H9a")
def test_a_mountain_doubles_the_defender_and_the_losses_of_the_attacker():
    a, b = pair(NO_HIGH, MOUNTAIN)
    found = battle("5 Br", b, f"5 Br @ {a}; 29 PzG @ {b}")
    assert (found.attack, found.defence, found.doubled) == (3, 12, True)
    a, b = pair(NO_HIGH)
    assert not battle("5 Br", b, f"5 Br @ {a}; 29 PzG @ {b}").doubled


@rule("anzio", "B4H3")
def test_a_river_doubles_if_all_attackers_are_on_one():
    target = next(
        WAR.lattice.code(h)
        for h in bits(G.beside[WAR.lattice.parse("U26")] & ~G.rivers.hexes & CALM)
    )
    bank = next(
        WAR.lattice.code(h)
        for h in bits(G.beside[WAR.lattice.parse(target)] & ~G.rivers.hexes & CALM)
    )
    counters = f"5 Br @ U26; 46 Br @ {bank}; 29 PzG @ {target}"
    assert battle("5 Br", target, counters).defence == 12
    assert battle("5 Br, 46 Br", target, counters).defence == 6


@rule("anzio", "B4H5")
def test_a_river_that_both_are_on_doubles_nobody():
    found = battle("5 Br", "U26", "5 Br @ T26; 29 PzG @ U26")
    times = 2 if G.mountains >> WAR.lattice.parse("U26") & 1 else 1
    assert found.defence == 6 * times


@rule("anzio", "B4H6")
def test_a_second_river_of_the_attacker_doubles_again():
    rivers = G.rivers
    for here in bits(rivers.hexes & CALM):
        for beyond in bits(G.beside[here] & rivers.hexes & CALM):
            if (
                len(rivers.at[here]) == 2
                and len(rivers.at[beyond]) == 1
                and rivers.share(here, beyond)
            ):
                a, b = WAR.lattice.code(here), WAR.lattice.code(beyond)
                assert battle("5 Br", b, f"5 Br @ {a}; 29 PzG @ {b}").defence == 12
                return
    raise AssertionError("The map has no such hexes.")


@rule("anzio", "B4H7a", "B4H8")
def test_an_attack_over_high_apennine_is_halved_and_keeps_its_fraction():
    a, b = pair(G.high)
    found = battle("45 US", b, f"45 US @ {a}; 29 PzG @ {b}")
    assert found.attack == Fraction(5, 2)


@rule("anzio", "B4H9b", "B4H7b")
def test_of_two_hexes_the_one_behind_high_apennine_is_doubled_without_doubling_losses():
    lattice = WAR.lattice
    for here in bits(CALM & ~G.rivers.hexes):
        near = [h for h in bits(G.beside[here]) if CALM >> h & 1]
        steep = [h for h in near if G.high[lattice.direction(here, h)] >> here & 1]
        easy = [h for h in near if h not in steep]
        if steep and easy:
            a, b, c = map(lattice.code, (here, steep[0], easy[0]))
            found = battle("45 US", f"{b} {c}", f"45 US @ {a}; 29 PzG @ {b}; Ers inf 1 @ {c}")
            assert (found.attack, found.defence, found.doubled) == (5, 13, False)
            return
    raise AssertionError("The map has no such hexes.")


@rule("anzio", "B4E12a")
def test_the_worst_odds_are_one_to_four():
    a, b = pair(G.plain)
    weak = table(f"231 Br @ {a}; 29 PzG @ {b}", "combat")
    assert not is_allowed(WAR, weak, units("231 Br"), mask(b))  # 1 to 6
    enough = table(f"231 Br @ {a}; 29 PzG @ {b} steps=2", "combat")
    assert is_allowed(WAR, enough, units("231 Br"), mask(b))  # 1 to 3


@rule("anzio", "D4A1a", "D4A3")
def test_armor_loses_a_factor_over_rough_sides_if_the_rule_is_used():
    a, b = pair(G.rough)
    for unit, switch, attack in (("4 Arm", True, 1), ("4 Arm", False, 2), ("5 Br", True, 3)):
        assert battle(unit, b, f"{unit} @ {a}; 29 PzG @ {b}", armor=switch).attack == attack


@rule("anzio", "D4A1b")
def test_over_high_apennine_armor_loses_first_and_is_halved_then():
    a, b = pair(G.high)
    assert battle("4 Arm", b, f"4 Arm @ {a}; 29 PzG @ {b}", armor=True).attack == Fraction(1, 2)


@rule("anzio", "D8C1")
def test_mountain_units_are_not_halved_if_the_rule_is_used():
    a, b = pair(G.high)
    for switch, attack in ((True, 3), (False, Fraction(3, 2))):
        assert battle("2 Mor", b, f"2 Mor @ {a}; 29 PzG @ {b}", mountain=switch).attack == attack


@rule("anzio", "D6D2", "D6D3")
def test_from_a_fort_terrain_neither_helps_the_defender_nor_costs_the_attacker():
    a, b = pair(NO_HIGH, MOUNTAIN)
    counters, fort = f"29 PzG @ {a}; 5 Br @ {b}", mask(a)
    used: dict[str, Any] = {"side": GERMAN, "works": fort}
    found = battle("29 PzG", b, counters, forts=True, **used)
    assert (found.attack, found.defence, found.doubled) == (4, 4, False)
    found = battle("29 PzG", b, counters, forts=False, **used)
    assert (found.defence, found.doubled) == (8, True)
    for forts, told in ((True, False), (False, True)):
        pos = table(counters, "combat", forts=forts, **used)
        lines = explain(WAR, pos, units("29 PzG"), mask(b))
        assert (f"Mountain in {b}" in [line.text for line in lines]) is told


@rule("anzio", "D6D4", "D6D5")
def test_from_a_fort_worse_odds_are_allowed_unless_somebody_joins_from_elsewhere():
    a, b = pair(NO_HIGH, MOUNTAIN)
    others = [h for h in bits(G.beside[WAR.lattice.parse(b)]) if WAR.lattice.code(h) != a]
    c = WAR.lattice.code(others[0])
    counters = f"NW 71 @ {a}; Fras @ {c}; 45 US, 36 US @ {b}"
    pos = table(counters, "combat", GERMAN, forts=True, works=mask(a))
    assert is_allowed(WAR, pos, units("NW 71"), mask(b))
    assert not is_allowed(WAR, pos, units("NW 71, Fras"), mask(b))


@rule("anzio", "D6D2")
def test_from_a_fort_an_attack_over_high_apennine_is_not_halved():
    a, b = pair(G.high)
    counters, fort = f"29 PzG @ {a}; 5 Br @ {b}", mask(a)
    found = battle("29 PzG", b, counters, side=GERMAN, works=fort, forts=True)
    assert found.attack == 4
    found = battle("29 PzG", b, counters, side=GERMAN, works=fort)
    assert found.attack == 2
