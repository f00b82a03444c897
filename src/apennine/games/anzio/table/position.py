"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.kernel.position import Position

ALLIED, GERMAN = 0, 1
NOWHERE = -1
"""No hex."""
NOBODY = -1
"""No unit."""
DESTROYED, AWAY, POOL, DUE, AFLOAT = -1, -2, -3, -4, -5
"""Where units are that are neither in a hex nor in a box: out of the game for good (C10A3), not yet
come, replacement counters that may be used again (C11A5), German reinforcements that may enter over
the edge (C2A2), Allied units that have put to sea and must land (C7C4)."""

WITHDRAWN, LIGURIAN, ADRIATIC, BROKEN = -6, -7, -8, -9
"""In the Advanced Game: taken to another front (E4B2), in a Command beside the map (E8G), and the
counter of a division that is on the table as regiments (E9C)."""

CLOSED, UNDER_WAY, OPEN = 0, 1, 2
"""The state of a port or beachhead: without a counter, under construction, operating (C5F)."""

Claim = tuple[int, int, int]
"""An Automatic Victory that waits for its battle: the hexes of the defenders, the units that
established it, and whether it rests on the defenders having no retreat (C12)."""


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of Anzio. Sets of units and of hexes are bitboards; movement is in half points."""

    scenario: int = 0
    """Its number in the data file."""

    # Supplements of the Basic Game (D1).
    air_superiority: bool = False
    supporting_fire: bool = False
    armor: bool = False
    commandos: bool = False
    forts: bool = False
    nationalities: bool = False
    mountain: bool = False
    zone_retreat: bool = False

    # Units.
    hex: list[int]
    """By unit: its hex or box, or DESTROYED, AWAY, POOL, DUE, AFLOAT."""
    steps: list[int]
    """By unit: the steps that it has left, its inverted counter included."""
    bank: list[int]
    """By unit: the banks of its river hex to which it is bound in this player-turn (B4C12b)."""
    soft: int = 0
    """Units without a defence factor: inverted counters and Allied replacements (C10, C11B3)."""
    hungry: int = 0
    """Units that ended their last own turn without supply (C9A7)."""
    over: int = 0
    """Allied units that were named as over the Capacity of their supply (C9C8b)."""
    unfed: int = 0
    """Units of the active side that were without supply when its turn began (X7-9A1)."""

    # The map.
    friendly: int = 0
    """The hexes that are friendly to the Allies; all others are German (C4)."""
    held: int = 0
    """The hexes that were German when the last Allied turn ended (D6B3)."""
    works: int = 0
    """The hexes with a fort (D6)."""

    # Ports, by number of the base (C5F, C5G).
    bases: list[int]
    """By base: CLOSED, UNDER_WAY or OPEN."""
    landed: list[int]
    """By base: the stacking points that have come in through it in this turn."""
    sailed: list[int]
    """By base: those that have left."""
    saved: list[int]
    """By base: the Build-Up kept from the turn before (C5G6)."""
    fresh: int = 0
    """Bases whose counter was laid in this turn, as bits; a beachhead of an invasion is one."""
    ports: int = 0
    """Port counters in the Allied hand (C1B3)."""
    entries: int = 0
    """Of Messina and Taranto, those that are open, as bits of their boxes' places (C8A)."""
    opened: int = 0
    """Those that were opened in this turn (C8C2)."""

    entered: int = 0
    """Allied units that have been on the map (D7B1)."""

    # Invasions (C5, C6).
    invasions: int = 0
    """How many have been made."""
    invaded: int = 0
    """The turn of the last one."""
    zone: int = NOWHERE
    """The base that is invaded in this turn."""
    lifted: int = 0
    """The stacking points that have landed of its Initial Lift."""
    raids: int = 0
    """Commando raids of this turn (D5C2)."""
    lift: int = 0
    """Units that came with the Initial Lift in this turn: they need no supply (C5E1)."""

    # Replacements (C11).
    credit: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Replacements not taken yet: Allied, German infantry, German armor (C11A12)."""
    rebuilt: int = 0
    """Units that have gained a step in this turn (C11A3)."""

    # Movement.
    moved: int = 0
    """Units that may not move any more in this phase."""
    engaged: int = 0
    """Units that began this turn in an enemy zone of control (B4C14b)."""
    shipped: int = 0
    """Units that have moved by sea, or come on, in this turn: no Strategic Movement (C7B4, C8E)."""
    movers: int = 0
    """The stack that is moving now."""
    points: int = 0
    """The half points that it has left by ordinary movement; below 0 what it owes to Strategic
    Movement, in which it may not fight."""
    extra: int = 0
    """The half points that Strategic Movement adds to that (B4C14)."""
    under_way: bool = False
    """It has moved."""
    claims: tuple[Claim, ...] = ()
    """The Automatic Victories of this turn whose battles are not fought yet (C12)."""

    rushed: int = 0
    """Units that have used Strategic Movement in this turn, and so do not fight (B4C14b)."""

    # Combat.
    round: int = 0
    """Of the combat phase (C14E); 0 while there is none."""
    fought: int = 0
    """Units of the active side that have attacked in this round."""
    defended: int = 0
    """Units of the other side that have been attacked in this round (B4E11)."""
    due: int = 0
    """In the first round, the hexes that must still be attacked (B4E9)."""
    joined: int = 0
    """In later rounds, units that must fight since an enemy next to them is attacked (C14D1)."""
    forward: int = 0
    """Units that have advanced in this round, and may fight in the next (C14A3)."""
    pool: int = 0
    """Units that may fight in this round, if it is not the first."""
    targets: int = 0
    """The hexes that are attacked now; in movement, those to be overwhelmed (C12)."""
    attackers: int = 0
    losers: int = 0
    """Units among which the loss under way is shared."""
    loss: int = 0
    """The steps that are still to be lost."""
    retreating: int = 0
    """Units that must still retreat."""
    withdrawing: int = 0
    """Units that may, though nothing makes them: without a defence factor, or from a beach."""
    broken: int = 0
    """Units that have retreated through zones of control in this battle (D9)."""
    vacated: int = 0
    """The hexes that the attackers may occupy."""
    advancing: int = 0
    """Those who still may."""
    spoils: int = 0
    """The hexes that the unit which advances now has emptied, and may occupy (B4G7b)."""
    surge: int = 0
    """The half points of their breakthrough (C13)."""
    retreated: int = 0
    """Units that have retreated in this round, of the active side in this turn (D9F)."""

    # Air and fire (D2, D3).
    air: int = 0
    """1 if the Allies held an air base as the last game-turn ended (D2D1)."""
    fire: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Support factors left to use: Allied naval, Allied air, German air."""
    guarded: int = 0
    """Units that a factor supports in defence (D3A5)."""
    naval_guarded: int = 0
    """Those of them whose factor is naval."""
    supported: int = 0
    """Units that have been supported in this player-turn (D3A6)."""
    backed: int = NOBODY
    """The unit that a factor supports in the attack under way."""
    slowed: int = 0
    """German units that have half their points (D3D1c)."""
    tied: int = 0
    """German units without Strategic Movement (D3D1c)."""
    watched: int = 0
    """Interdicted hexes (D3D2)."""
    tried: int = 0
    """Units that have been interdicted in this turn, with or without success (D3D4)."""
    tried_hexes: int = 0

    built: bool = False
    """This turn's fort has been built (D6B1)."""

    # The Advanced Game.
    weather: int = 0
    """What was rolled for the turn (E2A4): GOOD_WEATHER or MUD; 0 where the calendar has it."""
    oob: int = 0
    """The German order of battle, 1 to 3; 0 until it is chosen (E5E)."""
    second: int = 0
    """The turn of the second invasion (E5D3)."""
    wave: int = 0
    """The number of the last invasion, in the list of the scenario."""
    frozen: int = 0
    """German units on garrison duty (E6); of those that have been destroyed, who was then."""
    leaving: int = 0
    """Units that are to be withdrawn in this phase, and have not been (E4B2)."""
    owing: int = 0
    """Regiments that must leave as soon as they can (E9I)."""
    debt: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Replacements that are owed before any come, as in `credit` (E4B2e)."""
    marks: int = 0
    """What has happened once and for all: bits of the names below."""
    heir: int = NOBODY
    """Who follows the schedule of the division that guards Livorno, if not itself (E8A5)."""
    proxies: tuple[tuple[int, int], ...] = ()
    """Units that were to be withdrawn, and who was instead: who is to return (E4A5b)."""
    commands: list[int] = field(default_factory=lambda: [0, 0])
    """German turns for which the entries of each Command have been shut (E8G6)."""
    strike: int = 0
    """The turn of the last Air Strike (E14A)."""
    sorties: int = 0
    """German air factors left in the month, or in the period (E13C)."""
    dropped: int = 0
    """Units that have been dropped in this turn (E12)."""
    italian: int = 0
    """Friendly hexes that Italians were the last to come through (E10B4f)."""
    leftover: tuple[tuple[int, int, int], ...] = ()
    """Units that have changed form on the way: what is left to them of ordinary and of Strategic
    Movement (E9D)."""
    reformed: int = 0
    """Divisions that have been broken up in this turn, and the first regiment of those that have
    been combined (E9D4)."""


GOOD_WEATHER, MUD_WEATHER = 1, 2
TAKEN, PAID, LIVORNO_NEAR = 0, 2, 16
"""Marks: the first bits of the cities that have been taken, and of those whose bonus has been paid
(E4A4); the mark of Allies near Livorno (E8A1)."""
