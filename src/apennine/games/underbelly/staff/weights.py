"""What the bot thinks of this and that, in steps unless said otherwise; pairs are by side."""

from __future__ import annotations

from math import inf

import msgspec

from apennine.bots.staff.weights import FrontWeights, LineWeights, MarchWeights

LINE = LineWeights(
    loss=0.07,
    gaps=(inf, 0.0, 0.9),
    offshore=0.6,
    hurry=1.0,
    late=0.8,
    moved=0.2,
    faced=0.5,
    key=0.8,
)
"""What a post of the German line costs."""


class Weights(msgspec.Struct, frozen=True):
    """All numbers that are a matter of judgement: Allied and German where there are two."""

    # Commands
    least: float = 0.03  # what a command point must bring
    good: float = 1.5  # an attack that is worth so much is not marched away from
    step_back: float = 0.8  # a step that a division gets back
    reborn: float = 1.1  # the same of a unit from the dead pile, which must march up again
    fort: float = 0.75  # a fort at a post that the enemy is next to
    ought: float = 30.0  # what must be done

    # Battles
    own_step: tuple[float, float] = (0.5, 1.15)  # a step lost: the Allies can buy theirs back
    tiber_step: float = 0.9  # one lost by Germans who have armies to attack with
    bought_back: float = 0.8  # what it counts as long as points are left over to buy it back
    spare_steps: int = 2  # so many steps lacking, and no points are left over
    win: float = 25.0  # a hex that wins the game
    gamble: float = 0.15  # the least chance for which the game itself counts
    bombs: float = 0.9  # the least that the heavy bombers must add
    cover: float = 0.15  # the same of other aircraft
    breach: float = 0.25  # the share of an open way north that counts for the hex that opens it
    hurry: int = 10  # so many turns before the end the Allies begin to mind their losses less

    # Marches
    march: MarchWeights = MarchWeights(exposed=3.0)
    cut_off: float = 6.0  # points of marching that a hex out of supply counts as
    exposed: float = 5.0  # the same for a hex in an enemy zone
    muddle: float = 12.0  # the same for a hex with units of the other Allied group
    bold: tuple[float, float] = (0.6, 0.4)  # the share of the enemy's volley needed to move up
    bolder_from: int = 11  # the turn from which the second holds
    stroll: int = 6  # a march of so many points is worth its goal in full
    slow: float = 0.5  # what a turn of marching takes off a unit's fitness for a post
    together: float = 0.6  # that units of one stack go to the same post
    retraced: float = 1.0  # that a unit marches back to where it came from
    straggler: float = 0.4  # that a unit without a task comes up

    # The German line
    front: FrontWeights = FrontWeights(
        line=LINE, leak=24.0, leak_hex=0.9, long_leak=6.0, walked_out=30.0, leaker=1.0, open=0.8
    )
    ground: tuple[float, float] = (0.65, 1.1)  # a hex of ground given up: 10th Army alone, or not
    naples: tuple[float, float] = (11.0, 16.0)  # that Naples stays shut, at first; it sinks
    naples_until: tuple[int, int] = (10, 40)  # and would be nothing on this turn
    stay: float = 2.0  # that the line is where it was
    shut: float = 3.0  # that a division gets to its post when the line is shut by that
    hunters: int = 2  # the divisions sent against each raider

    # Allied posts, in hits of a volley, and towns, in turns
    feared: int = 2  # so many enemy stacks near a place are reckoned with, the strongest
    shielded: float = 0.7  # the share of a danger that counts while others stand in its way
    alarm: float = 20.0  # that somebody comes to a place that is sure to be lost
    unsafe: float = 0.06  # the chance to lose a place for which nobody else is called
    garrison: float = 1.6  # the most that a place needs which can be lost without losing the war
    near_town: float = 0.8  # how far off a town is that is sent for
    far_town: float = 2.5  # the same of one of weight
    towns: int = 2  # for how many at once
    run: float = 3.0  # a way out of the map that is no longer is taken

    # Attacks that are prepared
    axes: int = 4  # the most at once
    far_off: float = 0.8  # what each turn of marching takes off an attack
    surprise: float = 0.5  # the share of its worth that is left for each turn after the first
    pace: float = 0.5  # what a turn of marching takes off a unit's fitness for it
    reserve: float = 0.35  # that a unit without a task comes up behind the nearest attack
    loyalty: float = 1.0  # that all who would attack prepared for it before
    kept: float = 0.5  # that a unit did
    whim: float = 0.4  # what the bot's own taste for a sector of the front may add to an attack
    sector: float = 9.0  # how wide one is: about five hexes
    same: int = 2  # how near to where they went before an attack counts as the same

    # The end-run
    notes: tuple[int, ...] = (15, 16, 17)  # the turns that the note may name
    gathering: int = 2  # so many turns before the launch the wave begins to gather
    outlook: float = 0.1  # by how much the chance to win must be above that to lose
    followers: int = 2  # the steps that the Germans send besides those who can go at once
    desperate: float = 0.6  # the share of the chance to lose that will do when all is lost
    lost_cause: int = 14  # from this turn on, a war without the port of Naples is taken to be lost
    reaction: tuple[tuple[int, int], ...] = ((12, 8), (9, 6), (0, 4))  # divisions, steps sent
    duty: float = 12.0  # to leave the map when that is due
    stand_by: int = 6  # the steps that must be able to leave while an invasion is open
    on_call: float = 3.0  # what a way there is worth


USUAL = Weights()
