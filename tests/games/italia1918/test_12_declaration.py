"""Chapters 12.1 to 12.2.3: an attack is declared, guns fire, lead units are named."""

from typing import Any

import pytest

from apennine.games.italia1918.rules.c12_declaration import (
    ATTACK,
    combat_begins,
    declare,
    eligible,
)
from apennine.games.italia1918.rules.c12_guns import artillery
from apennine.games.italia1918.rules.c12_lead import lead_units
from apennine.games.italia1918.table.position import CENTRAL, ENTENTE, LOST, NOBODY, Table
from apennine.games.italia1918.table.war import War
from apennine.kernel.decision import Procedure, Roll
from apennine.kernel.match import Match
from apennine.kernel.order import Plain, ask
from apennine.testing import rule
from tests.games.italia1918.drawing import (
    WAR,
    at,
    codes,
    do,
    hexes,
    names,
    number,
    play,
    refused,
    steps,
    table,
    told,
    units,
    verbs,
)
from tests.games.italia1918.fighting import battle

HQ = "HQ 6 Armee @ W0404"
FIELD = f"4 ID @ W0504; 13 SchD @ W0604; 22 DF @ W0505; 37 DF @ W0603; {HQ}"
PASS = Plain("pass", "A test ends", "12.1a")


def attacks(war: War, pos: Table) -> Procedure:
    """Attacks are declared until nobody wants another."""
    while True:
        chosen = yield from ask(war, pos, "Attack", "12.1b", ATTACK, PASS)
        if chosen.verb == PASS.verb:
            return
        yield from declare(war, pos)


def fight(counters: str = FIELD, side: int = CENTRAL, **fields: Any) -> Match[Table]:
    pos = table(counters, side, phase="combat", **fields)
    combat_begins(WAR, pos)
    return play(pos, attacks)


# Declaring


@rule("italia1918", "12.1a")
def test_only_enemies_next_to_a_unit_are_attacked_and_nobody_must():
    match = fight(f"{FIELD}; 4 DF @ W0508")
    assert hexes(match, "attack") == {"W0505", "W0603"}
    assert refused(match, "attack", hex="W0508").rule == "12.1a"
    assert refused(match, "attack", hex="W0605").rule == "12.1a"
    do(match, "pass")


@rule("italia1918", "12.1d", "12.1b")
def test_a_hex_is_attacked_once_a_phase_and_each_attack_is_declared_by_itself():
    match = fight()
    do(match, "attack", hex="W0505")
    do(match, "attack with", "4 ID")
    do(match, "go in")
    assert codes(match.position.struck) == {"W0505"}
    assert refused(match, "attack", hex="W0505").rule == "12.1d"
    assert hexes(match, "attack") == {"W0603"}


@rule("italia1918", "12.1e", "12.1f")
def test_all_next_to_the_hex_may_join_and_each_attacks_once():
    match = fight(f"{FIELD}; 33 ID @ W0604")
    do(match, "attack", hex="W0505")
    assert names(match, "attack with") == {"4 ID", "13 SchD", "33 ID"}
    do(match, "attack with", "4 ID")
    do(match, "go in")  # 13 SchD and 33 ID do not
    do(match, "attack", hex="W0603")
    assert refused(match, "attack with", "4 ID").rule == "12.1f"
    assert names(match, "attack with") == {"13 SchD", "33 ID"}


@rule("italia1918", "12.1g")
def test_units_of_one_stack_may_attack_different_hexes():
    match = fight(f"AlpK Leib, AlpK 1 @ W0504; 22 DF @ W0505; 37 DF @ W0603; {HQ}")
    do(match, "attack", hex="W0505")
    do(match, "attack with", "AlpK Leib")
    do(match, "go in")
    do(match, "attack", hex="W0603")  # only AlpK 1 is left for it
    assert match.position.attackers == units("AlpK 1")


@rule("italia1918", "12.1h", "15.2.2f", "15.2.2p")
def test_a_new_phase_forgets_who_has_attacked_and_fired():
    pos = table(FIELD, attacked=-1, struck=-1, counter=-1)
    pos.shots[number("CArt II K")] = 1
    combat_begins(WAR, pos)
    assert (pos.attacked, pos.struck, pos.counter, sum(pos.shots)) == (0, 0, 0, 0)


@rule("italia1918", "12.2.1a", "12.2.1c")
def test_who_is_not_named_takes_no_part():
    match = fight()
    do(match, "attack", hex="W0505")
    do(match, "attack with", "4 ID")
    do(match, "go in")
    assert match.position.attackers == units("4 ID")
    assert match.position.attacked == units("4 ID")


@rule("italia1918", "9.2a", "11.2.7b", "12.5c")
@pytest.mark.parametrize(
    ("state", "cited"),
    [
        ("hungry", "9.2a"),
        ("slipping", "11.2.7b"),
        ("disorganized", "12.5c"),
        ("reorganizing", "12.5c"),
    ],
)
def test_who_may_not_attack(state: str, cited: str):
    match = fight(f"4 ID, 3 ID/216 @ W0504; 13 SchD @ W0604 {state}; 22 DF @ W0505; {HQ}")
    do(match, "attack", hex="W0505")
    assert refused(match, "attack with", "13 SchD").rule == cited


@rule("italia1918", "11.2.10a")
def test_frozen_units_do_not_attack():
    counters = "22 DF, 3 Alpini @ W0504; 37 DF @ W0604; 4 ID @ W0505; HQ I Armata @ W0507"
    pos = table(counters, ENTENTE, phase="combat")
    pos.frozen = [units("37 DF")]
    combat_begins(WAR, pos)
    match = play(pos, attacks)
    do(match, "attack", hex="W0505")
    assert refused(match, "attack with", "37 DF").rule == "11.2.10a"


@rule("italia1918", "12.2.3m")
@pytest.mark.parametrize(
    "attacker", ["12 rtSchD @ W0504; HQ 6 Armee @ W0404", "4 ID @ W0504; HQ 6 Armee @ E3034"]
)
def test_an_attack_that_nobody_could_lead_is_not_declared(attacker: str):
    others = "33 ID, 3 ID/216, HQ Isonzo A @ E3034; 37 DF @ E3033"
    match = fight(f"{attacker}; 22 DF @ W0505; {others}")
    assert refused(match, "attack", hex="W0505").rule == "12.2.3m"


@rule("italia1918", "12.2.3m", "12.2.3b")
def test_and_none_begins_without_such_a_unit():
    match = fight(f"12 rtSchD @ W0504; 4 ID, 63 ID @ W0604; 22 DF @ W0505; {HQ}")
    do(match, "attack", hex="W0505")
    do(match, "attack with", "12 rtSchD")
    assert refused(match, "go in").rule == "12.2.3m"
    do(match, "attack with", "4 ID")
    do(match, "go in")


@rule("italia1918", "12.2.4o", "12.2.8f")
def test_assault_troops_of_attackers_may_be_used():
    hosts = {"SturmB 1": "4 ID", "SturmB 2": "13 SchD"}
    counters = f"4 ID, SturmB 1 @ W0504; 13 SchD, SturmB 2 @ W0604; 22 DF @ W0505; {HQ}"
    match = fight(counters, hosts=hosts)
    do(match, "attack", hex="W0505")
    do(match, "attack with", "4 ID")
    assert names(match, "storm with") == {"SturmB 1"}
    assert refused(match, "storm with", "SturmB 2").rule == "12.2.8f"
    do(match, "storm with", "SturmB 1")
    assert match.position.shock == units("SturmB 1")


@rule("italia1918", "3.0d")
def test_hidden_detachments_show_themselves_when_the_attack_is_declared():
    counters = f"4 ID, Geb 1 @ W0504; 22 DF, Alp 1 @ W0505; Geb 2 @ W0604; {HQ}"
    match = fight(counters, hidden=units("Geb 1, Geb 2, Alp 1"))
    do(match, "attack", hex="W0505")
    do(match, "attack with", "4 ID")
    do(match, "attack with", "Geb 1")
    assert match.position.hidden == units("Geb 1, Geb 2, Alp 1")
    do(match, "go in")
    assert match.position.hidden == units("Geb 2")


# Guns

OURS = "AArt 6 A, AArt 11 A/1, CArt II K, CArt III K"
THEIRS = "AArt II Armata, CArt I CdA"
GUNS = f"4 ID @ W0504; 22 DF @ W0505; {OURS} @ W0503; {THEIRS} @ W0507; {HQ}"


def shooting(counters: str = GUNS, exploiting: bool = False, **fields: Any) -> Match[Table]:
    pos = battle(counters, "W0505", "4 ID", **fields)
    return play(pos, lambda war, pos: artillery(war, pos, exploiting))


def ready(match: Match[Table]) -> None:
    do(match, "guns ready")


@rule("italia1918", "12.2.2b", "12.2a")
def test_the_attacker_commits_first_then_the_defender_then_the_attacker_answers():
    match = shooting()
    assert match.position.side == CENTRAL
    do(match, "fire with", "AArt 6 A")
    do(match, "fire with", "CArt II K")
    ready(match)
    do(match, "fire with", "CArt I CdA")
    do(match, "counter with", "CArt I CdA")
    ready(match)
    assert names(match, "counter with") == {"CArt II K"}
    ready(match)
    assert match.position.counter == units("CArt I CdA")
    assert isinstance(match.decision, Roll)


@rule("italia1918", "12.2.2a")
def test_one_gun_in_offensive_mode_and_any_number_of_others():
    match = shooting(firing=units("AArt 6 A, AArt 11 A/1"))
    do(match, "fire with", "AArt 6 A")
    assert refused(match, "fire with", "AArt 11 A/1").rule == "12.2.2a"
    do(match, "fire with", "CArt II K")
    do(match, "fire with", "CArt III K")
    assert match.position.guns[0] == units("AArt 6 A, CArt II K, CArt III K")


@rule("italia1918", "12.2.2c", "12.2.2d")
def test_the_attacker_keeps_as_many_in_bombardment():
    match = shooting()
    do(match, "fire with", "CArt II K")
    do(match, "fire with", "CArt III K")
    ready(match)
    do(match, "fire with", "AArt II Armata")
    assert refused(match, "counter with", "AArt II Armata").rule == "12.2.2d"
    do(match, "fire with", "CArt I CdA")
    do(match, "counter with", "CArt I CdA")
    do(match, "counter with", "CArt II K")  # two guns against one in Counter-battery
    assert match.position.counter == units("CArt I CdA, CArt II K")
    assert isinstance(match.decision, Roll)  # no other may be turned


@rule("italia1918", "S1.S6a", "S5.S6c")
def test_a_silent_gun_is_not_committed():
    match = shooting(silent=units("CArt I CdA"))
    do(match, "fire with", "CArt II K")
    ready(match)
    assert refused(match, "fire with", "CArt I CdA").rule == "S1.S6a"


@rule("italia1918", "15.2.2l", "15.2.2m", "12.2.2h")
def test_both_bombard_the_attacker_first_and_losses_come_at_once():
    counters = "4 ID @ W0504; Fant 1 @ W0505; AArt 6 A @ W0503; CArt I CdA @ W0507; " + HQ
    match = shooting(counters)
    do(match, "fire with", "AArt 6 A")
    do(match, "fire with", "CArt I CdA")
    ready(match)
    match.roll(6)  # three points, Diaz one less: 4 hit points
    assert match.position.hex[number("Fant 1")] == LOST
    match.roll(6)  # the defender fires all the same: 3 hit points
    assert steps(match, "4 ID") == 2
    assert match.outcome


@rule("italia1918", "15.2.2c", "15.2.2d")
def test_committed_guns_have_fired():
    match = shooting()
    do(match, "fire with", "AArt 6 A")
    ready(match)
    ready(match)
    match.roll(1)
    assert match.position.shots[number("AArt 6 A")] == 1
    assert match.position.shots[number("CArt II K")] == 0


@rule("italia1918", "14.1c", "15.2.2g")
def test_in_exploitation_the_attacker_only_counters():
    match = shooting(exploiting=True)
    assert refused(match, "fire with", "AArt 6 A").rule == "14.1c"
    do(match, "fire with", "CArt II K")
    ready(match)
    assert match.position.counter == units("CArt II K")
    assert {"AArt II Armata", "CArt I CdA"} == names(match, "fire with")
    do(match, "fire with", "AArt II Armata")
    ready(match)
    assert isinstance(match.decision, Roll)
    assert match.decision.purpose == "the defender's bombardment"
    match.roll(6)  # one point
    assert match.outcome or verbs(match)


@rule("italia1918", "15.2.2a", "15.2.2b")
def test_guns_fire_only_in_a_combat_within_their_range():
    far = "4 ID @ W0504; 22 DF @ W0505; CArt II K @ W0510; CArt III K @ W0509; " + HQ
    match = shooting(far)
    assert refused(match, "fire with", "CArt II K").rule == "15.2.2b"
    assert names(match, "fire with") == {"CArt III K"}


# Lead units


def leading(counters: str, attackers: str, **fields: Any) -> Match[Table]:
    return play(battle(counters, "W0505", attackers, **fields), lead_units)


@rule("italia1918", "12.2.3a", "12.2.3j", "12.2.3l")
def test_the_attacker_names_his_lead_unit_first_and_the_defender_any():
    counters = f"4 ID @ W0504; 13 SchD @ W0604; 22 DF @ W0505; 64 DF @ W0505 disorganized; {HQ}"
    match = leading(counters, "4 ID, 13 SchD")
    assert names(match, "lead the attack with") == {"4 ID", "13 SchD"}
    do(match, "lead the attack with", "13 SchD")
    assert names(match, "lead the defence with") == {"22 DF", "64 DF"}
    do(match, "lead the defence with", "64 DF")
    assert match.position.leads == [number("13 SchD"), number("64 DF")]


@rule("italia1918", "12.2.3b", "12.2.3c")
@pytest.mark.parametrize(("unit", "cited"), [("12 rtSchD", "12.2.3b"), ("33 ID", "12.2.3c")])
def test_who_may_not_lead_an_attack(unit: str, cited: str):
    own = "4 ID, 13 SchD @ W0504; 12 rtSchD @ W0604; 33 ID @ W0605 disorganized"
    match = leading(f"{own}; 22 DF @ W0505; {HQ}", f"4 ID, 13 SchD, {unit}")
    assert names(match, "lead the attack with") == {"4 ID", "13 SchD"}
    assert refused(match, "lead the attack with", unit).rule == cited


@rule("italia1918", "12.2.3d", "12.2.3n")
def test_the_lead_unit_needs_a_headquarters_whose_radius_is_traced_as_for_supply():
    near = battle(f"4 ID @ W0504; 22 DF @ W0505; {HQ}", "W0505", "4 ID")
    assert eligible(WAR, near, near.attackers) == units("4 ID")
    far = battle("4 ID @ W0504; 22 DF @ W0505; HQ 6 Armee @ E1810", "W0505", "4 ID")
    assert eligible(WAR, far, far.attackers) == 0


@rule("italia1918", "12.2.3e")
def test_without_a_lead_unit_the_attack_is_cancelled():
    match = leading(f"4 ID, 13 SchD @ W0504 disorganized; 22 DF @ W0505; {HQ}", "4 ID, 13 SchD")
    assert names(match, "lose a step") == {"4 ID", "13 SchD"}
    for _ in range(3):
        do(match, "lose a step", "4 ID")
    assert told(match, "is eliminated") == ["4 ID"]
    assert match.outcome


@rule("italia1918", "12.2.2f")
def test_the_attacker_names_a_lead_unit_even_if_no_defender_is_left():
    counters = f"4 ID @ W0504; 13 SchD @ W0604; {HQ}"
    pos = table(counters, phase="combat")
    pos.target, pos.attackers = at("W0505"), units("4 ID, 13 SchD")
    match = play(pos, lead_units)
    do(match, "lead the attack with", "4 ID")
    assert match.position.leads == [number("4 ID"), NOBODY]
    assert match.outcome
