"""What the bot thinks of this and that; pairs are by side, Allied and German."""

from __future__ import annotations

from math import inf

import msgspec

from apennine.bots.staff.weights import AimWeights, LineWeights, MarchWeights


class Weights(msgspec.Struct, frozen=True):
    """In enemy steps, hexes or columns of the chart, as the case may be."""

    # Battles, in enemy steps
    own_step: tuple[float, float] = (0.35, 0.95)  # a lost step of one's own
    emptied: tuple[float, float] = (0.6, 0.1)  # an emptied hex, whatever lies in it
    point: float = 0.15  # a victory point
    centre: float = 5.0  # the enemy's logistic centre: without it his whole army starves
    good_enough: float = 0.1  # the least that an attack must be worth
    mobile_enough: float = 0.5  # the same on the move, which spends the attackers beforehand
    strike: float = 0.6  # the same for Germans who would leave their line for it
    marker: tuple[float, float] = (0.15, 0.3)  # the least that a support marker must bring
    spare_marker: float = 0.03  # the same if there are more than battles to come
    enough: int = 6  # the column from which more attackers would be wasted

    # Raids through a gap
    raided_town: float = 8.0
    raided_centre: float = 15.0
    severed: float = 1.0  # an enemy step without a line of supply
    raid: tuple[float, float] = (0.5, 4.0)  # the least that a raid must bring

    # Lines
    line: LineWeights = LineWeights(post=2.0, strong=0.5, loss=0.35)
    losses: tuple[float, ...] = (0.15, 0.5, 1.2)  # a hex of ground: lines far back and near
    stand: AimWeights = AimWeights(hopeless=-inf, loyalty=0.5)  # to change how far back
    tries: int = 5  # lines that are looked for until one can be manned
    leak: float = 8.0  # that the enemy can walk through a line
    centre_open: float = 3.0  # that he can walk to the logistic centre
    town: float = 0.15  # a point of the towns behind a line
    stack: int = 3  # the most units in one hex of a German line
    threat: int = 3  # how near Allied units must be to a hex to threaten it

    # Marches and aims
    march: MarchWeights = MarchWeights()
    thrust: float = 5.0  # the points that the town counts for besides which the Allies make for
    aim: AimWeights = AimWeights(hopeless=-inf, loyalty=1.0, patience=3, whim=1.0)  # to keep to it
    guards: int = 2  # units that stay at a beachhead which the enemy is near
    menace: float = 1.0  # German attack to defence for which ships stay by a beachhead
    near_beach: int = 6  # how near he must be for that

    # Operations
    # turns from which the second is planned: a landing, and if there is nowhere to land an
    # offensive; each bot picks one of the pairs
    seasons: tuple[tuple[int, int], ...] = ((1, 1), (2, 2), (3, 4))
    whim: float = 2.0  # what the bot's own taste may add to a plan
    in_the_rear: int = 4  # how far behind the front a landing is best
    rest: int = 4  # how far from the enemy a division is sent to the reserve
    waves: int = 3  # divisions that are kept in the reserve for a landing

    # The logistic centre
    safe: tuple[int, int] = (3, 5)  # how far it keeps from the enemy
    danger: tuple[float, float] = (3.0, 0.8)  # each hex nearer than that
    depth: float = 0.03  # each hex that the German one is farther from the enemy
    shelter: int = 2  # how far behind the German line it is out of harm's way
    worth_moving: float = 4.0  # columns that a move forward must save in the turns left


USUAL = Weights()
