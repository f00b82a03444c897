"""E13 to E15: German aircraft, Air Strikes, and the dates of invasions."""

import pytest

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_duty import next_round
from apennine.games.anzio.rules.b4g_retreat import in_forts
from apennine.games.anzio.rules.b4h_odds import is_allowed, odds
from apennine.games.anzio.rules.c5_invasion import lift_of
from apennine.games.anzio.rules.c9_supply import german_unfed
from apennine.games.anzio.rules.d3_fire import AIR, LUFTWAFFE, NAVAL, load_guns, price
from apennine.games.anzio.rules.e13_support import keep_sorties, strikes_on
from apennine.games.anzio.rules.e15_invasions import chances
from apennine.games.anzio.table.position import ALLIED, DUE, GERMAN, MUD_WEATHER, Table
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.advanced import field, turn_of
from tests.games.anzio.drawing import (
    WAR,
    at,
    base,
    do,
    hexes,
    mask,
    number,
    play,
    refused,
    units,
    verbs,
)

G = WAR.ground
STRIKE_TURN = "Apr III 1944"


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


# Supporting fire.


@rule("anzio", "E13B")
def test_the_weekly_support_of_the_allies_goes_on_to_1945():
    for turn in ("Oct II 1943", "June IV 1944", "Apr IV 1945"):
        pos = field("", turn)
        load_guns(WAR, pos)
        assert (pos.fire[NAVAL], pos.fire[AIR]) == (1, 3)
    pos.weather = MUD_WEATHER
    load_guns(WAR, pos)
    assert (pos.fire[NAVAL], pos.fire[AIR]) == (1, 0)


def loaded(pos: Table, turn: str, weather: int = 1) -> int:
    """The German factors of a turn."""
    pos.turn, pos.weather, pos.side = turn_of(turn), weather, GERMAN
    load_guns(WAR, pos)
    return pos.fire[LUFTWAFFE]


def used(pos: Table, factors: int) -> None:
    """A German turn ends in which so many factors have been used."""
    pos.fire[LUFTWAFFE] -= factors
    keep_sorties(WAR, pos)


@rule("anzio", "E13C")
def test_the_germans_have_a_factor_a_month_then_one_for_the_year():
    pos = field("", "Oct I 1943", invaded=1, invasions=1)
    assert loaded(pos, "Oct I 1943") == 1
    used(pos, 0)
    assert loaded(pos, "Oct II 1943") == 1
    used(pos, 1)
    assert loaded(pos, "Oct III 1943") == 0
    used(pos, 0)
    assert loaded(pos, "Nov I 1943") == 1
    used(pos, 1)
    assert loaded(pos, "June IV 1944") == 1
    used(pos, 1)
    assert [loaded(pos, t) for t in ("July I 1944", "Oct I 1944", "Dec IV 1944")] == [0, 0, 0]
    assert loaded(pos, "Jan I 1945") == 1
    used(pos, 1)
    assert loaded(pos, "Feb I 1945") == 0


@rule("anzio", "E13C", "E13C4")
def test_a_mud_turn_keeps_the_factor_of_the_month_but_not_that_of_the_second_invasion():
    pos = field("", "Dec I 1943", invasions=3, wave=1, sorties=1)
    pos.invaded = pos.second = turn_of("Dec II 1943")
    assert loaded(pos.copy(), "Dec II 1943") == 1 + 2
    assert loaded(pos, "Dec II 1943", MUD_WEATHER) == 0
    used(pos, 0)
    assert loaded(pos, "Dec III 1943") == 1


@rule("anzio", "E13D")
def test_a_unit_of_stacking_0_costs_a_factor_to_interdict():
    assert WAR.stacking[number("Tiger 508")] == 0
    assert price(WAR, number("Tiger 508")) == 1


# Air Strikes.


def strikes(turn: str, **fields) -> bool:
    match = play(field("56 Br @ K57", turn, **fields), moves)
    return "air strike" in verbs(match)


@rule("anzio", "E14A")
def test_a_strike_is_for_good_weather_in_april_or_may_1944_and_april_1945_once_each():
    assert strikes("Apr I 1944")
    assert strikes("May IV 1944")
    assert not strikes("June I 1944")
    assert not strikes("Mar IV 1944")
    assert not strikes("Apr I 1944", weather=MUD_WEATHER)
    assert not strikes("May I 1944", strike=turn_of("Apr II 1944"))
    assert strikes("Apr I 1945", strike=turn_of("Apr II 1944"))
    assert not strikes("Apr III 1945", strike=turn_of("Apr I 1945"))


@rule("anzio", "E14B")
def test_in_a_strike_there_are_naval_guns_and_no_aircraft():
    pos = field("56 Br @ K57; 5 Br @ W52", STRIKE_TURN, fire=[1, 3, 0], guarded=units("5 Br"))
    match = play(pos, moves)
    do(match, "air strike")
    assert match.position.fire == [1, 0, 0]
    assert not match.position.guarded


HILL = "56 Br, 46 Br @ W53; 1 Para @ W52"


def strike_field(counters: str = HILL, side: int = ALLIED, **fields) -> Table:
    turn = fields.pop("turn", STRIKE_TURN)
    return field(counters, turn, side, "combat", strike=turn_of(STRIKE_TURN), air=1, **fields)


@rule("anzio", "E14C")
def test_forts_are_of_no_use_in_the_game_turn_of_a_strike_but_stay():
    works = mask("W52")
    pos = strike_field(side=GERMAN, works=works)
    assert not in_forts(WAR, pos, units("1 Para"))
    pos.turn += 1
    assert in_forts(WAR, pos, units("1 Para")) == units("1 Para")
    assert pos.works == works


@rule("anzio", "E14D")
def test_a_strike_raises_allied_odds_by_three_columns_and_german_ones_not():
    attackers, target = units("56 Br, 46 Br"), mask("W52")
    pos = strike_field()
    plain = field(HILL, STRIKE_TURN, phase="combat", air=1)
    assert (
        odds(WAR, pos, attackers, target).column == odds(WAR, plain, attackers, target).column + 3
    )
    pos.side = GERMAN
    assert not strikes_on(WAR, pos, mask("W53"))
    weak = strike_field("231 Br @ W53; 1 Para @ W52")  # 1-10
    assert not is_allowed(WAR, weak, units("231 Br"), target)
    weak = strike_field("231 Br @ W53; HG @ W52")  # 1-8
    assert not is_allowed(WAR, weak, units("231 Br"), target)
    weak.steps[number("HG")] -= 1  # 1-7
    assert is_allowed(WAR, weak, units("231 Br"), target)


@rule("anzio", "E14E")
def test_there_is_no_fifth_combat_in_a_strike():
    for round, after in ((3, 4), (4, 0)):
        pos = strike_field(round=round, forward=units("56 Br"))
        next_round(WAR, pos)
        assert pos.round == after
    pos = field(HILL, STRIKE_TURN, phase="combat", round=4, forward=units("56 Br"))
    next_round(WAR, pos)
    assert pos.round == 5


@rule("anzio", "E14F")
def test_without_an_air_base_a_strike_helps_only_under_allied_skies():
    pos = strike_field("56 Br @ W53; 1 Para @ W52")
    assert strikes_on(WAR, pos, mask("T30"))
    pos.air = 0
    assert not strikes_on(WAR, pos, mask("T30"))
    assert strikes_on(WAR, pos, mask("H45"))  # west of column M, from the islands


# Invasions.


def landing(turn: str, game: str = "game-3", **fields) -> set[str]:
    """The zones that may be invaded in a turn, by their first hex."""
    given = {"ports": 2, "invaded": 1, "invasions": 1}
    pos = field("36 US @ Sicilia", turn, game=game, **given | fields)
    match = play(pos, moves)
    return hexes(match, "invade") if "invade" in verbs(match) else set()


@rule("anzio", "E15B")
def test_all_thirteen_zones_may_be_invaded():
    pos = field("36 US @ Sicilia", "Sept II 1943", ports=2, oob=0)
    found = hexes(play(pos, moves), "invade")
    zones = [b for b in G.bases if not b.is_port]
    assert len(zones) == 13
    assert all(zone.hexes & mask(" ".join(found)) for zone in zones)


@rule("anzio", "E2A7")
@pytest.mark.parametrize(
    ("game", "turn", "may"),
    [
        ("game-1", "Oct IV 1943", False),
        ("game-1", "Nov I 1943", True),
        ("game-2", "Nov II 1943", False),
        ("game-2", "Nov III 1943", True),
        ("game-2", "Feb IV 1944", False),
        ("game-3", "Mar II 1944", True),
        ("game-3", "Mar III 1944", False),
        ("game-3", "July II 1944", False),
        ("game-3", "Apr IV 1945", True),
    ],
)
def test_invasions_are_made_on_the_turns_of_the_card(game: str, turn: str, may: bool):
    assert bool(landing(turn, game)) == may


def lifts(game: str, turn: str, **fields) -> list[int]:
    pos = field("", turn, game=game, **{"invaded": 1, "invasions": 1} | fields)
    return sorted(invasion.percent for _, invasion in chances(WAR, pos))


@rule("anzio", "E15D1")
def test_game_i_has_one_more_invasion_at_three_quarters():
    assert lifts("game-1", "Nov I 1943") == [75]
    assert lifts("game-1", "Dec IV 1943", invasions=0b11) == []


@rule("anzio", "E15D2")
def test_game_ii_has_two_more_and_one_in_its_last_weeks():
    assert lifts("game-2", "Nov III 1943") == lifts("game-2", "Feb III 1944") == [75, 100]
    assert lifts("game-2", "Feb III 1944", invasions=0b11) == [75]
    assert lifts("game-2", "June II 1944") == lifts("game-2", "June III 1944") == [50]
    assert lifts("game-2", "May IV 1944") == []


@rule("anzio", "E15D3")
def test_game_iii_has_two_in_the_winter_and_two_from_july():
    assert lifts("game-3", "Mar II 1944") == [75, 100]
    assert lifts("game-3", "July III 1944") == lifts("game-3", "Apr IV 1945") == [50, 75]


@rule("anzio", "E15F")
def test_six_turns_lie_between_two_invasions():
    dec = turn_of("Dec I 1943")
    for turn, found in (("Jan III 1944", []), ("Jan IV 1944", [75])):
        assert lifts("game-3", turn, invaded=dec, invasions=0b11) == found


@rule("anzio", "E15G", "E15E")
def test_the_allies_choose_which_lift_goes_first_and_build_up_is_whole():
    pos = field("36 US @ Sicilia", "Dec I 1943", ports=2, invaded=1, invasions=1)
    for verb, percent in (("invade", 100), ("invade with less", 75)):
        match = play(pos, moves)
        do(match, verb, hex="N61")
        zone = base("Salerno zone")
        lift = -(-G.bases[zone].lift * percent // 100)
        assert lift_of(WAR, match.position) == lift
        assert match.position.second == match.position.turn
    from apennine.games.anzio.rules.c7_sea import intake

    late = match.position
    late.bases[zone] = 2
    assert intake(WAR, late, zone) == G.bases[zone].build_up
    assert refused(play(pos, moves), "invade", hex="K23").rule == "C5A2"


@rule("anzio", "E17A", "E17B")
def test_commandos_raid_anywhere_on_any_turn():
    pos = field("2SS @ Sicilia", "Sept I 1944", invaded=turn_of("Aug IV 1944"))
    found = hexes(play(pos, moves), "raid")
    assert mask(" ".join(found)) & G.middle_north
    assert not lifts("game-3", "Sept I 1944", invaded=turn_of("Aug IV 1944"))


# The edges.


@rule("anzio", "E20A")
def test_from_june_iv_1944_the_germans_are_fed_from_the_north_east_alone():
    line = "LAH @ A13; 56 Br @ D11; 5 Br @ D13; 46 Br @ C15"
    early = field(line, "June III 1944")
    assert not german_unfed(WAR, early)
    assert WAR.german_edge(early) == G.german_edge
    late = field(line, "June IV 1944")
    assert german_unfed(WAR, late) == units("LAH")
    assert WAR.german_edge(late) == G.late_edge
    assert at("O5") in [h for h in range(G.late_edge.bit_length()) if G.late_edge >> h & 1]


@rule("anzio", "E20B", "E5D5a")
def test_reinforcements_come_by_the_edges_that_supply_comes_by():
    for turn, edge in (
        ("June III 1944", G.german_edge),
        ("June IV 1944", G.late_edge),
    ):
        pos = field("", turn, GERMAN)
        pos.hex[number("71 Inf")] = DUE
        match = play(pos, moves)
        do(match, "move", "71 Inf")
        assert mask(" ".join(hexes(match, "come on"))) & ~edge == 0
        assert mask(" ".join(hexes(match, "come on")))
