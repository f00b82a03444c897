"""What the bot thinks of this and that; pairs are by side, Allied and German."""

from __future__ import annotations

from math import inf

import msgspec

from apennine.bots.staff.weights import AimWeights, LineWeights, MarchWeights


class Weights(msgspec.Struct, frozen=True):
    """In enemy steps, hexes or turns, as the case may be."""

    # Battles, in enemy steps
    own_step: tuple[float, float] = (0.75, 0.85)  # a lost step of one's own
    season: int = 14  # with fewer turns to come it counts less, in the end half of that
    hex: tuple[float, float] = (0.7, 0.3)  # a hex that the enemy loses, whatever lies in it
    point: float = 1.5  # a victory point
    trapped: float = 0.8  # a step of defenders that could not retreat, if the hex falls
    answer: float = 0.6  # how likely guns that could shift the odds against an attack do so
    good_enough: tuple[float, float] = (0.15, 0.5)  # the least that an attack must be worth
    guns: float = 0.12  # the least that the fire of a unit of artillery must bring
    sorties: float = 0.03  # the same of aircraft and ships, which cost nothing
    stand: tuple[float, float] = (0.5, 0.7)  # what it is worth to hold a hex, whatever lies in it
    push: float = 0.4  # the least that a Breakthrough Combat must be worth

    # Marches
    march: MarchWeights = MarchWeights()
    aim: AimWeights = AimWeights(hopeless=-inf, loyalty=1.5, patience=4, whim=2.0)
    thrust: float = 6.0  # what the place that a formation makes for counts besides
    crowd: float = 0.5  # each unit that makes for a place near it already
    jam: float = 0.12  # each point of defence next to a hex beyond what holds it
    enough: int = 9  # so much holds it
    rate: float = 0.7  # hexes that a point is worth going
    truck: int = 7  # who is farther from the enemy rides
    rest: int = 4  # how far from the enemy tired units recover

    # Lines
    line: LineWeights = LineWeights(
        post=2.0, strong=0.7, loss=0.45, gaps=(0.0, 0.0, 2.5), offshore=0.5, key=0.6, moved=0.5
    )
    backs: tuple[int, ...] = (0, 1, 2, 4, 6, 9)  # how far from the enemy lines are looked for
    depth: int = 4  # how much farther their posts may be
    usual: float = 9.0  # the defence that a post needs on plain ground once the enemy is there
    short: float = 0.15  # each point of defence that is lacking for all posts together
    back: float = 1.2  # each hex from the enemy
    stay: AimWeights = AimWeights(hopeless=-inf, loyalty=0.8)  # to change how far back
    tries: int = 4  # lines that are looked for until one can be manned
    leak: float = 8.0  # that the enemy can walk through a line
    pace: int = 5  # the hexes that the enemy is expected to walk in a turn
    dash: int = 10  # the hexes that he may drive where nobody stands
    town: float = 2.0  # a point behind a line
    spare: int = 4  # with more units than these beside the line one of them is a reserve
    reserve: int = 4  # hexes from the post behind which it stands
    watch: float = 1.0  # the defence of a post that nobody threatens
    guarded: int = 10  # how near the enemy must be to a place with points for it to be garrisoned
    breach: float = 0.15  # a point in places that the fall of a post would lay open
    frail: float = 2.0  # what a post lacks besides that could be shattered
    threat: int = 3  # how near Allied units must be to a hex to threaten it


USUAL = Weights()
