"""Sand tables of games that read two strengths on a combat table, with shifts along it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from apennine.kernel.decision import Line
from apennine.kernel.game import GameError, Preview
from apennine.kernel.sandtable import Knob, SandTable, Troop

from .odds import HOPELESS, Ladder, Shift
from .showing import chances
from .tables import Table

ATTACK, DEFENCE, SHIFT = "attack", "defence", "shift"
STRENGTHS, REASONS, OTHERS = "Strengths", "Reasons to shift", "Anything else"
STRONGEST = 500
FARTHEST = 9
LESS, ONE = (-1,), (-1, 1)
AROUND = (-3, -2, -1, 1, 2, 3)
"""The columns beside the one asked for that are shown with it."""


class Chart(NamedTuple):
    """A combat table: its ladder, its cells, the dice that are read on it, and by which rule."""

    ladder: Ladder
    cells: Table[Any]
    dice: tuple[int, ...]
    rule: str

    def preview(self, column: int) -> Preview:
        """What a column may bring."""
        printed = self.ladder.clamp(column)
        brings = chances(self.cells.chances(printed, self.dice))
        return Preview(column=self.ladder.label(printed), chances=brings)


def on_ladder(
    chart: Callable[[Any], Chart],
    reasons: Callable[[Any], Mapping[str, tuple[Shift, int]]],
    troops: Callable[[Any], Iterable[tuple[str, int, int, int]]],
    note: str = "",
) -> SandTable:
    """The sand table of a war with a combat table.

    `reasons` are shifts by their keys, each with how often it may count; `troops` are units: name,
    side, what each attacks and defends with.
    """

    def knobs(war: Any) -> Sequence[Knob]:
        known = [
            # What one more would change, a column tells as well.
            Knob(key, shift.name, REASONS, most, rule=shift.rule, tries=LESS if most == 1 else ONE)
            for key, (shift, most) in reasons(war).items()
        ]
        return (
            Knob(ATTACK, "attack", STRENGTHS, STRONGEST, usual=1, tries=()),
            Knob(DEFENCE, "defence", STRENGTHS, STRONGEST, usual=1, tries=()),
            *known,
            Knob(SHIFT, "columns besides", OTHERS, FARTHEST, -FARTHEST, tries=AROUND),
        )

    def everybody(war: Any) -> Sequence[Troop]:
        return [
            Troop(name, side, {ATTACK: attack}, {DEFENCE: defence})
            for name, side, attack, defence in troops(war)
        ]

    def look(war: Any, values: Mapping[str, Any]) -> Preview:
        read = chart(war)
        shifts = [
            shift._replace(columns=shift.columns * values[key])
            for key, (shift, _) in reasons(war).items()
            if values[key]
        ]
        if values[SHIFT]:
            shifts.append(Shift("columns besides", values[SHIFT], ""))
        found = read.ladder.odds(values[ATTACK], values[DEFENCE], shifts)
        if found.raw == HOPELESS:
            raise GameError("An attack needs some strength.")
        by = read.rule
        lines = (
            Line("attack", str(found.attack), by),
            Line("defence", str(found.defence), by),
            Line("odds", found.raw_label, by),
            *found.lines,
            *_next(read.ladder, values[ATTACK], values[DEFENCE], by),
        )
        return read.preview(found.column)._replace(lines=lines)

    def shifted(war: Any, label: str, by: int) -> Preview:
        read = chart(war)
        return read.preview(read.ladder.index(label) + by)

    return SandTable(knobs, everybody, look, shifted, note)


def _next(ladder: Ladder, attack: Any, defence: Any, rule: str) -> Iterator[Line]:
    """How strong the attack must be for a column more."""
    now = ladder.column(attack, defence)
    for more in range(int(attack) + 1, STRONGEST + 1):
        if ladder.column(more, defence) > now:
            yield Line("for a column more, attack with", str(more), rule)
            return
