"""Chapter 3: set-up, and the special forces."""

from __future__ import annotations

import pytest

from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    AWAY,
    GERMAN,
    NOWHERE,
    TIBER,
    WAR,
    all_towns,
    at,
    attack,
    begin,
    codes,
    do,
    events,
    fight_out,
    fresh,
    hexes,
    idle,
    is_supplied,
    march,
    markers,
    named,
    next_turn,
    number,
    order,
    pass_on,
    reach,
    refused,
    shoot_out,
    stack,
    towns,
    verbs,
    where,
    zone,
)

MISS = 10
TOE = ["5 Inf", "1 C", "XIII Corps"]


def coded(side: str, wanted: str) -> set[str]:
    """The counters of a side whose code is a turn, a hex, or just these signs."""
    kinds = {
        "turn": lambda code: code.isdigit() and len(code) < 3,
        "hex": lambda code: code.isdigit() and len(code) == 4,
    }
    fits = kinds.get(wanted, lambda code: code == wanted)
    return {unit.name for unit in WAR.roster if unit.side == side and fits(unit.code)}


# Set-up


@rule("underbelly", "3.1")
def test_everybody_begins_and_arrives_at_full_strength():
    match = fresh()
    assert match.position.steps == list(WAR.full)
    for turn, names in ((8, ("8 I",)), (9, ("76 Inf",)), (13, ("2 NZ",)), (16, ("65 Inf", "1P"))):
        late = begin("US 36 @ 3309", phase="interlude", side=GERMAN, turn=turn, switched=True)
        pass_on(late, until="command", side=GERMAN)
        for name in names:
            assert where(late, name) in ("available", "tenth")
            assert late.position.steps[number(name)] == WAR.full[number(name)]


@rule("underbelly", "3.1")
def test_the_set_up_is_the_same_in_both_scenarios():
    one, other, third = (fresh(key).position.state() for key in ("campaign", "historical", "wat"))
    assert {name for name in one if one[name] != other[name]} == {"agreed"}
    assert {name for name in one if one[name] != third[name]} == {"agreed"}


@rule("underbelly", "3.2a")
def test_allied_reinforcements_wait_for_their_turn():
    match = fresh()
    late = coded("Allied", "turn")
    assert {"US 3", "US 34", "US 1 Arm", "7 Arm", "78 Inf", "4 I"} <= late
    assert {match.position.hex[number(name)] for name in late} == {AWAY}
    for turn, names in ((4, {"7 Arm"}), (5, {"US 3"}), (7, {"US 34", "78 Inf", "V Corps"})):
        due = begin("US 36 @ 3309", phase="interlude", side=GERMAN, turn=turn)
        pass_on(due, until="command", side=ALLIED)
        assert stack(due, "available") == names


@rule("underbelly", "3.2b")
def test_allied_units_with_an_a_wait_in_the_box():
    assert stack(fresh(), "available") == coded("Allied", "A") == {"US 45", "82 Abn"}


@rule("underbelly", "3.2c")
def test_allied_units_with_a_hex_and_the_special_forces_stand_in_it():
    match = fresh()
    for name in coded("Allied", "hex"):
        assert where(match, name) == WAR.roster[number(name)].code
    assert stack(match, "2822") == {"46 Inf", "56 Inf", "X Corps"}
    assert stack(match, "2921") == {"US 36", "US VI"}
    assert stack(match, "4108") == {"1 Abn"}
    assert markers(match, "SF") == {"2823"}


@rule("underbelly", "3.2d")
def test_three_british_units_are_placed_within_two_hexes_of_5322():
    """The two hexes are counted from 5322, which is not counted itself."""
    match = fresh()
    assert named(match, "place") == set(TOE) == coded("Allied", "5322-2")
    near = {at(code) for code in hexes(match, "place")}
    centre = at("5322")
    assert centre in near
    assert {WAR.lattice.distance(centre, hex) for hex in near} == {0, 1, 2}
    for unit, hex in zip(TOE, ("5322", "5320", "5424")):
        do(match, "place", unit, hex)
    assert [where(match, unit) for unit in TOE] == ["5322", "5320", "5424"]
    assert "place" not in verbs(match)


@rule("underbelly", "3.2d")
def test_the_three_may_stand_where_history_had_them():
    match = fresh()
    do(match, "historical set-up")
    assert [where(match, unit) for unit in TOE] == ["5122", "5320", "5122"]


@rule("underbelly", "3.2e")
def test_no_aircraft_or_aerial_supply_begins_on_the_map():
    match = fresh()
    assert match.position.airlift == NOWHERE
    assert {marker["name"] for marker in match.view(GERMAN)["markers"]} == {"PORT", "SF"}


@rule("underbelly", "3.2f")
def test_the_three_keep_off_the_sea_and_off_germans_and_within_the_stacking_limit():
    empty = begin("1 Abn @ 4108", phase="setup", turn=1, scenario=0)
    sites = WAR.lattice.disc(at("5322"), 2)
    assert hexes(empty, "place") == codes(sites & WAR.land) != codes(sites)
    crowded = begin(
        "26 Pz @ 5121; 46 Inf, 56 Inf, 7 Arm @ 5322; X Corps @ 5323",
        phase="setup",
        turn=1,
        scenario=0,
    )
    free = hexes(empty, "place") - {"5121"}

    def of(unit: str) -> set[str]:
        return {h for h in free | {"5121"} if may_place(crowded, unit, h)}

    assert of("5 Inf") == of("1 C") == free - {"5322"}
    assert of("XIII Corps") == free - {"5323"}


def may_place(match, unit: str, hex: str) -> bool:
    wanted = ("place", number(unit), at(hex))
    return any(option[:3] == wanted for option in match.decision.options)


@rule("underbelly", "3.3a")
def test_german_reinforcements_wait_for_their_turn():
    match = fresh()
    late = coded("German", "turn")
    assert {"3 PG", "2 Para", "24 Pz", "65 Inf", "5 Mtn"} <= late
    assert {match.position.hex[number(name)] for name in late} == {AWAY}
    for turn, names in ((5, {"2 Para"}), (9, {"76 Inf"}), (10, {"24 Pz"})):
        due = begin("US 36 @ 3309", phase="interlude", side=GERMAN, turn=turn)
        pass_on(due, until="command", side=GERMAN)
        assert stack(due, "tenth") == names


@rule("underbelly", "3.3b")
def test_the_luftwaffe_the_ss_corps_and_the_panzer_army_begin_off_the_map():
    match = fresh()
    idle(match)
    pos = match.position
    strangers = [u for u in WAR.members[GERMAN] if WAR.roster[u].group in ("2SS", "5Pz")]
    assert {pos.hex[unit] for unit in strangers} == {AWAY}
    assert (pos.german_tac, pos.army_aircraft) == (0, False)


@rule("underbelly", "3.3c")
def test_10th_army_begins_in_its_box_and_in_its_hexes():
    match = fresh()
    assert stack(match, "tenth") == coded("German", "A") == {"11 Flak"}
    for name in coded("German", "hex"):
        assert where(match, name) == WAR.roster[number(name)].code
    assert (where(match, "16 Pz"), where(match, "1 Para")) == ("2821", "3610")
    assert len(coded("German", "hex")) == 8


# The special forces


@rule("underbelly", "3.6a")
def test_the_special_forces_leave_when_an_allied_unit_comes():
    match = begin("46 Inf @ 2822", special_forces=True)
    assert markers(match, "SF") == {"2823"}
    assert not {"2823"} & {option.hex for option in match.decision.options}  # it takes no orders
    march(match, "2822", "2823")
    assert markers(match, "SF") == set()
    assert [event.hex for event in events(match, "special forces leave")] == [at("2823")]


@rule("underbelly", "3.6a")
def test_the_special_forces_leave_also_when_a_unit_only_passes():
    for held in (None, WAR.towns):  # also where there is nothing else to win on the way
        fields = {"control": held, "scenario": TIBER} if held else {}
        match = begin("46 Inf @ 2822; XIV Pz @ 2722", special_forces=True, **fields)
        march(match, "2822", "2723")
        assert markers(match, "SF") == set()


@rule("underbelly", "3.6a")
def test_the_special_forces_leave_with_the_supply_switch_and_not_before():
    early = begin("US 36 @ 2522; HG @ 2520", GERMAN, special_forces=True)
    next_turn(early)
    assert (markers(early, "SF"), early.position.switched) == ({"2823"}, False)
    match = begin("US 36 @ 2522; HG @ 2211", GERMAN, special_forces=True)
    next_turn(match)
    assert (markers(match, "SF"), match.position.switched) == (set(), True)
    next_turn(match)
    assert markers(match, "SF") == set()


@rule("underbelly", "3.6b")
def test_the_special_forces_have_no_zone_and_take_no_room():
    match = begin("16 Pz @ 2721; 46 Inf @ 3309", GERMAN, special_forces=True)
    assert "2823" not in zone(match, ALLIED)
    assert not {"2722", "2723"} & zone(match, ALLIED)
    # Past them a German division goes on and on.
    assert "2723" in reach(begin("1 Para @ 2721", GERMAN, special_forces=True), "2721")
    order(match, "move", "2721")
    do(match, "go", hex="2722")
    assert "2721" in hexes(match, "go")
    full = begin("46 Inf, 56 Inf, 7 Arm, X Corps @ 2822", special_forces=True)
    assert "2823" in reach(full, "2822")


@rule("underbelly", "3.6c")
def test_a_german_zone_in_their_hex_is_not_cancelled():
    """A supply line from Salerno through 2823 is cut, unless ground units stand there."""
    alone = begin("46 Inf @ 2822; 5 Inf @ 2723; 16 Pz @ 2722", special_forces=True)
    assert not is_supplied(alone, "5 Inf")
    guarded = begin("46 Inf @ 2822; 56 Inf @ 2823; 5 Inf @ 2723; 16 Pz @ 2722")
    assert is_supplied(guarded, "5 Inf")


@rule("underbelly", "3.6d")
def test_germans_may_not_march_into_2823_while_they_are_there():
    for there in (True, False):
        match = begin("1 Para @ 2722", GERMAN, special_forces=there)
        assert ("2823" in reach(match, "2722")) is not there
        assert ("2723" in reach(match, "2722")) is True
    match = begin("1 Para @ 2722; 46 Inf @ 3309", GERMAN, special_forces=True)
    order(match, "move", "2722")
    assert refused(match, "go", hex="2823").rule == "3.6d"


@rule("underbelly", "3.6d")
def test_germans_may_not_attack_the_hex_of_the_special_forces(monkeypatch: pytest.MonkeyPatch):
    """They could if there were a port: as if the special forces were in Taranto."""
    monkeypatch.setattr(WAR, "special_forces", at("4108"))
    safe = begin("16 Pz @ 4107; US 36 @ 3309", GERMAN, special_forces=True)
    assert "attack" not in verbs(safe)
    both = begin("16 Pz @ 4107; US 36 @ 4007", GERMAN, special_forces=True)
    do(both, "attack", hex="4107")
    assert both.position.target == at("4007")
    open_port = begin("16 Pz @ 4107; US 36 @ 3309", GERMAN, special_forces=False)
    assert hexes(open_port, "attack") == {"4107"}


@rule("underbelly", "3.6e")
@pytest.mark.parametrize(("there", "ways"), [(True, {"2723"}), (False, {"2723", "2823"})])
def test_germans_do_not_retreat_into_2823_while_they_are_there(there: bool, ways: set[str]):
    match = begin("46 Inf, 56 Inf @ 2721; 16 Pz, HG @ 2722", special_forces=there)
    attack(match, "2721", "2722", dice=(*[MISS] * 4, 1, *[MISS] * 3))
    shoot_out(match)
    do(match, "retreat")
    assert (hexes(match, "retreat to") or {where(match, "HG")}) == ways


@rule("underbelly", "3.6e")
@pytest.mark.parametrize("there", [True, False])
def test_a_german_zone_does_not_take_a_town_from_the_special_forces(
    there: bool, monkeypatch: pytest.MonkeyPatch
):
    """Their hex is no town, so nothing shows; as if they were in Eboli (2919)."""
    monkeypatch.setattr(WAR, "special_forces", at("2919"))
    fields = {"special_forces": there, "control": all_towns(), "switched": True}
    coming = begin("16 Pz @ 2721; US 36 @ 3309", GERMAN, **fields)
    march(coming, "2721", "2820")
    assert ("2919" in towns(coming)) is there
    # Nor does the zone that is left when the Allies go.
    parting = begin("16 Pz @ 2820; US 36 @ 2920", **fields)
    march(parting, "2920", "3021")
    assert ("2919" in towns(parting)) is there
    dying = begin("16 Pz, HG @ 2820; US 36 @ 2920 steps=1", GERMAN, **fields)
    attack(dying, "2820", "2920", dice=(MISS, 1))
    fight_out(dying)
    assert where(dying, "US 36") is None
    assert ("2919" in towns(dying)) is there
