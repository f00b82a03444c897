"""Chapter 12: the drop of the 82nd Airborne Division."""

from __future__ import annotations

from typing import Any

import pytest

from apennine.games.underbelly.table.position import GONE
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.underbelly.drawing import (
    ALLIED,
    GAME,
    GERMAN,
    TIBER,
    WAR,
    Table,
    asked,
    attack,
    begin,
    bury,
    codes,
    dice_rolled,
    do,
    events,
    fresh,
    given,
    halt,
    hexes,
    is_supplied,
    mask,
    named,
    next_turn,
    number,
    order,
    pass_on,
    refused,
    seen,
    stack,
    values,
    verbs,
    where,
)

MISS = 10
FAR = "46 Inf @ 2822; US 36 @ 2921"
SPARE = "44 Inf @ 1012"


def ready(counters: str = "", side: int = ALLIED, **fields: Any) -> Match[Table]:
    """The 82nd waits in the box, ready to drop."""
    given = {"tac_active": True, "tac": 1, "drop_ready": True}
    return begin(f"{FAR}; {SPARE}; 82 Abn @ available; {counters}", side, **given | fields)


@rule("underbelly", "12.9a")
def test_it_begins_in_the_box_and_leaves_it_only_by_air():
    match = fresh("historical")
    assert where(match, "82 Abn") == "available"
    alone = ready(drop_ready=False)
    assert not given(alone, "available")
    assert refused(alone, "move", hex="available").rule == "12.9a"
    with_others = ready("US 45, US 34 @ available", drop_ready=False)
    do(with_others, "move", hex="available")
    assert named(with_others, "take") == {"US 45", "US 34"}


@rule("underbelly", "12.9a")
def test_a_drop_is_bought_for_two_points_and_made_once():
    match = ready(drop_ready=False)
    do(match, "ready the drop")
    assert match.position.points == 5
    assert "ready the drop" not in verbs(match)
    do(match, "drop", hex="3409")
    assert match.position.points == 5
    assert not {"ready the drop", "drop"} & verbs(match)
    again = ready(drop_ready=False, dropped=5)  # in the box once more, by whatever way
    assert "ready the drop" not in verbs(again)
    poor = ready(drop_ready=False, points=1)
    assert "ready the drop" not in verbs(poor)
    calm = ready(drop_ready=False, tac_active=False, tac=0)
    assert "ready the drop" not in verbs(calm)


@rule("underbelly", "12.9b")
def test_it_may_drop_on_turn_one_for_nothing_and_later_for_a_new_price():
    match = fresh("historical")
    pass_on(match, until="command", side=GERMAN)
    assert match.position.turn == 1
    assert match.position.drop_ready
    assert asked(match) == ALLIED
    assert "drop" in verbs(match)
    next_turn(match)
    assert not match.position.drop_ready  # what was paid is lost
    do(match, "activate air")
    assert "drop" not in verbs(match)
    assert "ready the drop" in verbs(match)
    do(match, "ready the drop")
    assert "drop" in verbs(match)


@rule("underbelly", "12.9b")
def test_a_drop_that_was_bought_and_not_made_is_lost_with_the_turn():
    match = ready(drop_ready=False)
    do(match, "ready the drop")
    do(match, "end")
    next_turn(match)
    assert not match.position.drop_ready
    do(match, "activate air")
    assert "ready the drop" in verbs(match)


@rule("underbelly", "12.9c")
def test_it_drops_on_clear_ground_only():
    match = ready()
    taken = mask("1012")
    assert hexes(match, "drop") == codes(WAR.terrain["clear"] & ~taken)
    assert not {"1615", "1816", "2912", "1423"} & hexes(match, "drop")  # towns in the mountains
    assert {"2522", "2608"} <= hexes(match, "drop")


@rule("underbelly", "12.9c")
def test_germans_and_forts_keep_it_away_and_full_stacks_too():
    match = ready(
        "16 Pz @ 3409; XIV Pz @ 3411; 5 Inf, 1 C, 78 Inf @ 3310; 8 I, X Corps @ 3309",
        forts=mask("3509"),
    )
    sites = hexes(match, "drop")
    assert not {"3409", "3411", "3509", "3310"} & sites
    assert {"3309", "3410", "3408"} <= sites  # among friends, and in a German zone
    do(match, "drop", hex="3309")
    assert stack(match, "3309") == {"82 Abn", "8 I", "X Corps"}


@rule("underbelly", "12.9d")
def test_it_is_asked_for_before_and_after_each_german_command_not_within_one():
    match = ready("16 Pz, 29 PG @ 3009; 15 PG @ 2010", GERMAN)
    assert asked(match) == ALLIED
    do(match, "no drop now")
    order(match, "move", "3009", "16 Pz")
    do(match, "go", hex="3109")
    assert asked(match) == GERMAN  # the command is still being carried out
    halt(match)
    halt(match)
    assert asked(match) == ALLIED
    assert verbs(match) == {"drop", "no drop now", "no drop this turn"}
    do(match, "drop", hex="3309")
    assert where(match, "82 Abn") == "3309"
    assert asked(match) == GERMAN


@rule("underbelly", "12.9d")
@pytest.mark.parametrize("verb", ["build fort", "replenish"])
def test_every_german_command_is_followed_by_the_question(verb: str):
    match = ready("76 Inf @ 2010 steps=1", GERMAN, forts_left=10)
    do(match, "no drop now")
    do(match, verb)
    assert asked(match) == ALLIED
    assert "drop" in verbs(match)


@rule("underbelly", "12.9d")
def test_who_did_not_buy_it_is_not_asked():
    match = ready("16 Pz @ 3009", GERMAN, drop_ready=False)
    assert asked(match) == GERMAN


@rule("underbelly", "12.9e")
def test_on_the_turn_of_its_drop_it_neither_moves_nor_attacks():
    # Overland supply reaches 3309, so that only the drop itself can hold it back.
    match = ready("16 Pz @ 3209; 1 C @ 3410")
    do(match, "drop", hex="3309")
    assert is_supplied(match, "82 Abn")
    assert not given(match, "3309") & {"move", "column", "attack"}
    assert refused(match, "move", hex="3309").rule == "9.18"
    next_turn(match)
    pass_on(match, until="command", side=ALLIED)
    assert {"move", "attack"} <= given(match, "3309")


@rule("underbelly", "12.9e")
def test_its_hex_is_supplied_from_the_air_and_it_defends_as_ever():
    # Behind 26 Pz in the heel there is no line to Taranto.
    match = ready("26 Pz @ 4405; 16 Pz, 29 PG @ 4605", GERMAN)
    do(match, "drop", hex="4704")
    assert "supplied from the air" in seen(match, ALLIED, "82 Abn")["status"]
    attack(match, "4605", "4704", dice=(MISS,))
    assert set(values(match, "fire at", "16 Pz")) == {6}  # nothing is taken off for supply


@rule("underbelly", "12.9e")
def test_on_the_turn_of_its_drop_it_does_not_retreat():
    for dropped, may in ((10, False), (9, True)):
        match = begin(
            f"{FAR}; {SPARE}; 82 Abn @ 3309; 16 Pz, 29 PG @ 3209", GERMAN, dropped=dropped
        )
        attack(match, "3209", "3309", dice=(MISS, MISS, 1, MISS, MISS, MISS))
        while "fire at" in verbs(match):
            do(match, "fire at")
        assert ("retreat" in verbs(match)) == may


@rule("underbelly", "12.9f")
def test_the_drop_needs_no_die():
    match = ready("16 Pz @ 3209; 29 PG @ 3409")
    do(match, "drop", hex="3309")
    assert dice_rolled(match) == 0
    assert len(events(match, "drops")) == 1
    assert where(match, "82 Abn") == "3309"


@rule("underbelly", "12.9g")
def test_once_dropped_it_never_leaves_the_map():
    match = begin(f"{FAR}; 82 Abn @ 1016; US 45 @ 1021; 16 Pz @ 1411", dropped=5)
    order(match, "move", "1016")
    assert "exit" not in verbs(match)
    assert refused(match, "exit", hex="1016").rule == "12.9g"
    halt(match)
    order(match, "move", "1021")
    assert "exit" in verbs(match)  # others win by it
    together = begin(f"{FAR}; 82 Abn, US 45 @ 1021; 16 Pz @ 1411", dropped=5)
    order(together, "move", "1021", "82 Abn", "US 45")
    assert "exit" not in verbs(together)


@rule("underbelly", "12.9h")
def test_it_is_not_rebuilt_for_a_second_drop():
    fields = {"tac_active": True, "tac": 1}
    dropped = bury(FAR, "82 Abn, US 45", dropped=5, **fields)
    match = Match(GAME, position=dropped, seed=1)
    assert named(match, "reclaim") == {"US 45"}
    assert refused(match, "reclaim", "82 Abn").rule == "12.9h"


@rule("underbelly", "12.9h", "12.9g")
@pytest.mark.parametrize(("dropped", "may"), [(0, True), (5, False)])
def test_before_its_drop_it_may_go_on_the_end_run(dropped: int, may: bool):
    place = "available" if may else "2921"
    match = begin(
        f"46 Inf @ 2822; US 36 @ 2921; 82 Abn @ {place}; US 45 @ 2921; 1 Abn @ 4108",
        scenario=TIBER,
        turn=15,
        plot=14,
        launched=14,
        rolled=15,
        tac_active=True,
        dropped=dropped,
    )
    sent = named(match, "reinforce the end-run")
    assert "US 45" in sent
    assert ("82 Abn" in sent) == may
    if may:
        do(match, "reinforce the end-run", "82 Abn")
        assert where(match, "82 Abn") == "end-run"


@rule("underbelly", "12.9i")
def test_a_dropped_82nd_can_be_withdrawn():
    match = begin(
        f"{FAR}; 82 Abn @ 3309; {SPARE}", phase="arrivals", turn=20, dropped=5, switched=True
    )
    assert match.position.hex[number("82 Abn")] == GONE
    assert [GAME.units[event.unit] for event in events(match, "is withdrawn")] == ["82 Abn"]


@rule("underbelly", "12.9j")
def test_its_companions_stand_with_it():
    match = begin(f"{FAR}; {SPARE}; 82 Abn, 5 Inf @ 3309; 16 Pz, 29 PG @ 3209", GERMAN, dropped=10)
    attack(match, "3209", "3309", dice=(*[MISS] * 4, 1, MISS, MISS, MISS))
    # It is its companion that is hit, and that a retreat would save.
    while "fire at" in verbs(match):
        do(match, "fire at", "5 Inf" if "5 Inf" in named(match, "fire at") else "")
    assert match.position.steps[number("5 Inf")] == 1
    assert match.position.steps[number("82 Abn")] == 2
    assert "retreat" not in verbs(match)
    assert not events(match, "defenders retreat")
    # Elsewhere others retreat in that turn as they like.
    match = begin(
        f"{FAR}; {SPARE}; 82 Abn @ 3410; 5 Inf, 1 C @ 3309; 16 Pz, 29 PG @ 3209", GERMAN, dropped=10
    )
    attack(match, "3209", "3309", dice=(*[MISS] * 4, 1, MISS, MISS, MISS))
    while "fire at" in verbs(match):
        do(match, "fire at")
    assert "retreat" in verbs(match)


@rule("underbelly", "12.9j", "13.9/11")
@pytest.mark.parametrize("guns", [True, False])
def test_its_companions_may_go_when_it_has_fallen(guns: bool):
    # It has one step left, which the barrage takes, or the divisions do together with another.
    corps = ", XIV Pz" if guns else ""
    match = begin(
        f"{FAR}; {SPARE}; 82 Abn @ 3309 steps=1; 5 Inf @ 3309; 16 Pz, 29 PG{corps} @ 3209",
        GERMAN,
        dropped=10,
    )
    barrage, defence = ([1], 2) if guns else ([], 3)
    attack(match, "3209", "3309", dice=(*barrage, *[MISS] * defence, 1, 1, MISS, MISS))
    while "fire at" in verbs(match) or "shell" in verbs(match):
        able = named(match, "fire at") | named(match, "shell")
        do(match, (verbs(match) & {"fire at", "shell"}).pop(), "82 Abn" if "82 Abn" in able else "")
    assert where(match, "82 Abn") is None
    assert "retreat" in verbs(match) or "fire on" in verbs(match)
    if "cease fire" in verbs(match):
        do(match, "cease fire")
    do(match, "retreat")
    while "retreat to" in verbs(match):
        do(match, "retreat to")
    assert where(match, "82 Abn") is None  # it is not the one that comes back
    assert where(match, "5 Inf") not in (None, "3309")
