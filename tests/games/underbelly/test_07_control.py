"""Chapter 7: control of towns and cities."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.underbelly.drawing import (
    GAME,
    GERMAN,
    LOST,
    WAR,
    all_towns,
    at,
    attack,
    begin,
    codes,
    do,
    fight_out,
    fresh,
    hexes,
    idle,
    is_supplied,
    march,
    markers,
    mask,
    order,
    pass_on,
    shoot_out,
    told,
    towns,
    verbs,
)

MISS = 10
WITHOUT_PIZZO = all_towns("5122 1109")
"""Every town but Pizzo, and one more so that nobody wins."""


@rule("underbelly", "7.7b")
def test_pizzo_falls_to_a_division_that_comes_next_to_it():
    """The book's example."""
    match = begin("5 Inf @ 5224; HG @ 1109", control=WITHOUT_PIZZO)
    march(match, "5224", "5123")
    assert "5122" in towns(match)
    assert [event.hex for event in told(match, "the Allies take the town")] == [at("5122")]
    guns = begin("XIII Corps @ 5224; HG @ 1109", control=WITHOUT_PIZZO)
    march(guns, "5224", "5123")
    assert "5122" not in towns(guns)  # corps support has no zone


@rule("underbelly", "7.7b")
def test_a_german_zone_takes_an_allied_town_in_the_same_way():
    match = begin("26 Pz @ 5020; 1 Abn @ 4108", GERMAN, control=mask("5122 2822 2921 4108"))
    march(match, "5020", "5121")
    assert "5122" not in towns(match)
    defended = begin(
        "26 Pz @ 5020; XIII Corps @ 5122; 1 Abn @ 4108", GERMAN, control=mask("5122 2822 2921 4108")
    )
    march(defended, "5020", "5121")
    assert "5122" in towns(defended)


@rule("underbelly", "7.7b")
def test_a_zone_that_only_passes_by_takes_the_town_too():
    match = begin("5 Inf @ 5224; HG @ 1109", control=WITHOUT_PIZZO)
    order(match, "move", "5224")
    do(match, "go", hex="5123")
    do(match, "go", hex="5224")
    assert "5122" in towns(match)
    whole_way = begin("7 Arm @ 3711; HG @ 1109", control=all_towns("3610 1109"))
    order(whole_way, "move", "3711")
    do(whole_way, "go", hex="3508")
    assert "3610" in towns(whole_way)


@rule("underbelly", "7.7c")
def test_a_contested_town_is_taken_by_moving_in():
    """The book's example: a German division is next to Pizzo too."""
    match = begin("5 Inf @ 5224; 26 Pz @ 5121; HG @ 1109", control=WITHOUT_PIZZO)
    march(match, "5224", "5123")
    assert "5122" not in towns(match)
    # Of two towns side by side a division takes the one that no German zone reaches.
    both = begin("US 36 @ 3718; 29 PG @ 3517; HG @ 1109", control=all_towns("3518 3519 1109"))
    march(both, "3718", "3619")
    assert {"3518", "3519"} & towns(both) == {"3519"}
    inside = begin("5 Inf @ 5224; 26 Pz @ 5121; HG @ 1109", control=WITHOUT_PIZZO)
    march(inside, "5224", "5122")
    assert "5122" in towns(inside)


@rule("underbelly", "7.7c")
def test_a_contested_town_is_taken_when_the_contesting_unit_goes_away():
    for control in (WITHOUT_PIZZO, mask("2822 2921")):  # be all around Allied or German
        match = begin("5 Inf @ 5123; 26 Pz @ 5121; HG @ 1109", GERMAN, control=control)
        order(match, "move", "5121")
        assert "5122" not in towns(match)
        do(match, "go", hex="5020")
        assert "5122" in towns(match)


TARANTO = "16 Pz @ 4106; US 36 @ 2522"


@rule("underbelly", "7.7d")
def test_a_port_marker_is_lost_only_to_a_german_who_enters():
    match = begin(TARANTO, GERMAN)
    order(match, "move", "4106")
    do(match, "go", hex="4107")
    assert "4108" in markers(match, "PORT")
    assert "4108" in towns(match)
    do(match, "go", hex="4108")
    assert "4108" not in markers(match, "PORT")
    assert "4108" not in towns(match)
    assert told(match, "port is lost")


@rule("underbelly", "7.7d")
def test_a_port_marker_is_lost_also_to_a_german_who_passes_through():
    """Between the sea and two corps of artillery the way leads through Taranto."""
    match = begin("16 Pz @ 4208; US VI @ 4107; V Corps @ 4106; US 36 @ 2522", GERMAN)
    order(match, "move", "4208")
    do(match, "go", hex="4008")
    assert "4108" not in markers(match, "PORT")


@rule("underbelly", "7.7d")
def test_a_port_marker_is_lost_to_an_advance_and_not_to_a_retreat():
    advance = begin("16 Pz, HG @ 4107; X Corps @ 4108; US 36 @ 2522", GERMAN)
    attack(advance, "4107", "4108", dice=(MISS, 1))
    fight_out(advance)
    assert "4108" not in markers(advance, "PORT")
    ring = "US 36, US 45 @ 4106; US 3 @ 3906; US 34 @ 4306"
    retreat = begin(f"{ring}; 16 Pz, 29 PG @ 4107", switched=True)
    attack(retreat, "4106", "4107", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(retreat)
    do(retreat, "retreat")
    assert hexes(retreat, "retreat to") == {"4008", "4208"}
    assert "4108" in markers(retreat, "PORT")


@rule("underbelly", "7.7e")
def test_a_supply_line_runs_through_towns_of_the_enemy():
    """Guns in 2722 leave one way to 2723: through Salerno, in whosever hands it is."""
    ports = [LOST, at("2921"), LOST, LOST, -2, -2]
    for salerno in ("", "2822"):
        fields = {"ports": ports, "switched": True, "control": mask(f"2921 {salerno}")}
        match = begin("US 36 @ 2723; XIV Pz @ 2722; HG @ 1109", **fields)
        assert is_supplied(match, "US 36")
        german = begin("16 Pz @ 2723; US VI @ 2722; HG @ 1109", GERMAN, **fields)
        assert is_supplied(german, "16 Pz")
    held = begin("US 36 @ 2723; XIV Pz @ 2722; HG @ 2822", ports=ports, switched=True)
    assert not is_supplied(held, "US 36")


@rule("underbelly", "7.7f")
def test_at_the_start_the_allies_hold_the_toe_and_where_they_stand():
    match = fresh()
    toe = {"5122", "5226", "5328", "5625"}
    assert towns(match) == toe | {"2822", "2921", "4108"}
    line = {WAR.board.regions["allied"] >> at(code) & 1 for code in ("5122", "5021", "5220")}
    assert line == {0, 1}
    while match.position.phase == "setup":
        idle(match)
    # The Canadians in 5320 hold Catanzaro by their zone; Nicastro is held by the 26th Panzer.
    assert towns(match) == toe | {"2822", "2921", "4108", "5220"}
    assert GAME.check(match.position) == []


@rule("underbelly", "7.7f")
def test_at_the_start_a_contested_zone_gives_nothing():
    match = fresh()
    do(match, "place", "5 Inf", "5121")
    do(match, "place", "1 C", "5121")
    do(match, "place", "XIII Corps", "5322")
    assert "5021" not in towns(match)  # the 26th Panzer stands in it
    assert "5220" not in towns(match)


@rule("underbelly", "7.7g")
def test_only_towns_and_cities_are_controlled():
    match = begin("US 36 @ 3309; 16 Pz @ 2310; HG @ 1109")
    march(match, "3309", "3310")
    assert not told(match, "the Allies take the town")
    taking = begin("5 Inf @ 5224; HG @ 1109", control=WITHOUT_PIZZO)
    march(taking, "5224", "5123")
    assert towns(taking) == codes(all_towns("1109"))
    assert len(told(taking, "the Allies take the town")) == 1
    pos = match.position
    pos.control |= mask("3310")
    assert "7.7g" in {fault.rule for fault in GAME.check(pos)}


@rule("underbelly", "7.7h")
def test_any_ground_unit_controls_the_hex_that_it_is_in():
    """Corps support in a town, though a German division contests it."""
    match = begin("XIII Corps @ 5123; 26 Pz @ 5121; HG @ 1109", control=WITHOUT_PIZZO)
    march(match, "5123", "5122")
    assert "5122" in towns(match)
    german = begin("XIV Pz @ 5121; 5 Inf @ 5123", GERMAN, control=all_towns())
    german.force(8)
    march(german, "5121", "5122")
    assert "5122" not in towns(german)


@rule("underbelly", "7.7h")
@pytest.mark.parametrize("allied", [True, False])
def test_a_contested_town_keeps_its_last_controller(allied: bool):
    """A division of each side beside Pizzo; the Allied one came first, or the German one."""
    control = all_towns("1109") if allied else WITHOUT_PIZZO
    match = begin("5 Inf @ 5224; 26 Pz @ 5121; HG @ 1109", control=control)
    march(match, "5224", "5123")
    pass_on(match, until="command", side=GERMAN)
    assert ("5122" in towns(match)) is allied
    # A unit that leaves a contested town leaves it to its last controller.
    leaving = begin("XIII Corps @ 5122; 5 Inf @ 5123; 26 Pz @ 5121; HG @ 1109")
    march(leaving, "5122", "5123")
    assert "5122" in towns(leaving)


@rule("underbelly", "7.7h")
def test_a_town_without_anybody_keeps_its_controller():
    match = begin("XIII Corps @ 5122; HG @ 1109", control=WITHOUT_PIZZO)
    march(match, "5122", "5123")
    assert "5122" in towns(match)
    lost = begin("5 Inf @ 5122; 26 Pz @ 5121; HG @ 1109")
    march(lost, "5122", "5224")
    assert "5122" not in towns(lost)  # now the German zone is uncontested


@rule("underbelly", "7.7h")
def test_control_changes_at_once_after_an_elimination_a_retreat_and_an_advance():
    control = all_towns("3610 1109")
    killed = begin("US 36, US 45 @ 3709; 16 Pz @ 3609 steps=1; HG @ 1109", control=control)
    attack(killed, "3709", "3609", dice=(MISS, 1, 1))
    while "advance" not in verbs(killed):
        do(killed, "fire on" if "fire on" in verbs(killed) else "fire at")
    assert "3610" in towns(killed)  # before anybody has advanced
    retreated = begin("US 36, US 45 @ 3709; 16 Pz @ 3609; HG @ 1109", control=control)
    attack(retreated, "3709", "3609", dice=(MISS, MISS, 1, *[MISS] * 3))
    shoot_out(retreated)
    do(retreated, "retreat")
    do(retreated, "retreat to", hex="3508")
    assert "3610" in towns(retreated)
    advanced = begin("US 36, US 45 @ 3708; XIV Pz @ 3609; HG @ 1109", control=control)
    attack(advanced, "3708", "3609", dice=(MISS, 1, 1))
    while "advance" not in verbs(advanced):
        do(advanced, "fire on" if "fire on" in verbs(advanced) else "fire at")
    assert "3610" not in towns(advanced)
    do(advanced, "advance", "US 36")
    assert "3610" in towns(advanced)


@rule("underbelly", "7.7h")
def test_germans_gain_at_once_by_an_elimination_and_by_an_advance():
    control = all_towns("1109")
    killed = begin("16 Pz, HG @ 3609; US 36 @ 3709 steps=1", GERMAN, control=control, switched=True)
    attack(killed, "3609", "3709", dice=(MISS, 1, 1))
    while "advance" not in verbs(killed):
        do(killed, "fire on" if "fire on" in verbs(killed) else "fire at")
    assert "3610" not in towns(killed)
    # Matera, which the 45th contests, is theirs only when they stand in it.
    guns = "16 Pz, HG @ 3609; US VI @ 3610; US 45 @ 3710"
    stormed = begin(guns, GERMAN, control=control, switched=True)
    attack(stormed, "3609", "3610", dice=(MISS, 1, 1))
    while "advance" not in verbs(stormed):
        do(stormed, "fire on" if "fire on" in verbs(stormed) else "fire at")
    assert "3610" in towns(stormed)
    do(stormed, "advance", "HG")
    assert "3610" not in towns(stormed)


@rule("underbelly", "7.7h")
def test_a_battle_without_losses_leaves_a_contested_town_to_its_controller():
    for control, allied in ((all_towns("1109"), True), (all_towns("3610 1109"), False)):
        match = begin("US 36, US 45 @ 3709; 16 Pz @ 3609; HG @ 1109", control=control)
        attack(match, "3709", "3609", dice=(MISS,) * 6)
        fight_out(match)
        assert ("3610" in towns(match)) is allied


# Control that changes without a march: by drop, entry, retreat, withdrawal


def dropped(counters: str, control: int) -> set[str]:
    """The Allied towns once the 82nd has dropped in 3609, beside Matera."""
    match = begin(
        f"82 Abn @ available; HG @ 1109; {counters}",
        control=control,
        tac_active=True,
        tac=1,
        drop_ready=True,
    )
    do(match, "drop", "82 Abn", "3609")
    return towns(match)


@rule("underbelly", "7.7b", "7.7c")
def test_a_drop_takes_the_town_beside_it_unless_a_german_holds_or_contests_it():
    control = all_towns("3610 1109")
    assert "3610" in dropped("16 Pz @ 1211", control)
    assert "3610" not in dropped("XIV Pz @ 3610", control)  # guns have no zone, but stand in it
    assert "3610" not in dropped("16 Pz @ 3710", control)


@rule("underbelly", "7.7b", "7.7c")
def test_germans_who_enter_the_map_take_pescara_unless_an_ally_holds_or_contests_it():
    for counters, taken in (
        ("US 36 @ 3309", True),
        ("US VI @ 1109", False),
        ("US 36 @ 1210", False),
    ):
        match = begin(f"16 Pz @ tenth; {counters}", GERMAN, control=mask("1109 2822 2921 4108"))
        order(match, "move", "tenth")
        do(match, "enter", hex="1010")
        assert ("1109" not in towns(match)) is taken


@rule("underbelly", "7.7d")
def test_a_german_who_advances_beside_a_port_does_not_take_it():
    match = begin("16 Pz, HG @ 4106; US VI @ 4107; US 36 @ 2522", GERMAN, switched=True)
    attack(match, "4106", "4107", dice=(MISS, 1, 1))
    while "advance" not in verbs(match):
        do(match, "fire on" if "fire on" in verbs(match) else "fire at")
    do(match, "advance", "16 Pz")
    assert "4108" in markers(match, "PORT")
    assert "4108" in towns(match)


@rule("underbelly", "7.7h")
@pytest.mark.parametrize("allied", [True, False])
def test_corps_support_that_retreats_into_an_empty_town_controls_it(allied: bool):
    guns, enemies = ("US VI", "16 Pz, HG") if allied else ("XIV Pz", "US 36, US 45")
    match = begin(
        f"{guns} @ 3609; {enemies} @ 3508; US 3 @ 2522",
        GERMAN if allied else 0,
        control=all_towns("3610 1109") if allied else all_towns("1109"),
        switched=True,
    )
    attack(match, "3508", "3609", dice=(MISS, 1, *[MISS] * 3))
    while "retreat" not in verbs(match):
        do(match, "fire on" if "fire on" in verbs(match) else "fire at")
    do(match, "retreat")
    do(match, "retreat to", hex="3610")
    assert ("3610" in towns(match)) is allied


@rule("underbelly", "7.7h")
def test_a_division_that_is_shed_gives_up_the_town_that_it_contested():
    fields = {"scenario": 2, "ss_entered": True, "control": all_towns("3610 1109")}
    match = begin("XIV Pz, 1 SS @ 3609; US 36 @ 3709; HG @ 1109", GERMAN, **fields)
    assert "3610" not in towns(match)
    do(match, "shed", "1 SS")
    assert "3610" in towns(match)


@rule("underbelly", "7.7h")
def test_a_division_that_is_withdrawn_gives_up_the_town_that_it_contested():
    for turn, allied in ((18, True), (19, False)):  # the 7th Armoured leaves in turn 19
        match = begin(
            "7 Arm @ 3709; 16 Pz @ 3609; US 36 @ 2522",
            0,
            "arrivals",
            turn=turn,
            switched=True,
            control=all_towns("1109"),
        )
        assert match.position.phase == "orders"
        assert ("3610" in towns(match)) is allied
