"""Set-up: the German side deploys first, then the Allied side, then the logistic centres."""

from __future__ import annotations

from apennine.hexes import HexSet, Mask, bits
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.position import ALLIED, AWAY, GERMAN, Table
from ..table.war import War
from .c04_zones import Whither, controlled, those_in
from .c05_stacking import full

WHEN = "Units are deployed in the set-up, before the first turn"


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
    prompt, by = "Deploy your units on your side of the front line", (rule("3Sb"), rule("3Sa"))
    orders = Deploy(), HistoricalDeployment(), HoldTheRest()
    while waiting(war, pos):
        yield from ask(war, pos, prompt, by[pos.side == GERMAN], *orders, checkpoint=True)
    pos.entered = tuple([0 if hex == war.reserve else -1 for hex in pos.hex])


def waiting(war: War, pos: Table) -> Mask:
    """The units of the side that are still to be deployed."""
    return those_in(war, pos, AWAY, pos.side) & war.at_start


class Deploy(Order[War, Table]):
    """3Sa: a unit is picked, then its hex."""

    verb, names = "deploy", (UNIT,)
    when, rule, opens = WHEN, "3Sa", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "3a"
        yield war.at_start, "{unit} arrives only in turn {arrival}", "7.2a"
        yield those_in(war, pos, AWAY, pos.side), "{unit} has its place already", "3Sa"

    def effect(self, war: War, pos: Table, option: Option) -> Procedure:
        prompt = f"Where does {war.names[option.unit]} stand?"
        yield from ask(war, pos, prompt, rule("3Sc"), SetUp(option.unit))


class SetUp(Whither):
    """3Sc, 3Se: into a hex of the side with room."""

    verb, link = "set up", "in"
    when, rule = WHEN, "3Sa"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        own = controlled(war, pos, pos.side)
        yield own, "{hex} is not on your side of the front line", "3Sc"
        yield ~full(war, pos, pos.side), "{hex} holds four units already", "3Se"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex


class HistoricalDeployment(Order[War, Table]):
    """All units where they stood, if none has been placed by hand."""

    verb = "historical deployment"
    when, rule, opens = WHEN, "3Sa", True

    def bars(self, war: War, pos: Table) -> Bars:
        untouched = waiting(war, pos) == war.at_start & war.army[pos.side]
        yield untouched, "You have begun to deploy your units yourself", "3Sa"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for unit in bits(waiting(war, pos)):
            pos.hex[unit] = war.start[unit]


class HoldTheRest(Order[War, Table]):
    """3Sb: what is not on the map by now is in the reserve."""

    verb = "hold the rest in reserve"
    when, rule, opens = WHEN, "3Sb", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield pos.side == ALLIED, "Only the Allied player has a reserve", "3Sb"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for unit in bits(waiting(war, pos)):
            pos.hex[unit] = war.reserve


def centres_phase(war: War, pos: Table) -> Procedure:
    """3Sd, 3Se: the centres come last, the German one first, into designated hexes."""
    prompt = "Place your logistic centre"
    yield from ask(war, pos, prompt, rule("3Sd"), PlaceTheCentre(), checkpoint=True)


class PlaceTheCentre(Order[War, Table]):
    """3Sd: in one of its designated hexes."""

    verb, names = "place the centre", (HEX,)
    when, rule, opens = "Logistic centres are placed at the end of the set-up", "3Sd", True

    def bars(self, war: War, pos: Table) -> Bars:
        starts = war.centre_hexes(pos.scenario, pos.side)
        *some, last = HexSet(war.lattice, starts)
        named = f"{', '.join(some)} or {last}" if some else last
        yield starts, f"Your logistic centre starts in {named}, not in {{hex}}", "3Sd"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.centre[pos.side] = option.hex
