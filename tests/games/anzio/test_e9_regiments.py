"""E9: divisions as regiments, and regiments as divisions."""

from apennine.games.anzio.rules.b4b_sequence import ADVANCED_TURNS
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4e_zones import is_inverted
from apennine.games.anzio.rules.b4f_battle import lose
from apennine.games.anzio.rules.b4f_forecast import plight
from apennine.games.anzio.rules.e9_forms import as_division, as_regiments
from apennine.games.anzio.rules.e9_regiments import refitting_phase
from apennine.games.anzio.table.position import (
    ALLIED,
    AWAY,
    BROKEN,
    DESTROYED,
    GERMAN,
    WITHDRAWN,
    Table,
)
from apennine.kernel.decision import Procedure
from apennine.kernel.match import Match
from apennine.testing import rule
from tests.games.anzio.advanced import call_away, field, gone, place
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
    units,
    verbs,
)

REGIMENTS = "15/129, 15/115, 15/104"


def moves(war, pos) -> Procedure:
    yield from movement_begins(war, pos)
    yield from movement_phase(war, pos)


def german(counters: str, broken: str = "", **fields) -> Match[Table]:
    """A German movement phase; some divisions are in regiments."""
    pos = field(f"{counters}; 1 Para @ T40", "Nov I 1943", GERMAN, **fields)
    for name in filter(None, broken.split(", ")):
        pos.hex[number(name)] = BROKEN
    return play(pos, moves)


def factors(unit: str, steps: int) -> tuple[int, int]:
    return WAR.face(number(unit), steps)


@rule("anzio", "E9C")
def test_a_division_and_its_regiments_are_never_there_together():
    match = german("15 PzG @ T30")
    do(match, "break up", "15 PzG")
    assert place(match, "15 PzG") == BROKEN
    assert {place(match, name) for name in REGIMENTS.split(", ")} == {at("T30")}
    do(match, "combine", "15 PzG")
    assert place(match, "15 PzG") == at("T30")
    assert {place(match, name) for name in REGIMENTS.split(", ")} == {AWAY}


@rule("anzio", "E9D2")
def test_broken_up_on_the_way_each_regiment_goes_on_with_what_is_left():
    match = german("15 PzG @ T30")
    do(match, "move", "15 PzG")
    do(match, "go", "15 PzG", "T31")
    left = match.position.points, match.position.extra
    assert left[0] > 0
    do(match, "break up", "15 PzG")
    assert not match.position.movers
    do(match, "move", "15/129")
    assert (match.position.points, match.position.extra) == left
    do(match, "halt", "15/129")
    do(match, "move", "15/115")
    assert (match.position.points, match.position.extra) == left
    assert hexes(match, "go", "15/115")


@rule("anzio", "E9D2")
def test_what_hampers_a_division_hampers_its_regiments():
    from apennine.games.anzio.rules.b4c_movement import strategic

    match = german("15 PzG @ T30; 56 Br @ T32", tied=units("29 PzG"), slowed=units("15 PzG"))
    assert not strategic(match.position, number("15 PzG"))
    do(match, "break up", "15 PzG")
    for name in REGIMENTS.split(", "):
        assert not strategic(match.position, number(name))
        assert match.position.slowed & units(name)


@rule("anzio", "E9D1")
def test_regiments_that_meet_go_on_as_the_division_with_the_least_of_their_points():
    match = german(f"{REGIMENTS} @ T30", "15 PzG")
    for name in REGIMENTS.split(", ")[:2]:
        do(match, "move", name)
        do(match, "go", name, "T31")
        do(match, "halt", name)
    assert refused(match, "combine", "15 PzG").rule == "E9D1"
    do(match, "move", "15/104")
    do(match, "go", "15/104", "T31")
    spent = WAR.allowance[number("15/104")] - match.position.points
    do(match, "halt", "15/104")
    assert spent > 0
    do(match, "combine", "15 PzG")
    do(match, "move", "15 PzG")
    assert match.position.points == WAR.allowance[number("15 PzG")] - spent
    idle = german(f"{REGIMENTS} @ T30", "15 PzG")
    do(idle, "combine", "15 PzG")
    do(idle, "move", "15 PzG")
    assert idle.position.points == WAR.allowance[number("15 PzG")]


@rule("anzio", "E9D4")
def test_forms_change_in_the_german_movement_only():
    asked = {phase for phase, side in ADVANCED_TURNS.steps if side == GERMAN}
    assert {"movement", "refitting"} <= asked
    allied = play(field("15 PzG @ T30; 56 Br @ K57", "Nov I 1943", ALLIED), moves)
    assert "break up" not in verbs(allied)
    from apennine.games.anzio.rules.b4e_combat import combat_phase

    battle = play(
        field("15 PzG @ W52; 56 Br, 5 Br @ W53", "Nov I 1943", GERMAN, "combat"), combat_phase
    )
    assert "break up" not in verbs(battle)
    match = german("15 PzG @ T30")
    do(match, "break up", "15 PzG")
    do(match, "combine", "15 PzG")
    assert refused(match, "break up", "15 PzG").rule == "E9D4"


@rule("anzio", "E9E")
def test_a_worn_division_gives_no_more_factors_or_steps_than_it_has():
    for division, parts in WAR.regiments.items():
        for steps in range(1, WAR.full[division]):
            each = as_regiments(WAR, division, steps)
            if each is None:
                continue
            used = [(part, left) for part, left in zip(parts, each) if left >= 0]
            for kind in (0, 1):
                total = sum(WAR.face(part, left)[kind] for part, left in used)
                assert total <= WAR.face(division, steps)[kind]
            assert sum(left for _, left in used) <= steps
    unit = number("15 PzG")
    assert WAR.face(unit, WAR.full[unit] - 1) == (5, 8)
    assert as_regiments(WAR, unit, WAR.full[unit] - 1) == (2, 2, 1)  # 2-3, 2-3 and 1-2


@rule("anzio", "E9E")
def test_worn_regiments_give_the_next_weaker_division():
    pos = field(f"{REGIMENTS} @ T30", "Nov I 1943", GERMAN)
    pos.hex[number("15 PzG")] = BROKEN
    unit = number("15 PzG")
    assert as_division(WAR, pos, unit) == WAR.full[unit]
    pos.steps[number("15/104")] = 1
    assert WAR.face(unit, as_division(WAR, pos, unit)) == (5, 8)
    pos.hex[number("15/104")] = DESTROYED
    assert WAR.face(unit, as_division(WAR, pos, unit)) == (3, 5)


@rule("anzio", "E9H")
def test_a_worn_division_may_become_fewer_regiments():
    unit = number("15 PzG")
    each = as_regiments(WAR, unit, 2)  # 2-4
    assert each is not None
    assert -1 in each
    match = german("15 PzG @ T30 steps=2")
    do(match, "break up", "15 PzG")
    there = [name for name in REGIMENTS.split(", ") if place(match, name) == at("T30")]
    assert 0 < len(there) < 3


@rule("anzio", "E9K")
def test_full_regiments_always_make_the_full_division():
    for division, parts in WAR.regiments.items():
        assert as_regiments(WAR, division, WAR.full[division]) == tuple(
            WAR.full[part] for part in parts
        )
        pos = field("", "Nov I 1943", GERMAN)
        pos.hex[division] = BROKEN
        for part in parts:
            pos.hex[part] = at("T30")
        assert as_division(WAR, pos, division) == WAR.full[division]


def refit(counters: str, broken: str = "", **steps: int) -> Match[Table]:
    """The end of a German movement phase, with replacements."""
    pos = field(counters, "Nov I 1943", GERMAN, "refitting")
    for name in filter(None, broken.split(", ")):
        pos.hex[number(name)] = BROKEN
    for name, left in steps.items():
        pos.steps[number(name.replace("_", "/"))] = left
    return play(pos, refitting_phase)


@rule("anzio", "E9G")
def test_each_regiment_may_take_a_replacement_and_a_division_one():
    many = "Ers inf 1, Ers inf 2, Ers inf 3"
    pos = field(f"{REGIMENTS}, {many} @ T30", "Nov I 1943", GERMAN, "refitting")
    pos.hex[number("15 PzG")] = BROKEN
    for name in REGIMENTS.split(", "):
        pos.steps[number(name)] = 1
    match = play(pos, refitting_phase)
    for name, help in zip(REGIMENTS.split(", "), many.split(", ")):
        if "rebuild" in verbs(match) and name in names(match, "rebuild"):
            do(match, "rebuild", name, value=number(help))
    assert [match.position.steps[number(n)] for n in REGIMENTS.split(", ")] == [2, 2, 2]
    pos = field(f"15 PzG, {many} @ T30", "Nov I 1943", GERMAN, "refitting")
    pos.steps[number("15 PzG")] = 3
    match = play(pos, refitting_phase)
    do(match, "rebuild", "15 PzG", value=number("Ers inf 1"))
    assert refused(match, "rebuild", "15 PzG", value=number("Ers inf 2")).rule == "C11A3"
    do(match, "break up", "15 PzG")
    assert "rebuild" not in verbs(match) if match.decision else True


@rule("anzio", "E9F")
def test_a_unit_may_be_rebuilt_and_change_form_in_the_same_phase():
    pos = field(f"{REGIMENTS}, Ers inf 1 @ T30", "Nov I 1943", GERMAN, "refitting")
    pos.hex[number("15 PzG")] = BROKEN
    pos.steps[number("15/104")] = 1
    match = play(pos, refitting_phase)
    do(match, "rebuild", "15/104", value=number("Ers inf 1"))
    do(match, "combine", "15 PzG")
    assert match.position.steps[number("15 PzG")] == WAR.full[number("15 PzG")]


@rule("anzio", "E9J1")
def test_a_whole_division_can_grow_again_from_one_cadre():
    pos = field("15/104, Ers inf 1 @ T30", "Nov I 1943", GERMAN, "refitting")
    pos.hex[number("15 PzG")] = BROKEN
    pos.hex[number("15/129")] = pos.hex[number("15/115")] = DESTROYED
    pos.steps[number("15/104")] = 0
    pos.soft |= units("15/104")
    assert is_inverted(WAR, pos, number("15/104"))
    match = play(pos, refitting_phase)
    do(match, "rebuild", "15/104", value=number("Ers inf 1"))
    do(match, "combine", "15 PzG")
    assert match.position.steps[number("15 PzG")] == 1
    from apennine.games.anzio.rules.c11_replacements import strongest

    assert strongest(WAR, match.position, number("15 PzG")) == WAR.full[number("15 PzG")]


def losing(counters: str, unit: str, steps: int) -> Match[Table]:
    pos = field(counters, "Nov I 1943", ALLIED, "combat")
    those = units(unit)

    def scene(war, pos) -> Procedure:
        yield from lose(war, pos, those, steps, GERMAN)

    return play(pos, scene)


@rule("anzio", "E9J2")
def test_the_cadre_of_a_regiment_is_no_step_and_is_lost_with_more_than_all():
    match = losing("15/104 @ W52; 56 Br @ W53", "15/104", 2)
    assert place(match, "15/104") == at("W52")
    assert match.position.steps[number("15/104")] == 0
    assert is_inverted(WAR, match.position, number("15/104"))
    match = losing("15/104 @ W52; 56 Br @ W53", "15/104", 3)
    assert place(match, "15/104") == DESTROYED
    pos = field("15/104, 15/129 @ W52; 56 Br @ W53", "Nov I 1943", ALLIED, "combat")
    pos.steps[number("15/104")] = 0
    pos.soft |= units("15/104")
    assert plight(WAR, pos, mask("W52")).steps == WAR.full[number("15/129")]


@rule("anzio", "E9J3")
def test_other_inverted_counters_are_worth_a_step():
    match = losing("15 PzG @ W52; 56 Br @ W53", "15 PzG", WAR.full[number("15 PzG")] - 1)
    assert is_inverted(WAR, match.position, number("15 PzG"))
    assert match.position.steps[number("15 PzG")] == 1
    assert WAR.full[number("309 PzG")] == 2  # an ordinary regiment
    assert WAR.full[number("15/104")] == 2  # of two faces


@rule("anzio", "E9J4")
def test_steps_are_those_of_the_counters():
    more = {
        WAR.names[division]: WAR.full[division] - sum(WAR.full[part] for part in parts)
        for division, parts in WAR.regiments.items()
    }
    assert more == {
        "1 Para": 1,
        "HG": 1,
        "4 Para": 1,
        "2 Para": 0,
        "15 PzG": 0,
        "29 PzG": 0,
        "90 PzG": 0,
    }


@rule("anzio", "E9I")
def test_free_parts_of_a_withdrawn_division_leave_and_the_others_when_they_can():
    ring = "56 Br @ D50; 5 Br @ E48; 46 Br @ G48; 36 US @ F51"
    counters = f"15/129, 15/115 @ T30; 15/104 @ F49; {ring}"
    pos = call_away(GERMAN, "Aug IV 1944", counters).position
    pos.hex[number("15 PzG")] = BROKEN
    pos.turn, pos.phase = pos.turn + 1, "withdrawals"
    from apennine.games.anzio.rules.e4_withdrawals import withdrawals_phase

    match = play(pos, withdrawals_phase)
    assert gone(match) == {"15/129", "15/115"}
    assert match.position.owing == units("15/104")
    assert match.position.debt == [0, 0, 0]
    late = match.position
    late.turn, late.phase = late.turn + 1, "withdrawals"
    lost = late.copy()
    for name in ("56 Br", "5 Br", "46 Br", "36 US"):
        late.hex[number(name)] = AWAY
    assert place(play(late, withdrawals_phase), "15/104") == WITHDRAWN
    lost.hex[number("15/104")], lost.steps[number("15/104")] = DESTROYED, 0
    assert play(lost, withdrawals_phase).position.debt[1] == WAR.full[number("15/104")]
