"""What the table tells of how the battle will end."""

from __future__ import annotations

from functools import lru_cache

from apennine.kernel.outlook import Clues
from apennine.mechanics.muster import MUSTERED, Muster, away_from, within_reach
from apennine.mechanics.whereabouts import both

from ..rules.c24_victory import benchmark, hex_points, unit_points
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War

NEAR, FAR = 1, 4
NAMES = (
    *("over", "lacking", "above the mark", "points for units", "places held", "Allied cut off"),
    *("German cut off", "Allied disorder", "German disorder", "Allied rout", "German rout"),
    *("Allied guns ready", "German guns ready", "forts", "strongholds", "works"),
    *("Allied supply points", "German supply points", "weather", "steps 0", "steps 1"),
    *("places next to the Allies", "places near the Allies"),
    *("places next to the Germans", "places near the Germans"),
    *MUSTERED,
)


class Field:
    """The land as the clues see it."""

    def __init__(self, war: War) -> None:
        lattice, ground = war.lattice, war.ground
        south, boxes = 0, war.board.supply["allied"].boxes
        for name, hexes in ground.edge.items():
            south |= hexes if ground.areas[name] in boxes else 0
        away = away_from(lattice, south, ground.land)
        worth = [
            [attack + 0.5 * defence for attack, defence in zip(war.attack[u], war.strength[u])]
            for u in range(len(war.roster))
        ]
        self.muster = Muster(lattice, war.board.size, war.members, worth, away)
        self.prizes = [(1 << hex, worth) for hex, worth in ground.prizes.items()]


field = lru_cache(4)(Field)


def tell(war: War, pos: Table) -> list[float]:
    """Chapter 24, and all that leads there."""
    known, lattice, scenario = field(war), war.lattice, war.book.scenarios[pos.scenario]
    here = both(war, pos)
    sides = here[ALLIED].occupied, here[GERMAN].occupied
    allied, german = war.army[ALLIED], war.army[GERMAN]
    units = unit_points(war, pos)
    points = hex_points(war, pos) + units
    open = [prize for prize in known.prizes if not prize[0] & pos.control]
    held = [prize for prize in known.prizes if prize[0] & pos.control]
    steps = [sum(pos.steps[span]) for span in war.span]
    length = scenario.last - scenario.first + 1
    return [
        (pos.turn - scenario.first + 0.5 * pos.side) / length,
        scenario.wins - points,
        points - benchmark(war, pos.turn),
        units,
        len(held),
        (pos.hungry & allied).bit_count(),
        (pos.hungry & german).bit_count(),
        (pos.disrupted & allied).bit_count(),
        (pos.disrupted & german).bit_count(),
        (pos.routed & allied).bit_count(),
        (pos.routed & german).bit_count(),
        (pos.ready & allied).bit_count(),
        (pos.ready & german).bit_count(),
        pos.forts.bit_count(),
        pos.strongholds.bit_count(),
        pos.works.bit_count(),
        *pos.supply,
        pos.weather,
        *steps,
        within_reach(lattice, open, sides[ALLIED], NEAR),
        within_reach(lattice, open, sides[ALLIED], FAR),
        within_reach(lattice, held, sides[GERMAN], NEAR),
        within_reach(lattice, held, sides[GERMAN], FAR),
        *known.muster.tell(pos, sides),
    ]


def scenario(war: War, pos: Table) -> str:
    """Each has a fit of its own."""
    return war.book.scenarios[pos.scenario].key


CLUES = Clues(NAMES, tell, scenario)
