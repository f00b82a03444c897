"""D9: retreat through zones of control; and D6C: forts that nobody has to leave."""

from typing import Any

import pytest

from apennine.games.anzio.rules.b4f_forecast import forecast, plight
from apennine.games.anzio.rules.b4g_retreat import retreat
from apennine.games.anzio.rules.c12_automatic import certain_at
from apennine.games.anzio.table.position import ALLIED, DESTROYED, GERMAN, Table
from apennine.games.anzio.table.war import SCALE, War
from apennine.hexes import bits
from apennine.kernel.decision import Choice, Option, Procedure
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    at,
    do,
    events,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    rolls,
    steps,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.fighting import HERE, attack, combat, declare, is_in, where

PINCERS = "45 US @ W51; 56 Br @ W53"
"""Both together hold all six hexes around W52 in their zones; four of them are empty."""
RING = "45 US @ W51; 36 US @ X51; 56 Br @ X52; 46 Br @ W53; 5 Br @ V53; 78 Br @ V52"


def driven(counters: str, who: str = "29 PzG", **fields: Any):
    """Units that must retreat."""
    pos = table(counters, "combat", **{"zone_retreat": True} | fields)
    return play(pos, lambda war, pos: retreat(war, pos, units(who), "B4G1"))


def sent(counters: str, *dice: int, who: str = "29 PzG", **fields: Any):
    """The same with the dice thrown; who is alone has to break out, so it is done already."""

    def scene(war: War, pos: Table) -> Procedure:
        yield Choice(0, (Option("begin"), Option("wait")), "Begin?", "B4G1")
        yield from retreat(war, pos, units(who), "B4G1")

    pos = table(counters, "combat", **{"zone_retreat": True} | fields)
    match = play(pos, scene)
    match.force(*dice)
    do(match, "begin")
    return match


@rule("anzio", "D9C1", "D9D5")
def test_who_would_retreat_into_zones_is_sent_two_hexes_by_the_die():
    match = sent(f"29 PzG @ W52; {PINCERS}", 2, 2)
    assert [event.hex for event in _driven(match)] == [at("X51"), at("Y50")]
    assert is_in(match, "29 PzG", "Y50")
    match = sent(f"29 PzG @ W52; {PINCERS}", zone_retreat=False)
    assert where(match, "29 PzG") == DESTROYED


def _driven(match: Match[Table]):
    return events(match, "is driven")


@rule("anzio", "D9C2")
@pytest.mark.parametrize(("die", "hex"), [(2, "X51"), (3, "X52"), (5, "V53"), (6, "V52")])
def test_the_die_gives_the_direction(die: int, hex: str):
    match = sent(f"29 PzG @ W52; {PINCERS}", die, 2)
    assert _driven(match)[0].hex == at(hex)


@rule("anzio", "D9D2", "D9D4")
def test_where_an_enemy_is_nobody_goes_but_a_step_is_lost_all_the_same():
    match = sent(f"29 PzG @ W52; {PINCERS}", 1, 4, 2, 2)  # north and south are the enemy's
    assert len(rolls(match)) == 4
    assert where(match, "29 PzG") == DESTROYED  # four dice, four steps
    match = sent(f"15 PzG @ W52; {PINCERS}", 1, 4, 2, 2, who="15 PzG")
    assert steps(match, "15 PzG") == 2
    assert is_in(match, "15 PzG", "Y50")


@rule("anzio", "D9D4", "D9D1")
def test_a_stack_goes_together_and_loses_one_step_a_die_as_its_owner_likes():
    match = driven(f"29 PzG, 3 PzG @ W52; {PINCERS}", who="29 PzG, 3 PzG")
    match.force(2, 2)
    assert verbs(match) == {"break out", "break out alone"}
    do(match, "break out", hex=HERE)
    assert names(match, "lose a step") == {"29 PzG", "3 PzG"}
    do(match, "lose a step", "29 PzG")
    do(match, "lose a step", "3 PzG")
    assert (steps(match, "29 PzG"), steps(match, "3 PzG")) == (3, 2)
    assert is_in(match, "29 PzG", "Y50")
    assert is_in(match, "3 PzG", "Y50")


@rule("anzio", "D9D1")
def test_or_each_on_its_own():
    match = driven(f"29 PzG, 3 PzG @ W52; {PINCERS}", who="29 PzG, 3 PzG")
    match.force(2, 2, 6, 6)
    do(match, "break out alone", "29 PzG")
    assert is_in(match, "29 PzG", "Y50")
    assert is_in(match, "3 PzG", "U52")
    assert (steps(match, "29 PzG"), steps(match, "3 PzG")) == (2, 1)


@rule("anzio", "D9D1")
def test_only_one_of_several_who_must_break_out_goes_alone():
    counters = (
        f"29 PzG, 3 PzG @ W52; {PINCERS}; 15 PzG @ X48; 36 US @ X47; 34 US @ X49; 90 PzG @ N12"
    )
    match = driven(counters, who="29 PzG, 3 PzG, 15 PzG")
    assert names(match, "break out alone") == {"29 PzG", "3 PzG"}
    assert refused(match, "break out alone", "15 PzG").rule == "D9D1"
    assert refused(match, "break out alone", "90 PzG").rule == "D9C1"


@rule("anzio", "D9D5")
def test_it_may_end_where_it_began():
    match = sent(f"29 PzG @ W52; {PINCERS}", 2, 5)
    assert is_in(match, "29 PzG", HERE)
    assert steps(match, "29 PzG") == 2


@rule("anzio", "D9B")
def test_who_is_surrounded_by_enemies_is_destroyed():
    match = sent(f"29 PzG @ W52; {RING}")
    assert where(match, "29 PzG") == DESTROYED
    assert not rolls(match)
    # A hex of the ring without a defence factor is a way out.
    match = sent(
        f"15 PzG @ W52; {RING.replace('5 @ V53; ', '')}; 5 Br @ V54 steps=1", 5, 5, who="15 PzG"
    )
    assert rolls(match)


@rule("anzio", "D9D9")
def test_towards_the_sea_nobody_goes_and_a_step_is_lost():
    beach = "N61"
    shut = WAR.ground.beside[at(beach)]
    sea = next(
        die
        for die in range(1, 7)
        if (hex := WAR.lattice.neighbour(at(beach), die - 1)) >= 0 and not shut >> hex & 1
    )
    inland = [code for code in ("N60", "O60", "O61") if shut >> at(code) & 1]
    holders = "; ".join(f"{n} @ {h}" for n, h in zip(("45 US", "36 US"), (inland[0], inland[-1])))
    match = sent(f"15 PzG @ {beach}; {holders}", sea, sea, sea, sea, sea, sea, who="15 PzG")
    assert where(match, "15 PzG") == DESTROYED
    assert len(rolls(match)) == 6
    assert not _driven(match)


@rule("anzio", "D9D10")
def test_allies_on_a_beach_embark_instead():
    match = driven("5 Br @ N61; 16 Pz @ N60; 26 Pz @ O61", who="5 Br", side=GERMAN)
    assert {"embark", "break out"} <= verbs(match)
    do(match, "embark", "5 Br")
    assert where(match, "5 Br") == WAR.ground.sicilia


@rule("anzio", "D9D10")
def test_allies_whom_the_die_sends_to_a_beach_may_embark_there_or_be_driven_on():
    counters = "5 Br @ O61; 16 Pz @ O60; 26 Pz @ P61; 29 PzG @ N63"
    for side in (ALLIED, GERMAN):
        match = sent(counters, 6, who="5 Br", side=side)
        assert is_in(match, "5 Br", "N61")
        assert verbs(match) == {"embark", "roll on"}
        assert isinstance(match.decision, Choice)
        assert match.decision.side == ALLIED
        do(match, "embark", "5 Br")
        assert where(match, "5 Br") == WAR.ground.sicilia
        assert len(rolls(match)) == 1
    match = sent(counters, 6, 3, who="5 Br", side=GERMAN)
    do(match, "roll on")
    assert is_in(match, "5 Br", "O61")
    assert len(rolls(match)) == 2


@rule("anzio", "D9D8")
def test_who_breaks_out_destroys_what_cannot_defend_itself_on_the_way():
    match = sent(f"29 PzG @ W52; {PINCERS}; 231 Br @ Y51 steps=1", 2, 2)
    assert where(match, "231 Br") == DESTROYED
    assert "advance" not in verbs(match)


@rule("anzio", "D9D7")
def test_if_he_has_too_few_steps_the_attacker_has_two_points_at_least():
    match = combat(f"65 Inf @ W52 steps=2; {PINCERS}", zone_retreat=True)
    pincers, even = units("45 US, 56 Br"), WAR.ladder.index("1-1")
    foreseen = forecast(WAR, match.position, pincers, mask(HERE), even)
    assert foreseen[1].surge == 2
    assert not foreseen[2].surge  # nobody has to retreat
    # 9 to 2 is 4-1; on 1-1 and 2: A1 DR. Two dice take both steps.
    match.force(2, 2, 2)
    declare(match, HERE, "45 US", "56 Br")
    do(match, "fight at", value=3)
    do(match, "lose a step", "45 US")
    assert where(match, "65 Inf") == DESTROYED
    assert match.position.surge == 2 * SCALE


@rule("anzio", "D9E1")
def test_the_victor_advances_only_if_the_hex_is_still_empty():
    def fight(*dice: int):
        match = combat(f"15 PzG @ W52; {PINCERS}", zone_retreat=True)
        match.force(*dice)
        declare(match, HERE, "45 US", "56 Br")
        do(match, "fight")  # 9 to 9
        while "lose a step" in verbs(match):
            do(match, "lose a step")
        return match

    away, back = fight(2, 2, 2), fight(2, 2, 5)
    assert "advance" in verbs(away)
    assert is_in(back, "15 PzG", HERE)
    assert "advance" not in verbs(back)


@rule("anzio", "D9E2")
def test_who_advances_next_to_him_may_attack_him_again():
    match = combat(f"15 PzG @ W52; {PINCERS}", zone_retreat=True)
    match.force(2, 2, 3)  # 1-1, 2: A1 DR; to X51 and Y51
    declare(match, HERE, "45 US", "56 Br")
    do(match, "fight")
    while "lose a step" in verbs(match):
        do(match, "lose a step", "56 Br")
    assert is_in(match, "15 PzG", "Y51")
    do(match, "end advance")
    assert match.decision is None  # nobody has advanced
    match = combat(f"15 PzG @ W52; {PINCERS}; 3 US @ Y52", zone_retreat=True)
    match.force(2, 2, 4)  # to X51 and X52
    declare(match, HERE, "45 US", "56 Br")
    do(match, "fight")
    while "lose a step" in verbs(match):
        do(match, "lose a step", "56 Br")
    assert is_in(match, "15 PzG", "X52")
    do(match, "advance", "45 US", HERE)
    do(match, "end advance")
    assert match.position.round == 2
    assert match.position.pool == units("45 US")


@rule("anzio", "D9E3", "D9D7")
def test_inverted_counters_that_end_next_to_the_attackers_are_destroyed():
    match = combat(f"94 Inf @ W52 steps=3; {PINCERS}", zone_retreat=True)
    match.force(2, 2, 4)  # DR; to X51 and X52, which W53 holds
    declare(match, HERE, "45 US", "56 Br")
    do(match, "fight at", value=3)
    while "lose a step" in verbs(match):
        do(match, "lose a step", "45 US")
    assert where(match, "94 Inf") == DESTROYED
    assert match.position.surge == 2 * SCALE  # D9D7


@rule("anzio", "D9E4")
def test_nobody_ends_among_friends_who_are_still_to_be_attacked():
    # X51 and then Y50, where a friend waits for the attack of Y49: a third die leads on.
    match = combat(f"15 PzG @ W52; {PINCERS}; 90 PzG @ Y50; 36 US @ Y49", zone_retreat=True)
    do(match, "attack", hex=HERE)
    declare(match, HERE, "45 US", "56 Br")
    match.force(2, 2, 2, 5)
    do(match, "fight")
    while "lose a step" in verbs(match):
        do(match, "lose a step")
    assert [event.hex for event in _driven(match)] == [at("X51"), at("Y50"), at("X51")]
    assert not is_in(match, "15 PzG", "Y50")


@rule("anzio", "D9F")
def test_who_has_broken_out_inverted_does_not_withdraw_besides():
    match = combat(f"94 Inf @ W52 steps=3; {PINCERS}", zone_retreat=True)
    match.force(2, 2, 2)
    declare(match, HERE, "45 US", "56 Br")
    do(match, "fight at", value=3)
    assert told(match, "is inverted") == ["94 Inf"]
    while "lose a step" in verbs(match):
        do(match, "lose a step", "45 US")
    assert match.position.retreated >> number("94 Inf") & 1
    assert "retreat" not in verbs(match)


@rule("anzio", "D9G")
def test_with_it_five_to_one_takes_three_steps_and_six_to_one_four():
    five, six = WAR.ladder.index("5-1"), WAR.ladder.index("6-1")
    for steps_, column, certain in (
        (3, five, True),
        (4, five, False),
        (4, six, True),
        (5, six, False),
    ):
        pos = table(f"15 PzG @ W52 steps={steps_}; {PINCERS}", "combat", zone_retreat=True)
        assert certain_at(WAR, column, plight(WAR, pos, mask(HERE))).sure is certain
    plain = table(f"15 PzG @ W52; {PINCERS}", "combat")
    assert certain_at(WAR, five, plight(WAR, plain, mask(HERE))).sure


# Forts.


@rule("anzio", "D6C1")
def test_germans_in_a_fort_need_not_retreat_attacking_or_defending():
    match = combat("45 US @ W51; 29 PzG @ W52", forts=True, works=mask(HERE))
    attack(match, HERE, "45 US", dice=[1])  # 1-2: A1 D1R
    assert {"retreat", "hold the fort"} <= verbs(match)
    do(match, "hold the fort", "29 PzG")
    assert is_in(match, "29 PzG", HERE)
    assert steps(match, "29 PzG") == 3
    match = combat("45 US @ W51; 29 PzG @ W52", GERMAN, forts=True, works=mask(HERE))
    attack(match, "W51", "29 PzG", dice=[4])  # AR
    do(match, "hold the fort", "29 PzG")
    assert is_in(match, "29 PzG", HERE)
    match = combat("45 US @ W51; 29 PzG @ W52", forts=False, works=mask(HERE))
    attack(match, HERE, "45 US", dice=[1])
    assert verbs(match) == {"retreat"}


@rule("anzio", "D6C1")
def test_a_fort_saves_who_has_no_way_out():
    match = play(
        table(f"29 PzG @ W52; {RING}", "combat", ALLIED, forts=True, works=mask(HERE)),
        lambda war, pos: retreat(war, pos, units("29 PzG"), "B4G1"),
    )
    assert is_in(match, "29 PzG", HERE)
    assert told(match, "holds the fort") == ["29 PzG"]


@rule("anzio", "D6C2")
def test_a_fort_changes_neither_odds_nor_losses_nor_zones():
    for works in (0, mask(HERE)):
        match = combat("45 US @ W51; 29 PzG @ W52", forts=True, works=works)
        assert match.position.targets == mask(HERE)
        attack(match, HERE, "45 US", dice=[1])
        assert rolls(match)[0].column == "1-2"
        assert steps(match, "29 PzG") == 3


def test_what_breaks_out_is_refused_to_others():
    match = driven(f"29 PzG @ W52; 3 PzG @ W52; {PINCERS}", who="29 PzG, 3 PzG")
    assert refused(match, "break out", hex="N12").rule == "D9C1"
    assert hexes(match, "break out") == {HERE}


@rule("anzio", "G4a")
def test_a_fort_that_was_held_strikes_back_in_the_next_turn():
    fields = {"forts": True, "works": mask(HERE)}
    match = combat("45 US @ W51; 29 PzG @ W52", **fields)
    attack(match, HERE, "45 US", dice=[1])
    do(match, "hold the fort", "29 PzG")
    # Joined by a brigade, it attacks far below 1-4, and ignores the retreat.
    match = combat("45 US, 36 US @ W51; NW 71, 1076 Inf @ W52 steps=2", GERMAN, **fields)
    attack(match, "W51", "NW 71", "1076 Inf", dice=[4])
    assert rolls(match)[0].column == "1-4"
    do(match, "hold the fort", "NW 71")
    do(match, "retreat", "1076 Inf")
    assert is_in(match, "NW 71", HERE)


@rule("anzio", "D9D2")
def test_who_is_driven_over_a_ridge_stops_behind_it():
    ground, lattice = WAR.ground, WAR.lattice
    for d in range(6):
        for hex in bits(ground.roadless_high[d] & ground.stands & ~ground.rivers.hexes):
            beyond = lattice.neighbour(hex, d)
            near = list(bits(ground.beside[hex] & ~(1 << beyond)))
            if not (ground.stands & ~ground.rivers.hexes) >> beyond & 1 or len(near) != 5:
                continue
            ring = "; ".join(
                f"{name} @ {lattice.code(place)}"
                for name, place in zip(("45 US", "36 US", "56 Br", "46 Br", "5 Br"), near)
                if ground.stands >> place & 1
            )
            match = sent(f"15 PzG @ {lattice.code(hex)}; {ring}", d + 1, who="15 PzG")
            assert len(rolls(match)) == 1
            assert where(match, "15 PzG") == beyond
            return
    raise LookupError("The map has no such side.")
