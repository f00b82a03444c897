"""E10B4, E10B5 and E10D: how Italians fight and live, and the partisans."""

import pytest

from apennine.games.anzio.rules.b4c_march import bounds
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.b4e_zones import zone
from apennine.games.anzio.rules.b4g_ways import ways
from apennine.games.anzio.rules.b4h_odds import has_river
from apennine.games.anzio.rules.c4_friendly import claim_hexes, come_into
from apennine.games.anzio.rules.c5_ports import BUILD_PORT
from apennine.games.anzio.rules.c9_supply import eaters, unsupplied
from apennine.games.anzio.rules.d2_air import german_sky, has_base
from apennine.games.anzio.rules.e4_cards import cards_phase
from apennine.games.anzio.rules.e6_posts import roused
from apennine.games.anzio.rules.e10_partisans import rising
from apennine.games.anzio.table.position import ALLIED, AWAY, DESTROYED, GERMAN, OPEN
from apennine.kernel.decision import Procedure
from apennine.kernel.log import Chosen
from apennine.testing import rule
from tests.games.anzio.advanced import draw_cards, field, place, turn_of
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    price,
    refused,
    units,
    verbs,
)

G = WAR.ground


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def battle(counters: str, turn: str = "Sept III 1943", side: int = ALLIED, **fields):
    """A combat phase around W52."""
    return play(field(counters, turn, side, "combat", **fields), combat_phase)


# Fighting.


@rule("anzio", "E10B4a")
def test_in_the_first_turn_an_italian_attacks_or_not_as_he_likes():
    counters = "G di S @ W53; Ers inf 1 @ W52; 36 US @ T40; 3 PzG @ T39"
    match = battle(counters, "Sept II 1943")
    assert hexes(match, "attack") == {"W52", "T39"}
    alone = battle("G di S @ W53; Ers inf 1 @ W52; 36 US @ A60", "Sept II 1943")
    assert verbs(alone) == {"attack", "end combat"}
    do(alone, "end combat")
    assert alone.decision is None
    # If he attacks one of two, the other must be attacked as well.
    match = battle("G di S @ W53; Ers inf 1 @ W52; Ers inf 2 @ X52; 36 US @ A60", "Sept II 1943")
    match.force(3)
    do(match, "attack", hex="W52")
    do(match, "attack with", "G di S")
    fought = [entry.option for entry in match.log if isinstance(entry, Chosen)]
    wider = [option.hex for option in fought if option.verb == "also attack"]
    assert wider == [at("X52")] or "fight" not in verbs(match)


@rule("anzio", "E10B4d")
def test_later_italians_must_attack_whom_they_are_next_to():
    idle = battle("G di S @ W53; Ers inf 1 @ W52; 36 US @ A60", "Sept II 1943")
    assert "end combat" in verbs(idle)
    match = battle("G di S @ W53; Ers inf 1 @ W52; 36 US @ A60", "Sept III 1943")
    assert "end combat" not in verbs(match)
    assert match.position.targets == mask("W52")  # nothing else could be done


@rule("anzio", "E10B4f")
def test_italians_capture_no_air_base_and_open_no_port():
    pos = field("G di S @ X52", "Oct I 1943", ports=2)
    claim_hexes(WAR, pos, number("G di S"), mask("X52 K57"))
    assert pos.friendly == mask("X52 K57")
    assert not has_base(WAR, pos)
    assert german_sky(WAR, pos)
    assert not BUILD_PORT.menu(WAR, pos)
    assert not pos.marks
    claim_hexes(WAR, pos, number("56 Br"), mask("X52 K57"))
    assert has_base(WAR, pos)
    assert BUILD_PORT.menu(WAR, pos)
    claim_hexes(WAR, pos, number("G di S"), mask("X52"))  # it was captured before
    assert has_base(WAR, pos)


@rule("anzio", "E10B5b")
def test_italians_live_on_a_friendly_major_city_in_any_number():
    many = "G di S, Ariete, Piave @ F45; Cent @ I44; Piac @ F47"
    first = field(many, "Sept II 1943")
    assert not unsupplied(WAR, first, ALLIED)
    pos = field(many, "Sept III 1943", friendly=mask("F45"))
    assert not eaters(WAR, pos, ALLIED)
    assert not unsupplied(WAR, pos, ALLIED)
    pos.friendly = 0
    assert unsupplied(WAR, pos, ALLIED) == units("G di S, Ariete, Piave, Cent, Piac")
    bases = [0] * len(G.bases)
    bases[base("Anzio", port=True)] = OPEN
    pos.friendly = mask("D50")
    pos.bases[:] = bases
    assert not unsupplied(WAR, pos, ALLIED)
    assert eaters(WAR, pos, ALLIED)


# Partisans.


@rule("anzio", "E10D2")
def test_partisans_rise_anywhere_but_among_the_enemy():
    match = draw_cards(ALLIED, "Sept I 1944", "1 Para @ Q15; 56 Br @ K57")
    found = hexes(match, "rise", "36G")
    assert {"Q16", "K23", "A14", "K57"} <= found
    assert "Q15" not in found
    assert refused(match, "rise", "36G", "Q15").rule == "E10D2"
    do(match, "rise", "36G", "Q16")
    assert place(match, "36G") == at("Q16")
    assert place(match, "28G") == AWAY


@rule("anzio", "E10D3")
def test_partisans_have_no_zone_and_mind_none():
    pos = field("36G @ W52; 1 Para @ W50", "Oct I 1944")
    assert not zone(WAR, pos, ALLIED)
    assert zone(WAR, pos, GERMAN)
    assert bounds(WAR, pos, units("36G")).zone == 0
    match = play(field("36G @ W52; 1 Para @ W51; 15 PzG @ X51; 56 Br @ K57", "Oct I 1944"), moves)
    do(match, "move", "36G")
    assert {"V52", "X50"} & hexes(match, "go", "36G")
    quiet = battle("36G @ W52; 1 Para @ W51; 56 Br @ K57", "Oct I 1944")
    assert quiet.decision is None or "end combat" in verbs(quiet)
    german = battle("36G @ W52; 1 Para @ W51; 56 Br @ K57", "Oct I 1944", GERMAN)
    assert "end combat" in verbs(german)


@rule("anzio", "E10D4")
def test_partisans_use_no_roads():
    from apennine.games.anzio.rules.b4c_march import find_march, gait

    def cost(unit: str, hex: str, to: str) -> int:
        pos = field(f"{unit} @ {hex}", "Oct I 1944")
        who = number(unit)
        how = gait(WAR, pos, who)
        node = WAR.node[at(hex), 0]
        march = find_march(WAR, pos, how, node, how.allowance, 0, True, 1 << who)
        assert march.near
        return march.near.cost(at(to))

    major = G.major
    pair = next(
        (h, WAR.lattice.neighbour(h, d))
        for d in range(6)
        for h in range(major[d].bit_length())
        if major[d] >> h & 1 and G.plain[d] >> h & 1 and (h, 0) in WAR.node
    )
    here, there = (WAR.board.code(h) for h in pair)
    assert cost("GK", here, there) == 1
    assert cost("36G", here, there) == 2
    assert price("56 Br @ K57", "56 Br", "K57") <= 0


@rule("anzio", "E10D5")
def test_partisans_need_no_supply():
    pos = field("36G @ Q16; 56 Br @ Q18", "Oct I 1944")
    assert unsupplied(WAR, pos, ALLIED) == units("56 Br")


@rule("anzio", "E10D6")
def test_partisans_fight_by_the_table_and_undouble_rivers():
    match = battle("36G, 56 Br @ W53; 65 Inf @ W52", "Oct I 1944")
    assert "36G" in names(match, "attack with") | {
        WAR.names[u] for u in range(len(WAR.names)) if match.position.attackers >> u & 1
    }
    rivers = G.rivers.hexes
    wet, dry, target = next(
        (a, b, h)
        for h in range(G.land.bit_length())
        if G.stands >> h & 1
        for a in _bits(G.beside[h] & rivers & G.stands)
        for b in _bits(G.beside[h] & ~rivers & G.stands)
        if not G.rivers.at[a] <= G.rivers.at[h]
    )
    pos = field("", "Oct I 1944")
    pos.hex[number("56 Br")], pos.hex[number("36G")] = wet, dry
    assert has_river(WAR, pos, units("56 Br"), target)
    assert not has_river(WAR, pos, units("56 Br, 36G"), target)


def _bits(hexes: int) -> list[int]:
    return [h for h in range(hexes.bit_length()) if hexes >> h & 1]


@rule("anzio", "E10D7")
@pytest.mark.parametrize(
    ("turn", "back"),
    [
        ("Oct I 1944", False),
        ("Nov I 1944", True),
        ("Nov II 1944", False),
        ("Jan III 1945", False),
        ("Feb I 1945", True),
        ("Feb III 1945", True),
        ("Apr III 1945", True),
    ],
)
def test_destroyed_partisans_rise_again(turn: str, back: bool):
    pos = field("28G @ K23", turn, phase="cards")
    pos.hex[number("36G")] = DESTROYED
    assert bool(rising(WAR, pos)) == back
    if back:
        match = play(pos, cards_phase)
        do(match, "rise", "36G", "Q16")
        assert match.position.steps[number("36G")] == 1


@rule("anzio", "E10D8")
def test_a_partisan_bars_the_march_of_germans_but_not_their_retreat():
    match = play(field("65 Inf @ W52; 1 Para @ T30; 36G @ W53", "Oct I 1944", GERMAN), moves)
    do(match, "move", "65 Inf")
    assert "W53" not in hexes(match, "go", "65 Inf")
    # Allies all round leave one way, through the partisans.
    ring = "56 Br @ X50; 5 Br @ W54; 46 Br @ U53"
    pos = field(f"65 Inf @ W52; {ring}; 36G @ X52", "Oct I 1944", ALLIED, "combat")
    through = ways(WAR, pos, number("65 Inf"))
    assert through
    assert at("X52") not in through
    assert any(at("X52") in [hex for hex, _ in way] for way in through.values())


@rule("anzio", "E10D9")
def test_partisans_destroy_no_fort_and_do_not_stop_on_one():
    pos = field("36G @ W52; 56 Br @ K57", "Oct I 1944", works=mask("W53"))

    def scene(war, pos) -> Procedure:
        yield from come_into(war, pos, number("36G"), at("W53"))

    assert play(pos, scene).position.works == mask("W53")
    match = play(pos, moves)
    do(match, "move", "36G")
    found = hexes(match, "go", "36G")
    assert "W53" not in found
    assert "W54" in found  # beyond it
    assert refused(match, "go", "36G", "W53").rule == "E10D9"
    match = draw_cards(ALLIED, "Sept I 1944", "56 Br @ K57", works=mask("W53"))
    assert refused(match, "rise", "36G", "W53").rule == "E10D9"


@rule("anzio", "E10D11")
def test_partisans_within_three_hexes_draw_a_garrison_out_and_never_release_it():
    for hex, out in (("Q18", True), ("Q19", False)):
        pos = field(f"162 Turco @ Q15; 36G @ {hex}", "Sept II 1944", GERMAN)
        pos.frozen = units("162 Turco")
        assert bool(roused(WAR, pos)) == out
        claim_hexes(WAR, pos, number("36G"), mask("Q16"))
        assert pos.frozen == units("162 Turco")
    assert turn_of("Sept II 1944") == 49
