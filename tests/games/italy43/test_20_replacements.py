"""Chapter 20: replacements."""

from typing import Any

import pytest

from apennine.games.italy43.table.position import ALLIED, DEAD, GERMAN, GONE, LOST, WITHDRAWN, Table
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.italy43.drawing import (
    GAME,
    WAR,
    at,
    begin,
    do,
    hexes,
    names,
    number,
    refused,
    steps,
    table,
    units,
    verbs,
)

POOLS = {f"{nation} {kind}": pool for pool, (nation, kind) in enumerate(WAR.pools)}


def due(**pools: int) -> list[int]:
    """Replacements: `due(Ge_infantry=1)`."""
    line = [0] * len(POOLS)
    for name, count in pools.items():
        line[POOLS[name.replace("_", " ")]] = count
    return line


def initial(
    counters: str, side: int = ALLIED, pools: list[int] | None = None, **fields: Any
) -> Match[Table]:
    """An initial phase with these replacements; artillery keeps it open."""
    idle = ("X ASU @ 2124", "XIV ASU @ 2201")[side]
    given = {"control": -1 if side == ALLIED else 0, "due": pools or due(), "supply": [1, 1]}
    return begin(f"{counters}; {idle}", "initial", side, **given | fields)


def give(match: Match[Table], unit: str, pool: str) -> None:
    do(match, "replace", unit, value=POOLS[pool])


@rule("italy43", "20.1.1a")
def test_a_replacement_restores_a_step():
    match = initial("7/3 @ 2123 steps=2", pools=due(US_infantry=2))
    give(match, "7/3", "US infantry")
    assert steps(match, "7/3") == 3
    assert match.position.due == due(US_infantry=1)
    assert match.position.replaced == units("7/3")


@rule("italy43", "20.1.1a")
def test_units_at_full_strength_need_none():
    match = initial("7/3 @ 2123; 15/3 @ 2124 steps=2", pools=due(US_infantry=1))
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "20.1.1a"


@rule("italy43", "20.1.1b")
def test_replacements_come_in_the_initial_phase_and_are_lost_if_unused():
    match = begin("115/15 @ 2201 steps=2; XIV ASU @ 2201", "muster", GERMAN, turn=2, control=0)
    assert match.position.phase == "initial"
    assert match.position.due == due(Ge_infantry=1)
    do(match, "end the initial phase")
    match = begin("7/3 @ 2123 steps=2; X ASU @ 2124", "muster", due=due(Ge_infantry=5), turn=2)
    assert match.position.due == due()
    assert "replace" not in verbs(match)


KINDS = [
    ("7/3", "US infantry"),
    ("8/3PG", "Ge infantry"),
    ("131/7", "Br infantry"),
    ("85/5G", "Ge infantry"),
]


@rule("italy43", "20.1.2a")
@pytest.mark.parametrize(("unit", "pool"), KINDS)
def test_infantry_replacements_serve_infantry_of_all_kinds(unit: str, pool: str):
    assert WAR.served[POOLS[pool]] >> number(unit) & 1


@rule("italy43", "20.1.2a")
@pytest.mark.parametrize("unit", ["1SSF", "100/34", "504/82", "1 Rgr", "3 ASU", "191 Tk", "VI ASU"])
def test_but_nobody_who_needs_special_ones(unit: str):
    assert not WAR.served[POOLS["US infantry"]] >> number(unit) & 1


@rule("italy43", "20.1.2b")
def test_special_ones_serve_the_special_and_infantry_too():
    special = WAR.served[POOLS["US special"]]
    for unit in ("1SSF", "100/34", "504/82", "325G/82", "1 Rgr", "3 ASU", "7/3"):
        assert special >> number(unit) & 1
    assert WAR.served[POOLS["Ge special"]] >> number("II/FJ3") & 1
    assert WAR.served[POOLS["Br special"]] & units("9 Cdo, 11H/7") == units("9 Cdo, 11H/7")
    assert not special >> number("191 Tk") & 1


@rule("italy43", "20.1.2c")
def test_tank_replacements_serve_tanks_and_reconnaissance():
    assert WAR.served[POOLS["Ge tank"]] & units("103 StuG, HG Rcn, 8/3PG") == units(
        "103 StuG, HG Rcn"
    )
    assert WAR.served[POOLS["US tank"]] >> number("191 Tk") & 1


@rule("italy43", "20.1.3")
def test_a_replacement_serves_its_own_nation():
    match = initial("7/3 @ 2123 steps=2; 128/46 @ 2123 steps=2", pools=due(US_infantry=1))
    assert names(match, "replace") == {"7/3"}
    assert refused(match, "replace", "128/46", value=POOLS["US infantry"]).rule == "20.1.3"
    for pool, (nation, _) in enumerate(WAR.pools):
        assert not WAR.served[pool] & ~WAR.nationals[nation]


@rule("italy43", "20.2a", "13.2.1d")
def test_on_the_map_it_needs_supply_and_good_order():
    counters = "7/3 @ 2123 steps=2 disrupted; 15/3 @ 2502 steps=2; 30/3 @ 2124 steps=2"
    match = initial(counters, pools=due(US_infantry=3))
    assert names(match, "replace") == {"30/3"}
    for unit in ("7/3", "15/3"):
        assert refused(match, "replace", unit, value=POOLS["US infantry"]).rule == "20.2a"


@rule("italy43", "16.4d")
def test_and_no_marker_out_of_supply():
    match = initial("7/3 @ 2123 steps=2 hungry; 15/3 @ 2123 steps=2", pools=due(US_infantry=3))
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "16.4d"


@rule("italy43", "20.2b")
def test_one_a_turn_for_each_unit():
    match = initial("7/3 @ 2123 steps=1; 15/3 @ 2123 steps=2", pools=due(US_infantry=3))
    give(match, "7/3", "US infantry")
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "20.2b"


@rule("italy43", "20.3.5")
def test_a_remnant_becomes_its_parent_again():
    match = initial("7/3 @ 2123 steps=1", pools=due(US_infantry=2))
    assert match.position.remnants == units("7/3")
    give(match, "7/3", "US infantry")
    assert (steps(match, "7/3"), match.position.remnants) == (2, 0)


@rule("italy43", "S3.3.3f")
def test_frozen_units_receive_them_too():
    counters = "II/104/15 @ 2115 steps=1 frozen"
    match = initial(counters, GERMAN, due(Ge_infantry=1))
    give(match, "II/104/15", "Ge infantry")
    assert steps(match, "II/104/15") == 2


# From the Eliminated Box


@rule("italy43", "20.3.1a", "17.2c")
def test_eliminated_units_return_in_areas_or_with_artillery():
    counters = "3 ASU @ 2418; 45 ASU @ 2420; VI ASU @ 2123"
    match = initial(counters, pools=due(US_infantry=1), lost="7/3")
    give(match, "7/3", "US infantry")
    assert hexes(match, "return") == {"S1", "S2", "2418", "2123", "2124"}
    do(match, "return", "7/3", "2418")
    assert match.position.hex[number("7/3")] == at("2418")
    german = initial("71 NW @ 2202; 3PG ASU @ 2203", GERMAN, due(Ge_infantry=1), lost="8/3PG")
    give(german, "8/3PG", "Ge infantry")
    assert not {"2202"} & hexes(german, "return")
    assert {"2203", "2201", "N1"} <= hexes(german, "return")


@rule("italy43", "20.3.1a")
def test_the_hex_must_be_in_supply():
    match = initial("3 ASU @ 2502", pools=due(US_infantry=1), lost="7/3")
    give(match, "7/3", "US infantry")
    assert refused(match, "return", "7/3", "2502").rule == "20.3.1a"


@rule("italy43", "20.3.1b")
def test_nobody_returns_next_to_an_enemy():
    counters = "3 ASU, 15/3 @ 2418; 8/3PG @ 2318"
    match = initial(counters, pools=due(US_infantry=1), lost="7/3")
    give(match, "7/3", "US infantry")
    assert refused(match, "return", "7/3", "2418").rule == "20.3.1b"


@rule("italy43", "20.3.2")
def test_a_stack_may_be_too_high_for_a_time():
    match = initial("3 ASU, 15/3, 30/3 @ 2418", pools=due(US_infantry=1), lost="7/3")
    give(match, "7/3", "US infantry")
    assert "2418" in hexes(match, "return")


@rule("italy43", "20.3.3", "17.2b")
def test_artillery_returns_fired_and_for_special_replacements_only():
    match = initial("7/3 @ 2123", pools=due(US_special=1, US_infantry=1), lost="VI ASU")
    assert refused(match, "replace", "VI ASU", value=POOLS["US infantry"]).rule == "20.1.2a"
    give(match, "VI ASU", "US special")
    do(match, "return", "VI ASU", "S1")
    assert not match.position.ready


@rule("italy43", "20.3.4")
def test_a_unit_of_three_steps_returns_as_a_remnant():
    match = initial("15/3 @ 2123", pools=due(US_infantry=1), lost="7/3")
    give(match, "7/3", "US infantry")
    do(match, "return", "7/3", "S1")
    assert (steps(match, "7/3"), match.position.remnants) == (1, units("7/3"))
    used = "15/3, 30/3, 141/36, 142/36 @ 2123 steps=1"
    match = initial(used, pools=due(US_infantry=1), lost="7/3")
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "20.3.4"


@rule("italy43", "20.1.1a")
def test_others_return_at_their_lowest_step():
    match = initial("7/3 @ 2123", pools=due(US_tank=1), lost="191 Tk")
    give(match, "191 Tk", "US tank")
    do(match, "return", "191 Tk", "S1")
    assert steps(match, "191 Tk") == 1
    assert not match.position.remnants


@rule("italy43", "16.5.6")
def test_who_was_lost_by_isolation_does_not_return():
    pos = table("15/3 @ 2123; X ASU @ 2124", "initial", due=due(US_infantry=1), lost="7/3, 30/3")
    pos.hex[number("7/3")] = DEAD
    pos.control = -1
    match = Match(GAME, position=pos, seed=1)
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "16.5.6"
    assert names(match, "replace") == {"30/3"}


@rule("italy43", "22.1c")
def test_a_withdrawn_unit_may_be_replaced_where_it_is():
    pos = table("XIV ASU @ 2201", "initial", GERMAN, turn=9, due=due(Ge_infantry=2), control=0)
    pos.hex[number("I/9/26")] = WITHDRAWN
    pos.steps[number("I/9/26")] = 1
    pos.hex[number("II/9/26")] = LOST
    pos.steps[number("II/9/26")] = 0
    pos.supply = [1, 1]
    match = Match(GAME, position=pos, seed=1)
    give(match, "I/9/26", "Ge infantry")
    give(match, "II/9/26", "Ge infantry")
    assert (steps(match, "I/9/26"), steps(match, "II/9/26")) == (2, 1)
    assert match.position.hex[number("II/9/26")] == WITHDRAWN


@rule("italy43", "22.2.1")
def test_a_removed_unit_is_not_replaced():
    pos = table("15/3, 7/3 @ 2123 steps=2", "initial", due=due(US_infantry=1), control=-1)
    pos.hex[number("7/3")] = GONE
    match = Match(GAME, position=pos, seed=1)
    assert names(match, "replace") == {"15/3"}
    assert refused(match, "replace", "7/3", value=POOLS["US infantry"]).rule == "22.2.1"


@rule("italy43", "20.1.2a")
def test_a_unit_takes_no_replacement_of_another_kind_though_one_is_left():
    match = initial("191 Tk @ 2123 steps=1", pools=due(US_infantry=1, US_tank=1))
    assert refused(match, "replace", "191 Tk", value=POOLS["US infantry"]).rule == "20.1.2a"
