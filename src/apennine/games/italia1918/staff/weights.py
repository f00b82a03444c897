"""What the bot thinks of this and that. Combats are weighed in hit points."""

from __future__ import annotations

import msgspec

from apennine.bots.staff.weights import MarchWeights


class Weights(msgspec.Struct, frozen=True):
    """All numbers of the bot; pairs are for who has the initiative, and for who has not."""

    # Combats
    own: tuple[float, float] = (0.7, 1.0)  # what a hit point of one's own counts
    least: tuple[float, float] = (0.3, 1.2)  # the least that an attack must be worth
    capital: int = 8  # points that the capital is worth besides its own
    prize: float = 4.0  # each point of a hex
    trench: float = 2.5  # a trench
    ground: float = 1.0  # any other hex
    way: float = 4.0  # a hex on the way to what is lacking
    far: float = 0.5  # each hex that it is away from there
    risk: float = 5.0  # an attack that is cancelled
    storm: float = 0.7  # what an assault support is saved for
    gun: float = 0.12  # the hit points that a gun must bring to be fired
    answer: int = 2  # guns that the defender is expected to fire
    most: int = 7  # units that an attack is thought of with
    whim: float = 0.8  # by how much the taste of a bot may change the worth of an attack

    # Holding
    stand: float = 2.0  # a hex, whatever is in it, to its defender
    tired: float = 1.0  # a unit disorganized
    zone: float = 2.5  # a hex of an enemy zone on the way back

    # Marches
    march: MarchWeights = MarchWeights(step=0.5, exposed=0.0)
    rate: float = 1.2  # hexes that a point is worth going
    beyond: float = 3.0  # a hex where a unit scores
    jam: float = 0.25  # each stacking point next to a hex beyond what holds it
    enough: int = 6
    near: int = 4  # hexes at which a unit is expected to fight in this turn
    targets: int = 30  # enemy hexes that are thought of
    back: int = 3  # how far behind the front headquarters stay
    reserve: int = 3  # stacking points that a threatened post should have
    withdraw: int = 2  # the turn from which Italy goes back, ordered to or not
    retreat: int = 3  # the turn from which the Retreat order is given
    release: int = 3  # how near enemies come before frozen reserves are set free


USUAL = Weights()
