"""The charts and the calendar of Anzio against every result that the book reveals."""

from fractions import Fraction

import pytest

from apennine.games.anzio.table.data import Outcome
from apennine.mechanics.odds import Ladder
from apennine.mechanics.tables import never_worse
from apennine.testing import rule
from tests.games.anzio.book import BOOK

COLUMNS = ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1", "8-1", "9-1")


def cells(column: str) -> list[Outcome]:
    return [BOOK.combat.cell(die, BOOK.combat.column(column)) for die in range(1, 7)]


# The Step Reduction Table


@rule("anzio", "B4F1")
def test_one_die_and_twelve_columns():
    assert BOOK.combat.columns == COLUMNS
    assert (BOOK.combat.lowest, len(BOOK.combat.rows)) == (1, 6)


SCAN = """
    1R1 1,1 1,1 1,2 1,2 1,3 1,4 1,5 1,6 1,7 1,9 1,10
    R R - 1 R 1,2 1,3 1,4 1,5 1,6 1,7 1,8
    R R R 1 1 1 1,2 1,3 1,4 1,5 1,6 1,7
    R R R R 1 1 1,1 1,2 1,3 1,4 1,4 1,5
    1R 1R 1R 2R 2R 1 1,1 1,1 1,2 1,3 1,3 1,4
    2R 2R 2R 2R 3R 2 2,1 2,1 2,2 2,2 2,2 2,3
"""


@pytest.mark.parametrize("die", range(1, 7))
def test_every_number_of_the_scanned_table_stands(die: int):
    line = SCAN.split("\n")[die].split()
    for column, text in zip(COLUMNS, line):
        cell = cells(column)[die - 1]
        numbers = [int(part) for part in text.replace("R", ",").split(",") if part.isdigit()]
        assert [n for n in (cell.attacker, cell.defender) if n] == numbers, (column, text)


@rule("anzio", "B4F2b")
def test_what_4_1_5_1_and_6_1_make_certain():
    assert min(cell.defender for cell in cells("3-1")) == 0
    assert min(cell.defender for cell in cells("4-1")) == 1
    assert not all(cell.defender_retreats for cell in cells("4-1"))
    assert all(cell.defender_retreats for cell in cells("5-1"))
    assert min(cell.defender for cell in cells("5-1")) == 1
    assert min(cell.defender for cell in cells("6-1")) == 2


def test_retreats_follow_their_diagonals():
    for number, column in enumerate(COLUMNS, 1):
        for die, cell in enumerate(cells(column), 1):
            assert cell.attacker_retreats == (die >= number and number <= 5), (column, die)
            assert cell.defender_retreats == (die <= number - 2), (column, die)


@rule("anzio", "B4F2a")
def test_the_first_half_of_a_cell_is_the_attackers():
    assert cells("1-4")[0] == Outcome(1, True, 1, False)
    assert cells("6-1")[5] == Outcome(2, False, 2, True)


def test_better_odds_never_spare_the_defender():
    def hurt(cell: Outcome) -> int:
        return 100 * cell.defender + cell.defender_retreats

    assert never_worse(BOOK.combat, COLUMNS, hurt) == []


def test_better_odds_are_never_worse_on_average_if_a_retreat_is_worth_a_step():
    def worth(cell: Outcome) -> int:
        gain = cell.defender + cell.defender_retreats
        return gain - cell.attacker - cell.attacker_retreats

    assert never_worse(BOOK.combat, COLUMNS, worth, dice=(6,)) == []


@pytest.mark.parametrize(
    ("attack", "defence", "column"), [(26, 9, "2-1"), (2, 5, "1-3"), (4, 3, "1-1")]
)
def test_odds_are_rounded_for_the_defender(attack: int, defence: int, column: str):
    ladder = Ladder(COLUMNS)
    assert COLUMNS[ladder.column(attack, defence)] == column


# Movement


def test_costs_by_hexside():
    pace = BOOK.movement["good"]
    assert [pace.price(g) for g in ("plain", "rough", "major", "minor")] == [
        1,
        2,
        Fraction(1, 2),
        1,
    ]
    assert pace.high == "all"


def test_mud_doubles_plain_and_rough_and_nothing_else():
    good, mud = BOOK.movement["good"], BOOK.movement["mud"]
    assert (mud.price("plain"), mud.price("rough")) == (2, 4)
    assert (mud.major, mud.minor, mud.high) == (good.major, good.minor, good.high)


def test_the_turn_of_a_landing():
    pace = BOOK.movement["lift"]
    assert [pace.price(g) for g in ("plain", "rough", "major", "minor")] == [1, 2, 1, 1]
    assert pace.high == "no"
    assert (BOOK.landing.points, BOOK.landing.commando, BOOK.landing.beach) == (3, 4, "1")
    assert (BOOK.landing.rough, BOOK.landing.swamp) == ("2", "all")


def test_breakthrough_movement():
    for weather, plain, rough in (("breakthrough", 1, 2), ("breakthrough-mud", 2, 4)):
        pace = BOOK.movement[weather]
        assert [pace.price(g) for g in ("plain", "rough", "major", "minor")] == [plain, rough, 1, 1]
        assert (pace.high, pace.least) == ("all", 8)


def test_mountain_units_treat_rough_ground_as_plain():
    for key, pace in BOOK.mountain.items():
        assert pace.rough == pace.plain, key
        assert pace.price("plain") == (2 if "mud" in key else 1), key
        assert pace.high == "half"
        assert pace.least == (4 if "breakthrough" in key else 0), key


# Tables of one die


@pytest.mark.parametrize(
    ("die", "result"), list(enumerate(["half"] * 2 + ["no strategic"] * 2 + ["none"] * 2, 1))
)
def test_interdiction_of_a_unit(die: int, result: str):
    assert BOOK.unit_interdiction.cell(die) == result


@pytest.mark.parametrize(("die", "result"), list(enumerate(["no strategic"] * 3 + ["none"] * 3, 1)))
def test_interdiction_of_a_hex(die: int, result: str):
    assert BOOK.hex_interdiction.cell(die) == result


@rule("anzio", "D9C2")
@pytest.mark.parametrize(("die", "way"), list(enumerate(["N", "NE", "SE", "S", "SW", "NW"], 1)))
def test_the_direction_of_a_retreat(die: int, way: str):
    assert BOOK.direction.cell(die) == way


# Limits


def test_limits_of_stacks_and_strategic_movement():
    assert (BOOK.limits.stack, BOOK.limits.mixed, BOOK.limits.strategic) == (8, 7, 2)


def test_limits_of_combat():
    limits = BOOK.limits
    assert (limits.least, limits.automatic, limits.breakthrough) == ("1-4", "7-1", 2)
    assert (limits.retreat, limits.isolation, limits.rebuilding) == (2, 2, 3)


@rule("anzio", "D3A1")
def test_support_counters_and_factors():
    support = BOOK.support
    assert (support.counters, support.naval, support.air) == ((4, 3), 1, 3)
    german = support.german_start, support.german_first, support.german_second, support.german
    assert (german, support.battle) == ((1, 3, 2, 1), 1)


# The calendar


@rule("anzio", "C1B1")
def test_seventy_nine_weeks():
    names = [week.name for week in BOOK.turns]
    assert len(names) == 79
    assert (names[0], names[14], names[37], names[78]) == (
        "Sept II 1943",
        "Dec IV 1943",
        "June III 1944",
        "Apr IV 1945",
    )
    months = [name.split()[0] + name.split()[2] for name in names]
    assert months.count("Sept1943") == 3
    assert {months.count(month) for month in months if month != "Sept1943"} == {4}


@rule("anzio", "C1B2")
def test_mud_from_oct_iii_to_dec_ii():
    muddy = [week.name for week in BOOK.turns[:15] if week.mud]
    assert (muddy[0], muddy[-1], len(muddy)) == ("Oct III 1943", "Dec II 1943", 8)


def test_two_allied_replacements_a_week():
    assert {week.allied for week in BOOK.turns[:15]} == {2}


def test_port_counters():
    ports = {week.name: week.ports for week in BOOK.turns[:15] if week.ports}
    assert ports == {"Sept II 1943": 2, "Nov I 1943": 2}


@pytest.mark.parametrize(("turn", "number"), list(enumerate([0, 1, 1, 1, *[2] * 10, 1], 1)))
def test_german_replacements(turn: int, number: int):
    week = BOOK.turns[turn - 1]
    assert (week.infantry, week.armor) == (int(number > 0), int(number > 1))


def test_nine_forts_in_1943():
    built = [week.name for week in BOOK.turns[:15] if week.fort]
    months = [f"{month} {n} 1943" for month in ("Oct", "Nov", "Dec") for n in ("I", "II", "III")]
    assert built == months


def test_what_the_book_says_of_the_time_record_card():
    weeks = {week.name: week for week in BOOK.turns}
    assert {weeks[f"Oct {n} 1943"].mud_die for n in ("I", "II")} == {2}
    assert {weeks[f"Nov {n} 1943"].mud_die for n in ("I", "II", "III", "IV")} == {5}
    assert {w.name.split()[0] for w in BOOK.turns if w.mud_die} == {
        "Oct",
        "Nov",
        "Dec",
        "Jan",
        "Feb",
        "Mar",
        "Apr",
    }
    assert sum(week.fort_die == 2 for week in BOOK.turns) == 6
    assert sum(week.port for week in BOOK.turns) > BOOK.limits.ports
