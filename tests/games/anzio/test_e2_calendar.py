import pytest

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.e2_calendar import weather_phase
from apennine.games.anzio.rules.e4_cards import cards_phase
from apennine.games.anzio.table.position import ALLIED, GERMAN, MUD_WEATHER, OPEN
from apennine.kernel.decision import Procedure
from apennine.testing import rule
from tests.games.anzio.advanced import SCENARIOS, draw_cards, field, thrown, turn_of
from tests.games.anzio.drawing import WAR, at, do, mask, play, rolls, units, verbs
from tests.games.anzio.playing import PLAYED, start

WEEKS = WAR.book.turns
FORTS_1943 = [week.fort_die for week in WEEKS[:15]]


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


@rule("anzio", "E1A")
def test_the_three_games_end_in_december_1943_june_1944_and_april_1945():
    ends = {key: WEEKS[s.last - 1].name for key, s in SCENARIOS.items() if s.advanced}
    assert ends == {
        "game-1": "Dec IV 1943",
        "game-2": "June III 1944",
        "game-3": "Apr IV 1945",
    }
    assert SCENARIOS["game-3"].last == 79


@rule("anzio", "E1C")
@pytest.mark.parametrize("key", ["game-1", "game-2", "game-3"])
def test_all_supplements_are_in_force(key: str):
    pos, basic = start(key), start("basic")
    for switch in PLAYED.switches:
        assert getattr(pos, switch.key)
        assert not getattr(basic, switch.key)


@rule("anzio", "E2A4")
@pytest.mark.parametrize(
    ("turn", "die", "mud"),
    [
        ("Oct I 1943", 2, True),
        ("Oct II 1943", 3, False),
        ("Nov III 1943", 5, True),
        ("Nov III 1944", 6, False),
    ],
)
def test_a_die_says_at_the_start_of_the_allied_turn_whether_there_is_mud(turn, die, mud):
    match = thrown(field("", turn, phase="weather"), weather_phase, die)
    assert WAR.in_mud(match.position) == mud
    assert len(rolls(match)) == 1


@rule("anzio", "E2A4")
def test_no_weather_is_rolled_from_may_to_september():
    for name in ("Sept II 1943", "May I 1944", "Sept IV 1944"):
        match = play(field("", name, phase="weather"), weather_phase)
        assert not rolls(match)
        assert not WAR.in_mud(match.position)


def fort_allowed(turn: str, *dice: int, **fields) -> bool:
    match = thrown(field("1 Para @ T30", turn, GERMAN, "cards", **fields), cards_phase, *dice)
    pos = match.position
    pos.phase, pos.held = "movement", -1 & WAR.ground.land
    return "build fort" in verbs(play(pos, moves))


@rule("anzio", "E2A5a")
def test_where_the_card_has_an_x_a_fort_may_be_built():
    assert FORTS_1943.count(6) == 3
    assert fort_allowed("Oct I 1943")
    assert not fort_allowed("Sept IV 1943")
    assert fort_allowed("June I 1944")


@rule("anzio", "E2A5b")
def test_on_six_turns_of_1943_a_fort_takes_a_one_or_a_two():
    assert FORTS_1943.count(2) == 6
    assert fort_allowed("Oct II 1943", 2)
    assert not fort_allowed("Oct II 1943", 3)


@rule("anzio", "E2A5c")
def test_there_are_thirteen_forts_and_a_destroyed_one_is_received_again():
    works = mask("T20 T22 T24 T26 T28 R20 R22 R24 R26 R28 P20 P22 P24")
    assert works.bit_count() == 13
    pos = field("1 Para @ T30", "June I 1944", GERMAN, held=WAR.ground.land, works=works)
    assert "build fort" not in verbs(play(pos, moves))
    pos.works &= ~mask("T20")
    match = play(pos, moves)
    do(match, "build fort", hex="T20")
    assert match.position.works == works


@rule("anzio", "E2A6")
def test_the_allies_start_with_two_port_counters_and_get_one_where_the_card_says():
    assert draw_cards(ALLIED, "Sept II 1943").position.ports == 2
    assert draw_cards(ALLIED, "Nov I 1943", ports=1).position.ports == 2
    assert draw_cards(ALLIED, "Nov III 1943", ports=1).position.ports == 1


@rule("anzio", "E16A")
def test_counters_in_use_and_in_hand_are_never_more_than_eight():
    bases = [OPEN] * 8 + [0] * (len(WAR.ground.bases) - 8)
    assert draw_cards(ALLIED, "Mar I 1945", bases=bases).position.ports == 0
    bases[7] = 0
    assert draw_cards(ALLIED, "Mar I 1945", bases=bases).position.ports == 1


@rule("anzio", "E2A2", "C11A12")
def test_replacements_come_by_the_card_of_which_one_is_armor_if_there_are_two():
    pos = draw_cards(GERMAN, "Jan I 1945").position
    assert pos.credit == [0, 1, 1]
    assert draw_cards(GERMAN, "Feb II 1945").position.credit == [0, 1, 0]
    assert draw_cards(ALLIED, "Sept III 1944").position.credit == [1, 0, 0]
    assert all(week.infantry or not week.armor for week in WEEKS)


@rule("anzio", "E13C4")
def test_what_the_germans_kept_of_their_air_is_lost_in_mud():
    guarded = units("1 Para, 56 Br")
    pos = field("1 Para @ T30; 56 Br @ T40", "Oct I 1943", phase="weather", guarded=guarded)
    match = thrown(pos, weather_phase, 1)
    assert match.position.weather == MUD_WEATHER
    assert match.position.guarded == units("56 Br")
    assert thrown(pos, weather_phase, 6).position.guarded == guarded
    assert at("T30") == match.position.hex[WAR.number["1 Para"]]
    assert turn_of("Oct I 1943") == 4
