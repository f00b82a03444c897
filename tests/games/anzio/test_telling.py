"""What is shown of the table: view, standing, overlays, schedule, faults."""

from dataclasses import replace

from apennine.games.anzio.table.position import ALLIED, DUE, GERMAN, OPEN, POOL, UNDER_WAY
from apennine.games.anzio.telling.check import check
from apennine.games.anzio.telling.overlays import OVERLAYS
from apennine.games.anzio.telling.schedule import schedule
from apennine.games.anzio.telling.story import standing
from apennine.games.anzio.telling.view import view
from tests.games.anzio.drawing import WAR, at, base, codes, mask, number, table, units

SALERNO = base("Salerno zone")


def ashore(counters: str = "", **fields):
    """A position in which the zone of Salerno operates and all of it is Allied."""
    pos = table(counters, **fields)
    pos.bases[SALERNO] = OPEN
    pos.friendly |= WAR.ground.bases[SALERNO].hexes
    return pos


def shown(pos):
    return {unit["name"]: unit for unit in view(WAR, pos, ALLIED)["units"]}


def overlay(pos, name: str, side: int = ALLIED, unit: str = "") -> list[str]:
    return codes(OVERLAYS[name](WAR, pos, side, number(unit) if unit else -1))


def test_a_counter_is_shown_with_the_factors_of_its_present_strength():
    pos = table("1 Para @ X52 steps=6; 16 Pz @ N60 steps=1; 3+4 @ M50", mountain=True)
    seen = shown(pos)
    assert seen["1 Para"]["factors"] == {"attack": 5, "defence": 9, "moves": 12, "stacking": 3}
    assert (seen["1 Para"]["steps"], seen["1 Para"]["full"]) == (6, 7)
    assert seen["16 Pz"]["status"] == ["inverted"]
    assert seen["16 Pz"]["factors"]["attack"] == seen["16 Pz"]["factors"]["defence"] == 0
    assert "mountain" in seen["3+4"]["status"]


def test_counters_beside_the_map_tell_where_they_are():
    pos = table("56 Br @ Sicilia; 5 Br @ Messina")
    pos.hex[number("65 Inf")], pos.hex[number("Ers inf 1")] = DUE, POOL
    seen = shown(pos)
    assert (seen["56 Br"]["hex"], seen["56 Br"]["where"]) == (None, "Sicilia")
    assert seen["5 Br"]["where"] == "Messina"
    assert "edge" in seen["65 Inf"]["where"]
    assert "not used" in seen["Ers inf 1"]["where"]


def test_only_units_of_the_scenario_are_shown():
    assert "3 US" in shown(table())
    assert "6 SA" not in shown(table())
    diadem = table()
    diadem.scenario = 3
    assert "6 SA" in shown(diadem)


def test_ports_forts_and_interdicted_hexes_lie_as_markers():
    pos = ashore(works=mask("K52"), watched=mask("J50"), forts=True)
    pos.bases[base("Napoli", port=True)] = UNDER_WAY
    pos.friendly |= mask("K57")
    found = {(m["name"], m["hex"]) for m in view(WAR, pos, GERMAN)["markers"]}
    assert {("F", "K52"), ("I", "J50"), ("P?", "K57")} <= found
    assert [name for name, _ in found].count("B") == 1
    ports = {port["name"]: port for port in view(WAR, pos, GERMAN)["ports"]}
    assert ports["Salerno zone"]["build-up left"] == ports["Salerno zone"]["build-up"]
    assert not ports["Napoli"]["operating"]


def test_the_standing_counts_places_in_supply_and_tells_of_a_gap():
    pos = ashore(
        "56 Br @ N59; 15 PzG @ L54; HG @ O53; 1 Para @ S52; 26 Pz @ V53; 29 PzG @ X55; 2 Para @ Q52"
    )
    found = standing(WAR, pos, ALLIED)
    assert (found.points, found.goals) == ((1, 8), (5, 5))
    assert "Salerno" in found.sentence
    assert "lack 4" in found.sentence
    assert "north" in found.sentence  # seven divisions with holes between them
    assert found.ahead == ALLIED
    holders = {prize.hex: prize.holder for prize in found.prizes}
    assert holders[at("N60")] == ALLIED
    assert holders[at("K57")] == GERMAN
    assert len(found.prizes) == 9


def test_without_a_port_nobody_gets_past_the_front():
    found = standing(WAR, table("56 Br @ N59"), GERMAN)
    assert found.ahead == GERMAN
    assert found.points == (0, 9)
    assert "north" not in found.sentence


def test_overlays_show_zones_supply_friendly_hexes_and_reach():
    pos = ashore("56 Br @ N60; 16 Pz @ N58")
    assert "N59" in overlay(pos, "zone")
    assert "N59" in overlay(pos, "zone", GERMAN)
    assert "N60" in overlay(pos, "supply")
    assert "K57" in overlay(pos, "supply", GERMAN)
    assert "N60" in overlay(pos, "friendly")
    assert "N60" not in overlay(pos, "friendly", GERMAN)
    assert not overlay(pos, "reach")
    assert "M58" in overlay(pos, "reach", GERMAN, "16 Pz")
    assert "N60" not in overlay(pos, "reach", GERMAN, "16 Pz")


def test_an_overlay_shows_who_could_be_overrun():
    pos = ashore("36 US, 45 US @ P61; Ers inf 1 @ R61; HG @ L57; 16 Pz @ S63")
    found = overlay(pos, "automatic victory", GERMAN)
    assert "R61" in found  # 9 to 1
    assert "L57" not in found


def test_an_overlay_shows_the_banks_that_a_unit_may_leave_for():
    pos = table("56 Br @ U27")
    rivers = WAR.ground.rivers
    assert set(overlay(pos, "river banks")) == set(codes(rivers.hexes))
    here, there = at("U27"), at("U26")
    unit, d = number("56 Br"), WAR.lattice.direction(here, there)
    pos.bank[unit], pos.hex[unit] = rivers.step(here, 0, d), there
    assert "U25" not in overlay(pos, "river banks", ALLIED, "56 Br")
    assert "U27" in overlay(pos, "river banks", ALLIED, "56 Br")


def test_the_schedule_tells_arrivals_and_what_a_second_invasion_brings():
    lines = schedule(WAR, table(), ALLIED)
    third = next(line for line in lines if line[:2] == (2, ALLIED))
    assert {"3 US", "34 US"} <= {WAR.names[unit] for unit in third.units}
    reactions = [line for line in lines if "second time" in line.text]
    assert [line.turn for line in reactions] == [8, 9]
    assert all(line.turn <= 15 for line in lines)


def test_faults_of_a_position_are_named():
    sound = ashore("56 Br @ N60; 16 Pz @ N58", friendly=mask("N60"))
    assert check(WAR, sound) == []
    pos = ashore("56 Br, 46 Br, 5 Br @ N60; 16 Pz @ N60", retreating=1, ports=9, turn=40)
    pos.hex[number("HG")] = WAR.ground.sicilia
    pos.hex[number("78 Br")] = POOL
    pos.soft |= units("56 Br")
    sentences = {fault.sentence for fault in check(WAR, pos)}
    assert {
        "Both sides are in N60.",
        "Too many units are in N60.",
        "HG is nowhere.",
        "78 Br is among the replacements, and is none.",
        "56 Br is at odds with its defence factor.",
        "A battle is not finished.",
        "There are more port counters than the game has.",
        "There is no turn 40.",
    } <= sentences
    assert check(WAR, replace(sound, hex=[]))[0].sentence.startswith("The lists")


def test_hexes_are_friendly_to_who_is_in_them_and_ports_need_one():
    pos = ashore("56 Br @ P62; 16 Pz @ N58", works=mask("P62"))
    pos.bases[base("Napoli", port=True)] = OPEN
    sentences = {fault.sentence for fault in check(WAR, pos)}
    assert "P62 is Allied, and not friendly to the Allies." in sentences
    assert "The fort in P62 has been passed by the Allies." in sentences
    assert "Napoli has a counter and no friendly hex." in sentences
