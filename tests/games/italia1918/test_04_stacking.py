"""Chapters 4 to 6: stacking, zones of control, step losses."""

import pytest

from apennine.games.italia1918.rules.c04_stacking import correct_stacking, fits, homeless, load
from apennine.games.italia1918.rules.c05_zones import zone, zone_on_lines
from apennine.games.italia1918.rules.c06_steps import disorganize, eliminate, lose_step, overrun
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    codes,
    do,
    mask,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
)

# Stacking


@rule("italia1918", "4.0a", "4.0b")
def test_the_books_stacks():
    pos = table("4 ID, 3 ID/216, CArt II K @ W1933; AlpK Leib, AlpK 1, AlpK 2 @ W1934")
    assert load(WAR, pos, units("4 ID, 3 ID/216, CArt II K")) == 4
    assert fits(WAR, pos, units("4 ID, 3 ID/216, CArt II K"))
    assert load(WAR, pos, units("AlpK Leib, AlpK 1, AlpK 2, Stoss 1")) == 3
    assert fits(WAR, pos, units("AlpK Leib, AlpK 1, AlpK 2, Stoss 1"))
    two = table("4 ID, 13 SchD @ W1933 steps=2")
    assert load(WAR, two, units("4 ID, 13 SchD, 3 ID/216")) == 5
    assert not fits(WAR, two, units("4 ID, 13 SchD, 3 ID/216"))


@rule("italia1918", "4.0b")
def test_a_division_with_a_step_loss_marker_still_counts_two():
    assert load(WAR, table("4 ID @ W1933 steps=1"), units("4 ID")) == 2


@rule("italia1918", "4.0c")
def test_detachments_count_nothing_but_there_are_two_at_most():
    pos = table("4 ID, 3 ID/216, Geb 1, Geb 2 @ W1933")
    assert fits(WAR, pos, units("4 ID, 3 ID/216, Geb 1, Geb 2"))
    assert not fits(WAR, pos, units("Geb 1, Geb 2, Geb 3"))


@rule("italia1918", "4.0d", "2.2.1c")
def test_supports_stack_without_limit_and_divisions_mix():
    pos = table()
    guns = units("CArt II K, CArt III K, CArt IV K, CArt VI K, AArt 6 A, HQ 6 Armee")
    assert fits(WAR, pos, guns | units("4 ID, 3 ID/216"))
    assert fits(WAR, pos, units("3 ID/216, 55 ID/26, 22 SchD/43, 44 SchD/44"))


@rule("italia1918", "4.0e", "15.3.1a", "15.3.2a")
@pytest.mark.parametrize(
    ("stack", "alone"),
    [
        ("AlpK Leib, Stoss 1", 0),
        ("AlpK Leib, Stoss 1, Stoss 2", 1),
        ("4 ID, Stoss 1", 1),
        ("4 ID, SturmB 1", 0),
        ("3 ID/216, SturmB 1", 0),
        ("39 HIBrig, SturmB 1", 0),
        ("12 rtSchD, SturmB 1", 1),
        ("AlpK Leib, SturmB 1", 1),
        ("AlpK Leib, 4 ID, Stoss 1, SturmB 1", 0),
    ],
)
def test_assault_troops_need_units_that_can_have_them(stack: str, alone: int):
    assert homeless(WAR, units(stack)).bit_count() == alone


@rule("italia1918", "15.3.3a", "15.3.3b")
@pytest.mark.parametrize(
    ("host", "alone"),
    [("1 Alpini", 0), ("Como Bde", 0), ("22 DF", 0), ("1 DF", 1), ("7 Div/20", 1), ("Alp 1", 1)],
)
def test_whom_arditi_join(host: str, alone: int):
    assert homeless(WAR, units(f"{host}, Arditi 1")).bit_count() == alone


@rule("italia1918", "4.0f")
def test_the_owner_eliminates_what_is_too_much():
    pos = table("4 ID, 13 SchD, CArt II K @ W1933")
    match = play(pos, correct_stacking)
    assert names(match, "give up") == {"4 ID", "13 SchD"}
    assert refused(match, "give up", "CArt II K").rule == "4.0f"
    do(match, "give up", "13 SchD")
    assert match.position.hex[number("13 SchD")] == LOST
    assert match.outcome


@rule("italia1918", "4.0c", "4.0f")
def test_a_third_detachment_goes():
    match = play(table("4 ID, Geb 1, Geb 2, Geb 3 @ W1933"), correct_stacking)
    assert names(match, "give up") == {"Geb 1", "Geb 2", "Geb 3"}


@rule("italia1918", "4.0e", "11.3.2c")
def test_assault_troops_beyond_their_hosts_go():
    match = play(table("4 ID, SturmB 1, SturmB 2 @ W1933"), correct_stacking)
    assert names(match, "give up") == {"SturmB 1", "SturmB 2"}


# Zones of control

AROUND = {"W1932", "W1934", "W1832", "W1833", "W2032", "W2033"}


@rule("italia1918", "5.0a")
def test_a_combat_unit_has_a_zone_whatever_its_state():
    pos = table("Geb 1 @ W1933 disorganized hungry")
    assert codes(zone(WAR, pos, CENTRAL)) == AROUND


@rule("italia1918", "5.0b")
def test_supports_have_none():
    pos = table("HQ 6 Armee, CArt II K, AArt 6 A @ W1933")
    assert zone(WAR, pos, CENTRAL) == 0


@rule("italia1918", "5.0c")
def test_a_zone_reaches_over_every_hexside():
    river = WAR.ground.major[WAR.lattice.direction(at("W1933"), at("W1833"))]
    assert river >> at("W1933") & 1
    assert "W1833" in codes(zone(WAR, table("4 ID @ W1933"), CENTRAL))
    assert "W2708" in codes(zone(WAR, table("4 ID @ W2709"), CENTRAL))  # over the Adige


@rule("italia1918", "5.0d")
def test_a_zone_covers_hexes_of_both_sides():
    pos = table("4 ID @ W1933; 13 SchD @ W1934; 22 DF @ W1833")
    assert {"W1934", "W1833"} <= codes(zone(WAR, pos, CENTRAL))


@rule("italia1918", "5.0e")
def test_friends_cancel_a_zone_only_where_a_rule_says_so():
    pos = table("4 ID @ W1933; 22 DF @ W1833; CArt I CdA @ W1832")
    assert {"W1833", "W1832"} <= codes(zone(WAR, pos, CENTRAL))
    assert not {"W1833", "W1832"} & codes(zone_on_lines(WAR, pos, CENTRAL))


# Step losses


def after_losses(name: str, losses: int) -> tuple[int, str]:
    """Steps and factors of a unit after some losses."""
    pos = table(f"{name} @ W1933")
    unit = number(name)
    for _ in range(losses):
        match = play(pos, lambda war, pos: lose_step(war, pos, unit, "6.0a"))
        pos = match.position
    face = WAR.faces[unit][pos.steps[unit]]
    return (pos.steps[unit] if pos.hex[unit] >= 0 else -1), f"{face[0]}-{face[1]}"


@rule("italia1918", "6.0a")
def test_a_weak_division_has_two_steps():
    assert after_losses("12 rtSchD", 1) == (1, "3-3")
    assert after_losses("12 rtSchD", 2)[0] == -1


@rule("italia1918", "6.0b")
@pytest.mark.parametrize("unit", ["AlpK Leib", "Como Bde"])
def test_regiments_and_brigades_have_two(unit: str):
    assert after_losses(unit, 1)[0] == 1
    assert after_losses(unit, 2)[0] == -1


@rule("italia1918", "6.0c", "6.0f")
def test_a_division_of_morale_4_has_three_and_keeps_its_reduced_factors():
    assert after_losses("4 ID", 1) == (2, "5-5")
    assert after_losses("4 ID", 2) == (1, "5-5")
    assert after_losses("4 ID", 3)[0] == -1
    assert WAR.full[number("4 ID")] == 3  # Retreat mode lowers morale, not steps


@rule("italia1918", "6.0d")
@pytest.mark.parametrize("unit", ["Geb 1", "Stoss 1"])
def test_detachments_and_assault_troops_have_one(unit: str):
    assert after_losses(unit, 1)[0] == -1


@rule("italia1918", "6.0e")
def test_other_supports_have_none():
    for name in ("HQ 6 Armee", "CArt II K", "Air AH1", "Depot Udine", "Trucks"):
        assert WAR.full[number(name)] == 0


@rule("italia1918", "15.3.1f", "15.3.2f", "15.3.3g")
@pytest.mark.parametrize(
    ("host", "troops"), [("AlpK Leib", "Stoss 1"), ("4 ID", "SturmB 1"), ("22 DF", "Arditi 1")]
)
def test_assault_troops_die_with_their_unit(host: str, troops: str):
    pos = table(f"{host}, {troops} @ W1933", hosts={troops: host})
    match = play(pos, lambda war, pos: eliminate(war, pos, number(host), "6.0a"))
    assert told(match, "is eliminated") == [host, troops]


@rule("italia1918", "12.5a", "12.5f")
def test_only_combat_units_become_disorganized_and_reorganizing_ones_again():
    pos = table("4 ID, 13 SchD, CArt II K @ W1933; 3 ID/216 @ W1934")
    pos.reorganizing = units("13 SchD")
    disorganize(WAR, pos, units("4 ID, 13 SchD, CArt II K"))
    assert pos.disorganized == units("4 ID, 13 SchD")
    assert pos.reorganizing == 0


@rule("italia1918", "11.3.1b", "11.3.3d", "11.3.4c")
def test_supports_alone_are_lost_when_an_enemy_comes():
    pos = table("4 ID @ W1933; CArt I CdA, HQ I Armata, Trucks @ W1833; 22 DF, CArt II CdA @ W1832")
    match = play(pos, lambda war, pos: overrun(war, pos, ENTENTE, mask("W1933")))
    assert set(told(match, "is eliminated")) == {"CArt I CdA", "HQ I Armata", "Trucks"}


@rule("italia1918", "15.5b", "11.3.1f")
def test_a_depot_stays_and_several_supports_are_still_alone():
    pos = table(
        "4 ID @ E2620; Depot Udine, HQ II Armata, CArt II CdA @ E2720", scenario="caporetto"
    )
    match = play(pos, lambda war, pos: overrun(war, pos, ENTENTE, mask("E2620")))
    assert set(told(match, "is eliminated")) == {"HQ II Armata", "CArt II CdA"}


@rule("italia1918", "S3.S5b", "S3.S5c")
def test_the_amalfi_battery_dies_alone_and_scores():
    pos = table("4 ID @ E0401; Amalfi @ E0402", scenario="albrecht")
    match = play(pos, lambda war, pos: overrun(war, pos, ENTENTE, mask("E0401")))
    assert match.position.hex[number("Amalfi")] == LOST
    assert match.position.points == [1, 0]
