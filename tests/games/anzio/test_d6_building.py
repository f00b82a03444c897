from apennine.games.anzio.rules.b4b_end import settle
from apennine.games.anzio.rules.b4h_odds import from_forts
from apennine.games.anzio.table.position import GERMAN
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    mask,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.test_c5_sea import movement

G = WAR.ground


def building(counters: str = "16 Pz @ Q62", **fields):
    given = {"turn": 4, "forts": True, "held": G.land} | fields
    return play(table(counters, side=GERMAN, **given), movement)


@rule("anzio", "D6A1")
def test_only_the_germans_build_forts():
    allied = play(table("5 Br @ Q62; 16 Pz @ T60", turn=4, forts=True, held=G.land), movement)
    assert "build fort" not in verbs(allied)
    assert refused(allied, "build fort", hex="M50").rule
    assert "build fort" in verbs(building())
    assert "build fort" not in verbs(building(forts=False))


@rule("anzio", "D6B1")
def test_one_fort_in_each_of_nine_turns():
    turns = [turn for turn in range(1, 16) if "build fort" in verbs(building(turn=turn))]
    assert turns == [4, 5, 6, 8, 9, 10, 12, 13, 14]
    match = building()
    do(match, "build fort", hex="M50")
    assert refused(match, "build fort", hex="M51").rule == "D6B1"


@rule("anzio", "D6B2")
def test_a_fort_is_built_in_movement_and_used_at_once():
    match = building("16 Pz @ Q62; 5 Br @ Q60")
    do(match, "build fort", hex="Q64")
    assert told(match, "fort built")
    do(match, "move", "16 Pz")
    do(match, "go", hex="Q64")
    pos = match.position
    assert from_forts(WAR, pos, units("16 Pz"))


@rule("anzio", "D6B3")
def test_a_fort_needs_a_hex_german_since_the_last_allied_turn_out_of_allied_zones():
    match = building(
        "16 Pz @ Q62; 5 Br @ N58", held=G.land & ~mask("M50"), friendly=mask("N58 L51")
    )
    assert refused(match, "build fort", hex="M50").rule == "D6B3"
    assert refused(match, "build fort", hex="L51").rule == "D6B3"
    near = codes(G.beside[at("N58")])
    assert not near & hexes(match, "build fort")
    settled = play(table("", "settling", turn=4, friendly=mask("M50")), settle).position
    assert settled.held == G.land & ~mask("M50")


@rule("anzio", "D6B4")
def test_no_fort_in_a_major_city():
    assert refused(building(), "build fort", hex="F45").rule == "D6B4"


@rule("anzio", "D6B5")
def test_nobody_need_be_there():
    match = building()
    do(match, "build fort", hex="K52")
    assert match.position.works == mask("K52")


@rule("anzio", "D6B7")
def test_a_fort_stays_where_it_is_and_serves_no_ally():
    match = building(works=mask("K52"))
    assert refused(match, "build fort", hex="K52").rule == "D6B7"
    pos = table("5 Br @ K52", forts=True, works=mask("K52"))
    assert not from_forts(WAR, pos, units("5 Br"))


@rule("anzio", "D6B8")
def test_allied_units_with_an_attack_factor_destroy_forts_as_they_pass():
    def march(steps: str):
        pos = table(f"5 Br @ Q62 {steps}", forts=True, works=mask("Q63"))
        match = play(pos, movement)
        do(match, "move", "5 Br")
        spent = match.position.points
        do(match, "go", hex="Q63")
        return match, spent - match.position.points

    match, price = march("")
    assert (match.position.works, told(match, "fort destroyed")) == (0, ["5 Br"])
    soft, same = march("steps=1")
    assert soft.position.works == mask("Q63")
    assert price == same
