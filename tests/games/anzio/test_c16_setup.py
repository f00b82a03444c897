import pytest

from apennine.games.anzio.table.position import ALLIED, AWAY, GERMAN, POOL
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, at, codes, do, hexes, names, number, refused, verbs
from tests.games.anzio.playing import PLAYED, SHORT, begin, pass_on, start

G = WAR.ground


@rule("anzio", "C16C")
def test_the_germans_set_up_first_and_the_allies_choose_their_force():
    match = begin()
    assert match.decision.side == GERMAN
    do(match, "historical deployment")
    assert (match.position.phase, match.position.side) == ("movement", ALLIED)
    assert verbs(match) == {"invade"}
    do(match, "invade", hex="N61")
    assert {"56 Br", "36 US", "4 Arm", "82/505"} <= names(match, "land")


@rule("anzio", "C2A1a")
def test_only_16_panzer_is_placed_freely_and_hg_near_napoli():
    match = begin()
    assert match.position.hex[number("1 Para")] == at("X52")
    assert refused(match, "deploy", "1 Para", "Y45").rule == "C2A1a"
    assert names(match, "deploy") == {"16 Pz", "HG", "NW 71"}
    assert hexes(match, "deploy", "HG") == {"K57", "M55", "M58"}
    assert refused(match, "deploy", "HG", "N60").rule == "C2A1a"
    do(match, "deploy", "16 Pz", "Y13")
    assert refused(match, "historical deployment").rule == "C16C"
    do(match, "deploy", "HG", "M58")
    do(match, "deploy", "NW 71", "M55")
    pos = match.position
    assert [pos.hex[number(n)] for n in ("16 Pz", "HG", "NW 71")] == [
        at(h) for h in ("Y13", "M58", "M55")
    ]


@rule("anzio", "C4b")
def test_at_the_start_all_hexes_are_german():
    pos = start()
    assert pos.friendly == 0
    assert PLAYED.control(pos, GERMAN) == G.land
    assert PLAYED.control(pos, ALLIED) == 0


@rule("anzio", "C11C1", "C1A3b")
def test_replacements_at_the_start_and_with_the_first_turn():
    match = begin()
    pass_on(match, until="movement")
    pos = match.position
    counters = [u for u in range(len(WAR.units)) if WAR.replacements & ~WAR.once & 1 << u]
    sicilia = [u for u in counters if pos.hex[u] == at("Sicilia")]
    assert len(sicilia) == 6
    assert pos.credit[0] == 2
    viterbo = {WAR.names[u] for u in counters if pos.hex[u] == at("G39")}
    assert viterbo == {"Ers arm 1", "Ers arm 2", "Ers inf 1", "Ers inf 2"}
    assert {pos.hex[u] for u in counters} == {at("Sicilia"), at("G39"), POOL}


@rule("anzio", "D1")
@pytest.mark.parametrize("key", [switch.key for switch in PLAYED.switches])
def test_every_supplement_can_be_used_alone(key: str):
    on, off = start(**{key: True}), start()
    assert getattr(on, key)
    assert not getattr(off, key)
    others = {s.key for s in PLAYED.switches} - {key, "air_superiority"}
    assert not any(getattr(on, other) for other in others)


@rule("anzio", "D3A10")
def test_supporting_fire_brings_air_superiority_with_it():
    assert start(supporting_fire=True).air_superiority
    assert not start(air_superiority=True).supporting_fire


@rule("anzio", "S-SHINGLEa", "S-SHINGLEb")
def test_shingle_leaves_four_combat_units_and_all_ersatz_their_places_in_the_north():
    match = begin("shingle")
    front = codes(G.region("front-shingle") & G.stands)
    for unit, hex in (("94 Inf", "Q15"), ("15 PzG", "V22"), ("HG", "F45")):
        do(match, "deploy", unit, hex)
    assert hexes(match, "deploy", "26 Pz") > front
    do(match, "deploy", "26 Pz", "G39")
    assert hexes(match, "deploy", "29 PzG") <= front
    assert refused(match, "deploy", "29 PzG", "G38").rule == "S-SHINGLEb"
    assert "G38" in hexes(match, "deploy", "Ers inf 1")
    assert not hexes(match, "deploy", "Ers inf 1") & codes(G.region("south-of-gustav"))


@rule("anzio", "S-DIADEMa")
def test_diadem_lets_two_of_the_eight_reserves_stand_on_the_front():
    match = begin("diadem")
    assert len(names(match, "deploy")) == 8
    assert refused(match, "deploy", "94 Inf", "L50").rule == "C2A1a"
    front = codes(G.region("front-diadem"))
    free = sorted(front & hexes(match, "deploy", "26 Pz"))
    do(match, "deploy", "26 Pz", free[0])
    do(match, "deploy", "29 PzG", free[1])
    assert not hexes(match, "deploy", "HG") & front
    assert refused(match, "deploy", "HG", free[2]).rule == "S-DIADEMa"


@rule("anzio", "S-DIADEMb")
def test_the_allies_stand_on_their_side_out_of_german_zones_with_56_points_at_anzio():
    match = begin("diadem")
    do(match, "historical deployment")
    assert match.position.side == ALLIED
    assert refused(match, "deploy", "36 US", "M51").rule == "S-DIADEMb"
    assert refused(match, "deploy", "36 US", "G39").rule == "S-DIADEMb"
    head = sorted(codes(G.region("beachhead")) & hexes(match, "deploy", "36 US"))
    assert head
    points = 0
    inside = G.region("beachhead")
    while offers := [o for o in SHORT.found(match, "deploy") if inside >> o.hex & 1]:
        big = max(offers, key=lambda o: WAR.stacking[o.unit])
        points += WAR.stacking[big.unit]
        match.choose(big)
    assert points <= 56
    room = sum(8 for _ in head)
    assert points == 56 or points > room - 5


@rule("anzio", "S-GUSTAVb")
def test_gustav_runs_from_january_to_june_for_seven_places_of_game_ii():
    check_terms("gustav", 16)


@rule("anzio", "S-SHINGLEc")
def test_shingle_runs_from_the_landing_to_june():
    check_terms("shingle", 19)
    assert WAR.week(19) == "Jan IV 1944"
    match = begin("shingle")
    pass_on(match, until="movement")
    assert "E49" in hexes(match, "invade")


@rule("anzio", "S-DIADEMc")
def test_diadem_runs_from_may_ii_to_june_iii():
    check_terms("diadem", 33)
    assert WAR.week(33) == "May II 1944"


def check_terms(key: str, first: int) -> None:
    scenario = next(s for s in WAR.book.scenarios if s.key == key)
    assert (scenario.first, scenario.last, scenario.needed) == (first, 38, 7)
    assert set(G.places[scenario.cities]) == {
        *("Napoli", "Cassino", "Pescara", "Roma", "Perugia", "Ancona", "Livorno"),
        *("Firenze", "Rimini"),
    }
    assert WAR.week(38) == "June III 1944"
    pos = start(key)
    assert (pos.turn, PLAYED.check(pos)) == (first, [])


@rule("anzio", "S-GUSTAV")
def test_the_campaign_goes_on_where_the_basic_game_ends():
    match = begin("campaign")
    pass_on(match, until="movement")
    do(match, "invade", hex="V42")
    do(match, "land", "56 Br", "V42")
    match.position.turn = 15
    before = match.position.hex[:]
    SHORT.next_turn(match)
    assert match.outcome is None
    assert match.position.turn == 16
    assert match.position.hex[number("56 Br")] == at("V42")
    come = {WAR.names[u] for u, p in enumerate(before) if p == AWAY != match.position.hex[u]}
    assert {"3 Carp", "3 Alg", "MT 3"} <= come
    default = start("gustav")
    assert default.turn == 16
    assert default.friendly


@pytest.mark.parametrize("key", ["shingle", "diadem"])
def test_the_historical_deployment_is_one_order_for_each_side(key: str):
    match = begin(key)
    do(match, "historical deployment")
    do(match, "historical deployment")
    assert match.position.phase == "movement"
    assert PLAYED.check(match.position) == []
