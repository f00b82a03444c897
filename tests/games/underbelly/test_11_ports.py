"""Chapter 11: supply from the air, the ports of Naples and Bari, and the raid on a port."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import GONE
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GERMAN,
    HISTORICAL,
    LOST,
    NO_PORTS,
    NOWHERE,
    TIBER,
    WAR,
    Table,
    asked,
    at,
    attack,
    begin,
    do,
    events,
    halt,
    hexes,
    idle,
    markers,
    mask,
    next_turn,
    order,
    pass_on,
    refusal,
    rolls,
    seen,
    stack,
    steps,
    verbs,
    where,
)
from tests.games.underbelly.test_11_supply import MISS, numbers

BEACHES = mask("2822 2921")


def state(match: Match[Table], unit: str) -> list[str]:
    return seen(match, ALLIED, unit)["status"]


# 11.7: supply from the air


def starving(side: int = ALLIED, **fields: Any) -> Match[Table]:
    """Two divisions inland and one by the sea without a port; the air is active."""
    counters = "46 Inf, 78 Inf @ 3309; 56 Inf @ 3306; 16 Pz, 29 PG @ 3409"
    given = {"ports": NO_PORTS, "tac_active": True}
    return begin(counters, side, **given | fields)


@rule("underbelly", "11.7a")
def test_two_points_feed_all_units_in_one_hex():
    match = starving()
    assert hexes(match, "airlift") == {"3309", "3306"}
    do(match, "airlift", hex="3309")
    assert match.position.points == 5
    assert state(match, "46 Inf") == state(match, "78 Inf") == ["supplied from the air"]
    assert state(match, "56 Inf") == ["coastal supply"]
    assert markers(match, "AIR") == {"3309"}
    assert "airlift" not in verbs(match)
    poor = starving(points=1)
    assert "airlift" not in verbs(poor)
    idle_air = starving(tac_active=False)
    assert "airlift" not in verbs(idle_air)


@rule("underbelly", "11.7a")
def test_who_has_a_line_is_not_fed_from_the_air():
    match = starving(ports=[LOST, LOST, at("4108"), LOST, AWAY, AWAY])
    assert "airlift" not in verbs(match)
    assert refusal(match, "airlift", hex="3309").rule == "11.7a"
    assert refusal(starving(), "airlift", hex="3308").rule == "11.7a"


@rule("underbelly", "11.7b")
def test_supply_from_the_air_makes_fire_as_good_as_ever():
    match = starving()
    assert numbers(match, "3309", "3409")[1] == {"46 Inf": 3, "78 Inf": 4}
    do(match, "airlift", hex="3309")
    assert numbers(match, "3309", "3409")[1] == {"46 Inf": 5, "78 Inf": 6}
    pass_on(match, until="command", side=GERMAN)
    assert numbers(match, "3409", "3309")[0] == {"46 Inf": 5, "78 Inf": 6}
    coast = begin("46 Inf, 78 Inf @ 3306; 16 Pz, 29 PG @ 3307", ports=NO_PORTS, tac_active=True)
    do(coast, "airlift", hex="3306")
    assert numbers(coast, "3306", "3307")[1] == {"46 Inf": 5, "78 Inf": 6}


@rule("underbelly", "11.7b")
def test_it_lasts_until_the_next_allied_command_phase():
    match = starving()
    do(match, "airlift", hex="3309")
    pass_on(match, until="orders")
    assert match.position.airlift == NOWHERE
    assert state(match, "46 Inf") == ["out of supply"]
    do(match, "activate air")
    assert hexes(match, "airlift") == {"3309", "3306"}  # there again, or elsewhere


@rule("underbelly", "11.7c")
def test_a_force_fed_from_the_air_does_not_move():
    match = starving()
    assert {"3309", "3306"} <= hexes(match, "move")
    do(match, "airlift", hex="3309")
    assert hexes(match, "move") == {"3306"}
    assert refusal(match, "move", hex="3309").rule == "11.7c"
    assert "3309" in hexes(match, "attack")


@rule("underbelly", "11.7c")
def test_but_it_may_retreat():
    match = starving(GERMAN, airlift=at("3309"), tac_active=False)
    attack(match, "3409", "3309", "16 Pz", dice=(MISS,) * 4)
    while asked(match) == ALLIED and "fire at" in verbs(match):
        do(match, "fire at")
    match.force(1, MISS)
    while "fire at" in verbs(match):
        do(match, "fire at", "46 Inf")
    do(match, "retreat")
    do(match, "retreat to")
    assert stack(match, "3309") == set()
    assert where(match, "46 Inf") == where(match, "78 Inf") is not None


@rule("underbelly", "11.7d")
def test_the_drop_takes_the_transports_of_that_turn():
    match = begin(
        "82 Abn @ available; 46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        ports=NO_PORTS,
        tac_active=True,
        drop_ready=True,
    )
    assert hexes(match, "airlift") == {"3309"}
    do(match, "drop", hex="3212")
    assert "airlift" not in verbs(match)
    assert refusal(match, "airlift", hex="3309").rule == "11.7d"
    assert match.position.points == 7  # it costs nothing more
    assert state(match, "82 Abn") == ["supplied from the air", "has acted"]
    pass_on(match, until="orders")
    assert state(match, "82 Abn") == ["out of supply"]


@rule("underbelly", "11.7d")
def test_transports_that_have_flown_supplies_drop_nobody_in_that_player_turn():
    match = begin(
        "82 Abn @ available; 46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        ports=NO_PORTS,
        tac_active=True,
    )
    do(match, "airlift", hex="3309")
    do(match, "ready the drop")
    assert "drop" not in verbs(match)
    assert refusal(match, "drop", "82 Abn", "3212").rule == "11.7d"
    pass_on(match, until="command", side=GERMAN)
    assert asked(match) == ALLIED
    assert "3212" in hexes(match, "drop")  # the German turn is another one (11.7e)


@rule("underbelly", "11.7e")
def test_a_drop_in_the_german_turn_takes_the_marker_from_elsewhere():
    match = begin(
        "82 Abn @ available; 46 Inf, 78 Inf @ 3309; 16 Pz, 29 PG @ 3409",
        ports=NO_PORTS,
        tac_active=True,
        drop_ready=True,
    )
    do(match, "airlift", hex="3309")
    pass_on(match, until="command", side=GERMAN)
    assert state(match, "46 Inf") == ["supplied from the air"]
    do(match, "drop", hex="3212")
    assert markers(match, "AIR") == {"3212"}
    assert state(match, "46 Inf") == ["out of supply"]
    assert numbers(match, "3409", "3309")[0] == {"46 Inf": 4, "78 Inf": 5}


@rule("underbelly", "11.7f")
@pytest.mark.parametrize("fed", [False, True])
def test_a_force_fed_from_the_air_does_not_advance(fed: bool):
    counters = "46 Inf, 78 Inf @ 3309; 65 Inf @ 3409 steps=1"
    match = begin(counters, ports=NO_PORTS, airlift=at("3309") if fed else NOWHERE)
    attack(match, "3309", "3409", dice=(MISS, 1, 1, 1, 1))
    while shot := {"fire at", "fire on"} & verbs(match):
        do(match, shot.pop())
    assert where(match, "65 Inf") is None
    assert ("advance" in verbs(match)) != fed
    assert stack(match, "3309") == {"46 Inf", "78 Inf"}


@rule("underbelly", "11.7g")
def test_the_marker_feeds_its_hex_and_does_not_go_with_those_who_retreat():
    match = starving(GERMAN, airlift=at("3309"), tac_active=False)
    match.force(*[MISS] * 4, 1, MISS)
    attack(match, "3409", "3309", "16 Pz")
    fight_for(match, "46 Inf")
    do(match, "retreat")
    do(match, "retreat to")
    assert markers(match, "AIR") == {"3309"}
    assert state(match, "46 Inf") == ["out of supply"]
    joined = begin("46 Inf @ 3309; 78 Inf @ 3310; 16 Pz @ 2017", ports=NO_PORTS, tac_active=True)
    do(joined, "airlift", hex="3309")
    order(joined, "move", "3310")
    do(joined, "go", hex="3309")
    halt(joined)
    assert state(joined, "78 Inf") == ["supplied from the air", "has acted"]


def fight_for(match: Match[Table], target: str) -> None:
    """All shots of both sides, those at the Allies at one unit."""
    while "fire at" in verbs(match):
        do(match, "fire at", target if asked(match) == GERMAN else "")


@rule("underbelly", "11.7a", "11.4b", "9.19")
def test_why_no_transports_fly():
    german = starving(GERMAN)
    assert refusal(german, "airlift", hex="3309").rule == "11.7a"
    busy = starving()
    order(busy, "move", "3306")
    assert (
        "Asked now: Where do the moving units go?" in refusal(busy, "airlift", hex="3309").sentence
    )
    assert refusal(starving(tac_active=False), "airlift", hex="3309").rule == "9.11"
    assert refusal(starving(points=1), "airlift", hex="3309").rule == "9.1b"


@rule("underbelly", "11.8")
def test_aircraft_fly_for_starving_units_and_do_not_feed_them():
    match = starving(tac=1)
    assert numbers(match, "3309", "3409", air="Allied")[1] == {"46 Inf": 4, "78 Inf": 5}
    assert numbers(match, "3309", "3409")[1] == {"46 Inf": 3, "78 Inf": 4}
    german = starving(GERMAN, tac=1)
    assert numbers(german, "3409", "3309", air="Allied")[0] == {"46 Inf": 5, "78 Inf": 6}


# 11.9: the switch

SECURE = "46 Inf @ 2822; US 36 @ 2921; US 3 @ 2522; 16 Pz @ 2017"


def evening(counters: str = SECURE, **fields: Any) -> Match[Table]:
    """The end of a German command phase, and so of a game turn."""
    return begin(counters, GERMAN, **{"turn": 10} | fields)


def ports(match: Match[Table]) -> set[str]:
    return markers(match, "PORT")


@rule("underbelly", "11.9a")
def test_naples_takes_over_from_the_beaches():
    match = evening()
    assert ports(match) == {"2822", "2921", "4108", "5328"}
    do(match, "end")
    assert ports(match) == {"2522", "4108", "5328"}
    assert match.position.switched
    salerno, paestum, naples = (WAR.port_names.index(n) for n in ("Salerno", "Paestum", "Naples"))
    assert match.position.ports[salerno] == match.position.ports[paestum] == GONE
    assert WAR.port_group[naples] == WAR.port_group[paestum]  # the American counter is flipped
    assert len(events(match, "Naples is open")) == 1
    next_turn(match)
    assert len(events(match, "Naples is open")) == 1
    assert len(events(match, "the beaches close")) == 1


@rule("underbelly", "11.9a")
def test_it_waits_for_the_first_turn_without_germans_near_naples():
    match = evening(f"{SECURE}; 26 Pz @ 2520")
    do(match, "end")
    assert not match.position.switched
    assert ports(match) == {"2822", "2921", "4108", "5328"}
    pass_on(match, until="command", side=GERMAN)
    order(match, "move", "2520")
    do(match, "go", hex="2519")
    halt(match)
    assert not match.position.switched  # only at the end of the turn
    do(match, "end")
    assert match.position.switched


@rule("underbelly", "11.9a")
def test_a_counter_that_was_eliminated_is_not_flipped():
    match = evening(ports=[at("2822"), LOST, at("4108"), at("5328"), AWAY, AWAY])
    do(match, "end")
    assert match.position.switched
    assert ports(match) == {"4108", "5328"}


@rule("underbelly", "11.9b")
@pytest.mark.parametrize("switched", [False, True])
def test_after_the_switch_the_beaches_may_be_lost(switched: bool):
    naples = [GONE, GONE, at("4108"), at("5328"), at("2522"), AWAY]
    given = {"ports": naples, "switched": True} if switched else {}
    walk = begin("US 3 @ 2522; 16 Pz @ 2821", GERMAN, **given)
    order(walk, "move", "2821")
    do(walk, "go", hex="2822")
    assert (walk.outcome is None) == switched
    if walk.outcome:
        assert (walk.outcome.winner, walk.outcome.rule) == (GERMAN, "4.1g")


@rule("underbelly", "11.9c")
@pytest.mark.parametrize("scenario", [HISTORICAL, TIBER])
def test_without_the_switch_by_the_end_of_turn_20_the_germans_win(scenario: int):
    given = {"scenario": scenario, "plot": 0 if scenario == TIBER else -1}
    near = f"{SECURE}; 26 Pz @ 2520"
    late = evening(near, turn=20, **given)
    do(late, "end")
    assert late.outcome is not None
    assert (late.outcome.winner, late.outcome.rule) == (GERMAN, "11.9c")
    early = evening(near, turn=19, **given)
    do(early, "end")
    assert early.outcome is None
    just = evening(turn=20, **given)
    do(just, "end")
    assert just.outcome is None
    assert just.position.switched


@rule("underbelly", "11.9d")
@pytest.mark.parametrize("held", [False, True])
def test_naples_must_be_allied(held: bool):
    control = BEACHES | mask("4108") | (mask("2522") if held else 0)
    match = evening("46 Inf @ 2822; US 36 @ 2921; 16 Pz @ 2017", control=control)
    do(match, "end")
    assert match.position.switched == held
    assert asked(match) == ALLIED  # nobody was asked: it is no choice
    assert match.position.phase == "orders"


@rule("underbelly", "11.9e")
@pytest.mark.parametrize(
    ("german", "hex", "near"),
    [
        ("26 Pz", "2520", True),
        ("26 Pz", "2519", False),
        ("XIV Pz", "2421", True),  # guns count as well
        ("26 Pz", "2723", True),  # two hexes off over the sea, farther by land
        ("26 Pz", "2620", False),
    ],
)
def test_two_hexes_are_counted_over_land_and_sea(german: str, hex: str, near: bool):
    match = evening(f"{SECURE}; {german} @ {hex}", control=BEACHES | mask("2522 4108"))
    do(match, "end")
    assert match.position.switched != near


@rule("underbelly", "11.9e")
def test_forts_do_not_count():
    match = evening(forts=mask("2521 2421"), forts_left=12)
    do(match, "end")
    assert match.position.switched


@rule("underbelly", "11.9f")
def test_the_ports_at_the_start_and_whose_they_are():
    found = {
        (name, WAR.board.code(hex)): WAR.group_names[group]
        for name, hex, group in zip(WAR.port_names, WAR.ports, WAR.port_group)
    }
    assert found[("Salerno", "2822")] == found[("Taranto", "4108")] == "GB"
    assert found[("Reggio", "5328")] == "GB"
    assert found[("Paestum", "2921")] == "US"
    assert ports(Match(evening().game, "campaign", seed=1)) == {"2822", "2921", "4108", "5328"}


# 11.10: Bari

APULIA = f"{SECURE}; 78 Inf @ 3306"


@rule("underbelly", "11.10")
def test_bari_may_be_opened_when_it_is_safe():
    match = evening(APULIA)
    do(match, "end")
    assert asked(match) == ALLIED
    assert verbs(match) == {"open Bari", "no port"}
    assert match.position.turn == 10
    do(match, "open Bari")
    assert ports(match) == {"2522", "4108", "5328", "3306"}
    while match.position.turn < 12:
        assert "open Bari" not in verbs(match)  # there is one counter
        idle(match)


@rule("underbelly", "11.10")
@pytest.mark.parametrize(
    ("counters", "control"),
    [
        (f"{APULIA}; 26 Pz @ 3308", "2822 2921 4108"),  # Germans two hexes off
        (f"{APULIA}; XIV Pz @ 3107", "2822 2921 4108"),
        (SECURE, "2822 2921 4108"),  # not in Allied hands
    ],
)
def test_not_with_germans_near_it_or_in_german_hands(counters: str, control: str):
    match = evening(counters, control=mask(control))
    do(match, "end")
    assert match.position.turn == 11
    assert "3306" not in ports(match)
    far = evening(f"{APULIA}; 26 Pz @ 3309", control=mask(control))
    do(far, "end")
    assert "open Bari" in verbs(far)


@rule("underbelly", "11.10b")
def test_who_waits_with_bari_is_asked_again():
    match = evening(APULIA)
    do(match, "end")
    do(match, "no port")
    assert "3306" not in ports(match)
    for _ in range(60):
        if "open Bari" in verbs(match):
            break
        idle(match)
    assert match.position.turn == 11
    do(match, "open Bari")
    assert "3306" in ports(match)


# 11.11: the raid

ALL_PORTS = [GONE, GONE, at("4108"), at("5328"), at("2522"), at("3306")]


def raid(turn: int, die: int, **fields: Any) -> Match[Table]:
    """The start of a turn late in the game, and the die of the raid."""
    plot = 0 if fields.get("scenario") == TIBER else -1
    given = {"turn": turn - 1, "ports": list(ALL_PORTS), "switched": True, "plot": plot}
    match = begin(f"{SECURE}; 78 Inf @ 3306", GERMAN, **given | fields)
    match.force(*(1, die) if match.position.scenario == TIBER else (die,))  # 8.7: nobody comes
    do(match, "end")
    assert match.position.turn == turn
    return match


@rule("underbelly", "11.11a")
@pytest.mark.parametrize(
    ("die", "historical", "tiber"),
    [
        (1, "3306", "2522"),
        (3, "3306", "2522"),
        (4, "2522", "3306"),
        (5, "4108", "4108"),
        (6, "", ""),
    ],
)
def test_the_first_five_hits_the_port_of_the_table(die: int, historical: str, tiber: str):
    for scenario, hex in ((HISTORICAL, historical), (TIBER, tiber)):
        match = raid(21, die, scenario=scenario)
        left = {"2522", "3306", "4108", "5328"} - {hex}
        assert ports(match) == left
        assert match.position.raided == bool(hex)


@rule("underbelly", "11.11a")
def test_it_is_rolled_for_at_the_start_of_the_last_three_turns():
    for turn in (20, 21, 22, 23):
        match = raid(turn, 10)
        thrown = [roll for roll in rolls(match) if roll.rule == "11.11a"]
        assert len(thrown) == (turn > 20)
        assert ports(match) == {"2522", "3306", "4108", "5328"}
    again = raid(22, 1)  # the first hit may come in any of them
    assert "3306" not in ports(again)


@rule("underbelly", "11.11b")
def test_the_port_is_gone_for_good_and_there_is_no_second_raid():
    match = raid(21, 1)
    assert match.position.ports[WAR.bari] == LOST
    while match.position.turn == 21:
        assert "open Bari" not in verbs(match)
        idle(match)
    assert len([roll for roll in rolls(match) if roll.rule == "11.11a"]) == 1
    assert "3306" not in ports(match)


@rule("underbelly", "11.11c", "11.11d")
def test_a_raid_on_an_empty_port_fails_and_was_the_only_one():
    ports_left = [GONE, GONE, at("4108"), at("5328"), at("2522"), LOST]
    match = raid(21, 2, ports=ports_left)
    assert len([roll for roll in rolls(match) if roll.rule == "11.11a"]) == 1
    assert ports(match) == {"2522", "4108", "5328"}
    assert len(events(match, "air raid fails")) == 1
    assert match.position.raided
    next_turn(match)
    assert match.position.turn == 22
    assert len([roll for roll in rolls(match) if roll.rule == "11.11a"]) == 1


# 11.12: a port without a guard


@rule("underbelly", "11.12")
@pytest.mark.parametrize("supplied", [True, False])
def test_an_attack_on_a_lone_port_destroys_it_and_takes_the_hex(supplied: bool):
    ring = "" if supplied else "; 46 Inf @ 3905; 78 Inf @ 4104; 56 Inf @ 4307; 1 C @ 3907"
    match = begin(f"US 3 @ 2822; 16 Pz, 29 PG, XIV Pz @ 4107; 26 Pz @ 2017{ring}", GERMAN)
    assert (state(match, "16 Pz") == []) == supplied
    do(match, "attack", hex="4107")
    if "target" in verbs(match):
        do(match, "target", hex="4108")
    for unit in ("16 Pz", "29 PG"):
        do(match, "attack with", unit)
    do(match, "fight")
    assert rolls(match) == []
    assert "4108" not in ports(match)
    assert match.position.ports[WAR.port_names.index("Taranto")] == LOST
    assert [event.rule for event in events(match, "port is lost")] == ["11.12"]
    assert stack(match, "4108") == {"16 Pz", "29 PG"}
    assert stack(match, "4107") == {"XIV Pz"}
    assert steps(match, "16 Pz") == 2
    assert match.position.points == 4
