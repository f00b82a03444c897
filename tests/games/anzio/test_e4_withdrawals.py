"""E4B2 and E5D6: withdrawals, substitutes, and what is owed."""

from apennine.games.anzio.rules.c11_replacements import receive
from apennine.games.anzio.rules.e4_withdrawals import isolated, payers
from apennine.games.anzio.table.position import (
    ALLIED,
    DESTROYED,
    GERMAN,
    OPEN,
    POOL,
    WITHDRAWN,
    Table,
)
from apennine.testing import rule
from tests.games.anzio.advanced import (
    MAXIMUM,
    REINFORCED,
    STANDARD,
    asks,
    call_away,
    come,
    draw_cards,
    gone,
    place,
    turn_of,
)
from tests.games.anzio.drawing import WAR, at, base, do, events, mask, names, number, units, verbs

G = WAR.ground
NAPOLI = base("Napoli", port=True)
REST = "82/505, 82/325 @ Sicilia"
"""The other two who leave on Nov III 1943."""


def ports(**states: int) -> list[int]:
    found = [0] * len(G.bases)
    found[NAPOLI] = states.get("napoli", OPEN)
    return found


def november(counters: str, **fields):
    """The Allied withdrawals of Nov III 1943, Napoli being open."""
    given = {"bases": ports(), "friendly": G.land & ~mask("T30 T31")}
    return call_away(ALLIED, "Nov III 1943", f"{counters}; {REST}", **given | fields)


@rule("anzio", "E4B2")
def test_units_leave_on_their_date_before_anything_moves():
    match = november("1 Para Br @ L55")
    assert gone(match) == {"1 Para Br", "82/505", "82/325"}
    assert place(match, "1 Para Br") == WITHDRAWN
    assert match.position.debt == [0, 0, 0]
    from apennine.games.anzio.rules.b4b_sequence import ADVANCED_TURNS

    steps = ADVANCED_TURNS.steps
    assert steps.index(("withdrawals", ALLIED)) < steps.index(("movement", ALLIED))


@rule("anzio", "E4B2a")
def test_a_unit_counts_against_the_build_up_of_a_port():
    match = november("1 Para Br @ L55")
    assert match.position.sailed[NAPOLI] == 3
    full = [0] * len(match.position.sailed)
    full[NAPOLI] = G.bases[NAPOLI].build_up - 2
    match = november("1 Para Br @ K53", sailed=full)  # on a beach
    assert place(match, "1 Para Br") == WITHDRAWN
    assert match.position.sailed[NAPOLI] == full[NAPOLI]
    assert match.position.debt[ALLIED] == WAR.full[number("1 Para Br")] - 1


RING = "1 Para @ O49; 15 PzG @ Q49; 26 Pz @ P48; 16 Pz @ P51"
"""Germans around P49, who let nobody out."""


@rule("anzio", "E4B2b")
def test_for_an_isolated_unit_a_substitute_goes_that_its_owner_names():
    match = november(
        f"1 Para Br @ P49; {RING}; 5 Br, 46 Br @ L55; 78 Br @ M55", friendly=-1 & G.land
    )
    assert isolated(WAR, match.position, ALLIED) >> number("1 Para Br") & 1
    assert names(match, "withdraw") == {"5 Br", "46 Br", "78 Br"}
    do(match, "withdraw", "46 Br")
    assert place(match, "46 Br") == WITHDRAWN
    assert place(match, "1 Para Br") == at("P49")
    assert (number("1 Para Br"), number("46 Br")) in match.position.proxies
    lost = november("5 Br, 78 Br @ L55")
    lost.position.hex[number("1 Para Br")] = DESTROYED
    pos = lost.position
    pos.phase = "withdrawals"
    assert names(again(pos), "withdraw") == {"5 Br", "78 Br"}


def again(pos: Table):
    """The withdrawals of a turn once more."""
    from apennine.games.anzio.rules.e4_withdrawals import withdrawals_phase
    from tests.games.anzio.drawing import play

    pos.sailed[:] = [0] * len(pos.sailed)
    return play(pos, withdrawals_phase)


@rule("anzio", "E4B2c")
def test_without_a_substitute_all_its_steps_are_owed_for_good():
    match = november("46 Br @ A14")
    pos = match.position
    pos.hex[number("1 Para Br")] = pos.hex[number("46 Br")] = DESTROYED
    pos.debt[ALLIED] = 0
    pos.credit[ALLIED] = 0
    match = again(pos)
    full = WAR.full[number("1 Para Br")]
    owed = match.position.debt[ALLIED]
    assert events(match, "cannot be withdrawn")
    assert owed >= full
    match.position.hex[number("46 Br")] = at("K57")  # it escapes: nothing changes
    receive_next(match.position)
    assert match.position.debt[ALLIED] == owed - 2


def receive_next(pos: Table) -> None:
    pos.side = ALLIED
    for _ in receive(WAR, pos):
        pass


@rule("anzio", "E4B2d")
def test_who_can_reach_a_beach_is_not_isolated_who_is_on_another_coast_is():
    beach = next(h for h in range(G.beaches.bit_length()) if G.beaches >> h & 1)
    match = november(f"1 Para Br @ {WAR.board.code(beach)}", bases=ports(napoli=0))
    assert not isolated(WAR, match.position, ALLIED)
    coast = november(f"1 Para Br @ P49; {RING}", bases=ports(napoli=0), friendly=G.land)
    assert isolated(WAR, coast.position, ALLIED) == units("1 Para Br")


@rule("anzio", "E4B2e")
def test_who_leaves_understrength_is_paid_for_at_once_or_before_any_come():
    worn = "1 Para Br @ L55 steps=1"
    assert november(worn, credit=[2, 0, 0]).position.debt == [0, 0, 0]
    match = november(f"{worn}; Repl Br 1, Repl US 1 @ K57")
    do(match, "hand over", "Repl Br 1")
    assert place(match, "Repl Br 1") == place(match, "Repl US 1") == POOL
    assert match.position.debt[ALLIED] == 0
    pos = november(worn).position
    assert pos.debt[ALLIED] == 2
    receive_next(pos)
    assert (pos.debt[ALLIED], pos.credit[ALLIED]) == (0, 0)
    receive_next(pos)
    assert pos.credit[ALLIED] == 2


# The Germans.


@rule("anzio", "E5D6a")
def test_german_units_leave_where_they_stand_and_not_by_sea():
    match = call_away(GERMAN, "Jan III 1945", "356 Inf @ Q15")
    assert gone(match) == {"356 Inf"}
    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    match = call_away(GERMAN, "Jan III 1945", f"356 Inf @ F49; {ring}; 65 Inf, 92 Inf @ Q15")
    assert names(match, "withdraw") == {"65 Inf", "92 Inf"}


@rule("anzio", "E5D6b")
def test_pure_armor_owes_armor_and_infantry_beyond_two():
    worn = call_away(GERMAN, "Jan I 1944", "26 Pz @ T20 steps=3")
    full = WAR.full[number("26 Pz")]
    assert full == 5
    assert worn.position.debt == [0, 0, 2]
    kept = call_away(GERMAN, "Jan I 1944", "26 Pz @ T20 steps=1", credit=[0, 5, 0]).position
    assert (kept.debt, kept.credit) == ([0, 0, 2], [0, 5 - (full - 1 - 2), 0])
    counters = "26 Pz @ T20 steps=1; Ers inf 1, Ers inf 2, Ers inf 3 @ U20"
    match = call_away(GERMAN, "Jan I 1944", counters)
    while asks(match):
        assert verbs(match) == {"hand over"}
        match.choose(match.decision.options[0])
    assert match.position.debt == [0, 0, 2]
    assert not payers(WAR, match.position)
    back = [place(match, f"Ers inf {n}") for n in (1, 2, 3)]
    assert back.count(POOL) == full - 1 - 2


def leavers(turn: str, counters: str, **fields) -> set[str]:
    """Who leaves, or would have to."""
    match = call_away(GERMAN, turn, counters, **fields)
    stuck = {WAR.names[event.unit] for event in events(match, "cannot be withdrawn")}
    asked = {"?"} if asks(match) else set()
    return gone(match) | stuck | asked


PANZERS = "16 Pz, 26 Pz @ T20; 18 Pz, 24 Pz @ T22"


@rule("anzio", "E8E4b")
def test_the_panzer_divisions_leave_by_the_order_of_battle():
    for oob, who in (
        (STANDARD, {"16 Pz", "18 Pz", "24 Pz", "26 Pz"}),
        (REINFORCED, {"16 Pz", "24 Pz"}),
        (MAXIMUM, set()),
    ):
        assert leavers("Jan I 1944", PANZERS, oob=oob) == who
        assert leavers("May I 1944", PANZERS, oob=oob) == set()
        early = turn_of("Jan I 1944")
        assert leavers("Jan I 1944", PANZERS, oob=oob, second=early) == set()
        assert leavers("May I 1944", PANZERS, oob=oob, second=early) == who
    assert leavers("Jan I 1944", "26 Pz @ T20", frozen=units("18 Pz")) == {"26 Pz"}


@rule("anzio", "E8E4a")
def test_panzer_divisions_that_were_never_released_leave_on_nov_ii():
    guard = units("18 Pz, 24 Pz")
    match = draw_cards(GERMAN, "Nov II 1943", "18 Pz @ R8; 24 Pz @ L23", frozen=guard)
    assert gone(match) == {"18 Pz", "24 Pz"}
    assert not gone(draw_cards(GERMAN, "Nov II 1943", "18 Pz @ R8; 24 Pz @ L23"))


SS = "LAH @ T20; R @ T22"


@rule("anzio", "E8D2", "E6B2")
def test_the_ss_divisions_leave_on_nov_ii_if_they_still_stand_guard():
    guard = units("LAH, R")
    match = draw_cards(GERMAN, "Nov II 1943", "LAH @ K8; R @ Q16", frozen=guard)
    assert gone(match) == {"LAH", "R"}
    assert leavers("Dec I 1943", "", frozen=0) == set()


@rule("anzio", "E8D3", "E6B6")
def test_released_ss_divisions_stay_beyond_nov_ii_and_leave_on_dec_i_or_jan_i():
    assert not gone(draw_cards(GERMAN, "Nov II 1943", SS))
    assert leavers("Dec I 1943", SS) == {"LAH", "R"}
    early = turn_of("Dec I 1943")
    assert leavers("Dec I 1943", SS, second=early) == set()
    assert leavers("Jan I 1944", SS, second=early) == {"LAH", "R"}
    assert leavers("Jan I 1944", SS, second=early + 1) == set()


@rule("anzio", "E8D4")
def test_in_the_stronger_orders_of_battle_they_are_free_and_leave_all_the_same():
    for oob, free in ((REINFORCED, {"LAH"}), (MAXIMUM, {"LAH", "R"})):
        guard = units("LAH, R")
        start = draw_cards(GERMAN, "Sept II 1943", "LAH @ K8; R @ Q16", frozen=guard, oob=oob)
        left = start.position.frozen
        assert {n for n in ("LAH", "R") if not left & units(n)} == free
        pos = start.position
        pos.turn, pos.phase = turn_of("Nov II 1943"), "cards"
        from apennine.games.anzio.rules.e4_cards import cards_phase
        from tests.games.anzio.drawing import play

        assert gone(play(pos, cards_phase)) & {"LAH", "R"} == {"LAH", "R"} - free
        assert leavers("Dec I 1943", SS, oob=oob) == {"LAH", "R"}


@rule("anzio", "E8F")
def test_the_panzergrenadiers_leave_in_the_late_summer():
    for turn, unit, orders in (
        ("Aug III 1944", "3 PzG", (STANDARD, REINFORCED)),
        ("Sept I 1944", "15 PzG", (STANDARD,)),
        ("Sept III 1944", "60 PzG", (STANDARD, REINFORCED)),
    ):
        for oob in (STANDARD, REINFORCED, MAXIMUM):
            found = leavers(turn, f"{unit} @ T20", oob=oob)
            assert found == ({unit} if oob in orders else set())


@rule("anzio", "E7A")
def test_the_50th_and_51st_have_no_inverted_step_and_enter_as_foreigners():
    both = units("50 Br, 51 Br")
    assert not WAR.inverts & both
    assert WAR.foreign & both == both
    assert not WAR.invaders & both
    from apennine.games.anzio.rules.c7_sea import can_evacuate

    match = call_away(ALLIED, "Oct I 1943", "50 Br, 5 Br @ N61", friendly=G.land)
    pos = match.position
    assert can_evacuate(WAR, pos, units("50 Br, 5 Br")) == units("5 Br")
    assert {WAR.units[u].nation for u in (number("50 Br"), number("51 Br"))} == {"Br"}
    assert not come(match)
