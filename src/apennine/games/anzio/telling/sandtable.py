"""An attack put together from nothing: factors on the Step Reduction Table (B4H, B4E5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from apennine.kernel.decision import Line
from apennine.kernel.game import GameError, Preview
from apennine.kernel.sandtable import Knob, SandTable
from apennine.mechanics.odds import Shift
from apennine.mechanics.sandtable import ATTACK, DEFENCE, Chart, on_ladder

from ..table.war import War

HALVED, MOUNTAIN, RIVER, HIGH = "halved", "mountain", "river", "high"
GROUND = "Ground"


def chart(war: War) -> Chart:
    """The table and its die."""
    return Chart(war.ladder, war.book.combat, (6,), "B4E5a")


def reasons(war: War) -> dict[str, tuple[Shift, int]]:
    """The one shift that the rules have."""
    return {"air": (Shift("air superiority", war.book.air.columns, "D2C1"), 1)}


def troops(war: War) -> Iterator[tuple[str, int, int, int]]:
    """The units at full strength."""
    for unit, name in enumerate(war.names):
        attack, defence = war.faces[unit][war.full[unit]]
        yield name, war.side_of[unit], attack, defence


PLAIN = on_ladder(chart, reasons, troops)


def knobs(war: War) -> list[Knob]:
    """Those of the table, and what the ground does to strengths."""
    return [
        *PLAIN.knobs(war),
        Knob(HALVED, "attackers over High Apennine or swamp alone", GROUND, rule="B4H7a"),
        Knob(MOUNTAIN, "the defender on a mountain", GROUND, rule="B4H2"),
        Knob(RIVER, "all attackers on rivers", GROUND, rule="B4H3"),
        Knob(HIGH, "the defender behind High Apennine", GROUND, rule="B4H7b"),
    ]


def look(war: War, values: Mapping[str, int]) -> Preview:
    """Strengths as the ground makes them, read on the table."""
    attack, defence = Fraction(values[ATTACK], 1 + values[HALVED]), values[DEFENCE]
    defence *= (1 + values[MOUNTAIN] + values[RIVER]) * (1 + values[HIGH])
    found = war.ladder.odds(attack, defence)
    if found.shifted < war.ladder.index(war.book.limits.least):
        raise GameError(f"Odds below {war.book.limits.least} are no attack (B4E12a).")
    told = PLAIN.look(war, {**values, ATTACK: attack, DEFENCE: defence})
    grounds = [knob for knob in knobs(war) if knob.group == GROUND and values[knob.key]]
    lines = [Line(knob.title, "", knob.rule) for knob in grounds]
    return told._replace(lines=(*lines, *told.lines))


SAND_TABLE = SandTable(knobs, PLAIN.troops, look, PLAIN.shifted)
