"""What lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from apennine.kernel.position import Position

ALLIED, GERMAN = 0, 1
NOWHERE = -1
"""No hex: nothing is attacked, no marker lies on the map."""
LOST, AWAY, GONE = -1, -2, -3
"""Where units and port markers are that are neither in a hex nor in a box: eliminated (the dead
pile), not yet come, out of play for good (withdrawn, or left out by the scenario)."""

UNDECIDED, HISTORICAL, TIBER = 0, 1, 2
"""Which scenario is played; nobody knows before the die of 8.2."""

NO_ORDER, MOVE, COLUMN, ATTACK, MOVE_FIGHT, FIGHT_MOVE = range(6)
"""The command that is being carried out (9.4 to 9.7, 12.7)."""
MARCHES, ASSAULTS = (MOVE, COLUMN), (MOVE_FIGHT, FIGHT_MOVE)
"""Regular moves, and those of which a phase has one."""

ORDERS: dict[str, int] = dict(
    zip(("move", "column", "attack", "move-fight", "fight-move"), range(1, 6))
)
"""The same by its verb."""

OVERLAND, COASTAL, AERIAL, UNSUPPLIED = range(4)
"""How a unit is supplied (11.1, 11.6, 11.7)."""

(
    NO_VERDICT,
    ALL_TOWNS,
    ALLIED_EXIT,
    GERMANS_HOLD,
    NO_SWITCH,
    BEACH_LOST,
    PRIZES_TAKEN,
    JOINED,
    APART,
    NOTHING_WON,
    CORPS_KEPT_BACK,
    ARMY_KEPT_BACK,
    NO_AIR_COVER,
    STEPS_OWED,
    INVASION_DEFEATED,
    INVASION_WINS,
) = range(16)
"""How a game ends: see `victory.VERDICTS`."""


@dataclass(slots=True, eq=False, kw_only=True)
class Table(Position):
    """A position of Soft Underbelly. Sets of units and of hexes are bitboards."""

    agreed: int = UNDECIDED
    """The scenario that the players agreed on beforehand (8.1a)."""
    scenario: int = UNDECIDED
    verdict: int = NO_VERDICT
    """Set at the instant in which somebody wins (4.1, 4.2, 8.6, 8.8, 8.14, 8.17, 8.18)."""

    hex: list[int]
    """By unit: its hex or box, or LOST, AWAY, GONE."""
    steps: list[int]
    tops: int = 0
    """The Allied unit on top of each stack, all that the German sees of it (6.9)."""
    shuffled: int = 0
    """Hexes with an Allied stack of which no division was seen yet: its top is asked for (6.9)."""
    restacked: int = 0
    """Hexes whose Allied stack has changed, so that another division may go on top (6.9)."""
    barred: int = 0
    """Units eliminated while not in overland supply: they never come back (9.16)."""

    control: int
    """The towns and cities that the Allies control (7.7); all others are German."""
    ports: list[int]
    """By port of the data: the hex of its supply marker, or AWAY, LOST, GONE (11.9, 11.10)."""
    switched: bool = False
    """The Salerno/Paestum-Naples switch has been made (11.9)."""
    special_forces: bool = True
    """The SF unit is still in its hex (3.6)."""
    forts: int = 0
    """The hexes with a German fort (9.8)."""
    forts_left: int = 0
    raided: bool = False
    """The one air raid has taken place (11.11)."""
    left: int = 0
    """How many of this turn's withdrawals have been carried out (10.4)."""
    assembling: int = 0
    """Units of 5th Panzer Army that the last die lets into its box (8.7)."""
    army_aircraft: bool = False
    """The aircraft unit is in the box of 5th Panzer Army (8.7)."""
    army_entered: bool = False
    """5th Panzer Army has begun to enter the map (8.8, 9.10)."""

    army_due: bool = False
    """All of 5th Panzer Army has assembled: this German turn it must enter the map (8.8)."""
    ss_entered: bool = False
    """II SS Panzer Corps has entered the map (8.6)."""

    points: int = 0
    """Command points that the active side has left (9.2, 9.3)."""
    acted: int = 0
    """Units that have had their one action in this player turn (9.18)."""
    rebuilt: int = 0
    """Units given a step in this player turn: Germans may still make a regular move (9.17)."""
    marched: int = 0
    """Units given a regular move, those from a box once they have entered the map: Germans among
    them may still be given a step (9.17, 9.19)."""
    mechanised_steps: int = 0
    foot_steps: int = 0
    """German replacements used in this turn (9.17)."""
    assaulted: bool = False
    """A move-fight or fight-move command has been given in this phase (9.6, 9.7)."""
    attacked: int = 0
    """Hexes that were attacked in this phase (13.1)."""
    corps: int = 0
    """The units of the multi-national corps (6.5)."""
    corps_named: bool = False
    """The multi-national corps has been named, or a command given without it (6.5)."""

    air_asked: bool = False
    """The Allied player has decided on his tactical air in this turn (9.9)."""
    tac_active: bool = False
    """Allied tactical air has been activated for this game turn (9.9)."""
    tac: int = 0
    """Allied TAC units that can still support a battle in this game turn (9.14)."""
    german_tac: int = 0
    """The same for the one German TAC unit (9.10)."""
    bombed: bool = False
    """The heavy bomber has flown in this phase (9.13)."""
    airlift: int = NOWHERE
    """The hex with the aerial supply marker (11.7)."""
    airlifted: bool = False
    """The marker has been used in this turn (9.11)."""
    drop_ready: bool = False
    """The 82nd has been activated for a drop in this game turn (9.12)."""
    dropped: int = 0
    """The turn in which the 82nd dropped; 0 if it has not (12.9)."""
    drop_asked: bool = False
    """The Allied player has answered for this pause between two German activations (12.9)."""
    drop_waived: bool = False
    """He does not want to be asked again in this turn."""

    order: int = NO_ORDER
    """The command under way."""
    origin: int = NOWHERE
    """The hex or box in which it was given."""
    force: int = 0
    """All units that it activated: in a box, those taken so far."""
    waiting: int = 0
    """Of these, the units that have not been picked up yet: in a box, all that might be taken."""
    supply: int = OVERLAND
    """How the force is supplied throughout the command (11.2)."""
    crossed: int = 0
    """Groups of the force, as bits, that draw on the other group's ports (11.3)."""
    mixed: bool = False
    """The force pays for standing in a hex with both Allied groups (6.4)."""
    movers: int = 0
    """The units that are moving together now."""
    moves_left: int = 0
    """The movement points that they have left."""
    under_way: bool = False
    """They have left their hex or box."""
    landed: bool = False
    """They have come ashore in this activation: no roads (10.3)."""
    stopped: bool = False
    """They have entered an enemy zone of control (7.5)."""

    fought: bool = False
    """The attack of a fight-move is over, and won: now it moves (9.7)."""

    target: int = NOWHERE
    """The hex that is attacked now."""
    attackers: int = 0
    """The attacking units on the Battle Board."""
    defenders: int = 0
    """The defending units on it, those eliminated in this battle included."""
    air_support: int = -1
    """The side whose TAC unit supports the battle; -1 for none (9.14)."""
    bomber: bool = False
    """The heavy bomber supports the attack (13.6)."""
    rubble: int = -1
    """The unit that is harder to hit for rubble (13.6)."""
    defence_supply: int = OVERLAND
    """How the defenders were supplied when the battle began (11.2)."""
    defence_mixed: bool = False
    """They began it in a hex with both Allied groups, and pay for it (6.4)."""
    volley: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The shots still to be fired in this step: who fires, and what he must roll (13.3)."""
    hits: list[int] = field(default_factory=list[int])
    """A unit for each step lost in step three or five, whichever came last (13.10)."""
    extra_hit: bool = False
    """The attacker hit a force that was already wiped out (13.10)."""
    retreating: int = 0
    """Defenders that must still leave their hex (13.9)."""
    advanced: int = 0
    """Attackers that have advanced after this combat (13.8)."""

    plot: int = -1
    """The Allied note: -1 not written yet, 0 no end-run, else the turn of the launch (8.10)."""
    launched: int = 0
    """The turn in which the end-run was launched; 0 if it was not (8.13)."""
    sealed: int = 0
    """The ports that a German zone reached when the Allied player turn began (8.15)."""
    launching: int = 0
    """What the launch under way still lacks: the divisions and, times 8, the supports (8.13)."""
    reinforced: int = 0
    """Divisions sent after the first wave (8.15)."""
    rolled: int = 0
    """The last turn in which the End-Run table was consulted (8.17)."""
    settled: int = 0
    """The final 8 or 9 that ended the invasion's resolution; 0 while it is open (8.18)."""
    owed: int = 0
    """Steps that the German must still withdraw (8.18)."""
    owed_by: int = 0
    """The turn by the end of which he must have done so."""
