"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.kernel.position import Position

ALLIED, GERMAN = 0, 1
NOWHERE = -1
"""No hex: nothing is attacked, nobody retreats."""
NOBODY = -1
"""No unit."""
NAVAL = -2
"""The naval marker, where a unit of artillery could support (9.6)."""
AIR = -3
"""An air marker, where a unit of artillery could support (11.3)."""
LOST, AWAY, GONE, WITHDRAWN, DEAD = -1, -2, -3, -4, -5
"""Where units are that are neither in a hex nor in an entry area: in the Eliminated Box, not yet
come, removed (22.2), withdrawn for a time (22.1), lost by isolation and never replaced (16.5.6)."""

Battle = tuple[int, int, int, int, int, int]
"""A battle that a Breakthrough Combat interrupts: the hex that it emptied, its attackers, its main
assault force, the hexes of its advance, whether that is limited, the units still to advance."""
Triumph = tuple[int, int]
"""An Automatic DS of this turn: the hex it emptied, and the units that still may advance (8.7)."""


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of Italy '43. Sets of units and of hexes are bitboards; movement is in ticks."""

    scenario: int = 0
    """Its number in the data file."""
    last_turn: int
    major_assaults: bool = False
    """Option 25.1."""
    half_effects: bool = False
    """Option 25.2."""
    pontoons: bool = False
    """Option 25.3."""
    disengagements: bool = False
    """Option 25.4."""

    # Units.
    hex: list[int]
    """By unit: its hex or entry area, or LOST, AWAY, GONE, WITHDRAWN, DEAD."""
    steps: list[int]
    remnants: int = 0
    """Units of three steps that a Remnant stands for (10.4)."""
    disrupted: int = 0
    routed: int = 0
    """Units in Full Retreat (13.3); none of them is among the disrupted."""
    hungry: int = 0
    """Units with an Out of Supply marker, white or red (16.1)."""
    isolated: int = 0
    """Those of them whose marker is red (16.5)."""
    ready: int = 0
    """Artillery on its Ready side (17.5)."""
    replaced: int = 0
    """Units with a Replacement marker (20.4)."""
    trucked: int = 0
    """Units with a Truck marker (5.7)."""
    halved: int = 0
    """Units with a Half Effectiveness marker (25.2)."""
    frozen: int = 0
    """Units that may not move until they are released (S3.3)."""
    posted: int = 0
    """Units that must stay in their city: the garrisons of Naples and Formia (S3.3.4, S3.3.5)."""

    # The map.
    control: int
    """The cities and places with points that the Allies control (16.3.4); all others are German."""
    works: int = 0
    """Hexes with a level 1 fortification under construction (18.1)."""
    forts: int = 0
    """Hexes with a completed fortification, of any level."""
    upgrades: int = 0
    """Of these, hexes with a level 2 fortification under construction on top (18.1.2)."""
    strongholds: int = 0
    """Of the forts, those of level 2."""
    planned: bool = False
    """All eight of level 1 have been started once (18.1.3g)."""
    built: bool = False
    """This turn's start or completion has been used (18.1.1)."""
    battles: int = 0
    """Hexes with a Battle marker (11.5)."""
    second_battles: int = 0
    """Of these, those on its 2 side (11.5.3)."""

    # Tracks.
    weather: int = 0
    """The space of the weather marker, 0 for A (23.1)."""
    supply: list[int] = field(default_factory=lambda: [0, 0])
    """Supply points by side (23.3)."""
    air: int = 0
    """Armies with a ready Air marker, as bits (9.4, 23.2)."""
    naval: bool = False
    """The Naval marker is ready (9.6)."""
    flips: bool = False
    """The weather roll lets a Nebelwerfer and the heavy howitzers be readied (23.3.3)."""
    due: list[int] = field(default_factory=list[int])
    """Replacements left to the active side in this phase, by pool of the war (20.1)."""
    score: int = 0
    """Allied victory points as the last Victory Check counted them (24.1)."""
    verdict: int = 0
    """How the game ended, once it has: see `c24_victory` (24.2)."""

    # Movement (5).
    supplied: int = 0
    """Units in supply when the movement phase began, for trucks (5.7)."""
    moved: int = 0
    """Units that have moved, or may not move any more, in this phase."""
    movers: int = 0
    """The stack that is moving now."""
    under_way: bool = False
    """It has left its hex or area."""
    points: int = 0
    """The ticks that it has left, Extended Movement left aside; -1 if it cannot pay its way."""
    extra: int = 0
    """The ticks that Extended Movement would add (5.3)."""
    strides: int = 0
    """The hexes of Tactical Movement that it has left; -1 once it has gone otherwise (5.4)."""
    stopped: bool = False
    """It has entered an enemy zone of control, or a marsh (6.2, 5.1f)."""
    triumphs: list[Triumph] = field(default_factory=list[Triumph])
    """The Automatic DS of this phase whose advances are still owed (8.7.2)."""

    # The battle under way (8 to 11), regular, Automatic DS or Breakthrough Combat.
    target: int = NOWHERE
    """The hex that is attacked now."""
    attackers: int = 0
    main: int = NOBODY
    """A unit of the Main Assault Force: its formation, or itself if it is independent (8.4)."""
    attached: int = 0
    """Attachments of the Main Assault Force (8.4.3)."""
    force: int = 0
    """The Main Assault Force of a battle that is being resolved, as it was before its losses."""
    support: list[int] = field(default_factory=lambda: [0, NOBODY, NOBODY])
    """The attacker's: 1 with an Air marker; his division artillery; his corps' or NAVAL."""
    howitzers: bool = False
    """The heavy howitzers support the corps artillery (19.4)."""
    defence: list[int] = field(default_factory=lambda: [0, NOBODY])
    """The defender's: 1 with an Air marker, his artillery or NAVAL (9.5.4)."""
    dice: int = 1
    """Dice of the attacker, more than one in a Major Assault (25.1)."""
    excess: int = 0
    """Units over the stacking limit in a hex under Breakthrough Combat (15.3)."""
    orange: bool = False
    """The result of the battle under way makes a determined defence harder (11.2.2)."""
    lead: int = NOBODY
    """The Lead Unit of the determined defence under way (11.2.3)."""
    stand: int = NOBODY
    """What supports the determined defence: a unit of artillery, AIR or NAVAL (11.3)."""
    attacked: int = 0
    """Units that have attacked, or may not any more, in this phase (8.1)."""
    defended: int = 0
    """Units that have been attacked in this phase by regular combat (8.1)."""
    spared: int = 0
    """Reconnaissance units that have ignored a step loss in this phase (19.2)."""

    # Retreats (12) and the advance (14, 15).
    retreating: int = 0
    """Units that must still retreat, by a result, an Automatic DS or an interrupt."""
    distance: int = 0
    """The hexes of their retreat."""
    retreated: int = 0
    """Units that have retreated in this phase (12.2, 12.5)."""
    vacated: int = NOWHERE
    """The hex that the defender has lost, while the attackers may advance."""
    advance: int = 0
    """The hexes of the advance under way; 3 for Adv 2+ (14.2)."""
    limited: bool = False
    """Only into the vacated hex (14.2.3)."""
    advancers: int = 0
    """Units that may still advance."""
    group: int = 0
    """The Breakthrough Group (15.2)."""
    strides_left: int = 0
    """The hexes that the group has left."""
    pushed: bool = False
    """It has moved on from where it was formed."""
    halted: bool = False
    """It has entered a hex in which it must stop (14.4.1b, 14.5b)."""
    outer: tuple[Battle, ...] = ()
    """The battle that the Breakthrough Combat under way interrupts; none, or one."""
