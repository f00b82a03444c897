"""Set-up: the German side deploys first, then the Allied side, then the logistic centres."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.decision import Among, Choice, Later, Menu, Over, done
from apennine.kernel.game import Procedure
from apennine.kernel.ledger import rule

from ..table.position import ALLIED, AWAY, GERMAN, Table, with_item
from ..table.war import War
from .c04_zones import controlled
from .c05_stacking import full

HISTORICAL = done("historical deployment")
HOLD = done("hold the rest in reserve")


def set_up(war: War, scenario: int, tied: bool, starving: bool) -> Table:
    """The table before anything is placed on it."""
    count = len(war.roster)
    return Table(
        scenario=scenario,
        last_turn=war.starts[scenario].turns,
        tied=tied,
        starving=starving,
        phase="deploy",
        side=GERMAN,
        hex=[AWAY] * count,
        steps=list(war.full),
        control=war.home[ALLIED],
        centre=[AWAY, AWAY],
        spent=[0] * len(war.nations),
        left=(0,) * count,
        entered=(-1,) * count,
    )


def deployment_phase(war: War, pos: Table) -> Procedure:
    """3Sa to 3Sc: unit by unit into any hex of the own side of the front line.

    What the Allied player does not put on the map is in the strategic reserve (3Sb), and a player
    may have all his units placed as they stood in January 1944.
    """
    while waiting(war, pos):
        chosen = yield Choice(
            pos.side,
            Later(lambda: deployments(war, pos)),
            "Deploy your units on your side of the front line",
            rule("3Sa") if pos.side == GERMAN else rule("3Sb"),
            checkpoint=True,
        )
        if chosen.verb == "deploy":
            yield from deploy(war, pos, chosen.unit)
        else:
            held = chosen == HOLD[0]
            for unit in waiting(war, pos):
                put(war, pos, unit, war.reserve if held else war.start[unit])


def deploy(war: War, pos: Table, unit: int) -> Procedure:
    """One unit gets its hex (3Sc)."""
    place = yield Choice(
        pos.side,
        Later(lambda: Over("set up", sites(war, pos), unit)),
        f"Where does {war.names[unit]} stand?",
        rule("3Sc"),
    )
    pos.hex[unit] = place.hex


def put(war: War, pos: Table, unit: int, location: int) -> None:
    """Place a unit in a hex or in the box."""
    pos.hex[unit] = location
    if location == war.reserve:
        pos.entered = with_item(pos.entered, unit, 0)


def deployments(war: War, pos: Table) -> Menu:
    """Who may be deployed next, and the short ways to be done with it."""
    todo = waiting(war, pos)
    untouched = len(todo) == len([u for u in bits(war.at_start) if war.side_of[u] == pos.side])
    return Menu(
        Among("deploy", todo),
        HISTORICAL if untouched else [],
        HOLD if pos.side == ALLIED else [],
    )


def waiting(war: War, pos: Table) -> list[int]:
    """The units of the side that are still to be deployed."""
    return [u for u in war.members[pos.side] if pos.hex[u] == AWAY and war.at_start >> u & 1]


def sites(war: War, pos: Table) -> Mask:
    """3Sc, 3Se: hexes of the side with room."""
    return controlled(war, pos, pos.side) & ~full(war, pos, pos.side)


def centres_phase(war: War, pos: Table) -> Procedure:
    """3Sd, 3Se: the centres come last, the German one first, into designated hexes."""
    chosen = yield Choice(
        pos.side,
        Over("place the centre", war.centre_hexes(pos.scenario, pos.side)),
        "Place your logistic centre",
        rule("3Sd"),
        checkpoint=True,
    )
    pos.centre[pos.side] = chosen.hex
