"""The game as the kernel sees it: what it is called, what it reads, and who answers for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from apennine.bots.staff.levels import levels
from apennine.kernel.decision import Procedure
from apennine.kernel.game import Game, Outcome, Scenario, Switch, of_war
from apennine.kernel.order import orders_in
from apennine.kernel.pack import Pack

from . import rules
from .rules import c15_victory
from .rules.b4b_sequence import play
from .rules.c4_friendly import friendly_hexes
from .rules.c16_setup import set_up
from .rules.d3_fire import KINDS
from .rules.e5_choice import ORDERS_OF_BATTLE
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


class Anzio(Game[Table]):
    """Anzio."""

    key = "anzio"
    title = "Anzio"
    summary = "The struggle for Italy: from the landings of September 1943 to Roma and beyond."
    sides = SIDES
    length = "4 hours, the later scenarios 8"
    difficulty = "hard"
    position_type = Table
    switches = (
        Switch("air_superiority", "Air superiority (helps the Germans)", "D2C1"),
        Switch("supporting_fire", "Supporting fire, with air superiority (Allies)", "D3A3"),
        Switch("armor", "Armor", "D4A1a"),
        Switch("commandos", "Commandos and raids (Allies)", "D5B1"),
        Switch("forts", "Forts (Germans)", "D6A1"),
        Switch("nationalities", "Limits for nationalities (Germans)", "D7A"),
        Switch("mountain", "Mountain units", "D8B1"),
        Switch("zone_retreat", "Retreat through zones of control", "D9C1"),
    )
    orders, tales = orders_in(rules), TALES
    sand_table = SAND_TABLE
    encoding, clues = ENCODING, CLUES
    overlays, previews = OVERLAYS, PREVIEWS
    unbuilt = ("advanced-supplement", "addendum")

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        super().__init__(packs)
        self.board = self.read_map()
        files = ("units.toml", "charts.toml", "scenarios.toml")
        self.war = War(self.board, *map(self.read_file, files))
        self.units = self.war.names
        bases = [base.name for base in self.war.ground.bases]
        self.value_names = {
            **dict.fromkeys(("opens", "port lost"), bases),
            "turn": ["", *(week.name for week in self.war.book.turns)],
            "fight at": self.war.book.combat.columns,
            "rebuild": self.war.names,
            "support": KINDS,
            "guard": KINDS,
            "choose": ORDERS_OF_BATTLE,
        }
        self.bots = levels(partial(StaffBot, self.war))
        self.scenarios = [
            Scenario(s.key, s.title, s.summary, s.last - s.first + 1)
            for s in self.war.book.scenarios
        ]

    def setup(self, scenario: str, options: Mapping[str, bool]) -> Table:
        number = [each.key for each in self.war.book.scenarios].index(scenario)
        return set_up(self.war, number, options)

    def phase(self, pos: Table) -> Procedure:
        return play(self.war, pos)

    def outcome(self, pos: Table) -> Outcome | None:
        return Outcome(*c15_victory.judgement(self.war, pos)) if pos.phase == "over" else None

    control = of_war(friendly_hexes)
    score = of_war(c15_victory.score)
    view = of_war(view)
    warnings = of_war(warnings)
    standing = of_war(standing)
    schedule = of_war(schedule)
    check = of_war(check)
