"""What the bot thinks of this and that; pairs are by side, Allied and German."""

from __future__ import annotations

from math import inf

import msgspec

from apennine.bots.staff.weights import AimWeights, LineWeights, MarchWeights


class Weights(msgspec.Struct, frozen=True):
    """In enemy steps, hexes or turns, as the case may be."""

    # Battles, in enemy steps
    own_step: tuple[float, float] = (0.7, 1.0)  # a lost step of one's own
    hex: tuple[float, float] = (0.6, 0.4)  # a hex that the enemy loses, whatever lies in it
    place: tuple[float, float] = (3.0, 2.0)  # a place that wins
    late: float = 4.0  # what a place is worth to the Allies besides in the last turns
    last_turns: int = 3  # those
    beach: float = 1.5  # a port or beachhead hex that the Germans win back
    thrown_back: float = 0.3  # that the attackers must retreat
    good_enough: tuple[float, float] = (0.1, 0.4)  # the least that an attack must be worth
    usage: float = 0.06  # what an attack factor must add, since it could do something else
    overreach: tuple[float, float] = (0.3, 0.8)  # that attackers could be struck in their turn
    strike: float = 2.0  # what an attack must be worth to come before the line
    daring: int = 2  # units that then leave the line
    bold: tuple[float, float] = (1.6, 1.5)  # how many times stronger, and for how little then
    surge: float = 0.1  # a point of breakthrough
    last_step: float = 2.0  # that a unit is out of the game for good
    surround: float = 0.2  # each way out that an attacker bars
    again: float = 0.2  # what a second attack must be worth besides
    reluctant: tuple[float, float] = (0.3, 1.0)  # what an advance must gain
    alone: float = 4.0  # threat to defence above which nobody is left alone in a place
    hopeless: float = 3.0  # that attackers are eliminated, their odds being below 1-4

    # Marches
    march: MarchWeights = MarchWeights()
    aim: AimWeights = AimWeights(hopeless=-inf, loyalty=1.5, patience=4, whim=2.0)
    thrust: float = 2.0  # what the place that the Allies make for counts besides
    rate: float = 1.0  # hexes that a place is worth going
    rest: int = 3  # how far from the enemy replacements are taken (C11A6)
    bearable: float = 3.0  # times its defence that a stack may be attacked with
    near: int = 10  # how near an enemy must be for a place to be garrisoned
    exposed: float = 1.2  # a stack against which the enemy could have good odds

    # Landings
    whim: float = 3.0  # how far apart in worth two beaches may be for taste to decide
    near_place: float = 1.0  # a place that wins within reach of a beach
    foe_near: float = 0.12  # a defence factor near a beach
    foe_strikes: float = 0.15  # an attack factor that gets there at once
    least_lift: int = 9  # stacking points that must be ready for a second landing
    enough_capacity: int = 110  # with so much no more ports are opened
    saving: int = 2  # turns before it may be made in which divisions are kept back for it
    second_chance: float = 0.6  # how many bots mean to make one
    messina: int = 4  # the last turn in which units are sent by Messina
    second: float = 1.0  # the least that a beach must be worth for a second landing

    # Lines
    line: LineWeights = LineWeights(
        post=2.0, strong=0.6, loss=0.1, gaps=(0.0, 0.0, 1.0), offshore=0.5, key=0.6
    )
    backs: tuple[int, ...] = (1, 2, 4, 6, 9, 13)  # how far from the enemy lines are looked for
    depth: int = 6  # how much farther their posts may be
    length: float = 0.5  # each post
    firm: float = 3.0  # how strong the ground is on average
    back: float = 0.15  # each hex from the enemy
    stay: AimWeights = AimWeights(hopeless=-inf, loyalty=0.5)  # to change how far back
    tries: int = 3  # lines that are looked for until one can be manned
    leak: float = 8.0  # that the enemy can walk through a line
    town: float = 1.5  # a place that wins behind a line
    flimsy: float = 1.5  # a post with hardly anybody, or nobody
    flimsy_guard: int = 2  # the defence of hardly anybody
    watch: float = 1.0  # the defence of a post that nobody threatens
    closeness: tuple[int, ...] = (1, 2, 4)  # how far from the Germans the Allies look for one
    apart: int = 2  # half as far apart two parts of the Allies have fronts of their own
    raiders: int = 6  # attack factors that are a raid, and no front, if no others are near
    ring: int = 5  # how near to the main body Allied units must be to belong to it


USUAL = Weights()
