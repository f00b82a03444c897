"""Chapter 17.5: artillery is readied."""

import pytest

from apennine.games.italy43.table.position import ALLIED, GERMAN
from apennine.testing import rule
from tests.games.italy43.drawing import begin, do, names, number, refused, units, verbs

NAPLES = -1
"""Everything in Allied hands, Naples too."""


@rule("italy43", "17.5b", "3.0B5n")
@pytest.mark.parametrize("phase", ["initial", "resupply"])
def test_each_supply_point_readies_one_in_the_initial_and_in_the_supply_phase(phase: str):
    match = begin("3 ASU, VI ASU, 45 ASU @ 2124", phase, supply=[2, 1], control=NAPLES)
    assert names(match, "ready") == {"3 ASU", "VI ASU", "45 ASU"}
    do(match, "ready", "VI ASU")
    assert match.position.supply == [1, 1]
    assert refused(match, "ready", "VI ASU").rule == "17.5b"
    if phase == "initial":
        do(match, "ready", "3 ASU")
        assert refused(match, "ready", "45 ASU").rule == "17.5b"
        assert match.position.ready == units("3 ASU, VI ASU")


@rule("italy43", "17.5b", "13.2.1c")
def test_it_needs_good_order_and_a_line_of_supply_at_that_moment():
    counters = "3 ASU @ 2124 disrupted; VI ASU @ 2502; 7/3, 45 ASU @ 2123"
    match = begin(counters, "initial", supply=[2, 0], control=NAPLES)
    assert refused(match, "ready", "3 ASU").rule == "13.2.1c"
    assert refused(match, "ready", "VI ASU").rule == "17.5b"
    assert refused(match, "ready", "7/3").rule == "17.5b"
    assert names(match, "ready") == {"45 ASU"}


@rule("italy43", "16.4d")
def test_artillery_marked_out_of_supply_is_not_readied():
    match = begin("3 ASU @ 2124 hungry; 45 ASU @ 2124", "initial", supply=[2, 0], control=NAPLES)
    assert refused(match, "ready", "3 ASU").rule == "16.4d"


@rule("italy43", "19.4d")
def test_the_heavy_howitzers_take_no_supply_points():
    match = begin("Hv How, 3 ASU @ 2124", "initial", supply=[2, 0], control=NAPLES)
    assert refused(match, "ready", "Hv How").rule == "19.4d"


@rule("italy43", "19.1b", "23.3.3")
def test_a_good_weather_roll_readies_one_nebelwerfer_if_it_is_in_supply_and_good_order():
    counters = "71 NW, 56 NW @ 2201; XIV ASU @ 2202"
    match = begin(counters, "flips", GERMAN, flips=True, control=0)
    assert names(match, "flip") == {"71 NW", "56 NW"}
    assert refused(match, "flip", "XIV ASU").rule == "23.3.3"
    do(match, "flip", "71 NW")
    assert match.position.ready == units("71 NW")
    assert "flip" not in verbs(match)  # one alone
    for mark in ("disrupted", "hungry"):
        match = begin(f"71 NW @ 2201 {mark}; 56 NW @ 2202", "flips", GERMAN, flips=True, control=0)
        assert names(match, "flip") == {"56 NW"}


@rule("italy43", "19.4d", "23.3.3")
def test_and_the_heavy_howitzers():
    match = begin("Hv How, 3 ASU @ 2124", "flips", ALLIED, flips=True, control=NAPLES)
    assert names(match, "flip") == {"Hv How"}
    do(match, "leave it")
    assert not match.position.ready
    match = begin("Hv How @ 2124; 3 ASU @ 2124", "flips", ALLIED, flips=False, control=NAPLES)
    assert match.position.phase != "flips"
    assert not match.position.ready >> number("Hv How") & 1


@rule("italy43", "23.3.3")
def test_a_flip_that_nobody_can_use_is_lost():
    match = begin("71 NW @ 2201 ready", "flips", GERMAN, flips=True, control=0)
    assert match.position.phase != "flips"
