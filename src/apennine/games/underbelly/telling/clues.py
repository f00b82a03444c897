"""What the table tells of how the war in the south will end.

The German sees of an Allied stack no more than its top (6.9). So the Allies are counted by
divisions, which of them a hex holds does not matter, and their note is left aside.
"""

from __future__ import annotations

from functools import lru_cache

from apennine.hexes import Mask, bits
from apennine.kernel.outlook import Clues
from apennine.mechanics.muster import MUSTERED, Muster, away_from, within_reach
from apennine.mechanics.whereabouts import both

from ..rules.c05_sequence import are_joined
from ..table.data import OUTCOMES
from ..table.position import ALLIED, GERMAN, UNDECIDED, Table
from ..table.war import War

NEAR, FAR = 1, 4
NAMES = (
    *("over", "towns", "towns far north", "cities", "prizes", "joined", "Naples open", "forts"),
    *("an SS corps", "an army more", "army aircraft", "end-run", "end-run settled", "steps owed"),
    *("lost steps 0", "lost steps 1", "German tactical air", "raided", "dropped"),
    *("towns next to the Allies", "towns near the Allies"),
    *("towns next to the Germans", "towns near the Germans", "prizes near the Germans"),
    *("units out 0", "units out 1", "way north"),
    *MUSTERED,
)


class Field:
    """The land as the clues see it."""

    def __init__(self, war: War) -> None:
        lattice = war.lattice
        home = away_from(lattice, war.north, war.land)
        most = max(home[hex] for hex in bits(war.land))
        axis = [1.0 - away / most for away in home]
        worth = [
            [0.0 if bit & war.supports else 1.0] * 9
            if bit & war.units_of[ALLIED]
            else [0.1 * steps * fire for steps, fire in enumerate(war.fire[unit])]
            for unit, bit in ((unit, 1 << unit) for unit in range(len(war.names)))
        ]
        for unit, track in enumerate(worth):
            track[0] = 0.0
            assert len(track) >= war.full[unit]
        self.muster = Muster(lattice, war.board.size, war.members, worth, axis)
        self.towns = [(1 << hex, 1) for hex in bits(war.towns)]
        self.prizes = [(1 << hex, 1) for hex in bits(war.prizes)]
        self.north: Mask = sum([1 << hex for hex in bits(war.towns) if axis[hex] > 0.5])
        self.full = [sum([war.full[unit] for unit in units]) for units in war.members]


field = lru_cache(4)(Field)


def tell(war: War, pos: Table) -> list[float]:
    """Chapter 4, and all that leads there."""
    known, lattice, control = field(war), war.lattice, pos.control
    here = both(war, pos)
    one, two = here[ALLIED].occupied, here[GERMAN].occupied
    german = [town for town in known.towns if not town[0] & control]
    allied = [town for town in known.towns if town[0] & control]
    prizes = [prize for prize in known.prizes if prize[0] & control]
    lost = [
        known.full[s] - sum(pos.steps[units.start : units.stop])
        for s, units in enumerate(war.members)
    ]
    out = [
        sum([place == -1 for place in pos.hex[units.start : units.stop]]) for units in war.members
    ]
    told = known.muster.tell(pos, (one, two))
    return [
        (pos.turn - 1 + 0.5 * pos.side) / war.book.turns,
        control.bit_count(),
        (control & known.north).bit_count(),
        (control & war.cities).bit_count(),
        (control & war.prizes).bit_count(),
        float(control & war.prizes == war.prizes and are_joined(war, pos)),
        float(pos.switched),
        pos.forts.bit_count(),
        float(pos.ss_entered),
        float(pos.army_entered),
        float(pos.army_aircraft),
        float(pos.launched > 0),
        float(pos.settled > 0),
        pos.owed,
        *lost,
        pos.german_tac,
        float(pos.raided),
        float(pos.dropped > 0),
        within_reach(lattice, german, one, NEAR),
        within_reach(lattice, german, one, FAR),
        within_reach(lattice, allied, two, NEAR),
        within_reach(lattice, allied, two, FAR),
        within_reach(lattice, prizes, two, FAR),
        *out,
        1.0 - told[2],
        *told,
    ]


def scenario(war: War, pos: Table) -> str:
    """The one that was agreed on, or that the die has chosen; the campaign before it."""
    del war
    number = pos.scenario or pos.agreed
    return "campaign" if number == UNDECIDED else OUTCOMES[number - 1]


CLUES = Clues(NAMES, tell, scenario)
