"""What learners are given of the table."""

from __future__ import annotations

from apennine.hexes import Mask, bits
from apennine.kernel.encoding import Encoding, Source

from ..rules.c02_pieces import marked, offensive, theatre, there
from ..rules.c07_sequence import PHASES
from ..rules.c09_supply import hungry_troops
from ..rules.c10_weather import in_fog
from ..table.position import CENTRAL, ENTENTE, Table
from ..table.war import War

NO_OFFENSIVE = -1


def held(war: War, pos: Table, _side: int) -> Mask:
    """The hexes of the playing area that the Central Powers control."""
    return pos.control & theatre(war, pos).area


def floating(owner: int) -> Source:
    """The hexes with pontoon bridges of a side."""

    def hexes(_war: War, pos: Table, _side: int) -> Mask:
        found = 0
        for side, hex, _ in pos.pontoons:
            found |= (side == owner) << hex
        return found

    return hexes


def present(war: War, pos: Table) -> Mask:
    """The units in hexes: the status of no other is shown."""
    return there(war, pos, CENTRAL).units | there(war, pos, ENTENTE).units


def under(name: str) -> Source:
    """The units under the markers of a list."""

    def units(war: War, pos: Table, _side: int) -> Mask:
        return marked(getattr(pos, name)) & present(war, pos)

    return units


def starving(war: War, pos: Table, _side: int) -> Mask:
    """Units out of supply, and the assault troops with them."""
    return (pos.hungry | hungry_troops(war, pos)) & present(war, pos)


def fog(war: War, pos: Table, _side: int) -> int:
    """Whether fog lies now."""
    return in_fog(war, pos)


def cut(war: War, pos: Table, _side: int) -> Mask:
    """Both ends of all bridges that lie destroyed."""
    found = 0
    for number in bits(pos.broken):
        found |= war.ground.bridges[number].ends
    return found


def modifier(war: War, pos: Table, _side: int) -> int:
    """That of the offensive, in this sequence."""
    declared = offensive(war, pos)
    return declared.modifiers[pos.sequence - 1] if declared and pos.offensive else NO_OFFENSIVE


def owed(role: int) -> str:
    """The hit points of attacker or defender, once the dice have fallen."""
    return f"hits[{role}] while target"


ENCODING = Encoding(
    planes={
        "Central Powers control": held,
        "pontoons of the Central Powers": floating(CENTRAL),
        "pontoons of the Entente": floating(ENTENTE),
        "destroyed bridges": cut,
    },
    rows={"place": "hex", "attached to": "host"},
    marks={
        "disorganized": "disorganized",
        "reorganizing": "reorganizing",
        "out of supply": starving,
        "retreat mode": "fleeing",
        "pinned": "pinned",
        "hidden": "hidden",
        "offensive mode": "firing",
        "no firing": "silent",
        "frozen reserve": under("frozen"),
        "in reserve": under("reserves"),
        "exploitation": under("exploits"),
        "disengaging": "slipping",
        "in trucks": "loaded",
        "to be relieved": "relief",
        "held up by refugees": "refugees",
        "interdicting": "interdicting",
        "observing": "observing",
        "bombing": "bombing",
        "counter-battery": "counter",
        "moved": "done",
        "attacked": "attacked",
        "moving": "movers",
        "attacking": "attackers while target",
        "storming": "shock while target",
        "attacker's guns": "guns[0] while target",
        "defender's guns": "guns[1] while target",
    },
    numbers={
        "sequence": "sequence",
        "weather": "weather",
        "fog": fog,
        "offensive": modifier,
        "points booked, Central Powers": "points[0]",
        "points booked, Entente": "points[1]",
        "ticks left": "left if movers",
        "forced march": "forced if movers",
        "target": "target",
        "attacker's lead": "leads[0] while target",
        "defender's lead": "leads[1] while target",
        "attacker's hit points": owed(0),
        "defender's hit points": owed(1),
    },
    phases=tuple(PHASES),
)
