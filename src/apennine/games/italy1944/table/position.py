"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.kernel.position import Position

ALLIED, GERMAN = 0, 1
NOWHERE = -1
"""No hex: nothing is attacked, no marker lies on the map."""
LOST, AWAY, GONE = -1, -2, -3
"""Where units are that are neither on the map nor in the reserve: eliminated, not yet come,
withdrawn. An eliminated logistic centre or beachhead is LOST too, one not yet placed AWAY."""

LANDING, OFFENSIVE, BLUFF = 0, 1, 2
"""What a note of the Allied player says."""

Note = tuple[int, int, int, int, int]
"""A written plan: what it says, the hex of a landing (else NOWHERE), the turn it is for, the turn
it was written, 1 once it was shown."""


def with_item(items: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The same with another value in one place: for lists that change too rarely to be copied."""
    return (*items[:place], value, *items[place + 1 :])


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of Italy 1944. Sets of units and of hexes are bitboards; movement is in ticks."""

    scenario: int = 0
    """Its number in the data file."""
    last_turn: int
    tied: bool = True
    """6.1d: a side whose logistic centre is cut off has no supply but by beachheads."""
    starving: bool = False
    """6.1e: who traces a line of more than 8 hexes is out of supply."""

    hex: list[int]
    steps: list[int]
    cut: int = 0
    """Units with an out-of-supply marker (6.3)."""
    control: int
    """The hexes that the Allies control (8.1d); all others are German."""
    centre: list[int]
    """The logistic centres of the two sides (6.6)."""
    moving_centres: int = 0
    """Sides whose centre moves away from its sources in this turn (6.6d)."""
    beaches: list[int] = field(default_factory=list[int])
    """Beachheads in the order of their landings (6.7)."""

    spent: list[int]
    """Replacement points spent in this turn, by nation (7.1)."""
    intake: list[int] = field(default_factory=list[int])
    """What each beachhead has taken in in this turn, in half divisions (11Ld)."""
    left: tuple[int, ...]
    """The order by which a unit was withdrawn, counted from 1 (7.3); 0 if it was not."""
    entered: tuple[int, ...]
    """The turn in which a unit went into the reserve (12), 0 at set-up; -1 once it came out."""
    transferred: int = 0
    """Units that go into or come out of the reserve in this turn (12f)."""

    notes: list[Note] = field(default_factory=list[Note])
    launched: list[int] = field(default_factory=list[int])
    """The turns in which there was a landing or a general offensive (11a)."""
    offensive: int = NOWHERE
    """The marker of a general offensive (11Ga)."""
    landed: int = 0
    """Units placed at a beachhead in this turn (11Li)."""
    quota: int = 0
    """Half divisions that may still land with the beachhead just placed (11Lc)."""

    moved: int = 0
    movers: int = 0
    """The stack that is moving now."""
    under_way: bool = False
    """It has left its hex or made a mobile attack."""
    points: int = 0
    """The ticks that it has left; less than 0 once it moves operationally."""
    extra: int = 0
    """The ticks that operational movement would add (8.3)."""
    stopped: bool = False
    """It has entered an enemy zone of control (4.1)."""

    target: int = NOWHERE
    """The hex that is attacked now."""
    attackers: int = 0
    excess: int = 0
    """Units over the stacking limit in the hex that is attacked (5.1)."""
    support: list[int] = field(default_factory=lambda: [0, 0])
    """Markers in the battle under way: the attacker's, the defender's (10.1)."""
    supporting: int = -1
    """Who is declaring his markers: 0 the attacker, 1 the defender."""
    air: list[int] = field(default_factory=lambda: [0, 0])
    """Air markers used in this turn, by side."""
    naval: int = 0
    """Naval markers used in this turn."""
    attacked: int = 0
    """Units that have attacked in this turn (9b)."""
    defended: int = 0
    breakthrough: int = 0
    """The points of the front breakthrough under way (9.3a)."""
    exploited: int = 0
    """Units that have used the breakthrough under way."""

    gothic: int = 0
    """Hexes of the Gothic line that Allied units entered before it could work (9.4d)."""
    destroyed: int = 0
    """Beachheads that the Germans have destroyed (9.6c)."""
