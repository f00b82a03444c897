"""Chapter 17: air superiority and missions."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c10_weather import may_fly
from apennine.games.italia1918.rules.c11_march import find_reach
from apennine.games.italia1918.rules.c15_bombardment import column, strength
from apennine.games.italia1918.rules.c17_air import (
    landing_phase,
    missions_phase,
    superiority_phase,
)
from apennine.games.italia1918.table.position import (
    AVAILABLE,
    CENTRAL,
    ENTENTE,
    FAIR,
    MISSIONS,
    POOR,
    Table,
)
from apennine.kernel.decision import Roll
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    asked,
    at,
    begin,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    table,
    units,
    verbs,
)
from tests.games.italia1918.fighting import battle

ITALIAN = ("Air It1", "Air It2", "Air It3", "Air RAF", "Air Fr")
STAFF = "HQ III Armata @ W1036; 37 DF @ E1102; 4 ID @ E1103"


def sky(boxes: dict[str, int], counters: str = STAFF, side: int = ENTENTE, **fields: Any) -> Table:
    """A position with air supports in their boxes."""
    pos = table(counters, side, **{"flying": True, "phase": "missions", "turn": 32} | fields)
    for unit, box in boxes.items():
        pos.hex[number(unit)] = box
    return pos


def where(match: Match[Table], *names: str) -> list[int]:
    """Where some supports are."""
    return [match.position.hex[number(name)] for name in names]


# Superiority


@rule("italia1918", "17.1c")
def test_supports_in_the_missions_box_come_back_first():
    pos = sky({"Air It1": MISSIONS, "Air AH1": MISSIONS, "Air It2": AVAILABLE}, turn=31)
    match = play(pos, superiority_phase)
    assert where(match, "Air It1", "Air AH1") == [AVAILABLE, AVAILABLE]


@rule("italia1918", "17.1d")
@pytest.mark.parametrize(
    ("turn", "die", "side", "count"),
    [(1, 1, CENTRAL, 3), (1, 5, ENTENTE, 1), (24, 3, ENTENTE, 1), (31, 1, CENTRAL, 1)],
)
def test_a_die_changed_by_the_time_gives_the_sky(turn: int, die: int, side: int, count: int):
    scenario = {1: "caporetto", 24: "radetzky", 31: "vittorio"}[turn]
    boxes = dict.fromkeys(("Air G1", "Air G2", "Air AH1", *ITALIAN), AVAILABLE)
    match = play(sky(boxes, scenario=scenario, turn=turn), superiority_phase)
    match.roll(die)
    while match.decision:
        match.roll(1)
    ready = [name for name in boxes if match.position.hex[number(name)] == MISSIONS]
    assert len(ready) == count
    assert {WAR.side_of[number(name)] for name in ready} == {side}


@rule("italia1918", "17.1e")
def test_supports_are_drawn_at_random_and_all_are_taken_if_there_are_too_few():
    match = play(sky(dict.fromkeys(ITALIAN, AVAILABLE), turn=31), superiority_phase)
    match.roll(4)  # six with two squadrons: three supports
    assert isinstance(match.decision, Roll)
    assert match.decision.sides == (5,)
    match.roll(5)
    match.roll(1)
    match.roll(1)
    assert where(match, "Air Fr", "Air It1", "Air It2") == [MISSIONS] * 3
    few = play(sky({"Air It1": AVAILABLE}, turn=31), superiority_phase)
    few.roll(6)
    assert few.outcome
    assert where(few, "Air It1") == [MISSIONS]


@rule("italia1918", "1.0b", "17.1f")
def test_nobody_flies_if_the_rules_for_the_air_are_off():
    match = play(sky({"Air It1": AVAILABLE}, flying=False), superiority_phase)
    assert match.outcome
    assert where(match, "Air It1") == [AVAILABLE]
    assert not begin("grappa").flying
    assert begin("albrecht").flying


@rule("italia1918", "17.1b")
def test_no_scenario_has_air_reinforcements_so_all_begin_in_the_box():
    arrivals = {name for theatre in WAR.theatres for a in theatre.arrivals for name in a.units}
    assert (
        not {WAR.names[unit] for unit in range(len(WAR.names)) if WAR.aircraft >> unit & 1}
        & arrivals
    )
    pos = begin("vittorio")
    assert {pos.hex[number(name)] for name in ITALIAN} == {AVAILABLE}


CLAIMS = [
    ("albrecht", 24, 2, False),
    ("albrecht", 25, 2, True),
    ("solstice", 24, 4, True),
    ("vittorio", 31, 5, False),
    ("vittorio", 34, 5, True),
]


@rule("italia1918", "S3.S6a", "S4.S5a", "S5.S4")
@pytest.mark.parametrize(("scenario", "turn", "count", "may"), CLAIMS)
def test_the_entente_may_claim_the_sky_once(scenario: str, turn: int, count: int, may: bool):
    pos = begin(scenario)
    pos.turn, pos.phase, pos.side = turn, "air", WAR.theatres[pos.scenario].initiative
    match = play(pos, superiority_phase, superiority_phase)
    assert ("claim the sky" in verbs(match)) is may
    if may:
        assert asked(match).side == ENTENTE
        do(match, "claim the sky")
        assert isinstance(match.decision, Roll)  # the second time the die decides
        ready = sum(hex == AVAILABLE for hex in match.position.hex)
        assert count <= ready  # they have come home again


@rule("italia1918", "S3.S6a")
def test_a_claim_sends_all_supports_without_a_die():
    pos = begin("albrecht")
    pos.turn = 26
    match = play(pos, superiority_phase)
    do(match, "claim the sky")
    assert match.outcome
    ready = {WAR.names[u] for u, hex in enumerate(match.position.hex) if hex == MISSIONS}
    assert len(ready) == 2
    assert ready <= set(ITALIAN)


@rule("italia1918", "S3.S6b")
def test_without_a_claim_the_die_decides():
    pos = begin("albrecht")
    pos.turn = 25
    match = play(pos, superiority_phase)
    do(match, "let the die decide")
    assert isinstance(match.decision, Roll)
    assert not match.position.claimed


# Missions


def missions(
    counters: str = STAFF, boxes: tuple[str, ...] = ITALIAN[:2], **fields: Any
) -> Match[Table]:
    """Italian supports that may fly."""
    return play(sky(dict.fromkeys(boxes, MISSIONS), counters, **fields), missions_phase)


@rule("italia1918", "17.1f")
def test_only_supports_in_the_missions_box_fly_and_in_fair_weather():
    match = missions()
    assert names(match, "interdict with") == {"Air It1", "Air It2"}
    assert refused(match, "interdict with", "Air Fr", "E1103").rule == "17.1f"
    assert missions(weather=POOR).outcome  # 10.0c
    pos = sky({}, side=ENTENTE, fog=True, weather=FAIR)
    assert not may_fly(WAR, pos)  # in the phases of the side with the initiative
    pos.side = CENTRAL
    assert may_fly(WAR, pos)


@rule("italia1918", "17.1g")
def test_two_fly_to_a_hex_under_command():
    match = missions(boxes=ITALIAN[:3])
    assert refused(match, "interdict with", "Air It1", "W2709").rule == "17.1g"
    do(match, "interdict with", "Air It1", "E1103")
    assert "E1103" in hexes(match, "interdict with")
    do(match, "interdict with", "Air It2", "E1103")
    assert refused(match, "interdict with", "Air It3", "E1103").rule == "17.1g"
    assert match.position.hex[number("Air It1")] == at("E1103")


@rule("italia1918", "17.1h")
@pytest.mark.parametrize("side", [CENTRAL, ENTENTE])
def test_they_are_sent_out_in_the_movement_phase_of_either_side(side: int):
    match = missions(side=side)
    assert asked(match).side == ENTENTE
    do(match, "no more missions")
    assert match.outcome


@rule("italia1918", "17.1i", "17.1k")
@pytest.mark.parametrize(("die", "box"), [(1, MISSIONS), (2, MISSIONS), (3, AVAILABLE)])
def test_at_the_end_of_the_sequence_they_come_home(die: int, box: int):
    pos = sky({}, f"{STAFF}; Air It1 @ E1103 interdicting")
    match = play(pos, landing_phase)
    match.roll(die)
    assert where(match, "Air It1") == [box]
    assert not match.position.interdicting


@rule("italia1918", "17.2a")
def test_enemies_enter_a_hex_under_interdiction_for_a_point_more():
    def cost(marks: str, unit: str, here: str, to: str) -> float:
        pos = table(f"{unit} @ {here}; Air It1 @ E2209 {marks}")
        found = find_reach(WAR, pos, units(unit), at(here), 4 * WAR.scale, True)
        return found.cost(at(to)) / WAR.scale

    assert cost("", "4 ID", "E2210", "E2209") == 1  # by road
    assert cost("interdicting", "4 ID", "E2210", "E2209") == 2
    assert cost("interdicting", "37 DF", "E2210", "E2209") == 1  # a friend
    assert cost("interdicting", "4 ID", "E2210", "E2208") == 3  # through it, or around


@rule("italia1918", "17.2b")
def test_an_observer_flies_over_units():
    match = missions()
    assert hexes(match, "observe with", "Air It1") == {"E1102", "E1103", "W1036"}
    assert refused(match, "observe with", "Air It1", "E1104").rule == "17.2b"
    do(match, "observe with", "Air It1", "E1103")
    assert match.position.observing == units("Air It1")


GUNS = "4 ID @ W0504; 64 DF @ W0505; AArt 6 A @ W0404; CArt I CdA @ W0506"


@rule("italia1918", "17.2b")
def test_an_observer_shifts_a_column_and_others_do_not():
    def columns(marks: str) -> tuple[int, int]:
        counters = f"{GUNS}; Air AH1 @ W0505 {marks}"
        pos = battle(counters, "W0505", "4 ID", guns=("AArt 6 A", "CArt I CdA"))
        return column(WAR, pos, 0), column(WAR, pos, 1)

    assert columns("observing") == (3, 1)
    assert columns("interdicting") == (2, 1)


@rule("italia1918", "17.2c")
def test_a_bomber_goes_with_an_observer():
    match = missions()
    assert "bomb with" not in verbs(match)
    assert refused(match, "bomb with", "Air It2", "E1103").rule == "17.2c"
    do(match, "observe with", "Air It1", "E1103")
    assert hexes(match, "bomb with", "Air It2") == {"E1103"}
    do(match, "bomb with", "Air It2", "E1103")
    assert match.position.bombing == units("Air It2")


def bombed(more: str, guns: str = "", counter: str = "") -> int:
    """The strength of a bombardment against two Italian guns, some of them in Counter-battery."""
    counters = f"{GUNS}; CArt IX CdA @ W0605; {more}"
    pos = battle(counters, "W0505", "4 ID", guns=(guns, "CArt I CdA, CArt IX CdA"))
    pos.counter = units(counter) if counter else 0
    return strength(WAR, pos, 0)


BOMBER = "Air G1 @ W0505 bombing"


@rule("italia1918", "17.2c", "17.2d")
def test_a_bomber_adds_its_rating_which_no_gun_takes_away():
    assert bombed(BOMBER) == 2  # alone, without guns
    assert bombed(BOMBER, "AArt 6 A") == 5
    assert bombed(BOMBER, "AArt 6 A", "CArt I CdA") == 3


@rule("italia1918", "17.2e")
def test_the_guns_stop_at_nothing_before_the_bomber_is_added():
    assert bombed("", "AArt 6 A", "CArt I CdA, CArt IX CdA") == 0  # three against four
    assert bombed(BOMBER, "AArt 6 A", "CArt I CdA, CArt IX CdA") == 2


# Pontoon bridges bombed


BRIDGE = (CENTRAL, at("E1104"), WAR.lattice.direction(at("E1104"), at("E1103")))


def striking(counters: str = STAFF, scenario: str = "albrecht", **fields: Any) -> Match[Table]:
    """Italian supports, and a pontoon bridge of the enemy."""
    return missions(counters, scenario=scenario, turn=25, pontoons=[BRIDGE], **fields)


@rule("italia1918", "S3.S7a", "S4.S5b")
@pytest.mark.parametrize("scenario", ["albrecht", "solstice"])
def test_italians_bomb_pontoon_bridges_as_they_begin_to_move(scenario: str):
    match = striking(scenario=scenario)
    assert hexes(match, "strike with", "Air It1") == {"E1104"}
    late = striking(scenario=scenario, side=CENTRAL)
    assert refused(late, "strike with", "Air It1", "E1104").rule == "S3.S7a"
    other = missions(scenario="vittorio", pontoons=[BRIDGE])
    assert refused(other, "strike with", "Air It1", "E1104").rule == "S3.S7a"


@rule("italia1918", "S3.S7b", "S3.S7c")
@pytest.mark.parametrize(
    ("guard", "die", "left"),
    [("", 4, 0), ("", 5, 1), ("; 13 SchD @ E1104", 4, 1), ("; 13 SchD @ E1104", 3, 0)],
)
def test_a_die_up_to_four_destroys_it_and_a_guard_makes_it_harder(guard: str, die: int, left: int):
    match = striking(STAFF + guard)
    do(match, "strike with", "Air It1", "E1104")
    match.roll(die)
    assert len(match.position.pontoons) == left
    assert match.position.hex[number("Air It1")] == at("E1104")  # until the sequence ends


@rule("italia1918", "S4.S6d")
def test_by_option_of_the_solstice_nobody_claims_the_sky():
    pos = begin("solstice")
    pos.gathered = True
    assert isinstance(play(pos, superiority_phase).decision, Roll)
