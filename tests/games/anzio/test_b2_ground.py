from apennine.games.anzio.table.rivers import BARRED, FREE
from apennine.testing import rule
from tests.games.anzio.drawing import WAR, at, codes

RIVERS = WAR.ground.rivers
LATTICE = WAR.lattice


def step(bound: int, here: str, there: str) -> int:
    return RIVERS.step(at(here), bound, LATTICE.direction(at(here), at(there)))


def around(hex: str, bound: int) -> set[str]:
    """Where a unit may go on from a hex without crossing a river."""
    near = [n for n in LATTICE.neighbours(at(hex)) if WAR.ground.land >> n & 1]
    return {LATTICE.code(n) for n in near if step(bound, hex, LATTICE.code(n)) != BARRED}


@rule("anzio", "B2Ab")
def test_letters_and_numbers_are_the_axes_of_the_hexes():
    assert {LATTICE.code(n) for n in LATTICE.neighbours(at("T26"))} == {
        *("T25", "T27", "U26", "U25", "S26", "S27"),
    }


@rule("anzio", "B4C12b1", "B4G3b5")
def test_who_comes_to_a_river_goes_along_it_or_back_but_not_to_the_far_bank():
    bound = step(FREE, "U27", "U26")
    assert around("U26", bound) == {"V25", "V26", "U27", "T27", "T26"}
    assert step(bound, "U26", "U25") == BARRED


@rule("anzio", "B4C12b1")
def test_along_a_river_one_stays_on_the_same_bank():
    bound = step(FREE, "U27", "U26")
    on_the_next = step(bound, "U26", "T26")
    assert on_the_next != FREE
    assert "T27" in around("T26", on_the_next)
    assert "T25" not in around("T26", on_the_next)


@rule("anzio", "B4C12b2", "B4G3b4")
def test_who_starts_on_a_river_may_leave_it_to_either_side():
    assert around("U26", FREE) == {"U25", "V25", "V26", "U27", "T27", "T26"}
    assert step(FREE, "U26", "T26") == FREE


@rule("anzio", "B4G3b2", "B2B6")
def test_headwaters_bind_nobody():
    assert step(FREE, "S27", "T26") == FREE
    assert step(FREE, "S25", "R25") == FREE
    assert not RIVERS.hexes >> at("R25") & 1


@rule("anzio", "B4C12c", "B4G3b0")
def test_bridges_are_crossed_without_delay():
    assert step(FREE, "T26", "T25") == FREE
    assert step(step(FREE, "T26", "T25"), "T25", "T24") == FREE


@rule("anzio", "B2F4", "B4E2a")
def test_nothing_crosses_the_barrier_between_two_promontories():
    assert not WAR.ground.beside[at("I58")] >> at("J58") & 1


@rule("anzio", "B2F1a")
def test_the_main_hexes_of_the_great_lakes_are_not_entered():
    assert not WAR.ground.land & (1 << at("T3") | 1 << at("S4"))


@rule("anzio", "B2F1b")
def test_roads_lead_through_two_hexes_of_the_trasimeno_where_nobody_stops():
    assert len(codes(WAR.ground.passing)) == 2
    for hex in codes(WAR.ground.passing):
        near = WAR.ground.beside[at(hex)]
        assert near
        assert all(
            WAR.ground.all_roads[LATTICE.direction(at(hex), at(n))] >> at(hex) & 1
            for n in codes(near)
        )


@rule("anzio", "B2D7", "B2D8")
def test_plain_on_the_sea_makes_a_beach():
    assert WAR.ground.beaches >> at("B14") & 1
    assert WAR.ground.coast >> at("C15") & 1
    assert not WAR.ground.beaches >> at("C15") & 1


@rule("anzio", "C5F14", "B2D6")
def test_ports_are_the_places_with_figures():
    bases = {b.name: (b.capacity, b.build_up) for b in WAR.ground.bases if b.is_port}
    assert bases["Napoli"] == (100, 24)
    assert bases["Salerno"][1] == 12
    assert "Formia" not in bases
