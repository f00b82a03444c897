"""C12: automatic victories."""

from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_combat import combat_phase
from apennine.games.anzio.rules.b4e_duty import duty, prepare
from apennine.games.anzio.rules.b4g_ways import ways
from apennine.games.anzio.rules.b4h_odds import weigh
from apennine.games.anzio.rules.c10_inverted import exposed
from apennine.games.anzio.rules.c12_automatic import blockers, certainty
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN
from apennine.hexes import bits
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    rolls,
    table,
    units,
    verbs,
)
from tests.games.anzio.fighting import AROUND, HERE, combat, declare, is_in, where


def sure(counters: str, attackers: str, hexes: str = HERE, **fields):
    """Whether an attack would be an automatic victory."""
    return certainty(WAR, table(counters, **fields), units(attackers), mask(hexes))


def moving(counters: str, side: int = ALLIED, **fields):
    """The movement phase of a side, and its combat after it."""

    def scene(war, pos):
        if pos.phase == "movement":
            if not (pos.moved or pos.movers or pos.claims or pos.targets):
                yield from movement_begins(war, pos)
            yield from movement_phase(war, pos)
            pos.phase = "combat"
        yield from combat_phase(war, pos)

    return play(table(counters, side=side, **fields), scene)


def overwhelm(match, hex: str, *committed: str) -> None:
    do(match, "overwhelm", hex=hex)
    for name in committed:
        if not match.position.attackers >> number(name) & 1:
            do(match, "commit", name)
    do(match, "claim victory")


def end(match) -> None:
    """Movement is over; if nothing else could be done, it is already."""
    if "end movement" in verbs(match):
        do(match, "end movement")


@rule("anzio", "C12A1")
def test_seven_to_one_is_an_automatic_victory_and_six_is_none():
    found = sure("1 Arm @ W51; 1076 Inf @ W52", "1 Arm")  # 7 to 1, two steps
    assert (found.sure, found.trap, found.rule) == (True, False, "C12A1")
    assert not sure("5 Cdn Arm @ W51; 1 Para @ W52 steps=2", "5 Cdn Arm").sure


@rule("anzio", "C12A1b")
def test_the_column_after_all_shifts_counts():
    counters, fields = "HG, 16 Pz @ X50; 231 Br, 168 Br @ X51", {"side": GERMAN, "turn": 1}
    assert not sure(counters, "HG, 16 Pz", "X51", **fields).sure  # 12 to 2, four steps
    # A German column more in the air: 7-1.
    assert mask("X50") & WAR.ground.bottom_north
    found = sure(counters, "HG, 16 Pz", "X51", air_superiority=True, **fields)
    assert (found.sure, found.rule) == (True, "C12A1")


@rule("anzio", "C12A2a", "C12A2")
def test_four_to_one_on_a_lone_ersatz_is_one():
    assert sure("36 US @ W51; Ers inf 1 @ W52", "36 US").sure
    assert not sure("5 Br @ W51; Ers inf 1 @ W52", "5 Br").sure  # 3-1


@rule("anzio", "C12A2b")
def test_an_ersatz_with_an_inverted_counter_needs_six_to_one():
    counters = "Ers inf 1 @ W52; 65 Inf @ W52 steps=1"
    assert not sure(f"45 US @ W51; {counters}", "45 US").sure  # 5-1: one step is certain
    assert sure(f"45 US, 231 Br @ W51; {counters}", "45 US, 231 Br").sure


TRAP = "45 US @ W51; 36 US @ X51; 56 Br @ X52; 46 Br @ W53; 5 Br @ V53; 78 Br @ V52"


@rule("anzio", "C12A2c")
def test_five_to_one_on_who_cannot_retreat_is_one_whatever_his_steps():
    counters = f"{TRAP}; 15 PzG @ W52 steps=2"  # 15 has defence 4 then, and 22 factors are around
    found = sure(counters, "45 US, 36 US, 56 Br, 46 Br, 5 Br, 78 Br")
    assert (found.sure, found.trap, found.rule) == (True, True, "C12A2c")
    # With a gap in the ring it can retreat.
    gap = sure(
        "45 US @ W51; 1 Arm @ X51; 3 US, 36 US @ X52; 15 PzG @ W52 steps=2",
        "45 US, 1 Arm, 3 US, 36 US",
    )
    assert (gap.sure, gap.sentence) == (False, "At 5-1 they must retreat, but they still can")


@rule("anzio", "C12A2c")
def test_who_can_be_evacuated_can_retreat():
    counters = (
        "16 Pz @ O61; 26 Pz @ O60; HG @ N60; 5 Br @ N61 steps=2"  # 17 to 3, and no way by land
    )
    found = sure(counters, "16 Pz, 26 Pz, HG", "N61", side=GERMAN)
    assert (found.sure, found.sentence) == (False, "At 5-1 they must retreat, but they still can")
    assert not ways(WAR, table(counters, side=GERMAN), number("5 Br"))


@rule("anzio", "C12A2c", "D6C1")
def test_who_may_hold_a_fort_is_not_trapped():
    counters, all_around = (
        f"{TRAP}; 15 PzG @ W52 steps=2",
        "45 US, 36 US, 56 Br, 46 Br, 5 Br, 78 Br",
    )
    assert sure(counters, all_around).sure
    assert not sure(counters, all_around, forts=True, works=mask(HERE)).sure


@rule("anzio", "C12A2d")
def test_an_attack_sure_to_leave_only_trapped_inverted_counters_is_one():
    # 4-1 takes a step for certain; a brigade is inverted by it, and cannot get away.
    ring = "36 US @ W51; 231 Br @ X51; 168 Br @ X52; 2SS @ W53; 18 Bde @ V53; 1 Gds @ V52"
    found = sure(f"{ring}; 1076 Inf @ W52", "36 US")
    assert (found.sure, found.trap) == (True, True)
    assert not sure("36 US @ W51; 1076 Inf @ W52", "36 US").sure


@rule("anzio", "C12B1")
def test_the_defeated_no_longer_hinder_others_who_may_pass_or_stop_in_their_hex():
    counters = "1 Arm @ W51; 1076 Inf @ W52; 56 Br @ V51; 46 Br @ V50"
    match = moving(counters)
    do(match, "move", "56 Br")
    assert HERE not in hexes(match, "go")
    do(match, "halt")
    overwhelm(match, HERE, "1 Arm")
    do(match, "move", "46 Br")
    assert {HERE, "W53", "W54", "W58"} <= hexes(match, "go")
    do(match, "go", "46 Br", "W58")  # past it, by Strategic Movement
    assert match.position.rushed == units("46 Br")


@rule("anzio", "C12B1")
def test_others_attack_from_the_hex_of_the_defeated():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 56 Br @ V51; 65 Inf @ W53")
    overwhelm(match, HERE, "1 Arm")
    do(match, "move", "56 Br")
    do(match, "go", "56 Br", HERE)
    end(match)
    assert hexes(match, "attack") == {HERE, "W53"}
    do(match, "attack", hex="W53")
    assert match.position.attackers == units("56 Br")


@rule("anzio", "C12B2")
def test_those_who_established_it_hold_their_places():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 56 Br @ V50")
    overwhelm(match, HERE, "1 Arm")
    assert refused(match, "move", "1 Arm").rule == "C12B2"
    assert match.position.claims == ((mask(HERE), units("1 Arm"), 0),)


@rule("anzio", "C12A2c", "C12B2")
def test_who_blocks_the_retreat_does_not_move_until_it_is_fought():
    counters = f"{TRAP}; 15 PzG @ W52 steps=2; 8 Ind @ N10"
    match = moving(counters)
    overwhelm(match, HERE, "45 US", "36 US", "56 Br", "46 Br", "5 Br", "78 Br")
    assert names(match, "move") == {"8 Ind"}
    pos = table(
        "45 US, 1 Arm @ W51; 1 Cdn @ X52; 15 PzG @ W52 steps=2", claims=((mask(HERE), 1, 1),)
    )
    assert not blockers(WAR, pos)  # where the way is open, nobody blocks it
    shut = table(
        "45 US @ W50; 36 US @ Y50; 56 Br @ Y52; 46 Br @ W54; 5 Br @ U54; 78 Br @ U52; "
        "1076 Inf @ W52",
        claims=((mask(HERE), 0, 1),),
    )
    assert number("36 US") in _numbers(blockers(WAR, shut))


def _numbers(units_: int) -> set[int]:
    return {unit for unit in range(len(WAR.units)) if units_ >> unit & 1}


@rule("anzio", "C12B3")
def test_others_join_through_it_without_taking_terrain_from_the_defenders():
    ground, lattice = WAR.ground, WAR.lattice
    for hex in bits(ground.stands & ~ground.rivers.hexes & ~ground.mountains):
        banks = ground.beside[hex] & ground.rivers.hexes
        dry = ground.beside[hex] & ~ground.rivers.hexes & ground.stands
        if not banks or not dry:
            continue
        bank, side = next(bits(banks)), next(bits(dry))
        a, b, c = map(lattice.code, (bank, side, hex))
        pos = table(f"1 Arm, 45 US @ {a}; 36 US @ {b}; Ers inf 1 @ {c}", "combat")
        both = units("1 Arm, 45 US, 36 US")
        assert weigh(WAR, pos, units("1 Arm, 45 US"), mask(c)).defence == 2
        assert weigh(WAR, pos, both, mask(c)).defence == 1
        witnessed = weigh(WAR, pos, both, mask(c), units("1 Arm, 45 US"))
        assert (witnessed.attack, witnessed.defence) == (weigh(WAR, pos, both, mask(c)).attack, 2)
        return
    raise LookupError("The map has no such hexes.")


@rule("anzio", "C12B3", "C12C")
def test_a_unit_in_the_hex_of_the_defeated_joins_the_attack_and_only_its_side_counts():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 45 US, 36 US @ V50; 56 Br @ X50")
    overwhelm(match, HERE, "1 Arm")
    for name in ("45 US", "36 US"):
        do(match, "move", name)
        do(match, "go", name, HERE)
        if match.position.movers:
            do(match, "halt")
    assert is_in(match, "1076 Inf", HERE)
    do(match, "move", "56 Br")
    assert HERE not in hexes(match, "go")  # 8 points are there
    do(match, "halt")
    match.force(6)
    end(match)
    assert names(match, "attack with") == {"45 US", "36 US"}
    do(match, "attack with", "45 US")
    do(match, "fight")
    assert where(match, "1076 Inf") == DESTROYED


@rule("anzio", "C12D")
def test_its_battle_is_rolled_in_combat_in_any_order():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 56 Br @ N11; 92 Inf @ N12")
    overwhelm(match, HERE, "1 Arm")
    assert not rolls(match)
    assert is_in(match, "1076 Inf", HERE)
    end(match)
    assert hexes(match, "attack") == {HERE, "N12"}
    match.force(6)
    do(match, "attack", hex=HERE)
    do(match, "fight")
    assert rolls(match)[0].column == "7-1"
    assert where(match, "1076 Inf") == DESTROYED
    assert not match.position.claims


@rule("anzio", "C12D")
def test_no_lower_column_is_chosen_on_which_it_would_not_be_certain():
    match = moving("1 Arm, 36 US @ W51; Ers inf 1 @ W52")
    overwhelm(match, HERE, "1 Arm", "36 US")
    end(match)
    assert refused(match, "fight at", value=5).rule == "C12D"  # 3-1
    assert "fight at" in verbs(match)  # 4-1 takes the only step


def test_an_overwhelmed_hex_is_not_claimed_while_another_enemy_is_left_to_nobody():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 65 Inf @ W50; 56 Br @ N12")
    do(match, "overwhelm", hex=HERE)
    if "commit" in verbs(match):
        do(match, "commit", "1 Arm")
    assert refused(match, "claim victory").rule == "B4E9"
    do(match, "forgo")
    assert not match.position.targets


def test_why_victory_is_not_certain_is_said():
    match = moving("45 US @ W51; 29 PzG @ W52")
    refusal = refused(match, "overwhelm", hex=HERE)
    assert refusal.rule == "C12A2"
    assert "1-2" in refusal.sentence


@rule("anzio", "C12C")
def test_nobody_stacks_with_an_enemy_who_is_not_defeated():
    match = moving("1 Arm @ W51; 65 Inf @ W52; 56 Br @ V51")
    do(match, "move", "56 Br")
    assert refused(match, "go", "56 Br", HERE).rule == "B4D4"


@rule("anzio", "B4C14b")
def test_who_used_strategic_movement_past_the_defeated_does_not_join():
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 2 Mor @ S48")
    overwhelm(match, HERE, "1 Arm")
    do(match, "move", "2 Mor")
    do(match, "go", "2 Mor", "V52")
    if match.position.movers:
        do(match, "halt")
    assert match.position.rushed == units("2 Mor")
    end(match)
    assert "attack with" not in verbs(match)


def test_the_ring_is_a_ring():
    assert mask(" ".join(AROUND)) == WAR.ground.beside[at(HERE)]


@rule("anzio", "C12B2")
def test_nor_do_they_go_aboard():
    pos = table(
        "45 US @ N61; 1076 Inf @ O61; 5 Br @ N60", claims=((mask("O61"), units("45 US"), 0),)
    )
    match = play(pos, movement_phase)
    assert refused(match, "evacuate", "45 US").rule == "C12B2"


@rule("anzio", "C12D")
def test_it_stays_certain_even_if_its_victors_are_given_up():
    match = combat(
        "56 Br @ N11; 92 Inf @ N12; 1076 Inf @ W52; 45 US @ W52", claims=((mask(HERE), 0, 0),)
    )
    assert where(match, "1076 Inf") == DESTROYED
    assert is_in(match, "45 US", HERE)
    assert not match.position.claims


@rule("anzio", "C14E", "C12A1")
def test_in_a_later_round_seven_to_one_destroys_as_well():
    match = combat("1 Arm, 56 Br @ W51; Ers inf 1 @ W52; 1076 Inf @ W53")
    declare(match, HERE, "1 Arm", "56 Br")
    match.force(1)
    do(match, "fight")
    do(match, "lose a step", "56 Br")
    for name in ("1 Arm", "56 Br"):
        do(match, "advance", name, HERE)
    do(match, "attack", hex="W53")
    do(match, "attack with", "1 Arm")
    match.force(6)
    do(match, "fight")  # 9 to 1: A2 D3R
    assert where(match, "1076 Inf") == DESTROYED


@rule("anzio", "C12B3")
def test_who_attacks_from_within_the_hex_is_hindered_by_no_side_of_it():
    ground, lattice = WAR.ground, WAR.lattice
    steep = next(bits(ground.high[5] & ground.stands & ~ground.rivers.hexes & ~ground.mountains))
    code = lattice.code(steep)
    pos = table(f"36 US, 4 Arm @ {code}; 1076 Inf @ {code}", "combat", check=False, armor=True)
    assert weigh(WAR, pos, units("36 US, 4 Arm"), 1 << steep, units("36 US")).attack == 6


@rule("anzio", "C12D")
def test_it_is_fought_to_destruction_even_if_a_way_out_has_opened_since():
    claims = ((mask(HERE), units("45 US"), 1),)
    match = combat("45 US @ W51; 65 Inf @ W52; 56 Br @ N11; 92 Inf @ N12", claims=claims)
    match.force(3)  # 1-1: A1
    do(match, "attack", hex=HERE)
    assert where(match, "65 Inf") == DESTROYED


@rule("anzio", "C12B1", "C12B2")
def test_beside_the_defeated_nobody_has_to_fight_them_nor_is_in_danger():
    claims = ((mask(HERE), units("1 Arm"), 0),)
    counters = (
        "1 Arm @ W51; 1076 Inf @ W52; 45 US @ X52; 56 Br @ X54; 65 Inf @ X53; 231 Br @ V53 steps=1"
    )
    pos = table(counters, "combat", claims=claims)
    assert not exposed(WAR, pos, ALLIED)
    for _ in prepare(WAR, pos):
        pass
    found = duty(WAR, pos)
    assert found.due == mask("X53")
    assert (found.free, found.must) == (
        units("45 US, 56 Br"),
        units("56 Br"),
    )  # 45 may join against W52
    match = moving("1 Arm @ W51; 1076 Inf @ W52; 56 Br @ V50")
    overwhelm(match, HERE, "1 Arm")
    assert match.position.moved >> number("1 Arm") & 1


@rule("anzio", "C12A1")
def test_an_automatic_victory_is_won_over_enemies_and_no_empty_hexes():
    match = play(table(f"1 Arm @ W51; Ers inf 1 @ {HERE}"), movement_phase)
    do(match, "overwhelm", hex=HERE)
    assert refused(match, "also overwhelm", hex="X51").rule == "C12A1"


@rule("anzio", "C12A2c")
def test_a_blocker_who_takes_no_part_holds_its_place_too():
    match = moving(
        "1 Arm, 5 Br @ W51; 2 NZ @ X51; 46 Br @ W54; 78 Br @ U54; 65 Inf @ W52; 8 Ind @ N10"
    )
    overwhelm(match, HERE, "1 Arm", "5 Br", "2 NZ")  # 16 to 3: 5-1, and three steps
    assert names(match, "move") == {"8 Ind"}
    assert refused(match, "move", "78 Br").rule == "C12A2c"
