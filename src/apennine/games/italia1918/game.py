"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from apennine.bots.staff.levels import levels
from apennine.kernel.game import Game, Outcome, Scenario, Switch, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules.c02_pieces import theatre
from .rules.c07_sequence import play
from .rules.c16_victory import held, judgement, running, trench_points
from .rules.c18_setup import set_up
from .staff.bot import StaffBot
from .table.data import SIDES
from .table.position import Table
from .table.war import War
from .telling.check import check
from .telling.clues import CLUES
from .telling.numbers import ENCODING
from .telling.overlays import OVERLAYS
from .telling.previews import PREVIEWS
from .telling.sandtable import SAND_TABLE
from .telling.schedule import schedule
from .telling.story import TALES, standing
from .telling.view import view
from .telling.warnings import warnings


class Italia1918(Game[Table]):
    """Italia 1917-1918."""

    key = "italia1918"
    title = "Italia 1917-1918"
    summary = "From Caporetto to Vittorio Veneto: the last year of the war in Italy."
    sides = SIDES
    length = "3 hours, the great battles 12"
    difficulty = "hard"
    position_type = Table
    switches = (
        Switch("air", "Air Support", "1.0b", True),
        Switch("veterans", "Markers before movement", "11.2.9a"),
        Switch("gathered", "The Central Powers gather their means (Solstice)", "S4.S6a"),
    )
    orders, tales = orders_in(rules), TALES
    sand_table = SAND_TABLE
    overlays, previews = OVERLAYS, PREVIEWS
    clues, encoding = CLUES, ENCODING

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        bridges = [self._bridge(number) for number in range(len(self.war.ground.bridges))]
        self.value_names = {
            "air superiority": SIDES,
            **dict.fromkeys(("assign", "swap"), self.war.names),
            **dict.fromkeys(("blow up", "rebuild", "have blown up"), bridges),
        }
        self.bots = levels(partial(StaffBot, self.war))
        self.scenarios = [
            Scenario(s.key, s.title, s.summary, s.last - s.first + 1)
            for s in self.war.book.scenarios
        ]

    def _bridge(self, number: int) -> str:
        """A bridge by its river and its ends."""
        bridge = self.war.ground.bridges[number]
        one, two = map(self.board.code, self.board.lattice.edge_hexes(bridge.edge))
        return f"{bridge.river}, {one}-{two}"

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [each.key for each in self.war.book.scenarios].index(scenario)
        return set_up(self.war, number, options)

    def outcome(self, pos: Table) -> Outcome | None:
        if pos.phase != "over":
            return None
        return Outcome(*judgement(self.war, pos), "16.0a")

    phase = of_war(play)
    view = of_war(view)
    warnings = of_war(warnings)
    standing = of_war(standing)
    schedule = of_war(schedule)
    check = of_war(check)

    def control(self, pos: Table, side: int) -> int:
        return held(self.war, pos, side) & theatre(self.war, pos).area

    def score(self, pos: Table, side: int) -> float:
        """Points, and steps: a step is worth a third of a point."""
        lost = [0, 0]
        for unit, steps in enumerate(pos.steps):
            if pos.hex[unit] >= 0:
                lost[self.war.side_of[unit]] += steps
        leading = theatre(self.war, pos).initiative
        points = running(self.war, pos) + trench_points(self.war, pos)
        mine = points if side == leading else -points
        return mine + (lost[side] - lost[1 - side]) / 3
