"""Chapter 4: how to win."""

from __future__ import annotations

from apennine.hexes import Mask
from apennine.kernel.game import EVERYBODY, Outcome
from apennine.kernel.ledger import rule

from ..table import position as ends
from ..table.position import ALLIED, GERMAN, HISTORICAL, NO_VERDICT, TIBER, Table
from ..table.war import War

VERDICTS = {
    ends.ALL_TOWNS: Outcome(ALLIED, "The Allies control every town and city.", "4.1a"),
    ends.ALLIED_EXIT: Outcome(ALLIED, "An Allied unit has left the map to the north.", "4.1b"),
    ends.GERMANS_HOLD: Outcome(
        GERMAN, "The Allies have not taken every town by the end of the year.", "4.1e"
    ),
    ends.NO_SWITCH: Outcome(
        GERMAN, "Naples was not open as an Allied port by the end of Game Turn 20.", "11.9c"
    ),
    ends.BEACH_LOST: Outcome(
        GERMAN, "Salerno or Paestum has fallen before Naples was open.", "4.1g"
    ),
    ends.PRIZES_TAKEN: Outcome(GERMAN, "Naples and Taranto are both German.", "4.2a"),
    ends.JOINED: Outcome(ALLIED, "Naples and Taranto are Allied and joined.", "4.2d"),
    ends.APART: Outcome(
        EVERYBODY, "Naples and Taranto are Allied, but no line joins them.", "4.2d"
    ),
    ends.NOTHING_WON: Outcome(EVERYBODY, "Naples and Taranto are in different hands.", "4.2f"),
    ends.CORPS_KEPT_BACK: Outcome(
        ALLIED, "II SS Panzer Corps could not enter the map when it had to.", "8.6b"
    ),
    ends.ARMY_KEPT_BACK: Outcome(
        ALLIED, "5th Panzer Army could not enter the map when it had to.", "8.8b"
    ),
    ends.NO_AIR_COVER: Outcome(
        GERMAN, "The end-run invasion was left without tactical air.", "8.14"
    ),
    ends.STEPS_OWED: Outcome(
        ALLIED, "The Germans have not withdrawn the steps that the end-run demands.", "8.18d"
    ),
    ends.INVASION_DEFEATED: Outcome(
        GERMAN, "The end-run invasion was thrown into the sea.", "8.17e"
    ),
    ends.INVASION_WINS: Outcome(ALLIED, "The end-run invasion has broken out.", "8.17e"),
}


IN_TIBER = {ends.BEACH_LOST: rule("4.2b"), ends.ALLIED_EXIT: rule("4.2e")}
"""What both scenarios have, Watch on the Tiber has by rules of its own."""


def outcome(pos: Table) -> Outcome:
    """How the game ended; the verdict is set at the instant in which somebody wins."""
    found = VERDICTS[pos.verdict]
    if pos.scenario == TIBER and pos.verdict in IN_TIBER:
        return found._replace(rule=IN_TIBER[pos.verdict])
    return found


def judge(war: War, pos: Table) -> None:
    """Who wins at this instant by the towns that he holds; the German first (4.2c)."""
    if pos.verdict != NO_VERDICT:
        return
    if not pos.switched and war.beaches & ~pos.control:  # 4.1g, 4.2b, 11.9b
        pos.verdict = ends.BEACH_LOST
    elif pos.scenario == TIBER:
        if not war.prizes & pos.control and pos.turn >= war.book.victory.first_turn:  # 4.2i
            pos.verdict = ends.PRIZES_TAKEN
    elif pos.scenario == HISTORICAL and pos.control == war.towns:
        pos.verdict = ends.ALL_TOWNS


def decide(pos: Table, verdict: int) -> None:
    """Somebody has won, unless the game was over before."""
    if pos.verdict == NO_VERDICT:
        pos.verdict = verdict


def controlled(war: War, pos: Table, side: int) -> Mask:
    """The towns and cities that a side controls (7.7)."""
    return war.towns & ~pos.control if side else pos.control


def score(war: War, pos: Table, side: int) -> float:
    """Towns, then steps: what a side has of what it fights for."""
    worth = float(2 * pos.control.bit_count() - war.towns.bit_count())
    for unit, steps in enumerate(pos.steps):
        if pos.hex[unit] >= 0:
            fire = 0.2 * steps * war.fire[unit][steps]
            worth += -fire if war.side_of[unit] else fire
    return -worth if side else worth
