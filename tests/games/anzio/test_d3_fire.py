from apennine.games.anzio.rules.b4b_end import end_phase
from apennine.games.anzio.rules.b4c_movement import movement_begins, movement_phase
from apennine.games.anzio.rules.b4h_odds import weigh
from apennine.games.anzio.rules.c1_arrivals import arrivals_phase
from apennine.games.anzio.rules.d3_fire import (
    AIR,
    LUFTWAFFE,
    NAVAL,
    SUPPORT,
    attack_bonus,
    defence_bonus,
    fire_ends,
    first_guard,
)
from apennine.games.anzio.table.position import ALLIED, GERMAN, NOBODY
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule as cite
from apennine.kernel.match import Match
from apennine.kernel.order import Plain, ask
from apennine.testing import rule
from tests.games.anzio.drawing import (
    WAR,
    Field,
    at,
    do,
    hexes,
    mask,
    names,
    number,
    play,
    refused,
    table,
    told,
    units,
    verbs,
)
from tests.games.anzio.ground import side_of
from tests.games.anzio.playing import begin, open_basic, pass_on

G = WAR.ground
FIGHT, WAIT = (Plain(verb, "For tests", "B4E4") for verb in ("fight on", "wait"))


def battle(counters: str, attackers: str, targets: str, side: int = ALLIED, **fields):
    """A question in a battle under way, at which fire may support it."""
    given = {"turn": 3, "supporting_fire": True, "fire": [1, 3, 1]} | fields
    pos = table(
        counters, "combat", side, attackers=units(attackers), targets=mask(targets), **given
    )

    def scene(war, pos) -> Procedure:
        for _ in range(2):
            yield from ask(war, pos, "Fire?", cite("D3A3"), SUPPORT, FIGHT, WAIT)

    return play(pos, scene)


def fired(match) -> list[int]:
    return match.position.fire


def last_orders(counters: str, side: int = ALLIED, **fields):
    given = {"turn": 3, "supporting_fire": True, "fire": [1, 3, 1]} | fields
    return play(table(counters, "end", side, **given), end_phase)


def guns(side: int, **fields) -> list[int]:
    pos = table("", side=side, **{"supporting_fire": True} | fields)
    return play(pos, arrivals_phase).position.fire


# Factors.


@rule("anzio", "D3B1", "D3C2")
def test_the_allies_have_a_naval_and_three_air_factors_but_no_guns_as_they_invade():
    assert guns(ALLIED, turn=3)[:2] == [1, 3]
    assert guns(ALLIED, turn=3, supporting_fire=False)[:2] == [0, 0]
    match = open_basic(supporting_fire=True)
    assert fired(match)[:2] == [0, 3]


@rule("anzio", "D3C6")
def test_the_germans_have_three_factors_in_the_turn_of_the_invasion():
    assert guns(GERMAN, turn=1, invasions=1, invaded=1)[LUFTWAFFE] == 3


@rule("anzio", "D3C7")
def test_two_after_the_second_invasion_and_one_in_other_good_turns():
    assert guns(GERMAN, turn=14, invasions=3, invaded=14)[LUFTWAFFE] == 2
    assert guns(GERMAN, turn=15, invasions=3, invaded=14)[LUFTWAFFE] == 1
    assert guns(GERMAN, turn=3, invasions=1, invaded=1)[LUFTWAFFE] == 1


@rule("anzio", "D3C8")
def test_nobody_flies_in_mud_nor_keeps_factors_for_it():
    assert guns(ALLIED, turn=6)[:2] == [1, 0]
    assert guns(GERMAN, turn=6)[LUFTWAFFE] == 0
    assert guns(GERMAN, turn=3, air=1, friendly=mask("K57"))[LUFTWAFFE] == 1
    assert "guard" in verbs(last_orders("16 Pz @ Q62", GERMAN, turn=3))
    match = last_orders("16 Pz @ Q62", GERMAN, turn=5)
    assert refused(match, "guard", "16 Pz", value=LUFTWAFFE).rule == "D3B3"


# In attack.


@rule("anzio", "D3A3", "D3A4")
def test_a_factor_is_added_to_an_attack_in_any_round():
    for round in (1, 2):
        match = battle("5 Br @ Q62; 29 PzG @ Q63", "5 Br", "Q63", round=round)
        before = weigh(WAR, match.position, units("5 Br"), mask("Q63")).attack
        do(match, "support", "5 Br")
        assert attack_bonus(match.position, units("5 Br")) == 1
        assert weigh(WAR, match.position, units("5 Br"), mask("Q63")).attack == before + 1


@rule("anzio", "D3A9")
def test_one_factor_in_a_battle():
    match = battle("5 Br, 46 Br @ Q62; 29 PzG @ Q63", "5 Br, 46 Br", "Q63")
    do(match, "support", "5 Br", value=AIR)
    assert refused(match, "support", "46 Br", value=AIR).rule == "D3A9"


@rule("anzio", "D3A6")
def test_a_unit_is_supported_once_in_a_turn():
    match = battle("5 Br, 46 Br @ Q62; 29 PzG @ Q63", "5 Br, 46 Br", "Q63", supported=units("5 Br"))
    assert names(match, "support") == {"46 Br"}
    assert refused(match, "support", "5 Br", value=AIR).rule == "D3A6"


@rule("anzio", "D3A9a")
def test_only_units_with_factors_are_supported():
    match = battle("5 Br @ Q62; 46 Br @ Q62 steps=1; 29 PzG @ Q63", "5 Br, 46 Br", "Q63")
    assert refused(match, "support", "46 Br", value=AIR).rule == "D3A9a"
    end = last_orders("5 Br @ Q62; 46 Br @ Q61 steps=1")
    assert refused(end, "guard", "46 Br", value=AIR).rule == "D3A9a"
    weak = table("46 Br @ Q63 steps=1; 29 PzG @ Q62", "combat", GERMAN, guarded=units("46 Br"))
    assert defence_bonus(WAR, weak, mask("Q63")) == 0


@rule("anzio", "D3A11")
def test_terrain_neither_multiplies_nor_halves_a_factor():
    here, there = side_of(G.roadless_high)
    pos = table(f"5 Br @ {here}; 29 PzG @ {there}", "combat", backed=number("5 Br"))
    bare = table(f"5 Br @ {here}; 29 PzG @ {there}", "combat")
    attack = [weigh(WAR, each, units("5 Br"), mask(there)).attack for each in (pos, bare)]
    assert attack[0] - attack[1] == 1
    mountain = next(iter(sorted(SORTED_PEAKS)))
    near = min(h for h in beside(mountain))
    guarded = table(f"29 PzG @ {near}; 5 Br @ {mountain}", "combat", GERMAN, guarded=units("5 Br"))
    plain = table(f"29 PzG @ {near}; 5 Br @ {mountain}", "combat", GERMAN)
    weights = [weigh(WAR, each, units("29 PzG"), mask(mountain)) for each in (guarded, plain)]
    assert weights[0].defence - weights[1].defence == 1
    assert weights[0].doubled == weights[1].doubled


def beside(hex: str) -> list[str]:
    calm = G.stands & ~G.rivers.hexes
    return [WAR.board.code(h) for h in range(WAR.lattice.size) if G.beside[at(hex)] & calm & 1 << h]


SORTED_PEAKS = [
    WAR.board.code(h)
    for h in range(WAR.lattice.size)
    if G.mountains & ~G.rivers.hexes & 1 << h and beside(WAR.board.code(h))
]


@rule("anzio", "D3A12")
def test_a_factor_is_no_step():
    match = battle("5 Br @ Q62; 29 PzG @ Q63", "5 Br", "Q63")
    before = match.position.steps[:]
    do(match, "support", "5 Br")
    assert match.position.steps == before


@rule("anzio", "D3B2")
def test_naval_guns_reach_defenders_on_the_coast():
    assert all(G.coast >> at(h) & 1 for h in ("B33", "B34"))
    inland = battle("5 Br @ Q62; 29 PzG @ Q63", "5 Br", "Q63")
    assert refused(inland, "support", "5 Br", value=NAVAL).rule == "D3B2"
    coast = battle("5 Br @ O61; 29 PzG @ N61", "5 Br", "N61")
    do(coast, "support", "5 Br", value=0)
    assert fired(coast)[:2] == [0, 3]


@rule("anzio", "D3C3")
def test_without_a_base_air_factors_help_only_under_the_own_sky():
    match = battle("5 Br @ M57; 29 PzG @ M58; 46 Br @ N58", "5 Br, 46 Br", "M58", fire=[0, 3, 0])
    assert refused(match, "support", "5 Br", value=AIR).rule == "D3C3"
    south = battle("5 Br @ Q62; 29 PzG @ Q63", "5 Br", "Q63", fire=[0, 3, 0])
    assert names(south, "support") == {"5 Br"}


@rule("anzio", "D3C4a", "D3C4b")
def test_a_base_frees_air_factors_from_the_turn_after_until_it_is_lost():
    for air, free in ((0, False), (1, True)):
        fields = {"air": air, "friendly": mask("K57 M57 N58"), "fire": [0, 3, 0]}
        match = battle("5 Br @ M57; 29 PzG @ M58", "5 Br", "M58", **fields)
        assert (match.decision is not None and "support" in verbs(match)) is free


# In defence.


@rule("anzio", "D3A5a")
def test_factors_are_kept_for_named_units_before_the_enemys_turn():
    match = last_orders("5 Br @ Q62; 46 Br @ Q61; 29 PzG @ R64")
    do(match, "guard", "5 Br", value=AIR)
    assert match.position.guarded == units("5 Br")
    assert fired(match) == [1, 2, 1]
    assert refused(match, "guard", "5 Br", value=AIR).rule == "D3A9"
    pos = table("5 Br @ Q62; 29 PzG @ Q63", "combat", GERMAN, guarded=units("5 Br"))
    assert defence_bonus(WAR, pos, mask("Q62")) == 1
    both = table("5 Br, 46 Br @ Q62; 29 PzG @ Q63", "combat", GERMAN, guarded=units("5 Br, 46 Br"))
    assert defence_bonus(WAR, both, mask("Q62")) == 1


@rule("anzio", "D3A5c")
def test_a_kept_factor_works_once():
    pos = table(
        "5 Br @ Q62; 46 Br @ Q61; 29 PzG @ Q63", "combat", GERMAN, guarded=units("5 Br, 46 Br")
    )
    fire_ends(WAR, pos, mask("Q62"))
    assert pos.guarded == units("46 Br")
    assert pos.backed == NOBODY


@rule("anzio", "D3A7")
def test_a_unit_may_have_both_kinds_of_support():
    match = last_orders("5 Br @ Q62", supported=units("5 Br"))
    do(match, "guard", "5 Br", value=AIR)
    assert match.position.guarded == units("5 Br")


@rule("anzio", "D3A8")
def test_what_was_kept_is_lost_as_the_owners_next_turn_begins():
    pos = table(
        "5 Br @ Q62; 29 PzG @ R64", turn=4, guarded=units("5 Br, 29 PzG"), supporting_fire=True
    )
    after = play(pos, arrivals_phase).position
    assert after.guarded == units("29 PzG")
    assert after.fire[:2] == [1, 3]  # no more than a turn's


@rule("anzio", "D3B3")
def test_naval_guns_guard_only_units_on_the_coast():
    match = last_orders("5 Br @ Q62; 46 Br @ N61")
    assert refused(match, "guard", "5 Br", value=NAVAL).rule == "D3B3"
    match.choose(Option("guard", number("46 Br"), -1, NAVAL))
    assert match.position.naval_guarded == units("46 Br")
    pos = table("46 Br @ Q62; 29 PzG @ Q63", "combat", GERMAN, guarded=units("46 Br"))
    pos.naval_guarded = units("46 Br")
    assert defence_bonus(WAR, pos, mask("Q62")) == 0


@rule("anzio", "D3C5")
def test_the_germans_keep_a_factor_before_the_invasion():
    match = begin(supporting_fire=True)
    pass_on(match, until="first guard", side=GERMAN)
    assert {"guard", "begin the game"} <= verbs(match)
    do(match, "guard", "16 Pz")
    assert match.position.guarded == units("16 Pz")
    assert match.position.side == ALLIED
    assert match.position.guarded == units("16 Pz")
    assert play(table("16 Pz @ Q62", "first guard", GERMAN), first_guard).decision is None


# Interdiction.


def interdict(order: str, die: int, counters: str = "29 PzG @ R64", unit: str = "", hex: str = ""):
    """The end of a turn in which an interdiction throws this die."""
    for seed in range(100):
        pos = table(counters, "end", turn=3, supporting_fire=True, fire=[1, 3, 0])
        match = Match(Field(end_phase, WAR), position=pos, seed=seed)
        do(match, order, unit, hex)
        faces = [entry.faces for entry in match.log if hasattr(entry, "faces")]
        if faces == [(die,)]:
            return match
    raise LookupError(die)


@rule("anzio", "D3D1", "D3D1c")
def test_what_is_left_may_hamper_a_german_unit():
    for die, tied, slowed in ((1, 1, 1), (2, 1, 1), (3, 1, 0), (4, 1, 0), (5, 0, 0), (6, 0, 0)):
        pos = interdict("interdict", die, unit="29 PzG").position
        assert (pos.tied, pos.slowed) == (units("29 PzG") * tied, units("29 PzG") * slowed)


@rule("anzio", "D3D1b")
def test_a_unit_takes_as_many_factors_as_its_stacking_number():
    match = interdict("interdict", 6, "26 Pz @ R64; NW 71 @ R63", "26 Pz")
    assert fired(match)[:2] == [1, 0]
    assert refused(match, "interdict", "NW 71").rule == "D3D1b"
    match = interdict("interdict", 6, "26 Pz @ R64; NW 71 @ R63", "NW 71")
    assert fired(match)[:2] == [1, 2]


def german_moves(counters: str, **fields):
    def scene(war, pos) -> Procedure:
        yield from movement_begins(war, pos)
        yield from movement_phase(war, pos)

    return play(table(counters, side=GERMAN, **fields), scene)


@rule("anzio", "D3D1d", "D3D1e")
def test_half_the_points_still_cross_a_ridge_and_others_are_not_hit():
    here, there = side_of(G.roadless_high)
    match = german_moves(f"29 PzG, 16 Pz @ {here}", slowed=units("29 PzG"), tied=units("29 PzG"))
    do(match, "move", "29 PzG")
    assert (match.position.points, match.position.extra) == (12, 0)
    assert there in hexes(match, "go")
    do(match, "halt")
    do(match, "move", "16 Pz")
    assert (match.position.points, match.position.extra) == (24, 24)


@rule("anzio", "D3D2", "D3D7")
def test_a_hex_is_closed_to_strategic_movement_for_a_factor():
    for die, closed in ((1, True), (3, True), (4, False), (6, False)):
        match = interdict("interdict hex", die, hex="R64")
        assert bool(match.position.watched) is closed
        assert sum(fired(match)) == 3
    free, shut = (
        german_moves("29 PzG @ R64", watched=w) for w in (0, mask("Q64 R63 S63 S64 R65 Q65"))
    )
    for match in (free, shut):
        do(match, "move", "29 PzG")
    assert hexes(shut, "go") < hexes(free, "go")
    starts = german_moves("29 PzG @ R64", watched=mask("R64"))
    do(starts, "move", "29 PzG")
    assert hexes(starts, "go") == hexes(free, "go")


@rule("anzio", "D3D3")
def test_interdiction_lasts_one_german_turn():
    pos = table(
        "29 PzG @ R64",
        tied=units("29 PzG"),
        slowed=units("29 PzG"),
        tried=units("29 PzG"),
        watched=1,
    )
    after = play(pos, arrivals_phase).position
    assert (after.tied, after.slowed, after.watched, after.tried) == (0, 0, 0, 0)


@rule("anzio", "D3D4")
def test_a_target_is_tried_once():
    match = interdict("interdict", 6, "NW 71 @ R63; 29 PzG @ R64", "NW 71")
    assert refused(match, "interdict", "NW 71").rule == "D3D4"
    match = interdict("interdict hex", 6, hex="R64")
    assert refused(match, "interdict hex", hex="R64").rule == "D3D4"


@rule("anzio", "D3D5")
def test_the_germans_do_not_interdict():
    match = last_orders("29 PzG @ R64; 5 Br @ Q60", GERMAN)
    assert not {"interdict", "interdict hex"} & verbs(match)


@rule("anzio", "D3D6")
def test_naval_guns_interdict_only_on_the_shore():
    match = last_orders("NW 71 @ R63; Fras @ N61", fire=[1, 0, 0], turn=6)
    assert names(match, "interdict") == {"Fras"}
    assert refused(match, "interdict", "NW 71").rule == "D3D1b"
    assert refused(match, "interdict hex", hex="R63").rule == "D3D6"
    assert told(match, "is interdicted") == []
