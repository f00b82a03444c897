"""The data of the game as it is played: map, units, charts, scenarios, ledger."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from apennine.games import get
from apennine.games.crossing.rules.c03_zones import occupied
from apennine.games.crossing.table.data import Result, read_result
from apennine.games.crossing.table.position import LOST
from apennine.hexes import mask_of
from apennine.kernel.game import GameError
from apennine.kernel.ledger import citations, coverage, proofs
from apennine.kernel.match import Match
from apennine.mechanics.tables import never_worse
from tests.games.crossing.drawing import ALLIED, GAME, GERMAN, at, combat, movement, table

PLAYED = get("crossing")
BOARD = PLAYED.board


def start(**options: bool):
    return Match(PLAYED, options=options, seed=1).position


def test_the_towns_are_where_the_ledger_says():
    names = [BOARD.places_at(hex)[0].name for hex in BOARD.lattice if PLAYED.war.towns >> hex & 1]
    assert names == ["Pietra", "Monteverde", "Solara"]
    assert all(name in PLAYED.ledger["8.1"].obligation for name in names)
    assert PLAYED.war.towns & ~BOARD.terrain["town"] == 0


def test_the_river_parts_the_two_edges_of_the_map_but_for_the_bridges():
    south, north = PLAYED.war.edge
    for blown in range(4):
        passable = PLAYED.war.passable[blown]
        flooded = BOARD.lattice.flood_sides(south, BOARD.lattice.all, passable)
        assert flooded & south == south
        assert bool(flooded & north) is (blown != 3)


@pytest.mark.parametrize("bridge", ["west", "east"])
def test_a_bridge_carries_the_road_over_the_river(bridge: str):
    (edge,) = BOARD.lattice.edges(BOARD.bridges[bridge].sides)
    assert edge in BOARD.lattice.edges(BOARD.sides["river"])
    assert edge in BOARD.lattice.edges(BOARD.roads["road"])


def test_a_road_joins_the_allied_edge_to_every_town():
    roads = BOARD.lattice.flood_sides(
        PLAYED.war.edge[ALLIED], BOARD.lattice.all, BOARD.roads["road"]
    )
    assert PLAYED.war.towns & ~roads == 0


def test_every_unit_starts_on_the_map_on_its_own_bank_and_in_supply():
    match = Match(PLAYED, seed=1)
    pos = match.position
    assert match.check() == []
    assert mask_of(pos.hex) & ~BOARD.lattice.all == 0
    pos = pos.copy()
    pos.blown = 3
    for side in (ALLIED, GERMAN):
        assert PLAYED.warnings(pos, side) == []


def test_every_unit_has_two_steps_and_is_weaker_with_one():
    for unit in PLAYED.war.roster:
        full, reduced = unit.faces
        assert min(reduced) > 0
        assert all(few < many for few, many in zip(reduced, full, strict=True)), unit.name
    assert start().steps == [2] * len(PLAYED.units)
    assert len(set(PLAYED.units)) == len(PLAYED.units)


def test_every_unit_can_move_at_the_start():
    pos = start()
    for unit, owner in enumerate(PLAYED.war.side_of):
        assert PLAYED.overlay(pos, "reach", owner, unit), PLAYED.units[unit]


def test_either_side_can_come_to_a_bridge_in_its_first_turn():
    pos = start()
    bridges = (BOARD.lattice.edges(feature.sides) for feature in BOARD.bridges.values())
    ends = mask_of(hex for (edge,) in bridges for hex in BOARD.lattice.edge_hexes(edge))
    for side in (ALLIED, GERMAN):
        reached = occupied(PLAYED.war, pos, side)
        for unit in PLAYED.war.members[side]:
            reached |= PLAYED.overlay(pos, "reach", side, unit)
        assert reached & ends


def test_the_movement_chart_has_the_prices_that_the_ledger_gives():
    foot, tracks = PLAYED.war.paces["foot"], PLAYED.war.paces["tracks"]
    assert (foot.road, tracks.road) == (0.5, 0.5)
    assert (foot.river, foot.boats) == (2, 1)
    assert (tracks.river, tracks.boats) == (None, None)
    assert set(PLAYED.war.kind) == {"foot", "tracks"}


def test_better_odds_are_never_worse():
    def for_the_attacker(result: Result) -> int:
        return 2 * (result.defender - result.attacker) + result.retreat

    assert PLAYED.war.combat.columns == ("1-2", "1-1", "2-1", "3-1", "4-1")
    assert never_worse(PLAYED.war.combat, PLAYED.war.combat.columns, for_the_attacker) == []


def test_a_higher_roll_is_never_worse():
    for column in range(len(PLAYED.war.combat.columns)):
        cells = [PLAYED.war.combat.cell(die, column) for die in range(1, 7)]
        worth = [2 * (cell.defender - cell.attacker) + cell.retreat for cell in cells]
        assert worth == sorted(worth)


def test_the_chart_has_a_row_for_each_face_of_a_die():
    assert (PLAYED.war.combat.lowest, len(PLAYED.war.combat.rows)) == (1, 6)


@pytest.mark.parametrize("text", ["0/0", "2/0", "1/1", "0/1 R2"])
def test_a_result_is_read_as_it_is_written(text: str):
    assert str(read_result(text)) == text


def test_a_scenario_sets_its_turns_and_the_towns_to_win():
    for scenario in PLAYED.war.starts:
        pos = Match(PLAYED, scenario.key, seed=1).position
        assert (pos.last_turn, pos.towns_to_win) == (scenario.turns, scenario.towns)
        assert 1 <= scenario.towns <= PLAYED.war.towns.bit_count()


def test_the_optional_rule_is_off_unless_asked_for():
    assert not start().boats
    assert start(boats=True).boats
    assert [switch.rule for switch in PLAYED.switches] == ["4.8"]


def test_the_view_shows_every_unit_and_is_plain():
    view = Match(PLAYED, seed=1).view(ALLIED)
    assert [unit["name"] for unit in view["units"]] == list(PLAYED.units)
    assert (view["turn"], view["side"], view["held"], view["blown"]) == (1, "Allied", [], [])
    lost = table("movement", ALLIED, "1 Inf @ 0508")
    shown = {unit["name"]: unit["hex"] for unit in GAME.view(lost, GERMAN)["units"]}
    assert (shown["1 Inf"], shown["2 Inf"]) == ("0508", None)


def test_an_overlay_that_the_game_does_not_have_is_a_mistake():
    for name in PLAYED.overlays:
        assert PLAYED.overlay(start(), name, GERMAN) & ~BOARD.lattice.all == 0
    with pytest.raises(GameError, match="no overlay called 'fog'"):
        PLAYED.overlay(start(), "fog", ALLIED)


def test_there_is_a_preview_of_moves_and_attacks_only():
    match = movement("1 Inf @ 0508")
    assert all(match.preview(option) is None for option in match.decision.options)
    match = combat("1 Inf @ 0508; I Gren @ 0407")
    assert [match.preview(o) is None for o in match.decision.options] == [False, True]


def test_a_position_without_a_fault_has_none():
    assert GAME.check(table("movement", ALLIED, "1 Inf, 2 Inf @ 0508; I Gren @ 0101")) == []


@pytest.mark.parametrize("hex", [10_000, 0, -7])
def test_the_check_finds_a_unit_off_the_map(hex: int):
    pos = table("movement", ALLIED, "1 Inf, 2 Inf @ 0508")
    assert hex not in GAME.board.lattice
    pos.hex[GAME.unit("2 Inf")] = hex
    (fault,) = GAME.check(pos)
    assert (fault.sentence, fault.unit) == ("2 Inf is nowhere.", GAME.unit("2 Inf"))


@pytest.mark.parametrize("steps", [-1, 0, 3])
def test_the_check_finds_impossible_steps(steps: int):
    pos = table("movement", ALLIED, "1 Inf @ 0508")
    pos.steps[GAME.unit("1 Inf")] = steps
    (fault,) = GAME.check(pos)
    assert fault.sentence == f"1 Inf has {steps} steps."
    pos.hex[GAME.unit("1 Inf")] = LOST
    assert GAME.check(pos) == []


def test_the_check_finds_too_many_units_and_both_sides_in_a_hex_and_lists_all():
    pos = table("movement", ALLIED, "1 Inf, 2 Inf, 3 Inf @ 0508; I Gren, 4 Inf @ 0407", check=False)
    found = {(fault.sentence, fault.rule, fault.hex) for fault in GAME.check(pos)}
    assert found == {
        ("Too many units are in 0508.", "2.1", at("0508")),
        ("Both sides are in 0407.", "4.5", at("0407")),
    }
    crowd = table("movement", GERMAN, "I Gren, II Gren, III Gren @ 0101", check=False)
    assert [fault.rule for fault in GAME.check(crowd)] == ["2.1"]


def test_every_rule_of_the_ledger_is_proven_by_a_test_and_every_citation_exists():
    known = {row.id for row in PLAYED.ledger}
    proven = proofs(Path(__file__).parent, "crossing")
    assert coverage(PLAYED.ledger, proven).missing == []
    assert set(proven) <= known
    with resources.as_file(PLAYED.data) as folder:
        assert {citation.id for citation in citations(folder.parent)} <= known
