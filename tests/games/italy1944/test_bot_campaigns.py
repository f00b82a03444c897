"""Whole campaigns of the staff bot beside those of a random player: skill that is not chance.

Each measure is an average over fixed seeds, with a margin that no single one of them decides, and
each is held against the same games with a random player in the bot's place, who must fail it.
"""

from dataclasses import dataclass, field
from functools import cache
from statistics import mean

from apennine.games.italy1944.game import Italy1944
from apennine.games.italy1944.rules.c04_zones import occupied, units_on_map
from apennine.games.italy1944.rules.c09_combat import odds
from apennine.games.italy1944.rules.c13_victory import points
from apennine.games.italy1944.table.position import ALLIED, GERMAN, Table
from apennine.hexes import bits
from apennine.kernel.match import Match
from apennine.lab import make_bot

GAME = Italy1944()
WAR = GAME.war
SEEDS = range(10)
GOOD_ODDS = 2
"""The column 1:1, after shifts and before support: from here on an Allied attack pays."""


@dataclass
class Campaign:
    """What is noted of one match."""

    shut: list[tuple[bool, bool]] = field(default_factory=list[tuple[bool, bool]])
    """At the end of each turn from the second to the last but one, by side: nobody walks past."""
    cut: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """At the end of each turn, by side: the share of units out of supply."""
    columns: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """The odds of the attacks that each side made, before any support."""
    relieved: list[bool] = field(default_factory=list[bool])
    """For each German hex against which the Allies stood at good odds when the Germans came to
    move: whether they left it, or stood there at worse odds for the Allies afterwards."""
    points: int = 0
    """What the Allies held at the end."""


def is_shut(pos: Table, side: int) -> bool:
    """Whether no enemy could walk past a side's units and zones to its supply hexes (4.1).

    However far: a walker is stopped by zones alone, not by want of movement points.
    """
    walkers, held = occupied(WAR, pos, 1 - side), occupied(WAR, pos, side)
    closed = held | WAR.zone(held)
    walked = WAR.lattice.flood_sides(walkers, WAR.land & ~closed | walkers, WAR.open)
    return not walked & WAR.sources[side]


def share_cut(pos: Table, side: int) -> float:
    units = units_on_map(WAR, pos, side)
    return sum(pos.cut >> u & 1 for u in units) / max(1, len(units))


def posts_in_contact(pos: Table) -> dict[int, int]:
    """Each German hex next to Allied units, with the odds if they all attacked it."""
    seen = pos.copy()
    seen.side = ALLIED
    found: dict[int, int] = {}
    for hex in bits(occupied(WAR, pos, GERMAN)):
        near = WAR.beside[hex]
        against = [u for u in units_on_map(WAR, pos, ALLIED) if near >> pos.hex[u] & 1]
        if against:
            found[hex] = odds(WAR, seen, hex, against).column
    return found


@cache
def campaign(allied: str, german: str, seed: int) -> Campaign:
    match = Match(GAME, seed=f"campaign/{seed}")
    bots = make_bot(allied, 2 * seed, GAME), make_bot(german, 2 * seed + 1, GAME)
    noted = Campaign()
    turn, fought, contact = 1, (-1, -1), dict[int, int]()
    while match.decision:
        seat = match.seat()
        pos = match.position
        if pos.phase == "movement" and pos.side == GERMAN and not contact:
            contact = posts_in_contact(pos)
        if pos.phase != "movement" and contact:
            after = posts_in_contact(pos)
            for hex, column in contact.items():
                if column >= GOOD_ODDS:
                    noted.relieved.append(after.get(hex, -1) < column)
            contact = {}
        battle = pos.turn, pos.attacked
        if pos.supporting == 0 and pos.support == [0, 0] and battle != fought:
            fought = battle
            found = odds(WAR, pos, pos.target, list(bits(pos.attackers)))
            noted.columns[pos.side].append(found.column)
        match.choose(bots[seat.side](seat))
        pos = match.position
        if pos.turn != turn:
            noted.cut.append((share_cut(pos, ALLIED), share_cut(pos, GERMAN)))
            if turn > 1:
                noted.shut.append((is_shut(pos, ALLIED), is_shut(pos, GERMAN)))
            turn = pos.turn
    noted.points = points(WAR, match.position, ALLIED)
    return noted


def campaigns(allied: str, german: str) -> list[Campaign]:
    return [campaign(allied, german, seed) for seed in SEEDS]


def lines_kept(allied: str, german: str, side: int) -> float:
    """The share of turns at whose end nobody could walk past a side."""
    return mean(shut[side] for noted in campaigns(allied, german) for shut in noted.shut)


def out_of_supply(allied: str, german: str, side: int) -> float:
    """The share of a side's units out of supply, on average over the ends of turns."""
    return mean(cut[side] for noted in campaigns(allied, german) for cut in noted.cut)


def mean_column(allied: str, german: str, side: int) -> float:
    """The average odds of a side's attacks: 2 is 1:1, 3 is 2:1."""
    return mean(col for noted in campaigns(allied, german) for col in noted.columns[side])


def test_the_german_shuts_the_peninsula_turn_after_turn_and_a_random_one_does_not():
    assert lines_kept("staff", "staff", GERMAN) >= 0.8
    assert lines_kept("staff", "random", GERMAN) <= 0.55


def test_the_allies_let_nobody_through_either():
    assert lines_kept("staff", "staff", ALLIED) >= 0.9


def test_both_sides_keep_nine_units_in_ten_supplied_and_a_random_german_does_not():
    assert out_of_supply("staff", "staff", ALLIED) <= 0.05
    assert out_of_supply("staff", "staff", GERMAN) <= 0.10
    assert out_of_supply("staff", "random", GERMAN) >= 0.2


def test_the_allies_take_towns_that_a_random_player_never_sees():
    held = [noted.points for noted in campaigns("staff", "staff")]
    by_chance = [noted.points for noted in campaigns("random", "staff")]
    assert mean(held) >= 35  # they start with 10
    assert mean(by_chance) <= 20


def test_the_allies_attack_often_and_at_odds_that_pay():
    attacks = [noted.columns[ALLIED] for noted in campaigns("staff", "staff")]
    assert all(len(columns) >= 18 for columns in attacks)  # two a turn
    assert mean_column("staff", "staff", ALLIED) >= 1.5
    assert mean_column("random", "staff", ALLIED) <= 0.8


def test_the_german_strikes_only_at_good_odds():
    """A random player attacks so rarely that his average says little: hence the wide gap."""
    assert mean_column("random", "staff", GERMAN) >= 4
    assert mean_column("staff", "random", GERMAN) <= 2.5


def test_the_german_leaves_or_strengthens_the_posts_that_would_fall():
    """Where the Allies stand at good odds he often goes; a random player mostly stays."""
    well, by_chance = (
        [relieved for noted in campaigns("staff", german) for relieved in noted.relieved]
        for german in ("staff", "random")
    )
    assert mean(well) >= mean(by_chance) + 0.1
