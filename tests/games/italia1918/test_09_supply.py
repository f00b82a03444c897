"""Chapters 9 and 10: supply and the weather."""

import pytest

from apennine.games.italia1918.rules.c09_supply import (
    check_units,
    command,
    displace_headquarters,
    linked,
    supplied,
    supply_phase,
)
from apennine.games.italia1918.rules.c10_weather import in_fog, may_fly, weather_phase
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, FAIR, LOST, POOR, Table
from apennine.games.italia1918.telling.view import view_status
from apennine.hexes import NO_SIDES
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    codes,
    events,
    mask,
    number,
    play,
    table,
    told,
    units,
)


def fed(pos: Table, side: int) -> set[str]:
    return codes(supplied(WAR, pos, side))


def in_command(counters: str, side: int = CENTRAL, scenario: str = "vittorio") -> set[str]:
    return codes(command(WAR, table(counters, scenario=scenario), side))


# Headquarters


@rule("italia1918", "9.1a")
def test_a_headquarters_needs_a_line_of_any_length_to_a_source():
    pos = table("HQ 6 Armee @ W2033")
    assert linked(WAR, pos, CENTRAL) >> at("W2033") & 1
    assert linked(WAR, pos, CENTRAL) >> at("W0113") & 1  # far from any source, and no enemy near


WALL = """
    22 DF @ W2126; 37 DF @ W2128; 4 DF @ W2130; 48 DF @ W2132; 54 DF @ W2032; 17 DF @ W1832;
    33 DF @ W1830; 15 DF @ W1828; 18 DF @ W1926; 24 DF @ W2026
"""
"""A ring of Italian divisions around W1929 and W1930."""


@rule("italia1918", "9.1b")
def test_enemies_and_their_zones_cut_the_line_unless_a_friend_is_there():
    cut = table(WALL + "; HQ 6 Armee @ W1929")
    assert not linked(WAR, cut, CENTRAL) >> at("W1929") & 1
    zones = WALL.replace("4 DF @ W2130; ", "").replace("W2128", "W2129").replace("W2132", "W2131")
    shut = table(zones + "; HQ 6 Armee @ W1929")
    assert not linked(WAR, shut, CENTRAL) >> at("W1929") & 1
    held = "; 4 ID @ W2029; 13 SchD @ W2130; 33 ID @ W2230"
    joined = table(zones + held + "; HQ 6 Armee @ W1929")
    assert linked(WAR, joined, CENTRAL) >> at("W1929") & 1


@rule("italia1918", "9.1c")
def test_sources_are_on_the_edges_of_each_side():
    theatre = WAR.theatres[5]
    assert mask("W3920 E3910 E2037") & ~theatre.sources[CENTRAL] == 0
    assert mask("W0115") & ~theatre.sources[ENTENTE] == 0
    assert not theatre.sources[CENTRAL] & theatre.sources[ENTENTE]


@rule("italia1918", "9.1d", "9.1p")
def test_venezia_is_a_source_in_w0337():
    assert WAR.theatres[5].sources[ENTENTE] >> at("W0337") & 1
    assert not WAR.theatres[5].sources[ENTENTE] >> at("W0336") & 1
    assert WAR.ground.kind("objective") >> at("W0336") & 1


@rule("italia1918", "9.1e", "9.1f")
def test_a_headquarters_without_a_line_goes_back_until_it_has_one():
    pos = table(WALL + "; HQ 6 Armee @ W1929")
    match = play(pos, lambda war, pos: displace_headquarters(war, pos, CENTRAL))
    (event,) = events(match, "is displaced")
    after = match.position
    assert linked(WAR, after, CENTRAL) >> event.hex & 1
    assert not WAR.ground.high >> event.hex & 1
    source = WAR.theatres[5].sources[CENTRAL]
    away = WAR.ground.spread(source, ((WAR.ground.open, 1),))
    assert away[event.hex] < away[at("W1929")]
    walked = WAR.lattice.distance(at("W1929"), event.hex)
    assert away[at("W1929")] - away[event.hex] == walked  # on a shortest way


# The Command Radius


@rule("italia1918", "9.1g", "9.1l")
def test_the_radius_counts_hexes_and_rough_ground_off_the_road_twice():
    plain = in_command("HQ Isonzo A @ E2110")
    assert WAR.roster[number("HQ Isonzo A")].value == 12
    assert "E2210" in plain
    rough = WAR.ground.rough
    for code in plain:
        assert WAR.lattice.distance(at("E2110"), at(code)) <= 12
    mountain = in_command("HQ Gr Belluno @ W2933")
    far = [code for code in mountain if WAR.lattice.distance(at("W2933"), at(code)) == 12]
    assert all(not rough >> at(code) & 1 for code in far)
    near = WAR.lattice.disc(at("W2933"), 12) & WAR.ground.land
    assert len(mountain) < near.bit_count()


@rule("italia1918", "9.1j")
def test_enemies_and_zones_stop_the_radius():
    assert "E2105" in in_command("HQ Isonzo A @ E2110")
    barred = in_command("HQ Isonzo A @ E2110; 22 DF @ E2107; 37 DF @ E2307; 4 DF @ E1907")
    assert "E2107" not in barred
    assert "E2108" not in barred
    held = in_command("HQ Isonzo A @ E2110; 22 DF @ E2107; 4 ID @ E2108")
    assert "E2108" in held


@rule("italia1918", "9.1k", "11.2.5l")
def test_an_unbridged_major_river_is_crossed_for_one_hex_and_no_more():
    down = WAR.theatres[5].broken
    south = table("HQ III Armata @ W1436", side=ENTENTE, broken=down)
    reached = codes(command(WAR, south, ENTENTE))
    assert "W1637" in reached  # across the Piave
    assert "W1737" not in reached
    bridged = table("HQ III Armata @ W1436", side=ENTENTE, broken=0)
    assert "W1737" in codes(command(WAR, bridged, ENTENTE))


@rule("italia1918", "9.1k")
def test_a_pontoon_bridge_carries_supply_for_its_owner():
    d = WAR.lattice.direction(at("W1537"), at("W1637"))
    floats = [(ENTENTE, at("W1537"), d)]
    pos = table("HQ III Armata @ W1436", broken=WAR.theatres[5].broken, pontoons=floats)
    assert "W1737" in codes(command(WAR, pos, ENTENTE))
    theirs = [(CENTRAL, at("W1537"), d)]
    pos = table("HQ III Armata @ W1436", broken=WAR.theatres[5].broken, pontoons=theirs)
    assert "W1737" not in codes(command(WAR, pos, ENTENTE))


@rule("italia1918", "9.1n")
def test_minor_roads_count_as_roads_for_supply():
    assert WAR.ground.minor_road_hexes & WAR.ground.mountains
    assert not WAR.ground.rough & WAR.ground.minor_road_hexes


# Units


@rule("italia1918", "9.1h", "9.1i")
def test_an_edge_or_a_depot_supplies_twenty_hexes_without_a_headquarters():
    edge = fed(table(), CENTRAL)
    assert "E3020" in edge
    assert "E1408" not in edge  # 25 hexes from the northern edge
    without = fed(table(scenario="caporetto"), ENTENTE)
    with_depot = fed(table("Depot Udine @ E2720", scenario="caporetto"), ENTENTE)
    assert "E3034" not in without
    assert "E2730" in with_depot - without


@rule("italia1918", "15.5a", "9.3d")
def test_a_depot_supplies_its_side_and_is_always_in_supply():
    ring = (
        "4 ID @ E2718; 13 SchD @ E2722; 33 ID @ E2922; 1 ID @ E2919; 28 ID @ E2519; 10 ID @ E2521"
    )
    pos = table(f"Depot Udine @ E2720; 22 DF @ E2820; {ring}", scenario="caporetto", side=ENTENTE)
    match = play(pos, lambda war, pos: check_units(war, pos, ENTENTE))
    assert match.position.hex[number("Depot Udine")] == at("E2720")
    assert not match.position.hungry


CUT_OFF = WALL + "; 4 ID @ W1929; CArt II K @ W1930"


@rule("italia1918", "9.1o", "9.3a")
def test_units_without_a_line_are_marked_and_supports_are_lost():
    match = play(table(CUT_OFF), lambda war, pos: check_units(war, pos, CENTRAL))
    assert match.position.hungry == units("4 ID")
    assert match.position.hex[number("CArt II K")] == LOST


@rule("italia1918", "9.2d")
def test_a_unit_that_was_marked_already_is_lost():
    pos = table(CUT_OFF, hungry=units("4 ID"))
    match = play(pos, lambda war, pos: check_units(war, pos, CENTRAL))
    assert match.position.hex[number("4 ID")] == LOST


@rule("italia1918", "9.2e")
def test_a_unit_with_a_line_again_loses_its_marker():
    pos = table("4 ID @ W3930", hungry=units("4 ID"))
    match = play(pos, lambda war, pos: check_units(war, pos, CENTRAL))
    assert match.position.hungry == 0


@rule("italia1918", "9.3b", "9.3c")
def test_headquarters_and_assault_troops_are_not_lost_as_supports():
    pos = table(CUT_OFF + "; SturmB 1 @ W1929", hosts={"SturmB 1": "4 ID"})
    match = play(pos, lambda war, pos: check_units(war, pos, CENTRAL))
    assert match.position.hex[number("SturmB 1")] == at("W1929")
    assert "out of supply" in view_status(WAR, match.position, number("SturmB 1"))
    staff = play(table(WALL + "; HQ 6 Armee @ W1929"), supply_phase)
    assert staff.position.hex[number("HQ 6 Armee")] >= 0


@rule("italia1918", "9.1a", "9.1e")
def test_headquarters_are_looked_at_before_the_units_they_supply():
    pos = table(WALL + "; HQ 6 Armee, 4 ID @ W1929")
    match = play(pos, supply_phase)
    assert told(match, "is displaced") == ["HQ 6 Armee"]
    assert match.position.hungry & WAR.army[CENTRAL] == units("4 ID")


@rule("italia1918", "9.1m")
def test_rivers_do_not_bind_the_line_of_a_headquarters():
    pos = table("HQ Isonzo A @ W1436", broken=WAR.theatres[5].broken)
    assert linked(WAR, pos, CENTRAL) >> at("W1436") & 1


def test_boats_supply_the_amalfi_battery():
    pos = table("Amalfi @ E0402", scenario="albrecht")
    assert "E0402" in fed(pos, ENTENTE)
    assert WAR.ground.boats != NO_SIDES


# Weather


def weather(*dice: tuple[int, ...], turn: int = 32, scenario: str = "vittorio") -> Match[Table]:
    match = play(table(turn=turn, scenario=scenario), weather_phase)
    for faces in dice:
        match.roll(*faces)
    assert match.outcome
    return match


@rule("italia1918", "10.0a")
@pytest.mark.parametrize(
    ("dice", "found"),
    [
        *(((1, 1), FAIR), ((2, 2), FAIR), ((2, 3), POOR), ((3, 3), POOR)),
        *(((4, 4), FAIR), ((4, 5), FAIR), ((5, 5), POOR), ((6, 6), POOR)),
    ],
)
def test_two_dice_make_the_weather(dice: tuple[int, int], found: int):
    pos = weather(dice).position
    assert (pos.weather, pos.fog) == (found, False)


@rule("italia1918", "10.0b")
@pytest.mark.parametrize(("die", "found"), [(2, FAIR), (3, POOR)])
def test_a_seven_is_fog_and_a_die_tells_what_follows(die: int, found: int):
    pos = weather((3, 4), (die,)).position
    assert (pos.weather, pos.fog) == (found, True)


@rule("italia1918", "S5.S2", "S1.S4")
@pytest.mark.parametrize(("scenario", "turn"), [("vittorio", 31), ("caporetto", 1)])
def test_fog_then_poor_weather_opens_two_scenarios(scenario: str, turn: int):
    pos = weather(turn=turn, scenario=scenario).position
    assert (pos.weather, pos.fog) == (POOR, True)
    weather((4, 4), turn=turn + 1, scenario=scenario)


@rule("italia1918", "S2.S2", "S3.S2", "S4.S2")
@pytest.mark.parametrize("scenario", ["radetzky", "albrecht", "solstice"])
def test_fog_and_a_die_open_those_of_june(scenario: str):
    pos = weather((4,), turn=24, scenario=scenario).position
    assert (pos.weather, pos.fog) == (FAIR, True)
    later = table(turn=24, scenario=scenario, sequence=2)
    match = play(later, weather_phase)
    match.roll(5, 6)
    assert not match.position.fog


@rule("italia1918", "S0.S3a")
def test_on_the_grappa_the_weather_is_never_rolled():
    pos = weather(turn=17, scenario="grappa").position
    assert (pos.weather, pos.fog) == (POOR, True)
    pos = weather(turn=18, scenario="grappa").position
    assert (pos.weather, pos.fog) == (POOR, False)


@rule("italia1918", "10.0c", "10.0f", "10.0h")
def test_when_nothing_flies():
    assert may_fly(WAR, table(turn=32))
    assert not may_fly(WAR, table(turn=32, weather=POOR))
    assert not may_fly(WAR, table(turn=32, side=ENTENTE, fog=True))  # the Entente attacks
    assert in_fog(WAR, table(turn=32, side=ENTENTE, fog=True))
    assert may_fly(WAR, table(turn=32, side=CENTRAL, fog=True))


@rule("italia1918", "1.0b", "S0.S3b")
def test_nothing_flies_over_the_grappa():
    assert not may_fly(WAR, table(scenario="grappa"))
