"""What the table tells of how the campaign will end."""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import bits, first_bit
from apennine.kernel.outlook import Clues
from apennine.mechanics.muster import MUSTERED, Muster, away_from, within_reach
from apennine.mechanics.whereabouts import both

from ..rules.c15_victory import cities_won, places_of, terms_of, way_past_the_front
from ..table.position import ALLIED, DESTROYED, GERMAN, OPEN, POOL, Table
from ..table.war import War

NEAR, FAR = 2, 5
NAMES = (
    *("over", "lacking", "places won", "places held", "a way past", "ground", "ports open"),
    *("ports in hand", "invasions", "cut off 0", "cut off 1", "lost 0", "lost 1", "pool 0"),
    *("pool 1", "steps 0", "steps 1", "replacements 0", "replacements 1", "air", "forts"),
    *("soft 0", "soft 1", "places next to the Allies", "places near the Allies"),
    *("places next to the Germans", "places near the Germans", "nearest place"),
    *MUSTERED,
)


class Field:
    """The land as the clues see it."""

    def __init__(self, war: War) -> None:
        lattice, ground = war.lattice, war.ground
        home = away_from(lattice, ground.german_edge, ground.land)
        most = max(home[hex] for hex in bits(ground.land))
        axis = [most - away for away in home]
        worth = [[face[0] + 0.5 * face[1] for face in faces] for faces in war.faces]
        self.muster = Muster(lattice, war.board.size, war.roster.members, worth, axis)
        self.spans = [slice(units.start, units.stop) for units in war.roster.members]


field = lru_cache(4)(Field)


def tell(war: War, pos: Table) -> list[float]:
    """C15, and all that leads there."""
    known, lattice, scenario = field(war), war.lattice, war.book.scenarios[pos.scenario]
    here = both(war, pos)
    sides = here[ALLIED].occupied, here[GERMAN].occupied
    places = places_of(war, pos).values()
    open = [(hexes, 1) for hexes in places if not hexes & pos.friendly]
    held = [(hexes & pos.friendly, 1) for hexes in places if hexes & pos.friendly]
    won = len(cities_won(war, pos))
    one, two = war.army
    out = [pos.hex[span] for span in known.spans]
    told = known.muster.tell(pos, sides)
    away = [lattice.distance(first_bit(hexes), hex) for hexes, _ in open for hex in bits(sides[0])]
    length = scenario.last - scenario.first + 1
    return [
        (pos.turn - scenario.first + 0.5 * pos.side) / length,
        terms_of(war, pos).needed - won,
        won,
        len(held),
        float(way_past_the_front(war, pos) != 0),
        pos.friendly.bit_count(),
        pos.bases.count(OPEN),
        pos.ports,
        pos.invasions,
        (pos.hungry & one).bit_count(),
        (pos.hungry & two).bit_count(),
        out[0].count(DESTROYED),
        out[1].count(DESTROYED),
        out[0].count(POOL),
        out[1].count(POOL),
        sum(pos.steps[known.spans[0]]),
        sum(pos.steps[known.spans[1]]),
        pos.credit[0],
        pos.credit[1] + pos.credit[2],
        pos.air,
        pos.works.bit_count(),
        (pos.soft & one).bit_count(),
        (pos.soft & two).bit_count(),
        within_reach(lattice, open, sides[ALLIED], NEAR),
        within_reach(lattice, open, sides[ALLIED], FAR),
        within_reach(lattice, held, sides[GERMAN], NEAR),
        within_reach(lattice, held, sides[GERMAN], FAR),
        min(away, default=0),
        *told,
    ]


def scenario(war: War, pos: Table) -> str:
    """Each has a fit of its own."""
    return war.book.scenarios[pos.scenario].key


CLUES = Clues(NAMES, tell, scenario)
