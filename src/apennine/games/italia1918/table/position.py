"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.kernel.position import Position

CENTRAL, ENTENTE = 0, 1
NOBODY = -1
"""No unit."""
LOST, AWAY, EXITED, AVAILABLE, MISSIONS = -1, -2, -3, -4, -5
"""Where units are that are in no hex: eliminated, not yet come or not in the scenario, gone by the
western edge, air supports in the Available and in the Missions box (17.1)."""
FAIR, POOR = 0, 1
"""The weather; fog before it is told apart (10.0)."""

Pontoon = tuple[int, int, int]
"""A pontoon bridge: its side, the hex with the marker, the direction of its arrow (11.2.4)."""
Try = tuple[int, int]
"""An attempt to build one in this phase: the unit, and the number of the hexside."""


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of Italia 1917-1918. Sets of units and hexes are bitboards; movement is in ticks.

    A marker that several units share is a set of units in a list of markers.
    """

    scenario: int = 0
    """Its number in the data file."""
    sequence: int = 1
    """The Operational Sequence, 1 to 3 (7.0)."""
    offensive: bool = False
    """An offensive is under way in this turn (8.0)."""
    weather: int = FAIR
    fog: bool = False
    """Morning Fog in the phases of the side with the initiative (10.0)."""
    veterans: bool = False
    """Variant 11.2.9: markers are placed before anything moves."""
    flying: bool = False
    """The rules for the air are in use (1.0b)."""
    gathered: bool = False
    """Option of the Solstice: the Central Powers gather their means in one sector (S4.S6)."""

    # Units.
    hex: list[int]
    """By unit: its hex, or LOST, AWAY, EXITED, AVAILABLE, MISSIONS."""
    steps: list[int]
    """By unit; 0 for supports, which have none."""
    host: list[int]
    """By unit: whom assault troops are attached to; NOBODY for all others (11.3.2)."""
    disorganized: int = 0
    reorganizing: int = 0
    """Units with the marker on its other side; none of them is among the disorganized (12.5)."""
    hungry: int = 0
    """Combat units with an Out of Supply marker (9.1)."""
    fleeing: int = 0
    """Units in Retreat mode (11.4)."""
    hidden: int = 0
    """Detachments on the side without factors (3.0)."""
    firing: int = 0
    """Army artillery in Offensive mode (8.0)."""
    silent: int = 0
    """Artillery with a No Firing marker (scenarios 1 and 5)."""
    frozen: list[int] = field(default_factory=list[int])
    """The High Command's reserves, marker by marker (11.2.10)."""
    reserves: list[int] = field(default_factory=list[int])
    """Units in reserve for the Exploitation Phase, marker by marker (11.2.8)."""
    exploits: list[int] = field(default_factory=list[int])
    """Units in exploitation, marker by marker (14.0)."""
    interdicting: int = 0
    """Air supports on Interdiction (17.2a)."""
    observing: int = 0
    """Air supports on Observation (17.2b)."""
    bombing: int = 0
    """Air supports on Aerial Bombardment (17.2c)."""
    slipping: int = 0
    """Units with a Disengagement marker (11.2.7)."""
    pinned: int = 0
    """Units with a Pinned marker (12.2.6)."""
    loaded: int = 0
    """Units in the trucks (11.3.4.1)."""
    displayed: int = 0
    """Regiments that a display division stands for (3.0)."""

    # The map.
    control: int = 0
    """The hexes that the Central Powers control; all others are the Entente's (S0.V6)."""
    broken: int = 0
    """The bridges that are destroyed, by number (11.2.5)."""
    pontoons: list[Pontoon] = field(default_factory=list[Pontoon])
    """The pontoon bridges of both sides."""
    points: list[int] = field(default_factory=lambda: [0, 0])
    """Victory points booked for good, by side: markers, depots and orders (16.0)."""
    claimed: bool = False
    """The Entente has had the air superiority that it may claim once (scenarios 3 to 5)."""
    ordered: bool = False
    """Italy has given the Retreat order (scenario 1)."""
    evacuated: bool = False
    """An artillery support has been taken away in this Operational Sequence (S1.S15)."""
    tested: int = 0
    """Units that have gone into Retreat mode or been tested in this phase (11.4f, 11.4h)."""
    refugees: int = 0
    """Units held up by refugees (S1.S10)."""
    sabotaged: int = 0
    """The bridges destroyed by the markers of scenario 1 (S1.S11)."""
    starved: int = 0
    """How many units the Entente has cut off in this Supply Phase (S5.S5)."""
    swapped: int = 0
    """Units that have changed places before the first turn (S4.S6a)."""
    swaps: int = 0
    """How many pairs of divisions have."""
    famous: bool = False
    """The Rommel counter has been used (S1.S9)."""
    tried: int = 0
    """Depots that have failed to blow up: they have no second attempt (15.5.1)."""

    # Movement (11).
    started: bool = False
    """A unit has moved in this phase, reliefs left aside: none can be announced (11.2.2)."""
    crowded: int = 0
    """Hexes in which two or more combat units of the side began the phase (11.2.2)."""
    relief: int = 0
    """Units that are to be relieved (11.2.2)."""
    moved: int = 0
    """Units that have moved in this phase."""
    done: int = 0
    """Units that may not move any more in this phase, moved or not."""
    movers: int = 0
    """The stack that is moving now."""
    under_way: bool = False
    """It has left its hex."""
    left: int = 0
    """The ticks that it has left."""
    stopped: bool = False
    """It has entered an enemy zone of control or a depot's hex."""
    covered: bool = False
    """Arditi have been given up to cover it as it leaves an enemy zone of control (11.2.2f)."""
    forced: bool = False
    """It is on a forced march (11.2.6)."""
    unloaded: int = -1
    """The hex in which the trucks have paid for their stop (11.3.4.1)."""
    tries: list[Try] = field(default_factory=list[Try])
    """Attempts to bridge rivers in this phase (11.2.4)."""
    worked: int = 0
    """Bridges that have been tried, to blow up or to rebuild, in this phase (11.2.5)."""

    # Combat (12): the phase, and the combat under way.
    attacked: int = 0
    """Units that have attacked in this phase."""
    struck: int = 0
    """Hexes that have been attacked in this phase."""
    target: int = -1
    """The hex that is attacked; -1 if none is."""
    attackers: int = 0
    """The combat units that attack it."""
    guns: list[int] = field(default_factory=lambda: [0, 0])
    """The artillery that the attacker and the defender have committed."""
    counter: int = 0
    """Artillery of both in Counter-battery mode."""
    leads: list[int] = field(default_factory=lambda: [NOBODY, NOBODY])
    """The lead units of attacker and defender."""
    shock: int = 0
    """Assault troops that the attacker uses for a column."""
    rommel: bool = False
    """The Rommel counter lies on the defenders (scenario 1)."""
    bruchmueller: int = NOBODY
    """The army artillery with the Bruchmüller marker (15.2.2)."""
    hits: list[int] = field(default_factory=lambda: [0, 0])
    """The hit points that attacker and defender owe for the dice of the combat (12.2.5)."""
    grades: list[str] = field(default_factory=lambda: ["", ""])
    """Their Tactical Coordination (12.2.6); empty until the dice have fallen."""
    shots: list[int] = field(default_factory=list[int])
    """By unit: the combats of this phase that artillery has supported."""
