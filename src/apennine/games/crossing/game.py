"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from apennine.kernel.decision import Procedure
from apennine.kernel.game import Game, Scenario, Switch, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c08_victory
from .rules.c01_sequence import PHASES
from .table.position import ALLIED, EAST, GERMAN, SPENT, WEST, Table
from .table.war import SIDES, War
from .telling.check import faults
from .telling.numbers import CLUES, ENCODING
from .telling.overlays import OVERLAYS, warnings
from .telling.previews import PREVIEWS, SAND_TABLE, score
from .telling.story import TALES, standing
from .telling.view import VOCABULARY, view


class Crossing(Game[Table]):
    """The Crossing."""

    key = "crossing"
    title = "The Crossing"
    summary = "A tutorial: seven battalions, a river, two bridges, and a charge under one of them."
    sides = SIDES
    length = "15 minutes"
    difficulty = "easy"
    position_type = Table
    switches = (Switch("boats", "Assault boats", "4.8"),)
    orders = orders_in(rules)
    encoding, clues = ENCODING, CLUES
    overlays = OVERLAYS
    previews, sand_table = PREVIEWS, SAND_TABLE
    vocabulary = MappingProxyType(VOCABULARY)
    tales = MappingProxyType(TALES)

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        self.war = War(self.board, self.read_file)
        self.units = self.war.names
        self.scenarios = [Scenario(s.key, s.title, s.summary, s.turns) for s in self.war.starts]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        start = next(start for start in self.war.starts if start.key == scenario)
        return Table(
            phase="charge",
            side=ALLIED,
            hex=[self.board.parse(unit.start) for unit in self.war.roster],
            steps=[2] * len(self.units),
            last_turn=start.turns,
            towns_to_win=start.towns,
            boats=options["boats"],
        )

    def phase(self, pos: Table) -> Procedure:
        return PHASES[pos.phase](self.war, pos)

    def imagine(self, pos: Table, side: int, random: Random, seen: Table) -> Table:
        other = pos.copy()
        if side != GERMAN and pos.charge in (WEST, EAST) and seen.charge != SPENT:
            other.charge = random.choice((WEST, EAST))
        return other

    outcome = of_war(c08_victory.outcome)
    control = of_war(c08_victory.held)
    view = of_war(view)
    check = of_war(faults)
    warnings = of_war(warnings)
    standing = of_war(standing)
    score = of_war(score)
