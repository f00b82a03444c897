"""C16 and C2A1: how a scenario begins, and where units may be put before it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apennine.hexes import Mask, mask_of
from apennine.kernel.decision import Option, Procedure
from apennine.kernel.ledger import rule
from apennine.kernel.order import HEX, UNIT, Bars, Order, ask

from ..table.data import Setup, Start
from ..table.position import ALLIED, AWAY, BROKEN, GERMAN, OPEN, POOL, Table
from ..table.war import War
from .b4d_stacking import full_hexes, load
from .b4e_zones import occupied, soften, there, zone

DEPLOYING = "Units are deployed in the set-up, before the first turn"
OPTIONS = (
    *("air_superiority", "supporting_fire", "armor", "commandos"),
    *("forts", "nationalities", "mountain", "zone_retreat"),
)
"""The supplements (D1), as switches and as fields of the position."""


def set_up(war: War, number: int, options: Mapping[str, bool]) -> Table:
    """The table before anybody deploys: units with a fixed place, ports, forts, friendly hexes."""
    scenario, count = war.book.scenarios[number], len(war.units)
    setup, bases = war.book.setups[scenario.setup], len(war.ground.bases)
    pos = Table(
        scenario=number,
        turn=scenario.first,
        phase="deployment",
        side=GERMAN,
        hex=[POOL if (war.replacements & ~war.once) >> unit & 1 else AWAY for unit in range(count)],
        steps=list(war.full),
        bank=[0] * count,
        bases=[0] * bases,
        landed=[0] * (bases + len(war.ground.entries)),
        sailed=[0] * (bases + len(war.ground.entries)),
        saved=[0] * bases,
        ports=setup.hand,
    )
    for key in OPTIONS:
        setattr(pos, key, options[key] or bool(scenario.advanced))  # E1C
    pos.air_superiority |= pos.supporting_fire  # D3A10
    for region in setup.friendly:
        pos.friendly |= war.ground.region(region)
    _place_counters(war, pos, setup)
    for start in setup.units:
        unit = war.number[start.unit]
        pos.steps[unit] -= start.lost
        pos.hex[unit] = war.board.parse(start.at) if start.may == "fixed" else AWAY
    for unit in range(count):
        soften(war, pos, unit)
    if scenario.advanced:
        pos.frozen = war.guards  # E5D2
    pos.entries = mask_of(entry.place for entry in war.ground.entries if entry.place in pos.hex)
    pos.held = war.ground.land & ~pos.friendly
    pos.air = int(bool(pos.friendly & war.ground.air_bases))
    return pos


def _place_counters(war: War, pos: Table, setup: Setup) -> None:
    for number, base in enumerate(war.ground.bases):
        if base.name in setup.ports:
            pos.bases[number] = OPEN
    if pos.forts:
        pos.works = mask_of(map(war.board.parse, setup.forts))


# Deployment.


def starts(war: War, pos: Table) -> tuple[Start, ...]:
    """The units of the scenario, with their places."""
    return war.book.setups[war.book.scenarios[pos.scenario].setup].units


def waiting(war: War, pos: Table, side: int) -> dict[int, Start]:
    """The units of a side that are still to be deployed, with what is said of their places."""
    found: dict[int, Start] = {}
    for start in starts(war, pos):
        unit = war.number[start.unit]
        free = start.may != "fixed" and pos.hex[unit] in (AWAY, POOL)
        if free and war.side_of[unit] == side and is_used(war, pos, unit):
            found[unit] = start
    return found


def is_used(war: War, pos: Table, unit: int) -> bool:
    """E5D1c: regiments are deployed if their division has been broken up, and only then."""
    return unit not in war.division or pos.hex[war.division[unit]] == BROKEN


def deployment_phase(war: War, pos: Table) -> Procedure:
    """C16C: the Germans first, then the Allies; unit by unit, or all as history had them."""
    side, prompt = pos.side, "Deploy your units"
    while left := waiting(war, pos, side):
        orders = Deploy(left), BreakUpAtStart(left), HistoricalDeployment(left)
        yield from ask(war, pos, prompt, rule("C16C"), *orders, checkpoint=True)


def sites(war: War, pos: Table, start: Start) -> Mask:
    """Where a unit may be put, other units left aside; see `Start`."""
    setup = war.book.setups[war.book.scenarios[pos.scenario].setup]
    ground = war.ground
    match start.may:
        case "listed":  # C2A1a
            return mask_of(map(war.board.parse, start.hexes))
        case "anywhere":
            return ground.stands
        case "north" | "front":
            front, behind = _sides(war, setup)
            ersatz = war.replacements >> war.number[start.unit] & 1
            free = ersatz or _away_from(war, pos, front) < setup.north
            return behind if free else front
        case "reserve":
            front, behind = _sides(war, setup)
            return behind if _reserves_on(war, pos, front) < setup.forward else behind & ~front
        case _:  # S-DIADEMb: their own side of the front, out of German zones
            return pos.friendly & ground.stands & ~zone(war, pos, GERMAN)


def _sides(war: War, setup: Setup) -> tuple[Mask, Mask]:
    """The hexes along the front, and those on the German side of it."""
    ground = war.ground
    return ground.region(setup.front) & ground.stands, ground.region(setup.behind) & ground.stands


def _away_from(war: War, pos: Table, front: Mask) -> int:
    """S-SHINGLEa: the combat units that have been placed away from the front."""
    rear = there(war, pos, GERMAN).units & ~there(war, pos, GERMAN).among(front)
    return (rear & ~war.replacements).bit_count()


def _reserves_on(war: War, pos: Table, front: Mask) -> int:
    """S-DIADEMa: the reserves that have been placed on the front."""
    reserves = mask_of(war.number[s.unit] for s in starts(war, pos) if s.may == "reserve")
    return (there(war, pos, GERMAN).among(front) & reserves).bit_count()


def crowded_beachhead(war: War, pos: Table, start: Start) -> Mask:
    """S-DIADEMb: the beachhead, if there is no room for a unit in its stacking points."""
    setup = war.book.setups[war.book.scenarios[pos.scenario].setup]
    if not setup.beachhead or start.may != "allied":
        return 0
    head = war.ground.region(setup.beachhead)
    unit = war.number[start.unit]
    points = load(war, there(war, pos, ALLIED).among(head)) + war.stacking[unit]
    return head if points > setup.points else 0


@dataclass(slots=True)
class Deploy(Order[War, Table]):
    """C2A1a, S-SHINGLEa, S-DIADEMa: a unit is put into a hex that is open to it."""

    free: Mapping[int, Start]

    verb, names, link = "deploy", (UNIT, HEX), "in"
    when, rule, opens = DEPLOYING, "C16C", True

    def bars(self, war: War, pos: Table) -> Bars:
        yield war.army[pos.side], "{unit} belongs to the other side", "C16C"
        listed = mask_of(war.number[start.unit] for start in starts(war, pos))
        yield listed, "{unit} is not there from the start", "C2A2"
        fixed = mask_of(war.number[s.unit] for s in starts(war, pos) if s.may == "fixed")
        yield ~fixed, "{unit} stands in its printed place", "C2A1a"
        yield mask_of(self.free), "{unit} has its place already", "C16C"

    def then(self, war: War, pos: Table, first: int) -> Bars:
        start = self.free[first]
        yield war.ground.stands, "Nobody can be in {hex}", "B2F2b"
        yield sites(war, pos, start), *_against(start)
        enemy = occupied(war, pos, 1 - pos.side)
        yield ~enemy, "The enemy is in {hex}", "B4D4"
        full = crowded_beachhead(war, pos, start)
        yield ~full, "The beachhead holds no more stacking points", "S-DIADEMb"
        crowded = full_hexes(war, pos, pos.side, 1 << first)
        yield ~crowded, "There is no room for {unit} in {hex}", "B4D1"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = option.hex
        if pos.side == ALLIED:
            pos.friendly |= 1 << option.hex


def _against(start: Start) -> tuple[str, str]:
    """What is said against a hex that is not open to a unit."""
    if start.may == "listed":
        return f"{{unit}} starts in {' or '.join(start.hexes)}", "C2A1a"
    if start.may in ("north", "front"):
        return "{hex} is not near the front, and enough units are away from it", "S-SHINGLEb"
    if start.may == "reserve":
        return "{hex} is not behind the front, and enough reserves are on it", "S-DIADEMa"
    return "{hex} is not on the Allied side, or in a German zone of control", "S-DIADEMb"


@dataclass(slots=True)
class BreakUpAtStart(Order[War, Table]):
    """E5D1c: a division is deployed as its regiments, in one or more of its hexes."""

    free: Mapping[int, Start]

    verb, names = "deploy in regiments", (UNIT,)
    when, rule, opens = DEPLOYING, "E5D1c", True

    def bars(self, war: War, pos: Table) -> Bars:
        listed = {war.number[start.unit] for start in starts(war, pos)}
        able = [u for u, parts in war.regiments.items() if listed.issuperset(parts)]
        yield mask_of(able), "{unit} is not deployed in regiments", "E5D1c"
        yield mask_of(self.free), "{unit} has its place already", "C16C"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        pos.hex[option.unit] = BROKEN


@dataclass(slots=True)
class HistoricalDeployment(Order[War, Table]):
    """C16C: all units where history had them, if none has been placed by hand."""

    free: Mapping[int, Start]

    verb = "historical deployment"
    when, rule, opens = DEPLOYING, "C16C", True

    def bars(self, war: War, pos: Table) -> Bars:
        mine = [s for s in starts(war, pos) if war.side_of[war.number[s.unit]] == pos.side]
        whole = [s for s in mine if war.number[s.unit] not in war.division]
        every = sum([start.may != "fixed" for start in whole])
        yield len(self.free) == every, "You have begun to deploy your units yourself", "C16C"

    def effect(self, war: War, pos: Table, option: Option) -> None:
        for unit, start in self.free.items():
            pos.hex[unit] = war.board.parse(start.at)
            if pos.side == ALLIED:
                pos.friendly |= 1 << pos.hex[unit]
