"""What the table tells of how the campaign will end; nothing of notes or of the reserve."""

from __future__ import annotations

from functools import lru_cache

from apennine.kernel.outlook import Clues
from apennine.mechanics.muster import MUSTERED, Muster, within_reach
from apennine.mechanics.whereabouts import both

from ..rules.c13_victory import points
from ..table.position import ALLIED, GERMAN, Table
from ..table.war import War

NEAR, FAR = 1, 4
NAMES = (
    *("over", "lead", "Allied points", "ground", "Gothic line entered", "beachheads destroyed"),
    *("beachheads", "operations launched", "Allied units cut off", "German units cut off"),
    *("Allied centre", "German centre", "towns next to the Allies", "towns near the Allies"),
    *("towns next to the Germans", "towns near the Germans", "lost steps 0", "lost steps 1"),
    *MUSTERED,
)


@lru_cache(4)
def muster(war: War) -> Muster:
    """The armies, along the way from south to north."""
    worth = [
        [attack + 0.5 * defence for attack, defence in zip(war.attack[u], war.defence[u])]
        for u in range(len(war.roster))
    ]
    most = max(war.south)
    axis = [(most - south) / most for south in war.south]
    return Muster(war.lattice, war.board.size, war.members, worth, axis)


@lru_cache(4)
def whole(war: War) -> tuple[int, int]:
    """The steps of each side at full strength."""
    one, two = (sum([war.full[unit] for unit in units]) for units in war.members)
    return one, two


def tell(war: War, pos: Table) -> list[float]:
    """13, and all that leads there."""
    lattice = war.lattice
    here = both(war, pos)
    sides = here[ALLIED].occupied, here[GERMAN].occupied
    own, foe = points(war, pos, ALLIED), points(war, pos, GERMAN)
    open = [prize for prize in war.prizes_on_map if not prize[0] & pos.control]
    held = [prize for prize in war.prizes_on_map if prize[0] & pos.control]
    full = whole(war)
    steps = [pos.steps[units.start : units.stop] for units in war.members]
    return [
        (pos.turn - 1 + 0.5 * pos.side) / pos.last_turn,
        own - foe - war.prizes.win,
        own,
        pos.control.bit_count(),
        pos.gothic.bit_count(),
        pos.destroyed,
        sum([beach >= 0 for beach in pos.beaches]),
        len(pos.launched),
        (pos.cut & war.army[ALLIED]).bit_count(),
        (pos.cut & war.army[GERMAN]).bit_count(),
        float(pos.centre[ALLIED] >= 0),
        float(pos.centre[GERMAN] >= 0),
        within_reach(lattice, open, sides[ALLIED], NEAR),
        within_reach(lattice, open, sides[ALLIED], FAR),
        within_reach(lattice, held, sides[GERMAN], NEAR),
        within_reach(lattice, held, sides[GERMAN], FAR),
        full[ALLIED] - sum(steps[ALLIED]),
        full[GERMAN] - sum(steps[GERMAN]),
        *muster(war).tell(pos, sides),
    ]


def scenario(war: War, pos: Table) -> str:
    """Each has a fit of its own."""
    return war.starts[pos.scenario].key


CLUES = Clues(NAMES, tell, scenario)
