"""What the table tells of how the offensive will end."""

from __future__ import annotations

from functools import lru_cache

from apennine.kernel.outlook import Clues
from apennine.mechanics.muster import MUSTERED, Muster, away_from, within_reach
from apennine.mechanics.whereabouts import both

from ..rules.c02_pieces import theatre
from ..rules.c07_sequence import sequences
from ..rules.c16_victory import LEVELS, held, in_line, points_behind, prizes, total, trench_points
from ..table.position import CENTRAL, EXITED, LOST, Table
from ..table.war import War

NEAR, FAR = 1, 4
NAMES = (
    *("over", "points", "lacking for a win", "lacking for a draw", "lacking for more"),
    *("points booked", "prizes", "trenches", "points behind", "goal held", "goal in line"),
    *("ground taken", "behind the lines", "disorganized 0", "disorganized 1"),
    *("hungry 0", "hungry 1", "lost 0", "lost 1", "gone", "steps 0", "steps 1"),
    *("guns 0", "guns 1", "prizes next to them", "prizes near them", "good weather", "offensive"),
    *MUSTERED,
)


class Field:
    """A theatre as the clues see it: sides by number, the first one is the Central Powers."""

    def __init__(self, war: War, number: int) -> None:
        here, lattice = war.theatres[number], war.lattice
        away = away_from(lattice, here.central, here.area)
        inside = away_from(lattice, here.area & ~here.central, here.area)
        axis = [one - two for one, two in zip(away, inside)]
        worth = [[face[0] + 0.5 * face[1] for face in faces] for faces in war.faces]
        self.muster = Muster(lattice, war.board.size, war.members, worth, axis)
        self.prizes = [(1 << hex, worth) for hex, worth in here.prizes.items()]
        bands = here.scenario.bands
        self.draw = min(bands.values())
        self.wins = min(least for name, least in bands.items() if LEVELS.index(name) > 0)
        self.more = max(bands.values())
        self.own = (here.area & here.central).bit_count()
        self.spans = [slice(units.start, units.stop) for units in war.members]


@lru_cache(32)
def field(war: War, number: int) -> Field:
    """A scenario's."""
    return Field(war, number)


def tell(war: War, pos: Table) -> list[float]:
    """Chapter 16, and all that leads there."""
    known, here, lattice = field(war, pos.scenario), theatre(war, pos), war.lattice
    scenario, leading = here.scenario, here.initiative
    there = both(war, pos)
    sides = there[0].combat & here.area, there[1].combat & here.area
    points, trenches, behind = total(war, pos), trench_points(war, pos), points_behind(war, pos)
    one, two = war.army
    mine = held(war, pos, leading)
    goal = here.goal if scenario.goal else 0
    line = in_line(war, pos, leading) & goal if goal & mine else 0
    open = [prize for prize in known.prizes if not prize[0] & mine]
    ground = (held(war, pos, CENTRAL) & here.area).bit_count() - known.own
    out = [pos.hex[span] for span in known.spans]
    length = scenario.last - scenario.first + 1
    turn = pos.turn - scenario.first + (pos.sequence - 1 + 0.5 * pos.side) / sequences(pos)
    return [
        turn / length,
        points,
        max(0, known.wins - points),
        max(0, known.draw - points),
        max(0, known.more - points),
        pos.points[leading],
        prizes(war, pos),
        trenches,
        behind,
        (goal & mine).bit_count(),
        line.bit_count(),
        ground,
        (sides[leading] & here.behind).bit_count(),
        (pos.disorganized & one).bit_count(),
        (pos.disorganized & two).bit_count(),
        (pos.hungry & one).bit_count(),
        (pos.hungry & two).bit_count(),
        out[0].count(LOST),
        out[1].count(LOST),
        sum([each.count(EXITED) for each in out]),
        sum(pos.steps[known.spans[0]]),
        sum(pos.steps[known.spans[1]]),
        (there[0].units & war.artillery).bit_count(),
        (there[1].units & war.artillery).bit_count(),
        within_reach(lattice, open, sides[leading], NEAR),
        within_reach(lattice, open, sides[leading], FAR),
        float(pos.weather == 0),
        float(pos.offensive),
        *known.muster.tell(pos, sides),
    ]


def scenario(war: War, pos: Table) -> str:
    """Each has a fit of its own."""
    return war.book.scenarios[pos.scenario].key


CLUES = Clues(NAMES, tell, scenario)
