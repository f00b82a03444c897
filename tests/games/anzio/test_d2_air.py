from apennine.games.anzio.rules.b4b_end import settle
from apennine.games.anzio.rules.b4h_odds import is_allowed, odds
from apennine.games.anzio.rules.d2_air import air_columns, allied_sky, german_sky
from apennine.games.anzio.table.position import GERMAN
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, at, codes, mask, play, table, units

G = WAR.ground
BASES = "E23 X52 K57 F45 F44 G44"


def sky(turn: int = 1, **fields) -> int:
    return german_sky(
        WAR, table("", side=GERMAN, **{"turn": turn, "air_superiority": True} | fields)
    )


@rule("anzio", "D2A")
def test_six_hexes_are_air_bases():
    assert codes(G.air_bases) == set(BASES.split())
    for base in BASES.split():
        assert not sky(air=1, friendly=mask(base))


@rule("anzio", "D2B")
def test_allied_cover_reaches_to_the_bottom_fold():
    found = allied_sky(WAR, table("", turn=1))
    assert found >> at("N61") & 1
    assert not found >> at("K57") & 1
    assert allied_sky(WAR, table("", turn=1, air=1)) == G.land


@rule("anzio", "D2C1")
def test_germans_north_of_the_fold_attack_a_column_higher_wherever_the_defenders_are():
    def columns(air: bool, attacker: str, defender: str):
        pos = table(f"{attacker} @ L57; {defender} @ M57", "combat", GERMAN, turn=1)
        pos.air_superiority = air
        found = odds(WAR, pos, units(attacker), mask("M57"))
        return found.shifted, is_allowed(WAR, pos, units(attacker), mask("M57"))

    assert not G.bottom_north >> at("M57") & 1  # on the fold
    (plain, _), (lifted, _) = columns(False, "16 Pz", "5 Br"), columns(True, "16 Pz", "5 Br")
    assert lifted == plain + 1
    assert not columns(False, "NW 71", "56 Br")[1]  # 1-5
    assert columns(True, "NW 71", "56 Br") == (0, True)  # 1-4
    south = table("16 Pz @ Q62; 5 Br @ Q63", "combat", GERMAN, turn=1, air_superiority=True)
    assert air_columns(WAR, south, units("16 Pz")) == 0


@rule("anzio", "D2C2")
def test_half_of_the_units_must_have_cover():
    def columns(south: str, north: str) -> int:
        pos = table(f"{south} @ Q62; {north} @ L57", "combat", GERMAN, turn=1, air_superiority=True)
        return air_columns(WAR, pos, units(f"{south}, {north}"))

    assert columns("16 Pz", "NW 71") == 1  # one of two, whatever their size
    assert columns("16 Pz, 29 PzG", "NW 71") == 0


@rule("anzio", "D2D1")
def test_the_cover_is_lost_in_the_german_turn_after_that_of_a_capture():
    napoli = mask("K57")
    assert sky(1, friendly=napoli)  # taken in this game-turn
    pos = table("", "settling", GERMAN, turn=1, friendly=napoli, air_superiority=True)
    after = play(pos, settle).position
    after.turn = 2
    assert not german_sky(WAR, after)


@rule("anzio", "D2D2")
def test_there_is_no_cover_in_mud():
    assert sky(5)
    assert not sky(6)


@rule("anzio", "D2E")
def test_the_cover_is_back_as_soon_as_all_bases_are_german():
    pos = table(
        "16 Pz @ K56", "combat", GERMAN, turn=2, air=1, friendly=mask("K57"), air_superiority=True
    )
    assert not german_sky(WAR, pos)
    pos.friendly = 0
    assert german_sky(WAR, pos) >> at("K57") & 1


@rule("anzio", "D2F")
def test_from_oct_ii_the_allies_have_column_m_and_all_west_of_it():
    early, late = sky(4), sky(5)
    assert late < early
    assert all(WAR.board.code(h)[0] > "M" for h in bits(late))
    assert late >> at("X46") & 1
    allied = allied_sky(WAR, table("", turn=5))
    assert allied >> at("F45") & 1
    assert not allied >> at("X46") & 1
